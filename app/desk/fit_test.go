package desk

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"assay/engine/enginetest"
	"assay/gpu"
)

// fitDesk is a desk without a model server.
func fitDesk(t *testing.T) *Desk { return hardwareDesk(t, "127.0.0.1:1") }

func fit(t *testing.T, d *Desk, r FitRequest) FitReport {
	t.Helper()
	report, err := d.Fit(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func fitCell(t *testing.T, r FitReport, context int, kv gpu.KVType) Cell {
	t.Helper()
	for _, c := range r.Table {
		if c.Context == context && c.KV == kv {
			return c
		}
	}
	t.Fatalf("no cell of %d at %s", context, kv)
	return Cell{}
}

// TestFitQuantisedCache: ollama#10128, where q8_0 was ignored in the estimate. The cache at q8_0 is 34/64 of that at f16, and at
// q4_0 18/64, and so much less is needed.
func TestFitQuantisedCache(t *testing.T) {
	for _, version := range []string{"0.32.7", "0.17.4", ""} {
		for _, model := range []string{"llama3.1:8b", "qwen3:14b"} {
			r := fit(t, fitDesk(t), FitRequest{Model: model, Free: "24GiB", Version: version})
			for _, n := range []int{8192, 32768} {
				f16, q8, q4 := fitCell(t, r, n, gpu.F16), fitCell(t, r, n, gpu.Q8), fitCell(t, r, n, gpu.Q4)
				if q8.KVBytes*64 != f16.KVBytes*34 || q4.KVBytes*64 != f16.KVBytes*18 {
					t.Errorf("%s at %d by %q: caches of %d, %d, %d", model, n, version, f16.KVBytes, q8.KVBytes, q4.KVBytes)
				}
				if saved := f16.Needs - q8.Needs; saved < (f16.KVBytes-q8.KVBytes)*3/4 {
					t.Errorf("%s at %d by %q: q8_0 saves %d of %d", model, n, version, saved, f16.KVBytes-q8.KVBytes)
				}
			}
		}
	}
}

// TestFitMeasuredAndOverridden: lmstudio#1631, where 22.9 GB were estimated, 11.5 were used, and nothing could be done about it.
// The measurement is shown beside the estimate and corrects the next one; and what is insisted on is used and labelled.
func TestFitMeasuredAndOverridden(t *testing.T) {
	server := enginetest.StartOllama(t, enginetest.Tiny{Arch: "qwen3", Context: 65536})
	d := hardwareDesk(t, server.URL)
	ask := FitRequest{Model: enginetest.TinyModel, Context: 16384, KV: "f16", Free: "8GiB"}
	first := fit(t, d, ask)
	if first.From != FromServer || !first.Installed || first.Measured != nil || first.Version != "0.17.4" {
		t.Fatalf("report %+v", first)
	}
	list, err := d.Models(t.Context())
	if err != nil || len(list.Models) != 1 {
		t.Fatal(err)
	}
	if err := d.learn(gpu.Observation{Digest: list.Models[0].Digest, Context: 16384, KV: gpu.F16, Parallel: 1, Version: first.Version,
		Predicted: first.Chosen.Server, Measured: first.Chosen.Server / 2}); err != nil {
		t.Fatal(err)
	}
	again := fit(t, d, ask)
	if again.Measured == nil || *again.Measured < 0.49 || *again.Measured > 0.51 || again.Calibrated != "measured last time: -50.0 %" ||
		again.Chosen.Server > first.Chosen.Server*51/100 {
		t.Errorf("after a measurement: ratio %v, %q, %d and before %d", again.Measured, again.Calibrated, again.Chosen.Server, first.Chosen.Server)
	}
	if !slices.ContainsFunc(again.Chosen.Parts, func(p gpu.Part) bool { return p.Kind == gpu.PartCalibration && p.Bytes < 0 }) {
		t.Errorf("the correction is no part of the estimate: %+v", again.Chosen.Parts)
	}
	big := fit(t, fitDesk(t), FitRequest{Model: "llama3.1:8b", Context: 131072, KV: "f16", Parallel: 2, Free: "12GiB"})
	if big.Chosen.Context != 131072 || big.Chosen.Fit != gpu.Spills || big.Chosen.Parallel != 2 || len(big.Overridden) != 4 ||
		!strings.Contains(big.Why, "would not fit") || !strings.Contains(big.Why, "would fit.") {
		t.Errorf("what was insisted on: %+v, %q, %q", big.Chosen.Cell, big.Why, big.Overridden)
	}
	// The settings' overrides are used by a plan and labelled there.
	set := d.Settings()
	set.Memory.Context, set.Model = 32768, "ollama:"+enginetest.TinyModel
	if err := d.SetSettings(set); err != nil {
		t.Fatal(err)
	}
	d.wire.memory = playedCards(8 << 30)
	plan, err := d.Plan(t.Context())
	if err != nil || !plan.Known || len(plan.Options) != 1 || plan.Options[0].Context != 32768 || len(plan.Overridden) != 2 {
		t.Errorf("plan %+v, %v", plan, err)
	}
}

// TestFitFirstChoice: jan#8236, where the default window asked for a cache of 36 GiB. The first choice fits what is free, for
// every well-known model that fits at all, and the model's own window is never the default.
func TestFitFirstChoice(t *testing.T) {
	d := fitDesk(t)
	for _, free := range []string{"7.5GiB", "15.2GiB", "23GiB"} {
		fits := 0
		for _, e := range gpu.Catalogue() {
			m, err := gpu.Known(e.Name)
			if err != nil || !m.Writes() {
				continue
			}
			r := fit(t, d, FitRequest{Model: e.Name, Free: free})
			switch {
			case r.Largest == nil && (r.Chosen.Fit == gpu.Fits || !strings.Contains(r.Why, "missing") && !strings.Contains(r.Why, "left free")):
				t.Errorf("%s in %s: nothing fits, and the choice is %+v: %s", e.Name, free, r.Chosen.Cell, r.Why)
			case r.Largest != nil:
				fits++
				if r.Chosen.Fit != gpu.Fits || r.Chosen.Needs+r.Reserve > *r.Free || !reflect.DeepEqual(r.Chosen.Cell, *r.Largest) {
					t.Errorf("%s in %s: chose %+v", e.Name, free, r.Chosen.Cell)
				}
			}
		}
		if fits < 3 {
			t.Errorf("%d models fit in %s", fits, free)
		}
	}
}

// TestFitWithoutACard says that there is none and offers --free, and tells what a card would have to hold.
func TestFitWithoutACard(t *testing.T) {
	d := fitDesk(t)
	if len(d.Machine(t.Context()).Devices()) > 0 {
		t.Skip("this machine has a card")
	}
	r := fit(t, d, FitRequest{Model: "gpt-oss:20b"})
	if r.From != FromCatalogue || !strings.Contains(r.NoCard, "no graphics card") || !strings.Contains(r.NoCard, "--free 15.2GiB") || r.Free != nil || r.Largest != nil ||
		r.Chosen.Fit != gpu.Unknown || r.Chosen.Over != nil || r.Chosen.Card < 12<<30 || r.Chosen.Context != gpu.MinContext {
		t.Errorf("report %+v", r)
	}
	for _, c := range r.Table {
		if c.Fit != gpu.Unknown || c.Left != nil || c.Needs <= 0 {
			t.Errorf("cell %+v", c)
		}
	}
}

// TestFitFromAFile reads real descriptions, verbose and not.
func TestFitFromAFile(t *testing.T) {
	server := enginetest.StartOllama(t, enginetest.Tiny{Arch: "llama", Layers: 3, Embedding: 256, Context: 65536})
	d := hardwareDesk(t, server.URL)
	m, err := d.ShowModel(t.Context(), enginetest.TinyModel)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "show.json")
	if err := os.WriteFile(file, m.Shown, 0o600); err != nil {
		t.Fatal(err)
	}
	r := fit(t, d, FitRequest{ModelInfo: file, Free: "4 GiB", Version: "0.17.4", Parallel: 4, Context: 8192})
	// 3 layers, 2 key-value heads of 64 + 64, 2 bytes: the server allocates exactly that (bench "allocated").
	if r.Model != "show" || r.From != FromFile || r.Chosen.KVBytes != 3*8192*4*2*128*2 || len(r.Missing) > 0 {
		t.Errorf("report %+v", r)
	}
	all, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"model", "from", "table", "chosen", "why", "next", "free_bytes", "reserve_bytes", "ollama_version", "measured_ratio", "overridden", "notes", "missing", "largest"} {
		if !strings.Contains(string(all), `"`+key+`":`) {
			t.Errorf("the JSON has no %s", key)
		}
	}
}

// TestFitRefuses holds that what is wrong is one sentence that the person can act on.
func TestFitRefuses(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	d := fitDesk(t)
	for name, tc := range map[string]struct {
		r    FitRequest
		want string
	}{
		"nothing":            {FitRequest{}, "name a model"},
		"unknown model":      {FitRequest{Model: "lama3.1:8b"}, "nearest names are llama3.1:8b"},
		"a wild name":        {FitRequest{Model: "\x1b[31m" + strings.Repeat("x", 250)}, "does not know it"},
		"an endless name":    {FitRequest{Model: strings.Repeat("x", 1<<20)}, "no name"},
		"no unit":            {FitRequest{Model: "gpt-oss:20b", Free: "15"}, "name the unit"},
		"no size":            {FitRequest{Model: "gpt-oss:20b", Free: "lots"}, "write a size as"},
		"negative":           {FitRequest{Model: "gpt-oss:20b", Free: "-3GiB"}, "write a size as"},
		"zero":               {FitRequest{Model: "gpt-oss:20b", Free: "0GiB"}, "no memory at all"},
		"not a number":       {FitRequest{Model: "gpt-oss:20b", Free: "NaNGiB"}, "write a size as"},
		"huge":               {FitRequest{Model: "gpt-oss:20b", Free: "99999999999999999TiB"}, "no machine has more"},
		"huger":              {FitRequest{Model: "gpt-oss:20b", Free: strings.Repeat("9", 400) + "GiB"}, "write a size as"},
		"two points":         {FitRequest{Model: "gpt-oss:20b", Free: "1.5.2GiB"}, "write a size as"},
		"huge window":        {FitRequest{Model: "gpt-oss:20b", Context: 1 << 40}, "tokens"},
		"negative window":    {FitRequest{Model: "gpt-oss:20b", Context: -1}, "tokens"},
		"many at once":       {FitRequest{Model: "gpt-oss:20b", Parallel: 1 << 30}, "use 1 to"},
		"cache type":         {FitRequest{Model: "gpt-oss:20b", KV: "q5_0"}, "f16, q8_0 or q4_0"},
		"version":            {FitRequest{Model: "gpt-oss:20b", Version: "latest"}, "0.32.7"},
		"version of letters": {FitRequest{Model: "gpt-oss:20b", Version: "0.x"}, "0.32.7"},
		"no file":            {FitRequest{ModelInfo: filepath.Join(dir, "none.json")}, "does not exist"},
		"a folder":           {FitRequest{ModelInfo: dir}, "it is a folder"},
		"no JSON":            {FitRequest{ModelInfo: write("a.json", "<html>")}, "no answer of /api/show"},
		"cut JSON":           {FitRequest{ModelInfo: write("b.json", `{"model_info":{"general.arch`)}, "no answer of /api/show"},
		"another JSON":       {FitRequest{ModelInfo: write("c.json", `{"models":[]}`)}, "no answer of /api/show"},
		"a list":             {FitRequest{ModelInfo: write("h.json", "[]")}, "(it is an array and not an object); assay models show NAME --raw"},
		"empty":              {FitRequest{ModelInfo: write("d.json", "")}, "no answer of /api/show"},
		"no layers":          {FitRequest{ModelInfo: write("e.json", `{"model_info":{"general.architecture":"llama"}}`)}, "it lacks the number of layers"},
		"a cloud model":      {FitRequest{ModelInfo: write("f.json", `{"remote_host":"https://ollama.com","model_info":{}}`)}, "another machine"},
		"wrong kinds":        {FitRequest{ModelInfo: write("g.json", `{"model_info":{"general.architecture":"llama","llama.block_count":"many","llama.embedding_length":-5}}`)}, "it lacks"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := d.Fit(t.Context(), tc.r)
			var ue *UsageError
			if !errors.As(err, &ue) || !strings.Contains(err.Error(), tc.want) || strings.ContainsAny(err.Error(), "\n\x1b") || len(err.Error()) > 700 {
				t.Errorf("Fit = %v, want one usage sentence with %q", err, tc.want)
			}
		})
	}
}

// TestFitHugeFigures holds that a description with absurd figures gives figures, and neither a panic nor a negative size.
func TestFitHugeFigures(t *testing.T) {
	file := filepath.Join(t.TempDir(), "huge.json")
	if err := os.WriteFile(file, []byte(`{"model_info":{"general.architecture":"llama","general.parameter_count":1000000000000,"llama.block_count":2000,"llama.embedding_length":16000000,"llama.context_length":60000000,
		"llama.attention.head_count":16000,"llama.attention.head_count_kv":16000,"llama.attention.key_length":16000000,"llama.attention.value_length":16000000}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	r := fit(t, fitDesk(t), FitRequest{ModelInfo: file, Free: "1TiB", Parallel: 256, Context: 1 << 26})
	for _, c := range append(r.Table, r.Chosen.Cell) {
		if c.Needs < 0 || c.KVBytes < 0 || c.Over != nil && *c.Over < 0 || c.Fit == gpu.Fits {
			t.Errorf("cell %+v", c)
		}
	}
}

func FuzzParseSize(f *testing.F) {
	for _, s := range []string{"15.2GiB", "800 MiB", "16GB", "0", "10%", "1,5GiB", "", "1e9GiB", "٣GiB", "9999999999999999999TiB", "-1%", "1B"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if n, err := ParseSize(s); err == nil && (n <= 0 || n > maxMiB<<20) {
			t.Errorf("%q is %d", s, n)
		} else if err != nil && len(err.Error()) > 400 {
			t.Errorf("%q: %v", s, err)
		}
		if p, err := parseShare(s); err == nil && (p.Percent < 0 || p.Percent > 100 || p.MiB < 0) {
			t.Errorf("%q is %+v", s, p)
		}
	})
}

func TestMemorySettings(t *testing.T) {
	for name, tc := range map[string]struct {
		m    MemorySettings
		want string // "" for none
	}{
		"default":       {MemorySettings{}, ""},
		"sizes":         {MemorySettings{Reserve: "1.5 GiB", Budget: "80%", Cards: map[int]CardMemory{1: {Reserve: "0", Budget: "8GiB"}}, Context: 8192, Batch: 256, UseReserve: true}, ""},
		"no unit":       {MemorySettings{Reserve: "1024"}, "reserve \"1024\": name the unit"},
		"share":         {MemorySettings{Budget: "120%"}, "0% to 100%"},
		"no budget":     {MemorySettings{Budget: "0"}, "no model fits"},
		"card":          {MemorySettings{Cards: map[int]CardMemory{-1: {}}}, "counted from 0"},
		"card's budget": {MemorySettings{Cards: map[int]CardMemory{2: {Budget: "x"}}}, "budget of card 2"},
		"window":        {MemorySettings{Context: 4096}, "needs 8,192"},
		"long window":   {MemorySettings{Context: 1 << 30}, "no model has"},
		"batch":         {MemorySettings{Batch: 8}, "use 32 to"},
	} {
		t.Run(name, func(t *testing.T) {
			d := fitDesk(t)
			set := d.Settings()
			set.Memory = tc.m
			err := d.SetSettings(set)
			if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
				t.Fatalf("SetSettings = %v, want %q", err, tc.want)
			}
			if got := d.Settings().Memory; err == nil && !reflect.DeepEqual(got, tc.m) {
				t.Errorf("kept %+v, want %+v", got, tc.m)
			}
		})
	}
	p := Settings{Memory: MemorySettings{Reserve: "512MiB", Budget: "50%", Cards: map[int]CardMemory{1: {Reserve: "0"}}, Context: 16384}}.policy(nil)
	want := gpu.Policy{Reserve: gpu.Share{MiB: 512}, Budget: gpu.Share{Percent: 50}, PerDevice: map[int]gpu.Limits{1: {Reserve: gpu.Share{None: true}}}, Override: gpu.Override{Context: 16384}}
	if !reflect.DeepEqual(p, want) {
		t.Errorf("policy %+v, want %+v", p, want)
	}
}
