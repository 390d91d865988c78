package evidence

import (
	"cmp"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"assay/engine/research"
	"assay/engine/text"
)

// Rules of derivation that code applies. All are recomputed exactly, so their strength is 1 (CHECKS 4.1).
const (
	ruleDifference = "difference" // later value less earlier value, in the unit of both
	ruleGrowth     = "growth"     // (later - earlier) / earlier
	ruleRatio      = "ratio"      // larger value / smaller value
	ruleOrder      = "order"      // what happened first; the value is the interval
	ruleInterval   = "interval"   // time between two dates, in days, months or years as the coarser date allows
)

// Strength returns r, the strength of a rule of derivation, and whether the rule is known. Source: CHECKS 4.1; the values
// under 1 are starting values, to be replaced by the measured precision of each rule.
func Strength(rule string) (research.Ratio, bool) {
	switch rule {
	case ruleDifference, ruleGrowth, ruleRatio, "sum", ruleOrder, ruleInterval:
		return "1", true
	case "trend", "comparison":
		return "9/10", true
	case "generalisation":
		return "7/10", true
	case "interpretation":
		return "1/2", true
	}
	return "", false
}

// MaxDepth is the longest chain of derived claims.
const MaxDepth = 3

// maxDerived bounds the claims one call derives; a series of n points gives about 3n.
const maxDerived = 128

// maxPeers bounds how many subjects are compared for one attribute and period.
const maxPeers = 8

// Propagate returns a derivation by rule over basis with its numbers: Eq. 4 (r times the least confidence, which is the
// upper bound of a conjunction), the product (independent errors) and the Frechet lower bound. It is an error when the rule
// is unknown, a claim of the basis is missing its confidence or was flagged, or the chain is deeper than [MaxDepth].
func Propagate(rule string, basis []research.Claim, value research.Ratio, reasoning string) (research.Derivation, error) {
	r, ok := Strength(rule)
	if !ok {
		return research.Derivation{}, fmt.Errorf("derive by %q: no such rule", rule)
	}
	if len(basis) == 0 {
		return research.Derivation{}, fmt.Errorf("derive by %s: no claims to derive from", rule)
	}
	d := research.Derivation{Rule: rule, Value: value, R: r, Reasoning: reasoning, Voices: -1}
	least, product, sum := big.NewRat(1, 1), big.NewRat(1, 1), new(big.Rat)
	for _, c := range basis {
		if len(c.Flags) > 0 || c.Support == nil && c.Derivation == nil {
			return research.Derivation{}, fmt.Errorf("derive by %s: claim %s is flagged or was not cross-validated", rule, c.ID)
		}
		s := strengthOf(c)
		if s.conf.Cmp(least) < 0 {
			least = s.conf
		}
		product.Mul(product, s.conf)
		sum.Add(sum, s.conf)
		if d.Voices < 0 || s.voices < d.Voices {
			d.Voices = s.voices
		}
		if c.Derivation != nil {
			d.Depth = max(d.Depth, c.Derivation.Depth)
		}
		d.Basis = append(d.Basis, c.ID)
	}
	if d.Depth++; d.Depth > MaxDepth {
		return research.Derivation{}, fmt.Errorf("derive by %s: %d steps deep, at most %d are allowed", rule, d.Depth, MaxDepth)
	}
	ratio := func(x *big.Rat) research.Ratio { return r.Mul(research.Ratio(x.RatString())) }
	d.Confidence, d.Product, d.Lower = ratio(least), ratio(product), ratio(frechet(sum, len(basis)))
	return d, nil
}

// point is a claim with its one value and the parts of its key.
type point struct {
	claim                      research.Claim
	subject, attribute, period string
	q                          *research.Quantity // the one value, when there is exactly one
	date                       string             // the one date, when there is exactly one
}

// Derive returns the claims that follow from claims by arithmetic (Alg. 3): difference and growth between neighbouring
// periods of one series and between its ends, the ratio between subjects for one attribute and period, the order in time of
// dated subjects of one attribute, and the interval between two dates of one subject.
//
// A series is the claims that share subject and attribute of their key. Only a claim that carries exactly one value (years,
// versions and ordinals aside) or exactly one date, was cross-validated, is not flagged and not in the Reject band is used. The
// basis is in the order in which the rule reads it, earlier or larger first for ratio, earlier first otherwise. The result is sorted by
// identifier, has no duplicates and at most 128 claims.
func Derive(claims []research.Claim) []research.Claim {
	points := pointsOf(claims)
	var out []research.Claim
	out = append(out, seriesRules(points)...)
	out = append(out, peerRules(points)...)
	out = append(out, intervalRules(points)...)
	slices.SortFunc(out, func(a, b research.Claim) int { return cmp.Compare(a.ID, b.ID) })
	out = slices.CompactFunc(out, func(a, b research.Claim) bool { return a.ID == b.ID })
	if len(out) > maxDerived {
		out = out[:maxDerived]
	}
	return out
}

// pointsOf returns the usable claims with a key, one for each key and value (the best supported), sorted.
func pointsOf(claims []research.Claim) []point {
	var points []point
	for _, c := range claims {
		subject, attribute, period, ok := splitKey(c.Key)
		if !ok || len(c.Flags) > 0 || c.Support == nil && c.Derivation == nil || ClaimBand(c) == research.Reject {
			continue
		}
		p := point{claim: c, subject: subject, attribute: attribute, period: period, q: soleValue(c)}
		if len(c.Dates) == 1 {
			p.date = c.Dates[0]
		}
		points = append(points, p)
	}
	slices.SortFunc(points, func(a, b point) int {
		return cmp.Or(cmp.Compare(a.subject, b.subject), cmp.Compare(a.attribute, b.attribute), cmp.Compare(a.period, b.period),
			-strengthOf(a.claim).conf.Cmp(strengthOf(b.claim).conf), cmp.Compare(a.claim.ID, b.claim.ID))
	})
	// Restatements of one key are one point; the first, best supported, stands for them.
	return slices.CompactFunc(points, func(a, b point) bool {
		return a.subject == b.subject && a.attribute == b.attribute && a.period == b.period && a.period != ""
	})
}

// splitKey reads "subject|attribute|period"; the period may be empty.
func splitKey(key string) (subject, attribute, period string, ok bool) {
	parts := strings.Split(key, "|")
	if len(parts) != 3 || parts[0] == "" || parts[1] == "" {
		return "", "", "", false
	}
	return parts[0], parts[1], parts[2], true
}

// soleValue returns the quantity of a claim that its key is about: the only one in the unit of the attribute, or else the
// only one that is a value; nil when there is none or more than one.
func soleValue(c research.Claim) *research.Quantity {
	_, attribute, _, ok := splitKey(c.Key)
	if !ok {
		return soleOf(c.Text, c.Quantities)
	}
	var found *research.Quantity
	for i := range c.Quantities {
		q := &c.Quantities[i]
		if _, unit := text.Canonical(*q); text.Fold(unit) != attribute && text.Fold(q.Unit) != attribute {
			continue
		}
		if found != nil {
			return nil
		}
		found = q
	}
	if found == nil {
		return soleOf(c.Text, c.Quantities)
	}
	return found
}

// soleOf returns the only value among the quantities of a text: not a year, a version or an ordinal, nor part of a name.
func soleOf(s string, quantities []research.Quantity) *research.Quantity {
	var found *research.Quantity
	for i := range quantities {
		q := &quantities[i]
		if q.Kind == research.Year || q.Kind == research.Version || q.Kind == research.Ordinal || partOfName(s, q) {
			continue
		}
		if found != nil {
			return nil
		}
		found = q
	}
	return found
}

// partOfName reports whether a number without a unit stands right after a capitalised word, as in "Debian 12".
func partOfName(s string, q *research.Quantity) bool {
	return q.Unit == "" && q.Kind == research.Count && nameBefore.MatchString(s[:min(max(q.Start, 0), len(s))])
}

var nameBefore = regexp.MustCompile(`(?:^|[^A-Za-z])[A-Z][A-Za-z]*[ -]$`)

// commensurable reports whether two values may be set against each other.
func commensurable(a, b *research.Quantity) bool {
	return a != nil && b != nil && a.Kind == b.Kind && a.Unit == b.Unit
}

// seriesRules applies difference and growth within each series.
func seriesRules(points []point) []research.Claim {
	var out []research.Claim
	for _, series := range runs(points, func(a, b point) bool { return a.subject == b.subject && a.attribute == b.attribute }) {
		series = slices.DeleteFunc(slices.Clone(series), func(p point) bool { return p.q == nil || !isPeriod(p.period) })
		for i := 1; i < len(series); i++ {
			out = append(out, change(series[i-1], series[i])...)
		}
		if n := len(series); n > 2 {
			out = append(out, change(series[0], series[n-1])...)
		}
	}
	return out
}

// change derives the difference and, for a positive start, the growth from a to b.
func change(a, b point) []research.Claim {
	if !commensurable(a.q, b.q) {
		return nil
	}
	diff := b.q.Value.Sub(a.q.Value)
	if diff.Rat().Sign() == 0 {
		return nil
	}
	size := research.Ratio(new(big.Rat).Abs(diff.Rat()).RatString())
	w := wordsFor(a, b)
	amount := printed(size, 2)
	if a.q.Kind == research.Percent {
		amount += w.points
	} else if a.q.Unit != "" {
		amount += w.space + a.q.Unit
	}
	how := w.rose
	if diff.Rat().Sign() < 0 {
		how = w.fell
	}
	reasoning := fmt.Sprintf("%s (%s), %s (%s)", a.q.Text, a.period, b.q.Text, b.period)
	out := derived(ruleDifference, diff, []point{a, b}, fmt.Sprintf(w.change, a.period, b.period, a.attribute, a.name(), how, amount), reasoning)
	if a.q.Value.Rat().Sign() > 0 && a.q.Kind != research.Percent {
		growth := research.Ratio(new(big.Rat).Quo(diff.Rat(), a.q.Value.Rat()).RatString())
		share := size.Mul("100").Rat()
		share.Quo(share, a.q.Value.Rat())
		out = append(out, derived(ruleGrowth, growth, []point{a, b},
			fmt.Sprintf(w.change, a.period, b.period, a.attribute, a.name(), how, printed(research.Ratio(share.RatString()), 1)+"%"), reasoning)...)
	}
	return out
}

// phrases are the sentences of derived claims in one language. Verbs are given the order of their words by index: 1 and 2 are periods
// or dates, 3 the attribute, 4 the subject.
type phrases struct {
	change, rose, fell, points, space, ratio, order, interval string
	unit                                                      map[string]string
}

var english = phrases{
	change: "Between %[1]s and %[2]s, %[3]s of %[4]s %[5]s by %[6]s.", rose: "rose", fell: "fell", points: " percentage points", space: " ",
	ratio:    "In %[3]s, %[4]s stands at %[5]s times %[6]s%[7]s.",
	order:    "%[4]s (%[3]s: %[1]s) came before %[5]s (%[3]s: %[2]s).",
	interval: "%[4]s: %[6]d %[7]s lie between %[3]s (%[1]s) and %[5]s (%[2]s).",
	unit:     map[string]string{"years": "years", "months": "months", "days": "days"},
}

var chinese = phrases{
	change: "%[1]s至%[2]s，%[4]s的%[3]s%[5]s%[6]s。", rose: "上升", fell: "下降", points: "个百分点",
	ratio:    "就%[3]s而言，%[4]s是%[6]s的%[5]s倍%[7]s。",
	order:    "%[4]s（%[3]s：%[1]s）早于%[5]s（%[3]s：%[2]s）。",
	interval: "%[4]s：从%[3]s（%[1]s）到%[5]s（%[2]s）相隔%[6]d%[7]s。",
	unit:     map[string]string{"years": "年", "months": "个月", "days": "天"},
}

// wordsFor chooses the language of a derived claim: Chinese when both claims of its basis are.
func wordsFor(a, b point) phrases {
	if langOf(a.claim.Text) == "zh" && text.Lang(b.claim.Text) == "zh" {
		return chinese
	}
	return english
}

// name returns the subject as the claim writes it, or as its key does.
func (p point) name() string {
	if p.claim.Subject != "" {
		return p.claim.Subject
	}
	return p.subject
}

// peerRules compares different subjects: the ratio for one attribute and period, the order in time for one attribute.
func peerRules(points []point) []research.Claim {
	byAttribute := slices.Clone(points)
	slices.SortStableFunc(byAttribute, func(a, b point) int {
		return cmp.Or(cmp.Compare(a.attribute, b.attribute), cmp.Compare(a.period, b.period))
	})
	var out []research.Claim
	same := func(a, b point) bool { return a.attribute == b.attribute && a.period == b.period }
	for _, peers := range runs(byAttribute, same) {
		peers = slices.DeleteFunc(slices.Clone(peers), func(p point) bool { return p.q == nil || p.q.Value.Rat().Sign() <= 0 })
		if len(peers) > maxPeers {
			continue // which of so many to compare is the writer's choice, not arithmetic's
		}
		for i := range peers {
			for j := i + 1; j < len(peers); j++ {
				out = append(out, quotient(peers[i], peers[j])...)
			}
		}
	}
	for _, peers := range runs(byAttribute, func(a, b point) bool { return a.attribute == b.attribute }) {
		dated := slices.DeleteFunc(slices.Clone(peers), func(p point) bool { return p.date == "" || p.q != nil })
		slices.SortStableFunc(dated, func(a, b point) int { return cmp.Or(cmp.Compare(a.date, b.date), cmp.Compare(a.claim.ID, b.claim.ID)) })
		for i := 1; i < len(dated); i++ {
			a, b := dated[i-1], dated[i]
			if n, _, ok := between(a.date, b.date); ok && n > 0 && a.subject != b.subject {
				out = append(out, derived(ruleOrder, research.NewRatio(n, 1), []point{a, b},
					fmt.Sprintf(wordsFor(a, b).order, a.date, b.date, a.attribute, capital(a.name()), b.name()), a.date+", "+b.date)...)
			}
		}
	}
	return out
}

// quotient derives how many times the larger of two values is the smaller.
func quotient(a, b point) []research.Claim {
	if a.subject == b.subject || !commensurable(a.q, b.q) || a.q.Kind == research.Percent {
		return nil
	}
	c := a.q.Value.Cmp(b.q.Value)
	if c == 0 {
		return nil
	}
	if c < 0 {
		a, b = b, a
	}
	v := research.Ratio(new(big.Rat).Quo(a.q.Value.Rat(), b.q.Value.Rat()).RatString())
	when := ""
	if a.period != "" {
		when = " (" + a.period + ")"
	}
	return derived(ruleRatio, v, []point{a, b},
		fmt.Sprintf(wordsFor(a, b).ratio, "", "", a.attribute, a.name(), printed(v, 2), b.name(), when), a.q.Text+" / "+b.q.Text)
}

// intervalRules derives the time between consecutive dates of one subject.
func intervalRules(points []point) []research.Claim {
	var out []research.Claim
	for _, own := range runs(points, func(a, b point) bool { return a.subject == b.subject }) {
		dated := slices.DeleteFunc(slices.Clone(own), func(p point) bool { return p.date == "" || p.q != nil })
		slices.SortStableFunc(dated, func(a, b point) int { return cmp.Or(cmp.Compare(a.date, b.date), cmp.Compare(a.claim.ID, b.claim.ID)) })
		for i := 1; i < len(dated); i++ {
			a, b := dated[i-1], dated[i]
			n, unit, ok := between(a.date, b.date)
			if !ok || n == 0 || a.attribute == b.attribute && a.period == b.period {
				continue // two dates of one thing are a contradiction, not an interval
			}
			w := wordsFor(a, b)
			if unit = w.unit[unit]; n == 1 {
				unit = strings.TrimSuffix(unit, "s")
			}
			out = append(out, derived(ruleInterval, research.NewRatio(n, 1), []point{a, b},
				fmt.Sprintf(w.interval, a.date, b.date, a.attribute, capital(a.name()), b.attribute, n, unit), a.date+", "+b.date)...)
		}
	}
	return out
}

// derived makes the claim; it is dropped when it would be too deep.
func derived(rule string, value research.Ratio, basis []point, sentence, reasoning string) []research.Claim {
	claims := make([]research.Claim, len(basis))
	ids := []string{rule}
	for i, p := range basis {
		claims[i] = p.claim
		ids = append(ids, p.claim.ID)
	}
	d, err := Propagate(rule, claims, value, reasoning)
	if err != nil {
		return nil
	}
	return []research.Claim{{
		ID: research.ID("c", ids...), Text: sentence, Facet: claims[0].Facet, Subject: basis[0].name(), Predicate: rule,
		Relevance: lesser(claims[0].Relevance, claims[len(claims)-1].Relevance), By: "derive", Derivation: &d,
	}}
}

// lesser returns the smaller of two ratios, the known one when only one is known.
func lesser(a, b research.Ratio) research.Ratio {
	if !a.Known() || b.Known() && b.Cmp(a) < 0 {
		return b
	}
	return a
}

// runs splits a sorted slice where neighbours are no longer the same.
func runs(points []point, same func(a, b point) bool) [][]point {
	var out [][]point
	for i := 0; i < len(points); {
		j := i + 1
		for j < len(points) && same(points[i], points[j]) {
			j++
		}
		out = append(out, points[i:j])
		i = j
	}
	return out
}

// printed writes a number with at most so many decimals and groups of three, without trailing zeros: 1234.5 is "1,234.5".
func printed(r research.Ratio, decimals int) string {
	s := r.Decimal(decimals)
	whole, frac, _ := strings.Cut(s, ".")
	frac = strings.TrimRight(frac, "0")
	neg := strings.TrimPrefix(whole, "-") != whole
	whole = strings.TrimPrefix(whole, "-")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if frac != "" {
		whole += "." + frac
	}
	if neg {
		whole = "-" + whole
	}
	return whole
}

// capital upper-cases the first ASCII letter.
func capital(s string) string {
	if s != "" && s[0] >= 'a' && s[0] <= 'z' {
		return string(s[0]-'a'+'A') + s[1:]
	}
	return s
}
