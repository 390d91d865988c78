package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFitOfABadDescription holds that a window beyond the model's is not lowered in silence, and that a model whose weights are not
// known is refused.
func TestFitOfABadDescription(t *testing.T) {
	x := newTerminal(t)
	x.want(0, "A context of 500,000 tokens was asked for and cannot be had: the model was made for 131,072, which are counted.", "fit", "llama3.1:8b", "--free", "80GiB", "--ctx", "500000")
	x.want(0, "500,000 tokens cannot be had", "fit", "llama3.1:8b", "--free", "80GiB", "--ctx", "500000")
	const keys = `{"model_info":{"general.architecture":"llama","general.parameter_count":-1,"llama.block_count":32,"llama.embedding_length":4096,"llama.attention.head_count":32,"llama.attention.head_count_kv":8,"llama.feed_forward_length":14336,"llama.context_length":131072}`
	for rest, want := range map[string]string{`}`: "its weights are not known", `,"details":{"parameter_size":"8B","quantization_level":"Q4_K_M"}}`: "8.5 billion parameters at 6.6 bits each are counted"} {
		file := filepath.Join(t.TempDir(), "show.json")
		if err := os.WriteFile(file, []byte(keys+rest), 0o644); err != nil {
			t.Fatal(err)
		}
		code := 0
		if rest == "}" {
			code = 2
		}
		x.want(code, want, "fit", "--model-info", file, "--free", "80GiB")
	}
}

// TestGPUFromStandardInput holds that a pipe is read as standard input.
func TestGPUFromStandardInput(t *testing.T) {
	const cards = "index, name, memory.total [MiB], memory.used [MiB], memory.free [MiB]\n0, NVIDIA A, 16376 MiB, 596 MiB, 99999 MiB\n1, NVIDIA B, 16376 MiB, 596 MiB, 15348 MiB\n"
	var out, errOut strings.Builder
	p := &program{in: strings.NewReader(cards), out: &out, err: &errOut}
	h, err := p.recorded(t.Context(), "-")
	if err != nil || len(h.GPUs) != 2 || h.GPUs[0].MemoryFree != nil || h.GPUs[1].MemoryFree == nil {
		t.Errorf("%+v, %v", h.GPUs, err)
	}
}

// TestBakeoffRuns holds that a number of runs that is none is not taken for one.
func TestBakeoffRuns(t *testing.T) {
	for _, n := range []string{"0", "-1"} {
		newTerminal(t).want(2, "--runs "+n+": use a number from 1 on", "bakeoff", "--models", "a", "--questions", "When?", "--runs", n)
	}
}
