package engine

import (
	"context"
	"fmt"
	"slices"

	"assay/engine/knowledge"
	"assay/engine/research"
	"assay/engine/subject"
)

// The subject lock (HDRI 3.5): a page is held against the question's subject when it is found, and each claim when it is taken
// from a page. Two things of one name are kept apart by what stands around the name.

// names are the subjects that the question names, with the forms under which the documents write them.
func names(u research.Understanding, docs []research.Document) []subject.Name {
	var out []subject.Name
	for _, e := range u.Entities {
		n := subject.NewName(e.Text)
		n.LearnForms(e.Aliases)
		for _, d := range docs {
			n.Learn(d.Text)
		}
		out = append(out, n)
	}
	return out
}

// judge judges the documents that were opened for the candidates, in their order: each by itself and held against the subject.
func (r *run) judge(ctx context.Context, docs []research.Document, found []candidate, in gatherInput) ([]research.Source, error) {
	out := []research.Source{}
	about := names(in.Meaning, docs)
	near, err := r.nearness(ctx, in.Meaning, docs)
	if err != nil {
		return nil, err
	}
	for i, d := range docs {
		sem := 0.0
		if near != nil {
			sem = near[i]
		}
		out = append(out, r.source(d, found[i], in, about, sem))
	}
	return out, nil
}

// relevanceSubject is the share of the subject match in the relevance of Eq. 6; the rest is base relevance.
const relevanceSubject = 0.6

// subjectMatch is rho of Eq. 5. The lexical part is 1 when the page holds a name of the question in any form, else the share of the
// question's terms that it holds. The semantic part is the share of the terms in one window, or how near an embedding model puts
// the page to the question where that says more. Also are terms that the page holds by another name. It returns the share of the window too, which is the completeness of the source.
func subjectMatch(p *subject.Page, u research.Understanding, have map[string]bool, about []subject.Name, near float64, also []string) (rho, window float64) {
	lex := containedShare(u.Terms, have)
	if len(about) > 0 {
		folded := subject.FoldForNames(p.Doc.Title + "\n" + p.Doc.Text)
		if slices.ContainsFunc(about, func(n subject.Name) bool { return n.In(folded) }) {
			lex = 1
		}
	}
	window = p.BestWindow(u.Terms)
	if len(also) > 0 { // these words stand in it by another name
		rest := slices.DeleteFunc(slices.Clone(u.Terms), func(t string) bool { return slices.Contains(also, t) })
		window = (p.BestWindow(rest)*float64(len(rest)) + float64(len(u.Terms)-len(rest))) / float64(len(u.Terms))
	}
	return subject.Rho(lex, max(window, near)), window
}

// anchor is what a name means in this run: its senses in the page that speaks most to the question.
type anchor struct {
	name   subject.Name
	senses []subject.Sense
	source string  // the page
	match  float64 // its relevance
}

// anchors picks the page of each name: the most relevant one that writes it; of equals the first.
func anchors(u research.Understanding, sources []research.Source, text func(int) string) []anchor {
	var out []anchor
	for _, n := range names(u, nil) {
		a := anchor{name: n, match: -1}
		for i, s := range sources {
			if m := s.Quality.Relevance.Float(); s.Verdict == research.Verified && m > a.match {
				if senses := n.Senses(text(i)); len(senses) > 0 {
					a.senses, a.source, a.match = senses, s.ID, m
				}
			}
		}
		if len(a.senses) > 0 {
			out = append(out, a)
		}
	}
	return out
}

// keepApart rejects the pages in which a name of the question means something else than in the page that speaks most to the
// question. Only what is told apart at every mention goes, and only when the page speaks no more to the question: a page wrongly
// sent away is lost, one wrongly kept is still judged claim by claim.
// The sources of earlier rounds come first in before; they help to say what is meant and are not judged again.
func keepApart(u research.Understanding, before []research.Source, beforeDocs []research.Document, sources []research.Source, docs []research.Document) {
	all := append(slices.Clone(before), sources...)
	text := func(i int) string {
		if i < len(before) {
			return beforeDocs[i].Text
		}
		return docs[i-len(before)].Text
	}
	for _, a := range anchors(u, all, text) {
		for i := range sources {
			s := &sources[i]
			if s.Verdict != research.Verified || s.ID == a.source || s.Quality.Relevance.Float() > a.match {
				continue
			}
			if why := subject.Another(a.name.Senses(docs[i].Text), a.senses); why != "" {
				s.Verdict = research.RejectOffSubject
				s.Note = fmt.Sprintf("means another %s than the page closest to the question: %s", a.name.Text, why)
			}
		}
	}
}

// meansAnother says how the passage of a claim means something else by a name of the question; "" when it does not.
func (l *lens) meansAnother(page int, passage string) string {
	for _, a := range l.anchors {
		if a.source == l.sources[page].ID {
			continue
		}
		if why := subject.Another(a.name.Senses(passage), a.senses); why != "" {
			return fmt.Sprintf("means another %s: %s", a.name.Text, why)
		}
	}
	return ""
}

// neutral are texts about nothing that is asked; how near a question is to them is how near this model puts any two texts.
var neutral = []string{
	"The bread was still warm when the shop opened.",
	"Rain fell on the roofs all through the night.",
	"He folded the letter and put it into a drawer.",
	"The table of contents is on the next page.",
}

// mostEmbedded is how many bytes of a page are embedded to say how near it is to the question.
const mostEmbedded = 1000

// nearness returns for each document how near its words are to the question by the vectors of the embedding model, 0..1, or nil
// when there is none, or it gives none, which is said. The vectors are recorded once, so that a resumed or replayed run asks for none.
func (r *run) nearness(ctx context.Context, u research.Understanding, docs []research.Document) ([]float64, error) {
	if !r.Model.Limits().Embeds || len(docs) == 0 {
		return nil, nil
	}
	texts := append([]string{u.Question}, neutral...)
	for _, d := range docs {
		texts = append(texts, r.opening(d, u))
	}
	of, err := once(ctx, r, research.EventEmbed, texts, func(ctx context.Context, texts []string) ([][]float32, error) {
		of, err := r.Model.Embed(ctx, texts)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err == nil && len(of) != len(texts) {
			err = fmt.Errorf("%d vectors for %d texts", len(of), len(texts))
		}
		if err != nil {
			return [][]float32{}, r.note("warn", "The embedding model gave no vectors: %v.", err)
		}
		return of, nil
	})
	if err != nil {
		return nil, err
	}
	if len(of) != len(texts) {
		return nil, r.note("warn", "How near a page is to the question is judged by its words alone.")
	}
	base := 0.0
	for i := range neutral {
		base += knowledge.Cosine(of[0], of[1+i]) / float64(len(neutral))
	}
	out := make([]float64, len(docs))
	for i := range docs {
		if base < 1 {
			out[i] = min(max((knowledge.Cosine(of[0], of[1+len(neutral)+i])-base)/(1-base), 0), 1)
		}
	}
	return out, nil
}

// opening is the title of a document and the words around the line that speaks most to the question.
func (r *run) opening(d research.Document, u research.Understanding) string {
	return d.Title + "\n" + r.shelf.page(d).Best(u.Terms, mostEmbedded)
}
