package checks

import (
	"fmt"

	"assay/engine/research"
)

var hiddentextdelta = &Check{
	ID: "S02", Name: "hiddentextdelta", Title: "HiddenTextDelta", Tier: Grounding, Class: Advisory,
	Scope: acceptedKeys, Eval: evalHiddenTextDelta, Advise: Annotate,
}

const (
	// maxHiddenShare is the share of a page's text, in percent, that it may carry without showing it (CHECKS 5.3).
	maxHiddenShare = 15
	// minHiddenWords is how many words a sentence of hidden text has before it is one: a menu is made of shorter lines.
	minHiddenWords = 6
)

func evalHiddenTextDelta(v View, k Key) []Hit {
	s, ok := v.source(k.ID)
	hidden := v.Hidden[k.ID]
	if !ok || hidden == "" || s.Verdict != research.Verified {
		return nil
	}
	if len(InjectionMarkers(s.Title, hidden)) > 0 {
		return []Hit{{Where: s.ID, Code: "order", What: fmt.Sprintf("source %s holds an order that its page does not show", s.ID)}}
	}
	prose := 0
	for _, sentence := range sentencesOf(hidden) {
		if wordCount(sentence) >= minHiddenWords && complete(sentence) {
			prose += visibleRunes(sentence)
		}
	}
	shown := visibleRunes(head(v.Texts[s.SHA256], 1<<20))
	if prose*100 > (prose+shown)*maxHiddenShare {
		return []Hit{{Where: s.ID, Code: "share", What: fmt.Sprintf("%d %% of the text of source %s is not shown on its page", prose*100/(prose+shown), s.ID)}}
	}
	return nil
}
