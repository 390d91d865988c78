// Package openai answers model calls through any server that speaks the chat completions protocol of OpenAI: vLLM, the server of
// llama.cpp, LM Studio, or a hosted one.
//
// Start at [New], which asks the server for the model and its window, and [Model.Chat]. models.go reads what servers say of their
// models, chat.go is one call and its watch, events.go reads a stream, fault.go turns what goes wrong into the faults of package research.
//
// The protocol has no way to ask for a window, to forbid that a prompt is cut, or to say whether it was: the window is what the
// server says it has, prompts are counted before they are sent, and an answer to fewer tokens than were sent is a fault. Servers
// differ in what they take; what one refuses by name (a schema, a seed, usage in a stream) is left out from then on.
package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"assay/engine/research"
	"assay/engine/window"
)

// DefaultWindow is taken when neither the server nor the person says how long a prompt may be, in tokens. It is the least that
// research needs.
const DefaultWindow = 8192

// Config is how to reach a model. HTTP and BaseURL are required.
type Config struct {
	HTTP    *http.Client // reaches BaseURL and nothing else
	BaseURL string       // "http://127.0.0.1:8080/v1"; without a path, /v1 is added
	Model   string       // as the server names it. If empty, the first that it lists
	// Key is sent as a bearer token when it is not empty. It reaches no message, log or record.
	Key string
	// Embedding names the model that embeds. If empty, nothing is embedded.
	Embedding string
	// NumCtx is the window, in tokens. If zero, what the server says, else [DefaultWindow].
	NumCtx int
	// TokensPerByte is what [Model.Limits] gave for the same model before. If zero, it is measured at the first call.
	TokensPerByte float64
	// Deadline bounds one call from its start. If zero, 15 minutes.
	Deadline time.Duration
	// First bounds the wait for the first token. If zero, 10 minutes.
	First time.Duration
	// Idle bounds the silence between two tokens. If zero, 90 seconds.
	Idle time.Duration
	// Pause is the first wait after a busy answer; it doubles twice. If zero, 2 seconds.
	Pause time.Duration
	// Poll is the time between two looks for a server that is gone. If zero, 1 second.
	Poll time.Duration
	// Look bounds what New asks the server. If zero, 15 seconds.
	Look time.Duration
	// Note, when set, gets what the person should know. It must not block.
	Note func(research.Note)
}

// Model is one model of one server for the length of a run. It is safe for concurrent use.
type Model struct {
	cfg    Config
	base   *url.URL
	numCtx int
	// parallel is how many calls the server answers at once.
	parallel int

	turn  chan struct{} // holds one token; whoever has it measures the model
	mu    sync.Mutex    // guards what follows
	ready bool          // the model was measured
	count window.Counter
	takes takes
}

// takes are the fields of a request that a server accepts. All are tried until one is refused by name.
type takes struct {
	schema, seed, usage bool
	limit               string // the name of the bound on the answer: "max_tokens", or "max_completion_tokens"
}

// New asks the server for its models. It loads none. The error wraps [research.ErrUnavailable], [research.ErrMissing],
// [research.ErrForbidden], [research.ErrServer] or [research.ErrHung] when that is why.
func New(ctx context.Context, cfg Config) (*Model, error) {
	if cfg.HTTP == nil {
		return nil, fmt.Errorf("model server %s: no HTTP client given", cfg.BaseURL)
	}
	base, err := parseBase(cfg.BaseURL)
	if err != nil {
		return nil, err
	}
	setDefault(&cfg.Deadline, 15*time.Minute)
	setDefault(&cfg.First, 10*time.Minute)
	setDefault(&cfg.Idle, 90*time.Second)
	setDefault(&cfg.Pause, 2*time.Second)
	setDefault(&cfg.Poll, time.Second)
	setDefault(&cfg.Look, 15*time.Second)
	m := &Model{cfg: cfg, base: base, turn: make(chan struct{}, 1), takes: takes{schema: true, seed: true, usage: true, limit: "max_tokens"}}
	ctx, cancel := context.WithTimeoutCause(ctx, cfg.Look, research.ErrHung)
	defer cancel()
	models, err := m.list(ctx)
	if err != nil {
		return nil, err
	}
	one, err := choose(models, cfg.Model)
	if err != nil {
		return nil, fmt.Errorf("model server %s: %w", base, err)
	}
	m.cfg.Model = one.ID
	m.numCtx = m.window(ctx, one)
	m.count = window.New(cfg.TokensPerByte)
	return m, nil
}

// parseBase reads the address of a server.
func parseBase(s string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimRight(strings.TrimSpace(s), "/"))
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("the address of a model server must be such as http://127.0.0.1:8080/v1, without a name or key in it")
	}
	if u.Path == "" {
		u.Path = "/v1"
	}
	return u, nil
}

func setDefault(d *time.Duration, to time.Duration) {
	if *d == 0 {
		*d = to
	}
}

// Name is the model as the server names it.
func (m *Model) Name() string { return m.cfg.Model }

// Limits returns the window and the token count of a byte, which rises when a call was denser than any before.
func (m *Model) Limits() research.Limits {
	m.mu.Lock()
	defer m.mu.Unlock()
	return research.Limits{Name: "openai:" + m.cfg.Model, NumCtx: m.numCtx, TokensPerByte: m.count.Most(), Embeds: m.cfg.Embedding != "", Parallel: m.parallel}
}

// Wait returns when the server answers again, or with the context's error.
func (m *Model) Wait(ctx context.Context) error {
	for {
		if m.alive(ctx) {
			return nil
		}
		if err := sleep(ctx, m.cfg.Poll); err != nil {
			return err
		}
	}
}

// alive reports whether the server answers at all, whatever it says.
func (m *Model) alive(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	resp, err := m.do(ctx, http.MethodGet, m.base.JoinPath("models"), nil)
	if err != nil {
		return false
	}
	return resp.Body.Close() == nil && resp.StatusCode < http.StatusInternalServerError
}

// Embed returns one vector a text, in order, all of one length.
func (m *Model) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if m.cfg.Embedding == "" {
		return nil, fmt.Errorf("no embedding model was named: %w", research.ErrMissing)
	}
	const batch = 32 // texts a request: small enough to be stopped soon
	out := make([][]float32, 0, len(texts))
	for len(texts) > 0 {
		n := min(batch, len(texts))
		vectors, err := m.embed(ctx, texts[:n])
		if err != nil {
			return nil, err
		}
		for _, v := range vectors {
			if len(v) == 0 || len(out) > 0 && len(v) != len(out[0]) {
				return nil, fmt.Errorf("embed with %s: a vector of %d numbers: %w", m.cfg.Embedding, len(v), research.ErrServer)
			}
			out = append(out, v)
		}
		texts = texts[n:]
	}
	return out, nil
}

func (m *Model) embed(ctx context.Context, texts []string) ([][]float32, error) {
	callCtx, cancel := context.WithTimeoutCause(ctx, m.cfg.Deadline, research.ErrHung)
	defer cancel()
	var got struct {
		Data []struct {
			Index     int       `json:"index"`
			Embedding []float32 `json:"embedding"`
		} `json:"data"`
	}
	if err := m.json(callCtx, m.base.JoinPath("embeddings"), map[string]any{"model": m.cfg.Embedding, "input": texts, "encoding_format": "float"}, &got); err != nil {
		return nil, m.fault(ctx, callCtx, "embed", err)
	}
	out := make([][]float32, len(texts))
	for _, d := range got.Data {
		if d.Index >= 0 && d.Index < len(out) {
			out[d.Index] = d.Embedding
		}
	}
	if len(got.Data) != len(texts) {
		return nil, fmt.Errorf("embed with %s: %d vectors for %d texts: %w", m.cfg.Embedding, len(got.Data), len(texts), research.ErrServer)
	}
	return out, nil
}

// maxReply bounds a reply that is read whole, in bytes: a list of models, an error, a batch of vectors.
const maxReply = 32 << 20

// do sends one request. The caller closes the body.
func (m *Model) do(ctx context.Context, method string, u *url.URL, body any) (*http.Response, error) {
	var rd io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			return nil, fmt.Errorf("write the request: %w", err)
		}
		rd = bytes.NewReader(b)
	}
	req, err := http.NewRequestWithContext(ctx, method, u.String(), rd)
	if err != nil {
		return nil, err
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if m.cfg.Key != "" {
		req.Header.Set("Authorization", "Bearer "+m.cfg.Key)
	}
	return m.cfg.HTTP.Do(req)
}

// json sends body, or asks when there is none, and reads the reply into out. A status that is no success gives a [*statusError].
func (m *Model) json(ctx context.Context, u *url.URL, body, out any) (err error) {
	method := http.MethodGet
	if body != nil {
		method = http.MethodPost
	}
	resp, err := m.do(ctx, method, u, body)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, resp.Body.Close()) }()
	b, err := io.ReadAll(io.LimitReader(resp.Body, maxReply))
	if err != nil {
		return err
	}
	if resp.StatusCode/100 != 2 {
		return newStatusError(resp.StatusCode, b)
	}
	if err := json.Unmarshal(b, out); err != nil {
		return errForeign
	}
	return nil
}

func (m *Model) note(level, format string, args ...any) {
	if m.cfg.Note != nil {
		m.cfg.Note(research.Note{Level: level, Text: fmt.Sprintf(format, args...)})
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
