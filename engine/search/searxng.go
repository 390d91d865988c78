package search

import (
	"context"
	"net/http"
	"strings"
	"time"
)

// searxng asks a SearXNG of the person's own, which asks other engines.
type searxng struct{ clock Clock }

// NewSearXNG is the SearXNG, or searx, at Base. It has to allow JSON under search.formats.
func NewSearXNG(c Config) (Provider, error) {
	service := searxng{c.Clock}
	if service.clock == nil {
		service.clock = systemClock{}
	}
	return asProvider(newProvider(c, about{
		name: "searxng", filters: Filters{Site: Native, Dates: Reapplied},
		pace: pace{gap: 500 * time.Millisecond, tries: 2, backoff: 3 * time.Second}, most: 500,
	}, service))
}

func (s searxng) search(ctx context.Context, p *provider, a ask) (found, error) {
	lang := a.lang
	switch lang {
	case "":
		lang = "all"
	case "zh":
		lang = "zh-CN"
	}
	q := a.text
	if a.site != "" {
		q += " site:" + a.site // engines that do not know it are caught when hosts are checked again
	}
	body, err := p.get(ctx, p.path("/search", values("q", q, "format", "json", "language", lang, "time_range", s.span(a), "pageno", "1")), formJSON, searxngFault)
	if err != nil {
		return found{}, err
	}
	return parseSearXNG(body)
}

// span is the shortest of the spans before today that the service knows and that holds the range; the rest is for the results.
func (s searxng) span(a ask) string {
	if a.first == "" {
		return ""
	}
	first, err := time.Parse("2006-01-02", a.first)
	if err != nil {
		return ""
	}
	switch days := int(s.clock.Now().Sub(first).Hours() / 24); {
	case days < 1:
		return "day"
	case days < 28:
		return "month"
	case days < 365:
		return "year"
	}
	return ""
}

func searxngFault(r reply) *Error {
	switch r.status {
	case http.StatusForbidden:
		if !challenges(r.body) {
			return &Error{Kind: ErrBlocked, Next: "allow json under search.formats in its settings, or turn its limiter off"}
		}
	case http.StatusOK:
		if isHTML(r.body) && !challenges(r.body) {
			return &Error{Kind: ErrChallenge, Detail: ownWords(r.body), Next: "check that its address is that of a SearXNG which allows json under search.formats"}
		}
	}
	return nil
}

func parseSearXNG(body []byte) (found, error) {
	var got struct {
		Results *[]struct {
			URL, Title, Content string
			PublishedDate       string
			Score               number
		}
		Down [][]any `json:"unresponsive_engines"`
	}
	if err := readJSON(body, &got); err != nil {
		return found{}, err
	}
	if got.Results == nil {
		return found{}, misread("there is no list of results in it")
	}
	var f found
	for _, r := range *got.Results {
		f.items = append(f.items, item{link: r.URL, title: r.Title, snippet: r.Content, date: r.PublishedDate, score: float64(r.Score)})
	}
	var down []string
	for _, d := range got.Down {
		var parts []string
		for _, v := range d {
			if s, ok := v.(string); ok {
				parts = append(parts, oneLine(s, 40))
			}
		}
		if len(down) < 10 {
			down = append(down, strings.Join(parts, ": "))
		}
	}
	if len(down) > 0 && len(f.items) == 0 {
		// Nothing found by engines that did not answer says nothing.
		return found{}, &Error{Kind: ErrUnavailable, Detail: "it answers, but these of its engines did not: " + strings.Join(down, "; "), Next: "look at its engines, or search again later"}
	}
	if len(down) > 0 {
		f.notes = append(f.notes, "SearXNG had no answer of some of its engines: "+strings.Join(down, "; "))
	}
	return f, nil
}
