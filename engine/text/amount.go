package text

import (
	"math/big"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/engine/research"
)

// Amounts returns the amounts of s in order, not overlapping: each number of [Numbers] with the unit it is given in, joined where
// several make one amount ("13 dollars and 45 cents", "7 feet 10 inches", "三斤半"), with the words that make a range or a bound of
// it ("between 10 and 20 dollars", "at least 5 km", "五百以上").
func Amounts(s string) []Amount {
	s, original := simplifySame(s), s
	items := compose(s, Numbers(original))
	out := make([]Amount, 0, len(items))
	for i := 0; i < len(items); i++ {
		if i+1 < len(items) {
			if a, ok := rangeOf(s, items[i], items[i+1]); ok {
				out = append(out, a)
				i++
				continue
			}
		}
		out = append(out, single(s, items[i]))
	}
	return restore(original, joinBounds(s, out))
}

// simplifySame returns s in simplified characters when that leaves every offset as it is.
func simplifySame(s string) string {
	if t := simplifyString(s); len(t) == len(s) {
		return t
	}
	return s
}

// restore takes the texts from the string as it was given.
func restore(s string, in []Amount) []Amount {
	for i := range in {
		in[i].Text = s[in[i].Start:in[i].End]
		for k := range in[i].Parts {
			p := &in[i].Parts[k]
			p.Text = s[p.Start:p.End]
		}
	}
	return in
}

// compose joins numbers that make one amount.
func compose(s string, in []Number) []Number {
	out := in[:0:0]
	for _, n := range in {
		n = subunit(n)
		if len(out) > 0 {
			if joined, ok := composed(s, out[len(out)-1], n); ok {
				out[len(out)-1] = joined
				continue
			}
		}
		out = append(out, tail(s, n))
	}
	return out
}

// subunit counts a ten-cent piece as ten cents.
func subunit(n Number) Number {
	if n.Unit == "CNYjiao" {
		n.Unit, n.Value = "CNYcent", n.Value.Mul(research.NewRatio(10, 1))
	}
	return n
}

// tail works in what stands behind a Chinese unit: 三斤半, 三米九, 一块二.
func tail(s string, n Number) Number {
	if n.Unit == "" || n.NumberEnd == n.End {
		return n
	}
	rest := s[n.End:min(len(s), n.End+12)]
	last, _ := utf8.DecodeLastRuneInString(n.Text)
	if !unicode.Is(unicode.Han, last) || n.Kind != research.Measure && n.Kind != research.Money {
		return n
	}
	if strings.HasPrefix(rest, "半") && !strings.HasPrefix(rest, "半年") {
		n.Value = n.Value.Add(research.NewRatio(1, 2))
		n.End += len("半")
		n.Text = s[n.Start:n.End]
	}
	return n
}

// imperial lengths are given in several units at once.
var imperial = wordSet("inch ft yd mi")

// cents are the hundredths of a currency.
var cents = map[string]bool{"cent": true, "pence": true, "CNYcent": true, "JPYsen": true}

// composed joins b to a when it goes on with the amount.
func composed(s string, a, b Number) (Number, bool) {
	between := asciiLower(strings.TrimSpace(s[a.End:b.Start]))
	if len(s[a.End:b.Start]) > 6 || between != "" && between != "and" && between != "," && between != "又" && between != "零" {
		return a, false
	}
	switch {
	case a.Kind == research.Money && !cents[a.Unit] && b.Kind == research.Money && cents[b.Unit] && b.Unit != "JPYsen" || a.Unit == "JPY" && b.Unit == "JPYsen":
		return extend(s, a, b, research.NewRatio(1, 100)), true
	case a.Unit == "CNYcent" && b.Unit == "CNYcent" && between == "" && b.Value.Cmp(research.NewRatio(10, 1)) < 0 && a.Value.Cmp(research.NewRatio(10, 1)) >= 0: // 两角五分
		return extend(s, a, b, research.NewRatio(1, 1)), true
	case a.Kind == research.Money && a.Unit == "CNYcent" && b.Kind == research.Count && between == "" && isHanNumberText(b.Text) && utf8.RuneCountInString(b.Text) == 1: // 两毛五
		return extend(s, a, b, research.NewRatio(1, 1)), true
	case a.Kind == research.Money && !cents[a.Unit] && b.Kind == research.Count && b.Unit == "":
		return looseCents(s, a, b, between)
	case a.Kind == research.Measure && b.Kind == research.Measure && between != "零":
		fa, oka := familyFactor(a.Unit)
		fb, okb := familyFactor(b.Unit)
		if oka && okb && fa.base == fb.base && imperial[a.Unit] && imperial[b.Unit] && fb.factor.Cmp(fa.factor) < 0 && smaller(b, fa.factor, fb.factor) {
			return extend(s, a, b, research.Ratio(new(big.Rat).Quo(fb.factor, fa.factor).RatString())), true
		}
	case a.Kind == research.Measure && b.Kind == research.Count && b.Unit == "" && between == "" && a.End == b.Start && isHanNumberText(b.Text) && utf8.RuneCountInString(b.Text) == 1 && hanEnds(a.Text): // 三米九
		return extend(s, a, b, research.NewRatio(1, 10)), true
	}
	return a, false
}

func isHanNumberText(t string) bool {
	for _, c := range t {
		if hanDigit(Simplify(c)) < 0 && !(len(t) == 1 && isDigit(t[0])) {
			return false
		}
	}
	return t != ""
}

func hanEnds(t string) bool {
	c, _ := utf8.DecodeLastRuneInString(t)
	return unicode.Is(unicode.Han, c)
}

// looseCents reads the hundredths that stand without their unit: "$20 43", "15 dollars and 15", 一块二, 三蚊零四.
func looseCents(s string, a, b Number, between string) (Number, bool) {
	v, ok := whole(b.Value.Rat())
	if !ok || v < 0 || v > 99 || !a.Value.Rat().IsInt() || b.Glued {
		return a, false
	}
	if hanEnds(a.Text) && isHanNumberText(b.Text) && (s[a.End:b.Start] == "" || between == "零") {
		factor := research.NewRatio(1, 10)
		if between == "零" || v > 9 || strings.HasPrefix(b.Text, "零") {
			factor = research.NewRatio(1, 100)
		}
		return extend(s, a, b, factor), true
	}
	rest := s[b.End:]
	next, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest, " "))
	ends := rest == "" || strings.ContainsRune(".,;!?)", next) && !strings.HasPrefix(rest, ".5") || strings.HasPrefix(strings.TrimLeft(rest, " "), "more")
	if between != "" && between != "and" || !ends || v < 10 || utf8.RuneCountInString(b.Text) == 0 {
		return a, false
	}
	return extend(s, a, b, research.NewRatio(1, 100)), true
}

// extend adds b, times the factor, to a.
func extend(s string, a, b Number, factor research.Ratio) Number {
	a.Value = a.Value.Add(b.Value.Mul(factor))
	a.End = b.End
	a.Text = s[a.Start:a.End]
	return a
}

type family struct {
	base   string
	factor *big.Rat
}

// familyFactor returns the base of a unit and its factor.
func familyFactor(unit string) (family, bool) {
	u, ok := amountUnits[unit]
	if !ok || u.base == "" {
		return family{}, false
	}
	f := rat(u.factor)
	return family{u.base, f}, f.Sign() > 0
}

// smaller reports whether b is less than one of the units before it, or nearly so ("2 yards 7 ft").
func smaller(b Number, before, own *big.Rat) bool {
	limit := new(big.Rat).Quo(before, own)
	return b.Value.Rat().Cmp(limit.Mul(limit, big.NewRat(4, 1))) < 0
}

// CanonicalAmount returns a value in the base unit of its family and that unit, as [Canonical] does for quantities.
func CanonicalAmount(value research.Ratio, unit string) (research.Ratio, string) {
	f, ok := familyFactor(unit)
	if !ok || !value.Known() {
		return value, unit
	}
	return value.Mul(research.Ratio(f.factor.RatString())), f.base
}

// single makes an amount of one number with the words that bound it.
func single(s string, n Number) Amount {
	a := Amount{
		Value: n.Value, Unit: n.Unit, Kind: n.Kind, Text: n.Text, Start: n.Start, End: n.End,
		Low: n.Value, High: n.Value, LowIn: true, HighIn: true, PhraseStart: n.Start, PhraseEnd: n.End, Parts: []Number{n},
	}
	a = bound(s, a)
	if n.More && !a.Range {
		a.Range, a.High, a.LowIn, a.HighIn = true, "", false, false
	}
	return product(s, a)
}

// product adds what a measure is of: "3 cups of sugar".
func product(s string, a Amount) Amount {
	rest, ok := strings.CutPrefix(s[a.PhraseEnd:], " of ")
	if !ok || a.Kind != research.Measure || a.PhraseEnd != a.End {
		return a
	}
	n := 0
	for n < len(rest) && isASCIILetter(rest[n]) {
		n++
	}
	if n > 2 && !StopWord(rest[:n], "en") {
		a.PhraseEnd += len(" of ") + n
	}
	return a
}

// rangeOf makes a range of two numbers: "between 10 and 20 dollars", "10-20 km", "20~100", 第十和第十五之间.
func rangeOf(s string, a, b Number) (Amount, bool) {
	gap := s[a.End:b.Start]
	if len(gap) > 24 || !sameUnit(a, b) {
		return Amount{}, false
	}
	lead, leadStart := rangeLead(s, a.Start)
	mid := asciiLower(strings.TrimSpace(gap))
	for _, w := range [...]string{"about", "around", "approximately", "the", "~", "大约", "约"} {
		if t := strings.TrimSpace(strings.TrimSuffix(mid, w)); t != "" {
			mid = t
		}
	}
	end := b.End
	closing := 0
	for _, w := range [...]string{"之间", "间"} {
		if rest := strings.TrimLeft(s[b.End:min(len(s), b.End+8)], " "); strings.HasPrefix(rest, w) {
			closing = b.End + strings.Index(s[b.End:], w) + len(w)
			break
		}
	}
	switch mid {
	case "-", "–", "—", "~", "～", "to", "至", "到", "－":
	case "and":
		if lead != "between" && lead != "from" {
			return Amount{}, false
		}
	case "和", "与", "與", "跟":
		if closing == 0 {
			return Amount{}, false
		}
	default:
		return Amount{}, false
	}
	if lead == "" && closing == 0 && strings.HasPrefix(b.Text, "0") && b.Kind == research.Count || a.Value.Cmp(b.Value) >= 0 && lead == "" {
		return Amount{}, false
	}
	out := Amount{
		Unit: b.Unit, Kind: b.Kind, Text: s[a.Start:end], Start: a.Start, End: end,
		Low: shared(a, b), High: b.Value, Range: true, LowIn: true, HighIn: true,
		PhraseStart: leadStart, PhraseEnd: max(end, closing), Parts: []Number{a, b},
	}
	out.Value = out.Low
	if out.Unit == "" {
		out.Unit, out.Kind = a.Unit, a.Kind
	}
	return approximate(s, out), true
}

// shared is the lower end in the scale and unit of the upper one: "5 to 10 million".
func shared(a, b Number) research.Ratio {
	if b.scale == nil || a.scale != nil {
		return a.Value
	}
	mantissa := new(big.Rat).Quo(b.Value.Rat(), b.scale)
	if a.Value.Rat().Cmp(mantissa) >= 0 {
		return a.Value
	}
	return research.Ratio(new(big.Rat).Mul(a.Value.Rat(), b.scale).RatString())
}

func sameUnit(a, b Number) bool {
	if a.Kind == research.Ordinal != (b.Kind == research.Ordinal) {
		return false
	}
	return a.Unit == b.Unit || a.Unit == "" && a.Kind == research.Count || b.Unit == "" && b.Kind == research.Count && a.Kind == research.Money
}

// rangeLead reads "between", "from", 在, 从, 介于 before i.
func rangeLead(s string, i int) (string, int) {
	before := strings.TrimRight(s[max(0, i-20):i], " ")
	lower := asciiLower(before)
	lower = strings.TrimRight(strings.TrimSuffix(lower, " the"), " ")
	before = before[:len(lower)]
	for _, w := range [...]string{"in between", "between", "from", "位于", "介于", "在", "从"} {
		if strings.HasSuffix(lower, w) {
			start := i - len(s[max(0, i-20):i]) + len(before) - len(w)
			if w[0] < utf8.RuneSelf && start > 0 && isASCIILetter(s[start-1]) {
				continue
			}
			if w == "in between" {
				w = "between"
			}
			return w, start
		}
	}
	return "", i
}
