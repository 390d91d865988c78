package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"assay/engine/intent"
	"assay/engine/research"
)

// intentRow is one labelled question.
type intentRow struct {
	ID       string          `json:"id"`
	Set      string          `json:"set"`   // "trec", "nfcats", "qa"
	Label    string          `json:"label"` // as the set has it
	Question string          `json:"question"`
	Lang     string          `json:"lang"`
	Want     research.Intent `json:"want"`
	Got      research.Intent `json:"got"`
	Sure     research.Ratio  `json:"sure"`
}

// intentClass is how one intent fared among the cases of --data.
type intentClass struct {
	N         int     `json:"n"` // cases with this label
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	F1        float64 `json:"f1"`
}

// intentScore is the result.
type intentScore struct {
	N          int      `json:"n"`           // cases of --data
	MacroF1    float64  `json:"macro_f1"`    // mean over the intents that --data has cases of
	QAN        int      `json:"qa_n"`        // cases of --also
	QAAccuracy *float64 `json:"qa_accuracy"` // null without --also

	Classes  map[string]intentClass `json:"classes"`
	Accuracy map[string]float64     `json:"accuracy"` // by set
	LeftOut  map[string]int         `json:"left_out"` // by label: kinds that are no research question
	Failures map[string]int         `json:"failures"` // by set, label and what was said
	rows     []intentRow
}

// nfcats says which intent a category of NF-CATS is; INSTRUCTION and NOT-A-QUESTION are none.
var nfcats = map[string]research.Intent{
	"REASON": research.CausalAnalysis, "COMPARISON": research.Comparison, "FACTOID": research.FactQuery,
	"EVIDENCE-BASED": research.Comprehensive, "EXPERIENCE": research.Comprehensive, "DEBATE": research.Comprehensive,
}

// intentBench scores the intents that the rules give, without a model, against the labels of TREC's question types and NF-CATS
// (--data) and of questions for research (--also). The sets are told apart by their fields. TREC's types are all facts but the
// reasons.
func intentBench(ctx context.Context, o options) (any, error) {
	if o.data == "" {
		return nil, fmt.Errorf("%w: intent needs --data DIR", errUsage)
	}
	score := intentScore{Classes: map[string]intentClass{}, Accuracy: map[string]float64{}, LeftOut: map[string]int{}, Failures: map[string]int{}}
	for _, dir := range []string{o.data, o.also} {
		if dir == "" {
			continue
		}
		err := eachCase(dir, func(_ string, fields map[string]json.RawMessage) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return score.add(fields)
		})
		if err != nil {
			return nil, err
		}
	}
	score.sum()
	if score.N == 0 {
		return nil, fmt.Errorf("%s holds no question with the fields category or fine", o.data)
	}
	if err := writePredictions(o.predictions, score.rows); err != nil {
		return nil, err
	}
	if !o.json {
		printIntent(o.stdout, score)
	}
	return score, nil
}

// add classifies one line, unless it is of another kind or left out.
func (s *intentScore) add(fields map[string]json.RawMessage) error {
	if !has(fields, "question") {
		return nil
	}
	var c struct {
		ID, Question, Lang, Category, Fine string
		Intent                             research.Intent
	}
	if err := into(fields, &c); err != nil {
		return err
	}
	row := intentRow{ID: c.ID, Question: c.Question, Lang: c.Lang}
	if row.Lang == "" {
		row.Lang = "en"
	}
	switch {
	case c.Intent != "":
		row.Set, row.Label, row.Want = "qa", string(c.Intent), c.Intent
	case c.Category != "":
		want, ok := nfcats[c.Category]
		if !ok {
			s.LeftOut[c.Category]++
			return nil
		}
		row.Set, row.Label, row.Want = "nfcats", c.Category, want
	case c.Fine != "":
		row.Set, row.Label, row.Want = "trec", c.Fine, research.FactQuery
		if c.Fine == "DESC:reason" {
			row.Want = research.CausalAnalysis
		}
	default:
		return nil
	}
	row.Got, row.Sure = intent.Classify(row.Question, row.Lang)
	s.rows = append(s.rows, row)
	return nil
}

// sum makes the figures of the rows.
func (s *intentScore) sum() {
	type tally struct{ right, said, labelled int }
	classes, sets := map[research.Intent]tally{}, map[string]tally{}
	count := func(i research.Intent, t tally) {
		c := classes[i]
		classes[i] = tally{c.right + t.right, c.said + t.said, c.labelled + t.labelled}
	}
	for _, r := range s.rows {
		right := 0
		if r.Got == r.Want {
			right = 1
		} else {
			s.Failures[fmt.Sprintf("%s %s: said %s", r.Set, r.Label, r.Got)]++
		}
		set := sets[r.Set]
		sets[r.Set] = tally{right: set.right + right, labelled: set.labelled + 1}
		if r.Set != "qa" {
			count(r.Want, tally{right: right, labelled: 1})
			count(r.Got, tally{said: 1})
		}
	}
	for name, t := range sets {
		s.Accuracy[name] = share(t.right, t.labelled)
		if name == "qa" {
			s.QAN, s.QAAccuracy = t.labelled, new(float64)
			*s.QAAccuracy = s.Accuracy[name]
		} else {
			s.N += t.labelled
		}
	}
	sum, n := 0.0, 0
	for _, i := range slices.Sorted(maps.Keys(classes)) {
		t := classes[i]
		if t.labelled == 0 {
			continue
		}
		c := intentClass{N: t.labelled, Precision: share(t.right, t.said), Recall: share(t.right, t.labelled), F1: share(2*t.right, t.said+t.labelled)}
		s.Classes[string(i)] = c
		sum, n = sum+c.F1, n+1
	}
	if n > 0 {
		s.MacroF1 = sum / float64(n)
	}
}

func printIntent(w io.Writer, s intentScore) {
	fmt.Fprintf(w, "%d questions, macro-F1 %.4f\n", s.N, s.MacroF1)
	for _, i := range slices.Sorted(maps.Keys(s.Classes)) {
		c := s.Classes[i]
		fmt.Fprintf(w, "  %-15s %4d questions, precision %.3f, recall %.3f, F1 %.3f\n", i, c.N, c.Precision, c.Recall, c.F1)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Accuracy)) {
		fmt.Fprintf(w, "  %s: %.4f right\n", name, s.Accuracy[name])
	}
	for _, l := range slices.Sorted(maps.Keys(s.LeftOut)) {
		fmt.Fprintf(w, "  left out: %d %s\n", s.LeftOut[l], l)
	}
	kinds := slices.Sorted(maps.Keys(s.Failures))
	slices.SortStableFunc(kinds, func(a, b string) int { return s.Failures[b] - s.Failures[a] })
	for _, k := range kinds {
		fmt.Fprintf(w, "%4d %s\n", s.Failures[k], k)
		shown := 0
		for _, r := range s.rows {
			if shown < 2 && r.Got != r.Want && strings.HasPrefix(k, r.Set+" "+r.Label+": said "+string(r.Got)) {
				fmt.Fprintf(w, "       %.140s\n", r.Question)
				shown++
			}
		}
	}
}
