package bench

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"

	"assay/engine/temporal"
)

// ramdoc is a line of RAMDocs.
type ramdoc struct {
	ID        string `json:"id"`
	Question  string `json:"question"`
	Documents []struct {
		Text   string `json:"text"`
		Type   string `json:"type"`
		Answer string `json:"answer"`
	} `json:"documents"`
	Gold  []string `json:"gold_answers"`
	Wrong []string `json:"wrong_answers"`
}

func (r ramdoc) cases() []conflictCase {
	c := conflictCase{id: r.ID, set: "ramdocs", question: r.Question, golds: r.Gold, wrongs: r.Wrong}
	for _, d := range r.Documents {
		c.docs = append(c.docs, conflictDoc{kind: d.Type, answer: d.Answer, text: d.Text})
	}
	return []conflictCase{c}
}

// conflictNQ is a line of ConflictNQ.
type conflictNQ struct {
	ID       string          `json:"id"`
	Question string          `json:"cleaned_question"`
	Real     string          `json:"real_short_answer"`
	Long     string          `json:"real_answer"`
	Fake     string          `json:"fake_short_answer"`
	RealDocs []conflictPiece `json:"real_passages"`
	FakeDocs []conflictPiece `json:"fake_passages"`
}

type conflictPiece struct {
	Text  string `json:"passage"`
	Title string `json:"summary"`
}

func (q conflictNQ) cases() []conflictCase {
	c := conflictCase{id: q.ID, set: "conflict_nq", question: q.Question, golds: []string{q.Real}, long: q.Long, wrongs: []string{q.Fake}}
	for _, d := range q.RealDocs {
		c.docs = append(c.docs, conflictDoc{kind: "correct", answer: q.Real, text: d.Text})
	}
	for _, d := range q.FakeDocs {
		c.docs = append(c.docs, conflictDoc{kind: "misinfo", answer: q.Fake, text: d.Text})
	}
	return []conflictCase{c}
}

// situated is a line of SituatedQA.
type situated struct {
	ID       string `json:"id"`
	Question string `json:"question"`
	ByDate   []struct {
		Date   string   `json:"date"`
		Type   string   `json:"date_type"`
		Answer []string `json:"answer"`
	} `json:"by_date"`
}

// conflictCases reads the cases of a line; nil when it is of another set.
func conflictCases(fields map[string]json.RawMessage) ([]conflictCase, error) {
	var err error
	switch {
	case has(fields, "documents", "gold_answers", "wrong_answers"):
		var r ramdoc
		if err = into(fields, &r); err == nil {
			return r.cases(), nil
		}
	case has(fields, "real_passages", "fake_passages"):
		var q conflictNQ
		if err = into(fields, &q); err == nil {
			return q.cases(), nil
		}
	case has(fields, "by_date", "question"):
		var s situated
		if err = into(fields, &s); err == nil {
			return s.cases(), nil
		}
	}
	return nil, err
}

// cases are the updates of a question: each answer that was right from some day on, with the one before it. The documents are made, one of
// each day, that put the question and its answer on one line; the day is that of publication in one case and stands in the words in the
// other. A third case is the control: the same two answers of one day, which no time explains.
func (s situated) cases() []conflictCase {
	type from struct{ day, answer string }
	var starts []from
	for _, d := range s.ByDate {
		iso := isoDay(d.Date)
		if d.Type == "start" && iso != "" && len(d.Answer) > 0 && answerWords(d.Answer[0]) != nil {
			starts = append(starts, from{iso, d.Answer[0]})
		}
	}
	sort.SliceStable(starts, func(i, j int) bool { return starts[i].day < starts[j].day })
	var out []conflictCase
	for i := 1; i < len(starts); i++ {
		a, b := starts[i-1], starts[i]
		if a.day == b.day || strings.EqualFold(a.answer, b.answer) || says(a.answer, b.answer) || says(b.answer, a.answer) {
			continue
		}
		line := func(lead string, f from) string {
			return lead + strings.ToUpper(s.Question[:1]) + s.Question[1:] + ": " + f.answer + ".\n"
		}
		c := conflictCase{id: fmt.Sprintf("%s.%d", s.ID, i), set: "situatedqa", question: s.Question + "?"}
		made := func(suffix string, docs ...conflictDoc) {
			x := c
			x.id, x.docs, x.update, x.sameDay = c.id+suffix, docs, suffix != "c", suffix == "c"
			out = append(out, x)
		}
		made("p", conflictDoc{text: line("", a), published: a.day}, conflictDoc{text: line("", b), published: b.day})
		made("w", conflictDoc{text: line("As of "+a.day+": ", a)}, conflictDoc{text: line("As of "+b.day+": ", b)})
		made("c", conflictDoc{text: line("", a), published: b.day}, conflictDoc{text: line("", b), published: b.day})
	}
	return out
}

// isoDay reads a date of the set as a partial ISO date; "" when it is none.
func isoDay(s string) string {
	if ds := temporal.Dates(s); len(ds) == 1 {
		return ds[0].ISO
	}
	return ""
}
