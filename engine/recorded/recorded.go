// Package recorded answers model calls from the record of a run, for replay.
//
// Start at [New]. A call is looked up by its key, so it gets the recorded answer only when its prompt, schema, budget, seed
// and try are the same to the byte. What is not in the record is a miss: counted, listed, and an error that wraps
// [research.ErrUnrecorded], on which the engine goes on with its fallback or, when the replay is strict, stops.
package recorded

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"assay/engine/research"
)

// Lookup returns the payload that a record holds for a step, and whether it holds one.
type Lookup func(kind string, in any) (json.RawMessage, bool)

// FromRun returns the lookup of a run's events. The events are indexed once; later changes to run are not seen.
func FromRun(run research.Run) Lookup {
	byKey := make(map[string]json.RawMessage, len(run.Events))
	for _, ev := range run.Events {
		if _, held := byKey[ev.Key]; ev.Key != "" && !held {
			byKey[ev.Key] = ev.Payload
		}
	}
	return func(kind string, in any) (json.RawMessage, bool) {
		key, err := research.EffectKey(kind, in)
		if err != nil {
			return nil, false
		}
		p, ok := byKey[key]
		return p, ok
	}
}

// Miss is a step that the record does not hold.
type Miss struct {
	Kind string        // "model" or "embed"
	Role research.Role // of a model call
	Key  string
}

// Model answers from a record. It is safe for concurrent use.
type Model struct {
	lookup Lookup
	limits research.Limits

	mu     sync.Mutex
	hits   int    // guarded by mu
	misses []Miss // guarded by mu
}

// New returns a channel that answers from lookup. The limits must be those of the recorded run, because the engine cuts its
// prompts to them; [LimitsOf] reads them from a record.
func New(lookup Lookup, limits research.Limits) *Model {
	return &Model{lookup: lookup, limits: limits}
}

// LimitsOf returns the first limits that the events of a kind hold; false when none does.
func LimitsOf(run research.Run, kind string) (research.Limits, bool) {
	for _, ev := range run.Events {
		var l research.Limits
		if ev.Kind == kind && json.Unmarshal(ev.Payload, &l) == nil && l.Name != "" {
			return l, true
		}
	}
	return research.Limits{}, false
}

// Chat returns the recorded answer to call. The error wraps [research.ErrUnrecorded] when there is none.
func (m *Model) Chat(ctx context.Context, call research.Call) (research.Answer, error) {
	var a research.Answer
	return a, m.find(ctx, research.EventModel, call, call.Role, &a)
}

// Embed returns the recorded vectors of texts.
func (m *Model) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	var v [][]float32
	if err := m.find(ctx, research.EventEmbed, texts, "", &v); err != nil {
		return nil, err
	}
	return v, nil
}

// Limits returns the limits of the recorded run.
func (m *Model) Limits() research.Limits { return m.limits }

// Hits returns how many steps were answered from the record.
func (m *Model) Hits() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.hits
}

// Misses lists the steps that the record did not hold, in the order in which they were asked.
func (m *Model) Misses() []Miss {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]Miss(nil), m.misses...)
}

func (m *Model) find(ctx context.Context, kind string, in any, role research.Role, out any) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	payload, ok := m.lookup(kind, in)
	if !ok {
		key, err := research.EffectKey(kind, in)
		if err != nil {
			return fmt.Errorf("replay: %w", err)
		}
		m.mu.Lock()
		m.misses = append(m.misses, Miss{kind, role, key})
		m.mu.Unlock()
		return fmt.Errorf("replay %s %s: %w", kind, role, research.ErrUnrecorded)
	}
	if err := json.Unmarshal(payload, out); err != nil {
		return fmt.Errorf("replay %s: the record holds something else under its key: %w", kind, err)
	}
	m.mu.Lock()
	m.hits++
	m.mu.Unlock()
	return nil
}
