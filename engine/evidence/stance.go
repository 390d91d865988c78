package evidence

import (
	"fmt"
	"slices"
	"strings"

	"assay/engine/research"
	"assay/engine/text"
)

// addressContainment is the share of the claim's stems that a sentence and its neighbours need to address a claim without a
// key. Source: CHECKS 4.1.
const addressContainment = 0.6

// maxWindow bounds the window that is read, in bytes; the rest of a longer one is not.
const maxWindow = 16 << 10

// Stance says whether a window of text (a passage) confirms, contradicts or does not address a claim, and the reason in one
// clause.
//
// The window addresses the claim when it has its key (the subject, most stems of the attribute, and the period) or 0.6 of its
// stems with the subject among them. It confirms when every number, date and name of the claim stands there and no flip of
// polarity or direction is found; it contradicts when the words match and a value of the same kind and unit, a date, the
// polarity or the direction differs; otherwise it is neutral, which Eq. 3 does not count. No model is asked.
func Stance(claim research.Claim, window string) (research.Stance, string) {
	return StanceAt(claim, window, "")
}

// StanceAt is [Stance] for a window whose source was published on a known date (partial ISO), against which its relative
// dates are resolved.
func StanceAt(claim research.Claim, window, published string) (research.Stance, string) {
	window = strings.ToValidUTF8(window[:min(len(window), maxWindow)], "")
	stance, why := stanceOver(claim, window, published)
	switch {
	case stance == research.Confirms:
		if reason := turned(claim.Text, window); reason != "" {
			return research.Contradicts, reason
		}
		if reason := scattered(claim.Text, window); reason != "" {
			return research.Neutral, reason
		}
	case Stating(claim, window, published) != "":
		return research.Confirms, agreement(claim)
	}
	return stance, why
}

// stanceOver is the stance of a window taken as one.
func stanceOver(claim research.Claim, window, published string) (research.Stance, string) {
	focus, share := focusOf(claim, window)
	keyed := hasKey(claim, focus, window)
	if !keyed && (share < addressContainment || !hasSubject(claim, window)) {
		return research.Neutral, "does not address the claim"
	}
	if m := Polarity(claim.Text, focus); !m.OK {
		return research.Contradicts, m.Reason
	}
	if m := Direction(claim.Text, focus); !m.OK {
		return research.Contradicts, m.Reason
	}
	if m := Coined(claim.Text, focus); !m.OK {
		return research.Neutral, m.Reason
	}
	quantities, dates, names := MatchQuantities(claim.Text, focus), MatchDates(claim.Text, window, published), MatchNames(claim.Text, window)
	if quantities.OK && dates.OK && names.OK {
		if share < addressContainment {
			return research.Neutral, "has the key of the claim but not its words"
		}
		return research.Confirms, agreement(claim)
	}
	if reason := rival(claim, focus, keyed, share); reason != "" && names.OK {
		return research.Contradicts, reason
	}
	for _, m := range []Match{quantities, dates, names} {
		if !m.OK {
			return research.Neutral, m.Reason
		}
	}
	return research.Neutral, ""
}

// agreement says what was found.
func agreement(claim research.Claim) string {
	var parts []string
	for _, q := range claim.Quantities {
		if checked(&q) {
			parts = append(parts, q.Text)
		}
	}
	for _, d := range claim.Dates {
		if !slices.Contains(parts, d) {
			parts = append(parts, d)
		}
	}
	if len(parts) == 0 {
		return "same words and names"
	}
	if len(parts) > 4 {
		parts = parts[:4]
	}
	return "has " + strings.Join(parts, ", ")
}

// focusOf returns the sentences of the window that speak of the claim, in order and joined by a newline, and the share of
// the claim's stems that they hold together. A sentence is in when it has at least half of what the best one has.
func focusOf(claim research.Claim, window string) (string, float64) {
	lang := langOf(claim.Text)
	terms := text.TermSet(claim.Text, lang)
	spans := text.Sentences(window)
	shares := make([]float64, len(spans))
	best := 0.0
	for i, sp := range spans {
		shares[i] = text.Containment(terms, text.TermSet(window[sp.Start:sp.End], lang))
		best = max(best, shares[i])
	}
	if best == 0 {
		return "", 0
	}
	var in []string
	for i, sp := range spans {
		if shares[i] >= best/2 {
			in = append(in, window[sp.Start:sp.End])
		}
	}
	focus := strings.Join(in, "\n")
	return focus, text.Containment(terms, text.TermSet(focus, lang))
}

// hasSubject reports whether the window names the subject of the claim; a claim without one has nothing to name.
func hasSubject(claim research.Claim, window string) bool {
	subject := claim.Subject
	if s, _, _, ok := splitKey(claim.Key); ok && subject == "" {
		subject = s
	}
	if subject == "" {
		return true
	}
	lang := langOf(claim.Text)
	return text.Containment(text.TermSet(subject, lang), text.TermSet(window, lang)) >= addressContainment
}

// hasKey reports whether the focus has the claim's attribute and period and the window its subject.
func hasKey(claim research.Claim, focus, window string) bool {
	subject, attribute, period, ok := splitKey(claim.Key)
	if !ok || focus == "" {
		return false
	}
	lang := langOf(claim.Text)
	in := text.TermSet(focus, lang)
	terms := text.TermSet(attribute, lang)
	if len(terms) == 0 || text.Containment(terms, in) < addressContainment {
		return false
	}
	if s := text.TermSet(subject, lang); text.Containment(s, text.TermSet(window, lang)) < addressContainment {
		return false
	}
	return period == "" || strings.Contains(focus, period) || MatchDates(period, focus, "").OK && isPeriod(period)
}

// rival returns the value in the focus that stands where the claim has another one. It needs the key, or a sentence that
// has nearly all other words of the claim, and exactly one value, of the same kind and unit.
func rival(claim research.Claim, focus string, keyed bool, share float64) string {
	q := soleValue(claim)
	if q == nil || !checked(q) {
		return ""
	}
	lang := langOf(claim.Text)
	terms := text.TermSet(strings.Replace(claim.Text, q.Text, " ", 1), lang)
	for _, sentence := range strings.Split(focus, "\n") {
		if !keyed && (len(terms) < minDirectionLen || text.Containment(terms, text.TermSet(sentence, lang)) < nearContainment) {
			continue
		}
		if keyed && share < addressContainment && text.Containment(terms, text.TermSet(sentence, lang)) < addressContainment {
			continue
		}
		if !MatchDates(claim.Text, sentence, "").OK || ofOthers(claim.Text, sentence) {
			continue // another period, or another thing, is another fact
		}
		s := soleOf(sentence, text.Quantities(sentence))
		if s != nil && s.Kind == q.Kind && (s.Unit == q.Unit || s.Unit == "" || q.Unit == "") && !roundsTo(s, q) && !roundsTo(q, s) && !otherDeed(claim.Text, sentence, q, s) {
			return fmt.Sprintf("has %s where the claim has %s", s.Text, q.Text)
		}
	}
	return ""
}
