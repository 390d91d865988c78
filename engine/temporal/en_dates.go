package temporal

import (
	"strings"
	"time"
)

// fixedDate makes a when of a date with a year; a day that does not exist is named only.
func fixedDate(y, m, d int) when {
	if d == 0 {
		return when{span: period(day(y, m, 1), monthsUnit), grain: monthsUnit}
	}
	s, ok := dayOf(y, m, d)
	return when{span: s, grain: days, bare: !ok}
}

// yearlessDate makes a when of a day of each year.
func (r *reader) yearlessDate(m, d int) when {
	w, ok := recurring(monthDayCycle(m, d), days, r.now)
	if !ok {
		return when{grain: days, bare: true}
	}
	return w
}

// date makes a when of month, day and year, of which day and year may be 0.
func (r *reader) date(y, m, d int) when {
	switch {
	case y > 0:
		return fixedDate(y, m, d)
	case d > 0:
		return r.yearlessDate(m, d)
	}
	w, _ := recurring(monthCycle(m), monthsUnit, r.now)
	return w
}

// numeric reads a date in digits: 2015-11-24, 24.11.2015, 11/24/15, 2015-11, 11/2015, 2/15, also with a month in letters
// (31/Oct/1974).
func (r *reader) numeric(i int) (when, int) {
	a := r.at(i)
	if a.kind != 'n' || a.value < 0 || r.tailOfNumber(i) {
		return when{}, 0
	}
	sep := r.at(i + 1)
	if a.digits == 8 && (sep.kind != 'w' || sep.space) { // 20161016
		if s, ok := dayOf(a.value/10000, a.value/100%100, a.value%100); ok && a.value/10000 >= 1900 && a.value/10000 < 2100 {
			return when{span: s, grain: days}, i + 1
		}
		return when{}, 0
	}
	if b, c := r.at(i+1), r.at(i+2); a.digits == 4 && validYear(a.value) && b.kind == 'n' && b.digits == 2 && c.kind == 'n' && c.digits == 2 && r.at(i+3).kind != 'n' &&
		b.value >= 1 && b.value <= 12 && c.value >= 1 && c.value <= longestMonthDay && (r.at(i+3).space || r.at(i+3).kind != 'w') {
		return fixedDate(a.value, b.value, c.value), i + 3 // 2010 01 29
	}
	if sep.kind != 'p' || !strings.ContainsRune("-/.‐–", sep.r) {
		return when{}, 0
	}
	j := i + 2
	if m, next := r.month(j); next > 0 && r.touches(i+1) && r.touches(j) && sep.r != '.' { // 31-Oct-1974, 2020/Sep/23
		c := r.at(next + 1)
		if r.at(next).r != sep.r || c.kind != 'n' || !r.touches(next) || !r.touches(next+1) {
			return when{}, 0
		}
		switch {
		case a.digits == 4 && c.digits <= 2:
			return fixedDate(a.value, m, c.value), next + 2
		case a.digits <= 2 && (c.digits == 4 || c.digits == 2):
			return fixedDate(fullYear(c), m, a.value), next + 2
		}
		return when{}, 0
	}
	b := r.at(j)
	if b.kind != 'n' || b.value < 0 || r.at(j+1).kind == 'w' && !r.at(j+1).space {
		return when{}, 0
	}
	tight := r.touches(i+1) && r.touches(j)
	if c := r.at(j + 2); tight && r.at(j+1).r == sep.r && r.touches(j+1) && r.touches(j+2) && c.kind == 'n' {
		return r.threeParts(a, b, c, sep.r, j+3)
	}
	if r.at(j+1).kind == 'p' && r.touches(j+1) && strings.ContainsRune("/.:", r.at(j+1).r) && r.at(j+2).kind == 'n' && r.touches(j+2) {
		return when{}, 0
	}
	return r.twoParts(i, a, b, sep, tight)
}

// tailOfNumber reports whether the digits at i go on with a number, a word or a sum of money.
func (r *reader) tailOfNumber(i int) bool {
	if i == 0 {
		return false
	}
	p := r.at(i - 1)
	if p.kind == 'p' && strings.ContainsRune("$€£#", p.r) {
		return true
	}
	if r.at(i).space {
		return false
	}
	if p.kind != 'p' {
		return true
	}
	q := r.at(i - 2)
	if p.r == '-' && i > 1 && q.kind == 'n' && !p.space && r.at(i+1).r == '-' { // 123-12-1234
		return true
	}
	return strings.ContainsRune("./:,", p.r) && i > 1 && q.kind == 'n' && !p.space
}

// dottedDay reports whether 7.6 at i is a month and a day: behind a day of the week, or at the end of a clause behind "on".
func (r *reader) dottedDay(i int, tight bool) bool {
	if _, ok := weekdays[r.w(i-1)]; ok {
		return tight && !r.is(i+3, "am", "pm", "a", "p") && r.at(i+2).digits < 3 && !(r.at(i+2).digits == 2 && r.at(i+2).value%5 == 0)
	}
	t := r.at(i + 3)
	return tight && r.is(i-1, "on", "in") && (t.kind == 0 || t.kind == 'p' && r.at(i+4).kind == 0)
}

func fullYear(t token) int {
	if t.digits == 2 {
		return shortYear(t.value)
	}
	return t.value
}

// threeParts reads a date of three numbers.
func (r *reader) threeParts(a, b, c token, sep rune, next int) (when, int) {
	if t := r.at(next); t.kind == 'w' && !t.space && t.word != "t" || t.kind == 'p' && !t.space && t.r == sep && r.at(next+1).kind == 'n' && !r.at(next+1).space {
		return when{}, 0
	}
	switch {
	case a.digits == 4 && b.digits <= 2 && c.digits <= 2 && validYear(a.value):
		if b.value < 1 || b.value > 12 || c.value < 1 || c.value > longestMonthDay {
			return when{}, 0
		}
		return fixedDate(a.value, b.value, c.value), next
	case a.digits <= 2 && b.digits <= 2 && (c.digits == 4 && validYear(c.value) || c.digits == 2 && (sep != '.' || a.digits == 2 && b.digits == 2)):
		m, d := a.value, b.value
		if m > 12 || sep == '.' && d <= 12 || r.dayFirst && d <= 12 {
			m, d = d, m
		}
		if m < 1 || m > 12 || d < 1 || d > longestMonthDay {
			return when{}, 0
		}
		return fixedDate(fullYear(c), m, d), next
	}
	return when{}, 0
}

// twoParts reads 2015-11, 11/2015 and 2/15.
func (r *reader) twoParts(i int, a, b, sep token, tight bool) (when, int) {
	next := i + 3
	if t := r.at(next); t.kind == 'p' && !t.space && (t.r == '%' || t.r == '-' && sep.r == '-' && r.at(next+1).kind == 'n') {
		return when{}, 0
	}
	switch {
	case a.digits == 4 && validYear(a.value) && b.digits <= 2 && b.value >= 1 && b.value <= 12:
		if b.value == (a.value+1)%100 { // 2007-08 are two years
			return when{}, 0
		}
		return fixedDate(a.value, b.value, 0), next
	case b.digits == 4 && validYear(b.value) && a.digits <= 2 && a.value >= 1 && a.value <= 12:
		return fixedDate(b.value, a.value, 0), next
	}
	if a.digits > 2 || b.digits > 2 || sep.r == '.' && !r.dottedDay(i, tight) {
		return when{}, 0
	}
	m, d := a.value, b.value
	if m > 12 {
		m, d = d, m
	}
	if m < 1 || m > 12 || d < 1 || d > longestMonthDay || sep.r != '.' && !r.dateStands(i, sep.r, m, d, tight) {
		return when{}, 0
	}
	// "08/12,15"
	if y := r.at(next + 1); r.punct(next, ',') && y.kind == 'n' && (y.digits == 2 && r.touches(next+1) || y.digits == 4 && validYear(y.value)) {
		return fixedDate(fullYear(y), m, d), next + 2
	}
	return r.yearlessDate(m, d), next
}

// dateWords stand before a month and a day in digits, or a day of the week does.
var dateWords = wordSet("on from to by since until till before after between through and date for this next last due starting")

func wordSet(s string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(s) {
		out[w] = true
	}
	return out
}

// dateStands reports whether two small numbers are a month and a day here, and no fraction, score or range.
func (r *reader) dateStands(i int, sep rune, m, d int, tight bool) bool {
	if i == 0 && i+3 >= len(r.t) {
		return true
	}
	before := r.w(i - 1)
	if r.punct(i-1, ',') {
		before = r.w(i - 2)
	}
	_, onDay := weekdays[before]
	if onDay || before == "this" {
		return sep == '/' || r.at(i).value > r.at(i+2).value // 3-8 is from three to eight
	}
	if sep == '-' && tight && before == "on" {
		return true
	}
	if sep != '/' || !tight {
		return false
	}
	if (r.punct(i+3, '-') || r.is(i+3, "to", "through", "until")) && r.at(i+4).kind == 'n' && r.punct(i+5, '/') && r.at(i+6).kind == 'n' {
		return true // the first end of 6/1 - 6/8
	}
	if r.punct(i-1, '-') && r.punct(i-3, '/') && r.at(i-2).kind == 'n' { // the second end of 5/1-5/7
		return true
	}
	if m == 1 && d < 10 && !dateWords[before] || r.is(i+3, "of", "cup", "cups", "inch", "inches") {
		return false // a fraction
	}
	if t := r.at(i + 3); (d > 12 || r.at(i).value > 12) && (t.kind == 0 || t.kind == 'p' && t.r != '-' && t.r != '\'' && t.r != '"') {
		return true
	}
	return dateWords[before] || r.at(i).digits == 2 && r.at(i+2).digits == 2 || d > 12 && i == 0 || r.is(i+3, "between", "from", "at", "before", "after", "to")
}

// monthFirst reads March 9th 1999, March 9, 1999, March 1999, Sep-23-2020, "march the 9th of 1999", or a month alone.
func (r *reader) monthFirst(i int) (when, int) {
	m, j := r.month(i)
	if j == 0 || i > 0 && r.touches(i) && (r.at(i-1).kind != 'p' || strings.ContainsRune("$_@#", r.at(i-1).r)) {
		return when{}, 0
	}
	if y, next := r.yearOf(j); next > 0 {
		return fixedDate(y, m, 0), next
	}
	k := r.optPunct(r.opt(j, "the"), "-/")
	d := r.number(k)
	if d.next == 0 || d.value < 1 || d.value > longestMonthDay || !r.dayOfMonth(k, d) {
		if !r.monthAlone(i, j) {
			return when{}, 0
		}
		return r.date(0, m, 0), j
	}
	if y, next := r.yearOf(d.next); next > 0 {
		return fixedDate(y, m, d.value), next
	}
	if n := r.at(d.next); d.ordinal && d.words > 0 && n.kind == 'n' && n.digits == 2 && !r.clockAt(d.next) { // "January first 12"
		return fixedDate(shortYear(n.value), m, d.value), d.next + 1
	}
	return r.yearlessDate(m, d.value), d.next
}

// dayOfMonth reports whether the number d at k is a day of the month, and not a time of day, a count or a year.
func (r *reader) dayOfMonth(k int, d num) bool {
	if d.digits > 2 || d.digits == 0 && d.words > 2 {
		return false
	}
	t := r.at(d.next)
	switch {
	case t.kind == 'p' && (t.r == ':' || t.r == '%') && !t.space:
		return false
	case t.kind == 'p' && t.r == '.' && !t.space && r.at(d.next+1).kind == 'n' && r.touches(d.next+1):
		return false
	case t.kind == 'w' && !d.ordinal && (t.word == "am" || t.word == "pm" || !t.space):
		return false
	}
	return k > 0
}

// clockAt reports whether the number at i is a time of day.
func (r *reader) clockAt(i int) bool {
	t := r.at(i + 1)
	return t.kind == 'p' && t.r == ':' || t.kind == 'w' && (t.word == "am" || t.word == "pm" || t.word == "oclock" || t.word == "a" || t.word == "p")
}

// yearOf reads the year that follows a month or a day: "1999", ", 1999", "of 1999", "-1999", "10:00:00 UTC 1999".
func (r *reader) yearOf(j int) (y, next int) {
	k := r.optPunct(j, ",-/")
	k = r.opt(k, "of", "in")
	k = r.optPunct(k, ",")
	if r.is(k, "the") && r.is(k+1, "year") {
		k += 2
	}
	if y, next = r.year(k); next > 0 && !(r.at(k).kind == 'n' && r.at(next).r == ':' && r.touches(next)) {
		return y, next
	}
	t := r.at(k)
	if r.is(k-1, "of") && t.kind == 'n' && t.digits == 2 && t.value > longestMonthDay && k > j {
		return shortYear(t.value), k + 1
	}
	if k == j+1 && r.touches(k) && r.touches(j) && r.at(j).r != ',' && t.kind == 'n' && t.digits == 2 && r.at(j).kind == 'p' { // 31-Oct-74
		if n := r.at(j - 1); n.kind == 'n' {
			return shortYear(t.value), k + 1
		}
	}
	if t.kind == 'n' && r.punct(k+1, ':') {
		for k += 2; r.at(k).kind == 'n' && r.punct(k+1, ':'); k += 2 {
		}
		k++
		if r.at(k).kind == 'w' && len(r.w(k)) <= 4 {
			k++
		}
		return r.year(k)
	}
	return 0, 0
}

// auxiliaries follow "may" the verb.
var auxiliaries = wordSet(`be not or have has also get well ask need want seem result contain include cause never only i you he she it we they occur still even
	become make take use help the`)

// auxiliary reports whether "may" or "march" at i is a verb.
func (r *reader) auxiliary(i int) bool { return auxiliaries[r.w(i+1)] }

var monthPrepositions = wordSet(`in during of since until till by from to through mid early late next last before after between and this each every`)

// monthAlone reports whether the month between i and j is one without a day or a year: the words that are also others need a
// capital or a preposition.
func (r *reader) monthAlone(i, j int) bool {
	w := r.w(i)
	prev := r.w(i - 1)
	switch w {
	case "may", "march", "mar":
		if r.auxiliary(i) {
			return false
		}
		if !r.at(i).capital {
			return monthPrepositions[prev] && prev != "this" && prev != "to" && prev != "and"
		}
		if r.is(j, "and", "or", "to", "through") || r.punct(j, '-') || r.punct(j, '–') {
			if _, n := r.month(j + 1); n > 0 {
				return true
			}
		}
		return i > 0 && (monthPrepositions[prev] || r.at(i-1).kind == 'p') || j >= len(r.t) || w == "march" && i > 0
	case "dec", "jan", "feb", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov":
		return r.at(i).capital || monthPrepositions[prev] || r.at(i-1).kind == 'p' || j >= len(r.t)
	}
	return true
}

// dayMonth reads the 9th of March 1999, 9 March, 16. Nov. 2016, the ides of March, "the 15th day of June".
func (r *reader) dayMonth(i int) (when, int) {
	j := r.opt(i, "the")
	var d num
	if n, ok := r.skip(j, "ides", "of"); ok {
		d = num{value: 15, next: n - 1, ordinal: true}
	} else if d = r.number(j); d.next == 0 || d.value < 1 || d.value > longestMonthDay || d.digits > 2 || r.at(j).kind == 'n' && r.tailOfNumber(j) && !r.punct(j-1, '-') {
		return when{}, 0
	}
	k := d.next
	if d.ordinal {
		k = r.opt(k, "day")
	}
	if r.punct(k, '.') && r.touches(k) && d.digits > 0 && !d.ordinal {
		k++
	}
	k = r.optPunct(k, "-/")
	k = r.opt(k, "of")
	if r.is(k-1, "of") {
		k2 := r.opt(k, "the")
		if p, n := r.relative(k); n > 0 && p.grain == monthsUnit && !p.from.IsZero() && p.from.Day() == 1 && r.is(k2, "month", "this", "current", "next", "last", "previous", "coming", "following", "past", "same") {
			if s, ok := dayOf(p.from.Year(), int(p.from.Month()), d.value); ok {
				return when{span: s, grain: days, fixed: true}, n
			}
		}
	}
	m, n := r.month(k)
	if n == 0 || d.words > 0 && !d.ordinal && d.words < 2 && !r.is(k-1, "of") {
		return when{}, 0
	}
	if r.w(k) == "may" && !r.at(k).capital && r.auxiliary(k) {
		return when{}, 0
	}
	if y, next := r.yearOf(n); next > 0 {
		return fixedDate(y, m, d.value), next
	}
	return r.yearlessDate(m, d.value), n
}

// onWeekday reads a day of the week, also with its date: "Monday", "Friday the 15th", "Monday, January 12th, 2016", "Thu 14th",
// "Wednesday after next".
func (r *reader) onWeekday(i int) (when, int) {
	w, j := r.weekday(i)
	if j == 0 || r.pluralDay(i) || r.is(i-1, "every", "each", "any", "weekly") || i > 0 && r.touches(i) && r.at(i-1).kind != 'p' {
		return when{}, 0
	}
	k := r.optPunct(j, ",-(")
	best, next := when{}, 0
	for _, read := range [...]func(int) (when, int){r.monthFirst, r.dayMonth, r.numeric} {
		if d, n := read(r.opt(k, "the")); n > next && d.grain == days {
			best, next = d, n
		}
	}
	if next > 0 {
		return onThatWeekday(best, w), next
	}
	if n, ok := r.skip(j, "after", "next"); ok {
		s, _ := weekdayCycle(w).onOrAfter(r.now.AddDate(0, 0, 1))
		return one(s.from.AddDate(0, 0, 7)), n
	}
	if n, ok := r.skip(j, "before", "last"); ok {
		s, _ := weekdayCycle(w).before(r.now)
		return one(s.from.AddDate(0, 0, -7)), n
	}
	k = r.opt(k, "the")
	if d := r.number(k); d.next > 0 && d.value >= 1 && d.value <= longestMonthDay && (d.ordinal || d.digits > 0 && d.digits <= 2 && r.at(k).space && r.loneDay(d.next)) && !r.is(d.next, "of") {
		c := weekdayDate(w, d.value)
		if s, ok := c.in(period(r.now, monthsUnit).from); ok {
			_, past := c.near(s.from)
			return when{span: s, past: past, grain: days, cyc: c}, d.next
		}
		if x, ok := recurring(c, days, r.now); ok {
			return x, d.next
		}
		return when{}, 0
	}
	if !r.weekdayStands(i, j) {
		return when{}, 0
	}
	x, _ := recurring(weekdayCycle(w), days, r.now)
	if x.from.Equal(r.now) { // the day of the clock itself is "today"
		x.span, x.past = span{r.now.AddDate(0, 0, 7), r.now.AddDate(0, 0, 7)}, x.span
	}
	return x, j
}

// loneDay reports whether a number that ends before j is a day of the month, and not a time of day or one end of a range.
func (r *reader) loneDay(j int) bool {
	t := r.at(j)
	if t.kind == 'p' {
		return !strings.ContainsRune(":-–~/", t.r) && !(t.r == '.' && r.at(j+1).kind == 'n')
	}
	return t.kind == 0
}

// weekdayStands reports whether a short day of the week that is also a word ("sun", "sat", "wed") is meant as the day.
func (r *reader) weekdayStands(i, j int) bool {
	t := r.at(i)
	switch t.word {
	case "sun", "sat", "wed", "mon", "fri", "thu", "thur", "tue":
		return t.capital && r.w(j) != "microsystems" || len(r.t) <= 2 || r.is(j, "at") || r.is(i-1, "on", "next", "last", "this")
	}
	return true
}

var dayPrepositions = wordSet("on by since until till before after from for")

// dayAlone reads a day of this or the next month behind a preposition: "on the 27th", "by the 21st", "on 15".
func (r *reader) dayAlone(i int) (when, int) {
	j := r.opt(i, "the")
	if !dayPrepositions[r.w(i-1)] {
		return when{}, 0
	}
	d := r.number(j)
	if d.next == 0 || d.value < 1 || d.value > longestMonthDay || d.digits > 2 || d.words > 2 {
		return when{}, 0
	}
	t := r.at(d.next)
	ends := t.kind == 0 || t.kind == 'p' && (t.r != '-' && t.r != ':' && t.r != '%' && t.r != '/') && !(t.r == '.' && r.at(d.next+1).kind == 'n' && r.touches(d.next+1))
	if !ends && !(d.ordinal && r.is(d.next, "at", "from", "between", "and", "or", "to", "through")) {
		return when{}, 0
	}
	if !d.ordinal && (!r.is(i-1, "on") || d.words > 0 || j > i) && !(j > i && d.value > 12) {
		return when{}, 0
	}
	w, ok := recurring(dayCycle(d.value), days, r.now)
	if !ok {
		return when{}, 0
	}
	return w, d.next
}

// onThatWeekday chooses among the years of a date without one that in which it is the weekday; as it is when that is none of the
// last, the next and the one after.
func onThatWeekday(d when, w time.Weekday) when {
	if d.cyc == nil || d.from.IsZero() || d.from.Weekday() == w {
		return d
	}
	third, _ := d.cyc.onOrAfter(d.from.AddDate(0, 0, 1))
	for _, s := range [...]span{d.past, third} {
		if !s.from.IsZero() && s.from.Weekday() == w {
			d.span, d.past = s, span{}
			return d
		}
	}
	return d
}
