package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assay/app/desk"
	"assay/engine/research"
)

// costResult is what the bench prints: what a research of the web costs a model, over all questions.
type costResult struct {
	N            int     `json:"n"` // questions
	Findings     int     `json:"findings"`
	FindingsMean float64 `json:"findings_mean"` // a question
	// Cited of the findings cite a passage, and of Verbatim the words stand in a text that was opened.
	Cited    int `json:"cited"`
	Verbatim int `json:"verbatim"`
	Calls    int `json:"calls"`  // answers of the model
	Lost     int `json:"lost"`   // calls that got none, or no usable one, of it
	Prompt   int `json:"prompt"` // tokens, as the server counts them
	// PromptPerFinding is the prompt tokens a cited finding costs.
	PromptPerFinding float64   `json:"prompt_per_finding"`
	Pages            int       `json:"pages"`      // opened
	ReadTwice        int       `json:"read_twice"` // opened more than once in one run
	Runs             []costRun `json:"runs"`
}

// costRun is one question's part.
type costRun struct {
	Question string `json:"question"`
	State    string `json:"state"`
	Findings int    `json:"findings"`
	Calls    int    `json:"calls"`
	Prompt   int    `json:"prompt"`
	Pages    int    `json:"pages"`
}

// cost researches each question of --data, a JSON list of strings, with the model of --model at OLLAMA_HOST over the SearXNG server
// at --also, which serves the pages that it names too. Everything is counted from the runs' own records.
func cost(ctx context.Context, o options) (any, error) {
	if o.data == "" || !strings.HasPrefix(o.also, "http") || !strings.HasPrefix(o.model, "ollama:") {
		return nil, fmt.Errorf("%w: cost needs --data QUESTIONS.json, --also http://HOST of a SearXNG server with its pages, and --model ollama:NAME, with OLLAMA_HOST where that answers", errUsage)
	}
	b, err := os.ReadFile(o.data)
	if err != nil {
		return nil, err
	}
	var questions []string
	if err := json.Unmarshal(b, &questions); err != nil || len(questions) == 0 {
		return nil, fmt.Errorf("%s: it holds no JSON list of questions", o.data)
	}
	if o.limit > 0 {
		questions = questions[:min(len(questions), o.limit)]
	}
	home := o.out // with --out the runs stay, to be looked at
	if home == "" {
		if home, err = os.MkdirTemp("", "assay-cost-"); err != nil {
			return nil, err
		}
		defer func() { _ = os.RemoveAll(home) }()
	}
	d, err := desk.Open(desk.Options{Program: "bench", Version: desk.BuildVersion(), Getenv: func(name string) string {
		if name == "ASSAY_HOME" {
			return home
		}
		return os.Getenv(name)
	}})
	if err != nil {
		return nil, err
	}
	res, err := costOf(ctx, d, o, questions)
	return res, errors.Join(err, d.Close())
}

func costOf(ctx context.Context, d *desk.Desk, o options, questions []string) (*costResult, error) {
	set := d.Settings()
	set.Web.SearXNG, set.Web.Pages = o.also, []string{o.also}
	if err := d.SetSettings(set); err != nil {
		return nil, err
	}
	res := &costResult{N: len(questions)}
	for _, q := range questions {
		j, err := d.Start(ctx, research.Request{Question: q, Egress: research.Own, Model: o.model, Depth: research.Depth(o.depth), AllowPartial: true}, desk.StartOptions{})
		if err != nil {
			return nil, err
		}
		end, err := j.Wait(ctx)
		if err != nil {
			return nil, err
		}
		run, err := desk.ReadRunFile(filepath.Join(j.Dir(), desk.FileRun))
		if err != nil {
			return nil, fmt.Errorf("%q: the run ended as %s: %w", q, end.State.State, errors.Join(end.Err, err))
		}
		r := res.count(run, o.model)
		r.Question, r.State = q, end.State.State
		res.Runs = append(res.Runs, r)
		if !o.json {
			fmt.Fprintf(o.stdout, "%-8s %3d findings %4d calls %8d prompt tokens %3d pages  %s\n", r.State, r.Findings, r.Calls, r.Prompt, r.Pages, clipped(q))
		}
	}
	res.FindingsMean = float64(res.Findings) / float64(res.N)
	if res.Cited > 0 {
		res.PromptPerFinding = float64(res.Prompt) / float64(res.Cited)
	}
	if !o.json {
		fmt.Fprintf(o.stdout, "%.0f prompt tokens a cited finding; %d findings, %d cited, %d verbatim; %d calls, %d lost; %d pages, %d read twice\n",
			res.PromptPerFinding, res.Findings, res.Cited, res.Verbatim, res.Calls, res.Lost, res.Pages, res.ReadTwice)
	}
	return res, nil
}

// count takes in one run.
func (res *costResult) count(run research.Run, model string) (r costRun) {
	read := map[string]bool{}
	for _, ev := range run.Events {
		switch ev.Kind {
		case research.EventModel:
			var a research.Answer
			if json.Unmarshal(ev.Payload, &a) != nil {
				continue
			}
			r.Prompt += a.PromptTokens
			if a.By == model {
				r.Calls++
			}
			if a.Fault != "" {
				res.Lost++
			}
		case research.EventRead, research.EventFetch:
			var doc research.Document
			if json.Unmarshal(ev.Payload, &doc) != nil || doc.Location == "" {
				continue
			}
			r.Pages++
			if read[doc.Location] {
				res.ReadTwice++
			}
			read[doc.Location] = true
		}
	}
	if run.Digest != nil {
		r.Findings = res.findings(*run.Digest, run.Blobs)
	}
	res.Calls, res.Prompt, res.Pages = res.Calls+r.Calls, res.Prompt+r.Prompt, res.Pages+r.Pages
	return r
}

// findings counts those of a report, each once.
func (res *costResult) findings(d research.Digest, texts map[string]string) int {
	var plain []string
	for _, t := range texts {
		plain = append(plain, strings.Join(strings.Fields(t), " "))
	}
	seen := map[string]bool{}
	for _, s := range d.Sections {
		for _, f := range s.Findings {
			if seen[f.ID] {
				continue
			}
			seen[f.ID] = true
			res.Findings++
			if len(f.Citations) > 0 {
				res.Cited++
			}
			words := strings.Join(strings.Fields(f.Text), " ")
			if slices.ContainsFunc(plain, func(t string) bool { return strings.Contains(t, words) }) {
				res.Verbatim++
			}
		}
	}
	return len(seen)
}

func clipped(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}
