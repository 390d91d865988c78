package evidence

import (
	"cmp"
	"math/big"
	"slices"
	"strings"

	"assay/engine/research"
	"assay/engine/text"
)

// Kinds and resolutions of a contradiction.
const (
	kindDirect   = "direct"
	kindTemporal = "temporal"

	byRecency       = "recency"
	byAuthority     = "authority"
	byCorroboration = "corroboration"
	unresolved      = "unresolved"
	contested       = "contested"
)

// Evolution is the resolution of a pair of which both hold, each at its time: one thing that changed, and no disagreement.
const Evolution = "evolution"

// Context is what resolves contradictions beside the claims. The zero value knows no sources: then authority is not used.
type Context struct {
	Sources   map[string]research.Source // by identifier, for the trust tier
	Contested bool                       // the question is contested: sides are annotated, none is preferred
}

// Bounds of the search for contradictions.
const (
	maxPerKey   = 64 // claims of one key that are compared
	maxPostings = 50 // claims that share a stem; a commoner stem finds no pairs
)

// Contradictions is [ContradictionsIn] without sources and for a question that is not contested.
func Contradictions(claims []research.Claim) []research.Contradiction {
	return ContradictionsIn(claims, Context{})
}

// ContradictionsIn returns the pairs of claims that cannot both hold.
//
// Direct: same subject, attribute and period, and values or dates that differ beyond rounding; or two sentences alike but
// for a negation or an opposite. Temporal: same subject and attribute, values that differ, and each said of a time of its own, which
// is one thing that changed and no conflict; or no period stated, and sources of different dates, so that time may explain it. Indirect: see indirect.go. Claims of one source are not compared, nor are derived or flagged ones.
//
// Resolution is by recency (of direct pairs too, as HDRI 4.6.2 says), then authority (source tier, then grade of evidence),
// then corroboration (confirming voices); equal in all: unresolved. In a contested question none is preferred. Both claims stay in the record. The result is sorted by
// the identifiers of the two claims, A before B.
func ContradictionsIn(claims []research.Claim, ctx Context) []research.Contradiction {
	var usable []research.Claim
	for _, c := range claims {
		if c.Derivation == nil && len(c.Flags) == 0 {
			usable = append(usable, c)
		}
	}
	slices.SortFunc(usable, func(a, b research.Claim) int { return cmp.Compare(a.ID, b.ID) })
	usable = slices.CompactFunc(usable, func(a, b research.Claim) bool { return a.ID == b.ID })

	found := map[[2]string]research.Contradiction{}
	add := func(a, b research.Claim, kind, reason string) {
		key := [2]string{a.ID, b.ID}
		if _, ok := found[key]; ok {
			return
		}
		if kind == kindTemporal {
			reason = atTimes(a, b, reason)
		}
		c := research.Contradiction{ID: research.ID("x", a.ID, b.ID), Kind: kind, A: a.ID, B: b.ID, Reason: reason}
		c.Resolution, c.Preferred = resolve(a, b, ctx)
		found[key] = c
	}
	byKey := map[string][]research.Claim{}
	for _, c := range usable {
		if _, _, _, ok := splitKey(c.Key); ok && len(byKey[c.Key]) < maxPerKey {
			byKey[c.Key] = append(byKey[c.Key], c)
		}
	}
	for _, group := range byKey {
		for i, a := range group {
			for _, b := range group[i+1:] {
				if reason := differ(a, b); reason != "" && a.Source != b.Source {
					add(a, b, kindOf(a, b), reason)
				}
			}
		}
	}
	for _, p := range alike(usable) {
		a, b := usable[p[0]], usable[p[1]]
		if reason := flipped(a.Text, b.Text); reason != "" && a.Source != b.Source {
			add(a, b, kindDirect, reason)
		}
	}
	for _, x := range indirect(usable) {
		add(usable[min(x.a, x.b)], usable[max(x.a, x.b)], kindIndirect, x.reason)
	}
	out := make([]research.Contradiction, 0, len(found))
	for _, c := range found {
		out = append(out, c)
	}
	slices.SortFunc(out, func(x, y research.Contradiction) int { return cmp.Or(cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B)) })
	return out
}

// otherTime reports whether two claims speak of different times: both say of which, and neither time is a part of the other.
func otherTime(a, b research.Claim) bool {
	return a.AsOf != "" && b.AsOf != "" && !strings.HasPrefix(a.AsOf, b.AsOf) && !strings.HasPrefix(b.AsOf, a.AsOf)
}

// atTimes puts the times of two claims before what they differ in, when each speaks of a time of its own.
func atTimes(a, b research.Claim, reason string) string {
	if !otherTime(a, b) {
		return reason
	}
	return a.AsOf + " and " + b.AsOf + ": " + reason
}

// kindOf tells a temporal pair: each speaks of a time of its own, or no period stands in the key, and publication dates are known and
// differ.
func kindOf(a, b research.Claim) string {
	if otherTime(a, b) {
		return kindTemporal
	}
	_, _, period, _ := splitKey(a.Key)
	if period == "" && newer(a.Published, b.Published) != 0 {
		return kindTemporal
	}
	return kindDirect
}

// differ returns why two claims of one key cannot both hold; empty when they can.
func differ(a, b research.Claim) string {
	if p, q := soleValue(a), soleValue(b); commensurable(p, q) {
		if !roundsTo(p, q) && !roundsTo(q, p) {
			return "the values are " + p.Text + " and " + q.Text
		}
		return ""
	}
	if len(a.Dates) == 1 && len(b.Dates) == 1 && soleValue(a) == nil && soleValue(b) == nil {
		if x, y := a.Dates[0], b.Dates[0]; !strings.HasPrefix(x, y) && !strings.HasPrefix(y, x) {
			return "the dates are " + x + " and " + y
		}
	}
	return ""
}

// flipped returns why two sentences that stay close to each other say opposite things.
func flipped(a, b string) string {
	if m := Polarity(a, b); !m.OK {
		return m.Reason
	}
	if m := Direction(a, b); !m.OK {
		return m.Reason
	}
	return turned(a, b)
}

// roundsTo reports whether exact, rounded to the digits in which rounded is printed, is rounded. A number of few digits may
// be off by 5 % at most: 1,130 is not 1,000.
func roundsTo(exact, rounded *research.Quantity) bool {
	e, r := exact.Value.Rat(), rounded.Value.Rat()
	if e.Cmp(r) == 0 {
		return true
	}
	return roundAt(e, unitOfLastDigit(rounded)).Cmp(r) == 0 && withinTolerance(e, r)
}

// withinTolerance reports whether two values differ by at most 5 % of the second.
func withinTolerance(a, b *big.Rat) bool {
	gap := new(big.Rat).Sub(a, b)
	return gap.Abs(gap).Cmp(new(big.Rat).Mul(new(big.Rat).Abs(b), tolerance)) <= 0
}

// unitOfLastDigit returns the worth of the last significant digit of a quantity as printed: 1/10 for "4.2", 100000 for "4.2
// million", 1000 for "15,000" (zeros at the end of a whole number may be rounding).
func unitOfLastDigit(q *research.Quantity) *big.Rat {
	digits, decimals, seen := 0, 0, false
	for _, r := range q.Text {
		switch {
		case r >= '0' && r <= '9':
			digits++
			if seen {
				decimals++
			}
		case r == '.' && digits > 0:
			seen = true
		case digits > 0 && r != ',' && r != ' ' && r != '\u00a0' && r != '\u202f' && r != '\'':
			goto done
		}
	}
done:
	v := new(big.Rat).Abs(q.Value.Rat())
	if digits == 0 || v.Sign() == 0 {
		return big.NewRat(1, 1)
	}
	// What one unit of the printed mantissa is worth: the scale word, or 1.
	scale := scaleOf(q)
	if seen && decimals > 0 {
		return scale.Mul(scale, pow10(-decimals))
	}
	unit := new(big.Rat).Set(scale)
	for ten := big.NewRat(10, 1); ; {
		next := new(big.Rat).Mul(unit, ten)
		if !new(big.Rat).Quo(v, next).IsInt() {
			return unit
		}
		unit = next
	}
}

// scaleOf returns how many times the printed mantissa the value is: 1000000 for "4.2 million". It is 1 when the mantissa
// cannot be read.
func scaleOf(q *research.Quantity) *big.Rat {
	var mantissa strings.Builder
	for _, r := range q.Text {
		if r >= '0' && r <= '9' || r == '.' && mantissa.Len() > 0 {
			mantissa.WriteRune(r)
			continue
		}
		if mantissa.Len() > 0 && r != ',' && r != ' ' && r != '\u00a0' && r != '\u202f' && r != '\'' {
			break
		}
	}
	m, ok := new(big.Rat).SetString(strings.TrimSuffix(mantissa.String(), "."))
	if !ok || m.Sign() == 0 {
		return big.NewRat(1, 1)
	}
	return new(big.Rat).Abs(new(big.Rat).Quo(q.Value.Rat(), m))
}

// pow10 returns 10 to the power n.
func pow10(n int) *big.Rat {
	p := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(n, -n))), nil)
	if n < 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), p)
	}
	return new(big.Rat).SetInt(p)
}

// roundAt rounds v to a multiple of unit, half away from zero.
func roundAt(v, unit *big.Rat) *big.Rat {
	q := new(big.Rat).Quo(v, unit)
	n, _ := new(big.Int).SetString(q.FloatString(0), 10)
	return new(big.Rat).Mul(new(big.Rat).SetInt(n), unit)
}

// resolve applies the order of HDRI: recency, authority, corroboration.
func resolve(a, b research.Claim, ctx Context) (resolution, preferred string) {
	if ctx.Contested {
		return contested, ""
	}
	if otherTime(a, b) {
		return Evolution, ""
	}
	pick := func(c int) string {
		if c > 0 {
			return a.ID
		}
		return b.ID
	}
	if c := newer(a.Published, b.Published); c != 0 {
		return byRecency, pick(c)
	}
	if c := higher(a, b, ctx.Sources); c != 0 {
		return byAuthority, pick(c)
	}
	if c := voices(a) - voices(b); c != 0 {
		return byCorroboration, pick(c)
	}
	return unresolved, ""
}

// newer compares two partial ISO dates as far as both go: positive when a is later, 0 when either is unknown.
func newer(a, b string) int {
	n := min(len(a), len(b), len("2006-01-02"))
	if n < len("2006") {
		return 0
	}
	return cmp.Compare(a[:n], b[:n])
}

// higher compares authority: the trust tier of the sources, where 1 is the highest, then primary before secondary evidence
// before opinion. Unknown decides nothing.
func higher(a, b research.Claim, sources map[string]research.Source) int {
	if x, y := sources[a.Source].Tier, sources[b.Source].Tier; x > 0 && y > 0 && x != y {
		return y - x
	}
	rank := map[research.Grade]int{research.Primary: 3, research.Secondary: 2, research.Opinion: 1}
	if x, y := rank[a.Grade], rank[b.Grade]; x > 0 && y > 0 {
		return x - y
	}
	return 0
}

func voices(c research.Claim) int {
	if c.Support == nil {
		return 0
	}
	return c.Support.K
}

// alike returns the pairs of claims, by index, lesser first, whose texts share enough stems to be one sentence changed. It
// looks claims up by their stems, so that the cost grows with the number of claims, not its square.
func alike(claims []research.Claim) [][2]int {
	posting := map[string][]int{}
	sets := make([]map[string]bool, len(claims))
	for i, c := range claims {
		sets[i] = text.TermSet(c.Text, langOf(c.Text))
		for s := range sets[i] {
			posting[s] = append(posting[s], i)
		}
	}
	shared := map[[2]int]int{}
	for _, p := range posting {
		if len(p) > maxPostings {
			continue
		}
		for i := range p {
			for _, j := range p[i+1:] {
				shared[[2]int{p[i], j}]++
			}
		}
	}
	var out [][2]int
	for p := range shared {
		if text.Containment(sets[p[0]], sets[p[1]]) >= nearContainment && text.Containment(sets[p[1]], sets[p[0]]) >= nearContainment {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	return out
}
