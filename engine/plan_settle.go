package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"assay/engine/research"
)

// Bounds of a plan that a person changed. What is above them is a slip, or somebody else's program.
const (
	maxTasks       = 64
	maxTaskWords   = 32  // queries of one task
	mostHypotheses = 12  // HDRI asks for three to five
	maxPlanText    = 500 // characters of a query or a statement
)

// errNoPlan: nothing is left of the first plan.
var errNoPlan = errors.New("the plan holds no query any more; leave at least one, or stop the run")

// settle takes in a plan as the person left it: blank entries go, what is new gets an id and a facet, the order is theirs and
// becomes the priority. What a program other than ours may send is bounded, and what the person cannot have meant is refused.
// In a run that asks others, outside says so: a query that the person added goes to them too.
func settle(in planInput, plan research.Plan, hypotheses []research.Hypothesis, outside bool) (planned, error) {
	out := planned{Plan: research.Plan{Round: in.Round}}
	if len(plan.Tasks) > maxTasks || len(hypotheses) > mostHypotheses {
		return out, fmt.Errorf("approval: a plan has at most %d tasks and %d hypotheses", maxTasks, mostHypotheses)
	}
	taken := map[string]bool{}
	for _, h := range hypotheses {
		h, kept, err := settleHypothesis(in, h, taken)
		if err != nil {
			return out, err
		}
		if kept {
			out.Hypotheses = append(out.Hypotheses, h)
		}
	}
	for _, t := range plan.Tasks {
		t, kept, err := settleTask(in, t, taken, len(out.Plan.Tasks)+1, outside)
		if err != nil {
			return out, err
		}
		if t.Hypothesis != "" && !slices.ContainsFunc(out.Hypotheses, func(h research.Hypothesis) bool { return h.ID == t.Hypothesis }) {
			t.Hypothesis = ""
		}
		if kept {
			out.Plan.Tasks = append(out.Plan.Tasks, t)
		}
	}
	if in.Round == 0 && len(out.Plan.Tasks) == 0 {
		return out, errNoPlan
	}
	return out, nil
}

// settleHypothesis is a hypothesis as it is tested: one whose statement was changed is no template of ours any more, so it is
// matched against the claims by its words.
func settleHypothesis(in planInput, h research.Hypothesis, taken map[string]bool) (research.Hypothesis, bool, error) {
	h.Statement = strings.Join(strings.Fields(h.Statement), " ")
	if h.Statement == "" {
		return h, false, nil
	}
	if utf8.RuneCountInString(h.Statement) > maxPlanText {
		return h, false, fmt.Errorf("approval: a hypothesis has more than %d characters; make it shorter", maxPlanText)
	}
	at := slices.IndexFunc(in.Hypotheses, func(o research.Hypothesis) bool { return o.ID == h.ID && h.ID != "" })
	switch {
	case at < 0 || taken[h.ID]:
		h = research.Hypothesis{ID: freeID("h", taken, len(in.Hypotheses)), Statement: h.Statement, Rationale: "added by the person who asks", Facets: h.Facets, Status: research.Unverified}
	case in.Hypotheses[at].Statement != h.Statement:
		old := in.Hypotheses[at]
		h = research.Hypothesis{ID: old.ID, Statement: h.Statement, Rationale: "worded by the person who asks", Facets: old.Facets, Status: research.Unverified}
	default:
		h = in.Hypotheses[at]
	}
	taken[h.ID] = true
	h.Facets = slices.DeleteFunc(slices.Clone(h.Facets), func(f string) bool { return facetIndex(in.Meaning.Facets, f) < 0 })
	if len(h.Facets) == 0 {
		h.Facets = []string{in.Meaning.Facets[0].ID}
	}
	return h, true, nil
}

// settleTask is a task as it is searched.
func settleTask(in planInput, t research.Task, taken map[string]bool, priority int, outside bool) (research.Task, bool, error) {
	if len(t.Queries) > maxTaskWords {
		return t, false, fmt.Errorf("approval: a task has at most %d queries", maxTaskWords)
	}
	if t.ID == "" || taken[t.ID] {
		t.ID = freeID(fmt.Sprintf("t%d.p", in.Round), taken, 0)
	}
	taken[t.ID] = true
	if facetIndex(in.Meaning.Facets, t.Facet) < 0 {
		t.Facet = in.Meaning.Facets[0].ID
	}
	t.Priority = priority
	var kept []research.Query
	for _, q := range t.Queries {
		q.Text = strings.Join(strings.Fields(q.Text), " ")
		if q.Text == "" {
			continue
		}
		if utf8.RuneCountInString(q.Text) > maxPlanText {
			return t, false, fmt.Errorf("approval: a query has more than %d characters; make it shorter", maxPlanText)
		}
		added := q.Lang == ""
		if added {
			q.Lang = in.Meaning.Lang
		}
		if q.Limit <= 0 || q.Limit > facetHits {
			q.Limit = facetHits
		}
		kept = append(kept, q)
		if added && outside && !q.Outside {
			q.Outside = true
			kept = append(kept, q)
		}
	}
	t.Queries = kept
	if strings.TrimSpace(t.Purpose) == "" && len(kept) > 0 {
		t.Purpose = kept[0].Text
	}
	return t, len(kept) > 0, nil
}

// freeID is the first id of the kind that nobody has, counted after n.
func freeID(kind string, taken map[string]bool, n int) string {
	for {
		n++
		if id := fmt.Sprintf("%s%d", kind, n); !taken[id] {
			return id
		}
	}
}
