package checks

import (
	"fmt"
	"regexp"
	"slices"

	"assay/engine/evidence"
	"assay/engine/research"
	"assay/engine/text"
)

var selfcontradiction = &Check{
	ID: "G25", Name: "selfcontradiction", Title: "SelfContradiction", Tier: Grounding, Class: Advisory,
	Scope: runKeys, Eval: evalSelfContradiction, Advise: Annotate,
}

// minAlike is the least share of each other's stems that two sentences hold which are one sentence with another value.
const minAlike = 0.85

// minValueTerms is how many stems beside its values a sentence needs before its likeness to another says something.
const minValueTerms = 3

// contrasted are words by which a text says itself that values differ.
var contrasted = regexp.MustCompile(`(?i)\b(?:versus|vs\.?|whereas|estimates? (?:range|vary|differ)|revised|between|rather than|instead of|compared (?:to|with)|but|however|although|contradict\w*|dispute\w*|other sources?|others|another source|disagree\w*|differ\w*|up from|down from|previously|earlier|later)\b|而|但|然而|相比|修订|不同|另有|分歧|此前|之间`)

func evalSelfContradiction(v View, _ Key) []Hit {
	type statement struct {
		block research.Block
		terms map[string]bool
	}
	var earlier []statement
	var hits []Hit
	for _, s := range v.sections() {
		for _, b := range s.Blocks {
			if b.Kind == research.BlockTable || contrasted.MatchString(b.Text) {
				continue
			}
			own := statement{b, withoutValues(b.Text, v.Lang)}
			for _, e := range earlier {
				if why := v.against(e.block, b, e.terms, own.terms); why != "" && !v.told(e.block, b) {
					hits = append(hits, Hit{Where: b.ID, What: fmt.Sprintf("block %s says otherwise: %s", e.block.ID, why)})
					break
				}
			}
			earlier = append(earlier, own)
		}
	}
	return hits
}

// told reports whether the report prints the disagreement of two blocks as one.
func (v View) told(a, b research.Block) bool {
	return slices.ContainsFunc(v.Contradicts, func(c research.Contradiction) bool {
		return slices.Contains(a.Claims, c.A) && slices.Contains(b.Claims, c.B) || slices.Contains(a.Claims, c.B) && slices.Contains(b.Claims, c.A)
	})
}

// against says how two blocks cannot both hold: claims of one key with other values, or one sentence with another value.
func (v View) against(a, b research.Block, at, bt map[string]bool) string {
	for _, x := range a.Claims {
		for _, y := range b.Claims {
			p, q := v.Claims[x], v.Claims[y]
			if x == y || p.Key == "" || p.Key != q.Key || p.Source != "" && p.Source == q.Source {
				continue
			}
			for _, c := range evidence.Contradictions([]research.Claim{p, q}) {
				return c.Reason
			}
		}
	}
	if len(at) < minValueTerms || 2*len(at) < len(bt) || 2*len(bt) < len(at) || text.Containment(at, bt) < minAlike || text.Containment(bt, at) < minAlike {
		return ""
	}
	x, y := text.Quantities(a.Text), text.Quantities(b.Text)
	if len(x) != len(y) || len(x) == 0 {
		return ""
	}
	for i := range x {
		if x[i].Kind == y[i].Kind && unitOf(x[i]) == unitOf(y[i]) && x[i].Value.Cmp(y[i].Value) != 0 && !periodDiffers(x, y) &&
			!evidence.MatchQuantities(b.Text, a.Text).OK && !evidence.MatchQuantities(a.Text, b.Text).OK {
			return fmt.Sprintf("%s and %s", x[i].Text, y[i].Text)
		}
	}
	return ""
}

// periodDiffers reports whether two lists of quantities name other years beside a value: then they may speak of two times.
func periodDiffers(x, y []research.Quantity) bool {
	values, years := false, false
	for i := range x {
		year := x[i].Kind == research.Year
		values = values || !year && x[i].Value.Cmp(y[i].Value) != 0
		years = years || year && x[i].Value.Cmp(y[i].Value) != 0
	}
	return values && years
}

// withoutValues returns the stems of a text that are no numbers.
func withoutValues(s, lang string) map[string]bool {
	out := text.TermSet(s, lang)
	for t := range out {
		if text.IsNumeral(t) || t != "" && t[0] >= '0' && t[0] <= '9' {
			delete(out, t)
		}
	}
	return out
}
