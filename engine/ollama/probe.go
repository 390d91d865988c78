package ollama

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/ollama/ollama/api"

	"assay/engine/research"
)

// Server is what a look at a server found.
type Server struct {
	BaseURL string `json:"base_url"`
	Version string `json:"version"` // "0.0.0" is a build that does not say, not an old one
	Models  []Info `json:"models"`  // in the server's order, newest first
	Auto    string `json:"auto"`    // the model that would be used; empty when there is none
	Why     string `json:"why"`     // one sentence
}

// Preferred is the model that is taken when it is there: of those that fit a card of 16 GB it follows schemas best.
const Preferred = "gpt-oss:20b"

// autoBytes is the size up to which a model is taken unasked: a card of 16 GB holds it with its window.
const autoBytes = 14 << 30

// minContext is the window that research needs, in tokens.
const minContext = 8192

// probeTime bounds a look at a server, which is done while the person waits.
const probeTime = 5 * time.Second

// Probe looks whether an Ollama server answers at base, which models it has, and which one "auto" would use: of the local
// models that chat and have a window of 8192 tokens the one that is loaded, else [Preferred], else the largest that a card of
// 16 GB holds, else the smallest. The error wraps [research.ErrUnavailable] when nobody answers.
func Probe(ctx context.Context, h *http.Client, base string) (Server, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, probeTime, hung(base, probeTime))
	defer cancel()
	s := Server{BaseURL: base}
	client, err := dial(h, base)
	if err != nil {
		return s, err
	}
	if s.Version, err = client.Version(ctx); err != nil {
		return s, lookFault(ctx, base, err)
	}
	list, err := client.List(ctx)
	if err != nil {
		return s, lookFault(ctx, base, err)
	}
	loaded := map[string]bool{}
	if ps, err := client.ListRunning(ctx); err == nil {
		for _, p := range ps.Models {
			loaded[p.Digest] = true
		}
	}
	const most = 64 // models that are asked about; more are listed only
	for i, l := range list.Models {
		info := listed(l)
		if i < most && info.Remote == "" {
			if full, err := ask(ctx, client, base, l.Name); err == nil {
				full.Digest, full.Size = l.Digest, believed(l.Size)
				info = full
			}
		}
		info.Loaded = loaded[l.Digest]
		s.Models = append(s.Models, info)
	}
	s.Auto, s.Why = choose(s)
	return s, nil
}

// Auto returns the model that [Probe] would name for these, and why in one sentence.
func (m Models) Auto() (name, why string) {
	s := Server{BaseURL: m.BaseURL}
	for _, i := range m.Models {
		s.Models = append(s.Models, i.Info)
	}
	return choose(s)
}

// choose picks the model of Probe and says why.
func choose(s Server) (name, why string) {
	var best *Info
	rank := func(m Info) (int, int64) {
		switch {
		case m.Loaded:
			return 3, m.Size
		case m.Name == Preferred:
			return 2, m.Size
		case m.Size <= autoBytes:
			return 1, m.Size
		}
		return 0, -m.Size
	}
	for i := range s.Models {
		m := &s.Models[i]
		if !m.Completes || m.Remote != "" || m.ContextLength > 0 && m.ContextLength < minContext {
			continue
		}
		if best == nil {
			best = m
			continue
		}
		a, as := rank(*m)
		b, bs := rank(*best)
		if a > b || a == b && as > bs {
			best = m
		}
	}
	switch {
	case best != nil && best.Loaded:
		return best.Name, fmt.Sprintf("%s is loaded in the Ollama server at %s.", best.Name, s.BaseURL)
	case best != nil:
		return best.Name, fmt.Sprintf("The Ollama server at %s has %s.", s.BaseURL, best.Name)
	case len(s.Models) == 0:
		return "", fmt.Sprintf("The Ollama server at %s has no model yet; `ollama pull %s` gets one.", s.BaseURL, Preferred)
	}
	return "", fmt.Sprintf("The Ollama server at %s has no model of its own that chats with a window of %d tokens.", s.BaseURL, minContext)
}

// hung is the cause of a look's end when the server took the question and said nothing.
func hung(base string, after time.Duration) error {
	return saying(research.ErrHung, "the server at %s accepted a question and did not answer within %s; restart it", base, after)
}

// lookFault says why a look at a server failed.
func lookFault(ctx context.Context, base string, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	if errors.Is(err, errNotOllama) {
		return notOllama(base, "")
	}
	var status api.StatusError
	if errors.As(err, &status) {
		return notOllama(base, fmt.Sprintf(" (status %d)", status.StatusCode))
	}
	var form *json.SyntaxError
	var kind *json.UnmarshalTypeError
	if errors.As(err, &form) || errors.As(err, &kind) || strings.Contains(err.Error(), "invalid character") {
		return notOllama(base, "")
	}
	if !broke(err) { // the server's own words
		return saying(research.ErrServer, "the server at %s says: %s; look at its log", base, short(err.Error()))
	}
	return saying(research.ErrUnavailable, "no Ollama server answers at %s; start Ollama, or have Assay start it (assay server start)", base)
}

// broke reports whether an error is one of the connection. What a server itself writes into an answer, the official client makes
// errors of, too, and their words may be those of a broken connection: "unexpected EOF" of a file that it read.
func broke(err error) bool {
	var dead *url.Error
	var network net.Error
	return errors.As(err, &dead) || errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, errCut)
}

// notOllama says that something else answers at an address.
func notOllama(base, how string) error {
	return saying(research.ErrServer, "%s answers, but not as an Ollama server does%s; %s", base, how, addressHint(base))
}

// addressHint says what is most likely wrong with the address of a server that is none.
func addressHint(base string) string {
	if u, err := url.Parse(base); err == nil && strings.Trim(u.Path, "/") != "" {
		return fmt.Sprintf("leave %s out of the address, as in %s://%s", strings.TrimRight(u.Path, "/"), u.Scheme, u.Host)
	}
	return "check the address, which is one such as http://127.0.0.1:11434"
}
