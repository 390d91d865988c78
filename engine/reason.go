package engine

import (
	"cmp"
	"context"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode"

	"assay/engine/evidence"
	"assay/engine/intent"
	"assay/engine/research"
	"assay/engine/text"
)

// reasonInput is everything a conclusion may rest on.
type reasonInput struct {
	Round      int                    `json:"round"`
	Meaning    research.Understanding `json:"meaning"`
	Hypotheses []research.Hypothesis  `json:"hypotheses"`
	Known      ledger                 `json:"known"`
}

// reasoned is what follows from the claims.
type reasoned struct {
	Claims      []research.Claim         `json:"claims"`    // validated and derived, those that findings may rest on
	Answering   []string                 `json:"answering"` // those of Claims that answer their facet, in order: see answersFacet
	Passages    []research.Passage       `json:"passages"`  // that votes, citations and claims point at
	Findings    []research.Finding       `json:"findings"`
	Hypotheses  []research.Hypothesis    `json:"hypotheses"`
	Contradicts []research.Contradiction `json:"contradicts"`
	Gaps        []research.Gap           `json:"gaps"`
	Coverage    []research.CoverageRow   `json:"coverage"`
	Graph       research.Graph           `json:"graph"`
}

// searchAgain reports whether a gap deserves another round (Alg. 4).
func (x reasoned) searchAgain() bool {
	for _, g := range x.Gaps {
		if g.Importance != "low" && len(g.Queries) > 0 {
			return true
		}
	}
	return false
}

// reason is stage 6: the claims that speak most to each facet are held against every page, weighed, derived from and
// compared; hypotheses, findings and gaps follow by code.
func (r *run) reason(ctx context.Context, in reasonInput) (reasoned, error) {
	var out reasoned
	l, err := r.lens(ctx, in.Meaning, in.Known.Sources)
	if err != nil {
		return out, err
	}
	edges, err := r.dependence(in.Known.Sources)
	if err != nil {
		return out, err
	}
	w := weigher{lens: l, alone: r.without(withoutValidation), calibrate: r.calibrate, edges: edges, sources: map[string]research.Source{}, passages: map[string]research.Passage{}}
	for _, s := range in.Known.Sources {
		w.sources[s.ID] = s
	}
	chosen := l.choose(in.Known.Claims)
	for i := range chosen {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		w.weigh(&chosen[i].claim)
	}
	for _, c := range chosen {
		out.Claims = append(out.Claims, c.claim)
		if c.tells {
			out.Answering = append(out.Answering, c.claim.ID)
		}
	}
	var derived []research.Claim
	if !r.without(withoutDerivation) {
		derived = evidence.Derive(out.Claims)
	}
	if !r.without(withoutContradictions) {
		out.Contradicts = w.contradictions(&out, chosen, in)
	}
	out.Findings = l.findings(chosen, derived)
	out.Claims = append(out.Claims, derived...)
	out.Hypotheses = judge(in.Hypotheses, out, in.Meaning)
	out.Coverage = requirements(in.Meaning, out.Hypotheses, out.Claims, w.sources)
	if out.Gaps, err = r.gaps(ctx, in, l, out, chosen); err != nil {
		return out, err
	}
	out.Graph = graph(out.Claims)
	out.Passages = sortedPassages(w.passages)
	return out, nil
}

// contradictions returns the pairs of claims that cannot both hold: those among the chosen ones, and those with what other pages say in
// the place of a claim, which becomes a claim of the run.
func (w *weigher) contradictions(out *reasoned, chosen []candidateClaim, in reasonInput) []research.Contradiction {
	contested := in.Meaning.Shape == research.ShapeDebate
	found := evidence.ContradictionsIn(out.Claims, evidence.Context{Sources: w.sources, Contested: contested})
	others, more := w.dispute(chosen, in.Known.Claims, contested)
	out.Claims = append(out.Claims, others...)
	have := map[string]bool{}
	for _, x := range found {
		have[x.ID] = true
	}
	for _, x := range more {
		if !have[x.ID] {
			have[x.ID] = true
			found = append(found, x)
		}
	}
	slices.SortFunc(found, func(x, y research.Contradiction) int { return cmp.Or(cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B)) })
	return found
}

// weigher validates claims against all pages.
type weigher struct {
	*lens
	alone     bool // no other page is asked about a claim
	calibrate func(research.Support, map[string]research.Source) research.Support
	edges     []research.Edge
	sources   map[string]research.Source
	passages  map[string]research.Passage
	// manyThings says whether the subject of the question is the name of several things; nil until it is asked.
	manyThings *bool
}

const (
	// addressing is the share of a claim's stem weight that a place must hold to be looked at by the matchers.
	addressing = 0.6
	// places is how many such places are judged for one claim, the closest first.
	places = 12
)

// weigh fills the evidence and support of a claim: its own passage, the excerpt around it, and whatever else in the pages
// addresses it.
func (w *weigher) weigh(c *research.Claim) {
	own := w.pageOf(c.Source)
	if own < 0 {
		return
	}
	c.Passage = w.keep(own, research.Span{Start: c.Start, End: c.End})
	ev := []research.Evidence{{Passage: c.Passage, Source: c.Source, Stance: research.Confirms, Reason: "its own passage"}}
	if span, ok := w.excerpt(own, *c); ok {
		if id := w.keep(own, span); id != c.Passage {
			ev = append(ev, research.Evidence{Passage: id, Source: c.Source, Stance: research.Confirms, Reason: aroundIt})
		}
	}
	if c.By == cellsName {
		if span, ok := headPassage(w.pages[own].Doc, *c); ok {
			ev = append(ev, research.Evidence{Passage: w.keep(own, span), Source: c.Source, Stance: research.Confirms, Reason: headedBy})
		}
	}
	for _, p := range w.body.Near(text.Terms(c.Text, w.meaning.Lang), addressing, places) {
		if p.Page == own || w.alone {
			continue
		}
		span := w.pages[p.Page].Around(p.Line)
		doc := w.pages[p.Page].Doc
		stance, why := evidence.StanceAt(*c, doc.Text[span.Start:span.End], doc.Published)
		if stance == research.Neutral {
			continue
		}
		ev = append(ev, research.Evidence{Passage: w.keep(p.Page, span), Source: w.lens.sources[p.Page].ID, Stance: stance, Reason: why})
	}
	support := evidence.Support
	if w.meaning.Shape == research.ShapeDebate {
		support = evidence.SupportContested
	}
	s := w.calibrate(support(*c, ev, w.sources, w.dependent(*c, ev)), w.sources)
	s.Chained = true
	c.Evidence, c.Support = ev, &s
}

// dependent returns the edges of the run with those that hold for one claim: who has its value from whom.
func (w *weigher) dependent(c research.Claim, ev []research.Evidence) []research.Edge {
	at := map[string]evidence.Place{}
	for _, e := range ev {
		p := w.passages[e.Passage]
		place := evidence.Place{Text: p.Text}
		if i := w.pageOf(e.Source); i >= 0 {
			for _, l := range w.pages[i].Doc.Links {
				if l.Start < p.End && p.Start < l.End {
					place.Links = append(place.Links, l.URL)
				}
			}
		}
		at[e.Passage] = place
	}
	return evidence.Dependence(c, ev, w.sources, w.edges, at)
}

func (w *weigher) pageOf(source string) int {
	for i, s := range w.lens.sources {
		if s.ID == source {
			return i
		}
	}
	return -1
}

// aroundIt marks the vote of the excerpt that a verbatim claim is printed with.
const aroundIt = "the passage around it"

// keep makes a passage of a span and returns its identifier.
func (w *weigher) keep(page int, span research.Span) string {
	d := w.pages[page].Doc
	p := research.Passage{
		ID:     research.ID("p", d.SHA256, strconv.Itoa(span.Start), strconv.Itoa(span.End)),
		Source: w.lens.sources[page].ID, Start: span.Start, End: span.End, Text: d.Text[span.Start:span.End],
	}
	p.SHA256 = research.SHA256(p.Text)
	p.Heading = w.pages[page].HeadingAt(span.Start)
	p.Page = w.pages[page].PageAt(span.Start)
	w.passages[p.ID] = p
	return p.ID
}

// excerpt is the span that is printed for a verbatim claim. A claim that a model worded has none: its own quotation is
// what it rests on.
func (l *lens) excerpt(page int, c research.Claim) (research.Span, bool) {
	p := l.pages[page]
	i := p.LineAt(c.Start)
	if i < 0 || c.By != extractiveName {
		return research.Span{}, false
	}
	span, _, _ := p.Excerpt(i, l.sharpest(page, i, c.Facet))
	return span, true
}

// sharpest is the byte offset in a line of its most informative stem of the facet.
func (l *lens) sharpest(page, line int, facet string) int {
	fi := max(facetIndex(l.meaning.Facets, facet), 0)
	s := l.pages[page].Text(line)
	at, best := 0, -1.0
	for _, t := range text.Tokens(s) {
		stem := text.Stem(t.Norm, l.meaning.Lang)
		for _, a := range l.asks[fi].Terms {
			if a.Stem == stem {
				if w := a.Share * l.body.Weight(stem); w > best {
					at, best = t.Start, w
				}
			}
		}
	}
	return at
}

func sortedPassages(m map[string]research.Passage) []research.Passage {
	out := make([]research.Passage, 0, len(m))
	for _, p := range m {
		out = append(out, p)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].ID < out[j].ID })
	return out
}

// judge updates the hypotheses by the claims: which speak for each, which against, what follows (ENGINE stage 6).
func judge(hs []research.Hypothesis, x reasoned, u research.Understanding) []research.Hypothesis {
	claims := x.Claims
	byID := map[string]research.Claim{}
	for _, c := range claims {
		byID[c.ID] = c
	}
	disputed := map[string]bool{}
	for _, d := range x.Contradicts {
		disputed[d.A], disputed[d.B] = true, true
	}
	direct := answering(x, u)
	out := append([]research.Hypothesis{}, hs...)
	for i := range out {
		h := &out[i]
		h.For, h.Against = []string{}, []string{}
		for _, c := range claims {
			if c.Derivation != nil || !slices.Contains(h.Facets, c.Facet) {
				continue
			}
			switch side(*h, c, disputed, direct, u) {
			case research.Confirms:
				h.For = append(h.For, c.ID)
			case research.Contradicts:
				h.Against = append(h.Against, c.ID)
			}
		}
		h.Confidence, h.Status = evidence.HypothesisConfidence(pickClaims(byID, h.For), pickClaims(byID, h.Against))
	}
	return out
}

// near is the share of the best claim's relevance from which another claim of its facet speaks to it as directly.
const near = 0.6

// answering lists the claims that speak directly to their facet: about as relevant as the best one, and answering what is
// asked for.
func answering(x reasoned, u research.Understanding) map[string]bool {
	best := map[string]float64{}
	for _, c := range x.Claims {
		best[c.Facet] = max(best[c.Facet], c.Relevance.Float())
	}
	out := map[string]bool{}
	for _, c := range x.Claims {
		fi := facetIndex(u.Facets, c.Facet)
		if fi < 0 || c.Derivation != nil || c.Relevance.Float() < near*best[c.Facet] {
			continue
		}
		f := u.Facets[fi]
		fits, _ := intent.Answers(f, c.Text, u.Lang)
		out[c.ID] = (fits || !typedWant(f.Want)) && slices.Contains(x.Answering, c.ID)
	}
	return out
}

// side says what one claim does to a hypothesis. A template hypothesis has a test of its own; one that a model worded is
// matched like a claim.
func side(h research.Hypothesis, c research.Claim, disputed, direct map[string]bool, u research.Understanding) research.Stance {
	switch h.Test {
	case "states":
		if !direct[c.ID] {
			return research.Neutral
		}
		return research.Confirms
	case "agree":
		switch {
		case disputed[c.ID]:
			return research.Contradicts
		case c.Support != nil && c.Support.K > 1:
			return research.Confirms
		}
		return research.Neutral
	case "differ":
		switch {
		case disputed[c.ID]:
			return research.Confirms
		case c.Support != nil && c.Support.K > 1:
			return research.Contradicts
		}
		return research.Neutral
	}
	st := text.TermSet(h.Statement, u.Lang)
	if text.Containment(st, text.TermSet(c.Text, u.Lang)) < addressing {
		return research.Neutral
	}
	stance, _ := evidence.Stance(research.Claim{
		Text: h.Statement, Quantities: text.Quantities(h.Statement),
	}, c.Text)
	return stance
}

func pickClaims(byID map[string]research.Claim, ids []string) []research.Claim {
	var out []research.Claim
	for _, id := range ids {
		out = append(out, byID[id])
	}
	return out
}

// requirements is Eq. 8: each facet, and one "for" and one "against" for each hypothesis.
func requirements(u research.Understanding, hs []research.Hypothesis, claims []research.Claim, sources map[string]research.Source) []research.CoverageRow {
	byID := map[string]research.Claim{}
	for _, c := range claims {
		byID[c.ID] = c
	}
	var out []research.CoverageRow
	row := func(what, facet, hypothesis string, cs []research.Claim) {
		ids := []string{}
		for _, c := range cs {
			ids = append(ids, c.ID)
		}
		out = append(out, research.CoverageRow{Requirement: what, Facet: facet, Hypothesis: hypothesis, State: evidence.Requirement(cs, sources), Claims: ids})
	}
	for _, f := range u.Facets {
		var cs []research.Claim
		for _, c := range claims {
			if c.Facet == f.ID && c.Derivation == nil {
				cs = append(cs, c)
			}
		}
		row(f.Text, f.ID, "", cs)
	}
	words := map[string][2]string{"en": {"For: ", "Against: "}, "zh": {"支持：", "反对："}}[u.Lang]
	for _, h := range hs {
		row(words[0]+h.Statement, "", h.ID, pickClaims(byID, h.For))
		row(words[1]+h.Statement, "", h.ID, pickClaims(byID, h.Against))
	}
	return out
}

// Bounds of the graph: more is not a picture.
const (
	graphEdges     = 40
	relationWords  = 6
	namesPerClaims = 3
)

// relationSigns is how many Chinese signs a relation has at most; more are a clause with a subject of its own.
const relationSigns = 8

// relates reports whether what stands between two names may say what the one does to the other: words of one clause, with one that says
// something. Behind a comma, a bracket or a colon the second name belongs to something else.
func relates(between string) bool {
	if strings.ContainsAny(between, ",;:()[]\"“”«»—–，、；：（）《》") {
		return false
	}
	signs, says := 0, false
	lang := text.Lang(between)
	for _, t := range text.Tokens(between) {
		says = says || !text.StopWord(t.Norm, lang) && strings.ContainsFunc(t.Norm, unicode.IsLetter)
	}
	for _, r := range between {
		if unicode.Is(unicode.Han, r) {
			signs++
		}
	}
	return says && signs <= relationSigns
}

// graph links the names that stand in one claim by the words between them.
func graph(claims []research.Claim) research.Graph {
	g := research.Graph{Nodes: []research.GraphNode{}, Edges: []research.GraphEdge{}}
	seen := map[string]bool{}
	node := func(name string) string {
		id := research.ID("n", text.Fold(name))
		if !seen[id] {
			seen[id] = true
			g.Nodes = append(g.Nodes, research.GraphNode{ID: id, Name: name, Type: intent.TypeOf(name)})
		}
		return id
	}
	for _, c := range claims {
		if c.Derivation != nil {
			continue
		}
		names := text.Names(c.Text)
		for i := 0; i+1 < len(names) && i < namesPerClaims; i++ {
			a, b := names[i], names[i+1]
			if a.Norm == b.Norm || len(g.Edges) >= graphEdges {
				continue
			}
			between := strings.Fields(c.Text[a.End:b.Start])
			if len(between) == 0 || len(between) > relationWords || !relates(c.Text[a.End:b.Start]) {
				continue
			}
			g.Edges = append(g.Edges, research.GraphEdge{From: node(a.Text), To: node(b.Text), Relation: strings.Join(between, " "), Claims: []string{c.ID}})
		}
	}
	return g
}
