package provenance

import (
	"math/rand/v2"
	"regexp/syntax"
	"strings"
	"testing"

	"assay/engine/enginetest"
)

// TestFillerStems writes turns from their expression and holds that three of them are never passed over by their stems.
func TestFillerStems(t *testing.T) {
	re, err := syntax.Parse(filler.String(), syntax.Perl)
	if err != nil {
		t.Fatal(err)
	}
	r, matched := rand.New(rand.NewPCG(1, 2)), 0
	for range 20_000 {
		s := enginetest.Matching(r, re)
		if !filler.MatchString(s) || strings.ContainsAny(s, "ſ\u212a") { // letters that only folding makes one
			continue
		}
		if matched++; !mayBeFiller(strings.Repeat(s+" ", leastFiller)) {
			t.Fatalf("%q is a turn and has no stem", s)
		}
	}
	if matched < 10_000 {
		t.Errorf("only %d of the strings are turns", matched)
	}
}
