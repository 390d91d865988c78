package engine

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"assay/engine/intent"
	"assay/engine/provenance"
	"assay/engine/research"
	"assay/engine/text"
)

// followShare is the part of a round's room that is kept for works which accepted pages name.
const followShare = 6

// maxNamed bounds the identifiers of one page that are looked at: a bibliography of hundreds says little of each.
const maxNamed = 60

// follow opens works that accepted pages name by an exact identifier (CONTRACT section 3, d_max): the originals that they report of.
// Each step beyond the first looks at what the last one opened; what more pages name comes first, then what stands nearer to the question.
func (r *run) follow(ctx context.Context, in gatherInput, taken map[string]bool, most int, out *foundOutside) error {
	seen := 0
	for step := 1; step < in.Meaning.Budget.SearchDepth && most > 0; step++ {
		wave := r.worksNamed(in.Meaning, out, seen, taken)
		seen = len(out.sources)
		wave = wave[:min(len(wave), most)]
		if len(wave) == 0 {
			return nil
		}
		most -= len(wave)
		if err := r.openWave(ctx, in, wave, out); err != nil {
			return err
		}
	}
	return nil
}

// worksNamed lists the works that the accepted pages from index from on name, the best first.
func (r *run) worksNamed(u research.Understanding, out *foundOutside, from int, taken map[string]bool) []lead {
	type named struct {
		lead
		pages int
		near  float64
	}
	at := map[string]*named{}
	var order []*named
	for i := from; i < len(out.sources); i++ {
		s, body := out.sources[i], out.docs[i].Text
		if s.Verdict != research.Verified {
			continue
		}
		var ids []research.Identifier
		for _, id := range intent.Identifiers(body) {
			if id.Kind == "doi" || id.Kind == "arxiv" || id.Kind == "pmid" {
				ids = append(ids, id)
			}
		}
		here := map[string]bool{}
		for _, id := range ids[:min(len(ids), maxNamed)] {
			for _, loc := range intent.Resolvers([]research.Identifier{id}) {
				key := leadKey(loc)
				if taken[key] || here[key] {
					continue
				}
				here[key] = true
				n := at[key]
				if n == nil {
					d := research.Document{Location: loc, Host: provenance.RowOf(r.Request.Hosts, loc)}
					n = &named{lead: lead{location: research.EscapeLocation(loc), key: key, angle: s.Angle, adverse: s.Adversarial}}
					n.origin, n.tier = provenance.OriginOf(d)
					at[key] = n
					order = append(order, n)
				}
				n.pages++
				n.near = max(n.near, nearness(u, body, id.Value))
			}
		}
	}
	slices.SortStableFunc(order, func(a, b *named) int {
		return cmp.Or(cmp.Compare(b.pages, a.pages), cmp.Compare(b.near, a.near), cmp.Compare(a.key, b.key))
	})
	var leads []lead
	for _, n := range order {
		if n.near > 0 {
			taken[n.key] = true
			leads = append(leads, n.lead)
		}
	}
	return leads
}

// nearBytes is how far from an identifier its words are looked for, in bytes.
const nearBytes = 400

// nearness is the share of the question's terms around the first place of an identifier.
func nearness(u research.Understanding, body, id string) float64 {
	for _, s := range text.Sentences(body) {
		if !strings.Contains(body[s.Start:s.End], id) {
			continue
		}
		return containedShare(u.Terms, text.TermSet(strings.ToValidUTF8(body[max(0, s.Start-nearBytes):s.End], ""), u.Lang))
	}
	return 0
}
