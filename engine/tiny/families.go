package tiny

import (
	"fmt"
	"maps"
	"slices"
)

// family is what an architecture has beyond a llama: the names and shapes of its tensors and the keys of its head, as the
// servers that load it want them. Sources: llama-model.cpp and model/models of Ollama 0.17.4.
type family struct {
	// meta are further keys, the architecture's name and the dot before them left out.
	meta func(Model) []entry
	// layer are the tensors of one layer, "blk.N." before their names left out.
	layer func(Model) []tensor
	// tied has no output layer of its own: the token embedding serves both ends.
	tied bool
}

// Architectures are those that [Model] can have, sorted. A server of release 0.17.4 runs gemma3, gptoss and qwen3 in its own
// engine and the others in llama.cpp.
func Architectures() []string { return slices.Sorted(maps.Keys(families)) }

var families = map[string]family{
	"llama": {meta: none, layer: func(m Model) []tensor { return slices.Concat(m.attention(false), m.gated()) }},
	"qwen2": {meta: none, layer: func(m Model) []tensor { return slices.Concat(m.attention(true), m.gated()) }},
	"qwen3": {meta: heads, layer: func(m Model) []tensor {
		return slices.Concat(m.attention(false), m.headNorms(), m.gated())
	}},
	"gemma2": {tied: true, meta: func(m Model) []entry {
		return append(window(m), entry{"attn_logit_softcapping", float32(50)}, entry{"final_logit_softcapping", float32(30)})
	}, layer: func(m Model) []tensor { return slices.Concat(m.attention(false), m.gated(), m.afterNorms()) }},
	"gemma3": {tied: true, meta: window, layer: func(m Model) []tensor {
		return slices.Concat(m.attention(false), m.headNorms(), m.gated(), m.afterNorms())
	}},
	"phi3": {meta: func(m Model) []entry {
		return []entry{{"rope.scaling.original_context_length", uint32(m.Context)}}
	}, layer: func(m Model) []tensor {
		e, ff := uint64(m.Embedding), uint64(m.Forward)
		return []tensor{
			norm("attn_norm", e), weight("attn_qkv", e, e+2*m.kv()), weight("attn_output", e, e),
			norm("ffn_norm", e), weight("ffn_up", e, 2*ff), weight("ffn_down", ff, e),
		}
	}},
	"command-r": {tied: true, meta: func(Model) []entry {
		return []entry{{"attention.layer_norm_epsilon", float32(1e-5)}, {"logit_scale", float32(0.0625)}}
	}, layer: func(m Model) []tensor {
		// One norm serves attention and feed-forward: they read the same input.
		return slices.DeleteFunc(slices.Concat(m.attention(false), m.gated()), func(t tensor) bool { return t.name == "ffn_norm.weight" })
	}},
	"gptoss": {meta: func(m Model) []entry {
		return append(window(m), entry{"expert_count", uint32(experts)}, entry{"expert_used_count", uint32(2)},
			entry{"expert_feed_forward_length", uint32(m.Forward)}, entry{"rope.scaling.original_context_length", uint32(m.Context)})
	}, layer: func(m Model) []tensor {
		e, ff := uint64(m.Embedding), uint64(m.Forward)
		return append(m.attention(true), tensor{"attn_sinks.weight", []uint64{uint64(m.Heads)}, true}, norm("post_attention_norm", e),
			weight("ffn_gate_inp", e, experts), weight("ffn_gate_exps", e, ff, experts), weight("ffn_up_exps", e, ff, experts),
			weight("ffn_down_exps", ff, e, experts))
	}},
}

// experts is how many experts a layer of the gptoss has.
const experts = 4

func none(Model) []entry { return nil }

// heads are the keys of an architecture whose heads need not share out the embedding.
func heads(m Model) []entry {
	return []entry{{"attention.key_length", uint32(m.head())}, {"attention.value_length", uint32(m.head())}}
}

func window(m Model) []entry {
	return append(heads(m), entry{"attention.sliding_window", uint32(m.Window)})
}

// kv is the width of the keys of all heads together.
func (m Model) kv() uint64 { return uint64(m.head() * m.KVHeads) }

// attention is the usual one, with or without biases.
func (m Model) attention(biased bool) []tensor {
	e, kv := uint64(m.Embedding), m.kv()
	out := []tensor{norm("attn_norm", e), weight("attn_q", e, e), weight("attn_k", e, kv), weight("attn_v", e, kv), weight("attn_output", e, e)}
	if biased {
		out = append(out, tensor{"attn_q.bias", []uint64{e}, false}, tensor{"attn_k.bias", []uint64{kv}, false}, tensor{"attn_v.bias", []uint64{kv}, false})
	}
	return out
}

// gated is the usual feed-forward part of three matrices.
func (m Model) gated() []tensor {
	e, ff := uint64(m.Embedding), uint64(m.Forward)
	return []tensor{norm("ffn_norm", e), weight("ffn_gate", e, ff), weight("ffn_up", e, ff), weight("ffn_down", ff, e)}
}

// headNorms are the norms of each head's queries and keys.
func (m Model) headNorms() []tensor {
	return []tensor{norm("attn_q_norm", uint64(m.head())), norm("attn_k_norm", uint64(m.head()))}
}

// afterNorms are the norms behind attention and feed-forward.
func (m Model) afterNorms() []tensor {
	return []tensor{norm("post_attention_norm", uint64(m.Embedding)), norm("post_ffw_norm", uint64(m.Embedding))}
}

// tensor is a matrix or a vector of the file.
type tensor struct {
	name string
	dims []uint64
	ones bool // a norm's weights
}

func norm(name string, n uint64) tensor         { return tensor{name + ".weight", []uint64{n}, true} }
func weight(name string, dims ...uint64) tensor { return tensor{name + ".weight", dims, false} }

func (t tensor) size() uint64 {
	n := uint64(1)
	for _, d := range t.dims {
		n *= d
	}
	return n
}

func (m Model) tensors(f family, vocab uint64) []tensor {
	e := uint64(m.Embedding)
	out := []tensor{weight("token_embd", e, vocab), norm("output_norm", e)}
	if !f.tied {
		out = append(out, weight("output", e, vocab))
	}
	for i := range m.Layers {
		for _, t := range f.layer(m) {
			t.name = fmt.Sprintf("blk.%d.%s", i, t.name)
			out = append(out, t)
		}
	}
	return out
}
