package ablation

import (
	"math"
	"strings"
	"testing"
)

func near(got, want, by float64) bool { return math.Abs(got-want) <= by }

// TestDifference holds the intervals to published ones: Newcombe (1998, Table II, cases a and c of method 10) and Altman and others
// (Statistics with Confidence, 2000, Table 6.2, and Newcombe 1998, Table III case of 36, 12, 2, 0).
func TestDifference(t *testing.T) {
	for _, tc := range []struct {
		k1, n1, k2, n2 int
		low, high      float64
	}{
		{56, 70, 48, 80, 0.0524, 0.3339},
		{9, 10, 3, 10, 0.1705, 0.8090},
	} {
		if got := Difference(tc.k1, tc.n1, tc.k2, tc.n2); !near(got.Low, tc.low, 6e-5) || !near(got.High, tc.high, 6e-5) {
			t.Errorf("%d/%d - %d/%d = %v, want [%v, %v]", tc.k1, tc.n1, tc.k2, tc.n2, got, tc.low, tc.high)
		}
	}
	for _, tc := range []struct {
		both, first, second, neither int
		value, low, high             float64
	}{
		{36, 12, 2, 0, 0.2, 0.0569, 0.3404},
		{14, 5, 0, 22, 0.122, 0.0115, 0.2265},
		{0, 0, 0, 0, 0, -1, 1},
		{5, 0, 0, 0, 0, -0.4345, 0.4345},
	} {
		got := PairedDifference(tc.both, tc.first, tc.second, tc.neither)
		if !near(got.Value, tc.value, 6e-4) || !near(got.Low, tc.low, 6e-4) || !near(got.High, tc.high, 6e-4) {
			t.Errorf("%+v: %v", tc, got)
		}
	}
	if got := Difference(0, 0, 1, 1); got != (Interval{0, -1, 1}) {
		t.Errorf("of no trial: %v", got)
	}
}

// TestWilson: of none nothing is known; 10 of 10 has a lower bound of .722 (Brown, Cai and DasGupta 2001 give the formula).
func TestWilson(t *testing.T) {
	if l, h := Wilson(0, 0); l != 0 || h != 1 {
		t.Errorf("of none: %v %v", l, h)
	}
	if l, h := Wilson(10, 10); !near(l, 0.7225, 1e-4) || h != 1 {
		t.Errorf("10 of 10: %v %v", l, h)
	}
	if l, h := Wilson(0, 100); l != 0 || !near(h, 0.0370, 1e-4) {
		t.Errorf("0 of 100: %v %v", l, h)
	}
}

// TestExact: the figures that the protocol is honest about.
func TestExact(t *testing.T) {
	for m, want := range map[int]float64{1: 1.0 / 2, 3: 1.0 / 20, 4: 1.0 / 70, 5: 1.0 / 252} {
		if got := SmallestP(m); got != want {
			t.Errorf("%d against %d: %v, want %v", m, m, got, want)
		}
	}
	for _, tc := range []struct {
		a, b int
		want float64
	}{{6, 0, 0.03125}, {0, 6, 0.03125}, {5, 0, 0.0625}, {0, 0, 1}, {3, 3, 1}, {9, 1, 0.021484375}} {
		if got := SignTest(tc.a, tc.b); !near(got, tc.want, 1e-9) {
			t.Errorf("SignTest(%d, %d) = %v, want %v", tc.a, tc.b, got, tc.want)
		}
	}
	if got := tail(3, 2, 0.5); !near(got, 0.5, 1e-9) {
		t.Errorf("two or more of three = %v", got)
	}
	if got := tail(4, 4, 1); got != 1 {
		t.Errorf("certain = %v", got)
	}
}

// TestMeanDifference: bounds hold the mean, exclude none where all go one way, and are open where nothing could be shown.
func TestMeanDifference(t *testing.T) {
	for _, tc := range []struct {
		name     string
		d        []float64
		excludes bool
		open     bool
	}{
		{"none", nil, false, true},
		{"five, all one way", []float64{0.5, 0.5, 0.5, 0.5, 0.5}, false, true},
		{"six, all one way", []float64{0.5, 0.4, 0.3, 0.5, 0.6, 0.5}, true, false},
		{"six, no difference", make([]float64, 6), false, false},
		{"both ways", []float64{0.5, -0.5, 0.4, -0.4, 0.3, -0.3}, false, false},
		{"twenty, most one way", []float64{0.2, 0.3, 0.1, 0.2, 0.3, 0.2, 0.1, 0.3, 0.2, 0.2, 0.3, 0.1, 0, 0.2, 0.1, 0.2, 0.3, 0.2, 0.1, 0.2}, true, false},
	} {
		got := MeanDifference(tc.d)
		if got.Low > got.Value || got.High < got.Value || (got.Low > 0 || got.High < 0) != tc.excludes || (got.Low == -1 && got.High == 1) != tc.open {
			t.Errorf("%s: %v", tc.name, got)
		}
		if again := MeanDifference(tc.d); again != got {
			t.Errorf("%s: twice %v and %v", tc.name, got, again)
		}
	}
}

func trials(scores ...float64) []Trial {
	var out []Trial
	for _, s := range scores {
		out = append(out, Trial{Pass: s >= 0.5, Score: s})
	}
	return out
}

// TestNext is the protocol: one, three, five; none more where nothing is drawn by chance.
func TestNext(t *testing.T) {
	for _, tc := range []struct {
		name string
		plan Plan
		arms Arms
		want int
	}{
		{"nothing yet", Plan{}, Arms{}, 1},
		{"one each, agreeing", Plan{}, Arms{With: trials(0.9), Without: trials(0.85)}, 1},
		{"one each, another pass", Plan{}, Arms{With: trials(0.52), Without: trials(0.48)}, 3},
		{"one each, another score", Plan{}, Arms{With: trials(0.9), Without: trials(0.7)}, 3},
		{"one each, deterministic", Plan{Deterministic: true}, Arms{With: trials(0.9), Without: trials(0.1)}, 1},
		{"three each, apart", Plan{}, Arms{With: trials(0.9, 0.8, 0.9), Without: trials(0.1, 0.2, 0.1)}, 3},
		{"three each, agreeing", Plan{}, Arms{With: trials(0.9, 0.7, 0.9), Without: trials(0.7, 0.9, 0.85)}, 3},
		{"three each, overlapping", Plan{}, Arms{With: trials(0.9, 0.2, 0.9), Without: trials(0.1, 0.2, 0.6)}, 5},
		{"three each, three at most", Plan{Most: 3}, Arms{With: trials(0.9, 0.2, 0.9), Without: trials(0.1, 0.2, 0.6)}, 3},
		{"one at most", Plan{Most: 1}, Arms{With: trials(0.9), Without: trials(0.1)}, 1},
		{"two at most", Plan{Most: 2}, Arms{With: trials(0.9), Without: trials(0.1)}, 2},
		{"five each", Plan{}, Arms{With: trials(0.9, 0.2, 0.9, 0.2, 0.9), Without: trials(0.1, 0.2, 0.6, 0.1, 0.1)}, 5},
		{"one arm behind", Plan{}, Arms{With: trials(0.9)}, 1},
	} {
		if got := tc.plan.Next(tc.arms); got != tc.want {
			t.Errorf("%s: %d, want %d", tc.name, got, tc.want)
		}
	}
}

func arms(n int, with, without float64) []Arms {
	var out []Arms
	for range n {
		out = append(out, Arms{With: trials(with), Without: trials(without)})
	}
	return out
}

// TestJudge: a verdict says no more than its trials.
func TestJudge(t *testing.T) {
	for _, tc := range []struct {
		name   string
		arms   []Arms
		want   string
		worse  int
		better int
		says   string
	}{
		{"one question, nothing", arms(1, 0.9, 0.9), TooFew, 0, 0, "no effect can be shown"},
		{"one question, a failure", arms(1, 0.9, 0.1), SeenOnce, 1, 0, "no effect can be shown"},
		{"five, all worse", arms(5, 0.9, 0.1), SeenOnce, 5, 0, "5 of the 6"},
		{"six, all worse", arms(6, 0.9, 0.1), Matters, 6, 0, "at least"},
		{"six, all better", arms(6, 0.1, 0.9), Harms, 0, 6, "at least"},
		{"two, nothing", arms(2, 0.9, 0.9), NoneSeen, 0, 0, "up to 78 %"},
		{"sixty, nothing", arms(60, 0.9, 0.9), NoneSeen, 0, 0, "up to 5 %"},
		{"both ways", append(arms(2, 0.9, 0.1), arms(1, 0.1, 0.9)...), Undecided, 2, 1, "3 of 3 differ"},
		{"without it better, once", arms(1, 0.1, 0.9), HarmedOnce, 0, 1, ""},
		{"none", nil, TooFew, 0, 0, "0 of the 6"},
	} {
		got := Judge(Plan{}, tc.arms)
		if got.Verdict != tc.want || got.Worse != tc.worse || got.Better != tc.better || !strings.Contains(got.Power.Words, tc.says) {
			t.Errorf("%s: %s; %s", tc.name, got, got.Power.Words)
		}
		if got.Questions != len(tc.arms) || got.TrialsRun != 2*len(tc.arms) {
			t.Errorf("%s: %+v", tc.name, got)
		}
	}
	if got := Judge(Plan{Deterministic: true}, arms(2, 0.9, 0.9)).Power.Words; !strings.Contains(got, "repeated trials") {
		t.Errorf("nothing is said of repetition: %s", got)
	}
	if got := PowerOf(10, 0, 3, false); got.Needed != 6 || !near(got.Seen, 0.6732, 1e-3) || !near(got.Unseen, 0.2589, 1e-3) || !strings.Contains(got.Words, "1/20") {
		t.Errorf("power of ten: %+v", got)
	}
}
