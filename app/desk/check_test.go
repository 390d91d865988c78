package desk

import (
	"fmt"
	"strings"
	"testing"

	"assay/engine/research"
)

// TestCheckBounds: a report beyond every bound is refused with what it has and what is checked.
func TestCheckBounds(t *testing.T) {
	run := func(n, size int) research.Run {
		s := research.Section{ID: "s"}
		for i := range n {
			s.Findings = append(s.Findings, research.DigestFinding{ID: fmt.Sprint(i), Text: strings.Repeat("a", size)})
		}
		return research.Run{ID: "r", Digest: &research.Digest{Sections: []research.Section{s}}}
	}
	for name, tc := range map[string]struct {
		run  research.Run
		want string
	}{
		"findings":  {run(maxCheckedFindings+1, 1), "its report has 10001 findings, and at most 10000 are checked"},
		"a finding": {run(1, maxCheckedFinding+1), "has 100001 bytes"},
	} {
		if _, err := CheckRun(tc.run); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := CheckRun(run(2, 40)); err != nil {
		t.Errorf("an ordinary one: %v", err)
	}
}
