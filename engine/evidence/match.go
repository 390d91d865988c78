package evidence

import (
	"strings"

	"assay/engine/text"
)

// Match is the reasoned answer of a matcher.
type Match struct {
	OK      bool     // nothing in the claim lacks support, or nothing is flipped
	Reason  string   // one clause for the record; empty when OK and there was nothing to look for
	Missing []string // what lacks support, as the claim prints it, in order
	// Absent are those of them that stand nowhere in the source in any form; of the others it has the value, and at the claim's place
	// another one. Quantities only.
	Absent []string
}

// Thresholds of closeness. Below them a matcher that looks for a flipped word stays silent: low overlap is not evidence
// of a false claim. Source: CHECKS G19 and G20, measured there on CLIFF and FaithBench.
const (
	nearContainment  = 0.85 // share of the claim's stems in the sentence
	nearOrder        = 0.80 // share of them in the same order (longest common subsequence)
	minNegationLen   = 6    // content words a claim needs for the negation rule
	minShortNegation = 3    // content words it needs where a whole sentence has them all
	minDirectionLen  = 3    // content words a claim needs for the direction rule
	maxSentence      = 400  // tokens; a longer "sentence" is a table or a list and is not aligned
)

// word is a token of a sentence as the flip rules see it.
type word struct {
	norm, stem string
	content    bool
	opens      bool // a mark that ends a clause stands before it
}

// wordsOf reads a sentence, at most maxSentence tokens of it.
func wordsOf(sentence string) []word {
	lang := langOf(sentence)
	tokens := text.Tokens(sentence)
	if len(tokens) > maxSentence {
		return nil
	}
	out := make([]word, len(tokens))
	for i, t := range tokens {
		// A contraction may be one token (didn't) or two; both spellings of the apostrophe fold to one.
		norm := strings.ReplaceAll(t.Norm, "’", "'")
		out[i] = word{norm: norm, stem: text.Stem(norm, lang), content: !text.StopWord(norm, lang) && !negators[norm]}
		if i > 0 && tokens[i-1].End < t.Start { // the pairs of a Chinese word overlap
			out[i].opens = strings.ContainsAny(sentence[tokens[i-1].End:t.Start], ",;:()[]—–，；：（）")
		}
	}
	return out
}

// contentStems returns the stems of the content words in order.
func contentStems(words []word) []string {
	var out []string
	for _, w := range words {
		if w.content {
			out = append(out, w.stem)
		}
	}
	return out
}

// near reports whether the stems of a claim stand in a sentence, in nearly the same order.
func near(claim, sentence []string) bool {
	if len(claim) == 0 {
		return false
	}
	return text.Containment(setOf(claim), setOf(sentence)) >= nearContainment &&
		float64(common(claim, sentence)) >= nearOrder*float64(len(claim))
}

// common returns the length of the longest common subsequence.
func common(a, b []string) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		diagonal := 0
		for j, y := range b {
			up := row[j+1]
			if x == y {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(row[j+1], row[j])
			}
			diagonal = up
		}
	}
	return row[len(b)]
}

func setOf(list []string) map[string]bool {
	set := make(map[string]bool, len(list))
	for _, s := range list {
		set[s] = true
	}
	return set
}

// sentencesOf returns the sentences of s as text.
func sentencesOf(s string) []string {
	spans := text.Sentences(s)
	out := make([]string, 0, len(spans))
	for _, sp := range spans {
		out = append(out, s[sp.Start:sp.End])
	}
	return out
}
