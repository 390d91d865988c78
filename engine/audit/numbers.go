package audit

import (
	"math/big"
	"regexp"
	"slices"
	"strings"

	"assay/engine/research"
)

// number is a number as printed in a text.
type number struct {
	raw      string   // digits and points, separators dropped
	value    *big.Rat // scaled; nil for a version such as 10.0.2
	unit     *big.Rat // worth of the last printed digit
	about    bool     // a word of approximation stands before it
	bare     bool     // neither scaled nor with decimals
	sentence int      // which line or sentence of the text, for sums
}

var (
	numberForm = regexp.MustCompile(`[0-9]+(?:[,'\x{202f}\x{00a0}][0-9]{3})*(?:\.[0-9]+)*`)
	isoDate    = regexp.MustCompile(`\b([0-9]{4})-([0-9]{2})(?:-([0-9]{2}))?\b`)
	scaleForm  = regexp.MustCompile(`^[ \x{00a0}-]?(?i:(thousand|million|billion|trillion|lakh|crore|bn|mn|tn|[kmb])\b|(千|万|亿|百万|千万))`)
	aboutForm  = regexp.MustCompile(`(?i:(?:about|around|roughly|approximately|approx\.?|nearly|almost|over|some|circa|than|at least|at most|up to|close to|just under|under|above|below|estimated|[~≈<>])\s*[$€£¥]?\s*$)|(?:约|近|接近|超过|逾|于|至少|至多|不到)\s*$`)
	sentenceAt = regexp.MustCompile(`[.!?]\s|[。！？\n]`)
)

var scales = map[string]int64{"thousand": 1e3, "k": 1e3, "million": 1e6, "mn": 1e6, "m": 1e6, "billion": 1e9, "bn": 1e9, "b": 1e9, "trillion": 1e12, "tn": 1e12,
	"lakh": 1e5, "crore": 1e7, "千": 1e3, "万": 1e4, "百万": 1e6, "千万": 1e7, "亿": 1e8}

// scan returns the numbers of a text. A number that follows a letter is part of a word (amd64) and not listed.
func scan(s string) []number {
	var out []number
	breaks := sentenceAt.FindAllStringIndex(s, -1)
	at := 0
	for _, m := range numberForm.FindAllStringIndex(s, -1) {
		for at < len(breaks) && breaks[at][0] < m[0] {
			at++
		}
		if m[0] > 0 && isLetter(s[m[0]-1]) {
			continue
		}
		n := number{raw: stripSeparators(s[m[0]:m[1]]), about: aboutForm.MatchString(s[max(0, m[0]-32):m[0]]), sentence: at}
		if strings.Count(n.raw, ".") < 2 {
			n.value, _ = new(big.Rat).SetString(n.raw)
		}
		if n.value == nil {
			out = append(out, n)
			continue
		}
		_, frac, _ := strings.Cut(n.raw, ".")
		n.unit = big.NewRat(1, 1)
		for range frac {
			n.unit.Quo(n.unit, big.NewRat(10, 1))
		}
		n.bare = frac == ""
		if sc := scaleForm.FindStringSubmatch(s[m[1]:]); sc != nil {
			by := new(big.Rat).SetInt64(scales[strings.ToLower(sc[1])+sc[2]])
			n.value.Mul(n.value, by)
			n.unit.Mul(n.unit, by)
			n.bare = false
		}
		out = append(out, n)
	}
	return out
}

func isLetter(b byte) bool { return b == '_' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' }

func stripSeparators(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '.' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, s)
}

// text checks that every number printed in a finding stands in a passage it cites or follows from one of its derivations.
//
// A number stands there as printed, or with the same value in another scale, or rounded or cut to the digits the finding prints,
// or within 5 % after "about" and the like, or as the sum or difference of two numbers of one sentence. Bare whole numbers up to 10
// are not checked: they are written as words as often. The heading of a passage, the title of its source and the question may hold the
// number too, and the date of its source where the passage states no year of its own.
func (c *checker) text(where string, f research.DigestFinding) {
	var have []number
	add := func(s string, sums bool) {
		for _, n := range scan(s) {
			if !sums {
				n.sentence = -1
			}
			have = append(have, n)
		}
	}
	var around strings.Builder
	for i, id := range f.Citations {
		p := c.d.Passages[id]
		before := len(have)
		add(p.Text, true)
		for j := range have[before:] {
			have[before+j].sentence += i << 20 // sums stay within one sentence of one passage
		}
		src := c.source(p.Source)
		add(p.Heading+"\n"+src.Title, false)
		if !slices.ContainsFunc(have[before:], number.year) {
			add(src.Published, false) // "last March" is resolved against it
		}
		around.WriteString(p.Text + "\n" + src.Published + "\n")
	}
	add(c.d.Topic, false)
	text, dates := cutDates(f.Text)
	for _, d := range dates {
		c.want(dateStands(d, around.String()), where, "the date %s in its text stands in no passage it cites", d)
	}
	derived := c.derivedValues(f.Claims)
	for _, n := range scan(text) {
		c.want(stands(n, have, derived), where, "the number %s in its text stands in no passage it cites and follows from none of its derivations", n.raw)
	}
}

// cutDates takes the ISO dates out of a text, so that their parts are not read as numbers.
func cutDates(s string) (rest string, dates []string) {
	return isoDate.ReplaceAllString(s, " "), isoDate.FindAllString(s, -1)
}

// derivedValues returns the values that a printed number may come from: those of the derivations, without sign, and as
// percentages.
func (c *checker) derivedValues(ids []string) []*big.Rat {
	var out []*big.Rat
	seen := map[string]bool{}
	var walk func(ids []string)
	walk = func(ids []string) {
		for _, id := range ids {
			cl := c.d.Claims[id]
			if cl.Derivation == nil || seen[id] {
				continue
			}
			seen[id] = true
			v := new(big.Rat).Abs(rat(cl.Derivation.Value))
			out = append(out, v, new(big.Rat).Mul(v, big.NewRat(100, 1)))
			walk(cl.Derivation.Basis)
		}
	}
	walk(ids)
	return out
}

func stands(n number, have []number, derived []*big.Rat) bool {
	if n.value == nil {
		return slices.ContainsFunc(have, func(h number) bool { return h.raw == n.raw })
	}
	if n.bare && n.value.Cmp(big.NewRat(10, 1)) <= 0 {
		return true
	}
	for _, h := range have {
		if h.raw == n.raw && n.bare == h.bare || h.value != nil && fits(n, h.value) {
			return true
		}
	}
	for _, v := range derived {
		if fits(n, v) {
			return true
		}
	}
	return !n.year() && combined(n, have)
}

// year reports whether the number may be a year, which must be exact.
func (n number) year() bool {
	return n.bare && len(n.raw) == 4 && (n.raw[0] == '1' || n.raw[0] == '2')
}

// fits reports whether the printed number is v, or v rounded or cut to its digits, or near v when it says so. A year
// must be exact.
func fits(n number, v *big.Rat) bool {
	if n.value.Cmp(v) == 0 {
		return true
	}
	if n.year() {
		return false
	}
	diff := new(big.Rat).Sub(v, n.value)
	near := new(big.Rat).Abs(diff)
	small := near.Cmp(new(big.Rat).Mul(n.value, big.NewRat(5, 100))) <= 0
	// Rounding is within half a unit of the last digit; cutting leaves less than one unit above.
	if new(big.Rat).Mul(near, big.NewRat(2, 1)).Cmp(n.unit) <= 0 || diff.Sign() > 0 && diff.Cmp(n.unit) < 0 {
		return true
	}
	if zeros := trailingZeros(n); zeros != nil && small && new(big.Rat).Mul(near, big.NewRat(2, 1)).Cmp(zeros) <= 0 {
		return true
	}
	return n.about && small
}

// trailingZeros returns the worth of the last digit that is not zero, for a bare whole number that ends in zeros; nil for others.
func trailingZeros(n number) *big.Rat {
	short := strings.TrimRight(n.raw, "0")
	if !n.bare || short == n.raw || short == "" {
		return nil
	}
	unit := new(big.Rat).Set(n.unit)
	for range len(n.raw) - len(short) {
		unit.Mul(unit, big.NewRat(10, 1))
	}
	return unit
}

// mostPairs bounds the numbers of one sentence whose sums and differences are tried.
const mostPairs = 24

// combined reports whether the number is the sum or difference of two numbers of one sentence of a passage.
func combined(n number, have []number) bool {
	bySentence := map[int][]*big.Rat{}
	for _, h := range have {
		if h.sentence >= 0 && h.value != nil && len(bySentence[h.sentence]) < mostPairs {
			bySentence[h.sentence] = append(bySentence[h.sentence], h.value)
		}
	}
	for _, in := range bySentence {
		for i, a := range in {
			for _, b := range in[i+1:] {
				sum, diff := new(big.Rat).Add(a, b), new(big.Rat).Sub(a, b)
				if sum.Cmp(n.value) == 0 || diff.Abs(diff).Cmp(n.value) == 0 {
					return true
				}
			}
		}
	}
	return false
}

// cell checks the numbers of a table cell that has sources against the passages of those sources.
func (c *checker) cell(where string, cell research.Cell) {
	if len(cell.Refs) == 0 {
		return
	}
	var have []number
	var around strings.Builder
	for _, r := range cell.Refs {
		if r < 0 || r >= len(c.d.Sources) {
			continue // said already
		}
		for _, id := range keysOf(c.d.Passages) {
			if p := c.d.Passages[id]; p.Source == c.d.Sources[r].ID {
				have = append(have, scan(p.Text)...)
				around.WriteString(p.Text + "\n")
			}
		}
		around.WriteString(c.d.Sources[r].Published + "\n")
		have = append(have, scan(c.d.Sources[r].Published)...)
	}
	text, dates := cutDates(cell.Text)
	for _, d := range dates {
		c.want(dateStands(d, around.String()), where, "the date %s stands in no passage of %s", d, printedKeys(cell.Refs))
	}
	for _, n := range scan(text) {
		c.want(stands(n, have, c.derivedValues(keysOf(c.d.Claims))), where, "the number %s stands in no passage of %s", n.raw, printedKeys(cell.Refs))
	}
}
