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

// within is a window as the server takes it: no shorter than its least, and cut to the model's own. 0, not asked for, stays.
func (f *fitter) within(context int) int {
	if context > 0 {
		context = max(context, gpu.LeastContext)
	}
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
	what := fmt.Sprintf("%s at %s", tokenCount(c.Context), c.KV)
	switch r := f.request.Context; {
	case r > f.within(r):
		what = fmt.Sprintf("%s cannot be had, because the model was made for %s. %s", tokenCount(r), gpu.Grouped(f.within(r)), what)
	case r < f.within(r) && r > 0:
		return f.raised(r) + " " + f.whyOf(c, largest, policy, what, "stand for that", true)
	}
	return f.whyOf(c, largest, policy, what, "were asked for", f.request.Context > 0 || f.request.KV != "")
}

// raised says that a window is shorter than the server's least.
func (f *fitter) raised(r int) string {
	return fmt.Sprintf("A window of %s was asked for, and the server takes no fewer than %d.", tokenCount(r), gpu.LeastContext)
}

// tokenCount is a number of tokens in words.
func tokenCount(n int) string {
	if n == 1 {
		return "1 token"
	}
	return gpu.Grouped(n) + " tokens"
}

// whyOf is [fitter.why] for a cell in words; asking says that it was asked for.
func (f *fitter) whyOf(c gpu.Cell, largest *gpu.Cell, policy gpu.Policy, what, asking string, asked bool) string {
	switch {
	case c.Fit == gpu.Unknown:
		if asked {
			return what + " " + asking + "; whether that fits is not known."
		}
		return fmt.Sprintf("%s is the least that a research needs; whether it fits is not known.", what)
	case hasRoom(gpu.Option{Fit: c.Fit}, policy) && asked:
		return fmt.Sprintf("%s %s and fit%s; %s stay free.", what, asking, onCards(c), mibWords(c.Left))
	case hasRoom(gpu.Option{Fit: c.Fit}, policy):
		s := fmt.Sprintf("%s is the longest window that fits%s; %s stay free.", what, onCards(c), mibWords(c.Left))
		if c.KV != gpu.F16 {
			s = fmt.Sprintf("%s is the longest window that fits%s; at f16 none does, not even %s tokens. %s stay free.", what, onCards(c), gpu.Grouped(f.within(gpu.MinContext)), mibWords(c.Left))
		}
		switch {
		case c.Context > usefulContext:
			s += fmt.Sprintf(" A research uses %s tokens at most.", gpu.Grouped(usefulContext))
		case c.Context < gpu.MinContext:
			s += fmt.Sprintf(" The model was made for no more, and a research needs %s: it will not be chosen for one.", gpu.Grouped(gpu.MinContext))
		}
		return s
	case c.Fit == gpu.InReserve && c.Account.Budgeted():
		return fmt.Sprintf("%s would take %s more than the budget.", what, mibWords(c.Over)) + f.instead(c, largest, asked)
	case c.Fit == gpu.InReserve:
		return fmt.Sprintf("%s would take %s of what is to be left free.", what, mibWords(c.Over)) + f.instead(c, largest, asked)
	}
	s := fmt.Sprintf("%s would not fit%s: %s are missing, so a part would run from main memory.", what, onCards(c), mibWords(c.Over))
	return s + f.instead(c, largest, asked)
}

// onCards says that a load is divided; "" when it is not.
func onCards(c gpu.Cell) string {
	if c.Devices < 2 {
		return ""
	}
	return fmt.Sprintf(" divided over %d cards", c.Devices)
}

// instead names what would fit in place of the cell, or that nothing does. What was asked for is kept as far as it can be: the window
// at another cache type, the cache type at a shorter window, and only then the longest of all.
func (f *fitter) instead(c gpu.Cell, largest *gpu.Cell, asked bool) string {
	var found []gpu.Cell
	if f.request.Context > 0 {
		for _, kv := range fitKV {
			if at := slices.IndexFunc(f.cells, func(o gpu.Cell) bool { return o.Context == c.Context && o.KV == kv && o.Fit == gpu.Fits }); at >= 0 {
				found = append(found, f.cells[at])
				break
			}
		}
	}
	if f.request.KV != "" {
		var best *gpu.Cell
		for i := range f.cells {
			if o := &f.cells[i]; o.KV == c.KV && o.Fit == gpu.Fits && o.Context >= f.within(gpu.MinContext) {
				best = o
			}
		}
		if best != nil {
			found = append(found, *best)
		}
	}
	if len(found) == 0 && largest != nil {
		found = append(found, *largest)
	}
	words := make([]string, len(found))
	for i, o := range found {
		words[i] = fmt.Sprintf("%s at %s", tokenCount(o.Context), o.KV)
	}
	switch {
	case len(words) > 0:
		return fmt.Sprintf(" %s would fit.", strings.Join(words, ", and "))
	case asked:
		return fmt.Sprintf(" No window of %s tokens or more fits.", gpu.Grouped(f.within(gpu.MinContext)))
	}
	return " A research needs that much: choose a smaller model or a smaller quantisation, or free memory of the card."
}

// next says what the next better choice is and by how much it does not fit: the next longer window, exact before quantised.
// Where the chosen cell itself does not fit, nothing beyond it is a choice.
func (f *fitter) next(cells []gpu.Cell, chosen gpu.Cell) string {
	if chosen.Fit != gpu.Fits {
		return ""
	}
	for _, c := range cells {
		if c.Fit != gpu.Spills && c.Fit != gpu.InReserve || c.KV != gpu.F16 && c.KV != chosen.KV {
			continue
		}
		if c.Context > chosen.Context || c.Context == chosen.Context && c.KV == gpu.F16 && chosen.KV != gpu.F16 {
			lacks := "lacks " + mibWords(c.Over)
			if c.Fit == gpu.InReserve {
				lacks = fmt.Sprintf("would take %s of the reserve", mibWords(c.Over))
			}
			return fmt.Sprintf("The next better choice, %s at %s, %s.", tokenCount(c.Context), c.KV, lacks)
		}
	}
	return ""
}

// overridden labels what was insisted on.
func (f *fitter) overridden(c gpu.Cell) []string {
	var out []string
	r := f.request
	if r.Context > 0 {
		said := fmt.Sprintf("A context of %s was asked for.", tokenCount(r.Context))
		if most := f.within(r.Context); most < r.Context {
			said = fmt.Sprintf("A context of %s was asked for and cannot be had: the model was made for %s, which are counted.", tokenCount(r.Context), gpu.Grouped(most))
		} else if most > r.Context {
			said = fmt.Sprintf("A context of %s was asked for; the server takes no fewer than %d, which are counted.", tokenCount(r.Context), gpu.LeastContext)
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

func cellOf(c gpu.Cell) Cell {
	out := Cell{Context: c.Context, KV: c.KV, Needs: c.Needs, Fit: c.Fit, KVBytes: c.Estimate.KVBytes(), Bound: len(c.Estimate.Missing) > 0, Devices: c.Devices}
	out.Held = max(c.Estimate.Margin-c.Estimate.Of(gpu.PartOverhead)/int64(max(c.Estimate.Load.Devices, 1)), 0)
	if c.Fit != gpu.Unknown {
		left, over := c.Left, c.Over
		out.Left, out.Over = &left, &over
	}
	return out
}

func chosenOf(c gpu.Cell) Chosen {
	e := c.Estimate
	out := Chosen{Cell: cellOf(c), Parallel: e.Load.Parallel, Batch: e.Load.Batch, Flash: e.Load.Flash, Parts: e.Parts,
		Card: e.Card(), Server: e.Server(), Host: e.Host(), Margin: e.Margin, HeldWhy: e.MarginWhy}
	if out.Parts == nil {
		out.Parts = []gpu.Part{}
	}
	return out
}
