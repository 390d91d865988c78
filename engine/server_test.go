package engine

import (
	"context"
	"encoding/json"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"assay/engine/audit"
	"assay/engine/enginetest"
	"assay/engine/fetch"
	"assay/engine/ollama"
	"assay/engine/research"
	"assay/engine/store"
)

// tinyConfig answers the test's question with the real server's tiny model, whose words are noise.
func tinyConfig(t *testing.T, o *enginetest.Ollama) Config {
	t.Helper()
	client, err := fetch.New(fetch.Policy{Egress: research.Closed, Services: []fetch.Service{{Base: o.URL, For: []fetch.Kind{fetch.Model}}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	m, err := ollama.New(context.Background(), ollama.Config{
		HTTP: client.HTTP(fetch.Model), BaseURL: o.URL, Model: enginetest.TinyModel, Closed: true, Poll: 100 * time.Millisecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	c := config(t, "When was the Skerry Point lighthouse built?")
	c.Model, c.Request.Model = m, "ollama:"+enginetest.TinyModel
	return c
}

// The same research through a real server with a model that answers noise: the run ends, none of the noise is printed, the
// report says that it was assembled without the model, and the server loaded the model once with one window.
func TestResearchThroughARealServer(t *testing.T) {
	if testing.Short() {
		t.Skip("a real server answers for a minute; run without -short")
	}
	o := enginetest.StartOllama(t)
	c := tinyConfig(t, o)
	rec := store.NewMemory(c.Request, c.Code)
	d, err := (&Engine{c}).Run(context.Background(), rec)
	if err != nil {
		t.Fatalf("Run: %v", err)
	}
	if !d.Model.Salvaged || d.Model.Channel != "ollama" {
		t.Errorf("model use %+v, want a salvaged report of the ollama channel", d.Model)
	}
	if d.Model.Answered["ollama:"+enginetest.TinyModel] == 0 {
		t.Errorf("the server answered nothing: %v", d.Model.Answered)
	}
	for _, p := range d.Sections {
		for _, f := range p.Findings {
			if !standsIn(rec.Run(), f.Text) {
				t.Errorf("printed what no source holds: %q", f.Text)
			}
		}
	}
	if n := o.Loads(); n != 1 {
		t.Errorf("the server loaded the model %d times, want once for the whole run", n)
	}
	if ps := o.Running(); strings.Count(ps, `"context_length"`) != 1 {
		t.Errorf("/api/ps: %s, want one model with one window", ps)
	}
	run := rec.Run()
	run.Digest = &d
	if err := run.Seal(); err != nil {
		t.Fatal(err)
	}
	if rep := audit.Check(run); !rep.OK() {
		t.Errorf("audit: %v", rep.Faults[:min(3, len(rep.Faults))])
	}
	// The record alone gives the same report, without a server.
	o.Kill()
	c.Model = failing{c.Model.Limits()}
	again, err := (&Engine{c}).Run(context.Background(), store.FromRun(rec.Run(), false))
	if err != nil {
		t.Fatalf("replay: %v", err)
	}
	if a, b := asJSON(t, d), asJSON(t, again); a != b {
		t.Errorf("replay differs:\n%s", firstDiff(a, b))
	}
}

// A server that dies in the middle of a run is waited for, the record says so, and the run goes on when it is back.
func TestServerDiesAndComesBack(t *testing.T) {
	if testing.Short() {
		t.Skip("a real server answers for a minute; run without -short")
	}
	o := enginetest.StartOllama(t)
	c := tinyConfig(t, o)
	var killed atomic.Bool
	back := make(chan struct{})
	states := make(chan string, 16)
	c.Watch = func(ev research.Event) {
		if ev.Kind == research.EventModel && killed.CompareAndSwap(false, true) {
			o.Kill()
		}
		if ev.Kind != research.EventState {
			return
		}
		var s research.StateNews
		if err := json.Unmarshal(ev.Payload, &s); err == nil {
			states <- s.State
		}
		if s.State == "paused" {
			go func() { defer close(back); o.Start() }()
		}
	}
	d, err := (&Engine{c}).Run(context.Background(), store.NewMemory(c.Request, c.Code))
	if err != nil {
		t.Fatalf("Run: %v", err)
	}
	<-back
	close(states)
	var said []string
	for s := range states {
		said = append(said, s)
	}
	if strings.Join(said, " ") != "paused running" {
		t.Errorf("states %v, want paused, then running", said)
	}
	if d.Metrics.Findings == 0 {
		t.Error("nothing was found after the pause")
	}
}

// failing is a model that must not be asked.
type failing struct{ lim research.Limits }

func (f failing) Limits() research.Limits { return f.lim }
func (failing) Chat(context.Context, research.Call) (research.Answer, error) {
	return research.Answer{}, research.ErrUnrecorded
}
func (failing) Embed(context.Context, []string) ([][]float32, error) {
	return nil, research.ErrUnrecorded
}

// standsIn reports whether the words stand in a text of the record, apart from white space.
func standsIn(r research.Run, words string) bool {
	w := strings.Join(strings.Fields(words), " ")
	for _, t := range r.Blobs {
		if strings.Contains(strings.Join(strings.Fields(t), " "), w) {
			return true
		}
	}
	return false
}
