package temporal

import (
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"assay/engine/research"
)

// The seven categories of a period (HDRI 4.1.2).
const (
	Current  = "Current"  // now, today, currently, latest, this month
	Recent   = "Recent"   // recently, the last three years
	ThisYear = "ThisYear" // this year
	Future   = "Future"   // next year, in the future
	Past     = "Past"     // in 1999, last year, between 1993 and 1996, historically
	After    = "After"    // since 2015, after 2015
	Before   = "Before"   // before 2015, until 2015
)

// recentMonths is how long "recently" is (HDRI 4.1.2: the past 3 months).
const recentMonths = 3

// maxQuestion is how many bytes of a question are read for its period.
const maxQuestion = 4096

// Parse returns the period question speaks of, with relative expressions resolved against now, in the zone of now. Category
// and Text are empty when the question speaks of none. A range is closed on both sides where the words close it: "recently"
// is the last 3 months, "this year" is 1 January to today, "currently" and "latest" the last 12 months, "since 2015" runs to
// today; "before 2015" has no start and "in the future" no end. A stated period wins over a relative one, a relative one over
// a vague word. lang decides only which language is tried first.
func Parse(question string, now time.Time, lang string) research.Temporal {
	if len(question) > maxQuestion {
		cut := maxQuestion
		for cut > 0 && !utf8.RuneStart(question[cut]) {
			cut--
		}
		question = question[:cut]
	}
	now = today(now)
	first, second := rulesEN, rulesZH
	if lang == "zh" {
		first, second = second, first
	}
	if t, ok := stated(question, now); ok {
		return t
	}
	for _, rules := range [2][]rule{first, second} {
		for _, r := range rules {
			if t, ok := r.apply(question, now); ok {
				return t
			}
		}
	}
	return research.Temporal{}
}

// rule is an expression of time and what it means.
type rule struct {
	re *regexp.Regexp
	// read gets the submatches and the day of the clock; ok false means that it was not this expression after all.
	read func(m []string, now time.Time) (category string, s span, ok bool)
}

func (r rule) apply(q string, now time.Time) (research.Temporal, bool) {
	at := r.re.FindStringSubmatchIndex(q)
	if at == nil {
		return research.Temporal{}, false
	}
	m := make([]string, len(at)/2)
	for i := range m {
		if at[2*i] >= 0 {
			m[i] = strings.ToLower(q[at[2*i]:at[2*i+1]])
		}
	}
	category, s, ok := r.read(m, now)
	if !ok {
		return research.Temporal{}, false
	}
	return temporal(category, q[at[0]:at[1]], s), true
}

func temporal(category, words string, s span) research.Temporal {
	return research.Temporal{Category: category, Text: strings.TrimSpace(words), Range: research.DateRange{Start: format(s.from), End: format(s.to)}}
}

func format(t time.Time) string {
	if t.IsZero() || t.Year() < 1 || t.Year() > 9999 {
		return ""
	}
	return t.Format(time.DateOnly)
}

// stated reads a period that names its dates: "in 1999", "since 2015", "between 1993 and 1996", "2003年以前", "the 1990s".
func stated(q string, now time.Time) (research.Temporal, bool) {
	if t, ok := decade(q, now); ok {
		return t, true
	}
	dates := Dates(q)
	if len(dates) == 0 {
		return research.Temporal{}, false
	}
	first := dates[0]
	s := daysOf(first.ISO)
	start, end := first.Start, first.End
	if len(dates) > 1 && joins(q[end:dates[1].Start], q[:start], q[dates[1].End:]) {
		if last := daysOf(dates[1].ISO); !last.to.Before(s.from) {
			s.to, end = last.to, dates[1].End
			return temporal(relation(s, now), q[start:end], s), true
		}
	}
	before, after := q[:start], q[end:]
	switch word, side := direction(before, after); side {
	case After:
		words := join(q, word, start, end)
		if afterWord(word) {
			s.from = s.to.AddDate(0, 0, 1)
		}
		s.to = now
		if s.from.After(now) {
			s.to = time.Time{}
		}
		return temporal(After, words, s), true
	case Before:
		words := join(q, word, start, end)
		if untilWord(word) {
			s.from = time.Time{}
		} else {
			s.from, s.to = time.Time{}, s.from.AddDate(0, 0, -1)
		}
		return temporal(Before, words, s), true
	}
	return temporal(relation(s, now), q[start:end], s), true
}

// relation says whether a closed range is past, runs through today or is to come.
func relation(s span, now time.Time) string {
	switch {
	case s.to.Before(now):
		return Past
	case s.from.After(now):
		return Future
	case s.from.Equal(day(now.Year(), 1, 1)) && s.to.Equal(day(now.Year(), 12, 31)):
		return ThisYear
	}
	return Current
}

var (
	joinRE   = regexp.MustCompile(`(?i)^\s*(?:-|–|—|~|to|until|till|through|and|至|到|－|～|和|与)\s*(?:the\s+)?$`)
	andRE    = regexp.MustCompile(`(?i)\bbetween\s+(?:the\s+)?$|从$|在$|自$`)
	beforeEN = regexp.MustCompile(`(?i)\b(before|prior to|earlier than|until|till|up to|by|no later than)\s+(?:the\s+)?(?:year\s+|end\s+of\s+|early\s+|late\s+|mid-?)?$`)
	afterEN  = regexp.MustCompile(`(?i)\b(since|after|from|later than|starting|as of|following)\s+(?:the\s+)?(?:year\s+|end\s+of\s+|early\s+|late\s+|mid-?)?$`)
	onwards  = regexp.MustCompile(`(?i)^\s*(?:onwards?|or later|and later|and after)\b`)
	earlier  = regexp.MustCompile(`(?i)^\s*(?:or earlier|and earlier|and before)\b`)
	afterZH  = regexp.MustCompile(`^(?:年|月|日|号)?\s*(以来|以后|之后|起|至今|后|开始)`)
	beforeZH = regexp.MustCompile(`^(?:年|月|日|号)?\s*(以前|之前|前|为止|底前)`)
	sinceZH  = regexp.MustCompile(`(自从|自|从)$`)
	untilZH  = regexp.MustCompile(`(截至|截止到|截止|直到|到)$`)
)

// joins reports whether the text between two dates makes one range of them.
func joins(between, before, after string) bool {
	m := joinRE.FindString(between)
	if m == "" {
		return false
	}
	switch strings.ToLower(strings.TrimSpace(m)) {
	case "and":
		return andRE.MatchString(before)
	case "和", "与":
		return andRE.MatchString(before) || strings.HasPrefix(strings.TrimSpace(after), "之间") || strings.HasPrefix(strings.TrimSpace(after), "间")
	}
	return true
}

// direction reads the word before or after a date that makes it the start or the end of a period. The word is where it stands
// in before; one that stands after the date is returned with a leading space.
func direction(before, after string) (word, side string) {
	if m := beforeEN.FindStringSubmatch(before); m != nil {
		return m[0], Before
	}
	if m := beforeZH.FindString(after); m != "" {
		return " " + m, Before
	}
	if m := untilZH.FindString(before); m != "" {
		return m, Before
	}
	if m := afterZH.FindString(after); m != "" {
		return " " + m, After
	}
	if m := onwards.FindString(after); m != "" {
		return " " + m, After
	}
	if m := earlier.FindString(after); m != "" {
		return " " + m, Before
	}
	if m := afterEN.FindStringSubmatch(before); m != nil {
		return m[0], After
	}
	if m := sinceZH.FindString(before); m != "" {
		return m, After
	}
	return "", ""
}

// join returns the date between start and end together with the word of its direction.
func join(q, word string, start, end int) string {
	if strings.HasPrefix(word, " ") {
		return q[start : end+len(word)-1]
	}
	return q[start-len(word) : end]
}

// afterWord reports whether the date itself is left out: "after 2015" begins with 2016, "since 2015" with 2015.
func afterWord(word string) bool {
	w := strings.ToLower(strings.TrimSpace(word))
	return strings.HasPrefix(w, "after") || strings.HasPrefix(w, "later") || strings.HasSuffix(w, "之后") || strings.HasSuffix(w, "以后") ||
		w == "后" || strings.HasPrefix(w, "following")
}

// untilWord reports whether the date itself belongs to the period that ends with it.
func untilWord(word string) bool {
	w := strings.ToLower(strings.TrimSpace(word))
	for _, p := range [...]string{"until", "till", "up to", "by", "no later", "or earlier", "and earlier", "截", "直到", "到", "为止"} {
		if strings.HasPrefix(w, p) || strings.HasSuffix(w, p) {
			return true
		}
	}
	return false
}
