//go:build unix

package bench

import (
	"syscall"
	"time"
)

// cpuTime is the processor time that the program has used. On a machine that does other things too it says more of a pass than
// the clock does.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
