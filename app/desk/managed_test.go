package desk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/engine"
	"assay/engine/audit"
	"assay/engine/enginetest"
	"assay/engine/ollama"
	"assay/engine/research"
)

// place is what several desks of one home have in common.
type place struct {
	home, person string
	host         string // OLLAMA_HOST
}

func newPlace(t *testing.T) place {
	return place{home: t.TempDir(), person: t.TempDir(), host: "127.0.0.1:1"} // nobody answers there
}

func (m place) open(t *testing.T, program string) *Desk {
	t.Helper()
	d, err := Open(Options{Program: program, Version: "1.0", Getenv: func(name string) string {
		return map[string]string{"ASSAY_HOME": m.home, "HOME": m.person, "OLLAMA_MODELS": filepath.Join(m.person, "models"), "OLLAMA_HOST": m.host}[name]
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

// managedOn turns the managed server on, with the real program.
func managedOn(t *testing.T, d *Desk) {
	t.Helper()
	binary, err := enginetest.OllamaBinary()
	if err != nil {
		t.Skip(err)
	}
	if err := d.SetSettings(Settings{ManagedServer: true, OllamaBinary: binary}); err != nil {
		t.Fatal(err)
	}
}

func makeTiny(t *testing.T, d *Desk) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "tiny.gguf")
	if err := os.WriteFile(file, enginetest.Tiny{}.GGUF(), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := d.CreateModel(t.Context(), enginetest.TinyModel, file, CreateOptions{Parameters: map[string]any{"num_thread": 1}}); err != nil {
		t.Fatal(err)
	}
}

// TestManagedServer holds that the programs of one home share one server, that it is stopped by who may, and that whoever needs it
// takes it over when its owner is gone.
func TestManagedServer(t *testing.T) {
	m := newPlace(t)
	window, terminal := m.open(t, "window"), m.open(t, "terminal")
	managedOn(t, window)

	st, err := window.ServerStatus(t.Context())
	if err != nil || st.Managed != nil || !st.On || st.Binary == "" || len(st.Others) != 0 || st.InUse != "" {
		t.Errorf("ServerStatus before = %+v, %v", st, err)
	}
	if said, err := terminal.StopServer(t.Context()); err != nil || !strings.Contains(said, "No model server") {
		t.Errorf("StopServer before = %q, %v", said, err)
	}
	first, err := window.StartServer(t.Context())
	if err != nil || !first.Mine || first.State != "ready" || first.Version != "0.17.4" || first.PID == 0 {
		t.Fatalf("StartServer = %+v, %v", first, err)
	}
	shared, err := terminal.StartServer(t.Context())
	if err != nil || shared.Mine || shared.URL != first.URL || shared.PID != first.PID || !strings.HasPrefix(shared.Holder, "window, process ") {
		t.Errorf("StartServer of the other program = %+v, %v; want the first one's", shared, err)
	}
	makeTiny(t, terminal)
	list, err := window.Models(t.Context())
	if err != nil || list.BaseURL != first.URL || len(list.Models) != 1 {
		t.Errorf("Models = %+v, %v", list, err)
	}
	if ch, err := window.Channel(t.Context()); err != nil || ch.Name != "ollama:tiny:latest" {
		t.Errorf("Channel = %+v, %v; want the model of the managed server", ch, err)
	}
	if l, err := terminal.ServerLog(5); err != nil || len(l.Lines) != 5 || l.Said.Version != "0.17.4" || l.Said.Config["OLLAMA_NO_CLOUD"] != "true" {
		t.Errorf("ServerLog = %+v, %v", l, err)
	}
	if said, err := terminal.StopServer(t.Context()); err != nil || !strings.Contains(said, "window, process") {
		t.Errorf("StopServer of the other program = %q, %v", said, err)
	}
	if st, err := window.ServerStatus(t.Context()); err != nil || st.Managed != nil {
		t.Errorf("ServerStatus after = %+v, %v", st, err)
	}

	// The owner goes; who still waits takes over, at the same address.
	owner := m.open(t, "owner")
	if first, err = owner.StartServer(t.Context()); err != nil {
		t.Fatal(err)
	}
	model, err := terminal.ollamaChannel(t.Context(), "tiny", research.Closed, pinnedLoad{}, told{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = model.end() }()
	if err := owner.Close(); err != nil {
		t.Fatal(err)
	}
	if err := model.model.(interface{ Wait(context.Context) error }).Wait(t.Context()); err != nil {
		t.Errorf("Wait after the owner is gone = %v", err)
	}
	if st := terminal.managedStatus(); st == nil || !st.Mine || st.URL != first.URL {
		t.Errorf("after the owner is gone: %+v, want it at %s", st, first.URL)
	}
	if said, err := terminal.StopServer(t.Context()); err != nil || !strings.Contains(said, first.URL) {
		t.Errorf("StopServer = %q, %v", said, err)
	}
}

// A server that Assay did not start is never stopped.
func TestForeignServerIsLeftAlone(t *testing.T) {
	other := enginetest.NewServer(t)
	m := newPlace(t)
	m.host = other.URL
	d := m.open(t, "terminal")
	st, err := d.ServerStatus(t.Context())
	if err != nil || len(st.Others) != 1 || st.Others[0].URL != other.URL || st.InUse != other.URL || st.Managed != nil {
		t.Errorf("ServerStatus = %+v, %v", st, err)
	}
	said, err := d.StopServer(t.Context())
	if !errors.Is(err, ErrForeignServer) || said != "" || !strings.Contains(err.Error(), other.URL) {
		t.Errorf("StopServer = %q, %v; want ErrForeignServer", said, err)
	}
	if list, err := d.Models(t.Context()); err != nil || len(list.Models) != 1 {
		t.Errorf("the other server afterwards: %+v, %v", list, err)
	}
}

func TestManagedServerFails(t *testing.T) {
	m := newPlace(t)
	d := m.open(t, "terminal")
	if err := d.SetSettings(Settings{ManagedServer: true, OllamaBinary: filepath.Join(m.home, "absent")}); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Models(t.Context()); !errors.Is(err, research.ErrUnavailable) || !strings.Contains(err.Error(), "correct the path") {
		t.Errorf("Models = %v, want what to do about the program", err)
	}
	ch, err := d.Channel(t.Context())
	if err != nil || ch.Name != "extractive" || !strings.Contains(ch.Why, "correct the path") {
		t.Errorf("Channel = %+v, %v; want the extractive one and why", ch, err)
	}
	if st, err := d.ServerStatus(t.Context()); err != nil || st.Binary != "" || st.BinaryFault == "" {
		t.Errorf("ServerStatus = %+v, %v", st, err)
	}
	for name, bad := range map[string]Settings{
		"flash attention": {FlashAttention: "maybe"}, "cache type": {KVType: "q5"}, "cache type without flash attention": {KVType: "q8_0", FlashAttention: "off"},
		"parallel": {Parallel: 17}, "less than one": {Parallel: -1}, "program": {OllamaBinary: "ollama"},
	} {
		if err := d.SetSettings(bad); err == nil {
			t.Errorf("settings with a bad %s were kept", name)
		}
	}
	if err := d.SetSettings(Settings{KVType: "q8_0", Parallel: 16, FlashAttention: "auto"}); err != nil {
		t.Error(err)
	}
}

func TestTuningOfSettings(t *testing.T) {
	for _, tc := range []struct {
		set  Settings
		want int64
	}{
		{Settings{}, 0}, {Settings{Memory: MemorySettings{Reserve: "1.5GiB"}}, 3 << 29}, {Settings{Memory: MemorySettings{Reserve: "10%"}}, 0},
		{Settings{Memory: MemorySettings{Reserve: "1.5GiB", UseReserve: true}}, 0},
	} {
		tc.set.KVType, tc.set.Parallel, tc.set.FlashAttention = "q8_0", 2, "auto"
		want := ollama.Tuning{KVType: "q8_0", Parallel: 2, FlashAttention: "auto", GPUOverhead: tc.want}
		if got := tc.set.tuning(); got != want {
			t.Errorf("tuning of %+v = %+v, want %+v", tc.set, got, want)
		}
	}
}

// TestKilledTwentyTimes kills the managed server twenty times in a research over a small library, at moments that chance
// chooses; the model's words are noise, all else is real. The research waits each time and ends.
func TestKilledTwentyTimes(t *testing.T) {
	if testing.Short() {
		t.Skip("a real server answers for a minute; run without -short")
	}
	const kills = 20
	m := newPlace(t)
	d := m.open(t, "terminal")
	d.managed.pause = 10 * time.Millisecond
	managedOn(t, d)
	makeTiny(t, d)
	begun, engineRun := make(chan struct{}), d.wire.run
	d.wire.run = func(ctx context.Context, cfg engine.Config, rec engine.Record) (research.Digest, error) {
		close(begun)
		return engineRun(ctx, cfg, rec)
	}
	dir := folder(t)
	for i, metal := range []string{"Copper", "Iron", "Tin", "Lead", "Zinc", "Nickel", "Platinum", "Titanium", "Chromium", "Cobalt", "Tungsten", "Mercury", "Gallium", "Osmium", "Rhodium", "Indium"} {
		text := fmt.Sprintf("%s melts at %d degrees Celsius, where gold melts at 1064 degrees.\n\nWhen gold melts beside %s, the alloy melts at %d degrees.\n", metal, 300+70*i, strings.ToLower(metal), 900+10*i)
		if err := os.WriteFile(filepath.Join(dir, metal+".txt"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	req := request(dir) // long enough for all kills: each source is read in calls of its own
	req.Model, req.Depth, req.Egress = "ollama:tiny", research.Quick, research.Closed
	j := start(t, d, req, StartOptions{})
	<-begun

	chance := rand.New(rand.NewSource(1))
	killed := map[int]bool{}
	for len(killed) < kills {
		ms := 20 + chance.Intn(200)
		if len(killed)%4 == 3 { // long enough for an answer or two
			ms = 500 + chance.Intn(1000)
		}
		select {
		case <-j.Done():
			t.Fatalf("the research ended after %d kills: %+v", len(killed), j.result)
		case <-time.After(time.Duration(ms) * time.Millisecond):
		}
		st := d.managedStatus()
		if st == nil || st.PID == 0 || killed[st.PID] || st.State != "ready" {
			continue
		}
		killed[killServer(t, d)] = true
	}
	res := wait(t, j)
	if res.Err != nil || res.Exit != ExitDone || res.Digest == nil {
		t.Fatalf("the research ended with %+v", res)
	}
	if st := d.managedStatus(); st == nil || st.Restarts != kills || st.State != "ready" {
		t.Errorf("the server = %+v, want it ready after %d restarts", st, kills)
	}
	run, err := ReadRunFile(filepath.Join(j.Dir(), "run.json"))
	if err != nil {
		t.Fatal(err)
	}
	states := map[string]int{}
	for _, ev := range run.Events {
		if ev.Kind == research.EventState {
			var s research.StateNews
			if err := json.Unmarshal(ev.Payload, &s); err != nil {
				t.Fatal(err)
			}
			states[s.State]++
		}
	}
	if states["paused"] == 0 || states["running"] != states["paused"]+1 {
		t.Errorf("states = %v, want pauses that all ended", states)
	}
	if rep := audit.Check(run); !rep.OK() {
		t.Errorf("audit: %v", rep.Faults[:min(3, len(rep.Faults))])
	}
	t.Logf("%d kills, paused %d times", kills, states["paused"])
}

// killServer kills the managed server as a crash would.
func killServer(t *testing.T, d *Desk) int {
	t.Helper()
	st := d.managedStatus()
	if st == nil || st.PID == 0 {
		t.Fatalf("there is no server to kill: %+v", st)
	}
	p, err := os.FindProcess(st.PID)
	if err == nil {
		err = p.Kill()
	}
	if err != nil {
		t.Fatal(err)
	}
	return st.PID
}
