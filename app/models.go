package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"assay/app/desk"
)

// The models of the server as the page sees them. What takes long, a pull or a model made of a file, goes on by itself: it
// stands in the list of jobs until the page forgets it.

// ModelRow is a model of the server.
type ModelRow struct {
	Name          string             `json:"name"`
	Digest        string             `json:"digest"`
	Size          int64              `json:"size"` // bytes on disk
	Family        string             `json:"family"`
	Parameters    string             `json:"parameters"`
	Quantization  string             `json:"quantization"`
	ContextLength int                `json:"context_length"` // tokens; 0 when it is not told
	Capabilities  []string           `json:"capabilities"`
	Embeds        bool               `json:"embeds"`
	Remote        string             `json:"remote"` // the host that the server forwards to; empty for one of its own
	ModifiedMs    int64              `json:"modified_ms"`
	Running       *desk.RunningModel `json:"running"` // nil: not loaded
}

// ModelShelf is what the server has.
type ModelShelf struct {
	Server  string     `json:"server"` // its address
	Version string     `json:"version"`
	Bytes   int64      `json:"bytes"` // on disk, together
	Models  []ModelRow `json:"models"`
	// LoadedKnown says whether the server told what is loaded.
	LoadedKnown bool `json:"loaded_known"`
}

// Models lists what the server has. It starts the server of Assay's own when that is set to be used.
func (a *API) Models() (s ModelShelf, err error) {
	defer recovered(&err)
	s.Models = []ModelRow{}
	ctx, d, err := a.open()
	if err != nil {
		return s, err
	}
	list, err := d.Models(ctx)
	if err != nil {
		return s, err
	}
	s.Server, s.Version, s.Bytes, s.LoadedKnown = list.BaseURL, list.Version, list.Bytes, list.Loaded != nil
	for _, m := range list.Models {
		row := ModelRow{
			Name: m.Name, Digest: m.Digest, Size: m.Size, Family: m.Family, Parameters: m.Parameters, Quantization: m.Quantization,
			ContextLength: m.ContextLength, Capabilities: append([]string{}, m.Capabilities...), Embeds: m.Embeds && !m.Completes, Remote: m.Remote,
			ModifiedMs: m.ModifiedMs, Running: m.Running,
		}
		s.Models = append(s.Models, row)
	}
	return s, nil
}

// LoadModel loads a model with a window of so many tokens, 0 for what the server decides, and keeps it for so many minutes
// after its last use: 0 is as the server decides, -1 until it is unloaded.
func (a *API) LoadModel(name string, numCtx, minutes int) (r desk.RunningModel, err error) {
	defer recovered(&err)
	ctx, d, err := a.open()
	if err != nil {
		return r, err
	}
	defer a.changed(ctx)
	return d.LoadModel(ctx, name, desk.LoadOptions{NumCtx: max(0, numCtx), KeepAlive: time.Duration(minutes) * time.Minute})
}

// UnloadModel has the server let a model go and returns when it has.
func (a *API) UnloadModel(name string) (err error) {
	defer recovered(&err)
	ctx, d, err := a.open()
	if err != nil {
		return err
	}
	defer a.changed(ctx)
	return d.UnloadModel(ctx, name)
}

// ReplacedModel says in a sentence which model would be replaced were its name given to a copy of the model of, or, when of is
// empty, to one made of a file; empty when none would. Then the page asks the person.
func (a *API) ReplacedModel(name, of string) (words string, err error) {
	defer recovered(&err)
	ctx, d, err := a.open()
	if err != nil {
		return "", err
	}
	return d.ReplacedBy(ctx, name, of)
}

// CopyModel gives a model a second name, which takes no room on the disk. A name that stands for another model is refused unless
// replace says that the person agreed to what [API.ReplacedModel] says.
func (a *API) CopyModel(from, to string, replace bool) (err error) {
	defer recovered(&err)
	ctx, d, err := a.open()
	if err != nil {
		return err
	}
	defer a.changed(ctx)
	return d.CopyModel(ctx, from, to, replace)
}

// DeleteModel removes a model from the server's disk. The page has asked the person first.
func (a *API) DeleteModel(name string) (err error) {
	defer recovered(&err)
	ctx, d, err := a.open()
	if err != nil {
		return err
	}
	defer a.changed(ctx)
	return d.DeleteModel(ctx, name, true)
}

// changed tells the page that the list of models is another, and has the machine looked at.
func (a *API) changed(ctx context.Context) {
	a.sampler.Poke()
	if ctx.Err() == nil {
		a.outside.emit(ctx, eventModels, nil)
	}
}

// ChooseModelFile asks the person for a GGUF file; empty when they chose none.
func (a *API) ChooseModelFile() (file string, err error) {
	defer recovered(&err)
	ctx := a.context()
	if ctx == nil {
		return "", errClosed
	}
	return a.outside.modelFile(ctx)
}

// ModelJob is a model that is being pulled, or made of a file, or was.
type ModelJob struct {
	desk.PullProgress
	Kind  string `json:"kind"`  // pull, create
	Over  bool   `json:"over"`  // nothing more comes; the phase says how it ended, and "paused" that it goes on when it is resumed
	Asked string `json:"asked"` // the name as the person wrote it, with which a pull goes on
	Host  string `json:"host"`  // that the person said yes to
}

// jobPaused is the phase of a pull that the person stopped for now.
const jobPaused = "paused"

// modelJob is a job with how it is stopped.
type modelJob struct {
	ModelJob
	stop   func() // nil: it is over
	paused bool   // it was stopped for now
}

// Jobs lists the models that are being pulled or made, and those that were until [API.ForgetJob].
func (a *API) Jobs() (list []ModelJob, err error) {
	defer recovered(&err)
	a.mu.Lock()
	defer a.mu.Unlock()
	list = []ModelJob{}
	for _, name := range sortedKeys(a.jobs) {
		list = append(list, a.jobs[name].ModelJob)
	}
	return list, nil
}

// PullModel begins to pull a model, or goes on where an earlier pull stopped, and returns its job. yesTo is the host that the
// person said yes to, for a name that is not of Ollama's registry.
func (a *API) PullModel(name, yesTo string) (j ModelJob, err error) {
	defer recovered(&err)
	ctx, d, err := a.open()
	if err != nil {
		return j, err
	}
	pull, _, err := d.PullModel(ctx, name, yesTo)
	if err != nil {
		return j, err
	}
	job := &modelJob{ModelJob: ModelJob{PullProgress: pull.Progress(), Kind: "pull", Asked: name, Host: yesTo}, stop: pull.Cancel}
	if !a.beginJob(job) {
		return job.ModelJob, nil // it is followed already
	}
	j = job.ModelJob // from here on the work writes to it
	a.work.Go(func() {
		for {
			changed := pull.Changed()
			a.tellJobs(ctx, job.Name, func(j *modelJob) { j.PullProgress = pull.Progress() })
			select {
			case <-pull.Done():
				a.endPull(ctx, job.Name, pull.Progress())
				return
			case <-changed:
			}
			select {
			case <-time.After(jobsEvery):
			case <-pull.Done():
			}
		}
	})
	return j, nil
}

// beginJob puts a job on the list; false when one of its name is under way.
func (a *API) beginJob(job *modelJob) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if was := a.jobs[job.Name]; was != nil && !was.Over {
		return false
	}
	a.jobs[job.Name] = job
	return true
}

// tellJobs changes a job, or the list of them, and tells the page. change is called with the lock held.
func (a *API) tellJobs(ctx context.Context, name string, change func(*modelJob)) {
	a.mu.Lock()
	if j := a.jobs[name]; j != nil {
		change(j)
	}
	a.mu.Unlock()
	if list, err := a.Jobs(); err == nil && ctx.Err() == nil {
		a.outside.emit(ctx, eventJobs, list)
	}
}

// endPull keeps how a pull ended.
func (a *API) endPull(ctx context.Context, name string, last desk.PullProgress) {
	a.tellJobs(ctx, name, func(j *modelJob) {
		j.PullProgress, j.Over, j.stop = last, true, nil
		if j.paused {
			j.Phase = jobPaused
		}
	})
	a.changed(ctx)
}

// PauseJob stops a pull for now; [API.PullModel] goes on where it was.
func (a *API) PauseJob(name string) (err error) {
	defer recovered(&err)
	return a.stopJob(name, true)
}

// CancelJob stops a job. The server keeps what it fetched of a pull until it is started the next time.
func (a *API) CancelJob(name string) (err error) {
	defer recovered(&err)
	return a.stopJob(name, false)
}

func (a *API) stopJob(name string, pause bool) error {
	a.mu.Lock()
	j := a.jobs[name]
	if j == nil || j.stop == nil {
		a.mu.Unlock()
		return fmt.Errorf("%s is not being fetched in this window any more", name)
	}
	j.paused = pause
	stop := j.stop
	a.mu.Unlock()
	stop()
	return nil
}

// ForgetJob takes a job that is over off the list.
func (a *API) ForgetJob(name string) (err error) {
	defer recovered(&err)
	ctx := a.context()
	if ctx == nil {
		return errClosed
	}
	a.mu.Lock()
	if j := a.jobs[name]; j != nil && j.Over {
		delete(a.jobs, name)
	}
	a.mu.Unlock()
	a.tellJobs(ctx, name, func(*modelJob) {})
	return nil
}

// CreateModel begins to make a model of a GGUF file and returns its job. checksum is the SHA-256 that the file must have; empty
// for any. replace is as in [API.CopyModel].
func (a *API) CreateModel(name, file, checksum string, replace bool) (j ModelJob, err error) {
	defer recovered(&err)
	ctx, d, err := a.open()
	if err != nil {
		return j, err
	}
	work, cancel := context.WithCancel(ctx)
	job := &modelJob{ModelJob: ModelJob{PullProgress: desk.PullProgress{Name: name, Phase: "checking"}, Kind: "create"}, stop: cancel}
	if !a.beginJob(job) {
		cancel()
		return j, fmt.Errorf("%s is being fetched or made already", name)
	}
	fault, late := make(chan error), make(chan struct{})
	defer close(late)
	a.work.Go(func() {
		defer cancel()
		err := a.create(work, d, job.Name, file, checksum, replace)
		end := func(j *modelJob) { endCreate(j, work, err) }
		select {
		case fault <- err: // it is told at once, and a fault stands in no list
			if err != nil {
				end = func(*modelJob) { delete(a.jobs, job.Name) }
			}
		case <-late:
		}
		a.tellJobs(ctx, job.Name, end)
		a.changed(ctx)
	})
	select {
	case err = <-fault:
	case <-time.After(addWait):
	}
	a.mu.Lock() // the work goes on and writes to the job
	defer a.mu.Unlock()
	return job.ModelJob, err
}

// create makes the model and tells how far it is.
func (a *API) create(ctx context.Context, d *desk.Desk, name, file, checksum string, replace bool) (err error) {
	defer recovered(&err)
	var told time.Time
	return d.CreateModel(ctx, name, file, desk.CreateOptions{SHA256: checksum, Replace: replace, Progress: func(phase string, done, total int64) {
		now := time.Now()
		if now.Sub(told) < jobsEvery && done < total {
			return
		}
		told = now
		a.tellJobs(ctx, name, func(j *modelJob) { j.Phase, j.Done, j.Total = phase, done, total })
	}})
}

// endCreate keeps how the making of a model ended.
func endCreate(j *modelJob, ctx context.Context, err error) {
	j.Over, j.stop = true, nil
	switch {
	case err == nil:
		j.Phase, j.Done = "done", j.Total
	case errors.Is(ctx.Err(), context.Canceled):
		j.Phase = "stopped"
	default:
		j.Phase, j.Error = "failed", err.Error()
	}
}
