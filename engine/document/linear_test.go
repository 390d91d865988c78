package document

import (
	"strings"
	"testing"
)

// TestLinear cuts a megabyte on one line. It takes seconds; in quadratic time it would run into the time limit of the tests.
func TestLinear(t *testing.T) {
	const size = 1 << 20
	for _, tc := range []struct{ name, unit string }{
		{"words", "lorem ipsum dolor "}, {"initials", "U. "}, {"letters", "x"}, {"Chinese", "帆船的龙"}, {"signs", "a| "},
		{"spaces", "a" + strings.Repeat(" ", 5000)}, {"long words", strings.Repeat("x", 700) + " "},
	} {
		t.Run(tc.name, func(t *testing.T) {
			doc := read(t, Plain, "Begin: "+strings.Repeat(tc.unit, size/len(tc.unit))+"end", Options{})
			check(t, doc, Passages(doc, ""))
		})
	}
}
