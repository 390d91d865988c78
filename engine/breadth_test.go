package engine

import (
	"fmt"
	"testing"

	"assay/engine/intent"
	"assay/engine/research"
	"assay/engine/subject"
	"assay/engine/text"
)

func TestOpenPart(t *testing.T) {
	for part, want := range map[string]bool{
		"How does APT decide which version to install": true, "why was the lamp moved": true, "how should a keeper trim the wick": true,
		"What are the stable, testing and unstable distributions": true, "describe the lens": true, "What were the terms of the lease": true,
		"Which company built the tower": false, "When was the tower built": false, "How many steps lead up the tower": false, "Who built it": false,
		"What is the name of the ferry": false, "which format should be used": false,
	} {
		if got := openPart(research.Facet{Text: part, Want: intent.Want(part, "en")}); got != want {
			t.Errorf("openPart(%q) = %v, want %v", part, got, want)
		}
	}
}

// TestBreadth: how much is read and told grows with the depth for an open part, and not at all for one that a date answers.
func TestBreadth(t *testing.T) {
	open, date := research.Facet{ID: "f1", Text: "how is it lit", Want: research.AnswerAny}, research.Facet{ID: "f1", Text: "when was it lit", Want: research.AnswerDate}
	for _, tc := range []struct {
		f                    research.Facet
		sources, parts       int
		lines, claims, added int
	}{
		{open, 12, 1, 60, 40, 0}, {open, 30, 1, 120, 60, 14}, {open, 60, 1, 240, 120, 38}, {open, 30, 3, 60, 40, 14},
		{date, 30, 1, 60, 40, 0}, {date, 60, 1, 60, 40, 0},
	} {
		l, chosen, claims := tower(tc.f, tc.sources, tc.parts, 60)
		if a, b := l.lines(tc.f), l.kept("f1"); a != tc.lines || b != tc.claims {
			t.Errorf("%s, %d sources, %d parts: %d lines and %d claims, want %d and %d", tc.f.Want, tc.sources, tc.parts, a, b, tc.lines, tc.claims)
		}
		if got := len(l.chooseMore(chosen, claims, nil, map[int][][2]int{})) - len(chosen); got != tc.added {
			t.Errorf("%s, %d sources, %d parts: %d findings added, want %d", tc.f.Want, tc.sources, tc.parts, got, tc.added)
		}
	}
}

// tower is n pages with a claim each, of which the first ten are chosen.
func tower(f research.Facet, sources, parts, n int) (*lens, []candidateClaim, []research.Claim) {
	l := &lens{meaning: research.Understanding{Lang: "en", Question: "How is the lamp lit?", Budget: research.Budget{Sources: sources}}}
	for i := range parts {
		g := f
		g.ID = fmt.Sprintf("f%d", i+1)
		l.meaning.Facets = append(l.meaning.Facets, g)
		l.asks = append(l.asks, ask(l.meaning, g, nil))
		l.marks = append(l.marks, map[int][]subject.Mark{})
	}
	var claims []research.Claim
	for i := range n {
		words := fmt.Sprintf("The lamp number%d burns oil%d, says keeper%d.", i, i, i)
		p := subject.Read(research.Document{Text: words, Lang: "en", MediaType: "text/html"})
		id := fmt.Sprintf("s%d", i)
		l.pages, l.sources = append(l.pages, p), append(l.sources, research.Source{ID: id})
		claims = append(claims, research.Claim{ID: fmt.Sprintf("c%02d", i), Facet: "f1", Source: id, Text: words, End: len(words), Relevance: "1/2", By: "m"})
	}
	l.body = subject.NewBody(l.pages)
	var chosen []candidateClaim
	for i, c := range claims[:findingsAlone] {
		chosen = append(chosen, candidateClaim{claim: c, page: i, score: 0.5})
	}
	return l, chosen, claims
}

// TestChooseMoreLeavesOut: what says the same, stands far behind, or is one more of a page that has its share.
func TestChooseMoreLeavesOut(t *testing.T) {
	f := research.Facet{ID: "f1", Text: "how is it lit", Want: research.AnswerAny}
	l, chosen, claims := tower(f, 30, 1, 14)
	claims[10].Text = claims[0].Text     // said before
	claims[11].Relevance = "1/10"        // far behind
	claims[12].Source = claims[0].Source // one more of a page
	for i := range chosen[:ofOnePage] {
		chosen[i].page = 0
	}
	got := l.chooseMore(chosen, claims, nil, map[int][][2]int{})
	if len(got) != len(chosen)+1 || got[len(chosen)].claim.ID != claims[13].ID {
		t.Errorf("added %d, want the last claim only", len(got)-len(chosen))
	}
	if saidBefore(text.TermSet("the lamp burns whale oil", "en"), []map[string]bool{text.TermSet("oil is dear", "en")}) {
		t.Error("two claims that share a word of five say the same")
	}
}
