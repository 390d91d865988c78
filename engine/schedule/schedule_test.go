package schedule

import (
	"strings"
	"testing"
	"time"
)

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	z, err := Zone(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

func TestNext(t *testing.T) {
	tests := []struct{ name, expr, zone, after, want string }{
		{"every minute", "* * * * *", "UTC", "2026-01-01T10:00:30Z", "2026-01-01T10:01:00Z"},
		{"strictly after", "0 7 * * *", "UTC", "2026-01-01T07:00:00Z", "2026-01-02T07:00:00Z"},
		{"a step", "*/20 * * * *", "UTC", "2026-01-01T10:21:00Z", "2026-01-01T10:40:00Z"},
		{"a step from", "5/20 3 * * *", "UTC", "2026-01-01T03:06:00Z", "2026-01-01T03:25:00Z"},
		{"working days", "30 6 * * mon-fri", "UTC", "2026-01-02T07:00:00Z", "2026-01-05T06:30:00Z"},
		{"both Sundays", "0 0 * * 7", "UTC", "2026-01-01T00:00:00Z", "2026-01-04T00:00:00Z"},
		{"either day", "0 0 13 * 5", "UTC", "2026-01-03T00:00:00Z", "2026-01-09T00:00:00Z"},
		{"a leap day", "0 0 29 2 *", "UTC", "2026-01-01T00:00:00Z", "2028-02-29T00:00:00Z"},
		{"the end of a year", "@yearly", "UTC", "2026-12-31T23:59:59Z", "2027-01-01T00:00:00Z"},
		{"a zone", "0 7 * * *", "Asia/Shanghai", "2026-01-01T00:00:00Z", "2026-01-01T23:00:00Z"},
		{"before a zone's summer", "30 7 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", "2026-03-29T05:30:00Z"},
		{"skipped by clocks set forward", "30 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", "2026-03-29T01:00:00Z"},
		{"the day after", "30 2 * * *", "Europe/Berlin", "2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"},
		{"several skipped are one", "*/15 2 * * *", "Europe/Berlin", "2026-03-29T01:00:00Z", "2026-03-30T00:00:00Z"},
		{"twice by clocks set back: the first", "30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", "2026-10-25T00:30:00Z"},
		{"twice by clocks set back: once", "30 2 * * *", "Europe/Berlin", "2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"},
		{"half an hour", "15 2 * * *", "Australia/Lord_Howe", "2026-10-02T23:00:00Z", "2026-10-03T15:30:00Z"},
		{"clocks set forward over midnight", "0 0 * * *", "America/Sao_Paulo", "2018-11-03T12:00:00Z", "2018-11-04T03:00:00Z"},
		{"a day that was left out", "0 12 * * *", "Pacific/Apia", "2011-12-29T23:00:00Z", "2011-12-30T10:00:00Z"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			s, err := Parse(tc.expr, zone(t, tc.zone))
			if err != nil {
				t.Fatal(err)
			}
			after, err := time.Parse(time.RFC3339, tc.after)
			if err != nil {
				t.Fatal(err)
			}
			got, ok := s.Next(after)
			if g := got.UTC().Format(time.RFC3339); !ok || g != tc.want {
				t.Errorf("Next(%s) of %q in %s = %s, %v; want %s", tc.after, tc.expr, tc.zone, g, ok, tc.want)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	for expr, want := range map[string]string{
		"": "0 fields", "* * * *": "4 fields", "60 * * * *": "minute", "* 24 * * *": "hour", "* * 0 * *": "day of the month", "* * * 13 *": "month",
		"* * * * 8": "day of the week", "5-1 * * * *": "backwards", "*/0 * * * *": "step", "*/x * * * *": "step", ",1 * * * *": "missing", "1- * * * *": "missing",
		"0 0 30 2 *": "never comes", "TZ=0 * * * *": "minute", "@never": "fields", "-1 * * * *": "missing", "+1 * * * *": "no number", "007 * * * *": "no number",
		strings.Repeat("1,", 200) + "1 * * * *": "characters",
	} {
		if _, err := Parse(expr, time.UTC); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q) = %v, want an error with %q", expr, err, want)
		}
	}
	for _, name := range []string{"Nowhere/City", "../etc/passwd", "/etc/passwd", "a b"} {
		if _, err := Zone(name); err == nil {
			t.Errorf("Zone(%q) is taken", name)
		}
	}
	if _, ok := (Schedule{}).Next(time.Now()); ok {
		t.Error("the zero schedule is due")
	}
}

// FuzzParse: nothing panics; what is taken has times that rise, each at a minute that the fields name or where clocks were set.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"* * * * *", "*/15 0-5,22 1,31 jan-mar sun", "0 0 29 2 *", "@daily", "TZ= 1 2 3 4", "1/7 * * * 1-5/2", "59 23 31 12 7"} {
		f.Add(s, int64(1774000000))
	}
	berlin, err := Zone("Europe/Berlin")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, expr string, from int64) {
		s, err := Parse(expr, berlin)
		if err != nil {
			return
		}
		at := time.Unix(from%(1<<33), 0)
		for range 3 {
			next, ok := s.Next(at)
			if !ok || !next.After(at) {
				t.Fatalf("%q: Next(%s) = %s, %v", expr, at, next, ok)
			}
			if next.Second() != 0 && next.Year() > 1900 {
				t.Fatalf("%q: %s is in the middle of a minute", expr, next)
			}
			at = next
		}
	})
}
