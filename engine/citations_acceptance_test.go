package engine

import (
	"fmt"
	"strings"
	"testing"

	"assay/checks"
	"assay/engine/research"
)

// TestAcceptanceOfCitations holds public reports on the numbering of sources, by their number in the list of acceptance cases.
func TestAcceptanceOfCitations(t *testing.T) {
	pages := map[string]string{}
	for i := range 5 {
		pages[fmt.Sprintf("voice%d/page.md", i)] = fmt.Sprintf("# Depth %d\n\nBy Ada Stolz\n\nThe harbour of Veldt is %d metres deep at the %s.\n\nThe pilots of Veldt have kept the %s since %d.\n", i, 9+i, []string{"bar", "pier", "lock", "quay", "mole"}[i], []string{"bar", "pier", "lock", "quay", "mole"}[i], 1800+i)
	}
	d, _, rec := digestOf(t, overPages(t, "How deep is the harbour of Veldt?", pages))
	t.Run("ACCEPTANCE 27: five sources have five numbers", func(t *testing.T) {
		cited := map[int]string{}
		for _, s := range d.Sections {
			for _, f := range s.Findings {
				for i, r := range f.Refs {
					src := d.Passages[f.Citations[i]].Source
					if was, ok := cited[r]; ok && was != src {
						t.Errorf("[%d] stands for %s and %s", r+1, was, src)
					}
					cited[r] = src
				}
			}
		}
		if len(cited) < 5 {
			t.Errorf("%d numbers: %v", len(cited), cited)
		}
	})
	t.Run("ACCEPTANCE 6 and 7: a page that three queries find has one number, and all its passages", func(t *testing.T) {
		seen := map[string]int{}
		for _, s := range d.Sources {
			seen[s.URL]++
		}
		for u, n := range seen {
			if n > 1 {
				t.Errorf("%s has %d numbers", u, n)
			}
		}
		one, _, _ := digestOf(t, overPages(t, "How deep is the harbour of Veldt at the bar, who dredged the pier of Veldt, and when was the lock of Veldt built?", map[string]string{"office/all.md": "# Harbour of Veldt\n\nBy Ada Stolz\n\n" +
			"The harbour of Veldt is nine metres deep at the bar.\n\n" + strings.Repeat("Ships come and go, and gulls with them, in all weathers of the year and of the sea.\n\n", 6) +
			"The pier of Veldt was dredged by Per Holm and his crew.\n\n" + strings.Repeat("Timber is stacked on the quay until the carts of the valley take it inland to the mills.\n\n", 6) + "The lock of Veldt was built in 1931 of granite.\n"}))
		passages := map[string]bool{}
		for _, s := range one.Sections {
			for _, f := range s.Findings {
				for _, c := range f.Citations {
					passages[c] = true
				}
			}
		}
		if len(one.Sources) != 1 || len(passages) < 3 {
			t.Errorf("%d sources and %d passages, want one and three", len(one.Sources), len(passages))
		}
	})
	t.Run("ACCEPTANCE 21: of [1][3][5] over three findings the fifth falls", func(t *testing.T) {
		_, marked := checks.ParseCitations("The harbour is deep [1][3][5].")
		if got := inRange(marked, 3); len(got) != 2 || got[0] != 1 || got[1] != 3 {
			t.Errorf("%v", got)
		}
	})
	t.Run("ACCEPTANCE 34: what had nothing to check is not told as passed", func(t *testing.T) {
		if g := gateOf(t, d, "cited_works"); g.State != research.GateUnchecked {
			t.Errorf("no work is cited, and the line is %s", g.State)
		}
	})
	if !audited(t, d, rec) {
		t.Error("the record does not hold")
	}
}
