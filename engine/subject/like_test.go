package subject

import "testing"

func TestSlip(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want bool
	}{
		{"lighthous", "lighthous", true}, {"lighthos", "lighthous", true}, {"lighthouse", "lighthous", true}, {"lihgtohus", "lighthous", false},
		{"lgihthous", "lighthous", true}, {"lighthaus", "lighthous", true}, {"mongolia", "magnolia", false}, {"abc", "", false}, {"é", "e", true},
	} {
		if got := slip([]rune(tc.a), []rune(tc.b)); got != tc.want || slip([]rune(tc.b), []rune(tc.a)) != tc.want {
			t.Errorf("slip(%q, %q) = %v, want %v both ways", tc.a, tc.b, got, tc.want)
		}
	}
}
