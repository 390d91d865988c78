package text

import (
	"math/big"
	"strings"
	"unicode/utf8"

	"assay/engine/research"
)

// Quantities returns the numbers in s in order, not overlapping: digits and number words, English and Chinese, with their
// scale worked in ("$1.9 billion" is 1900000000 USD) and their unit normalised. Text and the offsets hold the number with its
// scale, sign of currency and unit of measure; the noun that a count counts is in Unit but outside of them.
//
// Not listed: list markers, numbers of headings and sections, citation marks, days and months of dates, numbers that are part
// of a name (libc6, SHA-256), of an address or of a path, vague amounts (dozens), and a lone "one". A year is Kind year, with
// Unit "decade" for "1990s". Versions, addresses of the Internet Protocol, times of day and ratios such as 16:9 are Kind
// version: their Text is what counts, and Value is set only when it is also a decimal number.
func Quantities(s string) []research.Quantity {
	q := quantifier{s: s}
	for i := 0; i < len(s); {
		if n := colourCode(s, i); n > 0 {
			i += n
			continue
		}
		i = q.step(i)
	}
	q.shareUnits()
	return q.out
}

// colourCode is the length of what is left at i of a terminal's colour code ("[1;31m", with or without its escape sign); 0 when there is
// none. Its numbers are none of the text's: "[0m" is no length.
func colourCode(s string, i int) int {
	if s[i] != '[' {
		return 0
	}
	k := i + 1
	for k < len(s) && k-i <= 16 && (isDigit(s[k]) || s[k] == ';') {
		k++
	}
	if k == i+1 || k >= len(s) || s[k] != 'm' || k-i > 3 && !strings.Contains(s[i:k], ";") {
		return 0
	}
	if k+1 < len(s) && (s[k+1] == ']' || s[k+1] == '/' || s[k+1] == '^') {
		return 0 // "[5m]" is a length in brackets
	}
	return k + 1 - i
}

// quantifier reads the quantities of one text.
type quantifier struct {
	s     string
	out   []research.Quantity
	scale []*big.Rat // by quantity: the scale that was worked in, nil for none
}

// step reads what stands at i and returns where to go on; that is always beyond i.
func (q *quantifier) step(i int) int {
	s := q.s
	c := s[i]
	switch {
	case isDigit(c):
		return q.digits(i, "", i)
	case isASCIILetter(c) || c == '_':
		return q.word(i)
	case c == '/' && i+1 < len(s) && (isASCIILetter(s[i+1]) || s[i+1] == '.') && (i == 0 || s[i-1] <= ' ' || strings.IndexByte("(\"'`=~.", s[i-1]) >= 0):
		return pathEnd(s, i)
	case c == '.' && i+1 < len(s) && isDigit(s[i+1]) && (i == 0 || s[i-1] <= ' ' || s[i-1] == '('):
		return q.digits(i, "", i)
	case c == '$':
		return q.currency(i, i+1)
	case c == '-':
		if i+1 < len(s) && isDigit(s[i+1]) && (i == 0 || s[i-1] == ' ' || s[i-1] == '(') {
			return q.digits(i+1, "", i)
		}
		return i + 1
	case c < utf8.RuneSelf:
		return i + 1
	}
	r, n := utf8.DecodeRuneInString(s[i:])
	switch {
	case isFullDigit(r):
		return q.digits(i, "", i)
	case r == '−' && i+n < len(s) && isDigit(s[i+n]):
		return q.digits(i+n, "", i)
	case vulgar[r] != "":
		return q.emit(number{val: rat(vulgar[r]), start: i, end: i + n, decimal: true}, "")
	case r == '€' || r == '£' || r == '¥' || r == '￥' || r == '₹' || r == '₩' || r == '＄' || r == '￡' || r == '₽':
		return q.currency(i, i+n)
	case isCJK(r):
		return q.chinese(i, r, n)
	}
	return i + n
}

// number is a number as it was read, before its unit.
type number struct {
	val      *big.Rat
	start    int // of everything, sign and currency included
	end      int
	digits   int  // of a whole number written in plain digits, else 0
	decimal  bool // has a decimal part
	grouped  bool // has thousands separators
	scale    *big.Rat
	words    bool // written in words
	ordinal  bool
	currency string
}

func rat(s string) *big.Rat {
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		return new(big.Rat)
	}
	return r
}

var vulgar = map[rune]string{'½': "1/2", '⅓': "1/3", '⅔': "2/3", '¼': "1/4", '¾': "3/4", '⅕': "1/5", '⅛': "1/8", '⅜': "3/8", '⅝': "5/8", '⅞': "7/8"}

func isFullDigit(r rune) bool { return '０' <= r && r <= '９' }

// pathEnd returns the end of the file name at i.
func pathEnd(s string, i int) int {
	for i++; i < len(s) && s[i] > ' ' && s[i] < utf8.RuneSelf && strings.IndexByte("\"'`<>();,", s[i]) < 0; i++ {
	}
	return i
}

// currency reads a number after the sign between start and i; letters before the sign ("US$") belong to it.
func (q *quantifier) currency(start, i int) int {
	sign := q.s[start:i]
	for k := min(2, start); k > 0; k-- {
		if code := currencySigns[q.s[start-k:start]+sign]; code != "" && isWordStart(q.s, start-k) {
			start, sign = start-k, q.s[start-k:start]+sign
			break
		}
	}
	code := currencySigns[sign]
	if sign == "¥" && !strings.ContainsFunc(clip(q.s, langSample), isHan) {
		code = "JPY"
	}
	j := i
	for j < len(q.s) && q.s[j] == ' ' && j < i+2 {
		j++
	}
	if j < len(q.s) && isDigit(q.s[j]) {
		return q.digits(j, code, start)
	}
	return i
}

// put appends a finished quantity.
func (q *quantifier) put(v *big.Rat, unit string, kind research.QuantityKind, start, end int, scale *big.Rat) int {
	value := research.Ratio("")
	if v != nil {
		value = research.Ratio(v.RatString())
	}
	if q.out == nil {
		q.out = make([]research.Quantity, 0, 8)
		q.scale = make([]*big.Rat, 0, 8)
	}
	q.out = append(q.out, research.Quantity{Value: value, Unit: unit, Kind: kind, Text: q.s[start:end], Start: start, End: end})
	q.scale = append(q.scale, scale)
	return end
}

// emit finds the unit of a number and appends the quantity; it returns where to go on. attached are letters written to the
// number that name its unit, already passed over by n.end, or "".
func (q *quantifier) emit(n number, attached string) int {
	if n.start >= 6 && strings.EqualFold(q.s[n.start-6:n.start], "minus ") || strings.HasSuffix(q.s[:n.start], "负") || strings.HasSuffix(q.s[:n.start], "零下") {
		n.val = new(big.Rat).Neg(n.val)
	}
	u, end := units[attached], n.end
	if attached == "" {
		u, end = q.unitAfter(n)
	}
	if n.currency != "" {
		if u.kind != research.Money {
			end = n.end
		}
		return q.put(n.val, n.currency, research.Money, n.start, end, n.scale)
	}
	switch {
	case n.ordinal:
		return q.put(n.val, "", research.Ordinal, n.start, n.end, nil)
	case u.name == "cent":
		return q.put(new(big.Rat).Quo(n.val, rat("100")), "USD", research.Money, n.start, end, n.scale)
	case u.kind == research.Count && u.name != "":
		return q.put(n.val, u.name, research.Count, n.start, n.end, n.scale)
	case u.name != "":
		return q.put(n.val, u.name, u.kind, n.start, end, n.scale)
	case q.isYear(n):
		return q.put(n.val, "", research.Year, n.start, n.end, nil)
	case n.decimal && !n.grouped && n.scale == nil && !n.words && q.afterName(n.start):
		return q.put(n.val, "", research.Version, n.start, n.end, nil)
	}
	return q.put(n.val, q.noun(n.end), research.Count, n.start, n.end, n.scale)
}

// shareUnits gives the first end of a range what is written once behind the second ("5-10 million", "20 to 30 percent"), and
// the second the currency of the first ("$5-10").
func (q *quantifier) shareUnits() {
	for i := 0; i+1 < len(q.out); i++ {
		a, b := &q.out[i], &q.out[i+1]
		if b.Start-a.End > 6 || b.Start < a.End || !q.isRange(a, b.Start) || !a.Value.Known() || !b.Value.Known() {
			continue
		}
		if b.Kind == research.Count && a.Kind == research.Money && b.Unit == "" {
			b.Kind, b.Unit = a.Kind, a.Unit
		}
		plain := a.Kind == research.Count && a.Unit == ""
		if scale := q.scale[i+1]; scale != nil && q.scale[i] == nil && (plain || a.Kind == research.Money) {
			mantissa := new(big.Rat).Quo(b.Value.Rat(), scale)
			if a.Value.Rat().Cmp(mantissa) < 0 {
				a.Value = research.Ratio(new(big.Rat).Mul(a.Value.Rat(), scale).RatString())
			}
		}
		if plain && b.Kind != research.Year && b.Kind != research.Version && b.Kind != research.Ordinal {
			a.Kind, a.Unit = b.Kind, b.Unit
		}
	}
}

// isRange reports whether only a mark of range stands between a and the offset of the next quantity.
func (q *quantifier) isRange(a *research.Quantity, next int) bool {
	switch strings.TrimSpace(q.s[a.End:next]) {
	case "-", "–", "—", "~", "～", "至", "到", "to":
		return true
	case "and":
		return strings.HasSuffix(q.s[:a.Start], "between ")
	case "or":
		return true
	}
	return false
}
