package evidence

import "math"

// clauseMarks open a part of a sentence that says something of its own.
var clauseMarks = wordSet("and but or who which that where when while with as after before because since although though including whose")

// clauseUnits cuts the sentences of the claim at marks and conjunctions, each part of two content words or more.
func (g *grounding) clauseUnits() []unit {
	var out []unit
	start, content := 0, 0
	close := func(end int) {
		if content >= 2 || len(out) == 0 {
			if u := g.unit(start, end); u.weight > 0 {
				out = append(out, u)
			}
		} else { // too short to stand alone: it belongs to the part before it
			out[len(out)-1] = g.unit(out[len(out)-1].from, end)
		}
		start, content = end, 0
	}
	for i, w := range g.c.words {
		if i > start && (w.sentence != g.c.words[i-1].sentence || content >= 2 && (w.opens || clauseMarks[w.norm])) {
			close(i)
		}
		content += int(flag(w.content))
	}
	if start < len(g.c.words) {
		close(len(g.c.words))
	}
	return out
}

// parts is how the text has the clauses of the claim.
func (g *grounding) parts() {
	least, least3, leastPairs, weak, w := 1.0, 1.0, 1.0, 0.0, 0.0
	most := 0.0
	units := g.clauseUnits()
	for _, u := range units {
		least, least3, leastPairs = min(least, u.soft), min(least3, u.best3), min(leastPairs, u.best1)
		most = max(most, u.missing)
		w++
		if u.best3 < 0.67 {
			weak++
		}
	}
	g.add("least clause", least)
	g.add("least clause window", least3)
	g.add("least clause sentence", leastPairs)
	g.add("weak clauses", min(weak, 6))
	g.add("weak clauses share", ratio(weak, w))
	g.add("clauses", min(w, 12))
}

// neighbours is how near the claim's neighbouring words stand in the text.
func (g *grounding) neighbours() {
	pairs, same, inOrder, together, worst := 0.0, 0.0, 0.0, 0.0, 0.0
	sum := 0.0
	last := -1
	for i, w := range g.c.words {
		if !w.content {
			continue
		}
		if last >= 0 && g.c.words[last].sentence == w.sentence {
			if g.hit[i] > 0 && g.hit[last] > 0 {
				pairs++
				near, fwd, one := 60, false, false
				for _, a := range g.where[last] {
					for _, b := range g.where[i] {
						d := b - a
						if d < 0 {
							d = -d
						}
						if g.p.words[a].sentence == g.p.words[b].sentence {
							one = true
						}
						if d < near {
							near, fwd = d, b >= a
						}
					}
				}
				same += flag(one)
				inOrder += flag(fwd && near <= 8)
				together += flag(near <= 3)
				worst = max(worst, math.Log1p(float64(near)))
				sum += math.Log1p(float64(near))
			}
		}
		last = i
	}
	g.add("neighbours in one sentence", ratio(same, pairs))
	g.add("neighbours in order", ratio(inOrder, pairs))
	g.add("neighbours together", ratio(together, pairs))
	g.add("farthest neighbours", worst)
	g.add("distance of neighbours", ratio(sum, pairs))
	g.add("pairs looked at", math.Log1p(pairs))
}

// guarded are words whose loss turns a sentence: what is alleged, planned, conditional or denied is told as a fact.
var guardedWords = wordSet("if would could may might should alleged allegedly accused suspected reportedly claims claimed plans planned plan expected hopes hoped wants wanted unless until almost nearly tried trying attempted attempt proposed likely possible possibly rumoured rumored fears threatened urged called calls considering whether")

// aligned sets each sentence of the claim against the sentence of the text that has most of it in order.
func (g *grounding) aligned() {
	bySentence := map[int][]string{}
	places := map[int][]int{}
	for i, w := range g.p.words {
		bySentence[w.sentence] = append(bySentence[w.sentence], w.stem)
		places[w.sentence] = append(places[w.sentence], i)
	}
	least, sum, n, guards, nots, added := 1.0, 0.0, 0.0, 0.0, 0.0, 0.0
	inserted, dropped := 0.0, 0.0
	for i := 0; i < len(g.c.words); {
		j := i
		for j < len(g.c.words) && g.c.words[j].sentence == g.c.words[i].sentence {
			j++
		}
		var stems []string
		content := 0.0
		for _, w := range g.c.words[i:j] {
			stems = append(stems, w.stem)
			content += flag(w.content)
		}
		if len(stems) > 120 || content == 0 {
			i = j
			continue
		}
		// Candidates: sentences with most of the claim's words.
		score := map[int]float64{}
		for k := i; k < j; k++ {
			seen := -1
			for _, at := range g.where[k] {
				if s := g.p.words[at].sentence; s != seen && g.c.words[k].content {
					score[s] += g.c.words[k].weight
					seen = s
				}
			}
		}
		best, bestScore := -1, 0.0
		for s := range g.p.sentences {
			if score[s] > bestScore {
				best, bestScore = s, score[s]
			}
		}
		n++
		if best < 0 || len(bySentence[best]) > maxSentence {
			least = 0
			i = j
			continue
		}
		pairs := align(stems, bySentence[best])
		got, first, last := 0.0, -1, -1
		for k, b := range pairs {
			if b >= 0 {
				if g.c.words[i+k].content {
					got++
				}
				if first < 0 {
					first = b
				}
				last = b
			} else if g.c.words[i+k].content && g.hit[i+k] > 0 {
				inserted++ // from another place of the text
			}
		}
		share := got / content
		least = min(least, share)
		sum += share
		if first >= 0 {
			claim := setOf(stems)
			for b := first; b <= last; b++ {
				w := g.p.words[places[best][b]]
				if claim[w.stem] {
					continue
				}
				guards += flag(guardedWords[w.norm])
				nots += flag(negators[w.norm] && !contractionStems[w.norm])
				dropped += flag(w.content)
			}
			src := setOf(bySentence[best])
			for _, w := range g.c.words[i:j] {
				added += flag(negators[w.norm] && !src[w.stem])
			}
		}
		i = j
	}
	g.add("aligned", ratio(sum, n))
	g.add("least aligned", least)
	g.add("guard dropped", min(guards, 3))
	g.add("negation dropped", min(nots, 2))
	g.add("negation added", min(added, 2))
	g.add("from elsewhere", min(inserted, 10))
	g.add("left out", math.Log1p(dropped))
}
