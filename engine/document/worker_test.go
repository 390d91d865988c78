package document

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// TestWorkerEndsWithParent closes the worker's stdin, as the end of its parent does, while it compiles its reader, which
// takes seconds.
func TestWorkerEndsWithParent(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "pdf-worker", "-cache", t.TempDir(), "-bytes", "9")
	cmd.Stdin = strings.NewReader("%PDF-1.4\n") // exec closes it after the last byte
	var exit *exec.ExitError
	if err := cmd.Run(); !errors.As(err, &exit) || exit.ExitCode() != orphaned {
		t.Errorf("the worker ended with %v, want status %d", err, orphaned)
	}
}

func TestWorkerFault(t *testing.T) {
	for _, tc := range []struct {
		name   string
		status int
		said   string
		want   string
	}{
		{"killed", -1, "", "ended from outside"},
		{"disk full", 1, "pdf-worker: open the cache: write x: no space left on device", "free some space"},
		{"no memory", 2, "fatal error: runtime: out of memory", "too little memory"},
		{"own limit", overtime, "", "more than 1m0s of processor time"},
		{"panic", 2, "panic: index out of range", "crashed"},
		{"silent", 7, "\n", "status 7"},
		{"other", 1, "pdf-worker: start PDFium: odd", "(pdf-worker: start PDFium: odd)"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := workerFault(tc.status, tc.said, time.Minute)
			if !strings.Contains(got, tc.want) || strings.Contains(got, "()") {
				t.Errorf("workerFault = %q, want %q", got, tc.want)
			}
		})
	}
}

// TestCPULimit gives the worker the processor time of nothing: it says that it was that, and not the clock.
func TestCPULimit(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "pdf-worker", "-cache", t.TempDir(), "-cpu", "1ms", "-bytes", "9")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Write([]byte("%PDF-1.4\n")); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != overtime {
		t.Errorf("the worker ended with %v, want status %d", err, overtime)
	}
}

// TestWaitingCostsNothing: a worker that waits for its input, as one does whom a busy machine gives no time, is not given up.
func TestWaitingCostsNothing(t *testing.T) {
	before := cpuTime()
	time.Sleep(3 * cpuPoll)
	if used := cpuTime() - before; used > 2*cpuPoll {
		t.Skipf("other tests used %v meanwhile", used)
	}
	if before == 0 {
		t.Error("the processor time of this process is not known")
	}
}
