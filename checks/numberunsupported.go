package checks

import (
	"fmt"
	"strings"

	"assay/engine/evidence"
	"assay/engine/research"
)

var numberunsupported = &Check{
	ID: "G09", Name: "numberunsupported", Title: "NumberUnsupported", Tier: Grounding, Class: Advisory,
	Scope: statementKeys, Eval: evalNumberUnsupported, Advise: Issues,
}

// statementKeys returns the keys of blocks that state something and say on what they rest. A block that says nothing of
// that is uncitedclaim's.
func statementKeys(v View) []Key {
	var keys []Key
	for _, k := range blockKeys(v) {
		b, _ := v.block(k)
		if b.Kind != research.BlockTable && len(b.Refs)+len(b.Citations)+len(b.Claims) > 0 {
			keys = append(keys, k)
		}
	}
	return keys
}

func evalNumberUnsupported(v View, k Key) []Hit {
	b, _ := v.block(k)
	clean, _ := ParseCitations(b.Text)
	g := v.groundOf(b)
	if m := evidence.MatchQuantities(clean, g.text); !m.OK {
		return []Hit{{Where: b.ID, What: fmt.Sprintf("its sources do not hold %s: %s", strings.Join(m.Missing, ", "), m.Reason)}}
	}
	return nil
}
