package ollama

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/ollama/ollama/api"

	"assay/engine/research"
)

var (
	errCut        = errors.New("the stream ended before its answer did")
	errNoThinking = fmt.Errorf("the model does not reason on demand: %w", research.ErrServer)
	errNotRun     = saying(research.ErrServer, "update Ollama, get the model again, or choose another")
	errNotOllama  = fmt.Errorf("something else answers: %w", research.ErrRefused)
)

// ErrMemory: the model cannot be loaded, or an answer not computed, because memory is missing. It is a fault of the server
// ([research.ErrServer]) that passes when other programs give memory back.
var ErrMemory = fmt.Errorf("memory is missing: %w", research.ErrServer)

// fault says what an error of the client means. ctx is the caller's, callCtx the one that the call ran under, whose cause
// tells a hung call from a stopped one.
func (m *Model) fault(ctx, callCtx context.Context, what string, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return fmt.Errorf("%s with %s: %w", what, m.cfg.Model, ctx.Err())
	}
	if errors.Is(context.Cause(callCtx), research.ErrHung) {
		return fmt.Errorf("%s with %s: nothing came for too long: %w", what, m.cfg.Model, research.ErrHung)
	}
	if say, kind := judge(err); kind != nil {
		return fmt.Errorf("%s with %s: %s: %w", what, m.cfg.Model, say, kind)
	}
	// Whatever else broke the connection: is anybody there?
	if !m.alive(ctx) {
		if ctx.Err() != nil {
			return fmt.Errorf("%s with %s: %w", what, m.cfg.Model, ctx.Err())
		}
		return fmt.Errorf("%s with %s: nobody answers at %s: %w", what, m.cfg.Model, m.cfg.BaseURL, research.ErrUnavailable)
	}
	return fmt.Errorf("%s with %s: %s: %w", what, m.cfg.Model, short(err.Error()), research.ErrServer)
}

// judge reads the server's own words; a nil kind means that it said nothing.
func judge(err error) (say string, kind error) {
	var auth api.AuthorizationError
	if errors.As(err, &auth) {
		return "the server wants a sign-in, which a model of this machine does not", research.ErrForbidden
	}
	var status api.StatusError
	code, text := 0, err.Error()
	if errors.As(err, &status) {
		code, text = status.StatusCode, status.ErrorMessage
	}
	low := strings.ToLower(text)
	switch {
	case contains(low, "exceeds the context", "exceeds the available context", "exceed context", "context length exceeded", "context size", "input length exceeds", "maximum context length", "no user query found"):
		return "the server says that the prompt exceeds its window", research.ErrTooLong
	case contains(low, "does not support thinking", "think value"):
		return short(text), errNoThinking
	case code == 0:
		return "", nil
	case code == http.StatusNotFound && !strings.Contains(low, "model"):
		return "the address does not answer as an Ollama server does; check it", errNotOllama
	case code == http.StatusNotFound:
		return short(text), research.ErrMissing
	case code == http.StatusTooManyRequests, code == http.StatusServiceUnavailable:
		return short(text), research.ErrBusy
	case contains(low, memoryWords...):
		return "the model does not fit into memory; choose a smaller one or a smaller window (" + short(text) + ")", ErrMemory
	}
	if strings.Contains(low, "unable to load model") { // its own words name a file of its store, which helps nobody
		return "the server cannot run this model: its file is damaged, or its architecture is not one that this release of Ollama knows", errNotRun
	}
	if research.RefusedFor(code) {
		return statusWords(api.StatusError{StatusCode: code, ErrorMessage: text}), research.ErrRefused
	}
	return statusWords(api.StatusError{StatusCode: code, ErrorMessage: text}), research.ErrServer
}

// memoryWords are what servers say when memory is missing: of Ollama 0.17.4 (llm/server.go, ml/device.go, runner), of the
// allocators of ggml, and of llama-server.
var memoryWords = []string{
	"requires more system memory", "out of memory", "cudamalloc", "memory layout cannot be allocated", "failed to allocate",
	"failed to commit memory", "insufficient memory", "unable to allocate", "unable to load full model on gpu", "not enough memory",
}

func contains(s string, any ...string) bool {
	for _, a := range any {
		if strings.Contains(s, a) {
			return true
		}
	}
	return false
}

// statusWords are a status and what came with it, if anything did.
func statusWords(s api.StatusError) string {
	if text := short(s.ErrorMessage); text != "" {
		return fmt.Sprintf("status %d, %s", s.StatusCode, text)
	}
	return fmt.Sprintf("status %d without a word", s.StatusCode)
}

// short keeps a server's words to a line of a message.
func short(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 160 {
		return string(r[:160]) + "..."
	}
	return s
}

// saying is an error of a kind whose sentence says what to do by itself: the kind is for errors.Is, and its own words are left out.
func saying(kind error, format string, args ...any) error {
	return &sentence{fmt.Sprintf(format, args...), kind}
}

type sentence struct {
	text string
	kind error
}

func (e *sentence) Error() string { return e.text }
func (e *sentence) Unwrap() error { return e.kind }
