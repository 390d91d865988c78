package evidence

import (
	"fmt"
	"slices"
	"testing"

	"assay/engine/research"
	"assay/engine/text"
)

// TestCiting holds edge 5 of CHECKS 4.2: one voice where a source has the value from the other, two where it only names it.
func TestCiting(t *testing.T) {
	const claim = "The plant produced 4.2 million tonnes of steel in 2024."
	for _, tc := range []struct {
		name, publisher, location string // of the first source
		second                    string // what the other says
		links                     []string
		stance                    research.Stance
		want                      string // the words of the edge; "" for two voices
	}{
		{"according to", "Steel Monitor", "https://steelmonitor.example/1", "The works made 4.2 million tonnes in 2024, according to the Steel Monitor.", nil, research.Confirms, "according to the Steel Monitor"},
		{"a verb after the name", "The Steel Monitor", "https://x.example/1", "Output was 4.2 million tonnes, Steel Monitor reported on Monday.", nil, research.Confirms, "Steel Monitor reported"},
		{"its figures", "", "https://www.steelmonitor.example/1", "Steel Monitor's figures put it at 4.2 million tonnes.", nil, research.Confirms, "Steel Monitor's figures put"},
		{"told a paper", "Reuters", "https://reuters.com/1", "A manager told Reuters that 4.2 million tonnes were made.", nil, research.Confirms, "told Reuters"},
		{"in the sentence before", "Reuters", "https://reuters.com/1", "The story was told by Reuters. According to Reuters there was more. It was 4.2 million tonnes.", nil, research.Confirms, "According to Reuters"},
		{"Chinese", "路透社", "https://reuters.com/1", "据路透社报道，该厂2024年产量为4.2 million tonnes。", nil, research.Confirms, "据路透社"},
		{"a link beside the value", "", "https://steelmonitor.example/1?utm_source=a", "It made 4.2 million tonnes of steel.", []string{"https://steelmonitor.example/1"}, research.Confirms, "https://steelmonitor.example/1"},

		{"a link to another page there", "", "https://steelmonitor.example/2", "It made 4.2 million tonnes of steel.", []string{"https://steelmonitor.example/1"}, research.Confirms, ""},
		{"the name without a report", "Steel Monitor", "https://steelmonitor.example/1", "The works made 4.2 million tonnes and has a stand beside Steel Monitor at the fair.", nil, research.Confirms, ""},
		{"another value", "Reuters", "https://reuters.com/1", "Reuters reported that 900 people work there. The weather was fine. It rained a little. It made 4.2 million tonnes.", nil, research.Confirms, ""},
		{"a common word for a name", "News", "https://a.example/1", "According to News, 4.2 million tonnes were made.", nil, research.Confirms, ""},
		{"a word inside another", "Reuters", "https://reuters.com/1", "According to Reutersville, 4.2 million tonnes were made.", nil, research.Confirms, ""},
		{"the other side", "Reuters", "https://reuters.com/1", "According to Reuters it was 3.9 million tonnes.", nil, research.Contradicts, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := research.Claim{ID: "c1", Text: claim, Source: "s1", Quantities: text.Quantities(claim)}
			sources := map[string]research.Source{
				"s1": {ID: "s1", Location: tc.location, Publisher: tc.publisher, Voice: "first"}, "s2": {ID: "s2", Location: "https://other.example/", Voice: "second"},
			}
			ev := []research.Evidence{{Passage: "p1", Source: "s1", Stance: research.Confirms}, {Passage: "p2", Source: "s2", Stance: tc.stance}}
			places := map[string]Place{"p1": {Text: claim}, "p2": {tc.second, tc.links}}
			edges := Dependence(c, ev, sources, nil, places)
			got := ""
			for _, e := range edges {
				if e.Why != whyCiting || e.A != "s1" || e.B != "s2" {
					t.Errorf("edge %+v", e)
				}
				got = e.Said
			}
			if got != tc.want || len(edges) > 1 {
				t.Errorf("edges %+v, want the words %q", edges, tc.want)
			}
			if s := Support(c, ev, sources, edges); tc.want != "" && (s.K != 1 || s.N != 1) {
				t.Errorf("%d of %d voices, want one", s.K, s.N)
			}
			slices.Reverse(ev)
			if again := Dependence(c, ev, sources, nil, places); len(again) != len(edges) || len(again) > 0 && again[0] != edges[0] {
				t.Errorf("in the other order: %+v", again)
			}
		})
	}
}

// TestCitingAgainst holds that two sources that contradict a claim with one value are one voice when one has it from the other.
func TestCitingAgainst(t *testing.T) {
	const claim = "The plant produced 4.2 million tonnes of steel."
	c := research.Claim{ID: "c1", Text: claim, Source: "s1", Quantities: text.Quantities(claim)}
	sources := map[string]research.Source{"s1": {ID: "s1"}, "s2": {ID: "s2", Publisher: "Reuters"}, "s3": {ID: "s3"}}
	ev := []research.Evidence{{Passage: "p1", Source: "s1", Stance: research.Confirms}, {Passage: "p2", Source: "s2", Stance: research.Contradicts}, {Passage: "p3", Source: "s3", Stance: research.Contradicts}}
	for said, voices := range map[string]int{"Reuters reported 3.9 million tonnes.": 2, "Reuters reported on it; 3.5 million tonnes were made.": 3} {
		places := map[string]Place{"p1": {Text: claim}, "p2": {Text: "It made 3.9 million tonnes."}, "p3": {Text: said}}
		if s := Support(c, ev, sources, Dependence(c, ev, sources, nil, places)); s.N != voices {
			t.Errorf("%q: %d voices, want %d", said, s.N, voices)
		}
	}
}

// TestSharedError holds edge 6 of CHECKS 4.2.
func TestSharedError(t *testing.T) {
	for _, tc := range []struct {
		name                string
		claim               string
		confirming, against int
		k, n                int
	}{
		{"two share what three contradict", "It has 90 rooms.", 2, 3, 1, 4},
		{"three share what five contradict", "It has 90 rooms.", 3, 5, 1, 6},
		{"no fewer share it", "It has 90 rooms.", 3, 3, 3, 6},
		{"only two contradict it", "It has 90 rooms.", 2, 2, 2, 4},
		{"one alone", "It has 90 rooms.", 1, 3, 1, 4},
		{"no value", "It has many rooms.", 2, 3, 2, 5},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newWorld()
			for i := range tc.confirming {
				w.add(fmt.Sprintf("a%d", i), fmt.Sprintf("v%d", i), research.Confirms)
			}
			for i := range tc.against {
				w.add(fmt.Sprintf("b%d", i), fmt.Sprintf("w%d", i), research.Contradicts)
			}
			c := research.Claim{ID: "c1", Text: tc.claim, Quantities: text.Quantities(tc.claim), Source: "a0"}
			s := Support(c, w.ev, w.sources, Dependence(c, w.ev, w.sources, nil, nil))
			if s.K != tc.k || s.N != tc.n {
				t.Errorf("%d of %d, want %d of %d", s.K, s.N, tc.k, tc.n)
			}
		})
	}
}
