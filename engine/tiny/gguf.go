// Package tiny makes language models by code: small files whose weights are noise, which a real server loads as any other.
// They stand for models where what counts is the server: tests, and the bench that measures what a load takes.
//
// Start at [Model.GGUF]. families.go has the architectures.
package tiny

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand"
)

// Model is the shape of a model whose weights are noise. Its words mean nothing; all else about it is real: a server loads,
// counts, constrains, cuts and unloads it as any other. The zero value is a llama of two layers with a window of 8192 tokens,
// half a megabyte long.
type Model struct {
	Arch      string // general.architecture, one of [Architectures]; if empty, "llama"
	Layers    int    // if zero, 2
	Embedding int    // if zero, 64
	Heads     int    // if zero, 4
	KVHeads   int    // if zero, 2
	Forward   int    // if zero, 128
	Context   int    // tokens; if zero, 8192
	Window    int    // tokens that a windowed layer sees, where the architecture has such layers; if zero, 512
	Seed      int64  // of the weights; if zero, 1
	Embeds    bool   // it says that it gives vectors, the mean of a text's, and does not chat
}

// head is the length of one head's keys, and of its values.
func (m Model) head() int { return m.Embedding / m.Heads }

// GGUF returns the model as a file: GGUF version 3, little endian, weights in 32-bit floats, with a vocabulary that has a
// token for every byte, so that any text can be read and about one token is a byte.
func (m Model) GGUF() []byte {
	orInt(&m.Layers, 2)
	orInt(&m.Embedding, 64)
	orInt(&m.Heads, 4)
	orInt(&m.KVHeads, 2)
	orInt(&m.Forward, 128)
	orInt(&m.Context, 8192)
	orInt(&m.Window, 512)
	if m.Arch == "" {
		m.Arch = "llama"
	}
	if m.Seed == 0 {
		m.Seed = 1
	}
	tokens, scores, types := vocabulary()
	w := &ggufWriter{}
	f, ok := families[m.Arch]
	if !ok {
		panic(fmt.Sprintf("no tiny model of architecture %q: one of %v", m.Arch, Architectures()))
	}
	tensors := m.tensors(f, uint64(len(tokens)))
	meta := []entry{
		{"general.architecture", m.Arch}, {"general.name", "tiny"}, {"general.file_type", uint32(0)},
		{m.Arch + ".context_length", uint32(m.Context)},
		{m.Arch + ".embedding_length", uint32(m.Embedding)},
		{m.Arch + ".block_count", uint32(m.Layers)},
		{m.Arch + ".feed_forward_length", uint32(m.Forward)},
		{m.Arch + ".attention.head_count", uint32(m.Heads)},
		{m.Arch + ".attention.head_count_kv", uint32(m.KVHeads)},
		{m.Arch + ".rope.dimension_count", uint32(m.head())},
		{m.Arch + ".rope.freq_base", float32(10000)},
		{m.Arch + ".attention.layer_norm_rms_epsilon", float32(1e-5)},
		{m.Arch + ".vocab_size", uint32(len(tokens))},
		{"tokenizer.ggml.model", "llama"},
		{"tokenizer.ggml.tokens", tokens}, {"tokenizer.ggml.scores", scores}, {"tokenizer.ggml.token_type", types},
		{"tokenizer.ggml.bos_token_id", uint32(1)}, {"tokenizer.ggml.eos_token_id", uint32(2)}, {"tokenizer.ggml.unknown_token_id", uint32(0)},
	}
	for _, e := range f.meta(m) {
		meta = append(meta, entry{m.Arch + "." + e.key, e.value})
	}
	if m.Embeds {
		meta = append(meta, entry{m.Arch + ".pooling_type", uint32(1)})
	}
	w.WriteString("GGUF")
	w.put(uint32(3), uint64(len(tensors)), uint64(len(meta)))
	for _, e := range meta {
		w.text(e.key)
		w.value(e.value)
	}
	offset := uint64(0)
	for _, t := range tensors {
		w.text(t.name)
		w.put(uint32(len(t.dims)), t.dims, uint32(0), offset)
		offset += (t.size()*4 + 31) / 32 * 32
	}
	w.align()
	random := rand.New(rand.NewSource(m.Seed))
	for _, t := range tensors {
		spread := 0.8 / math.Sqrt(float64(t.dims[0]))
		for range t.size() {
			x := float32(1)
			if !t.ones {
				x = float32(random.NormFloat64() * spread)
			}
			w.float(x)
		}
		w.align()
	}
	return w.Bytes()
}

// entry is a key of a file's head and its value.
type entry struct {
	key   string
	value any
}

func orInt(v *int, to int) {
	if *v == 0 {
		*v = to
	}
}

// vocabulary has three control tokens, the 256 bytes, the printable characters, and a few pieces of words.
func vocabulary() (tokens []string, scores []float32, types []int32) {
	const normal, unknown, controlToken, byteToken = 1, 2, 3, 6 // token types of the format
	add := func(text string, score float32, kind int32) {
		tokens, scores, types = append(tokens, text), append(scores, score), append(types, kind)
	}
	add("<unk>", 0, unknown)
	add("<s>", 0, controlToken)
	add("</s>", 0, controlToken)
	for b := range 256 {
		add(fmt.Sprintf("<0x%02X>", b), 0, byteToken)
	}
	for c := ' '; c <= '~'; c++ {
		text := string(c)
		if c == ' ' {
			text = "▁" // how this kind of vocabulary writes a space
		}
		add(text, -float32(c), normal)
	}
	for i, piece := range []string{"▁the", "▁of", "▁and", "▁to", "▁a", "▁in", "ing", "er", "on", "an", "th", "he"} {
		add(piece, -float32(i), normal)
	}
	return tokens, scores, types
}

// ggufWriter writes the parts of the format.
type ggufWriter struct{ bytes.Buffer }

func (w *ggufWriter) put(values ...any) {
	for _, v := range values {
		// Writing fixed-size values to a buffer does not fail.
		_ = binary.Write(w, binary.LittleEndian, v)
	}
}

// float writes one weight; there are millions, and put is slow.
func (w *ggufWriter) float(x float32) {
	w.Write(binary.LittleEndian.AppendUint32(w.AvailableBuffer(), math.Float32bits(x)))
}

func (w *ggufWriter) text(s string) {
	w.put(uint64(len(s)))
	w.WriteString(s)
}

// value writes the number of a type and a value of it.
func (w *ggufWriter) value(v any) {
	const typeU32, typeI32, typeF32, typeString, typeArray = 4, 5, 6, 8, 9
	switch v := v.(type) {
	case uint32:
		w.put(uint32(typeU32), v)
	case float32:
		w.put(uint32(typeF32), v)
	case string:
		w.put(uint32(typeString))
		w.text(v)
	case []string:
		w.put(uint32(typeArray), uint32(typeString), uint64(len(v)))
		for _, s := range v {
			w.text(s)
		}
	case []float32:
		w.put(uint32(typeArray), uint32(typeF32), uint64(len(v)), v)
	case []int32:
		w.put(uint32(typeArray), uint32(typeI32), uint64(len(v)), v)
	}
}

func (w *ggufWriter) align() {
	for w.Len()%32 != 0 {
		w.WriteByte(0)
	}
}
