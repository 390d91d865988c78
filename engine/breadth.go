package engine

import (
	"regexp"
	"sort"

	"assay/engine/research"
	"assay/engine/text"
)

// A part that asks for a name, a date or a figure is answered by a few sentences. One that asks how, why or what about has as many
// answers as there are sides to it, and a report of the usual depth that stops at ten of them is short of what was read.
const (
	// linesASource is how many lines of an open part, and claimsASource how many claims, are looked at for a source that the depth may
	// open, the parts sharing them: such a part is read as widely as the depth allows, and never less than any part is.
	linesASource  = 4
	claimsASource = 2
	// findingsASource is how many findings a report on open parts may have for a source that its depth may open: 10 of 12 quick, 24 of
	// 30, 48 of 60.
	findingsASource = 0.8
	// besideBest is the share of the best claim's score of the part that such a further finding has at least: what stands further
	// behind stands near the subject.
	besideBest = 0.4
	// ofOnePage is how many findings of one page a report has before further ones of the page are left out.
	ofOnePage = 4
	// saysSame is the share of the stems of the shorter of two claims by which they say the same.
	saysSame = 0.7
)

// several asks what some things are, each of which has its own answer.
var several = regexp.MustCompile(`(?i)^\s*what (?:are|were)\b`)

// openPart reports whether a part of a question has no single kind of answer.
func openPart(f research.Facet) bool {
	return !typedWant(f.Want) || f.Want == research.AnswerName && several.MatchString(f.Text)
}

// lines is how many lines of a facet have their passages read.
func (l *lens) lines(f research.Facet) int {
	if !openPart(f) {
		return linesPerFacet
	}
	return max(linesPerFacet, linesASource*l.meaning.Budget.Sources/len(l.meaning.Facets))
}

// kept is how many claims of a facet are kept.
func (l *lens) kept(facet string) int {
	if fi := facetIndex(l.meaning.Facets, facet); fi < 0 || !openPart(l.meaning.Facets[fi]) {
		return claimsPerFacet
	}
	return max(claimsPerFacet, claimsASource*l.meaning.Budget.Sources/len(l.meaning.Facets))
}

// chooseMore adds what else of the open parts a report may rest on, the closest first over all parts: distinct from all that is chosen,
// not far behind the best of its part, and not all of one page.
func (l *lens) chooseMore(chosen []candidateClaim, claims []research.Claim, years []string, taken map[int][][2]int) []candidateClaim {
	room := int(findingsASource*float64(l.meaning.Budget.Sources)) - len(chosen)
	if room <= 0 || len(chosen) == 0 {
		return chosen
	}
	best, have, ofPage := map[string]float64{}, map[string]bool{}, map[int]int{}
	var said []map[string]bool
	for _, k := range chosen {
		f := k.claim.Facet
		best[f] = max(best[f], k.score)
		have[k.claim.ID] = true
		ofPage[k.page]++
		said = append(said, text.TermSet(k.claim.Text, l.meaning.Lang))
	}
	type ranked struct {
		candidateClaim
		share float64 // of the best score of its part
	}
	var of []ranked
	for _, c := range claims {
		fi := facetIndex(l.meaning.Facets, c.Facet)
		if fi < 0 || have[c.ID] || best[c.Facet] == 0 || !openPart(l.meaning.Facets[fi]) {
			continue
		}
		if k, ok := l.rank(c, l.meaning.Facets[fi], years); ok && k.score >= besideBest*best[c.Facet] {
			of = append(of, ranked{k, k.score / best[c.Facet]})
		}
	}
	sort.SliceStable(of, func(i, j int) bool {
		if of[i].share != of[j].share {
			return of[i].share > of[j].share
		}
		return of[i].claim.ID < of[j].claim.ID
	})
	for _, k := range of {
		if room == 0 {
			break
		}
		stems := text.TermSet(k.claim.Text, l.meaning.Lang)
		if ofPage[k.page] >= ofOnePage || within(taken[k.page], k.line) || saidBefore(stems, said) {
			continue
		}
		taken[k.page] = append(taken[k.page], [2]int{k.lo, k.hi})
		chosen, said = append(chosen, k.candidateClaim), append(said, stems)
		ofPage[k.page]++
		room--
	}
	return chosen
}

// saidBefore reports whether one of the sets of stems says what these stems say.
func saidBefore(stems map[string]bool, said []map[string]bool) bool {
	for _, s := range said {
		if max(text.Containment(stems, s), text.Containment(s, stems)) >= saysSame {
			return true
		}
	}
	return false
}
