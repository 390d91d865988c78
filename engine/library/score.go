package library

import (
	"context"
	"math"
	"strings"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/search/query"

	"assay/engine/document"
	"assay/engine/text"
)

// Parameters of BM25 (Robertson and Zaragoza 2009), and the length of a passage that is neither long nor short, in stems. It is a
// constant, so that the score of a passage depends on nothing but the passage, the question and the folders that are searched.
const (
	bm25K1      = 1.2
	bm25B       = 0.75
	usualLength = 60.0
)

// rescore gives candidates their score by BM25 over the folders of the scope alone, in millionths of the best. The scores of the index
// are not used: they move with what else the index holds, with what was deleted from it and with how it is cut into segments, so that
// one question over one folder would be answered otherwise in another home.
func (s *Scope) rescore(ctx context.Context, x *index, words string, docs map[string]*opened, found []candidate) error {
	if len(found) == 0 {
		return nil
	}
	weights, err := s.weights(ctx, x, words)
	if err != nil {
		return err
	}
	scores, best := make([]float64, len(found)), 0.0
	for i, c := range found {
		o, err := s.open(ctx, x, docs, c.location)
		if err != nil {
			return err
		}
		if o == nil || c.span.Start > c.span.End || c.span.End > len(o.doc.Text) {
			continue // the index is behind; it is left out later
		}
		body := bodyOf(o.doc.Text[c.span.Start:c.span.End], document.PathAt(o.doc, c.span.Start), o.doc.Title)
		scores[i] = bm25(text.Terms(body, ""), weights)
		best = max(best, scores[i])
	}
	for i := range found {
		found[i].score = 0
		if best > 0 {
			found[i].score = int(math.Round(scores[i] / best * 1e6))
		}
	}
	return nil
}

// term is a stem of a question with its weight.
type term struct {
	stem   string
	weight float64
	part   bool // one character of a script without spaces: it matches each pair that holds it
}

// weights are the stems of a question with their inverse document frequencies over the passages of the scope.
func (s *Scope) weights(ctx context.Context, x *index, words string) ([]term, error) {
	all, err := s.count(ctx, x, nil)
	if err != nil {
		return nil, err
	}
	var out []term
	seen := map[string]bool{}
	for _, stem := range text.Terms(words, "") {
		if seen[stem] || len(out) == maxQueryTerms {
			continue
		}
		seen[stem] = true
		q := termQuery(stem)
		n, err := s.count(ctx, x, q)
		if err != nil {
			return nil, err
		}
		_, part := q.(*query.RegexpQuery)
		out = append(out, term{stem, math.Log(1 + (float64(all)-float64(n)+0.5)/(float64(n)+0.5)), part})
	}
	return out, nil
}

// count is how many passages of the scope match; a nil query matches all.
func (s *Scope) count(ctx context.Context, x *index, q query.Query) (uint64, error) {
	match := s.filter()
	if q != nil {
		b := query.NewBooleanQuery([]query.Query{q}, nil, nil)
		b.AddFilter(match)
		match = b
	}
	req := bleve.NewSearchRequestOptions(match, 0, 0, false)
	req.Score = "none"
	res, err := x.SearchInContext(ctx, req)
	if err != nil {
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		return 0, unreadable(err)
	}
	return res.Total, nil
}

// bm25 is the score of a passage of these stems.
func bm25(stems []string, terms []term) float64 {
	times := map[string]int{}
	for _, st := range stems {
		times[st]++
	}
	norm := bm25K1 * (1 - bm25B + bm25B*float64(len(stems))/usualLength)
	score := 0.0
	for _, t := range terms {
		n := times[t.stem]
		if t.part {
			for st, k := range times {
				if st != t.stem && strings.Contains(st, t.stem) {
					n += k
				}
			}
		}
		if n > 0 {
			score += t.weight * float64(n) * (bm25K1 + 1) / (float64(n) + norm)
		}
	}
	return score
}
