package desk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"assay/engine/fetch"
	"assay/engine/ollama"
	"assay/engine/research"
	"assay/engine/store"
)

// maxParallel is how many calls a managed server may be told to answer at once: each holds a window of its own in memory.
const maxParallel = 16

// checkServer says in one sentence what is wrong with the settings of the managed server, or returns nil.
func (s Settings) checkServer() error {
	switch s.FlashAttention {
	case "", "auto", "on", "off":
	default:
		return fmt.Errorf("flash attention %q: use auto, on or off", s.FlashAttention)
	}
	switch s.KVType {
	case "", "auto", "f16":
	case "q8_0", "q4_0":
		if s.FlashAttention == "off" {
			return fmt.Errorf("cache type %s: the server ignores it without flash attention; use f16, or set flash attention to auto or on", s.KVType)
		}
	default:
		return fmt.Errorf("cache type %q: use auto, f16, q8_0 or q4_0", s.KVType)
	}
	if s.Parallel < 0 || s.Parallel > maxParallel {
		return fmt.Errorf("parallel %d: use a number from 1 to %d", s.Parallel, maxParallel)
	}
	if s.OllamaBinary != "" && !filepath.IsAbs(s.OllamaBinary) {
		return fmt.Errorf("the program %q: give the whole path, such as /usr/local/bin/ollama", s.OllamaBinary)
	}
	return nil
}

// tuning is what a managed server is told. A reserve that is a size is left free by the server too; one in per cent differs from
// card to card and is seen to by the plan alone.
func (s Settings) tuning() ollama.Tuning {
	t := ollama.Tuning{FlashAttention: s.FlashAttention, KVType: s.KVType, Parallel: s.Parallel}
	if t.KVType == "auto" {
		t.KVType = ""
	}
	if n, err := ParseSize(s.Memory.Reserve); err == nil && !s.Memory.UseReserve {
		t.GPUOverhead = n
	}
	return t
}

// A managed server is a child of one program; the other programs of the same home use it too. Who has the lease of the folder
// owns it, and writes into server.json there what the others need. When the owner ends, its server ends with it, and the next
// program that needs one takes the lease and starts it again, at the same address when that is free.
const (
	serverFile  = "server.json"
	serverLog   = "server.log"
	stopFile    = "stop"         // made by another program: please end the server
	refusalFile = "stop.refused" // the owner's answer, when it does not
)

// managed is the desk's own server, if it has one.
type managed struct {
	turn    chan struct{} // whoever has the token starts or stops
	mu      sync.Mutex
	served  *ollama.Served // nil: this program owns none
	client  *fetch.Client
	release func()
	tended  chan struct{} // closed when nobody looks after it any more
	fault   string        // why the last one was given up
	pause   time.Duration // before the first restart; if zero, as package ollama has it
	runs    int           // channels of this program that are open to the server
	uses    int           // bake-offs and pulls of this program that go on with it
	kv      string        // cache type that a plan chose; "" none did
}

// serverState is the content of server.json.
type serverState struct {
	ollama.ServeStatus
	Holder store.Holder `json:"holder"`
}

func (d *Desk) serverDir() string { return filepath.Join(d.dirs.State, "server") }

// serving returns the address of a managed server that answers, starting one when there is none. The error wraps
// [research.ErrUnavailable] when it cannot.
func (d *Desk) serving(ctx context.Context) (string, error) {
	m := &d.managed
	select {
	case m.turn <- struct{}{}:
	case <-ctx.Done():
		return "", ctx.Err()
	}
	defer func() { <-m.turn }()
	if s := m.own(); s != nil {
		err := s.Wait(ctx)
		if err == nil {
			return s.URL(), nil
		}
		select {
		case <-s.Done(): // stopped or given up; the next call starts anew
			<-m.tended
		default:
		}
		return "", err
	}
	const wait, pause = time.Minute, 100 * time.Millisecond // another program may be starting it
	for began := time.Now(); ; {
		release, holder, held, err := store.Lease(d.serverDir(), d.program)
		if err != nil {
			return "", fmt.Errorf("model server: %w: %w", err, research.ErrUnavailable)
		}
		if !held {
			return d.startServer(ctx, release)
		}
		if st, err := d.readServer(); err == nil && d.answers(ctx, st.URL) == nil {
			return st.URL, nil
		}
		if time.Since(began) > wait {
			return "", fmt.Errorf("the model server of another program (%s) does not answer; close that program, or look at %s: %w", holder, filepath.Join(d.serverDir(), serverLog), research.ErrUnavailable)
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}

// own is the server that this program owns, or nil.
func (m *managed) own() *ollama.Served {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.served
}

// startServer starts a server and owns release from here on.
func (d *Desk) startServer(ctx context.Context, release func()) (string, error) {
	binary, err := d.ollamaBinary()
	if err != nil {
		release()
		return "", fmt.Errorf("%w: %w", err, research.ErrUnavailable)
	}
	d.mu.Lock()
	closed := d.closed
	d.mu.Unlock()
	if closed {
		release()
		return "", errors.New("the program is closing")
	}
	dir := d.serverDir()
	for _, name := range []string{stopFile, refusalFile} {
		_ = os.Remove(filepath.Join(dir, name)) // a request to an earlier owner
	}
	prefer := ""
	if st, err := d.readServer(); err == nil {
		prefer = strings.TrimPrefix(st.URL, "http://")
	}
	var client *fetch.Client
	served, err := ollama.Serve(ctx, ollama.ServeConfig{
		Binary: binary, Prefer: prefer, Environ: d.environ(), Tuning: d.tuning(), LogFile: filepath.Join(dir, serverLog), Pause: d.managed.pause,
		Client: func(base string) (*http.Client, error) {
			var err error
			client, err = fetch.New(fetch.Policy{Egress: research.Closed, Services: []fetch.Service{{Base: base, For: []fetch.Kind{fetch.Model}}}})
			if err != nil {
				return nil, err
			}
			return client.HTTP(fetch.Model), nil
		},
	})
	if err != nil {
		if client != nil {
			client.Close()
		}
		release()
		return "", err
	}
	m := &d.managed
	m.mu.Lock()
	m.served, m.client, m.release, m.tended = served, client, release, make(chan struct{})
	m.mu.Unlock()
	// The others see it before this program goes on.
	err = d.writeServer(served.Status())
	go d.tend(served)
	if err != nil {
		served.Stop()
		<-m.tended
		return "", fmt.Errorf("%w: %w", err, research.ErrUnavailable)
	}
	return served.URL(), nil
}

// environ is the person's environment for the server.
func (d *Desk) environ() []string {
	out := os.Environ()
	for _, name := range []string{"HOME", "OLLAMA_MODELS"} {
		if v := d.getenv(name); v != "" {
			out = append(out, name+"="+v)
		}
	}
	return out
}

// tend keeps server.json up to date, hears what other programs ask, and lets everything go when the server has ended.
func (d *Desk) tend(served *ollama.Served) {
	m, last := &d.managed, served.Status()
	look := time.NewTicker(200 * time.Millisecond)
	defer look.Stop()
	for running := true; running; {
		select {
		case <-served.Done():
			running = false
		case <-look.C:
			if _, err := os.Stat(filepath.Join(d.serverDir(), stopFile)); err == nil {
				if why := d.serverInUse(); why != "" {
					// Whoever asks waits for one of the two.
					_ = os.WriteFile(filepath.Join(d.serverDir(), refusalFile), []byte(why), 0o600)
					_ = os.Remove(filepath.Join(d.serverDir(), stopFile))
				} else {
					go served.Stop()
					<-served.Done()
				}
			}
		}
		if now := served.Status(); now.PID != last.PID || now.State != last.State || now.Restarts != last.Restarts {
			last = now
			_ = d.writeServer(now) // the server serves all the same
		}
	}
	_ = os.Remove(filepath.Join(d.serverDir(), stopFile))
	m.mu.Lock()
	client, release, tended := m.client, m.release, m.tended
	m.served, m.client, m.release = nil, nil, nil
	if last.State == ollama.ServeFailed {
		m.fault = last.Why
	}
	m.mu.Unlock()
	client.Close()
	release()
	close(tended)
}

// serverInUse says why the server is not to be stopped now, "" when nothing speaks against it.
func (d *Desk) serverInUse() string {
	d.mu.Lock()
	jobs := len(d.jobs)
	d.mu.Unlock()
	d.managed.mu.Lock()
	defer d.managed.mu.Unlock()
	switch {
	case jobs > 0:
		return "a research is under way and may be using it; pause or stop the research first"
	case d.managed.uses > 0:
		return "a bake-off or a pull is under way and uses it; stop that first"
	}
	return ""
}

func (d *Desk) writeServer(st ollama.ServeStatus) error {
	b, err := json.MarshalIndent(serverState{st, store.Holder{PID: os.Getpid(), Program: d.program}}, "", "  ")
	if err != nil {
		return err
	}
	name := filepath.Join(d.serverDir(), serverFile)
	return store.Fault("tell other programs of the model server", name, store.WriteFile(name, append(b, '\n')))
}

// readServer reads what the owner wrote. It says nothing about whether the owner still runs.
func (d *Desk) readServer() (serverState, error) {
	var st serverState
	name := filepath.Join(d.serverDir(), serverFile)
	info, err := os.Stat(name)
	if err == nil && info.Size() > maxSettings {
		err = fmt.Errorf("%s is %d bytes long", name, info.Size())
	}
	if err != nil {
		return st, err
	}
	b, err := os.ReadFile(name)
	if err != nil {
		return st, err
	}
	if err := json.Unmarshal(b, &st); err != nil {
		return st, fmt.Errorf("%s: %w", name, err)
	}
	u, err := url.Parse(st.URL)
	if err != nil || u.Scheme != "http" || !loopback(st.URL) || u.Port() == "" {
		return st, fmt.Errorf("%s names no address of this machine", name)
	}
	return st, nil
}

// answers returns nil when an Ollama server answers at an address of this machine.
func (d *Desk) answers(ctx context.Context, base string) error {
	_, err := d.versionAt(ctx, base, research.Closed)
	return err
}

// versionAt asks an address for its version, for two seconds.
func (d *Desk) versionAt(ctx context.Context, base string, egress research.Egress) (string, error) {
	client, err := fetch.New(fetch.Policy{Egress: egress, Services: []fetch.Service{{Base: base, For: []fetch.Kind{fetch.Model}}}})
	if err != nil {
		return "", err
	}
	defer client.Close()
	a, err := ollama.NewAdmin(client.HTTP(fetch.Model), base)
	if err != nil {
		return "", err
	}
	a.Look = 2 * time.Second
	return a.Version(ctx)
}

// ollamaBinary finds the installed program.
func (d *Desk) ollamaBinary() (string, error) {
	return ollama.FindBinary(d.Settings().OllamaBinary, ollama.Places{
		System: runtime.GOOS, Getenv: d.getenv, LookPath: d.lookPath,
		Runs: func(file string) bool {
			st, err := os.Stat(file)
			return err == nil && st.Mode().IsRegular()
		},
	})
}

// lookPath looks on the PATH of the desk's environment, which is the person's unless a test says otherwise.
func (d *Desk) lookPath(name string) (string, error) {
	if d.getenv("PATH") != os.Getenv("PATH") {
		return "", exec.ErrNotFound
	}
	return exec.LookPath(name)
}

// modelServer returns the address of the server that a run would use: the managed one when it is on or when it runs already,
// else the one that the settings or OLLAMA_HOST name, at the loopback address at which it answers.
func (d *Desk) modelServer(ctx context.Context) (base string, own bool, err error) {
	if base, given := hostOf(ctx, "ollama"); given {
		return base, false, ctx.Err()
	}
	if d.Settings().ManagedServer {
		base, err = d.serving(ctx)
		return base, true, err
	}
	if d.managed.own() != nil {
		base, err = d.serving(ctx)
		return base, true, err
	}
	if _, held := store.LeaseHolder(d.serverDir()); held {
		if st, err := d.readServer(); err == nil && d.answers(ctx, st.URL) == nil {
			return st.URL, true, nil
		}
	}
	base = d.ollamaURL()
	for _, other := range ollama.Other(base) {
		if d.answers(ctx, base) != nil && d.answers(ctx, other) == nil {
			return other, false, nil
		}
	}
	return base, false, ctx.Err()
}

// close ends the server of this program, if it has one.
func (m *managed) close() {
	m.turn <- struct{}{} // a start that is under way ends first
	defer func() { <-m.turn }()
	if s := m.own(); s != nil {
		m.mu.Lock()
		tended := m.tended
		m.mu.Unlock()
		s.Stop()
		<-tended
	}
}

// selfServed is a channel to a managed server: waiting for it starts it again when whoever had started it is gone, also where the
// person started it by hand and has not set it to be on.
type selfServed struct {
	*ollama.Model
	desk *Desk
	base string
}

// Wait returns when the server answers again. The error says why it never will.
func (s selfServed) Wait(ctx context.Context) error {
	for {
		base, err := s.desk.serving(ctx)
		if err != nil {
			return err
		}
		if base != s.base {
			return fmt.Errorf("the model server is back at another address (%s instead of %s); resume the research to go on there: %w", base, s.base, research.ErrUnavailable)
		}
		// It may die again meanwhile.
		brief, cancel := context.WithTimeout(ctx, 5*time.Second)
		err = s.Model.Wait(brief)
		cancel()
		if err == nil || ctx.Err() != nil {
			return err
		}
	}
}
