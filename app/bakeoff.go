package app

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"assay/app/desk"
	"assay/engine/research"
)

// Bake-offs as the page sees them. One runs until it is done, also when nobody looks; closing the window interrupts it, and it
// can be resumed.

// BakeoffQuery is what the form sends. A zero field is left to the desk.
type BakeoffQuery struct {
	Models    []string `json:"models"`
	Baseline  string   `json:"baseline"`  // extractive, or a model
	Role      string   `json:"role"`      // empty: every role
	Questions []string `json:"questions"` // one each
	Libraries []string `json:"libraries"` // folders
	Runs      int      `json:"runs"`      // of each model
	Depth     string   `json:"depth"`
	NumCtx    int      `json:"num_ctx"` // tokens
	KVType    string   `json:"kv_type"` // as the server was started; empty: not known
}

// BakeoffLine is a line of the list.
type BakeoffLine struct {
	desk.BakeoffInfo
	Live bool              `json:"live"` // this window works on it
	Step *desk.BakeoffTick `json:"step"` // what it is at; nil when it is not live or has not begun a step
}

// BakeoffPage is one bake-off as the page shows it; of its trials the table's rows are there, and what was said on the wire is
// asked for with [API.BakeoffProof].
type BakeoffPage struct {
	Line     BakeoffLine         `json:"line"`
	Request  desk.BakeoffRequest `json:"request"`
	Models   []desk.BakeoffModel `json:"models"`
	Rows     []desk.BakeoffRow   `json:"rows"`
	Verdicts []desk.VerdictLine  `json:"verdicts"`
	Folder   string              `json:"folder"` // of the records of its runs
}

// baking is a bake-off that this window works on.
type baking struct {
	stop context.CancelFunc
	step *desk.BakeoffTick
	told time.Time // when the page heard of it last
}

// Bakeoffs lists the bake-offs, newest first.
func (a *API) Bakeoffs() (list []BakeoffLine, err error) {
	defer recovered(&err)
	list = []BakeoffLine{}
	_, d, err := a.open()
	if err != nil {
		return list, err
	}
	infos, err := d.Bakeoffs()
	for _, info := range infos {
		list = append(list, a.bakeoffLine(info))
	}
	return list, err
}

func (a *API) bakeoffLine(info desk.BakeoffInfo) BakeoffLine {
	a.mu.Lock()
	defer a.mu.Unlock()
	l := BakeoffLine{BakeoffInfo: info}
	if b := a.baking[info.ID]; b != nil {
		l.Live, l.Step = true, b.step
	}
	return l
}

// Bakeoff returns one bake-off with its table and its verdicts.
func (a *API) Bakeoff(id string) (p BakeoffPage, err error) {
	defer recovered(&err)
	_, d, err := a.open()
	if err != nil {
		return p, err
	}
	v, err := d.Bakeoff(id)
	if err != nil {
		return p, err
	}
	infos, err := d.Bakeoffs()
	if err != nil {
		return p, err
	}
	for _, info := range infos {
		if info.ID == v.ID {
			p.Line = a.bakeoffLine(info)
		}
	}
	p.Request, p.Models, p.Rows, p.Verdicts, p.Folder = v.Request, v.Models, v.Rows, v.Verdicts, v.Folder
	if p.Models == nil {
		p.Models = []desk.BakeoffModel{}
	}
	return p, nil
}

// BakeoffProof returns what the raw call of a trial showed of the mode in which the server runs the model; null when none was
// made.
func (a *API) BakeoffProof(id, trial string) (proof *desk.BakeoffProof, err error) {
	defer recovered(&err)
	_, d, err := a.open()
	if err != nil {
		return nil, err
	}
	v, err := d.Bakeoff(id)
	if err != nil {
		return nil, err
	}
	for _, t := range v.Trials {
		if t.ID == trial {
			return t.Proof, nil
		}
	}
	return nil, fmt.Errorf("bake-off %s has no trial %.40q", v.ID, trial)
}

// StartBakeoff begins a bake-off and returns its id. A request that cannot work is refused before anything is kept.
func (a *API) StartBakeoff(q BakeoffQuery) (id string, err error) {
	defer recovered(&err)
	ctx, d, err := a.open()
	if err != nil {
		return "", err
	}
	req := desk.BakeoffRequest{
		Models: q.Models, Baseline: q.Baseline, Role: research.Role(q.Role), Libraries: q.Libraries, Runs: q.Runs, Depth: research.Depth(q.Depth),
		NumCtx: q.NumCtx, KVType: q.KVType,
	}
	for _, text := range q.Questions {
		if text = strings.TrimSpace(text); text != "" {
			req.Questions = append(req.Questions, desk.BakeoffQuestion{Question: text})
		}
	}
	return a.bake(ctx, "", func(ctx context.Context, opt desk.BakeoffOptions) (desk.Bakeoff, error) {
		return d.StartBakeoff(ctx, req, opt)
	})
}

// ResumeBakeoff goes on with a bake-off; with runs higher than before each model is run as often as that.
func (a *API) ResumeBakeoff(id string, runs int) (err error) {
	defer recovered(&err)
	ctx, d, err := a.open()
	if err != nil {
		return err
	}
	_, err = a.bake(ctx, id, func(ctx context.Context, opt desk.BakeoffOptions) (desk.Bakeoff, error) {
		return d.ResumeBakeoff(ctx, id, runs, opt)
	})
	return err
}

// bakeWait is how long a start waits for its first step, or for the fault that keeps it from one: the model server is asked
// first.
const bakeWait = 15 * time.Second

// bake works on a bake-off in the background and returns its id with its first step.
func (a *API) bake(ctx context.Context, id string, work func(context.Context, desk.BakeoffOptions) (desk.Bakeoff, error)) (string, error) {
	window := ctx
	ctx, stop := context.WithCancel(window)
	first, over := make(chan string, 1), make(chan error, 1)
	a.work.Go(func() {
		defer stop()
		defer a.sampler.Running(desk.MemoryPlan{})() // it looks more often meanwhile
		var b desk.Bakeoff
		err := func() (err error) {
			defer recovered(&err)
			b, err = work(ctx, desk.BakeoffOptions{Tell: func(t desk.BakeoffTick) {
				a.tellBakeoff(ctx, t, stop)
				select {
				case first <- t.ID:
				default:
				}
			}})
			return err
		}()
		a.mu.Lock()
		delete(a.baking, b.ID)
		a.mu.Unlock()
		over <- err
		if window.Err() == nil {
			a.outside.emit(window, eventBakeoffs, nil)
			a.changed(window)
		}
	})
	select {
	case id = <-first:
		return id, nil
	case err := <-over:
		return id, err
	case <-time.After(bakeWait):
		return id, nil // the list shows it
	}
}

// bakeoffEvery is the least time between two words about one kind of step: the reading of a library has one for each file.
const bakeoffEvery = 100 * time.Millisecond

// tellBakeoff keeps the step and tells the page.
func (a *API) tellBakeoff(ctx context.Context, t desk.BakeoffTick, stop context.CancelFunc) {
	now := time.Now()
	a.mu.Lock()
	was := a.baking[t.ID]
	known := was != nil
	next := &baking{stop: stop, step: &t, told: now}
	soon := known && was.step.Step == t.Step && t.Step == "library" && now.Sub(was.told) < bakeoffEvery
	if soon {
		next.told = was.told
	}
	a.baking[t.ID] = next
	a.mu.Unlock()
	if soon || ctx.Err() != nil {
		return
	}
	a.outside.emit(ctx, eventBakeoff, t)
	if !known || t.Step == "judge" || t.Question > 0 {
		a.outside.emit(ctx, eventBakeoffs, nil)
	}
}

// StopBakeoff interrupts a bake-off; finished trials are kept and it can be resumed.
func (a *API) StopBakeoff(id string) (err error) {
	defer recovered(&err)
	a.mu.Lock()
	b := a.baking[id]
	a.mu.Unlock()
	if b == nil {
		return errors.New("this window does not work on that bake-off")
	}
	b.stop()
	return nil
}

// DeleteBakeoff removes the trials of a bake-off and the records of their runs; its verdicts stay in the changelog and say so. The
// page has asked before.
func (a *API) DeleteBakeoff(id string) (err error) {
	defer recovered(&err)
	ctx, d, err := a.open()
	if err != nil {
		return err
	}
	if _, err := d.DeleteBakeoff(id, true); err != nil {
		return err
	}
	a.outside.emit(ctx, eventBakeoffs, nil)
	return nil
}

// Verdicts is the changelog: all verdicts ever given, or those of one model when it is named.
func (a *API) Verdicts(model string) (c desk.Changelog, err error) {
	defer recovered(&err)
	c.Lines, c.Lost = []desk.VerdictLine{}, []string{}
	ctx, d, err := a.open()
	if err != nil {
		return c, err
	}
	return d.Changelog(ctx, model)
}

// SupersedeVerdict puts into the changelog that a verdict gives way to the later verdict retest, and why. Both stay.
func (a *API) SupersedeVerdict(id, retest, reason string) (err error) {
	defer recovered(&err)
	ctx, d, err := a.open()
	if err != nil {
		return err
	}
	if _, err := d.Supersede(id, retest, reason); err != nil {
		return err
	}
	a.outside.emit(ctx, eventBakeoffs, nil)
	return nil
}
