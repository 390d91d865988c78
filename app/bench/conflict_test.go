package bench

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/engine/audit"
)

// TestConflict runs the engine over three questions of our own: an altered copy, two stories of one mill, and an office that passed on.
func TestConflict(t *testing.T) {
	said := filepath.Join(t.TempDir(), "said.jsonl")
	code, stdout, stderr := bench(t, "conflict", "--data", "testdata/conflict", "--predictions", said, "--json")
	if code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	var s conflictScore
	if err := json.Unmarshal([]byte(stdout), &s); err != nil {
		t.Fatal(err)
	}
	if s.N != 5 || s.GoldKept != 1 || s.WrongFlagged != 1 || s.UpdatesOK != 1 {
		t.Errorf("%s, want every right answer kept, every made-up one flagged and no update called a contradiction", stdout)
	}
	if x := s.Sets["situatedqa"]; x == nil || x.N != 2 || x.UpdatesTold != 1 || x.SameDay != 1 || x.SameDayCalled != 1 {
		t.Errorf("updates %+v, want both told as an evolution, and the control called a contradiction", x)
	}
	if x := s.Sets["ramdocs"]; x == nil || x.Pairs["correct misinfo"] == 0 || x.Pairs["correct noise"] != 0 {
		t.Errorf("pairs %+v", x)
	}
	if b, err := os.ReadFile(said); err != nil || strings.Count(string(b), "\n") != 5 {
		t.Errorf("predictions %q, %v", b, err)
	}
	if code, _, stderr = bench(t, "conflict", "--data", "testdata/json"); code != 1 || !strings.Contains(stderr, "documents that disagree") {
		t.Errorf("exit %d, %q on other data", code, stderr)
	}
}

// TestConflictRecords audits the record of each case: a claim that became one as the side of a contradiction is held to what all are.
func TestConflictRecords(t *testing.T) {
	n, disputes := 0, 0
	err := eachCase("testdata/conflict", func(_ string, fields map[string]json.RawMessage) error {
		cases, err := conflictCases(fields)
		for _, c := range cases {
			d, rec, err := runConflict(t.Context(), c)
			if err != nil {
				return err
			}
			n, disputes = n+1, disputes+len(d.Contradicts)
			if r := audit.Check(rec.Run()); !r.OK() {
				t.Errorf("%s: %v", c.id, r.Faults)
			}
		}
		return err
	})
	if err != nil || n != 5 || disputes < 4 {
		t.Errorf("%d cases, %d contradictions, %v", n, disputes, err)
	}
}

func TestSays(t *testing.T) {
	for _, tc := range []struct {
		words, answer string
		want          bool
	}{
		{"It was founded on 3 May 2011.", "May 3, 2011", true},
		{"It was founded in 2011.", "May 3, 2011", false},
		{"There were 3,559 people.", "3559", true},
		{"by the Go-Go's", "the Go-Go's", true},
		{"by Ann", "Ann Roe", false},
	} {
		if got := says(tc.words, tc.answer); got != tc.want {
			t.Errorf("says(%q, %q) = %t", tc.words, tc.answer, got)
		}
	}
}
