package app

import (
	"context"
	"time"

	"assay/app/desk"
)

// QueueRow is a run of the queue.
type QueueRow struct {
	ID       string `json:"id"`
	Title    string `json:"title"`
	Model    string `json:"model"` // as it was asked for
	Depth    string `json:"depth"`
	State    string `json:"state"` // queued, running, interrupted, completed, failed, stopped, paused
	Waits    bool   `json:"waits"` // for a worker
	Here     bool   `json:"here"`  // this window works on it
	Priority int    `json:"priority"`
	Worker   string `json:"worker"`
	Detail   string `json:"detail"`
	AddedMs  int64  `json:"added_ms"`
	EndedMs  int64  `json:"ended_ms"`
}

// QueueView is the queue of the home: what is worked on, what waits in the order in which it goes, what has ended.
type QueueView struct {
	Rows    []QueueRow `json:"rows"`
	Window  bool       `json:"window"`  // this window works on it
	Models  int        `json:"models"`  // runs at once that need a model
	Library int        `json:"library"` // runs at once that only read documents
	Fault   string     `json:"fault"`   // why this window's work on it ended; empty otherwise
}

// Queue returns the queue.
func (a *API) Queue() (v QueueView, err error) {
	defer recovered(&err)
	v.Rows = []QueueRow{}
	_, d, err := a.open()
	if err != nil {
		return v, err
	}
	items, err := d.Queue()
	for _, it := range items {
		row := QueueRow{
			ID: it.ID, Title: it.Request.Question, Model: it.Request.Model, Depth: string(it.Request.Depth), State: it.State, Waits: it.Waits(),
			Here: d.Job(it.ID) != nil, Priority: it.Priority, Worker: it.Worker, Detail: it.Detail, AddedMs: it.AddedMs, EndedMs: it.EndedMs,
		}
		v.Rows = append(v.Rows, row)
	}
	limits := d.QueueLimits()
	v.Window, v.Models, v.Library = d.Settings().Queue.Window, limits.Models, limits.Library
	a.mu.Lock()
	v.Fault = a.queueFault
	a.mu.Unlock()
	return v, err
}

// Enqueue puts a research into the queue and returns its id. A plan is not shown for it: nobody is there when it begins.
func (a *API) Enqueue(q Question, priority int) (id string, err error) {
	defer recovered(&err)
	ctx, d, err := a.open()
	if err != nil {
		return "", err
	}
	id, err = d.Enqueue(q.request(), desk.QueueOptions{Priority: priority})
	return id, a.queueChanged(ctx, err)
}

// MoveQueued puts a waiting run before another one, or with an empty before behind all of its priority.
func (a *API) MoveQueued(id, before string) error {
	return a.onQueue(func(d *desk.Desk) error { return d.MoveQueued(id, before) })
}

// SetPriority gives a waiting run another priority, -9 to 9.
func (a *API) SetPriority(id string, priority int) error {
	return a.onQueue(func(d *desk.Desk) error { return d.SetPriority(id, priority) })
}

// Unqueue takes a waiting run out of the queue.
func (a *API) Unqueue(id string) error {
	return a.onQueue(func(d *desk.Desk) error { return d.Unqueue(id) })
}

// Requeue puts a run that failed, was stopped or was paused back into the queue.
func (a *API) Requeue(id string) error {
	return a.onQueue(func(d *desk.Desk) error { return d.Requeue(id) })
}

func (a *API) onQueue(do func(*desk.Desk) error) (err error) {
	defer recovered(&err)
	ctx, d, err := a.open()
	if err != nil {
		return err
	}
	return a.queueChanged(ctx, do(d))
}

func (a *API) queueChanged(ctx context.Context, err error) error {
	if err == nil {
		a.outside.emit(ctx, eventRuns, nil)
	}
	return err
}

// WorkOnQueue has this window work on the queue while it is open, now and when it is opened again, or no more. What it works on then is
// finished.
func (a *API) WorkOnQueue(on bool) (err error) {
	defer recovered(&err)
	ctx, d, err := a.open()
	if err != nil {
		return err
	}
	if err := d.SetQueueWindow(on); err != nil {
		return err
	}
	a.mu.Lock()
	a.queueFault = ""
	a.mu.Unlock()
	return a.queueChanged(ctx, nil)
}

// queueLook is how often a window that does not work on the queue looks whether it is to.
const queueLook = time.Second

// workQueue works on the queue of the home while the settings say so and the window is open.
func (a *API) workQueue(ctx context.Context, d *desk.Desk) {
	wanted := func() bool { return d.Settings().Queue.Window }
	for ctx.Err() == nil {
		if !wanted() {
			select {
			case <-time.After(queueLook):
			case <-ctx.Done():
			}
			continue
		}
		err := d.WorkQueue(ctx, desk.WorkOptions{While: wanted, Tell: func(n desk.QueueNews) {
			if job := d.Job(n.ID); job != nil && (n.Kind == "began" || n.Kind == "resumed") {
				a.follow(ctx, d, job)
			}
			a.outside.emit(ctx, eventRuns, nil)
		}})
		if err != nil && ctx.Err() == nil { // the home cannot be written to, say
			a.mu.Lock()
			a.queueFault = short(err.Error())
			a.mu.Unlock()
			_ = d.SetQueueWindow(false) // it is said in the view either way
			a.outside.emit(ctx, eventRuns, nil)
		}
	}
}
