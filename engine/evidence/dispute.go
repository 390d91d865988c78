package evidence

import "assay/engine/research"

// Times says how two claims that differ stand to each other in time.
type Times int

// How two claims stand in time.
const (
	ByPublication Times = iota // when they were published is all that is known
	OtherPeriod                // each names a period of its own: one fact that changed
	ForGood                    // what they speak of happened once and does not change
)

// Dispute returns the contradiction of two claims that differ in what the reason says: temporal when time explains the difference,
// direct otherwise.
func Dispute(a, b research.Claim, when Times, reason string, ctx Context) research.Contradiction {
	if b.ID < a.ID {
		a, b = b, a
	}
	kind := kindDirect
	if when != ForGood && otherTime(a, b) {
		when, reason = OtherPeriod, atTimes(a, b, reason)
	}
	if when == OtherPeriod || when == ByPublication && newer(a.Published, b.Published) != 0 {
		kind = kindTemporal
	}
	c := research.Contradiction{ID: research.ID("x", a.ID, b.ID), Kind: kind, A: a.ID, B: b.ID, Reason: reason}
	c.Resolution, c.Preferred = resolve(a, b, ctx)
	return c
}
