package bench

import (
	"encoding/json"
	"fmt"

	"assay/engine/research"
)

// Scorer returns a function that marks the report on one labelled question by the rules of the qa bench. label is the
// question's line of the data file; corpus is the folder against which its paths are written, whose files are read apart from
// the program's own readers. The marks, each 0 to 1: points and points_concise of the question; facet_recall and
// facet_recall_concise where it has facets; on_point where there are findings; citation_precision where there are citations
// and all their files could be read.
func Scorer(corpus string) func(label string, d research.Digest) (map[string]float64, error) {
	files := &corpusFiles{root: corpus, text: map[string]string{}}
	return func(label string, d research.Digest) (map[string]float64, error) {
		var q question
		if err := json.Unmarshal([]byte(label), &q); err != nil {
			return nil, fmt.Errorf("label of a question: %w", err)
		}
		unread := files.unread
		r := scoreOne(q, printed(q.ID, d), files)
		marks := map[string]float64{"points": r.points, "points_concise": r.pointsConcise}
		if n := len(q.Gold); n > 0 {
			marks["facet_recall"], marks["facet_recall_concise"] = share(r.hit, n), share(r.concise, n)
		}
		if r.findings > 0 {
			marks["on_point"] = share(r.useful, r.findings)
		}
		if r.cited > 0 && files.unread == unread {
			marks["citation_precision"] = share(r.citedOK, r.cited)
		}
		return marks, nil
	}
}

// printed is a digest in the form of the data's README, without a status.
func printed(id string, d research.Digest) answered {
	a := answered{ID: id, Findings: []saidFinding{}, Gaps: []string{}}
	for _, s := range d.Sections {
		for _, f := range s.Findings {
			x := saidFinding{Text: f.Text}
			for _, c := range f.Citations {
				p := d.Passages[c]
				for _, src := range d.Sources {
					if src.ID == p.Source {
						x.Citations = append(x.Citations, saidCitation{Path: src.URL, Quote: p.Text})
					}
				}
			}
			a.Findings = append(a.Findings, x)
		}
	}
	for _, g := range d.Gaps {
		a.Gaps = append(a.Gaps, g.Name+". "+g.Reason)
	}
	return a
}
