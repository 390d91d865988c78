package checks

import (
	"fmt"
	"regexp"

	"assay/engine/research"
	"assay/engine/text"
)

var hedgedropped = &Check{
	ID: "G22", Name: "hedgedropped", Title: "HedgeDropped", Tier: Grounding, Class: Advisory,
	Scope: statementKeys, Eval: evalHedgeDropped, Advise: Hedge,
}

// minAligned is the share of a sentence's stems that a sentence of its source holds before the two are compared word for word.
const minAligned = 0.6

var (
	hedged = regexp.MustCompile(`(?i)\b(?:may|might|could|suggests?|suggested|preliminary|estimated?|up to|possibly|perhaps|likely|probably|appears? to|seems? to|is thought to|are thought to|is believed to|are believed to|reportedly|allegedly|potentially|tentative\w*|early (?:data|evidence|results)|limited evidence|indicates?|in some cases|is expected to|are expected to)\b|可能|或许|也许|似乎|初步|估计|据称|有望|大概|推测|疑似|约`)
	strong = regexp.MustCompile(`(?i)\b(?:proves?|proven|proved|confirms?|confirmed|demonstrates?|demonstrated|shows?|showed|will|always|definitely|certainly|clearly|undoubtedly|conclusively|establishes|established|ensures?|guarantees?|eliminates?|is|are|was|were|has|have|cuts?|reduces?|reduced|causes?|caused|increases?|increased|improves?|improved|prevents?|prevented|cures?|leads?|raises?|lowers?|doubles?|works?)\b|证明|证实|必然|一定|肯定|将会|显著|导致|是|能够|会`)
)

func evalHedgeDropped(v View, k Key) []Hit {
	return weakened(v, k, func(sentence, source string) string {
		h := hedged.FindString(source)
		if h == "" || hedged.MatchString(sentence) || !strong.MatchString(sentence) {
			return ""
		}
		return fmt.Sprintf("its source says %q, and it says so without", h)
	})
}

// weakened compares each sentence of a block with the sentence of its source that is closest to it. A block that prints its
// own claim, or words of its source, has nothing to lose.
func weakened(v View, k Key, compare func(sentence, source string) string) []Hit {
	b, _ := v.block(k)
	if v.copied(b) || b.Kind == research.BlockQuote {
		return nil
	}
	clean, _ := ParseCitations(b.Text)
	ground := sentencesOf(v.groundOf(b).text)
	var hits []Hit
	for _, s := range sentencesOf(clean) {
		stems := text.TermSet(s, v.Lang)
		best, share := "", 0.0
		for _, g := range ground {
			if c := text.Containment(stems, text.TermSet(g, v.Lang)); c > share {
				best, share = g, c
			}
		}
		if share < minAligned {
			continue
		}
		if why := compare(s, best); why != "" {
			hits = append(hits, Hit{Where: b.ID, What: why})
		}
	}
	return hits
}
