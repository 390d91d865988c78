package document

import (
	"net/url"
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// The byline that a page of the web shows, when its metadata name nobody. It is looked for in the order of the page, around the
// title first: parts named as bylines by the words that page templates use, links to an author, and short lines that begin with "by".

var (
	bylineWords = wordSet("author authors byline bylines autor auteur verfasser writer creator contributor authorname username bylinename postauthor")
	notBylines  = wordSet("comments comment commentlist respond replies related recommended sidebar widget widgets trending popular newsletter bio footer latest recent teaser teasers avatar image photo")
	// saidBy is the begin of a line that names who wrote it.
	saidBy = regexp.MustCompile(`(?i)^(?:(?:written|posted|published|submitted|created|reported|story|text|words|article|interview|gespeichert|verfasst|geschrieben|veröffentlicht|publié|escrito|scritto)[\s:]+)?(?:by|von|par|por|di|door|autor(?:in)?|author|auteur|verfasser(?:in)?|text|interview|redaktion|作者|文|撰文|記者|记者)(?:[:：]\s*|\s+)(\S.*)$`)
	// afterName is what stands behind a name: a date, a role, a link.
	afterName = regexp.MustCompile(`(?i)\s*(?:[|•·/–—]|\s-\s|,?\s+(?:on|am|le|el|at|in)\s+\S*\d|,?\s+(?:posted|published|updated|veröffentlicht|illustration|illustrat\w+|fotos?|photos?|bild|aus dem)\s|,?\s+(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?,?\s+\d|,\s*\d|\s\d|\bview all\b|\bmore (?:stories|posts|articles|by|from)\b|\balle (?:artikel|beiträge)\b|\bsee (?:full )?bio\b|\bfollow\b|\bstaff writer\b|\bcontributor\b|,?\s*(?:senior|chief|staff|associate|managing|political|contributing)\s|@|\bemail\b|<|\().*$`)
	// beforeName is what templates put before a name.
	beforeName = regexp.MustCompile(`(?i)^(?:view all (?:posts|articles|stories) by|(?:more|all) (?:stories|posts|articles) (?:by|from)|(?:posts|articles|stories) by|(?:alle )?(?:artikel|beiträge) von|tous les articles de|(?:an )?(?:interview|text|foto|photo|autor(?:in)?|author|reporter|écrit par|written by|posted by|published by|by|von|par|por|von:|by:)\b[:\s]|[|•·\-–—:,]+)\s*`)
	noName     = regexp.MustCompile(`(?i)^(?:no author|author|authors?:?|by|admin|administrator|see full bio|about|share|home|contact|unknown|anonymous|none|n/a|guest|posted(?: on)?|news|jobs.*|log ?in|sign ?in|register|registrieren|anmelden|youtube|facebook|twitter|instagram|linkedin)$`)
)

// bylineSearch walks a page for the byline that it shows.
type bylineSearch struct {
	title string
	// titled are the elements that hold the title.
	titled map[*html.Node]bool
	passed bool // the title was passed
	prose  int  // bytes of long texts that were passed
	best   string
	score  int
	beside int
}

// webByline returns the authors that a page shows, joined by ", ", or "".
func webByline(body *html.Node, title string) string {
	d := dateSearch{title: letters(title)}
	s := bylineSearch{title: d.title, titled: d.titles(body)}
	s.visit(body)
	return s.best
}

func (s *bylineSearch) visit(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type == html.TextNode:
			t := strings.TrimSpace(c.Data)
			if len(t) > 200 {
				s.prose += len(t)
			} else if len(t) > 4 {
				s.line(collapse(clean(t)), 2)
			}
		case c.Type == html.ElementNode && !never[c.DataAtom] && c.DataAtom != atom.Nav:
			s.element(c)
		}
	}
}

func (s *bylineSearch) element(c *html.Node) {
	names := append(nameWords(attr(c, "class")), nameWords(attr(c, "id"))...)
	aside := 0
	if !s.titled[c] && len(names) <= 16 && anyWord(names, notBylines) || c.DataAtom == atom.Aside || c.DataAtom == atom.Footer {
		aside = 1
	}
	if s.titled[c] && len(c.Data) == 2 && c.Data[0] == 'h' && c.Data[1] <= '6' {
		s.passed = true
	}
	s.beside += aside
	defer func() { s.beside -= aside }()
	score := 0
	rel := strings.ToLower(attr(c, "rel") + " " + attr(c, "itemprop"))
	switch {
	case strings.Contains(rel, "author") && !s.titled[c]:
		score = 4
	case len(names) <= 12 && anyWord(names, bylineWords) && !s.titled[c]:
		score = 3
	case c.DataAtom == atom.A && authorLink.MatchString(attr(c, "href")):
		score = 2
	}
	if t, ok := few(c, 150); ok {
		if score > 0 {
			if name := s.named(c, t); name != "" {
				s.take(name, score)
				return
			}
		}
		if m := saidBy.FindStringSubmatch(t); m != nil && blocks[c.DataAtom] {
			s.line(t, 3)
		}
	}
	s.visit(c)
}

// authorLink matches the address of a page about an author.
var authorLink = regexp.MustCompile(`(?i)/(?:authors?|autor(?:en)?|auteurs?|writers?|people|profiles?|users?|staff|contributors?|reporters?|journalists?|by)/[^/?#]+/?(?:[?#].*)?$`)

// named returns the names in an element that is named as a byline: those of its links to authors, or of its text.
func (s *bylineSearch) named(c *html.Node, t string) string {
	var names []string
	walk(c, func(n *html.Node) bool {
		if n.DataAtom != atom.A || n == c {
			return true
		}
		if x, ok := few(n, 80); ok {
			if x = nameIn(x); nameLike(x) && len(x) <= 40 && len(strings.Fields(x)) <= 5 && len(names) < 10 && !hasString(names, x) {
				names = append(names, x)
			}
		}
		return false
	})
	if len(names) > 0 {
		return strings.Join(names, ", ")
	}
	if m := saidBy.FindStringSubmatch(t); m != nil {
		t = m[1]
	}
	if t = nameIn(t); nameLike(t) {
		return t
	}
	return ""
}

func hasString(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// line considers a short text that may begin with "by".
func (s *bylineSearch) line(t string, score int) {
	m := saidBy.FindStringSubmatch(t)
	if m == nil || len(t) > 120 {
		return
	}
	name := nameIn(m[1])
	if nameLike(name) && strings.IndexFunc(name, unicode.IsUpper) == 0 && len(strings.Fields(name)) > 1 {
		s.take(name, score)
	}
}

// take considers a name by where it stands: near the title before names far from it.
func (s *bylineSearch) take(name string, score int) {
	switch {
	case s.passed && s.prose < 400:
		score += 3
	case s.prose < 400:
		score++
	case !s.passed:
	}
	score -= 4 * s.beside
	if score > s.score {
		s.best, s.score = name, score
	}
}

// nameIn takes what templates put around a name away.
func nameIn(s string) string {
	s = collapse(clean(html.UnescapeString(oneLine(s, 200))))
	for range 3 {
		t := strings.TrimSpace(beforeName.ReplaceAllString(s, ""))
		if t == s {
			break
		}
		s = t
	}
	s = strings.TrimSpace(afterName.ReplaceAllString(s, ""))
	return strings.Trim(s, " ,;:|-–'\"")
}

// nameLike reports whether s may be a name or a list of names: short, no sentence, no address, no word of a template.
func nameLike(s string) bool {
	if len(s) < 2 || len(s) > 100 || noName.MatchString(s) || strings.ContainsAny(s, "{}<>[]=") || strings.Contains(s, "://") || strings.ContainsAny(s, "?!") {
		return false
	}
	if len(strings.Fields(s)) > 12 || strings.IndexFunc(s, unicode.IsLetter) < 0 {
		return false
	}
	return true
}

// tidyByline makes the byline of the metadata of a page a list of names; "" when it names nobody, or only who publishes the page,
// which stands in the document anyway.
func tidyByline(s, publisher, address string) string {
	s = nameIn(s)
	if strings.EqualFold(s, "admin") || !nameLike(s) {
		return ""
	}
	l := letters(s)
	if u, err := url.Parse(address); err == nil && len(l) > 3 && strings.Contains(letters(u.Hostname()), l) || l == letters(publisher) {
		return ""
	}
	return s
}

// bylineOf is the byline of a page of the web: of its metadata, of what stands around its title, or of any part of it.
func bylineOf(d meta, body *html.Node, address string) string {
	said := tidyByline(d.Byline, d.Publisher, address)
	if d.shown {
		return firstOf(webByline(body, d.Title), said)
	}
	return firstOf(said, webByline(body, d.Title))
}
