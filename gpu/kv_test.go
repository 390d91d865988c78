package gpu

import (
	"math"
	"slices"
	"testing"
)

// uniform is a model whose layers are alike.
func uniform(arch string, layers, embedding, heads, kv, length int) Model {
	return Model{Architecture: arch, Layers: layers, Embedding: embedding, Heads: heads, KVHeads: slices.Repeat([]int{kv}, layers),
		KeyLength: length, ValueLength: length, Vocabulary: 128256, FeedForward: 4 * embedding, ContextLimit: 1 << 20}
}

// windowed is the same with the architecture's own windows.
func windowed(arch string, layers, embedding, heads, kv, length, window int) Model {
	m := uniform(arch, layers, embedding, heads, kv, length)
	m.Window, m.Windowed = windows(arch, layers, window, nil)
	return m
}

func gemma4(t *testing.T) Model {
	t.Helper()
	m, err := Known("gemma4:12b")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestCache holds the cache of each architecture class against sizes that servers logged (GPU.md, section 2, and the public
// reports it names). MiB.
func TestCache(t *testing.T) {
	yes := true
	mla := uniform("deepseek2", 61, 7168, 128, 128, 192)
	mla.ValueLength, mla.KVLoRARank, mla.RopeDimension, mla.KeyLengthMLA, mla.ValueLengthMLA = 128, 512, 64, 192, 128
	old := mla
	old.KeyLengthMLA, old.ValueLengthMLA = 0, 0
	hybrid := uniform("qwen35", 64, 5120, 24, 4, 256)
	hybrid.setRecurrent(recurrentShape{interval: 4, conv: 4})
	deci := uniform("deci", 80, 8192, 64, 8, 128)
	for i := 49; i < 80; i++ {
		deci.KVHeads[i] = 0
	}
	bert := uniform("bert", 24, 1024, 16, 16, 64)
	bert.Encoder = true
	ub := func(n int) Load { return Load{Batch: n, Version: "0.32.7", Flash: FlashOn} }
	tests := []struct {
		name  string
		model Model
		load  Load
		want  float64
	}{
		{"llama3.1:8b at 80000 (ollama#5821)", uniform("llama", 32, 4096, 32, 8, 128), Load{Context: 80000, Version: "0.5.7", Flash: FlashOff}, 10000},
		{"the same padded to 80128", uniform("llama", 32, 4096, 32, 8, 128), Load{Context: 80000, Version: "0.32.7"}, 10016},
		{"command-r at 4096: 64 key-value heads (ollama#4790)", uniform("command-r", 40, 8192, 64, 64, 128), Load{Context: 4096, Version: "0.32.7"}, 5120},
		{"command-r at 32768", uniform("command-r", 40, 8192, 64, 64, 128), Load{Context: 32768, Version: "0.32.7"}, 40960},
		{"qwen3:235b at q8_0", uniform("qwen3moe", 94, 4096, 64, 4, 128), Load{Context: 65536, KV: Q8, Flash: FlashOn, Version: "0.32.7"}, 6392},
		{"keys q8_0, values f16", uniform("qwen3moe", 94, 4096, 64, 4, 128), Load{Context: 65536, K: Q8, V: F16, Flash: FlashOn, Version: "0.32.7"}, 9212},
		{"keys q8_0, values q4_0", hybrid, Load{Context: 262144, K: Q8, V: Q4, Flash: FlashOn, Version: "0.32.7"}, 6656},
		{"qwen3.6:27b hybrid at q8_0", hybrid, Load{Context: 172032, KV: Q8, Flash: FlashOn, Version: "0.32.7"}, 5712},
		{"a context that is padded", deci, Load{Context: 20000, Flash: FlashOn, Version: "0.12.3"}, 3871},
		{"gpt-oss:20b at 128k, batch 2048", windowed("gpt-oss", 24, 2880, 64, 8, 64, 128), func() Load { l := ub(2048); l.Context = 131072; return l }(), 3126},
		{"gpt-oss:20b at q8_0, batch 128", windowed("gpt-oss", 24, 2880, 64, 8, 64, 128), Load{Context: 8192, KV: Q8, Windowed: Q8, Batch: 128, Flash: FlashOn, Version: "0.32.7"}, 105.1875},
		{"gpt-oss:120b by the engine before 0.30", windowed("gpt-oss", 36, 2880, 64, 8, 64, 128), Load{Context: 8192, Version: "0.11.10"}, 450},
		{"gemma3:12b by the engine", windowed("gemma3", 48, 3840, 16, 8, 256, 1024), Load{Context: 8192, Version: "0.11.4"}, 992},
		{"gemma3:12b at 2048", windowed("gemma3", 48, 3840, 16, 8, 256, 1024), Load{Context: 2048, Version: "0.6.6"}, 608},
		{"gemma3:1b", windowed("gemma3", 26, 1152, 4, 1, 256, 512), Load{Context: 4096, Version: "0.12.6"}, 38},
		{"gemma2:2b, one cache for four, window over the context", windowed("gemma2", 26, 2304, 8, 4, 256, 4096), Load{Context: 2048, Parallel: 4, Batch: 512, Unified: &yes, Version: "0.32.7"}, 832},
		{"gemma2:2b by the llama runner of 0.17: no windows", windowed("gemma2", 26, 2304, 8, 4, 256, 4096), Load{Context: 8192, Version: "0.17.4"}, 832},
		{"gemma4:12b, one cache for four", gemma4(t), Load{Context: 2048, Parallel: 4, Batch: 2048, Unified: &yes, Version: "0.32.7", Flash: FlashOn}, 2048},
		{"DeepSeek V3 absorbed at q8_0", mla, Load{Context: 2048, KV: Q8, Flash: FlashOn, Version: "0.32.7"}, 72.9140625},
		{"DeepSeek V3 with its values a second time", mla, Load{Context: 16384, Latent: LatentValues, Version: "0.32.7"}, 2074},
		{"DeepSeek V3 by the engine keeps the values too", mla, Load{Context: 16384, Version: "0.17.4"}, 2074},
		{"DeepSeek V3 in a file that predates the short form", old, Load{Context: 512, Version: "0.32.7"}, 2440},
		{"an encoder has none", bert, Load{Context: 8192, Version: "0.32.7"}, 0},
		{"an encoder had one before 2025", bert, Load{Context: 512, Version: "0.5.7"}, 48},
		{"unaligned context is padded to 256", uniform("llama", 1, 256, 1, 1, 256), Load{Context: 1000, Version: "0.32.7"}, 1},
		{"and to 32 without flash attention before 0.13.2", uniform("llama", 1, 256, 1, 1, 256), Load{Context: 1000, Version: "0.9.0", Flash: FlashOff}, 1},
		{"two sequences", uniform("llama", 32, 4096, 32, 8, 128), Load{Context: 4096, Parallel: 2, Version: "0.17.4"}, 1024},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			got := float64(tc.model.Estimate(tc.load).KVBytes()) / (1 << 20)
			if math.Abs(got-tc.want) > 1e-9 {
				t.Errorf("cache = %.6f MiB, want %.6f", got, tc.want)
			}
		})
	}
}

// TestWindowedPerSequence holds that each sequence has a window of its own from 0.30 on (one cache for each of -np), padded
// for each.
func TestWindowedPerSequence(t *testing.T) {
	m := windowed("gemma3", 6, 256, 1, 1, 256, 1000)
	e := m.Estimate(Load{Context: 8192, Parallel: 3, Batch: 512, Version: "0.32.7", Flash: FlashOn})
	if want := int64(5 * 3 * 1536 * 2 * 256 * 2); e.Of(PartKVWindowed) != want {
		t.Errorf("windowed cache = %d, want %d: 5 layers x 3 sequences x 1536 cells", e.Of(PartKVWindowed), want)
	}
}

// TestRecurrentState holds the state against logs: 299.25 MiB for two sequences of qwen3.6:27b (llama.cpp#23792), 50.25 for a
// qwen3.5:9b (case c060 says 50).
func TestRecurrentState(t *testing.T) {
	for _, tc := range []struct {
		name     string
		parallel int
		version  string
		want     float64
	}{
		{"qwen3.6:27b", 1, "0.32.7", 149.625}, {"qwen3.5:9b", 1, "0.32.7", 50.25},
		{"qwen3.5:9b", 1, "0.17.4", 50.25 * 25}, // the engine keeps 24 states to go back to
	} {
		m, err := Known(tc.name)
		if err != nil {
			t.Fatal(err)
		}
		e := m.Estimate(Load{Context: 8192, Parallel: tc.parallel, Version: tc.version, Flash: FlashOn})
		if got := float64(e.Of(PartRecurrent)) / (1 << 20); got != tc.want {
			t.Errorf("%s under %s: state = %.3f MiB, want %.3f", tc.name, tc.version, got, tc.want)
		}
	}
}

// TestCacheWithoutHeads holds that unknown key-value heads make a bound and never one head.
func TestCacheWithoutHeads(t *testing.T) {
	m := uniform("llama", 32, 4096, 32, 8, 128)
	m.KVHeads = nil
	e := m.Estimate(Load{Context: 8192, Version: "0.32.7"})
	if got := e.KVBytes() >> 20; got != 4096 || !e.Bound() {
		t.Errorf("cache = %d MiB, bound %v; want 4096 (32 heads) and a bound", got, e.Bound())
	}
}

func TestRowBytes(t *testing.T) {
	for _, tc := range []struct {
		format   KVType
		elements int64
		want     int64
	}{
		{F32, 32, 128}, {F16, 32, 64}, {BF16, 32, 64}, {Q8, 32, 34}, {Q51, 32, 24}, {Q5, 32, 22}, {Q41, 32, 20}, {Q4, 32, 18},
		{Q8, 33, 68}, {Q8, 0, 0}, {"q3_x", 32, 128},
	} {
		if got := rowBytes(tc.format, tc.elements); got != tc.want {
			t.Errorf("rowBytes(%s, %d) = %d, want %d", tc.format, tc.elements, got, tc.want)
		}
	}
	if quantised(F16) || quantised("") || !quantised(Q8) || KnownKV("q3_x") || !KnownKV(Q41) {
		t.Error("a cache format is sorted wrongly")
	}
}
