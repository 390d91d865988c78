package gpu

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// parameters of someTensors.
const someParameters = 2*256*1000 + 2*256*512

func readKeys(t *testing.T, keys map[string]any, more map[string]any) Model {
	t.Helper()
	info := llamaKeys()
	for k, v := range keys {
		info[k] = v
	}
	m, err := ReadShow(answerOf("llama", info, more))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestUnreadableHeads holds that key-value heads that are not said are bounded by the query heads and named, in whatever way they are
// not said; a layer that is said to have none has none.
func TestUnreadableHeads(t *testing.T) {
	cache := func(m Model) int64 { return m.Estimate(Load{Context: 8192, Version: "0.32.7"}).KVBytes() }
	all := map[string]any{"tensors": someTensors}
	most := cache(readKeys(t, map[string]any{"general.parameter_count": someParameters, "attention.head_count_kv": 8}, all))
	scalars := []string{"text", "negative", "huge", "fraction", "object"} // what stands there is shown
	for name, bad := range map[string]any{
		"null": nil, "text": "2", "negative": -8, "huge": 1e12, "fraction": 1.5, "nulls": []any{nil, nil, nil, nil}, "texts": []any{"8", "8", "8", "8"},
		"negatives": []int{-8, -8, -8, -8}, "huge ones": []any{1e12, 1e12, 1e12, 1e12}, "one null": []any{2, nil, 2, 2}, "too few": []int{2, 2}, "none": []int{},
		"lists": []any{[]int{2}, 2, 2, 2}, "object": map[string]int{"a": 1}, "all zero": []int{0, 0, 0, 0},
	} {
		m := readKeys(t, map[string]any{"general.parameter_count": someParameters, "attention.head_count_kv": bad}, all)
		if got := cache(m); got != most {
			t.Errorf("%s: the cache takes %d, want the bound of %d", name, got, most)
		}
		if !slices.ContainsFunc(m.Missing, func(s string) bool {
			return strings.HasPrefix(s, "the number of key-value heads of each layer") && strings.Contains(s, ", which cannot be)") == slices.Contains(scalars, name)
		}) {
			t.Errorf("%s: missing %q", name, m.Missing)
		}
		for _, p := range m.Estimate(Load{Context: 8192, Version: "0.32.7"}).Parts {
			if p.Kind == PartKV && (!p.Bound || !strings.Contains(p.Why, "8 key-value heads of 32")) {
				t.Errorf("%s: %+v", name, p)
			}
		}
	}
	m := readKeys(t, map[string]any{"general.parameter_count": someParameters, "attention.head_count_kv": []int{8, 0, 0, 8}}, all)
	if got := cache(m); got != most/2 || len(m.Missing) != 0 {
		t.Errorf("two layers without attention: %d, missing %q; want %d", got, m.Missing, most/2)
	}
}

// TestMissingFigures holds that no figure which decides the memory counts as nothing when it is missing.
func TestMissingFigures(t *testing.T) {
	all := map[string]any{"tensors": someTensors}
	whole := readKeys(t, nil, all).Estimate(Load{Context: 8192, Version: "0.32.7"})
	for _, key := range []string{"attention.head_count", "attention.head_count_kv", "feed_forward_length"} {
		for _, bad := range []any{nil, []any{nil, nil, nil, nil}, -1, "x"} {
			m := readKeys(t, map[string]any{key: bad}, all)
			e := m.Estimate(Load{Context: 8192, Version: "0.32.7"})
			if e.KVBytes() < whole.KVBytes() || e.Of(PartCompute) < whole.Of(PartCompute) || len(m.Missing) == 0 {
				t.Errorf("%s = %v: cache %d and working memory %d, want at least %d and %d; missing %q", key, bad, e.KVBytes(), e.Of(PartCompute), whole.KVBytes(), whole.Of(PartCompute), m.Missing)
			}
		}
	}
}

func TestParametersOf(t *testing.T) {
	for in, want := range map[string]int64{
		"8B": 8_500_000_000, "8.0B": 8_050_000_000, "137M": 137_500_000, "596.05M": 596_055_000, "8x7b": 60_000_000_000, " 20.9B ": 20_950_000_000,
		"1024": 1024, "": 0, "B": 0, "-8B": 0, "0B": 0, "8Q": 0, "99999T": 0, "1e9": 0, "Infinity": 0,
	} {
		if got := parametersOf(in); got != want {
			t.Errorf("parametersOf(%q) = %d, want %d", in, got, want)
		}
	}
}

// TestWeightsWithoutList holds what stands for the weights where no tensors are listed: the number of parameters, or its rounded form,
// at the quantisation's widest format; and that a model with neither is never said to fit.
func TestWeightsWithoutList(t *testing.T) {
	free := int64(80 << 30)
	onto := Machine{Devices: []Device{{Name: "card", Free: &free}}}
	fit := func(m Model) Cell {
		return Table(m, onto, Policy{}, Load{Version: "0.32.7"}, []int{8192}, []KVType{F16})[0]
	}
	for _, count := range []any{nil, -1, 0, "x", 1e300} {
		m := readKeys(t, map[string]any{"general.parameter_count": count}, map[string]any{"details": map[string]any{"parameter_size": "8.0B", "quantization_level": "Q4_K_M"}})
		e := m.Estimate(Load{Version: "0.32.7"})
		if got, want := e.Of(PartWeights), int64(8_050_000_000)/256*210; got < want || got > want+210 || !e.Bound() || fit(m).Fit != Fits {
			t.Errorf("count %v: weights %d, want %d; %+v", count, got, want, fit(m))
		}
		m = readKeys(t, map[string]any{"general.parameter_count": count}, nil)
		if c := fit(m); c.Fit != Unknown || m.Weighed() {
			t.Errorf("count %v and nothing else: %s, weighed %v; want unknown", count, c.Fit, m.Weighed())
		}
		d := Choose(onto, []Need{{Role: Answering}}, []Candidate{{Model: m, Installed: true}}, Policy{})
		if len(d.Options) != 0 || !strings.Contains(d.Refusal, "its weights are not known") {
			t.Errorf("count %v: planned %v, refusal %q", count, d.Options, d.Refusal)
		}
	}
}

// TestListThatCannotBeRight holds that a list of tensors which contradicts the number of parameters, or leaves sizes out, is no exact
// figure: the larger counts, and it is named.
func TestListThatCannotBeRight(t *testing.T) {
	layers := func(shape ...int64) []tensor {
		out := []tensor{{"token_embd.weight", "F16", []int64{256, 1000}}}
		for i := range 4 {
			out = append(out, tensor{fmt.Sprintf("blk.%d.x.weight", i), "F16", shape})
		}
		return out
	}
	right := int64(256*1000 + 4*256*512)
	for _, tc := range []struct {
		name       string
		parameters int64
		tensors    []tensor
		exact      bool
		least      int64 // bytes on the card
		weighed    bool
	}{
		{"right", right, layers(256, 512), true, 4 * 256 * 512 * 2, true},
		{"no count", 0, layers(256, 512), true, 4 * 256 * 512 * 2, true},
		{"a tenth", 10 * right, layers(256, 512), false, 10 * right * 210 / 256, true},
		{"ten times", right / 10, layers(256, 512), false, 4 * 256 * 512 * 2, true},
		{"one tensor of a billion", 1e9, []tensor{{"output_norm.weight", "F32", []int64{256}}}, false, 1e9 * 210 / 256, true},
		{"only one layer", 0, layers(256, 512)[:2], false, 4 * 256 * 512 * 2, true},
		{"no layer", 0, []tensor{{"token_embd.weight", "F16", []int64{256, 1000}}}, false, 0, false},
		{"shapes without size", 0, layers(), false, 0, false},
		{"negative shapes", 0, layers(-256, 512), false, 0, false},
		{"negative shapes, counted", right, layers(-256, 512), false, right * 210 / 256, true},
		{"huge shapes", right, layers(1<<40, 1<<40), false, 4 * maxTensorBytes, true},
	} {
		keys := map[string]any{}
		if tc.parameters > 0 {
			keys["general.parameter_count"] = tc.parameters
		}
		m := readKeys(t, keys, map[string]any{"tensors": tc.tensors})
		if m.Weights.Exact != tc.exact || m.Weights.Card() < tc.least || m.Weighed() != tc.weighed || (len(m.Missing) > 0) == tc.exact {
			t.Errorf("%s: exact %v, %d bytes, weighed %v, missing %q; want %v, at least %d, %v", tc.name, m.Weights.Exact, m.Weights.Card(), m.Weighed(), m.Missing, tc.exact, tc.least, tc.weighed)
		}
		if e := m.Estimate(Load{}); tc.weighed && !tc.exact && !e.Bound() {
			t.Errorf("%s: no part is a bound", tc.name)
		}
	}
}

// TestImpossibleMemory holds that figures which contradict each other are unknown, said, and no plan's, while the other cards of the
// output stay known.
func TestImpossibleMemory(t *testing.T) {
	const head = "index, name, memory.total [MiB], memory.used [MiB], memory.free [MiB], utilization.gpu [%]\n"
	for name, row := range map[string]string{
		"more free than there is": "NVIDIA A, 16376 MiB, 5 MiB, 99999 MiB, 3 %", "a power": "NVIDIA A, 16376 MiB, 5 MiB, 1e4 MiB, 3 %", "hexadecimal": "NVIDIA A, 16376 MiB, 5 MiB, 0x1p9 MiB, 3 %",
		"no memory": "NVIDIA A, 0 MiB, 0 MiB, 16000 MiB, 3 %", "negative": "NVIDIA A, 16376 MiB, 5 MiB, -16000 MiB, 3 %", "beyond all bounds": "NVIDIA A, 16376 MiB, 5 MiB, 99999999999999999999 MiB, 3 %",
	} {
		r, err := Read("x.csv", []byte(head+"0, "+row+"\n1, NVIDIA B, 8192 MiB, 100 MiB, 8000 MiB, 0 %\n"))
		if err != nil || len(r.GPUs) != 2 {
			t.Errorf("%s: %d cards, %v", name, len(r.GPUs), err)
			continue
		}
		if g := r.GPUs[0]; g.MemoryFree != nil || !slices.ContainsFunc(r.Conditions, func(c Condition) bool { return c.GPU == 0 && c.Kind == KindUnknown }) {
			t.Errorf("%s: %+v, %+v", name, g, r.Conditions)
		}
		if g := r.GPUs[0]; g.Usable != nil && *g.Usable > 16376<<20 {
			t.Errorf("%s: %d bytes are usable", name, *g.Usable)
		}
		if g := r.GPUs[1]; g.MemoryFree == nil || *g.MemoryFree != 8000<<20 {
			t.Errorf("%s: the other card is %+v", name, g)
		}
	}
	for _, bare := range []string{"NVIDIA A, 16376, 99999\nNVIDIA B, 8192, 8000\n", "0, NVIDIA A, 16376, -5\n1, NVIDIA B, 8192, 8000\n"} {
		r, err := Read("x.csv", []byte(bare))
		if err != nil || len(r.GPUs) != 2 || r.GPUs[0].MemoryFree != nil || r.GPUs[1].MemoryFree == nil {
			t.Errorf("%q: %+v, %v", bare, r.GPUs, err)
		}
	}
	// Whoever fills in a device: no plan gives out more than a card has.
	total, free := int64(16<<30), int64(90<<30)
	s, _ := slots(Machine{Devices: []Device{{Total: &total, Free: &free}}}, Policy{})
	if s[0].free != total {
		t.Errorf("a plan has %d bytes of a card of %d", s[0].free, total)
	}
}

// FuzzImpossible holds that no card is ever said to have more free or usable than it has.
func FuzzImpossible(f *testing.F) {
	f.Add("index, name, memory.total [MiB], memory.used [MiB], memory.free [MiB]\n0, NVIDIA A, 16376 MiB, 5 MiB, 99999 MiB\n")
	f.Add("NVIDIA A, 0, -5")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := Read("x", []byte(text))
		if err != nil {
			return
		}
		for _, g := range r.GPUs {
			for _, n := range []*int64{g.MemoryFree, g.Usable} {
				if n != nil && (*n < 0 || g.MemoryTotal != nil && *n > *g.MemoryTotal) {
					b, _ := json.Marshal(g)
					t.Errorf("%s", b)
				}
			}
		}
	})
}

// TestFiguresThatCannotBe holds that a figure which is there and cannot be is named with what it says, and that what hangs on it is not
// called missing.
func TestFiguresThatCannotBe(t *testing.T) {
	for name, tc := range map[string]struct {
		keys map[string]any
		want string
	}{
		"layers below none": {map[string]any{"block_count": -3}, "the number of layers (it says -3, which cannot be)"},
		"layers by the exa": {map[string]any{"block_count": int64(1e18)}, "the number of layers (it says 1000000000000000000, which cannot be)"},
		"no width":          {map[string]any{"embedding_length": -1}, "the width of the model (it says -1, which cannot be)"},
	} {
		m := readKeys(t, tc.keys, nil)
		if len(m.Missing) == 0 || m.Missing[0] != tc.want || slices.ContainsFunc(m.Missing, func(s string) bool { return strings.Contains(s, "heads") }) {
			t.Errorf("%s: missing %q, want %q and no heads", name, m.Missing, tc.want)
		}
	}
	m := readKeys(t, map[string]any{"general.architecture": "ll\x1bma"}, nil)
	if m.Architecture != "" || m.Layers != 0 || !strings.Contains(m.Missing[len(m.Missing)-1], "no name of one") && !strings.Contains(strings.Join(m.Missing, " "), "no name of one") {
		t.Errorf("architecture %q, %d layers, missing %q", m.Architecture, m.Layers, m.Missing)
	}
}
