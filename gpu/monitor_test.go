package gpu

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == NVMLCommand { // our own child
		os.Exit(NVMLProbe(os.Args[2:], os.Stdout, os.Stderr))
	}
	goleak.VerifyTestMain(m)
}

// answer is a Runner that always says the same.
func answer(stdout, stderr string, err error) Runner {
	return func(context.Context, string, ...string) ([]byte, []byte, error) {
		return []byte(stdout), []byte(stderr), err
	}
}

// noTool is a Runner on a machine without vendors' tools.
var noTool = answer("", "", &exec.Error{Name: "nvidia-smi", Err: exec.ErrNotFound})

func eightGiB(context.Context) (uint64, uint64, error) { return 8 << 30, 5 << 30, nil }

// tree makes a root folder with the named files, so that nothing of this machine is read.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		name = filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestStatusMemoryUnknown(t *testing.T) {
	s := Monitor{
		Run: noTool, Root: tree(t, nil), System: "linux",
		Memory: func(context.Context) (uint64, uint64, error) { return 0, 0, errors.New("no /proc") },
	}.Status(t.Context())
	if s.MemoryTotal != nil || s.MemoryFree != nil || !strings.Contains(s.Note, "no /proc") || !strings.Contains(s.Note, "processor") {
		t.Errorf("Status() = %+v, want unknown memory and the reason, and that there is no card", s)
	}
	checkStatus(t, s)
}

func TestStatusNone(t *testing.T) {
	for _, system := range []string{"linux", "freebsd"} {
		s := Monitor{Run: noTool, Root: tree(t, nil), System: system, Memory: eightGiB}.Status(t.Context())
		if s.Kind != KindNone || len(s.GPUs) != 0 || !strings.Contains(s.Note, "run on the processor") || *s.MemoryFree != 5<<30 {
			t.Errorf("%s: Status() = %+v, want that there is no card", system, s)
		}
		checkStatus(t, s)
	}
}

// TestStatusHangingTool holds that a driver that hangs does not hang the caller: the real runner is given a tool that
// sleeps for a minute.
func TestStatusHangingTool(t *testing.T) {
	sleep, err := exec.LookPath("sleep")
	if err != nil {
		t.Skip("needs the program sleep")
	}
	run := func(ctx context.Context, _ string, _ ...string) ([]byte, []byte, error) {
		return runTool(ctx, sleep, "60")
	}
	s := Monitor{Run: run, Root: tree(t, nil), System: "linux", Memory: eightGiB, Timeout: 50 * time.Millisecond}.Status(t.Context())
	if len(s.GPUs) != 0 || s.Kind != KindNoAnswer || !strings.Contains(s.Note, "did not answer") {
		t.Errorf("Status() = %+v, want no card and that the tool did not answer", s)
	}
}

// TestStatusHere reads the machine the test runs on: its memory is known, whatever its cards are.
func TestStatusHere(t *testing.T) {
	s := Monitor{}.Status(t.Context())
	if s.MemoryTotal == nil || s.MemoryFree == nil || *s.MemoryTotal < *s.MemoryFree || *s.MemoryTotal < 1<<26 {
		t.Errorf("Status() = %+v, want this machine's memory", s)
	}
	if len(s.GPUs) == 0 && s.Note == "" {
		t.Error("no card and no note that says so")
	}
	checkStatus(t, s)
}

// TestLiveCard reads a real card, on a machine that has one.
func TestLiveCard(t *testing.T) {
	if os.Getenv("ASSAY_GPU") != "1" {
		t.Skip("needs an NVIDIA card; make gpu runs it")
	}
	s := Monitor{Timeout: 20 * time.Second, Wake: true}.Status(t.Context())
	checkStatus(t, s)
	if len(s.GPUs) == 0 {
		t.Fatalf("no card: %s", s.Note)
	}
	for _, c := range s.GPUs {
		t.Logf("%s", show([]GPU{c}))
		if c.MemoryTotal == nil || c.MemoryFree == nil {
			t.Logf("the driver does not give the memory of %s", c.Name)
		} else if *c.MemoryFree > *c.MemoryTotal || *c.MemoryTotal < 1<<30 {
			t.Errorf("%s: %d of %d bytes free", c.Name, *c.MemoryFree, *c.MemoryTotal)
		}
	}
	for _, p := range s.Processes {
		t.Logf("%d %s %s MiB", p.PID, p.Name, figures(p.Bytes))
	}
	for _, c := range s.Conditions {
		t.Logf("%s: %s", c.Kind, c.Text)
	}
}

func TestRunToolBoundsOutput(t *testing.T) {
	head, err := exec.LookPath("head")
	if err != nil {
		t.Skip("needs the program head")
	}
	out, _, err := runTool(t.Context(), head, "-c", "1000000", "/dev/zero")
	if err != nil || len(out) != maxOutput {
		t.Errorf("runTool kept %d bytes, %v; want %d", len(out), err, maxOutput)
	}
}

// TestRunFindsTheTool holds that a tool outside the PATH is found, and that one that is nowhere is told as missing.
func TestRunFindsTheTool(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "tool")
	if err := os.WriteFile(name, []byte("#!/bin/sh\necho found\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	m := Monitor{}
	out, _, err := m.run(t.Context(), []string{"assay-has-no-such-tool", filepath.Join(dir, "gone"), name})
	if err != nil || strings.TrimSpace(string(out)) != "found" {
		t.Errorf("run = %q, %v", out, err)
	}
	if _, _, err = m.run(t.Context(), []string{"assay-has-no-such-tool", filepath.Join(dir, "gone")}); !missing(err) {
		t.Errorf("run of nothing: %v", err)
	}
}
