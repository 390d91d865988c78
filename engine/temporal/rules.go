package temporal

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"assay/engine/research"
)

var decadeRE = regexp.MustCompile(`(?i)\b((?:1[0-9]|20)[0-9]0)\s?'?s\b|(?:'|’)([2-9]0)s\b|((?:1[0-9]|20)[0-9]0)\s*年代|(?:([0-9]{2})\s*世纪)?([2-9二三四五六七八九][0十])年代|\b(1[0-9]|2[0-1])th[- ]century\b|([0-9]{2})\s*世纪`)

// decade reads "the 1990s", "'90s", "90年代", "the 19th century", "20世纪".
func decade(q string, now time.Time) (research.Temporal, bool) {
	at := decadeRE.FindStringSubmatchIndex(q)
	if at == nil {
		return research.Temporal{}, false
	}
	group := func(i int) string {
		if at[2*i] < 0 {
			return ""
		}
		return q[at[2*i]:at[2*i+1]]
	}
	year, u := 0, decades
	switch {
	case group(1) != "":
		year, _ = strconv.Atoi(group(1))
	case group(2) != "":
		year = number(group(2)) + 1900
	case group(3) != "":
		year, _ = strconv.Atoi(group(3))
	case group(5) != "":
		year = number(group(5)) + 1900
		if c := number(group(4)); c > 0 {
			year = number(group(5)) + (c-1)*100
		}
	default:
		year, u = number(group(6)+group(7))*100-50, centuries
	}
	if !validYear(year) {
		return research.Temporal{}, false
	}
	s := period(day(year, 6, 1), u)
	start, end := at[0], at[1]
	if word, side := direction(q[:start], q[end:]); side == After && !strings.HasPrefix(strings.ToLower(strings.TrimSpace(word)), "from") {
		s.to = now
		if s.from.After(now) {
			s.to = time.Time{}
		}
		return temporal(After, join(q, word, start, end), s), true
	} else if side == Before {
		return temporal(Before, join(q, word, start, end), span{time.Time{}, s.from.AddDate(0, 0, -1)}), true
	}
	return temporal(relation(s, now), q[start:end], s), true
}

// number reads a small whole number: digits, an English word or a Chinese numeral; 0 when it is none.
func number(w string) int {
	w = strings.TrimSpace(strings.ToLower(w))
	if n, err := strconv.Atoi(w); err == nil && n >= 0 && n < 10000 {
		return n
	}
	if n, ok := numberWords[w]; ok {
		return n
	}
	if l := lex(w); len(l) == 1 && l[0].kind == 'n' && l[0].value > 0 {
		return l[0].value
	}
	return 0
}

var numberWords = map[string]int{
	"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "hundred": 100,
	"couple of": 2, "a couple of": 2, "few": 3, "a few": 3, "several": 3, "couple": 2, "几": 3, "数": 3, "半": 0, "": 1,
}

var unitWords = map[string]unit{
	"day": days, "week": weeks, "fortnight": weeks, "month": monthsUnit, "quarter": quarters, "year": years, "decade": decades, "century": centuries,
	"centurie": centuries, "天": days, "日": days, "周": weeks, "星期": weeks, "礼拜": weeks, "月": monthsUnit, "个月": monthsUnit, "季度": quarters,
	"个季度": quarters, "年": years, "个星期": weeks, "个年头": years, "世纪": centuries, "个世纪": centuries,
}

const (
	enCount = `(\d{1,4}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|(?:a )?couple of|(?:a )?few|several)`
	enUnit  = `(day|week|month|quarter|year|decade|centur(?:y|ie))s?`
	zhCount = `(\d{1,4}|[一二两三四五六七八九十]{1,3}|几|数)`
	zhUnit  = `(天|日|周|星期|礼拜|个星期|个月|个季度|季度|年|世纪|个世纪)`
)

func unitOf(w string) unit {
	if w == "centur" {
		return centuries
	}
	return unitWords[w]
}

func re(s string) *regexp.Regexp { return regexp.MustCompile(s) }

// fixed makes a rule of an expression whose meaning depends on the clock alone.
func fixed(expr, category string, s func(now time.Time) span) rule {
	return rule{re(expr), func(_ []string, now time.Time) (string, span, bool) { return category, s(now), true }}
}

// back is the n units up to today.
func back(now time.Time, n int, u unit) span { return span{shift(now, -n, u), now} }

// soFar is the current unit up to today.
func soFar(now time.Time, u unit) span { return span{period(now, u).from, now} }

func recent(now time.Time) span { return back(now, recentMonths, monthsUnit) }

// current is the period of "currently" and "latest": a year, the half-life of what is current (CONTRACT 3).
func current(now time.Time) span { return back(now, 1, years) }

func recentYears(now time.Time) span { return back(now, 3, years) }

func ahead(now time.Time) span { return span{from: now} }

func behind(now time.Time) span { return span{to: now} }

// lastN, nextN and agoN read a count and a unit in groups 1 and 2.
func lastN(m []string, now time.Time) (string, span, bool) {
	n := number(m[1])
	return Recent, back(now, n, unitOf(m[2])), n > 0
}

func nextN(m []string, now time.Time) (string, span, bool) {
	n := number(m[1])
	return Future, span{now, shift(now, n, unitOf(m[2]))}, n > 0
}

// agoN is the whole calendar unit that many units back: "2 years ago" is a year, "3 days ago" a day.
func agoN(m []string, now time.Time) (string, span, bool) {
	n, u := number(m[1]), unitOf(m[2])
	at := shift(now, -n, u)
	if u == weeks {
		return Past, span{at, at}, n > 0
	}
	return Past, period(at, u), n > 0
}

// neighbour is the whole unit n units from now, named in group 1.
func neighbour(n int) func(m []string, now time.Time) (string, span, bool) {
	return func(m []string, now time.Time) (string, span, bool) {
		u := unitOf(m[1])
		s := period(shift(now, n, u), u)
		return map[bool]string{true: Past, false: Future}[n < 0], s, true
	}
}

func thisUnit(m []string, now time.Time) (string, span, bool) {
	return Current, soFar(now, unitOf(m[1])), true
}

func dayFrom(n int) func(now time.Time) span {
	return func(now time.Time) span { d := now.AddDate(0, 0, n); return span{d, d} }
}

func thisYear(now time.Time) span { return soFar(now, years) }

// rulesEN are tried in order; the more exact expressions stand first.
var rulesEN = []rule{
	{re(`(?i)\b(?:the |these |in |over |during |within )*(?:last|past|previous|recent) ` + enCount + ` ` + enUnit + `\b`), lastN},
	{re(`(?i)\b(?:the )?(?:next|coming|following|upcoming) ` + enCount + ` ` + enUnit + `\b`), nextN},
	{re(`(?i)\b` + enCount + ` ` + enUnit + ` ago\b`), agoN},
	{re(`(?i)\b(?:in|within) ` + enCount + ` ` + enUnit + `(?:' time| from now)?\b`), nextN},
	{re(`(?i)\b(?:over|in|during|within|for) the (?:last|past) ()` + enUnit + `\b`), lastN},
	{re(`(?i)\bthe past ()` + enUnit + `\b`), lastN},
	fixed(`(?i)\b(?:this|the current) (?:calendar )?year\b|\byear to date\b`, ThisYear, thisYear),
	{re(`(?i)\b(?:last|previous) ` + enUnit + `\b`), neighbour(-1)},
	{re(`(?i)\b(?:next|coming) ` + enUnit + `\b`), neighbour(1)},
	{re(`(?i)\b(?:this|the current) ` + enUnit + `\b`), thisUnit},
	fixed(`(?i)\bthe day before yesterday\b`, Past, dayFrom(-2)),
	fixed(`(?i)\bthe day after tomorrow\b`, Future, dayFrom(2)),
	fixed(`(?i)\byesterday\b`, Past, dayFrom(-1)),
	fixed(`(?i)\btomorrow\b`, Future, dayFrom(1)),
	fixed(`(?i)\b(?:in |over |of )?(?:the )?(?:recent|past|last few) years\b`, Recent, recentYears),
	fixed(`(?i)\b(?:most )?recently\b|\blately\b|\bof late\b|\bin recent (?:months|times)\b|\brecent\b`, Recent, recent),
	fixed(`(?i)\btoday\b(?:[^'’]|$)`, Current, dayFrom(0)),
	fixed(`(?i)\b(?:right now|currently|at present|at the moment|nowadays|these days|as of now|up[- ]to[- ]date|to date|today['’]s|latest|newest|present[- ]day)\b|\bcurrent (?:state|status|situation|version|release|stable|policy|law|laws|regulations?|leader|president|head|rules?|trends?|practice|use|standard|number|price|value|maintainers?|developments?)\b`, Current, current),
	fixed(`(?i)\b(?:in|for) the (?:near |foreseeable )?future\b|\bfuture of\b|\bin (?:the )?(?:coming|upcoming|next) (?:years|decades|months)\b|\bupcoming\b|\bforthcoming\b|\bgoing forward\b|\bfuture (?:plans?|trends?|prospects?|outlook|developments?|directions?|releases?)\b`, Future, ahead),
	fixed(`(?i)\bhistorically\b|\bin the past\b|\bin earlier (?:times|years)\b|\bpreviously\b|\bformerly\b|\bhistory of\b|\bback then\b`, Past, behind),
}

var rulesZH = []rule{
	{re(`(?:过去|最近|近|前|过往|这|之前)的?` + zhCount + zhUnit + `(?:来|以来|内|里|间)?`), lastN},
	{re(`(?:未来|今后|接下来|往后|将来|下|之后)的?` + zhCount + zhUnit + `(?:内|里|间)?`), nextN},
	{re(zhCount + zhUnit + `(?:之前|以前|前)`), agoN},
	{re(zhCount + zhUnit + `(?:之后|以后|后)`), nextN},
	{re(`过去()的?一?` + zhUnit), lastN},
	fixed(`今年(?:以来)?|本年度?|年初至今|这一年`, ThisYear, thisYear),
	fixed(`大前年`, Past, func(now time.Time) span { return period(shift(now, -3, years), years) }),
	fixed(`前年`, Past, func(now time.Time) span { return period(shift(now, -2, years), years) }),
	fixed(`去年|上一?年度?`, Past, func(now time.Time) span { return period(shift(now, -1, years), years) }),
	fixed(`后年`, Future, func(now time.Time) span { return period(shift(now, 2, years), years) }),
	fixed(`明年|来年|下一?年度?`, Future, func(now time.Time) span { return period(shift(now, 1, years), years) }),
	{re(`上(?:一)?(个月|月|周|个星期|星期|个季度|季度|世纪|个世纪)`), neighbour(-1)},
	{re(`下(?:一)?(个月|月|周|个星期|星期|个季度|季度|世纪|个世纪)`), neighbour(1)},
	{re(`(?:本|这个?|当前?)(月|周|星期|季度|世纪)`), thisUnit},
	fixed(`前天`, Past, dayFrom(-2)),
	fixed(`昨[天日晚]`, Past, dayFrom(-1)),
	fixed(`后天`, Future, dayFrom(2)),
	fixed(`明[天日]`, Future, dayFrom(1)),
	fixed(`近年来?|近几年来?|最近几年|这些年`, Recent, recentYears),
	fixed(`最近|近期|近来|新近|近日|日前|前不久`, Recent, recent),
	fixed(`今[天日]|本日`, Current, dayFrom(0)),
	fixed(`目前|现在|当前|如今|现今|眼下|现阶段|当下|迄今|最新|现行`, Current, current),
	fixed(`未来|将来|今后|即将|往后`, Future, ahead),
	fixed(`历史上|过去|以往|从前|曾经|早期|昔日`, Past, behind),
}
