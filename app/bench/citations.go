package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"assay/checks"
	"assay/engine/evidence"
	"assay/engine/fetch"
	"assay/engine/research"
	"assay/engine/search"
)

// citationsYear is the year of the run: no reference of the sets is of a later one, but those whose year is made up.
const citationsYear = 2026

// citationRow is one case of the citations bench.
type citationRow struct {
	Key     string   `json:"key"`
	Set     string   `json:"set"`
	Label   string   `json:"label"`
	Type    string   `json:"type,omitempty"`
	Tier    int      `json:"tier,omitempty"`
	Title   string   `json:"title"`
	Offline []string `json:"offline"` // faults of form
	State   string   `json:"state"`   // what the catalogues say
	Reasons []string `json:"reasons"`
	Looked  int      `json:"looked"`   // catalogues that looked
	Ident   bool     `json:"identity"` // author, year, title or identifier, by the matcher
	Check   string   `json:"check"`    // what the check G29 of the bank says; empty: it is silent
	Flagged bool     `json:"flagged"`
	real    bool
}

// citationFigures are the figures of one way to look.
type citationFigures struct {
	Detection   float64         `json:"detection"`    // of all made-up references
	FalseAlarms float64         `json:"false_alarms"` // of the real ones
	F1          float64         `json:"f1"`
	Precision   float64         `json:"precision"`
	Tiers       map[string]rate `json:"tiers"` // detection by tier
	Types       map[string]rate `json:"types"` // detection by type
	Real        rate            `json:"real"`  // false alarms
}

// citationsScore is the result. Detection is that of tier 1 by form and catalogues together; what form alone sees of it stands in Offline.
type citationsScore struct {
	N           int                         `json:"n"`
	Real        int                         `json:"real"`
	Tier1       int                         `json:"tier1"`
	Detection   float64                     `json:"detection"`    // of tier 1
	FalseAlarms float64                     `json:"false_alarms"` // of real references, by form or catalogues
	F1          float64                     `json:"f1"`           // of the cascade
	NotChecked  int                         `json:"not_checked"`  // nobody could look; counted as not flagged
	Works       int                         `json:"works"`        // of the made catalogue
	Offline     *citationFigures            `json:"offline"`      // form alone: no request
	Check       *citationFigures            `json:"check"`        // the check G29 of the bank, alone
	Identity    *citationFigures            `json:"identity"`     // form, and author, year, title and identifier in the catalogues
	Cascade     *citationFigures            `json:"cascade"`      // and venue, wording of the title, authors left out
	BySet       map[string]*citationFigures `json:"by_set"`       // of the cascade
	rows        []citationRow
}

// citationsBench scores the finding of references that are made up: by their form alone, and by what catalogues say of them.
//
// The catalogues are Crossref, OpenAlex and Semantic Scholar as the engine asks them, against a server on loopback that answers in their
// forms from a made catalogue (see [madeCatalogue]). It holds what the set records of its cases, so that the figures with it measure the
// asking, the reading and the judging, and not how much the real catalogues hold; those of Offline need no catalogue.
func citationsBench(ctx context.Context, o options) (any, error) {
	if o.data == "" {
		return nil, fmt.Errorf("%w: citations needs --data DIR", errUsage)
	}
	var cases []citationCase
	err := eachCase(o.data, func(file string, fields map[string]json.RawMessage) error {
		c, ok, err := citationOf(fields)
		if err != nil || !ok || o.limit > 0 && len(cases) >= o.limit {
			return err
		}
		c.set = citationSet(c, file)
		cases = append(cases, c)
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	if len(cases) == 0 {
		return nil, fmt.Errorf("%s holds no labelled reference", o.data)
	}
	made := madeCatalogue(cases)
	catalogues, stop, err := serveCatalogue(made)
	if err != nil {
		return nil, err
	}
	defer stop()
	s := citationsScore{N: len(cases), Works: len(made.works)}
	for _, c := range cases {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s.rows = append(s.rows, judgeCitation(ctx, catalogues, c))
	}
	s.figure()
	if err := writePredictions(o.predictions, s.rows); err != nil {
		return nil, err
	}
	if !o.json {
		printCitations(o, s)
	}
	return s, nil
}

// citationSet names the set of a case: by what it says of itself, else by its file.
func citationSet(c citationCase, file string) string {
	if c.Source == "walters_wilder_2023" {
		return "chatgpt"
	}
	if strings.Contains(file, "realworld") {
		return "realworld"
	}
	return "hallmark"
}

// judgeCitation looks at one reference.
func judgeCitation(ctx context.Context, catalogues []search.Catalogue, c citationCase) citationRow {
	ref := c.cited()
	offline := evidence.ReferenceFaults(ref, citationsYear)
	l := search.LookUp(ctx, catalogues, ref)
	v := evidence.JudgeCitation(l)
	r := citationRow{
		Key: c.Key, Set: c.set, Label: c.Label, Type: c.Type, Tier: c.Tier, Title: ref.Title, Offline: offline, State: string(v.State), Reasons: v.Reasons,
		Looked: v.Looked, real: c.real(),
	}
	wrong := v.State == evidence.CitationMismatch || v.State == evidence.CitationNotFound
	r.Ident = len(offline) > 0 || wrong && v.Identity
	view := checks.View{Lookups: []research.CitationLookup{l}}
	check := checks.Lookup("academicidentitymismatch")
	for _, key := range check.Scope(view) {
		for _, hit := range check.Eval(view, key) {
			r.Check = hit.What
		}
	}
	r.Flagged = len(offline) > 0 || wrong
	return r
}

// figure works the figures out.
func (s *citationsScore) figure() {
	s.Offline = citationFigure(s.rows, func(r citationRow) bool { return len(r.Offline) > 0 })
	s.Check = citationFigure(s.rows, func(r citationRow) bool { return r.Check != "" })
	s.Identity = citationFigure(s.rows, func(r citationRow) bool { return r.Ident })
	flagged := func(r citationRow) bool { return r.Flagged }
	s.Cascade = citationFigure(s.rows, flagged)
	s.BySet = map[string]*citationFigures{}
	by := map[string][]citationRow{}
	for _, r := range s.rows {
		by[r.Set] = append(by[r.Set], r)
		s.Real += one(r.real)
		s.Tier1 += one(r.Tier == 1)
		s.NotChecked += one(r.State == string(evidence.CitationNotChecked))
	}
	for set, rows := range by {
		s.BySet[set] = citationFigure(rows, flagged)
	}
	s.Detection, s.FalseAlarms, s.F1 = s.Cascade.Tiers["1"].Share, s.Cascade.FalseAlarms, s.Cascade.F1
}

func citationFigure(rows []citationRow, flagged func(citationRow) bool) *citationFigures {
	f := &citationFigures{Tiers: map[string]rate{}, Types: map[string]rate{}}
	var made, found, real, alarms int
	tiers, types := map[string][2]int{}, map[string][2]int{}
	count := func(m map[string][2]int, key string, hit bool) {
		v := m[key]
		m[key] = [2]int{v[0] + one(hit), v[1] + 1}
	}
	for _, r := range rows {
		hit := flagged(r)
		if r.real {
			real++
			alarms += one(hit)
			continue
		}
		made++
		found += one(hit)
		count(tiers, fmt.Sprint(r.Tier), hit)
		count(types, r.Type, hit)
	}
	for k, v := range tiers {
		f.Tiers[k] = rateOf(v[0], v[1])
	}
	for k, v := range types {
		f.Types[k] = rateOf(v[0], v[1])
	}
	f.Detection, f.FalseAlarms, f.Precision = share(found, made), share(alarms, real), share(found, found+alarms)
	f.F1 = share(2*found, found+alarms+made)
	f.Real = rateOf(alarms, real)
	return f
}

// printCitations writes the figures and every false alarm.
func printCitations(o options, s citationsScore) {
	for _, r := range s.rows {
		if r.real && r.Flagged {
			fmt.Fprintf(o.stdout, "false alarm: %s %q: %s\n", r.Key, r.Title, strings.Join(append(r.Offline, r.Reasons...), "; "))
		}
		if r.real && r.Check != "" {
			fmt.Fprintf(o.stdout, "false alarm of the check: %s %q: %s\n", r.Key, r.Title, r.Check)
		}
	}
	fmt.Fprintf(o.stdout, "%d references, %d of them real; a made catalogue of %d works; %d not checked\n", s.N, s.Real, s.Works, s.NotChecked)
	for _, way := range []struct {
		name string
		f    *citationFigures
	}{{"form alone", s.Offline}, {"check G29", s.Check}, {"form, identity", s.Identity}, {"cascade", s.Cascade}} {
		fmt.Fprintf(o.stdout, "%-15s detection %.4f, false alarms %.4f [%.4f, %.4f] of %d, F1 %.4f\n", way.name, way.f.Detection, way.f.FalseAlarms, way.f.Real.Low, way.f.Real.High, way.f.Real.N, way.f.F1)
		for _, t := range sortedKeys(way.f.Tiers) {
			v := way.f.Tiers[t]
			fmt.Fprintf(o.stdout, "    tier %s: %.4f [%.4f, %.4f] of %d\n", t, v.Share, v.Low, v.High, v.N)
		}
		for _, t := range sortedKeys(way.f.Types) {
			v := way.f.Types[t]
			fmt.Fprintf(o.stdout, "        %-24s %.3f of %d\n", t, v.Share, v.N)
		}
	}
	for _, set := range sortedKeys(s.BySet) {
		f := s.BySet[set]
		fmt.Fprintf(o.stdout, "  %-10s detection %.4f, false alarms %.4f of %d, F1 %.4f\n", set, f.Detection, f.FalseAlarms, f.Real.N, f.F1)
	}
}

// threeCatalogues are the catalogues of the engine against a server on loopback.
func threeCatalogues(base string) ([]search.Catalogue, func(), error) {
	client, err := fetch.New(fetch.Policy{Egress: research.Closed, Services: []fetch.Service{{Base: base, For: []fetch.Kind{fetch.Search}}}})
	if err != nil {
		return nil, nil, err
	}
	var out []search.Catalogue
	for _, m := range []struct {
		path string
		make func(search.Config) (search.Provider, error)
	}{{"/crossref", search.NewCrossref}, {"/openalex", search.NewOpenAlex}, {"/scholar", search.NewSemanticScholar}} {
		p, err := m.make(search.Config{Client: client.HTTP(fetch.Search), Base: base + m.path, Clock: &hasty{now: time.Date(citationsYear, 12, 1, 0, 0, 0, 0, time.UTC)}})
		if err != nil {
			client.Close()
			return nil, nil, err
		}
		c, ok := search.NewCatalogue(p)
		if !ok {
			client.Close()
			return nil, nil, fmt.Errorf("%s is no catalogue", p.Name())
		}
		out = append(out, c)
	}
	return out, client.Close, nil
}

// hasty is a clock on which waiting takes no time: the server is our own. Each provider has one, and asks one thing at a time.
type hasty struct{ now time.Time }

// Now implements [search.Clock].
func (h *hasty) Now() time.Time { return h.now }

// Sleep implements [search.Clock].
func (h *hasty) Sleep(ctx context.Context, d time.Duration) error {
	h.now = h.now.Add(d)
	return ctx.Err()
}
