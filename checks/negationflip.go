package checks

import (
	"fmt"

	"assay/engine/evidence"
)

var negationflip = &Check{
	ID: "G19", Name: "negationflip", Title: "NegationFlip", Tier: Grounding, Class: Firm,
	Scope: statementKeys, Eval: evalNegationFlip,
	Cap: 2, LifeCap: 3, Repair: []Action{Reread, Issues}, Terminal: Issues, Advise: Issues,
}

func evalNegationFlip(v View, k Key) []Hit {
	hits := flipped(v, k, evidence.Polarity)
	if len(hits) == 0 {
		return nil
	}
	b, _ := v.block(k)
	clean := statementOf(b)
	hits[0].Weak = !evidence.Flipped(clean, v.groundOf(b).text)
	return hits
}

// flipped holds a block against what it rests on with a matcher that looks for a word turned round.
func flipped(v View, k Key, match func(claim, source string) evidence.Match) []Hit {
	b, _ := v.block(k)
	if v.copied(b) {
		return nil
	}
	clean := statementOf(b)
	if m := match(clean, v.groundOf(b).text); !m.OK {
		return []Hit{{Where: b.ID, What: fmt.Sprintf("it turns its source round: %s", m.Reason)}}
	}
	return nil
}
