package checks

import (
	"fmt"
	"slices"

	"assay/engine/research"
)

var flaggedsourcecited = &Check{
	ID: "G03", Name: "flaggedsourcecited", Title: "FlaggedSourceCited", Tier: Grounding, Class: Hard,
	Scope: blockKeys, Eval: evalFlaggedSourceCited, Edit: editFlaggedSourceCited,
	Cap: 1, LifeCap: 2, Repair: []Action{Edit}, Terminal: Edit,
}

func evalFlaggedSourceCited(v View, k Key) []Hit {
	b, _ := v.block(k)
	var hits []Hit
	for _, ref := range b.Refs {
		if s, ok := v.source(ref); ok && s.Verdict != research.Verified {
			hits = append(hits, Hit{Where: b.ID, Code: "source", What: fmt.Sprintf("source %s was rejected (%s)", ref, s.Verdict)})
		}
	}
	for _, id := range b.Claims {
		if c, ok := v.Claims[id]; ok && !CitableClaim(c, v) {
			hits = append(hits, Hit{Where: b.ID, Code: "claim", What: fmt.Sprintf("claim %s may not be cited", id)})
		}
	}
	for _, f := range v.Findings {
		if f.ID == b.ID && len(f.Flags) > 0 {
			hits = append(hits, Hit{Where: b.ID, Code: "finding", What: fmt.Sprintf("finding %s was flagged by %s", f.ID, f.Flags[0])})
		}
	}
	return hits
}

// editFlaggedSourceCited drops what may not be cited. The block survives on its other references and claims; without any it
// goes to Issues.
func editFlaggedSourceCited(v View, k Key) View {
	hits := evalFlaggedSourceCited(v, k)
	if len(hits) == 0 {
		return v
	}
	gone := slices.ContainsFunc(hits, func(h Hit) bool { return h.Code == "finding" })
	next := mapBlocks(v, func(b research.Block) (research.Block, bool) {
		if b.ID != k.ID {
			return b, true
		}
		had := len(b.Claims)
		b.Refs = slices.DeleteFunc(slices.Clone(b.Refs), func(ref string) bool {
			s, ok := v.source(ref)
			return ok && s.Verdict != research.Verified
		})
		b.Citations = slices.DeleteFunc(slices.Clone(b.Citations), func(id string) bool {
			p, ok := v.passage(id)
			s, known := v.source(p.Source)
			return ok && known && s.Verdict != research.Verified
		})
		b.Claims = slices.DeleteFunc(slices.Clone(b.Claims), func(id string) bool {
			c, ok := v.Claims[id]
			return ok && !CitableClaim(c, v)
		})
		gone = gone || len(b.Refs) == 0 || had > 0 && len(b.Claims) == 0
		return b, true
	})
	if gone {
		return toIssues(v, Fire{Key: k, Hits: hits})
	}
	return next
}
