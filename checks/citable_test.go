package checks

import (
	"testing"

	"assay/engine/research"
)

func TestCitable(t *testing.T) {
	claim := func(id string, change func(*research.Claim)) research.Claim {
		c := research.Claim{ID: id, Facet: "f1", Source: "s1", Passage: "p1"}
		if change != nil {
			change(&c)
		}
		return c
	}
	derived := func(id string, basis ...string) research.Claim {
		return research.Claim{ID: id, Facet: "f1", Derivation: &research.Derivation{Rule: "sum", Basis: basis}}
	}
	v := View{
		Sources: []research.Source{{ID: "s1", Verdict: research.Verified, Passages: []research.Passage{{ID: "p1", Source: "s1"}}},
			{ID: "s2", Verdict: research.RejectAI, Passages: []research.Passage{{ID: "p2", Source: "s2"}}}},
		Claims: map[string]research.Claim{},
	}
	for _, c := range []research.Claim{
		claim("good", nil),
		claim("flagged", func(c *research.Claim) { c.Flags = []string{"subjectdrift"} }),
		claim("rejected", func(c *research.Claim) { c.Source, c.Passage = "s2", "p2" }),
		claim("no passage", func(c *research.Claim) { c.Passage = "p9" }),
		claim("passage of another", func(c *research.Claim) { c.Passage = "p2" }),
		claim("no source", func(c *research.Claim) { c.Source = "s9" }),
		derived("derived", "good"), derived("derived from flagged", "good", "flagged"), derived("no basis"),
		derived("circle", "circle"), derived("missing basis", "nosuch"),
		derived("two", "derived"), derived("three", "two"), derived("four", "three"),
	} {
		v.Claims[c.ID] = c
	}
	want := map[string]bool{"good": true, "derived": true, "two": true, "three": true}
	for id, c := range v.Claims {
		if got := CitableClaim(c, v); got != want[id] {
			t.Errorf("CitableClaim(%s) = %v, want %v", id, got, want[id])
		}
	}
	tests := []struct {
		name string
		f    research.Finding
		want bool
	}{
		{"on a good claim", research.Finding{Claims: []string{"good", "derived"}}, true},
		{"flagged itself", research.Finding{Claims: []string{"good"}, Flags: []string{"quotefabricated"}}, false},
		{"on one bad claim of two", research.Finding{Claims: []string{"good", "rejected"}}, false},
		{"on no claim", research.Finding{}, false},
		{"on a claim that is not there", research.Finding{Claims: []string{"nosuch"}}, false},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			if got := Citable(tc.f, v); got != tc.want {
				t.Errorf("Citable(%v) = %v, want %v", tc.f, got, tc.want)
			}
		})
	}
}
