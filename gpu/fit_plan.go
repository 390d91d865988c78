package gpu

import (
	"fmt"
	"slices"
	"strings"
)

// ladder are the contexts that are tried beside the needs and the model's own limit, in tokens.
var ladder = []int{4096, 8192, 16384, 32768, 65536, 131072}

// Choose plans what to load: one model for all roles that write, its context, cache format, sequences and batch, and beside it
// a model for embedding. It is pure, and it never picks what its own estimate says spills or takes the reserve, unless the
// person insists. More free memory never gives a worse plan: the choices are tried in one fixed order and the first that
// fits is taken.
//
// The order: the candidates as given; with the embedding model beside it before without; a context that is all of use; f16
// before q8_0 (a quantised cache only when flash attention is known on, q4_0 never unasked); longer contexts; more
// sequences; larger batches.
func Choose(m Machine, needs []Need, candidates []Candidate, p Policy) Decision {
	pl := planner{machine: m, policy: p, candidates: candidates}
	d := pl.plan(needs)
	if d.Options == nil {
		d.Options = []Option{}
	}
	for _, list := range []*[]string{&d.Unload, &d.Why, &d.Overridden} {
		if *list == nil {
			*list = []string{}
		}
	}
	if d.Unserved == nil {
		d.Unserved = []Need{}
	}
	for i := range d.Unserved {
		if d.Unserved[i].Capabilities == nil {
			d.Unserved[i].Capabilities = []string{}
		}
	}
	if d.Alternatives == nil {
		d.Alternatives = []Option{}
	}
	return d
}

// planner holds what does not change while a plan is made.
type planner struct {
	machine    Machine
	policy     Policy
	candidates []Candidate
	devices    []slot
	skipped    []string
	processor  bool
	write      Need // all roles that write, as one
	roles      []Role
	embed      *Need
}

// trial is one load that is tried.
type trial struct {
	candidate int
	load      Load
	estimate  Estimate
}

func (pl *planner) plan(needs []Need) Decision {
	pl.readNeeds(needs)
	if refusal := pl.readDevices(); refusal != "" {
		return Decision{Refusal: refusal}
	}
	writers, why := pl.eligible(false)
	if len(writers) == 0 && len(pl.roles) > 0 {
		return Decision{Refusal: "No model can be planned: " + why}
	}
	if len(pl.roles) == 0 {
		return pl.embedOnly()
	}
	d, missed := pl.search(writers)
	if len(d.Options) == 0 {
		return pl.refuse(writers, missed)
	}
	pl.explain(&d, missed, writers)
	return d
}

// readNeeds joins the roles that write into one need and finds the embedding one.
func (pl *planner) readNeeds(needs []Need) {
	for _, n := range needs {
		if n.Role == Embedding {
			n.MinContext = or(n.MinContext, 512)
			pl.embed = &n
			continue
		}
		pl.roles = append(pl.roles, n.Role)
		w := &pl.write
		w.MinContext = max(w.MinContext, or(n.MinContext, MinContext))
		if len(pl.roles) == 1 {
			w.Context = n.Context
		} else if w.Context > 0 {
			w.Context = max(w.Context, n.Context)
		}
		if n.Context == 0 {
			w.Context = 0 // as much as fits is of use to one of them
		}
		w.Parallel = max(w.Parallel, n.Parallel)
		for _, c := range n.Capabilities {
			if !slices.Contains(w.Capabilities, c) {
				w.Capabilities = append(w.Capabilities, c)
			}
		}
	}
	if pl.write.Context > 0 {
		pl.write.Context = max(pl.write.Context, pl.write.MinContext)
	}
	pl.write.Parallel = min(max(pl.write.Parallel, 1), 64)
}

// readDevices finds where models can go, or says why none can be planned.
func (pl *planner) readDevices() string {
	if len(pl.machine.Devices) == 0 {
		if pl.machine.MemoryFree == nil {
			return "The free memory of this machine is unknown, so nothing can be planned; state a budget in MiB or choose a model and a context by hand."
		}
		pl.processor = true
		m := Machine{Devices: []Device{{Index: -1, Name: "main memory", Backend: Processor, Free: pl.machine.MemoryFree}}}
		pl.devices, _ = slots(m, pl.policy)
		return ""
	}
	pl.devices, pl.skipped = slots(pl.machine, pl.policy)
	if len(pl.devices) > 4 { // the number of ways to place grows with it; the roomiest are enough
		slices.SortStableFunc(pl.devices, func(a, b slot) int { return int((b.free - a.free) >> 20) })
		pl.devices = pl.devices[:4]
	}
	if len(pl.devices) == 0 {
		return fmt.Sprintf("The free memory of %s is unknown, so nothing can be planned; state a budget in MiB or choose a model and a context by hand.", strings.Join(pl.skipped, " and "))
	}
	return ""
}

// eligible are the candidates that can take the roles, in the order given, and why the others cannot.
func (pl *planner) eligible(embedding bool) ([]int, string) {
	var out []int
	var whys []string
	for i, c := range pl.candidates {
		if len(out) == 64 {
			break
		}
		if why := pl.unfit(c, embedding); why != "" {
			whys = append(whys, fmt.Sprintf("%s %s", c.Model.Name, why))
			continue
		}
		out = append(out, i)
	}
	if len(whys) == 0 {
		whys = []string{"no model is given; pull one, such as gpt-oss:20b"}
	}
	return out, strings.Join(whys[:min(len(whys), 5)], "; ") + "."
}

// unfit says why a candidate cannot take the roles, or "".
func (pl *planner) unfit(c Candidate, embedding bool) string {
	m := c.Model
	switch {
	case m.Remote:
		return "runs on another machine"
	case m.Layers == 0:
		return "cannot be estimated: " + strings.Join(m.Missing, ", ") + " are missing"
	case !m.Weighed():
		return "cannot be estimated: its weights are not known"
	}
	if embedding {
		if c.Roles != nil && !slices.Contains(c.Roles, Embedding) {
			return "is not meant for embedding"
		}
		if !m.Embeds() {
			return "does not embed"
		}
		return ""
	}
	o := pl.policy.Override
	switch {
	case o.Model != "" && m.Name != o.Model:
		return "is not the model that was asked for"
	case !m.Writes():
		return "does not write"
	case m.ContextLimit > 0 && m.ContextLimit < pl.write.MinContext && o.Context == 0:
		return fmt.Sprintf("was made for %s where %s are needed", plural(m.ContextLimit, "token"), Grouped(pl.write.MinContext))
	}
	for _, r := range pl.roles {
		if c.Roles != nil && !slices.Contains(c.Roles, r) {
			return fmt.Sprintf("is not meant for %s", r)
		}
	}
	for _, want := range pl.write.Capabilities {
		if m.Capabilities != nil && !m.hasCapability(want) {
			return fmt.Sprintf("has no %s", want)
		}
	}
	return ""
}

// search tries the choices in their order. missed is the last one before the choice that had no room, for the sentence about
// the next better one.
func (pl *planner) search(writers []int) (Decision, *miss) {
	embedders, _ := pl.embedders()
	var missed *miss
	var fallback Decision // what the person insists on although it does not fit
	var fallbackStanding standing
	for _, i := range writers {
		sets := [][]int{nil}
		if len(embedders) > 0 {
			sets = [][]int{embedders, nil}
			if !pl.embed.Optional {
				sets = sets[:1]
			}
		}
		for _, set := range sets {
			for t := range pl.trials(i) {
				ts, s := pl.withEmbedding(t, set)
				if pl.accepts(s.fit) {
					return pl.decide(ts, s), missed
				}
				if set == nil || len(sets) == 1 {
					if missed == nil || missed.trial.candidate != i || s.over <= missed.standing.over {
						missed = &miss{t, s}
					}
				}
				if pl.insists() && pl.policy.Override.Model != "" && (fallback.Options == nil || better(s, fallbackStanding)) {
					fallback, fallbackStanding = pl.decide(ts, s), s
				}
			}
		}
	}
	if pl.insists() && pl.policy.Override.Model != "" {
		return fallback, nil
	}
	return Decision{}, missed
}

type miss struct {
	trial    trial
	standing standing
}

// insists says whether the person overrides something. Where that is the model, it is used although it does not fit, and labelled;
// a size alone says how a load is to be and not that it may take the reserve or spill, so nothing is then planned that does.
func (pl *planner) insists() bool {
	o := pl.policy.Override
	return o.Model != "" || o.Context > 0 || o.KV != "" || o.Parallel > 0 || o.Batch > 0
}

func (pl *planner) accepts(f Fit) bool {
	return f == Fits || f == InReserve && pl.policy.Override.Anyway
}

// embedders are the loads of the candidates for embedding, best first.
func (pl *planner) embedders() ([]int, string) {
	if pl.embed == nil {
		return nil, ""
	}
	return pl.eligible(true)
}

// withEmbedding stands a load alone, or beside the first embedding model with which it fits.
func (pl *planner) withEmbedding(t trial, embedders []int) ([]trial, standing) {
	if len(embedders) == 0 {
		return []trial{t}, place(pl.devices, []Estimate{t.estimate}, []Model{pl.candidates[t.candidate].Model})
	}
	var bestTrials []trial
	best := standing{fit: Spills, over: 1 << 60}
	for _, i := range embedders {
		e := pl.embedding(i)
		ts := []trial{t, e}
		s := place(pl.devices, []Estimate{t.estimate, e.estimate}, []Model{pl.candidates[t.candidate].Model, pl.candidates[i].Model})
		if bestTrials == nil || better(s, best) {
			bestTrials, best = ts, s
		}
		if best.fit == Fits {
			break
		}
	}
	return bestTrials, best
}

// embedding is how an embedding model is loaded: its whole input at once, one sequence.
func (pl *planner) embedding(i int) trial {
	m := pl.candidates[i].Model
	context := max(pl.embed.MinContext, pl.embed.Context)
	if m.ContextLimit > 0 {
		context = min(or(context, m.ContextLimit), m.ContextLimit)
	}
	return pl.try(i, Load{Context: max(context, 512), Parallel: 1, KV: F16, Batch: min(2048, max(context, 512))})
}

// try fills in the server and device and estimates, corrected by what earlier loads showed.
func (pl *planner) try(i int, l Load) trial {
	m := pl.candidates[i].Model
	l.Version = pl.machine.Server.Version
	l.Flash = pl.flash()
	l.Backend = pl.devices[0].device.Backend
	e := m.estimate(l, true).Calibrated(pl.policy.Calibration, m.Digest)
	return trial{candidate: i, load: l, estimate: e}
}

func (pl *planner) flash() Flash {
	if pl.machine.Server.Settable && pl.machine.Server.Flash != FlashOff {
		return FlashOn
	}
	return or(pl.machine.Server.Flash, FlashAuto)
}

// trials yields the loads of a candidate, the best first.
func (pl *planner) trials(i int) func(func(trial) bool) {
	m := pl.candidates[i].Model
	return func(yield func(trial) bool) {
		type choice struct {
			context int
			kv      KVType
		}
		var order []choice
		contexts, formats := pl.contexts(m), pl.formats()
		useful := 0
		if w := pl.write.Context; w > 0 && len(contexts) > 0 {
			useful = contexts[0]
			for _, kv := range formats {
				order = append(order, choice{useful, kv})
			}
		}
		for _, kv := range formats {
			for _, c := range contexts {
				if c != useful {
					order = append(order, choice{c, kv})
				}
			}
		}
		for _, c := range order {
			for _, n := range pl.sequences(m) {
				for _, b := range pl.batches(c.context * n) {
					t := pl.try(i, Load{Context: c.context, KV: c.kv, Parallel: n, Batch: b})
					if pl.machine.Server.Settable && t.estimate.Load.KV != c.kv && pl.policy.Override.KV == "" {
						continue // the server would drop it: that is f16, which is tried too
					}
					if !yield(t) {
						return
					}
				}
			}
		}
	}
}

// contexts are those to try, longest first, none longer than is of use or than the model was made for.
func (pl *planner) contexts(m Model) []int {
	if c := pl.policy.Override.Context; c > 0 {
		// What the model was not made for cannot be had, so nothing is planned for it.
		return []int{min(c, maxContext, or(m.ContextLimit, maxContext))}
	}
	most := or(m.ContextLimit, ladder[len(ladder)-1])
	if pl.write.Context > 0 {
		most = min(most, pl.write.Context)
	} else {
		most = min(most, ladder[len(ladder)-1])
	}
	all := append(slices.Clone(ladder), pl.write.MinContext, most)
	slices.Sort(all)
	slices.Reverse(all)
	all = slices.Compact(all)
	return slices.DeleteFunc(all, func(c int) bool { return c > most || c < pl.write.MinContext })
}

// formats are the cache formats to try. q8_0 only where it can be chosen or is set, and flash attention is known on.
func (pl *planner) formats() []KVType {
	s := pl.machine.Server
	switch {
	case pl.policy.Override.KV != "":
		return []KVType{pl.policy.Override.KV}
	case s.Settable && s.Flash != FlashOff:
		return []KVType{F16, Q8}
	case s.KV != "" && KnownKV(s.KV) && !s.Settable:
		return []KVType{s.KV}
	}
	return []KVType{F16}
}

// sequences are the numbers of parallel sequences to try, most first.
func (pl *planner) sequences(m Model) []int {
	if n := pl.policy.Override.Parallel; n > 0 {
		return []int{min(n, maxParallel)}
	}
	if !pl.machine.Server.Settable {
		return []int{min(max(pl.machine.Server.Parallel, 1), maxParallel)}
	}
	if oneAtATime[m.Architecture] {
		return []int{1}
	}
	var out []int
	for n := pl.write.Parallel; n >= 1; n-- {
		out = append(out, n)
	}
	return out
}

// batches are the values of num_batch to try, largest first: the server's own for the context, and smaller ones. They are
// always sent, so that the server does not pick by what is free at that moment.
func (pl *planner) batches(total int) []int {
	if b := pl.policy.Override.Batch; b > 0 {
		return []int{min(b, maxContext)}
	}
	out := []int{512, 256}
	if g := GenerationOf(pl.machine.Server.Version); g == GenerationServer || g == GenerationUnknown {
		switch {
		case total > 32768:
			out = []int{2048, 1024, 512, 256}
		case total > 4096:
			out = []int{1024, 512, 256}
		}
	}
	return out
}
