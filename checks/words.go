package checks

import (
	"encoding/json"
	"strings"

	"assay/engine/research"
	"assay/engine/text"
)

// sentencesOf returns the sentences of s as text.
func sentencesOf(s string) []string {
	spans := text.Sentences(s)
	out := make([]string, 0, len(spans))
	for _, sp := range spans {
		out = append(out, s[sp.Start:sp.End])
	}
	return out
}

// answerText returns what an answer says in its own words: the strings of a JSON answer, else its prose without code,
// quotations and tables.
func answerText(d research.Dispatch) string {
	if d.Schema == "" {
		return text.ProseOnly(d.Visible)
	}
	var value any
	if json.Unmarshal([]byte(unfence(d.Visible)), &value) != nil {
		return d.Visible
	}
	var out []string
	var walk func(v any, depth int)
	walk = func(v any, depth int) {
		if depth > maxSchemaDepth {
			return
		}
		switch v := v.(type) {
		case string:
			out = append(out, v)
		case []any:
			for _, e := range v {
				walk(e, depth+1)
			}
		case map[string]any:
			for _, name := range sortedKeys(v) {
				walk(v[name], depth+1)
			}
		}
	}
	walk(value, 0)
	return strings.Join(out, "\n")
}

// written is the text of a section that a writer wrote: blocks that are the words of their own claim or passage, and tables,
// are left out.
func (v View) written(s research.DraftSection) string {
	var out []string
	for _, b := range s.Blocks {
		if b.Kind != research.BlockTable && b.Kind != research.BlockQuote && !v.copied(b) {
			out = append(out, b.Text)
		}
	}
	return strings.Join(out, "\n\n")
}

// stated reports whether a block is exactly the words of one of its claims: a finding printed as it was found.
func (v View) stated(b research.Block) bool {
	words := strings.Join(strings.Fields(b.Text), " ")
	for _, id := range b.Claims {
		if strings.Join(strings.Fields(v.Claims[id].Text), " ") == words {
			return true
		}
	}
	return false
}

const (
	// windowSentences is how many sentences in a row are read together when the place of a claim is looked for.
	windowSentences = 3
	// maxWindows bounds the windows that are read of one text.
	maxWindows = 4000
)

// window is a few sentences of a source with their stems.
type window struct {
	text  string
	stems map[string]bool
}

// windowsOf cuts a text into overlapping windows of three sentences.
func windowsOf(s, lang string) []window {
	spans := text.Sentences(s)
	if len(spans) > maxWindows {
		spans = spans[:maxWindows]
	}
	var out []window
	for i := range spans {
		last := min(len(spans), i+windowSentences) - 1
		if i > 0 && last == len(spans)-1 && i+windowSentences > len(spans) {
			break
		}
		part := s[spans[i].Start:spans[last].End]
		out = append(out, window{part, text.TermSet(part, lang)})
	}
	return out
}

// bestWindow returns the window that holds most of a claim's stems, and the share it holds.
func bestWindow(claim map[string]bool, ws []window) (best window, share float64) {
	for _, w := range ws {
		if c := text.Containment(claim, w.stems); c > share || best.text == "" {
			best, share = w, c
		}
	}
	return best, share
}

// langOf returns "zh" for a text of mostly CJK letters, else "en".
func langOf(s string) string {
	if s != "" && isCJK(s) {
		return "zh"
	}
	return "en"
}

// sameScript reports whether two texts are in the same kind of script, so that their words can be compared.
func sameScript(a, b string) bool { return langOf(a) == langOf(b) }
