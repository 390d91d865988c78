package engine

import (
	"context"
	"fmt"
	"strings"
	"unicode"

	"assay/engine/evidence"
	"assay/engine/intent"
	"assay/engine/research"
	"assay/engine/text"
)

// maxGaps bounds what a report lists as missing.
const maxGaps = 12

// gaps lists what is missing: the structural gaps by code, then what the reasoner proposes and code accepts.
func (r *run) gaps(ctx context.Context, in reasonInput, l *lens, x reasoned, chosen []candidateClaim) ([]research.Gap, error) {
	var out []research.Gap
	add := func(g research.Gap) {
		g.ID = fmt.Sprintf("g%d", len(out)+1)
		if len(out) < maxGaps {
			out = append(out, g)
		}
	}
	u := in.Meaning
	for _, f := range u.Facets {
		if g, missing := l.facetGap(f, x, chosen); missing {
			add(g)
		}
	}
	for _, h := range x.Hypotheses {
		if len(h.For) == 0 && len(h.Against) == 0 {
			add(research.Gap{
				Name: gapName(u, "No evidence for or against: %s", "没有支持或反对的证据：%s", h.Statement), Kind: "informational", Importance: "low",
				Reason: gapName(u, "No claim that was read speaks to it.", "所读内容均未涉及。"), Hypothesis: h.ID, Facet: h.Facets[0],
			})
		}
	}
	for _, g := range r.poolGaps(u, in.Known.Sources) {
		add(g)
	}
	if len(x.Claims) == 0 {
		return out, nil
	}
	var said research.ReasonerAnswer
	if _, err := r.ask(ctx, research.Reasoner, research.ReasonerInput{Understanding: u, Hypotheses: x.Hypotheses, Claims: x.Claims}, &said); err != nil {
		return nil, err
	}
	ground := u.Question
	for _, c := range x.Claims {
		ground += "\n" + c.Text
	}
	for _, p := range said.Gaps {
		if g, ok := acceptGap(p, u, ground, out); ok {
			add(g)
		}
	}
	return out, nil
}

// facetGap says what a facet lacks: any claim at all, the kind of expression it asks for, or a second voice.
func (l *lens) facetGap(f research.Facet, x reasoned, chosen []candidateClaim) (research.Gap, bool) {
	u := l.meaning
	have, fits, tells, voices := 0, 0, 0, 0
	for _, c := range chosen {
		if c.claim.Facet != f.ID {
			continue
		}
		have++
		if c.fits {
			fits++
		}
		if c.tells {
			tells++
		}
		if c.claim.Support != nil {
			voices = max(voices, c.claim.Support.K)
		}
	}
	g := research.Gap{Kind: "informational", Facet: f.ID, Queries: l.gapQueries(f)}
	switch {
	case have == 0:
		g.Importance = "high"
		g.Name = gapName(u, "Not found: %s", "未找到：%s", f.Text)
		if m := l.absent(f); m != "" {
			g.Reason = gapName(u, "None of the %d documents that were read mentions %s.", "所读的 %d 份文档均未提及 %s。", len(l.pages), m)
		} else {
			g.Reason = gapName(u, "None of the %d documents that were read answers it.", "所读的 %d 份文档均未给出答案。", len(l.pages))
		}
	case fits == 0 && typedWant(f.Want):
		g.Importance = "high"
		g.Name = gapName(u, "No direct answer found: %s", "未找到直接答案：%s", f.Text)
		g.Reason = gapName(u, "The passages that come closest hold no %s.", "最接近的段落中没有%s。", wantName(f.Want, u.Lang))
	case tells == 0:
		// The search was not short of words: what it found holds such things, and none of them of the subject.
		g.Importance, g.Queries = "medium", nil
		g.Name = gapName(u, "Only touched: %s", "仅有涉及：%s", f.Text)
		g.Reason = gapName(u, "No passage that speaks of it holds a %s that could answer it.", "谈及它的段落中没有可作答案的%s。", wantName(f.Want, u.Lang))
	case voices <= 1:
		g.Importance, g.Queries = "low", nil
		g.Name = gapName(u, "One voice only: %s", "仅有一个来源：%s", f.Text)
		g.Reason = gapName(u, "No second independent voice confirms it.", "没有第二个独立来源予以证实。")
	default:
		return g, false
	}
	return g, true
}

func typedWant(w research.AnswerType) bool {
	return w != research.AnswerAny && w != research.AnswerReason
}

func wantName(w research.AnswerType, lang string) string {
	names := map[research.AnswerType][2]string{
		research.AnswerPerson: {"name of a person", "人名"}, research.AnswerOrg: {"name of an organisation", "机构名称"}, research.AnswerName: {"name", "名称"},
		research.AnswerPlace: {"place", "地点"}, research.AnswerDate: {"date", "日期"}, research.AnswerQuantity: {"figure", "数字"},
	}
	n, ok := names[w]
	if !ok {
		n = [2]string{"statement", "陈述"}
	}
	if lang == "zh" {
		return n[1]
	}
	return n[0]
}

// gapQueries words the search for a facet anew: its own stems alone, those with the subject, and what its names go by in
// the pages.
func (l *lens) gapQueries(f research.Facet) []string {
	u := l.meaning
	var out []string
	add := func(s string) {
		s = strings.TrimSpace(s)
		for _, o := range out {
			if o == s {
				return
			}
		}
		if s != "" {
			out = append(out, s)
		}
	}
	add(surface(f))
	add(intent.Subject(u) + " " + wantName(f.Want, u.Lang))
	for i := range u.Facets {
		if u.Facets[i].ID != f.ID {
			continue
		}
		for _, p := range l.asks[i].Phrases {
			add(strings.Join(p.Stems, " ") + " " + surface(f))
		}
	}
	return out[:min(len(out), 2)]
}

// beyond reports whether a remark of a model brings in a number, date or name that neither the question nor the evidence holds.
func beyond(remark, ground string) bool {
	return !evidence.MatchQuantities(remark, ground).OK || !evidence.MatchDates(remark, ground, "").OK || !evidence.MatchNames(remark, ground).OK
}

// surface is a facet's own words as the person wrote them: those whose stems tell it from the other facets.
func surface(f research.Facet) string {
	own := map[string]bool{}
	for _, t := range f.Terms {
		own[t] = true
	}
	var out []string
	for _, w := range strings.FieldsFunc(f.Text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;:?!()\"“”", r) }) {
		for _, t := range text.Terms(w, text.Lang(f.Text)) {
			if own[t] {
				out = append(out, w)
				break
			}
		}
	}
	if len(out) == 0 || text.Lang(f.Text) == "zh" {
		return f.Text
	}
	return strings.Join(out, " ")
}

// acceptGap keeps a proposed gap only when it names a facet, is about the question, brings in nothing of its own (ground is the
// question with the claims), and is not there already. Its queries keep the words of the question: a reader of pages may not word a search (CHECKS 5.2, links).
func acceptGap(p research.ProposedGap, u research.Understanding, ground string, have []research.Gap) (research.Gap, bool) {
	fi := facetIndex(u.Facets, p.Facet)
	if fi < 0 || !onQuestion(text.TermSet(p.Name+" "+p.Reason, u.Lang), u) || beyond(p.Name+". "+p.Reason, ground) {
		return research.Gap{}, false
	}
	for _, g := range have {
		if g.Facet == p.Facet && g.Importance != "low" {
			return research.Gap{}, false
		}
	}
	g := research.Gap{Name: p.Name, Kind: p.Kind, Importance: "medium", Reason: p.Reason, Facet: p.Facet}
	asked := map[string]bool{}
	for _, t := range u.Terms {
		asked[t] = true
	}
	for _, q := range p.Queries {
		var kept []string
		for _, t := range text.Tokens(q) {
			if asked[text.Stem(t.Norm, u.Lang)] {
				kept = append(kept, t.Text)
			}
		}
		if len(kept) > 0 {
			g.Queries = append(g.Queries, strings.Join(kept, " "))
		}
	}
	return g, true
}
