package evidence

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"assay/engine/research"
)

// fact returns an explicit claim that k of n voices confirm, with a key and one value or one date.
func fact(id, key, number, date string, k, n int) research.Claim {
	conf := Confidence(k, n)
	c := research.Claim{ID: id, Text: "It is " + number + " there.", Source: "src" + id, Key: key, Facet: "f1", Relevance: "1",
		Support: &research.Support{K: k, N: n, Confidence: conf, Band: Band(conf, k)}}
	if number != "" {
		v, err := research.ParseDecimal(strings.ReplaceAll(number, ",", ""))
		if err != nil {
			panic(err)
		}
		c.Quantities = []research.Quantity{{Value: v, Unit: "packages", Kind: research.Count, Text: number, Start: 6, End: 6 + len(number)}}
	}
	if date != "" {
		c.Dates = []string{date}
	}
	return c
}

func TestDerive(t *testing.T) {
	for _, tc := range []struct {
		name   string
		claims []research.Claim
		want   []string // rule, value and text of each, in any order
	}{
		{"nothing", nil, nil},
		{"one", []research.Claim{fact("a", "debian|packages|2020", "100", "", 3, 3)}, nil},
		{"a rise", []research.Claim{fact("b", "debian|packages|2021", "125", "", 3, 3), fact("a", "debian|packages|2020", "100", "", 1, 1)}, []string{
			"difference 25 Between 2020 and 2021, packages of debian rose by 25 packages.",
			"growth 1/4 Between 2020 and 2021, packages of debian rose by 25%.",
		}},
		{"a fall", []research.Claim{fact("a", "debian|packages|2020", "1,500", "", 1, 1), fact("b", "debian|packages|2021", "1,000", "", 1, 1)}, []string{
			"difference -500 Between 2020 and 2021, packages of debian fell by 500 packages.",
			"growth -1/3 Between 2020 and 2021, packages of debian fell by 33.3%.",
		}},
		{"no change", []research.Claim{fact("a", "debian|packages|2020", "100", "", 1, 1), fact("b", "debian|packages|2021", "100", "", 1, 1)}, nil},
		{"another attribute", []research.Claim{fact("a", "debian|packages|2020", "100", "", 1, 1), fact("b", "debian|developers|2021", "125", "", 1, 1)}, nil},
		{"rejected", []research.Claim{fact("a", "debian|packages|2020", "100", "", 0, 2), fact("b", "debian|packages|2021", "125", "", 1, 1)}, nil},
		{"two subjects", []research.Claim{fact("a", "debian|packages|2020", "100", "", 1, 1), fact("b", "fedora|packages|2020", "250", "", 1, 1)}, []string{
			"ratio 5/2 In packages, fedora stands at 2.5 times debian (2020).",
		}},
		{"interval and order", []research.Claim{fact("a", "debian|first release|", "", "1996-06-17", 1, 1), fact("b", "debian|founding|", "", "1993", 1, 1),
			fact("c", "fedora|founding|", "", "2003-11-06", 1, 1)}, []string{
			"interval 3 Debian: 3 years lie between founding (1993) and first release (1996-06-17).",
			"order 10 Debian (founding: 1993) came before fedora (founding: 2003-11-06).",
		}},
		{"days", []research.Claim{fact("a", "x|start|", "", "2024-02-28", 1, 1), fact("b", "x|end|", "", "2024-03-01", 1, 1)}, []string{
			"interval 2 X: 2 days lie between start (2024-02-28) and end (2024-03-01).",
		}},
		{"chinese", func() []research.Claim {
			a, b := fact("a", "仓库|软件包|2020", "100", "", 3, 3), fact("b", "仓库|软件包|2021", "125", "", 3, 3)
			for _, c := range []*research.Claim{&a, &b} {
				c.Text, c.Quantities[0].Unit = "仓库有"+c.Quantities[0].Text+"个软件包。", "个"
				c.Quantities[0].Start, c.Quantities[0].End = len("仓库有"), len("仓库有")+3
			}
			return []research.Claim{a, b}
		}(), []string{
			"difference 25 2020至2021，仓库的软件包上升25个。",
			"growth 1/4 2020至2021，仓库的软件包上升25%。",
		}},
		{"two dates of one thing", []research.Claim{fact("a", "x|start|", "", "2024", 1, 1), fact("b", "x|start|", "", "2025", 1, 1)}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := map[string]bool{}
			for _, c := range Derive(tc.claims) {
				got[fmt.Sprintf("%s %s %s", c.Derivation.Rule, c.Derivation.Value, c.Text)] = true
				if c.Derivation.R != "1" || c.Derivation.Depth != 1 || len(c.Derivation.Basis) != 2 {
					t.Errorf("derivation %+v", *c.Derivation)
				}
			}
			if want := setOf(tc.want); !reflect.DeepEqual(got, want) {
				t.Errorf("Derive = %v, want %v", got, want)
			}
		})
	}
}

func TestPropagate(t *testing.T) {
	// The worked example of CHECKS 4.1: for 0.75 and 0.80 the bounds are 0.75, 0.60 and 0.55.
	basis := []research.Claim{fact("a", "", "", "", 2, 2), fact("b", "", "", "", 3, 3)}
	d, err := Propagate("difference", basis, "1", "")
	if err != nil {
		t.Fatal(err)
	}
	if d.Confidence != "3/4" || d.Product != "3/5" || d.Lower != "11/20" || d.Voices != 2 || d.Depth != 1 {
		t.Errorf("Propagate = %+v, want 3/4, 3/5, 11/20 over 2 voices", d)
	}
	if d, err = Propagate("interpretation", basis, "", ""); err != nil || d.Confidence != "3/8" {
		t.Errorf("Propagate(interpretation) = %+v, %v, want 3/8", d, err)
	}
	deep := research.Claim{ID: "d", Derivation: &research.Derivation{Confidence: "3/4", Depth: MaxDepth}}
	for _, tc := range []struct {
		name, rule string
		basis      []research.Claim
	}{
		{"unknown rule", "guess", basis},
		{"no basis", "sum", nil},
		{"not cross-validated", "sum", []research.Claim{{ID: "x"}}},
		{"flagged", "sum", []research.Claim{{ID: "x", Support: &research.Support{}, Flags: []string{"G09"}}}},
		{"too deep", "sum", []research.Claim{deep}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if _, err := Propagate(tc.rule, tc.basis, "1", ""); err == nil {
				t.Error("no error")
			}
		})
	}
}

// TestDeriveProperties wants the order of the claims not to matter, the three bounds to be in order, and the result to be bounded.
func TestDeriveProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		var claims []research.Claim
		for i := range r.IntN(30) {
			key := fmt.Sprintf("s%d|a%d|%d", r.IntN(3), r.IntN(2), 2000+r.IntN(6))
			if r.IntN(3) == 0 {
				claims = append(claims, fact(fmt.Sprintf("c%02d", i), fmt.Sprintf("s%d|d%d|", r.IntN(3), r.IntN(3)), "", fmt.Sprint(1990+r.IntN(20)), 1+r.IntN(3), 4))
				continue
			}
			claims = append(claims, fact(fmt.Sprintf("c%02d", i), key, fmt.Sprint(1+r.IntN(500)), "", 1+r.IntN(3), 3))
		}
		want := Derive(claims)
		if len(want) > maxDerived {
			t.Fatalf("%d claims derived", len(want))
		}
		for _, c := range want {
			d := c.Derivation
			if d.Lower.Cmp(d.Product) > 0 || d.Product.Cmp(d.Confidence) > 0 {
				t.Fatalf("bounds out of order: %+v", d)
			}
		}
		r.Shuffle(len(claims), func(i, j int) { claims[i], claims[j] = claims[j], claims[i] })
		if got := Derive(claims); !reflect.DeepEqual(got, want) {
			t.Fatalf("another order derived\n%v\nwant\n%v", got, want)
		}
	}
}

func TestContradictions(t *testing.T) {
	pub := func(c research.Claim, date string) research.Claim { c.Published = date; return c }
	grade := func(c research.Claim, g research.Grade) research.Claim { c.Grade = g; return c }
	say := func(id, text string) research.Claim { return research.Claim{ID: id, Source: "src" + id, Text: text} }
	a, b := fact("a", "debian|packages|2020", "100", "", 1, 1), fact("b", "debian|packages|2020", "125", "", 3, 3)
	tiers := Context{Sources: map[string]research.Source{"srca": {Tier: 1}, "srcb": {Tier: 3}}}
	for _, tc := range []struct {
		name   string
		claims []research.Claim
		ctx    Context
		want   string
	}{
		{"same value", []research.Claim{a, fact("b", "debian|packages|2020", "100", "", 1, 1)}, Context{}, ""},
		{"rounded value", []research.Claim{fact("a", "debian|packages|2020", "64,419", "", 1, 1), fact("b", "debian|packages|2020", "64,400", "", 1, 1)}, Context{}, ""},
		{"corroboration", []research.Claim{a, b}, Context{}, "direct a b corroboration b"},
		{"authority", []research.Claim{a, b}, tiers, "direct a b authority a"},
		{"grade", []research.Claim{grade(a, research.Primary), grade(b, research.Opinion)}, Context{}, "direct a b authority a"},
		{"recency", []research.Claim{pub(a, "2024-01"), pub(b, "2023-12-31")}, tiers, "direct a b recency a"},
		{"same month is not newer", []research.Claim{pub(a, "2024-01"), pub(b, "2024-01-31")}, tiers, "direct a b authority a"},
		{"unresolved", []research.Claim{a, fact("b", "debian|packages|2020", "125", "", 1, 1)}, Context{}, "direct a b unresolved "},
		{"contested", []research.Claim{pub(a, "2024"), pub(b, "2020")}, Context{Contested: true}, "direct a b contested "},
		{"another period", []research.Claim{a, fact("b", "debian|packages|2021", "125", "", 1, 1)}, Context{}, ""},
		{"over time", []research.Claim{pub(fact("a", "debian|packages|", "100", "", 1, 1), "2020"), pub(fact("b", "debian|packages|", "125", "", 1, 1), "2024")}, Context{}, "temporal a b recency b"},
		{"dates", []research.Claim{fact("a", "debian|founding|", "", "1993-08", 1, 1), fact("b", "debian|founding|", "", "1994", 2, 2)}, Context{}, "direct a b corroboration b"},
		{"coarser date", []research.Claim{fact("a", "debian|founding|", "", "1993-08", 1, 1), fact("b", "debian|founding|", "", "1993", 2, 2)}, Context{}, ""},
		{"negation", []research.Claim{say("a", "The board did approve the merger of both Dutch banks yesterday."), say("b", "The board did not approve the merger of both Dutch banks yesterday.")}, Context{}, "direct a b unresolved "},
		{"flagged", []research.Claim{a, func() research.Claim { c := b; c.Flags = []string{"G09"}; return c }()}, Context{}, ""},
		{"one source", []research.Claim{a, func() research.Claim { c := b; c.Source = a.Source; return c }()}, Context{}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got []string
			out := ContradictionsIn(tc.claims, tc.ctx)
			for _, c := range out {
				got = append(got, fmt.Sprintf("%s %s %s %s %s", c.Kind, c.A, c.B, c.Resolution, c.Preferred))
				if c.Reason == "" || c.ID != research.ID("x", c.A, c.B) {
					t.Errorf("contradiction %+v", c)
				}
			}
			if s := strings.Join(got, ";"); s != tc.want {
				t.Errorf("ContradictionsIn = %q, want %q", s, tc.want)
			}
			if len(tc.claims) == 2 {
				turned := []research.Claim{tc.claims[1], tc.claims[0]}
				if again := ContradictionsIn(turned, tc.ctx); !reflect.DeepEqual(out, again) {
					t.Errorf("turned round: %v, want %v", again, out)
				}
			}
		})
	}
}
