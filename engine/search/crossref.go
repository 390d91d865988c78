package search

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// crossref finds works by what their publishers registered.
type crossref struct{ contact string }

// NewCrossref is Crossref's index of works. With a contact it is asked in the pool for those who leave one.
func NewCrossref(c Config) (Provider, error) {
	return asProvider(newProvider(c, about{
		name: "crossref", base: "https://api.crossref.org", filters: Filters{Site: Reapplied, Dates: Native},
		pace: pace{gap: 250 * time.Millisecond, tries: 3, backoff: 2 * time.Second},
	}, crossref{c.Contact}))
}

// crossrefFields keeps answers small: the lists of references are most of a record.
const crossrefFields = "DOI,title,author,issued,container-title,abstract,URL,type,is-referenced-by-count,score"

func (x crossref) search(ctx context.Context, p *provider, a ask) (found, error) {
	if doi := doiLink(a.text); doi != "" && !strings.Contains(a.text, " ") {
		return x.work(ctx, p, strings.TrimPrefix(doi, "https://doi.org/"))
	}
	var filters []string
	if a.first != "" {
		filters = append(filters, "from-pub-date:"+a.first)
	}
	if a.last != "" {
		filters = append(filters, "until-pub-date:"+a.last)
	}
	fields, rows := crossrefFields, a.limit
	if a.site != "" {
		fields, rows = "", min(2*a.limit, 50) // the whole record says where the publisher has the work
	}
	body, err := p.get(ctx, p.path("/works", values(
		"query.bibliographic", a.text, "rows", strconv.Itoa(rows), "filter", strings.Join(filters, ","), "select", fields,
		"sort", "relevance", "order", "desc", "mailto", x.contact,
	)), formJSON, nil)
	if err != nil {
		return found{}, err
	}
	return parseCrossref(body)
}

// work looks one work up by its DOI, escaped as in its address. A DOI that others than Crossref gave out is not in it.
func (x crossref) work(ctx context.Context, p *provider, doi string) (found, error) {
	r, err := p.send(ctx, call{url: p.path("/works/"+doi, values("mailto", x.contact)), also: http.StatusNotFound})
	if err != nil {
		return found{}, err
	}
	if r.status == http.StatusNotFound {
		if !strings.Contains(strings.ToLower(string(r.body)), "resource not found") {
			return found{}, &Error{Kind: ErrFormat, Status: r.status, Detail: ownWords(r.body)}
		}
		return found{notes: []string{"Crossref does not know this DOI; other agencies give some out"}}, nil
	}
	var one struct {
		Status  string
		Message json.RawMessage
	}
	if err := readJSON(r.body, &one); err != nil {
		return found{}, err
	}
	if one.Status != "ok" || len(one.Message) == 0 {
		return found{}, misread("there is no work in it")
	}
	return parseCrossref([]byte(`{"status":"ok","message":{"items":[` + string(one.Message) + `]}}`))
}

type crossrefWork struct {
	DOI       string
	Title     words
	Container words `json:"container-title"`
	Abstract  string
	URL       string
	Score     number
	Issued    struct {
		Parts [][]*int `json:"date-parts"`
	}
	Author []struct{ Given, Family, Name string }
	// What was published later about this work, such as its retraction.
	UpdatedBy []struct{ Type string } `json:"updated-by"`
	Resource  struct {
		Primary struct{ URL string }
	}
}

func parseCrossref(body []byte) (found, error) {
	var got struct {
		Status  string
		Message *struct{ Items *[]crossrefWork }
	}
	if err := readJSON(body, &got); err != nil {
		return found{}, err
	}
	if got.Status != "ok" || got.Message == nil || got.Message.Items == nil {
		return found{}, misread("there is no list of works in it")
	}
	var f found
	for _, w := range *got.Message.Items {
		if w.DOI == "" {
			continue
		}
		it := item{
			link: doiLink(w.DOI), title: string(w.Title), snippet: w.Abstract, date: dateParts(w.Issued.Parts), score: float64(w.Score),
			also: []string{w.URL, w.Resource.Primary.URL},
		}
		if it.snippet == "" {
			var names []string
			for _, n := range w.Author {
				names = append(names, strings.TrimSpace(n.Given+" "+n.Family+n.Name))
			}
			it.snippet = byline(names, string(w.Container))
		}
		for _, u := range w.UpdatedBy {
			if strings.Contains(u.Type, "retract") {
				f.notes = append(f.notes, "Crossref marks "+w.DOI+" as retracted")
			}
		}
		f.items = append(f.items, it)
	}
	return f, nil
}

// doiLink is the address under which a DOI resolves. A DOI may hold any character.
func doiLink(doi string) string {
	doi = strings.TrimSpace(doi)
	for _, prefix := range []string{"https://doi.org/", "http://doi.org/", "http://dx.doi.org/", "https://dx.doi.org/", "doi:"} {
		if len(doi) > len(prefix) && strings.EqualFold(doi[:len(prefix)], prefix) {
			doi = strings.TrimSpace(doi[len(prefix):])
			if u, err := url.PathUnescape(doi); err == nil {
				doi = u
			}
		}
	}
	if !strings.HasPrefix(doi, "10.") {
		return ""
	}
	return "https://doi.org/" + strings.ReplaceAll(url.PathEscape(doi), "%2F", "/")
}

// dateParts reads [[2024,5,1]], which may end early or hold null.
func dateParts(parts [][]*int) string {
	if len(parts) == 0 {
		return ""
	}
	var out string
	for i, v := range parts[0] {
		switch {
		case v == nil || i > 2:
			return day(out)
		case i == 0:
			out = fmt.Sprintf("%04d", *v)
		default:
			out += fmt.Sprintf("-%02d", *v)
		}
	}
	return day(out)
}

// byline is who wrote a work and where it came out, for a work without an abstract.
func byline(names []string, where string) string {
	if len(names) > 3 {
		names = append(names[:3:3], "and others")
	}
	s := strings.Join(names, ", ")
	if s != "" && where != "" {
		s += ". "
	}
	return escaped(s) + where
}
