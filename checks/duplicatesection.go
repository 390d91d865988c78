package checks

import (
	"fmt"
	"slices"

	"assay/engine/research"
	"assay/engine/text"
)

var duplicatesection = &Check{
	ID: "N02", Name: "duplicatesection", Title: "DuplicateSection", Tier: Normaliser, Class: Advisory,
	Scope: blockKeys, Eval: evalDuplicateSection, Edit: editDuplicateSection, Advise: Edit,
}

const (
	// minDuplicateRunes is the shortest block that is held against the others; half of it when it is CJK. Short ones repeat
	// with reason: a heading, a unit.
	minDuplicateRunes = 120
	// duplicateWords is the length of the runs that are compared, minJaccard how much of both must be the same. 3 of 50 real
	// reports have such a pair (CHECKS 1C).
	duplicateWords = 5
	minJaccard     = 0.8
	// lengthShare is how much shorter the one of such a pair can be; others are not compared.
	lengthShare = 0.6
)

func evalDuplicateSection(v View, k Key) []Hit {
	b, _ := v.block(k)
	least := minDuplicateRunes
	if b.Text != "" && isCJK(b.Text) {
		least /= 2
	}
	if b.Kind == research.BlockTable || visibleRunes(b.Text) < least {
		return nil
	}
	if v.at != nil {
		return v.repeats(b, least, v.at.doublesOf(v, b.ID))
	}
	var earlier []research.Block
	for _, s := range v.Draft.Sections { // the summary repeats the body by its nature
		for _, e := range s.Blocks {
			if e.ID == b.ID {
				return v.repeats(b, least, earlier)
			}
			earlier = append(earlier, e)
		}
	}
	return nil
}

// repeats says which of some earlier blocks a block repeats.
func (v View) repeats(b research.Block, least int, blocks []research.Block) []Hit {
	var mine map[uint64]bool
	for _, earlier := range blocks {
		if earlier.Kind == research.BlockTable || visibleRunes(earlier.Text) < least || !holds(earlier, b) ||
			float64(min(len(b.Text), len(earlier.Text))) < lengthShare*float64(max(len(b.Text), len(earlier.Text))) {
			continue
		}
		if mine == nil {
			mine = text.Shingles(b.Text, duplicateWords)
		}
		if jaccard(mine, text.Shingles(earlier.Text, duplicateWords)) >= minJaccard {
			return []Hit{{Where: b.ID, What: fmt.Sprintf("it repeats block %s: %q", earlier.ID, head(b.Text, 80))}}
		}
	}
	return nil
}

// holds reports whether a block has every source and every claim that another has: a repetition from another source is a
// second voice, and one that rests on a claim of its own a finding.
func holds(earlier, later research.Block) bool {
	within := func(some, all []string) bool {
		return !slices.ContainsFunc(some, func(x string) bool { return !slices.Contains(all, x) })
	}
	return within(later.Refs, earlier.Refs) && within(later.Claims, earlier.Claims)
}

func jaccard(a, b map[uint64]bool) float64 {
	both := 0
	for h := range a {
		if b[h] {
			both++
		}
	}
	if len(a)+len(b) == both {
		return 0
	}
	return float64(both) / float64(len(a)+len(b)-both)
}

func editDuplicateSection(v View, k Key) View {
	if evalDuplicateSection(v, k) == nil {
		return v
	}
	return mapBlocks(v, func(b research.Block) (research.Block, bool) { return b, b.ID != k.ID })
}
