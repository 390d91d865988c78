package subject

import (
	"strings"

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
// what follows first, and the first and last line of it. A line that is too long by itself is cut at a word near the
// sharpest place, which at gives as a byte offset into the line.
func (p *Page) Excerpt(i, at int) (span research.Span, lo, hi int) {
	span, lo, hi = p.Lines[i].Span, i, i
	if Size(p.Doc.Text[span.Start:span.End]) > excerptSigns {
		return p.cut(span, at), i, i
	}
	fits := func(s, e int) bool { return Size(p.Doc.Text[s:e]) <= excerptSigns }
	for grown := true; grown; {
		grown = false
		if hi+1 < len(p.Lines) && (p.Lines[hi+1].Block == p.Lines[hi].Block || p.leads(hi)) && fits(span.Start, p.Lines[hi+1].Span.End) {
			hi++
			span.End, grown = p.Lines[hi].Span.End, true
		}
		if lo > 0 && (p.Lines[lo-1].Block == p.Lines[lo].Block || p.introduces(lo-1)) && fits(p.Lines[lo-1].Span.Start, span.End) {
			lo--
			span.Start, grown = p.Lines[lo].Span.Start, true
		}
	}
	return span, lo, hi
}

// leads reports whether what line i says comes in the next block: it is a heading, or ends in a colon.
func (p *Page) leads(i int) bool { return p.isHeading(i) || p.introduces(i) }

// introduces reports whether line i ends in a colon.
func (p *Page) introduces(i int) bool {
	s := p.Text(i)
	return strings.HasSuffix(s, ":") || strings.HasSuffix(s, "：")
}

func (p *Page) isHeading(i int) bool {
	h := p.Lines[i].Heading
	return h >= 0 && p.Doc.Headings[h].Start == p.Lines[i].Span.Start
}

// cut takes the words around at that fit the bounds.
func (p *Page) cut(span research.Span, at int) research.Span {
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
