package desk

import (
	"fmt"
	"sort"

	"assay/engine/audit"
	"assay/engine/evidence"
	"assay/engine/research"
)

// AuditDeep derives the quantities, dates, names and stances of every claim again with the program's own matchers. It finds what
// [audit.Check], which shares nothing with them, cannot: but it would share their mistakes, so it comes beside that audit and
// never in its place.
func AuditDeep(run research.Run) audit.Report {
	var r audit.Report
	if run.Digest == nil {
		return r
	}
	ids := make([]string, 0, len(run.Digest.Claims))
	for id := range run.Digest.Claims {
		ids = append(ids, id)
	}
	sort.Strings(ids)
	published := map[string]string{}
	for _, src := range run.Digest.Sources {
		published[src.ID] = src.Published
	}
	for _, id := range ids {
		claim := run.Digest.Claims[id]
		if claim.Derivation != nil {
			continue // recomputed from its basis by the plain audit
		}
		where := "claim " + id
		if own, ok := run.Digest.Passages[claim.Passage]; ok {
			for _, m := range []struct {
				what  string
				match evidence.Match
			}{
				{"quantities", evidence.MatchQuantities(claim.Text, own.Text)},
				{"dates", evidence.MatchDates(claim.Text, own.Text, claim.Published)},
				{"names", evidence.MatchNames(claim.Text, own.Text)},
			} {
				r.Checked++
				if !m.match.OK {
					r.Faults = append(r.Faults, audit.Fault{Where: where, What: m.what + ": " + m.match.Reason})
				}
			}
		}
		for i, vote := range claim.Evidence {
			passage, ok := run.Digest.Passages[vote.Passage]
			if !ok {
				continue
			}
			r.Checked++
			if own, ok := run.Digest.Passages[claim.Passage]; ok && holds(passage, own) {
				// The passage has the claim's own words at their place: no matcher is needed to see that it confirms them.
				if vote.Stance != research.Confirms {
					r.Faults = append(r.Faults, audit.Fault{
						Where: fmt.Sprintf("%s, evidence %d (passage %s)", where, i+1, vote.Passage),
						What:  fmt.Sprintf("its stance is recorded as %s, and it holds the claim's own words", vote.Stance),
					})
				}
				continue
			}
			if stance, why := evidence.StanceAt(claim, passage.Text, published[passage.Source]); stance != vote.Stance {
				r.Faults = append(r.Faults, audit.Fault{
					Where: fmt.Sprintf("%s, evidence %d (passage %s)", where, i+1, vote.Passage),
					What:  fmt.Sprintf("its stance is recorded as %s and the matchers say %s (%s)", vote.Stance, stance, why),
				})
			}
		}
	}
	return r
}

// holds reports whether outer contains inner in the same source.
func holds(outer, inner research.Passage) bool {
	return outer.Source == inner.Source && outer.Start <= inner.Start && inner.End <= outer.End
}
