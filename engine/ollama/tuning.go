package ollama

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Tuning is what a server of our own is told at its start; it holds for all its models and cannot be changed later.
type Tuning struct {
	// FlashAttention is "on" or "off"; anything else leaves it to the server, which decides by model and card.
	FlashAttention string
	// KVType is "f16", "q8_0" or "q4_0". If empty, f16. Others than f16 need flash attention, so FlashAttention is then "on":
	// the server ignores the type otherwise.
	KVType string
	// Parallel is how many calls are answered at once, each with a window of its own. If zero, 1.
	Parallel int
	// KeepAlive is how long a model stays after its last call. If zero, 10 minutes.
	KeepAlive time.Duration
	// GPUOverhead is what the server leaves free on every card, in bytes.
	GPUOverhead int64
	// ContextLength is the window of a call that names none, in tokens. If zero, [DefaultNumCtx].
	ContextLength int
	// Debug has the server write every allocation into its log, and every prompt: it is for measurements, never for runs.
	Debug bool
}

// vars are the tuned variables, in a fixed order. keepParts keeps the server from throwing away what earlier pulls left.
func (t Tuning) vars(addr string, keepParts bool) []string {
	if t.KVType != "" && t.KVType != "f16" {
		t.FlashAttention = "on"
	}
	if t.KeepAlive == 0 {
		t.KeepAlive = 10 * time.Minute
	}
	if t.ContextLength <= 0 {
		t.ContextLength = DefaultNumCtx
	}
	out := []string{
		"OLLAMA_HOST=" + addr,
		// No model of this server is answered by its maker's machines.
		"OLLAMA_NO_CLOUD=1",
		"OLLAMA_NUM_PARALLEL=" + strconv.Itoa(max(1, t.Parallel)),
		"OLLAMA_KEEP_ALIVE=" + t.KeepAlive.String(),
		"OLLAMA_CONTEXT_LENGTH=" + strconv.Itoa(t.ContextLength),
	}
	switch t.FlashAttention {
	case "on":
		out = append(out, "OLLAMA_FLASH_ATTENTION=1")
	case "off":
		out = append(out, "OLLAMA_FLASH_ATTENTION=0")
	}
	if t.KVType != "" {
		out = append(out, "OLLAMA_KV_CACHE_TYPE="+t.KVType)
	}
	if t.GPUOverhead > 0 {
		out = append(out, fmt.Sprintf("OLLAMA_GPU_OVERHEAD=%d", t.GPUOverhead))
	}
	if keepParts {
		out = append(out, "OLLAMA_NOPRUNE=1")
	}
	if t.Debug {
		out = append(out, "OLLAMA_DEBUG=1")
	}
	return out
}

// passed are the variables of the server that a person's environment may set for it; the rest are decided by Tuning, so that
// one left over from elsewhere does not change what was planned. OLLAMA_DEBUG is not among them: it would put prompts into the
// log.
var passed = []string{
	"OLLAMA_MODELS", "OLLAMA_LLM_LIBRARY", "OLLAMA_SCHED_SPREAD", "OLLAMA_VULKAN", "OLLAMA_LOAD_TIMEOUT", "OLLAMA_MAX_LOADED_MODELS",
	"OLLAMA_MAX_QUEUE", "OLLAMA_TMPDIR",
}

// environ is the environment of the child: everything of the person's but the server's other variables, and the tuned ones.
func (t Tuning) environ(base []string, addr string, keepParts bool) []string {
	var out []string
	for _, v := range base {
		name, _, _ := strings.Cut(v, "=")
		name = strings.ToUpper(name)
		if !strings.HasPrefix(name, "OLLAMA_") || slices.Contains(passed, name) {
			out = append(out, v)
		}
	}
	return append(out, t.vars(addr, keepParts)...)
}

// modelsDir is where a server with this environment keeps its models; empty when it cannot be told.
func modelsDir(environ []string) string {
	value := map[string]string{}
	for _, v := range environ {
		name, s, _ := strings.Cut(v, "=")
		value[strings.ToUpper(name)] = s
	}
	switch {
	case value["OLLAMA_MODELS"] != "":
		return strings.Trim(strings.TrimSpace(value["OLLAMA_MODELS"]), `"'`)
	case value["HOME"] != "":
		return filepath.Join(value["HOME"], ".ollama", "models")
	case value["USERPROFILE"] != "":
		return filepath.Join(value["USERPROFILE"], ".ollama", "models")
	}
	return ""
}

// hasParts reports whether a pull left something unfinished in a folder of models. A server that starts throws such parts away
// unless it is told not to, and with them what was fetched of a model of many gigabytes.
func hasParts(models string) bool {
	if models == "" {
		return false
	}
	// The pattern is well-formed, which is all that Glob complains of; the folder's name is not part of it.
	names, _ := filepath.Glob(filepath.Join(escapeGlob(models), "blobs", "*-partial*"))
	return len(names) > 0
}

// escapeGlob takes the meaning from the characters of a pattern. On Windows nothing can be escaped, and none of these is likely.
func escapeGlob(s string) string {
	if filepath.Separator == '\\' {
		return s
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(s)
}
