package desk

import (
	"context"
	"fmt"
	"strings"

	"assay/engine/ollama"
	"assay/gpu"
)

// spot is where the model of a channel is loaded and how: what is watched during a run and what a load is compared with.
type spot struct {
	admin *ollama.Admin
	own   bool // Assay started the server
	name  string
	info  ollama.Info
	why   string   // this model, one or two sentences without figures of the moment: they go into the report
	words []string // the whole plan in sentences, for the record
	warn  string   // what the person should know before the run
	later string   // it fits only once other programs give memory back
	// spills says that a part is expected to run from main memory, because it was insisted on or nothing smaller is there: then
	// that is no alarm.
	spills bool
	// retune is the cache type with which the managed server has to be started first; "" when it is right as it is.
	retune gpu.KVType
	shape  gpu.Model
	load   gpu.Load
	room   gpu.Plan // what the cards must have free; Bytes 0: they are not watched
	before freeMemory
}

// pin is the load as a channel sends it.
func (s *spot) pin() pinnedLoad { return pinnedLoad{NumCtx: s.load.Context, NumBatch: s.load.Batch} }

// settle takes in what the server says of the model and the window that the channel really sends.
func (s *spot) settle(info ollama.Info, numCtx int) {
	s.info = info
	if s.name == "" {
		s.name = info.Name
	}
	s.load.Context = numCtx
}

// freeMemory is what the cards had free at a moment, and what the loaded models held of them.
type freeMemory struct {
	usable *int64 // nil when not known
	models []gpu.Loaded
}

func freeNow(ctx context.Context, s *gpu.Sampler) freeMemory {
	var f freeMemory
	if s.Status == nil {
		return f
	}
	if f.usable, _ = s.Status(ctx).Usable(); f.usable == nil || s.Models == nil {
		return f
	}
	models, err := s.Models(ctx)
	if err != nil {
		f.usable = nil // what models held is then not known, and free memory alone says nothing
	}
	f.models = models
	return f
}

// fell is by how much free memory fell for a model that was loaded between two moments; nil when that cannot be told.
func (f freeMemory) fell(after freeMemory, name string) *int64 {
	if f.usable == nil || after.usable == nil {
		return nil
	}
	n := *f.usable - *after.usable
	for _, m := range f.models {
		switch {
		case sameModel(m.Name, name):
			return nil // it was there before
		case gpu.StateOf(m.Name, after.models) == gpu.NotLoaded:
			n += m.VRAM // it was let go for this one
		}
	}
	return &n
}

// findSpot plans where the model of a run is loaded: the one of this name, or the one that the plan chooses. On a machine whose
// cards' memory is not known it asks the server nothing, and the spot has no name.
//
// With asis the managed server is taken as it is, and not started anew for another cache type.
//
// The questions go through the run's own client, so that those to another machine are in its outbox.
func (d *Desk) findSpot(ctx context.Context, a *ollama.Admin, base string, own, asis bool, name string, at pinnedLoad) (*spot, error) {
	s := &spot{admin: a, own: own}
	sampler := d.wire.memory(a)
	if !loopback(base) {
		return s, nil
	}
	status := sampler.Status(ctx)
	if !plannable(gpu.Machine{Devices: status.Devices()}, d.Settings().policy(nil)) {
		return s, nil
	}
	s.before = freeNow(ctx, sampler)
	if at != (pinnedLoad{}) {
		return s, d.findAgain(ctx, s, base, asis, name, at)
	}
	p, err := d.planAt(ctx, a, base, own, asis, name, FitRequest{})
	switch {
	case err != nil && name != "" && ctx.Err() == nil:
		return s, nil // whoever asks for the model says what is wrong with it
	case err != nil:
		return nil, err
	}
	s.words = planWords(p)
	if s.retune = p.Retune; s.retune != "" {
		return s, nil // what is planned holds for the server that is started then
	}
	o, ok := p.chosen()
	if !ok {
		s.warn, s.spills = p.Refusal, true
		return s, nil
	}
	policy := d.Settings().policy(nil)
	s.name, s.shape, s.load = o.Model, p.models[o.Model], o.Estimate.Load
	s.later = p.Later
	if s.spills = s.later == "" && !hasRoom(o, policy); s.spills {
		s.warn = fmt.Sprintf("%s with %s tokens does not fit: about %s of it run from main memory, which is several times slower.", o.Model, gpu.Grouped(o.Context), sizeUnit(o.Over, 0))
	}
	s.why = strings.Join(p.Why[:min(2, len(p.Why))], " ")
	s.room = gpu.Plan{Model: o.Model, Bytes: needed(o.Estimate, p.Machine)}
	return s, nil
}

// findAgain is findSpot for a run that keeps to the window it began with.
func (d *Desk) findAgain(ctx context.Context, s *spot, base string, asis bool, name string, at pinnedLoad) error {
	set := d.Settings()
	list, err := s.admin.List(ctx)
	if err != nil {
		return nil // whoever asks for the model says what is wrong
	}
	machine := d.machineOf(ctx, base, s.own, s.admin, set, list)
	for _, m := range list.Models {
		if !sameModel(m.Name, name) || m.Remote != "" {
			continue
		}
		shape, err := d.shape(ctx, s.admin, m.Info)
		if err != nil {
			return ctx.Err() // it runs without being watched
		}
		s.name, s.shape = m.Name, shape
		l := gpu.Load{Context: at.NumCtx, Batch: at.NumBatch, Parallel: machine.Server.Parallel, KV: or(machine.Server.KV, gpu.F16)}
		policy := set.policy(nil)
		now, ok := cell(shape, machine, policy, l)
		if !ok {
			return nil
		}
		s.load = now.Estimate.Load
		s.room = gpu.Plan{Model: m.Name, Bytes: needed(now.Estimate, machine)}
		if now.Fit != gpu.Spills {
			return nil
		}
		if s.own && !asis && set.kvByPlan() && !d.managed.used() && l.KV != gpu.Q8 {
			then := machine
			then.Server = halved(then.Server)
			l := l
			l.KV = gpu.Q8
			if half, ok := cell(shape, then, policy, l); ok && half.Fit != gpu.Spills && half.Estimate.Load.KV == gpu.Q8 {
				s.retune = gpu.Q8
				return nil
			}
		}
		if then, ok := cell(shape, emptied(machine), policy, l); ok && then.Fit != gpu.Spills {
			s.later = fmt.Sprintf("%s with %s tokens needs %s and lacks %s now, because other programs hold the memory; it fits once they give it back.",
				m.Name, gpu.Grouped(at.NumCtx), sizeUnit(now.Needs, 0), sizeUnit(now.Over, 0))
		} else {
			s.spills = true
		}
		return nil
	}
	return nil
}

// cell is how one load stands to a machine.
func cell(m gpu.Model, machine gpu.Machine, policy gpu.Policy, l gpu.Load) (gpu.Cell, bool) {
	cells := gpu.Table(m, machine, policy, l, []int{l.Context}, []gpu.KVType{or(l.KV, gpu.F16)})
	if len(cells) == 0 && l.KV != gpu.F16 { // the server drops that format for this model
		cells = gpu.Table(m, machine, policy, l, []int{l.Context}, []gpu.KVType{gpu.F16})
	}
	if len(cells) == 0 {
		return gpu.Cell{}, false
	}
	return cells[0], true
}

// needed is what must be free on the cards before a load, or the server moves layers off them.
func needed(e gpu.Estimate, machine gpu.Machine) int64 {
	n := e.Card() + max(e.Margin-e.Of(gpu.PartOverhead)/int64(max(e.Load.Devices, 1)), 0)
	for _, dev := range machine.Devices {
		if dev.Unified {
			return n + e.Host() // one memory for both
		}
	}
	return n
}

// planWords are a plan's sentences in the order in which they are read.
func planWords(p Plan) []string {
	out := append([]string{}, p.Overridden...)
	for _, s := range append(append([]string{p.Refusal}, p.Why...), p.Later, p.Next, p.Better) {
		if s != "" {
			out = append(out, s)
		}
	}
	if p.Measured != "" {
		out = append(out, strings.ToUpper(p.Measured[:1])+p.Measured[1:]+".")
	}
	return append(out, p.Aside...)
}
