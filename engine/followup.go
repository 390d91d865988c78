package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"assay/engine/intent"
	"assay/engine/research"
	"assay/engine/text"
)

// Ask answers a further question from what a finished run has claimed, and from nothing else: the claims of the sources that are not
// struck are taken as they stand, held against the question instead of the run's own, weighed and printed by the rules of a report. A
// digest without a finding means that the answer is not in this research.
func (f *Finished) Ask(ctx context.Context, question string, struck []string) (research.Digest, error) {
	none := research.Digest{}
	question = strings.Join(strings.Fields(question), " ")
	if question == "" {
		return none, errors.New("the question is empty; say what you want to know")
	}
	cfg := f.config
	cfg.Request.Question, cfg.Request.Attach = question, nil
	r := &run{Config: cfg, record: f.fresh(), now: f.now, shelf: f.shelf, told: &f.model, levelled: &levelled{model: true}}
	u := intent.Understand(question, cfg.Request.Lang, research.ShapeSurvey, research.Quick, f.now)
	known := ledger{}
	for _, s := range f.known.Sources {
		if slices.Contains(struck, s.ID) {
			s.Verdict = research.Struck
		}
		known.Sources = append(known.Sources, s)
	}
	l, err := r.lens(ctx, u, known.Sources)
	if err != nil {
		return none, err
	}
	near := map[[2]int]bool{}
	for _, p := range l.body.Near(text.Terms(question, u.Lang), followNear, followPlaces) {
		near[[2]int{p.Page, p.Line}] = true
	}
	for _, c := range f.known.Claims {
		if c, ok := l.asked(c, near); ok {
			known.Claims = append(known.Claims, c)
		}
	}
	sortClaims(known.Claims)
	result, err := r.reason(ctx, reasonInput{f.round, u, nil, known})
	if err != nil {
		return none, fmt.Errorf("reason: %w", err)
	}
	d, err := r.report(ctx, reportInput{f.round, u, known, result})
	if err != nil {
		return none, fmt.Errorf("report: %w", err)
	}
	return d, nil
}

const (
	// followNear is the share of the weight of a further question's words, those that no page has among them, that a claim's line and
	// its neighbours hold; below it the claim speaks of something else. It is the theta of Eq. 5.
	followNear = 0.5
	// followPlaces bounds the lines that are looked at.
	followPlaces = 400
)

// asked returns a claim as one that speaks to the part of the lens's question to which its line is most relevant; false when the
// line is not among those that come near, or its source is not seen.
func (l *lens) asked(c research.Claim, near map[[2]int]bool) (research.Claim, bool) {
	page := -1
	for i, s := range l.sources {
		if s.ID == c.Source {
			page = i
		}
	}
	if page < 0 {
		return c, false
	}
	line := l.pages[page].LineAt(c.Start)
	if line < 0 || !near[[2]int{page, line}] {
		return c, false
	}
	fi, score := l.relevance(page, line, 0)
	if score.Float() <= 0 {
		return c, false
	}
	c.Facet, c.Relevance = l.meaning.Facets[fi].ID, score
	c.AsOf = l.asOf(page, line, fi, c.Dates)
	c.Subject, c.Key = l.key(page, line, fi, c)
	c.Evidence, c.Support = nil, nil
	return c, true
}
