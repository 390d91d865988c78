package ollama

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/engine/enginetest"
	"assay/engine/research"
)

// TestProveModeReal has the real server show its hand.
func TestProveModeReal(t *testing.T) {
	o := enginetest.StartOllama(t)
	o.Create("short", enginetest.Tiny{Context: 4096, Seed: 2})
	for _, tc := range []struct {
		name, model string
		ask, want   int // num_ctx
	}{
		{"the window of a run", enginetest.TinyModel, 0, 8192},
		{"another window", enginetest.TinyModel, 2048, 2048},
		{"a model made for less", "short", 0, 4096},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := open(t, o.URL, func(c *Config) { c.Model, c.NumCtx = tc.model, tc.ask })
			mode, err := m.ProveMode(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if mode.Fault != "" || mode.Version != "0.17.4" || mode.AskedContext != tc.want || mode.HeldContext == nil || *mode.HeldContext != tc.want {
				t.Errorf("mode = %+v, want a window of %d", mode, tc.want)
			}
			if mode.AskedThinking != "none" || mode.Thinking == nil || *mode.Thinking {
				t.Errorf("thinking %q, %v; the tiny model has none", mode.AskedThinking, mode.Thinking)
			}
			if mode.SchemaKept == nil || !*mode.SchemaKept || mode.PromptTokens == nil || *mode.PromptTokens < 10 {
				t.Errorf("schema kept %v, prompt of %v tokens", mode.SchemaKept, mode.PromptTokens)
			}
			if mode.Size == nil || *mode.Size == 0 || mode.SizeVRAM == nil || mode.TokensPerSec == nil {
				t.Errorf("size %v, on the GPU %v, speed %v", mode.Size, mode.SizeVRAM, mode.TokensPerSec)
			}
			var paths []string
			for _, e := range mode.Exchanges {
				paths = append(paths, e.Path)
				if e.Status != http.StatusOK || e.Got == "" || (e.Method == http.MethodPost) != strings.Contains(e.Sent, `"num_ctx":`) {
					t.Errorf("exchange %+v", e)
				}
			}
			if !slices.Equal(paths, []string{"/api/version", "/api/chat", "/api/chat", "/api/ps"}) {
				t.Errorf("asked %q", paths)
			}
		})
	}
}

// thinker is a server whose one model can reason.
func thinker(t *testing.T, family string, spoil enginetest.Fault) *enginetest.Server {
	s := enginetest.NewServer(t)
	s.Models = []enginetest.ServerModel{{Name: enginetest.TinyModel, Family: family, Capabilities: []string{"completion", "thinking"}}}
	s.Fault = func(int, enginetest.ChatRequest) enginetest.Fault { return spoil }
	s.Answer = modeAnswer
	return s
}

// modeAnswer answers as a good model would.
func modeAnswer(r enginetest.ChatRequest) string {
	if len(r.Format) > 0 {
		return enginetest.FitFor(r.Format)
	}
	return "The sea is wide."
}

func TestProveModeThinking(t *testing.T) {
	for _, tc := range []struct {
		name, family string
		spoil        enginetest.Fault
		asked        string
		shown, leaks bool
	}{
		{"turned off", "qwen3", enginetest.Good, "off", false, false},
		{"turned off in vain", "qwen3", enginetest.ThinkingInto, "off", false, true},
		{"as little as it can", "gptoss", enginetest.Good, "low", true, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := thinker(t, tc.family, tc.spoil)
			mode, err := open(t, s.URL, nil).ProveMode(t.Context())
			if err != nil || mode.Fault != "" {
				t.Fatalf("ProveMode = %+v, %v", mode, err)
			}
			if mode.AskedThinking != tc.asked || *mode.Thinking != tc.shown || *mode.ThinkingInText != tc.leaks {
				t.Errorf("thinking asked %q, shown %v, in the text %v; want %q, %v, %v", mode.AskedThinking, *mode.Thinking, *mode.ThinkingInText, tc.asked, tc.shown, tc.leaks)
			}
		})
	}
}

// TestProveModeRefused: what a server refuses or bends is evidence.
func TestProveModeRefused(t *testing.T) {
	for _, tc := range []struct {
		name   string
		edit   func(*enginetest.Server)
		fault  string
		memory bool
		schema bool
	}{
		{"no memory", func(s *enginetest.Server) { s.Next(enginetest.Memory500) }, "does not fit into memory", true, false},
		{"no memory for the second", func(s *enginetest.Server) { s.Next(enginetest.Good, enginetest.Memory500) }, "does not fit into memory", true, false},
		{"broken", func(s *enginetest.Server) { s.Next(enginetest.Status500) }, "status 500", false, false},
		{"busy", func(s *enginetest.Server) { s.Next(enginetest.Status503) }, "status 503", false, false},
		{"ended midway", func(s *enginetest.Server) { s.Next(enginetest.EndsMidway) }, "does not end", false, false},
		{"an error midway", func(s *enginetest.Server) { s.Next(enginetest.ErrorMidway) }, "unexpected EOF", false, false},
		{"a page", func(s *enginetest.Server) { s.Next(enginetest.HTMLInsteadOf) }, "does not end", false, false},
		{"schema not kept", func(s *enginetest.Server) { s.Next(enginetest.Good, enginetest.ProseAround) }, "", false, false},
		{"schema kept", func(*enginetest.Server) {}, "", false, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := enginetest.NewServer(t)
			s.Answer = modeAnswer
			m := open(t, s.URL, nil)
			tc.edit(s)
			mode, err := m.ProveMode(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if (tc.fault == "") != (mode.Fault == "") || !strings.Contains(mode.Fault, tc.fault) || mode.Memory != tc.memory {
				t.Errorf("fault %q, memory %v; want %q, %v", mode.Fault, mode.Memory, tc.fault, tc.memory)
			}
			if tc.fault == "" && (mode.SchemaKept == nil || *mode.SchemaKept != tc.schema || mode.HeldContext == nil) {
				t.Errorf("mode %+v, want the schema kept: %v", mode, tc.schema)
			}
		})
	}
}

// TestProveModeWindow: the window is what /api/ps says, not what was asked for.
func TestProveModeWindow(t *testing.T) {
	s := enginetest.NewServer(t)
	s.Models = []enginetest.ServerModel{{Name: enginetest.TinyModel, Context: 32768, LoadedContext: 4096, Size: 100, SizeVRAM: 60}}
	s.Answer = modeAnswer
	mode, err := open(t, s.URL, nil).ProveMode(t.Context())
	if err != nil || mode.AskedContext != 8192 || *mode.HeldContext != 4096 || *mode.Size != 100 || *mode.SizeVRAM != 60 {
		t.Errorf("ProveMode = %+v, %v", mode, err)
	}
}

// TestProveModeOlder: a release that does not tell leaves the figures unknown, not 0.
func TestProveModeOlder(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/api/chat":
			_, _ = w.Write([]byte(`{"message":{"content":"{\"seen\":true,\"kind\":\"calm\"}"},"done":true}`))
		case "/api/ps":
			_, _ = w.Write([]byte(`{"models":[{"name":"tiny:latest","digest":"x"}]}`))
		case "/api/show":
			_, _ = w.Write([]byte(`{"capabilities":["completion"],"model_info":{}}`))
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	t.Cleanup(s.Close)
	mode, err := open(t, s.URL, nil).ProveMode(t.Context())
	if err != nil || mode.Fault != "" || mode.Version != "" || mode.HeldContext != nil || mode.PromptTokens != nil || mode.Size != nil || mode.SizeVRAM != nil || mode.TokensPerSec != nil {
		t.Errorf("ProveMode = %+v, %v; want nothing known", mode, err)
	}
}

func TestProveModeFaults(t *testing.T) {
	t.Run("nobody there", func(t *testing.T) {
		s := enginetest.NewServer(t)
		m := open(t, s.URL, nil)
		s.Kill()
		if _, err := m.ProveMode(t.Context()); !errors.Is(err, research.ErrUnavailable) {
			t.Errorf("ProveMode = %v, want ErrUnavailable", err)
		}
	})
	t.Run("hung", func(t *testing.T) {
		s := enginetest.NewServer(t)
		m := open(t, s.URL, func(c *Config) { c.Deadline = 200 * time.Millisecond })
		s.Next(enginetest.Hangs)
		if _, err := m.ProveMode(t.Context()); !errors.Is(err, research.ErrHung) {
			t.Errorf("ProveMode = %v, want ErrHung", err)
		}
	})
	t.Run("stopped", func(t *testing.T) {
		s := enginetest.NewServer(t)
		m := open(t, s.URL, nil)
		s.Next(enginetest.Hangs)
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(50*time.Millisecond, cancel)
		if _, err := m.ProveMode(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("ProveMode = %v, want the context's error", err)
		}
	})
	t.Run("answered elsewhere", func(t *testing.T) {
		s := enginetest.NewServer(t)
		s.Answer = modeAnswer
		m := open(t, s.URL, nil)
		s.Models = []enginetest.ServerModel{{Name: enginetest.TinyModel, RemoteHost: "https://example.org"}}
		if _, err := m.ProveMode(t.Context()); !errors.Is(err, research.ErrForbidden) {
			t.Errorf("ProveMode = %v, want ErrForbidden", err)
		}
	})
}

func FuzzReadChat(f *testing.F) {
	f.Add([]byte(`{"message":{"content":"a"},"done":false}` + "\n" + `{"message":{"thinking":"b"},"done":true,"eval_count":2,"eval_duration":3}`))
	f.Add([]byte(`{"error":"requires more system memory"}`))
	f.Add([]byte(`<html>`))
	f.Fuzz(func(t *testing.T, b []byte) {
		a, said, _ := readChat(b)
		if said == "" && !bytes.Contains(b, []byte("true")) { // the mark of the end
			t.Errorf("readChat(%q) took it for a whole answer", b)
		}
		if len(a.text)+len(a.thinking) > 4*len(b) {
			t.Errorf("readChat made %d bytes of %d", len(a.text)+len(a.thinking), len(b))
		}
	})
}

// TestKeepsSchema holds that only what a sampler bound by the schema can write counts as kept.
func TestKeepsSchema(t *testing.T) {
	for text, want := range map[string]bool{
		`{"seen": true, "kind": "calm"}`:                true,
		" {\n\"kind\":\"rough\",\"seen\":false}\n":      true,
		`{"Seen":true,"Kind":"calm"}`:                   false,
		`{"seen":true,"kind":"calm","kind":"calm"}`:     false,
		`{"seen":true,"kind":"calm","x":1}`:             false,
		`{"seen":true,"kind":"Calm"}`:                   false,
		`{"seen":"true","kind":"calm"}`:                 false,
		`{"seen":null,"kind":"calm"}`:                   false,
		`{"seen":true}`:                                 false,
		`{"seen":{"seen":true},"kind":"calm"}`:          false,
		`{"seen":true,"kind":"calm"} and so on`:         false,
		`{"seen":true,"kind":"calm"`:                    false,
		"```json\n{\"seen\":true,\"kind\":\"calm\"}```": false,
		`[]`: false,
		``:   false,
	} {
		if got := keepsSchema(text); got != want {
			t.Errorf("keepsSchema(%q) = %v, want %v", text, got, want)
		}
	}
}
