package desk

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"assay/engine"
	"assay/engine/ollama"
	"assay/engine/research"
	"assay/gpu"
)

// What a person can choose when memory is missing; see [Desk.Relieve].
const (
	ChoiceUnload = "unload" // let other models go, and the run's own where it is half in main memory, so that it is loaded anew
	ChoiceShrink = "shrink" // go on with a smaller window
	ChoiceWait   = "wait"   // until the memory is there again
)

// NoticeMemory is the kind of a notice that the server itself says: it ran out of memory. The other kinds are those of
// [gpu.AlarmKind].
const NoticeMemory = "out_of_memory"

// Notice says that a run waits because memory is missing.
type Notice struct {
	Kind    string   `json:"kind"`
	Text    string   `json:"text"`    // what is wrong, one sentence
	Do      string   `json:"do"`      // what can be done, one sentence
	Bytes   *int64   `json:"bytes"`   // what is missing; nil when not known
	Choices []string `json:"choices"` // what [Desk.Relieve] takes now, best first
	Choice  string   `json:"choice"`  // what was chosen; "" nothing yet
	SinceMs int64    `json:"since_ms"`
	UntilMs int64    `json:"until_ms"` // when the run goes on as it is unless something is chosen; 0: it waits
}

// TickNotice is the key of a tick whose payload is a [NoticeTick].
const TickNotice = "notice"

// NoticeTick tells followers of a run's notice; nil when it waits no longer.
type NoticeTick struct {
	Notice *Notice `json:"notice"`
}

const (
	defaultPatience = 30 * time.Minute
	// tryAgain is how long a call that the server had no memory for waits before it is sent again while nobody chooses.
	tryAgain = 30 * time.Second
	// sure is how many looks in a row must show a want of memory: while a model is loaded, one may show half of it.
	sure = 2
)

// errShrunk ends the engine so that it goes on with a smaller window.
var errShrunk = errors.New("the run goes on with a smaller window")

// guard is a model channel that lets calls pass only while the model has its memory. While it has not, the run is paused with
// a sentence, and goes on when the memory is back, when a person chose what to do, or when patience is at an end. It also
// compares the first load with its prediction.
//
// A smaller window is a new setup of the run, which is recorded: the engine is ended and begins the stage it was in again, with
// the new limits. So every call of one stage has the same limits, and a replay finds the calls it looks for.
//
// A guard is safe for concurrent use.
type guard struct {
	desk     *Desk
	job      *Job
	patience time.Duration
	poke     func()         // looks at the memory now
	end      func()         // ends the watch and waits for it
	compare  atomic.Bool    // the load was compared with its prediction, or is being
	hands    sync.WaitGroup // goroutines

	mu     sync.Mutex
	model  engine.Model
	spot   *spot
	limits research.Limits
	close  []func()
	notice *Notice
	open   chan struct{} // closed while calls may pass
	gone   chan struct{} // closed when the notice is gone; nil without one
	seen   int           // looks in a row that showed a want of memory
	anew   bool          // the model was let go to be loaded whole, and was not whole since
	muted  map[string]bool
	shrink *pinnedLoad
	engine context.CancelCauseFunc // ends the engine; nil while it does not run
}

// newGuard stands before a channel that has a spot, and owns the channel from here on. It watches the cards until it is closed.
func (d *Desk) newGuard(ctx context.Context, j *Job, ch Channel) *guard {
	g := &guard{
		desk: d, job: j, patience: j.opt.Patience, poke: func() {}, end: func() {}, model: ch.model, spot: ch.spot, limits: ch.model.Limits(),
		close: []func(){func() { _ = ch.end() }}, open: make(chan struct{}), muted: map[string]bool{},
	}
	if g.patience == 0 {
		g.patience = defaultPatience
	}
	close(g.open)
	if ch.spot.room.Bytes > 0 {
		watched, stop := context.WithCancel(ctx)
		samples, poke := d.wire.watch(watched, ch.spot)
		done := make(chan struct{})
		g.poke, g.end = poke, func() { stop(); <-done }
		go func() {
			defer close(done)
			for s := range samples {
				g.see(watched, s)
			}
		}()
	}
	j.guard.Store(g)
	return g
}

// watchMemory is the real watch: a sampler that looks often while the run needs its room. The channel is closed when ctx ends.
func (d *Desk) watchMemory(ctx context.Context, s *spot) (<-chan gpu.Sample, func()) {
	sampler := d.wire.memory(s.admin)
	ended := sampler.Running(s.room)
	samples, _ := sampler.Subscribe() // closed by Run
	go func() {
		defer ended()
		_ = sampler.Run(ctx) // ends with ctx
	}()
	return samples, sampler.Poke
}

// finish ends the watch and closes the channels.
func (g *guard) finish() error {
	g.end()
	g.mu.Lock()
	g.forget()
	closers := g.close
	g.close = nil
	g.mu.Unlock()
	g.hands.Wait()
	for _, c := range closers {
		c()
	}
	return nil
}

// Limits implements the engine's Model. They stay what they are while the engine runs: prompts are cut to them, and a resumed or
// replayed run asks the same only when they do not move.
func (g *guard) Limits() research.Limits {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.limits
}

// keep pins the limits.
func (g *guard) keep(limits research.Limits) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.limits = limits
}

// planned are the plan in sentences and the batch that is sent.
func (g *guard) planned() ([]string, int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.spot.words, g.spot.load.Batch
}

// current is the channel now.
func (g *guard) current() engine.Model {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.model
}

// Embed implements the engine's Model.
func (g *guard) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if err := g.pass(ctx); err != nil {
		return nil, err
	}
	return g.current().Embed(ctx, texts)
}

// Wait implements the engine's Waiter.
func (g *guard) Wait(ctx context.Context) error {
	if w, ok := g.current().(engine.Waiter); ok {
		return w.Wait(ctx)
	}
	return ctx.Err()
}

// Chat implements the engine's Model. A call for which the server has no memory waits with the run and is sent again; when
// nobody helped, its error goes to the engine, which has the extractive channel answer and says so.
func (g *guard) Chat(ctx context.Context, call research.Call) (research.Answer, error) {
	if err := g.pass(ctx); err != nil {
		return research.Answer{}, err
	}
	for {
		a, err := g.current().Chat(ctx, call)
		switch {
		case err == nil:
			g.answered(ctx)
			return a, nil
		case ctx.Err() != nil || !errors.Is(err, ollama.ErrMemory):
			return a, err
		}
		gone, ok := g.lacks(err)
		if !ok {
			return a, err
		}
		later, stop := g.desk.wire.after(tryAgain)
		select {
		case <-gone:
		case <-later:
		case <-ctx.Done():
		}
		stop()
		if ctx.Err() != nil {
			return a, ctx.Err()
		}
	}
}

// pass waits until calls may pass.
func (g *guard) pass(ctx context.Context) error {
	g.mu.Lock()
	open := g.open
	g.mu.Unlock()
	select {
	case <-open:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// before pauses a run whose model has no room now, before it is loaded.
func (g *guard) before(ctx context.Context) error {
	g.mu.Lock()
	spot := g.spot
	if spot.later != "" && g.notice == nil {
		g.raise(Notice{Kind: string(gpu.AlarmRoomTaken), Text: spot.later, Do: "Close the programs that hold it, choose a smaller window, or wait."})
	}
	g.mu.Unlock()
	return g.pass(ctx)
}

// lacks pauses the run because the server ran out of memory; false when that was waited for in vain before. The channel is
// closed when calls may pass again.
func (g *guard) lacks(err error) (<-chan struct{}, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.muted[NoticeMemory] {
		return nil, false
	}
	if g.notice == nil {
		g.raise(Notice{Kind: NoticeMemory, Text: capital(err.Error()) + ".", Do: "Unload other models, close programs that use the memory, choose a smaller window, or wait."})
	}
	return g.open, true
}

// answered takes in that the model answered: it has its memory.
func (g *guard) answered(ctx context.Context) {
	g.mu.Lock()
	delete(g.muted, NoticeMemory)
	if g.notice != nil && g.notice.Kind == NoticeMemory {
		g.release("The model answers again; the run goes on.")
	}
	g.mu.Unlock()
	if g.compare.CompareAndSwap(false, true) && !g.compared(ctx) {
		g.compare.Store(false) // the next answer sees it
	}
}

// raise pauses the run. The caller holds mu.
func (g *guard) raise(n Notice) {
	n.SinceMs = time.Now().UnixMilli()
	n.UntilMs = n.SinceMs + g.patience.Milliseconds()
	n.Choices = g.choices(n)
	g.notice, g.open, g.gone = &n, make(chan struct{}), make(chan struct{})
	// A state that cannot be kept ends nothing: the next step meets the same disk.
	_ = g.job.state("paused", n.Text+" "+n.Do, 0)
	g.tell()
	gone := g.gone
	timer, stop := g.desk.wire.after(g.patience)
	g.hands.Go(func() {
		defer stop()
		select {
		case <-timer:
			g.expire(gone)
		case <-gone:
		}
	})
}

// choices are what can be done about a notice, best first.
func (g *guard) choices(n Notice) []string {
	out := []string{ChoiceWait}
	if g.limits.NumCtx > gpu.MinContext {
		out = append([]string{ChoiceShrink}, out...)
	}
	if n.Kind != string(gpu.AlarmStale) && n.Kind != string(gpu.AlarmNotReleased) {
		out = append([]string{ChoiceUnload}, out...)
	}
	return out
}

// expire lets the run go on as it is: nobody chose.
func (g *guard) expire(gone chan struct{}) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.notice == nil || g.gone != gone || g.notice.Choice == ChoiceWait {
		return
	}
	g.muted[g.notice.Kind] = true
	_ = g.job.note("warn", fmt.Sprintf("Nobody chose what to do within %s, so the run goes on as it is: %s", g.patience, g.notice.Text))
	g.release("The run goes on as it is.")
}

// release lets calls pass and says why. The caller holds mu.
func (g *guard) release(why string) {
	g.forget()
	_ = g.job.state("running", why, 0)
	g.tell()
}

// forget drops the notice. The caller holds mu.
func (g *guard) forget() {
	if g.notice == nil {
		return
	}
	g.notice, g.seen = nil, 0
	close(g.open)
	close(g.gone)
}

// tell has followers see the notice. The caller holds mu.
func (g *guard) tell() { g.job.news.tick(TickNotice, NoticeTick{g.copied()}) }

func (g *guard) copied() *Notice {
	if g.notice == nil {
		return nil
	}
	n := *g.notice
	n.Choices = slices.Clone(n.Choices)
	return &n
}

// Notice says that the run waits because memory is missing; nil when it does not.
func (j *Job) Notice() *Notice {
	g := j.guard.Load()
	if g == nil {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.copied()
}

// see takes in a look at the memory.
func (g *guard) see(ctx context.Context, s gpu.Sample) {
	g.mu.Lock()
	p, known := g.problem(s)
	if gpu.StateOf(g.spot.name, s.Models) == gpu.OnCard {
		g.anew = false
		delete(g.muted, string(gpu.AlarmHalfOnCPU))
	}
	switch {
	case !known:
	case p == nil:
		g.seen = 0
		delete(g.muted, string(gpu.AlarmRoomTaken))
		if g.notice != nil && g.notice.Kind != NoticeMemory {
			g.release("The memory is there again; the run goes on.")
		}
	case g.muted[p.Kind]:
	case g.notice != nil:
		if g.notice.Kind != NoticeMemory && g.notice.Text != p.Text {
			g.notice.Kind, g.notice.Text, g.notice.Do, g.notice.Bytes = p.Kind, p.Text, p.Do, p.Bytes
			g.tell()
		}
	default:
		if g.seen++; g.seen < sure {
			g.mu.Unlock()
			g.poke()
			return
		}
		g.raise(*p)
	}
	renew := g.notice != nil && g.notice.Kind == string(gpu.AlarmHalfOnCPU) && g.roomFor(s) && !g.anew
	g.anew = g.anew || renew
	g.mu.Unlock()
	if renew {
		// There is room for all of it: loaded anew, it should be whole. What fails here is seen at the next look, and is not
		// tried twice: a server that does not use the card would be made to load for ever.
		_ = g.spotNow().admin.Unload(ctx, g.spotNow().name)
		g.poke()
	}
}

func (g *guard) spotNow() *spot {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.spot
}

// problem is what a look shows to be wrong for this run; known is false when the look does not tell. The caller holds mu.
func (g *guard) problem(s gpu.Sample) (p *Notice, known bool) {
	if s.Server != "" {
		return nil, false
	}
	half := slices.ContainsFunc(s.Models, func(m gpu.Loaded) bool { return m.Name == g.spot.name && m.VRAM < m.Size })
	for _, a := range s.Alarms {
		switch a.Kind {
		case gpu.AlarmRoomTaken:
			if g.spot.spills {
				continue
			}
		case gpu.AlarmHalfOnCPU:
			if g.spot.spills || !half {
				continue // another model's, or as expected
			}
		}
		n := &Notice{Kind: string(a.Kind), Text: a.Text + ".", Do: a.Do, Bytes: a.Bytes}
		if a.Kind == gpu.AlarmHalfOnCPU && g.anew && g.roomFor(s) {
			n.Do = "The card has room for all of it and the server does not use it: look at the server's log, and restart the server."
		}
		return n, true
	}
	return nil, true
}

// roomFor reports whether all of the run's model has room, with what it holds itself and what other models would give back.
// The caller holds mu.
func (g *guard) roomFor(s gpu.Sample) bool {
	usable, _ := s.Status.Usable()
	if usable == nil || g.spot.room.Bytes <= 0 {
		return false
	}
	room := *usable
	for _, m := range s.Models {
		room += m.VRAM
	}
	return room >= g.spot.room.Bytes
}
