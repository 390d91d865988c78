package checks

import (
	"fmt"
	"testing"

	"assay/engine/evidence"
	"assay/engine/research"
)

// TestDerivedStand: what evidence.Derive works out is what arithmeticinconsistent recomputes, for every rule; with another
// value it is not.
func TestDerivedStand(t *testing.T) {
	support := &research.Support{K: 3, N: 3, Raw: "1", Confidence: "4/5", Band: research.Accept}
	var claims []research.Claim
	add := func(key string, value int64, date string) {
		c := research.Claim{ID: fmt.Sprintf("c%d", len(claims)), Key: key, Facet: "f1", Relevance: "1", Support: support}
		if date != "" {
			c.Dates = []string{date}
		} else {
			c.Quantities = []research.Quantity{{Value: research.NewRatio(value, 1), Kind: research.Count, Unit: "ships", Text: fmt.Sprint(value)}}
		}
		claims = append(claims, c)
	}
	for i, year := range []string{"2019", "2020", "2021", "2022"} {
		add("old harbour|traffic|"+year, int64(120+i*i*17), "")
		add("new harbour|traffic|"+year, int64(300-i*41), "")
	}
	add("old harbour|opening|", 0, "1901-03-09")
	add("new harbour|opening|", 0, "2015-11-24")
	add("old harbour|repair|", 0, "1950-06")
	add("new harbour|fire|", 0, "2017")
	add("old harbour|closing|", 0, "1999-01-31")
	derived := evidence.Derive(claims)
	rules := map[string]int{}
	for _, d := range derived {
		v := View{Claims: map[string]research.Claim{d.ID: d}}
		for _, c := range claims {
			v.Claims[c.ID] = c
		}
		rules[d.Derivation.Rule]++
		if hits := evalArithmeticInconsistent(v, Key{KeyClaim, d.ID}); len(hits) > 0 {
			t.Errorf("%s (%s): %v", d.Text, d.Derivation.Rule, hits)
		}
		wrong := *d.Derivation
		wrong.Value = wrong.Value.Add("1/7")
		d.Derivation = &wrong
		v.Claims[d.ID] = d
		if len(evalArithmeticInconsistent(v, Key{KeyClaim, d.ID})) == 0 {
			t.Errorf("%s (%s) with another value stands", d.Text, d.Derivation.Rule)
		}
	}
	for _, rule := range []string{"difference", "growth", "ratio", "order", "interval"} {
		if rules[rule] == 0 {
			t.Errorf("nothing was derived by %s: %v", rule, rules)
		}
	}
}
