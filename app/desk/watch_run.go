package desk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"assay/engine/research"
	"assay/engine/schedule"
	"assay/engine/store"
)

// RunWatch asks the question of a watch now and says what changed since its last report.
func (d *Desk) RunWatch(ctx context.Context, name string) (WatchResult, error) {
	return d.runWatch(ctx, name, 0, 0)
}

// runWatch does one run of a watch, for a due time or, with 0, because the person asked. A run of the watch that was cut short is gone on
// with instead. A run that fails is a result and no error; an error is what kept the watch from running at all, or ctx's end.
func (d *Desk) runWatch(ctx context.Context, name string, dueMs int64, missed int) (WatchResult, error) {
	w, _, err := d.readWatch(name)
	if err != nil {
		return WatchResult{}, err
	}
	release, err := d.store.Guard(filepath.Join(watchesDir, name))
	if err != nil {
		return WatchResult{}, err
	}
	defer release()
	_, s, err := d.readWatch(name) // as it is now that nobody else changes it
	if err != nil {
		return WatchResult{}, err
	}
	if dueMs > 0 {
		s.HandledMs = max(s.HandledMs, dueMs) // first, so that a run that ends the program is not begun for ever
	}
	res := WatchResult{Watch: name, DueMs: dueMs, Missed: missed, Against: d.lastReport(s)}
	opt := StartOptions{Against: res.Against, Deliver: w.Deliver, Fresh: true, Watch: name, Quiet: w.Quiet}
	job, err := d.beginWatch(ctx, w, &s, opt, &res)
	if err == nil {
		s.Running, s.DueMs, s.Missed = job.ID(), res.DueMs, res.Missed
		res.Run = job.ID()
		err = d.keepState(name, s)
	}
	var end Result
	if job != nil {
		if end, err = d.awaitWatch(ctx, job, err); end.Exit == ExitInterrupted {
			return res, errors.Join(err, ctx.Err(), end.Err) // it is gone on with next time
		}
	}
	s.Running, s.DueMs, s.Missed = "", 0, 0
	res.AtMs = d.wire.now().UnixMilli()
	res.tell(end, err)
	if res.State != WatchFailed {
		s.LastRun = res.Run
	}
	return res, errors.Join(d.keepState(name, s), d.keepResult(res))
}

// lastReport is the run whose report the next one is held against; "" when there is none any more.
func (d *Desk) lastReport(s watchState) string {
	if s.LastRun == "" {
		return ""
	}
	if _, err := d.Digest(s.LastRun); err != nil {
		return ""
	}
	return s.LastRun
}

// beginWatch goes on with the run that was cut short, or starts a new one.
func (d *Desk) beginWatch(ctx context.Context, w Watch, s *watchState, opt StartOptions, res *WatchResult) (*Job, error) {
	if s.Running != "" {
		job, err := d.Resume(ctx, s.Running, opt)
		if err == nil {
			if res.DueMs == 0 {
				res.DueMs, res.Missed = s.DueMs, s.Missed
			}
			return job, nil
		}
		// It was deleted, or is of another version of the program: the question is asked anew.
		s.Running = ""
	}
	req := w.Request
	req.Now = d.wire.now().UTC().Format(time.RFC3339)
	job, err := d.Start(ctx, req, opt)
	if err != nil {
		return nil, err
	}
	return job, nil
}

// awaitWatch waits for the run of a watch; when ctx ends, or with an error of before, it is interrupted and waited for.
func (d *Desk) awaitWatch(ctx context.Context, job *Job, before error) (Result, error) {
	if before != nil {
		job.Interrupt()
		<-job.Done()
		return job.result, before
	}
	select {
	case <-job.Done():
	case <-ctx.Done():
		job.Interrupt()
		<-job.Done()
	}
	return job.result, nil
}

// tell says in one sentence how a run of a watch ended.
func (r *WatchResult) tell(end Result, err error) {
	switch {
	case err != nil:
		r.State, r.Line = WatchFailed, err.Error()
	case end.Digest == nil:
		r.State, r.Line = WatchFailed, or(end.State.Detail, "the research ended without a report")
	case end.Difference == nil:
		r.State, r.Line = WatchFirst, fmt.Sprintf("First report: %s.", howMany(end.Digest.Metrics.Findings, "finding"))
	default:
		r.Difference, r.Line, r.State = end.Difference, end.Difference.Line, WatchNews
		if end.Difference.Nothing() {
			r.State = WatchNothing
		}
	}
}

// KeeperError says that another program keeps the watches of this home.
type KeeperError struct{ Holder store.Holder }

func (e *KeeperError) Error() string {
	return fmt.Sprintf("the watches of this home are kept by another program (%s): one at a time does", e.Holder)
}

// keepEvery is the longest pause between two looks at the watches, which may be added and removed meanwhile, and after which a machine
// that slept is noticed.
const keepEvery = time.Minute

// missedAfter is how late a run may begin without a word of it.
const missedAfter = 2 * time.Minute

// KeepWatches runs every watch when it is due, one after the other, until ctx ends; then it returns ctx's error. Due times that passed
// while nobody kept the watches are made up once, and the result says how many there were. It fails with a [*KeeperError] while another
// program does the same for this home. tell gets every result and may be nil; fault gets what kept a watch from running.
func (d *Desk) KeepWatches(ctx context.Context, tell func(WatchResult), fault func(error)) error {
	dir := filepath.Join(d.dirs.Data, watchesDir, keeperLease)
	release, holder, held, err := store.Lease(dir, d.program)
	if err != nil {
		return err
	}
	if held {
		return &KeeperError{holder}
	}
	defer release()
	if tell == nil {
		tell = func(WatchResult) {}
	}
	if fault == nil {
		fault = func(error) {}
	}
	for ctx.Err() == nil {
		next := d.keepOnce(ctx, tell, fault)
		wait := min(keepEvery, max(0, next.Sub(d.wire.now())))
		passed, stop := d.wire.after(wait)
		select {
		case <-passed:
		case <-ctx.Done():
		}
		stop()
	}
	return ctx.Err()
}

// WatchKeeper is the program that keeps the watches of this home; "" when none does.
func (d *Desk) WatchKeeper() string {
	h, held := store.LeaseHolder(filepath.Join(d.dirs.Data, watchesDir, keeperLease))
	if !held {
		return ""
	}
	return h.String()
}

// keepOnce runs the watches that are due and returns when the next one is.
func (d *Desk) keepOnce(ctx context.Context, tell func(WatchResult), fault func(error)) time.Time {
	soonest := d.wire.now().Add(keepEvery)
	names, err := d.watchNames()
	if err != nil {
		fault(err)
	}
	for _, name := range names {
		if ctx.Err() != nil {
			break
		}
		w, s, err := d.readWatch(name)
		var sched schedule.Schedule
		if err == nil {
			sched, err = scheduleOf(w)
		}
		if err != nil {
			fault(fmt.Errorf("watch %s: %w", name, err))
			continue
		}
		due, missed, next := dueOf(sched, s.HandledMs, d.wire.now())
		if due.IsZero() && s.Running == "" {
			if !next.IsZero() && next.Before(soonest) {
				soonest = next
			}
			continue
		}
		dueMs := int64(0)
		if !due.IsZero() {
			dueMs = due.UnixMilli()
		}
		res, err := d.runWatch(ctx, name, dueMs, missed)
		if err != nil && ctx.Err() == nil {
			fault(fmt.Errorf("watch %s: %w", name, err))
		} else if err == nil {
			tell(res)
		}
		soonest = d.wire.now() // others may have come due meanwhile
	}
	return soonest
}

// dueOf says which due time after handled is the last that has come, how many came before it and were missed, and when the next one is.
// A last one that is long past counts as missed too: it is made up.
func dueOf(s schedule.Schedule, handledMs int64, now time.Time) (due time.Time, missed int, next time.Time) {
	at := time.UnixMilli(handledMs)
	for n := 0; n <= maxMissed; n++ {
		t, ok := s.Next(at)
		if !ok {
			return due, missed, time.Time{}
		}
		if t.After(now) {
			if !due.IsZero() && now.Sub(due) > missedAfter {
				missed++
			}
			return due, missed, t
		}
		if !due.IsZero() {
			missed++
		}
		due, at = t, t
	}
	// More than can be counted one by one: all up to now are made up by one.
	return now, missed, time.Time{}
}

// watchProject is the project under which the runs of a watch are filed, unless the person files them elsewhere.
func watchProject(name string) string { return "watch " + name }

// fileWatch files a run of a watch.
func (j *Job) fileWatch() {
	if j.opt.Watch == "" {
		return
	}
	if info, err := j.desk.store.Show(j.id); err == nil && info.Project == "" {
		_ = j.desk.store.SetProject(j.id, watchProject(j.opt.Watch)) // a run that is not filed is still a run
	}
}

// Briefed gathers the last results of watches into one page, see [Desk.Brief].
type Briefed struct {
	Briefing research.Briefing `json:"briefing"`
	Files    []string          `json:"files"`
}

// copyReport copies the page of a run to a file of another folder.
func (d *Desk) copyReport(id, name string) error {
	page, err := d.ReportPage(id)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return store.OutFault("write the briefing", name, err)
	}
	return store.WriteOut(name, page)
}
