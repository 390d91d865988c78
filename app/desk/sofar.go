package desk

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"assay/engine"
	"assay/engine/extractive"
	"assay/engine/recorded"
	"assay/engine/render"
	"assay/engine/research"
	"assay/engine/store"
)

// FileSoFar is the page of what a run has found so far, in its folder.
const FileSoFar = "sofar.html"

// soFarEvery is how often the page is written while a model reads: well within the time after which a person wants to see
// something, and rarely enough to cost the machine little.
const soFarEvery = 60 * time.Second

// SoFar is the report that a run would deliver if it ended now.
type SoFar struct {
	Digest research.Digest `json:"digest"`
	// Read of Windows stretches of text were read by the model; from the others sentences are quoted as they stand.
	Read    int    `json:"read"`
	Windows int    `json:"windows"`
	File    string `json:"file"`
}

// SoFar makes the page of what a run has found so far, from its record alone: every statement stands in a passage, as in the
// report. It works while the run is under way, also in another program, and asks no model, no network and no library.
func (d *Desk) SoFar(ctx context.Context, id string) (SoFar, error) {
	id, err := d.store.Find(id)
	if err != nil {
		return SoFar{}, &UsageError{Err: err}
	}
	var b bytes.Buffer
	if j := d.Job(id); j != nil {
		err = j.rec.Export(&b)
	} else {
		err = d.store.Export(id, &b)
	}
	if err != nil {
		return SoFar{}, err
	}
	run, err := store.Import(&b)
	if err != nil {
		return SoFar{}, err
	}
	return d.soFar(ctx, run)
}

// soFar makes the page and writes it into the run's folder.
func (d *Desk) soFar(ctx context.Context, run research.Run) (out SoFar, err error) {
	rec := store.FromRun(found(run), true)
	setups, err := heldSetups(rec)
	if err != nil {
		return out, err
	}
	if len(setups) == 0 {
		return out, &UsageError{Err: engine.ErrNothingYet}
	}
	setup := setups[len(setups)-1]
	model := &readings{Model: recorded.New(recorded.FromRun(run), setup.Limits)}
	m := &misses{}
	cfg := engine.Config{Request: run.Request, Model: model, ModelWhy: setup.Why, Reader: m, Fallback: extractive.Model{}, Code: run.Code}
	for _, name := range setup.Providers {
		cfg.Providers = append(cfg.Providers, absent(m, name, setup.Outside))
	}
	out.Digest, err = (&engine.Engine{Config: cfg}).SoFar(ctx, rec)
	if errors.Is(err, engine.ErrNothingYet) {
		return out, &UsageError{Err: fmt.Errorf("run %s: %w", run.ID, err)}
	}
	if err != nil {
		return out, err
	}
	out.Read, out.Windows = int(model.read.Load()), int(model.asked.Load())
	out.Digest.Callouts = append([]research.Callout{soFarCallout(out)}, out.Digest.Callouts...)
	page, err := render.HTML(out.Digest)
	if err != nil {
		return out, fmt.Errorf("write the page so far: %w", err)
	}
	out.File = filepath.Join(d.store.Dir(run.ID), FileSoFar)
	return out, store.WriteOut(out.File, page)
}

// found is what of a record the page rests on: what was searched and opened, and the stages before. What follows from it is worked
// out again, from the answers that there are by now.
func found(run research.Run) research.Run {
	run.Events = slices.DeleteFunc(slices.Clone(run.Events), func(ev research.Event) bool {
		switch ev.Kind {
		case research.EventModel, research.EventStage + "extract", research.EventStage + "reason", research.EventStage + "report", research.EventStage + "persist":
			return true
		}
		return false
	})
	return run
}

// readings counts the stretches of text that a model was to read, and those that it has read.
type readings struct {
	*recorded.Model
	asked, read atomic.Int64
}

// Chat implements the engine's Model.
func (m *readings) Chat(ctx context.Context, call research.Call) (research.Answer, error) {
	a, err := m.Model.Chat(ctx, call)
	if call.Role == research.Reader && call.Try == 0 {
		m.asked.Add(1)
		if err == nil {
			m.read.Add(1)
		}
	}
	return a, err
}

// soFarCallout says on the page what it is.
func soFarCallout(s SoFar) research.Callout {
	if s.Digest.Lang == "zh" {
		return research.Callout{Level: "warn", Label: "目前所得", Text: fmt.Sprintf("研究仍在进行。模型已读 %d 段中的 %d 段；其余各段仅照录原句。", s.Windows, s.Read)}
	}
	return research.Callout{Level: "warn", Label: "So far", Text: fmt.Sprintf("The research goes on. The model has read %d of %d stretches of text; from the others, sentences are quoted as they stand.", s.Read, s.Windows)}
}

// soFarPages writes the page again and again while a run is under way, and remembers the last one.
type soFarPages struct {
	mu   sync.Mutex
	last *research.Digest
}

// whileReading has the page kept while a model reads, and returns what ends that. Without a model a run ends before anybody could
// look.
func (j *Job) whileReading(ctx context.Context, k kit) (stop func()) {
	if k.config.Model == nil || k.config.Model.Limits().Name == extractive.Name {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		j.keepSoFar(ctx)
	}()
	return func() {
		cancel()
		<-ended
	}
}

// keepSoFar writes the page every while until ctx ends. A page that cannot be made is no fault of the run.
func (j *Job) keepSoFar(ctx context.Context) {
	every := j.desk.wire.soFarEvery
	if every == 0 {
		every = soFarEvery
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	read := -1
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		s, err := j.desk.SoFar(ctx, j.id)
		if err != nil || ctx.Err() != nil || s.Read == read {
			continue
		}
		j.pages.mu.Lock()
		first := j.pages.last == nil
		j.pages.last = &s.Digest
		j.pages.mu.Unlock()
		read = s.Read
		if first {
			_ = j.note("info", "What was found so far can be read already: "+s.File) // a disk that refuses it refuses the next step too
		}
	}
}

// tellFallen notes what the last page so far said and the report does not.
func (j *Job) tellFallen(report *research.Digest) {
	j.pages.mu.Lock()
	shown := j.pages.last
	j.pages.mu.Unlock()
	if shown == nil || report == nil {
		return
	}
	for _, line := range fallen(*shown, *report) {
		_ = j.note("info", line) // as above
	}
}

// fallen says of each sentence of the last page so far that the report does not say any more why not: nothing that was shown
// disappears without a word.
func fallen(shown, report research.Digest) []string {
	final := report.EveryFinding()
	var out []string
	for _, f := range shown.EveryFinding() {
		if slices.ContainsFunc(final, func(o research.DigestFinding) bool { return o.Text == f.Text }) {
			continue
		}
		at := slices.IndexFunc(final, func(o research.DigestFinding) bool {
			return slices.ContainsFunc(o.Citations, func(c string) bool { return slices.Contains(f.Citations, c) }) || slices.ContainsFunc(o.Claims, func(c string) bool { return slices.Contains(f.Claims, c) })
		})
		if at >= 0 {
			out = append(out, fmt.Sprintf("The page so far said “%s”; the report says it of the same passage in other words: “%s”.", clip(f.Text), clip(final[at].Text)))
			continue
		}
		why := "the passages that the model chose after reading all of them answer the question instead"
		if len(final) == 0 {
			why = "nothing of what was read answers the question"
		}
		out = append(out, fmt.Sprintf("The page so far said “%s”; the report does not: %s.", clip(f.Text), why))
	}
	return out
}

// clip shortens a sentence for a note.
func clip(s string) string {
	const most = 200
	if r := []rune(s); len(r) > most {
		return strings.TrimSpace(string(r[:most])) + "…"
	}
	return s
}
