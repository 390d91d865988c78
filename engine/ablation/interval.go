package ablation

import (
	"fmt"
	"math"
)

// z is the 97.5th percentile of the normal distribution, for intervals of 95 %.
const z = 1.959963984540054

// Interval is an estimate with its 95 % bounds.
type Interval struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// String returns "0.200 [0.052, 0.334]".
func (i Interval) String() string { return fmt.Sprintf("%+.3f [%+.3f, %+.3f]", i.Value, i.Low, i.High) }

// Share is K of N with its Wilson bounds.
type Share struct {
	K    int     `json:"k"`
	N    int     `json:"n"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// ShareOf is k of n with the interval of Wilson (1927), which is 0 to 1 when n is 0.
func ShareOf(k, n int) Share {
	low, high := Wilson(k, n)
	return Share{K: k, N: n, Low: low, High: high}
}

// Wilson returns the 95 % score interval of a share (Wilson 1927), without correction for continuity; 0 and 1 when n is 0.
func Wilson(k, n int) (low, high float64) {
	if n <= 0 {
		return 0, 1
	}
	p, m := float64(k)/float64(n), float64(n)
	mid := p + z*z/(2*m)
	half := z * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return max(0, (mid-half)/(1+z*z/m)), min(1, (mid+half)/(1+z*z/m))
}

// Difference is the share k1 of n1 less k2 of n2, of independent trials, with the hybrid score interval of Newcombe (Statistics in
// Medicine 17, 1998, 873-890, method 10).
func Difference(k1, n1, k2, n2 int) Interval {
	if n1 <= 0 || n2 <= 0 {
		return Interval{0, -1, 1}
	}
	p1, p2 := float64(k1)/float64(n1), float64(k2)/float64(n2)
	l1, u1 := Wilson(k1, n1)
	l2, u2 := Wilson(k2, n2)
	d := p1 - p2
	return Interval{d, d - math.Hypot(p1-l1, u2-p2), d + math.Hypot(u1-p1, p2-l2)}
}

// PairedDifference is the share of pairs whose first passes less that of those whose second does, with the interval of Newcombe
// (Statistics in Medicine 17, 1998, 2635-2650, method 10). A pair passes in both, in the first only, in the second only, or in neither.
func PairedDifference(both, first, second, neither int) Interval {
	n := both + first + second + neither
	if n == 0 {
		return Interval{0, -1, 1}
	}
	m := float64(n)
	p1, p2 := float64(both+first)/m, float64(both+second)/m
	l1, u1 := Wilson(both+first, n)
	l2, u2 := Wilson(both+second, n)
	phi := correlation(both, first, second, neither)
	d := p1 - p2
	bound := func(a, b float64) float64 { return math.Sqrt(max(0, a*a-2*phi*a*b+b*b)) }
	return Interval{d, max(-1, d-bound(p1-l1, u2-p2)), min(1, d+bound(u1-p1, p2-l2))}
}

// correlation is phi of the pairs, corrected for continuity as the method asks; 0 where a margin is empty.
func correlation(a, b, c, d int) float64 {
	margins := float64(a+b) * float64(c+d) * float64(a+c) * float64(b+d)
	if margins == 0 {
		return 0
	}
	over := float64(a*d - b*c)
	if over > 0 {
		over = max(0, over-float64(a+b+c+d)/2)
	}
	return over / math.Sqrt(margins)
}
