package store

import (
	"os"
	"path/filepath"
	"testing"
)

func TestLease(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "server")
	if _, held := LeaseHolder(dir); held {
		t.Error("a folder that is not there is held")
	}
	release, _, held, err := Lease(dir, "window")
	if err != nil || held || release == nil {
		t.Fatalf("Lease = held %v, %v", held, err)
	}
	again, holder, held, err := Lease(dir, "terminal")
	if err != nil || !held || again != nil || holder != (Holder{os.Getpid(), "window"}) {
		t.Errorf("a second Lease = %+v, held %v, %v; want the first holder", holder, held, err)
	}
	if h, held := LeaseHolder(dir); !held || h.Program != "window" {
		t.Errorf("LeaseHolder = %+v, %v", h, held)
	}
	release()
	if _, held := LeaseHolder(dir); held {
		t.Error("a released folder is held")
	}
	if release, _, held, err = Lease(dir, "terminal"); err != nil || held {
		t.Fatalf("Lease after the release = held %v, %v", held, err)
	}
	release()
	if _, _, _, err := Lease("\x00", "x"); err == nil {
		t.Error("a folder with an impossible name was locked")
	}
}
