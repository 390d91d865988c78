package checks

import (
	"fmt"
	"slices"

	"assay/engine/evidence"
	"assay/engine/research"
	"assay/engine/text"
)

var citationmisplaced = &Check{
	ID: "G07", Name: "citationmisplaced", Title: "CitationMisplaced", Tier: Grounding, Class: Advisory,
	Scope: statementKeys, Eval: evalCitationMisplaced, Advise: Annotate,
}

const (
	// minPlaced is the least share of a claim's stems in the window of the source it may belong to (CHECKS 1B).
	minPlaced = 0.6
	// maxPlaceText bounds what is read of one other source, in bytes.
	maxPlaceText = 1 << 19
)

func evalCitationMisplaced(v View, k Key) []Hit {
	b, _ := v.block(k)
	clean := statementOf(b)
	g := v.groundOf(b)
	numbers := evidence.MatchQuantities(clean, g.text)
	dates := evidence.MatchDates(clean, g.text, "")
	names := evidence.MatchNames(clean, g.text)
	all := len(text.Names(clean))
	if numbers.OK && dates.OK && (all == 0 || 2*len(names.Missing) < all) {
		return nil
	}
	if _, share := bestWindow(text.TermSet(clean, v.Lang), windowsOf(g.text, v.Lang)); share >= minPlaced && numbers.OK && dates.OK {
		return nil
	}
	var found []string
	for _, s := range v.Sources {
		if s.Verdict != research.Verified || slices.Contains(b.Refs, s.ID) || slices.ContainsFunc(g.sources, func(have research.Source) bool { return have.ID == s.ID }) {
			continue
		}
		if v.carries(s, clean) {
			found = append(found, s.ID)
		}
	}
	if len(found) != 1 {
		return nil // none, or two or more: which was meant cannot be told
	}
	return []Hit{{Where: b.ID, What: fmt.Sprintf("what it says stands in source %s, which it does not cite", found[0])}}
}

// carries reports whether one window of a source holds every number, date and name of a claim and most of its words.
func (v View) carries(s research.Source, claim string) bool {
	body := v.Texts[s.SHA256]
	if body = body[:min(len(body), maxPlaceText)]; body == "" || !sameScript(body, claim) {
		return false
	}
	stems := text.TermSet(claim, v.Lang)
	for _, w := range windowsOf(body, v.Lang) {
		if text.Containment(stems, w.stems) >= minPlaced && evidence.MatchQuantities(claim, w.text).OK &&
			evidence.MatchDates(claim, w.text, s.Published).OK && len(evidence.MatchNames(claim, w.text).Missing) == 0 {
			return true
		}
	}
	return false
}
