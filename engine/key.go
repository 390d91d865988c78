package engine

import (
	"slices"
	"strings"

	"assay/engine/research"
	"assay/engine/text"
)

// measured is the least share of a facet's stems that must stand in a sentence before its measure (metres, dollars) is taken
// for what the facet asks: a measure does not say of itself what it measures, as a count does.
const measured = 0.6

// key is subject|attribute|period of a claim that states one figure of the kind its facet asks for, about the subject of the
// question; otherwise it is empty. It is cautious: a wrong key makes a contradiction of two things that are not the same.
func (l *lens) key(page, line, facet int, c research.Claim) (subj, k string) {
	f := l.meaning.Facets[facet]
	if subj = l.subjectAt(page, line); subj == "" || f.Want != research.AnswerQuantity {
		return subj, ""
	}
	var one *research.Quantity
	period := ""
	for i, q := range c.Quantities {
		switch {
		case q.Kind == research.Year:
			period = q.Text
		case q.Kind == research.Version || q.Kind == research.Ordinal || q.Unit == "":
		case !l.asksFor(f, subj, page, line, q):
		case one != nil:
			return subj, "" // two figures of the kind: which is meant cannot be told
		default:
			one = &c.Quantities[i]
		}
	}
	if one == nil {
		return subj, ""
	}
	_, unit := text.Canonical(*one)
	if unit == "" {
		unit = one.Unit
	}
	return subj, subj + "|" + strings.ReplaceAll(text.Fold(unit), "|", " ") + "|" + period
}

// asksFor reports whether a quantity is of the kind that a facet asks for: a count of what it names, or a measure in a sentence
// that speaks mostly of it, the subject itself aside.
func (l *lens) asksFor(f research.Facet, subj string, page, line int, q research.Quantity) bool {
	for _, t := range text.Terms(q.Unit, l.meaning.Lang) {
		for _, a := range l.meaning.Terms {
			if t == a {
				return true
			}
		}
	}
	if q.Kind == research.Count {
		return false
	}
	have := map[string]bool{}
	for _, s := range l.pages[page].Lines[line].Stems() {
		have[s] = true
	}
	named := text.TermSet(subj, l.meaning.Lang)
	asked := slices.DeleteFunc(slices.Clone(f.Terms), func(t string) bool { return named[t] })
	return len(asked) > 0 && containedShare(asked, have) >= measured
}

// subjectAt returns the subject of the question when it stands in the sentence, in its paragraph or in the headings above:
// the first name that the question gives, or else its rarest word.
func (l *lens) subjectAt(page, line int) string {
	p := l.pages[page]
	around := text.Fold(p.Paragraph(line) + " " + p.HeadingAt(p.Lines[line].Span.Start) + " " + p.Doc.Title)
	for _, e := range l.meaning.Entities {
		if slices.ContainsFunc(forms(e), func(f string) bool { return strings.Contains(around, text.Fold(f)) }) {
			return text.Fold(e.Text)
		}
	}
	if len(l.meaning.Entities) > 0 {
		return ""
	}
	best, weight := "", 0.0
	for _, t := range l.meaning.Terms {
		if w := l.body.Weight(t); l.body.Seen(t) > 0 && w > weight {
			best, weight = t, w
		}
	}
	if best != "" && text.TermSet(around, l.meaning.Lang)[best] {
		return best
	}
	return ""
}
