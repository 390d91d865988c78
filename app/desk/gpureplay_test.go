package desk

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/gpu"
)

const replayHead = "name, memory.total [MiB], memory.reserved [MiB], memory.used [MiB], memory.free [MiB], utilization.gpu [%], temperature.gpu, power.draw [W], pstate\n"

// writeReplay writes a recording of two looks: a card at rest, then one that holds a model.
func writeReplay(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"0000.csv":      replayHead + "NVIDIA GeForce RTX 4080 SUPER, 16376 MiB, 434 MiB, 596 MiB, 15348 MiB, 0 %, 43, 26.20 W, P8\n",
		"0000.ps.json":  `{"models":[]}`,
		"0600.csv":      replayHead + "NVIDIA GeForce RTX 4080 SUPER, 16376 MiB, 434 MiB, 12700 MiB, 3242 MiB, 97 %, 61, 241.00 W, P2\n",
		"0600.apps.csv": "gpu_uuid, pid, process_name, used_gpu_memory [MiB]\nGPU-1, 4711, /usr/bin/blender, 270 MiB\n",
		"0600.ps.json":  `{"models":[{"name":"m:1b","size":12000000000,"size_vram":12000000000}]}`,
		"notes.txt":     "is not read",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// replayDesk opens a home in which a recording stands for the cards.
func replayDesk(t *testing.T, dir string) *Desk {
	t.Helper()
	home := t.TempDir()
	d, err := Open(Options{Getenv: func(name string) string {
		return map[string]string{"ASSAY_HOME": home, "OLLAMA_HOST": "127.0.0.1:1", ReplayEnv: dir}[name]
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

// TestGPUReplay plays a recording through the real monitor: the last look is now, the one before it is the past.
func TestGPUReplay(t *testing.T) {
	d := replayDesk(t, writeReplay(t))
	h := d.Hardware(t.Context(), false)
	if len(h.GPUs) != 1 || h.GPUs[0].MemoryUsed == nil || *h.GPUs[0].MemoryUsed != 12700<<20 || h.GPUs[0].UUID != "" || h.GPUs[0].State != "P2" {
		t.Fatalf("cards = %+v, %s", h.GPUs, h.Note)
	}
	if len(h.Processes) != 1 || h.Processes[0].Name != "blender" || len(h.Models) != 1 || h.Models[0].VRAM != 12_000_000_000 {
		t.Errorf("processes %+v, models %+v", h.Processes, h.Models)
	}

	s := d.Sampler()
	past := s.History()
	if len(past) != 2 || past[0].Used == nil || *past[0].Used != 596<<20 || past[0].Models != 0 {
		t.Fatalf("history = %+v", past)
	}
	now := s.Sample(t.Context())
	if after := now.AtMs - past[0].AtMs; after < 600_000 || after > 660_000 {
		t.Errorf("the look of 600 s later is %d ms after the first", after)
	}
}

// TestGPUReplayFaults holds that the tool's words of a fault are read as such, and that a bad recording is said in a sentence.
func TestGPUReplayFaults(t *testing.T) {
	dir := t.TempDir()
	words := "Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 550.90\n"
	if err := os.WriteFile(filepath.Join(dir, "0000.csv"), []byte(words), 0o600); err != nil {
		t.Fatal(err)
	}
	if h := replayDesk(t, dir).Hardware(t.Context(), false); h.Kind != gpu.KindDriverMismatch {
		t.Errorf("kind %q, %q", h.Kind, h.Note)
	}
	for _, bad := range []string{filepath.Join(dir, "none"), t.TempDir()} {
		h := replayDesk(t, bad).Hardware(t.Context(), false)
		if len(h.GPUs) != 0 || !strings.Contains(h.Note, ReplayEnv) {
			t.Errorf("%s: cards %+v, note %q", bad, h.GPUs, h.Note)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "0001.csv"), make([]byte, maxReplayFile+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readReplay(dir); err == nil {
		t.Error("a file of more than the bound was read")
	}
}

func FuzzGPUReplayColumns(f *testing.F) {
	f.Add(replayHead + "x, 1 MiB, 2 MiB\n")
	f.Add("gpu_uuid, pid, process_name, used_gpu_memory [MiB]\n\"a, 1")
	f.Fuzz(func(t *testing.T, table string) {
		out, ok := columnsOf(table, []string{"index", "name", "memory.total"})
		if !ok && out != "" {
			t.Errorf("no table, and %q", out)
		}
	})
}

// TestGPUReplayOfOtherTools holds that a recording of one vendor's tool answers for no other.
func TestGPUReplayOfOtherTools(t *testing.T) {
	r, err := readReplay(writeReplay(t))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := r.run(context.Background(), "rocm-smi"); err == nil {
		t.Error("another tool answered")
	}
}
