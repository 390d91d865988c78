package gpu

import (
	"math"
	"testing"
)

// TestCatalogueParameters holds that the shapes of each entry add up to the parameters its authors publish: a wrong width,
// layer or vocabulary shows.
func TestCatalogueParameters(t *testing.T) {
	for _, e := range Catalogue() {
		got := float64(e.parameters()) / 1e9
		if off := got/e.Billions - 1; math.Abs(off) > 0.01 {
			t.Errorf("%s: the shapes have %.3f billion parameters, published are %.3f (%+.1f %%)", e.Name, got, e.Billions, 100*off)
		}
	}
}
