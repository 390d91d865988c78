package document

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// marks are the elements of a tree that are not laid: hidden ones, navigation, lists of links.
type marks struct {
	skip map[*html.Node]bool
	size map[*html.Node]size
	base *url.URL // where a page of the web stands; nil: its links are not kept
}

// size of the visible text below a node, in bytes without white space, and how much of it is the text of links.
type size struct{ text, link, links int }

const (
	// linkShare is the share of link text from which a list or table is navigation.
	linkShare = 0.85
	// linkCount is the number of links from which it is.
	linkCount = 4
	// indexShare is the share of the page that lists of links must not exceed to be dropped: above it the page is an index,
	// and the list is what it says.
	indexShare = 0.6
)

// navClass matches class names and ids of navigation and of notices about the page itself. They are names that the common
// documentation tools and page templates give (DocBook, Sphinx, Doxygen, texinfo, MediaWiki, WordPress).
var navClass = regexp.MustCompile(`(?i)(^|[\s_-])(nav(header|footer|bar|igation)?|toc|contents-list|breadcrumbs?|sphinxsidebar|sphinxfooter|related|cookie[\w-]*|consent[\w-]*|gdpr[\w-]*|share(-?buttons?)?|social(-?links?)?|skip-?(link|nav)|headerlink|mw-editsection|printfooter|catlinks|site-?footer|site-?header|pagination|copyright-notice)($|[\s_])`)

func newMarks(body *html.Node) *marks {
	m := &marks{skip: map[*html.Node]bool{}, size: map[*html.Node]size{}}
	m.hide(body, false)
	total := m.measure(body, false)
	if total.text == 0 {
		return m
	}
	dropped := 0
	var lists []*html.Node
	walk(body, func(n *html.Node) bool {
		if m.skip[n] || n.Type != html.ElementNode {
			return !m.skip[n]
		}
		s := m.size[n]
		switch n.DataAtom {
		case atom.Aside:
			if float64(s.text) < asideShare*float64(total.text) && !within(n, body, atom.Main, atom.Article) {
				m.skip[n] = true
				return false
			}
		case atom.Ul, atom.Ol, atom.Dl, atom.Table, atom.Menu:
			if s.links >= linkCount && float64(s.link) >= linkShare*float64(s.text) && !introduced(n, body) {
				lists = append(lists, n)
				dropped += s.text
				return false
			}
		}
		return true
	})
	if float64(dropped) <= indexShare*float64(total.text) {
		for _, n := range lists {
			m.skip[n] = true
		}
	}
	return m
}

// hide marks what a reader does not see and what is navigation by its element, role or class. inMain says that the
// element is inside the main text, where <header> and <footer> belong to a section of it.
func (m *marks) hide(n *html.Node, inMain bool) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.ElementNode {
			continue
		}
		if unseen(c) || navigation(c, inMain) {
			m.skip[c] = true
			continue
		}
		m.hide(c, inMain || c.DataAtom == atom.Main || c.DataAtom == atom.Article || c.DataAtom == atom.Section)
	}
}

// measure sums the visible text below n, bottom up.
func (m *marks) measure(n *html.Node, inLink bool) size {
	var s size
	if n.Type == html.TextNode {
		k := 0
		for i := 0; i < len(n.Data); i++ {
			if c := n.Data[i]; c != ' ' && c != '\n' && c != '\t' && c != '\r' {
				k++
			}
		}
		s.text = k
		if inLink {
			s.link = k
		}
		return s
	}
	if m.skip[n] {
		return s
	}
	if n.DataAtom == atom.A && attr(n, "href") != "" {
		inLink = true
		s.links++
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		k := m.measure(c, inLink)
		s.text, s.link, s.links = s.text+k.text, s.link+k.link, s.links+k.links
	}
	m.size[n] = s
	return s
}

// introduced reports whether the text before a list ends in a colon: then the links are what that sentence speaks of.
func introduced(n, top *html.Node) bool {
	for p := n; p != nil && p != top; p = p.Parent {
		for prev := p.PrevSibling; prev != nil; prev = prev.PrevSibling {
			if s := lastText(prev); s != "" {
				return strings.HasSuffix(s, ":") || strings.HasSuffix(s, "：")
			}
		}
	}
	return false
}

// lastText returns the last text below a node that is not white space, trimmed.
func lastText(n *html.Node) string {
	if n.Type == html.TextNode {
		return strings.TrimSpace(n.Data)
	}
	for c := n.LastChild; c != nil; c = c.PrevSibling {
		if s := lastText(c); s != "" {
			return s
		}
	}
	return ""
}

func within(n, top *html.Node, tags ...atom.Atom) bool {
	for p := n.Parent; p != nil && p != top; p = p.Parent {
		for _, t := range tags {
			if p.DataAtom == t {
				return true
			}
		}
	}
	return false
}

func walk(n *html.Node, visit func(*html.Node) bool) {
	if !visit(n) {
		return
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		walk(c, visit)
	}
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func hasAttr(n *html.Node, key string) bool {
	for _, a := range n.Attr {
		if a.Key == key {
			return true
		}
	}
	return false
}

// never holds elements whose text is not the page's.
var never = map[atom.Atom]bool{
	atom.Script: true, atom.Style: true, atom.Noscript: true, atom.Template: true, atom.Svg: true, atom.Iframe: true,
	atom.Object: true, atom.Embed: true, atom.Canvas: true, atom.Audio: true, atom.Video: true, atom.Select: true,
	atom.Button: true, atom.Textarea: true, atom.Input: true, atom.Head: true, atom.Meta: true, atom.Link: true,
	atom.Title: true, atom.Datalist: true, atom.Rp: true, atom.Rt: true, atom.Map: true, atom.Dialog: true, atom.Noframes: true,
}

// unseen reports whether a reader of the page does not see n: by its element, its attributes or its inline style.
func unseen(n *html.Node) bool {
	if never[n.DataAtom] || hasAttr(n, "hidden") || strings.EqualFold(attr(n, "aria-hidden"), "true") {
		return true
	}
	return hiddenStyle(attr(n, "style")) || unreadable(n)
}

func hiddenStyle(style string) bool {
	if style == "" {
		return false
	}
	for _, decl := range strings.Split(strings.ToLower(style), ";") {
		key, val, _ := strings.Cut(decl, ":")
		key, val = strings.TrimSpace(key), strings.TrimSpace(strings.ReplaceAll(val, "!important", ""))
		switch key {
		case "display":
			if val == "none" {
				return true
			}
		case "visibility":
			if val == "hidden" || val == "collapse" {
				return true
			}
		case "opacity":
			if f, err := strconv.ParseFloat(val, 64); err == nil && f <= 0.02 {
				return true
			}
		case "font-size":
			if f, unit, ok := length(val); ok && (f == 0 || unit == "px" && f <= 1 || unit == "pt" && f <= 1 || unit == "em" && f <= 0.1) {
				return true
			}
		case "left", "top", "text-indent", "margin-left", "right":
			if f, unit, ok := length(val); ok && (f <= -999 && unit == "px" || f <= -60 && (unit == "em" || unit == "rem")) {
				return true
			}
		case "clip-path":
			if strings.HasPrefix(val, "inset(50%") || strings.HasPrefix(val, "inset(100%") || strings.HasPrefix(val, "circle(0") {
				return true
			}
		case "transform":
			if strings.Contains(val, "scale(0)") {
				return true
			}
		case "clip":
			if strings.HasPrefix(val, "rect(0") || strings.HasPrefix(val, "rect(1px") {
				return true
			}
		}
	}
	return false
}

// length reads a CSS length such as "-9999px".
func length(s string) (float64, string, bool) {
	i := 0
	for i < len(s) && (s[i] == '-' || s[i] == '+' || s[i] == '.' || s[i] >= '0' && s[i] <= '9') {
		i++
	}
	f, err := strconv.ParseFloat(s[:i], 64)
	return f, strings.TrimSpace(s[i:]), err == nil
}

// navigation reports whether n is a menu, a banner or a footer of the page.
func navigation(n *html.Node, inMain bool) bool {
	switch n.DataAtom {
	case atom.Nav:
		return true
	case atom.Header, atom.Footer:
		if !inMain {
			return !hasHeading(n) || n.DataAtom == atom.Footer
		}
	case atom.Body, atom.Main, atom.Article, atom.Html, atom.H1, atom.H2, atom.H3:
		return false
	}
	switch strings.ToLower(attr(n, "role")) {
	case "navigation", "search", "contentinfo", "menu", "menubar":
		return true
	case "main":
		return false
	}
	for _, key := range []string{"class", "id"} {
		if v := attr(n, key); v != "" && navClass.MatchString(v) {
			return true
		}
	}
	return false
}

// hasHeading reports whether a page's <header> carries its h1: then it holds the title and the byline, not only a banner.
func hasHeading(n *html.Node) bool {
	found := false
	walk(n, func(c *html.Node) bool {
		found = found || c.DataAtom == atom.H1
		return !found
	})
	return found
}
