package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"assay/engine/enginetest"
	"assay/engine/research"
)

// childArg has the test program be a child: a worker that can be killed, or a wire from a namespace's loopback to the outside.
const childArg = "assay-child"

func child(args []string) int {
	if args[0] == "forward" {
		return forward(args[1], args[2])
	}
	return Main(args, os.Stdin, os.Stdout, os.Stderr)
}

// forward listens at one address and joins what comes to another.
func forward(from, to string) int {
	l, err := net.Listen("tcp", from)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	for {
		in, err := l.Accept()
		if err != nil {
			return 1
		}
		go func() {
			defer func() { _ = in.Close() }()
			out, err := net.Dial("tcp", to)
			if err != nil {
				return
			}
			defer func() { _ = out.Close() }()
			go func() { _, _ = io.Copy(out, in); _ = out.Close() }()
			_, _ = io.Copy(in, out)
		}()
	}
}

// site is where two workers and a server are: on loopback, or in namespaces of their own when long.
type site struct {
	t      *testing.T
	host   string   // of the server
	spaces []string // of the workers; empty names: none
	model  *enginetest.Server
}

// longEnv asks for the long form of this package's tests: forty runs, ten kills, namespaces and a partition of a minute. It needs
// root and the ip command.
const longEnv = "ASSAY_LONG"

func newSite(t *testing.T, long bool) *site {
	s := &site{t: t, host: "127.0.0.1", spaces: []string{"", ""}}
	if long {
		s.namespaces()
	}
	s.model = enginetest.NewServer(t)
	s.model.Service, s.model.Slots = 20*time.Millisecond, 4
	if !long {
		return s
	}
	// What a namespace calls its own model server is a wire to the one out here.
	l, err := net.Listen("tcp", s.host+":0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	_ = l.Close()
	s.start("", "forward", addr, strings.TrimPrefix(s.model.URL, "http://"))
	for _, ns := range s.spaces {
		s.start(ns, "forward", "127.0.0.1:11434", addr)
	}
	return s
}

// namespaces makes two namespaces that reach this one by a bridge.
func (s *site) namespaces() {
	s.t.Helper()
	ip := func(args ...string) {
		if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
			s.t.Fatalf("ip %s: %v: %s", strings.Join(args, " "), err, out)
		}
	}
	s.host, s.spaces = "10.199.7.1", []string{"assayw1", "assayw2"}
	ip("link", "add", "assaybr", "type", "bridge")
	s.t.Cleanup(func() { _ = exec.Command("ip", "link", "del", "assaybr").Run() })
	ip("addr", "add", s.host+"/24", "dev", "assaybr")
	ip("link", "set", "assaybr", "up")
	for i, ns := range s.spaces {
		ip("netns", "add", ns)
		s.t.Cleanup(func() { _ = exec.Command("ip", "netns", "del", ns).Run() })
		veth := "assayv" + strconv.Itoa(i+1)
		ip("link", "add", veth, "type", "veth", "peer", "name", "eth0", "netns", ns)
		ip("link", "set", veth, "master", "assaybr", "up")
		ip("-n", ns, "addr", "add", fmt.Sprintf("10.199.7.%d/24", i+2), "dev", "eth0")
		ip("-n", ns, "link", "set", "eth0", "up")
		ip("-n", ns, "link", "set", "lo", "up")
	}
}

// cut takes the wire of the nth worker away, or gives it back.
func (s *site) cut(n int, away bool) {
	state := "up"
	if away {
		state = "down"
	}
	if out, err := exec.Command("ip", "link", "set", "assayv"+strconv.Itoa(n+1), state).CombinedOutput(); err != nil {
		s.t.Fatalf("%v: %s", err, out)
	}
}

// start runs a child in a namespace until the test ends.
func (s *site) start(ns string, args ...string) *exec.Cmd {
	s.t.Helper()
	self, err := os.Executable()
	if err != nil {
		s.t.Fatal(err)
	}
	argv := append([]string{self, childArg}, args...)
	if ns != "" {
		argv = append([]string{"ip", "netns", "exec", ns}, argv...)
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = append(os.Environ(), "OLLAMA_HOST=http://127.0.0.1:11434")
	if ns == "" {
		cmd.Env = append(cmd.Env, "OLLAMA_HOST="+s.modelURL())
	}
	return s.run(cmd)
}

func (s *site) modelURL() string {
	if s.model == nil {
		return ""
	}
	return s.model.URL
}

func (s *site) run(cmd *exec.Cmd) *exec.Cmd {
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return cmd
}

// worker starts a worker with a home of its own.
func (s *site) worker(n int, nats string) *exec.Cmd {
	s.t.Helper()
	self, err := os.Executable()
	if err != nil {
		s.t.Fatal(err)
	}
	argv := []string{self, childArg, "worker", "--nats", nats}
	if ns := s.spaces[n]; ns != "" {
		argv = append([]string{"ip", "netns", "exec", ns}, argv...)
	}
	home := filepath.Join(s.t.TempDir(), "home")
	if err := os.MkdirAll(home, 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "settings.json"), []byte(`{"queue":{"models":2,"idle":true,"lease":3}}`), 0o644); err != nil {
		s.t.Fatal(err)
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	ollama := "http://127.0.0.1:11434"
	if s.spaces[n] == "" {
		ollama = s.model.URL
	}
	cmd.Env = append(os.Environ(), "ASSAY_HOME="+home, "OLLAMA_HOST="+ollama)
	if testing.Verbose() {
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	}
	return s.run(cmd)
}

// Must show 1 of issue G, in small unless ASSAY_LONG is set: two workers, one of which is killed again and again; every run is
// delivered once, and no model call is made again but what was in flight at a kill.
func TestSharedQueueSurvivesItsWorkers(t *testing.T) {
	long := os.Getenv(longEnv) != ""
	runs, kills := 8, 3
	if long {
		runs, kills = 40, 10
	}
	s := newSite(t, long)
	srv, err := server.NewServer(&server.Options{Host: s.host, Port: -1, JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	srv.Start()
	defer func() { srv.Shutdown(); srv.WaitForShutdown() }()
	if !srv.ReadyForConnections(10 * time.Second) {
		t.Fatal("the server did not start")
	}
	nats := srv.ClientURL()
	x := newTerminal(t)
	dir := docs(t)
	var ids []string
	for i := range runs {
		var line struct{ ID string }
		out := x.want(0, "", "research", fmt.Sprintf("What is the melting point of gold, asked for reader number %d?", i), "--queue", "--nats", nats, "--json",
			"--library", dir, "--offline", "--model", "ollama:tiny", "--depth", "quick", "--clock", clock, "--priority", strconv.Itoa(i%3))
		if err := json.Unmarshal([]byte(out), &line); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, line.ID)
	}
	random := rand.New(rand.NewPCG(1, uint64(runs)))
	victim := s.worker(0, nats)
	s.worker(1, nats)
	killed := 0
	states := func() map[string]int {
		var items []queueLine
		if err := json.Unmarshal([]byte(x.want(0, "", "queue", "list", "--nats", nats, "--json")), &items); err != nil {
			t.Fatal(err)
		}
		n := map[string]int{}
		for _, it := range items {
			n[it.State]++
		}
		return n
	}
	parted := !long
	for deadline := time.Now().Add(14 * time.Minute); ; {
		n := states()
		if n["completed"] == runs {
			break
		}
		if n["failed"] > 0 || time.Now().After(deadline) {
			t.Fatalf("states: %v; %s", n, x.want(0, "", "queue", "list", "--nats", nats))
		}
		switch {
		case !parted && n["completed"] >= runs*3/4:
			s.cut(1, true)
			time.Sleep(time.Minute)
			s.cut(1, false)
			parted = true
		case killed < kills && n["running"] > 0:
			time.Sleep(time.Duration(200+random.IntN(500)) * time.Millisecond)
			if victim.Process.Signal(os.Kill) == nil {
				killed++
			}
			_ = victim.Wait()
			victim = s.worker(0, nats)
		default:
			time.Sleep(300 * time.Millisecond)
		}
	}
	if killed == 0 || long && killed < kills {
		t.Fatalf("%d workers were killed of %d: the runs are too short for this test", killed, kills)
	}
	s.check(x, nats, ids, killed)
}

// check looks at what was delivered.
func (s *site) check(x *terminalOn, nats string, ids []string, killed int) {
	prompts, made := map[string]int{}, 0
	for _, c := range s.model.Chats() {
		if len(c.Format) == 0 {
			continue // how a worker measures the server, which is no call of a run
		}
		prompts[c.Prompt()]++
		made++
	}
	again, recorded := 0, 0
	for _, n := range prompts {
		again += n - 1
	}
	for _, id := range ids {
		x.want(0, "Report: ", "queue", "fetch", id, "--nats", nats)
		x.want(0, " 0 differ", "audit", id)
		events, err := os.ReadFile(filepath.Join(x.home, "runs", id, "run.json"))
		if err != nil {
			s.t.Fatal(err)
		}
		var run research.Run
		if err := json.Unmarshal(events, &run); err != nil {
			s.t.Fatal(err)
		}
		for _, ev := range run.Events {
			if ev.Kind == research.EventModel && strings.Contains(string(ev.Payload), "ollama") {
				recorded++
			}
		}
	}
	s.t.Logf("%d runs, %d kills: %d delivered; %d calls were made, %d are recorded, %d were made again", len(ids), killed, len(ids), made, recorded, again)
	// What was in flight at a kill may be sent again: one call for each slot of each run the victim had.
	if most := 2 * 4 * (killed + 1); again > most {
		s.t.Errorf("%d calls were made again; at most %d were in flight", again, most)
	}
}
