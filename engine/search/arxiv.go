package search

import (
	"context"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// arxiv finds preprints.
type arxiv struct{}

// NewArXiv is arXiv's API.
func NewArXiv(c Config) (Provider, error) {
	return asProvider(newProvider(c, about{
		name: "arxiv", base: "https://export.arxiv.org/api/query", filters: Filters{Site: Native, Dates: Native},
		pace: pace{gap: 3 * time.Second, tries: 3, backoff: 3 * time.Second}, only: []string{"arxiv.org", "export.arxiv.org"},
		undated: "arXiv's dates are those of the first version",
	}, arxiv{}))
}

// arxivID is a query that is the number of a preprint, of either scheme, and nothing else.
var arxivID = regexp.MustCompile(`^(?i:arxiv:\s*|https?://arxiv\.org/(?:abs|pdf)/)?([0-9]{4}\.[0-9]{4,5}(?:v[0-9]+)?|[a-z-]+(?:\.[A-Z]{2})?/[0-9]{7}(?:v[0-9]+)?)$`)

// arxivWords is the most words that are required together; a sentence of a question has more than any abstract holds.
const arxivWords = 6

func (arxiv) search(ctx context.Context, p *provider, a ask) (found, error) {
	if id := arxivID.FindStringSubmatch(a.text); id != nil {
		body, err := p.get(ctx, p.path("", values("id_list", id[1], "max_results", "1")), formXML, nil)
		if err != nil {
			return found{}, err
		}
		f, _, err := parseArXiv(body)
		return f, err
	}
	var terms []string
	for _, w := range quoted(phrases(a.text, a.lang, arxivWords)) {
		terms = append(terms, "all:"+w)
	}
	if len(terms) == 0 {
		return found{}, &Error{Kind: ErrBadQuery, Detail: "it holds no word"}
	}
	q := strings.Join(terms, " AND ")
	if a.first != "" || a.last != "" {
		from, to := "199101010000", "299912312359"
		if a.first != "" {
			from = strings.ReplaceAll(a.first, "-", "") + "0000"
		}
		if a.last != "" {
			to = strings.ReplaceAll(a.last, "-", "") + "2359"
		}
		q += " AND submittedDate:[" + from + " TO " + to + "]"
	}
	u := p.path("", values("search_query", q, "start", "0", "max_results", strconv.Itoa(a.limit), "sortBy", "relevance", "sortOrder", "descending"))
	// The service at times sends an empty page for a search that has results; the second time it is whole.
	for try := 0; ; try++ {
		body, err := p.get(ctx, u, formXML, nil)
		if err != nil {
			return found{}, err
		}
		f, total, err := parseArXiv(body)
		if err != nil || len(f.items) > 0 || total == 0 {
			return f, err
		}
		if try > 0 {
			return found{}, &Error{Kind: ErrUnavailable, Detail: "it counts " + strconv.Itoa(total) + " results and sends none", Next: "search again later"}
		}
	}
}

// parseArXiv also returns how many results the service counts.
func parseArXiv(body []byte) (found, int, error) {
	var got struct {
		XMLName struct{} `xml:"feed"`
		Total   *string  `xml:"totalResults"`
		Entries []struct {
			ID        string `xml:"id"`
			Title     string `xml:"title"`
			Summary   string `xml:"summary"`
			Published string `xml:"published"`
			DOI       string `xml:"doi"`
		} `xml:"entry"`
	}
	if err := readXML(body, &got); err != nil {
		return found{}, 0, err
	}
	if got.Total == nil {
		return found{}, 0, misread("the number of results is missing")
	}
	total, err := strconv.Atoi(strings.TrimSpace(*got.Total))
	if err != nil || total < 0 {
		return found{}, 0, misread("the number of results is not a number")
	}
	var f found
	for _, e := range got.Entries {
		if strings.Contains(e.ID, "/api/errors") {
			return found{}, 0, &Error{Kind: ErrBadQuery, Detail: e.Summary}
		}
		link := strings.TrimSpace(e.ID)
		if rest, ok := strings.CutPrefix(link, "http://"); ok {
			link = "https://" + rest
		}
		f.items = append(f.items, item{link: link, title: escaped(e.Title), snippet: escaped(e.Summary), date: e.Published, also: []string{doiLink(e.DOI)}})
	}
	return f, total, nil
}
