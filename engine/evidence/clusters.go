package evidence

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"assay/engine/research"
	"assay/engine/text"
)

// Reasons of an edge. The first three are equivalences (if A and B are, and B and C, so are A and C).
const (
	whyURL         = "url"         // one canonical address
	whyVoice       = "voice"       // one publisher, top folder or study
	whyWork        = "work"        // one document in several formats
	whyDuplicate   = "duplicate"   // shingle containment, score is the share
	whySimHash     = "simhash"     // SimHash distance, score is the share of equal bits
	whySyndication = "syndication" // one agency or "originally published", score is the share of common 12-grams
)

// Clusters returns the edges between sources that are not independent, each with its reason and exact score, sorted.
// texts gives the clean text of a source by its sha256; empty when there is none.
//
// Two sources are joined when they have one canonical URL, one voice, one work, texts that are near duplicates, or a
// common agency text. The equivalences are written as edges from the source with the least identifier of each group to the
// others, so that their number is linear. Texts are compared only where they share a hash (see duplicate.go), so the cost
// grows with the total length of the texts and the number of copies among them, not with the square of the sources.
//
// A source without an identifier, or two with the same one, is an error.
func Clusters(sources []research.Source, texts func(sha string) string) ([]research.Edge, error) {
	return new(Copies).Clusters(sources, texts)
}

// Clusters is [Clusters] with what was compared before remembered.
func (c *Copies) Clusters(sources []research.Source, texts func(sha string) string) ([]research.Edge, error) {
	sorted := slices.Clone(sources)
	slices.SortFunc(sorted, func(a, b research.Source) int { return cmp.Compare(a.ID, b.ID) })
	for i, s := range sorted {
		if s.ID == "" {
			return nil, fmt.Errorf("find dependent sources: the source at %q has no identifier", s.Location)
		}
		if i > 0 && sorted[i-1].ID == s.ID {
			return nil, fmt.Errorf("find dependent sources: %s is listed twice, pass each source once", s.ID)
		}
	}
	var edges []research.Edge
	for _, why := range []string{whyURL, whyVoice, whyWork} {
		first := map[string]string{}
		for _, s := range sorted {
			v := classOf(s, why)
			if v == "" {
				continue
			}
			if f, ok := first[v]; ok {
				edges = append(edges, research.Edge{A: f, B: s.ID, Why: why, Score: "1"})
			} else {
				first[v] = s.ID
			}
		}
	}
	edges = append(edges, c.duplicates(sorted, texts)...)
	sortEdges(edges)
	return edges, nil
}

// classOf returns the value that sources of one group share for an equivalence; empty: the source is in no group.
func classOf(s research.Source, why string) string {
	switch why {
	case whyVoice:
		return s.Voice
	case whyWork:
		return s.Work
	}
	u, err := text.CanonicalURL(s.Location)
	if err != nil {
		return s.Location // a path in a library: one file is one address
	}
	return u
}

func sortEdges(edges []research.Edge) {
	slices.SortFunc(edges, func(x, y research.Edge) int {
		return cmp.Or(cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B), cmp.Compare(x.Why, y.Why), cmp.Compare(x.Score, y.Score))
	})
}

// group is one part of a partition of the sources of a claim.
type group struct {
	members []string // sorted
	edges   []research.Edge
}

// partition splits the sources of ev into voices. An equivalence goes through a source outside ev: if A and B share a voice
// with an absent H, they share it with each other, and the edge A-B is written. So does copying, see copied. But the two do
// not mix there: that an absent text of one publisher is a copy of one of another does not make the two one voice. The result
// is ordered by first member.
func partition(ev []research.Evidence, sources map[string]research.Source, edges []research.Edge) []group {
	members := sourcesOf(ev)
	var kept []research.Edge
	for _, why := range []string{whyURL, whyVoice, whyWork} {
		kept = append(kept, equivalences(why, members, sources, edges)...)
	}
	kept = append(kept, copied(members, edges)...)
	sortEdges(kept)
	kept = slices.Compact(kept)

	u := newUnion()
	for _, e := range kept {
		u.join(e.A, e.B)
	}
	at := map[string]int{}
	var out []group
	for _, m := range members {
		root := u.find(m)
		i, ok := at[root]
		if !ok {
			i = len(out)
			at[root] = i
			out = append(out, group{})
		}
		out[i].members = append(out[i].members, m)
	}
	for _, e := range kept {
		i := at[u.find(e.A)]
		out[i].edges = append(out[i].edges, e)
	}
	return out
}

// copied returns the edges of copied text that matter for members: those between two of them, and, where two members are
// copies only by way of an absent text, all edges of that chain of copies.
func copied(members []string, edges []research.Edge) []research.Edge {
	present := make(map[string]bool, len(members))
	for _, m := range members {
		present[m] = true
	}
	direct, whole := newUnion(), newUnion()
	var copies []research.Edge
	for _, e := range edges {
		if e.Why == whyURL || e.Why == whyVoice || e.Why == whyWork || e.A == e.B {
			continue
		}
		if e.A > e.B {
			e.A, e.B = e.B, e.A
		}
		copies = append(copies, e)
		whole.join(e.A, e.B)
		if present[e.A] && present[e.B] {
			direct.join(e.A, e.B)
		}
	}
	first, chained := map[string]string{}, map[string]bool{}
	for _, m := range members {
		root := whole.find(m)
		if f, ok := first[root]; !ok {
			first[root] = m
		} else if direct.find(f) != direct.find(m) {
			chained[root] = true
		}
	}
	var out []research.Edge
	for _, e := range copies {
		if present[e.A] && present[e.B] || chained[whole.find(e.A)] {
			out = append(out, e)
		}
	}
	return out
}

// equivalences returns, for one reason, the edges from the least member of each class to its other members. A class is
// known from the given edges and from the sources themselves, so that a caller that has no edges yet cannot count one
// voice twice.
func equivalences(why string, members []string, sources map[string]research.Source, edges []research.Edge) []research.Edge {
	u := newUnion()
	for _, e := range edges {
		if e.Why == why {
			u.join(e.A, e.B)
		}
	}
	byValue := map[string]string{}
	for _, m := range members {
		s, ok := sources[m]
		if !ok {
			continue
		}
		if v := classOf(s, why); v != "" {
			if first, ok := byValue[v]; ok {
				u.join(first, m)
			} else {
				byValue[v] = m
			}
		}
	}
	first := map[string]string{}
	var out []research.Edge
	for _, m := range members { // sorted, so the first of a class is its least
		root := u.find(m)
		if f, ok := first[root]; ok {
			out = append(out, research.Edge{A: f, B: m, Why: why, Score: "1"})
		} else {
			first[root] = m
		}
	}
	return out
}

// union is a union-find over strings. A string that was never joined is its own root.
type union struct{ parent map[string]string }

func newUnion() *union { return &union{parent: map[string]string{}} }

func (u *union) find(x string) string {
	root := x
	for p, ok := u.parent[root]; ok && p != root; p, ok = u.parent[root] {
		root = p
	}
	for x != root { // halve the path for the next time
		next := u.parent[x]
		u.parent[x] = root
		x = next
	}
	return root
}

// join makes the lesser root the root of both, so that the result does not depend on the order of the joins.
func (u *union) join(a, b string) {
	a, b = u.find(a), u.find(b)
	if b < a {
		a, b = b, a
	}
	u.parent[a] = a
	u.parent[b] = a
}

// sourcesOf returns the sorted distinct sources of ev.
func sourcesOf(ev []research.Evidence) []string {
	var out []string
	for _, e := range ev {
		out = append(out, e.Source)
	}
	sort.Strings(out)
	return slices.Compact(out)
}
