package audit

import (
	"encoding/json"
	"strings"
	"testing"

	"assay/engine/research"
)

// TestSaid changes what code wrote beside the findings, in the digest and in the event that recorded it alike, so that only
// recomputing it can tell.
func TestSaid(t *testing.T) {
	for _, tc := range []struct {
		name, where string
		change      func(*research.Digest)
	}{
		{"a count of the standfirst", "subtitle", func(d *research.Digest) { d.Subtitle = "270 findings from 4 documents, 3 voices" }},
		{"a quotation of the summary", "summary", func(d *research.Digest) { d.Summary = "“Bill Gates founded Debian in 1975” [1]." }},
		{"a key without a quotation", "summary", func(d *research.Digest) { d.Summary = "Bill Gates founded Debian in 1975 [1]." }},
		{"a figure of the verdict", "verdict", func(d *research.Digest) { d.Verdict = "Proved beyond doubt by 40 independent sources." }},
		{"words of the timeline", "timeline 1", func(d *research.Digest) { d.Timeline[0].Text = "Debian 12 was released in 1883." }},
		{"no gap for a part without a finding", "gaps", func(d *research.Digest) {
			d.Understanding.Facets = append(d.Understanding.Facets, research.Facet{ID: "f9", Text: "who"})
			d.Gaps = nil
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			run := clone(t, fixture(t))
			tc.change(run.Digest)
			for i, e := range run.Events {
				if strings.HasPrefix(e.Kind, research.EventStage) {
					b, err := json.Marshal(run.Digest)
					if err != nil {
						t.Fatal(err)
					}
					run.Events[i].Payload = b
				}
			}
			found := false
			for _, f := range Check(run).Faults {
				found = found || f.Where == tc.where
			}
			if !found {
				t.Errorf("Check finds %v, want a fault at %s", Check(run).Faults, tc.where)
			}
		})
	}
}
