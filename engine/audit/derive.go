package audit

import (
	"math/big"
	"regexp"
	"strings"
	"time"

	"assay/engine/research"
)

// strength is r of each rule (CHECKS 4.1).
var strength = map[string]*big.Rat{
	"difference": big.NewRat(1, 1), "growth": big.NewRat(1, 1), "ratio": big.NewRat(1, 1), "sum": big.NewRat(1, 1),
	"order": big.NewRat(1, 1), "interval": big.NewRat(1, 1), "trend": big.NewRat(9, 10), "comparison": big.NewRat(9, 10),
	"generalisation": big.NewRat(7, 10), "interpretation": big.NewRat(1, 2),
}

// deepest is the longest chain of derived claims.
const deepest = 3

// derivation recomputes Eq. 4, the product, the lower bound and, for a rule of arithmetic, the value.
func (c *checker) derivation(where string, cl research.Claim) {
	d := cl.Derivation
	r, ok := strength[d.Rule]
	if !c.want(ok, where, "unknown rule %q", d.Rule) || !c.want(len(d.Basis) > 0, where, "is derived from nothing") {
		return
	}
	same(c, where, "r of rule "+d.Rule, d.R, ratio(r))
	depth := c.depth(cl.ID, map[string]bool{})
	if !c.want(depth > 0, where, "its chain of derivation is circular or names a claim that is not in the digest") {
		return
	}
	same(c, where, "depth", d.Depth, depth)
	c.want(depth <= deepest, where, "is derived in %d steps, at most %d are allowed", depth, deepest)
	least, product, sum, voices := big.NewRat(1, 1), big.NewRat(1, 1), new(big.Rat), -1
	for _, id := range d.Basis {
		b := c.d.Claims[id]
		c.want(len(b.Flags) == 0, where, "its basis %s is flagged by %v", id, b.Flags)
		conf, v := confidenceOf(b)
		if conf.Cmp(least) < 0 {
			least = conf
		}
		product.Mul(product, conf)
		sum.Add(sum, conf)
		if voices < 0 || v < voices {
			voices = v
		}
	}
	same(c, where, "voices", d.Voices, voices)
	same(c, where, "confidence", d.Confidence, ratio(new(big.Rat).Mul(r, least)))
	same(c, where, "product", d.Product, ratio(new(big.Rat).Mul(r, product)))
	same(c, where, "lower bound", d.Lower, ratio(new(big.Rat).Mul(r, lowerBound(sum, len(d.Basis)))))
	c.value(where, d)
}

// depth returns how many steps of derivation a claim stands on; -1 for a circle or a missing claim.
func (c *checker) depth(id string, above map[string]bool) int {
	cl, ok := c.d.Claims[id]
	if !ok || above[id] || len(above) > 64 {
		return -1
	}
	if cl.Derivation == nil {
		return 0
	}
	above[id] = true
	defer delete(above, id)
	most := 0
	for _, b := range cl.Derivation.Basis {
		n := c.depth(b, above)
		if n < 0 {
			return -1
		}
		most = max(most, n)
	}
	return most + 1
}

// lowerBound is max(0, sum - (m-1)).
func lowerBound(sum *big.Rat, m int) *big.Rat {
	v := new(big.Rat).Sub(sum, big.NewRat(int64(m)-1, 1))
	if v.Sign() < 0 {
		return new(big.Rat)
	}
	return v
}

// confidenceOf returns the confidence of a claim, which is checked where the claim is, and the voices behind it.
func confidenceOf(cl research.Claim) (*big.Rat, int) {
	switch {
	case cl.Derivation != nil:
		return rat(cl.Derivation.Confidence), cl.Derivation.Voices
	case cl.Support != nil:
		voices := cl.Support.K
		if cl.Support.Perspect && cl.Support.Band != research.Accept {
			voices = min(voices, 1)
		}
		return rat(cl.Support.Confidence), voices
	}
	return new(big.Rat), 0
}

// value recomputes the value of a rule of arithmetic over the claims of its basis.
func (c *checker) value(where string, d *research.Derivation) {
	var nums []*big.Rat
	var dates []string
	for _, id := range d.Basis {
		b := c.d.Claims[id]
		if v, ok := soleNumber(b); ok {
			nums = append(nums, v)
		}
		if len(b.Dates) == 1 {
			dates = append(dates, b.Dates[0])
		}
	}
	var v *big.Rat
	switch d.Rule {
	case "difference", "growth", "ratio", "sum":
		if !c.want(len(nums) == len(d.Basis), where, "rule %s: a claim of its basis does not have exactly one value", d.Rule) {
			return
		}
		v = arithmetic(d.Rule, nums)
	case "order", "interval":
		if !c.want(len(dates) == 2 && len(d.Basis) == 2, where, "rule %s: its basis is not two claims of one date each", d.Rule) {
			return
		}
		if n, ok := span(dates[0], dates[1]); ok && n > 0 {
			v = big.NewRat(n, 1)
		}
	default:
		return // a reading, not arithmetic: its value is not computed
	}
	if c.want(v != nil, where, "rule %s cannot be applied to its basis", d.Rule) {
		same(c, where, "value", d.Value, ratio(v))
	}
}

// arithmetic applies a rule; nil when it cannot.
func arithmetic(rule string, n []*big.Rat) *big.Rat {
	if rule == "sum" {
		sum := new(big.Rat)
		for _, x := range n {
			sum.Add(sum, x)
		}
		return sum
	}
	if len(n) != 2 {
		return nil
	}
	diff := new(big.Rat).Sub(n[1], n[0])
	switch {
	case rule == "difference":
		return diff
	case rule == "growth" && n[0].Sign() > 0:
		return diff.Quo(diff, n[0])
	case rule == "ratio" && n[1].Sign() > 0:
		return new(big.Rat).Quo(n[0], n[1])
	}
	return nil
}

// afterName ends the text before a number that is part of a name, as in "Debian 12".
var afterName = regexp.MustCompile(`(?:^|[^A-Za-z])[A-Z][A-Za-z]*[ -]$`)

// soleNumber returns the only value of a claim, years, versions, ordinals and numbers that are part of a name aside.
func soleNumber(cl research.Claim) (*big.Rat, bool) {
	var v *big.Rat
	for _, q := range cl.Quantities {
		if q.Kind == research.Year || q.Kind == research.Version || q.Kind == research.Ordinal {
			continue
		}
		if q.Kind == research.Count && q.Unit == "" && afterName.MatchString(cl.Text[:min(max(q.Start, 0), len(cl.Text))]) {
			continue
		}
		if v != nil {
			return nil, false
		}
		v = rat(q.Value)
	}
	return v, v != nil
}

// span returns the time between two partial ISO dates, in years when one has no month, months when one has no day, days
// otherwise.
func span(a, b string) (int64, bool) {
	n := min(len(strings.Split(a, "-")), len(strings.Split(b, "-")))
	read := func(s string) (time.Time, bool) {
		t, err := time.Parse("2006-01-02", (s + "-01-01")[:min(10, len(s)+6)])
		return t, err == nil
	}
	x, okx := read(a)
	y, oky := read(b)
	if !okx || !oky {
		return 0, false
	}
	years := int64(y.Year() - x.Year())
	switch n {
	case 1:
		return years, true
	case 2:
		return years*12 + int64(y.Month()) - int64(x.Month()), true
	}
	return int64(y.Sub(x).Hours()) / 24, true
}
