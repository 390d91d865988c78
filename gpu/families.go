package gpu

import "slices"

// What an architecture's name alone says. Source of every table: load_hparams, load_tensors and create_memory of
// llama.cpp, in the copy that Ollama 0.17.4 carries and in the snapshot its version 0.32 is built on.

// encoders are models that llama.cpp gives no cache.
var encoders = map[string]bool{
	"bert": true, "modern-bert": true, "jina-bert-v2": true, "jina-bert-v3": true, "nomic-bert": true, "nomic-bert-moe": true,
	"neo-bert": true, "eurobert": true, "gemma-embedding": true, "llama-embed": true, "t5encoder": true, "wavtokenizer-dec": true,
	"dream": true, "llada": true, "llada-moe": true, "rnd1": true,
}

// ungated are models whose feed-forward part has two matrices.
var ungated = map[string]bool{
	"apertus": true, "arcee": true, "bert": true, "bloom": true, "codeshell": true, "falcon": true, "gpt2": true, "gptj": true,
	"gptneox": true, "jina-bert-v3": true, "mpt": true, "nemotron": true, "nemotron_h": true, "nemotron_h_moe": true,
	"nomic-bert-moe": true, "phi2": true, "phimoe": false, "plm": true, "starcoder": true, "starcoder2": true,
}

// parallelBlocks are models whose attention and feed-forward part read the same input, so that both are alive at once.
var parallelBlocks = map[string]bool{
	"command-r": true, "cohere2": true, "falcon": true, "gptneox": true, "gptj": true, "phi2": true, "plamo": true,
}

// fusedQKV are models whose queries, keys and values come from one matrix.
var fusedQKV = map[string]bool{
	"bloom": true, "codeshell": true, "dbrx": true, "falcon": true, "gpt2": true, "gptneox": true, "jais": true, "mpt": true,
	"phi2": true, "phi3": true, "qwen": true, "starcoder": true, "nomic-bert": true, "nomic-bert-moe": true, "neo-bert": true,
	"chatglm": true, "modern-bert": true,
}

// windowPeriods says of how many layers one sees everything; first says that it is the first and not the last.
var windowPeriods = map[string]struct {
	period int
	first  bool
	window int // when the key is absent; 0: without the key no layer is windowed
}{
	"gemma2": {2, false, 4096}, "gemma3": {6, false, 0}, "gemma3n": {5, false, 0}, "gemma4": {6, false, 0},
	"gemma-embedding": {6, false, 0}, "cohere2": {4, false, 4096}, "olmo2": {4, false, 0}, "olmo3": {4, false, 0},
	"exaone4": {4, false, 0}, "exaone-moe": {4, false, 0}, "gpt-oss": {2, false, 0}, "gptoss": {2, false, 0},
	"smallthinker": {4, true, 4096}, "llama4": {4, false, 8192}, "afmoe": {4, false, 0}, "modern-bert": {3, true, 0},
}

// windows says which layers are windowed: by the file's own list, else by the architecture's rule. A window that nothing
// says where to apply is left out: llama.cpp ignores it too (mistral, qwen2), and the whole context is the larger figure.
func windows(arch string, layers, window int, pattern []bool) (int, []bool) {
	if window > 0 && slices.Contains(pattern, true) {
		return window, pattern
	}
	rule, ok := windowPeriods[arch]
	if !ok || layers == 0 {
		return 0, nil
	}
	if window = or(window, rule.window); window == 0 {
		return 0, nil
	}
	out := everyNth(layers, rule.period, rule.first)
	if !slices.Contains(out, true) {
		return 0, nil
	}
	return window, out
}

// everyNth marks all layers but one of n: the last of each n, or the first.
func everyNth(layers, n int, first bool) []bool {
	out := make([]bool, layers)
	for i := range out {
		if first {
			out[i] = i%n != 0
		} else {
			out[i] = i%n < n-1
		}
	}
	return out
}

// recurrentShape is what decides which layers are recurrent and how large their state is.
type recurrentShape struct {
	conv, short, wkv, shift, kda int
	interval                     int   // every so many layers one is full attention
	ff                           []int // of each layer; with it a layer without heads is recurrent only if it has no feed-forward part
	all                          bool  // every layer has attention and a state
}

// setRecurrent fills Recurrent, and sets the key-value heads of recurrent layers to 0.
func (m *Model) setRecurrent(s recurrentShape) {
	r := &m.Recurrent
	e, heads := int64(m.Embedding), int64(m.Heads)
	switch {
	case s.wkv > 0:
		r.Kind = "rwkv"
		shift := int64(or(s.shift, 2))
		r.Elements = shift*e + e*int64(s.wkv)
	case s.short > 0:
		r.Kind = "conv"
		r.Elements = e * int64(s.short-1)
	case s.kda > 0:
		r.Kind = "delta"
		d := int64(s.kda)
		r.Elements = 3*int64(max(s.conv-1, 0))*d*heads + d*d*heads
		r.Inner, r.State, r.Groups = int(min(d*heads, maxWidth)), s.kda, m.Heads
	case r.Inner > 0 || r.State > 0 || s.conv > 0:
		r.Kind = "ssm"
		if s.interval > 0 {
			r.Kind = "delta"
		}
		inner, state, groups := int64(r.Inner), int64(r.State), int64(r.Groups)
		r.Elements = int64(max(s.conv-1, 0))*(inner+2*groups*state) + state*inner
	default:
		return
	}
	if r.Elements < 0 || r.Elements > 1<<30 { // the largest known has a million
		r.Elements = 0
	}
	if m.Layers == 0 {
		return
	}
	main := m.Layers - m.NextN
	out := make([]bool, m.Layers)
	perLayer := slices.Contains(m.KVHeads, 0)
	for i := range out {
		switch {
		case s.all:
			out[i] = true
		case i >= main:
		case perLayer:
			out[i] = m.KVHeads[i] == 0 && (i >= len(s.ff) || s.ff[i] == 0 || r.Kind != "ssm")
		case s.interval > 0:
			out[i] = (i+1)%s.interval != 0
		case m.Heads == 0 || m.KVHeads == nil:
			out[i] = true // wholly recurrent
		}
	}
	if !slices.Contains(out, true) {
		*r = Recurrent{}
		return
	}
	r.Layers = out
	if s.all || perLayer {
		return
	}
	if m.KVHeads != nil {
		m.KVHeads = slices.Clone(m.KVHeads)
		for i := range out {
			if out[i] {
				m.KVHeads[i] = 0
			}
		}
	}
}

// WindowedLayers are the layers that an architecture's own rule makes windowed, len = layers; nil when it has no rule.
func WindowedLayers(architecture string, layers int) []bool {
	if _, ok := windowPeriods[architecture]; !ok || layers <= 0 || layers > maxLayers {
		return nil
	}
	_, out := windows(architecture, layers, 1, nil)
	return out
}
