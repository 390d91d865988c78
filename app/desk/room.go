package desk

import (
	"context"
	"fmt"
	"math"
	"slices"

	"assay/engine/ollama"
	"assay/gpu"
)

// What fits, for those who show it: all models of the server in one table, one of them part by part, and one that is not here
// yet. The plan, which chooses, is in plan_model.go.

// The planner's nouns, for those who see the desk only.
type (
	PlanDecision = gpu.Decision
	PlanOption   = gpu.Option
	MemoryPart   = gpu.Part
	FitCell      = gpu.Cell
)

// roomContexts are the windows of the table, in tokens.
var roomContexts = []int{4096, 8192, 16384, 32768, 65536, 131072}

// roomKV are the cache types of a model's own table.
var roomKV = []gpu.KVType{gpu.F16, gpu.Q8, gpu.Q4}

// RoomTable says for every model of the server what it takes at each window. Sizes are bytes.
type RoomTable struct {
	Contexts []int
	KV       gpu.KVType // that the server uses
	Card     bool       // it is about the memory of cards; otherwise about the machine's
	Free     *int64     // for models, those that are loaded counted as gone; nil when it is not known
	Reserve  int64      // to be left free
	Rows     []RoomRow  // in the server's order
}

// RoomRow is a model's line of the table.
type RoomRow struct {
	Model string
	Cells []FitCell // as far as the model goes
	Fault string    // why there is none, a sentence
}

// ModelRoom is what one model takes, part by part.
type ModelRoom struct {
	Shape    gpu.Model
	Estimate gpu.Estimate
	Card     bool
	Cells    []FitCell // windows by cache types
	Measured LoadCheck
}

// LoadCheck is a load beside its prediction.
type LoadCheck struct {
	// Text is what the server says of the model that is loaded, or what an earlier load showed; "" when it never was loaded.
	Text string
	// Checked says that what it says was measured, and not the server's own estimate; Close that it is within 5 % of the
	// prediction, and that the window is the one that was asked for.
	Checked, Close bool
}

// ground is what every answer about room stands on: the server, what it has, and the memory.
type ground struct {
	admin   *ollama.Admin
	list    ollama.Models
	machine gpu.Machine
	policy  gpu.Policy
	known   gpu.Calibration
	load    gpu.Load // as the server loads: window and cache type left open
	kv      gpu.KVType
}

// ground looks at the server and at the memory.
func (d *Desk) ground(ctx context.Context) (ground, error) {
	a, base, own, err := d.planAdmin(ctx)
	if err != nil {
		return ground{}, err
	}
	list, err := a.List(ctx)
	if err != nil {
		return ground{}, err
	}
	set := d.Settings()
	known, _ := d.calibration() // a damaged one is said by the plan
	g := ground{admin: a, list: list, machine: d.machineOf(ctx, base, own, a, set, list), policy: set.policy(known), known: known, kv: gpu.F16}
	if kv := g.machine.Server.KV; kv != "" {
		g.kv = kv
	}
	g.load = gpu.Load{Parallel: max(1, g.machine.Server.Parallel), Flash: g.machine.Server.Flash, Version: list.Version}
	return g, nil
}

// card reports whether models go to a card here.
func (g ground) card() bool { return len(g.machine.Devices) > 0 }

// free is what models may take together when none is loaded, nil where a part of it is not known.
func (g ground) free() *int64 {
	if !g.card() {
		return g.machine.MemoryFree
	}
	var sum int64
	for _, dev := range g.machine.Devices {
		if dev.Free == nil {
			return nil
		}
		sum += *dev.Free
	}
	for _, r := range g.machine.Loaded {
		sum += r.Bytes
	}
	return &sum
}

// Reserve is what a plan leaves free on the first card, in bytes.
func (d *Desk) Reserve(p Plan) int64 {
	return ground{machine: p.Machine, policy: d.Settings().policy(nil)}.reserve()
}

// reserve is what is left free on the first card, or of the machine's memory.
func (g ground) reserve() int64 {
	share := g.policy.Reserve
	if g.card() {
		if own := g.policy.PerDevice[g.machine.Devices[0].Index].Reserve; own != (gpu.Share{}) {
			share = own
		}
	}
	switch {
	case share.None:
		return 0
	case share.MiB > 0:
		return share.MiB << 20
	case share.Percent > 0 && g.card() && g.machine.Devices[0].Total != nil:
		return *g.machine.Devices[0].Total / 100 * int64(share.Percent)
	}
	return gpu.DefaultReserve
}

// cells is a model's table for one cache type, or for f16 where the server would drop that type for the model.
func (g ground) cells(m gpu.Model, contexts []int, kv gpu.KVType) []FitCell {
	cells := gpu.Table(m, g.machine, g.policy, g.load, within(m, contexts), []gpu.KVType{kv})
	if len(cells) == 0 && kv != gpu.F16 {
		cells = gpu.Table(m, g.machine, g.policy, g.load, within(m, contexts), []gpu.KVType{gpu.F16})
	}
	return cells
}

// within are the windows that a model goes to; its own limit when that is below them all.
func within(m gpu.Model, contexts []int) []int {
	if m.ContextLimit <= 0 {
		return contexts
	}
	out := slices.DeleteFunc(slices.Clone(contexts), func(c int) bool { return c > m.ContextLimit })
	if len(out) == 0 {
		out = []int{m.ContextLimit}
	}
	return out
}

// RoomTable says for every model of the server what it takes at each window. It loads nothing. The error wraps
// [research.ErrUnavailable] when no server answers.
func (d *Desk) RoomTable(ctx context.Context) (RoomTable, error) {
	ctx, cancel := context.WithTimeout(ctx, planTime)
	defer cancel()
	g, err := d.ground(ctx)
	if err != nil {
		return RoomTable{}, err
	}
	t := RoomTable{Contexts: roomContexts, KV: g.kv, Card: g.card(), Free: g.free(), Reserve: g.reserve(), Rows: []RoomRow{}}
	for _, m := range g.list.Models {
		row := RoomRow{Model: m.Name}
		switch shape, err := d.shape(ctx, g.admin, m.Info); {
		case ctx.Err() != nil:
			return t, context.Cause(ctx)
		case m.Remote != "":
			row.Fault = "It runs on " + m.Remote + " and not on this machine."
		case err != nil:
			row.Fault = fmt.Sprintf("It cannot be estimated: %v.", err)
		default:
			row.Cells = g.cells(shape, roomContexts, g.kv)
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}

// ModelRoom says what one model takes at a window, part by part: at the one it is loaded with, or at context, or at the longest
// of use when that is 0.
func (d *Desk) ModelRoom(ctx context.Context, name string, context int) (ModelRoom, error) {
	g, err := d.ground(ctx)
	if err != nil {
		return ModelRoom{}, err
	}
	for _, m := range g.list.Models {
		if !sameModel(m.Name, name) {
			continue
		}
		shape, err := d.shape(ctx, g.admin, m.Info)
		if err != nil {
			return ModelRoom{}, err
		}
		return g.room(shape, m.Running, context), nil
	}
	return ModelRoom{}, usage("the server has no model %s", short(name))
}

// room is what a model takes, and what it was measured to take.
func (g ground) room(m gpu.Model, running *ollama.Running, context int) ModelRoom {
	r := ModelRoom{Shape: m, Card: g.card()}
	l := g.load
	l.KV, l.Context, l.Backend = g.kv, context, gpu.Processor
	if g.card() {
		l.Backend = g.machine.Devices[0].Backend
	}
	if l.Context == 0 {
		l.Context = slices.Max(within(m, []int{gpu.MinContext, usefulContext}))
	}
	if running != nil && running.ContextLength > 0 {
		l.Context = running.ContextLength
	}
	r.Estimate = m.Estimate(l).Calibrated(g.known, m.Digest)
	for _, kv := range roomKV {
		r.Cells = append(r.Cells, gpu.Table(m, g.machine, g.policy, g.load, within(m, roomContexts), []gpu.KVType{kv})...)
	}
	if running != nil {
		r.Measured = measuredNow(m, r.Estimate.Load, *running)
	} else if o, ok := g.known.Find(m.Digest, r.Estimate.Load); ok {
		r.Measured = LoadCheck{measuredText(g.known, m.Digest, r.Estimate.Load), true, near(o.Measured, o.Predicted)}
	}
	return r
}

// measuredNow holds what the server says of a loaded model against the prediction.
func measuredNow(m gpu.Model, l gpu.Load, ps ollama.Running) LoadCheck {
	said := m.Reported(l)
	measured, predicted := ps.Size, said.Size
	if l.Backend != gpu.Processor {
		measured, predicted = ps.SizeVRAM, said.VRAM
	}
	asked := ps.ContextLength == 0 || ps.ContextLength == l.Context
	return LoadCheck{compareLoad(m, l, ps, nil).text, said.Measured, asked && near(measured, predicted)}
}

// near reports whether a measurement is within 5 % of a prediction.
func near(measured, predicted int64) bool {
	return math.Abs(float64(measured-predicted)) <= 0.05*float64(predicted)
}

// LoadedParts are the parts of the models that are on the cards now, by name, as far as they can be estimated: without what
// the driver takes, which the server does not count.
func (d *Desk) LoadedParts(ctx context.Context) (map[string][]MemoryPart, error) {
	g, err := d.ground(ctx)
	if err != nil {
		return nil, err
	}
	out := map[string][]MemoryPart{}
	for _, m := range g.list.Models {
		if m.Running == nil || m.Running.SizeVRAM == 0 {
			continue
		}
		if shape, err := d.shape(ctx, g.admin, m.Info); err == nil {
			parts := g.room(shape, m.Running, 0).Estimate.Parts
			out[m.Running.Name] = slices.DeleteFunc(slices.Clone(parts), func(p gpu.Part) bool { return p.Kind == gpu.PartOverhead })
		}
	}
	return out, nil
}

// PlanCheck holds the plan's model against what the server says of it; its text is empty while the model is not loaded.
func (d *Desk) PlanCheck(ctx context.Context, p Plan) (LoadCheck, error) {
	o, ok := p.chosen()
	if !ok {
		return LoadCheck{}, nil
	}
	a, _, _, err := d.planAdmin(ctx)
	if err != nil {
		return LoadCheck{}, err
	}
	running, err := a.Running(ctx)
	if err != nil {
		return LoadCheck{}, err
	}
	for _, r := range running {
		if sameModel(r.Name, o.Model) {
			return measuredNow(p.models[o.Model], o.Estimate.Load, r), nil
		}
	}
	return LoadCheck{}, nil
}

// Room says in a sentence whether a well-known model would fit here, by the catalogue; "" for one that it does not know.
func (d *Desk) Room(ctx context.Context, name string) (fit gpu.Fit, text string, err error) {
	m, err := gpu.Known(name)
	if err != nil {
		return gpu.Unknown, "", nil // its text would be about the catalogue and not about the model
	}
	g, err := d.ground(ctx)
	if err != nil {
		return gpu.Unknown, "", err
	}
	var least, most *FitCell
	for _, c := range g.cells(m, append([]int{gpu.MinContext}, roomContexts[2:]...), g.kv) {
		if least == nil {
			least = &c
		}
		if c.Fit == gpu.Fits {
			most = &c
		}
	}
	where := "system memory"
	if g.card() {
		where = "the GPU"
	}
	switch {
	case least == nil:
		return gpu.Unknown, "", nil
	case most != nil:
		return gpu.Fits, fmt.Sprintf("Fits with up to %s tokens: about %s of %s.", gpu.Grouped(most.Context), gibText(most.Needs), where), nil
	case least.Fit == gpu.InReserve:
		return least.Fit, fmt.Sprintf("Fits only inside the reserve: about %s of %s with %s tokens.", gibText(least.Needs), where, gpu.Grouped(least.Context)), nil
	case least.Fit == gpu.Spills && g.card():
		return least.Fit, fmt.Sprintf("Will not fit wholly: about %s would run from system memory, several times slower.", gibText(least.Over)), nil
	case least.Fit == gpu.Spills:
		return least.Fit, fmt.Sprintf("Will not fit: about %s of system memory are missing.", gibText(least.Over)), nil
	}
	return least.Fit, fmt.Sprintf("About %s of %s with %s tokens; whether it fits is not known.", gibText(least.Needs), where, gpu.Grouped(least.Context)), nil
}

func gibText(n int64) string { return fmt.Sprintf("%.1f GiB", gib(n)) }

// UsePlan keeps what a person chose instead of the plan: a model with a window, and whether it may take the reserve.
func (d *Desk) UsePlan(model string, context int, reserve bool) error {
	set := d.Settings()
	set.Model, set.Memory.Context, set.Memory.UseReserve = "ollama:"+model, context, reserve
	return d.SetSettings(set)
}

// ResetPlan lets the plan choose again.
func (d *Desk) ResetPlan() error {
	set := d.Settings()
	set.Model, set.Memory.Context, set.Memory.Batch, set.Memory.UseReserve = "", 0, 0, false
	return d.SetSettings(set)
}

// PlanChosen reports whether the person insists on something that [Desk.ResetPlan] takes back.
func (d *Desk) PlanChosen() bool {
	set := d.Settings()
	return set.Model != "" && set.Model != "auto" || set.Memory.Context != 0 || set.Memory.Batch != 0 || set.Memory.UseReserve
}
