package render

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"assay/engine/research"
)

// entry is a source as reference managers know one.
type entry struct {
	Key       string // lower-case letters and digits of ASCII, unlike those of the other entries
	Title     string
	Authors   []person
	Published date
	Accessed  date
	DOI       string
	URL       string // http or https; "" for a file
	Where     string // of a file: its path
	Site      string // the host of a page
	Pages     string
	Lang      string
	Quoted    []string // the passages that the report cites, with where they stand
}

// person is an author: a name in two parts, or one that is taken as it is (an organisation, a Chinese name, a pseudonym).
type person struct{ Family, Given, Literal string }

// date is a day, a month or a year; parts that are not known are 0.
type date struct{ Year, Month, Day int }

// Bounds of an entry.
const (
	maxAuthors    = 60
	maxQuoted     = 3   // passages of one entry
	maxQuotedText = 600 // bytes of one
)

// entries are the sources of a digest in their order, so that entry n-1 is what [n] cites.
func entries(d research.Digest) ([]entry, error) {
	p, err := newPage(d)
	if err != nil {
		return nil, err
	}
	out := make([]entry, 0, len(p.Cards))
	taken := map[string]bool{}
	for i, c := range p.Cards {
		s := p.D.Sources[i]
		e := entry{
			Title: c.Title, Authors: people(line(s.Author, maxTitle*4)), Published: readDate(s.Published), Accessed: readDate(s.Retrieved),
			DOI: doiOf(s.URL), URL: c.Link, Pages: line(s.Pages, 80), Lang: textLang(c.Title, d.Lang),
		}
		if e.Lang == "" {
			e.Lang = d.Lang
		}
		if e.URL == "" {
			e.Where = line(research.RealLocation(s.URL), 2048)
		} else if e.DOI == "" { // what a resolver leads to is not its own
			e.Site = line(s.Domain, maxTitle)
		}
		for _, q := range c.Quoted {
			if len(e.Quoted) == maxQuoted {
				break
			}
			text := "“" + line(q.Text, maxQuotedText) + "”"
			if q.Where != "" {
				text += " (" + line(q.Where, maxTitle) + ")"
			}
			e.Quoted = append(e.Quoted, text)
		}
		e.Key = e.key(i, taken)
		out = append(out, e)
	}
	return out, nil
}

// key makes the entry's key: the first author's name or the site, and the year; a letter tells apart those that are the same.
func (e *entry) key(i int, taken map[string]bool) string {
	name := ""
	if len(e.Authors) > 0 {
		name = keyWord(e.Authors[0].Family + e.Authors[0].Literal)
	}
	if name == "" {
		name = keyWord(strings.TrimPrefix(e.Site, "www."))
	}
	if name == "" {
		name = "source" + strconv.Itoa(i+1)
	} else if e.Published.Year > 0 {
		name += strconv.Itoa(e.Published.Year)
	}
	key := name
	for n := 0; taken[key]; n++ {
		key = name + string(rune('a'+n%26)) + strings.Repeat("z", n/26)
	}
	taken[key] = true
	return key
}

// keyWord keeps the letters and digits of ASCII, at most twenty-four.
func keyWord(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
	return s[:min(len(s), 24)]
}

// authorParts parts a byline that names several.
var authorParts = regexp.MustCompile(`\s*(?:;|、|，|\s+and\s+|\s+&\s+|,\s+and\s+)\s*`)

// people reads a byline. A part is a name in two when it has two to four words of Latin letters that begin like names do; a comma
// parts names when each side of it is such a name.
func people(byline string) []person {
	var out []person
	for _, part := range authorParts.Split(byline, -1) {
		names := []string{part}
		if commas := strings.Split(part, ","); len(commas) > 1 && every(commas, func(s string) bool { return latinName(strings.TrimSpace(s)) }) {
			names = commas
		}
		for _, n := range names {
			if n = strings.Trim(n, " ,"); n != "" && len(out) < maxAuthors {
				out = append(out, personOf(n))
			}
		}
	}
	return out
}

func personOf(name string) person {
	if !latinName(name) {
		return person{Literal: name}
	}
	at := strings.LastIndexByte(name, ' ')
	if m := particle.FindStringIndex(name); m != nil { // "Ludwig van Beethoven"
		at = m[0]
	}
	return person{Family: name[at+1:], Given: name[:at]}
}

// particle begins a family name of two words or more.
var particle = regexp.MustCompile(` (?:van|von|de|der|den|du|di|da|la|le|ten|ter|zu|af|al)(?: |$)`)

// latinName reports whether s looks like the name of a person: two to four words, of which the first and the last begin with a capital
// and none is a word of organisations.
func latinName(s string) bool {
	words := strings.Fields(s)
	if len(words) < 2 || len(words) > 4 || notOfPeople.MatchString(s) {
		return false
	}
	for i, w := range words {
		for j, r := range w {
			if !unicode.In(r, unicode.Latin) && !strings.ContainsRune(".'’-", r) {
				return false
			}
			if j == 0 && !unicode.IsUpper(r) && (i == 0 || i == len(words)-1) {
				return false
			}
		}
	}
	return true
}

// notOfPeople are words of organisations and groups.
var notOfPeople = regexp.MustCompile(`(?i)\b(?:team|project|group|staff|editors?|contributors?|foundation|institute|university|press|agency|council|committee|department|ministry|office|society|association|company|inc|ltd|gmbh|organi[sz]ation|news|times|post|journal|community|developers|authors?|documentation|the)\b`)

// readDate reads the day, month or year that a partial ISO date begins with; the zero date for anything else.
func readDate(s string) date {
	m := isoDate.FindStringSubmatch(s)
	if m == nil {
		return date{}
	}
	var d date
	for i, to := range []*int{&d.Year, &d.Month, &d.Day} {
		*to, _ = strconv.Atoi(m[i+1]) // digits or nothing
	}
	if d.Month > 12 || d.Month == 0 {
		d.Month, d.Day = 0, 0
	}
	if d.Day > 31 {
		d.Day = 0
	}
	return d
}

var isoDate = regexp.MustCompile(`^([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?(?:$|[T ])`)

// doiOf is the DOI that an address of doi.org names; "" for any other.
func doiOf(address string) string {
	m := doiAddress.FindStringSubmatch(address)
	if m == nil {
		return ""
	}
	return line(m[1], 200)
}

var doiAddress = regexp.MustCompile(`(?i)^(?:https?://(?:dx\.)?doi\.org/|doi:)(10\.[0-9]{4,9}/[^\s?#]+)`)
