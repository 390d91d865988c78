package engine

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode"

	"assay/engine/document"
	"assay/engine/evidence"
	"assay/engine/intent"
	"assay/engine/research"
	"assay/engine/temporal"
	"assay/engine/text"
)

// Tables are read as data: where the first row of a table names its columns, a cell is a claim of its own, "COLUMN of ROW is VALUE",
// with the row as its passage. Which cell answers is told by code: the row that holds what the question names, the column whose
// heading holds what it asks for.

const (
	// cellsName is how a claim signs that code made of a cell.
	cellsName = "table"
	// headedBy marks the vote of the passage that holds the heading of a cell's column.
	headedBy = "the heading of its column"
	// cellCover is the share of a question's words, by weight, that row, column, caption, headings and title hold together.
	cellCover = 0.6
	// cellRows is how many rows may name what is asked for; of more, none is meant.
	cellRows = 2
	// cellsPerFacet bounds the claims of one facet.
	cellsPerFacet = 4
	// mostTables bounds the tables of a page, mostCells their rows together that are looked at for one facet.
	mostTables = 400
	mostCells  = 60_000
	longestVal = 200 // bytes
	longestCap = 200
)

// table is a table of a page with its columns named.
type table struct {
	head    research.Span
	span    research.Span
	columns []string
	label   int // the column that names the rows
	rows    []tableRow
	caption research.Span // of the line above; empty when that is none
}

type tableRow struct {
	span  research.Span
	cells []string // as columns
}

// tableAt reads the i-th headed table of a document. Rows from which cells were lost are left out, since it cannot be told which.
func tableAt(doc research.Document, i int) (t table, ok bool) {
	t.head = doc.Heads[i]
	k := slices.IndexFunc(doc.Tables, func(s research.Span) bool { return s.Start == t.head.Start })
	if k < 0 {
		return t, false
	}
	t.span = doc.Tables[k]
	t.columns = split(doc.Text[t.head.Start:t.head.End])
	named := len(t.columns)
	at := t.head.End + 1
	for at < t.span.End {
		end := t.span.End
		if j := strings.IndexByte(doc.Text[at:end], '\n'); j >= 0 {
			end = at + j
		}
		cells := split(doc.Text[at:end])
		if len(cells) < named && doc.MediaType == document.CSV { // nothing but empty cells at the end are lost there
			cells = append(cells, make([]string, named-len(cells))...)
		}
		t.rows = append(t.rows, tableRow{research.Span{Start: at, End: end}, cells})
		at = end + 1
	}
	if slices.ContainsFunc(t.rows, func(r tableRow) bool { return len(r.cells) == named+1 }) {
		t.columns = append([]string{""}, t.columns...) // the corner is empty
	}
	t.rows = slices.DeleteFunc(t.rows, func(r tableRow) bool { return len(r.cells) != len(t.columns) })
	if len(t.rows) == 0 {
		return t, false
	}
	t.label = t.labels()
	t.caption = captionOf(doc, t.span.Start)
	return t, true
}

func split(row string) []string {
	cells := strings.Split(row, document.CellBreak)
	for i, c := range cells {
		cells[i] = strings.TrimSpace(c)
	}
	return cells
}

// labels is the first column whose cells are mostly words; the first when there is none.
func (t table) labels() int {
	for c := range t.columns {
		words := 0
		for _, r := range t.rows {
			if strings.ContainsFunc(r.cells[c], unicode.IsLetter) && !document.IsFigure(r.cells[c]) {
				words++
			}
		}
		if 2*words > len(t.rows) {
			return c
		}
	}
	return 0
}

// captionOf is the line above a table when it is one: short, no heading of a section, and no sentence of the text but one that begins
// as a caption does.
func captionOf(doc research.Document, at int) research.Span {
	above := strings.TrimRight(doc.Text[:at], "\n")
	start := strings.LastIndexByte(above, '\n') + 1
	line := above[start:]
	blank := start == 0 || start > 1 && doc.Text[start-2] == '\n'
	heading := slices.ContainsFunc(doc.Headings, func(h research.Heading) bool { return h.Start == start })
	ends := strings.TrimRight(line, ".。:： ")
	if line == "" || !blank || heading || len(line) > longestCap || strings.Contains(line, document.CellBreak) || ends != line && !captionForm.MatchString(line) {
		return research.Span{}
	}
	return research.Span{Start: start, End: start + len(line)}
}

var captionForm = regexp.MustCompile(`^(?:(?i:table|tab\.)\s*[\dIVX]|表\s*[\d一二三四五六七八九十])`)

// unitForm is the unit of a column in its heading: "Size (MB)", "人口（万）", "Size [MB]", "Size, in MB", "人口/万人".
var unitForm = regexp.MustCompile(`^(.*\S)\s*(?:[(\[（]\s*([^()\[\]（）]{1,16}?)\s*[)\]）]|,\s*in\s+(\S{1,12})|/\s*(\p{Han}{1,4}))$`)

// headingOf is the heading of a column without its unit, and the unit where a bare number of the column can carry it.
func headingOf(column string) (name, unit string) {
	m := unitForm.FindStringSubmatch(column)
	if m == nil {
		return column, ""
	}
	unit = m[2] + m[3] + m[4]
	qs := text.Quantities("7" + space(unit) + unit)
	if len(qs) != 1 || qs[0].Unit == "" || qs[0].Kind == research.Count || qs[0].Value != "7" { // "millions" is no unit but a scale: it stays where it is
		return column, ""
	}
	return m[1], unit
}

// space stands between a number and a unit where the unit is a word.
func space(unit string) string {
	if r := []rune(unit); len(r) > 0 && (unicode.IsLetter(r[0]) && !unicode.Is(unicode.Han, r[0])) {
		return " "
	}
	return ""
}

var bareNumber = regexp.MustCompile(`^[+−-]?\d[\d.,  ]*$`)

// value is a cell with the unit of its column.
func value(cell, unit string) string {
	if unit == "" || !bareNumber.MatchString(cell) {
		return cell
	}
	return cell + space(unit) + unit
}

// cellPick is a cell that may answer a facet.
type cellPick struct {
	page, facet, row, column int
	t                        *table
	cover                    float64
}

// cells reads the tables of all pages for each facet.
func (l *lens) cells() []research.Claim {
	tables := make([][]table, len(l.pages))
	budget := mostCells
	for pi, p := range l.pages {
		for i := range p.Doc.Heads[:min(len(p.Doc.Heads), mostTables)] {
			if t, ok := tableAt(p.Doc, i); ok && budget > 0 {
				budget -= len(t.rows)
				tables[pi] = append(tables[pi], t)
			}
		}
	}
	var out []research.Claim
	for fi, f := range l.meaning.Facets {
		if f.Want == research.AnswerReason || l.absent(f) != "" {
			continue
		}
		var picks []cellPick
		for pi := range tables {
			for ti := range tables[pi] {
				picks = append(picks, l.pick(pi, fi, &tables[pi][ti])...)
			}
		}
		sort.SliceStable(picks, func(a, b int) bool { return picks[a].cover > picks[b].cover })
		for _, k := range picks[:min(len(picks), cellsPerFacet)] {
			if k.cover < picks[0].cover-0.1 {
				break
			}
			if c, ok := l.cellClaim(k); ok {
				out = append(out, c)
			}
		}
	}
	return out
}

// sought is a stem of a facet with its weight.
type sought struct {
	forms  []string // it, or what stands for it
	weight float64
	own    bool // of the facet itself
	must   bool // a number: no other stands for it
	kind   bool // it says what kind of thing is asked for (size, date): a heading may be just that, a row is not
}

// zhIdle are signs of which no pair is a word to look for.
const zhIdle = "的是了在和与有个为吗呢"

// soughtIn lists what a facet says, and the weight of it beside its question word.
func (l *lens) soughtIn(fi int) (out []sought, total float64) {
	lang := l.meaning.Lang
	for _, t := range l.asks[fi].Terms {
		if lang == "zh" && (l.straddles(fi, t.Stem) || strings.ContainsAny(t.Stem, zhIdle)) {
			continue
		}
		s := sought{forms: append([]string{t.Stem}, t.Alias...), weight: t.Share * l.body.Weight(t.Stem), own: t.Share == 1, kind: asking(t.Stem, lang)}
		s.must = s.own && strings.ContainsFunc(t.Stem, unicode.IsDigit)
		if !s.kind {
			total += s.weight
		}
		out = append(out, s)
	}
	return out, total
}

func (s sought) in(stems map[string]bool) bool {
	return slices.ContainsFunc(s.forms, func(f string) bool { return stems[f] })
}

// pick finds the cells of a table that answer a facet: in the rows that hold most of what the facet names, the column whose heading
// holds most of what is left.
func (l *lens) pick(page, fi int, t *table) []cellPick {
	ss, total := l.soughtIn(fi)
	if total == 0 {
		return nil
	}
	doc, lang := l.pages[page].Doc, l.meaning.Lang
	f := l.meaning.Facets[fi]
	above := text.TermSet(strings.Join([]string{doc.Text[t.caption.Start:t.caption.End], document.PathAt(doc, t.head.Start), doc.Title}, "\n"), lang)
	weigh := func(kinds bool, has ...map[string]bool) (sum float64) {
		for _, s := range ss {
			if (kinds || !s.kind) && slices.ContainsFunc(has, s.in) {
				sum += s.weight
			}
		}
		return sum
	}
	// The column first: what its heading says is then not looked for in the rows.
	heads := make([]map[string]bool, len(t.columns))
	bestHead, column, ties := 0.0, -1, 0
	for c, name := range t.columns {
		heads[c] = text.TermSet(name, lang)
		if c == t.label || !l.holdsAsked(f, t, c) {
			continue
		}
		switch w := weigh(true, heads[c]); {
		case column < 0 || w > bestHead:
			bestHead, column, ties = w, c, 1
		case w == bestHead:
			ties++
		}
	}
	if column < 0 || ties > 1 || bestHead == 0 {
		return nil
	}
	asked := map[string]bool{}
	for _, w := range letters(l.meaning.Question) {
		asked[w] = true
	}
	most, label := 0.0, 0.0
	var rows []int
	for i, r := range t.rows {
		if r.cells[column] == "" || len(r.cells[column]) > longestVal {
			continue
		}
		in, inLabel := text.TermSet(strings.Join(without(r.cells, column), " "), lang), text.TermSet(r.cells[t.label], lang)
		named, byLabel := 0.0, 0.0
		for _, s := range ss {
			if !s.kind && s.in(in) && !s.in(heads[column]) {
				named += s.weight
				if s.in(inLabel) {
					byLabel += s.weight
				}
			}
		}
		if !slices.ContainsFunc(letters(r.cells[t.label]), func(w string) bool { return !asked[w] }) {
			byLabel += wholeName
		}
		// Of rows that hold as much, those are meant whose name holds it, and the one whose name is asked for as a whole: the 10 of
		// "Debian 10" is not that of 10 June, and ghostscript is not ghostscript-x.
		switch {
		case named > most || named == most && byLabel > label:
			most, label, rows = named, byLabel, []int{i}
		case named == most && byLabel == label && named > 0:
			rows = append(rows, i)
		}
	}
	if len(rows) == 0 || len(rows) > cellRows {
		return nil
	}
	var out []cellPick
	for _, i := range rows {
		in := text.TermSet(strings.Join(without(t.rows[i].cells, column), " "), lang)
		cover := weigh(false, in, heads[column], heads[t.label], above) / total
		lost := slices.ContainsFunc(ss, func(s sought) bool { return s.must && !s.in(in) && !s.in(heads[column]) && !s.in(above) })
		if cover >= cellCover && !lost {
			out = append(out, cellPick{page: page, facet: fi, row: i, column: column, t: t, cover: cover})
		}
	}
	return out
}

// wholeName tells apart rows that hold as much of a question; it is less than any word weighs.
const wholeName = 1e-6

func without(cells []string, i int) []string {
	return append(slices.Clone(cells[:i]), cells[i+1:]...)
}

// holdsAsked reports whether most cells of a column hold the kind of thing that a facet asks for.
func (l *lens) holdsAsked(f research.Facet, t *table, column int) bool {
	if !typedWant(f.Want) {
		return true
	}
	name, unit := headingOf(t.columns[column])
	held, filled := 0, 0
	for _, r := range t.rows[:min(len(t.rows), 40)] {
		if r.cells[column] == "" {
			continue
		}
		filled++
		words := value(r.cells[column], unit)
		if f.Want == research.AnswerQuantity && bareNumber.MatchString(words) {
			words += " " + name // 2048 alone may be a year
		}
		ok := false
		switch f.Want {
		case research.AnswerDate:
			ok = len(temporal.Dates(words)) > 0
		case research.AnswerPerson, research.AnswerOrg, research.AnswerName, research.AnswerPlace:
			ok = strings.ContainsFunc(words, unicode.IsLetter) && !document.IsFigure(words)
		default:
			ok, _ = intent.Answers(f, words, l.meaning.Lang)
			ok = ok && (document.IsFigure(r.cells[column]) || len(text.Quantities(r.cells[column])) == 1 && strings.ContainsAny(r.cells[column][:1], "0123456789$+-~<>"))
		}
		if ok {
			held++
		}
	}
	return filled > 0 && 2*held > filled
}

// cellClaim words a cell as a sentence and makes it a claim on its row.
func (l *lens) cellClaim(k cellPick) (research.Claim, bool) {
	doc, r, t := l.pages[k.page].Doc, k.t.rows[k.row], k.t
	name, unit := headingOf(t.columns[k.column])
	caption := strings.TrimRight(oneLine(doc.Text[t.caption.Start:t.caption.End]), ".。:： ")
	row := l.rowName(k)
	cell := value(r.cells[k.column], unit)
	statement := l.cellSentence(name, row, cell, caption)
	ground := doc.Text[t.caption.Start:t.caption.End] + "\n" + doc.Text[t.head.Start:t.head.End] + "\n" + doc.Text[r.span.Start:r.span.End]
	if !evidence.MatchQuantities(statement, ground).OK { // a unit that the matchers hold against the bare number: it stays in the heading
		statement = l.cellSentence(t.columns[k.column], row, r.cells[k.column], caption)
	}
	if row == "" || spare(statement) || len(statement) > longestVal*3 {
		return research.Claim{}, false
	}
	src := l.sources[k.page]
	c := research.Claim{
		Text: statement, Facet: l.meaning.Facets[k.facet].ID, Source: src.ID, Start: r.span.Start, End: r.span.End, Grade: research.Secondary,
		Published: src.Published, Relevance: micro(k.cover), By: cellsName, Predicate: name, Object: cell,
		Quantities: text.Quantities(statement), Dates: []string{}, Names: []string{}, Bias: src.Bias,
	}
	c.ID = research.ID("c", c.Source, strconv.Itoa(c.Start), strconv.Itoa(c.End), c.Text)
	c.Passage = research.ID("p", doc.SHA256, strconv.Itoa(c.Start), strconv.Itoa(c.End))
	for _, d := range temporal.Dates(statement) {
		c.Dates = append(c.Dates, d.ISO)
	}
	for _, n := range text.Names(statement) {
		c.Names = append(c.Names, n.Text)
	}
	line := l.pages[k.page].LineAt(c.Start)
	if line < 0 {
		return research.Claim{}, false
	}
	c.AsOf = l.asOf(k.page, line, k.facet, c.Dates)
	c.Subject, c.Key = l.key(k.page, line, k.facet, c)
	if c.Subject == "" {
		c.Subject = row
	}
	return c, true
}

// rowName is what names a row: its label, and the cell that holds what the facet names when the label does not.
func (l *lens) rowName(k cellPick) string {
	r := k.t.rows[k.row]
	label := r.cells[k.t.label]
	ss, _ := l.soughtIn(k.facet)
	best, more := -1, 0.0
	for i, c := range r.cells {
		if i == k.t.label || i == k.column || c == "" || len(c) > longestHeadCell {
			continue
		}
		in, has := text.TermSet(c, l.meaning.Lang), text.TermSet(label, l.meaning.Lang)
		w := 0.0
		for _, s := range ss {
			if !s.kind && s.in(in) && !s.in(has) {
				w += s.weight
			}
		}
		if w > more+math.SmallestNonzeroFloat64 {
			best, more = i, w
		}
	}
	if best < 0 {
		return label
	}
	if l.meaning.Lang == "zh" {
		return label + "（" + r.cells[best] + "）"
	}
	return strings.TrimSpace(label + " (" + r.cells[best] + ")")
}

// longestHeadCell is the longest cell that names a row beside its label, in bytes.
const longestHeadCell = 80

func (l *lens) cellSentence(column, row, cell, caption string) string {
	cell = strings.TrimRight(cell, ".。")
	if l.meaning.Lang == "zh" {
		s := fmt.Sprintf("%s的%s为%s", row, column, cell)
		if caption != "" {
			s += "（" + caption + "）"
		}
		return oneLine(s + "。")
	}
	if first, _, _ := strings.Cut(column, " "); first != "" && first == strings.ToLower(first) { // a sentence begins with a capital
		r := []rune(column)
		column = string(unicode.ToUpper(r[0])) + string(r[1:])
	}
	s := fmt.Sprintf("%s of %s is %s", column, row, cell)
	if caption != "" {
		s += " (" + caption + ")"
	}
	return oneLine(s + ".")
}

// headPassage is the span of the heading of a cell's columns, with the caption.
func headPassage(doc research.Document, c research.Claim) (research.Span, bool) {
	for i, h := range doc.Heads {
		k := slices.IndexFunc(doc.Tables, func(s research.Span) bool { return s.Start == h.Start && s.Start < c.Start && c.End <= s.End })
		if k < 0 {
			continue
		}
		if cap := captionOf(doc, doc.Heads[i].Start); cap.End > cap.Start {
			h.Start = cap.Start
		}
		return h, true
	}
	return research.Span{}, false
}
