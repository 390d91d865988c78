package document

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

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
