package gpu

// Generation is a range of server versions that decide about memory in the same way.
type Generation int

// The generations of the Ollama server. GenerationUnknown is planned by the newest rules.
const (
	GenerationUnknown Generation = iota
	GenerationOld                // to 0.11: an estimator alone
	GenerationEngine             // from 0.11 to 0.29: an engine of its own for newer architectures, an estimator for the rest
	GenerationServer             // from 0.30: llama-server
)
