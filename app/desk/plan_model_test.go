package desk

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/engine/enginetest"
	"assay/engine/ollama"
	"assay/engine/research"
	"assay/gpu"
)

// playedCards is a card of 16 GB with so much free, beside a real server's models.
func playedCards(free int64) func(*ollama.Admin) *gpu.Sampler {
	return func(a *ollama.Admin) *gpu.Sampler {
		return &gpu.Sampler{Status: func(context.Context) gpu.Status { return cardWith(free) }, Models: func(ctx context.Context) ([]gpu.Loaded, error) {
			running, err := a.Running(ctx)
			return loadedOf(running), err
		}}
	}
}

// planServer is a real server with models of three sizes, the largest of which has too short a window.
func planServer(t *testing.T) *enginetest.Ollama {
	server := enginetest.StartOllama(t, enginetest.Tiny{Context: 65536})
	server.Create("large", enginetest.Tiny{Layers: 4, Embedding: 128, Forward: 256, Context: 65536})
	server.Create("short", enginetest.Tiny{Layers: 5, Embedding: 128, Forward: 256, Context: 4096})
	return server
}

// TestPlan plans over the models of a real server for a card: the larger that fits, with the window that is of use, the reasons,
// and the alternatives best first.
func TestPlan(t *testing.T) {
	d := hardwareDesk(t, planServer(t).URL)
	d.wire.memory = playedCards(15 << 30)
	p, err := d.Plan(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	o, ok := p.chosen()
	if !ok || !p.Known || o.Model != "large:latest" || o.Context != usefulContext || o.Fit != gpu.Fits || o.KV != gpu.F16 || len(p.Why) < 3 || p.Later != "" || p.Rule != "" {
		t.Fatalf("plan %+v", p)
	}
	if len(p.Alternatives) < 2 || !p.Alternatives[0].Chosen || p.Alternatives[0].Model != "large:latest" {
		t.Errorf("alternatives %+v", p.Alternatives)
	}
	// Little is free: programs hold the rest. The plan is for later, and says what is missing.
	d.wire.memory = playedCards(64 << 20)
	if p, err = d.Plan(t.Context()); err != nil || !strings.Contains(p.Later, "large:latest with 16,384 tokens needs") || !strings.Contains(p.Later, "lacks") {
		t.Errorf("plan on a full card: %q, %v", p.Later, err)
	}
	// A budget decides as a full card does, but waiting does not help.
	set := d.Settings()
	set.Memory.Budget = "100MiB"
	if err := d.SetSettings(set); err != nil {
		t.Fatal(err)
	}
	d.wire.memory = playedCards(15 << 30)
	if p, err = d.Plan(t.Context()); err != nil || len(p.Options) > 0 || !strings.HasPrefix(p.Refusal, "No model fits") || p.Later != "" || p.Rule == "" {
		t.Errorf("plan under a budget: %+v, %v", p, err)
	}
}

// TestPlanWithoutACard keeps to the rule without a plan and says so.
func TestPlanWithoutACard(t *testing.T) {
	d := hardwareDesk(t, planServer(t).URL)
	d.wire.memory = func(*ollama.Admin) *gpu.Sampler {
		return &gpu.Sampler{Status: func(context.Context) gpu.Status { return gpu.Status{GPUs: []gpu.GPU{}, Kind: gpu.KindNone} }}
	}
	p, err := d.Plan(t.Context())
	if err != nil || p.Known || len(p.Options) > 0 || !strings.Contains(p.Refusal, "no graphics card") || p.Rule != "large:latest" || p.Why == nil || p.Alternatives == nil {
		t.Errorf("plan %+v, %v", p, err)
	}
	if p, err = d.PlanWith(t.Context(), FitRequest{Free: "8GiB", Version: "0.32.7"}); err != nil || !p.Known || len(p.Options) != 1 || p.Options[0].Estimate.Generation != gpu.GenerationServer {
		t.Errorf("plan for a card that was stated: %+v, %v", p, err)
	}
	if _, err = d.PlanWith(t.Context(), FitRequest{Free: "much"}); err == nil {
		t.Error("a size that is none was taken")
	}
	ch, err := d.ollamaChannel(t.Context(), "", research.Closed, pinnedLoad{}, told{})
	if err != nil {
		t.Fatal(err)
	}
	if l := ch.model.Limits(); ch.Name != "ollama:large:latest" || l.NumCtx != ollama.DefaultNumCtx {
		t.Errorf("channel %s with %+v", ch.Name, l)
	}
	if err := ch.end(); err != nil {
		t.Error(err)
	}
	if _, err := hardwareDesk(t, "127.0.0.1:1").Plan(t.Context()); !errors.Is(err, research.ErrUnavailable) {
		t.Errorf("plan without a server: %v", err)
	}
}

// TestCloudModelsAreNotPlanned holds that a model that the server forwards is never chosen, however good.
func TestCloudModelsAreNotPlanned(t *testing.T) {
	server := enginetest.NewServer(t)
	server.Models = []enginetest.ServerModel{{Name: "gpt-oss:20b", RemoteHost: "https://ollama.com:443", RemoteModel: "gpt-oss:20b", Size: 400}, {Name: "big-cloud", Size: 300}}
	d := hardwareDesk(t, server.URL)
	d.wire.memory = playedCards(15 << 30)
	p, err := d.Plan(t.Context())
	if err != nil || len(p.Options) > 0 || len(p.Aside) != 2 || !strings.Contains(p.Aside[0], "not on this machine") || p.Rule != "" {
		t.Errorf("plan %+v, %v", p, err)
	}
	if _, err := d.ollamaChannel(t.Context(), "", research.Web, pinnedLoad{}, told{}); err == nil {
		t.Error("auto took a cloud model")
	}
}

// TestRunByPlan runs against the real server with a card that is played: the plan's window and batch are recorded, sent with every
// call and kept by a resumed run; what was loaded is compared with the prediction. The real server computes on the processor, so
// that the watch, were it not still, would say so.
func TestRunByPlan(t *testing.T) {
	server := planServer(t)
	home := t.TempDir()
	open := func() *Desk {
		d, err := Open(Options{Program: "terminal", Version: "1.0", Getenv: func(name string) string {
			switch name {
			case "ASSAY_HOME":
				return home
			case "OLLAMA_HOST":
				return server.URL
			}
			return ""
		}})
		if err != nil {
			t.Fatal(err)
		}
		d.wire.run = hang
		d.wire.memory = playedCards(15 << 30)
		d.wire.watch = func(ctx context.Context, _ *spot) (<-chan gpu.Sample, func()) {
			looks := make(chan gpu.Sample)
			context.AfterFunc(ctx, func() { close(looks) })
			return looks, func() {}
		}
		return d
	}
	d := open()
	req := request(folder(t))
	req.Model = "auto"
	j := start(t, d, req, StartOptions{})
	awaitKind(t, j, research.EventModel)
	setup, held, err := heldSetup(j.rec)
	if err != nil || !held || setup.Model != "ollama:large:latest" || setup.Limits.NumCtx != usefulContext || setup.NumBatch != 512 || len(setup.Plan) < 3 {
		t.Fatalf("setup %+v, %v", setup, err)
	}
	if strings.Contains(setup.Why, "MiB") || !strings.HasPrefix(setup.Why, "large:latest comes first of 2 models") {
		t.Errorf("why: %s", setup.Why)
	}
	text := said(t, d, j.ID())
	if !strings.Contains(text, "asked 16,384, server reports 16,384.") || !strings.Contains(text, "in main memory") {
		t.Errorf("said:\n%s", text)
	}
	j.Interrupt()
	if res := wait(t, j); res.State.State != "interrupted" {
		t.Fatalf("Result = %+v", res)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	loads := server.Loads()
	d = open()
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	set := d.Settings()
	set.Memory.Context = 32768 // the run began with another one
	if err := d.SetSettings(set); err != nil {
		t.Fatal(err)
	}
	d.wire.run = asking(closed(), 1)
	again, err := d.Resume(t.Context(), j.ID(), StartOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if res := wait(t, again); res.Exit != ExitDone {
		t.Fatalf("Result = %+v", res)
	}
	if got := server.Loads(); got != loads {
		t.Errorf("the resumed run loaded the model again: %d loads, %d before", got, loads)
	}
}

// closed is a channel that is always ready.
func closed() <-chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}

// TestCalibrationFile holds that what loads showed survives the program, is bounded, and that a damaged file is said and begun
// anew.
func TestCalibrationFile(t *testing.T) {
	d := fitDesk(t)
	if known, fault := d.calibration(); known != nil || fault != "" {
		t.Errorf("a new home knows %+v, %q", known, fault)
	}
	seen := func(i int) gpu.Observation {
		return gpu.Observation{Digest: "d", Context: i, KV: gpu.F16, Parallel: 1, Version: "0.32.7", Predicted: 100, Measured: 101}
	}
	for _, i := range []int{0, 1, 2, 2} { // the last is of the same load: in the place of the earlier one
		if err := d.learn(seen(i)); err != nil {
			t.Fatal(err)
		}
	}
	known, _ := d.calibration()
	if len(known) != 3 {
		t.Errorf("%d loads are kept of three", len(known))
	}
	for i := 3; i < 1090; i++ {
		known = known.Add(seen(i))
	}
	b, err := json.Marshal(known)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(d.Dirs().Data, calibrationFile), b, 0o600); err != nil {
		t.Fatal(err)
	}
	for i := 1090; i < 1100; i++ {
		if err := d.learn(seen(i)); err != nil {
			t.Fatal(err)
		}
	}
	known, fault := d.calibration()
	if len(known) != 1000 || fault != "" || known[999].Context != 1099 {
		t.Errorf("%d are kept, %q", len(known), fault)
	}
	name := filepath.Join(d.Dirs().Data, calibrationFile)
	if err := os.WriteFile(name, []byte(`[{"digest":`), 0o600); err != nil {
		t.Fatal(err)
	}
	if known, fault = d.calibration(); known != nil || !strings.Contains(fault, "learnt anew") {
		t.Errorf("a damaged file: %+v, %q", known, fault)
	}
	if err := d.learn(gpu.Observation{Digest: "d", Context: 1, KV: gpu.F16, Parallel: 1, Version: "0.32.7", Predicted: 100, Measured: 101}); err != nil {
		t.Fatal(err)
	}
	if known, fault = d.calibration(); len(known) != 1 || fault != "" {
		t.Errorf("after a damaged file: %+v, %q", known, fault)
	}
}

// TestCompareLoad says in words how a load compares, and what is learnt from it, by generation and device.
func TestCompareLoad(t *testing.T) {
	m, err := gpu.Known("llama3.1:8b")
	if err != nil {
		t.Fatal(err)
	}
	own, err := gpu.Known("qwen3:14b")
	if err != nil {
		t.Fatal(err)
	}
	at := func(version string, b gpu.Backend) gpu.Load {
		return gpu.Load{Context: 16384, Batch: 512, Version: version, Backend: b}
	}
	size := func(m gpu.Model, l gpu.Load) int64 { return m.Reported(l).VRAM }
	for name, tc := range map[string]struct {
		m      gpu.Model
		l      gpu.Load
		ps     ollama.Running
		want   []string
		learns bool
	}{
		"llama-server": {m, at("0.32.7", gpu.CUDA), ollama.Running{Digest: "d", Size: 7 << 30, SizeVRAM: 7 << 30, ContextLength: 16384},
			[]string{"Predicted ", "measured 7.00 GiB on the card", "asked 16,384, server reports 16,384"}, true},
		"another window": {m, at("0.32.7", gpu.CUDA), ollama.Running{Digest: "d", Size: 7 << 30, SizeVRAM: 7 << 30, ContextLength: 4096},
			[]string{"asked 16,384, server reports 4,096"}, false},
		"half of it": {m, at("0.32.7", gpu.CUDA), ollama.Running{Digest: "d", Size: 7 << 30, SizeVRAM: 5 << 30, ContextLength: 16384},
			[]string{"measured 5.00 GiB on the card"}, false},
		"an engine of its own": {own, at("0.17.4", gpu.CUDA), ollama.Running{Digest: "d", Size: size(own, at("0.17.4", gpu.CUDA)), SizeVRAM: size(own, at("0.17.4", gpu.CUDA)), ContextLength: 16384},
			[]string{"Predicted ", "on the card"}, true},
		"an estimate": {m, at("0.17.4", gpu.CUDA), ollama.Running{Digest: "d", Size: 7 << 30, SizeVRAM: 7 << 30, ContextLength: 16384},
			[]string{"which is no measurement", "estimates what llama models take"}, false},
		"the processor": {own, at("0.17.4", gpu.Processor), ollama.Running{Digest: "d", Size: 12 << 30, ContextLength: 16384},
			[]string{"measured 12.00 GiB in main memory"}, false},
		"an old server": {m, at("0.9.0", gpu.CUDA), ollama.Running{Digest: "d", Size: 7 << 30, SizeVRAM: 7 << 30},
			[]string{"which is no measurement", "server reports none"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			c := compareLoad(tc.m, tc.l, tc.ps, nil)
			for _, w := range tc.want {
				if !strings.Contains(c.text, w) {
					t.Errorf("text %q, want %q", c.text, w)
				}
			}
			if (c.observe != nil) != tc.learns {
				t.Errorf("learns %+v", c.observe)
			}
			if name == "an engine of its own" && c.observe != nil && c.observe.Measured != c.observe.Predicted {
				t.Errorf("what the server counts in main memory is taken for the card's: %+v", c.observe)
			}
		})
	}
	fell := int64(7500) << 20
	if c := compareLoad(m, at("0.32.7", gpu.CUDA), ollama.Running{Size: 7 << 30, SizeVRAM: 7 << 30}, &fell); !strings.Contains(c.text, "fell by 7.32 GiB") {
		t.Errorf("text %q", c.text)
	}
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 16384: "16,384", 1234567: "1,234,567", -1000: "-1,000"} {
		if got := gpu.Grouped(n); got != want {
			t.Errorf("gpu.Grouped(%d) = %q", n, got)
		}
	}
}
