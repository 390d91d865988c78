package evidence

import (
	"slices"
	"strings"

	"assay/engine/text"
)

// Bounds of a slot.
const (
	slotShare = 0.5 // of the claim's tokens that the sentence must have in order
	slotGap   = 5   // tokens that may fill the slot in the sentence
)

// slot returns words of the claim that the passage lacks and the words that fill their place in the sentence closest to the claim,
// between words that the two share: "with the sky as a child" for "with the ocean as a child". Both are "" when there is none.
func (m *meeting) slot() (a, b string) {
	if len(m.c) == 0 || len(m.c) > maxSentence {
		return "", ""
	}
	stems := allStems(m.c)
	best, pairs, first, length := 0, []int(nil), 0, 0
	for _, sp := range text.Sentences(m.passage) {
		from, to := tokenRange(m.pt, sp.Start, sp.End)
		if to == from || to-from > maxSentence {
			continue
		}
		aligned := align(stems, allStems(m.p[from:to]))
		n := 0
		for _, j := range aligned {
			if j >= 0 {
				n++
			}
		}
		if n > best {
			best, pairs, first, length = n, aligned, from, to-from
		}
	}
	if float64(best) < slotShare*float64(len(m.c)) {
		return "", ""
	}
	for i := 0; i < len(pairs); i++ {
		if pairs[i] >= 0 {
			continue
		}
		end := i
		for end < len(pairs) && pairs[end] < 0 {
			end++
		}
		if from, to, ok := m.slotIn(pairs, i, end, length); ok {
			if own := m.lacking(i, end); own != "" {
				if other := m.foreign(first+from, first+to); other != "" {
					return own, other
				}
			}
		}
		i = end
	}
	return "", ""
}

// slotIn returns the tokens of the sentence between what the tokens beside the run from i to end are paired with.
func (m *meeting) slotIn(pairs []int, i, end, length int) (from, to int, ok bool) {
	if i == 0 || pairs[i-1] < 0 {
		return 0, 0, false // what a claim begins with is its subject
	}
	from = pairs[i-1] + 1
	to = min(from+end-i+1, length)
	if end < len(pairs) {
		to = pairs[end]
	}
	return from, to, to > from && to-from <= slotGap
}

// lacking returns the content words from token i to end that the passage lacks.
func (m *meeting) lacking(i, end int) string {
	var out []string
	for _, w := range m.words {
		if w.at >= i && w.at < end && !w.subject {
			if w.hit > 0 {
				return ""
			}
			out = append(out, w.norm)
		}
	}
	return strings.Join(out, " ")
}

// foreign returns the content words of the passage from one token to another that are none of the claim's.
func (m *meeting) foreign(from, to int) string {
	var out []string
	for i := from; i < to; i++ {
		if w := m.p[i]; w.content && !slices.ContainsFunc(m.words, func(c claimWord) bool { return slices.Contains(c.where, i) }) {
			out = append(out, w.norm)
		}
	}
	return strings.Join(out, " ")
}

func allStems(words []word) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = w.stem
	}
	return out
}
