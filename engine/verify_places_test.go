package engine

import (
	"context"
	"testing"

	"assay/engine/extractive"
	"assay/engine/research"
	"assay/engine/store"
)

// What a claim of a person is held against: the statement that speaks of it and no other, the cells of tables, and both answers of a voice
// that gives two.
func TestVerifyPlaces(t *testing.T) {
	scope := shelfOf{}
	for name, content := range map[string]string{
		"north/solar.md": "# Solar power\n\nIn 2019, Germany had 49 gigawatts of solar capacity. In 2023, Germany had 82 gigawatts of solar capacity. " +
			"France had 10 gigawatts of solar capacity in 2019. Germany added 14 gigawatts of solar capacity in 2023.\n",
		"south/sizes.csv":   "country,year,storage (GW)\nGermany,2019,49\nGermany,2023,81\nFrance,2019,10\n",
		"east/bridge.md":    "# The bridge\n\nThe Lora bridge is not safe for trucks. The Lora bridge was opened in 1998. The Lora tunnel was built before the Lora bridge.\n",
		"west/releases.md":  "# Releases\n\nCorvo 1.2 Rex (December 12th, 1996): named for a dinosaur. This release consisted of 848 packages.\n\nCorvo 1.0 was never released: Mirador shipped a development release of Corvo and entitled it 1.0.\n",
		"west/leaders.md":   "# Leaders\n\nAnna Roe led Corvo from April 1996 until December 1997. This document was drafted by Anna Roe, refined by the other Corvo developers.\n",
		"both/harbour.md":   "# Harbour\n\nThe Venn harbour is 300 metres long.\n",
		"both/harbour-2.md": "# Harbour again\n\nBy another writer of the house.\n\nThe Venn harbour is 350 metres long, as measured.\n",
	} {
		scope[name] = pageOf(t, name, content)
	}
	c := config(t, "claims")
	c.Providers, c.Reader, c.Model, c.Fallback = []Provider{scope}, scope, extractive.Model{}, extractive.Model{}
	v, err := NewVerifier(c, store.NewMemory(c.Request, c.Code))
	if err != nil {
		t.Fatal(err)
	}
	for claim, want := range map[string]research.Conclusion{
		"Germany had 82 gigawatts of solar capacity in 2023.": research.Supported,
		"Germany had 49 gigawatts of solar capacity in 2019.": research.Supported,
		"Germany had 60 gigawatts of solar capacity in 2019.": research.Contradicted,
		"France had 30 gigawatts of solar capacity in 2023.":  research.NotFound, // no figure of that year
		"Germany had 81 GW of storage in 2023.":               research.Supported,
		"The storage of France in 2019 was 10.":               research.Supported,
		"The storage of France in 2019 was 12 GW.":            research.Contradicted,
		"The Lora bridge is safe for trucks.":                 research.Contradicted,
		"The Lora bridge is not safe for trucks.":             research.Supported,
		"The Lora bridge was built before the Lora tunnel.":   research.Contradicted,
		"Corvo 1.2 had 848 packages.":                         research.Supported,
		"Corvo 1.2 had 900 packages.":                         research.Contradicted,
		"Corvo 1.0 was released.":                             research.Contradicted,
		"Corvo 1.0 was never released.":                       research.Supported,
		"Corvo was founded by Anna Roe.":                      research.NotFound,
		"Anna Roe led Corvo from April 1996.":                 research.Supported,
		"The Venn harbour is 300 metres long.":                research.Contested,
	} {
		got, err := v.Verify(context.Background(), claim)
		if err != nil {
			t.Fatal(err)
		}
		if got.Conclusion != want {
			t.Errorf("%q is %s, want %s: %+v", claim, got.Conclusion, want, got.Evidence)
		}
		for i, e := range got.Evidence {
			for _, o := range got.Evidence[:i] {
				if want != research.NotFound && e.Stance == o.Stance && e.Passage.Source == o.Passage.Source && e.Passage.Start < o.Passage.End && o.Passage.Start < e.Passage.End {
					t.Errorf("%q: the same words are shown twice: %q and %q", claim, o.Passage.Text, e.Passage.Text)
				}
			}
		}
	}
}
