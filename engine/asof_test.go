package engine

import (
	"strings"
	"testing"
)

// Two pages that count the same thing at two times, as the releases of a system do: one thing that changed, told with its times, and no
// conflict. A count of something else in the place of the figure is none either; two figures of one time are.
func TestEvolution(t *testing.T) {
	pages := map[string]string{
		"a.md": "# Releases of Skerry\n\nSkerry 3.0 was released on 19 July 2002. It contained 8,500 packages by over nine hundred developers.\n",
		"b.md": "# The history of Skerry\n\nSkerry 3.1 was released on 6 June 2005. It contained 15,400 packages, and 9,000 of them were new packages.\n",
		"c.md": "# Skerry in numbers\n\nSkerry 3.1 was released on 6 June 2005. It contained 17,200 packages.\n",
	}
	d, _, _ := digestOf(t, overPages(t, "How many packages did the releases of Skerry contain?", pages))
	evolved, direct := 0, 0
	for _, x := range d.Contradicts {
		a, b := d.Claims[x.A], d.Claims[x.B]
		switch {
		case x.Kind == "temporal":
			evolved++
			if x.Resolution != "evolution" || x.Preferred != "" || a.AsOf == b.AsOf || !strings.Contains(x.Reason, "2002-07-19") {
				t.Errorf("different times: %+v of %q (%s) and %q (%s)", x, a.Text, a.AsOf, b.Text, b.AsOf)
			}
		case a.AsOf != "2005-06-06" || b.AsOf != "2005-06-06":
			t.Errorf("a conflict of two times: %+v of %q (%s) and %q (%s)", x, a.Text, a.AsOf, b.Text, b.AsOf)
		default:
			direct++
		}
		if strings.Contains(x.Reason, "nine hundred") {
			t.Errorf("developers are held against packages: %s", x.Reason)
		}
	}
	if evolved == 0 || direct == 0 {
		t.Errorf("%d told as evolution, %d as conflicts: %+v", evolved, direct, d.Contradicts)
	}
}

func TestSameUnit(t *testing.T) {
	for _, c := range []struct {
		a, figure, b, other string
		want                bool
	}{
		{"There were two binary CDs.", "two", "The project had one thousand and thirty developers.", "one thousand and thirty", false},
		{"By over nine hundred developers.", "nine hundred", "With 9,000 new packages.", "9,000", false},
		{"It held 15,000 packages.", "15,000", "It held about fifteen thousand binary packages.", "fifteen thousand", true},
		{"It rose by 5%.", "5%", "It rose by 7%.", "7%", true},
		{"Led by Ada Stolz.", "Ada Stolz", "Led by Ben Orr.", "Ben Orr", true},
	} {
		if got := sameUnit(c.a, c.figure, c.b, c.other); got != c.want {
			t.Errorf("%q of %q and %q of %q: %v", c.figure, c.a, c.other, c.b, got)
		}
	}
}
