package document

import (
	"net/url"
	"regexp"
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

// leaf is a block of the chosen tree that holds no other block.
type leaf struct {
	n          *html.Node
	text       string
	linkShare  float64
	heading    int  // 1 to 6, or 0
	item, long bool // an item of a list; prose
}

// leaves returns the blocks of a tree in order.
func (m *marks) leaves(top *html.Node) []leaf {
	var out []leaf
	l := &layout{marks: m}
	var visit func(n *html.Node)
	visit = func(n *html.Node) {
		if n.Type != html.ElementNode || m.skip[n] || never[n.DataAtom] {
			return
		}
		if !(blocks[n.DataAtom] || lists[n.DataAtom]) || !onlyInline(n, 0) {
			for c := n.FirstChild; c != nil; c = c.NextSibling {
				visit(c)
			}
			return
		}
		s := collapse(l.textOf(n))
		if s == "" {
			return
		}
		size := m.measure(n, false)
		f := leaf{n: n, text: s, linkShare: float64(size.link) / float64(max(1, size.text)), item: n.DataAtom == atom.Li}
		if len(n.Data) == 2 && n.Data[0] == 'h' && n.Data[1] >= '1' && n.Data[1] <= '6' {
			f.heading = int(n.Data[1] - '0')
		}
		f.long = f.heading == 0 && f.linkShare < 0.5 && (len(s) >= 2*proseRunes || len(s) >= 30 && ends(s)) || f.heading > 1 && len(s) >= 100 && ends(s) && f.linkShare == 0
		out = append(out, f)
	}
	for c := top.FirstChild; c != nil; c = c.NextSibling {
		visit(c)
	}
	return out
}

// onlyInline reports whether no block stands below n; it looks a few levels deep only, deeper inline nesting has no blocks in practice.
func onlyInline(n *html.Node, depth int) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.ElementNode {
			continue
		}
		if blocks[c.DataAtom] || lists[c.DataAtom] || depth < 6 && !onlyInline(c, depth+1) {
			return false
		}
	}
	return true
}

// ends reports whether s ends as a sentence does.
func ends(s string) bool {
	s = strings.TrimRight(s, ` "'”’»)]」』`)
	for _, p := range []string{".", "!", "?", "…", ":", "。", "！", "？", "：", ";"} {
		if strings.HasSuffix(s, p) {
			return true
		}
	}
	return false
}

var (
	// labelLine matches a short block that is a label of the page and no sentence of the text.
	labelLine = regexp.MustCompile(`(?i)^(?:advertisement|anzeige|werbung|story continues(?: below)?|article continues.*|continue reading.*|loading.*|share(?: (?:this|on).*)?|tweet|print|email|facebook|twitter|whatsapp|pinterest|comments?(?: \(\d+\))?|\d+ comments?|leave a (?:comment|reply)|reply|read more|show more|see more|view more|more|back to top|related|watch(?: now)?|play|subscribe(?: now)?|sign up(?: now)?|save|like this:?|filed under.*|tags?:.*|topics?:.*|posted (?:in|on|by).*|published.*|updated.*|last (?:updated|modified).*|by|photo|image|source:? news agencies|click here.*|(?:\d+ )?min(?:ute)?s? read)$`)
	// pointer matches the begin of a block that points to another text.
	pointer = regexp.MustCompile(`(?i)^(?:related(?: (?:story|stories|post|posts|articles?|content|topics?|news|video|coverage))?s?\s*[:|]|read (?:more|also|next|this)\b.{0,12}[:|]|read more (?:about|on)|also read\b|also on \w|also see\b|see (?:also|more)\b.{0,4}[:|]?|more(?: on this| from| like this| stories)?\s*:|more from\b|don[’']t miss\b|must read|watch\s*:|watch (?:more|also)|listen\s*:|up next|next\s*:|previous\s*:|recommended\s*:|you (?:may|might) also|click here (?:to|for)|siehe auch|lesen sie auch|mehr zum thema|lire aussi|à lire|leggi anche|lea también|te puede interesar|相关阅读|相关新闻|延伸阅读|推荐阅读)`)
	// closing matches the begin of a block after the text: who wrote it, how to subscribe, whose it is.
	closing = regexp.MustCompile(`(?i)^(?:follow (?:us|me|him|her|them|\w+ \w+|@)|sign up|subscribe|(?:this|the) (?:article|story|post) (?:was|originally|first)|have a (?:tip|news)|got a tip|contact (?:us|the)|write to\b|email (?:us|the)|(?:©|\(c\)|copyright)|all rights reserved|reporting by|additional reporting|editing by|with reporting by|need more\b|want more\b|like (?:this|us)\b|join (?:our|us|the)|get (?:our|the latest|more)|download (?:our|the)|to (?:comment|contact)|photo(?:s|graphs?)? by|image credit|source\s*:|via\s*:|quelle\s*:|foto\s*:|tags?\b|filed under|posted in|categor(?:y|ies)|share (?:this|on)|comments are closed|thanks for reading|for more\b|if you (?:liked|enjoyed)|about the author|originally published|support (?:us|our)|donate|kontakt\b|pressekontakt|ansprechpartner|weitere informationen|titelbild|bild(?:nachweis|quelle)|diese[rs]? (?:text|artikel|beitrag)|der beitrag|autor(?:in)?:|redaktion:|责任编辑|编辑：|来源：|版权|转载)`)
	// cutLine matches a heading after which what follows is not the text.
	cutLine  = regexp.MustCompile(`(?i)^(?:\d+ )?(?:comments?(?: \(?\d+\)?)?|responses?|\d+ (?:responses|replies|thoughts|comments).*|leave a (?:comment|reply).*|(?:post|add) a comment|related(?: (?:stories|articles|posts|content|topics|news|links|videos?|coverage|reading))?|more (?:stories|news|articles|posts|from .*|in .*|on this.*|great .*|like this)|most (?:popular|read|viewed|recent)|read (?:next|more|these next)|recommended(?: (?:for you|stories|reading|articles))?|you (?:may|might) (?:also )?(?:like|enjoy|be interested in)|trending(?: .*)?|top (?:stories|videos?)|popular(?: .*)?|latest (?:news|stories|articles)|about the authors?|share this.*|don[’']t miss|sponsored.*|newsletter.*|sign up.*|subscribe.*|follow us.*|up next|what to read next|further reading on.*|discussion|kommentare?(?: .*)?|\d+ kommentare?|weitere (?:artikel|beiträge|themen|meldungen|nachrichten).*|das könnte (?:sie|dich) auch.*|ähnliche (?:artikel|beiträge).*|(?:presse)?kontakt|ansprechpartner(?:in)?|weitere informationen|weiterführende links|über (?:den autor|die autorin|uns)|mehr zum thema|verwandte (?:artikel|beiträge|themen)|commentaires?|à lire aussi|articles? (?:liés|similaires)|commentarios|artículos relacionados|相关(?:阅读|新闻|文章|推荐)|评论|热门(?:文章|推荐)?|推荐阅读|延伸阅读)\s*[:»]?$`)
	dateLike = regexp.MustCompile(`(?i)\b(?:19|20)\d\d\b|\b\d{1,2}[:.]\d{2}\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2}\b`)
	byLike   = regexp.MustCompile(`(?i)^(?:by|von|par|por|di|written by|posted by|author|text|foto|作者|文)[:：]?\s+\p{Lu}?`)
)

// trim marks the blocks of the chosen tree that are no text of the article: its title with byline and date before the text, labels
// and pointers within, and what follows the text.
func (m *marks) trim(top *html.Node, title string) {
	list := m.leaves(top)
	total := 0
	for _, f := range list {
		if f.long {
			total += len(f.text)
		}
	}
	if total == 0 {
		return
	}
	m.cut(top, list, total)
	kept := list[:0:0]
	for _, f := range list {
		if !m.under(f.n, top) {
			kept = append(kept, f)
		}
	}
	first := m.head(kept, title)
	last := m.tail(kept)
	for i := first; i < last; i++ {
		f := kept[i]
		short := len(f.text) < 250
		if label(f.text) && !f.item ||
			short && pointer.MatchString(f.text) && (f.linkShare > 0.3 || !ends(f.text)) ||
			f.heading == 0 && !f.item && f.linkShare > 0.9 && len(f.text) > 12 && short {
			m.skip[f.n] = true
		}
	}
}

// label reports whether a block is a label of the page.
func label(s string) bool { return len(s) <= 80 && labelLine.MatchString(s) }

// under reports whether n or an element above it, up to top, is dropped.
func (m *marks) under(n, top *html.Node) bool {
	for ; n != nil && n != top; n = n.Parent {
		if m.skip[n] {
			return true
		}
	}
	return false
}

// head drops what stands before the first prose: the title, labels, byline and date. It returns the index of the first block of the text.
func (m *marks) head(list []leaf, title string) int {
	start := 0
	for start < len(list) && !list[start].long {
		start++
	}
	if start == len(list) {
		return 0
	}
	title = letters(title)
	titled := false
	for i := range start {
		f := list[i]
		same := title != "" && len(f.text) > 8 && len(f.text) <= 2*len(title)+20 && (strings.Contains(title, letters(f.text)) || strings.Contains(letters(f.text), title))
		titled = titled || f.heading == 1 || same
		switch {
		case f.heading == 1, same, f.heading == 0 && (len(f.text) < 2*proseRunes || f.linkShare > 0.8):
			m.skip[f.n] = true
		case titled && i+1 < start:
			m.skip[f.n] = true
		case i+1 == start && label(f.text):
			m.skip[f.n] = true
		}
	}
	// a byline with a date may be long enough to look like prose
	for start < len(list) && len(list[start].text) < 200 && (byLike.MatchString(list[start].text) && dateLike.MatchString(list[start].text) || label(list[start].text) || closing.MatchString(list[start].text) && len(list[start].text) < 120) {
		m.skip[list[start].n] = true
		start++
	}
	return min(start, len(list))
}

// letters are the letters and digits of s in lower case.
func letters(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// tail drops what follows the last prose and returns the index after the last block of the text.
func (m *marks) tail(list []leaf) int {
	end := len(list)
	for end > 0 {
		f := list[end-1]
		switch {
		case f.heading > 0, closing.MatchString(f.text) && len(f.text) < 500, label(f.text), pointer.MatchString(f.text) && len(f.text) < 300, f.linkShare > 0.6:
		case !f.long && !f.item && f.n.DataAtom != atom.Td && f.n.DataAtom != atom.Th && f.n.DataAtom != atom.Pre && len(f.text) < proseRunes:
		default:
			return end
		}
		m.skip[f.n] = true
		end--
	}
	return end
}

// maxCuts is the most headings at which a page is cut or found not to be: each looks at all that follows.
const maxCuts = 32

// cut drops what stands after a heading that says that something else follows: to the end of the element that the heading begins.
func (m *marks) cut(top *html.Node, list []leaf, total int) {
	before, tried := 0, 0
	for i, f := range list {
		if f.long {
			before += len(f.text)
		}
		if tried >= maxCuts {
			return
		}
		if len(f.text) > 60 || f.long || f.heading == 1 || before < leastLeft || !cutLine.MatchString(f.text) || m.under(f.n, top) {
			continue
		}
		tried++
		n := f.n
		for n.Parent != nil && n.Parent != top && firstText(n) {
			n = n.Parent
		}
		after := 0
		for _, g := range list[i+1:] {
			if g.long && below(g.n, n.Parent) {
				after += len(g.text)
			}
		}
		if !talkLine.MatchString(f.text) && float64(after) > 0.5*float64(total) {
			continue
		}
		for s := n; s != nil; s = s.NextSibling {
			if s != n && s.Type == html.ElementNode && f.heading > 0 && sameHeading(s, f.heading) && !cutLine.MatchString(collapse((&layout{marks: m}).textOf(s))) {
				break
			}
			m.skip[s] = true
		}
	}
}

// talkLine matches the headings of what readers wrote, which may be longer than the text.
var talkLine = regexp.MustCompile(`(?i)comment|respon|repl|thoughts|discussion|kommentar|评论`)

// firstText reports whether no text stands before n in its parent.
func firstText(n *html.Node) bool {
	for p := n.PrevSibling; p != nil; p = p.PrevSibling {
		if lastText(p) != "" {
			return false
		}
	}
	return true
}

func below(n, top *html.Node) bool {
	for ; n != nil; n = n.Parent {
		if n == top {
			return true
		}
	}
	return false
}

// sameHeading reports whether n is a heading of that level or a higher one.
func sameHeading(n *html.Node, level int) bool {
	return len(n.Data) == 2 && n.Data[0] == 'h' && n.Data[1] >= '1' && int(n.Data[1]-'0') <= level
}

// pageTitle is the title that the page shows: that of its metadata, or else its first heading.
func pageTitle(page *goquery.Document, title string) string {
	return firstOf(title, page.Find("h1").First().Text())
}
