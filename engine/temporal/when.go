package temporal

import "time"

// when is an expression of time as it was understood.
type when struct {
	span
	past    span      // the reading before, of an expression that may be either ("in March"); zero when there is one reading
	grain   unit      // the unit the expression speaks in
	cyc     *cycle    // of an expression that recurs and is not yet tied to a year, month or week
	until   time.Time // first day of the second end of a range with two ends
	side    string    // After or Before, of a range with one open end
	recent  bool      // a window that ends today
	vague   bool      // "the year": only what stands around it says which
	bare    bool      // named, but its days cannot be told ("the fiscal year")
	fixed   bool      // tied to the clock by its words ("next", "ago"), not to be anchored again
	counted unit      // one more than the unit a day was counted in from another ("2 months from now"); 0 for other days
}

// cycle is what an expression recurs in: "March" in years, "the 21st" in months, "Friday" in weeks.
type cycle struct {
	of unit
	// in returns the occurrence in the cycle that begins at t; false when there is none (29 February).
	in func(t time.Time) (span, bool)
}

// maxCycles bounds the search for an occurrence: 29 February comes every 4 or 8 years, Monday the 31st within two years.
const maxCycles = 42

// near returns the occurrence that ends on or after now, and the one before it.
func (c *cycle) near(now time.Time) (next, past span) {
	base := period(now, c.of).from
	for k := -1; k <= maxCycles; k++ {
		s, ok := c.in(shift(base, k, c.of))
		if !ok || s.to.Before(now) {
			continue
		}
		next = s
		for k--; k >= -maxCycles; k-- {
			if s, ok := c.in(shift(base, k, c.of)); ok && s.from.Before(next.from) {
				return next, s
			}
		}
		return next, span{}
	}
	return span{}, span{}
}

// within returns the first occurrence that begins in s.
func (c *cycle) within(s span) (span, bool) {
	if s.from.IsZero() || s.to.IsZero() {
		return span{}, false
	}
	t := period(s.from, c.of).from
	for k := -1; k <= maxCycles; k++ {
		at, ok := c.in(shift(t, k, c.of))
		switch {
		case !ok || at.from.Before(s.from):
		case at.from.After(s.to):
			return span{}, false
		default:
			return at, true
		}
	}
	return span{}, false
}

// onOrAfter returns the first occurrence that begins on or after t.
func (c *cycle) onOrAfter(t time.Time) (span, bool) {
	return c.within(span{t, t.AddDate(100, 0, 0)})
}

// before returns the last occurrence that begins before t.
func (c *cycle) before(t time.Time) (span, bool) {
	base := period(t, c.of).from
	for k := 1; k >= -maxCycles; k-- {
		if s, ok := c.in(shift(base, k, c.of)); ok && s.from.Before(t) {
			return s, true
		}
	}
	return span{}, false
}

// recurring makes a when of a cycle; ok is false when it never occurs.
func recurring(c *cycle, grain unit, now time.Time) (when, bool) {
	next, past := c.near(now)
	if next.from.IsZero() {
		return when{}, false
	}
	return when{span: next, past: past, grain: grain, cyc: c}, true
}

// monthCycle is a month of each year.
func monthCycle(m int) *cycle {
	return &cycle{years, func(t time.Time) (span, bool) { return period(day(t.Year(), m, 1), monthsUnit), true }}
}

// monthDayCycle is a day of each year.
func monthDayCycle(m, d int) *cycle {
	return &cycle{years, func(t time.Time) (span, bool) { return dayOf(t.Year(), m, d) }}
}

// dayOf is a single day; false when there is no such day.
func dayOf(y, m, d int) (span, bool) {
	if m < 1 || m > 12 || d < 1 || y < 1 || y > maxAnyYear || d > daysIn(y, m) {
		return span{}, false
	}
	return span{day(y, m, d), day(y, m, d)}, true
}

// maxAnyYear is the last year an expression may name.
const maxAnyYear = 2999

// monthdayCycle is a numbered day of each month.
func dayCycle(d int) *cycle {
	return &cycle{monthsUnit, func(t time.Time) (span, bool) { return dayOf(t.Year(), int(t.Month()), d) }}
}

// weekdayCycle is a day of each week.
func weekdayCycle(w time.Weekday) *cycle {
	return &cycle{weeks, func(t time.Time) (span, bool) {
		d := t.AddDate(0, 0, (int(w)+6)%7)
		return span{d, d}, true
	}}
}

// weekdayDate is the day d of a month that is also the weekday w.
func weekdayDate(w time.Weekday, d int) *cycle {
	return &cycle{monthsUnit, func(t time.Time) (span, bool) {
		s, ok := dayOf(t.Year(), int(t.Month()), d)
		return s, ok && s.from.Weekday() == w
	}}
}

// nth returns the nth unit u that belongs to p, counted from the end when n is negative. A week belongs to the period that holds
// its Thursday (ISO 8601), a weekend to the one that holds its Saturday.
func nth(p span, n int, u unit) (span, bool) {
	s, ok := nthRun(p, n, 1, u)
	return s, ok
}

// nthRun returns count units u from the nth on, or the last count of them when n is negative.
func nthRun(p span, n, count int, u unit) (span, bool) {
	if p.from.IsZero() || p.to.IsZero() || n == 0 || count < 1 || count > maxCount {
		return span{}, false
	}
	first, last := edge(p.from, u, 1), edge(p.to, u, -1)
	var s span
	if n > 0 {
		s = span{shift(first.from, n-1, u), period(shift(first.from, n-1+count-1, u), u).to}
	} else {
		s = span{shift(last.from, n+1-(count-1), u), period(shift(last.from, n+1, u), u).to}
	}
	if s.to.Before(p.from) || s.from.After(p.to) {
		return span{}, false
	}
	return s, true
}

// edge returns the first (dir 1) or the last (dir -1) unit that belongs to the period with the end t.
func edge(t time.Time, u unit, dir int) span {
	s := period(t, u)
	pivot := s.from
	switch u {
	case weeks:
		pivot = s.from.AddDate(0, 0, 3)
	case weekends:
		// the weekend of this week, told by its Saturday
	}
	if dir > 0 && pivot.Before(t) {
		return period(shift(s.from, 1, u), u)
	}
	if dir < 0 && pivot.After(t) {
		return period(shift(s.from, -1, u), u)
	}
	return s
}

// nthWeekday returns the nth weekday w of p, counted from the end when n is negative.
func nthWeekday(p span, n int, w time.Weekday) (span, bool) {
	if p.from.IsZero() || p.to.IsZero() || n == 0 || n > 53 || n < -53 {
		return span{}, false
	}
	var d time.Time
	if n > 0 {
		d = p.from.AddDate(0, 0, (int(w)-int(p.from.Weekday())+7)%7+7*(n-1))
	} else {
		d = p.to.AddDate(0, 0, -((int(p.to.Weekday())-int(w)+7)%7)+7*(n+1))
	}
	return span{d, d}, !d.Before(p.from) && !d.After(p.to)
}

// sub makes a cycle of a part of what another one returns.
func (c *cycle) sub(part func(span) (span, bool)) *cycle {
	return &cycle{c.of, func(t time.Time) (span, bool) {
		s, ok := c.in(t)
		if !ok {
			return span{}, false
		}
		return part(s)
	}}
}

// part applies f to what w means, and keeps it a cycle when it is one.
func (w when) part(f func(span) (span, bool), grain unit, now time.Time) (when, bool) {
	if w.cyc != nil {
		return recurring(w.cyc.sub(f), grain, now)
	}
	s, ok := f(w.span)
	return when{span: s, grain: grain, vague: w.vague}, ok
}

// A portion of a period: "early", "mid", "late", "the beginning of", "the end of".
const (
	early = iota
	middle
	late
	beginning
	ending
)

// portion returns a part of a period of the given grain. Of a month, early and late are halves, its middle is the 10th to the
// 20th, its beginning the first and its end the last ten days; a week has its early days to Wednesday, its middle from
// Tuesday to Friday, its late days from Thursday and its end from Friday on; a year is cut in thirds, or in halves when it is
// the one of the clock ("the end of this year").
func portion(s span, which int, grain unit, halves bool) (span, bool) {
	y, m := s.from.Year(), int(s.from.Month())
	switch grain {
	case weeks:
		from, to := [5]int{0, 1, 3, 0, 4}, [5]int{2, 4, 6, 2, 6}
		return span{s.from.AddDate(0, 0, from[which]), s.from.AddDate(0, 0, to[which])}, true
	case monthsUnit:
		from, to := [5]int{1, 10, 16, 1, 21}, [5]int{15, 20, daysIn(y, m), 10, daysIn(y, m)}
		return span{day(y, m, from[which]), day(y, m, to[which])}, true
	case years:
		which = [5]int{early, middle, late, early, late}[which]
		if halves && which != middle {
			return span{day(y, 1+which/late*6, 1), day(y, 6+which/late*6, 30+which/late)}, true
		}
		from, to := [3]int{1, 5, 9}, [3]int{4, 8, 12}
		return span{day(y, from[which], 1), day(y, to[which], daysIn(y, to[which]))}, true
	case decades, centuries:
		n := 1
		if grain == centuries {
			n = 10
		}
		from, to := [5]int{0, 4, 7, 0, 7}, [5]int{3, 6, 9, 3, 9}
		return span{day(y+n*from[which], 1, 1), day(y+n*to[which]+n-1, 12, 31)}, true
	case days, fortnights, weekends:
		return s, true
	}
	// thirds by days
	which = [5]int{early, middle, late, early, late}[which]
	n := int(s.to.Sub(s.from).Hours()/24) + 1
	third := n / 3
	if third == 0 {
		return s, true
	}
	from, to := s.from.AddDate(0, 0, third*which), s.from.AddDate(0, 0, third*(which+1)-1)
	if which == late {
		to = s.to
	}
	return span{from, to}, true
}
