// Package desk is an opened home: settings, runs, libraries and model channels, joined to the engine.
//
// Start at [Open] and [Desk.Start]; the latter gives a [Job], which the window and the terminal follow. Nothing here is about
// how anything looks, and nothing about research: that is in engine.
//
// Files by job: dirs.go and settings.go the home, request.go what may be asked, channel.go who answers, library.go where is
// looked, job.go a run from start to end, follow.go what is told meanwhile, output.go the files of a report, runs.go runs at
// rest, replay.go a run without its effects, models.go and managed.go the models and the server of our own, doctor.go what is
// wrong here. access.go, quota.go and remote.go are what other
// programs may do with it. memory.go is what the person says of the cards' memory, plan_model.go which model is used and how, fit.go the same
// for one model, guard.go and relief.go what happens when memory is missing, calibration.go what loads were measured to take.
package desk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"assay/engine/research"
	"assay/engine/store"
)

// Options say how a home is opened.
type Options struct {
	// Program is the word by which others know this program when it works on a run: "window", "terminal".
	Program string
	// Version of the program. If empty, "dev".
	Version string
	// Getenv reads the environment. If nil, [os.Getenv].
	Getenv func(string) string
	// Now is the clock by which tokens are made and quotas counted. If nil, [time.Now].
	Now func() time.Time
	// AnySettings opens a home whose settings are damaged, with none set: [Desk.Doctor] says what is wrong with them.
	AnySettings bool
}

// Desk is an opened home. It is safe for concurrent use. Several programs may have the same home open.
type Desk struct {
	dirs    Dirs
	version string
	getenv  func(string) string
	store   *store.Home
	wire    wiring
	books   books
	watched watch
	program string
	managed managed
	shelf   shelf
	shapes  shapes
	awake   awake

	queueNews hub // wakes the workers of the queue
	courier   courier
	known     knownCache

	clock  func() time.Time
	access sync.Mutex // held while tokens or quotas change
	remote sync.Mutex // held while another program's run is let in

	asking sync.Mutex // held while the run that was struck from last is looked into

	mu       sync.Mutex
	settings Settings
	jobs     map[string]*Job // that run now
	struck   reopened        // the run that was struck from last
	closed   bool
}

// Open opens the home that the environment names. It makes no folder and dials nothing, so it is quick and works on a
// read-only home.
func Open(opt Options) (*Desk, error) {
	if opt.Getenv == nil {
		opt.Getenv = os.Getenv
	}
	if opt.Version == "" {
		opt.Version = "dev"
	}
	if opt.Now == nil {
		opt.Now = time.Now
	}
	dirs, err := FindDirs(opt.Getenv)
	if err != nil {
		return nil, err
	}
	settings, err := readSettings(dirs.Config)
	if err != nil && !opt.AnySettings {
		return nil, err
	}
	if err != nil {
		settings = Settings{}
	}
	home, err := store.Open(dirs.Data, opt.Program)
	if err != nil {
		return nil, err
	}
	d := &Desk{dirs: dirs, version: opt.Version, getenv: opt.Getenv, store: home, settings: settings, jobs: map[string]*Job{}}
	d.clock = opt.Now
	d.program, d.managed.turn = opt.Program, make(chan struct{}, 1)
	d.wire = realWiring(d)
	return d, nil
}

// Version returns the version of the program.
func (d *Desk) Version() string { return d.version }

// Dirs returns the folders of the home.
func (d *Desk) Dirs() Dirs { return d.dirs }

// Close interrupts what runs, waits until it has stopped, and lets the home go. Interrupted runs can be resumed.
func (d *Desk) Close() error {
	d.mu.Lock()
	d.closed = true
	jobs := make([]*Job, 0, len(d.jobs))
	for _, j := range d.jobs {
		jobs = append(jobs, j)
	}
	d.mu.Unlock()
	for _, j := range jobs {
		j.Interrupt()
	}
	for _, j := range jobs {
		<-j.done
	}
	d.courier.close()
	d.shelf.close()
	d.managed.close()
	return d.store.Close()
}

// Job returns the run with this id if it runs in this program, otherwise nil.
func (d *Desk) Job(id string) *Job {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.jobs[id]
}

// StartOptions are what a start needs besides the request.
type StartOptions struct {
	// Out is a folder that gets copies of the report's files; it is made when absent. If empty, they are in the run's own
	// folder only.
	Out string
	// Approve, when set, is shown the plan before the search and returns it as the person left it.
	Approve Approve
	// Review has each round's plan wait for [Desk.ApprovePlan] before its search, for Patience at most. Approve goes before it.
	Review bool
	// Against is a run whose report the new one is compared with: its sources that are cited no more are looked at again, and the
	// difference is among the files. If empty, none.
	Against string
	// Fresh has no page taken from an earlier run.
	Fresh bool
	// Watch is the watch that the run is of; Quiet keeps back the delivery of a result that is nothing new.
	Watch string
	Quiet bool
	// Deliver are names of deliveries that get the result besides those that get every one.
	Deliver []string
	// Patience is how long the run waits when memory is missing and nobody chooses what to do; then it goes on as it is. If
	// zero, 30 minutes.
	Patience time.Duration

	host *PoolHost // the model server that answers it; nil: the one of the settings
}

// Start begins a run. A request that cannot work is refused with a [*UsageError] before anything is kept. The run goes on
// when ctx ends; use [Job.Pause], [Job.Cancel] or [Job.Interrupt].
func (d *Desk) Start(ctx context.Context, req research.Request, opt StartOptions) (*Job, error) {
	req, err := d.complete(req)
	if err != nil {
		return nil, err
	}
	if err := prepareOut(opt.Out); err != nil {
		return nil, err
	}
	if len(opt.Deliver) > 0 { // a resumed run keeps to it
		req.Deliver = opt.Deliver
	}
	if err := d.checkDeliver(req.Deliver); err != nil {
		return nil, err
	}
	rec, err := d.store.Create(req, d.version)
	if err != nil {
		return nil, err
	}
	return d.launch(ctx, rec, opt)
}

// Resume goes on with a run that was paused or interrupted, or that failed. Nothing that its record holds is done again.
func (d *Desk) Resume(ctx context.Context, id string, opt StartOptions) (*Job, error) {
	id, err := d.store.Find(id)
	if err != nil {
		return nil, &UsageError{Err: err}
	}
	if err := prepareOut(opt.Out); err != nil {
		return nil, err
	}
	info, err := d.store.Show(id)
	if err != nil {
		return nil, err
	}
	// A program that was killed after its last step may not have written all files: then going on writes them.
	if info.State == "done" && opt.Out == "" && delivered(d.store.Dir(id)) {
		return nil, &UsageError{Err: fmt.Errorf("run %s is done already: its report is in %s", id, d.store.Dir(id))}
	}
	rec, err := d.store.Resume(id, d.version)
	if err != nil {
		return nil, err
	}
	if opt.Out == "" { // the run remembers where its copies go
		opt.Out = rec.Out()
		if err := prepareOut(opt.Out); err != nil {
			return nil, errors.Join(err, rec.Close())
		}
	}
	return d.launch(ctx, rec, opt)
}

// launch starts the goroutine of a run and owns rec from here on.
func (d *Desk) launch(ctx context.Context, rec *store.Record, opt StartOptions) (*Job, error) {
	if opt.Out != "" {
		if err := rec.AddOut(opt.Out); err != nil {
			return nil, errors.Join(err, rec.Close())
		}
	}
	against, err := d.editionOf(opt.Against)
	if err != nil {
		return nil, errors.Join(err, rec.Close())
	}
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	j := &Job{id: rec.ID(), desk: d, rec: rec, opt: opt, cancel: cancel, done: make(chan struct{}), against: against}
	d.mu.Lock()
	if d.closed {
		d.mu.Unlock()
		cancel(errInterrupted)
		return nil, errors.Join(errors.New("the program is closing"), rec.Close())
	}
	d.jobs[j.id] = j
	d.mu.Unlock()
	go j.run(ctx)
	return j, nil
}
