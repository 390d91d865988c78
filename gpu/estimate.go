package gpu

// KVType is the number format of the key-value cache.
type KVType string

// The cache formats. The server takes f16, q8_0 and q4_0; the others are known so that logs can be read.
const (
	F16  KVType = "f16"
	Q8   KVType = "q8_0"
	Q4   KVType = "q4_0"
	Q5   KVType = "q5_0"
	Q51  KVType = "q5_1"
	Q41  KVType = "q4_1"
	BF16 KVType = "bf16"
	F32  KVType = "f32"
)

// Flash says whether attention is computed without storing the whole score matrix (flash attention).
type Flash string

// What is known of flash attention. FlashAuto is the server's own choice, which may be off.
const (
	FlashAuto Flash = "auto"
	FlashOn   Flash = "on"
	FlashOff  Flash = "off"
)

// Backend is the kind of device that computes.
type Backend string

// The kinds of device. The zero value is planned as CUDA.
const (
	CUDA      Backend = "cuda"
	ROCm      Backend = "rocm"
	Vulkan    Backend = "vulkan"
	Metal     Backend = "metal"
	OtherCard Backend = "other"
	Processor Backend = "cpu"
)

// Load is one way to load a model. Its zero value is a context of [MinContext] at f16, one sequence, on one CUDA card, by a
// server of unknown version.
type Load struct {
	Context  int     `json:"context"`            // tokens of one sequence; 0 is MinContext
	Parallel int     `json:"parallel"`           // sequences at once; 0 is 1
	Batch    int     `json:"batch"`              // num_batch, tokens; 0 is what the server picks by its version's rule
	KV       KVType  `json:"kv"`                 // both caches; "" is f16
	K        KVType  `json:"k,omitempty"`        // keys alone, where they differ
	V        KVType  `json:"v,omitempty"`        // values alone, where they differ
	Flash    Flash   `json:"flash"`              // "" is auto
	Version  string  `json:"version"`            // of the server, as /api/version says; "" and "0.0.0" are unknown
	Backend  Backend `json:"backend"`            // "" is CUDA
	Devices  int     `json:"devices"`            // cards the layers are split over; 0 is 1
	Offload  *int    `json:"offload,omitempty"`  // layers on the cards, the output layer counted as one; nil is all
	Images   bool    `json:"images"`             // count the largest image's graph; without it only the projector's weights
	Unified  *bool   `json:"unified,omitempty"`  // all sequences share one cache; nil is the version's rule
	Latent   Latent  `json:"latent,omitempty"`   // form of an MLA cache; "" is the version's rule
	Encoded  int     `json:"encoded,omitempty"`  // longest input of an encoder, tokens; 0 is the context
	Physical int     `json:"physical,omitempty"` // n_ubatch where it differs from Batch; 0 is Batch
}

// Latent is the form in which an MLA model's cache is kept.
type Latent string

// The forms of an MLA cache: absorbed is one short vector a token; values keeps its value part a second time; unfolded is
// every head's keys and values.
const (
	LatentAbsorbed Latent = "absorbed"
	LatentValues   Latent = "values"
	LatentUnfolded Latent = "unfolded"
)

// MinContext is the smallest context a research runs with, in tokens: below it a passage, the instructions and an answer do
// not fit together (CONTRACT, section 4).
const MinContext = 8192

// PartKind names a part of an estimate.
type PartKind string

// The parts, in the order in which they are listed.
const (
	PartWeights     PartKind = "weights"      // on the card
	PartInput       PartKind = "input"        // token embedding and what else stays in main memory
	PartAdapter     PartKind = "adapter"      // LoRA
	PartKV          PartKind = "kv"           // cache of the layers that see the whole context
	PartKVWindowed  PartKind = "kv_windowed"  // cache of the layers that see a window
	PartRecurrent   PartKind = "recurrent"    // state of recurrent layers
	PartCompute     PartKind = "compute"      // working memory on the card
	PartComputeHost PartKind = "compute_host" // working memory in main memory
	PartProjector   PartKind = "projector"    // weights of the image part
	PartImage       PartKind = "image"        // working memory of the image part
	PartOverhead    PartKind = "overhead"     // what the driver takes for each program on each card
	PartCalibration PartKind = "calibration"  // what an earlier load of the same model showed to be missing or too much
)

// Part is one share of the memory.
type Part struct {
	Kind  PartKind `json:"kind"`
	Bytes int64    `json:"bytes"`
	Host  bool     `json:"host"`  // in main memory, not on a card
	Bound bool     `json:"bound"` // at most this much: the exact figure is not known
	Why   string   `json:"why"`   // one sentence with its numbers
}

// Estimate is the memory that a load takes, by part.
type Estimate struct {
	Parts []Part `json:"parts"`
	// Load is the load as the server would carry it out: defaults filled in, a cache format it would drop replaced.
	Load       Load       `json:"load"`
	Generation Generation `json:"generation"`
	// Margin is what must stay free on each card, or the server moves layers off it; bytes.
	Margin int64 `json:"margin"`
	// Notes say in one sentence each what differs from what was asked, and which rules were used when the version is unknown.
	Notes []string `json:"notes"`
	// Missing repeats what the model's metadata does not give; with it at least one part is a bound.
	Missing []string `json:"missing"`
}

// Server is what the server itself counts on the cards and reports as size_vram, in bytes: everything but the overhead.
func (e Estimate) Server() int64 {
	return e.sum(func(p Part) bool { return !p.Host && p.Kind != PartOverhead })
}

// Card is what the cards' free memory falls by, in bytes: [Estimate.Server] and the driver's overhead.
func (e Estimate) Card() int64 { return e.sum(func(p Part) bool { return !p.Host }) }

// Host is what main memory takes, in bytes.
func (e Estimate) Host() int64 { return e.sum(func(p Part) bool { return p.Host }) }

// KVBytes is the whole cache, windowed layers included and recurrent state left out, in bytes.
func (e Estimate) KVBytes() int64 {
	return e.sum(func(p Part) bool { return p.Kind == PartKV || p.Kind == PartKVWindowed })
}

// Of is the size of the parts of a kind, in bytes.
func (e Estimate) Of(kind PartKind) int64 { return e.sum(func(p Part) bool { return p.Kind == kind }) }

// Bound says whether any part on a card is a bound and not an exact figure or a fitted rule.
func (e Estimate) Bound() bool {
	for _, p := range e.Parts {
		if p.Bound && !p.Host {
			return true
		}
	}
	return false
}

func (e Estimate) sum(of func(Part) bool) int64 {
	var n int64
	for _, p := range e.Parts {
		if of(p) {
			n += p.Bytes
		}
	}
	return n
}
