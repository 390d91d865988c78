package evidence

import (
	"math"

	"assay/engine/text"
)

// Grounding is how well a text bears a claim out.
type Grounding struct {
	// Supported says that the text bears the claim out as far as can be told without understanding it: Likelihood is above 1/2.
	Supported bool
	// Likelihood, 0 to 1, is by the coefficients that are shipped, which were fitted so that of every set half the weight is supported.
	Likelihood float64
	// Missing are the claim's words that the text lacks, as the claim has them, in order, at most 8.
	Missing []string
	// Features are the measures, in the order of [GroundNames].
	Features []float64
}

// Ground says how well a text bears a claim out. The question is what the claim answers, where that is known: a short claim such as
// "Bicycle Girl" says little without it. No model is asked: the claim's words, weighed by how rare they are, are looked up in the text,
// in its best sentence and window, as they are and by relatives; and what is exchanged, put together from several places, out of order
// or dropped from between is measured, with numbers, names and negations apart. The measures are weighed by a linear map and by
// small trees that set its threshold by the shape of claim and text.
//
// No check and no acceptance of a written sentence rests on it; the bench of grounding measures it. It was held against made reports
// with one defect each: a claim from elsewhere it finds as unsupportedclaim does, of figures, years and names that were changed it
// finds at most a fifth where it calls no right sentence unsupported, of what was turned round nothing, and of Chinese sentences that are worded
// freely it calls a tenth unsupported that are right. The matchers of this package say what is wrong and where, and are wrong less often.
//
// It tells a claim that is worded like its text from one that is not; it does not follow an argument, so that what it says is advice. On
// cases that were left out of the fit its balanced accuracy is 0.70 on WiCE, 0.75 on QAGS, 0.59 on FaithBench and 0.71 on Factcheck-GPT,
// and the mean macro-F1 over the sources of AttributionBench 0.76, from 0.60 where experts asked to 0.85 where a chat answers.
func Ground(claim, source, question string) Grounding {
	g := measureGrounding(claim, source, question)
	out := Grounding{Features: make([]float64, len(g.out))}
	for i, f := range g.out {
		out.Features[i] = f.value
	}
	out.Likelihood = shippedGround.Likelihood(out.Features)
	out.Supported = out.Likelihood > 0.5
	for i, w := range g.c.words {
		if w.content && g.hit[i] == 0 && len(out.Missing) < 8 {
			out.Missing = append(out.Missing, w.norm)
		}
	}
	return out
}

// GroundNames names the measures of a grounding, in order.
func GroundNames() []string {
	var out []string
	for _, f := range measureGrounding("", "", "").out {
		out = append(out, f.name)
	}
	return out
}

func measureGrounding(claim, source, question string) *grounding {
	g := newGrounding(readGround(claim, maxGroundClaim, true), readGround(source, maxGroundSource, false), readGround(question, maxGroundClaim, true))
	g.measure()
	return g
}

// groundFeature is one measure.
type groundFeature struct {
	name  string
	value float64
}

// grounding is a claim and a text as they are held against each other.
type grounding struct {
	c, p, q *groundText
	hit     []float64 // of each word of the claim: 1 as it is, less as a relative, 0 not at all
	where   [][]int   // of each word of the claim: its places in the text
	run     []int     // of each word of the claim: the length of the fragment it is in that the text has in one piece
	from    []int     // and the place in the text where it begins
	out     []groundFeature
}

func newGrounding(c, p, q *groundText) *grounding {
	g := &grounding{c: c, p: p, q: q}
	g.hit, g.where = p.look(c.words)
	g.fragments()
	return g
}

// look finds words in the text.
func (t *groundText) look(words []groundWord) (hit []float64, where [][]int) {
	hit, where = make([]float64, len(words)), make([][]int, len(words))
	for i, w := range words {
		hit[i], where[i] = t.find(w)
	}
	return hit, where
}

// find returns how well the text has a word, and where.
func (t *groundText) find(w groundWord) (float64, []int) {
	if at := t.at[w.stem]; len(at) > 0 {
		return 1, at
	}
	if !w.content {
		return 0, nil
	}
	for _, d := range demonyms[w.norm] {
		if at := t.at[text.Stem(d, "en")]; len(at) > 0 {
			return 1, at
		}
	}
	if !w.number && len(w.stem) >= 4 {
		for _, i := range t.roots[w.stem[:4]] {
			if akin(w.stem, t.words[i].stem) {
				return 0.9, t.at[t.words[i].stem]
			}
		}
	}
	for _, s := range kin[w.stem] {
		if at := t.at[s]; len(at) > 0 {
			return 0.6, at
		}
	}
	return 0, nil
}

// akin reports whether two stems share their root or differ by a slip of spelling: theatr and theater, colour and color.
func akin(a, b string) bool {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	ra, rb := len(a)-n, len(b)-n
	switch {
	case n >= 5 && ra <= 3 && rb <= 3:
		return true
	case n >= 4 && (ra == 0 || rb == 0) && ra+rb <= 4:
		return true
	case n >= 4 && ra <= 1 && rb <= 1:
		return true
	}
	return n >= 4 && (ra == rb+1 && a[n+1:] == b[n:] || rb == ra+1 && b[n+1:] == a[n:])
}

// fragments cuts the claim into the longest pieces that the text has word for word, from the left.
func (g *grounding) fragments() {
	g.run, g.from = make([]int, len(g.c.words)), make([]int, len(g.c.words))
	for i := 0; i < len(g.c.words); {
		best, from := 0, -1
		for _, j := range g.p.at[g.c.words[i].stem] {
			n := 1
			for i+n < len(g.c.words) && j+n < len(g.p.words) && g.c.words[i+n].stem == g.p.words[j+n].stem {
				n++
			}
			if n > best {
				best, from = n, j
			}
		}
		for k := i; k < i+max(best, 1); k++ {
			g.run[k], g.from[k] = best, from
		}
		i += max(best, 1)
	}
}

// add notes a measure; what cannot be measured is 0.
func (g *grounding) add(name string, v float64) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		v = 0
	}
	g.out = append(g.out, groundFeature{name, v})
}
