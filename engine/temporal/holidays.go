package temporal

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"
)

// holiday gives the days of a holiday in a year; false when that year has none.
type holiday func(year int) (span, bool)

// cycle makes a yearly cycle of the holiday.
func (h holiday) cycle() *cycle {
	return &cycle{years, func(t time.Time) (span, bool) { return h(t.Year()) }}
}

// holidayAt reads the name of a holiday at i.
func (r *reader) holidayAt(i int) (holiday, int) {
	if !holidayStarts[r.w(i)] {
		return nil, 0
	}
	var (
		key  strings.Builder
		best holiday
		next int
	)
	for j, words := i, 0; j < len(r.t) && words < maxHolidayWords; j++ {
		t := r.t[j]
		if t.kind == 'p' && (t.r == '-' || t.r == '\'' || t.r == '’' || t.r == '.') && words > 0 && r.touches(j) && (t.r == '.' || r.touches(j+1)) {
			continue
		}
		if t.kind != 'w' {
			break
		}
		if words > 0 {
			key.WriteByte(' ')
		}
		if full := fullDays[t.word]; full != "" && words > 0 {
			t.word = full
		}
		key.WriteString(t.word)
		words++
		if h, ok := holidaysEN[key.String()]; ok {
			best, next = h, j+1
		}
	}
	return best, next
}

// fullDays are the long names of the days of the week for the short ones.
var fullDays = map[string]string{"mon": "monday", "tue": "tuesday", "tues": "tuesday", "wed": "wednesday", "thu": "thursday", "thurs": "thursday", "fri": "friday",
	"sat": "saturday", "sun": "sunday"}

// maxHolidayWords is how many words the name of a holiday has at most.
const maxHolidayWords = 7

// Tables by name, made of the lines of holiday_names.go; holidayStarts are the first words of the English names.
var (
	holidaysEN, holidayStarts = englishHolidays()
	holidaysZH, longestByRune = chineseHolidays()
)

func englishHolidays() (map[string]holiday, map[string]bool) {
	out, starts := map[string]holiday{}, map[string]bool{}
	eachHoliday(holidayNamesEN, func(name string, h holiday) {
		for _, n := range possessives(name) {
			out[n] = h
			first, _, _ := strings.Cut(n, " ")
			starts[first] = true
		}
	})
	return out, starts
}

// possessives returns a name with 's left out, as [tokens] leaves it out, and with s.
func possessives(name string) []string {
	if !strings.Contains(name, "'s") {
		return []string{name}
	}
	return []string{strings.ReplaceAll(name, "'s", ""), strings.ReplaceAll(name, "'s", "s")}
}

// chineseHolidays returns the holidays by name, and how long the longest name is that begins with a character.
func chineseHolidays() (map[string]holiday, map[rune]int) {
	out, longest := map[string]holiday{}, map[rune]int{}
	eachHoliday(holidayNamesZH, func(name string, h holiday) {
		out[name] = h
		r := []rune(name)
		longest[r[0]] = max(longest[r[0]], len(r))
	})
	return out, longest
}

// eachHoliday calls f with every name of a table whose lines are "rule: name | name".
func eachHoliday(table string, f func(name string, h holiday)) {
	for _, line := range strings.Split(table, "\n") {
		rule, names, ok := strings.Cut(line, ": ")
		if !ok {
			continue
		}
		h := remembered(holidayRule(strings.Fields(rule)))
		for _, name := range strings.Split(names, "|") {
			f(strings.TrimSpace(name), h)
		}
	}
}

// remembered works the days of a year out once: those that hang on the Moon take a millisecond.
func remembered(h holiday) holiday {
	type days struct {
		s  span
		ok bool
	}
	var (
		mu   sync.Mutex
		seen map[int]days
	)
	return func(year int) (span, bool) {
		mu.Lock()
		defer mu.Unlock()
		d, ok := seen[year]
		if !ok {
			d.s, d.ok = h(year)
			if seen == nil {
				seen = map[int]days{}
			}
			seen[year] = d
		}
		return d.s, d.ok
	}
}

// holidayRule makes a holiday of the words of a rule:
//
//	day M D            a day of our calendar
//	nth M N W          the Nth weekday W (0 Sunday) of the month, counted from the end when N is negative; then days to add
//	easter N           N days after Easter; orthodox N: after the Easter of the eastern churches
//	hebrew M D N       a feast of N days of the Hebrew calendar, from the eve on; months from 1 Tishri
//	islamic M D N      N days; months from 1 Muharram; N 0 is the whole month
//	chinese M D        a day of the Chinese calendar; month 13 day 0 is the last day of its year
//	hindu M T H N      N days from the lunar day T of the month (1 Chaitra), as it is at hour H in India; then days to add
//	sun S N            N days after the Sun enters a sign of the stars; star S K: the day of a star in that month
//	term D             the day of the Chinese solar term at longitude D
//	office M D, king   a day moved off the weekend
func holidayRule(words []string) holiday {
	var n [5]int
	for i, w := range words[1:] {
		n[i], _ = strconv.Atoi(w)
	}
	single := func(f func(y int) time.Time) holiday {
		return func(y int) (span, bool) { d := f(y); return span{d, d}, true }
	}
	switch words[0] {
	case "day":
		return func(y int) (span, bool) { return dayOf(y, n[0], n[1]) }
	case "nth":
		return func(y int) (span, bool) {
			s, ok := nthWeekday(period(day(y, n[0], 1), monthsUnit), n[1], time.Weekday(n[2]))
			return span{s.from.AddDate(0, 0, n[3]), s.to.AddDate(0, 0, n[3])}, ok
		}
	case "easter":
		return single(func(y int) time.Time { return easter(y).AddDate(0, 0, n[0]) })
	case "orthodox":
		return single(func(y int) time.Time { return orthodoxEaster(y).AddDate(0, 0, n[0]) })
	case "lent":
		return func(y int) (span, bool) {
			return span{easter(y).AddDate(0, 0, n[0]), easter(y).AddDate(0, 0, n[1])}, true
		}
	case "hebrew":
		return hebrewFeast(n[0], n[1], n[2])
	case "islamic":
		return islamicFeast(n[0], n[1], n[2])
	case "chinese":
		return func(y int) (span, bool) {
			d := chineseDay(y, n[0]%13, n[1])
			if n[0] == 13 { // in the first days of our year
				d = chineseDay(y, 1, 1).AddDate(0, 0, n[1]-1)
			}
			return span{d, d}, true
		}
	case "hindu":
		return func(y int) (span, bool) {
			d, ok := hinduDay(y, n[0], n[1], n[2])
			d = d.AddDate(0, 0, n[4])
			return span{d, d.AddDate(0, 0, max(n[3], 1)-1)}, ok
		}
	case "sun":
		return single(func(y int) time.Time { return sankranti(y, n[0]).AddDate(0, 0, n[1]) })
	case "star":
		return func(y int) (span, bool) { d, ok := starDay(y, n[0], n[1]); return span{d, d}, ok }
	case "term":
		return single(func(y int) time.Time { return dayIn(sunAfter(day(y, 1, 1), float64(n[0])), china) })
	case "office": // the nearest working day
		return single(func(y int) time.Time { return workday(day(y, n[0], n[1])) })
	case "king": // a day earlier when it is a Sunday
		return single(func(y int) time.Time {
			d := day(y, n[0], n[1])
			if y < 2014 {
				d = day(y, 4, 30)
			}
			if d.Weekday() == time.Sunday {
				d = d.AddDate(0, 0, -1)
			}
			return d
		})
	}
	panic(fmt.Sprintf("temporal: no rule of holidays %q", words))
}

func workday(d time.Time) time.Time {
	switch d.Weekday() {
	case time.Saturday:
		return d.AddDate(0, 0, -1)
	case time.Sunday:
		return d.AddDate(0, 0, 1)
	}
	return d
}

// hebrewFeast is a feast of the Hebrew calendar; its day begins with the evening before.
func hebrewFeast(m, d, n int) holiday {
	return func(y int) (span, bool) {
		autumn := y
		if m > 3 || m == 3 && d > 29 {
			autumn = y - 1
		}
		at := hebrewDay(autumn, m, d)
		if at.Year() != y {
			at = hebrewDay(autumn+y-at.Year(), m, d)
		}
		if m == 8 && d == 5 { // the Day of Independence keeps off the Sabbath
			at = at.AddDate(0, 0, map[time.Weekday]int{time.Friday: -1, time.Saturday: -2, time.Monday: 1}[at.Weekday()])
		}
		if m == 11 && d == 9 && at.Weekday() == time.Saturday { // so does the fast of the Ninth of Av
			at = at.AddDate(0, 0, 1)
		}
		from := at.AddDate(0, 0, -1)
		return span{from, from.AddDate(0, 0, max(n, 1)-1)}, at.Year() == y
	}
}

// islamicFeast is a feast of the Islamic calendar.
func islamicFeast(m, d, n int) holiday {
	return func(y int) (span, bool) {
		for _, probe := range [...]int{y, y - 1} { // a month that begins in December may hold a day of January
			for _, start := range islamicMonth(probe, m) {
				at := start.AddDate(0, 0, d-1)
				if at.Year() != y {
					continue
				}
				if n == 0 {
					return span{at, islamicNext(start).AddDate(0, 0, -1)}, true
				}
				return span{at, at.AddDate(0, 0, n-1)}, true
			}
		}
		return span{}, false
	}
}

// islamicNext is the first day of the month after the one that begins on the day start.
func islamicNext(start time.Time) time.Time {
	at := phaseAfter(start.AddDate(0, 0, 20), 0)
	d := day(at.Year(), int(at.Month()), at.Day())
	if at.Sub(d) > meccaSunset {
		return d.AddDate(0, 0, 2)
	}
	return d.AddDate(0, 0, 1)
}
