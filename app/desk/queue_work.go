package desk

import (
	"context"
	"sync"
	"time"

	"assay/engine/research"
)

// QueueNews is what a worker tells of the queue.
type QueueNews struct {
	Kind   string // "began", "resumed", "ended", "asleep", "note"
	ID     string // of the run; "" when it is about all
	Title  string
	Result *Result // of "ended"
	Text   string  // one sentence
}

// WorkOptions say how a worker works.
type WorkOptions struct {
	// UntilEmpty ends the work when nothing waits and nothing runs.
	UntilEmpty bool
	// While, when set, is asked before each run is taken and now and then; the work ends, with what is worked on finished, once it is
	// false.
	While func() bool
	// Tell, when set, is called with what happens, one at a time.
	Tell func(QueueNews)
}

// WorkQueue works on the queue of the home until ctx ends: then what it works on is interrupted, and goes on where the next
// worker takes it up. Several programs may work on one home; the limits hold for all of them together.
func (d *Desk) WorkQueue(ctx context.Context, opt WorkOptions) error {
	w := &queueWorker{desk: d, opt: opt}
	defer w.jobs.Wait()
	for ctx.Err() == nil && (opt.While == nil || opt.While()) {
		changed := d.queueNews.changed()
		t, found, err := d.take(ctx, d.Settings().Queue.limits())
		if err != nil {
			return err
		}
		w.tellUnseated(t.unseated)
		for _, it := range t.unopened {
			w.tell(QueueNews{Kind: "note", ID: it.ID, Title: it.Request.Question, Text: it.ID + "  could not be taken up and has failed: " + it.Detail})
		}
		if !found {
			if opt.UntilEmpty && d.queueEmpty() {
				return nil
			}
			d.awaitQueue(ctx, changed)
			continue
		}
		info, fresh := t.rec.Info(), t.rec.Length() <= 1
		job, err := d.launch(ctx, t.rec, StartOptions{Out: t.rec.Out(), host: t.host})
		if err != nil {
			return err
		}
		w.jobs.Go(func() { w.follow(ctx, job, info, fresh) })
	}
	return nil
}

// queueEmpty reports whether nothing waits and nothing of the queue runs.
func (d *Desk) queueEmpty() bool {
	items, err := d.Queue()
	return err == nil && (len(items) == 0 || !items[0].Waits() && items[0].State != "running")
}

type queueWorker struct {
	desk *Desk
	opt  WorkOptions
	jobs sync.WaitGroup
	told map[string]bool // runs that were told to have no server
	mu   sync.Mutex      // one news at a time
}

// tellUnseated says once of each run that no server of the pool will answer it as things are.
func (w *queueWorker) tellUnseated(items []QueueItem) {
	for _, it := range items {
		if w.told[it.ID] {
			continue
		}
		if w.told == nil {
			w.told = map[string]bool{}
		}
		w.told[it.ID] = true
		w.tell(QueueNews{Kind: "note", ID: it.ID, Title: it.Request.Question, Text: it.ID +
			"  waits, because no server of the pool that answers has its model (" + it.Request.Model + ") or may read what it reads; see assay queue hosts"})
	}
}

func (w *queueWorker) tell(n QueueNews) {
	if w.opt.Tell == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.opt.Tell(n)
}

// follow waits for a run and says how it went. The machine stays awake meanwhile.
func (w *queueWorker) follow(ctx context.Context, j *Job, info research.RunInfo, fresh bool) Result {
	kind := "resumed"
	if fresh {
		kind = "began"
	}
	w.tell(QueueNews{Kind: kind, ID: info.ID, Title: info.Title})
	if !w.desk.Settings().Queue.Idle {
		release, why := w.desk.awake.hold()
		defer release()
		if why != "" {
			w.tell(QueueNews{Kind: "note", Text: why})
		}
	}
	ticker := time.NewTicker(sleepLook)
	defer ticker.Stop()
	clock := newSleepClock(time.Now())
	done := ctx.Done()
	for {
		select {
		case <-j.Done():
			res := j.result
			w.tell(QueueNews{Kind: "ended", ID: info.ID, Title: info.Title, Result: &res})
			w.desk.queueNews.wakeAll()
			return res
		case <-done:
			j.Interrupt()
			done = nil
		case <-ticker.C:
			if slept := clock.slept(time.Now()); slept > 0 {
				j.woke(slept)
				w.tell(QueueNews{Kind: "asleep", ID: info.ID, Title: info.Title, Text: wokeText(slept)})
			}
		}
	}
}
