package evidence

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"assay/engine/research"
	"assay/engine/temporal"
	"assay/engine/text"
)

// Bounds of the reading of single sentences. A claim of few words is contained in much that says something else, so that more is asked
// of what confirms it: all its words in one statement, in their places.
const (
	shortClaim   = 5 // content words up to which a claim is held whole
	besideShort  = 2 // other content words that a statement may have that turns a short claim round
	kinBesides   = 2 // other content words among those of a claim where one of them is worded otherwise
	statedNearly = nearContainment
	sameRootHit  = 0.8 // what find gives a word of the same root, which is no other word
)

// refersBack begins a sentence whose subject is that of the sentence before it.
var refersBack = regexp.MustCompile(`^(?i:this|these|it|they|its|their|he|she|his|her|the (?:release|version|project|company|latter))\b|^(?:它|其|他|她|该|此)`)

// statements are the sentences of a window as single statements, a sentence that refers back to the one before it together with that one.
func statements(window string) []string {
	in := sentencesOf(window)
	out := make([]string, 0, len(in))
	for i, s := range in {
		if i > 0 && refersBack.MatchString(strings.TrimSpace(s)) {
			s = in[i-1] + " " + s
		}
		out = append(out, s)
	}
	return out
}

// Stating returns the statement of a window that has the words of a claim, its numbers, dates and names, and nothing that turns it round:
// a sentence, or one that refers back together with the sentence before it. What the window says beside it of other years, places or things
// is then no objection. It is "" when there is none.
func Stating(claim research.Claim, window, published string) string {
	r := newReading(claim, window, published)
	for _, s := range statements(r.window) {
		if text.Containment(r.terms, text.TermSet(s, r.lang)) < statedNearly {
			continue
		}
		if r.bornOutBy(s) && turned(r.claim.Text, s) == "" {
			return s
		}
	}
	return ""
}

// reading is a claim against a window.
type reading struct {
	claim     research.Claim
	window    string
	published string
	lang      string
	terms     map[string]bool
}

func newReading(claim research.Claim, window, published string) reading {
	lang := langOf(claim.Text)
	return reading{claim: claim, window: window, published: published, lang: lang, terms: text.TermSet(claim.Text, lang)}
}

// bornOutBy reports whether every number, date and name of the claim stands in one statement.
func (r reading) bornOutBy(s string) bool {
	return MatchQuantities(r.claim.Text, s).OK && MatchDates(r.claim.Text, s, r.published).OK && MatchNames(r.claim.Text, s).OK &&
		Polarity(r.claim.Text, s).OK && Direction(r.claim.Text, s).OK && Coined(r.claim.Text, s).OK
}

// turned returns how a text turns a claim round that the rules for longer sentences leave alone: a short statement negated on one side
// only, or the two sides of "before", "after", "than" or "by" exchanged. It is "" when nothing does, or when a statement agrees.
func turned(claim, source string) string {
	if langOf(claim) == "zh" {
		return turnedZh(claim, source)
	}
	flip := ""
	for _, s := range sentencesOf(source) {
		switch reason, agrees := turnedBy(claim, s); {
		case agrees:
			return ""
		case flip == "":
			flip = reason
		}
	}
	return flip
}

// turnedBy holds a claim against one sentence.
func turnedBy(claim, sentence string) (reason string, agrees bool) {
	cw := regular(wordsOf(claim))
	stems := contentStems(cw)
	if len(stems) < 2 {
		return "", false
	}
	sw := regular(wordsOf(sentence))
	if reason, agrees = sidesExchanged(cw, sw); reason != "" || agrees {
		return reason, agrees
	}
	if len(stems) >= minNegationLen {
		return "", false
	}
	for _, run := range nearest(clauses(sw), stems, contentStems) {
		other := contentStems(run)
		if common(stems, other) < len(stems) || len(other) > len(stems)+besideShort {
			continue
		}
		head, side := unlike(negated(cw), negated(run), stems, other)
		if head == "" {
			return "", true
		}
		reason = fmt.Sprintf("%q is negated in the %s only", asWritten(head, cw), side)
	}
	return reason, false
}

// asWritten is the first word of a text that has a stem.
func asWritten(stem string, words []word) string {
	for _, w := range words {
		if w.stem == stem {
			return w.norm
		}
	}
	return stem
}

// sided are the words whose two sides are not alike: A before B is not B before A.
var sided = wordSet("before after than by")

// sidesExchanged looks for a claim whose two sides stand on the other side of the same word in a sentence, and for one that has them in
// their places.
func sidesExchanged(claim, sentence []word) (reason string, agrees bool) {
	at, n := 0, 0
	for i, w := range claim {
		if sided[w.norm] {
			at, n = i, n+1
		}
	}
	if n != 1 {
		return "", false
	}
	left, right := apart(contentStems(claim[:at]), contentStems(claim[at+1:]))
	if len(left) == 0 || len(right) == 0 || len(left)+len(right) > 2*shortClaim {
		return "", false
	}
	for j, w := range sentence {
		if w.norm != claim[at].norm {
			continue
		}
		before, after := setOf(contentStems(sentence[:j])), setOf(contentStems(sentence[j+1:]))
		inAll := func(set map[string]bool, words []string) bool {
			return !slices.ContainsFunc(words, func(s string) bool { return !set[s] })
		}
		inNone := func(set map[string]bool, words []string) bool {
			return !slices.ContainsFunc(words, func(s string) bool { return set[s] })
		}
		subject, anywhere := left[:1], setOf(contentStems(sentence))
		switch {
		case inAll(before, left) && inAll(after, right):
			return "", true
		case inAll(before, right) && inNone(after, right) && inAll(after, subject) && inNone(before, subject) && inAll(anywhere, left):
			return fmt.Sprintf("what stands before and after %q is exchanged", w.norm), false
		}
	}
	return "", false
}

// apart leaves out what stands on both sides.
func apart(left, right []string) (l, r []string) {
	in, of := setOf(right), setOf(left)
	for _, s := range left {
		if !in[s] {
			l = append(l, s)
		}
	}
	for _, s := range right {
		if !of[s] {
			r = append(r, s)
		}
	}
	return l, r
}

// sidedZh are the Chinese words whose two sides are not alike.
var sidedZh = []string{"早于", "晚于", "先于", "高于", "低于", "大于", "小于", "多于", "少于"}

// turnedZh looks for the two sides of such a word exchanged.
func turnedZh(claim, source string) string {
	claim = strings.Trim(text.Fold(claim), "。.！! ")
	for _, m := range sidedZh {
		l, r, ok := strings.Cut(claim, m)
		if !ok || l == "" || r == "" || strings.Contains(r, m) {
			continue
		}
		folded := text.Fold(source)
		if strings.Contains(folded, r+m+l) && !strings.Contains(folded, l+m+r) {
			return m + "两边互换"
		}
	}
	return ""
}

// scattered returns why a text that has most words of a short claim does not state it: a word of it is missing from each single
// statement, or is worded otherwise among much else. It is "" when a statement has it whole, and for a longer claim.
func scattered(claim, window string) string {
	if langOf(claim) == "zh" {
		return ""
	}
	var words []word
	for _, w := range regular(wordsOf(claim)) {
		if w.content && !isNumberWord(w.norm) {
			words = append(words, w)
		}
	}
	if len(words) == 0 || len(contentStems(words)) > shortClaim {
		return ""
	}
	lacks := ""
	for _, s := range statements(window) {
		missing := wholeIn(words, regular(wordsOf(s)))
		if missing == "" {
			return ""
		}
		if lacks == "" {
			lacks = missing
		}
	}
	return fmt.Sprintf("no single sentence says it: %q is missing or stands apart", lacks)
}

// wholeIn returns a word of a claim that a statement lacks or has only in other words too far from the rest; "" when it has all.
func wholeIn(words, statement []word) string {
	m := &meeting{p: statement, at: map[string][]int{}}
	for i, w := range statement {
		m.at[w.stem] = append(m.at[w.stem], i)
	}
	first, last, reworded := len(statement), 0, ""
	var order []int
	for _, w := range words {
		hit, where := m.find(w)
		if hit == 0 {
			return w.norm
		}
		if hit < 1 && hit > sameRootHit {
			reworded = w.norm
		}
		order = append(order, where[0])
		first, last = min(first, where[0]), max(last, where[len(where)-1])
	}
	if reworded == "" {
		return ""
	}
	// "founded" told by "created" is the same only where both have the same about them, forwards or, in the passive, backwards.
	between := len(contentStems(statement[first : last+1]))
	if between > len(words)+kinBesides || !slices.IsSorted(order) && !passive(order) {
		return reworded
	}
	return ""
}

// passive reports whether places are those of a sentence in the other voice: the last words first, each part in its own order.
func passive(order []int) bool {
	falls := 0
	for i := 1; i < len(order); i++ {
		if order[i] < order[i-1] {
			falls++
		}
	}
	return falls == 2 || falls == 1 && len(order) == 2
}

// roughly are words before a number that say how exact it is, and nothing of what is done.
var roughly = wordSet("about around approximately nearly almost over under roughly some only just exactly least most more less than up estimated")

// otherDeed reports whether a sentence says of a number that something else was done than the claim says: "added 14" is not "had 14".
func otherDeed(claim, sentence string, inClaim, inSentence *research.Quantity) bool {
	deed := func(s string, q *research.Quantity) string {
		if q.Start < 0 || q.Start > len(s) {
			return ""
		}
		words := wordsOf(s[:q.Start])
		for i := len(words) - 1; i >= 0; i-- {
			if !roughly[words[i].norm] {
				if words[i].content && strings.HasSuffix(words[i].norm, "ed") {
					return words[i].stem
				}
				return ""
			}
		}
		return ""
	}
	of := deed(sentence, inSentence)
	return of != "" && of != deed(claim, inClaim) && !slices.Contains(contentStems(wordsOf(claim)), of)
}

// ofOthers reports whether a sentence names others and not those of the claim: what it says is said of them.
func ofOthers(claim, sentence string) bool {
	names := text.Names(sentence)
	if len(names) == 0 {
		return false
	}
	if !MatchNames(claim, sentence).OK {
		return true
	}
	// The name that a claim begins with is not told from a word by its capital: it is one where the sentence has another in its place.
	first := text.Tokens(claim)
	if len(first) == 0 || text.StopWord(first[0].Norm, "en") || !unicode.IsUpper([]rune(first[0].Text)[0]) {
		return false
	}
	return !text.TermSet(sentence, "en")[text.Stem(first[0].Norm, "en")] && !strings.Contains(text.Fold(claim), names[0].Norm)
}

// Turned returns how a text turns a claim round where it says the same but for a negation in a short statement, or for what stands on the
// two sides of "before", "after", "than" or "by"; "" when it does not.
func Turned(claim, source string) string { return turned(claim, source) }

// Agrees reports whether a statement has a short claim with the same negation, or both sides of such a word in their places.
func Agrees(claim, statement string) bool {
	if langOf(claim) == "zh" {
		return false
	}
	for _, s := range sentencesOf(statement) {
		if _, agrees := turnedBy(claim, s); agrees {
			return true
		}
	}
	return false
}

// Against returns why a single sentence of a window, one that speaks of what the claim names, says something else than the claim: see
// [Compare]. Least is how likely the comparison must find it. It is "" when none does.
func Against(claim research.Claim, window string, least float64, counts func(Comparison, string) bool) string {
	for _, s := range statements(window) {
		if ofOthers(claim.Text, s) {
			continue
		}
		if q := soleValue(claim); q != nil {
			if len(claim.Dates) > 0 && len(temporal.Dates(s)) > 0 && !MatchDates(claim.Text, s, "").OK {
				continue // the figure of another time
			}
			if o := soleOf(s, text.Quantities(s)); o != nil && otherDeed(claim.Text, s, q, o) {
				continue
			}
		}
		if c := Compare(claim.Text, s); c.Contradicts >= least && counts(c, s) {
			for _, reason := range c.Reasons {
				if !strings.HasPrefix(reason, lacking) {
					return reason
				}
			}
			return "says otherwise"
		}
	}
	return ""
}

// lacking begins a reason that says only that words are missing.
const lacking = "the passage lacks"
