package audit

import (
	"fmt"
	"math/big"
	"slices"
	"sort"
	"strconv"
	"strings"

	"assay/engine/research"
)

// figures recomputes what stands on the claims beside the findings: coverage, metrics, hypotheses, contradictions, timeline, graph, levels.
func (c *checker) figures() {
	c.coverage()
	c.metrics()
	for _, h := range c.d.Hypotheses {
		c.hypothesis(h)
	}
	for _, x := range c.d.Contradicts {
		c.contradiction(x)
	}
	for i, t := range c.d.Timeline {
		where := fmt.Sprintf("timeline %d", i+1)
		cl, ok := c.claim(where, t.Claim)
		if !ok {
			continue
		}
		c.want(slices.Contains(cl.Dates, t.Date), where, "date %s is none of claim %s", t.Date, t.Claim)
		c.want(cl.Derivation != nil || slices.Contains(t.Refs, c.indexOf(cl.Source)), where, "its keys %s lack the source of claim %s", printedKeys(t.Refs), t.Claim)
		for _, id := range t.Also {
			also, ok := c.claim(where, id)
			if !ok {
				continue
			}
			c.want(slices.ContainsFunc(also.Dates, func(d string) bool { return strings.HasPrefix(t.Date, d) }), where, "date %s is of another time than claim %s", t.Date, id)
			c.want(slices.Contains(t.Refs, c.indexOf(also.Source)), where, "its keys %s lack the source of claim %s", printedKeys(t.Refs), id)
		}
	}
	for _, e := range c.d.Graph.Edges {
		for _, id := range e.Claims {
			c.claim("graph edge "+e.From+" "+e.To, id)
		}
	}
	c.levels()
	c.cardPages()
}

// claim looks a claim up and says when it is missing.
func (c *checker) claim(where, id string) (research.Claim, bool) {
	cl, ok := c.d.Claims[id]
	return cl, c.want(ok, where, "its claim %s is not in the digest", id)
}

// claimsOf looks claims up.
func (c *checker) claimsOf(where string, ids []string) []research.Claim {
	var out []research.Claim
	for _, id := range ids {
		if cl, ok := c.claim(where, id); ok {
			out = append(out, cl)
		}
	}
	return out
}

// bandOfClaim returns the band of a claim of either kind.
func bandOfClaim(cl research.Claim) research.Band {
	if cl.Derivation == nil && cl.Support != nil {
		return cl.Support.Band
	}
	conf, voices := confidenceOf(cl)
	return bandOf(conf, voices)
}

// coverage recomputes the state of each requirement (Eq. 8): covered by an accepted claim, or by one that a single source of tier 1
// reports; partial by one to be verified; missing otherwise. Flagged claims do not count.
func (c *checker) coverage() {
	seen := map[string]bool{}
	for _, row := range c.d.Coverage {
		where := fmt.Sprintf("coverage %q", row.Requirement)
		c.want(!seen[row.Requirement], where, "is listed twice")
		seen[row.Requirement] = true
		state := "missing"
		for _, cl := range c.claimsOf(where, row.Claims) {
			if len(cl.Flags) > 0 {
				continue
			}
			attributed := cl.Support != nil && cl.Support.Label == research.LabelSingle && c.source(cl.Source).Tier == 1
			switch band := bandOfClaim(cl); {
			case band == research.Accept || attributed:
				state = "covered"
			case band == research.Verify && state == "missing":
				state = "partial"
			}
		}
		same(c, where, "state", row.State, state)
	}
}

// metrics recomputes the figures of the report. Completeness is Eq. 9. Accuracy is the share of the claims that findings rest on
// that are Accept. Traceability is the share of findings whose citations and numbers pass. The objective is Eq. 1 with equal
// weights. Each share is 0 of nothing.
func (c *checker) metrics() {
	m, where := c.d.Metrics, "metrics"
	halves := 0
	for _, row := range c.d.Coverage {
		halves += map[string]int{"covered": 2, "partial": 1}[row.State]
	}
	completeness := share(halves, 2*len(c.d.Coverage))
	same(c, where, "completeness", m.Completeness, ratio(completeness))
	rests := map[string]bool{}
	passed := 0
	for _, id := range c.order {
		for _, cl := range c.findings[id].Claims {
			rests[cl] = true
		}
		if !c.broken[id] {
			passed++
		}
	}
	accepted := 0
	for id := range rests {
		if cl, ok := c.d.Claims[id]; ok && bandOfClaim(cl) == research.Accept {
			accepted++
		}
	}
	accuracy, trace := share(accepted, len(rests)), share(passed, len(c.order))
	same(c, where, "accuracy", m.Accuracy, ratio(accuracy))
	same(c, where, "traceability", m.Traceability, ratio(trace))
	sum := new(big.Rat).Add(new(big.Rat).Add(completeness, accuracy), trace)
	same(c, where, "objective", m.Objective, ratio(sum.Quo(sum, big.NewRat(3, 1))))
	same(c, where, "findings", m.Findings, len(c.order))
	same(c, where, "claims", m.Claims, len(rests))
}

func share(n, of int) *big.Rat {
	if of == 0 {
		return new(big.Rat)
	}
	return big.NewRat(int64(n), int64(of))
}

// hypothesis recomputes confidence and status from the claims on its two sides; a claim on both counts on neither.
func (c *checker) hypothesis(h research.Hypothesis) {
	where := "hypothesis " + h.ID
	side := func(ids, other []string) (n int, accepted bool) {
		seen := map[string]bool{}
		for _, cl := range c.claimsOf(where, ids) {
			if seen[cl.ID] || slices.Contains(other, cl.ID) {
				continue
			}
			seen[cl.ID] = true
			switch bandOfClaim(cl) {
			case research.Accept:
				n, accepted = n+1, true
			case research.Verify:
				n++
			}
		}
		return n, accepted
	}
	pro, accepted := side(h.For, h.Against)
	con, _ := side(h.Against, h.For)
	status := research.Partial
	switch {
	case pro+con == 0:
		status = research.Unverified
	case con == 0 && accepted:
		status = research.Confirmed
	case pro == 0:
		status = research.Refuted
	}
	same(c, where, "status", h.Status, status)
	if pro+con == 0 && h.Confidence == "" {
		return // nothing known, nothing printed
	}
	same(c, where, "confidence", h.Confidence, ratio(big.NewRat(int64(pro+1), int64(pro+con+2))))
}

// contradiction resolves a contradiction again: the later source, then the more trusted, then the one with more voices.
func (c *checker) contradiction(x research.Contradiction) {
	where := "contradiction " + x.ID
	same(c, where, "id", x.ID, research.ID("x", x.A, x.B))
	a, okA := c.claim(where, x.A)
	b, okB := c.claim(where, x.B)
	if !okA || !okB {
		return
	}
	c.want(slices.Contains([]string{"direct", "indirect", "temporal"}, x.Kind), where, "unknown kind %q", x.Kind)
	if x.Resolution == "contested" {
		same(c, where, "preferred", x.Preferred, "")
		return
	}
	if otherTime(a.AsOf, b.AsOf) { // one thing that changed: both hold
		same(c, where, "resolution", x.Resolution, "evolution")
		same(c, where, "preferred", x.Preferred, "")
		return
	}
	resolution, order := c.resolve(a, b)
	preferred := ""
	if order > 0 {
		preferred = x.A
	} else if order < 0 {
		preferred = x.B
	}
	same(c, where, "resolution", x.Resolution, resolution)
	same(c, where, "preferred", x.Preferred, preferred)
}

// otherTime reports whether two partial dates are known and neither is a part of the other.
func otherTime(a, b string) bool {
	return a != "" && b != "" && !strings.HasPrefix(a, b) && !strings.HasPrefix(b, a)
}

// resolve returns how two claims are told apart, and which wins: the first when order is positive.
func (c *checker) resolve(a, b research.Claim) (how string, order int) {
	if n := min(len(a.Published), len(b.Published), 10); n >= 4 {
		if o := strings.Compare(a.Published[:n], b.Published[:n]); o != 0 {
			return "recency", o
		}
	}
	if x, y := c.source(a.Source).Tier, c.source(b.Source).Tier; x > 0 && y > 0 && x != y {
		return "authority", y - x
	}
	grades := []research.Grade{research.Opinion, research.Secondary, research.Primary}
	if x, y := slices.Index(grades, a.Grade), slices.Index(grades, b.Grade); x >= 0 && y >= 0 && x != y {
		return "authority", x - y
	}
	_, x := confidenceOf(a)
	_, y := confidenceOf(b)
	if a.Support != nil && b.Support != nil {
		x, y = a.Support.K, b.Support.K
	}
	if x != y {
		return "corroboration", x - y
	}
	return "unresolved", 0
}

// cardPages recomputes the pages a card prints: those of the passages that findings cite from it.
func (c *checker) cardPages() {
	pages := map[string]map[int]bool{}
	for _, id := range c.order {
		for _, pid := range c.findings[id].Citations {
			if p, ok := c.d.Passages[pid]; ok && p.Page > 0 {
				if pages[p.Source] == nil {
					pages[p.Source] = map[int]bool{}
				}
				pages[p.Source][p.Page] = true
			}
		}
	}
	for i, s := range c.d.Sources {
		var list []int
		for n := range pages[s.ID] {
			list = append(list, n)
		}
		sort.Ints(list)
		text := make([]string, len(list))
		for j, n := range list {
			text[j] = strconv.Itoa(n)
		}
		same(c, fmt.Sprintf("source %s [%d]", s.ID, i+1), "pages", s.Pages, strings.Join(text, ", "))
	}
}
