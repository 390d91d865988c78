package engine

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/engine/research"
	"assay/engine/text"
)

// digitGroup is a number as it is printed.
var digitGroup = regexp.MustCompile(`[0-9]+(?:[.,:][0-9]+)*`)

// uncovered says what of a line's letters its ground lacks: a number that is not written so there, a capitalised word inside a
// sentence, or any word at all that the two share. It is the rule that the audit has as well, stricter than the matchers and blind to
// what they know.
func uncovered(line, ground string) string {
	have := digitGroup.FindAllString(ground, -1)
	for _, n := range digitGroup.FindAllString(line, -1) {
		if !slices.Contains(have, n) {
			return "brings in the number " + n
		}
	}
	in := map[string]bool{}
	for _, t := range plainWords(ground) {
		in[t.word] = true
	}
	shares := false
	for _, t := range plainWords(line) {
		if t.capital && !t.first && !in[t.word] {
			return "brings in the name " + t.word
		}
		shares = shares || in[t.word] && (t.han || utf8.RuneCountInString(t.word) >= 4)
	}
	if !shares {
		return "shares no word with its findings"
	}
	return ""
}

// plainWord is a run of letters and digits in lower case, or two Han characters that stand side by side.
type plainWord struct {
	word    string
	capital bool // it was written with a capital
	first   bool // nothing or the end of a sentence stands before it
	han     bool
}

// plainWords reads a text into words by nothing but its characters.
func plainWords(s string) []plainWord {
	var out []plainWord
	first := true
	rs := []rune(s)
	for i := 0; i < len(rs); {
		switch r := rs[i]; {
		case unicode.Is(unicode.Han, r):
			if i+1 < len(rs) && unicode.Is(unicode.Han, rs[i+1]) {
				out = append(out, plainWord{word: string(rs[i : i+2]), han: true})
			}
			first = false
			i++
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			j := i
			for j < len(rs) && (unicode.IsLetter(rs[j]) || unicode.IsDigit(rs[j])) && !unicode.Is(unicode.Han, rs[j]) {
				j++
			}
			out = append(out, plainWord{word: strings.ToLower(string(rs[i:j])), capital: unicode.IsUpper(r), first: first})
			first = false
			i = j
		default:
			if strings.ContainsRune(".!?:;。！？：；\n", r) {
				first = true
			}
			i++
		}
	}
	return out
}

// fact reports whether a triple stands in one sentence of a finding that it cites: its three parts in their order, each word for word,
// and no word left out that changes what is said. The part of the sentence is not asked to be whole, but to be as true as it.
func (l *leveller) fact(f *research.LevelFact, of []research.Block) bool {
	key := text.Fold(f.Subject + "|" + f.Action + "|" + f.Object)
	if f.Subject == "" || f.Action == "" || f.Object == "" || l.lines[key] {
		return false
	}
	parts := [3][]string{letters(f.Subject), letters(f.Action), letters(f.Object)}
	for _, b := range of {
		if b.Label == research.LabelContested {
			continue // what sources contest is no fact
		}
		for _, sp := range text.Sentences(b.Text) {
			if inOrder(letters(b.Text[sp.Start:sp.End]), parts) {
				l.lines[key] = true
				return true
			}
		}
	}
	return false
}

// letters are the words of a text in lower case, a Han character each its own.
func letters(s string) []string {
	var out []string
	word := func(w string) {
		if w != "" {
			out = append(out, w)
		}
	}
	run := ""
	for _, r := range strings.ToLower(s) {
		switch {
		case unicode.Is(unicode.Han, r):
			word(run)
			out, run = append(out, string(r)), ""
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			run += string(r)
		default:
			word(run)
			run = ""
		}
	}
	word(run)
	return out
}

// qualifying are the words that change what a sentence says; a triple without one that its sentence has says something else.
var qualifying = func() map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(`not no never nor none neither cannot without hardly barely nobody nothing isn wasn aren weren doesn didn don hasn hadn haven won wouldn couldn
		if unless until whether may might could would should can possibly perhaps probably likely allegedly reportedly only except but although though however
		claims claimed says said denies denied according supposedly nearly almost about around least most
		不 没 未 非 无 若 或 仅 只 除 但 约 称 据 如 可 能 应`) {
		out[w] = true
	}
	return out
}()

// inOrder reports whether the three parts stand in a sentence one behind the other, and all that qualifies the sentence in them.
func inOrder(sentence []string, parts [3][]string) bool {
	qualifiers := 0
	for _, w := range sentence {
		if qualifying[w] {
			qualifiers++
		}
	}
	at := 0
	for _, p := range parts {
		if len(p) == 0 {
			return false
		}
		i := at
		for i+len(p) <= len(sentence) && !slices.Equal(sentence[i:i+len(p)], p) {
			i++
		}
		if i+len(p) > len(sentence) {
			return false
		}
		at = i + len(p)
		for _, w := range p {
			if qualifying[w] {
				qualifiers--
			}
		}
	}
	return qualifiers == 0
}
