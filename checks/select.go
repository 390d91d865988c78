package checks

// Wait is how many attempts an uncapped pair may be passed over before it goes first (aging, W of CHECKS 2.2). The longest
// wait that an exhaustive search over [Select] finds with it is [MaxWait].
const Wait = 4

// MaxWait returns the most attempts for which an uncapped pair among n that compete may be passed over before it is
// selected. It is what the search of TestNoStarvation finds for n = 2 to 5: Wait + n - 2.
func MaxWait(n int) int { return Wait + max(n, 2) - 2 }

// Counter is what the queue remembers of one pair of check and key.
type Counter struct {
	Consecutive int `json:"consecutive"` // selections since the check was last clean on the key
	Lifetime    int `json:"lifetime"`    // selections in the whole run
	Wait        int `json:"wait"`        // attempts for which it fired, could have been selected, and was not
}

// Candidate is one pair as an attempt sees it.
type Candidate struct {
	Tier  Tier
	Fires bool
	// Stuck says that the same hits on the same content were already answered with the same action: the repair provably
	// changed nothing that the check reads.
	Stuck   bool
	Cap     int // most consecutive selections, at least 1
	LifeCap int // most selections in a run, at least Cap
}

// Outcome is what one attempt comes to.
type Outcome string

// The outcomes.
const (
	Accepted Outcome = "accepted" // nothing that blocks fires
	Repaired Outcome = "repair"   // one pair was selected
	Ended    Outcome = "terminal" // every firing pair is capped: each gets its terminal action
)

// Choice is the result of a selection.
type Choice struct {
	Outcome Outcome
	Index   int  // into the queue; -1 unless Repaired
	Overdue bool // selected because it had waited, not for its place
}

// Policy switches mechanisms off, for ablation and for the failing controls of the proofs. The zero value is production.
type Policy struct {
	NoAging      bool `json:"no_aging,omitempty"`
	NoLifeCap    bool `json:"no_lifecap,omitempty"`
	NoTierYield  bool `json:"no_tier_yield,omitempty"`
	NoNoProgress bool `json:"no_no_progress,omitempty"`
}

// Select picks at most one pair of the queue and returns the counters after it. It is pure, and it is what both the engine
// and the proofs of starvation and termination run.
//
// The queue is in order of tier, place in the bank, and key; counters[i] belongs to queue[i]. A firing pair is capped when
// its consecutive or lifetime cap is reached or it is stuck. First goes the uncapped pair that has waited longest, if any
// has waited [Wait] attempts; else the first uncapped one, so that a completion tier whose firing pairs are all capped
// yields to grounding. A check that is clean on its key forgets its consecutive count and its wait; nothing forgets the
// lifetime. Waiting does not count while capped.
func Select(counters []Counter, queue []Candidate) (Choice, []Counter) {
	return Policy{}.Select(counters, queue)
}

// Select is [Select] with mechanisms switched off.
func (p Policy) Select(counters []Counter, queue []Candidate) (Choice, []Counter) {
	next := make([]Counter, len(counters))
	copy(next, counters)
	c := p.choose(counters, queue)
	for i, q := range queue {
		switch {
		case !q.Fires:
			next[i].Consecutive, next[i].Wait = 0, 0
		case i == c.Index:
			next[i].Consecutive++
			next[i].Lifetime++
			next[i].Wait = 0
		case c.Outcome == Repaired && !p.capped(counters[i], q):
			next[i].Wait++
		}
	}
	return c, next
}

func (p Policy) choose(counters []Counter, queue []Candidate) Choice {
	first, oldest, fires, completion := -1, -1, false, false
	for i, q := range queue {
		if !q.Fires {
			continue
		}
		fires = true
		completion = completion || q.Tier == Completion
		if p.capped(counters[i], q) || p.NoTierYield && completion && q.Tier == Grounding {
			continue
		}
		if first < 0 {
			first = i
		}
		if !p.NoAging && counters[i].Wait >= Wait && (oldest < 0 || counters[i].Wait > counters[oldest].Wait) {
			oldest = i
		}
	}
	switch {
	case oldest >= 0:
		return Choice{Outcome: Repaired, Index: oldest, Overdue: oldest != first}
	case first >= 0:
		return Choice{Outcome: Repaired, Index: first}
	case fires:
		return Choice{Outcome: Ended, Index: -1}
	}
	return Choice{Outcome: Accepted, Index: -1}
}

func (p Policy) capped(c Counter, q Candidate) bool {
	return c.Consecutive >= q.Cap || !p.NoLifeCap && c.Lifetime >= q.LifeCap || !p.NoNoProgress && q.Stuck
}
