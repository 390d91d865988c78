package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"sort"
	"strings"

	"assay/engine/research"
	"assay/engine/text"
)

// numbersRow is one case of the numbers bench.
type numbersRow struct {
	ID    string   `json:"id"`
	Set   string   `json:"set"` // "recognizers", "duckling", "quantulum3"
	Model string   `json:"model"`
	Lang  string   `json:"lang"`
	Input string   `json:"input"`
	Want  []string `json:"want"`
	Got   []string `json:"got"`
	Right bool     `json:"right"`
	Kind  string   `json:"kind"` // of failure; "" when right
}

// numbersScore is the result.
type numbersScore struct {
	N          int     `json:"n"`
	EN         float64 `json:"en_f1"` // F1 of the spans, pooled over the English cases
	ZH         float64 `json:"zh_f1"`
	ValueEqual float64 `json:"value_equal"` // share of the spans found whose value is equal

	Found    int                    `json:"found"`
	Unequal  int                    `json:"unequal"`
	LeftOut  int                    `json:"left_out"` // labels that hold no number
	Spans    map[string]*spanCounts `json:"spans"`    // by language, and by set, model and language
	Failures map[string]int         `json:"failures"`
	rows     []numbersRow
}

// spanCounts are the spans of a group of cases.
type spanCounts struct {
	Cases     int     `json:"cases"`
	Gold      int     `json:"gold"`
	Predicted int     `json:"predicted"`
	Right     int     `json:"right"`
	F1        float64 `json:"f1"`
	Equal     int     `json:"value_equal"`
}

// amount is a number of a set or of the reader, as they are compared.
type amount struct {
	start, end int // bytes
	low, high  string
	unit       string // as the set writes it
	words      string
}

// numbersCase is a case in one form for all sets.
type numbersCase struct {
	row     numbersRow
	gold    []amount
	leftOut int                   // labels without a number
	read    func(string) []amount // what of the reader's output the set asks for
}

// numbers scores the numbers that the engine finds against those of Recognizers-Text, duckling and quantulum3: spans must be equal,
// then values.
//
// Recognizers-Text asks one kind a case (numbers alone, ordinals, shares, money, measures, ages, temperatures, ranges); duckling's
// whole input is one amount; quantulum3 lists the quantities of a sentence. A label that holds no number ("dollar", "the last but one") is left out
// and counted.
// Values are equal to 9 digits; where the units differ but are of one family (feet and inches), both are turned into its base.
func numbers(ctx context.Context, o options) (any, error) {
	if o.data == "" {
		return nil, fmt.Errorf("%w: numbers needs --data DIR", errUsage)
	}
	score := numbersScore{Spans: map[string]*spanCounts{}, Failures: map[string]int{}}
	err := eachCase(o.data, func(_ string, fields map[string]json.RawMessage) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		c, ok, err := numbersCaseOf(fields)
		if err != nil || !ok || o.limit > 0 && len(score.rows) >= o.limit {
			return err
		}
		score.add(c)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(score.rows) == 0 {
		return nil, fmt.Errorf("%s holds no labelled numbers", o.data)
	}
	for _, s := range score.Spans {
		if s.Gold+s.Predicted > 0 {
			s.F1 = 2 * float64(s.Right) / float64(s.Gold+s.Predicted)
		}
	}
	score.N = len(score.rows)
	if s := score.Spans["en"]; s != nil {
		score.EN = s.F1
	}
	if s := score.Spans["zh"]; s != nil {
		score.ZH = s.F1
	}
	score.ValueEqual = share(score.Found-score.Unequal, score.Found)
	if err := writePredictions(o.predictions, score.rows); err != nil {
		return nil, err
	}
	if !o.json {
		printNumbers(o, score)
	}
	return score, nil
}

// add runs the reader on a case and counts.
func (s *numbersScore) add(c numbersCase) {
	s.LeftOut += c.leftOut
	got := c.read(c.row.Input)
	c.row.Want, c.row.Got = words(c.gold), words(got)
	right, equal := 0, 0
	used := make([]bool, len(got))
	for _, g := range c.gold {
		for i, p := range got {
			if used[i] || p.start != g.start || p.end != g.end {
				continue
			}
			used[i] = true
			right++
			if g.equal(p) {
				equal++
			}
			break
		}
	}
	c.row.Kind = numbersFault(len(c.gold), len(got), right, equal)
	c.row.Right = c.row.Kind == ""
	s.Found += right
	s.Unequal += right - equal
	for _, k := range [...]string{c.row.Lang, c.row.Set + " " + c.row.Model + " " + c.row.Lang} {
		n := s.Spans[k]
		if n == nil {
			n = &spanCounts{}
			s.Spans[k] = n
		}
		n.Cases++
		n.Gold += len(c.gold)
		n.Predicted += len(got)
		n.Right += right
		n.Equal += equal
	}
	if !c.row.Right {
		s.Failures[c.row.Lang+" "+c.row.Model+" "+c.row.Kind]++
	}
	s.rows = append(s.rows, c.row)
}

func numbersFault(gold, got, right, equal int) string {
	switch {
	case right < gold && got == 0:
		return "missed"
	case right < gold && got > right:
		return "wrong span"
	case right < gold:
		return "missed"
	case got > right:
		return "extra"
	case equal < right:
		return "wrong value"
	}
	return ""
}

func words(list []amount) []string {
	out := []string{}
	for _, a := range list {
		v := a.low
		if a.high != a.low {
			v = "[" + a.low + "," + a.high + "]"
		}
		out = append(out, strings.TrimSpace(fmt.Sprintf("%q = %s %s", a.words, v, a.unit)))
	}
	return out
}

// printNumbers writes the failures and the scores.
func printNumbers(o options, s numbersScore) {
	rows := append([]numbersRow{}, s.rows...)
	sort.SliceStable(rows, func(i, j int) bool {
		return rows[i].Lang+rows[i].Model+rows[i].Kind < rows[j].Lang+rows[j].Model+rows[j].Kind
	})
	for _, r := range rows {
		if !r.Right {
			fmt.Fprintf(o.stdout, "%s %s %s: %s %q\n    want %s\n    got  %s\n", r.Lang, r.Model, r.Kind, r.ID, r.Input, strings.Join(r.Want, "; "), strings.Join(r.Got, "; "))
		}
	}
	for _, k := range sortedKeys(s.Failures) {
		fmt.Fprintf(o.stdout, "%4d %s\n", s.Failures[k], k)
	}
	for _, k := range sortedKeys(s.Spans) {
		c := s.Spans[k]
		fmt.Fprintf(o.stdout, "%-36s %4d cases, %4d spans, %4d found, %4d right: F1 %.4f, values equal %d\n", k, c.Cases, c.Gold, c.Predicted, c.Right, c.F1, c.Equal)
	}
	fmt.Fprintf(o.stdout, "%d labels without a number left out\n", s.LeftOut)
	fmt.Fprintf(o.stdout, "en_f1 %.4f, zh_f1 %.4f, value_equal %.4f (%d of %d)\n", s.EN, s.ZH, s.ValueEqual, s.Found-s.Unequal, s.Found)
}

// equal reports whether the values are equal, in one unit when the units are of one family.
func (a amount) equal(b amount) bool {
	if sameValue(a.low, b.low) && sameValue(a.high, b.high) {
		return true
	}
	ua, oka := unitAlias(a.unit)
	if !oka {
		return false
	}
	fa, base := text.CanonicalAmount(asRatio(a.low), ua)
	fb, baseB := text.CanonicalAmount(asRatio(b.low), b.unit)
	return base == baseB && ua != b.unit && close(fa.Float(), fb.Float())
}

// asRatio reads a decimal with an optional exponent; "" when it is none.
func asRatio(s string) research.Ratio {
	r, err := research.ParseDecimal(s)
	if err != nil {
		return ""
	}
	return r
}

func sameValue(a, b string) bool {
	if a == "" || b == "" {
		return a == b
	}
	return close(number(a), number(b))
}

// number reads a decimal or a ratio.
func number(s string) float64 {
	if f := research.Ratio(s); f.Known() {
		return f.Float()
	}
	var v float64
	if _, err := fmt.Sscanf(s, "%g", &v); err != nil {
		return math.NaN()
	}
	return v
}

// close compares to 9 digits.
func close(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 1e-9*math.Max(math.Abs(a), math.Abs(b))
}
