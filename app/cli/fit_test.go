package cli

import (
	"encoding/json"
	"fmt"
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
		"window ", "f16", "q8_0", "q4_0", "131072", "fits", "lacks", "16,384 tokens at f16 were asked for and fit;", "weights:", "cache:", "working memory:", "driver:",
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

const replayHead = "uuid, name, memory.total [MiB], memory.reserved [MiB], memory.used [MiB], memory.free [MiB], utilization.gpu [%], temperature.gpu, power.draw [W], pstate\n"

// recording writes a recording of so many cards of 16 GB.
func recording(t *testing.T, cards int) string {
	t.Helper()
	dir := t.TempDir()
	text := replayHead
	for i := range cards {
		text += fmt.Sprintf("GPU-%d, NVIDIA GeForce RTX 4080 SUPER, 16376 MiB, 434 MiB, 596 MiB, 15348 MiB, 0 %%, 43, 26.20 W, P8\n", i)
	}
	for name, text := range map[string]string{"0000.csv": text, "0000.ps.json": `{"models":[]}`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestFitOverCards holds that several cards are told of as several, and that the sum over them is printed.
func TestFitOverCards(t *testing.T) {
	x := newTerminal(t)
	x.replay = recording(t, 2)
	out := x.want(0, "2 x NVIDIA GeForce RTX 4080 SUPER: 30.0 GiB free for models on 2 cards together, of which 2.0 GiB are the reserve", "fit", "llama3.3:70b", "--ollama-version", "0.32.7")
	for _, part := range []string{"on each of 2 cards", "together on 2 cards;", "would not fit divided over 2 cards", "Card 0 has 15,348 MiB free, less 1,024 MiB of reserve, less ", "Card 1 has", "are to be divided over 2 cards together: there is room for", "because no layer is divided"} {
		if !strings.Contains(out, part) {
			t.Errorf("no %q in\n%s", part, out)
		}
	}
	if strings.Contains(out, "each of 1 card") || strings.Contains(out, "SUPER and NVIDIA") {
		t.Errorf("two cards as one:\n%s", out)
	}
	if out := x.want(0, "the longest window that fits divided over 2 cards;", "fit", "qwen3:32b", "--ollama-version", "0.32.7"); !strings.Contains(out, "they have room for that") {
		t.Errorf("a model that fits two cards only:\n%s", out)
	}
	x.replay = recording(t, 1)
	if out := x.want(0, "15.0 GiB free for models, of which 1.0 GiB are the reserve", "fit", "qwen3:8b"); !strings.Contains(out, "the driver takes up to 460 MiB for a program") {
		t.Errorf("one card:\n%s", out)
	}
}

// TestFitSum holds that what the server holds back is printed, that a suggestion fits, and that nothing is called a better choice
// which lacks more.
func TestFitSum(t *testing.T) {
	x := newTerminal(t)
	out := x.want(0, "40,960 tokens at q8_0 would not fit: 47 MiB are missing", "fit", "qwen3:14b", "--free", "15GiB", "--ollama-version", "0.11.3", "--kv", "q8_0", "--ctx", "40960")
	for _, part := range []string{"12,621 MiB  together on the card", "2,787 MiB  beside it to stay free: this server keeps 457 MiB for itself and the room of one layer with its cache, 292 MiB, and reckons with a working memory that is 2,499 MiB larger than it is",
		"The card has 15,360 MiB free, less 2,787 MiB that the server keeps free, the reserve of 1,024 MiB among them: room for 12,574 MiB.", "The 12,621 MiB of the load are 47 MiB more.", "40,960 tokens at q4_0, and 32,768 tokens at q8_0 would fit."} {
		if !strings.Contains(out, part) {
			t.Errorf("no %q in\n%s", part, out)
		}
	}
	out = x.want(0, "16,384 tokens at q4_0 would fit.", "fit", "qwen3:14b", "--free", "15.2GiB", "--ctx", "40960", "--kv", "q4_0", "--parallel", "4")
	if strings.Contains(out, "next better choice") {
		t.Errorf("a better choice than one that does not fit:\n%s", out)
	}
	out = x.want(0, "A context of 1 token was asked for; the server takes no fewer than 4, which are counted.", "fit", "qwen3:14b", "--free", "15GiB", "--ctx", "1")
	if strings.Contains(out, "1 tokens") || !strings.Contains(out, "4 tokens x 1") {
		t.Errorf("a window of 1:\n%s", out)
	}
	// Settings that cannot be applied are told of, and a reserve is never more than there is.
	set := func(text string) {
		if err := os.WriteFile(filepath.Join(x.home, "settings.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	set(`{"memory":{"reserve":"50%","budget":"40%"}}`)
	out = x.want(0, "The reserve of 50% is a share of a card whose size is not known here, so 1,024 MiB are left free.", "fit", "qwen3:14b", "--free", "15.2GiB")
	if !strings.Contains(out, "The budget of 40% is a share of a card whose size is not known here, so it bounds nothing.") {
		t.Errorf("a budget that is not applied:\n%s", out)
	}
	x.replay = recording(t, 1)
	if out = x.want(0, "15.0 GiB free for models, of which 8.0 GiB are the reserve", "fit", "qwen3:14b"); strings.Contains(out, "not known here") || !strings.Contains(out, "would take 3,936 MiB more than the budget.") {
		t.Errorf("shares of a known card:\n%s", out)
	}
	set(`{"memory":{"reserve":"99999GiB"}}`)
	x.replay = ""
	if out = x.want(0, "15.2 GiB free for models, of which 15.2 GiB are the reserve", "fit", "qwen3:14b", "--free", "15.2GiB"); strings.Contains(out, "102,3") || !strings.Contains(out, "room for 0 MiB") {
		t.Errorf("a reserve larger than the card:\n%s", out)
	}
}

// TestPlanRefusal holds that a window that is insisted on is no yes to the reserve, in words that hold, and that the code says so.
func TestPlanRefusal(t *testing.T) {
	server := enginetest.StartOllama(t, enginetest.Tiny{Arch: "qwen3", Context: 65536})
	x := newTerminal(t)
	x.ollama, x.replay = server.URL, recording(t, 1)
	if err := os.WriteFile(filepath.Join(x.home, "settings.json"), []byte(`{"memory":{"reserve":"20GiB"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"fit"}, {"fit", "--ctx", "8192"}, {"fit", "--json"}} {
		out := x.want(4, "No model fits", args...)
		if strings.Contains(out, "Plan: ") || strings.Contains(out, "more than is free for it") || !strings.Contains(out, "NVIDIA GeForce RTX 4080 SUPER has 15,348 MiB free, less 16,376 MiB of reserve: room for 0 MiB.") {
			t.Errorf("%v:\n%s", args, out)
		}
	}
	if err := os.Remove(filepath.Join(x.home, "settings.json")); err != nil {
		t.Fatal(err)
	}
	out := x.want(4, "A context of 1 token was asked for; the server takes no fewer than 4", "fit", "--ctx", "1", "--free", "100MiB")
	if strings.Count(out, "token was asked for") != 1 || strings.Contains(out, "-0.") {
		t.Errorf("what was asked for:\n%s", out)
	}
	out = x.want(0, "Plan: tiny:latest, window 8192", "fit", "--ctx", "8192", "--free", "4GiB")
	if strings.Count(out, "A context of 8,192 tokens was asked for.") != 1 {
		t.Errorf("what was asked for is said more than once:\n%s", out)
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
