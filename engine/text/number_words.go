package text

import (
	"math/big"

	"assay/engine/research"
)

// numWordAt is a word of a number with its place.
type placed struct {
	word       string
	start, end int  // characters
	hyphen     bool // a hyphen joins it to the word before
}

// maxNumberPhrase is how many words of a number are looked at.
const maxNumberPhrase = 24

// phrase returns the Latin words from i on, as far as spaces and hyphens join them.
func (r *numberReader) phrase(i int) []placed {
	var out []placed
	hyphen := false
	for len(out) < maxNumberPhrase {
		w, end := r.word(i)
		if w == "" || r.digit(end) || r.get(end) == '\'' {
			break
		}
		out = append(out, placed{w, i, end, hyphen})
		hyphen = false
		switch {
		case r.get(end) == ' ' && r.letter(end+1):
			i = end + 1
		case (r.get(end) == '-' || r.get(end) == '—') && r.letter(end+1):
			i, hyphen = end+1, true
		case r.get(end) == ' ' && r.get(end+1) == '-' && r.get(end+2) == ' ' && r.letter(end+3) && r.splitHyphen(w, end+3): // "ninety - five", "one - fourth"
			i, hyphen = end+3, true
		default:
			return out
		}
	}
	return out
}

// splitHyphen reports whether a hyphen between spaces joins w to the word at i, as in tokenised text.
func (r *numberReader) splitHyphen(w string, i int) bool {
	next, _ := r.word(i)
	n := numerals[next]
	return numerals[w].class == classTens && n.class == classSmall && n.value < 10 || numerals[w].class == classSmall && n.ordinal
}

func wordsOf(p []placed) []string {
	out := make([]string, len(p))
	for i := range p {
		out[i] = p[i].word
	}
	return out
}

// denominators that are no ordinals.
var oddDenominators = map[string]int64{"half": 2, "halves": 2, "quarter": 4, "quarters": 4}

// wordNumber reads a number in English words at i.
func (r *numberReader) wordNumber(i int) bare {
	w, _ := r.word(i)
	if numerals[w].class == 0 && oddDenominators[w] == 0 && w != "a" && w != "an" && w != "point" {
		if t := r.joined(i); t.end > 0 {
			return t
		}
		return bare{}
	}
	p := r.phrase(i)
	if len(p) == 0 {
		return bare{}
	}
	if w == "point" {
		return r.pointDigits(bare{val: new(big.Rat), start: i, end: i, words: true}, p, 0)
	}
	if b := r.fractionAt(p, 0); b.end > 0 {
		return r.scaleWords(b)
	}
	n, article := 0, p[0].word == "a" || p[0].word == "an"
	if article {
		n = 1
	}
	if article && len(p) > 1 {
		switch p[1].word {
		case "couple", "pair":
			if p[1].word == "couple" {
				end := p[1].end
				if len(p) > 2 && p[2].word == "of" {
					end = p[2].end
				}
				return bare{val: big.NewRat(2, 1), start: i, end: end, words: true}
			}
			return bare{}
		case "dozen":
			return bare{val: big.NewRat(12, 1), start: i, end: p[1].end, words: true, scaled: true}
		}
		if c := numerals[p[1].word].class; c != classHundred && c != classScale || numerals[p[1].word].plural {
			return bare{}
		}
	} else if article {
		return bare{}
	}
	v, used, ordinal := ReadNumber(wordsOf(p[n:]))
	if used == 0 || n == 0 && numerals[p[0].word].class >= classHundred && vagueCounts[r.wordBefore(i)] {
		return bare{}
	}
	if k := n + used; k < len(p) && !ordinal { // "two million and one half"
		if den, _ := r.denominator(p, k, true); den > 0 {
			for j := k - 1; j > n; j-- {
				if p[j].word == "and" {
					if w, u, o := ReadNumber(wordsOf(p[n:j])); u == j-n && !o {
						v, used = w, u
					}
					break
				}
			}
		}
	}
	last := n + used - 1
	b := bare{val: big.NewRat(v, 1), start: i, end: p[last].end, words: true, ordinal: ordinal}
	if ordinal {
		if !r.ordinalHere(p, last) {
			return bare{}
		}
		return b
	}
	if b.val.Cmp(big.NewRat(1, 1)) == 0 && used == 1 && n == 0 && !r.oneCounts(i, p) {
		if u, end := r.unitAfter(b); end == b.end || u.kind == research.Count {
			return bare{}
		}
	}
	if last+1 < len(p) && p[last+1].word == "point" {
		return r.pointDigits(b, p, last+1)
	}
	if x := r.over(b); x.end > b.end {
		return x
	}
	if last+1 < len(p) && p[last+1].word == "and" { // "one hundred and three and two thirds"
		if f := r.fractionAt(p, last+2); f.end > 0 {
			if numerals[p[last].word].class == classScale && f.val.Cmp(big.NewRat(1, 1)) < 0 && !f.scaled { // "two million and a half"
				if g := r.scaleWords(f); g.scaled {
					f = g
				} else {
					f.val = new(big.Rat).Mul(f.val, big.NewRat(numerals[p[last].word].value, 1))
				}
			}
			b.val = new(big.Rat).Add(b.val, f.val)
			b.end, b.fraction, b.scaled = f.end, true, numerals[p[last].word].class == classScale
			return r.scaleWords(b)
		}
	}
	b.scaled = numerals[p[last].word].class == classScale
	return r.more(b)
}

// vagueCounts stand before a scale and say how many of it, but not exactly.
var vagueCounts = wordSet("several few many some")

// joined reads ordinals written as one word: "twentyfifth".
func (r *numberReader) joined(i int) bare {
	w, end := r.word(i)
	for tens, m := range map[string]int64{"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90} {
		if len(w) > len(tens)+2 && w[:len(tens)] == tens {
			if u := numerals[w[len(tens):]]; u.class == classSmall && u.value > 0 && u.value < 10 && !u.plural {
				return bare{val: big.NewRat(m+u.value, 1), start: i, end: end, words: true, ordinal: u.ordinal}
			}
		}
	}
	return bare{}
}

// ordinalHere reports whether an ordinal word is one: not the unit of time, not a fraction's denominator.
func (r *numberReader) ordinalHere(p []placed, last int) bool {
	if last+1 < len(p) && p[last+1].word == "last" || last+2 < len(p) && p[last+1].word == "to" && p[last+2].word == "last" {
		return false // "the second to last" is counted from the end
	}
	if p[last].word == "second" && last == 0 {
		switch r.wordBefore(p[0].start) {
		case "a", "one", "per", "every", "each", "two", "few", "split":
			return false
		}
		return !r.digitBefore(p[0].start)
	}
	return p[last].word != "seconds"
}

// wordBefore returns the lower-case word before i when one space or hyphen stands between.
func (r *numberReader) wordBefore(i int) string {
	if c := r.get(i - 1); c != ' ' && c != '-' {
		return ""
	}
	return r.wordEndingAt(i - 1)
}

func (r *numberReader) digitBefore(i int) bool {
	c := r.get(i - 1)
	return (c == ' ' || c == '-') && r.digit(i-2)
}

var notOneBefore = wordSet(`the this that which no any every some each another other previous next last only good bad big new old right wrong first loved our your his her its`)

// oneCounts reports whether a lone "one" is a number and no pronoun.
func (r *numberReader) oneCounts(i int, p []placed) bool {
	if notOneBefore[r.wordBefore(i)] {
		return false
	}
	if len(p) > 1 {
		switch p[1].word {
		case "may", "can", "could", "should", "must", "would", "might", "another", "is", "has", "who", "day", "by", "needs":
			return false
		}
	}
	return true
}

// scaleWords works in words of scale behind the number: "million", "3 hundred and five", "million and a half", "dozen".
func (r *numberReader) scaleWords(b bare) bare {
	if k := r.prefix(b.end, " of a "); k > 0 && b.fraction && b.words {
		if w, end := r.word(k); numerals[w].class == classScale && !numerals[w].ordinal {
			return r.scale(b, numerals[w].value, end)
		}
	}
	j := r.spaces(b.end)
	if j == b.end && r.get(j) == '-' && r.letter(j+1) {
		j++
	}
	if j == b.end {
		return b
	}
	w, end := r.word(j)
	m := numerals[w]
	switch {
	case w == "dozen" || w == "dozens":
		return r.scale(b, 12, end)
	case w == "bn" || w == "mn" || w == "mln":
		return r.scale(b, letterScales[w], end)
	case (m.class == classScale || m.class == classHundred) && !m.ordinal && (!m.plural || b.digits > 0 || b.words):
	default:
		if x := r.over(b); x.end > b.end && !b.words {
			return x
		}
		return r.andHalf(b, 1)
	}
	p := r.phrase(j)
	if b.digits > 0 && b.digits <= 6 && !m.plural { // goes on as in words: "6 crore and two hundred"
		if iv, ok := whole(b.val); ok {
			if v, used, ordinal, plural := readNumber(wordsOf(p), iv); used > 0 && !ordinal && !plural {
				if iv > 0 {
					b.factor = big.NewRat(v, iv)
				}
				b.val = big.NewRat(v, 1)
				b.end, b.digits, b.scaled = p[used-1].end, 0, true
				return r.afterScale(b, numerals[p[used-1].word])
			}
		}
	}
	b = r.scale(b, m.value, end)
	if len(p) > 1 && numerals[p[1].word].class == classScale && !numerals[p[1].word].ordinal { // "hundred million"
		b = r.scale(b, numerals[p[1].word].value, p[1].end)
		m = numerals[p[1].word]
	}
	return r.afterScale(b, m)
}

// afterScale reads what goes on behind the scale m: "3 hundred and 21", "4 thousand 3 hundred", "3 million and a half".
func (r *numberReader) afterScale(b bare, m numeral) bare {
	if k := r.prefix(b.end, " and "); k > 0 && r.digit(k) { // "3 hundred and 21"
		if d, t := r.plainDigits(k); d.digits > 0 && d.digits <= 3 && rat(t).Cmp(big.NewRat(m.value, 1)) < 0 && m.class == classHundred && !r.letter(d.end) {
			b.val = new(big.Rat).Add(b.val, rat(t))
			b.end = d.end
			return b
		}
	}
	if k := r.skipSpace(b.end); k > b.end && r.digit(k) { // "4 thousand 3 hundred"
		if d, t := r.plainDigits(k); d.digits > 0 && d.digits <= 3 {
			if w, end := r.word(r.skipSpace(d.end)); numerals[w].value < m.value && (numerals[w].class == classHundred || numerals[w].class == classScale) && !numerals[w].ordinal && r.get(d.end) == ' ' {
				d.val = rat(t)
				d = r.scale(d, numerals[w].value, end)
				b.val = new(big.Rat).Add(b.val, d.val)
				b.end = d.end
				return b
			}
		}
	}
	return r.andHalf(b, m.value)
}

// andHalf adds "and a half" behind a number of the scale.
func (r *numberReader) andHalf(b bare, scale int64) bare {
	k := r.prefix(b.end, " and ")
	if k == 0 || b.ordinal {
		return b
	}
	f := r.fractionAt(r.phrase(k), 0)
	if f.end == 0 || f.val.Cmp(big.NewRat(1, 1)) >= 0 && !f.scaled {
		return b
	}
	if f.scaled || b.scaled {
		if !f.scaled {
			if w, end := r.word(r.skipSpace(f.end)); numerals[w].class == classScale && r.get(f.end) == ' ' { // "a quarter million"
				f = r.scale(f, numerals[w].value, end)
			} else {
				f.val = new(big.Rat).Mul(f.val, big.NewRat(max(scale, 1), 1))
			}
		}
	} else if b.decimal || b.fraction {
		return b
	}
	b.val = new(big.Rat).Add(b.val, f.val)
	b.end, b.digits, b.fraction = f.end, 0, true
	return r.scaleWordsOnce(b)
}

// scaleWordsOnce works in a scale behind "two and a half".
func (r *numberReader) scaleWordsOnce(b bare) bare {
	w, end := r.word(r.skipSpace(b.end))
	if m := numerals[w]; m.class == classScale && !m.ordinal && r.get(b.end) == ' ' && !b.scaled {
		return r.scale(b, m.value, end)
	}
	return b
}
