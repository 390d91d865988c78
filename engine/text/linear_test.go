package text

import (
	"strings"
	"testing"
)

// TestLinear asks for the sentences of a megabyte on one line, less under the race detector. It takes seconds; in quadratic time
// it would run into the time limit of the tests.
func TestLinear(t *testing.T) {
	const size = 1 << 20 / shrink
	for _, tc := range []struct{ name, unit string }{
		{"words", "lorem ipsum dolor "}, {"stops that end nothing", "Version 2.1 of e.g. the Foo "}, {"initials", "U. "},
		{"points", "."}, {"marks", `.)"`}, {"brackets", ".["}, {"quotes", `." (`}, {"numbers", "1. "}, {"letters", "x"}, {"Chinese", "帆船的龙"},
		{"Chinese numbers", "一"}, {"open titles", "《。"}, {"spaces", " "}, {"lines", "a,\n"}, {"rules", "- \n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := strings.Repeat(tc.unit, size/len(tc.unit))
			Sentences(s)
			Sentences(strings.Repeat(" ", size/2) + s[:size/2/len(tc.unit)*len(tc.unit)])
			Terms(s, "")
		})
	}
}
