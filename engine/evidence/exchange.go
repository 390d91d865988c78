package evidence

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"assay/engine/research"
	"assay/engine/temporal"
	"assay/engine/text"
)

// Bounds and thresholds of an exchange between two sentences.
const (
	exchangeWords = 2    // content words that two sentences must have in common, in order
	exchangeLike  = 0.6  // and the share of the content words of the shorter one that those are
	alignedLike   = 0.65 // or the share of all its words
	wordsLike     = 0.75 // the same of the longer one, where ordinary words are exchanged
	longestName   = 5    // content words
	exchangeRun   = 8    // tokens that may stand in each other's place, on each side
)

// Exchanged is what two sentences that are else alike have in one and the same place.
type Exchanged struct {
	A, B string              // as printed
	Kind research.AnswerType // date, quantity, name, or any for ordinary words
	AsOf bool                // a date as of which each sentence says the rest
}

// Exchanges aligns two sentences and returns what stands in each other's place, in order: dates, numbers, names and, where the
// sentences are nearly one, ordinary words. It is empty when the two are too unlike to be compared, and when all that differs is a
// spelling, a rounding, or that one says more than the other.
func Exchanges(a, b string) []Exchanged {
	at, aw := tokensOf(a)
	bt, bw := tokensOf(b)
	if len(aw) == 0 || len(bw) == 0 {
		return nil
	}
	pairs := align(allStems(aw), allStems(bw))
	common, aligned, ca, cb := 0, 0, 0, 0
	for i, w := range aw {
		if pairs[i] >= 0 {
			aligned++
		}
		if w.content {
			ca++
			if pairs[i] >= 0 {
				common++
			}
		}
	}
	for _, w := range bw {
		if w.content {
			cb++
		}
	}
	if common < exchangeWords || float64(common) < exchangeLike*float64(min(ca, cb)) && float64(aligned) < alignedLike*float64(min(len(aw), len(bw))) {
		return nil
	}
	near := float64(common) >= wordsLike*float64(max(ca, cb)-1) // the word that is exchanged not counted
	var out []Exchanged
	for i := 0; i < len(pairs); i++ {
		if pairs[i] >= 0 {
			continue
		}
		end := i
		for end < len(pairs) && pairs[end] < 0 {
			end++
		}
		from, to := 0, len(bw)
		if i > 0 {
			from = pairs[i-1] + 1
		}
		if end < len(pairs) {
			to = pairs[end]
		}
		if to > from && end-i <= exchangeRun && to-from <= exchangeRun {
			x := Exchanged{A: a[at[i].Start:at[end-1].End], B: b[bt[from].Start:bt[to-1].End]}
			if x.Kind = kindOfRun(at[i:end], aw[i:end], bt[from:to], bw[from:to]); x.Kind != "" && (x.Kind != research.AnswerAny || near) && !sameThing(x) {
				x.AsOf = x.Kind == research.AnswerDate && asOf.MatchString(a[:at[i].Start]) && asOf.MatchString(b[:bt[from].Start])
				out = append(out, x)
			}
		}
		i = end
	}
	return out
}

// asOf ends what stands before the day as of which something is said.
var asOf = regexp.MustCompile(`(?i:\b(?:as of|as at|since|until)|(?:^|[.;:—]\s)(?:in|on|by))\s*(?:\w+[\s,-]+){0,2}$|截至\s*$`)

// tokensOf reads a sentence with its tokens; none of one that is too long.
func tokensOf(s string) ([]text.Token, []word) {
	tokens := text.Tokens(s)
	if len(tokens) > maxSentence {
		return nil, nil
	}
	_, words := readWords(s)
	return tokens, words
}

// kindOfRun says what two runs have in common: both numbers, both dates, both names, or ordinary words; "" when they are of two
// kinds or one has no content.
func kindOfRun(at []text.Token, aw []word, bt []text.Token, bw []word) research.AnswerType {
	x, y := kindOfWords(at, aw), kindOfWords(bt, bw)
	switch {
	case x == "" || y == "":
		return ""
	case x == y:
		return x
	case x == research.AnswerDate && y == research.AnswerQuantity || x == research.AnswerQuantity && y == research.AnswerDate:
		return research.AnswerDate
	case x == research.AnswerQuantity || y == research.AnswerQuantity || x == research.AnswerDate || y == research.AnswerDate:
		return ""
	}
	return research.AnswerAny // a name for a word
}

func kindOfWords(tokens []text.Token, words []word) research.AnswerType {
	content, digits, capitals, months := 0, 0, 0, 0
	for i, w := range words {
		first := []rune(tokens[i].Text)[0]
		switch {
		case unicode.IsDigit(first):
			digits++
			content++
		case monthNumber(w.norm) > 0:
			months++
			content++
		case w.content:
			content++
			if unicode.IsUpper(first) {
				capitals++
			}
		}
	}
	switch {
	case content == 0:
		return ""
	case months+digits == content && len(temporal.Dates(joinedTokens(tokens))) > 0, months > 0 && months+digits == content:
		return research.AnswerDate
	case digits > 0 && digits == content:
		return research.AnswerQuantity
	case capitals > 0 && capitals+digits == content && content <= longestName:
		return research.AnswerName
	case content > longestName:
		return "" // another sentence
	}
	return research.AnswerAny
}

func joinedTokens(tokens []text.Token) string {
	var out []string
	for _, t := range tokens {
		out = append(out, t.Text)
	}
	return strings.Join(out, " ")
}

// sameThing reports whether what is exchanged is one thing after all: the words of the one stand in the other, a spelling, or a
// number that the other rounds.
func sameThing(x Exchanged) bool {
	a, b := text.TermSet(x.A, "en"), text.TermSet(x.B, "en")
	if len(a) == 0 || len(b) == 0 || text.Containment(a, b) == 1 || text.Containment(b, a) == 1 {
		return true
	}
	if x.Kind == research.AnswerQuantity {
		p, q := text.Quantities(x.A), text.Quantities(x.B)
		return len(p) != 1 || len(q) != 1 || roundsTo(&p[0], &q[0]) || roundsTo(&q[0], &p[0])
	}
	if x.Kind == research.AnswerDate {
		p, q := temporal.Dates(x.A), temporal.Dates(x.B)
		if len(p) == 1 && len(q) == 1 {
			return strings.HasPrefix(p[0].ISO, q[0].ISO) || strings.HasPrefix(q[0].ISO, p[0].ISO)
		}
		return false
	}
	p, q := lettersOf(x.A), lettersOf(x.B)
	return strings.HasPrefix(p, q) || strings.HasPrefix(q, p) || sameRoot(p, q) || demonym(p, q)
}

// lettersOf folds a text to its letters and digits: hyphens, spaces and points are spellings, and the hyphen at the end of a line of a
// PDF is lost or kept by chance.
func lettersOf(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text.Fold(s))
}

// demonym reports whether one is a country and the other its people.
func demonym(a, b string) bool {
	for _, d := range demonyms[a] {
		if d == b {
			return true
		}
	}
	return false
}

func (x Exchanged) String() string { return fmt.Sprintf("one has %q where the other has %q", x.A, x.B) }
