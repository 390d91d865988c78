package desk

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"assay/engine/bakeoff"
	"assay/engine/store"
)

// maxBakeoffFile bounds the file of a bake-off that is read, in bytes: a proof keeps at most 64 KiB of raw calls, an answer
// takes about one.
const maxBakeoffFile = 64 << 20

// bakeoffForm is the form of an id: UTC time to the second, then six random hex digits.
var bakeoffForm = regexp.MustCompile(`^[0-9]{8}-[0-9]{6}-[0-9a-f]{6}$`)

func newBakeoffID(now time.Time) (string, error) {
	var b [3]byte
	if _, err := rand.Read(b[:]); err != nil {
		return "", fmt.Errorf("make an id: %w", err)
	}
	return now.UTC().Format("20060102-150405") + "-" + hex.EncodeToString(b[:]), nil
}

// bakeoffs is the folder of all bake-offs, in the home.
const bakeoffs = "bakeoffs"

func bakeoffFolder(id string) string { return filepath.Join(bakeoffs, id) }

func (d *Desk) bakeoffPath(id string) string { return filepath.Join(d.dirs.Data, bakeoffFolder(id)) }

func (d *Desk) bakeoffFile(id string) string { return d.bakeoffPath(id) + ".json" }

func (d *Desk) verdictFile() string { return filepath.Join(d.dirs.Data, bakeoffs, "verdicts.jsonl") }

// bakeoffIDs returns the ids of all bake-offs, newest first.
func (d *Desk) bakeoffIDs() ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(d.dirs.Data, bakeoffs))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, store.Fault("list bake-offs", d.dirs.Data, err)
	}
	var ids []string
	for _, e := range entries {
		if id, ok := strings.CutSuffix(e.Name(), ".json"); ok && bakeoffForm.MatchString(id) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	slices.Reverse(ids)
	return ids, nil
}

// keep writes the bake-off as it is now.
func (c *conductor) keep() error {
	c.b.UpdatedMs = time.Now().UnixMilli()
	b, err := json.MarshalIndent(c.b, "", " ")
	if err != nil {
		return fmt.Errorf("keep the bake-off: %w", err)
	}
	return store.WriteFile(c.desk.bakeoffFile(c.b.ID), append(b, '\n'))
}

// keepRecord writes the record of a run into the folder of its bake-off and returns its hash.
func (d *Desk) keepRecord(name string, rec *store.Memory) (string, error) {
	h := sha256.New()
	err := stream(filepath.Join(d.dirs.Data, bakeoffs, name), func(w io.Writer) error { return rec.Export(io.MultiWriter(w, h)) })
	return hex.EncodeToString(h.Sum(nil)), err
}

// verdictLog reads the changelog. With a [*bakeoff.DamagedError] come the lines before the damage.
func (d *Desk) verdictLog() (bakeoff.Log, error) {
	b, err := os.ReadFile(d.verdictFile())
	if errors.Is(err, fs.ErrNotExist) {
		return bakeoff.Log{}, nil
	}
	if err != nil {
		return bakeoff.Log{}, store.Fault("read the changelog of verdicts", d.verdictFile(), err)
	}
	log, err := bakeoff.ReadLog(bytes.NewReader(b))
	if err != nil {
		err = fmt.Errorf("%w (%s)", err, d.verdictFile())
	}
	return log, err
}

// changeLog adds to the changelog under its lock. A damaged one is not added to.
func (d *Desk) changeLog(fn func(bakeoff.Log) (bakeoff.Log, error)) error {
	release, err := d.store.Guard(bakeoffs)
	if err != nil {
		return err
	}
	defer release()
	log, err := d.verdictLog()
	if err != nil {
		return err
	}
	before := len(log.Bytes())
	if log, err = fn(log); err != nil || len(log.Bytes()) == before {
		return err
	}
	return store.WriteFile(d.verdictFile(), log.Bytes())
}

// judge gives the verdict on every candidate and puts it into the changelog. A verdict of the same bake-off that rested on
// fewer trials gives way to it.
func (c *conductor) judge() error {
	history, err := c.desk.history(c.b.ID)
	if err != nil {
		return err
	}
	var reference []bakeoff.Trial
	for _, t := range c.b.Trials {
		if t.Reference {
			reference = append(reference, t)
		}
	}
	at := time.Now().UTC().Format(time.RFC3339)
	return c.desk.changeLog(func(log bakeoff.Log) (bakeoff.Log, error) {
		c.b.Entries = []BakeoffAnchor{}
		for _, model := range c.b.Models {
			v := bakeoff.Judge(bakeoff.Case{
				Candidate: model, Baseline: c.b.Baseline, Role: c.b.Request.Role, Reference: reference,
				Trials: trialsOf(c.b.Trials, model), History: trialsOf(history, model),
			})
			var err error
			if log, err = addVerdict(log, at, c.b.ID, v); err != nil {
				return log, fmt.Errorf("changelog of verdicts: %w", err)
			}
		}
		for _, e := range log.Entries() {
			if e.Bakeoff == c.b.ID && e.Verdict != nil {
				c.b.Entries = append(c.b.Entries, BakeoffAnchor{Entry: e.ID, Hash: log.Hash(e.ID), Model: e.Verdict.Candidate.Model})
			}
		}
		return log, nil
	})
}

// trialsOf are the trials of a model as a candidate.
func trialsOf(ts []bakeoff.Trial, model BakeoffModel) []bakeoff.Trial {
	var out []bakeoff.Trial
	for _, t := range ts {
		if !t.Reference && t.Candidate.Model == model.Model {
			out = append(out, t)
		}
	}
	return out
}

// history are the trials of all other bake-offs. One whose file cannot be read is passed over: it is told where bake-offs are
// listed.
func (d *Desk) history(but string) ([]bakeoff.Trial, error) {
	ids, err := d.bakeoffIDs()
	if err != nil {
		return nil, err
	}
	var out []bakeoff.Trial
	for _, id := range ids {
		if id == but {
			continue
		}
		if b, err := d.readBakeoff(id); err == nil {
			out = append(out, b.Trials...)
		}
	}
	return out, nil
}

// addVerdict adds a verdict unless the bake-off said the same before, and supersedes what it said before otherwise.
func addVerdict(log bakeoff.Log, at, id string, v bakeoff.Verdict) (bakeoff.Log, error) {
	var last *bakeoff.Entry
	for _, e := range log.Entries() {
		if e.Bakeoff == id && e.Verdict != nil && e.Verdict.Candidate.Model == v.Candidate.Model {
			last = &e
		}
	}
	if last != nil && last.Verdict.Outcome == v.Outcome && slices.Equal(last.Verdict.Trials, v.Trials) {
		return log, nil
	}
	log, e, err := log.AddVerdict(at, id, v)
	if err != nil || last == nil {
		return log, err
	}
	if _, gone := log.Superseded(last.ID); gone { // by the person
		return log, nil
	}
	log, _, err = log.Supersede(at, last.ID, e.ID, "the same bake-off went on, and the later verdict rests on more of it")
	return log, err
}

// VerdictLine is a line of the changelog as a page shows it.
type VerdictLine struct {
	Entry BakeoffEntry `json:"entry"`
	Hash  string       `json:"hash"`
	// Standing: a verdict that no later entry supersedes. What follows is of one that does not stand: the entry by which, the
	// verdict that corrects it, and why.
	Standing     bool   `json:"standing"`
	SupersededBy string `json:"superseded_by"`
	Retest       string `json:"retest"`
	Reason       string `json:"reason"`
	// Elsewhere says that the verdict is of another backend version than the one that answers now; empty when it is not, or
	// none answers.
	Elsewhere string `json:"elsewhere"`
	// RemovedAt is when the trials on which the verdict rests were removed, in RFC 3339; empty: they are there.
	RemovedAt string `json:"removed_at"`
}

func verdictLine(log bakeoff.Log, e bakeoff.Entry) VerdictLine {
	l := VerdictLine{Entry: e, Hash: log.Hash(e.ID), Standing: e.Verdict != nil}
	if by, gone := log.Superseded(e.ID); gone {
		l.Standing, l.SupersededBy, l.Retest, l.Reason = false, by.ID, by.Retest, by.Reason
	}
	if by, gone := log.Removed(e.Bakeoff); gone && e.Verdict != nil {
		l.RemovedAt = by.At
	}
	return l
}

// Changelog is all verdicts ever given.
type Changelog struct {
	Lines []VerdictLine `json:"lines"` // oldest first
	// Fault says which line of the file is damaged; the lines before it are shown. Lost are the bake-offs whose entries the file
	// lacks, a sentence each: then its end was cut off.
	Fault   string   `json:"fault"`
	Lost    []string `json:"lost"`
	Backend string   `json:"backend"` // that answers now; empty: none
	Version string   `json:"version"`
}

// Changelog returns all verdicts, those of one model when it is named. It asks the model server for its version, so that
// verdicts of another one are marked.
func (d *Desk) Changelog(ctx context.Context, model string) (Changelog, error) {
	out := Changelog{Lines: []VerdictLine{}, Lost: []string{}}
	log, err := d.verdictLog()
	var damaged *bakeoff.DamagedError
	switch {
	case errors.As(err, &damaged):
		out.Fault = err.Error()
	case err != nil:
		return out, err
	}
	if out.Version = d.serverVersion(ctx); out.Version != "" {
		out.Backend = "ollama"
	}
	of := map[string]string{}             // entry -> model
	tried := map[string]map[string]bool{} // bake-off -> its models
	for _, e := range log.Entries() {
		l := verdictLine(log, e)
		wanted := model == ""
		switch {
		case e.Verdict != nil:
			of[e.ID] = e.Verdict.Candidate.Model
			l.Elsewhere = e.Verdict.Elsewhere(out.Backend, out.Version)
			if tried[e.Bakeoff] == nil {
				tried[e.Bakeoff] = map[string]bool{}
			}
			tried[e.Bakeoff][of[e.ID]] = true
		case e.Removed:
			wanted = wanted || tried[e.Bakeoff][modelName(model)]
		default:
			of[e.ID] = of[e.Supersedes]
		}
		if wanted || of[e.ID] == modelName(model) {
			out.Lines = append(out.Lines, l)
		}
	}
	out.Lost, err = d.lostVerdicts(log)
	return out, err
}

// lostVerdicts holds the changelog against what the bake-offs remember of it.
func (d *Desk) lostVerdicts(log bakeoff.Log) ([]string, error) {
	out := []string{}
	ids, err := d.bakeoffIDs()
	if err != nil {
		return out, err
	}
	for _, id := range ids {
		b, err := d.readBakeoff(id)
		if err != nil {
			continue // told where bake-offs are listed
		}
		for _, a := range b.Entries {
			if log.Hash(a.Entry) != a.Hash {
				out = append(out, fmt.Sprintf("The changelog lacks entry %s, which bake-off %s wrote on %s: put back a copy of %s.", a.Entry, id, a.Model, d.verdictFile()))
			}
		}
	}
	return out, nil
}

// serverVersion is the version of the model server on this machine; "" when none answers. It starts none.
func (d *Desk) serverVersion(ctx context.Context) string {
	if d.managedStatus() == nil && !loopback(d.ollamaURL()) {
		return "" // on another machine, where no bake-off is held
	}
	st, err := d.ServerStatus(ctx)
	switch {
	case err != nil:
		return ""
	case st.Managed != nil:
		return st.Managed.Version
	}
	for _, o := range st.Others {
		if loopback(o.URL) {
			return o.Version
		}
	}
	return ""
}

// Supersede puts into the changelog that verdict id gives way to the later verdict retest, and why. Both stay. The beginning of
// an id is enough.
func (d *Desk) Supersede(id, retest, reason string) (BakeoffEntry, error) {
	var out bakeoff.Entry
	err := d.changeLog(func(log bakeoff.Log) (bakeoff.Log, error) {
		old, err := findEntry(log, id)
		if err != nil {
			return log, err
		}
		re, err := findEntry(log, retest)
		if err != nil {
			return log, err
		}
		next, e, err := log.Supersede(time.Now().UTC().Format(time.RFC3339), old, re, reason)
		if err != nil {
			return log, usage("%w", err)
		}
		out = e
		return next, nil
	})
	return out, err
}

// findEntry returns the one id that begins with prefix.
func findEntry(log bakeoff.Log, prefix string) (string, error) {
	var found []string
	for _, e := range log.Entries() {
		if prefix != "" && strings.HasPrefix(e.ID, prefix) {
			found = append(found, e.ID)
		}
	}
	switch len(found) {
	case 0:
		return "", usage("there is no entry %q in the changelog: list them with assay bakeoff log", prefix)
	case 1:
		return found[0], nil
	}
	return "", usage("%q begins %d entries, among them %s and %s: type more of it", prefix, len(found), found[0], found[1])
}
