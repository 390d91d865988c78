//go:build unix

package library

import (
	"net"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestSpecialFiles: a pipe and a socket are not opened, which would wait for ever, and are named.
func TestSpecialFiles(t *testing.T) {
	dir := tree(t, "odd", map[string]string{"a.txt": "The ferry leaves at noon.\n"})
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe.txt"), 0o600); err != nil {
		t.Skipf("this file system has no pipes: %v", err)
	}
	s, err := net.Listen("unix", filepath.Join(dir, "s"))
	if err != nil {
		t.Skipf("this file system has no sockets: %v", err)
	}
	defer s.Close()
	l := open(t)
	g := add(t, l, dir)
	want := map[string]string{"odd/pipe.txt": "named pipe", "odd/s": "socket"}
	if g.Unread != 2 || len(g.Problems) != 2 || len(search(t, l, "ferry")) != 1 {
		t.Errorf("Add = %+v, want two unread", g)
	}
	for _, p := range g.Problems {
		if want[p.Location] == "" || !strings.Contains(p.Why, want[p.Location]) {
			t.Errorf("%s: %s", p.Location, p.Why)
		}
	}
	entries, err := l.List(t.Context(), "")
	if err != nil || len(entries) != 3 {
		t.Errorf("List = %v, %v; want the unread named too", entries, err)
	}
}
