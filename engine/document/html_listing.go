package document

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// What makes a page a list of links: so many entries, so large a share of its text in them, and no more running text beside them than
// an introduction. Measured on the article sets of the development data; see listing_test.go.
const (
	leastEntries  = 8
	entryShare    = 0.6
	entriesBeside = 500 // bytes of running text
)

// listing reports whether what a page shows are entries that lead to other pages, such as results of a search, an archive or a front
// page, and hardly any text of its own. An entry is short and a link with some words makes a good part of it. Menus are not counted.
func (m *marks) listing(body *html.Node) bool {
	entries, inside := m.runs(body)
	return entries >= leastEntries && float64(inside) >= entryShare*float64(m.size[body].text) && newProse(body, m).outside(body, m) < entriesBeside
}

// runs counts the entries below n that stand in runs of three or more, and the text of those runs. A part that is an entry by its size and
// holds a run itself counts by that.
func (m *marks) runs(n *html.Node) (entries, text int) {
	if n.Type != html.ElementNode && n.Type != html.DocumentNode || m.skip[n] {
		return 0, 0
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		k, s := m.runs(c)
		entries, text = entries+k, text+s
	}
	if k := m.entries(n); k >= 3 {
		return max(k, entries), m.size[n].text
	}
	return entries, text
}

// entries is how many children of n are entries, when most of what n shows are such.
func (m *marks) entries(n *html.Node) int {
	if n.DataAtom == atom.P || n.DataAtom == atom.Table {
		return 0
	}
	count, text := 0, 0
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode && !m.skip[c] && (blocks[c.DataAtom] || lists[c.DataAtom] || c.DataAtom == atom.A) && m.entry(c) {
			count++
			text += m.size[c].text
		}
	}
	if float64(text) < 0.8*float64(m.size[n].text) {
		return 0
	}
	return count
}

// mostlyLink is the link share from which an item of a plain list only leads elsewhere. Below it, it says something: "Skerry Point, built 1874".
const mostlyLink = 0.75

// entry reports whether n leads elsewhere: a card (a link with a block of its own, such as a title and what is behind it), or an item
// that is hardly more than a link.
func (m *marks) entry(n *html.Node) bool {
	s := m.size[n]
	if s.text == 0 || s.text > teaserText || s.links == 0 {
		return false
	}
	plain := n.DataAtom == atom.Li || n.DataAtom == atom.Dt || n.DataAtom == atom.Dd || n.DataAtom == atom.Tr
	return float64(s.link) >= mostlyLink*float64(s.text) || (!plain || hasBlock(n)) && m.teaser(n)
}

// outside is the running text of a tree that stands in no run of entries, in bytes.
func (p prose) outside(n *html.Node, m *marks) int {
	if n.Type != html.ElementNode && n.Type != html.DocumentNode || m.skip[n] {
		return 0
	}
	if m.entries(n) >= 3 {
		return 0
	}
	below, held := 0, false
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode && p.of[c] > 0 {
			below += p.outside(c, m)
			held = true
		}
	}
	if !held {
		return p.of[n]
	}
	children := 0
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		children += p.of[c]
	}
	return below + max(0, p.of[n]-children)
}
