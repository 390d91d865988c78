package bench

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"assay/app/bench/worlds"
	"assay/checks"
	"assay/engine/research"
	"assay/engine/text"
)

// leakChecks are what looks for words that were never meant for the reader, and leakOperators what puts them in.
var (
	leakChecks    = []string{"controltokenleak", "processnarration"}
	leakOperators = []string{"4", "13"}
)

//go:embed leak_judged.tsv
var leakJudged string

// leakTries is how many mutants an operator makes of one world.
const leakTries = 2

// flaggedLine is a sentence of a raw report that a check flagged, with what a reader said of it.
type flaggedLine struct {
	Report   string `json:"report"`
	Line     int    `json:"line"`
	Check    string `json:"check"`
	Code     string `json:"code,omitempty"`
	Said     string `json:"said"`
	Judgment string `json:"judgment"` // narration, content; empty when nobody has read it
	Reason   string `json:"reason,omitempty"`
}

// leakScore is the result.
type leakScore struct {
	N          int                       `json:"n"` // mutants
	Found      float64                   `json:"found"`
	ByOperator map[string]map[string]int `json:"by_operator"` // "4/en": n, found
	Low        float64                   `json:"low"`         // 95 % Wilson
	Clean      int                       `json:"clean_reports"`
	CleanFires int                       `json:"clean_false_alarms"`
	CleanUpper float64                   `json:"clean_upper"`
	Raw        int                       `json:"raw_reports"`
	RawWith    int                       `json:"raw_with_narration"`
	Sentences  int                       `json:"raw_sentences"`
	Flagged    int                       `json:"raw_flagged"`
	Right      int                       `json:"raw_flagged_narration"`
	Wrong      int                       `json:"raw_flagged_content"`
	Unjudged   int                       `json:"raw_unjudged"`
	Precision  float64                   `json:"raw_precision"` // of the judged ones
	Missed     []string                  `json:"raw_missed"`    // judged narration that nothing flagged
	Lines      []flaggedLine             `json:"raw_lines"`
}

// leak measures how well control tokens and process narration are found: on made reports in English and Chinese with one such
// defect, on the same reports without, and on raw reports of a public system (--data), whose flagged sentences are listed
// with what a reader said of each.
func leak(ctx context.Context, o options) (any, error) {
	s := leakScore{ByOperator: map[string]map[string]int{}, Missed: []string{}, Lines: []flaggedLine{}}
	clean := madeWorlds(string(worlds.Reporting), variants, o.limit)
	s.Clean = len(clean)
	for _, w := range clean {
		if len(leaks(w.View)) > 0 {
			s.CleanFires++
		}
	}
	_, s.CleanUpper = wilson(s.CleanFires, s.Clean)
	s.injected(clean)
	if o.data != "" {
		if err := s.raw(ctx, o.data); err != nil {
			return nil, err
		}
	}
	if err := writePredictions(o.predictions, s.Lines); err != nil {
		return nil, err
	}
	if !o.json {
		printLeak(o, s)
	}
	return s, nil
}

// leaks evaluates the two checks alone.
func leaks(v checks.View) []checks.Fire {
	var out []checks.Fire
	for _, name := range leakChecks {
		c := checks.Lookup(name)
		for _, k := range c.Scope(v) {
			if hits := c.Eval(v, k); len(hits) > 0 {
				out = append(out, checks.Fire{Check: name, Key: k, Hits: hits})
			}
		}
	}
	return out
}

// injected puts the defects in and looks for them.
func (s *leakScore) injected(list []worlds.World) {
	found := 0
	for _, op := range worlds.Operators() {
		if !slices.Contains(leakOperators, op.ID) {
			continue
		}
		for _, w := range list {
			for k := range leakTries {
				m, ok := op.Apply(w, k)
				if !ok {
					continue
				}
				at := op.ID + "/" + w.Lang
				if s.ByOperator[at] == nil {
					s.ByOperator[at] = map[string]int{}
				}
				s.N++
				s.ByOperator[at]["n"]++
				hit := slices.ContainsFunc(leaks(m.View), func(f checks.Fire) bool {
					return slices.Contains(op.Targets, f.Check) && (slices.Contains(m.At, f.Key.ID) || slices.ContainsFunc(f.Hits, func(h checks.Hit) bool { return slices.Contains(m.At, h.Where) }))
				})
				if hit {
					found++
					s.ByOperator[at]["found"]++
				}
			}
		}
	}
	s.Found = share(found, s.N)
	s.Low, _ = wilson(found, s.N)
}

// judgments reads the table of sentences that were read by eye: report and start of the hash -> judgement, reason.
func judgments() map[string][2]string {
	out := map[string][2]string{}
	for line := range strings.Lines(leakJudged) {
		if f := strings.Split(strings.TrimRight(line, "\n"), "\t"); len(f) == 5 && !strings.HasPrefix(line, "#") {
			out[f[0]+" "+f[1]] = [2]string{f[3], f[4]}
		}
	}
	return out
}

// raw looks through the raw reports of a folder: cases with an id, a prompt and an article.
func (s *leakScore) raw(ctx context.Context, dir string) error {
	judged := judgments()
	err := eachCase(dir, func(_ string, fields map[string]json.RawMessage) error {
		if err := ctx.Err(); err != nil || !has(fields, "id", "prompt", "article") {
			return err
		}
		var r struct {
			ID              json.Number
			Prompt, Article string
		}
		if err := into(fields, &r); err != nil {
			return err
		}
		s.report(r.ID.String(), r.Prompt, r.Article, judged)
		return nil
	})
	if err == nil && s.Raw == 0 {
		err = fmt.Errorf("%s holds no report with an id, a prompt and an article", dir)
	}
	s.Precision = share(s.Right, s.Right+s.Wrong)
	return err
}

// report looks through one raw report, line by line as its blocks.
func (s *leakScore) report(id, prompt, article string, judged map[string][2]string) {
	s.Raw++
	lines := strings.Split(article, "\n")
	v := checks.View{Question: prompt, Lang: "zh", Dispatches: []research.Dispatch{{Task: "report", Role: research.Builder, Visible: article}}}
	sec := research.DraftSection{ID: "x"}
	for i, line := range lines {
		if t := strings.TrimSpace(line); t != "" && !strings.HasPrefix(t, "#") {
			sec.Blocks = append(sec.Blocks, research.Block{ID: fmt.Sprint(i + 1), Kind: research.BlockParagraph, Text: line})
		}
	}
	v.Draft.Sections = []research.DraftSection{sec}
	flagged := map[string]bool{}
	for _, f := range leaks(v) {
		for _, h := range f.Hits {
			n, said := 0, h.What
			for i, line := range lines {
				if h.Where != fmt.Sprint(i+1) {
					continue
				}
				n = i + 1
				for _, sp := range text.Sentences(line) {
					if sentence := line[sp.Start:sp.End]; strings.Contains(h.What, fmt.Sprintf("%q", firstRunes(sentence, 160))) {
						said = sentence
					}
				}
			}
			key := id + " " + research.SHA256(said)[:12]
			flagged[key] = true
			j := judged[key]
			s.Lines = append(s.Lines, flaggedLine{Report: id, Line: n, Check: f.Check, Code: h.Code, Said: said, Judgment: j[0], Reason: j[1]})
			s.Flagged++
			switch j[0] {
			case "narration":
				s.Right++
			case "content":
				s.Wrong++
			default:
				s.Unjudged++
			}
		}
	}
	if len(flagged) > 0 {
		s.RawWith++
	}
	for _, line := range lines {
		for _, sp := range text.Sentences(line) {
			s.Sentences++
			key := id + " " + research.SHA256(line[sp.Start:sp.End])[:12]
			if judged[key][0] == "narration" && !flagged[key] {
				s.Missed = append(s.Missed, id+": "+line[sp.Start:sp.End])
			}
		}
	}
}

func firstRunes(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n])
	}
	return s
}

// printLeak writes every flagged sentence, then the counts.
func printLeak(o options, s leakScore) {
	for _, l := range s.Lines {
		said := l.Judgment
		if said == "" {
			said = "not judged"
		}
		fmt.Fprintf(o.stdout, "report %s line %d, %s %s: %s (%s: %s)\n", l.Report, l.Line, l.Check, l.Code, firstRunes(l.Said, 120), said, l.Reason)
	}
	for _, m := range s.Missed {
		fmt.Fprintf(o.stdout, "missed in report %s\n", m)
	}
	for _, k := range sortedKeys(s.ByOperator) {
		fmt.Fprintf(o.stdout, "operator %s: %d of %d found\n", k, s.ByOperator[k]["found"], s.ByOperator[k]["n"])
	}
	fmt.Fprintf(o.stdout, "injected: %.4f of %d found, at least %.4f\n", s.Found, s.N, s.Low)
	fmt.Fprintf(o.stdout, "clean reports: %d of %d with an alarm, at most %.4f\n", s.CleanFires, s.Clean, s.CleanUpper)
	if s.Raw > 0 {
		fmt.Fprintf(o.stdout, "raw reports: %d of %d with narration, %d of %d sentences flagged; judged: %d narration, %d content, %d not judged; precision %.4f, %d missed\n",
			s.RawWith, s.Raw, s.Flagged, s.Sentences, s.Right, s.Wrong, s.Unjudged, s.Precision, len(s.Missed))
	}
}
