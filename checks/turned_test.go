package checks

import (
	"testing"

	"assay/engine/research"
)

// TestTurnedBlocks: a figure, a date, a scale, a negation or a direction that was changed in a report blocks it, also where the sentence is
// one of several; a figure that only lacks support, and the words of the source in another form, do not.
func TestTurnedBlocks(t *testing.T) {
	passage := "The harbour of Brelin handled 4,210 ships in 2019, the port authority said. The council of Masden did not approve the merger of the two ports. Revenue from fees rose by a tenth after the vote of the council. The dredging of the channel cost 12.5 million pounds in 2021."
	for _, tc := range []struct {
		name, text, check string
		class             Class
	}{
		{"digits", "The harbour of Brelin handled 4,120 ships in 2019, the port authority said.", "numberunsupported", Firm},
		{"digits, one sentence of several", "The harbour of Brelin handled 4,120 ships in 2019, the port authority said. The dredging of the channel cost 12.5 million pounds in 2021.", "numberunsupported", Firm},
		{"year", "The harbour of Brelin handled 4,210 ships in 2018, the port authority said.", "dateunsupported", Firm},
		{"scale", "The dredging of the channel cost 12.5 billion pounds in 2021.", "scalemismatch", Firm},
		{"negation", "The council of Masden did approve the merger of the two ports.", "negationflip", Firm},
		{"direction", "Revenue from fees fell by a tenth after the vote of the council.", "directionflip", Firm},
		{"a figure from nowhere", "Seen from the sea, some 77 lamps burn on the piers of the town at night.", "numberunsupported", Advisory},
		{"rounded and put otherwise", "In 2019 some 4,200 ships used the harbour of Brelin.", "", Advisory},
		{"the source's own words", "The harbour of Brelin handled **4,210** ships in 2019, the port authority said.", "", Advisory},
	} {
		v := sectionView()
		v.Texts["t1"] = passage
		b := finding("turned", tc.text, "s1")
		b.Citations = []string{"turned-p"}
		v.Sources[0].Passages = []research.Passage{{ID: "turned-p", Source: "s1", End: len(passage), Text: passage}}
		v.Draft.Sections[0].Blocks = append(v.Draft.Sections[0].Blocks, b)
		blocking := map[string]bool{}
		found := false
		for _, f := range Evaluate(v, Options{}) {
			if f.Key == (Key{KeyBlock, "turned"}) {
				blocking[f.Check] = f.Blocks()
				found = found || f.Check == tc.check && f.Class == tc.class
			}
		}
		if tc.check != "" && !found {
			t.Errorf("%s: %s is not %s: %v", tc.name, tc.check, tc.class, blocking)
		}
		for name, blocks := range blocking {
			if blocks && tc.class == Advisory {
				t.Errorf("%s: %s blocks", tc.name, name)
			}
		}
	}
}
