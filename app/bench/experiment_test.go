package bench

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/engine"
	"assay/engine/research"
)

func TestArms(t *testing.T) {
	all := arms()
	for _, a := range all {
		if unknown := engine.UnknownSwitches(a.Without); len(unknown) > 0 {
			t.Errorf("arm %s leaves out %v, which the engine does not know", a.Name, unknown)
		}
	}
	got, err := chosenArms("ds,no-gap, sr ,ds")
	if err != nil || len(got) != 4 || got[0].Name != fullArm || got[2].Name != "no-gap-rounds" {
		t.Errorf("chosen: %+v, %v", got, err)
	}
	if _, err := chosenArms("no-such"); err == nil || !strings.Contains(err.Error(), "no-subject-lock") {
		t.Errorf("an unknown arm: %v", err)
	}
	if got, err := chosenArms(""); err != nil || len(got) != len(all) {
		t.Errorf("all: %d of %d, %v", len(got), len(all), err)
	}
}

func TestPaired(t *testing.T) {
	d := paired([]float64{1, 1, 1, 0, 1, 1, 0, 1}, []float64{0, 1, 0, 0, 1, 0, 1, 0})
	// By hand: differences 1 0 1 0 0 1 -1 1, mean 3/8, better 4, worse 1; sum of squares 5 - 8*(9/64) = 31/8, variance 31/56,
	// standard error sqrt(31/448) = .26305, times 2.80159 = .73697.
	if d.Mean != 0.375 || d.Better != 4 || d.Worse != 1 || math.Abs(d.Seen-0.73697) > 1e-4 {
		t.Errorf("paired = %+v", d)
	}
	if d.Low >= d.Mean || d.High <= d.Mean || d.Low < -0.5 || d.High > 1 {
		t.Errorf("interval %v to %v", d.Low, d.High)
	}
	if same := paired([]float64{1, 0, 1}, []float64{1, 0, 1}); same.Mean != 0 || same.Low != 0 || same.High != 0 || same.Seen != 0 {
		t.Errorf("no difference: %+v", same)
	}
	if again := paired([]float64{1, 1, 1, 0, 1, 1, 0, 1}, []float64{0, 1, 0, 0, 1, 0, 1, 0}); again != d {
		t.Error("the same rows gave another interval")
	}
}

func TestMeasure(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "gold.txt"), []byte("Gold melts at 1064 degrees. Gold is soft."), 0o644); err != nil {
		t.Fatal(err)
	}
	ratio := func(s string) research.Ratio { return research.Ratio(s) }
	trace := func(k int, kind string) research.Trace {
		return research.Trace{Nodes: []research.TraceNode{{Kind: "claim", K: k}, {Kind: kind}}}
	}
	d := research.Digest{
		Sections: []research.Section{{Findings: []research.DigestFinding{
			{ID: "a", Text: "Gold melts at 1064 degrees.", Confidence: ratio("9/10"), Trace: "ta"},
			{ID: "b", Text: "Gold is soft.", Confidence: ratio("1/2"), Trace: "tb"},
		}}},
		Traces:  map[string]research.Trace{"ta": trace(2, "derived"), "tb": trace(1, "finding")},
		Metrics: research.Metrics{Completeness: ratio("1/2"), Objective: ratio("1/4"), Words: 100},
	}
	gaps := func(ids ...string) json.RawMessage {
		var x struct {
			Gaps []research.Gap `json:"gaps"`
		}
		x.Gaps = []research.Gap{}
		for _, id := range ids {
			x.Gaps = append(x.Gaps, research.Gap{ID: id, Kind: map[bool]string{true: "logical", false: "informational"}[id == "g1"]})
		}
		b, err := json.Marshal(x)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	o := outcome{digest: &d, words: 100, seconds: 2,
		said: answered{Findings: []saidFinding{
			{Text: "Gold melts at 1064 degrees.", Citations: []saidCitation{{Path: "gold.txt", Quote: "Gold melts at 1064 degrees."}}},
			{Text: "Gold is soft.", Citations: []saidCitation{{Path: "gold.txt", Quote: "Gold is hard."}}},
		}},
		events: []research.Event{
			{Kind: "stage reason", Payload: gaps("g1", "g2"), TookMs: 500}, {Kind: "model", Payload: json.RawMessage(`{"prompt_tokens":7,"answer_tokens":3}`)},
			{Kind: "read"}, {Kind: "stage reason", Payload: gaps("g2"), TookMs: 250},
		},
	}
	q := question{ID: "q", Kind: "lock", Gold: []gold{{Facet: "melting", Variants: []string{"1064"}, Path: "gold.txt", Span: "Gold melts at 1064 degrees"}, {Facet: "price", Variants: []string{"99"}, Path: "x"}}}
	got := measure("full", q, o, &corpusFiles{root: dir, text: map[string]string{}})
	for key, want := range map[string]float64{
		"completeness": .5, "completeness_concise": .5, "precision": .5, "precision_sure": 1, "fact_density": 20, "subject": 1, "confidence": .9, "voices": 1.5,
		"citations_hold": .5, "derived": 1, "derived_right": 1, "derived_right_sure": 1, "gaps": 2, "gaps_logical": 1, "gaps_filled": .5, "seconds": 2,
		"model_calls": 1, "tokens": 10, "reads": 1, "coverage": .5, "objective": .25, "seconds_reason": .75,
	} {
		if v, ok := got.M[key]; !ok || math.Abs(v-want) > 1e-9 {
			t.Errorf("%s = %v (%v), want %v", key, v, ok, want)
		}
	}
}

// A whole experiment on two questions over one small folder.
func TestExperiment(t *testing.T) {
	corpus, out := t.TempDir(), t.TempDir()
	if err := os.Mkdir(filepath.Join(corpus, "metals"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(corpus, "metals", "gold.txt"), []byte("Gold\n\nGold melts at 1064 degrees Celsius. Pure gold is soft.\n\nSilver melts at 962 degrees Celsius.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(corpus, "q.jsonl")
	lines := `{"id":"A1","question":"At what temperature does gold melt?","lang":"en","kind":"plain","packages":["metals"],"gold":[{"facet":"t","variants":["1064"],"path":"metals/gold.txt","span":"Gold melts at 1064 degrees Celsius"}]}
{"id":"A2","question":"Who won the football cup in Lisbon in 1987?","lang":"en","kind":"unanswerable","packages":["metals"],"gold":[],"claims":["won"]}
`
	if err := os.WriteFile(data, []byte(lines), 0o644); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	code := Main(t.Context(), []string{"run", "--data", data, "--corpus", corpus, "--out", out, "--arms", "ds,sr,no-gap", "--depth", "quick", "--json"}, &stdout, &stderr)
	if code != 0 {
		t.Fatalf("code %d: %s", code, stderr.String())
	}
	var x experiment
	if err := json.Unmarshal(stdout.Bytes(), &x); err != nil {
		t.Fatal(err)
	}
	if x.N != 2 || len(x.Rows) != 8 || x.Means[fullArm]["completeness"] != 1 || x.Means[fullArm]["honest"] != 1 || x.Means["ds"]["honest"] != 0 || len(x.Worth) != 3 || len(x.NotMeasured) < 3 {
		t.Errorf("experiment = %+v", x)
	}
	page, err := os.ReadFile(filepath.Join(out, "experiment.html"))
	if err != nil || !strings.Contains(string(page), "no-gap-rounds") || strings.Contains(string(page), "<script") {
		t.Errorf("page: %v", err)
	}
	if code := Main(t.Context(), []string{"run", "--data", data, "--corpus", corpus, "--out", out, "--arms", "x"}, &stdout, &stderr); code != 2 {
		t.Errorf("an unknown arm: code %d", code)
	}
}
