package evidence

import (
	"fmt"
	"strings"
	"testing"

	"assay/engine/research"
	"assay/engine/temporal"
	"assay/engine/text"
)

// told makes a claim of each sentence, read as the engine reads it, each from a source of its own.
func told(sentences ...string) []research.Claim {
	var out []research.Claim
	for i, s := range sentences {
		c := research.Claim{ID: fmt.Sprintf("c%02d", i), Source: fmt.Sprintf("s%d", i), Text: s, Quantities: text.Quantities(s)}
		for _, d := range temporal.Dates(s) {
			c.Dates = append(c.Dates, d.ISO)
		}
		for _, n := range text.Names(s) {
			c.Names = append(c.Names, n.Text)
		}
		out = append(out, c)
	}
	return out
}

// No two of these say opposite things, and they cannot all hold.
func TestIndirect(t *testing.T) {
	for name, tc := range map[string]struct {
		claims []string
		want   int
	}{
		"an order against two dates":      {[]string{"Woody was released after Sarge.", "Sarge was released on 6 June 2005.", "Woody was released on 19 July 2002."}, 2},
		"the order that the dates have":   {[]string{"Woody was released before Sarge.", "Sarge was released on 6 June 2005.", "Woody was released on 19 July 2002."}, 0},
		"the order of other happenings":   {[]string{"Woody was founded after Sarge.", "Sarge was released on 6 June 2005.", "Woody was released on 19 July 2002."}, 0},
		"an order of one year":            {[]string{"Woody was released after Sarge.", "Sarge was released in June 2005.", "Woody was released in 2005."}, 0},
		"a denied order":                  {[]string{"Woody was not released after Sarge.", "Sarge was released in 2005.", "Woody was released in 2002."}, 0},
		"before it began":                 {[]string{"The Harbour Trust was founded in 1993.", "The Harbour Trust was dissolved in 1988."}, 1},
		"a release before the foundation": {[]string{"The Harbour Trust was established in 1993.", "The Harbour Trust published its first chart in 1971."}, 1},
		"after the foundation":            {[]string{"The Harbour Trust was established in 1993.", "The Harbour Trust published its first chart in 1994."}, 0},
		"of something else":               {[]string{"The Harbour Trust was established in 1993.", "The Harbour Board published its first chart in 1971."}, 0},
		"a plan":                          {[]string{"The Harbour Trust was established in 1993.", "The Harbour Trust was planned and would be opened in 1971."}, 0},
		"ended before it began":           {[]string{"The Harbour Trust was dissolved in 1950.", "The Harbour Trust was founded in 1963."}, 1},
		"shares of one whole":             {[]string{"Alpha has a market share of 61 % in Norway.", "Beta has a market share of 48 % in Norway."}, 1},
		"shares that fit":                 {[]string{"Alpha has a market share of 51 % in Norway.", "Beta has a market share of 48 % in Norway."}, 0},
		"shares within rounding":          {[]string{"Alpha has a market share of 51 % in Norway.", "Beta has a market share of 50 % in Norway."}, 0},
		"shares of two wholes":            {[]string{"Alpha has a market share of 61 % in Norway.", "Beta has a market share of 48 % in Sweden."}, 0},
		"three shares":                    {[]string{"Alpha has a market share of 41 % in Norway.", "Beta has a market share of 38 % in Norway.", "Gamma has a market share of 30 % in Norway."}, 1},
		"shares that may overlap":         {[]string{"Alpha runs on 61 % of servers in Norway.", "Beta runs on 48 % of servers in Norway."}, 0},
		"Chinese: after it ended":         {[]string{"海港信托于1993年成立。", "海港信托于1988年解散。"}, 1},
		"Chinese: in order":               {[]string{"海港信托于1988年成立。", "海港信托于1993年解散。"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			n := 0
			for _, x := range Contradictions(told(tc.claims...)) {
				if x.Kind == kindIndirect {
					n++
					if x.Reason == "" || strings.Contains(x.Reason, "%!") {
						t.Errorf("reason %q", x.Reason)
					}
				}
			}
			if n != tc.want {
				t.Errorf("%d indirect contradictions, want %d", n, tc.want)
			}
		})
	}
	one := told("The Harbour Trust was founded in 1993.", "The Harbour Trust was dissolved in 1988.")
	one[1].Source = one[0].Source
	if x := Contradictions(one); len(x) != 0 {
		t.Errorf("one source against itself: %+v", x)
	}
}
