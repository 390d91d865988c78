package checks

import (
	"math/rand/v2"
	"regexp/syntax"
	"testing"

	"assay/engine/enginetest"
)

// TestMarkerStems writes strings that the markers match, from the expression itself, and holds that none is passed over by its stems.
func TestMarkerStems(t *testing.T) {
	re, err := syntax.Parse(markers.String(), syntax.Perl)
	if err != nil {
		t.Fatal(err)
	}
	r, matched := rand.New(rand.NewPCG(1, 2)), 0
	for range 20_000 {
		if s := enginetest.Matching(r, re); markers.MatchString(s) {
			if matched++; !mayMark(s) {
				t.Fatalf("%q is a marker and has no stem", s)
			}
		}
	}
	if matched < 15_000 {
		t.Errorf("only %d of the strings are markers", matched)
	}
}
