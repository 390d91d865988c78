package gpu

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// maxShow bounds an answer of /api/show, in bytes. A verbose one holds the vocabulary: 10 to 20 MB for 260,000 tokens.
const maxShow = 128 << 20

// showBody is what is read of /api/show.
type showBody struct {
	RemoteHost    string                     `json:"remote_host"`
	RemoteModel   string                     `json:"remote_model"`
	Modelfile     string                     `json:"modelfile"`
	Parameters    string                     `json:"parameters"`
	Capabilities  []string                   `json:"capabilities"`
	ModelInfo     map[string]json.RawMessage `json:"model_info"`
	ProjectorInfo map[string]json.RawMessage `json:"projector_info"`
	Tensors       []tensor                   `json:"tensors"`
	Details       struct {
		QuantizationLevel string `json:"quantization_level"`
		ParameterSize     string `json:"parameter_size"`
	} `json:"details"`
}

// ReadShow reads the answer of Ollama's /api/show, verbose or not. It fails only when the body is no such answer; what the
// answer does not hold is named in [Model.Missing], and [Model.NeedsVerbose] says when asking again with "verbose": true
// would bring it. Sizes are bounded, so any body is safe.
func ReadShow(body []byte) (Model, error) {
	if len(body) > maxShow {
		return Model{}, fmt.Errorf("read the model's description: it has %d bytes, more than %d", len(body), maxShow)
	}
	var s showBody
	if err := json.Unmarshal(body, &s); err != nil {
		return Model{}, fmt.Errorf("read the model's description: %w", err)
	}
	if s.ModelInfo == nil && s.RemoteHost == "" && s.RemoteModel == "" {
		return Model{}, errors.New("read the model's description: it has no model_info; was this an answer of /api/show?")
	}
	r := reader{info: s.ModelInfo}
	m := r.model(s)
	if m.Remote && m.Layers == 0 {
		m.Missing = []string{"everything: the model runs on " + or(s.RemoteHost, "another machine")}
		m.NeedsVerbose = false
	}
	return m, nil
}

// architectureName is how architectures are named; under any other name the keys of a description are not to be believed.
var architectureName = regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$`)

// reader reads GGUF keys and remembers what was absent or null.
type reader struct {
	info    map[string]json.RawMessage
	arch    string
	null    bool
	missing []string
	wrong   map[string]string // keys that are there with what cannot be, in a few characters
}

func (r *reader) miss(what string) { r.missing = append(r.missing, what) }

// raw is the value of a key; keys without "general." or "tokenizer." stand under the architecture's name.
func (r *reader) raw(key string) json.RawMessage {
	if !strings.HasPrefix(key, "general.") && !strings.HasPrefix(key, "tokenizer.") {
		key = r.arch + "." + key
	}
	v := bytes.TrimSpace(r.info[key])
	if bytes.Equal(v, []byte("null")) {
		if !strings.HasPrefix(key, "tokenizer.") {
			r.null = true // a list that was left out, never the number 1
		}
		return nil
	}
	return v
}

func (r *reader) text(key string) string {
	var s string
	if json.Unmarshal(r.raw(key), &s) != nil {
		return ""
	}
	return s
}

// number is a value in [0, most]; 0 when absent or out of bounds, which is remembered.
func (r *reader) number(key string, most int64) int64 {
	raw := r.raw(key)
	n := integer(raw, most)
	if text := string(raw); n == 0 && text != "" && strings.Trim(text, "0.") != "" {
		r.cannotBe(key, text)
	}
	return n
}

func (r *reader) cannotBe(key, text string) {
	if r.wrong == nil {
		r.wrong = map[string]string{}
	}
	r.wrong[key] = clip(text)
}

func (r *reader) count(key string, most int) int { return int(r.number(key, int64(most))) }

func integer(raw json.RawMessage, most int64) int64 {
	if len(raw) == 0 || len(raw) > 64 {
		return 0
	}
	n, err := strconv.ParseInt(string(raw), 10, 64)
	if err != nil {
		f, err := strconv.ParseFloat(string(raw), 64)
		if err != nil || math.IsNaN(f) || f != math.Trunc(f) || math.Abs(f) > 1<<52 {
			return 0
		}
		n = int64(f)
	}
	if n < 0 || n > most {
		return 0
	}
	return n
}

// list is a value for each layer: a list as it is, a number repeated; nil when absent. Longer lists are cut.
func (r *reader) list(key string, layers int, most int) []int {
	raw := r.raw(key)
	if len(raw) == 0 {
		return nil
	}
	if raw[0] != '[' {
		n := r.count(key, most)
		if n == 0 {
			return nil
		}
		return slices.Repeat([]int{n}, layers)
	}
	var values []json.RawMessage
	if json.Unmarshal(raw, &values) != nil || len(values) == 0 {
		return nil
	}
	out := make([]int, layers)
	for i := range out {
		v := values[min(i, len(values)-1)]
		switch string(v) {
		case "true":
			out[i] = 1
		case "false":
		default:
			out[i] = int(integer(v, int64(most)))
		}
	}
	return out
}

// unreadable counts the layers of which a list does not say a number from 0 to most: null, text, a fraction, a figure out of
// bounds, or no entry at all. A list of one length for all layers is not asked of a single number.
func (r *reader) unreadable(key string, layers, most int) int {
	if !r.isList(key) {
		return 0
	}
	var values []json.RawMessage
	if json.Unmarshal(r.raw(key), &values) != nil {
		return layers
	}
	n := max(layers-len(values), 0)
	for _, v := range values[:min(len(values), layers)] {
		if text := string(v); text != "0" && text != "true" && text != "false" && integer(v, int64(most)) == 0 {
			n++
		}
	}
	return n
}

// isList says whether the key holds a list.
func (r *reader) isList(key string) bool {
	raw := r.raw(key)
	return len(raw) > 0 && raw[0] == '['
}

func (r *reader) has(key string) bool { return len(r.raw(key)) > 0 }

func (r *reader) isFalse(key string) bool { return string(r.raw(key)) == "false" }

// model puts the figures together.
func (r *reader) model(s showBody) Model {
	m := Model{
		Quantisation: s.Details.QuantizationLevel, Capabilities: s.Capabilities, Remote: s.RemoteHost != "" || s.RemoteModel != "",
		Default: defaults(s.Parameters), Missing: []string{},
	}
	if m.Architecture = r.text("general.architecture"); m.Architecture != "" && !architectureName.MatchString(m.Architecture) {
		m.Architecture = ""
		r.miss("the architecture (what stands there is no name of one)")
	} else if m.Architecture == "" {
		r.miss("the architecture")
	}
	r.arch = m.Architecture
	m.Parameters = or(r.number("general.parameter_count", maxParameters), parametersOf(s.Details.ParameterSize))
	m.Layers = r.count("block_count", maxLayers)
	m.Embedding = r.count("embedding_length", maxWidth)
	m.ContextLimit = r.count("context_length", maxContext)
	m.NextN = min(r.count("nextn_predict_layers", maxLayers), m.Layers)
	m.SharedKV = min(r.count("attention.shared_kv_layers", maxLayers), m.Layers)
	m.PerLayer = r.count("embedding_length_per_layer_input", maxWidth)
	m.DeepStack = r.count("n_deepstack_layers", maxLayers)
	m.Heads = widest(r.list("attention.head_count", max(m.Layers, 1), maxHeads))
	m.FeedForward = widest(r.list("feed_forward_length", max(m.Layers, 1), maxWidth))
	r.attention(&m)
	r.experts(&m)
	r.recurrent(&m)
	m.Window, m.Windowed = windows(m.Architecture, m.Layers, r.count("attention.sliding_window", maxContext), r.pattern(m.Layers))
	r.encoder(&m)
	r.weights(&m, s)
	m.complete(r)
	m.atMost()
	m.NeedsVerbose = r.null
	return m
}

func (r *reader) attention(m *Model) {
	const kv = "attention.head_count_kv"
	m.KVHeads = r.list(kv, m.Layers, maxHeads)
	if n := r.unreadable(kv, m.Layers, maxHeads); n > 0 {
		m.KVHeads = nil // one layer's unknown heads make the sum unknown: the query heads bound them all
	}
	kvKnown := m.KVHeads != nil
	if !kvKnown && !r.null && m.Heads > 0 && !r.has(kv) {
		m.KVHeads = slices.Repeat([]int{m.Heads}, m.Layers) // llama.cpp's own default
	}
	m.KeyLength = r.count("attention.key_length", maxWidth)
	m.ValueLength = r.count("attention.value_length", maxWidth)
	m.KeyLengthSWA = r.count("attention.key_length_swa", maxWidth)
	m.ValueLengthSWA = r.count("attention.value_length_swa", maxWidth)
	if m.Heads > 0 && m.Embedding > 0 {
		m.KeyLength = or(m.KeyLength, m.Embedding/m.Heads)
		m.ValueLength = or(m.ValueLength, m.Embedding/m.Heads)
	}
	m.QLoRARank = r.count("attention.q_lora_rank", maxWidth)
	m.KVLoRARank = r.count("attention.kv_lora_rank", maxWidth)
	m.RopeDimension = r.count("rope.dimension_count", maxWidth)
	m.KeyLengthMLA = r.count("attention.key_length_mla", maxWidth)
	m.ValueLengthMLA = r.count("attention.value_length_mla", maxWidth)
}

func (r *reader) experts(m *Model) {
	m.Experts = r.count("expert_count", maxWidth)
	m.ExpertsUsed = min(r.count("expert_used_count", maxWidth), m.Experts)
	m.ExpertWidth = r.count("expert_feed_forward_length", maxWidth)
	m.DenseLayers = min(r.count("leading_dense_block_count", maxLayers), m.Layers)
	if m.Experts > 0 {
		if step := r.count("interleave_moe_layer_step", maxLayers); step > 1 {
			m.DenseLayers = max(m.DenseLayers, 1)
		}
		m.ExpertWidth = or(m.ExpertWidth, m.FeedForward)
		shared := r.count("expert_shared_count", maxWidth)
		m.SharedWidth = or(r.count("expert_shared_feed_forward_length", maxWidth), min(shared*m.ExpertWidth, maxWidth))
		m.ExpertsUsed = or(m.ExpertsUsed, m.Experts)
	}
}

// recurrent finds which layers hold a state and how large it is. Sources: llama_hparams::n_embd_r and n_embd_s and the
// recurrent layers that load_hparams sets for each architecture, llama.cpp.
func (r *reader) recurrent(m *Model) {
	s := &m.Recurrent
	s.Inner, s.State = r.count("ssm.inner_size", maxWidth), r.count("ssm.state_size", maxWidth)
	s.Groups, s.Steps = r.count("ssm.group_count", maxWidth), r.count("ssm.time_step_rank", maxWidth)
	conv := r.count("ssm.conv_kernel", 1<<10)
	short := r.count("shortconv.l_cache", 1<<10)
	head := r.count("wkv.head_size", maxWidth)
	delta := r.count("kda.head_dim", maxWidth)
	var ff []int
	if r.isList("feed_forward_length") {
		ff = r.list("feed_forward_length", m.Layers, maxWidth)
	}
	interval := r.count("full_attention_interval", maxLayers)
	if interval == 0 && (strings.HasPrefix(m.Architecture, "qwen35") || m.Architecture == "qwen3next") {
		interval = 4 // llama.cpp's default
	}
	m.setRecurrent(recurrentShape{conv: conv, short: short, wkv: head, shift: r.count("token_shift_count", 16), kda: delta, interval: interval, ff: ff, all: m.Architecture == "falcon-h1"})
}

// pattern is sliding_window_pattern as a list of which layers are windowed, or nil.
func (r *reader) pattern(layers int) []bool {
	const key = "attention.sliding_window_pattern"
	if !r.has(key) {
		return nil
	}
	if !r.isList(key) {
		n := r.count(key, maxLayers)
		if n == 0 {
			return nil
		}
		return everyNth(layers, n, false)
	}
	out := make([]bool, layers)
	for i, v := range r.list(key, layers, 1) {
		out[i] = v != 0
	}
	return out
}

func (r *reader) encoder(m *Model) {
	m.Encoder = encoders[m.Architecture] || r.isFalse("attention.causal")
	if r.has("pooling_type") && m.Capabilities == nil {
		m.Capabilities = []string{"embedding"}
	}
}

// weights counts the tensors and the projector.
func (r *reader) weights(m *Model, s showBody) {
	if len(s.Tensors) > 0 {
		var missing []string
		m.Weights, missing = weigh(s.Tensors, m.Layers)
		r.missing = append(r.missing, missing...)
		r.missing = append(r.missing, m.checkWeights(s.Tensors)...)
		m.fromTensors(s.Tensors)
	} else if !m.Remote {
		r.miss("the list of tensors, so the size of the weights")
	}
	if m.Vocabulary == 0 {
		m.Vocabulary = r.count("vocab_size", maxWidth)
	}
	if m.Vocabulary == 0 {
		if raw := r.raw("tokenizer.ggml.tokens"); len(raw) > 0 {
			var tokens []json.RawMessage
			if json.Unmarshal(raw, &tokens) == nil {
				m.Vocabulary = min(len(tokens), maxWidth)
			}
		}
	}
	m.Projector.Present = len(s.ProjectorInfo) > 0 || m.Weights.Vision > 0
	if m.Weights.Vision > 0 {
		v := m.Weights.Vision
		m.Projector.Bytes = &v
	} else if len(s.ProjectorInfo) > 0 {
		if n := integer(s.ProjectorInfo["general.parameter_count"], 1<<40); n > 0 {
			b := n * 2 // projectors are stored at 16 bits; some norms at 32
			m.Projector.Bytes = &b
		} else {
			r.miss("the size of the image part")
		}
	}
	m.Adapters = strings.Count("\n"+s.Modelfile, "\nADAPTER ")
	if m.Adapters > 0 {
		r.miss("the size of the adapter (LoRA)")
	}
}

// fromTensors reads from the tensors what the keys do not say.
func (m *Model) fromTensors(tensors []tensor) {
	gate, up, norm := false, false, false
	for _, t := range tensors[:min(len(tensors), maxTensors)] {
		base := t.Name
		if layer, ok := layerOf(base); ok {
			base = strings.TrimPrefix(base, fmt.Sprintf("blk.%d.", layer))
		}
		switch {
		case t.Name == "token_embd.weight" && len(t.Shape) == 2 && t.Shape[1] > 0 && t.Shape[1] <= maxWidth:
			m.Vocabulary = int(t.Shape[1])
		case strings.HasPrefix(base, "ffn_gate") && !strings.HasPrefix(base, "ffn_gate_inp"):
			gate = true
		case base == "ffn_up.weight" || base == "ffn_up_exps.weight":
			up = true
			if len(t.Shape) >= 2 && m.FeedForward > 0 && t.Shape[1] == 2*int64(m.FeedForward) {
				gate = true // both in one matrix
			}
		case base == "ffn_norm.weight":
			norm = true
		case base == "attn_qkv.weight" && m.Recurrent.Layers == nil:
			m.FusedQKV = true
		}
	}
	m.Ungated = up && !gate
	// Both parts of a layer read the same norm when the second one has none (stablelm-2 12b); the rule by name comes after.
	m.Parallel = m.Architecture == "stablelm" && !norm
}

// complete names what is missing, and what stands there where that cannot be.
func (m *Model) complete(r *reader) {
	for _, x := range []struct {
		absent bool
		what   string
		key    string
	}{
		{m.Layers == 0, "the number of layers", "block_count"},
		{m.Embedding == 0, "the width of the model", "embedding_length"},
		{m.Heads == 0 && m.Recurrent.Layers == nil, "the number of attention heads", "attention.head_count"},
		{m.Layers > 0 && m.KVHeads == nil && m.Heads > 0 && !m.Encoder, "the number of key-value heads of each layer", "attention.head_count_kv"},
		{m.Embedding > 0 && m.Heads > 0 && (m.KeyLength == 0 || m.ValueLength == 0), "the length of keys and values", "attention.key_length"},
		{m.FeedForward == 0 && m.ExpertWidth == 0 && m.Recurrent.Layers == nil, "the width of the feed-forward part", "feed_forward_length"},
		{m.Recurrent.Layers != nil && m.Recurrent.Elements == 0, "the size of the recurrent state", ""},
		{m.ContextLimit == 0, "the longest context", "context_length"},
	} {
		if !x.absent {
			continue
		}
		if wrong, ok := r.wrong[x.key]; ok {
			x.what += " (it says " + wrong + ", which cannot be)"
		}
		m.Missing = append(m.Missing, x.what)
	}
	m.Missing = append(m.Missing, r.missing...)
	m.Parallel = m.Parallel || parallelBlocks[m.Architecture]
	m.FusedQKV = m.FusedQKV || fusedQKV[m.Architecture]
	if !m.Weights.known() {
		m.Ungated = ungated[m.Architecture]
	}
	if m.DeepStack == 0 && strings.HasPrefix(m.Architecture, "qwen3vl") {
		m.DeepStack = 3 // all of that family so far
	}
}

// defaults reads the text of PARAMETER lines.
func defaults(text string) Defaults {
	var d Defaults
	if len(text) > 1<<20 {
		text = text[:1<<20]
	}
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) != 2 {
			continue
		}
		n := int(integer(json.RawMessage(f[1]), maxContext))
		switch f[0] {
		case "num_ctx":
			d.Context = n
		case "num_batch":
			d.Batch = n
		case "num_gpu":
			d.Layers = n
		}
	}
	return d
}

func widest(values []int) int {
	if len(values) == 0 {
		return 0
	}
	return slices.Max(values)
}
