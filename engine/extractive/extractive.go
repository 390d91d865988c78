// Package extractive is the model channel without a model: deterministic, without weights, network or server. It fills
// every role by rules and ranking. It picks sentences; it never writes one that no source holds.
//
// Start at [Model.Chat], which switches on the role of the call and reads its typed input.
package extractive

import (
	"context"
	"encoding/json"
	"fmt"
	"sort"
	"strings"

	"assay/engine/research"
	"assay/engine/text"
)

// Name is how the channel signs its answers.
const Name = "extractive"

// perPassage is the most claims taken from one passage for one facet: a passage is 60 to 130 words, and a fourth sentence
// of it that speaks to the facet stands in the context of the other three.
const perPassage = 3

// Model is the channel. The zero value is ready and safe for concurrent use.
type Model struct{}

// Limits says that there is no window to fill.
func (Model) Limits() research.Limits { return research.Limits{Name: Name} }

// Embed has no vectors to give.
func (Model) Embed(context.Context, []string) ([][]float32, error) {
	return nil, fmt.Errorf("embed: the extractive channel has no embeddings; choose an embedding model of a server")
}

// Chat answers a call from its typed input. It is an error to call a role without one.
func (Model) Chat(ctx context.Context, c research.Call) (research.Answer, error) {
	if err := ctx.Err(); err != nil {
		return research.Answer{}, err
	}
	var out any
	switch in := c.Input.(type) {
	case research.AnalystInput:
		out = research.AnalystAnswer{Intent: string(in.Draft.Intent), Facets: []string{}, Shape: string(in.Draft.Shape)}
	case research.PlannerInput:
		out = hypotheses(in)
	case research.ReaderInput:
		out = read(in)
	case research.ReasonerInput:
		out = research.ReasonerAnswer{Gaps: []research.ProposedGap{}} // the structural gaps are found by code
	case research.WriterInput:
		out = write(in)
	case research.ReviewerInput:
		out = research.ReviewerAnswer{Remarks: []research.Remark{}} // verbatim sentences need no second reader
	case research.LevelsInput:
		// What follows from a finding is nobody's words yet; the facts are cut by code.
		none := []research.WrittenSentence{}
		out = research.LevelsAnswer{Facts: []research.WrittenFact{}, Impact: none, Decisions: none, Plain: none}
	case research.ArguerInput:
		// The engine argues with findings in their own words.
		out = research.ArguerAnswer{Steelman: []research.WrittenSentence{}, Counter: []research.WrittenAnswer{}}
	default:
		return research.Answer{}, fmt.Errorf("extractive: role %s came without an input it can read (%T)", c.Role, c.Input)
	}
	b, err := json.Marshal(out)
	if err != nil {
		return research.Answer{}, fmt.Errorf("extractive: %s: %w", c.Role, err)
	}
	return research.Answer{Text: string(b), DoneReason: "stop", By: Name}, nil
}

// read picks the sentences of each passage that carry most of the facets' weight.
func read(in research.ReaderInput) research.ReaderAnswer {
	out := research.ReaderAnswer{Claims: []research.ReadClaim{}}
	for i, p := range in.Passages {
		lines := sentences(p.Text)
		type pick struct {
			line, facet int
			score       float64
		}
		var picks []pick
		for fi, f := range in.Facets {
			var of []pick
			for li, l := range lines {
				if s := overlap(text.TermSet(l, in.Lang), f.Terms, in.Weights); s > 0 {
					of = append(of, pick{li, fi, s})
				}
			}
			sort.SliceStable(of, func(a, b int) bool { return of[a].score > of[b].score })
			picks = append(picks, of[:min(len(of), perPassage)]...)
		}
		sort.SliceStable(picks, func(a, b int) bool { return picks[a].score > picks[b].score })
		taken := map[int]bool{}
		for _, k := range picks {
			if taken[k.line] {
				continue
			}
			taken[k.line] = true
			said := stretch(lines[k.line], in.Lang, in.Facets[k.facet].Terms, in.Weights)
			out.Claims = append(out.Claims, research.ReadClaim{Passage: i + 1, Facet: in.Facets[k.facet].ID, Statement: said, Quote: said})
		}
	}
	return out
}

// sentences splits a passage into the sentences of its lines.
func sentences(s string) []string {
	var out []string
	for _, line := range strings.Split(s, "\n") {
		for _, sp := range text.Sentences(line) {
			out = append(out, line[sp.Start:sp.End])
		}
	}
	return out
}

func overlap(have map[string]bool, terms []string, weights map[string]float64) float64 {
	s := 0.0
	for _, t := range terms {
		if have[t] {
			w, ok := weights[t]
			if !ok {
				w = 1
			}
			s += w
		}
	}
	return s
}

// write prints each finding in its own words.
func write(in research.WriterInput) research.WriterAnswer {
	out := research.WriterAnswer{Sentences: []research.WrittenSentence{}}
	for _, f := range in.Findings {
		out.Sentences = append(out.Sentences, research.WrittenSentence{Text: f.Text, Refs: []int{f.Index}})
	}
	return out
}
