package checks

import (
	"encoding/json"
	"fmt"
	"unicode"
)

var emptyoutput = &Check{
	ID: "C02", Name: "emptyoutput", Title: "EmptyOutput", Tier: Completion, Class: Hard,
	Scope: dispatchKeys, Eval: evalEmptyOutput,
	Cap: 2, LifeCap: 4, Repair: []Action{Retry, Salvage}, Terminal: Salvage,
}

// minVisibleRunes is the least an answer in prose holds; an honest "No relevant passages." has 20 without its spaces.
const minVisibleRunes = 20

func evalEmptyOutput(v View, k Key) []Hit {
	d, ok := v.dispatch(k)
	if !ok {
		return nil
	}
	visible := stripControl(d.Visible)
	if d.Schema != "" && json.Valid([]byte(unfence(visible))) {
		return nil // {"claims": []} is short, and an answer
	}
	n := visibleRunes(visible)
	if n >= minVisible(visible) {
		return nil
	}
	if visibleRunes(d.Thinking) > n {
		return []Hit{{Where: k.ID, Code: "thinking_only", Action: Rethink, What: fmt.Sprintf("the answer has %d characters, all the rest is thinking", n)}}
	}
	return []Hit{{Where: k.ID, Code: "plain", What: fmt.Sprintf("the answer has %d characters", n)}}
}

// minVisible is minVisibleRunes, or half of it for a CJK text.
func minVisible(s string) int {
	if s != "" && isCJK(s) {
		return minVisibleRunes / 2
	}
	return minVisibleRunes
}

// visibleRunes counts the runes of s that are not space.
func visibleRunes(s string) int {
	n := 0
	for _, r := range s {
		if !unicode.IsSpace(r) {
			n++
		}
	}
	return n
}
