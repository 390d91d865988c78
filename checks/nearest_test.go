package checks

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"assay/engine/research"
)

// manyBlocks is a report of n blocks drawn from a few sentences with changing values, some of them several times, in a fixed order that
// looks drawn by chance.
func manyBlocks(n int) View {
	v := View{Lang: "en", Claims: map[string]research.Claim{}, Passages: map[string]research.Passage{}, Texts: map[string]string{}}
	sentences := []string{
		"The harbour of Brelin handled %d ships in the spring according to its own yearly register.",
		"The harbour of Torvik handled %d ships in the autumn according to its own yearly register and the pilots keep a second one beside it for each of the piers.",
		"The council of Masden spent %d pounds on the new pier and its lamps.",
		"Nobody counted the gulls on the pier of Brelin in those years.",
	}
	x := uint32(7)
	draw := func(k int) int {
		x = x*1664525 + 1013904223
		return int(x>>16) % k
	}
	for i := range n {
		words := sentences[draw(len(sentences))]
		if strings.Contains(words, "%d") {
			words = fmt.Sprintf(words, 100+draw(4))
		}
		b := finding(fmt.Sprint("b", i), words, "s1")
		if draw(2) == 0 {
			id := fmt.Sprint("c", draw(9))
			b.Claims = []string{id}
			v.Claims[id] = research.Claim{ID: id, Text: words, Key: fmt.Sprintf("brelin|ships|%d", 2000+draw(2)), Source: fmt.Sprint("s", draw(3))}
		}
		if len(v.Draft.Sections) <= i/8 {
			v.Draft.Sections = append(v.Draft.Sections, research.DraftSection{ID: fmt.Sprint("x", i/8)})
		}
		v.Draft.Sections[i/8].Blocks = append(v.Draft.Sections[i/8].Blocks, b)
	}
	return v
}

// TestIndexedAsSearched: what is found with the index is what is found by comparing every block with every one before it.
func TestIndexedAsSearched(t *testing.T) {
	for _, n := range []int{1, 2, 9, 40, 100} {
		v := manyBlocks(n)
		x := indexed(v)
		var want []Hit
		var earlier []statement
		for _, s := range v.statements() {
			for _, e := range earlier {
				if why := v.against(e.block, s.block, e.terms, s.terms); why != "" && !v.told(e.block, s.block) {
					want = append(want, Hit{Where: s.block.ID, What: fmt.Sprintf("block %s says otherwise: %s", e.block.ID, why)})
					break
				}
			}
			earlier = append(earlier, s)
		}
		if got := evalSelfContradiction(x, Key{KeyRun, RunID}); !reflect.DeepEqual(got, want) || n > 20 && len(got) == 0 {
			t.Errorf("%d blocks: %d contradictions, want %d", n, len(got), len(want))
		}
		for _, k := range blockKeys(v) {
			if got, want := evalDuplicateSection(x, k), evalDuplicateSection(v, k); !reflect.DeepEqual(got, want) {
				t.Errorf("%d blocks, %s: %v, want %v", n, k, got, want)
			}
			a, aok := x.block(k)
			b, bok := v.block(k)
			if !reflect.DeepEqual(a, b) || aok != bok || !reflect.DeepEqual(x.facetsOf(k), v.facetsOf(k)) || !reflect.DeepEqual(x.groundOf(a), v.groundOf(b)) {
				t.Errorf("%d blocks, %s: another block, facet or ground", n, k)
			}
		}
		for id := range v.Claims {
			if !reflect.DeepEqual(x.blocksOn(id), v.blocksOn(id)) || !slices.Equal(x.claimsOfKey(v.Claims[id].Key), v.claimsOfKey(v.Claims[id].Key)) {
				t.Errorf("%d blocks, claim %s: other blocks or claims", n, id)
			}
		}
	}
}

// TestRivalsBounded: however often a report repeats itself, a block is compared with a bounded number of others.
func TestRivalsBounded(t *testing.T) {
	near := newNearest[string](minAlike)
	set := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
	for i := range 20 * maxRivals {
		if got := near.like(set); len(got) > maxRivals || !slices.IsSorted(got) {
			t.Fatalf("%d sets to compare with", len(got))
		}
		near.add(i, set)
	}
	for m, list := range near.at {
		if len(list) > maxRivals {
			t.Errorf("%d sets are kept under %s", len(list), m)
		}
	}
}

// TestToldBounded: what a hit tells stays readable whatever stands in the report.
func TestToldBounded(t *testing.T) {
	for _, s := range []string{strings.Repeat("a", 30_000), strings.Repeat("word ", 9_000), strings.Repeat("字", 30_000), "short", strings.Repeat("x", 3000) + " and " + strings.Repeat("é", 3000)} {
		got := told(s)
		if n := len([]rune(got)); n > maxTold {
			t.Errorf("%d runes of %d", n, len(s))
		}
		if len(s) < maxToldWord && got != s {
			t.Errorf("%q became %q", s, got)
		}
	}
	v := sectionView()
	v.Draft.Sections[0].Blocks = append(v.Draft.Sections[0].Blocks, finding("long", "The pier is "+strings.Repeat("q", 30_000)+"@@ (see [insert "+strings.Repeat("z", 40)+"] at https://example.org/"+strings.Repeat("y", 30_000)+").", "s1"))
	fires := Evaluate(v, Options{})
	if len(fires) == 0 {
		t.Fatal("nothing fires")
	}
	for _, f := range fires {
		for _, h := range f.Hits {
			if len([]rune(h.What)) > maxTold {
				t.Errorf("%s tells %d runes", f.Check, len([]rune(h.What)))
			}
		}
	}
}
