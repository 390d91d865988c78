package search

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/html"
)

// duckDuckGo reads the result pages of DuckDuckGo, which offers no API for its web search. It is off by default: the service
// may show a test for robots at any time, after which it is left alone for an hour.
type duckDuckGo struct{}

// NewDuckDuckGo is DuckDuckGo's page for browsers without scripts.
func NewDuckDuckGo(c Config) (Provider, error) {
	return asProvider(newProvider(c, about{
		name: "duckduckgo", base: "https://html.duckduckgo.com", filters: Filters{Site: Native, Dates: Native},
		pace: pace{gap: 5 * time.Second, hourly: 30, tries: 1}, most: 450,
	}, duckDuckGo{}))
}

func (duckDuckGo) search(ctx context.Context, p *provider, a ask) (found, error) {
	q := a.text
	if a.site != "" {
		q += " site:" + a.site
	}
	region := map[string]string{"zh": "cn-zh"}[a.lang]
	form := url.Values{"q": {q}, "b": {""}, "kl": {or(region, "wt-wt")}}
	if a.first != "" || a.last != "" {
		form.Set("df", or(a.first, "1990-01-01")+".."+or(a.last, p.pacer.clock.Now().Format("2006-01-02")))
	}
	r, err := p.send(ctx, call{
		url: p.path("/html/", ""), body: []byte(form.Encode()), media: "application/x-www-form-urlencoded", want: formAny,
		also: http.StatusAccepted, // also for a page that truly has no results
	})
	if err != nil {
		return found{}, err
	}
	f, err := parseDuckDuckGo(r.body)
	if e, ok := err.(*Error); ok && e.Kind == ErrChallenge {
		p.pacer.hold(p.host, e.finish(p.host, p.secrets), time.Hour)
	}
	return f, err
}

// parseDuckDuckGo looks for results first, because a page repeats the query, which may hold any word; then for the test for
// robots in the page's elements; then for the sentence that there is nothing.
func parseDuckDuckGo(body []byte) (found, error) {
	root, err := html.Parse(bytes.NewReader(body))
	if err != nil {
		return found{}, misread("it is not a page")
	}
	var f found
	for _, r := range all(root, func(n *html.Node) bool { return n.Data == "div" && hasClass(n, "web-result") }) {
		if hasClass(r, "result--ad") || hasClass(r, "result--no-result") {
			continue
		}
		a := first(r, "a", "result__a")
		if a == nil {
			continue
		}
		link, ok := unwrap(attr(a, "href"))
		if !ok {
			continue
		}
		it := item{link: link, title: content(a), snippet: content(first(r, "a", "result__snippet"))}
		if extra := first(r, "div", "result__extras__url"); extra != nil {
			if words := strings.Fields(fragment(content(extra))); len(words) > 1 {
				it.date, _, _ = strings.Cut(words[len(words)-1], "T")
			}
		}
		f.items = append(f.items, it)
	}
	switch {
	case len(f.items) > 0:
		return f, nil
	case challenges(body):
		return found{}, &Error{Kind: ErrChallenge, Detail: "it tests for robots", After: time.Hour, Next: "use another provider for the next hour"}
	case first(root, "div", "result--no-result") != nil || first(root, "span", "no-results") != nil || first(root, "div", "no-results") != nil:
		return found{}, nil
	}
	return found{}, misread("there are no results in the page, and no sentence that there are none")
}

// unwrap takes the address of a result out of the one that counts clicks; false for an advertisement.
func unwrap(href string) (string, bool) {
	if strings.HasPrefix(href, "//") {
		href = "https:" + href
	}
	u, err := url.Parse(href)
	if err != nil {
		return "", false
	}
	if u.Hostname() == "duckduckgo.com" {
		switch {
		case u.Path == "/y.js":
			return "", false
		case strings.HasPrefix(u.Path, "/l/"):
			to := u.Query().Get("uddg")
			return to, to != "" && !strings.Contains(to, "duckduckgo.com/y.js")
		}
	}
	return href, u.Host != ""
}
