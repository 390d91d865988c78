package engine

import (
	"context"
	"fmt"

	"assay/engine/intent"
	"assay/engine/research"
	"assay/engine/text"
)

// understand is stage 1: the rules read the question, a model may fill what they left open, code decides.
func (r *run) understand(ctx context.Context, req research.Request) (research.Understanding, error) {
	u := intent.Understand(req.Question, req.Lang, req.Shape, req.Depth, r.now)
	var said research.AnalystAnswer
	if _, err := r.ask(ctx, research.Analyst, research.AnalystInput{Question: u.Question, Lang: u.Lang, About: req.About, Draft: u}, &said); err != nil {
		return u, err
	}
	// The rules were unsure of the intent: one of the six that the model names is taken.
	if u.IntentConfidence.Cmp(research.NewRatio(6, 10)) < 0 && said.Intent != "" {
		u.Intent = research.Intent(said.Intent)
	}
	if facets := acceptFacets(said.Facets, u); len(facets) > len(u.Facets) {
		u.Facets = facets
		u.Complexity = intent.Complexity(u, u.Question)
		u.Budget = intent.BudgetFor(req.Depth, u.Complexity)
	}
	if req.MinSources > 0 {
		u.Budget.FloorVoices = req.MinSources
	}
	u.Template, u.TemplateWhy = intent.ChooseTemplate(u, req.Template)
	return u, nil
}

// acceptFacets keeps the parts that a model proposes only when each speaks in the question's own words and together they
// lose none of what the question names.
func acceptFacets(said []string, u research.Understanding) []research.Facet {
	asked := map[string]bool{}
	for _, t := range u.Terms {
		asked[t] = true
	}
	var out []research.Facet
	covered := map[string]bool{}
	for _, s := range said {
		terms := text.Terms(s, u.Lang)
		own := 0
		for _, t := range terms {
			if asked[t] {
				own++
				covered[t] = true
			}
		}
		if len(terms) == 0 || 2*own < len(terms) {
			return nil
		}
		out = append(out, research.Facet{ID: fmt.Sprintf("f%d", len(out)+1), Text: s, Terms: terms, Want: intent.Want(s, u.Lang)})
	}
	if 10*len(covered) < 8*len(asked) {
		return nil
	}
	return out
}
