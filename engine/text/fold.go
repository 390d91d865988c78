package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold returns s in the form in which two spellings of one text are equal: compatibility forms (NFKC), lower case, no
// diacritics on Latin, Greek and Cyrillic letters, one kind of dash, single and double quote, no invisible characters, white
// space collapsed to single spaces and trimmed. Folding a folded string changes nothing.
func Fold(s string) string {
	if isPlainFolded(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	space := false
	for _, r := range foldLetters(straighten(s)) {
		if unicode.IsSpace(r) {
			space = b.Len() > 0
			continue
		}
		if r = foldMark(r); r < 0 {
			continue
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
	}
	return b.String()
}

// isPlainFolded reports whether s is ASCII that Fold would leave alone.
func isPlainFolded(s string) bool {
	prev := byte(' ')
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= utf8.RuneSelf || c < ' ' || c == 0x7f || 'A' <= c && c <= 'Z' || c == '`' || c == ' ' && prev == ' ' {
			return false
		}
		prev = c
	}
	return prev != ' ' || s == ""
}

// straighten replaces marks whose compatibility form would fall apart into several characters.
func straighten(s string) string {
	if isASCII(s) {
		return s
	}
	return straightener.Replace(s)
}

var straightener = strings.NewReplacer(
	"\u00b4", "'", "\u2033", "\"", "\u2036", "\"", "\u2034", "\"'", "\u2057", "\"\"", "\u02dc", "~",
)

// foldMark maps quotes and dashes to one kind, and returns -1 for an invisible character.
func foldMark(r rune) rune {
	switch r {
	case '‘', '’', '‚', '‛', '′', '‵', '`', 'ʼ', 'ʻ', 'ʹ':
		return '\''
	case '“', '”', '„', '‟', '«', '»', '「', '」', '『', '』', '〝', '〞':
		return '"'
	case '‐', '‑', '‒', '–', '—', '―', '−', '⁃', '﹘', '﹣':
		return '-'
	case '\u00ad', '\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u200e', '\u200f':
		return -1
	}
	if unicode.IsControl(r) {
		return -1
	}
	return r
}

// foldLetters is the part of folding that tokens need: NFKC, lower case, diacritics.
func foldLetters(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range norm.NFKD.String(s) {
		if 0x300 <= r && r <= 0x36f {
			continue
		}
		r = unicode.ToLower(r)
		if repl, ok := letterFold[r]; ok {
			b.WriteString(repl)
			continue
		}
		b.WriteRune(r)
	}
	return norm.NFKC.String(b.String())
}

// letterFold holds the Latin letters that have no decomposition, and the final sigma.
var letterFold = map[rune]string{
	'ß': "ss", 'æ': "ae", 'œ': "oe", 'ø': "o", 'ł': "l", 'đ': "d", 'ð': "d", 'þ': "th", 'ı': "i", 'ħ': "h", 'ŧ': "t", 'ς': "σ",
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
