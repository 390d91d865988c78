package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"assay/engine/research"
)

// statusError is a refusal in the server's own words.
type statusError struct {
	code int // 0 inside a stream
	text string
}

func (e *statusError) Error() string { return fmt.Sprintf("status %d, %s", e.code, short(e.text)) }

// newStatusError reads a refusal: {"error":{"message":"..."}}, {"error":"..."}, {"message":"..."}, {"detail":"..."} or plain text.
func newStatusError(code int, body []byte) *statusError {
	var got struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
		Detail  json.RawMessage `json:"detail"`
	}
	text := string(body)
	if json.Unmarshal(body, &got) == nil {
		var inner struct {
			Message string `json:"message"`
		}
		var plain string
		switch {
		case json.Unmarshal(got.Error, &inner) == nil && inner.Message != "":
			text = inner.Message
		case json.Unmarshal(got.Error, &plain) == nil && plain != "":
			text = plain
		case got.Message != "":
			text = got.Message
		case len(got.Detail) > 0:
			text = string(got.Detail)
		}
	}
	return &statusError{code, text}
}

// lookFault says why a look at a server failed.
func (m *Model) lookFault(ctx context.Context, err error) error {
	base := m.base.String()
	if cause := context.Cause(ctx); cause != nil {
		if errors.Is(cause, research.ErrHung) {
			return fmt.Errorf("the server at %s accepted the question which models it has and did not answer within %s: %w", base, m.cfg.Look, research.ErrHung)
		}
		return cause
	}
	var status *statusError
	switch {
	case errors.As(err, &status) && (status.code == http.StatusUnauthorized || status.code == http.StatusForbidden):
		return fmt.Errorf("the server at %s wants a key, or another one: %w", base, research.ErrForbidden)
	case errors.As(err, &status):
		return fmt.Errorf("%s: %w (status %d)", base, errForeign, status.code)
	case errors.Is(err, errForeign):
		return fmt.Errorf("%s: %w", base, err)
	}
	return fmt.Errorf("no server answers at %s: %w", base, research.ErrUnavailable)
}

// fault says what an error of a call means. ctx is the caller's, callCtx the one that the call ran under, whose cause tells a
// hung call from a stopped one.
func (m *Model) fault(ctx, callCtx context.Context, what string, err error) error {
	what += " with " + m.cfg.Model
	if ctx.Err() != nil {
		return fmt.Errorf("%s: %w", what, ctx.Err())
	}
	if errors.Is(context.Cause(callCtx), research.ErrHung) {
		return fmt.Errorf("%s: nothing came for too long: %w", what, research.ErrHung)
	}
	var status *statusError
	if errors.As(err, &status) {
		return fmt.Errorf("%s: %w: %w", what, err, judge(status))
	}
	if errors.Is(err, errForeign) {
		return fmt.Errorf("%s: %w", what, err)
	}
	if !m.alive(ctx) { // whatever else broke the connection: is anybody there?
		if ctx.Err() != nil {
			return fmt.Errorf("%s: %w", what, ctx.Err())
		}
		return fmt.Errorf("%s: nobody answers at %s: %w", what, m.base, research.ErrUnavailable)
	}
	return fmt.Errorf("%s: %s: %w", what, short(err.Error()), research.ErrServer)
}

// judge says which fault a refusal is.
func judge(e *statusError) error {
	low := strings.ToLower(e.text)
	switch {
	case contains(low, "maximum context length", "context length exceeded", "context_length_exceeded", "exceeds the available context", "exceed_context_size", "exceeds the context", "context size", "context window", "prompt is too long", "too many tokens"):
		return research.ErrTooLong
	case e.code == http.StatusUnauthorized, e.code == http.StatusForbidden, e.code == http.StatusPaymentRequired:
		return research.ErrForbidden
	case e.code == http.StatusNotFound && strings.Contains(low, "model"):
		return research.ErrMissing
	case e.code == http.StatusTooManyRequests, e.code == http.StatusServiceUnavailable:
		return research.ErrBusy
	}
	if research.RefusedFor(e.code) {
		return research.ErrRefused
	}
	return research.ErrServer
}

func contains(s string, any ...string) bool {
	for _, a := range any {
		if strings.Contains(s, a) {
			return true
		}
	}
	return false
}

// short keeps a server's words to a line of a message.
func short(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 160 {
		return string(r[:160]) + "..."
	}
	return s
}
