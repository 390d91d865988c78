package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/app/desk"
	"assay/engine/enginetest"
	"assay/engine/research"
)

// TestFit prints the table and the parts of a model that is not pulled, for a card that is stated.
func TestFit(t *testing.T) {
	x := newTerminal(t)
	out := x.want(0, "", "fit", "gpt-oss:20b", "--free", "15.2GiB", "--ctx", "16384", "--ollama-version", "0.32.7")
	for _, part := range []string{
		"gpt-oss:20b", "not pulled yet; the catalogue has it", "Ollama 0.30 or later (server 0.32.7)", "15.2 GiB free for models, of which 1.0 GiB are the reserve",
		"window ", "f16", "q8_0", "q4_0", "131072", "fits", "lacks", "16,384 tokens at f16 was asked for and fits", "weights:", "cache:", "working memory:", "driver:",
		"together on the card", "A context of 16,384 tokens was asked for.", "The free memory was stated and not measured.", "The next better choice, ",
	} {
		if !strings.Contains(out, part) {
			t.Errorf("assay fit printed no %q:\n%s", part, out)
		}
	}
	var r struct {
		Model  string `json:"model"`
		From   string `json:"from"`
		Free   *int64 `json:"free_bytes"`
		Chosen struct {
			Context int    `json:"context"`
			KV      string `json:"kv"`
			KVBytes int64  `json:"kv_bytes"`
			Fit     string `json:"fit"`
			Parts   []struct {
				Kind  string `json:"kind"`
				Bytes int64  `json:"bytes"`
				Why   string `json:"why"`
			} `json:"parts"`
		} `json:"chosen"`
		Table []struct {
			Fit string `json:"fit"`
		} `json:"table"`
	}
	if err := json.Unmarshal([]byte(x.want(0, "", "fit", "llama3.1:8b", "--free", "12GiB", "--kv", "q8_0", "--parallel", "2", "--json")), &r); err != nil {
		t.Fatal(err)
	}
	if r.Model != "llama3.1:8b" || r.From != "catalogue" || r.Free == nil || *r.Free != 12<<30 || r.Chosen.KV != "q8_0" || r.Chosen.Fit != "fits" || len(r.Table) < 15 || len(r.Chosen.Parts) < 4 {
		t.Errorf("%+v", r)
	}
	for _, p := range r.Chosen.Parts {
		if p.Kind == "" || p.Bytes <= 0 || p.Why == "" {
			t.Errorf("part %+v", p)
		}
	}
}

// TestFitOfAServer reads a model of a real server, and plans over all that it has.
func TestFitOfAServer(t *testing.T) {
	server := enginetest.StartOllama(t, enginetest.Tiny{Arch: "qwen3", Context: 65536})
	x := newTerminal(t)
	x.ollama = server.URL
	x.want(0, "as the Ollama server 0.17.4 at", "fit", "tiny", "--free", "2GiB")
	x.want(0, "Plan: tiny:latest, window 16384, cache f16", "fit", "--free", "2GiB")
	out := x.want(0, "", "fit", "--free", "2GiB", "--json")
	for _, key := range []string{`"options":[`, `"alternatives":[`, `"why":[`, `"known":true`, `"needs_bytes":`, `"aside":[`} {
		if !strings.Contains(out, key) {
			t.Errorf("no %s in %s", key, out)
		}
	}
	if out, _, code := x.run("fit"); code != 0 || !strings.Contains(out, "--free 15.2GiB") && !strings.Contains(out, "Plan: ") {
		t.Errorf("assay fit: code %d\n%s", code, out)
	}
}

// TestFitRefusals holds that bad input of every kind is one sentence and code 2.
func TestFitRefusals(t *testing.T) {
	x := newTerminal(t)
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return name
	}
	for _, args := range [][]string{
		{"fit", "lama3.1:8b"},
		{"fit", ""},
		{"fit", " "},
		{"fit", "a", "b"},
		{"fit", "gpt-oss:20b", "--free", "15.2"},
		{"fit", "gpt-oss:20b", "--free", "-1GiB"},
		{"fit", "gpt-oss:20b", "--free", "1e400GiB"},
		{"fit", "gpt-oss:20b", "--free", "99999999999999999999GiB"},
		{"fit", "gpt-oss:20b", "--free", ""},
		{"fit", "gpt-oss:20b", "--ctx", "0"},
		{"fit", "gpt-oss:20b", "--ctx", "-4"},
		{"fit", "gpt-oss:20b", "--ctx", "many"},
		{"fit", "gpt-oss:20b", "--ctx", "99999999999999999999"},
		{"fit", "gpt-oss:20b", "--ctx", "9999999999"},
		{"fit", "gpt-oss:20b", "--kv", "q3_0"},
		{"fit", "gpt-oss:20b", "--parallel", "0"},
		{"fit", "gpt-oss:20b", "--parallel", "100000"},
		{"fit", "gpt-oss:20b", "--ollama-version", "newest"},
		{"fit", "--model-info", filepath.Join(dir, "gone.json")},
		{"fit", "--model-info", dir},
		{"fit", "--model-info", write("cut.json", `{"model_info":{"general.architecture":"lla`)},
		{"fit", "--model-info", write("other.json", `{"answer":42}`)},
		{"fit", "--model-info", write("null.json", `null`)},
		{"fit", "--model-info", write("list.json", `[]`)},
		{"fit", "--model-info", write("empty.json", ``)},
		{"fit", "--model-info", write("binary.json", "GGUF\x03\x00\x00\x00")},
		{"fit", "--model-info", write("bare.json", `{"model_info":{"general.architecture":"llama","llama.block_count":-3}}`)},
		{"fit", "--model-info", ""},
		{"fit", "--free", "much"},
		{"fit", "--kv", "x"},
	} {
		out, errOut, code := x.run(args...)
		if code != 2 || out != "" || strings.Count(errOut, "\n") != 1 || !strings.HasPrefix(errOut, "assay: ") || len(errOut) > 700 {
			t.Errorf("%q: code %d\n%s%s", args, code, out, errOut)
		}
	}
	if _, errOut, _ := x.run("fit", "lama3.1:8b"); !strings.Contains(errOut, "llama3.1:8b") {
		t.Errorf("the nearest names are not given: %s", errOut)
	}
	if _, errOut, code := x.run("fit"); code != 4 || strings.Count(errOut, "\n") != 1 {
		t.Errorf("a plan without a server: code %d, %s", code, errOut)
	}
}

// TestPausesArePrinted holds that a person reads why a run waits and that it goes on, once each.
func TestPausesArePrinted(t *testing.T) {
	event := func(s research.StateNews) research.Event {
		b, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return research.Event{Kind: research.EventState, Payload: b}
	}
	for want, s := range map[string]research.StateNews{
		"Paused: m has no room. Wait.":          {State: "paused", Detail: "m has no room. Wait."},
		"The memory is there; the run goes on.": {State: "running", Detail: "The memory is there; the run goes on."},
	} {
		if got := describe(event(s)); got != want {
			t.Errorf("describe = %q, want %q", got, want)
		}
	}
	for _, s := range []research.StateNews{{State: "running"}, {State: "paused", Detail: "paused; it can be resumed", Exit: 5}, {State: "done"}, {State: "failed", Detail: "x", Exit: 1}} {
		if got := describe(event(s)); got != "" {
			t.Errorf("describe(%+v) = %q", s, got)
		}
	}
	if got := offer([]string{desk.ChoiceUnload, desk.ChoiceWait, "prayer"}); got != "Type u to unload other models, w to wait" {
		t.Errorf("offer = %q", got)
	}
}
