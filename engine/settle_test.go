package engine

import (
	"strings"
	"testing"

	"assay/engine/research"
)

// TestSettleReport: a row of a table that the bank does not let stand is left out and told, the rest of the table stays, and what cannot be put
// right is told on the front page.
func TestSettleReport(t *testing.T) {
	c := overPages(t, dredging, dredgingPages)
	d, _, rec := digestOf(t, c)
	row := func(a, b string) []research.Cell {
		return []research.Cell{{Text: a, Refs: []int{0}}, {Text: b, Refs: []int{0}}}
	}
	table := func(rows ...[]research.Cell) research.Section {
		return research.Section{ID: "t.figures", Title: "Figures", Facets: []string{}, Tables: []research.Table{{Headers: []string{"Figure", "In its words"}, Rows: rows}}}
	}
	good := [][]research.Cell{row("large ships", "A dredged harbour is safer for large ships"), row("low water", "the channel at the bar is shallow at low water")}
	for _, tc := range []struct {
		name  string
		bad   string
		rows  int // that stay; 0: no table
		extra [][]research.Cell
	}{
		{"an address in a cell", "see https://tracker.example/x?id=5 for 5 km", 2, good},
		{"an image in a cell", "![x](https://tracker.example/p.png) 5 km", 2, good},
		{"too few rows are no table", "see https://tracker.example/x?id=5 for 5 km", 0, good[:1]},
	} {
		t.Run(tc.name, func(t *testing.T) {
			own := d
			own.Issues, own.Callouts = nil, nil
			own.Sections = append(append([]research.Section{}, d.Sections...), table(append([][]research.Cell{row("5 km", tc.bad)}, tc.extra...)...))
			w := &desk{run: &run{Config: c, record: rec}}
			w.view.Texts = rec.Run().Blobs
			p := &printer{desk: w, d: &own}
			p.settle()
			last := own.Sections[len(own.Sections)-1]
			if tc.rows == 0 {
				if len(last.Tables) > 0 || last.ID == "t.figures" {
					t.Errorf("the table stays: %+v", last)
				}
			} else if len(last.Tables) != 1 || len(last.Tables[0].Rows) != tc.rows {
				t.Errorf("tables %+v", last.Tables)
			}
			if len(own.Issues) != 1 || !strings.Contains(own.Issues[0].Text, "5 km") || len(own.Callouts) != 0 {
				t.Errorf("issues %+v, call-outs %+v", own.Issues, own.Callouts)
			}
			if fires := p.blocking(own); len(fires) > 0 {
				t.Errorf("the bank still says %+v", fires)
			}
		})
	}
	own := d
	own.Issues, own.Callouts = nil, nil
	own.Sections = append([]research.Section{}, d.Sections...)
	own.Sections[0].Findings = append([]research.DigestFinding{}, d.Sections[0].Findings...)
	own.Sections[0].Findings[0].Refs = []int{99} // no source
	w := &desk{run: &run{Config: c, record: rec}}
	w.view.Texts = rec.Run().Blobs
	p := &printer{desk: w, d: &own}
	p.settle()
	if len(own.Issues) == 0 || len(own.Callouts) != 1 || own.Callouts[0].Label != "Checks" {
		t.Errorf("what blocks and is no row is told: issues %+v, call-outs %+v", own.Issues, own.Callouts)
	}
}

// TestSameEvent: one event told twice is one entry, and two events of one time are two.
func TestSameEvent(t *testing.T) {
	for _, tc := range []struct {
		lang, a, b string
		want       bool
	}{
		{"en", "Ada Stolz, the founder of the Brenner works, passed away on 28th May 1931 at her home in Linden.", "Ada Stolz, the founder of the Brenner Works and its school, died in May 1931.", true},
		{"en", "Ada Stolz was born in 1870.", "Ada Stolz was born on 3 May 1870 in Linden.", true},
		{"en", "Ada Stolz was born in 1870.", "Ada Stolz married in 1870.", false},
		{"en", "Brenner 1.1 was released in 1996.", "Brenner 1.2 was released in 1996.", false},
		{"en", "The pier was built in 1950.", "The lighthouse was built in 1950.", false},
		{"en", "Ada Stolz died in 1931.", "Jan Brill died in 1931.", false},
		{"zh", "王伟于1931年5月28日在林登去世。", "王伟1931年去世。", true},
		{"zh", "王伟生于1870年。", "王伟于1870年结婚。", false},
	} {
		if sameEvent(tc.a, tc.b, tc.lang) != tc.want || sameEvent(tc.b, tc.a, tc.lang) != tc.want {
			t.Errorf("%q and %q: %v", tc.a, tc.b, !tc.want)
		}
	}
}

// TestTimelineOnce: a death that two documents tell, one to the day, stands once, with the keys of both, and the record holds.
func TestTimelineOnce(t *testing.T) {
	c := overPages(t, "Who was Ada Stolz?", map[string]string{
		"a/life.md": "# Ada Stolz\n\nAda Stolz, the founder of the Brenner works, passed away on 28 May 1931 at her home in Linden.\n",
		"b/life.md": "# Brenner works\n\nAda Stolz, the founder of the Brenner works and its school, died in May 1931.\n",
	})
	d, _, rec := digestOf(t, c)
	if len(d.Timeline) != 1 || d.Timeline[0].Date != "1931-05-28" || len(d.Timeline[0].Also) != 1 || len(d.Timeline[0].Refs) != 2 {
		t.Errorf("timeline %+v", d.Timeline)
	}
	if d.Shape != research.ShapeFact || d.Debate != nil || d.Argument != nil || gateOf(t, d, "argument").State != research.GateUnchecked {
		t.Errorf("a question of fact: shape %s, debate %v", d.Shape, d.Debate)
	}
	if !audited(t, d, rec) {
		t.Error("the record does not hold")
	}
}

// TestPruneRepeats: what an earlier finding says in the same words from the same source is not printed again, and nothing else is lost.
func TestPruneRepeats(t *testing.T) {
	block := func(id, words, ref, conf string) research.Block {
		return research.Block{ID: id, Kind: research.BlockFinding, Text: words, Refs: []string{ref}, Confidence: research.MustDecimal(conf)}
	}
	long := "The bar was dredged in 1950, and the channel has been nine metres deep since. Ships of all sizes use it."
	w := &desk{}
	w.view.Draft.Sections = []research.DraftSection{
		{ID: "f1", Blocks: []research.Block{block("a", long, "s1", "0.7"), block("b", "Ships of all sizes  use it.", "s1", "0.7"),
			block("c", "The bar was dredged in 1950, and the channel has been nine metres deep since.", "s1", "0.7"),
			block("d", "The bar was dredged in 1950, and the channel has been nine metres deep since.", "s2", "0.7"),
			block("e", "The bar was dredged in 1950, and the channel has been nine metres deep since.", "s1", "0.9")}},
		{ID: "f2", Blocks: []research.Block{block("f", long, "s1", "0.7"), block("g", long, "s1", "0.7")}},
		{ID: "f3"},
	}
	w.prune()
	var got []string
	for _, s := range w.view.Draft.Sections {
		for _, b := range s.Blocks {
			got = append(got, b.ID)
		}
	}
	// b is short, d another source's, e surer, f all that its part has.
	if s := strings.Join(got, ""); s != "abdef" || len(w.view.Draft.Sections) != 2 {
		t.Errorf("kept %s in %d sections", s, len(w.view.Draft.Sections))
	}
}
