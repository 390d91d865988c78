package desk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/engine/enginetest"
	"assay/engine/research"
)

// modelHost is a server whose pulls do not end, and which counts what it is asked.
type modelHost struct {
	url string

	mu    sync.Mutex
	asked map[string]int
	gone  int // pulls whose client went away
}

func newModelHost(t *testing.T, addr string) *modelHost {
	t.Helper()
	l, err := net.Listen("tcp", addr)
	if err != nil {
		t.Skipf("this system has no %s: %v", addr, err)
	}
	h := &modelHost{asked: map[string]int{}}
	s := httptest.NewUnstartedServer(h)
	_ = s.Listener.Close()
	s.Listener = l
	s.Start()
	t.Cleanup(s.Close)
	h.url = s.URL
	return h
}

func (h *modelHost) count(path string) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.asked[path]
}

func (h *modelHost) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	h.asked[r.URL.Path]++
	h.mu.Unlock()
	switch r.URL.Path {
	case "/api/version":
		fmt.Fprint(w, `{"version":"0.17.4"}`)
	case "/api/tags":
		fmt.Fprint(w, `{"models":[{"name":"far:latest","remote_host":"https://ollama.com:443","remote_model":"far"},{"name":"big:120b-cloud"}]}`)
	case "/api/ps":
		fmt.Fprint(w, `{"models":[]}`)
	case "/api/pull":
		var req any
		_ = json.NewDecoder(r.Body).Decode(&req)
		fmt.Fprintln(w, `{"status":"pulling aa","digest":"sha256:aa","total":100,"completed":1}`)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		h.mu.Lock()
		h.gone++
		h.mu.Unlock()
	default:
		http.NotFound(w, r)
	}
}

func until(t *testing.T, cond func() bool) {
	t.Helper()
	for range 1000 {
		if cond() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("waited in vain")
}

// With the offline switch on the model server is not told to go out; turned on later, the switch stops what goes on.
func TestPullOffline(t *testing.T) {
	h := newModelHost(t, "127.0.0.1:0")
	m := newPlace(t)
	m.host = h.url
	d := m.open(t, "terminal")
	if err := d.SetSettings(Settings{Offline: true}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"llama3.1:8b", "user/model", "http://127.0.0.1:1/library/x"} {
		_, _, err := d.PullModel(t.Context(), name, "127.0.0.1:1")
		if !errors.Is(err, research.ErrForbidden) || !strings.Contains(err.Error(), "offline switch") {
			t.Errorf("PullModel(%q) = %v, want it refused and named", name, err)
		}
	}
	if n := h.count("/api/pull"); n != 0 {
		t.Errorf("the server was told to pull %d times", n)
	}
	if err := d.SetSettings(Settings{}); err != nil {
		t.Fatal(err)
	}
	p, joined, err := d.PullModel(t.Context(), "tiny", "")
	if err != nil || joined {
		t.Fatalf("PullModel = %v", err)
	}
	if again, joined, err := d.PullModel(t.Context(), "library/tiny:latest", ""); err != nil || !joined || again != p {
		t.Errorf("a second PullModel = %v, joined %v; want the first", err, joined)
	}
	until(t, func() bool { l := d.Pulls(); return len(l) == 1 && l[0].Name == "tiny:latest" && l[0].Done == 1 })
	if err := d.SetSettings(Settings{Offline: true}); err != nil {
		t.Fatal(err)
	}
	if err := p.Wait(t.Context()); !errors.Is(err, context.Canceled) {
		t.Errorf("Wait after the switch = %v, want it stopped", err)
	}
	until(t, func() bool { h.mu.Lock(); defer h.mu.Unlock(); return h.gone == 1 })
}

func TestCancelPull(t *testing.T) {
	h := newModelHost(t, "127.0.0.1:0")
	m := newPlace(t)
	m.host = h.url
	d := m.open(t, "window")
	for _, name := range []string{"205.0.0.1:8443/attacker/x", "evil.example/x/y"} {
		if _, _, err := d.PullModel(t.Context(), name, ""); !errors.Is(err, ErrForeignHost) {
			t.Errorf("PullModel(%q) = %v, want ErrForeignHost", name, err)
		}
	}
	var wrong *UsageError
	if _, _, err := d.PullModel(t.Context(), "../x", ""); !errors.As(err, &wrong) {
		t.Errorf("PullModel of no name = %v", err)
	}
	p, _, err := d.PullModel(t.Context(), "tiny", "")
	if err != nil {
		t.Fatal(err)
	}
	if d.CancelPull("other") || d.CancelPull("../x") || !d.CancelPull("TINY:latest") {
		t.Error("CancelPull does not find the pull it was told of")
	}
	if err := p.Wait(t.Context()); !errors.Is(err, context.Canceled) {
		t.Errorf("Wait = %v", err)
	}
	// A program that ends stops what it started.
	if p, _, err = d.PullModel(t.Context(), "tiny", ""); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if err := p.Wait(t.Context()); !errors.Is(err, context.Canceled) {
		t.Errorf("Wait after Close = %v", err)
	}
	if _, _, err := d.PullModel(t.Context(), "tiny", ""); err == nil {
		t.Error("a closed desk pulls")
	}
}

// Models of other machines are marked, never chosen, and refused in closed runs; a server on another machine is not asked while
// the offline switch is on.
func TestModelsElsewhere(t *testing.T) {
	h := newModelHost(t, "127.0.0.1:0")
	m := newPlace(t)
	m.host = h.url
	d := m.open(t, "window")
	list, err := d.Models(t.Context())
	if err != nil || len(list.Models) != 2 || list.Models[0].Remote != "https://ollama.com:443" || list.Models[1].Remote == "" {
		t.Errorf("Models = %+v, %v", list, err)
	}
	ch, err := d.Channel(t.Context())
	if err != nil || ch.Name != "extractive" {
		t.Errorf("Channel = %+v, %v; want none of the models", ch, err)
	}
	s := enginetest.NewServer(t)
	s.Models = []enginetest.ServerModel{{Name: "far", RemoteHost: "https://ollama.com:443"}, {Name: "gpt-oss:120b-cloud"}}
	m.host = s.URL
	d = m.open(t, "terminal")
	for _, name := range []string{"far", "gpt-oss:120b-cloud"} {
		if _, err := d.ollamaChannel(t.Context(), name, research.Closed, pinnedLoad{}, told{}); !errors.Is(err, research.ErrForbidden) {
			t.Errorf("%s in a closed run: %v, want ErrForbidden", name, err)
		}
		if _, err := d.LoadModel(t.Context(), name, LoadOptions{}); !errors.Is(err, research.ErrForbidden) {
			t.Errorf("LoadModel(%s) = %v, want ErrForbidden", name, err)
		}
	}
	if err := d.SetSettings(Settings{Offline: true, OllamaURL: "http://192.0.2.1:11434"}); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Models(t.Context()); !errors.Is(err, research.ErrForbidden) {
		t.Errorf("Models of another machine = %v, want ErrForbidden", err)
	}
	if st, err := d.ServerStatus(t.Context()); err != nil || len(st.Others) != 0 {
		t.Errorf("ServerStatus = %+v, %v", st, err)
	}
}

// A local address falls back to the other loopback address (AnythingLLM#979), in every way in which it is named.
func TestServerOnTheOtherLoopback(t *testing.T) {
	for _, tc := range []struct{ listens, named string }{
		{"[::1]:0", "127.0.0.1"}, {"[::1]:0", "localhost"}, {"127.0.0.1:0", "[::1]"}, {"127.0.0.1:0", "localhost"}, {"127.0.0.1:0", "127.0.0.1"},
	} {
		t.Run("ACCEPTANCE 57: "+tc.named+" for "+tc.listens, func(t *testing.T) {
			h := newModelHost(t, tc.listens)
			m := newPlace(t)
			m.host = tc.named + h.url[strings.LastIndexByte(h.url, ':'):]
			d := m.open(t, "terminal")
			if list, err := d.Models(t.Context()); err != nil || len(list.Models) != 2 {
				t.Errorf("Models = %+v, %v", list, err)
			}
			if st, err := d.ServerStatus(t.Context()); err != nil || len(st.Others) != 1 {
				t.Errorf("ServerStatus = %+v, %v", st, err)
			}
		})
	}
}

func TestDeleteNeedsAYes(t *testing.T) {
	m := newPlace(t)
	d := m.open(t, "window")
	managedOn(t, d)
	makeTiny(t, d)
	if err := d.DeleteModel(t.Context(), "tiny", false); !errors.Is(err, ErrUnconfirmed) || !strings.Contains(err.Error(), "would be deleted") {
		t.Errorf("DeleteModel without a yes = %v", err)
	}
	shown, err := d.ShowModel(t.Context(), "tiny")
	if err != nil || shown.ContextLength != 8192 || !strings.Contains(string(shown.Shown), "llama.block_count") || shown.Running != nil {
		t.Errorf("ShowModel = %+v, %v", shown.Info, err)
	}
	if err := d.CopyModel(t.Context(), "tiny", "two", false); err != nil {
		t.Error(err)
	}
	if r, err := d.LoadModel(t.Context(), "two", LoadOptions{NumCtx: 2048}); err != nil || r.ContextLength != 2048 {
		t.Errorf("LoadModel = %+v, %v", r, err)
	}
	if err := d.DeleteModel(t.Context(), "two", false); !errors.Is(err, ErrUnconfirmed) || !strings.Contains(err.Error(), "is loaded now") {
		t.Errorf("DeleteModel of a loaded model without a yes = %v", err)
	}
	if shown, err := d.ShowModel(t.Context(), "two"); err != nil || shown.Running == nil || !shown.Loaded {
		t.Errorf("ShowModel of a loaded one = %+v, %v", shown.Info, err)
	}
	if err := d.UnloadModel(t.Context(), "two"); err != nil {
		t.Error(err)
	}
	// A loaded model leaves the memory with the disk.
	if _, err := d.LoadModel(t.Context(), "two", LoadOptions{NumCtx: 2048}); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"tiny", "two"} {
		if err := d.DeleteModel(t.Context(), name, true); err != nil {
			t.Error(err)
		}
	}
	a, err := d.admin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if running, err := a.Running(t.Context()); err != nil || len(running) != 0 {
		t.Errorf("after the deletion %+v is in memory, %v", running, err)
	}
	if list, err := d.Models(t.Context()); err != nil || len(list.Models) != 0 {
		t.Errorf("Models = %+v, %v", list, err)
	}
}

// TestPullIntoTheManagedServer pulls for real, while the server is killed on the way: the pull goes on where it was.
func TestPullIntoTheManagedServer(t *testing.T) {
	reg := enginetest.StartRegistry(t)
	reg.Push(enginetest.StartOllama(t, enginetest.Tiny{Layers: 1, Embedding: 256, Heads: 8, KVHeads: 8, Forward: 2048}), enginetest.TinyModel) // 8 MB
	m := newPlace(t)
	d := m.open(t, "window")
	d.managed.pause = 10 * time.Millisecond
	managedOn(t, d)
	reg.Slow(4 << 20)
	p, _, err := d.PullModel(t.Context(), "http://"+reg.Name("tiny"), reg.Addr)
	if err != nil {
		t.Fatal(err)
	}
	until(t, func() bool { at := p.Progress(); return at.Total > 0 && at.Done > at.Total/4 })
	killServer(t, d)
	if err := p.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	if at := p.Progress(); at.Tries == 0 || at.Done != at.Total {
		t.Errorf("Progress = %+v, want it tried again", at)
	}
	if _, err := d.LoadModel(t.Context(), reg.Name("tiny"), LoadOptions{NumCtx: 2048}); err != nil {
		t.Errorf("the pulled model does not load: %v", err)
	}
}
