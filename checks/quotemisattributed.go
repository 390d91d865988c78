package checks

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"assay/engine/research"
	"assay/engine/text"
)

var quotemisattributed = &Check{
	ID: "G18", Name: "quotemisattributed", Title: "QuoteMisattributed", Tier: Grounding, Class: Advisory,
	Scope: statementKeys, Eval: evalQuoteMisattributed, Advise: Issues,
}

const (
	// speakerBefore and speakerAfter are how far from a quotation its speaker is named in a source, in bytes (CHECKS G18).
	speakerBefore = 200
	speakerAfter  = 120
	// maxQuoteSources bounds the other sources that a quotation is looked for in.
	maxQuoteSources = 60
)

func evalQuoteMisattributed(v View, k Key) []Hit {
	b, _ := v.block(k)
	var hits []Hit
	quotes := quotations(b)
	if len(quotes) == 0 {
		return nil
	}
	own := v.quoteSources(b)
	for _, q := range quotes {
		if !slices.ContainsFunc(own, func(words []string) bool { return quoted(q, words) }) {
			if id := v.quotedIn(q, b); id != "" {
				hits = append(hits, Hit{Where: b.ID, Code: "source", What: fmt.Sprintf("source %s has the words %q and is not cited", id, head(q, 100))})
			}
			continue
		}
		if claimed, real := v.otherSpeaker(b, q); real != "" {
			hits = append(hits, Hit{Where: b.ID, Code: "speaker", What: fmt.Sprintf("it gives the words %q to %s, and its source to %s", head(q, 80), claimed, real)})
		}
	}
	return hits
}

// quotedIn returns the only other source that holds the words of a quotation.
func (v View) quotedIn(q string, b research.Block) string {
	found := ""
	for i, s := range v.Sources {
		if i >= maxQuoteSources || slices.Contains(b.Refs, s.ID) || s.Verdict != research.Verified {
			continue
		}
		if quoted(q, quoteWords(head(v.Texts[s.SHA256], maxQuoteText))) {
			if found != "" {
				return ""
			}
			found = s.ID
		}
	}
	return found
}

// otherSpeaker returns whom a block gives a quotation to and whom its source does, when these are two names.
func (v View) otherSpeaker(b research.Block, q string) (claimed, real string) {
	at := strings.Index(b.Text, q)
	if at < 0 {
		return "", ""
	}
	claimed = speaker(b.Text, at, at+len(q))
	if claimed == "" {
		return "", ""
	}
	g := v.groundOf(b)
	bodies := []string{g.text}
	for _, s := range g.sources {
		bodies = append(bodies, v.Texts[s.SHA256])
	}
	for _, body := range bodies {
		i := strings.Index(body, strings.Trim(q, " .,;!?"))
		if i < 0 {
			continue
		}
		end := i + len(q)
		around := text.Fold(body[max(0, i-speakerBefore):min(len(body), end+speakerAfter)])
		if strings.Contains(around, surname(claimed)) {
			return "", ""
		}
		if s := speaker(body, i, min(end, len(body))); s != "" && surname(s) != surname(claimed) {
			real = s
		}
	}
	return claimed, real
}

// apposed is what stands between a name and its verb: ", who runs the port,".
var apposed = regexp.MustCompile(`, (?:who|which|whose|an?|the|his|her|its) [^,.]{1,80},`)

// speakerNear is how far a name may stand from its verb of saying, in bytes.
const speakerNear = 24

// speaker returns the name that stands closest to a verb of saying beside a quotation; empty when none stands there.
func speaker(s string, from, to int) string {
	from0 := max(0, from-speakerBefore)
	for from0 < from && s[from0]&0xC0 == 0x80 {
		from0++
	}
	end := min(len(s), to+speakerAfter)
	for end < len(s) && s[end]&0xC0 == 0x80 {
		end++
	}
	best, near := "", speakerNear+1
	for _, part := range []string{lastSentence(s[from0:from]), firstSentence(s[to:end])} {
		part = apposed.ReplaceAllString(part, " ")
		for _, m := range sayings.FindAllStringIndex(part, 4) {
			for _, n := range append(text.Names(part), text.ChineseNames(part)...) {
				gap := max(n.Start-m[1], m[0]-n.End)
				if gap >= 0 && gap < near {
					best, near = n.Text, gap
				}
			}
		}
	}
	if best != "" {
		return best
	}
	// Without a verb of saying it is whoever is named nearest, where only one is named in the sentence.
	before, after := lastSentence(s[from0:from]), firstSentence(s[to:end])
	named := map[string]string{}
	for _, part := range []string{before, after} {
		for _, n := range append(text.Names(part), text.ChineseNames(part)...) {
			named[surname(n.Text)] = n.Text
		}
	}
	if len(named) == 1 {
		for _, name := range named {
			return name
		}
	}
	return ""
}

func lastSentence(s string) string {
	list := sentencesOf(s)
	if len(list) == 0 {
		return ""
	}
	return list[len(list)-1]
}

func firstSentence(s string) string {
	// What follows a quotation begins with its closing mark.
	s = strings.TrimLeft(s, "\"”»」』,. ")
	if list := sentencesOf(s); len(list) > 0 {
		return list[0]
	}
	return ""
}

// surname returns the last word of a name, folded.
func surname(name string) string {
	words := strings.Fields(text.Fold(name))
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}
