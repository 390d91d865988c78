package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestQueueCommands(t *testing.T) {
	x := newTerminal(t)
	dir, out := docs(t), filepath.Join(t.TempDir(), "report")
	x.want(0, "The queue is empty", "queue", "list")
	ask := func(question string, more ...string) string {
		t.Helper()
		var line struct{ ID, State string }
		args := append([]string{"research", question, "--queue", "--json", "--library", dir, "--offline", "--model", "extractive"}, more...)
		if err := json.Unmarshal([]byte(x.want(0, "", args...)), &line); err != nil || line.State != "queued" {
			t.Fatal(line, err)
		}
		return line.ID
	}
	gold := ask("What is the melting point of gold?", "--out", out)
	silver := ask("What is the melting point of silver?", "--priority", "2")
	list := x.want(0, "queued", "queue", "list")
	if strings.Index(list, silver) > strings.Index(list, gold) {
		t.Errorf("the higher priority is not first:\n%s", list)
	}
	x.want(0, "", "queue", "move", gold, "--before", silver)
	if list = x.want(0, "", "queue", "list"); strings.Index(list, gold) > strings.Index(list, silver) {
		t.Errorf("not moved:\n%s", list)
	}
	x.want(0, "", "queue", "priority", gold, "--to", "-9")
	x.want(0, "queued", "runs", "list")
	x.want(0, "", "queue", "remove", silver)
	x.want(0, "", "queue", "retry", silver)
	x.want(0, "done: ", "worker", "--until-empty")
	for _, name := range []string{"report.html", "run.json"} {
		if _, err := os.Stat(filepath.Join(out, name)); err != nil {
			t.Error(err)
		}
	}
	x.want(0, " 0 differ", "audit", gold)
	x.want(0, " 0 differ", "audit", silver)
	x.want(0, "completed", "queue", "list")
	pages := t.TempDir()
	x.want(0, "2 reports, 0 runs that need you", "queue", "morning", "--out", pages)
	if page, err := os.ReadFile(filepath.Join(pages, "morning.html")); err != nil || !strings.Contains(string(page), gold+".html") {
		t.Errorf("the morning's page: %v", err)
	}
	if _, err := os.Stat(filepath.Join(pages, gold+".html")); err != nil {
		t.Error(err)
	}
	for _, tc := range []struct {
		want string
		args []string
	}{
		{"the question is empty", []string{"research", "--queue", "--library", dir}},
		{"priority 10", []string{"research", "--queue", "--library", dir, "--priority", "10", "Gold?"}},
		{"--priority and --nats are for --queue", []string{"research", "--library", dir, "--priority", "1", "Gold?"}},
		{"leave --resume", []string{"research", "--queue", "--resume", gold}},
		{"no such run", []string{"queue", "move", "x"}},
		{"does not wait in the queue", []string{"queue", "remove", gold}},
		{"no priority was given", []string{"queue", "priority", gold}},
		{"takes one argument", []string{"queue", "retry"}},
	} {
		x.want(2, tc.want, tc.args...)
	}
}
