package checks

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// noLimit is a cap that is never reached. To the other pairs one that is capped is the same as one that is stuck, and the
// search lets every pair be stuck at will: without caps it therefore covers every choice of caps.
const noLimit = 1 << 30

// transition is one attempt of a queue: the production Select, or one with a bug planted in it.
type transition func([]Counter, []Candidate) (Choice, []Counter)

// The planted bugs: what a pass resets that it must not. The first forgets the lifetime of the pair that passes, so that a
// pair that fires every other time is repaired for ever; the second lets a pass of one pair reset the waiting of the others.
func lifetimeResetOnPass(before []Counter, queue []Candidate) (Choice, []Counter) {
	c, next := Select(before, queue)
	for i, q := range queue {
		if !q.Fires {
			next[i] = Counter{}
		}
	}
	return c, next
}

func waitResetOnPass(before []Counter, queue []Candidate) (Choice, []Counter) {
	c, next := Select(before, queue)
	for _, q := range queue {
		if !q.Fires {
			for i := range next {
				next[i].Wait = 0
			}
		}
	}
	return c, next
}

// queueModel is a queue whose states are explored: n pairs with equal caps, the later half of them grounding.
type queueModel struct {
	tr                  transition
	policy              Policy // by which a pair counts as capped
	n, consCap, lifeCap int
}

// queue returns the candidates, and how many ways there are for each of them to be clean, to fire, and to be stuck.
func (m queueModel) queue() (queue []Candidate, moves int) {
	moves = 1
	for i := range m.n {
		c := Candidate{Cap: m.consCap, LifeCap: m.lifeCap}
		if i >= (m.n+1)/2 {
			c.Tier = Grounding
		}
		queue = append(queue, c)
		moves *= 3
	}
	return queue, moves
}

// encode packs counters; a count that nothing reads is left out of the state.
func (m queueModel) encode(cs []Counter) (code uint64) {
	for _, c := range cs {
		if m.lifeCap == noLimit {
			c.Lifetime = 0
		}
		if m.consCap == noLimit {
			c.Consecutive = 0
		}
		code = code<<12 | uint64(min(c.Consecutive, 7))<<9 | uint64(min(c.Wait, 31))<<4 | uint64(min(c.Lifetime, 15))
	}
	return code
}

func (m queueModel) decode(code uint64) []Counter {
	cs := make([]Counter, m.n)
	for i := m.n - 1; i >= 0; i-- {
		cs[i] = Counter{Consecutive: int(code >> 9 & 7), Wait: int(code >> 4 & 31), Lifetime: int(code & 15)}
		code >>= 12
	}
	return cs
}

// step is an edge of the graph of states.
type edge struct {
	to     uint64
	choice Choice
	queue  []Candidate
	before []Counter
}

// each calls fn with every edge that leaves a state.
func (m queueModel) each(state uint64, fn func(edge)) {
	queue, moves := m.queue()
	before := m.decode(state)
	for move := range moves {
		for i := range queue {
			queue[i].Fires, queue[i].Stuck = move%3 > 0, move%3 == 2
			move /= 3
		}
		c, next := m.tr(before, queue)
		fn(edge{m.encode(next), c, queue, before})
	}
}

// arc is an edge to a state. Bit i of kinds says that some attempt that goes there passes pair i over although it fires and
// could be selected; bit repaired, that it repairs something.
type arc struct {
	to    int
	kinds uint16
}

const repaired = 15

// graph is every state that some adversary can bring about, with the arcs that leave it.
func (m queueModel) graph() [][]arc {
	index, states := map[uint64]int{0: 0}, []uint64{0}
	var arcs [][]arc
	for at := 0; at < len(states); at++ {
		out := map[int]uint16{}
		m.each(states[at], func(e edge) {
			to, ok := index[e.to]
			if !ok {
				to = len(states)
				index[e.to] = to
				states = append(states, e.to)
			}
			kinds := uint16(0)
			if e.choice.Outcome == Repaired {
				kinds = 1 << repaired
				for i, q := range e.queue {
					if q.Fires && i != e.choice.Index && !m.policy.capped(e.before[i], q) {
						kinds |= 1 << i
					}
				}
			}
			out[to] |= kinds
		})
		var list []arc
		for to, kinds := range out {
			list = append(list, arc{to, kinds})
		}
		arcs = append(arcs, list)
	}
	return arcs
}

// longest returns the length of the longest path of arcs of one kind, from any state; cyclic when there is one that never
// ends: a run in which that goes on for ever.
func longest(graph [][]arc, kind int) (most int, cyclic bool) {
	const open, unknown = -1, -2
	depth := make([]int, len(graph))
	for i := range depth {
		depth[i] = unknown
	}
	var walk func(at int) int
	walk = func(at int) int {
		if depth[at] != unknown {
			cyclic = cyclic || depth[at] == open
			return max(depth[at], 0)
		}
		depth[at] = open
		most := 0
		for _, a := range graph[at] {
			if a.kinds&(1<<kind) != 0 {
				if most = max(most, 1+walk(a.to)); cyclic {
					return most
				}
			}
		}
		depth[at] = most
		return most
	}
	for at := range graph {
		if most = max(most, walk(at)); cyclic {
			return most, true
		}
	}
	return most, false
}

// TestNoStarvationExhaustive explores every state that any sequence of firing, clean and stuck pairs can reach with the
// production selection, for every victim: no pair that fires and could be selected is passed over for ever, and the longest
// that one is passed over is MaxWait. Without caps, which covers all caps, since a pair that is capped is to the others as
// one that is stuck.
func TestNoStarvationExhaustive(t *testing.T) {
	for n := 2; n <= 5; n++ {
		g := queueModel{tr: Select, n: n, consCap: noLimit, lifeCap: noLimit}.graph()
		for victim := range n {
			most, cyclic := longest(g, victim)
			if cyclic || most > MaxWait(n) {
				t.Fatalf("n=%d victim=%d: passed over %d times (for ever: %v), bound %d", n, victim, most, cyclic, MaxWait(n))
			}
			if victim == n-1 {
				t.Logf("n=%d: %d states, the last is passed over %d times at most", n, len(g), most)
				if most != MaxWait(n) {
					t.Errorf("n=%d: longest wait %d, MaxWait says %d", n, most, MaxWait(n))
				}
			}
		}
	}
}

// TestCapsExhaustive does the same with small caps, which also end every run: there is no way round on which something is
// repaired again and again.
func TestCapsExhaustive(t *testing.T) {
	for _, tc := range []struct{ n, consCap, lifeCap int }{{2, 1, 2}, {2, 2, 4}, {3, 1, 1}, {3, 1, 2}} {
		g := queueModel{tr: Select, n: tc.n, consCap: tc.consCap, lifeCap: tc.lifeCap}.graph()
		for victim := range tc.n {
			if most, cyclic := longest(g, victim); cyclic || most > MaxWait(tc.n) {
				t.Errorf("%+v victim %d: passed over %d times (for ever: %v)", tc, victim, most, cyclic)
			}
		}
		most, cyclic := longest(g, repaired)
		if cyclic || most > tc.n*tc.lifeCap {
			t.Errorf("%+v: %d repairs in a row (for ever: %v), the lifetime caps allow %d", tc, most, cyclic, tc.n*tc.lifeCap)
		}
		t.Logf("%+v: %d states, at most %d repairs", tc, len(g), most)
	}
}

// TestPlantedExhaustive: the searches find the planted bugs.
func TestPlantedExhaustive(t *testing.T) {
	starves := false
	for n := 2; n <= 4 && !starves; n++ {
		g := queueModel{tr: waitResetOnPass, n: n, consCap: noLimit, lifeCap: noLimit}.graph()
		for victim := range n {
			_, cyclic := longest(g, victim)
			starves = starves || cyclic
		}
	}
	if !starves {
		t.Error("waiting that a pass of another resets: no pair starves")
	}
	// A repair stands between two passes here, so the repairs of a whole run are counted, not those in a row.
	m := queueModel{tr: lifetimeResetOnPass, n: 2, consCap: 1, lifeCap: 2}
	if repairs := repairsBetween(m); repairs <= 2*2 {
		t.Errorf("a lifetime that a pass resets: %d repairs of a run, and the caps allow 4", repairs)
	}
	if repairs := repairsBetween(queueModel{tr: Select, n: 2, consCap: 1, lifeCap: 2}); repairs > 2*2 {
		t.Errorf("the production selection: %d repairs of a run, and the caps allow 4", repairs)
	}
}

// repairsBetween returns how many repairs an adversary gets out of one run of at most 40 attempts that never ends.
func repairsBetween(m queueModel) int {
	best := map[uint64]int{0: 0}
	most := 0
	for range 40 {
		next := map[uint64]int{}
		for state, n := range best {
			m.each(state, func(e edge) {
				k := n
				if e.choice.Outcome == Repaired {
					k++
				}
				most = max(most, k)
				if have, ok := next[e.to]; !ok || k > have {
					next[e.to] = k
				}
			})
		}
		best = next
	}
	return most
}

// TestStarvationControls shows that the search finds starvation where there is some: without aging and without lifetime
// caps a pair waits for ever, yield or no yield; with lifetime caps alone it waits for the others' caps.
func TestStarvationControls(t *testing.T) {
	tests := []struct {
		name    string
		policy  Policy
		lifeCap int
		starves bool
	}{
		{"no aging, no lifetime cap", Policy{NoAging: true, NoLifeCap: true}, noLimit, true},
		{"no aging, no lifetime cap, no yield", Policy{NoAging: true, NoLifeCap: true, NoTierYield: true}, noLimit, true},
		{"no aging, lifetime cap", Policy{NoAging: true}, 2, false},
		{"aging, no lifetime cap", Policy{NoLifeCap: true}, noLimit, false},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			m := queueModel{tr: tc.policy.Select, policy: tc.policy, n: 3, consCap: 1, lifeCap: tc.lifeCap}
			g := m.graph()
			most, cyclic := longest(g, 2)
			t.Logf("%d states, passed over %d times at most", len(g), most)
			if cyclic != tc.starves {
				t.Errorf("starves = %v, want %v", cyclic, tc.starves)
			}
		})
	}
}

func TestSelect(t *testing.T) {
	fire := Candidate{Fires: true, Cap: 2, LifeCap: 4}
	stuck := Candidate{Fires: true, Stuck: true, Cap: 2, LifeCap: 4}
	clean := Candidate{Cap: 2, LifeCap: 4}
	ground := fire
	ground.Tier = Grounding
	tests := []struct {
		name     string
		counters []Counter
		queue    []Candidate
		want     Choice
	}{
		{"nothing fires", make([]Counter, 2), []Candidate{clean, clean}, Choice{Outcome: Accepted, Index: -1}},
		{"an empty queue", nil, nil, Choice{Outcome: Accepted, Index: -1}},
		{"the first in order", make([]Counter, 3), []Candidate{clean, fire, fire}, Choice{Outcome: Repaired, Index: 1}},
		{"consecutive cap", []Counter{{Consecutive: 2}, {}}, []Candidate{fire, fire}, Choice{Outcome: Repaired, Index: 1}},
		{"lifetime cap", []Counter{{Lifetime: 4}, {}}, []Candidate{fire, fire}, Choice{Outcome: Repaired, Index: 1}},
		{"no progress", make([]Counter, 2), []Candidate{stuck, fire}, Choice{Outcome: Repaired, Index: 1}},
		{"a capped completion tier yields", []Counter{{Consecutive: 2}, {}}, []Candidate{fire, ground}, Choice{Outcome: Repaired, Index: 1}},
		{"all capped", []Counter{{Consecutive: 2}, {Lifetime: 4}}, []Candidate{fire, ground}, Choice{Outcome: Ended, Index: -1}},
		{"the longest wait goes first", []Counter{{}, {Wait: 4}, {Wait: 5}}, []Candidate{fire, fire, fire}, Choice{Outcome: Repaired, Index: 2, Overdue: true}},
		{"equal waits by place", []Counter{{}, {Wait: 4}, {Wait: 4}}, []Candidate{fire, fire, fire}, Choice{Outcome: Repaired, Index: 1, Overdue: true}},
		{"a capped pair does not jump the queue", []Counter{{}, {Wait: 9, Lifetime: 4}}, []Candidate{fire, fire}, Choice{Outcome: Repaired, Index: 0}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			if got, _ := Select(tc.counters, tc.queue); got != tc.want {
				t.Errorf("Select(%v) = %+v, want %+v", tc.counters, got, tc.want)
			}
		})
	}
}

// TestSelectCounters holds the counters: what resets, what counts, what stands still.
func TestSelectCounters(t *testing.T) {
	fire := Candidate{Fires: true, Cap: 2, LifeCap: 4}
	before := []Counter{{Consecutive: 1, Lifetime: 2}, {Wait: 1, Lifetime: 1}, {Consecutive: 2, Lifetime: 2, Wait: 0}, {Consecutive: 1, Lifetime: 3, Wait: 2}}
	queue := []Candidate{fire, fire, fire, {Cap: 2, LifeCap: 4}}
	_, after := Select(before, queue)
	want := []Counter{
		{Consecutive: 2, Lifetime: 3},          // selected
		{Wait: 2, Lifetime: 1},                 // passed over
		{Consecutive: 2, Lifetime: 2, Wait: 0}, // capped: does not wait
		{Lifetime: 3},                          // clean: forgets all but its lifetime
	}
	for i := range want {
		if after[i] != want[i] {
			t.Errorf("counter %d = %+v, want %+v", i, after[i], want[i])
		}
	}
	if before[0].Consecutive != 1 {
		t.Error("Select changed the counters it was given")
	}
}

// contest is a queue as large as a real one and an adversary who decides what fires.
type contest struct {
	Queue  []Candidate
	Sticky int // percent that goes on firing
	Seed   uint64
}

var contests = rapid.Custom(func(t *rapid.T) contest {
	var c contest
	for range rapid.IntRange(1, 60).Draw(t, "pairs") {
		limit := rapid.IntRange(1, 3).Draw(t, "cap")
		c.Queue = append(c.Queue, Candidate{Cap: limit, LifeCap: limit + rapid.IntRange(0, 3).Draw(t, "life")})
	}
	c.Sticky = rapid.IntRange(0, 100).Draw(t, "percent that goes on firing")
	c.Seed = rapid.Uint64().Draw(t, "seed")
	return c
})

// play runs 500 attempts and says what is wrong with them; nil when all holds that is true of every run: the choice is of a
// firing pair that is not capped; it ends only when all that fires is capped; none is passed over longer than the bound; no
// more is repaired than the lifetime caps allow; the same attempt gives the same choice. It counts for itself and does not
// believe the counters of the queue.
func (c contest) play(tr transition) error {
	gen := c.Seed
	next := func(k uint64) uint64 { // splitmix64: cheap enough for 30,000 draws a case
		gen += 0x9e3779b97f4a7c15
		z := gen
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		return (z ^ z>>31) % k
	}
	queue := append([]Candidate{}, c.Queue...)
	counters := make([]Counter, len(queue))
	own := make([]Counter, len(queue)) // what the counters should be
	for attempt := range 500 {
		for i := range queue {
			queue[i].Fires = queue[i].Fires && next(100) < uint64(c.Sticky) || next(3) == 0
			queue[i].Stuck = next(8) == 0
		}
		choice, after := tr(counters, queue)
		if again, _ := tr(counters, queue); again != choice {
			return fmt.Errorf("attempt %d: two selections differ: %+v and %+v", attempt, choice, again)
		}
		if err := rightChoice(choice, own, queue); err != nil {
			return fmt.Errorf("attempt %d: %w", attempt, err)
		}
		for i, q := range queue {
			switch {
			case !q.Fires:
				own[i].Consecutive, own[i].Wait = 0, 0
			case i == choice.Index:
				own[i] = Counter{own[i].Consecutive + 1, own[i].Lifetime + 1, 0}
			case choice.Outcome == Repaired && !(Policy{}).capped(own[i], q):
				own[i].Wait++
			}
			if own[i].Lifetime > q.LifeCap {
				return fmt.Errorf("attempt %d: pair %d was selected %d times in a run that allows %d", attempt, i, own[i].Lifetime, q.LifeCap)
			}
			if own[i].Wait > MaxWait(len(queue)) {
				return fmt.Errorf("attempt %d: pair %d of %d was passed over %d times", attempt, i, len(queue), own[i].Wait)
			}
		}
		counters = after
	}
	return nil
}

// rightChoice holds a choice against the counters before it.
func rightChoice(choice Choice, before []Counter, queue []Candidate) error {
	firing, open := 0, 0
	for i, q := range queue {
		if q.Fires {
			firing++
			if !(Policy{}).capped(before[i], q) {
				open++
			}
		}
	}
	want := Accepted
	switch {
	case open > 0:
		want = Repaired
	case firing > 0:
		want = Ended
	}
	if choice.Outcome != want {
		return fmt.Errorf("outcome %s with %d firing and %d open, want %s", choice.Outcome, firing, open, want)
	}
	if want == Repaired && (!queue[choice.Index].Fires || (Policy{}).capped(before[choice.Index], queue[choice.Index])) {
		return fmt.Errorf("selected %+v with %+v", queue[choice.Index], before[choice.Index])
	}
	return nil
}

// TestSelectRandom holds the production selection to what is true of every run.
func TestSelectRandom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		if err := contests.Draw(t, "contest").play(Select); err != nil {
			t.Fatal(err)
		}
	})
}

// TestPlantedRandom: the same property finds the planted bugs.
func TestPlantedRandom(t *testing.T) {
	for name, tr := range map[string]transition{"lifetime reset on pass": lifetimeResetOnPass, "wait reset on pass": waitResetOnPass} {
		found := 0
		for i := range 40 {
			if contests.Example(i).play(tr) != nil {
				found++
			}
		}
		if found == 0 {
			t.Errorf("%s: no contest of 40 finds it", name)
		}
		t.Logf("%s: found in %d of 40 contests", name, found)
	}
}
