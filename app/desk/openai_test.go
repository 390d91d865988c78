package desk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"assay/engine"
	"assay/engine/enginetest"
	"assay/engine/research"
)

// openWith opens a desk on a new home with real parts and these environment variables.
func openWith(t *testing.T, vars map[string]string) *Desk {
	t.Helper()
	home := t.TempDir()
	d, err := Open(Options{Program: "terminal", Version: "1.0", Getenv: func(name string) string {
		if name == "ASSAY_HOME" {
			return home
		}
		return vars[name]
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// TestOpenAIRun does whole runs through a server of the other protocol: a good one, one whose every answer is bad, and one that is
// not there.
func TestOpenAIRun(t *testing.T) {
	for name, fault := range map[string]enginetest.Fault{
		"good": enginetest.Good, "empty": enginetest.Empty, "broken": enginetest.Status500, "cut": enginetest.CutCount, "noise": enginetest.ControlTokens,
	} {
		t.Run(name, func(t *testing.T) {
			s := enginetest.StartOpenAI(t, &enginetest.OpenAI{Tells: "vllm", Key: "sk-secret", Fault: func(n int, _ enginetest.CompletionRequest) enginetest.Fault {
				if n < 3 { // what measures it and wakes it
					return enginetest.Good
				}
				return fault
			}})
			d := openWith(t, map[string]string{envOpenAIURL: s.URL, envOpenAIKey: "sk-secret"})
			req := request(folder(t))
			req.Model = "openai:tiny"
			j := start(t, d, req, StartOptions{})
			res := wait(t, j)
			if res.Digest == nil || res.Exit != ExitDone {
				t.Fatalf("Result = %+v", res)
			}
			if res.Digest.Model.Channel != "openai" || !strings.Contains(printedText(res.Digest), "1064") {
				t.Errorf("Model = %+v, findings %q", res.Digest.Model, printedText(res.Digest))
			}
			a, err := d.Audit(j.ID(), true)
			if err != nil || !a.OK() {
				t.Errorf("Audit = %v, %v", a.Faults, err)
			}
			run, err := d.ReadRun(j.ID())
			if err != nil {
				t.Fatal(err)
			}
			if b, err := json.Marshal(run); err != nil || strings.Contains(string(b), "sk-secret") {
				t.Errorf("the key is in the record (%v)", err)
			}
		})
	}
	d := openWith(t, map[string]string{envOpenAIURL: "http://127.0.0.1:1/v1"})
	req := request(folder(t))
	req.Model = "openai:tiny"
	if res := wait(t, start(t, d, req, StartOptions{})); res.Exit != ExitModel || !strings.Contains(res.Err.Error(), "no server answers at") {
		t.Errorf("Result without a server = %+v", res)
	}
	far := openWith(t, map[string]string{envOpenAIURL: "https://models.example/v1"})
	req.Egress = research.Closed
	if res := wait(t, start(t, far, req, StartOptions{})); res.Exit != ExitModel || !errors.Is(res.Err, research.ErrForbidden) {
		t.Errorf("Result of a closed run with a server elsewhere = %+v", res)
	}
	req.Model = "openai"
	if res := wait(t, start(t, openWith(t, nil), req, StartOptions{})); res.Exit != ExitUsage || !strings.Contains(res.Err.Error(), envOpenAIURL) {
		t.Errorf("Result without an address = %+v", res)
	}
}

func printedText(d *research.Digest) string {
	var b strings.Builder
	for _, s := range d.Sections {
		for _, f := range s.Findings {
			b.WriteString(f.Text + "\n")
		}
	}
	return b.String()
}

// TestPairRun kills the first server of a pair in the middle of a run, in either order: the second does the rest, and the record
// says who answered what.
func TestPairRun(t *testing.T) {
	for _, order := range []string{"openai:tiny,ollama:tiny", "ollama:tiny,openai:tiny"} {
		t.Run(order, func(t *testing.T) {
			o := enginetest.NewServer(t)
			s := &enginetest.OpenAI{Tells: "vllm"}
			if strings.HasPrefix(order, "openai") {
				s.Fault = func(n int, _ enginetest.CompletionRequest) enginetest.Fault {
					if n == 4 {
						go s.Kill()
						return enginetest.Hangs
					}
					return enginetest.Good
				}
			} else {
				o.Fault = func(n int, _ enginetest.ChatRequest) enginetest.Fault {
					if n == 4 {
						go o.Kill()
						return enginetest.Hangs
					}
					return enginetest.Good
				}
			}
			enginetest.StartOpenAI(t, s)
			d := openWith(t, map[string]string{envOpenAIURL: s.URL, "OLLAMA_HOST": o.URL})
			req := request(folder(t))
			req.Model = order
			j := start(t, d, req, StartOptions{})
			res := wait(t, j)
			if res.Digest == nil || res.Exit != ExitDone {
				t.Fatalf("Result = %+v", res)
			}
			by := res.Digest.Model.Answered
			if by["openai:tiny"] == 0 || by["ollama:tiny"] == 0 {
				t.Errorf("answered: %v, want both", by)
			}
			if a, err := d.Audit(j.ID(), true); err != nil || !a.OK() {
				t.Errorf("Audit = %v, %v", a.Faults, err)
			}
		})
	}
}

// twin is one model of a pair.
type twin struct {
	name  string
	err   error
	calls int
	back  chan struct{}
}

func (h *twin) Limits() research.Limits { return research.Limits{Name: h.name, NumCtx: 4096} }
func (h *twin) Embed(context.Context, []string) ([][]float32, error) {
	return nil, research.ErrMissing
}
func (h *twin) Chat(context.Context, research.Call) (research.Answer, error) {
	h.calls++
	return research.Answer{By: h.name}, h.err
}
func (h *twin) Wait(ctx context.Context) error {
	select {
	case <-h.back:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func TestPair(t *testing.T) {
	now := time.Unix(0, 0)
	say := func(err error) error { return fmt.Errorf("it: %w", err) }
	for _, tc := range []struct {
		name          string
		first, second error
		by            string
		is            error
	}{
		{"both well", nil, nil, "a", nil},
		{"first gone", say(research.ErrUnavailable), nil, "b", nil},
		{"first has no such model", say(research.ErrMissing), nil, "b", nil},
		{"too long is the prompt's fault", say(research.ErrTooLong), nil, "", research.ErrTooLong},
		{"forbidden widens nothing", say(research.ErrForbidden), nil, "", research.ErrForbidden},
		{"both gone", say(research.ErrUnavailable), say(research.ErrUnavailable), "", research.ErrUnavailable},
		{"one gone, one without the model", say(research.ErrMissing), say(research.ErrUnavailable), "", research.ErrUnavailable},
		{"one gone, one broken", say(research.ErrUnavailable), say(research.ErrServer), "", research.ErrUnavailable},
	} {
		a, b := &twin{name: "a", err: tc.first}, &twin{name: "b", err: tc.second}
		p := &pair{first: a, second: b, now: func() time.Time { return now }}
		got, err := p.Chat(t.Context(), research.Call{})
		if !errors.Is(err, tc.is) || tc.is == nil && (err != nil || got.By != tc.by) {
			t.Errorf("%s: Chat = %+v, %v", tc.name, got, err)
		}
		if tc.is == research.ErrUnavailable && errors.Is(err, research.ErrMissing) {
			t.Errorf("%s: %v also says that the model is missing, which would end the run", tc.name, err)
		}
	}

	a, b := &twin{name: "a", err: research.ErrHung, back: make(chan struct{})}, &twin{name: "b", back: make(chan struct{})}
	var notes int
	p := &pair{first: a, second: b, now: func() time.Time { return now }, note: func(research.Note) { notes++ }}
	for range 5 {
		if got, err := p.Chat(t.Context(), research.Call{}); err != nil || got.By != "b" {
			t.Fatalf("Chat = %+v, %v", got, err)
		}
	}
	if a.calls != 1 || notes != 1 {
		t.Errorf("the hung server was asked %d times and told of %d times, want once", a.calls, notes)
	}
	now, a.err = now.Add(2*restTime), nil
	if got, err := p.Chat(t.Context(), research.Call{}); err != nil || got.By != "a" {
		t.Errorf("Chat after a rest = %+v, %v, want the first again", got, err)
	}
	close(b.back)
	if err := p.Wait(t.Context()); err != nil {
		t.Errorf("Wait = %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := (&pair{first: a, second: a, now: time.Now}).Wait(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Wait with an ended context = %v", err)
	}
	var _ engine.Model = p
}

func TestCheckModel(t *testing.T) {
	for m, ok := range map[string]bool{
		"": true, "auto": true, "extractive": true, "ollama:a:b": true, "openai": true, "openai:a/b": true, "ollama:a,openai": true, "openai:a,openai:b": true,
		"recorded:a,b.json": true, "ollama": false, "ollama:": false, "openai:": false, "auto,ollama:a": false, "ollama:a,": false, "ollama:a,extractive": false, "ollama:a,openai:b,openai:c": false, "x": false,
	} {
		if err := checkModel(m); (err == nil) != ok {
			t.Errorf("checkModel(%q) = %v", m, err)
		}
	}
}
