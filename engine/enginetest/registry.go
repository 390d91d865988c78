package enginetest

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// Registry is Debian's docker-registry on a port of its own, from which a real model server pulls. As the public one does, it
// leads to a second host for the bytes; that one is of this package, so that it can be slow and count.
type Registry struct {
	Addr string // "127.0.0.1:PORT"

	t     testing.TB
	root  string
	slow  atomic.Int64 // bytes a second; 0: as fast as it goes
	sent  atomic.Int64
	opens atomic.Int64
}

// registryBinary returns the path of the registry: on the PATH, or what build/registry.sh left in the cache.
func registryBinary() (string, error) {
	if p, err := exec.LookPath("docker-registry"); err == nil {
		return p, nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	p := filepath.Join(cache, "assay", "tools", "docker-registry", "usr", "bin", "docker-registry")
	if _, err := os.Stat(p); err != nil {
		return "", fmt.Errorf("no registry at %s or on the PATH; build/registry.sh gets it", p)
	}
	return p, nil
}

// StartRegistry starts a registry that stops when the test ends. The test is skipped where Debian's docker-registry is not.
func StartRegistry(t testing.TB) *Registry {
	t.Helper()
	binary, err := registryBinary()
	if err != nil {
		t.Skip(err)
	}
	// The server follows a redirect only to another host than the registry's.
	l, err := net.Listen("tcp", "127.0.0.2:0")
	if err != nil {
		t.Skipf("this system has no second loopback address for the registry's bytes: %v", err)
	}
	dir := t.TempDir()
	r := &Registry{Addr: freeAddr(t), t: t, root: filepath.Join(dir, "data")}
	if err := os.Mkdir(r.root, 0o755); err != nil {
		t.Fatal(err)
	}
	bytes := httptest.NewUnstartedServer(http.HandlerFunc(r.serve))
	_ = bytes.Listener.Close()
	bytes.Listener = l
	bytes.Start()
	t.Cleanup(func() { bytes.CloseClientConnections(); bytes.Close() })

	config := filepath.Join(dir, "config.yml")
	text := fmt.Sprintf(`version: 0.1
log: {level: error, accesslog: {disabled: true}}
storage:
  filesystem: {rootdirectory: %s}
  delete: {enabled: true}
middleware:
  storage:
    - name: redirect
      options: {baseurl: "%s/"}
http: {addr: %s, secret: tests}
`, r.root, bytes.URL, r.Addr)
	if err := os.WriteFile(config, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	log, err := os.Create(filepath.Join(dir, "registry.log"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, "serve", config)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = log.Close()
	})
	for range 300 {
		if r.answers() {
			return r
		}
		time.Sleep(100 * time.Millisecond)
	}
	b, _ := os.ReadFile(log.Name())
	t.Fatalf("the registry did not answer within 30 s:\n%s", b)
	return nil
}

// freeAddr is a loopback address that nobody listens on now.
func freeAddr(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

func (r *Registry) answers() bool {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+r.Addr+"/v2/", nil)
	if err != nil {
		return false
	}
	req.Close = true
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	_ = resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

// Name is the name under which a server pulls a model from here, without the scheme.
func (r *Registry) Name(model string) string { return r.Addr + "/library/" + model }

// Push puts a model of a server here, and takes the second name that this needs from the server again.
func (r *Registry) Push(o *Ollama, model string) {
	r.t.Helper()
	name := r.Name(model)
	for _, step := range []struct {
		method, path string
		body         map[string]any
	}{
		{http.MethodPost, "/api/copy", map[string]any{"source": model, "destination": name}},
		{http.MethodPost, "/api/push", map[string]any{"model": name, "insecure": true, "stream": false}},
		{http.MethodDelete, "/api/delete", map[string]any{"model": name}},
	} {
		b, err := json.Marshal(step.body)
		if err != nil {
			r.t.Fatal(err)
		}
		if answer, code, err := o.call(step.method, step.path, b); err != nil || code >= 300 {
			r.t.Fatalf("push %s: %s: status %d, %v: %s", model, step.path, code, err, answer)
		}
	}
}

// Slow bounds the speed of the bytes, in bytes a second; 0 lets them go as fast as they can.
func (r *Registry) Slow(perSecond int64) { r.slow.Store(perSecond) }

// Sent counts the bytes of models that were sent.
func (r *Registry) Sent() int64 { return r.sent.Load() }

// Opens counts the requests for bytes of models.
func (r *Registry) Opens() int64 { return r.opens.Load() }

// Flip changes one bit in the middle of the largest part that is kept here; doing it again puts it right.
func (r *Registry) Flip() {
	r.t.Helper()
	name, size := "", int64(0)
	err := filepath.WalkDir(r.root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() != "data" {
			return err
		}
		st, err := d.Info()
		if err == nil && st.Size() > size {
			name, size = path, st.Size()
		}
		return err
	})
	if err != nil || name == "" {
		r.t.Fatalf("flip a bit: nothing is kept here: %v", err)
	}
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		r.t.Fatal(err)
	}
	b := make([]byte, 1)
	if _, err = f.ReadAt(b, size/2); err == nil {
		b[0] ^= 1
		_, err = f.WriteAt(b, size/2)
	}
	if err2 := f.Close(); err != nil || err2 != nil {
		r.t.Fatal(err, err2)
	}
}

// serve hands out the bytes of what is kept.
func (r *Registry) serve(w http.ResponseWriter, req *http.Request) {
	if req.Method == http.MethodGet && strings.HasSuffix(req.URL.Path, "/data") {
		r.opens.Add(1)
		w = &slowly{w, r, req.Context()}
	}
	http.FileServer(http.Dir(r.root)).ServeHTTP(w, req)
}

// slowly writes no faster than the registry may, and counts.
type slowly struct {
	http.ResponseWriter
	r   *Registry
	ctx context.Context
}

func (s *slowly) Write(p []byte) (int, error) {
	const piece = 16 << 10
	done := 0
	for done < len(p) {
		n, err := s.ResponseWriter.Write(p[done:min(len(p), done+piece)])
		done += n
		s.r.sent.Add(int64(n))
		if err != nil {
			return done, err
		}
		if rate := s.r.slow.Load(); rate > 0 {
			select {
			case <-time.After(time.Duration(int64(n) * int64(time.Second) / rate)):
			case <-s.ctx.Done():
				return done, s.ctx.Err()
			}
		}
	}
	return done, nil
}
