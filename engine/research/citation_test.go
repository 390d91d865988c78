package research

import "testing"

// TestCitationLookupChecked: a lookup that nobody could do is not one that found nothing.
func TestCitationLookupChecked(t *testing.T) {
	for _, tc := range []struct {
		name string
		l    CitationLookup
		want bool
	}{
		{"off", CitationLookup{Note: "looking up is off"}, false},
		{"all failed", CitationLookup{Answers: []CatalogueAnswer{{Catalogue: "crossref", Fault: "asked too often"}}}, false},
		{"one looked and found nothing", CitationLookup{Answers: []CatalogueAnswer{{Catalogue: "crossref", Fault: "asked too often"}, {Catalogue: "openalex"}}}, true},
	} {
		if got := tc.l.Checked(); got != tc.want {
			t.Errorf("%s: checked %v, want %v", tc.name, got, tc.want)
		}
	}
}
