package temporal

// monthFirst reads March 9th 1999, March 9, 1999, March 9-12, 1999, March 1999, March-May 1999, Nov 24 10:00:00 UTC 2015; i is
// the month.
func (d *dater) monthFirst(i int) int {
	m := d.lex[i].value
	j := d.skip(i+1, '.')
	if y, ok := d.monthYear(j); ok {
		d.add(iso(y.value, m, 0), i, y.at)
		return y.at + 1 - i
	}
	if n := d.monthRange(i, j, m); n > 0 {
		return n
	}
	j = d.skip(j, '-')
	if d.word(j) == "the" {
		j++
	}
	first, ok := d.small(j, 31)
	if !ok {
		return 0
	}
	firstAt, second, secondAt := j, 0, 0
	j++
	if d.rangeMark(j) {
		if v, ok := d.small(j+1, 31); ok && v > first {
			second, secondAt = v, j+1
			j += 2
		}
	}
	y, ok := d.yearAfter(j)
	if !ok {
		return 0
	}
	if second > 0 {
		if !d.add(iso(y.value, m, first), i, firstAt) {
			return 0
		}
		d.add(iso(y.value, m, second), secondAt, y.at)
		return y.at + 1 - i
	}
	if !d.add(iso(y.value, m, first), i, y.at) {
		return 0
	}
	return y.at + 1 - i
}

// found is a number and the lexeme it stands at.
type found struct{ value, at int }

// monthYear reads the year that follows a month at once: "1999", ", 1999", "of 1999", "-1999".
func (d *dater) monthYear(j int) (found, bool) {
	if l := d.get(j); l.kind == 'p' && (l.r == ',' || l.r == '-' || l.r == '/') || d.word(j) == "of" || d.word(j) == "in" {
		j++
	}
	y, ok := d.year(j)
	return found{y, j}, ok
}

// monthRange reads "-May 1999" or " to May 1999" after the month m at i.
func (d *dater) monthRange(i, j, m int) int {
	if !d.rangeMark(j) || !d.get(j+1).month {
		return 0
	}
	m2 := d.lex[j+1].value
	y, ok := d.monthYear(d.skip(j+2, '.'))
	if !ok {
		return 0
	}
	first := y.value
	if m2 < m {
		first--
	}
	if !d.add(iso(first, m, 0), i, i) {
		return 0
	}
	d.add(iso(y.value, m2, 0), j+1, y.at)
	return y.at + 1 - i
}

// yearAfter reads the year after a day: "1999", ", 1999", "of 1999", "10:00:00 UTC 1999", "-1999".
func (d *dater) yearAfter(j int) (found, bool) {
	if l := d.get(j); l.kind == 'p' && (l.r == ',' || l.r == '-' || l.r == '/' || l.r == '.') || d.word(j) == "of" || d.word(j) == "in" {
		j++
	}
	if y, ok := d.year(j); ok {
		return found{y, j}, true
	}
	if d.mark(j+1) != ':' || d.get(j).kind != 'n' {
		return found{}, false
	}
	for j += 2; d.mark(j+1) == ':' && d.get(j).kind == 'n'; j += 2 {
	}
	j++
	if d.get(j).kind == 'w' {
		j++
	}
	y, ok := d.year(j)
	return found{y, j}, ok
}

// skip passes over one character that follows without a space.
func (d *dater) skip(j int, r rune) int {
	if l := d.get(j); l.kind == 'p' && l.r == r && !l.space {
		return j + 1
	}
	return j
}

// dayFirst reads 09 March, 1999, the 9th of March 1999, 9-12 March 1999, 30 June - 2 July 2005, 24-Nov-2015, 24.11.2015,
// 11/24/2015, 11/2003; i is the day.
func (d *dater) dayFirst(i int) int {
	first := d.lex[i].value
	if sep := d.mark(i + 1); (sep == '/' || sep == '.' || sep == '-') && !d.lex[i].ordinal {
		if n := d.numeric(i, first, sep); n > 0 {
			return n
		}
	}
	j, second, secondAt := i+1, 0, 0
	if d.rangeMark(j) {
		if v, ok := d.small(j+1, 31); ok && v > first {
			second, secondAt = v, j+1
			j += 2
		}
	}
	j = d.skip(d.skip(j, '-'), '/')
	if d.word(j) == "of" {
		j++
	}
	if !d.get(j).month {
		return 0
	}
	m := d.lex[j].value
	mAt := j
	j = d.skip(j+1, '.')
	y, ok := d.yearAfter(j)
	switch {
	case ok && second > 0:
		if !d.add(iso(y.value, m, first), i, i) {
			return 0
		}
		d.add(iso(y.value, m, second), secondAt, y.at)
		return y.at + 1 - i
	case ok && d.add(iso(y.value, m, first), i, y.at):
		return y.at + 1 - i
	case !ok && second == 0 && d.rangeMark(j):
		return d.twoDays(i, mAt, j+1, first, m)
	}
	return 0
}

// twoDays reads the second end of "30 June - 2 July 2005" at j.
func (d *dater) twoDays(i, mAt, j, first, m int) int {
	v, ok := d.small(j, 31)
	at := j + 1
	if d.word(at) == "of" {
		at++
	}
	if !ok || !d.get(at).month {
		return 0
	}
	m2 := d.lex[at].value
	y, ok := d.yearAfter(d.skip(at+1, '.'))
	if !ok {
		return 0
	}
	start := y.value
	if m2 < m {
		start--
	}
	if !d.add(iso(start, m, first), i, mAt) {
		return 0
	}
	d.add(iso(y.value, m2, v), j, y.at)
	return y.at + 1 - i
}

// numeric reads day, month and year in digits. With a point the day comes first (24.11.2015); else whichever can only be a
// day tells; a date that could be read both ways gives its year alone.
func (d *dater) numeric(i, first int, sep rune) int {
	if y, ok := d.year(i + 2); ok && sep != '.' && first <= 12 && d.get(i+3).r != sep {
		d.add(iso(y, first, 0), i, i+2)
		return 3
	}
	second, ok := d.small(i+2, 31)
	if !ok || d.mark(i+3) != sep {
		return 0
	}
	y, ok := d.year(i + 4)
	if !ok {
		return 0
	}
	dd, m := first, second
	switch {
	case second > 12 && first <= 12:
		dd, m = second, first
	case first <= 12 && first != second && sep != '.':
		d.add(iso(y, 0, 0), i+4, i+4)
		return 5
	}
	if !d.add(iso(y, m, dd), i, i+4) {
		return 0
	}
	return 5
}
