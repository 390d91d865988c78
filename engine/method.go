package engine

import (
	"slices"

	"assay/checks"
)

// The mechanisms of the method that an experiment can leave out to see what they are worth (HDRI 6.3), beside those of the report
// and of the bank. A run that a person starts has none of them left out.
const (
	withoutHypotheses     = "hypotheses"       // nothing is supposed before the search
	withoutGapRounds      = "gap_rounds"       // what the first round leaves open stays open
	withoutLock           = "subject_lock"     // a page about something else of the same name stays
	withoutValidation     = "cross_validation" // a claim has the voice of its own page and no other
	withoutContradictions = "contradictions"   // claims are not held against each other
	withoutDerivation     = "derivation"       // nothing is worked out from several claims
	withoutBank           = "bank"             // no check reads the draft
)

// Method lists the mechanisms of the method that [Config.Without] takes.
func Method() []string {
	return []string{withoutBank, withoutContradictions, withoutValidation, withoutDerivation, withoutGapRounds, withoutHypotheses, withoutLock}
}

// bankSwitches are the names that the bank of checks knows among those left out; without the bank, all of it.
func (r *run) bankSwitches() []string {
	if !r.without(withoutBank) {
		return r.Without
	}
	names := slices.Clone(r.Without)
	for _, c := range checks.Bank {
		names = append(names, c.Name)
	}
	return names
}
