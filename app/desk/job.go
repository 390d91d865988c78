package desk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync/atomic"

	"assay/engine"
	"assay/engine/research"
	"assay/engine/store"
)

// Exit codes of a run (the terminal's contract).
const (
	ExitDone        = 0
	ExitFault       = 1
	ExitUsage       = 2
	ExitNoFinding   = 3 // no finding, or a web run under its floors
	ExitModel       = 4 // model or server unavailable
	ExitInterrupted = 5 // can be resumed
)

// Why a run was ended from outside: causes of its context.
var (
	errPaused      = errors.New("paused")
	errStopped     = errors.New("stopped by the person")
	errInterrupted = errors.New("interrupted")
)

// Result is how a run ended.
type Result struct {
	State  research.StateNews
	Exit   int
	Err    error            // nil when State is done
	Digest *research.Digest // nil when there is no report
	Files  []string         // of the report, the folder the person named first
	// Difference is what changed since the run that it was held against; nil without one, and without a report.
	Difference *research.Difference
}

// Job is a run that this program works on. It is safe for concurrent use.
type Job struct {
	id       string
	desk     *Desk
	rec      *store.Record
	opt      StartOptions
	cancel   context.CancelCauseFunc
	done     chan struct{}
	guard    atomic.Pointer[guard] // nil before the channel is chosen, and when no server answers
	news     hub
	approval approval
	pages    soFarPages
	against  edition     // zero: none
	looking  atomic.Bool // sources of the earlier report are looked at again
	looks    map[string]research.SourceLook
	result   Result // set before done is closed
}

// ID returns the run's id.
func (j *Job) ID() string { return j.id }

// Request returns what was asked, completed by the settings.
func (j *Job) Request() research.Request { return j.rec.Request() }

// Dir returns the run's folder.
func (j *Job) Dir() string { return j.desk.store.Dir(j.id) }

// Pause ends the run for now; [Desk.Resume] goes on with it.
func (j *Job) Pause() { j.cancel(errPaused) }

// Cancel ends the run. What was found is kept, and it can be resumed all the same.
func (j *Job) Cancel() { j.cancel(errStopped) }

// Interrupt ends the run because the program ends.
func (j *Job) Interrupt() { j.cancel(errInterrupted) }

// Done is closed when the run has ended and its files are written.
func (j *Job) Done() <-chan struct{} { return j.done }

// Wait returns how the run ended, or ctx's error when that comes first.
func (j *Job) Wait(ctx context.Context) (Result, error) {
	select {
	case <-j.done:
		return j.result, nil
	case <-ctx.Done():
		return Result{}, ctx.Err()
	}
}

// run does the work and says how it ended.
func (j *Job) run(ctx context.Context) {
	defer close(j.done)
	defer j.cancel(nil)
	ctx = onHost(ctx, j.opt.host)
	res, held := j.ended()
	if !held {
		res = j.research(ctx)
	}
	res = j.deliver(res, held)
	j.fileWatch()
	err := j.rec.Close()
	if err != nil && res.Err == nil {
		res.Err, res.Exit = err, ExitFault
	}
	j.desk.mu.Lock()
	delete(j.desk.jobs, j.id)
	j.desk.mu.Unlock()
	if !held {
		j.post(res)
	}
	j.result = res
	j.news.wakeAll()
}

// ended returns how a run that is done ended, and whether it is: going on with it writes its files and does nothing else, so that
// it needs neither the model nor the documents.
func (j *Job) ended() (res Result, held bool) {
	state := j.rec.State()
	if state.State != "done" {
		return res, false
	}
	digest, err := j.desk.store.Digest(j.id)
	if err != nil {
		return res, false // the engine makes it again from the record, or says what is wrong
	}
	res = Result{State: state, Exit: state.Exit, Digest: &digest}
	if state.Exit != ExitDone {
		res.Err = errors.New(state.Detail)
	}
	return res, true
}

// research runs the engine.
func (j *Job) research(ctx context.Context) Result {
	if err := j.state("running", "", 0); err != nil {
		return j.verdict(ctx, nil, err)
	}
	kit, err := j.desk.wire.kit(ctx, j)
	if err != nil {
		return j.verdict(ctx, nil, err)
	}
	cfg := kit.config
	cfg.Watch = func(research.Event) { j.news.wakeAll() }
	cfg.Code = j.desk.version
	switch {
	case j.opt.Approve != nil:
		cfg.Approve = j.opt.Approve
	case j.opt.Review:
		cfg.Approve = j.review
	}
	stop := j.whileReading(ctx, kit)
	digest, err := j.work(ctx, cfg, kit.guard)
	stop()
	if digest.Schema != 0 {
		j.lookAgain(ctx, cfg.Reader, digest)
	}
	if err = errors.Join(err, kit.close()); digest.Schema == 0 {
		return j.verdict(ctx, nil, err)
	}
	return j.verdict(ctx, &digest, err)
}

func unavailable(err error) bool {
	return errors.Is(err, engine.ErrModelUnavailable) || errors.Is(err, research.ErrUnavailable)
}

// work runs the engine to its end. When memory ran short and a smaller window was chosen, the engine is ended and goes on with
// it over the same record.
func (j *Job) work(ctx context.Context, cfg engine.Config, g *guard) (research.Digest, error) {
	if g == nil {
		return j.engine(ctx, cfg)
	}
	for {
		engineCtx, stop := context.WithCancelCause(ctx)
		g.attach(stop)
		digest, err := j.engine(engineCtx, cfg)
		g.detach()
		shrunk := err != nil && errors.Is(context.Cause(engineCtx), errShrunk)
		stop(nil)
		if !shrunk || ctx.Err() != nil {
			return digest, err
		}
		if err := g.apply(ctx); err != nil {
			return digest, err
		}
	}
}

// engine runs the engine. A fault of the program ends this run and not the program, in which other runs may go on; what was
// recorded is on disk.
func (j *Job) engine(ctx context.Context, cfg engine.Config) (digest research.Digest, err error) {
	defer func() {
		if p := recover(); p != nil {
			digest, err = research.Digest{}, fmt.Errorf("a fault of the program: %v (%s): please report it; what was found is on disk", p, placeOf(debug.Stack()))
		}
	}()
	return j.desk.wire.run(ctx, cfg, j.rec)
}

// placeOf returns the first place of a panic's stack that is in this program.
func placeOf(stack []byte) string {
	_, after, _ := strings.Cut(string(stack), "\npanic(")
	for line := range strings.SplitSeq(after, "\n") {
		if name, ok := strings.CutPrefix(line, "assay/"); ok {
			name, _, _ = strings.Cut(name, "(0x")
			name, _, _ = strings.Cut(name, "({")
			return name
		}
	}
	return "place unknown"
}

// verdict turns the engine's end into a result.
func (j *Job) verdict(ctx context.Context, digest *research.Digest, err error) Result {
	res := Result{Digest: digest, Err: err}
	var short *engine.ShortfallError
	cause := context.Cause(ctx)
	var wrong *UsageError
	switch {
	case err == nil:
		res.State.State = "done"
	case errors.As(err, &wrong):
		res.State, res.Exit = research.StateNews{State: "failed", Detail: err.Error()}, ExitUsage
	case errors.Is(err, engine.ErrNoFinding), errors.As(err, &short):
		res.State, res.Exit = research.StateNews{State: "done", Detail: err.Error()}, ExitNoFinding
		if j.rec.Request().AllowPartial && digest != nil {
			res.Exit, res.Err = ExitDone, nil
		}
	case cause == errPaused:
		res.State, res.Exit = research.StateNews{State: "paused", Detail: "paused; it can be resumed"}, ExitInterrupted
	case cause == errStopped:
		res.State, res.Exit = research.StateNews{State: "stopped", Detail: "stopped; what was found is kept and it can be resumed"}, ExitInterrupted
	case cause == errInterrupted:
		res.State, res.Exit = research.StateNews{State: "interrupted", Detail: "the program ended before the run did; it can be resumed"}, ExitInterrupted
	case unavailable(err), errors.Is(err, research.ErrMissing), errors.Is(err, research.ErrForbidden),
		errors.Is(err, research.ErrHung), errors.Is(err, research.ErrBusy), errors.Is(err, research.ErrServer):
		res.State, res.Exit = research.StateNews{State: "failed", Detail: err.Error()}, ExitModel
	default:
		res.State, res.Exit = research.StateNews{State: "failed", Detail: err.Error()}, ExitFault
	}
	res.State.Exit = res.Exit
	return res
}

// state records that the run's state changed.
func (j *Job) state(state, detail string, exit int) error {
	return j.append(research.EventState, "", research.StateNews{State: state, Detail: detail, Exit: exit})
}

// note records a sentence for the person.
func (j *Job) note(level, text string) error {
	return j.append(research.EventNote, "", research.Note{Level: level, Text: text})
}

func (j *Job) append(kind, key string, v any) error {
	payload, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("record %s: %w", kind, err)
	}
	if _, err := j.rec.Append(research.Event{Kind: kind, Key: key, Payload: payload}); err != nil {
		return err
	}
	j.news.wakeAll()
	return nil
}
