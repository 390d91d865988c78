package search

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"

	"assay/engine/research"
)

// Bounds of what is kept of a catalogue's answer.
const (
	maxWorks   = 5   // the likeliest works of one answer
	maxAuthors = 100 // authors of one work; a longer list ends there
	maxAuthor  = 120 // characters of a name
)

// Catalogue knows scholarly works: it says which work an identifier names, and which works come nearest to a title. It is safe
// for concurrent use, and asks at the pace of the provider it is made of.
type Catalogue interface {
	// Name is that of its provider.
	Name() string
	// Host is who is asked.
	Host() string
	// Lookup asks for a work as somebody cited it: by its identifier where it has one, and by its title. It never fails: why it
	// could not look stands in the answer.
	Lookup(context.Context, research.CitedWork) research.CatalogueAnswer
}

// NewCatalogue makes a catalogue of a provider; false when the provider is none of Crossref, OpenAlex and Semantic Scholar. The
// two keep one pace.
func NewCatalogue(p Provider) (Catalogue, bool) {
	known, ok := p.(*provider)
	if !ok {
		return nil, false
	}
	c := catalogue{p: known}
	switch service := known.api.(type) {
	case crossref:
		c.of = crossrefCatalogue{service}
	case openAlex:
		c.of = openAlexCatalogue{service}
	case semanticScholar:
		c.of = scholarCatalogue{service}
	default:
		return nil, false
	}
	return c, true
}

// Catalogues are those of the three that can be asked with what the person entered, in the order Crossref, OpenAlex, Semantic
// Scholar. Providers that are already at work are used again, so that one host keeps one pace.
func Catalogues(client *http.Client, keys Keys, have []Provider) ([]Catalogue, error) {
	var out []Catalogue
	var faults []error
	for _, w := range []struct {
		name, key string
		make      func(Config) (Provider, error)
	}{{"crossref", "", NewCrossref}, {"openalex", keys.OpenAlex, NewOpenAlex}, {"semanticscholar", keys.SemanticScholar, NewSemanticScholar}} {
		var p Provider
		for _, h := range have {
			if h.Name() == w.name {
				p = h
			}
		}
		if p == nil {
			made, err := w.make(Config{Client: client, Key: strings.TrimSpace(w.key), Contact: keys.Contact})
			if err != nil {
				faults = append(faults, fmt.Errorf("%s: %w", w.name, err))
				continue
			}
			p = made
		}
		if c, ok := NewCatalogue(p); ok {
			out = append(out, c)
		}
	}
	return out, errors.Join(faults...)
}

// LookUp asks every catalogue for a cited work, all at once, and waits for all. It fails open: a catalogue that could not look
// says so in its answer, and a lookup that nobody could do is not [research.CitationLookup.Checked]. Whoever calls it has asked the
// person before: the title and the authors leave the machine.
func LookUp(ctx context.Context, catalogues []Catalogue, ref research.CitedWork) research.CitationLookup {
	out := research.CitationLookup{Reference: ref, Answers: []research.CatalogueAnswer{}}
	switch {
	case len(catalogues) == 0:
		out.Note = "not checked: no catalogue may be asked"
		return out
	case strings.TrimSpace(ref.Title) == "" && ref.DOI == "" && ref.ArXiv == "":
		out.Note = "not checked: the reference has neither a title nor an identifier"
		return out
	}
	out.Answers = make([]research.CatalogueAnswer, len(catalogues))
	var wait sync.WaitGroup
	for i, c := range catalogues {
		wait.Add(1)
		go func() {
			defer wait.Done()
			out.Answers[i] = c.Lookup(ctx, ref)
		}()
	}
	wait.Wait()
	return out
}

// shelfmark is how one service finds works.
type shelfmark interface {
	// byID returns the work under an identifier of the reference. Asked is false when the service takes none of them; a nil work
	// without an error means that the service has no such work.
	byID(ctx context.Context, p *provider, ref research.CitedWork) (w *research.Work, asked bool, err error)
	// byTitle returns the works that come nearest, the likeliest first.
	byTitle(ctx context.Context, p *provider, ref research.CitedWork) ([]research.Work, error)
}

type catalogue struct {
	p  *provider
	of shelfmark
}

// Name implements [Catalogue].
func (c catalogue) Name() string { return c.p.name }

// Host implements [Catalogue].
func (c catalogue) Host() string { return c.p.host }

// Lookup implements [Catalogue].
func (c catalogue) Lookup(ctx context.Context, ref research.CitedWork) research.CatalogueAnswer {
	a := research.CatalogueAnswer{Catalogue: c.p.name, Works: []research.Work{}}
	fault := func(err error) research.CatalogueAnswer {
		known := new(Error)
		if ctx.Err() != nil {
			a.Fault = c.p.name + " was not asked to the end: the run was stopped"
		} else if errors.As(err, &known) {
			a.Fault = known.finish(c.p.host, c.p.secrets).Error()
		} else {
			a.Fault = (&Error{Kind: ErrFormat, Detail: err.Error()}).finish(c.p.host, c.p.secrets).Error()
		}
		a.Works, a.ByID, a.IDUnknown = []research.Work{}, nil, false
		return a
	}
	w, asked, err := c.of.byID(ctx, c.p, ref)
	if err != nil {
		return fault(err)
	}
	if a.IDUnknown = asked && w == nil; w != nil {
		clean := c.clean(*w)
		a.ByID = &clean
	}
	if strings.TrimSpace(ref.Title) == "" {
		return a
	}
	works, err := c.of.byTitle(ctx, c.p, ref)
	if err != nil {
		return fault(err)
	}
	for _, w := range works[:min(len(works), maxWorks)] {
		a.Works = append(a.Works, c.clean(w))
	}
	return a
}

// clean bounds a work, makes plain lines of its strings, and keeps no location that is no address of the web.
func (c catalogue) clean(w research.Work) research.Work {
	w.Catalogue = c.p.name
	w.Title = oneLine(fragment(w.Title), maxTitle)
	w.Venue = oneLine(fragment(w.Venue), maxTitle)
	w.DOI, w.ArXiv, w.Location = oneLine(w.DOI, maxTitle), oneLine(w.ArXiv, maxAuthor), oneLine(w.Location, maxQuery)
	if _, ok := c.p.address(w.Location); !ok {
		w.Location = ""
	}
	names := []string{}
	for _, n := range w.Authors {
		if n = oneLine(fragment(n), maxAuthor); n != "" && len(names) < maxAuthors {
			names = append(names, n)
		}
	}
	w.Authors = names
	if w.Year < 1000 || w.Year > 9999 {
		w.Year = 0
	}
	return w
}

// bareDOI is a DOI without the address it is written under; empty when there is none.
func bareDOI(doi string) string {
	link := doiLink(doi)
	if link == "" {
		return ""
	}
	bare, err := url.PathUnescape(strings.TrimPrefix(link, "https://doi.org/"))
	if err != nil {
		return ""
	}
	return bare
}

// arXivOf is the arXiv number of a reference, without its version: its own, or that of a DOI which arXiv gave out.
func arXivOf(ref research.CitedWork) string {
	id := strings.TrimSpace(ref.ArXiv)
	if id == "" {
		if d := strings.ToLower(bareDOI(ref.DOI)); strings.HasPrefix(d, "10.48550/arxiv.") {
			id = d[len("10.48550/arxiv."):]
		}
	}
	id = strings.TrimPrefix(strings.ToLower(id), "arxiv:")
	if i := strings.LastIndex(id, "v"); i > 0 && strings.Trim(id[i+1:], "0123456789") == "" {
		id = id[:i]
	}
	return id
}

// yearOf reads the year of a date.
func yearOf(date string) int {
	y, err := strconv.Atoi(date[:min(len(date), 4)])
	if err != nil {
		return 0
	}
	return y
}

// missing asks for one work, and reports a status of 404 as none where the body says so in the service's own way.
func (p *provider) missing(ctx context.Context, c call) (body []byte, none bool, err error) {
	c.also = http.StatusNotFound
	r, err := p.send(ctx, c)
	if err != nil {
		return nil, false, err
	}
	if r.status == http.StatusNotFound {
		if !says404(r.body) { // a proxy's page, or another service: it says nothing of the work
			return nil, false, &Error{Kind: ErrFormat, Status: r.status, Detail: ownWords(r.body)}
		}
		return nil, true, nil
	}
	return r.body, false, nil
}

// says404 reports whether a body says of itself that there is no such thing.
func says404(body []byte) bool {
	low := strings.ToLower(string(body[:min(len(body), 4<<10)]))
	return !isHTML(body) && strings.Contains(low, "not found")
}
