package gpu

import "time"

// Point is the memory of the cards at one moment of the past, in bytes; nil is unknown.
type Point struct {
	AtMs   int64  `json:"at_ms"` // since 1970
	Used   *int64 `json:"used_bytes"`
	Usable *int64 `json:"usable_bytes"`
	Models int64  `json:"models_bytes"` // of the used, what loaded models hold
	Busy   *int64 `json:"busy_percent"` // of the busiest card
}

// history keeps the last span of time in at most most points. Samples that fall into one part of the span share a point,
// which is the one with the most used: a peak is what a person looks for.
type history struct {
	span   time.Duration
	most   int
	points []Point
}

// part is how much time one point stands for, in ms.
func (h *history) part() int64 { return max(1, h.span.Milliseconds()/int64(h.most)) }

func (h *history) add(p Point) {
	if n := len(h.points); n > 0 && p.AtMs < h.points[n-1].AtMs {
		h.points = h.points[:0] // the clock was set back
	}
	n := len(h.points)
	if n > 0 && h.points[n-1].AtMs/h.part() == p.AtMs/h.part() {
		if last := h.points[n-1]; p.Used != nil && (last.Used == nil || *p.Used >= *last.Used) {
			h.points[n-1] = p
		}
	} else {
		h.points = append(h.points, p)
	}
	old := 0
	for old < len(h.points) && (h.points[old].AtMs <= p.AtMs-h.span.Milliseconds() || len(h.points)-old > h.most) {
		old++
	}
	h.points = append(h.points[:0], h.points[old:]...)
}

// pointOf is the point of a sample.
func pointOf(s Sample) Point {
	p := Point{AtMs: s.AtMs}
	p.Used, _ = sums(s.Status.GPUs)
	p.Usable, _ = s.Status.Usable()
	p.Models = onCards(s.Models)
	for _, g := range s.Status.GPUs {
		if g.Busy != nil && (p.Busy == nil || *g.Busy > *p.Busy) {
			p.Busy = g.Busy
		}
	}
	return p
}
