package checks

import (
	"fmt"
	"slices"
	"strings"

	"assay/engine/research"
	"assay/engine/text"
)

var missingfacet = &Check{
	ID: "C13", Name: "missingfacet", Title: "MissingFacet", Tier: Completion, Class: Advisory,
	Scope: draftedFacetKeys, Eval: evalMissingFacet, Advise: Annotate,
}

const (
	// minFacetFindings is how many cited findings answer a facet in full (CHECKS 1A).
	minFacetFindings = 2
	// minFacetTerms is the least share of a facet's own stems that its section holds.
	minFacetTerms = 0.5
)

// draftedFacetKeys returns a key for each facet once there is a draft.
func draftedFacetKeys(v View) []Key {
	if len(v.Draft.Sections)+len(v.Draft.Summary) == 0 {
		return nil
	}
	var keys []Key
	for _, f := range v.Facets {
		keys = append(keys, Key{KeyFacet, f.ID})
	}
	return keys
}

func evalMissingFacet(v View, k Key) []Hit {
	i := slices.IndexFunc(v.Facets, func(f research.Facet) bool { return f.ID == k.ID })
	if i < 0 || !v.hasCitable([]string{k.ID}) {
		return nil // nothing may be said of it: the coverage table shows the gap, and emptyevidence gathered
	}
	f := v.Facets[i]
	cited, has, body := 0, false, ""
	for _, s := range v.Draft.Sections {
		if !slices.Contains(s.Facets, f.ID) {
			continue
		}
		has = true
		body += s.Title + "\n"
		for _, b := range s.Blocks {
			if len(b.Refs) > 0 || v.rests(b) {
				cited++
			}
			body += b.Text + "\n"
		}
	}
	switch {
	case !has:
		return []Hit{{Where: f.ID, Code: "no_section", What: fmt.Sprintf("no section answers %q, for which there are findings", f.Text)}}
	case cited == 0:
		return []Hit{{Where: f.ID, Code: "uncited", What: fmt.Sprintf("the section on %q cites nothing", f.Text)}}
	}
	have := text.TermSet(strings.TrimPrefix(body, f.Text), v.Lang)
	held := 0
	for _, t := range f.Terms {
		if have[t] {
			held++
		}
	}
	if cited < minFacetFindings && len(f.Terms) > 1 && float64(held) < minFacetTerms*float64(len(f.Terms)) {
		return []Hit{{Where: f.ID, Code: "thin", What: fmt.Sprintf("%d finding answers %q, with %d of its %d words", cited, f.Text, held, len(f.Terms))}}
	}
	return nil
}
