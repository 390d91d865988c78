package research

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// steers reports whether a sign of a name would do something where the name is shown instead of being seen: control
// characters of both sets, the marks that turn the direction of writing, line and paragraph separators and the byte order mark.
func steers(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || unicode.In(r, unicode.Zl, unicode.Zp) || r == '\uFEFF' || r >= 0x206A && r <= 0x206F
}

// ShownName is a title or a name as it may be shown: on one line, without the signs that would steer where it stands. Text
// that has none is returned as it is.
func ShownName(s string) string {
	if utf8.ValidString(s) && !strings.ContainsFunc(s, steers) {
		return s
	}
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t' || r == 0x85 || unicode.In(r, unicode.Zl, unicode.Zp):
			return ' '
		case steers(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))), " ")
}

// EscapeLocation writes a location with the signs that steer as \u{202e} and with bytes that are no UTF-8 as \x{9b}, so that
// a record, a report and a terminal can hold it; [RealLocation] gives the location back. A location without such signs is
// returned as it is.
func EscapeLocation(s string) string {
	if utf8.ValidString(s) && !strings.ContainsFunc(s, steers) && !strings.Contains(s, `\u{`) && !strings.Contains(s, `\x{`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x{%02x}`, s[i])
		case steers(r), r == '\\' && (strings.HasPrefix(s[i:], `\u{`) || strings.HasPrefix(s[i:], `\x{`)):
			fmt.Fprintf(&b, `\u{%x}`, r)
		default:
			b.WriteString(s[i : i+size])
		}
		i += size
	}
	return b.String()
}

var escaped = regexp.MustCompile(`\\([ux])\{([0-9a-f]{1,6})\}`)

// RealLocation undoes [EscapeLocation].
func RealLocation(s string) string {
	if !strings.Contains(s, `{`) {
		return s
	}
	return escaped.ReplaceAllStringFunc(s, func(m string) string {
		n, err := strconv.ParseUint(m[3:len(m)-1], 16, 32)
		switch {
		case err != nil:
			return m
		case m[1] == 'x' && n <= 0xFF:
			return string([]byte{byte(n)})
		case m[1] == 'u' && n <= unicode.MaxRune && utf8.ValidRune(rune(n)):
			return string(rune(n))
		}
		return m
	})
}
