package evidence

import (
	"sync/atomic"

	"assay/engine/text"
)

// lastLang remembers the language of the text asked about last: a claim is held against many windows in a row, and telling
// a language costs more than any matcher.
var lastLang atomic.Pointer[known]

type known struct{ text, lang string }

// langOf is text.Lang.
func langOf(s string) string {
	if k := lastLang.Load(); k != nil && k.text == s {
		return k.lang
	}
	l := text.Lang(s)
	lastLang.Store(&known{s, l})
	return l
}
