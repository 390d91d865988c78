package audit

import (
	"math/big"

	"assay/engine/research"
)

// calibrated returns what the calibration map that a support names makes of (k+1)/(n+2), which is itself where it names none. A record
// is held to the map it was made under; a map that the program does not know is a fault.
func (c *checker) calibrated(where string, s *research.Support, smoothed *big.Rat) *big.Rat {
	if s.Map == "" {
		same(c, where, "smoothed", s.Smoothed, "")
		return smoothed
	}
	same(c, where, "smoothed", s.Smoothed, ratio(smoothed))
	for _, m := range research.Calibrations() {
		if m.ID == s.Map {
			same(c, where, "id of its calibration map", m.ID, research.CalibrationID(m.Knots))
			return onMap(m.Knots, smoothed)
		}
	}
	c.fault(where, "its calibration map %s is none of this program", s.Map)
	return smoothed
}

// onMap reads a map at x: on the line between the two knots beside it, and at the ends what the last knot says.
func onMap(knots []research.CalibrationKnot, x *big.Rat) *big.Rat {
	below, above := -1, -1
	for i, k := range knots {
		if rat(k.X).Cmp(x) <= 0 {
			below = i
		} else if above < 0 {
			above = i
		}
	}
	if below < 0 {
		return rat(knots[above].Y)
	}
	y := rat(knots[below].Y)
	if above < 0 {
		return y
	}
	run := new(big.Rat).Sub(rat(knots[above].X), rat(knots[below].X))
	slope := new(big.Rat).Quo(new(big.Rat).Sub(rat(knots[above].Y), y), run)
	return new(big.Rat).Add(y, slope.Mul(slope, new(big.Rat).Sub(x, rat(knots[below].X))))
}

// mapOf is the calibration map that the explicit claims under a finding name; "" when none does.
func (c *checker) mapOf(f research.DigestFinding) string {
	for _, cl := range c.explicit(f.Claims) {
		if cl.Support != nil && cl.Support.Map != "" {
			return cl.Support.Map
		}
	}
	return ""
}
