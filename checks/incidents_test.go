package checks

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/engine/research"
)

// incident is something that went wrong in a real program of this kind, as a golden run: what the bank was shown attempt
// after attempt (an attempt beyond the last sees the last again), once with all mechanisms and once without the one that the
// incident is about. testdata/incidents.txt holds what it did both times, and is kept for ever: a fix counts when it would
// have caught the run.
type incident struct {
	name, tells string
	without     []string // names as Switches reads them
	views       []View
}

// incidents are made from the examples of the checks, so that each is small and says why.
func incidents(t *testing.T) []incident {
	t.Helper()
	example := func(path string) View {
		b, err := os.ReadFile(filepath.Join("testdata", filepath.FromSlash(path)))
		if err != nil {
			t.Fatal(err)
		}
		var f fixture
		if err := json.Unmarshal(b, &f); err != nil {
			t.Fatal(err)
		}
		return f.View
	}
	// Two pairs that break each other, and a third behind them.
	breaks := func(i int) View {
		v := answer(i, strings.Repeat("x", i))
		if i%2 == 1 {
			v = answer(i, fine)
			v.Dispatches[0].DoneReason, v.Dispatches[0].AnswerTokens = "length", 100+i
		}
		w := sectionView(finding("a", "[Insert depth here] of "+fmt.Sprint(i), "s1"))
		w.Dispatches = v.Dispatches
		return w
	}
	var alternating []View
	for i := range 12 {
		alternating = append(alternating, breaks(i))
	}
	stuck := answer(0, "")
	stuck.Dispatches[0].Task = "f1"
	stuckGround := sectionView(finding("a", "The pier was completed in 2031.", "s1"))
	stuckGround.Now, stuckGround.Dispatches = "2026-11-30T12:00:00Z", stuck.Dispatches
	broken := answer(0, `{"sentences": [{"text": "The harbour was dredged to nine metres in`)
	broken.Dispatches[0].Schema = `{"type":"object"}`
	var worse []View
	for i := range 8 {
		v := answer(i, strings.Repeat("x", i))
		v.Dispatches = append(v.Dispatches, research.Dispatch{Task: "f1", Role: research.Builder, Visible: fine, DoneReason: "length", AnswerTokens: 100 + i, NumCtx: 8192})
		worse = append(worse, v)
	}
	return []incident{
		{"empty writer", "six of eight answers of a writer were empty; the second in a row is salvaged from the ledger", []string{"emptyoutput"}, []View{answer(0, ""), answer(1, ""), answer(2, fine)}},
		{"rejected source cited again", "a page that was rejected is cited by one dispatch after another", []string{"flaggedsourcecited"}, []View{example("flaggedsourcecited/pos1.json")}},
		{"dropped facet", "a report passed every grounding check and answered a third of the question", []string{"missingfacet"}, []View{example("missingfacet/pos1.json")}},
		{"starved within a tier", "two checks that break each other keep the one behind them from its turn", []string{"aging"}, alternating},
		{"starved across tiers", "a completion check that is capped keeps grounding from its turn", []string{"tier_yield"}, []View{stuckGround}},
		{"narration instead of an object", "the writer says what it will write, and writes nothing", []string{"malformedoutput", "toolcallnarration"}, []View{example("toolcallnarration/pos2.json")}},
		{"stuck retries", "the same repair of the same fault, again and again", []string{"no_progress"}, []View{broken}},
		{"wrong paper for a real address", "the identifier is real and another paper's", []string{"academicidentitymismatch"}, []View{example("academicidentitymismatch/pos1.json")}},
		{"digits of another namespace", "a PMC number taken for a PMID gives an unrelated paper", []string{"identifierintegrity"}, []View{example("identifierintegrity/pos2.json")}},
		{"facet lost by a merge", "a section that was there is empty after two were put together", []string{"emptysection"}, []View{example("emptysection/pos2.json")}},
		{"correction that makes it worse", "each repair of a facet leaves more wrong than before; after two the report is rebuilt from the ledger", []string{"whole_rebuild"}, worse},
	}
}

// TestIncidents plays each incident with all mechanisms and without its own, and holds both to the golden file: they differ,
// or the mechanism is not what the incident needs.
func TestIncidents(t *testing.T) {
	var out strings.Builder
	for _, in := range incidents(t) {
		off, unknown := Switches(in.without)
		if len(unknown) > 0 {
			t.Fatalf("%s: no switch %v", in.name, unknown)
		}
		with, less := played(in.views, Options{}), played(in.views, off)
		if slices.Equal(with, less) {
			t.Errorf("%s: without %v the bank does the same: %v", in.name, in.without, with)
		}
		fmt.Fprintf(&out, "%s: %s\n  with     %s\n  without  %s (%s)\n", in.name, in.tells, strings.Join(with, " > "), strings.Join(less, " > "), strings.Join(in.without, ", "))
	}
	golden := filepath.Join("testdata", "incidents.txt")
	if *update {
		if err := os.WriteFile(golden, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got := out.String(); got != string(want) {
		t.Errorf("an incident ends otherwise; run go test ./checks -run Incidents -update and read the diff\n%s", firstDiff(got, string(want)))
	}
}

// played returns what the bank did attempt by attempt.
func played(views []View, o Options) []string {
	var out []string
	var s State
	for i := range 20 {
		v := views[min(i, len(views)-1)]
		r := Step(s, v, o)
		s = r.State
		for _, e := range r.Verdict.Edited {
			out = append(out, fmt.Sprintf("%s edits %s", e.Check, e.Key))
		}
		if !r.Verdict.Over() {
			out = append(out, fmt.Sprintf("%s %s", r.Verdict.Check, r.Verdict.Action))
			continue
		}
		out = append(out, string(r.Verdict.Outcome))
		for _, f := range r.Verdict.Final {
			out = append(out, fmt.Sprintf("%s %s", f.Check, f.Action))
		}
		break
	}
	return out
}

// TestViewOf: what a stored run says of its report is what the bank reads.
func TestViewOf(t *testing.T) {
	if _, err := ViewOf(research.Run{}); err == nil {
		t.Error("a record without a report gives a view")
	}
	src, err := json.Marshal(research.Source{ID: "s1", Location: "harbour/a.html", Title: "Harbour", SHA256: "t1", Verdict: research.RejectDead})
	if err != nil {
		t.Fatal(err)
	}
	d := research.Digest{Lang: "en", Sections: []research.Section{{ID: "x", Title: "Harbour", Facets: []string{"f1"},
		Findings: []research.DigestFinding{{ID: "a", Text: "The harbour handled 4,120 ships.", Refs: []int{0, 7}}},
		Tables:   []research.Table{{Caption: "Ships", Headers: []string{"Year", "Ships"}, Rows: [][]research.Cell{{{Text: "1950"}, {Text: "12"}}, {{Text: "1951"}, {Text: "30"}}, {{Text: "Total"}, {Text: "44"}}}}}}},
		Sources: []research.DigestSource{{ID: "s1", URL: "harbour/a.html", Verdict: research.Verified}}}
	v, err := ViewOf(research.Run{Digest: &d, Blobs: map[string]string{"t1": "The harbour handled 4,210 ships."}, Events: []research.Event{{Seq: 1, Kind: research.EventSource, Payload: src}}})
	if err != nil {
		t.Fatal(err)
	}
	var fired []string
	for _, f := range Evaluate(v, Options{}) {
		fired = append(fired, f.Check)
	}
	for _, want := range []string{"citationindexrange", "flaggedsourcecited", "numberunsupported", "arithmeticinconsistent"} {
		if !slices.Contains(fired, want) {
			t.Errorf("%s does not fire; %v do", want, fired)
		}
	}
	if _, err := ViewOf(research.Run{Digest: &d, Events: []research.Event{{Seq: 2, Kind: research.EventSource, Payload: []byte("{")}}}); err == nil {
		t.Error("a damaged event gives a view")
	}
}
