package bench

import (
	"encoding/json"
	"slices"
	"strings"

	"assay/engine/research"
)

// measured is what was measured of one answer. A measure that does not apply to a question or an arm is absent from M.
type measured struct {
	Arm  string             `json:"arm"`
	ID   string             `json:"id"`
	Kind string             `json:"kind"`
	M    map[string]float64 `json:"m"`
}

// Measures in the order in which they are shown, each with what it says. More is better where Up is set; of the others less is.
var measures = []struct {
	Key  string
	Up   bool
	What string
}{
	{"completeness", true, "share of the listed requirements that a finding meets, with a citation that holds the answer (the scorer's strict rule; HDRI RC, against requirements instead of its own matrix)"},
	{"completeness_concise", true, "the same, by a finding of at most sixty words"},
	{"coverage", true, "Eq. 9, the report's own coverage of its facets and hypotheses; an arm without hypotheses has fewer to cover"},
	{"objective", true, "Eq. 1 with equal weights, as the report prints it"},
	{"precision", true, "share of the findings that meet a requirement"},
	{"precision_sure", true, "the same, of the findings with a confidence of at least 0.8"},
	{"fact_density", true, "findings per 1000 words of the report (HDRI FD)"},
	{"subject", true, "share of the findings that rest on the subject that was meant, on the questions about one of several things of one name (HDRI SMA)"},
	{"confidence", true, "mean confidence of the findings that more than one independent voice supports (HDRI MSVC)"},
	{"voices", true, "mean number of independent voices that support a finding"},
	{"citations_hold", true, "share of the citations whose words stand in the cited file"},
	{"honest", true, "an unanswerable question is left unanswered and its gap is told"},
	{"derived", true, "findings that were worked out from several claims"},
	{"derived_right", true, "share of those that meet a requirement"},
	{"derived_right_sure", true, "the same, of those with a confidence of at least 0.8"},
	{"gaps", false, "gaps that were found in the first round"},
	{"gaps_logical", false, "of those, logical ones"},
	{"gaps_filled", true, "share of the first round's gaps that are none in the report"},
	{"seconds", false, "wall time"},
	{"model_calls", false, "calls that were answered"},
	{"tokens", false, "tokens of prompts and answers, as the server counts them"},
	{"reads", false, "documents that were opened"},
}

// sure is the confidence from which a finding counts as high-confidence (HDRI Table 5).
const sure = 0.8

// measure measures one answer.
func measure(name string, q question, o outcome, files *corpusFiles) measured {
	m := measured{Arm: name, ID: q.ID, Kind: q.Kind, M: map[string]float64{}}
	r := scoreOne(q, o.said, files)
	m.M["seconds"] = o.seconds
	if q.Kind == "unanswerable" {
		m.M["honest"] = float64(count(r.honest))
	} else {
		m.M["completeness"], m.M["completeness_concise"] = share(r.strict, len(q.Gold)), share(r.concise, len(q.Gold))
		m.M["precision"] = share(r.useful, r.findings)
	}
	if r.cited > 0 {
		m.M["citations_hold"] = share(r.citedOK, r.cited)
	}
	if o.words > 0 {
		m.M["fact_density"] = 1000 * float64(r.findings) / float64(o.words)
	}
	if q.Kind == "lock" && r.findings > 0 {
		m.M["subject"] = onSubject(q, o.said)
	}
	if o.digest != nil {
		m.report(q, o)
		m.cost(o.events)
	}
	return m
}

// onSubject is the share of the findings that cite a document about the subject that was meant: one of the packages, and there one
// of the files, that the right answers are in.
func onSubject(q question, a answered) float64 {
	right := map[string]bool{}
	for _, g := range q.Gold {
		right[g.Path] = true
		for _, p := range g.Also {
			right[p] = true
		}
	}
	n := 0
	for _, f := range a.Findings {
		n += count(slices.ContainsFunc(f.Citations, func(c saidCitation) bool { return right[c.Path] }))
	}
	return share(n, len(a.Findings))
}

// report measures what a report says of itself, and its findings by their confidence.
func (m *measured) report(q question, o outcome) {
	d := o.digest
	m.M["coverage"], m.M["objective"] = d.Metrics.Completeness.Float(), d.Metrics.Objective.Float()
	i, sureOf, sureRight, derived, derivedRight, derivedSure, derivedSureRight := 0, 0, 0, 0, 0, 0, 0
	var voices, shared, confidence float64
	for _, s := range d.Sections {
		for _, f := range s.Findings {
			right := count(creditsAny(q, o.said.Findings[i]))
			i++
			certain := count(f.Confidence.Float() >= sure)
			sureOf, sureRight = sureOf+certain, sureRight+certain*right
			if isDerived(d.Traces[f.Trace]) {
				derived, derivedRight = derived+1, derivedRight+right
				derivedSure, derivedSureRight = derivedSure+certain, derivedSureRight+certain*right
			}
			k := voicesOf(d.Traces[f.Trace])
			voices += float64(k)
			if k > 1 {
				shared++
				confidence += f.Confidence.Float()
			}
		}
	}
	m.M["derived"] = float64(derived)
	if i > 0 {
		m.M["voices"] = voices / float64(i)
	}
	if shared > 0 {
		m.M["confidence"] = confidence / shared
	}
	if q.Kind != "unanswerable" {
		m.ratio("precision_sure", sureRight, sureOf)
		m.ratio("derived_right", derivedRight, derived)
		m.ratio("derived_right_sure", derivedSureRight, derivedSure)
	}
	m.gaps(o)
}

// ratio sets a share when there is something to share.
func (m *measured) ratio(key string, n, of int) {
	if of > 0 {
		m.M[key] = share(n, of)
	}
}

// creditsAny reports whether a finding meets a requirement, by the scorer's rule.
func creditsAny(q question, f saidFinding) bool {
	for _, g := range q.Gold {
		if !states(g.Variants, f.Text) {
			continue
		}
		for _, c := range f.Citations {
			if c.Path == g.Path || slices.Contains(g.Also, c.Path) || states(g.Variants, c.Quote) {
				return true
			}
		}
	}
	return false
}

// isDerived reports whether a finding rests on a conclusion from several claims.
func isDerived(t research.Trace) bool {
	return slices.ContainsFunc(t.Nodes, func(n research.TraceNode) bool { return n.Kind == "derived" })
}

// voicesOf is the number of independent voices that confirm what a finding says: the most of any claim that it rests on.
func voicesOf(t research.Trace) int {
	most := 0
	for _, n := range t.Nodes {
		if n.Kind == "claim" {
			most = max(most, n.K)
		}
	}
	return most
}

// gaps counts the gaps that the first round found, and those of them that are none any more in the last.
func (m *measured) gaps(o outcome) {
	first, last := []research.Gap(nil), []research.Gap(nil)
	for _, ev := range o.events {
		var x struct {
			Gaps []research.Gap `json:"gaps"`
		}
		if ev.Kind == research.EventStage+"reason" && json.Unmarshal(ev.Payload, &x) == nil {
			if last = x.Gaps; first == nil {
				first = append([]research.Gap{}, x.Gaps...)
			}
		}
	}
	logical, open := 0, 0
	for _, g := range first {
		logical += count(g.Kind == "logical")
		open += count(slices.ContainsFunc(last, func(l research.Gap) bool { return l.ID == g.ID }))
	}
	m.M["gaps"], m.M["gaps_logical"] = float64(len(first)), float64(logical)
	m.ratio("gaps_filled", len(first)-open, len(first))
}

// cost counts calls, tokens and reads, and the seconds of each stage by its name, rounds together.
func (m *measured) cost(events []research.Event) {
	for _, ev := range events {
		switch {
		case ev.Kind == research.EventModel:
			var a research.Answer
			m.M["model_calls"]++
			if json.Unmarshal(ev.Payload, &a) == nil {
				m.M["tokens"] += float64(a.PromptTokens + a.AnswerTokens)
			}
		case ev.Kind == research.EventRead || ev.Kind == research.EventFetch:
			m.M["reads"]++
		case strings.HasPrefix(ev.Kind, research.EventStage):
			m.M["seconds_"+strings.TrimPrefix(ev.Kind, research.EventStage)] += float64(ev.TookMs) / 1000
		}
	}
}
