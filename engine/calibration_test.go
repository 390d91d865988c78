package engine

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"assay/engine/audit"
	"assay/engine/extractive"
	"assay/engine/recorded"
	"assay/engine/research"
	"assay/engine/store"
)

// TestAuditOfTheMap changes, in a record that was made under a calibration map, what the map has to do with, one field at a time: the
// audit fails and names the field.
func TestAuditOfTheMap(t *testing.T) {
	d, _, rec := digestOf(t, config(t, lighthouse))
	run := rec.Run()
	run.Digest = &d
	if err := run.Seal(); err != nil {
		t.Fatal(err)
	}
	if rep := audit.Check(run); !rep.OK() {
		t.Fatal(rep.Faults)
	}
	claim, trace := "", ""
	for _, id := range slices.Sorted(maps.Keys(run.Digest.Claims)) {
		if s := run.Digest.Claims[id].Support; s != nil && s.Map != "" && s.Confidence != s.Smoothed {
			claim = id
		}
	}
	for _, id := range slices.Sorted(maps.Keys(run.Digest.Traces)) {
		if run.Digest.Traces[id].Calibration != "" {
			trace = id
		}
	}
	if claim == "" || trace == "" {
		t.Fatal("no claim of the run is under a map")
	}
	support := func(edit func(*research.Support)) func(*research.Digest) {
		return func(d *research.Digest) { edit(d.Claims[claim].Support) }
	}
	named := func(name string) func(*research.Digest) {
		return func(d *research.Digest) {
			tr := d.Traces[trace]
			tr.Calibration = name
			d.Traces[trace] = tr
		}
	}
	node := func(edit func(*research.TraceNode)) func(*research.Digest) {
		return func(d *research.Digest) {
			for id, tr := range d.Traces {
				for i := range tr.Nodes {
					if tr.Nodes[i].ID == claim {
						edit(&tr.Nodes[i])
					}
				}
				d.Traces[id] = tr
			}
		}
	}
	for _, tc := range []struct {
		name   string
		mutate func(*research.Digest)
		want   string
	}{
		{"another map", support(func(s *research.Support) { s.Map = "cal000000000000" }), "claim " + claim + ": its calibration map cal000000000000 is none of this program"},
		{"no map", support(func(s *research.Support) { s.Map = "" }), "claim " + claim + ": smoothed"},
		{"no map and nothing smoothed", support(func(s *research.Support) { s.Map, s.Smoothed = "", "" }), "claim " + claim + ": confidence"},
		{"smoothed", support(func(s *research.Support) { s.Smoothed = "11/17" }), "claim " + claim + ": smoothed printed 11/17"},
		{"smoothed lost", support(func(s *research.Support) { s.Smoothed = "" }), "claim " + claim + ": smoothed"},
		{"confidence not put under the map", support(func(s *research.Support) { s.Confidence = s.Smoothed }), "claim " + claim + ": confidence"},
		{"another map in a trace", named("cal000000000000"), "trace " + trace + ": calibration map printed cal000000000000"},
		{"no map in a trace", named(""), "trace " + trace + ": calibration map printed nothing"},
		{"confidence in a trace", node(func(n *research.TraceNode) { n.Confidence = "11/17" }), "node " + claim},
	} {
		t.Run(tc.name, func(t *testing.T) {
			changed := copied(t, run)
			tc.mutate(changed.Digest)
			if err := changed.Seal(); err != nil { // so that it is found by what is recomputed
				t.Fatal(err)
			}
			rep := audit.Check(changed)
			if !slices.ContainsFunc(rep.Faults, func(f audit.Fault) bool { return strings.Contains(f.String(), tc.want) }) {
				t.Errorf("no fault says %q; faults: %v", tc.want, rep.Faults)
			}
		})
	}
}

func copied(t testing.TB, run research.Run) (out research.Run) {
	t.Helper()
	b, err := json.Marshal(run)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestStrikeInOldRecord strikes each source of a record that was made before there was a calibration map: the report stays without one,
// is the report as it was when nothing is struck, equals a look taken afresh, and passes the audit.
func TestStrikeInOldRecord(t *testing.T) {
	c := config(t, lighthouse)
	rec := store.NewMemory(c.Request, c.Code)
	r, err := (&Engine{c}).begin(t.Context(), rec)
	if err != nil {
		t.Fatal(err)
	}
	none := ""
	r.under = &none
	was, err := r.stages(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	mapless := func(when string, d research.Digest) {
		t.Helper()
		for id, cl := range d.Claims {
			if s := cl.Support; s != nil && (s.Map != "" || s.Smoothed != "") {
				t.Fatalf("%s: claim %s is under a map", when, id)
			}
		}
	}
	mapless("as it was", was)
	look := func() *Finished {
		run := rec.Run()
		o := c
		o.Model, o.Fallback, o.Providers, o.Reader = recorded.New(recorded.FromRun(run), c.Model.Limits()), extractive.Model{}, nil, nil
		f, err := Reopen(o, run.Events, func() Record { return store.FromRun(run, false) })
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	f := look()
	if again, _, err := f.Without(context.Background(), nil); err != nil || asJSON(t, again) != asJSON(t, was) {
		t.Fatalf("without none the report differs: %v %s", err, firstDiff(asJSON(t, was), asJSON(t, again)))
	}
	struck := 0
	for _, s := range f.Sources() {
		if s.Verdict != research.Verified {
			continue
		}
		struck++
		d, judged, err := f.Without(context.Background(), []string{s.ID})
		if err != nil {
			t.Fatal(err)
		}
		mapless("without "+s.ID, d)
		fresh, _, err := look().Without(context.Background(), []string{s.ID})
		if err != nil || asJSON(t, fresh) != asJSON(t, d) {
			t.Errorf("without %s a fresh look differs: %v %s", s.ID, err, firstDiff(asJSON(t, fresh), asJSON(t, d)))
		}
		if rep := audit.Check(restated(t, rec, d, judged).Run()); !rep.OK() {
			t.Errorf("without %s: %v", s.ID, rep.Faults)
		}
	}
	if struck < 3 {
		t.Errorf("only %d sources were struck", struck)
	}
}
