package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"assay/engine"
	"assay/engine/extractive"
	"assay/engine/fetch"
	"assay/engine/library"
	"assay/engine/ollama"
	"assay/engine/research"
	"assay/engine/store"
	"assay/engine/text"
)

// outcome is one answer of one arm.
type outcome struct {
	said    answered
	digest  *research.Digest // nil for direct search
	events  []research.Event
	seconds float64
	words   int // of the report
}

// experimentModel is who answers: the extractive channel, or a model of the Ollama server at OLLAMA_HOST on this machine.
func experimentModel(ctx context.Context, name string) (engine.Model, func(), error) {
	kind, model, _ := strings.Cut(name, ":")
	switch {
	case name == "extractive":
		return extractive.Model{}, func() {}, nil
	case kind != "ollama" || model == "":
		return nil, nil, fmt.Errorf("%w: --model %s: use extractive or ollama:NAME", errUsage, name)
	}
	base := os.Getenv("OLLAMA_HOST")
	if base == "" {
		base = "127.0.0.1:11434"
	}
	if !strings.Contains(base, "://") {
		base = "http://" + base
	}
	client, err := fetch.New(fetch.Policy{Egress: research.Closed, Services: []fetch.Service{{Base: base, For: []fetch.Kind{fetch.Model}}}})
	if err != nil {
		return nil, nil, err
	}
	m, err := ollama.New(ctx, ollama.Config{HTTP: client.HTTP(fetch.Model), BaseURL: base, Model: model, Closed: true})
	if err != nil {
		client.Close()
		return nil, nil, err
	}
	return m, client.Close, nil
}

// answerBy has one arm answer one question, and keeps the full run.
func answerBy(ctx context.Context, o options, lib *library.Library, model engine.Model, a arm, q question) (outcome, error) {
	var folders []string
	for _, p := range q.Packages {
		folders = append(folders, filepath.Join(o.corpus, p))
	}
	scope, err := lib.Within(folders...)
	if err != nil {
		return outcome{}, err
	}
	began := time.Now()
	var out outcome
	if a.Direct {
		out, err = directSearch(ctx, scope, q)
	} else {
		out, err = methodBy(ctx, o, scope, model, a, q, folders)
	}
	out.seconds = time.Since(began).Seconds()
	return out, err
}

// methodBy runs the engine without what the arm leaves out.
func methodBy(ctx context.Context, o options, scope *library.Scope, model engine.Model, a arm, q question, folders []string) (outcome, error) {
	req := research.Request{
		Question: q.Question, Libraries: folders, Shape: research.ShapeAuto, Depth: research.Depth(o.depth), Lang: q.Lang, Model: o.model,
		Egress: research.Closed, Now: qaClock, Seed: 1,
	}
	rec := store.NewMemory(req, "bench")
	e := engine.Engine{Config: engine.Config{
		Request: req, Model: model, ModelWhy: "The bench asked for it.", Providers: []engine.Provider{scope}, Reader: scope,
		Fallback: extractive.Model{}, Code: "bench", Without: a.Without,
	}}
	d, err := e.Run(ctx, rec)
	status := "ok"
	switch {
	case errors.Is(err, engine.ErrNoFinding):
		status = "not_found"
	case err != nil:
		return outcome{}, err
	}
	out := outcome{said: printed(q.ID, d), digest: &d, words: d.Metrics.Words}
	out.said.Status = status
	if out.events, err = rec.Events(0, 0); err != nil {
		return out, err
	}
	if err := rec.SetDigest(d); err != nil {
		return out, err
	}
	return out, writeFull(filepath.Join(o.out, a.Name, q.ID), rec, d)
}

// Bounds of direct search: ten passages, as long as a summary would quote them.
const (
	directHits  = 10
	directWords = 60
)

// directSearch is the pipeline that the method is held against: the question is searched for as it stands, and of each passage
// that ranks first the sentences are printed that share most words with the question.
func directSearch(ctx context.Context, scope *library.Scope, q question) (outcome, error) {
	out := outcome{said: answered{ID: q.ID, Findings: []saidFinding{}, Gaps: []string{}, Status: "ok"}}
	hits, err := scope.Search(ctx, research.Query{Text: q.Question, Lang: q.Lang, Limit: directHits})
	if err != nil {
		return out, err
	}
	wanted := text.TermSet(q.Question, q.Lang)
	for _, h := range hits {
		doc, err := scope.Read(ctx, h.Location)
		if err != nil {
			continue // as a pipeline that summarises what it gets
		}
		passage := doc.Text
		if h.End > h.Start && h.End <= len(doc.Text) {
			passage = doc.Text[h.Start:h.End]
		}
		said := closest(passage, wanted, q.Lang)
		if said == "" {
			continue
		}
		out.said.Findings = append(out.said.Findings, saidFinding{Text: said, Citations: []saidCitation{{Path: h.Location, Quote: passage}}})
		out.words += len(strings.Fields(said))
	}
	if len(out.said.Findings) == 0 {
		out.said.Status = "not_found"
	}
	return out, nil
}

// closest returns the sentences of a passage that share most words with a question, in their order, up to sixty words.
func closest(passage string, wanted map[string]bool, lang string) string {
	type scored struct {
		at, score int
		text      string
	}
	var all []scored
	for i, s := range text.Sentences(passage) {
		sentence := strings.Join(strings.Fields(passage[s.Start:s.End]), " ")
		n := 0
		for t := range text.TermSet(sentence, lang) {
			n += count(wanted[t])
		}
		all = append(all, scored{i, n, sentence})
	}
	best := -1
	for i, s := range all {
		if s.score > 0 && (best < 0 || s.score > all[best].score) {
			best = i
		}
	}
	if best < 0 {
		return ""
	}
	said := all[best].text
	for _, next := range all[best+1:] {
		if len(strings.Fields(said))+len(strings.Fields(next.text)) > directWords {
			break
		}
		said += " " + next.text
	}
	return said
}
