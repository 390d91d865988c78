package evidence

import (
	"math"
	"slices"
	"strings"
	"testing"
)

const tideText = `The barrage at Port Ayer was finished in 1966. It makes 540 gigawatt-hours a year from 24 turbines, each of ten megawatts.
The regional council had considered closing the lock, but the plan was dropped after protests. Engineers say that the silt of the basin
has halved its depth. Two smaller plants in the north were never built.`

// TestGround: what is worded like the text is borne out; what is put together from it, or not in it, is not.
func TestGround(t *testing.T) {
	for _, tc := range []struct {
		claim, question string
		want            bool
	}{
		{"The barrage at Port Ayer was finished in 1966.", "", true},
		{"The barrage makes 540 gigawatt-hours a year from 24 turbines.", "", true},
		{"Engineers say that the silt has halved the depth of the basin.", "", true},
		{"The barrage at Port Ayer was finished in 1966 [1](https://example.org/a).", "When was the barrage finished?", true},
		{"Port Ayer was founded by Dutch merchants in the seventeenth century.", "", false},
		{"The turbines were supplied by a Swedish company and cost 300 million crowns.", "", false},
		{"Critics praised the opera's second act for its staging.", "", false},
		{"The minister resigned over the cost of the northern plants, according to the national newspaper.", "", false},
	} {
		if g := Ground(tc.claim, tideText, tc.question); g.Supported != tc.want || g.Supported != (g.Likelihood > 0.5) {
			t.Errorf("%q: likelihood %.2f, want supported %v; missing %v", tc.claim, g.Likelihood, tc.want, g.Missing)
		}
	}
}

// TestGroundMoves: one change for the worse makes a claim less likely.
func TestGroundMoves(t *testing.T) {
	for _, tc := range []struct{ better, worse string }{
		{"The barrage at Port Ayer was finished in 1966.", "The barrage at Port Ayer was finished in 1976."},
		{"It makes 540 gigawatt-hours a year from 24 turbines.", "It makes 540 gigawatt-hours a year from 24 turbines and eight windmills offshore."},
		{"The plan was dropped after protests.", "The plan was dropped after a court in London ruled."},
	} {
		a, b := Ground(tc.better, tideText, ""), Ground(tc.worse, tideText, "")
		if a.Likelihood <= b.Likelihood {
			t.Errorf("%q %.3f, %q %.3f: want the first likelier", tc.better, a.Likelihood, tc.worse, b.Likelihood)
		}
	}
	g := Ground("The barrage was paid for by Norway.", tideText, "")
	if !slices.Equal(g.Missing, []string{"paid", "norway"}) {
		t.Errorf("missing %v, want paid and norway", g.Missing)
	}
}

// TestGroundMeasures works single measures out by hand.
func TestGroundMeasures(t *testing.T) {
	measure := func(claim, source, question, name string) float64 {
		i := slices.Index(GroundNames(), name)
		if i < 0 {
			t.Fatalf("there is no measure %q", name)
		}
		return Ground(claim, source, question).Features[i]
	}
	for _, tc := range []struct {
		name, claim, source, question string
		want                          float64
	}{
		{"coverage", "Rivers flood valleys.", "Rivers flood.", "", 0}, // set below: depends on the weights
		{"missing words", "Rivers flood valleys.", "Rivers flood.", "", 1},
		{"missing numbers", "In 1966 the river rose 3 metres.", "In 1966 the river rose.", "", 1},
		{"missing numbers share", "In 1966 the river rose 3 metres.", "In 1966 the river rose.", "", 0.5},
		{"missing numbers", "Three rivers rose.", "3 rivers rose.", "", 0},
		{"longest copied", "the river rose at night", "Then the river rose at night again.", "", 1},
		{"negation dropped", "The council approved the plan.", "The council never approved the plan.", "", 1},
		{"negation added", "The council never approved the plan.", "The council approved the plan.", "", 1},
		{"guard dropped", "The council closed the lock.", "The council would have closed the lock.", "", 1},
		{"neighbours in one sentence", "The council closed the lock.", "The council met. It closed the lock.", "", 0.5},
		{"question coverage", "Ann Ayer", "Ann Ayer wrote the song.", "Who wrote the song?", 1},
		{"new words coverage", "Ann Ayer wrote the song", "Bob wrote the song.", "Who wrote the song?", 0},
		{"question", "Ann Ayer", "Ann Ayer wrote the song.", "", 0},
		{"missing names", "Yesterday Ann Ayer met Bob Brown.", "Ann Ayer met Brown.", "", 1},
	} {
		if tc.name == "coverage" {
			if got := measure(tc.claim, tc.source, tc.question, tc.name); got <= 0.5 || got >= 0.8 {
				t.Errorf("coverage %v, want about two thirds", got)
			}
			continue
		}
		if got := measure(tc.claim, tc.source, tc.question, tc.name); math.Abs(got-tc.want) > 1e-9 {
			t.Errorf("%s of %q in %q: %v, want %v", tc.name, tc.claim, tc.source, got, tc.want)
		}
	}
}

// TestGroundModel works a likelihood out by hand.
func TestGroundModel(t *testing.T) {
	m := GroundModel{
		Mean: []float64{1, 0}, Scale: []float64{2, 1}, Weights: []float64{0.5, -1}, Constant: 0.25, Columns: []int{1},
		Trees: [][]GroundNode{{{Column: 1, Cut: 0, Left: 1, Right: 2}, {Value: -1}, {Column: 0, Cut: 3, Left: 3, Right: 4}, {Value: 2}, {Value: 4}}},
	}
	// Margin 0.25 + 0.5*(5-1)/2 - 0.25 = 1: above 0, and 0.25 is at most 3, so that the tree says 2.
	want := 1 / (1 + math.Exp(-(1 + 2.0)))
	if got := m.Likelihood([]float64{5, 0.25}); math.Abs(got-want) > 1e-12 {
		t.Errorf("likelihood %v, want %v", got, want)
	}
	if got := m.Margin([]float64{500, 0}); got != groundMargin {
		t.Errorf("margin %v, want it bounded by %v", got, groundMargin)
	}
	if got := (&GroundModel{}).Likelihood([]float64{1}); got != 0.5 {
		t.Errorf("without a model %v, want 0.5", got)
	}
}

// TestGroundShipped holds that the shipped coefficients are those of the measures, and that every tree ends.
func TestGroundShipped(t *testing.T) {
	names := GroundNames()
	m := shippedGround
	if len(m.Weights) != len(names) || len(m.Mean) != len(names) || len(m.Scale) != len(names) || len(m.Trees) == 0 {
		t.Fatalf("%d weights, %d means, %d scales, %d trees for %d measures: fit them again", len(m.Weights), len(m.Mean), len(m.Scale), len(m.Trees), len(names))
	}
	seen := map[string]bool{}
	for _, n := range names {
		if seen[n] {
			t.Errorf("two measures are called %q", n)
		}
		seen[n] = true
	}
	for k, tree := range m.Trees {
		for i, n := range tree {
			if n.Left != 0 && (n.Left <= i || n.Right <= i || n.Left >= len(tree) || n.Right >= len(tree) || n.Column < 0 || n.Column > len(m.Columns)) {
				t.Errorf("tree %d, node %d leads nowhere: %+v", k, i, n)
			}
		}
	}
	for level, line := range commonLists {
		if len(strings.Fields(line)) < 20 {
			t.Errorf("level %d of the common words has %d", level, len(strings.Fields(line)))
		}
	}
}

// TestGroundBounded: texts without an end are read to a bound, and the same claim gives the same measures every time.
func TestGroundBounded(t *testing.T) {
	long := strings.Repeat("The council closed the lock, and the river rose in 1966. ", 4000)
	if a, b := Ground(long, tideText, ""), Ground(long+long, tideText, ""); !slices.Equal(a.Features, b.Features) {
		t.Error("a claim is read behind its bound")
	}
	if a, b := Ground("The council closed the lock.", long, ""), Ground("The council closed the lock.", long+long, ""); !slices.Equal(a.Features, b.Features) || a.Likelihood != b.Likelihood {
		t.Error("a text is read behind its bound, or two runs differ")
	}
	for _, s := range []string{"", " ", "\xff\xfe", "。", "?!", strings.Repeat("a", 100000), strings.Repeat("1,", 20000), "潮汐电站于1966年建成。"} {
		if g := Ground(s, tideText, s); math.IsNaN(g.Likelihood) || g.Likelihood < 0 || g.Likelihood > 1 {
			t.Errorf("%.20q: likelihood %v", s, g.Likelihood)
		}
		Ground(tideText, s, s)
	}
}

func FuzzGround(f *testing.F) {
	f.Add("The barrage was finished in 1966.", tideText, "When was it finished?")
	f.Add("[1] don't", "n't", "’s")
	f.Fuzz(func(t *testing.T, claim, source, question string) {
		g := Ground(claim, source, question)
		if !(g.Likelihood >= 0 && g.Likelihood <= 1) || len(g.Missing) > 8 {
			t.Errorf("likelihood %v, %d missing", g.Likelihood, len(g.Missing))
		}
		for i, v := range g.Features {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Errorf("measure %d is %v", i, v)
			}
		}
	})
}

func BenchmarkGround(b *testing.B) {
	source := strings.Repeat(tideText+"\n\n", 8)
	for b.Loop() {
		Ground("The barrage at Port Ayer makes 540 gigawatt-hours a year from 24 turbines.", source, "How much does it make?")
	}
}
