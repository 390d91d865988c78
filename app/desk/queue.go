package desk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"assay/engine/queue"
	"assay/engine/research"
	"assay/engine/store"
)

// The queue of a home. It is kept in the run records themselves, so that it is seen where runs are seen and nothing can be in
// one and not in the other. queue_work.go takes runs from it.

// QueueItem is a run in the queue.
type QueueItem = queue.Item

// QueueLimits are how many runs of the queue may be worked on at once.
type QueueLimits = queue.Limits

// QueueOptions are what a person says of a run that is put into the queue.
type QueueOptions struct {
	Priority int
	// Out is a folder that gets copies of the report's files. If empty, they are in the run's own folder only.
	Out string
}

// Enqueue puts a research into the queue and returns its id. What cannot work is refused as in [Desk.Start]. The run's clock
// starts when it begins, unless the request names one.
func (d *Desk) Enqueue(req research.Request, opt QueueOptions) (string, error) {
	clock := req.Now
	req, err := d.complete(req)
	if err != nil {
		return "", err
	}
	req.Now = clock
	if err := checkPriority(opt.Priority); err != nil {
		return "", err
	}
	if opt.Out != "" {
		if opt.Out, err = filepath.Abs(opt.Out); err != nil {
			return "", usage("out %s: %w", opt.Out, err)
		}
	}
	if err := prepareOut(opt.Out); err != nil {
		return "", err
	}
	now := time.Now().UnixMilli()
	id, err := d.store.Enqueue(req, d.version, research.Place{Priority: opt.Priority, Rank: now << 10, AddedMs: now}, opt.Out)
	if err == nil {
		d.queueNews.wakeAll()
	}
	return id, err
}

func checkPriority(p int) error {
	if p < queue.LowestPriority || p > queue.HighestPriority {
		return usage("priority %d: use %d (last) to %d (first); 0 is normal", p, queue.LowestPriority, queue.HighestPriority)
	}
	return nil
}

// Queue returns the runs that were put into the queue: those that are worked on, those that wait in the order in which they go,
// then those that have ended, newest first.
func (d *Desk) Queue() ([]QueueItem, error) {
	items, err := d.queueItems()
	if err != nil {
		return nil, err
	}
	items = slices.DeleteFunc(items, func(it QueueItem) bool { return it.AddedMs == 0 })
	stage := func(it QueueItem) int {
		switch {
		case it.State == queue.Running:
			return 0
		case it.Waits():
			return 1
		}
		return 2
	}
	slices.SortStableFunc(items, func(a, b QueueItem) int {
		if sa, sb := stage(a), stage(b); sa != sb {
			return sa - sb
		} else if sa == 1 {
			return queue.Compare(a, b)
		}
		return 0 // newest first, as they are listed
	})
	return items, nil
}

// queueItems returns all runs as the queue sees them; those that never were in it have no AddedMs and wait for nobody, but
// count for the limits while they run.
func (d *Desk) queueItems() ([]QueueItem, error) {
	infos, err := d.store.List()
	if err != nil {
		return nil, err
	}
	items := make([]QueueItem, len(infos))
	for i, info := range infos {
		items[i] = queueItem(info)
	}
	return items, nil
}

func queueItem(info research.RunInfo) QueueItem {
	it := QueueItem{
		ID: info.ID, Request: research.Request{Question: info.Question, Model: info.Asked, Depth: research.Depth(info.Depth)},
		Priority: info.Place.Priority, Rank: info.Place.Rank, AddedMs: info.Place.AddedMs,
		Takes: info.Place.Takes, Recorded: info.Place.Recorded, State: info.State, Detail: info.Detail, Worker: info.Holder,
	}
	switch {
	case info.Holder != "":
		it.State = queue.Running
	case info.State == "done":
		it.State, it.EndedMs = queue.Completed, info.UpdatedMs
	case info.State == queue.Interrupted && it.AddedMs == 0:
		it.State = queue.Paused // the person's own, who resumes it or not
	}
	return it
}

// MoveQueued puts a waiting run directly before another one that waits, and gives it that one's priority; with an empty before,
// behind all of its priority.
func (d *Desk) MoveQueued(id, before string) error {
	id, waiting, err := d.waiting(id)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(waiting, func(it QueueItem) bool { return it.ID == id })
	moved := waiting[at]
	waiting = slices.Delete(waiting, at, at+1)
	to := len(waiting)
	if before != "" {
		if before, err = d.FindRun(before); err != nil {
			return err
		}
		if to = slices.IndexFunc(waiting, func(it QueueItem) bool { return it.ID == before }); to < 0 {
			return usage("run %s does not wait in the queue, so that nothing can be put before it", before)
		}
		moved.Priority = waiting[to].Priority
	}
	same := func(i int) *QueueItem {
		if i < 0 || i >= len(waiting) || waiting[i].Priority != moved.Priority {
			return nil
		}
		return &waiting[i]
	}
	if before == "" {
		for to > 0 && waiting[to-1].Priority < moved.Priority {
			to--
		}
	}
	rank, ok := queue.RankBetween(same(to-1), same(to))
	if !ok {
		return d.spread(slices.Insert(waiting, to, moved), moved.Priority)
	}
	return d.place(id, func(p *research.Place) { p.Rank, p.Priority = rank, moved.Priority })
}

// spread gives the runs of one priority ranks with room between them.
func (d *Desk) spread(order []QueueItem, priority int) error {
	for i, it := range order {
		if it.Priority != priority {
			continue
		}
		if err := d.place(it.ID, func(p *research.Place) { p.Rank, p.Priority = int64(i)<<20, priority }); err != nil {
			return err
		}
	}
	return nil
}

// SetPriority gives a waiting run another priority.
func (d *Desk) SetPriority(id string, priority int) error {
	if err := checkPriority(priority); err != nil {
		return err
	}
	id, _, err := d.waiting(id)
	if err != nil {
		return err
	}
	return d.place(id, func(p *research.Place) { p.Priority = priority })
}

// Unqueue takes a waiting run out of the queue; it can be resumed by hand or be put back.
func (d *Desk) Unqueue(id string) error {
	id, _, err := d.waiting(id)
	if err != nil {
		return err
	}
	return d.store.SetState(id, research.StateNews{State: queue.Stopped, Detail: "taken out of the queue"})
}

// Requeue puts a run that failed, was stopped or was paused back into the queue, behind all of its priority.
func (d *Desk) Requeue(id string) error {
	id, err := d.FindRun(id)
	if err != nil {
		return err
	}
	info, err := d.store.Show(id)
	if err != nil {
		return err
	}
	switch it := queueItem(info); {
	case it.State == queue.Running, it.State == queue.Completed:
		return usage("run %s is %s: only one that failed, was stopped, paused or interrupted can be put back", id, it.State)
	case it.Waits():
		return usage("run %s waits in the queue already", id)
	}
	now := time.Now().UnixMilli()
	err = d.place(id, func(p *research.Place) { *p = research.Place{Priority: p.Priority, Rank: now << 10, AddedMs: now} })
	if err != nil {
		return err
	}
	state := research.StateNews{State: queue.Interrupted, Detail: "put back into the queue"}
	if info.State == queue.Stopped && d.neverBegan(id) {
		state.State = queue.Queued
	}
	return d.store.SetState(id, state)
}

// neverBegan reports whether a run's record holds nothing but what was asked and its states.
func (d *Desk) neverBegan(id string) bool {
	events, err := d.store.Events(id, 0, 8)
	return err == nil && !slices.ContainsFunc(events, func(ev research.Event) bool {
		return ev.Kind != research.EventRequest && ev.Kind != research.EventState
	})
}

// place changes a run's place and tells the workers of this program.
func (d *Desk) place(id string, fn func(*research.Place)) error {
	if err := d.store.SetPlace(id, fn); err != nil {
		return err
	}
	d.queueNews.wakeAll()
	return nil
}

// waiting returns the whole id of a waiting run, and all that wait, in their order.
func (d *Desk) waiting(id string) (string, []QueueItem, error) {
	id, err := d.FindRun(id)
	if err != nil {
		return "", nil, err
	}
	items, err := d.queueItems()
	if err != nil {
		return "", nil, err
	}
	waiting := queue.Waiting(items)
	for _, it := range waiting {
		if it.ID == id {
			return id, waiting, nil
		}
	}
	for _, it := range items {
		if it.ID == id && it.State == queue.Running {
			return "", nil, usage("run %s is being worked on (%s): pause or cancel it there", id, it.Worker)
		}
	}
	return "", nil, usage("run %s does not wait in the queue: see assay queue list", id)
}

// taken is a run that this program is to work on, with the server that answers it when there is a pool.
type taken struct {
	rec  *store.Record
	host *PoolHost
	// unseated are runs that no server of the pool may or can answer, with room or without.
	unseated []QueueItem
	// unopened are runs that could not begin or go on, with the reason; they have failed.
	unopened []QueueItem
}

// take opens the run that goes next; false when none may begin now. Only one program of a home chooses at a time, so that the
// limits hold whoever works. With a pool, as many runs need a model as its servers have room for, counted for this program.
func (d *Desk) take(ctx context.Context, limits QueueLimits) (t taken, found bool, err error) {
	items, err := d.queueItems()
	if err != nil || len(queue.Waiting(items)) == 0 {
		return t, false, err
	}
	var all, free []HostView
	pooled := len(d.pool()) > 0
	if pooled { // asked before the lease is taken, because it takes a while
		all = d.Hosts(ctx)
		free = seats(all)
		limits.Models = mostRuns
	}
	release, _, held, err := store.Lease(filepath.Join(d.dirs.Data, "queue"), d.program)
	if err != nil || held {
		return t, false, err
	}
	defer release()
	items, err = d.queueItems()
	for err == nil {
		it, ok := queue.Choose(items, limits)
		if !ok {
			return t, false, nil
		}
		var opened error
		if pooled && queue.NeedsModel(it.Request) {
			if t.host, opened = d.seatOf(it, free); opened == nil && t.host == nil {
				if never, err := d.seatOf(it, healthy(all)); err == nil && never == nil {
					t.unseated = append(t.unseated, it)
				}
				items = slices.DeleteFunc(items, func(other QueueItem) bool { return other.ID == it.ID })
				continue // it waits for a server that may and can answer it
			}
		}
		if opened == nil {
			t.rec, opened = d.openQueued(it)
		}
		if opened == nil {
			return t, true, nil
		}
		t.rec, t.host = nil, nil
		// Another program has it just now, or it cannot begin: either way the next one may.
		var locked *store.LockedError
		if !errors.As(opened, &locked) {
			it.Detail = opened.Error()
			t.unopened = append(t.unopened, it)
			err = d.store.SetState(it.ID, research.StateNews{State: queue.Failed, Detail: opened.Error(), Exit: ExitFault})
		}
		items = slices.DeleteFunc(items, func(other QueueItem) bool { return other.ID == it.ID })
	}
	return t, false, err
}

// seatOf chooses the server of the pool that answers a run: one that has the model that the run began with, or that it asks for.
func (d *Desk) seatOf(it QueueItem, free []HostView) (*PoolHost, error) {
	req, err := d.store.Request(it.ID)
	if err != nil {
		return nil, err
	}
	model := req.Model
	events, err := d.store.Events(it.ID, 0, 16)
	if err != nil {
		return nil, err
	}
	for _, ev := range events {
		var s research.Setup
		if ev.Kind == research.EventSetup && json.Unmarshal(ev.Payload, &s) == nil && s.Model != "" {
			model = s.Model
		}
	}
	return seatFor(free, req, model), nil
}

// openQueued opens a waiting run for work.
func (d *Desk) openQueued(it QueueItem) (rec *store.Record, err error) {
	if it.State == queue.Queued {
		rec, err = d.store.Begin(it.ID, d.version, d.complete)
		if errors.Is(err, store.ErrBegun) {
			rec, err = d.store.Resume(it.ID, d.version)
		}
	} else {
		rec, err = d.store.Resume(it.ID, d.version)
	}
	if err != nil {
		return nil, err
	}
	place := rec.Info().Place
	it.Takes, it.Recorded = place.Takes, place.Recorded
	may := it.Taken(rec.Length())
	place.Takes, place.Recorded = it.Takes, it.Recorded
	if err = rec.SetPlace(place); err == nil && !may {
		err = fmt.Errorf("the program that worked on it ended %d times without anything new being found: look at it alone with assay research --resume %s", queue.MaxTakes, it.ID)
	}
	if err != nil {
		return nil, errors.Join(err, rec.Close())
	}
	return rec, nil
}

// QueueSettings are how the queue is worked on.
type QueueSettings struct {
	// Models and Library are how many runs are worked on at once that need a model, and that only read documents. If zero, 1
	// and 2.
	Models  int `json:"models,omitempty"`
	Library int `json:"library,omitempty"`
	// Window has the window work on the queue while it is open.
	Window bool `json:"window,omitempty"`
	// Idle lets the machine fall asleep while a run is worked on.
	Idle bool `json:"idle,omitempty"`
	// Hosts are the model servers that answer runs of the queue, each so many at once. If empty, the one that answers all runs.
	Hosts []PoolHost `json:"hosts,omitempty"`
	// NATS is the address of the server of a queue that several machines share, such as "nats://box:4222". If empty, none.
	NATS string `json:"nats,omitempty"`
	// Lease is how many seconds a worker of a shared queue may be silent before its runs are given to another, 2 to 3600. If
	// zero, 30. All workers of a queue have the same.
	Lease int `json:"lease,omitempty"`
}

// mostRuns bounds the runs that are worked on at once.
const mostRuns = 64

// SetQueueWindow has the window work on the queue, or no more.
func (d *Desk) SetQueueWindow(on bool) error {
	err := d.change(func(now *Settings) { now.Queue.Window = on })
	d.queueNews.wakeAll()
	return err
}

func (s QueueSettings) check() error {
	if s.Models < 0 || s.Library < 0 || s.Models > mostRuns || s.Library > maxAtOnce {
		return fmt.Errorf("queue: runs at once are from 1 to %d", mostRuns)
	}
	if len(s.Hosts) > maxHosts {
		return fmt.Errorf("queue: at most %d hosts", maxHosts)
	}
	for _, h := range s.Hosts {
		if err := h.check(); err != nil {
			return err
		}
	}
	if s.Lease != 0 && (s.Lease < 2 || s.Lease > 3600) {
		return fmt.Errorf("queue: a lease is from 2 to 3600 seconds")
	}
	if s.NATS == "" {
		return nil
	}
	u, err := natsURL(s.NATS)
	if err == nil && u.User != nil {
		return fmt.Errorf("queue: the server's address holds a password, which is not kept: put a token into %s", NATSTokenEnv)
	}
	return err
}

// QueueLimits are how many runs of the queue are worked on at once.
func (d *Desk) QueueLimits() QueueLimits { return d.Settings().Queue.limits() }

func (s QueueSettings) limits() QueueLimits {
	return QueueLimits{Models: or(s.Models, 1), Library: or(s.Library, 2)}
}

// awaitQueue waits for something new in the queue: a change made in this program, or the next look at what others did.
func (d *Desk) awaitQueue(ctx context.Context, changed <-chan struct{}) {
	look, stop := d.wire.after(queueLook)
	defer stop()
	select {
	case <-changed:
	case <-look:
	case <-ctx.Done():
	}
}

// queueLook is how often a worker looks at what other programs did to the queue.
const queueLook = time.Second
