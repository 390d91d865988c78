//go:build !darwin

package gpu

import (
	"context"
	"math"

	"github.com/shirou/gopsutil/v3/process"
)

// systemProgram asks the operating system for the name of a running program. Apple's is never asked: no driver there hides
// one.
func systemProgram(ctx context.Context, pid int) (string, error) {
	p, err := process.NewProcessWithContext(ctx, int32(min(pid, math.MaxInt32)))
	if err != nil {
		return "", err
	}
	return p.NameWithContext(ctx)
}
