package evidence

import (
	"strings"
	"unicode"

	"assay/engine/research"
	"assay/engine/text"
)

// countedReach is how many words behind a number its counted noun may stand: "one thousand and thirty active Debian developers".
const countedReach = 4

// irregularPlurals are plurals without an s, and nouns that count without one.
var irregularPlurals = wordSet("people children men women police staff data media criteria phenomena mice feet teeth geese species aircraft series sheep fish")

// Counted is the stem of the noun that a number counts in a text, the head behind its qualifiers: "developer" of "nine hundred Debian
// developers", "cd" of "5-CD set". It is "" where the words behind the number do not say it, as in "more than nine hundred." and for a
// number that counts nothing.
func Counted(s string, q research.Quantity) string {
	if q.Kind != research.Count || q.End < 0 || q.End > len(s) {
		return ""
	}
	behind := s[q.End:]
	if rest, ok := strings.CutPrefix(behind, "-"); ok { // a compound counts by what the hyphen joins to it, in the singular
		if t := text.Tokens(rest); len(t) > 0 && t[0].Start == 0 && unicode.IsLetter([]rune(t[0].Text)[0]) {
			return text.Stem(t[0].Norm, "en")
		}
		return ""
	}
	tokens := text.Tokens(behind)
	at := 0
	for i, t := range tokens[:min(len(tokens), countedReach+1)] {
		if strings.ContainsAny(behind[at:t.Start], ",;.:()[]—–\n") || text.StopWord(t.Norm, "en") && t.Norm != "other" && t.Norm != "more" {
			return ""
		}
		at = t.End
		if i < countedReach && plural(t.Norm) {
			stem := text.Stem(t.Norm, "en")
			if stem == t.Norm && !irregularPlurals[stem] {
				stem = strings.TrimSuffix(stem, "s") // "CDs"
			}
			return stem
		}
	}
	return ""
}

// plural reports whether a word has the form of a plural noun.
func plural(norm string) bool {
	if irregularPlurals[norm] {
		return true
	}
	return len(norm) > 2 && strings.HasSuffix(norm, "s") && !strings.HasSuffix(norm, "ss") && !strings.HasSuffix(norm, "us") && !strings.HasSuffix(norm, "is")
}

// SameCounted reports whether two numbers count the same noun, as far as their texts tell what they count.
func SameCounted(a string, p research.Quantity, b string, q research.Quantity) bool {
	x, y := Counted(a, p), Counted(b, q)
	if x == "" || y == "" || x == y || countedPeople[x] && countedPeople[y] {
		return true
	}
	for _, k := range kin[x] {
		if k == y {
			return true
		}
	}
	return sameRoot(x, y)
}
