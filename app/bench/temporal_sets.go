package bench

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// recognizersTime reads a case of Recognizers-Text: DateTimeModel has a list of resolutions, the parsers a past and a future one.
func recognizersTime(fields map[string]json.RawMessage) (temporalCase, error) {
	var in struct {
		ID, Lang, Model, Input, Ref string
		Results                     []struct {
			Text       string
			Start      *int
			End        *int
			Type       string
			Resolution []map[string]string
			Value      struct {
				Timex, Mod                       string
				FutureResolution, PastResolution map[string]string
			}
		}
	}
	if err := into(fields, &in); err != nil {
		return temporalCase{}, err
	}
	c := temporalCase{row: temporalRow{ID: in.ID, Set: "recognizers", Lang: langOf(in.Lang), Input: in.Input, Negative: len(in.Results) == 0}}
	if c.row.Negative && in.Model != "DateTimeModel" {
		c.row.Negative = false // the parser of one type found none of its type; another may be there
		return c, nil
	}
	c.ref = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC) // a case without a reference time does not depend on it
	if in.Ref != "" {
		t, err := time.Parse("2006-01-02T15:04:05", in.Ref)
		if err != nil {
			return c, fmt.Errorf("case %s: reference time: %w", in.ID, err)
		}
		c.ref = t
	}
	unresolved := false
	for _, r := range in.Results {
		l := label{text: r.Text}
		if r.Start == nil {
			l.start = max(0, strings.Index(strings.ToLower(in.Input), strings.ToLower(r.Text)))
		} else {
			l.start = byteOffset(in.Input, *r.Start)
		}
		l.end = min(len(in.Input), l.start+len(r.Text))
		if r.End != nil {
			l.end = byteOffset(in.Input, *r.End+1)
		}
		kind := r.Type
		for _, v := range r.Resolution {
			kind = v["type"]
			if x, ok := recognizersReading(v); ok {
				l.readings = append(l.readings, x)
			}
		}
		if r.Resolution == nil {
			for _, m := range [...]map[string]string{r.Value.PastResolution, r.Value.FutureResolution} {
				if x, ok := recognizersReading(map[string]string{"type": kind, "timex": r.Value.Timex, "Mod": r.Value.Mod, "value": m["date"], "start": m["startDate"], "end": m["endDate"]}); ok {
					l.readings = append(l.readings, x)
				}
			}
		}
		if kind == "date" || kind == "daterange" {
			l.scored = len(l.readings) > 0
			unresolved = unresolved || !l.scored
			c.scored = c.scored || l.scored
		}
		c.labels = append(c.labels, l)
	}
	return c, nil
}

func langOf(s string) string {
	if isChinese(s) {
		return "zh"
	}
	return "en"
}

var timexDay = regexp.MustCompile(`^[0-9X]{4}-[0-9X]{2}-[0-9X]{2}$|^[0-9X]{4}-W[0-9X]{2}-[0-9]$`)

// recognizersReading makes a reading of one resolution; false when it has none ("not resolved", the year 1).
func recognizersReading(v map[string]string) (reading, bool) {
	switch v["type"] {
	case "date":
		if _, err := time.Parse(time.DateOnly, v["value"]); err != nil || strings.HasPrefix(v["value"], "0001-") {
			return reading{}, false
		}
		return reading{start: v["value"], date: true}, true
	case "daterange":
		r := reading{start: v["start"], end: v["end"], mod: v["Mod"]}
		if r.start == "" && r.end == "" {
			return r, false
		}
		// "after" leaves the day itself out, which the start of the resolution does not.
		if strings.HasPrefix(r.mod, "after") && timexDay.MatchString(v["timex"]) {
			r.start = dayAfter(r.start, 1)
		}
		return r, true
	}
	return reading{}, false
}

// duckling's reference times: of its corpus, and of the part of it named diffCorpus.
var (
	ducklingRef     = time.Date(2013, 2, 12, 4, 30, 0, 0, time.FixedZone("", -2*3600))
	ducklingDiffRef = time.Date(2013, 2, 15, 4, 30, 0, 0, time.FixedZone("", -2*3600))
)

var (
	ducklingTuple = regexp.MustCompile(`\(\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*,\s*\d+\s*,\s*\d+\s*,\s*[\d.]+\s*\)`)
	ducklingGrain = regexp.MustCompile(`\)\s+(Day|Week|Month|Quarter|Year|Hour|Minute|Second)\b`)
)

// ducklingTime reads a case of duckling, whose expectation is a Haskell expression such as "datetime (2013, 2, 18, 0, 0, 0) Day"
// or "datetimeInterval ((2013, 2, 12, 0, 0, 0), (2013, 2, 17, 0, 0, 0)) Day".
func ducklingTime(fields map[string]json.RawMessage) (temporalCase, error) {
	var in struct {
		ID, Lang, Dim, Section, Input string
		Expected                      *string
	}
	if err := into(fields, &in); err != nil {
		return temporalCase{}, err
	}
	c := temporalCase{row: temporalRow{ID: in.ID, Set: "duckling", Lang: langOf(in.Lang), Input: in.Input, Negative: in.Section == "negative"}, ref: ducklingRef, whole: true}
	if in.Section == "diffCorpus" {
		c.ref = ducklingDiffRef
	}
	if in.Dim != "Time" || in.Expected == nil || c.row.Negative {
		return c, nil
	}
	grain := ducklingGrain.FindStringSubmatch(*in.Expected)
	tuples := ducklingTuple.FindAllStringSubmatch(*in.Expected, -1)
	if grain == nil || len(tuples) == 0 || len(tuples) > 2 {
		return c, nil
	}
	step := map[string][3]int{"Day": {0, 0, 1}, "Week": {0, 0, 7}, "Month": {0, 1, 0}, "Quarter": {0, 3, 0}, "Year": {1, 0, 0}}[grain[1]]
	if step == [3]int{} {
		return c, nil // to the hour or finer
	}
	first := ducklingDay(tuples[0])
	r := reading{start: first.Format(time.DateOnly), end: first.AddDate(step[0], step[1], step[2]).Format(time.DateOnly)}
	if len(tuples) == 2 {
		r.end = ducklingDay(tuples[1]).Format(time.DateOnly)
	}
	switch {
	case strings.Contains(*in.Expected, " After "):
		r.mod, r.end = "since", ""
	case strings.Contains(*in.Expected, " Before "):
		r.mod, r.start, r.end = "before", "", first.Format(time.DateOnly)
	}
	c.labels = []label{{text: in.Input, end: len(in.Input), readings: []reading{r}, scored: true}}
	c.scored = true
	return c, nil
}

// ducklingDay reads a tuple; a month or day 0 is the first, as Haskell's calendar clips it.
func ducklingDay(m []string) time.Time {
	n := [3]int{}
	for i := range n {
		n[i], _ = strconv.Atoi(m[i+1])
	}
	return time.Date(n[0], time.Month(max(n[1], 1)), max(n[2], 1), 0, 0, 0, 0, time.UTC)
}
