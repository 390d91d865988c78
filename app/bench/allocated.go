package bench

import (
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sort"
	"strings"

	"assay/engine/fetch"
	"assay/engine/ollama"
	"assay/engine/research"
	"assay/engine/tiny"
	"assay/gpu"
)

// allocatedResult is what the bench prints: what a real server allocated for models made by code, beside what was predicted.
type allocatedResult struct {
	N             int      `json:"n"` // loads
	Version       string   `json:"version"`
	Architectures []string `json:"architectures"`
	Processor     bool     `json:"processor"` // nothing was on a card: sizes are of main memory
	// Caches. Errors are |predicted / measured - 1|. Exact rows are those whose cache the server wrote in bytes; the others are
	// printed in hundredths of a MiB, and what that rounding can explain is no error in KVMaxError but is in KVMaxPrinted.
	KVMaxError   float64 `json:"kv_max_error"`
	KVMaxPrinted float64 `json:"kv_max_error_printed"`
	KVExact      int     `json:"kv_exact"`
	// Working memory, of which the prediction must not be under.
	ComputeRows  int `json:"compute_rows"`
	ComputeUnder int `json:"compute_under"`
	// Sizes of /api/ps, where they are measurements: the working memory is a rule that must not be under.
	SizeRows       int     `json:"size_rows"`
	SizeUnder      int     `json:"size_under"` // predicted more than 1 % too little
	SizeMedianOver float64 `json:"size_median_over"`
	SizeMaxOver    float64 `json:"size_max_over"`
	// Where they are the server's own estimate, that is predicted too.
	EstimateRows     int     `json:"estimate_rows"`
	EstimateMaxError float64 `json:"estimate_max_error"`
	// ContextWrong counts loads whose window, as /api/ps says it, is not the one that was asked for.
	ContextWrong int            `json:"context_wrong"`
	Rows         []allocatedRow `json:"rows"`
}

// allocatedRow is one load. Sizes are bytes.
type allocatedRow struct {
	Architecture string     `json:"architecture"`
	Engine       string     `json:"engine"` // "ollama" or "llama.cpp"
	Context      int        `json:"context"`
	Parallel     int        `json:"parallel"`
	Asked        gpu.KVType `json:"kv_asked"`
	KV           gpu.KVType `json:"kv"` // as the server kept it
	KVMeasured   int64      `json:"kv_measured_bytes"`
	KVExact      bool       `json:"kv_exact"` // in bytes; otherwise in hundredths of a MiB
	KVPredicted  int64      `json:"kv_predicted_bytes"`
	KVError      float64    `json:"kv_error"`
	Compute      int64      `json:"compute_measured_bytes"` // working memory; 0 when the log does not say
	ComputeMost  int64      `json:"compute_predicted_bytes"`
	Size         int64      `json:"size_bytes"` // of /api/ps
	VRAM         int64      `json:"size_vram_bytes"`
	SizeExpected int64      `json:"size_predicted_bytes"`
	SizeMeasured bool       `json:"size_is_measured"` // otherwise it is the server's own estimate
	SizeError    float64    `json:"size_error"`
	Reported     int        `json:"context_reported"`
	Note         string     `json:"note,omitempty"`

	rounded int64 // bytes that printing can have taken from or added to the cache
}

// halfDigit is half of the last digit that llama.cpp prints of a size, a hundredth of a MiB, in bytes, rounded up.
const halfDigit = (1<<20)/200 + 1

// allocatedCases are what is loaded: every combination.
type allocatedCases struct {
	models    []tiny.Model
	contexts  []int
	formats   []gpu.KVType
	sequences []int
}

// tinyShapes are one model of each architecture, of different shapes. Heads are multiples of 32 long, as a quantised cache
// wants them; windows are far shorter than the contexts, so that windowed layers show.
func tinyShapes() []tiny.Model {
	shapes := map[string]tiny.Model{
		"command-r": {Layers: 2, Embedding: 256, Heads: 4, KVHeads: 4},
		"gemma2":    {Layers: 4, Embedding: 256, Heads: 4, KVHeads: 2, Window: 512},
		"gemma3":    {Layers: 7, Embedding: 256, Heads: 4, KVHeads: 1, Window: 512},
		"gptoss":    {Layers: 4, Embedding: 256, Heads: 8, KVHeads: 2, Window: 128},
		"llama":     {Layers: 3, Embedding: 256, Heads: 4, KVHeads: 2},
		"phi3":      {Layers: 2, Embedding: 192, Heads: 2, KVHeads: 2, Window: 256},
		"qwen2":     {Layers: 3, Embedding: 256, Heads: 8, KVHeads: 2},
		"qwen3":     {Layers: 3, Embedding: 256, Heads: 2, KVHeads: 1},
	}
	var out []tiny.Model
	for _, arch := range tiny.Architectures() {
		if m, ok := shapes[arch]; ok {
			m.Arch, m.Context, m.Forward = arch, 65536, 256
			out = append(out, m)
		}
	}
	return out
}

// allocated loads models made by code into the real server, in every way, and compares what it allocated with the prediction.
func allocated(ctx context.Context, o options) (any, error) {
	binary, err := serverBinary()
	if err != nil {
		return nil, err
	}
	cases := allocatedCases{
		models: tinyShapes(), contexts: []int{2048, 4096, 8192, 16384, 32768, 65536},
		formats: []gpu.KVType{gpu.F16, gpu.Q8}, sequences: []int{1, 2, 3, 4},
	}
	if o.only != "" {
		cases.models = nil
		for _, m := range tinyShapes() {
			if strings.Contains(","+o.only+",", ","+m.Arch+",") {
				cases.models = append(cases.models, m)
			}
		}
		if cases.models == nil {
			return nil, fmt.Errorf("%w: there is no architecture %q among %s", errUsage, o.only, strings.Join(tiny.Architectures(), ", "))
		}
	}
	if o.limit > 0 {
		cases.contexts = cases.contexts[:min(o.limit, len(cases.contexts))]
	}
	var tell io.Writer = o.stderr
	if tell == nil {
		tell = io.Discard
	}
	res, err := measureAllocated(ctx, binary, cases, tell)
	if err != nil {
		return nil, err
	}
	if err := writePredictions(o.predictions, res.Rows); err != nil {
		return nil, err
	}
	if !o.json {
		printAllocated(o.stdout, res)
	}
	return res, nil
}

// serverBinary finds the real server: $ASSAY_OLLAMA, what build/ollama.sh built, or the installed one.
func serverBinary() (string, error) {
	if set := os.Getenv("ASSAY_OLLAMA"); set != "" {
		return set, nil
	}
	if cache, err := os.UserCacheDir(); err == nil {
		built, err := filepath.Glob(filepath.Join(cache, "assay", "tools", "ollama-*", "ollama"))
		if err == nil && len(built) > 0 {
			return built[len(built)-1], nil
		}
	}
	binary, err := ollama.FindBinary("", ollama.Places{
		System: runtime.GOOS, Getenv: os.Getenv, LookPath: exec.LookPath,
		Runs: func(file string) bool { _, err := os.Stat(file); return err == nil },
	})
	if err != nil {
		return "", fmt.Errorf("%w: the bench loads models into a real server: %w", errUsage, err)
	}
	return binary, nil
}

// measureAllocated starts the server once for each format and number of sequences, which cannot be changed later, and loads
// every model with every context.
func measureAllocated(ctx context.Context, binary string, cases allocatedCases, tell io.Writer) (allocatedResult, error) {
	res := allocatedResult{Rows: []allocatedRow{}, Architectures: []string{}, Processor: true}
	dir, err := os.MkdirTemp("", "assay-allocated-")
	if err != nil {
		return res, err
	}
	defer func() { _ = os.RemoveAll(dir) }() // a folder of ours under the system's temporary one
	made := false
	for _, kv := range cases.formats {
		for _, n := range cases.sequences {
			fmt.Fprintf(tell, "server with a cache of %s and %d at once\n", kv, n)
			s := allocatedServer{binary: binary, dir: dir, kv: kv, parallel: n}
			rows, version, err := s.measure(ctx, cases, !made)
			if err != nil {
				return res, err
			}
			made = true
			res.Version, res.Rows = version, append(res.Rows, rows...)
		}
	}
	res.sum()
	for _, m := range cases.models {
		res.Architectures = append(res.Architectures, m.Arch)
	}
	return res, nil
}

// allocatedServer is one start of the server.
type allocatedServer struct {
	binary, dir string
	kv          gpu.KVType
	parallel    int
}

func (s allocatedServer) measure(ctx context.Context, cases allocatedCases, create bool) ([]allocatedRow, string, error) {
	log := filepath.Join(s.dir, fmt.Sprintf("server-%s-%d.log", s.kv, s.parallel))
	var client *fetch.Client
	served, err := ollama.Serve(ctx, ollama.ServeConfig{
		Binary: s.binary, LogFile: log, Environ: append(os.Environ(), "HOME="+s.dir, "OLLAMA_MODELS="+filepath.Join(s.dir, "models")),
		Tuning: ollama.Tuning{FlashAttention: "on", KVType: string(s.kv), Parallel: s.parallel, Debug: true},
		Client: func(base string) (*http.Client, error) {
			var err error
			client, err = fetch.New(fetch.Policy{Egress: research.Closed, Services: []fetch.Service{{Base: base, For: []fetch.Kind{fetch.Model}}}})
			if err != nil {
				return nil, err
			}
			return client.HTTP(fetch.Model), nil
		},
	})
	if client != nil {
		defer client.Close()
	}
	if err != nil {
		return nil, "", err
	}
	defer served.Stop()
	admin, err := ollama.NewAdmin(client.HTTP(fetch.Model), served.URL())
	if err != nil {
		return nil, "", err
	}
	version, err := admin.Version(ctx)
	if err != nil {
		return nil, "", err
	}
	var rows []allocatedRow
	for _, m := range cases.models {
		if create {
			if err := createTiny(ctx, admin, s.dir, m); err != nil {
				return nil, "", err
			}
		}
		for _, c := range cases.contexts {
			row, err := s.load(ctx, admin, served, m.Arch, c, version)
			if err != nil {
				return nil, "", fmt.Errorf("%s with %d tokens at %s, %d at once: %w", m.Arch, c, s.kv, s.parallel, err)
			}
			rows = append(rows, row)
		}
	}
	return rows, version, nil
}

// createTiny makes a model of a file. One thread computes: more than a busy machine has free wait for each other for seconds.
func createTiny(ctx context.Context, admin *ollama.Admin, dir string, m tiny.Model) error {
	file := filepath.Join(dir, m.Arch+".gguf")
	if err := os.WriteFile(file, m.GGUF(), 0o600); err != nil {
		return err
	}
	return admin.Create(ctx, m.Arch, file, ollama.CreateOptions{Parameters: map[string]any{"num_thread": 1}})
}

// batchOf is the num_batch of every load: a plan always sends one.
const batchOf = 512

// load loads one model and compares.
func (s allocatedServer) load(ctx context.Context, admin *ollama.Admin, served *ollama.Served, arch string, context int, version string) (allocatedRow, error) {
	raw, _, err := admin.Show(ctx, arch)
	if err != nil {
		return allocatedRow{}, err
	}
	m, err := gpu.ReadShow(raw)
	if err != nil {
		return allocatedRow{}, err
	}
	ps, err := admin.Load(ctx, arch, ollama.LoadOptions{NumCtx: context, NumBatch: batchOf})
	if err != nil {
		return allocatedRow{}, err
	}
	said := readAllocation(served.Tail(2000))
	if err := admin.Unload(ctx, arch); err != nil {
		return allocatedRow{}, err
	}
	if said.kv == 0 {
		return allocatedRow{}, fmt.Errorf("the log does not say how large the cache is")
	}
	l := gpu.Load{Context: context, Parallel: s.parallel, Batch: batchOf, KV: s.kv, Flash: gpu.FlashOn, Version: version, Backend: gpu.Processor}
	if ps.SizeVRAM > 0 {
		l.Backend = gpu.CUDA
	}
	e, r := m.Estimate(l), m.Reported(l)
	row := allocatedRow{
		Architecture: arch, Engine: said.engine, Context: context, Parallel: s.parallel, Asked: s.kv, KV: e.Load.KV,
		KVMeasured: said.kv, KVExact: said.exact, KVPredicted: e.KVBytes(), Compute: said.compute, ComputeMost: e.Of(gpu.PartCompute),
		Size: ps.Size, VRAM: ps.SizeVRAM, SizeExpected: r.Size, SizeMeasured: r.Measured, Reported: ps.ContextLength,
		rounded: int64(said.lines) * 2 * halfDigit, // keys and values of each
	}
	row.KVError = float64(row.KVPredicted)/float64(row.KVMeasured) - 1
	row.SizeError = float64(row.SizeExpected)/float64(row.Size) - 1
	if row.KV != row.Asked {
		row.Note = "the server keeps f16: it refuses flash attention for this model"
	}
	return row, nil
}

// sum fills in the figures over all rows.
func (r *allocatedResult) sum() {
	r.N = len(r.Rows)
	var over []float64
	for _, x := range r.Rows {
		r.Processor = r.Processor && x.VRAM == 0
		r.KVMaxPrinted = max(r.KVMaxPrinted, math.Abs(x.KVError))
		off := math.Abs(float64(x.KVPredicted - x.KVMeasured))
		if x.KVExact {
			r.KVExact++
		} else {
			off = max(off-float64(x.rounded), 0)
		}
		r.KVMaxError = max(r.KVMaxError, off/float64(x.KVMeasured))
		if x.Compute > 0 {
			r.ComputeRows++
			if x.ComputeMost < x.Compute-halfDigit {
				r.ComputeUnder++
			}
		}
		if x.Reported != x.Context {
			r.ContextWrong++
		}
		if !x.SizeMeasured {
			r.EstimateRows++
			r.EstimateMaxError = max(r.EstimateMaxError, math.Abs(x.SizeError))
			continue
		}
		r.SizeRows++
		over = append(over, x.SizeError)
		r.SizeMaxOver = max(r.SizeMaxOver, x.SizeError)
		if x.SizeError < -0.01 {
			r.SizeUnder++
		}
	}
	r.SizeMedianOver = median(over)
}

func printAllocated(w io.Writer, r allocatedResult) {
	where := "on a card"
	if r.Processor {
		where = "on the processor: size is main memory, and size_vram is 0 in every row"
	}
	fmt.Fprintf(w, "%d loads by Ollama %s, %s\n", r.N, r.Version, where)
	fmt.Fprintf(w, "cache: largest error %.4f %%; %d rows are known to the byte, the others are printed in hundredths of a MiB (against the printed figures, %.4f %%)\n",
		100*r.KVMaxError, r.KVExact, 100*r.KVMaxPrinted)
	fmt.Fprintf(w, "working memory: %d rows, %d predicted under\n", r.ComputeRows, r.ComputeUnder)
	fmt.Fprintf(w, "size of /api/ps where it is a measurement: %d rows, %d predicted more than 1 %% under, median %+.1f %%, most %+.1f %%\n", r.SizeRows, r.SizeUnder, 100*r.SizeMedianOver, 100*r.SizeMaxOver)
	fmt.Fprintf(w, "size of /api/ps where it is the server's own estimate: %d rows, largest error %.4f %%\n", r.EstimateRows, 100*r.EstimateMaxError)
	fmt.Fprintf(w, "window other than asked for: %d\n\n", r.ContextWrong)
	fmt.Fprintf(w, "%-10s %-9s %7s %3s %-5s %14s %14s %9s %13s %13s %8s  %s\n",
		"model", "engine", "context", "par", "kv", "kv measured", "kv predicted", "error", "size", "predicted", "error", "size is")
	rows := append([]allocatedRow{}, r.Rows...)
	sort.SliceStable(rows, func(i, j int) bool { return rows[i].Architecture < rows[j].Architecture })
	for _, x := range rows {
		kind := "estimate"
		if x.SizeMeasured {
			kind = "measured"
		}
		fmt.Fprintf(w, "%-10s %-9s %7d %3d %-5s %14d %14d %+8.4f%% %13d %13d %+7.2f%%  %s %s\n",
			x.Architecture, x.Engine, x.Context, x.Parallel, x.KV, x.KVMeasured, x.KVPredicted, 100*x.KVError, x.Size, x.SizeExpected, 100*x.SizeError, kind, x.Note)
	}
}
