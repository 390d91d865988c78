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
		{url: "http://pubmed.ncbi.nlm.nih.gov/123/", body: abstract("")},
		{url: "http://journal-kilns.com/given", body: abstract(`<meta name=citation_doi content="10.1234/given">`)},
		{url: "http://journal-kilns.com/other", body: abstract(`<meta name=citation_doi content="10.1234/other">`)},
		{url: "http://journal-kilns.com/onlyabstract", body: abstract(`<meta name=citation_doi content="10.1234/onlyabstract">`)},
		{url: "http://journal-kilns.com/inward", body: abstract(`<meta name=citation_pdf_url content="http://127.0.0.1/paper">`)},
	})
	client, err := fetch.New(fetch.Policy{Egress: research.Web, Proxy: w.proxy.URL, Gap: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	asked := ""
	r := &webReader{client: client, own: map[string]bool{}, copies: func(_ context.Context, doi string) []string {
		if doi != "10.1234/kiln" {
			return nil
		}
		asked = doi
		return []string{"http://store-kilns.com/copy"}
	}, papers: func(_ context.Context, id string) ([]byte, string) {
		doi, body := id, long.String()
		switch id {
		case "10.1234/other":
			doi = "10.1234/else"
		case "10.1234/onlyabstract":
			body = ""
		case "PMID:123":
			doi = "10.1234/pm"
		case "10.1234/given":
		default:
			return nil, ""
		}
		return []byte(`<article article-type="r"><front><article-meta><article-id pub-id-type="doi">` + doi + `</article-id><abstract><p>We fire kilns.</p></abstract></article-meta></front><body>` + body + `</body></article>`), "https://www.ebi.ac.uk/" + id
	}}
	for at, want := range map[string]struct {
		verdict research.Verdict
		from    string
	}{
		"http://journal-kilns.com/named":  {"", "http://journal-kilns.com/whole"},
		"http://journal-kilns.com/lost":   {"", "http://store-kilns.com/copy"},
		"http://journal-kilns.com/closed": {research.Paywalled, ""},
		"http://journal-kilns.com/inward": {research.Paywalled, ""},
		// By its number at Europe PMC; what is given there has to be the same paper.
		"http://pubmed.ncbi.nlm.nih.gov/123/":   {"", "https://www.ebi.ac.uk/PMID:123"},
		"http://journal-kilns.com/given":        {"", "https://www.ebi.ac.uk/10.1234/given"},
		"http://journal-kilns.com/other":        {research.Paywalled, ""},
		"http://journal-kilns.com/onlyabstract": {research.Paywalled, ""},
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
