package ollama

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"assay/engine/enginetest"
	"assay/engine/research"
)

// group lists the living processes of a group, the ended ones that nobody has asked after left out.
func group(t *testing.T, id int) []int {
	t.Helper()
	var out []int
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range stats {
		b, err := os.ReadFile(name)
		if err != nil {
			continue // it ended meanwhile
		}
		// "PID (NAME) STATE PARENT GROUP ..."; the name may hold anything.
		fields := strings.Fields(string(b[strings.LastIndexByte(string(b), ')')+1:]))
		if len(fields) > 2 && fields[0] != "Z" && fields[2] == strconv.Itoa(id) {
			pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name)))
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, pid)
		}
	}
	return out
}

// A server that is killed with a model loaded leaves no runner, and is back on its port.
func TestServeAgain(t *testing.T) {
	var mu sync.Mutex
	var notes []string
	s := served(t, t.TempDir(), func(c *ServeConfig) {
		c.Note = func(n research.Note) { mu.Lock(); defer mu.Unlock(); notes = append(notes, n.Text) }
	})
	a := admin(t, s.URL())
	if err := a.Create(t.Context(), "tiny", tinyFile(t), CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	for round := range 3 {
		if _, err := a.Load(t.Context(), "tiny", LoadOptions{NumCtx: 2048}); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		pid := s.Status().PID
		if n := len(group(t, pid)); n < 2 {
			t.Fatalf("%d processes with a model loaded, want the server and its runner", n)
		}
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		waitFor(t, func() bool { st := s.Status(); return st.PID != pid && st.State == ServeReady })
		if left := group(t, pid); len(left) != 0 {
			t.Errorf("round %d: %v left of the killed server", round, left)
		}
	}
	if st := s.Status(); st.Restarts != 3 || !strings.Contains(st.Why, "signal: killed") {
		t.Errorf("Status = %+v", st)
	}
	mu.Lock()
	defer mu.Unlock()
	if got := strings.Join(notes, "\n"); strings.Count(got, "is started again") != 3 || strings.Count(got, "answers again") != 3 {
		t.Errorf("notes = %s", got)
	}
}

// helperEnv makes this test's program one that serves, see [helper].
const helperEnv = "ASSAY_TEST_SERVE"

// helper stands for the program in TestServeEndsWithUs: it serves, loads the tiny model, tells the group and waits for its end.
func helper() {
	fail := func(err error) {
		if err != nil {
			fmt.Println("fault:", err)
			os.Exit(1)
		}
	}
	dir := os.Getenv(helperEnv)
	if dir == "stubborn" {
		c, err := startChild(exec.Command("/bin/sh", "-c", "trap '' TERM HUP INT; sleep 1000 & while :; do sleep 1; done"))
		fail(err)
		fmt.Println("group", c.pid)
		select {}
	}
	binary, err := enginetest.OllamaBinary()
	fail(err)
	h := &http.Client{Transport: &http.Transport{}}
	s, err := Serve(context.Background(), ServeConfig{
		Binary: binary, Client: func(string) (*http.Client, error) { return h, nil },
		Environ: append(os.Environ(), "HOME="+dir, "OLLAMA_MODELS="+filepath.Join(dir, "models")),
	})
	fail(err)
	file := filepath.Join(dir, "tiny.gguf")
	fail(os.WriteFile(file, enginetest.Tiny{}.GGUF(), 0o644))
	a, err := NewAdmin(h, s.URL())
	fail(err)
	fail(a.Create(context.Background(), "tiny", file, CreateOptions{}))
	_, err = a.Load(context.Background(), "tiny", LoadOptions{NumCtx: 2048, KeepAlive: -1})
	fail(err)
	fmt.Println("group", s.Status().PID)
	select {}
}

// TestServeEndsWithUs kills the program that serves, at once and without a word, and looks what it leaves.
func TestServeEndsWithUs(t *testing.T) {
	if _, err := enginetest.OllamaBinary(); err != nil {
		t.Skip(err)
	}
	for _, tc := range []struct {
		name, how string
		before    func(t *testing.T, us, server int)
	}{
		{"killed", "", func(*testing.T, int, int) {}},
		{"killed over a server that will not end", "stubborn", func(*testing.T, int, int) {}},
		{"killed with its guard", "", func(t *testing.T, us, _ int) {
			for _, pid := range shellsOf(t, us) {
				if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
					t.Fatal(err)
				}
			}
		}},
		{"killed while the server hangs", "", func(t *testing.T, _, server int) {
			if err := syscall.Kill(server, syscall.SIGSTOP); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			cmd := exec.Command(os.Args[0], "-test.run=^$")
			how := tc.how
			if how == "" {
				how = t.TempDir()
			}
			cmd.Env = append(os.Environ(), helperEnv+"="+how)
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			defer func() { _ = cmd.Wait() }()
			defer func() { _ = cmd.Process.Kill() }()
			line, err := bufio.NewReader(out).ReadString('\n')
			id, err2 := strconv.Atoi(strings.TrimPrefix(strings.TrimSpace(line), "group "))
			if err != nil || err2 != nil {
				t.Fatalf("the helper says %q: %v", line, err)
			}
			defer func() { _ = syscall.Kill(-id, syscall.SIGKILL) }()
			waitFor(t, func() bool { return len(group(t, id)) >= 2 }) // the server and its runner
			if n := len(shellsOf(t, cmd.Process.Pid)); n < 1 {
				t.Fatalf("%d guards, want one", n)
			}
			tc.before(t, cmd.Process.Pid, id)
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			for range 1500 {
				if len(group(t, id)) == 0 {
					return
				}
				time.Sleep(10 * time.Millisecond)
			}
			t.Errorf("%v still run", group(t, id))
		})
	}
}

// shellsOf lists the shells that a process started.
func shellsOf(t *testing.T, parent int) []int {
	t.Helper()
	var out []int
	names, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", parent))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			continue // a thread that ended
		}
		for _, field := range strings.Fields(string(b)) {
			pid, err := strconv.Atoi(field)
			if err != nil {
				t.Fatal(err)
			}
			if comm, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid)); err == nil && strings.TrimSpace(string(comm)) == "sh" {
				out = append(out, pid)
			}
		}
	}
	return out
}
