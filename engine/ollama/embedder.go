package ollama

import (
	"context"
	"fmt"
	"time"

	"github.com/ollama/ollama/api"

	"assay/engine/research"
)

// Embedder asks one model of one server for vectors and for nothing else. It is safe for concurrent use.
type Embedder struct {
	m       *Model
	options map[string]any
}

// NewEmbedder asks the server at cfg.BaseURL about the model, which need not be one that chats. It does not load it. onProcessor
// keeps the model off the graphics cards, so that it never takes the place of another one. The errors are those of [New].
func NewEmbedder(ctx context.Context, cfg Config, onProcessor bool) (*Embedder, error) {
	client, err := dial(cfg.HTTP, cfg.BaseURL)
	if err != nil {
		return nil, err
	}
	setDefault(&cfg.KeepAlive, 10*time.Minute)
	setDefault(&cfg.Deadline, 15*time.Minute)
	setDefault(&cfg.Look, 15*time.Second)
	look, cancel := context.WithTimeoutCause(ctx, cfg.Look, hung(cfg.BaseURL, cfg.Look))
	defer cancel()
	info, err := describe(look, client, cfg.BaseURL, cfg.Model)
	if err != nil {
		return nil, err
	}
	if cfg.Closed && info.Remote != "" {
		return nil, saying(research.ErrForbidden, "embedding model %s runs on %s and not on this machine; choose a local one", cfg.Model, info.Remote)
	}
	e := &Embedder{m: &Model{cfg: cfg, api: client, info: info, embeds: true}}
	if onProcessor {
		e.options = map[string]any{"num_gpu": 0}
	}
	return e, nil
}

// Info returns what the server said about the model.
func (e *Embedder) Info() Info { return e.m.info }

// Name says whose vectors they are: "ollama:NAME@DIGEST", the digest cut to twelve characters.
func (e *Embedder) Name() string {
	name := "ollama:" + e.m.info.Name
	if d := e.m.info.Digest; d != "" {
		name += "@" + d[:min(len(d), 12)]
	}
	return name
}

// Embed returns one vector a text, as [Model.Embed] does.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	return e.m.embed(ctx, e.m.cfg.Model, texts, e.options)
}

// embed asks for the vectors of texts, some at a time.
func (m *Model) embed(ctx context.Context, name string, texts []string, options map[string]any) ([][]float32, error) {
	const batch = 32 // texts a request: small enough to be stopped soon
	out := make([][]float32, 0, len(texts))
	no := false
	for len(texts) > 0 {
		n := min(batch, len(texts))
		callCtx, cancel := context.WithTimeoutCause(ctx, m.cfg.Deadline, research.ErrHung)
		resp, err := m.api.Embed(callCtx, &api.EmbedRequest{Model: name, Input: texts[:n], Truncate: &no, Options: options, KeepAlive: &api.Duration{Duration: m.cfg.KeepAlive}})
		err = m.fault(ctx, callCtx, "embed", err)
		cancel()
		if err != nil {
			return nil, err
		}
		if len(resp.Embeddings) != n {
			return nil, fmt.Errorf("embed with %s: %d vectors for %d texts: %w", name, len(resp.Embeddings), n, research.ErrServer)
		}
		for _, v := range resp.Embeddings {
			if len(v) == 0 || len(out) > 0 && len(v) != len(out[0]) {
				return nil, fmt.Errorf("embed with %s: a vector of %d numbers: %w", name, len(v), research.ErrServer)
			}
			out = append(out, v)
		}
		texts = texts[n:]
	}
	return out, nil
}
