package document

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

var (
	isoHead = regexp.MustCompile(`^(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?(?:$|[T\s])`)
	compact = regexp.MustCompile(`^(\d{4})(\d{2})(\d{2})(?:$|T)`)
	hanDate = regexp.MustCompile(`^(\d{4})\s*年(?:\s*(\d{1,2})\s*月(?:\s*(\d{1,2})\s*日)?)?`)
	ordinal = regexp.MustCompile(`(\d)(st|nd|rd|th)\b`)
)

// layouts of dates in metadata, tried after the ISO forms.
var layouts = []struct{ layout, out string }{
	{time.RFC1123Z, "2006-01-02"}, {time.RFC1123, "2006-01-02"}, {time.RFC850, "2006-01-02"}, {time.ANSIC, "2006-01-02"},
	{"Mon Jan 2 15:04:05 MST 2006", "2006-01-02"}, {"Mon, 2 Jan 2006", "2006-01-02"},
	{"January 2 2006", "2006-01-02"}, {"Jan 2 2006", "2006-01-02"}, {"2 January 2006", "2006-01-02"}, {"2 Jan 2006", "2006-01-02"},
	{"Monday January 2 2006", "2006-01-02"}, {"Monday 2 January 2006", "2006-01-02"}, {"2-Jan-2006", "2006-01-02"},
	{"January 2006", "2006-01"}, {"Jan 2006", "2006-01"},
}

// isoDate reads one date as metadata write it and returns 2006-01-02, 2006-01, 2006, or "" when it is not a date or not
// one of the years 1000 to 2199. It does not search in running text.
func isoDate(s string) string {
	s = oneLine(s, 100)
	for _, re := range []*regexp.Regexp{isoHead, compact, hanDate} {
		if m := re.FindStringSubmatch(s); m != nil {
			return ymd(m[1], m[2], m[3])
		}
	}
	plain := strings.Join(strings.Fields(strings.ReplaceAll(ordinal.ReplaceAllString(s, "$1"), ",", " ")), " ")
	for _, l := range layouts {
		for _, v := range []string{s, plain} {
			if t, err := time.Parse(l.layout, v); err == nil {
				if out := t.Format(l.out); out >= "1000" && out < "2200" {
					return out
				}
			}
		}
	}
	return ""
}

// ymd joins the parts of a date; month and day may be empty. A day that no calendar has gives "".
func ymd(y, m, d string) string {
	if y < "1000" || y >= "2200" {
		return ""
	}
	if m == "" {
		return y
	}
	mi, err := strconv.Atoi(m)
	if err != nil || mi < 1 || mi > 12 {
		return ""
	}
	if d == "" {
		return y + "-" + two(mi)
	}
	di, err := strconv.Atoi(d)
	if err != nil {
		return ""
	}
	iso := y + "-" + two(mi) + "-" + two(di)
	if _, err := time.Parse("2006-01-02", iso); err != nil {
		return ""
	}
	return iso
}

func two(n int) string {
	if n < 10 {
		return "0" + strconv.Itoa(n)
	}
	return strconv.Itoa(n)
}
