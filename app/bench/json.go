package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/big"
	"slices"
	"strings"

	modelanswer "assay/engine/answer" // answer is the bench qa's
)

// jsonCase is a broken text and what a repair tool's own tests expect of it.
type jsonCase struct {
	ID       string          `json:"id"`
	Family   string          `json:"src"` // the tool
	Input    string          `json:"input"`
	Expected json.RawMessage `json:"expected"`
	Object   bool            `json:"expected_is_object"` // expected is the value, else a string with its JSON
	MustFail bool            `json:"must_fail"`
	Options  map[string]any  `json:"options"`
}

// jsonRow is one case with what was read.
type jsonRow struct {
	ID     string `json:"id"`
	Family string `json:"family"`
	Input  string `json:"input"`
	Want   string `json:"want"`
	Got    string `json:"got"`    // empty when nothing was read
	Repair string `json:"repair"` // what was done to the text
	Parses bool   `json:"parses"`
	Same   bool   `json:"same"`
	Kind   string `json:"kind"` // of the difference; "" when the same
}

// jsonScore is the result. Shares are of the cases that are compared.
type jsonScore struct {
	N         int                `json:"n"`
	Parses    float64            `json:"parses"`     // share from which some value was read
	SameValue map[string]float64 `json:"same_value"` // share with the expected value, by family

	Cases    map[string]int `json:"cases"`    // by family
	LeftOut  map[string]int `json:"left_out"` // by reason: they ask for an option, for a failure, or expect nothing
	Failures map[string]int `json:"failures"` // by family and kind
	rows     []jsonRow
}

// jsonBench reads the value in each text, as that of a model's answer is read when its form is not known, and compares it with
// what the tests of three repair tools expect. The tools disagree with one another in places, so no reading gets all.
func jsonBench(ctx context.Context, o options) (any, error) {
	if o.data == "" {
		return nil, fmt.Errorf("%w: json needs --data DIR", errUsage)
	}
	score := jsonScore{SameValue: map[string]float64{}, Cases: map[string]int{}, LeftOut: map[string]int{}, Failures: map[string]int{}}
	parsed, same := 0, map[string]int{}
	err := eachCase(o.data, func(_ string, fields map[string]json.RawMessage) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !has(fields, "src", "input", "expected") {
			return nil
		}
		var c jsonCase
		if err := into(fields, &c); err != nil {
			return err
		}
		want, why := c.want()
		if why != "" {
			score.LeftOut[why]++
			return nil
		}
		row := jsonRow{ID: c.ID, Family: c.Family, Input: c.Input, Want: want}
		if got, how, err := modelanswer.Value(c.Input); err == nil {
			row.Got, row.Repair = string(got), string(how)
			row.Parses = json.Valid(got)
		}
		row.Kind = jsonDifference(row)
		row.Same = row.Kind == ""
		score.Cases[c.Family]++
		score.N++
		if row.Parses {
			parsed++
		}
		if row.Same {
			same[c.Family]++
		} else {
			score.Failures[c.Family+": "+row.Kind]++
		}
		score.rows = append(score.rows, row)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if score.N == 0 {
		return nil, fmt.Errorf("%s holds no case with the fields src, input and expected", o.data)
	}
	score.Parses = share(parsed, score.N)
	for family, n := range score.Cases {
		score.SameValue[family] = share(same[family], n)
	}
	if err := writePredictions(o.predictions, score.rows); err != nil {
		return nil, err
	}
	if !o.json {
		printJSON(o.stdout, score, same)
	}
	return score, nil
}

// want is the expected value as JSON, or why there is none to compare with.
func (c jsonCase) want() (value, why string) {
	switch {
	case c.MustFail:
		return "", "must fail"
	case len(c.Options) > 0:
		return "", "asks for an option"
	case c.Object:
		return string(c.Expected), ""
	}
	var s string
	if json.Unmarshal(c.Expected, &s) != nil || !json.Valid([]byte(s)) {
		return "", "expects nothing"
	}
	return s, ""
}

// jsonDifference names the first kind of difference between what was wanted and got, in the order of names; "" when there is
// none.
func jsonDifference(row jsonRow) string {
	var want, got any
	if unmarshal(row.Want, &want) != nil {
		return "expectation unread"
	}
	if !row.Parses || unmarshal(row.Got, &got) != nil {
		return "nothing read"
	}
	return valueDifference(want, got)
}

func unmarshal(s string, v any) error {
	dec := json.NewDecoder(strings.NewReader(s))
	dec.UseNumber()
	return dec.Decode(v)
}

func valueDifference(want, got any) string {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			return "not an object"
		}
		if !slices.Equal(slices.Sorted(maps.Keys(w)), slices.Sorted(maps.Keys(g))) {
			return "other names"
		}
		for _, k := range slices.Sorted(maps.Keys(w)) {
			if d := valueDifference(w[k], g[k]); d != "" {
				return d
			}
		}
		return ""
	case []any:
		g, ok := got.([]any)
		if !ok {
			return "not a list"
		}
		if len(w) != len(g) {
			return "other length of a list"
		}
		for i := range w {
			if d := valueDifference(w[i], g[i]); d != "" {
				return d
			}
		}
		return ""
	case json.Number:
		g, ok := got.(json.Number)
		if !ok {
			return "not a number"
		}
		a, ok1 := new(big.Rat).SetString(w.String())
		b, ok2 := new(big.Rat).SetString(g.String())
		if w != g && (!ok1 || !ok2 || a.Cmp(b) != 0) {
			return "another number"
		}
		return ""
	case string:
		g, ok := got.(string)
		switch {
		case !ok && w == "" && got == nil:
			return "null for an empty string"
		case !ok:
			return "not a string"
		case g != w:
			return "another string"
		}
		return ""
	}
	if want != got {
		return "another word"
	}
	return ""
}

func printJSON(w io.Writer, s jsonScore, same map[string]int) {
	fmt.Fprintf(w, "%d cases, a value read from %.4f of them\n", s.N, s.Parses)
	for _, f := range slices.Sorted(maps.Keys(s.Cases)) {
		fmt.Fprintf(w, "  %-14s %d of %d have the expected value, %.4f\n", f, same[f], s.Cases[f], s.SameValue[f])
	}
	for _, why := range slices.Sorted(maps.Keys(s.LeftOut)) {
		fmt.Fprintf(w, "  left out: %d, %s\n", s.LeftOut[why], why)
	}
	for _, k := range slices.Sorted(maps.Keys(s.Failures)) {
		fmt.Fprintf(w, "%s: %d\n", k, s.Failures[k])
		for _, r := range s.rows {
			if r.Family+": "+r.Kind == k {
				fmt.Fprintf(w, "  %s %.160q\n    want %.160s\n    got  %.160s\n", r.ID, r.Input, r.Want, r.Got)
			}
		}
	}
}
