package checks

import (
	"fmt"

	"assay/engine/evidence"
	"assay/engine/text"
)

var unsupportedclaim = &Check{
	ID: "G08", Name: "unsupportedclaim", Title: "UnsupportedClaim", Tier: Grounding, Class: Advisory,
	Scope: statementKeys, Eval: evalUnsupportedClaim, Advise: Annotate,
}

// minOverlap is the share of a claim's stems that its best window holds; less is no support. It only annotates: of acceptable
// summaries 8 % stay under 0.4 (CHECKS section 0).
const minOverlap = 0.30

// halfOverlap and mostOverlap are the same where a number or name is missing too, or two are.
const (
	halfOverlap = 0.5
	mostOverlap = 0.7
)

// minClaimTerms is how many stems a claim needs before their share says something.
const minClaimTerms = 4

func evalUnsupportedClaim(v View, k Key) []Hit {
	b, _ := v.block(k)
	clean := statementOf(b)
	g := v.groundOf(b)
	if g.text == "" || !sameScript(clean, g.text) {
		return nil // in another language the words cannot be held against each other
	}
	stems := text.TermSet(clean, v.Lang)
	if len(stems) < minClaimTerms {
		return nil
	}
	_, share := bestWindow(stems, windowsOf(g.text, v.Lang))
	numbers, names := evidence.MatchQuantities(clean, g.text), evidence.MatchNames(clean, g.text)
	lacking := len(numbers.Missing) + len(names.Missing)
	if !(share < minOverlap || share < halfOverlap && lacking > 0 || share < mostOverlap && lacking > 1) {
		return nil
	}
	h := Hit{Where: b.ID, Code: "overlap", What: fmt.Sprintf("its sources hold %.0f %% of its words", 100*share)}
	switch {
	case !numbers.OK:
		h.Code, h.What = "value", fmt.Sprintf("its sources hold %.0f %% of its words and not %s", 100*share, numbers.Missing[0])
	case len(names.Missing) >= 2:
		h.Code, h.What = "names", fmt.Sprintf("its sources hold %.0f %% of its words and neither %q nor %q", 100*share, names.Missing[0], names.Missing[1])
	}
	return []Hit{h}
}
