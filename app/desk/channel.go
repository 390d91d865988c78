package desk

import (
	"context"
	"fmt"
	"net"
	"strings"

	"assay/engine"
	"assay/engine/extractive"
	"assay/engine/research"
)

// defaultOllama is where Ollama answers unless told otherwise.
const defaultOllama = "http://127.0.0.1:11434"

// Channel says who would answer a run that is started now.
type Channel struct {
	Name  string `json:"name"` // "extractive", "ollama:NAME", "openai:NAME", "recorded", or two of the second and third with a comma
	Why   string `json:"why"`  // one sentence
	model engine.Model
	close func() // nil: nothing to close
	spot  *spot  // where the model is loaded; nil for a channel without a server

	// other is the second half of a pair; nil otherwise. It answers when model cannot, or, with otherFirst, before it. note hears
	// when they change.
	other      engine.Model
	otherFirst bool
	note       func(research.Note)
}

// pinnedLoad are the window and the batch of a run that began with them. The zero value lets them be planned.
type pinnedLoad struct {
	NumCtx, NumBatch int
	TokensPerByte    float64
}

// end lets go what the channel holds.
func (c Channel) end() error {
	if c.close != nil {
		c.close()
	}
	return nil
}

// Channel returns who answers a run under the settings, asking the model server if need be.
func (d *Desk) Channel(ctx context.Context) (Channel, error) {
	egress := research.Web
	if d.Settings().Offline {
		egress = research.Closed
	}
	ch, err := d.channel(ctx, or(d.Settings().Model, "auto"), egress, pinnedLoad{}, told{})
	if err != nil {
		return Channel{}, err
	}
	return ch, ch.end()
}

// channel chooses who answers. The error wraps [research.ErrUnavailable] or [research.ErrMissing] when the one that was asked
// for cannot.
func (d *Desk) channel(ctx context.Context, model string, egress research.Egress, at pinnedLoad, tell told) (Channel, error) {
	if first, second, two := strings.Cut(model, ","); two {
		return d.pairChannel(ctx, first, second, egress, at, tell)
	}
	kind, name, _ := strings.Cut(model, ":")
	switch kind {
	case "extractive":
		return Channel{Name: "extractive", Why: "The extractive channel was asked for.", model: extractive.Model{}}, nil
	case "recorded":
		return d.recordedChannel(name)
	case "openai":
		return d.openaiChannel(ctx, name, egress, at, tell)
	case "ollama":
		return d.wire.ollama(ctx, name, egress, at, tell)
	}
	ch, err := d.wire.ollama(ctx, "", egress, at, tell)
	if err != nil {
		return Channel{Name: "extractive", Why: "No model was used because " + err.Error() + ".", model: extractive.Model{}}, ctx.Err()
	}
	return ch, nil
}

// ollamaURL is where the model server is asked for: the settings, then OLLAMA_HOST in any of its forms, then the default.
func (d *Desk) ollamaURL() string {
	if u := d.Settings().OllamaURL; u != "" {
		return strings.TrimRight(u, "/")
	}
	return ollamaHost(d.getenv("OLLAMA_HOST"))
}

// ollamaHost makes an address of OLLAMA_HOST, which may lack the scheme, the port or the host, and may be the address a server
// listens on.
func ollamaHost(s string) string {
	s = strings.TrimRight(strings.TrimSpace(s), "/")
	if s == "" {
		return defaultOllama
	}
	scheme, rest, found := strings.Cut(s, "://")
	if !found {
		scheme, rest = "http", s
	}
	if at := strings.LastIndex(rest, "@"); at >= 0 {
		rest = rest[at+1:] // a sign-in is not sent to a model server, and a password is never shown
	}
	host, port, err := net.SplitHostPort(rest)
	if err != nil {
		host, port = strings.Trim(rest, "[]"), "11434"
		if found && scheme == "https" {
			port = "443"
		} else if found {
			port = "80"
		}
	}
	if host == "" || host == "0.0.0.0" || host == "::" { // where a server listens is not where a client asks
		host = "127.0.0.1"
	}
	return fmt.Sprintf("%s://%s", scheme, net.JoinHostPort(host, or(port, "11434")))
}
