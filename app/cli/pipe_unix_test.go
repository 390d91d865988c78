//go:build unix

package cli

import (
	"path/filepath"
	"syscall"
	"testing"
)

// TestGPUFromAPipe holds that a pipe nobody writes to is not opened, which would wait for ever.
func TestGPUFromAPipe(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Skip(err)
	}
	newTerminal(t).want(2, "it is no file; write - to read what another program prints", "gpu", "--from", name)
}
