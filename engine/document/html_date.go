package document

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// months by name, in lower case and without accents on the first letters that tell them apart. A name of three letters stands for
// every word that begins with it and is at most as long as a name of a month.
var months = func() map[string]int {
	m := map[string]int{}
	for i, names := range []string{
		"january jan januar jänner janvier janv enero ene gennaio gen janeiro januari stycznia ledna ocak января јануар",
		"february feb februar feber février fevrier févr febrero febbraio fevereiro fev februari lutego února şubat февраля фебруар",
		"march mar märz maerz mär mars marzo março marco maart mrt marca března mart марта март",
		"april apr avril avr abril abr aprile kwietnia dubna nisan апреля април",
		"may mai mayo maggio mag maio mei maja května mayıs мая мај",
		"june jun juni juin junio giugno giu junho czerwca června haziran июня јун",
		"july jul juli juillet juil julio luglio lug julho lipca července temmuz июля јул",
		"august aug août aout agosto ago augustus sierpnia srpna ağustos августа август",
		"september sep sept septembre septiembre settembre set setembro września září eylül сентября септембар",
		"october oct oktober okt octobre octubre ottobre ott outubro out października října ekim октября октобар",
		"november nov novembre noviembre novembro listopada listopadu kasım ноября новембар",
		"december dec dezember dez décembre decembre déc diciembre dic dicembre dezembro grudnia prosince aralık декабря децембар",
	} {
		for _, n := range strings.Fields(names) {
			m[n] = i + 1
		}
	}
	return m
}()

var (
	seenISO   = regexp.MustCompile(`(?:^|[^\d])((?:19|20)\d\d)\s?([-/.])\s?(\d{1,2})\s?[-/.]\s?(\d{1,2})(?:$|[^\d])`)
	seenHan   = regexp.MustCompile(`((?:19|20)\d\d)\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]`)
	seenDMY   = regexp.MustCompile(`(?:^|[^\d.])(\d{1,2})\s?([-/.])\s?(\d{1,2})\s?[-/.]\s?((?:19|20)\d\d|\d\d)(?:$|[^\d.]|\.(?:$|[^\d]))`)
	seenDay   = regexp.MustCompile(`(?i)(?:^|[^\d])(\d{1,2})(?:\.|st|nd|rd|th|er|º|ª)?[\s-]+(?:de |d['’])?(\p{L}{3,10})\.?,?[\s-]+(?:de |del )?((?:19|20)\d\d)`)
	seenMonth = regexp.MustCompile(`(?i)(\p{L}{3,10})\.?\s+(\d{1,2})(?:st|nd|rd|th)?(?:,\s*|\s+)(?:at\s+)?((?:19|20)\d\d)`)

	// urlDay is a day in the path of an address.
	urlDay = regexp.MustCompile(`(?:^|[/_-])((?:19|20)\d\d)([/_-]?)(\d{2})[/_-]?(\d{2})(?:$|[/_.-])`)
	urlDMY = regexp.MustCompile(`(?:^|[/_-])(\d{2})-(\d{2})-((?:19|20)\d\d)(?:$|[/_-])`)
	// scripted is a date of publication in the data that a page carries for its scripts.
	scripted = regexp.MustCompile(`(?i)["']?(?:date[_-]?published|published[_-]?(?:date|at|on|time)?|publi(?:cation|sh)[_-]?(?:date|time)|pub[_-]?date|date[_-]?created|created[_-]?(?:at|on|date|datetime))["']?\s*[:=]\s*["']((?:19|20)\d\d-\d\d-\d\d)`)
	// saidDate is a label with the date after it.
	saidDate = regexp.MustCompile(`(?i)(?:published|posted|publication date|first published|veröffentlicht|erschienen|erstellt|gespeichert|online seit|publié|mis en ligne|mise en ligne|pubblicato|publicado|publicada|gepubliceerd|发布(?:时间|日期|于)?|发表(?:时间|于)?|公開日?|投稿日?|掲載日?)`)
	// changed marks a date as that of a change.
	changed = regexp.MustCompile(`(?i)updat|modif|chang|edited|revis|aktualisiert|geändert|änderung|mis à jour|actualiz|aggiornat|更新|修改`)
)

// Words of class names of dates, and of parts whose dates are those of other texts.
var (
	dateWords  = wordSet("date datum fecha data published publish publisheddate pubdate posted postdate created createddate timestamp time datetime dateline submitted submittedon entrydate artikeldatum timedata dt day datestamp")
	otherDates = wordSet("comments comment commentlist disqus respond replies kommentare related recommended trending popular newsletter calendar latest recent weather teasers")
	besides    = wordSet("sidebar footer widget widgets event events archive archives copyright teaser breadcrumb")
)

// seenDate returns the first date to the day in a short text, and how many bytes of it the date takes. monthFirst says how to read
// 3/4/2020 where both readings are possible.
func seenDate(s string, monthFirst bool) (string, int) {
	best, at, size := "", len(s)+1, 0
	take := func(m []int, y, mo, d string) {
		if m[0] >= at {
			return
		}
		if iso := ymd(y, mo, d); iso >= "1990" && len(iso) == 10 {
			best, at, size = iso, m[0], m[1]-m[0]
		}
	}
	sub := func(m []int, i int) string { return s[m[2*i]:m[2*i+1]] }
	if m := seenISO.FindStringSubmatchIndex(s); m != nil {
		take(m, sub(m, 1), sub(m, 3), sub(m, 4))
	}
	if m := seenHan.FindStringSubmatchIndex(s); m != nil {
		take(m, sub(m, 1), sub(m, 2), sub(m, 3))
	}
	if m := seenDMY.FindStringSubmatchIndex(s); m != nil {
		a, b, y := sub(m, 1), sub(m, 3), sub(m, 4)
		if len(y) == 2 {
			y = "20" + y
		}
		if ai, _ := strconv.Atoi(a); sub(m, 2) == "/" && ai <= 12 && monthFirst {
			a, b = b, a
		} else if bi, _ := strconv.Atoi(b); bi > 12 {
			a, b = b, a
		}
		take(m, y, b, a)
	}
	if m := seenDay.FindStringSubmatchIndex(s); m != nil {
		if mo := month(sub(m, 2)); mo != "" {
			take(m, sub(m, 3), mo, sub(m, 1))
		}
	}
	if m := seenMonth.FindStringSubmatchIndex(s); m != nil {
		if mo := month(sub(m, 1)); mo != "" {
			take(m, sub(m, 3), mo, sub(m, 2))
		}
	}
	return best, size
}

// month returns the number of the month of that name, or "".
func month(name string) string {
	if n := months[strings.ToLower(name)]; n > 0 {
		return strconv.Itoa(n)
	}
	return ""
}

// addressDate returns the day in the path of an address, or "".
func addressDate(address string) string {
	if i := strings.LastIndex(address, "://web.archive.org/"); i >= 0 || strings.Contains(address, "/http") {
		if j := strings.LastIndex(address, "/http"); j >= 0 {
			address = address[j+1:]
		}
	}
	u, err := url.Parse(address)
	if err != nil || len(u.Path) > 1000 {
		return ""
	}
	if m := urlDay.FindStringSubmatch(u.Path); m != nil {
		if d := ymd(m[1], m[3], m[4]); d >= "1990" {
			return d
		}
	}
	if m := urlDMY.FindStringSubmatch(u.Path); m != nil {
		if d := ymd(m[3], m[2], m[1]); d >= "1990" {
			return d
		}
	}
	return ""
}

// dateSearch walks a page for the date that it shows.
type dateSearch struct {
	monthFirst  bool
	title       string
	sinceTitle  int // short blocks since the title; -1 before it
	prose       int // bytes of long blocks that were passed
	best, other string
	score       int
	label       string              // the short text before the present one
	titled      map[*html.Node]bool // elements that hold the title: none of them stands beside the text
	beside      int                 // how many elements around the present one are named as beside the text
}

// webDate returns the date of publication of a page of the web, 2006-01-02, or what its metadata say when it shows no better one. In
// order: the metadata; the address; what stands beside the title, marked as a date or plainly a date; the data for its scripts.
func webDate(d meta, body *html.Node, address string) string {
	marked, title, lang := d.Published, d.Title, d.Lang
	inAddress := addressDate(address)
	if len(marked) == len("2006-01-02") && (!d.vague || inAddress != "") {
		if dayApart(marked, inAddress) { // the same moment in another time zone
			return inAddress
		}
		return marked
	}
	if inAddress != "" {
		return inAddress
	}
	host := ""
	if u, err := url.Parse(address); err == nil {
		host = u.Hostname()
	}
	s := dateSearch{title: letters(title), sinceTitle: -1, monthFirst: strings.HasPrefix(strings.ToLower(lang), "en") && !dayFirstHost.MatchString(host)}
	s.titled = s.titles(body)
	s.visit(body)
	if s.best != "" && (len(marked) < len(s.best) || s.score >= surelyDate && s.best < marked) {
		return s.best
	}
	if len(marked) == len("2006-01-02") {
		return marked
	}
	if d := scriptDate(body); d != "" {
		return d
	}
	return firstOf(marked, s.other)
}

// surelyDate is the score of an element that is named as a date and stands before the text.
const surelyDate = 4

// dayFirstHost matches hosts of countries that write English and put the day first.
var dayFirstHost = regexp.MustCompile(`\.(?:uk|au|nz|ie|in|za|sg|hk|eu)$`)

func dayApart(a, b string) bool {
	x, err1 := time.Parse("2006-01-02", a)
	y, err2 := time.Parse("2006-01-02", b)
	if err1 != nil || err2 != nil {
		return false
	}
	d := x.Sub(y)
	return d == 24*time.Hour || d == -24*time.Hour
}

// scriptDate is the date of publication in the scripts below the root of n, or "".
func scriptDate(n *html.Node) string {
	for n.Parent != nil {
		n = n.Parent
	}
	got, left := "", 4<<20
	walk(n, func(c *html.Node) bool {
		if c.DataAtom == atom.Script && c.FirstChild != nil && got == "" && left > 0 {
			src := c.FirstChild.Data
			left -= len(src)
			if m := scripted.FindStringSubmatch(src); m != nil {
				y, rest, _ := strings.Cut(m[1], "-")
				mo, d, _ := strings.Cut(rest, "-")
				got = ymd(y, mo, d)
			}
		}
		return got == ""
	})
	return got
}

// few gathers the visible text below n, up to max bytes and as many nodes; ok is false when there is more.
func few(n *html.Node, max int) (string, bool) {
	var b strings.Builder
	nodes := 0
	ok := true
	walk(n, func(c *html.Node) bool {
		if nodes++; nodes > max || b.Len() > max {
			ok = false
		}
		if !ok || c.Type == html.ElementNode && never[c.DataAtom] {
			return false
		}
		if c.Type == html.TextNode {
			b.WriteString(clean(c.Data))
			b.WriteByte(' ')
		}
		return true
	})
	return collapse(b.String()), ok && b.Len() <= max
}

// titles returns the elements around each heading that is the title, and the headings themselves.
func (s *dateSearch) titles(body *html.Node) map[*html.Node]bool {
	out := map[*html.Node]bool{}
	walk(body, func(n *html.Node) bool {
		if len(n.Data) == 2 && n.Data[0] == 'h' && n.Data[1] >= '1' && n.Data[1] <= '3' && s.isTitle(n) {
			for p := n; p != nil && !out[p]; p = p.Parent {
				out[p] = true
			}
		}
		return true
	})
	return out
}

// isTitle reports whether a heading is the title of the page.
func (s *dateSearch) isTitle(n *html.Node) bool {
	t, ok := few(n, 400)
	l := letters(t)
	return ok && (n.Data == "h1" && l != "" || len(l) > 10 && s.title != "" && (strings.Contains(s.title, l) || strings.Contains(l, s.title)))
}

// text considers a piece of text; of a long one the begin, which may be a date line.
func (s *dateSearch) text(t string) {
	t = strings.TrimSpace(t)
	if len(t) > 200 {
		if s.prose < 300 {
			head := collapse(clean(oneLine(t[:100], 60)))
			if d, size := seenDate(head, s.monthFirst); d != "" && strings.IndexAny(head, "0123456789") < 3+size && startsDated(head) {
				s.take(head[:min(len(head), size+3)], d, 1, false)
			}
		}
		s.prose += len(t)
		return
	}
	if len(t) < 3 {
		return
	}
	t = collapse(clean(t))
	if len(t) >= 6 {
		score := 1
		if len(s.label) < 60 && saidDate.MatchString(s.label) {
			score += 3
		}
		s.take(t, "", score, false)
	}
	s.label = t
}

// startsDated reports whether a text begins with a digit: then a date in its begin stands alone and is no part of a sentence.
func startsDated(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }

// visit goes through the elements in order.
func (s *dateSearch) visit(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.TextNode {
			s.text(c.Data)
			continue
		}
		if c.Type == html.ElementNode && !never[c.DataAtom] {
			s.element(c)
		}
	}
}

// element considers an element that is marked as a date, and goes into any other.
func (s *dateSearch) element(c *html.Node) {
	names := append(nameWords(attr(c, "class")), nameWords(attr(c, "id"))...)
	aside := 0
	if !s.titled[c] && len(names) <= 16 {
		if anyWord(names, otherDates) || c.DataAtom == atom.Nav {
			return
		}
		if anyWord(names, besides) || c.DataAtom == atom.Aside || c.DataAtom == atom.Footer {
			aside = 1
		}
	}
	if s.titled[c] && len(c.Data) == 2 && c.Data[0] == 'h' && c.Data != "hr" {
		s.sinceTitle = 0
	}
	s.beside += aside
	defer func() { s.beside -= aside }()
	marked := c.DataAtom == atom.Time || c.DataAtom == atom.Abbr || anyWord(names, dateWords) && len(names) <= 16
	if marked || strings.Contains(strings.ToLower(attr(c, "property")+attr(c, "itemprop")), "date") {
		if t, ok := few(c, 160); ok {
			value := ""
			for _, key := range []string{"datetime", "content", "title"} {
				if d := isoDate(attr(c, key)); len(d) == 10 && value == "" {
					value = d
				}
			}
			if s.take(strings.Join(names, " ")+" "+attr(c, "property")+attr(c, "itemprop")+" "+t, value, 3, true) {
				return
			}
		}
	}
	s.visit(c)
}

func anyWord(words []string, set map[string]bool) bool {
	for _, w := range words {
		if set[w] {
			return true
		}
	}
	return false
}

// take considers a short text with a date in it; value is the date when an attribute gives it. marked says that the element is
// named as a date.
func (s *dateSearch) take(t, value string, score int, marked bool) bool {
	size := 10
	if value == "" {
		if at := saidDate.FindStringIndex(t); at != nil { // the date that the label speaks of, not one before it
			value, size = seenDate(t[at[1]:], s.monthFirst)
		}
		if value == "" {
			value, size = seenDate(t, s.monthFirst)
		}
	}
	if s.sinceTitle >= 0 {
		s.sinceTitle++
	}
	if value == "" {
		return false
	}
	if changed.MatchString(t) && !saidDate.MatchString(t) {
		if s.other == "" {
			s.other = value
		}
		return marked
	}
	if !marked && size < len(t)/3 && !saidDate.MatchString(t) {
		if len(t) > 100 { // a sentence that speaks of a day
			return false
		}
		score--
	}
	if saidDate.MatchString(t) {
		score += 3
	}
	if s.sinceTitle >= 0 && s.sinceTitle <= 8 && s.prose < 1500 {
		score += 3
	} else if s.prose < 1500 {
		score++
	}
	if s.sinceTitle < 0 && !marked {
		score--
	}
	if !saidDate.MatchString(t) {
		score -= 3 * s.beside
	}
	if score > s.score {
		s.best, s.score = value, score
	}
	return true
}
