package ollama

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func readLog(t *testing.T, lines ...string) Log {
	t.Helper()
	l, err := ReadLog(strings.NewReader(strings.Join(lines, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestReadLogOfTheRealServer(t *testing.T) {
	f, err := os.Open(filepath.Join("testdata", "serverlog", "v0.17.4-cpu.log"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	l, err := ReadLog(f)
	if err != nil {
		t.Fatal(err)
	}
	if l.Version != "0.17.4" || l.DefaultNumCtx == nil || *l.DefaultNumCtx != 4096 || l.TotalVRAM == nil || *l.TotalVRAM != 0 {
		t.Errorf("version %q, window %v, memory of cards %v", l.Version, l.DefaultNumCtx, l.TotalVRAM)
	}
	for key, want := range map[string]string{
		"OLLAMA_NO_CLOUD": "true", "OLLAMA_KV_CACHE_TYPE": "", "OLLAMA_NUM_PARALLEL": "1", "OLLAMA_HOST": "http://127.0.0.1:11777",
		"OLLAMA_REMOTES": "[ollama.com]", "no_proxy": "", "OLLAMA_KEEP_ALIVE": "5m0s",
	} {
		if got, ok := l.Config[key]; !ok || got != want {
			t.Errorf("config %s = %q, %v; want %q", key, got, ok, want)
		}
	}
	if o := l.Config["OLLAMA_ORIGINS"]; !strings.HasPrefix(o, "[http://localhost https://localhost ") || !strings.HasSuffix(o, " vscode-file://*]") {
		t.Errorf("OLLAMA_ORIGINS = %q", o)
	}
	if len(l.Devices) != 1 || l.Devices[0].Library != "cpu" || *l.Devices[0].Total != 25232932864 {
		t.Errorf("devices = %+v", l.Devices)
	}
	if len(l.Loads) != 1 {
		t.Fatalf("%d loads, want 1: %+v", len(l.Loads), l.Loads)
	}
	got := l.Loads[0]
	if !strings.HasPrefix(filepath.Base(got.Model), "sha256-70a307e4") || *got.Cells != 4096 || *got.Parallel != 1 || *got.Batch != 512 || *got.MicroBatch != 512 || got.KVType != "f16" || got.FlashAttention != "enabled" {
		t.Errorf("load = %+v", got)
	}
	sum := map[string]int64{}
	for _, p := range got.Parts {
		if p.Exact {
			sum[p.Kind+" "+p.Device] += p.Bytes
		} else {
			sum["about "+p.Kind+" "+p.Device] += p.Bytes
		}
	}
	for key, want := range map[string]int64{"weights CPU": 482345, "kv CPU": 1 << 20, "compute CPU": 13117686, "output CPU": 0, "about kv CPU": 1 << 20} {
		if sum[key] != want {
			t.Errorf("%s = %d bytes, want %d", key, sum[key], want)
		}
	}
	if len(got.Caches) != 1 || got.Caches[0] != (LogCache{4096, 2, 1 << 20, "f16", "f16"}) {
		t.Errorf("caches = %+v", got.Caches)
	}
}

// The shapes of other releases, as their users published them.
func TestReadLogOfOthers(t *testing.T) {
	t.Run("cards", func(t *testing.T) {
		l := readLog(t,
			`ollama  | time=2025-07-18T14:50:56.874Z level=INFO source=types.go:130 msg="inference compute" id=GPU-1 library=CUDA compute=8.9 name=CUDA0 description="NVIDIA GeForce RTX 4080" type=discrete total="15.6 GiB" available="14.9 GiB"`,
			`Aug 22 17:36:22 box ollama[1]: time=2025-08-22T17:36:22.027-04:00 level=INFO source=server.go:175 msg=offload library=cuda layers.requested=-1 layers.model=49 layers.offload=48 layers.split="" memory.available="[11.1 GiB]" memory.required.full="11.4 GiB"`,
			`time=x level=INFO msg="model weights" buffer=CUDA0 size="11.5 GiB"`,
			`time=x level=INFO msg="compute graph" backend=CUDA0 buffer_type=CUDA0 size="0 B"`,
			`time=x level=WARN msg="flash attention enabled but not supported by model"`)
		if len(l.Devices) != 1 || l.Devices[0].Name != "CUDA0" || l.Devices[0].Kind != "discrete" || l.Devices[0].Library != "cuda" {
			t.Errorf("devices = %+v", l.Devices)
		}
		load := l.Loads[0]
		if *load.Layers != 49 || *load.Offloaded != 48 || *load.Required != 12240656794 || len(load.Parts) != 2 || load.Parts[0].Device != "CUDA0" || len(l.Warnings) != 1 {
			t.Errorf("load = %+v, warnings %q", load, l.Warnings)
		}
	})
	t.Run("llama.cpp of 2024", func(t *testing.T) {
		l := readLog(t,
			"Jan 30 09:13:15 host ollama[5307]: llm_load_tensors: offloaded 33/33 layers to GPU",
			"Jan 30 09:13:15 host ollama[5307]: llm_load_tensors:        CPU buffer size =    70.31 MiB",
			"Jan 30 09:13:15 host ollama[5307]: llm_load_tensors:      CUDA0 buffer size =  4695.56 MiB",
			"llama_kv_cache_init:      CUDA0 KV buffer size =   264.00 MiB",
			"llama_new_context_with_model: KV self size  =  512.00 MiB, K (f16):  256.00 MiB, V (f16):  256.00 MiB",
			"llama_new_context_with_model:  CUDA_Host  output buffer size =     0.60 MiB",
			"llama_new_context_with_model:      CUDA0 compute buffer size =   256.01 MiB",
			"llama_new_context_with_model: flash_attn    = 0")
		load := l.Loads[0]
		var kinds []string
		for _, p := range load.Parts {
			kinds = append(kinds, p.Kind+" "+p.Device)
		}
		if got, want := strings.Join(kinds, ", "), "weights CPU, weights CUDA0, kv CUDA0, output CUDA_Host, compute CUDA0"; got != want {
			t.Errorf("parts = %s, want %s", got, want)
		}
		if *load.Offloaded != 33 || load.FlashAttention != "disabled" || load.Caches[0].Bytes != 512<<20 || load.KVType != "f16" {
			t.Errorf("load = %+v", load)
		}
	})
	t.Run("two caches", func(t *testing.T) {
		l := readLog(t,
			"llama_kv_cache_iswa: creating non-SWA KV cache, size = 8192 cells",
			"llama_kv_cache: size =   96.00 MiB (  8192 cells,   6 layers,  1/1 seqs), K (q8_0):   48.00 MiB, V (q8_0):   48.00 MiB",
			"llama_kv_cache: size =  120.00 MiB (  1536 cells,  40 layers,  1/1 seqs), K (f16):   60.00 MiB, V (f16):   60.00 MiB",
			"llama_memory_recurrent:      CUDA0 RS buffer size =    62.81 MiB")
		load := l.Loads[0]
		if len(load.Caches) != 2 || load.Caches[0].KType != "q8_0" || load.Caches[1].Cells != 1536 || len(load.Parts) != 1 || load.Parts[0].Kind != "recurrent" {
			t.Errorf("load = %+v", load)
		}
	})
	t.Run("two models", func(t *testing.T) {
		l := readLog(t,
			`level=INFO msg="starting runner" cmd="/usr/bin/ollama runner --ollama-engine --port 1"`,
			`level=INFO msg="starting runner" cmd="/usr/bin/ollama runner --model /home/my name/blobs/sha256-aa --port 1"`,
			`level=INFO msg="kv cache" device=CUDA0 size="1.0 GiB"`,
			`level=INFO msg="starting runner" cmd="/usr/bin/ollama runner --ollama-engine --model /m/sha256-bb --port 2"`,
			`level=INFO msg="kv cache" device=CUDA0 size="2.0 GiB"`)
		if len(l.Loads) != 2 || l.Loads[0].Model != "/home/my name/blobs/sha256-aa" || l.Loads[1].Parts[0].Bytes != 2<<30 {
			t.Errorf("loads = %+v", l.Loads)
		}
	})
}

func TestLogIsBounded(t *testing.T) {
	var r LogReader
	for range 1000 {
		r.Line(`level=INFO msg="starting runner" cmd="x --model /m/a --port 1"`)
		for range 3 {
			r.Line("load_tensors: CUDA0 model buffer size = 1.00 MiB")
			r.Line(`level=ERROR msg="` + strings.Repeat("x", 2000) + `"`)
			r.Line(`level=INFO msg="inference compute" id=1 library=cuda`)
		}
	}
	l := r.Log()
	if len(l.Loads) != maxLogLoads || len(l.Warnings) != maxLogWarnings || len(l.Warnings[0]) > maxWarning || len(l.Devices) != maxLogDevices {
		t.Errorf("%d loads, %d warnings, %d devices", len(l.Loads), len(l.Warnings), len(l.Devices))
	}
	long, err := ReadLog(strings.NewReader(strings.Repeat("a", 10*maxLogLine) + "\nlevel=INFO msg=\"Listening on 127.0.0.1:1 (version 9.9)\"\n"))
	if err != nil || long.Version != "9.9" {
		t.Errorf("after a long line: %+v, %v", long, err)
	}
}

// FuzzReadLog holds the bounds whatever a server writes.
func FuzzReadLog(f *testing.F) {
	b, err := os.ReadFile(filepath.Join("testdata", "serverlog", "v0.17.4-cpu.log"))
	if err != nil {
		f.Fatal(err)
	}
	for _, line := range strings.Split(string(b), "\n") {
		f.Add(line)
	}
	f.Add("llama_kv_cache: size = 1 (9 cells, 9 layers), K (f16): 1 MiB, V (f16): 9999999999999999999 GiB")
	f.Add(`level=WARN msg="` + "\xff\xfe" + `" env="map[A:[[[ B:]"`)
	f.Fuzz(func(t *testing.T, text string) {
		l, err := ReadLog(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if len(l.Loads) > maxLogLoads || len(l.Devices) > maxLogDevices || len(l.Config) > maxLogConfig || len(l.Warnings) > maxLogWarnings {
			t.Errorf("out of bounds: %+v", l)
		}
		for _, load := range l.Loads {
			if len(load.Parts) > maxLogParts || len(load.Caches) > maxLogCaches {
				t.Errorf("out of bounds: %+v", load)
			}
			for _, p := range load.Parts {
				if p.Bytes < 0 || p.Device == "" {
					t.Errorf("part %+v", p)
				}
			}
			for _, n := range []*int{load.Cells, load.Parallel, load.Batch, load.Layers, load.Offloaded} {
				if n != nil && *n < 0 {
					t.Errorf("load = %+v", load)
				}
			}
		}
	})
}
