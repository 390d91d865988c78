package gpu

import "math/bits"

// Observation compares one load with its prediction. Sizes are bytes and both are of the same kind: [Estimate.Server] against
// size_vram of /api/ps, which is a measurement from Ollama 0.30 on.
type Observation struct {
	Digest    string `json:"digest"`
	Context   int    `json:"context"` // tokens of one sequence
	KV        KVType `json:"kv"`
	Parallel  int    `json:"parallel"`
	Version   string `json:"version"` // of the server
	Predicted int64  `json:"predicted_bytes"`
	Measured  int64  `json:"measured_bytes"`
}

// Calibration is what earlier loads showed, the latest last. It may be written as JSON. Its zero value knows nothing.
type Calibration []Observation

// maxObservations bounds what is kept; the oldest go first.
const maxObservations = 1000

// Add returns the calibration with an observation, which takes the place of an earlier one of the same load. One without a
// digest or with a size of 0 is not kept: it can tell nothing.
func (c Calibration) Add(o Observation) Calibration {
	if o.Digest == "" || o.Predicted <= 0 || o.Measured <= 0 {
		return c
	}
	out := make(Calibration, 0, len(c)+1)
	for _, x := range c {
		if !x.same(o) {
			out = append(out, x)
		}
	}
	out = append(out, o)
	return out[max(0, len(out)-maxObservations):]
}

// Find is the latest observation of a load.
func (c Calibration) Find(digest string, l Load) (Observation, bool) {
	want := Observation{Digest: digest, Context: l.Context, KV: l.KV, Parallel: l.Parallel, Version: l.Version}
	for i := len(c) - 1; i >= 0; i-- {
		if digest != "" && c[i].same(want) && c[i].Predicted > 0 && c[i].Measured > 0 {
			return c[i], true
		}
	}
	return Observation{}, false
}

func (o Observation) same(p Observation) bool {
	return o.Digest == p.Digest && o.Context == p.Context && o.KV == p.KV && o.Parallel == p.Parallel && o.Version == p.Version
}

// Ratio is measured / predicted, in [0.5, 2]: beyond that something else was measured. 1 for an empty observation.
func (o Observation) Ratio() float64 {
	n, d := o.bounded()
	return float64(n) / float64(d)
}

func (o Observation) bounded() (measured, predicted int64) {
	if o.Predicted <= 0 || o.Measured <= 0 {
		return 1, 1
	}
	switch {
	case o.Measured/2 > o.Predicted:
		return 2, 1
	case o.Predicted/2 > o.Measured:
		return 1, 2
	}
	return o.Measured, o.Predicted
}

// scale is bytes x ratio, in integers.
func (o Observation) scale(bytes int64) int64 {
	n, d := o.bounded()
	if bytes <= 0 {
		return bytes
	}
	hi, lo := bits.Mul64(uint64(bytes), uint64(n))
	if hi >= uint64(d) {
		return bytes * 2
	}
	q, _ := bits.Div64(hi, lo, uint64(d))
	return int64(min(q, uint64(bytes)*2))
}

// Calibrated is the estimate corrected by what an earlier load of the same model, in the same way, by the same server showed.
// Without one it is unchanged.
func (e Estimate) Calibrated(c Calibration, digest string) Estimate {
	o, ok := c.Find(digest, e.Load)
	if !ok {
		return e
	}
	server := e.Server()
	diff := o.scale(server) - server
	if diff == 0 {
		return e
	}
	out := e
	out.Parts = append(append([]Part{}, e.Parts...), Part{Kind: PartCalibration, Bytes: diff,
		Why: "an earlier load like this measured " + mibText(o.Measured) + " where " + mibText(o.Predicted) + " were predicted"})
	return out
}
