package temporal

// expression reads a whole expression at i: a range, a period with an open end, or a point; next is 0 when there is none.
func (r *zhReader) expression(i int) (when, int) {
	if !zhStarters[r.get(i)] {
		return when{}, 0
	}
	if w, n := r.between(i); n > 0 {
		return w, n
	}
	j := r.opt(i, "截至", "截止到", "截止", "直到")
	until := j > i
	if !until {
		j = r.opt(i, "自从", "自", "从", "=")
	}
	w, n := r.base(j)
	if n == 0 {
		return when{}, 0
	}
	if wd, k := r.weekdayName(r.opt(n, "，", ",", "(", "（")); k > 0 && w.grain == days && (w.cyc == nil && !w.fixed || w.cyc != nil && w.cyc.of != weeks) { // 十月十二号星期一
		if x := onThatWeekday(w, wd); x.from.Weekday() == wd || r.get(n) != '，' {
			w, n = x, r.opt(k, ")", "）")
		}
	}
	if w.bare || w.from.IsZero() {
		return w, n
	}
	if until {
		return (&reader{now: r.now}).open(w, Before, true), r.opt(n, "为止")
	}
	if x, m := r.opened(w, n); m > 0 {
		// "2010年之后2018年之前" is one period
		if x.side == After {
			if y, k := r.base(r.opt(m, "，", ",", "且", "到", "至")); k > 0 && !y.bare {
				if z, e := r.opened(y, k); e > 0 && z.side == Before && r.get(m) != '，' && !z.to.Before(w.from) {
					return when{span: span{w.from, z.to}, grain: w.grain, fixed: true}, e
				}
			}
		}
		return x, m
	}
	if j > i && r.get(i) != '=' { // "从2018年" is no end of a period; "自2018年" is
		if r.get(i) == '自' {
			return (&reader{now: r.now}).open(w, After, true), n
		}
	}
	return w, n
}

// opened reads 以前, 之后, 以来, 或之前 behind w.
func (r *zhReader) opened(w when, n int) (when, int) {
	e := &reader{now: r.now}
	if w.recent || w.side != "" {
		return when{}, 0
	}
	j := r.opt(n, "（含）", "(含)")
	if k, ok := r.lit(j, "或之前", "或以前", "及之前", "及以前", "为止", "之前（含）"); ok {
		return e.open(w, Before, true), k
	}
	if k, ok := r.lit(j, "或之后", "或以后", "及之后", "及以后", "以来", "至今", "开始", "起", "往后", "之后（含）", "到现在", "到今天", "迄今"); ok {
		return e.open(w, After, true), r.opt(k, "至今")
	}
	if k, ok := r.lit(j, "以前", "之前", "前"); ok && r.get(k) != '后' && r.get(k) != '夕' && r.get(k) != '往' {
		return e.open(w, Before, false), k
	}
	if k, ok := r.lit(j, "以后", "之后", "后"); ok && (r.get(j) != '后' || w.grain == days || w.grain == monthsUnit || w.grain == years) {
		return e.open(w, After, false), k
	}
	return when{}, 0
}

// between reads a range with two ends: 从1月10日到12日, 1995-1997年, 三月至五月, 2015年和2018年之间.
func (r *zhReader) between(i int) (when, int) {
	j := r.opt(i, "自从", "从", "自", "在", "于", "介于")
	a, k := r.base(j)
	if k == 0 {
		a, k = r.bareEnd(j)
	}
	if k == 0 {
		return when{}, 0
	}
	k = r.opt(k, "起", "开始")
	joined, and := r.lit(k, "到", "至", "--", "-", "~", "—", "–", "－", "～", "直到")
	if !and {
		if joined, and = r.lit(k, "和", "与", "跟", "及"); !and {
			return when{}, 0
		}
	}
	needsBetween := r.get(k) == '和' || r.get(k) == '与' || r.get(k) == '跟' || r.get(k) == '及'
	for r.get(joined) == '-' || r.get(joined) == '—' {
		joined++
	}
	b, n := r.base(joined)
	if d, m := r.day(joined); m > 0 && a.grain == days && (n <= m) { // the month is that of the first end
		if w, ok := r.sameMonth(a, d); ok {
			b, n = w, m
		}
	}
	if n == 0 || b.bare {
		if y := r.num(joined); y.digits == 4 && validYear(y.value) && a.grain == years {
			b, n = yearWhen(y.value, false), y.next
		}
	}
	if n == 0 {
		return when{}, 0
	}
	if b.grain == monthsUnit && a.grain == years && b.cyc == nil && false {
		return when{}, 0
	}
	end, behind := r.lit(n, "之间", "期间", "间", "这段时间")
	if needsBetween && !behind {
		return when{}, 0
	}
	if behind {
		n = end
	}
	e := &reader{now: r.now}
	if a.cyc == nil && b.cyc != nil && a.grain <= b.grain && !a.from.IsZero() { // the year is that of the first end
		if s, ok := b.cyc.onOrAfter(a.from); ok {
			return when{span: span{a.from, s.to}, until: s.from, grain: a.grain, fixed: true}, n
		}
	}
	w, ok := e.join(a, b)
	if !ok {
		return when{}, 0
	}
	return w, n
}

// bareEnd reads the first end of 1995-1997年, whose unit stands behind the second.
func (r *zhReader) bareEnd(i int) (when, int) {
	n := r.num(i)
	if n.digits != 4 || !validYear(n.value) || isDigitRune(r.get(i-1)) {
		return when{}, 0
	}
	k, ok := r.lit(n.next, "-", "~", "—", "–", "到", "至", "－", "～")
	if !ok {
		return when{}, 0
	}
	if _, m := r.yearHead(k); m > 0 {
		return yearWhen(n.value, false), n.next
	}
	if y := r.num(k); y.digits == 4 && validYear(y.value) && y.value >= n.value {
		return yearWhen(n.value, false), n.next
	}
	return when{}, 0
}

// sameMonth is the day d of the month of a, or of the next one when it has passed.
func (r *zhReader) sameMonth(a when, d int) (when, bool) {
	if a.cyc != nil {
		// recur with the first end: the range recurs in years
		c := a.cyc.sub(func(s span) (span, bool) { return dayCycle(d).onOrAfter(s.from) })
		return recurring(c, days, r.now)
	}
	s, ok := dayCycle(d).onOrAfter(a.from)
	return when{span: s, grain: days}, ok
}
