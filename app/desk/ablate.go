package desk

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"assay/engine"
	"assay/engine/ablation"
	"assay/engine/extractive"
	"assay/engine/research"
	"assay/engine/store"
)

// An ablation runs the same questions, or plays stored runs again, with everything and without one mechanism, and says what the
// difference is and what difference could have been seen. It is the only way besides [Desk.Replay] to leave a mechanism out: no setting
// and no research request does. What is made for it is not kept.

// AblateRequest says what is left out, and over what.
type AblateRequest struct {
	// Without holds the arms: each leaves out the checks and mechanisms that it names, joined by "+" (see [engine.Switches]).
	Without []string `json:"without"`
	// Runs are stored runs, by id or run.json, that are played again. If empty, Questions are asked.
	Runs      []string          `json:"runs,omitempty"`
	Questions []BakeoffQuestion `json:"questions,omitempty"`
	Libraries []string          `json:"libraries,omitempty"`
	Model     string            `json:"model"` // "extractive" or "ollama:NAME"; if empty, extractive
	Depth     research.Depth    `json:"depth"` // if empty, quick
	Most      int               `json:"most"`  // trials an arm and question at most; if zero, 5
	Now       string            `json:"now"`
	Seed      int64             `json:"seed"` // of the first trial; each further one takes the next, the same in both arms
}

// AblateOptions are what the work needs besides the request; each may be nil.
type AblateOptions struct {
	// Score marks a report against the label of its question, as for a bake-off: "points" is its score.
	Score func(q BakeoffQuestion, digest research.Digest) (map[string]float64, error)
	// Tell hears of each trial before it is made. It must not block.
	Tell func(arm, question string, trial int)

	open seatOpener // nil: the real one
}

// Ablated is what came of it.
type Ablated struct {
	N             int          `json:"n"`    // questions or stored runs
	Over          string       `json:"over"` // "questions", "stored runs"
	Model         string       `json:"model,omitempty"`
	Deterministic bool         `json:"deterministic"`
	Arms          []AblatedArm `json:"arms"`
}

// AblatedArm is one set of mechanisms left out, against the runs with everything.
type AblatedArm struct {
	Without []string `json:"without"`
	// Changed counts the questions whose report or whose course of checks and repairs differs in the first trial. Where nothing changes,
	// the mechanism did nothing here.
	Changed      int             `json:"changed"`
	CallsWith    float64         `json:"calls_with,omitempty"` // of a model, mean of the trials; not counted in replays
	CallsWithout float64         `json:"calls_without,omitempty"`
	Missed       int             `json:"missed,omitempty"` // answers that no record held, given by the extractive channel
	Result       ablation.Result `json:"result"`
	Questions    []ablation.Arms `json:"questions"`
}

// Switches lists the mechanisms that an ablation and a replay can leave out, beside every check of the bank.
func Switches() []string { return engine.Switches() }

// Bounds of an ablation.
const (
	maxAblated = 200 // questions or runs
	maxArms    = 64
	maxTrials  = 5
)

// armTrial is a trial with what tells two runs apart.
type armTrial struct {
	ablation.Trial
	mark   string // of the report and of what the bank did
	calls  int
	missed int
}

// taker makes a trial of the nth question without some mechanisms.
type taker func(ctx context.Context, question int, without []string, trial int) (armTrial, error)

// Ablate makes the trials of every arm. A request that cannot work is refused with a [*UsageError] before a trial is made.
func (d *Desk) Ablate(ctx context.Context, req AblateRequest, opt AblateOptions) (Ablated, error) {
	out := Ablated{Arms: []AblatedArm{}, Deterministic: true}
	arms, err := armsOf(req)
	if err != nil {
		return out, err
	}
	var names []string
	var take taker
	if len(req.Runs) > 0 {
		out.Over = "stored runs"
		names, take, err = d.replays(req)
	} else {
		out.Over, out.Model = "questions", or(req.Model, extractive.Name)
		out.Deterministic = out.Model == extractive.Name
		var leave func()
		names, take, leave, err = d.trials(ctx, &req, opt)
		defer leave()
	}
	if err != nil {
		return out, err
	}
	out.N = len(names)
	plan := ablation.Plan{Deterministic: out.Deterministic, Most: req.Most}
	with := make([][]armTrial, len(names)) // shared by all arms
	for _, without := range arms {
		arm := AblatedArm{Without: without, Questions: []ablation.Arms{}}
		var calls [2]int
		for i, name := range names {
			a, got, err := ablateOne(ctx, plan, &with[i], func(without []string, trial int) (armTrial, error) {
				if opt.Tell != nil {
					opt.Tell(strings.Join(without, "+"), name, trial+1)
				}
				return take(ctx, i, without, trial)
			}, without)
			if err != nil {
				return out, fmt.Errorf("%s without %s: %w", name, strings.Join(without, "+"), err)
			}
			a.Question = name
			arm.Questions = append(arm.Questions, a)
			if got[0].mark != with[i][0].mark {
				arm.Changed++
			}
			for k, t := range got {
				calls[0], calls[1] = calls[0]+with[i][k].calls, calls[1]+t.calls
				arm.Missed += t.missed
			}
		}
		arm.Result = ablation.Judge(plan, arm.Questions)
		half := float64(max(arm.Result.TrialsRun, 2)) / 2
		arm.CallsWith, arm.CallsWithout = float64(calls[0])/half, float64(calls[1])/half
		out.Arms = append(out.Arms, arm)
	}
	return out, nil
}

// ablateOne makes the trials of one question until the plan has enough.
func ablateOne(ctx context.Context, plan ablation.Plan, with *[]armTrial, take func([]string, int) (armTrial, error), without []string) (ablation.Arms, []armTrial, error) {
	var a ablation.Arms
	var got []armTrial
	for want := plan.Next(a); len(got) < want; want = plan.Next(a) {
		for len(got) < want {
			if err := ctx.Err(); err != nil {
				return a, nil, err
			}
			n := len(got)
			if len(*with) == n {
				t, err := take(nil, n)
				if err != nil {
					return a, nil, err
				}
				*with = append(*with, t)
			}
			t, err := take(without, n)
			if err != nil {
				return a, nil, err
			}
			got = append(got, t)
			a.With, a.Without = append(a.With, (*with)[n].Trial), append(a.Without, t.Trial)
		}
	}
	return a, got, nil
}

// armsOf reads what is to be left out.
func armsOf(req AblateRequest) ([][]string, error) {
	var out [][]string
	for _, arm := range req.Without {
		var names []string
		if strings.TrimSpace(arm) != "" {
			names = strings.Split(arm, "+") // an empty name beside a plus is none
		}
		names, err := mechanism(names)
		if err != nil {
			return nil, err
		}
		if len(names) > 0 {
			out = append(out, names)
		}
	}
	switch {
	case len(out) == 0:
		return nil, usage("there is nothing to leave out: name a check or a mechanism; the mechanisms are %v", engine.Switches())
	case len(out) > maxArms:
		return nil, usage("there are %d arms and may be %d", len(out), maxArms)
	case len(req.Runs) > 0 && len(req.Questions) > 0:
		return nil, usage("stored runs and questions exclude each other: leave one out")
	case len(req.Runs) == 0 && len(req.Questions) == 0:
		return nil, usage("there is nothing to try it on: name stored runs, or give questions with --questions and their documents with --library")
	case max(len(req.Runs), len(req.Questions)) > maxAblated:
		return nil, usage("there are %d runs or questions and may be %d", max(len(req.Runs), len(req.Questions)), maxAblated)
	case req.Most < 0 || req.Most > maxTrials:
		return nil, usage("%d trials an arm: use a number from 1 to %d", req.Most, maxTrials)
	}
	return out, nil
}

// replays takes trials from stored runs.
func (d *Desk) replays(req AblateRequest) ([]string, taker, error) {
	var runs []research.Run
	for _, name := range req.Runs {
		run, err := d.ReadRun(name)
		if err != nil {
			return nil, nil, err
		}
		if run.Digest == nil {
			return nil, nil, usage("run %s: it ended before there was a report, so there is nothing to compare", name)
		}
		runs = append(runs, run)
	}
	return req.Runs, func(ctx context.Context, i int, without []string, _ int) (armTrial, error) {
		res, err := d.Replay(ctx, runs[i], ReplayOptions{Without: without})
		if err != nil {
			return armTrial{}, err
		}
		run := runs[i]
		run.Events, run.Digest = res.events, &res.Digest
		t, err := trialOf(run)
		t.calls, t.missed = 0, len(res.Misses) // the record holds the calls that this replay did not make, too
		return t, err
	}, nil
}

// trials takes trials of questions over the person's documents. Nothing leaves this machine.
func (d *Desk) trials(ctx context.Context, req *AblateRequest, opt AblateOptions) ([]string, taker, func(), error) {
	model := or(req.Model, extractive.Name)
	if model != extractive.Name {
		model = modelName(model)
	}
	asked, err := d.completeBakeoff(BakeoffRequest{Models: []string{"ollama:none"}, Questions: req.Questions, Libraries: req.Libraries, Depth: req.Depth, Now: req.Now, Seed: req.Seed})
	if err != nil {
		return nil, nil, func() {}, err
	}
	if opt.open == nil {
		opt.open = d.openSeat
	}
	s, err := opt.open(ctx, model, asked.NumCtx, func(string) {})
	if err != nil {
		return nil, nil, func() {}, err
	}
	if s.served() {
		if err := warm(ctx, Channel{Name: model, model: s.model}, func(string, string) error { return nil }); err != nil {
			return nil, nil, s.close, fmt.Errorf("load %s: %w", model, err)
		}
	}
	limits := s.model.Limits()
	if s.served() {
		limits.TokensPerByte *= denser
	}
	var names []string
	looks := make([]look, len(asked.Questions))
	for i, q := range asked.Questions {
		names = append(names, q.ID)
		if looks[i], err = d.lookIn(ctx, research.Request{Libraries: q.Libraries}, func(IngestTick) {}, func(string) error { return nil }, func(string) {}); err != nil {
			return nil, nil, s.close, err
		}
	}
	take := func(ctx context.Context, i int, without []string, trial int) (armTrial, error) {
		q := asked.Questions[i]
		ask := research.Request{
			Question: q.Question, Libraries: q.Libraries, Shape: research.ShapeAuto, Depth: asked.Depth, Lang: q.Lang, Model: model,
			Egress: research.Closed, Now: asked.Now, Seed: asked.Seed + int64(trial),
		}
		rec := store.NewMemory(ask, BuildVersion())
		why := "A trial of an ablation."
		if err := begin(rec, research.Setup{Model: model, Why: why, Limits: limits}, looks[i].providers); err != nil {
			return armTrial{}, err
		}
		digest, err := d.wire.run(ctx, engine.Config{
			Request: ask, Model: pin(s.model, limits), ModelWhy: why, Providers: looks[i].providers, Reader: looks[i].reader, Fallback: extractive.Model{},
			Code: BuildVersion(), Without: without,
		}, rec)
		if err != nil && !errors.Is(err, engine.ErrNoFinding) {
			return armTrial{}, err
		}
		if err := rec.SetDigest(digest); err != nil {
			return armTrial{}, err
		}
		t, err := trialOf(rec.Run())
		if err == nil && opt.Score != nil && q.Label != "" {
			var marks map[string]float64
			if marks, err = opt.Score(q, digest); err == nil {
				t.Score = marks["points"]
			}
		}
		return t, err
	}
	return names, take, s.close, nil
}

// trialOf marks a run by code alone. It passes when it has a report, the whole bank has nothing against it that blocks, and every part of the
// question that something was found for is printed. Its score is the share of parts printed, times the share of findings that no blocking
// remark is about.
func trialOf(run research.Run) (armTrial, error) {
	var t armTrial
	checked, err := CheckRun(run)
	if err != nil {
		return t, err
	}
	printed, bad, findings := map[string]bool{}, 0, 0
	for _, s := range run.Digest.Sections {
		for _, f := range s.Findings {
			findings++
			for _, id := range s.Facets {
				printed[id] = true
			}
			if slices.ContainsFunc(checked.Fires, func(x CheckedFire) bool { return x.Class != "advisory" && x.Key == "block:"+f.ID }) {
				bad++
			}
		}
	}
	parts, found, missing := len(run.Digest.Understanding.Facets), 0, 0
	for _, row := range run.Digest.Coverage {
		if row.Facet != "" && row.Hypothesis == "" && row.State != "missing" {
			found++
			if !printed[row.Facet] {
				missing++
			}
		}
	}
	if parts > 0 && findings > 0 {
		t.Score = float64(len(printed)) / float64(parts) * float64(findings-bad) / float64(findings)
	}
	t.Pass = findings > 0 && checked.Blocking == 0 && missing == 0
	var mark []string
	for _, s := range run.Digest.Sections {
		for _, f := range s.Findings {
			mark = append(mark, f.ID)
		}
	}
	for _, ev := range run.Events {
		switch ev.Kind {
		case research.EventModel:
			t.calls++
		case research.EventCheck:
			mark = append(mark, string(ev.Payload))
		}
	}
	t.mark = research.SHA256(strings.Join(mark, "\n"))
	return t, nil
}
