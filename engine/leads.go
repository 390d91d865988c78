package engine

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"assay/engine/intent"
	"assay/engine/provenance"
	"assay/engine/research"
	"assay/engine/search"
	"assay/engine/subject"
	"assay/engine/text"
)

// lead is an address that providers named, before anything is opened.
type lead struct {
	location  string
	key       string // under which two spellings are one
	title     string
	snippet   string
	published string
	by        []string // providers
	angle     research.Angle
	adverse   bool // an angle of criticism or opposition ranked it at least as high as any other
	fused     float64
	group     string // what kind of provider named it first
	voice     string
	origin    research.Origin
	tier      int
	quality   research.Quality
	noise     string // why it never counts; empty: it may
}

// leads fuses what was found: each address once, by reciprocal rank over all lists, judged by Eq. 6 from its title and snippet.
// The result is sorted by quality.
func (r *run) leads(u research.Understanding, asks []inquiry, hits [][]research.Hit, opened []string) []lead {
	type ranks struct{ adverse, other int }
	at, best := map[string]*lead{}, map[string]*ranks{}
	var order []*lead
	add := func(h research.Hit, angle research.Angle, rank int, gain float64) {
		key := leadKey(h.Location)
		l := at[key]
		if l == nil {
			l = &lead{location: h.Location, key: key, title: h.Title, group: search.GroupOf(h.Provider)}
			at[key], best[key] = l, &ranks{math.MaxInt, math.MaxInt}
			order = append(order, l)
		}
		if len(h.Snippet) > len(l.snippet) {
			l.snippet = h.Snippet
		}
		if h.Published > l.published {
			l.published = h.Published
		}
		if h.Provider != "" && !slices.Contains(l.by, h.Provider) {
			l.by = append(l.by, h.Provider)
		}
		l.fused += gain
		b := best[key]
		switch {
		case angle.Adversarial() && rank < b.adverse:
			if b.adverse = rank; rank <= b.other {
				l.angle = angle
			}
		case !angle.Adversarial() && angle != "" && rank < b.other:
			if b.other = rank; rank < b.adverse {
				l.angle = angle
			}
		}
		l.adverse = b.adverse != math.MaxInt && b.adverse <= b.other
	}
	for i, a := range asks {
		share := 1.0
		if a.query.Angle != "" {
			share = angleShare
		}
		for n, h := range hits[i] {
			add(h, a.query.Angle, n+1, share/float64(rankSmooth+n+1))
		}
	}
	for _, loc := range intent.Resolvers(u.Identifiers) {
		add(research.Hit{Location: research.EscapeLocation(loc), Title: loc}, "", 1, 1) // the person named it
	}
	was := map[string]bool{}
	for _, o := range opened {
		was[o] = true
	}
	top := 0.0
	for _, l := range order {
		top = max(top, l.fused)
	}
	out := make([]lead, 0, len(order))
	for _, l := range order {
		if was[l.location] {
			continue
		}
		r.weigh(u, l, top)
		out = append(out, *l)
	}
	slices.SortStableFunc(out, func(a, b lead) int {
		return cmp.Or(b.quality.Value.Cmp(a.quality.Value), cmp.Compare(b.fused, a.fused), cmp.Compare(a.key, b.key))
	})
	return out
}

// leadKey is under which two spellings of an address are one.
func leadKey(location string) string {
	key, err := text.CanonicalURL(research.RealLocation(location))
	if err != nil {
		key = location
	}
	return strings.Replace(strings.TrimSuffix(key, "/"), "https://", "http://", 1)
}

// weigh fills in what the tables say of a lead and its quality by Eq. 6: the base relevance is its place in the lists, the subject
// match and the completeness are those of its title and snippet.
func (r *run) weigh(u research.Understanding, l *lead, top float64) {
	if l.angle == "" {
		l.angle = "overview"
	}
	d := research.Document{Location: l.location, Title: l.title, Own: r.ownServer(l.location), Host: provenance.RowOf(r.Request.Hosts, l.location)}
	l.origin, l.tier = provenance.OriginOf(d)
	l.voice = provenance.Voice(d)
	if kind, why := provenance.Noise(provenance.HostOf(l.location)); kind != "" && !d.Own {
		l.noise = kind + ": " + why
	}
	have := text.TermSet(l.title+"\n"+l.snippet, u.Lang)
	also, _ := byOtherName(u, l.title, l.snippet, have)
	for _, t := range also {
		have[t] = true
	}
	share := containedShare(u.Terms, have)
	lex := share
	folded := subject.FoldForNames(l.title + "\n" + l.snippet)
	if slices.ContainsFunc(names(u, nil), func(n subject.Name) bool { return n.In(folded) }) {
		lex = 1
	}
	rho := subject.Rho(lex, share)
	l.quality = provenance.QualityOf(l.tier, (1-relevanceSubject)*l.fused/max(top, 1e-9)+relevanceSubject*rho, share, l.published, u, r.now)
}

// ownServer reports whether an address is of a server the person named: the reader says so of the pages it opens.
func (r *run) ownServer(location string) bool {
	o, can := r.Reader.(interface{ Own(location string) bool })
	return can && o.Own(research.RealLocation(location))
}

// pool is what was chosen so far, by which the next is chosen.
type pool struct {
	voices  map[string]int
	domains map[string]int
	origins map[research.Origin]int
	groups  map[string]int
	adverse int
	size    int
}

func newPool() *pool {
	return &pool{voices: map[string]int{}, domains: map[string]int{}, origins: map[research.Origin]int{}, groups: map[string]int{}}
}

// perDomain is the most pages of one registered domain that are opened: no more count toward a floor (CONTRACT section 3).
const perDomain = 3

func (p *pool) count(voice, location string, origin research.Origin, adverse bool, group string) {
	p.voices[voice]++
	p.domains[text.RegistrableDomain(provenance.HostOf(location))]++
	p.origins[origin]++
	p.groups[group]++
	if adverse {
		p.adverse++
	}
	p.size++
}

// choose takes n leads: by quality, but first what the floors still lack, at most three of one domain that is not a repository, and
// at most half of repositories while there is anything else.
func (p *pool) choose(leads []lead, n int, b research.Budget, taken map[string]bool, mix map[string]int) []lead {
	var out []lead
	repositories := 0
	room := func(l lead) bool {
		host := provenance.HostOf(l.location)
		if provenance.Repository(host) {
			return repositories < max(1, n/2)
		}
		return p.domains[text.RegistrableDomain(host)] < perDomain || l.fused >= 1
	}
	take := func(want func(lead) bool, limit int) {
		for _, l := range leads {
			if limit == 0 || len(out) >= n {
				return
			}
			if taken[l.key] || l.noise != "" || !room(l) || !want(l) {
				continue
			}
			taken[l.key] = true
			if provenance.Repository(provenance.HostOf(l.location)) {
				repositories++
			}
			p.count(l.voice, l.location, l.origin, l.adverse, l.group)
			out = append(out, l)
			limit--
		}
	}
	take(func(l lead) bool { return l.fused >= 1 }, n) // what the person named
	// Pages fail: of what a floor asks for, twice as many are opened.
	take(func(l lead) bool { return l.adverse }, max(0, 2*b.FloorOpposing-p.adverse))
	for _, o := range []research.Origin{research.Academic, research.Government, research.Reference, research.TradePress, research.Industry, research.Advocacy} {
		if len(p.origins) < b.FloorOrigins+1 {
			take(func(l lead) bool { return l.origin == o }, max(0, 1-p.origins[o]))
		}
	}
	for _, g := range sortedKeys(mix) {
		g := g
		take(func(l lead) bool { return l.group == g }, max(0, mix[g]*n/100-p.groups[g]))
	}
	take(func(l lead) bool { return p.voices[l.voice] == 0 }, n)
	take(func(lead) bool { return true }, n)
	room = func(lead) bool { return true } // rather more of one place than nothing
	take(func(lead) bool { return true }, n)
	return out
}

func sortedKeys(m map[string]int) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
