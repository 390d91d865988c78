package cli

import (
	"fmt"
	"io"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/gpu"
)

// say prints like [fmt.Fprintf], with every word that came from outside made [plain]: a title or a file name must not steer
// the terminal.
func say(w io.Writer, format string, args ...any) {
	for i, a := range args {
		switch v := a.(type) {
		case error:
			args[i] = plain(v.Error())
		case fmt.Stringer:
			args[i] = plain(v.String())
		default:
			if r := reflect.ValueOf(a); r.Kind() == reflect.String {
				args[i] = plain(r.String())
			}
		}
	}
	fmt.Fprintf(w, format, args...)
}

// plain puts s on one line and replaces what a terminal would obey: control characters, and those that turn the direction of
// writing.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t', r == '\r', r == '\u2028', r == '\u2029':
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r):
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// escaped writes the signs of a line of JSON that a terminal would obey as \u escapes: the values stay what they are.
func escaped(line []byte) []byte {
	out := make([]byte, 0, len(line))
	for _, r := range string(line) {
		if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
			out = fmt.Appendf(out, `\u%04x`, r)
			continue
		}
		out = utf8.AppendRune(out, r)
	}
	return out
}

// count puts a number before its noun, which takes an s unless there is one.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return gpu.Grouped(n) + " " + noun + "s"
}
