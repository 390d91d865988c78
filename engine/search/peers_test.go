package search

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/engine/research"
)

// fakeClock stands still but for what is slept.
type fakeClock struct {
	mu    sync.Mutex
	now   time.Time
	slept time.Duration
}

func newClock() *fakeClock { return &fakeClock{now: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)} }

func (c *fakeClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *fakeClock) Sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now, c.slept = c.now.Add(d), c.slept+d
	return ctx.Err()
}

func (c *fakeClock) total() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.slept
}

// secret is the key of all tests: it has characters that change in a URL.
const secret = "tvly+s3cret/key="

// peer is a provider and a service on loopback that answers it.
type peer struct {
	name   string
	make   func(Config) (Provider, error)
	at     string // the path of Base on the server
	key    bool
	text   string // of the query; empty: "tidal barrage"
	ext    string // of its answers in testdata
	second map[string]string
	// What a query for example.org in 2024 has to send, in the address or the body.
	sends []string
	// The hit that a plain query finds first, with HOST for the server.
	first research.Hit
	// How many hits a plain query finds, and a query for example.org in 2024.
	n, filtered int
	// What the same faults are to this provider, where it differs.
	other map[string]error
}

func peers() []peer {
	return []peer{
		{
			name: "wikipedia-en", make: func(c Config) (Provider, error) { return NewWikipedia(c, "en") }, at: "/w/api.php", ext: "json", n: 2,
			first: research.Hit{Location: "https://en.wikipedia.org/wiki/Tidal_barrage", Title: "Tidal barrage", Snippet: "A tidal barrage & its gates"},
		},
		{
			name: "wikipedia-zh", make: func(c Config) (Provider, error) { return NewWikipedia(c, "zh") }, at: "/w/api.php", ext: "json", n: 1,
			first: research.Hit{Location: "https://zh.wikipedia.org/wiki/%E6%BD%AE%E6%B1%90%E8%83%BD", Title: "潮汐能", Snippet: "潮汐能是海水的能量。"},
		},
		{
			name: "mediawiki", make: NewMediaWiki, at: "", ext: "json", n: 1,
			first: research.Hit{Location: "http://HOST/w/index.php?title=Tide_table_%28old%29", Title: "Tide table (old)", Snippet: "The '''table''' of tides [[x]]"},
		},
		{
			name: "wikidata", make: NewWikidata, at: "/w/api.php", ext: "json", n: 2,
			first: research.Hit{Location: "https://www.wikidata.org/wiki/Q4", Title: "River Mersey", Snippet: "river in England"},
		},
		{
			name: "crossref", make: NewCrossref, ext: "json", n: 4, filtered: 1,
			sends: []string{"from-pub-date:2024-01-01", "until-pub-date:2024-12-31"},
			first: research.Hit{Location: "https://doi.org/10.5555/tide.1", Title: "Tidal range & output", Snippet: "We measured the range.", Published: "2024-05-02", Score: "1"},
		},
		{
			name: "arxiv", make: NewArXiv, at: "/api/query", ext: "xml", n: 2,
			first: research.Hit{Location: "https://arxiv.org/abs/2402.00001v1", Title: "Tidal lagoons when x < y and y > z", Snippet: "We show that a<b holds.", Published: "2024-02-01"},
		},
		{
			name: "europepmc", make: NewEuropePMC, ext: "json", n: 2, filtered: 1,
			sends: []string{"FIRST_PDATE:[2024-01-01 TO 2024-12-31]"},
			first: research.Hit{Location: "https://doi.org/10.5555/gel.1", Title: "In vivo cartilage & bone.", Snippet: "Background Gels hold water.", Published: "2024-03-30"},
		},
		{
			name: "pubmed", make: NewPubMed, key: true, ext: "json", n: 2,
			second: map[string]string{"/esummary.fcgi": "pubmed.records.json"},
			first:  research.Hit{Location: "https://pubmed.ncbi.nlm.nih.gov/11/", Title: "Salt & water in Mytilus.", Snippet: "Ayer A, Bee B, Cee C, and others. Journal of Tides", Published: "2024-02-13"},
		},
		{
			name: "openalex", make: NewOpenAlex, key: true, ext: "json", n: 2, filtered: 1,
			sends: []string{"from_publication_date:2024-01-01,to_publication_date:2024-12-31"},
			first: research.Hit{Location: "https://doi.org/10.5555/oa.1", Title: "Open tides", Snippet: "Despite growing interest in interest", Published: "2024-02-13", Score: "1"},
		},
		{
			name: "semanticscholar", make: NewSemanticScholar, key: true, ext: "json", n: 2, filtered: 1,
			sends: []string{"publicationDateOrYear=2024-01-01:2024-12-31"},
			first: research.Hit{Location: "https://doi.org/10.5555/s2.1", Title: "Learning tides", Snippet: "A. Ayer. TideConf", Published: "2024-06-01"},
			other: map[string]error{"403": ErrAuth},
		},
		{
			name: "gdelt", make: NewGDELT, at: "/api/v2/doc/doc", ext: "json", n: 2, filtered: 1,
			sends: []string{"domain:example.org", "startdatetime=20240101000000", "enddatetime=20241231235959"},
			first: research.Hit{Location: "https://news.example.org/first", Title: "Barrage opens, at last: d report"},
			other: map[string]error{"text": ErrBadQuery},
		},
		{
			name: "wayback", make: NewWayback, ext: "json", n: 1, filtered: 2, text: "copies of https://www.example.org/page?a=1",
			second: map[string]string{"/cdx/search/cdx": "wayback.cdx.json"},
			sends:  []string{"from=20240101", "to=20241231", "url=https://www.example.org/page?a=1"},
			first:  research.Hit{Location: "https://web.archive.org/web/20190104061944id_/https://www.example.org/page?a=1", Title: "Copy of https://www.example.org/page?a=1 of 2019-01-04"},
		},
		{
			name: "searxng", make: NewSearXNG, ext: "json", n: 3, filtered: 1,
			sends: []string{"site:example.org"},
			first: research.Hit{Location: "https://www.example.org/tides", Title: "Tides & 'more'", Snippet: "Cost fell <12%> ...", Published: "2024-05-04", Score: "1"},
		},
		{
			name: "brave", make: NewBrave, key: true, ext: "json", n: 3, filtered: 1,
			sends: []string{"site:example.org", "freshness=2024-01-01to2024-12-31"},
			first: research.Hit{Location: "https://example.org/report", Title: "Tide report", Snippet: "It rose. More & more.", Published: "2024-05-04"},
		},
		{
			name: "tavily", make: NewTavily, key: true, ext: "json", n: 2, filtered: 1,
			sends: []string{`"include_domains":["example.org"]`, `"start_date":"2024-01-01"`, `"end_date":"2024-12-31"`},
			first: research.Hit{Location: "https://example.org/t", Title: "Tides", Snippet: "They rise.", Published: "2024-05-04", Score: "1"},
			other: map[string]error{"403": ErrQuota},
		},
		{
			name: "mojeek", make: NewMojeek, key: true, ext: "json", n: 2, filtered: 1,
			sends: []string{"site=example.org", "since=20240101", "before=20241231"},
			first: research.Hit{Location: "https://example.org/report", Title: "Tide report", Snippet: "It rose ...", Published: "2024-05-04"},
		},
		{
			name: "feeds", make: func(c Config) (Provider, error) { return NewFeeds(c, []string{c.Base + "/feed.xml"}) }, ext: "xml", n: 2, filtered: 0,
			first: research.Hit{Location: "http://HOST/news/barrage", Title: "Tidal barrage opens & runs", Snippet: "The barrage opened.", Published: "2024-05-17", Score: "1"},
		},
		{
			name: "kiwix", make: NewKiwix, ext: "xml", n: 2,
			second: map[string]string{"/catalog/v2/entries": "kiwix.catalog.xml"},
			first:  research.Hit{Location: "http://HOST/raw/harbour/content/guide/tides.html", Title: "5. Tides — the pilot's book", Snippet: "...tide tables & charts......"},
		},
		{
			name: "duckduckgo", make: NewDuckDuckGo, ext: "html", n: 2, filtered: 1,
			sends: []string{"site:example.org", "df=2024-01-01..2024-12-31"},
			first: research.Hit{Location: "https://example.org/report?a=1", Title: "Tide & report", Snippet: "It rose ...", Published: "2024-05-04"},
		},
	}
}

func (p peer) query() research.Query {
	q := research.Query{Text: "tidal barrage", Lang: "en"}
	if p.text != "" {
		q.Text = p.text
	}
	return q
}

func testdata(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// media is the type with which a service sends a body.
func media(body []byte, ext string) string {
	if isHTML(body) {
		return "text/html; charset=utf-8"
	}
	return map[string]string{"json": "application/json", "xml": "text/xml", "html": "text/html"}[ext]
}

// service is a loopback server that answers a peer with one of its files, and keeps what it was sent.
type service struct {
	*httptest.Server
	mu   sync.Mutex
	sent []*http.Request
	// answer, when set, comes first; it reports whether it answered.
	answer func(w http.ResponseWriter, r *http.Request, nth int) bool
}

func (s *service) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.sent)
}

func serve(t testing.TB, p peer, file string, answer func(http.ResponseWriter, *http.Request, int) bool) *service {
	t.Helper()
	s := &service{answer: answer}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		s.mu.Lock()
		s.sent = append(s.sent, r)
		nth := len(s.sent)
		s.mu.Unlock()
		if s.answer != nil && s.answer(w, r, nth) {
			return
		}
		name := file
		for path, second := range p.second {
			if strings.HasSuffix(r.URL.Path, path) {
				name = second
			}
		}
		body := testdata(t, name)
		w.Header().Set("Content-Type", media(body, p.ext))
		_, _ = w.Write(body)
	}))
	t.Cleanup(s.Close)
	return s
}

// provider makes the peer's provider for a server.
func (p peer) provider(t testing.TB, s *service, clock Clock) Provider {
	t.Helper()
	c := Config{Client: s.Client(), Base: s.URL + p.at, Clock: clock, Contact: "someone@example.org"}
	if p.key {
		c.Key = secret
	}
	got, err := p.make(c)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func (p peer) file(kind string) string { return p.name + kind + "." + p.ext }
