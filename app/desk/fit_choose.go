package desk

import (
	"fmt"
	"slices"
	"strings"

	"assay/gpu"
)

// load is how the model would be loaded, as far as it was said.
func (f *fitter) load(kv gpu.KVType) gpu.Load {
	s := f.onto.Server
	l := gpu.Load{Parallel: or(f.request.Parallel, s.Parallel, 1), Flash: s.Flash, Version: s.Version, KV: kv}
	if kv != gpu.F16 && l.Flash != gpu.FlashOff {
		l.Flash = gpu.FlashOn // a quantised cache is asked for together with it
	}
	if len(f.onto.Devices) == 0 {
		l.Backend = gpu.CUDA // what a card would have to hold
	}
	return l
}

// table is every window by every cache type, the one that was asked for among them.
func (f *fitter) table(policy gpu.Policy) []gpu.Cell {
	contexts := gpu.Contexts(f.shape)
	if c := f.request.Context; c > 0 && !slices.Contains(contexts, f.within(c)) {
		contexts = append(contexts, f.within(c))
		slices.Sort(contexts)
	}
	onto := f.onto
	if f.report.NoCard != "" {
		onto.Devices, onto.MemoryFree = nil, nil // nothing is known of a card, and main memory is none
	}
	var out []gpu.Cell
	for _, kv := range fitKV {
		out = append(out, gpu.Table(f.shape, onto, policy, f.load(kv), contexts, []gpu.KVType{kv})...)
	}
	slices.SortStableFunc(out, func(a, b gpu.Cell) int { return a.Context - b.Context })
	return out
}

// within is a window cut to the model's own, as the server cuts it.
func (f *fitter) within(context int) int {
	if f.shape.ContextLimit > 0 {
		return min(context, f.shape.ContextLimit)
	}
	return context
}

// longest is the longest window that fits at f16, else at q8_0; one shorter than least is none.
func longest(cells []gpu.Cell, policy gpu.Policy, least int) *gpu.Cell {
	for _, kv := range []gpu.KVType{gpu.F16, gpu.Q8} {
		var best *gpu.Cell
		for i := range cells {
			c := &cells[i]
			if c.KV == kv && c.Context >= least && (c.Fit == gpu.Fits || c.Fit == gpu.InReserve && policy.Override.Anyway) {
				best = c
			}
		}
		if best != nil {
			return best
		}
	}
	return nil
}

// choose picks the cell that is told of in full: what was asked for, else the longest that fits, else the smallest that a
// research could use.
func (f *fitter) choose(cells []gpu.Cell, largest *gpu.Cell, policy gpu.Policy) gpu.Cell {
	context, kv := f.within(f.request.Context), gpu.KVType(f.request.KV)
	if context == 0 && kv == "" && largest != nil {
		return *largest
	}
	if context == 0 { // the longest that fits at the cache type, else the shortest
		context = f.within(gpu.MinContext)
		for _, c := range cells {
			if c.KV == or(kv, gpu.F16) && c.Context >= context && c.Fit == gpu.Fits {
				context = c.Context
			}
		}
	}
	if kv == "" {
		kv = gpu.F16
		for _, c := range cells {
			if c.Context == context && c.KV == gpu.Q8 && c.Fit == gpu.Fits && !fitsAt(cells, context, gpu.F16) {
				kv = gpu.Q8
			}
		}
	}
	for _, c := range cells {
		if c.Context == context && c.KV == kv {
			return c
		}
	}
	// The server would drop that cache type for this model, and what it does instead is what counts.
	onto := f.onto
	if f.report.NoCard != "" {
		onto.Devices, onto.MemoryFree = nil, nil
	}
	c, _ := cell(f.shape, onto, policy, gpu.Load{Context: context, KV: gpu.F16, Parallel: f.load(kv).Parallel, Flash: f.onto.Server.Flash, Version: f.onto.Server.Version, Backend: f.load(kv).Backend})
	return c
}

func fitsAt(cells []gpu.Cell, context int, kv gpu.KVType) bool {
	return slices.ContainsFunc(cells, func(c gpu.Cell) bool { return c.Context == context && c.KV == kv && c.Fit == gpu.Fits })
}

// why says why the chosen cell was chosen and how it stands.
func (f *fitter) why(c gpu.Cell, largest *gpu.Cell, policy gpu.Policy) string {
	what := fmt.Sprintf("%s tokens at %s", gpu.Grouped(c.Context), c.KV)
	if r := f.request.Context; r > f.within(r) {
		what = fmt.Sprintf("%s tokens cannot be had, because the model was made for %s. %s", gpu.Grouped(r), gpu.Grouped(f.within(r)), what)
	}
	asked := f.request.Context > 0 || f.request.KV != ""
	switch {
	case c.Fit == gpu.Unknown:
		if asked {
			return what + " was asked for; whether it fits is not known."
		}
		return fmt.Sprintf("%s is the least that a research needs; whether it fits is not known.", what)
	case hasRoom(gpu.Option{Fit: c.Fit}, policy) && asked:
		return fmt.Sprintf("%s was asked for and fits; %s stay free.", what, mibWords(c.Left))
	case hasRoom(gpu.Option{Fit: c.Fit}, policy):
		s := fmt.Sprintf("%s is the longest window that fits; %s stay free.", what, mibWords(c.Left))
		if c.KV != gpu.F16 {
			s = fmt.Sprintf("%s is the longest window that fits; at f16 none does, not even %s tokens. %s stay free.", what, gpu.Grouped(f.within(gpu.MinContext)), mibWords(c.Left))
		}
		switch {
		case c.Context > usefulContext:
			s += fmt.Sprintf(" A research uses %s tokens at most.", gpu.Grouped(usefulContext))
		case c.Context < gpu.MinContext:
			s += fmt.Sprintf(" The model was made for no more, and a research needs %s: it will not be chosen for one.", gpu.Grouped(gpu.MinContext))
		}
		return s
	case c.Fit == gpu.InReserve:
		return fmt.Sprintf("%s takes %s of what is to be left free.", what, mibWords(c.Over)) + f.instead(largest, asked)
	}
	s := fmt.Sprintf("%s would not fit: %s are missing, so a part would run from main memory.", what, mibWords(c.Over))
	return s + f.instead(largest, asked)
}

// instead names what would fit in place of what was asked for, or that nothing does.
func (f *fitter) instead(largest *gpu.Cell, asked bool) string {
	switch {
	case largest != nil:
		return fmt.Sprintf(" %s tokens at %s would fit.", gpu.Grouped(largest.Context), largest.KV)
	case asked:
		return fmt.Sprintf(" No window of %s tokens or more fits.", gpu.Grouped(f.within(gpu.MinContext)))
	}
	return " A research needs that much: choose a smaller model or a smaller quantisation, or free memory of the card."
}

// next says what the next better choice is and by how much it does not fit: the next longer window, exact before quantised.
func (f *fitter) next(cells []gpu.Cell, chosen gpu.Cell) string {
	for _, c := range cells {
		if c.Fit != gpu.Spills && c.Fit != gpu.InReserve || c.KV != gpu.F16 && c.KV != chosen.KV {
			continue
		}
		if c.Context > chosen.Context || c.Context == chosen.Context && c.KV == gpu.F16 && chosen.KV != gpu.F16 {
			lacks := "lacks"
			if c.Fit == gpu.InReserve {
				lacks = "would take of the reserve"
			}
			return fmt.Sprintf("The next better choice, %s tokens at %s, %s %s.", gpu.Grouped(c.Context), c.KV, lacks, mibWords(c.Over))
		}
	}
	return ""
}

// overridden labels what was insisted on.
func (f *fitter) overridden(c gpu.Cell) []string {
	var out []string
	r := f.request
	if r.Context > 0 {
		said := fmt.Sprintf("A context of %s tokens was asked for.", gpu.Grouped(r.Context))
		if most := f.within(r.Context); most < r.Context {
			said = fmt.Sprintf("A context of %s tokens was asked for and cannot be had: the model was made for %s, which are counted.", gpu.Grouped(r.Context), gpu.Grouped(most))
		}
		out = append(out, said)
	}
	if r.KV != "" {
		out = append(out, fmt.Sprintf("A cache of %s was asked for.", r.KV))
	}
	switch {
	case r.Parallel == 1:
		out = append(out, "One call at a time was asked for.")
	case r.Parallel > 1:
		out = append(out, fmt.Sprintf("%d calls at once were asked for.", r.Parallel))
	}
	if r.Version != "" {
		out = append(out, fmt.Sprintf("The rules of Ollama %s were asked for.", r.Version))
	}
	if r.Free != "" {
		out = append(out, "The free memory was stated and not measured.")
	}
	return out
}

// dropped says which cache types the server would not keep for the model.
func (f *fitter) dropped(cells []gpu.Cell) []string {
	var gone []string
	for _, kv := range fitKV {
		if !slices.ContainsFunc(cells, func(c gpu.Cell) bool { return c.KV == kv }) {
			gone = append(gone, string(kv))
		}
	}
	if len(gone) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s are not in the table: this server drops them for %s models, or flash attention is off", strings.Join(gone, " and "), f.shape.Architecture)}
}

// mibWords is a size in MiB, rounded up: what is missing is never said to be less.
func mibWords(n int64) string {
	if n < 0 {
		return "-" + mibWords(-n)
	}
	return gpu.Grouped(int((n+(1<<20)-1)>>20)) + " MiB"
}

// reserveOf is what is left free on the first card.
func reserveOf(m gpu.Machine, p gpu.Policy) int64 {
	s := p.Reserve
	var total *int64
	if len(m.Devices) > 0 {
		total = m.Devices[0].Total
		if own := p.PerDevice[m.Devices[0].Index].Reserve; own != (gpu.Share{}) {
			s = own
		}
	}
	switch {
	case s.None:
		return 0
	case s.MiB > 0:
		return s.MiB << 20
	case s.Percent > 0 && total != nil:
		return *total / 100 * int64(s.Percent)
	}
	return gpu.DefaultReserve
}

// freeOf is what the cards have free together with what loaded models would give back; nil when no card tells.
func freeOf(m gpu.Machine) *int64 {
	var free *int64
	for _, dev := range m.Devices {
		if dev.Free == nil {
			continue
		}
		if free == nil {
			free = new(int64)
		}
		*free += *dev.Free
	}
	if free != nil {
		for _, r := range m.Loaded {
			*free += r.Bytes
		}
	}
	return free
}

func cellOf(c gpu.Cell) Cell {
	out := Cell{Context: c.Context, KV: c.KV, Needs: c.Needs, Fit: c.Fit, KVBytes: c.Estimate.KVBytes(), Bound: len(c.Estimate.Missing) > 0}
	if c.Fit != gpu.Unknown {
		left, over := c.Left, c.Over
		out.Left, out.Over = &left, &over
	}
	return out
}

func chosenOf(c gpu.Cell) Chosen {
	e := c.Estimate
	out := Chosen{Cell: cellOf(c), Parallel: e.Load.Parallel, Batch: e.Load.Batch, Flash: e.Load.Flash, Parts: e.Parts,
		Card: e.Card(), Server: e.Server(), Host: e.Host(), Margin: e.Margin}
	if out.Parts == nil {
		out.Parts = []gpu.Part{}
	}
	return out
}
