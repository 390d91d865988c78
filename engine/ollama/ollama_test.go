package ollama

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"assay/engine/answer"
	"assay/engine/enginetest"
	"assay/engine/research"
)

// TestMain also serves as the program that is killed while it serves.
func TestMain(m *testing.M) {
	if os.Getenv(helperEnv) != "" {
		helper()
	}
	goleak.VerifyTestMain(m)
}

var schema = json.RawMessage(`{"type":"object","properties":{"claims":{"type":"array","maxItems":4,"items":{"type":"object","properties":{"text":{"type":"string"},"passage":{"type":"integer"}},"required":["text","passage"],"additionalProperties":false}}},"required":["claims"],"additionalProperties":false}`)

func client(t testing.TB) *http.Client {
	tr := &http.Transport{}
	t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr}
}

// open makes a channel to a server with waits that suit a test.
func open(t testing.TB, url string, change func(*Config)) *Model {
	t.Helper()
	cfg := Config{HTTP: client(t), BaseURL: url, Model: enginetest.TinyModel, Closed: true, Pause: time.Millisecond, Poll: 20 * time.Millisecond}
	if change != nil {
		change(&cfg)
	}
	m, err := New(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func reader(prompt string) research.Call {
	return research.Call{Role: research.Reader, System: "You read passages.", Prompt: prompt, Schema: schema, Budget: 200, Seed: 7, Temperature: "0.4"}
}

func TestChat(t *testing.T) {
	s := enginetest.NewServer(t)
	m := open(t, s.URL, nil)
	call := reader("Read this.")
	a, err := m.Chat(context.Background(), call)
	if err != nil {
		t.Fatal(err)
	}
	if a.Text != enginetest.FitFor(schema) || a.By != "ollama:tiny" || a.DoneReason != "stop" || a.NumCtx != 8192 || a.PromptTokens == 0 || a.AnswerTokens == 0 {
		t.Errorf("Chat = %+v", a)
	}
	chats := s.Chats()
	r := chats[len(chats)-1]
	if r.Truncate == nil || *r.Truncate || r.Shift == nil || *r.Shift {
		t.Errorf("truncate and shift were not sent as false: %s", r.Raw)
	}
	if r.Int("num_ctx") != 8192 || r.Int("num_predict") != 200 || r.Int("seed") != 7 || r.Options["temperature"] != 0.4 || r.KeepAlive != "10m0s" {
		t.Errorf("options = %v, keep_alive = %v", r.Options, r.KeepAlive)
	}
	if string(r.Format) != string(schema) || r.Think != nil {
		t.Errorf("format = %s, think = %v; want the schema and nothing", r.Format, r.Think)
	}
	call.Try = 1
	if _, err := m.Chat(context.Background(), call); err != nil {
		t.Fatal(err)
	}
	chats = s.Chats()
	if r := chats[len(chats)-1]; len(r.Format) != 0 || !strings.Contains(r.Prompt(), `"maxItems":4`) {
		t.Errorf("the second try sent format %s and prompt %q; want the schema in words", r.Format, r.Prompt())
	}
	if loads := s.Loads(); len(loads) != 1 {
		t.Errorf("loads = %v, want one", loads)
	}
}

func TestChatThinking(t *testing.T) {
	tests := []struct {
		name, family string
		caps         []string
		think        any
		predict      int
	}{
		{"none", "llama", []string{"completion"}, nil, 200},
		{"can be told not to", "qwen3", []string{"completion", "thinking"}, false, 200},
		{"must", "gptoss", []string{"completion", "thinking"}, "low", 200 + thinkBudget},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			s := enginetest.NewServer(t)
			s.Models = []enginetest.ServerModel{{Name: "tiny", Family: tc.family, Capabilities: tc.caps}}
			a, err := open(t, s.URL, nil).Chat(context.Background(), reader("Read this."))
			if err != nil {
				t.Fatal(err)
			}
			chats := s.Chats()
			r := chats[len(chats)-1]
			if r.Think != tc.think || r.Int("num_predict") != tc.predict {
				t.Errorf("think = %v, num_predict = %d; want %v, %d", r.Think, r.Int("num_predict"), tc.think, tc.predict)
			}
			if (a.Thinking != "") != (tc.think == "low") || strings.Contains(a.Text, "simple") {
				t.Errorf("thinking = %q, text = %q", a.Thinking, a.Text)
			}
		})
	}
}

// TestAnswerFaults holds that a bad answer is an answer, and says what package answer makes of it.
func TestAnswerFaults(t *testing.T) {
	want := map[enginetest.Fault]error{
		enginetest.Empty: answer.ErrEmpty, enginetest.ThinkingOnly: answer.ErrEmpty, enginetest.WrongKeys: answer.ErrUnfit,
		enginetest.Refuses: answer.ErrNoJSON, enginetest.WrongLanguage: answer.ErrNoJSON, enginetest.Echoes: answer.ErrNoJSON,
		enginetest.CutJSON: answer.ErrUnfit, enginetest.Repeats: answer.ErrUnfit, // their only element is cut
	}
	for _, f := range enginetest.AnswerFaults {
		t.Run(string(f), func(t *testing.T) {
			s := enginetest.NewServer(t)
			m := open(t, s.URL, nil)
			if _, err := m.Chat(context.Background(), reader("Read this.")); err != nil {
				t.Fatal(err)
			}
			s.Next(f)
			call := reader("Read this.")
			call.Budget = 6000 // repetition ends by itself long before
			a, err := m.Chat(context.Background(), call)
			if err != nil {
				t.Fatalf("Chat error = %v, want an answer to judge", err)
			}
			var got struct {
				Claims []struct{ Text string } `json:"claims"`
			}
			_, err = answer.Parse(a.Text, schema, &got)
			if !errors.Is(err, want[f]) || (err == nil) != (want[f] == nil) {
				t.Errorf("Parse(%.80q) error = %v, want %v", a.Text, err, want[f])
			}
			if f == enginetest.Repeats && (a.DoneReason != "repeat" || len(a.Text) > 4000) {
				t.Errorf("repetition: done reason %q after %d bytes, want an early end", a.DoneReason, len(a.Text))
			}
		})
	}
}

func TestServerFaults(t *testing.T) {
	want := map[enginetest.Fault]error{
		enginetest.CutCount: research.ErrTruncated, enginetest.FullCount: research.ErrTruncated,
		enginetest.TooLong400: research.ErrTooLong, enginetest.NoQuery500: research.ErrTooLong,
		enginetest.Status400: research.ErrServer, enginetest.Status404: research.ErrMissing, enginetest.NotOllama404: research.ErrServer,
		enginetest.Status429: research.ErrBusy, enginetest.Status503: research.ErrBusy, enginetest.Status500: research.ErrServer,
		enginetest.Memory500: research.ErrServer, enginetest.Hangs: research.ErrHung, enginetest.HangsMidway: research.ErrHung,
		enginetest.DiesMidway: research.ErrServer, enginetest.EndsMidway: research.ErrServer, enginetest.ErrorMidway: research.ErrServer,
		enginetest.BadNDJSON: research.ErrServer, enginetest.HTMLInsteadOf: research.ErrServer,
	}
	for _, f := range enginetest.ServerFaults {
		t.Run(string(f), func(t *testing.T) {
			s := enginetest.NewServer(t)
			m := open(t, s.URL, nil)
			if _, err := m.Chat(context.Background(), reader("Read this.")); err != nil {
				t.Fatal(err)
			}
			if f == enginetest.Hangs || f == enginetest.HangsMidway {
				m.cfg.First, m.cfg.Idle = 300*time.Millisecond, 300*time.Millisecond
			}
			s.Next(f, f, f) // a busy server is asked three times
			_, err := m.Chat(context.Background(), reader(strings.Repeat("The valve was closed again. ", 200)))
			if !errors.Is(err, want[f]) {
				t.Errorf("Chat error = %v, want one that wraps %v", err, want[f])
			}
			if err != nil && strings.Contains(err.Error(), "\n") {
				t.Errorf("Chat error has more than a line: %q", err)
			}
		})
	}
}

func TestChatBusyOnce(t *testing.T) {
	s := enginetest.NewServer(t)
	m := open(t, s.URL, nil)
	s.Next(enginetest.Good, enginetest.Good, enginetest.Status503, enginetest.Status429)
	if _, err := m.Chat(context.Background(), reader("Read this.")); err != nil {
		t.Errorf("Chat error = %v, want an answer at the third time", err)
	}
}

func TestChatTooLongIsNotSent(t *testing.T) {
	s := enginetest.NewServer(t)
	m := open(t, s.URL, func(c *Config) { c.NumCtx = 2048 })
	if _, err := m.Chat(context.Background(), reader("Read this.")); err != nil {
		t.Fatal(err)
	}
	before := len(s.Chats())
	_, err := m.Chat(context.Background(), reader(strings.Repeat("word ", 2000)))
	if !errors.Is(err, research.ErrTooLong) || len(s.Chats()) != before {
		t.Errorf("Chat error = %v after %d more requests, want ErrTooLong and none", err, len(s.Chats())-before)
	}
	l := m.Limits()
	if l.NumCtx != 2048 || l.TokensPerByte < 0.25 || l.TokensPerByte > 0.3 {
		t.Errorf("Limits = %+v, want the window and about 0.275 tokens a byte", l)
	}
}

// TestChatLearns holds that a denser text raises the ratio, and that the window then refuses what it let pass before.
func TestChatLearns(t *testing.T) {
	s := enginetest.NewServer(t)
	m := open(t, s.URL, func(c *Config) { c.TokensPerByte = 0.1 })
	before := m.Limits().TokensPerByte
	if _, err := m.Chat(context.Background(), reader(strings.Repeat("0123456789 ", 200))); err != nil {
		t.Fatal(err)
	}
	if after := m.Limits().TokensPerByte; before != 0.1 || after < 0.2 {
		t.Errorf("tokens a byte went from %v to %v, want 0.1 to about 0.25", before, after)
	}
}

func TestChatStopped(t *testing.T) {
	for _, f := range []enginetest.Fault{enginetest.Hangs, enginetest.HangsMidway} {
		t.Run("ACCEPTANCE 79: stopped while it "+string(f), func(t *testing.T) {
			s := enginetest.NewServer(t)
			m := open(t, s.URL, nil)
			s.Next(enginetest.Good, enginetest.Good, f)
			ctx, cancel := context.WithCancel(context.Background())
			done := make(chan error, 1)
			go func() { _, err := m.Chat(ctx, reader("Read this.")); done <- err }()
			waitFor(t, func() bool { return len(s.Chats()) == 3 })
			cancel()
			select {
			case err := <-done:
				if !errors.Is(err, context.Canceled) {
					t.Errorf("Chat error = %v, want the context's", err)
				}
			case <-time.After(2 * time.Second):
				t.Fatal("Chat did not return within 2 s of the stop")
			}
			waitFor(t, func() bool { return s.Left() == 1 }) // the server is free
		})
	}
}

func TestServerDiesAndComesBack(t *testing.T) {
	s := enginetest.NewServer(t)
	m := open(t, s.URL, nil)
	if _, err := m.Chat(context.Background(), reader("Read this.")); err != nil {
		t.Fatal(err)
	}
	s.Kill()
	if _, err := m.Chat(context.Background(), reader("Read that.")); !errors.Is(err, research.ErrUnavailable) {
		t.Fatalf("Chat error = %v, want ErrUnavailable", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	if err := m.Wait(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Wait for a dead server = %v, want the context's error", err)
	}
	cancel()
	back := make(chan error, 1)
	go func() { back <- m.Wait(context.Background()) }()
	s.Start()
	if err := <-back; err != nil {
		t.Fatalf("Wait = %v", err)
	}
	if _, err := m.Chat(context.Background(), reader("Read that.")); err != nil {
		t.Errorf("Chat after the return: %v", err)
	}
}

func TestNewRefuses(t *testing.T) {
	s := enginetest.NewServer(t)
	s.Models = []enginetest.ServerModel{
		{Name: "tiny"}, {Name: "far", RemoteHost: "https://ollama.com:443", RemoteModel: "far"}, {Name: "gpt-oss:120b-cloud"}, {Name: "embedder", Capabilities: []string{"embedding"}},
	}
	tests := []struct {
		name, model string
		open        bool
		want        error
	}{
		{"unknown", "none", false, research.ErrMissing},
		{"no name", "", false, research.ErrMissing},
		{"remote host", "far", false, research.ErrForbidden},
		{"cloud name", "gpt-oss:120b-cloud", false, research.ErrForbidden},
		{"remote host in an open run", "far", true, nil},
		{"cannot chat", "embedder", false, research.ErrMissing},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			_, err := New(context.Background(), Config{HTTP: client(t), BaseURL: s.URL, Model: tc.model, Closed: !tc.open})
			if !errors.Is(err, tc.want) || (err == nil) != (tc.want == nil) {
				t.Errorf("New error = %v, want %v", err, tc.want)
			}
		})
	}
	if len(s.Chats()) != 0 {
		t.Error("New sent a chat")
	}
}

func TestNotes(t *testing.T) {
	s := enginetest.NewServer(t)
	s.Models = []enginetest.ServerModel{{Name: "tiny", Size: 1000, SizeVRAM: 620, LoadedContext: 4096}}
	var notes []string
	m := open(t, s.URL, func(c *Config) { c.Note = func(n research.Note) { notes = append(notes, n.Text) } })
	for range 2 {
		if _, err := m.Chat(context.Background(), reader("Read this.")); err != nil {
			t.Fatal(err)
		}
	}
	want := "The server loaded tiny with a window of 4096 tokens instead of 8192.\n38 % of tiny is in main memory, not on the GPU; it will be slow."
	if got := strings.Join(notes, "\n"); got != want {
		t.Errorf("notes = %q, want %q", got, want)
	}
}

func TestEmbed(t *testing.T) {
	s := enginetest.NewServer(t)
	s.Models = []enginetest.ServerModel{{Name: "tiny"}, {Name: "embedder", Capabilities: []string{"embedding"}, Context: 512}}
	m := open(t, s.URL, func(c *Config) { c.Embedding = "embedder" })
	texts := make([]string, 70)
	for i := range texts {
		texts[i] = strings.Repeat("x", i+1)
	}
	v, err := m.Embed(context.Background(), texts)
	if err != nil || len(v) != 70 || len(v[69]) != 4 || !m.Limits().Embeds {
		t.Fatalf("Embed = %d vectors, %v", len(v), err)
	}
	if _, err := m.Embed(context.Background(), []string{strings.Repeat("long ", 2000)}); !errors.Is(err, research.ErrTooLong) {
		t.Errorf("Embed of a long text: error = %v, want ErrTooLong", err)
	}
	if _, err := open(t, s.URL, nil).Embed(context.Background(), texts); !errors.Is(err, research.ErrMissing) {
		t.Errorf("Embed without such a model: error = %v, want ErrMissing", err)
	}
}

func TestProbe(t *testing.T) {
	tests := []struct {
		name   string
		models []enginetest.ServerModel
		want   string
	}{
		{"none", []enginetest.ServerModel{}, ""},
		{"the preferred one", []enginetest.ServerModel{{Name: "llama3.1:8b"}, {Name: "gpt-oss:20b", Size: 13 << 30}, {Name: "big:70b", Size: 40 << 30}}, "gpt-oss:20b"},
		{"the largest that fits", []enginetest.ServerModel{{Name: "a:1b", Size: 1 << 30}, {Name: "b:8b", Size: 5 << 30}, {Name: "c:70b", Size: 40 << 30}}, "b:8b"},
		{"the smallest of the large", []enginetest.ServerModel{{Name: "a:120b", Size: 65 << 30}, {Name: "b:70b", Size: 40 << 30}}, "b:70b"},
		{"no cloud, no embedder, no small window", []enginetest.ServerModel{{Name: "x-cloud"}, {Name: "e", Capabilities: []string{"embedding"}}, {Name: "s", Context: 2048}}, ""},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			s := enginetest.NewServer(t)
			s.Models = tc.models
			got, err := Probe(context.Background(), client(t), s.URL)
			if err != nil || strings.TrimSuffix(got.Auto, ":latest") != tc.want || got.Version != "0.17.4" || len(got.Models) != len(tc.models) || got.Why == "" {
				t.Errorf("Probe = %+v, %v; want %q", got, err, tc.want)
			}
		})
	}
}

func TestProbeNobody(t *testing.T) {
	s := enginetest.NewServer(t)
	s.Kill()
	if _, err := Probe(context.Background(), client(t), s.URL); !errors.Is(err, research.ErrUnavailable) {
		t.Errorf("Probe of a dead server: error = %v, want ErrUnavailable", err)
	}
	for _, base := range []string{"", "127.0.0.1:11434", "ftp://x", "http://"} {
		if _, err := Probe(context.Background(), client(t), base); err == nil {
			t.Errorf("Probe(%q) error = nil", base)
		}
	}
}

func TestChatConcurrently(t *testing.T) {
	s := enginetest.NewServer(t)
	m := open(t, s.URL, nil)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, err := m.Chat(context.Background(), reader("Read this.")); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := len(s.Chats()); n != 10 {
		t.Errorf("%d chats, want 8 and two measurements", n)
	}
}

// waitFor waits for what another goroutine does; a test that hangs here has failed.
func waitFor(t *testing.T, cond func() bool) {
	t.Helper()
	for range 500 {
		if cond() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("waited in vain")
}

// TestAServerThatIsNone looks at servers that take a question and answer nothing, or nothing that can be used.
func TestAServerThatIsNone(t *testing.T) {
	for _, tc := range []struct {
		name   string
		answer http.HandlerFunc
		want   error
	}{
		{"silent", func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // only then is the end of the connection seen
			<-r.Context().Done()
		}, research.ErrHung},
		{"broken", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }, research.ErrServer},
		{"another one", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) }, research.ErrServer},
		{"other JSON", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("[1]")) }, research.ErrServer},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := httptest.NewServer(tc.answer)
			defer s.Close()
			h := client(t)
			_, err := New(t.Context(), Config{HTTP: h, BaseURL: s.URL, Model: "x", Look: 50 * time.Millisecond})
			if !errors.Is(err, tc.want) || !strings.Contains(err.Error(), s.URL) {
				t.Errorf("New = %v, want %v with the address", err, tc.want)
			}
			h.CloseIdleConnections()
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := New(ctx, Config{HTTP: client(t), BaseURL: "http://127.0.0.1:1", Model: "x"}); !errors.Is(err, context.Canceled) {
		t.Errorf("New with an ended context = %v", err)
	}
}
