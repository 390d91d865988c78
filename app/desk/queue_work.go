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
	// Tell, when set, is called with what happens, one at a time.
	Tell func(QueueNews)
}

// WorkQueue works on the queue of the home until ctx ends: then what it works on is interrupted, and goes on where the next
// worker takes it up. Several programs may work on one home; the limits hold for all of them together.
func (d *Desk) WorkQueue(ctx context.Context, opt WorkOptions) error {
	w := &queueWorker{desk: d, opt: opt}
	defer w.jobs.Wait()
	for ctx.Err() == nil {
		changed := d.queueNews.changed()
		rec, err := d.take(d.Settings().Queue.limits())
		if err != nil {
			return err
		}
		if rec == nil {
			if opt.UntilEmpty && d.queueEmpty() {
				return nil
			}
			d.awaitQueue(ctx, changed)
			continue
		}
		info, fresh := rec.Info(), rec.Length() <= 1
		job, err := d.launch(ctx, rec, StartOptions{Out: rec.Out()})
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
	mu   sync.Mutex // one news at a time
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
