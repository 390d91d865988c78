package desk

import (
	"context"
	"fmt"

	"assay/engine/research"
)

func (d *Desk) ollamaChannel(context.Context, string, research.Egress) (Channel, error) {
	return Channel{}, fmt.Errorf("no model server answers at %s: %w", d.ollamaURL(), research.ErrUnavailable)
}

func (d *Desk) recordedChannel(string) (Channel, error) {
	return Channel{}, fmt.Errorf("recorded: %w", research.ErrUnavailable)
}
