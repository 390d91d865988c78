// Package queue decides which of many waiting runs goes next, and shares them among machines.
//
// Start at [Choose]: the one rule of order, used by the queue of a home, which lives in the run records, and by [Shared], which
// lives in a NATS server and is worked on by several machines. A run is taken by one worker at a time. A worker that is gone
// lets its run go, and the next one resumes it from what was recorded.
//
// Files by job: queue.go the order and the limits, shared.go the streams and stores on the server, items.go what is kept of each
// run there, take.go how a worker takes a run and keeps it, mirror.go the record of a run as it travels.
package queue

import (
	"cmp"
	"slices"
	"strings"

	"assay/engine/research"
)

// States of a run in a queue (HDRI 5.5). Paused and stopped are the person's doing and keep a run out of it until it is resumed.
const (
	Queued      = "queued"
	Running     = "running"
	Completed   = "completed"
	Failed      = "failed"
	Interrupted = "interrupted"
	Paused      = "paused"
	Stopped     = "stopped"
)

// Bounds on a priority. Zero is the normal one, and higher goes first.
const (
	LowestPriority  = -9
	HighestPriority = 9
)

// Item is a run in a queue.
type Item struct {
	ID       string           `json:"id"`
	Request  research.Request `json:"request"`
	Priority int              `json:"priority"`
	Rank     int64            `json:"rank"` // place among runs of one priority; lower goes first
	State    string           `json:"state"`
	Detail   string           `json:"detail,omitempty"`
	Exit     int              `json:"exit,omitempty"`
	Worker   string           `json:"worker,omitempty"` // that works on it, or did last
	AddedMs  int64            `json:"added_ms"`
	BeganMs  int64            `json:"began_ms,omitempty"`
	EndedMs  int64            `json:"ended_ms,omitempty"`
	// Code is the version of the program that began it, which alone goes on with it; "" before.
	Code string `json:"code,omitempty"`
	// Want is what the person wants of a run that is worked on elsewhere: [Stopped], or "".
	Want string `json:"want,omitempty"`
	// Message is the number of the message on the server by which it waits; one with another number is an old one.
	Message uint64 `json:"message,omitempty"`
	// Takes counts how often a worker took it since something was recorded last; see [MaxTakes].
	Takes int `json:"takes,omitempty"`
	// Recorded is how many events its record had when it was taken last.
	Recorded int64 `json:"recorded,omitempty"`
}

// MaxTakes is how often a run is taken without anything being recorded in between before it is failed: a run that ends the
// program that works on it would otherwise end one worker after another.
const MaxTakes = 5

// Limits are how many runs may be worked on at once.
type Limits struct {
	// Models is for runs that need a model: on one card usually one, because two share its memory and its time.
	Models int
	// Library is for runs that only read documents.
	Library int
}

// NeedsModel reports whether a run of this request asks a model server.
func NeedsModel(req research.Request) bool {
	return req.Model != "extractive" && !strings.HasPrefix(req.Model, "recorded:")
}

// Compare orders waiting runs: higher priority, then what was begun before, then lower rank, then the older id.
func Compare(a, b Item) int {
	return cmp.Or(
		cmp.Compare(b.Priority, a.Priority),
		cmp.Compare(begun(b), begun(a)),
		cmp.Compare(a.Rank, b.Rank),
		cmp.Compare(a.ID, b.ID),
	)
}

func begun(it Item) int {
	if it.State == Interrupted {
		return 1
	}
	return 0
}

// Waits reports whether a run waits for a worker: it was queued, or its worker is gone.
func (it Item) Waits() bool { return it.State == Queued || it.State == Interrupted }

// Waiting returns the runs that wait for a worker, in the order in which they go.
func Waiting(items []Item) []Item {
	var out []Item
	for _, it := range items {
		if it.Waits() {
			out = append(out, it)
		}
	}
	slices.SortFunc(out, Compare)
	return out
}

// Choose returns the run that goes next, or false when none waits that the limits let begin. A run that must wait for a model
// does not hold up one that needs none.
func Choose(items []Item, limits Limits) (Item, bool) {
	models, library := 0, 0
	for _, it := range items {
		switch {
		case it.State != Running:
		case NeedsModel(it.Request):
			models++
		default:
			library++
		}
	}
	for _, it := range Waiting(items) {
		if NeedsModel(it.Request) && models < limits.Models || !NeedsModel(it.Request) && library < limits.Library {
			return it, true
		}
	}
	return Item{}, false
}

// Taken notes that a worker takes the run, whose record now has so many events, and reports whether it may: not when it was
// taken [MaxTakes] times without anything new.
func (it *Item) Taken(recorded int64) bool {
	if recorded > it.Recorded {
		it.Takes = 0
	}
	it.Takes++
	it.Recorded = recorded
	return it.Takes <= MaxTakes
}

// RankBetween returns a rank after the first and before the second run of one priority; either may be absent. It returns false
// when there is no room between them: then all ranks are to be spread anew.
func RankBetween(after, before *Item) (int64, bool) {
	const step = 1 << 20
	switch {
	case after == nil && before == nil:
		return 0, true
	case before == nil:
		return after.Rank + step, true
	case after == nil:
		return before.Rank - step, true
	}
	mid := after.Rank + (before.Rank-after.Rank)/2
	return mid, mid > after.Rank && mid < before.Rank
}
