package bench

import (
	"io"
	"math"
	"slices"
	"testing"

	"assay/engine/enginetest"
	"assay/engine/tiny"
	"assay/gpu"
)

// TestAllocated loads models of six architectures and more into the real server and holds the prediction against what it
// allocated: the cache to the byte where the log gives bytes, and to the rounding of a hundredth of a MiB where it does not;
// sizes never too low. The whole table is the bench's.
func TestAllocated(t *testing.T) {
	binary, err := enginetest.OllamaBinary()
	if err != nil {
		t.Skip(err)
	}
	for _, tc := range []struct {
		name  string
		cases allocatedCases
	}{
		{"every architecture, quantised, two at once", allocatedCases{models: tinyShapes(), contexts: []int{2048}, formats: []gpu.KVType{gpu.Q8}, sequences: []int{2}}},
		{"long, plain", allocatedCases{
			models:   slices.DeleteFunc(tinyShapes(), func(m tiny.Model) bool { return m.Arch != "gemma3" && m.Arch != "gptoss" && m.Arch != "llama" }),
			contexts: []int{16384}, formats: []gpu.KVType{gpu.F16}, sequences: []int{1},
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			res, err := measureAllocated(t.Context(), binary, tc.cases, io.Discard)
			if err != nil {
				t.Fatal(err)
			}
			if want := len(tc.cases.models) * len(tc.cases.contexts); res.N != want || len(res.Rows) != want || res.Version == "" {
				t.Fatalf("%d loads by %q, want %d", res.N, res.Version, want)
			}
			exact := 0
			for _, r := range res.Rows {
				if r.KVExact {
					exact++
				}
				if r.KVExact && r.KVPredicted != r.KVMeasured || math.Abs(float64(r.KVPredicted-r.KVMeasured)) > float64(r.rounded) {
					t.Errorf("%s, %d tokens, %s x %d: cache of %d predicted, %d measured", r.Architecture, r.Context, r.Asked, r.Parallel, r.KVPredicted, r.KVMeasured)
				}
				switch {
				case r.Reported != r.Context:
					t.Errorf("%s: asked for %d tokens, the server reports %d", r.Architecture, r.Context, r.Reported)
				case r.SizeMeasured && r.SizeError < -0.01:
					t.Errorf("%s: size of %d predicted, %d measured", r.Architecture, r.SizeExpected, r.Size)
				case !r.SizeMeasured && r.SizeExpected != r.Size:
					t.Errorf("%s: the server estimates %d, and was expected to estimate %d", r.Architecture, r.Size, r.SizeExpected)
				case r.Compute > 0 && r.ComputeMost < r.Compute-halfDigit:
					t.Errorf("%s: working memory of %d predicted, %d measured", r.Architecture, r.ComputeMost, r.Compute)
				}
				if quantised := r.Asked == gpu.Q8; quantised && (r.KV != gpu.Q8) != (r.Architecture == "gemma2") {
					t.Errorf("%s keeps a cache of %s", r.Architecture, r.KV)
				}
			}
			if res.KVMaxError != 0 || res.ComputeUnder != 0 || res.ContextWrong != 0 || !res.Processor {
				t.Errorf("sums %+v", res)
			}
			if exact == 0 {
				t.Error("no cache was known to the byte, so the comparison is a rounding")
			}
		})
	}
}

// TestReadAllocation reads a line of each engine's log.
func TestReadAllocation(t *testing.T) {
	own := []string{
		`time=2026-11-30T23:35:54.140Z level=INFO source=server.go:700 msg="loading model" "model layers"=7 requested=-1`,
		`time=2026-11-30T23:35:54.582Z level=DEBUG source=server.go:782 msg=memory success=true required.InputWeights=374784 required.CPU.Weights="[1184256 375808]" required.CPU.Cache="[487424 1114112 0]" required.CPU.Graph=6553600`,
	}
	if a := readAllocation(own); a != (allocation{engine: "ollama", kv: 487424 + 1114112, exact: true, compute: 6553600}) {
		t.Errorf("read %+v", a)
	}
	llama := append(own,
		`time=2026-11-30T23:35:55.140Z level=INFO source=server.go:489 msg="loading model" "model layers"=3 requested=-1`,
		`llama_kv_cache:        CPU KV buffer size =     2.00 MiB`,
		`llama_kv_cache: size =    2.00 MiB (  4096 cells,   1 layers,  1/1 seqs), K (f16):    1.00 MiB, V (f16):    1.00 MiB`,
		`llama_kv_cache: size =    4.00 MiB (  4096 cells,   2 layers,  1/1 seqs), K (f16):    2.00 MiB, V (f16):    2.00 MiB`,
		`llama_context:        CPU compute buffer size =    22.02 MiB`)
	if a := readAllocation(llama); a.engine != "llama.cpp" || a.kv != 6<<20 || a.exact || a.compute>>20 != 22 {
		t.Errorf("read %+v", a)
	}
	if a := readAllocation([]string{"nothing", `msg=memory success=true required.CPU.Cache="[99999999999999999999]"`}); a.kv > 1<<62 {
		t.Errorf("read %+v", a)
	}
}
