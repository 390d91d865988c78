package checks

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

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
	stated := v.statements()
	near := newNearest[string](minAlike)
	count := map[string]int{}
	for _, s := range stated {
		for t := range s.terms {
			count[t]++
		}
	}
	onKey := map[string][]int{} // by claim key
	var hits []Hit
	for i, s := range stated {
		rivals := near.like(rarest(s.terms, count))
		keys := map[string]bool{}
		for _, id := range s.block.Claims {
			if k := v.Claims[id].Key; k != "" && !keys[k] {
				keys[k] = true
				rivals = append(rivals, onKey[k]...)
				if !s.again && len(onKey[k]) < maxRivals {
					onKey[k] = append(onKey[k], i)
				}
			}
		}
		slices.Sort(rivals)
		for _, j := range slices.Compact(rivals) {
			e := stated[j]
			if why := v.against(e.block, s.block, e.terms, s.terms); why != "" && !v.told(e.block, s.block) {
				hits = append(hits, Hit{Where: s.block.ID, What: fmt.Sprintf("block %s says otherwise: %s", e.block.ID, why)})
				break
			}
		}
		if !s.again {
			near.add(i, rarest(s.terms, count))
		}
	}
	return hits
}

// statement is a block that may contradict another, and the stems of it that are no values.
type statement struct {
	block research.Block
	terms map[string]bool
	again bool // an earlier one has its words and claims, and says the same of any other
}

// statements returns the blocks that state something flatly.
func (v View) statements() []statement {
	var out []statement
	seen := map[string]bool{}
	for _, s := range v.sections() {
		for _, b := range s.Blocks {
			same := b.Text + "\x00" + strings.Join(b.Claims, "\x00")
			if b.Kind == research.BlockTable || contrasted.MatchString(b.Text) {
				continue
			}
			out = append(out, statement{b, withoutValues(b.Text, v.Lang), seen[same]})
			seen[same] = true
		}
	}
	return out
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
