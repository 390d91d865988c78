package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"assay/engine/provenance"
)

// aitextRow is one text with what marks it.
type aitextRow struct {
	ID   string `json:"id"`
	Kind string `json:"kind"` // human, insertion or quotation
	Said string `json:"said"` // what was inserted
	Mark string `json:"mark"` // the phrase that was found
}

// aitextScore is the result. Texts that a model wrote without saying so are not asked about.
type aitextScore struct {
	N               int     `json:"n"`
	Recall          float64 `json:"recall"`           // share of the insertions that were found
	FalseAlarms     float64 `json:"false_alarms"`     // share of the human texts and quotations in which one was found
	HumanAlarms     float64 `json:"human_alarms"`     // the same, of the human texts
	QuotationAlarms float64 `json:"quotation_alarms"` // and of the quotations
	Human           int     `json:"human"`
	Insertions      int     `json:"insertions"`
	Quotations      int     `json:"quotations"`
	rows            []aitextRow
}

// How many texts are made, half of them in each language.
const (
	insertionCount = 200
	quotationCount = 100
)

// aitextBench looks for the phrases by which a text says of itself that a machine wrote it: in texts by people, which have
// none, in the same texts with one put in, and in the same with a sentence that only speaks of such texts.
func aitextBench(ctx context.Context, o options) (any, error) {
	if o.data == "" {
		return nil, fmt.Errorf("%w: aitext needs --data DIR", errUsage)
	}
	var s aitextScore
	var carriers []string
	err := eachCase(o.data, func(_ string, fields map[string]json.RawMessage) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !has(fields, "text", "label") {
			return nil
		}
		var c struct{ ID, Label, Text string }
		if err := into(fields, &c); err != nil {
			return err
		}
		if c.Label != "human" {
			return nil
		}
		carriers = append(carriers, c.Text)
		s.add(aitextRow{ID: c.ID, Kind: "human"}, c.Text)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(carriers) == 0 {
		return nil, fmt.Errorf("%s holds no text that people wrote", o.data)
	}
	for i := range insertionCount {
		s.made("insertion", i, ownPhrases, carriers)
	}
	for i := range quotationCount {
		s.made("quotation", i, saidOfOthers, carriers)
	}
	count := map[string]int{}
	for _, r := range s.rows {
		if r.Mark != "" {
			count[r.Kind]++
		}
	}
	s.Recall = share(count["insertion"], s.Insertions)
	s.HumanAlarms, s.QuotationAlarms = share(count["human"], s.Human), share(count["quotation"], s.Quotations)
	s.FalseAlarms = share(count["human"]+count["quotation"], s.Human+s.Quotations)
	if err := writePredictions(o.predictions, s.rows); err != nil {
		return nil, err
	}
	if !o.json {
		printAItext(o.stdout, s)
	}
	return s, nil
}

// made makes the text number i of a kind, even ones English, odd ones Chinese, and looks at it.
func (s *aitextScore) made(kind string, i int, phrases [2][]string, carriers []string) {
	lang, n := i%2, i/2
	list := phrases[lang]
	said := filled(list[n%len(list)], lang, n)
	carrier := chineseCarriers[n%len(chineseCarriers)]
	if lang == 0 {
		carrier = carriers[n*len(carriers)/insertionCount]
	}
	s.add(aitextRow{ID: fmt.Sprintf("%s:%d", kind, i), Kind: kind, Said: said}, inserted(carrier, said, lang, n))
}

func (s *aitextScore) add(r aitextRow, text string) {
	r.Mark = provenance.MachineMark(text)
	switch r.Kind {
	case "human":
		s.Human++
	case "insertion":
		s.Insertions++
	default:
		s.Quotations++
	}
	s.N++
	s.rows = append(s.rows, r)
}

// filled fills the slots of a phrase: %T a word for the text, %M for the machine, %D a date.
func filled(phrase string, lang, n int) string {
	text := [2][]string{{"article", "post", "page", "report", "story", "summary"}, {"文章", "内容", "报告", "文", "篇文章", "摘要"}}[lang]
	machine := [2][]string{{"AI", "ChatGPT", "artificial intelligence", "an AI model", "a language model", "GPT-4"}, {"AI", "人工智能", "ChatGPT", "大语言模型", "AI工具", "大模型"}}[lang]
	date := [2][]string{{"September 2021", "2023", "April 2023", "late 2022"}, {"2021年9月", "2023年", "2023年4月", "2022年底"}}[lang]
	n /= 3 // so that phrases and words do not go in step
	return strings.NewReplacer("%T", text[n%len(text)], "%M", machine[n/2%len(machine)], "%D", date[n%len(date)]).Replace(phrase)
}

// inserted puts a sentence before, into or after a text, at the end of a sentence, or on a line of its own.
func inserted(carrier, said string, lang, n int) string {
	stop := [2]string{". ", "。"}[lang]
	sentences := strings.SplitAfter(carrier, stop)
	gap := [2]string{" ", ""}[lang]
	at := len(sentences) * (n % 4) / 3
	if at >= len(sentences) {
		return strings.TrimSpace(carrier) + "\n" + said
	}
	return strings.Join(sentences[:at], "") + said + gap + strings.Join(sentences[at:], "")
}

func printAItext(w io.Writer, s aitextScore) {
	fmt.Fprintf(w, "%d texts: %.4f of %d insertions found; false alarms %.4f (%.4f of %d human texts, %.4f of %d quotations)\n",
		s.N, s.Recall, s.Insertions, s.FalseAlarms, s.HumanAlarms, s.Human, s.QuotationAlarms, s.Quotations)
	for _, r := range s.rows {
		if (r.Mark != "") != (r.Kind == "insertion") {
			fmt.Fprintf(w, "  %s said %q found %q\n", r.ID, r.Said, r.Mark)
		}
	}
}
