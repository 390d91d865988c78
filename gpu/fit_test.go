package gpu

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// card is a machine with one CUDA card of so many bytes free, and a server that Assay starts.
func oneCard(free int64, version string) Machine {
	total := max(free, 24*giB)
	return Machine{Devices: []Device{{Name: "card", Backend: CUDA, Total: &total, Free: &free}}, Server: Server{Version: version, Settable: true}}
}

func ptr(n int64) *int64 { return &n }

// short shows a decision.
func short(d Decision) string {
	var out []string
	for _, o := range d.Options {
		out = append(out, fmt.Sprintf("%s %d %s x%d b%d %s", o.Model, o.Context, o.KV, o.Parallel, o.Batch, o.Fit))
	}
	return strings.Join(out, " + ")
}

func candidates(t *testing.T, names ...string) []Candidate {
	var out []Candidate
	for _, n := range names {
		out = append(out, Candidate{Model: model(t, n), Installed: true})
	}
	return out
}

func answering(context int) []Need { return []Need{{Role: Answering, Context: context}} }

// TestChoose holds one decision of each kind.
func TestChoose(t *testing.T) {
	mib := func(n int64) int64 { return n << 20 }
	tests := []struct {
		name    string
		machine Machine
		needs   []Need
		models  []string
		policy  Policy
		want    string // "" for a refusal
		says    string // in the reasons, the refusal or the labels
	}{
		{"the first that fits", oneCard(mib(15348), "0.32.7"), answering(16384), []string{"qwen3:32b", "gpt-oss:20b", "qwen3:14b"}, Policy{}, "gpt-oss:20b 16384 f16 x1 b1024 fits", "best of 3 models that fits"},
		{"the first", oneCard(mib(23000), "0.32.7"), answering(16384), []string{"gpt-oss:20b", "qwen3:14b"}, Policy{}, "gpt-oss:20b 16384 f16 x1 b1024 fits", "comes first of 2 models"},
		{"more context than is of use is not taken", oneCard(mib(23000), "0.32.7"), answering(8192), []string{"qwen3:8b"}, Policy{}, "qwen3:8b 8192 f16 x1 b1024 fits", "more context buys nothing"},
		{"as much context as fits", oneCard(mib(15348), "0.32.7"), answering(0), []string{"llama3.1:8b"}, Policy{}, "llama3.1:8b 65536 f16 x1 b2048 fits", "longest context that fits"},
		{"q8_0 reaches the useful context where f16 does not", oneCard(mib(10500), "0.32.7"), answering(32768), []string{"qwen3:8b"}, Policy{}, "qwen3:8b 32768 q8_0 x1 b1024 fits", "flash attention is on"},
		{"no q8_0 without flash attention", func() Machine { m := oneCard(mib(7500), "0.32.7"); m.Server.Flash = FlashOff; return m }(), answering(16384), []string{"qwen3:8b"}, Policy{}, "", "No model fits"},
		{"no q8_0 on a server of someone else", func() Machine { m := oneCard(mib(10500), "0.32.7"); m.Server = Server{Version: "0.32.7"}; return m }(), answering(32768), []string{"qwen3:8b"}, Policy{}, "qwen3:8b 16384 f16 x1 b1024 fits", "16,384 is the most that fits"},
		{"the format of a server of someone else", func() Machine {
			m := oneCard(mib(10500), "0.32.7")
			m.Server = Server{Version: "0.32.7", KV: Q8, Flash: FlashOn, Parallel: 1}
			return m
		}(), answering(32768), []string{"qwen3:8b"}, Policy{}, "qwen3:8b 32768 q8_0 x1 b1024 fits", "32,768"},
		{"its sequences", func() Machine {
			m := oneCard(mib(23000), "0.32.7")
			m.Server = Server{Version: "0.32.7", Parallel: 4}
			return m
		}(), answering(8192), []string{"qwen3:8b"}, Policy{}, "qwen3:8b 8192 f16 x4 b1024 fits", "4 sequences"},
		{"sequences as far as they fit", oneCard(mib(10000), "0.32.7"), []Need{{Role: Answering, Context: 8192, Parallel: 8}}, []string{"qwen3:8b"}, Policy{}, "qwen3:8b 8192 f16 x3 b1024 fits", "3 sequences"},
		{"a smaller batch when it is tight", oneCard(mib(14100), "0.32.7"), answering(16384), []string{"gpt-oss:20b"}, Policy{}, "gpt-oss:20b 16384 f16 x1 b512 fits", ""},
		{"roles that write share one model, the largest needs count", oneCard(mib(23000), "0.32.7"), []Need{{Role: "reader", Context: 16384}, {Role: "reviewer", Context: 8192, Parallel: 2}}, []string{"qwen3:8b"}, Policy{}, "qwen3:8b 16384 f16 x2 b1024 fits", ""},
		{"an embedding model beside it", oneCard(mib(15348), "0.32.7"), []Need{{Role: Answering, Context: 16384}, {Role: Embedding, Optional: true}}, []string{"gpt-oss:20b", "nomic-embed-text"}, Policy{}, "gpt-oss:20b 16384 f16 x1 b1024 fits + nomic-embed-text:v1.5 512 f16 x1 b512 fits", "fits beside it"},
		{"without one where it does not fit", oneCard(mib(14300), "0.32.7"), []Need{{Role: Answering, Context: 8192}, {Role: Embedding, Optional: true}}, []string{"gpt-oss:20b", "nomic-embed-text"}, Policy{}, "gpt-oss:20b 8192 f16 x1 b1024 fits", "search is by words"},
		{"a smaller model when embedding is required", oneCard(mib(14300), "0.32.7"), []Need{{Role: Answering, Context: 8192}, {Role: Embedding}}, []string{"gpt-oss:20b", "qwen3:8b", "nomic-embed-text"}, Policy{}, "qwen3:8b 8192 f16 x1 b1024 fits + nomic-embed-text:v1.5 512 f16 x1 b512 fits", ""},
		{"embedding alone", oneCard(mib(4000), "0.32.7"), []Need{{Role: Embedding}}, []string{"qwen3:8b", "bge-m3"}, Policy{}, "bge-m3:567m 512 f16 x1 b512 fits", ""},
		{"a smaller reserve", oneCard(mib(14000), "0.32.7"), answering(8192), []string{"gpt-oss:20b"}, Policy{Reserve: Share{MiB: 500}}, "gpt-oss:20b 8192 f16 x1 b1024 fits", "500 MiB are the reserve"},
		{"a reserve in per cent of the total", oneCard(mib(15348), "0.32.7"), answering(8192), []string{"gpt-oss:20b"}, Policy{Reserve: Share{Percent: 20}}, "", "No model fits"},
		{"a budget", oneCard(mib(23000), "0.32.7"), answering(8192), []string{"gpt-oss:20b", "qwen3:8b"}, Policy{Budget: Share{MiB: 8000}}, "qwen3:8b 8192 f16 x1 b1024 fits", ""},
		{"a reserve for one card", oneCard(mib(15348), "0.32.7"), answering(8192), []string{"gpt-oss:20b"}, Policy{PerDevice: map[int]Limits{0: {Reserve: Share{MiB: 6000}}}}, "", "No model fits"},
		{"an override that spills is used and labelled", oneCard(mib(9000), "0.32.7"), answering(8192), []string{"qwen3:8b"}, Policy{Override: Override{Model: "qwen3:8b", Context: 40960, KV: F16}}, "qwen3:8b 40960 f16 x1 b256 spills", "would run from main memory"},
		{"a size alone is no yes to spilling", oneCard(mib(9000), "0.32.7"), answering(8192), []string{"qwen3:8b"}, Policy{Override: Override{Context: 40960, KV: F16}}, "", "No model fits with what was asked for: qwen3:8b with 40,960 tokens comes nearest, needs 10,941 MiB and lacks 2,965 MiB. Card has 9,000 MiB free, less 1,024 MiB of reserve: room for 7,976 MiB."},
		{"nor to taking the reserve", oneCard(mib(15348), "0.32.7"), answering(0), []string{"qwen3:8b", "llama3.2:3b"}, Policy{Reserve: Share{MiB: 20 << 10}, Override: Override{Context: 8192}}, "", "A context of 8,192 tokens was asked for."},
		{"a reserve larger than the card is all of it", oneCard(mib(15348), "0.32.7"), answering(8192), []string{"qwen3:8b"}, Policy{Reserve: Share{MiB: 99999 << 10}}, "", "Card has 15,348 MiB free, less 24,576 MiB of reserve: room for 0 MiB."},
		{"a share of a card of unknown size is told of", Machine{Devices: []Device{{Name: "A100", Free: ptr(mib(15348))}}, Server: Server{Version: "0.32.7", Settable: true}}, answering(8192), []string{"qwen3:8b"}, Policy{Reserve: Share{Percent: 50}, Budget: Share{Percent: 40}}, "qwen3:8b 8192 f16 x1 b1024 fits", "The reserve of 50% is a share of a card whose size is not known here, so 1,024 MiB are left free.\nThe budget of 40%"},
		{"fewer tokens than the server takes", oneCard(mib(15348), "0.32.7"), answering(0), []string{"qwen3:8b"}, Policy{Override: Override{Context: 1}}, "qwen3:8b 4 f16 x1 b512 fits", "A context of 1 token was asked for; the server takes no fewer than 4, which are planned for."},
		{"an override of the model", oneCard(mib(23000), "0.32.7"), answering(8192), []string{"gpt-oss:20b", "qwen3:8b"}, Policy{Override: Override{Model: "qwen3:8b"}}, "qwen3:8b 8192 f16 x1 b1024 fits", "The model qwen3:8b was asked for."},
		{"q4_0 only when asked", oneCard(mib(9000), "0.32.7"), answering(16384), []string{"qwen3:8b"}, Policy{Override: Override{KV: Q4}}, "qwen3:8b 16384 q4_0 x1 b1024 fits", "A cache of q4_0 was asked for."},
		{"the reserve, when asked", oneCard(mib(13900), "0.32.7"), answering(8192), []string{"gpt-oss:20b"}, Policy{Override: Override{Anyway: true}}, "gpt-oss:20b 8192 f16 x1 b1024 reserve", "The reserve is used because that was asked for."},
		{"unknown free memory is refused", Machine{Devices: []Device{{Name: "A100"}}}, answering(0), []string{"qwen3:8b"}, Policy{}, "", "The free memory of A100 is unknown"},
		{"and planned by a budget", Machine{Devices: []Device{{Name: "A100"}}, Server: Server{Version: "0.32.7", Settable: true}}, answering(8192), []string{"qwen3:8b"}, Policy{Budget: Share{MiB: 8000}}, "qwen3:8b 8192 f16 x1 b1024 fits", ""},
		{"no card and unknown memory", Machine{}, answering(0), []string{"qwen3:8b"}, Policy{}, "", "unknown"},
		{"no model", oneCard(mib(15348), "0.32.7"), answering(0), nil, Policy{}, "", "no model is given"},
		{"a model that cannot hold the minimum", oneCard(mib(15348), "0.32.7"), answering(0), []string{"llama2:7b"}, Policy{}, "", "was made for 4,096 tokens where 8,192 are needed"},
		{"an encoder does not write", oneCard(mib(15348), "0.32.7"), answering(0), []string{"bge-m3"}, Policy{}, "", "does not write"},
		{"a capability", oneCard(mib(15348), "0.32.7"), []Need{{Role: Answering, Context: 8192, Capabilities: []string{"tools"}}}, []string{"gemma3:4b", "qwen3:8b"}, Policy{}, "qwen3:8b 8192 f16 x1 b1024 fits", ""},
		{"ACCEPTANCE 67: the first choice fits, whatever the model's default is", oneCard(mib(15348), "0.32.7"), answering(0), []string{"mistral-nemo:12b"}, Policy{}, "mistral-nemo:12b 32768 f16 x1 b1024 fits", ""},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			d := Choose(tc.machine, tc.needs, candidates(t, tc.models...), tc.policy)
			if got := short(d); got != tc.want {
				t.Errorf("Choose = %q, want %q; %s", got, tc.want, d.Refusal)
			}
			if (d.Refusal == "") != (tc.want != "") {
				t.Errorf("refusal %q", d.Refusal)
			}
			if all := d.Refusal + "\n" + strings.Join(append(d.Why, d.Overridden...), "\n"); !strings.Contains(all, tc.says) {
				t.Errorf("the words do not say %q:\n%s", tc.says, all)
			}
			if b, err := json.Marshal(d); err != nil || strings.Contains(string(b), ":null") && !strings.Contains(string(b), `"missing":null`) {
				t.Errorf("as JSON it has a null list: %v\n%s", err, b)
			}
		})
	}
}

// TestChooseRemote holds that a model on another machine is never planned.
func TestChooseRemote(t *testing.T) {
	m := model(t, "qwen3:8b")
	m.Remote = true
	d := Choose(oneCard(20*giB, "0.32.7"), answering(8192), []Candidate{{Model: m}}, Policy{})
	if len(d.Options) != 0 || !strings.Contains(d.Refusal, "another machine") {
		t.Errorf("%s %s", short(d), d.Refusal)
	}
}

// TestChooseUnload holds that the memory of models that will go counts as free, that of one which another program uses does
// not, and that what has to go is named.
func TestChooseUnload(t *testing.T) {
	m := oneCard(4*giB, "0.32.7")
	m.Loaded = []Resident{{Name: "qwen3:32b", Bytes: 11 * giB}}
	d := Choose(m, answering(8192), candidates(t, "gpt-oss:20b"), Policy{})
	if short(d) != "gpt-oss:20b 8192 f16 x1 b1024 fits" || !slices.Equal(d.Unload, []string{"qwen3:32b"}) {
		t.Errorf("%s, unload %q; %s", short(d), d.Unload, d.Refusal)
	}
	m.Loaded[0].Keep = true
	if d := Choose(m, answering(8192), candidates(t, "gpt-oss:20b"), Policy{}); len(d.Options) != 0 {
		t.Errorf("planned %s over a model that stays", short(d))
	}
	m.Loaded[0] = Resident{Name: "gpt-oss:20b", Bytes: 12 * giB}
	if d := Choose(m, answering(8192), candidates(t, "gpt-oss:20b"), Policy{}); len(d.Options) != 1 || len(d.Unload) != 0 {
		t.Errorf("the planned model is loaded: %s, unload %q", short(d), d.Unload)
	}
	two := Machine{Devices: append(slices.Clone(m.Devices), Device{Index: 1, Name: "other", Backend: CUDA, Free: m.Devices[0].Free}), Server: m.Server, Loaded: []Resident{{Name: "x", Bytes: 11 * giB}}}
	if d := Choose(two, answering(8192), candidates(t, "gpt-oss:20b"), Policy{}); len(d.Options) != 0 {
		t.Errorf("a model on an unknown card of two was counted as free: %s", short(d))
	}
}

// TestChooseCards holds several cards: one where it fits, all of them where it does not, the embedding model on either.
func TestChooseCards(t *testing.T) {
	cards := func(free ...int64) Machine {
		m := Machine{Server: Server{Version: "0.32.7", Settable: true}}
		for i, f := range free {
			total := int64(24 * giB)
			m.Devices = append(m.Devices, Device{Index: i, Name: fmt.Sprint("card ", i), Backend: CUDA, Total: &total, Free: &f})
		}
		return m
	}
	d := Choose(cards(10*giB, 16*giB), answering(8192), candidates(t, "gpt-oss:20b"), Policy{})
	if short(d) == "" || !slices.Equal(d.Options[0].Devices, []int{1}) {
		t.Errorf("on cards %v: %s", d.Options, d.Refusal)
	}
	d = Choose(cards(12*giB, 12*giB), answering(8192), candidates(t, "gpt-oss:20b"), Policy{})
	if short(d) == "" || !slices.Equal(d.Options[0].Devices, []int{0, 1}) || d.Options[0].Estimate.Load.Devices != 2 {
		t.Errorf("on cards %v: %s", d.Options, d.Refusal)
	}
	d = Choose(cards(7*giB, 7*giB), answering(8192), candidates(t, "gpt-oss:20b"), Policy{})
	if len(d.Options) != 0 {
		t.Errorf("14 GiB in two pieces hold %s", short(d))
	}
	d = Choose(cards(16*giB, 3*giB), []Need{{Role: Answering, Context: 32768}, {Role: Embedding}}, candidates(t, "gpt-oss:20b", "bge-m3"), Policy{})
	if len(d.Options) != 2 {
		t.Fatalf("%s %s", short(d), d.Refusal)
	}
	if d.Options[0].Devices[0] == d.Options[1].Devices[0] {
		t.Logf("both on card %v", d.Options[0].Devices)
	}
}

// TestChooseProcessor holds that without a card a model is planned for main memory, and that this is said.
func TestChooseProcessor(t *testing.T) {
	free := int64(8 * giB)
	d := Choose(Machine{MemoryFree: &free, Server: Server{Version: "0.17.4", Settable: true}}, answering(8192), candidates(t, "llama3.1:8b", "llama3.2:3b"), Policy{})
	if len(d.Options) != 1 || d.Options[0].Estimate.Card() != 0 || !strings.Contains(strings.Join(d.Why, " "), "on the processor, which is slow") {
		t.Errorf("%s %s %q", short(d), d.Refusal, d.Why)
	}
}

// TestAlternatives holds their order, that each has a reason, and the next better choice with what it lacks.
func TestAlternatives(t *testing.T) {
	d := Choose(oneCard(15348<<20, "0.32.7"), answering(16384), candidates(t, "mistral-small3.2:24b", "gpt-oss:20b", "qwen3:14b"), Policy{})
	if short(d) != "gpt-oss:20b 16384 f16 x1 b1024 fits" {
		t.Fatalf("%s %s", short(d), d.Refusal)
	}
	if !d.Alternatives[0].Chosen || d.Alternatives[0].Model != "gpt-oss:20b" {
		t.Errorf("the plan is not first: %+v", d.Alternatives[0])
	}
	for i, o := range d.Alternatives {
		if o.Why == "" || i > 1 && rank(o.Fit) < rank(d.Alternatives[i-1].Fit) || (o.Fit == Spills) != (o.Over > 0 && strings.Contains(o.Why, "main memory")) {
			t.Errorf("alternative %d: %s %d %s over %d: %q", i, o.Model, o.Context, o.Fit, o.Over, o.Why)
		}
	}
	if !strings.Contains(d.Next, "mistral-small3.2:24b") || !strings.Contains(d.Next, "MiB") {
		t.Errorf("next = %q", d.Next)
	}
}

// TestChoosePure holds that a plan does not change its input and is the same each time.
func TestChoosePure(t *testing.T) {
	m := oneCard(15348<<20, "0.32.7")
	cs := candidates(t, "gpt-oss:20b", "qwen3:14b", "nomic-embed-text")
	before := fmt.Sprintf("%+v %+v", cs, *m.Devices[0].Free)
	needs := []Need{{Role: Answering, Context: 16384}, {Role: Embedding, Optional: true}}
	a := Choose(m, needs, cs, Policy{})
	b := Choose(m, needs, cs, Policy{})
	if !reflect.DeepEqual(a, b) || fmt.Sprintf("%+v %+v", cs, *m.Devices[0].Free) != before {
		t.Error("two plans for the same differ, or the input changed")
	}
}

// TestTable holds the three ways a cell can stand, the sizes that grow with the context, and that q8_0 is left out where the
// server drops it.
func TestTable(t *testing.T) {
	m := model(t, "gpt-oss:20b")
	cells := Table(m, oneCard(15348<<20, "0.32.7"), Policy{Reserve: Share{MiB: 1700}}, Load{Batch: 2048}, Contexts(m), []KVType{F16, Q8})
	if len(cells) != 12 {
		t.Fatalf("%d cells, want 6 contexts x 2 formats", len(cells))
	}
	seen := map[Fit]bool{}
	for i, c := range cells {
		seen[c.Fit] = true
		if i >= 2 && c.Needs < cells[i-2].Needs {
			t.Errorf("%d at %s needs less than a shorter context", c.Context, c.KV)
		}
		if (c.Fit == Fits) != (c.Over == 0) || c.Fit == Spills && c.Left > 1024<<20 {
			t.Errorf("%d %s: %s, left %d, over %d", c.Context, c.KV, c.Fit, c.Left>>20, c.Over>>20)
		}
	}
	if !seen[Fits] || !seen[InReserve] || !seen[Spills] {
		t.Errorf("ways seen: %v", seen)
	}
	off := oneCard(15348<<20, "0.32.7")
	off.Server = Server{Version: "0.32.7", Flash: FlashOff}
	for _, c := range Table(m, off, Policy{}, Load{}, Contexts(m), []KVType{F16, Q8}) {
		if c.KV == Q8 {
			t.Error("q8_0 is listed although the server drops it")
		}
	}
	for _, c := range Table(m, Machine{}, Policy{}, Load{Version: "0.32.7"}, []int{8192}, []KVType{F16}) {
		if c.Fit != Unknown || c.Needs < 10*giB {
			t.Errorf("without free memory: %+v", c)
		}
	}
}

func TestContexts(t *testing.T) {
	for _, tc := range []struct {
		limit int
		want  []int
	}{
		{0, []int{4096, 8192, 16384, 32768, 65536, 131072}}, {40960, []int{4096, 8192, 16384, 32768, 40960}}, {2048, []int{2048}},
		{8192, []int{4096, 8192}}, {1 << 20, []int{4096, 8192, 16384, 32768, 65536, 131072}},
	} {
		if got := Contexts(Model{ContextLimit: tc.limit}); !slices.Equal(got, tc.want) {
			t.Errorf("Contexts(%d) = %v, want %v", tc.limit, got, tc.want)
		}
	}
}

// TestAccount holds that the sum which is told can be done again: on one card, with what the server holds back, under a budget, and
// over two cards.
func TestAccount(t *testing.T) {
	mib := func(n int64) int64 { return n << 20 }
	two := oneCard(mib(15348), "0.32.7")
	two.Devices = append(two.Devices, Device{Index: 1, Name: "card", Backend: CUDA, Total: two.Devices[0].Total, Free: two.Devices[0].Free})
	for name, tc := range map[string]struct {
		machine Machine
		policy  Policy
		model   string
		load    Load
		fit     Fit
		cards   int
	}{
		"one card":              {oneCard(mib(15348), "0.32.7"), Policy{}, "qwen3:8b", Load{Context: 8192}, Fits, 1},
		"one card, too small":   {oneCard(mib(9000), "0.32.7"), Policy{}, "qwen3:8b", Load{Context: 40960}, Spills, 1},
		"into the reserve":      {oneCard(mib(13800), "0.32.7"), Policy{}, "gpt-oss:20b", Load{Context: 8192}, InReserve, 1},
		"the server holds back": {oneCard(mib(15360), "0.11.3"), Policy{}, "qwen3:14b", Load{Context: 40960, KV: Q8, Flash: FlashOn}, Spills, 1},
		"a budget":              {oneCard(mib(15348), "0.32.7"), Policy{Budget: Share{MiB: 3000}}, "qwen3:8b", Load{Context: 8192}, InReserve, 1},
		"two cards":             {two, Policy{}, "qwen3:32b", Load{Context: 8192}, Fits, 2},
		"two cards, too small":  {two, Policy{}, "llama3.3:70b", Load{Context: 8192}, Spills, 2},
		"two cards, a budget":   {two, Policy{Budget: Share{Percent: 30}}, "qwen3:32b", Load{Context: 8192}, InReserve, 2},
	} {
		c := Table(model(t, tc.model), tc.machine, tc.policy, tc.load, []int{tc.load.Context}, []KVType{or(tc.load.KV, F16)})[0]
		a := c.Account
		if c.Fit != tc.fit || c.Devices != tc.cards || len(a.Cards) != tc.cards {
			t.Errorf("%s: %s on %d cards, %d in the sum; want %s on %d", name, c.Fit, c.Devices, len(a.Cards), tc.fit, tc.cards)
			continue
		}
		var room int64
		for _, k := range a.Cards {
			own := k.Free - max(k.Reserve, k.Held)
			if k.Budget != nil {
				own = min(own, *k.Budget)
			}
			if own = max(own-k.Own-k.Lost, 0); own != k.Room {
				t.Errorf("%s: card %d has room for %d, and its figures give %d", name, k.Index, k.Room, own)
			}
			room += own
		}
		over := max(a.Whole-room, 0)
		if over != a.Over || over != c.Over || (over == 0) != (c.Fit == Fits) {
			t.Errorf("%s: %d is missing by the sum, %d by the account, %d by the cell (%s): %q", name, over, a.Over, c.Over, c.Fit, a.Words())
		}
		if tc.cards > 1 {
			if c.Estimate.Load.Devices != 2 || c.Estimate.Of(PartOverhead) != 2*overheadBytes || !strings.Contains(strings.Join(a.Words(), " "), "over 2 cards together") {
				t.Errorf("%s: %d cards in the estimate, %q", name, c.Estimate.Load.Devices, a.Words())
			}
		}
		t.Logf("%s: %q; %s", name, a.Words(), c.Estimate.MarginWhy)
	}
	if free, reserve, cards, known := Room(two, Policy{}); !known || cards != 2 || free != mib(2*15348) || reserve != 2<<30 {
		t.Errorf("Room = %d, %d, %d, %v", free>>20, reserve>>20, cards, known)
	}
	if got := CardNames(two.Devices); got != "2 x card" {
		t.Errorf("CardNames = %q", got)
	}
}
