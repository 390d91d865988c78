package evidence

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"assay/engine/research"
	"assay/engine/text"
)

// Bounds of what is read for a grounding.
const (
	maxGroundClaim  = 8 << 10  // bytes of a claim
	maxGroundSource = 48 << 10 // bytes of a text it is held against
	maxGroundPlaces = 64       // places of one word that are looked at
)

// markers are what is printed in a claim for its sources: they are no words of it.
var markers = regexp.MustCompile(`\[\d{1,3}\](?:\(\S*\))?|\(?https?://\S+\)?`)

// groundWord is one token of a text as a grounding reads it.
type groundWord struct {
	norm, stem string
	content    bool
	name       bool // capitalised where no sentence begins, or an acronym
	number     bool
	weight     float64 // how rare such a word is
	opens      bool    // a mark stands before it
	sentence   int
}

// groundText is a text with the places of its words.
type groundText struct {
	s         string
	words     []groundWord
	sentences []research.Span
	at        map[string][]int // by stem
	roots     map[string][]int // by the first four letters of the stem, one place a stem
	initials  string           // of runs of capitalised words
	acronyms  map[string]bool
}

// readGround reads a text. A claim loses the markers of its citations.
func readGround(s string, most int, claim bool) *groundText {
	s = strings.ToValidUTF8(s[:min(len(s), most)], "")
	if claim {
		s = strings.TrimSpace(markers.ReplaceAllString(s, " "))
	}
	s = joinContractions(s)
	t := &groundText{s: s, at: map[string][]int{}, roots: map[string][]int{}, acronyms: map[string]bool{}}
	t.sentences = text.Sentences(s)
	k, last, end := 0, -1, 0
	var initials strings.Builder
	for _, tok := range text.Tokens(s) {
		for k < len(t.sentences)-1 && tok.Start >= t.sentences[k].End {
			k++
		}
		norm := strings.ReplaceAll(tok.Norm, "’", "'")
		w := groundWord{norm: norm, stem: text.Stem(norm, "en"), sentence: k}
		w.number = isNumberWord(norm) || text.IsNumeral(norm) && norm != "one" && norm != "second"
		if w.number {
			w.stem = plainNumber(norm)
		}
		w.content = w.number || !text.StopWord(norm, "en") && !negators[norm]
		capital := unicode.IsUpper([]rune(tok.Text)[0])
		w.name = w.content && !w.number && (capital && k == last || isAcronym(tok.Text) && len(tok.Text) > 1)
		last = k
		w.weight = rarity(w)
		i := len(t.words)
		w.opens = i > 0 && strings.ContainsAny(s[min(end, tok.Start):tok.Start], ",;:()—–")
		end = tok.End
		t.words = append(t.words, w)
		if at := t.at[w.stem]; len(at) < maxGroundPlaces {
			if len(at) == 0 && w.content && len(w.stem) >= 4 && !w.number {
				t.roots[w.stem[:4]] = append(t.roots[w.stem[:4]], i)
			}
			t.at[w.stem] = append(at, i)
		}
		if isAcronym(tok.Text) {
			t.acronyms[norm] = true
		}
		switch {
		case capital && norm != "":
			initials.WriteString(norm[:1])
		case !smallWords[norm]:
			initials.WriteByte(' ')
		}
	}
	t.initials = initials.String()
	return t
}

// plainNumber is the one spelling under which equal numbers meet: no commas, numerals as digits.
func plainNumber(norm string) string {
	if isNumberWord(norm) {
		return strings.TrimSuffix(strings.ReplaceAll(norm, ",", ""), ".0")
	}
	if v, n, _ := text.ReadNumber([]string{norm}); n == 1 {
		return itoa(v)
	}
	return norm
}

func itoa(v int64) string { return strconv.FormatInt(v, 10) }

// rarity weighs a word by how much it tells: a name or a number more than any word, a rare word more than one that every other text has.
func rarity(w groundWord) float64 {
	switch {
	case !w.content:
		return 0
	case w.number, w.name:
		return 1.5
	}
	return rarityOf[groundCommon[w.stem]]
}

// rarityOf is the weight of a word by its level in the list of common words, 0 for a word that is not on it. It follows the logarithm of
// the share of passages that have the word: below 0.6 %, up to 1.5 %, 4 %, 10 %, and above.
var rarityOf = [...]float64{1.2, 0.95, 0.79, 0.62, 0.48}
