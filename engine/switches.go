package engine

import (
	"cmp"
	"slices"
	"strings"

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

// SwitchOf returns the name of the check or mechanism that is meant by a name written in letters of any case; ok is false when there is
// none.
func SwitchOf(name string) (string, bool) {
	for _, s := range Switches() {
		if strings.EqualFold(s, name) {
			return s, true
		}
	}
	for _, c := range checks.Bank {
		if c.Named(name) {
			return c.Name, true
		}
	}
	return "", false
}

// nearNames bounds what is proposed in place of a name that there is not.
const nearNames = 4

// SwitchesNear returns the names of checks and mechanisms nearest to one that there is not, at most four.
func SwitchesNear(name string) []string {
	type near struct {
		name string
		far  int
	}
	var all []near
	consider := func(s string) {
		d := editDistance(strings.ToLower(s), strings.ToLower(name))
		if strings.Contains(strings.ToLower(s), strings.ToLower(name)) && len(name) >= 4 {
			d = min(d, 1)
		}
		if d <= max(1, len(name)/3) {
			all = append(all, near{s, d})
		}
	}
	for _, s := range Switches() {
		consider(s)
	}
	for _, c := range checks.Bank {
		consider(c.ID)
		consider(c.Name)
	}
	slices.SortStableFunc(all, func(a, b near) int { return cmp.Compare(a.far, b.far) })
	var out []string
	for _, n := range all[:min(len(all), nearNames)] {
		out = append(out, n.name)
	}
	return out
}

// editDistance is how many bytes are changed, put in or left out to make one name of another.
func editDistance(a, b string) int {
	a, b = a[:min(len(a), maxSwitchName)], b[:min(len(b), maxSwitchName)]
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		last := row[0]
		row[0] = i + 1
		for j := range b {
			cost := last
			if a[i] != b[j] {
				cost++
			}
			last = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// maxSwitchName bounds a name that is compared, in bytes; the longest name of a check has 24.
const maxSwitchName = 64

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
