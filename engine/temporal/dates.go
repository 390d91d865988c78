package temporal

import (
	"sort"
	"strings"

	"assay/engine/research"
	"assay/engine/text"
)

// Date is an absolute date as a text states it.
type Date struct {
	ISO   string // "2015", "2015-11" or "2015-11-24"
	Text  string // as written
	Start int    // bytes
	End   int
}

// Dates returns the absolute dates of s, in order, not overlapping. A range gives both its ends: "2007-2008" and "2007/08" are
// 2007 and 2008, "9-12 March 1999" the two days. A date without a year, a decade and a century are not listed; of a date whose
// day and month cannot be told apart ("03/09/1999") only the year is.
func Dates(s string) []Date {
	d := dater{s: s, lex: lex(s)}
	for i := 0; i < len(d.lex); {
		if n := d.at(i); n > 0 {
			i += n
			continue
		}
		i++
	}
	return d.withYears()
}

// dater reads the dates of one text.
type dater struct {
	s   string
	lex []lexeme
	out []Date
}

// at reads a date that begins at lexeme i and returns how many lexemes it took; 0 for none.
func (d *dater) at(i int) int {
	l := d.lex[i]
	switch {
	case l.kind == 'n' && d.glued(i):
		return 0
	case l.kind == 'n' && l.digits == 4 && validYear(l.value):
		return d.yearFirst(i)
	case l.kind == 'n' && l.value >= 1 && l.value <= 31 && (l.digits > 0 && l.digits <= 2):
		return d.dayFirst(i)
	case l.month:
		return d.monthFirst(i)
	}
	return 0
}

// glued reports whether the number at i is the tail of a longer word, number or path.
func (d *dater) glued(i int) bool {
	if i == 0 || d.lex[i].space {
		return false
	}
	p := d.lex[i-1]
	switch p.kind {
	case 'w':
		return true
	case 'n':
		return p.end == d.lex[i].start
	}
	// "1.2003" and "/2003" are no dates; a hyphen after a word ("mid-2003") may be.
	return (p.r == '.' || p.r == ',' || p.r == '/' || p.r == ':') && i > 1 && d.lex[i-2].kind != 'p' && !p.space
}

// get returns the lexeme at i, or an empty one.
func (d *dater) get(i int) lexeme {
	if i < 0 || i >= len(d.lex) {
		return lexeme{}
	}
	return d.lex[i]
}

// mark returns the character at i when it follows without a space and so does what comes after it.
func (d *dater) mark(i int) rune {
	l := d.get(i)
	if l.kind != 'p' || l.space || d.get(i+1).space {
		return 0
	}
	return l.r
}

// rangeMark reports whether the lexeme at i joins the two ends of a range.
func (d *dater) rangeMark(i int) bool {
	l := d.get(i)
	switch l.kind {
	case 'p':
		return strings.ContainsRune("-–—－~～至到", l.r) && l.r != 0
	case 'w':
		w := d.word(i)
		return w == "to" || w == "and" || w == "through" || w == "until"
	}
	return false
}

func (d *dater) word(i int) string {
	l := d.get(i)
	if l.kind != 'w' || l.end-l.start > 12 {
		return ""
	}
	return strings.ToLower(d.s[l.start:l.end])
}

// add appends the date that lexemes from i to j, inclusive, state; it reports false when there is no such date.
func (d *dater) add(date string, i, j int) bool {
	if date == "" {
		return false
	}
	start, end := d.lex[i].start, d.lex[j].end
	d.out = append(d.out, Date{ISO: date, Text: d.s[start:end], Start: start, End: end})
	return true
}

// small returns the number at i when it has one or two digits (or is a Chinese numeral) and is within 1..most.
func (d *dater) small(i, most int) (int, bool) {
	l := d.get(i)
	return l.value, l.kind == 'n' && l.digits <= 2 && l.value >= 1 && l.value <= most
}

// year returns the year at i.
func (d *dater) year(i int) (int, bool) {
	l := d.get(i)
	if l.kind != 'n' || l.digits != 4 || !validYear(l.value) || l.ordinal {
		return 0, false
	}
	// "1999.5" and "2003:" are other things; a full stop that ends the sentence is fine.
	if m := d.get(i + 1); m.kind == 'p' && !m.space && (m.r == '.' || m.r == ',' || m.r == ':') {
		if n := d.get(i + 2); n.kind == 'n' && !n.space && n.digits > 0 {
			return 0, false
		}
	}
	return l.value, true
}

// yearFirst reads 2015-11-24, 2015/11/24, 2015-11, 2007-2008, 2007/08, 2003年11月24日, 2015 November 24.
func (d *dater) yearFirst(i int) int {
	y := d.lex[i].value
	if d.get(i+1).r == '年' {
		return d.chinese(i, y)
	}
	sep := d.mark(i + 1)
	if sep == '-' || sep == '/' || sep == '.' {
		if m, ok := d.small(i+2, 12); ok && d.mark(i+3) == sep {
			if day, ok := d.small(i+4, 31); ok && d.add(iso(y, m, day), i, i+4) {
				return 5
			}
		}
	}
	if d.rangeMark(i+1) || sep == '/' {
		if n := d.yearRange(i, y, sep); n > 0 {
			return n
		}
	}
	at := i + 1
	if sep == '-' || sep == '/' {
		at++
	}
	if next := d.get(at); next.month {
		j := at + 1
		if sep != 0 {
			j = d.skip(j, sep)
		}
		if day, ok := d.small(j, 31); ok && d.add(iso(y, next.value, day), i, j) {
			return j + 1 - i
		}
	}
	return 0
}

// yearRange reads what follows a year and a mark of range: another year, its last two digits, or a month.
func (d *dater) yearRange(i, y int, sep rune) int {
	if y2, ok := d.year(i + 2); ok && y2 >= y {
		if d.get(i+3).r == '年' {
			d.add(iso(y, 0, 0), i, i)
			return 2 + d.chinese(i+2, y2)
		}
		if d.word(i+1) == "and" {
			return 0
		}
		d.add(iso(y, 0, 0), i, i)
		d.add(iso(y2, 0, 0), i+2, i+2)
		return 3
	}
	l := d.get(i + 2)
	if sep == 0 || l.kind != 'n' || l.digits != 2 || l.ordinal || d.mark(i+3) == sep {
		return 0
	}
	short := y/100*100 + l.value
	switch {
	case short == y+1, short > y && (l.value > 12 || sep != '-'):
		d.add(iso(y, 0, 0), i, i)
		d.add(iso(short, 0, 0), i+2, i+2)
		return 3
	case sep != '.' && l.value >= 1 && l.value <= 12:
		d.add(iso(y, l.value, 0), i, i+2)
		return 3
	}
	return 0
}

// chinese reads 2003年, 2003年11月, 2003年11月24日 and a second end such as 至12月3日; i is the year, i+1 the 年.
func (d *dater) chinese(i, y int) int {
	m, ok := d.small(i+2, 12)
	if !ok || d.get(i+3).r != '月' || d.get(i+3).kind != 'p' {
		d.add(iso(y, 0, 0), i, i+1)
		return 2
	}
	last := i + 3
	dd, ok := d.small(i+4, 31)
	if ok && strings.ContainsRune("日号號", d.get(i+5).r) && d.get(i+5).kind == 'p' {
		last = i + 5
	} else {
		dd = 0
	}
	if !d.add(iso(y, m, dd), i, last) {
		d.add(iso(y, 0, 0), i, i+1)
		return 2
	}
	if !d.rangeMark(last + 1) {
		return last + 1 - i
	}
	// The second end takes over the year, and the month when it has none.
	m2, ok := d.small(last+2, 31)
	switch unitRune := d.get(last + 3).r; {
	case ok && unitRune == '月' && m2 <= 12:
		end := last + 3
		d2, ok := d.small(last+4, 31)
		if ok && strings.ContainsRune("日号", d.get(last+5).r) && d.get(last+5).kind == 'p' {
			end = last + 5
		} else {
			d2 = 0
		}
		if d.add(iso(y, m2, d2), last+2, end) {
			return end + 1 - i
		}
	case ok && unitRune == '日' && dd > 0:
		if d.add(iso(y, m, m2), last+2, last+3) {
			return last + 4 - i
		}
	}
	return last + 1 - i
}

// withYears adds the years that Quantities finds outside of the dates found so far.
func (d *dater) withYears() []Date {
	k, n := 0, len(d.out)
	for _, q := range text.Quantities(d.s) {
		for k < n && d.out[k].End <= q.Start {
			k++
		}
		if q.Kind != research.Year || q.Unit != "" || k < n && d.out[k].Start < q.End {
			continue
		}
		y := q.Value.Rat()
		if !y.IsInt() || !validYear(int(y.Num().Int64())) {
			continue
		}
		d.out = append(d.out, Date{ISO: iso(int(y.Num().Int64()), 0, 0), Text: q.Text, Start: q.Start, End: q.End})
	}
	sort.SliceStable(d.out, func(i, j int) bool { return d.out[i].Start < d.out[j].Start })
	return d.out
}
