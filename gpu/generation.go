package gpu

import (
	"fmt"
	"strconv"
	"strings"
)

// Generation is a range of server versions that decide about memory in the same way.
type Generation int

// The generations of the Ollama server. GenerationUnknown is planned by the newest rules.
const (
	GenerationUnknown Generation = iota
	GenerationOld                // before 0.11.10: an estimator alone, flash attention off unless asked for
	GenerationEngine             // 0.11.10 to 0.29: an engine of its own for newer architectures, an estimator for the rest
	GenerationServer             // from 0.30: llama-server
)

// String is the generation in words.
func (g Generation) String() string {
	switch g {
	case GenerationOld:
		return "Ollama before 0.11.10"
	case GenerationEngine:
		return "Ollama 0.11.10 to 0.29"
	case GenerationServer:
		return "Ollama 0.30 or later"
	}
	return "unknown"
}

// serverVersion is a server version as three numbers.
type serverVersion [3]int

// GenerationOf is the generation of a version as /api/version says it, such as "0.32.7" or "0.30.0-rc1". "" and "0.0.0" (a
// build without a version, CONTRACT section 4) and what is no version are unknown, not old.
func GenerationOf(version string) Generation {
	r, ok := parseRelease(version)
	switch {
	case !ok:
		return GenerationUnknown
	case r.before(serverVersion{0, 11, 10}):
		return GenerationOld
	case r.before(serverVersion{0, 30, 0}):
		return GenerationEngine
	}
	return GenerationServer
}

// parseRelease reads up to three numbers; what follows them, such as "-rc1" or "+build", is left out.
func parseRelease(version string) (serverVersion, bool) {
	s := strings.TrimPrefix(strings.TrimSpace(version), "v")
	if i := strings.IndexAny(s, "-+ "); i >= 0 {
		s = s[:i]
	}
	parts := strings.Split(s, ".")
	if len(parts) < 2 || len(parts) > 4 {
		return serverVersion{}, false
	}
	var r serverVersion
	for i, p := range parts[:min(3, len(parts))] {
		n, err := strconv.ParseUint(p, 10, 20)
		if err != nil {
			return serverVersion{}, false
		}
		r[i] = int(n)
	}
	return r, r != serverVersion{}
}

func (r serverVersion) before(o serverVersion) bool {
	for i := range r {
		if r[i] != o[i] {
			return r[i] < o[i]
		}
	}
	return false
}

// engineSince is from which version on GenerationEngine runs an architecture by its own engine: it measures what those need,
// and estimates the rest. Source: OllamaEngineRequired in fs/ggml/ggml.go of the releases of Ollama from 0.11 to 0.24; where
// releases were skipped in reading, the first one read that has it.
var engineSince = map[string]serverVersion{
	"gemma3": {0, 6, 0}, "gemma3n": {0, 9, 0}, "mistral3": {0, 6, 5}, "llama4": {0, 7, 0}, "mllama": {0, 7, 0}, "qwen25vl": {0, 7, 0},
	"gptoss": {0, 11, 0}, "gpt-oss": {0, 11, 0}, "qwen3": {0, 12, 0}, "qwen3moe": {0, 12, 6}, "qwen3vl": {0, 12, 11},
	"qwen3vlmoe": {0, 12, 11}, "deepseek2": {0, 13, 0}, "deepseekocr": {0, 13, 0}, "bert": {0, 13, 5}, "nomic-bert": {0, 13, 5},
	"olmo3": {0, 13, 5}, "glm4moelite": {0, 15, 0}, "lfm2": {0, 15, 0}, "qwen3next": {0, 16, 0}, "glmocr": {0, 16, 0},
	"qwen35": {0, 17, 4}, "qwen35moe": {0, 17, 4}, "lfm2moe": {0, 17, 4}, "nemotron_h": {0, 17, 4}, "nemotron_h_moe": {0, 17, 4},
	"gemma4": {0, 20, 0}, "laguna": {0, 22, 0}, "nemotron_h_omni": {0, 22, 0},
}

// flashSince is from which version on GenerationEngine runs an architecture with flash attention unasked. Source:
// FlashAttention in fs/ggml/ggml.go of the same releases.
var flashSince = map[string]serverVersion{
	"gptoss": {0, 11, 10}, "gpt-oss": {0, 11, 10}, "gemma3": {0, 12, 6}, "qwen3": {0, 12, 6}, "qwen3moe": {0, 12, 6},
	"qwen3vl": {0, 12, 11}, "qwen3vlmoe": {0, 12, 11}, "bert": {0, 13, 5}, "mistral3": {0, 13, 5}, "olmo3": {0, 13, 5},
	"glm4moelite": {0, 15, 0}, "lfm2": {0, 15, 0}, "glmocr": {0, 16, 0}, "qwen3next": {0, 16, 0}, "qwen35": {0, 17, 4},
	"qwen35moe": {0, 17, 4}, "lfm2moe": {0, 17, 4}, "nemotron_h": {0, 17, 4}, "nemotron_h_moe": {0, 17, 4}, "gemma4": {0, 20, 0},
	"nemotron_h_omni": {0, 22, 0},
}

// since says whether a table names the architecture for the release.
func (r serverVersion) since(table map[string]serverVersion, architecture string) bool {
	first, ok := table[architecture]
	return ok && !r.before(first)
}

// oneAtATime are the families that every generation loads for one sequence whatever is asked. Source: server/sched.go of
// Ollama 0.17.4 and of the snapshot of 21 August 2026.
var oneAtATime = map[string]bool{
	"mllama": true, "qwen3vl": true, "qwen3vlmoe": true, "qwen35": true, "qwen35moe": true, "qwen3next": true, "lfm2": true, "lfm2moe": true,
	"nemotron_h": true, "nemotron_h_moe": true, "nemotron_h_omni": true,
}

// rules is a generation with what else of the version matters, resolved for one model and load.
type rules struct {
	quiet      bool       // make no words: a plan tries many loads and explains few
	generation Generation // never unknown
	release    serverVersion
	engine     bool // the server's own engine runs it (GenerationEngine, and the few of GenerationOld)
}

// rulesFor picks the rules; the note is "" when the version is known.
func rulesFor(m Model, version string) (rules, string) {
	r, known := parseRelease(version)
	g := GenerationOf(version)
	note := ""
	if g == GenerationUnknown {
		g = GenerationServer
		note = "the server's version is unknown, so the rules of Ollama 0.30 and later are used"
		if version != "" {
			note = fmt.Sprintf("the server's version %q is no release, so the rules of Ollama 0.30 and later are used", version)
		}
	}
	if !known {
		r = serverVersion{0, 1 << 19, 0} // newer than every threshold
	}
	out := rules{generation: g, release: r}
	out.engine = g != GenerationServer && r.since(engineSince, m.Architecture)
	return out, note
}

// say is Sprintf, or "" when the rules are quiet.
func (u rules) say(format string, args ...any) string {
	if u.quiet {
		return ""
	}
	return fmt.Sprintf(format, args...)
}

func isGPTOSS(m Model) bool {
	return m.Architecture == "gptoss" || m.Architecture == "gpt-oss"
}

// resolve carries out a load as the server would: zero values become the server's own, and what it would refuse or drop is
// replaced and said.
func (u rules) resolve(m Model, l Load) (Load, []string) {
	var notes []string
	if l.Context <= 0 {
		l.Context = MinContext
	}
	if m.ContextLimit > 0 && l.Context > m.ContextLimit {
		notes = append(notes, fmt.Sprintf("the model was made for %s, so the server cuts the context of %s to that", plural(m.ContextLimit, "token"), Grouped(l.Context)))
		l.Context = m.ContextLimit
	}
	l.Context = min(max(l.Context, LeastContext), maxContext)
	l.Parallel = min(max(l.Parallel, 1), maxParallel, max(maxTotal/l.Context, 1))
	if l.Parallel > 1 && (oneAtATime[m.Architecture] || m.Encoder) {
		notes = append(notes, fmt.Sprintf("the server loads %s models for one sequence at a time, so %d are not counted", m.Architecture, l.Parallel))
		l.Parallel = 1
	}
	if l.Backend == "" {
		l.Backend = CUDA
	}
	l.Devices = min(max(l.Devices, 1), 64)
	asked := l.Flash
	l.Flash = u.flash(m, l)
	l.K, l.V = or(l.K, l.KV), or(l.V, l.KV)
	l.K, l.V = or(l.K, F16), or(l.V, F16)
	if (quantised(l.K) || quantised(l.V)) && !m.Encoder {
		if why := u.drops(m, l, asked); why != "" {
			notes = append(notes, fmt.Sprintf("the cache is counted at f16 and not at %s: %s", or(l.KV, l.V), why))
			l.K, l.V = F16, F16
		}
	}
	if l.KV = l.K; l.K != l.V {
		l.KV = ""
	}
	if l.Batch <= 0 {
		l.Batch = u.batch(m, l)
	}
	l.Batch = min(max(l.Batch, 1), maxBatch)
	if l.Physical <= 0 {
		l.Physical = l.Batch
	}
	l.Physical = min(l.Physical, l.Batch)
	if total := l.Context * l.Parallel; l.Physical > total {
		l.Physical = total
	}
	return l, notes
}

// flash says whether the load runs with flash attention: on or off, never auto.
func (u rules) flash(m Model, l Load) Flash {
	switch {
	case l.Flash == FlashOff:
		return FlashOff
	case u.generation == GenerationServer && m.Encoder && l.Flash != FlashOn:
		return FlashOff // not known; their batch is short, so the larger figure costs little
	case u.generation == GenerationServer:
		return FlashOn // llama-server's auto turns it on where the device can
	case l.Flash == FlashOn:
		if u.refusesFlash(m) {
			return FlashOff
		}
		return FlashOn
	case u.generation == GenerationOld:
		return FlashOff
	case u.engine:
		if u.release.since(flashSince, m.Architecture) && !u.refusesFlash(m) {
			return FlashOn
		}
		return FlashOff
	}
	return FlashOn // llama.cpp's own auto
}

// refusesFlash repeats SupportsFlashAttention of fs/ggml/ggml.go, Ollama 0.17.4.
func (u rules) refusesFlash(m Model) bool {
	if m.Encoder || m.Architecture == "gemma2" {
		return true
	}
	if m.Recurrent.Layers != nil && strings.HasPrefix(m.Architecture, "qwen3") {
		return false
	}
	return m.KeyLength != m.ValueLength
}

// drops says why the server would not use a quantised cache, or "".
func (u rules) drops(m Model, l Load, asked Flash) string {
	switch {
	case l.Flash == FlashOff && u.generation == GenerationServer:
		return "without flash attention the server does not start with a quantised cache"
	case l.Flash == FlashOff:
		return "without flash attention the server drops a quantised cache with a warning in its log"
	case u.generation != GenerationServer && !u.engine && asked != FlashOn:
		return "this server drops a quantised cache for " + m.Architecture + " models unless OLLAMA_FLASH_ATTENTION=1 is set"
	}
	return ""
}

// batch is num_batch as the server sets it when nobody does. Source: server/sched.go, automaticGenerationBatch, in the
// snapshot of 21 August 2026: 512 to a context of 4096 in all, 1024 above, 2048 above 32768, 512 without flash attention on
// CUDA. The server steps down when memory is short, so this is the most it takes. Encoders take the whole input.
func (u rules) batch(m Model, l Load) int {
	total := l.Context * l.Parallel
	if m.Encoder || m.hasCapability("embedding") {
		if u.generation == GenerationServer {
			return min(2048, l.Context)
		}
		return max(512, l.Context)
	}
	if u.generation != GenerationServer {
		return min(512, l.Context)
	}
	switch {
	case l.Flash == FlashOff && l.Backend == CUDA:
		return 512
	case total > 32768:
		return 2048
	case total > 4096:
		return 1024
	}
	return 512
}

// or is the first value unless it is the zero value, then the second.
func or[T comparable](a, b T) T {
	var zero T
	if a == zero {
		return b
	}
	return a
}
