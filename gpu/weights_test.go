package gpu

import (
	"fmt"
	"strings"
	"testing"
)

func TestTensorBytes(t *testing.T) {
	for _, tc := range []struct {
		format string
		shape  []int64
		want   int64
		fails  bool
	}{
		{"F32", []int64{4096}, 16384, false},
		{"BF16", []int64{2880, 201088}, 2880 * 201088 * 2, false},
		{"Q4_K", []int64{4096, 14336}, 4096 * 14336 / 256 * 144, false},
		{"q6_k", []int64{4096, 128256}, 4096 * 128256 / 256 * 210, false},
		{"MXFP4", []int64{2880, 2880, 32}, 2880 / 32 * 17 * 2880 * 32, false},
		{"NVFP4", []int64{4096, 2}, 4096 / 64 * 36 * 2, false},
		{"IQ1_S", []int64{256, 2}, 100, false}, {"IQ2_XXS", []int64{256}, 66, false}, {"IQ3_S", []int64{256}, 110, false},
		{"IQ4_XS", []int64{256}, 136, false}, {"IQ4_NL", []int64{32}, 18, false}, {"TQ1_0", []int64{256}, 54, false}, {"TQ2_0", []int64{256}, 66, false},
		{"Q8_0", []int64{33, 2}, 136, false}, // rows are made of whole blocks
		{"Q9_Z", []int64{10}, 40, true},      // an unknown format is a bound, and an error
		{"F32", nil, 0, true}, {"F32", []int64{0}, 0, true}, {"F32", []int64{-1}, 0, true},
		{"F32", []int64{1 << 40, 1 << 40}, maxTensorBytes, true}, {"F32", []int64{1 << 62, 4, 4}, maxTensorBytes, true}, // never nothing
		{"F32", []int64{1, 1, 1, 1, 1, 1, 1, 1, 1}, 0, true},
	} {
		got, err := tensorBytes(tc.format, tc.shape)
		if got != tc.want || (err != nil) != tc.fails {
			t.Errorf("tensorBytes(%s, %v) = %d, %v; want %d, fails %v", tc.format, tc.shape, got, err, tc.want, tc.fails)
		}
	}
}

// TestTensorBlocksMatchCache holds that the two tables of formats agree.
func TestTensorBlocksMatchCache(t *testing.T) {
	for f, b := range kvBlocks {
		if tensorBlocks[strings.ToUpper(string(f))] != b {
			t.Errorf("%s: %v as a cache, %v as a tensor", f, b, tensorBlocks[strings.ToUpper(string(f))])
		}
	}
}

// TestWeigh holds which tensors go to the card: all but the embeddings, and the token embedding a second time when there is
// no output layer (cases c035 and c079).
func TestWeigh(t *testing.T) {
	w, missing := weigh([]tensor{
		{"token_embd.weight", "F16", []int64{64, 100}}, {"position_embd.weight", "F32", []int64{64, 10}}, {"token_types.weight", "F32", []int64{64, 2}},
		{"blk.0.attn_q.weight", "F16", []int64{64, 64}}, {"blk.1.attn_q.weight", "F16", []int64{64, 64}}, {"blk.1.attn_q.bias", "F32", []int64{64}},
		{"blk.7.attn_q.weight", "F16", []int64{64}}, {"output_norm.weight", "F32", []int64{64}}, {"rope_freqs.weight", "F32", []int64{32}},
		{"v.blk.0.attn_q.weight", "F16", []int64{10}}, {"mm.0.weight", "F16", []int64{10}},
	}, 2)
	if len(missing) != 0 || !w.Exact || !w.Tied {
		t.Errorf("exact %v, tied %v, missing %q", w.Exact, w.Tied, missing)
	}
	if w.Input != 12800+2560+512 || w.Output != 256+12800 || w.Layers[0] != 8192 || w.Layers[1] != 8192+256 || w.Rest != 128+128 || w.Vision != 40 {
		t.Errorf("weights = %+v", w)
	}
	if w.Card() != 12800+256+8192+8192+256+128+128 {
		t.Errorf("on the card = %d", w.Card())
	}
	w, _ = weigh([]tensor{{"token_embd.weight", "F16", []int64{64, 100}}, {"output.weight", "F16", []int64{64, 100}}}, 0)
	if w.Tied || w.Output != 12800 || w.Input != 12800 {
		t.Errorf("with an output layer: %+v", w)
	}
}

// TestWeighHostile holds that any list is bounded and what could not be counted is named.
func TestWeighHostile(t *testing.T) {
	var many []tensor
	for i := range maxTensors + 10 {
		many = append(many, tensor{fmt.Sprintf("blk.%d.x", i), "F32", []int64{1 << 40}})
	}
	w, missing := weigh(many, maxLayers+5)
	if w.Exact || len(missing) == 0 || len(missing) > 10 || w.Card() < 0 || len(w.Layers) > maxLayers {
		t.Errorf("exact %v, %d missing, %d bytes", w.Exact, len(missing), w.Card())
	}
	w, missing = weigh([]tensor{{"blk.0.a", "Q9_Z", []int64{10}}}, 1)
	if w.Exact || w.Layers[0] != 40 || !strings.Contains(missing[0], "Q9_Z") {
		t.Errorf("an unknown format: %+v, %q", w, missing)
	}
}
