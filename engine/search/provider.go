package search

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"assay/engine/research"
	"assay/engine/text"
)

const (
	defaultLimit = 10
	maxLimit     = 100
	// maxQuery is the most characters of a query, where the service does not say less.
	maxQuery = 1000
	// shortestKey is the fewest characters of a key; a shorter one could not be taken out of a text without harm to it.
	shortestKey = 8
	// Most characters of what a hit shows.
	maxTitle, maxSnippet = 300, 1000
)

// api is one service: how it is asked, and how its answers are read.
type api interface {
	// search asks once. The results are raw: the provider cleans, filters and counts them.
	search(ctx context.Context, p *provider, a ask) (found, error)
}

// about is what is known of a service.
type about struct {
	name    string
	base    string // the public address; empty for servers of the person's own
	filters Filters
	pace    pace
	// only lists the sites that all its hits are of; a query for another site is not sent.
	only []string
	// most is the most characters of a query; 0 stands for maxQuery. words is the most words; 0: no such limit.
	most, words int
	// undated says why a range of dates is not applied to what it returns, or to which date it is.
	undated string
}

// ask is a query that was checked.
type ask struct {
	text  string
	lang  string
	site  string // a host, lower case, without "www."
	first string // "2006-01-02" or empty
	last  string // likewise, included
	limit int
}

// found is what a service returned.
type found struct {
	items []item
	notes []string
}

// item is a hit as the service wrote it.
type item struct {
	link    string
	title   string
	snippet string
	date    string  // of publication, in any form that day reads
	score   float64 // the service's own; 0: none
	also    []string
}

// provider is a [Provider] around an api.
type provider struct {
	about
	api     api
	client  *http.Client
	root    string // the address of the service, without a slash at its end
	host    string
	secrets []string
	pacer   *pacer
}

// newProvider checks a config.
func newProvider(c Config, a about, service api) (*provider, error) {
	if c.Client == nil {
		return nil, errors.New("no client to ask with")
	}
	root := c.Base
	if root == "" {
		root = a.base
	}
	u, err := url.Parse(root)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, errors.New("its address is not one such as https://search.example.org: correct it in the settings")
	}
	p := &provider{about: a, api: service, client: c.Client, root: strings.TrimRight(u.String(), "/"), host: u.Host, pacer: c.pacer}
	if p.pacer == nil {
		p.pacer = newPacer(c.Clock, a.pace)
	}
	if strings.ContainsFunc(c.Key, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return nil, errors.New("its key holds characters that no key has: enter it again in the settings")
	}
	if c.Key != "" && len(c.Key) < shortestKey {
		return nil, errors.New("its key is too short to be one: enter it again in the settings")
	}
	if c.Key != "" {
		p.secrets = []string{c.Key}
		p.client = guarded(c.Client)
	}
	return p, nil
}

// Name implements [Provider].
func (p *provider) Name() string { return p.name }

// Host implements [Provider].
func (p *provider) Host() string { return p.host }

// Filters implements [Provider].
func (p *provider) Filters() Filters { return p.filters }

// Search implements [Provider].
func (p *provider) Search(ctx context.Context, q research.Query) ([]research.Hit, error) {
	a, err := p.Ask(ctx, q)
	return a.Hits, err
}

// Ask implements [Provider].
func (p *provider) Ask(ctx context.Context, q research.Query) (Answer, error) {
	none := Answer{}
	if err := ctx.Err(); err != nil {
		return none, err
	}
	a, notes, fault := p.check(q)
	if fault != nil {
		return none, fault.finish(p.host, p.secrets)
	}
	if a.site != "" && len(p.only) > 0 && !slices.ContainsFunc(p.only, func(h string) bool { return onSite(h, a.site) }) {
		notes = append(notes, p.name+" holds nothing of "+a.site+" and was not asked")
		return Answer{Notes: notes}, nil
	}
	f, err := p.api.search(ctx, p, a)
	if err != nil {
		if ctx.Err() != nil {
			return none, ctx.Err()
		}
		var known *Error
		if !errors.As(err, &known) {
			known = &Error{Kind: ErrFormat, Detail: err.Error()}
		}
		return none, known.finish(p.host, p.secrets)
	}
	out, strange := p.answer(a, f)
	if strange > 0 && strange == len(f.items) {
		return none, (&Error{Kind: ErrFormat, Detail: fmt.Sprintf("none of its %d results has an address of the web", strange)}).finish(p.host, p.secrets)
	}
	out.Notes = append(notes, out.Notes...)
	for i, n := range out.Notes {
		out.Notes[i] = oneLine(redact(n, p.secrets), 2*maxDetail)
	}
	return out, nil
}

// check makes an ask of a query.
func (p *provider) check(q research.Query) (ask, []string, *Error) {
	bad := func(format string, args ...any) *Error {
		return &Error{Kind: ErrBadQuery, Detail: fmt.Sprintf(format, args...)}
	}
	a := ask{text: oneLine(q.Text, math.MaxInt), lang: q.Lang, limit: q.Limit}
	if a.limit <= 0 {
		a.limit = defaultLimit
	}
	a.limit = min(a.limit, maxLimit)
	if a.text == "" {
		return a, nil, bad("it is empty")
	}
	var notes []string
	most := p.most
	if most == 0 {
		most = maxQuery
	}
	if cut := cutWords(a.text, most); cut != a.text {
		a.text = cut
		notes = append(notes, fmt.Sprintf("the query was cut to the %d characters that %s takes", most, p.name))
	}
	if w := strings.Fields(a.text); p.words > 0 && len(w) > p.words {
		a.text = strings.Join(w[:p.words], " ")
		notes = append(notes, fmt.Sprintf("the query was cut to the %d words that %s takes", p.words, p.name))
	}
	if q.Site != "" {
		host, ok := siteHost(q.Site)
		if !ok {
			return a, nil, bad("%q is not the name of a site", oneLine(q.Site, 80))
		}
		a.site = host
	}
	var ok [2]bool
	a.first, ok[0] = edge(q.Range.Start, false)
	a.last, ok[1] = edge(q.Range.End, true)
	if !ok[0] || !ok[1] || a.first != "" && a.last != "" && a.first > a.last {
		return a, nil, bad("%q to %q is not a range of days", oneLine(q.Range.Start, 20), oneLine(q.Range.End, 20))
	}
	return a, notes, nil
}

// answer cleans what was found, applies the filters again where the results tell, and counts what was left out. It also
// returns how many results have no address that could be opened.
func (p *provider) answer(a ask, f found) (out Answer, strange int) {
	out.Notes = slices.Clone(f.notes)
	seen := map[string]bool{}
	var offSite, offDate, undated int
	var best float64
	for _, it := range f.items {
		if it.score > best && !math.IsInf(it.score, 0) {
			best = it.score
		}
	}
	for _, it := range f.items {
		key, ok := p.address(it.link)
		if !ok {
			strange++
			continue
		}
		if seen[key] {
			continue
		}
		h := research.Hit{
			Provider: p.name, Location: strings.TrimSpace(it.link), Title: oneLine(fragment(it.title), maxTitle),
			Snippet: oneLine(fragment(it.snippet), maxSnippet), Published: day(it.date),
		}
		if h.Title == "" {
			h.Title = oneLine(h.Location, maxTitle)
		}
		if it.score > 0 && best > 0 && !math.IsInf(it.score, 0) {
			h.Score = research.NewRatio(int64(math.Round(it.score/best*1000)), 1000)
		}
		if a.site != "" && !slices.ContainsFunc(append([]string{it.link}, it.also...), func(l string) bool { return linkOnSite(l, a.site) }) {
			offSite++
			continue
		}
		if a.first != "" || a.last != "" {
			switch {
			case h.Published == "":
				undated++
			case !within(h.Published, a.first, a.last):
				offDate++
				continue
			}
		}
		seen[key] = true
		if len(out.Hits) < a.limit {
			out.Hits = append(out.Hits, h)
		}
	}
	if strange > 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("%s named %d results without an address of the web; left out", p.name, strange))
	}
	out.Notes = append(out.Notes, p.filterNotes(a, offSite, offDate, undated)...)
	return out, strange
}

// address is the spelling under which two links to one page are equal; false when the link is none. A server of the person's
// own may have a name without a domain.
func (p *provider) address(link string) (string, bool) {
	link = strings.TrimSpace(link)
	u, err := url.Parse(link)
	if err != nil || u.User != nil {
		return "", false
	}
	if key, err := text.CanonicalURL(link); err == nil {
		return key, true
	}
	return link, u.Host == p.host && strings.HasPrefix(link, p.root+"/") && !strings.ContainsAny(link, " \"<>`\\")
}

// filterNotes says how the filters of a query were applied.
func (p *provider) filterNotes(a ask, offSite, offDate, undated int) []string {
	var notes []string
	if a.site != "" && p.filters.Site == Reapplied {
		notes = append(notes, fmt.Sprintf("%s cannot search one site: of what it returned, %s of other sites than %s left out", p.name, were(offSite), a.site))
	}
	if a.first == "" && a.last == "" {
		return notes
	}
	switch p.filters.Dates {
	case Reapplied:
		notes = append(notes, fmt.Sprintf("%s cannot search a range of dates: of what it returned, %s of other dates left out and %s kept that have no date", p.name, were(offDate), were(undated)))
	case Unapplied:
		notes = append(notes, fmt.Sprintf("the range of dates was not applied: %s", p.undated))
	case Native:
		if p.undated != "" {
			notes = append(notes, p.undated)
		}
	}
	return notes
}

func were(n int) string {
	if n == 1 {
		return "1 was"
	}
	return fmt.Sprintf("%d were", n)
}

// path joins an address under the service's own with a query.
func (p *provider) path(under, query string) string {
	if query == "" {
		return p.root + under
	}
	return p.root + under + "?" + query
}

// misread is the error for an answer whose form is not the known one.
func misread(format string, args ...any) error {
	return &Error{Kind: ErrFormat, Detail: fmt.Sprintf(format, args...)}
}
