package gpu

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// answerOf is an answer of /api/show with the given keys.
func answerOf(arch string, info map[string]any, more map[string]any) []byte {
	all := map[string]any{"general.architecture": arch}
	for k, v := range info {
		if !strings.HasPrefix(k, "general.") && !strings.HasPrefix(k, "tokenizer.") {
			k = arch + "." + k
		}
		all[k] = v
	}
	body := map[string]any{"model_info": all, "details": map[string]any{"quantization_level": "Q4_K_M"}, "capabilities": []string{"completion"}}
	for k, v := range more {
		body[k] = v
	}
	b, err := json.Marshal(body)
	if err != nil {
		panic(err)
	}
	return b
}

func llamaKeys() map[string]any {
	return map[string]any{"block_count": 4, "embedding_length": 256, "feed_forward_length": 512, "attention.head_count": 8, "attention.head_count_kv": 2, "context_length": 8192}
}

var someTensors = []tensor{{"token_embd.weight", "Q4_K", []int64{256, 1000}}, {"output.weight", "Q6_K", []int64{256, 1000}}, {"blk.0.ffn_up.weight", "F16", []int64{256, 512}}, {"blk.0.ffn_gate.weight", "F16", []int64{256, 512}}}

func TestReadShow(t *testing.T) {
	keys := llamaKeys()
	keys["general.parameter_count"] = 2*256*1000 + 2*256*512
	m, err := ReadShow(answerOf("llama", keys, map[string]any{"tensors": someTensors, "parameters": "num_ctx   4096\nstop \"<s>\"\nnum_batch 256", "modelfile": "FROM x\n"}))
	if err != nil {
		t.Fatal(err)
	}
	if m.Architecture != "llama" || m.Layers != 4 || m.Heads != 8 || m.KeyLength != 32 || m.ValueLength != 32 || m.Vocabulary != 1000 || m.Ungated || m.Encoder {
		t.Errorf("model = %+v", m)
	}
	if !slices.Equal(m.KVHeads, []int{2, 2, 2, 2}) || m.Default != (Defaults{Context: 4096, Batch: 256}) || m.Quantisation != "Q4_K_M" {
		t.Errorf("heads %v, default %+v", m.KVHeads, m.Default)
	}
	if len(m.Missing) != 0 || m.NeedsVerbose || !m.Weights.Exact || m.Weights.Layers[0] != 2*256*512*2 {
		t.Errorf("missing %q, verbose %v, weights %+v", m.Missing, m.NeedsVerbose, m.Weights)
	}
}

// TestReadShowVariants holds one fact of each family that decides memory.
func TestReadShowVariants(t *testing.T) {
	with := func(arch string, keys map[string]any, more ...map[string]any) Model {
		t.Helper()
		info := llamaKeys()
		for k, v := range keys {
			if v == nil && k != "attention.head_count_kv" && !strings.Contains(k, "pattern") {
				delete(info, k)
				continue
			}
			info[k] = v
		}
		extra := map[string]any{"tensors": someTensors}
		for _, m := range more {
			for k, v := range m {
				extra[k] = v
			}
		}
		m, err := ReadShow(answerOf(arch, info, extra))
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	check := func(name string, ok bool, m Model) {
		t.Helper()
		if !ok {
			t.Errorf("%s: %+v", name, m)
		}
	}
	m := with("llama", map[string]any{"attention.head_count_kv": nil})
	check("a null list asks for verbose and is never 1", m.NeedsVerbose && m.KVHeads == nil && strings.Contains(strings.Join(m.Missing, ";"), "key-value heads"), m)
	m = with("llama", map[string]any{"tokenizer.ggml.tokens": nil})
	check("a null vocabulary does not", !m.NeedsVerbose, m)
	m = with("deci", map[string]any{"attention.head_count_kv": []int{8, 0, 0, 8}})
	check("heads of each layer", slices.Equal(m.KVHeads, []int{8, 0, 0, 8}) && m.Recurrent.Layers == nil, m)
	m = with("gemma4", map[string]any{"attention.sliding_window": 1024, "attention.sliding_window_pattern": []bool{true, true, false, true}, "attention.key_length": 512, "attention.key_length_swa": 256, "attention.shared_kv_layers": 1})
	check("a pattern", slices.Equal(m.Windowed, []bool{true, true, false, true}) && m.Window == 1024 && m.keyLength(0) == 256 && m.keyLength(2) == 512 && m.SharedKV == 1, m)
	m = with("gemma3", map[string]any{"attention.sliding_window": 512})
	check("gemma3 without a pattern", slices.Equal(m.Windowed, []bool{true, true, true, true}), m)
	m = with("gpt-oss", map[string]any{"attention.sliding_window": 128})
	check("gpt-oss", slices.Equal(m.Windowed, []bool{true, false, true, false}), m)
	m = with("llama", map[string]any{"attention.sliding_window": 4096})
	check("a window that the server ignores", m.Windowed == nil && m.Window == 0, m)
	m = with("qwen35", map[string]any{"full_attention_interval": 4, "ssm.conv_kernel": 4, "ssm.inner_size": 512, "ssm.state_size": 64, "ssm.group_count": 2, "ssm.time_step_rank": 8})
	check("linear attention", slices.Equal(m.KVHeads, []int{0, 0, 0, 2}) && slices.Equal(m.Recurrent.Layers, []bool{true, true, true, false}) && m.Recurrent.Elements == 3*(512+256)+64*512, m)
	m = with("nemotron_h", map[string]any{"attention.head_count_kv": []int{0, 0, 2, 0}, "feed_forward_length": []int{0, 512, 0, 0}, "ssm.conv_kernel": 4, "ssm.inner_size": 512, "ssm.state_size": 64})
	check("mamba, feed-forward and attention layers", slices.Equal(m.Recurrent.Layers, []bool{true, false, false, true}), m)
	m = with("lfm2", map[string]any{"attention.head_count_kv": []int{0, 0, 2, 0}, "shortconv.l_cache": 3})
	check("short convolutions", slices.Equal(m.Recurrent.Layers, []bool{true, true, false, true}) && m.Recurrent.Elements == 512, m)
	m = with("rwkv7", map[string]any{"attention.head_count": 0, "attention.head_count_kv": 0, "wkv.head_size": 64})
	check("wholly recurrent", m.KVHeads == nil && slices.Equal(m.Recurrent.Layers, []bool{true, true, true, true}), m)
	m = with("deepseek2", map[string]any{"attention.kv_lora_rank": 512, "rope.dimension_count": 64, "attention.key_length_mla": 192, "attention.value_length_mla": 128, "expert_count": 64, "expert_used_count": 6, "expert_feed_forward_length": 128, "expert_shared_count": 2, "leading_dense_block_count": 1})
	check("MLA and experts", m.KVLoRARank == 512 && m.RopeDimension == 64 && m.KeyLengthMLA == 192 && m.Experts == 64 && m.ExpertsUsed == 6 && m.SharedWidth == 256 && m.DenseLayers == 1, m)
	m = with("llama", map[string]any{"expert_count": 8, "expert_used_count": 2})
	check("mixtral's experts are as wide as the feed-forward part", m.ExpertWidth == 512, m)
	m = with("bert", map[string]any{"attention.head_count_kv": 8, "pooling_type": 1}, map[string]any{"capabilities": nil})
	check("an encoder", m.Encoder && m.Embeds() && !m.Writes(), m)
	m = with("qwen3", map[string]any{"pooling_type": 3}, map[string]any{"capabilities": []string{"embedding"}})
	check("an embedding model with a cache", !m.Encoder && m.Embeds() && !m.Writes(), m)
	m = with("gemma3", nil, map[string]any{"projector_info": map[string]any{"general.parameter_count": 420000000}})
	check("a projector", m.Projector.Present && *m.Projector.Bytes == 840000000, m)
	m = with("llama", nil, map[string]any{"modelfile": "FROM a\nADAPTER /x/y.gguf\n# ADAPTER no\n"})
	check("an adapter", m.Adapters == 1 && strings.Contains(strings.Join(m.Missing, ";"), "adapter"), m)
	m = with("llama", map[string]any{"block_count": "four"})
	check("a wrong kind", m.Layers == 0 && strings.Contains(strings.Join(m.Missing, ";"), "number of layers"), m)
	m = with("llama", nil, map[string]any{"tensors": nil})
	check("no tensors", strings.Contains(strings.Join(m.Missing, ";"), "list of tensors"), m)
}

func TestReadShowRemote(t *testing.T) {
	m, err := ReadShow([]byte(`{"remote_host":"https://example.org","remote_model":"gpt-oss:120b","capabilities":["completion"]}`))
	if err != nil || !m.Remote || m.NeedsVerbose || len(m.Missing) == 0 {
		t.Errorf("ReadShow = %+v, %v", m, err)
	}
}

func TestReadShowFaults(t *testing.T) {
	for _, tc := range []struct{ name, body, want string }{
		{"empty", "", "JSON"}, {"no object", "[]", "array"}, {"another answer", `{"models":[]}`, "model_info"},
		{"too long", strings.Repeat(" ", maxShow+1), "bytes"},
	} {
		if _, err := ReadShow([]byte(tc.body)); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q in it", tc.name, err, tc.want)
		}
	}
}

// TestReadShowBounds holds that numbers beyond any model are not taken.
func TestReadShowBounds(t *testing.T) {
	for _, v := range []any{-1, 1 << 60, 1e300, "9", true, []int{}, map[string]int{}, 1.5} {
		keys := llamaKeys()
		keys["block_count"], keys["attention.head_count_kv"], keys["context_length"] = v, v, v
		m, err := ReadShow(answerOf("llama", keys, map[string]any{"tensors": someTensors}))
		if err != nil {
			t.Fatal(err)
		}
		if m.Layers != 0 || m.ContextLimit != 0 {
			t.Errorf("%v: %d layers, %d tokens", v, m.Layers, m.ContextLimit)
		}
		sane(t, m)
	}
}

// sane holds what is true of every model and estimate.
func sane(t *testing.T, m Model) {
	t.Helper()
	if m.Layers < 0 || m.Layers > maxLayers || len(m.KVHeads) != 0 && len(m.KVHeads) != m.Layers || len(m.Windowed) != 0 && len(m.Windowed) != m.Layers {
		t.Fatalf("%d layers, %d heads, %d windows", m.Layers, len(m.KVHeads), len(m.Windowed))
	}
	for _, l := range []Load{{}, {Context: 1 << 26, Parallel: 1 << 10, Batch: 1 << 20, KV: F32}, {Context: 4096, KV: Q8, Flash: FlashOff, Version: "0.5.0"}, {Context: 4096, Version: "0.17.4", Backend: Metal, Devices: 8}, {Backend: Processor}} {
		e := m.Estimate(l)
		if e.Server() < 0 || e.Card() < e.Server() || e.Host() < 0 || e.Margin < 0 {
			t.Fatalf("Estimate(%+v): %d on the cards, %d in main memory, margin %d: %+v", l, e.Card(), e.Host(), e.Margin, e.Parts)
		}
		for _, p := range e.Parts {
			if p.Bytes <= 0 || p.Why == "" {
				t.Fatalf("part %+v", p)
			}
		}
	}
}

// FuzzReadShow holds that any body is refused or gives a model whose estimate is sane.
func FuzzReadShow(f *testing.F) {
	f.Add(answerOf("llama", llamaKeys(), map[string]any{"tensors": someTensors}))
	f.Add([]byte(`{"model_info":{"general.architecture":"gemma3","gemma3.block_count":1e3,"gemma3.attention.head_count_kv":[1,2,null],"gemma3.attention.sliding_window":512,"gemma3.attention.sliding_window_pattern":[true,false]},"tensors":[{"name":"blk.0.","type":"Q4_K","shape":[9223372036854775807,2]}]}`))
	f.Add([]byte(`{"model_info":{"general.architecture":"qwen35","qwen35.block_count":64,"qwen35.full_attention_interval":1,"qwen35.ssm.inner_size":16777216,"qwen35.ssm.state_size":16777216,"qwen35.ssm.conv_kernel":1024,"qwen35.attention.head_count":1}}`))
	f.Add([]byte(`{"model_info":{"general.architecture":"deepseek2","deepseek2.block_count":2048,"deepseek2.attention.head_count":16384,"deepseek2.attention.kv_lora_rank":16777216,"deepseek2.attention.key_length_mla":16777216,"deepseek2.attention.value_length_mla":1,"deepseek2.embedding_length":16777216}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		m, err := ReadShow(body)
		if err != nil {
			return
		}
		sane(t, m)
	})
}

// TestReadShowOfCatalogue holds that a model read from an answer of the server and the same model of the catalogue need the
// same cache: the two ways into the estimate agree.
func TestReadShowOfCatalogue(t *testing.T) {
	for _, name := range []string{"llama3.1:8b", "qwen3:14b", "gemma2:9b", "gemma3:12b", "gpt-oss:20b"} {
		want, err := Known(name)
		if err != nil {
			t.Fatal(err)
		}
		m, err := ReadShow(answerOf(want.Architecture, map[string]any{
			"block_count": want.Layers, "embedding_length": want.Embedding, "feed_forward_length": want.FeedForward, "attention.head_count": want.Heads,
			"attention.head_count_kv": want.KVHeads[0], "attention.key_length": want.KeyLength, "attention.value_length": want.ValueLength,
			"context_length": want.ContextLimit, "attention.sliding_window": want.Window,
		}, nil))
		if err != nil {
			t.Fatal(err)
		}
		l := Load{Context: 8192, Parallel: 2, KV: Q8, Flash: FlashOn, Version: "0.32.7"}
		if a, b := m.Estimate(l).KVBytes(), want.Estimate(l).KVBytes(); a != b {
			t.Errorf("%s: cache %d from the answer, %d from the catalogue", name, a, b)
		}
	}
}

// TestRecordedShow reads answers that a real server gave, where there are some.
func TestRecordedShow(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join("testdata", "show", "*.json"))
	if len(files) == 0 {
		t.Skip("needs answers of /api/show in testdata/show")
	}
	for _, name := range files {
		body, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		m, err := ReadShow(body)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if m.Layers == 0 || !m.Weights.Exact || m.Vocabulary == 0 {
			t.Errorf("%s: %s", name, fmt.Sprintf("%+v", m))
		}
		sane(t, m)
	}
}
