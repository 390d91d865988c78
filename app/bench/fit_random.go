package bench

import (
	"fmt"
	"math/rand/v2"

	"assay/gpu"
)

// fitInput is one random machine with its needs, models and policy.
type fitInput struct {
	machine    gpu.Machine
	needs      []gpu.Need
	candidates []gpu.Candidate
	policy     gpu.Policy
}

// pick is one of a list.
func pick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

// randomFit makes a machine of 0 to 3 cards, 1 to 5 models, half of them from the catalogue, and a policy.
func randomFit(r *rand.Rand) fitInput {
	var c fitInput
	for i := range pick(r, 0, 1, 1, 1, 1, 2, 2, 3) {
		total := pick(r, int64(4), 6, 8, 10, 12, 16, 16, 20, 24, 24, 32, 48, 80) << 30
		free := r.Int64N(total)
		d := gpu.Device{Index: i, Name: fmt.Sprintf("card %d", i), Backend: pick(r, gpu.CUDA, gpu.CUDA, gpu.CUDA, gpu.ROCm, gpu.Vulkan, gpu.Metal), Total: &total, Free: &free}
		d.Unified = d.Backend == gpu.Metal
		if r.IntN(30) == 0 {
			d.Free = nil
		}
		c.machine.Devices = append(c.machine.Devices, d)
	}
	for i := range c.machine.Devices { // one server has one kind of card
		c.machine.Devices[i].Backend, c.machine.Devices[i].Unified = c.machine.Devices[0].Backend, c.machine.Devices[0].Unified
	}
	memory := int64(1<<30) + r.Int64N(64<<30)
	c.machine.MemoryFree = &memory
	c.machine.Server = gpu.Server{
		Version: pick(r, "", "0.0.0", "0.5.7", "0.11.4", "0.12.6", "0.17.4", "0.24.0", "0.30.1", "0.32.7", "0.34.2"),
		Flash:   pick(r, gpu.Flash(""), gpu.FlashAuto, gpu.FlashOn, gpu.FlashOff), KV: pick(r, gpu.KVType(""), gpu.F16, gpu.Q8),
		Parallel: r.IntN(5), Settable: r.IntN(2) == 0,
	}
	c.needs = []gpu.Need{{Role: gpu.Answering, Context: pick(r, 0, 8192, 16384, 16384, 32768, 100000), Parallel: r.IntN(5), MinContext: pick(r, 0, 0, 4096, 16384)}}
	if r.IntN(2) == 0 {
		c.needs = append(c.needs, gpu.Need{Role: gpu.Embedding, Optional: r.IntN(3) > 0})
	}
	known := gpu.Catalogue()
	for range 1 + r.IntN(5) {
		m := known[r.IntN(len(known))].Model("")
		if r.IntN(2) == 0 {
			m = randomModel(r, len(c.candidates))
		}
		c.candidates = append(c.candidates, gpu.Candidate{Model: m, Installed: true})
	}
	if r.IntN(2) == 0 {
		m, err := gpu.Known("nomic-embed-text")
		if err == nil {
			c.candidates = append(c.candidates, gpu.Candidate{Model: m, Installed: true})
		}
	}
	c.policy = randomPolicy(r)
	if len(c.machine.Devices) == 1 && r.IntN(3) == 0 {
		size := r.Int64N(12 << 30)
		c.machine.Loaded = []gpu.Resident{{Name: "loaded", Bytes: size, Keep: r.IntN(3) == 0}}
	}
	return c
}

func randomPolicy(r *rand.Rand) gpu.Policy {
	var p gpu.Policy
	switch r.IntN(4) {
	case 0:
		p.Reserve = gpu.Share{MiB: 1 + r.Int64N(4096)}
	case 1:
		p.Reserve = gpu.Share{None: true}
	}
	if r.IntN(6) == 0 {
		p.Budget = gpu.Share{MiB: 1024 + r.Int64N(30000)}
	}
	if r.IntN(12) == 0 {
		p.Override = gpu.Override{Context: pick(r, 0, 4096, 131072), KV: pick(r, gpu.KVType(""), gpu.Q4, gpu.Q8), Parallel: r.IntN(3)}
	}
	return p
}

// randomModel makes a model of a random shape, some of it impossible for any real one.
func randomModel(r *rand.Rand, n int) gpu.Model {
	layers := 4 + r.IntN(80)
	heads := 1 << r.IntN(7)
	kv := max(1, heads>>r.IntN(4))
	m := gpu.Model{
		Name: fmt.Sprintf("random-%d", n), Architecture: pick(r, "llama", "qwen2", "qwen3", "gemma2", "gemma3", "phi3", "gpt-oss", "command-r", "deepseek2", "qwen35", "unheard-of"),
		Layers: layers, Embedding: 256 * (1 + r.IntN(32)), FeedForward: 512 * (1 + r.IntN(60)), Heads: heads, KeyLength: pick(r, 64, 128, 128, 256),
		ContextLimit: pick(r, 2048, 8192, 32768, 40960, 131072, 1<<20), Vocabulary: 32000 + r.IntN(230000),
	}
	m.ValueLength = m.KeyLength
	m.KVHeads = make([]int, layers)
	for i := range m.KVHeads {
		m.KVHeads[i] = kv
	}
	if w := gpu.WindowedLayers(m.Architecture, layers); w != nil {
		m.Window, m.Windowed = pick(r, 128, 512, 1024, 4096), w
	}
	if m.Architecture == "deepseek2" {
		m.KVLoRARank, m.RopeDimension, m.KeyLengthMLA, m.ValueLengthMLA = 512, 64, 192, 128
	}
	if r.IntN(4) == 0 {
		m.Experts, m.ExpertsUsed, m.ExpertWidth = 64, 1+r.IntN(8), 256*(1+r.IntN(12))
	}
	each := int64(m.Embedding) * int64(m.FeedForward) * 2
	m.Weights = gpu.Weights{Exact: true, Layers: make([]int64, layers), Input: int64(m.Embedding) * int64(m.Vocabulary), Output: int64(m.Embedding) * int64(m.Vocabulary)}
	for i := range m.Weights.Layers {
		m.Weights.Layers[i] = each/2 + r.Int64N(each)
	}
	return m
}

// free is what a plan may count on a device: its free memory and what can be unloaded, no more than it has.
func (c fitInput) free(d gpu.Device) int64 {
	if d.Free == nil {
		return c.policy.Budget.MiB << 20
	}
	free := *d.Free
	if d.Unified {
		free = min(free, *c.machine.MemoryFree)
	}
	for _, l := range c.machine.Loaded {
		if !l.Keep {
			free += l.Bytes
		}
	}
	return min(free, *d.Total)
}

// reserve is what is to be left free on a device. On one whose size the person stated nothing is.
func (c fitInput) reserve(index int) int64 {
	for _, d := range c.machine.Devices {
		if d.Index == index && d.Free == nil {
			return 0
		}
	}
	switch r := c.policy.Reserve; {
	case r.None:
		return 0
	case r.MiB > 0:
		return r.MiB << 20
	}
	return gpu.DefaultReserve
}

func (c fitInput) minContext() int {
	if n := c.needs[0].MinContext; n > 0 {
		return n
	}
	return gpu.MinContext
}
