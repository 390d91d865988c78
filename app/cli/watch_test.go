package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay/app/desk"
)

// TestWatchCommands goes through the commands of watches, deliveries and knowledge as a person would, on one home.
func TestWatchCommands(t *testing.T) {
	x := newTerminal(t)
	docs := filepath.Join(t.TempDir(), "kiln")
	say := func(degrees string) {
		t.Helper()
		if err := os.MkdirAll(docs, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(docs, "a.md"), []byte("# Firing\n\nThe Marrow kiln is fired to "+degrees+" degrees Celsius.\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	say("1,280")
	out := filepath.Join(t.TempDir(), "out")
	x.want(0, "There are no watches", "watch", "list")
	x.want(desk.ExitUsage, "five are due", "watch", "add", "kiln", "How", "hot?", "--schedule", "daily", "--library", docs)
	x.want(desk.ExitUsage, "there is none of this name", "watch", "add", "kiln", "How hot?", "--schedule", "@daily", "--library", docs, "--deliver", "disk")
	x.want(desk.ExitUsage, "say where to", "deliver", "add", "disk")
	x.want(0, "Added disk: folder to "+out, "deliver", "add", "disk", "--folder", out)
	x.want(0, "No program keeps the watches now", "watch", "add", "kiln", "How hot is the Marrow kiln fired?", "--schedule", "0 7 * * *", "--zone", "Europe/Berlin", "--library", docs, "--model", "extractive", "--deliver", "disk")
	x.want(0, "kiln has no two reports yet.", "watch", "diff", "kiln")
	x.want(0, "First report: 1 finding.", "watch", "run", "kiln")
	x.want(0, "Nothing new since", "watch", "run", "kiln")
	say("1,210")
	got := x.want(0, "1 contradiction with the earlier report", "watch", "run", "kiln", "--json")
	var r desk.WatchResult
	if err := json.Unmarshal([]byte(got), &r); err != nil || r.State != desk.WatchNews || r.Difference == nil || r.Against == "" {
		t.Fatalf("watch run --json = %s, %v", got, err)
	}
	for _, name := range []string{desk.FileHTML, desk.FileDifferenceHTML} {
		if _, err := os.Stat(filepath.Join(out, r.Run, name)); err != nil {
			t.Error(err)
		}
	}
	x.want(0, "  earlier: The Marrow kiln is fired to 1,280 degrees Celsius.", "watch", "diff", "kiln")
	x.want(0, "! The Marrow kiln is fired to 1,210", "watch", "diff", r.Against, r.Run)
	x.want(0, "Europe/Berlin", "watch", "show", "kiln")
	x.want(0, `"name":"kiln"`, "watch", "list", "--json")
	brief := filepath.Join(t.TempDir(), "brief")
	x.want(0, "[files] The Marrow kiln is fired to 1,210", "watch", "briefing", "kiln", "--mix", "files=60,news=40", "--out", brief)
	if b, err := os.ReadFile(filepath.Join(brief, "briefing.md")); err != nil || !strings.Contains(string(b), "reports/kiln.html") {
		t.Errorf("briefing.md: %v\n%s", err, b)
	}
	x.want(desk.ExitUsage, "no kind of source", "watch", "briefing", "--mix", "gossip=4")
	x.want(0, "delivered", "deliver", "log")
	x.want(0, "Delivered.", "deliver", "test", "disk")
	x.want(0, "disk", "deliver", "list")
	x.want(desk.ExitUsage, "it needs no key", "deliver", "key", "disk")
	x.want(0, "0 deliveries were", "deliver", "retry")
	x.want(0, "confidence there", "knowledge", "search", "kiln", "fired")
	x.want(0, "No finished run", "knowledge", "search", "zebra")
	x.want(desk.ExitUsage, "use an age", "knowledge", "pages", "soon")
	x.want(0, "", "knowledge", "off")
	x.want(0, "", "deliver", "remove", "disk")
	x.want(0, "Its runs and their reports remain", "watch", "remove", "kiln")
	x.want(desk.ExitUsage, "there is none of this name", "watch", "run", "kiln")
}

// TestWatchDaemon ends at the first signal with code 0.
func TestWatchDaemon(t *testing.T) {
	x := newTerminal(t)
	go func() {
		for range 200 {
			if _, err := os.Stat(filepath.Join(x.home, "watches")); err == nil {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		x.signals <- syscall.SIGTERM
	}()
	x.want(0, "Keeping the watches", "watch", "daemon")
}
