package document

import (
	"math"
	"regexp"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/engine/research"
)

const (
	// bigType is the size of a heading's type relative to the body's.
	bigType = 1.15
	// sameType is how far the sizes of two lines of one paragraph may differ: a line may begin with a smaller code word.
	sameType = 0.84
	// wideGap is the line distance, relative to the usual one, from which a paragraph ends.
	wideGap = 1.3
	// headRuns is the number of pages on which a line must stand at the top or the foot to be a running head.
	headRuns = 3
)

var (
	leaders    = regexp.MustCompile(`(?:\s?[.·․…]){4,}\s*[\divxlcIVXLC]*\s*$`)
	endsInPage = regexp.MustCompile(`\s\d{1,4}$`)
	pageNumber = regexp.MustCompile(`^(?:[Pp]age\s+)?[-–—]?\s*(?:\d{1,4}|[ivxlc]{1,7})\s*[-–—]?(?:\s*(?:/|of)\s*\d{1,4})?$`)
	pdfBullet  = regexp.MustCompile(`^(?:[•◦▪‣∙●○■–⁃*-]\s+)`)
	pdfNumber  = regexp.MustCompile(`^(?:\(?\d{1,2}[.)]|\(?[a-z][.)])\s+\S`)
	digits     = regexp.MustCompile(`\d+|\b[ivxlc]+\b`)
)

// layPDF makes clean text of the lines of a PDF: running heads, page numbers and tables of contents are dropped, lines are
// joined to paragraphs, parted words made whole, headings found by the outline or by their type.
func layPDF(f pdfFile) research.Document {
	var doc research.Document
	doc.Title, doc.Byline = pdfTitle(f), person(f.Author)
	for i := range f.Pages {
		for j := range f.Pages[i].Lines {
			l := &f.Pages[i].Lines[j]
			// PDFium's mark of a parted word is a noncharacter, which clean would drop.
			l.Text = strings.TrimSpace(strings.ReplaceAll(clean(strings.ReplaceAll(strings.ReplaceAll(l.Text, "\ufffe", parted), "\x02", parted)), "\n", " "))
		}
	}
	dropFrames(f.Pages)
	dropContents(f.Pages)
	p := newPDFLayout(f)
	for i, page := range f.Pages {
		p.page(i, page)
	}
	p.flush()
	p.out.pages = p.starts
	p.out.into(&doc)
	return doc
}

// parted marks where a word was parted at a line end. It is a private-use character: clean drops those of the file, and
// the mark goes in before that, so it is spelt as a sequence that no text holds.
const parted = "\u00ac\u2043\u00ac"

// pdfTitle is the title of the metadata, unless it is the name that a word processor gave the file.
func pdfTitle(f pdfFile) string {
	t := oneLine(f.Title, 300)
	low := strings.ToLower(t)
	for _, junk := range []string{"untitled", "microsoft word", ".doc", ".docx", ".dvi", ".tex", ".indd", ".pdf"} {
		if strings.HasPrefix(low, junk) || strings.HasSuffix(low, junk) {
			return ""
		}
	}
	return t
}

// dropFrames takes out running heads, running feet and page numbers: lines at the very top or foot of a page that are a
// page number, or that stand there on several pages, figures aside.
func dropFrames(pages []pdfPage) {
	seen := map[string]int{}
	edge := func(p pdfPage, visit func(i int, key string)) {
		order := byHeight(p)
		for k, i := range order {
			if k < 2 || k >= len(order)-2 {
				visit(i, digits.ReplaceAllString(p.Lines[i].Text, "#")+"@"+string(rune('0'+int(p.Lines[i].Base)/6)))
			}
		}
	}
	for _, p := range pages {
		edge(p, func(_ int, key string) { seen[key]++ })
	}
	heads := headLines(pages)
	for n := range pages {
		drop := map[int]bool{}
		order := byHeight(pages[n])
		if len(order) > 0 && heads[height(pages[n].Lines[order[0]])] && apart(pages[n], order) {
			drop[order[0]] = true
		}
		edge(pages[n], func(i int, key string) {
			l := pages[n].Lines[i]
			extreme := len(order) > 0 && (i == order[0] || i == order[len(order)-1])
			if seen[key] >= headRuns && runes(l.Text) < 150 || extreme && pageNumber.MatchString(l.Text) {
				drop[i] = true
			}
		})
		pages[n].Lines = without(pages[n].Lines, drop)
	}
}

// headLines returns the heights at which pages have a line above their text that is set apart from it: running heads that
// change with the section. A height counts when the first line stands there on at least four pages and a third of all, and is
// set apart on nine of ten of them; a body that begins at that height is not set apart as often.
func headLines(pages []pdfPage) map[int]bool {
	all, set := map[int]int{}, map[int]int{}
	for _, p := range pages {
		order := byHeight(p)
		if len(order) < 3 {
			continue
		}
		h := height(p.Lines[order[0]])
		all[h]++
		if apart(p, order) {
			set[h]++
		}
	}
	heads := map[int]bool{}
	for h, n := range all {
		heads[h] = n >= 4 && n*3 >= len(pages) && set[h]*10 >= n*9
	}
	return heads
}

func height(l pdfLine) int { return int(math.Round(l.Base / 3)) }

// apart reports whether the first line of a page has more than the usual distance below it and is not larger than the text.
func apart(p pdfPage, order []int) bool {
	if len(order) < 2 {
		return false
	}
	first, second := p.Lines[order[0]], p.Lines[order[1]]
	return first.Base-second.Base > 1.7*math.Max(first.Size, second.Size) && runes(first.Text) < 150
}

// byHeight returns the indices of the lines from the top down.
func byHeight(p pdfPage) []int {
	order := make([]int, len(p.Lines))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return p.Lines[order[a]].Base > p.Lines[order[b]].Base })
	return order
}

func without(lines []pdfLine, drop map[int]bool) []pdfLine {
	if len(drop) == 0 {
		return lines
	}
	out := make([]pdfLine, 0, len(lines))
	for i, l := range lines {
		if !drop[i] {
			out = append(out, l)
		}
	}
	return out
}

// dropContents takes out the lines of tables of contents: those that end in dot leaders, and on a page with several of
// them also those that end in a page number without.
func dropContents(pages []pdfPage) {
	for n := range pages {
		dotted := 0
		for _, l := range pages[n].Lines {
			if leaders.MatchString(l.Text) {
				dotted++
			}
		}
		if dotted == 0 {
			continue
		}
		drop := map[int]bool{}
		for i, l := range pages[n].Lines {
			if leaders.MatchString(l.Text) || dotted >= 5 && endsInPage.MatchString(l.Text) {
				drop[i] = true
			}
		}
		pages[n].Lines = without(pages[n].Lines, drop)
	}
}

// pdfLayout joins lines. cur is the open paragraph, last its last line.
type pdfLayout struct {
	out     *builder
	starts  []int
	cur     string
	marks   []mark // pages that begin inside cur
	last    pdfLine
	lastOn  int // page of last, -1 when no paragraph is open
	tight   bool
	heading []pdfLine
	headOn  int
	body    float64 // size of the body's type
	pitch   float64 // usual distance of its lines, relative to the size
	right   float64 // right margin of the document
	words   map[string]int
	outline map[int][]pdfEntry
}

type mark struct{ page, at int }

func newPDFLayout(f pdfFile) *pdfLayout {
	p := &pdfLayout{out: newBuilder(), lastOn: -1, words: map[string]int{}, outline: map[int][]pdfEntry{}}
	sizes, gaps, rights := map[int]int{}, map[int]int{}, []float64{}
	for _, page := range f.Pages {
		for i, l := range page.Lines {
			n := runes(l.Text)
			sizes[int(math.Round(l.Size*4))] += n
			rights = append(rights, l.Right)
			if i > 0 && l.Size > 0 {
				if d := (page.Lines[i-1].End - l.Base) / l.Size; d > 0.8 && d < 3 && page.Lines[i-1].Size == l.Size {
					gaps[int(math.Round(d*20))] += n
				}
			}
			for _, w := range strings.FieldsFunc(strings.ToLower(l.Text), func(r rune) bool { return !unicode.IsLetter(r) && r != '-' }) {
				p.words[w]++
			}
		}
	}
	p.body = float64(mode(sizes)) / 4
	p.pitch = float64(mode(gaps)) / 20
	if p.pitch == 0 {
		p.pitch = 1.2
	}
	sort.Float64s(rights)
	if n := len(rights); n > 0 {
		p.right = rights[n*9/10]
	}
	for _, e := range f.Outline {
		e.Title = foldTitle(clean(e.Title))
		if e.Title != "" {
			p.outline[e.Page] = append(p.outline[e.Page], e)
		}
	}
	return p
}

// mode returns the key with the largest count, the smallest such key; 0 for none.
func mode(counts map[int]int) int {
	best, n := 0, 0
	for k, c := range counts {
		if c > n || c == n && k < best {
			best, n = k, c
		}
	}
	return best
}

// foldTitle reduces a heading to its letters and digits.
func foldTitle(s string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(s) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func (p *pdfLayout) page(n int, page pdfPage) {
	begun := false
	for i, l := range page.Lines {
		if l.Text == "" {
			continue
		}
		whole, level := p.isHeading(n, l)
		if level > 0 {
			p.flushText()
			p.startPage(n, &begun)
			p.heading = append(p.heading, l)
			p.headOn = n
			if whole || len(p.heading) == 3 {
				p.flushHeading()
			}
			continue
		}
		p.flushHeading()
		join, tight := p.joins(page, i, n)
		if !join {
			p.flushText()
			p.tight = tight
		}
		if p.lastOn >= 0 && !begun {
			for len(p.starts) < n { // pages without text in between
				p.starts = append(p.starts, -1)
			}
			p.appendLine(l, true, n)
			begun = true
		} else {
			p.startPage(n, &begun)
			p.appendLine(l, false, n)
		}
		p.last, p.lastOn = l, n
	}
	p.startPage(n, &begun)
}

// startPage notes that page n begins at the next block.
func (p *pdfLayout) startPage(n int, begun *bool) {
	if *begun || len(p.starts) > n {
		return
	}
	*begun = true
	for len(p.starts) <= n {
		p.starts = append(p.starts, -1)
	}
}

// isHeading returns the level of a heading line, 0 for none. whole says that the line is a whole entry of the outline.
func (p *pdfLayout) isHeading(n int, l pdfLine) (whole bool, level int) {
	t := foldTitle(l.Text)
	if len(l.Text) > 200 || t == "" {
		return false, 0
	}
	for _, e := range p.outline[n] {
		if t == e.Title || len(t) <= len(e.Title)+12 && strings.HasSuffix(t, e.Title) && (l.Size >= p.body*0.99) && utf8.RuneCountInString(e.Title) >= 4 {
			return true, e.Level
		}
	}
	if l.Size < p.body*bigType || runes(l.Text) > 100 {
		return false, 0
	}
	switch ratio := l.Size / p.body; {
	case ratio >= 1.9:
		return false, 1
	case ratio >= 1.35:
		return false, 2
	}
	return false, 3
}

// flushHeading lays the heading lines that stand together as one heading, with the level of the outline where it has it.
func (p *pdfLayout) flushHeading() {
	if len(p.heading) == 0 {
		return
	}
	s, level := "", 6
	for _, l := range p.heading {
		s = strings.TrimSpace(s + " " + strings.ReplaceAll(l.Text, parted, "-"))
		if _, n := p.isHeading(p.headOn, l); n > 0 {
			level = min(level, n)
		}
	}
	all := foldTitle(s)
	for _, e := range p.outline[p.headOn] {
		if e.Title == all || strings.HasSuffix(all, e.Title) {
			level = e.Level
		}
	}
	p.heading = nil
	p.out.heading(level, collapse(s))
	h := p.out.headings
	if len(h) > 0 {
		p.place(h[len(h)-1].Start)
	}
}

// place gives the pages that wait for it the offset of the block just laid.
func (p *pdfLayout) place(at int) {
	for i := len(p.starts) - 1; i >= 0 && p.starts[i] < 0; i-- {
		p.starts[i] = at
	}
}

// joins reports whether line i of page n goes on with the open paragraph. tight: when it does not, it stands close below.
func (p *pdfLayout) joins(page pdfPage, i, n int) (join, tight bool) {
	l := page.Lines[i]
	if p.lastOn < 0 {
		return false, false
	}
	if l.Size < p.last.Size*sameType || p.last.Size < l.Size*sameType {
		return false, false
	}
	same := p.lastOn == n
	gap := (p.last.End - l.Base) / math.Max(p.last.Size, 1)
	if same && gap > p.pitch*wideGap {
		return false, false
	}
	if pdfBullet.MatchString(l.Text) || pdfNumber.MatchString(l.Text) && !p.runsOn() {
		return false, same
	}
	if same && gap < -0.5 { // upwards: the next column, or a box beside the text
		return p.runsOn(), false
	}
	if p.fits(page, l, n) {
		return false, same
	}
	return true, false
}

// runsOn reports whether the open paragraph ends in mid-sentence.
func (p *pdfLayout) runsOn() bool {
	r, _ := utf8.DecodeLastRuneInString(p.cur)
	return unicode.IsLetter(r) || r == ',' || r == '-' || r == '，' || r == '、'
}

// fits reports whether the first word of l had room on the line before: then that line ended its paragraph.
func (p *pdfLayout) fits(page pdfPage, l pdfLine, n int) bool {
	right := p.right
	if p.lastOn == n {
		right = columnRight(page, p.last, p.right)
	}
	glyphs := math.Max(1, float64(runes(p.last.Text)))
	width := (p.last.Right - p.last.Left) / glyphs
	if p.last.End != p.last.Base || width <= 0 || width > p.last.Size { // a joined line: its width is not known
		width = p.last.Size / 2
	}
	word := l.Text
	if r, size := utf8.DecodeRuneInString(word); han(r) {
		word = word[:size]
		width = l.Size
	} else if i := strings.IndexByte(word, ' '); i > 0 {
		word = word[:i]
	}
	return p.last.Right+(float64(runes(word))+1.5)*width < right
}

// columnRight is the right edge of the column of l: nine of ten lines that share its height on the page end there or
// before.
func columnRight(page pdfPage, l pdfLine, def float64) float64 {
	var rights []float64
	for _, o := range page.Lines {
		if o.Left < l.Right && o.Right > l.Left {
			rights = append(rights, o.Right)
		}
	}
	if len(rights) < 5 {
		return def
	}
	sort.Float64s(rights)
	return rights[len(rights)*9/10]
}

// appendLine adds a line to the open paragraph. begins: it is the first text of page n and goes on with a paragraph.
func (p *pdfLayout) appendLine(l pdfLine, begins bool, n int) {
	s := pdfBullet.ReplaceAllString(l.Text, "")
	s = p.mend(collapse(s))
	if p.cur == "" {
		p.cur = s
		return
	}
	at := 0
	p.cur, at = p.glue(p.cur, s)
	if begins {
		for len(p.starts) <= n {
			p.starts = append(p.starts, -1)
		}
		p.marks = append(p.marks, mark{n, at})
	}
}

// mend makes words whole that PDFium marked as parted inside a line.
func (p *pdfLayout) mend(s string) string {
	for {
		before, after, ok := strings.Cut(s, parted)
		if !ok {
			return s
		}
		s = p.hyphen(before, after)
	}
}

// glue joins a line to the paragraph and returns the offset at which the line begins in it.
func (p *pdfLayout) glue(cur, s string) (string, int) {
	if strings.HasSuffix(cur, "-") && !strings.HasSuffix(cur, " -") && !strings.HasSuffix(cur, "--") {
		joined := p.hyphen(strings.TrimSuffix(cur, "-"), s)
		return joined, len(joined) - len(s)
	}
	a, _ := utf8.DecodeLastRuneInString(cur)
	b, _ := utf8.DecodeRuneInString(s)
	if wraps(a, b) {
		return cur + s, len(cur)
	}
	return cur + " " + s, len(cur) + 1
}

// hyphen joins the halves of a word parted at a line end, with its hyphen when that is the word's own: the document has
// the word so elsewhere, or the halves are words and the whole is not, or it is a name or an address.
func (p *pdfLayout) hyphen(before, after string) string {
	a := before[strings.LastIndexAny(before, " \n\u00a0(\"“")+1:]
	b := after
	if i := strings.IndexAny(b, " \n,.;:)!?”\""); i >= 0 {
		b = b[:i]
	}
	la, lb := strings.ToLower(a), strings.ToLower(b)
	keep := before + "-" + after
	switch r, _ := utf8.DecodeRuneInString(b); {
	case strings.ContainsAny(a, "/_.@=0123456789") || !unicode.IsLower(r):
		return keep
	case p.words[la+"-"+lb] > 0:
		return keep
	case p.words[la+lb] > 0:
		return before + after
	case strings.HasSuffix(la, "-"), strings.Contains(la, "-") && p.words[lb] > 0:
		return keep
	case len(la) > 2 && len(lb) > 3 && p.words[la] > 1 && p.words[lb] > 1:
		return keep
	}
	return before + after
}

// flushText lays the open paragraph.
func (p *pdfLayout) flushText() {
	if p.lastOn < 0 {
		return
	}
	before := p.out.b.Len()
	sep := 2
	if p.tight && before > 0 {
		p.out.line(p.cur)
		sep = 1
	} else {
		p.out.para(p.cur)
	}
	if p.out.b.Len() > before {
		start := before + sep
		if before == 0 {
			start = 0
		}
		waiting := len(p.starts)
		if len(p.marks) > 0 {
			waiting = p.marks[0].page
		}
		for i := waiting - 1; i >= 0 && p.starts[i] < 0; i-- {
			p.starts[i] = start
		}
		for _, m := range p.marks {
			p.starts[m.page] = min(start+m.at, p.out.b.Len())
		}
	}
	p.cur, p.marks, p.lastOn, p.tight = "", nil, -1, false
}

// flush ends the document.
func (p *pdfLayout) flush() {
	p.flushHeading()
	p.flushText()
	p.place(p.out.b.Len())
	for i := range p.starts { // never downwards: a page without text begins where the next one does
		if i > 0 && p.starts[i] < p.starts[i-1] {
			p.starts[i] = p.starts[i-1]
		}
	}
}
