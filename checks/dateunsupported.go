package checks

import (
	"fmt"
	"strings"

	"assay/engine/evidence"
)

var dateunsupported = &Check{
	ID: "G12", Name: "dateunsupported", Title: "DateUnsupported", Tier: Grounding, Class: Firm,
	Scope: statementKeys, Eval: evalDateUnsupported,
	Cap: 2, LifeCap: 3, Repair: []Action{Reread, Issues}, Terminal: Issues, Advise: Issues,
}

func evalDateUnsupported(v View, k Key) []Hit {
	b, _ := v.block(k)
	clean := statementOf(b)
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
	h := Hit{Where: b.ID, Weak: true, What: fmt.Sprintf("its sources do not hold %s: %s", strings.Join(first.Missing, ", "), first.Reason)}
	if date, other := inItsPlace(clean, g.text, first.Missing); other != "" {
		h.Weak, h.Code, h.What = false, "exchanged", fmt.Sprintf("its sources do not hold %s: a sentence of theirs has %s in its place", date, other)
	}
	return []Hit{h}
}
