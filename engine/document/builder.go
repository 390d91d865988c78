package document

import (
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
}

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
		return
	}
	b.line(s)
}

// closeTable ends a run of rows.
func (b *builder) closeTable() {
	if b.inTable >= 0 {
		b.tables = append(b.tables, research.Span{Start: b.inTable, End: b.b.Len()})
	}
	b.inTable = -1
}

// into moves what was laid into doc.
func (b *builder) into(doc *research.Document) {
	b.closeTable()
	doc.Text, doc.Headings, doc.Tables, doc.Pages = b.b.String(), b.headings, b.tables, b.pages
}

// runes is the length of s in characters, which is what shares of a page are compared by: a Chinese byte count is three
// times that of its reading length.
func runes(s string) int { return utf8.RuneCountInString(s) }
