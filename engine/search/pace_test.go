package search

import (
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func peerNamed(name string) peer {
	return peers()[slices.IndexFunc(peers(), func(p peer) bool { return p.name == name })]
}

// TestPace holds that requests are as far apart as the service asks for.
func TestPace(t *testing.T) {
	for name, gap := range map[string]time.Duration{
		"arxiv": 3 * time.Second, "gdelt": 6 * time.Second, "wikipedia-en": 500 * time.Millisecond, "duckduckgo": 5 * time.Second,
		"semanticscholar": 1100 * time.Millisecond, "wayback": 2500 * time.Millisecond, "kiwix": 0,
	} {
		t.Run(name, func(t *testing.T) {
			p := peerNamed(name)
			s := serve(t, p, p.file(""), nil)
			clock := newClock()
			got := p.provider(t, s, clock)
			for range 4 {
				if _, err := got.Ask(t.Context(), p.query()); err != nil {
					t.Fatal(err)
				}
			}
			if want := 3 * gap; clock.total() != want {
				t.Errorf("waited %s, want %s", clock.total(), want)
			}
		})
	}
}

// TestOneAtATime holds that callers who come together are sent one after the other.
func TestOneAtATime(t *testing.T) {
	p := peerNamed("arxiv")
	var mu sync.Mutex
	under, most := 0, 0
	s := serve(t, p, p.file(""), func(http.ResponseWriter, *http.Request, int) bool {
		mu.Lock()
		defer mu.Unlock()
		under++
		most = max(most, under)
		under--
		return false
	})
	clock := newClock()
	got := p.provider(t, s, clock)
	var wg sync.WaitGroup
	for range 5 {
		wg.Go(func() {
			if _, err := got.Ask(t.Context(), p.query()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if most != 1 || clock.total() != 12*time.Second {
		t.Errorf("%d at once, waited %s", most, clock.total())
	}
}

// TestTriesAgain holds that what passes by itself is waited for, as long as the server says.
func TestTriesAgain(t *testing.T) {
	each(t, func(t *testing.T, p peer) {
		for _, tc := range []struct {
			name   string
			status int
			after  string
			least  time.Duration
		}{
			{"after seconds", 429, "7", 7 * time.Second},
			{"after a date", 503, "Mon, 30 Nov 2026 12:00:09 GMT", 9 * time.Second},
			{"after an unknown time", 503, "", time.Second},
			{"after nonsense", 429, "soon", time.Second},
		} {
			t.Run(tc.name, func(t *testing.T) {
				s := serve(t, p, p.file(""), func(w http.ResponseWriter, _ *http.Request, nth int) bool {
					if nth > 1 {
						return false
					}
					if tc.after != "" {
						w.Header().Set("Retry-After", tc.after)
					}
					w.WriteHeader(tc.status)
					_, _ = io.WriteString(w, "later")
					return true
				})
				clock := newClock()
				got := p.provider(t, s, clock)
				a, err := got.Ask(t.Context(), p.query())
				if p.name == "duckduckgo" { // never at once
					if err == nil {
						t.Error("tried again at once")
					}
					return
				}
				if p.name == "wayback" && tc.after == "soon" {
					if !errors.Is(err, ErrRate) {
						t.Errorf("error %v, want the minute that the archive asks for", err)
					}
					return
				}
				if err != nil || len(a.Hits) == 0 || clock.total() < tc.least {
					t.Errorf("%d hits after %s, %v", len(a.Hits), clock.total(), err)
				}
			})
		}
	})
}

// TestLearns holds that the headers of an answer set the pace.
func TestLearns(t *testing.T) {
	tests := []struct {
		name, peer string
		header     http.Header
		wait       time.Duration // before the second request
		want       error         // of the second request
	}{
		{"requests an interval", "crossref", http.Header{"X-Rate-Limit-Limit": {"2"}, "X-Rate-Limit-Interval": {"1s"}}, 500 * time.Millisecond, nil},
		{"an absurd interval", "crossref", http.Header{"X-Rate-Limit-Limit": {"1"}, "X-Rate-Limit-Interval": {"9000h"}}, maxWait, nil},
		{"some left", "brave", http.Header{"X-Ratelimit-Limit": {"50, 0"}, "X-Ratelimit-Remaining": {"49, 0"}, "X-Ratelimit-Reset": {"1, 1419704"}}, time.Second, nil},
		{"none left for now", "brave", http.Header{"X-Ratelimit-Limit": {"1, 2000"}, "X-Ratelimit-Remaining": {"0, 5"}, "X-Ratelimit-Reset": {"4, 1419704"}}, 4 * time.Second, nil},
		{"none left this month", "brave", http.Header{"X-Ratelimit-Limit": {"50, 2000"}, "X-Ratelimit-Remaining": {"49, 0"}, "X-Ratelimit-Reset": {"1, 1419704"}}, 0, ErrQuota},
		{"none left until a moment", "openalex", http.Header{"X-Ratelimit-Limit": {"10"}, "X-Ratelimit-Remaining": {"0"}, "X-Ratelimit-Reset": {"1796040065"}}, 0, ErrRate},
		{"no numbers", "brave", http.Header{"X-Ratelimit-Limit": {"many"}, "X-Ratelimit-Remaining": {"0"}, "X-Ratelimit-Reset": {"9"}}, time.Second, nil},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			p := peerNamed(tc.peer)
			s := serve(t, p, p.file(""), func(w http.ResponseWriter, _ *http.Request, _ int) bool {
				for k, v := range tc.header {
					w.Header()[k] = v
				}
				return false
			})
			clock := newClock()
			got := p.provider(t, s, clock)
			if _, err := got.Ask(t.Context(), p.query()); err != nil {
				t.Fatal(err)
			}
			first := clock.total()
			_, err := got.Ask(t.Context(), p.query())
			if !errors.Is(err, tc.want) {
				t.Fatalf("the second request: %v, want %v", err, tc.want)
			}
			if tc.want == nil {
				if waited := clock.total() - first; waited != tc.wait {
					t.Errorf("waited %s, want %s", waited, tc.wait)
				}
			} else if s.count() != 1 {
				t.Errorf("%d requests", s.count())
			}
		})
	}
}

// TestHourly holds the most requests an hour of a service that wants few.
func TestHourly(t *testing.T) {
	p := peerNamed("duckduckgo")
	s := serve(t, p, p.file(""), nil)
	clock := newClock()
	got := p.provider(t, s, clock)
	for i := range 31 {
		_, err := got.Ask(t.Context(), p.query())
		if i < 30 && err != nil || i == 30 && !errors.Is(err, ErrRate) {
			t.Fatalf("request %d: %v", i+1, err)
		}
	}
	clock.now = clock.now.Add(time.Hour)
	if _, err := got.Ask(t.Context(), p.query()); err != nil || s.count() != 31 {
		t.Errorf("an hour later: %v, %d requests", err, s.count())
	}
}

// TestChallengedRests holds that a service which tests for robots is asked again only after an hour.
func TestChallengedRests(t *testing.T) {
	p := peerNamed("duckduckgo")
	s := serve(t, p, p.file(""), func(w http.ResponseWriter, _ *http.Request, nth int) bool {
		if nth == 1 {
			w.WriteHeader(http.StatusAccepted)
			_, _ = w.Write(testdata(t, "challenge.html"))
		}
		return nth == 1
	})
	clock := newClock()
	got := p.provider(t, s, clock)
	for range 3 {
		if _, err := got.Ask(t.Context(), p.query()); !errors.Is(err, ErrChallenge) {
			t.Fatalf("error %v", err)
		}
	}
	clock.now = clock.now.Add(time.Hour + time.Second)
	if _, err := got.Ask(t.Context(), p.query()); err != nil || s.count() != 2 {
		t.Errorf("an hour later: %v, %d requests", err, s.count())
	}
}

func TestSharedPace(t *testing.T) {
	list, err := Default(http.DefaultClient, Keys{})
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]*pacer{}
	for _, p := range list {
		byName[p.Name()] = p.(*provider).pacer
	}
	if a := byName["wikipedia-en"]; a != byName["wikipedia-zh"] || a != byName["wikidata"] || a == byName["crossref"] {
		t.Error("one operator's hosts do not share a pace")
	}
}

// TestHeldApart holds that of hosts with one pace a limit stops all, and being down only the one that is.
func TestHeldApart(t *testing.T) {
	clock := newClock()
	p := newPacer(clock, wikimediaPace)
	p.shared = true
	p.hold("en.example.org", &Error{Kind: ErrUnavailable}, time.Minute)
	if err := p.begin(t.Context(), "en.example.org"); !errors.Is(err, ErrUnavailable) {
		t.Errorf("the host that is down: %v", err)
	}
	if err := p.begin(t.Context(), "zh.example.org"); err != nil {
		t.Errorf("another host: %v", err)
	}
	p.end()
	p.hold("en.example.org", &Error{Kind: ErrRate}, time.Minute)
	if err := p.begin(t.Context(), "zh.example.org"); !errors.Is(err, ErrRate) {
		t.Errorf("another host of an operator who was asked too often: %v", err)
	}
}

func TestDefault(t *testing.T) {
	names := func(list []Provider) string {
		var out []string
		for _, p := range list {
			out = append(out, p.Name())
		}
		return strings.Join(out, " ")
	}
	const free = "wikipedia-en wikipedia-zh crossref arxiv europepmc pubmed gdelt wayback wikidata"
	list, err := Default(http.DefaultClient, Keys{})
	if err != nil || names(list) != free {
		t.Errorf("without keys: %s, %v", names(list), err)
	}
	all := Keys{
		Brave: "brave-key", Tavily: "tavily-key", Mojeek: "mojeek-key", OpenAlex: "openalex-key", SemanticScholar: "s2-key-of-mine", PubMed: "pubmed-key", DuckDuckGo: true,
		SearXNG: "http://127.0.0.1:8888", Kiwix: "http://127.0.0.1:8080/", MediaWikis: []string{"http://wiki.local/api.php"}, Feeds: []string{"https://example.org/feed"},
	}
	list, err = Default(http.DefaultClient, all)
	if want := free + " openalex semanticscholar brave tavily mojeek searxng kiwix mediawiki-wiki.local feeds duckduckgo"; err != nil || names(list) != want {
		t.Errorf("with all keys: %s, %v", names(list), err)
	}
	for _, p := range list {
		if f := p.Filters(); f.Site == "" || f.Dates == "" {
			t.Errorf("%s: filters %+v", p.Name(), f)
		}
	}
	list, err = Default(http.DefaultClient, Keys{SearXNG: "ftp://x", Kiwix: "http://user:pass@x/", Feeds: []string{"nowhere"}, Brave: "two words of it", Tavily: "short", MediaWikis: []string{"::"}})
	if err == nil || names(list) != free {
		t.Errorf("with wrong entries: %s, %v", names(list), err)
	}
	for _, who := range []string{"SearXNG", "Kiwix", "feeds", "Brave", "Tavily", "MediaWiki"} {
		if !strings.Contains(err.Error(), who+": ") {
			t.Errorf("error %q does not name %s", err, who)
		}
	}
	if strings.Contains(err.Error(), "pass") || strings.Contains(err.Error(), "two words") {
		t.Errorf("error %q holds what was entered", err)
	}
	if _, err := Default(nil, Keys{}); err == nil {
		t.Error("no client and no error")
	}
}

// TestGivesUp holds that a service which was given up is left alone for a minute, so that a run without a network ends soon.
func TestGivesUp(t *testing.T) {
	each(t, func(t *testing.T, p peer) {
		s := serve(t, p, "", func(w http.ResponseWriter, _ *http.Request, _ int) bool {
			w.WriteHeader(http.StatusInternalServerError)
			return true
		})
		clock := newClock()
		got := p.provider(t, s, clock)
		_, err := got.Ask(t.Context(), p.query())
		n, waited := s.count(), clock.total()
		for range 10 {
			if _, err := got.Ask(t.Context(), p.query()); !errors.Is(err, ErrUnavailable) {
				t.Fatalf("error %v", err)
			}
		}
		if s.count() != n || clock.total() != waited {
			t.Errorf("%d more requests and %s more after %v", s.count()-n, clock.total()-waited, err)
		}
		clock.now = clock.now.Add(rest + time.Second)
		if _, err := got.Ask(t.Context(), p.query()); !errors.Is(err, ErrUnavailable) || s.count() == n {
			t.Errorf("a minute later: %v, %d requests", err, s.count())
		}
		s.Close()
		away := p.provider(t, s, clock)
		waited = clock.total()
		for range 3 {
			if _, err := away.Ask(t.Context(), p.query()); !errors.Is(err, ErrUnavailable) {
				t.Errorf("error %v", err)
			}
		}
		if clock.total()-waited > 10*time.Second { // the gaps between several feeds or books at most
			t.Errorf("waited %s where nobody answers", clock.total()-waited)
		}
	})
}

// TestRefused holds that a client which may not send says so at once, each time anew.
func TestRefused(t *testing.T) {
	p := peerNamed("crossref")
	refuses := errors.New("outside the run's reach")
	asked := 0
	client := &http.Client{Transport: roundTrip(func(*http.Request) (*http.Response, error) { asked++; return nil, refuses })}
	clock := newClock()
	got, err := NewCrossref(Config{Client: client, Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		_, err = got.Ask(t.Context(), p.query())
		if !errors.Is(err, refuses) || !errors.Is(err, ErrUnavailable) {
			t.Errorf("error %v", err)
		}
	}
	if asked != 2 || clock.total() > time.Second {
		t.Errorf("asked %d times, waited %s", asked, clock.total())
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestIdentifiers holds that a query which is the number of a work looks that work up.
func TestIdentifiers(t *testing.T) {
	for _, tc := range []struct{ peer, text, sends, body, want string }{
		{"crossref", "10.5555/a(b)", "/works/10.5555/a%28b%29?mailto=someone%40example.org", `{"status":"ok","message":{"DOI":"10.5555/a(b)","title":["T"]}}`, "https://doi.org/10.5555/a%28b%29"},
		{"crossref", "doi:10.5555/none", "/works/10.5555/none", "Resource not found.", ""},
		{"arxiv", "arXiv:2402.00001v1", "id_list=2402.00001v1", string(testdata(t, "arxiv.xml")), "https://arxiv.org/abs/2402.00001v1"},
		{"arxiv", "hep-th/9901001", "id_list=hep-th%2F9901001", string(testdata(t, "arxiv.xml")), "https://arxiv.org/abs/2402.00001v1"},
	} {
		t.Run(tc.peer+" "+tc.text, func(t *testing.T) {
			p := peerNamed(tc.peer)
			var sent string
			s := serve(t, p, "", func(w http.ResponseWriter, r *http.Request, _ int) bool {
				if sent = r.URL.RequestURI(); tc.want == "" {
					w.WriteHeader(http.StatusNotFound)
				}
				_, _ = io.WriteString(w, tc.body)
				return true
			})
			q := p.query()
			q.Text = tc.text
			a, err := p.provider(t, s, newClock()).Ask(t.Context(), q)
			if err != nil || !strings.Contains(sent, tc.sends) {
				t.Fatalf("sent %s, want %s; %v", sent, tc.sends, err)
			}
			if tc.want == "" {
				if len(a.Hits) != 0 || len(a.Notes) == 0 {
					t.Errorf("%+v", a)
				}
			} else if len(a.Hits) == 0 || a.Hits[0].Location != tc.want {
				t.Errorf("%+v, want %s", a.Hits, tc.want)
			}
		})
	}
}
