package store

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestGuard(t *testing.T) {
	dir := t.TempDir()
	a, err := Open(dir, "window")
	if err != nil {
		t.Fatal(err)
	}
	b, err := Open(dir, "terminal")
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join("bakeoffs", "x")
	if _, held := LeaseHolder(filepath.Join(dir, name)); held {
		t.Error("a folder that is not there is guarded")
	}
	release, err := a.Guard(name)
	if err != nil {
		t.Fatal(err)
	}
	if who, held := LeaseHolder(filepath.Join(dir, name)); !held || who.Program != "window" {
		t.Errorf("LeaseHolder = %v, %v", who, held)
	}
	if _, err := b.Guard(name); err == nil || !strings.Contains(err.Error(), "in use by another program (window, process") {
		t.Errorf("Guard = %v", err)
	}
	release()
	again, err := b.Guard(name)
	if err != nil {
		t.Fatal(err)
	}
	again()
	if _, held := LeaseHolder(filepath.Join(dir, name)); held {
		t.Error("the lock was not let go")
	}
	for _, bad := range []string{"", "../x", "/tmp"} {
		if _, err := a.Guard(bad); err == nil {
			t.Errorf("Guard(%q) locked something outside the home", bad)
		}
	}
}
