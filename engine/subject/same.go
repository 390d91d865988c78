package subject

import (
	"math"

	"assay/engine/text"
)

// Marks is how many marks two senses of one name are compared by.
const Marks = 38

// MarkNames names the marks, in order, for those who fit or show them.
var MarkNames = [Marks]string{
	"same role", "other role", "place and side", "both places", "both sides",
	"same contest", "other contest", "contest in one", "matters alike", "matters apart",
	"same region", "other region", "names shared", "share of names", "words shared", "other words shared",
	"words of the name", "long name, long texts", "follows apart", "beside alike", "women in one", "young in one",
	"short texts", "years apart", "same state", "other state", "other state, list", "lands alike",
	"sides of other contests", "sides, contest in one", "names in one contest", "place and side, few names",
	"land, no side", "land, one side", "land, both sides", "people", "institution", "abbreviation",
}

// MarksOf compares two senses of one name; every mark is in 0..1.
func MarksOf(a, b Sense) [Marks]float64 {
	var m [Marks]float64
	ra, rb := shares(a.role), shares(b.role)
	if some(a.role[:]) && some(b.role[:]) {
		m[0] = cosine(ra[:], rb[:]) / math.Sqrt(cosine(ra[:], ra[:])*cosine(rb[:], rb[:]))
		m[1] = 1 - m[0]
	}
	m[2] = ra[asPlace]*rb[asSide] + ra[asSide]*rb[asPlace]
	m[3] = ra[asPlace] * rb[asPlace]
	m[4] = ra[asSide] * rb[asSide]
	ca, cb := some(a.contest), some(b.contest)
	if ca && cb {
		m[5] = cosine(a.contest, b.contest)
		m[6] = 1 - m[5]
	}
	m[7] = one(ca != cb)
	if some(a.matter) && some(b.matter) {
		m[8] = cosine(a.matter, b.matter)
		m[9] = 1 - m[8]
	}
	m[10], m[11] = meet(a.near, b.near)
	names := common(a.names, b.names)
	m[12] = min(1, float64(names)/6)
	m[13] = float64(names) / float64(min(len(a.names), len(b.names))+2)
	m[14] = float64(common(a.stems, b.stems)) / float64(min(len(a.stems), len(b.stems))+5)
	m[15] = min(1, float64(otherWords(a, b))/8)
	m[16] = min(1, float64(max(0, a.words-1))/2)
	m[22] = max(0, 1-float64(min(a.size, b.size))/60)
	m[17] = m[16] * (1 - m[22])
	m[18] = one((a.follows != "" || b.follows != "") && a.follows != b.follows)
	m[19] = (one(a.before != "" && a.before == b.before) + one(a.after != "" && a.after == b.after)) / 2
	m[23] = yearsApart(a.years, b.years)
	m[24], m[25] = meet(a.states, b.states)
	m[26] = m[25] * one(a.list || b.list)
	if n := len(a.lands) * len(b.lands); n > 0 {
		m[27] = float64(common(a.lands, b.lands)) / math.Sqrt(float64(n))
	}
	if a.sporting() && b.sporting() {
		m[20], m[21] = one(a.women != b.women), one(a.young != b.young)
		m[28] = m[6] * max(m[4], 0.3)
		m[29] = m[7] * m[4]
		m[30] = m[5] * m[13]
	}
	m[31] = m[2] * (1 - m[13])
	if a.land || a.people {
		m[32] = (1 - ra[asSide]) * (1 - rb[asSide])
		m[33] = ra[asSide]*(1-rb[asSide]) + rb[asSide]*(1-ra[asSide])
		m[34] = m[4]
	}
	m[35] = one(a.people && b.people)
	m[36] = one(a.body) * (1 - m[22])
	m[37] = one(a.letters && b.letters)
	return m
}

// Apart names what tells two things of one name apart whatever else their texts share; "" when nothing does.
func Apart(a, b Sense, m [Marks]float64) string {
	switch {
	case m[2] >= 0.6:
		return "a place and a side of a contest"
	case m[28] >= 0.6:
		return "sides of different sports"
	case m[26] > 0:
		return "places in different states"
	case m[21] > 0:
		return "one of them is a team of the young"
	case m[20] > 0 && m[6]+m[7] > 0:
		return "one of them is a team of women"
	case a.work != "" && b.work != "" && a.work != b.work && a.role[asWork] > 0 && b.role[asWork] > 0:
		return "works of different kinds"
	}
	return ""
}

// ApartLikeness is the most that things can be alike which something tells apart (see [Apart]).
const ApartLikeness = 0.3

// Likeness returns how likely it is, 0..1, that two senses of one name mean the same thing, and what speaks against it, if one
// thing does. Nothing but the texts is asked.
//
// The likelihood is a logistic one over the marks; its coefficients were fitted on labelled pairs of texts (see sameWeights).
func Likeness(a, b Sense) (likeness float64, against string) {
	m := MarksOf(a, b)
	s := sameWeights[Marks]
	for i, v := range m {
		s += sameWeights[i] * v
	}
	likeness = 1 / (1 + math.Exp(-s))
	if against = Apart(a, b, m); against != "" {
		likeness = min(likeness, ApartLikeness)
	}
	return likeness, against
}

// otherWords counts the words that two texts share besides names and the words of fields, which say what a text is about and not
// of whom.
func otherWords(a, b Sense) int {
	n := 0
	for k := range a.stems {
		if b.stems[k] && len(k) > 4 && !a.names[k] && !fieldStems[k] {
			n++
		}
	}
	return n
}

// fieldStems are the stems of the words of the fields.
var fieldStems = func() map[string]bool {
	out := map[string]bool{}
	for _, list := range [][]field{contests, matters} {
		for _, f := range list {
			for w := range f.words {
				out[text.Stem(w, "en")] = true
			}
		}
	}
	return out
}()

// meet returns 1, 0 when two sets have something in common, and 0, 1 when both have something and nothing in common.
func meet(a, b map[string]bool) (same, other float64) {
	if len(a) == 0 || len(b) == 0 {
		return 0, 0
	}
	if common(a, b) > 0 {
		return 1, 0
	}
	return 0, 1
}

func common(a, b map[string]bool) int {
	n := 0
	for k := range a {
		if b[k] {
			n++
		}
	}
	return n
}

// yearsFar is how many years apart two texts are of different times.
const yearsFar = 50

// yearsApart is how far apart the times are of which two texts speak: 1 for half a century and more, 0 when one names no year.
func yearsApart(a, b map[int]bool) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	least := yearsFar
	for x := range a {
		for y := range b {
			least = min(least, max(x-y, y-x))
		}
	}
	return float64(least) / yearsFar
}

func shares(r [roles]float64) [roles]float64 {
	sum := 0.0
	for _, v := range r {
		sum += v
	}
	if sum > 0 {
		for i := range r {
			r[i] /= sum
		}
	}
	return r
}

// unit scales a vector to length 1.
func unit(v []float64) {
	if n := math.Sqrt(cosine(v, v)); n > 0 {
		for i := range v {
			v[i] /= n
		}
	}
}

func cosine(a, b []float64) float64 {
	s := 0.0
	for i := range a {
		s += a[i] * b[i]
	}
	return s
}

func some(v []float64) bool {
	for _, a := range v {
		if a > 0 {
			return true
		}
	}
	return false
}

func one(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
