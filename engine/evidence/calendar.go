package evidence

import (
	"strconv"
	"strings"
	"time"
)

// isPeriod reports whether s is a year, or a year with month and day, so that two of them can be ordered as text.
func isPeriod(s string) bool {
	_, _, ok := parseDate(s)
	return ok
}

// parseDate reads a partial ISO date, "2015", "2015-11" or "2015-11-24". parts is how many of year, month, day it has; the
// missing ones are 1.
func parseDate(s string) (t time.Time, parts int, ok bool) {
	fields := strings.Split(s, "-")
	layouts := []string{"2006", "2006-01", "2006-01-02"}
	if len(fields) > 3 || len(fields[0]) != 4 {
		return time.Time{}, 0, false
	}
	if _, err := strconv.Atoi(fields[0]); err != nil {
		return time.Time{}, 0, false
	}
	t, err := time.Parse(layouts[len(fields)-1], s)
	return t, len(fields), err == nil
}

// between returns the time from a to b, in the unit that the coarser of the two dates allows: whole years when either has no
// month, whole months when either has no day, days otherwise. It is negative when b is earlier.
func between(a, b string) (n int64, unit string, ok bool) {
	ta, pa, oka := parseDate(a)
	tb, pb, okb := parseDate(b)
	if !oka || !okb {
		return 0, "", false
	}
	years := int64(tb.Year() - ta.Year())
	switch min(pa, pb) {
	case 1:
		return years, "years", true
	case 2:
		return 12*years + int64(tb.Month()) - int64(ta.Month()), "months", true
	}
	return int64(tb.Sub(ta) / (24 * time.Hour)), "days", true
}
