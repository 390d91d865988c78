package desk

import (
	"context"
	"errors"
	"strings"
	"testing"

	"assay/engine/ablation"
	"assay/engine/bakeoff"
	"assay/engine/extractive"
	"assay/engine/research"
	"assay/engine/store"
)

// TestAblateQuestions: without a model every arm is one trial a question, the mechanism of a report that no model wrote changes nothing, and
// the words say what so few questions could have shown.
func TestAblateQuestions(t *testing.T) {
	d := bakeoffDesk(t, "127.0.0.1:1")
	told := 0
	req := AblateRequest{Without: []string{"salvage", "G31+aging"}, Libraries: []string{metals(t)}, Now: "2026-01-02T03:04:05Z",
		Questions: []BakeoffQuestion{{Question: "What is the melting point of gold?"}, {Question: "What is the melting point of silver?"}}}
	got, err := d.Ablate(t.Context(), req, AblateOptions{Tell: func(string, string, int) { told++ }})
	if err != nil {
		t.Fatal(err)
	}
	if got.N != 2 || !got.Deterministic || got.Model != extractive.Name || len(got.Arms) != 2 || told != 2+2*2 {
		t.Errorf("%d trials: %+v", told, got)
	}
	for _, a := range got.Arms {
		r := a.Result
		if r.TrialsRun != 4 || r.PassWith.K != 2 || r.PassWithout.K != 2 || r.Verdict != ablation.NoneSeen || a.Changed != 0 {
			t.Errorf("%v: %+v", a.Without, a)
		}
		if !strings.Contains(r.Power.Words, "no effect can be shown") || !strings.Contains(r.Power.Words, "repeated trials") {
			t.Errorf("%v: %s", a.Without, r.Power.Words)
		}
	}
}

// fickle is a model whose writer answers nothing unless the seed is a multiple of four: what is made of that is the ledger's.
type fickle struct{ good }

func (f fickle) Chat(ctx context.Context, c research.Call) (research.Answer, error) {
	a, err := f.good.Chat(ctx, c)
	if c.Role == research.FindingsWriter && (c.Seed-int64(c.Try))%4 != 0 {
		a.Text = ""
	}
	return a, err
}

// TestAblateModel: with a model the arms are tried until they are settled: one trial where they agree, three where every trial of one arm is
// better, five where the trials overlap. The seeds of both arms are the same.
func TestAblateModel(t *testing.T) {
	d := bakeoffDesk(t, "127.0.0.1:1")
	open := func(context.Context, string, int, func(string)) (*seat, error) {
		return &seat{about: bakeoff.Candidate{Model: "ollama:fickle"}, model: fickle{good{name: "ollama:fickle", ctx: 8192}}, close: func() {}}, nil
	}
	for _, tc := range []struct {
		name    string
		seed    int64
		without string
		trials  int // an arm
		verdict string
	}{
		{"settled at once", 0, "salvage", 1, ablation.TooFew},
		{"settled by three", 1, "salvage", 3, ablation.SeenOnce},
		{"overlapping", 3, "salvage", 5, ablation.SeenOnce},
		{"of no consequence", 1, "aging", 1, ablation.TooFew},
	} {
		t.Run(tc.name, func(t *testing.T) {
			req := AblateRequest{Without: []string{tc.without}, Libraries: []string{metals(t)}, Now: "2026-01-02T03:04:05Z", Model: "fickle", Seed: tc.seed,
				Questions: []BakeoffQuestion{{Question: "What is the melting point of gold?"}}}
			got, err := d.Ablate(t.Context(), req, AblateOptions{open: open})
			if err != nil {
				t.Fatal(err)
			}
			a := got.Arms[0]
			if got.Deterministic || a.Result.TrialsRun != 2*tc.trials || a.Result.Verdict != tc.verdict || a.CallsWith == 0 {
				t.Errorf("%+v", a)
			}
			if !strings.Contains(a.Result.Power.Words, "smallest one-sided p") {
				t.Errorf("nothing is said of the trials: %s", a.Result.Power.Words)
			}
		})
	}
}

// TestAblateRuns: stored runs are played again without a mechanism, and what that changes is counted.
func TestAblateRuns(t *testing.T) {
	d := bakeoffDesk(t, "127.0.0.1:1")
	if _, err := d.Ablate(t.Context(), AblateRequest{Without: []string{"salvage"}, Runs: []string{"no-such-run"}}, AblateOptions{}); err == nil {
		t.Error("a run that is not there is played")
	}
	run := finishedRun(t, d)
	got, err := d.Ablate(t.Context(), AblateRequest{Without: []string{"missingfacet", "exclusion"}, Runs: []string{run, run}}, AblateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got.N != 2 || got.Over != "stored runs" || !got.Deterministic || got.Arms[0].Missed != 0 || got.Arms[1].Result.PassWith.K != 2 {
		t.Errorf("%+v", got)
	}
}

// finishedRun answers a question and returns the id of the run.
func finishedRun(t *testing.T, d *Desk) string {
	t.Helper()
	job, err := d.Start(t.Context(), research.Request{Question: "What is the melting point of gold?", Libraries: []string{metals(t)}, Model: extractive.Name, Egress: research.Closed, Now: "2026-01-02T03:04:05Z"}, StartOptions{})
	if err != nil {
		t.Fatal(err)
	}
	res, err := job.Wait(t.Context())
	if err != nil || res.Exit != ExitDone {
		t.Fatalf("%+v: %v", res, err)
	}
	return job.ID()
}

// TestAblateRefuses: what cannot work is refused before a trial.
func TestAblateRefuses(t *testing.T) {
	d := bakeoffDesk(t, "127.0.0.1:1")
	q := []BakeoffQuestion{{Question: "What is the melting point of gold?"}}
	for _, tc := range []struct {
		name, says string
		req        AblateRequest
	}{
		{"nothing to leave out", "nothing to leave out", AblateRequest{Questions: q}},
		{"an unknown name", "no such check or mechanism", AblateRequest{Without: []string{"salvage+luck"}, Questions: q}},
		{"nothing to try it on", "nothing to try it on", AblateRequest{Without: []string{"salvage"}}},
		{"both", "exclude each other", AblateRequest{Without: []string{"salvage"}, Questions: q, Runs: []string{"x"}}},
		{"too many trials", "trials an arm", AblateRequest{Without: []string{"salvage"}, Questions: q, Most: 99}},
	} {
		_, err := d.Ablate(t.Context(), tc.req, AblateOptions{open: func(context.Context, string, int, func(string)) (*seat, error) { return nil, errors.New("opened") }})
		var usage *UsageError
		if !errors.As(err, &usage) || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
}

// TestTrialOf: a report that prints nothing, or that the bank has something against, does not pass.
func TestTrialOf(t *testing.T) {
	m := store.NewMemory(research.Request{Question: "x"}, "test")
	run := m.Run()
	run.Digest = &research.Digest{Understanding: research.Understanding{Facets: []research.Facet{{ID: "f1"}, {ID: "f2"}}},
		Coverage: []research.CoverageRow{{Facet: "f1", State: "covered"}, {Facet: "f2", State: "missing"}}}
	if got, err := trialOf(run); err != nil || got.Pass || got.Score != 0 {
		t.Errorf("an empty report: %+v %v", got, err)
	}
	run.Digest.Sections = []research.Section{{ID: "f1", Facets: []string{"f1"}, Findings: []research.DigestFinding{{ID: "a", Text: "The harbour was dredged.", Refs: []int{7}}, {ID: "b", Text: "It is deep.", Refs: []int{7}}}}}
	if got, err := trialOf(run); err != nil || got.Pass || got.Score > 0.5 {
		t.Errorf("a report that cites nothing there is: %+v %v", got, err)
	}
}
