package text

import (
	"math/big"
	"strings"
	"unicode"
	"unicode/utf8"
)

// unitAfter returns the unit that follows a number and where it ends, and n.end when there is none. A space or a hyphen may
// stand between.
func (q *quantifier) unitAfter(n number) (unitInfo, int) {
	s := q.s
	i := n.end
	if i >= len(s) {
		return unitInfo{}, n.end
	}
	gap := false
	switch {
	case s[i] == ' ' || s[i] == '-' && i+1 < len(s) && isASCIILetter(s[i+1]):
		i++
		gap = true
	case strings.HasPrefix(s[i:], "\u00a0"), strings.HasPrefix(s[i:], "\u202f"):
		i += 2 + strings.Count(s[i:i+1], "\xe2")
		gap = true
	case s[i] == '\n' && i+1 < len(s) && isLower(s[i+1]):
		i++
		gap = true
	}
	if !gap && isASCIILetter(s[i]) {
		return unitInfo{}, n.end // letters written to the number were looked at before
	}
	u, end := q.unitAt(i)
	if u.name == "" || gap && end == i+1 && !spaced[s[i:end]] && isASCIILetter(s[i]) {
		return unitInfo{}, n.end
	}
	if u.name == "year" && n.digits == 4 && s[i] >= utf8.RuneSelf {
		return unitInfo{}, n.end
	}
	if u.name == "quarter" && n.digits == 4 {
		return unitInfo{}, n.end // "the 1988 quarter"
	}
	return u, end
}

// unitAt returns the longest unit at i and where it ends.
func (q *quantifier) unitAt(i int) (unitInfo, int) {
	s := q.s
	if i >= len(s) {
		return unitInfo{}, i
	}
	if s[i] >= utf8.RuneSelf {
		return unitChinese(s, i)
	}
	if s[i] == '%' {
		return units["%"], i + 1
	}
	if s[i] == '$' && (i+1 == len(s) || !isDigit(s[i+1])) {
		return units["USD"], i + 1
	}
	if !isASCIILetter(s[i]) {
		return unitInfo{}, i
	}
	// One to three words; the longest that is a unit wins.
	best, bestEnd := unitInfo{}, i
	end := i
	for words := 0; words < 3; words++ {
		for end < len(s) && (isWordByte(s[end]) || s[end] == '/' && end+1 < len(s) && isASCIILetter(s[end+1]) || strings.HasPrefix(s[end:], "²")) {
			if s[end] >= utf8.RuneSelf {
				end++
			}
			end++
		}
		if end-i > maxUnit {
			break
		}
		if u := unitNamed(s[i:end]); u.name != "" {
			best, bestEnd = u, end
		}
		if end >= len(s) || s[end] != ' ' {
			break
		}
		end++
	}
	return best, bestEnd
}

// unitNamed looks a unit up as written, and a longer word also in lower case.
func unitNamed(w string) unitInfo {
	if u, ok := units[w]; ok {
		return u
	}
	if len(w) > 3 {
		return units[strings.ToLower(w)]
	}
	return unitInfo{}
}

// unitChinese returns the longest unit of up to five characters at i.
func unitChinese(s string, i int) (unitInfo, int) {
	best, bestEnd := unitInfo{}, i
	end := i
	for range 5 {
		if end >= len(s) {
			break
		}
		_, n := utf8.DecodeRuneInString(s[end:])
		end += n
		if u, ok := units[s[i:end]]; ok {
			best, bestEnd = u, end
		}
	}
	if best.name == "" {
		r, n := utf8.DecodeRuneInString(s[i:])
		if code := currencySigns[string(r)]; code != "" {
			return units[code], i + n
		}
	}
	return best, bestEnd
}

// isYear reports whether a plain number of four digits is a year: it counts nothing that follows, or the word before it is
// one that goes with years.
func (q *quantifier) isYear(n number) bool {
	if n.digits != 4 || n.scale != nil || n.currency != "" {
		return false
	}
	if v, ok := whole(n.val); !ok || v < firstYear || v > lastYear {
		return false
	}
	prev := strings.ToLower(prevWord(q.s, n.start))
	switch {
	case yearWords[prev] || isMonth(prev):
		return true
	case prev == "than" && strings.HasSuffix(strings.TrimRight(q.s[:n.start], " "), "er than"): // later than, earlier than
		return true
	case numberWords[prev]:
		return false
	}
	noun := q.noun(n.end)
	return noun == ""
}

// Whole numbers outside of these are no years.
const (
	firstYear = 1000
	lastYear  = 2199
)

// whole returns v as an integer; ok is false when it is none or does not fit.
func whole(v *big.Rat) (n int64, ok bool) {
	if v == nil || !v.IsInt() || !v.Num().IsInt64() {
		return 0, false
	}
	return v.Num().Int64(), true
}

// yearWords stand before years, numberWords before numbers that look like years.
var (
	yearWords   = wordSet(`in since by until till from during year years early late mid before after between circa ca spring summer autumn fall winter and copyright`)
	numberWords = wordSet(`rfc port ports page pages pp no number uid gid id bug iso about approximately around over nearly almost than roughly some exactly only least most`)
)

// dateMaterial reports whether a number is the day of a date.
func (q *quantifier) dateMaterial(n number) bool {
	if v, ok := whole(n.val); !ok || v < 1 || v > longestMonth || n.scale != nil || n.currency != "" {
		return false
	}
	s := q.s
	rest := s[n.end:min(len(s), n.end+24)]
	rest = strings.TrimLeft(rest, " -,")
	rest = strings.TrimPrefix(rest, "of ")
	w := rest
	if i := strings.IndexFunc(rest, func(r rune) bool { return !unicode.IsLetter(r) }); i >= 0 {
		w = rest[:i]
	}
	if isMonth(strings.ToLower(w)) && isUpperFirst(w) {
		return true
	}
	prev := prevWord(s, n.start)
	lower := strings.ToLower(prev)
	return isMonth(lower) && (n.ordinal || n.digits > 0 && (isUpperFirst(prev) || lower != "may" && lower != "march" && lower != "mar"))
}

func isUpperFirst(w string) bool { return w != "" && isUpper(w[0]) }

var monthNames = wordSet(`january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec`)

func isMonth(w string) bool { return len(w) >= 3 && monthNames[w] }

// afterName reports whether a capitalised word or a word for versions stands right before i, so that "2.1" there is a version.
func (q *quantifier) afterName(i int) bool {
	s := q.s
	if i < 2 || s[i-1] != ' ' && s[i-1] != '-' && s[i-1] != '(' {
		return false
	}
	w := wordBefore(s, i-1)
	if w == "" {
		return false
	}
	if versionWords[strings.ToLower(w)] {
		return true
	}
	start := i - 1 - len(w)
	return isUpper(w[0]) && !StopWord(strings.ToLower(w), "en") && (start > 0 || len(w) > 1)
}

var versionWords = wordSet(`version versions release releases kernel v debian linux libc dpkg apt python perl standard protocol windows potato woody sarge etch lenny`)

// noun returns the plural noun that a count at i counts: within the next three words of lower case, past adjectives.
func (q *quantifier) noun(i int) string {
	s := q.s
	for range 3 {
		if i >= len(s) || s[i] != ' ' && s[i] != '-' && s[i] != '\n' {
			return ""
		}
		i++
		start := i
		for i < len(s) && (isLower(s[i]) || s[i] == '-' && i > start) {
			i++
		}
		w := s[start:i]
		if w == "" || i < len(s) && isWordByte(s[i]) || len(w) > 24 || enStop[w] {
			return ""
		}
		if irregularPlural[w] || len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !notPlural[w] {
			return w
		}
	}
	return ""
}

var (
	irregularPlural = wordSet(`people men women children`)
	notPlural       = wordSet(`does says shows makes takes gives means contains includes provides uses remains becomes seems needs marks sees always perhaps thus
		towards besides sometimes across various previous basis series news this has was plus less`)
)
