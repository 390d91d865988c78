package app

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/wailsapp/wails/v2/pkg/runtime"

	"assay/app/desk"
	"assay/engine/research"
)

// API is what the page may call. Each method is a few lines over the desk, recovers, and returns what view.go says. An
// error's text is one sentence that the page shows.
type API struct {
	// outside is what only a window can do; tests stand in for it.
	outside outside

	mu      sync.Mutex
	ctx     context.Context // of the window; nil before it is open
	stop    context.CancelFunc
	desk    *desk.Desk
	work    sync.WaitGroup    // goroutines that follow runs and read folders
	reading map[string]*Place // folders that are being read or could not be, by path
	news    *time.Timer       // the next word about the library, when one is due
	last    research.Digest   // of lastID: passages are asked for one after the other
	lastID  string
	sampler *desk.MemorySampler  // looks at the machine while the desk is open
	jobs    map[string]*modelJob // models that are being pulled or made, or were, by name
	baking  map[string]*baking   // bake-offs that this window works on, by id

	queueFault string // why this window's work on the queue ended
}

// outside is the window system: dialogs, the browser, events for the page.
type outside interface {
	emit(ctx context.Context, name string, data any)
	browse(ctx context.Context, url string)
	folder(ctx context.Context) (string, error)
	files(ctx context.Context) ([]string, error)
	modelFile(ctx context.Context) (string, error)
}

// errClosed is what a call gets before the window is open or after it is closed.
var errClosed = errors.New("the window is closing; what was found is on disk")

func newAPI() *API {
	return &API{outside: wailsWindow{}, reading: map[string]*Place{}, jobs: map[string]*modelJob{}, baking: map[string]*baking{}}
}

func (a *API) startup(ctx context.Context) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ctx, a.stop = context.WithCancel(ctx)
}

// shutdownWait is how long a window that is closed waits for its work. A run ends within two seconds; a step that does not,
// such as reading a huge file, must not keep a program alive that nobody sees any more.
const shutdownWait = 6 * time.Second

// shutdown interrupts what runs, so that it can be resumed, and waits until it has stopped, or for shutdownWait: what was
// recorded is on disk either way.
func (a *API) shutdown(context.Context) {
	a.mu.Lock()
	d, stop := a.desk, a.stop
	a.desk, a.ctx = nil, nil
	if a.news != nil {
		a.news.Stop()
	}
	a.mu.Unlock()
	if stop != nil {
		stop()
	}
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		if d != nil {
			_ = d.Close() // nobody is left to tell
		}
		a.work.Wait()
	}()
	select {
	case <-stopped:
	case <-time.After(shutdownWait):
	}
}

// context is the window's; nil while there is none.
func (a *API) context() context.Context {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.ctx
}

// open returns the desk, opened when it is first needed; a home that could not be opened is tried again at the next call.
func (a *API) open() (context.Context, *desk.Desk, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ctx == nil {
		return nil, nil, errClosed
	}
	if a.desk == nil {
		d, err := desk.Open(desk.Options{Program: "window", Version: desk.BuildVersion()})
		if err != nil {
			return nil, nil, err
		}
		a.desk, a.sampler = d, a.watch(a.ctx, d)
		a.watchLibrary(a.ctx, d)
		ctx := a.ctx
		a.work.Go(func() { a.keepWatches(ctx, d) })
		a.work.Go(func() { a.workQueue(ctx, d) })
	}
	return a.ctx, a.desk, nil
}

// recovered turns a panic into an error: one in a bound method would end the whole program.
func recovered(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("a fault of the program: %v; what was found is on disk, please report this", r)
	}
}

// Version returns the version of the program.
func (a *API) Version() string { return desk.BuildVersion() }

// Machine reads memory, cards and who would answer.
func (a *API) Machine() (m Machine, err error) {
	defer recovered(&err)
	ctx, d, err := a.open()
	if err != nil {
		return m, err
	}
	look, err := a.sampler.Latest()
	if err != nil {
		look = a.sampler.Sample(ctx)
	}
	st := look.Status
	m = Machine{Version: d.Version(), Home: d.Dirs().Data, AtMs: look.AtMs, GPUNote: st.Note, Devices: []Device{}}
	m.MemTotal, m.MemUsed = used(st.MemoryTotal, st.MemoryFree)
	for _, g := range st.GPUs {
		dev := Device{Name: g.Name}
		dev.Total, dev.Used = used(g.MemoryTotal, g.MemoryFree)
		m.Devices = append(m.Devices, dev)
	}
	ch, err := d.Channel(ctx)
	if err != nil {
		m.Channel, m.Why = "extractive", err.Error()
		return m, nil
	}
	m.Channel, m.Model, _ = strings.Cut(ch.Name, ":")
	m.Why = ch.Why
	return m, nil
}

// used returns the total and what is in use of it, zeros when the total is unknown.
func used(total, free *int64) (int64, int64) {
	if total == nil {
		return 0, 0
	}
	if free == nil {
		return *total, 0
	}
	return *total, max(0, *total-*free)
}

// Ask starts a run and returns its id. The run goes on by itself; see [API.Events].
func (a *API) Ask(q Question) (id string, err error) {
	defer recovered(&err)
	ctx, d, err := a.open()
	if err != nil {
		return "", err
	}
	job, err := d.Start(ctx, q.request(), desk.StartOptions{Review: q.Review})
	if err != nil {
		return "", err
	}
	a.follow(ctx, d, job)
	return job.ID(), nil
}

// request is what the engine is asked.
func (q Question) request() research.Request {
	req := research.Request{
		Question: q.Text, Depth: research.Depth(q.Depth), Lang: q.Lang, Shape: research.Shape(q.Shape), Model: q.Model, About: q.About, Template: q.Template,
		AllowPartial: q.AllowPartial, Libraries: q.Libraries, Attach: q.Attach,
	}
	if q.Web && !q.Offline {
		req.Egress = research.Web
	}
	return req
}

// Runs lists all runs, newest first.
func (a *API) Runs() (rows []RunRow, err error) {
	defer recovered(&err)
	rows = []RunRow{}
	_, d, err := a.open()
	if err != nil {
		return rows, err
	}
	infos, err := d.Runs()
	for _, info := range infos {
		rows = append(rows, RunRow{RunInfo: info, Live: d.Job(info.ID) != nil})
	}
	return rows, err
}

// Events returns what happened in a run after an event: everything for 0.
func (a *API) Events(id string, after int64) (e RunEvents, err error) {
	defer recovered(&err)
	e = RunEvents{ID: id, After: after, Last: after, Events: []RunEvent{}}
	_, d, err := a.open()
	if err != nil {
		return e, err
	}
	if e.Info, err = row(d, id); err != nil {
		return e, err
	}
	if job := d.Job(id); job != nil {
		e.Notice, e.Plan = job.Notice(), job.Asked()
	}
	events, err := d.Events(id, after, 0)
	for _, ev := range events {
		e.add(ev)
	}
	return e, err
}

// Pause ends a run for now; Resume goes on with it.
func (a *API) Pause(id string) (err error) {
	defer recovered(&err)
	return a.end(id, (*desk.Job).Pause)
}

// Cancel ends a run; what was found is kept.
func (a *API) Cancel(id string) (err error) {
	defer recovered(&err)
	return a.end(id, (*desk.Job).Cancel)
}

// endWait is how long the page waits to be told that a run has ended; a run ends within two seconds.
const endWait = 4 * time.Second

func (a *API) end(id string, how func(*desk.Job)) error {
	ctx, d, err := a.open()
	if err != nil {
		return err
	}
	job := d.Job(id)
	if job == nil {
		return fmt.Errorf("run %s is not at work in this window", id)
	}
	how(job)
	ctx, cancel := context.WithTimeout(ctx, endWait)
	defer cancel()
	if _, err := job.Wait(ctx); err != nil {
		return fmt.Errorf("run %s was told to end and is still finishing its step; look again in a moment", id)
	}
	return nil
}

// Resume goes on with a run that was paused, stopped or interrupted, or that failed.
func (a *API) Resume(id string) (err error) {
	defer recovered(&err)
	ctx, d, err := a.open()
	if err != nil {
		return err
	}
	job, err := d.Resume(ctx, id, desk.StartOptions{})
	if err != nil {
		return err
	}
	a.follow(ctx, d, job)
	return nil
}

// Relieve does what the person chose for a run that waits because memory is missing: unload, shrink or wait.
func (a *API) Relieve(id, choice string) (err error) {
	defer recovered(&err)
	ctx, d, err := a.open()
	if err != nil {
		return err
	}
	return d.Relieve(ctx, id, choice)
}

// Rename gives a run another title.
func (a *API) Rename(id, title string) (err error) {
	defer recovered(&err)
	ctx, d, err := a.open()
	if err != nil {
		return err
	}
	err = d.RenameRun(id, title)
	a.outside.emit(ctx, eventRuns, nil)
	return err
}

// Delete removes a run and says what remains elsewhere.
func (a *API) Delete(id string) (left string, err error) {
	defer recovered(&err)
	ctx, d, err := a.open()
	if err != nil {
		return "", err
	}
	remains, err := d.DeleteRun(id)
	a.outside.emit(ctx, eventRuns, nil)
	return strings.Join(remains, " "), err
}

// Report returns the digest of a run, without nil lists.
func (a *API) Report(id string) (d research.Digest, err error) {
	defer recovered(&err)
	_, home, err := a.open()
	if err != nil {
		return d, err
	}
	return a.digest(home, id)
}

// digest returns the digest of a run; the last one asked for is kept, because its passages are asked for next.
func (a *API) digest(home *desk.Desk, id string) (research.Digest, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.lastID == id && id != "" {
		return a.last, nil
	}
	d, err := home.Digest(id)
	if err != nil {
		return d, err
	}
	a.last, a.lastID = research.Filled(d), id
	return a.last, nil
}

// report is the page of a run as a file, for a frame of the window.
func (a *API) report(_ context.Context, id string) (page []byte, err error) {
	defer recovered(&err)
	_, d, err := a.open()
	if err != nil {
		return nil, err
	}
	return d.ReportPage(id)
}

// Passage returns the kept text of a source around a passage, around bytes on either side at most.
func (a *API) Passage(id, passage string, around int) (k KeptPage, err error) {
	defer recovered(&err)
	_, d, err := a.open()
	if err != nil {
		return k, err
	}
	digest, err := a.digest(d, id)
	if err != nil {
		return k, err
	}
	return keptPage(digest, passage, around, func(sha string) (string, error) { return d.Text(id, sha) })
}

// Recompute audits a run: every number, verdict and citation from the record alone.
func (a *API) Recompute(id string) (r Recomputed, err error) {
	defer recovered(&err)
	r.Faults = []AuditFault{}
	_, d, err := a.open()
	if err != nil {
		return r, err
	}
	began := time.Now()
	report, err := d.Audit(id, false)
	r.Checked, r.TookMs = report.Checked, time.Since(began).Milliseconds()
	for _, f := range report.Faults {
		r.Faults = append(r.Faults, AuditFault{Where: f.Where, What: f.What})
	}
	return r, err
}

// Export makes the file of a form (one of [render.Forms] by its name, digest or run) in the run's folder and returns where it is. A
// page is opened in the browser too.
func (a *API) Export(id, form string) (path string, err error) {
	defer recovered(&err)
	ctx, d, err := a.open()
	if err != nil {
		return "", err
	}
	if id, err = d.FindRun(id); err != nil {
		return "", err
	}
	if path, err = d.ExportAs(id, form); err == nil && form == "html" {
		a.outside.browse(ctx, (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String())
	}
	return path, err
}

// OpenLink opens a web page in the person's browser. Nothing but http and https is opened.
func (a *API) OpenLink(link string) (err error) {
	defer recovered(&err)
	ctx := a.context()
	u, perr := url.Parse(link)
	switch {
	case ctx == nil:
		return errClosed
	case perr != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("%.80q is no web page, so it was not opened", link)
	}
	a.outside.browse(ctx, u.String())
	return nil
}

// ChooseFolder asks the person for a folder; empty when they chose none.
func (a *API) ChooseFolder() (dir string, err error) {
	defer recovered(&err)
	ctx := a.context()
	if ctx == nil {
		return "", errClosed
	}
	return a.outside.folder(ctx)
}

// ChooseFiles asks the person for files; empty when they chose none.
func (a *API) ChooseFiles() (files []string, err error) {
	defer recovered(&err)
	ctx := a.context()
	if ctx == nil {
		return []string{}, errClosed
	}
	files, err = a.outside.files(ctx)
	if files == nil {
		files = []string{}
	}
	return files, err
}

// row is the line of one run.
func row(d *desk.Desk, id string) (RunRow, error) {
	info, err := d.Run(id)
	return RunRow{RunInfo: info, Live: d.Job(id) != nil}, err
}

// wailsWindow is the real window system.
type wailsWindow struct{}

// emit waits until the page was told, so that events keep their order; but not beyond the window's end, at which the thread that
// tells the page waits for us.
func (wailsWindow) emit(ctx context.Context, name string, data any) {
	if ctx.Err() != nil {
		return
	}
	told := make(chan struct{})
	go func() {
		defer close(told)
		runtime.EventsEmit(ctx, name, data)
	}()
	select {
	case <-told:
	case <-ctx.Done():
	}
}
func (wailsWindow) browse(ctx context.Context, url string) { runtime.BrowserOpenURL(ctx, url) }

func (wailsWindow) folder(ctx context.Context) (string, error) {
	return runtime.OpenDirectoryDialog(ctx, runtime.OpenDialogOptions{Title: "Add a folder to the library"})
}

func (wailsWindow) files(ctx context.Context) ([]string, error) {
	return runtime.OpenMultipleFilesDialog(ctx, runtime.OpenDialogOptions{Title: "Attach files"})
}

func (wailsWindow) modelFile(ctx context.Context) (string, error) {
	return runtime.OpenFileDialog(ctx, runtime.OpenDialogOptions{
		Title: "Choose a model file", Filters: []runtime.FileFilter{{DisplayName: "Models (*.gguf)", Pattern: "*.gguf"}},
	})
}
