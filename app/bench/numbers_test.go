package bench

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestNumbers scores six cases of our own of the three sets: right ones, a wrong span, a wrong value, none to find.
func TestNumbers(t *testing.T) {
	code, stdout, stderr := bench(t, "numbers", "--data", "testdata/numbers", "--json")
	if code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	var s numbersScore
	if err := json.Unmarshal([]byte(stdout), &s); err != nil {
		t.Fatalf("%v in %s", err, stdout)
	}
	// English: 4 to find, 4 found, 3 of them right. Chinese: the span is right, the value is not.
	if s.N != 6 || s.EN != 0.75 || s.ZH != 1 || s.Found != 4 || s.Unequal != 1 || s.ValueEqual != 0.75 {
		t.Errorf("score %s, want 6 cases, F1 0.75 and 1, 3 of 4 values equal", stdout)
	}
	if s.Failures["en NumberModel wrong span"] != 1 || s.Failures["zh NumberModel wrong value"] != 1 || len(s.Failures) != 2 {
		t.Errorf("failures %v, want a wrong span and a wrong value", s.Failures)
	}
	if code, stdout, _ = bench(t, "numbers", "--data", "testdata/numbers"); code != 0 || !strings.Contains(stdout, "the 7 red lamps") {
		t.Errorf("exit %d, printed %q, want the case that failed", code, stdout)
	}
	if code, _, stderr = bench(t, "numbers", "--data", "testdata/json"); code != 1 || !strings.Contains(stderr, "no labelled numbers") {
		t.Errorf("exit %d, %q on other data", code, stderr)
	}
}
