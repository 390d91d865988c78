package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"go.uber.org/goleak"

	"assay/engine/research"
)

// A publisher that is made as its connection closes leaves this one behind in the client of NATS (v1.55.0): it waits on no channel.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("github.com/nats-io/nats.go/jetstream.(*jetStream).resetPendingAcksOnReconnect"))
}

// natsServer starts a real server with JetStream and returns its address.
func natsServer(t *testing.T) string {
	t.Helper()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("the server did not start")
	}
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	return s.ClientURL()
}

// testLease is short, so that a worker that is gone is soon replaced.
const testLease = 1500 * time.Millisecond

func connect(t *testing.T, url, worker string) *Shared {
	t.Helper()
	s, err := Connect(t.Context(), url, Options{Worker: worker, Code: "1.0", Lease: testLease})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func add(t *testing.T, s *Shared, n int, change func(*Item)) string {
	t.Helper()
	it := item(fmt.Sprintf("20260102-030405-%06x", n), change)
	if err := s.Add(t.Context(), it); err != nil {
		t.Fatal(err)
	}
	return it.ID
}

var many = Limits{Models: 100, Library: 100}

// take takes the next run, waiting for a lease that runs out.
func take(t *testing.T, s *Shared) *Take {
	t.Helper()
	for range 100 {
		got, err := s.Take(t.Context(), many)
		if err != nil {
			t.Fatal(err)
		}
		if got != nil {
			return got
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("nothing to take")
	return nil
}

func event(seq int64, payload string) research.Event {
	return research.Event{Seq: seq, Kind: "note", Payload: json.RawMessage(payload)}
}

func finish(t *testing.T, got *Take) {
	t.Helper()
	files := map[string]func() (io.ReadCloser, error){"run.json": func() (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("report of " + got.Item().ID)), nil
	}}
	if err := got.Finish(t.Context(), Completed, "", 0, files); err != nil {
		t.Fatal(err)
	}
}

func TestSharedOrder(t *testing.T) {
	s := connect(t, natsServer(t), "a")
	low := add(t, s, 1, func(it *Item) { it.Priority = -3 })
	first, second := add(t, s, 2, nil), add(t, s, 3, nil)
	high := add(t, s, 4, func(it *Item) { it.Priority = 9 })
	raised := add(t, s, 5, nil)
	removed := add(t, s, 6, nil)
	if err := s.SetPriority(t.Context(), raised, 1); err != nil {
		t.Fatal(err)
	}
	if err := s.Remove(t.Context(), removed); err != nil {
		t.Fatal(err)
	}
	var got []string
	for range 5 {
		one := take(t, s)
		got = append(got, one.Item().ID)
		finish(t, one)
	}
	if want := []string{high, raised, first, second, low}; strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("taken as %v, want %v", got, want)
	}
	if next, err := s.Take(t.Context(), many); next != nil || err != nil {
		t.Errorf("then %v, %v", next, err)
	}
	items, err := s.List(t.Context())
	if err != nil || len(items) != 6 {
		t.Fatal(items, err)
	}
	for _, it := range items {
		want := Completed
		if it.ID == removed {
			want = Stopped
		}
		if it.State != want {
			t.Errorf("%s is %s", it.ID, it.State)
		}
	}
	r, err := s.File(t.Context(), low, "run.json")
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(r)
	if err != nil || string(b) != "report of "+low {
		t.Errorf("its file: %q, %v", b, err)
	}
	if err := s.Retry(t.Context(), removed); err != nil {
		t.Fatal(err)
	}
	if one := take(t, s); one.Item().ID != removed {
		t.Errorf("put back, but %s was taken", one.Item().ID)
	} else {
		finish(t, one)
	}
	if err := s.Retry(t.Context(), low); err == nil {
		t.Error("a completed run was put back")
	}
	if _, err := s.Get(t.Context(), "../x"); !errors.Is(err, ErrUnknown) {
		t.Errorf("an id that is no key: %v", err)
	}
}

func TestSharedLimits(t *testing.T) {
	s := connect(t, natsServer(t), "a")
	add(t, s, 1, nil)
	add(t, s, 2, nil)
	reads := add(t, s, 3, func(it *Item) { it.Request.Model = "extractive" })
	one := Limits{Models: 1, Library: 1}
	a, err := s.Take(t.Context(), one)
	if a == nil || err != nil {
		t.Fatal(a, err)
	}
	b, err := s.Take(t.Context(), one)
	if b == nil || err != nil || b.Item().ID != reads {
		t.Fatalf("beside a run of the model: %v, %v", b, err)
	}
	if c, err := s.Take(t.Context(), one); c != nil || err != nil {
		t.Errorf("over the limits: %v, %v", c, err)
	}
	finish(t, a)
	c, err := s.Take(t.Context(), one)
	if c == nil || err != nil {
		t.Fatalf("after the first ended: %v, %v", c, err)
	}
	finish(t, b)
	finish(t, c)
}

// A worker that is gone: its run is taken by another one with all that was recorded. When it comes back it can write nothing.
func TestSharedTakeOver(t *testing.T) {
	url := natsServer(t)
	a, b := connect(t, url, "a"), connect(t, url, "b")
	id := add(t, a, 1, nil)
	first := take(t, a)
	long := `"` + strings.Repeat("x", longPayload+5) + `"`
	text := strings.Repeat("Gold melts. ", 100_000)
	err := first.Mirror(map[string]string{research.SHA256(text): text}, []research.Event{event(1, `{"a":1}`), event(2, long)})
	if err != nil {
		t.Fatal(err)
	}
	first.Abandon() // as if the program were dead: no more beats
	<-first.done
	second := take(t, b)
	if second.Item().ID != id || second.Item().Worker != "b" || len(second.Events()) != 2 || string(second.Events()[1].Payload) != long {
		t.Fatalf("taken over: %+v with %d events", second.Item(), len(second.Events()))
	}
	texts, err := second.Texts(t.Context())
	if err != nil || texts[research.SHA256(text)] != text {
		t.Fatalf("%d texts, %v", len(texts), err)
	}
	// The first comes back.
	first.ctx, first.cancel = context.WithCancel(t.Context())
	first.done = make(chan struct{})
	close(first.done)
	if err := first.Mirror(nil, []research.Event{event(3, `{}`)}); !errors.Is(err, ErrLost) {
		t.Errorf("it wrote after it had lost the run: %v", err)
	}
	select {
	case <-first.Lost():
	default:
		t.Error("it was not told that it lost the run")
	}
	if err := first.Finish(t.Context(), Completed, "", 0, nil); !errors.Is(err, ErrLost) {
		t.Errorf("it finished a run that it had lost: %v", err)
	}
	if err := second.Mirror(nil, []research.Event{event(1, `{"a":1}`), event(3, `{"b":1}`)}); err != nil {
		t.Fatal(err)
	}
	finish(t, second)
	it, err := a.Get(t.Context(), id)
	if err != nil || it.State != Completed || it.Worker != "b" {
		t.Errorf("in the end: %+v, %v", it, err)
	}
}

// gate is a wire that can be cut.
type gate struct {
	l     net.Listener
	to    string
	mu    sync.Mutex
	cut   bool
	conns []net.Conn
	hands sync.WaitGroup
}

func newGate(t *testing.T, url string) *gate {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	g := &gate{l: l, to: strings.TrimPrefix(url, "nats://")}
	g.hands.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			g.join(c)
		}
	})
	t.Cleanup(func() { _ = l.Close(); g.set(true); g.hands.Wait() })
	return g
}

func (g *gate) join(c net.Conn) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.cut {
		_ = c.Close()
		return
	}
	s, err := net.Dial("tcp", g.to)
	if err != nil {
		_ = c.Close()
		return
	}
	g.conns = append(g.conns, c, s)
	g.hands.Go(func() { _, _ = io.Copy(s, c); _ = s.Close() })
	g.hands.Go(func() { _, _ = io.Copy(c, s); _ = c.Close() })
}

func (g *gate) set(cut bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.cut = cut
	if cut {
		for _, c := range g.conns {
			_ = c.Close()
		}
		g.conns = nil
	}
}

// A worker that is cut off for longer than its lease waits with its run. When nobody else took it, it goes on; when somebody did,
// it learns so.
func TestSharedPartition(t *testing.T) {
	for _, other := range []bool{false, true} {
		t.Run(fmt.Sprintf("another worker %v", other), func(t *testing.T) {
			url := natsServer(t)
			g := newGate(t, url)
			a := connect(t, "nats://"+g.l.Addr().String(), "a")
			b := connect(t, url, "b")
			id := add(t, b, 1, nil)
			mine := take(t, a)
			if err := mine.Mirror(nil, []research.Event{event(1, `1`)}); err != nil {
				t.Fatal(err)
			}
			g.set(true)
			wrote := make(chan error, 1)
			go func() { wrote <- mine.Mirror(nil, []research.Event{event(2, `2`)}) }()
			if other {
				theirs := take(t, b)
				if len(theirs.Events()) != 1 {
					t.Errorf("taken over with %d events", len(theirs.Events()))
				}
				finish(t, theirs)
			} else {
				time.Sleep(2 * testLease)
				select {
				case err := <-wrote:
					t.Fatalf("it did not wait: %v", err)
				default:
				}
			}
			g.set(false)
			err := <-wrote
			if other != errors.Is(err, ErrLost) || !other && err != nil {
				t.Fatalf("after the wire was whole again: %v", err)
			}
			if other {
				return
			}
			// The message came back to a, which has the run already.
			deadline := time.Now().Add(20 * time.Second)
			for time.Now().Before(deadline) {
				got, err := a.Take(t.Context(), many)
				if err != nil {
					t.Fatal(err)
				}
				if got != nil {
					t.Fatal("the run was taken twice")
				}
				if mine.takenBack() {
					break
				}
				time.Sleep(50 * time.Millisecond)
			}
			finish(t, mine)
			if it, err := b.Get(t.Context(), id); err != nil || it.State != Completed {
				t.Errorf("in the end: %+v, %v", it, err)
			}
		})
	}
}

// takenBack reports whether the run's message was delivered to this worker again.
func (t *Take) takenBack() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	meta, err := t.msg.Metadata()
	return err == nil && meta.NumDelivered > 1
}

func TestSharedVersions(t *testing.T) {
	url := natsServer(t)
	a := connect(t, url, "a")
	newer, err := Connect(t.Context(), url, Options{Worker: "n", Code: "2.0", Lease: testLease})
	if err != nil {
		t.Fatal(err)
	}
	defer newer.Close()
	id := add(t, a, 1, nil)
	one := take(t, a)
	if err := one.LetGo(t.Context(), "its worker ended", 0); err != nil {
		t.Fatal(err)
	}
	if got, err := newer.Take(t.Context(), many); got != nil || err != nil {
		t.Fatalf("another version took it: %v, %v", got, err)
	}
	if it, err := a.Get(t.Context(), id); err != nil || !strings.Contains(it.Detail, "version 1.0") || !it.Waits() {
		t.Errorf("said of it: %+v, %v", it, err)
	}
	again := take(t, a)
	finish(t, again)
}

func TestSharedStop(t *testing.T) {
	url := natsServer(t)
	a, b := connect(t, url, "a"), connect(t, url, "b")
	id := add(t, a, 1, nil)
	one := take(t, a)
	if err := b.Remove(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	select {
	case <-one.Stop():
	case <-time.After(20 * time.Second):
		t.Fatal("the worker was not told to stop")
	}
	if err := one.Finish(t.Context(), Stopped, "stopped by the person", 5, nil); err != nil {
		t.Fatal(err)
	}
	if it, err := b.Get(t.Context(), id); err != nil || it.State != Stopped || it.Want != "" {
		t.Errorf("in the end: %+v, %v", it, err)
	}
}

func TestConnectRefuses(t *testing.T) {
	_, err := Connect(t.Context(), "nats://user:SECRET@127.0.0.1:1", Options{Worker: "a"})
	if err == nil || strings.Contains(err.Error(), "SECRET") || !strings.Contains(err.Error(), "start it") {
		t.Errorf("nobody there: %v", err)
	}
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: -1, NoLog: true, NoSigs: true, Authorization: "SECRET"})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	defer func() { s.Shutdown(); s.WaitForShutdown() }()
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("the server did not start")
	}
	if _, err := Connect(t.Context(), s.ClientURL(), Options{Worker: "a", Token: "wrong"}); err == nil {
		t.Error("a wrong token was taken")
	}
	if _, err := Connect(t.Context(), s.ClientURL(), Options{Worker: "a", Token: "SECRET"}); err == nil || !strings.Contains(err.Error(), "JetStream") {
		t.Errorf("a server without JetStream: %v", err)
	}
}
