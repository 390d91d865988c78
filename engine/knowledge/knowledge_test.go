package knowledge

import (
	"strings"
	"testing"

	"assay/engine/research"
)

func known(run, date, text string, private bool) research.Known {
	return research.Known{Run: run, Claim: "c" + run, Text: text, Date: date, Lang: "en", Private: private}
}

func TestOf(t *testing.T) {
	d := research.Digest{Topic: "Q", Lang: "en", Sources: []research.DigestSource{{ID: "s1", Title: "T", URL: "l", SHA256: "x"}, {ID: "s2", URL: "m"}}, Claims: map[string]research.Claim{
		"accepted": {Text: "a", Source: "s1", Support: &research.Support{Band: research.Accept, Confidence: "9/10"}, Evidence: []research.Evidence{{Source: "s2", Stance: research.Confirms}, {Source: "s3", Stance: research.Contradicts}}},
		"single":   {Text: "b", Support: &research.Support{Band: research.Verify, Label: research.LabelSingle}},
		"doubtful": {Text: "c", Support: &research.Support{Band: research.Verify, Label: research.LabelUnconfirmed}},
		"rejected": {Text: "d", Support: &research.Support{Band: research.Reject}},
		"flagged":  {Text: "e", Support: &research.Support{Band: research.Accept}, Flags: []string{"x"}},
		"unused":   {Text: "f", Support: &research.Support{Band: research.Accept}},
	}, Sections: []research.Section{{Findings: []research.DigestFinding{{Claims: []string{"accepted", "single", "doubtful"}}, {Claims: []string{"rejected", "flagged", "accepted", "none"}}}}}}
	got := Of("r1", research.Request{Now: "2026-01-01T00:00:00Z", Libraries: []string{"/x"}}, d)
	if len(got) != 2 || got[0].Claim != "accepted" || got[1].Claim != "single" || !got[0].Private || len(got[0].Sources) != 2 || got[0].Confidence != "9/10" {
		t.Errorf("Of = %+v", got)
	}
}

func TestSearchAndBearing(t *testing.T) {
	all := []research.Known{
		known("1", "2026-01-01T00:00:00Z", "The Marrow kiln is fired to 1,280 degrees Celsius.", true),
		known("2", "2026-01-02T00:00:00Z", "The Marrow kiln is fired to 1,280 degrees Celsius.", false),
		known("3", "2026-01-03T00:00:00Z", "The lighthouse of Skerry stands 42 metres high.", false),
		known("4", "2026-01-04T00:00:00Z", "A steel furnace is fired to 1,600 degrees Celsius.", false),
	}
	if hits := Search(all, "Marrow kiln", 0, 10); len(hits) != 1 || hits[0].Run != "2" {
		t.Errorf("Search = %+v, want the later of the two that say the same", hits)
	}
	for _, words := range []string{"", "the of and", "zebra crossing"} {
		if hits := Search(all, words, 0, 10); len(hits) != 0 {
			t.Errorf("Search(%q) = %+v", words, hits)
		}
	}
	tests := []struct {
		name, before string
		private      bool
		want         string
		withheld     int
	}{
		{"all", "2026-02-01T00:00:00Z", true, "2", 0},
		{"beyond this machine", "2026-02-01T00:00:00Z", false, "2", 1},
		{"of its own time", "2026-01-01T12:00:00Z", true, "1", 0},
		{"none is earlier", "2026-01-01T00:00:00Z", true, "", 0},
		{"withheld only", "2026-01-01T12:00:00Z", false, "", 1},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			e := Bearing(all, research.EarlierAsk{Question: "How hot is the Marrow kiln fired?", Before: tc.before, Private: tc.private})
			var runs []string
			for _, c := range e.Claims {
				runs = append(runs, c.Run)
			}
			if strings.Join(runs, " ") != tc.want || e.Withheld != tc.withheld {
				t.Errorf("Bearing = %q and %d withheld, want %q and %d", runs, e.Withheld, tc.want, tc.withheld)
			}
		})
	}
}
