package checks

import (
	"fmt"
	"strings"

	"assay/engine/research"
	"assay/engine/text"
)

var promptecho = &Check{
	ID: "N03", Name: "promptecho", Title: "PromptEcho", Tier: Normaliser, Class: Advisory,
	Scope: blockKeys, Eval: evalPromptEcho, Edit: editPromptEcho, Advise: Edit,
}

const (
	// echoTokens is the shortest run of words of an instruction that counts as an echo of it (CHECKS 1C).
	echoTokens = 25
	// maxEchoPrompt bounds what is read of one prompt, in bytes.
	maxEchoPrompt = 1 << 16
)

func evalPromptEcho(v View, k Key) []Hit {
	b, _ := v.block(k)
	spans := v.echoes(b)
	if len(spans) == 0 {
		return nil
	}
	return []Hit{{Where: b.ID, What: fmt.Sprintf("it repeats its instruction: %q", head(b.Text[spans[0].Start:spans[0].End], 80))}}
}

// echoes returns the spans of a block that are 25 words or more of the instruction of a call, and neither of the question nor
// of the evidence that the call was given.
func (v View) echoes(b research.Block) []research.Span {
	if v.copied(b) {
		return nil
	}
	tokens := text.Tokens(b.Text)
	if len(tokens) < echoTokens {
		return nil
	}
	own := make([]string, len(tokens))
	for i, t := range tokens {
		own[i] = t.Norm
	}
	told := map[string]bool{}
	for _, d := range v.Dispatches {
		grams(d.Prompt[:min(len(d.Prompt), maxEchoPrompt)], told)
	}
	if len(told) == 0 {
		return nil
	}
	given := map[string]bool{}
	grams(v.Question, given)
	grams(v.groundOf(b).text, given)
	for _, d := range v.Dispatches {
		grams(d.Evidence, given)
	}
	var out []research.Span
	for i := 0; i+echoTokens <= len(own); i++ {
		if g := strings.Join(own[i:i+echoTokens], " "); !told[g] || given[g] {
			continue
		}
		span := research.Span{Start: tokens[i].Start, End: tokens[i+echoTokens-1].End}
		if n := len(out); n > 0 && span.Start <= out[n-1].End {
			out[n-1].End = span.End
			continue
		}
		out = append(out, span)
	}
	return out
}

// grams adds the runs of echoTokens words of s.
func grams(s string, into map[string]bool) {
	tokens := text.Tokens(s)
	norms := make([]string, len(tokens))
	for i, t := range tokens {
		norms[i] = t.Norm
	}
	for i := 0; i+echoTokens <= len(norms); i++ {
		into[strings.Join(norms[i:i+echoTokens], " ")] = true
	}
}

func editPromptEcho(v View, k Key) View {
	return mapBlocks(v, func(b research.Block) (research.Block, bool) {
		if b.ID != k.ID {
			return b, true
		}
		for range 8 { // what is joined by taking one echo out may be another
			spans := v.echoes(b)
			if len(spans) == 0 {
				return b, visibleRunes(b.Text) > 0
			}
			for i := len(spans) - 1; i >= 0; i-- {
				b.Text = b.Text[:spans[i].Start] + b.Text[spans[i].End:]
			}
			b.Text = strings.TrimLeft(strings.TrimSpace(b.Text), ".,;: 。，；：")
		}
		return b, false
	})
}
