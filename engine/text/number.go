package text

import (
	"math/big"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/engine/research"
)

// Kinds of numbers that [Numbers] tells apart beside those of research.
const (
	Temperature research.QuantityKind = "temperature" // also degrees without a scale, where the text speaks of temperature
	Age         research.QuantityKind = "age"
)

// Number is a number of a text with its scale and unit.
type Number struct {
	Value research.Ratio // exact, scaled: "$1.9 billion" is 1900000000, 15% is 15
	Unit  string         // normalised: "USD", "km", "%"; "" for none
	Kind  research.QuantityKind
	Text  string // with scale, sign of currency and unit
	Start int    // bytes
	End   int

	NumberStart, NumberEnd int // the number alone, with sign and scale, without its unit

	Article bool // the number is an article: "a dollar"
	More    bool // a lower bound by its own words: 十几万
	Glued   bool // letters of the unit are written to the number: "29km"

	scale *big.Rat // what was worked in: of "$5 million" a million; nil for none
}

// Amount is a number, or a range of numbers, with the words that bound it: "between 10 and 20 dollars", "at least 5 km", "about 7".
type Amount struct {
	Value research.Ratio // of a range the lower end, or the upper when there is no lower one
	Unit  string
	Kind  research.QuantityKind
	Text  string // from the first number, or its sign of currency, to the last unit
	Start int    // bytes
	End   int

	Low, High     research.Ratio // the bounds; "" is open; both are Value for a plain number
	Range         bool
	LowIn, HighIn bool // the bound itself belongs to the range
	Approximate   bool // "about", "around", 大约

	PhraseStart, PhraseEnd int // with the words of the bound

	Parts []Number // the numbers it is made of
}

// Numbers returns all numbers of s in order, not overlapping: digits, words and numerals, English and Chinese, ordinals,
// fractions and shares. It lists more than [Quantities], which leaves out what a check of facts must not compare (days of dates,
// list markers, a lone "one"): here each number is listed for what it is.
func Numbers(s string) []Number {
	r := newNumberReader(s)
	return r.read()
}

// numberReader reads the numbers of one text. It sees the text half width and in simplified characters, without the spaces
// beside Chinese characters.
type numberReader struct {
	s        string
	z        []rune // as written
	l        []rune // lower case
	at, ends []int  // byte offsets
	out      []Number
	heat     int8 // whether the text speaks of temperature: 0 not looked yet, 1 yes, -1 no
}

func newNumberReader(s string) *numberReader {
	r := &numberReader{s: s}
	prev, gap, gapAt := rune(0), false, 0
	for i := 0; i < len(s); {
		c, n := utf8.DecodeRuneInString(s[i:])
		if unicode.IsSpace(c) {
			if !gap {
				gap, gapAt = true, i
			}
			i += n
			continue
		}
		x := halfWidth(c)
		if gap && prev != 0 && !unicode.Is(unicode.Han, prev) && !unicode.Is(unicode.Han, x) {
			r.put(' ', gapAt, i)
		}
		gap, prev = false, x
		r.put(x, i, i+n)
		i += n
	}
	return r
}

func (r *numberReader) put(c rune, start, end int) {
	r.z, r.l = append(r.z, c), append(r.l, unicode.ToLower(c))
	r.at, r.ends = append(r.at, start), append(r.ends, end)
}

// halfWidth returns the half-width, simplified form of c.
func halfWidth(c rune) rune {
	switch {
	case c < utf8.RuneSelf:
		return c
	case '！' <= c && c <= '～':
		return c - '！' + '!'
	case c == '−' || c == '–' || c == '‐' || c == '‑':
		return '-'
	case c == '〇' || c == '○':
		return '〇'
	}
	return Simplify(c)
}

func (r *numberReader) get(i int) rune {
	if i < 0 || i >= len(r.z) {
		return 0
	}
	return r.z[i]
}

func (r *numberReader) low(i int) rune {
	if i < 0 || i >= len(r.l) {
		return 0
	}
	return r.l[i]
}

func (r *numberReader) digit(i int) bool { c := r.get(i); return '0' <= c && c <= '9' }

func isLatin(c rune) bool { return c < 0x2e80 && unicode.IsLetter(c) }

// letter reports whether a Latin letter stands at i.
func (r *numberReader) letter(i int) bool { return isLatin(r.get(i)) }

// skipSpace passes over one space.
func (r *numberReader) skipSpace(i int) int {
	if r.get(i) == ' ' {
		return i + 1
	}
	return i
}

// prefix returns the end of w (lower case) at i, 0 when it does not stand there.
func (r *numberReader) prefix(i int, w string) int {
	for _, c := range w {
		if r.low(i) != c {
			return 0
		}
		i++
	}
	return i
}

// lit is prefix for the first of words that stands at i.
func (r *numberReader) lit(i int, words ...string) (int, bool) {
	for _, w := range words {
		if n := r.prefix(i, w); n > 0 {
			return n, true
		}
	}
	return i, false
}

// word returns the lower-case Latin word at i and its end; "" when there is none.
func (r *numberReader) word(i int) (string, int) {
	j := i
	for r.letter(j) && j-i < maxWordRunes {
		j++
	}
	return string(r.l[i:max(i, min(j, len(r.l)))]), j
}

// maxWordRunes is the longest word that is looked up.
const maxWordRunes = 32

// wordStart reports whether no letter or digit is written to the left of i.
func (r *numberReader) wordStart(i int) bool {
	c := r.get(i - 1)
	return !isLatin(c) && !r.digit(i-1) && c != '_'
}

// wordEnd reports whether no letter goes on at i.
func (r *numberReader) wordEnd(i int) bool { return !r.letter(i) }

// bare is a number without its unit.
type bare struct {
	val        *big.Rat
	start, end int // characters
	ordinal    bool
	fraction   bool
	words      bool // in English words
	han        bool // in Chinese numerals
	digits     int  // of a whole number in plain digits
	decimal    bool
	scaled     bool
	more       bool // 十几万
	factor     *big.Rat
}

// read lists the numbers from left to right.
func (r *numberReader) read() []Number {
	for i := 0; i < len(r.z); {
		if end := r.address(i); end > i {
			i = end
			continue
		}
		if n, end := r.numberAt(i); end > i {
			r.out = append(r.out, n)
			i = end
			continue
		}
		i = r.pass(i)
	}
	return r.out
}

// pass goes on behind what stands at i: a whole word with its digits, or one character.
func (r *numberReader) pass(i int) int {
	if !r.letter(i) && r.get(i) != '_' && !r.digit(i) {
		return i + 1
	}
	if r.digit(i) { // a number that was not read is passed over whole
		for r.digit(i) || r.letter(i) || (r.get(i) == '.' || r.get(i) == ',') && r.digit(i+1) {
			i++
		}
		return i
	}
	for r.letter(i) || r.get(i) == '_' || r.digit(i) && r.codeFirst(i) {
		i++
	}
	return i
}

// codeFirst reports whether the digits at i are the tail of a name; those behind a code of currency ("usd115") are not reached.
func (r *numberReader) codeFirst(int) bool { return true }

// address passes over an address of the web.
func (r *numberReader) address(i int) int {
	if r.low(i) != 'h' && r.low(i) != 'w' || !r.wordStart(i) {
		return i
	}
	if _, ok := r.lit(i, "http://", "https://", "www."); !ok {
		return i
	}
	for i < len(r.z) && r.z[i] != ' ' && r.z[i] < 0x2e80 {
		i++
	}
	return i
}

// numberAt reads a number with its unit at i.
func (r *numberReader) numberAt(i int) (Number, int) {
	if r.letter(i) && !r.mayStart(i) {
		return Number{}, i
	}
	if p, j := r.currencyBefore(i); j > i {
		if b := r.priced(j); b.end > j && !b.ordinal {
			if w, end := r.exactWord(b.end); !b.scaled && (w == "m" || w == "b") && !r.digit(end) { // "$5m"
				b = r.scale(b, map[string]int64{"m": 1e6, "b": 1e9}[w], end)
			}
			return r.number(b, i, b.end, p, research.Money), b.end
		}
	}
	if n, end := r.shareAt(i); end > i {
		return n, end
	}
	if n, end := r.hanHeat(i); end > i {
		return n, end
	}
	if n, end := r.oneUnit(i); end > i {
		return n, end
	}
	b := r.bare(i)
	if b.end <= i || r.clock(b) {
		return Number{}, i
	}
	if b.ordinal {
		if n, end := r.partOfUnit(b); end > b.end {
			return n, end
		}
		return r.number(b, b.start, b.end, "", research.Ordinal), b.end
	}
	if k, ok := r.lit(b.end, "周岁", "岁大", "岁"); ok && !b.ordinal && r.get(k) != '月' {
		return r.number(b, b.start, k, "year", Age), k
	}
	u, end := r.unitAfter(b)
	if k := r.belowZero(max(end, b.end)); k > 0 && (u.name == "" || u.name == "degree" || u.name == "°C" || u.name == "°F") {
		b.val = new(big.Rat).Neg(b.val)
		if u.name == "" {
			u = amountUnits["degree"]
		}
		return r.number(b, b.start, k, u.name, Temperature), k
	}
	if end <= b.end {
		if r.letter(b.end) && !b.words && !b.han && !b.scaled && !r.halfGlued(b.end) {
			return Number{}, i // part of a name
		}
		return r.number(b, b.start, b.end, "", research.Count), b.end
	}
	if u.name == "lb" && b.factor != nil && b.factor.Cmp(big.NewRat(1e6, 1)) >= 0 { // nobody weighs millions of pounds in reports of money
		u = amountUnits["gbp"]
	}
	kind := kindOfUnit(u)
	if r.prefix(b.start, "零下") > 0 && u.name == "degree" {
		kind = Temperature
	}
	if kind == research.Duration {
		if k := r.old(end); k > 0 {
			kind, end = Age, k
		}
	}
	if u.name == "degree" && r.speaksOfHeat() {
		kind = Temperature
	}
	if u.name == "cent" || u.name == "JPYsen" {
		kind = research.Money
	}
	if u.kind == research.Money && u.factor != "" && u.factor != "1" && u.name != "cent" {
		b.val = new(big.Rat).Mul(b.val, rat(u.factor))
	}
	n := r.number(b, b.start, end, u.name, kind)
	n.Glued = r.letter(b.end)
	return n, end
}

// numberStarters are the words a number may begin with.
var numberStarters = makeNumberStarters()

func makeNumberStarters() map[string]bool {
	out := wordSet("a an point minus negative")
	for w := range numerals {
		out[w] = true
	}
	for w := range oddDenominators {
		out[w] = true
	}
	for w := range moneyBefore {
		first, _, _ := strings.Cut(w, " ")
		first, _, _ = strings.Cut(first, ".")
		out[first] = true
	}
	return out
}

// mayStart reports whether a number may begin with the word at i.
func (r *numberReader) mayStart(i int) bool {
	if !r.wordStart(i) {
		return false
	}
	w, _ := r.word(i)
	return numberStarters[w] || strings.Contains(w, "ty") && r.joined(i).end > 0
}

// belowZero reads "below zero" at i; 0 when it does not stand there.
func (r *numberReader) belowZero(i int) int {
	n := r.prefix(r.skipSpace(i), "below zero")
	if n == 0 || !r.wordEnd(n) {
		return 0
	}
	return n
}

// clock reports whether a number is a time of day: "2 pm", "9 o'clock".
func (r *numberReader) clock(b bare) bool {
	k := r.skipSpace(b.end)
	n, ok := r.lit(k, "pm", "am", "p.m", "a.m", "o'clock", "oclock", "o’clock")
	return ok && r.wordEnd(n) && (b.digits > 0 && b.digits <= 2 || b.words || b.decimal)
}

// oneUnit reads a unit that an article or a half counts: "a dollar", "a liter", 半公升.
func (r *numberReader) oneUnit(i int) (Number, int) {
	val, j := big.NewRat(1, 1), i
	switch {
	case r.get(i) == '半':
		val, j = big.NewRat(1, 2), i+1
		if isHanNumeral(r.get(i-1)) || r.digit(i-1) {
			return Number{}, i
		}
	case (r.low(i) == 'a' || r.prefix(i, "an") > 0) && r.wordStart(i):
		if j = r.prefix(i, "a "); j == 0 {
			j = r.prefix(i, "an ")
		}
		if j == 0 {
			return Number{}, i
		}
	default:
		return Number{}, i
	}
	u, end := r.unitAt(j, true)
	if end <= j || u.kind != research.Money && u.kind != research.Measure || r.get(i) != '半' && (end-j < 2 || vagueUnits[string(r.l[j:end])]) {
		return Number{}, i
	}
	if r.get(i) != '半' && r.get(end) == ' ' && r.letter(end+1) && u.kind == research.Measure {
		if w, _ := r.word(end + 1); w != "of" && w != "and" && w != "is" && w != "or" && w != "in" && w != "from" {
			return Number{}, i // "a mile long" stays, "a pound note" does not
		}
	}
	n := r.number(bare{val: val, start: i, end: max(j-1, i+1)}, i, end, u.name, kindOfUnit(u))
	n.Article = r.get(i) != '半'
	return n, end
}

// vagueUnits are words that an article mostly makes something else than one unit of measure.
var vagueUnits = wordSet(`bar bars stone stones foot yard grain mole knot cup bit gray mark real won marks quid try le all in at pa bars carat moles dash pinch c f p k g m pint barrel byte hand link point
	chain rod league cord ping li mu degree newton node lb. watt hp rad cal volt ohm crown sterling sol lei`)

// partOfUnit reads "tenth of a gallon".
func (r *numberReader) partOfUnit(b bare) (Number, int) {
	k, ok := r.lit(b.end, " of a ", " of an ")
	if !ok || !b.words || b.val.Cmp(big.NewRat(2, 1)) <= 0 {
		return Number{}, b.end
	}
	u, end := r.unitAt(k, true)
	if end <= k || u.kind != research.Measure {
		return Number{}, b.end
	}
	b.val = new(big.Rat).Inv(b.val)
	return r.number(b, b.start, end, u.name, kindOfUnit(u)), end
}

// priced reads the number behind a sign or code of currency, which may be written to it.
func (r *numberReader) priced(j int) bare {
	if r.digit(j) && r.letter(j-1) {
		b := r.digitNumber(j)
		b.start = j
		return b
	}
	return r.bare(j)
}

// halfGlued reports whether letters written to a number still leave it one: "45{kg}" has none, "10x" is a factor.
func (r *numberReader) halfGlued(i int) bool {
	w, end := r.word(i)
	return w == "x" && !r.digit(end) || w == "ish" || w == "s"
}

func kindOfUnit(u unitInfo) research.QuantityKind {
	switch u.kind {
	case research.Percent:
		return research.Percent
	case research.Money:
		return research.Money
	case research.Duration:
		return research.Duration
	case research.Count:
		return research.Count
	}
	switch u.name {
	case "°C", "°F", "K":
		return Temperature
	}
	return research.Measure
}

// number makes a Number of characters from start to end.
func (r *numberReader) number(b bare, start, end int, unit string, kind research.QuantityKind) Number {
	from, to := r.at[start], r.ends[end-1]
	return Number{
		scale: b.factor, More: b.more, Value: research.Ratio(b.val.RatString()), Unit: unit, Kind: kind, Text: r.s[from:to], Start: from, End: to,
		NumberStart: r.at[b.start], NumberEnd: r.ends[b.end-1],
	}
}

// old reads "old", "years old" behind an age; 0 when there is none.
func (r *numberReader) old(i int) int {
	j := r.skipSpace(i)
	if r.get(i) == '-' {
		j = i + 1
	}
	if n, ok := r.lit(j, "olds", "old"); ok && r.wordEnd(n) {
		return n
	}
	if n := r.prefix(j, "of age"); n > 0 && r.wordEnd(n) {
		return n
	}
	if n := r.prefix(i, "大"); n > 0 && r.get(n) != '家' && r.get(n) != '学' {
		return n
	}
	return 0
}

// speaksOfHeat reports whether the text speaks of temperature.
func (r *numberReader) speaksOfHeat() bool {
	if r.heat == 0 {
		r.heat = -1
		for i := range r.l {
			if _, ok := r.lit(i, "temperature", "fahrenheit", "celsius", "thermostat", "温度", "气温", "体温", "heat", "warm", "cold", "weather", "degrees outside", "below zero", "室温", "高温", "低温", "水温"); ok {
				r.heat = 1
				break
			}
		}
	}
	return r.heat > 0
}
