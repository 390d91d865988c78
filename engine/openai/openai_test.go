package openai

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"assay/engine/answer"
	"assay/engine/enginetest"
	"assay/engine/research"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const schema = `{"type":"object","properties":{"claims":{"type":"array","items":{"type":"string"}}},"required":["claims"]}`

func open(t *testing.T, url string, set func(*Config)) *Model {
	t.Helper()
	m, err := New(t.Context(), config(t, url, set))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func config(t *testing.T, url string, set func(*Config)) Config {
	tr := &http.Transport{}
	t.Cleanup(tr.CloseIdleConnections)
	cfg := Config{HTTP: &http.Client{Transport: tr}, BaseURL: url, Pause: time.Millisecond, Poll: time.Millisecond}
	if set != nil {
		set(&cfg)
	}
	return cfg
}

func call(prompt string) research.Call {
	return research.Call{Role: research.Reader, System: "Read.", Prompt: prompt, Schema: json.RawMessage(schema), Budget: 200, Seed: 7}
}

func TestChat(t *testing.T) {
	for name, s := range map[string]*enginetest.OpenAI{
		"vllm":       {Tells: "vllm", Window: 4096},
		"llama.cpp":  {Tells: "llama.cpp", Window: 4096},
		"lmstudio":   {Tells: "lmstudio", Window: 4096},
		"no stream":  {Tells: "vllm", Window: 4096, Whole: true},
		"no end":     {Tells: "vllm", Window: 4096, NoDone: true},
		"no counts":  {Tells: "vllm", Window: 4096, NoUsage: true},
		"a key":      {Tells: "vllm", Window: 4096, Key: "sk-secret"},
		"no schema":  {Tells: "vllm", Window: 4096, Refuses: []string{"response_format"}},
		"no options": {Tells: "vllm", Window: 4096, Refuses: []string{"seed", "stream_options", "max_tokens", "response_format"}},
	} {
		t.Run(name, func(t *testing.T) {
			enginetest.StartOpenAI(t, s)
			m := open(t, s.URL, func(c *Config) { c.Key = s.Key })
			a, err := m.Chat(t.Context(), call("The valve was closed at noon. [0]"))
			if err != nil {
				t.Fatal(err)
			}
			if a.By != "openai:tiny" || a.NumCtx != 4096 || a.DoneReason != "stop" || (a.PromptTokens == 0) != (s.NoUsage || len(s.Refuses) > 1) {
				t.Errorf("Chat = %+v", a)
			}
			var got any
			if _, err := answer.Parse(a.Text, json.RawMessage(schema), &got); err != nil && len(s.Refuses) == 0 {
				t.Errorf("Parse(%q) = %v", a.Text, err)
			}
			if l := m.Limits(); l.Name != "openai:tiny" || l.NumCtx != 4096 || l.TokensPerByte <= 0 {
				t.Errorf("Limits = %+v", l)
			}
			before := len(s.Calls())
			if _, err := m.Chat(t.Context(), call("Again.")); err != nil || len(s.Calls()) != before+1 {
				t.Errorf("a second call made %d requests, want 1: what was refused once is not sent again (%v)", len(s.Calls())-before, err)
			}
		})
	}
}

// TestFaults plays every fault shape: an answer of the model is an answer, whatever it holds; a fault of the server has its name.
func TestFaults(t *testing.T) {
	want := map[enginetest.Fault]error{
		enginetest.CutCount: research.ErrTruncated, enginetest.FullCount: research.ErrTruncated, enginetest.TooLong400: research.ErrTooLong,
		enginetest.NoQuery500: research.ErrServer, enginetest.Status400: research.ErrServer, enginetest.Status404: research.ErrMissing,
		enginetest.NotOllama404: research.ErrServer, enginetest.Status429: research.ErrBusy, enginetest.Status500: research.ErrServer,
		enginetest.Status503: research.ErrBusy, enginetest.Memory500: research.ErrServer, enginetest.Hangs: research.ErrHung,
		enginetest.HangsMidway: research.ErrHung, enginetest.DiesMidway: research.ErrServer, enginetest.EndsMidway: research.ErrServer,
		enginetest.ErrorMidway: research.ErrServer, enginetest.BadNDJSON: research.ErrServer, enginetest.HTMLInsteadOf: research.ErrServer,
	}
	for _, f := range append(append([]enginetest.Fault{}, enginetest.AnswerFaults...), enginetest.ServerFaults...) {
		t.Run(string(f), func(t *testing.T) {
			s := enginetest.StartOpenAI(t, &enginetest.OpenAI{Tells: "vllm", Fault: func(n int, _ enginetest.CompletionRequest) enginetest.Fault {
				if n < 2 { // the two that measure
					return enginetest.Good
				}
				return f
			}})
			m := open(t, s.URL, func(c *Config) {
				if f == enginetest.Hangs || f == enginetest.HangsMidway {
					c.First, c.Idle = 100*time.Millisecond, 100*time.Millisecond
				}
			})
			a, err := m.Chat(t.Context(), call(strings.Repeat("The valve was closed at noon. ", 60)))
			if !errors.Is(err, want[f]) || want[f] == nil && err != nil {
				t.Fatalf("Chat = %v, want %v", err, want[f])
			}
			if err != nil {
				if strings.Count(err.Error(), "\n") > 0 || len(err.Error()) > 500 {
					t.Errorf("the error is no sentence: %v", err)
				}
				return
			}
			if f == enginetest.ThinkingOnly && (a.Text != "" || a.Thinking == "") {
				t.Errorf("Chat = %+v, want thinking and no text", a)
			}
			if f == enginetest.Repeats && a.DoneReason == "stop" {
				t.Errorf("a runaway answer ended by itself: %q", a.DoneReason)
			}
		})
	}
}

func TestTooLongIsNotSent(t *testing.T) {
	s := enginetest.StartOpenAI(t, &enginetest.OpenAI{Tells: "vllm", Window: 2048})
	m := open(t, s.URL, nil)
	if _, err := m.Chat(t.Context(), call("Short.")); err != nil {
		t.Fatal(err)
	}
	before := len(s.Calls())
	if _, err := m.Chat(t.Context(), call(strings.Repeat("The valve was closed. ", 500))); !errors.Is(err, research.ErrTooLong) || len(s.Calls()) != before {
		t.Errorf("Chat = %v after %d requests, want ErrTooLong and none", err, len(s.Calls())-before)
	}
}

func TestStopFreesTheServer(t *testing.T) {
	s := enginetest.StartOpenAI(t, &enginetest.OpenAI{Tells: "vllm", Fault: func(n int, _ enginetest.CompletionRequest) enginetest.Fault {
		if n < 2 {
			return enginetest.Good
		}
		return enginetest.HangsMidway
	}})
	m := open(t, s.URL, nil)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := m.Chat(ctx, call("Read this.")); !errors.Is(err, context.Canceled) {
		t.Errorf("Chat = %v, want the context's error", err)
	}
	for range 400 {
		if s.Left() == 1 {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Error("the server still works for a call that was stopped")
}

func TestNewSaysWhatIsWrong(t *testing.T) {
	foreign := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>Sign in</html>")) }))
	defer foreign.Close()
	dead := enginetest.StartOpenAI(t, &enginetest.OpenAI{})
	dead.Kill()
	live := enginetest.StartOpenAI(t, &enginetest.OpenAI{Models: []string{"models/qwen3-8b.gguf"}, Key: "sk-secret"})
	none := enginetest.StartOpenAI(t, &enginetest.OpenAI{Models: []string{}})
	for _, tc := range []struct {
		url, model, key string
		is              error
		want            string
	}{
		{foreign.URL, "", "", research.ErrServer, "check its address"},
		{dead.URL, "", "", research.ErrUnavailable, "no server answers"},
		{live.URL, "", "sk-other", research.ErrForbidden, "wants a key"},
		{live.URL, "gpt-oss", "sk-secret", research.ErrMissing, "models/qwen3-8b.gguf"},
		{none.URL, "", "", research.ErrMissing, "lists no model"},
		{"ftp://x", "", "", nil, "must be such as"},
		{"http://user:sk-secret@host/v1", "", "", nil, "must be such as"},
	} {
		_, err := New(t.Context(), config(t, tc.url, func(c *Config) { c.Model, c.Key = tc.model, tc.key }))
		if err == nil || tc.is != nil && !errors.Is(err, tc.is) || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), "sk-") {
			t.Errorf("New(%s, %q) = %v, want %q", tc.url, tc.model, err, tc.want)
		}
	}
	m := open(t, live.URL, func(c *Config) { c.Model, c.Key = "qwen3-8b", "sk-secret" })
	if m.Name() != "models/qwen3-8b.gguf" {
		t.Errorf("Name = %q", m.Name())
	}
}

func TestWindowThatNobodyTells(t *testing.T) {
	s := enginetest.StartOpenAI(t, &enginetest.OpenAI{})
	var notes []string
	m := open(t, s.URL, func(c *Config) { c.Note = func(n research.Note) { notes = append(notes, n.Text) } })
	if l := m.Limits(); l.NumCtx != DefaultWindow || len(notes) != 1 {
		t.Errorf("Limits = %+v, notes %q", l, notes)
	}
	if l := open(t, s.URL, func(c *Config) { c.NumCtx = 2000 }).Limits(); l.NumCtx != 2000 {
		t.Errorf("Limits = %+v, want the window that was set", l)
	}
}

func TestEmbed(t *testing.T) {
	s := enginetest.StartOpenAI(t, &enginetest.OpenAI{})
	if _, err := open(t, s.URL, nil).Embed(t.Context(), []string{"a"}); !errors.Is(err, research.ErrMissing) {
		t.Errorf("Embed without a model = %v", err)
	}
	m := open(t, s.URL, func(c *Config) { c.Embedding = "nomic" })
	texts := make([]string, 40)
	for i := range texts {
		texts[i] = strings.Repeat("b", i+1)
	}
	got, err := m.Embed(t.Context(), texts)
	if err != nil || len(got) != 40 || got[0][0] >= got[39][0] {
		t.Errorf("Embed = %v, %v, want 40 vectors in order", got, err)
	}
}

// TestRealServer speaks to a real server of another maker: Ollama has the protocol at /v1.
func TestRealServer(t *testing.T) {
	o := enginetest.StartOllama(t)
	m := open(t, o.URL, func(c *Config) { c.NumCtx = 2048 })
	a, err := m.Chat(t.Context(), call("The valve was closed at noon. [0]"))
	if err != nil {
		t.Fatal(err)
	}
	if a.PromptTokens == 0 || a.AnswerTokens == 0 || a.DoneReason == "" || !strings.HasPrefix(a.By, "openai:tiny") {
		t.Errorf("Chat = %+v", a)
	}
	if l := m.Limits(); l.TokensPerByte < 0.5 {
		t.Errorf("Limits = %+v, want the measured ratio of the tiny model", l)
	}
}

// FuzzEvents wants that no stream makes the reader panic or keep on.
func FuzzEvents(f *testing.F) {
	f.Add("data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: [DONE]\n\n")
	f.Add("{\"choices\":[{\"message\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}")
	f.Add(": ping\n\nevent: x\ndata: {\"error\":\"no\"}\n")
	f.Add("data: {\"choices\":[{}]}")
	f.Fuzz(func(t *testing.T, text string) {
		var s stream
		err := events(strings.NewReader(text), func(c chunk) error { s.take(c); return nil })
		if err == nil && !strings.Contains(text, "[DONE]") && s.reason == "" {
			t.Errorf("a stream without an end was taken for a whole one: %q", text)
		}
	})
}
