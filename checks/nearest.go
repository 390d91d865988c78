package checks

import (
	"cmp"
	"slices"

	"assay/engine/research"
	"assay/engine/text"
)

// maxRivals bounds with how many earlier ones a block is compared: the earliest are. What a report of ordinary size repeats or
// contradicts is among far fewer.
const maxRivals = 128

// nearest finds, among sets that were added, those that can share a given part of their members with another one. Two sets of which each
// holds at least that part of the other have a member in common among the first few of each, in any one order of all members; only those
// first few are kept.
type nearest[M comparable] struct {
	share float64
	at    map[M][]int
}

func newNearest[M comparable](share float64) *nearest[M] { return &nearest[M]{share, map[M][]int{}} }

// first returns the members by which a set is found, of a set in the common order.
func (n *nearest[M]) first(set []M) []M {
	need := int(n.share * float64(len(set))) // rounded down, so that a few more are kept than must be
	return set[:min(len(set), len(set)-need+1)]
}

func (n *nearest[M]) add(id int, set []M) {
	for _, m := range n.first(set) {
		if len(n.at[m]) < maxRivals {
			n.at[m] = append(n.at[m], id)
		}
	}
}

// like returns the ids of the sets that may be like another, in order, at most maxRivals.
func (n *nearest[M]) like(set []M) []int {
	var out []int
	for _, m := range n.first(set) {
		out = append(out, n.at[m]...)
	}
	slices.Sort(out)
	out = slices.Compact(out)
	return out[:min(len(out), maxRivals)]
}

// rarest returns terms in the order of how many sets hold them, the rarest first.
func rarest(terms map[string]bool, count map[string]int) []string {
	list := sortedKeys(terms)
	slices.SortStableFunc(list, func(a, b string) int { return cmp.Compare(count[a], count[b]) })
	return list
}

// doublesOf returns the earlier blocks of the body that may be the same as a block, in order.
func (x *places) doublesOf(v View, id string) []research.Block {
	if x.doubles == nil {
		x.doubles = readDoubles(v)
	}
	return x.doubles[id]
}

// readDoubles finds for each block of the body the earlier ones that may hold the same runs of words.
func readDoubles(v View) map[string][]research.Block {
	out := map[string][]research.Block{}
	near := newNearest[uint64](minJaccard)
	var all []research.Block
	seen := map[string]bool{}
	for _, s := range v.Draft.Sections {
		for _, b := range s.Blocks {
			if seen[b.ID] {
				continue
			}
			seen[b.ID] = true
			var set []uint64
			for h := range text.Shingles(b.Text, duplicateWords) {
				set = append(set, h)
			}
			slices.Sort(set)
			for _, i := range near.like(set) {
				out[b.ID] = append(out[b.ID], all[i])
			}
			near.add(len(all), set)
			all = append(all, b)
		}
	}
	return out
}
