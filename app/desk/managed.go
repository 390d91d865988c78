package desk

import (
	"fmt"
	"path/filepath"
)

// maxParallel is how many calls a managed server may be told to answer at once: each holds a window of its own in memory.
const maxParallel = 16

// checkServer says in one sentence what is wrong with the settings of the managed server, or returns nil.
func (s Settings) checkServer() error {
	switch s.FlashAttention {
	case "", "auto", "on", "off":
	default:
		return fmt.Errorf("flash attention %q: use auto, on or off", s.FlashAttention)
	}
	switch s.KVType {
	case "", "f16":
	case "q8_0", "q4_0":
		if s.FlashAttention == "off" {
			return fmt.Errorf("cache type %s: the server ignores it without flash attention; use f16, or set flash attention to auto or on", s.KVType)
		}
	default:
		return fmt.Errorf("cache type %q: use f16, q8_0 or q4_0", s.KVType)
	}
	if s.Parallel < 0 || s.Parallel > maxParallel {
		return fmt.Errorf("parallel %d: use a number from 1 to %d", s.Parallel, maxParallel)
	}
	if s.OllamaBinary != "" && !filepath.IsAbs(s.OllamaBinary) {
		return fmt.Errorf("Ollama program %q: give the whole path, such as /usr/local/bin/ollama", s.OllamaBinary)
	}
	return nil
}
