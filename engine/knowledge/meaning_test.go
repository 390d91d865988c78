package knowledge

import (
	"math"
	"testing"

	"assay/engine/research"
)

func TestFuse(t *testing.T) {
	all := []research.Known{
		known("1", "2026-01-01T00:00:00Z", "The Marrow kiln is fired to 1,280 degrees Celsius.", false),
		known("2", "2026-01-02T00:00:00Z", "The oven of Marrow reaches white heat.", false),
		known("3", "2026-01-03T00:00:00Z", "The lighthouse of Skerry stands 42 metres high.", false),
		known("4", "2026-01-04T00:00:00Z", "The Marrow kiln is fired to 1,280 degrees Celsius.", false),
		known("5", "2026-01-05T00:00:00Z", "Without a vector.", false),
	}
	of := []float32{1, 0}
	vectors := [][]float32{{1, .2}, {1, .1}, {-1, 0}, {1, .2}, nil}
	hits := Fuse(all, "Marrow kiln", of, vectors, 10)
	if len(hits) != 2 || hits[0].Run != "4" || hits[1].Run != "2" {
		t.Fatalf("Fuse = %+v, want the kiln, which both orders have, in its later words, then the oven by meaning alone", hits)
	}
	if hits[0].Share != 1 || hits[0].Near == 0 || hits[1].Share != 0 || hits[1].Near < hits[0].Near {
		t.Errorf("shares and nearness %+v", hits)
	}
	if got := Fuse(all, "Marrow kiln", of, vectors, 1); len(got) != 1 {
		t.Errorf("%d hits of at most 1", len(got))
	}
	if got := Fuse(all, "heat", []float32{1}, vectors, 5); len(got) != 1 || got[0].Run != "2" || got[0].Near != 0 {
		t.Errorf("vectors of another length count: %+v", got)
	}
	nan := float32(math.NaN())
	if got := Fuse(all, "nothing", []float32{nan, nan}, vectors, 5); len(got) != 0 {
		t.Errorf("no number is near: %+v", got)
	}
	if got := Fuse(nil, "kiln", of, vectors, -1); len(got) != 0 {
		t.Errorf("of nothing: %+v", got)
	}
}
