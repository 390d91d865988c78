// Package ablation holds the rules by which a run with a mechanism is held against one without it: how many trials are made, when
// they stop, what their difference is, and what difference could have been seen at all.
//
// Start at [Plan.Next], which says whether a question needs another trial, and [Judge], which turns the trials of all questions into a
// [Result] in figures and words. The package is pure: it runs nothing, reads no clock and draws no chance.
//
// # The protocol
//
// It is that of DeepDelve (its methodology, sections 3.7 and 5), with the arithmetic that it leaves out. One trial an arm for each
// question; where both arms pass or both fail and their scores lie less than [Close] apart, that is all. Where they disagree, three an
// arm, and five when three do not settle it. To say that a mechanism is worth nothing takes more than one question; that it is worth
// something can stand on one that no trial contradicts, and is then called just that. Where nothing is drawn by chance, one trial an arm is
// all there is: a repetition would be the same run.
//
// # The figures
//
// Shares have the interval of Wilson (1927). The difference of passing between two arms over the same questions has that of Newcombe
// (Statistics in Medicine 17, 1998, 2635-2650, method 10), of trials of one question that of Newcombe (1998, 873-890, method 10). Whether
// questions went one way more than the other is the exact sign test. The mean difference of scores has the interval that the exact test of
// flipped signs does not reject. [Power] says what all of this could have shown.
package ablation

import (
	"fmt"
	"slices"
)

// The protocol's numbers.
const (
	Close = 0.1 // scores this close or closer, in both passing or both failing, agree
	Alpha = 0.05
)

// stages are how many trials an arm has had when the next decision is taken.
var stages = []int{1, 3, 5}

// Trial is one run of one arm.
type Trial struct {
	Pass  bool    `json:"pass"`
	Score float64 `json:"score"` // 0 to 1
}

// Arms are the trials of one question so far.
type Arms struct {
	Question string  `json:"question"`
	With     []Trial `json:"with"`
	Without  []Trial `json:"without"`
}

// Plan says how trials are made.
type Plan struct {
	// Deterministic: a repetition is the same run, so that one trial an arm is all there is.
	Deterministic bool `json:"deterministic"`
	// Most bounds the trials of an arm; if zero, 5.
	Most int `json:"most,omitempty"`
}

// Next returns how many trials each arm of a question should have; when it has them, that is the end of it.
func (p Plan) Next(a Arms) int {
	n := min(len(a.With), len(a.Without))
	most := p.Most
	if most <= 0 {
		most = stages[len(stages)-1]
	}
	if n == 0 || p.Deterministic {
		return 1
	}
	if settled(a) {
		return n
	}
	for _, s := range stages {
		if s > n {
			return max(n, min(s, most))
		}
	}
	return n
}

// settled reports whether the trials of a question leave nothing to resolve: single ones that agree, or several whose arms either agree in
// what most of them did, or do not overlap.
func settled(a Arms) bool {
	if len(a.With) < 2 {
		return agree(a)
	}
	return agree(a) && len(a.With) >= stages[1] || apart(a)
}

// agree reports whether both arms pass, or fail, as often as not, with mean scores that are close.
func agree(a Arms) bool {
	return most(a.With) == most(a.Without) && abs(Mean(a.With)-Mean(a.Without)) < Close
}

// apart reports whether every trial of one arm is better than every trial of the other.
func apart(a Arms) bool {
	w, o := scores(a.With), scores(a.Without)
	return len(w) > 1 && (slices.Min(w) > slices.Max(o) || slices.Min(o) > slices.Max(w))
}

func most(ts []Trial) bool { return 2*passes(ts) > len(ts) }

func passes(ts []Trial) int {
	n := 0
	for _, t := range ts {
		if t.Pass {
			n++
		}
	}
	return n
}

func scores(ts []Trial) []float64 {
	var out []float64
	for _, t := range ts {
		out = append(out, t.Score)
	}
	return out
}

// Mean is the mean score of trials; 0 of none.
func Mean(ts []Trial) float64 {
	sum := 0.0
	for _, t := range ts {
		sum += t.Score
	}
	if len(ts) == 0 {
		return 0
	}
	return sum / float64(len(ts))
}

func abs(x float64) float64 { return max(x, -x) }

// The words of a verdict.
const (
	Matters     = "it matters"       // more than chance: the interval or the sign test excludes no difference
	SeenOnce    = "it mattered here" // a difference was seen, and is too small a number of questions to say more
	Harms       = "it harms"         // without it is better, by more than chance
	HarmedOnce  = "it harmed here"   // without it was better, in too few questions to say more
	NoneSeen    = "no difference seen"
	TooFew      = "too little to say" // one question alone without a difference is no reason to drop anything
	Undecided   = "undecided"         // questions went both ways
	leastToDrop = 2                   // questions before the lack of a difference is said to be one
)

// Result is what the trials of one mechanism come to.
type Result struct {
	Questions int `json:"n"`
	TrialsRun int `json:"trials"`
	// Worse are questions on which the arm without the mechanism did worse by a pass or by Close, Better those on which it did better.
	Worse  int `json:"worse"`
	Better int `json:"better"`
	// PassWith and PassWithout are questions that most trials of the arm pass.
	PassWith    Share    `json:"pass_with"`
	PassWithout Share    `json:"pass_without"`
	Pass        Interval `json:"pass_difference"`  // with less without
	Score       Interval `json:"score_difference"` // mean over questions, with less without
	MeanWith    float64  `json:"mean_with"`
	MeanWithout float64  `json:"mean_without"`
	SignP       float64  `json:"sign_p"` // two-sided, of Worse against Better; 1 when none differs
	Verdict     string   `json:"verdict"`
	Power       Power    `json:"power"`
}

// Judge says what the trials of all questions come to.
func Judge(p Plan, all []Arms) Result {
	r := Result{Questions: len(all)}
	var both, onlyWith, onlyWithout, neither int
	var diffs []float64
	largest := 1
	for _, a := range all {
		r.TrialsRun += len(a.With) + len(a.Without)
		largest = max(largest, min(len(a.With), len(a.Without)))
		w, o := most(a.With), most(a.Without)
		switch {
		case w && o:
			both++
		case w:
			onlyWith++
		case o:
			onlyWithout++
		default:
			neither++
		}
		d := Mean(a.With) - Mean(a.Without)
		diffs = append(diffs, d)
		r.MeanWith += Mean(a.With) / float64(len(all))
		r.MeanWithout += Mean(a.Without) / float64(len(all))
		switch {
		case w && !o || w == o && d >= Close:
			r.Worse++
		case o && !w || w == o && d <= -Close:
			r.Better++
		}
	}
	r.PassWith, r.PassWithout = ShareOf(both+onlyWith, len(all)), ShareOf(both+onlyWithout, len(all))
	r.Pass = PairedDifference(both, onlyWith, onlyWithout, neither)
	r.Score = MeanDifference(diffs)
	r.SignP = SignTest(r.Worse, r.Better)
	r.Power = PowerOf(len(all), r.Worse+r.Better, largest, p.Deterministic)
	r.Verdict = r.verdict()
	return r
}

func (r Result) verdict() string {
	shown := r.SignP <= Alpha
	switch {
	case shown && r.Worse > r.Better:
		return Matters
	case shown:
		return Harms
	case r.Worse > 0 && r.Better > 0:
		return Undecided
	case r.Worse > 0:
		return SeenOnce
	case r.Better > 0:
		return HarmedOnce
	case r.Questions < leastToDrop:
		return TooFew
	}
	return NoneSeen
}

// String says in one line what came of the trials.
func (r Result) String() string {
	return fmt.Sprintf("%s: %d worse and %d better of %d, mean %.3f with and %.3f without, difference %s", r.Verdict, r.Worse, r.Better, r.Questions, r.MeanWith, r.MeanWithout, r.Score)
}
