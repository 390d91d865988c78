package temporal

// monthly reads 3月, 3月5日, 本月十日, 上个月, 下下个月底, 十月的第一个星期一, 农历八月十五.
func (r *zhReader) monthly(i int) (when, int) {
	j, ok := r.lit(i, "农历", "阴历", "旧历")
	if r.prefix(i, "正月") > 0 || r.prefix(i, "腊月") > 0 || r.prefix(i, "冬月") > 0 {
		ok = true
	}
	if ok {
		if m, d, n := r.lunarDay(j); n > 0 {
			w, ok := recurring(holidayRule([]string{"chinese", itoa(m), itoa(d)}).cycle(), days, r.now)
			if ok {
				return w, n
			}
		}
	}
	if n, j := r.pointerAt(i, "个月", "月"); j > 0 {
		p := period(shift(period(r.now, monthsUnit).from, n, monthsUnit), monthsUnit)
		w := when{span: p, grain: monthsUnit, fixed: true}
		k := r.opt(j, "份")
		k = r.opt(k, "的")
		if d, m := r.day(k); m > 0 {
			return fixedDate(p.from.Year(), int(p.from.Month()), d), m
		}
		if x, m := r.within(w, k, false); m > 0 {
			return x, m
		}
		return w, r.opt(j, "份")
	}
	m, j := r.month(i)
	if j > 0 && r.get(i-1) == '年' && r.get(i-2) == '每' {
		return when{}, 0
	}
	if j == 0 {
		if h, k := r.halfWord(i, monthsUnit); k > 0 {
			s, _ := half(period(r.now, monthsUnit), h)
			return when{span: s, grain: halves, fixed: true}, k
		}
		if which, k := r.portionWord(i, monthsUnit); k > 0 && r.get(i) == '月' {
			s, _ := portion(period(r.now, monthsUnit), which, monthsUnit, false)
			return when{span: s, grain: monthsUnit, fixed: true}, k
		}
		return when{}, 0
	}
	if d, k := r.day(j); k > 0 {
		w, ok := recurring(monthDayCycle(m, d), days, r.now)
		if !ok {
			return when{grain: days, bare: true}, k
		}
		return w, k
	}
	w, _ := recurring(monthCycle(m), monthsUnit, r.now)
	if _, k := r.within(fixedDate(r.now.Year(), m, 0), r.opt(j, "的"), false); k > 0 {
		at := r.opt(j, "的")
		c := w.cyc.sub(func(s span) (span, bool) {
			x, n := r.within(when{span: s, grain: monthsUnit}, at, false)
			return x.span, n > 0 && !x.bare
		})
		if x, ok := recurring(c, days, r.now); ok {
			return x, k
		}
	}
	return w, j
}

func itoa(n int) string { return string(rune('0'+n/10)) + string(rune('0'+n%10)) }

// pointerAt reads 上, 上个, 上上个, 本, 这个, 下 and one of the units at i, and how many units from now they point.
func (r *zhReader) pointerAt(i int, units ...string) (n, next int) {
	j := i
	switch r.get(i) {
	case '上', '下', '前':
		dir := 1
		if r.get(i) != '下' {
			dir = -1
		}
		for r.get(j) == r.get(i) && j-i < 4 && r.get(i) != '前' {
			n += dir
			j++
		}
		if r.get(i) == '前' {
			n, j = -1, i+1
			if r.get(j) != '个' && r.get(j) != '一' {
				return 0, 0
			}
		}
		j = r.opt(j, "一")
	default:
		k, ok := r.lit(i, "本", "这一", "这", "今", "当前", "该", "同一", "同")
		if !ok {
			return 0, 0
		}
		j = k
	}
	for _, u := range units {
		if k := r.prefix(j, u); k > 0 {
			if r.get(j) == '月' && (r.get(k) == '球' || r.get(k) == '亮' || r.get(i) == '今' || r.get(i) == '同') {
				return 0, 0
			}
			return n, k
		}
	}
	return 0, 0
}

// dayAlone reads 29日, 12号: a day of this or the next month.
func (r *zhReader) dayAlone(i int) (when, int) {
	if c := r.get(i - 1); isDigitRune(c) || zhDigit(c) >= 0 || c == '十' || c == '第' || c == '.' || c == '月' || c == '-' || c == '/' {
		return when{}, 0
	}
	n := r.num(i)
	if n.next == 0 || n.value < 1 || n.value > longestMonthDay || n.digits > 2 {
		return when{}, 0
	}
	k, ok := r.lit(n.next, "日", "号")
	if !ok {
		return when{}, 0
	}
	if r.get(k-1) == '号' { // also the number of a house, a train, a size
		if _, ok := r.lit(i-1, "在", "于", "到", "至", "从", "自", "这"); !ok && r.get(k) != '之' && r.get(k) != '以' {
			return when{}, 0
		}
	}
	switch r.get(k) {
	case '楼', '线', '房', '机', '院', '厅', '台', '元', '本', '语', '军', '圆', '船', '店', '馆', '选', '文', '码', '前', '后', '内', '之', '以', '间', '游', '站', '路', '门', '公':
		return when{}, 0
	}
	w, ok := recurring(dayCycle(n.value), days, r.now)
	if !ok {
		return when{}, 0
	}
	return w, k
}

// weekday reads 星期一, 上周二, 这礼拜一, 下下个星期天, and 周末.
func (r *zhReader) weekday(i int) (when, int) {
	if w, k := r.weekdayName(i); k > 0 {
		if c := r.get(i - 1); c == '每' || c == '逢' || c == '个' {
			return when{}, 0
		}
		x, _ := recurring(weekdayCycle(w), days, r.now)
		if x.from.Equal(r.now) {
			x.span, x.past = span{r.now.AddDate(0, 0, 7), r.now.AddDate(0, 0, 7)}, x.span
		}
		return x, k
	}
	n, j := r.pointerAt(i, "个星期", "个礼拜", "个周", "星期", "礼拜", "周")
	if k := r.prefix(i, "周末"); k > 0 && r.get(i-1) != '每' && r.get(i-1) != '个' {
		return when{span: period(r.now, weekends), grain: weekends, fixed: true, vague: true}, k
	}
	if j == 0 {
		return when{}, 0
	}
	week := period(shift(r.now, n, weeks), weeks)
	c := r.get(j)
	if c == '末' {
		return when{span: period(week.from, weekends), grain: weekends, fixed: true}, j + 1
	}
	if r.get(i) != '前' {
		// "这个" may belong to the day: 这个星期一
		if w, k := r.weekdayName(r.back(j)); k > 0 {
			s, _ := weekdayCycle(w).in(week.from)
			if n == 0 && s.to.Before(r.now) {
				s, _ = weekdayCycle(w).onOrAfter(r.now)
			}
			return when{span: s, grain: days, fixed: true}, k
		}
	}
	if c == '年' || c == '岁' || c == '报' || c == '刊' || c == '期' || c == '围' || c == '边' || c == '日' {
		return when{}, 0
	}
	w := when{span: week, grain: weeks, fixed: true}
	if x, k := r.within(w, r.opt(j, "的"), false); k > 0 {
		return x, k
	}
	return w, j
}

// back returns where the name of the week that ends before j begins.
func (r *zhReader) back(j int) int {
	if r.get(j-1) == '周' {
		return j - 1
	}
	return j - 2
}

// dayWords are the days counted from today, the longer first.
var dayWords = []struct {
	w string
	n int
}{
	{"大前天", -3}, {"大前日", -3}, {"前天", -2}, {"前日", -2}, {"昨天", -1}, {"昨日", -1}, {"琴日", -1}, {"寻日", -1}, {"今天", 0}, {"今日", 0}, {"明天", 1}, {"明日", 1}, {"听日", 1}, {"次日", 1},
	{"大后天", 3}, {"大后日", 3}, {"后天", 2}, {"后日", 2}, {"翌日", 1}, {"当天", 0}, {"当日", 0}, {"本日", 0}, {"现在", 0}, {"此刻", 0},
}

// dayWord reads 今天, 大后日.
func (r *zhReader) dayWord(i int) (when, int) {
	for _, x := range dayWords {
		if n := r.prefix(i, x.w); n > 0 {
			if m, ok := r.lit(i, "今日头条", "明日之后", "今日美术"); ok && m > 0 {
				return when{}, 0
			}
			if x.w == "明日" && r.get(i-1) == '《' || (x.w == "前日" || x.w == "后日") && zhMeasure(r.get(i-1)) || (x.w == "后天" || x.w == "前天") && (r.get(n) == '的' && r.get(i-1) == '先' || r.get(i-1) == '先') {
				return when{}, 0
			}
			w := one(r.now.AddDate(0, 0, x.n))
			w.vague = x.w == "次日" || x.w == "翌日" || x.w == "当天" || x.w == "当日"
			return w, n
		}
	}
	return when{}, 0
}

// recentWord reads 最近, 近期, 近来: the last 3 months, as the house rule has it.
func (r *zhReader) recentWord(i int) (when, int) {
	n, ok := r.lit(i, "最近", "近期", "近来", "近日", "新近")
	if !ok {
		return when{}, 0
	}
	if c := r.get(n); c == '的' || c == '邻' {
		if c == '邻' {
			return when{}, 0
		}
	}
	return when{span: recent(r.now), until: r.now, grain: monthsUnit, recent: true, vague: true}, n
}

// pointed reads 上个季度, 本世纪, 上个半年, 上半年, 下一个十年, 年初, 年底.
func (r *zhReader) pointed(i int) (when, int) {
	if h, k := r.halfWord(i, years); k > 0 {
		s, _ := half(period(r.now, years), h)
		return when{span: s, grain: halves, fixed: true}, k
	}
	if which, k := r.portionWord(i, years); k > 0 && r.get(i) == '年' && !zhMeasure(r.get(i-1)) && zhDigit(r.get(i-1)) < 0 {
		s, _ := portion(period(r.now, years), which, years, true)
		return when{span: s, grain: years, fixed: true}, k
	}
	if q, k := r.quarter(i); k > 0 && (r.get(i) == '第' || r.get(k-1) == '度' || r.get(i) == 'q') {
		w, ok := recurring(yearly(func(s span) (span, bool) { return nth(s, q, quarters) }), quarters, r.now)
		if ok {
			return w, k
		}
	}
	n, j := r.pointerAt(i, "个半年", "个季度", "个世纪", "个十年", "季度", "世纪", "季")
	if j == 0 {
		return when{}, 0
	}
	u := quarters
	switch r.get(j - 1) {
	case '年':
		if r.get(j-2) == '十' {
			u = decades
		} else {
			u = halves
		}
	case '纪':
		u = centuries
	}
	p := period(r.now, u)
	if u == decades || u == centuries {
		p = decadeOf(r.now, u)
	}
	s := span{shift(p.from, n, u), shift(p.from, n+1, u).AddDate(0, 0, -1)}
	return when{span: s, grain: u, fixed: true}, j
}

// windowed reads 过去三年, 最近两周, 前两天, 未来五年, 接下来三个月: a count of units up to today or from it on.
func (r *zhReader) windowed(i int) (when, int) {
	dir, aligned := 0, false
	j, ok := r.lit(i, "在过去的", "过去的", "过去", "最近的", "最近", "近", "之前的", "此前", "这", "上", "前")
	if ok {
		dir = -1
		aligned = r.get(i) == '上' || r.get(i) == '前'
	} else if j, ok = r.lit(i, "未来的", "未来", "今后", "接下来的", "接下来", "往后", "将来", "下", "后", "之后的"); ok {
		dir = 1
		aligned = r.get(i) == '下' || r.get(i) == '后'
	} else {
		return when{}, 0
	}
	if k, l := r.halfUnit(j); k > 0 && r.get(i) != '上' && r.get(i) != '下' && r.get(i) != '前' && r.get(i) != '后' {
		return (&reader{now: r.now}).window(pointer{n: dir}, l.n, l.u), r.opt(k, "以来", "来", "之内", "以内", "内", "里", "间", "中")
	}
	n := r.count(j)
	if n.next == 0 || n.value < 1 || n.value > maxCount {
		return when{}, 0
	}
	u, k := r.unit(n.next)
	if m := r.prefix(n.next, "月"); k == 0 && m > 0 && n.digits == 0 && r.get(m) != '份' && (r.get(i) == '前' || r.get(i) == '近' || r.get(i) == '过' || r.get(i) == '最') {
		u, k = monthsUnit, m // 前两月
	}
	if r.get(i) == '前' && u == quarters && n.value <= 4 { // the first three quarters
		s, _ := nthRun(period(r.now, years), 1, n.value, quarters)
		return when{span: s, grain: quarters, fixed: true}, k
	}
	if u == years && n.digits == 4 {
		return when{}, 0
	}
	if k == 0 || (r.get(i) == '后' || r.get(i) == '前' || r.get(i) == '上' || r.get(i) == '下') && zhMeasure(r.get(i-1)) {
		return when{}, 0
	}
	if r.get(k-1) == '日' && r.get(i) == '后' || u == years && r.get(k) == '级' || r.get(k) == '前' || r.get(k) == '后' {
		return when{}, 0
	}
	if r.get(i) == '这' && n.value == 1 {
		return when{}, 0
	}
	end := r.opt(k, "以来", "来", "之内", "以内", "内", "里", "间", "之间", "中")
	w := (&reader{now: r.now}).window(pointer{n: dir}, n.value, u)
	if aligned && u != days {
		p := period(r.now, u)
		if dir < 0 {
			w.span = span{shift(p.from, -n.value, u), p.from.AddDate(0, 0, -1)}
		} else {
			first := shift(p.from, 1, u)
			w.span = span{first, shift(first, n.value, u).AddDate(0, 0, -1)}
		}
	}
	return w, end
}

// counted reads 三天前, 两个月之后, 一年零两个月前, 5年内.
func (r *zhReader) counted(i int) (when, int) {
	if c := r.get(i - 1); isDigitRune(c) || zhDigit(c) >= 0 || c == '十' || c == '第' || c == '.' {
		return when{}, 0
	}
	var d duration
	j := i
	for len(d) < 3 {
		if k, m := r.halfUnit(j); k > 0 {
			d, j = append(d, m), r.opt(k, "又", "零")
			continue
		}
		n := r.count(j)
		if n.next == 0 || n.value < 1 || n.value > maxCount {
			break
		}
		u, k := r.unit(n.next)
		if k == 0 || u == years && n.digits == 4 {
			break
		}
		d = append(d, length{n.value, u})
		j = r.opt(k, "又", "零", "加", "和")
		if r.get(j) == '半' && (u == years || u == monthsUnit || u == weeks) { // 一年半, 两个月半
			d, j = append(d, length{map[unit]int{years: 6, monthsUnit: 15, weeks: 3}[u], map[unit]unit{years: monthsUnit, monthsUnit: days, weeks: days}[u]}), j+1
		}
	}
	if len(d) == 0 {
		return when{}, 0
	}
	if k, ok := r.lit(j, "之前", "以前", "前"); ok {
		if c := r.get(k); c == '夕' || c == '后' {
			return when{}, 0
		}
		t := d.from(r.now, -1)
		return when{span: span{t, t}, grain: days, fixed: true}, k
	}
	if k, ok := r.lit(j, "之后", "以后", "后"); ok {
		t := d.from(r.now, 1)
		return when{span: span{t, t}, grain: days, fixed: true}, k
	}
	if k, ok := r.lit(j, "之内", "以内", "内"); ok {
		t := d.from(r.now, 1)
		return when{span: span{r.now, t}, until: t, grain: days, fixed: true}, k
	}
	return when{}, 0
}

// decade reads 90年代, 20世纪90年代, 上世纪八十年代, 1990年代, 19世纪.
func (r *zhReader) decade(i int) (when, int) {
	century, j := 0, i
	if n, k := r.pointerAt(i, "个世纪", "世纪"); k > 0 {
		century, j = decadeOf(r.now, centuries).from.Year()+100*n, k
	} else if n := r.num(i); n.next > 0 && n.value >= 1 && n.value <= 29 {
		if k := r.prefix(n.next, "世纪"); k > 0 && !isDigitRune(r.get(i-1)) {
			century, j = (n.value-1)*100, k
		}
	}
	if n := r.num(j); n.next > 0 && r.prefix(n.next, "年代") > 0 && n.value%10 == 0 {
		k := r.prefix(n.next, "年代")
		switch {
		case n.digits == 4 && j == i && validYear(n.value):
			return r.decadePart(decadeWhen(n.value), k)
		case n.value >= 10 && n.value <= 90 && j > i:
			return r.decadePart(decadeWhen(century+n.value), k)
		case n.value >= 20 && n.value <= 90 && !isDigitRune(r.get(i-1)):
			return r.decadePart(twoDecades(n.value), k)
		}
	}
	if j > i && century > 0 {
		w := when{span: span{day(century, 1, 1), day(century+99, 12, 31)}, grain: centuries}
		return r.decadePart(w, j)
	}
	return when{}, 0
}

// decadePart reads 初, 中期, 末 behind a decade or a century.
func (r *zhReader) decadePart(w when, j int) (when, int) {
	for which, words := range [3][]string{{"初期", "初", "早期"}, {"中期", "中叶", "中"}, {"末期", "末", "后期", "晚期"}} {
		if k, ok := r.lit(j, words...); ok {
			s, _ := portion(w.span, which, w.grain, false)
			return when{span: s, grain: w.grain}, k
		}
	}
	return w, j
}

// weekNumber reads 第31周 of the year of the clock.
func (r *zhReader) weekNumber(i int) (when, int) {
	if r.get(i) != '第' {
		return when{}, 0
	}
	n := r.num(i + 1)
	if n.next == 0 || n.value < 10 || n.value > 53 || r.get(n.next) != '周' || zhDigit(r.get(n.next+1)) >= 0 {
		return when{}, 0
	}
	s, ok := nth(period(r.now, years), n.value, weeks)
	return when{span: s, grain: weeks, bare: !ok}, n.next + 1
}

// holidayAt reads the name of a holiday at i; the longest wins.
func (r *zhReader) holidayAt(i int) (holiday, int) {
	for n := min(longestByRune[r.get(i)], len(r.z)-i); n >= 2; n-- {
		if h, ok := holidaysZH[string(r.z[i:i+n])]; ok {
			return h, i + n
		}
	}
	return nil, 0
}

// holiday reads a holiday of each year, also 去年圣诞节 by way of yearly, and 节前夕.
func (r *zhReader) holiday(i int) (when, int) {
	h, j := r.holidayAt(i)
	if j == 0 {
		return when{}, 0
	}
	c := h.cycle()
	if r.get(j) == '第' { // 第三天
		if n := r.num(j + 1); n.next > 0 && n.value >= 1 && n.value <= 20 && (r.get(n.next) == '天' || r.get(n.next) == '日') {
			c, j = c.sub(func(s span) (span, bool) {
				d := s.from.AddDate(0, 0, n.value-1)
				return span{d, d}, true
			}), n.next+1
		}
	}
	w, ok := recurring(c, days, r.now)
	if !ok {
		return when{grain: days, bare: true}, j
	}
	return w, j
}

// halfUnit reads 半年 and 半个月.
func (r *zhReader) halfUnit(i int) (next int, l length) {
	if n := r.prefix(i, "半年"); n > 0 {
		return n, length{6, monthsUnit}
	}
	if n := r.prefix(i, "半个月"); n > 0 {
		return n, length{15, days}
	}
	return 0, length{}
}
