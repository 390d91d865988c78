package gpu

// The working memory ("compute buffer") is what one pass of a batch through the graph holds at its widest point. llama.cpp's
// allocator reuses what is no longer needed, so the size is that of the widest phase and not a sum. The phases below were
// read off 4 x n_ubatch x width at full offload and checked on the measured architectures of compute_sweep.csv (gguf-parser-go's
// sweep, MIT); `assay bench vram` prints what is left over. Widths are in elements of 4 bytes for each token of the batch.

// phase is the widest point of a graph.
type phase struct {
	width int64 // elements of each token
	what  string
}

// computed is the working memory of one card.
type computed struct {
	bytes int64
	why   string
	bound string // why it is a bound beyond the rule's own slack; "" when it is not
}

// inputsBytes is what positions, ids and the like take: 0.1 MiB measured at a batch of 512 (0.06 to 0.28 in the sweep).
func inputsBytes(ubatch int64) int64 { return 512 * ubatch }

// compute is the working memory of a resolved load on one card.
func (u rules) compute(m Model, l Load, k kv) computed {
	ub := int64(l.Physical)
	if m.Embedding == 0 {
		return computed{bytes: 1 << 30, why: "the width of the model is unknown, so 1 GiB is counted", bound: "the width of the model is unknown"}
	}
	if l.Flash == FlashOff {
		return u.computeScores(m, l, k, ub)
	}
	p := u.widest(m, l, k)
	n := product(4, ub, p.width) + inputsBytes(ub)
	mask, maskWhy := u.mask(m, l, k, ub)
	n += mask
	why := u.say("%s: 4 bytes x a batch of %d x %d; %s", p.what, ub, p.width, maskWhy)
	if v := u.vocabularyPhase(m, ub); v > n {
		n, why = v, u.say("this server reserves the scores of every token in the batch: 4 bytes x %d x (%d + a vocabulary of %d)", ub, m.Embedding, m.Vocabulary)
	}
	return u.scale(m, l, computed{bytes: n, why: why})
}

// scale adds what is known of other devices and servers beyond the rule.
func (u rules) scale(m Model, l Load, c computed) computed {
	switch {
	case u.engine:
		// The engine of GenerationEngine reserves up to 1.24 times the rule (gemma3:1b: 80 MiB where the rule has 64.6).
		c.bytes = c.bytes * 14 / 10
		c.why += "; x 1.4 for this server's own engine"
	case l.Backend != CUDA && l.Backend != Processor:
		// gpt-oss at 128k on Metal measured 15 % above the rule (case c069).
		c.bytes = c.bytes * 12 / 10
		c.why += "; x 1.2 on devices other than CUDA"
	}
	return c
}

// mask is the attention mask: 2 bytes for each token of the batch and cell since llama.cpp#23764 (May 2026), 4 + 2 before
// that; one for full layers and one for windowed ones. Split over cards, four copies are in flight (pipeline parallelism).
func (u rules) mask(m Model, l Load, k kv, ub int64) (int64, string) {
	if m.Encoder || k.cells.full == 0 || k.fullLayers+k.windowedLayers == 0 {
		n := product(u.maskBytes(), ub, ub) // every token against every other
		return n, u.say("a mask of %d x %d", ub, ub)
	}
	cells := k.cells.full
	if !oneCache(l) {
		cells /= int64(l.Parallel) // each sequence has its own cache, and its own part of the batch
	}
	if k.windowedLayers > 0 {
		w := k.cells.windowed
		if !oneCache(l) {
			w /= int64(l.Parallel)
		}
		cells += w
	}
	each := u.maskBytes()
	n := product(each, ub, cells)
	if l.Devices > 1 {
		n = 4 * (n + 2*4*ub*int64(m.Embedding)) // with what goes in and out of each card's share of the layers
	}
	return n, u.say("%d bytes x %d x %d cells of the attention mask", each, ub, cells)
}

func (u rules) maskBytes() int64 {
	if u.generation != GenerationServer || u.release.before(serverVersion{0, 30, 5}) {
		return 6
	}
	return 2
}

func oneCache(l Load) bool { return l.Parallel == 1 || l.Unified != nil && *l.Unified }

// vocabularyPhase is the output layer's: before llama.cpp#23861 (June 2026, Ollama 0.30.5) it was reserved for every token of
// the batch, exact at 300.75 MiB for qwen3-30b and 522.62 for gemma3-27b. The engine of GenerationEngine reserves one.
func (u rules) vocabularyPhase(m Model, ub int64) int64 {
	if m.Encoder || u.engine || u.generation == GenerationServer && !u.release.before(serverVersion{0, 30, 5}) {
		return 0
	}
	return 4*ub*int64(m.Embedding+m.Vocabulary) + inputsBytes(ub)
}

// widest is the widest phase with flash attention.
func (u rules) widest(m Model, l Load, k kv) phase {
	attention := u.attentionWidth(m, l, k)
	best := phase{attention, "attention"}
	consider := func(p phase) {
		if p.width > best.width {
			best = p
		}
	}
	e := int64(m.Embedding)
	forward := forwardWidth(m)
	if m.Parallel {
		beside := attention + e
		if m.Window > 0 {
			beside += e
		}
		if m.FusedQKV {
			beside -= fusedWidth(m)
		}
		consider(phase{forward + beside, "attention beside the feed-forward part"})
	} else {
		consider(phase{forward + 3*e + wideQueries(m), "the feed-forward part"})
	}
	if m.Experts > 0 {
		consider(phase{expertsWidth(m), "the experts"})
	}
	if w := recurrentWidth(m); w > 0 {
		consider(phase{w, "the recurrent layers"})
	}
	if m.Encoder && m.KVHeads != nil { // without a cache, keys and values are copied to 16 bits
		best.width += int64(widest(m.KVHeads)) * int64(m.KeyLength+m.ValueLength) / 2
	}
	// What is alive from the first layer to the last.
	best.width += int64(m.PerLayer)*int64(m.Layers) + int64(m.DeepStack)*e
	more, measured := moreWidths[m.Architecture]
	if !measured {
		more = 1
	}
	best.width += more * e
	return best
}

// moreWidths are the architectures whose working memory was measured (compute_sweep.csv), with what is alive in their graphs
// beyond the phases, in widths of the model. One that is not here gets 1: nobody has measured it.
var moreWidths = map[string]int64{
	"apertus": 0, "arcee": 0, "bailingmoe": 0, "bailingmoe2": 0, "bert": 0, "bitnet": 1, "chatglm": 0, "codeshell": 0, "cohere2": 0,
	"command-r": 0, "dbrx": 0, "deepseek": 0, "deepseek2": 0, "deepseek2-ocr": 0, "ernie4_5-moe": 0, "eurobert": 0, "exaone": 0,
	"exaone4": 0, "falcon": 0, "gemma2": 0, "gemma3": 0, "gemma4": 2, "gemma3n": 20, "granite": 0, "hunyuan-dense": 0, "internlm2": 0,
	"lfm2": 0, "llama-embed": 0, "llama4": 0, "mamba2": 0, "mistral4": 0, "mpt": 0, "nemotron": 0, "nemotron_h": 0,
	"nemotron_h_moe": 0, "neo-bert": 0, "nomic-bert": 0, "nomic-bert-moe": 0, "olmo": 0, "olmoe": 0, "orion": 0, "phi2": 0, "phi3": 0,
	"qwen": 0, "qwen2": 0, "qwen2vl": 0, "qwen25vl": 0, "qwen35": 0, "qwen35moe": 0, "qwen3moe": 0, "qwen3next": 0, "qwen3vl": 0, "qwen3vlmoe": 0,
	"rnd1": 0, "seed_oss": 0, "smallthinker": 0, "smollm3": 0, "stablelm": 0, "xverse": 0,
}

// wideQueries is the queries' width where it is more than the model's.
func wideQueries(m Model) int64 {
	if m.Encoder {
		return 0
	}
	return max(int64(m.Embedding), int64(m.Heads)*int64(m.KeyLength))
}

// forwardWidth is the dense feed-forward part: gate, up and their product, or one buffer for up alone.
func forwardWidth(m Model) int64 {
	if m.Experts > 0 && m.DenseLayers == 0 && m.Recurrent.Kind != "ssm" {
		return 0
	}
	if m.Ungated {
		return int64(m.FeedForward)
	}
	return 3 * int64(m.FeedForward)
}

// expertsWidth is a layer with experts: the used experts' gate, up and product, and their outputs, which need room of their
// own when they do not fit where gate and up were.
func expertsWidth(m Model) int64 {
	e, used := int64(m.Embedding), int64(m.ExpertsUsed)
	inner := used * int64(m.ExpertWidth)
	n := 3*inner + 3*e + wideQueries(m)
	room := 2 * inner
	if m.Ungated {
		n, room = inner+3*e+wideQueries(m), 0
	}
	if m.Encoder {
		n += max(e, int64(m.Heads)*int64(m.KeyLength))
	}
	if used*e > room {
		n += used * e
	}
	if shared := int64(m.SharedWidth); 2*shared > inner {
		n += shared
	}
	return n
}

// attentionWidth is queries in their four forms, the residual, and with a quantised cache the 16-bit copies that the kernel
// works on, spread over the batch: they do not grow with it.
func (u rules) attentionWidth(m Model, l Load, k kv) int64 {
	if m.Heads == 0 {
		return 4 * int64(m.Embedding)
	}
	e, heads := int64(m.Embedding), int64(m.Heads)
	ub := int64(l.Physical)
	if m.KVLoRARank > 0 && k.latent {
		latent := int64(m.KVLoRARank + m.RopeDimension)
		width := product(heads, 2*latent+int64(m.KVLoRARank)+int64(max(m.KeyLengthMLA, m.KeyLength/4)))
		return width + 3*e + e/2 + staging(l, product(k.cells.full, latent+int64(m.KVLoRARank)), ub)
	}
	var keys, stage int64
	for i := range m.Layers {
		keys = max(keys, heads*int64(max(m.keyLength(i), m.valueLength(i))))
		kvHeads := int64(0)
		if i < len(m.KVHeads) {
			kvHeads = int64(m.KVHeads[i])
		} else if m.KVHeads == nil {
			kvHeads = heads
		}
		row := kvHeads * int64(m.keyLength(i)+m.valueLength(i))
		cells := k.cells.full
		if m.windowed(i) {
			cells = k.cells.windowed
		}
		if !m.Encoder {
			stage = max(stage, product(cells, row))
		}
	}
	n := e + 3*keys + keys/2 + staging(l, stage, ub)
	if m.FusedQKV {
		n += fusedWidth(m)
	}
	if m.Recurrent.Kind == "delta" {
		n += keys // the query's gate
	}
	return n
}

// fusedWidth is queries, keys and values as they come from one matrix.
func fusedWidth(m Model) int64 {
	kvHeads := m.Heads
	if m.KVHeads != nil {
		kvHeads = widest(m.KVHeads)
	}
	return int64(m.Heads)*int64(m.KeyLength) + int64(kvHeads)*int64(m.KeyLength+m.ValueLength)
}

// staging is so many 16-bit elements as a width of 4-byte elements for each token of the batch; 0 without a quantised cache.
func staging(l Load, elements, ub int64) int64 {
	if !quantised(l.K) && !quantised(l.V) || ub == 0 {
		return 0
	}
	return (2*elements + 4*ub - 1) / (4 * ub)
}

// recurrentWidth is a recurrent layer: its projection, the convolution's input, output and state copies, and for linear
// attention queries, keys and values repeated for each head with the decay of chunks of 64.
func recurrentWidth(m Model) int64 {
	r := m.Recurrent
	e, inner := int64(m.Embedding), int64(r.Inner)
	mixed := inner + 2*int64(r.Groups)*int64(r.State)
	switch r.Kind {
	case "delta":
		heads := int64(or(r.Steps, r.Groups))
		return e + 2*mixed + 4*inner + 2*64*heads
	case "ssm":
		return 4*e + (mixed + inner + int64(r.Steps)) + 3*mixed
	case "conv":
		return 8 * e
	case "rwkv":
		return 3*int64(m.FeedForward) + 8*e
	}
	return 0
}

// computeScores is the working memory without flash attention: the whole score matrix of a batch against the context for
// every head. llama and qwen2 by the formulas of Ollama's GraphSize, exact on mainline logs (560.00, 164.00, 300.75 MiB);
// others by the same shape with the widest residual seen (phi3: 150.00 MiB at a batch of 256).
func (u rules) computeScores(m Model, l Load, k kv, ub int64) computed {
	e, heads, v := int64(m.Embedding), int64(m.Heads), int64(m.Vocabulary)
	cells := k.cells.full
	if !oneCache(l) {
		cells /= int64(l.Parallel)
		ub = pad(ub, int64(l.Parallel)) // each sequence gets the same share of a batch (gemma2 x 3 in the bench "allocated")
	}
	if m.Encoder || k.fullLayers+k.windowedLayers == 0 && m.Heads > 0 {
		cells = ub
	}
	if k.fullLayers == 0 && k.windowedLayers > 0 {
		cells = k.cells.windowed
	}
	rest := 7 * e
	switch m.Architecture {
	case "llama", "llama4", "mistral3":
		rest = 1 + 4*e
	case "qwen2":
		rest = 1 + 2*e
	}
	if m.KeyLength*m.Heads > m.Embedding {
		rest += 2 * int64(m.KeyLength*m.Heads)
	}
	if k.fullLayers > 0 && k.windowedLayers > 0 { // a mask of their own (gemma2 in the bench "allocated")
		w := k.cells.windowed
		if !oneCache(l) {
			w /= int64(l.Parallel)
		}
		rest += w
	}
	width := product(cells, 1+heads) + rest
	what := u.say("without flash attention every head's scores of a batch against the context are stored: 4 bytes x %d x (%d cells x %d + %d)", ub, cells, 1+heads, rest)
	if p := u.widest(m, l, k); p.width > width {
		width, what = p.width, u.say("%s: 4 bytes x a batch of %d x %d", p.what, ub, p.width)
	}
	n := product(4, ub, width)
	if w := 4 * ub * (e + v); w > n && u.vocabularyPhase(m, ub) > 0 {
		n, what = w, u.say("this server reserves the scores of every token in the batch: 4 bytes x %d x (%d + a vocabulary of %d)", ub, e, v)
	}
	c := computed{bytes: n + inputsBytes(ub), why: what}
	if l.Devices > 1 {
		c.bytes += 3 * 4 * ub * cells // copies of the mask in flight
	}
	return u.scale(m, l, c)
}

// staged is what a layer that runs from main memory adds on the card: its weights are copied there for a large batch, and its
// cache with them (sweep: 97 against 81 MiB for qwen2.5-3b, 1123 against 76 for a nemotron with experts).
func (u rules) staged(m Model, l Load, k kv) int64 {
	n := m.Weights.largest()
	if n == 0 && m.Layers > 0 {
		n = m.Weights.Card() / int64(m.Layers)
	}
	largest := int64(0)
	for _, b := range k.perLayer {
		largest = max(largest, b)
	}
	return n + 2*largest
}

// graphSize is the working memory that GenerationOld and GenerationEngine reckon with when they place the layers of a model
// that their own engine does not run. It has no term for flash attention, so it is far above what is used: it decides how
// many layers go to the card, not how much they take. Source: GraphSize in fs/ggml/ggml.go of Ollama 0.17.4.
func (u rules) graphSize(m Model, l Load, k kv) int64 {
	b, e, h, v := int64(l.Batch), int64(m.Embedding), int64(m.Heads), int64(m.Vocabulary)
	b4 := 4 * b
	c := int64(l.Context) * int64(l.Parallel)
	hk := int64(m.KeyLength)
	kvWidest := int64(widest(m.KVHeads))
	output := product(b4, e+v)
	switch m.Architecture {
	case "llama", "llama4":
		return max(product(b4, 1+4*e+product(c, 1+h)), output)
	case "qwen2":
		return max(output, product(b4, 1+2*e+product(c, 1+h)))
	case "gemma", "gemma2", "gemma3":
		return max(output, product(b4, 2+product(c, 1+h)+2*e+2*product(hk, h)))
	case "command-r":
		return max(output, product(b4, 2+4*e+product(c, 1+h)))
	case "phi2":
		return max(output, product(b4, 1+4*e+product(c, 1+h)))
	case "stablelm":
		return product(b4, product(c, 1+h)+3*e+2)
	case "deepseek2":
		return max(product(b4, 3*e+v), product(b4, 3*e+2+product(c, 1+kvWidest)+2*product(hk, kvWidest)))
	case "chatglm":
		return max(output, product(b4, 2+2*e+product(c, 1+h)+2*product(hk, h)+2*product(hk, kvWidest)))
	}
	return product(max(h/max(kvWidest, 1), 1), k.full+k.windowed) / 6
}
