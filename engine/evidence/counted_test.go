package evidence

import (
	"testing"

	"assay/engine/text"
)

func TestCounted(t *testing.T) {
	for s, want := range map[string]string{
		"more than nine hundred Debian developers, and more":           "develop",
		"more than one thousand and thirty Debian developers":          "develop",
		"around 15,000 binary packages maintained by us":               "packag",
		"the Resource 5-CD Set of that year":                           "cd",
		"14 binary CDs in the set":                                     "cd",
		"there were two.":                                              "",
		"a population of 1,294 in 2001":                                "",
		"about 300 people took part":                                   "peopl",
		"it has 12 of the letters":                                     "",
		"in all 400, packages among them":                              "",
		"it measured 42 metres to the packages":                        "", // a measure counts nothing
		"a list of 848 packages, 120 developers (848 is the count)":    "packag",
		"seven other new official ports":                               "port",
		"three hundred and twelve members of the old town association": "member",
	} {
		qs := text.Quantities(s)
		if len(qs) == 0 {
			t.Fatalf("no number in %q", s)
		}
		if got := Counted(s, qs[0]); got != want {
			t.Errorf("Counted(%q) = %q, want %q", s, got, want)
		}
	}
}

func TestSameCounted(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"The set has two CDs.", "There were more than one thousand and thirty Debian developers.", false},
		{"There were about 60 developers.", "The 5-CD Set of November.", false},
		{"There were about 60 developers.", "More than nine hundred Debian developers took part.", true},
		{"The town has 1,200 inhabitants.", "About 1,300 people live there.", true},
		{"The population was 1,200.", "About 1,300 people live there.", true}, // not told on one side
	} {
		if got := SameCounted(tt.a, text.Quantities(tt.a)[0], tt.b, text.Quantities(tt.b)[0]); got != tt.want {
			t.Errorf("SameCounted(%q, %q) = %t, want %t", tt.a, tt.b, got, tt.want)
		}
	}
}

func FuzzCounted(f *testing.F) {
	f.Add("nine hundred Debian developers, 5-CD")
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 4000 {
			t.Skip("longer than what is read")
		}
		for _, q := range text.Quantities(s) {
			Counted(s, q)
			if !SameCounted(s, q, s, q) {
				t.Errorf("%q does not count what it counts", q.Text)
			}
		}
	})
}
