package checks

import (
	"fmt"
	"slices"
	"strings"

	"assay/engine/evidence"
	"assay/engine/research"
	"assay/engine/text"
)

var sourceconflicthidden = &Check{
	ID: "G26", Name: "sourceconflicthidden", Title: "SourceConflictHidden", Tier: Grounding, Class: Advisory,
	Scope: draftedClaimKeys, Eval: evalSourceConflictHidden, Advise: Annotate,
}

// maxOfKey bounds the claims of one key that are held against each other, the one that is looked at among them: no more are compared
// by evidence.Contradictions.
const maxOfKey = 64

func evalSourceConflictHidden(v View, k Key) []Hit {
	c := v.Claims[k.ID]
	if c.Key == "" || len(c.Flags) > 0 {
		return nil
	}
	group := []research.Claim{c}
	for _, id := range v.claimsOfKey(c.Key) {
		if o := v.Claims[id]; len(group) < maxOfKey && o.ID != c.ID && v.otherVoice(c, o) && CitableClaim(o, v) {
			group = append(group, o)
		}
	}
	var hits []Hit
	for _, x := range evidence.Contradictions(group) {
		other := x.B
		if x.Resolution == evidence.Evolution || x.A != c.ID && x.B != c.ID {
			continue // of two times both hold: nothing is hidden
		}
		if x.B == c.ID {
			other = x.A
		}
		if o := v.Claims[other]; !v.shown(c, o) {
			hits = append(hits, Hit{Where: c.ID, What: fmt.Sprintf("another source says otherwise and the report does not say so (%s): %q", x.Reason, head(o.Text, 120))})
		}
	}
	return hits
}

// otherVoice reports whether two claims come from sources that are not one voice.
func (v View) otherVoice(a, b research.Claim) bool {
	x, ok := v.source(a.Source)
	y, ok2 := v.source(b.Source)
	return ok && ok2 && x.ID != y.ID && (x.Voice == "" || x.Voice != y.Voice || x.Work != y.Work)
}

// shown reports whether the report shows the other side of a claim: among its contradictions, in a block that rests on it, or
// by its value in a block that rests on the first.
func (v View) shown(c, other research.Claim) bool {
	if slices.ContainsFunc(v.Contradicts, func(x research.Contradiction) bool {
		return x.A == c.ID && x.B == other.ID || x.B == c.ID && x.A == other.ID
	}) {
		return true
	}
	if len(v.blocksOn(other.ID)) > 0 {
		return true
	}
	for _, b := range v.blocksOn(c.ID) {
		for _, q := range other.Quantities {
			if q.Kind != research.Year && strings.Contains(text.Fold(b.Text), text.Fold(q.Text)) && !strings.Contains(text.Fold(c.Text), text.Fold(q.Text)) {
				return true
			}
		}
	}
	return false
}
