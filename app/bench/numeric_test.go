package bench

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNumeric scores five cases of our own, of seven of which two are not of the bench.
func TestNumeric(t *testing.T) {
	said := filepath.Join(t.TempDir(), "said.jsonl")
	code, stdout, stderr := bench(t, "numeric", "--data", "testdata/numeric", "--predictions", said, "--json")
	if code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	var s numericScore
	if err := json.Unmarshal([]byte(stdout), &s); err != nil {
		t.Fatalf("%v in %s", err, stdout)
	}
	if s.N != 5 || s.Recall != 0.5 || s.FalseAlarms["covidfact"] != 0.5 || s.FalseAlarms["attributionbench"] != 0 || s.Unstated["attributionbench"] != 1 {
		t.Errorf("score %s, want 5 cases, recall 0.5, half of covidfact flagged, one number of attributionbench unstated", stdout)
	}
	if s.Causes["covidfact: exchanged"] != 1 || len(s.Causes) != 1 {
		t.Errorf("causes %v, want one exchanged", s.Causes)
	}
	if b, err := os.ReadFile(said); err != nil || strings.Count(string(b), "\n") != 5 {
		t.Errorf("predictions %q, %v, want 5 lines", b, err)
	}
	if code, stdout, _ = bench(t, "numeric", "--data", "testdata/numeric"); code != 0 || !strings.Contains(stdout, "1 of 2 caught") || !strings.Contains(stdout, "N5") {
		t.Errorf("exit %d, printed %q, want the recall and the false alarm", code, stdout)
	}
	if code, _, stderr = bench(t, "numeric", "--data", "testdata/json"); code != 1 || !strings.Contains(stderr, "no claim") {
		t.Errorf("exit %d, %q on other data", code, stderr)
	}
}
