package bench

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assay/gpu"
)

// logged is a row of measured cases as a model and the way it was loaded.
type logged struct {
	model gpu.Model
	load  gpu.Load
	known bool // the model is one of the catalogue
}

// figure reads a number of MiB or tokens.
func figure(s string) (float64, bool) {
	f, err := strconv.ParseFloat(strings.ReplaceAll(strings.TrimSpace(s), ",", ""), 64)
	return f, err == nil
}

func whole(s string) int {
	f, ok := figure(s)
	if !ok || f < 0 || f > 1<<40 {
		return 0
	}
	return int(f)
}

var (
	onLayers   = regexp.MustCompile(`(\d+) on (\d+) layers`)
	swaGlobal  = regexp.MustCompile(`(\d+)\s*swa\s*/\s*(\d+)\s*global`)
	everyLast  = regexp.MustCompile(`\(i\+1\)\s*%\s*(\d+)\s*!=\s*0`)
	everyEqual = regexp.MustCompile(`\bi\s*%\s*(\d+)\s*==\s*0`)
	everyFirst = regexp.MustCompile(`\bi\s*%\s*(\d+)\s*!=\s*0`)
	interval   = regexp.MustCompile(`full_attention_interval\s*=\s*(\d+)|every (\d+)(?:st|nd|rd|th)`)
	hybrid     = regexp.MustCompile(`hybrid:(\d+)`)
	latent     = regexp.MustCompile(`kv_lora\s*=\s*(\d+)`)
	ropePart   = regexp.MustCompile(`rope\s*=\s*(\d+)`)
	version    = regexp.MustCompile(`\d+\.\d+(\.\d+)?`)
	layersOf   = regexp.MustCompile(`(\d+)\s*/\s*(\d+)`)
	manyCards  = regexp.MustCompile(`\b(\d+)x `)
	megabytes  = regexp.MustCompile(`(?i)(?:lora|adapter)\D{0,40}?(\d+(?:\.\d+)?)\s*MiB`)
)

// readCase turns a row into a model and a load. What a log shows of the server's build (which engine, one cache or several,
// the form of an MLA cache) is taken from the row; sizes are not.
func readCase(t table, row []string) (logged, error) {
	get := func(c string) string { return t.get(row, c) }
	formula := get("kv_formula")
	m := gpu.Model{
		Name: get("model"), Architecture: get("arch"), Layers: whole(get("n_layer")), Embedding: whole(get("n_embd")), Heads: whole(get("n_head")),
		Vocabulary: whole(get("n_vocab")),
	}
	if m.Layers == 0 || m.Layers > 4096 {
		return logged{}, fmt.Errorf("the row does not give the number of layers")
	}
	l := gpu.Load{Context: whole(get("num_ctx")), Parallel: max(whole(get("num_parallel")), 1), Batch: whole(get("n_batch"))}
	if l.Context == 0 {
		return logged{}, fmt.Errorf("the row does not give the context")
	}
	caseWindows(&m, get("swa_window"), get("swa_rule"), formula)
	if err := caseHeads(&m, t, row, formula); err != nil {
		return logged{}, err
	}
	caseLatent(&m, &l, get("mla"), formula)
	caseLoad(&l, t, row)
	known := caseRest(&m, t, row)
	return logged{m, l, known}, nil
}

// caseWindows reads which layers are windowed. A row whose formula is "full" is of a build without windows.
func caseWindows(m *gpu.Model, window, rule, formula string) {
	n := whole(window)
	if n == 0 || formula == "full" {
		return
	}
	each := func(period int, first bool) []bool {
		out := make([]bool, m.Layers)
		for i := range out {
			out[i] = i%period != period-1
			if first {
				out[i] = i%period != 0
			}
		}
		return out
	}
	switch {
	case everyLast.MatchString(rule):
		m.Windowed = each(max(whole(everyLast.FindStringSubmatch(rule)[1]), 1), false)
	case everyEqual.MatchString(rule):
		p := max(whole(everyEqual.FindStringSubmatch(rule)[1]), 1)
		m.Windowed = make([]bool, m.Layers)
		for i := range m.Windowed {
			m.Windowed[i] = i%p == 0
		}
	case everyFirst.MatchString(rule):
		m.Windowed = each(max(whole(everyFirst.FindStringSubmatch(rule)[1]), 1), true)
	default:
		m.Windowed = gpu.WindowedLayers(m.Architecture, m.Layers)
	}
	if slices.Contains(m.Windowed, true) {
		m.Window = n
	} else {
		m.Windowed = nil
	}
}

// caseHeads reads the key-value heads and lengths, uniform or by kind of layer.
func caseHeads(m *gpu.Model, t table, row []string, formula string) error {
	heads := t.get(row, "n_head_kv")
	var local, global int
	m.KVHeads = make([]int, m.Layers)
	fill := func(n int) {
		for i := range m.KVHeads {
			m.KVHeads[i] = n
		}
	}
	switch {
	case swaGlobal.MatchString(heads):
		s := swaGlobal.FindStringSubmatch(heads)
		local, global = whole(s[1]), whole(s[2])
		for i := range m.KVHeads {
			if m.KVHeads[i] = global; i < len(m.Windowed) && m.Windowed[i] {
				m.KVHeads[i] = local
			}
		}
	case onLayers.MatchString(heads):
		i := 0
		for _, s := range onLayers.FindAllStringSubmatch(heads, -1) {
			for range min(whole(s[2]), m.Layers) {
				if i < m.Layers {
					m.KVHeads[i] = whole(s[1])
					i++
				}
			}
		}
	case strings.HasPrefix(heads, "["):
		parts := strings.FieldsFunc(heads, func(r rune) bool { return r < '0' || r > '9' })
		for i := range m.KVHeads {
			if i < len(parts) {
				m.KVHeads[i] = whole(parts[i])
			}
		}
	case whole(heads) > 0:
		fill(whole(heads))
	case strings.Contains(formula, "hkv1"):
		fill(1) // the server's estimator counts one head where the metadata has none
	case m.Heads > 0:
		fill(m.Heads)
	default:
		return fmt.Errorf("the row does not give the key-value heads")
	}
	caseHybrid(m, t.get(row, "swa_rule"), formula)
	m.KeyLength, m.KeyLengthSWA = lengths(t.get(row, "head_dim_k"))
	m.ValueLength, m.ValueLengthSWA = lengths(t.get(row, "head_dim_v"))
	if m.KeyLength == 0 && m.Heads > 0 {
		m.KeyLength = m.Embedding / m.Heads
	}
	if m.ValueLength == 0 {
		m.ValueLength = m.KeyLength
	}
	if m.KeyLength == 0 {
		return fmt.Errorf("the row does not give the length of keys")
	}
	return nil
}

// caseHybrid takes the heads off the layers that hold a state instead of a cache.
func caseHybrid(m *gpu.Model, rule, formula string) {
	if slices.Contains(m.KVHeads, 0) {
		return
	}
	every := 0
	if s := interval.FindStringSubmatch(rule); s != nil {
		every = max(whole(s[1]), whole(s[2]))
	}
	count := 0
	if s := hybrid.FindStringSubmatch(formula); s != nil {
		count = whole(s[1])
	}
	for i := range m.KVHeads {
		switch {
		case every > 0 && (i+1)%every != 0, every == 0 && count > 0 && i >= count:
			m.KVHeads[i] = 0
		}
	}
}

// lengths reads "128" or "256 swa / 512 global".
func lengths(s string) (global, local int) {
	if f := swaGlobal.FindStringSubmatch(s); f != nil {
		return whole(f[2]), whole(f[1])
	}
	return whole(s), 0
}

// caseLatent reads the form of an MLA cache.
func caseLatent(m *gpu.Model, l *gpu.Load, mla, formula string) {
	if !strings.HasPrefix(formula, "mla") {
		return
	}
	m.KVLoRARank, m.RopeDimension = 512, 64 // every model of the family so far
	if s := latent.FindStringSubmatch(mla); s != nil {
		m.KVLoRARank = whole(s[1])
	}
	if s := ropePart.FindStringSubmatch(mla); s != nil {
		m.RopeDimension = whole(s[1])
	}
	m.KeyLengthMLA, m.ValueLengthMLA = m.KeyLength, m.ValueLength
	l.Latent = gpu.LatentAbsorbed
	if strings.Contains(formula, "kvT") {
		l.Latent = gpu.LatentValues
	}
}

// caseLoad reads the server and how it loaded.
func caseLoad(l *gpu.Load, t table, row []string) {
	get := func(c string) string { return t.get(row, c) }
	l.K, l.V = gpu.KVType(get("kv_type_k")), gpu.KVType(get("kv_type_v"))
	if l.K == "" {
		l.K = gpu.F16
	}
	if l.V == "" {
		l.V = l.K
	}
	l.Windowed = l.K // the formats in a row are those of its log
	switch flash := get("flash_attn"); {
	case strings.Contains(flash, "on"):
		l.Flash = gpu.FlashOn
	case strings.HasPrefix(flash, "off"):
		l.Flash = gpu.FlashOff
	}
	l.Physical = whole(get("n_ubatch"))
	if l.Batch == 0 {
		l.Batch = l.Physical
	}
	if l.Batch == 0 {
		l.Batch = 512 // the default of every server before Ollama 0.30
	}
	l.Version = caseVersion(get("engine"), get("version"))
	if l.Version == newLlama && get("arch") == "gemma4" {
		l.Version = "0.31.0" // every log of it is of a build that is later still
	}
	if l.Version == newLlama && encoderArch(get("arch")) && get("kv_formula") == "full" {
		l.Version = oldLlama // current builds keep no cache for encoders
	}
	cells := whole(get("kv_cells"))
	if strings.HasPrefix(get("engine"), "ollama") {
		return
	}
	if l.Parallel > 1 && cells > 0 && cells < l.Context*l.Parallel {
		l.Context /= l.Parallel // llama.cpp is given the context of all sequences together
		yes := true
		l.Unified = &yes
	}
}

// caseVersion is the server's version, or one that stands for its build.
func caseVersion(engine, text string) string {
	v := version.FindString(text)
	switch {
	case strings.HasPrefix(engine, "ollama") && v != "" && !strings.HasPrefix(v, "20"):
		return v
	case engine == "ollama-old":
		return "0.5.0"
	case strings.HasPrefix(engine, "ollama"):
		return "0.17.4"
	case strings.HasPrefix(text, "ollama >=0.30"):
		return "0.30.5"
	}
	if s := build.FindStringSubmatch(text); s != nil && whole(s[1]) < 5600 {
		return oldLlama
	}
	if s := yearMonth.FindStringSubmatch(text); s != nil && (s[1] < "2025" || s[1] == "2025" && s[2] < "06") {
		return oldLlama
	}
	return newLlama
}

// Versions that stand for a llama.cpp: oldLlama for one before windowed caches and without a cache for encoders only
// (June 2025, build 5600), newLlama for a later or unknown one, with the larger working memory of before June 2026.
const oldLlama, newLlama = "0.5.0", "0.30.0"

var (
	build     = regexp.MustCompile(`\bb(\d{4,5})\b`)
	yearMonth = regexp.MustCompile(`\b(20\d\d)-(\d\d)`)
)

func encoderArch(arch string) bool { return strings.Contains(arch, "bert") }

// caseRest fills in what no column gives, from the catalogue, and says whether it holds the model.
func caseRest(m *gpu.Model, t table, row []string) bool {
	known, err := knownCase(t, row, *m)
	if err != nil {
		return false
	}
	m.FeedForward, m.Ungated, m.FusedQKV, m.Parallel = known.FeedForward, known.Ungated, known.FusedQKV, known.Parallel
	m.Experts, m.ExpertsUsed, m.ExpertWidth, m.SharedWidth, m.DenseLayers = known.Experts, known.ExpertsUsed, known.ExpertWidth, known.SharedWidth, known.DenseLayers
	m.Encoder, m.Weights, m.Projector, m.Parameters = known.Encoder, known.Weights, known.Projector, known.Parameters
	m.PerLayer, m.Recurrent = known.PerLayer, known.Recurrent
	if m.Embedding == 0 {
		m.Embedding = known.Embedding
	}
	if m.Heads == 0 {
		m.Heads = known.Heads
	}
	if m.Vocabulary == 0 {
		m.Vocabulary = known.Vocabulary
	}
	return true
}

// knownCase finds a row's model in the catalogue: by its name, or by its shape where the name is a free text.
func knownCase(t table, row []string, m gpu.Model) (gpu.Model, error) {
	name := strings.ToLower(t.get(row, "model"))
	quant := strings.ToLower(t.get(row, "quant"))
	quant = strings.TrimSuffix(strings.ReplaceAll(strings.ReplaceAll(quant, " - medium", "_m"), " - small", "_s"), " - large")
	plain := strings.ReplaceAll(name, " ", "-")
	for _, n := range []string{name, plain} {
		for _, q := range []string{"-" + quant, ""} {
			if k, err := gpu.Known(n + q); err == nil && (k.Layers == m.Layers) {
				return k, nil
			}
		}
	}
	for _, e := range gpu.Catalogue() {
		if e.Arch == m.Architecture && e.Layers == m.Layers && e.Embedding == m.Embedding && e.Heads == m.Heads {
			if k, err := gpu.Known(e.Name + "-" + quant); err == nil {
				return k, nil
			}
			return e.Model(""), nil
		}
	}
	return gpu.Model{}, fmt.Errorf("%q is not in the catalogue", name)
}

// settings are those of a sweep's row.
type settings struct {
	batch, ubatch, parallel int
	k, v                    gpu.KVType
	flash                   gpu.Flash
	backend                 gpu.Backend
}

var (
	flagBatch    = regexp.MustCompile(`-b (\d+)`)
	flagUbatch   = regexp.MustCompile(`-ub (\d+)`)
	flagParallel = regexp.MustCompile(`-np (\d+)`)
	flagCache    = regexp.MustCompile(`([a-z]+\d+(?:_\d)?)/([a-z]+\d+(?:_\d)?)`)
)

// readSettings reads a text such as "FA on q8_0/q8_0 -b 2048 -ub 512 -np 1 CUDA llama.cpp c841aeeb8".
func readSettings(s string) settings {
	out := settings{batch: 2048, ubatch: 512, parallel: 1, k: gpu.F16, v: gpu.F16, flash: gpu.FlashOn, backend: gpu.CUDA}
	set := func(re *regexp.Regexp, to *int) {
		if f := re.FindStringSubmatch(s); f != nil && whole(f[1]) > 0 {
			*to = whole(f[1])
		}
	}
	set(flagBatch, &out.batch)
	set(flagUbatch, &out.ubatch)
	set(flagParallel, &out.parallel)
	if f := flagCache.FindStringSubmatch(s); f != nil && gpu.KnownKV(gpu.KVType(f[1])) && gpu.KnownKV(gpu.KVType(f[2])) {
		out.k, out.v = gpu.KVType(f[1]), gpu.KVType(f[2])
	}
	if strings.Contains(s, "FA off") {
		out.flash = gpu.FlashOff
	}
	for _, b := range []gpu.Backend{gpu.Metal, gpu.Vulkan, gpu.ROCm} {
		if strings.Contains(strings.ToLower(s), string(b)) {
			out.backend = b
		}
	}
	return out
}

// sweepModel finds the model of a sweep's row: by its file, by its repository, and only when the number of layers agrees.
func sweepModel(t table, row []string) (gpu.Model, bool) {
	layers := whole(t.get(row, "full_offload_layers"))
	for _, name := range []string{t.get(row, "file"), t.get(row, "hf_repo")} {
		m, err := gpu.Known(name)
		if err != nil {
			continue
		}
		if layers > 0 && m.Layers+1 != layers && m.Layers+2 != layers { // a layer that only guesses ahead may be there
			continue
		}
		if a := t.get(row, "arch"); gpu.WindowedLayers(a, m.Layers) != nil || a == m.Architecture {
			m.Architecture = a
		}
		return m, true
	}
	return gpu.Model{}, false
}
