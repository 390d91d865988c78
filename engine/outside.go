package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"assay/engine/intent"
	"assay/engine/research"
	"assay/engine/search"
)

// Outsider is a [Provider] that asks others than the person's own files. Only queries that are marked as for outside go to it.
type Outsider interface {
	Provider
	// Host is who is asked, as it is shown before a run starts.
	Host() string
	// Ask is Search with what has to be said about the answer, in sentences.
	Ask(context.Context, research.Query) (hits []research.Hit, notes []string, err error)
}

// outsiders are the providers that ask others, in their order.
func (r *run) outsiders() []Outsider {
	var out []Outsider
	for _, p := range r.Providers {
		if o, ok := p.(Outsider); ok {
			out = append(out, o)
		}
	}
	return out
}

// outsideTask is the task of what others are asked in the first round; false when nobody is.
func (r *run) outsideTask(u research.Understanding, id int) (research.Task, bool) {
	if len(r.outsiders()) == 0 {
		return research.Task{}, false
	}
	queries, _ := r.guard(u).guarded(intent.Outside(u, r.Request.Depth, r.Request.MaxQueries))
	return research.Task{ID: fmt.Sprintf("t%d", id), Facet: u.Facets[0].ID, Purpose: "what others are asked", Priority: id, Queries: queries}, len(queries) > 0
}

// gapOutside words the queries of a gap for those outside.
func (r *run) gapOutside(u research.Understanding, g research.Gap) []research.Query {
	if len(r.outsiders()) == 0 {
		return nil
	}
	var out []research.Query
	for _, q := range g.Queries {
		out = append(out, research.Query{Text: cutRunes(intent.Keywords(q, u.Lang), maxGapQuery), Lang: u.Lang, Angle: g.Angle, Facet: g.Facet, Limit: angleHits, Outside: true})
	}
	out, _ = r.guard(u).guarded(out)
	return out
}

// maxGapQuery is the most characters of a query that is worded after pages were read (CHECKS 5.2).
const maxGapQuery = 120

func cutRunes(s string, n int) string {
	if r := []rune(s); len(r) > n {
		s = string(r[:n])
		if i := strings.LastIndexByte(s, ' '); i > 0 {
			s = s[:i]
		}
	}
	return s
}

// inquiry is one query to one provider.
type inquiry struct {
	who   Outsider
	query research.Query
}

// asks lists what a plan asks of others: for each of them, in order, the queries that suit it, none twice. What the person wrote
// into the plan goes as it stands, but for the protected words.
func (r *run) asks(u research.Understanding, plan research.Plan) (out []inquiry, held int) {
	g := r.guard(u)
	g.private = false // the plan was made with it, and what was added since is the person's
	var queries []research.Query
	for _, t := range plan.Tasks {
		for _, q := range t.Queries {
			if q.Outside {
				queries = append(queries, q)
			}
		}
	}
	if q, ok := r.otherQuery(u, queries); ok {
		queries = append(queries, q)
	}
	queries, held = g.guarded(queries)
	for _, p := range r.outsiders() {
		for _, q := range queries {
			if search.Suits(p.Name(), q) {
				out = append(out, inquiry{p, q})
			}
		}
	}
	return out, held
}

// preview tells what a round asks of others, before it does.
func (r *run) preview(in gatherInput, asks []inquiry, held int) error {
	if len(r.outsiders()) == 0 || len(asks) == 0 && in.Round > 0 {
		return nil
	}
	return r.news(research.EventPreview, r.previewOf(in, asks, held))
}

func (r *run) previewOf(in gatherInput, asks []inquiry, held int) research.Preview {
	p := research.Preview{Round: in.Round, Asks: []research.Asked{}, Pages: r.webRoom(in)}
	for _, a := range asks {
		p.Asks = append(p.Asks, research.Asked{Outsider: research.Outsider{Name: a.who.Name(), Host: a.who.Host()}, Query: a.query.Text, Angle: a.query.Angle})
	}
	general := false
	for _, o := range r.outsiders() {
		general = general || search.General(o.Name())
	}
	if !general && r.Request.Egress == research.Web {
		p.Notes = append(p.Notes, NoGeneralEngine)
	}
	if r.Request.Egress == research.Web {
		p.Notes = append(p.Notes, "Of a paper whose page shows only an abstract, "+search.PapersHost+" and "+search.CopiesHost+" are asked by its number or DOI for its text or an open copy.")
	}
	if r.Request.LookUp && r.Request.Egress == research.Web && len(r.Catalogues) > 0 {
		var hosts []string
		for _, c := range r.Catalogues {
			hosts = append(hosts, c.Host())
		}
		p.Notes = append(p.Notes, "Of the papers that the report cites, identifier, title and authors are asked of "+strings.Join(hosts, ", ")+".")
	}
	if _, n := r.guard(in.Meaning).guarded(intent.Outside(in.Meaning, r.Request.Depth, r.Request.MaxQueries)); n+held > 0 && in.Round == 0 {
		p.Notes = append(p.Notes, "Words that are protected, or that the question does not hold, were kept out of the queries.")
	}
	return p
}

// NoGeneralEngine says that nobody is asked who searches the whole web, and what to do about it.
const NoGeneralEngine = "No engine that searches the whole web is set, so only encyclopedias, papers, news and archives are asked: " +
	"set one with assay web set searxng http://127.0.0.1:8888, or a key with assay web key brave."

// askOutside puts all questions, those to different providers at once and those to one in turn, and returns the answers in the
// order of the questions, with what the providers said of them. A provider that fails is one fault, however often it was asked.
func (r *run) askOutside(ctx context.Context, asks []inquiry) (hits [][]research.Hit, said, faults []string, err error) {
	hits = make([][]research.Hit, len(asks))
	notes, fails := make([][]string, len(asks)), make([]string, len(asks))
	g, gctx := errgroup.WithContext(ctx)
	var names []string
	for _, a := range asks {
		if !slices.Contains(names, a.who.Name()) {
			names = append(names, a.who.Name())
		}
	}
	for _, name := range names {
		g.Go(func() error {
			for i, a := range asks {
				if a.who.Name() != name {
					continue
				}
				var err error
				if hits[i], notes[i], fails[i], err = r.askOne(gctx, a.who, a.query); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, nil, nil, err
	}
	for _, name := range names {
		first, failed, all := "", 0, 0
		for i, a := range asks {
			if a.who.Name() != name {
				continue
			}
			all++
			if fails[i] != "" {
				if failed++; first == "" {
					first = fails[i]
				}
			}
			for _, n := range notes[i] {
				if f := name + ": " + n; !slices.Contains(said, f) {
					said = append(said, f)
				}
			}
		}
		if failed > 0 {
			if all > 1 {
				first += fmt.Sprintf(" (%d of %d queries were not answered)", failed, all)
			}
			faults = append(faults, first)
		}
	}
	return hits, said, faults, nil
}

// askOne asks one provider outside one query.
func (r *run) askOne(ctx context.Context, p Outsider, q research.Query) (hits []research.Hit, notes []string, fault string, err error) {
	type answered struct {
		Hits  []research.Hit `json:"hits"`
		Notes []string       `json:"notes,omitempty"`
		Fault string         `json:"fault,omitempty"`
	}
	a, err := once(ctx, r, research.EventSearch, searchInput{p.Name(), q}, func(ctx context.Context, in searchInput) (answered, error) {
		h, notes, err := p.Ask(ctx, in.Query)
		if ctx.Err() != nil {
			return answered{}, ctx.Err()
		}
		if err != nil {
			return answered{Fault: in.Provider + ": " + err.Error()}, nil
		}
		h = slices.Clone(h)
		for i := range h {
			h[i].Location, h[i].Title = research.EscapeLocation(h[i].Location), research.ShownName(h[i].Title)
		}
		return answered{h, notes, ""}, nil
	})
	return a.Hits, a.Notes, a.Fault, err
}

// webRoom is how many pages of the web a round may open.
func (r *run) webRoom(in gatherInput) int {
	left := max(0, in.Meaning.Budget.Sources-len(in.Opened))
	if in.Round > 0 {
		left = max(left, in.Meaning.Budget.Sources/6)
	}
	return left
}

// onWeb reports whether a location is an address, and not a file of the person's own.
func onWeb(location string) bool { return strings.Contains(location, "://") }
