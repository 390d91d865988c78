package checks

import (
	"slices"
	"strings"
	"testing"

	"assay/engine/research"
	"assay/engine/text"
)

// cited is a view of one block over sources; the n-th of them is s1, s2 and so on with one passage each.
func cited(words string, refs []string, passages ...string) View {
	v := View{Lang: "en", Question: "What do the studies of the basin say?", Facets: []research.Facet{{ID: "f1", Text: "basin"}}, Passages: map[string]research.Passage{}, Texts: map[string]string{}, Claims: map[string]research.Claim{}}
	for i, p := range passages {
		n := string(rune('1' + i))
		v.Sources = append(v.Sources, research.Source{ID: "s" + n, Location: "basin/" + n + ".html", Title: "Notes " + n, SHA256: "t" + n, Verdict: research.Verified})
		v.Passages["p"+n] = research.Passage{ID: "p" + n, Source: "s" + n, Text: p, End: len(p)}
		v.Texts["t"+n] = p
	}
	b := research.Block{ID: "b1", Kind: research.BlockFinding, Text: words, Refs: refs, By: "ollama:x"}
	for _, r := range refs {
		b.Citations = append(b.Citations, "p"+strings.TrimPrefix(r, "s"))
	}
	v.Draft.Sections = []research.DraftSection{{ID: "f1", Title: "basin", Facets: []string{"f1"}, Blocks: []research.Block{b}}}
	return v
}

func fired(v View, check string) []Hit {
	for _, f := range Evaluate(v, Options{}) {
		if f.Check == check {
			return f.Hits
		}
	}
	return nil
}

// TestAcceptance holds public reports on citations, by their number in the list of acceptance cases.
func TestAcceptance(t *testing.T) {
	t.Run("ACCEPTANCE 9: a model's thoughts inside a link are no source", func(t *testing.T) {
		const said = "The basin is deep [dw.com/4? But we didn't cite dwell; we can skip]."
		if clean, refs := ParseCitations(said); len(refs) > 0 || clean != said {
			t.Errorf("read as %v", refs)
		}
		clean, removed := text.Sanitise("The basin is deep [dw.com/4? But we didn't cite dwell; we can skip](https://dw.com/4).")
		if strings.Contains(clean, "https://") || strings.Contains(clean, "](") || len(removed) != 1 {
			t.Errorf("%q, %v", clean, removed)
		}
	})
	t.Run("ACCEPTANCE 21: three sources, [1][3][5]", func(t *testing.T) {
		clean, refs := ParseCitations("The basin is deep [1][3][5].")
		if clean != "The basin is deep." || !slices.Equal(refs, []int{1, 3, 5}) {
			t.Errorf("%q, %v", clean, refs)
		}
		v := cited("The basin is deep.", []string{"s1", "s3", "s5"}, "The basin is deep.", "x", "The basin is deep.")
		if len(fired(v, "citationindexrange")) == 0 {
			t.Fatal("a reference to a source that is not there stands")
		}
		v = Lookup("citationindexrange").Edit(v, Key{KeySection, "f1"})
		if got := v.Draft.Sections[0].Blocks[0].Refs; !slices.Equal(got, []string{"s1", "s3"}) {
			t.Errorf("left %v, want the first and the third", got)
		}
	})
	t.Run("ACCEPTANCE 22: a reference that was never filled in", func(t *testing.T) {
		v := cited("The depth was measured [Insert reference to study using VSD].", []string{"s1"}, "The depth was measured.")
		if len(fired(v, "placeholdertext")) == 0 {
			t.Error("it stands")
		}
	})
	t.Run("ACCEPTANCE 24: the identifier of the neighbour", func(t *testing.T) {
		list := "Berg, A. (1994). Tides of the basin. doi:10.1038/s41586-021-06734-w\nHolm, P. (1996). Salt of the basin. doi:10.1038/s41586-021-06735-9"
		right := cited("Holm measured the salt (doi:10.1038/s41586-021-06735-9).", []string{"s1"}, list)
		if hits := fired(right, "identifierintegrity"); len(hits) > 0 {
			t.Errorf("the right one: %v", hits)
		}
		wrong := cited("Holm measured the salt (doi:10.1038/s41586-021-06734-w).", []string{"s1"}, list)
		if len(fired(wrong, "identifierintegrity")) == 0 {
			t.Error("the identifier of Berg's work stands beside Holm's")
		}
		made := cited("Holm measured the salt (doi:10.1038/s41586-021-06735-8).", []string{"s1"}, list)
		if len(fired(made, "identifierintegrity")) == 0 {
			t.Error("an identifier that no source has stands")
		}
	})
	t.Run("ACCEPTANCE 26: an address that nobody opened", func(t *testing.T) {
		v := cited("The basin is deep, see https://example.com/depth for more.", []string{"s1"}, "The basin is deep.")
		if len(fired(v, "unfetchedurl")) == 0 {
			t.Error("it stands")
		}
	})
	t.Run("ACCEPTANCE 31: the marks of gpt-oss", func(t *testing.T) {
		for said, want := range map[string][]int{"It is deep【3】.": {3}, "It is deep【1†source】.": {1}, "It is deep【2†L10-L14】【3】.": {2, 3}} {
			if clean, refs := ParseCitations(said); clean != "It is deep." || !slices.Equal(refs, want) {
				t.Errorf("%s: %q, %v", said, clean, refs)
			}
		}
	})
	t.Run("ACCEPTANCE 87: one paragraph in two sections", func(t *testing.T) {
		same := "The basin was dredged to nine metres in the spring of the year after the flood, and the pilots took over the channel marks from the board, which had kept them since the first survey."
		v := cited(same, []string{"s1"}, same)
		again := v.Draft.Sections[0]
		again.ID, again.Facets = "f2", []string{"f2"}
		again.Blocks = slices.Clone(again.Blocks)
		again.Blocks[0].ID = "b2"
		v.Facets = append(v.Facets, research.Facet{ID: "f2", Text: "channel"})
		v.Draft.Sections = append(v.Draft.Sections, again)
		if len(Lookup("duplicatesection").Eval(v, Key{KeyBlock, "b2"})) == 0 { // a normaliser: it edits before all others judge
			t.Error("it stands twice")
		}
	})
}
