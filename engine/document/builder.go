package document

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"assay/engine/research"
)

// builder lays clean text: blocks separated by a blank line, lines of a list, a table or a listing by a line end. It keeps
// the offsets of headings, tables and pages as it goes.
type builder struct {
	b        strings.Builder
	headings []research.Heading
	tables   []research.Span
	pages    []int
	inTable  int // offset where the open table began, or -1
	open     grid
	heads    []research.Span
	links    []research.Link
}

// grid is what is known of the table that is being laid.
type grid struct {
	said    bool     // the format says that the first row is a heading
	other   bool     // it says that something else is
	first   []string // its cells
	end     int      // offset where it ends
	rows    int
	uneven  bool  // a row has another number of cells: some were joined
	figures []int // by column, the cells under the first row that are a number or a date
	years   []int // of these, what may be a year
	filled  []int // and the cells that hold anything
}

// add counts a row.
func (g *grid) add(cells []string) {
	if g.rows++; g.rows == 1 {
		g.first = append([]string(nil), cells...)
		g.figures, g.years, g.filled = make([]int, len(cells)), make([]int, len(cells)), make([]int, len(cells))
		return
	}
	g.uneven = g.uneven || len(cells) != len(g.first)
	for i, c := range cells[:min(len(cells), len(g.first))] {
		if c != "" {
			g.filled[i]++
		}
		if IsFigure(c) {
			g.figures[i]++
		}
		if yearForm.MatchString(c) {
			g.years[i]++
		}
	}
}

// headed reports whether the first row names the columns: the format says so, or every cell of it is a name of its own and there is
// a column of figures under one that is none.
func (g *grid) headed() bool {
	if g.rows < 2 || g.uneven || len(g.first) < 2 || g.first[len(g.first)-1] == "" {
		return false
	}
	seen, named, counted := map[string]bool{}, true, false
	for i, c := range g.first {
		// A year names a column of other figures; under a year in a column of years there is no name.
		name := !IsFigure(c) || i > 0 && yearForm.MatchString(c) && 2*g.years[i] <= g.filled[i]
		named = named && c != "" && len(c) <= longestHead && !seen[c] && name
		seen[c] = true
		counted = counted || 2*g.figures[i] > g.filled[i]
	}
	return g.said || named && counted && !g.other
}

// longestHead is the most bytes of a cell that may be the name of a column.
const longestHead = 120

// figureForm is a cell that holds a number, with a sign, separators, a unit of a letter or three, or a date in figures.
var figureForm = regexp.MustCompile(`^[~<>≈±+−-]?\s*[$€£¥]?\s*\d[\d., '/:–-]*\s*(?:%|\p{L}{1,3}\.?)?$`)

var yearForm = regexp.MustCompile(`^(?:1[5-9]|20)\d\d$`)

// IsFigure reports whether a cell holds a number or a date in figures and nothing else.
func IsFigure(s string) bool { return len(s) <= 40 && figureForm.MatchString(s) }

func newBuilder() *builder { return &builder{inTable: -1} }

// para adds s as a block of its own. s may hold line ends, which are kept.
func (b *builder) para(s string) { b.add(s, "\n\n") }

// line adds s on a line of its own, close to the line before.
func (b *builder) line(s string) { b.add(s, "\n") }

func (b *builder) add(s, sep string) {
	s = strings.TrimRight(s, " \t\n")
	if strings.TrimSpace(s) == "" {
		return
	}
	if b.b.Len() > 0 {
		b.b.WriteString(sep)
	}
	b.b.WriteString(s)
}

// heading adds a heading line. An empty one is dropped.
func (b *builder) heading(level int, s string) {
	s = oneLine(s, 400)
	if s == "" {
		return
	}
	b.para(s)
	b.headings = append(b.headings, research.Heading{Start: b.b.Len() - len(s), Level: min(max(level, 1), 6), Text: s})
}

// CellBreak stands between the cells of a row. It is white space, so that a quoted row is made of the page's own words only.
const CellBreak = "\t"

// row adds one row of a table; the first after openTable begins a block.
func (b *builder) row(cells []string) {
	s := strings.TrimSpace(strings.Join(cells, CellBreak))
	if s == "" {
		return
	}
	if b.inTable < 0 {
		b.para(s)
		b.inTable = b.b.Len() - len(s)
		b.open = grid{said: b.open.said, other: b.open.other, end: b.b.Len()}
	} else {
		b.line(s)
	}
	b.open.add(cells)
}

// closeTable ends a run of rows.
func (b *builder) closeTable() {
	if b.inTable >= 0 {
		b.tables = append(b.tables, research.Span{Start: b.inTable, End: b.b.Len()})
		if b.open.headed() {
			b.heads = append(b.heads, research.Span{Start: b.inTable, End: b.open.end})
		}
	}
	b.inTable, b.open = -1, grid{}
}

// into moves what was laid into doc.
func (b *builder) into(doc *research.Document) {
	b.closeTable()
	doc.Text, doc.Headings, doc.Tables, doc.Heads, doc.Pages, doc.Links = b.b.String(), b.headings, b.tables, b.heads, b.pages, b.links
}

// runes is the length of s in characters, which is what shares of a page are compared by: a Chinese byte count is three
// times that of its reading length.
func runes(s string) int { return utf8.RuneCountInString(s) }
