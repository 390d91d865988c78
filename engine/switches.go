package engine

import (
	"slices"

	"assay/checks"
)

// The mechanisms of the report that can be left out to see what they are worth, beside those of the bank's queue. A run that
// a person starts has none of them left out.
const (
	withoutExclusion = "exclusion"     // findings that may not be cited reach the writer
	withoutSalvage   = "salvage"       // nothing is assembled from the ledger when a writer fails
	withoutReview    = "review"        // no reviewer reads the draft
	withoutGrounding = "grounding"     // a written sentence is printed though it goes beyond what it cites
	withoutPerFacet  = "per_facet"     // one call of the writer for the whole report instead of one a facet
	withoutFresh     = "fresh_context" // a writer that is asked again sees its earlier answer and what was wrong with it
)

// Switches lists the mechanisms that a replay can leave out, beside every check of the bank by id or name.
func Switches() []string {
	return append(append(slices.Clone(checks.Mechanisms), Method()...), withoutExclusion, withoutFresh, withoutGrounding, withoutPerFacet, withoutReview, withoutSalvage)
}

// UnknownSwitches returns the names that are neither a mechanism nor a check.
func UnknownSwitches(names []string) []string {
	_, unknown := checks.Switches(names)
	return slices.DeleteFunc(unknown, func(name string) bool { return slices.Contains(Switches(), name) })
}

// without reports whether a mechanism of the report is left out.
func (r *run) without(name string) bool { return slices.Contains(r.Without, name) }

// bankOptions are the switches of the bank.
func (r *run) bankOptions() checks.Options {
	o, _ := checks.Switches(r.bankSwitches())
	o.Attempts = r.mostAttempts()
	return o
}

// mostAttempts is how many attempts the repair loop has.
func (r *run) mostAttempts() int {
	if r.attempts > 0 {
		return r.attempts
	}
	return maxAttempts
}
