package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"testing"
)

// embedded is a worker of a home in a program of its own, of which each line of news is read.
type embedded struct {
	cmd   *exec.Cmd
	lines *bufio.Scanner
}

func (x *terminalOn) worker() *embedded {
	x.t.Helper()
	self, err := os.Executable()
	if err != nil {
		x.t.Fatal(err)
	}
	cmd := exec.Command(self, childArg, "worker", "--until-empty", "--json")
	cmd.Env = append(os.Environ(), "ASSAY_HOME="+x.home, "OLLAMA_HOST=127.0.0.1:1")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		x.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		x.t.Fatal(err)
	}
	x.t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return &embedded{cmd, bufio.NewScanner(out)}
}

// resident is how much memory the worker has, in KiB; 0 where the machine does not tell.
func (w *embedded) resident() int {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", w.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	m := regexp.MustCompile(`VmRSS:\s+(\d+) kB`).FindSubmatch(b)
	if m == nil {
		return 0
	}
	kib, _ := strconv.Atoi(string(m[1])) // digits
	return kib
}

// Must show 2 of issue G, in small unless ASSAY_LONG is set: many runs of one home with priorities, whose worker is killed in the
// middle and started again: all are delivered, in the order of their priorities, none is done twice, and the worker does not grow.
func TestQueueOutlivesItsWorker(t *testing.T) {
	runs := 12
	if os.Getenv(longEnv) != "" {
		runs = 200
	}
	x := newTerminal(t)
	dir := docs(t)
	priority := map[string]int{}
	for i := range runs {
		p := i % 5
		var line struct{ ID string }
		out := x.want(0, "", "research", fmt.Sprintf("What is the melting point of gold, asked for reader number %d?", i), "--queue", "--json",
			"--library", dir, "--offline", "--model", "extractive", "--depth", "quick", "--clock", clock, "--priority", strconv.Itoa(p))
		if err := json.Unmarshal([]byte(out), &line); err != nil {
			t.Fatal(err)
		}
		priority[line.ID] = p
	}
	began, ended := map[string]int{}, map[string]int{}
	lowest, resumed := 9, 0
	var kib [3]int // after a quarter, before the kill, at the end
	follow := func(w *embedded, until int) {
		for w.lines.Scan() {
			var news struct{ Kind, ID, State, Text string }
			if err := json.Unmarshal(w.lines.Bytes(), &news); err != nil {
				t.Fatalf("%q: %v", w.lines.Text(), err)
			}
			switch news.Kind {
			case "note":
				t.Log(news.Text)
			case "began":
				began[news.ID]++
				if p := priority[news.ID]; p > lowest {
					t.Errorf("%s of priority %d began after one of %d", news.ID, p, lowest)
				} else {
					lowest = p
				}
			case "resumed":
				resumed++
			case "ended":
				ended[news.ID]++
				if news.State != "done" {
					t.Errorf("%s is %s", news.ID, news.State)
				}
			}
			switch len(ended) {
			case runs / 4:
				kib[0] = w.resident()
			case runs * 9 / 10:
				kib[2] = w.resident()
			}
			if len(ended) == until {
				return
			}
		}
	}
	first := x.worker()
	follow(first, runs/2)
	kib[1] = first.resident()
	if err := first.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = first.cmd.Wait() // killed
	second := x.worker()
	follow(second, runs+1) // to the end of its words
	if err := second.cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	var items []queueLine
	if err := json.Unmarshal([]byte(x.want(0, "", "queue", "list", "--json")), &items); err != nil {
		t.Fatal(err)
	}
	done := 0
	for _, it := range items {
		if it.State != "completed" {
			t.Errorf("%s is %s: %s", it.ID, it.State, it.Detail)
			continue
		}
		done++
		x.want(0, " 0 differ", "audit", it.ID)
	}
	if done != runs || len(items) != runs {
		t.Errorf("%d of %d runs are completed", done, runs)
	}
	for id, n := range began {
		if n != 1 || ended[id] > 1 {
			t.Errorf("%s began %d times and ended %d times", id, n, ended[id])
		}
	}
	t.Logf("%d runs: %d delivered; %d were under way at the kill and went on; resident %d KiB after a quarter, %d at the kill, %d of the second worker near its end",
		runs, done, resumed, kib[0], kib[1], kib[2])
	if kib[0] > 0 && kib[1] > kib[0]+64<<10 {
		t.Errorf("the worker grows: %v KiB", kib)
	}
}
