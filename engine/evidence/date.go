package evidence

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/engine/temporal"
)

// MatchDates asks whether every date of the claim stands in the source (G12): equal to a source date, or a coarser form of
// one (2015 for 2015-11-24), or what a relative expression of the source ("last March") means on the day it was published.
// published is a partial ISO date or empty. A decade in the claim ("1990s") is met by any date within it, a fiscal year
// (FY24) in the source by its year. A day without a year ("July 9") must stand in the source, or a weekday close to the day of
// publication. Years get no tolerance.
func MatchDates(claim, source, published string) Match {
	want := temporal.Dates(claim)
	days := bareDays(claim, want)
	m := Match{OK: true}
	if len(want)+len(days) == 0 {
		return m
	}
	have := datesOf(source, published)
	for _, d := range want {
		if dated(d, claim, have) {
			continue
		}
		m.OK = false
		m.Missing = append(m.Missing, d.Text)
		if m.Reason == "" {
			m.Reason = fmt.Sprintf("%s is not a date of the source", d.Text)
		}
	}
	if len(days) == 0 {
		return m
	}
	inSource := map[string]bool{}
	for _, d := range bareDays(source, nil) {
		inSource[d.ISO] = true
	}
	for _, h := range have {
		if len(h) == len("2006-01-02") {
			inSource[h[5:]] = true
		}
	}
	for _, d := range days {
		if inSource[d.ISO] || weekday(d, source, published) {
			continue
		}
		m.OK = false
		m.Missing = append(m.Missing, d.Text)
		if m.Reason == "" {
			m.Reason = fmt.Sprintf("%s is not a day of the source", d.Text)
		}
	}
	return m
}

// bareDays returns the days of s that are written without a year, "July 9" as 07-09, those within a whole date left out.
func bareDays(s string, whole []temporal.Date) []temporal.Date {
	var out []temporal.Date
	for _, at := range monthDay.FindAllStringSubmatchIndex(s, maxDays) {
		group := func(i int) string {
			if at[2*i] < 0 {
				return ""
			}
			return s[at[2*i]:at[2*i+1]]
		}
		month, day := monthNumber(group(1)+group(4)), group(2)+group(3)
		n, err := strconv.Atoi(day)
		if err != nil || n < 1 || n > 31 || month == 0 {
			continue
		}
		inside := slices.ContainsFunc(whole, func(d temporal.Date) bool { return at[0] < d.End && d.Start < at[1] })
		if !inside {
			out = append(out, temporal.Date{ISO: fmt.Sprintf("%02d-%02d", month, n), Text: s[at[0]:at[1]], Start: at[0], End: at[1]})
		}
	}
	return out
}

// weekday reports whether the source names a weekday and the claim's day lies within a week of its publication, so that
// the one may be the other.
func weekday(d temporal.Date, source, published string) bool {
	day, parts, ok := parseDate(published)
	if !ok || parts < 3 || !weekdays.MatchString(source) {
		return false
	}
	for n := -7; n <= 7; n++ {
		if day.AddDate(0, 0, n).Format("01-02") == d.ISO {
			return true
		}
	}
	return false
}

// maxDays bounds the days read from one text.
const maxDays = 512

// dated reports whether one of the source's dates is the claim's or within it.
func dated(d temporal.Date, claim string, have []string) bool {
	within := d.ISO
	if decade := strings.HasSuffix(d.Text, "s") || d.End < len(claim) && claim[d.End] == 's' || strings.HasPrefix(claim[min(d.End, len(claim)):], "年代"); decade && len(within) == 4 {
		within = within[:3] // any year of the decade
	}
	for _, h := range have {
		if h == d.ISO || strings.HasPrefix(h, within) {
			return true
		}
	}
	return false
}

// datesOf returns the dates a source states, the years of its fiscal years, and what its relative expressions mean.
func datesOf(source, published string) []string {
	var out []string
	for _, d := range temporal.Dates(source) {
		out = append(out, d.ISO)
	}
	for _, m := range fiscal.FindAllStringSubmatch(source, 64) {
		y := m[1]
		if len(y) == 2 {
			y = "20" + y
		}
		out = append(out, y)
	}
	return append(out, relative(source, published)...)
}

var (
	fiscal   = regexp.MustCompile(`(?i:\bFY\s?'?|\bfiscal(?: year)? )((?:19|20)?[0-9]{2})\b`)
	months   = `january|february|march|april|may|june|july|august|september|october|november|december`
	short    = `jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec`
	monthDay = regexp.MustCompile(`(?i:\b(` + months + `|` + short + `)\.?\s+([0-9]{1,2})(?:st|nd|rd|th)?\b|\b([0-9]{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?(` + months + `|` + short + `)\b)`)
	weekdays = regexp.MustCompile(`(?i:\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b)|星期|周[一二三四五六日]`)
	monthly  = regexp.MustCompile(`(?i:\b(last|this|next|in|since|until|by)\s+(` + months + `)\b)`)
	yearly   = regexp.MustCompile(`(?i:\b(last|this|next|the previous|the current) (year|month)\b)|(去年|今年|明年|前年|上个月|本月)`)
	daily    = regexp.MustCompile(`(?i:\b(yesterday|today|tomorrow)\b)|(昨天|今天|明天)`)
)

// relative resolves expressions that count from the day of publication. A month without a year is the nearest that fits its
// word: "last March" is the one before, "in March" that of the year of publication.
func relative(source, published string) []string {
	day, parts, ok := parseDate(published)
	if !ok {
		return nil
	}
	var out []string
	for _, m := range yearly.FindAllStringSubmatch(source, 64) {
		word, unit := strings.ToLower(m[1]), strings.ToLower(m[2])
		step := map[string]int{"last": -1, "the previous": -1, "next": 1}[word]
		switch {
		case m[3] == "去年":
			step, unit = -1, "year"
		case m[3] == "前年":
			step, unit = -2, "year"
		case m[3] == "明年":
			step, unit = 1, "year"
		case m[3] == "今年":
			unit = "year"
		case m[3] == "上个月":
			step, unit = -1, "month"
		case m[3] == "本月":
			unit = "month"
		}
		if unit == "year" {
			out = append(out, fmt.Sprintf("%04d", day.Year()+step))
		} else if parts >= 2 {
			out = append(out, firstOfMonth(day).AddDate(0, step, 0).Format("2006-01"))
		}
	}
	for _, m := range monthly.FindAllStringSubmatch(source, 64) {
		month := monthNumber(m[2])
		year := day.Year()
		switch word := strings.ToLower(m[1]); {
		case word == "last" && parts >= 2 && month >= day.Month():
			year--
		case word == "next" && parts >= 2 && month <= day.Month():
			year++
		}
		out = append(out, fmt.Sprintf("%04d-%02d", year, month))
	}
	if parts == 3 {
		for _, m := range daily.FindAllStringSubmatch(source, 64) {
			step := map[string]int{"yesterday": -1, "tomorrow": 1, "昨天": -1, "明天": 1}[strings.ToLower(m[1])+m[2]]
			out = append(out, day.AddDate(0, 0, step).Format("2006-01-02"))
		}
	}
	return out
}

func firstOfMonth(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC)
}

// monthNumber reads a month's English name or an abbreviation of it; 0 for anything else.
func monthNumber(name string) time.Month {
	for i, m := range strings.Split(months, "|") {
		if len(name) >= 3 && strings.EqualFold(m[:min(len(m), len(name))], name) {
			return time.Month(i + 1)
		}
	}
	return 0
}
