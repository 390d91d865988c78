package text

import (
	"unicode"
	"unicode/utf8"
)

// Token is a word, a number or a pair of CJK characters.
type Token struct {
	Text  string // as written
	Norm  string // NFKC, lower case, no diacritics, no possessive 's
	Start int    // bytes
	End   int
}

// Tokens cuts s into words. A run of CJK characters yields overlapping pairs, or the character itself when it stands alone.
// A number stays one token with its points and thousands commas (2.1, 10.0.2.2, 15,400). An apostrophe or an underscore
// between letters does not cut; a hyphen, a slash and a full stop do.
func Tokens(s string) []Token {
	out := make([]Token, 0, len(s)/6+1)
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case isWordByte(c):
			end := wordEnd(s, i)
			out = append(out, newToken(s, i, end))
			i = end
		case c < utf8.RuneSelf:
			i++
		default:
			r, n := utf8.DecodeRuneInString(s[i:])
			switch {
			case isCJK(r):
				i = pairs(&out, s, i)
			case isWordRune(r):
				end := wordEnd(s, i)
				out = append(out, newToken(s, i, end))
				i = end
			default:
				i += n
			}
		}
	}
	return out
}

func newToken(s string, start, end int) Token {
	t := s[start:end]
	n := t
	if !isLowerASCII(t) {
		n = foldLetters(t)
	}
	return Token{Text: t, Norm: trimPossessive(n), Start: start, End: end}
}

// trimPossessive removes the 's of a folded word.
func trimPossessive(n string) string {
	for _, suffix := range [...]string{"'s", "’s"} {
		if len(n) > len(suffix) && n[len(n)-len(suffix):] == suffix {
			return n[:len(n)-len(suffix)]
		}
	}
	return n
}

// wordEnd returns the end of the word that starts at i.
func wordEnd(s string, i int) int {
	start := i
	for i < len(s) {
		c := s[i]
		if isWordByte(c) {
			i++
			continue
		}
		if c < utf8.RuneSelf {
			if n := joiner(s, i); n > 0 {
				i += n
				continue
			}
			break
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == '’' && i > start && i+n < len(s) && isASCIILetter(s[i+n]) && isASCIILetter(s[i-1]) {
			i += n
			continue
		}
		if isCJK(r) || !isWordRune(r) {
			break
		}
		i += n
	}
	// C++ and C# are names of one letter.
	if i == start+1 && isASCIILetter(s[start]) && i < len(s) {
		if s[i] == '#' && (i+1 == len(s) || !isWordByte(s[i+1])) {
			return i + 1
		}
		if i+1 < len(s) && s[i] == '+' && s[i+1] == '+' {
			return i + 2
		}
	}
	return i
}

// joiner returns 1 when the ASCII mark at i belongs inside a word: an apostrophe between letters, a point between digits, a
// comma before a group of exactly three digits.
func joiner(s string, i int) int {
	if i == 0 || i+1 >= len(s) {
		return 0
	}
	prev, next := s[i-1], s[i+1]
	switch s[i] {
	case '\'':
		if isASCIILetter(prev) && isASCIILetter(next) {
			return 1
		}
	case '.':
		if isDigit(prev) && isDigit(next) {
			return 1
		}
	case ',':
		if isDigit(prev) && isDigit(next) && i+3 < len(s) && isDigit(s[i+2]) && isDigit(s[i+3]) && (i+4 == len(s) || !isDigit(s[i+4])) {
			return 1
		}
	}
	return 0
}

// pairs appends the overlapping pairs of the CJK run at i and returns where the run ends.
func pairs(out *[]Token, s string, i int) int {
	start, prev := i, -1
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		if !isCJK(r) {
			break
		}
		if prev >= 0 {
			*out = append(*out, newToken(s, prev, i+n))
		}
		prev = i
		i += n
	}
	if prev == start {
		*out = append(*out, newToken(s, start, i))
	}
	return i
}

func isDigit(c byte) bool       { return '0' <= c && c <= '9' }
func isUpper(c byte) bool       { return 'A' <= c && c <= 'Z' }
func isLower(c byte) bool       { return 'a' <= c && c <= 'z' }
func isASCIILetter(c byte) bool { return isLower(c | 0x20) }
func isWordByte(c byte) bool    { return isASCIILetter(c) || isDigit(c) || c == '_' }

func isWordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r))
}

// isCJK reports whether r is written without spaces between words: Han, kana, and Hangul for the sake of its particles.
func isCJK(r rune) bool {
	switch {
	case r < 0x2e80:
		return false
	case 0x4e00 <= r && r <= 0x9fff, 0x3400 <= r && r <= 0x4dbf, 0x3041 <= r && r <= 0x30ff && r != 0x30fb,
		0xac00 <= r && r <= 0xd7a3, 0xf900 <= r && r <= 0xfaff, 0x20000 <= r && r <= 0x323af, r == 0x3005, r == 0x3007:
		return true
	}
	return false
}

// isHan reports whether r is a Chinese character.
func isHan(r rune) bool { return isCJK(r) && unicode.Is(unicode.Han, r) }

func isLowerASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= utf8.RuneSelf || isUpper(c) {
			return false
		}
	}
	return true
}

// isWordStart reports whether no word character stands before i.
func isWordStart(s string, i int) bool { return i == 0 || !isWordByte(s[i-1]) }
