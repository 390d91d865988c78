package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"assay/engine/research"
)

// Finished is a run that delivered its report, opened again to see what the report says without some of its sources. It holds the
// pages as they were indexed, so that a second look costs what reasoning costs. It is not safe for concurrent use.
type Finished struct {
	config  Config
	fresh   func() Record // a record of the run's effects, to which a restatement may add
	now     time.Time
	shelf   *shelf
	round   int
	meaning research.Understanding
	hyps    []research.Hypothesis
	known   ledger
	model   research.ModelUse // of the report as it was delivered
	levels  levelled          // of the same
	under   *string           // the calibration map of the same; nil when no claim of it tells
}

// ErrUnfinished says that a run has no report yet.
var ErrUnfinished = errors.New("the run has no report yet: let it end first")

// Reopen reads from the events of a finished run what its report rests on. Each call of fresh gives a record that holds the run's
// effects and texts; it is used once and thrown away. No model, network or library is touched: the config's Model answers from what
// was recorded, and its Fallback the rest.
func Reopen(cfg Config, events []research.Event, fresh func() Record) (*Finished, error) {
	now, err := time.Parse(time.RFC3339, cfg.Request.Now)
	if err != nil {
		return nil, fmt.Errorf("the run's clock %q is not a time such as 2026-11-30T12:00:00Z", cfg.Request.Now)
	}
	f := &Finished{config: cfg, fresh: fresh, now: now, shelf: &shelf{}, round: -1}
	var found gathered
	reported := false
	for _, e := range events {
		if e.Kind == research.EventNames {
			var l research.NameLookup
			if err := json.Unmarshal(e.Payload, &l); err != nil {
				return nil, fmt.Errorf("event %d: other names: %w", e.Seq, err)
			}
			f.meaning, _ = withNames(f.meaning, l)
			continue
		}
		name, ok := strings.CutPrefix(e.Kind, research.EventStage)
		if !ok {
			continue
		}
		var err error
		switch name {
		case "understand":
			err = json.Unmarshal(e.Payload, &f.meaning)
		case "plan":
			var p planned
			err = json.Unmarshal(e.Payload, &p)
			f.hyps, f.round = p.Hypotheses, f.round+1
		case "search":
			found = gathered{}
			err = json.Unmarshal(e.Payload, &found)
		case "extract":
			var x extracted
			err = json.Unmarshal(e.Payload, &x)
			f.known = f.known.with(found, x)
		case "report":
			if reported { // a restatement
				continue
			}
			var d research.Digest
			err = json.Unmarshal(e.Payload, &d)
			f.model, f.under, reported = d.Model, mapOf(d), true
			f.levels = levelled{levels: d.Levels, claims: map[string][]string{}, model: d.Model.Channel != extractiveName}
			for _, s := range d.Sections {
				for _, x := range s.Findings {
					f.levels.claims[x.ID] = x.Claims
				}
			}
		}
		if err != nil {
			return nil, fmt.Errorf("event %d: stage %s: %w", e.Seq, name, err)
		}
	}
	if !reported || f.round < 0 {
		return nil, ErrUnfinished
	}
	return f, nil
}

// mapOf names the calibration map that a report was made under, "" for a report older than the first; nil when nothing in it tells.
func mapOf(d research.Digest) *string {
	for _, c := range d.Claims {
		if c.Support != nil {
			return &c.Support.Map
		}
	}
	return nil
}

// Sources lists what the run opened, as it was judged before anything was struck.
func (f *Finished) Sources() []research.Source { return slices.Clone(f.known.Sources) }

// Named returns the ids of the used sources that one of the names means: the id of a source, its location, or its voice (the host
// of a page, the publisher or folder of a file). Each name must mean at least one.
func (f *Finished) Named(names []string) ([]string, error) {
	var ids []string
	for _, n := range names {
		hit := false
		for _, s := range f.known.Sources {
			if s.Verdict != research.Verified || n != s.ID && n != s.Location && !strings.EqualFold(n, s.Voice) {
				continue
			}
			hit = true
			if !slices.Contains(ids, s.ID) {
				ids = append(ids, s.ID)
			}
		}
		if !hit {
			return nil, fmt.Errorf("no source that was used is called %q: name the id, the location or the voice of one, as the report lists them", n)
		}
	}
	sort.Strings(ids)
	return ids, nil
}

// Without restates the report as if the struck sources had not been used. Their claims and votes go, and all that rests on them
// follows: independence, confidence, findings, hypotheses, coverage, gaps. Without none it is the report as it was. The same set
// gives the same report, whatever was struck or restored before. The sources returned are all that were opened, with the verdict that
// they have in it.
func (f *Finished) Without(ctx context.Context, struck []string) (research.Digest, []research.Source, error) {
	none := research.Digest{}
	r := &run{Config: f.config, record: f.fresh(), now: f.now, shelf: f.shelf, told: &f.model, under: f.under, levelled: &f.levels}
	known := ledger{Faults: f.known.Faults}
	judged := []research.Source{}
	for _, s := range f.known.Sources {
		if slices.Contains(struck, s.ID) {
			if s.Verdict != research.Verified {
				return none, nil, fmt.Errorf("source %s was not used (%s), so it cannot be struck", s.ID, s.Verdict)
			}
			s.Verdict, s.Note = research.Struck, pickWord(f.meaning.Lang == "zh", "struck by the reader", "已由读者划除")
		}
		known.Sources = append(known.Sources, s)
		s.Passages = nil
		judged = append(judged, s)
	}
	for _, id := range struck {
		if _, ok := f.known.source(id); !ok {
			return none, nil, fmt.Errorf("the run has no source %s", id)
		}
	}
	for _, c := range f.known.Claims {
		if !slices.Contains(struck, c.Source) {
			known.Claims = append(known.Claims, c)
		}
	}
	result, err := r.reason(ctx, reasonInput{f.round, f.meaning, f.hyps, known})
	if err != nil {
		return none, nil, fmt.Errorf("reason: %w", err)
	}
	d, err := r.report(ctx, reportInput{f.round, f.meaning, known, result})
	if err != nil {
		return none, nil, fmt.Errorf("report: %w", err)
	}
	return d, judged, nil
}

// Struck lists the sources that a record says are struck, by id, in order.
func Struck(events []research.Event) ([]string, error) {
	last, err := verdicts(events)
	if err != nil {
		return nil, err
	}
	ids := []string{}
	for id, v := range last {
		if v == research.Struck {
			ids = append(ids, id)
		}
	}
	sort.Strings(ids)
	return ids, nil
}

// verdicts are the last words of a record on its sources.
func verdicts(events []research.Event) (map[string]research.Verdict, error) {
	last := map[string]research.Verdict{}
	for _, e := range events {
		if e.Kind != research.EventSource {
			continue
		}
		var s research.Source
		if err := json.Unmarshal(e.Payload, &s); err != nil {
			return nil, fmt.Errorf("event %d: %w", e.Seq, err)
		}
		last[s.ID] = s.Verdict
	}
	return last, nil
}

// Restate records a restatement: each source whose verdict is another than the record says, and the report. A record that was
// restated is audited as any other, because the last word on a source and the last report count.
func Restate(rec Record, d research.Digest, judged []research.Source) error {
	events, err := rec.Events(0, 0)
	if err != nil {
		return err
	}
	last, err := verdicts(events)
	if err != nil {
		return err
	}
	add := func(kind string, v any) error {
		payload, err := json.Marshal(v)
		if err != nil {
			return fmt.Errorf("record %s: %w", kind, err)
		}
		if _, err := rec.Append(research.Event{Kind: kind, Payload: payload}); err != nil {
			return fmt.Errorf("record %s: %w", kind, err)
		}
		return nil
	}
	for _, s := range judged {
		if s.Verdict == last[s.ID] {
			continue
		}
		if err := add(research.EventSource, s); err != nil {
			return err
		}
	}
	return add(research.EventStage+"report", d)
}
