package desk

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"assay/engine/ollama"
	"assay/engine/research"
	"assay/gpu"
)

// usefulContext is the window from which a longer one buys a research nothing, in tokens: a Reader's call holds 12,000 of
// passages and 3,000 of answer, beside its instructions.
const usefulContext = 16384

// planTime bounds a plan, in which every model is asked about once.
const planTime = 30 * time.Second

// maxPlanned is how many models are considered; the server may have more.
const maxPlanned = 64

// Plan is which model a research would use now and how it would be loaded, with the reasons. Sizes are bytes.
type Plan struct {
	gpu.Decision
	AtMs   int64  `json:"at_ms"`
	Server string `json:"server"` // its address
	// Known says that the free memory of a card is known. Otherwise nothing is planned, Refusal says why, and the rule without
	// a plan holds: Rule is its model, with a window of 8,192 tokens or the model's own.
	Known   bool        `json:"known"`
	Rule    string      `json:"rule,omitempty"`
	Machine gpu.Machine `json:"machine"` // what was planned for
	// Aside are the models that were left out, each with its reason, as sentences.
	Aside []string `json:"aside"`
	// Retune is the cache type with which the server that Assay started is started anew before the plan's model is loaded; "" when
	// it is right as it is.
	Retune gpu.KVType `json:"retune,omitempty"`
	// Better is what another setting of the model server would make possible; "" when nothing.
	Better string `json:"better,omitempty"`
	// Measured is what an earlier load of the plan's model showed; "" when there was none.
	Measured string `json:"measured,omitempty"`
	// Later says that the plan fits only once other programs give memory back: what they hold is missing now.
	Later string `json:"later,omitempty"`

	models map[string]gpu.Model // by name
}

// chosen is the model that writes, with its load; false when nothing is planned.
func (p Plan) chosen() (gpu.Option, bool) {
	if len(p.Options) == 0 {
		return gpu.Option{}, false
	}
	return p.Options[0], true
}

// Plan says which model a research would use now, of those that the model server has, and how: the settings' model if one is
// set. It loads nothing. The error wraps [research.ErrUnavailable] when no server answers.
func (d *Desk) Plan(ctx context.Context) (Plan, error) {
	name := ""
	if kind, rest, _ := strings.Cut(d.Settings().Model, ":"); kind == "ollama" {
		name = rest
	}
	a, base, own, err := d.planAdmin(ctx)
	if err != nil {
		return Plan{}, err
	}
	return d.planAt(ctx, a, base, own, false, name, FitRequest{})
}

// PlanWith is [Desk.Plan] for what is asked and not for what is set: with a free memory that is stated, a window, a cache type, a
// number of calls at once or the rules of a version. The request names no model; the error is a [*UsageError] when it is wrong.
func (d *Desk) PlanWith(ctx context.Context, r FitRequest) (Plan, error) {
	r.Model = "any"
	if err := r.check(); err != nil {
		return Plan{}, err
	}
	if r.Free != "" {
		if _, err := ParseSize(r.Free); err != nil {
			return Plan{}, usage("free memory %w", err)
		}
	}
	a, base, own, err := d.planAdmin(ctx)
	if err != nil {
		return Plan{}, err
	}
	return d.planAt(ctx, a, base, own, true, "", r)
}

// planAdmin is the model server that a research would use, where it is and whether Assay started it.
func (d *Desk) planAdmin(ctx context.Context) (a *ollama.Admin, base string, own bool, err error) {
	if base, own, err = d.modelServer(ctx); err != nil {
		return nil, "", false, err
	}
	a, err = d.admin(ctx)
	return a, base, own, err
}

// planAt plans for the server at base. An empty name lets the plan choose the model; what the request states goes before what
// is so. With asis a server of our own keeps the cache type that it was started with.
func (d *Desk) planAt(ctx context.Context, a *ollama.Admin, base string, own, asis bool, name string, r FitRequest) (Plan, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, planTime, fmt.Errorf("the server at %s did not describe its models within %s: %w", base, planTime, research.ErrHung))
	defer cancel()
	set := d.Settings()
	known, fault := d.calibration()
	policy := set.policy(known)
	p := Plan{AtMs: time.Now().UnixMilli(), Server: base, Aside: []string{}, models: map[string]gpu.Model{}}
	list, err := a.List(ctx)
	if err != nil {
		return p, err
	}
	p.Machine = d.machineOf(ctx, base, own, a, set, list)
	r.state(&p.Machine, &policy)
	if !plannable(p.Machine, policy) {
		p.Decision = gpu.Choose(gpu.Machine{}, nil, nil, policy) // lists that are empty and not nil
		p.Refusal = unplanned(base, p.Machine)
		p.Rule, _ = list.Auto()
		if name != "" {
			p.Rule = name
		}
		return p, nil
	}
	candidates, err := d.candidates(ctx, a, list.Models, name, &p)
	if err != nil {
		return p, err
	}
	for _, c := range candidates {
		p.models[c.Model.Name] = c.Model
		if name != "" && sameModel(c.Model.Name, name) {
			policy.Override.Model = c.Model.Name
		}
	}
	p.Known = true
	if own && !asis && !d.managed.used() {
		p.tune(policy, candidates, set)
	} else {
		p.decide(policy, candidates)
	}
	p.Better = p.better(policy, candidates, own, set)
	p.Overridden = append(p.Overridden, serverWords(set, own)...)
	if fault != "" {
		p.Why = append(p.Why, fault)
	}
	if o, ok := p.chosen(); ok {
		p.Measured = measuredText(known, p.models[o.Model].Digest, o.Estimate.Load)
	} else if p.Rule, _ = list.Auto(); name != "" {
		p.Rule = name
	}
	return p, nil
}

// state puts what was stated in the place of what is so.
func (r FitRequest) state(m *gpu.Machine, p *gpu.Policy) {
	if free, err := ParseSize(r.Free); err == nil {
		m.Devices, m.Loaded = []gpu.Device{{Name: "the card", Backend: gpu.CUDA, Free: &free}}, []gpu.Resident{}
	}
	if r.Version != "" {
		m.Server.Version = r.Version
	}
	o := &p.Override
	o.Context, o.KV, o.Parallel = or(r.Context, o.Context), gpu.KVType(r.KV), r.Parallel
	if r.KV != "" && gpu.KVType(r.KV) != gpu.F16 && m.Server.Flash == "" {
		m.Server.Flash = gpu.FlashOn // asked for together with it
	}
}

// decide makes the plan: for the memory as it is, else for the memory as it will be when other programs give it back.
func (p *Plan) decide(policy gpu.Policy, candidates []gpu.Candidate) {
	needs := planNeeds()
	p.Decision = gpu.Choose(p.Machine, needs, candidates, policy)
	if now, ok := p.chosen(); ok && hasRoom(now, policy) {
		return
	}
	then := gpu.Choose(emptied(p.Machine), needs, candidates, policy)
	if len(then.Options) == 0 || !hasRoom(then.Options[0], policy) {
		return // it never fits: what was insisted on is used as it is, and a refusal stands
	}
	o := then.Options[0]
	lacks := lacking(p.models[o.Model], p.Machine, policy, o.Estimate.Load)
	p.Decision = then
	p.Later = fmt.Sprintf("%s with %s tokens needs %s and lacks %s now, because other programs hold the memory; it fits once they give it back.",
		o.Model, gpu.Grouped(o.Context), sizeUnit(o.Needs, 0), sizeUnit(lacks, 0))
}

// hasRoom reports whether a load has the room that it may use.
func hasRoom(o gpu.Option, policy gpu.Policy) bool {
	return o.Fit == gpu.Fits || o.Fit == gpu.InReserve && policy.Override.Anyway
}

// driverKeeps is what a card's driver keeps of its total at most: 205 to 614 MiB were seen (GPU.md, section 2).
const driverKeeps = 640 << 20

// emptied is the machine without other programs on its cards.
func emptied(m gpu.Machine) gpu.Machine {
	m.Devices = slices.Clone(m.Devices)
	for i, dev := range m.Devices {
		if dev.Total != nil && dev.Free != nil && !dev.Unified {
			free := max(*dev.Free, *dev.Total-driverKeeps)
			m.Devices[i].Free = &free
		}
	}
	return m
}

// lacking is by how many bytes a load does not fit now.
func lacking(m gpu.Model, machine gpu.Machine, policy gpu.Policy, l gpu.Load) int64 {
	for _, c := range gpu.Table(m, machine, policy, l, []int{l.Context}, []gpu.KVType{l.KV}) {
		return max(c.Over, 1)
	}
	return 1
}

// planNeeds is what a research asks of its model.
func planNeeds() []gpu.Need { return []gpu.Need{{Role: gpu.Answering, Context: usefulContext}} }

// half is the first model of a plan for the same machine whose server has the cache type that takes half the memory; false when
// that makes nothing possible that the plan's own model and window are not.
func (p Plan) half(policy gpu.Policy, candidates []gpu.Candidate) (gpu.Option, bool) {
	m, now := p.Machine, gpu.Option{}
	if o, ok := p.chosen(); ok {
		now = o
	}
	m.Server = halved(m.Server)
	d := gpu.Choose(m, planNeeds(), candidates, policy)
	if policy.Override.KV != "" || p.Machine.Server.KV == gpu.Q8 || len(d.Options) == 0 || !hasRoom(d.Options[0], policy) || d.Options[0].Estimate.Load.KV != gpu.Q8 {
		return gpu.Option{}, false
	}
	o := d.Options[0]
	return o, o.Model != now.Model || o.Context > now.Context || !hasRoom(now, policy)
}

// better says what the server could do if it had another cache type.
func (p Plan) better(policy gpu.Policy, candidates []gpu.Candidate, own bool, set Settings) string {
	if set.FlashAttention == "off" {
		return ""
	}
	o, ok := p.half(policy, candidates)
	switch {
	case !ok:
		return ""
	case own && set.kvByPlan():
		return fmt.Sprintf("With a cache of %s, %s with %s tokens would fit; the model server is started anew with it for a research, unless something else uses it then.", o.KV, o.Model, gpu.Grouped(o.Context))
	case own:
		return fmt.Sprintf("With a cache of %s, which the settings of the model server can say or leave to the plan, %s with %s tokens would fit.", o.KV, o.Model, gpu.Grouped(o.Context))
	}
	return fmt.Sprintf("With a cache of %s, %s with %s tokens would fit; Assay did not start the server at %s and leaves it as it is: start it anew with OLLAMA_FLASH_ATTENTION=1 and OLLAMA_KV_CACHE_TYPE=%s.",
		o.KV, o.Model, gpu.Grouped(o.Context), p.Server, o.KV)
}

// tune decides for a server of our own that may be started anew: as the settings say, and with the cache type that takes half the
// memory where they leave it to the plan and that fits more.
func (p *Plan) tune(policy gpu.Policy, candidates []gpu.Candidate, set Settings) {
	started := p.Machine.Server
	wanted := wantedServer(set)
	wanted.Version = started.Version
	p.Machine.Server = wanted
	p.decide(policy, candidates)
	if set.kvByPlan() {
		if _, ok := p.half(policy, candidates); ok {
			p.Machine.Server = halved(wanted)
			p.decide(policy, candidates)
		}
	}
	if kv := p.Machine.Server.KV; kv != or(started.KV, gpu.F16) {
		p.Retune = kv
		p.Why = append(p.Why, fmt.Sprintf("The model server is started anew with a cache of %s before the model is loaded.", kv))
	}
}

// plannable reports whether the free memory of a card is known or stated.
func plannable(m gpu.Machine, p gpu.Policy) bool {
	return slices.ContainsFunc(m.Devices, func(d gpu.Device) bool {
		own := p.PerDevice[d.Index].Budget
		return d.Free != nil || p.Budget != (gpu.Share{}) || own != (gpu.Share{})
	})
}

// unplanned says why nothing can be planned, and what holds then.
func unplanned(base string, m gpu.Machine) string {
	const rule = " A research then uses a window of 8,192 tokens, or the model's own if that is shorter."
	switch {
	case !loopback(base):
		return fmt.Sprintf("The model server %s is on another machine, whose memory is not known here.", base) + rule
	case len(m.Devices) == 0:
		return "This machine has no graphics card that models can use, so there is no memory of one to plan." + rule
	}
	return "The free memory of the graphics card is unknown, so nothing can be planned; set a budget in MiB to plan with." + rule
}

// machineOf is the machine that a server runs on, with what it holds now.
func (d *Desk) machineOf(ctx context.Context, base string, own bool, a *ollama.Admin, set Settings, list ollama.Models) gpu.Machine {
	m := gpu.Machine{Devices: []gpu.Device{}, Loaded: []gpu.Resident{}, Server: d.serverOf(own, set)}
	m.Server.Version = list.Version
	if !loopback(base) {
		return m
	}
	status := d.wire.memory(a).Status(ctx)
	m.Devices, m.MemoryFree = status.Devices(), status.MemoryFree
	onCards := d.loadedOnCards(ctx, a, list.Loaded)
	for i, r := range list.Loaded {
		m.Loaded = append(m.Loaded, gpu.Resident{Name: r.Name, Digest: r.Digest, Bytes: onCards[i].VRAM, Context: r.ContextLength})
	}
	return m
}

// serverOf is what is known of how the server was started: of one that Assay started, what it was told; of another, what the
// settings state.
func (d *Desk) serverOf(own bool, set Settings) gpu.Server {
	if !own {
		s := gpu.Server{Parallel: set.Parallel}
		if set.KVType != "auto" {
			s.KV = gpu.KVType(set.KVType)
		}
		if f := gpu.Flash(set.FlashAttention); f == gpu.FlashOn || f == gpu.FlashOff {
			s.Flash = f
		}
		return s
	}
	s := gpu.Server{KV: gpu.F16, Parallel: 1}
	if st := d.managedStatus(); st != nil {
		for _, v := range st.Tuned {
			name, value, _ := strings.Cut(v, "=")
			switch name {
			case "OLLAMA_KV_CACHE_TYPE":
				s.KV = gpu.KVType(value)
			case "OLLAMA_NUM_PARALLEL":
				if n, err := strconv.Atoi(value); err == nil {
					s.Parallel = n
				}
			case "OLLAMA_FLASH_ATTENTION":
				if s.Flash = gpu.FlashOff; value == "1" {
					s.Flash = gpu.FlashOn
				}
			}
		}
	}
	return s
}

// serverWords labels what the settings say of the server.
func serverWords(set Settings, own bool) []string {
	var out []string
	say := func(format string, args ...any) {
		text := fmt.Sprintf(format, args...)
		if !own {
			text += " is taken for what the server was started with, because the settings say so; it cannot be asked."
		} else {
			text += " is set for the model server."
		}
		out = append(out, text)
	}
	if set.KVType != "" && set.KVType != "auto" {
		say("A cache of %s", set.KVType)
	}
	if set.FlashAttention == "on" || set.FlashAttention == "off" {
		say("Flash attention %s", set.FlashAttention)
	}
	if set.Parallel > 1 {
		say("A number of %d calls at once", set.Parallel)
	}
	return out
}

// sameModel reports whether two names are of one model.
func sameModel(a, b string) bool {
	x, err := ollama.ParseName(a)
	y, err2 := ollama.ParseName(b)
	return a == b || err == nil && err2 == nil && x.Same(y)
}

// candidates are the models that a plan may use, best first: the preferred one, then the larger before the smaller. With a
// name there is only that one. What is left out goes to p.Aside.
func (d *Desk) candidates(ctx context.Context, a *ollama.Admin, installed []ollama.Installed, name string, p *Plan) ([]gpu.Candidate, error) {
	out := []gpu.Candidate{}
	for _, m := range ranked(installed) {
		switch {
		case name != "" && !sameModel(m.Name, name):
			continue
		case m.Remote != "":
			p.Aside = append(p.Aside, fmt.Sprintf("%s runs on %s and not on this machine.", m.Name, m.Remote))
			continue
		case !m.Completes:
			p.Aside = append(p.Aside, m.Name+" does not write text.")
			continue
		case len(out) == maxPlanned:
			p.Aside = append(p.Aside, fmt.Sprintf("Only %d models were looked at; %s and what is smaller were not.", maxPlanned, m.Name))
			return out, nil
		}
		shape, err := d.shape(ctx, a, m.Info)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err != nil {
			p.Aside = append(p.Aside, fmt.Sprintf("%s cannot be planned: %v.", m.Name, err))
			continue
		}
		c := gpu.Candidate{Model: shape, Installed: true}
		if m.Name == ollama.Preferred {
			c.Why = "of the models that fit a card of 16 GB it follows schemas best"
		}
		out = append(out, c)
	}
	if name != "" && len(out) == 0 && len(p.Aside) == 0 {
		return nil, fmt.Errorf("the server at %s has no model %s; `assay models pull %s` gets it: %w", p.Server, name, name, research.ErrMissing)
	}
	return out, nil
}

// ranked puts models in the order in which they are tried.
func ranked(installed []ollama.Installed) []ollama.Installed {
	out := slices.Clone(installed)
	slices.SortStableFunc(out, func(a, b ollama.Installed) int {
		if x, y := a.Name == ollama.Preferred, b.Name == ollama.Preferred; x != y {
			if x {
				return -1
			}
			return 1
		}
		if a.Size != b.Size {
			if a.Size > b.Size {
				return -1
			}
			return 1
		}
		return strings.Compare(a.Name, b.Name)
	})
	return out
}

// shapes keeps the descriptions of models by digest: a description of one is asked for again and again, and may be megabytes.
type shapes struct {
	mu   sync.Mutex
	kept map[string]gpu.Model
}

// maxShapes bounds them.
const maxShapes = 256

// shape is what decides how much memory a model takes, from the server.
func (d *Desk) shape(ctx context.Context, a *ollama.Admin, info ollama.Info) (gpu.Model, error) {
	d.shapes.mu.Lock()
	m, ok := d.shapes.kept[info.Digest]
	d.shapes.mu.Unlock()
	if !ok {
		raw, _, err := a.Show(ctx, info.Name)
		if err != nil {
			return gpu.Model{}, err
		}
		if m, err = gpu.ReadShow(raw); err != nil {
			return gpu.Model{}, err
		}
		if m.Layers == 0 {
			return gpu.Model{}, errors.New("the server's description of it lacks " + strings.Join(m.Missing, ", "))
		}
	}
	m.Name, m.Digest, m.Remote = info.Name, info.Digest, m.Remote || info.Remote != ""
	if ok || info.Digest == "" {
		return m, nil
	}
	d.shapes.mu.Lock()
	defer d.shapes.mu.Unlock()
	if len(d.shapes.kept) >= maxShapes || d.shapes.kept == nil {
		d.shapes.kept = map[string]gpu.Model{}
	}
	d.shapes.kept[info.Digest] = m
	return m, nil
}
