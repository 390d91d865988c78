// Package search asks those who know where something may stand: encyclopedias, indexes of papers, news and web pages, feeds,
// archives, and servers of the person's own. A hit is never evidence; what it names is opened and read elsewhere.
//
// Start at [Default] for the list of providers and at [Provider] for what each promises. There is one file a provider, whose
// api makes requests and reads answers; what all share is provider.go (queries checked, filters applied, hits cleaned), wire.go
// (one bounded request), pace.go (pacing and back-off), fault.go (what went wrong, and what to do), clean.go and parse.go
// (strings, dates and documents from outside).
//
// Caveats: whatever a provider sends is hostile until cleaned, so titles and snippets are plain text on one line and
// locations are plain web addresses. A provider that could not look returns an error that wraps one of the Err values of
// this package; an empty answer without an error means that it looked and found nothing. No error holds a key.
package search

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"assay/engine/research"
)

// Provider finds where something may stand. All methods are safe for concurrent use; requests to one host are made one after
// the other, at the pace that the host asks for.
type Provider interface {
	// Name is a lower-case identifier, the same in every run.
	Name() string
	// Host is who is asked, as it is shown before a run starts.
	Host() string
	// Filters says which parts of a query the provider applies itself.
	Filters() Filters
	// Search is Ask without its notes.
	Search(context.Context, research.Query) ([]research.Hit, error)
	// Ask returns at most the query's limit of hits, best first, without duplicates. Its error is a [*Error], or that of the
	// context. It returns soon after the context ends.
	Ask(context.Context, research.Query) (Answer, error)
}

// Answer is what a provider found, and what has to be said about it.
type Answer struct {
	Hits []research.Hit
	// Notes are sentences: which filter was applied to the results only, what was left out, which part did not answer.
	Notes []string
}

// How a filter of a query is applied.
type Filtering string

const (
	// Native: the provider applies it.
	Native Filtering = "native"
	// Reapplied: the provider cannot, so that it is applied to what it returned, which may leave less than there is.
	Reapplied Filtering = "re-applied"
	// Unapplied: what the provider returns does not tell. The answer says so.
	Unapplied Filtering = "not applied"
)

// Filters says how a provider applies the parts of a query. Whatever is native is checked again where the results tell.
type Filters struct {
	Site  Filtering // Query.Site
	Dates Filtering // Query.Range
}

// Config is what a provider is made of.
type Config struct {
	// Client does all requests; its maker decides how far they reach.
	Client *http.Client
	// Base is the address of the service. If empty, the public one; required for servers of the person's own.
	Base string
	// Key is the person's key for the service. If empty, none is sent.
	Key string
	// Contact is a mail address that services ask for, so that they can write before they block. If empty, none is sent.
	Contact string
	// Clock paces the requests. If nil, the system's.
	Clock Clock

	pacer *pacer // shared by providers of one operator; nil: one of its own
}

// Keys is what the person entered: keys, and addresses of their own.
type Keys struct {
	Brave, Tavily, Mojeek, OpenAlex, SemanticScholar, PubMed string
	// TavilyKeyless asks Tavily without a key, which it allows for light use.
	TavilyKeyless bool
	// DuckDuckGo reads the result pages of a service that offers no API. Off unless the person turns it on.
	DuckDuckGo bool
	// Contact is as in [Config].
	Contact string
	// SearXNG and Kiwix are addresses of servers, "http://127.0.0.1:8888"; MediaWikis those of api.php.
	SearXNG, Kiwix string
	MediaWikis     []string
	// Feeds are the addresses of RSS, Atom and JSON feeds.
	Feeds []string
}

// Default lists the providers for what the person entered, in the order in which they are asked: those that need no key,
// then those with one, then the person's own servers. Its error names every entry that cannot be used, and the list holds
// the others.
func Default(client *http.Client, keys Keys) ([]Provider, error) {
	var (
		out    []Provider
		faults []error
		base   = Config{Client: client, Contact: keys.Contact}
	)
	add := func(use bool, what string, make func(Config) (Provider, error), c Config) {
		if !use {
			return
		}
		p, err := make(c)
		if err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", what, err))
			return
		}
		out = append(out, p)
	}
	with := func(key string) Config { c := base; c.Key = strings.TrimSpace(key); return c }
	at := func(address string) Config { c := base; c.Base = strings.TrimSpace(address); return c }
	wikimedia := base // one operator, whose limits count for all its hosts
	wikimedia.pacer = newPacer(nil, wikimediaPace)
	wikimedia.pacer.shared = true

	add(true, "Wikipedia", func(c Config) (Provider, error) { return NewWikipedia(c, "en") }, wikimedia)
	add(true, "Wikipedia", func(c Config) (Provider, error) { return NewWikipedia(c, "zh") }, wikimedia)
	add(true, "Crossref", NewCrossref, base)
	add(true, "arXiv", NewArXiv, base)
	add(true, "Europe PMC", NewEuropePMC, base)
	add(true, "PubMed", NewPubMed, with(keys.PubMed))
	add(true, "GDELT", NewGDELT, base)
	add(true, "Wayback", NewWayback, base)
	add(true, "Wikidata", NewWikidata, wikimedia)
	add(keys.OpenAlex != "", "OpenAlex", NewOpenAlex, with(keys.OpenAlex))
	add(keys.SemanticScholar != "", "Semantic Scholar", NewSemanticScholar, with(keys.SemanticScholar))
	add(keys.Brave != "", "Brave", NewBrave, with(keys.Brave))
	add(keys.Tavily != "" || keys.TavilyKeyless, "Tavily", NewTavily, with(keys.Tavily))
	add(keys.Mojeek != "", "Mojeek", NewMojeek, with(keys.Mojeek))
	add(keys.SearXNG != "", "SearXNG", NewSearXNG, at(keys.SearXNG))
	add(keys.Kiwix != "", "Kiwix", NewKiwix, at(keys.Kiwix))
	for _, w := range keys.MediaWikis {
		add(true, "MediaWiki", NewMediaWiki, at(w))
	}
	add(len(keys.Feeds) > 0, "feeds", func(c Config) (Provider, error) { return NewFeeds(c, keys.Feeds) }, base)
	add(keys.DuckDuckGo, "DuckDuckGo", NewDuckDuckGo, base)
	return out, errors.Join(faults...)
}
