package gpu

import "fmt"

// mixture is the number format that a quantisation gives to a tensor. Source: llama_tensor_get_type in llama-quant.cpp,
// llama.cpp, which the server's own files follow.
type mixture struct{ base, output, more, attention string }

// mixtures: base for most matrices; output for the output layer (and the embedding it shares); more for half of the value and
// down matrices; attention for fused queries, keys and values.
var mixtures = map[string]mixture{
	"F32": {"F32", "F32", "F32", "F32"}, "F16": {"F16", "F16", "F16", "F16"}, "BF16": {"BF16", "BF16", "BF16", "BF16"},
	"Q8_0": {"Q8_0", "Q8_0", "Q8_0", "Q8_0"}, "Q6_K": {"Q6_K", "Q6_K", "Q6_K", "Q6_K"},
	"Q5_K_M": {"Q5_K", "Q6_K", "Q6_K", "Q6_K"}, "Q5_K_S": {"Q5_K", "Q6_K", "Q5_K", "Q5_K"},
	"Q4_K_M": {"Q4_K", "Q6_K", "Q6_K", "Q5_K"}, "Q4_K_S": {"Q4_K", "Q6_K", "Q4_K", "Q4_K"},
	"Q5_0": {"Q5_0", "Q6_K", "Q5_0", "Q5_0"}, "Q5_1": {"Q5_1", "Q6_K", "Q5_1", "Q5_1"},
	"Q4_0": {"Q4_0", "Q6_K", "Q4_0", "Q4_0"}, "Q4_1": {"Q4_1", "Q6_K", "Q4_1", "Q4_1"},
	"Q3_K_M": {"Q3_K", "Q6_K", "Q4_K", "Q4_K"}, "Q2_K": {"Q2_K", "Q6_K", "Q3_K", "Q3_K"},
	"Q3_K_S": {"Q3_K", "Q6_K", "Q3_K", "Q3_K"}, "Q3_K_L": {"Q3_K", "Q6_K", "Q5_K", "Q4_K"}, "Q2_K_S": {"Q2_K", "Q6_K", "Q2_K", "Q2_K"},
	"IQ4_XS": {"IQ4_XS", "Q6_K", "Q5_K", "IQ4_XS"}, "IQ4_NL": {"IQ4_NL", "Q6_K", "Q5_K", "IQ4_NL"},
	"IQ3_M": {"IQ3_S", "Q6_K", "Q4_K", "Q4_K"}, "IQ3_S": {"IQ3_S", "Q6_K", "IQ3_S", "IQ3_S"}, "IQ3_XXS": {"IQ3_XXS", "Q5_K", "Q3_K", "IQ3_XXS"},
	"IQ2_M": {"IQ2_S", "Q5_K", "Q4_K", "IQ3_S"}, "IQ2_XXS": {"IQ2_XXS", "Q5_K", "Q4_K", "IQ2_XXS"}, "IQ1_M": {"IQ1_M", "Q5_K", "Q2_K", "IQ2_XXS"},
	"IQ1_S": {"IQ1_S", "Q5_K", "Q2_K", "IQ2_XXS"}, "TQ2_0": {"TQ2_0", "Q6_K", "TQ2_0", "TQ2_0"}, "TQ1_0": {"TQ1_0", "Q6_K", "TQ1_0", "TQ1_0"},
	"MXFP4": {"BF16", "BF16", "BF16", "BF16"},
}

// shaped is a matrix of a layer.
type shaped struct {
	rows, columns int64 // columns is the input's width
	count         int64 // of experts; 1 for others
	role          string
}

// Quantisations are the names that [Known] takes at the end of a tag.
func Quantisations() []string {
	return []string{"F16", "BF16", "Q8_0", "Q6_K", "Q5_K_M", "Q5_K_S", "Q5_0", "Q4_K_M", "Q4_K_S", "Q4_0", "Q3_K_M", "Q2_K", "MXFP4"}
}

// weights computes the sizes from the shapes.
func (e Entry) weights(m Model, quantisation string) Weights {
	mix, ok := mixtures[quantisation]
	if !ok {
		return Weights{}
	}
	w := Weights{Tied: e.Tied, Layers: make([]int64, e.Layers),
		Source: fmt.Sprintf("computed from the shapes for %s; a file may differ by a few per cent", quantisation)}
	size := func(format string, columns, rows int64) int64 {
		n, _ := tensorBytes(whole(format, columns), []int64{columns, rows})
		return n
	}
	emb, vocab := int64(e.Embedding), int64(e.Vocabulary)
	format := mix.base
	if e.Tied {
		format = mix.output // the embedding is the output layer
	}
	w.Input = size(format, emb, vocab) + 4*emb*int64(e.Positions)
	switch {
	case e.Tied:
		w.Output = size(format, emb, vocab)
	case !m.Encoder || m.Architecture == "rnd1":
		w.Output = size(mix.output, emb, vocab)
	}
	w.Output += 4 * emb
	if e.PerLayer > 0 {
		wide := int64(e.PerLayer) * int64(e.Layers)
		w.Rest = size("F16", wide, vocab) + size(mix.base, emb, wide) // the library keeps these embeddings at 16 bits
	}
	for i := range w.Layers {
		n := 4 * 4 * emb // norms and scales
		if isGPTOSS(m) {
			n += 4 * int64(e.Experts) * (2*int64(e.ExpertWidth) + emb) // biases
		}
		for _, s := range e.layer(m, i) {
			n += s.count * size(e.format(m, mix, quantisation, s, i), s.columns, s.rows)
		}
		w.Layers[i] = n
	}
	return w
}

// format is the number format of a matrix. Beside llama.cpp's own mixture: the server's library keeps the values of qwen3 at
// 16 bits, and its own quantisation keeps the down matrices of linear-attention models with experts better and the matrices of
// MLA at 8 bits (server/quantization.go of Ollama 0.17.4).
func (e Entry) format(m Model, mix mixture, quantisation string, s shaped, layer int) string {
	experts := s.count > 1
	switch {
	case s.role == "router":
		return "F32"
	case experts && quantisation == "MXFP4":
		return "MXFP4"
	case s.role == "qkv" && m.Recurrent.Kind != "delta":
		return mix.attention
	case s.role == "value" && e.Arch == "qwen3" && quantisation == "Q4_K_M":
		return "F16"
	case s.role == "value" && e.Experts == 8 && mix.more == "Q6_K":
		return "Q8_0"
	case s.role == "mla" && mix.base == "Q4_K":
		return "Q8_0"
	case (s.role == "value" || s.role == "down") && m.Recurrent.Kind == "delta" && e.Experts > 0:
		return mix.more
	case (s.role == "value" || s.role == "down") && moreBits(layer, e.Layers):
		return mix.more
	}
	return mix.base
}

// moreBits is which layers' value and down matrices are stored better: the first and last eighth and every third between.
func moreBits(i, n int) bool { return i < n/8 || i >= 7*n/8 || (i-n/8)%3 == 2 }

// whole is the format, or the one llama.cpp falls back to when rows are not made of whole blocks of 256.
func whole(format string, columns int64) string {
	b := tensorBlocks[format]
	if columns%b.elements == 0 {
		return format
	}
	fallback := map[string]string{"Q2_K": "Q4_0", "Q3_K": "Q4_0", "Q4_K": "Q5_0", "Q5_K": "Q5_1", "Q6_K": "Q8_0"}[format]
	if fallback == "" || columns%tensorBlocks[fallback].elements != 0 {
		return "F16"
	}
	return fallback
}

// layer lists a layer's matrices.
func (e Entry) layer(m Model, i int) []shaped {
	emb := int64(e.Embedding)
	var out []shaped
	add := func(role string, columns, rows int64) { out = append(out, shaped{rows, columns, 1, role}) }
	recurrent := i < len(m.Recurrent.Layers) && m.Recurrent.Layers[i]
	hasAttention := i < len(m.KVHeads) && m.KVHeads[i] > 0
	if hasAttention {
		e.attention(m, i, add)
	}
	if recurrent {
		inner, mixed := int64(e.Inner), int64(e.Inner)+2*int64(e.Groups)*int64(e.State)
		switch e.Kind {
		case "mamba2":
			add("", emb, inner+mixed+int64(e.Steps))
		case "conv":
			inner, mixed = emb, 0
			add("", emb, 3*emb)
		default:
			add("qkv", emb, mixed)
			add("", emb, inner)
			add("", emb, 2*int64(e.Steps))
		}
		add("", inner, emb)
		if mixed > 0 {
			add("router", int64(max(e.Conv, 1)), mixed)
		}
	}
	if e.Kind == "mamba2" && (recurrent || hasAttention) || e.FeedForward == 0 && e.Experts == 0 {
		return out // such a layer has no feed-forward part
	}
	ff := func(width int64, count int64, role string) {
		n := 2
		if m.Ungated {
			n = 1
		}
		for range n {
			out = append(out, shaped{width, emb, count, role})
		}
		out = append(out, shaped{emb, width, count, "down"})
	}
	dense := e.Experts == 0 || i < e.DenseLayers
	wide := int64(e.FeedForward)
	if e.WideShared && i >= e.Layers-e.SharedKV {
		wide *= 2
	}
	if e.Arch == "nomic-bert-moe" {
		dense = i%2 == 0
	}
	if dense {
		ff(wide, 1, "")
		return out
	}
	add("router", emb, int64(e.Experts))
	ff(int64(e.ExpertWidth), int64(e.Experts), "expert")
	if e.SharedWidth > 0 {
		ff(int64(e.SharedWidth), 1, "")
	}
	return out
}

func (e Entry) attention(m Model, i int, add func(role string, columns, rows int64)) {
	emb, heads, kv := int64(e.Embedding), int64(e.Heads), int64(m.KVHeads[i])
	k, v := int64(m.keyLength(i)), int64(m.valueLength(i))
	if e.KVLoRARank > 0 {
		lora, rope := int64(e.KVLoRARank), int64(e.RopeDim)
		if e.QLoRARank > 0 {
			add("mla", emb, int64(e.QLoRARank))
			add("mla", int64(e.QLoRARank), heads*k)
		} else {
			add("", emb, heads*k)
		}
		add("mla", emb, lora+rope)
		add("mla", lora, heads*(int64(e.Nope)+v))
		add("", heads*v, emb)
		return
	}
	queries := heads * k
	if m.Recurrent.Kind == "delta" {
		queries *= 2 // with a gate
	}
	if m.FusedQKV {
		add("qkv", emb, queries+kv*(k+v))
	} else {
		add("", emb, queries)
		add("", emb, kv*k)
		if !e.KIsV || m.windowed(i) {
			add("value", emb, kv*v)
		}
	}
	add("", heads*v, emb)
	if e.PerLayer > 0 {
		add("", emb, int64(e.PerLayer))
		add("", int64(e.PerLayer), emb)
	}
}

// parameters counts the elements of the matrices.
func (e Entry) parameters() int64 {
	m := e.Model("F32")
	n := int64(e.Vocabulary)*int64(e.Embedding) + int64(e.Positions)*int64(e.Embedding)
	if !e.Tied && (!m.Encoder || m.Architecture == "rnd1") {
		n += int64(e.Vocabulary) * int64(e.Embedding)
	}
	n += int64(e.PerLayer) * int64(e.Layers) * int64(e.Vocabulary+e.Embedding)
	for i := range e.Layers {
		for _, s := range e.layer(m, i) {
			n += s.rows * s.columns * s.count
		}
	}
	return n
}
