package app

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/app/desk"
	"assay/engine/enginetest"
)

// openServed returns an API whose model server is a real one with the tiny model.
func openServed(t *testing.T) (*API, *fakeWindow, *enginetest.Ollama) {
	t.Helper()
	server := enginetest.StartOllama(t)
	t.Setenv("ASSAY_HOME", t.TempDir())
	t.Setenv("OLLAMA_HOST", server.URL)
	f := &fakeWindow{}
	a := newAPI()
	a.outside = f
	a.startup(t.Context())
	t.Cleanup(func() { a.shutdown(context.Background()) })
	return a, f, server
}

func names(s ModelShelf) string {
	var out []string
	for _, m := range s.Models {
		out = append(out, m.Name)
	}
	return strings.Join(out, " ")
}

// TestModelsForReal lists, loads, unloads, copies and deletes models of a real server.
func TestModelsForReal(t *testing.T) {
	a, f, server := openServed(t)
	s, err := a.Models()
	if err != nil || names(s) != "tiny:latest" || !s.LoadedKnown || s.Models[0].Running != nil || s.Models[0].Size == 0 {
		t.Fatalf("Models = %+v, %v", s, err)
	}
	r, err := a.LoadModel("tiny", 4096, 1)
	if err != nil || r.ContextLength != 4096 {
		t.Fatalf("LoadModel = %+v, %v", r, err)
	}
	if s, err = a.Models(); err != nil || s.Models[0].Running == nil {
		t.Errorf("Models after the load = %+v, %v", s, err)
	}
	if h, err := a.LookAgain(false); err != nil || len(h.Look.Models) != 1 || len(h.Past) == 0 {
		t.Errorf("LookAgain = %+v, %v", h.Look.Models, err)
	}
	if err := a.UnloadModel("tiny"); err != nil {
		t.Error(err)
	}
	if err := a.CopyModel("tiny", "second", false); err != nil {
		t.Error(err)
	}
	server.Create("other", enginetest.Tiny{Seed: 5})
	words, err := a.ReplacedModel("second", "other")
	if err != nil || !strings.Contains(words, "second:latest is a model already") {
		t.Errorf("ReplacedModel = %q, %v", words, err)
	}
	if err := a.CopyModel("other", "second", false); err == nil || !strings.Contains(err.Error(), words) {
		t.Errorf("CopyModel over another model = %v", err)
	}
	if err := a.DeleteModel("other"); err != nil {
		t.Error(err)
	}
	if err := a.DeleteModel("tiny"); err != nil {
		t.Error(err)
	}
	if s, err = a.Models(); err != nil || names(s) != "second:latest" || s.Models[0].Running != nil {
		t.Errorf("Models at the end = %s, %v", names(s), err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if heard := strings.Join(f.names, " "); !strings.Contains(heard, eventModels) || !strings.Contains(heard, eventHardware) {
		t.Errorf("the page heard %s", heard)
	}
}

// TestCreateForReal makes a model of a file, with the checksum that it has and with another.
func TestCreateForReal(t *testing.T) {
	a, _, _ := openServed(t)
	file := filepath.Join(t.TempDir(), "m.gguf")
	if err := os.WriteFile(file, enginetest.Tiny{Seed: 7}.GGUF(), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := a.CreateModel("made", file, "", false); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the model is made", func() bool { j, err := a.Jobs(); return err == nil && len(j) == 1 && j[0].Over })
	if j, _ := a.Jobs(); j[0].Phase != "done" {
		t.Errorf("job = %+v", j[0])
	}
	if err := a.ForgetJob("made"); err != nil {
		t.Error(err)
	}
	// A fault may come at once, as an error, or later, in the list.
	_, err := a.CreateModel("other", file, strings.Repeat("0", 64), false)
	said := ""
	if err != nil {
		said = err.Error()
	} else {
		eventually(t, "the file is refused", func() bool { j, _ := a.Jobs(); return len(j) == 1 && j[0].Over })
		j, _ := a.Jobs()
		said = j[0].Error
	}
	if !strings.Contains(said, "checksum") && !strings.Contains(said, "SHA-256") {
		t.Errorf("another checksum: %q", said)
	}
}

// TestPullForReal pulls from Debian's registry: paused, resumed, and cancelled.
func TestPullForReal(t *testing.T) {
	a, _, server := openServed(t)
	registry := enginetest.StartRegistry(t)
	registry.Push(server, enginetest.TinyModel)
	if err := a.DeleteModel("tiny"); err != nil {
		t.Fatal(err)
	}
	registry.Slow(40_000)
	name := registry.Name(enginetest.TinyModel)
	if _, err := a.PullModel("http://"+name, ""); err == nil || !strings.Contains(err.Error(), "say yes") {
		t.Fatalf("a foreign host without a yes: %v", err)
	}
	j, err := a.PullModel("http://"+name, registry.Addr)
	if err != nil || j.Kind != "pull" || j.Over {
		t.Fatalf("PullModel = %+v, %v", j, err)
	}
	name = j.Name
	phase := func() ModelJob {
		list, err := a.Jobs()
		if err != nil || len(list) != 1 {
			t.Fatalf("Jobs = %+v, %v", list, err)
		}
		return list[0]
	}
	eventually(t, "bytes come", func() bool { return phase().Done > 0 })
	if err := a.PauseJob(name); err != nil {
		t.Fatal(err)
	}
	eventually(t, "it is paused", func() bool { return phase().Over })
	if got := phase(); got.Phase != jobPaused || got.Done == 0 {
		t.Errorf("paused: %+v", got)
	}
	if err := a.PauseJob(name); err == nil {
		t.Error("paused twice")
	}
	registry.Slow(0)
	if _, err := a.PullModel("http://"+name, registry.Addr); err != nil {
		t.Fatal(err)
	}
	eventually(t, "it is there", func() bool { return phase().Over })
	if got := phase(); got.Phase != "done" {
		t.Errorf("at the end: %+v", got)
	}
	if err := a.ForgetJob(name); err != nil {
		t.Error(err)
	}
	if list, err := a.Jobs(); err != nil || len(list) != 0 {
		t.Errorf("Jobs = %+v, %v", list, err)
	}
}

// TestServerOfOurOwn starts and stops the managed server and reads what its log says.
func TestServerOfOurOwn(t *testing.T) {
	binary, err := enginetest.OllamaBinary()
	if err != nil {
		t.Skip(err)
	}
	a, _ := openAPI(t)
	t.Setenv("OLLAMA_MODELS", t.TempDir())
	if err := a.SetServer(ServerSettings{KVType: "q5"}); err == nil {
		t.Error("an unknown cache type was kept")
	}
	if err := a.SetServer(ServerSettings{FlashAttention: "on", KVType: "q8_0", Parallel: 2, Binary: binary}); err != nil {
		t.Fatal(err)
	}
	m, err := a.StartServer()
	if err != nil || m.State != "ready" || !m.Mine {
		t.Fatalf("StartServer = %+v, %v", m, err)
	}
	s, err := a.Server()
	if err != nil || s.Status.Managed == nil || s.Status.InUse != m.URL || s.Settings.KVType != "q8_0" || s.Settings.On {
		t.Errorf("Server = %+v, %v", s, err)
	}
	l, err := a.ServerLog()
	if err != nil || len(l.Lines) == 0 || l.Said.Config["OLLAMA_KV_CACHE_TYPE"] != "q8_0" {
		t.Errorf("ServerLog: %d lines, %v, %v", len(l.Lines), l.Said.Config, err)
	}
	if said, err := a.StopServer(); err != nil || !strings.Contains(said, m.URL) {
		t.Errorf("StopServer = %q, %v", said, err)
	}
}

// TestBakeoffForReal runs a bake-off of two tiny models against the extractive baseline, through the page's own methods.
func TestBakeoffForReal(t *testing.T) {
	a, f, server := openServed(t)
	server.Create("smaller", enginetest.Tiny{Seed: 3})
	dir := documents(t)
	// One role with short answers: words of noise go on to the end of the budget.
	q := BakeoffQuery{Models: []string{"tiny", "smaller"}, Role: "analyst", Questions: []string{"When was the lighthouse of Orran built?", " "}, Libraries: []string{dir}, Runs: 1, Depth: "quick"}
	if _, err := a.StartBakeoff(BakeoffQuery{Models: q.Models}); err == nil {
		t.Error("a bake-off without a question was begun")
	}
	id, err := a.StartBakeoff(q)
	if err != nil || id == "" {
		t.Fatalf("StartBakeoff = %q, %v", id, err)
	}
	eventually(t, "the bake-off is over", func() bool { list, err := a.Bakeoffs(); return err == nil && len(list) == 1 && !list[0].Live })
	p, err := a.Bakeoff(id)
	if err != nil || p.Line.State != "done" || len(p.Rows) != 3 || len(p.Verdicts) != 2 || len(p.Request.Questions) != 1 {
		t.Fatalf("Bakeoff = %+v, %v", p, err)
	}
	if proof, err := a.BakeoffProof(id, p.Rows[1].Trial); err != nil || proof == nil || len(proof.Exchanges) == 0 {
		t.Errorf("BakeoffProof = %+v, %v", proof, err)
	}
	c, err := a.Verdicts("")
	if err != nil || len(c.Lines) != 2 || !c.Lines[0].Standing {
		t.Fatalf("Verdicts = %+v, %v", c, err)
	}
	if err := a.ResumeBakeoff(id, 2); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the second run is over", func() bool {
		list, _ := a.Bakeoffs()
		return len(list) == 1 && !list[0].Live && list[0].Done == list[0].Trials
	})
	if err := a.StopBakeoff(id); err == nil {
		t.Error("a bake-off that is over was stopped")
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if heard := strings.Join(f.names, " "); !strings.Contains(heard, eventBakeoff+" ") {
		t.Errorf("the page heard %s", heard)
	}
}

// TestHardwareOfARecording plays a recording through the sampler that the page sees.
func TestHardwareOfARecording(t *testing.T) {
	dir := t.TempDir()
	head := "name, memory.total [MiB], memory.used [MiB], memory.free [MiB]\n"
	for name, text := range map[string]string{
		"0000.csv": head + "Card, 16376 MiB, 596 MiB, 15348 MiB\n", "0900.csv": head + "Card, 16376 MiB, 9000 MiB, 6942 MiB\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv(desk.ReplayEnv, dir)
	a, _ := openAPI(t)
	h, err := a.Hardware()
	if err != nil || h.Recording != dir || len(h.Look.Status.GPUs) != 1 || len(h.Past) < 2 {
		t.Fatalf("Hardware = %+v, %v", h, err)
	}
	if m, err := a.Machine(); err != nil || len(m.Devices) != 1 || m.Devices[0].Used != (16376-6942)<<20 {
		t.Errorf("Machine = %+v, %v", m, err)
	}
	// What crosses to the page has no null list.
	b, err := json.Marshal(h)
	if err != nil || strings.Contains(string(b), `"alarms":null`) || strings.Contains(string(b), `"past":null`) {
		t.Errorf("%s, %v", b, err)
	}
	if time.UnixMilli(h.Past[0].AtMs).After(time.UnixMilli(h.Look.AtMs).Add(-14 * time.Minute)) {
		t.Errorf("the past begins at %d and now is %d", h.Past[0].AtMs, h.Look.AtMs)
	}
}
