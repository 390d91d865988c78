package checks

import (
	"fmt"
	"strings"

	"assay/engine/evidence"
)

var dateunsupported = &Check{
	ID: "G12", Name: "dateunsupported", Title: "DateUnsupported", Tier: Grounding, Class: Advisory,
	Scope: statementKeys, Eval: evalDateUnsupported, Advise: Issues,
}

func evalDateUnsupported(v View, k Key) []Hit {
	b, _ := v.block(k)
	clean, _ := ParseCitations(b.Text)
	g := v.groundOf(b)
	published := []string{""}
	for _, s := range g.sources {
		if s.Published != "" {
			published = append(published, s.Published)
		}
	}
	var first evidence.Match
	for i, p := range published { // a relative date is resolved against the source it may stand in
		m := evidence.MatchDates(clean, g.text, p)
		if m.OK {
			return nil
		}
		if i == 0 {
			first = m
		}
	}
	return []Hit{{Where: b.ID, What: fmt.Sprintf("its sources do not hold %s: %s", strings.Join(first.Missing, ", "), first.Reason)}}
}
