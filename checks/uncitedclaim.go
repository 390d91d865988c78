package checks

import (
	"fmt"
	"regexp"
	"strings"

	"assay/engine/research"
	"assay/engine/temporal"
	"assay/engine/text"
)

var uncitedclaim = &Check{
	ID: "G06", Name: "uncitedclaim", Title: "UncitedClaim", Tier: Grounding, Class: Advisory,
	Scope: sectionKeys, Eval: evalUncitedClaim, Advise: Issues,
}

// maxUncited is the share of check-worthy sentences without a number that may stand without a reference (CHECKS 1B): 1 in 5.
const maxUncited = 5

// smallCount is the largest bare whole number that is not held against a text: small counts are often the writer's own
// ("three approaches").
const smallCount = 10

func evalUncitedClaim(v View, k Key) []Hit {
	s, _ := v.section(k)
	var hits, others []Hit
	worthy := 0
	for _, b := range s.Blocks {
		cited := len(b.Refs) > 0 || v.rests(b)
		for _, span := range text.Sentences(b.Text) {
			sentence := b.Text[span.Start:span.End]
			why := checkWorthy(sentence)
			if why == "" {
				continue
			}
			worthy++
			h := Hit{Where: b.ID, Code: why, What: fmt.Sprintf("no source stands behind %q", head(sentence, 160))}
			switch {
			case cited:
			case why == "number" || why == "date":
				hits = append(hits, h)
			default:
				others = append(others, h)
			}
		}
	}
	if len(others)*maxUncited > worthy {
		hits = append(hits, others...)
	}
	return hits
}

// rests reports whether a block without references rests on a derived claim, whose basis carries them.
func (v View) rests(b research.Block) bool {
	for _, id := range b.Claims {
		if c, ok := v.Claims[id]; ok && c.Derivation != nil {
			return true
		}
	}
	return false
}

var (
	superlative = regexp.MustCompile(`(?i)\b(?:largest|smallest|biggest|highest|lowest|fastest|slowest|oldest|newest|youngest|first ever|the most \w+|the least \w+|the best|the worst|the only)\b|最(?:大|小|高|低|快|慢|早|新|多|少|好)`)
	reporting   = regexp.MustCompile(`(?i)\b(?:said|says|say|told|stated?|states|reported|reports|wrote|writes|announced|argued?|argues|claimed|claims|noted|notes|added|explained|warned|declared|testified|according to|concluded|found that|estimates?)\b|表示|指出|认为|宣布|报道|称|写道|说`)
)

// checkWorthy says why a sentence needs a source: number, date, quote, superlative, report; empty when it does not.
func checkWorthy(sentence string) string {
	for _, q := range text.Quantities(sentence) {
		if !ownCount(q) {
			return "number"
		}
	}
	switch {
	case len(temporal.Dates(sentence)) > 0:
		return "date"
	case len(text.Quotes(sentence)) > 0 && reporting.MatchString(sentence):
		return "quote"
	case superlative.MatchString(sentence):
		return "superlative"
	case reporting.MatchString(sentence) && len(text.Names(sentence)) > 0:
		return "report"
	}
	return ""
}

// ownCount reports whether a quantity is a small bare whole number or an ordinal.
func ownCount(q research.Quantity) bool {
	if q.Kind == research.Ordinal {
		return true
	}
	bare := q.Kind == research.Count && !strings.Contains(q.Text, ".") && q.Value.Rat().IsInt()
	return bare && q.Value.Cmp(research.NewRatio(smallCount, 1)) <= 0 && q.Value.Rat().Sign() >= 0
}
