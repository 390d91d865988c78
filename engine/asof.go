package engine

import (
	"slices"
	"strings"

	"assay/engine/research"
	"assay/engine/temporal"
)

// asOf is the time of which a line speaks, as a partial ISO date: the one date in it, or else the last one that its paragraph gives before
// it, as in "Woody was released on 19 July 2002. It held 8,500 packages." Several dates in the line itself tell nothing. It is told where
// figures are asked for, or the course of a thing: they are what is measured anew, while a date near a name or in the place of an answer is
// most often that of something else.
func (l *lens) asOf(page, line, facet int, own []string) string {
	want := l.meaning.Facets[facet].Want
	if want != research.AnswerQuantity && (want != research.AnswerAny || l.meaning.Intent != research.TrendAnalysis) {
		return ""
	}
	if len(slices.Compact(slices.Sorted(slices.Values(own)))) > 1 {
		return ""
	}
	if len(own) > 0 {
		return own[0]
	}
	p := l.pages[page]
	before, _, found := strings.Cut(p.Paragraph(line), p.Text(line))
	if !found {
		return ""
	}
	if dates := temporal.Dates(before); len(dates) > 0 {
		return dates[len(dates)-1].ISO
	}
	return ""
}
