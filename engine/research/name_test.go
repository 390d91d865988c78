package research

import (
	"strings"
	"testing"
)

// steering are the signs that must not reach a page, a terminal or a record as they are.
var steering = []string{"\x00", "\x07", "\x1b", "\x7f", "\u0080", "\u0085", "\u009b", "\u009d", "\u061c", "\u200e", "\u200f", "\u2028", "\u2029", "\u202a", "\u202b",
	"\u202c", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069", "\u206a", "\ufeff", "\n", "\t", "\r"}

func TestNames(t *testing.T) {
	for _, s := range steering {
		name := "docs/Harb" + s + "our " + s + s + "Report.html"
		if got := ShownName(name); strings.ContainsFunc(got, steers) || !strings.HasSuffix(got, "Report.html") {
			t.Errorf("ShownName(%q) = %q", name, got)
		}
		esc := EscapeLocation(name)
		if strings.ContainsFunc(esc, steers) {
			t.Errorf("EscapeLocation(%q) = %q", name, esc)
		}
		if back := RealLocation(esc); back != name {
			t.Errorf("RealLocation(%q) = %q, want %q", esc, back, name)
		}
	}
	for _, plain := range []string{"", "docs/a.html", "https://example.org/a?b=%20#c", "报告/灯塔.pdf", `C:\users\x`, "Persian \u200c name", "👩\u200d🔬.md"} {
		if ShownName(plain) != plain || EscapeLocation(plain) != plain || RealLocation(plain) != plain {
			t.Errorf("%q is changed: %q, %q", plain, ShownName(plain), EscapeLocation(plain))
		}
	}
	if a, b := EscapeLocation(`a\u{202e}`), EscapeLocation("a\u202e"); a == b {
		t.Errorf("two names have one form: %q", a)
	}
}

// FuzzLocation wants that every name has a form of its own that holds nothing that steers.
func FuzzLocation(f *testing.F) {
	for _, s := range append([]string{`\u{202e}`, `\x{9b}`, "\xff\xfe", `\\u{`, `\u{5c}u{5c}`}, steering...) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		esc := EscapeLocation(s)
		if strings.ContainsFunc(esc, steers) || RealLocation(esc) != s {
			t.Errorf("EscapeLocation(%q) = %q, back %q", s, esc, RealLocation(esc))
		}
		if strings.ContainsFunc(ShownName(s), steers) {
			t.Errorf("ShownName(%q) = %q", s, ShownName(s))
		}
	})
}
