package desk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/engine"
	"assay/engine/ollama"
	"assay/engine/research"
	"assay/gpu"
)

// smallServer is a model server that only lists, loads and unloads: what a guard asks.
type smallServer struct {
	*httptest.Server
	mu     sync.Mutex
	loaded []gpu.Loaded
	asked  []string // names that were unloaded
}

func newSmallServer(t *testing.T, loaded ...gpu.Loaded) *smallServer {
	s := &smallServer{loaded: slices.Clone(loaded)}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		switch r.URL.Path {
		case "/api/version":
			fmt.Fprint(w, `{"version":"0.32.7"}`)
		case "/api/tags":
			fmt.Fprint(w, `{"models":[{"name":"m:1","size":4000000000,"digest":"d1"}]}`)
		case "/api/show":
			fmt.Fprint(w, `{"capabilities":["completion"],"details":{"family":"llama"},"model_info":{"general.architecture":"llama"}}`)
		case "/api/ps":
			list := []map[string]any{}
			for _, m := range s.loaded {
				list = append(list, map[string]any{"name": m.Name, "size": m.Size, "size_vram": m.VRAM, "context_length": 16384, "digest": "d1"})
			}
			_ = json.NewEncoder(w).Encode(map[string]any{"models": list})
		case "/api/generate":
			var req struct{ Model string }
			_ = json.NewDecoder(r.Body).Decode(&req)
			s.asked = append(s.asked, req.Model)
			s.loaded = slices.DeleteFunc(s.loaded, func(m gpu.Loaded) bool { return m.Name == req.Model })
			fmt.Fprint(w, `{"done":true}`)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *smallServer) unloaded() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// scripted is a model whose answers are made by a function.
type scripted struct {
	mu     sync.Mutex
	numCtx int
	calls  int
	chat   func(n int) error // of the nth call, from 1
}

func (m *scripted) Chat(ctx context.Context, _ research.Call) (research.Answer, error) {
	m.mu.Lock()
	m.calls++
	n := m.calls
	m.mu.Unlock()
	if m.chat != nil {
		if err := m.chat(n); err != nil {
			return research.Answer{}, err
		}
	}
	return research.Answer{Text: "yes", By: "ollama:m:1", NumCtx: m.numCtx}, ctx.Err()
}
func (m *scripted) Embed(context.Context, []string) ([][]float32, error) {
	return nil, research.ErrMissing
}
func (m *scripted) Limits() research.Limits {
	return research.Limits{Name: "ollama:m:1", NumCtx: m.numCtx, TokensPerByte: 0.3}
}
func (m *scripted) Wait(ctx context.Context) error { return ctx.Err() }

// llama8 is an 8B model.
func llama8(t *testing.T) gpu.Model {
	t.Helper()
	m, err := gpu.Known("llama3.1:8b")
	if err != nil {
		t.Fatal(err)
	}
	m.Name, m.Digest = "m:1", "d1"
	return m
}

// guarded is a desk whose runs have a guard, with looks that the test plays and a clock that stands still.
type guardedDesk struct {
	*Desk
	server *smallServer
	looks  chan gpu.Sample
	clocks chan chan time.Time // of what waits, in order
	free   int64               // of the card
	opened []pinnedLoad
	model  *scripted
	spot   func(*spot) // changes the spot before it is used; may be nil
}

func newGuardedDesk(t *testing.T, model *scripted, run engineFunc, loaded ...gpu.Loaded) *guardedDesk {
	t.Helper()
	g := &guardedDesk{server: newSmallServer(t, loaded...), looks: make(chan gpu.Sample), clocks: make(chan chan time.Time, 64), free: 15 << 30, model: model}
	g.Desk = testDesk(t, run)
	g.wire.after = func(time.Duration) (<-chan time.Time, func()) {
		c := make(chan time.Time, 1)
		g.clocks <- c
		return c, func() {}
	}
	g.wire.memory = func(*ollama.Admin) *gpu.Sampler {
		return &gpu.Sampler{Status: func(context.Context) gpu.Status { return cardWith(g.free) }, Models: func(context.Context) ([]gpu.Loaded, error) {
			g.server.mu.Lock()
			defer g.server.mu.Unlock()
			return slices.Clone(g.server.loaded), nil
		}}
	}
	g.wire.watch = func(ctx context.Context, _ *spot) (<-chan gpu.Sample, func()) {
		out := make(chan gpu.Sample)
		go func() {
			defer close(out)
			for {
				select {
				case s := <-g.looks:
					out <- s
				case <-ctx.Done():
					return
				}
			}
		}()
		return out, func() {}
	}
	g.wire.ollama = func(_ context.Context, name string, _ research.Egress, at pinnedLoad, _ told) (Channel, error) {
		g.opened = append(g.opened, at)
		admin, err := ollama.NewAdmin(g.server.Client(), g.server.URL)
		if err != nil {
			return Channel{}, err
		}
		m := llama8(t)
		n := or(at.NumCtx, 16384)
		e := m.Estimate(gpu.Load{Context: n, Batch: 512, Version: "0.32.7"})
		s := &spot{admin: admin, name: "m:1", shape: m, load: e.Load, words: []string{"The plan."}, info: ollama.Info{Name: "m:1", Digest: "d1"},
			room: gpu.Plan{Model: "m:1", Bytes: needed(e, gpu.Machine{})}}
		if g.spot != nil {
			g.spot(s)
		}
		answers := engine.Model(g.model)
		if at.NumCtx > 0 {
			answers = &scripted{numCtx: at.NumCtx}
		} else {
			g.model.numCtx = n
		}
		return Channel{Name: "ollama:m:1", Why: "It fits.", model: answers, spot: s}, nil
	}
	return g
}

// cardWith is a card of 16 GB with so much free.
func cardWith(free int64) gpu.Status {
	total := int64(16376) << 20
	return gpu.Status{GPUs: []gpu.GPU{{Name: "RTX 4080 SUPER", Vendor: "nvidia", MemoryTotal: &total, MemoryFree: &free, Usable: &free}}, Kind: gpu.KindOK}
}

// look is a look at the card with these models and alarms.
func (g *guardedDesk) look(free int64, models []gpu.Loaded, alarms ...gpu.AlarmKind) gpu.Sample {
	s := gpu.Sample{Status: cardWith(free), Models: models}
	for _, k := range alarms {
		s.Alarms = append(s.Alarms, gpu.Alarm{Kind: k, Text: "m:1 has " + string(k), Do: "Do something."})
	}
	return s
}

// play has the guard see a look.
func (g *guardedDesk) play(t *testing.T, s gpu.Sample, times int) {
	t.Helper()
	for range times {
		select {
		case g.looks <- s:
		case <-time.After(20 * time.Second):
			t.Fatal("nobody looks")
		}
	}
}

func (g *guardedDesk) run(t *testing.T, opt StartOptions) *Job {
	t.Helper()
	req := request(folder(t))
	req.Model = "ollama:m:1"
	return start(t, g.Desk, req, opt)
}

// asking is an engine that asks once for each release and then ends.
func asking(release <-chan struct{}, times int) engineFunc {
	return func(ctx context.Context, cfg engine.Config, rec engine.Record) (research.Digest, error) {
		for range times {
			select {
			case <-release:
			case <-ctx.Done():
				return research.Digest{}, ctx.Err()
			}
			if _, err := cfg.Model.Chat(ctx, research.Call{Role: research.Reader, Prompt: "p"}); err != nil {
				return research.Digest{}, err
			}
		}
		return testDigest(), nil
	}
}

// noticed waits for a notice of the kind, or for none when kind is empty.
func noticed(t *testing.T, j *Job, kind string) *Notice {
	t.Helper()
	for range 2000 {
		n := j.Notice()
		if n == nil && kind == "" || n != nil && n.Kind == kind {
			return n
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("notice = %+v, want %q", j.Notice(), kind)
	return nil
}

// said are the notes and the states of a run, as text.
func said(t *testing.T, d *Desk, id string) string {
	t.Helper()
	events, err := d.Events(id, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, ev := range events {
		if ev.Kind == research.EventNote || ev.Kind == research.EventState {
			b.Write(ev.Payload)
			b.WriteByte('\n')
		}
	}
	return b.String()
}

var (
	whole = []gpu.Loaded{{Name: "m:1", Size: 8 << 30, VRAM: 8 << 30}}
	half  = []gpu.Loaded{{Name: "m:1", Size: 8 << 30, VRAM: 5 << 30}}
)

// TestGuardWaits holds that a run whose memory was taken pauses with a sentence, lets no call pass, and goes on by itself when
// the memory is back.
func TestGuardWaits(t *testing.T) {
	release := make(chan struct{}, 3)
	g := newGuardedDesk(t, &scripted{}, asking(release, 3), whole...)
	j := g.run(t, StartOptions{})
	release <- struct{}{}
	awaitKind(t, j, research.EventSetup)
	g.play(t, g.look(1<<30, nil, gpu.AlarmRoomTaken), 1)
	if n := j.Notice(); n != nil {
		t.Errorf("one look made a notice: %+v", n)
	}
	g.play(t, g.look(1<<30, nil, gpu.AlarmRoomTaken), 1)
	n := noticed(t, j, string(gpu.AlarmRoomTaken))
	if n.Text != "m:1 has room_taken." || n.Do == "" || !slices.Equal(n.Choices, []string{ChoiceUnload, ChoiceShrink, ChoiceWait}) || n.UntilMs <= n.SinceMs {
		t.Errorf("Notice = %+v", n)
	}
	before := g.model.calls
	release <- struct{}{}
	release <- struct{}{}
	if info, err := g.Run(j.ID()); err != nil || info.State != "paused" {
		t.Errorf("the list says %q, %v", info.State, err)
	}
	if err := g.Relieve(t.Context(), j.ID(), "prayer"); err == nil {
		t.Error("an unknown choice was taken")
	}
	if err := g.Relieve(t.Context(), j.ID(), ChoiceWait); err != nil {
		t.Error(err)
	}
	if n := j.Notice(); n == nil || n.Choice != ChoiceWait || n.UntilMs != 0 {
		t.Errorf("after the choice: %+v", n)
	}
	g.play(t, g.look(1<<30, nil, gpu.AlarmRoomTaken), 2)
	if g.model.calls != before {
		t.Errorf("%d calls passed meanwhile", g.model.calls-before)
	}
	g.play(t, g.look(14<<30, nil), 1)
	if res := wait(t, j); res.Exit != ExitDone {
		t.Fatalf("Result = %+v", res)
	}
	if text := said(t, g.Desk, j.ID()); !strings.Contains(text, `"paused","detail":"m:1 has room_taken. Do something."`) || !strings.Contains(text, "The memory is there again") {
		t.Errorf("said:\n%s", text)
	}
	if err := g.Relieve(t.Context(), j.ID(), ChoiceWait); err == nil {
		t.Error("a run that has ended was relieved")
	}
}

// TestGuardGoesOn holds that a run nobody looks after goes on as it is when its patience is at an end, and says so; and that it
// does not pause for the same thing again.
func TestGuardGoesOn(t *testing.T) {
	release := make(chan struct{}, 2)
	g := newGuardedDesk(t, &scripted{}, asking(release, 2), half...)
	j := g.run(t, StartOptions{Patience: time.Minute})
	release <- struct{}{}
	awaitKind(t, j, research.EventSetup)
	g.play(t, g.look(1<<30, half, gpu.AlarmHalfOnCPU), sure)
	noticed(t, j, string(gpu.AlarmHalfOnCPU))
	(<-g.clocks) <- time.Time{}
	noticed(t, j, "")
	g.play(t, g.look(1<<30, half, gpu.AlarmHalfOnCPU), 3)
	if n := j.Notice(); n != nil {
		t.Errorf("the same thing paused it again: %+v", n)
	}
	release <- struct{}{}
	if res := wait(t, j); res.Exit != ExitDone {
		t.Fatalf("Result = %+v", res)
	}
	if text := said(t, g.Desk, j.ID()); !strings.Contains(text, "Nobody chose what to do within 1m0s") {
		t.Errorf("said:\n%s", text)
	}
}

// TestGuardUnloads holds that unloading lets the other models go, and the run's own where half of it is in main memory.
func TestGuardUnloads(t *testing.T) {
	release := make(chan struct{}, 2)
	loaded := append(slices.Clone(half), gpu.Loaded{Name: "other:7b", Size: 1 << 30, VRAM: 1 << 30})
	g := newGuardedDesk(t, &scripted{}, asking(release, 2), loaded...)
	j := g.run(t, StartOptions{})
	release <- struct{}{}
	awaitKind(t, j, research.EventSetup)
	g.play(t, g.look(0, loaded, gpu.AlarmHalfOnCPU), sure)
	noticed(t, j, string(gpu.AlarmHalfOnCPU))
	if err := g.Relieve(t.Context(), j.ID(), ChoiceUnload); err != nil {
		t.Fatal(err)
	}
	if got := g.server.unloaded(); !slices.Equal(got, []string{"m:1", "other:7b"}) {
		t.Errorf("unloaded %v", got)
	}
	if n := j.Notice(); n == nil || n.Choice != ChoiceUnload {
		t.Errorf("the notice went before a look showed the memory: %+v", n)
	}
	if err := g.Relieve(t.Context(), j.ID(), ChoiceUnload); err == nil || !strings.Contains(err.Error(), "other programs hold the memory") {
		t.Errorf("unloading nothing: %v", err)
	}
	g.play(t, g.look(14<<30, nil), 1)
	release <- struct{}{}
	if res := wait(t, j); res.Exit != ExitDone {
		t.Fatalf("Result = %+v", res)
	}
	if text := said(t, g.Desk, j.ID()); !strings.Contains(text, "Unloaded m:1 and other:7b.") {
		t.Errorf("said:\n%s", text)
	}
}

// TestGuardLoadsAnew holds that a model of which half came to lie in main memory is loaded anew once all of it has room.
func TestGuardLoadsAnew(t *testing.T) {
	release := make(chan struct{}, 2)
	g := newGuardedDesk(t, &scripted{}, asking(release, 2), half...)
	j := g.run(t, StartOptions{})
	release <- struct{}{}
	awaitKind(t, j, research.EventSetup)
	g.play(t, g.look(10<<30, half, gpu.AlarmHalfOnCPU), sure)
	noticed(t, j, string(gpu.AlarmHalfOnCPU))
	g.play(t, g.look(15<<30, nil), 1) // seen after the unload
	noticed(t, j, "")
	// It comes back as it was: the server does not use the card, and is not made to load it again and again.
	g.play(t, g.look(10<<30, half, gpu.AlarmHalfOnCPU), sure)
	if n := noticed(t, j, string(gpu.AlarmHalfOnCPU)); !strings.Contains(n.Do, "the server does not use it") {
		t.Errorf("Notice = %+v", n)
	}
	g.play(t, g.look(10<<30, half, gpu.AlarmHalfOnCPU), 3)
	if got := g.server.unloaded(); !slices.Equal(got, []string{"m:1"}) {
		t.Errorf("unloaded %v", got)
	}
	g.play(t, g.look(10<<30, whole), 1)
	release <- struct{}{}
	if res := wait(t, j); res.Exit != ExitDone {
		t.Fatalf("Result = %+v", res)
	}
}

// TestGuardOutOfMemory holds that a server that runs out of memory pauses the run with a sentence, that the call is sent again,
// and that its error reaches the engine only when patience is at an end.
func TestGuardOutOfMemory(t *testing.T) {
	broken := fmt.Errorf("chat with m:1: the model does not fit into memory: %w", ollama.ErrMemory)
	for _, tc := range []struct {
		name   string
		faults int // calls that fail, the first excepted
		end    func(t *testing.T, g *guardedDesk, j *Job)
		exit   int
		words  string
	}{
		{"it comes back by itself", 1, func(t *testing.T, g *guardedDesk, j *Job) {
			<-g.clocks                  // patience
			(<-g.clocks) <- time.Time{} // the call is tried again
		}, ExitDone, "The model answers again"},
		{"unloaded", 1, func(t *testing.T, g *guardedDesk, j *Job) {
			if err := g.Relieve(t.Context(), j.ID(), ChoiceUnload); err != nil {
				t.Error(err)
			}
		}, ExitDone, "Unloaded other:7b."},
		{"nobody helps", 99, func(t *testing.T, g *guardedDesk, j *Job) { (<-g.clocks) <- time.Time{} }, ExitModel, "Nobody chose"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := &scripted{chat: func(n int) error {
				if n > 1 && n <= 1+tc.faults {
					return broken
				}
				return nil
			}}
			release := make(chan struct{}, 1)
			g := newGuardedDesk(t, m, asking(release, 1), append(slices.Clone(whole), gpu.Loaded{Name: "other:7b", Size: 5 << 30, VRAM: 5 << 30})...)
			j := g.run(t, StartOptions{})
			release <- struct{}{}
			n := noticed(t, j, NoticeMemory)
			if !strings.HasPrefix(n.Text, "Chat with m:1: the model does not fit into memory") {
				t.Errorf("Notice = %+v", n)
			}
			tc.end(t, g, j)
			res := wait(t, j)
			if res.Exit != tc.exit || tc.exit == ExitModel && !errors.Is(res.Err, ollama.ErrMemory) {
				t.Errorf("Result = %+v", res)
			}
			if text := said(t, g.Desk, j.ID()); !strings.Contains(text, tc.words) {
				t.Errorf("said:\n%s", text)
			}
		})
	}
}
