package desk

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/engine"
	"assay/engine/enginetest"
	"assay/engine/research"
)

// TestGuardRealServer runs with a recorded card of 16 GB, the real monitor and the real server, which computes on the processor:
// so the model is planned for the card, and is then found in main memory. The run pauses with a sentence, says that it goes on
// when nobody chose, and ends.
func TestGuardRealServer(t *testing.T) {
	server := enginetest.StartOllama(t, enginetest.Tiny{Arch: "qwen3", Context: 65536})
	cards := t.TempDir()
	if err := os.WriteFile(filepath.Join(cards, "0000.csv"), []byte(replayHead+"NVIDIA GeForce RTX 4080 SUPER, 16376 MiB, 434 MiB, 596 MiB, 15348 MiB, 0 %, 43, 26.20 W, P2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	d, err := Open(Options{Program: "terminal", Version: "1.0", Getenv: func(name string) string {
		return map[string]string{"ASSAY_HOME": home, "OLLAMA_HOST": server.URL, ReplayEnv: cards}[name]
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	ready, seen := make(chan struct{}), make(chan struct{})
	d.wire.run = func(ctx context.Context, cfg engine.Config, _ engine.Record) (research.Digest, error) {
		close(ready)
		for {
			if _, err := cfg.Model.Chat(ctx, research.Call{Role: research.Reader, Prompt: "Say yes.", Budget: 4}); err != nil {
				return research.Digest{}, err
			}
			select {
			case <-seen:
				return testDigest(), nil
			case <-time.After(50 * time.Millisecond):
			}
		}
	}
	req := request(folder(t))
	req.Model = "auto"
	j := start(t, d, req, StartOptions{Patience: 300 * time.Millisecond})
	<-ready
	// The model may be loaded anew first, because the card has room for it.
	for range 4000 {
		if strings.Contains(said(t, d, j.ID()), "Nobody chose") {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	close(seen)
	if res := wait(t, j); res.Exit != ExitDone {
		t.Fatalf("Result = %+v", res)
	}
	text := said(t, d, j.ID())
	for _, want := range []string{
		`"state":"paused","detail":"tiny:latest is not on the card at all`, "Nobody chose what to do within 300ms", "The run goes on as it is.", "asked 16,384, server reports 16,384",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q was not said:\n%s", want, text)
		}
	}
}

// TestRunOutOfMemory holds that a server which says that memory is missing never ends a run without a sentence: the run waits,
// sends the call again, and what the model does not answer the extractive channel does.
func TestRunOutOfMemory(t *testing.T) {
	for _, tc := range []struct {
		name   string
		faults int
		by     string
	}{
		{"for a while", 1, "ollama:tiny"},
		{"for good", 1000, "extractive"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			server := enginetest.NewServer(t)
			warmed := 3 // calls that load the model and measure it
			server.Fault = func(n int, _ enginetest.ChatRequest) enginetest.Fault {
				if n >= warmed && n < warmed+tc.faults {
					return enginetest.Memory500
				}
				return enginetest.Good
			}
			d := hardwareDesk(t, server.URL)
			real := d.wire.after
			d.wire.after = func(wait time.Duration) (<-chan time.Time, func()) { return real(min(wait, 20*time.Millisecond)) }
			dir := folder(t)
			req := request(dir)
			req.Model = "ollama:tiny"
			j := start(t, d, req, StartOptions{Patience: time.Hour})
			res := wait(t, j)
			if res.Exit != ExitDone && res.Exit != ExitNoFinding || res.Digest == nil {
				t.Fatalf("Result = %+v", res)
			}
			if tc.by == "extractive" && res.Digest.Model.Answered["extractive"] == 0 || tc.by != "extractive" && res.Digest.Model.Answered[tc.by] == 0 {
				t.Errorf("answered %v", res.Digest.Model.Answered)
			}
			if text := said(t, d, j.ID()); !strings.Contains(text, "does not fit into memory") || !strings.Contains(text, `"state":"paused"`) {
				t.Errorf("said:\n%s", text)
			}
		})
	}
}
