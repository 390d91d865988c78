//go:build unix

package library

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestWatchHostile puts things into the folder that a reader could hang or choke on.
func TestWatchHostile(t *testing.T) {
	folder := tree(t, "notes", map[string]string{"a.txt": "The anchor.\n"})
	l := open(t)
	news := watching(t, l, folder, fast)
	until(t, news, "it was read", func(n WatchNews) bool { return n.Did != nil })
	in := func(name string) string { return filepath.Join(folder, name) }
	for _, err := range []error{
		syscall.Mkfifo(in("pipe.txt"), 0o644),
		syscall.Mkfifo(in("README"), 0o644),
		os.Symlink(folder, in("loop")),
		os.Symlink(in("link-b"), in("link-a")),
		os.Symlink(in("link-a"), in("link-b")),
		os.Symlink("/dev/zero", in("zero.txt")),
		os.WriteFile(in("huge.txt"), nil, 0o644),
		os.Truncate(in("huge.txt"), 10<<30), // sparse
		os.WriteFile(in("closed.txt"), []byte("x"), 0),
		os.WriteFile(in("bad\xff.txt"), []byte("The mast.\n"), 0o644),
		os.MkdirAll(in(strings.Repeat("d/", maxDepth+6)), 0o755),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	write(t, in("last.txt"), "The rudder.\n")
	until(t, news, "the last one was read", func(n WatchNews) bool { return found(t, l, "rudder") })
	until(t, news, "it comes to rest", func(n WatchNews) bool { return n.Did == nil && n.Fault == "" })
	write(t, in("after.txt"), "The sail.\n")
	until(t, news, "it goes on", func(n WatchNews) bool { return found(t, l, "sail") })
}
