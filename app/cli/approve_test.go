package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/engine/research"
)

func planToEdit() *planEditor {
	return &planEditor{
		hypotheses: []research.Hypothesis{{ID: "h1", Statement: "one"}, {ID: "h2", Statement: "two"}},
		plan: research.Plan{Tasks: []research.Task{
			{ID: "t1", Purpose: "first", Queries: []research.Query{{Text: "a"}, {Text: "b"}}}, {ID: "t2", Purpose: "second", Queries: []research.Query{{Text: "c"}}},
		}},
	}
}

// written is the plan in one line: hypotheses, then tasks with their queries.
func (e *planEditor) written() string {
	var out []string
	for _, h := range e.hypotheses {
		out = append(out, h.ID+"="+h.Statement)
	}
	for _, t := range e.plan.Tasks {
		var qs []string
		for _, q := range t.Queries {
			qs = append(qs, q.Text)
		}
		out = append(out, t.ID+"("+strings.Join(qs, ",")+")")
	}
	return strings.Join(out, " ")
}

func TestPlanEditor(t *testing.T) {
	for commands, want := range map[string]string{
		"":                       "h1=one h2=two t1(a,b) t2(c)",
		"drop h1":                "h2=two t1(a,b) t2(c)",
		"drop t1":                "h1=one h2=two t2(c)",
		"DROP Q1":                "h1=one h2=two t1(b) t2(c)",
		"drop q3":                "h1=one h2=two t1(a,b)",
		"edit q2 new words":      "h1=one h2=two t1(a,new words) t2(c)",
		"edit h2 it  rains":      "h1=one h2=it  rains t1(a,b) t2(c)",
		"add some words":         "h1=one h2=two t1(a,b) t2(c) tp1(some words)",
		"add t2 more":            "h1=one h2=two t1(a,b) t2(c,more)",
		"add h it snows":         "h1=one h2=two hp1=it snows t1(a,b) t2(c)",
		"down t1":                "h1=one h2=two t2(c) t1(a,b)",
		"up h2":                  "h2=two h1=one t1(a,b) t2(c)",
		"up t1":                  "h1=one h2=two t1(a,b) t2(c)",
		"drop t1;drop t2":        "h1=one h2=two",
		"add x;add y;drop tp1":   "h1=one h2=two t1(a,b) t2(c) tp2(y)",
		"drop q1;drop q1;up t2":  "h1=one h2=two t2(c)",
		"edit q1 z;drop q2":      "h1=one h2=two t1(z) t2(c)",
		"add t2 more;edit q4 no": "h1=one h2=two t1(a,b) t2(c,no)",
	} {
		e := planToEdit()
		before := e.plan.Tasks[0]
		for c := range strings.SplitSeq(commands, ";") {
			if c == "" {
				continue
			}
			if err := e.change(c); err != nil {
				t.Errorf("%q: %v", c, err)
			}
		}
		if got := e.written(); got != want {
			t.Errorf("%q gives\n%s, want\n%s", commands, got, want)
		}
		if before.Queries[0].Text != "a" || before.Queries[1].Text != "b" {
			t.Errorf("%q changed the plan that was handed in", commands)
		}
	}
	for _, c := range []string{"drop", "drop q9", "drop q0", "drop qx", "edit q1", "edit t1 words", "edit h9 words", "add", "add h", "up t9", "frobnicate q1"} {
		e := planToEdit()
		if err := e.change(c); err == nil || strings.Contains(err.Error(), "\n") || e.written() != planToEdit().written() {
			t.Errorf("%q: %v, plan %s", c, err, e.written())
		}
	}
}

// A script changes the plan and goes on, a refusal ends the run so that it can be resumed, and a run is taken over from its plan
// with another one: what came before is not done again, and the old run stays.
func TestReviewAndRerun(t *testing.T) {
	x := newTerminal(t)
	dir := docs(t)
	ask := []string{"research", "What is the melting point of gold?", "--library", dir, "--offline", "--model", "extractive", "--clock", clock, "--review"}
	x.typed = "drop h1\nadd copper alloys\nnonsense\ngo\n"
	_, said, code := x.run(ask...)
	for _, want := range []string{"Hypothesis h1", "Query q1", "copper alloys", "nonsense", "no command"} {
		if code != 0 || !strings.Contains(said, want) {
			t.Fatalf("code %d, want 0 and %q\n%s", code, want, said)
		}
	}
	// fresh is the id of the run that fn makes. Two runs of one second stand in either order in the list.
	fresh := func(fn func()) string {
		had := x.want(0, "", "runs", "list")
		fn()
		for line := range strings.Lines(x.want(0, "", "runs", "list")) {
			if id, _, _ := strings.Cut(line, " "); id != "ID" && !strings.Contains(had, id) {
				return id
			}
		}
		t.Fatal("no run was made")
		return ""
	}
	refused := fresh(func() {
		x.typed = "no\n"
		x.want(1, "the plan was declined", ask...)
	})
	x.typed = ""
	x.want(2, "never came to", "runs", "rerun", refused, "--from", "report")
	x.want(2, "use one of", "runs", "rerun", refused, "--from", "lunch")
	x.want(2, "--from", "runs", "rerun", refused)
	x.want(0, "", "research", "--resume", refused, "--yes")

	again := fresh(func() {
		x.typed = "add silver\ngo\n"
		if _, said, code := x.run("runs", "rerun", refused, "--from", "plan", "--review", "--json"); code != 0 || !strings.Contains(said, "silver") {
			t.Fatalf("code %d\n%s", code, said)
		}
	})
	x.want(0, refused, "runs", "list")
	file := filepath.Join(t.TempDir(), "run.json")
	x.want(0, "", "runs", "export", again, "--out", file)
	x.want(0, " 0 differ", "audit", file)
	x.want(0, "identical digest", "replay", file, "--strict")
	var run research.Run
	b, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(b, &run)
	}
	if err != nil {
		t.Fatal(err)
	}
	queries := ""
	for _, ev := range run.Events {
		if ev.Kind == research.EventStage+"plan" {
			queries += string(ev.Payload)
		}
	}
	if !strings.Contains(queries, `"silver"`) || run.ID == refused {
		t.Errorf("run %s was planned with %.300s", run.ID, queries)
	}
}
