package extractive

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestStretch(t *testing.T) {
	filler := strings.Repeat("and more people crossed it ", 40)
	terms, weights := []string{"bridg", "open", "1931"}, map[string]float64{"bridg": 1, "open": 1, "1931": 2}
	tests := []struct{ name, line, has string }{
		{"fact first", "The bridge was opened in 1931 " + filler + ".", "opened in 1931"},
		{"fact last", filler + ", the bridge was opened in 1931.", "opened in 1931."},
		{"fact between clauses", filler + "; the bridge was opened in 1931; " + filler, "opened in 1931"},
		{"no blanks", strings.Repeat("x", 5000), "xxx"},
		{"dot leaders", "The bridge " + strings.Repeat(". ", 900) + "1931", "1931"},
		{"chinese", strings.Repeat("更多的人走过了它", 200) + "，桥在 1931 年开通", "1931"},
		{"broken bytes", strings.Repeat("\xff\xfe bridge ", 300), "bridge"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			got := stretch(tc.line, "en", terms, weights)
			if n := utf8.RuneCountInString(got); n == 0 || n > longest {
				t.Errorf("%d characters, want 1 to %d", n, longest)
			}
			if !strings.Contains(tc.line, got) || !strings.Contains(got, tc.has) {
				t.Errorf("stretch = %q, want a part of the line with %q", got, tc.has)
			}
		})
	}
	if short := "The bridge was opened in 1931."; stretch(short, "en", terms, weights) != short {
		t.Error("a short line was changed")
	}
}

// FuzzStretch holds that what is returned stands in the line and is short enough.
func FuzzStretch(f *testing.F) {
	f.Add(strings.Repeat("a, b; c ", 200))
	f.Fuzz(func(t *testing.T, line string) {
		if len(line) > 20_000 {
			t.Skip("longer than what is read")
		}
		got := stretch(line, "en", []string{"a"}, map[string]float64{"a": 1})
		if !strings.Contains(line, got) || utf8.RuneCountInString(got) > longest {
			t.Errorf("%q of %q", got, line)
		}
		at := 0
		for _, p := range clauses(line) {
			if p.start != at || p.end <= p.start {
				t.Fatalf("parts of %q: %v", line, clauses(line))
			}
			at = p.end
		}
		if at != len(line) {
			t.Fatalf("parts of %q end at %d", line, at)
		}
	})
}
