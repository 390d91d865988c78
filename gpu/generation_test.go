package gpu

import (
	"strings"
	"testing"
)

func TestGenerationOf(t *testing.T) {
	for version, want := range map[string]Generation{
		"": GenerationUnknown, "0.0.0": GenerationUnknown, "unknown": GenerationUnknown, "0.x.1": GenerationUnknown, "1": GenerationUnknown,
		"0.5.7": GenerationOld, "0.11.9": GenerationOld, "0.11.10": GenerationEngine, "0.17.4": GenerationEngine, "0.24.0": GenerationEngine,
		"0.29.3-rc1": GenerationEngine, "0.30.0": GenerationServer, "0.30.0-rc2": GenerationServer, "v0.34.2": GenerationServer, "1.0.0": GenerationServer,
		"99999999999999999999.1": GenerationUnknown,
	} {
		if got := GenerationOf(version); got != want {
			t.Errorf("GenerationOf(%q) = %v, want %v", version, got, want)
		}
	}
}

// TestUnknownVersion holds that an unknown version is planned by the newest rules, and said.
func TestUnknownVersion(t *testing.T) {
	m := uniform("llama", 32, 4096, 32, 8, 128)
	newest := m.Estimate(Load{Context: 16384, Version: "0.40.0", Flash: FlashOn})
	for _, v := range []string{"", "0.0.0", "dev"} {
		e := m.Estimate(Load{Context: 16384, Version: v, Flash: FlashOn})
		if e.Server() != newest.Server() || e.Margin != newest.Margin {
			t.Errorf("version %q: %d bytes and a margin of %d, want those of the newest rules, %d and %d", v, e.Server(), e.Margin, newest.Server(), newest.Margin)
		}
		if len(e.Notes) == 0 || !strings.Contains(e.Notes[0], "version") {
			t.Errorf("version %q: notes %q do not say that it is unknown", v, e.Notes)
		}
	}
}

// TestBatchRule holds the batch that a server picks from 0.30 on: crossing 4096 or 32768 tokens in all doubles it.
func TestBatchRule(t *testing.T) {
	llama := uniform("llama", 32, 4096, 32, 8, 128)
	bert := uniform("bert", 12, 768, 12, 12, 64)
	bert.Encoder = true
	for _, tc := range []struct {
		name  string
		model Model
		load  Load
		want  int
	}{
		{"4096", llama, Load{Context: 4096, Version: "0.32.7"}, 512},
		{"4097", llama, Load{Context: 4097, Version: "0.32.7"}, 1024},
		{"two of 4096", llama, Load{Context: 4096, Parallel: 2, Version: "0.32.7"}, 1024},
		{"32768", llama, Load{Context: 32768, Version: "0.32.7"}, 1024},
		{"over 32768", llama, Load{Context: 32769, Version: "0.32.7"}, 2048},
		{"without flash attention", llama, Load{Context: 65536, Version: "0.32.7", Flash: FlashOff}, 512},
		{"before 0.30", llama, Load{Context: 65536, Version: "0.17.4"}, 512},
		{"before 0.30, short", llama, Load{Context: 256, Version: "0.17.4"}, 256},
		{"an encoder", bert, Load{Context: 8192, Version: "0.32.7"}, 2048},
		{"an encoder before 0.30", bert, Load{Context: 8192, Version: "0.17.4"}, 8192},
		{"asked for", llama, Load{Context: 65536, Batch: 128, Version: "0.32.7"}, 128},
	} {
		if got := tc.model.Estimate(tc.load).Load.Batch; got != tc.want {
			t.Errorf("%s: batch %d, want %d", tc.name, got, tc.want)
		}
	}
}

// TestDroppedCache holds that a quantised cache counts as f16 where the server would drop it, and that this is said
// (ACCEPTANCE case 64 is its other half, in TestQuantisedCacheHalves).
func TestDroppedCache(t *testing.T) {
	llama := uniform("llama", 32, 4096, 32, 8, 128)
	qwen3 := uniform("qwen3", 36, 4096, 32, 8, 128)
	for _, tc := range []struct {
		name  string
		model Model
		load  Load
		want  KVType
	}{
		{"0.17, llama, auto", llama, Load{KV: Q8, Version: "0.17.4"}, F16},
		{"0.17, llama, on", llama, Load{KV: Q8, Version: "0.17.4", Flash: FlashOn}, Q8},
		{"0.17, qwen3, auto: on by default", qwen3, Load{KV: Q8, Version: "0.17.4"}, Q8},
		{"0.17, qwen3, off", qwen3, Load{KV: Q8, Version: "0.17.4", Flash: FlashOff}, F16},
		{"0.17, gemma2 refuses flash attention", windowed("gemma2", 26, 2304, 8, 4, 256, 4096), Load{KV: Q4, Version: "0.17.4", Flash: FlashOn}, F16},
		{"0.32, off", llama, Load{KV: Q8, Version: "0.32.7", Flash: FlashOff}, F16},
		{"0.32, on", llama, Load{KV: Q8, Version: "0.32.7", Flash: FlashOn}, Q8},
		{"f16 is never dropped", llama, Load{KV: F16, Version: "0.17.4", Flash: FlashOff}, F16},
	} {
		e := tc.model.Estimate(tc.load)
		if e.Load.KV != tc.want {
			t.Errorf("%s: cache counted at %s, want %s", tc.name, e.Load.KV, tc.want)
		}
		dropped := tc.want != tc.load.KV
		if said := strings.Contains(strings.Join(e.Notes, "; "), "counted at f16"); said != dropped {
			t.Errorf("%s: notes %q", tc.name, e.Notes)
		}
	}
}

// TestOneSequence holds that families which the server loads for one sequence are counted for one.
func TestOneSequence(t *testing.T) {
	m, err := Known("qwen3.5:9b")
	if err != nil {
		t.Fatal(err)
	}
	e := m.Estimate(Load{Context: 8192, Parallel: 4, Version: "0.32.7"})
	if e.Load.Parallel != 1 || len(e.Notes) == 0 {
		t.Errorf("parallel %d, notes %q; want 1 and a note", e.Load.Parallel, e.Notes)
	}
}

// TestContextClamped holds that a context beyond the model's own is cut as the server cuts it.
func TestContextClamped(t *testing.T) {
	m := uniform("llama", 32, 4096, 32, 8, 128)
	m.ContextLimit = 8192
	if e := m.Estimate(Load{Context: 131072, Version: "0.32.7"}); e.Load.Context != 8192 || !strings.Contains(e.Notes[0], "8,192") && !strings.Contains(e.Notes[0], "131,072") {
		t.Errorf("context %d, notes %q", e.Load.Context, e.Notes)
	}
	for _, l := range []Load{{Context: -5, Parallel: -1, Batch: -7}, {Context: 1 << 62, Parallel: 1 << 62, Batch: 1 << 62, Physical: 1 << 62, Devices: 1 << 62}} {
		m.ContextLimit = 0
		if e := m.Estimate(l); e.Server() < 0 || e.Card() < 0 || e.Host() < 0 || e.Margin < 0 {
			t.Errorf("Estimate(%+v) has a negative size: %+v", l, e)
		}
	}
}
