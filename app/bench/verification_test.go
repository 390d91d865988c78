package bench

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestVerification scores six pairs of our own; a seventh is not of the bench.
func TestVerification(t *testing.T) {
	dir := t.TempDir()
	said := filepath.Join(dir, "said.jsonl")
	code, stdout, stderr := bench(t, "verification", "--data", "testdata/verification", "--predictions", said, "--json")
	if code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	var s verificationScore
	if err := json.Unmarshal([]byte(stdout), &s); err != nil {
		t.Fatalf("%v in %s", err, stdout)
	}
	if f := s.All["fever_symmetric"]; s.N != 6 || f == nil || f.N != 4 || f.BalancedAccuracy != 1 || f.Abstained != 0 || f.DecidedAccuracy != 1 {
		t.Errorf("score %s, want all 4 pairs of fever_symmetric right", stdout)
	}
	if a := s.All["averitec"]; a == nil || a.N != 2 || a.Confusion["contradicted: contradicted"] != 1 {
		t.Errorf("score %s, want the hoax contradicted", stdout)
	}
	if b, err := os.ReadFile(said); err != nil || strings.Count(string(b), "\n") != 6 {
		t.Errorf("predictions %q, %v, want 6 lines", b, err)
	}
	fitted := filepath.Join(dir, "weights.go")
	if code, stdout, stderr = bench(t, "verification", "--data", "testdata/verification", "--out", fitted); code != 0 || !strings.Contains(stdout, "fever_symmetric") {
		t.Fatalf("exit %d: %s %s", code, stdout, stderr)
	}
	if b, err := os.ReadFile(fitted); err != nil || !strings.Contains(string(b), "var compareWeights") {
		t.Errorf("coefficients %q, %v", b, err)
	}
	if code, _, stderr = bench(t, "verification", "--data", "testdata/json"); code != 1 || !strings.Contains(stderr, "no labelled pair") {
		t.Errorf("exit %d, %q on other data", code, stderr)
	}
}

// TestVerificationFigures works the figures of a set out by hand.
func TestVerificationFigures(t *testing.T) {
	s := verificationSet{N: 10, Confusion: map[string]int{
		"supported: supported": 3, "supported: nei": 1, "contradicted: contradicted": 2, "contradicted: supported": 2, "nei: nei": 1, "nei: contradicted": 1,
	}, Recall: map[string]float64{}}
	s.finish()
	// Of 4 supported 3 are found, of 6 others 4 are not said to be supported; 2 are left undecided, 5 of the 8 others are right.
	if want := (3.0/4 + 4.0/6) / 2; math.Abs(s.BalancedAccuracy-want) > 1e-9 || s.Abstained != 0.2 || s.Decided != 8 || s.DecidedAccuracy != 5.0/8 {
		t.Errorf("figures %+v, want balanced accuracy %v, 0.2 abstained, 5 of 8 right", s, want)
	}
	if want := (6.0/9 + 4.0/7 + 2.0/4) / 3; math.Abs(s.MacroF1-want) > 1e-9 {
		t.Errorf("macro-F1 %v, want %v", s.MacroF1, want)
	}
}
