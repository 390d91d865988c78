package engine

import (
	"fmt"
	"slices"
	"strings"

	"assay/engine/evidence"
	"assay/engine/research"
	"assay/engine/text"
)

// tabled judges a claim of one figure by the cells of tables: the row that has all else the claim names, and the column whose heading, or
// unit, is that of the figure. Where several rows or columns may be meant, none is.
func (w *weigher) tabled(c research.Claim, src map[int]research.Source) (out []judged) {
	figure := soleFigure(c)
	if figure == nil {
		return nil
	}
	budget := mostCells
	for pi, p := range w.pages {
		for i := range p.Doc.Heads[:min(len(p.Doc.Heads), mostTables)] {
			t, ok := tableAt(p.Doc, i)
			if budget -= len(t.rows); !ok || budget < 0 {
				continue
			}
			row, column, ok := t.cellFor(c, figure, w.meaning.Lang)
			if !ok {
				continue
			}
			stance, why := cellStance(figure, t.columns[column], t.rows[row].cells[column])
			if stance == research.Neutral {
				continue
			}
			s, span := src[pi], t.rows[row].span
			out = append(out, judged{research.VerifiedPlace{
				Stance: stance, Reason: why, Passage: w.passages[w.keep(pi, span)], Location: s.Location, Title: s.Title, Voice: s.Voice, Published: s.Published,
			}, s.ID, 1})
		}
	}
	return out
}

// soleFigure is the one number of a claim that is no year; nil when there are more, or none.
func soleFigure(c research.Claim) *research.Quantity {
	var found *research.Quantity
	for i := range c.Quantities {
		if q := &c.Quantities[i]; q.Kind != research.Year && q.Kind != research.Version && q.Kind != research.Ordinal {
			if found != nil {
				return nil
			}
			found = q
		}
	}
	return found
}

// cellFor finds the cell that a claim speaks of.
func (t table) cellFor(c research.Claim, figure *research.Quantity, lang string) (row, column int, ok bool) {
	said := text.TermSet(strings.Replace(c.Text, figure.Text, " ", 1), lang)
	column = -1
	for i, heading := range t.columns {
		name, unit := headingOf(heading)
		stems := text.TermSet(name, lang)
		byName := i != t.label && len(stems) > 0 && text.Containment(stems, said) == 1
		if !byName && (unit == "" || figure.Unit == "" || !sameMeasure(unit, figure)) {
			continue
		}
		if column >= 0 {
			return 0, 0, false
		}
		column = i
	}
	if column < 0 {
		return 0, 0, false
	}
	for s := range text.TermSet(strings.Join(t.columns, " "), lang) {
		delete(said, s)
	}
	if len(said) == 0 {
		return 0, 0, false
	}
	row = -1
	for i, r := range t.rows {
		if text.Containment(said, text.TermSet(strings.Join(without(r.cells, column), " "), lang)) < 1 {
			continue
		}
		if row >= 0 {
			return 0, 0, false
		}
		row = i
	}
	return row, column, row >= 0
}

// sameMeasure reports whether a heading's unit is that of a figure.
func sameMeasure(unit string, figure *research.Quantity) bool {
	return slices.ContainsFunc(text.Quantities("7"+space(unit)+unit), func(q research.Quantity) bool { return q.Unit == figure.Unit })
}

// cellStance compares the figure of a claim with a cell.
func cellStance(figure *research.Quantity, heading, cell string) (research.Stance, string) {
	_, unit := headingOf(heading)
	has := value(cell, unit)
	said := figure.Text
	if figure.Unit == "" { // the claim leaves the unit to its column
		has = cell
	}
	if len(text.Quantities(has)) != 1 {
		return research.Neutral, ""
	}
	if evidence.MatchQuantities(said, has).OK {
		return research.Confirms, fmt.Sprintf("%s stands in the column %q of its row", figure.Text, heading)
	}
	return research.Contradicts, fmt.Sprintf("has %s where the claim has %s, in the column %q of its row", has, figure.Text, heading)
}
