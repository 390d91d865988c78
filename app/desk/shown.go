package desk

import (
	"context"

	"assay/engine/audit"
	"assay/engine/render"
	"assay/gpu"
)

// Audit recomputes every number, verdict and citation of a run of this home from its record.
func (d *Desk) Audit(id string) (audit.Report, error) {
	run, err := d.ReadRun(id)
	if err != nil {
		return audit.Report{}, err
	}
	return audit.Check(run), nil
}

// Machine reads the machine's memory and cards.
func (d *Desk) Machine(ctx context.Context) gpu.Status {
	s, _ := d.sampler(false)
	return s.Status(ctx)
}

// Themed returns a report's page with its colours forced to "light" or "dark"; for any other theme it follows the system.
func Themed(page []byte, theme string) []byte { return render.Themed(page, theme) }
