package engine

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"assay/engine/research"
)

// planOf is the first plan of a question over the lighthouse, and what it rests on.
func planOf(t *testing.T) (planInput, planned) {
	t.Helper()
	c := config(t, lighthouse)
	var in planInput
	var p planned
	c.Approve = func(_ context.Context, u research.Understanding, hs []research.Hypothesis, plan research.Plan) (research.Plan, []research.Hypothesis, error) {
		if plan.Round == 0 {
			in, p = planInput{Meaning: u, Hypotheses: hs}, planned{plan, hs}
		}
		return plan, hs, nil
	}
	left, _, _ := digestOf(t, c)
	alone, _, _ := digestOf(t, config(t, lighthouse))
	if !reflect.DeepEqual(left, alone) {
		t.Error("a plan that was approved as it is gives another report than one that nobody saw")
	}
	return in, p
}

// A plan that was changed is taken in whole: new entries get ids and facets, blank ones go, the order becomes the priority.
func TestSettle(t *testing.T) {
	in, p := planOf(t)
	tasks := append([]research.Task{{Queries: []research.Query{{Text: "  keeper \n of the light "}, {Text: " "}}}}, p.Plan.Tasks[1], p.Plan.Tasks[0])
	hypotheses := append([]research.Hypothesis{{Statement: "The keeper rowed out"}}, p.Hypotheses...)
	hypotheses[1].Statement = "The light was lit in 1902."
	hypotheses[2].Statement = " "
	got, err := settle(in, research.Plan{Tasks: tasks}, hypotheses, false)
	if err != nil {
		t.Fatal(err)
	}
	first := got.Plan.Tasks[0]
	if len(got.Plan.Tasks) != 3 || first.ID == "" || first.Facet == "" || len(first.Queries) != 1 || first.Queries[0].Text != "keeper of the light" || first.Purpose != "keeper of the light" || first.Queries[0].Limit == 0 || first.Queries[0].Lang == "" {
		t.Errorf("the new task became %+v", first)
	}
	if web, err := settle(in, research.Plan{Tasks: tasks}, hypotheses, true); err != nil || len(web.Plan.Tasks[0].Queries) != 2 || !web.Plan.Tasks[0].Queries[1].Outside || len(web.Plan.Tasks[1].Queries) != len(got.Plan.Tasks[1].Queries) {
		t.Errorf("in a run that asks others: %+v, %v", web.Plan.Tasks[:2], err)
	}
	for i, task := range got.Plan.Tasks {
		if task.Priority != i+1 {
			t.Errorf("task %d has priority %d", i, task.Priority)
		}
	}
	if len(got.Hypotheses) != len(p.Hypotheses) {
		t.Fatalf("%d hypotheses of %d", len(got.Hypotheses), len(p.Hypotheses))
	}
	own, changed := got.Hypotheses[0], got.Hypotheses[1]
	if own.ID == "" || own.Test != "" || len(own.Facets) == 0 || own.Status != research.Unverified || changed.ID != p.Hypotheses[0].ID || changed.Test != "" || changed.Statement != "The light was lit in 1902." {
		t.Errorf("hypotheses %+v and %+v", own, changed)
	}
	seen := map[string]bool{}
	for _, h := range got.Hypotheses {
		if seen[h.ID] {
			t.Errorf("two hypotheses are called %s", h.ID)
		}
		seen[h.ID] = true
	}
}

// What nobody can have meant is refused in a sentence.
func TestSettleRefuses(t *testing.T) {
	in, p := planOf(t)
	long := strings.Repeat("x", maxPlanText+1)
	for name, tc := range map[string]struct {
		plan research.Plan
		hs   []research.Hypothesis
		want string
	}{
		"nothing left":          {research.Plan{Tasks: []research.Task{{Queries: []research.Query{{Text: " "}}}}}, nil, "leave at least one"},
		"a query of a page":     {research.Plan{Tasks: []research.Task{{Queries: []research.Query{{Text: long}}}}}, nil, "shorter"},
		"a statement of a page": {p.Plan, []research.Hypothesis{{Statement: long}}, "shorter"},
		"too many tasks":        {research.Plan{Tasks: make([]research.Task, maxTasks+1)}, nil, "at most"},
		"too many hypotheses":   {p.Plan, make([]research.Hypothesis, mostHypotheses+1), "at most"},
		"too many queries":      {research.Plan{Tasks: []research.Task{{Queries: make([]research.Query, maxTaskWords+1)}}}, nil, "at most"},
	} {
		if _, err := settle(in, tc.plan, tc.hs, false); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", name, err, tc.want)
		}
	}
}

// Each gap round is shown before its search; one that is left empty is not searched and ends the search.
func TestApproveGapRounds(t *testing.T) {
	ask := func(answer func(research.Plan) (research.Plan, error)) (rounds []int, searches int, err error) {
		c := config(t, lighthouse)
		c.Request.Question = "Who designed the lighthouse lens at Porthcurno, and what did the fog signal cost?"
		c.Approve = func(_ context.Context, _ research.Understanding, hs []research.Hypothesis, p research.Plan) (research.Plan, []research.Hypothesis, error) {
			rounds = append(rounds, p.Round)
			p, err := answer(p)
			return p, hs, err
		}
		_, _, rec := digestOf(t, c)
		for _, ev := range rec.Run().Events {
			searches += count(ev.Kind == research.EventSearch)
		}
		return rounds, searches, err
	}
	all, most, _ := ask(func(p research.Plan) (research.Plan, error) { return p, nil })
	if len(all) < 2 || all[0] != 0 || all[1] != 1 {
		t.Fatalf("the plans shown are of rounds %v", all)
	}
	some, fewer, _ := ask(func(p research.Plan) (research.Plan, error) {
		if p.Round > 0 {
			p.Tasks = nil
		}
		return p, nil
	})
	if len(some) != 2 || fewer >= most {
		t.Errorf("with an empty gap round the plans shown are of rounds %v and %d searches ran; %d without", some, fewer, most)
	}
}
