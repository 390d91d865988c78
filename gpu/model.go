package gpu

import "slices"

// Model is everything of a language model that decides how much memory it takes. Hyperparameters are counts; 0 means that
// the metadata does not give one, because no model has 0 of any of them, unless the field says otherwise. Make one with
// [ReadShow] or take it from the catalogue with [Known].
type Model struct {
	Name         string `json:"name,omitempty"`         // as the server or the catalogue calls it; "" when it was read from metadata alone
	Digest       string `json:"digest,omitempty"`       // of the manifest, hexadecimal; "" when unknown
	Architecture string `json:"architecture"`           // general.architecture of GGUF, such as "llama" or "gptoss"
	Quantisation string `json:"quantisation,omitempty"` // as the server prints it, such as "Q4_K_M"
	Parameters   int64  `json:"parameters,omitempty"`
	Origin       string `json:"origin,omitempty"` // where the figures come from, for a model of the catalogue

	Layers       int   `json:"layers"`        // transformer blocks
	Embedding    int   `json:"embedding"`     // width of the residual stream
	FeedForward  int   `json:"feed_forward"`  // width of the dense feed-forward part, the widest layer's
	Ungated      bool  `json:"ungated"`       // the feed-forward part has two matrices and not three
	Parallel     bool  `json:"parallel"`      // attention and feed-forward read the same input (command-r, falcon)
	FusedQKV     bool  `json:"fused_qkv"`     // queries, keys and values come from one matrix
	Heads        int   `json:"heads"`         // query heads, the widest layer's
	KVHeads      []int `json:"kv_heads"`      // key-value heads of each layer, len = Layers; 0 for a layer without attention; nil when unknown
	KeyLength    int   `json:"key_length"`    // of one head
	ValueLength  int   `json:"value_length"`  // of one head
	ContextLimit int   `json:"context_limit"` // tokens the model was made for
	Vocabulary   int   `json:"vocabulary"`    // tokens
	NextN        int   `json:"next_n"`        // layers at the end that only guess further tokens; part of Layers; may be 0
	SharedKV     int   `json:"shared_kv"`     // layers at the end that use an earlier layer's cache; may be 0
	PerLayer     int   `json:"per_layer"`     // width of an embedding of each token for each layer (gemma3n, gemma4); may be 0
	DeepStack    int   `json:"deep_stack"`    // copies of the input that carry image features (qwen3vl); may be 0
	Experts      int   `json:"experts"`       // 0 for a dense model
	ExpertsUsed  int   `json:"experts_used"`  // for each token
	ExpertWidth  int   `json:"expert_width"`  // of one expert's feed-forward part
	SharedWidth  int   `json:"shared_width"`  // of the experts that every token passes, together; may be 0
	DenseLayers  int   `json:"dense_layers"`  // layers of a model with experts that have none; may be 0
	Window       int   `json:"window"`        // tokens that a windowed layer sees; 0 when none is windowed
	// Windowed says which layers see a window only, len = Layers; nil when none does.
	Windowed       []bool `json:"windowed,omitempty"`
	KeyLengthSWA   int    `json:"key_length_swa"`   // of a windowed layer; 0 when as KeyLength
	ValueLengthSWA int    `json:"value_length_swa"` // of a windowed layer; 0 when as ValueLength

	// Multi-head latent attention (DeepSeek): keys and values are kept as one short vector.
	QLoRARank      int `json:"q_lora_rank"`
	KVLoRARank     int `json:"kv_lora_rank"`     // 0 for other models
	RopeDimension  int `json:"rope_dimension"`   // of the part of the key that is rotated
	KeyLengthMLA   int `json:"key_length_mla"`   // of one head when the vector is unfolded; 0 in a file that predates the short form
	ValueLengthMLA int `json:"value_length_mla"` // of one head when the vector is unfolded

	// Recurrent layers (state space, linear attention, short convolution) hold a state that does not grow with the context.
	Recurrent Recurrent `json:"recurrent"`
	// Encoder says that the model turns text into a vector and writes none. Current servers keep no cache for it.
	Encoder bool `json:"encoder"`

	Weights   Weights   `json:"weights"`
	Projector Projector `json:"projector"`
	// Adapters counts the LoRA adapters loaded beside the weights; AdapterBytes is their size, nil when unknown.
	Adapters     int    `json:"adapters"`
	AdapterBytes *int64 `json:"adapter_bytes,omitempty"`

	Capabilities []string `json:"capabilities"` // as the server lists them ("completion", "tools", "thinking", "vision", "embedding"); nil when unknown
	Remote       bool     `json:"remote"`       // runs on another machine (a cloud model): never planned
	Default      Defaults `json:"default"`      // what the model's own file sets

	// Missing names in plain words what the metadata does not give; each entry makes a part of the estimate a bound.
	Missing []string `json:"missing"`
	// NeedsVerbose says that the server left lists out (they are null): ask /api/show again with "verbose": true.
	NeedsVerbose bool `json:"needs_verbose"`
}

// Defaults are the options that a model's own file sets. A zero one is not set.
type Defaults struct {
	Context int `json:"context,omitempty"` // num_ctx
	Batch   int `json:"batch,omitempty"`   // num_batch
	Layers  int `json:"layers,omitempty"`  // num_gpu
}

// Recurrent is the fixed memory of recurrent layers. Its elements are 32-bit floats.
type Recurrent struct {
	Layers   []bool `json:"layers,omitempty"` // which layers hold a state, len = Model.Layers; nil when none does
	Elements int64  `json:"elements"`         // of one layer and one sequence; 0 when unknown although Layers is not nil
	Kind     string `json:"kind,omitempty"`   // "ssm", "delta" (linear attention), "conv" (short convolution), "rwkv"
	Inner    int    `json:"inner"`            // ssm.inner_size
	State    int    `json:"state"`            // ssm.state_size
	Groups   int    `json:"groups"`           // ssm.group_count
	Steps    int    `json:"steps"`            // ssm.time_step_rank: heads of the recurrent layer
}

// Weights are the sizes of the stored tensors, in bytes.
type Weights struct {
	Exact  bool    `json:"exact"`            // counted tensor by tensor; otherwise Source says how
	Source string  `json:"source,omitempty"` // one clause, such as "computed from the shapes for Q4_K_M"
	Input  int64   `json:"input"`            // token and position embeddings: kept in main memory
	Output int64   `json:"output"`           // the output layer and its norm; with Tied the token embedding a second time
	Tied   bool    `json:"tied"`             // there is no output layer of its own
	Layers []int64 `json:"layers,omitempty"` // of each layer; nil when only the total is known
	Rest   int64   `json:"rest"`             // everything else that goes to the card; all layers when Layers is nil
	Vision int64   `json:"vision"`           // image or audio tensors in the model's own file

	uncounted int // tensors whose shape says no size: they are in no sum
}

// Card is what goes to the card when every layer does, vision tensors left out, in bytes.
func (w Weights) Card() int64 {
	n := w.Output + w.Rest
	for _, l := range w.Layers {
		n += l
	}
	return n
}

// known says whether there is any figure.
func (w Weights) known() bool { return w.Card() > 0 }

// Weighed says whether anything is known of the size of the weights. Of a model without, nothing can be said about fitting.
func (m Model) Weighed() bool { return m.Weights.known() || m.Parameters > 0 }

// largest is the largest layer, in bytes.
func (w Weights) largest() int64 {
	if len(w.Layers) == 0 {
		return 0
	}
	return slices.Max(w.Layers)
}

// Projector is the part that turns images or sound into tokens.
type Projector struct {
	Present bool   `json:"present"`
	Bytes   *int64 `json:"bytes,omitempty"` // of its weights, nil when unknown
}

func (m Model) hasCapability(c string) bool { return slices.Contains(m.Capabilities, c) }

// Embeds says whether the model turns text into vectors.
func (m Model) Embeds() bool { return m.Encoder || m.hasCapability("embedding") }

// Writes says whether the model writes text. A model whose capabilities are unknown does unless it is an encoder.
func (m Model) Writes() bool {
	return !m.Encoder && (m.Capabilities == nil || m.hasCapability("completion"))
}
