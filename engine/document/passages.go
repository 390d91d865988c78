package document

import (
	"strconv"
	"strings"

	"assay/engine/research"
	"assay/engine/text"
)

// The size of a passage in words. A character of a script without spaces counts as wideWord of a word, so that 150 to 300
// signs of Chinese are as long as 60 to 130 words.
const (
	fewWords  = 60
	manyWords = 130
	// tailWords is the length below which the rest of a section joins the passage before it.
	tailWords = 25
	wideWord  = 0.43
)

// unit is a sentence or a line: what a passage is made of.
type unit struct {
	start, end int
	words      float64
	para       bool // ends a paragraph
}

// Passages cuts the clean text of doc into passages of about 60 to 130 words (150 to 300 signs of Chinese) that begin and
// end with a sentence, a list item or a table row, lie within one section, and hold no heading. source is the identifier
// of the source they belong to. They are in order, do not overlap, and doc.Text[p.Start:p.End] == p.Text holds for each.
func Passages(doc research.Document, source string) []research.Passage {
	var out []research.Passage
	path := headingPath{}
	from := 0
	page := 0
	sha := doc.SHA256
	if sha == "" && doc.Text != "" {
		sha = research.SHA256(doc.Text)
	}
	emit := func(start, end int) {
		for page < len(doc.Pages) && doc.Pages[page] <= start {
			page++
		}
		t := doc.Text[start:end]
		out = append(out, research.Passage{
			ID: research.ID("p", sha, strconv.Itoa(start), strconv.Itoa(end)), Source: source,
			Start: start, End: end, SHA256: research.SHA256(t), Text: t, Heading: path.String(), Page: page,
		})
	}
	section := func(to int) {
		if from < to {
			for _, w := range windows(units(doc.Text, from, to)) {
				emit(w.Start, w.End)
			}
		}
	}
	for _, h := range doc.Headings {
		end := h.Start + len(h.Text)
		if h.Start < from || end > len(doc.Text) {
			continue // not a document of this package
		}
		section(h.Start)
		path.push(h)
		from = end
	}
	section(len(doc.Text))
	return out
}

// PathAt is the chain of headings above the byte at in a document, as [Passages] gives it to a passage that begins there.
func PathAt(doc research.Document, at int) string {
	path, from := headingPath{}, 0
	for _, h := range doc.Headings {
		end := h.Start + len(h.Text)
		if h.Start < from || end > len(doc.Text) {
			continue
		}
		if h.Start > at {
			break
		}
		path.push(h)
		from = end
	}
	return path.String()
}

// headingPath is the chain of headings above a passage.
type headingPath []research.Heading

func (p *headingPath) push(h research.Heading) {
	for len(*p) > 0 && (*p)[len(*p)-1].Level >= h.Level {
		*p = (*p)[:len(*p)-1]
	}
	*p = append(*p, h)
}

// String joins the chain: "Chapter 4 > 4.2 Releases".
func (p headingPath) String() string {
	parts := make([]string, len(p))
	for i, h := range p {
		parts[i] = h.Text
	}
	return strings.Join(parts, " > ")
}

// units parts text[from:to] into sentences, and those that are far too long, as in a transcript without marks, into
// stretches; a line end always ends one.
func units(s string, from, to int) []unit {
	var out []unit
	for at := from; at < to; {
		end := strings.IndexByte(s[at:to], '\n')
		if end < 0 {
			end = to
		} else {
			end += at
		}
		line := s[at:end]
		for _, sp := range text.Sentences(line) {
			if sp.Start < 0 || sp.End > len(line) || sp.Start >= sp.End {
				continue
			}
			for _, part := range text.Stretches(line[sp.Start:sp.End]) {
				from, to := at+sp.Start+part.Start, at+sp.Start+part.End
				out = append(out, unit{start: from, end: to, words: words(s[from:to])})
			}
		}
		if n := len(out); n > 0 && end+1 < to && s[end] == '\n' && s[end+1] == '\n' {
			out[n-1].para = true
		}
		at = end + 1
	}
	return out
}

// perRun is the number of bytes that count as one more word: a megabyte without spaces is not one word.
const perRun = 4000

// words is the length of s in words, with a fraction for each character of a script without spaces.
func words(s string) float64 {
	n, in := float64(len(s))/perRun, false
	for _, r := range s {
		switch {
		case r == ' ' || r == '\n' || r == '\t':
			in = false
		case han(r):
			n, in = n+wideWord, false
		case !in:
			n, in = n+1, true
		}
	}
	return n
}

// windows packs units: a window closes at a paragraph end from fewWords on, before a unit that would carry it over
// manyWords, and a short rest joins the window before it.
func windows(us []unit) []research.Span {
	var out []research.Span
	var size []float64
	open, w := 0, 0.0
	closeAt := func(next int) {
		if next > open {
			out = append(out, research.Span{Start: us[open].start, End: us[next-1].end})
			size = append(size, w)
		}
		open, w = next, 0
	}
	for i, u := range us {
		if i > open && w+u.words > manyWords {
			closeAt(i)
		}
		w += u.words
		if w >= fewWords && u.para {
			closeAt(i + 1)
		}
	}
	last := w
	closeAt(len(us))
	if n := len(out); n >= 2 && last > 0 && last < tailWords && size[n-2]+last <= manyWords+tailWords {
		out[n-2].End = out[n-1].End
		out = out[:n-1]
	}
	return out
}
