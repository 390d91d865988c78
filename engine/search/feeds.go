package search

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"assay/engine/text"
)

// feeds reads the feeds that the person named and finds the entries that share words with a query.
type feeds struct {
	urls []string

	mu   sync.Mutex
	kept map[string]keptFeed // by address
}

// keptFeed is what a feed last held, for the server to say that it has not changed.
type keptFeed struct {
	etag, modified string
	items          []item
}

const (
	// maxFeeds bounds the addresses; each is asked for in every search.
	maxFeeds = 50
	// feedShare is the least share of a query's words that an entry has to hold.
	feedShare = 0.5
)

// NewFeeds is a set of RSS, Atom and JSON feeds. The Base of the config is not used.
func NewFeeds(c Config, urls []string) (Provider, error) {
	if len(urls) == 0 {
		return nil, errors.New("no feed is named")
	}
	if len(urls) > maxFeeds {
		return nil, errors.New("there are more than 50 feeds: name fewer in the settings")
	}
	var clean []string
	for _, s := range urls {
		u, err := url.Parse(strings.TrimSpace(s))
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
			return nil, errors.New("the address of a feed is not one such as https://example.org/feed.xml: correct it in the settings")
		}
		if !slices.Contains(clean, u.String()) {
			clean = append(clean, u.String())
		}
	}
	u, err := url.Parse(clean[0])
	if err != nil {
		return nil, err
	}
	c.Base = u.Scheme + "://" + u.Host
	p, err := newProvider(c, about{
		name: "feeds", filters: Filters{Site: Reapplied, Dates: Reapplied},
		pace: pace{gap: 200 * time.Millisecond, tries: 2, backoff: 2 * time.Second},
	}, &feeds{urls: clean, kept: map[string]keptFeed{}})
	return asProvider(p, err)
}

func (s *feeds) search(ctx context.Context, p *provider, a ask) (found, error) {
	var f found
	var firstFault *Error
	answered := 0
	for _, u := range s.urls {
		items, err := s.read(ctx, p, u)
		if err == nil {
			answered++
			f.items = append(f.items, items...)
			continue
		}
		var fault *Error
		if !errors.As(err, &fault) {
			return found{}, err
		}
		if firstFault == nil {
			firstFault = fault
		}
		if len(f.notes) < 10 {
			f.notes = append(f.notes, fault.Error())
		}
	}
	if answered == 0 {
		return found{}, firstFault
	}
	f.items = ranked(f.items, a)
	return f, nil
}

// read gets one feed, or what was kept of it when it has not changed.
func (s *feeds) read(ctx context.Context, p *provider, address string) ([]item, error) {
	s.mu.Lock()
	have, ok := s.kept[address]
	s.mu.Unlock()
	c := call{url: address, want: formAny, header: map[string]string{}, judge: feedFault}
	if ok {
		c.also = http.StatusNotModified
		for k, v := range map[string]string{"If-None-Match": have.etag, "If-Modified-Since": have.modified} {
			if v != "" {
				c.header[k] = v
			}
		}
	}
	host := p.host
	if u, err := url.Parse(address); err == nil {
		host = u.Host
	}
	r, err := p.send(ctx, c)
	var items []item
	if err == nil && r.status != http.StatusNotModified {
		items, err = parseFeed(r.body, address)
	}
	var fault *Error
	switch {
	case errors.As(err, &fault):
		return nil, fault.finish(host, p.secrets)
	case err != nil:
		return nil, err
	case r.status == http.StatusNotModified:
		return have.items, nil
	}
	next := keptFeed{etag: oneHeader(r.header, "ETag"), modified: oneHeader(r.header, "Last-Modified"), items: items}
	if next.etag != "" || next.modified != "" {
		s.mu.Lock()
		s.kept[address] = next
		s.mu.Unlock()
	}
	return items, nil
}

// oneHeader is a header as it may be sent back.
func oneHeader(h http.Header, name string) string {
	if v := h.Get(name); len(v) <= 200 {
		return v
	}
	return ""
}

// feedFault says that a page is no feed.
func feedFault(r reply) *Error {
	if r.status != http.StatusOK || !isHTML(r.body) {
		return nil
	}
	e := &Error{Kind: ErrChallenge, Detail: ownWords(r.body)}
	if !challenges(r.body) {
		e.Next = "check that the address is that of the feed and not of the page that offers it"
	}
	return e
}

// ranked keeps the entries with enough of the query's words, those with more first and then as the feeds have them.
func ranked(items []item, a ask) []item {
	terms := text.TermSet(a.text, a.lang)
	if len(terms) == 0 {
		return items
	}
	var out []item
	for _, it := range items {
		have := text.TermSet(oneLine(fragment(it.title), maxTitle)+" "+oneLine(fragment(it.snippet), maxSnippet), a.lang)
		n := 0
		for t := range terms {
			if have[t] {
				n++
			}
		}
		if it.score = float64(n) / float64(len(terms)); it.score >= feedShare {
			out = append(out, it)
		}
	}
	slices.SortStableFunc(out, func(x, y item) int {
		switch {
		case x.score > y.score:
			return -1
		case x.score < y.score:
			return 1
		}
		return 0
	})
	return out
}

// feedEntry is an entry in RSS, RDF or Atom.
type feedEntry struct {
	Title markup `xml:"title"`
	Links []struct {
		Rel  string `xml:"rel,attr"`
		Href string `xml:"href,attr"`
		Text string `xml:",chardata"`
	} `xml:"link"`
	GUID struct {
		Text string `xml:",chardata"`
		Perm string `xml:"isPermaLink,attr"`
	} `xml:"guid"`
	Description markup `xml:"description"`
	Summary     markup `xml:"summary"`
	Content     markup `xml:"content"`
	PubDate     string `xml:"pubDate"`
	Date        string `xml:"date"`
	Published   string `xml:"published"`
	Updated     string `xml:"updated"`
}

// parseFeed reads RSS 0.9 to 2, RDF, Atom or JSON Feed. Relative links count from base.
func parseFeed(body []byte, base string) ([]item, error) {
	root, err := url.Parse(base)
	if err != nil {
		return nil, misread("its own address cannot be read")
	}
	if t := bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))); len(t) > 0 && t[0] == '{' {
		return parseJSONFeed(t, root)
	}
	var got struct {
		XMLName xml.Name
		Channel *struct {
			Items []feedEntry `xml:"item"`
		} `xml:"channel"`
		Items   []feedEntry `xml:"item"`  // RDF
		Entries []feedEntry `xml:"entry"` // Atom
	}
	if err := readXML(body, &got); err != nil {
		return nil, err
	}
	var entries []feedEntry
	switch name := got.XMLName.Local; {
	case name == "feed":
		entries = got.Entries
	case name == "rss" && got.Channel != nil:
		entries = got.Channel.Items
	case name == "RDF" && got.Channel != nil:
		entries = got.Items
	default:
		return nil, misread("its first element, %q, is not that of a feed", name)
	}
	var out []item
	for _, e := range entries[:min(len(entries), maxItems)] {
		link := ""
		for _, l := range e.Links {
			if h := strings.TrimSpace(or(l.Href, l.Text)); h != "" && (link == "" || l.Rel == "alternate" || l.Rel == "" && l.Href == "") {
				link = h
			}
		}
		if link == "" && e.GUID.Perm != "false" {
			link = e.GUID.Text
		}
		it := item{title: e.Title.plain(), snippet: or(or(e.Summary.plain(), e.Description.plain()), e.Content.plain()), link: absolute(root, link)}
		for _, d := range []string{e.Published, e.PubDate, e.Date, e.Updated} {
			if it.date = day(d); it.date != "" {
				break
			}
		}
		out = append(out, it)
	}
	return out, nil
}

func parseJSONFeed(body []byte, root *url.URL) ([]item, error) {
	var got struct {
		Version string
		Items   *[]struct {
			URL, Title, Summary string
			HTML                string `json:"content_html"`
			Text                string `json:"content_text"`
			Published           string `json:"date_published"`
			Modified            string `json:"date_modified"`
		}
	}
	if err := readJSON(body, &got); err != nil {
		return nil, err
	}
	if !strings.Contains(got.Version, "jsonfeed.org") || got.Items == nil {
		return nil, misread("it is not a feed")
	}
	var out []item
	for _, e := range (*got.Items)[:min(len(*got.Items), maxItems)] {
		it := item{title: escaped(e.Title), link: absolute(root, e.URL), date: or(e.Published, e.Modified)}
		it.snippet = or(or(escaped(e.Summary), escaped(e.Text)), e.HTML)
		out = append(out, it)
	}
	return out, nil
}

// absolute is a link as seen from base; "" when it is none.
func absolute(base *url.URL, link string) string {
	u, err := base.Parse(strings.TrimSpace(link))
	if err != nil || link == "" {
		return ""
	}
	return u.String()
}
