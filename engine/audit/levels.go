package audit

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/engine/research"
)

// levels checks the reading levels: each line cites findings of the report, and holds no number and no capitalised word inside a sentence
// that is in none of them or of the passages they cite, and shares a word with them; each fact stands in one of its findings, its
// three parts word for word and in their order. Whether a conclusion follows is not a matter of arithmetic and is not checked.
func (c *checker) levels() {
	for i, f := range c.d.Levels.Facts {
		where := fmt.Sprintf("levels, fact %d", i+1)
		of := c.findingsOf(where, f.Findings)
		stands := slices.ContainsFunc(of, func(x research.DigestFinding) bool { return inTurn(letters(x.Text), f.Subject, f.Action, f.Object) })
		c.want(stands, where, "%s, %s, %s do not stand one behind the other in a finding it cites", show(f.Subject), show(f.Action), show(f.Object))
	}
	for _, level := range []struct {
		name  string
		lines []research.LevelLine
	}{{"impact", c.d.Levels.Impact}, {"decisions", c.d.Levels.Decisions}, {"plain words", c.d.Levels.Plain}} {
		for i, l := range level.lines {
			where := fmt.Sprintf("levels, %s, line %d", level.name, i+1)
			var ground strings.Builder
			for _, f := range c.findingsOf(where, l.Findings) {
				ground.WriteString(f.Text + "\n")
				for _, id := range f.Citations {
					ground.WriteString(c.d.Passages[id].Text + "\n")
				}
			}
			c.covered(where, l.Text, ground.String())
		}
	}
}

// findingsOf looks the findings of a line up; a line cites at least one.
func (c *checker) findingsOf(where string, ids []string) []research.DigestFinding {
	var out []research.DigestFinding
	for _, id := range ids {
		f, ok := c.findings[id]
		if c.want(ok, where, "cites the finding %s, which is not in the report", id) {
			out = append(out, f)
		}
	}
	c.want(len(ids) > 0, where, "cites no finding")
	return out
}

var figure = regexp.MustCompile(`[0-9]+(?:[.,:][0-9]+)*`)

// covered checks the words of a line against the text it may rest on.
func (c *checker) covered(where, line, ground string) {
	figures := figure.FindAllString(ground, -1)
	for _, n := range figure.FindAllString(line, -1) {
		c.want(slices.Contains(figures, n), where, "the number %s is in none of its findings", n)
	}
	have := map[string]bool{}
	for _, w := range letters(ground) {
		have[w] = true
	}
	pairs := hanPairs(ground)
	shared := slices.ContainsFunc(letters(line), func(w string) bool { return utf8.RuneCountInString(w) >= 4 && have[w] }) ||
		slices.ContainsFunc(hanPairs(line), func(p string) bool { return slices.Contains(pairs, p) })
	for _, w := range capitals(line) {
		c.want(have[strings.ToLower(w)], where, "the name %s is in none of its findings", w)
	}
	c.want(shared, where, "shares no word with its findings")
}

// ofWord reports whether a character is part of a word of several: a letter or a digit, no Han character.
func ofWord(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !unicode.Is(unicode.Han, r)
}

// letters are the words of a text in lower case; a Han character is a word of its own.
func letters(s string) []string {
	var spaced strings.Builder
	for _, r := range strings.ToLower(s) {
		switch {
		case unicode.Is(unicode.Han, r):
			spaced.WriteString(" " + string(r) + " ")
		case ofWord(r):
			spaced.WriteRune(r)
		default:
			spaced.WriteByte(' ')
		}
	}
	return strings.Fields(spaced.String())
}

// hanPairs are the pairs of Han characters that stand side by side.
func hanPairs(s string) []string {
	var out []string
	before := rune(0)
	for _, r := range s {
		if unicode.Is(unicode.Han, r) && unicode.Is(unicode.Han, before) {
			out = append(out, string(before)+string(r))
		}
		before = r
	}
	return out
}

// capitals are the words that begin with a capital and no sentence.
func capitals(s string) []string {
	var out []string
	opens, word := true, ""
	flush := func(begins bool) {
		if word == "" {
			return
		}
		if r, _ := utf8.DecodeRuneInString(word); unicode.IsUpper(r) && !begins {
			out = append(out, word)
		}
		word = ""
	}
	begins := true
	for _, r := range s {
		switch {
		case ofWord(r):
			if word == "" {
				begins, opens = opens, false
			}
			word += string(r)
		default:
			flush(begins)
			if unicode.Is(unicode.Han, r) {
				opens = false
			} else if strings.ContainsRune(".!?:;。！？：；\n", r) {
				opens = true
			}
		}
	}
	flush(begins)
	return out
}

// inTurn reports whether the parts stand in the words one behind the other.
func inTurn(words []string, parts ...string) bool {
	for _, p := range parts {
		want := letters(p)
		at := 0
		for at+len(want) <= len(words) && !slices.Equal(words[at:at+len(want)], want) {
			at++
		}
		if len(want) == 0 || at+len(want) > len(words) {
			return false
		}
		words = words[at+len(want):]
	}
	return true
}
