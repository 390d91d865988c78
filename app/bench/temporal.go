package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"sort"
	"strings"
	"time"

	"assay/engine/temporal"
)

// temporalRow is one case of the temporal bench.
type temporalRow struct {
	ID       string   `json:"id"`
	Set      string   `json:"set"` // "recognizers", "duckling"
	Lang     string   `json:"lang"`
	Negative bool     `json:"negative"`
	Input    string   `json:"input"`
	Want     []string `json:"want"` // a reading a line, "text: start..end"
	Got      []string `json:"got"`
	Right    bool     `json:"right"`
	Kind     string   `json:"kind"` // of failure; "" when right
}

// temporalScore is the result.
type temporalScore struct {
	N         int     `json:"n"`         // cases with a date or a range of dates
	EN        float64 `json:"en"`        // share of the English ones right
	ZH        float64 `json:"zh"`        // share of the Chinese ones right
	Negatives float64 `json:"negatives"` // share of the cases without an expression of time in which none was found

	Cases    map[string]int     `json:"cases"`    // by set and language, and "negatives"
	BySet    map[string]float64 `json:"by_set"`   // share right
	Failures map[string]int     `json:"failures"` // by language and kind
	Unscored int                `json:"unscored"` // cases of other types, or whose dates the set itself does not resolve
	rows     []temporalRow
}

// A label is what a set says of one expression: where it is, and the ranges of days it may mean.
type label struct {
	text       string
	start, end int // bytes
	readings   []reading
	scored     bool // a date or a range, resolved
}

// reading is one range of days in the convention of its set, see [reading.is].
type reading struct {
	start, end string // the first day; the day after the last, or the first day of the second end
	mod        string // "before", "after", "since", "until" for ranges with one end
	date       bool
}

// temporalCase is a case in one form for all sets.
type temporalCase struct {
	row    temporalRow
	ref    time.Time
	labels []label
	scored bool
	whole  bool // the whole input is one expression
}

// temporalBench scores the expressions of time that the engine finds against those of Recognizers-Text and duckling, by day.
//
// A case is right when every date and range of dates in it is found with exactly its days, and no other expression is. Where a
// set gives two readings (a date without a year: the last and the next), either is right. Recognizers-Text ends a range before
// its end, but one with two named ends ("from 2014 to 2018") at the first day of the second; duckling always before.
func temporalBench(ctx context.Context, o options) (any, error) {
	if o.data == "" {
		return nil, fmt.Errorf("%w: temporal needs --data DIR", errUsage)
	}
	score := temporalScore{Cases: map[string]int{}, BySet: map[string]float64{}, Failures: map[string]int{}}
	right := map[string]int{}
	err := eachCase(o.data, func(_ string, fields map[string]json.RawMessage) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		c, ok, err := temporalCaseOf(fields)
		if err != nil || !ok {
			return err
		}
		if o.limit > 0 && len(score.rows) >= o.limit {
			return nil
		}
		if !c.row.Negative && !c.scored {
			score.Unscored++
			return nil
		}
		c.judge()
		keys := []string{c.row.Set + "_" + c.row.Lang, c.row.Lang}
		if c.row.Negative {
			keys = []string{"negatives"}
		}
		for _, k := range keys {
			score.Cases[k]++
			if c.row.Right {
				right[k]++
			}
		}
		if !c.row.Right {
			score.Failures[keys[len(keys)-1]+" "+c.row.Kind]++
		}
		score.rows = append(score.rows, c.row)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(score.rows) == 0 {
		return nil, fmt.Errorf("%s holds no labelled expressions of time", o.data)
	}
	for k, n := range score.Cases {
		score.BySet[k] = share(right[k], n)
	}
	score.EN, score.ZH, score.Negatives = score.BySet["en"], score.BySet["zh"], score.BySet["negatives"]
	score.N = score.Cases["en"] + score.Cases["zh"]
	if err := writePredictions(o.predictions, score.rows); err != nil {
		return nil, err
	}
	if !o.json {
		printTemporal(o, score)
	}
	return score, nil
}

// printTemporal writes the failures by kind and the scores.
func printTemporal(o options, s temporalScore) {
	rows := append([]temporalRow{}, s.rows...)
	sort.SliceStable(rows, func(i, j int) bool { return rows[i].Lang+rows[i].Kind < rows[j].Lang+rows[j].Kind })
	for _, r := range rows {
		if !r.Right {
			fmt.Fprintf(o.stdout, "%s %s: %s %q\n    want %s\n    got  %s\n", r.Lang, r.Kind, r.ID, r.Input, strings.Join(r.Want, "; "), strings.Join(r.Got, "; "))
		}
	}
	for _, k := range sortedKeys(s.Failures) {
		fmt.Fprintf(o.stdout, "%4d %s\n", s.Failures[k], k)
	}
	for _, k := range sortedKeys(s.Cases) {
		fmt.Fprintf(o.stdout, "%-16s %4d cases, %.4f right\n", k, s.Cases[k], s.BySet[k])
	}
	fmt.Fprintf(o.stdout, "%d cases of other types not scored\n", s.Unscored)
}

func sortedKeys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

// temporalCaseOf reads a case of one of the two sets by its fields; ok is false for a line of another kind.
func temporalCaseOf(fields map[string]json.RawMessage) (c temporalCase, ok bool, err error) {
	switch {
	case has(fields, "model", "input", "results"):
		c, err = recognizersTime(fields)
	case has(fields, "dim", "section", "input"):
		c, err = ducklingTime(fields)
	default:
		return c, false, nil
	}
	return c, err == nil, err
}

// judge runs the reader and compares.
func (c *temporalCase) judge() {
	lang := "en"
	if c.row.Lang == "zh" {
		lang = "zh"
	}
	found := temporal.Expressions(c.row.Input, c.ref, lang)
	c.row.Got, c.row.Want = []string{}, []string{}
	for _, e := range found {
		c.row.Got = append(c.row.Got, fmt.Sprintf("%s: %s..%s", e.Text, e.Range.Start, e.Range.End))
	}
	for _, l := range c.labels {
		if l.scored {
			c.row.Want = append(c.row.Want, l.String())
		}
	}
	c.row.Kind = c.fault(found)
	c.row.Right = c.row.Kind == ""
}

func (l label) String() string {
	var words []string
	for _, r := range l.readings {
		words = append(words, strings.TrimSpace(r.start+".."+r.end+" "+r.mod))
	}
	return l.text + ": " + strings.Join(words, " or ")
}

// fault says what is wrong with the expressions found; "" when nothing is.
func (c *temporalCase) fault(found []temporal.Expression) string {
	if c.row.Negative {
		if len(found) > 0 {
			return "fired"
		}
		return ""
	}
	used := make([]bool, len(found))
	fault := ""
	for _, l := range c.labels {
		best := -1
		for i, e := range found {
			if e.Start < l.end && l.start < e.End {
				if best < 0 || l.scored && l.is(e, c.row.Set) && !used[i] {
					best = i
				}
				if !l.scored {
					used[i] = true
				}
			}
		}
		switch {
		case !l.scored:
		case best < 0:
			fault = "missed"
		default:
			used[best] = true
			if !l.is(found[best], c.row.Set) && fault == "" {
				fault = l.how(found[best], c.row.Set)
			}
		}
	}
	if fault != "" {
		return fault
	}
	for _, u := range used {
		if !u {
			return "extra"
		}
	}
	return ""
}

// is reports whether the expression means one of the readings.
func (l label) is(e temporal.Expression, set string) bool {
	for _, r := range l.readings {
		start, end := r.of(e, set)
		if start && end {
			return true
		}
	}
	return false
}

// how says which end is wrong.
func (l label) how(e temporal.Expression, set string) string {
	if e.Range.Start == "" && e.Range.End == "" {
		return "unresolved"
	}
	starts, ends := false, false
	for _, r := range l.readings {
		s, t := r.of(e, set)
		starts, ends = starts || s, ends || t
	}
	switch {
	case starts && !ends:
		return "wrong end"
	case ends && !starts:
		return "wrong start"
	}
	return "wrong days"
}

// of compares both ends of an expression with the reading, in the convention of its set.
func (r reading) of(e temporal.Expression, set string) (start, end bool) {
	first, last, next := e.Range.Start, e.Range.End, dayAfter(e.Range.End, 1)
	switch {
	case r.date:
		return first == r.start, last == r.start
	case strings.HasPrefix(r.mod, "before"):
		return first == "", next == r.end
	case strings.HasPrefix(r.mod, "until"):
		return first == "", e.Until == r.end || e.Until == "" && last == r.end
	case strings.HasPrefix(r.mod, "after"), strings.HasPrefix(r.mod, "since"):
		return first == r.start, last == ""
	}
	if e.Until != "" && set == "recognizers" {
		next = e.Until
	}
	return first == r.start, next == r.end
}

// dayAfter moves a day by n; "" stays "".
func dayAfter(date string, n int) string {
	t, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return ""
	}
	return t.AddDate(0, 0, n).Format(time.DateOnly)
}
