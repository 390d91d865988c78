package gpu

// Observation compares one load with its prediction. Sizes are bytes.
type Observation struct {
	Digest    string `json:"digest"`
	Context   int    `json:"context"`
	KV        KVType `json:"kv"`
	Parallel  int    `json:"parallel"`
	Version   string `json:"version"`
	Predicted int64  `json:"predicted_bytes"`
	Measured  int64  `json:"measured_bytes"`
}

// Calibration is what earlier loads showed, the latest of a kind last.
type Calibration []Observation
