package temporal

import (
	"time"
	"unicode"

	"assay/engine/research"
)

// Expression is an expression of time in a text, resolved against a clock.
type Expression struct {
	Text     string
	Start    int // bytes
	End      int
	Category string             // one of the seven; empty when Range is
	Range    research.DateRange // closed; an empty end is open; both are empty when the days cannot be told ("the fiscal year")
	// Past is the other reading of an expression that the text does not tie to a year, month or week: Range is the one that is
	// or comes ("in March": the March to come), Past the one that was. Empty when there is one reading.
	Past research.DateRange
	// Until is the first day of the second end of a range with two ends: "from 2014 to 2018" ends with 2018-12-31, its second end
	// begins with 2018-01-01. Empty otherwise.
	Until string
	// Vague says that only what stands around the expression could tell which period is meant ("the week", "recently").
	Vague bool
}

// Expressions returns the expressions of time in s, English and Chinese, in order, not overlapping, resolved to closed ranges of
// days against now in the zone of now. Times of day, bare durations and what repeats ("every Monday") are not listed; of
// "tomorrow at 5pm" the day is. lang "zh" reads 1/2/2020 as 1 February, any other as 2 January.
//
// Conventions, where usage differs: a week begins on Monday and belongs to the month and year of its Thursday; "last N" days,
// weeks, months or years end yesterday and "next N" begin tomorrow, longer units are those of the calendar; "next Friday" is
// that of next week; the middle of a month is the 10th to the 20th, its end begins with the 16th; the 15th century is 1400 to
// 1499; an expression without a year is the coming one, with the one before in Past; "recently" is the last 3 months.
func Expressions(s string, now time.Time, lang string) []Expression {
	now = today(now)
	var out []Expression
	r := newReader(s, now, lang == "zh")
	zh := newZhReader(s, now)
	for i := 0; i < len(r.t); {
		if at, ok := zh.from(r.t[i].start); ok {
			if w, end := zh.expression(at); end > at {
				start, stop := zh.bytes(at, end)
				out = append(out, w.expression(s, start, stop, now))
				i = r.indexOf(i, stop)
				continue
			}
		}
		if w, next := r.expression(i); next > i {
			out = append(out, w.expression(s, r.t[i].start, r.t[next-1].end, now))
			i = next
			continue
		}
		i++
	}
	return out
}

func newReader(s string, now time.Time, dayFirst bool) *reader {
	return &reader{s: s, t: tokens(s), now: now, dayFirst: dayFirst, memo: map[int]reading{}}
}

// indexOf returns the first token at or after i that begins at or behind the byte offset.
func (r *reader) indexOf(i, offset int) int {
	for i < len(r.t) && r.t[i].start < offset {
		i++
	}
	return i
}

// expression makes the exported form.
func (w when) expression(s string, start, end int, now time.Time) Expression {
	e := Expression{Text: s[start:end], Start: start, End: end, Vague: w.vague}
	if w.bare {
		e.Vague = true
		return e
	}
	e.Range = rangeOf(w.span)
	e.Past = rangeOf(w.past)
	if !w.until.IsZero() {
		e.Until = format(w.until)
	}
	if e.Range != (research.DateRange{}) {
		e.Category = w.category(now)
	}
	return e
}

func rangeOf(s span) research.DateRange {
	return research.DateRange{Start: format(s.from), End: format(s.to)}
}

// category is the one of the seven that w belongs to.
func (w when) category(now time.Time) string {
	switch {
	case w.side != "":
		return w.side
	case w.recent:
		return Recent
	}
	return relation(w.span, now)
}

// hasHan reports whether s has a Chinese character.
func hasHan(s string) bool {
	for _, r := range s {
		if unicode.Is(unicode.Han, r) {
			return true
		}
	}
	return false
}
