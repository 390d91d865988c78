package text

import (
	"math/big"
	"strings"
	"unicode/utf8"

	"assay/engine/research"
)

// wordKind says what a number word does.
type wordKind byte

const (
	wordSmall    wordKind = iota + 1 // zero to nineteen
	wordTens                         // twenty to ninety
	wordScale                        // hundred, thousand, million, dozen
	wordOrdinal                      // first, twentieth
	wordFraction                     // half, thirds
	wordArticle                      // a, an: one, before a scale or a fraction
)

type numWord struct {
	kind  wordKind
	value int64
}

var numWords = func() map[string]numWord {
	out := map[string]numWord{"a": {wordArticle, 1}, "an": {wordArticle, 1}, "half": {wordFraction, 2}, "halves": {wordFraction, 2}, "thirds": {wordFraction, 3},
		"quarter": {wordFraction, 4}, "quarters": {wordFraction, 4}, "fourths": {wordFraction, 4}, "fifths": {wordFraction, 5}, "tenths": {wordFraction, 10}}
	for i, w := range strings.Fields("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen") {
		out[w] = numWord{wordSmall, int64(i)}
	}
	for i, w := range strings.Fields("twenty thirty forty fifty sixty seventy eighty ninety") {
		out[w] = numWord{wordTens, int64(i+2) * 10}
	}
	for w, v := range map[string]int64{"hundred": 100, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "dozen": 12, "lakh": 1e5, "crore": 1e7} {
		out[w] = numWord{wordScale, v}
	}
	for i, w := range strings.Fields("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth") {
		out[w] = numWord{wordOrdinal, int64(i) + 1}
	}
	return out
}()

// longestNumWord is the length of "seventeenth" and "seventieth", in bytes.
const longestNumWord = 11

// numWordAt returns the number word at i and where it ends; kind 0 for another word.
func numWordAt(s string, i int) (numWord, int) {
	end := i
	for end < len(s) && isASCIILetter(s[end]) {
		end++
	}
	if end-i > longestNumWord || end == i || end < len(s) && (isDigit(s[end]) || s[end] == '_') {
		return numWord{}, end
	}
	var buf [longestNumWord]byte
	for k := i; k < end; k++ {
		buf[k-i] = s[k] | 0x20
	}
	return numWords[string(buf[:end-i])], end
}

// word reads the word at i: a number in words, the start of an address, or anything else, which is passed over whole.
func (q *quantifier) word(i int) int {
	s := q.s
	if strings.HasPrefix(s[i:], "http") && (strings.HasPrefix(s[i+4:], "://") || strings.HasPrefix(s[i+4:], "s://")) {
		return urlEnd(s, i)
	}
	w, end := numWordAt(s, i)
	if w.kind == 0 {
		if code := currencyCode(s, i, end); code != "" {
			j := end
			for j < len(s) && (s[j] == ' ' || s[j] == '$') && j < end+2 {
				j++
			}
			if j < len(s) && isDigit(s[j]) {
				return q.digits(j, code, i)
			}
		}
		return q.skipWord(end)
	}
	if n, ok := q.numberInWords(i, w, end); ok {
		return q.finishWords(n)
	}
	return end
}

// skipWord passes over the rest of a name that goes on with digits (libc6, x86_64).
func (q *quantifier) skipWord(i int) int {
	for i < len(q.s) && isWordByte(q.s[i]) {
		i++
	}
	return i
}

// currencyCode returns the ISO code between i and end when it is one that is written before numbers.
func currencyCode(s string, i, end int) string {
	if end-i < 2 || end-i > 3 || !isUpper(s[i]) {
		return ""
	}
	if u, ok := units[s[i:end]]; ok && u.kind == research.Money {
		return u.name
	}
	return ""
}

// numberInWords reads "one hundred and three", "twenty-one", "two and a half million", "a dozen", "two thirds".
func (q *quantifier) numberInWords(i int, w numWord, end int) (number, bool) {
	n := number{start: i, end: end, words: true}
	if w.kind == wordOrdinal {
		n.val, n.ordinal = big.NewRat(w.value, 1), true
		return n, !q.notOrdinal(i, end, w.value)
	}
	if w.kind == wordFraction {
		return q.fraction(n, 1, w, i)
	}
	if w.kind == wordScale {
		return n, false // "several hundred" is vague
	}
	total, current, last := int64(0), int64(0), w
	current = w.value
	for {
		next, at, nend := q.nextNumWord(n.end, last)
		switch {
		case next.kind == wordScale:
			if total > 1e15 || current > 1e6 {
				return n, false
			}
			if next.value == 100 || next.value == 12 {
				current = max(current, 1) * next.value
			} else {
				total += max(current, 1) * next.value
				current = 0
			}
		case next.kind == wordFraction && total == 0 && current > 0 && current < 20:
			n.end = nend
			return q.fraction(n, current, next, at)
		case next.kind == wordOrdinal && last.kind == wordTens && next.value < 10:
			n.val, n.ordinal, n.end = big.NewRat(total+current+next.value, 1), true, nend
			return n, true
		case next.kind == wordSmall || next.kind == wordTens:
			if last.kind != wordScale && (next.kind == wordTens || last.kind != wordTens || next.value > 9) {
				// "nineteen ninety-nine" is a year; other pairs are two numbers.
				if total > 0 || current < 10 || current > 20 || next.value < 10 {
					return q.closeWords(n, total+current, w)
				}
				current *= 100
			}
			current += next.value
		default:
			return q.closeWords(n, total+current, w)
		}
		last, n.end = next, nend
	}
}

// closeWords finishes a number in words. A lone article is none, and a lone "one" only with a unit.
func (q *quantifier) closeWords(n number, v int64, first numWord) (number, bool) {
	n.val = big.NewRat(v, 1)
	alone := n.end-n.start <= 3
	if first.kind == wordArticle && alone {
		return n, false
	}
	if v == 1 && alone {
		u, _ := q.unitAfter(n)
		return n, u.name != "" || q.scaleFollows(n.end)
	}
	if v >= 1000 && v < 2200 && n.end-n.start > 8 && !strings.Contains(strings.ToLower(q.s[n.start:n.end]), "thousand") && !strings.Contains(strings.ToLower(q.s[n.start:n.end]), "hundred") {
		n.digits = 4
	}
	return n, true
}

// nextNumWord returns the number word that continues the number ending at i, past a space, a hyphen or "and".
func (q *quantifier) nextNumWord(i int, last numWord) (w numWord, at, end int) {
	s := q.s
	if i+1 >= len(s) || s[i] != ' ' && s[i] != '-' && s[i] != '\n' {
		return numWord{}, i, i
	}
	at = i + 1
	w, end = numWordAt(s, at)
	if w.kind == 0 && last.kind == wordScale && end-at == 3 && strings.EqualFold(s[at:end], "and") && end+1 < len(s) && s[end] == ' ' {
		at = end + 1
		w, end = numWordAt(s, at)
		if w.kind != wordSmall && w.kind != wordTens {
			return numWord{}, i, i
		}
	}
	if w.kind == wordArticle {
		return numWord{}, i, i
	}
	if w.kind == wordOrdinal && last.kind == wordSmall && w.value > 2 && w.value <= 10 {
		// "one third" is a fraction
		return numWord{wordFraction, w.value}, at, end
	}
	return w, at, end
}

// fraction makes count/w of "half", "a third", "two thirds", and scales it in "half a million". A bare half or quarter is one
// only before "of", "the", "a" or a scale.
func (q *quantifier) fraction(n number, count int64, w numWord, at int) (number, bool) {
	s := q.s
	n.val, n.decimal = big.NewRat(count, w.value), true
	rest := strings.TrimLeft(s[n.end:min(len(s), n.end+20)], " ")
	follows, _, _ := strings.Cut(strings.ToLower(rest), " ")
	if at == n.start { // no count before it
		if w.value != 2 {
			return n, false
		}
		if follows == "a" || follows == "an" {
			j := n.end + strings.Index(s[n.end:], " ") + 1
			if sc, end := numWordAt(s, min(len(s), j+len(follows)+1)); sc.kind == wordScale {
				n.val.Mul(n.val, big.NewRat(sc.value, 1))
				n.scale, n.end, n.decimal = big.NewRat(sc.value, 1), end, false
				return n, true
			}
			return n, false
		}
		return n, follows == "of" || follows == "the"
	}
	if count == 1 && isASCIILetter(s[n.start]) && n.end-n.start <= len("a quarter") && (s[n.start]|0x20) == 'a' {
		return n, follows == "of"
	}
	return n, true
}

// notOrdinal reports whether an ordinal word is something else here: a unit of time, a fraction.
func (q *quantifier) notOrdinal(i, end int, v int64) bool {
	prev := strings.ToLower(prevWord(q.s, i))
	if v == 2 {
		return prev == "per" || prev == "a" || prev == "every" || prev == "each" || prev == "one" || prev == "one's"
	}
	return v == 3 && prev == "a" && strings.HasPrefix(q.s[end:], " of")
}

// finishWords adds the half of "two and a half", the scale behind it, and the unit.
func (q *quantifier) finishWords(n number) int {
	if strings.HasPrefix(q.s[n.end:], " and a half") {
		n.val.Add(n.val, big.NewRat(1, 2))
		n.end += len(" and a half")
		n.decimal, n.digits = true, 0
	}
	if !n.ordinal && !q.scaled(&n) {
		return n.end
	}
	if q.dateMaterial(n) {
		return n.end
	}
	return q.emit(n, "")
}

// scaleFollows reports whether a scale word comes next.
func (q *quantifier) scaleFollows(i int) bool {
	w, _, _ := q.nextNumWord(i, numWord{})
	return w.kind == wordScale
}

// scaled works in the scales that follow the number: thousand, million, 万, 亿. It reports false when the number turned out to
// be too large to be one.
func (q *quantifier) scaled(n *number) bool {
	s := q.s
	for range 3 {
		if n.end >= len(s) {
			return true
		}
		if s[n.end] >= utf8.RuneSelf || strings.HasPrefix(s[n.end:], " 万") || strings.HasPrefix(s[n.end:], " 亿") {
			return q.scaledChinese(n)
		}
		at := n.end
		if s[at] == ' ' || s[at] == '-' || s[at] == '\u000a' {
			at++
		}
		if at == n.end || at >= len(s) || !isASCIILetter(s[at]) {
			return true
		}
		w, end := numWordAt(s, at)
		f := ""
		switch {
		case w.kind == wordScale:
			f = big.NewInt(w.value).String()
		case n.currency != "" && end-at <= 3:
			f = attachedScale(s[at:end], n.currency)
		case end-at == 2 && strings.EqualFold(s[at:end], "bn"):
			f = "1000000000"
		}
		if f == "" {
			return true
		}
		n.scaleBy(rat(f), end)
	}
	return true
}

func (n *number) scaleBy(f *big.Rat, end int) {
	n.val = new(big.Rat).Mul(n.val, f)
	if n.scale == nil {
		n.scale = new(big.Rat).SetInt64(1)
	}
	n.scale = new(big.Rat).Mul(n.scale, f)
	n.end, n.digits, n.decimal = end, 0, false
}
