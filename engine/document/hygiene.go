package document

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// ligatures that PDFs and old pages carry as one character.
var ligatures = map[rune]string{
	'\uFB00': "ff", '\uFB01': "fi", '\uFB02': "fl", '\uFB03': "ffi", '\uFB04': "ffl", '\uFB05': "st", '\uFB06': "st",
}

// invisible reports whether a reader cannot see r: zero-width and joining characters, bidi controls, tags, variation
// selectors of the supplement, private use, soft hyphen and control characters. They can carry hidden instructions, and
// they break matching.
func invisible(r rune) bool {
	switch {
	case r < ' ':
		return r != '\n' && r != '\t'
	case r < 0xAD:
		return r >= 0x7F && r < 0xA0
	case r == 0xAD, r == 0x34F, r == 0x61C, r == 0x180E, r == 0xFEFF:
		return true
	case r >= 0x200B && r <= 0x200F, r >= 0x202A && r <= 0x202E, r >= 0x2060 && r <= 0x206F:
		return true
	case r >= 0xE000 && r <= 0xF8FF, r >= 0xFFF0 && r <= 0xFFFB, r >= 0xE0000:
		return true
	}
	return false
}

// clean returns s without invisible characters, with ligatures spelt out, odd spaces as plain ones and line ends as "\n".
// It is idempotent.
func clean(s string) string {
	plain := true
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= utf8.RuneSelf || c == 0x7F || c < ' ' && c != '\n' && c != '\t' {
			plain = false
			break
		}
	}
	if plain {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	prev := rune(0)
	for _, r := range s {
		switch {
		case r == '\r', r == '\v', r == '\f', r == '\u0085', r == '\u2028', r == '\u2029':
			b.WriteByte('\n')
		case r == '\n':
			if prev != '\r' {
				b.WriteByte('\n')
			}
		case ligatures[r] != "":
			b.WriteString(ligatures[r])
		case invisible(r):
		case r >= 0xA0 && unicode.Is(unicode.Zs, r):
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
		prev = r
	}
	return b.String()
}

// wide reports whether r belongs to a script that is written without spaces between words.
func wide(r rune) bool {
	switch {
	case r < 0x2E80:
		return r == '“' || r == '”' || r == '…'
	case r >= 0xAC00 && r <= 0xD7A3: // Hangul has spaces
		return false
	}
	return r <= 0x9FFF || r >= 0xF900 && r <= 0xFAFF || r >= 0xFE30 && r <= 0xFE4F || r >= 0xFF00 && r <= 0xFFEF || r >= 0x20000 && r <= 0x3FFFF
}

// han is wide without punctuation that Latin text shares.
func han(r rune) bool { return r >= 0x2E80 && wide(r) }

// collapse makes every run of white space one space and trims the ends. A run that holds a line end vanishes between two
// characters of a script without spaces: there it only wrapped the source.
func collapse(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	space, newline := false, false
	last := rune(0)
	for _, r := range s {
		if r == ' ' || r == '\n' || r == '\t' {
			space = true
			newline = newline || r == '\n'
			continue
		}
		if space && last != 0 && !(newline && wraps(last, r)) {
			b.WriteByte(' ')
		}
		space, newline = false, false
		b.WriteRune(r)
		last = r
	}
	return b.String()
}

// wraps reports whether a line end between a and b is no space.
func wraps(a, b rune) bool { return han(a) && wide(b) || wide(a) && han(b) }
