package checks

import (
	"fmt"

	"assay/engine/evidence"
)

var negationflip = &Check{
	ID: "G19", Name: "negationflip", Title: "NegationFlip", Tier: Grounding, Class: Advisory,
	Scope: statementKeys, Eval: evalNegationFlip, Advise: Issues,
}

func evalNegationFlip(v View, k Key) []Hit {
	return flipped(v, k, evidence.Polarity)
}

// flipped holds a block against what it rests on with a matcher that looks for a word turned round.
func flipped(v View, k Key, match func(claim, source string) evidence.Match) []Hit {
	b, _ := v.block(k)
	if v.copied(b) {
		return nil
	}
	clean, _ := ParseCitations(b.Text)
	if m := match(clean, v.groundOf(b).text); !m.OK {
		return []Hit{{Where: b.ID, What: fmt.Sprintf("it turns its source round: %s", m.Reason)}}
	}
	return nil
}
