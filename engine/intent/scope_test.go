package intent

import (
	"slices"
	"strings"
	"testing"
	"time"

	"assay/engine/research"
)

func TestScope(t *testing.T) {
	now := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		question           string
		countries, exclude string
		field              string
		terms              string // that must be gone
	}{
		{"Compare solar capacity of Germany and France, excluding Spain", "Germany, France", "Spain", "", "spain"},
		{"How much did German exports grow, not counting cars and ships, between 2010 and 2020?", "Germany", "cars, ships", "", "ship"},
		{"Which ports were released (except for the m68k port)?", "", "m68k port", "", "m68k"},
		{"What is known in the field of marine biology, and about kelp?", "", "", "marine biology", ""},
		{"What is used in the field of aviation, but not helicopters?", "", "helicopters", "aviation", "helicopt"},
		{"德国和法国的太阳能比较，不包括西班牙", "Germany, France", "西班牙", "", "西班"},
		{"中国在医疗领域的投资如何变化？", "China", "", "医疗", ""},
		{"Excluding everything", "", "", "", ""}, // nothing would be left to ask
		{"Why was the lamp moved?", "", "", "", ""},
		{"Which countries other than Norway built one?", "Norway", "", "", ""},
	} {
		u := Understand(tt.question, "auto", research.ShapeAuto, research.Quick, now)
		if tt.countries+tt.exclude+tt.field == "" && u.Scope != nil {
			t.Errorf("%q: limits %+v", tt.question, *u.Scope)
		}
		if u.Scope == nil {
			u.Scope = &research.Scope{}
		}
		if got := strings.Join(u.Scope.Countries, ", "); got != tt.countries {
			t.Errorf("%q: countries %q, want %q", tt.question, got, tt.countries)
		}
		if got := strings.Join(u.Scope.Exclude, ", "); got != tt.exclude {
			t.Errorf("%q: leaves out %q, want %q", tt.question, got, tt.exclude)
		}
		if tt.field != "" && u.Scope.Field != tt.field {
			t.Errorf("%q: field %q, want %q", tt.question, u.Scope.Field, tt.field)
		}
		if tt.terms != "" {
			if slices.Contains(u.Terms, tt.terms) {
				t.Errorf("%q: %q is still looked for: %v", tt.question, tt.terms, u.Terms)
			}
			for _, f := range u.Facets {
				if slices.Contains(f.Terms, tt.terms) {
					t.Errorf("%q: the part %q asks for what is left out", tt.question, f.Text)
				}
			}
		}
		if u.Question != tt.question || len(u.Facets) == 0 || len(u.Terms) == 0 {
			t.Errorf("%q was read as %+v", tt.question, u)
		}
	}
}

func TestEntityTypes(t *testing.T) {
	for question, want := range map[string]string{
		"Compare Germany with Purdue University":      "Germany place, Purdue University organisation",
		"Who is Ian Murdock?":                         "Ian Murdock person",
		"最近德国的太阳能发展如何？":                               "德国 place",
		"How does the Free Software Foundation work?": "Free Software Foundation organisation",
	} {
		var got []string
		for _, e := range Understand(question, "auto", research.ShapeAuto, research.Quick, time.Now().UTC()).Entities {
			got = append(got, e.Text+" "+e.Type)
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%q names %q, want %q", question, got, want)
		}
	}
}

func FuzzScope(f *testing.F) {
	f.Add("Compare A and B, excluding C (and D), in the field of E.", "en")
	f.Add("德国和法国的太阳能比较，不包括屋顶", "zh")
	f.Fuzz(func(t *testing.T, q, lang string) {
		s, rest := limits(q, lang)
		if s != nil && (len(s.Exclude) > mostExcluded || len(s.Exclude) > 0 && strings.TrimSpace(rest) == "") {
			t.Errorf("%q limits itself to nothing: %+v, %q", q, *s, rest)
		}
	})
}
