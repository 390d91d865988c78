package evidence

import (
	"slices"
	"strings"

	"assay/engine/text"
)

// Thresholds of an exchange.
const (
	exchangeShare = 0.6 // share of the claim's tokens that stand in the sentence in order
	exchangeNear  = 0.7 // the same for a number that the passage has elsewhere
	exchangeReach = 5   // tokens beside a number that need not be aligned, on each side
	exchangeGap   = 8   // tokens of the sentence that may stand in the place of the number and its neighbours
)

// exchangedFigures returns, for the index of each figure of the claim that a sentence of the passage has another one in place of,
// that other one. It looks at the sentence of the passage that is closest to the claim.
func exchangedFigures(c, p *side) map[int]*figure {
	if len(c.tokens) == 0 || len(c.tokens) > maxSentence {
		return nil
	}
	best, pairs, first, length := 0, []int(nil), 0, 0
	for _, sp := range text.Sentences(p.s) {
		from, to := tokenRange(p.tokens, sp.Start, sp.End)
		if to-from == 0 || to-from > maxSentence {
			continue
		}
		aligned := align(c.stems, p.stems[from:to])
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
	if float64(best) < exchangeShare*float64(len(c.tokens)) || best < minDirectionLen {
		return nil
	}
	out := map[int]*figure{}
	for i := range c.figures {
		f := &c.figures[i]
		if f.from >= len(pairs) || !slices.Contains(pairs[f.from:max(f.to, f.from+1)], -1) {
			continue
		}
		from, to, ok := gap(pairs, f, length)
		if !ok {
			continue
		}
		if f.code {
			if !strings.Contains(strings.ReplaceAll(p.folded, "-", ""), strings.ReplaceAll(text.Fold(f.Text), "-", "")) {
				out[i] = &figure{Amount: text.Amount{Text: p.words(first+from, first+to)}}
			}
			continue
		}
		var rival *figure
		for k := range p.figures {
			g := &p.figures[k]
			if g.from < first+from || g.to > first+to || g.month != f.month || g.code || g.year != f.year {
				continue
			}
			if g.supports(f) {
				rival = nil
				break
			}
			if rival == nil {
				rival = g
			}
		}
		// A number that the passage has elsewhere needs a sentence that is closer.
		if rival != nil && (float64(best) >= exchangeNear*float64(len(c.tokens)) || !p.has(f)) {
			out[i] = rival
		}
	}
	return out
}

// gap returns the tokens of the sentence, of the given length, that stand in place of the figure: those between what the nearest
// aligned tokens on its two sides are paired with. ok is false when a side is too far or the place too long.
func gap(pairs []int, f *figure, length int) (from, to int, ok bool) {
	l := f.from - 1
	for l >= 0 && pairs[l] < 0 {
		l--
	}
	r := f.to
	for r < len(pairs) && pairs[r] < 0 {
		r++
	}
	if f.from-1-l > exchangeReach || r-f.to > exchangeReach {
		return 0, 0, false
	}
	from, to = 0, length
	if l >= 0 {
		from = pairs[l] + 1
	}
	if r < len(pairs) {
		to = pairs[r]
	}
	return from, to, to > from && to-from <= exchangeGap
}

// has reports whether a figure of x bears out f.
func (x *side) has(f *figure) bool {
	return slices.ContainsFunc(x.figures, func(g figure) bool { return g.supports(f) })
}

// words returns the text of the tokens from index from to before to.
func (x *side) words(from, to int) string { return x.s[x.tokens[from].Start:x.tokens[to-1].End] }

// tokenRange returns the indexes of the tokens within the bytes from start to end.
func tokenRange(tokens []text.Token, start, end int) (from, to int) {
	for from < len(tokens) && tokens[from].Start < start {
		from++
	}
	for to = from; to < len(tokens) && tokens[to].End <= end; {
		to++
	}
	return from, to
}

// align returns for each of a the index of the one of b it is paired with in a longest common subsequence, -1 for none.
func align(a, b []string) []int {
	w := len(b) + 1
	table := make([]uint16, (len(a)+1)*w)
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				table[i*w+j] = table[(i+1)*w+j+1] + 1
			} else {
				table[i*w+j] = max(table[(i+1)*w+j], table[i*w+j+1])
			}
		}
	}
	pairs := make([]int, len(a))
	for i, j := 0, 0; i < len(a); i++ {
		pairs[i] = -1
		for j < len(b) && a[i] != b[j] && table[i*w+j] == table[i*w+j+1] {
			j++
		}
		if j < len(b) && a[i] == b[j] {
			pairs[i] = j
			j++
		}
	}
	return pairs
}
