package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"assay/engine/evidence"
	"assay/engine/intent"
	"assay/engine/research"
	"assay/engine/subject"
	"assay/engine/temporal"
	"assay/engine/text"
)

const (
	// verifySources is how many documents are opened for one claim.
	verifySources = 12
	// closest is the share of a claim's words from which a place is shown as one that comes near.
	closest = 0.35
	// shownClose is how many such places are shown.
	shownClose = 3
)

// Verifier holds claims against what providers find. The documents it opened are kept for the next claim. It is not safe for
// concurrent use.
type Verifier struct{ run *run }

// NewVerifier returns a verifier over the providers and the reader of cfg; what it finds goes into rec. Of the request only the
// clock, the language and the reach count. It asks no model.
func NewVerifier(cfg Config, rec Record) (*Verifier, error) {
	now, err := time.Parse(time.RFC3339, cfg.Request.Now)
	if err != nil {
		return nil, fmt.Errorf("the clock %q is not a time such as 2026-11-30T12:00:00Z", cfg.Request.Now)
	}
	return &Verifier{&run{Config: cfg, record: rec, now: now, shelf: &shelf{}}}, nil
}

// Verify says whether what can be found supports a claim, contradicts it, does both, or does not speak to it. Each voice counts once,
// by the same rules as in a report (Eq. 3).
func (v *Verifier) Verify(ctx context.Context, claim string) (research.Verification, error) {
	claim = strings.Join(strings.Fields(claim), " ")
	out := research.Verification{Claim: claim, Conclusion: research.NotFound, Relevance: "0", Evidence: []research.VerifiedPlace{}}
	if claim == "" {
		return out, errors.New("the claim is empty: write the sentence that is to be verified")
	}
	r := v.run
	u := intent.Understand(claim, r.Request.Lang, research.ShapeSurvey, research.Quick, r.now)
	u.Facets = u.Facets[:1] // one claim, whole
	u.Facets[0].Text, u.Facets[0].Terms = claim, text.Terms(claim, u.Lang)
	u.Budget.Sources = verifySources
	plan := research.Plan{Tasks: []research.Task{{ID: "t1", Facet: u.Facets[0].ID, Purpose: claim, Priority: 1, Queries: []research.Query{{Text: claim, Lang: u.Lang, Limit: facetHits}}}}}
	found, err := r.gather(ctx, gatherInput{0, u, plan, nil})
	if err != nil {
		return out, err
	}
	out.Read = len(found.Sources)
	if len(found.Faults) > 0 && out.Read == 0 {
		return out, fmt.Errorf("nothing could be searched: %s", found.Faults[0])
	}
	l, err := r.lens(ctx, u, found.Sources)
	if err != nil {
		return out, err
	}
	edges, err := r.dependence(found.Sources)
	if err != nil {
		return out, err
	}
	w := weigher{lens: l, calibrate: evidence.Calibrate, edges: edges, sources: map[string]research.Source{}, passages: map[string]research.Passage{}}
	for _, s := range found.Sources {
		w.sources[s.ID] = s
	}
	w.hold(claimOf(claim), &out)
	return out, ctx.Err()
}

// claimOf is a sentence of a person as a claim: it stands in no source.
func claimOf(s string) research.Claim {
	c := research.Claim{ID: research.ID("c", s), Text: s, Quantities: text.Quantities(s), Dates: []string{}, Names: []string{}}
	for _, d := range temporal.Dates(s) {
		c.Dates = append(c.Dates, d.ISO)
	}
	for _, n := range text.Names(s) {
		c.Names = append(c.Names, n.Text)
	}
	return c
}

const (
	// sureOf is how likely the comparison of a claim with a place must find it that the place confirms, or contradicts, the claim.
	// Below it the place is shown as one that comes close: a claim of a person has no page of its own to rest on, so more is asked
	// than of a claim that was read.
	sureOfYes = 0.7
	sureOfNo  = 0.6
	// nearlyAll is the share of a claim's words, its numbers aside, that stand where the comparison alone finds it contradicted.
	nearlyAll = 0.8
)

// stanceOn is what a place does to a claim of a person. The matchers of the engine, which hold numbers, dates, names, polarity and
// direction, and the weighed comparison have to agree that it is confirmed. It is contradicted where either finds it with what it
// names in place: every name, and every number but one.
func stanceOn(c research.Claim, window, published, lang string, share float64) (research.Stance, string) {
	strict, why := evidence.StanceAt(c, window, published)
	if share < addressing {
		return research.Neutral, "shares too few of its words"
	}
	if bound, said := evidence.BoundZh(c.Text, window); bound != research.Neutral {
		return bound, said // no sentence states the bound itself, so that the others can say nothing of it
	}
	if statement := evidence.Stating(c, window, published); statement != "" && strict == research.Confirms {
		if one := evidence.Compare(c.Text, statement); evidence.Agrees(c.Text, statement) || one.Confirms >= sureOfYes && !disturbed(one) {
			return research.Confirms, why
		}
	}
	if said := evidence.Turned(c.Text, window); said != "" {
		return research.Contradicts, said
	}
	weighed := evidence.Compare(c.Text, window)
	objection := "" // of a single sentence
	if strict == research.Confirms {
		objection = denied(c.Text, window, lang)
	}
	switch {
	case strict == research.Confirms && weighed.Confirms >= sureOfYes && aspect(weighed, "best sentence") >= together(c.Text, lang) && !disturbed(weighed) && objection == "":
		return research.Confirms, why
	case strict == research.Contradicts && weighed.Contradicts >= weighed.Confirms:
		return research.Contradicts, why
	case share >= nearlyAll && weighed.Contradicts >= sureOfNo && decided(weighed) && inPlace(c, window, published):
		if said := evidence.Against(c, window, sureOfNo, func(one evidence.Comparison, s string) bool { return decided(one) }); said != "" {
			return research.Contradicts, said
		}
		return research.Neutral, telling(weighed, "says otherwise, but not of the same thing")
	case objection != "":
		return research.Neutral, objection
	case strict != research.Neutral:
		return research.Neutral, telling(weighed, "has its words, but may not say the same")
	}
	return research.Neutral, why
}

// together is how much of a claim has to stand in one sentence of a place that confirms it: a short claim whole, because its words
// stand near each other in many places that say something else.
func together(claim, lang string) float64 {
	const short, whole = 6, 0.9
	if len(text.Terms(claim, lang)) <= short {
		return whole
	}
	return rest
}

// denied returns what a single sentence of a window, one that has most of a claim's words, says against it; "" when none does. The
// window as a whole may hide it: "never released" is not mended by a release that the next sentence tells of.
func denied(claim, window, lang string) string {
	words := map[string]bool{}
	for _, t := range wordsAlone(claim, lang) {
		words[t] = true
	}
	for _, sp := range text.Sentences(window) {
		s := window[sp.Start:sp.End]
		if text.Containment(words, text.TermSet(s, lang)) < rest {
			continue
		}
		if one := evidence.Compare(claim, s); disturbed(one) {
			return telling(one, "has its words, but may not say the same")
		}
	}
	return ""
}

// decisive are the aspects of a comparison by which a place contradicts a claim of which it has the rest, and rest is how much of what
// a claim says of its subject must stand there, and of the whole claim in one sentence that confirms it.
var decisive = map[string]bool{
	"negation differs, all covered": true, "opposite, rest covered": true, "other of its kind, rest covered": true,
	"slot filled otherwise, rest covered": true, "roles swapped": true,
}

const (
	rest = 0.75
	half = 0.5
)

// disturbed reports whether a comparison found anything that speaks against a claim, however likely it is all the same.
func disturbed(c evidence.Comparison) bool {
	for _, name := range []string{"negation differs", "number contradicted", "opposite", "roles swapped", "slot filled otherwise"} {
		if aspect(c, name) > 0 {
			return true
		}
	}
	return false
}

// decided reports whether a comparison found what contradicts, and not only that much is missing.
func decided(c evidence.Comparison) bool {
	// The number that differs is missing itself.
	if covered := aspect(c, "predicate coverage"); covered < rest {
		return aspect(c, "number contradicted") > 0 && covered >= half
	}
	for i, name := range evidence.AspectNames {
		if decisive[name] && c.Features[i] > 0 {
			return true
		}
	}
	return aspect(c, "number contradicted") > 0
}

// aspect is the value of an aspect of a comparison by its name.
func aspect(c evidence.Comparison, name string) float64 {
	for i, n := range evidence.AspectNames {
		if n == name {
			return c.Features[i]
		}
	}
	return 0
}

// telling is the first reason that says more than that words are missing.
func telling(c evidence.Comparison, otherwise string) string {
	for _, r := range c.Reasons {
		if !strings.HasPrefix(r, "the passage lacks") {
			return r
		}
	}
	if len(c.Reasons) > 0 {
		return c.Reasons[0]
	}
	return otherwise
}

// inPlace reports whether a window speaks of what a claim names: all its names, and all its numbers and dates but one.
func inPlace(c research.Claim, window, published string) bool {
	if !evidence.MatchNames(c.Text, window).OK {
		return false
	}
	missing := 0
	for _, q := range c.Quantities {
		if q.Kind != research.Year && !evidence.MatchQuantities(q.Text, window).OK {
			missing++
		}
	}
	for _, d := range c.Dates {
		if !evidence.MatchDates(d, window, published).OK {
			missing++
		}
	}
	return missing <= 1
}

// wordsAlone are the stems of a claim without its numbers: a place that has another number in their place speaks to it all the same.
func wordsAlone(claim, lang string) []string {
	all := text.Terms(claim, lang)
	var words []string
	for _, t := range all {
		if !strings.ContainsAny(t, "0123456789") {
			words = append(words, t)
		}
	}
	if len(words) < 2 {
		return all
	}
	return words
}

// judged is a place with what it does to a claim.
type judged struct {
	research.VerifiedPlace
	source string
	share  float64 // of the claim's words, its numbers aside
}

// closestTo lists the places that come closest to a claim, by its words alone and with its numbers.
func (w *weigher) closestTo(c research.Claim) []subject.Place {
	alone := wordsAlone(c.Text, w.meaning.Lang)
	words := w.body.Near(alone, closest, 2*places)
	for _, n := range w.body.Near(text.Terms(c.Text, w.meaning.Lang), closest, places) {
		n.Share = max(n.Share, containedShare(alone, text.TermSet(w.pages[n.Page].Text(n.Line), w.meaning.Lang)))
		if !slices.ContainsFunc(words, func(p subject.Place) bool { return p.Page == n.Page && p.Line == n.Line }) {
			words = append(words, n)
		}
	}
	return words
}

// hold judges the places that come closest to a claim and counts the voices.
func (w *weigher) hold(c research.Claim, out *research.Verification) {
	var speak, near []judged
	confirmed := map[string]float64{} // by source: the share of the place that confirms best
	sources := map[int]research.Source{}
	for i, s := range w.lens.sources {
		sources[i] = s
	}
	speak = append(speak, w.tabled(c, sources)...)
	for _, j := range speak {
		out.Relevance = "1"
		if j.Stance == research.Confirms {
			confirmed[j.source] = j.share
		}
	}
	seen := map[string]bool{} // passages that were judged: places that stand close have one around them
	for i, p := range w.closestTo(c) {
		if i == 0 && len(speak) == 0 {
			out.Relevance = micro(p.Share)
		}
		span := w.pages[p.Page].Around(p.Line)
		doc, src := w.pages[p.Page].Doc, w.lens.sources[p.Page]
		id := w.keep(p.Page, span)
		if seen[id] {
			continue
		}
		seen[id] = true
		stance, why := stanceOn(c, doc.Text[span.Start:span.End], doc.Published, w.meaning.Lang, p.Share)
		j := judged{research.VerifiedPlace{
			Stance: stance, Reason: why, Passage: w.passages[w.keep(p.Page, span)], Location: src.Location, Title: src.Title, Voice: src.Voice, Published: src.Published,
		}, src.ID, p.Share}
		switch stance {
		case research.Neutral:
			near = append(near, j)
			continue
		case research.Confirms:
			confirmed[src.ID] = max(confirmed[src.ID], p.Share)
		}
		speak = append(speak, j)
	}
	var votes []research.Evidence
	for _, j := range speak {
		// A page that states the claim does not deny it in a place that is no closer to its words.
		if j.Stance == research.Contradicts && confirmed[j.source] >= j.share {
			continue
		}
		// Windows around neighbouring lines hold the same words: the first is enough.
		if slices.ContainsFunc(out.Evidence, func(o research.VerifiedPlace) bool {
			return o.Passage.Source == j.source && o.Stance == j.Stance && o.Passage.Start < j.Passage.End && j.Passage.Start < o.Passage.End
		}) {
			continue
		}
		votes = append(votes, research.Evidence{Passage: j.Passage.ID, Source: j.source, Stance: j.Stance, Reason: j.Reason})
		out.Evidence = append(out.Evidence, j.VerifiedPlace)
	}
	if len(votes) == 0 {
		for _, j := range near[:min(len(near), shownClose)] {
			out.Evidence = append(out.Evidence, j.VerifiedPlace)
		}
		return
	}
	s := evidence.Calibrate(evidence.Support(c, votes, w.sources, w.dependent(c, votes)), w.sources)
	s.Chained = true
	out.Support = &s
	said := map[research.Stance]bool{}
	for _, v := range votes {
		said[v.Stance] = true
	}
	switch {
	case said[research.Confirms] && said[research.Contradicts]: // of two voices, or of one that says both
		out.Conclusion = research.Contested
	case s.K == s.N:
		out.Conclusion = research.Supported
	case s.K == 0:
		out.Conclusion = research.Contradicted
	default:
		out.Conclusion = research.Contested
	}
}
