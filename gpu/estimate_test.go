package gpu

import (
	"strings"
	"testing"
)

// giB is 2^30 bytes.
const giB = 1 << 30

func model(t *testing.T, name string) Model {
	t.Helper()
	m, err := Known(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestReports holds the right answers to the public bug reports on memory estimates that GPU.md lists in section 5.
func TestReports(t *testing.T) {
	t.Run("1 ollama#10740: qwen3:32b Q6_K at 32k is no 67 GiB", func(t *testing.T) {
		e := model(t, "qwen3:32b-q6_k").Estimate(Load{Context: 32768, Version: "0.7.0", Flash: FlashOn, Devices: 3})
		if n := e.Card(); n < 35*giB || n > 38*giB {
			t.Errorf("%d MiB, want about 36 GiB", n>>20)
		}
	})
	t.Run("2 ollama#5821: llama3.1:8b at 80000", func(t *testing.T) {
		m := model(t, "llama3.1:8b-q4_0")
		e := m.Estimate(Load{Context: 80000, Batch: 512, Version: "0.32.7", Flash: FlashOn})
		if kv := e.KVBytes() >> 20; kv != 10016 {
			t.Errorf("cache %d MiB, want 10016", kv)
		}
		if c := e.Of(PartCompute) >> 20; c > 400 {
			t.Errorf("working memory %d MiB with flash attention", c)
		}
		if n := e.Card(); n > 17*giB {
			t.Errorf("%d MiB, does not fit 17.7 GiB", n>>20)
		}
		// The old server placed its layers by a graph of 5 GiB: there it does spill, and the estimate has to say so.
		old := m.Estimate(Load{Context: 80000, Version: "0.5.7", Flash: FlashOn})
		if old.Margin < 4*giB {
			t.Errorf("margin before 0.11 = %d MiB, want the graph that the server reckons with", old.Margin>>20)
		}
	})
	t.Run("3 ollama#11711: gpt-oss:20b on 16 GB", func(t *testing.T) {
		m := model(t, "gpt-oss:20b")
		e := m.Estimate(Load{Context: 8192, Batch: 512, Version: "0.32.7", Flash: FlashOn})
		if w := e.Of(PartWeights) >> 20; w < 11900 || w > 12300 {
			t.Errorf("weights %d MiB, want about 12000", w)
		}
		if kv := e.KVBytes() >> 20; kv > 350 {
			t.Errorf("cache %d MiB, want about 300", kv)
		}
		if c := e.Of(PartCompute) >> 20; c > 150 {
			t.Errorf("working memory %d MiB, want about 120", c)
		}
		if room := int64(15221 << 20); e.Server()+e.Margin > room {
			t.Errorf("%d + %d MiB do not fit a 4060 Ti with %d free", e.Server()>>20, e.Margin>>20, room>>20)
		}
	})
	t.Run("4 ollama#11702: gpt-oss:120b on 4 cards", func(t *testing.T) {
		m := model(t, "gpt-oss:120b")
		one := m.Estimate(Load{Context: 8192, Batch: 512, Version: "0.32.7", Flash: FlashOn})
		four := m.Estimate(Load{Context: 8192, Batch: 512, Version: "0.32.7", Flash: FlashOn, Devices: 4})
		if extra := four.Server() - one.Server(); extra > giB {
			t.Errorf("three more cards cost %d MiB of working memory", extra>>20)
		}
		if n := four.Server(); n > 66*giB {
			t.Errorf("%d MiB, where 4 cards of 22 GB hold it", n>>20)
		}
	})
	t.Run("5 ollama#13687: the image part is a term of its own, by version", func(t *testing.T) {
		m := model(t, "qwen2.5vl:3b")
		before := m.Estimate(Load{Context: 8192, Version: "0.13.0"})
		after := m.Estimate(Load{Context: 8192, Version: "0.13.5"})
		if grown := after.Of(PartImage) - before.Of(PartImage); grown < 5*giB {
			t.Errorf("from 0.13.4 on the image graph grows by %d MiB, want 5 GiB and more", grown>>20)
		}
		if text := model(t, "qwen2.5:3b").Estimate(Load{Context: 8192, Version: "0.13.5"}); text.Of(PartImage)+text.Of(PartProjector) != 0 {
			t.Error("a model without an image part has one")
		}
	})
	t.Run("6 ollama#14073: the longest context that stays on the card, for each model", func(t *testing.T) {
		for _, tc := range []struct {
			name  string
			free  int64
			least int
			most  int
		}{{"deepseek-r1:32b", 31 * giB, 32768, 65536}, {"qwq:32b", 23 * giB, 8192, 8192}} {
			d := Choose(oneCard(tc.free, "0.32.7"), []Need{{Role: Answering}}, []Candidate{{Model: model(t, tc.name)}}, Policy{})
			if len(d.Options) != 1 || d.Options[0].Context < tc.least || d.Options[0].Context > tc.most || d.Options[0].Fit != Fits {
				t.Errorf("%s in %d GiB: %+v %s", tc.name, tc.free>>30, short(d), d.Refusal)
			}
		}
	})
	t.Run("7 ollama#15906: the model's own limit is never the default", func(t *testing.T) {
		m := model(t, "granite4.1:3b")
		if e := m.Estimate(Load{Version: "0.32.7"}); e.Load.Context != MinContext {
			t.Errorf("context %d without one asked, want %d", e.Load.Context, MinContext)
		}
		d := Choose(oneCard(8*giB, "0.32.7"), []Need{{Role: Answering, Context: 16384}}, []Candidate{{Model: m}}, Policy{})
		if d.Options[0].Context != 16384 {
			t.Errorf("context %d, want what is of use", d.Options[0].Context)
		}
	})
	t.Run("8 ollama#4790: command-r has 64 key-value heads", func(t *testing.T) {
		m := model(t, "command-r:35b-v0.1")
		a, b := m.Estimate(Load{Context: 4096, Version: "0.32.7"}), m.Estimate(Load{Context: 32768, Version: "0.32.7"})
		if a.KVBytes()>>30 != 5 || b.KVBytes()>>30 != 40 {
			t.Errorf("cache %d and %d GiB, want 5 and 40", a.KVBytes()>>30, b.KVBytes()>>30)
		}
	})
	t.Run("9 ollama#5136: deepseek-coder-v2's file keeps every head", func(t *testing.T) {
		m := model(t, "deepseek-coder-v2:16b")
		e := m.Estimate(Load{Context: 8192, Version: "0.9.0"})
		if perToken := e.KVBytes() / 8192; perToken != 270<<10 {
			t.Errorf("%d bytes a token, want 270 KiB", perToken)
		}
		some, all := 20, m.Layers+1
		part := m.Estimate(Load{Context: 8192, Version: "0.32.7", Offload: &some})
		whole := m.Estimate(Load{Context: 8192, Version: "0.32.7", Offload: &all})
		if part.Of(PartCompute)-whole.Of(PartCompute) < m.Weights.largest() {
			t.Error("layers in main memory add no room to bring their experts in")
		}
		if part.Of(PartWeights)+part.Of(PartInput) < whole.Of(PartWeights) || part.Server() >= whole.Server() {
			t.Errorf("20 layers take %d MiB, all take %d", part.Server()>>20, whole.Server()>>20)
		}
	})
	t.Run("10 gpustack#2443, #2412: encoders have no cache, and the batch decides", func(t *testing.T) {
		m := model(t, "nomic-embed-text")
		m.ContextLimit = 8192
		big := m.Estimate(Load{Context: 8192, Batch: 8192, Version: "0.32.7"})
		if big.KVBytes() != 0 {
			t.Errorf("cache %d MiB", big.KVBytes()>>20)
		}
		if n := big.Card() >> 20; n < 4158 || n > 4400 {
			t.Errorf("%d MiB, measured 4158", n)
		}
		if bge := model(t, "bge-m3").Estimate(Load{Context: 8192, Batch: 512, Version: "0.32.7"}); bge.Card() > 1300<<20 {
			t.Errorf("bge-m3 %d MiB, measured 926", bge.Card()>>20)
		}
	})
	t.Run("11 long contexts of windowed, hybrid and latent models", func(t *testing.T) {
		for _, tc := range []struct {
			name    string
			context int
			kv      KVType
			most    int64 // GiB
		}{{"gemma4:12b", 131072, Q8, 24}, {"gemma3:27b", 32768, F16, 24}, {"qwen3.6:27b", 32768, F16, 20}} {
			e := model(t, tc.name).Estimate(Load{Context: tc.context, KV: tc.kv, Batch: 512, Version: "0.32.7", Flash: FlashOn})
			if n := e.Card() - e.Of(PartProjector) - e.Of(PartImage); n > tc.most*giB {
				t.Errorf("%s at %d %s: %d MiB, it runs in %d GiB", tc.name, tc.context, tc.kv, n>>20, tc.most)
			}
		}
	})
	t.Run("12 ollama#3765: what others hold counts", func(t *testing.T) {
		m := oneCard(24*giB, "0.32.7")
		free := int64(9 * giB)
		m.Devices[0].Free = &free
		d := Choose(m, []Need{{Role: Answering}}, []Candidate{{Model: model(t, "qwen3:14b")}}, Policy{})
		if len(d.Options) != 0 {
			t.Errorf("planned %v with 9 of 24 GiB free", short(d))
		}
	})
	t.Run("13 lfnovo/esperanto#107: 128000 tokens on 8 GB", func(t *testing.T) {
		d := Choose(oneCard(7*giB, "0.32.7"), []Need{{Role: Answering}}, []Candidate{{Model: model(t, "llama3.1:8b")}}, Policy{})
		if len(d.Options) != 1 || d.Options[0].Context > 16384 || d.Options[0].Context < MinContext {
			t.Errorf("%v %s", short(d), d.Refusal)
		}
	})
}

// TestCompute128k holds the working memory of gpt-oss:20b at 128k: 420 MiB at a batch of 512 and 1672 at 2048, by the build
// that still kept its mask in 32 bits (cases c068, c069).
func TestCompute128k(t *testing.T) {
	m := model(t, "gpt-oss:20b")
	for batch, measured := range map[int]int64{512: 420, 2048: 1672} {
		e := m.Estimate(Load{Context: 131072, Batch: batch, Version: "0.30.1", Flash: FlashOn, Backend: Metal})
		if got := e.Of(PartCompute) >> 20; got < measured || got > measured*3/2 {
			t.Errorf("batch %d: %d MiB, measured %d", batch, got, measured)
		}
	}
	a := m.Estimate(Load{Context: 131072, Batch: 512, Version: "0.32.7", Flash: FlashOn}).Of(PartCompute)
	b := m.Estimate(Load{Context: 131072, Batch: 2048, Version: "0.32.7", Flash: FlashOn}).Of(PartCompute)
	if b < 39*a/10 || b > 41*a/10 {
		t.Errorf("four times the batch takes %d MiB for %d: it is linear", b>>20, a>>20)
	}
}

// TestComputeWithoutFlash holds the score matrix: an 8B model at 128k takes more than 8 GiB for it.
func TestComputeWithoutFlash(t *testing.T) {
	m := model(t, "llama3.1:8b")
	e := m.Estimate(Load{Context: 131072, Version: "0.32.7", Flash: FlashOff})
	if n := e.Of(PartCompute); n < 8*giB {
		t.Errorf("%d MiB", n>>20)
	}
	// Exact on mainline logs: llama2:7b at 2048 took 164.01 MiB, mistral:7b at 8192 560.00 (cases c044 and c010).
	for _, tc := range []struct {
		name    string
		context int
		want    float64
	}{{"llama2:7b", 2048, 164}, {"mistral:7b", 8192, 560}} {
		got := float64(model(t, tc.name).Estimate(Load{Context: tc.context, Batch: 512, Version: "0.5.7", Flash: FlashOff}).Of(PartCompute)) / (1 << 20)
		if got < tc.want || got > tc.want+1 {
			t.Errorf("%s at %d: %.2f MiB, measured %.2f", tc.name, tc.context, got, tc.want)
		}
	}
}

// TestQuantisedCacheHalves is ACCEPTANCE case 64: q8_0 is not ignored, it takes 34/64 of f16.
func TestQuantisedCacheHalves(t *testing.T) {
	m := model(t, "llama3.1:8b")
	a := m.Estimate(Load{Context: 32768, KV: F16, Flash: FlashOn, Version: "0.32.7"}).KVBytes()
	b := m.Estimate(Load{Context: 32768, KV: Q8, Flash: FlashOn, Version: "0.32.7"}).KVBytes()
	if b*64 != a*34 {
		t.Errorf("f16 %d, q8_0 %d: want 34/64", a, b)
	}
}

// TestParts holds that an estimate is the sum of its parts, each with a reason and its numbers, in a fixed order.
func TestParts(t *testing.T) {
	for _, name := range []string{"gpt-oss:20b", "qwen3.6:27b", "gemma3:12b", "deepseek-v3", "bge-m3"} {
		m := model(t, name)
		l := Load{Context: 16384, Version: "0.32.7", Flash: FlashOn}
		e := m.Estimate(l)
		var card, host int64
		for _, p := range e.Parts {
			if p.Host {
				host += p.Bytes
			} else {
				card += p.Bytes
			}
			if !strings.ContainsAny(p.Why, "0123456789") && p.Kind != PartInput && p.Kind != PartComputeHost && p.Kind != PartProjector && p.Kind != PartImage {
				t.Errorf("%s: %s has a reason without numbers: %q", name, p.Kind, p.Why)
			}
		}
		if card != e.Card() || host != e.Host() || e.Server() != e.Card()-e.Of(PartOverhead) {
			t.Errorf("%s: sums differ", name)
		}
		quiet := m.estimate(l, true)
		if quiet.Card() != e.Card() || quiet.Host() != e.Host() || quiet.Margin != e.Margin || quiet.Load != e.Load {
			t.Errorf("%s: the estimate without words differs", name)
		}
	}
}

// TestAdapter holds LoRA: its size where known, else the bound that case c014 bears out (160 MiB for llama3.1:8b).
func TestAdapter(t *testing.T) {
	m := model(t, "llama3.1:8b")
	m.Adapters = 1
	e := m.Estimate(Load{Context: 8192, Version: "0.32.7"})
	if got := e.Of(PartAdapter) >> 20; got != 160 {
		t.Errorf("adapter %d MiB, want 160", got)
	}
	size := int64(42 << 20)
	m.AdapterBytes = &size
	if got := m.Estimate(Load{Context: 8192}).Of(PartAdapter); got != size {
		t.Errorf("adapter %d, want %d", got, size)
	}
}

// TestMissingWeights holds that a model without tensors is bounded by its parameters, and that it is said.
func TestMissingWeights(t *testing.T) {
	m := uniform("llama", 32, 4096, 32, 8, 128)
	m.Parameters, m.Missing = 8e9, []string{"the list of tensors, so the size of the weights"}
	e := m.Estimate(Load{Version: "0.32.7"})
	if e.Of(PartWeights) != 16e9 || !e.Bound() || len(e.Missing) != 1 {
		t.Errorf("weights %d, bound %v, missing %q", e.Of(PartWeights), e.Bound(), e.Missing)
	}
}

// TestProcessor holds that without a card all of it is in main memory.
func TestProcessor(t *testing.T) {
	m := model(t, "llama3.2:1b")
	e := m.Estimate(Load{Context: 8192, Version: "0.32.7", Backend: Processor})
	if e.Card() != 0 || e.Margin != 0 || e.Host() < m.Weights.Card() {
		t.Errorf("%d on cards, margin %d, %d in main memory", e.Card(), e.Margin, e.Host())
	}
}

// TestWindowedQuantised holds that the windowed part of a quantised cache is counted at f16 and marked as a bound, because
// builds differ.
func TestWindowedQuantised(t *testing.T) {
	m := model(t, "gemma3:12b")
	e := m.Estimate(Load{Context: 32768, KV: Q8, Batch: 512, Flash: FlashOn, Version: "0.32.7"})
	log := m.Estimate(Load{Context: 32768, KV: Q8, Windowed: Q8, Batch: 512, Flash: FlashOn, Version: "0.32.7"})
	if e.Of(PartKVWindowed)*34 != log.Of(PartKVWindowed)*64 || !e.Bound() {
		t.Errorf("windowed %d, as a log says %d", e.Of(PartKVWindowed), log.Of(PartKVWindowed))
	}
}
