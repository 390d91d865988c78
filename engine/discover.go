package engine

import (
	"context"
	"fmt"

	"assay/engine/provenance"
	"assay/engine/research"
	"assay/engine/text"
)

// Discover is the first half of a run: the question is understood and searched for, and what was named is judged by what its place and
// its snippet tell. No page of the web is opened. The record is as for [Engine.Run]; a model may help to understand the question.
func (e *Engine) Discover(ctx context.Context, rec Record) (research.Discovery, error) {
	none := research.Discovery{}
	r, err := e.begin(ctx, rec)
	if err != nil {
		return none, err
	}
	meaning, err := stage(ctx, r, "understand", 0, r.Request, r.understand)
	if err != nil {
		return none, err
	}
	plan, err := stage(ctx, r, "plan", 0, planInput{0, meaning, nil, nil}, r.plan)
	if err != nil {
		return none, err
	}
	if meaning, err = r.otherNames(ctx, meaning, plan.Plan); err != nil {
		return none, err
	}
	in := gatherInput{0, meaning, plan.Plan, nil}
	out := research.Discovery{
		Schema: research.SchemaVersion, Topic: r.Request.Question, Lang: meaning.Lang, Depth: r.Request.Depth, Egress: r.Request.Egress, Date: r.now.Format("2006-01-02"),
		Asked: []research.Asked{}, Notes: []string{}, Sources: []research.PoolEntry{}, Faults: []string{}, Outbox: []research.Outbound{},
		PerAngle: []research.AngleUse{}, Providers: []research.Outsider{},
	}
	found, faults, err := r.search(ctx, in)
	if err != nil {
		return none, err
	}
	asks, held := r.asks(meaning, plan.Plan)
	hits, said, more, err := r.askOutside(ctx, asks)
	if err != nil {
		return none, err
	}
	out.Faults = append(append(out.Faults, faults...), more...)
	if len(r.outsiders()) > 0 {
		p := r.previewOf(in, asks, held)
		out.Asked, out.Notes = append(r.namesAsked(meaning, plan.Plan), p.Asks...), append(out.Notes, p.Notes...)
	}
	out.Faults, out.Notes = append(out.Faults, r.nameFaults...), append(append(out.Notes, said...), r.nameNotes...)
	for _, o := range r.outsiders() {
		out.Providers = append(out.Providers, research.Outsider{Name: o.Name(), Host: o.Host()})
	}
	if err := r.poolFiles(ctx, in, found, &out); err != nil {
		return none, err
	}
	poolLeads(r.leads(meaning, asks, hits, nil), &out)
	settlePool(meaning, &out)
	return out, nil
}

// poolFiles enters the files of the person's own: they are at hand, so their titles and publishers are read.
func (r *run) poolFiles(ctx context.Context, in gatherInput, found []candidate, out *research.Discovery) error {
	docs, err := r.open(ctx, found)
	if err != nil {
		return err
	}
	sources, err := r.judge(ctx, docs, found, in)
	if err != nil {
		return err
	}
	for _, s := range sources {
		e := research.PoolEntry{
			Title: s.Title, URL: s.Location, Voice: s.Voice, OriginType: s.Origin, Tier: s.Tier, Angle: s.Angle, Adversarial: s.Adversarial,
			Published: s.Published, Providers: []string{"library"}, Quality: s.Quality, Counted: s.Verdict == research.Verified,
		}
		if !e.Counted {
			e.Note = string(s.Verdict) + ": " + s.Note
		}
		out.Sources = append(out.Sources, e)
	}
	return nil
}

// poolLeads enters what others named: noise never counts, and of one domain that is not a repository at most three do.
func poolLeads(leads []lead, out *research.Discovery) {
	domains := map[string]int{}
	for _, l := range leads {
		host := provenance.HostOf(l.location)
		domain := text.RegistrableDomain(host)
		e := research.PoolEntry{
			Title: l.title, URL: l.location, Domain: domain, Voice: l.voice, OriginType: l.origin, Tier: l.tier, Angle: l.angle, Adversarial: l.adverse,
			Snippet: l.snippet, Published: l.published, Providers: l.by, Quality: l.quality, Counted: l.noise == "", Note: l.noise,
		}
		if e.Providers == nil {
			e.Providers = []string{}
		}
		if e.Counted && !provenance.Repository(host) {
			if domains[domain]++; domains[domain] > perDomain {
				e.Counted, e.Note = false, fmt.Sprintf("%d better ones of its domain count already", perDomain)
			}
		}
		out.Sources = append(out.Sources, e)
	}
}

// settlePool counts a pool against its floors.
func settlePool(u research.Understanding, out *research.Discovery) {
	var counted []research.Source
	for _, e := range out.Sources {
		s := research.Source{Location: e.URL, Voice: e.Voice, Origin: e.OriginType, Adversarial: e.Adversarial, Verdict: research.Verified}
		if !e.Counted {
			s.Verdict = research.RejectDuplicate
		}
		counted = append(counted, s)
	}
	closed := out.Egress != research.Web
	out.Stats = provenance.Pool(counted, u.Budget, closed, u.Lang)
	if out.Stats.AcademicOnly {
		out.Notes = append(out.Notes, "Every source is academic: the floor of kinds of origin is passed for that reason.")
	}
	out.BelowWeb = !closed && len(out.Stats.Shortfall) > 0
	for _, a := range research.Angles {
		use := research.AngleUse{Angle: a}
		seen := map[string]bool{}
		for _, q := range out.Asked {
			if q.Angle == a && !seen[q.Query] {
				seen[q.Query] = true
				use.Queries++
			}
		}
		for _, e := range out.Sources {
			if e.Counted && e.Angle == a {
				use.Sources++
			}
		}
		out.PerAngle = append(out.PerAngle, use)
	}
}
