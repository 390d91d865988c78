package evidence

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"assay/engine/research"
	"assay/engine/text"
)

// A bound of a Chinese claim: what stands before or behind its number.
var (
	overZh    = regexp.MustCompile(`(?:超过|多于|大于|高于|不少于|不低于|至少|逾|突破|起码)\s*$`)
	underZh   = regexp.MustCompile(`(?:不到|少于|小于|低于|不足|不超过|没有超过|没超过|未超过|不多于|至多|最多|未满|未达)\s*$`)
	aboutZh   = regexp.MustCompile(`(?:约为|大约|约|近|将近|接近|左右|上下)\s*$`)
	overEndZh = regexp.MustCompile(`^[\p{Han}]{0,2}(?:以上)`)
	undEndZh  = regexp.MustCompile(`^[\p{Han}]{0,2}(?:以下|以内)`)
	abtEndZh  = regexp.MustCompile(`^[\p{Han}]{0,2}(?:左右|上下)`)
	orEqualZh = regexp.MustCompile(`没有?超过|未超过|不少于|不低于|至少|起码|不超过|不多于|至多|最多|以上|以下|以内`)
)

// roughZh is how far from an approximate number of a Chinese claim another may be, of it. The other matchers take as much after "about".
const roughZh = 0.05

// boundShare is the share of a claim's words beside its numbers that the sentence with the number must hold.
const boundShare = 0.5

// heldShare is the same where the sentence is to confirm the claim.
const heldShare = 0.75

// BoundZh holds a Chinese claim that sets a bound to a number, or gives it roughly (超过2万名, 不到45米, 约1.6万名, 50%以上), against
// a passage: where a sentence that has at least half of the claim's other words (three quarters to confirm it), and the claim's years, states exactly one number of
// the same unit, it confirms or contradicts the claim by that number. Everything else is neutral, with an empty reason: no bound, no
// such sentence, a number that is bounded itself, or more than one bound in the claim.
func BoundZh(claim, passage string) (research.Stance, string) {
	q, kind, equal := boundIn(claim)
	if q == nil {
		return research.Neutral, ""
	}
	words := wordsBeside(claim)
	years := yearsOf(claim)
	for _, sp := range text.Sentences(passage) {
		s := passage[sp.Start:sp.End]
		if text.Containment(words, wordsBeside(s)) < boundShare || !yearsStand(years, yearsOf(s)) {
			continue
		}
		if other, _, _ := boundIn(s); other != nil {
			continue // a bound against a bound is told by neither
		}
		have := sameUnit(s, *q)
		if have == nil {
			continue
		}
		canonical, _ := text.Canonical(*q)
		value, limit := have.Value.Float(), canonical.Float()
		holds := false
		switch kind {
		case "over":
			holds = value > limit || equal && value == limit
		case "under":
			holds = value < limit || equal && value == limit
		default:
			holds = value >= limit*(1-roughZh) && value <= limit*(1+roughZh)
		}
		if holds && (text.Containment(words, wordsBeside(s)) < heldShare || !Polarity(claim, s).OK) {
			continue
		}
		if holds {
			return research.Confirms, fmt.Sprintf("%s lies within what %s allows", have.Text, q.Text)
		}
		return research.Contradicts, fmt.Sprintf("%s where the claim allows %s", have.Text, q.Text)
	}
	return research.Neutral, ""
}

// boundIn is the one number of a Chinese text that is bounded, and how; nil when there is none, or more.
func boundIn(s string) (q *research.Quantity, kind string, equal bool) {
	if text.Lang(s) != "zh" {
		return nil, "", false
	}
	qs := text.Quantities(s)
	for i := range qs {
		if qs[i].Kind == research.Year || qs[i].Kind == research.Version || qs[i].Kind == research.Ordinal || !qs[i].Value.Known() {
			continue
		}
		before, after := s[:qs[i].Start], s[qs[i].End:]
		is := ""
		mark := ""
		switch {
		case underZh.MatchString(before): // 不超过 ends in 超过
			is, mark = "under", underZh.FindString(before)
		case overZh.MatchString(before):
			is, mark = "over", overZh.FindString(before)
		case overEndZh.MatchString(after):
			is, mark = "over", overEndZh.FindString(after)
		case undEndZh.MatchString(after):
			is, mark = "under", undEndZh.FindString(after)
		case aboutZh.MatchString(before), abtEndZh.MatchString(after):
			is = "about"
		default:
			continue
		}
		if q != nil {
			return nil, "", false
		}
		q, kind, equal = &qs[i], is, orEqualZh.MatchString(mark)
	}
	return q, kind, equal
}

// sameUnit is the one number of a sentence that has the unit of another; nil when there is none, or two that differ.
func sameUnit(s string, as research.Quantity) *research.Quantity {
	_, unit := text.Canonical(as)
	var one *research.Quantity
	for _, q := range text.Quantities(s) {
		v, u := text.Canonical(q)
		if q.Kind != as.Kind || u != unit || q.Unit == "" || !q.Value.Known() {
			continue
		}
		if one != nil && one.Value.Cmp(v) != 0 {
			return nil
		}
		q.Value = v
		one = &q
	}
	return one
}

// wordsBeside are the pairs of signs of a text beside its numbers and their bounds.
func wordsBeside(s string) map[string]bool {
	var b strings.Builder
	at := 0
	for _, q := range text.Quantities(s) {
		if q.Start >= at {
			b.WriteString(s[at:q.Start] + " ")
			at = q.End + len(calendarZh.FindString(s[q.End:]))
		}
	}
	rest := boundWordZh.ReplaceAllString(b.String()+s[at:], " ")
	out := map[string]bool{}
	for t := range text.TermSet(rest, "zh") {
		if utf8.RuneCountInString(t) > 1 && !strings.ContainsAny(t, "的了0123456789") {
			out[t] = true
		}
	}
	return out
}

// calendarZh belongs to the number before it.
var calendarZh = regexp.MustCompile(`^[年月日]`)

// boundWordZh is what bounds a number.
var boundWordZh = regexp.MustCompile(`没有超过|没超过|未超过|不超过|不少于|不多于|不低于|超过|多于|大于|高于|至少|不到|少于|小于|低于|不足|至多|最多|大约|约为|接近|将近|以上|以下|以内|左右|上下`)

func yearsOf(s string) map[string]bool {
	out := map[string]bool{}
	for _, q := range text.Quantities(s) {
		if q.Kind == research.Year {
			out[q.Text] = true
		}
	}
	return out
}

func yearsStand(a, b map[string]bool) bool {
	for k := range a {
		if !b[k] {
			return false
		}
	}
	return true
}
