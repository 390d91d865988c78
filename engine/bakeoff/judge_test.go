package bakeoff

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assay/engine/research"
)

func ptr[T any](v T) *T { return &v }

func seats(model string) []Seat {
	var out []Seat
	for _, r := range Roles {
		out = append(out, Seat{r, model, "d-" + model})
	}
	return out
}

func served() Setup {
	return Setup{
		Seats: seats("ollama:cand"), Backend: "ollama", Version: "0.17.4", NumCtx: ptr(8192), KVType: "f16", Thinking: ThinkingLeast, ToolFormat: FormatSchema,
		Depth: research.Quick, Questions: "q", Library: "l", Clock: "2026-01-01T00:00:00Z", Seed: 1, Program: "1.0", Machine: "no GPU",
	}
}

func proven() *Proof {
	return &Proof{
		AskedContext: 8192, HeldContext: ptr(8192), AskedThinking: "none", Thinking: ptr(false), ThinkingInText: ptr(false), SchemaKept: ptr(true),
		PromptTokens: ptr(12), Size: ptr(int64(100)), SizeVRAM: ptr(int64(100)), Attempts: 1,
	}
}

// good is what a fine run of one question comes to.
func good() Scores {
	return Scores{Findings: 4, Grounded: 4, Facets: 2, Answered: 2, Tasks: 10, Calls: 11, PromptTokens: 900, AnswerTokens: 300, BusyMs: 2000}
}

func bad() Scores { s := good(); s.Replaced = 6; return s }

func trial(id string, s Scores) Trial {
	return Trial{
		ID: id, Candidate: candidate(), Run: 1, Setup: served(), Proof: proven(), Done: true,
		Answers: []Answer{{Question: "q1", State: StateOK, Scores: s}},
	}
}

func candidate() Candidate {
	return Candidate{Model: "ollama:cand", Digest: "d-ollama:cand", ContextLength: ptr(32768)}
}

// reference is a trial of the extractive baseline.
func reference() Trial {
	s := served()
	s.Backend, s.Version, s.NumCtx, s.KVType, s.Thinking, s.ToolFormat = "", "", nil, "", "", ""
	s.Seats = seats("extractive")
	x := good()
	x.Tasks, x.Calls = 8, 8
	return Trial{ID: "ref", Candidate: Candidate{Model: "extractive"}, Reference: true, Run: 1, Setup: s, Done: true,
		Answers: []Answer{{Question: "q1", State: StateOK, Scores: x}}}
}

func caseOf(ts ...Trial) Case {
	return Case{Candidate: candidate(), Baseline: Candidate{Model: "extractive"}, Reference: []Trial{reference()}, Trials: ts}
}

// edit changes a copy of a trial.
func edit(t Trial, fn func(*Trial)) Trial {
	t.Answers = append([]Answer{}, t.Answers...)
	fn(&t)
	return t
}

func TestJudge(t *testing.T) {
	t1, t2, t3 := trial("1", good()), trial("2", good()), trial("3", good())
	f1, f2, f3 := trial("1", bad()), trial("2", bad()), trial("3", bad())
	native := func(c *Case) { c.Candidate.ContextLength = ptr(4096) }
	small := edit(t1, func(t *Trial) {
		t.Candidate.ContextLength, t.Setup.NumCtx = ptr(4096), ptr(4096)
		t.Proof = edit2(t.Proof, func(p *Proof) { p.AskedContext, p.HeldContext = 4096, ptr(4096) })
	})
	for _, tc := range []struct {
		name   string
		trials []Trial
		edit   func(*Case)
		want   Outcome
		rule   int // of one reason
		says   string
	}{
		// Rule 1.
		{"proven", []Trial{t1}, nil, Keep, 4, "may stand on one"},
		{"no trial", nil, nil, Untested, 1, "no trial"},
		{"no proof", []Trial{edit(t1, func(t *Trial) { t.Proof = nil })}, nil, Untested, 1, "no raw call"},
		{"proof without an answer", []Trial{edit(t1, func(t *Trial) { t.Proof = &Proof{Fault: "status 500"} })}, nil, Untested, 1, "status 500"},
		{"window not told", []Trial{with(t1, func(p *Proof) { p.HeldContext = nil })}, nil, Untested, 1, "did not say which window"},
		{"larger window than asked", []Trial{with(t1, func(p *Proof) { p.HeldContext = ptr(16384) })}, nil, Untested, 1, "16384 tokens where 8192"},
		{"another window than the trial's", []Trial{edit(t1, func(t *Trial) { t.Setup.NumCtx = ptr(16384) })}, nil, Untested, 1, "the trial for 16384"},
		{"reasoning turned off and on", []Trial{with(t1, func(p *Proof) { p.AskedThinking, p.Thinking = "off", ptr(true) })}, nil, Untested, 1, "reasoned all the same"},
		{"reasoning in the text", []Trial{with(t1, func(p *Proof) { p.AskedThinking, p.ThinkingInText = "off", ptr(true) })}, nil, Untested, 1, "reasoned all the same"},
		{"reasoning turned off", []Trial{with(t1, func(p *Proof) { p.AskedThinking = "off" })}, nil, Keep, 4, ""},
		{"reasoning out of nowhere", []Trial{with(t1, func(p *Proof) { p.Thinking = ptr(true) })}, nil, Untested, 1, "said to have no reasoning"},
		{"reasoning asked for", []Trial{with(t1, func(p *Proof) { p.AskedThinking, p.Thinking = "low", ptr(true) })}, nil, Keep, 4, ""},
		{"reasoning asked for in vain", []Trial{with(t1, func(p *Proof) { p.AskedThinking = "low" })}, nil, Untested, 1, `"low" was asked for`},
		{"reasoning not seen", []Trial{with(t1, func(p *Proof) { p.Thinking = nil })}, nil, Untested, 1, "not seen whether the model reasons"},
		{"schema broken", []Trial{with(t1, func(p *Proof) { p.SchemaKept = ptr(false) })}, nil, Untested, 1, "did not keep the schema"},
		{"schema not seen", []Trial{with(t1, func(p *Proof) { p.SchemaKept = nil })}, nil, Untested, 1, "not seen whether answers keep"},
		{"prompt not counted", []Trial{with(t1, func(p *Proof) { p.PromptTokens = nil })}, nil, Untested, 1, "did not count the prompt"},
		{"one trial proven of two", []Trial{f1, edit(f2, func(t *Trial) { t.Proof = nil })}, nil, Informational, 1, "trial 2 counts for nothing"},
		// Rule 2.
		{"another reader in the baseline's seat", []Trial{edit(t1, func(t *Trial) { t.Setup.Role = research.Planner })}, func(c *Case) { c.Reference[0].Setup.Role = research.Planner }, Informational, 2, "who answers as reader"},
		{"the planner alone differs", []Trial{edit(t1, func(t *Trial) {
			t.Setup.Role, t.Setup.Seats = research.Planner, seats("extractive")
			t.Setup.Seats[1] = Seat{research.Planner, "ollama:cand", "d-ollama:cand"}
		})}, func(c *Case) { c.Role = research.Planner; c.Reference[0].Setup.Role = research.Planner }, Keep, 4, ""},
		{"library", []Trial{edit(t1, func(t *Trial) { t.Setup.Library = "other" })}, nil, Informational, 2, "library (l against other)"},
		{"depth", []Trial{edit(t1, func(t *Trial) { t.Setup.Depth = research.Deep })}, nil, Informational, 2, "depth"},
		{"questions", []Trial{edit(t1, func(t *Trial) { t.Setup.Questions = "x" })}, nil, Informational, 2, "questions"},
		{"clock", []Trial{edit(t1, func(t *Trial) { t.Setup.Clock = "x" })}, nil, Informational, 2, "clock"},
		{"seed", []Trial{edit(t1, func(t *Trial) { t.Setup.Seed = 2 })}, nil, Informational, 2, "seed (1 against 2)"},
		{"program", []Trial{edit(t1, func(t *Trial) { t.Setup.Program = "2.0" })}, nil, Informational, 2, "program"},
		{"machine", []Trial{edit(t1, func(t *Trial) { t.Setup.Machine = "RTX" })}, nil, Informational, 2, "machine"},
		{"swap elsewhere", []Trial{edit(t1, func(t *Trial) { t.Setup.Swaps = []Swap{{research.Planner, "big", "small"}} })}, nil, Informational, 2, "planner went from big to small"},
		{"swap in the reference", []Trial{t1}, func(c *Case) { c.Reference[0].Setup.Swaps = []Swap{{"", "big", "small"}} }, Informational, 2, "a role went from"},
		{"two failures with a swap", []Trial{f1, edit(f2, func(t *Trial) { t.Setup.Swaps = []Swap{{"", "big", "small"}} })}, nil, Informational, 2, "forced a change"},
		{"trials that differ among themselves", []Trial{t1, edit(t2, func(t *Trial) { t.Setup.KVType = "q8_0" })}, nil, Informational, 2, "KV type (f16 against q8_0)"},
		{"no reference", []Trial{t1}, func(c *Case) { c.Reference = nil }, Informational, 2, "nothing to compare"},
		{"unfinished reference", []Trial{t1}, func(c *Case) { c.Reference[0].Done = false }, Informational, 2, "nothing to compare"},
		{"served baseline with another KV type", []Trial{t1}, func(c *Case) { c.Reference[0].Setup = served(); c.Reference[0].Setup.KVType = "" }, Informational, 2, "KV type (not known against f16)"},
		{"served baseline with another window", []Trial{t1}, func(c *Case) { c.Reference[0].Setup = served(); c.Reference[0].Setup.NumCtx = ptr(16384) }, Informational, 2, "num_ctx"},
		{"served baseline of another version", []Trial{t1}, func(c *Case) { c.Reference[0].Setup = served(); c.Reference[0].Setup.Version = "0.30.0" }, Informational, 2, "backend version"},
		// Rule 3.
		{"unknown version", []Trial{edit(t1, func(t *Trial) { t.Setup.Version = "" })}, nil, Informational, 3, "does not say which version"},
		{"version of a build that does not say", []Trial{edit(t1, func(t *Trial) { t.Setup.Version = "0.0.0" })}, nil, Informational, 3, "does not say which version"},
		{"the server failed", []Trial{edit(f1, func(t *Trial) { t.Answers[0].Scores.Broken = 3 }), edit(f2, func(t *Trial) { t.Answers[0].Scores.Broken = 6 })}, nil, Untested, 3, "mend it before the model is judged"},
		{"a run broke", []Trial{edit(t1, func(t *Trial) { t.Answers = append([]Answer{{State: StateFailed}}, t.Answers...) })}, nil, Untested, 3, "1 of 2 runs broke"},
		{"a failure of the server is not the model's", []Trial{edit(t1, func(t *Trial) { t.Answers[0].Scores.Replaced, t.Answers[0].Scores.Broken = 4, 2 })}, nil, Keep, 4, ""},
		// Rule 4.
		{"one failure", []Trial{f1}, nil, Informational, 4, "needs a second"},
		{"two failures", []Trial{f1, f2}, nil, Discard, 4, "2 of 2 runs failed"},
		{"the same failure twice", []Trial{f1, f1}, nil, Informational, 4, "needs a second"},
		{"one of each", []Trial{t1, f2}, nil, Informational, 4, "disagree"},
		{"two of three passed", []Trial{t1, t2, f3}, nil, Keep, 4, "not steady"},
		{"two of three failed", []Trial{f1, f2, t3}, nil, Discard, 4, "2 of 3"},
		{"two clean runs", []Trial{t1, t2}, nil, Keep, 4, "all 2 runs"},
		{"second failure in an earlier bake-off", []Trial{f1}, func(c *Case) { c.History = []Trial{f2} }, Discard, 4, "2 of 2"},
		{"earlier failure of other files", []Trial{f1}, func(c *Case) { c.History = []Trial{edit(f2, func(t *Trial) { t.Candidate.Digest = "x" })} }, Informational, 4, "needs a second"},
		{"earlier failure under another version", []Trial{f1}, func(c *Case) { c.History = []Trial{edit(f2, func(t *Trial) { t.Setup.Version = "0.16.0" })} }, Informational, 4, "needs a second"},
		{"earlier failure without proof", []Trial{f1}, func(c *Case) { c.History = []Trial{edit(f2, func(t *Trial) { t.Proof = nil })} }, Informational, 4, "needs a second"},
		{"this failure again in the history", []Trial{f1}, func(c *Case) { c.History = []Trial{f1} }, Informational, 4, "needs a second"},
		{"unfinished failure", []Trial{f1, edit(f2, func(t *Trial) { t.Done = false })}, nil, Informational, 4, "needs a second"},
		{"never asked", []Trial{edit(t1, func(t *Trial) { t.Answers[0].Scores.Tasks = 0 })}, nil, Untested, 0, "asked nothing"},
		// Rule 6.
		{"less than it could", []Trial{with(t1, func(p *Proof) { p.HeldContext = ptr(4096) })}, nil, DiscardOutright, 6, "8192 tokens was asked for and 4096 were given"},
		{"out of memory", []Trial{edit(t1, func(t *Trial) { t.Proof = &Proof{AskedContext: 8192, Fault: "status 500", Memory: true} })}, nil, DiscardOutright, 6, "does not fit into memory"},
		{"out of memory once and not again", []Trial{edit(t1, func(t *Trial) { t.Proof = &Proof{AskedContext: 8192, Fault: "status 500", Memory: true} }), t2}, nil, Keep, 1, "trial 1 counts for nothing"},
		{"less than asked, its own limit unknown", []Trial{with(t1, func(p *Proof) { p.HeldContext = ptr(4096) })}, func(c *Case) { c.Candidate.ContextLength = nil }, Untested, 1, "4096 tokens where 8192"},
		{"native ceiling", []Trial{small}, native, Keep, 6, "its own limit is 4096"},
		{"native ceiling beside a served baseline", []Trial{small}, func(c *Case) { native(c); c.Reference[0].Setup = served() }, Keep, 6, "its own limit is 4096"},
		{"native ceiling that memory does not hold", []Trial{edit(small, func(t *Trial) { t.Proof = &Proof{AskedContext: 4096, Fault: "x", Memory: true} })}, native, DiscardOutright, 6, "not even hold the model's own ceiling"},
		{"under its native ceiling", []Trial{with(small, func(p *Proof) { p.HeldContext = ptr(2048) })}, native, DiscardOutright, 6, "own ceiling of 4096"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := caseOf(tc.trials...)
			if tc.edit != nil {
				tc.edit(&c)
			}
			v := Judge(c)
			if v.Outcome != tc.want {
				t.Errorf("Outcome = %q, want %q: %v", v.Outcome, tc.want, v.Reasons)
			}
			found := false
			for _, r := range v.Reasons {
				found = found || r.Rule == tc.rule && strings.Contains(r.Text, tc.says)
			}
			if !found {
				t.Errorf("no reason of rule %d with %q in %v", tc.rule, tc.says, v.Reasons)
			}
			if v.Outcome == Keep && tc.rule == 6 && len(v.Labels) == 0 {
				t.Error("a native ceiling without its label")
			}
		})
	}
}

// with changes the proof of a copy of a trial.
func with(t Trial, fn func(*Proof)) Trial { t.Proof = edit2(t.Proof, fn); return t }

func edit2(p *Proof, fn func(*Proof)) *Proof { q := *p; fn(&q); return &q }

func TestAssess(t *testing.T) {
	marked := func(points float64) Scores {
		s := good()
		s.Marks = map[string]float64{MarkPoints: points}
		return s
	}
	for _, tc := range []struct {
		name string
		got  Scores
		base Scores
		pass bool
		says string
	}{
		{"as the baseline", good(), good(), true, ""},
		{"a quarter replaced", Scores{Tasks: 8, Calls: 8, Replaced: 2, Facets: 1, Answered: 1}, Scores{Facets: 1, Answered: 1}, true, ""},
		{"more than a quarter replaced", Scores{Tasks: 8, Calls: 8, Replaced: 3, Facets: 1, Answered: 1}, Scores{Facets: 1, Answered: 1}, false, "3 of 8 tasks"},
		{"a quarter unreadable", Scores{Tasks: 4, Calls: 8, Unreadable: 2}, Scores{}, true, ""},
		{"more than a quarter unreadable", Scores{Tasks: 4, Calls: 8, Unreadable: 3}, Scores{}, false, "3 of 8 answers"},
		{"fewer parts", Scores{Tasks: 1, Calls: 1, Facets: 10, Answered: 8}, Scores{Facets: 10, Answered: 9}, false, "parts answered 0.80 against 0.90"},
		{"within the slack", Scores{Tasks: 1, Calls: 1, Facets: 100, Answered: 85}, Scores{Facets: 100, Answered: 90}, true, ""},
		{"nothing found", Scores{Tasks: 1, Calls: 1, Facets: 2}, Scores{Facets: 2, Answered: 2, Findings: 3, Grounded: 3}, false, "findings that the audit passes 0.00"},
		{"not grounded", Scores{Tasks: 1, Calls: 1, Findings: 10, Grounded: 9}, Scores{Findings: 3, Grounded: 3}, false, "audit passes 0.90 against 1.00"},
		{"points", marked(0.5), marked(0.5), true, ""},
		{"fewer points", marked(0.4), marked(0.5), false, "points 0.40 against 0.50"},
		{"no points where the baseline has some", good(), marked(0.5), false, "points 0.00"},
		{"points where the baseline has none", marked(0.1), good(), true, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			ref := reference()
			ref.Answers[0].Scores = tc.base
			pass, why := Assess(trial("1", tc.got), []Trial{ref}, Bar{})
			if pass != tc.pass || !strings.Contains(strings.Join(why, "\n"), tc.says) {
				t.Errorf("Assess = %v %q, want %v and %q", pass, why, tc.pass, tc.says)
			}
		})
	}
}

func TestElsewhere(t *testing.T) {
	v := Verdict{Backend: "ollama", Version: "0.17.4"}
	for _, tc := range []struct {
		backend, version string
		marked           bool
	}{{"ollama", "0.17.4", false}, {"ollama", "0.30.1", true}, {"llama.cpp", "0.17.4", true}, {"ollama", "", false}, {"", "", false}} {
		if got := v.Elsewhere(tc.backend, tc.version); (got != "") != tc.marked || tc.marked && !strings.Contains(got, "of another backend version") {
			t.Errorf("Elsewhere(%q, %q) = %q", tc.backend, tc.version, got)
		}
	}
}

func TestTotal(t *testing.T) {
	tr := trial("1", good())
	tr.Answers = append(tr.Answers, Answer{State: StateNotFound, Scores: Scores{Marks: map[string]float64{"points": 1}}}, Answer{Scores: Scores{Marks: map[string]float64{"points": 0}}})
	s := tr.Total()
	if s.Marks["points"] != 0.5 || s.Findings != 4 || s.Calls != 11 {
		t.Errorf("Total = %+v", s)
	}
	if v := s.Speed(); v == nil || *v != 150 {
		t.Errorf("Speed = %v, want 150", v)
	}
	if (Scores{BusyMs: 5}).Speed() != nil || (Scores{AnswerTokens: 5}).Speed() != nil {
		t.Error("a speed without tokens or time is not known")
	}
}

// drawn is any trial, most of them sound.
func drawn(t *rapid.T, i int, pass bool) Trial {
	s := good()
	if !pass {
		s = bad()
	}
	tr := trial(fmt.Sprintf("t%02d", i), s)
	switch rapid.IntRange(0, 12).Draw(t, "kind") {
	case 0:
		tr.Proof = nil
	case 1:
		tr.Done = false
	case 2:
		tr.Setup.Library = "other"
	case 3:
		tr.Setup.Swaps = []Swap{{"", "a", "b"}}
	case 4:
		tr.Proof.SchemaKept = nil
	case 5:
		tr.Answers[0].Scores.Broken = 4
	case 6:
		tr.Setup.Version = ""
	}
	return tr
}

// TestJudgeHolds tries the rules on any trials.
func TestJudgeHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 6).Draw(t, "n")
		var ts []Trial
		fails, proofs := 0, 0
		for i := range n {
			pass := rapid.Bool().Draw(t, "pass")
			tr := drawn(t, i, pass)
			if !pass {
				fails++
			}
			if len(tr.Proof.Missing(tr.Setup)) == 0 {
				proofs++
			}
			ts = append(ts, tr)
		}
		cut := rapid.IntRange(0, n).Draw(t, "cut")
		c := caseOf(ts[:cut]...)
		c.History = ts[cut:]
		v := Judge(c)
		switch {
		case v.Outcome == Discard && fails < 2:
			t.Fatalf("discarded on %d failing runs: %v", fails, v.Reasons)
		case proofs == 0 && v.Outcome != Untested:
			t.Fatalf("%s without any proof", v.Outcome)
		case len(v.Reasons) == 0:
			t.Fatalf("%s without a reason", v.Outcome)
		case (v.Outcome == Keep || v.Outcome == Discard) && (v.Backend == "" || v.Version == ""):
			t.Fatalf("%s without backend and version", v.Outcome)
		case v.Outcome == Keep && v.Passed <= v.Failed, v.Outcome == Discard && v.Failed <= v.Passed:
			t.Fatalf("%s on %d passes and %d failures", v.Outcome, v.Passed, v.Failed)
		}
		for _, tr := range ts[:cut] {
			counts := tr.Done && len(tr.Proof.Missing(tr.Setup)) == 0 && tr.Answers[0].Scores.Broken == 0
			if counts && (tr.Setup.Library != "l" || len(tr.Setup.Swaps) > 0) && (v.Outcome == Keep || v.Outcome == Discard) {
				t.Fatalf("%s although trial %s differs in more than the candidate", v.Outcome, tr.ID)
			}
		}
		// Neither order nor repetition matters.
		again := caseOf(append(rapid.Permutation(ts[:cut]).Draw(t, "order"), ts[:cut]...)...)
		again.History = append(append([]Trial{}, ts[cut:]...), ts[:cut]...)
		if w := Judge(again); w.Outcome != v.Outcome || fmt.Sprint(w.Trials, w.Reasons) != fmt.Sprint(v.Trials, v.Reasons) {
			t.Fatalf("the order of trials or a repetition changed %s %v to %s %v", v.Outcome, v.Reasons, w.Outcome, w.Reasons)
		}
		// One more failing run never makes a model kept that was not. (It may bring in earlier bake-offs that could not be
		// compared before, so those are left out.)
		c.History = nil
		v = Judge(c)
		more := c
		more.Trials = append(append([]Trial{}, c.Trials...), trial("t99", bad()))
		if w := Judge(more); w.Outcome == Keep && v.Outcome != Keep {
			t.Fatalf("a failing run turned %s into keep", v.Outcome)
		}
	})
}
