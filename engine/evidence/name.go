package evidence

import (
	"fmt"
	"strings"
	"unicode"

	"assay/engine/text"
)

// MatchNames asks whether the names of the claim stand in the source (G15), after folding case, diacritics, possessives
// and hyphens; a demonym stands for its country and an acronym for its long form, both ways. It fires (OK is false) when a
// name of two or more words, or a Chinese one of three signs, is missing, or two different names are; a single one-word miss
// is too often a plain word.
func MatchNames(claim, source string) Match {
	names := append(text.Names(claim), text.ChineseNames(claim)...)
	m := Match{OK: true}
	if len(names) == 0 {
		return m
	}
	idx := indexNames(source)
	seen, long := map[string]bool{}, false
	for _, n := range names {
		key := text.Fold(n.Text)
		if seen[key] {
			continue
		}
		seen[key] = true
		if idx.has(n.Text) {
			continue
		}
		m.Missing = append(m.Missing, n.Text)
		long = long || len(strings.Fields(n.Text)) >= 2 || isHanName(n.Text)
	}
	if long || len(m.Missing) >= 2 {
		m.OK = false
		m.Reason = fmt.Sprintf("%q is not named in the source", m.Missing[0])
	}
	return m
}

// nameIndex is a source prepared for looking names up.
type nameIndex struct {
	folded   string
	words    map[string]bool
	acronyms map[string]bool // upper-case words of the source, folded
	initials string          // of all words of the source in order, small words left out, as one string
}

// smallWords are left out of an acronym.
var smallWords = wordSet(`of the and for in on to de la du des der und et y a an`)

// titles are dropped from the head of a name.
var titles = wordSet(`mr mrs ms miss dr prof professor sir dame lord lady president minister chancellor senator judge justice general colonel captain king queen prince princess pope saint st`)

func indexNames(source string) nameIndex {
	idx := nameIndex{folded: text.Fold(source), words: map[string]bool{}, acronyms: map[string]bool{}}
	var initials strings.Builder
	for _, t := range text.Tokens(source) {
		for _, part := range strings.FieldsFunc(t.Norm, func(r rune) bool { return r == '-' || r == '_' }) {
			idx.words[part] = true
		}
		idx.words[t.Norm] = true
		if isAcronym(t.Text) {
			idx.acronyms[t.Norm] = true
		}
		if r := []rune(t.Text)[0]; unicode.IsUpper(r) {
			initials.WriteRune(unicode.ToLower(r))
		} else if !smallWords[t.Norm] {
			initials.WriteByte(' ') // an ordinary word ends a run of capitalised ones
		}
	}
	idx.initials = initials.String()
	return idx
}

// isAcronym reports whether a word is two to eight capitals, digits allowed after the first.
func isAcronym(s string) bool {
	if len(s) < 2 || len(s) > 8 {
		return false
	}
	for i, r := range s {
		if !(r >= 'A' && r <= 'Z' || i > 0 && r >= '0' && r <= '9') {
			return false
		}
	}
	return true
}

// has reports whether the source has a name in one of its forms.
func (idx nameIndex) has(name string) bool {
	folded := strings.TrimSuffix(text.Fold(name), "'s")
	if strings.Contains(idx.folded, folded) {
		return true
	}
	if isHanName(name) {
		return idx.hasHan(simplified(folded))
	}
	if isAcronym(name) {
		return strings.Contains(idx.initials, strings.ToLower(name))
	}
	var parts []string
	initials := ""
	for _, t := range text.Tokens(name) {
		for _, p := range strings.FieldsFunc(t.Norm, func(r rune) bool { return r == '-' || r == '_' }) {
			if len(parts) == 0 && titles[p] {
				continue
			}
			if !smallWords[p] {
				parts = append(parts, p)
				initials += p[:1]
			}
		}
	}
	if len(parts) == 0 {
		return true // a title alone
	}
	if len(parts) >= 2 && idx.acronyms[initials] {
		return true
	}
	for _, p := range parts {
		if !idx.word(p) {
			return false
		}
	}
	return true
}

// word reports whether the source has a word, its singular or plural, or the country or demonym of it.
func (idx nameIndex) word(w string) bool {
	if idx.words[w] || idx.words[w+"s"] || idx.words[strings.TrimSuffix(w, "s")] {
		return true
	}
	for _, d := range demonyms[w] {
		if strings.Contains(idx.folded, d) {
			return true
		}
	}
	return false
}

// demonyms maps a country to the adjective and back, folded.
var demonyms = func() map[string][]string {
	m := map[string][]string{}
	for _, p := range strings.Split(demonymPairs, ",") {
		a, b, _ := strings.Cut(strings.TrimSpace(p), ":")
		m[a] = append(m[a], b)
		m[b] = append(m[b], a)
	}
	return m
}()

const demonymPairs = `afghanistan:afghan, albania:albanian, algeria:algerian, america:american, united states:american, argentina:argentine, armenia:armenian,
	australia:australian, austria:austrian, bangladesh:bangladeshi, belgium:belgian, bolivia:bolivian, brazil:brazilian, britain:british, united kingdom:british,
	bulgaria:bulgarian, cambodia:cambodian, canada:canadian, chile:chilean, china:chinese, colombia:colombian, croatia:croatian, cuba:cuban, czech republic:czech,
	denmark:danish, egypt:egyptian, england:english, estonia:estonian, ethiopia:ethiopian, europe:european, finland:finnish, france:french, georgia:georgian,
	germany:german, ghana:ghanaian, greece:greek, hungary:hungarian, iceland:icelandic, india:indian, indonesia:indonesian, iran:iranian, iraq:iraqi, ireland:irish,
	israel:israeli, italy:italian, japan:japanese, jordan:jordanian, kenya:kenyan, korea:korean, kuwait:kuwaiti, latvia:latvian, lebanon:lebanese, libya:libyan,
	lithuania:lithuanian, malaysia:malaysian, mexico:mexican, morocco:moroccan, nepal:nepali, netherlands:dutch, nigeria:nigerian, norway:norwegian, pakistan:pakistani,
	palestine:palestinian, peru:peruvian, philippines:filipino, poland:polish, portugal:portuguese, romania:romanian, russia:russian, saudi arabia:saudi,
	scotland:scottish, serbia:serbian, slovakia:slovak, slovenia:slovenian, somalia:somali, spain:spanish, sudan:sudanese, sweden:swedish, switzerland:swiss,
	syria:syrian, taiwan:taiwanese, thailand:thai, tunisia:tunisian, turkey:turkish, ukraine:ukrainian, venezuela:venezuelan, vietnam:vietnamese, wales:welsh, yemen:yemeni`
