package text

import (
	"math/big"
	"strings"

	"assay/engine/research"
)

// longestUnitWords is how many words a unit has at most, longestUnitRunes how many characters in Chinese.
const (
	longestUnitWords = 5
	longestUnitRunes = 7
)

// unitAfter returns the unit behind the number b and its end; b.end when there is none.
func (r *numberReader) unitAfter(b bare) (unitInfo, int) {
	if b.ordinal {
		return unitInfo{}, b.end
	}
	j, gap := b.end, false
	switch {
	case r.get(j) == ' ':
		for r.get(j) == ' ' && j < b.end+2 {
			j++
		}
		gap = true
	case r.get(j) == '-' && r.letter(j+1):
		j++
	}
	if closing := map[rune]rune{'<': '>', '(': ')', '[': ']', '{': '}'}[r.get(j)]; closing != 0 && r.letter(j+1) { // <kg>
		if u, end := r.unitAt(j+1, true); end > j+1 && r.get(end) == closing && u.kind == research.Measure {
			return u, end + 1
		}
	}
	if r.get(j) == '个' && isHanRune(r.get(j+1)) { // 六个加仑
		if u, end := r.hanUnit(j + 1); end > j+2 && u.kind == research.Measure {
			return u, end
		}
	}
	u, end := r.unitAt(j, gap)
	if r.low(j) == 's' && !gap && r.wordEnd(j+1) && (b.digits == 4 || b.digits == 2 && b.val.Num().Int64()%10 == 0) {
		return unitInfo{}, b.end // the 1990s
	}
	if c := r.get(j); (c == 'C' || c == 'F' || c == 'K') && !b.words && r.wordEnd(j+1) && !r.digit(j+1) && r.speaksOfHeat() {
		return amountUnits[map[rune]string{'C': "°C", 'F': "°F", 'K': "K"}[c]], j + 1
	}
	if u.name == "inch" && r.prefix(j, "in") > 0 && end == j+2 && gap && (r.get(end) == ' ' || r.get(end) == '-') && !r.lengthHere(b, end) {
		return unitInfo{}, b.end // the preposition
	}
	if end > j && u.name != "" {
		if u.kind == research.Money { // "75 USD million", "30 MUSD"
			if end == j+1 && r.letter(j) && (gap || r.z[j] == 'C' || r.z[j] == 'P') { // 43c are cents, 43 C are not
				return unitInfo{}, b.end
			}
			return r.moneyScale(u, end)
		}
		if gap && end == j+1 && r.letter(j) && !loneUnit[r.z[j]] {
			return unitInfo{}, b.end
		}
		return u, end
	}
	return unitInfo{}, b.end
}

// lengthHere reports whether "in" that ends at end means inches: behind feet, or before what has a length.
func (r *numberReader) lengthHere(b bare, end int) bool {
	if n := len(r.out); n > 0 && r.out[n-1].Unit == "ft" && r.at[b.start]-r.out[n-1].End <= 2 {
		return true
	}
	_, ok := r.lit(end, " thick", " long", " wide", " tall", " high", " deep", " by ", " x ", " diameter", " in diameter", " square")
	return ok
}

// moneyScale keeps a unit of currency for the number before it; see [numberReader.number] for "30 MUSD".
func (r *numberReader) moneyScale(u unitInfo, end int) (unitInfo, int) {
	if k := r.skipSpace(end); k > end {
		if w, stop := r.word(k); numerals[w].class == classScale && !numerals[w].ordinal {
			u.factor = big.NewInt(numerals[w].value).String()
			return u, stop
		}
	}
	return u, end
}

// loneUnit are the units of one letter that are read behind a space too.
var loneUnit = map[rune]bool{'m': true, 'g': true, 'l': true, 'L': true, 'W': true, 'V': true, 'K': true, 'C': true, 'F': true, 'b': true, 'A': false, 'J': true, 'N': true}

// unitAt returns the longest unit at i and its end.
func (r *numberReader) unitAt(i int, spaced bool) (unitInfo, int) {
	c := r.get(i)
	switch {
	case c == 0:
		return unitInfo{}, i
	case c == '°':
		return r.degrees(i)
	case c == '\'' && r.get(i+1) == '\'':
		return amountUnits["inch"], i + 2
	case c == '\'' && !spaced && r.digit(i+1): // 6'2"
		if d, _ := r.plainDigits(i + 1); d.digits > 0 && d.digits < 3 && r.get(d.end) == '"' {
			return amountUnits["ft"], i + 1
		}
	case c == '"' || c == '″':
		if c == '"' && r.openQuote(i) {
			return unitInfo{}, i
		}
		if spaced && !strings.ContainsRune(" \n.,;)", r.get(i+1)) && r.get(i+1) != 0 {
			return unitInfo{}, i
		}
		return amountUnits["inch"], i + 1
	case c == '%' || c == '‰':
		return amountUnits[string(c)], i + 1
	case isHanRune(c) || c >= 0x2e80:
		return r.hanUnit(i)
	}
	if u, ok := amountUnits[string(c)]; ok && !isLatin(c) && u.kind == research.Money {
		if r.digit(i+1) && !spaced {
			return unitInfo{}, i
		}
		if spaced && r.digit(i+1) {
			return unitInfo{}, i // the sign of the next number
		}
		return u, i + 1
	}
	if !isLatin(c) {
		return unitInfo{}, i
	}
	return r.latinUnit(i)
}

// openQuote reports whether a quotation mark at i closes one that is open.
func (r *numberReader) openQuote(i int) bool {
	open := false
	for k := max(0, i-quoteReach); k < i; k++ {
		if r.z[k] == '"' && !r.digit(k-1) {
			open = !open
		}
	}
	return open
}

// quoteReach is how far back an open quotation mark is looked for, in characters.
const quoteReach = 200

// latinUnit returns the longest unit of up to five words at i.
func (r *numberReader) latinUnit(i int) (unitInfo, int) {
	best, bestEnd := unitInfo{}, i
	var key, exact strings.Builder
	j := i
	for words := 0; words < longestUnitWords; words++ {
		start := j
		for r.letter(j) || r.get(j) == '$' && j > start && !r.digit(j+1) || r.get(j) == '/' && r.letter(j+1) || r.get(j) == '.' && r.letter(j+1) && j > start || (r.get(j) == '²' || r.get(j) == '³' || r.get(j) == '^' && r.digit(j+1)) && j > start ||
			r.digit(j) && j > start && !r.digit(j+1) && (r.get(j-1) == '^' || r.letter(j-1)) {
			j++
		}
		if j == start || j-i > 40 {
			break
		}
		if words > 0 {
			key.WriteByte(' ')
			exact.WriteByte(' ')
		}
		key.WriteString(string(r.l[start:j]))
		exact.WriteString(string(r.z[start:j]))
		if r.wordEnd(j) && !r.digit(j) {
			if w := exact.String(); words == 0 && shouted[w] {
				best, bestEnd = amountUnits[key.String()], j
			} else if u, ok := amountUnits[exact.String()]; ok {
				best, bestEnd = u, j
			} else if u, ok := amountUnits[key.String()]; ok && (len(key.String()) > 2 || u.kind == research.Money) {
				best, bestEnd = u, j
			}
		}
		if bestEnd == j && r.get(j) == '.' && abbreviated[best.name] && (words > 0 || j-start <= 4) && (r.get(j+1) == 0 || r.get(j+1) == ' ') && j-i <= 4 {
			bestEnd = j + 1
		}
		if r.get(j) != ' ' && r.get(j) != '-' {
			break
		}
		j++
	}
	if best.kind == research.Measure {
		return r.perUnit(best, bestEnd)
	}
	return best, bestEnd
}

// perUnit reads the second half of l/km and "km per hour" behind the unit u.
func (r *numberReader) perUnit(u unitInfo, end int) (unitInfo, int) {
	k := end + 1
	if r.get(end) != '/' {
		if k = r.prefix(end, " per "); k == 0 {
			return u, end
		}
	}
	w, stop := r.word(k)
	v, ok := amountUnits[w]
	if !ok || v.kind != research.Measure && v.kind != research.Duration || r.digit(stop) {
		return u, end
	}
	name := u.name + "/" + v.name
	for _, known := range [...][2]string{{"km/hour", "km/h"}, {"mi/hour", "mph"}, {"m/second", "m/s"}, {"ft/second", "ft/s"}} {
		if name == known[0] {
			return amountUnits[known[1]], stop
		}
	}
	return unitInfo{name: name, kind: research.Measure}, stop
}

// shouted are short units that are also written in capitals.
var shouted = wordSet("CM KM KG MM ML")

// abbreviated are the units whose short form may end with a point.
var abbreviated = map[string]bool{"degree": true, "EGP": true}

// degrees reads °, °C, ° Fahrenheit at i.
func (r *numberReader) degrees(i int) (unitInfo, int) {
	j := r.skipSpace(i + 1)
	w, end := r.word(j)
	switch w {
	case "c", "celsius", "centigrade":
		return amountUnits["°C"], end
	case "f", "fahrenheit":
		return amountUnits["°F"], end
	case "k":
		return amountUnits["K"], end
	}
	return amountUnits["degree"], i + 1
}

// hanUnit returns the longest unit of up to seven characters at i.
func (r *numberReader) hanUnit(i int) (unitInfo, int) {
	for n := min(longestUnitRunes, len(r.z)-i); n > 0; n-- {
		if u, ok := amountUnits[string(r.l[i:i+n])]; ok {
			if u.kind == research.Count {
				return unitInfo{}, i
			}
			if n == 1 && strings.ContainsRune("度分角元两位年升里", r.z[i]) && !r.hanUnitStands(i) {
				return unitInfo{}, i
			}
			if (u.name == "°C" || u.name == "°F") && r.get(i+n) == '°' {
				n++
			}
			return u, i + n
		}
	}
	return unitInfo{}, i
}

// hanUnitStands reports whether a unit of one character is one, and no part of a word.
func (r *numberReader) hanUnitStands(i int) bool {
	next := r.get(i + 1)
	switch r.z[i] {
	case '度':
		return next != '假' && next != '过' && next != '电'
	case '分':
		return next != '之' && next != '钟' && next != '为' && next != '别' && next != '析'
	case '角':
		return next != '度' && next != '色' && next != '形'
	case '元':
		return next != '素' && next != '旦'
	case '两':
		return next != '个' && next != '位' && next != '者'
	case '位':
		return next != '于' && next != '置' && next != '名' && next != '叫' && next != '数'
	case '年':
		return next != '级' && !r.yearBefore(i)
	case '升':
		return next != '级' && next != '高' && next != '至'
	}
	return true
}

// yearBefore reports whether four digits stand before i: a year, and no count of years.
func (r *numberReader) yearBefore(i int) bool {
	n := 0
	for k := i - 1; k >= 0 && (r.digit(k) || hanDigit(r.z[k]) >= 0); k-- {
		n++
	}
	return n == 4
}

// currencyBefore reads a sign, a code or a name of currency that a number follows at i: "$", "US$", "c $", "usd", "Rs.", "ringgit".
func (r *numberReader) currencyBefore(i int) (string, int) {
	if !r.wordStart(i) && r.get(i) < 0x80 && isLatin(r.get(i)) {
		return "", i
	}
	unit, j := "", i
	if isHanRune(r.get(i)) { // 港币3.14
		for n := min(4, len(r.z)-i); n >= 2; n-- {
			if code := moneyBefore[string(r.z[i:i+n])]; code != "" && (r.digit(i+n) || isHanNumeral(r.get(i+n))) && !r.digit(i-1) && hanScale(r.get(i-1)) == 0 && hanDigit(r.get(i-1)) < 0 {
				return code, i + n
			}
		}
		return "", i
	}
	if r.letter(i) {
		if w, end := r.codeAt(i); w != "" {
			unit, j = w, end
		} else {
			return "", i
		}
		k := r.skipSpace(j)
		if r.get(k) == '$' && (k == j || j-i > 1 || r.low(i) == 'c') {
			j = k + 1
		} else if w, _ := r.word(i); needSign[w] || needSign[string(r.l[i:j])] {
			return "", i
		}
	} else if code := currencySigns[string(r.get(i))]; code != "" || moneySigns[r.get(i)] != "" {
		if code == "" {
			code = moneySigns[r.get(i)]
		}
		if r.get(i) == '¥' || r.get(i) == '￥' {
			if !strings.ContainsFunc(clip(r.s, langSample), isHan) {
				code = "JPY"
			}
		}
		unit, j = code, i+1
	}
	if unit == "" {
		return "", i
	}
	k := r.skipSpace(j)
	if r.get(k) == '-' && r.digit(k+1) || r.digit(k) || r.get(k) == '.' && r.digit(k+1) {
		return unit, k
	}
	return "", i
}

// codeAt reads a code or a name of currency that stands before its number.
func (r *numberReader) codeAt(i int) (string, int) {
	best, bestEnd := "", i
	j := i
	key := ""
	for words := 0; words < 3; words++ {
		start := j
		for r.letter(j) || r.get(j) == '.' && r.letter(j+1) && j > start {
			j++
		}
		if j == start {
			break
		}
		if words > 0 {
			key += " "
		}
		key += string(r.l[start:j])
		if u := moneyBefore[key]; u != "" {
			best, bestEnd = u, j
			if r.get(j) == '.' {
				bestEnd = j + 1
			}
		}
		if r.get(j) != ' ' || j-i > 30 {
			break
		}
		j++
	}
	return best, bestEnd
}
