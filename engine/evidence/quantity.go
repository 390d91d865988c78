package evidence

import (
	"math/big"
	"regexp"
	"slices"
	"strings"

	"assay/engine/research"
	"assay/engine/text"
)

// smallCount is the largest bare whole number that is not checked: list positions, "two of them".
const smallCount = 10

// tolerance is what a word of approximation allows, as a share of the claim's value.
var tolerance = big.NewRat(1, 20)

// maxPairs bounds the quantities of a sentence whose sums and differences are tried.
const maxPairs = 24

// maxQuantities bounds the numbers of a source that one claim is compared with.
const maxQuantities = 4096

// approximate ends the text before a quantity that is said to be rounded.
var approximate = regexp.MustCompile(`(?i:(?:\b(?:about|around|roughly|approximately|approx\.?|nearly|almost|over|some|circa|ca\.?|an estimated|estimated at|more than|less than|fewer than|at least|at most|up to|close to|just under|just over|under|above|below)|[~≈<>])\s*[$€£¥]?\s*$)|(?:约|大约|近|将近|接近|超过|逾|多于|至少|至多|不到|大概)\s*$`)

// approximateAfter begins the text after such a quantity.
var approximateAfter = regexp.MustCompile(`^\s*(?:(?i:or so\b)|\+|多|余|左右|上下|以上|以下)`)

// shareWords are the words for a share that a source may use for a percentage.
var shareWords = map[research.Ratio]*regexp.Regexp{
	"50": regexp.MustCompile(`(?i:\bhalf\b|\bhalves\b)|一半|半数`),
	"25": regexp.MustCompile(`(?i:\b(?:a|one) quarter\b|\bone in four\b)|四分之一`),
	"75": regexp.MustCompile(`(?i:\bthree[- ]quarters\b)|四分之三`),
	"20": regexp.MustCompile(`(?i:\b(?:a|one) fifth\b|\bone in five\b)|五分之一`),
	"10": regexp.MustCompile(`(?i:\b(?:a|one) tenth\b|\bone in ten\b)|十分之一`),
}

// MatchQuantities asks whether every number of the claim stands in the source (G09): with the same value, as a source value
// rounded to the digits the claim prints, within 5 % when the claim says "about", or as the sum or difference of two numbers of
// one source sentence. Years and versions get no tolerance. Bare whole numbers up to 10 and ordinals are not checked. The
// reason of a number that is missing says so when the source has it in another scale, currency or unit (G10).
//
// What [CompareNumbers] finds goes before: a number that it finds borne out (a bound that is met, an age from two years) is not missing, and one in whose place a
// sentence of the source has another is, wherever else the source has it.
func MatchQuantities(claim, source string) Match {
	want := text.Quantities(claim)
	m := Match{OK: true}
	if !slices.ContainsFunc(want, func(q research.Quantity) bool { return checked(&q) }) {
		return m
	}
	have := text.Quantities(source)
	have = have[:min(len(have), maxQuantities)]
	faults, borne := compareNumbers(claim, source)
	for i := range want {
		q := &want[i]
		if !checked(q) || slices.ContainsFunc(borne, func(s [2]int) bool { return s[0] <= q.Start && q.End <= s[1] }) {
			continue
		}
		in := supported(q, claim, have, source)
		at := slices.IndexFunc(faults, func(f NumberFault) bool {
			return f.Cause == NumberExchanged && f.Start < q.End && q.Start < f.End
		})
		if in && at < 0 {
			continue
		}
		m.OK = false
		m.Missing = append(m.Missing, q.Text)
		if !in {
			m.Absent = append(m.Absent, q.Text)
		}
		switch {
		case m.Reason != "":
		case in:
			m.Reason = q.Text + " where a sentence of the source has " + faults[at].Other
		default:
			m.Reason = diagnose(q, have)
		}
	}
	return m
}

// checked reports whether a number is one that must stand in the source.
func checked(q *research.Quantity) bool {
	switch q.Kind {
	case research.Ordinal:
		return false
	case research.Count:
		v := q.Value.Rat()
		return !v.IsInt() || v.Cmp(big.NewRat(smallCount, 1)) > 0 || v.Sign() < 0
	}
	return true
}

// supported reports whether the source has the number.
func supported(q *research.Quantity, claim string, have []research.Quantity, source string) bool {
	about := approximate.MatchString(claim[:min(q.Start, len(claim))]) || approximateAfter.MatchString(claim[min(q.End, len(claim)):])
	for i := range have {
		if agrees(q, &have[i], about) {
			return true
		}
	}
	if q.Kind == research.Year || q.Kind == research.Version {
		return false
	}
	if q.Kind == research.Percent {
		if words, ok := shareWords[q.Value]; ok && words.MatchString(source) {
			return true
		}
	}
	return combined(q, have, source)
}

// agrees reports whether a source quantity supports one of the claim.
func agrees(q, s *research.Quantity, about bool) bool {
	if q.Kind == research.Version || s.Kind == research.Version {
		return strings.EqualFold(strings.TrimSpace(q.Text), strings.TrimSpace(s.Text)) || q.Kind != s.Kind && q.Value.Known() && q.Value == s.Value
	}
	if !sameMeasure(q, s) {
		return false
	}
	if q.Value.Cmp(s.Value) == 0 {
		return true
	}
	if q.Kind == research.Year || s.Kind == research.Year {
		return false
	}
	if roundsTo(s, q) {
		return true
	}
	return about && withinTolerance(s.Value.Rat(), q.Value.Rat())
}

// sameMeasure reports whether two quantities may speak of the same thing. A counted noun (packages, people) is not
// compared, as it may stand anywhere in the sentence; a currency, a percent sign and a unit of measure are.
func sameMeasure(q, s *research.Quantity) bool {
	hard := func(x *research.Quantity) bool {
		return x.Kind == research.Money || x.Kind == research.Percent || x.Kind == research.Measure || x.Kind == research.Duration
	}
	if !hard(q) || !hard(s) {
		// "grew to 40" for a source with "40 %": a bare number of the one is not a measure of the other.
		return !hard(q) && !hard(s) || q.Unit == s.Unit || q.Unit == "" || s.Unit == ""
	}
	return q.Kind == s.Kind && q.Unit == s.Unit
}

// combined reports whether the number is the sum or difference of two of one source sentence.
func combined(q *research.Quantity, have []research.Quantity, source string) bool {
	v := q.Value.Rat()
	for _, sp := range text.Sentences(source) {
		var in []*big.Rat
		for i := range have {
			h := &have[i]
			if h.Start >= sp.Start && h.End <= sp.End && h.Kind == q.Kind && (h.Kind == research.Count || h.Unit == q.Unit) && len(in) < maxPairs {
				in = append(in, h.Value.Rat())
			}
		}
		for i, a := range in {
			for _, b := range in[i+1:] {
				sum, diff := new(big.Rat).Add(a, b), new(big.Rat).Sub(a, b)
				if sum.Cmp(v) == 0 || diff.Abs(diff).Cmp(v) == 0 {
					return true
				}
			}
		}
	}
	return false
}

// diagnose says what the source has in place of a number that it lacks.
func diagnose(q *research.Quantity, have []research.Quantity) string {
	for i := range have {
		s := &have[i]
		if q.Value.Known() && s.Value.Cmp(q.Value) == 0 && !sameMeasure(q, s) {
			return q.Text + " where the source has " + s.Text + " (same number, other unit)"
		}
	}
	for i := range have {
		s := &have[i]
		if sameMeasure(q, s) && powerOfTen(q.Value, s.Value) {
			return q.Text + " where the source has " + s.Text + " (same digits, other scale)"
		}
	}
	return q.Text + " is not in the source"
}

// powerOfTen reports whether two values differ by a power of ten and nothing else.
func powerOfTen(a, b research.Ratio) bool {
	x, y := a.Rat(), b.Rat()
	if x.Sign() == 0 || y.Sign() == 0 {
		return false
	}
	q := new(big.Rat).Quo(x, y)
	for range 13 {
		if q.Cmp(big.NewRat(1, 1)) == 0 {
			return true
		}
		if q.Cmp(big.NewRat(1, 1)) > 0 {
			q.Quo(q, big.NewRat(10, 1))
		} else {
			q.Mul(q, big.NewRat(10, 1))
		}
	}
	return false
}
