package gpu

// Cell is one entry of a table of contexts and cache formats. Sizes are bytes.
type Cell struct {
	Context  int      `json:"context"` // tokens of one sequence
	KV       KVType   `json:"kv"`
	Needs    int64    `json:"needs_bytes"` // what the cards' free memory falls by
	Left     int64    `json:"left_bytes"`
	Over     int64    `json:"over_bytes"` // what is missing before it fits
	Fit      Fit      `json:"fit"`
	Devices  int      `json:"devices"` // cards that would hold it; more than one is a split, 0 is unknown
	Account  Account  `json:"account"` // its sum; empty while Fit is unknown
	Estimate Estimate `json:"estimate"`
}

// Contexts are the contexts of a table: 4k to 128k as far as the model goes, and the model's own limit.
func Contexts(m Model) []int {
	var out []int
	for _, c := range ladder {
		if m.ContextLimit == 0 || c <= m.ContextLimit {
			out = append(out, c)
		}
	}
	if l := m.ContextLimit; l > 0 && (len(out) == 0 || l < ladder[len(ladder)-1] && l > out[len(out)-1]) {
		out = append(out, l)
	}
	return out
}

// Table says for each context and cache format of a model whether it fits the machine, the formats of one context together.
// The load gives the rest; its version, flash attention and backend are the machine's where it leaves them empty. Where the
// free memory or the size of the weights is unknown, Fit is [Unknown] and the needs are there all the same. A format that the server would drop for the
// model is left out.
func Table(m Model, machine Machine, p Policy, l Load, contexts []int, formats []KVType) []Cell {
	pl := planner{machine: machine, policy: p, candidates: []Candidate{{Model: m}}}
	unknown := pl.readDevices() != ""
	if unknown {
		pl.devices = []slot{{device: Device{Backend: or(l.Backend, CUDA)}, budget: -1}}
	}
	l.Version = or(l.Version, machine.Server.Version)
	l.Flash = or(l.Flash, pl.flash())
	l.Backend = or(l.Backend, pl.devices[0].device.Backend)
	var out []Cell
	for _, c := range contexts {
		for _, kv := range formats {
			l := l
			l.Context, l.KV = c, kv
			e := m.Estimate(l).Calibrated(p.Calibration, m.Digest)
			if e.Load.KV != kv && e.Load.K != kv {
				continue
			}
			cell := Cell{Context: c, KV: kv, Needs: on(pl.devices[0].device, e), Fit: Unknown, Estimate: e}
			if !unknown && m.Weighed() {
				cell.stand(pl, m, l, e, p)
			}
			out = append(out, cell)
		}
	}
	return out
}

// stand says how the cell stands to the cards. Of a load that is split over several, the estimate is made again for so many.
func (c *Cell) stand(pl planner, m Model, l Load, e Estimate, p Policy) {
	s := place(pl.devices, []Estimate{e}, []Model{m})
	c.Fit, c.Over, c.Devices = s.fit, s.over, 1
	if len(s.left) > 0 {
		c.Left = s.left[0]
	}
	var cards []int
	if len(s.cards) > 0 {
		cards = s.cards[0]
	}
	if len(cards) > 1 {
		l.Devices, c.Devices = len(cards), len(cards)
		c.Estimate = m.Estimate(l).Calibrated(p.Calibration, m.Digest)
		c.Needs = c.Estimate.Card()
	}
	c.Account = account(pl.devices, c.Estimate, m, cards)
}
