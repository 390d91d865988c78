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
		a.act(f, blocking)
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
		action, rung := a.due(f, blocking)
		stuck := a.faulty[f.pair()] || slices.Contains(a.state.Tried[f.pair()], tried(f, action, rung))
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

// tried names a repair that was made. One that reaches further is another repair.
func tried(f Fire, a Action, r Rung) string {
	name := f.Digest + " " + string(a)
	if r == RungSentence {
		name += " " + string(r)
	}
	return name
}

// due is the repair that a selection of f would make, and how far it reaches. The order is that of the engine: the sentence, then
// its facet, then once the whole report, then the terminal action; what did not help is not done a third time.
func (a *attempt) due(f Fire, blocking []Fire) (Action, Rung) {
	c, n := Lookup(f.Check), a.state.Counters[f.pair()].Consecutive
	action := c.repair(f.Hits, n)
	if !written(action) {
		return action, RungNone
	}
	stalls := 0
	for _, id := range a.view.facetsOf(f.Key) {
		stalls = max(stalls, a.stall(id, blocking).Count)
	}
	rebuilds := !a.state.Rebuilt && !a.opt.NoRebuild
	switch {
	case stalls >= stallLimit && rebuilds:
		return Rebuild, RungRun
	case stalls >= stallLimit && !a.opt.Policy.NoNoProgress:
		return c.Terminal, RungNone
	case f.Key.Kind == KeyBlock && n == 0 && stalls == 0 && !a.opt.NoSentence:
		return action, RungSentence
	case !a.opt.NoFacet:
		return action, RungFacet
	case rebuilds:
		return Rebuild, RungRun
	}
	return c.Terminal, RungNone
}

// act fills the verdict with the repair of f.
func (a *attempt) act(f Fire, blocking []Fire) {
	action, rung := a.due(f, blocking)
	a.state.Tried[f.pair()] = append(slices.Clip(a.state.Tried[f.pair()]), tried(f, action, rung))
	v := &a.verdict
	v.Check, v.Key, v.Digest, v.Hits, v.Action, v.Rung = f.Check, f.Key, f.Digest, f.Hits, action, rung
	v.Facets = a.view.facetsOf(f.Key)
	switch {
	case rung == RungRun:
		a.state.Rebuilt = true
		a.state.Stalls = map[string]Stall{}
	case written(action):
		for _, id := range v.Facets {
			a.state.Stalls[id] = a.stall(id, blocking)
		}
	}
	a.view, v.Done = a.carryOut(f, action)
}

// written reports whether an action makes a writer or reader produce part of the draft again.
func written(a Action) bool {
	return a == Retry || a == Rethink || a == Split || a == Continue || a == Rewrite || a == Reread
}

// stallLimit is how many repairs of a facet may pass without progress before the whole report is rebuilt, once a run, and after that
// before the terminal action.
const stallLimit = 2

// stall is what is known of the repairs of a facet once it is repaired again: progress is that less of it is blocked than before the
// last repair.
func (a *attempt) stall(id string, blocking []Fire) Stall {
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
	return st
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
		if !a.opt.NoTerminal {
			end(f, Lookup(f.Check).Terminal)
		}
	}
	for _, f := range a.fires {
		if !f.Blocks() {
			end(f, Lookup(f.Check).Advise)
		}
	}
	a.view = dropEmptied(a.view)
}
