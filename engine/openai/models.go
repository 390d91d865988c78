package openai

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"assay/engine/research"
)

// listed is a model as a server lists it. The protocol knows its id only; the rest is what servers add: vLLM max_model_len,
// llama.cpp meta.n_ctx_train, others a context_length or context_window.
type listed struct {
	ID            string `json:"id"`
	MaxModelLen   int    `json:"max_model_len"`
	ContextLength int    `json:"context_length"`
	ContextWindow int    `json:"context_window"`
	Meta          struct {
		NCtx      int `json:"n_ctx"`
		NCtxTrain int `json:"n_ctx_train"`
	} `json:"meta"`
}

// list asks for the models of the server.
func (m *Model) list(ctx context.Context) ([]listed, error) {
	var got struct {
		Data []listed `json:"data"`
	}
	if err := m.json(ctx, m.base.JoinPath("models"), nil, &got); err != nil {
		return nil, m.lookFault(ctx, err)
	}
	return got.Data, nil
}

// Models returns the names of the models of a server. The errors are those of [New].
func Models(ctx context.Context, client *http.Client, address, key string) ([]string, error) {
	base, err := parseBase(address)
	if err != nil {
		return nil, err
	}
	m := &Model{cfg: Config{HTTP: client, BaseURL: address, Key: key, Look: 15 * time.Second}, base: base}
	ctx, cancel := context.WithTimeoutCause(ctx, m.cfg.Look, research.ErrHung)
	defer cancel()
	list, err := m.list(ctx)
	names := make([]string, len(list))
	for i, l := range list {
		names[i] = l.ID
	}
	return names, err
}

// choose finds a model by its name, which servers write with or without the folder or the ending of its file. Without a name the
// first is taken.
func choose(models []listed, name string) (listed, error) {
	if len(models) == 0 {
		return listed{}, fmt.Errorf("it lists no model: load one there: %w", research.ErrMissing)
	}
	if name == "" {
		return models[0], nil
	}
	for _, same := range []func(string) bool{
		func(id string) bool { return id == name },
		func(id string) bool { return strings.EqualFold(id, name) },
		func(id string) bool { return strings.EqualFold(plain(id), plain(name)) },
	} {
		for _, l := range models {
			if same(l.ID) {
				return l, nil
			}
		}
	}
	ids := make([]string, 0, 5)
	for _, l := range models[:min(5, len(models))] {
		ids = append(ids, l.ID)
	}
	return listed{}, fmt.Errorf("it has no model %q; it has %s: %w", name, strings.Join(ids, ", "), research.ErrMissing)
}

// plain is the name of a model without folder and ending.
func plain(id string) string {
	id = id[strings.LastIndexAny(id, `/\`)+1:]
	return strings.TrimSuffix(strings.TrimSuffix(id, ":latest"), ".gguf")
}

// Calls that a server answers at once where it does not say. vLLM batches what comes; the others have a few slots.
const (
	batching = 8
	slots    = 2
)

// window is how long prompt and answer may be together, and notes how many calls the server answers at once: the person's word, what the list says, what llama.cpp (/props) or
// LM Studio (/api/v0/models) says beside the protocol, or the least that research needs.
func (m *Model) window(ctx context.Context, one listed) int {
	m.parallel = slots
	if one.MaxModelLen > 0 { // only vLLM names it so
		m.parallel = batching
	}
	said := max(one.MaxModelLen, one.ContextLength, one.ContextWindow, one.Meta.NCtx)
	if said == 0 {
		said = m.beside(ctx, one.ID)
	}
	switch {
	case m.cfg.NumCtx > 0 && said > 0:
		return min(m.cfg.NumCtx, said)
	case m.cfg.NumCtx > 0:
		return m.cfg.NumCtx
	case said > 0:
		return said
	}
	m.note("warn", "The server at %s does not say how long a prompt of %s may be; %d tokens are taken: set the window if it is another.", m.base.Host, one.ID, DefaultWindow)
	return DefaultWindow
}

// beside asks at the addresses that single servers have beside the protocol; 0 when none says.
func (m *Model) beside(ctx context.Context, id string) int {
	root := &url.URL{Scheme: m.base.Scheme, Host: m.base.Host, Path: strings.TrimSuffix(m.base.Path, "/v1")}
	var props struct {
		Slots    int `json:"total_slots"`
		Settings struct {
			NCtx int `json:"n_ctx"`
		} `json:"default_generation_settings"`
	}
	if m.json(ctx, root.JoinPath("props"), nil, &props) == nil && props.Settings.NCtx > 0 {
		m.parallel = min(max(1, props.Slots), batching)
		return props.Settings.NCtx
	}
	var studio struct {
		Data []struct {
			ID     string `json:"id"`
			Loaded int    `json:"loaded_context_length"`
			Max    int    `json:"max_context_length"`
		} `json:"data"`
	}
	if m.json(ctx, root.JoinPath("api", "v0", "models"), nil, &studio) == nil {
		for _, l := range studio.Data {
			if l.ID == id && l.Loaded > 0 {
				return l.Loaded
			}
		}
	}
	return 0
}
