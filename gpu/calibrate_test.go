package gpu

import (
	"encoding/json"
	"reflect"
	"testing"
)

func TestCalibration(t *testing.T) {
	o := Observation{Digest: "a", Context: 8192, KV: F16, Parallel: 1, Version: "0.32.7", Predicted: 1000, Measured: 1100}
	var c Calibration
	c = c.Add(o)
	later := o
	later.Measured = 1050
	c = c.Add(later).Add(Observation{Digest: "a", Context: 4096, KV: F16, Parallel: 1, Version: "0.32.7", Predicted: 10, Measured: 20})
	if len(c) != 2 {
		t.Fatalf("%d observations, want the later one in place of the earlier", len(c))
	}
	got, ok := c.Find("a", Load{Context: 8192, KV: F16, Parallel: 1, Version: "0.32.7"})
	if !ok || got.Measured != 1050 || got.Ratio() != 1.05 {
		t.Errorf("Find = %+v, %v", got, ok)
	}
	for _, l := range []Load{{Context: 8192, KV: Q8, Parallel: 1, Version: "0.32.7"}, {Context: 8192, KV: F16, Parallel: 2, Version: "0.32.7"}, {Context: 8192, KV: F16, Parallel: 1, Version: "0.32.8"}} {
		if _, ok := c.Find("a", l); ok {
			t.Errorf("found for %+v", l)
		}
	}
	if _, ok := c.Find("", Load{Context: 8192, KV: F16, Parallel: 1, Version: "0.32.7"}); ok {
		t.Error("found for a model without a digest")
	}
	for _, bad := range []Observation{{}, {Digest: "x", Predicted: 1}, {Digest: "x", Measured: 1}, {Digest: "x", Predicted: -1, Measured: 1}} {
		if n := len(c.Add(bad)); n != len(c) {
			t.Errorf("%+v was kept", bad)
		}
	}
	b, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	var back Calibration
	if err := json.Unmarshal(b, &back); err != nil || !reflect.DeepEqual(back, c) {
		t.Errorf("as JSON and back: %v, %v", back, err)
	}
}

// TestCalibrationBounds holds that a ratio is in [0.5, 2] and that scaling never overflows.
func TestCalibrationBounds(t *testing.T) {
	for _, tc := range []struct {
		predicted, measured int64
		ratio               float64
	}{{100, 1000, 2}, {1000, 100, 0.5}, {100, 199, 1.99}, {0, 5, 1}, {1 << 62, 1, 0.5}, {1, 1 << 62, 2}} {
		o := Observation{Predicted: tc.predicted, Measured: tc.measured}
		if o.Ratio() != tc.ratio {
			t.Errorf("ratio of %d to %d = %v, want %v", tc.measured, tc.predicted, o.Ratio(), tc.ratio)
		}
		for _, n := range []int64{0, 1, 1 << 40, 1 << 60} {
			if got := o.scale(n); got < n/2 || got > 2*n {
				t.Errorf("scale(%d) by %v = %d", n, tc.ratio, got)
			}
		}
	}
	var c Calibration
	for i := range maxObservations + 50 {
		c = c.Add(Observation{Digest: "d", Context: i, Predicted: 1, Measured: 1})
	}
	if len(c) != maxObservations || c[0].Context != 50 {
		t.Errorf("%d kept, the oldest of %d", len(c), c[0].Context)
	}
}

// TestCalibrated is ACCEPTANCE case 66: what was measured is shown beside what was estimated, and used next time.
func TestCalibrated(t *testing.T) {
	m := model(t, "gpt-oss:20b")
	m.Digest = "17052f91a42e"
	l := Load{Context: 8192, Parallel: 1, Batch: 512, KV: F16, Version: "0.32.7", Flash: FlashOn}
	e := m.Estimate(l)
	c := Calibration{}.Add(Observation{Digest: m.Digest, Context: 8192, KV: F16, Parallel: 1, Version: "0.32.7", Predicted: e.Server(), Measured: e.Server() * 11 / 10})
	got := e.Calibrated(c, m.Digest)
	if want := e.Server() * 11 / 10; got.Server() != want || got.Parts[len(got.Parts)-1].Kind != PartCalibration {
		t.Errorf("calibrated %d, want %d", got.Server(), want)
	}
	if again := e.Calibrated(c, "other"); again.Server() != e.Server() || len(e.Parts) == len(got.Parts) {
		t.Error("another model was corrected, or the estimate itself was changed")
	}
	// A plan uses it: what was measured no longer fits.
	free := e.Card() + 1100<<20
	cand := []Candidate{{Model: m}}
	if d := Choose(oneCard(free, "0.32.7"), answering(8192), cand, Policy{Override: Override{Batch: 512}}); d.Options[0].Fit != Fits {
		t.Fatalf("%s", short(d))
	}
	if d := Choose(oneCard(free, "0.32.7"), answering(8192), cand, Policy{Override: Override{Batch: 512}, Calibration: c}); d.Options[0].Fit == Fits && d.Options[0].KV == F16 {
		t.Errorf("%s although an earlier load took a tenth more", short(d))
	}
}
