package serve_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"assay/app/desk"
	"assay/app/serve"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "pdf-worker" {
		os.Exit(desk.PDFWorker(os.Args[2:], os.Stdin, os.Stdout, os.Stderr))
	}
	// The index starts its workers once a program and keeps them.
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("github.com/blevesearch/bleve_index_api.AnalysisWorker"))
}

// secretKey is a key of the person's own that no answer may hold.
const secretKey = "BSA-very-secret-key-000"

// place is a home that is served, with a token for each role.
type place struct {
	t      *testing.T
	desk   *desk.Desk
	home   string
	dir    string // a folder of the library
	server *serve.Server
	http   *httptest.Server
	tokens map[desk.Role]string
	log    *buffer
	now    *clock
}

// clock is a clock that stands until it is moved.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// buffer is a log that many may write to.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// plenty is a rate that no test meets.
var plenty = serve.Options{Rate: 1e6, Burst: 1e6}

func newPlace(t *testing.T, opt serve.Options) *place {
	t.Helper()
	p := &place{t: t, home: t.TempDir(), tokens: map[desk.Role]string{}, log: &buffer{}, now: &clock{at: time.Date(2026, 1, 2, 22, 0, 0, 0, time.UTC)}}
	d, err := desk.Open(desk.Options{Program: "server", Version: "1.0", Now: p.now.now, Getenv: func(name string) string {
		switch name {
		case "ASSAY_HOME":
			return p.home
		case "OLLAMA_HOST":
			return "127.0.0.1:1" // nobody answers there
		case "ASSAY_BRAVE_KEY":
			return secretKey
		}
		return ""
	}})
	if err != nil {
		t.Fatal(err)
	}
	p.desk = d
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	p.dir = library(t)
	if _, err := d.AddLibrary(t.Context(), p.dir, nil); err != nil {
		t.Fatal(err)
	}
	for _, role := range desk.Roles {
		if p.tokens[role], err = d.AddToken(string(role), role); err != nil {
			t.Fatal(err)
		}
	}
	opt.Now, opt.Log = p.now.now, slog.New(slog.NewJSONHandler(p.log, nil))
	p.server = serve.New(d, opt)
	p.http = httptest.NewServer(p.server.Handler())
	t.Cleanup(func() { p.server.End(); p.http.Close() })
	return p
}

func library(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "metals")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"gold.md":  "# Gold\n\nGold melts at 1064 degrees Celsius. Pure gold is soft and is alloyed with copper.\n",
		"table.md": "# Melting points\n\nThe melting point of gold is 1064 degrees Celsius. The melting point of silver is 962 degrees Celsius.\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// asked is an answer to a request.
type asked struct {
	status int
	header http.Header
	body   string
}

// do sends a request; body is JSON unless it is empty, and role the token's, or "" for none.
func (p *place) do(role desk.Role, method, path, body string, change ...func(*http.Request)) asked {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.t.Context(), method, p.http.URL+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if role != "" {
		req.Header.Set("Authorization", "Bearer "+p.tokens[role])
	}
	for _, fn := range change {
		fn(req)
	}
	res, err := p.http.Client().Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return asked{res.StatusCode, res.Header, string(b)}
}

// want is do for an answer that must have a status, and hold a text when there is one.
func (p *place) want(status int, text string, role desk.Role, method, path, body string, change ...func(*http.Request)) asked {
	p.t.Helper()
	got := p.do(role, method, path, body, change...)
	if got.status != status || !strings.Contains(got.body, text) {
		p.t.Fatalf("%s %s as %q: %d %s; want %d and %q", method, path, role, got.status, got.body, status, text)
	}
	return got
}

const startGold = `{"question":"What is the melting point of gold?","depth":"quick","model":"extractive","now":"2026-01-02T03:04:05Z"}`

// run starts a run and waits until it has ended; it returns its id.
func (p *place) run() string {
	p.t.Helper()
	var st struct{ ID string }
	got := p.want(http.StatusAccepted, "", desk.Researcher, "POST", "/v1/runs", startGold)
	if err := json.Unmarshal([]byte(got.body), &st); err != nil {
		p.t.Fatal(err)
	}
	p.ended(st.ID)
	return st.ID
}

func (p *place) ended(id string) {
	p.t.Helper()
	if j := p.desk.Job(id); j != nil {
		if _, err := j.Wait(p.t.Context()); err != nil {
			p.t.Fatal(err)
		}
	}
}

// TestOpenAPIIsKept holds that the kept description is what the types give, so that the generated client is of it. build/client.sh writes
// both anew.
func TestOpenAPIIsKept(t *testing.T) {
	p := newPlace(t, plenty)
	b, err := p.server.OpenAPI(false)
	if err != nil {
		t.Fatal(err)
	}
	var made bytes.Buffer
	if err := json.Indent(&made, b, "", " "); err != nil {
		t.Fatal(err)
	}
	made.WriteByte('\n')
	name := filepath.Join("testdata", "openapi.json")
	if os.Getenv("ASSAY_UPDATE") != "" {
		if err := os.WriteFile(name, made.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(name)
	if err != nil || !bytes.Equal(kept, made.Bytes()) {
		t.Errorf("%s is not what the types give (%v): run build/client.sh", name, err)
	}
	if !strings.Contains(made.String(), `"openapi": "3.1.0"`) {
		t.Error("the description is not of OpenAPI 3.1")
	}
	old, err := p.server.OpenAPI(true)
	if err != nil || !bytes.Contains(old, []byte(`"openapi":"3.0.3"`)) {
		t.Errorf("the old description: %v", err)
	}
	p.want(http.StatusOK, `"openapi"`, desk.Reader, "GET", "/v1/openapi.json", "")
}

// TestEnd holds that a server that ends tells its streams, ends them, and leaves a run that can be resumed.
func TestEnd(t *testing.T) {
	p := newPlace(t, plenty)
	l, note, err := serve.Listen(p.desk, "127.0.0.1:0")
	if err != nil || note != "" {
		t.Fatal(note, err)
	}
	s := serve.New(p.desk, plenty)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, l) }()
	base := "http://" + l.Addr().String()
	send := func(method, path, body string) *http.Response {
		req, err := http.NewRequestWithContext(t.Context(), method, base+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+p.tokens[desk.Researcher])
		req.Header.Set("Content-Type", "application/json")
		res, err := p.http.Client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	res := send("POST", "/v1/runs", strings.Replace(startGold, `"depth"`, `"review":true,"patience_seconds":3600,"depth"`, 1))
	var st struct{ ID string }
	if err := errors.Join(json.NewDecoder(res.Body).Decode(&st), res.Body.Close()); err != nil || res.StatusCode != http.StatusAccepted {
		t.Fatal(res.StatusCode, err)
	}
	res = send("GET", "/v1/runs/"+st.ID+"/events", "")
	first := make([]byte, 10)
	if _, err := io.ReadFull(res.Body, first); err != nil {
		t.Fatal(err)
	}
	cancel()
	rest, err := io.ReadAll(res.Body)
	if err = errors.Join(err, res.Body.Close()); err != nil || !strings.Contains(string(rest), "event: closing") {
		t.Errorf("the stream ended with %v and %q", err, rest)
	}
	if err := <-done; err != nil {
		t.Errorf("Serve = %v", err)
	}
	j := p.desk.Job(st.ID)
	if j == nil {
		t.Fatal("the run ended with the server")
	}
	j.Interrupt()
	if r, err := j.Wait(t.Context()); err != nil || r.State.State != "interrupted" {
		t.Fatalf("the run ended as %+v, %v", r.State, err)
	}
	p.want(http.StatusAccepted, st.ID, desk.Researcher, "POST", "/v1/runs/"+st.ID+"/resume", "")
	p.ended(st.ID)
	p.want(http.StatusOK, `"state":"done"`, desk.Reader, "GET", "/v1/runs/"+st.ID, "")
}

func TestListen(t *testing.T) {
	d, err := desk.Open(desk.Options{Program: "server", Getenv: func(name string) string {
		return map[string]string{"ASSAY_HOME": filepath.Join(os.TempDir(), fmt.Sprintf("assay-none-%d", os.Getpid()))}[name]
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	for _, addr := range []string{"0.0.0.0:0", ":0", "[::]:0", "192.0.2.1:0", "example.org:0"} {
		var wrong *desk.UsageError
		if l, _, err := serve.Listen(d, addr); !errors.As(err, &wrong) || !strings.Contains(err.Error(), "there is no token") {
			t.Errorf("Listen(%s) = %v, %v; want it refused because there is no token", addr, l, err)
		}
	}
	if _, _, err := serve.Listen(d, "7557"); err == nil {
		t.Error("an address without a host was taken")
	}
	p := newPlace(t, plenty)
	l, note, err := serve.Listen(p.desk, "0.0.0.0:0")
	if err != nil || !strings.Contains(note, "there is no TLS") {
		t.Fatalf("Listen with tokens = %q, %v", note, err)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	var taken net.Listener
	if taken, _, err = serve.Listen(p.desk, "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	var wrong *desk.UsageError
	if _, _, err := serve.Listen(p.desk, taken.Addr().String()); !errors.As(err, &wrong) {
		t.Errorf("Listen where another does = %v", err)
	}
	if err := taken.Close(); err != nil {
		t.Error(err)
	}
}
