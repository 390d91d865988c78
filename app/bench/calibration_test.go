package bench

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"assay/engine/research"
)

// TestCalibration scores the shipped map on claims of our own and of made worlds, and fits one of them.
func TestCalibration(t *testing.T) {
	code, stdout, stderr := bench(t, "calibration", "--data", "testdata/conflict", "--json")
	if code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	var s calibrationScore
	if err := json.Unmarshal([]byte(stdout), &s); err != nil {
		t.Fatal(err)
	}
	if w := s.Sets["made_worlds"]; w == nil || w.N < 300 || w.ECE > 0.08 || w.ECE >= w.RawECE || len(s.Conformal) != 2 {
		t.Errorf("%s, want the made worlds nearer to the map than to (k+1)/(n+2)", stdout)
	}
	fitted := filepath.Join(t.TempDir(), "map.json")
	if code, _, stderr = bench(t, "calibration", "--data", "testdata/conflict", "--out", fitted, "--json"); code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	b, err := os.ReadFile(fitted)
	if err != nil {
		t.Fatal(err)
	}
	var maps []research.Calibration
	if err := json.Unmarshal(b, &maps); err != nil || len(maps) != len(research.Calibrations())+1 {
		t.Fatalf("%d maps, %v: a fit is added, and none is taken out", len(maps), err)
	}
	m := maps[len(maps)-1]
	for i := 1; i < len(m.Knots); i++ {
		if m.Knots[i-1].Y.Cmp(m.Knots[i].Y) > 0 {
			t.Errorf("the map falls: %+v", m.Knots)
		}
	}
	if m.ID != research.CalibrationID(m.Knots) || m.N < 300 {
		t.Errorf("map %s of %d claims", m.ID, m.N)
	}
}

func TestExpectedError(t *testing.T) {
	rows := []labelledClaim{{Y: 0.75, Right: true}, {Y: 0.75, Right: true}, {Y: 0.75, Right: false}, {Y: 0.75, Right: true}, {Y: 0.25, Right: true}, {Y: 0.25, Right: false}}
	got, bins := expectedError(rows, func(r labelledClaim) float64 { return r.Y })
	if math.Abs(got-0.25*2/6) > 1e-9 || len(bins) != 2 || bins[0].N != 2 || bins[1].Right != 0.75 {
		t.Errorf("%v, %+v", got, bins)
	}
}

func TestConform(t *testing.T) {
	var rows []labelledClaim
	for i := range 200 {
		rows = append(rows, labelledClaim{Topic: string(rune('a'+i%26)) + string(rune('0'+i/26)), Y: float64(i%10) / 10, Right: i%10 > 4})
	}
	for i := range rows {
		rows[i].Held = heldTopic(rows[i].Topic)
	}
	if c := conform(rows, 0.1); c.Threshold < 0.3 || c.Threshold > 0.4 || c.AllRight < 0.85 {
		t.Errorf("%+v, want a threshold at the highest wrong claims", c)
	}
}
