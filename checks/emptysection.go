package checks

import (
	"fmt"
	"slices"

	"assay/engine/research"
)

var emptysection = &Check{
	ID: "C14", Name: "emptysection", Title: "EmptySection", Tier: Completion, Class: Hard,
	Scope: sectionKeys, Eval: evalEmptySection, Edit: editEmptySection,
	Cap: 1, LifeCap: 2, Repair: []Action{Rewrite}, Terminal: Remove,
}

// minSectionRunes is the least a section's body holds; half of it when it is CJK. One real report in 50 has such a section
// (CHECKS 1A).
const minSectionRunes = 20

func evalEmptySection(v View, k Key) []Hit {
	s, ok := v.section(k)
	if !ok || k.ID == SummaryID {
		return nil
	}
	body := ""
	for _, b := range s.Blocks {
		stated := b.Kind == research.BlockFinding && len(b.Claims) > 0 && visibleRunes(b.Text) > 0
		if b.Kind == research.BlockTable || b.Kind == research.BlockQuote || stated {
			return nil // a finding may be one word: its claim is what it rests on
		}
		body += b.Text + "\n"
	}
	least := minSectionRunes
	if isCJK(body) && visibleRunes(body) > 0 {
		least /= 2
	}
	n := visibleRunes(body)
	if n >= least {
		return nil
	}
	h := Hit{Where: k.ID, Code: "findings", What: fmt.Sprintf("section %q has %d characters of body", s.Title, n)}
	if !v.hasCitable(s.Facets) {
		h.Code, h.Action = "no_findings", Remove
	}
	return []Hit{h}
}

// hasCitable reports whether something citable exists for one of the facets.
func (v View) hasCitable(facets []string) bool {
	return slices.ContainsFunc(facets, func(id string) bool {
		return len(v.citableClaims(id)) > 0 ||
			slices.ContainsFunc(v.Findings, func(f research.Finding) bool { return f.Facet == id && Citable(f, v) })
	})
}

func editEmptySection(v View, k Key) View {
	v.Draft.Sections = slices.DeleteFunc(slices.Clone(v.Draft.Sections), func(s research.DraftSection) bool { return s.ID == k.ID })
	return v
}
