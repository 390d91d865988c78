package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"

	"assay/gpu"
)

// fitResult is what the bench prints.
type fitResult struct {
	N          int `json:"n"` // random machines
	Planned    int `json:"planned"`
	Refused    int `json:"refused"`
	Split      int `json:"split"`      // plans whose model lies on several cards
	Beside     int `json:"beside"`     // plans with a model for embedding beside it
	Quantised  int `json:"quantised"`  // plans with a quantised cache
	Spills     int `json:"spills"`     // plans that the estimate says spill: must be 0
	Reserve    int `json:"reserve"`    // plans that take the reserve or more than the budget: must be 0
	Unlabelled int `json:"unlabelled"` // overrides that spill and do not say so: must be 0
	Compared   int `json:"compared"`   // plans made again with more free memory
	Better     int `json:"better"`
	Worse      int `json:"worse"`      // must be 0
	Unexpected int `json:"unexpected"` // refusals although a smaller load fits: must be 0
}

// fitCase is one random machine and what was planned, for --predictions.
type fitCase struct {
	N       int      `json:"n"`
	Free    []int64  `json:"free_mib"`
	Version string   `json:"version"`
	Models  []string `json:"models"`
	Chosen  string   `json:"chosen"`
	Context int      `json:"context"`
	KV      string   `json:"kv"`
	LeftMiB int64    `json:"left_mib"`
	Refusal string   `json:"refusal,omitempty"`
	Fault   string   `json:"fault,omitempty"`
}

// fit plans for random machines and models: never what the estimate says spills, and never worse with more free memory.
//
// Worse is defined by what a plan is for: a plan is worse than a refusal never; then by the rank of its model, whether the
// embedding model is beside it, whether the whole useful context is reached, the cache format, the context, the sequences,
// the batch.
func fit(ctx context.Context, o options) (any, error) {
	n := 10000
	if o.limit > 0 {
		n = o.limit
	}
	random := rand.New(rand.NewPCG(1, 20260101))
	res := fitResult{N: n}
	var cases []fitCase
	for i := range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c := randomFit(random)
		d := gpu.Choose(c.machine, c.needs, c.candidates, c.policy)
		fault := res.count(c, d)
		if more := c.machine; len(more.Devices) > 0 || more.MemoryFree != nil {
			fault += res.compare(random, c, d)
		}
		cases = append(cases, c.show(i, d, fault))
	}
	if err := writePredictions(o.predictions, cases); err != nil {
		return nil, err
	}
	if !o.json {
		fmt.Fprintf(o.stdout, "%d random machines: %d planned (%d over several cards, %d with embedding beside, %d with a quantised cache), %d refused\n",
			res.N, res.Planned, res.Split, res.Beside, res.Quantised, res.Refused)
		fmt.Fprintf(o.stdout, "spill %d, take the reserve %d, overrides without a label %d, refused although something fits %d\n", res.Spills, res.Reserve, res.Unlabelled, res.Unexpected)
		fmt.Fprintf(o.stdout, "with more free memory: %d compared, %d better, %d worse\n", res.Compared, res.Better, res.Worse)
		for _, c := range cases {
			if c.Fault != "" {
				b, _ := json.Marshal(c)
				fmt.Fprintf(o.stdout, "  %s\n", b)
			}
		}
	}
	return res, nil
}

// count checks one plan against its own estimates, added up here and not by the planner.
func (res *fitResult) count(c fitInput, d gpu.Decision) (fault string) {
	if len(d.Options) == 0 {
		res.Refused++
		if d.Refusal == "" {
			return "refused without a word; "
		}
		return c.refusedWrongly(res)
	}
	res.Planned++
	main := d.Options[0]
	if len(main.Devices) > 1 {
		res.Split++
	}
	if len(d.Options) > 1 {
		res.Beside++
	}
	if main.KV != gpu.F16 {
		res.Quantised++
	}
	spills, reserve := c.overfull(d)
	insists := c.policy.Override != (gpu.Override{})
	switch {
	case insists && (spills || reserve) && len(d.Overridden) == 0:
		res.Unlabelled++
		fault += "an override that does not fit has no label; "
	case insists:
	case spills:
		res.Spills++
		fault += "the plan spills; "
	case reserve:
		res.Reserve++
		fault += "the plan takes the reserve; "
	}
	return fault
}

// overfull says whether the plan's loads exceed what is free, and whether they exceed it less the reserve or the budget.
func (c fitInput) overfull(d gpu.Decision) (spills, reserve bool) {
	if len(c.machine.Devices) == 0 {
		left := *c.machine.MemoryFree
		for _, o := range d.Options {
			left -= o.Estimate.Host()
		}
		return left < 0, left < c.reserve(0)
	}
	if main := d.Options[0]; len(main.Devices) > 1 {
		need := main.Estimate.Card()
		cards := slices.Clone(main.Devices)
		for _, o := range d.Options[1:] {
			need += o.Estimate.Card()
			cards = append(cards, o.Devices...)
		}
		var free, kept int64
		for _, dev := range c.machine.Devices {
			if slices.Contains(cards, dev.Index) {
				free += c.free(dev)
				kept += c.reserve(dev.Index)
			}
		}
		return need > free, need > free-kept
	}
	for _, dev := range c.machine.Devices {
		var used, keep int64
		for _, o := range d.Options {
			if slices.Contains(o.Devices, dev.Index) {
				used += o.Estimate.Card()
				if dev.Unified {
					used += o.Estimate.Host()
				}
				keep = max(keep, o.Estimate.Margin-o.Estimate.Of(gpu.PartOverhead))
			}
		}
		if used == 0 {
			continue
		}
		if dev.Free == nil {
			keep = 0 // its size is what the person stated
		}
		left := c.free(dev) - used
		spills = spills || left < keep || left < 0
		reserve = reserve || left < c.reserve(dev.Index) || c.policy.Budget.MiB > 0 && used > c.policy.Budget.MiB<<20
	}
	return spills, reserve
}

// refusedWrongly looks for a plain load that fits one card where the planner refused.
func (c fitInput) refusedWrongly(res *fitResult) string {
	if c.policy.Override != (gpu.Override{}) || slices.ContainsFunc(c.needs, func(n gpu.Need) bool { return n.Role == gpu.Embedding && !n.Optional }) {
		return ""
	}
	for _, dev := range c.machine.Devices {
		if dev.Free == nil || dev.Unified {
			continue
		}
		for _, cand := range c.candidates {
			m := cand.Model
			if !m.Writes() || m.Remote || m.ContextLimit < c.minContext() {
				continue
			}
			e := m.Estimate(gpu.Load{Context: c.minContext(), Parallel: max(c.machine.Server.Parallel, 1), Batch: 256, KV: c.machine.Server.KV, Version: c.machine.Server.Version, Flash: c.machine.Server.Flash, Backend: dev.Backend})
			left := c.free(dev) - e.Card()
			if left >= max(e.Margin, c.reserve(dev.Index)) && (c.policy.Budget.MiB == 0 || e.Card() <= c.policy.Budget.MiB<<20) {
				res.Unexpected++
				return fmt.Sprintf("refused although %s fits card %d; ", m.Name, dev.Index)
			}
		}
	}
	return ""
}

// compare plans again with more free memory on one device.
func (res *fitResult) compare(random *rand.Rand, c fitInput, d gpu.Decision) string {
	more := c
	more.machine.Devices = slices.Clone(c.machine.Devices)
	grow := func(p *int64, most int64) *int64 {
		v := min(*p+random.Int64N(8<<30), most)
		return &v
	}
	if len(more.machine.Devices) == 0 {
		more.machine.MemoryFree = grow(c.machine.MemoryFree, 1<<50)
	} else {
		i := random.IntN(len(more.machine.Devices))
		dev := &more.machine.Devices[i]
		if dev.Free == nil || dev.Total == nil {
			return ""
		}
		dev.Free = grow(dev.Free, *dev.Total)
	}
	d2 := gpu.Choose(more.machine, c.needs, c.candidates, c.policy)
	a, b := c.worth(d), c.worth(d2)
	if slices.ContainsFunc(append(slices.Clone(d.Options), d2.Options...), func(o gpu.Option) bool { return o.Fit != gpu.Fits }) {
		return "" // what the person insists on although it does not fit has no order
	}
	res.Compared++
	switch slices.Compare(b, a) {
	case 1:
		res.Better++
	case -1:
		res.Worse++
		return fmt.Sprintf("worse with more free memory: %v before, %v after; ", a, b)
	}
	return ""
}

// worth is what a plan is worth, compared from the left.
func (c fitInput) worth(d gpu.Decision) []int {
	if len(d.Options) == 0 {
		return []int{0}
	}
	o := d.Options[0]
	yes := func(b bool) int {
		if b {
			return 1
		}
		return 0
	}
	rank := slices.IndexFunc(c.candidates, func(x gpu.Candidate) bool { return x.Model.Name == o.Model })
	useful := c.needs[0].Context
	if limit := c.candidates[rank].Model.ContextLimit; limit > 0 {
		useful = min(useful, limit)
	}
	format := map[gpu.KVType]int{gpu.F16: 2, gpu.Q8: 1}[o.KV]
	return []int{1, yes(o.Fit != gpu.Spills), -rank, len(d.Options), yes(useful > 0 && o.Context >= useful), format, o.Context, o.Parallel, o.Batch}
}

func (c fitInput) show(n int, d gpu.Decision, fault string) fitCase {
	out := fitCase{N: n, Version: c.machine.Server.Version, Refusal: d.Refusal, Fault: fault}
	for _, dev := range c.machine.Devices {
		free := int64(-1)
		if dev.Free != nil {
			free = *dev.Free >> 20
		}
		out.Free = append(out.Free, free)
	}
	for _, x := range c.candidates {
		out.Models = append(out.Models, x.Model.Name)
	}
	if len(d.Options) > 0 {
		o := d.Options[0]
		out.Chosen, out.Context, out.KV, out.LeftMiB = o.Model, o.Context, string(o.KV), o.Left>>20
	}
	return out
}
