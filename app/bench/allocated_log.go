package bench

import (
	"regexp"
	"strconv"
	"strings"

	"assay/engine/ollama"
)

// allocation is what a server's log says of the last load in it, in bytes.
type allocation struct {
	engine  string // "ollama" or "llama.cpp"
	kv      int64
	exact   bool // kv is known to the byte
	lines   int  // that kv was added up from
	compute int64
}

var (
	required   = regexp.MustCompile(`msg=memory success=true required\.`)
	cacheBytes = regexp.MustCompile(`required\.[A-Za-z0-9]+\.Cache="\[([0-9 ]+)\]"`)
	graphBytes = regexp.MustCompile(`required\.[A-Za-z0-9]+\.Graph=([0-9]+)`)
	loading    = regexp.MustCompile(`msg="loading model" "model layers"`)
)

// readAllocation reads the last load of a log that was written with OLLAMA_DEBUG. The server's own engine then writes every
// allocation in bytes; llama.cpp prints its caches in hundredths of a MiB.
func readAllocation(lines []string) allocation {
	var reader ollama.LogReader
	var a allocation
	for _, line := range lines {
		switch {
		case loading.MatchString(line):
			reader, a = ollama.LogReader{}, allocation{}
		case required.MatchString(line):
			a = allocation{engine: "ollama", exact: true}
			for _, m := range cacheBytes.FindAllStringSubmatch(line, -1) {
				for _, layer := range strings.Fields(m[1]) {
					n, _ := strconv.ParseInt(layer, 10, 64) // digits; one that is too large is no size
					a.kv += min(n, 1<<50)
				}
			}
			for _, m := range graphBytes.FindAllStringSubmatch(line, -1) {
				n, _ := strconv.ParseInt(m[1], 10, 64) // digits
				a.compute += n
			}
		default:
			reader.Line(line)
		}
	}
	if a.engine != "" {
		return a
	}
	a.engine = "llama.cpp"
	log := reader.Log()
	if len(log.Loads) == 0 {
		return a
	}
	load := log.Loads[len(log.Loads)-1]
	for _, c := range load.Caches {
		a.kv += c.Bytes
		a.lines++
	}
	for _, p := range load.Parts {
		if p.Exact && p.Kind == "compute" {
			a.compute += p.Bytes
		}
	}
	return a
}
