package worlds

import (
	"fmt"
	"slices"

	"assay/checks"
	"assay/engine/research"
)

// Large joins the clean runs of three topics into one report of about 60 claims over about 40 pages, and states every claim
// `times` times over: the pages stay, the claims and their blocks grow.
func Large(lang string, times int) checks.View {
	out := checks.View{Now: "2026-11-30T09:00:00Z", Lang: lang, Texts: map[string]string{}, Passages: map[string]research.Passage{}, Claims: map[string]research.Claim{}}
	for i, topic := range []string{"coffee", "ferry", "tidal"} {
		v := Make(topic, lang, i+1, 0).View
		out.Question += v.Question + " "
		out.Terms = append(out.Terms, v.Terms...)
		out.Shape, out.Budget = v.Shape, v.Budget
		mark := func(id string) string { return topic + "-" + id }
		marked := func(ids []string) []string {
			var all []string
			for _, id := range ids {
				all = append(all, mark(id))
			}
			return all
		}
		for _, f := range v.Facets {
			f.ID = mark(f.ID)
			out.Facets = append(out.Facets, f)
		}
		for _, s := range v.Sources {
			if s.Verdict != research.Verified || s.Origin == research.Personal {
				continue
			}
			s.ID = mark(s.ID)
			s.Passages = slices.Clone(s.Passages)
			for j := range s.Passages {
				s.Passages[j].Source = s.ID
				out.Passages[s.Passages[j].ID] = s.Passages[j]
			}
			out.Texts[s.SHA256] = v.Texts[s.SHA256]
			out.Sources = append(out.Sources, s)
		}
		copies := func(id string, n int) string { return fmt.Sprintf("%s-%d", mark(id), n) }
		for n := range times {
			for id, c := range v.Claims {
				c.ID, c.Facet = copies(id, n), mark(c.Facet)
				if c.Source != "" {
					c.Source = mark(c.Source)
				}
				if c.Derivation != nil {
					d := *c.Derivation
					d.Basis = slices.Clone(d.Basis)
					for j := range d.Basis {
						d.Basis[j] = copies(d.Basis[j], n)
					}
					c.Derivation = &d
				}
				if c.Support != nil {
					s := *c.Support
					s.Clusters = slices.Clone(s.Clusters)
					for j := range s.Clusters {
						s.Clusters[j].Sources = marked(s.Clusters[j].Sources)
					}
					c.Support = &s
				}
				out.Claims[c.ID] = c
			}
			for _, sec := range v.Draft.Sections {
				id := copies(sec.ID, n)
				joined := research.DraftSection{ID: id, Title: sec.Title, Facets: marked(sec.Facets)}
				for _, b := range sec.Blocks {
					b.ID, b.Refs = copies(b.ID, n), marked(b.Refs)
					b.Claims = slices.Clone(b.Claims)
					for j := range b.Claims {
						b.Claims[j] = copies(b.Claims[j], n)
					}
					joined.Blocks = append(joined.Blocks, b)
				}
				out.Draft.Sections = append(out.Draft.Sections, joined)
			}
			for _, d := range v.Dispatches {
				d.ID, d.Task = copies(d.ID, n), copies(d.Task, n)
				out.Dispatches = append(out.Dispatches, d)
			}
		}
	}
	return out
}

// Copied prints every block of a report so many times over, on the same claims and sources: only their ids differ.
func Copied(v checks.View, times int) checks.View {
	out := v
	out.Draft.Sections = nil
	for _, sec := range v.Draft.Sections {
		joined := sec
		joined.Blocks = nil
		for n := range times {
			for _, b := range sec.Blocks {
				b.ID = fmt.Sprintf("%s.%d", b.ID, n)
				joined.Blocks = append(joined.Blocks, b)
			}
		}
		out.Draft.Sections = append(out.Draft.Sections, joined)
	}
	return out
}
