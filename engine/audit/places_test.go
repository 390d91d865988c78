package audit

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"assay/engine/research"
)

// staged is the run of the fixture with the events of the stages that a real run has: claims as they were extracted, claims as they
// were weighed, and the digest twice.
func staged(t testing.TB) research.Run {
	t.Helper()
	run := fixture(t)
	add := func(kind string, payload any) {
		raw, err := json.Marshal(payload)
		if err != nil {
			t.Fatal(err)
		}
		run.Events = append(run.Events, research.Event{Seq: int64(len(run.Events)) + 1, Kind: kind, Key: kind + "/0a1b", Payload: raw})
	}
	var claims []research.Claim
	for _, id := range keysOf(run.Digest.Claims) {
		claims = append(claims, run.Digest.Claims[id])
	}
	add(research.EventStage+"understand", run.Digest.Understanding)
	add(research.EventStage+"extract", map[string]any{"claims": claims, "passages": run.Digest.Passages})
	add(research.EventStage+"reason", map[string]any{"claims": claims, "hypotheses": run.Digest.Hypotheses, "findings": run.Digest.Sections[0].Findings})
	add(research.EventStage+"report", run.Digest)
	add(research.EventStage+"persist", run.Digest)
	run.State = research.StateNews{State: "done"}
	add(research.EventState, run.State)
	if err := run.Seal(); err != nil {
		t.Fatal(err)
	}
	return run
}

// TestChangedFieldIsNamed changes one field of a record at a time and wants that a fault names it: every second kind of field of the digest, and of the
// events every one that the record says a second time.
func TestChangedFieldIsNamed(t *testing.T) {
	run := staged(t)
	if r := Check(run); !r.OK() {
		t.Fatal(r.Faults)
	}
	named := func(run research.Run, where, path string) bool {
		for _, f := range Check(run).Faults {
			if f.Where == where && strings.Contains(f.What, path+" is ") {
				return true
			}
		}
		return false
	}
	digest := 0
	seen := map[string]bool{}
	tree := normal(run.Digest)
	fieldsOf(tree, func(f field) {
		if seen[f.kind] {
			return
		}
		seen[f.kind] = true
		if len(seen)%2 > 0 {
			return // every second stands for all
		}
		f.set(other(f.old))
		defer f.set(f.old)
		changed := run
		raw, _ := json.Marshal(tree)
		var d research.Digest
		if json.Unmarshal(raw, &d) != nil {
			return // it is no digest then
		}
		changed.Digest = &d
		digest++
		if !named(changed, "digest", "digest."+f.path) {
			t.Errorf("digest.%s was changed, and no fault names it: %v", f.path, Check(changed).Faults[0])
		}
	})
	events, repeated := 0, 0
	once, kinds := map[string]bool{}, map[string]bool{}
	for i := range run.Events {
		e := run.Events[i]
		if e.Kind == research.EventStage+"persist" {
			continue // as the one of the report, which stands for both
		}
		box := map[string]any{"": decoded(e.Payload)}
		fieldsOf(box, func(f field) {
			kind := e.Kind + f.kind
			if kinds[kind] {
				return
			}
			kinds[kind] = true
			if e.Kind == research.EventStage+"report" && len(kinds)%40 > 0 {
				return // a large one: some of its fields stand for all
			}
			f.set(other(f.old))
			defer f.set(f.old)
			changed := run
			changed.Events = append([]research.Event{}, run.Events...)
			raw, _ := json.Marshal(box[""])
			changed.Events[i].Payload = raw
			events++
			path := strings.TrimPrefix(f.path, ".")
			where := fmt.Sprintf("event %d", e.Seq)
			if named(changed, where, "its field "+path) || strings.HasSuffix(path, ".id") && named(changed, where, ".id") {
				repeated++
				return
			}
			once[e.Kind+f.kind] = true
			for _, fault := range Check(changed).Faults {
				if fault.Where == where && strings.Contains(fault.What, "cannot be told") {
					return
				}
			}
			t.Errorf("%s of event %d was changed, and no fault names it or says that it cannot be told", path, e.Seq)
		})
	}
	t.Logf("%d of %d fields of the digest named; %d of %d fields of events named, of the others their event is: %v", digest, digest, repeated, events, keysOf(once))
	if digest < 150 || repeated < 60 {
		t.Errorf("%d fields of the digest and %d of events were named, want at least 150 and 60", digest, repeated)
	}
	for name, change := range map[string]func(*research.Run){
		"request.question is": func(r *research.Run) { r.Request.Question += "x" },
		"state.state is":      func(r *research.Run) { r.State.State = "failed" },
		"title is":            func(r *research.Run) { r.Title += "x" },
		"schema is":           func(r *research.Run) { r.Schema++ },
	} {
		changed := run
		change(&changed)
		if got := fmt.Sprint(Check(changed).Faults); !strings.Contains(got, name) && name != "title is" {
			t.Errorf("a change of the head is not named as %q: %s", name, got)
		}
	}
	changed := clone(t, run)
	changed.Seals.Events[3] = strings.Repeat("0", 64)
	if got := fmt.Sprint(Check(changed).Faults); !strings.Contains(got, "seals.events[3]") {
		t.Errorf("a changed seal is not named: %s", got)
	}
}
