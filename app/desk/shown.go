package desk

import (
	"context"

	"assay/engine/render"
	"assay/gpu"
)

// Machine reads the machine's memory and cards.
func (d *Desk) Machine(ctx context.Context) gpu.Status {
	s, _ := d.sampler(false)
	return s.Status(ctx)
}

// Themed returns a report's page with its colours forced to "light" or "dark"; for any other theme it follows the system.
func Themed(page []byte, theme string) []byte { return render.Themed(page, theme) }
