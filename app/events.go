package app

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"assay/app/desk"
	"assay/engine/research"
)

// What the page is told. The rules: an event never holds what cannot be asked for again, so that a page may miss any of
// them; a run's events carry their numbers, and the page asks again from the last one it has when a number is missing; no
// event is sent more than 20 times a second, because each holds up the program while it is sent.
const (
	eventRun     = "run"     // data RunEvents: what happened in one run
	eventRuns    = "runs"    // no data: the list of runs changed
	eventLibrary = "library" // no data: the list of folders changed

	eventHardware = "hardware" // data HardwareView: the machine was looked at
	eventModels   = "models"   // no data: the list of models, or what of it is loaded, changed
	eventJobs     = "jobs"     // data []ModelJob: how far the models are that are being pulled or made
	eventBakeoffs = "bakeoffs" // no data: the list of bake-offs changed, or what one of them has found
	eventBakeoff  = "bakeoff"  // data BakeoffTick: a step of a bake-off
	eventServer   = "server"   // no data: a model server was started or stopped
	eventWatch    = "watch"    // data WatchNews: a watch ran
)

// Least times between two events.
const (
	runEvery     = 50 * time.Millisecond
	libraryEvery = 250 * time.Millisecond
	jobsEvery    = 250 * time.Millisecond
)

// maxText bounds one text inside an event's payload, in bytes.
const maxText = 2 << 10

// follow tells the page what happens in a run until it ends.
func (a *API) follow(ctx context.Context, d *desk.Desk, job *desk.Job) {
	a.outside.emit(ctx, eventRuns, nil)
	a.work.Go(func() {
		defer a.sampler.Running(desk.MemoryPlan{})() // it looks more often meanwhile
		id, after := job.ID(), int64(0)
		// The error is the window's end or a record that went away: both are seen by who asks next.
		_ = job.Follow(ctx, after, func(events []research.Event) error {
			batch := RunEvents{ID: id, After: after, Last: after, Events: []RunEvent{}}
			for _, ev := range events {
				batch.add(ev)
			}
			info, err := row(d, id)
			if err != nil {
				return err
			}
			batch.Info, batch.Notice, batch.Plan, after = info, job.Notice(), job.Asked(), batch.Last
			a.outside.emit(ctx, eventRun, batch)
			select { // whatever comes meanwhile is in the next batch
			case <-time.After(runEvery):
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
		if ctx.Err() != nil {
			return
		}
		if info, err := row(d, id); err == nil {
			a.outside.emit(ctx, eventRun, RunEvents{ID: id, After: after, Last: after, Info: info, Events: []RunEvent{}})
		}
		a.forget(id)
		a.outside.emit(ctx, eventRuns, nil)
	})
}

// forget drops a digest that may have changed.
func (a *API) forget(id string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.lastID == id {
		a.last, a.lastID = research.Digest{}, ""
	}
}

// add puts an event into the batch, cut down to what the page shows; what it does not show only moves Last.
func (e *RunEvents) add(ev research.Event) {
	if ev.Seq == 0 {
		return // a tick: not part of the record
	}
	e.Last = max(e.Last, ev.Seq)
	if payload, ok := slim(ev); ok {
		e.Events = append(e.Events, RunEvent{Seq: ev.Seq, Kind: ev.Kind, AtMs: ev.AtMs, TookMs: ev.TookMs, Payload: payload})
	}
}

// slim cuts an event's payload down to what the page shows, as JSON; false for an event that it does not show.
func slim(ev research.Event) (string, bool) {
	if name, ok := strings.CutPrefix(ev.Kind, research.EventStage); ok {
		return encode(stageCounts(name, ev.Payload)), true
	}
	switch ev.Kind {
	case research.EventBegin:
		return cut[research.StageNews](ev, nil)
	case research.EventState:
		return cut(ev, func(s *research.StateNews) { s.Detail = short(s.Detail) })
	case research.EventNote:
		return cut(ev, func(n *research.Note) { n.Text = short(n.Text) })
	case research.EventOutbox:
		return cut(ev, func(o *research.Outbound) { o.Why, o.Fault, o.Host = "", short(o.Fault), short(o.Host) })
	case research.EventSource:
		return cut(ev, func(s *research.Source) { s.Passages, s.Note, s.Title = nil, short(s.Note), short(s.Title) })
	case research.EventCheck:
		return cut(ev, func(c *research.CheckNews) {
			c.Hits = append([]string{}, c.Hits[:min(len(c.Hits), 8)]...)
			for i := range c.Hits {
				c.Hits[i] = short(c.Hits[i])
			}
		})
	case research.EventModel:
		return cut(ev, func(m *research.Answer) { m.Text, m.Thinking = "", "" })
	case research.EventSearch, research.EventRead, research.EventFetch:
		return "{}", true
	}
	return "", false
}

// cut decodes a payload, lets keep shorten it, and encodes it again. A payload that does not decode is sent as empty.
func cut[T any](ev research.Event, keep func(*T)) (string, bool) {
	var v T
	if err := json.Unmarshal(ev.Payload, &v); err != nil {
		return "{}", true
	}
	if keep != nil {
		keep(&v)
	}
	return encode(v), true
}

func encode(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return "{}"
	}
	return string(b)
}

// short cuts s to maxText bytes at a rune boundary.
func short(s string) string {
	if len(s) <= maxText {
		return s
	}
	return strings.ToValidUTF8(s[:maxText], "") + "…"
}

// stageLists are the lists of a stage's result that the page counts, by the path of their field; the empty path is a result
// that is one list.
var stageLists = map[string]map[string]string{
	"understand":  {"facets": "facets"},
	"hypothesise": {"": "hypotheses", "hypotheses": "hypotheses"},
	"plan":        {"plan.tasks": "tasks", "tasks": "tasks"},
	"search":      {"sources": "sources"},
	"extract":     {"passages": "passages", "claims": "claims", "dropped": "dropped"},
	"reason":      {"claims": "claims", "findings": "findings", "contradicts": "contradictions", "gaps": "gaps"},
	"report":      {"sections": "sections", "issues": "issues"},
}

// stageCounts says how long the lists of a stage's result are. A result of another form has none.
func stageCounts(stage string, payload json.RawMessage) map[string]int {
	counts := map[string]int{}
	for path, name := range stageLists[stage] {
		raw := payload
		for _, field := range strings.Split(path, ".") {
			if field == "" {
				break
			}
			var fields map[string]json.RawMessage
			if json.Unmarshal(raw, &fields) != nil {
				raw = nil
				break
			}
			raw = fields[field]
		}
		var list []json.RawMessage
		if len(raw) > 0 && raw[0] == '[' && json.Unmarshal(raw, &list) == nil {
			counts[name] = len(list)
		}
	}
	return counts
}

// sortedKeys are the keys of m in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
