package temporal

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// lexeme is a number, a word or a single other character of a text.
type lexeme struct {
	kind       byte // 'n' number, 'w' word, 'p' anything else
	value      int  // of a number of at most 4 digits, else -1; of a month name, 1..12
	digits     int  // how many digits, 0 for a Chinese numeral
	month      bool // a word that names a month
	ordinal    bool // a number with st, nd, rd or th
	space      bool // white space stands before it
	r          rune // of 'p'
	start, end int
}

// lex cuts s. Numbers with a decimal or thousands part come out as numbers joined by 'p' lexemes without space.
func lex(s string) []lexeme {
	out := make([]lexeme, 0, len(s)/4+1)
	space := false
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		var l lexeme
		switch {
		case unicode.IsSpace(r):
			space = true
			i += n
			continue
		case digit(r) >= 0:
			l = lexNumber(s, i)
		case zhDigit(r) >= 0 || r == '十' || r == '廿':
			l = lexChinese(s, i)
		case r < utf8.RuneSelf && isLetter(byte(r)):
			l = lexWord(s, i)
		case r >= utf8.RuneSelf && unicode.IsLetter(r) && r < 0x2e80:
			l = lexeme{kind: 'w', start: i, end: i + n}
		default:
			l = lexeme{kind: 'p', r: r, start: i, end: i + n}
		}
		l.space = space
		space = false
		out = append(out, l)
		i = l.end
	}
	return out
}

func digit(r rune) int {
	switch {
	case '0' <= r && r <= '9':
		return int(r - '0')
	case '０' <= r && r <= '９':
		return int(r - '０')
	}
	return -1
}

func zhDigit(r rune) int {
	if r < 0x2000 {
		return -1
	}
	switch r {
	case '〇', '零', '○':
		return 0
	case '一':
		return 1
	case '二', '两':
		return 2
	case '三':
		return 3
	case '四':
		return 4
	case '五':
		return 5
	case '六':
		return 6
	case '七':
		return 7
	case '八':
		return 8
	case '九':
		return 9
	}
	return -1
}

func isLetter(c byte) bool { c |= 0x20; return 'a' <= c && c <= 'z' }

func lexNumber(s string, i int) lexeme {
	l := lexeme{kind: 'n', start: i}
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		d := digit(r)
		if d < 0 {
			break
		}
		l.digits++
		if l.digits <= 4 {
			l.value = l.value*10 + d
		}
		i += n
	}
	if l.digits > 4 {
		l.value = -1
	}
	if l.digits <= 2 && i+2 <= len(s) && (i+2 == len(s) || !isLetter(s[i+2])) {
		switch strings.ToLower(s[i : i+2]) {
		case "st", "nd", "rd", "th":
			l.ordinal = true
			i += 2
		}
	}
	l.end = i
	return l
}

// lexChinese reads a run of Chinese numerals: digit by digit (二〇〇三) or with ten (二十四).
func lexChinese(s string, i int) lexeme {
	l := lexeme{kind: 'n', start: i}
	count, tens, ones, plain := 0, -1, 0, 0
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		d := zhDigit(r)
		switch {
		case d >= 0:
			ones = d
			if count < 6 {
				plain = plain*10 + d
			}
		case r == '十' && tens < 0:
			tens = max(ones, 1)
			if count == 0 {
				tens = 1
			}
			ones = 0
		case r == '廿' && tens < 0:
			tens, ones = 2, 0
		default:
			r = 0
		}
		if r == 0 {
			break
		}
		count++
		i += n
	}
	l.end, l.value = i, plain
	if tens >= 0 {
		l.value = tens*10 + ones
	} else if count == 4 {
		l.digits = 4
	}
	if count > 4 {
		l.value = -1
	}
	return l
}

func lexWord(s string, i int) lexeme {
	l := lexeme{kind: 'w', start: i}
	for i < len(s) && isLetter(s[i]) {
		i++
	}
	l.end = i
	if n := i - l.start; n < 3 || n > 11 {
		return l
	}
	w := strings.ToLower(s[l.start:i])
	if m, ok := months[w]; ok {
		l.value, l.month = m, true
		return l
	}
	if v, ok := ordinals[w]; ok {
		return lexeme{kind: 'n', value: v, digits: 2, ordinal: true, start: l.start, end: i}
	}
	if (w == "twenty" || w == "thirty") && i < len(s) && s[i] == '-' {
		if unit := lexWord(s, i+1); unit.ordinal && unit.value < 10 && i+1 < unit.end {
			v := map[string]int{"twenty": 20, "thirty": 30}[w] + unit.value
			return lexeme{kind: 'n', value: v, digits: 2, ordinal: true, start: l.start, end: unit.end}
		}
	}
	return l
}

// ordinals are the days of a month in words; those above twenty are joined from two.
var ordinals = map[string]int{
	"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10, "eleventh": 11,
	"twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16, "seventeenth": 17, "eighteenth": 18, "nineteenth": 19,
	"twentieth": 20, "thirtieth": 30,
}

var months = map[string]int{
	"january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8, "september": 9, "october": 10,
	"november": 11, "december": 12, "jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "sept": 9, "oct": 10,
	"nov": 11, "dec": 12,
}
