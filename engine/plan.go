package engine

import (
	"context"
	"fmt"
	"reflect"
	"strings"

	"assay/engine/intent"
	"assay/engine/research"
)

// planInput is what a round's plan rests on: gaps from the second round on.
type planInput struct {
	Round      int                    `json:"round"`
	Meaning    research.Understanding `json:"meaning"`
	Hypotheses []research.Hypothesis  `json:"hypotheses"`
	Gaps       []research.Gap         `json:"gaps"`
}

// planned is a plan with the hypotheses as the person left them.
type planned struct {
	Plan       research.Plan         `json:"plan"`
	Hypotheses []research.Hypothesis `json:"hypotheses"`
}

// Hits asked for by a query about the question itself, and by one of an angle, which casts wider for less.
const (
	facetHits = 40
	angleHits = 10
)

// plan is stage 3: search tasks per facet and hypothesis, then the ten angles; later rounds plan for gaps only. The person sees
// each round's plan before its search and may change it; a gap round that they leave empty is not searched.
func (r *run) plan(ctx context.Context, in planInput) (planned, error) {
	p := planned{Plan: research.Plan{Round: in.Round}, Hypotheses: in.Hypotheses}
	if in.Round > 0 {
		p.Plan.Tasks = r.gapTasks(in)
	} else {
		p.Plan.Tasks = firstTasks(in)
		if t, ok := r.outsideTask(in.Meaning, len(p.Plan.Tasks)+1); ok {
			p.Plan.Tasks = append(p.Plan.Tasks, t)
		}
	}
	if r.Approve == nil || len(p.Plan.Tasks) == 0 {
		return p, nil
	}
	outside := len(r.outsiders()) > 0
	if outside {
		asks, held := r.asks(in.Meaning, p.Plan)
		shown := r.previewOf(gatherInput{Meaning: in.Meaning, Plan: p.Plan}, asks, held)
		if in.Round == 0 {
			names := r.namesAsked(in.Meaning, p.Plan)
			shown.Asks, shown.Notes = append(names, shown.Asks...), append(shown.Notes, namesNote(names)...)
		}
		p.Plan.Preview = &shown
	}
	plan, hypotheses, err := r.Approve(ctx, in.Meaning, in.Hypotheses, p.Plan)
	if err != nil {
		return p, fmt.Errorf("approval: %w", err)
	}
	if left := (planned{plan, hypotheses}); reflect.DeepEqual(left, p) {
		return p, nil
	}
	return settle(in, plan, hypotheses, outside)
}

// firstTasks gives each facet a task of its own, then each hypothesis, as many as the budget has; the ten angles are one
// task more. Every task maps to a facet or hypothesis, so that no search lacks a purpose (HDRI 3.2, goal orientation).
func firstTasks(in planInput) []research.Task {
	u := in.Meaning
	var tasks []research.Task
	add := func(t research.Task) {
		if len(tasks) < u.Budget.Tasks {
			t.ID = fmt.Sprintf("t%d", len(tasks)+1)
			tasks = append(tasks, t)
		}
	}
	subject := intent.Subject(u)
	for i, f := range u.Facets {
		qs := []research.Query{{Text: f.Text, Lang: u.Lang, Facet: f.ID, Limit: facetHits}}
		if f.Text != u.Question {
			qs = append(qs, research.Query{Text: strings.Join(f.Terms, " ") + " " + subject, Lang: u.Lang, Facet: f.ID, Limit: facetHits})
		}
		add(research.Task{Facet: f.ID, Hypothesis: hypothesisOf(in.Hypotheses, f.ID), Purpose: f.Text, Priority: i + 1, Queries: append(qs, intent.Optimise(qs[0], u)...)})
	}
	add(research.Task{Facet: u.Facets[0].ID, Purpose: u.Question, Priority: 1, Queries: []research.Query{{Text: u.Question, Lang: u.Lang, Limit: facetHits}}})
	var angles []research.Query
	for _, a := range research.Angles {
		q := intent.AngleQuery(u, a)
		q.Limit = angleHits
		angles = append(angles, q)
	}
	tasks = append(tasks, research.Task{ID: fmt.Sprintf("t%d", len(tasks)+1), Facet: u.Facets[0].ID, Purpose: "ten angles on " + subject, Priority: len(tasks) + 1, Queries: angles})
	return tasks
}

func hypothesisOf(hs []research.Hypothesis, facet string) string {
	for _, h := range hs {
		for _, f := range h.Facets {
			if f == facet {
				return h.ID
			}
		}
	}
	return ""
}

// gapTasks searches for the gaps of high and medium importance, four queries a round at most (Alg. 4).
func (r *run) gapTasks(in planInput) []research.Task {
	var tasks []research.Task
	left := in.Meaning.Budget.QueriesPerGap
	for _, g := range in.Gaps {
		if g.Importance == "low" || left == 0 {
			continue
		}
		t := research.Task{ID: fmt.Sprintf("t%d.%d", in.Round, len(tasks)+1), Gap: g.ID, Facet: g.Facet, Hypothesis: g.Hypothesis, Purpose: g.Name, Priority: len(tasks) + 1}
		t.Queries = r.gapOutside(in.Meaning, g)
		for _, q := range g.Queries {
			if left == 0 {
				break
			}
			left--
			t.Queries = append(t.Queries, research.Query{Text: q, Lang: in.Meaning.Lang, Facet: g.Facet, Limit: facetHits})
		}
		if len(t.Queries) > 0 {
			tasks = append(tasks, t)
		}
	}
	return tasks
}
