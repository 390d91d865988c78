package document

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"

	"assay/engine/research"
)

// JATS is the media type under which papers are read that are marked up in the Journal Article Tag Suite (ANSI/NISO Z39.96), as Europe
// PMC and PubMed Central give them.
const JATS = "application/jats+xml"

// jatsDepth is how deep elements may be nested, maxJATS how much text is laid, in bytes.
const (
	jatsDepth = 256
	maxJATS   = 8 << 20
)

var jatsRoot = regexp.MustCompile(`<(?:[a-zA-Z]+:)?article(?:-set)?[\s>]`)

// looksJATS reports whether XML is a paper.
func looksJATS(head []byte) bool {
	return jatsRoot.Match(head) && (bytes.Contains(head, []byte("<front")) || bytes.Contains(head, []byte("JATS")) || bytes.Contains(head, []byte("article-type=")) || bytes.Contains(head, []byte("<pmc-articleset")))
}

// jats lays a paper. Elements that are not known pass their text on.
type jats struct {
	out   *builder
	doc   research.Document
	path  []string
	cur   strings.Builder // the open paragraph
	cells []string
	cell  *strings.Builder
	names []string // of the author that is open: given, surname
	who   []string
	date  [3]string
	ids   string // pub-id-type of the open article-id
	kind  string // contrib-type or date type of the open element
	body  bool   // the paper has a body with text
	skip  int    // depth inside of what is no text of the paper
}

// jatsBeside are elements whose text is not the paper's: lists of works, formulas in a second notation, marks of notes.
var jatsBeside = map[string]bool{
	"ref-list": true, "tex-math": true, "annotation": true, "annotation-xml": true, "supplementary-material": true, "permissions": true, "journal-id": true,
	"issn": true, "alternatives": false, "graphic": true, "media": true, "object-id": true, "aff": true, "author-notes": true, "kwd-group": true, "funding-group": true,
	"history": true, "related-article": true, "counts": true, "custom-meta-group": true, "self-uri": true, "sub-article": true, "response": true, "floats-group": false,
	"contrib-id": true, "trans-title-group": true, "trans-abstract": true, "article-categories": true, "processing-meta": true, "fn-group": true, "glossary": true,
}

// readJATS reads a paper. One that is given without its body is a document with a Fault: an abstract is not the paper.
func readJATS(ctx context.Context, data []byte) (research.Document, error) {
	j := &jats{out: newBuilder()}
	d := xml.NewDecoder(checked{ctx, bytes.NewReader(data)})
	d.Strict, d.Entity, d.AutoClose = false, xml.HTMLEntity, nil
	d.CharsetReader = func(label string, in io.Reader) (io.Reader, error) {
		b, err := io.ReadAll(in)
		return strings.NewReader(decode(b, label, false)), err
	}
	for {
		tok, err := d.Token()
		if ctx.Err() != nil {
			return research.Document{}, ctx.Err()
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			if j.out.b.Len() > 0 { // what was read up to the damage is kept
				break
			}
			return research.Document{}, errors.New("is damaged: it is no well-formed XML; fetch it again")
		}
		switch t := tok.(type) {
		case xml.StartElement:
			if len(j.path) >= jatsDepth {
				return research.Document{}, errors.New("is nested too deeply to be a paper")
			}
			j.start(t)
		case xml.EndElement:
			j.end(t.Name.Local)
		case xml.CharData:
			j.text(string(t))
		}
		if j.out.b.Len() > maxJATS {
			break
		}
	}
	j.flush()
	j.out.into(&j.doc)
	j.doc.Byline = strings.Join(j.who, ", ")
	if len(j.who) > 12 {
		j.doc.Byline = strings.Join(j.who[:12], ", ") + " et al."
	}
	if !j.body {
		j.doc.Fault, j.doc.Verdict = "only its abstract is there, which is not the paper; give the paper itself with --attach", research.Paywalled
	}
	return j.doc, nil
}

func (j *jats) in(name string) bool {
	for _, p := range j.path {
		if p == name {
			return true
		}
	}
	return false
}

func (j *jats) start(t xml.StartElement) {
	name := t.Name.Local
	j.path = append(j.path, name)
	if j.skip > 0 || jatsBeside[name] {
		j.skip++
		return
	}
	attribute := func(key string) string {
		for _, a := range t.Attr {
			if a.Name.Local == key {
				return a.Value
			}
		}
		return ""
	}
	switch name {
	case "article":
		if j.doc.Lang == "" {
			j.doc.Lang = attribute("lang")
		}
	case "article-id", "pub-date", "contrib":
		j.ids = attribute("pub-id-type")
		j.kind = attribute("contrib-type")
		j.names, j.date = nil, [3]string{}
		j.cur.Reset()
	case "abstract":
		j.flush()
		if k := attribute("abstract-type"); k == "graphical" || k == "teaser" || k == "toc" {
			j.skip++
			return
		}
		j.out.heading(2, "Abstract")
	case "sec", "p", "disp-quote", "list", "list-item", "table-wrap", "fig", "title", "boxed-text", "def-list", "def-item", "statement", "verse-group", "disp-formula", "caption", "article-title", "ack", "app":
		if j.cell == nil {
			j.flush()
		}
	case "tr":
		j.flush()
		j.cells = nil
	case "td", "th":
		j.cell = new(strings.Builder)
	case "break":
		j.text(" ")
	case "sup":
		if s := j.open().String(); s != "" && s[len(s)-1] >= '0' && s[len(s)-1] <= '9' && !j.in("xref") {
			j.text("^")
		}
	}
}

// open is where running text goes.
func (j *jats) open() *strings.Builder {
	if j.cell != nil {
		return j.cell
	}
	return &j.cur
}

func (j *jats) text(s string) {
	if j.skip > 0 || j.in("xref") && j.in("sup") {
		return
	}
	if !j.in("body") && !j.in("abstract") && !j.in("ack") && !j.in("app") && !j.field() {
		return
	}
	if b := j.open(); b.Len() < maxJATS {
		b.WriteString(clean(s))
	}
}

// field reports whether the open element is one of the front matter that is read.
func (j *jats) field() bool {
	if len(j.path) == 0 {
		return false
	}
	switch j.path[len(j.path)-1] {
	case "surname", "given-names", "collab", "year", "month", "day", "article-id", "journal-title", "string-name":
		return true
	}
	return j.in("article-title") && j.in("title-group")
}

// take returns the open text and begins anew.
func (j *jats) take() string {
	s := collapse(j.cur.String())
	j.cur.Reset()
	return s
}

func (j *jats) end(name string) {
	if len(j.path) == 0 {
		return
	}
	if j.skip > 0 {
		j.skip--
		j.path = j.path[:len(j.path)-1]
		return
	}
	front := !j.in("body") && !j.in("abstract") && !j.in("app") && !j.in("ack")
	switch name {
	case "article-title":
		if s := j.take(); front && j.in("title-group") && j.doc.Title == "" {
			j.doc.Title = s
		}
	case "journal-title":
		if s := j.take(); j.doc.Publisher == "" {
			j.doc.Publisher = s
		}
	case "article-id":
		if s := j.take(); j.ids == "doi" && strings.HasPrefix(s, "10.") && len(s) <= 200 && j.doc.DOI == "" {
			j.doc.DOI = s
		}
	case "surname", "given-names", "collab", "string-name":
		if s := j.take(); front && s != "" {
			if name == "given-names" {
				j.names = append([]string{s}, j.names...)
			} else {
				j.names = append(j.names, s)
			}
		}
	case "contrib":
		if s := strings.Join(j.names, " "); s != "" && (j.kind == "" || j.kind == "author") && len(j.who) < 100 {
			j.who = append(j.who, s)
		}
		j.names = nil
	case "year", "month", "day":
		if s := j.take(); front && j.in("pub-date") {
			j.date[map[string]int{"year": 0, "month": 1, "day": 2}[name]] = s
		}
	case "pub-date":
		if at := jatsDate(j.date); at != "" && (j.doc.Published == "" || at < j.doc.Published) {
			j.doc.Published = at
		}
	case "title":
		level := 1
		for _, p := range j.path {
			if p == "sec" {
				level++
			}
		}
		if s := j.take(); j.in("caption") || j.in("table-wrap") || j.in("fig") {
			j.out.para(s)
		} else {
			j.out.heading(level, s)
		}
	case "td", "th":
		if j.cell != nil {
			j.cells = append(j.cells, collapse(j.cell.String()))
			j.cell = nil
		}
	case "tr":
		j.out.open.said = j.out.open.said || j.in("thead")
		j.out.row(j.cells)
		j.body = j.body || j.in("body")
		j.cells = nil
	case "table":
		j.out.closeTable()
	case "p", "sec", "disp-quote", "list", "list-item", "table-wrap", "fig", "boxed-text", "def-item", "statement", "disp-formula", "caption", "abstract", "body", "ack", "app", "verse-group":
		if j.cell == nil {
			j.flush()
		} else {
			j.cell.WriteByte(' ')
		}
	}
	j.path = j.path[:len(j.path)-1]
}

// flush lays the open paragraph.
func (j *jats) flush() {
	s := j.take()
	if s == "" {
		return
	}
	j.out.closeTable()
	if j.in("list-item") {
		j.out.line(s)
	} else {
		j.out.para(s)
	}
	j.body = j.body || j.in("body")
}

// jatsDate is a date of its parts, as far as they are there.
func jatsDate(p [3]string) string {
	out := ""
	for i, s := range p {
		want := 2
		if i == 0 {
			want = 4
		} else if len(s) == 1 {
			s = "0" + s
		}
		if len(s) != want || strings.Trim(s, "0123456789") != "" {
			break
		}
		if i > 0 {
			out += "-"
		}
		out += s
	}
	return out
}
