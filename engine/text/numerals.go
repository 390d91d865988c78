package text

import "math"

// numeralClass says what an English number word does in a larger number.
type numeralClass byte

const (
	classSmall   numeralClass = iota + 1 // zero to nineteen
	classTens                            // twenty to ninety
	classHundred                         // hundred
	classScale                           // thousand and more
)

// numeral is an English number word.
type numeral struct {
	class   numeralClass
	value   int64
	ordinal bool // third, fortieth, millionth
	plural  bool // thirds, hundreds
}

// numerals are the English number words, cardinal and ordinal, with their plurals and the Indian scales.
var numerals = makeNumerals()

func makeNumerals() map[string]numeral {
	out := map[string]numeral{"nought": {class: classSmall}, "naught": {class: classSmall}}
	pair := func(cardinal, ordinal string, n numeral) {
		out[cardinal] = n
		o := n
		o.ordinal = true
		out[ordinal] = o
		n.plural, o.plural = true, true
		out[ordinal+"s"] = o
		if n.class >= classHundred {
			out[cardinal+"s"] = n
		}
	}
	small := [...]string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen",
		"fifteen", "sixteen", "seventeen", "eighteen", "nineteen"}
	odd := map[string]string{"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth", "twelve": "twelfth"}
	for i, w := range small {
		o := odd[w]
		if o == "" {
			o = w + "th"
		}
		pair(w, o, numeral{class: classSmall, value: int64(i)})
	}
	for i, w := range [...]string{"twent", "thirt", "fort", "fift", "sixt", "sevent", "eight", "ninet"} {
		pair(w+"y", w+"ieth", numeral{class: classTens, value: int64(i+2) * 10})
	}
	pair("hundred", "hundredth", numeral{class: classHundred, value: 100})
	for w, v := range map[string]int64{"thousand": 1e3, "lakh": 1e5, "million": 1e6, "crore": 1e7, "billion": 1e9, "trillion": 1e12, "quadrillion": 1e15} {
		pair(w, w+"th", numeral{class: classScale, value: v})
	}
	for w, v := range map[string]int64{"lac": 1e5, "lkh": 1e5, "cr": 1e7, "krore": 1e7, "koti": 1e7} {
		out[w] = numeral{class: classScale, value: v}
		out[w+"s"] = numeral{class: classScale, value: v, plural: true}
	}
	return out
}

// IsNumeral reports whether w, in lower case, is an English number word.
func IsNumeral(w string) bool { return numerals[w].class != 0 }

// ReadNumber reads the English number in words that words begins with, in lower case and without hyphens: "two thousand and
// eighteen" is 2018, "twenty first" 21 and ordinal. n is how many words it took, 0 when there is none. An article is not
// read. A plural ("thirds") is not part of a number.
func ReadNumber(words []string) (value int64, n int, ordinal bool) {
	value, n, ordinal, _ = readNumber(words, 0)
	return value, n, ordinal
}

// readNumber is [ReadNumber] for words behind a number in digits, group, or 0; a plural ends the number, and is told.
func readNumber(words []string, group int64) (value int64, n int, ordinal, plural bool) {
	total, lastScale, last := int64(0), int64(math.MaxInt64), numeralClass(0)
	if group > 0 {
		last = classTens
	}
	for i := 0; i < len(words); i++ {
		m, ok := numerals[words[i]]
		if !ok {
			if words[i] != "and" || n == 0 || last < classHundred || i+1 == len(words) || numerals[words[i+1]].class == 0 {
				break
			}
			continue
		}
		if m.plural && (m.ordinal || group == 0 && total == 0) {
			break
		}
		switch m.class {
		case classSmall:
			if last == classSmall || last == classTens && (m.value == 0 || m.value > 9 || n == 0) {
				return total + group, n, false, false
			}
			group += m.value
		case classTens:
			if last == classSmall || last == classTens {
				return total + group, n, false, false
			}
			group += m.value
		case classHundred:
			switch {
			case last == classHundred || group >= 100 || last == classScale && group == 0 && n > 0:
				return total + group, n, false, false
			case group == 0 && n == 0:
				group = 100
			case group == 0:
				return total, n, false, false
			default:
				group *= 100
			}
		case classScale:
			if group == 0 && n == 0 {
				group = 1
			}
			if m.value >= lastScale || group == 0 || group > math.MaxInt64/m.value/2 {
				return total + group, n, false, false
			}
			total += group * m.value
			group, lastScale = 0, m.value
		}
		n, last = i+1, m.class
		if m.ordinal || m.plural {
			return total + group, n, m.ordinal, m.plural
		}
	}
	return total + group, n, false, false
}
