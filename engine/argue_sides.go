package engine

import (
	"assay/engine/evidence"
	"assay/engine/research"
)

// The sides of a contested proposition are told by [evidence.Proposition]; here they order what is chosen and printed.

// propositionOf reads the proposition of a run's question.
func propositionOf(u research.Understanding) evidence.Proposition {
	return evidence.PropositionOf(u.Question, u.Lang)
}

// bothSides puts the claims that speak for a contested proposition and those that speak against it before those that do neither, in turn,
// so that neither side is crowded out; on each side they keep their order.
func (l *lens) bothSides(of []candidateClaim) []candidateClaim {
	t := propositionOf(l.meaning)
	var sides [3][]candidateClaim // for, against, neither
	for _, k := range of {
		p := l.pages[k.page]
		n, _ := t.Side(l.excerptText(k), p.HeadingAt(p.Lines[k.line].Span.Start)+"\n"+p.Doc.Title)
		switch {
		case n > 0:
			sides[0] = append(sides[0], k)
		case n < 0:
			sides[1] = append(sides[1], k)
		default:
			sides[2] = append(sides[2], k)
		}
	}
	out := make([]candidateClaim, 0, len(of))
	for i := 0; i < max(len(sides[0]), len(sides[1])); i++ {
		for _, s := range sides[:2] {
			if i < len(s) {
				out = append(out, s[i])
			}
		}
	}
	return append(out, sides[2]...)
}
