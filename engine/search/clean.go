package search

import (
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"

	"assay/engine/research"
	"assay/engine/text"
)

// oneLine is a text from outside as it may be shown: one line, no signs that steer, at most n characters.
func oneLine(s string, n int) string {
	s = strings.Join(strings.Fields(research.ShownName(strings.ToValidUTF8(s, "\uFFFD"))), " ")
	if len(s) <= n {
		return s
	}
	if r := []rune(s); len(r) > n {
		return strings.TrimSpace(string(r[:n-1])) + "…"
	}
	return s
}

// cutWords is the beginning of s of at most n characters, cut between words where there are any.
func cutWords(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	cut := string(r[:n])
	if i := strings.LastIndexByte(cut, ' '); i > len(cut)/2 && r[n] != ' ' {
		cut = cut[:i]
	}
	return strings.TrimSpace(cut)
}

// formatting are the elements that services leave in titles and abstracts; whatever else stands in angle brackets is text,
// such as an inequality.
var formatting = func() map[string]bool {
	m := map[string]bool{}
	for _, n := range strings.Fields(`a abbr b big blockquote body br center cite code dd div dl dt em font h1 h2 h3 h4 h5 h6 head hr
		html i img inf italic bold sc li mark math nobr ol p pre q s scp script sec section small span strike strong style sub sup
		table tbody td th title tr tt u ul underline wbr`) {
		m[n] = true
	}
	return m
}()

// fragment is the text of a piece of HTML, JATS or MathML. Entities are decoded; twice where the service escaped twice.
func fragment(s string) string {
	const most = 64 << 10 // more than any title or abstract
	if len(s) > most {
		s = s[:most]
	}
	for range 2 {
		if !strings.ContainsAny(s, "<&") {
			break
		}
		s = stripped(s)
	}
	return s
}

func stripped(s string) string {
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(s))
	hidden := ""
	for {
		kind := z.Next()
		raw := string(z.Raw())
		switch kind {
		case html.ErrorToken:
			if hidden == "" {
				b.WriteString(html.UnescapeString(raw)) // a tag that does not end is text
			}
			return b.String()
		case html.TextToken:
			if hidden == "" {
				b.WriteString(html.UnescapeString(raw))
			}
		case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken:
			n, _ := z.TagName()
			name := string(n)
			_, local, prefixed := strings.Cut(name, ":")
			switch {
			case name == "script" || name == "style":
				if hidden = ""; kind == html.StartTagToken {
					hidden = name
				}
			case hidden != "":
			case prefixed && local != "" || formatting[name]:
				if prefixed {
					name = local
				}
				if breaks(name) {
					b.WriteByte(' ')
				}
			default:
				b.WriteString(html.UnescapeString(raw))
			}
		}
	}
}

// breaks reports whether an element stands on lines of its own.
func breaks(name string) bool {
	switch name {
	case "b", "i", "em", "strong", "span", "sub", "sup", "font", "a", "u", "s", "small", "mark", "tt", "code", "q", "cite", "abbr",
		"wbr", "italic", "bold", "sc", "inf", "scp", "":
		return false
	}
	return !strings.HasPrefix(name, "m") // MathML
}

// layouts are the ways in which services write a day, the more exact first.
var layouts = []struct{ in, out string }{
	{time.RFC3339Nano, "2006-01-02"}, {"2006-01-02T15:04:05", "2006-01-02"}, {"2006-01-02 15:04:05", "2006-01-02"},
	{"2006-01-02T15:04", "2006-01-02"}, {"2006-01-02", "2006-01-02"}, {"2006-01", "2006-01"}, {"2006", "2006"},
	{"2006/01/02", "2006-01-02"}, {"2006/01/02 15:04", "2006-01-02"}, {"20060102T150405Z", "2006-01-02"},
	{"20060102150405", "2006-01-02"}, {"20060102", "2006-01-02"},
	{"2006 Jan 2", "2006-01-02"}, {"2006 Jan", "2006-01"},
	{time.RFC1123Z, "2006-01-02"}, {time.RFC1123, "2006-01-02"}, {"Mon, 2 Jan 2006 15:04:05 -0700", "2006-01-02"},
	{"Mon, 2 Jan 2006 15:04:05 MST", "2006-01-02"}, {"2 Jan 2006 15:04:05 -0700", "2006-01-02"}, {"2 Jan 2006 15:04:05 MST", "2006-01-02"},
	{"Mon, 2 Jan 2006 15:04 -0700", "2006-01-02"}, {"Mon, 2 Jan 06 15:04:05 MST", "2006-01-02"}, {"Mon, 2 Jan 2006", "2006-01-02"},
	{"2 Jan 2006", "2006-01-02"}, {"January 2, 2006", "2006-01-02"}, {"Jan 2, 2006", "2006-01-02"},
}

// day reads a date as services write it: "2006-01-02", a prefix of it when no more is said, or "". The day is that of the
// zone the date is written in.
func day(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if s == "" || len(s) > 64 {
		return ""
	}
	for _, l := range layouts {
		if t, err := time.Parse(l.in, s); err == nil {
			return ofYear(t.Year(), t.Format(l.out))
		}
	}
	// A season or a span of months ("2018 Jan-Feb") tells the year.
	if len(s) > 5 && s[4] == ' ' {
		if y, err := strconv.Atoi(s[:4]); err == nil {
			return ofYear(y, s[:4])
		}
	}
	return ""
}

// ofYear is s when the year can be one of publication.
func ofYear(y int, s string) string {
	if y < 1000 || y > 2999 {
		return ""
	}
	return s
}

// unixDay is the day of a moment in seconds.
func unixDay(s string) string {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n <= 0 || n > 1<<36 {
		return ""
	}
	return ofYear(time.Unix(n, 0).UTC().Year(), time.Unix(n, 0).UTC().Format("2006-01-02"))
}

// edge completes one end of a range of days: "2024" begins on its first day and ends on its last.
func edge(s string, end bool) (string, bool) {
	if s = strings.TrimSpace(s); s == "" {
		return "", true
	}
	for _, layout := range []string{"2006-01-02", "2006-01", "2006"} {
		t, err := time.Parse(layout, s)
		if err != nil {
			continue
		}
		if end {
			switch layout {
			case "2006-01":
				t = t.AddDate(0, 1, -1)
			case "2006":
				t = t.AddDate(1, 0, -1)
			}
		}
		return t.Format("2006-01-02"), true
	}
	return "", false
}

// within reports whether a date, which may be a month or a year, can lie in a range of days.
func within(date, first, last string) bool {
	from, ok1 := edge(date, false)
	to, ok2 := edge(date, true)
	return ok1 && ok2 && (first == "" || to >= first) && (last == "" || from <= last)
}

// siteHost reads the name of a site: a host, with or without what a browser shows around it.
func siteHost(s string) (string, bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	if _, rest, ok := strings.Cut(s, "://"); ok {
		s = rest
	}
	s, _, _ = strings.Cut(s, "/")
	if h, _, err := net.SplitHostPort(s); err == nil {
		s = h
	}
	s = strings.TrimPrefix(strings.Trim(s, ".*"), "www.")
	u, err := text.CanonicalURL("http://" + s)
	if err != nil {
		return "", false
	}
	s = strings.TrimSuffix(strings.TrimPrefix(u, "http://"), "/")
	return s, !strings.ContainsAny(s, "/:?")
}

// onSite reports whether a host is a site or under it.
func onSite(host, site string) bool {
	host = strings.TrimPrefix(strings.ToLower(strings.TrimSuffix(host, ".")), "www.")
	return host == site || strings.HasSuffix(host, "."+site)
}

func linkOnSite(link, site string) bool {
	u, err := url.Parse(strings.TrimSpace(link))
	return err == nil && onSite(u.Hostname(), site)
}

// phrases are the quoted phrases and the content words of a query, at most n together, for services that take every word of a
// query as required or as an operator. Characters of query languages are not among them.
func phrases(s, lang string, n int) []string {
	var out []string
	add := func(w string) {
		for _, have := range out {
			if strings.EqualFold(have, w) {
				return
			}
		}
		if w != "" && len(out) < n {
			out = append(out, w)
		}
	}
	parts := strings.Split(s, `"`)
	if len(parts)%2 == 0 { // a quotation mark without its pair
		parts = []string{strings.ReplaceAll(s, `"`, " ")}
	}
	for i := 1; i < len(parts); i += 2 {
		add(strings.Join(plainWords(parts[i], "", false), " "))
	}
	for i := 0; i < len(parts); i += 2 {
		for _, w := range plainWords(parts[i], lang, true) {
			add(w)
		}
	}
	if len(out) == 0 {
		for _, w := range plainWords(strings.Join(parts, " "), "", false) {
			add(w)
		}
	}
	return out
}

// plainWords cuts at everything but letters, digits and what joins them. Chinese is kept in runs, as it is written.
func plainWords(s, lang string, content bool) []string {
	var out []string
	for _, w := range strings.FieldsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '-' && r != '.' && r != '\''
	}) {
		w = strings.Trim(w, "-.'")
		low := strings.ToLower(w)
		// A longer run of Chinese is not one word, and a particle in it says nothing about the rest.
		word := low != "" && (low[0] < utf8.RuneSelf || utf8.RuneCountInString(low) <= 2)
		if w == "" || content && word && (text.StopWord(low, lang) || low == "or" || low == "and" || low == "not") {
			continue
		}
		out = append(out, w)
	}
	return out
}

// quoted writes each phrase of several words in quotation marks.
func quoted(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		if out[i] = w; strings.ContainsAny(w, " -.'") {
			out[i] = `"` + w + `"`
		}
	}
	return out
}
