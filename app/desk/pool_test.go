package desk

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/engine"
	"assay/engine/enginetest"
	"assay/engine/research"
)

// poolDesk is a desk whose runs say which server they would ask, and take a while.
func poolDesk(t *testing.T, hosts ...PoolHost) (*Desk, func() map[string]int, func() map[string]int) {
	t.Helper()
	var mu sync.Mutex
	now, most, done := map[string]int{}, map[string]int{}, map[string]int{}
	d := testDesk(t, nil)
	d.wire.ollama = d.ollamaChannel
	d.wire.run = func(ctx context.Context, cfg engine.Config, rec engine.Record) (research.Digest, error) {
		base, _ := hostOf(ctx, "ollama")
		if base == "" {
			base, _ = hostOf(ctx, "openai")
		}
		mu.Lock()
		now[base]++
		most[base] = max(most[base], now[base])
		done[base]++
		mu.Unlock()
		time.Sleep(100 * time.Millisecond)
		mu.Lock()
		now[base]--
		mu.Unlock()
		return succeed(ctx, cfg, rec)
	}
	if err := d.SetSettings(Settings{Queue: QueueSettings{Idle: true, Hosts: hosts}}); err != nil {
		t.Fatal(err)
	}
	return d, func() map[string]int { return most }, func() map[string]int { return done }
}

func TestPool(t *testing.T) {
	a, b := enginetest.NewServer(t), enginetest.NewServer(t)
	v := enginetest.StartOpenAI(t, &enginetest.OpenAI{})
	d, most, done := poolDesk(t, PoolHost{Kind: "ollama", URL: a.URL}, PoolHost{Kind: "ollama", URL: b.URL, AtOnce: 2},
		PoolHost{Kind: "openai", URL: v.URL}, PoolHost{Kind: "ollama", URL: "http://127.0.0.1:1"})
	dir := folder(t)
	for i := range 10 {
		req := request(dir)
		req.Question, req.Model = fmt.Sprintf("%d?", i), "auto"
		if _, err := d.Enqueue(req, QueueOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	req := request(dir)
	req.Model = "ollama:absent"
	absent, err := d.Enqueue(req, QueueOptions{Priority: 9})
	if err != nil {
		t.Fatal(err)
	}
	views := d.Hosts(t.Context())
	if len(views) != 4 || views[0].Fault != "" || len(views[0].Models) == 0 || len(views[0].Plan) == 0 || views[2].Fault != "" || len(views[2].Models) == 0 {
		t.Fatalf("hosts = %+v", views)
	}
	if !strings.Contains(views[3].Fault, "127.0.0.1:1") {
		t.Errorf("a server that is not there: %+v", views[3])
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	ended, notes := 0, 0
	err = d.WorkQueue(ctx, WorkOptions{Tell: func(n QueueNews) {
		if n.Kind == "note" && n.ID == absent {
			notes++
		}
		if n.Kind == "ended" {
			if ended++; ended == 10 {
				cancel()
			}
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if m := most(); m[a.URL] > 1 || m[b.URL] > 2 || m[v.URL] > 1 {
		t.Errorf("at most at once: %v", m)
	}
	if n := done(); n[a.URL] == 0 || n[b.URL] == 0 || n[v.URL] == 0 || n[a.URL]+n[b.URL]+n[v.URL] != 10 {
		t.Errorf("answered: %v", n)
	}
	if notes != 1 {
		t.Errorf("it was told %d times that a run has no server", notes)
	}
	if info, err := d.Run(absent); err != nil || info.State != "queued" {
		t.Errorf("a run whose model no server has: %+v, %v", info, err)
	}
}

func TestSeatFor(t *testing.T) {
	here := HostView{PoolHost: PoolHost{Kind: "ollama", URL: "http://127.0.0.1:11434"}, Models: []string{"a:latest"}}
	there := HostView{PoolHost: PoolHost{Kind: "ollama", URL: "http://box:11434"}, Models: []string{"a:latest", "b:latest"}}
	vllm := HostView{PoolHost: PoolHost{Kind: "openai", URL: "http://box:8000/v1"}, Models: []string{"c"}}
	local := research.Request{Egress: research.Closed, Libraries: []string{"/docs"}}
	own := research.Request{Egress: research.Own, Libraries: []string{"/docs"}}
	webAndFiles := research.Request{Egress: research.Web, Libraries: []string{"/docs"}}
	web := research.Request{Egress: research.Web}
	for _, c := range []struct {
		name  string
		free  []HostView
		req   research.Request
		model string
		want  string
	}{
		{"a closed run keeps here", []HostView{there, here}, local, "auto", here.URL},
		{"and waits when there is no room here", []HostView{there, vllm}, local, "auto", ""},
		{"files and the web keep here too", []HostView{there, here}, webAndFiles, "auto", here.URL},
		{"servers of one's own", []HostView{there, here}, own, "auto", there.URL},
		{"the model it asks for", []HostView{here, there}, web, "ollama:b", there.URL},
		{"the protocol it asks for", []HostView{here, there, vllm}, web, "openai:c", vllm.URL},
		{"a model that nobody has", []HostView{here, there, vllm}, web, "ollama:z", ""},
		{"nothing free", nil, web, "auto", ""},
	} {
		got := seatFor(c.free, c.req, c.model)
		if url := ""; got != nil && got.URL != c.want || got == nil && url != c.want {
			t.Errorf("%s: %v, want %s", c.name, got, c.want)
		}
	}
}

func TestPoolSettings(t *testing.T) {
	d := testDesk(t, succeed)
	for name, bad := range map[string]QueueSettings{
		"kind": {Hosts: []PoolHost{{Kind: "x", URL: "http://a:1"}}}, "address": {Hosts: []PoolHost{{Kind: "ollama", URL: "box"}}},
		"key in it": {Hosts: []PoolHost{{Kind: "openai", URL: "http://user:secret@a:1"}}}, "at once": {Hosts: []PoolHost{{Kind: "ollama", URL: "http://a:1", AtOnce: -1}}},
		"lease": {Lease: 1}, "server": {NATS: "http://box"}, "password": {NATS: "nats://a:secret@box:4222"}, "runs": {Models: 65},
	} {
		if err := d.SetSettings(Settings{Queue: bad}); err == nil {
			t.Errorf("settings with a bad %s were kept", name)
		} else if strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
