package evidence

import (
	"math"
	"strings"
)

// names is what the text has of the claim's names.
func (g *grounding) names() {
	n, miss, first := 0.0, 0.0, 0.0
	seen := map[string]bool{}
	for i, w := range g.c.words {
		if !w.name || seen[w.stem] {
			continue
		}
		seen[w.stem] = true
		n++
		if g.hit[i] < 0.9 && !strings.Contains(g.p.initials, w.norm) {
			miss++
		}
	}
	for i, w := range g.c.words {
		if w.content {
			first = g.hit[i]
			break
		}
	}
	g.add("names", min(n, 12))
	g.add("missing names", min(miss, 6))
	g.add("missing names share", ratio(miss, n))
	g.add("first word", first)
}

// numbers is what the text has of the claim's numbers.
func (g *grounding) numbers() {
	n, miss := 0.0, 0.0
	for i, w := range g.c.words {
		if w.number {
			n++
			if g.hit[i] == 0 {
				miss++
			}
		}
	}
	g.add("numbers", min(n, 12))
	g.add("missing numbers", min(miss, 6))
	g.add("missing numbers share", ratio(miss, n))
	var faults [5]float64
	for _, f := range CompareNumbers(g.c.s, g.p.s) {
		switch f.Cause {
		case NumberAbsent:
			faults[0]++
		case NumberExchanged:
			faults[1]++
		case NumberUnstated:
			faults[2]++
		default:
			faults[3]++
		}
		faults[4]++
	}
	g.add("number absent", min(faults[0], 4))
	g.add("number exchanged", min(faults[1], 4))
	g.add("number unstated", min(faults[2], 4))
	g.add("number faults", min(faults[4], 6))
}

// asked is what the text has of the question that the claim answers.
func (g *grounding) asked() {
	hit, where := g.p.look(g.q.words)
	w, got, fresh, freshGot := 0.0, 0.0, 0.0, 0.0
	asked := map[string]bool{}
	perSentence := map[int]float64{}
	for i, x := range g.q.words {
		if !x.content || asked[x.stem] {
			continue
		}
		asked[x.stem] = true
		w += x.weight
		got += x.weight * hit[i]
		seen := -1
		for _, at := range where[i] {
			if s := g.p.words[at].sentence; s != seen {
				perSentence[s] += x.weight * hit[i]
				seen = s
			}
		}
	}
	repeated := 0.0
	freshAt := map[int]float64{}
	counted := map[string]bool{}
	for i, x := range g.c.words {
		if !x.content || counted[x.stem] {
			continue
		}
		counted[x.stem] = true
		if asked[x.stem] {
			repeated += x.weight
			continue
		}
		fresh += x.weight
		freshGot += x.weight * g.hit[i]
		seen := -1
		for _, at := range g.where[i] {
			if s := g.p.words[at].sentence; s != seen {
				freshAt[s] += x.weight * g.hit[i]
				seen = s
			}
		}
	}
	both, near := 0.0, 0.0
	for s, v := range freshAt {
		qs := perSentence[s] + 0.5*perSentence[s-1]
		both = max(both, ratio(v, fresh)*min(1, ratio(qs, w)))
		if fresh > 0 && v/fresh >= 0.6 {
			near = max(near, min(1, ratio(qs, w)))
		}
	}
	g.add("question", flag(w > 0))
	g.add("question coverage", ratio(got, w))
	g.add("question repeated", ratio(repeated, w))
	g.add("new words coverage", ratio(freshGot, fresh))
	g.add("new words share", ratio(fresh, fresh+repeated))
	g.add("answer beside question", both)
	g.add("question beside answer", near)
}

var (
	selfWords   = wordSet("i me my mine we us our ours myself i'm i've i'd i'll we're we've")
	youWords    = wordSet("you your yours yourself you're")
	adviceWords = wordSet("should must need needs recommend recommended important essential crucial consider ensure advisable necessary best help helps")
	vagueWords  = wordSet("various several many different overall generally often typically usually significant significantly numerous potential potentially certain specific additionally furthermore")
	metaWords   = wordSet("passage context text article document source sources summary provided information mentioned according states")
	hedgeWords  = wordSet("may might could possibly perhaps suggest suggests suggested likely unlikely probably appears seems believed estimated")
	sureWords   = wordSet("always never all every only none most definitely certainly proven proves first largest best highest most")
)

// style is how the claim is put.
func (g *grounding) style() {
	count := func(t *groundText, set map[string]bool) float64 {
		n := 0.0
		for _, w := range t.words {
			if set[w.norm] {
				n++
			}
		}
		return n
	}
	n := float64(max(len(g.c.words), 1))
	g.add("self", min(count(g.c, selfWords), 3))
	g.add("you", min(count(g.c, youWords), 3))
	g.add("advice", count(g.c, adviceWords)/math.Sqrt(n))
	g.add("vague", count(g.c, vagueWords)/math.Sqrt(n))
	g.add("meta", min(count(g.c, metaWords), 4))
	g.add("hedged claim", min(count(g.c, hedgeWords), 2))
	g.add("hedged source", min(count(g.p, hedgeWords), 4))
	g.add("sure", min(count(g.c, sureWords), 3))
	neg := 0.0
	for _, w := range g.c.words {
		if negators[w.norm] {
			neg++
		}
	}
	g.add("negated", min(neg, 3))
	g.add("asks", flag(strings.Contains(g.c.s, "?")))
	short := 0.0
	for _, w := range g.c.words {
		short += float64(len(w.norm))
	}
	g.add("word length", short/n)
	content := 0.0
	for _, w := range g.c.words {
		content += flag(w.content)
	}
	g.add("content share", content/n)
	// Words of one kind, a place or a nationality: another one in the text.
	sure := 0.0
	for i, w := range g.c.words {
		if g.hit[i] > 0 || !quantifiers[w.norm] && !sureWords[w.norm] {
			continue
		}
		sure++
	}
	g.add("quantifier added", min(sure, 3))
}

// compared is what the weighed comparison finds in the best window of each sentence.
func (g *grounding) compared(units []unit) {
	lowYes, highNo, sumYes, sumNo, w := 1.0, 0.0, 0.0, 0.0, 0.0
	var worst [Aspects]float64
	for k, u := range units {
		if k >= 12 {
			break
		}
		a := g.c.sentences[g.c.words[u.from].sentence]
		from, to := u.at, min(u.at+3, len(g.p.sentences))
		if from >= to {
			continue
		}
		x := Compare(g.c.s[a.Start:a.End], g.p.s[g.p.sentences[from].Start:g.p.sentences[to-1].End])
		lowYes, highNo = min(lowYes, x.Confirms), max(highNo, x.Contradicts)
		sumYes += u.weight * x.Confirms
		sumNo += u.weight * x.Contradicts
		w += u.weight
		for i, v := range x.Features {
			worst[i] = max(worst[i], v)
		}
	}
	if w == 0 {
		lowYes = 0
	}
	g.add("confirmed", ratio(sumYes, w))
	g.add("contradicted", ratio(sumNo, w))
	g.add("least confirmed", lowYes)
	g.add("most contradicted", highNo)
	for _, i := range []int{8, 10, 12, 15, 16, 17, 18, 19, 22, 23, 29, 30, 31, 32, 36, 41, 42, 43} {
		g.add("aspect "+AspectNames[i], worst[i])
	}
}
