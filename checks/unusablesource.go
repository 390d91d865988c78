package checks

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"assay/engine/provenance"
	"assay/engine/research"
)

var unusablesource = &Check{
	ID: "G04", Name: "unusablesource", Title: "UnusableSource", Tier: Grounding, Class: Hard,
	Scope: acceptedKeys, Eval: evalUnusableSource, Edit: editUnusableSource,
	Cap: 1, LifeCap: 2, Repair: []Action{RejectSource}, Terminal: RejectSource,
}

const (
	// minFileRunes is the least text of a file of the person's own, which may be a short note: only an empty one is refused. Of a page
	// of the web see provenance.Enough.
	minFileRunes = 1
	// softErrorRunes is the most text of a page that is nothing but an error message; longer ones are about something.
	softErrorRunes = 1500
	// leadRunes is how much of the text counts as its lead.
	leadRunes = 300
)

// softError is what servers say with status 200 when there is no page.
var softError = regexp.MustCompile(`(?i)page (?:was |could )?not (?:be )?found|\b404\b.{0,20}not found|not found.{0,20}\b404\b|access (?:is |was )?denied|` +
	`(?:enable|requires?|turn on) java ?script|verify (?:that )?you are (?:a )?human|are you a robot|just a moment\.\.\.|attention required|` +
	`checking your browser|unusual traffic|subscribe to (?:continue|read)|页面不存在|找不到页面|访问被拒绝|请(?:启用|开启) ?javascript|请完成(?:安全)?验证`)

// acceptedKeys returns a key for each source that was accepted.
func acceptedKeys(v View) []Key {
	var keys []Key
	for _, s := range v.Sources {
		if s.Verdict == research.Verified {
			keys = append(keys, Key{KeySource, s.ID})
		}
	}
	return keys
}

func evalUnusableSource(v View, k Key) []Hit {
	s, ok := v.source(k.ID)
	if !ok || s.Verdict != research.Verified {
		return nil
	}
	body := v.Texts[s.SHA256]
	begins := head(body, 2*softErrorRunes) // enough to tell; a book is not counted
	n, least := visibleRunes(begins), minFileRunes
	enough := n >= least
	if isWeb(s.Location) {
		least, enough = provenance.Enough(begins)
	}
	if !enough {
		return []Hit{{Where: s.ID, Code: "short", What: fmt.Sprintf("source %s has %d characters of text, at least %d make a page", s.ID, n, least)}}
	}
	if n >= softErrorRunes {
		return nil
	}
	if m := softError.FindString(s.Title + "\n" + head(body, leadRunes)); m != "" {
		return []Hit{{Where: s.ID, Code: "soft_error", What: fmt.Sprintf("source %s is an error page: %q", s.ID, m)}}
	}
	return nil
}

func editUnusableSource(v View, k Key) View {
	hits := evalUnusableSource(v, k)
	if len(hits) == 0 {
		return v
	}
	v.Sources = slices.Clone(v.Sources)
	for i := range v.Sources {
		if v.Sources[i].ID == k.ID {
			v.Sources[i].Verdict, v.Sources[i].Note = research.RejectDead, hits[0].What+"."
			v = issue(v, "source", v.Sources[i].Title, hits[0].What, v.Sources[i].Location)
		}
	}
	return v
}

func isWeb(location string) bool {
	return strings.HasPrefix(location, "http://") || strings.HasPrefix(location, "https://")
}

// head returns the first n runes of s at most.
func head(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}
