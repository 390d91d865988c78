//go:build unix

package bench

import (
	"syscall"
	"time"
)

// processorTime is what the processors have done for this program so far; 0 where the system does not say.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
