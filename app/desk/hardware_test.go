package desk

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"assay/engine/enginetest"
	"assay/gpu"
)

// hardwareDesk opens a home whose model server is at base.
func hardwareDesk(t *testing.T, base string) *Desk {
	t.Helper()
	home := t.TempDir()
	d, err := Open(Options{Getenv: func(name string) string {
		switch name {
		case "ASSAY_HOME":
			return home
		case "OLLAMA_HOST":
			return base
		}
		return ""
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// TestHardwareRealServer asks a real server which models it has loaded: none, then the one that was asked for.
func TestHardwareRealServer(t *testing.T) {
	server := enginetest.StartOllama(t)
	d := hardwareDesk(t, server.URL)
	h := d.Hardware(t.Context(), false)
	if h.Server != "" || len(h.Models) != 0 || h.MemoryTotal == nil || gpu.StateOf(enginetest.TinyModel, h.Models) != gpu.NotLoaded {
		t.Errorf("before a load: models %+v, server %q", h.Models, h.Server)
	}
	resp, err := http.Post(server.URL+"/api/generate", "application/json", strings.NewReader(`{"model":"`+enginetest.TinyModel+`","stream":false}`))
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	h = d.Hardware(t.Context(), false)
	if h.Server != "" || len(h.Models) != 1 || h.Models[0].Size <= 0 || gpu.StateOf(enginetest.TinyModel, h.Models) == gpu.NotLoaded {
		t.Errorf("after a load: models %+v, server %q", h.Models, h.Server)
	}
}

func TestHardwareServer(t *testing.T) {
	ps := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/api/ps" {
			t.Errorf("asked for %s", r.URL.Path)
		}
		_, _ = w.Write([]byte(`{"models":[{"name":"gpt-oss:20b","size":13000000000,"size_vram":9000000000},{"name":"bge-m3:latest","size":900000000,"size_vram":900000000}]}`))
	}))
	defer ps.Close()
	h := hardwareDesk(t, ps.URL).Hardware(t.Context(), false)
	if len(h.Models) != 2 || h.Models[0] != (gpu.Loaded{Name: "gpt-oss:20b", Size: 13e9, VRAM: 9e9}) || gpu.StateOf("bge-m3", h.Models) != gpu.OnCard {
		t.Errorf("models %+v, server %q", h.Models, h.Server)
	}
	for base, words := range map[string]string{
		"127.0.0.1:1":            "no Ollama server answers",
		"http://192.0.2.7:11434": "on another machine",
		"ftp://127.0.0.1:11434":  "not an address",
	} {
		if h := hardwareDesk(t, base).Hardware(t.Context(), false); !strings.Contains(h.Server, words) || h.Models == nil || h.Kind == "" {
			t.Errorf("%s: %q", base, h.Server)
		}
	}
}

// TestSampler holds that what a desk gives watches until its context ends.
func TestSampler(t *testing.T) {
	s := hardwareDesk(t, "127.0.0.1:1").Sampler()
	samples, end := s.Subscribe()
	defer end()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	if x := <-samples; x.AtMs == 0 || x.Status.MemoryTotal == nil || x.Server == "" {
		t.Errorf("sample %+v", x)
	}
	cancel()
	<-done
}
