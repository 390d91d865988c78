package desk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"assay/engine"
	"assay/engine/audit"
	"assay/engine/bakeoff"
	"assay/engine/research"
	"assay/engine/store"
	"assay/gpu"
)

// conductor works on one bake-off.
type conductor struct {
	desk *Desk
	b    *Bakeoff
	opt  BakeoffOptions

	looks    map[string]look // by the folders of a question
	library  string          // hash of all documents
	machine  string
	baseline *seat
	seats    []*seat // as the request's models
	trials   int     // planned

	mu    sync.Mutex
	notes []string // of the channels, for the trial that runs
}

// work does what is left to be done.
func (c *conductor) work(ctx context.Context) error {
	defer c.leave()
	if err := c.prepare(ctx); err != nil {
		return err
	}
	runs, references := c.b.Request.Runs, c.b.Request.references()
	c.trials = c.b.Request.trials()
	for run := 1; run <= references; run++ {
		if _, err := c.trial(ctx, c.baseline, run, true); err != nil {
			return err
		}
	}
	if c.b.Request.Role == "" {
		c.unload(ctx, c.baseline) // nobody asks it any more
	}
	for _, s := range c.seats {
		for run := 1; run <= runs; run++ {
			proven, err := c.trial(ctx, s, run, false)
			if err != nil {
				return err
			}
			if !proven {
				break // the next run would not be either
			}
		}
		c.unload(ctx, s)
	}
	c.tick(BakeoffTick{Step: "judge"})
	return c.judge()
}

// references is how often the baseline is run; without a model every run is the same.
func (r BakeoffRequest) references() int {
	if r.Baseline == "" || r.Baseline == "extractive" {
		return 1
	}
	return r.Runs
}

// trials is how many trials are planned. One whose mode cannot be proven ends those of its model.
func (r BakeoffRequest) trials() int { return r.references() + r.Runs*len(r.Models) }

// prepare opens the models, so that a missing one is told before any work, and reads the documents.
func (c *conductor) prepare(ctx context.Context) error {
	req := c.b.Request
	open := func(name string) (*seat, error) { return c.opt.open(ctx, name, req.NumCtx, c.note) }
	var err error
	if c.baseline, err = open(req.Baseline); err != nil {
		return fmt.Errorf("baseline: %w", err)
	}
	c.b.Baseline, c.b.Models = c.baseline.about, []BakeoffModel{}
	for _, name := range req.Models {
		s, err := open(name)
		if err != nil {
			return err
		}
		c.seats = append(c.seats, s)
		c.b.Models = append(c.b.Models, s.about)
	}
	c.machine = machine(ctx)
	return c.read(ctx)
}

// leave closes what prepare opened.
func (c *conductor) leave() {
	for _, s := range append(c.seats, c.baseline) {
		if s != nil {
			s.close()
		}
	}
}

// machine names the graphics cards; "" when they cannot be seen.
func machine(ctx context.Context) string {
	st := gpu.Monitor{}.Status(ctx)
	var names []string
	for _, g := range st.GPUs {
		name := g.Name
		if g.MemoryTotal != nil {
			name += fmt.Sprintf(" %.0f GiB", gib(*g.MemoryTotal))
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return fmt.Sprintf("no card seen, %d processors", runtime.NumCPU())
	}
	return strings.Join(names, ", ")
}

// read brings the libraries up to date and takes the hash of their documents.
func (c *conductor) read(ctx context.Context) error {
	c.looks = map[string]look{}
	var all []string
	tell := func(t IngestTick) { c.tick(BakeoffTick{Step: "library"}) }
	for _, q := range c.b.Request.Questions {
		key := strings.Join(q.Libraries, "\x00")
		if _, have := c.looks[key]; have {
			continue
		}
		l, err := c.desk.lookIn(ctx, research.Request{Libraries: q.Libraries}, tell, func(string) error { return nil }, c.note)
		if err != nil {
			return err
		}
		c.looks[key] = l
		for _, folder := range q.Libraries {
			docs, err := c.desk.Documents(ctx, folder)
			if err != nil {
				return err
			}
			for _, doc := range docs {
				all = append(all, doc.Location+" "+doc.SHA256)
			}
		}
	}
	slices.Sort(all)
	c.library = research.SHA256(strings.Join(slices.Compact(all), "\n"))
	return nil
}

// unload makes room for the next candidate: what another one still holds would be a variable of its own.
func (c *conductor) unload(ctx context.Context, s *seat) {
	if s.unload == nil {
		return
	}
	if err := s.unload(ctx); err != nil && ctx.Err() == nil {
		c.note(fmt.Sprintf("%s could not be unloaded before this trial and may have held memory: %v.", s.about.Model, err))
	}
}

// note keeps a sentence for the trial that runs.
func (c *conductor) note(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !slices.Contains(c.notes, text) {
		c.notes = append(c.notes, text)
	}
}

func (c *conductor) takeNotes() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := c.notes
	c.notes = nil
	return out
}

func (c *conductor) tick(t BakeoffTick) {
	if c.opt.Tell != nil {
		t.ID, t.Trials, t.Total = c.b.ID, c.trials, len(c.b.Request.Questions)
		c.opt.Tell(t)
	}
}

// trial runs one trial, or what is left of it. proven is false when the mode could not be proven and the benchmark was not run.
func (c *conductor) trial(ctx context.Context, s *seat, run int, reference bool) (proven bool, err error) {
	t, at := c.find(s, run, reference)
	if t.Done {
		return true, nil
	}
	tick := BakeoffTick{Model: s.about.Model, Run: run, Trial: at + 1}
	say := func(step string, question int) { tick.Step, tick.Question = step, question; c.tick(tick) }
	say("prove", 0)
	if err := c.stage(ctx, s, t); err != nil {
		return false, err
	}
	if s.served() {
		if missing := t.Proof.Missing(t.Setup); len(missing) > 0 {
			t.Notes = append(t.Notes, "The benchmark was not run: "+strings.Join(missing, "; ")+".")
			say("unproven", 0)
			return false, c.keep()
		}
	}
	say("load", 0)
	model := router{role: c.b.Request.Role, candidate: s.model, baseline: c.baseline.model}
	if err := c.load(ctx, s, t, model); err != nil {
		return true, err
	}
	for i := len(t.Answers); i < len(c.b.Request.Questions); i++ {
		say("question", i+1)
		a, err := c.answer(ctx, model, *t, at, i)
		if err != nil {
			return true, err
		}
		t.Answers = append(t.Answers, a)
		t.Notes = append(t.Notes, c.takeNotes()...)
		if err := c.keep(); err != nil {
			return true, err
		}
	}
	if err := c.sameServer(ctx, s, t); err != nil {
		return true, errors.Join(err, c.keep())
	}
	t.Done = true
	return true, c.keep()
}

// find returns the trial of a seat, which it makes when there is none, and its index.
func (c *conductor) find(s *seat, run int, reference bool) (*bakeoff.Trial, int) {
	for i := range c.b.Trials {
		if t := &c.b.Trials[i]; t.Candidate.Model == s.about.Model && t.Run == run && t.Reference == reference {
			return t, i
		}
	}
	n := len(c.b.Trials)
	c.b.Trials = append(c.b.Trials, bakeoff.Trial{
		ID: fmt.Sprintf("%s.%d", c.b.ID, n+1), Candidate: s.about, Reference: reference, Run: run, Answers: []bakeoff.Answer{}, Notes: []string{},
	})
	return &c.b.Trials[n], n
}

// answer runs one question and scores it.
func (c *conductor) answer(ctx context.Context, model router, t bakeoff.Trial, at, i int) (bakeoff.Answer, error) {
	q, req := c.b.Request.Questions[i], c.b.Request
	count := newCounter(req.Role)
	model.candidate = counted{model.candidate, count}
	ask := research.Request{
		Question: q.Question, Libraries: q.Libraries, Shape: research.ShapeAuto, Depth: req.Depth, Lang: q.Lang, Model: t.Candidate.Model,
		Egress: research.Closed, Now: req.Now, Seed: req.Seed + int64(t.Run-1),
	}
	look := c.looks[strings.Join(q.Libraries, "\x00")]
	why := fmt.Sprintf("Trial %s of a bake-off.", t.ID)
	rec := store.NewMemory(ask, c.b.Code)
	if err := begin(rec, research.Setup{Model: t.Candidate.Model, Why: why, Limits: t.Limits}, look.providers); err != nil {
		return bakeoff.Answer{}, err
	}
	began := time.Now()
	digest, err := c.engine(ctx, engine.Config{
		Request: ask, Model: pin(model, t.Limits), ModelWhy: why, Providers: look.providers, Reader: look.reader, Fallback: relief{count: count}, Code: c.b.Code,
	}, rec)
	wall := time.Since(began)
	a := bakeoff.Answer{Question: q.ID, State: bakeoff.StateOK}
	switch {
	case ctx.Err() != nil:
		return a, ctx.Err()
	case errors.Is(err, engine.ErrNoFinding):
		a.State = bakeoff.StateNotFound
	case unavailable(err):
		return a, fmt.Errorf("question %s: %w", q.ID, err)
	case err != nil:
		a.State, a.Fault = bakeoff.StateFailed, err.Error()
	}
	a.Scores = count.total()
	a.Scores.WallMs = wall.Milliseconds()
	if a.State != bakeoff.StateFailed {
		if err := rec.SetDigest(digest); err != nil {
			return a, err
		}
		rec.SetState(research.StateNews{State: "done"})
		scoreRun(&a.Scores, rec.Run(), digest)
		if c.opt.Score != nil && q.Label != "" {
			if a.Scores.Marks, err = c.opt.Score(q, digest); err != nil {
				return a, fmt.Errorf("question %s: %w", q.ID, err)
			}
		}
	}
	a.Record = filepath.Join(c.b.ID, fmt.Sprintf("%02d-%03d.json", at+1, i+1))
	a.SHA256, err = c.desk.keepRecord(a.Record, rec)
	return a, err
}

// engine runs the engine. A fault of the program ends this question and not the program.
func (c *conductor) engine(ctx context.Context, cfg engine.Config, rec *store.Memory) (digest research.Digest, err error) {
	defer func() {
		if p := recover(); p != nil {
			digest, err = research.Digest{}, fmt.Errorf("a fault of the program: %v (%s): please report it", p, placeOf(debug.Stack()))
		}
	}()
	return c.desk.wire.run(ctx, cfg, rec)
}

// begin records what was asked and what the run is given, as the store does for the desk's own runs, so that audit and replay
// take the record.
func begin(rec *store.Memory, setup research.Setup, providers []engine.Provider) error {
	for _, p := range providers {
		setup.Providers = append(setup.Providers, p.Name())
	}
	asked, err := research.EffectKey(research.EventRequest, rec.Request())
	if err != nil {
		return err
	}
	for _, x := range []struct {
		kind, key string
		v         any
	}{{research.EventRequest, asked, rec.Request()}, {research.EventSetup, research.EventSetup, setup}} {
		b, err := json.Marshal(x.v)
		if err != nil {
			return fmt.Errorf("record %s: %w", x.kind, err)
		}
		if _, err := rec.Append(research.Event{Kind: x.kind, Key: x.key, Payload: b}); err != nil {
			return err
		}
	}
	return nil
}

// scoreRun counts what a report is worth: what the audit of its record passes, and which parts of the question it answers.
func scoreRun(s *bakeoff.Scores, run research.Run, digest research.Digest) {
	faults := audit.Check(run).Faults
	s.Faults = len(faults)
	for _, sec := range digest.Sections {
		for _, f := range sec.Findings {
			s.Findings++
			bad := slices.ContainsFunc(faults, func(x audit.Fault) bool {
				return x.Where == "finding "+f.ID || strings.HasPrefix(x.Where, "finding "+f.ID+",")
			})
			if !bad {
				s.Grounded++
			}
		}
	}
	for _, row := range digest.Coverage {
		if row.Facet != "" && row.Hypothesis == "" {
			s.Facets++
			if row.State != "missing" {
				s.Answered++
			}
		}
	}
}
