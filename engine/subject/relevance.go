// Package subject keeps a run on its subject: how much a sentence of a page has to do with a facet of the question, which
// names the subject goes by, and whether the subject stands in a text at all (HDRI 3.5).
//
// Start at [Read], which takes a document apart into lines, then [Body], which knows how informative each stem is among
// them, and [Body.Score].
package subject

import (
	"math"
	"slices"
	"sort"
	"strings"
	"sync"
	"unicode/utf8"

	"assay/engine/research"
	"assay/engine/text"
)

// Constants of the relevance of a sentence. Measured on the development half of the documentation questions (60 questions
// over Debian's own documents): share of facets answered in ten excerpts of at most sixty words.
const (
	satBM25    = 0.6  // k1: how soon repetition stops counting; 0.6 answers 65 of 92 facets, 1.0 answers 63, 2.0 58
	lengthBM25 = 0.5  // b
	weightNear = 0.6  // of the sentences around it, against the sentence itself
	weightHead = 0.35 // of the headings above and the title
	coverExp   = 0.5  // exponent of the share of the question's weight that the place holds
	nearLines  = 2
	blockLines = 10 // of the same paragraph
)

// Line is one sentence of a document, or a stretch of one that is far too long: see [text.Stretches].
type Line struct {
	Span    research.Span
	Block   int // lines of one block stand in one paragraph, item or cell row
	Heading int // index into the document's headings of the nearest one above; -1 when there is none
	stems   []string
	bag     map[string]int
}

// Stems returns the content stems of the line in order.
func (l *Line) Stems() []string { return l.stems }

// Page is a document taken apart.
type Page struct {
	Doc   research.Document
	Lines []Line
	heads []map[string]int // stems of the heading path, by heading index
	title map[string]int
}

// Read splits a document into lines. Headings are lines too, since a figure may stand in one.
func Read(doc research.Document) *Page {
	p := &Page{Doc: doc, title: bag(text.Terms(doc.Title, lang(doc)))}
	path := make([]string, 7)
	for _, h := range doc.Headings {
		level := min(max(h.Level, 1), 6)
		path[level] = h.Text
		for i := level + 1; i < len(path); i++ {
			path[i] = ""
		}
		p.heads = append(p.heads, bag(text.Terms(strings.Join(path[1:], " "), lang(doc))))
	}
	head, block := -1, 0
	for start := 0; start < len(doc.Text); {
		end := strings.IndexByte(doc.Text[start:], '\n')
		if end < 0 {
			end = len(doc.Text)
		} else {
			end += start
		}
		for head+1 < len(doc.Headings) && doc.Headings[head+1].Start <= start {
			head++
		}
		block++
		for _, s := range text.Sentences(doc.Text[start:end]) {
			for _, part := range text.Stretches(doc.Text[start+s.Start : start+s.End]) {
				from := start + s.Start
				l := Line{Span: research.Span{Start: from + part.Start, End: from + part.End}, Block: block, Heading: head}
				l.stems = text.Terms(doc.Text[l.Span.Start:l.Span.End], lang(doc))
				l.bag = bag(l.stems)
				p.Lines = append(p.Lines, l)
			}
		}
		start = end + 1
	}
	return p
}

func lang(doc research.Document) string {
	if doc.Lang == "" {
		return "en"
	}
	return doc.Lang
}

func bag(stems []string) map[string]int {
	m := make(map[string]int, len(stems))
	for _, s := range stems {
		m[s]++
	}
	return m
}

// Text returns the words of line i.
func (p *Page) Text(i int) string {
	s := p.Lines[i].Span
	return p.Doc.Text[s.Start:s.End]
}

// LineAt returns the index of the line that holds byte offset at, or of the next one; -1 when there is none.
func (p *Page) LineAt(at int) int {
	i := sort.Search(len(p.Lines), func(i int) bool { return p.Lines[i].Span.End > at })
	if i == len(p.Lines) {
		return -1
	}
	return i
}

// Body is all pages of a run, with the frequency of every stem among their lines.
type Body struct {
	Pages []*Page
	df    map[string]int
	lines int
	avg   float64 // stems a line

	same map[string]int // how many lines have these stems
	// titles holds the stems of every heading of two stems or more: the same words elsewhere are a table of contents.
	titles map[string]bool

	once  sync.Once
	lists map[string][][2]int // page and line by stem; see index
}

// NewBody counts the stems of the pages.
func NewBody(pages []*Page) *Body {
	b := &Body{Pages: pages, df: map[string]int{}, same: map[string]int{}, titles: map[string]bool{}}
	total := 0
	for _, p := range pages {
		for i := range p.Lines {
			b.lines++
			total += len(p.Lines[i].stems)
			k := strings.Join(p.Lines[i].stems, " ")
			b.same[k]++
			if p.isHeading(i) && len(p.Lines[i].stems) > 1 {
				b.titles[k] = true
			}
			for s := range p.Lines[i].bag {
				b.df[s]++
			}
		}
	}
	if b.lines > 0 {
		b.avg = float64(total) / float64(b.lines)
	}
	return b
}

// Weight returns how informative a stem is: the inverse document frequency over lines, as in BM25.
func (b *Body) Weight(stem string) float64 {
	d := float64(b.df[stem])
	return math.Log(1 + (float64(b.lines)-d+0.5)/(d+0.5))
}

// Seen returns in how many lines a stem stands.
func (b *Body) Seen(stem string) int { return b.df[stem] }

// furnished is how many lines with the same words make them furniture: headers of tables, navigation, running titles.
const furnished = 4

// A line that ends as a sentence does and has so many words, or so many characters of a script without spaces, is a sentence, and no
// furniture however often it stands there.
const (
	sentenceWords = 6
	sentenceHan   = 10
)

// Furniture reports whether a line stands all over the pages, or is an entry of a table of contents, and so says nothing at
// its place.
func (b *Body) Furniture(p *Page, i int) bool {
	k := strings.Join(p.Lines[i].stems, " ")
	s := strings.TrimSpace(p.Text(i))
	if strings.HasSuffix(s, ".") && len(strings.Fields(s)) >= sentenceWords || strings.HasSuffix(s, "。") && utf8.RuneCountInString(s) > sentenceHan {
		return false
	}
	return b.same[k] >= furnished || !p.isHeading(i) && b.titles[k]
}

// Ask is what to look for: weighted stems, with the other stems that stand for each.
type Ask struct {
	Terms   []AskTerm
	Phrases []Phrase
}

// AskTerm is one stem of the question. Share is 1 for a stem of the facet itself and less for one of its surroundings.
type AskTerm struct {
	Stem  string
	Share float64
	Alias []string // stems that count in its place
	Kin   []string // stems that may say the same, and count for less
}

// Phrase is an alias of several stems for one term: "debian 3.1" for "sarge".
type Phrase struct {
	Term  int // index into Terms
	Stems []string
}

// Mark is the relevance of one line.
type Mark struct {
	Line  int
	Score float64 // unbounded; comparable within one Ask
	Cover float64 // share of the question's weight in the line, its neighbours and its headings, 0..1
	Own   float64 // the same for the line alone
}

// Score marks every line of a page in which, or near which, a stem of the question stands.
func (b *Body) Score(p *Page, ask Ask) []Mark {
	total := 0.0
	w := make([]float64, len(ask.Terms))
	for i, t := range ask.Terms {
		w[i] = t.Share * b.Weight(t.Stem)
		total += w[i]
	}
	if total == 0 {
		return nil
	}
	own := make([][]float64, len(p.Lines)) // counts by term, nil when none
	for i := range p.Lines {
		own[i] = ask.counts(&p.Lines[i])
	}
	var out []Mark
	near := make([]float64, len(ask.Terms))
	above := map[int][]float64{} // by heading: what stands in it and in the title
	for i := range p.Lines {
		lo, hi := p.around(i)
		any, length := false, 0
		clear(near)
		for j := lo; j < hi; j++ {
			length += len(p.Lines[j].stems)
			for t, n := range own[j] {
				near[t] += n
				any = any || n > 0
			}
		}
		if !any {
			continue
		}
		heading := p.Lines[i].Heading
		if _, known := above[heading]; !known {
			above[heading] = p.above(ask, heading)
		}
		out = append(out, b.mark(p, i, own[i], near, above[heading], length, w, total))
	}
	return out
}

// around returns the lines that line i is read with: some on each side, and of its own paragraph more, since a paragraph
// speaks of one thing and names it once.
func (p *Page) around(i int) (lo, hi int) {
	for lo = i; lo > 0 && (i-lo < nearLines || i-lo < blockLines && p.Lines[lo-1].Block == p.Lines[i].Block); {
		lo--
	}
	for hi = i + 1; hi < len(p.Lines) && (hi-i <= nearLines || hi-i <= blockLines && p.Lines[hi].Block == p.Lines[i].Block); {
		hi++
	}
	return lo, hi
}

// above returns how often each term of the question, or what stands for it, occurs in a heading and, for half, in the title.
func (p *Page) above(ask Ask, heading int) []float64 {
	var head map[string]int
	if heading >= 0 && heading < len(p.heads) {
		head = p.heads[heading]
	}
	out := make([]float64, len(ask.Terms))
	for t, term := range ask.Terms {
		out[t] = float64(head[term.Stem]) + 0.5*float64(p.title[term.Stem])
		for _, s := range term.Alias {
			out[t] += float64(head[s]) + 0.5*float64(p.title[s])
		}
	}
	return out
}

func (b *Body) mark(p *Page, i int, own, near, above []float64, nearLen int, w []float64, total float64) Mark {
	l := &p.Lines[i]
	m := Mark{Line: i}
	for t := range w {
		n := 0.0
		if own != nil {
			n = own[t]
		}
		h := above[t]
		m.Score += w[t] * (saturate(n, float64(len(l.stems)), b.avg) +
			weightNear*saturate(near[t], float64(nearLen), b.avg*(2*nearLines+1)) +
			weightHead*saturate(h, 6, 6))
		if n > 0 {
			m.Own += w[t]
		}
		if near[t] > 0 || h > 0 {
			m.Cover += w[t]
		}
	}
	m.Own /= total
	m.Cover /= total
	m.Score *= math.Pow(m.Cover, coverExp)
	return m
}

func saturate(n, length, avg float64) float64 {
	if n == 0 {
		return 0
	}
	return n * (satBM25 + 1) / (n + satBM25*(1-lengthBM25+lengthBM25*length/avg))
}

// kinCount is what a word that may say the same counts, where one that is asked for counts 1.
const kinCount = 0.5

// counts returns how often each term, or what stands for it, occurs in the line; nil when none does.
func (a Ask) counts(l *Line) []float64 {
	var c []float64
	put := func(t int, n float64) {
		if c == nil {
			c = make([]float64, len(a.Terms))
		}
		c[t] += n
	}
	for t, term := range a.Terms {
		if n := l.bag[term.Stem]; n > 0 {
			put(t, float64(n))
			continue
		}
		if at := slices.IndexFunc(term.Alias, func(s string) bool { return l.bag[s] > 0 }); at >= 0 {
			put(t, float64(l.bag[term.Alias[at]]))
			continue
		}
		if slices.ContainsFunc(term.Kin, func(s string) bool { return l.bag[s] > 0 }) {
			put(t, kinCount)
		}
	}
	for _, ph := range a.Phrases {
		if (c == nil || c[ph.Term] == 0) && contains(l.stems, ph.Stems) {
			put(ph.Term, 1)
		}
	}
	return c
}

func contains(stems, phrase []string) bool {
	for i := 0; i+len(phrase) <= len(stems); i++ {
		ok := len(phrase) > 0
		for j, s := range phrase {
			if stems[i+j] != s {
				ok = false
				break
			}
		}
		if ok {
			return true
		}
	}
	return false
}

// Holds returns which of the stems stand anywhere in the page.
func (p *Page) Holds(stems []string) map[string]bool {
	out := map[string]bool{}
	for i := range p.Lines {
		for _, s := range stems {
			if p.Lines[i].bag[s] > 0 {
				out[s] = true
			}
		}
	}
	return out
}

// windowLines is how many lines in a row make the window of [Page.BestWindow].
const windowLines = 2*nearLines + 1

// BestWindow returns the greatest share of the stems that stands in windowLines lines in a row with the headings above, 0..1.
func (p *Page) BestWindow(stems []string) float64 {
	share, _ := p.bestWindow(stems)
	return share
}

// Best returns the words of the window of [Page.BestWindow], at most so many bytes; the beginning of the page when none holds a stem.
func (p *Page) Best(stems []string, bytes int) string {
	if len(p.Lines) == 0 {
		return ""
	}
	_, last := p.bestWindow(stems)
	start := p.Lines[max(0, last-windowLines+1)].Span.Start
	end := p.Lines[min(len(p.Lines)-1, max(last, windowLines-1))].Span.End
	return strings.ToValidUTF8(p.Doc.Text[start:min(end, start+bytes)], "")
}

// bestWindow returns the share and the last line of the best window; of equals the first.
func (p *Page) bestWindow(stems []string) (share float64, line int) {
	if len(stems) == 0 {
		return 0, 0
	}
	last := make([]int, len(stems)) // the last line that held each stem, counted from 1
	best := 0
	for i := range p.Lines {
		var head map[string]int
		if h := p.Lines[i].Heading; h >= 0 && h < len(p.heads) {
			head = p.heads[h]
		}
		n := 0
		for t, s := range stems {
			if p.Lines[i].bag[s] > 0 {
				last[t] = i + 1
			}
			if last[t] > 0 && i+1-last[t] < windowLines || head[s] > 0 {
				n++
			}
		}
		if n > best {
			best, line = n, i
		}
	}
	return float64(best) / float64(len(stems)), line
}

// Around returns the span of line i with a line on each side of the same block.
func (p *Page) Around(i int) research.Span {
	lo, hi := i, i
	if i > 0 && p.Lines[i-1].Block == p.Lines[i].Block {
		lo--
	}
	if i+1 < len(p.Lines) && p.Lines[i+1].Block == p.Lines[i].Block {
		hi++
	}
	return research.Span{Start: p.Lines[lo].Span.Start, End: p.Lines[hi].Span.End}
}

// Paragraph returns the words of the block that line i stands in.
func (p *Page) Paragraph(i int) string {
	lo, hi := i, i
	for lo > 0 && p.Lines[lo-1].Block == p.Lines[i].Block {
		lo--
	}
	for hi+1 < len(p.Lines) && p.Lines[hi+1].Block == p.Lines[i].Block {
		hi++
	}
	return p.Doc.Text[p.Lines[lo].Span.Start:p.Lines[hi].Span.End]
}

// Near reports whether one of the words stands in line i, the nearLines on each side, the headings above or the title.
func (p *Page) Near(i int, words []string) bool {
	for _, w := range words {
		for j := max(0, i-nearLines); j < min(len(p.Lines), i+nearLines+1); j++ {
			if strings.Contains(p.Text(j), w) {
				return true
			}
		}
		if strings.Contains(p.HeadingAt(p.Lines[i].Span.Start), w) || strings.Contains(p.Doc.Title, w) {
			return true
		}
	}
	return false
}

// HeadingAt returns the path of headings above a byte offset, "Chapter 4 > 4.2 Releases".
func (p *Page) HeadingAt(at int) string {
	var path [7]string
	for _, h := range p.Doc.Headings {
		if h.Start > at {
			break
		}
		level := min(max(h.Level, 1), 6)
		path[level] = h.Text
		for i := level + 1; i < len(path); i++ {
			path[i] = ""
		}
	}
	var out []string
	for _, s := range path {
		if s != "" {
			out = append(out, s)
		}
	}
	return strings.Join(out, " > ")
}

// PageAt returns the 1-based page of a byte offset, 0 for a document without pages.
func (p *Page) PageAt(at int) int {
	return sort.SearchInts(p.Doc.Pages, at+1)
}
