package render

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"encoding/xml"
	"fmt"
	"strings"
	"time"

	"assay/engine/research"
)

// What of a document never changes.
var (
	//go:embed docx/styles.xml
	docxStyles string
	//go:embed docx/numbering.xml
	docxNumbering string
)

const (
	xmlHead     = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	officeRel   = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	packageRel  = "http://schemas.openxmlformats.org/package/2006/relationships"
	docxTypes   = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/><Override PartName="/word/numbering.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.numbering+xml"/><Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>`
	docxRels    = `<Relationships xmlns="` + packageRel + `"><Relationship Id="r1" Type="` + officeRel + `/officeDocument" Target="word/document.xml"/><Relationship Id="r2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>`
	docxPage    = `<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1134" w:right="1134" w:bottom="1134" w:left="1134" w:header="567" w:footer="567" w:gutter="0"/></w:sectPr>`
	wordprocess = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
)

// DOCX returns the digest as a document of Word (ECMA-376, transitional): the text of [Markdown] in its order, with headings, lists,
// tables, and citations as links to the references. The same digest gives the same bytes.
func DOCX(d research.Digest) ([]byte, error) {
	text, err := Markdown(d)
	if err != nil {
		return nil, err
	}
	w := &docxWriter{links: map[string]int{}}
	w.document(text)
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, part := range []struct{ name, text string }{
		{"[Content_Types].xml", docxTypes},
		{"_rels/.rels", docxRels},
		{"word/document.xml", `<w:document xmlns:w="` + wordprocess + `" xmlns:r="` + officeRel + `"><w:body>` + w.b.String() + docxPage + `</w:body></w:document>`},
		{"word/_rels/document.xml.rels", w.relationships()},
		{"word/styles.xml", docxStyles},
		{"word/numbering.xml", docxNumbering},
		{"docProps/core.xml", docxCore(d)},
	} {
		f, err := z.CreateHeader(&zip.FileHeader{Name: part.name, Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)})
		if err == nil {
			_, err = f.Write([]byte(xmlHead + strings.TrimPrefix(part.text, xmlHead)))
		}
		if err != nil {
			return nil, fmt.Errorf("render DOCX: %w", err)
		}
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("render DOCX: %w", err)
	}
	return out.Bytes(), nil
}

// relationships are the addresses of the web that the document links to.
func (w *docxWriter) relationships() string {
	var b strings.Builder
	b.WriteString(`<Relationships xmlns="` + packageRel + `"><Relationship Id="styles" Type="` + officeRel + `/styles" Target="styles.xml"/><Relationship Id="numbering" Type="` + officeRel + `/numbering" Target="numbering.xml"/>`)
	for i, to := range w.targets {
		fmt.Fprintf(&b, `<Relationship Id="l%d" Type="%s/hyperlink" Target="%s" TargetMode="External"/>`, i, officeRel, xmlText(to))
	}
	return b.String() + `</Relationships>`
}

// docxCore is what programs list a document by.
func docxCore(d research.Digest) string {
	day := readDate(d.Date)
	created := ""
	if day.Day > 0 {
		created = `<dcterms:created xsi:type="dcterms:W3CDTF">` + day.iso("-") + `T00:00:00Z</dcterms:created>`
	}
	return `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>` +
		xmlText(line(d.Title, maxTitle)) + `</dc:title><dc:creator>Assay</dc:creator>` + created + `<dc:language>` + pandocLang(d.Lang) + `</dc:language></cp:coreProperties>`
}

// xmlText is s as text or an attribute of XML, without the characters that XML cannot hold.
func xmlText(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s)) // a buffer takes everything
	return b.String()
}
