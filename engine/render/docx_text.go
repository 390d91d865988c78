package render

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// docxWriter writes the Markdown of a report, whose text is escaped, as paragraphs of WordprocessingML.
type docxWriter struct {
	b       strings.Builder
	source  []byte
	targets []string // addresses outside, each once
	links   map[string]int
	marks   int // bookmarks
}

// look is how a run of text is set.
type look struct{ bold, italic, code, link, raised bool }

func (w *docxWriter) document(markdown []byte) {
	w.source = markdown
	doc := goldmark.New(goldmark.WithExtensions(extension.Table)).Parser().Parse(text.NewReader(markdown))
	w.blocks(doc, "", -1)
}

// blocks writes the blocks within n. style is that of their paragraphs, "" for the usual one; depth is how deep in lists they stand, -1
// outside of them.
func (w *docxWriter) blocks(n ast.Node, style string, depth int) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Heading:
			w.paragraph("Heading"+strconv.Itoa(min(c.Level, 3)), "", c)
		case *ast.Blockquote:
			w.blocks(c, "Quote", depth)
		case *ast.List:
			w.list(c, depth+1)
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			w.code(c)
		case *ast.ThematicBreak, *ast.HTMLBlock:
		case *east.Table:
			w.table(c)
		default:
			w.paragraph(style, "", c)
		}
	}
}

// list writes a list; numbering 1 has bullets and 2 has numbers.
func (w *docxWriter) list(l *ast.List, depth int) {
	kind := 1
	if l.IsOrdered() {
		kind = 2
	}
	depth = min(depth, 2) // as many levels as the numbering has
	for item := l.FirstChild(); item != nil; item = item.NextSibling() {
		for c := item.FirstChild(); c != nil; c = c.NextSibling() {
			if inner, ok := c.(*ast.List); ok {
				w.list(inner, depth+1)
				continue
			}
			w.paragraph("ListParagraph", fmt.Sprintf(`<w:numPr><w:ilvl w:val="%d"/><w:numId w:val="%d"/></w:numPr>`, depth, kind), c)
		}
	}
}

func (w *docxWriter) code(n ast.Node) {
	lines := n.Lines()
	for i := range lines.Len() {
		at := lines.At(i)
		w.b.WriteString(`<w:p><w:pPr><w:pStyle w:val="Code"/></w:pPr>`)
		w.run(strings.TrimRight(string(at.Value(w.source)), "\n"), look{code: true})
		w.b.WriteString(`</w:p>`)
	}
}

func (w *docxWriter) table(t *east.Table) {
	columns := len(t.Alignments)
	w.b.WriteString(`<w:tbl><w:tblPr><w:tblStyle w:val="TableGrid"/><w:tblW w:w="5000" w:type="pct"/></w:tblPr><w:tblGrid>` +
		strings.Repeat(`<w:gridCol/>`, columns) + `</w:tblGrid>`)
	for row := t.FirstChild(); row != nil; row = row.NextSibling() {
		w.b.WriteString(`<w:tr>`)
		_, isHead := row.(*east.TableHeader)
		if isHead {
			w.b.WriteString(`<w:trPr><w:tblHeader/></w:trPr>`)
		}
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			w.b.WriteString(`<w:tc><w:tcPr/><w:p><w:pPr><w:pStyle w:val="TableText"/></w:pPr>`)
			w.inline(cell, look{bold: isHead})
			w.b.WriteString(`</w:p></w:tc>`)
		}
		w.b.WriteString(`</w:tr>`)
	}
	w.b.WriteString(`</w:tbl><w:p/>`)
}

func (w *docxWriter) paragraph(style, more string, n ast.Node) {
	w.b.WriteString(`<w:p>`)
	if style != "" {
		more = `<w:pStyle w:val="` + style + `"/>` + more
	}
	if more != "" {
		w.b.WriteString(`<w:pPr>` + more + `</w:pPr>`)
	}
	w.inline(n, look{})
	w.b.WriteString(`</w:p>`)
}

// markTag is the place that a citation leads to.
var markTag = regexp.MustCompile(`^<a id="(s-[0-9]{1,6})">$`)

func (w *docxWriter) inline(n ast.Node, l look) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			w.run(plain(c.Segment.Value(w.source)), l)
			switch {
			case c.HardLineBreak():
				w.b.WriteString(`<w:r><w:br/></w:r>`)
			case c.SoftLineBreak():
				w.run(" ", l)
			}
		case *ast.String:
			w.run(string(c.Value), l)
		case *ast.CodeSpan:
			for t := c.FirstChild(); t != nil; t = t.NextSibling() {
				if s, ok := t.(*ast.Text); ok {
					w.run(string(s.Segment.Value(w.source)), look{bold: l.bold, italic: l.italic, code: true})
				}
			}
		case *ast.Emphasis:
			inner := l
			if c.Level > 1 {
				inner.bold = true
			} else {
				inner.italic = true
			}
			w.inline(c, inner)
		case *ast.Link:
			w.link(string(c.Destination), l, func(l look) { w.inline(c, l) })
		case *ast.AutoLink:
			to := string(c.URL(w.source))
			w.link(to, l, func(l look) { w.run(to, l) })
		case *ast.RawHTML:
			w.mark(c)
		default: // a picture is its words
			w.inline(c, l)
		}
	}
}

// mark writes a bookmark for the one kind of tag that the Markdown holds; nothing for its end.
func (w *docxWriter) mark(c *ast.RawHTML) {
	var tag strings.Builder
	for i := range c.Segments.Len() {
		at := c.Segments.At(i)
		tag.Write(at.Value(w.source))
	}
	if m := markTag.FindStringSubmatch(tag.String()); m != nil {
		fmt.Fprintf(&w.b, `<w:bookmarkStart w:id="%d" w:name="%s"/><w:bookmarkEnd w:id="%d"/>`, w.marks, m[1], w.marks)
		w.marks++
	}
}

// link writes a link to a place of the document or to a page of the web; what is neither is text.
func (w *docxWriter) link(to string, l look, inner func(look)) {
	if place, ok := strings.CutPrefix(to, "#"); ok {
		w.b.WriteString(`<w:hyperlink w:anchor="` + xmlText(place) + `">`)
		l.raised = true
		inner(l)
		w.b.WriteString(`</w:hyperlink>`)
		return
	}
	to = webLink(to)
	if to == "" {
		inner(l)
		return
	}
	n, ok := w.links[to]
	if !ok {
		n = len(w.targets)
		w.links[to], w.targets = n, append(w.targets, to)
	}
	fmt.Fprintf(&w.b, `<w:hyperlink r:id="l%d">`, n)
	l.link = true
	inner(l)
	w.b.WriteString(`</w:hyperlink>`)
}

func (w *docxWriter) run(s string, l look) {
	if s == "" {
		return
	}
	w.b.WriteString(`<w:r>`)
	var p strings.Builder
	for _, x := range []struct {
		on   bool
		mark string
	}{
		{l.link, `<w:rStyle w:val="Hyperlink"/>`}, {l.code, `<w:rFonts w:ascii="DejaVu Sans Mono" w:hAnsi="DejaVu Sans Mono" w:cs="DejaVu Sans Mono"/>`},
		{l.bold, `<w:b/>`}, {l.italic, `<w:i/>`}, {l.raised, `<w:vertAlign w:val="superscript"/>`},
	} {
		if x.on {
			p.WriteString(x.mark)
		}
	}
	if p.Len() > 0 {
		w.b.WriteString(`<w:rPr>` + p.String() + `</w:rPr>`)
	}
	w.b.WriteString(`<w:t xml:space="preserve">` + xmlText(s) + `</w:t></w:r>`)
}

// plain is text of Markdown without its escapes.
func plain(b []byte) string {
	return string(util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(b))))
}
