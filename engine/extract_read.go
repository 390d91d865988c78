package engine

import (
	"context"

	"assay/engine/answer"
	"assay/engine/research"
)

// readAnswer is what a reader said of one window.
type readAnswer struct {
	by   string
	said research.ReaderAnswer
}

// settle holds every answer against its window and gives the claims that stand. A window of which a model said only what does
// not stand there is read again without it; so are all windows when nothing at all stands, since a model that cannot read
// answers with noise or with empty lists, and neither says that the pages hold no answer.
func (r *run) settle(ctx context.Context, l *lens, calls []window, answers []readAnswer, out *extracted) ([]research.Claim, error) {
	accepted := make([][]research.Claim, len(calls))
	refused := make([]bool, len(calls))
	total := 0
	for i, c := range calls {
		out.Passages = append(out.Passages, c.input.Passages...)
		claims, dropped := l.acceptAll(c, answers[i])
		out.Dropped = append(out.Dropped, dropped...)
		accepted[i], refused[i] = claims, len(claims) == 0 && len(dropped) > 0
		total += len(claims)
	}
	var all []research.Claim
	for i, c := range calls {
		if (refused[i] || total == 0) && answers[i].by != extractiveName {
			again, err := r.reread(ctx, c)
			if err != nil {
				return nil, err
			}
			accepted[i], _ = l.acceptAll(c, again)
		}
		all = append(all, accepted[i]...)
	}
	return all, nil
}

// acceptAll holds what a reader said of a window against its passages.
func (l *lens) acceptAll(w window, a readAnswer) (claims []research.Claim, dropped []research.Issue) {
	for _, said := range a.said.Claims {
		if claim, why := l.accept(w, said, a.by); why == "" {
			claims = append(claims, claim)
		} else {
			dropped = append(dropped, research.Issue{Kind: "claim", Text: said.Statement, Reason: why, Source: w.page.Doc.Location})
		}
	}
	return claims, dropped
}

// reread has the extractive channel read a window.
func (r *run) reread(ctx context.Context, w window) (a readAnswer, err error) {
	if err := r.note("warn", "The model took nothing from %q that stands there; it is read without the model.", w.input.Source); err != nil {
		return a, err
	}
	c, err := r.call(research.Reader, w.input, rereadTry)
	if err != nil {
		return a, err
	}
	said, err := r.substitute(ctx, c)
	if err != nil {
		return a, err
	}
	a.by = said.By
	_, err = answer.Parse(said.Text, c.Schema, &a.said)
	return a, err
}

// rereadTry tells the call of reread from the three that ask may make.
const rereadTry = 3
