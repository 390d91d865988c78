package checks

import (
	"slices"

	"assay/engine/research"
)

// places finds the parts of one view by their ids, and keeps what several checks would work out again. It is made for one evaluation of
// the bank and never outlives it: an edit returns a view without one. Without it a view is searched from its start each time, which of a
// report of n blocks costs the square of n.
type places struct {
	sections  []research.DraftSection
	section   map[string]int
	block     map[string]research.Block
	inSection map[string]int // block id -> place among sections
	source    map[string]research.Source
	passage   map[string]research.Passage // of sources; those of the view itself have a map already
	dispatch  map[Key]research.Dispatch   // the last under a key
	blocks    []Key
	claims    []string            // ids in order
	byKey     map[string][]string // claim key -> ids in order
	resting   map[string][]string // claim -> blocks that rest on it, in order
	grounds   map[string]ground   // by what a block rests on, filled as they are asked for
	// runs keeps the runs of words of the texts while they are compared with each other.
	runs map[string]map[uint64]bool
	// doubles holds by block id the earlier blocks that may hold the same runs of words; nil until it is asked for.
	doubles map[string][]research.Block
}

// indexed returns the view with an index. The copy must not be edited: an edit drops the index.
func indexed(v View) View {
	x := &places{
		sections: v.allSections(), section: map[string]int{}, block: map[string]research.Block{}, inSection: map[string]int{}, source: map[string]research.Source{},
		passage: map[string]research.Passage{}, dispatch: map[Key]research.Dispatch{}, claims: sortedKeys(v.Claims), byKey: map[string][]string{},
		resting: map[string][]string{}, grounds: map[string]ground{}, runs: map[string]map[uint64]bool{},
	}
	for i, s := range x.sections {
		if _, ok := x.section[s.ID]; !ok { // of two with one id the first is meant, as in a search
			x.section[s.ID] = i
		}
		for _, b := range s.Blocks {
			x.blocks = append(x.blocks, Key{KeyBlock, b.ID})
			if _, ok := x.block[b.ID]; ok {
				continue
			}
			x.block[b.ID], x.inSection[b.ID] = b, i
			for _, c := range b.Claims {
				x.resting[c] = append(x.resting[c], b.ID)
			}
		}
	}
	for _, s := range v.Sources {
		if _, ok := x.source[s.ID]; !ok {
			x.source[s.ID] = s
		}
		for _, p := range s.Passages {
			if _, ok := x.passage[p.ID]; !ok {
				x.passage[p.ID] = p
			}
		}
	}
	for _, d := range v.Dispatches {
		x.dispatch[dispatchKey(d)] = d
	}
	for _, id := range x.claims {
		if k := v.Claims[id].Key; k != "" {
			x.byKey[k] = append(x.byKey[k], id)
		}
	}
	v.at = x
	return v
}

// claimsOfKey returns the ids of the claims of one key, in order.
func (v View) claimsOfKey(key string) []string {
	if v.at != nil {
		return v.at.byKey[key]
	}
	return slices.DeleteFunc(sortedKeys(v.Claims), func(id string) bool { return v.Claims[id].Key != key })
}

// blocksOn returns the blocks that rest on a claim, in order.
func (v View) blocksOn(claim string) []research.Block {
	var out []research.Block
	if v.at != nil {
		for _, id := range v.at.resting[claim] {
			out = append(out, v.at.block[id])
		}
		return out
	}
	for _, s := range v.sections() {
		for _, b := range s.Blocks {
			if slices.Contains(b.Claims, claim) {
				out = append(out, b)
			}
		}
	}
	return out
}
