package search

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// openAlex finds works with their abstracts and open copies.
type openAlex struct{ key, contact string }

// NewOpenAlex is OpenAlex. Without a key a few dozen searches a day are answered.
func NewOpenAlex(c Config) (Provider, error) {
	gap := time.Second
	if c.Key != "" {
		gap = 100 * time.Millisecond
	}
	return asProvider(newProvider(c, about{
		name: "openalex", base: "https://api.openalex.org", filters: Filters{Site: Reapplied, Dates: Native},
		pace: pace{gap: gap, tries: 2, backoff: 2 * time.Second},
	}, openAlex{c.Key, c.Contact}))
}

func (o openAlex) search(ctx context.Context, p *provider, a ask) (found, error) {
	var filters []string
	if a.first != "" {
		filters = append(filters, "from_publication_date:"+a.first)
	}
	if a.last != "" {
		filters = append(filters, "to_publication_date:"+a.last)
	}
	words := strings.Join(quoted(phrases(a.text, a.lang, 12)), " ")
	if words == "" {
		return found{}, &Error{Kind: ErrBadQuery, Detail: "it holds no word"}
	}
	body, err := p.get(ctx, p.path("/works", values(
		"search", words, "per_page", strconv.Itoa(a.limit), "filter", strings.Join(filters, ","), "sort", "relevance_score:desc",
		"select", "id,doi,title,publication_date,publication_year,abstract_inverted_index,primary_location,open_access,authorships,is_retracted,relevance_score",
		"mailto", o.contact, "api_key", o.key,
	)), formJSON, openAlexFault)
	if err != nil {
		return found{}, err
	}
	return parseOpenAlex(body)
}

// openAlexFault tells the allowance of the day from the limit of the second, and a bad key from a bad address.
func openAlexFault(r reply) *Error {
	said := ownWords(r.body)
	low := strings.ToLower(said)
	switch {
	case r.status == http.StatusTooManyRequests && (strings.Contains(low, "daily") || strings.Contains(low, "budget") || strings.Contains(low, "credit") || strings.Contains(low, "day")):
		return &Error{Kind: ErrQuota, Detail: said}
	case r.status == http.StatusForbidden && (strings.Contains(low, "api key") || strings.Contains(low, "api_key")):
		return &Error{Kind: ErrAuth, Detail: said}
	}
	return nil
}

func parseOpenAlex(body []byte) (found, error) {
	var got struct {
		Results *[]struct {
			ID, DOI, Title string
			Date           string           `json:"publication_date"`
			Year           int              `json:"publication_year"`
			Score          number           `json:"relevance_score"`
			Index          map[string][]int `json:"abstract_inverted_index"`
			Retracted      bool             `json:"is_retracted"`
			Primary        struct {
				Landing string `json:"landing_page_url"`
				PDF     string `json:"pdf_url"`
				Source  struct {
					Name string `json:"display_name"`
				}
			} `json:"primary_location"`
			Open struct {
				URL string `json:"oa_url"`
			} `json:"open_access"`
			Authorships []struct {
				Author struct {
					Name string `json:"display_name"`
				}
			}
		}
	}
	if err := readJSON(body, &got); err != nil {
		return found{}, err
	}
	if got.Results == nil {
		return found{}, misread("there is no list of works in it")
	}
	var f found
	for _, w := range *got.Results {
		it := item{title: w.Title, snippet: abstract(w.Index), date: w.Date, score: float64(w.Score), also: []string{w.Primary.Landing, w.Primary.PDF, w.Open.URL}}
		for _, l := range []string{doiLink(w.DOI), w.Primary.Landing, w.Open.URL, w.ID} {
			if it.link = l; l != "" {
				break
			}
		}
		if it.date == "" && w.Year > 0 {
			it.date = strconv.Itoa(w.Year)
		}
		if it.snippet == "" {
			var names []string
			for _, n := range w.Authorships {
				names = append(names, n.Author.Name)
			}
			it.snippet = byline(names, escaped(w.Primary.Source.Name))
		}
		if w.Retracted {
			f.notes = append(f.notes, "OpenAlex marks "+or(w.DOI, w.ID)+" as retracted")
		}
		f.items = append(f.items, it)
	}
	return f, nil
}

// abstract puts the words of an inverted index back in their places; words beyond what a snippet shows are left out.
func abstract(index map[string][]int) string {
	const most = 400
	at := make([]string, most)
	for w, places := range index {
		for _, i := range places {
			// Two words in one place cannot be: the smaller one keeps it, whatever the order of the map.
			if i >= 0 && i < most && (at[i] == "" || w < at[i]) {
				at[i] = w
			}
		}
	}
	return strings.Join(strings.Fields(strings.Join(at, " ")), " ")
}
