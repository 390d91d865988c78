package checks

import (
	"maps"
	"slices"
	"sort"
)

// attempt is the working state of one [Step].
type attempt struct {
	opt     Options
	state   State
	view    View
	fires   []Fire
	verdict Verdict
	faulty  map[string]bool // pairs whose edit did not resolve them
}

func (s State) clone() State {
	s.Counters = maps.Clone(s.Counters)
	s.Tried = maps.Clone(s.Tried)
	s.Stalls = maps.Clone(s.Stalls)
	if s.Counters == nil {
		s.Counters = map[string]Counter{}
	}
	if s.Tried == nil {
		s.Tried = map[string][]string{}
	}
	if s.Stalls == nil {
		s.Stalls = map[string]Stall{}
	}
	return s
}

// normalise makes the edits of the normalisers. They never block, and what they leave is what all others judge.
func (a *attempt) normalise() {
	for _, c := range Bank {
		if c.Tier != Normaliser || c.Edit == nil || a.opt.NoNormalisers || a.opt.off(c) {
			continue
		}
		for _, k := range c.Scope(a.view) {
			hits := c.Eval(a.view, k)
			if len(hits) == 0 {
				continue
			}
			f := newFire(c, a.view, k, hits)
			a.verdict.Edited = append(a.verdict.Edited, a.applied(f, Edit, true))
			a.view = c.Edit(a.view, k)
			if len(c.Eval(a.view, k)) > 0 {
				a.verdict.Defects = append(a.verdict.Defects, f.pair())
			}
		}
	}
}

// resolve applies every self-resolving edit that its lifetime cap allows, outside the attempt budget, and evaluates once
// more. A pair that fires again although its edit was made is a defect and counts as capped.
func (a *attempt) resolve() {
	edited := map[string]bool{}
	for _, f := range a.fires {
		c, n := Lookup(f.Check), a.state.Counters[f.pair()]
		if !f.Blocks() || f.Action != Edit || n.Lifetime >= c.LifeCap && !a.opt.Policy.NoLifeCap {
			continue
		}
		a.verdict.Edited = append(a.verdict.Edited, a.applied(f, Edit, true))
		a.view = c.Edit(a.view, f.Key)
		n.Lifetime++
		a.state.Counters[f.pair()] = n
		edited[f.pair()] = true
	}
	if len(edited) == 0 {
		return
	}
	a.fires = Evaluate(a.view, a.opt)
	a.faulty = map[string]bool{}
	for _, f := range a.fires {
		if f.Blocks() && edited[f.pair()] {
			a.faulty[f.pair()] = true
			a.verdict.Defects = append(a.verdict.Defects, f.pair())
		}
	}
}

// applied notes an action with what asked for it, by the view before the action.
func (a *attempt) applied(f Fire, action Action, done bool) Applied {
	return Applied{Check: f.Check, Key: f.Key, Facets: a.view.facetsOf(f.Key), Hits: f.Hits, Action: action, Done: done}
}

// decide selects and fills the verdict.
func (a *attempt) decide() {
	var blocking []Fire
	for _, f := range a.fires {
		if f.Blocks() {
			blocking = append(blocking, f)
		}
	}
	a.forget(blocking)
	queue, counters, names := a.queue(blocking)
	pick := a.opt.Policy.Select
	if a.opt.selects != nil {
		pick = a.opt.selects
	}
	choice, counters := pick(counters, queue)
	if limit := a.opt.Attempts; choice.Outcome == Repaired && a.state.Attempt >= max(limit, 0) && (limit > 0 || a.state.Attempt >= defaultAttempts) {
		choice = Choice{Outcome: Ended, Index: -1}
	}
	a.verdict.Outcome, a.verdict.Overdue = choice.Outcome, choice.Overdue
	if choice.Outcome == Repaired {
		f := blocking[choice.Index]
		a.act(f, a.state.Counters[f.pair()].Consecutive, blocking)
		for i := range choice.Index {
			if a.opt.Policy.capped(a.state.Counters[names[i]], queue[i]) {
				a.verdict.Yielded = append(a.verdict.Yielded, names[i])
			}
		}
	} else {
		a.finish(blocking)
	}
	for i, name := range names {
		if counters[i] == (Counter{}) {
			delete(a.state.Counters, name)
		} else {
			a.state.Counters[name] = counters[i]
		}
	}
}

// queue returns the candidates of this attempt: what fires, in order, then what is known and does not fire.
func (a *attempt) queue(blocking []Fire) ([]Candidate, []Counter, []string) {
	var queue []Candidate
	var names []string
	fires := map[string]bool{}
	for _, f := range blocking {
		c := Lookup(f.Check)
		action := c.repair(f.Hits, a.state.Counters[f.pair()].Consecutive)
		stuck := a.faulty[f.pair()] || slices.Contains(a.state.Tried[f.pair()], tried(f, action))
		queue = append(queue, Candidate{Tier: c.Tier, Fires: true, Stuck: stuck, Cap: c.Cap, LifeCap: c.LifeCap})
		names = append(names, f.pair())
		fires[f.pair()] = true
	}
	var idle []string
	for name := range a.state.Counters {
		if !fires[name] {
			idle = append(idle, name)
		}
	}
	sort.Strings(idle)
	names = append(names, idle...)
	queue = append(queue, make([]Candidate, len(idle))...)
	counters := make([]Counter, len(names))
	for i, name := range names {
		counters[i] = a.state.Counters[name]
	}
	return queue, counters, names
}

func tried(f Fire, a Action) string { return f.Digest + " " + string(a) }

// act fills the verdict with the repair of f, which was selected n times in a row before.
func (a *attempt) act(f Fire, n int, blocking []Fire) {
	c := Lookup(f.Check)
	action := c.repair(f.Hits, n)
	a.state.Tried[f.pair()] = append(slices.Clip(a.state.Tried[f.pair()]), tried(f, action))
	v := &a.verdict
	v.Check, v.Key, v.Digest, v.Hits, v.Action = f.Check, f.Key, f.Digest, f.Hits, action
	v.Facets = a.view.facetsOf(f.Key)
	if written(action) {
		v.Rung = RungFacet
		if f.Key.Kind == KeyBlock && n == 0 {
			v.Rung = RungSentence
		}
		if a.stalled(v.Facets, blocking) {
			v.Action, v.Rung = Rebuild, RungRun
		}
	}
	a.view, v.Done = a.carryOut(f, action)
}

// written reports whether an action makes a writer or reader produce part of the draft again.
func written(a Action) bool {
	return a == Retry || a == Rethink || a == Split || a == Continue || a == Rewrite || a == Reread
}

// stallLimit is how many repairs of a facet may pass without progress before the whole report is rebuilt, once a run.
const stallLimit = 2

// stalled notes a repair of the facets and reports whether it is time for the whole rebuild: after two repairs of one facet
// no less of it was blocked than before them.
func (a *attempt) stalled(facets []string, blocking []Fire) bool {
	due := false
	for _, id := range facets {
		open := 0
		for _, f := range blocking {
			if slices.Contains(a.view.facetsOf(f.Key), id) {
				open++
			}
		}
		st, before := a.state.Stalls[id]
		if before && open >= st.Open {
			st.Count++
		} else {
			st.Count = 0
		}
		st.Open = open
		a.state.Stalls[id] = st
		due = due || st.Count >= stallLimit
	}
	if !due || a.state.Rebuilt || a.opt.NoRebuild {
		return false
	}
	a.state.Rebuilt = true
	a.state.Stalls = map[string]Stall{}
	return true
}

// forget drops the stalls of facets that nothing blocks any more.
func (a *attempt) forget(blocking []Fire) {
	open := map[string]bool{}
	for _, f := range blocking {
		for _, id := range a.view.facetsOf(f.Key) {
			open[id] = true
		}
	}
	maps.DeleteFunc(a.state.Stalls, func(id string, _ Stall) bool { return !open[id] })
}

// carryOut does what the bank can do itself and reports whether it did.
func (a *attempt) carryOut(f Fire, action Action) (View, bool) {
	c := Lookup(f.Check)
	switch action {
	case Edit, RejectSource, Remove:
		return c.Edit(a.view, f.Key), true
	case Issues:
		return toIssues(a.view, f), true
	case Hedge:
		return hedge(a.view, f.Key), true
	case Annotate:
		return annotate(a.view, f), true
	}
	return a.view, false
}

// finish ends the loop: every pair that still blocks gets its terminal action, in order and in one step, then every weak or
// advisory hit its advice. Nothing here calls a model.
func (a *attempt) finish(blocking []Fire) {
	end := func(f Fire, action Action) {
		next, done := a.carryOut(f, action)
		a.verdict.Final = append(a.verdict.Final, a.applied(f, action, done))
		a.view = next
	}
	for _, f := range blocking {
		end(f, Lookup(f.Check).Terminal)
	}
	for _, f := range a.fires {
		if !f.Blocks() {
			end(f, Lookup(f.Check).Advise)
		}
	}
	a.view = dropEmptied(a.view)
}
