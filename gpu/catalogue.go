package gpu

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
)

//go:embed catalogue.json
var catalogueJSON []byte

// An Entry is a well-known model: its figures as its authors publish them, so that a model can be planned before it is
// pulled. Origin names the publication; the figures were written down from it and not fetched by a program. Weights are
// computed from the shapes. Tests hold that the shapes add up to the published number of parameters, which a wrong width,
// layer or vocabulary would not, and that the weights and caches of those with a log agree with it.
type Entry struct {
	Name         string   `json:"name"`    // as the server's library calls it
	Aliases      []string `json:"aliases"` // other names, lower case: short tags, and the names of files on other hosts
	Arch         string   `json:"arch"`
	Billions     float64  `json:"billions"` // parameters, image part left out
	Layers       int      `json:"layers"`
	Embedding    int      `json:"embedding"`
	FeedForward  int      `json:"feed_forward"`
	Heads        int      `json:"heads"`
	KVHeads      int      `json:"kv_heads"`
	GlobalKV     int      `json:"global_kv_heads"` // of layers that see everything, where they differ
	KeyLength    int      `json:"key_length"`      // 0: embedding / heads
	GlobalKey    int      `json:"global_key_length"`
	Vocabulary   int      `json:"vocabulary"`
	Context      int      `json:"context"`
	Tied         bool     `json:"tied"`
	Window       int      `json:"window"`
	Period       int      `json:"period"`      // of so many layers the last sees everything; 0: the architecture's own rule
	KIsV         bool     `json:"k_is_v"`      // layers that see everything have no value matrix of their own
	WideShared   bool     `json:"wide_shared"` // layers that share a cache have a feed-forward part twice as wide
	SharedKV     int      `json:"shared_kv"`
	PerLayer     int      `json:"per_layer"`
	DeepStack    int      `json:"deep_stack"`
	Experts      int      `json:"experts"`
	ExpertsUsed  int      `json:"experts_used"`
	ExpertWidth  int      `json:"expert_width"`
	SharedWidth  int      `json:"shared_width"`
	DenseLayers  int      `json:"dense_layers"`
	QLoRARank    int      `json:"q_lora_rank"`
	KVLoRARank   int      `json:"kv_lora_rank"`
	RopeDim      int      `json:"rope_dimension"`
	Nope         int      `json:"nope"`      // part of an MLA key that is not rotated
	ValueMLA     int      `json:"value_mla"` // value of an unfolded MLA head
	Unfolded     bool     `json:"unfolded"`  // the library's file predates the short form of MLA
	Interval     int      `json:"interval"`  // every so many layers one has attention, the others are recurrent
	Attention    []int    `json:"attention"` // the layers with attention, where a list says it
	Mamba        int      `json:"mamba"`     // recurrent layers among those without attention; the rest is feed-forward alone
	Kind         string   `json:"kind"`
	Conv         int      `json:"conv"`
	Short        int      `json:"short"` // length of a short convolution
	State        int      `json:"state"`
	Groups       int      `json:"groups"`
	Inner        int      `json:"inner"`
	Steps        int      `json:"steps"`
	Positions    int      `json:"positions"` // learnt positions
	Vision       float64  `json:"vision_billions"`
	Quantisation string   `json:"quantisation"` // of the library's default file
	Capabilities []string `json:"capabilities"`
	Origin       string   `json:"origin"` // where the figures come from
}

// Catalogue lists the well-known models in the order of the file. The slice is shared: do not change it.
var Catalogue = sync.OnceValue(func() []Entry {
	var out []Entry
	if err := json.Unmarshal(catalogueJSON, &out); err != nil {
		panic(fmt.Sprintf("catalogue.json: %v", err)) // it is part of the program: a test reads it
	}
	return out
})

// UnknownModelError says that the catalogue does not hold a name.
type UnknownModelError struct {
	Name string
	Near []string // the nearest names, best first; may be empty
}

func (e *UnknownModelError) Error() string {
	s := fmt.Sprintf("the catalogue does not know %q", e.Name)
	if len(e.Near) > 0 {
		s += "; the nearest names are " + strings.Join(e.Near, ", ")
	}
	return s + "; pull it, or give its description with --model-info"
}

// Known is a model of the catalogue by name, such as "qwen3:14b", "qwen3" or "qwen3:14b-q8_0". A quantisation at the end of
// the tag is used for the weights. The error is an [*UnknownModelError].
func Known(name string) (Model, error) {
	if e, quant, ok := find(name); ok {
		return e.Model(quant), nil
	}
	return Model{}, &UnknownModelError{Name: name, Near: nearest(name, 3)}
}

// find looks an entry up by its name, an alias, or the name of a file.
func find(name string) (Entry, string, bool) {
	for _, key := range keys(name) {
		for _, e := range Catalogue() {
			if e.Name == key.name || slices.Contains(e.Aliases, key.name) {
				return e, key.quant, true
			}
		}
	}
	return Entry{}, "", false
}

type nameKey struct{ name, quant string }

// keys are the forms under which a name may stand in the catalogue, the most exact first.
func keys(name string) (out []nameKey) {
	s := strings.ToLower(strings.TrimSpace(name))
	if len(s) > 200 {
		return nil
	}
	if i := strings.LastIndexByte(s, '/'); i >= 0 {
		s = s[i+1:]
	}
	s = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(s, ".gguf"), "-gguf"), ":latest")
	if _, rest, ok := strings.Cut(s, "_"); ok && strings.Contains(rest, "-") { // "author_model" of some hosts
		defer func() {
			if len(out) < 64 && !strings.Contains(rest, ":") {
				out = append(out, keys(rest)...)
			}
		}()
	}
	out = []nameKey{{s, ""}}
	add := func(name, quant string) {
		if name != "" && !slices.Contains(out, nameKey{name, quant}) {
			out = append(out, nameKey{name, quant})
		}
	}
	for _, sep := range []string{"-", ".", "_", ":"} {
		for i := strings.Index(s, sep); i >= 0; {
			if q, ok := quantName(s[i+1:]); ok {
				head := s[:i]
				add(head, q)
				add(strings.TrimSuffix(strings.TrimSuffix(head, "-ud"), "-i1"), q)
				add(strings.TrimSuffix(head, ".i1"), q)
			}
			next := strings.Index(s[i+1:], sep)
			if next < 0 {
				break
			}
			i += 1 + next
		}
	}
	for _, cut := range []string{"-instruct", "-it", "-chat", "-text", "-qat"} { // "llama3.1:8b-instruct", "gemma-3-4b-it-qat"
		for _, k := range slices.Clone(out) {
			if strings.Contains(k.name, ":") || cut == "-qat" {
				add(strings.TrimSuffix(k.name, cut), k.quant)
			}
		}
	}
	return out
}

// quantName reads a quantisation such as "q4_k_m", "fp16" or "ud-q4_k_m".
func quantName(s string) (string, bool) {
	q := strings.ToUpper(strings.TrimPrefix(s, "ud-"))
	switch q {
	case "FP16":
		return "F16", true
	case "Q4_K":
		return "Q4_K_M", true
	case "Q5_K":
		return "Q5_K_M", true
	}
	_, ok := mixtures[q]
	return q, ok || (strings.HasPrefix(q, "IQ") || strings.HasPrefix(q, "TQ") || strings.HasPrefix(q, "Q")) && len(q) <= 8 && strings.Contains(q, "_")
}

// Model is the entry as a model whose weights have the quantisation; "" is the library's own.
func (e Entry) Model(quantisation string) Model {
	quantisation = or(quantisation, e.Quantisation)
	m := Model{
		Name: e.Name, Architecture: e.Arch, Quantisation: quantisation, Parameters: int64(e.Billions * 1e9), Origin: e.Origin,
		Layers: e.Layers, Embedding: e.Embedding, FeedForward: e.FeedForward, Heads: e.Heads, ContextLimit: e.Context,
		Vocabulary: e.Vocabulary, SharedKV: e.SharedKV, PerLayer: e.PerLayer, DeepStack: e.DeepStack, Experts: e.Experts,
		ExpertsUsed: e.ExpertsUsed, ExpertWidth: e.ExpertWidth, SharedWidth: e.SharedWidth, DenseLayers: e.DenseLayers,
		QLoRARank: e.QLoRARank, KVLoRARank: e.KVLoRARank, RopeDimension: e.RopeDim, Capabilities: e.Capabilities,
		Encoder: encoders[e.Arch], Missing: []string{},
	}
	m.KeyLength = e.KeyLength
	if m.KeyLength == 0 && e.Heads > 0 {
		m.KeyLength = e.Embedding / e.Heads
	}
	m.ValueLength = m.KeyLength
	var pattern []bool
	if e.Period > 0 {
		pattern = everyNth(e.Layers, e.Period, false)
	}
	m.Window, m.Windowed = windows(e.Arch, e.Layers, e.Window, pattern)
	if e.WideShared {
		m.FeedForward *= 2
	}
	if e.Heads > 0 {
		m.KVHeads = slices.Repeat([]int{e.KVHeads}, e.Layers)
	}
	if e.GlobalKV > 0 || e.GlobalKey > 0 {
		m.KeyLengthSWA, m.ValueLengthSWA = m.KeyLength, m.ValueLength
		m.KeyLength = or(e.GlobalKey, m.KeyLength)
		m.ValueLength = m.KeyLength
		for i := range m.KVHeads {
			if !m.windowed(i) {
				m.KVHeads[i] = or(e.GlobalKV, e.KVHeads)
			}
		}
	}
	if e.KVLoRARank > 0 {
		m.KeyLength, m.ValueLength = e.Nope+e.RopeDim, e.ValueMLA
		if !e.Unfolded {
			m.KeyLengthMLA, m.ValueLengthMLA = m.KeyLength, m.ValueLength
		}
	}
	m.Recurrent = Recurrent{Inner: e.Inner, State: e.State, Groups: e.Groups, Steps: e.Steps}
	shape := recurrentShape{conv: e.Conv, short: e.Short, interval: e.Interval}
	if len(e.Attention) > 0 {
		for i := range m.KVHeads {
			if !slices.Contains(e.Attention, i) {
				m.KVHeads[i] = 0
			}
		}
		if e.Mamba > 0 {
			shape.ff = make([]int, e.Layers)
		}
		for i, mamba := 0, 0; i < len(shape.ff); i++ { // which of the others are recurrent does not change a sum
			if m.KVHeads[i] == 0 {
				if mamba++; mamba > e.Mamba {
					shape.ff[i] = 1
				}
			}
		}
	}
	m.setRecurrent(shape)
	if e.Vision > 0 {
		b := int64(e.Vision * 2e9)
		m.Projector = Projector{Present: true, Bytes: &b}
	}
	m.complete(&reader{})
	m.Weights = e.weights(m, quantisation)
	return m
}

// nearest are the names most like one, by the share of common pairs of characters.
func nearest(name string, n int) []string {
	type scored struct {
		name  string
		score int
	}
	want := pairs(strings.ToLower(name))
	var all []scored
	for _, e := range Catalogue() {
		best := 0
		for _, a := range append([]string{e.Name}, e.Aliases...) {
			have := pairs(a)
			common := 0
			for p := range want {
				if have[p] {
					common++
				}
			}
			if total := len(want) + len(have); total > 0 {
				best = max(best, 2000*common/total)
			}
		}
		if best >= 600 {
			all = append(all, scored{e.Name, best})
		}
	}
	slices.SortStableFunc(all, func(a, b scored) int { return b.score - a.score })
	var out []string
	for _, s := range all[:min(n, len(all))] {
		out = append(out, s.name)
	}
	return out
}

func pairs(s string) map[string]bool {
	out := map[string]bool{}
	if len(s) > 200 {
		s = s[:200]
	}
	for i := range len(s) - 1 {
		out[s[i:i+2]] = true
	}
	return out
}
