package checks

import (
	"fmt"
	"strings"

	"assay/engine/evidence"
)

var entityunsupported = &Check{
	ID: "G15", Name: "entityunsupported", Title: "EntityUnsupported", Tier: Grounding, Class: Advisory,
	Scope: statementKeys, Eval: evalEntityUnsupported, Advise: Annotate,
}

func evalEntityUnsupported(v View, k Key) []Hit {
	b, _ := v.block(k)
	clean, _ := ParseCitations(b.Text)
	g := v.groundOf(b)
	if g.text == "" || !sameScript(clean, g.text) {
		return nil
	}
	m := evidence.MatchNames(clean, g.text+"\n"+v.aboutSources(g))
	if m.OK {
		return nil
	}
	return []Hit{{Where: b.ID, What: fmt.Sprintf("its sources do not name %s", strings.Join(m.Missing, ", "))}}
}

// aboutSources is what is known of the sources of a block beside their text: who wrote and published them.
func (v View) aboutSources(g ground) string {
	var out []string
	for _, s := range g.sources {
		out = append(out, s.Byline, s.Publisher)
	}
	return strings.Join(append(out, v.Question), "\n")
}
