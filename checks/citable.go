package checks

import (
	"sort"

	"assay/engine/research"
)

// Citable reports whether a finding may reach a writer. It is the only road there: what it refuses is not in the writer's
// input at all, neither its words nor a warning about it. A finding is citable when it bears no flag, rests on at least one
// claim, and every claim of it is citable.
func Citable(f research.Finding, v View) bool {
	if len(f.Flags) > 0 || len(f.Claims) == 0 {
		return false
	}
	for _, id := range f.Claims {
		if c, ok := v.Claims[id]; !ok || !CitableClaim(c, v) {
			return false
		}
	}
	return true
}

// CitableClaim reports whether a claim may reach a writer. An explicit claim is citable when it bears no flag, its source is
// verified, and its passage is a passage of that source. A derived one is citable when it bears no flag and every claim of
// its basis is citable; a basis that leads back to the claim, or deeper than three steps, is none.
func CitableClaim(c research.Claim, v View) bool { return citableClaim(c, v, 0) }

func citableClaim(c research.Claim, v View, depth int) bool {
	if len(c.Flags) > 0 || depth > maxBasis {
		return false
	}
	if c.Derivation != nil {
		for _, id := range c.Derivation.Basis {
			if basis, ok := v.Claims[id]; !ok || !citableClaim(basis, v, depth+1) {
				return false
			}
		}
		return len(c.Derivation.Basis) > 0
	}
	s, ok := v.source(c.Source)
	if !ok || s.Verdict != research.Verified {
		return false
	}
	p, ok := v.passage(c.Passage)
	return ok && p.Source == c.Source
}

// citableClaims returns the ids of the citable claims of a facet, sorted.
func (v View) citableClaims(facet string) []string {
	var ids []string
	for id, c := range v.Claims {
		if c.Facet == facet && CitableClaim(c, v) {
			ids = append(ids, id)
		}
	}
	sort.Strings(ids)
	return ids
}
