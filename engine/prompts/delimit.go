package prompts

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strconv"
	"strings"
)

// edges are the lines between which a template puts its evidence. Nothing in the evidence reads so: see [data].
var edges = regexp.MustCompile(`(?m)^(BEGIN|END) EVIDENCE$`)

// Delimit gives the edges of a prompt's evidence a mark of 128 bits of its own, so that no page can write the line that ends it: the mark is
// drawn from the run's seed and from the prompt itself, the page's words in it. The same prompt of the same run has the same mark, so that
// a replay is the same byte for byte. It is total and has no switch.
func Delimit(prompt string, seed int64) string {
	mark := ""
	for n := 0; mark == "" || strings.Contains(prompt, mark); n++ {
		sum := sha256.Sum256([]byte(strconv.FormatInt(seed, 10) + " " + strconv.Itoa(n) + "\n" + prompt))
		mark = hex.EncodeToString(sum[:16])
	}
	return edges.ReplaceAllString(prompt, "${1} EVIDENCE "+mark)
}
