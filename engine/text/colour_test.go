package text

import "testing"

// TestColourCodes: the numbers of a terminal's colour codes are no quantities, and a length in brackets is one.
func TestColourCodes(t *testing.T) {
	for s, want := range map[string]int{
		"\x1b[0mWelcome to the installer":       0,
		"[0;32mok[0m 12 files were copied":      1,
		"[1;31mError[0m":                        0,
		"The cable [5m] is black.":              1,
		"The cable is 5m long.":                 1,
		"The bar lies 0m above the datum.":      1,
		"[38;5;208mwarning[0m: 3 km to the bar": 1,
	} {
		if got := Quantities(s); len(got) != want {
			t.Errorf("%q: %d quantities %v, want %d", s, len(got), got, want)
		}
	}
}
