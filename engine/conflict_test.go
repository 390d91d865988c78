package engine

import (
	"strings"
	"testing"
)

// Two documents give another height of the tower: the run says so, prints both, and the report names the disagreement.
func TestContradictionIsTold(t *testing.T) {
	d, _, _ := digestOf(t, config(t, "How high is the Skerry Point tower?"))
	if len(d.Contradicts) == 0 {
		t.Fatalf("no contradiction between the heights in %q", printed(d))
	}
	x := d.Contradicts[0]
	both := d.Claims[x.A].Text + " " + d.Claims[x.B].Text
	if !strings.Contains(both, "38") || !strings.Contains(both, "36") {
		t.Errorf("the contradiction is between %q", both)
	}
	told := false
	for _, c := range d.Callouts {
		told = told || c.Label == "Sources disagree"
	}
	if !told {
		t.Errorf("no call-out tells of it: %v", d.Callouts)
	}
}
