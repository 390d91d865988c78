package audit

import (
	"math/big"
	"testing"

	"assay/engine/research"
)

func TestOnMap(t *testing.T) {
	knots := []research.CalibrationKnot{{X: "1/3", Y: "1/5"}, {X: "2/3", Y: "3/5"}, {X: "4/5", Y: "9/10"}}
	for x, want := range map[string]string{"1/4": "1/5", "1/3": "1/5", "1/2": "2/5", "2/3": "3/5", "11/15": "3/4", "9/10": "9/10"} {
		v, _ := new(big.Rat).SetString(x)
		if got := onMap(knots, v).RatString(); got != want {
			t.Errorf("at %s: %s, want %s", x, got, want)
		}
	}
}

// TestMapsAreSealed holds every shipped map to its name, its order and its figures.
func TestMapsAreSealed(t *testing.T) {
	maps := research.Calibrations()
	if len(maps) == 0 {
		t.Fatal("no map is shipped")
	}
	for _, m := range maps {
		if m.ID != research.CalibrationID(m.Knots) || len(m.Knots) == 0 || m.N == 0 || m.FittedOn == "" || m.Held.N == 0 {
			t.Errorf("map %s is not whole", m.ID)
		}
		for i := 1; i < len(m.Knots); i++ {
			if m.Knots[i-1].X.Cmp(m.Knots[i].X) >= 0 || m.Knots[i-1].Y.Cmp(m.Knots[i].Y) > 0 {
				t.Errorf("map %s falls at knot %d", m.ID, i)
			}
		}
	}
}
