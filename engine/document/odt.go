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

// readODT reads the body and the properties of an OpenDocument text (ISO/IEC 26300). Notes follow the text; what was deleted under
// review and annotations are left out.
func readODT(ctx context.Context, data []byte, opt Options) (research.Document, error) {
	var doc research.Document
	p, err := openPack(ctx, data, opt.maxBytes())
	if err != nil {
		return doc, err
	}
	if manifest, err := p.read("META-INF/manifest.xml"); err != nil {
		return doc, err
	} else if strings.Contains(string(manifest), "encryption-data") {
		return doc, errLockedIn
	}
	body, err := p.read("content.xml")
	if err != nil {
		return doc, err
	}
	if body == nil {
		return doc, errNoText
	}
	o := &open{elements: newElements(ctx, body), out: newBuilder()}
	if err := o.read(); err != nil {
		return doc, err
	}
	for _, n := range o.notes {
		o.out.para(n)
	}
	o.out.into(&doc)
	about, err := p.properties("meta.xml")
	if err != nil {
		return doc, err
	}
	doc.Title, doc.Byline = about["title"], person(firstOf(about["initial-creator"], about["creator"]))
	doc.Published, doc.Lang = isoDate(firstOf(about["date"], about["creation-date"])), about["language"]
	return doc, nil
}

// open lays the paragraphs, lists and tables of an OpenDocument text.
type open struct {
	*elements
	out   *builder
	notes []string
	lists int // how many lists are open
}

// maxNotes bounds the notes that are kept until the end.
const maxNotes = 20_000

func (o *open) read() error {
	inList := false
	for {
		t, err := o.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch el := t.(type) {
		case xml.EndElement:
			if el.Name.Local == "list" {
				o.lists--
			}
		case xml.StartElement:
			switch el.Name.Local {
			case "list":
				o.lists++
			case "h", "p":
				s, err := o.inline()
				if err != nil {
					return err
				}
				inList = o.lay(el, s, inList)
			case "table":
				if err := o.table(); err != nil {
					return err
				}
				inList = false
			case "tracked-changes", "annotation", "forms", "sequence-decls", "automatic-styles", "font-face-decls", "scripts":
				if err := o.skip(); err != nil {
					return err
				}
			}
		}
	}
}

// lay adds a heading or a paragraph and returns whether it is an item of a list.
func (o *open) lay(el xml.StartElement, s string, inList bool) bool {
	s = strings.TrimSpace(clean(s))
	switch {
	case s == "":
		return inList
	case el.Name.Local == "h":
		level, err := strconv.Atoi(attrOf(el, "outline-level"))
		if err != nil {
			level = 1
		}
		o.out.heading(level, s)
		return false
	case o.lists > 0 && inList:
		o.out.line(s)
	default:
		o.out.para(s)
	}
	return o.lists > 0
}

// inline gathers the text of the element that was just opened. White space in the file counts as one space; more is spelled out.
func (o *open) inline() (string, error) {
	var b strings.Builder
	for at := o.depth - 1; o.depth > at; {
		t, err := o.next()
		if err != nil {
			return "", err
		}
		switch el := t.(type) {
		case xml.CharData:
			b.WriteString(spaces(string(el)))
		case xml.StartElement:
			switch el.Name.Local {
			case "s", "tab":
				b.WriteByte(' ')
			case "line-break":
				b.WriteByte('\n')
			case "note":
				n, err := o.note()
				if err != nil {
					return "", err
				}
				if n != "" && len(o.notes) < maxNotes {
					o.notes = append(o.notes, n)
				}
			case "annotation", "frame", "object":
				if err := o.skip(); err != nil {
					return "", err
				}
			}
		}
	}
	return b.String(), nil
}

// note gathers the body of the note that was just opened, without its number.
func (o *open) note() (string, error) {
	var b strings.Builder
	for at := o.depth - 1; o.depth > at; {
		t, err := o.next()
		if err != nil {
			return "", err
		}
		switch el := t.(type) {
		case xml.CharData:
			b.WriteString(spaces(string(el)))
		case xml.StartElement:
			if el.Name.Local == "note-citation" {
				if err := o.skip(); err != nil {
					return "", err
				}
			}
		}
	}
	return strings.TrimSpace(clean(b.String())), nil
}

// spaces writes every run of white space as one space.
func spaces(s string) string {
	out := strings.Join(strings.Fields(s), " ")
	if out == "" {
		if s == "" {
			return ""
		}
		return " "
	}
	if strings.TrimLeft(s, " \t\r\n") != s {
		out = " " + out
	}
	if strings.TrimRight(s, " \t\r\n") != s {
		out += " "
	}
	return out
}

// table lays the table that was just opened; one inside a cell becomes words of the cell.
func (o *open) table() error {
	var cells []string
	var cell strings.Builder
	inCell := 0
	for at := o.depth - 1; o.depth > at; {
		t, err := o.next()
		if err != nil {
			return err
		}
		switch el := t.(type) {
		case xml.StartElement:
			switch el.Name.Local {
			case "table-cell":
				if inCell++; inCell == 1 {
					cell.Reset()
				}
			case "p", "h":
				s, err := o.inline()
				if err != nil {
					return err
				}
				cell.WriteString(" " + s)
			}
		case xml.EndElement:
			switch {
			case el.Name.Local == "table-cell":
				if inCell--; inCell == 0 {
					cells = append(cells, oneLine(cell.String(), 4000))
				}
			case el.Name.Local == "table-row" && inCell == 0:
				o.out.row(cells)
				cells = nil
			}
		}
	}
	o.out.closeTable()
	return nil
}
