package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestGPU looks at the machine the test runs on, where no model server answers.
func TestGPU(t *testing.T) {
	x := newTerminal(t)
	out := x.want(0, "memory", "gpu")
	if !strings.Contains(out, "models   not known: no Ollama server answers") || strings.Contains(out, "unknown of") {
		t.Errorf("assay gpu printed\n%s", out)
	}
	var h struct {
		Total  *int64 `json:"memory_total_bytes"`
		Kind   string `json:"kind"`
		GPUs   []any  `json:"gpus"`
		Alarms []any  `json:"alarms"`
	}
	if err := json.Unmarshal([]byte(x.want(0, "", "gpu", "--json")), &h); err != nil || h.Total == nil || h.Kind == "" || h.GPUs == nil || h.Alarms == nil {
		t.Errorf("%+v, %v", h, err)
	}
}

func TestGPUFrom(t *testing.T) {
	x := newTerminal(t)
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return name
	}
	card := write("card.txt", "index, name, memory.total [MiB], memory.used [MiB], memory.free [MiB], memory.reserved [MiB]\n0, NVIDIA \x1b[31mA, 16376 MiB, 596 MiB, 15348 MiB, 434 MiB\n")
	for _, part := range []string{"read as  nvidia-smi query", "15.0 GiB of 16.0 GiB free", "434 MiB      reserve of the driver", "596 MiB      other programs"} {
		if out := x.want(0, part, "gpu", "--from", card); strings.Contains(out, "\x1b") {
			t.Error("a name from outside steers the terminal")
		}
	}
	x.want(0, "restart the machine", "gpu", "--from", write("fault.txt", "Failed to initialize NVML: Driver/library version mismatch\n"))
	x.want(0, "at least 4.0 GiB", "gpu", "--from", write("wmi.txt", "Name : AMD Radeon RX 9070 XT\nAdapterRAM : 4293918720\n"))
	out := x.want(0, "", "gpu", "--json", "--from", write("hidden.txt", "name, memory.total [MiB], memory.free [MiB]\nNVIDIA A100, [Insufficient Permissions], [Insufficient Permissions]\n"))
	if !strings.Contains(out, `"memory_total_bytes":null`) || !strings.Contains(out, `"kind":"no_permission"`) {
		t.Errorf("what is unknown is not null: %s", out)
	}
	x.want(1, "no output that is known", "gpu", "--from", write("prose.txt", "It has a large card.\n"))
	x.want(1, "more than the", "gpu", "--from", write("large.txt", strings.Repeat("x", 2<<20)))
	x.want(2, "does not exist", "gpu", "--from", filepath.Join(dir, "gone.txt"))
	x.want(2, "it is no file", "gpu", "--from", dir)
	x.want(2, "", "gpu", "now")
}
