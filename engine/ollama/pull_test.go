package ollama

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"assay/engine/enginetest"
	"assay/engine/research"
)

// admin has waits that suit a test.
func admin(t testing.TB, url string) *Admin {
	t.Helper()
	a, err := NewAdmin(client(t), url)
	if err != nil {
		t.Fatal(err)
	}
	a.Pause, a.Poll = time.Millisecond, 10*time.Millisecond
	t.Cleanup(a.Close)
	return a
}

// pulling answers /api/pull with the given lines, one list a request; the last list is repeated. A line "cut" breaks the
// connection, "hang" waits until the client is gone.
func pulling(t testing.TB, lists ...[]string) (url string, asked *atomic.Int64) {
	asked = &atomic.Int64{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/api/pull" {
			http.NotFound(w, r)
			return
		}
		n := int(asked.Add(1))
		for _, line := range lists[min(n, len(lists))-1] {
			switch line {
			case "cut":
				panic(http.ErrAbortHandler)
			case "hang":
				_, _ = io.Copy(io.Discard, r.Body) // only then the end of the client is seen
				<-r.Context().Done()
				return
			}
			fmt.Fprintln(w, line)
			w.(http.Flusher).Flush()
		}
	}))
	t.Cleanup(s.Close)
	return s.URL, asked
}

func part(done, total int64) string {
	return fmt.Sprintf(`{"status":"pulling 70a307e4f2d2","digest":"sha256:70a307e4f2d25a99","total":%d,"completed":%d}`, total, done)
}

const manifestLine, successLine = `{"status":"pulling manifest"}`, `{"status":"success"}`

func TestPullFaults(t *testing.T) {
	start := []string{manifestLine, part(99, 100)}
	fails := func(text string) []string { return append(start[:2:2], `{"error":`+fmt.Sprintf("%q", text)+`}`) }
	says := func(text string) []string {
		return []string{manifestLine, fmt.Sprintf(`{"error":%q}`, "pull model manifest: "+text)}
	}
	tests := []struct {
		name  string
		lines []string
		want  error
		say   string
		asked int64
	}{
		{"ACCEPTANCE 61: EOF at 99 %", start, ErrBroken, "broke off at 99 % of 100 bytes", 3},
		{"cut at 99 %", append(start[:2:2], "cut"), ErrBroken, "kept, so pull again to go on", 3},
		{"the server's EOF", fails("max retries exceeded: unexpected EOF"), ErrBroken, "broke off at 99 %", 3},
		{"stalled", fails("part stalled"), ErrBroken, "", 3},
		{"ACCEPTANCE 61: digest mismatch", fails("digest mismatch, file must be downloaded again: want sha256:a, got sha256:b"), ErrDigest, "pull again to fetch it anew", 1},
		{"no space", fails("write /models/blobs/sha256-70-partial: no space left on device"), ErrNoSpace, "1 bytes are still to come", 1},
		{"no space on Windows", fails("There is not enough space on the disk."), ErrNoSpace, "free some space", 1},
		{"no route at first", []string{manifestLine, `{"error":"pull model manifest: Get \"https://registry.ollama.ai/v2/\": dial tcp: lookup registry.ollama.ai: no such host"}`}, ErrRoute, "does not reach registry.ollama.ai", 1},
		{"no route on the way", fails("Get \"https://x\": dial tcp 1.2.3.4:443: connect: no route to host"), ErrRoute, "check its network and proxy", 3},
		{"no such model", []string{manifestLine, `{"error":"pull model manifest: file does not exist"}`}, research.ErrMissing, "check the name and the tag", 1},
		{"too old a server", []string{manifestLine, `{"error":"pull model manifest: 412: \n\nThe model you are attempting to pull requires a newer version of Ollama."}`}, ErrRefused, "newer Ollama", 1},
		{"private", []string{manifestLine, `{"error":"pull model manifest: unauthorized: access denied"}`}, ErrRefused, "private", 1},
		{"too many", []string{manifestLine, `{"error":"pull model manifest: 429: slow down"}`}, research.ErrBusy, "wait some minutes", 1},
		{"without encryption", []string{manifestLine, `{"error":"http: server gave HTTP response to HTTPS client"}`}, ErrRoute, "http:// before the name", 1},
		{"without encryption, said otherwise", says("Get \"https://127.0.0.1:21480/v2/\": tls: first record does not look like a TLS handshake"), ErrRoute, "write http:// before the name", 1},
		{"with encryption only", says("400: Client sent an HTTP request to an HTTPS server."), ErrRoute, "leave http:// out", 1},
		{"certificate", says("Get \"https://r/v2/\": tls: failed to verify certificate: x509: certificate signed by unknown authority"), ErrRoute, "does not trust", 1},
		{"no redirect", says("http: no Location header in response"), ErrRegistry, "led to them by a redirect", 1},
		{"a web page", says("invalid character '<' looking for beginning of value"), ErrRegistry, "not with a list of a model's parts; check the address", 1},
		{"a bad checksum in the list", says("invalid digest format"), ErrRegistry, "not with a list of a model's parts", 1},
		{"a registry that fails", says("500: internal error"), ErrRegistry, "fails with status 500, which is no fault of the model server", 1},
		{"a gateway that fails", fails("unexpected status code 502"), ErrRegistry, "status 502", 1},
		{"a circle", says("Get \"/v2/x\": stopped after 10 redirects"), ErrRegistry, "without an end", 1},
		{"a circle of bytes", fails("maximum redirects exceeded (10) for directURL"), ErrRegistry, "without an end", 1},
		{"a foreign sign-in", says("realm host \"evil.example\" does not match original host \"r\""), ErrRefused, "private", 1},
		{"a number that is no status", says("dial tcp 127.0.0.1:4031: connect: connection refused"), ErrRoute, "does not reach", 1},
		{"a teapot", says("418: short and stout"), ErrRegistry, "answers with status 418", 1},
		{"no right to write", fails("open /models/blobs/x: permission denied"), research.ErrServer, "OLLAMA_MODELS", 1},
		{"more bytes than any disk", []string{manifestLine, part(0, 1e15)}, ErrRegistry, "announces a part of 1000000.0 GB", 1},
		{"no JSON", []string{"<html>"}, research.ErrServer, "not as an Ollama server does", 1},
		{"something else", fails("the moon is full"), research.ErrServer, "the moon is full", 1},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			url, asked := pulling(t, tc.lines)
			p, joined, err := admin(t, url).Pull(t.Context(), "tiny", PullOptions{Tries: 2})
			if err != nil || joined {
				t.Fatalf("Pull = %v, joined %v", err, joined)
			}
			err = p.Wait(t.Context())
			if !errors.Is(err, tc.want) || !strings.Contains(err.Error(), tc.say) || strings.Contains(err.Error(), "\n") {
				t.Errorf("Wait = %v, want one sentence with %q that wraps %v", err, tc.say, tc.want)
			}
			if errors.Is(err, ErrRegistry) && (strings.Contains(err.Error(), "restart") || strings.Contains(err.Error(), "look at its log")) {
				t.Errorf("%v: a registry's fault sends the person to the model server", err)
			}
			if strings.Contains(err.Error(), ": "+tc.want.Error()) {
				t.Errorf("%v ends in the name of its kind", err)
			}
			if at := p.Progress(); at.Phase != PullFailed || at.Error != err.Error() {
				t.Errorf("Progress = %+v", at)
			}
			if asked.Load() != tc.asked {
				t.Errorf("asked %d times, want %d", asked.Load(), tc.asked)
			}
		})
	}
}

// A transfer that breaks is tried again by itself, and every byte of progress gives it new tries.
func TestPullGoesOn(t *testing.T) {
	t.Run("ACCEPTANCE 61: a pull that breaks goes on where it was", pullGoesOn)
}

func pullGoesOn(t *testing.T) {
	url, asked := pulling(t,
		[]string{manifestLine, part(10, 100), "cut"}, []string{manifestLine, part(50, 100), "cut"}, []string{manifestLine, part(99, 100)},
		[]string{manifestLine, part(100, 100), `{"status":"verifying sha256 digest"}`, successLine})
	p, _, err := admin(t, url).Pull(t.Context(), "tiny", PullOptions{Tries: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Wait(t.Context()); err != nil || asked.Load() != 4 {
		t.Fatalf("Wait = %v after %d requests, want the model after 4", err, asked.Load())
	}
	if at := p.Progress(); at.Phase != PullDone || at.Done != 100 || at.Total != 100 || at.Tries != 3 || at.Error != "" {
		t.Errorf("Progress = %+v", at)
	}
}

// Two pulls of one model are one, and stopping it closes the connection to the server at once.
func TestPullOnce(t *testing.T) {
	t.Run("ACCEPTANCE 61: two pulls at once are one job", pullOnce)
}

func pullOnce(t *testing.T) {
	url, asked := pulling(t, []string{manifestLine, part(1, 100), "hang"})
	a := admin(t, url)
	p, _, err := a.Pull(t.Context(), "tiny", PullOptions{})
	if err != nil {
		t.Fatal(err)
	}
	waitFor(t, func() bool { return p.Progress().Done == 1 })
	again, joined, err := a.Pull(t.Context(), "library/TINY:latest", PullOptions{})
	if err != nil || !joined || again != p {
		t.Errorf("a second Pull = %v, joined %v; want the first one", err, joined)
	}
	other, joined, err := a.Pull(t.Context(), "other", PullOptions{})
	if err != nil || joined {
		t.Fatalf("Pull of another = %v, joined %v", err, joined)
	}
	if list := a.Pulls(); len(list) != 2 || list[0].Name != "other:latest" || list[1].Name != "tiny:latest" {
		t.Errorf("Pulls = %+v", list)
	}
	waitFor(t, func() bool { return other.Progress().Done == 1 })
	began := time.Now()
	other.Cancel()
	p.Cancel()
	// Who pulls a model whose pull was stopped gets a new pull, also while the old one is still ending.
	if next, joined, err := a.Pull(t.Context(), "tiny", PullOptions{}); err != nil || joined || next == p {
		t.Errorf("Pull after the stop = %v, joined %v", err, joined)
	} else {
		waitFor(t, func() bool { return next.Progress().Done == 1 })
		next.Cancel()
		defer func() { <-next.Done() }()
	}
	if err := p.Wait(t.Context()); !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "kept") {
		t.Errorf("Wait = %v, want the stop and what becomes of the bytes", err)
	}
	if at := p.Progress(); at.Phase != PullStopped {
		t.Errorf("Progress = %+v", at)
	}
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("the stop took %s", took)
	}
	<-other.Done()
	waitFor(t, func() bool { return len(a.Pulls()) == 0 })
	if list := a.Pulls(); len(list) != 0 || asked.Load() != 3 {
		t.Errorf("Pulls = %+v after %d requests", list, asked.Load())
	}
}

func TestPullNobody(t *testing.T) {
	s := enginetest.NewServer(t)
	s.Kill()
	p, _, err := admin(t, s.URL).Pull(t.Context(), "tiny", PullOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Wait(t.Context()); !errors.Is(err, research.ErrUnavailable) {
		t.Errorf("Wait = %v, want ErrUnavailable", err)
	}
}

// A name with a host of its own reaches nobody without a yes to that host (ollama/ollama#16236).
func TestPullForeign(t *testing.T) {
	url, asked := pulling(t, []string{successLine})
	a := admin(t, url)
	for _, tc := range []struct{ name, yes string }{
		{"205.0.0.1:8443/attacker/x", ""}, // ACCEPTANCE 102
		{"evil.example/x/y", ""}, {"hf.co/user/repo:Q4_K_M", ""}, {"evil.example/x/y", "hf.co"},
		{"http://127.0.0.1:1/library/x", ""}, {"http://registry.ollama.ai/library/x", ""}, {"localhost/x/y", ""},
	} {
		if _, _, err := a.Pull(t.Context(), tc.name, PullOptions{Host: tc.yes}); !errors.Is(err, ErrForeign) {
			t.Errorf("Pull(%q) with a yes to %q = %v, want ErrForeign", tc.name, tc.yes, err)
		}
	}
	if asked.Load() != 0 {
		t.Errorf("the server was asked %d times", asked.Load())
	}
	p, _, err := a.Pull(t.Context(), "evil.example/x/y", PullOptions{Host: "evil.example"})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Wait(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestSpeed(t *testing.T) {
	at := func(ms int) time.Time { return time.UnixMilli(int64(ms)) }
	var s speed
	s.head(500) // there before
	if rate, left := s.measure(at(0), 500, 2000); rate != nil || left != nil {
		t.Error("a speed before anything was measured")
	}
	if rate, _ := s.measure(at(500), 550, 2000); rate != nil {
		t.Error("a speed after half a second")
	}
	rate, left := s.measure(at(1000), 600, 2000)
	if rate == nil || *rate != 100 || left == nil || *left != 14000 {
		t.Errorf("speed = %v, %v; want 100 a second and 14 s", rate, left)
	}
	if rate, left := s.measure(at(12000), 600, 2000); rate == nil || *rate != 0 || left != nil {
		t.Errorf("speed of nothing = %v, %v; want 0 and unknown", rate, left)
	}
	if rate, _ := s.measure(at(13000), 100, 2000); rate != nil {
		t.Errorf("speed after bytes were taken back = %v, want unknown", *rate)
	}
}

// TestPullForReal pulls from Debian's registry through the real server: with progress, stopped and gone on with, with a
// damaged part, and where there is no space.
func TestPullForReal(t *testing.T) {
	reg := enginetest.StartRegistry(t)
	o := enginetest.StartOllama(t, enginetest.Tiny{Layers: 1, Embedding: 256, Heads: 8, KVHeads: 8, Forward: 2048}) // 8 MB
	reg.Push(o, enginetest.TinyModel)
	a := admin(t, o.URL)
	a.Pause = 100 * time.Millisecond
	name, yes := "http://"+reg.Name(enginetest.TinyModel), PullOptions{Host: reg.Addr}
	clear := func() {
		t.Helper()
		// The first name shares the bytes.
		for _, n := range []string{enginetest.TinyModel, reg.Name(enginetest.TinyModel)} {
			if err := a.Delete(t.Context(), n); err != nil && !errors.Is(err, research.ErrMissing) {
				t.Fatal(err)
			}
		}
	}
	pull := func() *Pull {
		t.Helper()
		p, _, err := a.Pull(t.Context(), name, yes)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	clear()
	var whole int64

	t.Run("stopped and gone on with", func(t *testing.T) {
		reg.Slow(2 << 20)
		p := pull()
		waitFor(t, func() bool { at := p.Progress(); return at.Total > 0 && at.Done > at.Total/2 })
		p.Cancel()
		if err := p.Wait(t.Context()); !errors.Is(err, context.Canceled) {
			t.Fatalf("Wait = %v", err)
		}
		whole = p.Progress().Total
		// The server stops reading soon after.
		for before := int64(-1); before != reg.Sent(); time.Sleep(300 * time.Millisecond) {
			before = reg.Sent()
		}
		first := reg.Sent()
		if first >= whole {
			t.Fatalf("all %d bytes went out before the stop", whole)
		}
		p = pull()
		var speeds int
		for {
			select {
			case <-p.Changed():
				if at := p.Progress(); at.PerSecond != nil && at.LeftMs != nil {
					speeds++
				}
				continue
			case <-p.Done():
			}
			break
		}
		if err := p.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		at := p.Progress()
		if at.Phase != PullDone || at.Done != at.Total || at.Total < whole {
			t.Errorf("Progress = %+v", at)
		}
		if speeds == 0 {
			t.Error("no speed was told in a pull of seconds")
		}
		// What was fetched before the stop is not fetched again, but for what was on its way.
		if again := reg.Sent() - first; again > at.Total-2<<20 {
			t.Errorf("%d bytes were sent again of a model of %d, after %d before the stop", again, at.Total, first)
		}
		list, err := a.List(t.Context())
		if err != nil || len(list.Models) != 1 || list.Models[0].Name != reg.Name("tiny:latest") || list.Bytes != at.Total {
			t.Errorf("List = %+v, %v", list, err)
		}
		if _, err := a.Load(t.Context(), reg.Name("tiny"), LoadOptions{NumCtx: 2048}); err != nil {
			t.Errorf("the pulled model does not load: %v", err)
		}
		clear()
	})
	t.Run("a damaged part", func(t *testing.T) {
		reg.Slow(0)
		reg.Flip()
		if err := pull().Wait(t.Context()); !errors.Is(err, ErrDigest) {
			t.Errorf("Wait = %v, want ErrDigest", err)
		}
		reg.Flip()
		if err := pull().Wait(t.Context()); err != nil {
			t.Errorf("the second pull: %v", err)
		}
		clear()
	})
	t.Run("no such model", func(t *testing.T) {
		p, _, err := a.Pull(t.Context(), "http://"+reg.Name("absent"), yes)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Wait(t.Context()); !errors.Is(err, research.ErrMissing) {
			t.Errorf("Wait = %v, want ErrMissing", err)
		}
	})
	t.Run("a registry with encryption where there is none", func(t *testing.T) {
		p, _, err := a.Pull(t.Context(), reg.Name("tiny"), yes)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Wait(t.Context()); !errors.Is(err, ErrRoute) {
			t.Errorf("Wait = %v, want ErrRoute", err)
		}
	})
	t.Run("no route", func(t *testing.T) {
		p, _, err := a.Pull(t.Context(), "127.0.0.1:1/library/tiny", PullOptions{Host: "127.0.0.1:1"})
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Wait(t.Context()); !errors.Is(err, ErrRoute) || !strings.Contains(err.Error(), "127.0.0.1:1") {
			t.Errorf("Wait = %v, want ErrRoute", err)
		}
	})
}

// TestPullFromAPage: another program's page on the address is told from a model server's refusal.
func TestPullFromAPage(t *testing.T) {
	for _, page := range []string{"<html>hi</html>", "  <!DOCTYPE html><p>hi", "404 page not found"} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, page) }))
		a, err := NewAdmin(s.Client(), s.URL)
		if err != nil {
			t.Fatal(err)
		}
		p, _, err := a.Pull(t.Context(), "tiny", PullOptions{})
		if err == nil {
			err = p.Wait(t.Context())
		}
		if err == nil || !strings.Contains(err.Error(), "answers, but not as an Ollama server does; check the address") || !errors.Is(err, research.ErrServer) {
			t.Errorf("Pull from %q = %v", page, err)
		}
		s.Close()
	}
}
