package gpu

import "math/bits"

// The bounds of what a load may ask and a file may say, and of any one size. With them no sum or product overflows.
const (
	maxContext  = 1 << 26 // tokens
	maxParallel = 1 << 10
	maxTotal    = 1 << 30 // tokens of all sequences
	maxBatch    = 1 << 20 // tokens
	maxPart     = 1 << 48 // bytes of a part
	maxLayers   = 1 << 11
	maxWidth    = 1 << 24 // of any vector
	maxHeads    = 1 << 14
)

// block is a number format of ggml: so many bytes hold so many elements. Source: ggml-common.h and ggml.c of llama.cpp.
type block struct{ elements, bytes int64 }

// kvBlocks are the formats of a cache.
var kvBlocks = map[KVType]block{
	F32: {1, 4}, F16: {1, 2}, BF16: {1, 2}, Q8: {32, 34}, Q51: {32, 24}, Q5: {32, 22}, Q41: {32, 20}, Q4: {32, 18},
}

// product multiplies what is not negative and stops at maxPart.
func product(factors ...int64) int64 {
	n := int64(1)
	for _, f := range factors {
		hi, lo := bits.Mul64(uint64(n), uint64(max(f, 0)))
		if hi != 0 || lo > maxPart {
			n = maxPart
			continue
		}
		n = int64(lo)
	}
	return n
}

// KnownKV says whether a cache format's size is known.
func KnownKV(t KVType) bool { _, ok := kvBlocks[t]; return ok }

func quantised(t KVType) bool { b, ok := kvBlocks[t]; return ok && b.elements > 1 }

// rowBytes is the size of so many elements in a row; a row is made of whole blocks.
func rowBytes(t KVType, elements int64) int64 {
	b, ok := kvBlocks[t]
	if !ok {
		b = kvBlocks[F32] // an unknown format is counted as the largest
	}
	return (elements + b.elements - 1) / b.elements * b.bytes
}

func pad(n, to int64) int64 { return (n + to - 1) / to * to }

// cells are how many tokens a layer's cache holds, for all sequences together.
type cells struct {
	full, windowed int64
	whyWindowed    string
}

// cells counts the cache cells of a resolved load.
//
// Full layers hold num_ctx x parallel, padded (256; 32 without flash attention in the llama.cpp of Ollama before 0.13.2). Windowed layers:
// llama.cpp keeps min(context, window + n_ubatch padded to 256) for each sequence, and with one cache for all
// window x parallel + n_ubatch (src/llama-kv-cache-iswa.cpp); the engine of GenerationEngine keeps parallel x window +
// batch, or 4096 instead of the window for gpt-oss and gemma4 (kvcache/causal.go of Ollama 0.17.4); its llama runner keeps everything,
// because it leaves swa_full at its default.
func (u rules) cells(m Model, l Load) cells {
	parallel, batch, ubatch := int64(l.Parallel), int64(l.Batch), int64(l.Physical)
	padding := int64(256)
	if !u.engine && l.Flash == FlashOff && u.release.before(serverVersion{0, 13, 2}) {
		padding = 32
	}
	unified := l.Unified != nil && *l.Unified
	stream := int64(l.Context)
	streams := parallel
	switch {
	case unified || u.engine:
		stream, streams = stream*parallel, 1
	}
	stream = pad(stream, padding)
	full := stream * streams
	out := cells{full: full, windowed: full}
	if m.Window <= 0 || m.Windowed == nil {
		return out
	}
	window := int64(m.Window)
	switch {
	case u.engine:
		keep := window
		if isGPTOSS(m) || m.Architecture == "gemma4" {
			keep = 4096
		}
		if parallel > 1 {
			keep = max(keep, window+1)
		}
		if keep < int64(l.Context) {
			out.windowed = pad(parallel*keep+batch, 256)
			out.whyWindowed = u.say("%s x %s + a batch of %d", plural(parallel, "sequence"), plural(keep, "token"), batch)
		}
	case u.generation == GenerationServer || l.Unified != nil:
		seen := window
		if unified {
			seen = window * parallel
		}
		out.windowed = pad(min(stream, seen+ubatch), 256) * streams
		if seen+ubatch < stream {
			out.whyWindowed = u.say("a window of %d + a batch of %d", seen, ubatch)
			if streams > 1 {
				out.whyWindowed += u.say(" for each of %s", plural(streams, "sequence"))
			}
		}
	default:
		out.whyWindowed = "this server keeps the whole context for windowed layers too"
	}
	return out
}

// kv is the cache by kind of layer, in bytes.
type kv struct {
	full, windowed             int64
	fullLayers, windowedLayers int
	cells                      cells
	latent                     bool   // the cache of an MLA model in its short form
	form                       string // which, in words
	bound                      string // why it is a bound; "" when it is exact
	windowedBound              string
	perLayer                   []int64 // len = m.Layers
}

// cache computes the key-value cache of a resolved load: the sum over layers of cells x kv heads x (key length x bytes of a
// key element + value length x bytes of a value element). Verified against 153 logged caches (GPU.md, section 2).
func (u rules) cache(m Model, l Load) kv {
	out := kv{cells: u.cells(m, l), perLayer: make([]int64, m.Layers)}
	if m.Encoder && (u.generation == GenerationServer || u.engine) {
		return out
	}
	last := m.Layers - m.SharedKV
	heads := m.KVHeads
	if heads == nil && (m.Recurrent.Layers == nil || m.Heads > 0) {
		heads = m.boundHeads()
		out.bound = "the number of key-value heads is unknown, so that of the query heads is used"
	}
	mlaRow, form := u.latent(m, l)
	out.latent, out.form = mlaRow > 0, form
	valueMax := int64(0)
	if l.Flash == FlashOff && !u.engine && u.generation != GenerationOld {
		for i := range last { // without flash attention llama.cpp pads all values to the widest layer's
			if i < len(heads) {
				valueMax = max(valueMax, product(int64(heads[i]), int64(m.valueLength(i))))
			}
		}
	}
	windowedKV := u.windowedKV(m, l, &out)
	for i := range max(last, 0) {
		if i >= len(heads) || heads[i] == 0 {
			continue
		}
		n := out.cells.full
		k, v := l.K, l.V
		windowed := m.windowed(i)
		if windowed {
			n, k, v = out.cells.windowed, windowedKV.k, windowedKV.v
		}
		var size int64
		if out.latent {
			size = product(n, mlaRow)
		} else {
			keys := product(int64(heads[i]), int64(m.keyLength(i)))
			values := max(product(int64(heads[i]), int64(m.valueLength(i))), valueMax)
			size = product(n, rowBytes(k, keys)+rowBytes(v, values))
		}
		out.perLayer[i] = size
		if windowed {
			out.windowed += size
			out.windowedLayers++
		} else {
			out.full += size
			out.fullLayers++
		}
	}
	return out
}

type kvPair struct{ k, v KVType }

// windowedKV is the format of the windowed layers' cache. From llama.cpp#21277 (April 2026) a quantised cache keeps them at
// f16, yet logs of August 2026 show them quantised: builds differ, so f16 is counted unless the load says what a log says.
func (u rules) windowedKV(m Model, l Load, out *kv) kvPair {
	if l.Windowed != "" {
		return kvPair{l.Windowed, l.Windowed}
	}
	if u.generation == GenerationServer && m.Windowed != nil && (quantised(l.K) || quantised(l.V)) {
		out.windowedBound = "some builds keep the windowed part at f16 when the cache is quantised, so it is counted at f16"
		return kvPair{F16, F16}
	}
	return kvPair{l.K, l.V}
}

// latent is the size of one token in one layer of an MLA cache and the form in words; 0 for other models. Sources: GPU.md
// section 2.6; kvcache of Ollama 0.17.4 stores the value part a second time; current llama.cpp does not.
func (u rules) latent(m Model, l Load) (int64, string) {
	if m.KVLoRARank == 0 {
		return 0, ""
	}
	form := l.Latent
	if form == "" {
		switch {
		case m.KeyLengthMLA == 0 || m.ValueLengthMLA == 0:
			return 0, "" // a file that predates the short form: every head's keys and values
		case u.generation == GenerationServer:
			form = LatentAbsorbed
		default:
			form = LatentValues
		}
	}
	if form == LatentUnfolded {
		return 0, ""
	}
	row := rowBytes(l.K, int64(m.KVLoRARank+m.RopeDimension))
	if form == LatentValues {
		return row + rowBytes(l.V, int64(m.KVLoRARank)), u.say("%d + %d elements a token and layer, the %d a second time as values", m.KVLoRARank, m.RopeDimension, m.KVLoRARank)
	}
	return row, u.say("%d + %d elements a token and layer, values included", m.KVLoRARank, m.RopeDimension)
}

// recurrent is the state of the recurrent layers in bytes, and how many copies are kept. From 0.17.1 the engine of GenerationEngine keeps
// 24 earlier states a sequence to go back to (DefaultCheckpointCount, kvcache/recurrent.go of Ollama 0.17.4).
func (u rules) recurrent(m Model, l Load) (size, copies int64, layers int) {
	for _, r := range m.Recurrent.Layers {
		if r {
			layers++
		}
	}
	copies = int64(l.Parallel)
	if u.engine && !u.release.before(serverVersion{0, 17, 1}) {
		copies *= 1 + 24
	}
	return product(m.Recurrent.Elements, 4, int64(layers), copies), copies, layers
}

func (m Model) windowed(layer int) bool {
	return m.Window > 0 && layer < len(m.Windowed) && m.Windowed[layer]
}

func (m Model) keyLength(layer int) int {
	if m.windowed(layer) && m.KeyLengthSWA > 0 {
		return m.KeyLengthSWA
	}
	return m.KeyLength
}

func (m Model) valueLength(layer int) int {
	if m.windowed(layer) && m.ValueLengthSWA > 0 {
		return m.ValueLengthSWA
	}
	return m.ValueLength
}

// boundHeads is the most key-value heads there can be: as many as query heads, on every layer.
func (m Model) boundHeads() []int {
	out := make([]int, m.Layers)
	for i := range out {
		out[i] = m.Heads
	}
	return out
}
