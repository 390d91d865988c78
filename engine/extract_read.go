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

// reread has the extractive channel read a window of which the model said nothing that holds.
func (r *run) reread(ctx context.Context, w window) (a readAnswer, err error) {
	if err := r.note("warn", "Nothing that the model took from %q stands there; its own sentences are read instead.", w.input.Source); err != nil {
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
