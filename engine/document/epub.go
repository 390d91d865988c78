package document

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"net/url"
	"path"
	"strings"

	"assay/engine/research"
)

// readEPUB reads the chapters of a book in their order (EPUB 2 and 3), without its navigation, and what it says about itself.
func readEPUB(ctx context.Context, data []byte, opt Options) (research.Document, error) {
	var doc research.Document
	p, err := openPack(ctx, data, opt.maxBytes())
	if err != nil {
		return doc, err
	}
	if p.has("META-INF/rights.xml") {
		return doc, errLockedIn
	}
	root, err := p.rootFile()
	if err != nil {
		return doc, err
	}
	chapters, err := p.spine(root)
	if err != nil {
		return doc, err
	}
	var text strings.Builder
	for _, name := range chapters {
		b, err := p.read(name)
		if err != nil {
			return doc, err
		}
		if b == nil {
			continue
		}
		c := readHTML(ctx, decode(b, "", true), Options{})
		if err := ctx.Err(); err != nil {
			return doc, err
		}
		if strings.TrimSpace(c.Text) == "" {
			continue
		}
		if text.Len() > 0 {
			text.WriteString("\n\n")
		}
		at := text.Len()
		text.WriteString(c.Text)
		for _, h := range c.Headings {
			h.Start += at
			doc.Headings = append(doc.Headings, h)
		}
		for _, t := range c.Tables {
			doc.Tables = append(doc.Tables, research.Span{Start: t.Start + at, End: t.End + at})
		}
		for _, h := range c.Heads {
			doc.Heads = append(doc.Heads, research.Span{Start: h.Start + at, End: h.End + at})
		}
	}
	doc.Text = text.String()
	about, err := p.properties(root)
	if err != nil {
		return doc, err
	}
	doc.Title, doc.Byline, doc.Publisher = about["title"], person(about["creator"]), about["publisher"]
	doc.Published, doc.Lang = isoDate(about["date"]), about["language"]
	return doc, nil
}

// rootFile is the package document that the container names.
func (p *pack) rootFile() (string, error) {
	b, err := p.read("META-INF/container.xml")
	if err != nil {
		return "", err
	}
	e := newElements(p.ctx, b)
	for {
		t, err := e.next()
		if errors.Is(err, io.EOF) {
			return "", errNoText
		}
		if err != nil {
			return "", err
		}
		if el, ok := t.(xml.StartElement); ok && el.Name.Local == "rootfile" {
			if name := attrOf(el, "full-path"); name != "" && p.has(name) {
				return path.Clean(name), nil
			}
		}
	}
}

// spine lists the files of a book's text in reading order. Its navigation repeats headings and is left out.
func (p *pack) spine(root string) ([]string, error) {
	b, err := p.read(root)
	if err != nil {
		return nil, err
	}
	files, nav := map[string]string{}, map[string]bool{}
	var order []string
	e := newElements(p.ctx, b)
	for {
		t, err := e.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		el, ok := t.(xml.StartElement)
		if !ok {
			continue
		}
		switch el.Name.Local {
		case "item":
			id, ref := attrOf(el, "id"), attrOf(el, "href")
			kind := attrOf(el, "media-type")
			if name, err := url.PathUnescape(ref); err == nil && (kind == "application/xhtml+xml" || kind == HTML) {
				files[id] = path.Join(path.Dir(root), name)
			}
			nav[id] = strings.Contains(" "+attrOf(el, "properties")+" ", " nav ")
		case "itemref":
			order = append(order, attrOf(el, "idref"))
		}
	}
	var out []string
	seen := map[string]bool{}
	for _, id := range order {
		if name := files[id]; name != "" && !nav[id] && !seen[name] {
			seen[name] = true
			out = append(out, name)
		}
	}
	if len(out) == 0 {
		return nil, errNoText
	}
	return out, nil
}
