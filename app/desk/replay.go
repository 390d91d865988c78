package desk

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"assay/engine"
	"assay/engine/extractive"
	"assay/engine/recorded"
	"assay/engine/research"
	"assay/engine/store"
)

// ReplayOptions change what a replay does.
type ReplayOptions struct {
	// Strict fails at the first thing the record does not hold.
	Strict bool
	// Without names checks and mechanisms to leave out (see [engine.Switches]).
	Without []string
}

// ReplayResult is the outcome of a replay.
type ReplayResult struct {
	Digest research.Digest
	// Misses names what was asked for and is not in the record, sorted. A model call is then answered by the extractive
	// channel, a search finds nothing and a page is unread.
	Misses []string

	events []research.Event // of the replay
}

// Replay runs the pipeline again on the effects of a record: its model answers, searches and pages. It touches no model, no
// network and no library.
func (d *Desk) Replay(ctx context.Context, run research.Run, opt ReplayOptions) (ReplayResult, error) {
	var res ReplayResult
	without, err := mechanism(opt.Without)
	if err != nil {
		return res, err
	}
	rec := store.FromRun(run, false)
	setups, err := heldSetups(rec)
	if err != nil {
		return res, err
	}
	if len(setups) == 0 {
		return res, errors.New("the record holds no setup: the run ended before its first step, so there is nothing to replay")
	}
	setup := setups[0]
	m := &misses{strict: opt.Strict, own: setup.Own}
	model := recorded.New(recorded.FromRun(run), setup.Limits)
	stages := &staged{Model: model, setups: setups}
	cfg := engine.Config{
		Request: run.Request, Model: stages, ModelWhy: setup.Why, Reader: m, Fallback: extractive.Model{}, Code: run.Code, Watch: stages.watch, Without: without,
	}
	for _, name := range setup.Providers {
		cfg.Providers = append(cfg.Providers, absent(m, name, setup.Outside))
	}
	if opt.Strict {
		cfg.Fallback = nil
	}
	digest, err := d.wire.run(ctx, cfg, rec)
	var short *engine.ShortfallError
	if errors.Is(err, engine.ErrNoFinding) || errors.As(err, &short) {
		err = nil // the verdict on a run is no fault of its replay
	}
	if err == nil {
		digest, err = restruck(ctx, cfg, rec, run, digest)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, miss := range model.Misses() {
		m.list = append(m.list, strings.TrimSpace(fmt.Sprintf("answer of the model (%s %s)", miss.Role, miss.Key)))
	}
	slices.Sort(m.list)
	if err == nil && opt.Strict && len(m.list) > 0 {
		err = fmt.Errorf("%w: %s", research.ErrUnrecorded, m.list[0])
	}
	res = ReplayResult{Digest: digest, Misses: m.list}
	if err == nil {
		res.events, err = rec.Events(0, 0)
	}
	return res, err
}

// restruck strikes from a replayed report what its reader struck from the recorded one.
func restruck(ctx context.Context, cfg engine.Config, rec engine.Record, run research.Run, digest research.Digest) (research.Digest, error) {
	struck, err := engine.Struck(run.Events)
	if err != nil || len(struck) == 0 {
		return digest, err
	}
	events, err := rec.Events(0, 0)
	if err != nil {
		return digest, err
	}
	f, err := engine.Reopen(cfg, events, func() engine.Record { return store.FromRun(run, false) })
	if err != nil {
		return digest, err
	}
	digest, _, err = f.Without(ctx, struck)
	return digest, err
}

// staged is a recorded model whose limits are those that held at each stage: a run that was short of memory has several setups.
type staged struct {
	*recorded.Model
	setups []research.Setup

	mu    sync.Mutex
	begun int // stages
}

// watch counts the stages that begin.
func (s *staged) watch(ev research.Event) {
	if ev.Kind != research.EventBegin {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.begun++
}

// Limits implements the engine's Model.
func (s *staged) Limits() research.Limits {
	s.mu.Lock()
	defer s.mu.Unlock()
	limits := s.setups[0].Limits
	for _, setup := range s.setups {
		if setup.After < s.begun {
			limits = setup.Limits
		}
	}
	return limits
}

// misses counts what a replay asked for in vain. It stands in for the reader.
type misses struct {
	strict bool
	own    []string // servers whose pages the person vouched for
	mu     sync.Mutex
	list   []string
}

func (m *misses) add(format string, args ...any) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	text := fmt.Sprintf(format, args...)
	m.list = append(m.list, text)
	return fmt.Errorf("%w: %s", research.ErrUnrecorded, text)
}

// Own implements what the engine asks of a reader of pages.
func (m *misses) Own(location string) bool { return slices.Contains(m.own, hostKey(location)) }

// Read implements the engine's Reader.
func (m *misses) Read(_ context.Context, location string) (research.Document, error) {
	err := m.add("page %s", location)
	if m.strict {
		return research.Document{}, err
	}
	return research.Document{Location: location, Verdict: research.Unread, Fault: location + " is not in the record"}, nil
}

// absentProvider stands in for a provider whose answers are in the record.
type absentProvider struct {
	m    *misses
	name string
}

// absent stands in for a provider of this name, as one that asks others where the record says so.
func absent(m *misses, name string, outside []research.Outsider) engine.Provider {
	for _, o := range outside {
		if o.Name == name {
			return absentOutsider{absentProvider{m, name}, o.Host}
		}
	}
	return absentProvider{m, name}
}

// absentOutsider stands in for a provider that asks others.
type absentOutsider struct {
	absentProvider
	host string
}

// Host implements the engine's Outsider.
func (p absentOutsider) Host() string { return p.host }

// Ask implements the engine's Outsider.
func (p absentOutsider) Ask(ctx context.Context, q research.Query) ([]research.Hit, []string, error) {
	h, err := p.Search(ctx, q)
	return h, nil, err
}

func (p absentProvider) Name() string { return p.name }

func (p absentProvider) Search(_ context.Context, q research.Query) ([]research.Hit, error) {
	if err := p.m.add("search of %s for %q", p.name, q.Text); p.m.strict {
		return nil, err
	}
	return nil, nil
}
