package desk

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"assay/engine/library"
	"assay/engine/research"
)

func TestResumeKeepsTheOutFolder(t *testing.T) {
	d := testDesk(t, hang)
	out := filepath.Join(t.TempDir(), "out")
	j := start(t, d, request(folder(t)), StartOptions{Out: out})
	awaitKind(t, j, research.EventModel)
	j.Interrupt()
	wait(t, j)
	d.wire.run = succeed
	again, err := d.Resume(t.Context(), j.ID(), StartOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if res := wait(t, again); res.Exit != ExitDone || !delivered(out) {
		t.Errorf("Result = %+v, want the files in %s", res, out)
	}
}

func TestALibraryInUseIsWaitedFor(t *testing.T) {
	var said []string
	tries := 0
	err := patiently(t.Context(), func(s string) { said = append(said, s) }, func() error {
		if tries++; tries < 3 {
			return fmt.Errorf("add: %w", &library.LockedError{PID: 7, Writing: true})
		}
		return nil
	})
	if err != nil || tries != 3 || len(said) != 1 || !strings.Contains(said[0], "process 7") {
		t.Errorf("patiently = %v after %d tries, said %q", err, tries, said)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := patiently(ctx, nil, func() error { return &library.LockedError{} }); !errors.Is(err, context.Canceled) {
		t.Errorf("patiently with an ended context = %v", err)
	}
}

func TestResumeOfAFinishedRunOnlyWritesItsFiles(t *testing.T) {
	d := testDesk(t, succeed)
	j := start(t, d, request(folder(t)), StartOptions{})
	if res := wait(t, j); res.Exit != ExitDone {
		t.Fatalf("Result = %+v", res)
	}
	before, err := d.store.Events(j.ID(), 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	// Whatever the run needed is gone.
	d.wire.kit = func(context.Context, *Job) (kit, error) {
		return kit{}, fmt.Errorf("no model: %w", research.ErrUnavailable)
	}
	out := filepath.Join(t.TempDir(), "out")
	again, err := d.Resume(t.Context(), j.ID(), StartOptions{Out: out})
	if err != nil {
		t.Fatal(err)
	}
	if res := wait(t, again); res.Exit != ExitDone || res.Err != nil || !delivered(out) {
		t.Errorf("Result = %+v, want the files in %s", res, out)
	}
	after, err := d.store.Events(j.ID(), 0, 0)
	if err != nil || len(after) != len(before) {
		t.Errorf("%d events became %d (%v), want none added", len(before), len(after), err)
	}
	if info, err := d.Run(j.ID()); err != nil || info.State != "done" {
		t.Errorf("the run is %q, %v", info.State, err)
	}
}
