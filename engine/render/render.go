// Package render turns a digest into the things people read: one self-contained newspaper page ([HTML]) and the same text
// as Markdown ([Markdown]).
//
// Start at [HTML]. page.go builds the view of a digest, trace.go the arithmetic of one finding, words.go holds what the
// page itself says in English and Chinese, prose.go the one road by which text of a digest becomes HTML, page.html and
// page.css the form. markdown.go says the same in the same order, and docx.go and pandoc.go make of that text what Word and
// pandoc read. bibliography.go reads the sources as reference managers know them, for bibtex.go, ris.go and csl.go.
//
// All are pure functions of the digest: the same digest gives the same bytes. The page holds no script, loads nothing and
// says so in its Content-Security-Policy; all text of the digest is escaped. The digest is untrusted (it quotes sources),
// so every field and list is bounded.
package render

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"

	"assay/engine/research"
)

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

var pageTemplate = template.Must(template.New("page.html").Parse(pageHTML))

// HTML returns the digest as one page of HTML: no script, no external file, light and dark, printable. It returns an error
// only when the template fails, which no digest should bring about.
func HTML(d research.Digest) ([]byte, error) {
	p, err := newPage(d)
	if err != nil {
		return nil, fmt.Errorf("render page: %w", err)
	}
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, p); err != nil {
		return nil, fmt.Errorf("render page: %w", err)
	}
	return b.Bytes(), nil
}

// Themed returns page with its colours forced to theme, "light" or "dark"; for any other theme, or a page that HTML did
// not make, it returns page as it is and the page follows the reader's system.
func Themed(page []byte, theme string) []byte {
	if theme != "light" && theme != "dark" {
		return page
	}
	return bytes.Replace(page, []byte("<html "), []byte(`<html data-theme="`+theme+`" `), 1)
}
