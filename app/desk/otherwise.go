package desk

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"assay/engine/difference"
	"assay/engine/research"
)

// Otherwise is what a run would have delivered without what a replay left out, against what it did deliver.
type Otherwise struct {
	// Would are statements printed only without it, Would not those printed only with it, each whole.
	Would    []string `json:"would_print"`
	WouldNot []string `json:"would_not_print"`
	// Confidences are statements of both whose confidence is another: "0.75 -> 0.67: the statement".
	Confidences []string `json:"confidences"`
	// Summary, when it is another, is what would stand there.
	Summary string `json:"summary,omitempty"`
	// Gates are the lines of the checklist whose outcome is another: "substance: pass -> fail".
	Gates []string `json:"gates"`
	// Issues are those listed only without it, and Settled those listed only with it.
	Issues  []string `json:"issues"`
	Settled []string `json:"settled"`
	// Fires are checks that block in the one report and not in the other: "G09 NumberUnsupported@block:n1 would block".
	Fires []string `json:"fires"`
	// Parts names the fields of the digest that differ.
	Parts []string `json:"parts"`
}

// Same reports whether nothing would be otherwise.
func (o Otherwise) Same() bool { return len(o.Parts) == 0 }

// Otherwise compares what a replay gave with the report of its record.
func (r ReplayResult) Otherwise(run research.Run) (Otherwise, error) {
	out := Otherwise{Would: []string{}, WouldNot: []string{}, Confidences: []string{}, Gates: []string{}, Issues: []string{}, Settled: []string{}, Fires: []string{}, Parts: []string{}}
	if run.Digest == nil {
		return out, nil
	}
	was, is := *run.Digest, r.Digest
	parts, err := differingParts(was, is)
	if err != nil || len(parts) == 0 {
		return out, err
	}
	out.Parts = parts
	d := difference.Between(was, is, difference.Options{})
	for _, f := range d.New {
		out.Would = append(out.Would, f.Text)
	}
	for _, f := range d.Gone {
		out.WouldNot = append(out.WouldNot, f.Text)
	}
	for _, c := range d.Confidences {
		out.Confidences = append(out.Confidences, fmt.Sprintf("%s -> %s: %s", c.From.Decimal(2), c.To.Decimal(2), c.Text))
	}
	if was.Summary != is.Summary {
		out.Summary = is.Summary
	}
	state := map[string]research.GateState{}
	for _, g := range was.Gates {
		state[g.Name] = g.State
	}
	for _, g := range is.Gates {
		if before := state[g.Name]; before != "" && before != g.State {
			out.Gates = append(out.Gates, fmt.Sprintf("%s: %s -> %s", g.Name, before, g.State))
		}
	}
	out.Issues, out.Settled = listedOnly(is.Issues, was.Issues), listedOnly(was.Issues, is.Issues)
	replayed := run
	replayed.Digest, replayed.Events = &is, r.events
	before, err := CheckRun(run)
	if err != nil {
		return out, err
	}
	after, err := CheckRun(replayed)
	if err != nil {
		return out, err
	}
	out.Fires = append(out.Fires, blockingOnly(after, before, "would block")...)
	out.Fires = append(out.Fires, blockingOnly(before, after, "would not block")...)
	return out, nil
}

// differingParts names the top fields of two digests that differ, sorted.
func differingParts(a, b research.Digest) ([]string, error) {
	x, err := partsOf(a)
	if err != nil {
		return nil, err
	}
	y, err := partsOf(b)
	if err != nil {
		return nil, err
	}
	var out []string
	for name, part := range x {
		if string(part) != string(y[name]) {
			out = append(out, name)
		}
	}
	for name := range y {
		if _, ok := x[name]; !ok {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out, nil
}

func partsOf(d research.Digest) (map[string]json.RawMessage, error) {
	b, err := EncodeDigest(d)
	if err != nil {
		return nil, err
	}
	var out map[string]json.RawMessage
	return out, json.Unmarshal(b, &out)
}

// listedOnly returns the issues of one list that the other lacks.
func listedOnly(some, all []research.Issue) []string {
	out := []string{}
	for _, i := range some {
		if !slices.Contains(all, i) {
			out = append(out, strings.TrimSpace(i.Text+" ("+i.Reason+")"))
		}
	}
	return out
}

// blockingOnly names the blocking fires of one result that the other lacks.
func blockingOnly(some, all CheckedRun, how string) []string {
	var out []string
	for _, f := range some.Fires {
		if f.Class != "advisory" && !slices.ContainsFunc(all.Fires, func(o CheckedFire) bool { return o.name() == f.name() && o.Class == f.Class }) {
			out = append(out, f.name()+" "+how)
		}
	}
	return out
}
