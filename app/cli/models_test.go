package cli

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"assay/app/desk"
	"assay/engine/enginetest"
)

// TestModels goes through the life of a model on the real server.
func TestModels(t *testing.T) {
	o := enginetest.StartOllamaIn(t, filepath.Join(t.TempDir(), "models"))
	x := newTerminal(t)
	x.ollama = o.URL
	x.want(0, "has no model yet", "models", "list")
	if out := x.want(0, `"models":[]`, "models", "list", "--json"); !json.Valid([]byte(out)) {
		t.Errorf("models list --json: %s", out)
	}
	file := filepath.Join(t.TempDir(), "tiny.gguf")
	if err := os.WriteFile(file, enginetest.Tiny{}.GGUF(), 0o644); err != nil {
		t.Fatal(err)
	}
	x.want(2, "--file FILE", "models", "create", "tiny")
	x.want(1, "is not the file that was expected", "models", "create", "tiny", "--file", file, "--sha256", strings.Repeat("0", 64))
	x.want(0, "Made tiny of", "models", "create", "tiny", "--file", file)
	x.want(0, "is now also called second", "models", "cp", "tiny", "second")
	x.want(2, "takes two arguments", "models", "cp", "tiny")
	x.want(1, "are one name", "models", "cp", "tiny", "TINY:latest")
	// A name that stands for another model needs a yes.
	other := filepath.Join(t.TempDir(), "other.gguf")
	if err := os.WriteFile(other, enginetest.Tiny{Seed: 2}.GGUF(), 0o644); err != nil {
		t.Fatal(err)
	}
	x.want(0, "Made other of", "models", "create", "other", "--file", other)
	x.want(2, "second:latest is a model already, with", "models", "cp", "other", "second")
	x.want(2, "that model stays as tiny:latest: not confirmed; say yes with --yes", "models", "create", "second", "--file", other)
	x.want(0, "is now also called second", "models", "cp", "other", "second", "--yes")
	x.want(2, "could then only be pulled or made again", "models", "create", "tiny", "--file", other)
	x.want(0, "Made second of", "models", "create", "second", "--file", file, "--yes")
	x.want(2, " kB would be deleted", "models", "rm", "other")
	x.want(0, "Deleted other", "models", "rm", "other", "--yes")
	out := x.want(0, "2 models, ", "models", "list")
	if !strings.Contains(out, "tiny:latest") || !strings.Contains(out, "llama") || strings.Count(out, "not loaded") != 2 {
		t.Errorf("models list:\n%s", out)
	}
	x.want(2, "--keep-alive \"abc\": write a time as 30m, 2h or -1s", "models", "load", "tiny", "--keep-alive", "abc")
	x.want(2, "--batch 0: use a number of tokens from 1", "models", "load", "tiny", "--batch", "0")
	x.want(2, "use a number of tokens from 1 to 67,108,864", "models", "load", "tiny", "--ctx", "99999999999")
	x.want(0, "A window of 60,000 tokens was asked for; the server made one of 8,192", "models", "load", "tiny", "--ctx", "60000", "--keep-alive", "1h")
	x.want(0, "loaded in main memory", "models", "load", "tiny", "--ctx", "2048", "--keep-alive", "1h")
	x.want(0, "window 2048", "models", "list")
	x.want(0, "Context  8192", "models", "show", "tiny")
	x.want(0, `"llama.block_count":2`, "models", "show", "tiny", "--raw")
	var shown desk.Model
	if err := json.Unmarshal([]byte(x.want(0, "", "models", "show", "tiny", "--json")), &shown); err != nil || shown.Family != "llama" || shown.Running == nil || len(shown.Shown) == 0 {
		t.Errorf("models show --json: %+v, %v", shown, err)
	}
	x.want(0, "is not loaded any more", "models", "unload", "tiny")
	x.want(4, "has no model absent", "models", "show", "absent")
	x.want(2, "say yes with --yes", "models", "rm", "tiny")
	x.want(0, "Deleted second", "models", "rm", "tiny", "second", "--yes")
	x.want(0, "has no model yet", "models", "list")
	x.want(2, "is no model name", "models", "pull", "../etc")
	x.want(2, "say yes with --from-host 205.0.0.1:8443", "models", "pull", "205.0.0.1:8443/attacker/x")

	// With the offline switch on nothing is fetched, and it is said what.
	if err := os.WriteFile(filepath.Join(x.home, "settings.json"), []byte(`{"offline":true}`), 0o644); err != nil {
		t.Fatal(err)
	}
	x.want(4, "the offline switch is on, so the model server is not told to fetch llama3.1:8b from registry.ollama.ai", "models", "pull", "llama3.1:8b")
	o.Kill()
	x.want(4, "no Ollama server answers", "models", "list")
}

// TestPull shows a pull in lines and as JSON, and stops one.
func TestPull(t *testing.T) {
	var asked, gone atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/api/version":
			fmt.Fprint(w, `{"version":"0.17.4"}`)
		case "/api/pull":
			asked.Add(1)
			var req struct{ Model string }
			_ = json.NewDecoder(r.Body).Decode(&req)
			fmt.Fprintln(w, `{"status":"pulling manifest"}`)
			for done := int64(0); done <= 2e9; done += 1e8 {
				fmt.Fprintf(w, `{"status":"pulling aa","digest":"sha256:aa","total":2000000000,"completed":%d}`+"\n", done)
				w.(http.Flusher).Flush()
				if req.Model == "endless:latest" {
					<-r.Context().Done()
					gone.Add(1)
					return
				}
			}
			fmt.Fprintln(w, `{"status":"success"}`)
		default:
			http.NotFound(w, r)
		}
	}))
	defer s.Close()
	x := newTerminal(t)
	x.ollama = s.URL
	out, errOut, code := x.run("models", "pull", "tiny")
	if code != 0 || !strings.Contains(out, "Fetched tiny:latest, 2.0 GB.") || !strings.Contains(errOut, "% of 2.0 GB") {
		t.Errorf("models pull: code %d\n%s%s", code, out, errOut)
	}
	out, errOut, code = x.run("models", "pull", "tiny", "--json")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	var last desk.PullProgress
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil || code != 0 || errOut != "" || last.Phase != "done" || last.Done != 2e9 {
		t.Errorf("models pull --json: code %d, %v\n%s%s", code, err, out, errOut)
	}
	go func() {
		for asked.Load() < 3 {
			time.Sleep(10 * time.Millisecond)
		}
		x.signals <- syscall.SIGINT
	}()
	x.want(5, "what was fetched is kept", "models", "pull", "endless")
	for gone.Load() == 0 {
		time.Sleep(10 * time.Millisecond) // a test that hangs here has failed
	}
}

// TestServer starts the real server in the foreground, looks at it from elsewhere and stops it from there.
func TestServer(t *testing.T) {
	binary, err := enginetest.OllamaBinary()
	if err != nil {
		t.Skip(err)
	}
	x := newTerminal(t)
	x.want(0, "No model server that Assay started is running", "server", "stop")
	x.want(0, "There is no log yet", "server", "log")
	x.want(0, "start one with assay server start", "server", "status")
	set := func(binary string) {
		t.Helper()
		b, err := json.Marshal(desk.Settings{OllamaBinary: binary})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(x.home, "settings.json"), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	set(filepath.Join(x.home, "absent"))
	x.want(4, "there is no program at", "server", "start")
	set(binary)
	start := func(y *terminalOn) (ended chan string) {
		t.Helper()
		ended = make(chan string, 1)
		go func() {
			out, errOut, code := y.run("server", "start")
			ended <- fmt.Sprintf("code %d: %s%s", code, out, errOut)
		}()
		for range 3000 {
			if out, _, _ := x.run("server", "status"); strings.Contains(out, ", ready, process ") {
				return ended
			}
			select {
			case said := <-ended:
				t.Fatalf("server start ended: %s", said)
			case <-time.After(10 * time.Millisecond):
			}
		}
		t.Fatal("server start does not get ready")
		return nil
	}
	y := &terminalOn{t: t, home: x.home, ollama: x.ollama, signals: make(chan os.Signal, 2)}
	ended := start(y)
	x.want(0, "A model server runs already: terminal, process ", "server", "start")
	x.want(0, "Ollama 0.17.4 at http://127.0.0.1:", "server", "status")
	x.want(0, "has no model yet", "models", "list") // the server that was started is the one that is asked
	x.want(0, "inference compute", "server", "log")
	x.want(0, `"OLLAMA_NO_CLOUD":"true"`, "server", "log", "--json")
	x.want(2, "use a number from 1", "server", "log", "--lines", "0")
	x.want(0, "Stopped the model server of the other program", "server", "stop")
	if said := <-ended; !strings.HasPrefix(said, "code 0: ") || !strings.Contains(said, "stopped by another program") {
		t.Errorf("server start ended with %s", said)
	}
	ended = start(y)
	y.signals <- os.Interrupt
	if said := <-ended; !strings.HasPrefix(said, "code 0: ") || !strings.Contains(said, "Stopped the model server") {
		t.Errorf("server start ended by Ctrl-C with %s", said)
	}

	// A server that Assay did not start is never stopped.
	other := enginetest.NewServer(t)
	x.ollama = other.URL
	x.want(1, "was not started by Assay and is left running", "server", "stop")
	x.want(0, "never stopped by it: Ollama 0.17.4 at "+other.URL, "server", "status")
}
