package enginetest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// ollamaVersion is the release that build/ollama.sh makes.
const ollamaVersion = "0.17.4"

// TinyModel is the name of the model that a started server has.
const TinyModel = "tiny"

// Ollama is a real server on a port of its own, with the tiny model and nothing else.
type Ollama struct {
	URL string

	t      testing.TB
	binary string
	dir    string
	models string
	addr   string
	env    []string // beyond the usual
	cmd    *exec.Cmd
	log    *os.File
}

// OllamaBinary returns the path of the real server: $ASSAY_OLLAMA, or what build/ollama.sh left in the cache. The error says
// what to do.
func OllamaBinary() (string, error) {
	if p := os.Getenv("ASSAY_OLLAMA"); p != "" {
		if _, err := os.Stat(p); err != nil {
			return "", fmt.Errorf("ASSAY_OLLAMA: %w", err)
		}
		return p, nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	p := filepath.Join(cache, "assay", "tools", "ollama-"+ollamaVersion, "ollama")
	if _, err := os.Stat(p); err != nil {
		return "", fmt.Errorf("no Ollama server at %s; build/ollama.sh builds it", p)
	}
	return p, nil
}

// StartOllama starts the real server with the given model, or the zero [Tiny] when there is none, and stops it when the test
// ends. The test is skipped when the server was not built.
func StartOllama(t testing.TB, shape ...Tiny) *Ollama {
	t.Helper()
	o := StartOllamaIn(t, filepath.Join(t.TempDir(), "models"))
	var m Tiny
	if len(shape) > 0 {
		m = shape[0]
	}
	o.Create(TinyModel, m)
	return o
}

// StartOllamaIn starts the real server over a folder of models, as it is, and stops it when the test ends.
func StartOllamaIn(t testing.TB, models string) *Ollama {
	t.Helper()
	binary, err := OllamaBinary()
	if err != nil {
		t.Skip(err)
	}
	addr := freeAddr(t)
	o := &Ollama{URL: "http://" + addr, t: t, binary: binary, dir: t.TempDir(), models: models, addr: addr}
	if o.log, err = os.Create(filepath.Join(o.dir, "server.log")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		o.Kill()
		if t.Failed() {
			t.Logf("server log, its end:\n%s", o.tail())
		}
		_ = o.log.Close()
	})
	o.Start()
	return o
}

// Start starts the server, again after [Ollama.Kill], and returns when it answers.
func (o *Ollama) Start() {
	o.t.Helper()
	o.cmd = exec.Command(o.binary, "serve")
	o.cmd.Env = append(os.Environ(), "OLLAMA_HOST="+o.addr, "OLLAMA_MODELS="+o.models, "HOME="+o.dir, "OLLAMA_NO_CLOUD=1", "OLLAMA_DEBUG=0")
	o.cmd.Env = append(o.cmd.Env, o.env...)
	o.cmd.Stdout, o.cmd.Stderr = o.log, o.log
	// The server has runners of its own, which must go with it.
	ownGroup(o.cmd)
	if err := o.cmd.Start(); err != nil {
		o.t.Fatal(err)
	}
	for range 300 {
		if _, code, err := o.call(http.MethodGet, "/api/version", nil); err == nil && code == http.StatusOK {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	o.t.Fatalf("the Ollama server did not answer within 30 s:\n%s", o.tail())
}

// Restart ends the server and starts it again with these variables beside the usual ones, such as "OLLAMA_NUM_PARALLEL=2".
func (o *Ollama) Restart(env ...string) {
	o.t.Helper()
	o.Kill()
	o.env = env
	o.Start()
}

// Log returns what the server has written since its first start.
func (o *Ollama) Log() string {
	o.t.Helper()
	b, err := os.ReadFile(o.log.Name())
	if err != nil {
		o.t.Fatal(err)
	}
	return string(b)
}

// Kill ends the server and its runners at once.
func (o *Ollama) Kill() {
	if o.cmd == nil || o.cmd.Process == nil {
		return
	}
	killGroup(o.cmd)
	_ = o.cmd.Wait()
	o.cmd = nil
}

// Create makes a model of the given shape under a name.
func (o *Ollama) Create(name string, m Tiny) {
	o.t.Helper()
	file := m.GGUF()
	digest := fmt.Sprintf("sha256:%x", sha256.Sum256(file))
	if body, code, err := o.call(http.MethodPost, "/api/blobs/"+digest, file); err != nil || code >= 300 {
		o.t.Fatalf("upload model: status %d, %v: %s", code, err, body)
	}
	req, err := json.Marshal(map[string]any{
		"model": name, "files": map[string]string{"tiny.gguf": digest},
		"template": "{{ if .System }}{{ .System }}\n{{ end }}{{ .Prompt }}",
		// More threads than a busy machine has free wait for each other for seconds.
		"parameters": map[string]any{"num_thread": 1},
	})
	if err != nil {
		o.t.Fatal(err)
	}
	if body, code, err := o.call(http.MethodPost, "/api/create", req); err != nil || code >= 300 || !strings.Contains(body, `"success"`) {
		o.t.Fatalf("create model: status %d, %v: %s", code, err, body)
	}
}

// Loads counts how often the server has loaded a model since its first start.
func (o *Ollama) Loads() int {
	b, err := os.ReadFile(o.log.Name())
	if err != nil {
		o.t.Fatal(err)
	}
	return strings.Count(string(b), `msg="loaded runners"`)
}

// Running returns what /api/ps says.
func (o *Ollama) Running() string {
	o.t.Helper()
	body, _, err := o.call(http.MethodGet, "/api/ps", nil)
	if err != nil {
		o.t.Fatal(err)
	}
	return body
}

// call does one plain request, without a connection that outlives it.
func (o *Ollama) call(method, path string, body []byte) (string, int, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, o.URL+path, bytes.NewReader(body))
	if err != nil {
		return "", 0, err
	}
	req.Close = true
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", 0, err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return string(b), resp.StatusCode, err
}

func (o *Ollama) tail() string {
	b, err := os.ReadFile(o.log.Name())
	if err != nil {
		return err.Error()
	}
	return string(b[max(0, len(b)-4000):])
}
