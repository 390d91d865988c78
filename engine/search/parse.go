package search

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"
)

// maxItems is the most results of one answer that are looked at; more come only from a service that does not keep to what it
// was asked.
const maxItems = 1000

// readJSON reads a whole JSON document into v.
func readJSON(body []byte, v any) error {
	if err := json.Unmarshal(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")), v); err != nil {
		var kind *json.UnmarshalTypeError
		if errors.As(err, &kind) {
			return misread("the field %q holds a %s", kind.Field, kind.Value)
		}
		return misread("it is not whole JSON")
	}
	return nil
}

// readXML reads the first element of an XML document into v. Entities of HTML are known, no others; nothing is loaded.
func readXML(body []byte, v any) error {
	d := xml.NewDecoder(bytes.NewReader(body))
	d.Strict = false
	d.Entity = xml.HTMLEntity
	d.CharsetReader = charset.NewReaderLabel
	if err := d.Decode(v); err != nil {
		return misread("it is not the XML that was expected")
	}
	return nil
}

// markup is an XML element whose content may hold elements: their text is what counts.
type markup struct {
	Text  string `xml:",chardata"`
	Inner string `xml:",innerxml"`
	Type  string `xml:"type,attr"`
}

// plain is the content as HTML: an element that holds others is written out, text and CDATA stay what they are.
func (m markup) plain() string {
	if m.Type == "xhtml" || strings.TrimSpace(m.Text) == "" {
		return m.Inner
	}
	return m.Text
}

// number reads a JSON number that some services write as a string; what is neither is 0.
type number float64

// UnmarshalJSON implements json.Unmarshaler.
func (n *number) UnmarshalJSON(b []byte) error {
	var f float64
	if json.Unmarshal(bytes.Trim(b, `"`), &f) == nil {
		*n = number(f)
	}
	return nil
}

// words reads a JSON string, or the first of a list of strings; what is neither is "".
type words string

// UnmarshalJSON implements json.Unmarshaler.
func (w *words) UnmarshalJSON(b []byte) error {
	var one string
	var many []string
	switch {
	case json.Unmarshal(b, &one) == nil:
		*w = words(one)
	case json.Unmarshal(b, &many) == nil && len(many) > 0:
		*w = words(many[0])
	}
	return nil
}

// The HTML of result pages.

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func hasClass(n *html.Node, class string) bool {
	for _, c := range strings.Fields(attr(n, "class")) {
		if c == class {
			return true
		}
	}
	return false
}

// all lists the elements under n for which want holds, in order; it does not look into them.
func all(n *html.Node, want func(*html.Node) bool) []*html.Node {
	var out []*html.Node
	for c := range n.Descendants() {
		if c.Type != html.ElementNode || !want(c) {
			continue
		}
		if len(out) > 0 && inside(c, out[len(out)-1]) {
			continue
		}
		if out = append(out, c); len(out) == maxItems {
			break
		}
	}
	return out
}

func inside(n, outer *html.Node) bool {
	for p := n.Parent; p != nil; p = p.Parent {
		if p == outer {
			return true
		}
	}
	return false
}

// first is the first element under n of a name and, when that is not "", a class; nil when there is none.
func first(n *html.Node, name, class string) *html.Node {
	for c := range n.Descendants() {
		if c.Type == html.ElementNode && c.Data == name && (class == "" || hasClass(c, class)) {
			return c
		}
	}
	return nil
}

// content is the text under n as HTML source, so that [fragment] reads it back unchanged.
func content(n *html.Node) string {
	if n == nil {
		return ""
	}
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode && (c.Parent.Data != "script" && c.Parent.Data != "style") {
			b.WriteString(c.Data)
		}
	}
	return html.EscapeString(b.String())
}

// escaped is a plain text as HTML source.
func escaped(s string) string { return html.EscapeString(s) }
