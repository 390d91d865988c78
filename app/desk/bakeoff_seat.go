package desk

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"assay/engine"
	"assay/engine/answer"
	"assay/engine/bakeoff"
	"assay/engine/extractive"
	"assay/engine/fetch"
	"assay/engine/ollama"
	"assay/engine/research"
)

// seat is a model that can take roles in a bake-off.
type seat struct {
	about bakeoff.Candidate
	model engine.Model
	// prove makes the raw call of rule 1, version asks the server for its version, unload has it let the model go; nil for a model
	// without a server.
	prove   func(context.Context) (ollama.Mode, error)
	version func(context.Context) (string, error)
	unload  func(context.Context) error
	kv      string // cache type, as the managed server was told; empty: not known
	close   func()
}

// served reports whether a server answers for the seat.
func (s *seat) served() bool { return s.prove != nil }

// seatOpener opens the seat of a model. note hears of what the channel says meanwhile.
type seatOpener func(ctx context.Context, name string, numCtx int, note func(string)) (*seat, error)

// openSeat is the real one: the extractive channel, or a model of the Ollama server on this machine.
func (d *Desk) openSeat(ctx context.Context, name string, numCtx int, note func(string)) (*seat, error) {
	if name == "extractive" {
		return &seat{about: bakeoff.Candidate{Model: name}, model: extractive.Model{}, close: func() {}}, nil
	}
	base, own, err := d.modelServer(ctx)
	if err != nil {
		return nil, err
	}
	if !loopback(base) {
		return nil, fmt.Errorf("the model server %s is on another machine, and a bake-off compares models on this one; start Ollama here and unset OLLAMA_HOST: %w", base, research.ErrForbidden)
	}
	client, err := fetch.New(fetch.Policy{Egress: research.Closed, Services: []fetch.Service{{Base: base, For: []fetch.Kind{fetch.Model}}}})
	if err != nil {
		return nil, err
	}
	web := client.HTTP(fetch.Model)
	m, err := ollama.New(ctx, ollama.Config{
		HTTP: web, BaseURL: base, Model: modelOf(name), Closed: true, NumCtx: numCtx, Note: func(n research.Note) { note(n.Text) },
	})
	if err != nil {
		client.Close()
		return nil, err
	}
	admin, err := ollama.NewAdmin(web, base)
	if err != nil {
		client.Close()
		return nil, err
	}
	s := &seat{
		about: aboutModel(name, m.Info()), model: m, prove: m.ProveMode, version: admin.Version,
		unload: func(ctx context.Context) error { return admin.Unload(ctx, modelOf(name)) }, close: client.Close,
	}
	if own {
		ended := d.managed.use()
		s.model, s.kv, s.close = selfServed{m, d, base}, d.managedKV(), func() { ended(); client.Close() }
	}
	return s, nil
}

// managedKV is the cache type that the managed server was started with; "" when it was told none.
func (d *Desk) managedKV() string {
	st := d.managedStatus()
	if st == nil {
		return ""
	}
	for _, v := range st.Tuned {
		if kv, ok := strings.CutPrefix(v, "OLLAMA_KV_CACHE_TYPE="); ok {
			return kv
		}
	}
	return ""
}

// modelOf is the server's own name of a model.
func modelOf(name string) string { return name[len("ollama:"):] }

// aboutModel is what a server says of a model; what it does not say stays unknown.
func aboutModel(name string, info ollama.Info) bakeoff.Candidate {
	c := bakeoff.Candidate{Model: name, Digest: info.Digest, Quantization: info.Quantization, Parameters: info.Parameters}
	if info.Size > 0 {
		c.Size = &info.Size
	}
	if info.ContextLength > 0 {
		c.ContextLength = &info.ContextLength
	}
	return c
}

// router gives the calls of the role under test to the candidate and all others to the baseline, so that the candidate is the
// only variable by construction.
type router struct {
	role      research.Role // empty: every role
	candidate engine.Model
	baseline  engine.Model
}

func (r router) seat(role research.Role) engine.Model {
	if r.role == "" || role == r.role {
		return r.candidate
	}
	return r.baseline
}

// Chat implements the engine's Model.
func (r router) Chat(ctx context.Context, c research.Call) (research.Answer, error) {
	return r.seat(c.Role).Chat(ctx, c)
}

// Embed is no role: the baseline does it unless the candidate takes everything.
func (r router) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	return r.seat("").Embed(ctx, texts)
}

// Limits are those that both can take. They bear the name of who writes, because the engine reads from it whether a report is
// written at all.
func (r router) Limits() research.Limits {
	out := r.seat(research.FindingsWriter).Limits()
	for _, l := range []research.Limits{r.seat("").Limits(), r.candidate.Limits()} {
		if l.NumCtx > 0 && (out.NumCtx == 0 || l.NumCtx < out.NumCtx) {
			out.NumCtx = l.NumCtx
		}
		out.TokensPerByte = max(out.TokensPerByte, l.TokensPerByte)
	}
	out.Embeds = r.seat("").Limits().Embeds
	return out
}

// Wait implements the engine's Waiter: it waits for both servers, which may be one.
func (r router) Wait(ctx context.Context) error {
	for _, m := range []engine.Model{r.candidate, r.baseline} {
		if w, ok := m.(engine.Waiter); ok {
			if err := w.Wait(ctx); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// counter counts what is asked of the seats under test and what comes of it. It is safe for concurrent use.
type counter struct {
	role research.Role

	mu      sync.Mutex
	scores  bakeoff.Scores
	tasks   map[string]bool  // by the call that began them
	faults  map[string]error // last error of a call
	out     int              // calls that are out
	began   time.Time        // when out last rose from 0
	stopped time.Duration    // time before that in which calls were out
}

func newCounter(role research.Role) *counter {
	return &counter{role: role, tasks: map[string]bool{}, faults: map[string]error{}}
}

// counted is a model under a counter.
type counted struct {
	engine.Model
	count *counter
}

// Chat implements the engine's Model.
func (m counted) Chat(ctx context.Context, c research.Call) (research.Answer, error) {
	m.count.begin(c)
	a, err := m.Model.Chat(ctx, c)
	m.count.end(c, a, err)
	return a, err
}

// Wait implements the engine's Waiter.
func (m counted) Wait(ctx context.Context) error {
	if w, ok := m.Model.(engine.Waiter); ok {
		return w.Wait(ctx)
	}
	return ctx.Err()
}

func callKey(c research.Call) string {
	key, err := research.EffectKey(research.EventModel, c)
	if err != nil {
		return string(c.Role) + c.Prompt
	}
	return key
}

func (n *counter) begin(c research.Call) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.scores.Calls++
	if c.Try == 0 {
		n.tasks[callKey(c)] = true
	}
	if n.out == 0 {
		n.began = time.Now()
	}
	n.out++
}

func (n *counter) end(c research.Call, a research.Answer, err error) {
	readable := err != nil || len(c.Schema) == 0 || fits(c, a)
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.out--; n.out == 0 {
		n.stopped += time.Since(n.began)
	}
	n.faults[callKey(c)] = err
	n.scores.PromptTokens += a.PromptTokens
	n.scores.AnswerTokens += a.AnswerTokens
	if !readable {
		n.scores.Unreadable++
	}
}

// fits reports whether an answer can be read by its schema, repairs included.
func fits(c research.Call, a research.Answer) bool {
	var v any
	_, err := answer.Parse(a.Text, c.Schema, &v)
	return err == nil
}

// relief is the extractive channel where it stands in for another: it counts what it has to do for the seats under test.
type relief struct {
	extractive.Model
	count *counter
}

// Chat implements the engine's Model.
func (r relief) Chat(ctx context.Context, c research.Call) (research.Answer, error) {
	a, err := r.Model.Chat(ctx, c)
	if err == nil && (r.count.role == "" || c.Role == r.count.role) {
		r.count.replace(c)
	}
	return a, err
}

func (n *counter) replace(c research.Call) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.scores.Replaced++
	if serverFault(n.faults[callKey(c)]) {
		n.scores.Broken++
	}
}

// serverFault reports whether a call failed for the server's sake. A prompt that is too long is the model's window.
func serverFault(err error) bool {
	return errors.Is(err, research.ErrServer) || errors.Is(err, research.ErrBusy) || errors.Is(err, research.ErrHung) ||
		errors.Is(err, research.ErrTruncated) || errors.Is(err, research.ErrUnavailable)
}

// total returns what was counted.
func (n *counter) total() bakeoff.Scores {
	n.mu.Lock()
	defer n.mu.Unlock()
	s := n.scores
	s.Tasks, s.BusyMs = len(n.tasks), n.stopped.Milliseconds()
	return s
}
