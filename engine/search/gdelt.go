package search

import (
	"bytes"
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// gdelt finds news of the last months, in many languages.
type gdelt struct{}

// NewGDELT is GDELT's DOC API.
func NewGDELT(c Config) (Provider, error) {
	return asProvider(newProvider(c, about{
		name: "gdelt", base: "https://api.gdeltproject.org/api/v2/doc/doc", filters: Filters{Site: Native, Dates: Native},
		pace:    pace{gap: 6 * time.Second, tries: 2, backoff: 6 * time.Second},
		undated: "GDELT's dates are those when it first saw an article, and reach back about three months",
	}, gdelt{}))
}

func (gdelt) search(ctx context.Context, p *provider, a ask) (found, error) {
	var terms []string
	for _, w := range phrases(a.text, a.lang, 6) {
		if utf8.RuneCountInString(w) >= 3 || w[0] >= utf8.RuneSelf { // shorter words are refused
			terms = append(terms, w)
		}
	}
	if len(terms) == 0 {
		return found{}, &Error{Kind: ErrBadQuery, Detail: "it holds no word of three letters"}
	}
	q := strings.Join(quoted(terms), " ")
	if a.site != "" {
		q += " domain:" + a.site // matches the end of a name, so that hosts are checked again
	}
	switch a.lang {
	case "en":
		q += " sourcelang:english"
	case "zh":
		q += " sourcelang:chinese"
	}
	from, to := "", ""
	if a.first != "" {
		from = strings.ReplaceAll(a.first, "-", "") + "000000"
	}
	if a.last != "" {
		to = strings.ReplaceAll(a.last, "-", "") + "235959"
	}
	body, err := p.get(ctx, p.path("", values(
		"query", q, "mode", "artlist", "format", "json", "maxrecords", strconv.Itoa(min(2*a.limit, 250)), "sort", "hybridrel",
		"startdatetime", from, "enddatetime", to,
	)), formJSON, gdeltFault)
	if err != nil {
		return found{}, err
	}
	return parseGDELT(body)
}

// gdeltFault reads the refusals, which are a line of text with status 200 or 429.
func gdeltFault(r reply) *Error {
	body := bytes.TrimSpace(r.body)
	if r.status != http.StatusOK && r.status != http.StatusTooManyRequests || len(body) == 0 || body[0] == '{' || body[0] == '[' || isHTML(body) {
		return nil
	}
	said := ownWords(body)
	low := strings.ToLower(said)
	switch {
	case strings.Contains(low, "limit requests"), r.status == http.StatusTooManyRequests:
		return &Error{Kind: ErrRate, Detail: said}
	case bytes.IndexByte(body, '<') < 0 && len(body) < 500 && strings.Contains(low, " "):
		return &Error{Kind: ErrBadQuery, Detail: said}
	}
	return nil
}

func parseGDELT(body []byte) (found, error) {
	body = scrub(body)
	var got map[string]any
	if err := readJSON(body, &got); err != nil {
		return found{}, err
	}
	if len(got) == 0 {
		return found{}, nil // this is how it says that there is nothing
	}
	var list struct {
		Articles *[]struct{ URL, Title, SeenDate string }
	}
	if err := readJSON(body, &list); err != nil {
		return found{}, err
	}
	if list.Articles == nil {
		return found{}, misread("there is no list of articles in it")
	}
	var f found
	for _, a := range *list.Articles {
		// Words and punctuation are written apart; when an article was seen is not when it was published.
		f.items = append(f.items, item{link: a.URL, title: escaped(joinPunctuation(a.Title))})
	}
	return f, nil
}

func joinPunctuation(s string) string {
	return strings.NewReplacer(" ,", ",", " .", ".", " :", ":", " ;", ";", " ?", "?", " !", "!", " )", ")", "( ", "(", " %", "%").Replace(s)
}

// scrub makes JSON of what the service sends at times: control characters in strings, and backslashes before characters
// that need none.
func scrub(body []byte) []byte {
	out := make([]byte, 0, len(body))
	in := false
	for i := 0; i < len(body); i++ {
		c := body[i]
		switch {
		case !in:
			in = c == '"'
		case c == '"':
			in = false
		case c < ' ':
			c = ' '
		case c == '\\':
			next := byte(0)
			if i+1 < len(body) {
				next = body[i+1]
			}
			if next != 0 && strings.IndexByte(`"\/bfnrtu`, next) >= 0 {
				if next == 'u' && !hex4(body[i+2:]) {
					continue
				}
				out = append(out, c, next)
				i++
				continue
			}
			continue // it escapes nothing
		}
		out = append(out, c)
	}
	return out
}

func hex4(b []byte) bool {
	if len(b) < 4 {
		return false
	}
	_, err := strconv.ParseUint(string(b[:4]), 16, 16)
	return err == nil
}
