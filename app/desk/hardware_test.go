package desk

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

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

// TestLiveLoad loads a model of a server that is there onto a real card, and holds that what the card shows is what the server
// says and the driver's context: 153 to 612 MiB were seen. Then it unloads the model and holds that the memory comes back.
func TestLiveLoad(t *testing.T) {
	if os.Getenv("ASSAY_GPU") != "1" {
		t.Skip("needs an NVIDIA card; make gpu runs it")
	}
	host := os.Getenv("OLLAMA_HOST")
	d := hardwareDesk(t, host)
	before := d.Hardware(t.Context(), true)
	if before.Server != "" {
		t.Skip("needs an Ollama server that uses the card: " + before.Server)
	}
	if len(before.Models) > 0 {
		t.Skip("needs a server without a loaded model; unload it first")
	}
	base := ollamaHost(host)
	name, bytes := smallestModel(t, base)
	if name == "" {
		t.Skip("needs a model; get one with ollama pull, or name it with ASSAY_GPU_MODEL")
	}
	load := func(keep string) {
		resp, err := http.Post(base+"/api/generate", "application/json", strings.NewReader(fmt.Sprintf(`{"model":%q,"stream":false,"keep_alive":%s,"options":{"num_ctx":4096}}`, name, keep)))
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if text, _ := io.ReadAll(resp.Body); resp.StatusCode != http.StatusOK {
			t.Fatalf("load %s: status %d: %s", name, resp.StatusCode, text)
		}
	}
	load(`"5m"`)
	defer load("0")
	after := d.Hardware(t.Context(), true)
	if len(after.Models) != 1 {
		t.Fatalf("loaded are %+v", after.Models)
	}
	m := after.Models[0]
	grew := cardsUsed(t, after) - cardsUsed(t, before)
	t.Logf("%s (%d MiB on disk): the server says %d MiB, %d on the card; the card shows %d MiB more", name, bytes>>20, m.Size>>20, m.VRAM>>20, grew>>20)
	for _, h := range after.Holders {
		t.Logf("held by %s %s", h.Kind, h.Name)
	}
	if m.VRAM == 0 {
		t.Skip("the server computes on the processor: it was built without the card's libraries")
	}
	if rest := grew - m.VRAM; rest < -(64<<20) || rest > 1<<30 {
		t.Errorf("the card shows %d MiB more than the server says", rest>>20)
	}
	load("0")
	sampler := d.Sampler()
	for at := time.Now(); ; time.Sleep(200 * time.Millisecond) {
		x := sampler.Sample(t.Context())
		if back := cardsUsed(t, after) - cardsUsed(t, hardwareOf(x)); back*4 >= m.VRAM*3 {
			t.Logf("%d MiB came back %d ms after the unload", back>>20, time.Since(at).Milliseconds())
			return
		} else if time.Since(at) > gpu.ReleaseWait {
			t.Fatalf("%d MiB of %d came back in %s", back>>20, m.VRAM>>20, gpu.ReleaseWait)
		}
	}
}

func cardsUsed(t *testing.T, h Hardware) (sum int64) {
	t.Helper()
	for _, g := range h.GPUs {
		if g.MemoryUsed == nil {
			t.Skip("the driver does not say what is in use on " + g.Name)
		}
		sum += *g.MemoryUsed
	}
	return sum
}

// smallestModel is the model that ASSAY_GPU_MODEL names, or the smallest one of the server that is on its disk.
func smallestModel(t *testing.T, base string) (name string, bytes int64) {
	t.Helper()
	resp, err := http.Get(base + "/api/tags")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var list struct {
		Models []struct {
			Name   string `json:"name"`
			Size   int64  `json:"size"`
			Remote string `json:"remote_host"`
		} `json:"models"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&list); err != nil {
		t.Fatal(err)
	}
	want := os.Getenv("ASSAY_GPU_MODEL")
	for _, m := range list.Models {
		if m.Remote == "" && (want == m.Name || want == "" && m.Size > 1<<20 && (name == "" || m.Size < bytes)) {
			name, bytes = m.Name, m.Size
		}
	}
	return name, bytes
}
