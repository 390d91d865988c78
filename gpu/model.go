package gpu

// Model is everything of a language model that decides how much memory it takes. Hyperparameters are counts; 0 means that
// the metadata does not give one, because no model has 0 of any of them. Make one with [ReadShow] or take it from the
// [Catalogue].
type Model struct {
	Name         string `json:"name,omitempty"`         // as the server or the catalogue calls it; "" when it was read from metadata alone
	Digest       string `json:"digest,omitempty"`       // of the manifest, hexadecimal; "" when unknown
	Architecture string `json:"architecture"`           // general.architecture of GGUF, such as "llama" or "gptoss"
	Quantisation string `json:"quantisation,omitempty"` // as the server prints it, such as "Q4_K_M"
	Parameters   int64  `json:"parameters,omitempty"`

	Layers        int   `json:"layers"`         // transformer blocks, those for next-token prediction included
	Embedding     int   `json:"embedding"`      // width of the residual stream
	FeedForward   int   `json:"feed_forward"`   // width of the dense feed-forward part, the widest layer's
	Heads         int   `json:"heads"`          // query heads, the widest layer's
	KVHeads       []int `json:"kv_heads"`       // key-value heads of each layer, len = Layers; 0 for a layer without attention; nil when unknown
	KeyLength     int   `json:"key_length"`     // of one head
	ValueLength   int   `json:"value_length"`   // of one head
	ContextLimit  int   `json:"context_limit"`  // tokens the model was made for
	Vocabulary    int   `json:"vocabulary"`     // tokens
	NextN         int   `json:"next_n"`         // layers at the end that only predict further tokens; they hold no cache in a normal run
	SharedKV      int   `json:"shared_kv"`      // layers at the end that use an earlier layer's cache
	Experts       int   `json:"experts"`        // 0 for a dense model
	ExpertsUsed   int   `json:"experts_used"`   // for each token
	ExpertForward int   `json:"expert_forward"` // width of one expert
	SharedForward int   `json:"shared_forward"` // width of the experts every token passes, together

	// Sliding windows: a windowed layer looks at the last Window tokens only.
	Window         int    `json:"window"`           // tokens; 0 when no layer is windowed
	Windowed       []bool `json:"windowed"`         // which layers, len = Layers; nil when none is
	KeyLengthSWA   int    `json:"key_length_swa"`   // of a windowed layer; 0 when as KeyLength
	ValueLengthSWA int    `json:"value_length_swa"` // of a windowed layer; 0 when as ValueLength

	// Multi-head latent attention (DeepSeek): keys and values are kept as one short vector.
	KVLoRARank     int `json:"kv_lora_rank"`     // 0 for other models
	RopeDimension  int `json:"rope_dimension"`   // of the part of the key that is rotated
	KeyLengthMLA   int `json:"key_length_mla"`   // of one head when the vector is unfolded; 0 in a file that predates the short form
	ValueLengthMLA int `json:"value_length_mla"` // of one head when the vector is unfolded

	// Recurrent layers (state space, linear attention, short convolution) hold a state that does not grow with the context.
	Recurrent RecurrentState `json:"recurrent"`

	// Encoder says that the model turns text into a vector and writes none. It keeps no cache.
	Encoder bool `json:"encoder"`

	Weights   Weights   `json:"weights"`
	Projector Projector `json:"projector"`
	// Adapters counts LoRA adapters that are loaded beside the weights; AdapterBytes is their size, nil when unknown.
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

// RecurrentState is the fixed memory of a recurrent layer. Elements are 32-bit floats.
type RecurrentState struct {
	Layers        []bool `json:"layers"`         // which layers hold one, len = Model.Layers; nil when none does
	Elements      int64  `json:"elements"`       // of one layer and one sequence; 0 when unknown although Layers is not nil
	Convolution   int    `json:"convolution"`    // ssm.conv_kernel or shortconv.l_cache
	Inner         int    `json:"inner"`          // ssm.inner_size
	State         int    `json:"state"`          // ssm.state_size
	Groups        int    `json:"groups"`         // ssm.group_count
	TimeStep      int    `json:"time_step"`      // ssm.time_step_rank
	HeadDimension int    `json:"head_dimension"` // kda.head_dim or wkv.head_size
}

// Weights are the sizes of the stored tensors, in bytes. Exact says that they are counted tensor by tensor; otherwise they
// are a bound or a catalogue's figure.
type Weights struct {
	Exact  bool  `json:"exact"`
	Input  int64 `json:"input"`  // the token embedding: kept in main memory
	Output int64 `json:"output"` // the output layer; equal to Input when the model uses the embedding twice (Tied)
	Tied   bool  `json:"tied"`   // there is no output layer of its own: the embedding is loaded onto the card a second time
	// Layers is the size of each layer; nil when only the total is known.
	Layers []int64 `json:"layers,omitempty"`
	Rest   int64   `json:"rest"`   // everything else: norms, per-layer embeddings that go to the card; all layers when Layers is nil
	Host   int64   `json:"host"`   // other tensors that stay in main memory, such as per-layer token embeddings
	Vision int64   `json:"vision"` // image or audio tensors in the model's own file
	// LargestHost is the largest layer's expert weights: what is staged on the card when a layer runs from main memory.
	Largest int64 `json:"largest"`
}

// Projector is the part that turns images or sound into tokens.
type Projector struct {
	Present bool   `json:"present"`
	Bytes   *int64 `json:"bytes,omitempty"` // of its weights, nil when unknown
	Layers  int    `json:"layers"`
	Width   int    `json:"width"`
	Heads   int    `json:"heads"`
	Forward int    `json:"forward"`
	Image   int    `json:"image"` // edge of the largest image, pixels; 0 when unknown
	Patch   int    `json:"patch"` // edge of one patch, pixels
}
