package document

import (
	"net/url"
	"strings"
	"unicode"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// The main text of a page of the web. What templates put around it goes by what its class names and headings say (the kinds that page
// templates share: comments, related, newsletter, ...), then readability and the densest element are compared, then what is no text
// of the article is taken from both ends. Nothing here knows a site.

const (
	// proseRunes is the length in bytes from which a block is taken for prose and not for a label.
	proseRunes = 70
	// denseShare is the share of the prose of an element that a child must hold for the search to go on inside it.
	denseShare = 0.75
	// believed is the share of the prose of the densest element below which readability is taken to have missed the text.
	believed = 0.7
	// partShare is the share of the page that a part named as beside the text must not exceed to be dropped.
	partShare = 0.4
	// leastLeft is how much text, in bytes, must be left when comments are dropped: on a page that is nothing else they are the text.
	leastLeft = 250
)

// Words of class names and ids. Of the first kind a part is dropped whatever its size, of the second when it is not most of the
// page, of the third when it is short: those words are also given to the text itself.
var (
	talkWords = wordSet("comments comment commentlist commentarea commentsection disqus respond replies livefyre fbcomments viafoura coral kommentare commentaires comentarios")
	sideWords = wordSet("related recommended recommendation recommendations recommends recirc recirculation promo promos promotion newsletter newsletters signup subscribe subscription sidebar rail " +
		"ad ads advert adverts advertisement advertising adslot sponsor sponsored outbrain taboola zergnet share shares sharing sharebar sharedaddy addthis addtoany social follow followus tags taglist topics breadcrumb breadcrumbs " +
		"byline bylines bio authorbox dateline timestamp caption captions wpcaption credit credits popup modal overlay cookie cookies footer footnav menu nav navbar navigation toolbar trending popular mostread mostpopular morefrom readmore readnext upnext " +
		"pagination pager prevnext poll survey login register paywallprompt banner copyright jp-relatedposts yarpp alsolike similar infinite lightbox tooltip skip masthead topbar donate donation feedback ticker kicker eyebrow readtime readingtime reactions rating ratings widgets " +
		"aehnliche verwandte anzeige werbung")
	labelWords = wordSet("author authors meta date dates header published pubdate posted tag category categories media gallery slideshow carousel widget toolbox info time print actions buttons button links subnav label avatar profile crumbs next prev previous")
)

// linkWords name parts that are dropped when they are links to other texts; the same words are given to the first paragraph.
var linkWords = wordSet("teaser teasers card cards more headline headlines story stories list stream river")

func wordSet(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

// nameWords are the words of a class attribute or an id: cut at white space, signs and capitals.
func nameWords(s string) []string {
	if len(s) > 300 {
		s = s[:300]
	}
	var b strings.Builder
	last := ' '
	for _, r := range s {
		if unicode.IsUpper(r) && unicode.IsLower(last) {
			b.WriteByte(' ')
		}
		if !unicode.IsLetter(r) {
			r = ' '
		}
		b.WriteRune(unicode.ToLower(r))
		last = r
		if r != ' ' && unicode.IsLetter(r) {
			last = r
		}
	}
	return strings.Fields(b.String())
}

// mainWeb returns the main text of a page of the web. The tree loses what is beside the text. The result's second value reports that
// no main text was found and the whole body was kept.
func mainWeb(root, body *html.Node, whole *builder, marks *marks, title string, opt Options) (*builder, bool) {
	marks.repeats(body)
	marks.beside(body)
	var base *url.URL
	if u, err := url.Parse(opt.URL); err == nil && u.Host != "" {
		base = u
	}
	dense, most := densest(body, marks, letters(title))
	chosen, chosenMarks := dense, marks
	if node := readable(root, base); node != nil {
		m := newMarks(node)
		m.beside(node)
		if kept := newProse(node, m).of[node]; float64(kept) >= believed*float64(most) && kept > 0 {
			chosen, chosenMarks = node, m
		}
	}
	chosenMarks.base = base
	chosenMarks.trim(chosen, title)
	laid := layHTML(chosen, chosenMarks)
	if laid.b.Len() == 0 {
		return whole, true
	}
	return laid, chosen == body
}

// beside takes the parts of a tree that are named as standing beside the text out of it.
func (m *marks) beside(top *html.Node) {
	total := m.size[top].text
	left := total
	var out []*html.Node
	walk(top, func(n *html.Node) bool {
		if n.Type != html.ElementNode {
			return false
		}
		if m.skip[n] {
			if besideKind(n) >= 2 && n.Parent != nil { // readability would see it, and no longer by what name
				out = append(out, n)
			}
			return false
		}
		if n == top || n.DataAtom == atom.Body || n.DataAtom == atom.Html || n.DataAtom == atom.Main {
			return true
		}
		if n.Parent != nil && n.Parent.DataAtom == atom.P && !blocks[n.DataAtom] { // words of a sentence
			return true
		}
		size := m.size[n].text
		drop := false
		switch n.DataAtom {
		case atom.Figcaption, atom.Form, atom.Nav:
			drop = float64(size) < partShare*float64(total)
		case atom.Aside, atom.Footer:
			drop = float64(size) < partShare*float64(total)
		}
		if !drop {
			switch besideKind(n) {
			case 3:
				drop = left-size >= leastLeft
			case 2:
				drop = float64(size) < partShare*float64(total) && left-size >= leastLeft
			case linkKind:
				drop = m.size[n].links > 0 && float64(m.size[n].link) > 0.5*float64(size) && float64(size) < partShare*float64(total)
			case 1:
				drop = size < 200 && float64(size) < 0.2*float64(total)
			}
		}
		if drop {
			out = append(out, n)
			m.skip[n] = true
			left -= size
			return false
		}
		return true
	})
	for _, n := range out {
		if n.Parent != nil {
			n.Parent.RemoveChild(n)
		}
	}
}

// linkKind is that of linkWords.
const linkKind = -1

// repeats takes lists of teasers out of a tree: three or more children of the same name, each short and led by a link that tells
// what is behind it. It leaves them where hardly any prose stands outside them: then they are what the page says.
func (m *marks) repeats(top *html.Node) {
	all := newProse(top, m)
	left := all.of[top]
	var out []*html.Node
	walk(top, func(n *html.Node) bool {
		if n.Type != html.ElementNode || m.skip[n] {
			return false
		}
		groups := map[string][]*html.Node{}
		var order []string
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if c.Type != html.ElementNode || m.skip[c] || !(blocks[c.DataAtom] || c.DataAtom == atom.Li || c.DataAtom == atom.A) || c.DataAtom == atom.P || !m.teaser(c) {
				continue
			}
			key := c.Data + " " + attr(c, "class")
			if c.DataAtom == atom.Article || c.DataAtom == atom.Li {
				key = c.Data
			}
			if len(groups[key]) == 0 {
				order = append(order, key)
			}
			groups[key] = append(groups[key], c)
		}
		for _, key := range order {
			g := groups[key]
			sum := 0
			for _, c := range g {
				sum += all.of[c]
			}
			if len(g) >= 3 && left-sum >= 2*leastLeft {
				left -= sum
				for _, c := range g {
					m.skip[c] = true
					out = append(out, c)
				}
			}
		}
		return true
	})
	for _, n := range out {
		n.Parent.RemoveChild(n)
	}
}

// teaserText is the most text of a teaser, in bytes.
const teaserText = 700

// teaser reports whether n is short and a link with some words makes a good part of it.
func (m *marks) teaser(n *html.Node) bool {
	s := m.size[n]
	return s.text > 0 && s.text <= teaserText && s.links > 0 && s.links <= 6 && s.link >= 20 && float64(s.link) >= 0.25*float64(s.text)
}

// besideKind is the strongest kind of the words in the names of n: 3 talk, 2 beside, 1 a label, 0 none.
func besideKind(n *html.Node) int {
	kind := 0
	for _, key := range []string{"class", "id", "data-component", "data-testid"} {
		words := nameWords(attr(n, key))
		if len(words) > 12 { // a state of the page, not a name
			continue
		}
		for _, w := range words {
			switch {
			case talkWords[w]:
				return 3
			case sideWords[w]:
				kind = max(kind, 2)
			case labelWords[w]:
				kind = max(kind, 1)
			case linkWords[w] && kind == 0:
				kind = linkKind
			}
		}
	}
	return kind
}

// prose holds how much running text stands below each node, in bytes.
type prose struct {
	of    map[*html.Node]int
	marks *marks
}

func newProse(top *html.Node, m *marks) prose {
	p := prose{of: map[*html.Node]int{}, marks: m}
	p.count(top)
	return p
}

// count sums the prose below n: blocks that hold text of their own, long enough and not mostly links.
func (p prose) count(n *html.Node) int {
	if n.Type != html.ElementNode && n.Type != html.DocumentNode || p.marks.skip[n] {
		return 0
	}
	own, link, sum := 0, 0, 0
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type == html.TextNode:
			own += len(strings.TrimSpace(c.Data))
		case c.Type == html.ElementNode && !blocks[c.DataAtom] && !lists[c.DataAtom]:
			if p.marks.skip[c] || never[c.DataAtom] {
				continue
			}
			if inner := p.count(c); inner > 0 && hasBlock(c) {
				sum += inner
				continue
			}
			s := p.marks.size[c]
			own += s.text
			link += s.link
		default:
			sum += p.count(c)
		}
	}
	if own >= proseRunes && float64(link) < 0.5*float64(own) {
		sum += own
	}
	p.of[n] = sum
	return sum
}

// lists begin blocks of their own beside those of blocks.
var lists = map[atom.Atom]bool{
	atom.Ul: true, atom.Ol: true, atom.Dl: true, atom.Li: true, atom.Dt: true, atom.Dd: true, atom.Pre: true,
	atom.H1: true, atom.H2: true, atom.H3: true, atom.H4: true, atom.H5: true, atom.H6: true,
}

// hasBlock reports whether an inline element has a block among its children.
func hasBlock(n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if blocks[c.DataAtom] || lists[c.DataAtom] {
			return true
		}
	}
	return false
}

// mainPart is the share of the prose of a page that its <main>, or the <article> with its title, must hold to be searched alone.
const mainPart = 0.3

// densest goes down to the element that holds most of the prose and no child that does: from the article that holds the title, from
// <main>, or from body.
func densest(body *html.Node, m *marks, title string) (*html.Node, int) {
	p := newProse(body, m)
	n := body
	d := dateSearch{title: title}
	titled := d.titles(body)
	walk(body, func(c *html.Node) bool {
		if c.Type == html.ElementNode && (c.DataAtom == atom.Main || c.DataAtom == atom.Article && titled[c]) &&
			p.of[c] >= 2*leastLeft && float64(p.of[c]) >= mainPart*float64(p.of[body]) && (n == body || n.DataAtom == atom.Main) {
			n = c
		}
		return !m.skip[c]
	})
	for {
		var next *html.Node
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if p.of[c] > 0 && float64(p.of[c]) >= denseShare*float64(p.of[n]) {
				next = c
			}
		}
		if next == nil || next.DataAtom == atom.P {
			return n, p.of[n]
		}
		n = next
	}
}

// pageTitle is the title that the page shows: that of its metadata, or else its first heading.
func pageTitle(page *goquery.Document, title string) string {
	return firstOf(title, page.Find("h1").First().Text())
}
