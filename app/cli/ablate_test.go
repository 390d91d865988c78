package cli

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"assay/app/desk"
)

// TestAblate: the table, the JSON, and the sentence under each row; over questions and over a stored run.
func TestAblate(t *testing.T) {
	x := newTerminal(t)
	dir, out := docs(t), filepath.Join(t.TempDir(), "report")
	x.want(0, "salvage", "ablate")
	x.want(0, `"per_facet"`, "ablate", "--json")
	x.want(2, "nothing to try it on", "ablate", "salvage")
	x.want(2, "no such check or mechanism", "ablate", "luck", "--questions", "What is the melting point of gold?", "--library", dir)
	x.want(2, "from 1 on", "ablate", "salvage", "--trials", "0", "--questions", "What is the melting point of gold?", "--library", dir)

	q := []string{"ablate", "salvage", "aging+lifecap", "--questions", "What is the melting point of gold?", "--questions", "What is the melting point of silver?", "--library", dir, "--clock", clock}
	table := x.want(0, "without", q...)
	for _, want := range []string{"aging+lifecap", "0 of 2", "no difference seen", "repeated trials would be the same runs", "no effect can be shown at 5 %", "It changed nothing in 2 questions"} {
		if !strings.Contains(table, want) {
			t.Errorf("the table does not say %q:\n%s", want, table)
		}
	}
	var res desk.Ablated
	printed := x.want(0, `"verdict"`, append(q, "--json")...)
	if err := json.Unmarshal([]byte(printed), &res); err != nil || res.N != 2 || len(res.Arms) != 2 || res.Arms[0].Result.Power.Needed != 6 {
		t.Errorf("%v: %s", err, printed)
	}

	x.want(0, "Report: ", "research", "What is the melting point of gold?", "--library", dir, "--offline", "--model", "extractive", "--out", out, "--clock", clock, "--yes")
	x.want(0, "too little to say", "ablate", "G31", "--run", filepath.Join(out, "run.json"))
}
