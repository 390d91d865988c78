package checks

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"assay/engine/text"
)

var controltokenleak = &Check{
	ID: "C04", Name: "controltokenleak", Title: "ControlTokenLeak", Tier: Completion, Class: Hard,
	Scope: dispatchKeys, Eval: evalControlTokenLeak, Edit: editControlTokenLeak,
	Cap: 1, LifeCap: 3, Repair: []Action{Edit}, Terminal: Salvage,
}

// controlTokens are the markers of reasoning and chat templates and the residue of citation widgets. On 100 real reports
// of public systems none of these patterns fired (CHECKS 1A).
var controlTokens = regexp.MustCompile(`(?i)</?think(?:ing)?>` +
	`|<\|[a-z_]{0,24}(?:channel|start|end|message|return|call|constrain|im_start|im_end)[a-z_]{0,24}\|>` +
	`|assistantfinal|oaicite|\bturn\d+(?:search|view|fetch)\d+|【\d+[^】\n]{0,8}†`)

// bareAnalysis is a reasoning channel whose markers the server already ate.
var bareAnalysis = regexp.MustCompile(`^\s*analysis[A-Z]`)

func evalControlTokenLeak(v View, k Key) []Hit {
	d, ok := v.dispatch(k)
	if !ok {
		return nil
	}
	visible := d.Visible
	if d.Schema == "" {
		visible, _ = ParseCitations(text.ProseOnly(visible))
	}
	leak := controlTokens.FindString(visible)
	if leak == "" {
		leak = strings.TrimSpace(bareAnalysis.FindString(visible))
	}
	if leak == "" {
		return nil
	}
	return []Hit{{Where: k.ID, What: fmt.Sprintf("the answer holds the control token %q", leak)}}
}

func editControlTokenLeak(v View, k Key) View {
	if evalControlTokenLeak(v, k) == nil {
		return v
	}
	v.Dispatches = slices.Clone(v.Dispatches)
	for i := len(v.Dispatches) - 1; i >= 0; i-- {
		if dispatchKey(v.Dispatches[i]) == k {
			v.Dispatches[i].Visible = stripControl(v.Dispatches[i].Visible)
			break
		}
	}
	return v
}

var (
	finalChannel = regexp.MustCompile(`(?is)^.*(?:assistantfinal|<\|channel\|>\s*final\s*(?:<\|message\|>)?)`)
	thinkBlock   = regexp.MustCompile(`(?is)<think(?:ing)?>.*?</think(?:ing)?>`)
	thinkTail    = regexp.MustCompile(`(?is)^.*</think(?:ing)?>`) // the opening tag may be missing
	thinkOpen    = regexp.MustCompile(`(?is)<think(?:ing)?>.*$`)  // never closed: all of it is thinking
	widgetMark   = regexp.MustCompile(`(?i):?(?:contentReference)?\[oaicite:?[^\]]{0,40}\](?:\{[^}]{0,60}\})?`)
)

// stripControl returns what of an answer was meant to be seen: its final channel, without reasoning and control tokens. An
// answer that is all reasoning becomes empty. Doing it twice changes nothing.
func stripControl(s string) string {
	for range 8 { // taking one token out can join the halves of another; hostile nesting deeper than this is left empty
		before := s
		s = finalChannel.ReplaceAllString(s, "")
		s = thinkBlock.ReplaceAllString(s, "")
		s = thinkTail.ReplaceAllString(s, "")
		s = thinkOpen.ReplaceAllString(s, "")
		if bareAnalysis.MatchString(s) {
			return ""
		}
		s = widgetMark.ReplaceAllString(s, "")
		s = controlTokens.ReplaceAllString(s, "")
		if s == before {
			return s
		}
	}
	return ""
}
