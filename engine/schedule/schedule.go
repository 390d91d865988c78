// Package schedule reads the five fields of cron and says when they next come.
//
// Start at [Parse], then [Schedule.Next]. Fields are minute, hour, day of the month, month and day of the week, each "*", a number, a
// range "1-5", a list "1,15", or one of these with a step "*/10"; months and days of the week may be named by three letters, 0 and 7 are
// both Sunday. When day of the month and day of the week are both given, either is enough, as in cron. "@hourly", "@daily",
// "@weekly", "@monthly" and "@yearly" stand for what they say.
//
// Times are those that a clock on the wall of the zone shows. When clocks are set forward, a time that they skip is taken at the moment
// they are set, once for all that were skipped. When clocks are set back, a time that comes twice is taken the first time only.
package schedule

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // zones are known where the system has none
)

// Bounds of an expression.
const (
	maxLength = 256 // bytes
	maxYears  = 9   // without a time: 29 February comes within eight, around 2100 too
)

// Schedule is when something is due. The zero value never is.
type Schedule struct {
	minute, hour, day, month, weekday uint64 // bit n: the number n is meant
	anyDay, anyWeekday                bool   // the field begins with "*"
	zone                              *time.Location
	text                              string
}

// field is one of the five.
type field struct {
	name     string
	min, max int
	names    []string // of min, min+1 and so on
}

var fields = []field{
	{"minute", 0, 59, nil},
	{"hour", 0, 23, nil},
	{"day of the month", 1, 31, nil},
	{"month", 1, 12, []string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}},
	{"day of the week", 0, 7, []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat", "sun"}},
}

var nicknames = map[string]string{
	"@hourly": "0 * * * *", "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@weekly": "0 0 * * 0", "@monthly": "0 0 1 * *",
	"@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *",
}

// Parse reads an expression for the clocks of a zone; nil is the zone of this machine. The error is a sentence for the person. What
// never comes, such as 30 February, is an error too.
func Parse(expr string, zone *time.Location) (Schedule, error) {
	if zone == nil {
		zone = time.Local
	}
	s := Schedule{zone: zone, text: strings.Join(strings.Fields(expr), " ")}
	if len(expr) > maxLength {
		return Schedule{}, fmt.Errorf("schedule: it has %d characters and may have %d", len(expr), maxLength)
	}
	form := strings.ToLower(s.text)
	if n, ok := nicknames[form]; ok {
		form = n
	}
	parts := strings.Fields(form)
	if len(parts) != len(fields) {
		return Schedule{}, fmt.Errorf("schedule %q: it has %d fields where five are due: minute, hour, day, month, day of the week, as in \"0 7 * * 1-5\"", s.text, len(parts))
	}
	for i, to := range []*uint64{&s.minute, &s.hour, &s.day, &s.month, &s.weekday} {
		bits, err := fields[i].parse(parts[i])
		if err != nil {
			return Schedule{}, fmt.Errorf("schedule %q: %s: %w", s.text, fields[i].name, err)
		}
		*to = bits
	}
	if s.weekday&(1<<7) != 0 {
		s.weekday = s.weekday&^(1<<7) | 1
	}
	s.anyDay, s.anyWeekday = parts[2][0] == '*', parts[4][0] == '*'
	if _, ok := s.Next(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)); !ok {
		return Schedule{}, fmt.Errorf("schedule %q: that day never comes", s.text)
	}
	return s, nil
}

// Zone loads the zone of a name such as "Europe/Berlin"; the empty name is the zone of this machine.
func Zone(name string) (*time.Location, error) {
	if name == "" || name == "Local" {
		return time.Local, nil
	}
	if len(name) > 100 || strings.Contains(name, "..") || strings.ContainsAny(name, `\ `) || name[0] == '/' {
		return nil, fmt.Errorf("time zone %q: name one as Europe/Berlin", name)
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil, fmt.Errorf("time zone %q is not known: name one as Europe/Berlin, or UTC", name)
	}
	return zone, nil
}

// String is the expression as it was given.
func (s Schedule) String() string { return s.text }

// parse reads one field.
func (f field) parse(in string) (uint64, error) {
	var bits uint64
	for _, part := range strings.Split(in, ",") {
		b, err := f.part(part)
		if err != nil {
			return 0, err
		}
		bits |= b
	}
	return bits, nil
}

// part reads one entry of a list.
func (f field) part(in string) (uint64, error) {
	span, stepText, stepped := strings.Cut(in, "/")
	from, to, step := f.min, f.max, 1
	var err error
	if span != "*" {
		first, last, ranged := strings.Cut(span, "-")
		if from, err = f.number(first); err != nil {
			return 0, err
		}
		switch {
		case ranged:
			if to, err = f.number(last); err != nil {
				return 0, err
			}
		case !stepped:
			to = from
		}
	}
	if stepped {
		if step, err = strconv.Atoi(stepText); err != nil || step < 1 || step > f.max || len(stepText) > 2 {
			return 0, fmt.Errorf("the step %q is no number from 1 to %d", stepText, f.max)
		}
	}
	if from > to {
		return 0, fmt.Errorf("the range %q runs backwards", span)
	}
	var bits uint64
	for n := from; n <= to; n += step {
		bits |= 1 << n
	}
	return bits, nil
}

// number reads a number or a name.
func (f field) number(in string) (int, error) {
	for i, name := range f.names {
		if in == name {
			return f.min + i, nil
		}
	}
	n, err := strconv.Atoi(in)
	if err != nil || n < f.min || n > f.max || len(in) > 2 || in[0] == '+' || in[0] == '-' {
		if in == "" {
			return 0, errors.New("a number is missing")
		}
		return 0, fmt.Errorf("%q is no number from %d to %d", in, f.min, f.max)
	}
	return n, nil
}

// Next returns the first time after t that is due; false when there is none.
func (s Schedule) Next(t time.Time) (time.Time, bool) {
	if s.zone == nil {
		return time.Time{}, false
	}
	local := t.In(s.zone)
	// The day before may be that of t in a zone whose clocks were set back over midnight.
	day := time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, time.UTC).AddDate(0, 0, -1)
	for end := day.AddDate(maxYears, 0, 0); day.Before(end); day = day.AddDate(0, 0, 1) {
		if !s.onDay(day) {
			continue
		}
		for hour := range 24 {
			if s.hour&(1<<hour) == 0 {
				continue
			}
			for minute := range 60 {
				if s.minute&(1<<minute) == 0 {
					continue
				}
				if at := moment(day.Add(time.Duration(hour)*time.Hour+time.Duration(minute)*time.Minute), s.zone); at.After(t) {
					return at, true
				}
			}
		}
	}
	return time.Time{}, false
}

// onDay reports whether a day is meant. The day is given in UTC, as the date it is on the wall.
func (s Schedule) onDay(day time.Time) bool {
	if s.month&(1<<int(day.Month())) == 0 {
		return false
	}
	byDay, byWeekday := s.day&(1<<day.Day()) != 0, s.weekday&(1<<int(day.Weekday())) != 0
	if s.anyDay || s.anyWeekday {
		return byDay && byWeekday
	}
	return byDay || byWeekday
}

// moment is when the clocks of a zone first show what wall says in UTC, or are set past it.
func moment(wall time.Time, zone *time.Location) time.Time {
	shows := func(at time.Time) time.Time {
		_, offset := at.In(zone).Zone()
		return at.Add(time.Duration(offset) * time.Second)
	}
	// No offset is a day long, so that the wall shows less a day before and more a day after; in between it is looked for.
	var early, late time.Time
	for _, around := range []time.Time{wall.Add(-26 * time.Hour), wall.Add(26 * time.Hour)} {
		_, offset := around.In(zone).Zone()
		at := wall.Add(-time.Duration(offset) * time.Second)
		if early.IsZero() || at.Before(early) {
			early = at
		}
		if at.After(late) {
			late = at
		}
	}
	for _, at := range []time.Time{early, late} {
		if shows(at).Equal(wall) {
			return at.In(zone)
		}
	}
	// The clocks were set past it: the first moment that shows more.
	lo, hi := early.Add(-time.Hour), late.Add(time.Hour)
	for hi.Sub(lo) > time.Second {
		mid := lo.Add(hi.Sub(lo) / 2).Truncate(time.Second)
		if !mid.After(lo) {
			break
		}
		if shows(mid).After(wall) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return hi.Truncate(time.Second).In(zone)
}
