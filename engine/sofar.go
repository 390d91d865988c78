package engine

import (
	"context"
	"errors"

	"assay/engine/research"
)

// ErrNothingYet says that a run has opened nothing yet, so that there is nothing to report.
var ErrNothingYet = errors.New("nothing was opened yet: look again when the first search is done")

// SoFar gives the report that a run would deliver if it ended now. rec is a copy of its record, stages included: what is in it is
// taken, every call that the model has not answered yet goes to the config's Model, which knows no more than the record, and from
// there to its Fallback. No round is begun that the run has not searched itself. The digest is whole also when nothing was found.
func (e *Engine) SoFar(ctx context.Context, rec Record) (research.Digest, error) {
	r, err := e.begin(ctx, rec)
	if err != nil {
		return research.Digest{}, err
	}
	err = r.each(func(ev research.Event) error {
		if ev.Kind == research.EventStage+"search" {
			r.rounds++
		}
		return nil
	})
	if err != nil {
		return research.Digest{}, err
	}
	if r.rounds == 0 {
		return research.Digest{}, ErrNothingYet
	}
	digest, err := r.stages(ctx)
	var short *ShortfallError
	if errors.Is(err, ErrNoFinding) || errors.As(err, &short) {
		err = nil // it is not over
	}
	return digest, err
}
