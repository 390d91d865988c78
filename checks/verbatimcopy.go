package checks

import (
	"fmt"
	"strings"

	"assay/engine/research"
	"assay/engine/text"
)

var verbatimcopy = &Check{
	ID: "G28", Name: "verbatimcopy", Title: "VerbatimCopy", Tier: Grounding, Class: Advisory,
	Scope: sectionKeys, Eval: evalVerbatimCopy, Advise: Annotate,
}

const (
	// copyRun is the longest run of words that a writer may take over without quotation marks; copiedShare and copiedWords
	// bound how much of a section may come from one source (CHECKS G28).
	copyRun     = 50
	copiedShare = 0.30
	copiedWords = 120
	copyGram    = 8
	maxCopyText = 1 << 20
)

// quotingChannel is the channel that prints the words of sources as such; what it wrote is a quotation by its nature.
const quotingChannel = "extractive"

func evalVerbatimCopy(v View, k Key) []Hit {
	s, _ := v.section(k)
	var all []string
	refs := map[string]bool{}
	for _, b := range s.Blocks {
		if b.Kind == research.BlockTable || b.Kind == research.BlockQuote || b.By == quotingChannel || v.stated(b) {
			continue
		}
		all = append(all, unquoted(b.Text))
		for _, src := range v.groundOf(b).sources {
			refs[src.ID] = true
		}
	}
	tokens := norms(strings.Join(all, "\n\n"))
	if len(tokens) < copyRun {
		return nil
	}
	for _, id := range sortedKeys(refs) {
		src, _ := v.source(id)
		body := v.Texts[src.SHA256]
		have := map[string]bool{}
		theirs := norms(body[:min(len(body), maxCopyText)])
		for i := 0; i+copyGram <= len(theirs); i++ {
			have[strings.Join(theirs[i:i+copyGram], " ")] = true
		}
		run, longest, shared, total := 0, 0, 0, 0
		for i := 0; i+copyGram <= len(tokens); i++ {
			total++
			if !have[strings.Join(tokens[i:i+copyGram], " ")] {
				run = 0
				continue
			}
			shared++
			run++
			longest = max(longest, run+copyGram-1)
		}
		switch {
		case longest >= copyRun:
			return []Hit{{Where: s.ID, Code: "run", What: fmt.Sprintf("%d words in a row are those of source %s, without quotation marks", longest, id)}}
		case len(tokens) >= copiedWords && float64(shared) >= copiedShare*float64(total):
			return []Hit{{Where: s.ID, Code: "share", What: fmt.Sprintf("%d of its %d runs of words are those of source %s", shared, total, id)}}
		}
	}
	return nil
}

// norms returns the words of s in their normal form.
func norms(s string) []string {
	tokens := text.Tokens(s)
	out := make([]string, len(tokens))
	for i, t := range tokens {
		out[i] = t.Norm
	}
	return out
}

// unquoted takes what stands in quotation marks out of a text; what stood around it does not run on.
func unquoted(s string) string {
	quotes := text.Quotes(s)
	for i := len(quotes) - 1; i >= 0; i-- {
		s = s[:quotes[i].Start] + " q" + fmt.Sprint(i) + " " + s[quotes[i].End:]
	}
	return s
}
