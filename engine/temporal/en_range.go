package temporal

// expression reads a whole expression at i: a range, a period with an open end, or a point; next is 0 when there is none.
func (r *reader) expression(i int) (best when, next int) {
	if !r.starts(i) {
		return when{}, 0
	}
	clear(r.memo)
	for _, read := range [...]func(int) (when, int){r.between, r.bounded, r.point} {
		if w, n := read(i); n > next {
			best, next = w, n
		}
	}
	if next == 0 || best.side != "" {
		return best, next
	}
	return r.openedBehind(best, i, next)
}

// between reads a range with two ends: "from 2014 to 2018", "July 13-15", "between 4 and 22 this month", "Nov-Feb 2017".
func (r *reader) between(i int) (when, int) {
	j := r.opt(i, "from", "between", "in", "during")
	and := j > i && r.is(i, "between")
	if m, k := r.month(j); k > 0 { // "July 13-15", "Feb between 2-7, 2018"
		if w, n := r.monthThenDays(m, k); n > 0 {
			return w, n
		}
	}
	if w, n := r.daysThenMonth(j, and); n > 0 {
		return w, n
	}
	if w, n := r.yearAndShort(j); n > 0 {
		return w, n
	}
	a, k := r.firstEnd(j)
	if k == 0 {
		return when{}, 0
	}
	k, ok := r.joint(k, and)
	if !ok {
		return when{}, 0
	}
	b, n, until := r.secondEnd(k)
	if n == 0 {
		return when{}, 0
	}
	w, ok := r.join(a, b)
	if !ok {
		return when{}, 0
	}
	if until { // "until the end of June"
		w.until = w.to.AddDate(0, 0, 1)
	}
	return w, n
}

// firstEnd reads the first end of a range. Its "end of 2007" is where 2007 ends, its "middle of March" the 16th.
func (r *reader) firstEnd(i int) (when, int) {
	if w, n := r.instant(i); n > 0 {
		return w, n
	}
	return r.point(i)
}

// instant reads "the end of June" or "the middle of 2007" as a moment that a range begins or ends with.
func (r *reader) instant(i int) (when, int) {
	j := r.opt(i, "the")
	if !r.is(j, "end", "middle") || !r.is(j+1, "of") {
		return when{}, 0
	}
	w, n := r.portioned(j + 2)
	if n == 0 {
		return when{}, 0
	}
	at := func(s span) (span, bool) {
		d := s.to.AddDate(0, 0, 1)
		if r.is(j, "middle") {
			d = s.from.AddDate(0, 0, int(d.Sub(s.from).Hours()/24)/2)
		}
		return span{d, d}, true
	}
	w, ok := w.part(at, days, r.now)
	if !ok {
		return when{}, 0
	}
	return w, n
}

// joint passes over what stands between the two ends of a range.
func (r *reader) joint(k int, and bool) (int, bool) {
	t := r.at(k)
	switch {
	case t.kind == 'p' && (t.r == '-' || t.r == '–' || t.r == '—' || t.r == '~' || t.r == '～'):
		return r.opt(k+1, "the"), true
	case r.is(k, "to", "till", "until", "untill", "through", "thru", "thro"):
		return r.opt(k+1, "the"), true
	case and && r.is(k, "and"):
		return r.opt(k+1, "the"), true
	}
	return k, false
}

// secondEnd reads the second end of a range; whole says that it is the end of a period that was named so.
func (r *reader) secondEnd(k int) (b when, next int, whole bool) {
	j := r.opt(k, "the")
	if r.is(j, "end") && r.is(j+1, "of") {
		if w, n := r.portioned(r.opt(j+2, "of")); n > 0 {
			return w, n, true
		}
	}
	if r.is(j, "date", "present", "now") && !r.is(j+1, "of") {
		return one(r.now), j + 1, false
	}
	if w, n := r.instant(k); n > 0 {
		return w, n, false
	}
	if y, n := r.year(k); n > 0 && !r.is(n, "of") {
		b, next = yearWhen(y, false), n
	}
	if w, n := r.point(k); n > next {
		return w, n, false
	}
	return b, next, false
}

// join makes one range of two ends. What one leaves open (the year) it takes from the other.
func (r *reader) join(a, b when) (when, bool) {
	if a.bare || b.bare || a.from.IsZero() || b.from.IsZero() || a.to.IsZero() || b.to.IsZero() || a.side != "" || b.side != "" {
		return when{}, false
	}
	w := when{grain: max(a.grain, b.grain), fixed: true}
	switch {
	case a.cyc != nil && b.cyc != nil && (a.cyc.of == b.cyc.of || a.grain != days || b.grain != days):
		first, ok := a.cyc.before(b.from.AddDate(0, 0, 1))
		if !ok {
			return when{}, false
		}
		w.span, w.until = span{first.from, b.to}, b.from
		if !b.past.from.IsZero() {
			if first, ok := a.cyc.before(b.past.from.AddDate(0, 0, 1)); ok {
				w.past = span{first.from, b.past.to}
			}
		}
	case a.cyc != nil:
		s, ok := a.cyc.before(b.from.AddDate(0, 0, 1))
		if !ok {
			return when{}, false
		}
		w.span, w.until = span{s.from, b.to}, b.from
	case b.cyc != nil:
		s, ok := b.cyc.onOrAfter(a.from)
		if !ok {
			return when{}, false
		}
		w.span, w.until = span{a.from, s.to}, s.from
	default:
		w.span, w.until = span{a.from, b.to}, b.from
	}
	return w, !w.to.Before(w.from)
}

// dayNumber reads a number that may be a day of a month.
func (r *reader) dayNumber(i int) num {
	d := r.number(r.opt(i, "the"))
	if d.next == 0 || d.value < 1 || d.value > longestMonthDay || d.digits > 2 || d.words > 2 || d.words > 0 && !d.ordinal {
		return num{}
	}
	return d
}

// daysThenMonth reads "13 to 15 July", "from the 27th to the third of April", "between 4 and 22 this month", "4-22 January 1995".
func (r *reader) daysThenMonth(j int, and bool) (when, int) {
	a := r.dayNumber(j)
	if a.next == 0 || r.at(j).kind == 'n' && r.tailOfNumber(j) {
		return when{}, 0
	}
	k, ok := r.joint(a.next, and)
	if !ok {
		return when{}, 0
	}
	if _, n := r.month(k); n > 0 && r.is(j-1, "from", "between") { // "from 4 to January 22, 1995"
		w, m := r.monthFirst(k)
		if m == 0 || w.grain != days || w.bare || w.from.Day() <= a.value {
			return when{}, 0
		}
		return r.daysUpTo(a.value, w), m
	}
	b := r.dayNumber(k)
	if b.next == 0 {
		return when{}, 0
	}
	m, next := r.month(r.opt(b.next, "of"))
	if next == 0 {
		p, n := r.relative(r.opt(b.next, "of", "in"))
		if n == 0 || p.grain != monthsUnit || p.from.Day() != 1 || p.vague && !r.is(b.next, "of") {
			return when{}, 0
		}
		from, ok1 := dayOf(p.from.Year(), int(p.from.Month()), a.value)
		to, ok2 := dayOf(p.from.Year(), int(p.from.Month()), b.value)
		if !ok1 || !ok2 || to.from.Before(from.from) {
			return when{}, 0
		}
		return when{span: span{from.from, to.to}, until: to.from, grain: days, fixed: true}, n
	}
	y, n := r.yearOf(next)
	if n == 0 {
		n = next
	}
	w := r.date(y, m, b.value)
	if w.bare {
		return when{}, 0
	}
	return r.daysUpTo(a.value, w), n
}

// daysUpTo makes a range from day d of the month, or of the one before, to the date w.
func (r *reader) daysUpTo(d int, w when) when {
	start := func(end span) (span, bool) {
		s, ok := dayCycle(d).before(end.from.AddDate(0, 0, 1))
		return span{s.from, end.to}, ok
	}
	s, ok := start(w.span)
	out := when{span: s, until: w.from, grain: days, fixed: true, bare: !ok}
	if !w.past.from.IsZero() {
		if p, ok := start(w.past); ok {
			out.past = p
		}
	}
	return out
}

// monthThenDays reads "July 13 through 15", "November 19-20, 2016", "Feb between 2-7 two thousand and eighteen"; k is behind the
// month m.
func (r *reader) monthThenDays(m, k int) (when, int) {
	and := r.is(k, "between")
	a := r.dayNumber(r.opt(k, "between", "from"))
	if a.next == 0 {
		return when{}, 0
	}
	k, ok := r.joint(a.next, and)
	if !ok {
		return when{}, 0
	}
	b := r.dayNumber(k)
	if b.next > 0 && b.value <= a.value && b.ordinal && a.ordinal { // "April 27th to the third" of May
		if w := r.date(0, m, a.value); w.cyc != nil {
			if x, ok := w.part(func(s span) (span, bool) {
				e, ok := dayCycle(b.value).onOrAfter(s.from.AddDate(0, 0, 1))
				return span{s.from, e.to}, ok
			}, days, r.now); ok {
				x.until, x.cyc = x.to, nil
				return x, b.next
			}
		}
	}
	if b.next == 0 || !r.dayOfMonth(k, b) || b.value <= a.value {
		return when{}, 0
	}
	if _, n := r.month(r.opt(b.next, "of")); n > 0 {
		return when{}, 0 // "July 13 to 15 August"
	}
	y, n := r.yearOf(b.next)
	if n == 0 {
		n = b.next
		if t := r.number(n); t.next > 0 && t.words > 1 && t.value >= minYear && t.value <= maxAnyYear {
			y, n = t.value, t.next
		}
	}
	w := r.date(y, m, b.value)
	if w.bare {
		return when{}, 0
	}
	return r.daysUpTo(a.value, w), n
}

// A bound is what stands before a point and makes it one end of a period with no other.
type bound struct {
	words     []string
	side      string
	inclusive bool // the point itself belongs to the period
}

// bounds, the longer ones first.
var bounds = []bound{
	{[]string{"no", "later", "than"}, Before, true}, {[]string{"not", "later", "than"}, Before, true}, {[]string{"as", "late", "as"}, Before, true},
	{[]string{"no", "earlier", "than"}, After, true}, {[]string{"not", "earlier", "than"}, After, true}, {[]string{"no", "sooner", "than"}, After, true},
	{[]string{"not", "before"}, After, true}, {[]string{"not", "after"}, Before, true}, {[]string{"older", "than"}, Before, false}, {[]string{"newer", "than"}, After, false}, {[]string{"as", "early", "as"}, After, true},
	{[]string{"on", "or", "before"}, Before, true}, {[]string{"on", "or", "after"}, After, true},
	{[]string{"any", "time", "before"}, Before, false}, {[]string{"any", "time", "after"}, After, false},
	{[]string{"prior", "to"}, Before, false}, {[]string{"earlier", "than"}, Before, false}, {[]string{"sooner", "than"}, Before, false},
	{[]string{"later", "than"}, After, false}, {[]string{"up", "to"}, Before, true}, {[]string{"starting", "from"}, After, true}, {[]string{"starting", "on"}, After, true},
	{[]string{"starting", "in"}, After, true}, {[]string{"beginning", "in"}, After, true}, {[]string{"beginning", "on"}, After, true}, {[]string{"ever", "since"}, After, true},
	{[]string{"before"}, Before, false}, {[]string{"until"}, Before, true}, {[]string{"through"}, Before, true}, {[]string{"till"}, Before, true}, {[]string{"by"}, Before, true},
	{[]string{"since"}, After, true}, {[]string{"after"}, After, false}, {[]string{"starting"}, After, true}, {[]string{"beginning"}, After, true},
}

// bounded reads "before 2015", "since late July", "no later than March 5th", "starting on Sep 2019".
func (r *reader) bounded(i int) (when, int) {
	if n, ok := r.skip(i, "more", "than"); ok { // "more than 2 days before yesterday"
		d, j := r.duration(n)
		if j == 0 || !r.is(j, "before", "after", "ago", "from") {
			return when{}, 0
		}
		w, m := r.ago(n)
		if m == 0 || d == nil {
			return when{}, 0
		}
		if r.is(j, "before", "ago") {
			return r.open(w, Before, false), m
		}
		return r.open(w, After, false), m
	}
	for _, b := range bounds {
		j, ok := r.skip(i, b.words...)
		if !ok {
			continue
		}
		j = r.opt(j, "around", "about", "approximately")
		w, n := r.point(j)
		if n == 0 || w.bare || w.from.IsZero() || w.vague && w.grain == days {
			continue
		}
		if b.side == After && r.is(n, "to", "until", "till") {
			if _, m := r.point(n + 1); m > 0 { // "starting Monday until Friday" has two ends
				continue
			}
		}
		return r.open(w, b.side, b.inclusive), n
	}
	return when{}, 0
}

// open makes a period of w that has one end.
func (r *reader) open(w when, side string, inclusive bool) when {
	cut := func(s span) span {
		switch {
		case s.from.IsZero():
			return s
		case side == After && inclusive:
			return span{from: s.from}
		case side == After:
			return span{from: s.to.AddDate(0, 0, 1)}
		case inclusive:
			return span{to: s.to}
		}
		return span{to: s.from.AddDate(0, 0, -1)}
	}
	out := when{span: cut(w.span), past: cut(w.past), grain: w.grain, side: side, fixed: true}
	if side == Before && inclusive {
		out.until = w.from
	}
	if side == After && inclusive && !out.past.from.IsZero() { // "since July" is the July that was
		out.span, out.past = out.past, out.span
	}
	return out
}

// openedBehind reads "or later", "and after", "onwards", "or earlier" behind w.
func (r *reader) openedBehind(w when, i, next int) (when, int) {
	if w.from.IsZero() || w.bare {
		return w, next
	}
	j := next
	if !r.is(j, "or", "and") {
		if r.is(j, "onward", "onwards") || r.is(j, "on") && r.is(i-1, "from") && (r.at(j+1).kind == 0 || r.at(j+1).kind == 'p') {
			return r.open(w, After, true), j + 1
		}
		return w, next
	}
	if t := r.at(j + 2); t.kind == 'n' && r.is(j+1, "after", "before") || r.is(j+2, "than") { // "and after 6PM"
		return w, next
	}
	if t := r.at(j + 2); r.is(j+1, "before", "after", "since") && t.kind == 'w' && !r.is(j+2, "or", "and") {
		return w, next // "and after my work is done"
	}
	if r.is(j+1, "before", "after") {
		if _, n := r.point(j + 2); n > 0 {
			return w, next // "after 2016 and before 2018" are two
		}
	}
	switch {
	case r.is(j+1, "later", "after", "onwards", "beyond", "newer", "since", "greater", "above", "higher"):
		return r.open(w, After, true), j + 2
	case r.is(j+1, "earlier", "before", "older", "prior", "less", "below", "lower"):
		return r.open(w, Before, true), j + 2
	}
	return w, next
}

// yearAndShort reads 1990-91 and 2007/08: two years.
func (r *reader) yearAndShort(i int) (when, int) {
	a, b := r.at(i), r.at(i+2)
	sep := r.at(i + 1)
	if a.kind != 'n' || a.digits != 4 || !validYear(a.value) || r.tailOfNumber(i) || b.kind != 'n' || b.digits != 2 || sep.kind != 'p' || !r.touches(i+1) || !r.touches(i+2) {
		return when{}, 0
	}
	if t := r.at(i + 3); sep.r != '-' && sep.r != '–' && sep.r != '/' || t.kind != 0 && !t.space && t.kind != 'p' || t.kind == 'p' && !t.space && t.r == sep.r {
		return when{}, 0
	}
	y := a.value/100*100 + b.value
	if y <= a.value || y > a.value+10 || b.value <= 12 && y != a.value+1 {
		return when{}, 0
	}
	return when{span: span{day(a.value, 1, 1), day(y, 12, 31)}, until: day(y, 1, 1), grain: years, fixed: true}, i + 3
}
