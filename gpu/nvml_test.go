//go:build linux && cgo

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
)

// fakeNVML makes NVIDIA's library from testdata for the children of this test, which are this test's own program.
func fakeNVML(t *testing.T, like string) Runner {
	t.Helper()
	cc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc to make the stand-in for NVIDIA's library with")
	}
	dir := t.TempDir()
	if out, err := exec.Command(cc, "-shared", "-fPIC", "-o", filepath.Join(dir, "libnvidia-ml.so.1"), "testdata/nvml/fake.c").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Setenv("LD_LIBRARY_PATH", dir)
	t.Setenv("FAKE_NVML", like)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return nvmlRunner(self, answer("the tool\n", "", errors.New("exit status 9")))
}

// The same monitor reads what the child says of the library: sizes, what is not told, programs, and names with a comma.
func TestNVML(t *testing.T) {
	for _, tc := range []struct {
		like string
		free int64 // MiB
	}{{"", 16376 - 404 - 1000}, {"old", 16376 - 1404}} {
		t.Run("library "+tc.like, func(t *testing.T) {
			m := Monitor{Run: fakeNVML(t, tc.like), Root: t.TempDir(), System: "linux", Timeout: 20 * time.Second, Memory: func(context.Context) (uint64, uint64, error) { return 1 << 34, 1 << 33, nil },
				Program: func(context.Context, int) (string, error) { return "", errors.New("gone") }}
			s := m.Status(t.Context())
			if len(s.GPUs) != 2 {
				t.Fatalf("Status = %+v", s)
			}
			a, b := s.GPUs[0], s.GPUs[1]
			if a.Name != "NVIDIA GeForce RTX 4080" || *a.MemoryFree != tc.free<<20 || *a.Busy != 7 || *a.Power != 23450 || a.State != "P8" {
				t.Errorf("the first card is %+v", a)
			}
			if b.Name != "NVIDIA RTX A4000  Rev 2" || b.Busy != nil || b.Power != nil {
				t.Errorf("the second card is %+v", b)
			}
			if len(s.Processes) != 2 || s.Processes[0].Name != "runner" || *s.Processes[0].Bytes != 812<<20 || s.Processes[1].Bytes != nil {
				t.Errorf("programs %+v", s.Processes)
			}
		})
	}
}

// Where the library cannot be used the tool is asked; where it hangs, the child is stopped and nothing waits.
func TestNVMLFaults(t *testing.T) {
	for _, like := range []string{"crash", "broken"} {
		out, _, _ := fakeNVML(t, like)(t.Context(), "nvidia-smi", "--query-gpu=index,name", "--format=csv,noheader,nounits")
		if string(out) != "the tool\n" {
			t.Errorf("%s: the answer is %q, want the tool's", like, out)
		}
	}
	run := fakeNVML(t, "hang")
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if out, _, err := run(ctx, "nvidia-smi", "--query-gpu=index,name", "--format=csv,noheader,nounits"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a library that hangs: %q, %v", out, err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("FAKE_NVML", "broken")
	if err := TryNVML(t.Context(), self); err == nil || !strings.Contains(err.Error(), "Driver Not Loaded") {
		t.Errorf("TryNVML = %v", err)
	}
	t.Setenv("FAKE_NVML", "")
	if err := TryNVML(t.Context(), self); err != nil {
		t.Error(err)
	}
	t.Setenv("LD_LIBRARY_PATH", t.TempDir())
	if err := TryNVML(t.Context(), self); err == nil || err.Error() != errNoNVML.Error() {
		t.Errorf("TryNVML without the library = %v", err)
	}
	if out, _, _ := run(t.Context(), "nvidia-smi", "--query-gpu=index", "--format=csv,noheader,nounits"); string(out) != "the tool\n" {
		t.Errorf("without the library the answer is %q", out)
	}
}

// A field that the child does not know is said as the tool says it, so that the query is asked again without it; cards are
// chosen by number or place on the bus.
func TestNVMLQueries(t *testing.T) {
	run := fakeNVML(t, "")
	out, _, err := run(t.Context(), "nvidia-smi", "--query-gpu=index,clocks.sm", "--format=csv,noheader,nounits")
	if fieldUnknown(string(out)) != "clocks.sm" || err == nil {
		t.Errorf("an unknown field: %q, %v", out, err)
	}
	for only, want := range map[string]string{"1": "1\n", "0000:02:00.0": "1\n", "0,1": "0\n1\n", "00000000:01:00.0": "0\n"} {
		if out, _, err := run(t.Context(), "nvidia-smi", "--query-gpu=index", "--format=csv,noheader,nounits", "-i", only); string(out) != want || err != nil {
			t.Errorf("-i %s: %q, %v", only, out, err)
		}
	}
	var errs strings.Builder
	if code := NVMLProbe([]string{"--drain"}, &errs, &errs); code != nvmlUnknown || !strings.Contains(errs.String(), "--drain") {
		t.Errorf("another query: %d, %s", code, errs.String())
	}
}
