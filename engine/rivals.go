package engine

import (
	"regexp"
	"slices"
	"strings"

	"assay/engine/evidence"
	"assay/engine/research"
	"assay/engine/temporal"
	"assay/engine/text"
)

const (
	// marksShared is how many words of names, and days, that neither the question nor the answers give two texts share when they speak of
	// one thing, and marksShare the share of those of the shorter list.
	marksShared = 3
	marksShare  = 0.5
	maxAnswers  = 40 // of one facet that are set against each other
)

// stated is what a line answers to its facet.
type stated struct {
	page, line int
	value      evidence.Value
	years      []string // that the line names beside it
}

// rivals sets against each other what the pages answer to a facet that asks for a date, a number or a name. Two answers are rivals
// where the texts around them speak of one thing: they share names or figures that the question does not give, and what qualifies the
// subject of the question is not something else in each.
func (d *disputes) rivals(fi int, lines [][2]int) {
	f := d.meaning.Facets[fi]
	if !typedWant(f.Want) {
		return
	}
	attribute := attributeOf(f)
	ambiguous := !d.specific() || d.ambiguous()
	var all []stated
	for _, at := range lines {
		if len(all) == maxAnswers {
			break
		}
		s := d.pages[at[0]].Text(at[1])
		vs := evidence.Stated(f.Want, attribute, d.meaning.Question, s, !ambiguous && d.namesSubject(s))
		if len(vs) != 1 {
			continue
		}
		a := stated{page: at[0], line: at[1], value: vs[0]}
		for _, t := range temporal.Dates(s) {
			if t.Start >= vs[0].End || t.End <= vs[0].Start {
				a.years = append(a.years, t.ISO[:min(4, len(t.ISO))])
			}
		}
		all = append(all, a)
	}
	for i, a := range all {
		for _, b := range all[i+1:] {
			if a.page == b.page || !a.value.Differ(b.value) || len(d.found) >= maxDisputes || !d.sameSubject(a, b, ambiguous) {
				continue
			}
			when := evidence.ByPublication
			switch {
			case lasting(f):
				when = evidence.ForGood
			case f.Want != research.AnswerDate && len(a.years) > 0 && len(b.years) > 0 && !slices.ContainsFunc(a.years, func(y string) bool { return slices.Contains(b.years, y) }):
				when = evidence.OtherPeriod
			}
			d.add(a.page, a.line, b.page, b.line, fi, evidence.Exchanged{A: a.value.Text, B: b.value.Text}, when)
		}
	}
}

// attributeOf are the stems of a facet that say what is asked of its subject: its words without a capital.
func attributeOf(f research.Facet) []string {
	var out []string
	for _, t := range text.Tokens(f.Text) {
		if r := []rune(t.Text)[0]; r >= 'a' && r <= 'z' && !text.StopWord(t.Norm, "en") {
			out = append(out, text.Stem(t.Norm, "en"))
		}
	}
	return out
}

// sameSubject reports whether two places speak of one thing: where what is asked about is no name of several things, both name it; else
// the texts around them have marks in common.
func (d *disputes) sameSubject(a, b stated, ambiguous bool) bool {
	x, y := d.window(a.page, a.line), d.window(b.page, b.line)
	if qa, qb := d.qualifier(x), d.qualifier(y); qa != "" && qb != "" && !d.overlapWords(qa, qb) {
		return false
	}
	if !ambiguous {
		return d.namesSubject(x) && d.namesSubject(y)
	}
	return marksInCommon(d.meaning.Question, x, y, a.value.Text, b.value.Text)
}

// specific reports whether the question names more than its subject; a name alone may be that of many things.
func (w *weigher) specific() bool { return len(w.meaning.Entities) > 1 }

// ambiguous reports whether the pages speak of several things that are called as the subject of the question is: two of them say of it what
// is not the same.
func (w *weigher) ambiguous() bool {
	if w.manyThings == nil {
		many := w.differentlyQualified()
		w.manyThings = &many
	}
	return *w.manyThings
}

func (w *weigher) differentlyQualified() bool {
	first := ""
	for _, p := range w.pages {
		q := w.qualifier(p.Doc.Text[:min(len(p.Doc.Text), copyBytes)])
		switch {
		case q == "":
		case first == "":
			first = q
		case !w.overlapWords(first, q):
			return true
		}
	}
	return false
}

// overlapWords reports whether two qualifiers share a word that the question does not have.
func (w *weigher) overlapWords(a, b string) bool {
	in := text.TermSet(a, "en")
	for t := range text.TermSet(b, "en") {
		if in[t] && !slices.Contains(w.meaning.Terms, t) {
			return true
		}
	}
	return false
}

// marksInCommon counts the names of two words or more, the days and the figures that two texts share and neither the question nor the answers give.
func marksInCommon(question, x, y, va, vb string) bool {
	given := text.Fold(question + " " + va + " " + vb)
	mine := marksOf(x, given)
	n := 0
	theirs := marksOf(y, given)
	for m := range theirs {
		if mine[m] {
			n++
		}
	}
	return n >= marksShared && float64(n) >= marksShare*float64(min(len(mine), len(theirs)))
}

func marksOf(s, given string) map[string]bool {
	out := map[string]bool{}
	for _, n := range text.Names(s) {
		for _, w := range strings.Fields(n.Norm) {
			if len(w) > 3 && !strings.Contains(given, w) {
				out[w] = true
			}
		}
	}
	for _, d := range temporal.Dates(s) {
		if len(d.ISO) == len("2006-01-02") && !strings.Contains(given, text.Fold(d.Text)) {
			out[d.ISO] = true
		}
	}
	return out
}

var qualifierForm = regexp.MustCompile(`^\s*(?:\(([^()]{3,60})\)|,\s*(\p{Lu}[\p{L}'’.-]+(?:\s\p{Lu}[\p{L}'’.-]+)*))`)

// qualifier is what a text says of the subject of the question right after it names it first: "(1959 film)", ", Karnataka".
func (w *weigher) qualifier(s string) string {
	for _, e := range w.meaning.Entities {
		at := strings.Index(s, e.Text)
		if at < 0 {
			continue
		}
		if m := qualifierForm.FindStringSubmatch(s[at+len(e.Text):]); m != nil {
			return m[1] + m[2]
		}
	}
	return ""
}
