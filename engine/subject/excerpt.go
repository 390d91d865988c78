package subject

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/engine/research"
	"assay/engine/text"
)

// Bounds of an excerpt: about sixty words, or 150 signs of a script without spaces. A reader takes in that much as an
// answer; more is a pasted passage.
const (
	excerptSigns = 148
	signsPerWord = 2.5
)

// Size is the length of an excerpt in signs: one for each sign of a script without spaces, two and a half for each word.
func Size(s string) float64 {
	n, word := 0.0, false
	for _, r := range s {
		switch {
		case r >= 0x3400 && r <= 0x9fff:
			n++
			word = false
		case r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z':
			if !word {
				n += signsPerWord
			}
			word = true
		default:
			word = false
		}
	}
	return n
}

// Excerpt returns the span of line i together with as many of its neighbours in the same block as stay within the bounds,
// what follows first, and the first and last line of it. A sentence that goes on over a line end is taken whole. One that
// is too long by itself is cut near the sharpest place, which at gives as a byte offset into the line: at the ends of its
// clauses where they allow it (see [Page.Marked]).
func (p *Page) Excerpt(i, at int) (span research.Span, lo, hi int) {
	fits := func(s, e int) bool { return Size(p.Doc.Text[s:e]) <= excerptSigns }
	span, lo, hi = p.Lines[i].Span, i, i
	if !fits(span.Start, span.End) {
		return p.cut(span, at), i, i
	}
	grow := func(down, up func(line int) bool) {
		for grown := true; grown; {
			grown = false
			if hi+1 < len(p.Lines) && down(hi) && fits(span.Start, p.Lines[hi+1].Span.End) {
				hi++
				span.End, grown = p.Lines[hi].Span.End, true
			}
			if lo > 0 && up(lo-1) && fits(p.Lines[lo-1].Span.Start, span.End) {
				lo--
				span.Start, grown = p.Lines[lo].Span.Start, true
			}
		}
	}
	grow(p.goesOn, p.goesOn)
	grow(func(l int) bool { return p.together(l) || p.leads(l) }, func(l int) bool { return p.together(l) || p.introduces(l) || p.goesOn(l) })
	return span, lo, hi
}

// together reports whether line i and the next one stand in one block.
func (p *Page) together(i int) bool { return p.Lines[i].Block == p.Lines[i+1].Block }

// Marked returns the words of an excerpt of the lines lo to hi, with an ellipsis where it leaves out a part of a sentence or
// of an enumeration.
func (p *Page) Marked(span research.Span, lo, hi int) string {
	s := p.Doc.Text[span.Start:span.End]
	if span.Start > p.Lines[lo].Span.Start || lo > 0 && p.goesOn(lo-1) {
		s = "… " + s
	}
	if span.End < p.Lines[hi].Span.End || p.goesOn(hi) {
		s = strings.TrimRight(s, ",，、")
		s += " …"
	}
	return s
}

// leads reports whether what line i says comes in the next block: it is a heading, ends in a colon, or goes on.
func (p *Page) leads(i int) bool { return p.isHeading(i) || p.introduces(i) || p.goesOn(i) }

// introduces reports whether line i ends in a colon.
func (p *Page) introduces(i int) bool {
	s := p.Text(i)
	return strings.HasSuffix(s, ":") || strings.HasSuffix(s, "：")
}

// goesOnWords is how many words a line without a comma at its end must have to be prose that goes on, not a label or a cell.
const goesOnWords = 6

// goesOn reports whether the sentence of line i goes on in the next block: behind a comma, as the items of a list do, or in
// the middle, as in a text with hard line ends or before a command that stands alone.
func (p *Page) goesOn(i int) bool {
	if i+1 >= len(p.Lines) || p.together(i) || p.isHeading(i) || p.isHeading(i+1) || p.Lines[i].Heading != p.Lines[i+1].Heading {
		return false
	}
	s := p.Text(i)
	last, _ := utf8.DecodeLastRuneInString(s)
	if strings.ContainsRune(",，、", last) {
		return true
	}
	next, _ := utf8.DecodeRuneInString(p.Text(i + 1))
	return unicode.IsLower(next) && unicode.IsLower(last) && !strings.ContainsAny(s, "\t|") && len(strings.Fields(s)) >= goesOnWords
}

func (p *Page) isHeading(i int) bool {
	h := p.Lines[i].Heading
	return h >= 0 && p.Doc.Headings[h].Start == p.Lines[i].Span.Start
}

// leastUse is the share of the bounds that whole clauses must fill to be better than the words around the place.
const leastUse = 0.5

// mostClauses bounds the clauses of an excerpt; more have no words in them.
const mostClauses = 100

// cut takes the clauses around at that fit the bounds: from the beginning of the sentence when at is reached from there, and
// the words around at when the clauses are too long to choose from.
func (p *Page) cut(span research.Span, at int) research.Span {
	s := p.Doc.Text[span.Start:span.End]
	ends := clauseEnds(s)
	c := 0
	for c+1 < len(ends) && ends[c] <= at {
		c++
	}
	begin := func(i int) int { // of clause i
		if i == 0 {
			return 0
		}
		return ends[i-1]
	}
	fits := func(from, to int) bool { return Size(s[from:to]) <= excerptSigns }
	lo, hi := c, c
	if fits(0, ends[c]) {
		lo = 0
	}
	for hi+1 < len(ends) && hi-lo < mostClauses && fits(begin(lo), ends[hi+1]) {
		hi++
	}
	for lo > 0 && hi-lo < mostClauses && fits(begin(lo-1), ends[hi]) {
		lo--
	}
	from, to := begin(lo), ends[hi]
	if !fits(from, to) || Size(s[from:to]) < leastUse*excerptSigns {
		return p.cutWords(span, at)
	}
	from += len(s[from:]) - len(strings.TrimLeft(s[from:], " "))
	if to < len(s) {
		to = len(strings.TrimRight(s[:to], " ,;—–-，；、"))
	}
	return research.Span{Start: span.Start + from, End: span.Start + to}
}

// clauseEnds returns the offsets at which the clauses of a sentence end, behind their marks; the last is its length. A mark
// inside brackets or between digits ends nothing.
func clauseEnds(s string) []int {
	var out []int
	depth := 0
	for i, r := range s {
		after := i + utf8.RuneLen(r)
		switch {
		case r == utf8.RuneError:
			continue
		case strings.ContainsRune("([（", r):
			depth++
		case strings.ContainsRune(")]）", r):
			depth = max(0, depth-1)
		case depth > 0:
		case strings.ContainsRune("，；：", r), strings.ContainsRune(",;:—–", r) && strings.HasPrefix(s[after:], " "):
			out = append(out, after)
		}
	}
	if len(out) == 0 || out[len(out)-1] < len(s) {
		out = append(out, len(s))
	}
	return out
}

// cutWords takes the words around at that fit the bounds.
func (p *Page) cutWords(span research.Span, at int) research.Span {
	toks := text.Tokens(p.Doc.Text[span.Start:span.End])
	if len(toks) == 0 {
		return span
	}
	c := 0
	for c+1 < len(toks) && toks[c+1].Start <= at {
		c++
	}
	lo, hi := c, c
	for grown := true; grown; {
		grown = false
		if lo > 0 && Size(p.Doc.Text[span.Start+toks[lo-1].Start:span.Start+toks[hi].End]) <= excerptSigns {
			lo--
			grown = true
		}
		if hi+1 < len(toks) && Size(p.Doc.Text[span.Start+toks[lo].Start:span.Start+toks[hi+1].End]) <= excerptSigns {
			hi++
			grown = true
		}
	}
	end := span.Start + toks[hi].End
	if hi == len(toks)-1 {
		end = span.End
	}
	return research.Span{Start: span.Start + toks[lo].Start, End: end}
}
