package checks

import (
	"fmt"
	"slices"
)

var emptyevidence = &Check{
	ID: "C06", Name: "emptyevidence", Title: "EmptyEvidence", Tier: Completion, Class: Hard,
	Scope: gateKeys, Eval: evalEmptyEvidence,
	Cap: 2, LifeCap: 3, Repair: []Action{Gather}, Terminal: NoEvidence,
}

// minEvidenceRunes is the least an evidence block holds; half of it when it is CJK.
const minEvidenceRunes = 80

// gateKeys returns a facet key for each writer about to be called.
func gateKeys(v View) []Key {
	var keys []Key
	for _, g := range v.Gate {
		if k := (Key{KeyFacet, g.Facet}); !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	return keys
}

func evalEmptyEvidence(v View, k Key) []Hit {
	n := len(v.citableClaims(k.ID))
	for _, f := range v.Findings {
		if f.Facet == k.ID && Citable(f, v) {
			n++
		}
	}
	if n == 0 {
		return []Hit{{Where: k.ID, Code: "nothing_citable", What: fmt.Sprintf("facet %s has no claim that may be cited", k.ID)}}
	}
	for _, g := range v.Gate {
		least := minEvidenceRunes
		if isCJK(g.Evidence) && g.Evidence != "" {
			least /= 2
		}
		if got := visibleRunes(g.Evidence); g.Facet == k.ID && got < least {
			return []Hit{{Where: k.ID, Code: "empty_block", What: fmt.Sprintf("the evidence of facet %s has %d characters of at least %d", k.ID, got, least)}}
		}
	}
	return nil
}
