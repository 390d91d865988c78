package bench

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMutation runs three operators on two made reports, as the bench is used.
func TestMutation(t *testing.T) {
	said := filepath.Join(t.TempDir(), "said.jsonl")
	code, stdout, stderr := bench(t, "mutation", "--limit", "2", "--only", "2,16,25", "--predictions", said, "--json")
	if code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	var s mutationScore
	if err := json.Unmarshal([]byte(stdout), &s); err != nil {
		t.Fatalf("%v in %s", err, stdout)
	}
	if s.N != 6 || s.AllN != 4 || s.HardFirmN != 4 || s.HardFirm != 1 || s.All != 1 {
		t.Errorf("%d mutants, %d and %d counted, %v and %v found; want 6, of which the two of 25 are apart, and all others found", s.N, s.HardFirmN, s.AllN, s.HardFirm, s.All)
	}
	if s.CleanReports != 24 || s.CleanAlarms != 0 || s.CleanUpper < 0.1 {
		t.Errorf("%d clean reports, %d alarms, at most %v", s.CleanReports, s.CleanAlarms, s.CleanUpper)
	}
	if s.NoOps < 10 || s.NoOpBlocking != 0 {
		t.Errorf("%d rewrites, %d blocked: %v", s.NoOps, s.NoOpBlocking, s.NoOpByCheck)
	}
	if b, err := os.ReadFile(said); err != nil || strings.Count(string(b), "\n") < 6 {
		t.Errorf("predictions %q, %v", b, err)
	}
	if code, _, stderr = bench(t, "mutation", "--part", "half"); code != 2 || !strings.Contains(stderr, "tuning") {
		t.Errorf("exit %d, %q for a part that is none", code, stderr)
	}
}

func TestWilson(t *testing.T) {
	for _, c := range []struct {
		k, n      int
		low, high float64
	}{{0, 100, 0, 0.0370}, {100, 100, 0.9630, 1}, {50, 100, 0.4038, 0.5962}, {0, 0, 0, 1}} {
		low, high := wilson(c.k, c.n)
		if d := low - c.low; d > 1e-4 || d < -1e-4 {
			t.Errorf("wilson(%d, %d) begins at %.4f, want %.4f", c.k, c.n, low, c.low)
		}
		if d := high - c.high; d > 1e-4 || d < -1e-4 {
			t.Errorf("wilson(%d, %d) ends at %.4f, want %.4f", c.k, c.n, high, c.high)
		}
	}
}
