package checks

import (
	"fmt"
	"strings"

	"assay/engine/research"
	"assay/engine/text"
)

var fillerpadding = &Check{
	ID: "N04", Name: "fillerpadding", Title: "FillerPadding", Tier: Normaliser, Class: Advisory,
	Scope: sectionKeys, Eval: evalFillerPadding, Advise: Annotate,
}

const (
	// maxFillers is how many paragraphs without substance a section may have.
	maxFillers = 1
	// maxFillerShare is the share of a section's words, in percent, that may stand in them.
	maxFillerShare = 25
	// minFillerWords is how many words a section needs before a share of it says something.
	minFillerWords = 40
)

func evalFillerPadding(v View, k Key) []Hit {
	s, _ := v.section(k)
	var fillers []research.Block
	words, filled := 0, 0
	for _, b := range s.Blocks {
		n := wordCount(b.Text)
		words += n
		if filler(b) {
			filled += n
			fillers = append(fillers, b)
		}
	}
	var hits []Hit
	for i, b := range fillers {
		if i >= maxFillers {
			hits = append(hits, Hit{Where: b.ID, Code: "second", What: fmt.Sprintf("it holds no fact, number, name or reference: %q", head(b.Text, 100))})
		}
	}
	if len(hits) == 0 && words >= minFillerWords && filled*100 > words*maxFillerShare {
		hits = append(hits, Hit{Where: k.ID, Code: "share", What: fmt.Sprintf("%d of its %d words hold no fact, number, name or reference", filled, words)})
	}
	return hits
}

// filler reports whether a block holds nothing that could be right or wrong: no claim, reference, number or name.
func filler(b research.Block) bool {
	return (b.Kind == research.BlockParagraph || b.Kind == research.BlockFinding) && len(b.Refs)+len(b.Citations)+len(b.Claims) == 0 &&
		len(text.Quantities(b.Text)) == 0 && len(text.Names(b.Text))+len(text.ChineseNames(b.Text)) == 0 && visibleRunes(b.Text) > 0
}

// wordCount counts words; two CJK characters are about one.
func wordCount(s string) int {
	if s != "" && isCJK(s) {
		return len([]rune(s)) / 2
	}
	return len(strings.Fields(s))
}
