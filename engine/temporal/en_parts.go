package temporal

import "time"

// nthOf reads "the first week of 2015", "the last Monday of March", "third last week of 2018", "the first 2 weeks of 2021",
// "third Tuesday after Christmas 2014", "first quarter of 2013", "4th quarter 2018", "second half of last year".
func (r *reader) nthOf(i int) (when, int) {
	j := r.opt(i, "the")
	n, k := 0, j
	stands := false // the expression is one without what follows: "last month"
	if o := r.number(j); o.next > 0 && o.ordinal && o.value >= 1 && o.value <= 53 {
		n, k = o.value, o.next
		if r.is(k, "last") || r.is(k, "to") && r.is(k+1, "last") {
			n, k = -n, r.opt(r.opt(k, "to"), "last")
		}
	} else if r.is(j, "last") {
		n, k, stands = -1, j+1, true
	}
	if n == 0 {
		return when{}, 0
	}
	if w, next := r.weekday(k); next > 0 {
		if r.is(next, "after") && n > 0 {
			if p, m := r.point(next + 1); m > 0 && p.grain == days && !p.from.IsZero() {
				s, ok := weekdayCycle(w).onOrAfter(p.from.AddDate(0, 0, 1))
				return when{span: span{s.from.AddDate(0, 0, 7*(n-1)), s.from.AddDate(0, 0, 7*(n-1))}, grain: days, bare: !ok}, m
			}
		}
		part := func(s span) (span, bool) { return nthWeekday(s, n, w) }
		if x, m := r.partOf(next, days, stands, part); m > 0 || n < 0 || r.pluralDay(k) || r.is(next, "of") {
			return x, m
		}
		c := (&cycle{monthsUnit, func(t time.Time) (span, bool) { return period(t, monthsUnit), true }}).sub(part)
		x, ok := recurring(c, days, r.now)
		if !ok {
			return when{}, 0
		}
		if s, ok := c.in(period(r.now, monthsUnit).from); ok { // that of this month
			x.span, x.past = s, span{}
		}
		x.vague = true
		return x, next
	}
	count := 1
	if c := r.number(k); c.next > 0 && !c.ordinal && c.value >= 1 && c.value <= maxCount {
		count, k = c.value, c.next
	}
	if r.is(k, "half") && count == 1 && (n == 1 || n == 2) {
		return r.partOf(k+1, halves, false, func(s span) (span, bool) { return half(s, n) })
	}
	u, next := r.unitAt(k)
	if next == 0 {
		return when{}, 0
	}
	if r.is(k, "week") && r.is(k+1, "end") { // "last week end of October"
		if w, m := r.partOf(k+2, weekends, stands, func(s span) (span, bool) { return nthRun(s, n, 1, weekends) }); m > 0 {
			return w, m
		}
	}
	part := func(s span) (span, bool) { return nthRun(s, n, count, u) }
	if w, m := r.partOf(next, u, stands, part); m > 0 {
		return w, m
	}
	if u == quarters && count == 1 && n > 0 && n <= 4 { // of each year
		c := yearly(part)
		if y, m := r.yearOf(next); m > 0 {
			s, ok := c.in(day(y, 1, 1))
			return when{span: s, grain: u, bare: !ok}, m
		}
		w, _ := recurring(c, u, r.now)
		if s, ok := c.in(period(r.now, years).from); ok && !s.to.Before(r.now) {
			w.span = s
		}
		return w, next
	}
	return when{}, 0
}

// yearly makes a cycle of a part of each year.
func yearly(part func(span) (span, bool)) *cycle { return monthCycle(1).widen().sub(part) }

// widen makes whole years of a yearly cycle.
func (c *cycle) widen() *cycle {
	return c.sub(func(s span) (span, bool) { return period(s.from, years), true })
}

// half is the first or second half of a period: of a year, a quarter or a month.
func half(s span, n int) (span, bool) {
	days := int(s.to.Sub(s.from).Hours()/24) + 1
	mid := s.from.AddDate(0, 0, days/2)
	if days > 300 {
		mid = day(s.from.Year(), 7, 1)
	}
	if days >= 28 && days <= 31 {
		mid = day(s.from.Year(), int(s.from.Month()), 16)
	}
	if n == 1 {
		return span{s.from, mid.AddDate(0, 0, -1)}, true
	}
	return span{mid, s.to}, true
}

// partOf reads "of" or "in" and a period at i, and takes a part of it. What stands by itself ("last week") is part of a
// following period only by such a word or when that is a year: "last week, next month" are two, "third week, next month" is one.
func (r *reader) partOf(i int, grain unit, stands bool, part func(span) (span, bool)) (when, int) {
	j := i
	if !r.is(j, "of", "in", "during") {
		j = r.optPunct(j, ",")
		_, pointed := pointers[r.w(j)]
		if stands || j == i && !pointed {
			if _, n := r.year(j); n == 0 {
				return when{}, 0
			}
		}
	} else {
		j++
	}
	w, n := r.portioned(j)
	if n == 0 {
		return when{}, 0
	}
	x, ok := w.part(part, grain, r.now)
	if !ok {
		return when{}, 0
	}
	return x, n
}

// wide reads a period that has parts: a month, a year, a quarter, a relative unit.
func (r *reader) wide(i int) (when, int) {
	if y, n := r.year(r.opt(i, "the")); n > 0 {
		return yearWhen(y, false), n
	}
	if n := r.number(i); n.next > 0 && n.words > 1 && n.value >= minYear && n.value <= maxAnyYear {
		return yearWhen(n.value, false), n.next
	}
	if r.depth >= maxDepth {
		return when{}, 0
	}
	w, n := r.point(i)
	if n == 0 || w.bare || w.from.IsZero() || w.to.IsZero() || w.grain == days {
		return when{}, 0
	}
	return w, n
}

// portionOf reads "early 2015", "mid-November", "late last month", "the end of the year", "earlier this year", "later this
// week", "the rest of the month".
func (r *reader) portionOf(i int) (when, int) {
	j := r.opt(i, "the")
	which, k := -1, j+1
	switch r.w(j) {
	case "early":
		which = early
	case "mid":
		which = middle
	case "late":
		which = late
	case "beginning", "start":
		which = beginning
	case "middle":
		which = middle
	case "end":
		which = ending
	case "earlier", "later":
		return r.beforeOrAfterToday(j)
	case "rest", "remainder":
		return r.restOf(j)
	}
	if which < 0 {
		return when{}, 0
	}
	if r.is(j, "beginning", "start", "middle", "end") {
		if k = r.opt(k, "of"); k == j+1 && !r.is(k, "this", "next", "last", "the") {
			return when{}, 0
		}
	} else {
		k = r.optPunct(k, "-")
		k = r.opt(k, "in", "of")
	}
	w, n := r.portioned(k)
	if n == 0 {
		return when{}, 0
	}
	halves := w.grain == years && w.fixed
	grain := w.grain
	x, ok := w.part(func(s span) (span, bool) { return portion(s, which, grain, halves) }, grain, r.now)
	if !ok {
		return when{}, 0
	}
	x.fixed = w.fixed
	return x, n
}

// portioned reads the period an "early" or "end of" is part of; "year", "month" and "week" may stand without an article.
func (r *reader) portioned(k int) (when, int) {
	if r.is(k, "year", "month", "week", "quarter", "decade", "century") {
		if w, n := r.yearAlone(k); n > 0 {
			return w, n
		}
		if u, n := r.unitAt(k); n > 0 && !r.is(n, "of") {
			return when{span: period(r.now, u), grain: u, fixed: true}, n
		}
	}
	if w, n := r.decade(k); n > 0 {
		return w, n
	}
	if v, ok := tensPlural[r.w(k)]; ok {
		return twoDecades(v), k + 1
	}
	w, n := r.wide(k)
	if n > 0 && r.is(k, "the") && w.vague {
		w.vague, w.fixed = false, true
	}
	return w, n
}

// beforeOrAfterToday reads "earlier this year", "later in the week".
func (r *reader) beforeOrAfterToday(j int) (when, int) {
	k := r.opt(j+1, "in", "on")
	w, n := r.relative(k)
	if n == 0 || w.grain == days || w.from.IsZero() {
		return when{}, 0
	}
	if w.from.After(r.now) || w.to.Before(r.now) {
		which := late
		if r.is(j, "earlier") {
			which = early
		}
		s, ok := portion(w.span, which, w.grain, true)
		if !ok {
			return when{}, 0
		}
		return when{span: s, grain: w.grain, fixed: true}, n
	}
	if r.is(j, "earlier") {
		return when{span: span{w.from, r.now}, until: r.now, grain: w.grain, fixed: true}, n
	}
	s, _ := portion(w.span, late, w.grain, true)
	if s.from.Before(r.now) {
		s.from = r.now
	}
	return when{span: s, grain: w.grain, fixed: true}, n
}

// restOf reads "the rest of the week".
func (r *reader) restOf(j int) (when, int) {
	k := r.opt(j+1, "of")
	u, n := r.unitAt(k)
	if n == 0 {
		w, m := r.relative(k)
		if m == 0 || w.from.After(r.now) || w.to.Before(r.now) {
			return when{}, 0
		}
		return when{span: span{r.now, w.to}, until: w.to, grain: w.grain, fixed: true}, m
	}
	to := period(r.now, u).to
	return when{span: span{r.now, to}, until: to, grain: u, fixed: true}, n
}

// weekOf reads "the week of October 7th", "the week starting Monday".
func (r *reader) weekOf(i int) (when, int) {
	j := r.opt(i, "the")
	if k, ok := r.skip(j, "weekend", "of"); ok {
		if w, n := r.point(k); n > 0 && w.grain == days && !w.bare {
			if x, ok := w.part(weekendOf, weekends, r.now); ok {
				return x, n
			}
		}
		return when{}, 0
	}
	if !r.is(j, "week") || !r.is(j+1, "of", "starting", "beginning", "commencing") {
		return when{}, 0
	}
	w, n := r.point(r.opt(j+2, "on"))
	if n == 0 || w.grain != days || w.from.IsZero() {
		return when{}, 0
	}
	s := when{span: period(w.from, weeks), grain: weeks, fixed: true}
	if !w.past.from.IsZero() {
		s.past = period(w.past.from, weeks)
	}
	return s, n
}

// closest reads "the closest Monday to Oct 5th", "the second closest Christmas to today".
func (r *reader) closest(i int) (when, int) {
	j := r.opt(i, "the")
	rank := 1
	if o := r.number(j); o.next > 0 && o.ordinal && o.value <= 10 {
		rank, j = o.value, o.next
	}
	if !r.is(j, "closest", "nearest") {
		return when{}, 0
	}
	var c *cycle
	k := 0
	if w, n := r.weekday(j + 1); n > 0 {
		c, k = weekdayCycle(w), n
	} else if cc, _, n := r.cycleAt(j + 1); n > 0 {
		c, k = cc, n
	}
	if k == 0 || !r.is(k, "to") {
		return when{}, 0
	}
	p, n := r.point(k + 1)
	if n == 0 || p.from.IsZero() {
		return when{}, 0
	}
	after, ok1 := c.onOrAfter(p.from)
	before, ok2 := c.before(p.from)
	for ; rank > 0 && ok1 && ok2; rank-- {
		if p.from.Sub(before.from) < after.from.Sub(p.from) {
			if rank == 1 {
				return when{span: before, grain: days, fixed: true}, n
			}
			before, ok2 = c.before(before.from)
		} else {
			if rank == 1 {
				return when{span: after, grain: days, fixed: true}, n
			}
			after, ok1 = c.onOrAfter(after.from.AddDate(0, 0, 1))
		}
	}
	return when{}, 0
}

// dayBeside reads "the day after Christmas", "the day before".
func (r *reader) dayBeside(i int) (when, int) {
	j := r.opt(i, "the")
	if m, n := r.month(j); n > 0 { // "March after next"
		if k, ok := r.skip(n, "after", "next"); ok {
			first, _ := monthCycle(m).onOrAfter(r.now.AddDate(0, 0, 1))
			return when{span: period(day(first.from.Year()+1, m, 1), monthsUnit), grain: monthsUnit, fixed: true}, k
		}
		return when{}, 0
	}
	if w, n := r.weekday(j); n > 0 && !r.pluralDay(j) && r.is(n, "before", "after") { // "the Monday after Thanksgiving"
		return r.besides(n, days, func(s span) (span, bool) {
			if r.is(n, "after") {
				return weekdayCycle(w).onOrAfter(s.to.AddDate(0, 0, 1))
			}
			return weekdayCycle(w).before(s.from)
		})
	}
	u, next := r.unitAt(j)
	if next == 0 || !r.is(next, "before", "after") {
		return when{}, 0
	}
	if u == weeks || u == weekends { // "the week before Christmas"
		dir := map[bool]int{true: -1, false: 1}[r.is(next, "before")]
		if w, n := r.besides(next, u, func(s span) (span, bool) { return period(shift(s.from, dir, weeks), u), true }); n > 0 {
			return w, n
		}
	}
	the := j > i
	j = next
	dir := 1
	if r.is(j, "before") {
		dir = -1
	}
	if k := r.opt(j+1, "the"); r.is(k, "next", "last") && (k+1 >= len(r.t) || r.at(k+1).kind != 'w') { // "the month after the next"
		return when{span: period(shift(period(r.now, u).from, 2*dir, u), u), grain: u, fixed: true}, k + 1
	}
	if u != days || !the {
		return when{}, 0
	}
	if p, n := r.point(j + 1); n > 0 && p.grain == days && !p.from.IsZero() && !p.bare {
		move := func(s span) (span, bool) {
			return span{s.from.AddDate(0, 0, dir), s.from.AddDate(0, 0, dir)}, true
		}
		if w, ok := p.part(move, days, r.now); ok {
			return w, n
		}
	}
	if t := r.at(j + 1); t.kind == 0 || t.kind == 'p' {
		d := r.now.AddDate(0, 0, dir)
		return when{span: span{d, d}, grain: days, vague: true}, j + 1
	}
	return when{}, 0
}

// besides reads a day behind the "before" or "after" at j, and takes what stands next to it.
func (r *reader) besides(j int, grain unit, part func(span) (span, bool)) (when, int) {
	p, n := r.point(j + 1)
	if n == 0 || p.grain != days || p.from.IsZero() || p.bare || p.cyc != nil && p.cyc.of == weeks {
		return when{}, 0
	}
	w, ok := p.part(part, grain, r.now)
	if !ok {
		return when{}, 0
	}
	return w, n
}
