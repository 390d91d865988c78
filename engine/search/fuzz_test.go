package search

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"assay/engine/research"
)

// parser is a parser of answers; one that reads only lists of items is wrapped.
type parser func([]byte) (found, error)

// fuzzClient is never used: nothing is sent.
var fuzzClient = &http.Client{}

var parsers = map[string]parser{
	"mediawiki": func(b []byte) (found, error) { return parseMediaWiki(b, "https://wiki.example.org/") },
	"wikidata":  parseWikidata, "crossref": parseCrossref, "europepmc": parseEuropePMC, "openalex": parseOpenAlex,
	"semanticscholar": parseSemanticScholar, "gdelt": parseGDELT, "available": parseAvailable, "cdx": parseCDX, "searxng": parseSearXNG,
	"brave": parseBrave, "tavily": parseTavily, "mojeek": parseMojeek, "duckduckgo": parseDuckDuckGo,
	"arxiv": func(b []byte) (found, error) { f, _, err := parseArXiv(b); return f, err },
	"pubmed": func(b []byte) (found, error) {
		if _, _, err := parsePubMedIDs(b); err == nil {
			return found{}, nil
		}
		return parsePubMedRecords(b, []string{"11", "12"})
	},
	"feed": func(b []byte) (found, error) {
		items, err := parseFeed(b, "https://example.org/feed")
		return found{items: items}, err
	},
	"kiwix": func(b []byte) (found, error) { items, err := parseKiwix(b); return found{items: items}, err },
	"catalog": func(b []byte) (found, error) {
		books, err := parseCatalog(b)
		choose(books, "en")
		return found{}, err
	},
}

// fuzzParsers runs the parsers of one kind of document. Whatever they are given, what comes out of a provider is clean, and
// an error is one sentence.
func fuzzParsers(f *testing.F, glob string, names ...string) {
	files, err := filepath.Glob(filepath.Join("testdata", glob))
	if err != nil || len(files) == 0 {
		f.Fatalf("no files %s: %v", glob, err)
	}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	p, err := newProvider(Config{Client: fuzzClient, Base: "https://example.org"}, about{name: "fuzz"}, nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, want := range []form{formJSON, formXML, formAny} {
			if e := judge(reply{status: 403, body: body}, want); e == nil || says[e.Kind].what == "" {
				t.Fatal("a refusal is no fault")
			}
			if e := judge(reply{status: 200, body: body}, want); e != nil && !utf8.ValidString(e.finish("x", nil).Error()) {
				t.Fatal("an error is not text")
			}
		}
		for _, name := range names {
			found, err := parsers[name](body)
			if err != nil {
				if len(found.items) > 0 {
					t.Fatalf("%s: items and an error", name)
				}
				continue
			}
			a, _ := p.answer(ask{limit: maxLimit}, found)
			for _, h := range a.Hits {
				u, err := url.Parse(h.Location)
				if err != nil || u.Scheme != "http" && u.Scheme != "https" || h.Title == "" || h.Title != research.ShownName(h.Title) ||
					!utf8.ValidString(h.Snippet) || utf8.RuneCountInString(h.Snippet) > maxSnippet || h.Published != "" && day(h.Published) != h.Published {
					t.Fatalf("%s: hit %+v", name, h)
				}
			}
		}
	})
}

func FuzzJSON(f *testing.F) {
	fuzzParsers(f, "*.json", "mediawiki", "wikidata", "crossref", "europepmc", "pubmed", "openalex", "semanticscholar", "gdelt",
		"available", "cdx", "searxng", "brave", "tavily", "mojeek", "feed")
}

func FuzzXML(f *testing.F) { fuzzParsers(f, "*.xml", "arxiv", "feed", "kiwix", "catalog", "cdx") }

func FuzzHTML(f *testing.F) { fuzzParsers(f, "*.html", "duckduckgo", "kiwix") }

func FuzzFragment(f *testing.F) {
	for _, s := range []string{"a <b>b</b> &amp;lt; c", "x<y", "<script>", "&#0;&#x110000;", "\xff<"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, s, q string) {
		got := oneLine(fragment(s), maxTitle)
		if !utf8.ValidString(got) || oneLine(got, maxTitle) != got || utf8.RuneCountInString(got) > maxTitle {
			t.Fatalf("fragment(%q) = %q", s, got)
		}
		if d := day(s); d != "" && day(d) != d {
			t.Fatalf("day(%q) = %q", s, d)
		}
		if host, ok := siteHost(s); ok {
			if again, ok := siteHost(host); !ok || again != host {
				t.Fatalf("siteHost(%q) = %q, then %q", s, host, again)
			}
		}
		if n := len(phrases(q, "en", 6)); n > 6 {
			t.Fatalf("%d phrases", n)
		}
		scrub([]byte(s))
		doiLink(s)
	})
}
