package evidence

import (
	"math/big"

	"assay/engine/research"
)

// Calibrate puts the support of a claim under the calibration map in force: its confidence becomes what the map makes of (k+1)/(n+2), and
// band and label follow (CONTRACT 3). The raw share k/n stays beside it. It may be called again on what it returned. Without a map the
// support stays as it is.
func Calibrate(s research.Support, sources map[string]research.Source) research.Support {
	maps := research.Calibrations()
	if len(maps) == 0 {
		return s
	}
	return under(maps[len(maps)-1], s, sources)
}

// CalibrateUnder is [Calibrate] under the map of a name, for what belongs to a record that was made under it. No name is no map: the
// support stays as it is, as in records older than the first map. A name that no map has is taken for the map in force.
func CalibrateUnder(name string, s research.Support, sources map[string]research.Source) research.Support {
	if name == "" {
		return s
	}
	for _, m := range research.Calibrations() {
		if m.ID == name {
			return under(m, s, sources)
		}
	}
	return Calibrate(s, sources)
}

func under(m research.Calibration, s research.Support, sources map[string]research.Source) research.Support {
	s.Map = m.ID
	s.Smoothed = Confidence(s.K, s.N)
	s.Confidence = Calibrated(m, s.Smoothed)
	voices := s.K
	if s.Perspect {
		voices = min(voices, perspectives(s, sources))
	}
	s.Band = Band(s.Confidence, voices)
	s.Label = label(s)
	return s
}

// perspectives counts the origins of the voices that confirm.
func perspectives(s research.Support, sources map[string]research.Source) int {
	origins := map[research.Origin]bool{}
	for _, c := range s.Clusters {
		if c.Stance == research.Confirms {
			// A cluster is one voice and has one perspective: that of its first source.
			origins[sources[c.Sources[0]].Origin] = true
		}
	}
	return len(origins)
}

// Calibrated is the value of a map at x: linear between its knots, level outside them.
func Calibrated(m research.Calibration, x research.Ratio) research.Ratio {
	v := x.Rat()
	for i, k := range m.Knots {
		at := k.X.Rat()
		switch c := v.Cmp(at); {
		case c == 0 || c < 0 && i == 0:
			return k.Y
		case c < 0:
			before := m.Knots[i-1]
			x0, y0 := before.X.Rat(), before.Y.Rat()
			t := new(big.Rat).Quo(new(big.Rat).Sub(v, x0), new(big.Rat).Sub(at, x0))
			rise := new(big.Rat).Sub(k.Y.Rat(), y0)
			return research.Ratio(y0.Add(y0, rise.Mul(rise, t)).RatString())
		}
	}
	return m.Knots[len(m.Knots)-1].Y
}
