//go:build unix

package library

import (
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// unwritten waits up to lockWait until no process has the index open for writing, and reports whether that came to be. The
// index's own lock is asked (an advisory lock on root.bolt, exclusive for a writer) and let go at once.
func unwritten(path string) bool {
	f, err := os.Open(filepath.Join(path, "store", "root.bolt"))
	if err != nil {
		return true // without it there is nothing to hold
	}
	defer func() { _ = f.Close() }() // read only
	for deadline := time.Now().Add(lockWait); ; time.Sleep(50 * time.Millisecond) {
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB); err == nil {
			_ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN) // closing lets it go too
			return true
		}
		if time.Now().After(deadline) {
			return false
		}
	}
}
