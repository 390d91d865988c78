package desk

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"assay/engine/ollama"
	"assay/engine/research"
	"assay/gpu"
)

// Relieve does what a person chose for a run that waits because memory is missing: [ChoiceUnload], [ChoiceShrink] or
// [ChoiceWait]. It returns when it is done; the run then goes on by itself as soon as it can. The error says in one sentence why
// the choice does not help, and the run waits on.
func (d *Desk) Relieve(ctx context.Context, id, choice string) error {
	j := d.Job(id)
	if j == nil {
		return usage("run %s is not under way in this program", short(id))
	}
	g := j.guard.Load()
	if g == nil || j.Notice() == nil {
		return usage("run %s is not waiting for memory", id)
	}
	switch choice {
	case ChoiceWait:
		g.stay()
		return nil
	case ChoiceUnload:
		return g.unload(ctx)
	case ChoiceShrink:
		return g.smaller(ctx)
	}
	return usage("choice %q: use unload, shrink or wait", short(choice))
}

// stay waits without an end.
func (g *guard) stay() { g.choose(ChoiceWait) }

// choose notes what was chosen.
func (g *guard) choose(choice string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.notice == nil {
		return
	}
	if g.notice.Choice = choice; choice == ChoiceWait {
		g.notice.UntilMs = 0
	}
	g.tell()
}

// unload lets the other models of the server go, and the run's own when it is not whole on the card.
func (g *guard) unload(ctx context.Context) error {
	spot := g.spotNow()
	loaded, err := spot.admin.Running(ctx)
	if err != nil {
		return err
	}
	var gone []string
	for _, r := range loaded {
		if sameModel(r.Name, spot.name) && (r.SizeVRAM >= r.Size || r.SizeVRAM == 0 && spot.room.Bytes == 0) {
			continue
		}
		if err := spot.admin.Unload(ctx, r.Name); err != nil {
			return err
		}
		gone = append(gone, r.Name)
	}
	if len(gone) == 0 {
		return fmt.Errorf("no model is loaded that could be unloaded: other programs hold the memory; close them, choose a smaller window, or wait")
	}
	g.choose(ChoiceUnload)
	words := "Unloaded " + strings.Join(gone, " and ") + "."
	_ = g.job.note("info", words)
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.notice != nil && (g.notice.Kind == NoticeMemory || spot.room.Bytes == 0) {
		g.release(words + " The run goes on.")
		return nil
	}
	g.poke() // the next look says whether it was enough
	return nil
}

// smaller has the run go on with the longest window that fits now. The engine ends and begins the stage it was in again.
func (g *guard) smaller(ctx context.Context) error {
	g.mu.Lock()
	spot, limits := g.spot, g.limits
	g.mu.Unlock()
	at, err := g.desk.shrunk(ctx, spot, limits)
	if err != nil {
		return err
	}
	g.choose(ChoiceShrink)
	g.mu.Lock()
	g.shrink = &at
	engine := g.engine
	g.mu.Unlock()
	if engine != nil {
		engine(errShrunk)
		return nil // the job goes on with apply
	}
	return g.apply(ctx)
}

// attach says that the engine runs, and how it is ended.
func (g *guard) attach(stop context.CancelCauseFunc) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.engine = stop
	if g.shrink != nil { // chosen a moment ago
		stop(errShrunk)
	}
}

// detach says that the engine has ended.
func (g *guard) detach() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.engine = nil
}

// apply makes the channel with the smaller window, records it as a new setup from the stage on in which the run is, and lets
// calls pass.
func (g *guard) apply(ctx context.Context) error {
	g.mu.Lock()
	at, spot, limits := g.shrink, g.spot, g.limits
	g.shrink = nil
	g.mu.Unlock()
	if at == nil {
		return nil
	}
	ch, err := g.desk.channel(ctx, limits.Name, modelReach(g.job.rec.Request()), *at, g.job.told(g.job.rec.Request().Embedding))
	if err != nil {
		return err
	}
	before := limits.NumCtx
	limits.NumCtx = ch.model.Limits().NumCtx
	ch.spot.spills = ch.spot.spills || spot.spills
	if err := g.job.resize(limits, at.NumBatch); err != nil {
		_ = ch.end()
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.model, g.spot, g.limits = ch.model, ch.spot, limits
	g.close = append(g.close, func() { _ = ch.end() })
	clear(g.muted)
	words := fmt.Sprintf("The run goes on with a window of %s tokens instead of %s; the stage it was in begins again.", gpu.Grouped(limits.NumCtx), gpu.Grouped(before))
	_ = g.job.note("warn", words)
	if g.notice != nil {
		g.release(words)
	}
	return nil
}

// resize records a smaller window. Before the first setup there is nothing to record: that one will say it.
func (j *Job) resize(limits research.Limits, batch int) error {
	setups, err := heldSetups(j.rec)
	if err != nil || len(setups) == 0 {
		return err
	}
	s := setups[len(setups)-1]
	s.Limits, s.NumBatch, s.Plan = limits, batch, nil
	if s.After, err = stagesDone(j.rec); err != nil {
		return err
	}
	return j.append(research.EventSetup, research.SetupKey(len(setups)+1), s)
}

// shrunk is the longest window under the one of the limits that fits now, with what other models would give back.
func (d *Desk) shrunk(ctx context.Context, s *spot, limits research.Limits) (pinnedLoad, error) {
	out := pinnedLoad{TokensPerByte: limits.TokensPerByte}
	if limits.NumCtx <= gpu.MinContext {
		return out, fmt.Errorf("the window of %s tokens cannot be smaller: a research needs %s", gpu.Grouped(limits.NumCtx), gpu.Grouped(gpu.MinContext))
	}
	shape := s.shape
	if shape.Layers == 0 {
		var err error
		if shape, err = d.shape(ctx, s.admin, s.info); err != nil {
			return out, fmt.Errorf("how much memory a smaller window takes is not known: %w", err)
		}
	}
	list, err := s.admin.List(ctx)
	if err != nil {
		return out, err
	}
	set := d.Settings()
	machine := d.machineOf(ctx, list.BaseURL, s.own, s.admin, set, list)
	policy := set.policy(nil)
	least := int64(-1)
	for _, n := range smallerWindows(limits.NumCtx) {
		for _, batch := range smallerBatches(s.load.Batch) {
			l := gpu.Load{Context: n, Batch: batch, Parallel: machine.Server.Parallel, KV: or(machine.Server.KV, gpu.F16)}
			c, ok := cell(shape, machine, policy, l)
			if !ok || c.Fit == gpu.Spills {
				if ok && (least < 0 || c.Over < least) {
					least = c.Over
				}
				continue
			}
			// The reserve may be taken: it is for programs that want room, and they have just taken it.
			out.NumCtx, out.NumBatch = n, batch
			return out, nil
		}
	}
	if least < 0 {
		return out, fmt.Errorf("how much memory a smaller window takes is not known")
	}
	return out, fmt.Errorf("no smaller window fits: with %s tokens %s are missing; unload models or wait", gpu.Grouped(gpu.MinContext), sizeUnit(least, 0))
}

// smallerWindows are those to try under a window, the longest first: halves, down to what a research needs.
func smallerWindows(now int) []int {
	var out []int
	for n := 1 << 17; n >= gpu.MinContext; n /= 2 {
		if n < now {
			out = append(out, n)
		}
	}
	return out
}

// smallerBatches are the batch as it is, and smaller ones.
func smallerBatches(now int) []int {
	out := []int{now}
	for _, n := range []int{512, 256} {
		if n < now || now == 0 {
			out = append(out, n)
		}
	}
	return out
}

// compareTime bounds the questions of a comparison: a run waits for them.
const compareTime = 10 * time.Second

// compared tells how the load compares with its prediction, and learns from it; false when the server does not list the model,
// which may have been let go a moment ago.
func (g *guard) compared(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, compareTime)
	defer cancel()
	spot := g.spotNow()
	loaded, err := spot.admin.Running(ctx)
	if err != nil {
		return true // an old server, or it is gone again: nothing can be compared
	}
	for _, r := range loaded {
		if sameModel(r.Name, spot.name) {
			g.compareWith(ctx, spot, r)
			return true
		}
	}
	return false
}

// compareWith compares with what the server lists of the model.
func (g *guard) compareWith(ctx context.Context, spot *spot, r ollama.Running) {
	shape, err := spot.shape, error(nil)
	if shape.Layers == 0 {
		if shape, err = g.desk.shape(ctx, spot.admin, spot.info); err != nil || len(shape.Missing) > 0 {
			_ = g.job.note("info", fmt.Sprintf("Asked for a window of %s tokens, server reports %s; the description of %s does not say enough to predict its memory.",
				gpu.Grouped(spot.load.Context), windowText(r.ContextLength), spot.name))
			return
		}
	}
	l := spot.load
	if l.Version == "" {
		l.Version, _ = spot.admin.Version(ctx)
		l.Parallel = g.desk.serverOf(spot.own, g.desk.Settings()).Parallel
	}
	if r.SizeVRAM == 0 {
		l.Backend = gpu.Processor
	}
	c := compareLoad(shape, l, r, spot.before.fell(freeNow(ctx, g.desk.wire.memory(spot.admin)), r.Name))
	_ = g.job.note("info", c.text)
	if c.observe == nil {
		return
	}
	if err := g.desk.learn(*c.observe); err != nil {
		_ = g.job.note("warn", capital(err.Error())+".")
	}
}

// capital begins a sentence.
func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}
