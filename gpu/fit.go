package gpu

import (
	"slices"
)

// Device is one card. Sizes are bytes; a nil size is unknown.
type Device struct {
	Index   int     `json:"index"`
	Name    string  `json:"name"`
	Backend Backend `json:"backend"`
	Total   *int64  `json:"total_bytes"`
	Free    *int64  `json:"free_bytes"` // now, models that the server holds not counted as free
	Unified bool    `json:"unified"`    // shares the machine's main memory
}

// Resident is a model that the server holds now.
type Resident struct {
	Name    string `json:"name"`
	Digest  string `json:"digest"`
	Bytes   int64  `json:"bytes"`   // size_vram
	Device  *int   `json:"device"`  // index of its card; nil when the server does not say: then it counts on the only card, or not at all
	Context int    `json:"context"` // tokens of one sequence
	Keep    bool   `json:"keep"`    // another program uses it: it will not be unloaded
}

// Server is what is known of the Ollama server.
type Server struct {
	Version  string `json:"version"`
	Flash    Flash  `json:"flash"`    // "" is unknown
	KV       KVType `json:"kv"`       // cache format it was started with; "" is unknown, planned as f16, the largest
	Parallel int    `json:"parallel"` // sequences it was started with; 0 is unknown, planned as 1
	Settable bool   `json:"settable"` // Assay starts it, so cache format, sequences and flash attention can be chosen
}

// Machine is what a plan is made for.
type Machine struct {
	Devices    []Device   `json:"devices"`           // none: models run on the processor
	MemoryFree *int64     `json:"memory_free_bytes"` // main memory
	Server     Server     `json:"server"`
	Loaded     []Resident `json:"loaded"`
}

// Role is what a model is used for.
type Role string

// The roles of a research: answering stands for every role that writes; embedding turns text into vectors for search by
// meaning. Any other name is a role that writes.
const (
	Answering Role = "answering"
	Embedding Role = "embedding"
)

// Need is what a role asks of its model.
type Need struct {
	Role         Role     `json:"role"`
	Optional     bool     `json:"optional"`     // without it the research is poorer but runs
	MinContext   int      `json:"min_context"`  // tokens; 0 is [MinContext], or 512 for embedding
	Context      int      `json:"context"`      // tokens that are of use; 0 is as many as fit
	Parallel     int      `json:"parallel"`     // sequences that are of use; 0 is 1
	Capabilities []string `json:"capabilities"` // that the model must have, such as "tools"
}

// Candidate is a model that may be used. Candidates are given best first.
type Candidate struct {
	Model     Model  `json:"model"`
	Roles     []Role `json:"roles"`     // roles it may take; nil is every role its capabilities allow
	Installed bool   `json:"installed"` // false: it has to be pulled first
	Why       string `json:"why"`       // what is known of its quality, one sentence; may be empty
}

// Policy is what the person sets. Its zero value is the default.
type Policy struct {
	Reserve     Share          `json:"reserve"`              // to leave free on each card; zero is [DefaultReserve]
	Budget      Share          `json:"budget"`               // the most that models may take of each card; zero is all of it
	PerDevice   map[int]Limits `json:"per_device,omitempty"` // both for one card, by its index; a zero share is the general one
	Override    Override       `json:"override"`
	Calibration Calibration    `json:"calibration,omitempty"` // what earlier loads showed
}

// Limits are the reserve and the budget of one card.
type Limits struct {
	Reserve Share `json:"reserve"`
	Budget  Share `json:"budget"`
}

// Share is an amount of memory, in MiB or in per cent of the card's total. All zero is "not set"; None is no memory at all.
type Share struct {
	MiB     int64 `json:"mib,omitempty"`
	Percent int   `json:"percent,omitempty"` // 1 to 100; of a card whose total is unknown it is not set
	None    bool  `json:"none,omitempty"`
}

// DefaultReserve is left free for the desktop unless the person says otherwise (CONTRACT, section 4).
const DefaultReserve = 1 << 30

// Override is what the person insists on. What is zero is chosen by the plan; the rest is used even if it spills, and labelled.
type Override struct {
	Model    string `json:"model,omitempty"` // a candidate's name
	Context  int    `json:"context,omitempty"`
	KV       KVType `json:"kv,omitempty"`
	Parallel int    `json:"parallel,omitempty"`
	Batch    int    `json:"batch,omitempty"`
	Anyway   bool   `json:"anyway,omitempty"` // use the reserve too
}

// Fit says whether a load has room.
type Fit string

// The ways a load can stand to the free memory.
const (
	Unknown   Fit = "unknown" // the free memory is
	Fits      Fit = "fits"
	InReserve Fit = "reserve" // only by using what is to be left free, or more than the budget
	Spills    Fit = "spills"  // part of it would run from main memory
)

// Option is one way to serve the roles, with what it would take. Sizes are bytes.
type Option struct {
	Model     string   `json:"model"`
	Installed bool     `json:"installed"`
	Context   int      `json:"context"`
	KV        KVType   `json:"kv"`
	Parallel  int      `json:"parallel"`
	Batch     int      `json:"batch"`
	Roles     []Role   `json:"roles"`
	Devices   []int    `json:"devices"` // indices of its cards; empty for main memory
	Estimate  Estimate `json:"estimate"`
	Needs     int64    `json:"needs_bytes"` // what the cards' free memory falls by
	Left      int64    `json:"left_bytes"`  // free on its cards when all models of the plan are loaded; may be negative
	Over      int64    `json:"over_bytes"`  // what is missing before it fits; 0 when it does
	Fit       Fit      `json:"fit"`
	Chosen    bool     `json:"chosen"`
	Why       string   `json:"why"` // one sentence
}

// Decision is what a plan decides.
type Decision struct {
	Options      []Option `json:"options"`      // one for each model to be loaded, the writing one first; empty when refused
	Refusal      string   `json:"refusal"`      // why nothing is planned and what to do; "" when something is
	Unserved     []Need   `json:"unserved"`     // optional roles that have no model
	Unload       []string `json:"unload"`       // models that have to go first
	Why          []string `json:"why"`          // one sentence each
	Next         string   `json:"next"`         // the next better choice and by how much it does not fit; "" when there is none
	Alternatives []Option `json:"alternatives"` // best first, the plan itself at the top
	Overridden   []string `json:"overridden"`   // what the person insisted on, one sentence each
}

// slot is a device with what a plan may use of it.
type slot struct {
	device  Device
	free    int64 // when the models that can go are gone
	reserve int64
	budget  int64 // -1: none
	stated  bool  // free is the person's budget, because the free memory is unknown
}

// slots reads the devices; skipped names those whose free memory is unknown.
func slots(m Machine, p Policy) (out []slot, skipped []string) {
	for _, d := range m.Devices {
		s := slot{device: d, budget: -1}
		limits := p.PerDevice[d.Index]
		s.reserve = DefaultReserve
		if v, ok := limits.Reserve.bytes(d.Total); ok {
			s.reserve = v
		} else if v, ok := p.Reserve.bytes(d.Total); ok {
			s.reserve = v
		}
		if v, ok := limits.Budget.bytes(d.Total); ok {
			s.budget = v
		} else if v, ok := p.Budget.bytes(d.Total); ok {
			s.budget = v
		}
		if most := or(d.Total, d.Free); most != nil {
			s.reserve = min(s.reserve, clampBytes(*most)) // no more than there is can be left free
		}
		switch {
		case d.Free != nil:
			s.free = clampBytes(*d.Free)
			if d.Unified && m.MemoryFree != nil {
				s.free = min(s.free, clampBytes(*m.MemoryFree))
			}
			for _, r := range m.Loaded {
				if !r.Keep && (r.Device != nil && *r.Device == d.Index || r.Device == nil && len(m.Devices) == 1) {
					s.free = clampBytes(s.free + max(0, min(r.Bytes, 1<<50)))
				}
			}
			if d.Total != nil && *d.Total > 0 {
				s.free = min(s.free, *d.Total) // no card has more free than it has
			}
		case s.budget >= 0:
			s.free, s.reserve, s.stated = s.budget, 0, true
		default:
			skipped = append(skipped, d.Name)
			continue
		}
		out = append(out, s)
	}
	return out, skipped
}

func clampBytes(n int64) int64 { return min(max(n, 0), 1<<52) }

// bytes is the share of a total; false when it is not set.
func (s Share) bytes(total *int64) (int64, bool) {
	switch {
	case s.None:
		return 0, true
	case s.MiB > 0:
		return min(s.MiB, 1<<32) << 20, true
	case s.Percent > 0 && total != nil:
		return clampBytes(*total) / 100 * int64(min(s.Percent, 100)), true
	}
	return 0, false
}

// standing is how a set of models stands to the memory.
type standing struct {
	fit   Fit
	over  int64
	left  []int64 // of each model's devices together, all loaded
	cards [][]int
}

// place puts models on the devices, the largest first, each on one device where it has room, the first on all of them when it
// has none on one. Conservative: a model that is split loses a layer's room on every device.
func place(devices []slot, loads []Estimate, models []Model) standing {
	best := standing{fit: Spills, over: 1 << 52}
	for order := range assignments(len(devices), len(loads)) {
		if s := assign(devices, loads, order); better(s, best) {
			best = s
		}
	}
	if len(devices) > 1 {
		if s := spread(devices, loads, models); better(s, best) {
			best = s
		}
	}
	return best
}

func better(a, b standing) bool {
	if rank(a.fit) != rank(b.fit) {
		return rank(a.fit) < rank(b.fit)
	}
	return a.over < b.over
}

func rank(f Fit) int { return slices.Index([]Fit{Fits, InReserve, Spills, Unknown}, f) }

// assignments yields every way to put models on devices, one each.
func assignments(devices, models int) func(func([]int) bool) {
	return func(yield func([]int) bool) {
		total := 1
		for range models {
			total *= devices
		}
		for n := range total {
			order := make([]int, models)
			for i, rest := 0, n; i < models; i++ {
				order[i], rest = rest%devices, rest/devices
			}
			if !yield(order) {
				return
			}
		}
	}
}

// assign stands each model on its device.
func assign(devices []slot, loads []Estimate, order []int) standing {
	out := standing{fit: Fits, left: make([]int64, len(loads)), cards: make([][]int, len(loads))}
	for d, s := range devices {
		var used, keep int64
		any := false
		for i, e := range loads {
			if order[i] == d {
				any = true
				used += on(s.device, e)
				keep = max(keep, e.Margin-overheadOf(e))
				out.cards[i] = []int{s.device.Index}
			}
		}
		if !any {
			continue
		}
		fit, over := s.stands(used, keep)
		for i := range loads {
			if order[i] == d {
				out.left[i] = s.free - used
			}
		}
		out.worsen(fit, over)
	}
	return out
}

// stands is how so many bytes stand to a device of which keep has to stay free, or the server moves layers off it. A device
// whose size the person stated has no more room than that, and nothing is kept of it.
func (s slot) stands(used, keep int64) (Fit, int64) {
	if s.stated {
		keep = 0
	}
	left := s.free - used
	over := max(keep, s.reserve, 0) - left
	if s.budget >= 0 {
		over = max(over, used-s.budget)
	}
	switch {
	case left < keep || left < 0:
		return Spills, over
	case over > 0:
		return InReserve, over
	}
	return Fits, 0
}

func (s *standing) worsen(fit Fit, over int64) {
	s.over += over
	if rank(fit) > rank(s.fit) {
		s.fit = fit
	}
}

// on is what a load takes of a device; one that shares main memory holds the host's part too.
func on(d Device, e Estimate) int64 {
	if d.Backend == Processor {
		return e.Host()
	}
	if d.Unified {
		return e.Card() + e.Host()
	}
	return e.Card()
}

func overheadOf(e Estimate) int64 { return e.Of(PartOverhead) / int64(max(e.Load.Devices, 1)) }

// spread splits the first model over the cards that have room, beside the others on one of them.
func spread(devices []slot, loads []Estimate, models []Model) standing {
	best := standing{fit: Spills, over: 1 << 52}
	if slices.ContainsFunc(devices, func(s slot) bool { return s.device.Unified }) {
		return best // they are one memory
	}
	l := loads[0].Load
	l.Devices = len(devices)
	e := models[0].estimate(l, true)
	if len(loads) == 1 {
		return split1(devices, e, models[0])
	}
	for j, d := range devices {
		var used, keep int64
		for _, other := range loads[1:] {
			used += other.Card()
			keep = max(keep, other.Margin-overheadOf(other))
		}
		rest := slices.Clone(devices)
		rest[j].free -= used
		if rest[j].budget >= 0 {
			rest[j].budget -= min(used, rest[j].budget)
		}
		s := split1(rest, e, models[0])
		s.worsen(d.stands(used, keep))
		for range loads[1:] {
			s.left = append(s.left, rest[j].free)
			s.cards = append(s.cards, []int{d.device.Index})
		}
		if better(s, best) {
			best = s
		}
	}
	return best
}

// split1 says whether a load fits when its layers are spread over at least two cards. Each that takes part holds a working
// memory and an overhead of its own, and up to a layer of its room is lost.
func split1(devices []slot, e Estimate, m Model) standing {
	fixed := (e.Of(PartCompute) + e.Of(PartOverhead)) / int64(len(devices))
	layer := largestShare(m, e)
	total := e.Card() - e.Of(PartCompute) - e.Of(PartOverhead)
	out := standing{fit: Spills, over: 1 << 52, left: []int64{0}, cards: [][]int{nil}}
	for _, level := range []Fit{Fits, InReserve} {
		var room, free int64
		var cards []int
		for _, s := range devices {
			keep := max(e.Margin-overheadOf(e), 0)
			if s.stated {
				keep = 0
			}
			if level == Fits {
				keep = max(keep, s.reserve)
			}
			most := s.free - keep
			if level == Fits && s.budget >= 0 {
				most = min(most, s.budget)
			}
			if most > fixed+layer {
				room += most - fixed - layer
				free += s.free
				cards = append(cards, s.device.Index)
			}
		}
		if len(cards) < 2 {
			continue
		}
		left := free - total - fixed*int64(len(cards))
		if out.over == 1<<52 {
			out.over, out.cards[0], out.left[0] = max(total-room, 0), cards, left
		}
		if room >= total {
			out.fit, out.cards[0], out.left[0] = level, cards, left
			return out
		}
	}
	return out
}

// largestShare is what one layer takes, weights and cache.
func largestShare(m Model, e Estimate) int64 {
	if m.Layers == 0 {
		return 0
	}
	return max(m.Weights.largest(), m.Weights.Card()/int64(m.Layers)) + e.KVBytes()/int64(m.Layers)*2
}

// mibText is a size in words, rounded up: what is needed is never said to be less.
func mibText(bytes int64) string {
	return Grouped((bytes+(1<<20)-1)>>20) + " MiB"
}
