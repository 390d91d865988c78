package evidence

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"assay/engine/research"
	"assay/engine/text"
)

// Comparison is what a passage says about a claim, with what that rests on.
type Comparison struct {
	Stance research.Stance
	// Confirms, Contradicts and Neutral are how likely each is by the coefficients that are shipped; they sum to 1.
	Confirms, Contradicts, Neutral float64
	Reasons                        []string         // what was found, in clauses
	Features                       [Aspects]float64 // in the order of AspectNames
}

// Compare holds a claim against a passage: which of its words, names and numbers stand there, whether a negation, an opposite, a
// word of quantity or another member of the same kind stands in their place. The aspects are weighed by a logistic map (see
// compareWeights for what it was fitted on). No model is asked, and the result is explained by its reasons.
//
// Where the likeliest stance is less likely than compareFloor, the comparison is neutral.
//
// How far it can be trusted, as balanced accuracy of confirming against the rest on the half of each set that the map was not
// fitted on, and with the two halves exchanged: FEVER Symmetric 0.75 and 0.76 (327 and 348 pairs), COVID-Fact 0.60 and 0.59 (260 and 261),
// Climate-FEVER 0.65 and 0.59 (211 and 240), AVeriTeC 0.65 and 0.64 (121 and 131), HealthVer 0.66 and 0.48 (256 and 336). Where claim and passage share
// few words, as in HealthVer, it does not know.
func Compare(claim, passage string) Comparison {
	c := Comparison{Stance: research.Neutral}
	x := newMeeting(claim, passage)
	c.Features, c.Reasons = x.aspects()
	p := weigh(c.Features)
	c.Confirms, c.Contradicts, c.Neutral = p[0], p[1], p[2]
	switch best := max(p[0], p[1], p[2]); {
	case best < compareFloor:
	case best == p[0]:
		c.Stance = research.Confirms
	case best == p[1]:
		c.Stance = research.Contradicts
	}
	return c
}

// compareFloor is how likely the likeliest stance must be.
const compareFloor = 0.36

// weigh turns aspects into the likelihoods of confirming, contradicting and neither.
func weigh(f [Aspects]float64) [3]float64 {
	var score, out [3]float64
	top := math.Inf(-1)
	for k := range score {
		score[k] = compareWeights[k][Aspects]
		for i, v := range f {
			score[k] += compareWeights[k][i] * v
		}
		top = max(top, score[k])
	}
	sum := 0.0
	for k, s := range score {
		out[k] = math.Exp(s - top)
		sum += out[k]
	}
	for k := range out {
		out[k] /= sum
	}
	return out
}

// claimWord is a content word of a claim and how the passage has it.
type claimWord struct {
	word
	at      int  // token
	name    bool // capitalised within the sentence
	number  bool
	subject bool    // among the names the claim begins with
	hit     float64 // 1 as it is, less as a relative of it, 0 not at all
	where   []int   // tokens of the passage that are it
}

// meeting is a claim and a passage as they are compared.
type meeting struct {
	claim, passage string
	c, p           []word
	ct, pt         []text.Token
	at             map[string][]int // tokens of the passage by stem
	words          []claimWord
}

func newMeeting(claim, passage string) *meeting {
	claim = strings.ToValidUTF8(claim[:min(len(claim), maxWindow)], "")
	passage = strings.ToValidUTF8(passage[:min(len(passage), maxWindow)], "")
	claim, passage = joinContractions(claim), joinContractions(passage)
	m := &meeting{claim: claim, passage: passage, at: map[string][]int{}}
	m.ct, m.c = readWords(claim)
	m.pt, m.p = readWords(passage)
	for i, w := range m.p {
		m.at[w.stem] = append(m.at[w.stem], i)
	}
	subject := true
	for i, w := range m.c {
		capital := unicode.IsUpper([]rune(m.ct[i].Text)[0])
		if !w.content {
			if i > 0 && !smallWords[w.norm] || i == 0 && !determiners[w.norm] {
				subject = false
			}
			continue
		}
		if !capital && i > 0 {
			subject = false
		}
		cw := claimWord{word: w, at: i, name: capital && i > 0, number: isNumberWord(w.norm), subject: subject}
		cw.hit, cw.where = m.find(w)
		m.words = append(m.words, cw)
	}
	if len(m.words) > 0 && !slices.ContainsFunc(m.words, func(w claimWord) bool { return !w.subject }) {
		for i := range m.words { // a claim all in capitals
			m.words[i].subject = false
		}
	}
	return m
}

var determiners = wordSet("the a an this that these those")

func isNumberWord(norm string) bool { return norm != "" && norm[0] >= '0' && norm[0] <= '9' }

// joinContractions writes "did n't", as texts cut into words have it, as "didn't".
func joinContractions(s string) string { return strings.ReplaceAll(s, " n't", "n't") }

// readWords reads a text as wordsOf reads a sentence, at most maxCompared tokens of it.
func readWords(s string) ([]text.Token, []word) {
	tokens := text.Tokens(s)
	tokens = tokens[:min(len(tokens), maxCompared)]
	out := make([]word, len(tokens))
	for i, t := range tokens {
		norm := strings.ReplaceAll(t.Norm, "’", "'")
		out[i] = word{norm: norm, stem: text.Stem(norm, "en"), content: !text.StopWord(norm, "en") && !negators[norm] && !negatives[norm]}
		out[i].opens = i > 0 && strings.ContainsAny(s[min(tokens[i-1].End, t.Start):t.Start], ",;:()[]—–.!?，；：（）。")
	}
	return tokens, out
}

// maxCompared bounds the tokens of a text that are compared.
const maxCompared = 2000

// find looks a word of the claim up in the passage: as it is, by a word of the same root, by one of the same meaning.
func (m *meeting) find(w word) (float64, []int) {
	if at := m.places(w.stem); len(at) > 0 {
		return 1, at
	}
	for _, s := range kin[w.stem] {
		if at := m.places(s); len(at) > 0 {
			return 0.9, at
		}
	}
	for _, d := range demonyms[w.norm] {
		if at := m.places(text.Stem(d, "en")); len(at) > 0 {
			return 1, at
		}
	}
	if len(w.stem) >= 5 {
		for i, p := range m.p {
			if p.content && sameRoot(w.stem, p.stem) {
				return 0.8, []int{i}
			}
		}
	}
	return 0, nil
}

// places returns the first places of a stem in the passage.
func (m *meeting) places(stem string) []int {
	at := m.at[stem]
	return at[:min(len(at), maxPlaces)]
}

// maxPlaces bounds the places of one word that are looked at.
const maxPlaces = 32

// sameRoot reports whether two stems share their root: direct and director, theatr and theater.
func sameRoot(a, b string) bool {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n >= 5 && len(a)-n <= 4 && len(b)-n <= 4 || n == 4 && len(a)-n <= 1 && len(b)-n <= 1
}
