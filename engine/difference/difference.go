// Package difference works out what changed between two reports on one question, from their digests and from nothing else.
//
// Start at [Between]. difference.go compares findings, conflict.go finds what cannot hold beside the earlier report, sources.go says
// what became of the sources, line.go puts all of it into one sentence, mix.go chooses the lines of a briefing.
//
// Caveats: a sentence counts as kept when the other report prints it, up to its wording; a finding that was cut in another place is
// therefore none that is new. Numbers, names, dates and negations are never a matter of wording.
package difference

import (
	"slices"
	"strings"

	"assay/engine/evidence"
	"assay/engine/research"
	"assay/engine/text"
)

// Options are what a comparison may know beside the two digests. The zero value knows nothing.
type Options struct {
	EarlierRun, LaterRun string
	// Looks are second looks at sources of the earlier report that the later one does not cite, by location.
	Looks map[string]research.SourceLook
}

// reworded is the share of each of two sentences' stems that stands in the other one when they are one sentence in two wordings.
const reworded = 0.8

// maxFindings bounds the findings of a report that are compared.
const maxFindings = 2000

// Between says what changed from the earlier digest to the later one.
func Between(earlier, later research.Digest, opt Options) research.Difference {
	a, b := read(earlier), read(later)
	d := research.Difference{
		Question: later.Topic, Lang: later.Lang,
		Earlier: research.Edition{Run: opt.EarlierRun, Date: earlier.Date, Findings: len(a.findings)},
		Later:   research.Edition{Run: opt.LaterRun, Date: later.Date, Findings: len(b.findings)},
		New:     []research.ChangedFinding{}, Gone: []research.ChangedFinding{}, Confidences: []research.ConfidenceChange{},
	}
	a.mark(b)
	b.mark(a)
	d.Contradictions = conflicts(&a, &b)
	d.New, d.Gone = b.lacking(), a.lacking()
	d.Confidences = confidences(&a, &b)
	d.Sources = sources(earlier, later, opt.Looks)
	d.Line = line(d)
	return d
}

// printed is one report as it is compared.
type printed struct {
	digest   research.Digest
	findings []finding
	index    map[string]bool // keys of all sentences
	stems    []sentence      // all sentences, in order
}

// finding is one that a report prints.
type finding struct {
	research.DigestFinding
	sentences []sentence
}

// sentence is a sentence of a finding.
type sentence struct {
	text  string
	key   string // folded, without what ends it
	terms map[string]bool
	// kept: the other report has it; told: a contradiction names it.
	kept, told bool
}

// read lists the findings of a digest in the order of the page, each once.
func read(d research.Digest) printed {
	p := printed{digest: d, index: map[string]bool{}}
	seen := map[string]bool{}
	for _, s := range d.Sections {
		for _, f := range s.Findings {
			if key := keyOf(f.Text); seen[key] || key == "" || len(p.findings) == maxFindings {
				continue
			} else {
				seen[key] = true
			}
			x := finding{DigestFinding: f}
			for _, span := range text.Sentences(f.Text) {
				one := newSentence(f.Text[span.Start:span.End], d.Lang)
				if one.key == "" {
					continue
				}
				p.index[one.key] = true
				p.stems = append(p.stems, one)
				x.sentences = append(x.sentences, one)
			}
			p.findings = append(p.findings, x)
		}
	}
	return p
}

func newSentence(s, lang string) sentence {
	s = strings.TrimSpace(s)
	return sentence{text: s, key: keyOf(s), terms: text.TermSet(s, lang)}
}

// keyOf is what two prints of one sentence have in common.
func keyOf(s string) string {
	return strings.Join(strings.FieldsFunc(text.Fold(s), func(r rune) bool {
		return strings.ContainsRune(" \t\r\n\u00a0.,;:!?\"'()[]“”‘’«»。，；：！？、", r)
	}), " ")
}

// mark says of each sentence whether the other report has it.
func (p *printed) mark(other printed) {
	for i := range p.findings {
		for j := range p.findings[i].sentences {
			s := &p.findings[i].sentences[j]
			s.kept = other.index[s.key] || slices.ContainsFunc(other.stems, func(o sentence) bool { return same(*s, o) })
		}
	}
}

// same reports whether two sentences say one thing in two wordings.
func same(a, b sentence) bool {
	if len(a.terms) < 3 || len(b.terms) < 3 || text.Containment(a.terms, b.terms) < reworded || text.Containment(b.terms, a.terms) < reworded {
		return false
	}
	if !evidence.MatchQuantities(a.text, b.text).OK || !evidence.MatchQuantities(b.text, a.text).OK || len(evidence.Exchanges(a.text, b.text)) > 0 {
		return false
	}
	return opposite(a, b) == ""
}

// lacking are the findings with sentences that the other report lacks and that no contradiction names.
func (p *printed) lacking() []research.ChangedFinding {
	out := []research.ChangedFinding{}
	for _, f := range p.findings {
		var left []string
		for _, s := range f.sentences {
			if !s.kept && !s.told {
				left = append(left, s.text)
			}
		}
		if len(left) == 0 {
			continue
		}
		out = append(out, research.ChangedFinding{
			Finding: f.ID, Text: strings.Join(left, " "), Confidence: f.Confidence, Band: f.Band, Label: f.Label, Sources: refs(p.digest, f.Refs),
		})
	}
	return out
}

// refs are the sources that a finding cites.
func refs(d research.Digest, indices []int) []research.CitedRef {
	out := []research.CitedRef{}
	for _, i := range indices {
		if i >= 0 && i < len(d.Sources) {
			out = append(out, research.CitedRef{Key: i + 1, Title: d.Sources[i].Title, Location: d.Sources[i].URL})
		}
	}
	return out
}

// confidences lists the findings that both print with two confidences. Two findings are one when they share more of their sentences
// than either shares with another, and at least half.
func confidences(a, b *printed) []research.ConfidenceChange {
	out := []research.ConfidenceChange{}
	taken := map[int]bool{}
	for _, f := range b.findings {
		best, shared := -1, 0.0
		for i, old := range a.findings {
			if s := overlap(old, f); s > shared && !taken[i] {
				best, shared = i, s
			}
		}
		if best < 0 || shared < 0.5 {
			continue
		}
		taken[best] = true
		old := a.findings[best]
		if !old.Confidence.Known() || !f.Confidence.Known() || old.Confidence.Cmp(f.Confidence) == 0 && old.Band == f.Band {
			continue
		}
		out = append(out, research.ConfidenceChange{
			Text: f.Text, From: old.Confidence, To: f.Confidence, FromBand: old.Band, ToBand: f.Band, Sources: refs(b.digest, f.Refs),
		})
	}
	return out
}

// overlap is the share of the longer of two findings' sentences that stand in both.
func overlap(a, b finding) float64 {
	n := 0
	for _, s := range b.sentences {
		if slices.ContainsFunc(a.sentences, func(o sentence) bool { return o.key == s.key || same(o, s) }) {
			n++
		}
	}
	return float64(n) / float64(max(1, len(a.sentences), len(b.sentences)))
}
