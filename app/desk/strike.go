package desk

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"assay/engine"
	"assay/engine/extractive"
	"assay/engine/recorded"
	"assay/engine/research"
	"assay/engine/store"
)

// Strike is what a report says without the sources that its reader struck.
type Strike struct {
	Struck []string        `json:"struck"` // ids of all sources that are struck now, sorted
	Digest research.Digest `json:"digest"`
	Took   time.Duration   `json:"took"` // for the restatement, without reading and writing the record
	Files  []string        `json:"files"`
}

// reopened is the run that was struck from last, kept so that the next strike is quick. What strikes add to the record changes
// nothing of what it was opened on.
type reopened struct {
	id string
	*engine.Finished
}

// Strike takes sources out of a finished run, or puts struck ones back: by their id, location or voice. Findings, confidences,
// coverage and gaps follow at once, without a model and without the network; the record keeps the change, and the files of the report
// are written anew. A change that leaves no finding is made all the same: the report then says so.
func (d *Desk) Strike(ctx context.Context, id string, names []string, restore bool) (res Strike, err error) {
	if id, err = d.store.Find(id); err != nil {
		return res, &UsageError{Err: err}
	}
	if len(names) == 0 {
		return res, usage("name the sources: by id, location or voice, as the report lists them")
	}
	rec, err := d.store.Resume(id, d.version)
	if err != nil {
		return res, err
	}
	defer func() { err = errors.Join(err, rec.Close()) }()
	run, err := recordOf(rec)
	if err != nil {
		return res, err
	}
	d.asking.Lock()
	defer d.asking.Unlock()
	f, err := d.reopen(run)
	if err != nil {
		return res, err
	}
	ids, err := f.Named(names)
	if err != nil {
		return res, &UsageError{Err: err}
	}
	struck, err := engine.Struck(run.Events)
	if err != nil {
		return res, err
	}
	for _, s := range ids {
		if restore {
			struck = slices.DeleteFunc(struck, func(have string) bool { return have == s })
		} else if !slices.Contains(struck, s) {
			struck = append(struck, s)
		}
	}
	slices.Sort(struck)
	began := time.Now()
	digest, judged, err := f.Without(ctx, struck)
	if err != nil {
		return res, err
	}
	res = Strike{Struck: struck, Digest: digest, Took: time.Since(began)}
	if err := engine.Restate(rec, digest, judged); err != nil {
		return res, err
	}
	if err := rec.SetDigest(digest); err != nil {
		return res, err
	}
	d.keepKnown(id, rec.Request(), digest)
	dirs := []string{d.store.Dir(id)}
	if out := rec.Out(); out != "" && prepareOut(out) == nil {
		dirs = append(dirs, out)
	}
	if res.Files, err = writeReport(digest, dirs); err != nil {
		return res, err
	}
	for _, dir := range dirs {
		name := filepath.Join(dir, FileRun)
		if err := stream(name, rec.Export); err != nil {
			return res, err
		}
		res.Files = append(res.Files, name)
	}
	return res, nil
}

// recordOf reads the whole record.
func recordOf(rec *store.Record) (research.Run, error) {
	var b bytes.Buffer
	if err := rec.Export(&b); err != nil {
		return research.Run{}, err
	}
	return store.Import(&b)
}

// reopen opens a finished run for strikes, or returns it when it is the one that was opened last.
func (d *Desk) reopen(run research.Run) (*engine.Finished, error) {
	d.mu.Lock()
	held := d.struck
	d.mu.Unlock()
	if held.Finished != nil && held.id == run.ID {
		return held.Finished, nil
	}
	f, err := OpenFinished(run)
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", run.ID, err)
	}
	d.mu.Lock()
	d.struck = reopened{run.ID, f}
	d.mu.Unlock()
	return f, nil
}

// OpenFinished opens a finished run on what its record holds and on nothing else, to see what its report says without some of its
// sources.
func OpenFinished(run research.Run) (*engine.Finished, error) {
	setups, err := heldSetups(store.FromRun(run, false))
	if err != nil {
		return nil, err
	}
	if len(setups) == 0 {
		return nil, engine.ErrUnfinished
	}
	last := setups[len(setups)-1]
	cfg := engine.Config{
		Request: run.Request, Model: recorded.New(recorded.FromRun(run), last.Limits), ModelWhy: setups[0].Why, Fallback: extractive.Model{}, Code: run.Code,
	}
	return engine.Reopen(cfg, run.Events, func() engine.Record { return store.FromRun(run, false) })
}

// Struck lists the sources that are struck from a run, in the order of its record.
func (d *Desk) Struck(id string) ([]research.Source, error) {
	events, err := d.store.Events(id, 0, 0)
	if err != nil {
		return nil, err
	}
	ids, err := engine.Struck(events)
	if err != nil || len(ids) == 0 {
		return []research.Source{}, err
	}
	return slices.DeleteFunc(sourcesOf(events), func(s research.Source) bool { return !slices.Contains(ids, s.ID) }), nil
}

// Sources lists the sources that a run opened, without their passages, in the order of its record.
func (d *Desk) Sources(id string) ([]research.Source, error) {
	events, err := d.Events(id, 0, 0)
	if err != nil {
		return nil, err
	}
	return sourcesOf(events), nil
}

// sourcesOf returns the sources of a record, each as it was told last.
func sourcesOf(events []research.Event) []research.Source {
	out := []research.Source{}
	for _, e := range events {
		var s research.Source
		if e.Kind != research.EventSource || json.Unmarshal(e.Payload, &s) != nil {
			continue
		}
		if i := slices.IndexFunc(out, func(have research.Source) bool { return have.ID == s.ID }); i >= 0 {
			out[i] = s
		} else {
			out = append(out, s)
		}
	}
	return out
}

// FollowUp is the answer to a further question from what a run has claimed.
type FollowUp struct {
	Digest research.Digest `json:"digest"`
	// Answered is false when the answer is not in the research.
	Answered bool `json:"answered"`
}

// Ask answers a further question from the claims of a finished run, those of struck sources left out; nothing is searched, read or asked
// of a model, and the run is not changed.
func (d *Desk) Ask(ctx context.Context, id, question string) (FollowUp, error) {
	id, err := d.store.Find(id)
	if err != nil {
		return FollowUp{}, &UsageError{Err: err}
	}
	if strings.TrimSpace(question) == "" {
		return FollowUp{}, usage("the question is empty: write what you want to know of this research")
	}
	if n := utf8.RuneCountInString(question); n > maxQuestion {
		return FollowUp{}, usage("the question has %d characters and may have %d: ask for one thing at a time", n, maxQuestion)
	}
	run, err := d.ReadRun(id)
	if err != nil {
		return FollowUp{}, err
	}
	struck, err := engine.Struck(run.Events)
	if err != nil {
		return FollowUp{}, err
	}
	d.asking.Lock() // an opened run is looked into by one at a time
	defer d.asking.Unlock()
	f, err := d.reopen(run)
	if err != nil {
		return FollowUp{}, err
	}
	digest, err := f.Ask(ctx, question, struck)
	return FollowUp{digest, digest.Metrics.Findings > 0}, err
}

// SearchFurther starts a research of a further question over the same documents, with the same settings as the run that did not
// answer it.
func (d *Desk) SearchFurther(ctx context.Context, id, question string, opt StartOptions) (*Job, error) {
	id, err := d.store.Find(id)
	if err != nil {
		return nil, &UsageError{Err: err}
	}
	run, err := d.ReadRun(id)
	if err != nil {
		return nil, err
	}
	req := run.Request
	req.Question, req.Now = question, ""
	return d.Start(ctx, req, opt)
}
