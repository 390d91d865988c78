package text

import (
	"math/big"
	"strings"
	"unicode/utf8"

	"assay/engine/research"
)

// maxDigits is the longest number that is read, in bytes; a longer run of digits is data.
const maxDigits = 40

// digits reads the number in digits at i; start is where its sign or currency stands.
func (q *quantifier) digits(i int, currency string, start int) int {
	n, plain := q.literal(i)
	n.start, n.currency = start, currency
	switch {
	case n.val == nil:
		return n.end
	case currency == "" && q.partOfName(start):
		return q.wholeWord(n.end)
	case currency == "" && q.marker(n, plain):
		return n.end
	}
	s := q.s
	if n.end < len(s) {
		switch c := s[n.end]; {
		case c == '.' && n.decimal && n.end+1 < len(s) && isDigit(s[n.end+1]):
			return q.version(start, n.end)
		case c == '.' && n.digits > 0 && strings.HasPrefix(s[n.end:], ".x") && (n.end+2 == len(s) || !isWordByte(s[n.end+2])):
			return q.version(start, n.end) // 2.x
		case c == ':' && n.digits > 0 && n.digits <= 3 && n.end+1 < len(s) && isDigit(s[n.end+1]):
			return q.clock(n)
		case c == '/' && n.digits > 0 && n.end+1 < len(s) && isDigit(s[n.end+1]):
			return q.slash(n)
		case c == '-' && n.digits == 4 && q.isYear(n):
			return q.yearHyphen(n)
		case isASCIILetter(c) || c == '_':
			return q.suffix(n)
		}
	}
	q.fractionAfter(&n)
	if !q.scaled(&n) {
		return n.end
	}
	if q.dateMaterial(n) || n.end < len(s) && (s[n.end] >= utf8.RuneSelf || s[n.end] == ' ') && q.dateChinese(n) {
		return n.end
	}
	if end := q.tenths(n); end > 0 {
		return end
	}
	if before := strings.TrimSuffix(strings.TrimSuffix(s[:start], " "), "\u00a0"); currency == "" && strings.HasSuffix(before, "第") {
		after := strings.TrimPrefix(strings.TrimPrefix(s[n.end:], " "), "\u00a0")
		if r, _ := utf8.DecodeRuneInString(after); strings.ContainsRune("章节页条", r) || n.decimal {
			return n.end
		}
		n.start, n.ordinal = len(before)-len("第"), true
	}
	return q.emit(n, "")
}

// literal reads digits, thousands groups and one decimal part at i. plain is the number without the decimal part.
func (q *quantifier) literal(i int) (n number, plain string) {
	s := q.s
	var b []byte
	n.start = i
	for i < len(s) {
		d, w := digitAt(s, i)
		if w == 0 {
			break
		}
		b = append(b, d)
		i += w
	}
	n.digits = len(b)
	for {
		w := groupWidth(s, i, len(b))
		if w == 0 || n.digits > 3 && !n.grouped {
			break
		}
		b = append(b, s[i+w:i+w+3]...)
		i += w + 3
		n.grouped = true
	}
	plain = string(b)
	if i+1 < len(s) && s[i] == '.' && isDigit(s[i+1]) {
		n.decimal = true
		b = append(b, '.')
		for i++; i < len(s) && isDigit(s[i]); i++ {
			b = append(b, s[i])
		}
	}
	n.end = i
	if n.decimal || n.grouped {
		n.digits = 0
	}
	if len(b) > maxDigits {
		return n, plain
	}
	n.val = decimal(b)
	if n.start > 0 && s[n.start-1] == '-' && (n.start == 1 || s[n.start-2] == ' ' || s[n.start-2] == '(') || strings.HasSuffix(s[:n.start], "−") {
		n.val.Neg(n.val)
	}
	return n, plain
}

// decimal returns the exact value of digits with at most one point.
func decimal(b []byte) *big.Rat {
	if len(b) > 18 { // may not fit 63 bits
		if b[0] == '.' {
			return rat("0" + string(b))
		}
		return rat(string(b))
	}
	v, scale, point := int64(0), int64(1), false
	for _, c := range b {
		if c == '.' {
			point = true
			continue
		}
		v = v*10 + int64(c-'0')
		if point {
			scale *= 10
		}
	}
	if scale == 1 {
		return new(big.Rat).SetInt64(v)
	}
	return big.NewRat(v, scale)
}

// digitAt returns the digit at i, ASCII or full width, and its width in bytes; 0 for none.
func digitAt(s string, i int) (d byte, width int) {
	if isDigit(s[i]) {
		return s[i], 1
	}
	if s[i] != 0xef {
		return 0, 0
	}
	if r, n := utf8.DecodeRuneInString(s[i:]); isFullDigit(r) {
		return byte(r-'０') + '0', n
	}
	return 0, 0
}

// groupWidth returns the width of a thousands separator at i that three digits and no fourth follow: a comma, also with the
// space of tokenised text before it, or a space that does not break. 0 for none.
func groupWidth(s string, i, have int) int {
	if have == 0 {
		return 0
	}
	w := 0
	for _, sep := range [...]string{",", " , ", " ,", "\u00a0", "\u202f", "\u2009", "，"} {
		if strings.HasPrefix(s[min(i, len(s)):], sep) {
			w = len(sep)
			break
		}
	}
	j := i + w
	if w == 0 || j+3 > len(s) || !isDigit(s[j]) || !isDigit(s[j+1]) || !isDigit(s[j+2]) || j+3 < len(s) && isDigit(s[j+3]) {
		return 0
	}
	return w
}

// partOfName reports whether the number at i is the tail of a name, a path or a longer number: libc-6, a.1, x/2.
func (q *quantifier) partOfName(i int) bool {
	s := q.s
	if i < 2 {
		return false
	}
	c, before := s[i-1], s[i-2]
	switch c {
	case '-':
		return (isASCIILetter(before) || before == '_') && !datePrefix[strings.ToLower(wordBefore(s, i-1))]
	case '.', '/', '@', '_', '\\':
		return isWordByte(before)
	}
	return isWordByte(c)
}

// datePrefix are the words that are joined to a number by a hyphen without making a name of it.
var datePrefix = wordSet(`mid early late pre post sub non over under since the and plus minus up to end near nearly`)

// wordBefore returns the ASCII letters that end at i.
func wordBefore(s string, i int) string {
	j := i
	for j > 0 && isASCIILetter(s[j-1]) && i-j < 24 {
		j--
	}
	return s[j:i]
}

// prevWord returns the word before i when only spaces, a comma or a hyphen stand between, and whether a comma does.
func prevWord(s string, i int) string {
	for i > 0 && (s[i-1] == ' ' || s[i-1] == ',' || s[i-1] == '.' || s[i-1] == '\n' || s[i-1] == '\xa0') {
		if i--; s[i] == '\xa0' && i > 0 { // a space that does not break
			i--
		}
	}
	return wordBefore(s, i)
}

// wholeWord returns the end of the name that goes on at i.
func (q *quantifier) wholeWord(i int) int {
	s := q.s
	for i < len(s) && (isWordByte(s[i]) || (s[i] == '.' || s[i] == '-' || s[i] == '+') && i+1 < len(s) && isWordByte(s[i+1])) {
		i++
	}
	return i
}

// marker reports whether the number only marks an item, a heading, a section or a citation.
func (q *quantifier) marker(n number, plain string) bool {
	s := q.s
	rest := s[n.end:]
	if n.digits > 0 && n.digits <= 3 && citationMark(s, n.start, n.end) {
		return true
	}
	if sectionWords[strings.ToLower(prevWord(s, n.start))] || strings.HasSuffix(s[:n.start], "§") || strings.HasSuffix(s[:n.start], "§ ") {
		return true
	}
	if !lineStart(s, n.start) {
		return false
	}
	if n.digits > 0 && n.digits <= 3 && len(rest) > 1 && (rest[0] == '.' || rest[0] == ')') && (rest[1] == ' ' || rest[1] == '\t') {
		return true
	}
	// "2.1 Getting Debian" at the start of a line is a heading, "2.1 GB" is not.
	if n.decimal && len(plain) <= 2 && headingAfter(rest) {
		u, _ := q.unitAfter(n)
		return u.name == ""
	}
	return strings.HasPrefix(rest, "、")
}

// headingAfter reports whether what follows a section number begins a heading: a point, a space, a capital or a character
// without case.
func headingAfter(rest string) bool {
	point := strings.HasPrefix(rest, ".")
	if point {
		rest = rest[1:]
	}
	after := strings.TrimPrefix(strings.TrimPrefix(rest, " "), "\u00a0")
	if len(after) < 2 || len(after) == len(rest) {
		return false
	}
	return isUpper(after[0]) && (isLower(after[1]) || point) || after[0] >= utf8.RuneSelf && point
}

// citationMark reports whether the digits between i and end stand in a mark such as [3], [^3] or [1, 2].
func citationMark(s string, i, end int) bool {
	const inside = "0123456789, -^"
	stop, start := min(len(s), end+24), max(0, i-24)
	for end < stop && strings.IndexByte(inside, s[end]) >= 0 {
		end++
	}
	for i > start && strings.IndexByte(inside, s[i-1]) >= 0 {
		i--
	}
	return end < len(s) && s[end] == ']' && i > 0 && s[i-1] == '['
}

var sectionWords = wordSet(`section sections sect chapter chapters figure figures fig figs table tables appendix clause paragraph footnote item eq equation`)

// lineStart reports whether only spaces and an opening bracket stand between i and the start of its line.
func lineStart(s string, i int) bool {
	for i > 0 && (s[i-1] == ' ' || s[i-1] == '\t' || s[i-1] == '(' || s[i-1] == '#' || s[i-1] == '*') {
		i--
	}
	return i == 0 || s[i-1] == '\n'
}

// version reads a number with more than one point from start on, or with letters: 10.0.2.2, 0.93r6, 2.4.18-1, 10.0.0.0/8.
func (q *quantifier) version(start, i int) int {
	s := q.s
	points := 0
	for j := start; j < i; j++ {
		if s[j] == '.' {
			points++
		}
	}
	for ; i < len(s); i++ {
		c := s[i]
		next := byte(' ')
		if i+1 < len(s) {
			next = s[i+1]
		}
		if c == '.' && isWordByte(next) || c == '~' || c == '+' && isWordByte(next) || c == '-' && points > 1 && isDigit(next) || c == '/' && points == 3 && isDigit(next) {
			if c == '.' {
				points++
			}
			continue
		}
		if !isWordByte(c) {
			break
		}
	}
	if s[start] == '-' {
		start++
	}
	// A heading such as "2.1.3 Title" is no version.
	if lineStart(s, start) && points < 4 && sectionOnly(s[start:i]) && headingAfter(s[i:]) {
		return i
	}
	if sectionWords[strings.ToLower(prevWord(s, start))] {
		return i
	}
	return q.put(nil, "", research.Version, start, i, nil)
}

// clock reads a time of day or a ratio: 10:30, 10:30:45, 16:9.
func (q *quantifier) clock(n number) int {
	i := n.end
	for i+1 < len(q.s) && (q.s[i] == ':' || q.s[i] == '.') && isDigit(q.s[i+1]) {
		for i++; i < len(q.s) && isDigit(q.s[i]); i++ {
		}
	}
	return q.put(nil, "", research.Version, n.start, i, nil)
}

// slash reads 2007/08, 1/2 and the year of 24/11/2015.
func (q *quantifier) slash(n number) int {
	s := q.s
	second, _ := q.literal(n.end + 1)
	if second.val == nil || second.decimal || second.grouped {
		return q.emit(n, "")
	}
	if second.end+1 < len(s) && s[second.end] == '/' && isDigit(s[second.end+1]) {
		third, _ := q.literal(second.end + 1)
		for _, part := range [...]number{n, third} {
			if part.digits == 4 && q.isYear(part) {
				q.put(part.val, "", research.Year, part.start, part.end, nil)
			}
		}
		return third.end
	}
	if n.digits == 4 && q.isYear(n) {
		q.put(n.val, "", research.Year, n.start, n.end, nil)
		return q.secondYear(n, second)
	}
	if second.digits == 4 && n.digits <= 2 { // 11/2003
		return q.emit(second, "")
	}
	if n.val.Cmp(second.val) < 0 && second.val.Sign() > 0 && second.digits <= 3 {
		f := number{val: new(big.Rat).Quo(n.val, second.val), start: n.start, end: second.end, decimal: true}
		if u, _ := q.unitAfter(f); u.name != "" {
			return q.emit(f, "")
		}
		return q.put(f.val, "", research.Count, f.start, f.end, nil)
	}
	return q.emit(n, "")
}

// secondYear appends the second end of 2007/08 or 2007-08 when it is one.
func (q *quantifier) secondYear(first, second number) int {
	if second.digits != 2 {
		return first.end
	}
	y := new(big.Rat).Add(first.val, new(big.Rat))
	century := new(big.Int).Mul(new(big.Int).Div(y.Num(), big.NewInt(100)), big.NewInt(100))
	v := new(big.Rat).Add(new(big.Rat).SetInt(century), second.val)
	if v.Cmp(first.val) > 0 {
		q.put(v, "", research.Year, second.start, second.end, nil)
	}
	return second.end
}

// yearHyphen reads 2007-2008, 2007-08 and the year of 2015-11-24.
func (q *quantifier) yearHyphen(n number) int {
	s := q.s
	q.put(n.val, "", research.Year, n.start, n.end, nil)
	if n.end+1 >= len(s) || !isDigit(s[n.end+1]) {
		return n.end
	}
	second, _ := q.literal(n.end + 1)
	if second.digits != 2 {
		return n.end + 1
	}
	if second.end+1 < len(s) && s[second.end] == '-' && isDigit(s[second.end+1]) {
		third, _ := q.literal(second.end + 1)
		return third.end
	}
	if second.val.Cmp(rat("12")) <= 0 && !isNextYear(n.val, second.val) {
		return second.end // a month
	}
	return q.secondYear(n, second)
}

// isNextYear reports whether two digits are those of the year after y.
func isNextYear(y, short *big.Rat) bool {
	next := new(big.Int).Add(y.Num(), big.NewInt(1))
	return new(big.Int).Mod(next, big.NewInt(100)).Cmp(short.Num()) == 0
}

// suffix reads the letters written to a number: an ordinal, a decade, a unit, a scale, or the rest of a name.
func (q *quantifier) suffix(n number) int {
	s := q.s
	end := n.end
	for end < len(s) && isASCIILetter(s[end]) {
		end++
	}
	letters := s[n.end:end]
	if end < len(s) && (isDigit(s[end]) || s[end] == '_') && units[letters+s[end:end+1]].name == "" {
		if n.decimal {
			return q.version(n.start, n.end)
		}
		return q.wholeWord(end)
	}
	switch letters {
	case "st", "nd", "rd", "th", "ST", "ND", "RD", "TH":
		n.end, n.ordinal = end, true
		if q.dateMaterial(n) {
			return end
		}
		return q.emit(n, "")
	case "s":
		if n.digits == 4 && q.isYear(n) && isTens(n.val) {
			return q.put(n.val, "decade", research.Year, n.start, end, nil)
		}
		if n.digits == 2 && isTens(n.val) { // '90s
			return q.put(new(big.Rat).Add(n.val, rat("1900")), "decade", research.Year, n.start, end, nil)
		}
	case "x", "X":
		return q.put(n.val, "times", research.Count, n.start, end, nil)
	}
	if f := attachedScale(letters, n.currency); f != "" {
		n.val, n.scale, n.end = new(big.Rat).Mul(n.val, rat(f)), rat(f), end
		return q.emit(n, "")
	}
	// Units with more than letters: km/h, m², MB/s.
	if u, uend := q.unitAt(n.end); u.name != "" && uend >= end {
		n.end = uend
		return q.emit(n, u.name)
	}
	if n.decimal {
		return q.version(n.start, n.end)
	}
	if r, _ := utf8.DecodeRuneInString(s[end:]); n.grouped || n.currency != "" || isCJK(r) && n.digits > 4 {
		return q.emit(n, "")
	}
	return q.wholeWord(end)
}

func isTens(v *big.Rat) bool { return new(big.Int).Mod(v.Num(), big.NewInt(10)).Sign() == 0 }

// attachedScale returns the factor of a scale written to its number. "m" and "b" are scales only of money.
func attachedScale(letters, currency string) string {
	switch strings.ToLower(letters) {
	case "k":
		if letters == "k" || currency != "" {
			return "1000"
		}
	case "mn", "mio", "mln":
		return "1000000"
	case "bn":
		return "1000000000"
	case "tn", "trn":
		return "1000000000000"
	case "m":
		if currency != "" || letters == "M" {
			return "1000000"
		}
	case "b":
		if currency != "" {
			return "1000000000"
		}
	}
	return ""
}

// fractionAfter adds "1/2" or "½" written after a whole number.
func (q *quantifier) fractionAfter(n *number) {
	if n.digits == 0 || n.end >= len(q.s) {
		return
	}
	rest := q.s[n.end:]
	r, w := utf8.DecodeRuneInString(rest)
	if f := vulgar[r]; f != "" {
		n.val.Add(n.val, rat(f))
		n.end, n.digits, n.decimal = n.end+w, 0, true
		return
	}
	if len(rest) >= 4 && rest[0] == ' ' && isDigit(rest[1]) && rest[2] == '/' && isDigit(rest[3]) && rest[1] < rest[3] && (len(rest) == 4 || !isWordByte(rest[4]) && rest[4] != '/') {
		n.val.Add(n.val, rat(rest[1:4]))
		n.end, n.digits, n.decimal = n.end+4, 0, true
	}
}
