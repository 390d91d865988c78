package search

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// brave finds pages of the web.
type brave struct {
	key   string
	clock Clock
}

// NewBrave is Brave's web search, which needs a key.
func NewBrave(c Config) (Provider, error) {
	service := brave{c.Key, c.Clock}
	if service.clock == nil {
		service.clock = systemClock{}
	}
	return asProvider(newProvider(c, about{
		name: "brave", base: "https://api.search.brave.com/res/v1", filters: Filters{Site: Native, Dates: Native},
		pace: pace{gap: time.Second, tries: 3, backoff: time.Second}, most: 360, words: 49, // 400 and 50, with room for a site
	}, service))
}

func (b brave) search(ctx context.Context, p *provider, a ask) (found, error) {
	q := a.text
	if a.site != "" {
		q = cutWords(q, max(20, 390-len(a.site))) + " site:" + a.site
	}
	lang := map[string]string{"en": "en", "zh": "zh-hans"}[a.lang]
	dates := ""
	if a.first != "" || a.last != "" { // both ends or none
		dates = or(a.first, "1990-01-01") + "to" + or(a.last, b.clock.Now().Format("2006-01-02"))
	}
	r, err := p.send(ctx, call{
		url: p.path("/web/search", values("q", q, "count", strconv.Itoa(min(a.limit, 20)),
			"search_lang", lang, "freshness", dates, "result_filter", "web", "text_decorations", "false")),
		header: map[string]string{"X-Subscription-Token": b.key},
		judge:  braveFault,
	})
	if err != nil {
		return found{}, err
	}
	return parseBrave(r.body)
}

// braveFault goes by the code: a bad key and a bad query have the same status, and so have the limits of a second and a month.
func braveFault(r reply) *Error {
	type fault struct{ Code, Detail string }
	var got struct {
		Error  fault
		Errors []fault
	}
	if r.status == http.StatusOK || json.Unmarshal(r.body, &got) != nil {
		return nil
	}
	f := got.Error
	if f.Code == "" && len(got.Errors) > 0 {
		f = got.Errors[0]
	}
	e := &Error{Detail: or(f.Detail, f.Code)}
	switch code := f.Code; {
	case strings.HasPrefix(code, "SUBSCRIPTION"):
		e.Kind = ErrAuth
	case code == "QUOTA_LIMITED":
		e.Kind = ErrQuota
	case code == "RATE_LIMITED":
		e.Kind = ErrRate
	case code == "VALIDATION" && strings.Contains(strings.ToLower(string(r.body)), "subscription-token"):
		e.Kind = ErrAuth
	default:
		return nil
	}
	return e
}

func parseBrave(body []byte) (found, error) {
	var got struct {
		Type string
		Web  *struct {
			Results *[]struct {
				Title, URL, Description string
				PageAge                 string   `json:"page_age"`
				Extra                   []string `json:"extra_snippets"`
			}
		}
	}
	if err := readJSON(body, &got); err != nil {
		return found{}, err
	}
	switch {
	case got.Type != "search":
		return found{}, misread("it is not the answer to a search")
	case got.Web == nil:
		return found{}, nil // this is how it says that there is nothing
	case got.Web.Results == nil:
		return found{}, misread("there is no list of results in it")
	}
	var f found
	for _, r := range *got.Web.Results {
		f.items = append(f.items, item{link: r.URL, title: r.Title, snippet: strings.Join(append([]string{r.Description}, r.Extra...), " "), date: r.PageAge})
	}
	return f, nil
}
