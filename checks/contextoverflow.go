package checks

import "fmt"

var contextoverflow = &Check{
	ID: "C01", Name: "contextoverflow", Title: "ContextOverflow", Tier: Completion, Class: Hard,
	Scope: dispatchKeys, Eval: evalContextOverflow,
	Cap: 1, LifeCap: 2, Repair: []Action{Split}, Terminal: Salvage,
}

const (
	// windowSlack is how close to the window a prompt's count may come before part of it was cut: servers keep one or two
	// tokens back for the answer.
	windowSlack = 2
	// noAnswerTokens is the most tokens an answer has when the prompt left no room (a single one was reported in the wild).
	noAnswerTokens = 2
)

func evalContextOverflow(v View, k Key) []Hit {
	d, ok := v.dispatch(k)
	switch {
	case !ok:
		return nil
	case d.NumCtx > 0 && d.PromptTokens >= d.NumCtx-windowSlack:
		return []Hit{{Where: k.ID, Code: "window", What: fmt.Sprintf("the prompt took %d of %d tokens and was cut", d.PromptTokens, d.NumCtx)}}
	case d.DoneReason == "length" && d.AnswerTokens <= noAnswerTokens && visibleRunes(d.Visible) < minVisible(d.Visible):
		return []Hit{{Where: k.ID, Code: "no_room", What: fmt.Sprintf("the answer ended for length after %d tokens", d.AnswerTokens)}}
	}
	return nil
}
