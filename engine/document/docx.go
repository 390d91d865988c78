package document

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"

	"assay/engine/research"
)

// readDOCX reads the body, the footnotes and the properties of a Word document (ECMA-376). Text that was deleted under review,
// field codes and the second form of drawings are left out.
func readDOCX(ctx context.Context, data []byte, opt Options) (research.Document, error) {
	var doc research.Document
	p, err := openPack(ctx, data, opt.maxBytes())
	if err != nil {
		return doc, err
	}
	levels, err := p.styleLevels()
	if err != nil {
		return doc, err
	}
	body, err := p.read("word/document.xml")
	if err != nil {
		return doc, err
	}
	if body == nil {
		return doc, errNoText
	}
	w := &word{elements: newElements(ctx, body), out: newBuilder(), levels: levels}
	if err := w.read(); err != nil {
		return doc, err
	}
	for _, name := range []string{"word/footnotes.xml", "word/endnotes.xml"} {
		notes, err := p.read(name)
		if err != nil {
			return doc, err
		}
		if notes == nil {
			continue
		}
		w.elements = newElements(ctx, notes)
		if err := w.read(); err != nil {
			return doc, err
		}
	}
	w.out.into(&doc)
	about, err := p.properties("docProps/core.xml")
	if err != nil {
		return doc, err
	}
	doc.Title, doc.Byline = about["title"], person(about["creator"])
	// Created is the day the file was begun; the last change is what the text is as old as.
	doc.Published = isoDate(firstOf(about["modified"], about["created"]))
	if doc.Title == "" {
		doc.Title = w.title
	}
	return doc, nil
}

// styleLevels are the heading levels of a document's styles, by their ids; 0 is the title.
func (p *pack) styleLevels() (map[string]int, error) {
	levels := map[string]int{}
	b, err := p.read("word/styles.xml")
	if err != nil || b == nil {
		return levels, err
	}
	e := newElements(p.ctx, b)
	id := ""
	for {
		t, err := e.next()
		if errors.Is(err, io.EOF) {
			return levels, nil
		}
		if err != nil {
			return levels, p.ctx.Err() // a text without its styles is still a text
		}
		el, ok := t.(xml.StartElement)
		if !ok {
			continue
		}
		switch el.Name.Local {
		case "style":
			id = attrOf(el, "styleId")
		case "name":
			name := strings.ToLower(attrOf(el, "val"))
			if name == "title" {
				levels[id] = 0
			} else if n, err := strconv.Atoi(strings.TrimPrefix(name, "heading ")); err == nil && n >= 1 && n <= 9 {
				levels[id] = n
			}
		case "outlineLvl":
			if n, err := strconv.Atoi(attrOf(el, "val")); err == nil && n >= 0 && n <= 8 {
				if _, held := levels[id]; !held {
					levels[id] = n + 1
				}
			}
		}
	}
}

// word lays the paragraphs and tables of one part.
type word struct {
	*elements
	out    *builder
	levels map[string]int
	title  string // the first paragraph in the style of titles
}

// para is one paragraph as it is gathered.
type para struct {
	text  strings.Builder
	level int // of a heading; -1: none
	item  bool
}

// read lays a whole part.
func (w *word) read() error {
	inList := false
	for {
		t, err := w.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		el, ok := t.(xml.StartElement)
		if !ok {
			continue
		}
		switch el.Name.Local {
		case "p":
			p, err := w.paragraph()
			if err != nil {
				return err
			}
			inList = w.lay(p, inList)
		case "tbl":
			if err := w.table(); err != nil {
				return err
			}
			inList = false
		case "Fallback", "del", "moveFrom":
			if err := w.skip(); err != nil {
				return err
			}
		}
	}
}

// lay adds a paragraph and returns whether it is an item of a list.
func (w *word) lay(p *para, inList bool) bool {
	s := strings.TrimSpace(clean(p.text.String()))
	switch {
	case s == "":
		return inList
	case p.level == 0:
		if w.title == "" {
			w.title = s
		}
		w.out.heading(1, s)
	case p.level > 0:
		w.out.heading(p.level, s)
	case p.item && inList:
		w.out.line(s)
	default:
		w.out.para(s)
	}
	return p.item
}

// paragraph gathers the paragraph that was just opened. A text box inside it is a part of it.
func (w *word) paragraph() (*para, error) {
	p := &para{level: -1}
	for at := w.depth - 1; w.depth > at; {
		t, err := w.next()
		if err != nil {
			return p, err
		}
		el, ok := t.(xml.StartElement)
		if !ok {
			continue
		}
		switch el.Name.Local {
		case "pStyle":
			if n, ok := w.levels[attrOf(el, "val")]; ok {
				p.level = n
			}
		case "outlineLvl":
			if n, err := strconv.Atoi(attrOf(el, "val")); err == nil && n >= 0 && n <= 8 {
				p.level = n + 1
			}
		case "numPr":
			p.item = true
		case "t":
			s, err := w.text()
			if err != nil {
				return p, err
			}
			p.text.WriteString(s)
		case "tab", "noBreakHyphen", "br", "cr":
			p.text.WriteString(map[string]string{"tab": " ", "noBreakHyphen": "-", "br": "\n", "cr": "\n"}[el.Name.Local])
		case "pPrChange", "rPrChange", "Fallback", "del", "moveFrom", "instrText":
			if err := w.skip(); err != nil {
				return p, err
			}
		}
	}
	return p, nil
}

// table lays the table that was just opened; one inside a cell becomes words of the cell.
func (w *word) table() error {
	var cells []string
	var cell strings.Builder
	inCell := 0
	for at := w.depth - 1; w.depth > at; {
		t, err := w.next()
		if err != nil {
			return err
		}
		switch el := t.(type) {
		case xml.StartElement:
			switch el.Name.Local {
			case "tc":
				if inCell++; inCell == 1 {
					cell.Reset()
				}
			case "p":
				p, err := w.paragraph()
				if err != nil {
					return err
				}
				cell.WriteString(" " + p.text.String())
			case "Fallback", "del", "moveFrom":
				if err := w.skip(); err != nil {
					return err
				}
			}
		case xml.EndElement:
			switch {
			case el.Name.Local == "tc":
				if inCell--; inCell == 0 {
					cells = append(cells, oneLine(cell.String(), 4000))
				}
			case el.Name.Local == "tr" && inCell == 0:
				w.out.row(cells)
				cells = nil
			}
		}
	}
	w.out.closeTable()
	return nil
}
