package desk

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"assay/engine/research"
)

// batch is the most events a follower gets at once, so that a page that comes late is not sent one huge message.
const batch = 256

// hub wakes followers and keeps the latest tick of each sort.
type hub struct {
	mu    sync.Mutex
	wait  chan struct{} // closed at the next news
	ticks map[string]research.Event
	turn  int64 // counts ticks
}

// changed returns a channel that is closed at the next news.
func (h *hub) changed() <-chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.wait == nil {
		h.wait = make(chan struct{})
	}
	return h.wait
}

func (h *hub) wakeAll() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.wait != nil {
		close(h.wait)
		h.wait = nil
	}
}

// tick tells followers of something that is not recorded. Of ticks of one sort a slow follower sees the last only.
func (h *hub) tick(sort string, v any) {
	payload, err := json.Marshal(v)
	if err != nil {
		return // what cannot be written is not told; a tick is a convenience
	}
	h.mu.Lock()
	if h.ticks == nil {
		h.ticks = map[string]research.Event{}
	}
	h.turn++
	h.ticks[sort] = research.Event{Kind: research.EventTick, Key: sort, AtMs: time.Now().UnixMilli(), TookMs: h.turn, Payload: payload}
	h.mu.Unlock()
	h.wakeAll()
}

// newTicks returns the ticks that came after turn, in order of their sort's name, and the turn they reach.
func (h *hub) newTicks(turn int64) ([]research.Event, int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var out []research.Event
	for _, sort := range tickSorts {
		if ev, ok := h.ticks[sort]; ok && ev.TookMs > turn {
			ev.TookMs = 0
			out = append(out, ev)
		}
	}
	return out, h.turn
}

// tickSorts are the sorts of ticks there are.
var tickSorts = []string{TickIngest, TickNotice}

// TickIngest is the key of a tick whose payload is an [IngestTick].
const TickIngest = "ingest"

// IngestTick says how far the reading of a library is.
type IngestTick struct {
	Folder string `json:"folder"`
	Done   int    `json:"done"`
	Total  int    `json:"total"` // files listed so far; 0: not known yet
	// Passages is how many passages of them are in the index.
	Passages int    `json:"passages"`
	File     string `json:"file"`
}

// Follow calls fn with the events of the run after number after, in order, each once, as they come, until the run has ended
// and all were told, or ctx ends, or fn returns an error. Ticks come along with number 0. A follower that is slow holds nobody
// up.
func (j *Job) Follow(ctx context.Context, after int64, fn func([]research.Event) error) error {
	var turn int64
	for {
		changed := j.news.changed()
		ended := false
		select {
		case <-j.done:
			ended = true
		default:
		}
		events, err := j.desk.Events(j.id, after, batch)
		if err != nil {
			return err
		}
		full := len(events) == batch
		if len(events) > 0 {
			after = events[len(events)-1].Seq
		}
		var ticks []research.Event
		ticks, turn = j.news.newTicks(turn)
		if events = append(events, ticks...); len(events) > 0 {
			if err := fn(events); err != nil {
				return err
			}
		}
		switch {
		case full:
			continue
		case ended:
			return nil
		}
		select {
		case <-changed:
		case <-j.done:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Events returns at most limit events of a run after number after; limit 0 means all.
func (d *Desk) Events(id string, after int64, limit int) ([]research.Event, error) {
	events, err := d.store.Events(id, after, limit)
	if err != nil { // the record may have been closed between finding and reading it
		events, err = d.store.Events(id, after, limit)
	}
	return events, err
}

// Snapshot is a run as it is now: what a page that loads asks for before it follows from Seq.
type Snapshot struct {
	Info   research.RunInfo `json:"info"`
	Events []research.Event `json:"events"`
	Seq    int64            `json:"seq"`  // of the last event
	Here   bool             `json:"here"` // this program works on it
}

// Snapshot returns the run as it is now. Payloads of effects and stages are left out: they are megabytes that no view shows.
func (d *Desk) Snapshot(id string) (Snapshot, error) {
	info, err := d.store.Show(id)
	if err != nil {
		return Snapshot{}, err
	}
	s := Snapshot{Info: info, Here: d.Job(id) != nil}
	if s.Events, err = d.Events(id, 0, 0); err != nil {
		return Snapshot{}, err
	}
	for i := range s.Events {
		s.Events[i] = Light(s.Events[i])
		s.Seq = s.Events[i].Seq
	}
	return s, nil
}
