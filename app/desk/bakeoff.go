package desk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"assay/engine/bakeoff"
	"assay/engine/research"
	"assay/engine/store"
)

// A bake-off runs the same questions with several models and with a baseline, and judges each model by the rules of package
// bakeoff. A page shows, in this order: [Desk.Bakeoffs] for the list, [Desk.Bakeoff] for one of them with its table and its
// verdicts, [Desk.Changelog] for all verdicts ever given. [Desk.StartBakeoff] and [Desk.ResumeBakeoff] do the work and tell of
// it through [BakeoffOptions.Tell].
//
// In the home: bakeoffs/ID.json holds the trials, bakeoffs/ID/ the record of every run, which audit opens like any other,
// bakeoffs/verdicts.jsonl the changelog.

// The nouns of a bake-off, for those who see the desk only.
type (
	BakeoffModel   = bakeoff.Candidate
	BakeoffTrial   = bakeoff.Trial
	BakeoffScores  = bakeoff.Scores
	BakeoffVerdict = bakeoff.Verdict
	BakeoffEntry   = bakeoff.Entry
	BakeoffProof   = bakeoff.Proof
)

// BakeoffQuestion is one question of a bake-off.
type BakeoffQuestion struct {
	ID       string `json:"id"` // if empty, q1, q2, ...
	Question string `json:"question"`
	Lang     string `json:"lang"` // "en", "zh" or "auto"; if empty, auto
	// Libraries are the folders of this question. If empty, those of the bake-off.
	Libraries []string `json:"libraries"`
	// Label is what a right answer is, as [BakeoffOptions.Score] reads it; empty: not known.
	Label string `json:"label,omitempty"`
}

// BakeoffRequest says what is compared with what.
type BakeoffRequest struct {
	Models    []string          `json:"models"`   // "ollama:NAME" or "NAME"
	Baseline  string            `json:"baseline"` // "extractive" or "ollama:NAME"; if empty, extractive
	Role      research.Role     `json:"role"`     // that the models take, the baseline keeping all others; empty: every role
	Questions []BakeoffQuestion `json:"questions"`
	Libraries []string          `json:"libraries"` // folders; absolute in a kept request
	Runs      int               `json:"runs"`      // of each model; if zero, 1
	Depth     research.Depth    `json:"depth"`     // if empty, quick
	NumCtx    int               `json:"num_ctx"`   // tokens; if zero, 8192, and never less: see rule 6
	KVType    string            `json:"kv_type"`   // "f16", "q8_0", "q4_0", as the server was started; empty: not known
	Now       string            `json:"now"`       // clock of the runs, RFC 3339; if empty, today at midnight UTC
	Seed      int64             `json:"seed"`
}

// Bounds of a request.
const (
	maxBakeoffModels    = 16
	maxBakeoffQuestions = 200
	maxBakeoffRuns      = 9
	maxNumCtx           = 1 << 20
	maxLabel            = 64 << 10 // bytes
)

// BakeoffOptions are what the work needs besides the request; each may be nil.
type BakeoffOptions struct {
	// Score marks a report against the label of its question: marks of 0 to 1 by name, of which "points" decides.
	Score func(q BakeoffQuestion, digest research.Digest) (map[string]float64, error)
	// Tell hears of each step. It must not block.
	Tell func(BakeoffTick)

	open seatOpener // nil: the real one
}

// BakeoffTick is a step of the work.
type BakeoffTick struct {
	ID       string `json:"id"`
	Step     string `json:"step"` // "library", "prove", "load", "question", "judge"
	Model    string `json:"model"`
	Run      int    `json:"run"`
	Trial    int    `json:"trial"` // from 1
	Trials   int    `json:"trials"`
	Question int    `json:"question"` // from 1
	Total    int    `json:"total"`    // questions
}

// Bakeoff is a bake-off as it is kept.
type Bakeoff struct {
	Schema    int             `json:"schema"`
	ID        string          `json:"id"`
	Code      string          `json:"code"` // version of the program that began it
	Request   BakeoffRequest  `json:"request"`
	State     string          `json:"state"` // running, interrupted, failed, done
	Detail    string          `json:"detail"`
	CreatedMs int64           `json:"created_ms"`
	UpdatedMs int64           `json:"updated_ms"`
	Baseline  BakeoffModel    `json:"baseline"`
	Models    []BakeoffModel  `json:"models"` // as the request, with what the server says of them
	Trials    []BakeoffTrial  `json:"trials"`
	Entries   []BakeoffAnchor `json:"entries"` // of the changelog, that it wrote
}

// BakeoffAnchor names an entry of the changelog with its hash: a changelog whose end was cut off lacks it.
type BakeoffAnchor struct {
	Entry string `json:"entry"`
	Hash  string `json:"hash"`
	Model string `json:"model"`
}

// bakeoffSchema is the version of the file.
const bakeoffSchema = 1

// BakeoffInfo is a line of the list.
type BakeoffInfo struct {
	ID        string        `json:"id"`
	State     string        `json:"state"`
	Detail    string        `json:"detail"`
	CreatedMs int64         `json:"created_ms"`
	UpdatedMs int64         `json:"updated_ms"`
	Models    []string      `json:"models"`
	Baseline  string        `json:"baseline"`
	Role      research.Role `json:"role"`
	Questions int           `json:"questions"`
	Trials    int           `json:"trials"` // planned, as [BakeoffTick] counts them
	Done      int           `json:"done"`   // of them
	Holder    string        `json:"holder,omitempty"`
}

// StartBakeoff begins a bake-off and works on it until it is done or ctx ends; what was finished by then is kept, and
// [Desk.ResumeBakeoff] goes on. A request that cannot work is refused with a [*UsageError] before anything is kept. Runs of a
// bake-off are closed: nothing leaves this machine. The bake-off is returned as far as it got, also with an error.
func (d *Desk) StartBakeoff(ctx context.Context, req BakeoffRequest, opt BakeoffOptions) (Bakeoff, error) {
	req, err := d.completeBakeoff(req)
	if err != nil {
		return Bakeoff{}, err
	}
	now := time.Now()
	id, err := newBakeoffID(now)
	if err != nil {
		return Bakeoff{}, err
	}
	b := Bakeoff{
		Schema: bakeoffSchema, ID: id, Code: d.version, Request: req, State: "running", CreatedMs: now.UnixMilli(),
		Models: []BakeoffModel{}, Trials: []BakeoffTrial{}, Entries: []BakeoffAnchor{},
	}
	return d.workOn(ctx, b, opt)
}

// ResumeBakeoff goes on with a bake-off; finished trials, and finished questions of the others, are not run again. With runs
// higher than before each model is run as often as that, which is how a second run is added to one that failed.
func (d *Desk) ResumeBakeoff(ctx context.Context, id string, runs int, opt BakeoffOptions) (Bakeoff, error) {
	b, err := d.bakeoff(id)
	if err != nil {
		return b, err
	}
	if runs < 0 || runs > maxBakeoffRuns {
		return b, usage("runs %d: use a number from 1 to %d", runs, maxBakeoffRuns)
	}
	if b.Code != d.version {
		return b, usage("bake-off %s was begun by version %s and this is %s, which would be another variable: start it afresh", b.ID, b.Code, d.version)
	}
	if runs <= b.Request.Runs && b.State == "done" && !slices.ContainsFunc(b.Trials, func(t BakeoffTrial) bool { return !t.Done }) {
		return b, usage("bake-off %s is done already; add to it with --runs %d", b.ID, b.Request.Runs+1)
	}
	b.Request.Runs = max(b.Request.Runs, runs)
	b.State, b.Detail = "running", ""
	return d.workOn(ctx, b, opt)
}

// workOn does the work under the lock of the bake-off and keeps how it ended.
func (d *Desk) workOn(ctx context.Context, b Bakeoff, opt BakeoffOptions) (Bakeoff, error) {
	release, err := d.store.Guard(bakeoffFolder(b.ID))
	if err != nil {
		return b, err
	}
	defer release()
	c := &conductor{desk: d, b: &b, opt: opt}
	if c.opt.open == nil {
		c.opt.open = d.openSeat
	}
	if err := c.keep(); err != nil {
		return b, err
	}
	err = c.work(ctx)
	switch {
	case err == nil:
		b.State, b.Detail = "done", ""
	case ctx.Err() != nil:
		b.State, b.Detail = "interrupted", "it was stopped; finished trials are kept and it can be resumed"
	default:
		b.State, b.Detail = "failed", err.Error()
	}
	return b, errors.Join(err, c.keep())
}

// completeBakeoff checks a request and fills in what it leaves out.
func (d *Desk) completeBakeoff(req BakeoffRequest) (BakeoffRequest, error) {
	if err := completeModels(&req); err != nil {
		return req, err
	}
	if req.Role == "all" {
		req.Role = ""
	}
	req.Runs, req.Depth, req.NumCtx = or(req.Runs, 1), or(req.Depth, research.Quick), or(req.NumCtx, bakeoff.MinContext)
	req.Now = or(req.Now, time.Now().UTC().Format("2006-01-02")+"T00:00:00Z")
	switch {
	case req.Role != "" && !slices.Contains(bakeoff.Roles, req.Role):
		return req, usage("role %q: use one of %s, or leave it out for all", req.Role, joinRoles())
	case req.Runs < 1 || req.Runs > maxBakeoffRuns:
		return req, usage("runs %d: use a number from 1 to %d", req.Runs, maxBakeoffRuns)
	case req.NumCtx < bakeoff.MinContext || req.NumCtx > maxNumCtx:
		return req, usage("num_ctx %d: research needs %d, and a smaller window is not tried; use up to %d", req.NumCtx, bakeoff.MinContext, maxNumCtx)
	case !slices.Contains([]string{"", "f16", "q8_0", "q4_0"}, req.KVType):
		return req, usage("cache type %q: use f16, q8_0 or q4_0", req.KVType)
	case len(req.Questions) == 0:
		return req, usage("there is no question: give one, or a file of them, with --questions")
	case len(req.Questions) > maxBakeoffQuestions:
		return req, usage("there are %d questions and may be %d", len(req.Questions), maxBakeoffQuestions)
	}
	return d.completeQuestions(req)
}

func joinRoles() string {
	var out []string
	for _, r := range bakeoff.Roles {
		out = append(out, string(r))
	}
	return strings.Join(out, ", ")
}

func completeModels(req *BakeoffRequest) error {
	req.Baseline = or(req.Baseline, "extractive")
	if req.Baseline != "extractive" {
		req.Baseline = modelName(req.Baseline)
	}
	models := []string{}
	for _, m := range req.Models {
		if m = strings.TrimSpace(m); m == "" {
			continue
		}
		if m == "extractive" {
			return usage("model extractive: it is no candidate; give it with --baseline")
		}
		m = modelName(m)
		if slices.Contains(models, m) {
			return usage("model %s is named twice", strings.TrimPrefix(m, "ollama:"))
		}
		models = append(models, m)
	}
	switch {
	case len(models) == 0:
		return usage("there is no model to try: name some with --models")
	case len(models) > maxBakeoffModels:
		return usage("there are %d models and may be %d", len(models), maxBakeoffModels)
	case slices.Contains(models, req.Baseline):
		return usage("model %s is the baseline: it cannot be held against itself", strings.TrimPrefix(req.Baseline, "ollama:"))
	}
	req.Models = models
	return nil
}

// modelName puts the channel before a name that lacks it.
func modelName(m string) string {
	return "ollama:" + strings.TrimPrefix(m, "ollama:")
}

// completeQuestions holds every question to the rules of a research request.
func (d *Desk) completeQuestions(req BakeoffRequest) (BakeoffRequest, error) {
	ids := map[string]bool{}
	questions := slices.Clone(req.Questions)
	for i, q := range questions {
		at, folders := or(q.ID, fmt.Sprintf("q%d", i+1)), q.Libraries
		if len(folders) == 0 {
			folders = req.Libraries
		}
		got, err := d.complete(research.Request{
			Question: q.Question, Lang: or(q.Lang, "auto"), Libraries: folders, Depth: req.Depth, Model: "extractive",
			Egress: research.Closed, Now: req.Now,
		})
		switch {
		case err != nil:
			return req, usage("question %s: %w", at, err)
		case ids[at]:
			return req, usage("question %s stands twice: give each an id of its own", at)
		case len(q.Label) > maxLabel, q.Label != "" && !json.Valid([]byte(q.Label)):
			return req, usage("question %s: its label is not JSON of at most %d bytes", at, maxLabel)
		}
		ids[at] = true
		questions[i] = BakeoffQuestion{ID: at, Question: got.Question, Lang: got.Lang, Libraries: got.Libraries, Label: q.Label}
		req.Now = got.Now
	}
	libraries, err := absAll(req.Libraries, checkFolder)
	req.Questions, req.Libraries = questions, libraries
	return req, err
}

// Bakeoffs lists the bake-offs, newest first. One whose file cannot be read is listed as failed, with the reason.
func (d *Desk) Bakeoffs() ([]BakeoffInfo, error) {
	ids, err := d.bakeoffIDs()
	if err != nil {
		return nil, err
	}
	list := make([]BakeoffInfo, 0, len(ids))
	for _, id := range ids {
		b, err := d.readBakeoff(id)
		if err != nil {
			list = append(list, BakeoffInfo{ID: id, State: "failed", Detail: err.Error(), Models: []string{}})
			continue
		}
		list = append(list, d.bakeoffInfo(b))
	}
	return list, nil
}

func (d *Desk) bakeoffInfo(b Bakeoff) BakeoffInfo {
	info := BakeoffInfo{
		ID: b.ID, State: b.State, Detail: b.Detail, CreatedMs: b.CreatedMs, UpdatedMs: b.UpdatedMs, Models: b.Request.Models,
		Baseline: b.Request.Baseline, Role: b.Request.Role, Questions: len(b.Request.Questions), Trials: b.Request.trials(),
	}
	for _, t := range b.Trials {
		if t.Done {
			info.Done++
		}
	}
	if who, held := store.LeaseHolder(d.bakeoffPath(b.ID)); held {
		info.Holder = who.String()
	}
	return info
}

// BakeoffView is one bake-off as a page shows it.
type BakeoffView struct {
	Bakeoff
	Folder   string        `json:"folder"`   // of the records of its runs
	Rows     []BakeoffRow  `json:"rows"`     // a trial each, the baseline's first
	Verdicts []VerdictLine `json:"verdicts"` // that it led to, oldest first
	Holder   string        `json:"holder,omitempty"`
}

// Bakeoff returns the bake-off whose id begins with prefix.
func (d *Desk) Bakeoff(prefix string) (BakeoffView, error) {
	b, err := d.bakeoff(prefix)
	if err != nil {
		return BakeoffView{}, err
	}
	v := BakeoffView{Bakeoff: b, Folder: d.bakeoffPath(b.ID), Rows: bakeoffRows(b), Verdicts: []VerdictLine{}, Holder: d.bakeoffInfo(b).Holder}
	log, err := d.verdictLog()
	for _, e := range log.Entries() {
		if e.Bakeoff == b.ID {
			v.Verdicts = append(v.Verdicts, verdictLine(log, e))
		}
	}
	return v, err
}

// bakeoff reads the bake-off whose id begins with prefix. One that says it is running while nobody works on it was
// interrupted.
func (d *Desk) bakeoff(prefix string) (Bakeoff, error) {
	id, err := d.findBakeoff(prefix)
	if err != nil {
		return Bakeoff{}, err
	}
	return d.readBakeoff(id)
}

// findBakeoff returns the id that begins with prefix.
func (d *Desk) findBakeoff(prefix string) (string, error) {
	ids, err := d.bakeoffIDs()
	if err != nil {
		return "", err
	}
	var found []string
	for _, id := range ids {
		if prefix != "" && strings.HasPrefix(id, prefix) {
			found = append(found, id)
		}
	}
	switch len(found) {
	case 0:
		return "", usage("there is no bake-off %q: list them with assay bakeoff list", prefix)
	case 1:
		return found[0], nil
	}
	return "", usage("%q begins %d bake-offs, among them %s and %s: type more of it", prefix, len(found), found[0], found[1])
}

// readBakeoff reads the file of a bake-off.
func (d *Desk) readBakeoff(id string) (Bakeoff, error) {
	var b Bakeoff
	name := d.bakeoffFile(id)
	st, err := os.Stat(name)
	if err == nil && st.Size() > maxBakeoffFile {
		err = fmt.Errorf("it is %d bytes long", st.Size())
	}
	var text []byte
	if err == nil {
		text, err = os.ReadFile(name)
	}
	if err == nil {
		if bad := json.Unmarshal(text, &b); bad != nil {
			err = errors.New(store.BadJSON(bad))
		}
	}
	switch {
	case err == nil && b.ID != id:
		err = fmt.Errorf("it is of bake-off %q", b.ID)
	case err == nil && b.Schema != bakeoffSchema:
		err = fmt.Errorf("it is of version %d and this program reads %d", b.Schema, bakeoffSchema)
	}
	if err != nil {
		return Bakeoff{}, fmt.Errorf("bake-off %s: %w: put back a copy of %s, or take it away", id, err, name)
	}
	if b.State == "running" {
		if _, held := store.LeaseHolder(d.bakeoffPath(id)); !held {
			b.State, b.Detail = "interrupted", "the program ended before the bake-off did; it can be resumed"
		}
	}
	return b, nil
}
