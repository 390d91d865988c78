package audit

import (
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strings"

	"assay/engine/research"
)

// allFindings checks the findings of the sections and of the debate.
func (c *checker) allFindings() {
	visit := func(f research.DigestFinding) {
		where := "finding " + f.ID
		if old, ok := c.findings[f.ID]; ok {
			c.want(reflect.DeepEqual(normal(old), normal(f)), where, "is printed twice, and not the same")
			return
		}
		c.want(f.ID != "", where, "has no id")
		c.findings[f.ID] = f
		c.order = append(c.order, f.ID)
		before := len(c.report.Faults)
		c.citations(where, f)
		c.text(where, f)
		c.broken[f.ID] = len(c.report.Faults) > before
		c.conclusion(where, f)
	}
	for _, s := range c.d.Sections {
		for _, f := range s.Findings {
			visit(f)
		}
	}
	if d := c.d.Debate; d != nil {
		for _, f := range slices.Concat(d.For, d.Against) {
			visit(f)
		}
	}
}

// explicit returns the explicit claims that ids stand on, through derivations, in order and each once.
func (c *checker) explicit(ids []string) []research.Claim {
	var out []research.Claim
	seen := map[string]bool{}
	var walk func(ids []string)
	walk = func(ids []string) {
		for _, id := range ids {
			cl, ok := c.d.Claims[id]
			if !ok || seen[id] {
				continue
			}
			seen[id] = true
			if cl.Derivation != nil {
				walk(cl.Derivation.Basis)
				continue
			}
			out = append(out, cl)
		}
	}
	walk(ids)
	return out
}

// grounds returns the passages that may be cited for a claim: its own, and those that confirm it.
func grounds(cl research.Claim) []string {
	out := []string{cl.Passage}
	for _, v := range cl.Evidence {
		if v.Stance == research.Confirms {
			out = append(out, v.Passage)
		}
	}
	return out
}

// citations follows every citation of a finding to its passage, source and key.
func (c *checker) citations(where string, f research.DigestFinding) {
	c.want(len(f.Claims) > 0, where, "rests on no claim")
	for _, id := range f.Claims {
		cl, ok := c.d.Claims[id]
		if c.want(ok, where, "its claim %s is not in the digest", id) {
			c.want(len(cl.Flags) == 0, where, "rests on claim %s, which %v excludes", id, cl.Flags)
		}
	}
	allowed := map[string]bool{}
	for _, cl := range c.explicit(f.Claims) {
		cited := false
		for _, p := range grounds(cl) {
			allowed[p] = true
			cited = cited || slices.Contains(f.Citations, p)
		}
		c.want(cited, where, "cites no passage for claim %s", cl.ID)
		c.want(len(cl.Flags) == 0, where, "stands on claim %s, which %v excludes", cl.ID, cl.Flags)
	}
	var sources []int
	for i, id := range f.Citations {
		at := fmt.Sprintf("%s, citation %d", where, i+1)
		c.want(slices.Index(f.Citations, id) == i, at, "passage %s is cited twice", id)
		p, ok := c.d.Passages[id]
		if !c.want(ok, at, "passage %s is not in the digest", id) {
			continue
		}
		c.want(allowed[id], at, "passage %s neither holds nor confirms a claim of the finding", id)
		n, ok := c.index[p.Source]
		if !c.want(ok, at, "source %s of passage %s has no card", p.Source, id) {
			continue
		}
		same(c, at, "verdict of source "+p.Source, c.source(p.Source).Verdict, research.Verified)
		if !slices.Contains(sources, n) {
			sources = append(sources, n)
		}
	}
	c.want(len(f.Citations) > 0, where, "cites nothing")
	refs := slices.Clone(f.Refs)
	slices.Sort(refs)
	slices.Sort(sources)
	c.want(slices.Equal(refs, sources), where, "its keys are %v, its citations are of %v", printedKeys(refs), printedKeys(sources))
}

// printedKeys returns indices as they are printed.
func printedKeys(refs []int) string {
	var b strings.Builder
	for _, r := range refs {
		fmt.Fprintf(&b, "[%d]", r+1)
	}
	if b.Len() == 0 {
		return "none"
	}
	return b.String()
}

// gravity orders labels; a finding prints the gravest of its claims.
var gravity = []research.Label{research.LabelNone, research.LabelDerived, research.LabelSingle, research.LabelUnconfirmed, research.LabelContested}

// conclusion recomputes confidence, lower bound, band and label of a finding from its claims.
func (c *checker) conclusion(where string, f research.DigestFinding) {
	least, sum, voices, grave, m := big.NewRat(1, 1), new(big.Rat), -1, 0, 0
	seen := map[string]bool{}
	for _, id := range f.Claims {
		cl, ok := c.d.Claims[id]
		if !ok || seen[id] {
			continue
		}
		seen[id] = true
		m++
		conf, v := confidenceOf(cl)
		if conf.Cmp(least) < 0 {
			least = conf
		}
		lower, label := conf, research.LabelUnconfirmed
		switch {
		case cl.Derivation != nil:
			lower, label = rat(cl.Derivation.Lower), research.LabelDerived
		case cl.Support != nil:
			label = cl.Support.Label
		}
		sum.Add(sum, lower)
		if voices < 0 || v < voices {
			voices = v
		}
		grave = max(grave, slices.Index(gravity, label))
	}
	if m == 0 {
		return // said already
	}
	same(c, where, "confidence", f.Confidence, ratio(least))
	same(c, where, "lower bound", f.Lower, ratio(lowerBound(sum, m)))
	same(c, where, "band", f.Band, bandOf(least, voices))
	same(c, where, "label", f.Label, gravity[grave])
}

// keys checks that sources are numbered in the order of first use, and every other place that prints a key.
func (c *checker) keys() {
	next := 0
	use := func(where string, refs []int) {
		for _, r := range refs {
			if !c.want(0 <= r && r < len(c.d.Sources), where, "key [%d] has no source, there are %d", r+1, len(c.d.Sources)) {
				continue
			}
			c.want(r <= next, where, "key [%d] is used before [%d]; keys follow the order of first use", r+1, next+1)
			next = max(next, r+1)
		}
	}
	for _, s := range c.d.Sections {
		for _, f := range s.Findings {
			use("finding "+f.ID, f.Refs)
		}
		for i, q := range s.Quotes {
			where := fmt.Sprintf("section %s, quote %d", s.ID, i+1)
			use(where, []int{q.Ref})
			p, ok := c.d.Passages[q.Passage]
			if c.want(ok, where, "its passage %s is not in the digest", q.Passage) {
				c.want(strings.Contains(collapse(p.Text), collapse(q.Text)), where, "its words are not those of passage %s", q.Passage)
				same(c, where, "key", q.Ref, c.indexOf(p.Source))
			}
		}
		for i, t := range s.Tables {
			for j, row := range t.Rows {
				for k, cell := range row {
					where := fmt.Sprintf("section %s, table %d, row %d, cell %d", s.ID, i+1, j+1, k+1)
					use(where, cell.Refs)
					c.cell(where, cell)
				}
			}
		}
		for i, d := range s.Diagrams {
			use(fmt.Sprintf("section %s, diagram %d", s.ID, i+1), d.Refs)
		}
	}
	if d := c.d.Debate; d != nil {
		for _, f := range slices.Concat(d.For, d.Against) {
			use("finding "+f.ID, f.Refs)
		}
	}
	for i, t := range c.d.Timeline {
		use(fmt.Sprintf("timeline %d", i+1), t.Refs)
	}
}

// indexOf returns the index of a source, -1 when it has no card.
func (c *checker) indexOf(source string) int {
	if i, ok := c.index[source]; ok {
		return i
	}
	return -1
}
