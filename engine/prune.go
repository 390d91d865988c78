package engine

import (
	"slices"
	"strings"

	"assay/engine/research"
	"assay/engine/text"
)

// prune takes out sections that repairs emptied, and findings that say nothing which an earlier one does not say in the same words from
// the same sources.
func (w *desk) prune() {
	var out []research.DraftSection
	var earlier []research.Block
	for _, s := range w.view.Draft.Sections {
		var kept []research.Block
		for _, b := range s.Blocks {
			if (len(kept) == 0 || !slices.ContainsFunc(earlier, func(e research.Block) bool { return saysAgain(e, b) })) || b.Kind != research.BlockFinding {
				kept, earlier = append(kept, b), append(earlier, b)
			}
		}
		if s.Blocks = kept; len(kept) > 0 {
			out = append(out, s)
		}
	}
	w.view.Draft.Sections = out
}

// leastRepeated is the shortest finding, in bytes, that is taken for a repetition: short ones are said again with reason.
const leastRepeated = 40

// saysAgain reports whether a block stands word for word in an earlier one that cites the same and is as sure.
func saysAgain(earlier, b research.Block) bool {
	if len(b.Text) < leastRepeated || slices.ContainsFunc(b.Refs, func(r string) bool { return !slices.Contains(earlier.Refs, r) }) || b.Confidence.Cmp(earlier.Confidence) > 0 {
		return false
	}
	return strings.Contains(oneLine(text.Fold(earlier.Text)), strings.TrimRight(oneLine(text.Fold(b.Text)), ".。 "))
}
