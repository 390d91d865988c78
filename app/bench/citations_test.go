package bench

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestCitations scores seven references of our own.
func TestCitations(t *testing.T) {
	said := filepath.Join(t.TempDir(), "said.jsonl")
	code, stdout, stderr := bench(t, "citations", "--data", "testdata/citations", "--predictions", said, "--json")
	if code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	var s citationsScore
	if err := json.Unmarshal([]byte(stdout), &s); err != nil {
		t.Fatalf("%v in %s", err, stdout)
	}
	if s.N != 7 || s.Real != 3 || s.Tier1 != 1 || s.Works != 3 || s.NotChecked != 0 {
		t.Errorf("score %s, want 7 references, 3 real, as many works", stdout)
	}
	if s.Detection != 1 || s.FalseAlarms != 0 || s.F1 != 1 || s.Offline.Detection != 0.25 || s.Offline.FalseAlarms != 0 {
		t.Errorf("score %s, want all found by the catalogues and one of four by its form", stdout)
	}
	if s.Check.Detection != 0.75 || s.Check.FalseAlarms != 0 || s.Identity.Detection != 0.75 {
		t.Errorf("check %+v, identity %+v: want both to find the authors, the work that is none and by form the year", s.Check, s.Identity)
	}
	if v := s.Cascade.Types["near_miss_title"]; v.N != 1 || v.Share != 1 {
		t.Errorf("a title worded otherwise: %+v", v)
	}
	if b, err := os.ReadFile(said); err != nil || strings.Count(string(b), "\n") != 7 {
		t.Errorf("predictions %q, %v, want 7 lines", b, err)
	}
	if code, _, stderr = bench(t, "citations", "--data", "testdata/json"); code != 1 || !strings.Contains(stderr, "no labelled reference") {
		t.Errorf("exit %d, %q on other data", code, stderr)
	}
}

// TestCited reads the fields of an entry.
func TestCited(t *testing.T) {
	ref := citationCase{Key: "k", Fields: map[string]string{
		"title": `{GPT} \& tides`, "author": "Ayer, Ann and B. Brown and et al", "year": "2024", "journal": "arXiv", "note": "arXiv:2401.00001",
	}}.cited()
	if ref.Title != "GPT & tides" || !slices.Equal(ref.Authors, []string{"Ayer, Ann", "B. Brown"}) || !ref.Partial || ref.Year != 2024 || ref.Venue != "arXiv" || ref.ArXiv != "2401.00001" {
		t.Errorf("%+v", ref)
	}
}

// TestMadeCatalogueForms: what the made catalogue serves has the fields that recorded answers of the services have.
func TestMadeCatalogueForms(t *testing.T) {
	var c citationCase
	if err := json.Unmarshal([]byte(`{"bibtex_key":"r","label":"VALID","fields":{"title":"Tidal range","author":"Ann Ayer","year":"2021","doi":"10.1609/x.1","booktitle":"AAAI"}}`), &c); err != nil {
		t.Fatal(err)
	}
	m := madeCatalogue([]citationCase{c})
	for _, tc := range []struct {
		path   string
		status int
		want   []string
	}{
		{"/crossref/works?query.bibliographic=tidal+range", 200, []string{`"status":"ok"`, `"items":[`, `"date-parts":[[2021]]`, `"family":"Ayer"`}},
		{"/crossref/works/10.1609/x.1", 200, []string{`"message":{`, `"DOI":"10.1609/x.1"`}},
		{"/crossref/works/10.1609/none", 404, []string{"Resource not found."}},
		{"/openalex/works?filter=doi:https://doi.org/10.1609/x.1", 200, []string{`"results":[{`, `"display_name":"Ann Ayer"`}},
		{"/openalex/works?filter=doi:https://doi.org/10.1609/none", 200, []string{`"results":[]`}},
		{"/scholar/paper/search?query=tidal", 200, []string{`"total":1`, `"externalIds":{`}},
		{"/scholar/paper/DOI:10.1609/none", 404, []string{"not found"}},
		{"/elsewhere", 404, nil},
	} {
		w := httptest.NewRecorder()
		m.ServeHTTP(w, httptest.NewRequest(http.MethodGet, tc.path, nil))
		for _, part := range tc.want {
			if !strings.Contains(w.Body.String(), part) {
				t.Errorf("%s: %s, want %s in it", tc.path, w.Body, part)
			}
		}
		if w.Code != tc.status {
			t.Errorf("%s: status %d, want %d", tc.path, w.Code, tc.status)
		}
	}
}
