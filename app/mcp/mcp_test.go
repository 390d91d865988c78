package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"assay/app/desk"
	"assay/app/mcp"
)

// childHome is set in the process that answers on standard input and output.
const childHome = "ASSAY_TEST_MCP_HOME"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "pdf-worker" {
		os.Exit(desk.PDFWorker(os.Args[2:], os.Stdin, os.Stdout, os.Stderr))
	}
	if home := os.Getenv(childHome); home != "" {
		os.Exit(child(home))
	}
	os.Exit(m.Run())
}

// child is a program that an assistant started: the protocol on standard input and output.
func child(home string) int {
	d, err := open(home)
	if err == nil {
		err = mcp.New(d, desk.Caller{Name: "mcp", Role: desk.Role(os.Getenv("ASSAY_TEST_MCP_ROLE"))}).Run(context.Background(), os.Stdin, os.Stdout)
		if cerr := d.Close(); err == nil || err == io.EOF {
			err = cerr
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func open(home string) (*desk.Desk, error) {
	return desk.Open(desk.Options{Program: "server", Version: "1.0", Getenv: func(name string) string {
		switch name {
		case "ASSAY_HOME":
			return home
		case "OLLAMA_HOST":
			return "127.0.0.1:1" // nobody answers there
		}
		return ""
	}})
}

// place is a home with a library.
type place struct {
	t    *testing.T
	home string
	dir  string
}

func newPlace(t *testing.T) *place {
	t.Helper()
	p := &place{t: t, home: t.TempDir(), dir: filepath.Join(t.TempDir(), "metals")}
	if err := os.MkdirAll(p.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"gold.md":  "# Gold\n\nGold melts at 1064 degrees Celsius. Pure gold is soft and is alloyed with copper.\n",
		"table.md": "# Melting points\n\nThe melting point of gold is 1064 degrees Celsius. The melting point of silver is 962 degrees Celsius.\n",
	} {
		if err := os.WriteFile(filepath.Join(p.dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	d, err := open(p.home)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.AddLibrary(t.Context(), p.dir, nil); err != nil {
		t.Fatal(err)
	}
	set := d.Settings()
	set.Model, set.Depth = "extractive", "quick"
	if err := d.SetSettings(set); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	return p
}

// progress collects what a client is told.
type progress struct {
	mu   sync.Mutex
	list []sdk.ProgressNotificationParams
	seen chan struct{} // gets one at the first
}

func newProgress() *progress { return &progress{seen: make(chan struct{}, 1)} }

func (p *progress) options() *sdk.ClientOptions {
	return &sdk.ClientOptions{ProgressNotificationHandler: func(_ context.Context, req *sdk.ProgressNotificationClientRequest) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.list = append(p.list, *req.Params)
		select {
		case p.seen <- struct{}{}:
		default:
		}
	}}
}

func (p *progress) all() []sdk.ProgressNotificationParams {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.list)
}

// overStdio is a client of a child process, over its standard input and output, which hold nothing else.
func (p *place) overStdio(role desk.Role, told *progress) *sdk.ClientSession {
	p.t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childHome+"="+p.home, "ASSAY_TEST_MCP_ROLE="+string(role))
	cmd.Stderr = os.Stderr
	return p.connect(&sdk.CommandTransport{Command: cmd}, told)
}

func (p *place) connect(tr sdk.Transport, told *progress) *sdk.ClientSession {
	p.t.Helper()
	s, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, told.options()).Connect(p.t.Context(), tr, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = s.Close() })
	return s
}

// bearer sends a token with every request.
type bearer struct{ token string }

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return http.DefaultTransport.RoundTrip(r)
}

// overHTTP is a client over streamable HTTP. What package serve does before, finding the caller by the token, is done here by the name
// of the role.
func (p *place) overHTTP(role desk.Role, told *progress) *sdk.ClientSession {
	p.t.Helper()
	d, err := open(p.home)
	if err != nil {
		p.t.Fatal(err)
	}
	h := mcp.New(d, desk.Caller{}).Handler()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		role := desk.Role(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
		h.ServeHTTP(w, r.WithContext(desk.WithCaller(r.Context(), desk.Caller{Name: string(role), Role: role})))
	}))
	p.t.Cleanup(func() { srv.CloseClientConnections(); srv.Close(); _ = d.Close() })
	return p.connect(&sdk.StreamableClientTransport{Endpoint: srv.URL, HTTPClient: &http.Client{Transport: bearer{string(role)}}}, told)
}

// transports are the two ways.
var transports = map[string]func(*place, desk.Role, *progress) *sdk.ClientSession{"stdio": (*place).overStdio, "http": (*place).overHTTP}

// call calls a tool and decodes what it answers, or returns the sentence of its fault.
func call(t *testing.T, s *sdk.ClientSession, name string, args map[string]any, out any) string {
	t.Helper()
	params := &sdk.CallToolParams{Name: name, Arguments: args}
	params.SetProgressToken("p-" + name)
	res, err := s.CallTool(t.Context(), params)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if res.IsError {
		text, _ := res.Content[0].(*sdk.TextContent)
		return text.Text
	}
	b, err := json.Marshal(res.StructuredContent)
	if err == nil {
		err = json.Unmarshal(b, out)
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return ""
}

// TestBothTransports lists, calls, is told of progress, and reads, over both.
func TestBothTransports(t *testing.T) {
	for name, connect := range transports {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			told := newProgress()
			s := connect(p, desk.Researcher, told)
			tools, err := s.ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, tool := range tools.Tools {
				names = append(names, tool.Name)
				if tool.Description == "" || tool.InputSchema == nil || tool.OutputSchema == nil {
					t.Errorf("%s is not described", tool.Name)
				}
			}
			slices.Sort(names)
			if want := []string{"audit", "report", "research", "search_library", "status", "verify_claim"}; !slices.Equal(names, want) {
				t.Errorf("tools %v; want %v", names, want)
			}

			var run mcp.Outcome
			if fault := call(t, s, "research", map[string]any{"question": "What is the melting point of gold?"}, &run); fault != "" {
				t.Fatal(fault)
			}
			if run.State != "done" || len(run.Findings) == 0 || !strings.Contains(run.Findings[0].Text, "1064") || len(run.Findings[0].Sources) == 0 {
				t.Fatalf("research %+v", run)
			}
			list := told.all()
			for i, pr := range list {
				if pr.ProgressToken != "p-research" || pr.Message == "" || i > 0 && pr.Progress <= list[i-1].Progress {
					t.Errorf("progress %d: %+v", i, pr)
				}
			}
			if len(list) < 5 {
				t.Errorf("%d steps of progress were told", len(list))
			}

			var st mcp.StatusOut
			if fault := call(t, s, "status", map[string]any{}, &st); fault != "" || len(st.Runs) != 1 || st.Runs[0].ID != run.ID {
				t.Errorf("status %s %+v", fault, st)
			}
			var rep mcp.ReportOut
			if fault := call(t, s, "report", map[string]any{"id": run.ID}, &rep); fault != "" || !strings.Contains(rep.Markdown, "1064") {
				t.Errorf("report %s %+v", fault, rep)
			}
			var hits mcp.SearchOut
			if fault := call(t, s, "search_library", map[string]any{"query": "silver"}, &hits); fault != "" || len(hits.Hits) == 0 {
				t.Errorf("search %s %+v", fault, hits)
			}
			var v mcp.VerifyOut
			if fault := call(t, s, "verify_claim", map[string]any{"claim": "Gold melts at 1064 degrees Celsius."}, &v); fault != "" || v.Conclusion != "supported" {
				t.Errorf("verify %s %+v", fault, v)
			}
			var a mcp.AuditOut
			if fault := call(t, s, "audit", map[string]any{"id": run.ID, "deep": true}, &a); fault != "" || !a.Holds || a.Checked == 0 {
				t.Errorf("audit %s %+v", fault, a)
			}
			readAll(t, s, run)

			var later mcp.Outcome
			if fault := call(t, s, "research", map[string]any{"question": "What is the melting point of silver?", "queue": true}, &later); fault != "" || later.State != "queued" {
				t.Fatalf("queued: %s %+v", fault, later)
			}
			worker, err := open(p.home)
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(worker.WorkQueue(t.Context(), desk.WorkOptions{UntilEmpty: true}), worker.Close()); err != nil {
				t.Fatal(err)
			}
			if fault := call(t, s, "status", map[string]any{"id": later.ID}, &st); fault != "" || len(st.Runs) != 1 || st.Runs[0].State != "done" {
				t.Errorf("status after a worker: %s %+v", fault, st)
			}
		})
	}
}

// readAll lists and reads the resources of a run.
func readAll(t *testing.T, s *sdk.ClientSession, run mcp.Outcome) {
	t.Helper()
	templates, err := s.ListResourceTemplates(t.Context(), nil)
	if err != nil || len(templates.ResourceTemplates) != 5 {
		t.Fatalf("templates %+v, %v", templates, err)
	}
	fetch := func(uri string) string {
		res, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		if err != nil || len(res.Contents) != 1 {
			t.Fatalf("read %s: %+v, %v", uri, res, err)
		}
		return res.Contents[0].Text
	}
	if !strings.Contains(fetch("assay://runs"), run.ID) || !strings.Contains(fetch(run.Report), "1064") {
		t.Error("the resources do not hold the run")
	}
	base := "assay://runs/" + run.ID
	if !strings.Contains(fetch(base+"/digest.json"), `"schema"`) || !strings.Contains(fetch(base+"/report.html"), "<html") {
		t.Error("the digest or the page is not what it should be")
	}
	var sources []struct{ SHA256 string }
	if err := json.Unmarshal([]byte(fetch(base+"/sources")), &sources); err != nil || len(sources) == 0 {
		t.Fatal(err)
	}
	if !strings.Contains(fetch(base+"/texts/"+sources[0].SHA256), "gold") {
		t.Error("the text of a source is not its text")
	}
	for _, uri := range []string{base + "/record.db", "assay://runs/20200101-000000-aaaaaa/report.md", base + "/texts/../../settings.json", "assay://runs/../settings.json/report.md", "file:///etc/passwd"} {
		if res, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri}); err == nil {
			t.Errorf("read %s: %+v", uri, res)
		}
	}
}

// TestCancel holds that a call which the client cancels stops its run, which is kept.
func TestCancel(t *testing.T) {
	for name, connect := range transports {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			many(t, p.dir)
			told := newProgress()
			s := connect(p, desk.Admin, told)
			ctx, cancel := context.WithCancel(t.Context())
			params := &sdk.CallToolParams{Name: "research", Arguments: map[string]any{
				"question": "What is the melting point of every metal, why, since when is it known, by whom, and where is it disputed?", "depth": "deep",
			}}
			params.SetProgressToken("p")
			failed := make(chan error, 1)
			go func() { _, err := s.CallTool(ctx, params); failed <- err }()
			select {
			case <-told.seen:
			case err := <-failed:
				t.Fatalf("the call ended before it was cancelled: %v", err)
			}
			cancel()
			if err := <-failed; err == nil {
				t.Fatal("a cancelled call was answered")
			}
			for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
				var st mcp.StatusOut
				if fault := call(t, s, "status", map[string]any{}, &st); fault != "" || len(st.Runs) != 1 {
					t.Fatal(fault, st)
				}
				if state := st.Runs[0].State; state == "stopped" {
					break
				} else if state != "running" || time.Now().After(end) {
					t.Fatalf("the run is %q; want it stopped", state)
				}
			}
		})
	}
}

// many puts documents into the library that take a while to read.
func many(t *testing.T, dir string) {
	t.Helper()
	for i := range 60 {
		text := fmt.Sprintf("# Metal %d\n\n", i) + strings.Repeat(fmt.Sprintf("Metal %d melts at %d degrees Celsius, as was found in %d. ", i, 500+i, 1800+i), 60)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("metal%d.md", i)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestRoles holds that a reader starts nothing, a researcher names no folder of its own, and nobody without a role does anything.
func TestRoles(t *testing.T) {
	for name, connect := range transports {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			reader := connect(p, desk.Reader, newProgress())
			if fault := call(t, reader, "research", map[string]any{"question": "What melts?"}, nil); !strings.Contains(fault, "a researcher may") {
				t.Errorf("a reader: %q", fault)
			}
			var hits mcp.SearchOut
			if fault := call(t, reader, "search_library", map[string]any{"query": "gold"}, &hits); fault != "" {
				t.Error(fault)
			}
			if err := reader.Close(); err != nil {
				t.Error(err)
			}
			researcher := connect(p, desk.Researcher, newProgress())
			for want, args := range map[string]map[string]any{
				"not in the library": {"question": "What melts?", "libraries": []string{"/etc"}},
				"which is standard":  {"question": "What melts?", "depth": "deep"},
				"an admin may name":  {"question": "What melts?", "model": "recorded:/etc/passwd"},
				"empty":              {"question": ""},
			} {
				if fault := call(t, researcher, "research", args, nil); !strings.Contains(fault, want) {
					t.Errorf("%v: %q; want %q", args, fault, want)
				}
			}
			if err := researcher.Close(); err != nil {
				t.Error(err)
			}
			nobody := connect(p, "nobody", newProgress())
			if fault := call(t, nobody, "status", map[string]any{}, nil); !strings.Contains(fault, "needs a token") {
				t.Errorf("nobody: %q", fault)
			}
			if _, err := nobody.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "assay://runs"}); err == nil {
				t.Error("nobody read the list of runs")
			}
		})
	}
}
