package evidence

import (
	"math"
	"sort"
)

// unit is a sentence of the claim with what the text has of it.
type unit struct {
	from, to     int // words
	weight       float64
	cov, soft    float64 // share of its weight that the text has: as it is, or by a relative
	best1, best3 float64 // the same within the best sentence, and within the best three in a row
	at           int     // the first of those three
	missing      float64 // weight of what is missing
	missed       int
	pairs        float64 // share of neighbouring content words that stand near each other in the text
	order        float64
}

// measure lists the measures. Their order is that of the coefficients.
func (g *grounding) measure() {
	units := g.units()
	g.coverage(units)
	g.extractive()
	g.names()
	g.numbers()
	g.asked()
	g.style()
	g.parts()
	g.neighbours()
	g.aligned()
	g.compared(units)
}

// units measures the sentences of the claim.
func (g *grounding) units() []unit {
	var out []unit
	for i := 0; i < len(g.c.words); {
		j := i
		for j < len(g.c.words) && g.c.words[j].sentence == g.c.words[i].sentence {
			j++
		}
		u := g.unit(i, j)
		if u.weight > 0 {
			out = append(out, u)
		}
		i = j
	}
	return out
}

func (g *grounding) unit(from, to int) unit {
	u := unit{from: from, to: to, at: 0}
	n := len(g.p.sentences)
	single := make([]float64, n+2)
	lastPlaces := []int(nil)
	pairs, close := 0, 0
	for i := from; i < to; i++ {
		w := g.c.words[i]
		if !w.content {
			continue
		}
		u.weight += w.weight
		if g.hit[i] == 1 {
			u.cov += w.weight
		}
		u.soft += w.weight * g.hit[i]
		if g.hit[i] == 0 {
			u.missing += w.weight
			u.missed++
		}
		seen := -1
		for _, at := range g.where[i] {
			if s := g.p.words[at].sentence; s != seen {
				single[s] += w.weight * g.hit[i]
				seen = s
			}
		}
		if i > from && u.weight > w.weight {
			pairs++
			if len(lastPlaces) > 0 && len(g.where[i]) > 0 && nearest2(lastPlaces, g.where[i]) <= 4 {
				close++
			}
		}
		lastPlaces = g.where[i]
	}
	if u.weight == 0 {
		return u
	}
	best := -1.0
	for s := 0; s < n; s++ {
		u.best1 = max(u.best1, single[s]/u.weight)
		if v := g.within(from, to, s, s+3) / u.weight; v > best {
			best, u.at = v, s
		}
	}
	u.best3 = max(best, 0)
	u.cov /= u.weight
	u.soft /= u.weight
	u.pairs = ratio(float64(close), float64(pairs))
	if pairs == 0 {
		u.pairs = flag(u.soft > 0.5)
	}
	u.order = g.ordered(from, to, u.at)
	return u
}

// within is the weight of the claim's words that sentences a to b of the text have.
func (g *grounding) within(from, to, a, b int) float64 {
	sum := 0.0
	for i := from; i < to; i++ {
		if g.hit[i] == 0 || !g.c.words[i].content {
			continue
		}
		k := sort.Search(len(g.where[i]), func(k int) bool { return g.p.words[g.where[i][k]].sentence >= a })
		if k < len(g.where[i]) && g.p.words[g.where[i][k]].sentence < b {
			sum += g.c.words[i].weight * g.hit[i]
		}
	}
	return sum
}

// ordered is the share of the claim's words that three sentences of the text have in the same order.
func (g *grounding) ordered(from, to, at int) float64 {
	var a, b []string
	for _, w := range g.c.words[from:to] {
		if w.content {
			a = append(a, w.stem)
		}
	}
	for _, w := range g.p.words {
		if w.content && w.sentence >= at && w.sentence < at+3 {
			b = append(b, w.stem)
		}
	}
	if len(a) == 0 || len(b) > 3*maxSentence {
		return 0
	}
	return float64(common(a, b)) / float64(len(a))
}

// coverage is what the text has of the claim's words.
func (g *grounding) coverage(units []unit) {
	var w, cov, soft, best1, best3, missing, pairs, order float64
	missed := 0
	minSoft, minBest1, minBest3, minPairs, maxMissing := 1.0, 1.0, 1.0, 1.0, 0.0
	weak := 0
	for _, u := range units {
		w += u.weight
		cov += u.weight * u.cov
		soft += u.weight * u.soft
		best1 += u.weight * u.best1
		best3 += u.weight * u.best3
		pairs += u.weight * u.pairs
		order += u.weight * u.order
		missing += u.missing
		missed += u.missed
		minSoft, minBest1, minBest3, minPairs = min(minSoft, u.soft), min(minBest1, u.best1), min(minBest3, u.best3), min(minPairs, u.pairs)
		maxMissing = max(maxMissing, u.missing)
		if u.best3 < 0.6 {
			weak++
		}
	}
	if len(units) == 0 {
		minSoft, minBest1, minBest3, minPairs = 0, 0, 0, 0
	}
	g.add("coverage", ratio(cov, w))
	g.add("soft coverage", ratio(soft, w))
	g.add("best sentence", ratio(best1, w))
	g.add("best window", ratio(best3, w))
	g.add("pairs", ratio(pairs, w))
	g.add("order", ratio(order, w))
	g.add("least coverage", minSoft)
	g.add("least best sentence", minBest1)
	g.add("least best window", minBest3)
	g.add("least pairs", minPairs)
	g.add("missing weight", min(missing, 20))
	g.add("missing words", float64(min(missed, 20)))
	g.add("most missing", min(maxMissing, 12))
	g.add("weak sentences", float64(min(weak, 6)))
	g.add("spread", ratio(soft-best3, w))
	g.add("spread1", ratio(best3-best1, w))
	g.add("claim sentences", float64(min(len(units), 12)))
	g.add("claim words", math.Log1p(float64(len(g.c.words))))
	g.add("source words", math.Log1p(float64(len(g.p.words))))
	g.add("length ratio", math.Log1p(float64(len(g.c.words)))-math.Log1p(float64(len(g.p.words))))
	// The longest run of the claim's words that the text lacks.
	gap, most := 0.0, 0.0
	for i, x := range g.c.words {
		switch {
		case !x.content:
		case g.hit[i] == 0:
			gap += x.weight
			most = max(most, gap)
		default:
			gap = 0
		}
	}
	g.add("longest gap", min(most, 12))
	// What the last third of the claim lacks: what is added stands at the end.
	third := len(g.c.words) * 2 / 3
	lw, lm := 0.0, 0.0
	for i := third; i < len(g.c.words); i++ {
		lw += g.c.words[i].weight
		if g.hit[i] > 0 {
			lm += g.c.words[i].weight * g.hit[i]
		}
	}
	g.add("end coverage", ratio(lm, lw))
}

// extractive is how much of the claim the text has word for word, and from how many places it is put together.
func (g *grounding) extractive() {
	n := len(g.c.words)
	long, density, longest, fragments, sources := 0, 0.0, 0, 0, map[int]bool{}
	jumps, last, maxJump := 0, -1, 0
	for i := 0; i < n; {
		r := g.run[i]
		if r == 0 {
			i++
			continue
		}
		density += float64(r * r)
		longest = max(longest, r)
		if r >= 3 {
			long += r
		}
		if r >= 2 {
			fragments++
			s := g.p.words[g.from[i]].sentence
			sources[s] = true
			if last >= 0 && s != last {
				jumps++
				d := s - last
				if d < 0 {
					d = -d
				}
				maxJump = max(maxJump, d)
			}
			last = s
		}
		i += r
	}
	g.add("copied", ratio(float64(long), float64(n)))
	g.add("density", math.Log1p(ratio(density, float64(n))))
	g.add("longest copied", ratio(float64(longest), float64(n)))
	g.add("longest copied words", math.Log1p(float64(longest)))
	g.add("fragments", ratio(float64(fragments), float64(n)))
	g.add("source sentences", float64(min(len(sources), 12)))
	g.add("jumps", ratio(float64(jumps), float64(max(fragments, 1))))
	g.add("greatest jump", math.Log1p(float64(maxJump)))
	grams, got2, got3 := 0, 0, 0
	two, three := map[string]bool{}, map[string]bool{}
	for i := range g.p.words {
		if i+1 < len(g.p.words) {
			two[g.p.words[i].stem+" "+g.p.words[i+1].stem] = true
		}
		if i+2 < len(g.p.words) {
			three[g.p.words[i].stem+" "+g.p.words[i+1].stem+" "+g.p.words[i+2].stem] = true
		}
	}
	for i := 0; i+2 < n; i++ {
		grams++
		if two[g.c.words[i].stem+" "+g.c.words[i+1].stem] {
			got2++
		}
		if three[g.c.words[i].stem+" "+g.c.words[i+1].stem+" "+g.c.words[i+2].stem] {
			got3++
		}
	}
	g.add("bigrams", ratio(float64(got2), float64(grams)))
	g.add("trigrams", ratio(float64(got3), float64(grams)))
	small, smallHit := 0, 0
	for i, w := range g.c.words {
		if !w.content {
			small++
			if g.hit[i] > 0 {
				smallHit++
			}
		}
	}
	g.add("small words", ratio(float64(smallHit), float64(small)))
}
