package search

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/engine/research"
	"assay/engine/text"
)

// each runs a test for every provider.
func each(t *testing.T, run func(*testing.T, peer)) {
	for _, p := range peers() {
		t.Run(p.name, func(t *testing.T) { run(t, p) })
	}
}

// sound holds what is true of every answer.
func sound(t *testing.T, p Provider, q research.Query, a Answer) {
	t.Helper()
	limit := q.Limit
	if limit <= 0 {
		limit = defaultLimit
	}
	if len(a.Hits) > limit {
		t.Errorf("%d hits where at most %d were asked for", len(a.Hits), limit)
	}
	seen := map[string]bool{}
	for _, h := range a.Hits {
		u, err := url.Parse(h.Location)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
			t.Errorf("location %q is not an address of the web", h.Location)
		}
		key, err := text.CanonicalURL(h.Location)
		if err == nil && seen[key] {
			t.Errorf("location %q comes twice", h.Location)
		}
		seen[key] = true
		if h.Provider != p.Name() {
			t.Errorf("provider %q, want %q", h.Provider, p.Name())
		}
		if h.Title == "" || oneLine(h.Title, maxTitle) != h.Title || oneLine(h.Snippet, maxSnippet) != h.Snippet {
			t.Errorf("title %q or snippet %q is not clean", h.Title, h.Snippet)
		}
		if h.Published != "" && day(h.Published) != h.Published {
			t.Errorf("published %q is not a day, a month or a year", h.Published)
		}
		if h.Score != "" && (!h.Score.Known() || h.Score.Float() < 0 || h.Score.Float() > 1) {
			t.Errorf("score %q is not between 0 and 1", h.Score)
		}
	}
	for _, n := range a.Notes {
		if oneLine(n, 2*maxDetail) != n || n == "" {
			t.Errorf("note %q is not one clean line", n)
		}
	}
}

func TestFinds(t *testing.T) {
	each(t, func(t *testing.T, p peer) {
		s := serve(t, p, p.file(""), nil)
		got := p.provider(t, s, newClock())
		a, err := got.Ask(t.Context(), p.query())
		if err != nil {
			t.Fatal(err)
		}
		sound(t, got, p.query(), a)
		want := p.first
		want.Provider = got.Name()
		want.Location = strings.ReplaceAll(want.Location, "HOST", strings.TrimPrefix(s.URL, "http://"))
		if len(a.Hits) != p.n || !reflect.DeepEqual(a.Hits[0], want) {
			t.Errorf("%d hits, first %+v\nwant %d, %+v", len(a.Hits), a.Hits, p.n, want)
		}
		if got.Host() == "" || !strings.HasPrefix(got.Name(), p.name) {
			t.Errorf("name %q, host %q", got.Name(), got.Host())
		}
		hits, err := got.Search(t.Context(), research.Query{Text: p.query().Text, Lang: "zh", Limit: 1})
		if err != nil || len(hits) != 1 {
			t.Errorf("with a limit of 1: %d hits, %v", len(hits), err)
		}
	})
}

func TestFindsNothing(t *testing.T) {
	each(t, func(t *testing.T, p peer) {
		got := p.provider(t, serve(t, p, p.file(".empty"), nil), newClock())
		a, err := got.Ask(t.Context(), p.query())
		if err != nil || len(a.Hits) != 0 {
			t.Errorf("%d hits, %v", len(a.Hits), err)
		}
	})
}

func TestFilters(t *testing.T) {
	each(t, func(t *testing.T, p peer) {
		s := serve(t, p, p.file(""), nil)
		got := p.provider(t, s, newClock())
		q := p.query()
		q.Site, q.Range = "https://www.example.org/", research.DateRange{Start: "2024", End: "2024-12"}
		a, err := got.Ask(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		sound(t, got, q, a)
		if len(a.Hits) != p.filtered {
			t.Errorf("%d hits, want %d: %+v", len(a.Hits), p.filtered, a)
		}
		for _, h := range a.Hits {
			if h.Published != "" && !strings.HasPrefix(h.Published, "2024") {
				t.Errorf("%s is of %s", h.Location, h.Published)
			}
		}
		f := got.Filters()
		if s.count() == 0 { // it holds nothing of that site, and says so
			if f.Site != Native || len(a.Notes) == 0 {
				t.Errorf("not asked, with filters %+v and notes %q", f, a.Notes)
			}
			return
		}
		var sent strings.Builder
		for _, r := range s.sent {
			plain, err := url.QueryUnescape(r.URL.RequestURI())
			if err != nil {
				t.Fatal(err)
			}
			body, _ := io.ReadAll(r.Body)
			form, _ := url.QueryUnescape(r.Form.Encode())
			sent.WriteString(plain + "\n" + string(body) + form + "\n")
		}
		if p.name != "tavily" { // its body is gone by now; see TestTavilySends
			for _, want := range p.sends {
				if !strings.Contains(sent.String(), want) {
					t.Errorf("sent %s\nwithout %s", sent.String(), want)
				}
			}
		}
		said := strings.Join(a.Notes, "\n")
		if f.Site == Reapplied && !strings.Contains(said, "cannot search one site") {
			t.Errorf("the site was applied to the results; notes %q", a.Notes)
		}
		if f.Dates == Reapplied && !strings.Contains(said, "cannot search a range of dates") || f.Dates == Unapplied && !strings.Contains(said, "the range of dates was not applied") {
			t.Errorf("dates are %s; notes %q", f.Dates, a.Notes)
		}
	})
}

// TestDatesAlone holds the range where no site keeps a provider from being asked.
func TestDatesAlone(t *testing.T) {
	each(t, func(t *testing.T, p peer) {
		s := serve(t, p, p.file(""), nil)
		got := p.provider(t, s, newClock())
		q := p.query()
		q.Range = research.DateRange{Start: "2024-01-01"}
		a, err := got.Ask(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range a.Hits {
			if h.Published != "" && h.Published < "2024" {
				t.Errorf("%s is of %s", h.Location, h.Published)
			}
		}
		if f := got.Filters(); f.Dates != Native && len(a.Notes) == 0 {
			t.Errorf("dates are %s and no note says so", f.Dates)
		}
	})
}

func TestTavilySends(t *testing.T) {
	p := peers()[slices.IndexFunc(peers(), func(p peer) bool { return p.name == "tavily" })]
	var body, header string
	s := serve(t, p, p.file(""), func(_ http.ResponseWriter, r *http.Request, _ int) bool {
		b, _ := io.ReadAll(r.Body)
		body, header = string(b), r.Header.Get("Authorization")+r.Header.Get("X-Tavily-Access-Mode")
		return false
	})
	q := p.query()
	q.Site, q.Range = "example.org", research.DateRange{Start: "2024-01-01", End: "2024-12-31"}
	if _, err := p.provider(t, s, newClock()).Search(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	for _, want := range append(p.sends, `"include_answer":false`) {
		if !strings.Contains(body, want) {
			t.Errorf("sent %s\nwithout %s", body, want)
		}
	}
	if header != "Bearer "+secret {
		t.Errorf("header %q", header)
	}
	p.key = false
	if _, err := p.provider(t, s, newClock()).Search(t.Context(), q); err != nil || header != "keyless" {
		t.Errorf("without a key: header %q, %v", header, err)
	}
}

// fault is a way to fail, whoever fails so.
type fault struct {
	name   string
	status int
	header http.Header
	body   string
	want   error
}

func faults(t *testing.T) []fault {
	challenge, login := string(testdata(t, "challenge.html")), string(testdata(t, "login.html"))
	page := http.Header{"Content-Type": {"text/html"}}
	return []fault{
		{"401", 401, nil, `{"error":"no such key ` + secret + `"}`, ErrAuth},
		{"402", 402, nil, `{"error":"pay"}`, ErrQuota},
		{"403", 403, nil, `{"message":"Forbidden ` + url.QueryEscape(secret) + `"}`, ErrBlocked},
		{"403 challenge", 403, page, challenge, ErrChallenge},
		{"429", 429, http.Header{"Retry-After": {"7200"}}, "slow down", ErrRate},
		{"challenge 200", 200, page, challenge, ErrChallenge},
		{"challenge 202", 202, page, challenge, ErrChallenge},
		{"login page", 200, page, login, ErrChallenge},
		{"400", 400, nil, `{"error":"bad"}`, ErrBadQuery},
		{"404", 404, page, "<html><title>Not found</title></html>", ErrFormat},
		{"redirect without a place", 300, nil, "", ErrFormat},
		{"500", 500, nil, "oops", ErrUnavailable},
		{"503", 503, page, "<html><title>Maintenance</title></html>", ErrUnavailable},
		{"empty", 200, nil, "", ErrFormat},
		{"text", 200, http.Header{"Content-Type": {"text/plain"}}, "all is well", ErrFormat},
		{"other JSON", 200, nil, `{"hello":["world"]}`, ErrFormat},
		{"a list", 200, nil, `[1, 2]`, ErrFormat},
		{"null", 200, nil, `null`, ErrFormat},
		{"other XML", 200, nil, `<?xml version="1.0"?><hello><world/></hello>`, ErrFormat},
	}
}

func TestFaults(t *testing.T) {
	each(t, func(t *testing.T, p peer) {
		for _, f := range faults(t) {
			t.Run(f.name, func(t *testing.T) {
				want := f.want
				if w := p.other[f.name]; w != nil {
					want = w
				}
				if p.ext == "html" && f.name == "login page" {
					want = ErrFormat // a page is what is expected, but not this one
				}
				body := f.body
				if !p.key {
					body = strings.NewReplacer(secret, "", url.QueryEscape(secret), "").Replace(body)
				}
				s := serve(t, p, "", func(w http.ResponseWriter, _ *http.Request, _ int) bool {
					for k, v := range f.header {
						w.Header()[k] = v
					}
					w.WriteHeader(f.status)
					_, _ = io.WriteString(w, body)
					return true
				})
				clock := newClock()
				got := p.provider(t, s, clock)
				_, err := got.Ask(t.Context(), p.query())
				var e *Error
				if !errors.Is(err, want) || !errors.As(err, &e) {
					t.Fatalf("error %v, want %v", err, want)
				}
				sentence(t, err, e)
				if clock.total() > time.Minute {
					t.Errorf("waited %s", clock.total())
				}
				// Whoever says wait, or tests for robots, is left alone.
				n := s.count()
				_, again := got.Ask(t.Context(), p.query())
				if left := want == ErrChallenge || f.header.Get("Retry-After") != ""; left && s.count() != n {
					t.Errorf("asked again after %v", err)
				}
				if !errors.Is(again, want) {
					t.Errorf("asked again: %v, want %v", again, want)
				}
			})
		}
	})
}

func TestTooLarge(t *testing.T) {
	block := []byte(strings.Repeat("x", 64<<10))
	each(t, func(t *testing.T, p peer) {
		s := serve(t, p, "", func(w http.ResponseWriter, _ *http.Request, _ int) bool {
			_, _ = io.WriteString(w, `{"a":"`)
			for range 100 * maxBody / len(block) { // much more than is read
				if _, err := w.Write(block); err != nil {
					break
				}
			}
			return true
		})
		_, err := p.provider(t, s, newClock()).Ask(t.Context(), p.query())
		if !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "larger than 3 MiB") {
			t.Errorf("error %v", err)
		}
	})
}

// sentence holds that an error is one line without keys that says who, what and what to do.
func sentence(t *testing.T, err error, e *Error) {
	t.Helper()
	for _, s := range []string{err.Error(), fmt.Sprintf("%+v", e), e.Detail} {
		for _, k := range []string{secret, url.QueryEscape(secret), url.PathEscape(secret)} {
			if strings.Contains(s, k) {
				t.Errorf("the key is in %q", s)
			}
		}
	}
	if says[e.Kind].next == "" || e.Host == "" || !strings.HasPrefix(err.Error(), e.Host) || strings.ContainsAny(err.Error(), "\n\r") {
		t.Errorf("error %q of kind %v", err, e.Kind)
	}
	if next := e.Next; next == "" && !strings.HasSuffix(err.Error(), says[e.Kind].next) {
		t.Errorf("error %q does not say what to do", err)
	}
}

// TestCut holds that an answer that breaks off is never read as a smaller one. A table of lines and a page have no end.
func TestCut(t *testing.T) {
	each(t, func(t *testing.T, p peer) {
		if p.ext == "html" {
			return
		}
		whole := strings.TrimSpace(string(testdata(t, p.file(""))))
		for at := 1; at < len(whole); at += max(1, len(whole)/40) {
			s := serve(t, p, "", func(w http.ResponseWriter, r *http.Request, _ int) bool {
				for path := range p.second {
					if strings.HasSuffix(r.URL.Path, path) && p.name == "kiwix" {
						_, _ = w.Write(testdata(t, p.second[path]))
						return true
					}
				}
				_, _ = io.WriteString(w, whole[:at])
				return true
			})
			if a, err := p.provider(t, s, newClock()).Ask(t.Context(), p.query()); err == nil {
				t.Errorf("cut at %d: %d hits and no error", at, len(a.Hits))
			}
			s.Close()
		}
	})
}

func TestNobodyThere(t *testing.T) {
	each(t, func(t *testing.T, p peer) {
		s := serve(t, p, p.file(""), nil)
		got := p.provider(t, s, newClock())
		s.Close()
		_, err := got.Ask(t.Context(), p.query())
		var e *Error
		if !errors.As(err, &e) || e.Kind != ErrUnavailable {
			t.Fatalf("error %v", err)
		}
		sentence(t, err, e)
	})
}

func TestBrokenOff(t *testing.T) {
	each(t, func(t *testing.T, p peer) {
		s := serve(t, p, "", func(w http.ResponseWriter, _ *http.Request, _ int) bool {
			w.Header().Set("Content-Length", "1000")
			_, _ = io.WriteString(w, `{"a":`)
			return true
		})
		if _, err := p.provider(t, s, newClock()).Ask(t.Context(), p.query()); !errors.Is(err, ErrUnavailable) {
			t.Errorf("error %v", err)
		}
	})
}

func TestStops(t *testing.T) {
	each(t, func(t *testing.T, p peer) {
		release := make(chan struct{})
		asked := make(chan struct{}, 100)
		s := serve(t, p, "", func(_ http.ResponseWriter, r *http.Request, _ int) bool {
			asked <- struct{}{}
			select {
			case <-release:
			case <-r.Context().Done():
			}
			return true
		})
		defer close(release)
		got := p.provider(t, s, newClock())
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 2)
		go func() { _, err := got.Ask(ctx, p.query()); done <- err }()
		<-asked
		go func() { _, err := got.Ask(ctx, p.query()); done <- err }() // this one waits for its turn
		cancel()
		for range 2 {
			if err := <-done; !errors.Is(err, context.Canceled) {
				t.Errorf("error %v", err)
			}
		}
		if _, err := got.Ask(ctx, p.query()); !errors.Is(err, context.Canceled) {
			t.Errorf("after the end: %v", err)
		}
	})
}

func TestBadQueries(t *testing.T) {
	each(t, func(t *testing.T, p peer) {
		s := serve(t, p, p.file(""), nil)
		got := p.provider(t, s, newClock())
		for _, q := range []research.Query{
			{}, {Text: " \n\u202e "},
			{Text: "x y z", Site: "not a host"}, {Text: "x", Site: "http://"}, {Text: "x", Site: "a.org/?q=\"b\" OR"},
			{Text: "x", Range: research.DateRange{Start: "soon"}}, {Text: "x", Range: research.DateRange{Start: "2024-05-02", End: "2024-05-01"}},
		} {
			if q.Site == "a.org/?q=\"b\" OR" {
				continue // what a browser shows after the host is left out
			}
			_, err := got.Ask(t.Context(), q)
			var e *Error
			if !errors.As(err, &e) || e.Kind != ErrBadQuery {
				t.Errorf("query %+v: error %v", q, err)
				continue
			}
			sentence(t, err, e)
		}
		if s.count() != 0 {
			t.Errorf("%d requests for queries that nobody can answer", s.count())
		}
		long := p.query()
		long.Text += strings.Repeat(" tide", 1000)
		long.Limit = 1 << 30
		if a, err := got.Ask(t.Context(), long); err != nil || len(a.Hits) == 0 || !strings.Contains(strings.Join(a.Notes, "\n"), "was cut") {
			t.Errorf("a long query: %+v, %v", a, err)
		}
	})
}

// TestKeyStays holds that an answer that leads elsewhere takes no key there.
func TestKeyStays(t *testing.T) {
	each(t, func(t *testing.T, p peer) {
		if !p.key {
			return // nothing to keep
		}
		reached := 0
		elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached++ }))
		defer elsewhere.Close()
		s := serve(t, p, "", func(w http.ResponseWriter, r *http.Request, _ int) bool {
			http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
			return true
		})
		_, err := p.provider(t, s, newClock()).Ask(t.Context(), p.query())
		if reached != 0 || !errors.Is(err, ErrFormat) {
			t.Errorf("reached %d times, error %v", reached, err)
		}
	})
}
