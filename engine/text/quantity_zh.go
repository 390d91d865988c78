package text

import (
	"math/big"
	"strings"
	"unicode/utf8"

	"assay/engine/research"
)

// zhDigits are the Chinese numerals below ten, plain and formal.
var zhDigits = map[rune]int64{'〇': 0, '零': 0, '一': 1, '二': 2, '两': 2, '三': 3, '四': 4, '五': 5, '六': 6, '七': 7, '八': 8, '九': 9,
	'壹': 1, '贰': 2, '叁': 3, '肆': 4, '伍': 5, '陆': 6, '柒': 7, '捌': 8, '玖': 9, '兩': 2, '貳': 2, '參': 3, '陸': 6}

// zhScales are the powers of ten that have a character.
var zhScales = map[rune]int64{'十': 10, '拾': 10, '百': 100, '佰': 100, '千': 1000, '仟': 1000, '万': 1e4, '萬': 1e4, '亿': 1e8, '億': 1e8}

// chinese reads what stands at the CJK character r of width w at i.
func (q *quantifier) chinese(i int, r rune, w int) int {
	if end, ok := q.shareOf(i, r, w); ok {
		return end
	}
	_, digit := zhDigits[r]
	if !digit && r != '十' && r != '拾' {
		return i + w
	}
	prev, _ := utf8.DecodeLastRuneInString(q.s[:i])
	v, end, count, plain := zhNumber(q.s, i)
	n := number{val: big.NewRat(v, 1), start: i, end: end, words: true}
	next, nw := utf8.DecodeRuneInString(q.s[end:])
	switch {
	case strings.ContainsRune("数几好上第每", prev) && prev != utf8.RuneError && prev != '第':
		return end
	case next == '几' || next == '来' && !digit:
		return end
	case prev == '第':
		n.start, n.ordinal = i-len("第"), true
		if strings.ContainsRune("章节页条", next) {
			return end
		}
		return q.emit(n, "")
	case next == '分' && strings.HasPrefix(q.s[end:], "分之"):
		return q.fractionOf(n, v, end+len("分之"))
	case next == '点' || next == '點':
		if d, dend := zhDecimals(q.s, end+nw); dend > 0 {
			n.val.Add(n.val, d)
			n.end, n.decimal = dend, true
		}
	}
	if plain && count == 4 && v >= 1000 && v < 2200 {
		n.digits = 4
		if strings.HasPrefix(q.s[n.end:], "年") {
			return q.put(n.val, "", research.Year, i, n.end, nil)
		}
	}
	if q.dateChinese(n) {
		return n.end
	}
	if end := q.tenths(n); end > 0 {
		return end
	}
	if !q.scaledChinese(&n) {
		return n.end
	}
	if count == 1 && n.scale == nil && !n.decimal && !q.countsChinese(n, v) {
		return end
	}
	return q.emit(n, "")
}

// countsChinese reports whether a single numeral counts something: a word such as 一样, 十分 or 三国 does not. 一 counts only
// before a unit of measure, like "one".
func (q *quantifier) countsChinese(n number, v int64) bool {
	u, _ := q.unitAfter(n)
	if u.name != "" && u.kind != research.Count {
		return true
	}
	rest := q.s[n.end:]
	return v > 1 && (u.name != "" || strings.HasPrefix(rest, "个") || strings.HasPrefix(rest, "多"))
}

// zhNumber reads the run of numerals at i. plain says that it was written digit by digit.
func zhNumber(s string, i int) (v int64, end, count int, plain bool) {
	total, section, current := int64(0), int64(0), int64(-1)
	plain = true
	digits, step := int64(0), int64(1) // step is what a last digit without its scale is worth: 一万三 is 13000
	for i < len(s) && count < 16 {
		r, n := utf8.DecodeRuneInString(s[i:])
		if d, ok := zhDigits[r]; ok {
			current = d
			digits = digits*10 + d
			if d == 0 {
				step = 1
			}
		} else if sc, ok := zhScales[r]; ok {
			plain = false
			step = sc / 10
			switch {
			case sc >= 1e4:
				if total > 1e12 || section > 1e8 {
					return total, i, count, false
				}
				section += max(current, 0)
				if sc == 1e8 {
					total = (total + max(section, 1)) * sc
				} else {
					total += max(section, 1) * sc
				}
				section = 0
			case current >= 0:
				section += max(current, 1) * sc
			default:
				section += sc
			}
			current = -1
		} else {
			break
		}
		count++
		i += n
	}
	if plain {
		return digits, i, count, true
	}
	return total + section + max(current, 0)*max(step, 1), i, count, false
}

// zhDecimals reads the numerals after 点 as a decimal part; end 0 when there are none or a scale or a minute follows.
func zhDecimals(s string, i int) (*big.Rat, int) {
	d, scale, count := int64(0), int64(1), 0
	for i < len(s) && count < 12 {
		r, n := utf8.DecodeRuneInString(s[i:])
		v, ok := zhDigits[r]
		if !ok {
			if r == '分' || r == '十' {
				return nil, 0
			}
			break
		}
		d, scale = d*10+v, scale*10
		count++
		i += n
	}
	if count == 0 {
		return nil, 0
	}
	return big.NewRat(d, scale), i
}

// shareOf reads 百分之十五, 百分之15.5, 千分之三.
func (q *quantifier) shareOf(i int, r rune, w int) (int, bool) {
	if r != '百' && r != '千' && r != '万' || !strings.HasPrefix(q.s[i+w:], "分之") {
		return 0, false
	}
	at := i + w + len("分之")
	n, ok := q.numberAt(at)
	if !ok {
		return at, true
	}
	factor := map[rune]string{'百': "1", '千': "1/10", '万': "1/100"}[r]
	return q.put(new(big.Rat).Mul(n.val, rat(factor)), "%", research.Percent, i, n.end, nil), true
}

// fractionOf reads the numerator of 三分之二 at i; the denominator is v.
func (q *quantifier) fractionOf(n number, v int64, i int) int {
	num, ok := q.numberAt(i)
	if !ok || v == 0 {
		return i
	}
	return q.put(new(big.Rat).Quo(num.val, big.NewRat(v, 1)), "", research.Count, n.start, num.end, nil)
}

// numberAt reads a number in digits or numerals at i.
func (q *quantifier) numberAt(i int) (number, bool) {
	if i >= len(q.s) {
		return number{}, false
	}
	if _, w := digitAt(q.s, i); w > 0 {
		n, _ := q.literal(i)
		return n, n.val != nil
	}
	r, _ := utf8.DecodeRuneInString(q.s[i:])
	_, digit := zhDigits[r]
	if _, scale := zhScales[r]; !digit && !scale {
		return number{}, false
	}
	v, end, _, _ := zhNumber(q.s, i)
	n := number{val: big.NewRat(v, 1), start: i, end: end}
	if strings.HasPrefix(q.s[end:], "点") || strings.HasPrefix(q.s[end:], "點") {
		if d, dend := zhDecimals(q.s, end+len("点")); dend > 0 {
			n.val.Add(n.val, d)
			n.end = dend
		}
	}
	return n, end > i
}

// scaledChinese works in 十, 百, 千, 万, 亿 behind a number, also past 多 and 余, and the lower part that follows a scale
// ("1亿2000万").
func (q *quantifier) scaledChinese(n *number) bool {
	s := q.s
	for range 4 {
		at := n.end
		if strings.HasPrefix(s[at:], " 万") || strings.HasPrefix(s[at:], " 亿") {
			at++
		}
		if r, w := utf8.DecodeRuneInString(s[at:]); r == '多' || r == '余' {
			at += w
		}
		r, w := utf8.DecodeRuneInString(s[at:])
		f, ok := zhScales[r]
		if !ok {
			break
		}
		n.scaleBy(big.NewRat(f, 1), at+w)
	}
	if n.scale == nil || n.scale.Cmp(big.NewRat(1e4, 1)) < 0 || n.end >= len(s) {
		return true
	}
	// A lower part: it must be smaller than the scale it follows.
	if _, w := digitAt(s, n.end); w == 0 {
		return true
	}
	low, ok := q.numberAt(n.end)
	if !ok || low.decimal {
		return true
	}
	tail := number{val: low.val, start: low.start, end: low.end}
	q.scaledChinese(&tail)
	if tail.val.Cmp(n.scale) < 0 {
		n.val = new(big.Rat).Add(n.val, tail.val)
		n.end, n.scale = tail.end, nil
		n.grouped = true
	}
	return true
}

// tenths reads 三成 (30%) and returns where it ends, or 0. A word that begins with 成 (成员, 成为) is none.
func (q *quantifier) tenths(n number) int {
	rest := q.s[n.end:]
	if !strings.HasPrefix(rest, "成") || n.scale != nil || n.val.Cmp(ten) > 0 || n.val.Sign() <= 0 {
		return 0
	}
	if r, _ := utf8.DecodeRuneInString(rest[len("成"):]); strings.ContainsRune("为員员立功果本分长熟年就都交品份套语因形型", r) && r != utf8.RuneError {
		return 0
	}
	return q.put(new(big.Rat).Mul(n.val, ten), "%", research.Percent, n.start, n.end+len("成"), nil)
}

var ten = big.NewRat(10, 1)

// longestMonth is how many days a month has at most.
const longestMonth = 31

// dateChinese reports whether the number is the month or day of a date, or a century, and appends the decade of "90年代".
func (q *quantifier) dateChinese(n number) bool {
	rest := strings.TrimPrefix(q.s[n.end:], " ")
	v, ok := whole(n.val)
	for _, p := range [...]string{"月", "日", "号", "世纪"} {
		if ok && v <= longestMonth && n.scale == nil && strings.HasPrefix(rest, p) {
			return true
		}
	}
	if !ok || !strings.HasPrefix(rest, "年代") {
		return false
	}
	if v < 100 {
		v += 1900
	}
	q.put(big.NewRat(v, 1), "decade", research.Year, n.start, len(q.s)-len(rest)+len("年代"), nil)
	return true
}
