package ollama

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/engine/enginetest"
	"assay/engine/research"
)

func TestFindBinary(t *testing.T) {
	env := map[string]string{"HOME": "/home/me", "LOCALAPPDATA": `C:\Users\me\AppData\Local`, "ProgramFiles": `C:\Program Files`}
	tests := []struct {
		name, system, set, onPath string
		there                     []string
		want                      string
	}{
		{"set", "linux", "/opt/x/ollama", "/usr/bin/ollama", []string{"/opt/x/ollama"}, "/opt/x/ollama"},
		{"set and gone", "linux", "/opt/x/ollama", "/usr/bin/ollama", nil, ""},
		{"on the PATH", "linux", "", "/home/me/go/bin/ollama", nil, "/home/me/go/bin/ollama"},
		{"Linux", "linux", "", "", []string{"/home/me/.local/bin/ollama", "/usr/local/bin/ollama"}, "/usr/local/bin/ollama"},
		{"the home of a person", "linux", "", "", []string{"/home/me/.local/bin/ollama"}, "/home/me/.local/bin/ollama"},
		{"macOS", "darwin", "", "", []string{"/Applications/Ollama.app/Contents/Resources/ollama"}, "/Applications/Ollama.app/Contents/Resources/ollama"},
		{"Windows", "windows", "", "", []string{`C:\Users\me\AppData\Local\Programs\Ollama\ollama.exe`}, `C:\Users\me\AppData\Local\Programs\Ollama\ollama.exe`},
		{"nowhere", "windows", "", "", nil, ""},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			got, err := FindBinary(tc.set, Places{
				System: tc.system, Getenv: func(name string) string { return env[name] },
				LookPath: func(name string) (string, error) {
					if tc.onPath == "" || name != "ollama" {
						return "", exec.ErrNotFound
					}
					return tc.onPath, nil
				},
				Runs: func(file string) bool { return slices.Contains(tc.there, file) },
			})
			if got != tc.want || (tc.want == "") != errors.Is(err, ErrNotInstalled) {
				t.Errorf("FindBinary = %q, %v; want %q", got, err, tc.want)
			}
		})
	}
}

func TestTuning(t *testing.T) {
	person := []string{"PATH=/bin", "OLLAMA_MODELS=/m", "OLLAMA_HOST=0.0.0.0", "OLLAMA_DEBUG=1", "OLLAMA_NO_CLOUD=0", "CUDA_VISIBLE_DEVICES=1", "OLLAMA_KV_CACHE_TYPE=q4_0"}
	for _, tc := range []struct {
		name string
		tune Tuning
		keep bool
		want string
	}{
		{"as it comes", Tuning{}, false, "OLLAMA_HOST=127.0.0.1:1 OLLAMA_NO_CLOUD=1 OLLAMA_NUM_PARALLEL=1 OLLAMA_KEEP_ALIVE=10m0s OLLAMA_CONTEXT_LENGTH=8192"},
		{"a small cache brings flash attention", Tuning{KVType: "q8_0", Parallel: 2}, false,
			"OLLAMA_HOST=127.0.0.1:1 OLLAMA_NO_CLOUD=1 OLLAMA_NUM_PARALLEL=2 OLLAMA_KEEP_ALIVE=10m0s OLLAMA_CONTEXT_LENGTH=8192 OLLAMA_FLASH_ATTENTION=1 OLLAMA_KV_CACHE_TYPE=q8_0"},
		{"all", Tuning{FlashAttention: "off", KVType: "f16", KeepAlive: time.Hour, GPUOverhead: 1 << 30, ContextLength: 4096}, true,
			"OLLAMA_HOST=127.0.0.1:1 OLLAMA_NO_CLOUD=1 OLLAMA_NUM_PARALLEL=1 OLLAMA_KEEP_ALIVE=1h0m0s OLLAMA_CONTEXT_LENGTH=4096 OLLAMA_FLASH_ATTENTION=0 OLLAMA_KV_CACHE_TYPE=f16 OLLAMA_GPU_OVERHEAD=1073741824 OLLAMA_NOPRUNE=1"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := strings.Join(tc.tune.environ(person, "127.0.0.1:1", tc.keep), " ")
			if want := "PATH=/bin OLLAMA_MODELS=/m CUDA_VISIBLE_DEVICES=1 " + tc.want; got != want {
				t.Errorf("environ = %s\nwant      %s", got, want)
			}
		})
	}
	dir := filepath.Join(t.TempDir(), "m[1]")
	if err := os.MkdirAll(filepath.Join(dir, "blobs"), 0o755); err != nil {
		t.Fatal(err)
	}
	environ := []string{"HOME=/h", "OLLAMA_MODELS=" + dir}
	if modelsDir(environ) != dir || modelsDir(environ[:1]) != filepath.Join("/h", ".ollama", "models") || modelsDir(nil) != "" || hasParts("") {
		t.Error("the folder of the models is not where the server has it")
	}
	if hasParts(dir) {
		t.Error("an empty folder has parts")
	}
	if err := os.WriteFile(filepath.Join(dir, "blobs", "sha256-aa-partial"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if !hasParts(dir) {
		t.Error("the part of a pull was not seen")
	}
}

func TestOther(t *testing.T) {
	for base, want := range map[string]string{
		"http://127.0.0.1:11434": "http://[::1]:11434", "http://[::1]:1": "http://127.0.0.1:1", "http://box:1": "", "http://localhost:1": "",
	} {
		if got := strings.Join(Other(base), " "); got != want {
			t.Errorf("Other(%s) = %q, want %q", base, got, want)
		}
	}
}

// served starts the real server over a folder of models and stops it when the test ends.
func served(t *testing.T, models string, change func(*ServeConfig)) *Served {
	t.Helper()
	binary, err := enginetest.OllamaBinary()
	if err != nil {
		t.Skip(err)
	}
	cfg := ServeConfig{
		Binary: binary, Client: func(string) (*http.Client, error) { return client(t), nil },
		Environ: append(os.Environ(), "HOME="+t.TempDir(), "OLLAMA_MODELS="+models),
		Tuning:  Tuning{FlashAttention: "on", KVType: "q8_0"}, LogFile: filepath.Join(t.TempDir(), "server.log"),
		Pause: 10 * time.Millisecond,
	}
	if change != nil {
		change(&cfg)
	}
	s, err := Serve(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	return s
}

// tinyFile writes the tiny model to a file.
func tinyFile(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "tiny model.gguf")
	if err := os.WriteFile(file, enginetest.Tiny{}.GGUF(), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestServe(t *testing.T) {
	s := served(t, t.TempDir(), nil)
	st := s.Status()
	if st.State != ServeReady || st.Version != "0.17.4" || st.PID == 0 || st.Restarts != 0 || st.URL != s.URL() || !slices.Contains(st.Tuned, "OLLAMA_NO_CLOUD=1") {
		t.Errorf("Status = %+v", st)
	}
	a := admin(t, s.URL())
	if err := a.Create(t.Context(), "tiny", tinyFile(t), CreateOptions{Parameters: map[string]any{"num_thread": 1}}); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Load(t.Context(), "tiny", LoadOptions{NumCtx: 4096}); err != nil {
		t.Fatal(err)
	}
	// The log comes through a pipe, a little later than the answer.
	waitFor(t, func() bool { l := s.Said(); return len(l.Loads) == 1 && len(l.Loads[0].Caches) == 1 })
	said := s.Said()
	if said.Config["OLLAMA_KV_CACHE_TYPE"] != "q8_0" || said.Config["OLLAMA_FLASH_ATTENTION"] != "true" || said.Config["OLLAMA_NO_CLOUD"] != "true" || said.DefaultNumCtx == nil {
		t.Errorf("the log says %+v, default window %v", said.Config, said.DefaultNumCtx)
	}
	if c := said.Loads[0].Caches[0]; c.KType != "q8_0" || c.Cells != 4096 {
		t.Errorf("cache = %+v, want q8_0 as it was tuned", c)
	}
	b, err := os.ReadFile(st.LogFile)
	if err != nil || !strings.Contains(string(b), "Listening on "+strings.TrimPrefix(s.URL(), "http://")) {
		t.Errorf("log file: %v", err)
	}
	if lines := s.Tail(3); len(lines) != 3 {
		t.Errorf("Tail = %q", lines)
	}
	s.Stop()
	if st := s.Status(); st.State != ServeStopped || st.PID != 0 {
		t.Errorf("Status after Stop = %+v", st)
	}
	if err := s.Wait(t.Context()); !errors.Is(err, research.ErrUnavailable) {
		t.Errorf("Wait after Stop = %v", err)
	}
	if _, err := a.Version(t.Context()); !errors.Is(err, research.ErrUnavailable) {
		t.Errorf("Version after Stop = %v, want nobody there", err)
	}
}

func TestServeFails(t *testing.T) {
	script := func(text string) string {
		file := filepath.Join(t.TempDir(), "ollama")
		if err := os.WriteFile(file, []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		return file
	}
	for _, tc := range []struct{ name, binary, say string }{
		{"no program", filepath.Join(t.TempDir(), "absent"), "does not start"},
		{"ends at once", script("echo 'Error: the moon is full' >&2; exit 3"), "ended before it answered with exit status 3: the moon is full"},
		{"never answers", script("sleep 60"), "did not answer within 100ms"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := Serve(t.Context(), ServeConfig{
				Binary: tc.binary, Client: func(string) (*http.Client, error) { return client(t), nil }, Environ: os.Environ(),
				Ready: 100 * time.Millisecond, Pause: time.Millisecond,
			})
			if !errors.Is(err, research.ErrUnavailable) || !strings.Contains(err.Error(), tc.say) || !strings.Contains(err.Error(), tc.binary) {
				t.Errorf("Serve = %v, want %q and the program", err, tc.say)
			}
		})
	}
	t.Run("stopped meanwhile", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		_, err := Serve(ctx, ServeConfig{Binary: script("sleep 60"), Client: func(string) (*http.Client, error) { return client(t), nil }, Environ: os.Environ()})
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Serve = %v, want the context's error", err)
		}
	})
}

// A port that somebody else has is never taken for the child's, and who has it is left alone.
func TestServeOnATakenPort(t *testing.T) {
	binary, err := enginetest.OllamaBinary()
	if err != nil {
		t.Skip(err)
	}
	other := enginetest.NewServer(t)
	_, err = Serve(t.Context(), ServeConfig{
		Binary: binary, Addr: strings.TrimPrefix(other.URL, "http://"), Client: func(string) (*http.Client, error) { return client(t), nil },
		Environ: append(os.Environ(), "HOME="+t.TempDir(), "OLLAMA_MODELS="+t.TempDir()), Pause: time.Millisecond,
	})
	if !errors.Is(err, research.ErrUnavailable) || !strings.Contains(err.Error(), "address already in use") {
		t.Errorf("Serve = %v, want a sentence about the port", err)
	}
	if v, err := admin(t, other.URL).Version(t.Context()); err != nil || v != "0.17.4" {
		t.Errorf("the other server = %q, %v; want it untouched", v, err)
	}
}

func TestTailIsBounded(t *testing.T) {
	name := filepath.Join(t.TempDir(), "log", "server.log")
	tl := openTail(name)
	defer tl.close()
	line := []byte(strings.Repeat("x", 1000))
	for i := range 10000 {
		tl.line(append(line, fmt.Sprint(i)...))
	}
	for _, file := range []string{name, name + ".1"} {
		if st, err := os.Stat(file); err != nil || st.Size() > maxTailFile {
			t.Errorf("%s: %v, %v", file, st, err)
		}
	}
	if got := tl.last(5000); len(got) != maxTailLines || !strings.HasSuffix(got[len(got)-1], "9999") || !strings.HasSuffix(got[0], "8000") {
		t.Errorf("%d lines, from %q to %q", len(got), got[0], got[len(got)-1])
	}
	again := openTail(name) // a second start goes on with the file
	defer again.close()
	if again.size == 0 {
		t.Error("the log of the first start was thrown away")
	}
	blocked := openTail(filepath.Join(name, "x")) // a folder that cannot be made
	defer blocked.close()
	if blocked.line([]byte("kept")); blocked.last(1)[0] != "kept" {
		t.Error("a log without a file keeps nothing")
	}
}

// TestFreePort holds that the port is one of this machine only.
func TestFreePort(t *testing.T) {
	addr, err := freePort()
	if err != nil {
		t.Fatal(err)
	}
	host, _, err := net.SplitHostPort(addr)
	if err != nil || !net.ParseIP(host).IsLoopback() {
		t.Errorf("freePort = %s, %v", addr, err)
	}
}
