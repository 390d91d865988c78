package temporal

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"assay/engine/text"
)

// token is a word, a number in digits or another character of a text with Latin letters.
type token struct {
	kind       byte   // 'w' word, 'n' digits, 'p' other
	word       string // of a word: in lower case, without 's
	value      int    // of digits, at most 8 of them; else -1
	digits     int
	r          rune // of 'p'
	space      bool // white space stands before it
	capital    bool // the word begins with a capital
	poss       bool // 's was left out
	start, end int
}

// tokens cuts s. Digits and letters that touch are two tokens without space between.
func tokens(s string) []token {
	out := make([]token, 0, len(s)/4+1)
	space := false
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if unicode.IsSpace(r) {
			space = true
			i += n
			continue
		}
		var t token
		switch {
		case digit(r) >= 0:
			t = tokenDigits(s, i)
		case unicode.IsLetter(r) && r < 0x2e80:
			t = tokenWord(s, i)
		default:
			t = token{kind: 'p', r: r, start: i, end: i + n}
		}
		t.space = space
		space = false
		out = append(out, t)
		i = t.end
	}
	return out
}

func tokenDigits(s string, i int) token {
	t := token{kind: 'n', start: i}
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		d := digit(r)
		if d < 0 {
			break
		}
		if t.digits++; t.digits <= 8 {
			t.value = t.value*10 + d
		} else {
			t.value = -1
		}
		i += n
	}
	t.end = i
	return t
}

// maxWord is the longest word that is looked up, in bytes.
const maxWord = 24

func tokenWord(s string, i int) token {
	t := token{kind: 'w', start: i}
	r, _ := utf8.DecodeRuneInString(s[i:])
	t.capital = unicode.IsUpper(r)
	end := i
	for end < len(s) {
		r, n := utf8.DecodeRuneInString(s[end:])
		if !unicode.IsLetter(r) || r >= 0x2e80 {
			break
		}
		end += n
	}
	t.end = end
	if end-i <= maxWord {
		t.word = strings.ToLower(s[i:end])
	}
	for _, apostrophe := range [...]string{"'", "’"} {
		rest, ok := strings.CutPrefix(s[end:], apostrophe)
		if !ok {
			continue
		}
		switch {
		case startsWord(rest, "s"):
			t.end, t.poss = end+len(apostrophe)+1, true
		case t.word == "o" && len(rest) >= 5 && strings.EqualFold(rest[:5], "clock"):
			t.end, t.word = end+len(apostrophe)+5, "oclock"
		case strings.HasSuffix(t.word, "s") && (rest == "" || !isLetter(rest[0])):
			t.end, t.poss = end+len(apostrophe), true
			t.word = strings.TrimSuffix(t.word, "s")
		}
	}
	return t
}

// startsWord reports whether s begins with the word w, in any case.
func startsWord(s, w string) bool {
	if len(s) < len(w) || !strings.EqualFold(s[:len(w)], w) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s[len(w):])
	return !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

// reader reads the English expressions of one text.
type reader struct {
	s        string
	t        []token
	now      time.Time // midnight of the day of the clock
	dayFirst bool      // 1/2/2020 is 1 February
	depth    int
	memo     map[int]reading // of base, by position and depth
}

// reading is what base found.
type reading struct {
	when
	next int
}

// at returns the token at i, or an empty one.
func (r *reader) at(i int) token {
	if i < 0 || i >= len(r.t) {
		return token{}
	}
	return r.t[i]
}

// w returns the word at i, "" when there is none.
func (r *reader) w(i int) string { return r.at(i).word }

// is reports whether the word at i is one of words.
func (r *reader) is(i int, words ...string) bool {
	w := r.w(i)
	if w == "" {
		return false
	}
	for _, x := range words {
		if w == x {
			return true
		}
	}
	return false
}

// skip passes over the words at i, in order, and reports whether all of them stood there.
func (r *reader) skip(i int, words ...string) (int, bool) {
	for k, w := range words {
		if r.w(i+k) != w {
			return i, false
		}
	}
	return i + len(words), true
}

// opt passes over the word at i when it is one of words.
func (r *reader) opt(i int, words ...string) int {
	if r.is(i, words...) {
		return i + 1
	}
	return i
}

// punct reports whether the character c stands at i.
func (r *reader) punct(i int, c rune) bool { t := r.at(i); return t.kind == 'p' && t.r == c }

// optPunct passes over a character of set at i.
func (r *reader) optPunct(i int, set string) int {
	if t := r.at(i); t.kind == 'p' && strings.ContainsRune(set, t.r) {
		return i + 1
	}
	return i
}

// touches reports whether the token at i follows the one before it without a space.
func (r *reader) touches(i int) bool { return i > 0 && i < len(r.t) && !r.t[i].space }

// num is a number that was read.
type num struct {
	value, next int
	ordinal     bool
	words       int // how many words it is written in; 0 for digits
	digits      int
}

// number reads digits (with st, nd, rd, th) or number words at i; next is 0 when there is none.
func (r *reader) number(i int) num {
	t := r.at(i)
	if t.kind == 'n' {
		if t.value < 0 {
			return num{}
		}
		n := num{value: t.value, next: i + 1, digits: t.digits}
		if s := r.at(i + 1); s.kind == 'w' && !s.space && (s.word == "st" || s.word == "nd" || s.word == "rd" || s.word == "th") {
			n.ordinal, n.next = true, i+2
		}
		return n
	}
	if t.kind != 'w' {
		return num{}
	}
	var buf [maxNumberWords]string
	var at [maxNumberWords]int
	n := 0
	for j := i; n < maxNumberWords; j++ {
		if r.punct(j, '-') && n > 0 && r.touches(j) && r.touches(j+1) && !r.at(j).space {
			continue
		}
		w := r.w(j)
		if w == "" || r.at(j).poss {
			break
		}
		buf[n], at[n] = w, j
		n++
	}
	v, used, ordinal := text.ReadNumber(buf[:n])
	if used == 0 || v > 1e6 {
		return num{}
	}
	return num{value: int(v), next: at[used-1] + 1, ordinal: ordinal, words: used}
}

// maxNumberWords is how many words a number may have; years and counts have fewer.
const maxNumberWords = 8

// count reads how many units there are: a number, "a", "a few", "a couple of", "several".
func (r *reader) count(i int) num {
	if n := r.number(i); n.next > 0 && !n.ordinal {
		return n
	}
	j := i
	one := r.is(i, "a", "an")
	if one {
		j++
	}
	switch r.w(j) {
	case "couple", "pair":
		return num{value: 2, next: r.opt(j+1, "of"), words: 1}
	case "few", "several":
		return num{value: 3, next: r.opt(j+1, "of"), words: 1}
	case "dozen":
		return num{value: 12, next: j + 1, words: 1}
	}
	if one {
		return num{value: 1, next: j, words: 1}
	}
	return num{}
}

// enUnits are the calendar units of English; units of the clock are not among them.
var enUnits = map[string]unit{
	"day": days, "week": weeks, "wk": weeks, "weekend": weekends, "wkend": weekends, "fortnight": fortnights, "month": monthsUnit, "quarter": quarters, "qtr": quarters,
	"year": years, "yr": years, "decade": decades, "century": centuries,
	"days": days, "weeks": weeks, "wks": weeks, "weekends": weekends, "fortnights": fortnights, "months": monthsUnit, "quarters": quarters, "qtrs": quarters,
	"years": years, "yrs": years, "decades": decades, "centuries": centuries,
}

// unitAt reads a unit at i; next is 0 when there is none.
func (r *reader) unitAt(i int) (u unit, next int) {
	if r.w(i) == "week" && (r.is(i+1, "end", "ends") || r.punct(i+1, '-') && r.is(i+2, "end", "ends")) && !r.is(i+2, "of") {
		if r.punct(i+1, '-') {
			return weekends, i + 3
		}
		return weekends, i + 2
	}
	if (r.is(i, "business", "working", "work") && r.is(i+1, "day", "days")) || r.is(i, "weekday", "weekdays") {
		if r.is(i, "weekday", "weekdays") {
			return workdays, i + 1
		}
		return workdays, i + 2
	}
	u, ok := enUnits[r.w(i)]
	if !ok {
		return 0, 0
	}
	return u, i + 1
}

// years in words that are said in two halves: "nineteen twenty eight", "twenty nineteen".
func (r *reader) yearInWords(i int) (y, next int) {
	n := r.number(i)
	if n.next == 0 || n.words == 0 || n.ordinal {
		return 0, 0
	}
	if n.value >= minYear && n.value <= maxAnyYear && n.words > 1 {
		return n.value, n.next
	}
	if n.value < 10 || n.value > 21 || n.words > 2 {
		return 0, 0
	}
	m := r.number(n.next)
	if m.next == 0 || m.words == 0 || m.ordinal || m.value < 10 || m.value > 99 {
		return 0, 0
	}
	return n.value*100 + m.value, m.next
}

// year reads a year at i: four digits, words, or, with two, "'99".
func (r *reader) year(i int) (y, next int) {
	t := r.at(i)
	if t.kind == 'n' && t.digits == 4 && t.value >= minYear && t.value <= maxAnyYear && !r.decimalAt(i) {
		if s := r.at(i + 1); s.kind == 'w' && !s.space && s.word != "年" && !r.is(i+1, "ad", "ce") {
			return 0, 0
		}
		if r.punct(i+1, '\'') && r.w(i+2) == "s" && r.touches(i+1) && r.touches(i+2) && t.value%10 != 0 { // 2018's
			return t.value, i + 3
		}
		return t.value, i + 1
	}
	if t.kind == 'w' {
		return r.yearInWords(i)
	}
	if t.kind == 'p' && (t.r == '\'' || t.r == '’') {
		if n := r.at(i + 1); n.kind == 'n' && n.digits == 2 && !n.space {
			return shortYear(n.value), i + 2
		}
	}
	return 0, 0
}

// shortYear is the year two digits stand for: up to 49 of this century, else of the last.
func shortYear(y int) int {
	if y < 50 {
		return 2000 + y
	}
	return 1900 + y
}

// decimalAt reports whether the digits at i are part of a longer number: 1999.5, 12:2003, 1,999.
func (r *reader) decimalAt(i int) bool {
	a, b := r.at(i+1), r.at(i+2)
	if a.kind == 'p' && !a.space && (a.r == '.' || a.r == ',' || a.r == ':') && b.kind == 'n' && !b.space {
		return true
	}
	a, b = r.at(i-1), r.at(i-2)
	return i > 1 && a.kind == 'p' && !r.at(i).space && (a.r == '.' || a.r == ',' || a.r == ':') && b.kind == 'n' && !a.space
}

// month reads a month at i, with a point after an abbreviation.
func (r *reader) month(i int) (m, next int) {
	t := r.at(i)
	m, ok := months[t.word]
	if !ok || t.poss {
		return 0, 0
	}
	next = i + 1
	if r.punct(next, '.') && r.touches(next) && (len(t.word) <= 4 || r.at(next+1).kind == 'n' && r.touches(next+1)) {
		next++
	}
	return m, next
}

// weekdays, long and short.
var weekdays = map[string]time.Weekday{
	"monday": 1, "tuesday": 2, "wednesday": 3, "thursday": 4, "friday": 5, "saturday": 6, "sunday": 0,
	"mon": 1, "tue": 2, "tues": 2, "wed": 3, "weds": 3, "thu": 4, "thur": 4, "thurs": 4, "fri": 5, "sat": 6, "sun": 0,
	"mondays": 1, "tuesdays": 2, "wednesdays": 3, "thursdays": 4, "fridays": 5, "saturdays": 6, "sundays": 0,
}

// weekday reads a day of the week at i.
func (r *reader) weekday(i int) (w time.Weekday, next int) {
	t := r.at(i)
	w, ok := weekdays[t.word]
	if !ok || t.poss {
		return 0, 0
	}
	next = i + 1
	if len(t.word) <= 5 && r.punct(next, '.') && r.touches(next) && t.word != "sunday" {
		next++
	}
	return w, next
}

// starters are the words an expression may begin with, beside numbers.
var starters = makeStarters()

func makeStarters() map[string]bool {
	out := wordSet(`the a an few several couple pair dozen these those today now tomorrow tmr tmrw yesterday eom eoy ytd recently lately day half fiscal financial school academic
		calendar in within less more for after ides year years cy fy sy ad q h w week weekend business working work weekday weekdays early mid late beginning start middle end
		earlier later rest remainder closest nearest from between during month last two`)
	for w := range months {
		out[w] = true
	}
	for w := range weekdays {
		out[w] = true
	}
	for w := range pointers {
		out[w] = true
	}
	for w := range enUnits {
		out[w] = true
	}
	for w := range seasons {
		out[w] = true
	}
	for w := range tensPlural {
		out[w] = true
	}
	for w := range holidayStarts {
		out[w] = true
	}
	for _, b := range bounds {
		out[b.words[0]] = true
	}
	return out
}

// starts reports whether an expression may begin with the token at i.
func (r *reader) starts(i int) bool {
	t := r.at(i)
	switch t.kind {
	case 'n':
		return true
	case 'w':
		return starters[t.word] || text.IsNumeral(t.word)
	}
	return t.r == '\'' || t.r == '’' || t.r == '‘'
}
