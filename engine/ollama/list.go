package ollama

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/ollama/ollama/api"

	"assay/engine/research"
)

// Models is what a server has.
type Models struct {
	BaseURL string      `json:"base_url"`
	Version string      `json:"version"` // "0.0.0" is a build that does not say
	Models  []Installed `json:"models"`  // in the server's order, newest first
	// Bytes is the sum of the sizes; models that share bytes are counted with them each, so the disk may hold less.
	Bytes int64 `json:"bytes"`
	// Loaded is what is in memory now; nil when the server does not say, which is not the same as nothing.
	Loaded []Running `json:"loaded"`
}

// Installed is a model of a server.
type Installed struct {
	Info
	ModifiedMs int64 `json:"modified_ms"` // Unix time; 0 when the server does not say
	// Running is set while the model is in memory, by /api/ps and nothing else.
	Running *Running `json:"running,omitempty"`
}

// Running is a model in memory, as /api/ps says.
type Running struct {
	Name   string `json:"name"`
	Digest string `json:"digest"`
	// Size is all it holds and SizeVRAM what of it is on a card, in bytes. Equal: wholly on the card. To release 0.24 the
	// numbers are an estimate for some architectures.
	Size     int64 `json:"size"`
	SizeVRAM int64 `json:"size_vram"`
	// ContextLength is the window of one call, in tokens; 0 when the server does not say.
	ContextLength int `json:"context_length"`
	// ExpiresMs is when it is let go, Unix time; 0 when it stays until it is unloaded, or when the server does not say.
	ExpiresMs int64 `json:"expires_ms"`
}

// is reports whether r is the model of this name.
func (r Running) is(name string) bool {
	want, err := ParseName(name)
	if err != nil {
		return r.Name == name
	}
	have, err := ParseName(r.Name)
	return err == nil && have.Same(want)
}

// far is how far ahead an expiry means never: the server adds about 292 years for a negative keep-alive.
const far = 50 * 365 * 24 * time.Hour

// List returns the models of the server with what each can do. Models that the server forwards to another host are in the
// list, with [Info.Remote]. The error wraps [research.ErrUnavailable] when nobody answers.
func (a *Admin) List(ctx context.Context) (Models, error) {
	ctx, cancel := a.look(ctx)
	defer cancel()
	out := Models{BaseURL: a.base, Models: []Installed{}}
	var err error
	if out.Version, err = a.api.Version(ctx); err != nil {
		return out, lookFault(ctx, a.base, err)
	}
	list, err := a.api.List(ctx)
	if err != nil {
		return out, lookFault(ctx, a.base, err)
	}
	if out.Loaded, err = a.Running(ctx); err != nil {
		out.Loaded = nil // an old server; what is loaded is then unknown
	}
	const most = 256 // models that are asked about; more are listed only
	for i, l := range list.Models {
		m := Installed{Info: listed(l)}
		if !l.ModifiedAt.IsZero() {
			m.ModifiedMs = l.ModifiedAt.UnixMilli()
		}
		if i < most && m.Remote == "" {
			if full, err := ask(ctx, a.api, a.base, l.Name); err == nil {
				full.Digest, full.Size = l.Digest, believed(l.Size)
				m.Info = full
			}
		}
		for j := range out.Loaded {
			if r := out.Loaded[j]; r.Name == l.Name || r.is(l.Name) {
				m.Running, m.Loaded = &r, true
			}
		}
		out.Bytes += m.Size
		out.Models = append(out.Models, m)
	}
	return out, nil
}

// Running returns what is in memory now.
func (a *Admin) Running(ctx context.Context) ([]Running, error) {
	ps, err := a.api.ListRunning(ctx)
	if err != nil {
		return nil, lookFault(ctx, a.base, err)
	}
	out := []Running{}
	for _, p := range ps.Models {
		r := Running{Name: p.Name, Digest: p.Digest, Size: p.Size, SizeVRAM: p.SizeVRAM, ContextLength: p.ContextLength}
		if !p.ExpiresAt.IsZero() && p.ExpiresAt.Sub(a.now()) < far {
			r.ExpiresMs = p.ExpiresAt.UnixMilli()
		}
		out = append(out, r)
	}
	return out, nil
}

// Describe asks about one model. It does not load it.
func (a *Admin) Describe(ctx context.Context, name string) (Info, error) {
	if _, err := ParseName(name); err != nil {
		return Info{}, err
	}
	ctx, cancel := a.look(ctx)
	defer cancel()
	return describe(ctx, a.api, a.base, name)
}

// Show returns the server's whole answer to /api/show about one model, as it came, and what it means. The server leaves out
// arrays unless it is asked for all; where one other than the vocabulary is left out it is asked again for all, and then the
// vocabulary is there too, which is megabytes.
func (a *Admin) Show(ctx context.Context, name string) ([]byte, Info, error) {
	info, err := a.Describe(ctx, name)
	if err != nil {
		return nil, info, err
	}
	ctx, cancel := a.look(ctx)
	defer cancel()
	for _, all := range []bool{false, true} {
		raw, err := a.post(ctx, "/api/show", &api.ShowRequest{Model: name, Verbose: all})
		if err != nil {
			return nil, info, a.fault(ctx, "show", name, err)
		}
		var shown struct {
			Info map[string]json.RawMessage `json:"model_info"`
		}
		if err := json.Unmarshal(raw, &shown); err != nil {
			return nil, info, lookFault(ctx, a.base, err)
		}
		if all || !arraysLeftOut(shown.Info) {
			return raw, info, nil
		}
	}
	panic("unreachable")
}

// arraysLeftOut reports whether a value other than the vocabulary's is null.
func arraysLeftOut(info map[string]json.RawMessage) bool {
	for key, value := range info {
		if string(value) == "null" && !strings.HasPrefix(key, "tokenizer.") {
			return true
		}
	}
	return false
}

// describe asks the server about one model. The digest and the size stand in the list only; a server without one leaves them
// empty.
func describe(ctx context.Context, client *api.Client, base, name string) (Info, error) {
	info, err := ask(ctx, client, base, name)
	if err != nil {
		return info, err
	}
	if list, err := client.List(ctx); err == nil {
		for _, l := range list.Models {
			if l.Name == name || l.Name == name+":latest" {
				info.Digest, info.Size = l.Digest, believed(l.Size)
			}
		}
	}
	return info, nil
}

// ask reads what /api/show says.
func ask(ctx context.Context, client *api.Client, base, name string) (Info, error) {
	if name == "" {
		return Info{}, saying(research.ErrMissing, "no model named")
	}
	show, err := client.Show(ctx, &api.ShowRequest{Model: name})
	if err != nil {
		var status api.StatusError
		if errors.As(err, &status) && status.StatusCode == http.StatusNotFound && strings.Contains(status.ErrorMessage, "model") {
			return Info{}, saying(research.ErrMissing, "the server at %s has no model %s; `assay models pull %s` gets it", base, name, name)
		}
		if status.StatusCode >= http.StatusInternalServerError { // of an Ollama server, if it is one, it is about the model
			if _, none := client.Version(ctx); none == nil {
				return Info{}, saying(research.ErrServer, "the server at %s has model %s and cannot describe it (%s): its file is damaged or missing; delete it and get it again, or look at the server's log", base, name, statusWords(status))
			}
		}
		return Info{}, fmt.Errorf("ask about model %s: %w", name, lookFault(ctx, base, err))
	}
	info := Info{
		Name: name, Family: show.Details.Family, Parameters: show.Details.ParameterSize, Quantization: show.Details.QuantizationLevel,
		Remote: show.RemoteHost,
	}
	if info.Remote == "" && (show.RemoteModel != "" || forwarded(name)) {
		info.Remote = "the cloud"
	}
	arch, _ := show.ModelInfo["general.architecture"].(string)
	if n, ok := show.ModelInfo[arch+".context_length"].(float64); ok {
		info.ContextLength = int(n)
	}
	for _, c := range show.Capabilities {
		switch string(c) {
		case "completion":
			info.Completes = true
		case "embedding":
			info.Embeds = true
		case "thinking":
			info.Thinks = true
		}
		info.Capabilities = append(info.Capabilities, string(c))
	}
	if len(show.Capabilities) == 0 { // a release that does not say
		info.Completes = true
	}
	info.noSystem = show.Template != "" && show.Renderer == "" && !strings.Contains(show.Template, ".System") && !strings.Contains(show.Template, ".Messages")
	return info, nil
}

// maxModel bounds the bytes of a model, of which the largest known has 2 TB. A size beyond it is a registry's invention that the
// server repeats, and unknown: it would make nonsense of every sum.
const maxModel = 1 << 44

// believed is the size that a list says; 0, unknown, when it cannot be.
func believed(n int64) int64 {
	if n < 0 || n > maxModel {
		return 0
	}
	return n
}

// listed is what a line of the list says.
func listed(l api.ListModelResponse) Info {
	info := Info{Name: l.Name, Digest: l.Digest, Size: believed(l.Size), Family: l.Details.Family, Parameters: l.Details.ParameterSize, Quantization: l.Details.QuantizationLevel, Remote: l.RemoteHost}
	if info.Remote == "" && (l.RemoteModel != "" || forwarded(l.Name)) {
		info.Remote = "the cloud"
	}
	return info
}
