package bench

import (
	"encoding/json"
	"strings"
	"testing"

	"assay/engine/research"
)

// TestCostCounts takes in a record with a page read twice, a call that the model did not answer, and a finding whose words stand nowhere.
func TestCostCounts(t *testing.T) {
	event := func(kind string, v any) research.Event {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return research.Event{Kind: kind, Payload: b}
	}
	stands := research.DigestFinding{ID: "f1", Text: "The ferry began\n its service.", Citations: []string{"p1"}}
	run := research.Run{
		Events: []research.Event{
			event(research.EventModel, research.Answer{By: "ollama:m", PromptTokens: 100}),
			event(research.EventModel, research.Answer{By: "extractive", Fault: "status 500", PromptTokens: 20}),
			event(research.EventRead, research.Document{Location: "http://127.0.0.1/a"}),
			event(research.EventRead, research.Document{Location: "http://127.0.0.1/b"}),
			event(research.EventRead, research.Document{Location: "http://127.0.0.1/a"}),
		},
		Blobs: map[string]string{"x": "In 1921 the ferry. The ferry began its   service. It rained."},
		Digest: &research.Digest{Sections: []research.Section{
			{Findings: []research.DigestFinding{stands, {ID: "f2", Text: "It snowed."}}}, {Findings: []research.DigestFinding{stands}},
		}},
	}
	var res costResult
	if r := res.count(run, "ollama:m"); r.Findings != 2 || r.Calls != 1 || r.Prompt != 120 || r.Pages != 3 {
		t.Errorf("the run is %+v", r)
	}
	if res.Findings != 2 || res.Cited != 1 || res.Verbatim != 1 || res.Lost != 1 || res.ReadTwice != 1 || res.Prompt != 120 {
		t.Errorf("the result is %+v", res)
	}
	for _, args := range [][]string{{"cost"}, {"cost", "--data", "testdata/questions.jsonl", "--also", "http://127.0.0.1:1"}} {
		if code, _, stderr := bench(t, args...); code != 2 || !strings.Contains(stderr, "OLLAMA_HOST") {
			t.Errorf("%q: exit %d, %s", args, code, stderr)
		}
	}
}
