package text

import "math/big"

// fractionAt reads "a half", "three fifths", "one twenty-fifth", "half a million", "quarter million", "half a dozen" at word k.
func (r *numberReader) fractionAt(p []placed, k int) bare {
	if k >= len(p) {
		return bare{}
	}
	start := p[k].start
	num, n := int64(1), k
	lead := ""
	switch p[k].word {
	case "one":
		if k+1 < len(p) {
			if den, end := r.denominator(p, k+1, true); den > 0 {
				if p[end].word == "second" {
					return bare{}
				}
				return bare{val: big.NewRat(1, den), start: start, end: p[end].end, words: true, fraction: true}
			}
		}
		fallthrough
	default:
		v, used, ordinal := ReadNumber(wordsOf(p[k:]))
		if used == 0 || ordinal {
			return bare{}
		}
		num, n = v, k+used
		for j := k + used - 1; j > k; j-- { // "two hundred and fifty-four hundredths" is 200 and 54/100
			if p[j].word == "and" {
				return bare{}
			}
		}
		// "one hundred thirty-fifths" is 100/35: the hyphen joins the denominator
		if n < len(p) && p[n].hyphen && used > 1 && numerals[p[n-1].word].class == classTens {
			if v, u, o := ReadNumber(wordsOf(p[k : n-1])); u == used-1 && !o {
				num, n = v, n-1
			}
		}
	case "a", "an":
		lead, n = p[k].word, k+1
	case "half", "quarter":
		return r.bareHalf(p, k)
	}
	if n >= len(p) {
		return bare{}
	}
	den, end := r.denominator(p, n, lead != "" || num == 1)
	if den == 0 {
		if lead == "a" || lead == "an" { // "a hundred thousand trillionths"
			v, used, ordinal := ReadNumber(wordsOf(p[n:]))
			if used > 0 && !ordinal && n+used < len(p) {
				if den, end = r.denominator(p, n+used, false); den > 0 {
					return bare{val: big.NewRat(v, den), start: start, end: p[end].end, words: true, fraction: true}
				}
			}
		}
		return bare{}
	}
	if lead == "a" && p[end].word == "second" || lead == "one" && p[end].word == "second" {
		return bare{}
	}
	return bare{val: big.NewRat(num, den), start: start, end: p[end].end, words: true, fraction: true}
}

// denominator reads a denominator at word n: plural ("fifths"), or singular behind one ("fifth"); end is its last word.
func (r *numberReader) denominator(p []placed, n int, singular bool) (den int64, end int) {
	if d := oddDenominators[p[n].word]; d > 0 {
		if !singular && (p[n].word == "half" || p[n].word == "quarter") {
			return 0, 0
		}
		return d, n
	}
	m := numerals[p[n].word]
	if m.ordinal && (m.plural != singular || m.plural) && m.value > 2 {
		if m.plural || singular {
			return m.value, n
		}
	}
	// "twenty-fifth(s)"
	if m.class == classTens && !m.ordinal && n+1 < len(p) {
		if u := numerals[p[n+1].word]; u.ordinal && u.class == classSmall && u.value > 0 && u.value < 10 && (u.plural || singular && p[n+1].hyphen) {
			return m.value + u.value, n + 1
		}
	}
	return 0, 0
}

// bareHalf reads "half", "half a million", "half a dozen", "quarter million".
func (r *numberReader) bareHalf(p []placed, k int) bare {
	den := oddDenominators[p[k].word]
	b := bare{val: big.NewRat(1, den), start: p[k].start, end: p[k].end, words: true, fraction: true}
	n := k + 1
	if n < len(p) && (p[n].word == "a" || p[n].word == "an") {
		if n+1 < len(p) && (numerals[p[n+1].word].class == classScale || p[n+1].word == "dozen" || numerals[p[n+1].word].class == classHundred) {
			by := numerals[p[n+1].word].value
			if p[n+1].word == "dozen" {
				by = 12
			}
			return r.scale(b, by, p[n+1].end)
		}
		if p[k].word == "half" {
			if _, end := r.unitAt(p[n].end+1, true); end > p[n].end+1 { // "half a liter"
				b.end = p[n].end
				return b
			}
		}
	}
	if n < len(p) && numerals[p[n].word].class == classScale {
		return r.scale(b, numerals[p[n].word].value, p[n].end)
	}
	if p[k].word == "quarter" {
		return bare{}
	}
	return b
}

// pointDigits reads "point one three", "point 77", "point eleven" at word k.
func (r *numberReader) pointDigits(b bare, p []placed, k int) bare {
	digits := ""
	end := p[k].end
	n := k + 1
	for ; n < len(p) && len(digits) < 18; n++ {
		m := numerals[p[n].word]
		if m.ordinal || m.plural || m.class != classSmall && m.class != classTens {
			break
		}
		digits += big.NewInt(m.value).String()
		end = p[n].end
	}
	if digits == "" && r.get(end) == ' ' && r.digit(end+1) {
		d, t := r.plainDigits(end + 1)
		if d.digits == 0 || d.digits > 18 {
			return bare{}
		}
		digits, end = t, d.end
	}
	if digits == "" {
		if k > 0 {
			return b
		}
		return bare{}
	}
	b.val = new(big.Rat).Add(b.val, rat("0."+digits))
	b.end, b.decimal, b.digits = end, true, 0
	return r.scaleWords(b)
}

// over reads "over twenty-one", "out of five hundreds" behind a number.
func (r *numberReader) over(b bare) bare {
	j := r.skipSpace(b.end)
	n, ok := r.lit(j, "over ", "out of ")
	if !ok || j == b.end {
		return bare{}
	}
	d := r.plainDenominator(n)
	if d.end == 0 || d.val.Sign() == 0 || d.val.Cmp(b.val) <= 0 && r.prefix(j, "over ") > 0 && b.words != d.words {
		return bare{}
	}
	if d.val.Cmp(b.val) < 0 && r.prefix(j, "out of ") > 0 {
		return bare{} // "five out of three pieces"
	}
	b.val = new(big.Rat).Quo(b.val, d.val)
	b.end, b.fraction, b.digits = d.end, true, 0
	return b
}

func (r *numberReader) plainDenominator(i int) bare {
	if r.digit(i) {
		d, t := r.plainDigits(i)
		if d.digits == 0 || d.digits > 9 || r.letter(d.end) {
			return bare{}
		}
		d.val = rat(t)
		return d
	}
	p := r.phrase(i)
	if len(p) == 0 {
		return bare{}
	}
	v, used, ordinal := ReadNumber(wordsOf(p))
	if used == 0 || ordinal {
		return bare{}
	}
	end := p[used-1].end
	if used < len(p) && numerals[p[used].word].plural && !numerals[p[used].word].ordinal { // "five hundreds"
		v, end = v*numerals[p[used].word].value, p[used].end
	}
	return bare{val: big.NewRat(v, 1), start: i, end: end, words: true}
}
