package search

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"assay/engine/research"
)

// TestFeedsUnchanged holds that a feed is sent again only when it has changed.
func TestFeedsUnchanged(t *testing.T) {
	p := peerNamed("feeds")
	whole := 0
	s := serve(t, p, p.file(""), func(w http.ResponseWriter, r *http.Request, _ int) bool {
		w.Header().Set("ETag", `"v1"`)
		w.Header().Set("Last-Modified", "Fri, 17 May 2024 00:00:00 GMT")
		if r.Header.Get("If-None-Match") == `"v1"` && r.Header.Get("If-Modified-Since") != "" {
			w.WriteHeader(http.StatusNotModified)
			return true
		}
		whole++
		return false
	})
	got := p.provider(t, s, newClock())
	for range 3 {
		if hits, err := got.Search(t.Context(), p.query()); err != nil || len(hits) != p.n {
			t.Fatalf("%d hits, %v", len(hits), err)
		}
	}
	if whole != 1 || s.count() != 3 {
		t.Errorf("sent whole %d times in %d requests", whole, s.count())
	}
	if hits, err := got.Search(t.Context(), research.Query{Text: "glacier melting", Lang: "en"}); err != nil || len(hits) != 0 {
		t.Errorf("words that no entry has: %d hits, %v", len(hits), err)
	}
}

// TestFeedsApart holds that a feed which fails is said and stops no other, and that all failing is a failure.
func TestFeedsApart(t *testing.T) {
	down := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) }))
	defer down.Close()
	p := peerNamed("feeds")
	s := serve(t, p, p.file(""), nil)
	got, err := NewFeeds(Config{Client: s.Client(), Clock: newClock()}, []string{down.URL + "/a", s.URL + "/b", down.URL + "/c", s.URL + "/b"})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		a, err := got.Ask(t.Context(), p.query())
		notes := strings.Join(a.Notes, "\n")
		if err != nil || len(a.Hits) != p.n || strings.Count(notes, strings.TrimPrefix(down.URL, "http://")+" cannot be reached") != 2 {
			t.Errorf("%d hits, notes %q, %v", len(a.Hits), a.Notes, err)
		}
	}
	got, err = NewFeeds(Config{Client: s.Client(), Clock: newClock()}, []string{down.URL + "/a"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := got.Ask(t.Context(), p.query()); !errors.Is(err, ErrUnavailable) {
		t.Errorf("every feed down: %v", err)
	}
}

// TestBooks holds the order in which books are searched, and that one which fails stops no other.
func TestBooks(t *testing.T) {
	books := []book{{name: "fr", langs: []string{"fra"}}, {name: "zh", langs: []string{"zho"}}, {name: "en", langs: []string{"eng", "deu"}}}
	for lang, want := range map[string]string{"en": "en", "zh": "zh", "": "fr", "de": "fr"} {
		if got, notes := choose(books, lang); got[0].name != want || len(notes) != 0 {
			t.Errorf("in %q: %+v, %q", lang, got, notes)
		}
	}
	if got, notes := choose(make([]book, 20), "en"); len(got) != maxBooks || len(notes) != 1 {
		t.Errorf("%d books, %q", len(got), notes)
	}
	p := peerNamed("kiwix")
	s := serve(t, p, p.file(""), func(w http.ResponseWriter, r *http.Request, _ int) bool {
		switch {
		case strings.HasSuffix(r.URL.Path, "/entries"):
			body := string(testdata(t, "kiwix.catalog.xml"))
			_, entry, _ := strings.Cut(body, "<entry>")
			_, _ = w.Write([]byte(strings.Replace(body, "</feed>", "<entry>"+strings.ReplaceAll(strings.TrimSuffix(strings.TrimSpace(entry), "</feed>"), "/harbour\"", "/broken\"")+"</feed>", 1)))
			return true
		case r.FormValue("content") == "broken":
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write([]byte(`<?xml version="1.0"><error>Invalid request</error><detail>The book has no full-text index</detail>`))
			return true
		}
		return false
	})
	a, err := p.provider(t, s, newClock()).Ask(t.Context(), p.query())
	if err != nil || len(a.Hits) != p.n || !strings.Contains(strings.Join(a.Notes, "\n"), "no full-text index") {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestSpan(t *testing.T) {
	s := searxng{newClock()}
	for first, want := range map[string]string{"": "", "2026-11-30": "day", "2026-11-10": "month", "2026-02-01": "year", "2020-01-01": "", "2027-01-01": "day"} {
		if got := s.span(ask{first: first}); got != want {
			t.Errorf("span(%q) = %q, want %q", first, got, want)
		}
	}
}
