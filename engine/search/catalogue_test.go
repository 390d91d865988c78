package search

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"unicode/utf8"

	"assay/engine/research"
)

// Answers in the forms of the three services, cut down; the test of recorded ones is TestCatalogueRecorded.
const (
	crossrefOne = `{"status":"ok","message-type":"work","message":{"DOI":"10.5555/tide.1","type":"journal-article","title":["Tidal <i>range</i> &amp; output"],"author":[{"given":"Ann","family":"Ayer"},{"name":"The Group"}],"container-title":["Journal of Tides"],"issued":{"date-parts":[[2024,5,2]]}}}`
	crossrefSet = `{"status":"ok","message-type":"work-list","message":{"items":[{"DOI":"10.5555/tide.1","type":"posted-content","title":["Tidal range"],"author":[{"given":"Ann","family":"Ayer"}],"issued":{"date-parts":[[2023]]}}]}}`
	openAlexSet = `{"meta":{"count":1},"results":[{"id":"https://openalex.org/W1","doi":"https://doi.org/10.48550/arXiv.2401.00001","title":"Open tides","type":"preprint","publication_year":2024,"primary_location":{"landing_page_url":"https://arxiv.org/abs/2401.00001","source":{"display_name":"arXiv"}},"authorships":[{"author":{"display_name":"Ann Ayer"}}]}]}`
	openAlexNil = `{"meta":{"count":0},"results":[]}`
	scholarOne  = `{"paperId":"0f34","title":"Learning tides","year":2024,"authors":[{"authorId":"1","name":"A. Ayer"}],"venue":"TideConf","externalIds":{"DOI":"10.5555/s2.1","CorpusId":5}}`
	scholarSet  = `{"total":1,"offset":0,"data":[` + scholarOne + `]}`
)

// catalogueServer answers for all three under /crossref, /openalex and /scholar.
func catalogueServer(t *testing.T, answer func(w http.ResponseWriter, r *http.Request) bool) (*httptest.Server, *atomic.Int32) {
	t.Helper()
	asked := new(atomic.Int32)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if answer != nil && answer(w, r) {
			return
		}
		w.Header().Set("Content-Type", "application/json")
		body := ""
		switch path := r.URL.EscapedPath(); {
		case strings.HasSuffix(path, "/unknown"):
			w.WriteHeader(http.StatusNotFound)
			body = `Resource not found.`
		case path == "/crossref/works":
			body = crossrefSet
		case strings.HasPrefix(path, "/crossref/works/"):
			body = crossrefOne
		case path == "/openalex/works" && strings.Contains(r.URL.Query().Get("filter"), "unknown"):
			body = openAlexNil
		case path == "/openalex/works":
			body = openAlexSet
		case path == "/scholar/paper/search":
			body = scholarSet
		case strings.HasPrefix(path, "/scholar/paper/"):
			body = scholarOne
		default:
			w.WriteHeader(http.StatusTeapot)
		}
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(s.Close)
	return s, asked
}

// threeCatalogues are the three, against a server, with a clock that does not wait.
func threeCatalogues(t *testing.T, s *httptest.Server, clock Clock) []Catalogue {
	t.Helper()
	var out []Catalogue
	for _, m := range []struct {
		at   string
		make func(Config) (Provider, error)
	}{{"/crossref", NewCrossref}, {"/openalex", NewOpenAlex}, {"/scholar", NewSemanticScholar}} {
		p, err := m.make(Config{Client: s.Client(), Base: s.URL + m.at, Clock: clock})
		if err != nil {
			t.Fatal(err)
		}
		c, ok := NewCatalogue(p)
		if !ok {
			t.Fatalf("%s is no catalogue", p.Name())
		}
		out = append(out, c)
	}
	return out
}

func TestLookUp(t *testing.T) {
	s, _ := catalogueServer(t, nil)
	l := LookUp(t.Context(), threeCatalogues(t, s, newClock()), research.CitedWork{Title: "Tidal range", Authors: []string{"Ann Ayer"}, Year: 2024, DOI: "10.5555/tide.1"})
	if !l.Checked() || len(l.Answers) != 3 || l.Note != "" {
		t.Fatalf("lookup %+v", l)
	}
	want := []string{
		"crossref by id: Tidal range & output | Ann Ayer, The Group | 2024 | Journal of Tides; by title: Tidal range (preprint)",
		"openalex by id: Open tides | Ann Ayer | 2024 | arXiv; by title: Open tides (preprint)",
		"semanticscholar by id: Learning tides | A. Ayer | 2024 | TideConf; by title: Learning tides",
	}
	for i, a := range l.Answers {
		got := fmt.Sprintf("%s by id: %s | %s | %d | %s; by title: %s", a.Catalogue, a.ByID.Title, strings.Join(a.ByID.Authors, ", "), a.ByID.Year, a.ByID.Venue, a.Works[0].Title)
		if a.Works[0].Preprint {
			got += " (preprint)"
		}
		if got != want[i] || a.Fault != "" || a.IDUnknown {
			t.Errorf("got  %s (%q)\nwant %s", got, a.Fault, want[i])
		}
	}
}

// TestLookUpUnknown: an identifier that nobody knows is told from one that nobody was asked for.
func TestLookUpUnknown(t *testing.T) {
	s, _ := catalogueServer(t, nil)
	l := LookUp(t.Context(), threeCatalogues(t, s, newClock()), research.CitedWork{Title: "Tidal range", DOI: "10.5555/unknown"})
	for _, a := range l.Answers {
		if !a.IDUnknown || a.ByID != nil || a.Fault != "" || len(a.Works) != 1 {
			t.Errorf("%s: %+v, want the identifier unknown and the title found", a.Catalogue, a)
		}
	}
	l = LookUp(t.Context(), threeCatalogues(t, s, newClock()), research.CitedWork{Title: "Tidal range"})
	for _, a := range l.Answers {
		if a.IDUnknown || a.ByID != nil {
			t.Errorf("%s: %+v, want nothing said of an identifier", a.Catalogue, a)
		}
	}
}

// TestLookUpFailsOpen: one that is asked too often says so, is left alone for a while, and the others still answer; when all refuse,
// the reference is not checked.
func TestLookUpFailsOpen(t *testing.T) {
	refuse := "/openalex"
	s, asked := catalogueServer(t, func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.HasPrefix(r.URL.Path, refuse) {
			return false
		}
		w.Header().Set("Retry-After", "600")
		w.WriteHeader(http.StatusTooManyRequests)
		_, _ = io.WriteString(w, `{"error":"Rate limit exceeded"}`)
		return true
	})
	three := threeCatalogues(t, s, newClock())
	ref := research.CitedWork{Title: "Tidal range", DOI: "10.5555/tide.1"}
	l := LookUp(t.Context(), three, ref)
	if !l.Checked() || l.Answers[0].Fault != "" || l.Answers[2].Fault != "" || !strings.Contains(l.Answers[1].Fault, "asked too often") {
		t.Errorf("lookup %+v, want openalex alone to say that it was asked too often", l)
	}
	before := asked.Load()
	if a := three[1].Lookup(t.Context(), ref); a.Fault == "" || asked.Load() != before {
		t.Errorf("asked again within the time it was told to wait: %d requests, %q", asked.Load()-before, a.Fault)
	}
	refuse = "/"
	l = LookUp(t.Context(), threeCatalogues(t, s, newClock()), ref)
	if l.Checked() {
		t.Errorf("checked although nobody looked: %+v", l)
	}
	for _, a := range l.Answers {
		if a.ByID != nil || a.IDUnknown || len(a.Works) > 0 {
			t.Errorf("%s says something of the reference although it did not look: %+v", a.Catalogue, a)
		}
	}
}

// TestLookUpHostile: pages for people, other JSON and a stopped run are faults, not answers.
func TestLookUpHostile(t *testing.T) {
	for _, body := range []string{"<!doctype html><title>Just a moment</title>", `{"status":"ok"}`, `[]`, "", `{"results":null,"total":3}`} {
		s, _ := catalogueServer(t, func(w http.ResponseWriter, _ *http.Request) bool {
			_, _ = io.WriteString(w, body)
			return true
		})
		if l := LookUp(t.Context(), threeCatalogues(t, s, newClock()), research.CitedWork{Title: "Tidal range"}); l.Checked() {
			t.Errorf("%q passes for an answer: %+v", body, l)
		}
	}
	s, asked := catalogueServer(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if l := LookUp(ctx, threeCatalogues(t, s, newClock()), research.CitedWork{Title: "Tidal range"}); l.Checked() || asked.Load() > 0 {
		t.Errorf("a stopped run looked: %+v", l)
	}
	if l := LookUp(t.Context(), nil, research.CitedWork{Title: "Tidal range"}); l.Checked() || !strings.Contains(l.Note, "not checked") {
		t.Errorf("without catalogues: %+v", l)
	}
	if l := LookUp(t.Context(), threeCatalogues(t, s, newClock()), research.CitedWork{Authors: []string{"Ann Ayer"}}); l.Checked() || !strings.Contains(l.Note, "neither a title") {
		t.Errorf("without a title: %+v", l)
	}
}

// TestCatalogues: the providers of a run are used again, and the others are made.
func TestCatalogues(t *testing.T) {
	have, err := NewCrossref(Config{Client: http.DefaultClient})
	if err != nil {
		t.Fatal(err)
	}
	got, err := Catalogues(http.DefaultClient, Keys{}, []Provider{have})
	if err != nil || len(got) != 3 || got[0].(catalogue).p != have.(*provider) {
		t.Fatalf("catalogues %v, %v, want the run's own Crossref and two others", got, err)
	}
	if names := got[0].Name() + " " + got[1].Name() + " " + got[2].Name(); names != "crossref openalex semanticscholar" {
		t.Errorf("catalogues %s", names)
	}
	if p, err := NewArXiv(Config{Client: http.DefaultClient}); err != nil {
		t.Fatal(err)
	} else if _, ok := NewCatalogue(p); ok {
		t.Error("arXiv passes for a catalogue")
	}
}

// TestCatalogueRecorded serves recorded answers of the services.
func TestCatalogueRecorded(t *testing.T) {
	dir := recordings(t)
	bodies := map[string]recording{
		"/crossref/works":       readRecording(t, dir, "crossref_works_search.json"),
		"/openalex/works":       readRecording(t, dir, "openalex_works_search.json"),
		"/scholar/paper/search": readRecording(t, dir, "semanticscholar_search.json"), // recorded with other fields: years alone
	}
	s, _ := catalogueServer(t, func(w http.ResponseWriter, r *http.Request) bool {
		if b, ok := bodies[r.URL.Path]; ok {
			_, _ = w.Write(b.body)
			return true
		}
		return false
	})
	l := LookUp(t.Context(), threeCatalogues(t, s, newClock()), research.CitedWork{Title: "whatever was asked"})
	for _, a := range l.Answers {
		if a.Fault != "" || len(a.Works) == 0 {
			t.Errorf("%s: %d works, %q", a.Catalogue, len(a.Works), a.Fault)
			continue
		}
		with := 0
		for _, w := range a.Works {
			if w.Year > 1900 && (a.Catalogue == "semanticscholar" || w.Title != "" && len(w.Authors) > 0) {
				with++
			}
		}
		if with == 0 {
			t.Errorf("%s: no work with a title, authors and a year in %+v", a.Catalogue, a.Works)
		}
	}
	bodies["/scholar/paper/search"] = readRecording(t, dir, "semanticscholar_429.json")
	s, _ = catalogueServer(t, func(w http.ResponseWriter, r *http.Request) bool {
		if strings.HasPrefix(r.URL.Path, "/scholar") {
			w.WriteHeader(http.StatusTooManyRequests)
			_, _ = w.Write(bodies["/scholar/paper/search"].body)
			return true
		}
		return false
	})
	if l := LookUp(t.Context(), threeCatalogues(t, s, newClock()), research.CitedWork{Title: "whatever was asked"}); !strings.Contains(l.Answers[2].Fault, "asked too often") || !l.Checked() {
		t.Errorf("a recorded refusal: %+v", l.Answers[2])
	}
}

// FuzzCatalogue: whatever a service sends, what is kept of it is bounded plain text, and a fault is one.
func FuzzCatalogue(f *testing.F) {
	for _, body := range []string{crossrefOne, crossrefSet, openAlexSet, openAlexNil, scholarOne, scholarSet, `{"results":[{"title":"a\nb","publication_year":-4}]}`} {
		f.Add([]byte(body), 200, "Tidal range")
		f.Add([]byte(body), 404, "")
	}
	f.Fuzz(func(t *testing.T, body []byte, status int, title string) {
		client := &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200 + status&0x1ff%400, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(string(body))), Request: r}, nil
		})}
		for _, make := range []func(Config) (Provider, error){NewCrossref, NewOpenAlex, NewSemanticScholar} {
			p, err := make(Config{Client: client, Clock: newClock()})
			if err != nil {
				t.Fatal(err)
			}
			c, _ := NewCatalogue(p)
			a := c.Lookup(t.Context(), research.CitedWork{Title: title, DOI: "10.5555/tide.1"})
			if a.Fault != "" && (len(a.Works) > 0 || a.ByID != nil || a.IDUnknown || !utf8.ValidString(a.Fault)) {
				t.Fatalf("a fault and an answer: %+v", a)
			}
			works := a.Works
			if a.ByID != nil {
				works = append(works, *a.ByID)
			}
			for _, w := range works {
				for _, s := range append([]string{w.Title, w.Venue, w.DOI, w.ArXiv}, w.Authors...) {
					if oneLine(s, maxTitle) != s {
						t.Fatalf("%q is no plain line", s)
					}
				}
				if len(w.Authors) > maxAuthors || w.Year != 0 && (w.Year < 1000 || w.Year > 9999) || w.Catalogue != c.Name() ||
					w.Location != "" && !strings.HasPrefix(strings.ToLower(w.Location), "http") {
					t.Fatalf("work %+v", w)
				}
			}
		}
	})
}
