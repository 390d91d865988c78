package difference

import (
	"slices"
	"strings"

	"assay/engine/evidence"
	"assay/engine/research"
	"assay/engine/text"
)

// maxConflicts bounds the contradictions that are listed.
const maxConflicts = 200

// conflicts lists what the later report holds against statements of the earlier: the contradictions that its own run found between
// something that is new and something that the earlier report printed, and new sentences that are one of the earlier but for what
// stands in one place, or for a negation. The sentences on both sides are marked as told.
func conflicts(a, b *printed) []research.ReportConflict {
	c := comparer{a: a, b: b, out: []research.ReportConflict{}, seen: map[[2]string]bool{}}
	c.recorded()
	c.compared()
	return c.out
}

type comparer struct {
	a, b *printed
	out  []research.ReportConflict
	seen map[[2]string]bool
}

// recorded takes over the contradictions of the later run of which one side stood in the earlier report and the other did not.
func (c *comparer) recorded() {
	known := map[string]bool{} // what the earlier run had read, printed or not
	for _, x := range c.a.digest.Claims {
		known[keyOf(x.Text)] = true
	}
	for _, x := range c.b.digest.Contradicts {
		p, q := c.b.digest.Claims[x.A], c.b.digest.Claims[x.B]
		for _, pair := range [][2]research.Claim{{p, q}, {q, p}} {
			old, fresh := pair[0], pair[1]
			f, s := c.a.find(old.Text)
			if s == nil || fresh.Text == "" || known[keyOf(fresh.Text)] || c.a.index[keyOf(fresh.Text)] {
				continue
			}
			_, on := c.b.find(fresh.Text)
			c.add(f, s, on, fresh.Text, x.Reason, c.sourcesOf(fresh))
		}
	}
}

// sourcesOf is the source of a claim of the later digest.
func (c *comparer) sourcesOf(x research.Claim) []research.CitedRef {
	i := slices.IndexFunc(c.b.digest.Sources, func(s research.DigestSource) bool { return s.ID == x.Source })
	return refs(c.b.digest, []int{i})
}

// find returns the finding that prints a text and the sentence of it, or nil.
func (p *printed) find(s string) (*finding, *sentence) {
	key := keyOf(s)
	for i := range p.findings {
		for j := range p.findings[i].sentences {
			if one := &p.findings[i].sentences[j]; one.key == key || key != "" && strings.Contains(key, one.key) && len(one.terms) > 2 {
				return &p.findings[i], one
			}
		}
	}
	return nil, nil
}

// compared holds every sentence that is new against those of the earlier report.
func (c *comparer) compared() {
	for i := range c.b.findings {
		f := &c.b.findings[i]
		for j := range f.sentences {
			s := &f.sentences[j]
			if s.kept || s.told {
				continue
			}
			for k := range c.a.findings {
				old := &c.a.findings[k]
				for l := range old.sentences {
					if why := against(old.sentences[l], *s); why != "" {
						c.add(old, &old.sentences[l], s, s.text, why, refs(c.b.digest, f.Refs))
					}
				}
			}
		}
	}
}

// add lists a contradiction, once.
func (c *comparer) add(old *finding, before, after *sentence, now, reason string, from []research.CitedRef) {
	key := [2]string{before.key, keyOf(now)}
	if c.seen[key] || len(c.out) == maxConflicts {
		return
	}
	c.seen[key] = true
	before.told = true
	if after != nil {
		after.told = true
	}
	c.out = append(c.out, research.ReportConflict{
		Earlier: before.text, Later: now, Reason: reason, Stands: before.kept,
		EarlierSources: refs(c.a.digest, old.Refs), LaterSources: from,
	})
}

// against says why two sentences cannot both hold; "" when they can, or speak of two things. One thing differs between them: two
// sentences that differ in what they speak of as well, as those on the melting points of gold and of silver, are no contradiction,
// and neither are two states of a figure, each with its day.
func against(a, b sentence) string {
	found := evidence.Exchanges(a.text, b.text)
	switch {
	case len(found) > 1:
		return ""
	case len(found) == 1:
		x := found[0]
		if x.AsOf || x.Kind != research.AnswerQuantity && x.Kind != research.AnswerDate && !led(a, b, x) {
			return ""
		}
		return "where the earlier says " + strings.TrimSpace(x.A) + ", the later says " + strings.TrimSpace(x.B)
	}
	if text.Containment(a.terms, b.terms) < reworded || text.Containment(b.terms, a.terms) < reworded {
		return ""
	}
	return opposite(a, b)
}

// opposite says why two sentences of the same words say opposite things; "" when they do not.
func opposite(a, b sentence) string {
	for _, m := range []evidence.Match{evidence.Polarity(b.text, a.text), evidence.Direction(b.text, a.text)} {
		if !m.OK {
			return m.Reason
		}
	}
	if c := evidence.Compare(b.text, a.text); c.Stance == research.Contradicts && len(c.Reasons) > 0 {
		return c.Reasons[0]
	}
	return ""
}

// led reports whether words that both sentences share lead up to what is exchanged: then it is said of them, and is not what the
// sentences speak of.
func led(a, b sentence, x evidence.Exchanged) bool {
	before, _, _ := strings.Cut(a.text, x.A)
	other, _, _ := strings.Cut(b.text, x.B)
	lead, rest := text.TermSet(before, text.Lang(a.text)), text.TermSet(other, text.Lang(b.text))
	return len(lead) > 0 && text.Containment(lead, rest) == 1
}
