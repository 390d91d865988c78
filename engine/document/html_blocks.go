package document

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"assay/engine/research"
	"assay/engine/text"
)

// layout walks a tree and lays its blocks. cur collects the inline text of the open block.
type layout struct {
	out   *builder
	marks *marks
	cur   strings.Builder
	// item says that the next flush begins a list item or a definition: it goes on a line of its own, not a paragraph.
	item bool
	// hrefs are the links of the open block that lead to other sites.
	hrefs []string
}

// brk stands for <br> in the inline text. clean turns the character into a line end, so no page can smuggle it in.
const brk = '\u2028'

// layHTML lays the visible blocks below n.
func layHTML(n *html.Node, m *marks) *builder {
	l := &layout{out: newBuilder(), marks: m}
	l.children(n)
	l.flush()
	return l.out
}

// flush ends the open block.
func (l *layout) flush() {
	s := inline(l.cur.String())
	l.cur.Reset()
	hrefs := l.hrefs
	l.hrefs = nil
	if s == "" {
		return
	}
	if l.item {
		l.out.line(s)
	} else {
		l.out.para(s)
	}
	l.item = false
	l.out.link(hrefs, len(s))
}

// maxLinks is how many links of a page are kept, and maxHref how long one may be, in bytes.
const (
	maxLinks = 100
	maxHref  = 500
)

// link notes links of the block that was laid last, which has so many bytes.
func (b *builder) link(hrefs []string, size int) {
	end := b.b.Len()
	start := max(0, end-size)
	for _, h := range hrefs[:min(len(hrefs), max(0, maxLinks-len(b.links)))] {
		b.links = append(b.links, research.Link{Span: research.Span{Start: start, End: end}, URL: h})
	}
}

// elsewhere is the address that a link of a page of the web leads to on another site, "" for any other link.
func (m *marks) elsewhere(a *html.Node) string {
	href := strings.TrimSpace(attr(a, "href"))
	if m.base == nil || a.DataAtom != atom.A || href == "" || len(href) > maxHref {
		return ""
	}
	u, err := m.base.Parse(href)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || text.RegistrableDomain(u.Host) == text.RegistrableDomain(m.base.Host) {
		return ""
	}
	at, err := text.CanonicalURL(u.String())
	if err != nil || len(at) > maxHref {
		return ""
	}
	return at
}

// inline collapses white space and makes the breaks line ends.
func inline(s string) string {
	if !strings.ContainsRune(s, brk) {
		return collapse(s)
	}
	var lines []string
	for _, part := range strings.Split(s, string(brk)) {
		if part = collapse(part); part != "" {
			lines = append(lines, part)
		}
	}
	return strings.Join(lines, "\n")
}

func (l *layout) children(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		l.node(c)
	}
}

// blocks begin and end a block; every other element is inline.
var blocks = map[atom.Atom]bool{
	atom.P: true, atom.Div: true, atom.Section: true, atom.Article: true, atom.Main: true, atom.Aside: true, atom.Header: true,
	atom.Footer: true, atom.Blockquote: true, atom.Figure: true, atom.Figcaption: true, atom.Address: true, atom.Center: true,
	atom.Form: true, atom.Fieldset: true, atom.Legend: true, atom.Details: true, atom.Summary: true, atom.Hr: true,
	atom.Body: true, atom.Html: true, atom.Caption: true, atom.Td: true, atom.Th: true, atom.Tr: true, atom.Tbody: true,
	atom.Thead: true, atom.Tfoot: true, atom.Table: true, atom.Option: true, atom.Hgroup: true, atom.Dir: true,
}

func (l *layout) node(n *html.Node) {
	if n.Type == html.TextNode {
		l.cur.WriteString(clean(n.Data))
		return
	}
	if n.Type != html.ElementNode || l.marks.skip[n] || never[n.DataAtom] {
		return
	}
	switch n.DataAtom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		l.flush()
		l.item = false
		l.out.heading(int(n.Data[1]-'0'), collapse(l.textOf(n)))
	case atom.Pre, atom.Listing, atom.Xmp, atom.Plaintext:
		l.flush()
		l.listing(l.rawText(n))
	case atom.Br:
		l.cur.WriteRune(brk)
	case atom.Ul, atom.Ol, atom.Dl, atom.Menu, atom.Dir:
		l.flush()
		l.list(n)
	case atom.Table:
		l.flush()
		if rows, ok := dataRows(n, l); ok {
			l.table(n, rows)
		} else {
			l.children(n)
			l.flush()
		}
	case atom.Sup:
		l.power(n)
	case atom.Li, atom.Dt, atom.Dd: // outside a list
		l.flush()
		l.item = true
		l.children(n)
		l.flush()
	default:
		if !blocks[n.DataAtom] {
			if at := l.marks.elsewhere(n); at != "" && len(l.hrefs) < maxLinks {
				l.hrefs = append(l.hrefs, at)
			}
			l.children(n)
			return
		}
		l.flush()
		l.children(n)
		l.flush()
	}
}

// list lays the items of a list: the first block of each on a line of its own, further ones as paragraphs.
func (l *layout) list(n *html.Node) {
	first := true
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.ElementNode || l.marks.skip[c] || c.DataAtom == atom.Div && n.DataAtom != atom.Dl {
			if c.Type == html.ElementNode || strings.TrimSpace(c.Data) != "" {
				l.node(c)
			}
			continue
		}
		l.flush()
		l.item = !first
		l.children(c)
		l.flush()
		first = false
	}
	l.item = false
}

// listing lays preformatted text line by line, spaces kept.
func (l *layout) listing(s string) {
	s = strings.ReplaceAll(s, string(brk), "\n")
	lines := strings.Split(strings.Trim(s, "\n"), "\n")
	first := true
	for _, line := range lines {
		line = strings.TrimRight(strings.ReplaceAll(line, "\t", "    "), " ")
		if line == "" {
			first = true // a blank line in a listing parts blocks
			continue
		}
		if first {
			l.out.para(line)
		} else {
			l.out.line(line)
		}
		first = false
	}
	l.item = false
}

// power lays a superscript: an exponent gets a caret, so that ten to the sixth does not read 106; marks of footnotes, which
// are links, stay as they are.
func (l *layout) power(n *html.Node) {
	s := strings.TrimSpace(l.textOf(n))
	before := l.cur.String()
	if s != "" && strings.Trim(s, "0123456789+-−n") == "" && before != "" && before[len(before)-1] >= '0' && before[len(before)-1] <= '9' && !hasLink(n) {
		l.cur.WriteByte('^')
	}
	l.children(n)
}

func hasLink(n *html.Node) bool {
	found := false
	walk(n, func(c *html.Node) bool { found = found || c.DataAtom == atom.A; return !found })
	return found || n.Parent != nil && n.Parent.DataAtom == atom.A
}

// textOf returns the visible text below n, cleaned, blocks parted by spaces.
func (l *layout) textOf(n *html.Node) string {
	var b strings.Builder
	l.gather(n, &b)
	return strings.ReplaceAll(b.String(), string(brk), " ")
}

// rawText is textOf with breaks kept.
func (l *layout) rawText(n *html.Node) string {
	var b strings.Builder
	l.gather(n, &b)
	return b.String()
}

func (l *layout) gather(n *html.Node, b *strings.Builder) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.TextNode {
			b.WriteString(clean(c.Data))
			continue
		}
		if c.Type != html.ElementNode || l.marks.skip[c] || never[c.DataAtom] {
			continue
		}
		if c.DataAtom == atom.Br {
			b.WriteRune(brk)
			continue
		}
		block := blocks[c.DataAtom] || c.DataAtom == atom.Li || c.DataAtom == atom.Dt || c.DataAtom == atom.Dd
		if block {
			b.WriteByte(' ')
		}
		l.gather(c, b)
		if block {
			b.WriteByte(' ')
		}
	}
}

// longCell is the length from which a cell is a piece of a page laid out with a table, in bytes.
const longCell = 700

// dataRows returns the cells of a table of data. ok is false for a table that only lays out a page: one column, a table
// inside a table, a preformatted block or a long text in a cell, or marked as presentation.
func dataRows(table *html.Node, l *layout) (rows [][]string, ok bool) {
	if role := attr(table, "role"); role == "presentation" || role == "none" {
		return nil, false
	}
	columns := 0
	ok = true
	walk(table, func(n *html.Node) bool {
		if !ok || n.Type == html.ElementNode && l.marks.skip[n] {
			return false
		}
		switch n.DataAtom {
		case atom.Table:
			ok = ok && n == table
		case atom.Pre, atom.H1, atom.H2, atom.H3:
			ok = false
		case atom.Tr:
			var cells []string
			filled := 0
			for c := n.FirstChild; c != nil; c = c.NextSibling {
				if c.DataAtom != atom.Td && c.DataAtom != atom.Th {
					continue
				}
				s := collapse(l.textOf(c))
				if len(s) > longCell {
					ok = false
					return false
				}
				if s != "" {
					filled++
				}
				cells = append(cells, s)
			}
			columns = max(columns, filled)
			rows = append(rows, cells)
		}
		return ok
	})
	return rows, ok && columns >= 2
}

func (l *layout) table(n *html.Node, rows [][]string) {
	l.item = false
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.DataAtom == atom.Caption {
			l.out.para(collapse(l.textOf(c)))
		}
	}
	l.out.open.said, l.out.open.other = headRow(n)
	for _, cells := range rows {
		l.out.row(cells)
	}
	l.out.closeTable()
}

// headRow reports whether the first row of a table is marked as naming its columns: all its cells are headings, and a cell of the next
// row is none. other says that headings are marked elsewhere.
func headRow(table *html.Node) (is, other bool) {
	rows, heads := 0, [2]bool{}
	walk(table, func(n *html.Node) bool {
		other = other || n.DataAtom == atom.Th
		if n.DataAtom != atom.Tr || rows > 1 {
			return rows < 2
		}
		all := true
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			all = all && c.DataAtom != atom.Td
			other = other || c.DataAtom == atom.Th
		}
		heads[rows] = all
		rows++
		return false
	})
	is = rows == 2 && heads[0] && !heads[1]
	return is, other && !is
}
