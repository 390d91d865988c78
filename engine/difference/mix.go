package difference

import (
	"cmp"
	"slices"

	"assay/engine/research"
)

// Mix says how many lines of each kind a page of total lines takes, by the shares in percent that were asked for and by what there
// is of each. What a kind cannot fill goes to the others by their shares; what no share names, and what the shares leave of the
// hundred, comes after. Remainders go to the largest fraction first, then by name, so that the same input gives the same page. Without
// shares every kind is taken in turn. The result is sorted by name.
func Mix(shares, have map[string]int, total int) []research.Share {
	total = max(0, total)
	all := map[string]*research.Share{}
	for k, n := range have {
		all[k] = &research.Share{Kind: k, Had: max(0, n)}
	}
	for k := range shares {
		if all[k] == nil {
			all[k] = &research.Share{Kind: k}
		}
	}
	var named, rest []*research.Share
	for k, s := range all {
		if shares[k] > 0 {
			named = append(named, s)
		} else {
			rest = append(rest, s)
		}
	}
	byName := func(a, b *research.Share) int { return cmp.Compare(a.Kind, b.Kind) }
	slices.SortFunc(named, byName)
	slices.SortFunc(rest, byName)
	sum := 0
	for _, s := range named {
		sum += shares[s.Kind]
	}
	for i, n := range apportion(named, shares, total*min(sum, 100)/100) {
		named[i].Wanted = n
		named[i].Taken = min(n, named[i].Had)
	}
	left := total
	for _, s := range named {
		left -= s.Taken
	}
	if sum < 100 { // what the shares leave is for the rest first
		left -= inTurn(rest, left)
	}
	for left > 0 {
		var open []*research.Share
		for _, s := range named {
			if s.Taken < s.Had {
				open = append(open, s)
			}
		}
		if len(open) == 0 {
			break
		}
		for i, n := range apportion(open, shares, left) {
			n = min(n, open[i].Had-open[i].Taken)
			open[i].Taken += n
			left -= n
		}
	}
	inTurn(rest, left)
	out := make([]research.Share, 0, len(all))
	for _, s := range append(named, rest...) {
		out = append(out, *s)
	}
	slices.SortFunc(out, func(a, b research.Share) int { return cmp.Compare(a.Kind, b.Kind) })
	return out
}

// inTurn takes one line of each kind after the other and returns how many it took.
func inTurn(kinds []*research.Share, most int) int {
	n := 0
	for more := true; more; {
		more = false
		for _, s := range kinds {
			if n < most && s.Taken < s.Had {
				s.Taken++
				n++
				more = true
			}
		}
	}
	return n
}

// apportion divides n by weights, largest remainders first.
func apportion(kinds []*research.Share, weights map[string]int, n int) []int {
	out := make([]int, len(kinds))
	sum := 0
	for _, s := range kinds {
		sum += weights[s.Kind]
	}
	if sum <= 0 {
		return out
	}
	order := make([]int, len(kinds))
	given := 0
	for i, s := range kinds {
		order[i] = i
		out[i] = n * weights[s.Kind] / sum
		given += out[i]
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(n*weights[kinds[b].Kind]%sum, n*weights[kinds[a].Kind]%sum)
	})
	for i := 0; given < n; i = (i + 1) % len(order) {
		out[order[i]]++
		given++
	}
	return out
}
