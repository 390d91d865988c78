package evidence

import (
	"math/big"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/engine/research"
	"assay/engine/text"
)

// Causes of a [NumberFault].
const (
	NumberAbsent    = "absent"      // the passage states such numbers, none of which is it or rounds to it
	NumberUnit      = "other unit"  // the same number with another unit
	NumberScale     = "other scale" // the same digits, another power of ten
	NumberExchanged = "exchanged"   // the passage has the sentence, or counts the noun, with another number in its place
	NumberUnstated  = "unstated"    // the passage states no number of that kind, so nothing stands against it
)

// NumberFault is a number of a claim that a passage does not bear out.
type NumberFault struct {
	Text  string // as the claim writes it
	Start int    // bytes in the claim
	End   int
	Cause string
	Other string // what the passage has in its place; "" for none
}

// figure is a number of a text as it is compared.
type figure struct {
	text.Amount
	year     bool
	decade   bool   // "1990s"
	century  bool   // "the 20th century"
	month    bool   // the name of a month; Value is its number
	words    bool   // written in words
	code     bool   // capitals and digits: "G20", "F-150"; it has no value
	day      bool   // of a month
	label    bool   // names one of a series: "Rule 19", "phase 3", "top 10"
	head     string // of a label: the stem before it
	noun     string // the stem of the word that follows
	counts   bool   // a bare number before a plural
	from, to int    // tokens it covers
}

// maxFigures bounds the numbers that are read from one text.
const maxFigures = 2048

// maxClaimFigures bounds the numbers of a claim that are compared.
const maxClaimFigures = 64

// CompareNumbers returns the numbers of the claim that the passage does not bear out, in order; none when it bears out all.
//
// A number is borne out by an equal one in any unit of its family, by one that rounds to it, by one within the bound it is given
// as ("more than 50" by 55), by the sum or difference of two of one sentence (years make ages and spans), by a year within its
// decade or century, and by a count that the passage words otherwise ("half" for 50 %). Small counts in words and "first" are looked at only where the
// passage counts the same noun otherwise. A number that the passage has elsewhere is still a fault where a sentence of the passage is
// the claim with another number in its place.
func CompareNumbers(claim, passage string) []NumberFault {
	faults, _ := compareNumbers(claim, passage)
	return faults
}

// compareNumbers is CompareNumbers with the bytes of the claim's numbers that are borne out.
func compareNumbers(claim, passage string) (out []NumberFault, borne [][2]int) {
	cs := newSides(claim)
	if len(cs.figures) == 0 {
		return nil, nil
	}
	// Tokenised text writes its hyphens apart: "a $ 10 - million deal".
	ps := newSides(strings.ReplaceAll(passage, " - ", "-"))
	exchanged := exchangedFigures(cs, ps)
	for i := range cs.figures[:min(len(cs.figures), maxClaimFigures)] {
		c := &cs.figures[i]
		fault := NumberFault{Text: c.Text, Start: c.Start, End: c.End}
		if other := exchanged[i]; other != nil {
			fault.Cause, fault.Other = NumberExchanged, other.Text
			out = append(out, fault)
			continue
		}
		if ps.bearsOut(c, cs) {
			borne = append(borne, [2]int{c.Start, c.End})
			continue
		}
		if c.label {
			if other := ps.otherLabel(c); other != nil {
				fault.Cause, fault.Other = NumberExchanged, other.Text
				out = append(out, fault)
			}
			continue
		}
		if c.minor() {
			if other := ps.otherCount(c); other != nil {
				fault.Cause, fault.Other = NumberExchanged, other.Text
				out = append(out, fault)
			}
			continue
		}
		fault.Cause, fault.Other = ps.causeOf(c)
		out = append(out, fault)
	}
	return out, borne
}

// side is one text of a comparison with its tokens and figures.
type side struct {
	s       string
	tokens  []text.Token
	stems   []string
	figures []figure
	folded  string
}

func newSides(s string) *side {
	s = strings.ToValidUTF8(s[:min(len(s), maxWindow)], "")
	x := &side{s: s, tokens: text.Tokens(s), folded: text.Fold(s)}
	for _, t := range x.tokens {
		x.stems = append(x.stems, text.Stem(t.Norm, "en"))
	}
	x.figures = x.read()
	return x
}

// read lists the figures of the text: amounts and the names of months.
func (x *side) read() []figure {
	var out []figure
	for _, a := range text.Amounts(x.s) {
		if len(out) >= maxFigures {
			break
		}
		f := figure{Amount: a}
		if a.Parts[0].Article || x.partOfName(a) || x.marker(a) {
			continue
		}
		if a.Range && a.Low != "" && a.High != "" && len(a.Parts) == 2 { // each end is a number of its own
			for k, p := range a.Parts {
				end := f
				end.Start, end.End, end.Text, end.Range = p.Start, p.End, p.Text, false
				end.Value = []research.Ratio{a.Low, a.High}[k]
				end.Low, end.High = end.Value, end.Value
				out = append(out, x.classify(end))
			}
			continue
		}
		out = append(out, x.classify(f))
	}
	for i, t := range x.tokens {
		m := monthNumber(t.Norm)
		if m == 0 || !unicode.IsUpper(rune(t.Text[0])) || !x.monthStands(i, t) {
			continue
		}
		v := research.NewRatio(int64(m), 1)
		out = append(out, figure{Amount: text.Amount{Value: v, Low: v, High: v, Text: t.Text, Start: t.Start, End: t.End}, month: true})
	}
	for _, m := range codes.FindAllStringIndex(x.s, maxFigures) {
		if !slices.ContainsFunc(out, func(f figure) bool { return f.Start < m[1] && m[0] < f.End }) {
			out = append(out, figure{Amount: text.Amount{Text: x.s[m[0]:m[1]], Start: m[0], End: m[1]}, code: true})
		}
	}
	slices.SortStableFunc(out, func(a, b figure) int { return a.Start - b.Start })
	k := 0
	for i := range out {
		for k < len(x.tokens) && x.tokens[k].End <= out[i].Start {
			k++
		}
		out[i].from = k
		for out[i].to = k; out[i].to < len(x.tokens) && x.tokens[out[i].to].Start < out[i].End; {
			out[i].to++
		}
		x.place(&out[i])
		if out[i].noun == "" && out[i].to < len(x.stems) && !text.StopWord(x.tokens[out[i].to].Norm, "en") {
			out[i].noun = x.stems[out[i].to]
			out[i].counts = out[i].Unit == "" && strings.HasSuffix(x.tokens[out[i].to].Norm, "s") && len(out[i].noun) > 3
		}
	}
	return out
}

// labelHeads are words before a number that names one of a series.
var labelHeads = wordSet(`type phase stage rule chapter section article part no number page version enzyme disease coronavirus covid cov ncov interleukin factor
	protein level grade class group step item figure table top day week round season episode series volume route highway vitamin receptor`)

// place says what the words around a figure make of it: the day of a month, a label.
func (x *side) place(f *figure) {
	if f.month || f.code || f.Unit != "" || f.year || f.decade || f.words {
		return
	}
	before, after := "", ""
	capital := false
	if f.from > 0 {
		t := x.tokens[f.from-1]
		before = t.Norm
		capital = unicode.IsUpper(rune(t.Text[0])) && f.from > 1
	}
	if f.to < len(x.tokens) {
		after = x.tokens[f.to].Norm
	}
	v := f.Value.Rat()
	small := v.IsInt() && v.Sign() > 0 && v.Cmp(big.NewRat(31, 1)) <= 0
	if small && (monthNumber(before) != 0 || monthNumber(after) != 0 || after == "of" && f.to+1 < len(x.tokens) && monthNumber(x.tokens[f.to+1].Norm) != 0) {
		f.day = true
		return
	}
	if isDigitText(f.Text) && len(f.Text) <= 3 && (labelHeads[before] || capital && !text.StopWord(before, "en")) {
		f.label, f.head = true, before
	}
}

// marker reports whether a number is that of a reference, in brackets: [3].
func (x *side) marker(a text.Amount) bool {
	return strings.HasSuffix(x.s[:a.Start], "[") && strings.HasPrefix(x.s[a.End:], "]") && len(a.Text) <= 3
}

// monthStands reports whether a word is the name of a month and not the verb or a name.
func (x *side) monthStands(i int, t text.Token) bool {
	if len(t.Norm) > 3 && (t.Norm != "march" || i > 0) {
		return true
	}
	near := func(k int) bool {
		if k < 0 || k >= len(x.tokens) {
			return false
		}
		n := x.tokens[k].Norm
		return n[0] >= '0' && n[0] <= '9' || n == "in" || n == "since" || n == "until" || n == "by" || n == "last" || n == "of" || n == "early" || n == "late" || n == "mid"
	}
	return near(i-1) || near(i+1)
}

// partOfName reports whether a number belongs to a name: COVID-19, SARS-CoV-2, mRNA-1273, H1N1, "Boeing 737".
func (x *side) partOfName(a text.Amount) bool {
	before, after := x.s[:a.Start], x.s[a.End:]
	if r, n := utf8.DecodeLastRuneInString(before); n > 0 && a.Parts[0].Start == a.Start {
		if (r == '-' || r == '‐' || r == '‑' || r == '–') && len(before) > n {
			if l, _ := utf8.DecodeLastRuneInString(before[:len(before)-n]); unicode.IsLetter(l) && a.Unit == "" {
				w := before[:len(before)-n]
				w = w[strings.LastIndexFunc(w, func(r rune) bool { return !unicode.IsLetter(r) })+1:]
				return monthNumber(strings.ToLower(w)) == 0 && !besideNumber[w]
			}
		}
		if unicode.IsLetter(r) && !unicode.Is(unicode.Han, r) && a.Kind != research.Money {
			return true
		}
	}
	if r, n := utf8.DecodeRuneInString(after); n > 0 && a.Unit == "" && !a.Parts[0].Glued && isDigitText(a.Text) {
		if unicode.IsLetter(r) && !unicode.Is(unicode.Han, r) && !strings.HasPrefix(after, "s") && !strings.HasPrefix(after, "x") {
			return true
		}
	}
	return false
}

// besideNumber are words that a hyphen joins to a number without making a name of it.
var besideNumber = wordSet("mid end late early pre post near nearly over under about almost sub since until")

func isDigitText(s string) bool {
	for _, r := range s {
		if r < '0' || r > '9' {
			return false
		}
	}
	return s != ""
}

// codes are names made of capitals and digits.
var codes = regexp.MustCompile(`\b[A-Z]{1,4}-?[0-9]{1,4}\b`)

// classify says what a figure is: a year, a decade, a century, a number in words.
func (x *side) classify(f figure) figure {
	rest := x.s[min(f.End, len(x.s)):]
	v := f.Value.Rat()
	year := f.Unit == "" && v.IsInt() && v.Cmp(big.NewRat(1000, 1)) >= 0 && v.Cmp(big.NewRat(2100, 1)) <= 0 && isDigitText(f.Text)
	switch {
	case year && (strings.HasPrefix(rest, "s") || strings.HasPrefix(rest, "'s") || strings.HasPrefix(rest, "’s ") || strings.HasPrefix(rest, " s ") || strings.HasPrefix(rest, " 's")):
		f.decade = true
	case year:
		f.year = true
	case f.Kind == research.Ordinal && strings.HasPrefix(strings.TrimLeft(rest, " -"), "centur"):
		f.century = true
	}
	f.words = !strings.ContainsAny(f.Text, "0123456789")
	return f
}

// minor reports whether a figure is one that a text may word otherwise: a small count in words, "first".
func (f *figure) minor() bool {
	if f.month || f.code {
		return false
	}
	if f.Kind == research.Ordinal && f.words {
		return true
	}
	return f.words && (f.Kind == research.Count || f.Kind == research.Duration || f.Kind == research.Measure) && f.Value.Rat().Cmp(big.NewRat(12, 1)) <= 0
}

// bearsOut reports whether a figure of the claim is borne out by the text x.
func (x *side) bearsOut(c *figure, of *side) bool {
	if x.has(c) {
		return true
	}
	if c.code { // only an exchange in its place speaks against it
		return true
	}
	if c.month {
		return false
	}
	if c.words && strings.Contains(x.folded, text.Fold(c.Text)) {
		return true
	}
	if c.Kind == research.Percent {
		if words, ok := shareWords[c.Value]; ok && words.MatchString(x.s) {
			return true
		}
	}
	return x.combined(c) || x.derived(c, of)
}

// derived reports whether a year or an age of the claim follows from a year of x and another figure of the claim: born in 1953, 68
// years old in 2021.
func (x *side) derived(c *figure, of *side) bool {
	if !c.year && c.Unit != "year" {
		return false
	}
	for i := range of.figures {
		d := &of.figures[i]
		if !(c.year && d.Unit == "year" || c.Unit == "year" && d.year) || d.month {
			continue
		}
		for k := range x.figures {
			if p := &x.figures[k]; p.year {
				gap := new(big.Rat).Sub(p.Value.Rat(), yearOf(c, d).Rat())
				if gap.Abs(gap).Cmp(ageOf(c, d).Rat()) == 0 {
					return true
				}
			}
		}
	}
	return false
}

func yearOf(a, b *figure) research.Ratio {
	if a.year {
		return a.Value
	}
	return b.Value
}

func ageOf(a, b *figure) research.Ratio {
	if a.year {
		return b.Value
	}
	return a.Value
}

// supports reports whether the figure p of a passage bears out c of a claim.
func (p *figure) supports(c *figure) bool {
	if p.month || c.month {
		return p.month && c.month && p.Value == c.Value
	}
	if p.code || c.code {
		return p.code && c.code && strings.EqualFold(strings.ReplaceAll(p.Text, "-", ""), strings.ReplaceAll(c.Text, "-", ""))
	}
	if !p.Value.Known() || !c.Value.Known() {
		return false
	}
	switch {
	case c.decade || p.decade:
		return sameDecade(c, p)
	case c.century && (p.year || p.decade):
		century := new(big.Rat).Add(new(big.Rat).Quo(p.Value.Rat(), big.NewRat(100, 1)), big.NewRat(1, 1))
		n := new(big.Int).Quo(century.Num(), century.Denom())
		return c.Value.Cmp(research.Ratio(n.String())) == 0
	}
	if fraction(c, p) || fraction(p, c) {
		return true
	}
	if c.Unit != "" && p.counts {
		return false // "40 tons" and 40 portholes
	}
	pv, pu := text.CanonicalAmount(p.Value, p.Unit)
	cv, cu := text.CanonicalAmount(c.Value, c.Unit)
	if pu != cu && p.Unit != "" && c.Unit != "" && !alikeUnits(p.Unit, c.Unit) {
		return false
	}
	if p.Unit == "" || c.Unit == "" || alikeUnits(p.Unit, c.Unit) {
		pv, cv = p.Value, c.Value
	}
	if (p.Kind == research.Percent) != (c.Kind == research.Percent) && p.Unit != "" && c.Unit != "" {
		return false
	}
	if pv.Cmp(cv) == 0 {
		return true
	}
	if p.year || c.year || p.day || c.day || p.label || c.label {
		return false
	}
	if p.Range && c.Range && (p.High == "") == (c.High == "") {
		return false // two bounds of one side
	}
	return within(c, pv, cv) || rounds(pv.Rat(), cv.Rat(), c)
}

// fraction reports whether a is a fraction without a unit and b the same share in percent.
func fraction(a, b *figure) bool {
	if b.Kind != research.Percent || a.Unit != "" || a.Value.Rat().Cmp(big.NewRat(1, 1)) >= 0 {
		return false
	}
	return a.Value.Mul(research.NewRatio(100, 1)).Cmp(b.Value) == 0
}

// alikeUnits reports whether two units are forms of one that texts use for each other.
func alikeUnits(a, b string) bool {
	age := func(u string) bool { return u == "year" || u == "years" }
	return a == b || age(a) && age(b) || (a == "USD" || b == "USD") && dollars[a] && dollars[b]
}

// dollars are the currencies that a plain dollar sign may mean.
var dollars = wordSet("USD CAD AUD HKD SGD NZD TWD")

func sameDecade(c, p *figure) bool {
	if !(c.decade || c.year) || !(p.decade || p.year) {
		return c.Value == p.Value
	}
	ten := big.NewRat(10, 1)
	a, b := new(big.Rat).Quo(c.Value.Rat(), ten), new(big.Rat).Quo(p.Value.Rat(), ten)
	return new(big.Int).Quo(a.Num(), a.Denom()).Cmp(new(big.Int).Quo(b.Num(), b.Denom())) == 0
}

// within reports whether the value v of a passage lies within the bound that the claim gives. A bound that is far from the
// value is not what the passage says: "more than 50" is not borne out by 5,000.
func within(c *figure, v, bound research.Ratio) bool {
	if c.Approximate && withinShare(v.Rat(), bound.Rat(), 10) {
		return true
	}
	if !c.Range {
		return false
	}
	reach := new(big.Rat).Mul(bound.Rat(), big.NewRat(3, 2))
	if c.High == "" {
		return v.Cmp(bound) >= 0 && v.Rat().Cmp(reach) <= 0
	}
	if c.Low == "" {
		return v.Cmp(bound) <= 0 && new(big.Rat).Mul(v.Rat(), big.NewRat(3, 2)).Cmp(bound.Rat()) >= 0
	}
	return false
}

func withinShare(a, b *big.Rat, percent int64) bool {
	gap := new(big.Rat).Sub(a, b)
	return gap.Abs(gap).Cmp(new(big.Rat).Mul(new(big.Rat).Abs(b), big.NewRat(percent, 100))) <= 0
}

// rounds reports whether exact, rounded to the digits of the claim's number, is that number.
func rounds(exact, rounded *big.Rat, c *figure) bool {
	if !withinShare(exact, rounded, 5) || !c.Approximate && rounded.IsInt() && rounded.Cmp(big.NewRat(100, 1)) < 0 && exact.IsInt() {
		return false
	}
	q := research.Quantity{Value: c.Value, Unit: c.Unit, Kind: c.Kind, Text: c.Text}
	unit := unitOfLastDigit(&q)
	// In the base unit of the family the last digit is worth as much more as the value is.
	if v := c.Value.Rat(); v.Sign() != 0 {
		unit.Mul(unit, new(big.Rat).Quo(rounded, v))
	}
	if unit.Sign() <= 0 {
		return false
	}
	return roundAt(exact, unit).Cmp(rounded) == 0
}

// combined reports whether c is the sum or difference of two figures of one sentence.
func (x *side) combined(c *figure) bool {
	if c.year || c.decade || c.century || c.Kind == research.Ordinal {
		return false
	}
	v := c.Value.Rat()
	for _, sp := range text.Sentences(x.s) {
		var in []*figure
		for i := range x.figures {
			if f := &x.figures[i]; f.Start >= sp.Start && f.End <= sp.End && !f.month && !f.code && f.Value.Known() && len(in) < maxPairs {
				in = append(in, f)
			}
		}
		for i, a := range in {
			for _, b := range in[i+1:] {
				if a.year != b.year || a.Kind != b.Kind && !a.year || !a.year && a.Unit != c.Unit && a.Unit != "" || a.year && c.Unit != "year" && c.Unit != "" {
					continue
				}
				diff := new(big.Rat).Sub(a.Value.Rat(), b.Value.Rat())
				if diff.Abs(diff).Cmp(v) == 0 || !a.year && new(big.Rat).Add(a.Value.Rat(), b.Value.Rat()).Cmp(v) == 0 {
					return true
				}
			}
		}
	}
	return false
}

// otherCount returns a figure that counts the noun of c otherwise.
func (x *side) otherCount(c *figure) *figure {
	if c.noun == "" {
		return nil
	}
	for i := range x.figures {
		p := &x.figures[i]
		if !p.month && !p.code && p.noun == c.noun && (p.Kind == research.Ordinal) == (c.Kind == research.Ordinal) && p.Value != c.Value {
			return p
		}
	}
	return nil
}

// otherLabel returns a figure that follows the same head.
func (x *side) otherLabel(c *figure) *figure {
	for i := range x.figures {
		if p := &x.figures[i]; p.label && p.head == c.head && p.Value != c.Value {
			return p
		}
	}
	return nil
}

// causeOf says why a figure is not borne out.
func (x *side) causeOf(c *figure) (cause, other string) {
	for i := range x.figures {
		p := &x.figures[i]
		if p.month != c.month || !p.Value.Known() || !c.Value.Known() {
			continue
		}
		if p.Value.Cmp(c.Value) == 0 {
			return NumberUnit, p.Text
		}
	}
	for i := range x.figures {
		p := &x.figures[i]
		if rivals(p, c) && !p.month && !p.year && !p.label && c.Unit != "" && powerOfTen(c.Value, p.Value) {
			return NumberScale, p.Text
		}
	}
	for i := range x.figures {
		if p := &x.figures[i]; rivals(p, c) {
			return NumberAbsent, p.Text
		}
	}
	return NumberUnstated, ""
}

// rivals reports whether p is a number of the kind of c, so that it could stand in its place.
func rivals(p, c *figure) bool {
	switch {
	case c.month || p.month:
		return c.month && p.month
	case c.year || c.decade || c.century:
		return p.year || p.decade || p.century
	case p.year || p.decade || p.label || p.century || p.code:
		return false
	case c.day || p.day:
		return c.day && p.day
	case c.Kind == research.Percent || c.Kind == research.Money:
		return p.Kind == c.Kind
	case c.Unit != "":
		_, cu := text.CanonicalAmount(c.Value, c.Unit)
		_, pu := text.CanonicalAmount(p.Value, p.Unit)
		return cu == pu
	}
	return p.Unit == "" && (p.Kind == research.Ordinal) == (c.Kind == research.Ordinal) && c.noun != "" && p.noun == c.noun
}
