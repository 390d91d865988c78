package engine

import (
	"context"
	"slices"
	"testing"

	"assay/engine/audit"
	"assay/engine/enginetest"
	"assay/engine/extractive"
	"assay/engine/recorded"
	"assay/engine/research"
	"assay/engine/store"
)

// reopened is a finished run over the library of the tests.
func reopened(t testing.TB, c Config, rec *store.Memory) *Finished {
	t.Helper()
	run := rec.Run()
	c.Model, c.Fallback = recorded.New(recorded.FromRun(run), c.Model.Limits()), extractive.Model{}
	c.Providers, c.Reader = nil, nil // nothing may be asked
	f, err := Reopen(c, run.Events, func() Record { return store.FromRun(run, false) })
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestStrikeEachSource strikes each source of a run in turn, and pairs of them, in one opened run: each report equals the one that a
// run opened afresh gives, nothing of the source is left in it, and the audit, which shares no code with the engine, holds.
func TestStrikeEachSource(t *testing.T) {
	for _, tc := range []struct {
		name  string
		model Model
	}{{"without a model", extractive.Model{}}, {"with a model", &scripted{}}} {
		t.Run(tc.name, func(t *testing.T) {
			c := config(t, lighthouse)
			c.Model = tc.model
			was, js, rec := digestOf(t, c)
			f := reopened(t, c, rec)
			again, judged, err := f.Without(context.Background(), nil)
			if err != nil || len(judged) != len(f.Sources()) {
				t.Fatalf("Without none = %v, %v", judged, err)
			}
			if got := asJSON(t, again); got != js {
				t.Fatalf("without none the report differs: %s", firstDiff(js, got))
			}
			used := []string{}
			for _, s := range f.Sources() {
				if s.Verdict == research.Verified {
					used = append(used, s.ID)
				}
			}
			if len(used) < 3 {
				t.Fatalf("only %d sources are used", len(used))
			}
			for i := 0; i < len(used); i += enginetest.Sparse(4) {
				id := used[i]
				sets := [][]string{{id}}
				if i > 0 {
					sets = append(sets, []string{used[i-1], id})
				}
				for _, set := range sets {
					d, judged, err := f.Without(context.Background(), set)
					if err != nil {
						t.Fatalf("Without %v = %v", set, err)
					}
					fresh, _, err := reopened(t, c, rec).Without(context.Background(), set)
					if err != nil || asJSON(t, fresh) != asJSON(t, d) {
						t.Fatalf("without %v a fresh look differs: %v %s", set, err, firstDiff(asJSON(t, fresh), asJSON(t, d)))
					}
					for _, s := range d.Sources {
						for _, gone := range set {
							if s.ID == gone {
								t.Errorf("without %v the report still rests on it", set)
							}
						}
					}
					after := restated(t, rec, d, judged)
					if rep := audit.Check(after.Run()); !rep.OK() {
						t.Errorf("without %v: %v", set, rep.Faults)
					}
					if ids, err := Struck(after.Run().Events); err != nil || !slices.Equal(ids, sorted(set)) {
						t.Errorf("Struck = %v, %v, want %v", ids, err, set)
					}
					back, judged, err := f.Without(context.Background(), nil)
					if err != nil {
						t.Fatal(err)
					}
					if rep := audit.Check(restated(t, after, back, judged).Run()); !rep.OK() {
						t.Errorf("%v restored: %v", set, rep.Faults)
					}
				}
			}
			if d, _, err := f.Without(context.Background(), used); err != nil || d.Metrics.Findings != 0 {
				t.Errorf("without any source %d findings, %v", d.Metrics.Findings, err)
			}
			back, _, err := f.Without(context.Background(), nil)
			if err != nil || asJSON(t, back) != asJSON(t, was) {
				t.Errorf("restored, the report differs: %v", err)
			}
		})
	}
}

// restated is the record of a run after a restatement.
func restated(t testing.TB, rec *store.Memory, d research.Digest, judged []research.Source) *store.Memory {
	t.Helper()
	after := store.FromRun(rec.Run(), true)
	if err := Restate(after, d, judged); err != nil {
		t.Fatal(err)
	}
	if err := after.SetDigest(d); err != nil {
		t.Fatal(err)
	}
	return after
}

func sorted(ids []string) []string {
	out := slices.Clone(ids)
	slices.Sort(out)
	return out
}

func TestStrikeRefuses(t *testing.T) {
	c := config(t, lighthouse)
	_, _, rec := digestOf(t, c)
	f := reopened(t, c, rec)
	if _, err := f.Named([]string{"nobody"}); err == nil {
		t.Error("Named of nobody: no error")
	}
	var voice string
	for _, s := range f.Sources() {
		switch {
		case s.Verdict != research.Verified:
			if _, _, err := f.Without(context.Background(), []string{s.ID}); err == nil {
				t.Errorf("a source that was not used (%s) was struck", s.Verdict)
			}
		default:
			voice = s.Voice
		}
	}
	if ids, err := f.Named([]string{voice}); err != nil || len(ids) == 0 {
		t.Errorf("Named(%q) = %v, %v", voice, ids, err)
	}
	if _, _, err := f.Without(context.Background(), []string{"s0"}); err == nil {
		t.Error("a source that is none was struck")
	}
	if _, err := Reopen(c, rec.Run().Events[:5], nil); err != ErrUnfinished {
		t.Errorf("Reopen of an unfinished run = %v", err)
	}
}

// BenchmarkStrike is the time a reader waits for a struck source.
func BenchmarkStrike(b *testing.B) {
	c := config(b, lighthouse)
	rec := store.NewMemory(c.Request, c.Code)
	if _, err := (&Engine{c}).Run(context.Background(), rec); err != nil {
		b.Fatal(err)
	}
	f := reopened(b, c, rec)
	var id string
	for _, s := range f.Sources() {
		if s.Verdict == research.Verified {
			id = s.ID
		}
	}
	for b.Loop() {
		if _, _, err := f.Without(context.Background(), []string{id}); err != nil {
			b.Fatal(err)
		}
	}
}
