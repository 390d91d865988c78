package ablation

import (
	"fmt"
	"math"
	"strings"
)

// choose is n over k.
func choose(n, k int) float64 {
	out := 1.0
	for i := range min(k, n-k) {
		out = out * float64(n-i) / float64(i+1)
	}
	return math.Round(out)
}

// tail is the chance of k or more successes in n trials of chance p.
func tail(n, k int, p float64) float64 {
	if k <= 0 {
		return 1
	}
	sum := 0.0
	for i := k; i <= n; i++ {
		lf, _ := math.Lgamma(float64(n + 1))
		a, _ := math.Lgamma(float64(i + 1))
		b, _ := math.Lgamma(float64(n - i + 1))
		switch {
		case p <= 0, p >= 1 && i < n:
		case p >= 1:
			sum++
		default:
			sum += math.Exp(lf - a - b + float64(i)*math.Log(p) + float64(n-i)*math.Log(1-p))
		}
	}
	return min(1, sum)
}

// SignTest is the two-sided exact sign test: how likely it is that of a+b questions, each as likely to go one way as the other, as many
// or more go one way. It is McNemar's exact test of the pairs that differ; 1 when there is none.
func SignTest(a, b int) float64 {
	return min(1, 2*tail(a+b, max(a, b), 0.5))
}

// SmallestP is the smallest one-sided chance that a permutation of m trials an arm can come to: 1/20 for three against three, 1/252 for five
// against five.
func SmallestP(m int) float64 { return 1 / choose(2*m, m) }

// flips bounds the sign patterns that are looked at: all of them up to twelve questions, that many drawn by a fixed sequence above.
const flips = 4096

// MeanDifference is the mean of differences over questions, each between -1 and 1, with the values of a shift that the two-sided test of
// flipped signs (Fisher 1935) does not reject at 5 %. It supposes that a difference is as likely to lie above the shift as below, and
// nothing of its shape. Of fewer than six questions no shift is rejected: then the bounds are -1 and 1.
func MeanDifference(d []float64) Interval {
	n := len(d)
	out := Interval{Low: -1, High: 1}
	for _, x := range d {
		out.Value += x / float64(max(n, 1))
	}
	if math.Pow(2, float64(1-n)) > Alpha {
		return out
	}
	edge := func(sign float64) float64 { // the farthest shift on one side that is not rejected
		in, beyond := out.Value, sign
		for range 30 {
			mid := (in + beyond) / 2
			if rejected(d, mid) {
				beyond = mid
			} else {
				in = mid
			}
		}
		return in
	}
	out.Low, out.High = edge(-1), edge(1)
	return out
}

// rejected reports whether the differences less a shift have a mean that few patterns of flipped signs reach.
func rejected(d []float64, shift float64) bool {
	n := len(d)
	rest, sum := make([]float64, n), 0.0
	for i, x := range d {
		rest[i] = x - shift
		sum += rest[i]
	}
	all := n <= 12
	patterns := flips
	if all {
		patterns = 1 << n
	}
	reach, state := 0, uint64(1)
	for p := range patterns {
		bits := uint64(p)
		if !all && p > 0 { // the pattern as it is counts too
			state += 0x9e3779b97f4a7c15 // splitmix64
			bits = (state ^ state>>30) * 0xbf58476d1ce4e5b9
			bits = (bits ^ bits>>27) * 0x94d049bb133111eb
			bits ^= bits >> 31
		}
		s := 0.0
		for i, x := range rest {
			if bits>>(i%64)&1 == 1 {
				x = -x
			}
			s += x
		}
		if abs(s) >= abs(sum)-1e-12 {
			reach++
		}
	}
	return float64(reach)/float64(patterns) <= Alpha
}

// Power says what trials like these could have shown, and what they rule out.
type Power struct {
	// Needed is the least number of questions that must differ, all one way, for the sign test to reach 5 %: 6.
	Needed int `json:"needed"`
	// Seen is the smallest share of questions that a mechanism must decide, all one way, for this number of them to show it at 5 % in
	// four of five repetitions; 0 when none can.
	Seen float64 `json:"seen,omitempty"`
	// Unseen is the largest share of questions with a difference that is still likely (more than 5 %) to show none; where some
	// differ, the upper bound of their share.
	Unseen float64 `json:"unseen"`
	// SmallestP is the smallest one-sided p that the trials of one question can come to.
	SmallestP float64 `json:"smallest_p"`
	Words     string  `json:"words"`
}

// power is how often an effect is to be shown when it is there.
const power = 0.8

// PowerOf says what n questions could have shown of which so many differed, with at most m trials an arm on one question.
func PowerOf(n, differ, m int, deterministic bool) Power {
	p := Power{SmallestP: SmallestP(m)}
	for p.Needed = 1; SignTest(p.Needed, 0) > Alpha; p.Needed++ {
	}
	if n >= p.Needed {
		p.Seen = bisect(func(q float64) bool { return tail(n, p.Needed, q) >= power })
	}
	if differ == 0 {
		p.Unseen = 1
		if n > 0 {
			p.Unseen = 1 - math.Pow(Alpha, 1/float64(n))
		}
	} else {
		_, p.Unseen = Wilson(differ, n)
	}
	p.Words = p.words(n, differ, m, deterministic)
	return p
}

// bisect is the smallest share from which a growing property holds.
func bisect(holds func(float64) bool) float64 {
	lo, hi := 0.0, 1.0
	for range 40 {
		if mid := (lo + hi) / 2; holds(mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return hi
}

func (p Power) words(n, differ, m int, deterministic bool) string {
	var out []string
	if p.Seen > 0 {
		out = append(out, fmt.Sprintf("With %d questions an effect is shown (sign test, 5 %%, four times of five) only if it decides at least %.0f %% of such questions, all one way.", n, math.Ceil(100*p.Seen)))
	} else {
		out = append(out, fmt.Sprintf("With %d of the %d questions that the sign test needs, no effect can be shown at 5 %%, however large: this gives a direction and no size.", n, p.Needed))
	}
	switch {
	case n == 0:
	case differ == 0:
		out = append(out, fmt.Sprintf("None differs, and up to %.0f %% of such questions may (95 %%).", math.Ceil(100*p.Unseen)))
	default:
		out = append(out, fmt.Sprintf("%d of %d differ, and up to %.0f %% of such questions may (95 %%).", differ, n, math.Ceil(100*p.Unseen)))
	}
	if deterministic {
		out = append(out, "Nothing is drawn by chance here: repeated trials would be the same runs and add nothing.")
	} else {
		out = append(out, fmt.Sprintf("On one question, %d against %d trials, the smallest one-sided p is 1/%.0f.", m, m, 1/p.SmallestP))
	}
	return strings.Join(out, " ")
}
