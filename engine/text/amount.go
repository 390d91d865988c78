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
	if !unicode.Is(unicode.Han, last) || n.Kind != MeasureNum && n.Kind != MoneyNum {
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
	case a.Kind == MoneyNum && !cents[a.Unit] && b.Kind == MoneyNum && cents[b.Unit] && b.Unit != "JPYsen" || a.Unit == "JPY" && b.Unit == "JPYsen":
		return extend(s, a, b, research.NewRatio(1, 100)), true
	case a.Unit == "CNYcent" && b.Unit == "CNYcent" && between == "" && b.Value.Cmp(research.NewRatio(10, 1)) < 0 && a.Value.Cmp(research.NewRatio(10, 1)) >= 0: // 两角五分
		return extend(s, a, b, research.NewRatio(1, 1)), true
	case a.Kind == MoneyNum && a.Unit == "CNYcent" && b.Kind == Cardinal && between == "" && isHanNumberText(b.Text) && utf8.RuneCountInString(b.Text) == 1: // 两毛五
		return extend(s, a, b, research.NewRatio(1, 1)), true
	case a.Kind == MoneyNum && !cents[a.Unit] && b.Kind == Cardinal && b.Unit == "":
		return looseCents(s, a, b, between)
	case a.Kind == MeasureNum && b.Kind == MeasureNum && between != "零":
		fa, oka := familyFactor(a.Unit)
		fb, okb := familyFactor(b.Unit)
		if oka && okb && fa.base == fb.base && imperial[a.Unit] && imperial[b.Unit] && fb.factor.Cmp(fa.factor) < 0 && smaller(b, fa.factor, fb.factor) {
			return extend(s, a, b, research.Ratio(new(big.Rat).Quo(fb.factor, fa.factor).RatString())), true
		}
	case a.Kind == MeasureNum && b.Kind == Cardinal && b.Unit == "" && between == "" && a.End == b.Start && isHanNumberText(b.Text) && utf8.RuneCountInString(b.Text) == 1 && hanEnds(a.Text): // 三米九
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
	a := Amount{Number: n, Low: n.Value, High: n.Value, LowIn: true, HighIn: true, Start: n.Start, End: n.End, PhraseStart: n.Start, PhraseEnd: n.End, Parts: []Number{n}}
	a = bound(s, a)
	if n.More && !a.Range {
		a.Range, a.High, a.LowIn, a.HighIn = true, "", false, false
	}
	return product(s, a)
}

// product adds what a measure is of: "3 cups of sugar".
func product(s string, a Amount) Amount {
	rest, ok := strings.CutPrefix(s[a.PhraseEnd:], " of ")
	if !ok || a.Kind != MeasureNum || a.PhraseEnd != a.End {
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
	if lead == "" && closing == 0 && strings.HasPrefix(b.Text, "0") && b.Kind == Cardinal || a.Value.Cmp(b.Value) >= 0 && lead == "" {
		return Amount{}, false
	}
	out := Amount{Number: b, Low: shared(a, b), High: b.Value, Range: true, LowIn: true, HighIn: true, Start: a.Start, End: end, PhraseStart: leadStart, PhraseEnd: max(end, closing), Parts: []Number{a, b}}
	out.Value, out.Text = out.Low, s[a.Start:end]
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
	if a.Kind == OrdinalNum != (b.Kind == OrdinalNum) {
		return false
	}
	return a.Unit == b.Unit || a.Unit == "" && a.Kind == Cardinal || b.Unit == "" && b.Kind == Cardinal && a.Kind == MoneyNum
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

// A limit is what the words of a bound mean.
type limit struct {
	words string
	lower bool
	in    bool
}

// limitsBefore stand before a number, the longer ones first; limitsAfter behind it.
var (
	limitsBefore = limitTable(`>: greater than or equal to | bigger than or equal to | more than or equal to | larger than or equal to | higher than or equal to | greater or equal than | bigger or equal than | greater or equal to |
		larger or equal than | more or equal than | no less than | not less than | no fewer than | not fewer than | no lower than | no smaller than | at least | a minimum of | minimum of | min of | minimum | min | >= | > = | ≥ | equal or greater than | equal to or greater than | equal or more than |
		不小于 | 不少于 | 不低于 | 大于等于 | 大于或等于 | 大于或者等于 | 高于等于 | 至少有 | 至少 | 最少有 | 最少 | 起码有 | 起码 | 至少为 | 最低`,
		`>!: in excess of | more than | greater than | larger than | bigger than | higher than | upwards of | better than | surpassing | exceeding | exceeds | exceed | exceeded | beyond | above | over | > | 大于 | 超过 | 高于 | 多于 | 超出 | 逾 | 超`,
		`<: less than or equal to | smaller than or equal to | lower than or equal to | fewer than or equal to | less or equal than | smaller or equal than | less or equal to | no more than | not more than | no greater than | not greater than | no larger than | no bigger than | no higher than | not exceeding | not over |
		not above | at most | a maximum of | maximum of | max of | maximum | max | up to | <= | < = | ≤ | equal or less than | equal to or less than | 不大于 | 不超过 | 不多于 | 不高于 | 小于等于 | 小于或等于 | 小于或者等于 | 低于等于 | 至多为 | 至多 | 最多为 | 最多有 | 最多 | 最高`,
		`<!: less than | fewer than | smaller than | lower than | under | below | < | 小于 | 少于 | 低于 | 不到 | 不足 | 未满`)
	limitsAfter = limitTable(`>: or more | or above | or higher | or greater | or larger | or bigger | or over | and above | and up | and over | and more | and higher | or upwards | 或者以上 | 或以上 | 及以上 | 或者更多 | 或更多 | 或以上`,
		`<: or less | or below | or fewer | or lower | or smaller | or under | and below | and under | and less | 或者以下 | 或以下 | 及以下 | 或者更少 | 或更少`,
		`>!: 以上 | 之上 | 多 | 余`, `<!: 以下 | 之下 | 以内 | 之内`)
	approximators = []string{"approximately", "exactly", "precisely", "roughly", "around", "about", "almost", "nearly", "close to", "circa", "just over", "~", "大约", "大概", "约为", "约", "差不多", "将近", "接近", "近"}
)

func limitTable(lines ...string) []limit {
	var out []limit
	for _, line := range lines {
		head, words, _ := strings.Cut(line, ": ")
		for _, w := range strings.Split(words, "|") {
			out = append(out, limit{strings.TrimSpace(w), head[0] == '>', !strings.HasSuffix(head, "!")})
		}
	}
	return out
}

// maxLimit is how many bytes before a number are looked at for its bound.
const maxLimit = 48

// bound reads the words that bound an amount.
func bound(s string, a Amount) Amount {
	start := max(0, a.Start-maxLimit)
	before := strings.TrimRight(s[start:a.Start], " ")
	lower := asciiLower(before)
	if strings.HasSuffix(lower, "等于") && !strings.HasSuffix(lower, "小于等于") && !strings.HasSuffix(lower, "大于等于") && !strings.HasSuffix(lower, "不等于") && !strings.HasSuffix(lower, "低于等于") && !strings.HasSuffix(lower, "高于等于") && !strings.Contains(lower, "或") {
		a.Range, a.PhraseStart = true, start+len(before)-len("等于")
		return a
	}
	if l, at := lastLimit(lower); at >= 0 {
		a = a.limited(l)
		a.PhraseStart = start + at
		if l.words == "=" {
			a.PhraseStart = a.Start
		}
	}
	after := s[a.PhraseEnd:min(len(s), a.PhraseEnd+maxLimit)]
	trimmed := strings.TrimLeft(after, " ")
	skipped := len(after) - len(trimmed)
	low := asciiLower(trimmed)
	for _, w := range [...]string{"or equal to", "or equal"} {
		if strings.HasPrefix(low, w) && a.Range {
			a.LowIn, a.HighIn = a.Low != "", a.High != ""
			a.PhraseEnd += skipped + len(w)
			return a
		}
	}
	for _, l := range limitsAfter {
		n := len(l.words)
		k := 0
		if !strings.HasPrefix(low, l.words) {
			if l.words != "以上" && l.words != "以下" { // 20万次以上
				continue
			}
			c, w := utf8.DecodeRuneInString(low)
			if !strings.ContainsRune("个次人名条岁件", c) || !strings.HasPrefix(low[w:], l.words) {
				continue
			}
			k = w
		}
		if c := low[min(len(low), n):]; l.words[0] < utf8.RuneSelf && c != "" && (isASCIILetter(c[0]) || strings.HasPrefix(l.words, "or ") && strings.HasPrefix(c, " than") || strings.HasPrefix(l.words, "and ") && !strings.ContainsRune(".,;!?)", rune(c[0]))) || (l.words == "多" || l.words == "余") && (strings.HasPrefix(low, "多少") || a.Unit != "") {
			continue
		}
		a = a.limited(l)
		a.PhraseEnd += skipped + n + k
		return a
	}
	for _, w := range [...]string{"左右", "上下", "or so", "approximately"} {
		if strings.HasPrefix(low, w) {
			a.Approximate = true
			a.PhraseEnd += skipped + len(w)
			return a
		}
	}
	return approximate(s, a)
}

// lastLimit returns the bound that the text before a number ends with, and where it begins; -1 for none.
func lastLimit(before string) (limit, int) {
	trimmed := before
	for _, w := range [...]string{"about", "around", "the", "有", "为", "是", "了"} {
		if t := strings.TrimSuffix(trimmed, w); t != trimmed {
			trimmed = strings.TrimRight(t, " ")
		}
	}
	best, at := limit{}, -1
	for _, text := range [...]string{before, trimmed} {
		compact := text
		for _, l := range limitsBefore {
			if len(l.words) <= len(best.words) || !strings.HasSuffix(compact, l.words) {
				continue
			}
			k := len(compact) - len(l.words)
			if isASCIILetter(l.words[0]) && k > 0 && isASCIILetter(compact[k-1]) || k > 0 && strings.IndexByte("<>=", compact[k-1]) >= 0 {
				continue
			}
			best, at = l, k
		}
		// the spaced Chinese form: 小于 或 等于
		if at < 0 {
			if k := strings.LastIndex(compact, "小于 或 等于"); k >= 0 && k+len("小于 或 等于") == len(compact) {
				best, at = limit{"小于等于", false, true}, k
			}
			if k := strings.LastIndex(compact, "大于 或 等于"); k >= 0 && k+len("大于 或 等于") == len(compact) {
				best, at = limit{"大于等于", true, true}, k
			}
		}
	}
	return best, at
}

// limited opens one end of the amount.
func (a Amount) limited(l limit) Amount {
	a.Range = true
	if l.lower {
		a.High, a.LowIn, a.HighIn = "", l.in, false
	} else {
		a.Low, a.HighIn, a.LowIn = "", l.in, false
	}
	return a
}

// approximate reads "about", 大约 before an amount.
func approximate(s string, a Amount) Amount {
	start := max(0, a.PhraseStart-maxLimit)
	before := strings.TrimRight(s[start:a.PhraseStart], " ")
	lower := asciiLower(before)
	for _, w := range approximators {
		if !strings.HasSuffix(lower, w) {
			continue
		}
		k := len(lower) - len(w)
		if isASCIILetter(w[0]) && k > 0 && isASCIILetter(lower[k-1]) || strings.HasSuffix(lower[:k], "how ") || strings.HasSuffix(lower[:k], "what ") {
			continue
		}
		a.Approximate, a.PhraseStart = true, start+k
		break
	}
	return a
}

// asciiLower lowers ASCII letters and keeps every offset, also in text that is cut within a character.
func asciiLower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if isUpper(c) {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// joinBounds makes one range of two bounds that belong together: "greater than 30 and less than 40", 大于10小于20.
func joinBounds(s string, in []Amount) []Amount {
	out := in[:0:0]
	for _, a := range in {
		if n := len(out); n > 0 {
			p := out[n-1]
			mid := strings.TrimSpace(asciiLower(s[min(p.PhraseEnd, a.PhraseStart):a.PhraseStart]))
			behind := p.PhraseStart == p.Start && a.PhraseStart == a.Start && p.PhraseEnd > p.End && a.PhraseEnd > a.End
			joins := (mid == "，" || mid == ",") && behind || mid == "and" || mid == "but" || mid == "" || mid == "且" || mid == "并" || mid == "并且" || mid == "同时" || mid == "的同时" || mid == "而" || mid == "而且"
			lower, upper := p, a
			if p.Low == "" {
				lower, upper = a, p
			}
			if joins && p.Range && a.Range && lower.High == "" && upper.Low == "" && lower.Low.Known() && upper.High.Known() && lower.Low.Cmp(upper.High) < 0 {
				p.Low, p.LowIn, p.High, p.HighIn = lower.Low, lower.LowIn, upper.High, upper.HighIn
				p.End, p.PhraseEnd, p.Parts = a.End, a.PhraseEnd, append(p.Parts, a.Parts...)
				p.Text = s[p.Start:p.End]
				out[n-1] = p
				continue
			}
		}
		out = append(out, a)
	}
	return out
}
