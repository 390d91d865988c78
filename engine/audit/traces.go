package audit

import (
	"reflect"
	"slices"

	"assay/engine/research"
)

// traces checks that each finding has its trace, that every node says what the digest says, that nodes come after those they
// name, and that the nodes are exactly those the finding reaches.
func (c *checker) traces() {
	for _, id := range keysOf(c.d.Traces) {
		f, ok := c.findings[id]
		if c.want(ok, "trace "+id, "belongs to no finding of the report") {
			c.trace("trace "+id, f, c.d.Traces[id])
		}
	}
	for _, id := range c.order {
		f := c.findings[id]
		same(c, "finding "+id, "trace", f.Trace, id)
		_, ok := c.d.Traces[id]
		c.want(ok, "finding "+id, "has no trace")
	}
}

func (c *checker) trace(where string, f research.DigestFinding, t research.Trace) {
	same(c, where, "schema", t.Schema, "trace/1")
	same(c, where, "calibration map", t.Calibration, c.mapOf(f))
	expected := c.reached(f)
	at := map[string]int{}
	for i, n := range t.Nodes {
		node := where + ", node " + n.ID
		_, dup := at[n.ID]
		c.want(!dup, node, "stands twice")
		at[n.ID] = i
		want, ok := expected[n.ID]
		if !c.want(ok, node, "is not reached from the finding") {
			continue
		}
		c.node(node, n, want)
		for _, id := range names(want) {
			_, before := at[id]
			c.want(before, node, "comes before %s, which it names", id)
		}
	}
	for _, id := range keysOf(expected) {
		_, ok := at[id]
		c.want(ok, where, "lacks the node %s (%s)", id, expected[id].Kind)
	}
	if n := len(t.Nodes); n > 0 {
		same(c, where, "last node", t.Nodes[n-1].ID, f.ID)
	}
}

// node compares a node with what the digest makes of it.
func (c *checker) node(where string, got, want research.TraceNode) {
	a, okA := normal(want).(map[string]any)
	b, okB := normal(got).(map[string]any)
	if !okA || !okB {
		return
	}
	all := map[string]bool{}
	for k := range a {
		all[k] = true
	}
	for k := range b {
		all[k] = true
	}
	for _, k := range keysOf(all) {
		c.want(reflect.DeepEqual(a[k], b[k]), where, "%s is %s, the digest has %s", k, show(b[k]), show(a[k]))
	}
}

// names returns the ids that a node names, which must come before it. A cluster's claim comes after it and is a label only.
func names(n research.TraceNode) []string {
	var out []string
	switch n.Kind {
	case "passage":
		out = append(out, n.Source)
	case "cluster":
		out = append(out, n.Sources...)
	case "claim":
		for _, v := range n.Votes {
			out = append(out, v.Passage, v.Cluster)
		}
		out = append(out, n.Source)
	case "derived":
		out = append(out, n.Basis...)
	case "finding":
		out = append(out, n.Claims...)
	}
	return slices.DeleteFunc(out, func(id string) bool { return id == "" })
}

// reached returns the nodes of a finding's trace as the digest and the events say they must be, by id.
func (c *checker) reached(f research.DigestFinding) map[string]research.TraceNode {
	out := map[string]research.TraceNode{}
	source := func(id string) {
		s := c.source(id)
		if s.ID != "" {
			out[id] = research.TraceNode{ID: id, Kind: "source", SHA256: s.SHA256, Location: s.Location, Publisher: s.Publisher, Published: s.Published}
		}
	}
	passage := func(id string) {
		if p, ok := c.d.Passages[id]; ok {
			out[id] = research.TraceNode{ID: id, Kind: "passage", Source: p.Source, Start: p.Start, End: p.End, SHA256: p.SHA256, Text: p.Text}
			source(p.Source)
		}
	}
	seen := map[string]bool{}
	var claim func(id string)
	claim = func(id string) {
		cl, ok := c.d.Claims[id]
		if !ok || seen[id] {
			return
		}
		seen[id] = true
		switch {
		case cl.Derivation != nil:
			d := cl.Derivation
			out[id] = research.TraceNode{ID: id, Kind: "derived", Text: cl.Text, Rule: d.Rule, Basis: d.Basis, Value: d.Value, R: d.R, Product: d.Product, Lower: d.Lower,
				Confidence: d.Confidence, Band: bandOf(rat(d.Confidence), d.Voices), Label: research.LabelDerived}
			for _, b := range d.Basis {
				claim(b)
			}
		case cl.Support != nil:
			s := cl.Support
			out[id] = research.TraceNode{ID: id, Kind: "claim", Text: cl.Text, Source: cl.Source, Votes: cl.Evidence, Quantities: cl.Quantities,
				K: s.K, N: s.N, Raw: s.Raw, Confidence: s.Confidence, Band: s.Band, Label: s.Label}
			for _, cu := range s.Clusters {
				out[cu.ID] = research.TraceNode{ID: cu.ID, Kind: "cluster", Claim: id, Sources: cu.Sources, Edges: cu.Edges, Stance: cu.Stance}
				for _, m := range cu.Sources {
					source(m)
				}
			}
			for _, v := range cl.Evidence {
				passage(v.Passage)
			}
			passage(cl.Passage)
			source(cl.Source)
		}
	}
	for _, id := range f.Claims {
		claim(id)
	}
	for _, id := range f.Citations {
		passage(id)
	}
	out[f.ID] = research.TraceNode{ID: f.ID, Kind: "finding", Text: f.Text, Claims: f.Claims, Refs: f.Refs, Confidence: f.Confidence, Lower: f.Lower, Band: f.Band, Label: f.Label}
	return out
}
