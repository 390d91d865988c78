package ollama

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/engine/enginetest"
	"assay/engine/research"
)

func TestParseName(t *testing.T) {
	for in, want := range map[string]string{
		"llama3.1:8b": "llama3.1:8b", "tiny": "tiny:latest", "library/x": "x:latest", "user/model": "user/model:latest", "user/model:q4_K_M": "user/model:q4_K_M",
		"registry.ollama.ai/library/x": "x:latest", "https://registry.ollama.ai/library/x": "x:latest", "REGISTRY.ollama.AI/library/x": "x:latest",
	} {
		if n, err := ParseName(in); err != nil || n.Short() != want || n.Foreign() {
			t.Errorf("ParseName(%q) = %+v, %v; want %s of the registry", in, n, err, want)
		}
	}
	for in, want := range map[string]string{
		"205.0.0.1:8443/attacker/x": "205.0.0.1:8443/attacker/x:latest", "evil.example/x/y": "evil.example/x/y:latest", "hf.co/user/Repo-GGUF:Q4_K_M": "hf.co/user/Repo-GGUF:Q4_K_M",
		"http://127.0.0.1:5000/library/tiny": "127.0.0.1:5000/library/tiny:latest", "localhost:5000/a/b": "localhost:5000/a/b:latest", "registry.ollama.ai:80/library/x": "registry.ollama.ai:80/library/x:latest",
		"registry.ollama.ai.evil.example/library/x": "registry.ollama.ai.evil.example/library/x:latest",
	} {
		if n, err := ParseName(in); err != nil || n.Short() != want || !n.Foreign() {
			t.Errorf("ParseName(%q) = %+v, %v; want %s of another host", in, n, err, want)
		}
	}
	for _, in := range []string{
		"", ":", "/", "a/", "/a", "a:", ":b", "a b", "a\nb", "../../etc/passwd", "evil.example/x", "a/b/c/d", "user@evil.example/x/y", "ftp://h/x/y", "://x", "x?y", "x#y", "x%2fy", "x\\y",
		"-x", ".x", "é", "a:b:c", "h:x/y/z", "h:99999/y/z", "::/y/z", strings.Repeat("a", 81), "x:" + strings.Repeat("a", 81), strings.Repeat("a", 1000), "http://", "http:///x/y", "\u202emodel",
	} {
		if n, err := ParseName(in); err == nil || strings.ContainsAny(err.Error(), "\n") {
			t.Errorf("ParseName(%q) = %+v, %v; want it refused in one line", in, n, err)
		}
	}
}

// FuzzParseName holds that a name that is taken reads back as itself, and that nothing but the registry goes without a yes.
func FuzzParseName(f *testing.F) {
	for _, s := range []string{"llama3.1:8b", "205.0.0.1:8443/attacker/x", "http://127.0.0.1:5000/library/tiny", "a/b/c:d", "\x00", "é/ü"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n, err := ParseName(s)
		if err != nil {
			return
		}
		again, err := ParseName(n.Short())
		if err != nil || !again.Same(n) {
			t.Fatalf("%q reads as %q, and that as %+v, %v", s, n.Short(), again, err)
		}
		if strings.ContainsAny(n.Short(), " \n\\@?#%") || strings.Contains(n.Short(), "..") && !strings.Contains(s, "..") {
			t.Errorf("%q reads as %q", s, n.Short())
		}
		if (n.agreed("") == nil) != (strings.EqualFold(n.Host, Registry) && !n.Plain) {
			t.Errorf("%q goes to %s without a yes", s, n.Host)
		}
	})
}

// TestModelsForReal goes through the life of a model on the real server.
func TestModelsForReal(t *testing.T) {
	o := enginetest.StartOllamaIn(t, filepath.Join(t.TempDir(), "models"))
	a := admin(t, o.URL)
	ctx := t.Context()
	list := func() Models {
		t.Helper()
		l, err := a.List(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	if l := list(); l.Version != "0.17.4" || len(l.Models) != 0 || l.Models == nil || l.Loaded == nil || l.BaseURL != o.URL {
		t.Errorf("List of an empty server = %+v", l)
	}

	file := tinyFile(t)
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	sum := fmt.Sprintf("%x", sha256.Sum256(b))
	phases := map[string]int64{}
	opt := CreateOptions{
		SHA256: strings.ToUpper(sum), Template: "{{ .Prompt }}", Parameters: map[string]any{"num_thread": 1},
		Progress: func(phase string, done, total int64) { phases[phase] = done },
	}
	for name, bad := range map[string]CreateOptions{
		"another checksum": {SHA256: strings.Repeat("0", 64)}, "no checksum": {SHA256: "abc"},
	} {
		if err := a.Create(ctx, "tiny", file, bad); !errors.Is(err, ErrFile) {
			t.Errorf("Create with %s = %v, want ErrFile", name, err)
		}
	}
	text := filepath.Join(t.TempDir(), "notes.gguf")
	if err := os.WriteFile(text, []byte("not a model"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]string{"text": text, "nothing": text + "x", "a folder": filepath.Dir(text)} {
		if err := a.Create(ctx, "tiny", f, CreateOptions{}); !errors.Is(err, ErrFile) {
			t.Errorf("Create from %s = %v, want ErrFile", name, err)
		}
	}
	if len(list().Models) != 0 {
		t.Error("a refused file made a model")
	}
	if err := a.Create(ctx, "tiny", file, opt); err != nil {
		t.Fatal(err)
	}
	if n := int64(len(b)); phases[CreateChecking] != n || phases[CreateUploading] != n {
		t.Errorf("progress = %v, want %d bytes of both", phases, n)
	}
	delete(phases, CreateUploading)
	if err := a.Create(ctx, "again", file, opt); err != nil {
		t.Fatal(err)
	}
	if _, sent := phases[CreateUploading]; sent {
		t.Error("bytes that the server has were sent again")
	}
	broken := filepath.Join(t.TempDir(), "broken.gguf")
	if err := os.WriteFile(broken, b[:len(b)/3], 0o644); err != nil {
		t.Fatal(err)
	}
	if err := a.Create(ctx, "broken", broken, CreateOptions{}); err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("Create from a third of a file = %v, want a sentence", err)
	}

	if err := a.Copy(ctx, "tiny", "other/name:v1", false); err != nil {
		t.Fatal(err)
	}
	if err := a.Copy(ctx, "absent", "x", false); !errors.Is(err, research.ErrMissing) {
		t.Errorf("Copy of nothing = %v", err)
	}
	l := list()
	if len(l.Models) != 3 || len(l.Loaded) != 0 {
		t.Fatalf("List = %+v", l)
	}
	for _, m := range l.Models {
		if m.Family != "llama" || m.ContextLength != 8192 || !m.Completes || m.Size < int64(len(b)) || len(m.Digest) != 64 || m.ModifiedMs == 0 || m.Running != nil || m.Remote != "" || m.Parameters == "" {
			t.Errorf("model = %+v", m)
		}
	}

	raw, info, err := a.Show(ctx, "tiny")
	if err != nil || info.ContextLength != 8192 || strings.Join(info.Capabilities, " ") != "completion" {
		t.Errorf("Show = %+v, %v", info, err)
	}
	var shown struct {
		Info    map[string]any `json:"model_info"`
		Tensors []any          `json:"tensors"`
	}
	if err := json.Unmarshal(raw, &shown); err != nil || shown.Info["llama.block_count"] != 2.0 || len(shown.Tensors) != 21 || shown.Info["tokenizer.ggml.tokens"] != nil {
		t.Errorf("Show's answer: %v, %d tensors, vocabulary %T", err, len(shown.Tensors), shown.Info["tokenizer.ggml.tokens"])
	}
	if _, _, err := a.Show(ctx, "absent"); !errors.Is(err, research.ErrMissing) {
		t.Errorf("Show of nothing = %v", err)
	}

	r, err := a.Load(ctx, "tiny", LoadOptions{NumCtx: 2048, NumBatch: 256, KeepAlive: time.Hour})
	if err != nil || r.ContextLength != 2048 || r.Size == 0 || r.SizeVRAM != 0 {
		t.Fatalf("Load = %+v, %v", r, err)
	}
	if left := time.Until(time.UnixMilli(r.ExpiresMs)); left < 50*time.Minute || left > 70*time.Minute {
		t.Errorf("it is let go in %s, want an hour", left)
	}
	if r, err = a.Load(ctx, "tiny", LoadOptions{NumCtx: 2048, NumBatch: 256, KeepAlive: -1}); err != nil || r.ExpiresMs != 0 {
		t.Errorf("Load for ever = %+v, %v; want no end", r, err)
	}
	if n := o.Loads(); n != 1 {
		t.Errorf("%d loads, want 1: the options were the same", n)
	}
	// Names that share a model share what is loaded only by the name that was asked for.
	for _, m := range list().Models {
		if m.Loaded != (m.Name == "tiny:latest") || m.Loaded != (m.Running != nil) {
			t.Errorf("%s: loaded %v, running %v", m.Name, m.Loaded, m.Running)
		}
	}
	if _, err := a.Load(ctx, "absent", LoadOptions{}); !errors.Is(err, research.ErrMissing) {
		t.Errorf("Load of nothing = %v", err)
	}
	if err := a.Unload(ctx, "tiny"); err != nil {
		t.Fatal(err)
	}
	if loaded, err := a.Running(ctx); err != nil || len(loaded) != 0 {
		t.Errorf("Running after Unload = %+v, %v", loaded, err)
	}
	if err := a.Unload(ctx, "tiny"); err != nil {
		t.Errorf("Unload of what is not loaded = %v", err)
	}
	if err := a.Unload(ctx, "absent"); !errors.Is(err, research.ErrMissing) {
		t.Errorf("Unload of nothing = %v", err)
	}

	for _, name := range []string{"tiny", "again", "other/name:v1"} {
		if err := a.Delete(ctx, name); err != nil {
			t.Errorf("Delete(%s) = %v", name, err)
		}
	}
	if err := a.Delete(ctx, "tiny"); !errors.Is(err, research.ErrMissing) {
		t.Errorf("Delete again = %v", err)
	}
	if len(list().Models) != 0 {
		t.Errorf("List after all were deleted = %+v", list())
	}
	o.Kill()
	if _, err := a.List(ctx); !errors.Is(err, research.ErrUnavailable) {
		t.Errorf("List of a dead server = %v", err)
	}
}

// Status is what /api/ps says and nothing else (jan#8517): a server that takes a load and lists nothing has loaded nothing.
func TestLoadedIsWhatIsListed(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/api/show":
			fmt.Fprint(w, `{"capabilities":["completion"],"model_info":{}}`)
		case "/api/tags":
			fmt.Fprint(w, `{"models":[{"name":"tiny:latest"}]}`)
		case "/api/version":
			fmt.Fprint(w, `{"version":"0.17.4"}`)
		case "/api/generate":
			fmt.Fprint(w, `{"done":true,"done_reason":"load"}`)
		case "/api/ps":
			fmt.Fprint(w, `{"models":[]}`)
		}
	}))
	defer s.Close()
	a := admin(t, s.URL)
	if r, err := a.Load(t.Context(), "tiny", LoadOptions{}); !errors.Is(err, research.ErrServer) || !strings.Contains(err.Error(), "does not list it as loaded") {
		t.Errorf("Load = %+v, %v", r, err)
	}
	if l, err := a.List(t.Context()); err != nil || l.Models[0].Loaded || l.Models[0].Running != nil {
		t.Errorf("List = %+v, %v", l, err)
	}
}

// Stopping a load closes its connection, so that the server is free (open-webui#1166).
func TestLoadStopped(t *testing.T) {
	gone := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/api/show":
			fmt.Fprint(w, `{"capabilities":["completion"],"model_info":{}}`)
		case "/api/generate":
			var body map[string]any
			_ = json.NewDecoder(r.Body).Decode(&body)
			<-r.Context().Done()
			close(gone)
		default:
			fmt.Fprint(w, `{}`)
		}
	}))
	defer s.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := admin(t, s.URL).Load(ctx, "tiny", LoadOptions{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Load = %v, want the context's error", err)
	}
	select {
	case <-gone:
	case <-time.After(2 * time.Second):
		t.Error("the server did not see its connection closed within 2 s")
	}
}

// Arrays that the server leaves out are asked for, unless they are the vocabulary.
func TestShowAsksForArrays(t *testing.T) {
	var verbose []bool
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/api/show" {
			fmt.Fprint(w, `{"models":[]}`)
			return
		}
		var req struct{ Verbose bool }
		_ = json.NewDecoder(r.Body).Decode(&req)
		verbose = append(verbose, req.Verbose)
		heads := "null"
		if req.Verbose {
			heads = "[8,0,0,8]"
		}
		fmt.Fprintf(w, `{"model_info":{"general.architecture":"x","x.attention.head_count_kv":%s,"tokenizer.ggml.tokens":null}}`, heads)
	}))
	defer s.Close()
	raw, _, err := admin(t, s.URL).Show(t.Context(), "m")
	if err != nil || !strings.Contains(string(raw), "[8,0,0,8]") || fmt.Sprint(verbose) != "[false false true]" {
		t.Errorf("Show = %s, %v after %v", raw, err, verbose)
	}
}

// An address that is not the server's own is told from a server that is not there (Vane#52).
func TestWrongAddress(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	defer s.Close()
	a200 := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "404 page not found") }))
	defer a200.Close()
	for _, tc := range []struct{ name, base, say string }{
		{"ACCEPTANCE 56: 404", s.URL, "answers, but not as an Ollama server does (status 404); check the address, which is one such as http://127.0.0.1:11434"},
		{"ACCEPTANCE 56: 404 in a body with status 200", a200.URL, "answers, but not as an Ollama server does; check the address"},
		{"with a path", s.URL + "/v1/", "leave /v1 out of the address, as in " + s.URL},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a := admin(t, tc.base)
			_, listed := a.List(t.Context())
			_, probed := Probe(t.Context(), client(t), tc.base)
			p, _, err := a.Pull(t.Context(), "tiny", PullOptions{Tries: 1})
			if err != nil {
				t.Fatal(err)
			}
			faults := map[string]error{"List": listed, "Probe": probed}
			faults["Delete"] = a.Delete(t.Context(), "x")
			for what, err := range faults {
				if !errors.Is(err, research.ErrServer) || !strings.Contains(err.Error(), tc.say) {
					t.Errorf("%s = %v, want %q", what, err, tc.say)
				}
			}
			if err := p.Wait(t.Context()); err == nil || tc.base == s.URL && !strings.Contains(err.Error(), tc.say) {
				t.Errorf("Pull = %v, want %q", err, tc.say)
			}
		})
	}
}

// A server whose list is missing or empty still answers for a name that the person types (Vane#914).
func TestTypedName(t *testing.T) {
	for _, list := range []string{"404", `{"models":[]}`, `{}`} {
		t.Run("ACCEPTANCE 59: a list that is "+list, func(t *testing.T) {
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch {
				case r.URL.Path == "/api/show":
					fmt.Fprint(w, `{"capabilities":["completion"],"model_info":{"general.architecture":"x","x.context_length":9000}}`)
				case r.URL.Path == "/api/tags" && list != "404":
					fmt.Fprint(w, list)
				default:
					http.NotFound(w, r)
				}
			}))
			defer s.Close()
			m, err := New(t.Context(), Config{HTTP: client(t), BaseURL: s.URL, Model: "typed", Closed: true})
			if err != nil || m.Info().ContextLength != 9000 {
				t.Errorf("New = %v", err)
			}
		})
	}
}
