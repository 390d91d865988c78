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
		u.Shape = intent.ShapeOf(u, req.Shape)
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
		if len(terms) == 0 || 2*own < len(terms) || keywords(s, u.Lang) {
			return nil
		}
		out = append(out, research.Facet{ID: fmt.Sprintf("f%d", len(out)+1), Text: s, Terms: terms, Want: intent.Want(s, u.Lang)})
	}
	if 10*len(covered) < 8*len(asked) {
		return nil
	}
	return out
}

// listWords is how many words without one that joins them are a string for a search engine and no part of a question: a small model
// that is asked for parts answers with such strings, which say what to look up and not what to answer.
const listWords = 4

// keywords reports whether a text is a list of words only. A language without spaces has no such lists.
func keywords(s, lang string) bool {
	if lang != "en" {
		return false
	}
	words := text.Tokens(s)
	for _, t := range words {
		if text.StopWord(t.Norm, lang) || t.Text == "," {
			return false
		}
	}
	return len(words) >= listWords
}
