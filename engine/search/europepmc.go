package search

import (
	"context"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// europePMC finds papers of the life sciences, preprints among them.
type europePMC struct{}

// NewEuropePMC is Europe PMC's REST service.
func NewEuropePMC(c Config) (Provider, error) {
	return asProvider(newProvider(c, about{
		name: "europepmc", base: "https://www.ebi.ac.uk/europepmc/webservices/rest", filters: Filters{Site: Reapplied, Dates: Native},
		pace: pace{gap: 200 * time.Millisecond, tries: 3, backoff: 2 * time.Second},
	}, europePMC{}))
}

func (europePMC) search(ctx context.Context, p *provider, a ask) (found, error) {
	words := quoted(phrases(a.text, a.lang, 8))
	if len(words) == 0 {
		return found{}, &Error{Kind: ErrBadQuery, Detail: "it holds no word"}
	}
	q := strings.Join(words, " ")
	if a.first != "" || a.last != "" {
		q = "(" + q + ") AND (FIRST_PDATE:[" + or(a.first, "1000-01-01") + " TO " + or(a.last, "2999-12-31") + "])"
	}
	body, err := p.get(ctx, p.path("/search", values(
		"query", q, "format", "json", "resultType", "core", "pageSize", strconv.Itoa(a.limit), "cursorMark", "*",
	)), formJSON, europePMCFault)
	if err != nil {
		return found{}, err
	}
	return parseEuropePMC(body)
}

// europePMCFault reads the errors that come with status 200.
func europePMCFault(r reply) *Error {
	var got struct {
		ErrMsg  string `json:"errMsg"`
		ErrCode number `json:"errCode"`
	}
	if readJSON(r.body, &got) != nil || got.ErrMsg == "" {
		return nil
	}
	return &Error{Kind: ErrBadQuery, Detail: got.ErrMsg}
}

// or is s, or what stands for it when it is empty.
func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

func parseEuropePMC(body []byte) (found, error) {
	var got struct {
		ResultList *struct {
			Result *[]struct {
				ID, Source, PMCID, DOI, Title, AuthorString, JournalTitle, PubYear, FirstPublicationDate, AbstractText string
				FullTextURLList                                                                                        struct {
					FullTextURL []struct{ URL string }
				} `json:"fullTextUrlList"`
			}
		}
	}
	if err := readJSON(body, &got); err != nil {
		return found{}, err
	}
	if got.ResultList == nil || got.ResultList.Result == nil {
		return found{}, misread("there is no list of papers in it")
	}
	var f found
	for _, r := range *got.ResultList.Result {
		it := item{title: r.Title, snippet: r.AbstractText, date: or(r.FirstPublicationDate, r.PubYear)}
		page := "https://europepmc.org/article/" + url.PathEscape(r.Source) + "/" + url.PathEscape(r.ID)
		if it.link = doiLink(r.DOI); it.link == "" {
			it.link = page
		}
		it.also = append(it.also, page)
		for _, u := range r.FullTextURLList.FullTextURL {
			it.also = append(it.also, u.URL)
		}
		if it.snippet == "" {
			it.snippet = byline([]string{r.AuthorString}, r.JournalTitle)
		}
		f.items = append(f.items, it)
	}
	return f, nil
}
