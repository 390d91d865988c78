package checks

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// noLimit is a cap that is never reached. To the other pairs one that is capped is the same as one that is stuck, and the
// search lets every pair be stuck at will: without caps it therefore covers every choice of caps.
const noLimit = 1 << 30

// search explores every state of a queue of n pairs that any sequence of firing, clean and stuck pairs can reach, with the
// production selection, and returns the longest wait it saw. It gives up, and says so, once a pair waits longer than limit.
func search(p Policy, n, consCap, lifeCap, limit int) (longest, states int, starves bool) {
	queue := make([]Candidate, n)
	for i := range queue {
		queue[i] = Candidate{Cap: consCap, LifeCap: lifeCap}
		if i >= (n+1)/2 {
			queue[i].Tier = Grounding
		}
	}
	encode := func(cs []Counter) (code uint64) {
		for _, c := range cs {
			code = code<<12 | uint64(c.Consecutive)<<9 | uint64(c.Wait)<<4 | uint64(c.Lifetime)
		}
		return code
	}
	decode := func(code uint64) []Counter {
		cs := make([]Counter, n)
		for i := n - 1; i >= 0; i-- {
			cs[i] = Counter{Consecutive: int(code >> 9 & 7), Wait: int(code >> 4 & 31), Lifetime: int(code & 15)}
			code >>= 12
		}
		return cs
	}
	moves := 1
	for range n {
		moves *= 3
	}
	seen := map[uint64]bool{0: true}
	for todo := []uint64{0}; len(todo) > 0; {
		state := decode(todo[len(todo)-1])
		todo = todo[:len(todo)-1]
		for move := range moves {
			for i := range queue {
				queue[i].Fires, queue[i].Stuck = move%3 > 0, move%3 == 2
				move /= 3
			}
			_, next := p.Select(state, queue)
			for i := range next {
				if lifeCap == noLimit { // a count that nothing reads is left out of the state
					next[i].Lifetime = 0
				}
				if consCap == noLimit {
					next[i].Consecutive = 0
				}
				if next[i].Wait > limit {
					return next[i].Wait, len(seen), true
				}
				longest = max(longest, next[i].Wait)
			}
			if code := encode(next); !seen[code] {
				seen[code] = true
				todo = append(todo, code)
			}
		}
	}
	return longest, len(seen), false
}

// TestNoStarvation finds the longest wait by exhaustive search over the production selection and holds MaxWait to it: first
// without caps, which covers all caps, then with caps of the bank's size where that is feasible.
func TestNoStarvation(t *testing.T) {
	tests := []struct {
		n, consCap, lifeCap int
		exact               bool
	}{
		{2, noLimit, noLimit, true}, {3, noLimit, noLimit, true}, {4, noLimit, noLimit, true}, {5, noLimit, noLimit, true},
		{2, 1, noLimit, true}, {3, 1, noLimit, true}, {4, 1, noLimit, true},
		{2, 2, noLimit, true}, {3, 2, noLimit, true}, {4, 2, noLimit, true},
		{2, 2, 4, false}, {3, 2, 3, false}, // a lifetime may end before the longest wait builds up
	}
	for _, tc := range tests {
		t.Run(fmt.Sprintf("n=%d cap=%s life=%s", tc.n, capName(tc.consCap), capName(tc.lifeCap)), func(t *testing.T) {
			longest, states, starves := search(Policy{}, tc.n, tc.consCap, tc.lifeCap, 20)
			t.Logf("%d states, longest wait %d", states, longest)
			if starves || longest > MaxWait(tc.n) || tc.exact && longest != MaxWait(tc.n) {
				t.Fatalf("longest wait = %d (starves: %v), want %d", longest, starves, MaxWait(tc.n))
			}
		})
	}
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
		{"no aging, lifetime cap", Policy{NoAging: true}, 3, false},
		{"aging, no lifetime cap", Policy{NoLifeCap: true}, noLimit, false},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			longest, states, starves := search(tc.policy, 3, 2, tc.lifeCap, 20)
			t.Logf("%d states, longest wait %d", states, longest)
			if starves != tc.starves {
				t.Errorf("starves = %v, want %v", starves, tc.starves)
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

// TestSelectRandom drives a queue as large as a real one with random fires for 500 attempts.
func TestSelectRandom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "pairs")
		queue := make([]Candidate, n)
		for i := range queue {
			c := rapid.IntRange(1, 3).Draw(t, "cap")
			queue[i] = Candidate{Cap: c, LifeCap: c + rapid.IntRange(0, 3).Draw(t, "life")}
		}
		sticky := rapid.IntRange(0, 100).Draw(t, "percent that goes on firing")
		gen := rapid.Uint64().Draw(t, "seed")
		next := func(k uint64) uint64 { // splitmix64: cheap enough for 30,000 draws a case
			gen += 0x9e3779b97f4a7c15
			z := gen
			z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
			z = (z ^ z>>27) * 0x94d049bb133111eb
			return (z ^ z>>31) % k
		}
		counters := make([]Counter, n)
		repairs, budget := 0, 0
		for _, q := range queue {
			budget += q.LifeCap
		}
		for attempt := range 500 {
			for i := range queue {
				queue[i].Fires = queue[i].Fires && next(100) < uint64(sticky) || next(3) == 0
				queue[i].Stuck = next(8) == 0
			}
			choice, after := Select(counters, queue)
			again, _ := Select(counters, queue)
			if again != choice {
				t.Fatalf("attempt %d: two selections differ: %+v and %+v", attempt, choice, again)
			}
			checkChoice(t, choice, counters, after, queue)
			if choice.Outcome == Repaired {
				repairs++
			}
			counters = after
		}
		if repairs > budget {
			t.Fatalf("%d repairs, the lifetime caps allow %d", repairs, budget)
		}
	})
}

// checkChoice holds what is true of every selection: it is of a firing, uncapped pair; it ends only when all that fires is
// capped; no pair waits longer than the bound and no lifetime is exceeded.
func checkChoice(t *rapid.T, choice Choice, before, after []Counter, queue []Candidate) {
	firing, open := 0, 0
	for i, q := range queue {
		if q.Fires {
			firing++
			if !(Policy{}).capped(before[i], q) {
				open++
			}
		}
		if after[i].Lifetime > q.LifeCap || after[i].Consecutive > q.Cap {
			t.Fatalf("counter %+v exceeds the caps of %+v", after[i], q)
		}
		if after[i].Wait > MaxWait(len(queue)) {
			t.Fatalf("a pair among %d waited %d attempts", len(queue), after[i].Wait)
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
		t.Fatalf("outcome = %s with %d firing and %d open, want %s", choice.Outcome, firing, open, want)
	}
	if want == Repaired && (!queue[choice.Index].Fires || (Policy{}).capped(before[choice.Index], queue[choice.Index])) {
		t.Fatalf("selected %+v with %+v", queue[choice.Index], before[choice.Index])
	}
}

func capName(n int) string {
	if n == noLimit {
		return "none"
	}
	return fmt.Sprint(n)
}
