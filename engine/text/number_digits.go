package text

import (
	"math/big"
	"strings"
)

// maxNumberDigits is the longest run of digits that is read as a number; a longer one is data.
const maxNumberDigits = 60

// bare reads a number at i, with its sign and scale.
func (r *numberReader) bare(i int) bare {
	start, neg := i, false
	if j, ok := r.sign(i); ok {
		i, neg = j, true
	}
	b := r.unsigned(i)
	if b.end <= i {
		return bare{}
	}
	b.start = start
	if neg {
		if b.ordinal {
			return bare{}
		}
		b.val = new(big.Rat).Neg(b.val)
	}
	return b
}

// sign reads a minus at i: a dash that no number stands before, "minus", "negative", 负.
func (r *numberReader) sign(i int) (int, bool) {
	switch c := r.get(i); c {
	case '-':
		p := r.get(i - 1)
		if isLatin(p) || r.digit(i-1) || p == ')' || p == '-' || p == '/' || p == '_' || p == '.' {
			return i, false
		}
		if p == ' ' && (r.digit(i-2) || isLatin(r.get(i-2)) && r.get(i+1) == ' ') {
			return i, false // "9 - 11", "2 -7"
		}
		j := r.skipSpace(i + 1)
		return j, r.digit(j) || r.get(j) == '.' && r.digit(j+1) || isHanNumeral(r.get(j))
	case '负':
		return i + 1, true
	}
	if n, ok := r.lit(i, "minus ", "negative "); ok && r.wordStart(i) {
		return n, true
	}
	if n, ok := r.lit(i, "零下"); ok {
		return n, true
	}
	return i, false
}

// unsigned reads a number without sign.
func (r *numberReader) unsigned(i int) bare {
	c := r.get(i)
	switch {
	case r.digit(i) || c == '.' && r.digit(i+1):
		if !r.freeLeft(i) {
			return bare{}
		}
		return r.digitNumber(i)
	case vulgar[c] != "":
		return r.more(bare{val: rat(vulgar[c]), start: i, end: i + 1, fraction: true})
	case isLatin(c) && r.wordStart(i):
		return r.wordNumber(i)
	case isHanNumeral(c) || c == '第' || c == '半':
		return r.hanNumber(i)
	}
	return bare{}
}

// freeLeft reports whether the digits at i do not go on with what stands before them: they are no tail of a name (libc6, SCP2-173,
// J1149.5+66) or of a number.
func (r *numberReader) freeLeft(i int) bool {
	c := r.get(i - 1)
	switch {
	case isLatin(c) || c == '_' || r.digit(i-1):
		return false
	case c == '.':
		return !r.digit(i-2) && !isLatin(r.get(i-2))
	case c == ':':
		return !r.digit(i - 2)
	case c != '-' && c != '+' && c != '/':
		return true
	}
	j := i - 1
	for j > 0 && i-j < maxWordRunes && (r.letter(j-1) || r.digit(j-1) || strings.ContainsRune(".+-/", r.z[j-1])) {
		j--
	}
	if !r.letter(j) {
		return true
	}
	w, end := r.word(j)
	if c == '/' || c == '+' {
		return end == i-1
	}
	return end == i-1 && (datePrefix[w] || numerals[w].class != 0 || end-j > 4 && !isASCIIUpperRune(r.z[j]))
}

func isASCIIUpperRune(c rune) bool { return 'A' <= c && c <= 'Z' }

// wordEndingAt returns the lower-case word that ends at i.
func (r *numberReader) wordEndingAt(i int) string {
	j := i
	for j > 0 && r.letter(j-1) && i-j < maxWordRunes {
		j--
	}
	return string(r.l[j:i])
}

// digitNumber reads digits with groups, decimals, power, fraction and scale.
func (r *numberReader) digitNumber(i int) bare {
	b, text := r.plainDigits(i)
	if b.end <= i || len(text) > maxNumberDigits {
		return bare{}
	}
	b.val = rat(text)
	j := b.end
	switch {
	case r.get(j) == '.' && r.digit(j+1) || r.get(j) == ':' && r.digit(j+1) && b.digits > 0 && b.digits <= 2:
		return bare{} // a version, a time of day
	case (r.low(j) == 's' && r.low(j+1) == 't' || r.low(j) == 'n' && r.low(j+1) == 'd' || r.low(j) == 'r' && r.low(j+1) == 'd' || r.low(j) == 't' && r.low(j+1) == 'h') && r.wordEnd(j+2) && b.digits > 0:
		b.end, b.ordinal = j+2, true
		return b
	}
	if x, ok := r.power(b); ok {
		return x
	}
	if x, ok := r.slashed(b); ok {
		return x
	}
	if b.digits > 0 && b.digits <= 4 { // 2½, 2 1/2
		k := r.skipSpace(j)
		if f := vulgar[r.get(k)]; f != "" {
			b.val = new(big.Rat).Add(b.val, rat(f))
			b.end, b.fraction, b.digits = k+1, true, 0
			return r.more(b)
		}
		if k > j && r.digit(k) {
			if f, t := r.plainDigits(k); f.digits > 0 {
				f.val = rat(t)
				if x, ok := r.slashed(f); ok && x.end > 0 && x.val.Cmp(big.NewRat(1, 1)) < 0 {
					b.val = new(big.Rat).Add(b.val, x.val)
					b.end, b.fraction, b.digits = x.end, true, 0
					return b
				}
			}
		}
	}
	if k := r.prefix(j, " point "); k > 0 && b.digits > 0 {
		if x := r.pointDigits(b, []placed{{word: "point", start: j + 1, end: k - 1}}, 0); x.end > b.end {
			return x
		}
		if p := r.phrase(j + 1); len(p) > 1 {
			if x := r.pointDigits(b, p, 0); x.end > b.end {
				return x
			}
		}
	}
	if hanScale(r.get(j)) > 0 || (r.get(j) == '余' || r.get(j) == '多' || r.get(j) == '几') && hanScale(r.get(j+1)) >= 1e4 || r.get(j) == '分' && r.get(j+1) == '之' || r.get(j) == '又' || r.get(j) == '打' {
		return r.hanNumber(i)
	}
	return r.more(b)
}

// plainDigits reads digits with their groups and decimals, and returns them as a decimal.
func (r *numberReader) plainDigits(i int) (bare, string) {
	b := bare{start: i}
	var t []rune
	j := i
	run := func() int {
		n := 0
		for r.digit(j) {
			t = append(t, r.z[j])
			j++
			n++
			if n > maxNumberDigits {
				for r.digit(j) {
					j++
				}
			}
		}
		return n
	}
	first := run()
	grouped := false
	if first > 0 && first <= 3 {
		for _, sep := range [...]rune{',', ' ', '.', '\''} {
			if r.grouped(j, sep) {
				for r.get(j) == sep && r.digit(j+1) && r.digit(j+2) && (r.digit(j+3) || sep == ',' && r.get(j+3) == ',') {
					if sep == ' ' && r.digit(j+4) {
						break
					}
					j++
					run()
				}
				grouped = true
				break
			}
		}
	}
	point := '.'
	if grouped && r.get(j) == ',' && r.digit(j+1) && r.get(i+first) == '.' {
		point = ','
	}
	if r.get(j) == point && r.digit(j+1) && (point == '.' || true) {
		t = append(t, '.')
		j++
		run()
		b.decimal = true
	}
	if len(t) == 0 {
		return b, ""
	}
	if t[0] == '.' {
		t = append([]rune{'0'}, t...)
	}
	b.end = j
	if !grouped && !b.decimal {
		b.digits = first
	}
	return b, string(t)
}

// grouped reports whether thousands follow at j, behind the separator: groups of three, of two and three with the comma as in
// India; with the point only when a decimal comma or a second group shows that it is none.
func (r *numberReader) grouped(j int, sep rune) bool {
	groups, k := 0, j
	for r.get(k) == sep {
		n := 0
		for r.digit(k + 1 + n) {
			n++
		}
		if n != 3 && !(sep == ',' && n == 2 && r.get(k+3) == ',') {
			break
		}
		groups++
		k += n + 1
		if n == 3 && sep == ',' && r.get(k) != ',' {
			break
		}
	}
	if groups == 0 || r.digit(k) || r.get(k-4) != sep {
		return false
	}
	if sep == '.' {
		return r.get(k) == ',' && r.digit(k+1)
	}
	if sep == '\'' {
		return r.get(k) != '"'
	}
	return !(r.get(k) == sep && sep == ' ' && r.digit(k+1) && !r.digit(k+4)) || sep == ','
}

// power reads an exponent: 12.32e+14, 1.1^23, 1.3x10^6, 2.48×10−5.
func (r *numberReader) power(b bare) (bare, bool) {
	j := b.end
	exponent := func(k int) (int, int) {
		neg := false
		if r.get(k) == '+' || r.get(k) == '-' {
			neg = r.get(k) == '-'
			k++
		}
		e, n := 0, 0
		for r.digit(k) && n < 4 {
			e = e*10 + int(r.z[k]-'0')
			k++
			n++
		}
		if n == 0 || r.digit(k) {
			return 0, 0
		}
		if neg {
			e = -e
		}
		return e, k
	}
	switch {
	case r.low(j) == 'e':
		if e, k := exponent(j + 1); k > 0 && r.wordEnd(k) && e >= -maxExponent && e <= maxExponent {
			b.val = new(big.Rat).Mul(b.val, powRat(big.NewRat(10, 1), e))
			b.end, b.digits, b.scaled = k, 0, true
			return b, true
		}
	case r.get(j) == '^':
		if e, k := exponent(j + 1); k > 0 && e >= -64 && e <= 64 && b.val.Sign() != 0 {
			b.val = powRat(b.val, e)
			b.end, b.digits, b.scaled = k, 0, true
			return b, true
		}
	case r.low(j) == 'x' || r.get(j) == '×' || r.get(j) == '*' || r.get(j) == ' ' && (r.low(j+1) == 'x' || r.get(j+1) == '×' || r.get(j+1) == '*') && r.get(j+2) == ' ':
		if r.get(j) == ' ' {
			j += 2
		}
		base, t := r.plainDigits(j + 1)
		if base.digits == 0 || base.digits > 3 {
			return b, false
		}
		k := base.end
		if r.get(k) == '^' {
			k++
		} else if t != "10" || r.get(k) != '-' && r.get(k) != '+' {
			return b, false
		}
		if e, end := exponent(k); end > 0 && e >= -64 && e <= 64 {
			b.val = new(big.Rat).Mul(b.val, powRat(rat(t), e))
			b.end, b.digits, b.scaled = end, 0, true
			return b, true
		}
	}
	return b, false
}

// maxExponent bounds a power of ten.
const maxExponent = 308

// powRat returns v to the power e.
func powRat(v *big.Rat, e int) *big.Rat {
	n := e
	if n < 0 {
		n = -n
	}
	exp := big.NewInt(int64(n))
	num, den := new(big.Int).Exp(v.Num(), exp, nil), new(big.Int).Exp(v.Denom(), exp, nil)
	if e < 0 {
		num, den = den, num
	}
	if den.Sign() == 0 {
		return new(big.Rat)
	}
	return new(big.Rat).SetFrac(num, den)
}

// slashed reads the denominator of 3/5.
func (r *numberReader) slashed(b bare) (bare, bool) {
	j := b.end
	if b.digits == 0 || b.digits > 4 || r.get(j) != '/' || !r.digit(j+1) || r.get(b.start-1) == '/' || r.get(b.start-1) == '-' && r.digit(b.start-2) {
		return b, false
	}
	d, t := r.plainDigits(j + 1)
	if d.digits == 0 || d.digits > 4 || r.get(d.end) == '/' || r.get(d.end) == '.' && r.digit(d.end+1) || r.letter(d.end) {
		return b, false
	}
	den := rat(t)
	if den.Sign() == 0 {
		return bare{}, true // no number
	}
	b.val = new(big.Rat).Quo(b.val, den)
	b.end, b.digits, b.fraction = d.end, 0, true
	return b, true
}

// letterScales are the scales of one or two letters; those in capitals may stand behind a space.
var letterScales = map[string]int64{"k": 1e3, "K": 1e3, "M": 1e6, "m": 0, "mn": 1e6, "mm": 0, "b": 1e9, "B": 1e9, "bn": 1e9, "G": 1e9, "T": 1e12, "tn": 1e12, "trn": 1e12, "l": 0,
	"mio": 1e6, "mln": 1e6, "Kr": 1e7, "Cr": 1e7}

// more works in what follows a number: letters of scale, words of scale, "and a half".
func (r *numberReader) more(b bare) bare {
	if b.ordinal {
		return b
	}
	if w, end := r.exactWord(b.end); w != "" && letterScales[w] > 0 && !r.digit(end) && r.get(end) != '/' && r.get(end) != '°' && !(w == "K" && b.decimal && r.speaksOfHeat()) {
		return r.scale(b, letterScales[w], end)
	}
	if k := r.spaces(b.end); k > b.end && b.words {
		if w, end := r.exactWord(k); w == "Cr" || w == "Kr" {
			return r.scale(b, letterScales[w], end)
		}
	} else if k > b.end {
		if w, end := r.exactWord(k); w != "" && letterScales[w] > 0 && (w == "k" || w == "K" || w == "M" || w == "G" || w == "bn" || w == "mn" || w == "Cr" || w == "Kr") &&
			!r.digit(end) && (r.get(end) != ' ' || !r.letter(end+1) || w == "bn" || w == "mn") && r.get(end) != '/' && r.get(end) != '(' {
			return r.scale(b, letterScales[w], end)
		}
	}
	return r.scaleWords(b)
}

// exactWord returns the word at i as written and its end.
func (r *numberReader) exactWord(i int) (string, int) {
	_, end := r.word(i)
	if end == i || end-i > 3 {
		return "", end
	}
	return string(r.z[i:end]), end
}

// spaces passes over one or two spaces.
func (r *numberReader) spaces(i int) int { return r.skipSpace(r.skipSpace(i)) }

func (r *numberReader) scale(b bare, by int64, end int) bare {
	f := big.NewRat(by, 1)
	if b.factor == nil {
		b.factor = big.NewRat(1, 1)
	}
	b.val, b.factor = new(big.Rat).Mul(b.val, f), new(big.Rat).Mul(b.factor, f)
	b.end, b.digits, b.scaled = end, 0, true
	return b
}
