package search

import (
	"context"
	"encoding/json"
	"net/http"
	"time"
)

// tavily finds pages of the web. The answer that its model would write is not asked for.
type tavily struct{ key string }

// NewTavily is Tavily's search. Without a key it is asked in the mode for light use that needs none. The key is sent as
// Authorization, which a client for the open web may leave out: make its host one of the named services.
func NewTavily(c Config) (Provider, error) {
	gap := 2 * time.Second
	if c.Key != "" {
		gap = time.Second
	}
	return asProvider(newProvider(c, about{
		name: "tavily", base: "https://api.tavily.com", filters: Filters{Site: Native, Dates: Native},
		pace: pace{gap: gap, tries: 2, backoff: 2 * time.Second}, most: 400,
	}, tavily{c.Key}))
}

func (t tavily) search(ctx context.Context, p *provider, a ask) (found, error) {
	in := struct {
		Query   string   `json:"query"`
		Depth   string   `json:"search_depth"`
		Most    int      `json:"max_results"`
		Answer  bool     `json:"include_answer"`
		Domains []string `json:"include_domains,omitempty"`
		First   string   `json:"start_date,omitempty"`
		Last    string   `json:"end_date,omitempty"`
	}{Query: a.text, Depth: "basic", Most: min(a.limit, 20), First: a.first, Last: a.last}
	if a.site != "" {
		in.Domains = []string{a.site}
	}
	body, err := json.Marshal(in)
	if err != nil {
		return found{}, misread("%v", err)
	}
	header := map[string]string{"X-Tavily-Access-Mode": "keyless"}
	if t.key != "" {
		header = map[string]string{"Authorization": "Bearer " + t.key}
	}
	r, err := p.send(ctx, call{url: p.path("/search", ""), body: body, media: "application/json", header: header, judge: tavilyFault})
	if err != nil {
		return found{}, err
	}
	return parseTavily(r.body)
}

func tavilyFault(r reply) *Error {
	if isHTML(r.body) {
		return nil
	}
	switch r.status {
	case http.StatusForbidden, 432, 433: // the plan's limit, and that of paying by use
		return &Error{Kind: ErrQuota, Detail: ownWords(r.body)}
	case http.StatusTooManyRequests:
		var got struct {
			Error struct {
				Message string
				After   number `json:"retry_after_seconds"`
			}
		}
		if json.Unmarshal(r.body, &got) == nil && got.Error.After > 0 {
			after := time.Duration(min(float64(got.Error.After), maxAfter.Seconds()) * float64(time.Second))
			return &Error{Kind: ErrRate, Detail: got.Error.Message, After: after, Next: "search again then, or enter a key of your own in the settings"}
		}
	}
	return nil
}

func parseTavily(body []byte) (found, error) {
	var got struct {
		Results *[]struct {
			Title, URL, Content string
			Score               number
			Published           string `json:"published_date"`
		}
	}
	if err := readJSON(body, &got); err != nil {
		return found{}, err
	}
	if got.Results == nil {
		return found{}, misread("there is no list of results in it")
	}
	var f found
	for _, r := range *got.Results {
		f.items = append(f.items, item{link: r.URL, title: r.Title, snippet: r.Content, date: r.Published, score: float64(r.Score)})
	}
	return f, nil
}
