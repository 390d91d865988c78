package gpu

import "fmt"

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
	Context  int     `json:"context"`           // tokens of one sequence; 0 is MinContext
	Parallel int     `json:"parallel"`          // sequences at once; 0 is 1
	Batch    int     `json:"batch"`             // num_batch, tokens; 0 is what the server picks by its version's rule
	KV       KVType  `json:"kv"`                // format of the cache; "" is f16
	K        KVType  `json:"k,omitempty"`       // keys alone, where they differ
	V        KVType  `json:"v,omitempty"`       // values alone, where they differ
	Flash    Flash   `json:"flash"`             // "" is auto
	Version  string  `json:"version"`           // of the server, as /api/version says; "" and "0.0.0" are unknown
	Backend  Backend `json:"backend"`           // "" is CUDA; Processor loads everything into main memory
	Devices  int     `json:"devices"`           // cards the layers are split over; 0 is 1
	Offload  *int    `json:"offload,omitempty"` // layers on the cards, the output layer counted as one; nil is all

	// What only a server's log says. A plan leaves these empty.
	Physical int    `json:"physical,omitempty"` // n_ubatch where it differs from Batch
	Unified  *bool  `json:"unified,omitempty"`  // all sequences share one cache; nil is the version's rule
	Latent   Latent `json:"latent,omitempty"`   // form of an MLA cache; "" is the version's rule
	Windowed KVType `json:"windowed,omitempty"` // cache format of windowed layers where it differs
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

// LeastContext is the smallest context that a server takes, in tokens: a smaller one is raised to it (llm/server.go of Ollama 0.17.4).
const LeastContext = 4

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
	// MarginWhy says in one phrase with its numbers what the margin is made of.
	MarginWhy string `json:"margin_why"`
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

// overheadBytes is what the driver takes on each card for a program that computes there, beyond what it asks for: 451 to 456
// MiB on three RTX 4090 (llama.cpp#15860), 153 on an 8 GB card, 612 on a 48 GB one; Ollama reserves 457 (GPU.md, section 2).
const overheadBytes = 460 << 20

// fitTarget is what llama-server keeps free on each card before it moves layers off it (llama.cpp, --fit; 1024 MiB).
const fitTarget = 1024 << 20

// minimumMemory is what GenerationOld and GenerationEngine keep free on each card (ml/device.go of Ollama 0.17.4).
const minimumMemory, minimumMetal = 457 << 20, 512 << 20

// Estimate says how much memory a model takes when it is loaded in a given way. It never fails: what is not known is a
// bound, and named. All sums are of integers.
func (m Model) Estimate(l Load) Estimate { return m.estimate(l, false) }

func (m Model) estimate(l Load, quiet bool) Estimate {
	u, note := rulesFor(m, l.Version)
	u.quiet = quiet
	asked := l.Flash
	l, notes := u.resolve(m, l)
	if note != "" {
		notes = append([]string{note}, notes...)
	}
	e := Estimate{Load: l, Generation: u.generation, Notes: notes, Missing: m.Missing}
	k := u.cache(m, l)
	share := placement(m, l, k)
	e.weights(u, m, share)
	e.adapter(u, m)
	e.cache(u, m, k, share)
	c := u.compute(m, l, k)
	if !quiet && asked != FlashOn && asked != FlashOff && l.Flash == FlashOn && !u.engine && m.Heads > 0 {
		off := l
		off.Flash = FlashOff
		e.Notes = append(e.Notes, fmt.Sprintf("flash attention is left to the server and counted as on; should the server turn it off, the working memory grows by %s", mibText(max(u.compute(m, off, k).bytes-c.bytes, 0))))
	}
	e.working(u, m, l, k, c, share)
	e.projector(u, m, share)
	if share.any {
		e.add(Part{Kind: PartOverhead, Bytes: int64(l.Devices) * overheadBytes, Bound: true,
			Why: u.say("the driver takes up to 460 MiB%s for a program that computes there", onEach(l.Devices))})
	}
	e.Margin, e.MarginWhy = u.margin(m, l, k, c)
	if e.Notes == nil {
		e.Notes = []string{}
	}
	if e.Missing == nil {
		e.Missing = []string{}
	}
	return e
}

func (e *Estimate) add(p Part) {
	if p.Bytes > 0 {
		e.Parts = append(e.Parts, p)
	}
}

// split is which share of the layers is on the cards.
type split struct {
	any    bool // something is
	all    bool // everything is
	from   int  // the first layer on a card: the server fills from the last
	output bool // the output layer is on a card
	layers int  // on cards, the output layer not counted
}

// placement says which layers are on the cards. The server offloads the last ones first, the output layer before all
// (GenerationServer) or after them; counted as one either way.
func placement(m Model, l Load, _ kv) split {
	if l.Backend == Processor {
		return split{from: m.Layers}
	}
	if l.Offload == nil || *l.Offload > m.Layers {
		return split{any: true, all: true, output: true, layers: m.Layers}
	}
	n := max(*l.Offload, 0)
	if n == 0 {
		return split{from: m.Layers}
	}
	return split{any: true, output: n > m.Layers, layers: n, from: m.Layers - n}
}

func (e *Estimate) weights(u rules, m Model, s split) {
	w := m.Weights
	source := or(w.Source, "counted tensor by tensor")
	switch {
	case !w.known() && m.Parameters > 0:
		n, each := m.weightBound()
		e.add(Part{Kind: PartWeights, Bytes: n, Host: !s.any, Bound: true,
			Why: u.say("no list of tensors gives their sizes, so %.1f billion parameters %s are counted", float64(m.Parameters)/1e9, each)})
		return
	case !w.known():
		return
	}
	onCard := w.Card()
	if !s.all {
		onCard = 0
		if s.any {
			onCard = w.Rest
		}
		for i := s.from; i < len(w.Layers); i++ {
			onCard += w.Layers[i]
		}
		if len(w.Layers) == 0 && m.Layers > 0 && s.any {
			onCard = w.Rest / int64(m.Layers) * int64(s.layers)
		}
		if s.output {
			onCard += w.Output
		}
	}
	e.add(Part{Kind: PartWeights, Bytes: onCard, Bound: !w.Exact,
		Why: u.say("the weights of %s and the output layer, %s", plural(min(s.layers, m.Layers), "layer"), source)})
	host := w.Input + w.Card() - onCard
	why := "the token embedding is looked up and not multiplied, so it stays in main memory"
	if host > w.Input {
		why = u.say("the token embedding and %s that are not on a card", plural(m.Layers-s.layers, "layer"))
	}
	if w.Tied && !s.output {
		host -= min(host, w.Output) // one copy serves both ends
	}
	e.add(Part{Kind: PartInput, Bytes: host, Host: true, Bound: !w.Exact, Why: why})
}

// adapter counts LoRA. Of an unknown one a rank of 16 at 32 bits over all seven matrices of every layer is counted (160 MiB
// for llama3.1:8b, as measured in case c014).
func (e *Estimate) adapter(u rules, m Model) {
	if m.Adapters == 0 && m.AdapterBytes == nil {
		return
	}
	if m.AdapterBytes != nil {
		e.add(Part{Kind: PartAdapter, Bytes: *m.AdapterBytes, Why: "the adapter (LoRA) is loaded beside the weights"})
		return
	}
	const rank, size = 16, 4
	q, kv := product(int64(m.Heads), int64(m.KeyLength)), product(int64(widest(m.KVHeads)), int64(m.KeyLength))
	emb, ff := int64(m.Embedding), max(int64(m.FeedForward), product(int64(m.ExpertsUsed), int64(m.ExpertWidth)))
	perLayer := (emb+q)*2 + (emb+kv)*2 + (emb+ff)*3
	n := product(int64(min(m.Adapters, 64)), rank*size, perLayer, int64(m.Layers))
	e.add(Part{Kind: PartAdapter, Bytes: n, Bound: true,
		Why: u.say("the size of the adapter (LoRA) is unknown, so a rank of %d at 32 bits over every matrix is counted for each of %d", rank, m.Adapters)})
}

func (e *Estimate) cache(u rules, m Model, k kv, s split) {
	var card, host [2]int64 // full, windowed
	for i, b := range k.perLayer {
		kind := 0
		if m.windowed(i) {
			kind = 1
		}
		if s.any && i >= s.from {
			card[kind] += b
		} else {
			host[kind] += b
		}
	}
	l := e.Load
	formats := string(l.K)
	if l.K != l.V {
		formats = u.say("%s keys and %s values", l.K, l.V)
	}
	full := u.say("%s of %s each (%s x %d), %s", plural(k.fullLayers, "layer"), plural(k.cells.full, "cell"), plural(l.Context, "token"), l.Parallel, formats)
	if k.latent {
		full += ": " + k.form
	} else if k.fullLayers > 0 {
		heads := widest(m.KVHeads)
		if m.KVHeads == nil {
			heads = m.Heads // those that are counted
		}
		full += u.say(": %d key-value heads of %d + %d", heads, m.KeyLength, m.ValueLength)
	}
	windowed := u.say("%s that see a window hold %s each", plural(k.windowedLayers, "layer"), plural(k.cells.windowed, "cell"))
	if k.cells.whyWindowed != "" {
		windowed += ": " + k.cells.whyWindowed
	}
	if k.bound != "" {
		full += "; " + k.bound
	}
	if k.windowedBound != "" {
		windowed += "; " + k.windowedBound
	}
	e.add(Part{Kind: PartKV, Bytes: card[0], Bound: k.bound != "", Why: full})
	e.add(Part{Kind: PartKV, Bytes: host[0], Host: true, Bound: k.bound != "", Why: "the cache of a layer stays where the layer is"})
	e.add(Part{Kind: PartKVWindowed, Bytes: card[1], Bound: k.bound != "" || k.windowedBound != "", Why: windowed})
	e.add(Part{Kind: PartKVWindowed, Bytes: host[1], Host: true, Bound: k.bound != "" || k.windowedBound != "", Why: "the cache of a layer stays where the layer is"})
	size, copies, layers := u.recurrent(m, e.Load)
	why := u.say("%s keep a state of %d elements of 4 bytes that does not grow with the context, %d times", plural(layers, "layer"), m.Recurrent.Elements, copies)
	e.add(Part{Kind: PartRecurrent, Bytes: size, Host: !s.any, Why: why})
}

func (e *Estimate) working(u rules, m Model, l Load, k kv, c computed, s split) {
	if !s.any {
		e.add(Part{Kind: PartCompute, Bytes: c.bytes, Host: true, Bound: true, Why: c.why})
		return
	}
	n, why := c.bytes, c.why
	if l.Devices > 1 {
		n *= int64(l.Devices)
		why += u.say(";%s", onEach(l.Devices))
	}
	if !s.all {
		add := u.staged(m, l, k)
		n += add
		why += u.say("; and %d MiB to bring a layer in from main memory", add>>20)
	}
	e.add(Part{Kind: PartCompute, Bytes: n, Bound: true, Why: why})
	mask, _ := u.mask(m, l, k, int64(l.Physical))
	e.add(Part{Kind: PartComputeHost, Bytes: mask + 8*int64(l.Physical)*int64(m.Embedding), Host: true, Bound: true,
		Why: "the batch and its mask are prepared in main memory"})
}

// projector counts the image part: its weights, and the graph of the largest image, which is reserved at load whether images
// are sent or not. From 0.30 the server itself reckons 1 GiB beyond the weights (mmprojOffloadHeadroom); before, a qwen2.5vl
// took up to 6.7 GiB (ollama#13687, from 0.13.4), others 1 GiB (case c018).
func (e *Estimate) projector(u rules, m Model, s split) {
	if !m.Projector.Present {
		return
	}
	n, bound, why := int64(2<<30), true, "the size of the image part is unknown, so 2 GiB are counted"
	if m.Projector.Bytes != nil {
		n, bound, why = *m.Projector.Bytes, !m.Weights.Exact, "the weights of the image part"
	}
	host := !s.all
	if host {
		why += "; with layers in main memory it runs there too"
	}
	e.add(Part{Kind: PartProjector, Bytes: n, Host: host, Bound: bound, Why: why})
	graph, why := int64(1<<30), "working memory for the largest image, reserved at load"
	if u.engine && m.Architecture == "qwen25vl" && !u.release.before(serverVersion{0, 13, 4}) {
		graph, why = 6861<<20, "this server reserves up to 6.7 GiB for the largest image of a qwen2.5vl (ollama#13687)"
	}
	e.add(Part{Kind: PartImage, Bytes: graph, Host: host, Bound: true, Why: why})
}

// margin is what must stay free on each card or the server moves layers off it. Sources: llama.cpp's --fit for
// GenerationServer; MinimumMemory and, for models that its own engine does not run, one layer with its cache and the graph
// it reckons with (llm/server.go, llamaServer.Load of Ollama 0.17.4).
func (u rules) margin(m Model, l Load, k kv, c computed) (int64, string) {
	if l.Backend == Processor {
		return 0, ""
	}
	if u.generation == GenerationServer {
		return fitTarget, u.say("llama-server moves layers off a card unless %s stay free on it; the driver's part counts toward that", mibText(fitTarget))
	}
	n := int64(minimumMemory)
	if l.Backend == Metal {
		n = minimumMetal
	}
	why := u.say("this server keeps %s for itself", mibText(n))
	largest := m.Weights.largest()
	if largest == 0 && m.Layers > 0 {
		largest = m.Weights.Card() / int64(m.Layers)
	}
	if len(k.perLayer) > 0 {
		largest += k.perLayer[0]
	}
	n += largest
	why += u.say(" and the room of one layer with its cache, %s", mibText(largest))
	if !u.engine {
		more := max(0, u.graphSize(m, l, k)-c.bytes)
		n += more
		if more > 0 {
			why += u.say(", and reckons with a working memory that is %s larger than it is", mibText(more))
		}
	}
	return n, why + u.say("; the driver's part counts toward that")
}

// onEach says on how many cards something is.
func onEach(cards int) string {
	if cards < 2 {
		return ""
	}
	return " on each of " + plural(cards, "card")
}
