package desk

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/engine/enginetest"
	"assay/engine/research"
	"assay/gpu"
)

// halfTiny is a model whose cache of 16,384 tokens takes 256 MiB at f16 and 136 at q8_0.
var halfTiny = enginetest.Tiny{Layers: 16, Embedding: 256, Heads: 4, KVHeads: 4, Forward: 256, Context: 65536}

// tightFor is a free memory in which the model has room with a window of 16,384 tokens at q8_0 and not at f16.
func tightFor(t *testing.T, d *Desk) int64 {
	t.Helper()
	d.wire.memory = playedCards(15 << 30)
	p, err := d.Plan(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	o, ok := p.chosen()
	if !ok || o.KV != gpu.F16 || o.Context != usefulContext || p.Retune != "" || p.Better != "" {
		t.Fatalf("plan with room: %+v", p)
	}
	return o.Needs + gpu.DefaultReserve - 80<<20 // a smaller batch gives back less than that
}

// TestPlanStartsTheServerAnew: a server that Assay started is started anew with the cache type that a plan needs, and told of;
// not while something uses it, and not where the settings name a type.
func TestPlanStartsTheServerAnew(t *testing.T) {
	d := newPlace(t).open(t, "window")
	managedOn(t, d)
	file := filepath.Join(t.TempDir(), "half.gguf")
	if err := os.WriteFile(file, halfTiny.GGUF(), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := d.CreateModel(t.Context(), "half", file, CreateOptions{Parameters: map[string]any{"num_thread": 1}}); err != nil {
		t.Fatal(err)
	}
	tight := tightFor(t, d)
	first := d.managedStatus()
	d.wire.memory = playedCards(tight)
	p, err := d.Plan(t.Context())
	if o, ok := p.chosen(); err != nil || !ok || o.KV != gpu.Q8 || o.Context != usefulContext || o.Fit != gpu.Fits || p.Retune != gpu.Q8 || !strings.Contains(strings.Join(p.Why, " "), "started anew with a cache of q8_0") {
		t.Fatalf("tight plan: %+v, %v", p, err)
	}
	if st := d.managedStatus(); st.PID != first.PID {
		t.Error("a plan that is only looked at started the server anew")
	}

	var notes []string
	ch, err := d.ollamaChannel(t.Context(), "", research.Closed, pinnedLoad{}, told{note: func(n research.Note) { notes = append(notes, n.Text) }})
	if err != nil {
		t.Fatal(err)
	}
	second := d.managedStatus()
	if ch.spot.load.KV != gpu.Q8 || ch.spot.load.Context != usefulContext || second.PID == first.PID || !slices.Contains(second.Tuned, "OLLAMA_KV_CACHE_TYPE=q8_0") || !slices.Contains(second.Tuned, "OLLAMA_FLASH_ATTENTION=1") {
		t.Errorf("spot %+v, server %+v", ch.spot.load, second)
	}
	if len(notes) != 2 || !strings.Contains(notes[0], "started anew with a cache of q8_0") || !strings.Contains(notes[1], "no embedding model") {
		t.Errorf("notes %q", notes)
	}
	// A second channel finds the server in use, and takes it as it is.
	d.wire.memory = playedCards(15 << 30)
	if p, err = d.Plan(t.Context()); err != nil || p.Retune != "" || p.Options[0].KV != gpu.Q8 {
		t.Errorf("plan beside a run: %+v, %v", p, err)
	}
	if err := d.retune(t.Context(), gpu.F16); !errors.Is(err, ErrServerInUse) {
		t.Errorf("retune beside a run = %v", err)
	}
	if err := ch.end(); err != nil {
		t.Error(err)
	}
	if p, err = d.Plan(t.Context()); err != nil || p.Retune != gpu.F16 {
		t.Errorf("plan with room again: %+v, %v", p, err)
	}

	// The settings' own word holds.
	set := d.Settings()
	set.KVType = "f16"
	if err := d.SetSettings(set); err != nil {
		t.Fatal(err)
	}
	d.wire.memory = playedCards(tight)
	if p, err = d.Plan(t.Context()); err != nil || p.Options[0].KV != gpu.F16 || p.Retune != gpu.F16 || !strings.Contains(p.Better, "With a cache of q8_0, which the settings") {
		t.Errorf("plan by the settings: %+v, %v", p, err)
	}
}

// TestForeignServerKeepsItsCache: of a server that Assay did not start it is said what another cache type would do.
func TestForeignServerKeepsItsCache(t *testing.T) {
	server := enginetest.StartOllama(t, halfTiny)
	d := hardwareDesk(t, server.URL)
	tight := tightFor(t, d)
	d.wire.memory = playedCards(tight)
	p, err := d.Plan(t.Context())
	if o, ok := p.chosen(); err != nil || !ok || o.KV != gpu.F16 || p.Retune != "" || !strings.Contains(p.Better, "Assay did not start the server") || !strings.Contains(p.Better, "OLLAMA_KV_CACHE_TYPE=q8_0") {
		t.Fatalf("tight plan: %+v, %v", p, err)
	}
	ch, err := d.ollamaChannel(t.Context(), "", research.Closed, pinnedLoad{}, told{})
	if err != nil {
		t.Fatal(err)
	}
	if ch.spot.load.KV != gpu.F16 {
		t.Errorf("spot %+v", ch.spot.load)
	}
	if err := ch.end(); err != nil {
		t.Error(err)
	}
	if err := d.answers(context.WithoutCancel(t.Context()), server.URL); err != nil {
		t.Errorf("the server that Assay did not start: %v", err)
	}
	// Without flash attention no other type is to be had.
	set := d.Settings()
	set.FlashAttention = "off"
	if err := d.SetSettings(set); err != nil {
		t.Fatal(err)
	}
	if p, err = d.Plan(t.Context()); err != nil || p.Better != "" {
		t.Errorf("plan without flash attention: %q, %v", p.Better, err)
	}
}
