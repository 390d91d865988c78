// Package audit recomputes a run from its record alone: every hash, offset, citation, vote, cluster, count, confidence,
// band, derivation and figure of the report. It shares nothing with the engine but the nouns of package research, so that
// a mistake in the engine's arithmetic is not repeated here.
//
// Start at [Check]. Files: seals.go (that nothing was changed since it was written), places.go (which field was), record.go (events, blobs, and the digest as it was recorded), sources.go (sources, passages, stats bar),
// claims.go (votes, clusters, Eq. 3 and 7), derive.go (Eq. 4), findings.go (findings, citations, keys), numbers.go (numbers in the
// text), traces.go, figures.go (coverage, metrics, hypotheses, contradictions, timeline, outbox), levels.go, argument.go, words.go and lists.go (the sentences
// and lists that code writes beside the findings).
//
// # What the record must hold
//
// Seals: those of package research, over the head, each event and the digest. They find every change that was not sealed again; all
// that follows is recomputed whether they hold or not.
//
// Events: seq 1, 2, ... without a gap, keys unique, the first of kind request with the request of the run. One event of kind
// source for each source that was opened (payload Source; a later event with the same id replaces the earlier). One of kind
// read or fetch for each document read (payload Document); one of kind model for each call (payload Answer); one of
// kind outbox for each request that left.
//
// Blobs: under its sha256, the clean text of every source that has one.
//
// Sources of the digest: those the report prints a key of come first, in the order of first use; sources that are only
// evidence may follow. The order of use is: each section in turn (its findings, then quotes, tables row by row, diagrams), the debate (for,
// then against), the timeline. A printed key is the index + 1. All of them are verified.
//
// Passages: every passage that is cited, votes, or is the own passage of a claim. Its id is ID("p", sha256 of the source's
// text, start, end), the offsets in decimal.
//
// Claims: every claim a finding, hypothesis, contradiction, requirement, timeline entry or derivation names. An explicit claim has the
// offsets of its passage, its votes (evidence) and its support; a derived claim has a derivation and no source, passage,
// evidence or support. Of a derived claim the basis is in the order of the rule: earlier first (difference, growth, order, interval) or
// dividend first (ratio).
//
// Support of a claim: raw is k/n. Where map names a calibration map, smoothed is (k+1)/(n+2) and confidence what that map makes of it, by
// the arithmetic of this package over the knots of [research.Calibrations]; without one, as in records from before there was a map,
// confidence is (k+1)/(n+2) itself.
//
// Clusters of a claim: they partition the sources of its votes, sorted by first source; each with its sources sorted and
// connected by its edges. The id is ID("k", claim id, sources..., and a, b, why, score of each edge).
//
// Findings: a finding cites passages that are the own passage of, or a confirming vote for, a claim it rests on (of a derived
// claim: a claim it is derived from), at least one for each such claim; refs are the sources of its citations, each once.
//
// # Traces
//
// Traces has one trace a finding, under the finding's id, which is also the finding's Trace field; schema "trace/1". Nodes
// are in an order in which every node comes after those it names. The id of a node is the id of the thing itself:
//
//   - source (id of the source): sha256, location, publisher, published as in the source event;
//   - passage (passage id): source, start, end, sha256, text;
//   - cluster (cluster id): claim, sources, edges, stance;
//   - claim (claim id): text, source (of the claim), votes = evidence of the claim, quantities, k, n, raw, confidence, band, label;
//   - derived (claim id): text, rule, basis, value, r, product, lower, confidence, band, label "derived";
//   - finding (finding id), exactly one and last: text, claims, refs, confidence, lower, band, label.
//
// A cluster node names its claim only as a label: the claim node comes after its clusters, as its votes name them. The
// nodes are exactly those that the finding reaches: its claims, the basis of derived ones, their votes' passages and clusters,
// their own passages, the cited passages, and the sources of all these.
package audit

import (
	"fmt"
	"math/big"
	"regexp"
	"sort"

	"assay/engine/research"
)

// Report is the result of an audit.
type Report struct {
	Checked int     `json:"checked"` // comparisons made
	Faults  []Fault `json:"faults"`  // in the order found; empty: the record holds
}

// Fault is one thing that is not as the record says.
type Fault struct {
	Where string `json:"where"` // "finding fd1a2b", "passage p00aa"
	What  string `json:"what"`  // "confidence printed 3/4, recomputed 2/3"
}

// String returns the fault as one line.
func (f Fault) String() string { return f.Where + ": " + f.What }

// OK reports whether nothing was found.
func (r Report) OK() bool { return len(r.Faults) == 0 }

// NoReport is the fault, at "digest", of a run that has not delivered a report: its record up to there may be sound.
const NoReport = "the run has none; only a run that delivered a report can be audited to its end"

// maxFaults bounds the report of a record that is wrong throughout.
const maxFaults = 1000

// Check recomputes run and returns what differs. It never panics on a malformed record, reads nothing but run, and gives the
// same report for the same run.
func Check(run research.Run) Report {
	c := &checker{
		run: run, opened: map[string]research.Source{}, documents: map[string]research.Document{},
		index: map[string]int{}, findings: map[string]research.DigestFinding{}, broken: map[string]bool{},
	}
	c.seals()
	c.record()
	c.lastState()
	if run.Digest == nil {
		c.fault("digest", NoReport)
		return c.report
	}
	c.d = *run.Digest
	for i, s := range c.d.Sources {
		c.index[s.ID] = i
	}
	c.recordedDigest()
	c.heads()
	c.sources()
	c.passages()
	c.claims()
	c.allFindings()
	c.keys()
	c.traces()
	c.figures()
	c.argument()
	c.said()
	c.stats()
	return c.report
}

// checker holds one audit.
type checker struct {
	run       research.Run
	d         research.Digest
	opened    map[string]research.Source   // by id, from the events
	documents map[string]research.Document // by sha256, from the events
	answered  map[string]int               // calls by who answered, from the events
	left      map[[2]string]int            // requests by host and kind, from the events
	index     map[string]int               // source id -> index in the digest
	findings  map[string]research.DigestFinding
	order     []string        // finding ids in the order of the report
	broken    map[string]bool // findings whose chain to the text has a fault
	copies    *twice          // what the record says more than once; nil until a seal is broken
	tried     int             // bytes sealed again in search of what was changed
	report    Report
}

func (c *checker) fault(where, format string, args ...any) {
	if len(c.report.Faults) < maxFaults {
		c.report.Faults = append(c.report.Faults, Fault{Where: where, What: fmt.Sprintf(format, args...)})
	}
}

// want counts one comparison and records a fault when it does not hold.
func (c *checker) want(ok bool, where, format string, args ...any) bool {
	c.report.Checked++
	if !ok {
		c.fault(where, format, args...)
	}
	return ok
}

// same compares a printed value with the recomputed one.
func same[T comparable](c *checker, where, what string, printed, computed T) bool {
	return c.want(printed == computed, where, "%s printed %s, recomputed %s", what, show(printed), show(computed))
}

func show(v any) string {
	s := fmt.Sprint(v)
	if s == "" {
		return "nothing"
	}
	if len(s) > 80 {
		return fmt.Sprintf("%.77q...", s)
	}
	return s
}

// ratioForm is how an exact number is written. Anything else is not read: an exponent of a hostile record could ask for a number
// of any size.
var ratioForm = regexp.MustCompile(`^-?[0-9]{1,200}(/[0-9]{1,200})?$`)

// known reports whether a ratio holds a number.
func known(r research.Ratio) bool {
	if !ratioForm.MatchString(string(r)) {
		return false
	}
	_, ok := new(big.Rat).SetString(string(r))
	return ok
}

// rat returns the value of a ratio, 0 when it holds no number.
func rat(r research.Ratio) *big.Rat {
	if !known(r) {
		return new(big.Rat)
	}
	return r.Rat()
}

// keysOf returns the keys of a map in order, so that a report does not depend on the order of a map.
func keysOf[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}
