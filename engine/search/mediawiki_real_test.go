package search

import (
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"

	"assay/engine/research"
)

// TestMediaWikiReal asks a real MediaWiki that was just installed: ASSAY_MEDIAWIKI is the address of its api.php.
func TestMediaWikiReal(t *testing.T) {
	base := os.Getenv("ASSAY_MEDIAWIKI")
	if base == "" {
		t.Skip("ASSAY_MEDIAWIKI is not set: there is no MediaWiki to ask")
	}
	c := Config{Client: http.DefaultClient, Base: base}
	p, err := NewMediaWiki(c)
	if err != nil {
		t.Fatal(err)
	}
	q := research.Query{Text: "main", Lang: "en"} // a new wiki holds its main page
	a, err := p.Ask(t.Context(), q)
	if err != nil || len(a.Hits) == 0 {
		t.Fatalf("%+v, %v", a, err)
	}
	sound(t, p, q, a)
	for _, h := range a.Hits {
		resp, err := http.Get(h.Location)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusOK || strings.ContainsAny(h.Snippet, "<>") {
			t.Errorf("hit %+v: status %d", h, resp.StatusCode)
		}
	}
	if a, err := p.Ask(t.Context(), research.Query{Text: "zzzznotfoundzzzz"}); err != nil || len(a.Hits) != 0 {
		t.Errorf("an unknown word: %+v, %v", a, err)
	}
	// It knows no entities, which it says with status 200.
	entities, err := NewWikidata(c)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := entities.Ask(t.Context(), q); !errors.Is(err, ErrBadQuery) {
		t.Errorf("entities of a wiki that has none: %v", err)
	}
}
