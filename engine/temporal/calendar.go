package temporal

import (
	"fmt"
	"strconv"
	"time"
)

// Years outside of this range are numbers, not dates.
const (
	minYear = 1000
	maxYear = 2199
)

func validYear(y int) bool { return minYear <= y && y <= maxYear }

// iso writes a partial date; month and day are 0 when unknown. It returns "" when there is no such date.
func iso(year, month, day int) string {
	switch {
	case !validYear(year) || month < 0 || month > 12 || day < 0:
		return ""
	case month == 0:
		return fmt.Sprintf("%04d", year)
	case day == 0:
		return fmt.Sprintf("%04d-%02d", year, month)
	case day > daysIn(year, month):
		return ""
	}
	return fmt.Sprintf("%04d-%02d-%02d", year, month, day)
}

func daysIn(year, month int) int {
	return time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// day is a calendar day at midnight UTC; the zone of the clock has been applied before.
func day(y, m, d int) time.Time { return time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC) }

// today is the calendar day of the clock in the clock's own zone.
func today(now time.Time) time.Time {
	y, m, d := now.Date()
	return day(y, int(m), d)
}

// addMonths moves t by n months and stays in the month it lands in: 31 May less three months is 28 or 29 February.
func addMonths(t time.Time, n int) time.Time {
	first := day(t.Year(), int(t.Month())+n, 1)
	return day(first.Year(), int(first.Month()), min(t.Day(), daysIn(first.Year(), int(first.Month()))))
}

// span is a closed range of days; a zero time is an open end.
type span struct{ from, to time.Time }

// daysOf returns the first and the last day of a partial ISO date that [iso] wrote.
func daysOf(date string) span {
	y, _ := strconv.Atoi(date[:4])
	if len(date) == 4 {
		return span{day(y, 1, 1), day(y, 12, 31)}
	}
	m, _ := strconv.Atoi(date[5:7])
	if len(date) == 7 {
		return span{day(y, m, 1), day(y, m, daysIn(y, m))}
	}
	d, _ := strconv.Atoi(date[8:])
	return span{day(y, m, d), day(y, m, d)}
}

// unit is a calendar unit.
type unit int

const (
	days unit = iota
	weeks
	monthsUnit
	quarters
	years
	decades
	centuries
	weekends
	fortnights
	halves
	workdays // Monday to Friday; only counted
)

// maxCount is the largest count of units that is read; longer ones lead out of the calendar.
const maxCount = 9999

// shift moves t by n units.
func shift(t time.Time, n int, u unit) time.Time {
	switch u {
	case days:
		return t.AddDate(0, 0, n)
	case weeks:
		return t.AddDate(0, 0, 7*n)
	case monthsUnit:
		return addMonths(t, n)
	case quarters:
		return addMonths(t, 3*n)
	case years:
		return addMonths(t, 12*n)
	case decades:
		return addMonths(t, 120*n)
	case weekends:
		return t.AddDate(0, 0, 7*n)
	case fortnights:
		return t.AddDate(0, 0, 14*n)
	case halves:
		return addMonths(t, 6*n)
	case workdays:
		return addWorkdays(t, n)
	}
	return addMonths(t, 1200*n)
}

// addWorkdays moves t by n days from Monday to Friday.
func addWorkdays(t time.Time, n int) time.Time {
	dir := 1
	if n < 0 {
		n, dir = -n, -1
	}
	for wd := t.Weekday(); wd == time.Saturday || wd == time.Sunday; wd = t.Weekday() { // begin with the working day before
		t = t.AddDate(0, 0, -dir)
	}
	t = t.AddDate(0, 0, dir*(n/5*7))
	for n %= 5; n > 0; n-- {
		t = t.AddDate(0, 0, dir)
		for wd := t.Weekday(); wd == time.Saturday || wd == time.Sunday; wd = t.Weekday() {
			t = t.AddDate(0, 0, dir)
		}
	}
	return t
}

// period returns the whole calendar unit that holds t; weeks begin on Monday, a fortnight with the week of t, and the weekend is
// that of the week of t.
func period(t time.Time, u unit) span {
	y, m := t.Year(), int(t.Month())
	switch u {
	case days:
		return span{t, t}
	case weeks:
		monday := t.AddDate(0, 0, -(int(t.Weekday())+6)%7)
		return span{monday, monday.AddDate(0, 0, 6)}
	case monthsUnit:
		return span{day(y, m, 1), day(y, m, daysIn(y, m))}
	case quarters:
		q := (m-1)/3*3 + 1
		return span{day(y, q, 1), day(y, q+2, daysIn(y, q+2))}
	case years:
		return span{day(y, 1, 1), day(y, 12, 31)}
	case decades:
		return span{day(y/10*10, 1, 1), day(y/10*10+9, 12, 31)}
	case weekends:
		monday := period(t, weeks).from
		return span{monday.AddDate(0, 0, 5), monday.AddDate(0, 0, 6)}
	case fortnights:
		monday := period(t, weeks).from
		return span{monday, monday.AddDate(0, 0, 13)}
	case halves:
		h := (m-1)/6*6 + 1
		return span{day(y, h, 1), day(y, h+5, daysIn(y, h+5))}
	}
	c := (y - 1) / 100
	return span{day(c*100+1, 1, 1), day(c*100+100, 12, 31)}
}
