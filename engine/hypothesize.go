package engine

import (
	"context"
	"fmt"
	"os"
	"strings"

	"assay/engine/answer"
	"assay/engine/research"
	"assay/engine/text"
)

// Bounds on the hypotheses of a run (Alg. 1).
const (
	minHypotheses = 3
	maxHypotheses = 5
	// tooAlike is the share of stems that makes two hypotheses one.
	tooAlike = 0.8
)

// hypothesise is stage 2: candidates are proposed, code keeps those that are testable, on the question, and different.
func (r *run) hypothesise(ctx context.Context, u research.Understanding) ([]research.Hypothesis, error) {
	if r.without(withoutHypotheses) {
		return []research.Hypothesis{}, nil
	}
	in := research.PlannerInput{Understanding: u, About: r.Request.About, References: r.references()}
	var said research.PlannerAnswer
	by, err := r.ask(ctx, research.Planner, in, &said)
	if err != nil {
		return nil, err
	}
	kept := acceptHypotheses(said.Hypotheses, u, by)
	if len(kept) < minHypotheses && by != extractiveName {
		// Fewer than three are left: ask once more, then fill from the templates.
		c, err := r.call(research.Planner, in, 3)
		if err != nil {
			return nil, err
		}
		if a, err := r.chat(ctx, c); err != nil {
			return nil, err
		} else if more := parseHypotheses(a, c); more != nil {
			kept = acceptHypotheses(append(said.Hypotheses, more...), u, by)
		}
		if len(kept) < minHypotheses {
			if c, err = r.call(research.Planner, in, 4); err != nil {
				return nil, err
			}
			a, err := r.substitute(ctx, c)
			if err != nil {
				return nil, err
			}
			kept = append(kept, acceptHypotheses(parseHypotheses(a, c), u, extractiveName)...)
			if err := r.note("warn", "The model proposed fewer than %d usable hypotheses; templates fill the rest.", minHypotheses); err != nil {
				return nil, err
			}
		}
	}
	kept = kept[:min(len(kept), maxHypotheses)]
	for i := range kept {
		kept[i].ID = fmt.Sprintf("h%d", i+1)
	}
	return kept, nil
}

// acceptHypotheses drops what is no hypothesis: empty or one-word statements, those without a test, those off the
// question, near-duplicates. Facets that do not exist are taken out; one without any maps to all it shares words with.
func acceptHypotheses(said []research.PlannedHypothesis, u research.Understanding, by string) []research.Hypothesis {
	var kept []research.Hypothesis
	for _, h := range said {
		st := strings.TrimSpace(h.Statement)
		terms := text.TermSet(st, u.Lang)
		if len(terms) < 2 || strings.TrimSpace(h.WouldConfirm) == "" || strings.TrimSpace(h.WouldRefute) == "" {
			continue
		}
		if by != extractiveName && !onQuestion(terms, u) {
			continue
		}
		if alike(st, kept, u.Lang) {
			continue
		}
		kept = append(kept, research.Hypothesis{
			Statement: st, Rationale: h.Rationale, WouldConfirm: h.WouldConfirm, WouldRefute: h.WouldRefute, Test: testOf(h, by),
			Facets: facetsOf(h.Facets, terms, u), Status: research.Unverified,
		})
	}
	return kept
}

// testOf: only the templates have a test of their own.
func testOf(h research.PlannedHypothesis, by string) string {
	if by != extractiveName {
		return ""
	}
	return h.Test
}

// parseHypotheses reads a planner's answer; nil when it cannot be read.
func parseHypotheses(a research.Answer, c research.Call) []research.PlannedHypothesis {
	var said research.PlannerAnswer
	if _, err := answer.Parse(a.Text, c.Schema, &said); err != nil {
		return nil
	}
	return said.Hypotheses
}

// onQuestion: a hypothesis shares at least a quarter of its stems, and at least one, with the question.
func onQuestion(terms map[string]bool, u research.Understanding) bool {
	shared := 0
	for _, t := range u.Terms {
		if terms[t] {
			shared++
		}
	}
	return shared > 0 && 4*shared >= len(terms)
}

// alike compares statements by their words; those of the templates differ in their first words, so stop words count.
func alike(st string, kept []research.Hypothesis, lang string) bool {
	words := wordSet(st)
	for _, k := range kept {
		if text.Containment(words, wordSet(k.Statement)) >= tooAlike && text.Containment(wordSet(k.Statement), words) >= tooAlike {
			if lang == "zh" && len([]rune(st)) != len([]rune(k.Statement)) {
				continue
			}
			if st == k.Statement || len(words) > 3 && text.Fold(firstWords(st)) == text.Fold(firstWords(k.Statement)) {
				return true
			}
		}
	}
	return false
}

func firstWords(s string) string {
	f := strings.Fields(s)
	return strings.Join(f[:min(3, len(f))], " ")
}

func wordSet(s string) map[string]bool {
	m := map[string]bool{}
	for _, t := range text.Tokens(s) {
		m[t.Norm] = true
	}
	return m
}

func facetsOf(said []string, terms map[string]bool, u research.Understanding) []string {
	out := []string{}
	for _, f := range u.Facets {
		for _, s := range said {
			if s == f.ID {
				out = append(out, f.ID)
				break
			}
		}
	}
	if len(out) > 0 {
		return out
	}
	for _, f := range u.Facets {
		for _, t := range f.Terms {
			if terms[t] {
				out = append(out, f.ID)
				break
			}
		}
	}
	if len(out) == 0 {
		out = append(out, u.Facets[0].ID)
	}
	return out
}

// openingBytes is how much of an attached file informs the hypotheses.
const openingBytes = 1200

// references gives the openings of the attached text files. Other formats inform the run as sources only.
func (r *run) references() []string {
	var out []string
	for _, f := range r.Request.Attach {
		b, err := os.ReadFile(f)
		if err != nil || strings.ContainsRune(string(b[:min(len(b), openingBytes)]), 0) {
			continue
		}
		out = append(out, strings.ToValidUTF8(string(b[:min(len(b), openingBytes)]), ""))
	}
	return out
}
