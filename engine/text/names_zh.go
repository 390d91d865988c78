package text

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// ChineseNames returns the names of people and of organisations that a Chinese text writes without any mark, in order, not
// overlapping; [Names] finds those that a mark or a Latin letter gives away. A person is a surname of the table and one or two
// signs where a person is named: after a mark, a rank or an office ("负责人", "教授", "由"), before a mark or what people do
// ("说", "担任", "是"). Foreign names are those with a point between their parts (约翰·史密斯). An organisation is what stands
// before "公司", "大学", "协会" and the like, back to a word that is no part of a name.
//
// It is made to miss rather than to take a word for a name: a name in the middle of a run of signs is left out.
func ChineseNames(s string) []Name {
	if !hasCJK(s) {
		return nil
	}
	z := newSigns(s)
	var out []Name
	for i := 0; i < len(z.r); {
		n := z.person(i)
		if n == 0 {
			i++
			continue
		}
		out = append(out, z.name(i, i+n))
		i += n
	}
	out = append(out, z.organisations()...)
	sort.SliceStable(out, func(i, j int) bool { return out[i].Start < out[j].Start })
	kept := out[:0]
	end := 0
	for _, n := range out {
		if n.Start >= end {
			kept, end = append(kept, n), n.End
		}
	}
	return kept
}

// signs is a text by its runes.
type signs struct {
	s  string
	r  []rune // in simplified form
	at []int  // byte offset of each rune, and the length of s
}

func newSigns(s string) signs {
	z := signs{s: s}
	for i, r := range s {
		z.r = append(z.r, Simplify(r))
		z.at = append(z.at, i)
	}
	z.at = append(z.at, len(s))
	return z
}

func (z signs) name(from, to int) Name {
	words := z.s[z.at[from]:z.at[to]]
	return Name{Text: words, Norm: Fold(words), Start: z.at[from], End: z.at[to]}
}

// person returns how many runes the name of a person at i has, 0 for none.
func (z signs) person(i int) int {
	if !isHan(z.r[i]) {
		return 0
	}
	if n := z.foreign(i); n > 0 {
		return n
	}
	left := z.before(i)
	if left == noBoundary {
		return 0
	}
	family := 0
	if i+1 < len(z.r) && longSurnames[string(z.r[i:i+2])] {
		family = 2
	} else if strings.ContainsRune(surnames, z.r[i]) {
		family = 1
	}
	if family == 0 {
		return 0
	}
	for given := 2; given >= 1; given-- {
		end := i + family + given
		if end > len(z.r) || !z.given(i, family, end) {
			continue
		}
		right := z.after(end)
		switch {
		case right == noBoundary, family == 1 && strings.ContainsRune(riskySurnames, z.r[i]) && left != officeBoundary && right != saysBoundary:
		case family+given >= 3 && (left >= openBoundary || right >= openBoundary):
			return family + given
		case left == officeBoundary && right >= openBoundary, right == saysBoundary && left >= openBoundary:
			return family + given
		}
	}
	return 0
}

// foreign returns the length of a transcribed name with points between its parts, which begins at i after anything that is no
// part of a word.
func (z signs) foreign(i int) int {
	if z.before(i) == noBoundary {
		return 0
	}
	points, part, end := 0, 0, 0
	for j := i; j <= len(z.r) && j-i <= maxForeign; j++ {
		if j < len(z.r) && isHan(z.r[j]) {
			part++
			continue
		}
		if j < len(z.r) && (z.r[j] == '·' || z.r[j] == '•' || z.r[j] == '・') && part > 0 && part <= maxPart {
			points, part = points+1, 0
			continue
		}
		end = j
		break
	}
	if points == 0 || part == 0 {
		return 0
	}
	// The last part ends where something that people do begins.
	for j := end - part + 1; j < end; j++ {
		if right := z.after(j); right >= openBoundary || j > end-part+1 && (right == weakBoundary || strings.ContainsRune(notGiven, z.r[j])) {
			return j - i
		}
	}
	if part > maxPart {
		return 0
	}
	return end - i
}

// Bounds of a transcribed name, in signs: the whole and a part of it.
const (
	maxForeign = 40
	maxPart    = 7
)

// boundary is how well what stands beside some signs shows that they are a name.
type boundary int

const (
	noBoundary     boundary = iota
	weakBoundary            // a word that stands beside names and beside much else
	openBoundary            // a mark, or a word that goes with people
	officeBoundary          // a rank or an office, before the name
	saysBoundary            // something that people say or do, after the name
)

// before judges what stands before the rune at i.
func (z signs) before(i int) boundary {
	if i == 0 || !isHan(z.r[i-1]) {
		return openBoundary
	}
	for n := 4; n >= 2; n-- {
		if i >= n && offices[string(z.r[i-n:i])] {
			return officeBoundary
		}
	}
	if strings.ContainsRune(beforeNames, z.r[i-1]) {
		return weakBoundary
	}
	return noBoundary
}

// after judges what stands behind the rune before i.
func (z signs) after(i int) boundary {
	if i == len(z.r) || !isHan(z.r[i]) {
		return openBoundary
	}
	for n := 1; n <= 3 && i+n <= len(z.r); n++ {
		if doings[string(z.r[i:i+n])] {
			return saysBoundary
		}
	}
	for n := 4; n >= 2; n-- {
		if i+n <= len(z.r) && offices[string(z.r[i:i+n])] {
			return openBoundary
		}
	}
	if strings.ContainsRune(afterNames, z.r[i]) {
		return weakBoundary
	}
	return noBoundary
}

// given reports whether the signs behind a surname may be a given name: no words of grammar, and not an ordinary word that
// begins with the sign of a surname.
func (z signs) given(i, family, end int) bool {
	for _, r := range z.r[i+family : end] {
		if !isHan(r) || strings.ContainsRune(notGiven, r) {
			return false
		}
	}
	return family > 1 || !ordinarySurname[string(z.r[i:i+2])]
}

// organisations finds what is named by what it is.
func (z signs) organisations() []Name {
	var out []Name
	last := 0
	for i := range z.r {
		kind := ""
		for n := 4; n >= 2; n-- {
			if i+n <= len(z.r) && organisationKinds[string(z.r[i:i+n])] {
				kind = string(z.r[i : i+n])
				break
			}
		}
		if kind == "" {
			continue
		}
		end := i + utf8.RuneCountInString(kind)
		from := i
		for from > last && i-from < maxOrganisation && z.inName(from-1) {
			if from-last >= 2 && i-from >= 2 && beforeOrganisations[string(z.r[from-2:from])] {
				break
			}
			from--
		}
		if i-from < leastOf(kind) || genericOrganisation[string(z.r[from:i])] || z.generic(from, i) || end < len(z.r) && organisationKinds[string(z.r[i:min(end+2, len(z.r))])] {
			continue
		}
		out = append(out, z.name(from, end))
		last = end
	}
	return out
}

// leastOf is how many signs stand before a kind at least when the whole is a name: of what there is much of, "私人公司",
// three.
func leastOf(kind string) int {
	if commonKinds[kind] {
		return 3
	}
	return 2
}

// generic reports whether the words before a kind begin or end with one that sorts and does not name: "大型科技公司".
func (z signs) generic(from, to int) bool {
	return sorting[string(z.r[from:from+2])] || sorting[string(z.r[to-2:to])]
}

// maxOrganisation is the longest name of an organisation before its kind, in signs.
const maxOrganisation = 16

// inName reports whether a rune may be part of the name of an organisation.
func (z signs) inName(i int) bool {
	r := z.r[i]
	return isHan(r) && !strings.ContainsRune(notOrganisation, r) || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r == '·'
}
