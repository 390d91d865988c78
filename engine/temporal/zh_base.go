package temporal

import "time"

// base reads an expression that stands alone; the longest reading wins, next is 0 when there is none.
func (r *zhReader) base(i int) (best when, next int) {
	if r.depth >= maxDepth || !zhStarters[r.get(i)] {
		return when{}, 0
	}
	r.depth++
	defer func() { r.depth-- }()
	for _, read := range [...]func(int) (when, int){
		r.numeric, r.yearly, r.monthly, r.dayAlone, r.weekday, r.dayWord, r.pointed, r.windowed, r.counted, r.decade, r.holiday, r.weekNumber, r.recentWord,
	} {
		if w, n := read(i); n > next {
			best, next = w, n
		}
	}
	return best, next
}

// numeric reads 2010.01.29, 2018/1/10, 2010-01, 13.5.2015, 1/2/2020, 2/15.
func (r *zhReader) numeric(i int) (when, int) {
	if c := r.get(i - 1); c >= '0' && c <= '9' || c == '.' || c == '/' || c == '-' && r.get(i-2) >= '0' && r.get(i-2) <= '9' {
		return when{}, 0
	}
	a := r.num(i)
	sep := r.get(a.next)
	if a.digits == 0 || sep != '-' && sep != '/' && sep != '.' || !isDigitRune(r.get(i)) {
		return when{}, 0
	}
	b := r.num(a.next + 1)
	if b.digits == 0 || b.digits > 4 || !isDigitRune(r.get(a.next+1)) {
		return when{}, 0
	}
	if r.get(b.next) == sep {
		if c := r.num(b.next + 1); c.digits > 0 && isDigitRune(r.get(b.next+1)) {
			return zhThree(a, b, c)
		}
		return when{}, 0
	}
	switch {
	case a.digits == 4 && b.digits <= 2 && validYear(a.value) && b.value >= 1 && b.value <= 12 && b.value != (a.value+1)%100 && sep != '.':
		return fixedDate(a.value, b.value, 0), b.next
	case b.digits == 4 && a.digits <= 2 && validYear(b.value) && a.value >= 1 && a.value <= 12:
		return fixedDate(b.value, a.value, 0), b.next
	}
	return when{}, 0
}

func isDigitRune(c rune) bool { return '0' <= c && c <= '9' }

func zhThree(a, b, c zhNum) (when, int) {
	switch {
	case a.digits == 4 && validYear(a.value) && b.digits <= 2 && c.digits <= 2 && b.value >= 1 && b.value <= 12 && c.value >= 1 && c.value <= longestMonthDay:
		return fixedDate(a.value, b.value, c.value), c.next
	case a.digits <= 2 && b.digits <= 2 && (c.digits == 4 && validYear(c.value) || c.digits == 2):
		y := c.value
		if c.digits == 2 {
			y = shortYear(y)
		}
		d, m := a.value, b.value
		if m > 12 {
			d, m = m, d
		}
		if m >= 1 && m <= 12 && d >= 1 && d <= longestMonthDay {
			return fixedDate(y, m, d), c.next
		}
	}
	return when{}, 0
}

// reigns are the first years of eras that dates are counted by.
var reigns = []struct {
	name  string
	first int
}{
	{"公元", 1}, {"西元", 1}, {"民国", 1912}, {"宣统", 1909}, {"光绪", 1875}, {"同治", 1862}, {"咸丰", 1851}, {"道光", 1821}, {"嘉庆", 1796}, {"乾隆", 1736}, {"雍正", 1723},
	{"康熙", 1662}, {"顺治", 1644}, {"崇祯", 1628}, {"天启", 1621}, {"万历", 1573}, {"隆庆", 1567}, {"嘉靖", 1522}, {"永乐", 1403}, {"洪武", 1368}, {"贞观", 627},
	{"明治", 1868}, {"大正", 1912}, {"昭和", 1926}, {"平成", 1989}, {"令和", 2019},
}

// year reads a year at i: 2008年, 08年, 二零一三年, 康熙三年, 民国元年; 0 when there is none. plain says that it needs no 年.
func (r *zhReader) year(i int) (y, next int) {
	for _, e := range reigns {
		j := r.prefix(i, e.name)
		if j == 0 {
			continue
		}
		n := r.num(j)
		if n.next == 0 {
			if j = r.prefix(j, "元"); j == 0 {
				return 0, 0
			}
			n = zhNum{1, j, 0}
		}
		if j = r.prefix(n.next, "年"); j > 0 && n.value > 0 && e.first+n.value-1 <= maxAnyYear {
			return e.first + n.value - 1, j
		}
		return 0, 0
	}
	n := r.num(i)
	if n.next == 0 || n.digits == 0 {
		return 0, 0
	}
	j := r.prefix(n.next, "年")
	if j == 0 || r.get(j) == '前' && n.digits < 4 || r.get(j) == '代' || r.get(j) == '内' || r.get(j) == '来' || r.get(j) == '间' && n.digits < 4 {
		return 0, 0
	}
	if c := r.get(i - 1); isDigitRune(c) || c == '.' || c == '前' && r.get(i-2) == '元' {
		return 0, 0
	}
	switch {
	case n.digits == 4 && validYear(n.value), n.digits == 3:
		return n.value, j
	case n.digits == 2 && (r.get(i) == '0' || n.value >= 50 && n.value%10 != 0 || r.get(i) == '零') && r.get(j) != '后':
		return shortYear(n.value), j
	case n.digits == 2 && isDigitRune(r.get(i)): // 18年10月
		if _, k := r.month(j); k > 0 {
			return shortYear(n.value), j
		}
	}
	return 0, 0
}

// relativeYears are words for a year counted from this one.
var relativeYears = []struct {
	w string
	n int
}{
	{"大前年", -3}, {"前年", -2}, {"去年", -1}, {"上年", -1}, {"上一年", -1}, {"今年", 0}, {"本年", 0}, {"这一年", 0}, {"这年", 0}, {"明年", 1}, {"来年", 1}, {"下年", 1}, {"下一年", 1},
	{"大后年", 3}, {"后年", 2}, {"旧年", -1}, {"昨年", -1}, {"当年", 0},
}

// yearHead reads a year that other parts of a date may follow.
func (r *zhReader) yearHead(i int) (when, int) {
	if y, n := r.year(i); n > 0 {
		return yearWhen(y, false), n
	}
	if n := r.num(i); n.digits == 4 && validYear(n.value) && !isDigitRune(r.get(i-1)) {
		if k, ok := r.lit(n.next, "财年", "学年", "财政年度", "赛季", "年度"); ok {
			return when{bare: r.get(n.next) != '年', span: period(day(n.value, 1, 1), years), grain: years}, k
		}
	}
	for _, x := range relativeYears {
		if n := r.prefix(i, x.w); n > 0 {
			n = r.opt(n, "度")
			w := when{span: period(shift(r.now, x.n, years), years), grain: years, fixed: true, vague: x.w == "当年" || x.w == "这年"}
			return w, n
		}
	}
	return when{}, 0
}

// yearly reads a year and what belongs to it: a month and a day, a quarter, a half, a holiday, its beginning or end.
func (r *zhReader) yearly(i int) (when, int) {
	j := r.opt(i, "农历", "阴历", "旧历", "公历", "阳历")
	lunar := j > i && r.get(i) != '公' && !(r.get(i) == '阳')
	w, n := r.yearHead(j)
	if n == 0 {
		return when{}, 0
	}
	if w.bare {
		return w, n
	}
	if p, m := r.within(w, r.opt(n, "的"), lunar); m > 0 {
		return p, m
	}
	if k, ok := r.lit(r.opt(n, "的"), "今天", "今日"); ok { // the same day of that year
		if s, ok := dayOf(w.from.Year(), int(r.now.Month()), r.now.Day()); ok {
			return when{span: s, grain: days, fixed: true}, k
		}
	}
	return w, n
}

// within reads a part of the period w at i.
func (r *zhReader) within(w when, i int, lunar bool) (when, int) {
	best, next := when{}, 0
	take := func(x when, n int, ok bool) {
		if ok && n > next {
			best, next = x, n
		}
	}
	if w.grain == years {
		y := w.from.Year()
		if lunar {
			if m, d, n := r.lunarDay(i); n > 0 {
				at := chineseDay(y, m, d)
				take(when{span: span{at, at}, grain: days}, n, true)
			}
		}
		if m, n := r.month(i); n > 0 {
			take(fixedDate(y, m, 0), n, true)
			if d, k := r.day(r.opt(n, "的")); k > 0 {
				take(fixedDate(y, m, d), k, true)
			}
			x, k := r.within(fixedDate(y, m, 0), r.opt(n, "的"), false)
			take(x, k, k > 0)
		}
		if k, ok := r.lit(i, "本月", "同月"); ok {
			m := fixedDate(y, int(r.now.Month()), 0)
			take(m, k, true)
			if d, n := r.day(k); n > 0 {
				take(fixedDate(y, int(r.now.Month()), d), n, true)
			}
		}
		if h, n := r.holidayAt(i); n > 0 {
			s, ok := h(y)
			take(when{span: s, grain: days, bare: !ok}, n, true)
		}
		if n, k := r.quarter(i); k > 0 {
			s, _ := nth(w.span, n, quarters)
			take(when{span: s, grain: quarters}, k, true)
		}
		for name, season := range zhSeasons {
			if k := r.prefix(i, name); k > 0 {
				s, _ := seasonOf(season, y)
				take(when{span: s, grain: quarters}, k, true)
			}
		}
	}
	if h, k := r.halfWord(i, w.grain); k > 0 {
		s, _ := half(w.span, h)
		take(when{span: s, grain: halves}, k, true)
	}
	if which, k := r.portionWord(i, w.grain); k > 0 {
		s, ok := portion(w.span, which, w.grain, w.fixed && w.grain == years)
		take(when{span: s, grain: w.grain}, k, ok)
	}
	if x, k := r.nthPart(w.span, i); k > 0 {
		take(x, k, true)
	}
	return best, next
}

var zhSeasons = map[string]string{"春天": "spring", "春季": "spring", "夏天": "summer", "夏季": "summer", "秋天": "autumn", "秋季": "autumn", "冬天": "winter", "冬季": "winter"}

func seasonOf(name string, y int) (span, bool) {
	d := seasons[name]
	s := span{day(y, d[0], d[1]), day(y, d[2], d[3])}
	if d[0] > d[2] {
		s.to = day(y+1, d[2], d[3])
	}
	return s, true
}

// month reads 3月, 十二月, 3月份 at i.
func (r *zhReader) month(i int) (m, next int) {
	n := r.num(i)
	if n.next == 0 || n.value < 1 || n.value > 12 || n.digits > 2 {
		return 0, 0
	}
	k := r.prefix(n.next, "月")
	if k == 0 || isDigitRune(r.get(i-1)) && isDigitRune(r.get(i)) || r.get(i-1) == '.' {
		return 0, 0
	}
	return n.value, r.opt(k, "份")
}

// day reads 15日, 二十号, or a bare numeral of two characters (一月二十三) at i.
func (r *zhReader) day(i int) (d, next int) {
	n := r.num(r.opt(i, "初"))
	if n.next == 0 || n.value < 1 || n.value > longestMonthDay || n.digits > 2 {
		return 0, 0
	}
	if k, ok := r.lit(n.next, "日", "号"); ok {
		return n.value, k
	}
	if r.get(i) == '初' && n.value <= 10 || n.digits == 0 && n.value > 10 && n.next-i >= 2 && !zhMeasure(r.get(n.next)) {
		return n.value, n.next
	}
	return 0, 0
}

// zhMeasure reports whether c goes on with a number or counts something.
func zhMeasure(c rune) bool {
	switch c {
	case '个', '人', '天', '年', '月', '周', '点', '时', '分', '元', '万', '亿', '百', '千', '名', '位', '家', '次', '条', '本', '种', '件', '只', '台', '辆', '%', '多', '余', '岁', '米', '度':
		return true
	}
	return isDigitRune(c)
}

// lunarDay reads a month and a day of the Chinese calendar at i: 十月初一, 八月十五.
func (r *zhReader) lunarDay(i int) (m, d, next int) {
	m, n := r.month(i)
	if n == 0 {
		if k, ok := r.lit(i, "腊月"); ok {
			m, n = 12, k
		} else if k, ok := r.lit(i, "冬月"); ok {
			m, n = 11, k
		} else if k, ok := r.lit(i, "正月"); ok {
			m, n = 1, k
		} else {
			return 0, 0, 0
		}
	}
	k := r.opt(n, "初")
	x := r.num(k)
	if x.next == 0 || x.value < 1 || x.value > 30 {
		return 0, 0, 0
	}
	return m, x.value, r.opt(x.next, "日", "号")
}

// quarter reads 第一季度, 一季度, q3 at i.
func (r *zhReader) quarter(i int) (q, next int) {
	if r.get(i) == 'q' && r.get(i+1) >= '1' && r.get(i+1) <= '4' && !isDigitRune(r.get(i+2)) {
		return int(r.get(i+1) - '0'), i + 2
	}
	n := r.num(r.opt(i, "第"))
	if n.next == 0 || n.value < 1 || n.value > 4 {
		return 0, 0
	}
	k, ok := r.lit(n.next, "个季度", "季度", "季")
	if !ok || r.get(i) != '第' && r.get(n.next) == '个' {
		return 0, 0
	}
	return n.value, k
}

// halfWord reads 上半年, 下半月 at i for a period of the grain.
func (r *zhReader) halfWord(i int, grain unit) (n, next int) {
	names := map[unit][]string{years: {"年"}, monthsUnit: {"月", "个月"}}[grain]
	for _, w := range names {
		if k, ok := r.lit(i, "上半"+w); ok {
			return 1, k
		}
		if k, ok := r.lit(i, "前半"+w); ok {
			return 1, k
		}
		if k, ok := r.lit(i, "下半"+w); ok {
			return 2, k
		}
		if k, ok := r.lit(i, "后半"+w); ok {
			return 2, k
		}
	}
	return 0, 0
}

// portionWord reads 初, 中, 底, 末, 上旬 at i, with or without the unit.
func (r *zhReader) portionWord(i int, grain unit) (which, next int) {
	u := map[unit]string{years: "年", monthsUnit: "月", weeks: "周"}[grain]
	if u == "" {
		return 0, 0
	}
	for which, words := range [3][]string{{u + "初", "初", "上旬"}, {u + "中", "中旬", "中期"}, {u + "底", u + "末", "底", "末", "下旬", "尾"}} {
		if k, ok := r.lit(i, words...); ok {
			return which, k
		}
	}
	return 0, 0
}

// nthPart reads 第二周, 第一个星期一, 最后一个星期一, 前2周, 最后3周 at i as parts of p.
func (r *zhReader) nthPart(p span, i int) (when, int) {
	n, count, j := 0, 1, i
	switch {
	case r.get(i) == '第':
		x := r.num(i + 1)
		n, j = x.value, x.next
	case r.prefix(i, "最后") > 0 || r.prefix(i, "倒数第") > 0:
		back := r.prefix(i, "倒数第") > 0
		j = r.opt(i, "最后", "倒数第")
		x := r.num(j)
		if x.next == 0 {
			return when{}, 0
		}
		n, count, j = -1, x.value, x.next
		if back {
			n, count = -x.value, 1
		}
	case r.prefix(i, "前") > 0 || r.prefix(i, "头") > 0:
		x := r.num(i + 1)
		n, count, j = 1, x.value, x.next
	}
	if n == 0 || j == 0 || count < 1 || count > 400 {
		return when{}, 0
	}
	if w, k := r.weekdayName(r.opt(j, "个")); k > 0 {
		s, ok := nthWeekday(p, n, w)
		if !ok || count > 1 {
			return when{}, 0
		}
		return when{span: s, grain: days}, k
	}
	u, k := r.unit(j)
	if k == 0 || u == years && r.get(i) == '前' {
		return when{}, 0
	}
	s, ok := nthRun(p, n, count, u)
	if !ok {
		return when{}, 0
	}
	return when{span: s, grain: u}, k
}

// weekdayName reads 星期一, 周日, 礼拜天 at i.
func (r *zhReader) weekdayName(i int) (time.Weekday, int) {
	j, ok := r.lit(i, "星期", "礼拜", "周")
	if !ok {
		return 0, 0
	}
	c := r.get(j)
	switch c {
	case '日', '天':
		return time.Sunday, j + 1
	}
	if d := zhDigit(c); d >= 1 && d <= 6 && c != '两' {
		if next := r.get(j + 1); zhDigit(next) >= 0 || next == '十' || next == '百' || next == '个' {
			return 0, 0
		}
		return time.Weekday(d), j + 1
	}
	return 0, 0
}
