package checks

import (
	"fmt"
	"slices"

	"assay/engine/research"
)

var citationindexrange = &Check{
	ID: "G01", Name: "citationindexrange", Title: "CitationIndexRange", Tier: Grounding, Class: Hard,
	Scope: sectionKeys, Eval: evalCitationIndexRange, Edit: editCitationIndexRange,
	Cap: 2, LifeCap: 3, Repair: []Action{Edit}, Terminal: Edit,
}

// rewriteAt is how many references of one section may fail to resolve before the section as a whole is not trusted.
const rewriteAt = 2

func evalCitationIndexRange(v View, k Key) []Hit {
	s, _ := v.section(k)
	var hits []Hit
	for _, b := range s.Blocks {
		for _, ref := range b.Refs {
			if _, ok := v.source(ref); !ok {
				hits = append(hits, Hit{Where: b.ID, Code: "ref", What: fmt.Sprintf("reference %q names no source", ref)})
			}
		}
		for _, id := range b.Citations {
			if !v.cites(b, id) {
				hits = append(hits, Hit{Where: b.ID, Code: "passage", What: fmt.Sprintf("citation %q names no passage of a cited source", id)})
			}
		}
	}
	if len(hits) >= rewriteAt {
		hits[0].Action = Rewrite
	}
	return hits
}

// cites reports whether a passage is one of a source that the block refers to. Membership, not range: ids have gaps.
func (v View) cites(b research.Block, passage string) bool {
	p, ok := v.passage(passage)
	return ok && slices.Contains(b.Refs, p.Source)
}

func editCitationIndexRange(v View, k Key) View {
	return mapSection(v, k, func(b research.Block) (research.Block, bool) {
		b.Refs = slices.DeleteFunc(slices.Clone(b.Refs), func(ref string) bool { _, ok := v.source(ref); return !ok })
		b.Citations = slices.DeleteFunc(slices.Clone(b.Citations), func(id string) bool { return !v.cites(b, id) })
		return b, true
	})
}
