package temporal

import "time"

// length is a count of one unit.
type length struct {
	n int
	u unit
}

// duration is a length of time in calendar units.
type duration []length

// from moves t by the duration, back when dir is -1.
func (d duration) from(t time.Time, dir int) time.Time {
	for _, p := range d {
		t = shift(t, dir*p.n, p.u)
	}
	return t
}

// grain is the coarsest unit of the duration.
func (d duration) grain() unit {
	g := days
	for _, p := range d {
		if p.u == weeks || p.u == monthsUnit || p.u == years {
			g = max(g, p.u)
		}
	}
	return g
}

// duration reads "3 weeks", "2 weeks and 2 days", "5 years 1 month 12 days", "a week".
func (r *reader) duration(i int) (duration, int) {
	var d duration
	next := 0
	for j := i; len(d) < 4; {
		n := r.count(j)
		if n.next == 0 || n.ordinal || n.value > maxCount {
			break
		}
		at := r.opt(n.next, "more", "full", "whole", "additional", "extra", "calendar")
		u, end := r.unitAt(at)
		if end == 0 || u == weekends {
			break
		}
		d = append(d, length{n.value, u})
		next = end
		j = r.opt(r.optPunct(end, ","), "and")
	}
	return d, next
}

// ago reads a duration and the point it is counted from: "2 weeks ago", "3 days from tomorrow", "5 days before New Year".
func (r *reader) ago(i int) (when, int) {
	d, j := r.duration(i)
	if j == 0 {
		return when{}, 0
	}
	day := func(t time.Time, next int) (when, int) {
		return when{span: span{t, t}, grain: days, fixed: true, counted: d.grain() + 1}, next
	}
	switch r.w(j) {
	case "ago", "back", "earlier", "previously":
		if r.is(j, "back") && r.is(j+1, "to") {
			return when{}, 0
		}
		for _, x := range [...]struct {
			w string
			n int
		}{{"today", 0}, {"yesterday", -1}, {"tomorrow", 1}} {
			if r.is(j+1, x.w) && d.grain() > days { // "a year ago today"
				return day(d.from(r.now.AddDate(0, 0, x.n), -1), j+2)
			}
		}
		return day(d.from(r.now, -1), j+1)
	case "hence", "later":
		return day(d.from(r.now, 1), j+1)
	case "from", "after":
		if r.is(j+1, "now") {
			return day(d.from(r.now, 1), j+2)
		}
		if w, n := r.from(j + 1); n > 0 {
			return when{span: moved(w.span, d, 1), past: moved(w.past, d, 1), grain: days, fixed: true, counted: d.grain() + 1}, n
		}
	case "before", "prior":
		k := r.opt(j+1, "to")
		if w, n := r.from(k); n > 0 {
			return when{span: moved(w.span, d, -1), past: moved(w.past, d, -1), grain: days, fixed: true, counted: d.grain() + 1}, n
		}
	}
	return when{}, 0
}

func moved(s span, d duration, dir int) span {
	if s.from.IsZero() {
		return s
	}
	t := d.from(s.from, dir)
	return span{t, t}
}

// from reads the day a duration is counted from.
func (r *reader) from(i int) (when, int) {
	if r.depth >= maxDepth {
		return when{}, 0
	}
	w, n := r.point(i)
	if n == 0 || w.grain != days || w.bare || w.from.IsZero() {
		return when{}, 0
	}
	return w, n
}

// inUnits reads "in 2 weeks", "in a fortnight's time", "within 9 months", "within the next 10 months", "less than 2 weeks from
// today", "for 3 days from today".
func (r *reader) inUnits(i int) (when, int) {
	if n, ok := r.skip(i, "in", "less", "than"); ok {
		return r.upTo(n)
	}
	switch {
	case r.is(i, "in", "after"):
		d, j := r.duration(r.opt(i+1, "about", "around", "exactly"))
		if j == 0 || r.is(i, "after") && !r.is(j, "later") && r.is(j, "of", "in", "after", "before", "from", "since") {
			return when{}, 0
		}
		if r.is(i, "after") {
			return when{}, 0
		}
		if r.is(j, "from", "after", "before") {
			return r.ago(r.opt(i+1, "about", "around", "exactly"))
		}
		if r.is(j, "ago", "since") {
			return when{}, 0
		}
		t := d.from(r.now, 1)
		return when{span: span{t, t}, grain: days, fixed: true, counted: d.grain() + 1}, r.opt(j, "time")
	case r.is(i, "within"):
		j := r.opt(i+1, "the")
		j = r.opt(j, "next", "coming", "upcoming", "following")
		return r.upTo(j)
	case r.is(i, "less") && r.is(i+1, "than"):
		d, j := r.duration(i + 2)
		if j > 0 && r.is(j, "ago") {
			return when{span: span{d.from(r.now, -1), r.now}, until: r.now, grain: days, fixed: true, recent: true}, j + 1
		}
		if j == 0 || !r.is(j, "from", "after") {
			return when{}, 0
		}
		if _, n := r.from(j + 1); n > 0 {
			return r.stretch(d, j+1, true)
		}
	case r.is(i, "for"):
		d, j := r.duration(i + 1)
		if j > 0 && r.is(j, "from") {
			return r.stretch(d, j+1, false)
		}
	}
	d, j := r.duration(i)
	if j > 0 && r.is(j, "starting", "beginning") {
		return r.stretch(d, r.opt(j+1, "from", "on"), false)
	}
	return when{}, 0
}

// upTo is the time from today to the end of the duration at j.
func (r *reader) upTo(j int) (when, int) {
	d, n := r.duration(j)
	if n == 0 {
		return when{}, 0
	}
	if r.is(n, "from") {
		if w, m := r.stretch(d, n+1, true); m > 0 {
			return w, m
		}
	}
	end := d.from(r.now, 1)
	return when{span: span{r.now, end}, until: end, grain: days, fixed: true}, n
}

// stretch is the duration from the day at j on; named says that its last day is a bound that was named.
func (r *reader) stretch(d duration, j int, named bool) (when, int) {
	start, n := r.now, j+1
	if !r.is(j, "now") {
		w, m := r.from(j)
		if m == 0 {
			return when{}, 0
		}
		start, n = w.from, m
	}
	end := d.from(start, 1)
	if named {
		return when{span: span{start, end}, until: end, grain: days, fixed: true}, n
	}
	return when{span: span{start, end.AddDate(0, 0, -1)}, grain: days, fixed: true}, n
}

// weekdaysFrom reads "three Fridays from now", "2 Thursdays back".
func (r *reader) weekdaysFrom(i int) (when, int) {
	n := r.count(i)
	if n.next == 0 || n.ordinal || n.value < 1 || n.value > 60 {
		return when{}, 0
	}
	w, j := r.weekday(n.next)
	if j == 0 {
		return when{}, 0
	}
	c := weekdayCycle(w)
	if next, ok := r.skip(j, "from", "now"); ok {
		s, _ := c.onOrAfter(r.now.AddDate(0, 0, 1))
		return one(s.from.AddDate(0, 0, 7*(n.value-1))), next
	}
	if r.is(j, "ago", "back") {
		s, _ := c.before(r.now)
		return one(s.from.AddDate(0, 0, -7*(n.value-1))), j + 1
	}
	return when{}, 0
}
