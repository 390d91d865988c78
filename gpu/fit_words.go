package gpu

import (
	"fmt"
	"slices"
	"strings"
)

// decide turns trials and how they stand into a decision. Estimates are made again, with their words.
func (pl *planner) decide(ts []trial, s standing) Decision {
	var d Decision
	for i, t := range ts {
		o := pl.option(t, s, i)
		o.Chosen = true
		o.Roles = pl.roles
		if i > 0 {
			o.Roles = []Role{Embedding}
		}
		d.Options = append(d.Options, o)
	}
	if pl.embed != nil && len(ts) == 1 {
		d.Unserved = append(d.Unserved, *pl.embed)
	}
	return d
}

// option is a trial as it is shown.
func (pl *planner) option(t trial, s standing, i int) Option {
	c := pl.candidates[t.candidate]
	if i < len(s.cards) && len(s.cards[i]) > 1 {
		t.load.Devices = len(s.cards[i])
	}
	e := c.Model.Estimate(t.load).Calibrated(pl.policy.Calibration, c.Model.Digest)
	o := Option{
		Model: c.Model.Name, Installed: c.Installed, Context: e.Load.Context, KV: e.Load.KV, Parallel: e.Load.Parallel, Batch: e.Load.Batch,
		Roles: []Role{}, Devices: []int{}, Estimate: e, Needs: on(pl.devices[0].device, e), Over: s.over, Fit: s.fit,
	}
	if i < len(s.left) {
		o.Left = s.left[i]
	}
	if i < len(s.cards) && !pl.processor && s.cards[i] != nil {
		o.Devices = s.cards[i]
	}
	return o
}

// refuse says why nothing fits, what comes nearest and what to do.
func (pl *planner) refuse(writers []int, missed *miss) Decision {
	var d Decision
	if missed == nil {
		d.Refusal = "No model can be planned: none of the candidates can be loaded with a context of " + fmt.Sprint(pl.write.MinContext) + " tokens."
		return d
	}
	nearest := *missed
	for _, i := range writers {
		for t := range pl.trials(i) {
			if _, s := pl.withEmbedding(t, nil); s.over < nearest.standing.over {
				nearest = miss{t, s}
			}
		}
	}
	t := nearest.trial
	m := pl.candidates[t.candidate].Model
	var cards []int
	if len(nearest.standing.cards) > 0 {
		cards = nearest.standing.cards[0]
	}
	if len(cards) > 1 {
		t.load.Devices = len(cards)
		t.estimate = m.Estimate(t.load).Calibrated(pl.policy.Calibration, m.Digest)
	}
	with := ""
	if pl.insists() {
		with = " with what was asked for"
	}
	d.Refusal = fmt.Sprintf("No model fits%s: %s with %s comes nearest, needs %s and lacks %s. %s Unload models or close programs that use the memory, pull a smaller model, or set a smaller reserve.",
		with, m.Name, plural(t.estimate.Load.Context, "token"), mibText(on(pl.devices[0].device, t.estimate)), mibText(max(nearest.standing.over, 1)),
		strings.Join(account(pl.devices, t.estimate, m, cards).Words(), " "))
	d.Overridden = pl.overridden(pl.option(t, standing{}, 0))
	d.Why = append(d.Why, Unscaled(pl.machine, pl.policy)...)
	if pl.embed != nil && !pl.embed.Optional {
		d.Refusal += " A model for embedding has to fit beside it."
	}
	d.Alternatives = pl.alternatives(writers, nil)
	return d
}

// embedOnly plans for embedding alone.
func (pl *planner) embedOnly() Decision {
	var d Decision
	embedders, why := pl.embedders()
	if len(embedders) == 0 {
		d.Refusal = "No model can be planned: " + or(why, "no role is asked for.")
		return d
	}
	for _, i := range embedders {
		t := pl.embedding(i)
		s := place(pl.devices, []Estimate{t.estimate}, []Model{pl.candidates[i].Model})
		if pl.accepts(s.fit) {
			o := pl.option(t, s, 0)
			o.Chosen, o.Roles, o.Why = true, []Role{Embedding}, "this is the plan"
			d.Options, d.Alternatives = []Option{o}, []Option{o}
			return d
		}
	}
	d.Refusal = "No model for embedding fits."
	return d
}

// explain adds the sentences, what has to be unloaded, and the alternatives.
func (pl *planner) explain(d *Decision, missed *miss, writers []int) {
	o := &d.Options[0]
	o.Why = "this is the plan"
	for _, why := range []string{pl.whyModel(*o, writers), pl.whyContext(*o), pl.whyCache(*o)} {
		if why != "" {
			d.Why = append(d.Why, why)
		}
	}
	d.Why = append(d.Why, pl.whyLeft(d)...)
	d.Why = append(d.Why, Unscaled(pl.machine, pl.policy)...)
	for i := range d.Options[1:] {
		e := &d.Options[1+i]
		e.Why = "turns text into vectors beside it"
		d.Why = append(d.Why, fmt.Sprintf("The embedding model %s (%s) fits beside it.", e.Model, mibText(e.Needs)))
	}
	for _, n := range d.Unserved {
		d.Why = append(d.Why, fmt.Sprintf("No model for %s fits beside it or is there, so search is by words.", n.Role))
	}
	d.Unload = pl.unload(d)
	if len(d.Unload) > 0 {
		d.Why = append(d.Why, strings.Join(d.Unload, " and ")+" has to be unloaded first; its memory is counted as free.")
	}
	for _, name := range pl.skipped {
		d.Why = append(d.Why, fmt.Sprintf("The free memory of %s is unknown, so it is not used.", name))
	}
	for _, n := range o.Estimate.Notes {
		d.Why = append(d.Why, strings.ToUpper(n[:1])+n[1:]+".")
	}
	if len(o.Estimate.Missing) > 0 {
		d.Why = append(d.Why, "The description of "+o.Model+" does not give "+strings.Join(o.Estimate.Missing, ", ")+", so parts of the estimate are bounds.")
	}
	d.Overridden = pl.overridden(*o)
	d.Next = pl.next(*o, missed)
	d.Alternatives = pl.alternatives(writers, o)
}

func (pl *planner) whyModel(o Option, writers []int) string {
	at := slices.IndexFunc(writers, func(i int) bool { return pl.candidates[i].Model.Name == o.Model })
	c := pl.candidates[writers[max(at, 0)]]
	why := ""
	if c.Why != "" {
		why = ": " + strings.TrimSuffix(c.Why, ".")
	}
	switch {
	case len(writers) == 1:
		return fmt.Sprintf("%s is the only model given that can take the roles%s.", o.Model, why)
	case at == 0:
		return fmt.Sprintf("%s comes first of %d models%s.", o.Model, len(writers), why)
	}
	return fmt.Sprintf("%s is the best of %d models that fits%s.", o.Model, len(writers), why)
}

func (pl *planner) whyContext(o Option) string {
	w := pl.write
	switch {
	case pl.policy.Override.Context > o.Context:
		return fmt.Sprintf("%s is the longest context that %s was made for.", plural(o.Context, "token"), o.Model)
	case pl.policy.Override.Context > 0:
		return "" // said among what was asked for
	case w.Context > 0 && o.Context >= w.Context:
		return fmt.Sprintf("A call needs up to %s; more context buys nothing.", plural(w.Context, "token"))
	case w.Context > 0:
		return fmt.Sprintf("Up to %s would be of use; %s is the most that fits.", plural(w.Context, "token"), Grouped(o.Context))
	}
	return fmt.Sprintf("%s is the longest context that fits at %s.", plural(o.Context, "token"), o.KV)
}

func (pl *planner) whyCache(o Option) string {
	kv := o.Estimate.KVBytes()
	s := fmt.Sprintf("The cache takes %s at %s", mibText(kv), o.KV)
	if o.Parallel > 1 {
		s += fmt.Sprintf(", %d sequences at once", o.Parallel)
	}
	switch {
	case o.KV == Q8 && pl.policy.Override.KV == "" && pl.machine.Server.Settable:
		return s + "; at f16 it would not fit, and flash attention is on, so the server accepts q8_0."
	case quantised(o.KV):
		return s + "."
	}
	return s + "."
}

func (pl *planner) whyLeft(d *Decision) []string {
	o := d.Options[0]
	where := "in main memory"
	reserve := pl.devices[0].reserve
	if !pl.processor {
		where = "on the card"
		if len(o.Devices) > 1 {
			where = fmt.Sprintf("on %s together", plural(len(o.Devices), "card"))
		}
		if len(o.Devices) > 0 {
			reserve = 0 // of all its cards
		}
		for _, s := range pl.devices {
			if slices.Contains(o.Devices, s.device.Index) {
				reserve += s.reserve
			}
		}
	}
	out := []string{fmt.Sprintf("%s stay free %s, of which %s are the reserve.", mibText(o.Left), where, mibText(reserve))}
	if pl.processor {
		out = append(out, "There is no card, so the model runs on the processor, which is slow.")
	}
	return out
}

// unload lists the models that have to go before the plan has room.
func (pl *planner) unload(d *Decision) []string {
	var out []string
	stays := func(r Resident) bool {
		return slices.ContainsFunc(d.Options, func(o Option) bool { return o.Model == r.Name })
	}
	if pl.processor {
		return nil
	}
	for _, r := range pl.machine.Loaded {
		if r.Keep || stays(r) || r.Bytes <= 0 {
			continue
		}
		for _, o := range d.Options {
			if (len(o.Devices) > 0 || o.Fit == Spills) && o.Left-r.Bytes < max(o.Estimate.Margin-overheadOf(o.Estimate), pl.devices[0].reserve) {
				out = append(out, r.Name)
				break
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// overridden labels what the person insisted on.
func (pl *planner) overridden(o Option) []string {
	v := pl.policy.Override
	var out []string
	say := func(set bool, what string) {
		if set {
			out = append(out, what)
		}
	}
	say(v.Model != "", fmt.Sprintf("The model %s was asked for.", v.Model))
	say(v.Context > 0 && o.Context == v.Context, fmt.Sprintf("A context of %s was asked for.", plural(v.Context, "token")))
	say(v.Context > 0 && o.Context > v.Context, fmt.Sprintf("A context of %s was asked for; the server takes no fewer than %s, which are planned for.", plural(v.Context, "token"), Grouped(o.Context)))
	say(v.Context > o.Context, fmt.Sprintf("A context of %s was asked for and cannot be had: %s was made for %s, which are planned for.", plural(v.Context, "token"), o.Model, Grouped(o.Context)))
	say(v.KV != "", fmt.Sprintf("A cache of %s was asked for.", v.KV))
	say(v.Parallel == 1, "One sequence at a time was asked for.")
	say(v.Parallel > 1, fmt.Sprintf("%d sequences at once were asked for.", v.Parallel))
	say(v.Batch > 0, fmt.Sprintf("A batch of %d was asked for.", v.Batch))
	say(v.Anyway && o.Fit == InReserve, "The reserve is used because that was asked for.")
	if len(out) > 0 && o.Fit == Spills {
		out = append(out, fmt.Sprintf("It does not fit: about %s would run from main memory, several times slower.", mibText(o.Over)))
	} else if len(out) > 0 && o.Fit == InReserve && !v.Anyway {
		out = append(out, fmt.Sprintf("It takes %s of what is to be left free.", mibText(o.Over)))
	}
	return out
}

// next says what the next better choice is and what it lacks.
func (pl *planner) next(o Option, missed *miss) string {
	if missed == nil {
		return ""
	}
	t := missed.trial
	name := pl.candidates[t.candidate].Model.Name
	what := fmt.Sprintf("%s with %s at %s", name, plural(t.load.Context, "token"), t.load.KV)
	if name == o.Model && t.load.Parallel > o.Parallel && t.load.Context == o.Context {
		what += fmt.Sprintf(" and %d sequences at once", t.load.Parallel)
	} else if name == o.Model && t.load.Context == o.Context && t.load.KV == o.KV {
		what += fmt.Sprintf(" and a batch of %d", t.load.Batch)
	}
	return fmt.Sprintf("The next better choice, %s, lacks %s.", what, mibText(max(missed.standing.over, 1)))
}

// maxAlternatives bounds the list that is shown.
const maxAlternatives = 12

// alternatives lists what else could be loaded, best first: the plan, the same model with more context, the other models.
func (pl *planner) alternatives(writers []int, chosen *Option) []Option {
	var out []Option
	for _, i := range writers {
		m := pl.candidates[i].Model
		if chosen != nil && m.Name == chosen.Model {
			out = append(out, *chosen)
			out = append(out, pl.longer(i, *chosen)...)
			continue
		}
		if o, ok := pl.bestOf(i, chosen); ok {
			out = append(out, o)
		}
	}
	slices.SortStableFunc(out, func(a, b Option) int {
		if a.Chosen != b.Chosen {
			if a.Chosen {
				return -1
			}
			return 1
		}
		return rank(a.Fit) - rank(b.Fit)
	})
	return out[:min(len(out), maxAlternatives)]
}

// longer are longer contexts of the chosen model: up to the first that does not fit.
func (pl *planner) longer(i int, chosen Option) []Option {
	var out []Option
	m := pl.candidates[i].Model
	for _, c := range ladder {
		if c <= chosen.Context || m.ContextLimit > 0 && c > m.ContextLimit {
			continue
		}
		t := pl.try(i, Load{Context: c, KV: chosen.KV, Parallel: chosen.Parallel, Batch: chosen.Batch})
		s := place(pl.devices, []Estimate{t.estimate}, []Model{m})
		o := pl.option(t, s, 0)
		switch s.fit {
		case Fits:
			o.Why = fmt.Sprintf("%s more for a context that the plan does not need; useful for long documents", mibText(o.Needs-chosen.Needs))
		case InReserve:
			o.Why = fmt.Sprintf("takes %s of the reserve: another program could push it out", mibText(s.over))
		default:
			o.Why = fmt.Sprintf("lacks %s: part would run from main memory", mibText(s.over))
		}
		out = append(out, o)
		if s.fit == Spills {
			break
		}
	}
	return out
}

// bestOf is the best load of another candidate, or its smallest when none fits.
func (pl *planner) bestOf(i int, chosen *Option) (Option, bool) {
	c := pl.candidates[i]
	var best *miss
	for t := range pl.trials(i) {
		_, s := pl.withEmbedding(t, nil)
		if best == nil || better(s, best.standing) {
			best = &miss{t, s}
		}
		if s.fit == Fits {
			break
		}
	}
	if best == nil {
		return Option{}, false
	}
	o := pl.option(best.trial, best.standing, 0)
	switch {
	case o.Fit == Spills:
		o.Why = fmt.Sprintf("lacks %s: part would run from main memory", mibText(o.Over))
	case o.Fit == InReserve:
		o.Why = fmt.Sprintf("takes %s of the reserve: another program could push it out", mibText(o.Over))
	case c.Why != "":
		o.Why = strings.TrimSuffix(c.Why, ".")
	case chosen != nil:
		o.Why = fmt.Sprintf("comes after %s in the order given", chosen.Model)
	}
	if !c.Installed && o.Fit == Fits {
		o.Why += "; it has to be pulled first"
	}
	return o, true
}
