package checks

import (
	"slices"

	"assay/engine/research"
)

// mapBlocks returns the view with every block replaced by what fn says; a false takes the block out. The blocks of the view
// given are not touched.
func mapBlocks(v View, fn func(research.Block) (research.Block, bool)) View {
	keep := func(blocks []research.Block) []research.Block {
		if blocks == nil {
			return nil
		}
		out := make([]research.Block, 0, len(blocks))
		for _, b := range blocks {
			if b, ok := fn(b); ok {
				out = append(out, b)
			}
		}
		return out
	}
	v.Draft.Summary = keep(v.Draft.Summary)
	v.Draft.Sections = slices.Clone(v.Draft.Sections)
	for i, s := range v.Draft.Sections {
		v.Draft.Sections[i].Blocks = keep(s.Blocks)
	}
	return v
}

// mapSection is mapBlocks for the blocks of one section; the key may be the summary's.
func mapSection(v View, k Key, fn func(research.Block) (research.Block, bool)) View {
	s, ok := v.section(k)
	if !ok {
		return v
	}
	return mapBlocks(v, func(b research.Block) (research.Block, bool) {
		if !hasBlock(s, b.ID) {
			return b, true
		}
		return fn(b)
	})
}

// issue returns the view with one more issue.
func issue(v View, kind, text, reason, source string) View {
	v.Issues = append(slices.Clip(v.Issues), research.Issue{Kind: kind, Text: text, Reason: reason, Source: source})
	return v
}

// toIssues takes the blocks that the hits name out of the body, or those that rest on the claim when the key is a claim, and
// lists each under Issues with the reason.
func toIssues(v View, f Fire) View {
	gone := map[string]string{}
	for _, h := range f.Hits {
		if gone[h.Where] == "" {
			gone[h.Where] = h.What
		}
	}
	var out []research.Block
	before := v
	v = mapBlocks(v, func(b research.Block) (research.Block, bool) {
		if f.Key.Kind == KeyClaim && slices.Contains(b.Claims, f.Key.ID) {
			gone[b.ID] = f.Hits[0].What
		}
		if gone[b.ID] == "" {
			return b, true
		}
		out = append(out, b)
		return b, false
	})
	for _, b := range out {
		words := b.Text
		if before.withheld(b) {
			words = withheldText
		}
		v = issue(v, "claim", words, gone[b.ID], v.firstLocation(b))
	}
	return v
}

// firstLocation returns where the first source of a block is, for an issue.
func (v View) firstLocation(b research.Block) string {
	for _, id := range b.Refs {
		if s, ok := v.source(id); ok {
			return s.Location
		}
	}
	return ""
}

// hedge labels the block unconfirmed unless it has a label.
func hedge(v View, k Key) View {
	return mapBlocks(v, func(b research.Block) (research.Block, bool) {
		if k.Kind == KeyBlock && b.ID == k.ID && b.Label == research.LabelNone {
			b.Label = research.LabelUnconfirmed
		}
		return b, true
	})
}

// annotate lists what was found and leaves the body as it is.
func annotate(v View, f Fire) View {
	for _, h := range f.Hits {
		v = issue(v, "check", h.What, Lookup(f.Check).String(), "")
	}
	return v
}

// dropEmptied takes out sections that the last actions left without a body.
func dropEmptied(v View) View {
	before := v
	v.Draft.Sections = slices.DeleteFunc(slices.Clone(v.Draft.Sections), func(s research.DraftSection) bool {
		return len(evalEmptySection(before, Key{KeySection, s.ID})) > 0
	})
	return v
}
