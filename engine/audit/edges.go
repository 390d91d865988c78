package audit

import (
	"net/url"
	"slices"
	"strings"
	"unicode"

	"assay/engine/research"
)

// citing checks an edge by which one source has a claim from another: what it says stands in a passage of one of them that voted, and
// names the other; or the page of one of them links the other there.
func (c *checker) citing(at string, cl research.Claim, e research.Edge) {
	for _, pair := range [][2]string{{e.A, e.B}, {e.B, e.A}} {
		from, to := c.source(pair[0]), c.source(pair[1])
		for _, v := range cl.Evidence {
			if p := c.d.Passages[v.Passage]; v.Source == from.ID && e.Said != "" && (strings.Contains(p.Text, e.Said) && calls(e.Said, to) || c.links(from, p, e.Said, to)) {
				return
			}
		}
	}
	c.fault(at, "edge %s %s: %q neither names nor links the other in a passage that voted", e.A, e.B, e.Said)
}

// calls reports whether words hold a name of a source: of its publisher, or the first part of its domain.
func calls(said string, s research.Source) bool {
	said = squashed(said)
	if n := squashed(s.Publisher); n != "" && (strings.Contains(said, n) || strings.Contains(said, strings.TrimPrefix(n, "the"))) {
		return true
	}
	u, err := url.Parse(s.Location)
	return err == nil && slices.ContainsFunc(strings.Split(u.Hostname(), "."), func(label string) bool {
		label = squashed(label)
		return len(label) >= 3 && (strings.Contains(said, label) || len(label) >= 7 && strings.Contains(said, strings.TrimPrefix(label, "the")))
	})
}

// squashed are the letters and digits of s in lower case.
func squashed(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// links reports whether the page of a source has a link in a passage that leads to another source.
func (c *checker) links(from research.Source, p research.Passage, said string, to research.Source) bool {
	host := func(s string) string {
		u, err := url.Parse(s)
		if err != nil {
			return ""
		}
		return strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
	}
	return host(said) != "" && host(said) == host(to.Location) && slices.ContainsFunc(c.documents[from.SHA256].Links, func(l research.Link) bool {
		return l.URL == said && l.Start < p.End && p.Start < l.End
	})
}

// sharedError checks the edges of a common mistake, where they were looked for: voices that share a value which three or more others,
// and more than they are, contradict are joined, and no others.
func (c *checker) sharedError(where string, cl research.Claim) {
	against, sharing, joined := 0, 0, 0
	for _, cu := range cl.Support.Clusters {
		errors := 0
		for _, e := range cu.Edges {
			if e.Why == "error" {
				errors++
			}
		}
		switch cu.Stance {
		case research.Contradicts:
			against++
		case research.Confirms:
			sharing += 1 + errors
		}
		joined += errors
	}
	valued := len(cl.Dates) > 0 || slices.ContainsFunc(cl.Quantities, func(q research.Quantity) bool { return q.Kind != research.Year })
	due := valued && sharing > 1 && against >= 3 && sharing < against
	if joined > 0 {
		c.want(due, where, "%d voices are joined for a common mistake, and %d others contradict it", sharing, against)
	}
	if cl.Support.Chained && due {
		same(c, where, "voices joined for a common mistake", joined, sharing-1)
	}
}
