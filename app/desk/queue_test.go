package desk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/engine"
	"assay/engine/queue"
	"assay/engine/research"
)

// enqueue puts a question into the queue.
func enqueue(t *testing.T, d *Desk, question, dir string, priority int) string {
	t.Helper()
	req := request(dir)
	req.Question, req.Now = question, ""
	id, err := d.Enqueue(req, QueueOptions{Priority: priority})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// order returns the questions of the queue in its order.
func order(t *testing.T, d *Desk) []string {
	t.Helper()
	items, err := d.Queue()
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, it := range items {
		out = append(out, it.Request.Question)
	}
	return out
}

// oneAtOnce has the worker do one run after the other.
func oneAtOnce(t *testing.T, d *Desk) {
	t.Helper()
	if err := d.SetSettings(Settings{Queue: QueueSettings{Models: 1, Library: 1, Idle: true}}); err != nil {
		t.Fatal(err)
	}
}

func TestQueueOrder(t *testing.T) {
	var mu sync.Mutex
	var ran []string
	d := testDesk(t, func(ctx context.Context, cfg engine.Config, rec engine.Record) (research.Digest, error) {
		mu.Lock()
		ran = append(ran, cfg.Request.Question)
		mu.Unlock()
		return succeed(ctx, cfg, rec)
	})
	oneAtOnce(t, d)
	dir := folder(t)
	a, b := enqueue(t, d, "a?", dir, 0), enqueue(t, d, "b?", dir, 0)
	c, e := enqueue(t, d, "c?", dir, 0), enqueue(t, d, "e?", dir, 3)
	enqueue(t, d, "f?", dir, -2)
	if got := order(t, d); !slices.Equal(got, []string{"e?", "a?", "b?", "c?", "f?"}) {
		t.Fatalf("order = %v", got)
	}
	for _, step := range []struct {
		name string
		do   func() error
		want string
	}{
		{"before another", func() error { return d.MoveQueued(c, a) }, "e? c? a? b? f?"},
		{"to the end of its priority", func() error { return d.MoveQueued(c, "") }, "e? a? b? c? f?"},
		{"to the head of another priority", func() error { return d.MoveQueued(b, e) }, "b? e? a? c? f?"},
		{"another priority", func() error { return d.SetPriority(c, 9) }, "c? b? e? a? f?"},
		{"taken out", func() error { return d.Unqueue(e) }, "c? b? a? f? e?"},
		{"and put back", func() error { return d.Requeue(e) }, "c? b? e? a? f?"},
	} {
		if err := step.do(); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		if got := strings.Join(order(t, d), " "); got != step.want {
			t.Fatalf("%s: %s, want %s", step.name, got, step.want)
		}
	}
	if err := d.WorkQueue(t.Context(), WorkOptions{UntilEmpty: true}); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(ran, " "); got != "c? b? e? a? f?" {
		t.Errorf("they were worked on as %s", got)
	}
	for _, bad := range []error{d.MoveQueued(a, ""), d.SetPriority(a, 1), d.Unqueue(a), d.Requeue(a), d.SetPriority(a, 99)} {
		var usage *UsageError
		if !errors.As(bad, &usage) {
			t.Errorf("of a run that is done: %v", bad)
		}
	}
}

// Many moves into one gap use up the room between two ranks: then all are spread anew.
func TestQueueMovesWithoutEnd(t *testing.T) {
	d := testDesk(t, succeed)
	dir := folder(t)
	ids := []string{enqueue(t, d, "a?", dir, 0), enqueue(t, d, "b?", dir, 0), enqueue(t, d, "c?", dir, 0)}
	for i := range 60 {
		moved, before := ids[1+i%2], ids[2-i%2]
		if err := d.MoveQueued(moved, before); err != nil {
			t.Fatal(err)
		}
		if got := order(t, d); got[0] != "a?" || len(got) != 3 {
			t.Fatalf("after %d moves: %v", i, got)
		}
	}
}

func TestQueueClockStartsWhenItBegins(t *testing.T) {
	var clock string
	d := testDesk(t, func(ctx context.Context, cfg engine.Config, rec engine.Record) (research.Digest, error) {
		clock = cfg.Request.Now
		return succeed(ctx, cfg, rec)
	})
	oneAtOnce(t, d)
	id := enqueue(t, d, "a?", folder(t), 0)
	before := time.Now().UTC().Truncate(time.Second).Format(time.RFC3339)
	if err := d.WorkQueue(t.Context(), WorkOptions{UntilEmpty: true}); err != nil {
		t.Fatal(err)
	}
	if clock < before {
		t.Errorf("the run's clock is %s, it began at %s", clock, before)
	}
	events, err := d.Events(id, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	var req research.Request
	if err := json.Unmarshal(events[0].Payload, &req); err != nil || events[0].Seq != 1 || req.Now != clock {
		t.Errorf("the record begins with %+v, %v", events[0], err)
	}
	if _, err := d.Audit(id, false); err != nil {
		t.Error(err)
	}
}

// A worker that ends leaves its run to the next one, which goes on with what is recorded; a run that never gets further ends
// failed after some tries and holds nobody up.
func TestQueueTakesOver(t *testing.T) {
	dir := folder(t)
	d := testDesk(t, hang)
	oneAtOnce(t, d)
	id := enqueue(t, d, "a?", dir, 0)
	work := func(run engineFunc, stopped bool) (kinds []string) {
		d.wire.run = run
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		err := d.WorkQueue(ctx, WorkOptions{UntilEmpty: true, Tell: func(n QueueNews) {
			kinds = append(kinds, n.Kind)
			if stopped && n.Kind != "ended" {
				time.AfterFunc(20*time.Millisecond, cancel)
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		return kinds
	}
	if got := strings.Join(work(hang, true), " "); got != "began ended" {
		t.Fatalf("news: %s", got)
	}
	items, err := d.Queue()
	if err != nil || items[0].State != queue.Interrupted {
		t.Fatalf("after the worker ended: %+v, %v", items, err)
	}
	for n := range queue.MaxTakes + 1 {
		work(hang, true)
		if items, err = d.Queue(); err != nil {
			t.Fatal(err)
		}
		if items[0].State == queue.Failed {
			t.Fatalf("a run that records its states anew each time was given up at the %d. take", n)
		}
	}
	if got := strings.Join(work(succeed, false), " "); !strings.HasPrefix(got, "resumed") {
		t.Errorf("news: %s", got)
	}
	if info, err := d.Run(id); err != nil || info.State != "done" {
		t.Errorf("run = %+v, %v", info, err)
	}
}

func TestQueueGivesUp(t *testing.T) {
	d := testDesk(t, succeed)
	oneAtOnce(t, d)
	dir := folder(t)
	id := enqueue(t, d, "a?", dir, 0)
	enqueue(t, d, "b?", dir, 0)
	// As a worker leaves it that is killed before it could record anything.
	if err := d.store.SetPlace(id, func(p *research.Place) { p.Takes, p.Recorded = queue.MaxTakes, 1 }); err != nil {
		t.Fatal(err)
	}
	if err := d.WorkQueue(t.Context(), WorkOptions{UntilEmpty: true}); err != nil {
		t.Fatal(err)
	}
	items, err := d.Queue()
	if err != nil || len(items) != 2 {
		t.Fatal(items, err)
	}
	for _, it := range items {
		want := queue.Completed
		if it.ID == id {
			want = queue.Failed
		}
		if it.State != want {
			t.Errorf("%s is %s (%s), want %s", it.Request.Question, it.State, it.Detail, want)
		}
	}
	if err := d.Requeue(id); err != nil {
		t.Fatal(err)
	}
	if err := d.WorkQueue(t.Context(), WorkOptions{UntilEmpty: true}); err != nil {
		t.Fatal(err)
	}
	if info, err := d.Run(id); err != nil || info.State != "done" {
		t.Errorf("put back: %+v, %v", info, err)
	}
}

// A library that is gone when its turn comes fails its run with a sentence, and the next one begins.
func TestQueueRefusesWhatCannotBegin(t *testing.T) {
	d := testDesk(t, succeed)
	oneAtOnce(t, d)
	gone := folder(t)
	enqueue(t, d, "a?", gone, 0)
	enqueue(t, d, "b?", folder(t), 0)
	if err := os.RemoveAll(gone); err != nil {
		t.Fatal(err)
	}
	if err := d.WorkQueue(t.Context(), WorkOptions{UntilEmpty: true}); err != nil {
		t.Fatal(err)
	}
	items, err := d.Queue()
	if err != nil {
		t.Fatal(err)
	}
	states := map[string]string{}
	for _, it := range items {
		states[it.Request.Question] = it.State + ": " + it.Detail
	}
	if !strings.Contains(states["a?"], "failed: folder") || !strings.Contains(states["a?"], "does not exist") || !strings.HasPrefix(states["b?"], "completed") {
		t.Errorf("states = %v", states)
	}
}

// Two programs work on one home: the limits hold for both together, and each run is done once.
func TestQueueOfTwoPrograms(t *testing.T) {
	home, dir := t.TempDir(), folder(t)
	var mu sync.Mutex
	now, most, done := 0, 0, map[string]int{}
	run := func(ctx context.Context, cfg engine.Config, rec engine.Record) (research.Digest, error) {
		mu.Lock()
		now++
		most = max(most, now)
		mu.Unlock()
		time.Sleep(5 * time.Millisecond)
		mu.Lock()
		now--
		done[cfg.Request.Question]++
		mu.Unlock()
		return succeed(ctx, cfg, rec)
	}
	var desks [2]*Desk
	for i := range desks {
		d, err := Open(Options{Program: "worker", Version: "1.0", Getenv: env(home)})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = d.Close() }()
		d.wire.run = run
		desks[i] = d
	}
	if err := desks[0].SetSettings(Settings{Queue: QueueSettings{Library: 2, Idle: true}}); err != nil {
		t.Fatal(err)
	}
	const n = 20
	for i := range n {
		enqueue(t, desks[0], fmt.Sprintf("%d?", i), dir, 0)
	}
	var workers sync.WaitGroup
	for _, d := range desks {
		workers.Go(func() {
			if err := d.WorkQueue(t.Context(), WorkOptions{UntilEmpty: true}); err != nil {
				t.Error(err)
			}
		})
	}
	workers.Wait()
	if len(done) != n || most > 2 {
		t.Errorf("%d of %d runs were done, at most %d at once", len(done), n, most)
	}
	for q, times := range done {
		if times != 1 {
			t.Errorf("%s was done %d times", q, times)
		}
	}
}

// ACCEPTANCE of issue G: many small runs leave neither memory nor goroutines behind.
func TestQueueStaysFlat(t *testing.T) {
	d := testDesk(t, succeed)
	if err := d.SetSettings(Settings{Queue: QueueSettings{Library: 2, Idle: true}}); err != nil {
		t.Fatal(err)
	}
	dir := folder(t)
	measure := func(n int) (heap uint64, goroutines int) {
		for i := range n {
			enqueue(t, d, fmt.Sprintf("%d?", i), dir, i%3)
		}
		if err := d.WorkQueue(t.Context(), WorkOptions{UntilEmpty: true}); err != nil {
			t.Fatal(err)
		}
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc, runtime.NumGoroutine()
	}
	n := 100
	if testing.Short() {
		n = 20
	}
	heap1, go1 := measure(n)
	heap2, go2 := measure(n)
	t.Logf("%d runs: %d KiB and %d goroutines; as many again: %d KiB and %d", n, heap1>>10, go1, heap2>>10, go2)
	if heap2 > heap1+4<<20 || go2 > go1+2 {
		t.Errorf("after as many runs again: %d KiB and %d goroutines, before %d and %d", heap2>>10, go2, heap1>>10, go1)
	}
}

func TestSleptFor(t *testing.T) {
	for _, c := range []struct{ wall, ran, want time.Duration }{
		{2 * time.Second, 2 * time.Second, 0},
		{time.Minute, time.Minute, 0},
		{10 * time.Second, 2 * time.Second, 0}, // a busy machine, or a clock that was set
		{2 * time.Hour, 2 * time.Second, 2*time.Hour - 2*time.Second},
		{-time.Hour, 2 * time.Second, 0},
	} {
		if got := sleptFor(c.wall, c.ran); got != c.want {
			t.Errorf("sleptFor(%s, %s) = %s, want %s", c.wall, c.ran, got, c.want)
		}
	}
}

// The inhibitor is held by a process that ends with its input.
func TestKeepAwake(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the stand-in is a shell script for Linux")
	}
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	script := "#!/bin/sh\necho \"began $*\" >>" + log + "\ncat\necho ended >>" + log + "\n"
	if err := os.WriteFile(filepath.Join(dir, "systemd-inhibit"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	var a awake
	first, why := a.hold()
	second, _ := a.hold()
	if why != "" {
		t.Error(why)
	}
	first()
	first() // a second time does nothing
	second()
	b, err := os.ReadFile(log)
	if err != nil || !strings.Contains(string(b), "--what=idle:sleep") || strings.Count(string(b), "began") != 1 || !strings.HasSuffix(string(b), "ended\n") {
		t.Errorf("log = %q, %v", b, err)
	}
	t.Setenv("PATH", t.TempDir())
	release, why := a.hold()
	release()
	if !strings.Contains(why, "systemd-inhibit is not installed") {
		t.Errorf("without it: %q", why)
	}
	release, why = a.hold()
	release()
	if why != "" {
		t.Errorf("said twice: %q", why)
	}
}

func TestMorning(t *testing.T) {
	d := testDesk(t, succeed)
	oneAtOnce(t, d)
	dir, gone := folder(t), folder(t)
	enqueue(t, d, "found?", dir, 1)
	enqueue(t, d, "failed?", gone, 0)
	if err := os.RemoveAll(gone); err != nil {
		t.Fatal(err)
	}
	began := time.Now().Add(-time.Minute)
	if err := d.WorkQueue(t.Context(), WorkOptions{UntilEmpty: true}); err != nil {
		t.Fatal(err)
	}
	enqueue(t, d, "waits?", dir, 0)
	m, err := d.Morning(began, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Found) != 1 || m.Found[0].Findings != 1 || len(m.Waits) != 1 || len(m.Needs) != 1 {
		t.Fatalf("morning = %+v", m)
	}
	if n := m.Needs[0]; n.Question != "failed?" || !strings.Contains(n.Line, "does not exist") || !strings.Contains(n.Do, "assay queue retry "+n.Run) {
		t.Errorf("needs = %+v", n)
	}
	if later, err := d.Morning(time.Now().Add(time.Hour), time.Now()); err != nil || len(later.Found)+len(later.Needs) != 0 {
		t.Errorf("of a later time: %+v, %v", later, err)
	}
}

// TestQueueTakesUpWhatHadJustBegun: a worker that is killed between the record and the list line of a run that it began leaves one
// that is listed as queued; the next worker goes on with it.
func TestQueueTakesUpWhatHadJustBegun(t *testing.T) {
	d := testDesk(t, succeed)
	id := enqueue(t, d, "What is the melting point of gold?", folder(t), 0)
	line := filepath.Join(d.RunDir(id), "info.json")
	queued, err := os.ReadFile(line)
	if err != nil {
		t.Fatal(err)
	}
	rec, err := d.store.Begin(id, d.version, d.complete)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(rec.Close(), os.WriteFile(line, queued, 0o600)); err != nil {
		t.Fatal(err)
	}
	if err := d.WorkQueue(t.Context(), WorkOptions{UntilEmpty: true}); err != nil {
		t.Fatal(err)
	}
	if info, err := d.Run(id); err != nil || info.State != "done" {
		t.Errorf("the run is %s: %s, %v", info.State, info.Detail, err)
	}
}
