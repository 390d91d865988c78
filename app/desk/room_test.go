package desk

import (
	"os"
	"strings"
	"testing"

	"assay/engine/enginetest"
	"assay/engine/ollama"
	"assay/gpu"
)

// TestRoomWithoutACard asks a real server: on a machine without a card the table is about the machine's memory.
func TestRoomWithoutACard(t *testing.T) {
	server := enginetest.StartOllama(t)
	d := hardwareDesk(t, server.URL)
	if len(d.Hardware(t.Context(), false).GPUs) > 0 {
		t.Skip("this machine has a card")
	}
	r, err := d.RoomTable(t.Context())
	if err != nil || len(r.Rows) != 1 || r.Card || r.Free == nil || *r.Free <= 0 || r.Reserve != gpu.DefaultReserve || r.KV != gpu.F16 {
		t.Fatalf("RoomTable = %+v, %v", r, err)
	}
	cells := r.Rows[0].Cells
	if len(cells) != 2 || cells[0].Context != 4096 || cells[1].Context != 8192 || cells[0].Fit != gpu.Fits || cells[1].Needs <= cells[0].Needs {
		t.Errorf("cells of a model of 8192 tokens = %+v", cells)
	}
	m, err := d.ModelRoom(t.Context(), enginetest.TinyModel, 4096)
	if err != nil || m.Estimate.Load.Context != 4096 || m.Estimate.Host() == 0 || m.Estimate.Card() != 0 || m.Measured.Text != "" {
		t.Errorf("ModelRoom = %+v, %v", m.Estimate, err)
	}
	if _, err := d.LoadModel(t.Context(), enginetest.TinyModel, LoadOptions{NumCtx: 8192}); err != nil {
		t.Fatal(err)
	}
	m, err = d.ModelRoom(t.Context(), enginetest.TinyModel, 0)
	if err != nil || m.Estimate.Load.Context != 8192 || !strings.Contains(m.Measured.Text, "asked 8,192, server reports 8,192") || m.Measured.Checked || !m.Measured.Close {
		t.Errorf("ModelRoom of the loaded model = %+v, %v; this server estimates what such a model takes", m.Measured, err)
	}
	if _, err := d.ModelRoom(t.Context(), "none", 0); err == nil || !strings.Contains(err.Error(), "no model none") {
		t.Errorf("of a model that is not there: %v", err)
	}
	if parts, err := d.LoadedParts(t.Context()); err != nil || len(parts) != 0 {
		t.Errorf("parts on cards = %v, %v; there is no card", parts, err)
	}
}

// TestRoomOnACard asks a real server beside a recorded card of 16 GiB, of which 12.4 are in use.
func TestRoomOnACard(t *testing.T) {
	server := enginetest.StartOllama(t)
	home, dir := t.TempDir(), writeReplay(t)
	for _, name := range []string{"0000.ps.json", "0600.ps.json"} { // the real server says what is loaded
		if err := os.Remove(dir + "/" + name); err != nil {
			t.Fatal(err)
		}
	}
	d, err := Open(Options{Getenv: func(name string) string {
		return map[string]string{"ASSAY_HOME": home, "OLLAMA_HOST": server.URL, ReplayEnv: dir}[name]
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	r, err := d.RoomTable(t.Context())
	if err != nil || !r.Card || r.Free == nil || *r.Free != 3242<<20 || len(r.Rows) != 1 || r.Rows[0].Cells[0].Fit != gpu.Fits {
		t.Fatalf("RoomTable = %+v, %v", r, err)
	}
	for _, tc := range []struct {
		model string
		fit   gpu.Fit
		words string
	}{
		{"gpt-oss:20b", gpu.Spills, "Will not fit wholly: about "},
		{"nomic-embed-text", gpu.Fits, "Fits with up to "},
		{"no-such-model-anywhere", gpu.Unknown, ""},
	} {
		fit, text, err := d.Room(t.Context(), tc.model)
		if err != nil || fit != tc.fit || !strings.HasPrefix(text, tc.words) {
			t.Errorf("Room(%s) = %s, %q, %v", tc.model, fit, text, err)
		}
	}
	p, err := d.Plan(t.Context())
	if err != nil || !p.Known || len(p.Options) != 1 || p.Options[0].Model != "tiny:latest" {
		t.Fatalf("Plan = %+v, %v", p.Decision, err)
	}
	if check, err := d.PlanCheck(t.Context(), p); err != nil || check.Text != "" {
		t.Errorf("PlanCheck before a load = %+v, %v", check, err)
	}
	if d.PlanChosen() {
		t.Error("nothing was chosen yet")
	}
	if err := d.UsePlan("tiny:latest", 4096, false); err == nil {
		t.Error("a window below what research needs was kept")
	}
	if err := d.UsePlan("tiny:latest", 8192, true); err != nil || !d.PlanChosen() || d.Settings().Model != "ollama:tiny:latest" {
		t.Errorf("UsePlan: %v, %+v", err, d.Settings())
	}
	if p, err = d.Plan(t.Context()); err != nil || len(p.Overridden) == 0 {
		t.Errorf("the plan does not say what was chosen: %+v, %v", p.Overridden, err)
	}
	if err := d.ResetPlan(); err != nil || d.PlanChosen() {
		t.Errorf("ResetPlan: %v, %+v", err, d.Settings())
	}
}

func TestReserve(t *testing.T) {
	total := int64(16 << 30)
	card := gpu.Machine{Devices: []gpu.Device{{Index: 0, Total: &total}}}
	for _, tc := range []struct {
		name    string
		machine gpu.Machine
		set     MemorySettings
		want    int64
	}{
		{"default", card, MemorySettings{}, 1 << 30},
		{"size", card, MemorySettings{Reserve: "512MiB"}, 512 << 20},
		{"none", card, MemorySettings{Reserve: "0"}, 0},
		{"share", card, MemorySettings{Reserve: "10%"}, total / 100 * 10},
		{"of the card", card, MemorySettings{Reserve: "10%", Cards: map[int]CardMemory{0: {Reserve: "2GiB"}}}, 2 << 30},
		{"share of nothing", gpu.Machine{}, MemorySettings{Reserve: "10%"}, 1 << 30},
	} {
		g := ground{machine: tc.machine, policy: Settings{Memory: tc.set}.policy(nil)}
		if got := g.reserve(); got != tc.want {
			t.Errorf("%s: %d, want %d", tc.name, got, tc.want)
		}
	}
}

// TestLoadedOnCards holds that the part of a model which stays in main memory is not counted as memory of the cards, as far as
// the model is known, and that a model which is partly there is left as the server says it.
func TestLoadedOnCards(t *testing.T) {
	server := enginetest.NewServer(t) // of release 0.17.4
	d := hardwareDesk(t, server.URL)
	a, closeIt, err := d.lookingAdmin()
	if err != nil {
		t.Fatal(err)
	}
	defer closeIt()
	m, err := gpu.Known("qwen3:14b")
	if err != nil {
		t.Fatal(err)
	}
	d.shapes.kept = map[string]gpu.Model{"known": m}
	whole := m.Reported(gpu.Load{Context: 8192, Version: "0.17.4"})
	if whole.Outside <= 0 {
		t.Fatalf("nothing of %s stays in main memory: %+v", m.Name, whole)
	}
	got := d.loadedOnCards(t.Context(), a, []ollama.Running{
		{Name: "a", Digest: "known", Size: whole.VRAM, SizeVRAM: whole.VRAM, ContextLength: 8192},
		{Name: "b", Size: 100, SizeVRAM: 100},
		{Name: "c", Digest: "known", Size: whole.VRAM, SizeVRAM: whole.VRAM / 2, ContextLength: 8192},
	})
	if got[0].VRAM != whole.VRAM-whole.Outside || got[0].Size != got[0].VRAM || got[1].VRAM != 100 || got[2].VRAM != whole.VRAM/2 {
		t.Errorf("loaded = %+v, of which %d outside", got, whole.Outside)
	}
}
