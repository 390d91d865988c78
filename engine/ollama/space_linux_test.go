package ollama

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"assay/engine/enginetest"
)

// TestPullNoSpace pulls onto a disk of 256 KiB.
func TestPullNoSpace(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("a small disk is mounted for this; run as root")
	}
	reg := enginetest.StartRegistry(t)
	o := enginetest.StartOllama(t)
	reg.Push(o, enginetest.TinyModel)
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=256k"); err != nil {
		t.Skipf("a small disk cannot be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(disk, 0); err != nil {
			t.Errorf("unmount %s: %v", disk, err)
		}
	})
	small := enginetest.StartOllamaIn(t, filepath.Join(disk, "models"))
	t.Cleanup(small.Kill)
	p, _, err := admin(t, small.URL).Pull(t.Context(), "http://"+reg.Name("tiny"), PullOptions{Host: reg.Addr})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Wait(t.Context()); !errors.Is(err, ErrNoSpace) || !strings.Contains(err.Error(), "is full") {
		t.Errorf("Wait = %v, want ErrNoSpace", err)
	}
}
