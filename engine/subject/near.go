package subject

import (
	"sort"
	"strings"

	"assay/engine/text"
)

// Place is a line of a page.
type Place struct {
	Page, Line int
	Share      float64 // of the weight of what was looked for, in the line and its neighbours
}

// rarest is how many of a claim's stems find its candidates; a place that addresses a claim has one of its rarest.
const rarest = 4

// tooCommon is the most lines a stem may stand in to find candidates, which bounds the cost of one claim.
const tooCommon = 400

// Near returns the places that hold at least the given share of the weight of the stems, within one line on each side, the
// closest first. Candidates come from an index of the rare stems, so that the cost grows with what matches, not with all.
func (b *Body) Near(stems []string, share float64, limit int) []Place {
	set := bag(stems)
	var all []string
	total := 0.0
	for s := range set {
		all = append(all, s)
		total += b.Weight(s)
	}
	sort.Slice(all, func(i, j int) bool {
		if b.df[all[i]] != b.df[all[j]] {
			return b.df[all[i]] < b.df[all[j]]
		}
		return all[i] < all[j]
	})
	if total == 0 {
		return nil
	}
	b.index()
	seen := map[[2]int]bool{}
	var out []Place
	n := 0
	for _, s := range all {
		if b.df[s] == 0 || b.df[s] > tooCommon {
			continue
		}
		if n++; n > rarest {
			break
		}
		for _, at := range b.lists[s] {
			if seen[at] {
				continue
			}
			seen[at] = true
			if sh := b.shareAt(at, all) / total; sh >= share {
				out = append(out, Place{at[0], at[1], sh})
			}
		}
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].Share != out[j].Share {
			return out[i].Share > out[j].Share
		}
		return out[i].Page < out[j].Page || out[i].Page == out[j].Page && out[i].Line < out[j].Line
	})
	return out[:min(len(out), limit)]
}

func (b *Body) shareAt(at [2]int, stems []string) float64 {
	p := b.Pages[at[0]]
	sum := 0.0
	for _, s := range stems {
		for j := max(0, at[1]-1); j <= min(len(p.Lines)-1, at[1]+1); j++ {
			if p.Lines[j].bag[s] > 0 {
				sum += b.Weight(s)
				break
			}
		}
	}
	return sum
}

// index lists the lines of every stem that is not too common, once.
func (b *Body) index() {
	b.once.Do(func() {
		b.lists = map[string][][2]int{}
		for pi, p := range b.Pages {
			for li := range p.Lines {
				for s := range p.Lines[li].bag {
					if b.df[s] <= tooCommon {
						b.lists[s] = append(b.lists[s], [2]int{pi, li})
					}
				}
			}
		}
	})
}

// Initials reports whether a page spells out an abbreviation: as many words in a row as it has letters, each beginning with
// its letter in upper case.
func (b *Body) Initials(short string) bool {
	letters := []rune(strings.ToUpper(short))
	if len(letters) < 2 || len(letters) > 8 {
		return false
	}
	for _, r := range letters {
		if r < 'A' || r > 'Z' {
			return false
		}
	}
	for _, p := range b.Pages {
		for i := range p.Lines {
			run := 0
			for _, t := range text.Tokens(p.Text(i)) {
				switch c := []rune(t.Text)[0]; {
				case c == letters[run]:
					run++
				case c == letters[0]:
					run = 1
				default:
					run = 0
				}
				if run == len(letters) {
					return true
				}
			}
		}
	}
	return false
}
