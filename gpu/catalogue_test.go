package gpu

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

// TestCatalogueFile holds the form of the file: no unknown key, names and aliases once, an origin, sizes for every entry.
func TestCatalogueFile(t *testing.T) {
	d := json.NewDecoder(bytes.NewReader(catalogueJSON))
	d.DisallowUnknownFields()
	var entries []Entry
	if err := d.Decode(&entries); err != nil {
		t.Fatal(err)
	}
	if len(entries) < 40 {
		t.Errorf("%d models, want at least 40", len(entries))
	}
	seen := map[string]string{}
	for _, e := range entries {
		for _, n := range append([]string{e.Name}, e.Aliases...) {
			if seen[n] != "" {
				t.Errorf("%s and %s are both called %s", seen[n], e.Name, n)
			}
			seen[n] = e.Name
			if n != strings.ToLower(n) || n == "" {
				t.Errorf("%s: the name %q is not lower case", e.Name, n)
			}
		}
		m := e.Model("")
		switch {
		case e.Origin == "" || len(e.Capabilities) == 0:
			t.Errorf("%s has no origin or no capabilities", e.Name)
		case mixtures[e.Quantisation].base == "" || !m.Weights.known() || m.Weights.Exact || m.Weights.Source == "":
			t.Errorf("%s: no weights for %q", e.Name, e.Quantisation)
		case len(m.Missing) != 0:
			t.Errorf("%s: %q are missing", e.Name, m.Missing)
		case m.Writes() == slices.Contains(e.Capabilities, "embedding") && !m.Encoder:
			t.Errorf("%s writes %v, capabilities %q", e.Name, m.Writes(), e.Capabilities)
		}
		sane(t, m)
	}
}

// TestCatalogueParameters holds that the shapes of each entry add up to the parameters its authors publish: a wrong width,
// layer or vocabulary shows.
func TestCatalogueParameters(t *testing.T) {
	for _, e := range Catalogue() {
		got := float64(e.parameters()) / 1e9
		if off := got/e.Billions - 1; math.Abs(off) > 0.01 {
			t.Errorf("%s: the shapes have %.3f billion parameters, published are %.3f (%+.1f %%)", e.Name, got, e.Billions, 100*off)
		}
	}
}

// TestCatalogueWeights holds the computed weights against logged ones, in MiB on the card: gemma3:1b 762.5 (case c024),
// gpt-oss:120b 59.8 GiB (c025), command-r 19423.91 at Q4_K_S (c035), gemma3:27b 15773.97 (c102),
// llama3.1:8b 4403.49 at Q4_K_M.
func TestCatalogueWeights(t *testing.T) {
	for _, tc := range []struct {
		name string
		want float64
	}{
		{"gemma3:1b", 762.5}, {"gpt-oss:120b", 61235.2}, {"command-r:35b-v0.1-q4_k_s", 19423.91}, {"gemma3:27b", 15773.97},
		{"llama3.1:8b", 4403.49}, {"bge-small:33m", 40.73},
	} {
		got := float64(model(t, tc.name).Weights.Card()) / (1 << 20)
		if off := got/tc.want - 1; math.Abs(off) > 0.015 {
			t.Errorf("%s: %.1f MiB, logged %.1f (%+.1f %%)", tc.name, got, tc.want, 100*off)
		}
	}
}

func TestKnown(t *testing.T) {
	for _, tc := range []struct{ name, want, quant string }{
		{"qwen3:14b", "qwen3:14b", "Q4_K_M"}, {"qwen3", "qwen3:8b", "Q4_K_M"}, {"qwen3:latest", "qwen3:8b", "Q4_K_M"}, {"QWEN3:14B", "qwen3:14b", "Q4_K_M"},
		{"qwen3:14b-q8_0", "qwen3:14b", "Q8_0"}, {"llama3.1:8b-instruct-q5_K_M", "llama3.1:8b", "Q5_K_M"}, {"llama3.1:8b-instruct-fp16", "llama3.1:8b", "F16"},
		{"gpt-oss", "gpt-oss:20b", "MXFP4"}, {"hf.co/unsloth/Qwen3-Coder-30B-A3B-Instruct-GGUF", "qwen3-coder:30b", "Q4_K_M"},
		{"Qwen3-Coder-30B-A3B-Instruct-Q4_K_M.gguf", "qwen3-coder:30b", "Q4_K_M"}, {"mpt-7b-storywriter.i1-Q4_K_M.gguf", "mpt:7b", "Q4_K_M"},
		{"library/mistral-nemo", "mistral-nemo:12b", "Q4_0"}, {"Mistral-Small-4-119B-2603-UD-IQ1_M.gguf", "mistral-small4:119b", "IQ1_M"},
	} {
		m, err := Known(tc.name)
		if err != nil || m.Name != tc.want || m.Quantisation != tc.quant {
			t.Errorf("Known(%q) = %s %s, %v; want %s %s", tc.name, m.Name, m.Quantisation, err, tc.want, tc.quant)
		}
	}
}

func TestUnknownModel(t *testing.T) {
	for name, near := range map[string]string{"qwen3:15b": "qwen3:", "llama3.1:9b": "llama3.1:", "gptoss:20b": "gpt-oss:20b", "mistral-smal": "mistral-small"} {
		_, err := Known(name)
		var unknown *UnknownModelError
		if !errors.As(err, &unknown) || len(unknown.Near) == 0 || !strings.HasPrefix(unknown.Near[0], near) {
			t.Errorf("Known(%q) = %v, want names near %s", name, err, near)
		}
	}
	for _, name := range []string{"", "zzzzqqqq", strings.Repeat("a", 1000), "\x00", "///"} {
		if m, err := Known(name); err == nil {
			t.Errorf("Known(%q) = %s", name, m.Name)
		}
	}
}

// FuzzKnown holds that any name is found or refused with names of the catalogue.
func FuzzKnown(f *testing.F) {
	f.Add("qwen3:14b-q4_k_m")
	f.Add("a-b.c_d:e-q8_0.gguf")
	f.Fuzz(func(t *testing.T, name string) {
		m, err := Known(name)
		var unknown *UnknownModelError
		switch {
		case err == nil && m.Layers == 0:
			t.Errorf("Known(%q) is empty", name)
		case err != nil && !errors.As(err, &unknown):
			t.Errorf("Known(%q) = %v", name, err)
		}
	})
}
