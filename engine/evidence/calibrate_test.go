package evidence

import (
	"testing"

	"assay/engine/research"
)

func TestCalibrated(t *testing.T) {
	m := research.Calibration{Knots: []research.CalibrationKnot{{X: "1/3", Y: "1/5"}, {X: "2/3", Y: "3/5"}, {X: "4/5", Y: "9/10"}}}
	for x, want := range map[research.Ratio]research.Ratio{"1/4": "1/5", "1/3": "1/5", "1/2": "2/5", "2/3": "3/5", "11/15": "3/4", "9/10": "9/10"} {
		if got := Calibrated(m, x); got != want {
			t.Errorf("at %s: %s, want %s", x, got, want)
		}
	}
}

func TestCalibrate(t *testing.T) {
	for _, tc := range []struct {
		k, n int
		band research.Band
	}{{1, 1, research.Verify}, {3, 3, research.Accept}, {1, 3, research.Reject}, {0, 1, research.Reject}} {
		s := Calibrate(research.Support{K: tc.k, N: tc.n}, nil)
		if s.Map == "" || s.Smoothed != Confidence(tc.k, tc.n) || s.Band != tc.band {
			t.Errorf("%d of %d: %+v, want band %s under a map", tc.k, tc.n, s, tc.band)
		}
		if again := Calibrate(s, nil); again.Confidence != s.Confidence || again.Band != s.Band {
			t.Errorf("%d of %d: a second time %s, once %s", tc.k, tc.n, again.Confidence, s.Confidence)
		}
	}
	contested := research.Support{K: 3, N: 3, Perspect: true, Clusters: []research.Cluster{{Sources: []string{"a"}, Stance: research.Confirms}, {Sources: []string{"b"}, Stance: research.Confirms}, {Sources: []string{"c"}, Stance: research.Confirms}}}
	one := map[string]research.Source{"a": {Origin: research.Industry}, "b": {Origin: research.Industry}, "c": {Origin: research.Industry}}
	if s := Calibrate(contested, one); s.Band != research.Verify {
		t.Errorf("the voices of one perspective make %s", s.Band)
	}
}
