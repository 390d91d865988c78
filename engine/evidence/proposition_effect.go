package evidence

import (
	"regexp"
	"slices"
	"strings"

	"assay/engine/text"
)

// effect is a proposition of the form "X makes Y more or less".
type effect struct {
	subject, object map[string]bool
	object0         []string // stems of the object in order
	verb            string   // its stem
	axis            int
	sign            int
	subjectZh       string // as written, folded
	objectZh        string
}

// The axes of doing more or less: amounts and causes run along one, harm and help along another.
const (
	alongAmount = 1
	alongWorth  = 2
)

type turn struct{ axis, sign int }

// effectVerbs are verbs of doing more or less of something, by their stems. They are of the general language.
var effectVerbs = func() map[string]turn {
	out := map[string]turn{}
	for _, row := range []struct {
		axis, sign int
		words      string
	}{
		{alongAmount, 1, `increase raise grow boost lift expand enlarge multiply lengthen extend heighten rise climb double triple prolong cause trigger produce induce provoke create spark attract bring`},
		{alongAmount, -1, `cut reduce lower decrease shorten diminish lessen curb shrink drop fall decline trim halve slash minimise minimize prevent stop avoid avert eliminate block inhibit deter`},
		{alongWorth, 1, `help improve benefit strengthen protect aid enhance foster relieve ease soothe`},
		{alongWorth, -1, `harm hurt damage worsen weaken impair injure undermine hinder impede endanger spoil kill`},
	} {
		for w := range wordSet(row.words) {
			out[text.Stem(w, "en")] = turn{row.axis, row.sign}
		}
	}
	return out
}()

// degrees are comparatives that say of what stands beside them that it is more or less; they count where no verb does.
var degrees = map[string]int{"more": 1, "longer": 1, "higher": 1, "greater": 1, "larger": 1, "bigger": 1, "less": -1, "fewer": -1, "shorter": -1, "lower": -1, "smaller": -1}

// leadsTo are verbs that cause only with the word behind them.
var leadsTo = map[string]string{"lead": "to", "result": "in", "contribute": "to", "give": "rise"}

// effectOf reads the words behind the auxiliary of a question; nil when they name no effect on anything.
func effectOf(ws []word) *effect {
	for i, w := range ws {
		v, ok := effectVerbs[w.stem]
		if prep := leadsTo[w.stem]; prep != "" && i+1 < len(ws) && ws[i+1].norm == prep {
			v, ok = turn{alongAmount, 1}, true
		}
		if !ok && w.norm == "work" && i == len(ws)-1 {
			v, ok = turn{alongWorth, 1}, true
		}
		if i == 0 || !ok {
			continue
		}
		e := &effect{subject: setOf(contentStems(ws[:i])), object0: contentStems(ws[i+1:]), verb: w.stem, axis: v.axis, sign: v.sign}
		e.object = setOf(e.object0)
		if len(e.subject) > 0 {
			return e
		}
	}
	return nil
}

var (
	// denied are words that deny the statement behind them.
	denied = regexp.MustCompile(`(?i)\b(?:(?:no|little|any|scant|without)\s+(?:\w+\s+){0,2}?(?:evidence|proof|sign|signs|indication)|not true|untrue|(?:a |the )?myth|doubts?|doubted|den(?:y|ies|ied)|disput(?:e|es|ed)|refut(?:e|es|ed)|disprov(?:e|es|ed)|(?:not|never) (?:been )?(?:shown|found|proved|proven|established|demonstrated))\b\s+(?:\w+\s+){0,3}?(?:that|whether|to)\b`)
	// refuted are words that deny the statement before them.
	refuted = regexp.MustCompile(`(?i)\b(?:is|are|was|were|has been|have been|proved|turned out)\s+(?:to be\s+)?(?:an?\s+|simply\s+|plainly\s+|widely\s+)?(?:false|wrong|untrue|myth|mistaken|unfounded|not true|not correct|incorrect|disproved|disproven|refuted|baseless)\b`)
)

// without are words that say that nothing is done.
var without = regexp.MustCompile(`(?i)\b(?:has|have|had|shows?|showed|makes?|made|found)\s+(?:no|little|hardly any)\s+(?:\w+\s+)?(?:effect|influence|impact|bearing|difference)\b`)

// unsettled are words behind which nothing is stated as a fact; meant are those behind which something is only intended or foreseen.
var (
	unsettled = wordSet("if whether unless suppose supposing assuming would")
	meant     = wordSet("meant intended intends supposed designed hope hoped hopes aim aimed aims expected plan planned plans promise promised promises want wants wanted wish wished try tries tried attempt attempted order forecast predicted projected")
	// managing are verbs with which "to VERB" states that it is so.
	managing = wordSet("help helps helped manage manages managed serve serves served prove proves proved able tend tends tended continue continues continued fail fails failed unable found shown known seem seems appear appears enough likely used refuse refused little nothing")
	pronouns = wordSet("it they them this these that which who both such")
	joining  = wordSet("because as thanks due when where once since after with by through without")
)

// open reports whether what stands at i of a sentence is left open there: asked, supposed, intended or foreseen.
func open(ws []word, i int) bool {
	for j := max(0, i-2*negationReach); j < i; j++ {
		if unsettled[ws[j].norm] && !(ws[j].norm == "would" && slices.ContainsFunc(ws, func(w word) bool { return w.norm == "without" })) || meant[ws[j].norm] {
			return true
		}
	}
	if i > 0 && i < len(ws) && ws[i-1].norm == "to" {
		for j := max(0, i-4); j < i-1; j++ {
			if managing[ws[j].norm] {
				return false
			}
		}
		return true
	}
	return false
}

// objectReach is how many words from its verb the thing stands of which there is more or less.
const objectReach = 7

// sideEn reads one English sentence: 1 when it says that the subject does so, -1 when it says that it does not or does the opposite, 0
// when it says neither or both.
func (e *effect) sideEn(s, about string) int {
	ws := regular(wordsOf(s))
	sum, verbs := 0, 0
	from := 0
	for _, clause := range clauses(ws) {
		to := from + len(clause)
		for i := from; i < to; i++ {
			v, ok := effectVerbs[ws[i].stem]
			if prep := leadsTo[ws[i].stem]; prep != "" && i+1 < to && ws[i+1].norm == prep {
				v, ok = turn{alongAmount, 1}, true
			}
			if !ok || v.axis != e.axis && ws[i].stem != e.verb || ws[i].norm == "lower" && i+1 < to && ws[i+1].norm == "than" {
				continue
			}
			verbs++
			if !e.affects(ws, from, to, i) || !e.named(ws, from, to, i, about) || open(ws, i) {
				continue
			}
			n, sure := e.turned(ws, from, i, s)
			if !sure {
				return 0
			}
			sum += v.sign * e.sign * n
		}
		from = to
	}
	if verbs == 0 && without.MatchString(s) && text.Containment(e.subject, setOf(allStems(ws))) == 1 && text.Containment(e.object, setOf(allStems(ws))) == 1 {
		return -1
	}
	if verbs == 0 && e.axis == alongAmount {
		sum = e.compared(ws, s, about)
	}
	switch {
	case sum > 0:
		return 1
	case sum < 0:
		return -1
	}
	return 0
}

// compared reads "travel times are shorter with X".
func (e *effect) compared(ws []word, s, about string) int {
	sum, from := 0, 0
	for _, clause := range clauses(ws) {
		to := from + len(clause)
		for i := from; i < to; i++ {
			d := degrees[ws[i].norm]
			if d == 0 || i > 0 && negators[ws[i-1].norm] || !e.affects(ws, from, to, i) || !e.named(ws, from, to, i, about) || open(ws, i) {
				continue
			}
			if n, sure := e.turned(ws, from, i, s); sure {
				sum += d * e.sign * n
			}
		}
		from = to
	}
	return sum
}

// affects reports whether the thing of which there is more or less stands in the clause of a verb, near it.
func (e *effect) affects(ws []word, from, to, i int) bool {
	if len(e.object) == 0 {
		return true
	}
	in := map[string]bool{}
	for j := max(from, i-objectReach); j < min(to, i+objectReach+1); j++ {
		if j != i && e.object[ws[j].stem] {
			in[ws[j].stem] = true
		}
	}
	// A measure that more than one word names is not named by one of them that stands with another: "train times" are no "travel times".
	return 2*len(in) >= len(e.object) && !e.foreign(ws, max(from, i-objectReach), min(to, i+objectReach+1), e.object, in)
}

// foreign reports whether a name of which a part is missing stands with another word in that part's place.
func (e *effect) foreign(ws []word, from, to int, name, in map[string]bool) bool {
	if len(in) == len(name) {
		return false
	}
	for j := from; j < to; j++ {
		if !name[ws[j].stem] {
			continue
		}
		if j == from || ws[j].opens {
			return false
		}
		before := ws[j-1]
		_, verb := effectVerbs[before.stem]
		if !before.content || name[before.stem] || verb {
			return false
		}
	}
	return true
}

// named reports whether what does so is the subject of the proposition: it stands in the clause of the verb, or in one that the clause
// leans on, or a pronoun does that the heading or the sentence explains.
func (e *effect) named(ws []word, from, to, i int, about string) bool {
	all := setOf(allStems(ws))
	in := map[string]bool{}
	lean := false
	for j := from; j < to; j++ {
		if e.subject[ws[j].stem] {
			in[ws[j].stem] = true
		}
		lean = lean || j <= i && pronouns[ws[j].norm]
	}
	if len(in) == 0 {
		// "travel times fell because tram lanes ..."; "X, painted red, cut ..."; "with tram lanes, travel times fell"
		lean = lean || elliptic(ws, from, i) || to < len(ws) && joining[ws[to].norm] || joining[ws[0].norm] && from > 0
		if !lean {
			return false
		}
	} else if e.foreign(ws, from, to, e.subject, in) {
		return false
	}
	have := map[string]bool{}
	for s := range text.TermSet(about, "en") {
		have[s] = true
	}
	if len(in) == 0 && text.Containment(e.subject, all) > 0 && e.foreign(ws, 0, len(ws), e.subject, intersect(e.subject, all)) {
		return false
	}
	for s := range all {
		have[s] = true
	}
	if text.Containment(e.subject, have) < 0.5 {
		return false
	}
	// "Y causes X" is not "X causes Y".
	if len(in) > 0 && e.axis == alongAmount && e.roles(ws, from, to, i) {
		return false
	}
	return true
}

// elliptic reports whether a clause has no subject of its own before its verb.
func elliptic(ws []word, from, i int) bool {
	return !slices.ContainsFunc(ws[from:i], func(w word) bool { return w.content })
}

func intersect(a, b map[string]bool) map[string]bool {
	out := map[string]bool{}
	for s := range a {
		if b[s] {
			out[s] = true
		}
	}
	return out
}

// roles reports whether subject and object stand on each other's side of the verb, with nothing that turns the sentence into a passive.
func (e *effect) roles(ws []word, from, to, i int) bool {
	x, y := -1, -1
	for j := from; j < to; j++ {
		if e.subject[ws[j].stem] && !e.object[ws[j].stem] && x < 0 {
			x = j
		}
		if e.object[ws[j].stem] && !e.subject[ws[j].stem] && y < 0 {
			y = j
		}
	}
	if x < i || y < 0 || y > i {
		return false
	}
	for j := i; j < x; j++ {
		if joining[ws[j].norm] || ws[j].norm == "in" || ws[j].norm == "on" || ws[j].norm == "from" || ws[j].norm == "of" {
			return false
		}
	}
	return true
}

// noneBehind are words that behind a verb say that it does so to nothing.
var noneBehind = wordSet("no nothing neither little hardly none")

// turned counts what turns the verb at i round: an even number of times 1, else -1. It is not sure where a negator stands before an
// aside, of which it cannot be told how far it reaches.
func (e *effect) turned(ws []word, from, i int, s string) (n int, sure bool) {
	n = 1
	lo := max(from, i-negationReach-2)
	if from > 0 && elliptic(ws, from, i) && !clauseWords[ws[from].norm] {
		lo = max(0, i-2*negationReach)
	}
	if from > 0 && ws[0].norm == "without" {
		n = -n
	}
	// What denies the whole statement counts once, with the negator that it holds.
	skip := map[int]bool{}
	if loc := denied.FindStringIndex(s); loc != nil {
		if at := len(wordsOf(s[:loc[1]])); at <= i {
			n = -n
			for j := len(wordsOf(s[:loc[0]])); j < at; j++ {
				skip[j] = true
			}
		}
	}
	for j := lo; j < i; j++ {
		if ws[j].norm == "little" && j+1 < len(ws) && ws[j+1].norm == "to" && j+2 == i {
			n = -n // "does little to prevent it"
			continue
		}
		if skip[j] || !negators[ws[j].norm] || idle(ws[j+1:]) {
			continue
		}
		if contractionStems[ws[j].norm] && (j+1 >= len(ws) || ws[j+1].norm != "t") {
			continue
		}
		if j < from {
			return 0, false
		}
		n = -n
	}
	for j := i + 1; j < min(len(ws), i+3) && !ws[j].opens; j++ {
		if noneBehind[ws[j].norm] && !(j+1 < len(ws) && notNegation[ws[j+1].norm]) {
			n = -n
			break
		}
	}
	low := strings.ToLower(s)
	for _, apart := range []string{"rather than ", "instead of ", "far from "} {
		if k := strings.Index(low, apart); k >= 0 {
			if d := i - len(wordsOf(s[:k])); d >= 0 && d <= 4 {
				n = -n
			}
		}
	}
	if refuted.MatchString(s) {
		n = -n
	}
	return n, true
}
