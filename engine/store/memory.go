package store

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"assay/engine/research"
)

// Memory is a record without a disk: for replay, benches and tests. It implements the engine's Record and is safe for
// concurrent use. Make it with [NewMemory] or [FromRun].
type Memory struct {
	mu  sync.Mutex
	run research.Run
	at  map[string]int // event key -> index
}

// NewMemory returns an empty record for req.
func NewMemory(req research.Request, code string) *Memory {
	return FromRun(research.Run{
		Schema: research.SchemaVersion, Code: code, Title: shorten(req.Question, maxTitle), Request: req,
		State: research.StateNews{State: "running"},
	}, true)
}

// FromRun returns a record that holds what run holds. With keepStages false it holds the request, the setup, the effects
// (model calls, searches, reads, fetches, embeddings) and the texts only, so that an engine goes through all stages again without touching
// a model or a page: that is a replay.
func FromRun(run research.Run, keepStages bool) *Memory {
	m := &Memory{run: run, at: map[string]int{}}
	m.run.Events = nil
	m.run.Blobs = maps.Clone(run.Blobs)
	if m.run.Blobs == nil {
		m.run.Blobs = map[string]string{}
	}
	if !keepStages {
		m.run.Digest = nil
		m.run.State = research.StateNews{State: "running"}
	}
	for _, ev := range run.Events {
		if keepStages || ev.Kind == research.EventRequest || ev.Kind == research.EventSetup || ev.Kind == research.EventOutbox || IsEffect(ev.Kind) {
			m.put(ev)
		}
	}
	return m
}

// IsEffect reports whether an event of this kind is the result of an effect: a model call, a search, a read, a fetch, an
// embedding.
func IsEffect(kind string) bool {
	return slices.Contains(strings.Fields(research.EffectPrefixes), kind)
}

// put adds an event under its key, numbering it anew.
func (m *Memory) put(ev research.Event) research.Event {
	if i, ok := m.at[ev.Key]; ok && ev.Key != "" {
		return m.run.Events[i]
	}
	ev.Seq = int64(len(m.run.Events) + 1)
	if ev.Key != "" {
		m.at[ev.Key] = len(m.run.Events)
	}
	m.run.Events = append(m.run.Events, ev)
	return ev
}

// Get returns the payload recorded under key.
func (m *Memory) Get(key string) (json.RawMessage, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	i, ok := m.at[key]
	if !ok {
		return nil, false
	}
	return m.run.Events[i].Payload, true
}

// Append adds an event; see [Record.Append].
func (m *Memory) Append(ev research.Event) (research.Event, error) {
	payload, err := compact(ev.Payload)
	if err != nil {
		return ev, fmt.Errorf("append %s: %w", ev.Kind, err)
	}
	ev.Payload = payload
	if ev.AtMs == 0 {
		ev.AtMs = time.Now().UnixMilli()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.put(ev), nil
}

// PutBlob keeps text under its hash.
func (m *Memory) PutBlob(text string) (string, error) {
	sha := research.SHA256(text)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.run.Blobs[sha] = text
	return sha, nil
}

// Blob returns the text kept under sha.
func (m *Memory) Blob(sha string) (string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	text, ok := m.run.Blobs[sha]
	if !ok {
		return "", fmt.Errorf("text %.12s: the record does not hold it", sha)
	}
	return text, nil
}

// Request returns what was asked.
func (m *Memory) Request() research.Request { return m.run.Request }

// SetDigest keeps the result beside the events.
func (m *Memory) SetDigest(d research.Digest) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.run.Digest = &d
	return nil
}

// SetState says how the run ended.
func (m *Memory) SetState(s research.StateNews) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.run.State = s
}

// Events returns at most limit events that follow number after, in order; limit 0 means all.
func (m *Memory) Events(after int64, limit int) ([]research.Event, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	events := m.run.Events[min(max(int(after), 0), len(m.run.Events)):]
	if limit > 0 {
		events = events[:min(limit, len(events))]
	}
	return slices.Clone(events), nil
}

// Run returns a copy of the record; events and texts are shared, not copied.
func (m *Memory) Run() research.Run {
	m.mu.Lock()
	defer m.mu.Unlock()
	run := m.run
	run.Events = slices.Clone(run.Events)
	run.Blobs = maps.Clone(run.Blobs)
	if run.Seal() != nil {
		run.Seals = nil // what cannot be written as JSON, cannot be exported either, and that tells it
	}
	return run
}

// Export writes the record as run.json.
func (m *Memory) Export(w io.Writer) error { return EncodeRun(w, m.Run()) }
