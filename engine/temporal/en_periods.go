package temporal

import "time"

// yearAlone reads a year: "2013", "the year 2020", "calendar year 2008", "14 A.D.", "in nineteen twenty eight", "cy18".
func (r *reader) yearAlone(i int) (when, int) {
	j := r.opt(i, "the")
	k := r.opt(j, "calendar", "school", "fiscal", "financial", "academic")
	bare := k > j && !r.is(j, "calendar")
	if r.is(k, "year", "years") && !r.at(k).poss {
		if y, n := r.year(k + 1); n > 0 {
			return yearWhen(y, bare), n
		}
		if n := r.number(k + 1); n.next > 0 && n.value > 0 && n.value <= maxAnyYear && !n.ordinal && (n.words > 1 || n.digits >= 3) {
			return yearWhen(n.value, bare), n.next
		}
		return when{}, 0
	}
	if k > j {
		return when{}, 0
	}
	if r.is(j, "cy", "fy", "sy") && r.touches(j+1) {
		if t := r.at(j + 1); t.kind == 'n' && (t.digits == 2 || t.digits == 4 && validYear(t.value)) {
			return yearWhen(fullYear(t), r.w(j) != "cy"), j + 2
		}
	}
	if t := r.at(j); t.kind == 'n' && t.digits <= 4 && t.value > 0 && !r.tailOfNumber(j) {
		if n := r.era(j + 1); n > 0 {
			return yearWhen(t.value, false), n
		}
	}
	if r.is(j, "ad") && r.at(j).capital {
		if t := r.at(j + 1); t.kind == 'n' && t.digits <= 4 && t.value > 0 {
			return yearWhen(t.value, false), j + 2
		}
	}
	y, n := r.year(j)
	if n == 0 || !r.yearStands(j, n) {
		return when{}, 0
	}
	return yearWhen(y, false), n
}

func yearWhen(y int, bare bool) when {
	return when{span: period(day(y, 1, 1), years), grain: years, bare: bare}
}

// era reads A.D., AD or CE at i.
func (r *reader) era(i int) int {
	if r.is(i, "ad", "ce") && r.at(i).capital {
		return i + 1
	}
	if r.is(i, "a") && r.punct(i+1, '.') && r.is(i+2, "d") {
		return r.optPunct(i+3, ".")
	}
	return 0
}

var (
	yearPrepositions = wordSet(`in since by until till from to through thru during of before after between around circa early mid late and than year or for`)
	notYearBefore    = wordSet(`page pages port ports no number rfc iso room over about approximately nearly almost exactly version`)
)

// yearStands reports whether the four digits (or words) between i and next are a year and no count.
func (r *reader) yearStands(i, next int) bool {
	t, prev := r.at(i), r.at(i-1)
	if t.kind == 'w' { // in words
		return yearPrepositions[prev.word] || next-i > 2 && r.is(i, "nineteen", "twenty", "eighteen", "seventeen", "sixteen")
	}
	if i > 0 && !t.space && prev.kind != 'p' || prev.kind == 'p' && (prev.r == '$' || prev.r == '€' || prev.r == '£' || prev.r == '#' || prev.r == '+') {
		return false
	}
	if prev.kind == 'p' && !t.space && (prev.r == '.' || prev.r == '/' || prev.r == '-' && r.at(i-2).kind != 0 && !prev.space && r.at(i-2).kind == 'n') {
		return false
	}
	if notYearBefore[prev.word] {
		return false
	}
	after := r.at(next)
	switch {
	case after.kind == 'p' && (after.r == '%' || after.r == '$' || after.r == '€'):
		return false
	case after.kind == 'p' && !after.space && (after.r == '/' || after.r == '-') && r.at(next+1).kind == 'n' && r.touches(next+1):
		return r.at(next+1).digits == 4
	case after.kind == 'w' && yearPrepositions[prev.word]:
		return true
	case after.kind == 'w' && after.space && !after.capital && (countedNoun(after.word) || after.word == "of"):
		return false
	case after.kind == 'n' && after.space && after.digits >= 3:
		return false
	}
	return true
}

// countedNoun reports whether a word looks like the plural of what a number counts.
func countedNoun(w string) bool {
	if _, isUnit := enUnits[w]; isUnit {
		return true
	}
	n := len(w)
	return n > 3 && w[n-1] == 's' && w[n-2] != 's' && w[n-2] != 'u' && w[n-2] != 'i' && !notPlural[w] || w == "people"
}

var notPlural = wordSet(`was has does says this his its always perhaps towards sales saw series onwards afterwards`)

// decade reads "the 1990s", "the 1970's", "the '70s", "the seventies", "the nineteen seventies".
func (r *reader) decade(i int) (when, int) {
	j := r.opt(i, "the")
	century := 0
	if r.is(j, "nineteen", "twenty", "eighteen", "seventeen") {
		if n := r.number(j); n.next == j+1 {
			century = n.value
			k := r.optPunct(j+1, "-")
			if r.w(k) == "tens" {
				return decadeWhen(century*100 + 10), k + 1
			}
			if _, ok := tensPlural[r.w(k)]; ok {
				j = k
			} else {
				century = 0
			}
		}
	}
	if v, ok := tensPlural[r.w(j)]; ok && !r.is(j-1, "in") || ok && j > i {
		if century > 0 {
			return decadeWhen(century*100 + v), j + 1
		}
		return twoDecades(v), j + 1
	}
	if n, ok := r.skip(j, "two", "thousands"); ok {
		return decadeWhen(2000), n
	}
	k := r.optPunct(j, "'’‘")
	t := r.at(k)
	if t.kind != 'n' || t.value%10 != 0 || r.tailOfNumber(k) && k == j {
		return when{}, 0
	}
	next := k + 1
	if p := r.at(next); p.kind == 'p' && (p.r == '\'' || p.r == '’') && !p.space {
		next++
	}
	if s := r.at(next); s.word != "s" || s.space {
		return when{}, 0
	}
	switch {
	case t.digits == 4 && validYear(t.value):
		return decadeWhen(t.value), next + 1
	case t.digits == 2 && t.value >= 20 && (k > j || j > i):
		return twoDecades(t.value), next + 1
	}
	return when{}, 0
}

var tensPlural = map[string]int{"twenties": 20, "thirties": 30, "forties": 40, "fifties": 50, "sixties": 60, "seventies": 70, "eighties": 80, "nineties": 90}

func decadeWhen(y int) when { return when{span: period(day(y, 1, 1), decades), grain: decades} }

// twoDecades is a decade without a century: that of the last one.
func twoDecades(v int) when {
	w := decadeWhen(1900 + v)
	w.past = period(day(2000+v, 1, 1), decades)
	return w
}

// century reads "the 15th century": 1400 to 1499.
func (r *reader) century(i int) (when, int) {
	n := r.number(r.opt(i, "the"))
	if n.next == 0 || !n.ordinal || n.value < 1 || n.value > 29 {
		return when{}, 0
	}
	j := r.optPunct(n.next, "-")
	if !r.is(j, "century", "centuries") || r.is(j+1, "bc", "bce") {
		return when{}, 0
	}
	y := (n.value - 1) * 100
	return when{span: span{day(max(y, 1), 1, 1), day(y+99, 12, 31)}, grain: centuries}, j + 1
}

// numberedUnit reads Q3, 2018Q4, 18q4, H1, W31, "week 31", "Q1 of 2017".
func (r *reader) numberedUnit(i int) (when, int) {
	j, y := i, 0
	if t := r.at(i); t.kind == 'n' && (t.digits == 4 && validYear(t.value) || t.digits == 2) && !r.tailOfNumber(i) {
		j = r.optPunct(i+1, "-")
		if !r.touches(i+1) && t.digits != 4 {
			return when{}, 0
		}
		y = fullYear(t)
	}
	u, k := unit(-1), j+1
	if t := r.at(i); t.kind == 'n' && t.digits == 1 && t.value >= 1 && t.value <= 4 && r.is(i+1, "q") && r.touches(i+1) && !r.tailOfNumber(i) { // 1Q 2018
		if y, n := r.yearOf(i + 2); n > 0 {
			s, ok := nth(period(day(y, 1, 1), years), t.value, quarters)
			return when{span: s, grain: quarters, bare: !ok}, n
		}
		return when{}, 0
	}
	switch r.w(j) {
	case "q":
		u = quarters
	case "h":
		u = halves
	case "w":
		u = weeks
	case "week":
		u = weeks
		n := r.number(k)
		if y > 0 || n.next == 0 || n.words > 0 || n.ordinal {
			return when{}, 0
		}
	}
	n := r.at(k)
	if u < 0 || n.kind != 'n' || r.w(j) != "week" && !r.touches(k) || n.digits > 2 || n.value < 1 || n.value > map[unit]int{quarters: 4, halves: 2, weeks: 53}[u] {
		return when{}, 0
	}
	if t := r.at(k + 1); t.kind != 0 && !t.space && t.kind != 'p' {
		return when{}, 0
	}
	part := func(s span) (span, bool) { return nth(s, n.value, u) }
	if y > 0 {
		s, ok := part(period(day(y, 1, 1), years))
		return when{span: s, grain: u, bare: !ok}, k + 1
	}
	next := r.optPunct(k+1, "-,")
	next = r.opt(next, "of", "in")
	if y, m := r.year(next); m > 0 {
		s, ok := part(period(day(y, 1, 1), years))
		return when{span: s, grain: u, bare: !ok}, m
	}
	if u == weeks { // of the year of the clock
		s, ok := part(period(r.now, years))
		return when{span: s, grain: u, bare: !ok}, k + 1
	}
	w, ok := recurring((&cycle{years, func(t time.Time) (span, bool) { return period(t, years), true }}).sub(part), u, r.now)
	if !ok {
		return when{}, 0
	}
	return w, k + 1
}

// seasons begin on these days of the northern half; the last day of one is that of the next one's beginning, as almanacs give them.
var seasons = map[string][4]int{"spring": {3, 20, 6, 21}, "summer": {6, 21, 9, 23}, "autumn": {9, 23, 12, 21}, "fall": {9, 23, 12, 21}, "winter": {12, 21, 3, 20}}

// seasonCycle reads a season at j.
func (r *reader) seasonCycle(j int) (*cycle, int) {
	d, ok := seasons[r.w(j)]
	if !ok {
		return nil, 0
	}
	return &cycle{years, func(t time.Time) (span, bool) {
		y := t.Year()
		s := span{day(y, d[0], d[1]), day(y, d[2], d[3])}
		if d[0] > d[2] {
			s.to = day(y+1, d[2], d[3])
		}
		return s, true
	}}, j + 1
}

// season reads a season with a year: "summer 2014", "the winter of 1999"; without one its days are not told.
func (r *reader) season(i int) (when, int) {
	j := r.opt(i, "the")
	c, k := r.seasonCycle(j)
	if k == 0 {
		return when{}, 0
	}
	if y, n := r.yearOf(k); n > 0 {
		s, _ := c.in(day(y, 1, 1))
		return when{span: s, grain: quarters}, n
	}
	return when{}, 0
}

// holiday reads a holiday, with its year: "Christmas", "Easter 2018", "MLK Day of last year".
func (r *reader) holiday(i int) (when, int) {
	h, j := r.holidayAt(r.opt(i, "the"))
	if j == 0 {
		return when{}, 0
	}
	weekend := r.is(j, "weekend")
	c := h.cycle()
	if weekend {
		c, j = c.sub(weekendOf), j+1
	}
	if r.is(j, "week") && !weekend { // the week it is in
		c, j = c.sub(func(s span) (span, bool) { return period(s.from, weeks), true }), j+1
	}
	if y, n := r.yearOf(j); n > 0 {
		s, ok := c.in(day(y, 1, 1))
		return when{span: s, grain: days, bare: !ok}, n
	}
	if t := r.number(j); t.next > 0 && t.words > 1 && t.value >= minYear && t.value <= maxAnyYear {
		s, ok := c.in(day(t.value, 1, 1))
		return when{span: s, grain: days, bare: !ok}, t.next
	}
	w, ok := recurring(c, days, r.now)
	if !ok {
		return when{grain: days, bare: true}, j
	}
	return w, j
}

// weekendOf is the weekend next to a holiday, with the holiday when it adjoins.
func weekendOf(s span) (span, bool) {
	d := s.from
	sat := period(d, weekends).from
	if d.Weekday() == time.Monday || d.Weekday() == time.Tuesday {
		sat = sat.AddDate(0, 0, -7)
	}
	out := span{sat, sat.AddDate(0, 0, 1)}
	switch d {
	case sat.AddDate(0, 0, 2):
		out.to = d
	case sat.AddDate(0, 0, -1):
		out.from = d
	}
	return out, true
}

// seasonFromNow is the season n seasons from that of the clock.
func (r *reader) seasonFromNow(n int) when {
	t := r.now.AddDate(0, 3*n, 0)
	for _, name := range [...]string{"spring", "summer", "autumn", "winter"} {
		for _, y := range [...]int{t.Year() - 1, t.Year()} {
			if s, _ := seasonOf(name, y); !t.Before(s.from) && !t.After(s.to) {
				return when{span: s, grain: quarters, fixed: true}
			}
		}
	}
	return when{bare: true}
}
