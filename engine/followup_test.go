package engine

import (
	"context"
	"strings"
	"testing"

	"assay/engine/audit"
	"assay/engine/research"
)

// TestAskFurther: a further question is answered from the claims of the run, each with its passage; what the run did not claim is not in
// it, although the documents may say it.
func TestAskFurther(t *testing.T) {
	c := config(t, lighthouse)
	was, _, rec := digestOf(t, c)
	f := reopened(t, c, rec)
	d, err := f.Ask(context.Background(), "In which year was the Skerry Point lighthouse built?", nil)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(printed(d), "1874") {
		t.Errorf("answer:\n%s", printed(d))
	}
	claims := map[string]bool{}
	for _, cl := range f.known.Claims {
		claims[cl.ID] = true
	}
	for _, s := range d.Sections {
		for _, x := range s.Findings {
			for _, id := range x.Claims {
				if d.Claims[id].Derivation == nil && !claims[id] {
					t.Errorf("the answer rests on %s, which is no claim of the run", id)
				}
			}
			if len(x.Citations) == 0 || len(x.Refs) == 0 {
				t.Errorf("%q cites nothing", x.Text)
			}
		}
	}
	run := rec.Run()
	run.Digest, run.Request.Question = &d, d.Topic
	for _, fault := range audit.Check(run).Faults {
		if strings.HasPrefix(fault.Where, "finding") || strings.HasPrefix(fault.Where, "claim") || strings.HasPrefix(fault.Where, "passage") {
			t.Errorf("audit: %s", fault)
		}
	}
	for _, q := range []string{"Who won the chess tournament in Reykjavik?", "How many engines does a Boeing 747 have?"} {
		if d, err := f.Ask(context.Background(), q, nil); err != nil || d.Metrics.Findings != 0 {
			t.Errorf("%s: %d findings, %v:\n%s", q, d.Metrics.Findings, err, printed(d))
		}
	}
	all := []string{}
	for _, s := range f.Sources() {
		if s.Verdict == research.Verified {
			all = append(all, s.ID)
		}
	}
	if d, err := f.Ask(context.Background(), "In which year was the Skerry Point lighthouse built?", all); err != nil || d.Metrics.Findings != 0 {
		t.Errorf("with all sources struck: %d findings, %v", d.Metrics.Findings, err)
	}
	if _, err := f.Ask(context.Background(), "  ", nil); err == nil {
		t.Error("an empty question was answered")
	}
	if back, _, err := f.Without(context.Background(), nil); err != nil || asJSON(t, back) != asJSON(t, was) {
		t.Errorf("asking changed the report: %v", err)
	}
}
