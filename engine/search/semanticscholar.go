package search

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// semanticScholar finds papers. Its short summaries are a model's words and are not asked for.
type semanticScholar struct{ key string }

// NewSemanticScholar is Semantic Scholar's graph. Without a key it shares one allowance with everybody else who has none.
func NewSemanticScholar(c Config) (Provider, error) {
	gap := 3 * time.Second
	if c.Key != "" {
		gap = 1100 * time.Millisecond
	}
	return asProvider(newProvider(c, about{
		name: "semanticscholar", base: "https://api.semanticscholar.org/graph/v1", filters: Filters{Site: Reapplied, Dates: Native},
		pace: pace{gap: gap, tries: 3, backoff: 3 * time.Second},
	}, semanticScholar{c.Key}))
}

func (s semanticScholar) search(ctx context.Context, p *provider, a ask) (found, error) {
	words := phrases(a.text, a.lang, 12)
	if len(words) == 0 {
		return found{}, &Error{Kind: ErrBadQuery, Detail: "it holds no word"}
	}
	dates := ""
	if a.first != "" || a.last != "" {
		dates = a.first + ":" + a.last
	}
	header := map[string]string{}
	if s.key != "" {
		header["x-api-key"] = s.key
	}
	r, err := p.send(ctx, call{
		// A word with a hyphen finds nothing.
		url: p.path("/paper/search", values("query", strings.ReplaceAll(strings.Join(words, " "), "-", " "),
			"fields", "title,abstract,year,publicationDate,authors,venue,externalIds,url,openAccessPdf",
			"offset", "0", "limit", strconv.Itoa(a.limit), "publicationDateOrYear", dates)),
		header: header,
		judge:  s.refuses,
	})
	if err != nil {
		return found{}, err
	}
	return parseSemanticScholar(r.body)
}

// refuses tells a bad key and the common allowance from other refusals.
func (s semanticScholar) refuses(r reply) *Error {
	if r.status == http.StatusForbidden && s.key != "" && !isHTML(r.body) {
		return &Error{Kind: ErrAuth, Detail: ownWords(r.body)}
	}
	if r.status == http.StatusTooManyRequests && s.key == "" {
		return &Error{Kind: ErrRate, Next: "search again later, or enter a key of your own in the settings"}
	}
	return nil
}

func parseSemanticScholar(body []byte) (found, error) {
	var got struct {
		Total *number
		Data  *[]struct {
			PaperID, Title, Abstract, PublicationDate, Venue, URL string
			Year                                                  int
			Authors                                               []struct{ Name string }
			ExternalIDs                                           struct{ DOI, ArXiv, PubMed string }
			OpenAccessPDF                                         struct{ URL string }
		}
	}
	if err := readJSON(body, &got); err != nil {
		return found{}, err
	}
	if got.Total == nil {
		return found{}, misread("the number of results is missing")
	}
	if got.Data == nil {
		if *got.Total != 0 {
			return found{}, misread("it counts results and holds none")
		}
		return found{}, nil // this is how it says that there is nothing
	}
	var f found
	for _, w := range *got.Data {
		page := "https://www.semanticscholar.org/paper/" + url.PathEscape(w.PaperID)
		it := item{title: w.Title, snippet: w.Abstract, date: w.PublicationDate, also: []string{page, w.URL, w.OpenAccessPDF.URL}}
		switch {
		case doiLink(w.ExternalIDs.DOI) != "":
			it.link = doiLink(w.ExternalIDs.DOI)
		case w.ExternalIDs.ArXiv != "":
			it.link = "https://arxiv.org/abs/" + w.ExternalIDs.ArXiv
		case pmid.MatchString(w.ExternalIDs.PubMed):
			it.link = "https://pubmed.ncbi.nlm.nih.gov/" + w.ExternalIDs.PubMed + "/"
		case w.PaperID != "":
			it.link = page
		}
		if it.date == "" && w.Year > 0 {
			it.date = strconv.Itoa(w.Year)
		}
		if it.snippet == "" {
			var names []string
			for _, n := range w.Authors {
				names = append(names, n.Name)
			}
			it.snippet = byline(names, escaped(w.Venue))
		}
		f.items = append(f.items, it)
	}
	return f, nil
}
