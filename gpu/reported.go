package gpu

// Reported is what /api/ps is expected to say of a loaded model. Sizes are bytes.
type Reported struct {
	Size int64 `json:"size_bytes"`      // "size"
	VRAM int64 `json:"size_vram_bytes"` // "size_vram"; 0 when the processor computes
	// Outside is what of VRAM is not on a card: a server of [GenerationEngine] counts the part in main memory too once every
	// layer is on a card.
	Outside int64 `json:"outside_bytes"`
	// Measured says that the server's figure is of memory that it allocated. Otherwise it is its own estimate: it says nothing
	// about this one, and no calibration is learnt from it.
	Measured bool   `json:"measured"`
	Why      string `json:"why"` // one clause
}

// Reported says what a server of the load's version will say in /api/ps, and what that is worth.
//
// From 0.30 on the sizes are the sum of the buffers that llama-server allocated (memoryParsingWriter, llm/llama_server.go of
// the snapshot of 21 August 2026). From 0.11.10 to 0.29 they are measurements for models of the server's own engine and an
// estimate for the others: weights and cache, without the token embedding, and without working memory unless a card computes
// (llamaServer.Load, llm/server.go of 0.17.4; compared with it in the bench "allocated"). Before, an estimate.
func (m Model) Reported(l Load) Reported {
	u, _ := rulesFor(m, l.Version)
	u.quiet = true
	e := m.estimate(l, true)
	host, card := e.Host(), e.Server()
	cards := card > 0
	full := cards && placement(m, e.Load, kv{}).all
	out := Reported{Size: card + host, VRAM: card, Measured: true}
	switch {
	case u.generation == GenerationServer:
		out.Why = "the server adds up the buffers that it allocated"
		if full {
			out.Size = card
		}
		return out
	case u.engine:
		out.Why = "the server's own engine runs " + m.Architecture + " models and counts what it allocated"
		if full {
			out.VRAM, out.Outside = out.Size, host
		}
		return out
	}
	out.Measured, out.Why = false, "this server estimates what "+m.Architecture+" models take and does not measure it"
	out.Size = m.Weights.Card() + m.reckonedCache(e.Load)
	out.VRAM = 0
	if cards {
		out.Size += u.graphSize(m, e.Load, u.cache(m, e.Load))
		out.VRAM = out.Size
	}
	return out
}

// reckonedCache is the cache as the estimator of GenerationEngine counts it: every layer whole, without padding, a quantised
// element at 1 or half a byte. Source: GraphSize and kvCacheBytesPerElement in fs/ggml/ggml.go of Ollama 0.17.4.
func (m Model) reckonedCache(l Load) int64 {
	halves := map[KVType]int64{F16: 4, Q8: 2, Q4: 1} // half bytes for one element
	h, ok := halves[l.K]
	if !ok {
		h = 4
	}
	var n int64
	for _, heads := range m.KVHeads {
		n += int64(l.Context) * int64(l.Parallel) * int64(heads) * int64(m.KeyLength+m.ValueLength) * h / 2
	}
	return n
}
