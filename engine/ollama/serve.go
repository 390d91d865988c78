package ollama

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"assay/engine/research"
)

// ServeConfig is how the installed program is started as a child. Binary and Client are required.
type ServeConfig struct {
	Binary string
	// Addr is the address it listens on, "127.0.0.1:PORT". If empty, Prefer when nobody has it, else a free port.
	Addr, Prefer string
	// Client makes the client that reaches a base such as "http://127.0.0.1:PORT".
	Client func(base string) (*http.Client, error)
	// Environ is the person's environment, as [os.Environ].
	Environ []string
	Tuning  Tuning
	// LogFile keeps the end of the server's log, at most 8 MiB in it and LogFile.1. If empty, it is kept in memory only.
	LogFile string
	// Ready bounds the wait for the first answer of a start. If zero, 60 seconds.
	Ready time.Duration
	// Grace is how long the server may take to end when it is asked to. If zero, 5 seconds.
	Grace time.Duration
	// Pause is the wait before the first restart; it doubles with every death within a minute, up to 50 times itself. If zero,
	// 200 milliseconds.
	Pause time.Duration
	// Note, when set, is told that the server died and is back. It must not block.
	Note func(research.Note)
}

// States of a served process.
const (
	ServeStarting = "starting" // also again, after it died
	ServeReady    = "ready"
	ServeStopped  = "stopped"
	ServeFailed   = "failed" // given up
)

// Bounds of starting again: a start that never answers is tried three times, and a server that dies thirty times in ten
// minutes is left alone.
const (
	maxStarts   = 3
	maxDeaths   = 30
	deathWindow = 10 * time.Minute
)

// Served is an Ollama server that is our child. It is started again when it dies, and ends with us, however we end. It is safe
// for concurrent use.
type Served struct {
	cfg    ServeConfig
	base   string
	client *http.Client
	tail   *tail
	stop   chan struct{} // closed by Stop
	done   chan struct{} // closed when it will not run again

	mu       sync.Mutex
	state    string
	why      string
	pid      int
	since    time.Time
	restarts int
	vars     []string
	version  string
	changed  chan struct{} // closed and replaced at every change of state
	stopping bool
}

// ServeStatus is what is known of a served process.
type ServeStatus struct {
	State    string   `json:"state"`
	URL      string   `json:"url"`
	PID      int      `json:"pid"` // 0 while it does not run
	Binary   string   `json:"binary"`
	Version  string   `json:"version"`
	SinceMs  int64    `json:"since_ms"` // Unix time of the last start
	Restarts int      `json:"restarts"`
	Why      string   `json:"why,omitempty"` // why it failed, or why it was started again last
	Tuned    []string `json:"tuned"`         // the variables it was given, as NAME=VALUE
	LogFile  string   `json:"log_file,omitempty"`
}

// Serve starts the program and returns when it answers, or with the reason why it does not; then nothing is left running. The
// server goes on when ctx ends later: use [Served.Stop].
func Serve(ctx context.Context, cfg ServeConfig) (*Served, error) {
	setDefault(&cfg.Ready, time.Minute)
	setDefault(&cfg.Grace, 5*time.Second)
	setDefault(&cfg.Pause, 200*time.Millisecond)
	if cfg.Addr == "" && cfg.Prefer != "" && free(cfg.Prefer) == nil {
		cfg.Addr = cfg.Prefer
	}
	if cfg.Addr != "" {
		return serveAt(ctx, cfg)
	}
	// A port that was free a moment ago may be somebody else's by now.
	for try := 1; ; try++ {
		addr, err := freePort()
		if err != nil {
			return nil, err
		}
		cfg.Addr = addr
		s, err := serveAt(ctx, cfg)
		if err == nil || try == portTries || !strings.Contains(err.Error(), portTaken) {
			return s, err
		}
	}
}

// portTries is how many free ports are tried, and portTaken what is said of one that was taken meanwhile.
const (
	portTries = 3
	portTaken = "another program has its address"
)

// serveAt starts the server at cfg.Addr.
func serveAt(ctx context.Context, cfg ServeConfig) (*Served, error) {
	s := &Served{
		cfg: cfg, base: "http://" + cfg.Addr, stop: make(chan struct{}), done: make(chan struct{}),
		state: ServeStarting, changed: make(chan struct{}),
	}
	var err error
	if s.client, err = cfg.Client(s.base); err != nil {
		return nil, err
	}
	s.tail = openTail(cfg.LogFile)
	go s.supervise()
	if err := s.Wait(ctx); err != nil {
		s.Stop()
		return nil, err
	}
	return s, nil
}

// freePort finds a loopback port that nobody listens on now.
func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("find a free port: %w", err)
	}
	return l.Addr().String(), l.Close()
}

// free returns an error unless an address can be listened on now.
func free(addr string) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	return l.Close()
}

// URL is where it answers, the same through all restarts.
func (s *Served) URL() string { return s.base }

// Done is closed when the server will not run again: it was stopped, or given up.
func (s *Served) Done() <-chan struct{} { return s.done }

// Status returns what is known now.
func (s *Served) Status() ServeStatus {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := ServeStatus{
		State: s.state, URL: s.base, PID: s.pid, Binary: s.cfg.Binary, Version: s.version, Restarts: s.restarts, Why: s.why,
		Tuned: append([]string{}, s.vars...), LogFile: s.cfg.LogFile,
	}
	if !s.since.IsZero() {
		out.SinceMs = s.since.UnixMilli()
	}
	return out
}

// Tail returns up to n of the newest lines of its log, oldest first, and at most 2000.
func (s *Served) Tail(n int) []string { return s.tail.last(n) }

// Said is what its log says.
func (s *Served) Said() Log { return s.tail.said() }

// Wait returns when the server answers. The error wraps [research.ErrUnavailable] when it will not, and is ctx's when that ends
// first.
func (s *Served) Wait(ctx context.Context) error {
	for {
		s.mu.Lock()
		state, why, changed := s.state, s.why, s.changed
		s.mu.Unlock()
		switch state {
		case ServeReady:
			return nil
		case ServeStopped:
			return absent("the model server was stopped")
		case ServeFailed:
			return absent("%s", why)
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Stop ends the server and its runners and returns when they are gone. It may be called again.
func (s *Served) Stop() {
	s.mu.Lock()
	if !s.stopping {
		s.stopping = true
		close(s.stop)
	}
	s.mu.Unlock()
	<-s.done
}

func (s *Served) set(fn func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fn()
	close(s.changed)
	s.changed = make(chan struct{})
}

// supervise starts the program again and again until it is stopped or given up.
func (s *Served) supervise() {
	defer close(s.done)
	defer s.tail.close()
	var deaths []time.Time
	starts := 0
	for {
		first := s.Status().Restarts == 0
		ready, why := s.life(first)
		if why == nil {
			s.set(func() { s.state, s.pid = ServeStopped, 0 })
			return
		}
		if starts++; ready {
			starts = 0
		}
		now := time.Now()
		deaths = append(deaths, now)
		for now.Sub(deaths[0]) > deathWindow {
			deaths = deaths[1:]
		}
		if starts >= maxStarts || len(deaths) > maxDeaths {
			s.set(func() {
				s.state, s.pid = ServeFailed, 0
				s.why = fmt.Sprintf("the model server %s: %v", s.cfg.Binary, why)
				if len(deaths) > maxDeaths {
					s.why = fmt.Sprintf("the model server died %d times in %s and is left alone (%v); look at its log", len(deaths), deathWindow, why)
				}
			})
			return
		}
		s.set(func() { s.state, s.pid, s.restarts, s.why = ServeStarting, 0, s.restarts+1, why.Error() })
		s.note("warn", "The model server ended (%v) and is started again.", why)
		recent := 0
		for _, at := range deaths {
			if now.Sub(at) < time.Minute {
				recent++
			}
		}
		select {
		case <-time.After(min(s.cfg.Pause<<min(recent-1, 10), 50*s.cfg.Pause)):
		case <-s.stop:
			s.set(func() { s.state = ServeStopped })
			return
		}
	}
}

// life is one process from its start to its end. It reports whether it ever answered, and why it ended; nil when it was
// stopped.
func (s *Served) life(first bool) (ready bool, why error) {
	// A restart keeps what a pull has fetched, so that it goes on.
	keep := !first || hasParts(modelsDir(s.cfg.Environ))
	// What answers at a port that somebody else has would be taken for the child.
	if err := free(s.cfg.Addr); err != nil {
		return false, fmt.Errorf(portTaken+": %w", err)
	}
	out, in, err := os.Pipe()
	if err != nil {
		return false, fmt.Errorf("start: %w", err)
	}
	cmd := exec.Command(s.cfg.Binary, "serve")
	cmd.Env = s.cfg.Tuning.environ(s.cfg.Environ, s.cfg.Addr, keep)
	cmd.Stdout, cmd.Stderr = in, in
	c, err := startChild(cmd)
	_ = in.Close() // the child has its own
	if err != nil {
		_ = out.Close()
		return false, fmt.Errorf("does not start: %w", err)
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		// A broken pipe ends the log, not the server.
		_ = eachLine(out, s.tail.line)
	}()
	s.set(func() {
		s.pid, s.since, s.vars = c.pid, time.Now(), s.cfg.Tuning.vars(s.cfg.Addr, keep)
	})
	ready, why = s.watch(c)
	select {
	case <-read:
	case <-time.After(2 * time.Second): // something outside the group holds the other end
	}
	_ = out.Close()
	<-read
	return ready, why
}

// watch waits until the process answers, then until it ends, and ends it when that is asked or when it does not answer.
func (s *Served) watch(c *child) (ready bool, why error) {
	late := time.NewTimer(s.cfg.Ready)
	defer late.Stop()
	for pause := 20 * time.Millisecond; !ready; pause = min(2*pause, time.Second) {
		select {
		case <-c.exited:
			return false, s.ended(c, "ended before it answered")
		case <-s.stop:
			c.end(s.cfg.Grace)
			return false, nil
		case <-late.C:
			c.end(0)
			return false, fmt.Errorf("did not answer within %s; look at its log", s.cfg.Ready)
		case <-time.After(pause):
		}
		version, err := s.ask()
		select {
		case <-c.exited: // whoever answered is not this process
			return false, s.ended(c, "ended before it answered")
		default:
		}
		if err == nil {
			ready = true
			again := false
			s.set(func() { s.state, s.version, again = ServeReady, version, s.restarts > 0 })
			if again {
				s.note("info", "The model server answers again.")
			}
		}
	}
	select {
	case <-c.exited:
		return true, s.ended(c, "ended")
	case <-s.stop:
		c.end(s.cfg.Grace)
		return true, nil
	}
}

// ask looks whether the server answers.
func (s *Served) ask() (version string, err error) {
	client, err := dial(s.client, s.base)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	return client.Version(ctx)
}

// ended says how a process ended, with its last words when they are an error.
func (s *Served) ended(c *child, how string) error {
	if c.err != nil {
		how += " with " + c.err.Error()
	}
	for _, line := range s.tail.last(20) {
		if strings.HasPrefix(line, "Error: ") {
			how += ": " + short(strings.TrimPrefix(line, "Error: "))
		}
	}
	return errors.New(how)
}

func (s *Served) note(level, format string, args ...any) {
	if s.cfg.Note != nil {
		s.cfg.Note(research.Note{Level: level, Text: fmt.Sprintf(format, args...)})
	}
}
