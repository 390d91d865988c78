package gpu

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// tensorBlocks are ggml's number formats. Source: ggml-common.h and the type table of ggml.c, llama.cpp; the names are those
// /api/show prints.
var tensorBlocks = map[string]block{
	"F64": {1, 8}, "F32": {1, 4}, "F16": {1, 2}, "BF16": {1, 2}, "I8": {1, 1}, "I16": {1, 2}, "I32": {1, 4}, "I64": {1, 8},
	"Q1_0": {128, 18}, "Q4_0": {32, 18}, "Q4_1": {32, 20}, "Q5_0": {32, 22}, "Q5_1": {32, 24}, "Q8_0": {32, 34}, "Q8_1": {32, 36},
	"Q2_K": {256, 84}, "Q3_K": {256, 110}, "Q4_K": {256, 144}, "Q5_K": {256, 176}, "Q6_K": {256, 210}, "Q8_K": {256, 292},
	"IQ1_S": {256, 50}, "IQ1_M": {256, 56}, "IQ2_XXS": {256, 66}, "IQ2_XS": {256, 74}, "IQ2_S": {256, 82},
	"IQ3_XXS": {256, 98}, "IQ3_S": {256, 110}, "IQ4_NL": {32, 18}, "IQ4_XS": {256, 136},
	"TQ1_0": {256, 54}, "TQ2_0": {256, 66}, "MXFP4": {32, 17}, "NVFP4": {64, 36},
}

// maxTensorBytes bounds one tensor: no file of a model is larger than that.
const maxTensorBytes = maxPart

// tensorBytes is the size of a tensor: the product of its shape in whole blocks a row. The error is a clause; with it the size is
// a bound where there is one (an unknown format, a shape beyond all bounds) and 0 where there is none.
func tensorBytes(format string, shape []int64) (int64, error) {
	b, ok := tensorBlocks[strings.ToUpper(format)]
	unknown := !ok
	if unknown {
		b = tensorBlocks["F32"] // nothing stored is wider
	}
	if len(shape) == 0 || len(shape) > 8 {
		return 0, fmt.Errorf("a shape of %d dimensions", len(shape))
	}
	n := uint64(1)
	for i, d := range shape {
		if d <= 0 {
			return 0, fmt.Errorf("a dimension of %d", d)
		}
		v := uint64(d)
		if i == 0 {
			v = (v + uint64(b.elements) - 1) / uint64(b.elements)
		}
		hi, lo := bits.Mul64(n, v)
		if hi != 0 || lo > maxTensorBytes {
			return maxTensorBytes, fmt.Errorf("a shape of more than %d bytes", int64(maxTensorBytes))
		}
		n = lo
	}
	hi, lo := bits.Mul64(n, uint64(b.bytes))
	if hi != 0 || lo > maxTensorBytes {
		return maxTensorBytes, fmt.Errorf("a shape of more than %d bytes", int64(maxTensorBytes))
	}
	if unknown {
		return int64(lo), fmt.Errorf("the number format %q", format)
	}
	return int64(lo), nil
}

// A tensor is one stored array, as /api/show lists it: the shape's first dimension is the row.
type tensor struct {
	Name  string  `json:"name"`
	Type  string  `json:"type"`
	Shape []int64 `json:"shape"`
}

// maxTensors bounds a list; the largest known model has about 2000.
const maxTensors = 1 << 16

// weigh sorts tensors by where they are loaded and sums them. missing says in words what could not be counted exactly.
//
// llama.cpp keeps token, position and type embeddings in main memory (they are looked up, not multiplied) and loads the
// token embedding onto the card once more when there is no output layer. Verified: bge-small's 23.11 MiB on the processor
// and command-r's 1640.62 MiB are exactly these (cases c079 and c035).
func weigh(tensors []tensor, layers int) (w Weights, missing []string) {
	w.Exact = true
	if len(tensors) > maxTensors {
		tensors = tensors[:maxTensors]
		w.Exact = false
		missing = append(missing, fmt.Sprintf("tensors after the first %d", maxTensors))
	}
	if layers > 0 {
		w.Layers = make([]int64, min(layers, maxLayers))
	}
	var embedding int64
	hasOutput, odd := false, 0
	for _, t := range tensors {
		size, err := tensorBytes(t.Type, t.Shape)
		if err != nil {
			odd++
			if odd <= 3 {
				missing = append(missing, fmt.Sprintf("the size of tensor %.40q: %v", t.Name, err))
			}
			w.Exact = false
			if size == 0 {
				w.uncounted++
			}
		}
		name := strings.TrimSuffix(strings.TrimSuffix(t.Name, ".weight"), ".bias")
		switch layer, inLayer := layerOf(t.Name); {
		case inLayer && layer < len(w.Layers):
			w.Layers[layer] = addBytes(w.Layers[layer], size)
		case name == "token_embd":
			embedding = addBytes(embedding, size)
			w.Input = addBytes(w.Input, size)
		case name == "position_embd" || name == "token_types":
			w.Input = addBytes(w.Input, size)
		case name == "output":
			hasOutput = true
			w.Output = addBytes(w.Output, size)
		case name == "output_norm":
			w.Output = addBytes(w.Output, size)
		case visionTensor(t.Name):
			w.Vision = addBytes(w.Vision, size)
		default:
			w.Rest = addBytes(w.Rest, size)
		}
	}
	if !hasOutput && embedding > 0 {
		w.Tied = true
		w.Output = addBytes(w.Output, embedding)
	}
	if odd > 3 {
		missing = append(missing, fmt.Sprintf("the sizes of %d more tensors", odd-3))
	}
	return w, missing
}

// addBytes adds two sizes and stops at the bound instead of overflowing.
func addBytes(a, b int64) int64 { return min(a+b, maxPart) }

// layerOf reads the layer of a name such as "blk.12.attn_q.weight".
func layerOf(name string) (int, bool) {
	rest, ok := strings.CutPrefix(name, "blk.")
	if !ok {
		return 0, false
	}
	number, _, ok := strings.Cut(rest, ".")
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseUint(number, 10, 16)
	return int(n), err == nil
}

func visionTensor(name string) bool {
	for _, p := range []string{"v.", "mm.", "a.", "vision", "s.", "sam."} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}
