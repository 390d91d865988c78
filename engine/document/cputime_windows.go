package document

import (
	"syscall"
	"time"
)

// cpuTime returns the processor time that this process has used, of all its threads.
func cpuTime() time.Duration {
	self, err := syscall.GetCurrentProcess()
	if err != nil {
		return 0 // the wall clock of the parent remains
	}
	var made, ended, kernel, user syscall.Filetime
	if err := syscall.GetProcessTimes(self, &made, &ended, &kernel, &user); err != nil {
		return 0
	}
	ticks := func(t syscall.Filetime) int64 { return int64(t.HighDateTime)<<32 | int64(t.LowDateTime) } // of 100 ns
	return time.Duration(100 * (ticks(kernel) + ticks(user)))
}
