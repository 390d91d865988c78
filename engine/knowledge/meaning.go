package knowledge

import (
	"cmp"
	"math"
	"slices"

	"assay/engine/research"
	"assay/engine/text"
)

const (
	// rankSmooth is k of reciprocal rank fusion; 60 is the value of Cormack, Clarke and Buettcher (SIGIR 2009).
	rankSmooth = 60
	// nearest is how many claims of each order are fused.
	nearest = 100
)

// Fuse returns the claims that hold the words and those whose vectors lie nearest to that of the words, in one order by reciprocal
// rank, of equals the latest first; the same statement of several runs is the latest one. vectors has one for each claim, nil where
// there is none, each as long as of; those that are not are passed over.
func Fuse(claims []research.Known, words string, of []float32, vectors [][]float32, limit int) []Hit {
	limit = max(limit, 0)
	score := map[string]float64{}
	hits := map[string]Hit{}
	take := func(order []Hit) {
		for rank, h := range order {
			key := text.Fold(h.Text)
			score[key] += 1 / float64(rankSmooth+rank+1)
			if was, ok := hits[key]; ok { // found by both
				h.Share, h.Near = max(h.Share, was.Share), max(h.Near, was.Near)
			}
			hits[key] = h
		}
	}
	take(Search(claims, words, 0, nearest))
	take(near(claims, of, vectors))
	out := make([]Hit, 0, len(hits))
	for _, h := range hits {
		out = append(out, h)
	}
	slices.SortFunc(out, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(score[text.Fold(b.Text)], score[text.Fold(a.Text)]), latestFirst(a, b))
	})
	return out[:min(limit, len(out))]
}

// near lists the claims by how near their vectors lie, only those that lie nearer than at right angles.
func near(claims []research.Known, of []float32, vectors [][]float32) []Hit {
	best := map[string]Hit{}
	for i, v := range vectors {
		if i == len(claims) {
			break
		}
		c := Cosine(of, v)
		if c <= 0 {
			continue
		}
		h := Hit{Known: claims[i], Near: math.Round(c*1e6) / 1e6}
		key := text.Fold(h.Text)
		if was, ok := best[key]; !ok || latestFirst(h, was) < 0 {
			best[key] = h
		}
	}
	order := make([]Hit, 0, len(best))
	for _, h := range best {
		order = append(order, h)
	}
	slices.SortFunc(order, func(a, b Hit) int { return cmp.Or(cmp.Compare(b.Near, a.Near), latestFirst(a, b)) })
	return order[:min(nearest, len(order))]
}

func latestFirst(a, b Hit) int {
	return cmp.Or(cmp.Compare(b.Date, a.Date), cmp.Compare(b.Run, a.Run), cmp.Compare(a.Claim, b.Claim))
}

// Cosine is the cosine of the angle between two vectors; 0 when they are of different lengths or one of them has no direction.
func Cosine(a, b []float32) float64 {
	if len(a) != len(b) {
		return 0
	}
	var ab, aa, bb float64
	for i := range a {
		ab += float64(a[i]) * float64(b[i])
		aa += float64(a[i]) * float64(a[i])
		bb += float64(b[i]) * float64(b[i])
	}
	if c := ab / math.Sqrt(aa*bb); !math.IsNaN(c) && !math.IsInf(c, 0) {
		return c
	}
	return 0
}
