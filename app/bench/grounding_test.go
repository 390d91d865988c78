package bench

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/engine/evidence"
)

// TestGrounding scores six pairs of our own; a seventh is not of the bench.
func TestGrounding(t *testing.T) {
	dir := t.TempDir()
	said := filepath.Join(dir, "said.jsonl")
	code, stdout, stderr := bench(t, "grounding", "--data", "testdata/grounding", "--predictions", said, "--json")
	if code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	var s groundingScore
	if err := json.Unmarshal([]byte(stdout), &s); err != nil {
		t.Fatalf("%v in %s", err, stdout)
	}
	if s.N != 6 || s.CrossFitted != 0 || s.AttributionBench != 1 || s.FactcheckGPT != 1 || s.WiCE != 0 {
		t.Errorf("score %s, want 6 cases, none of them seen, all right", stdout)
	}
	if f := s.BySource["factcheckgpt"]; f == nil || f.N != 2 || f.Contradicted.N != 1 || f.Contradicted.Share != 1 {
		t.Errorf("Factcheck-GPT %+v", f)
	}
	if b, err := os.ReadFile(said); err != nil || strings.Count(string(b), "\n") != 6 {
		t.Errorf("predictions %q, %v, want 6 lines", b, err)
	}
	if code, _, stderr = bench(t, "grounding", "--data", "testdata/json"); code != 1 || !strings.Contains(stderr, "no labelled pair") {
		t.Errorf("exit %d, %q on other data", code, stderr)
	}
}

// TestGroundingFigures works the figures of a source out by hand.
func TestGroundingFigures(t *testing.T) {
	var rows []groundingRow
	add := func(n int, supported, said bool, label string) {
		for range n {
			rows = append(rows, groundingRow{Source: "wice", Set: "wice", Supported: supported, Said: said, Label: label})
		}
	}
	add(3, true, true, "supported")
	add(1, true, false, "supported")
	add(4, false, false, "partial")
	add(1, false, true, "contradicted")
	add(1, false, false, "contradicted")
	f := sourceFigures(rows)
	if want := (3.0/4 + 5.0/6) / 2; math.Abs(f.BalancedAccuracy-want) > 1e-9 {
		t.Errorf("balanced accuracy %v, want %v", f.BalancedAccuracy, want)
	}
	if want := (6.0/8 + 10.0/12) / 2; math.Abs(f.MacroF1-want) > 1e-9 {
		t.Errorf("macro-F1 %v, want %v", f.MacroF1, want)
	}
	if f.Contradicted.N != 2 || f.Contradicted.Share != 0.5 || f.Recall.Low >= 0.75 || f.Recall.High <= 0.75 {
		t.Errorf("rates %+v", f)
	}
}

// madeRows are cases whose measures say little but the first, and that less in one source than in the other.
func madeRows(n int) []groundingRow {
	names := evidence.GroundNames()
	var rows []groundingRow
	for i := range n {
		r := groundingRow{Source: "wice", Set: "wice", Supported: i%2 == 0, group: string(rune('a'+i%26)) + string(rune('a'+i/26)), features: make([]float64, len(names))}
		r.features[0] = float64(i%7) / 7
		if r.Supported {
			r.features[0] += 0.6
		}
		r.features[1] = float64(i % 3)
		if i%10 == 0 { // noise
			r.Supported = !r.Supported
		}
		rows = append(rows, r)
	}
	return rows
}

// TestFitGround: a fit finds the measure that tells, is the same every time, and a case that was seen is scored by a fit without it.
func TestFitGround(t *testing.T) {
	rows := madeRows(200)
	m := fitGround(rows)
	hit := 0
	for _, r := range rows {
		hit += one((m.Likelihood(r.features) > 0.5) == r.Supported)
	}
	if hit < 145 {
		t.Errorf("%d of 200 right, want at least 145: nine in ten follow one measure", hit)
	}
	again := fitGround(rows)
	for _, r := range rows {
		if m.Likelihood(r.features) != again.Likelihood(r.features) {
			t.Fatal("two fits on the same cases differ")
		}
	}
	for i := range rows {
		rows[i].Fitted = i < 150
		rows[i].Shipped = 0.123
	}
	if n := crossFit(rows); n != 150 {
		t.Errorf("%d cases scored by a fit of their own, want 150", n)
	}
	for i, r := range rows {
		if (r.Likelihood == 0.123) != (i >= 150) {
			t.Errorf("case %d, seen %v, has likelihood %v", i, r.Fitted, r.Likelihood)
			break
		}
	}
	before := rows[0].Likelihood
	for i := range rows {
		if rows[i].group == rows[0].group {
			rows[i].Supported = !rows[i].Supported // the labels of its own group have no say
		}
	}
	if crossFit(rows); rows[0].Likelihood != before {
		t.Error("a case is scored by a fit that saw its group")
	}
}

// TestSolve solves a small system.
func TestSolve(t *testing.T) {
	got := solve([][]float64{{4, 0, 0}, {2, 5, 0}, {1, 3, 6}}, []float64{4 + 4 + 3, 2 + 10 + 9, 1 + 6 + 18})
	for i, want := range []float64{1, 2, 3} {
		if math.Abs(got[i]-want) > 1e-9 {
			t.Errorf("x%d = %v, want %v", i, got[i], want)
		}
	}
}

// TestGrowTreesRising: in a rising column a higher value never counts less, even where the cases say so.
func TestGrowTreesRising(t *testing.T) {
	var x [][]float64
	var y, w []float64
	for i := range 200 {
		v := float64(i) / 200
		x = append(x, []float64{v, 0})
		y = append(y, float64(one(v > 0.3 && v < 0.7)))
		w = append(w, 1)
	}
	for _, rising := range []bool{true, false} {
		m := evidence.GroundModel{Trees: growTrees(x, y, w, []bool{rising, false})}
		falls := 0
		for i := 1; i < len(x); i++ {
			falls += one(m.Forest(x[i]) < m.Forest(x[i-1])-1e-9)
		}
		if rising && falls > 0 || !rising && falls == 0 {
			t.Errorf("rising %v: %d falls", rising, falls)
		}
	}
}

// TestGroundingWrites: a fit writes Go source that gofmt would leave as it is, and the groups it saw.
func TestGroundingWrites(t *testing.T) {
	dir := t.TempDir()
	if code, _, stderr := bench(t, "grounding", "--data", "testdata/grounding", "--out", dir, "--json"); code != 0 {
		t.Fatal(stderr)
	}
	for name, part := range map[string]string{"ground_weights.go": "var shippedGround", "ground_common_list.go": "var commonLists", "grounding_seen.txt": groupHash("factcheckgpt", "e")} {
		if b, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !strings.Contains(string(b), part) {
			t.Errorf("%s lacks %q: %v", name, part, err)
		}
	}
}
