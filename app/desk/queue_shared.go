package desk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"assay/engine/fetch"
	"assay/engine/queue"
	"assay/engine/research"
	"assay/engine/store"
)

// NATSTokenEnv names the variable with the token that the queue's server asks for. It is never kept.
const NATSTokenEnv = "ASSAY_NATS_TOKEN"

// SharedQueue is a queue on a NATS server that several machines work on.
type SharedQueue struct {
	desk   *Desk
	shared *queue.Shared
	worker string
}

// OpenQueue reaches the queue at address, such as nats://box:4222; if empty, the one of the settings. With the offline switch on
// only a server on this machine is reached. tell, when set, gets a sentence when the server is lost or back.
func (d *Desk) OpenQueue(ctx context.Context, address string, tell func(string)) (*SharedQueue, error) {
	set := d.Settings()
	address = or(address, set.Queue.NATS)
	if address == "" {
		return nil, usage("no server of a shared queue is set: name one with --nats nats://HOST:4222")
	}
	u, err := natsURL(address)
	if err != nil {
		return nil, err
	}
	reach := research.Own
	if set.Offline {
		reach = research.Closed
	}
	conn, err := fetch.NewConn(fetch.Policy{Egress: reach}, fetch.Queue, u.Host)
	if errors.Is(err, fetch.ErrClosed) {
		return nil, usage("the queue's server %s is not on this machine, and the settings are offline: turn that off, or use a server here", u.Host)
	}
	if err != nil {
		return nil, &UsageError{Err: err}
	}
	host, _ := os.Hostname() // without a name the number has to do
	worker := workerName(host, os.Getpid())
	o := queue.Options{Dialer: conn, Lease: time.Duration(set.Queue.Lease) * time.Second, Worker: worker, Code: d.version, Token: d.getenv(NATSTokenEnv), Tell: tell}
	if u.User != nil {
		o.User = u.User.Username()
		o.Password, _ = u.User.Password()
		u.User = nil
	}
	shared, err := queue.Connect(ctx, u.String(), o)
	if err != nil {
		return nil, err
	}
	return &SharedQueue{d, shared, worker}, nil
}

// natsURL reads the address of a queue's server.
func natsURL(address string) (*url.URL, error) {
	if !strings.Contains(address, "://") {
		address = "nats://" + address
	}
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.Scheme != "nats" && u.Scheme != "tls" || u.Path != "" && u.Path != "/" {
		return nil, usage("the address of the queue's server is not one such as nats://127.0.0.1:4222")
	}
	if u.Port() == "" {
		u.Host = net.JoinHostPort(u.Hostname(), "4222")
	}
	return u, nil
}

// workerName is what a worker is called in the queue: letters, digits and dashes only, because it is a key there.
func workerName(host string, pid int) string {
	host = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, host)
	return fmt.Sprintf("%.40s-%d", or(host, "worker"), pid)
}

// Close lets the server go.
func (q *SharedQueue) Close() { q.shared.Close() }

// Add puts a research into the queue and returns its id. Folders are those of the machine that will work on it; they need not
// be here.
func (q *SharedQueue) Add(ctx context.Context, req research.Request, priority int) (string, error) {
	if err := checkPriority(priority); err != nil {
		return "", err
	}
	clock := req.Now
	req, err := q.desk.completeFor(req, elsewhere)
	if err != nil {
		return "", err
	}
	req.Now = clock
	now := time.Now()
	id, err := store.NewID(now)
	if err != nil {
		return "", err
	}
	return id, q.shared.Add(ctx, queue.Item{ID: id, Request: req, Priority: priority, Rank: now.UnixMilli(), AddedMs: now.UnixMilli()})
}

// List returns the runs of the queue; see [queue.Shared.List].
func (q *SharedQueue) List(ctx context.Context) ([]QueueItem, error) { return q.shared.List(ctx) }

// SetPriority, Remove and Retry change a run of the queue.
func (q *SharedQueue) SetPriority(ctx context.Context, id string, priority int) error {
	if err := checkPriority(priority); err != nil {
		return err
	}
	return forPerson(q.shared.SetPriority(ctx, id, priority))
}

// Remove takes a waiting run out, or has the worker that has it stop.
func (q *SharedQueue) Remove(ctx context.Context, id string) error {
	return forPerson(q.shared.Remove(ctx, id))
}

// Retry puts a run that failed or was stopped back.
func (q *SharedQueue) Retry(ctx context.Context, id string) error {
	return forPerson(q.shared.Retry(ctx, id))
}

// forPerson is the fault of something that a person asked for and cannot have.
func forPerson(err error) error {
	if errors.Is(err, queue.ErrUnknown) {
		return &UsageError{Err: err}
	}
	return err
}

// Fetch brings a finished run of the queue into this home, and copies of its report into out when that is not empty.
func (q *SharedQueue) Fetch(ctx context.Context, id, out string) error {
	it, err := q.shared.Get(ctx, id)
	if err != nil {
		return forPerson(err)
	}
	if it.State != queue.Completed {
		return usage("run %s is %s: only a completed one has a report", id, it.State)
	}
	if err := prepareOut(out); err != nil {
		return err
	}
	r, err := q.shared.File(ctx, id, FileRun)
	if err != nil {
		return err
	}
	run, err := store.Import(r)
	if err = errors.Join(err, r.Close()); err != nil {
		return err
	}
	if run.ID != id {
		return fmt.Errorf("the queue's server gave the record of run %s for %s", short(run.ID), id)
	}
	return q.desk.adopt(run, out)
}

// adopt makes a run that was made elsewhere one of this home, with its files.
func (d *Desk) adopt(run research.Run, out string) error {
	rec, err := d.store.Restore(run)
	if err != nil {
		return err
	}
	defer func() { _ = rec.Close() }() // nothing waits in it
	if run.Digest == nil {
		return nil
	}
	dirs := []string{d.store.Dir(run.ID)}
	if out != "" {
		dirs = append(dirs, out)
	}
	if _, err := writeReport(*run.Digest, dirs); err != nil {
		return err
	}
	for _, dir := range dirs {
		if err := stream(filepath.Join(dir, FileRun), rec.Export); err != nil {
			return err
		}
	}
	return nil
}

// Work works on the queue until ctx ends; what it works on then is given back.
func (q *SharedQueue) Work(ctx context.Context, opt WorkOptions) error {
	w := &queueWorker{desk: q.desk, opt: opt}
	defer w.jobs.Wait()
	var failing time.Time
	for ctx.Err() == nil {
		changed := q.desk.queueNews.changed()
		t, err := q.shared.Take(ctx, q.desk.Settings().Queue.limits())
		switch {
		case ctx.Err() != nil:
			if t != nil {
				q.giveBack(t, "its worker ended", 0)
			}
			return nil
		case err != nil:
			// A server that is lost is looked for; one that refuses for long has a fault that somebody must see.
			if failing.IsZero() {
				failing = time.Now()
			} else if time.Since(failing) > sharedPatience {
				return fmt.Errorf("work on the queue: %w", err)
			}
			q.desk.awaitQueue(ctx, changed)
			continue
		case t == nil:
			failing = time.Time{}
			if opt.UntilEmpty && q.empty(ctx) {
				return nil
			}
			q.desk.awaitQueue(ctx, changed)
			continue
		}
		failing = time.Time{}
		w.jobs.Go(func() { q.do(ctx, w, t) })
	}
	return nil
}

// sharedPatience is how long a worker looks for its server before it ends with the fault.
const sharedPatience = 30 * time.Minute

// empty reports whether nothing waits and nothing runs, here or elsewhere.
func (q *SharedQueue) empty(ctx context.Context) bool {
	items, err := q.shared.List(ctx)
	if err != nil {
		return false
	}
	for _, it := range items {
		if it.Waits() || it.State == queue.Running {
			return false
		}
	}
	return true
}

// tryElsewhere is how long a run that this worker cannot do is left to others before it is offered here again.
const tryElsewhere = 20 * time.Second

// giveBack lets another worker have a run.
func (q *SharedQueue) giveBack(t *queue.Take, reason string, after time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), finishTime)
	defer cancel()
	_ = t.LetGo(ctx, reason, after) // when the server is not reached the lease runs out
}

// finishTime bounds what is said to the server of a run that has ended; then its lease runs out, and the next worker finishes it.
const finishTime = 2 * time.Minute

// do works on one run.
func (q *SharedQueue) do(ctx context.Context, w *queueWorker, t *queue.Take) {
	rec, err := q.open(ctx, t)
	if err != nil {
		q.giveBack(t, fmt.Sprintf("worker %s cannot do it: %v", q.worker, err), tryElsewhere)
		w.tell(QueueNews{Kind: "note", ID: t.Item().ID, Text: fmt.Sprintf("%s  not done here: %v", t.Item().ID, err)})
		return
	}
	info, fresh := rec.Info(), len(t.Events()) == 0
	job, err := q.desk.launch(ctx, rec, StartOptions{})
	if err != nil {
		q.giveBack(t, err.Error(), 0)
		return
	}
	ended := make(chan struct{})
	var watch sync.WaitGroup
	watch.Go(func() { q.mind(ctx, t, job, ended) })
	res := w.follow(ctx, job, info, fresh)
	close(ended)
	watch.Wait()
	q.finish(ctx, w, t, job, res)
}

// open makes the record of a run in this home from what the server has of it, and has it mirrored from then on.
func (q *SharedQueue) open(ctx context.Context, t *queue.Take) (*store.Record, error) {
	it := t.Item()
	run := research.Run{
		Schema: research.SchemaVersion, Code: q.desk.version, ID: it.ID, Request: it.Request, Events: t.Events(),
		State: research.StateNews{State: queue.Running},
	}
	var err error
	if len(run.Events) == 0 {
		if run.Request, err = q.desk.complete(it.Request); err != nil {
			return nil, err
		}
	} else {
		if err = json.Unmarshal(run.Events[0].Payload, &run.Request); err != nil {
			return nil, fmt.Errorf("the record of run %s does not begin with a request: %w", it.ID, err)
		}
		if run.Blobs, err = t.Texts(ctx); err != nil {
			return nil, err
		}
	}
	rec, err := q.desk.store.Restore(run)
	if err != nil {
		return nil, err
	}
	rec.SetMirror(t.Mirror)
	events, err := rec.Events(int64(len(t.Events())), 0)
	if err == nil {
		err = t.Mirror(nil, events)
	}
	if err != nil {
		return nil, errors.Join(err, rec.Close())
	}
	return rec, nil
}

// mind ends the run here when it was given to another worker, when the person wants it stopped, and when this worker ends and
// the server cannot be reached.
func (q *SharedQueue) mind(ctx context.Context, t *queue.Take, j *Job, ended <-chan struct{}) {
	stop, done := t.Stop(), ctx.Done()
	var late <-chan time.Time
	for {
		select {
		case <-ended:
			return
		case <-t.Lost():
			j.Interrupt()
			return
		case <-stop:
			j.Cancel()
			stop = nil
		case <-done:
			done, late = nil, time.After(abandonAfter)
		case <-late:
			t.Abandon()
			late = nil
		}
	}
}

// abandonAfter is how long a worker that ends waits for a server that cannot be reached.
const abandonAfter = time.Second

// finish says how a run ended, and keeps its files on the server.
func (q *SharedQueue) finish(ctx context.Context, w *queueWorker, t *queue.Take, j *Job, res Result) {
	id := t.Item().ID
	select {
	case <-t.Lost():
		_, _ = q.desk.store.Delete(id) // what counts is with the worker that has it now
		w.tell(QueueNews{Kind: "note", ID: id, Text: fmt.Sprintf("%s  was given to another worker, because the server had not heard of this one; what was done since is void.", id)})
		return
	default:
	}
	if ctx.Err() != nil && res.State.State == queue.Interrupted {
		q.giveBack(t, "its worker ended; another one goes on with it", 0)
		return
	}
	state := res.State.State
	switch state {
	case "done":
		state = queue.Completed
	case queue.Paused, queue.Stopped:
	default:
		state = queue.Failed
	}
	files := map[string]func() (io.ReadCloser, error){}
	if res.Digest != nil {
		for _, name := range []string{FileHTML, FileMarkdown, FileDigest, FileRun} {
			files[name] = func() (io.ReadCloser, error) { return os.Open(filepath.Join(j.Dir(), name)) }
		}
	}
	fctx, cancel := context.WithTimeout(context.Background(), finishTime)
	defer cancel()
	if err := t.Finish(fctx, state, res.State.Detail, res.Exit, files); err != nil {
		w.tell(QueueNews{Kind: "note", ID: id, Text: fmt.Sprintf("%s  ended here, but the server does not know it: %v", id, err)})
	}
}
