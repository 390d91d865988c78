package checks

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"assay/engine/text"
)

var wronglanguage = &Check{
	ID: "C10", Name: "wronglanguage", Title: "WrongLanguage", Tier: Completion, Class: Advisory,
	Scope: sectionKeys, Eval: evalWrongLanguage, Advise: Annotate,
}

// The bounds of CHECKS 1A; the script rule raised no false alarm on 100 real reports.
const (
	minLetters      = 40   // letters below which nothing is said
	maxForeign      = 0.10 // share of letters of another script in a text of Latin script
	minOwn          = 0.30 // share of CJK letters in a CJK text
	minProfileWords = 40   // words a text needs for its language to be told from another of its script
)

// aside is what a text may hold in any language: a name or an original in brackets.
var aside = regexp.MustCompile(`[(（][^()（）\n]{1,120}[)）]`)

func evalWrongLanguage(v View, k Key) []Hit {
	s, ok := v.section(k)
	if !ok || v.Lang == "" {
		return nil
	}
	var hits []Hit
	whole := v.written(s)
	if why := foreign(whole, v.Lang); why != "" {
		hits = append(hits, Hit{Where: s.ID, Code: "section", What: why})
	}
	for _, b := range s.Blocks {
		if len(s.Blocks) > 1 && len(hits) == 0 && !v.copied(b) {
			if why := foreign(b.Text, v.Lang); why != "" {
				hits = append(hits, Hit{Where: b.ID, Code: "block", What: why})
			}
		}
	}
	return hits
}

// foreign says why a text is not in a language; empty when it is, or is too short to tell.
func foreign(s, lang string) string {
	s = withoutAddresses(aside.ReplaceAllString(text.ProseOnly(s), " "))
	latin, cjk, other := 0, 0, 0
	for _, r := range s {
		switch {
		case !unicode.IsLetter(r):
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
			cjk++
		case unicode.Is(unicode.Latin, r):
			latin++
		default:
			other++
		}
	}
	all := latin + cjk + other
	if all < minLetters/2 || all < minLetters && cjk < all/2 {
		return ""
	}
	if lang == "zh" {
		if float64(cjk) < minOwn*float64(all) {
			return fmt.Sprintf("%d of its %d letters are Chinese", cjk, all)
		}
		return ""
	}
	if float64(cjk+other) > maxForeign*float64(all) {
		return fmt.Sprintf("%d of its %d letters are of another script", cjk+other, all)
	}
	if got := text.Lang(s); len(strings.Fields(s)) >= minProfileWords && got != "" && got != lang {
		return fmt.Sprintf("it is written in %q, not %q", got, lang)
	}
	return ""
}

// withoutAddresses takes the addresses out of a text.
func withoutAddresses(s string) string {
	spans := text.URLs(s)
	for i := len(spans) - 1; i >= 0; i-- {
		s = s[:spans[i].Start] + " " + s[spans[i].End:]
	}
	return s
}
