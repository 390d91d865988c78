package render

import (
	"strings"
	"testing"
)

// TestNarrow holds the page of a narrow window to two things that were seen wrong there: the verdict stands off from the
// summary above it, and the first figure of every row of the stats bar has no border on its left.
func TestNarrow(t *testing.T) {
	_, narrow, ok := strings.Cut(pageCSS, "@media (max-width: 700px)")
	narrow, _, _ = strings.Cut(narrow, "\n")
	if !ok {
		t.Fatal("the page has no rules for a narrow window")
	}
	for _, rule := range []string{
		".lead { gap: 16px; }", ".lead aside { border-top:", "grid-template-columns: repeat(3, minmax(0, 1fr))", ".stats > div:nth-child(3n + 1) { border-left: 0;",
	} {
		if !strings.Contains(narrow, rule) {
			t.Errorf("the rules for a narrow window lack %q", rule)
		}
	}
	p, err := newPage(fullDigest())
	if err != nil {
		t.Fatal(err)
	}
	if n := len(p.Stats()); n%3 != 0 {
		t.Errorf("%d figures do not fill rows of three", n)
	}
}
