package engine

import (
	"regexp"
	"strings"
	"unicode"

	"assay/engine/text"
)

// Two sentences of one time tell of one event when what the shorter one says stands in the other for the most part, every number and
// name of one of them stands in the other, and they do not say two things of one life.

// eventShare is the share of the shorter sentence's stems that the other holds. "X, the founder of Y, died in May" and "X, the founder
// of Y, passed away on 28 May in Z" have five of nine in common.
const eventShare = 0.5

// lives are the events of a life and of a thing's, which two sentences of one time are told apart by.
var lives = []*regexp.Regexp{
	regexp.MustCompile(`(?i)\b(?:born|birth)\b|出生|生于|诞生`),
	regexp.MustCompile(`(?i)\b(?:died|dies|dead|death|passed away|killed)\b|去世|逝世|死于|病逝`),
	regexp.MustCompile(`(?i)\b(?:married|marriage|wed)\b|结婚`),
	regexp.MustCompile(`(?i)\b(?:founded|founds|established|started|began|opened)\b|成立|创立|创建|开始`),
	regexp.MustCompile(`(?i)\b(?:released|release|published)\b|发布|出版`),
	regexp.MustCompile(`(?i)\b(?:ended|closed|dissolved|left|resigned)\b|结束|关闭|解散|离开|辞职`),
}

// sameEvent reports whether two sentences of one time tell of one event.
func sameEvent(a, b, lang string) bool {
	if text.Fold(a) == text.Fold(b) {
		return true
	}
	sa, sb := text.TermSet(dateWords.ReplaceAllString(a, " "), lang), text.TermSet(dateWords.ReplaceAllString(b, " "), lang)
	if len(sa) == 0 || len(sb) == 0 || max(text.Containment(sa, sb), text.Containment(sb, sa)) < eventShare {
		return false
	}
	for _, re := range lives {
		if re.MatchString(a) != re.MatchString(b) {
			return false
		}
	}
	if first := text.Terms(dateWords.ReplaceAllString(a, " "), lang); lang != "zh" && len(first) > 0 && !sb[first[0]] {
		return false // it speaks of something else
	}
	return saysAll(a, sb, b, lang) || saysAll(b, sa, a, lang)
}

var dateWords = regexp.MustCompile(`(?i)\b(?:january|february|march|april|may|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)day|\d{1,2}(?:st|nd|rd|th)|(?:1\d|20)\d\d)\b|\d{1,4}\s*[年月日]`)

// saysAll reports whether every number and name of a sentence, its dates aside, stands in another.
func saysAll(a string, other map[string]bool, b, lang string) bool {
	a = dateWords.ReplaceAllString(a, " ")
	for i, t := range text.Tokens(a) {
		digit := strings.ContainsFunc(t.Text, unicode.IsDigit)
		name := i > 0 && unicode.IsUpper([]rune(t.Text)[0])
		if (digit || name) && !other[text.Stem(t.Norm, lang)] && !strings.Contains(text.Fold(b), t.Norm) {
			return false
		}
	}
	return true
}
