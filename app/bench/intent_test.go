package bench

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestIntent scores six labelled questions of our own and two for research.
func TestIntent(t *testing.T) {
	code, stdout, stderr := bench(t, "intent", "--data", "testdata/intent", "--also", "testdata/intent_qa", "--json")
	if code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	var s intentScore
	if err := json.Unmarshal([]byte(stdout), &s); err != nil {
		t.Fatalf("%v in %s", err, stdout)
	}
	// FactQuery: 2 of 3 found, none said in vain; Comparison: 1 of 1 found, 2 said; the others are right.
	want := (2*2.0/(2+3) + 2*1.0/(2+1) + 1 + 1) / 4
	if s.N != 6 || s.MacroF1 < want-1e-9 || s.MacroF1 > want+1e-9 {
		t.Errorf("macro-F1 %v of %d questions, want %v of 6", s.MacroF1, s.N, want)
	}
	if s.QAN != 2 || s.QAAccuracy == nil || *s.QAAccuracy != 0.5 {
		t.Errorf("accuracy %v of %d, want 0.5 of 2", s.QAAccuracy, s.QAN)
	}
	if s.LeftOut["INSTRUCTION"] != 1 || s.Failures["trec DESC:desc: said Comparison"] != 1 || s.Failures["qa Comparison: said FactQuery"] != 1 || len(s.Failures) != 2 {
		t.Errorf("left out %v, failures %v", s.LeftOut, s.Failures)
	}

	code, stdout, _ = bench(t, "intent", "--data", "testdata/intent")
	if code != 0 || !strings.Contains(stdout, "6 questions") || !strings.Contains(stdout, "between oil and gas") {
		t.Errorf("exit %d, printed %q, want the count and the question that failed", code, stdout)
	}
	if _, stdout, _ = bench(t, "intent", "--data", "testdata/intent", "--json"); !strings.Contains(stdout, `"qa_accuracy": null`) {
		t.Errorf("without --also: %s, want an accuracy that is unknown", stdout)
	}
	if code, _, stderr = bench(t, "intent", "--data", "testdata/json"); code != 1 || !strings.Contains(stderr, "no question") {
		t.Errorf("exit %d, %q on other data", code, stderr)
	}
}
