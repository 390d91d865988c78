// Package ollama answers model calls through an Ollama server.
//
// Start at [New], which asks the server what the model is, and [Model.Chat]. [Probe] looks for a server and says which model
// it would use. chat.go is one call and its watch, what keeps a prompt in its window is package window, probe.go
// looks at servers, fault.go turns what goes wrong into the faults of package research.
//
// [NewAdmin] is for a server's models: list.go what is there, admin.go copy, delete, load and unload, pull.go and create.go how
// models get there, name.go which names are taken. [Serve] starts the installed program as a child and keeps it running
// (serve.go, find.go, child_*.go), and serverlog.go reads what a server says in its log.
//
// Caveats: the official client (github.com/ollama/ollama/api) is used here only. It is given an *http.Client and never makes
// one. It does not tell a broken stream from a finished one; chat.go does. Releases from 0.17.4 on are known to behave as
// described here; what later ones are documented to do differently is played by the fault server of enginetest.
package ollama

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ollama/ollama/api"

	"assay/engine/research"
	"assay/engine/window"
)

// DefaultNumCtx is the window that is asked for until it is planned from the memory there is: research needs 8192 tokens, and
// a card of 16 GB holds a model of 20 billion parameters with them.
const DefaultNumCtx = 8192

// Config is how to reach a model. HTTP, BaseURL and Model are required.
type Config struct {
	HTTP    *http.Client // reaches BaseURL and nothing else
	BaseURL string       // "http://127.0.0.1:11434"
	Model   string       // as the server names it
	// Embedding names the model that embeds. If empty, Model, when it can. Another one than Model is kept off the graphics cards, so
	// that it never takes the place of Model.
	Embedding string
	// NoEmbedding says that no model embeds.
	NoEmbedding bool
	// Closed refuses models that the server forwards to another host.
	Closed bool
	// NumCtx is the window of every call of the run, in tokens. If zero, the smaller of 8192 and the model's own.
	NumCtx int
	// NumBatch, when not zero, is sent with every call.
	NumBatch int
	// TokensPerByte is what [Model.Limits] gave for the same digest before. If zero, it is measured at the first call.
	TokensPerByte float64
	// KeepAlive is how long the server keeps the model after a call. If zero, 10 minutes.
	KeepAlive time.Duration
	// Deadline bounds one call from its start. If zero, 15 minutes.
	Deadline time.Duration
	// First bounds the wait for the first token, in which the model is loaded and the prompt read. If zero, 10 minutes.
	First time.Duration
	// Idle bounds the silence between two tokens. If zero, 90 seconds.
	Idle time.Duration
	// Pause is the first wait after a busy answer; it doubles twice. If zero, 2 seconds.
	Pause time.Duration
	// Poll is the time between two looks for a server that is gone. If zero, 1 second.
	Poll time.Duration
	// Look bounds what New asks the server, in which nothing is loaded. If zero, 15 seconds.
	Look time.Duration
	// Note, when set, gets what the person should know: a model half in main memory, a window other than asked. It must not
	// block.
	Note func(research.Note)
}

// Model is one model of one server for the length of a run. It is safe for concurrent use.
type Model struct {
	cfg    Config
	api    *api.Client
	info   Info
	embeds bool
	numCtx int

	turn  chan struct{} // holds one token; whoever has it measures the model
	ready atomic.Bool   // the model was loaded and measured
	// noThink says that the server refused to be told about reasoning, whatever the model's capabilities are.
	noThink atomic.Bool

	mu    sync.Mutex
	count window.Counter // guarded by mu
}

// Info is what the server says about a model.
type Info struct {
	Name          string `json:"name"`
	Digest        string `json:"digest"`
	Size          int64  `json:"size"` // bytes on disk
	Family        string `json:"family"`
	Parameters    string `json:"parameters"`   // "20.9B"
	Quantization  string `json:"quantization"` // "MXFP4"
	ContextLength int    `json:"context_length"`
	Completes     bool   `json:"completes"`
	Embeds        bool   `json:"embeds"`
	Thinks        bool   `json:"thinks"`
	Loaded        bool   `json:"loaded"`
	// Remote is the host that the server forwards to, "the cloud" when it does not say; empty for a model of its own.
	Remote string `json:"remote,omitempty"`
	// Capabilities are the server's own words, such as "completion", "tools", "thinking", "vision"; empty when it does not say.
	Capabilities []string `json:"capabilities,omitempty"`

	noSystem bool // the model's template has no place for a system prompt
}

// New asks the server at cfg.BaseURL about the model. It does not load it. The error wraps [research.ErrUnavailable],
// [research.ErrMissing], [research.ErrForbidden], [research.ErrServer] or [research.ErrHung] when that is why.
func New(ctx context.Context, cfg Config) (*Model, error) {
	client, err := dial(cfg.HTTP, cfg.BaseURL)
	if err != nil {
		return nil, err
	}
	setDefault(&cfg.KeepAlive, 10*time.Minute)
	setDefault(&cfg.Deadline, 15*time.Minute)
	setDefault(&cfg.First, 10*time.Minute)
	setDefault(&cfg.Idle, 90*time.Second)
	setDefault(&cfg.Pause, 2*time.Second)
	setDefault(&cfg.Poll, time.Second)
	setDefault(&cfg.Look, 15*time.Second)
	ctx, cancel := context.WithTimeoutCause(ctx, cfg.Look, hung(cfg.BaseURL, cfg.Look))
	defer cancel()
	m := &Model{cfg: cfg, api: client, turn: make(chan struct{}, 1)}
	if m.info, err = describe(ctx, client, cfg.BaseURL, cfg.Model); err != nil {
		return nil, err
	}
	if cfg.Closed && m.info.Remote != "" {
		return nil, saying(research.ErrForbidden, "model %s runs on %s and not on this machine; choose a local model or open the run to the web", cfg.Model, m.info.Remote)
	}
	if !m.info.Completes {
		return nil, saying(research.ErrMissing, "model %s cannot chat; choose one that can", cfg.Model)
	}
	m.embeds = m.info.Embeds && !cfg.NoEmbedding
	if !cfg.NoEmbedding && cfg.Embedding != "" && cfg.Embedding != cfg.Model {
		e, err := describe(ctx, client, cfg.BaseURL, cfg.Embedding)
		if err != nil {
			return nil, err
		}
		if cfg.Closed && e.Remote != "" {
			return nil, fmt.Errorf("embedding model %s runs on %s and not on this machine: %w", cfg.Embedding, e.Remote, research.ErrForbidden)
		}
		m.embeds = e.Embeds
	}
	m.numCtx = cfg.NumCtx
	if m.numCtx == 0 {
		m.numCtx = DefaultNumCtx
	}
	if m.info.ContextLength > 0 {
		m.numCtx = min(m.numCtx, m.info.ContextLength)
	}
	m.count = window.New(cfg.TokensPerByte)
	return m, nil
}

func setDefault(d *time.Duration, to time.Duration) {
	if *d == 0 {
		*d = to
	}
}

// dial makes the official client over the given one.
func dial(h *http.Client, base string) (*api.Client, error) {
	if h == nil {
		return nil, fmt.Errorf("ollama %s: no HTTP client given", base)
	}
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("ollama address %q is not a URL such as http://127.0.0.1:11434", base)
	}
	return api.NewClient(u, h), nil
}

// Info returns what the server said about the model when the channel was made.
func (m *Model) Info() Info { return m.info }

// Limits returns the window and the token count of a byte, which rises when a call was denser than any before.
func (m *Model) Limits() research.Limits {
	m.mu.Lock()
	defer m.mu.Unlock()
	return research.Limits{Name: "ollama:" + m.cfg.Model, NumCtx: m.numCtx, TokensPerByte: m.count.Most(), Embeds: m.embeds}
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

// alive reports whether the server answers at all.
func (m *Model) alive(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	_, err := m.api.Version(ctx)
	return err == nil
}

// Embed returns one vector a text, in order, all of one length. A text longer than the embedding model's window is an error
// that wraps [research.ErrTooLong], not a vector of its beginning.
func (m *Model) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if !m.embeds {
		return nil, fmt.Errorf("model %s has no embeddings: %w", m.cfg.Model, research.ErrMissing)
	}
	if name := m.cfg.Embedding; name != "" && name != m.cfg.Model {
		return m.embed(ctx, name, texts, map[string]any{"num_gpu": 0})
	}
	return m.embed(ctx, m.cfg.Model, texts, nil)
}

// options are sent with every call, the same ones all through a run: another window or batch would make the server load the
// model again.
func (m *Model) options(call research.Call, predict int) map[string]any {
	o := map[string]any{"num_ctx": m.numCtx, "num_predict": predict, "seed": call.Seed, "temperature": json.Number("0")}
	if call.Temperature != "" && json.Valid([]byte(call.Temperature)) {
		o["temperature"] = json.Number(call.Temperature)
	}
	if m.cfg.NumBatch > 0 {
		o["num_batch"] = m.cfg.NumBatch
	}
	return o
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

// forwarded reports whether a name is one of the models that a server passes on to its maker's machines.
func forwarded(name string) bool {
	name = strings.TrimSuffix(name, ":latest")
	return strings.HasSuffix(name, "-cloud") || strings.HasSuffix(name, ":cloud")
}
