package temporal

import (
	"strings"
	"time"
)

// maxDepth bounds how deep an expression may nest: "the third week of the month after next March".
const maxDepth = 5

// base reads an expression that stands alone: a date, a day of the week, a month, a year, a holiday, a relative unit. The
// longest reading wins; next is 0 when there is none.
func (r *reader) base(i int) (best when, next int) {
	if r.depth >= maxDepth || !r.starts(i) {
		return when{}, 0
	}
	key := i*(maxDepth+1) + r.depth
	if m, ok := r.memo[key]; ok {
		return m.when, m.next
	}
	r.depth++
	defer func() {
		r.depth--
		r.memo[key] = reading{best, next}
	}()
	for _, read := range [...]func(int) (when, int){
		r.namedDay, r.relative, r.ago, r.inUnits, r.numeric, r.monthFirst, r.dayMonth, r.dayAlone, r.onWeekday, r.yearAlone, r.decade, r.century, r.numberedUnit, r.nthOf, r.portionOf,
		r.weekOf, r.holiday, r.season, r.closest, r.dayBeside, r.weekdaysFrom,
	} {
		if w, n := read(i); n > next {
			best, next = w, n
		}
	}
	return best, next
}

// point reads a base and what ties it to a period: "June next year", "next week Monday", "Thanksgiving 9 months from now".
func (r *reader) point(i int) (when, int) {
	w, j := r.base(i)
	if j == 0 {
		return when{}, 0
	}
	for range 2 {
		t, n := r.tie(w, j)
		if n == 0 {
			break
		}
		w, j = t, n
	}
	return w, j
}

// tie reads what follows w at j and says which one is meant: the year of a month, the week of a day, the date of a day of the
// week.
func (r *reader) tie(w when, j int) (when, int) {
	if w.bare {
		return when{}, 0
	}
	if x, n := r.tieToPeriod(w, j); n > 0 {
		return x, n
	}
	if w.from.IsZero() || w.to.IsZero() {
		return when{}, 0
	}
	k := r.optPunct(j, ",-(")
	if wd, n := r.weekday(k); n > 0 && w.grain == days && (w.cyc != nil && w.cyc.of == years || w.cyc == nil && !w.fixed) && !r.pluralDay(k) && (k > j && r.at(j).r != '-' || r.at(j).space) {
		if x := onThatWeekday(w, wd); x.from.Weekday() == wd { // "Jul 18, Fri"
			x.cyc = nil
			if r.punct(n, ')') {
				n++
			}
			return x, n
		}
	}
	if w.grain == days && w.from.Equal(w.to) {
		return r.tieDate(w, j, k)
	}
	// A period before its part: "next week Monday", "2016, Nov", "next week on Tuesday", "next week between Wednesday and Friday".
	if r.is(k, "between", "from") && w.fixed && w.cyc == nil {
		if a, n := r.base(k + 1); n > 0 && a.cyc != nil && a.grain < w.grain {
			if m, ok := r.joint(n, r.is(k, "between")); ok {
				if b, n := r.base(m); n > 0 && b.cyc != nil && b.grain == a.grain {
					s, ok1 := a.cyc.within(w.span)
					t, ok2 := b.cyc.within(w.span)
					if ok1 && ok2 && !t.to.Before(s.from) {
						return when{span: span{s.from, t.to}, until: t.from, grain: a.grain, fixed: true}, n
					}
				}
			}
		}
		return when{}, 0
	}
	k = r.opt(k, "on")
	d, n := r.base(k)
	if n > 0 && w.cyc != nil && w.grain == weeks && d.cyc != nil && d.cyc.of == weeks { // "1st week of Oct. on Friday"
		if x, ok := w.part(func(s span) (span, bool) { return d.cyc.in(s.from) }, days, r.now); ok {
			return x, n
		}
	}
	if n == 0 || d.bare || d.cyc == nil || d.grain >= w.grain && w.grain != weeks || d.grain != days && d.grain != monthsUnit && d.grain != quarters || w.cyc != nil {
		return when{}, 0
	}
	if s, ok := d.cyc.within(w.span); ok {
		return when{span: s, grain: d.grain}, n
	}
	return when{}, 0
}

// tieToPeriod reads the period a recurring w is meant in: "June next year", "Thanksgiving 2014", "Thanksgiving in 9 months".
func (r *reader) tieToPeriod(w when, j int) (when, int) {
	if w.cyc == nil {
		return when{}, 0
	}
	k := r.optPunct(j, ",-(")
	starts := [...]int{k, r.opt(k, "of", "in", "from", "for", "on", "during")}
	for _, at := range starts {
		p, n := r.anchor(at)
		if n == 0 || p.recent || p.grain == w.grain && !p.from.Equal(p.to) {
			continue
		}
		if !p.from.Equal(p.to) {
			if s, ok := w.cyc.within(p.span); ok {
				return when{span: s, grain: w.grain, vague: p.vague}, n
			}
		} else if w.cyc.of == weeks && p.counted > 0 {
			return when{span: countedWeekday(w.cyc, p), grain: w.grain}, n
		} else if s, ok := w.cyc.onOrAfter(p.from); ok && w.cyc.of == years && p.counted > 0 { // "in 9 months"
			return when{span: s, grain: w.grain}, n
		}
	}
	return when{}, 0
}

// countedWeekday is the day of the week next to the counted day w: that of its week, or of the days from it on when it was counted
// in months or years.
func countedWeekday(c *cycle, w when) span {
	if w.counted >= monthsUnit+1 {
		s, _ := c.onOrAfter(w.from)
		return s
	}
	s, _ := c.in(period(w.from, weeks).from)
	return s
}

// tieDate reads the date of a day of the week or of the clock: "this Friday (June 15)", "tomorrow, 13/04/21".
func (r *reader) tieDate(w when, j, k int) (when, int) {
	if w.cyc != nil && w.cyc.of != weeks || w.cyc == nil && !w.fixed || r.punct(j, '-') && w.cyc == nil {
		return when{}, 0
	}
	if wd, n := r.weekday(r.opt(k, "on")); n > 0 && w.counted > 0 && !r.pluralDay(r.opt(k, "on")) { // "two months from today on Tuesday"
		return when{span: countedWeekday(weekdayCycle(wd), w), grain: days, fixed: true}, n
	}
	d, n := r.base(k)
	if n == 0 || d.bare || d.grain != days || d.fixed || d.from.IsZero() || d.cyc != nil && d.cyc.of != years {
		return when{}, 0
	}
	if d.cyc != nil { // the one next to that day
		after, ok1 := d.cyc.onOrAfter(w.from)
		before, ok2 := d.cyc.before(w.from)
		switch {
		case ok1 && (!ok2 || after.from.Sub(w.from) <= w.from.Sub(before.from)):
			d.span = after
		case ok2:
			d.span = before
		}
		d.past, d.cyc = span{}, nil
	}
	if r.punct(n, ')') {
		n++
	}
	return d, n
}

// anchor reads a period that another expression can be tied to: a year, a relative unit, a month, or a day counted from today.
func (r *reader) anchor(i int) (when, int) {
	i = r.opt(i, "the")
	if w, n := r.yearAlone(i); n > 0 && w.cyc == nil {
		return w, n
	}
	if y, n := r.year(i); n > 0 {
		return when{span: period(day(y, 1, 1), years), grain: years}, n
	}
	if n := r.number(i); n.next > 0 && n.words > 1 && n.value >= minYear && n.value <= maxAnyYear {
		return when{span: period(day(n.value, 1, 1), years), grain: years}, n.next
	}
	best, next := r.relative(i)
	for _, read := range [...]func(int) (when, int){r.ago, r.inUnits} {
		if w, n := read(i); n > next {
			best, next = w, n
		}
	}
	if w, n := r.monthFirst(i); n > next && w.cyc == nil {
		best, next = w, n
	}
	if next > 0 && best.cyc == nil && !best.from.IsZero() && !best.to.IsZero() {
		return best, next
	}
	return when{}, 0
}

// one makes a when of a single day.
func one(d time.Time) when { return when{span: span{d, d}, grain: days, fixed: true} }

// namedDay reads today, tomorrow, yesterday, now, "the end of year" in short, "recently".
func (r *reader) namedDay(i int) (when, int) {
	j := r.opt(i, "the")
	switch r.w(j) {
	case "today":
		return one(r.now), j + 1
	case "now":
		if r.is(i-1, "from") && clockUnits[r.w(i-2)] { // "3 minutes from now"
			return when{}, 0
		}
		return one(r.now), j + 1
	case "tomorrow", "tmr", "tmrw":
		return one(r.now.AddDate(0, 0, 1)), j + 1
	case "yesterday":
		return one(r.now.AddDate(0, 0, -1)), j + 1
	case "day":
		if n, ok := r.skip(j+1, "before", "yesterday"); ok {
			return one(r.now.AddDate(0, 0, -2)), n
		}
		if n, ok := r.skip(j+1, "after", "tomorrow"); ok {
			return one(r.now.AddDate(0, 0, 2)), n
		}
	case "eom":
		s, _ := portion(period(r.now, monthsUnit), ending, monthsUnit, false)
		return when{span: s, grain: monthsUnit}, j + 1
	case "eoy":
		s, _ := portion(period(r.now, years), late, years, true)
		return when{span: s, grain: years}, j + 1
	case "ytd":
		return when{span: span{period(r.now, years).from, r.now}, until: r.now, grain: years, recent: true}, j + 1
	case "recently", "lately":
		return when{span: recent(r.now), until: r.now, grain: monthsUnit, recent: true, vague: true}, j + 1
	case "year", "month", "quarter":
		if n, ok := r.skip(j+1, "to", "date"); ok {
			u, _ := r.unitAt(j)
			return when{span: span{period(r.now, u).from, r.now}, until: r.now, grain: u, recent: true}, n
		}
	}
	return when{}, 0
}

// clockUnits are the units finer than a day.
var clockUnits = wordSet("second seconds sec secs minute minutes min mins hour hours hr hrs")

// A word that points from the clock.
type pointer struct {
	n    int // -1 before, 0 now, 1 after
	near bool
	weak bool // "that", "same": which one is not said
}

var pointers = map[string]pointer{
	"last": {n: -1}, "past": {n: -1, near: true}, "previous": {n: -1}, "prior": {n: -1}, "preceding": {n: -1},
	"this": {}, "current": {}, "present": {}, "that": {weak: true}, "same": {weak: true}, "these": {},
	"next": {n: 1}, "coming": {n: 1, near: true}, "upcoming": {n: 1, near: true}, "following": {n: 1}, "subsequent": {n: 1},
}

// relative reads "last year", "the past 3 months", "next March", "this weekend", "5 upcoming years", "the week".
func (r *reader) relative(i int) (when, int) {
	j := r.opt(i, "the", "these", "those")
	the := j > i
	if n := r.count(j); n.next > 0 && !n.ordinal {
		if p, ok := pointers[r.w(n.next)]; ok && p.n != 0 {
			if u, next := r.unitAt(n.next + 1); next > 0 && (p.near || n.value == 1 || strings.HasSuffix(r.w(next-1), "s")) {
				return r.window(p, n.value, u), next
			}
		}
		return when{}, 0
	}
	p, ok := pointers[r.w(j)]
	if !ok {
		return r.theUnit(i, j, the)
	}
	j++
	if q, ok := pointers[r.w(j)]; ok && p.n == 0 { // "this past week", "the same next"
		p = q
		j++
	}
	j = r.opt(j, "calendar")
	if n := r.count(j); n.next > 0 && !n.ordinal && p.n != 0 {
		return r.windowOf(p, n, j)
	}
	if r.is(j, "fiscal", "financial", "school", "academic") && r.is(j+1, "year", "quarter", "month") {
		return when{bare: true, grain: years}, j + 2
	}
	if u, next := r.unitAt(j); next > 0 {
		if p.n == 0 && p.weak && r.is(next, "of", "when") && r.w(j-1) == "that" {
			return when{}, 0
		}
		if p.n != 0 && strings.HasSuffix(r.w(next-1), "s") { // "in the coming weeks"
			w := r.window(p, 3, u)
			w.vague = true
			return w, next
		}
		return r.neighbour(p, u), next
	}
	if r.is(j, "season", "seasons") {
		return r.seasonFromNow(p.n), j + 1
	}
	if r.is(j, "half") && r.is(j+1, "year") {
		return r.neighbour(p, halves), j + 2
	}
	return r.pointed(p, j)
}

// theUnit reads "the week", "the month": the one of the clock, for want of another.
func (r *reader) theUnit(i, j int, the bool) (when, int) {
	u, next := r.unitAt(j)
	if u == weekends && next > 0 && !the && r.w(next-1) != "weekends" && !r.is(i-1, "every", "each", "any", "a", "of", "per", "s") && r.at(i-1).kind != 0 && !r.is(next, "of", "in") {
		return when{span: period(r.now, u), grain: u, vague: true, fixed: true}, next
	}
	if !the || next == 0 || !r.is(i, "the") || r.is(next, "of", "before", "after", "in", "when", "that", "starting", "beginning", "ending") || r.at(j).poss {
		return when{}, 0
	}
	if w := r.w(j); w[len(w)-1] == 's' {
		return when{}, 0
	}
	if _, n := r.year(next); n > 0 {
		return when{}, 0
	}
	if t := r.at(next); u == days && t.kind != 0 && t.kind != 'p' {
		return when{}, 0
	}
	w := when{span: period(r.now, u), grain: u, vague: true, fixed: true}
	if n := r.number(next); n.next > 0 && n.words != 1 {
		return when{}, 0
	}
	return w, next
}

// windowOf reads the count n and the units behind it: "3 months", "5 years 1 month 12 days".
func (r *reader) windowOf(p pointer, n num, at int) (when, int) {
	j := r.opt(n.next, "more", "full", "whole", "calendar")
	u, next := r.unitAt(j)
	if next == 0 {
		return when{}, 0
	}
	if d, dn := r.duration(at); dn > next && !countedFrom[r.w(dn)] { // "the last 3 months and two weeks ago" are two
		if p.n < 0 {
			return when{span: span{d.from(r.now, -1), r.now.AddDate(0, 0, -1)}, grain: days, fixed: true, recent: true}, dn
		}
		end := d.from(r.now, 1)
		return when{span: span{r.now, end}, until: end, grain: days, fixed: true}, dn
	}
	return r.window(p, n.value, u), next
}

// countedFrom are the words that count a duration from a point.
var countedFrom = wordSet("ago back earlier previously hence later from after before prior")

// window is the n units u before or after today. Days, weeks, months and years are counted from today; longer units, and
// quarters, are those of the calendar.
func (r *reader) window(p pointer, n int, u unit) when {
	if n < 1 || n > maxCount {
		return when{bare: true}
	}
	w := when{grain: u, fixed: true, recent: p.n < 0}
	switch u {
	case days, weeks, monthsUnit, years, fortnights, workdays:
		if p.n < 0 {
			w.span = span{shift(r.now, -n, u), r.now.AddDate(0, 0, -1)}
		} else {
			first := r.now.AddDate(0, 0, 1)
			w.span = span{first, shift(first, n, u).AddDate(0, 0, -1)}
			if u == workdays {
				w.span = span{shift(r.now, 1, u), shift(r.now, n, u)}
			}
		}
	default:
		this := period(r.now, u)
		if u == decades || u == centuries {
			this = decadeOf(r.now, u)
		}
		if p.n < 0 {
			w.span = span{shift(this.from, -n, u), this.from.AddDate(0, 0, -1)}
		} else {
			first := shift(this.from, 1, u)
			w.span = span{first, shift(first, n, u).AddDate(0, 0, -1)}
		}
	}
	return w
}

// decadeOf is the decade or the century of t, both counted from a year that ends in 0.
func decadeOf(t time.Time, u unit) span {
	n := 10
	if u == centuries {
		n = 100
	}
	y := t.Year() / n * n
	return span{day(y, 1, 1), day(y+n-1, 12, 31)}
}

// neighbour is the unit u before, of or after today.
func (r *reader) neighbour(p pointer, u unit) when {
	this := period(r.now, u)
	if u == decades || u == centuries {
		this = decadeOf(r.now, u)
	}
	s := this
	if p.n != 0 {
		s.from = shift(this.from, p.n, u)
		s.to = shift(this.from, p.n+1, u).AddDate(0, 0, -1)
		if u == weekends {
			s.to = s.from.AddDate(0, 0, 1)
		}
	}
	return when{span: s, grain: u, vague: p.weak, fixed: true}
}

// pointed reads what a pointer may stand before: a day of the week, a month, a season, a quarter, a holiday.
func (r *reader) pointed(p pointer, j int) (when, int) {
	if w, next := r.weekday(j); next > 0 && !r.pluralDay(j) {
		week := shift(period(r.now, weeks).from, p.n, weeks)
		s, _ := weekdayCycle(w).in(week)
		switch {
		case p.n < 0 && p.near: // the last one that was
			s, _ = weekdayCycle(w).before(r.now)
		case p.n == 0 && s.to.Before(r.now), p.n > 0 && p.near:
			s, _ = weekdayCycle(w).onOrAfter(r.now.AddDate(0, 0, 1))
		}
		return when{span: s, grain: days, fixed: true}, next
	}
	if d, next := r.numeric(j); next > 0 && d.cyc != nil && d.grain == days { // "this 5/12"
		s, ok := d.cyc.in(period(r.now, years).from)
		if p.n > 0 && (!ok || !s.from.After(r.now)) || p.n < 0 {
			s = d.span
			if p.n < 0 {
				s = d.past
			}
		}
		return when{span: s, grain: days, fixed: true}, next
	}
	c, grain, next := r.cycleAt(j)
	if next == 0 {
		return when{}, 0
	}
	upcoming, past := c.near(r.now)
	if upcoming.from.IsZero() {
		return when{}, 0
	}
	s := upcoming
	switch {
	case p.n < 0:
		s = past
		if past.to.IsZero() || !upcoming.from.After(r.now) && upcoming.to.Before(r.now) {
			s = upcoming
		}
	case p.n > 0 && !upcoming.from.After(r.now):
		s, _ = c.onOrAfter(r.now.AddDate(0, 0, 1))
	case p.n == 0 && grain == monthsUnit:
		if in, ok := c.in(period(r.now, years).from); ok {
			s = in
		}
	}
	return when{span: s, grain: grain, fixed: true}, next
}

// cycleAt reads a month, a season, a quarter or a holiday that recurs.
func (r *reader) cycleAt(j int) (*cycle, unit, int) {
	if m, next := r.month(j); next > 0 && !(r.w(j) == "may" && !r.at(j).capital) && !r.at(j).poss {
		if n := r.number(next); n.next > 0 && n.value <= longestMonthDay && n.value > 0 && (n.ordinal || n.digits > 0 && n.digits < 3) {
			return monthDayCycle(m, n.value), days, n.next
		}
		if r.w(j) == "may" && r.auxiliary(j) {
			return nil, 0, 0
		}
		return monthCycle(m), monthsUnit, next
	}
	if c, next := r.seasonCycle(j); next > 0 {
		return c, quarters, next
	}
	if h, next := r.holidayAt(j); next > 0 {
		return h.cycle(), days, next
	}
	if w, next := r.numberedUnit(j); next > 0 && w.cyc != nil {
		return w.cyc, w.grain, next
	}
	return nil, 0, 0
}

const longestMonthDay = 31

// pluralDay reports whether the day of the week at j stands for all of them.
func (r *reader) pluralDay(j int) bool {
	w := r.w(j)
	return len(w) > 5 && w[len(w)-1] == 's'
}
