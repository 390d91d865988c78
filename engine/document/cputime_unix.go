//go:build unix

package document

import (
	"syscall"
	"time"
)

// cpuTime returns the processor time that this process has used, of all its threads.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0 // the wall clock of the parent remains
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
