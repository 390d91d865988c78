package document

import (
	"strings"

	"golang.org/x/net/html"
)

const (
	// maxHidden bounds what is kept of the text that a page does not show, in bytes.
	maxHidden = 2000
	// hiddenWords is the least number of words of such a text: a menu entry or a label for readers who listen has fewer.
	hiddenWords = 6
)

// hiddenText returns the text of the elements of a page that a reader does not see: those with the attribute hidden, and those
// that a style of their own makes invisible. It is in no part of the page's text. Scripts, styles and templates are no text.
func hiddenText(body *html.Node) string {
	var b strings.Builder
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		for c := n.FirstChild; c != nil && b.Len() < maxHidden; c = c.NextSibling {
			if c.Type != html.ElementNode || never[c.DataAtom] {
				continue
			}
			if !unseen(c) {
				walk(c)
				continue
			}
			if s := collapse(clean(plainText(c, maxHidden))); len(strings.Fields(s)) >= hiddenWords || runes(s) >= 3*hiddenWords && !strings.ContainsRune(s, ' ') {
				b.WriteString(s)
				b.WriteByte('\n')
			}
		}
	}
	walk(body)
	s := strings.TrimSpace(b.String())
	return strings.ToValidUTF8(s[:min(len(s), maxHidden)], "")
}

// plainText returns up to n bytes of the text below a node, its scripts and styles aside.
func plainText(n *html.Node, limit int) string {
	var b strings.Builder
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		if b.Len() >= limit {
			return
		}
		if n.Type == html.TextNode {
			b.WriteString(n.Data[:min(len(n.Data), limit)])
			b.WriteByte(' ')
			return
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if c.Type == html.TextNode || c.Type == html.ElementNode && !never[c.DataAtom] {
				walk(c)
			}
		}
	}
	walk(n)
	return b.String()
}
