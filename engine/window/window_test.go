package window

import (
	"strings"
	"testing"
	"time"
)

func TestLoops(t *testing.T) {
	tests := []struct {
		name, text string
		want       bool
	}{
		{"spaces", strings.Repeat(" ", 700), true},
		{"a sentence", "It began well. " + strings.Repeat("And so it went on, said the old man. ", 20), true},
		{"short", strings.Repeat("ab", 50), false},
		{"four headings", strings.Repeat("### Methodology\nEach study had its own way of asking.\n", 4), false},
		{"a list of numbers", numbers(), false},
	}
	for _, tc := range tests {
		if got := Loops(tc.text); got != tc.want {
			t.Errorf("%s: Loops = %v, want %v", tc.name, got, tc.want)
		}
	}
}

func numbers() string {
	var b strings.Builder
	for i := range 300 {
		b.WriteString(time.Duration(i*i*7).String() + ", ")
	}
	return b.String()
}

func TestStuck(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       bool
	}{
		{"prose", "The valve was closed at noon, and nobody opened it again until the evening of the same day.", false},
		{"nothing", "", false},
		{"one piece", `{"claims":[` + strings.Repeat("ang", 31), true},
		{"one letter", "so" + strings.Repeat("o", 31), true},
		{"with spaces", strings.Repeat(" and", 31), true},
		{"line ends", "yes" + strings.Repeat("\n", 31), true},
		{"too few", strings.Repeat("ang", 29), false},
		{"a long piece", strings.Repeat("0123456789abcdefghijklmnopqrstuvwxyz", 31), false},
		{"not at the end", strings.Repeat("ang", 40) + " and then the end", false},
		{"a rule of dashes", "| a | b |\n|" + strings.Repeat("-", 12), false},
	} {
		if got := Stuck(tc.text); got != tc.want {
			t.Errorf("%s: Stuck = %v, want %v", tc.name, got, tc.want)
		}
	}
}

func TestCounter(t *testing.T) {
	c := New(0)
	if c.Fewest(10000) != 0 {
		t.Errorf("Fewest before anything was measured = %d, want 0", c.Fewest(10000))
	}
	before := c.Tokens(4000)
	c.Calibrate(20, 8, 20+len(Sample)/4, 8+len(Sample)) // a quarter of a token a byte
	if got := c.Tokens(4000); got < 1000 || got > before {
		t.Errorf("Tokens(4000) = %d, want 1000 with a margin and less than the guess of %d", got, before)
	}
	if got := c.Fewest(4000); got < 500 || got > 1000 {
		t.Errorf("Fewest(4000) = %d, want somewhat under 1000", got)
	}
	most := c.Most()
	c.Learn(2000, 900) // a denser text
	if c.Most() <= most || c.Tokens(2000) < 900 {
		t.Errorf("after a denser text Most = %v, Tokens(2000) = %d", c.Most(), c.Tokens(2000))
	}
	c.TooFew(4000, 4096)
	if c.Tokens(4000) < 4096 {
		t.Errorf("Tokens of what did not fit 4096 = %d", c.Tokens(4000))
	}
	if kept := New(c.Most()); kept.Most() != c.Most() || kept.Fewest(4000) == 0 {
		t.Errorf("a counter made from what was kept: %+v", kept)
	}
}
