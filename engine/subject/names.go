package subject

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/engine/research"
	"assay/engine/text"
)

// Bounds of the forms of a name.
const (
	maxFormBytes  = 80
	maxForms      = 12
	maxMentions   = 3       // of one name in one text that are compared
	maxNameSearch = 1 << 20 // bytes of a text in which names are looked for
)

// Name is a subject of the question with the forms it goes by.
type Name struct {
	Text  string   // as the question writes it
	forms []string // folded; the full form first
}

// NewName returns a name with the forms that follow from it alone: "Smith, John" and "J. Smith" for "John Smith".
func NewName(s string) Name {
	n := Name{Text: s}
	n.add(s)
	parts := strings.Fields(s)
	if len(parts) < 2 || len(parts) > 4 || !slices.ContainsFunc(parts[:1], startsUpper) || bodyWords[text.Fold(parts[len(parts)-1])] {
		return n
	}
	last := parts[len(parts)-1]
	if !startsUpper(last) {
		return n
	}
	n.add(last + ", " + strings.Join(parts[:len(parts)-1], " "))
	initials := ""
	for _, p := range parts[:len(parts)-1] {
		r, size := utf8.DecodeRuneInString(p)
		if !unicode.IsUpper(r) {
			return n
		}
		initials += p[:size] + ". "
	}
	n.add(initials + last)
	n.add(strings.ReplaceAll(initials, ". ", ".") + " " + last)
	return n
}

func (n *Name) add(form string) {
	form = foldName(form)
	if utf8.RuneCountInString(form) >= 2 && len(form) <= maxFormBytes && len(n.forms) < maxForms && !slices.Contains(n.forms, form) {
		n.forms = append(n.forms, form)
	}
}

// foldName folds a name so that writings of it which differ in case, marks, script form, hyphens or spaces are equal.
func foldName(s string) string {
	s = strings.Map(text.Simplify, text.Fold(s))
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r == '-' || r == '·' || r == '‐' }), " ")
}

// LearnForms adds other names that a register gives for what the name stands for. A single word of few letters, such as "us", stands for
// too much else; a name in Chinese is told by two signs.
func (n *Name) LearnForms(forms []string) {
	for _, f := range forms {
		if TellingForm(f) {
			n.add(f)
		}
	}
}

// leastLatin is how many letters a single word has at least that is taken for a name on the word of a register.
const leastLatin = 4

// TellingForm reports whether another name tells what it stands for by itself.
func TellingForm(s string) bool {
	if hasHan(s) {
		return utf8.RuneCountInString(s) >= 2
	}
	return utf8.RuneCountInString(s) >= leastLatin && startsUpper(s) && !text.StopWord(text.Fold(s), "en")
}

// Count returns how often a folded text holds a form of the name, most at most.
func (n *Name) Count(folded string, most int) int {
	c := 0
	for _, f := range n.forms {
		for from := 0; c < most; c++ {
			at := findForm(folded, f, from)
			if at < 0 {
				break
			}
			from = at + len(f)
		}
	}
	return c
}

// Learn adds what a text writes beside the name in brackets: an abbreviation, another script, a former name. "Zhong Nanshan
// (钟南山)" and "General Public License (GPL)" say themselves that both stand for one thing.
func (n *Name) Learn(s string) {
	s = s[:min(len(s), maxNameSearch)]
	for from := 0; from < len(s) && len(n.forms) < maxForms; {
		i := strings.IndexAny(s[from:], "(（")
		if i < 0 {
			return
		}
		open := from + i
		_, width := utf8.DecodeRuneInString(s[open:])
		from = open + width
		j := strings.IndexAny(s[from:min(len(s), from+maxFormBytes)], ")）")
		if j < 0 {
			continue
		}
		inner := strings.TrimSpace(s[from : from+j])
		outer := strings.TrimRight(s[max(0, open-maxFormBytes):open], " ")
		switch {
		case n.isForm(inner):
			n.add(nameBefore(outer))
		case n.endsIn(outer) && isAlias(inner):
			n.add(inner)
		}
	}
}

// isForm reports whether s is the name.
func (n *Name) isForm(s string) bool { return len(n.forms) > 0 && foldName(s) == n.forms[0] }

// endsIn reports whether s ends in the full form of the name, at the beginning of a word.
func (n *Name) endsIn(s string) bool {
	if len(n.forms) == 0 {
		return false
	}
	f := foldName(s)
	rest, ok := strings.CutSuffix(f, n.forms[0])
	return ok && (rest == "" || hasHan(n.forms[0]) || strings.HasSuffix(rest, " ") || strings.ContainsAny(rest[len(rest)-1:], "\"'"))
}

// isAlias reports whether what stands in brackets behind a name may be another name of it: an abbreviation, or a name in another
// script. Dates, places and remarks are none.
func isAlias(s string) bool {
	if utf8.RuneCountInString(s) < 2 || strings.ContainsAny(s, ",;:，；：0123456789") {
		return false
	}
	if hasHan(s) {
		return utf8.RuneCountInString(s) <= 16 && !strings.ContainsAny(s, " ")
	}
	fields := strings.Fields(s)
	if len(fields) == 1 {
		return s == strings.ToUpper(s) && s != strings.ToLower(s)
	}
	return len(fields) <= 4 && !slices.ContainsFunc(fields, func(w string) bool { return !startsUpper(w) })
}

// nameBefore is the name at the end of s: a run of Chinese signs, or capitalised words.
func nameBefore(s string) string {
	if r, _ := utf8.DecodeLastRuneInString(s); unicode.Is(unicode.Han, r) {
		i := len(s)
		for i > 0 {
			r, w := utf8.DecodeLastRuneInString(s[:i])
			if !unicode.Is(unicode.Han, r) {
				break
			}
			i -= w
		}
		if n := utf8.RuneCountInString(s[i:]); n >= 2 && n <= 8 { // more is a sentence and no name
			return s[i:]
		}
		return ""
	}
	fields := strings.Fields(s)
	i := len(fields)
	for i > 0 && len(fields)-i < 5 && startsUpper(fields[i-1]) {
		i--
	}
	return strings.Join(fields[i:], " ")
}

func hasHan(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) }) >= 0
}

// In reports whether a text holds a form of the name.
func (n *Name) In(folded string) bool {
	return slices.ContainsFunc(n.forms, func(f string) bool { return findForm(folded, f, 0) >= 0 })
}

// FoldForNames folds a text for [Name.In].
func FoldForNames(s string) string { return foldName(s[:min(len(s), maxNameSearch)]) }

// findForm returns where a folded form stands as whole words, -1 when nowhere.
func findForm(s, form string, from int) int {
	for form != "" {
		i := strings.Index(s[from:], form)
		if i < 0 {
			return -1
		}
		at := from + i
		if hasHan(form) || !wordAt(s, at, true) && !wordAt(s, at+len(form), false) {
			return at
		}
		from = at + 1
	}
	return -1
}

// wordAt reports whether a letter or digit stands at the offset, or right before it.
func wordAt(s string, i int, before bool) bool {
	var r rune
	if before {
		r, _ = utf8.DecodeLastRuneInString(s[:i])
	} else {
		r, _ = utf8.DecodeRuneInString(s[i:])
	}
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// Senses returns the senses of the first mentions of the name as the question writes it, three at most; none when the text does
// not write it so.
func (n *Name) Senses(s string) []Sense {
	var out []Sense
	s = s[:min(len(s), maxNameSearch)]
	for from := 0; len(out) < maxMentions; {
		at := findForm(s, n.Text, from)
		if at < 0 {
			return out
		}
		out = append(out, SenseOf(s, research.Span{Start: at, End: at + len(n.Text)}))
		from = at + max(1, len(n.Text))
	}
	return out
}

// Bounds of what a name plainly stands for, in the weights of [Sense.readRole]: so much for one role, and so much of all.
const (
	plainRole  = 2
	plainShare = 0.7
)

// plain reports whether what the name stands for is said beside it and not only guessed from the words around: a page is not sent away
// for a guess.
func (x Sense) plain() bool {
	of := shares(x.role)
	return slices.Max(x.role[:]) >= plainRole && slices.Max(of[:]) >= plainShare
}

// Another says by what the mentions of a name in two texts mean different things; "" unless something tells most of the one from
// most of the other and none of them is like another.
func Another(a, b []Sense) string {
	why, told, pairs := "", 0, 0
	for _, x := range a {
		for _, y := range b {
			like, against := Likeness(x, y)
			if like > ApartLikeness {
				return ""
			}
			pairs++
			if against != "" && x.plain() && y.plain() {
				why = against
				told++
			}
		}
	}
	if 2*told <= pairs {
		return ""
	}
	return why
}
