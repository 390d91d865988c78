package evidence

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"assay/engine/text"
)

// Aspects is how many aspects a comparison has.
const Aspects = 44

// AspectNames names the aspects of a comparison in order.
var AspectNames = [Aspects]string{
	"coverage", "predicate coverage", "missing words", "missing names", "last word missing", "pairs", "order", "best sentence",
	"negation differs", "claim negated", "negation differs, covered", "passage negated",
	"number contradicted", "number unstated", "numbers borne out",
	"opposite", "other of its kind", "quantifier added", "substituted", "roles swapped",
	"passage length", "claim length", "hedged", "refuted in words", "answered no", "answered yes", "no number, covered", "all covered", "subject named", "superlative missing",
	"no effect found", "effects agree", "effects differ", "one word missing", "name missing, covered", "words of a shared sentence",
	"negation differs, all covered", "opposite, rest covered", "other of its kind, rest covered", "quantifier added, rest covered", "substituted, rest covered",
	"negated word absent", "slot filled otherwise", "slot filled otherwise, rest covered",
}

// quantifiers narrow or widen a claim; one that the passage lacks adds to what it says.
var quantifiers = wordSet(`only exclusively solely all every always never rarely seldom none entirely completely fully mainly mostly most least just alone any first last
	incapable unable impossible refuse refused avoid avoided hardly barely yet ever no zero`)

// hedges weaken what a passage says; refuting words deny what others said.
var (
	hedges   = wordSet("may might could possibly perhaps suggest suggests suggested potential potentially likely unclear unknown uncertain hypothesis hypothesize needed further whether")
	refuting = wordSet("false fake hoax myth misleading untrue incorrect incorrectly debunked denied denies rumor rumour baseless unfounded fabricated satire satirical satirized doctored wrong wrongly refuted rejected")
)

// aspects measures the comparison and says in clauses what it found.
func (m *meeting) aspects() (f [Aspects]float64, reasons []string) {
	say := func(format string, args ...any) { reasons = append(reasons, fmt.Sprintf(format, args...)) }
	all, covered, pred, predCovered, missing, missingNames := 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
	subjectNamed := 0.0
	var absent []string
	for _, w := range m.words {
		weight := 1.0
		if w.name || w.number {
			weight = 1.5
		}
		all += weight
		covered += weight * w.hit
		if w.subject {
			subjectNamed = max(subjectNamed, w.hit)
			continue
		}
		pred += weight
		predCovered += weight * w.hit
		if w.hit == 0 {
			missing++
			absent = append(absent, w.norm)
			if w.name {
				missingNames++
			}
		}
	}
	f[0], f[1] = ratio(covered, all), ratio(predCovered, pred)
	f[2], f[3] = min(missing, 4)/4, min(missingNames, 3)/3
	if n := len(m.words); n > 0 && m.words[n-1].hit == 0 && !m.words[n-1].number {
		f[4] = 1
	}
	f[5], f[6], f[7] = m.pairs(), m.order(), m.bestSentence()
	differs, absentNegated, inClaim, inPassage, word := m.negation()
	f[41] = flag(absentNegated)
	f[8], f[9], f[11] = flag(differs), flag(inClaim), flag(inPassage)
	f[10] = f[8] * f[1]
	if differs {
		say("%q is negated on one side only", word)
	}
	if len(absent) > 0 {
		say("the passage lacks %s", strings.Join(absent[:min(len(absent), 5)], ", "))
	}
	contradicted, unstated, checkedNumbers := false, false, false
	for _, n := range CompareNumbers(m.claim, m.passage) {
		if n.Cause == NumberUnstated {
			unstated = true
			continue
		}
		contradicted = true
		if n.Other != "" {
			say("%s where the passage has %s", n.Text, n.Other)
		} else {
			say("%s is not in the passage", n.Text)
		}
	}
	checkedNumbers = slices.ContainsFunc(m.words, func(w claimWord) bool { return w.number })
	f[12], f[13], f[14] = flag(contradicted), flag(unstated), flag(checkedNumbers && !contradicted && !unstated)
	if a, b := m.opposite(); a != "" {
		f[15] = 1
		say("%s where the passage has %s", a, b)
	}
	if a, b := m.otherKind(); a != "" {
		f[16] = 1
		say("%s where the passage has %s", a, b)
	}
	if q := m.addedQuantifier(); q != "" {
		f[17] = 1
		say("the passage does not say %q", q)
	}
	f[18] = min(float64(m.substituted()), 3) / 3
	if m.swapped() {
		f[19] = 1
		say("names stand in turned order")
	}
	f[20] = math.Log1p(float64(len(m.p))) / 6
	f[21] = math.Log1p(float64(len(m.c))) / 4
	f[22], f[23] = m.has(hedges), m.has(refuting)
	f[24], f[25] = answered(m.passage, "no"), answered(m.passage, "yes")
	f[26] = (1 - flag(checkedNumbers)) * f[1]
	f[27] = flag(missing == 0)
	f[28] = subjectNamed
	f[29] = flag(m.superlativeMissing())
	claim, passage := m.effect(m.c), m.effect(m.p)
	f[30] = flag(m.findsNothing())
	f[31], f[32] = flag(claim*passage > 0), flag(claim*passage < 0)
	if f[32] > 0 {
		say("one speaks of a good effect, the other of a bad one")
	}
	f[33] = flag(missing == 1)
	f[34] = flag(missingNames > 0) * f[1]
	f[35] = f[7] * f[6]
	rest := flag(missing <= 1)
	f[36] = f[8] * flag(missing == 0)
	f[37], f[38], f[39], f[40] = f[15]*rest, f[16]*rest, f[17]*rest, flag(f[18] > 0)*rest
	if a, b := m.slot(); a != "" {
		f[42], f[43] = 1, rest
		say("%s where the passage has %s", a, b)
	}
	return f, reasons
}

func flag(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// pairs is the share of neighbouring words of the claim that stand close to each other in the passage.
func (m *meeting) pairs() float64 {
	n, close := 0, 0
	for i := 1; i < len(m.words); i++ {
		a, b := m.words[i-1], m.words[i]
		n++
		if a.hit > 0 && b.hit > 0 && nearest2(a.where, b.where) <= 4 {
			close++
		}
	}
	return ratio(float64(close), float64(n))
}

// nearest2 returns the least distance between two places.
func nearest2(a, b []int) int {
	best := math.MaxInt
	for _, x := range a {
		for _, y := range b {
			d := x - y
			if d < 0 {
				d = -d
			}
			best = min(best, d)
		}
	}
	return best
}

// order is the share of the claim's content words that the passage has in their order.
func (m *meeting) order() float64 {
	var a, b []string
	for _, w := range m.words {
		a = append(a, w.stem)
	}
	for _, w := range m.p {
		if w.content {
			b = append(b, w.stem)
		}
	}
	if len(a) > maxSentence || len(a) == 0 {
		return 0
	}
	return float64(common(a, b)) / float64(len(a))
}

// bestSentence is the greatest share of the claim's words that one sentence of the passage has.
func (m *meeting) bestSentence() float64 {
	best := 0.0
	for _, sp := range text.Sentences(m.passage) {
		from, to := tokenRange(m.pt, sp.Start, sp.End)
		got := 0.0
		for _, w := range m.words {
			if slices.ContainsFunc(w.where, func(i int) bool { return i >= from && i < to }) {
				got += w.hit
			}
		}
		best = max(best, ratio(got, float64(len(m.words))))
	}
	return best
}

// negation compares what is negated. Differs is said of a word that the two share; absent says that the claim negates words of which
// the passage has none, so that nothing stands against it.
func (m *meeting) negation() (differs, absent, inClaim, inPassage bool, word string) {
	claim, passage := m.scope(m.c), m.scope(m.p)
	inClaim, inPassage = len(claim) > 0, len(passage) > 0
	in, of, lost := 0, 0, 0
	for _, w := range m.words {
		if w.subject {
			continue
		}
		if w.hit == 0 {
			lost += int(flag(claim[w.at]))
			continue
		}
		of++
		p := true
		for _, i := range w.where {
			p = p && passage[i]
		}
		if claim[w.at] != p {
			in++
			if word == "" {
				word = w.norm
			}
		}
	}
	return of > 0 && in*3 > of, lost > 0 && in == 0, inClaim, inPassage, word
}

// scope marks the words that a negator reaches: those behind it up to the next clause.
func (m *meeting) scope(words []word) map[int]bool {
	out := map[int]bool{}
	for i, w := range words {
		neg := negators[w.norm] || negatives[w.norm] || w.norm == "yet" && i+1 < len(words) && words[i+1].norm == "to" || aside[w.norm] != "" && i+1 < len(words) && words[i+1].norm == aside[w.norm]
		if !neg || contractionStems[w.norm] && (i+1 >= len(words) || words[i+1].norm != "t") || idle(words[i+1:]) {
			continue
		}
		for j := i + 1; j < len(words) && j <= i+scopeReach && !(words[j].opens && j > i+1) && !clauseBreaks[words[j].norm]; j++ {
			if out[j] {
				delete(out, j) // twice negated
			} else {
				out[j] = true
			}
		}
	}
	return out
}

// aside are words that negate what follows when their second word stands behind them: "other than", "outside of", "away from".
var aside = map[string]string{"other": "than", "outside": "of", "away": "from", "rather": "than", "instead": "of"}

// scopeReach is how many words behind a negator its scope may end.
const scopeReach = 8

// negatives are words that negate what they govern, beside those of [negators].
var negatives = wordSet("incapable impossible avoided avoids avoid stopped ceased declined denies denied prevented prevents absence absent neglected rarely seldom unaware excluded excluding except ineligible forbidden unknown insufficient")

// clauseBreaks end the reach of a negation.
var clauseBreaks = wordSet("but however although though because while whereas until unless")

// opposite returns a word of the claim whose opposite the passage has in its stead.
func (m *meeting) opposite() (a, b string) {
	for i, w := range m.c {
		if len(m.at[w.stem]) > 0 {
			continue
		}
		for o := range allOpposites[w.stem] {
			for _, at := range m.at[o] {
				if b == "" || m.p[at].norm < b {
					a, b = m.c[i].norm, m.p[at].norm
				}
			}
		}
		if b != "" {
			return a, b
		}
	}
	return "", ""
}

// otherKind returns a word of the claim that the passage lacks, where it has another member of its kind: another colour.
func (m *meeting) otherKind() (a, b string) {
	for _, w := range m.words {
		if w.hit > 0 {
			continue
		}
		kind, ok := kinds[w.norm]
		if !ok {
			continue
		}
		for _, p := range m.p {
			if kinds[p.norm] == kind && p.norm != w.norm {
				return w.norm, p.norm
			}
		}
	}
	return "", ""
}

// addedQuantifier returns a word of quantity that the claim has and the passage lacks.
func (m *meeting) addedQuantifier() string {
	for _, w := range m.c {
		if quantifiers[w.norm] && len(m.at[w.stem]) == 0 {
			return w.norm
		}
	}
	return ""
}

// substituted counts the words of the claim that the passage lacks and has another content word in the place of.
func (m *meeting) substituted() int {
	n := 0
	for i, w := range m.words {
		if w.hit > 0 || w.subject {
			continue
		}
		var left, right []int
		if i > 0 {
			left = m.words[i-1].where
		}
		if i+1 < len(m.words) {
			right = m.words[i+1].where
		}
		if m.stands(left, 1) || m.stands(right, -1) {
			n++
		}
	}
	return n
}

// stands reports whether a content word of the passage that is no word of the claim stands next to a place.
func (m *meeting) stands(places []int, dir int) bool {
	for _, at := range places {
		for j := at + dir; j >= 0 && j < len(m.p) && (j-at)*dir <= 3; j += dir {
			if m.p[j].content {
				return !slices.ContainsFunc(m.words, func(w claimWord) bool { return w.stem == m.p[j].stem })
			}
		}
	}
	return false
}

// swapped reports whether two names of the claim stand in the turned order around a shared word in the passage.
func (m *meeting) swapped() bool {
	var names []claimWord
	for _, w := range m.words {
		if (w.name || w.subject) && len(w.where) == 1 {
			names = append(names, w)
		}
	}
	for i := 1; i < len(names); i++ {
		a, b := names[i-1], names[i]
		if b.at-a.at < 2 || a.where[0] < b.where[0] {
			continue
		}
		for _, w := range m.words {
			if w.at > a.at && w.at < b.at && !w.name && slices.ContainsFunc(w.where, func(k int) bool { return k > b.where[0] && k < a.where[0] }) {
				return true
			}
		}
	}
	return false
}

// has is 1 when the passage has one of the words.
func (m *meeting) has(set map[string]bool) float64 {
	return flag(slices.ContainsFunc(m.p, func(w word) bool { return set[w.norm] }))
}

// answered is 1 when the passage is questions with answers of which the first says yes, or no.
func answered(passage, what string) float64 {
	at := strings.Index(passage, "\nA: ")
	if at < 0 {
		return 0
	}
	answer := strings.ToLower(passage[at+len("\nA: "):])
	return flag(strings.HasPrefix(answer, what) && (len(answer) == len(what) || !isLetter(answer[len(what)])))
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' }

// superlativeMissing reports whether a superlative of the claim is not in the passage.
func (m *meeting) superlativeMissing() bool {
	for i, w := range m.c {
		super := len(w.norm) > 5 && strings.HasSuffix(w.norm, "est") && !notSuperlative[w.norm] || (w.norm == "most" || w.norm == "least" || w.norm == "best" || w.norm == "worst") && i+1 < len(m.c)
		if super && len(m.at[w.stem]) == 0 {
			return true
		}
	}
	return false
}

var notSuperlative = wordSet("interest forest harvest contest protest request invest suggest southwest northwest midwest budapest bucharest everest arrest guest quest conquest digest honest modest priest ernest west rest test best")
