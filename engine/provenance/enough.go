package provenance

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/engine/text"
)

// The least text of a page of the web, in characters without white space (CHECKS 1B): below it stand cookie shells and empty scripts.
// A character of Chinese says as much as two or more of a word.
const (
	minRunes    = 300
	minRunesHan = 150
	// minWhole and minWholeHan are the least of a page that is short and whole: a notice, an entry of a dictionary, a plaque. They are
	// two or three sentences; one alone may be the slogan above a page that was not read.
	minWhole     = 120
	minWholeHan  = 60
	wholeShare   = 2.0 / 3 // of its characters stand in sentences that end
	wholeAtLeast = 2       // such sentences
)

// shell are the words of a page that is not there yet, of a banner over it, and of the beginning of one that goes on elsewhere.
var shell = regexp.MustCompile(`(?i)\bcookies?\b|\bloading\b|\bplease wait\b|\b(?:read|show|load|learn) more\b|\bcontinue reading\b|\bconsent\b|\bsign in\b|\blog in\b|` +
	`加载中|请稍候|阅读全文|展开全文|查看更多|登录`)

// Enough says whether the text of a page of the web is enough to be read, and what the least is that was asked of it, in characters
// without white space. Few words are enough when they are whole: sentences that end, and no beginning of something longer.
func Enough(s string) (least int, ok bool) {
	least, whole := minRunes, minWhole
	if han(s) {
		least, whole = minRunesHan, minWholeHan
	}
	n := visible(s)
	return least, n >= least || n >= whole && isWhole(s, n)
}

// isWhole reports whether a short text of n characters is one that ends.
func isWhole(s string, n int) bool {
	s = strings.TrimSpace(s)
	if shell.MatchString(s) || strings.HasSuffix(s, "…") || strings.HasSuffix(s, "...") {
		return false
	}
	ended, in := 0, 0
	for _, sp := range text.Sentences(s) {
		if one := s[sp.Start:sp.End]; ends(one) {
			ended++
			in += visible(one)
		}
	}
	return ended >= wholeAtLeast && float64(in) >= wholeShare*float64(n)
}

// ends reports whether a sentence has its full stop, quotes and brackets after it aside.
func ends(s string) bool {
	s = strings.TrimRight(s, "\"'”’»)]」』）")
	last, _ := utf8.DecodeLastRuneInString(s)
	return strings.ContainsRune(".!?。！？", last) && !strings.HasSuffix(s, "...")
}

// visible counts the characters of a text that are no white space, as the check of the report counts them.
func visible(s string) int {
	n := 0
	for _, r := range s {
		if !unicode.IsSpace(r) {
			n++
		}
	}
	return n
}

// han reports whether a text is Chinese for the most part of its beginning.
func han(s string) bool {
	n, all := 0, 0
	for _, r := range s[:min(len(s), leadBytes)] {
		if unicode.IsLetter(r) {
			if all++; unicode.Is(unicode.Han, r) {
				n++
			}
		}
	}
	return 2*n > all
}
