package text

import (
	"math/big"
	"strings"

	"assay/engine/research"
)

// hanDigit returns the value of a Chinese numeral below ten, -1 for another character.
func hanDigit(c rune) int64 {
	if d, ok := zhDigits[c]; ok {
		return d
	}
	if c == '叁' || c == '参' {
		return 3
	}
	return -1
}

// hanScale returns the power of ten a character stands for, 0 for another one. 兆 is a million millions, as in numbers; in units
// it is a million.
func hanScale(c rune) int64 {
	if c == '兆' {
		return 1e12
	}
	return zhScales[c]
}

var hanTens = map[rune]int64{'廿': 20, '卅': 30, '卌': 40}

func isHanNumeral(c rune) bool {
	return c >= 0x3007 && (hanDigit(c) >= 0 || c == '十' || c == '拾' || hanTens[c] > 0)
}

// magnitude is a part of a Chinese number.
type magnitude struct{ v *big.Rat }

// hanNumber reads a Chinese number at i, also one with Arabic digits before its scales: 四亿五千六百万, 7万5千4百, 第二百五十,
// 三分之二, 负一又二分之一.
func (r *numberReader) hanNumber(i int) bare {
	if r.midNumeral(i) && r.get(i-1) != '两' {
		return bare{}
	}
	if r.get(i) == '第' {
		b := r.hanWhole(i + 1)
		if b.end == 0 || b.decimal {
			return bare{}
		}
		b.start, b.ordinal = i, true
		return b
	}
	if r.get(i) == '半' || (r.get(i-1) == '几' || r.get(i-1) == '数' || r.get(i-1) == '几') && hanScale(r.get(i)) > 0 {
		return bare{}
	}
	if r.get(i) == '一' && r.get(i+1) == '半' && r.get(i+2) != '径' {
		return bare{val: big.NewRat(1, 2), start: i, end: i + 2, han: true, fraction: true}
	}
	b := r.hanWhole(i)
	if b.end == 0 || r.fewOrSo(b) {
		return bare{}
	}
	if x := r.hanFraction(b); x.end > 0 {
		return x
	}
	if r.get(b.end) == '又' {
		if d := r.hanWhole(b.end + 1); d.end > 0 {
			if x := r.hanFraction(d); x.end > 0 {
				b.val = new(big.Rat).Add(b.val, x.val)
				b.end, b.fraction, b.digits = x.end, true, 0
				return b
			}
		}
	}
	if r.get(b.end) == '打' && r.get(b.end+1) != '开' && r.get(b.end+1) != '工' && r.get(b.end+1) != '破' {
		return r.scale(b, 12, b.end+1)
	}
	if b.han && !r.hanStands(b) {
		return bare{}
	}
	return b
}

// midNumeral reports whether i is within a run of numerals whose beginning was read as no number.
func (r *numberReader) midNumeral(i int) bool {
	p := r.get(i - 1)
	if hanDigit(p) < 0 && hanScale(p) == 0 || !isHanNumeral(r.get(i)) {
		return false
	}
	n := len(r.out)
	return n == 0 || r.out[n-1].End != r.at[i]
}

// fewOrSo reports whether two numerals side by side mean one or the other: 三五个, 二三十.
func (r *numberReader) fewOrSo(b bare) bool {
	if !b.han || b.digits != 2 || b.end-b.start != 2 {
		return false
	}
	x, y := hanDigit(r.z[b.start]), hanDigit(r.z[b.start+1])
	next := r.get(b.end)
	return x > 0 && y > x && y <= x+2 && (hanScale(next) > 0 || strings.ContainsRune("个人天年岁次名位", next)) && next != 0
}

// hanFraction reads 分之 and a numerator behind the denominator d.
func (r *numberReader) hanFraction(d bare) bare {
	n := r.prefix(d.end, "分之")
	if n == 0 || d.val.Sign() == 0 {
		return bare{}
	}
	num := r.hanWhole(n)
	if num.end == 0 {
		return bare{}
	}
	return bare{val: new(big.Rat).Quo(num.val, d.val), start: d.start, end: num.end, han: d.han, fraction: true}
}

// hanWhole reads the number itself, with its decimals; end 0 when there is none.
func (r *numberReader) hanWhole(i int) bare {
	var parts []magnitude // finished parts, the greater first
	section := new(big.Rat)
	var current *big.Rat
	step, plainDigits := int64(1), ""
	scaled, zero, count, arabic, more := false, false, 0, false, false
	j := i
loop:
	for count < 40 {
		c := r.get(j)
		switch d := hanDigit(c); {
		case d >= 0:
			if scaled && current != nil && !zero && plainDigits == "" {
				break loop
			}
			if c == '两' && count > 0 && hanScale(r.get(j+1)) < 100 {
				break loop
			}
			plainDigits += string(rune('0' + d))
			current = rat(plainDigits)
			if d == 0 && scaled {
				current, plainDigits = nil, ""
			}
			zero = d == 0
			if zero {
				step = 1
			}
			j++
		case hanTens[c] > 0 && current == nil:
			section = new(big.Rat).Add(section, big.NewRat(hanTens[c], 1))
			scaled, step = true, 1
			j++
		case hanScale(c) > 0 && (count > 0 || c == '十' || c == '拾'):
			s := hanScale(c)
			if c == '千' && r.unitBehindKilo(j) || s < 1e4 && current == nil && s > step*10 && section.Sign() > 0 {
				break loop // 千瓦, 五十千
			}
			if s == 1e12 && r.unitBehindMega(j) {
				break loop
			}
			if len(plainDigits) > 1 && !arabic && count == len(plainDigits) && s < 1e4 && r.get(i) != '0' && plainDigits[0] != '0' {
				break loop // "三八百"
			}
			j++
			scaled = true
			if s < 1e4 {
				if current == nil {
					current = big.NewRat(1, 1)
				}
				section = new(big.Rat).Add(section, current.Mul(current, big.NewRat(s, 1)))
			} else {
				low := new(big.Rat).Set(section)
				if current != nil {
					low.Add(low, current)
				}
				for len(parts) > 0 && parts[len(parts)-1].v.Cmp(big.NewRat(s, 1)) < 0 {
					low.Add(low, parts[len(parts)-1].v)
					parts = parts[:len(parts)-1]
				}
				if low.Sign() == 0 { // 四万万
					if len(parts) == 0 {
						break loop
					}
					low.Set(parts[len(parts)-1].v)
					parts = parts[:len(parts)-1]
				}
				parts = append(parts, magnitude{low.Mul(low, big.NewRat(s, 1))})
				section = new(big.Rat)
			}
			current, plainDigits, step, zero, arabic = nil, "", s/10, false, false
		case r.digit(j) && current == nil && (count == 0 || scaled):
			if count == 0 && !r.freeLeft(j) {
				return bare{}
			}
			d, t := r.plainDigits(j)
			if d.end <= j || len(t) > maxNumberDigits {
				break loop
			}
			current, arabic, step = rat(t), true, 1
			j = d.end
		case (c == '余' || c == '多' || c == '几' || c == '来') && count > 0 && hanScale(r.get(j+1)) >= 1e4: // 五百余万
			j++
			more = true
			continue
		default:
			break loop
		}
		count++
	}
	if count == 0 || !scaled && current == nil {
		return bare{}
	}
	total := new(big.Rat).Set(section)
	for _, p := range parts {
		total.Add(total, p.v)
	}
	if current != nil {
		if arabic {
			step = 1
		}
		total.Add(total, current.Mul(current, big.NewRat(max(step, 1), 1)))
	}
	b := bare{val: total, start: i, end: j, han: true, scaled: scaled, more: more}
	if arabic && count == 1 {
		b.han = false
	}
	if !scaled && !arabic {
		b.digits = len(plainDigits)
	}
	return r.hanPoint(b)
}

// unitBehindKilo reports whether 千 at j is the prefix of a unit: 千瓦, 千字节.
func (r *numberReader) unitBehindKilo(j int) bool {
	_, ok := r.lit(j+1, "瓦", "字节", "比特", "克", "卡", "焦", "赫", "帕", "伏")
	if !ok {
		n, isMetre := r.lit(j+1, "米")
		ok = isMetre && r.get(n) != '多'
	}
	return ok && j > 0 && (hanDigit(r.get(j-1)) >= 0 || r.digit(j-1) || hanScale(r.get(j-1)) > 0)
}

// unitBehindMega reports whether 兆 at j is the prefix of a unit: 兆赫, 兆字节.
func (r *numberReader) unitBehindMega(j int) bool {
	_, ok := r.lit(j+1, "赫", "字节", "瓦", "比特", "位", "帕", "焦", "欧", "伏", "b")
	return ok
}

// hanPoint reads 点 and decimals behind b.
func (r *numberReader) hanPoint(b bare) bare {
	if c := r.get(b.end); c != '点' {
		return b
	}
	digits := ""
	j := b.end + 1
	for len(digits) < 18 {
		d := hanDigit(r.get(j))
		if d < 0 || r.get(j) == '两' {
			if r.digit(j) && digits == "" {
				for r.digit(j) && len(digits) < 18 {
					digits += string(r.z[j])
					j++
				}
			}
			break
		}
		digits += string(rune('0' + d))
		j++
	}
	if digits == "" || r.get(j) == '分' && r.get(j+1) != '之' || r.get(j) == '十' || r.get(j) == '刻' {
		return b
	}
	b.val = new(big.Rat).Add(b.val, rat("0."+digits))
	b.end, b.decimal, b.digits = j, true, 0
	if s := hanScale(r.get(j)); s >= 1e4 {
		b = r.scale(b, s, j+1)
		if s = hanScale(r.get(b.end)); s >= 1e4 {
			b = r.scale(b, s, b.end+1)
		}
	}
	return b
}

// hanIdioms are words with a numeral that count nothing; the numeral is the first character of the word or the second.
var hanIdioms = strings.Fields(`一切 一样 一起 一些 一直 一定 一般 一下 一旦 一边 一面 一致 一律 一向 一共 一看 一听 一说 一想 一来 一方 一时 一度 一概 一贯 一味 一番 一再 一经 一带 一路 一齐 一同 一体 一流 一手 一线 一身 一心
	一生 一世 一点 一会 一半 一举 一如 一应 一连 一早 一大 统一 唯一 之一 同一 万一 单一 专一 不一 第一 逐一 划一 四川 四周 四处 四面 四季 三国 三亚 三峡 三角 三明 两两 两岸 两广 两极 二手 二维 二胡 九江 九龙 九寨 九州 五官 五金 五台 八卦 八达
	八路 七夕 七喜 十分 十足 十堰 六安 六合 陆地 陆续 陆军 陆海 陆上 大陆 内陆 登陆 着陆 海陆 陆空 陆路 队伍 入伍 退伍 军伍 行伍 落伍 收拾 拾起 拾取 拾遗 放肆 肆意 肆虐 参加 参与 参数 参考 参观 参谋 参照 参见 参议 参赛 人参 海参 参军 柒牌
	三星 小三 张三 李四 王五 老二 老三 十字 双十 一元复始 三思 再三 三三两两 五湖 四海 七上 八下 乱七 八糟 千万别 十二生肖 三明治 五线 三轮 二者 三者 两者 两会 两侧 两旁 两边 两地 两用 百分 一流 三军 一号 五一 六一 八一 五四`)

var hanIdiomSet = func() map[string]bool {
	out := map[string]bool{}
	for _, w := range hanIdioms {
		out[w] = true
	}
	return out
}()

// hanLone are the characters that may follow a lone 一: measure words and units of what is counted.
const hanLone = `个块位条只本件台辆张名次种家项份套款所座艘架页行卷部户株头颗片组批届期轮场类层段句字倍岁口站门步年月日天周时小分秒元角毛斤克米公千里升吨亩打对双杯瓶碗盘包袋箱盒把支枝根朵串滴群束排道扇间幢栋室厅篇首幅封则笔票桌桶罐筐车船架机枪发声眼拳脚刀针线局盘圈趟遍回顿番级等流加英盎两海匹度茶汤`

// hanStands reports whether a Chinese number of one character is a number and no part of a word.
func (r *numberReader) hanStands(b bare) bool {
	if b.end-b.start > 1 {
		return !(b.end-b.start == 2 && (hanIdiomSet[string(r.z[b.start:b.end])] || string(r.z[b.start:b.end]) == "两两"))
	}
	c, next, prev := r.get(b.start), r.get(b.end), r.get(b.start-1)
	if b.start == 0 && b.end == len(r.z) {
		return true
	}
	if hanIdiomSet[string([]rune{c, next})] || hanIdiomSet[string([]rune{prev, c})] {
		return false
	}
	switch c {
	case '一', '壹':
		return strings.ContainsRune(hanLone, next) || next < 0x2e80 && !isHanRune(prev) || next == '以' && strings.ContainsRune("上下", r.get(b.end+1))
	case '陆', '伍', '拾', '肆', '参', '叁', '柒', '捌', '玖', '贰':
		return strings.ContainsRune(hanLone, next) && !isHanRune(prev)
	case '零', '〇':
		return !isHanRune(prev) || !isHanRune(next)
	}
	return true
}

func isHanRune(c rune) bool { return c >= 0x4e00 && c <= 0x9fff }

// shareAt reads 百分之十五, 千分之三, 九成, 七五折, 半成, 打对折 at i.
func (r *numberReader) shareAt(i int) (Number, int) {
	j := i
	neg := r.get(i) == '负'
	if neg {
		j++
	}
	if den, n := r.scaleOnly(j); n > 0 && r.prefix(n, "分之") > 0 {
		if den.Cmp(big.NewRat(10, 1)) > 0 {
			k := r.prefix(n, "分之")
			num := r.hanWhole(k)
			if !isHanNumeral(r.get(k)) {
				num = r.bare(k)
			}
			if num.end > k && !num.ordinal {
				num.val = new(big.Rat).Quo(new(big.Rat).Mul(num.val, big.NewRat(100, 1)), den)
				if neg {
					num.val.Neg(num.val)
				}
				if end := r.prefix(num.end, "%"); end > 0 {
					num.end = end
				}
				return r.number(num, i, num.end, "%", research.Percent), num.end
			}
		}
	}
	if r.get(i) == '半' && r.get(i+1) == '成' && r.get(i+2) != '品' {
		return r.number(bare{val: big.NewRat(5, 1), start: i, end: i + 1}, i, i+2, "%", research.Percent), i + 2
	}
	if r.get(i) == '半' && r.get(i+1) == '折' {
		return r.number(bare{val: big.NewRat(50, 1), start: i, end: i + 1}, i, i+2, "%", research.Percent), i + 2
	}
	if r.get(i) == '对' && r.get(i+1) == '折' && r.get(i-1) == '打' {
		return r.number(bare{val: big.NewRat(50, 1), start: i, end: i + 1}, i, i+2, "%", research.Percent), i + 2
	}
	if !isHanNumeral(r.get(i)) && !r.digit(i) || r.midNumeral(i) {
		return Number{}, i
	}
	b := r.spacedWhole(i)
	if b.end == 0 {
		return Number{}, i
	}
	switch r.get(b.end) {
	case '成':
		if next := r.get(b.end + 1); strings.ContainsRune("员功为立分果本长人就都年绩熟千上", next) && next != 0 || b.val.Cmp(big.NewRat(10, 1)) > 0 || r.get(i-1) == '第' {
			return Number{}, i
		}
		b.val = new(big.Rat).Mul(b.val, big.NewRat(10, 1))
		if r.get(b.end+1) == '半' { // 三成半
			b.val.Add(b.val, big.NewRat(5, 1))
			return r.number(b, i, b.end+2, "%", research.Percent), b.end + 2
		}
	case '折':
		if next := r.get(b.end + 1); strings.ContainsRune("叠磨射断旧返页线扇腾价", next) && next != 0 || b.val.Cmp(big.NewRat(10, 1)) == 0 {
			return Number{}, i
		}
		if b.val.Cmp(big.NewRat(10, 1)) < 0 {
			b.val = new(big.Rat).Mul(b.val, big.NewRat(10, 1))
		}
		if b.val.Cmp(big.NewRat(100, 1)) >= 0 {
			return Number{}, i
		}
	default:
		return Number{}, i
	}
	return r.number(b, i, b.end+1, "%", research.Percent), b.end + 1
}

// spacedWhole is hanWhole for digits that a space parts: "7 2 折".
func (r *numberReader) spacedWhole(i int) bare {
	if r.digit(i) && r.get(i+1) == ' ' && r.digit(i+2) && r.get(i+3) == '折' {
		return bare{val: rat(string([]rune{r.z[i], r.z[i+2]})), start: i, end: i + 3}
	}
	return r.hanWhole(i)
}

// scaleOnly reads a denominator of scales alone: 百, 千, 万, 千万.
func (r *numberReader) scaleOnly(i int) (*big.Rat, int) {
	if c := r.get(i - 1); hanDigit(c) >= 0 || hanScale(c) > 0 || r.digit(i-1) {
		return nil, 0
	}
	v, j := big.NewRat(1, 1), i
	for hanScale(r.get(j)) >= 100 || hanScale(r.get(j)) == 10 && j > i {
		v.Mul(v, big.NewRat(hanScale(r.get(j)), 1))
		j++
	}
	if j == i || j-i > 3 {
		return nil, 0
	}
	return v, j
}

// hanHeat reads 华氏70度, 摄氏温度三十度, whose scale stands before the number.
func (r *numberReader) hanHeat(i int) (Number, int) {
	unit := ""
	j, ok := r.lit(i, "华氏温度", "华氏")
	if ok {
		unit = "°F"
	} else if j, ok = r.lit(i, "摄氏温度", "摄氏"); ok {
		unit = "°C"
	} else {
		return Number{}, i
	}
	b := r.bare(j)
	if b.end <= j {
		return Number{}, i
	}
	end, ok := r.lit(b.end, "度", "°")
	if !ok {
		return Number{}, i
	}
	return r.number(b, i, end, unit, Temperature), end
}
