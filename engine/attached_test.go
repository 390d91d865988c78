package engine

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"assay/engine/audit"
	"assay/engine/research"
)

// TestSavedPage: a page that the person saved and gave takes the place of the paywalled one: that is not asked for, the saved one is read,
// and it speaks for who published it. A saved PDF, which does not say where it is from, is told by its title.
func TestSavedPage(t *testing.T) {
	pages := kilns()[:4]
	for _, u := range []string{"https://walled.com/kiln", "https://pdfwall.com/kiln"} {
		pages = append(pages, research.Document{Location: u, Title: "The Marrow kiln and its price of firing " + u[8:12], Text: "", Fault: "the page shows only its beginning to those who do not pay or sign in", Verdict: research.Paywalled})
	}
	saved := page("attached/saved.mhtml", "The Marrow kiln and its price", "I. Falk", strings.Repeat("The Marrow kiln burns birch when it is fired, and its problems are told at length by its keeper. ", 6)+"One firing of the Marrow kiln costs 4,410 crowns.")
	saved.Canonical = "https://walled.com/kiln"
	pdf := page("attached/paper.pdf", "The Marrow kiln and its price of firing pdfw", "", strings.Repeat("The Marrow kiln is measured by the hour in this work, and its problems are listed. ", 6)+"It cools in 61 hours.")
	pdf.MediaType = "application/pdf"
	found := &world{pages: pages} // what is behind the wall is found by its title
	w := &world{pages: append(slices.Clone(pages), saved, pdf)}
	c := webConfig(t, w, engineOf{world: found, name: "searxng"})
	c.Request.Question, c.Request.Attach = "How hot is the Marrow kiln fired, what are its problems, and what does a firing cost?", []string{"/home/x/saved.mhtml", "/home/x/paper.pdf"}
	d, _, rec := digestOf(t, c)
	if rep := audit.Check(finishedRun(t, rec, d)); len(rep.Faults) > 0 {
		t.Errorf("audit: %v", rep.Faults)
	}
	for _, u := range []string{"https://walled.com/kiln", "https://pdfwall.com/kiln"} {
		if slices.Contains(w.read, u) {
			t.Errorf("%s was asked for, and its text was given", u)
		}
	}
	got := map[string]research.Source{}
	for _, e := range rec.Run().Events {
		var s research.Source
		if e.Kind == research.EventSource && json.Unmarshal(e.Payload, &s) == nil {
			got[s.Location] = s
		}
	}
	if s := got[saved.Location]; s.Verdict != research.Verified || s.Voice != "walled.com" || s.Origin == research.Personal || !strings.Contains(s.Note, "saved from https://walled.com/kiln") {
		t.Errorf("the saved page: %+v", s)
	}
	if s := got[pdf.Location]; s.Verdict != research.Verified {
		t.Errorf("the saved PDF: %+v", s)
	}
}

// TestHostsOfThePerson: the person's own table goes before the program's, and the note says so.
func TestHostsOfThePerson(t *testing.T) {
	w := &world{pages: kilns()}
	c := webConfig(t, w, engineOf{world: w, name: "searxng"})
	c.Request.Hosts = []research.HostRow{{Name: "potters.example.com", Origin: research.Industry, Tier: 1, Why: "they built it"}, {Name: "nist.gov", Origin: research.Personal, Tier: 3, Why: "not here"}}
	d, _, rec := digestOf(t, c)
	if rep := audit.Check(finishedRun(t, rec, d)); len(rep.Faults) > 0 {
		t.Errorf("audit: %v", rep.Faults)
	}
	seen := 0
	for _, e := range rec.Run().Events {
		var s research.Source
		if e.Kind != research.EventSource || json.Unmarshal(e.Payload, &s) != nil {
			continue
		}
		switch {
		case strings.Contains(s.Location, "potters.example.com"):
			if seen++; s.Tier != 1 || s.Origin != research.Industry || !strings.Contains(s.Note, "tier 1 by the person's own table: they built it") {
				t.Errorf("%+v", s)
			}
		case strings.Contains(s.Location, "nist.gov"):
			if seen++; s.Tier != 3 || s.Verdict != research.RejectUnauthored { // unsigned, and nobody vouches for it now
				t.Errorf("%+v", s)
			}
		}
	}
	if seen == 0 {
		t.Error("neither host was opened")
	}
}
