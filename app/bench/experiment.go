package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assay/engine"
	"assay/engine/library"
)

// The experiment that shows what the method is worth (HDRI 6): the same questions over the same documents by several arms, each
// measured in the same way, and every arm held against the whole method question by question.
//
// Files by job: experiment.go the arms and the bench, experiment_answer.go how one arm answers one question, experiment_measure.go
// what is measured of an answer, experiment_pairs.go differences with their intervals, experiment_page.go the page.

// arm is one way to answer a question.
type arm struct {
	Name string `json:"name"`
	// Without are the mechanisms that it leaves out; Direct is direct search, which has none of them.
	Without []string `json:"without"`
	Direct  bool     `json:"direct,omitempty"`
	What    string   `json:"what"` // one sentence
}

// fullArm is the whole method, which every other arm is held against.
const fullArm = "full"

// arms are those that there are: the three of HDRI 6.1.2 that are of one's own making, then the whole without each mechanism.
func arms() []arm {
	all := []arm{
		{Name: fullArm, Without: []string{}, What: "The whole method."},
		{Name: "ds", Without: []string{}, Direct: true, What: "Direct search: the passages that search ranks first, as they stand."},
		{Name: "sr", Without: []string{"bank", "contradictions", "cross_validation", "derivation", "gap_rounds", "hypotheses", "review", "subject_lock"},
			What: "Search and reasoning: claims are taken from pages and written up, without hypotheses, rounds, lock, validation or checks."},
	}
	for _, name := range engine.Method() {
		all = append(all, arm{Name: "no-" + strings.ReplaceAll(name, "_", "-"), Without: []string{name}, What: "The whole method without " + strings.ReplaceAll(name, "_", " ") + "."})
	}
	for _, name := range []string{"review", "grounding", "exclusion", "salvage"} {
		all = append(all, arm{Name: "no-" + name, Without: []string{name}, What: "The whole method without " + name + "."})
	}
	return all
}

// armAliases are the short names by which arms may be asked for.
var armAliases = map[string]string{"no-gap": "no-gap-rounds", "no-lock": "no-subject-lock", "no-checks": "no-bank", "no-validation": "no-cross-validation"}

// chosenArms are the arms of a list of names; all when it is empty. The whole method is always one of them.
func chosenArms(list string) ([]arm, error) {
	all := arms()
	if list == "" {
		return all, nil
	}
	out := []arm{all[0]}
	for _, name := range strings.Split(list, ",") {
		name = strings.TrimSpace(name)
		if to, ok := armAliases[name]; ok {
			name = to
		}
		i := slices.IndexFunc(all, func(a arm) bool { return a.Name == name })
		if i < 0 {
			var names []string
			for _, a := range all {
				names = append(names, a.Name)
			}
			return nil, fmt.Errorf("%w: there is no arm %q; the arms are %s", errUsage, name, strings.Join(names, ", "))
		}
		if !slices.ContainsFunc(out, func(a arm) bool { return a.Name == name }) {
			out = append(out, all[i])
		}
	}
	return out, nil
}

// experiment is what the bench prints.
type experiment struct {
	N     int    `json:"n"`
	Model string `json:"model"` // the channel that answered
	Depth string `json:"depth"`
	Arms  []arm  `json:"arms"`
	// Means are the means of each measure by arm, over the questions to which it applies; Counts over how many that is.
	Means  map[string]map[string]float64 `json:"means"`
	Counts map[string]map[string]int     `json:"counts"`
	// Domains are the means of completeness by arm and kind of question.
	Domains map[string]map[string]float64 `json:"domains"`
	// Pairs are the differences of the whole method to each arm, question by question.
	Pairs []pairedDifference `json:"pairs"`
	// Worth says of each mechanism in a sentence what it is worth here and what it costs.
	Worth []string `json:"worth"`
	// NotMeasured says in sentences what was not measured.
	NotMeasured []string   `json:"not_measured"`
	Rows        []measured `json:"rows"`
}

// notMeasured is what this experiment leaves open whatever is run.
func notMeasured(model string) []string {
	out := []string{
		"User satisfaction (HDRI 6.3): no people were asked.",
		"Gemini Deep Research (HDRI 6.1.2): it answers from the web, by an account; these documents are closed.",
		"Completeness counts the listed requirements that an accepted form of the answer meets: an answer in other words is missed, and nobody read the reports.",
	}
	switch {
	case model == "extractive":
		out = append(out, "What a language model adds or spoils: the extractive channel answered, so that review, grounding and salvage have little to do.")
	case strings.Contains(model, "stub"):
		out = append(out, "What a trained model adds: the stub answers by rules, so that its figures show the machinery and its cost and not the worth of a model.")
	}
	return out
}

// runExperiment answers every question by every arm.
func runExperiment(ctx context.Context, o options) (any, error) {
	if o.data == "" || o.corpus == "" || o.out == "" {
		return nil, fmt.Errorf("%w: run needs --data FILE.jsonl --corpus DIR --out DIR; --arms and --model are as in assay bench --help", errUsage)
	}
	chosen, err := chosenArms(o.arms)
	if err != nil {
		return nil, err
	}
	qs, err := questions(o)
	if err != nil {
		return nil, err
	}
	home := o.home
	if home == "" {
		if home, err = os.MkdirTemp("", "assay-bench-"); err != nil {
			return nil, err
		}
		defer func() { _ = os.RemoveAll(home) }() // nothing of it is kept
	}
	model, end, err := experimentModel(ctx, o.model)
	if err != nil {
		return nil, err
	}
	defer end()
	lib, _, err := ingest(ctx, home, o, qs)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return nil, err
	}
	x := &experiment{N: len(qs), Model: o.model, Depth: o.depth, Arms: chosen, NotMeasured: notMeasured(o.model)}
	if err := x.answerAll(ctx, o, lib, model, qs); err != nil {
		return nil, err
	}
	x.sum()
	if err := writeJSON(filepath.Join(o.out, "experiment.json"), x); err != nil {
		return nil, err
	}
	page, err := x.page()
	if err == nil {
		err = os.WriteFile(filepath.Join(o.out, "experiment.html"), page, 0o644)
	}
	if err != nil {
		return nil, err
	}
	if !o.json {
		x.print(o.stdout)
	}
	return x, nil
}

// answerAll has every arm answer every question, question by question, so that a run that is cut short has all arms of those it has.
func (x *experiment) answerAll(ctx context.Context, o options, lib *library.Library, model engine.Model, qs []question) error {
	files := &corpusFiles{root: o.corpus, text: map[string]string{}}
	for i, q := range qs {
		for _, a := range x.Arms {
			out, err := answerBy(ctx, o, lib, model, a, q)
			if err != nil {
				return fmt.Errorf("question %s, arm %s: %w", q.ID, a.Name, err)
			}
			row := measure(a.Name, q, out, files)
			x.Rows = append(x.Rows, row)
			if !o.json {
				fmt.Fprintf(o.stdout, "%s %-20s completeness %.2f, %d findings, %.1f s (%d of %d)\n", q.ID, a.Name, row.M["completeness"], len(out.said.Findings), row.M["seconds"], i+1, len(qs))
			}
		}
	}
	return nil
}
