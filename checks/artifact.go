package checks

import (
	"slices"
	"strings"

	"assay/engine/evidence"
	"assay/engine/research"
)

// leastCoverage is the least coverage (Eq. 9) of the parts of a question that a report of a depth answers with, by the depth of its
// search. A part whose answer is attributed to one voice counts a half, one that independent voices confirm or a tier-1 source states
// counts whole. So a standard report has each part answered, if only by one voice, or more of it confirmed for what it lacks; a quick one
// may lack a fifth of that; and a deep one is asked for a confirmed part in five, which one voice cannot give.
func leastCoverage(b research.Budget) research.Ratio {
	switch {
	case b.SearchDepth <= 1:
		return research.NewRatio(40, 100)
	case b.SearchDepth == 2:
		return research.NewRatio(50, 100)
	}
	return research.NewRatio(60, 100)
}

// partsOf are the requirements that the question itself makes, one for each of its parts. What speaks for and against each hypothesis is
// told in the table of coverage and is not asked of a report: what a true answer lacks there is evidence against itself, and two
// hypotheses that exclude each other are never both covered. A part that a gap calls unanswered is missing, whatever stands under it.
func partsOf(d research.Digest) []research.CoverageRow {
	var out []research.CoverageRow
	for _, r := range d.Coverage {
		if r.Facet == "" {
			continue
		}
		if slices.ContainsFunc(d.Gaps, func(g research.Gap) bool { return unanswered(g, r.Facet) }) {
			r.State = "missing"
		}
		out = append(out, r)
	}
	return out
}

// gateArtifact looks at the report as a whole: each part of the question has a finding that answers it, the parts are covered as far as
// the depth asks for, and there is enough to read. It says in words which part lacks what.
func gateArtifact(c Checked) (research.GateState, []string) {
	d := c.Digest
	var notes []string
	told := map[string]bool{}
	for _, f := range d.Understanding.Facets {
		if !slices.ContainsFunc(d.Sections, func(s research.Section) bool { return slices.Contains(s.Facets, f.ID) && len(s.Findings) > 0 }) {
			told[f.ID] = true
			notes = append(notes, c.say("no finding for the part: %s", "该部分没有发现：%s", head(f.Text, 120)))
			continue
		}
		if i := slices.IndexFunc(d.Gaps, func(g research.Gap) bool { return unanswered(g, f.ID) }); i >= 0 {
			told[f.ID] = true
			notes = append(notes, c.say("the part is not answered: %s", "该部分未得到回答：%s", head(d.Gaps[i].Name+". "+d.Gaps[i].Reason, 200)))
		}
	}
	notes = append(notes, shortOf(c, partsOf(d), told)...)
	if d.Metrics.Findings < leastFindings || d.Metrics.Words < leastWords && d.Lang != "zh" {
		notes = append(notes, c.say("%d findings of %d words are no answer", "%d 条发现、%d 个词，不足以作答", d.Metrics.Findings, d.Metrics.Words))
	}
	return verdictOf(1, fewNotes(c, notes))
}

// shortOf says what the parts lack when they are covered less than the depth asks for: the measure, and each part that is not told of
// yet with what it rests on.
func shortOf(c Checked, parts []research.CoverageRow, told map[string]bool) []string {
	have, least := evidence.Coverage(parts), leastCoverage(c.Digest.Understanding.Budget)
	if len(parts) == 0 || have.Cmp(least) >= 0 {
		return nil
	}
	notes := []string{c.say("the parts of the question are covered to %s, where this depth asks for %s", "问题各部分的覆盖率为 %s，而该深度要求 %s", have.Decimal(2), least.Decimal(2))}
	for _, r := range parts {
		switch {
		case told[r.Facet] || r.State == "covered":
		case r.State == "partial":
			notes = append(notes, c.say("no second independent voice confirms: %s", "没有第二个独立来源证实：%s", head(r.Requirement, 120)))
		default:
			notes = append(notes, c.say("no finding that may be relied on answers: %s", "没有可依据的发现回答：%s", head(r.Requirement, 120)))
		}
	}
	return notes
}

// unanswered reports whether a gap says that a part of the question has no answer: nothing of the kind that it asks for was found, or
// only what touches it.
func unanswered(g research.Gap, facet string) bool {
	touched := strings.HasPrefix(g.Name, "Only touched") || strings.HasPrefix(g.Name, "仅有涉及")
	return g.Facet == facet && g.Hypothesis == "" && (g.Importance == "high" || g.Importance == "medium" && touched)
}
