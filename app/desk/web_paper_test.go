package desk

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"assay/engine/fetch"
	"assay/engine/research"
)

// TestPaper: of a paper the file that its page names is read, or an open copy; an abstract alone is never taken for the paper.
func TestPaper(t *testing.T) {
	abstract := func(more string) []byte {
		return []byte(`<html lang=en><head><title>Kilns</title><meta name=citation_title content="Firing kilns"><meta name=citation_author content="Rowan Ost">` + more +
			`</head><body><article><h1>Firing kilns</h1><p>` + strings.Repeat("We fire kilns and measure how hot they are in the valley. ", 12) + `</p></article></body></html>`)
	}
	var long strings.Builder
	for i := range 160 {
		fmt.Fprintf(&long, "<p>In the kiln number %d of the valley we measured the heat on shelf %d and found it even.</p>", i, i*3)
	}
	paper := []byte(`<html lang=en><body><article><h1>Firing kilns</h1>` + long.String() + `</article></body></html>`)
	w := newWeb(t, []site{
		{url: "http://journal-kilns.com/named", body: abstract(`<meta name=citation_pdf_url content="/whole">`)},
		{url: "http://journal-kilns.com/whole", body: paper},
		{url: "http://journal-kilns.com/closed", body: abstract("")},
		{url: "http://journal-kilns.com/lost", body: abstract(`<meta name=citation_pdf_url content="http://journal-kilns.com/none"><meta name=citation_doi content="10.1234/kiln">`)},
		{url: "http://store-kilns.com/copy", body: paper},
		{url: "http://journal-kilns.com/inward", body: abstract(`<meta name=citation_pdf_url content="http://127.0.0.1/paper">`)},
	})
	client, err := fetch.New(fetch.Policy{Egress: research.Web, Proxy: w.proxy.URL, Gap: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	asked := ""
	r := &webReader{client: client, own: map[string]bool{}, copies: func(_ context.Context, doi string) []string {
		asked = doi
		return []string{"http://store-kilns.com/copy"}
	}}
	for at, want := range map[string]struct {
		verdict research.Verdict
		from    string
	}{
		"http://journal-kilns.com/named":  {"", "http://journal-kilns.com/whole"},
		"http://journal-kilns.com/lost":   {"", "http://store-kilns.com/copy"},
		"http://journal-kilns.com/closed": {research.Paywalled, ""},
		"http://journal-kilns.com/inward": {research.Paywalled, ""},
	} {
		d, err := r.Read(t.Context(), at)
		if err != nil || d.Verdict != want.verdict || want.from != "" && d.Canonical != want.from || d.Location != at {
			t.Errorf("Read(%s) = %q from %q at %q, %q, %v; want %q from %q", at, d.Verdict, d.Canonical, d.Location, d.Fault, err, want.verdict, want.from)
		}
		if want.from != "" && (!strings.Contains(d.Text, "shelf 300") || d.Byline != "Rowan Ost") {
			t.Errorf("%s: the text or the author of the paper is missing: %q, %.80q", at, d.Byline, d.Text)
		}
	}
	if asked != "10.1234/kiln" {
		t.Errorf("an open copy of %q was asked for", asked)
	}
}
