package ollama

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"assay/engine/answer"
	"assay/engine/enginetest"
	"assay/engine/research"
)

// TestRealServer speaks to the real server with the tiny model: its words are noise, all else is real.
func TestRealServer(t *testing.T) {
	o := enginetest.StartOllama(t)
	var notes []string
	m := open(t, o.URL, func(c *Config) {
		c.NumCtx = 4096
		c.Note = func(n research.Note) { notes = append(notes, n.Text) }
	})
	call := reader("The valve was closed at noon. [0]")
	call.Budget = 120

	t.Run("an answer under a schema", func(t *testing.T) {
		a, err := m.Chat(context.Background(), call)
		if err != nil {
			t.Fatal(err)
		}
		if a.By != "ollama:tiny" || a.NumCtx != 4096 || a.PromptTokens == 0 || a.AnswerTokens == 0 || a.DoneReason == "" {
			t.Errorf("Chat = %+v", a)
		}
		var got any
		_, err = answer.Parse(a.Text, call.Schema, &got)
		if a.DoneReason == "stop" && err != nil {
			t.Errorf("Parse(%q) = %v; a finished answer under a schema should fit", a.Text, err)
		}
	})
	t.Run("without a constraint", func(t *testing.T) {
		c := call
		c.Try, c.Budget = 1, 20
		if _, err := m.Chat(context.Background(), c); err != nil {
			t.Error(err)
		}
	})
	t.Run("the ratio", func(t *testing.T) {
		// The tiny model's vocabulary needs about one token a byte.
		if l := m.Limits(); l.TokensPerByte < 0.8 || l.TokensPerByte > 1.3 {
			t.Errorf("Limits = %+v, want about one token a byte", l)
		}
	})
	t.Run("a prompt over the window is not sent", func(t *testing.T) {
		c := call
		c.Prompt = strings.Repeat("The valve was closed. ", 250)
		if _, err := m.Chat(context.Background(), c); !errors.Is(err, research.ErrTooLong) {
			t.Errorf("Chat error = %v, want ErrTooLong", err)
		}
	})
	t.Run("the server refuses one that got through", func(t *testing.T) {
		low := open(t, o.URL, func(c *Config) { c.NumCtx, c.TokensPerByte = 4096, 0.05 })
		c := call
		c.Prompt = strings.Repeat("The valve was closed. ", 250)
		if _, err := low.Chat(context.Background(), c); !errors.Is(err, research.ErrTooLong) {
			t.Errorf("Chat error = %v, want ErrTooLong from the server", err)
		}
		if l := low.Limits(); l.TokensPerByte < 0.7 {
			t.Errorf("Limits = %+v, want the ratio raised by the refusal", l)
		}
	})
	t.Run("one window for all calls", func(t *testing.T) {
		var ps struct {
			Models []struct {
				ContextLength int `json:"context_length"`
			}
		}
		if err := json.Unmarshal([]byte(o.Running()), &ps); err != nil || len(ps.Models) != 1 || ps.Models[0].ContextLength != 4096 {
			t.Errorf("/api/ps = %s, want one model with 4096 tokens", o.Running())
		}
		if n := o.Loads(); n != 1 {
			t.Errorf("%d loads, want 1", n)
		}
		if len(notes) != 0 {
			t.Errorf("notes = %q, want none: a model without a GPU is where it can be", notes)
		}
	})
	t.Run("stopped within 2 s", func(t *testing.T) {
		c := call
		c.Schema, c.Budget = nil, 2500
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan error, 1)
		go func() { _, err := m.Chat(ctx, c); done <- err }()
		time.Sleep(300 * time.Millisecond) // it writes for seconds
		cancel()
		select {
		case err := <-done:
			if err != nil && !errors.Is(err, context.Canceled) {
				t.Errorf("Chat error = %v, want the context's", err)
			}
		case <-time.After(2 * time.Second):
			t.Fatal("Chat did not return within 2 s of the stop")
		}
	})
	t.Run("killed and started again", func(t *testing.T) {
		o.Kill()
		if _, err := m.Chat(context.Background(), call); !errors.Is(err, research.ErrUnavailable) {
			t.Fatalf("Chat error = %v, want ErrUnavailable", err)
		}
		back := make(chan error, 1)
		go func() { back <- m.Wait(context.Background()) }()
		o.Start()
		if err := <-back; err != nil {
			t.Fatal(err)
		}
		if _, err := m.Chat(context.Background(), call); err != nil {
			t.Errorf("Chat after the return: %v", err)
		}
	})
	t.Run("probe", func(t *testing.T) {
		s, err := Probe(context.Background(), client(t), o.URL)
		if err != nil || s.Auto != "tiny:latest" || !s.Models[0].Loaded || s.Models[0].ContextLength != 8192 || len(s.Models[0].Digest) != 64 {
			t.Errorf("Probe = %+v, %v", s, err)
		}
	})
}
