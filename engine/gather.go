package engine

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"assay/engine/evidence"
	"assay/engine/provenance"
	"assay/engine/research"
	"assay/engine/subject"
)

// gatherInput is a plan and what was opened before.
type gatherInput struct {
	Round   int                    `json:"round"`
	Meaning research.Understanding `json:"meaning"`
	Plan    research.Plan          `json:"plan"`
	Opened  []string               `json:"opened"`
}

const (
	// reading is how many sources are opened at once.
	reading = 4
	// rankSmooth is k of reciprocal rank fusion; 60 is the value of Cormack, Clarke and Buettcher (2009).
	rankSmooth = 60
	// angleShare is what a place in an angle's list counts against one in a facet's list: an angle says where else to
	// look, not what answers.
	angleShare = 0.3
	// offSubject is the subject match (Eq. 5) under which a page of the web is not about the question; in a library, which
	// the person chose, only what shares next to nothing is left out.
	offSubject        = subject.Theta
	offSubjectLibrary = 0.1
	// otherLang is what an edition in another language than the question's counts: it is opened when there is no other.
	otherLang = 0.2
)

// candidate is a location that providers named.
type candidate struct {
	location string
	angle    research.Angle
	score    float64
	best     int // its best rank in any list
	named    []research.Span
}

// gather is stage 4: the queries of the plan go to every provider, what they name is opened and judged page by page.
func (r *run) gather(ctx context.Context, in gatherInput) (gathered, error) {
	out := gathered{Sources: []research.Source{}, Faults: []string{}}
	found, faults, err := r.search(ctx, in)
	if err != nil {
		return out, err
	}
	out.Faults = faults
	docs, err := r.open(ctx, found)
	if err != nil {
		return out, err
	}
	if out.Sources, err = r.judge(ctx, docs, found, in); err != nil {
		return out, err
	}
	web, err := r.gatherOutside(ctx, in, len(found))
	if err != nil {
		return out, err
	}
	docs, out.Sources, out.Faults = append(docs, web.docs...), append(out.Sources, web.sources...), append(out.Faults, web.faults...)
	out.Notes = web.notes
	if in.Round == 0 {
		out.Faults, out.Notes = append(out.Faults, r.nameFaults...), append(out.Notes, r.nameNotes...)
	}
	earlier, err := r.spoken(in.Opened)
	if err != nil {
		return out, err
	}
	before := make([]research.Document, len(earlier))
	for i, s := range earlier {
		if before[i], err = r.read(ctx, s.Location); err != nil {
			return out, err
		}
	}
	leaveCopies(earlier, before, out.Sources, docs, in.Meaning.Lang)
	if len(web.docs) > 0 {
		if err := r.leaveReprints(earlier, out.Sources); err != nil {
			return out, err
		}
	}
	if !r.without(withoutLock) {
		keepApart(in.Meaning, earlier, before, out.Sources, docs)
	}
	tellVoices(earlier, out.Sources)
	if in.Round == 0 {
		unread, faults, err := r.unread(ctx, in.Meaning)
		if err != nil {
			return out, err
		}
		out.Sources, out.Faults = append(out.Sources, unread...), append(out.Faults, faults...)
	}
	for _, s := range out.Sources {
		s.Passages = nil
		if err := r.news(research.EventSource, s); err != nil {
			return out, err
		}
	}
	return out, nil
}

// search asks every provider every query and fuses the lists by reciprocal rank. Attached files come first.
func (r *run) search(ctx context.Context, in gatherInput) ([]candidate, []string, error) {
	at := map[string]*candidate{}
	for _, o := range in.Opened {
		at[o] = nil
	}
	faults := []string{}
	var order []*candidate
	name := func(location string, a research.Angle, gain float64, rank int) {
		c, known := at[location]
		if known && c == nil {
			return // opened before
		}
		if !known {
			c = &candidate{location: location, angle: a, best: rank}
			at[location] = c
			order = append(order, c)
		}
		if rank < c.best {
			c.best, c.angle = rank, a
		}
		c.score += gain
	}
	if in.Round == 0 {
		for _, f := range r.Request.Attach {
			name(research.EscapeLocation(AttachedPrefix+filepath.Base(f)), "overview", 10, 0)
		}
	}
	for _, t := range in.Plan.Tasks {
		for _, q := range t.Queries {
			if q.Outside {
				continue
			}
			for _, p := range r.Providers {
				if _, outside := p.(Outsider); outside {
					continue
				}
				hits, fault, err := r.hits(ctx, p, q)
				if err != nil {
					return nil, nil, err
				}
				if fault != "" {
					faults = append(faults, fault)
				}
				angle, share := q.Angle, angleShare
				if angle == "" {
					angle, share = "overview", 1
				}
				seen := map[string]bool{}
				for _, h := range hits {
					if !seen[h.Location] {
						seen[h.Location] = true
						name(h.Location, angle, share/float64(rankSmooth+len(seen)), len(seen))
					}
					if c := at[h.Location]; c != nil && h.End > h.Start {
						c.named = append(c.named, research.Span{Start: h.Start, End: h.End})
					}
				}
			}
		}
	}
	for _, c := range order {
		if l := provenance.EditionLang(c.location); l != "" && l != in.Meaning.Lang {
			c.score *= otherLang
		}
	}
	sort.SliceStable(order, func(i, j int) bool {
		if order[i].score != order[j].score {
			return order[i].score > order[j].score
		}
		return order[i].location < order[j].location
	})
	left := max(0, in.Meaning.Budget.Sources-len(in.Opened))
	if in.Round > 0 {
		left = max(left, in.Meaning.Budget.Sources/6) // a gap may always open a few more
	}
	if len(r.outsiders()) > 0 {
		left = (left + 1) / 2 // the other half is for what others name
	}
	var out []candidate
	for _, c := range order[:min(len(order), left)] {
		out = append(out, *c)
	}
	return out, faults, nil
}

// AttachedPrefix begins the location of a file that the person attached to the question.
const AttachedPrefix = "attached/"

// searchInput is the identity of one question to one provider.
type searchInput struct {
	Provider string         `json:"provider"`
	Query    research.Query `json:"query"`
}

// hits asks one provider one query. A provider that fails is a fault to be shown, not the end of the run.
func (r *run) hits(ctx context.Context, p Provider, q research.Query) (hits []research.Hit, fault string, err error) {
	type answered struct {
		Hits  []research.Hit `json:"hits"`
		Fault string         `json:"fault,omitempty"`
	}
	a, err := once(ctx, r, research.EventSearch, searchInput{p.Name(), q}, func(ctx context.Context, in searchInput) (answered, error) {
		h, err := p.Search(ctx, in.Query)
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
		return answered{Hits: h}, nil
	})
	return a.Hits, a.Fault, err
}

// open reads the candidates, several at once; the order of the result is that of the candidates.
func (r *run) open(ctx context.Context, found []candidate) ([]research.Document, error) {
	docs := make([]research.Document, len(found))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(reading)
	for i, c := range found {
		g.Go(func() error {
			d, err := r.read(ctx, c.location)
			docs[i] = d
			return err
		})
	}
	return docs, g.Wait()
}

// read opens a location once in the life of a run; its text is kept in the record.
func (r *run) read(ctx context.Context, location string) (research.Document, error) {
	type readInput struct {
		Location string `json:"location"`
	}
	d, err := once(ctx, r, research.EventRead, readInput{location}, func(ctx context.Context, in readInput) (research.Document, error) {
		real := research.RealLocation(in.Location)
		d, err := r.Reader.Read(ctx, real)
		if err == nil && d.Fault != "" && real != in.Location {
			d, err = r.Reader.Read(ctx, in.Location) // a record gives what it holds by the form it holds
		}
		if ctx.Err() != nil {
			return d, ctx.Err()
		}
		if err != nil {
			return research.Document{Location: in.Location, Fault: "could not be opened: " + err.Error(), Verdict: research.RejectDead, SHA256: research.SHA256("")}, nil
		}
		d.Path = "" // where it lies on this machine is no part of the record
		d.Location, d.Title, d.Byline, d.Publisher = research.EscapeLocation(d.Location), research.ShownName(d.Title), research.ShownName(d.Byline), research.ShownName(d.Publisher)
		d.Fault = research.ShownName(strings.ReplaceAll(d.Fault, real, in.Location))
		d.SHA256, err = r.record.PutBlob(d.Text)
		return d, err
	})
	if err != nil {
		return d, err
	}
	if d.Fault == "" {
		if d.Text, err = r.record.Blob(d.SHA256); err != nil {
			return d, fmt.Errorf("kept text of %s: %w", location, err)
		}
	}
	return d, nil
}

// source judges a document: verdict, voice, origin, quality. The names are those of the question, near is how near an embedding
// model puts the document to it, 0 without one.
func (r *run) source(d research.Document, c candidate, in gatherInput, about []subject.Name, near float64) research.Source {
	u := in.Meaning
	web := onWeb(d.Location)
	d.Host = provenance.RowOf(r.Request.Hosts, d.Location)
	verdict, note := provenance.Judge(d, !web || d.Own)
	from := d
	if strings.HasPrefix(d.Location, AttachedPrefix) && onWeb(d.Canonical) { // a saved page speaks for who published it
		from.Location, from.Host = d.Canonical, provenance.RowOf(r.Request.Hosts, d.Canonical)
		d.Host = from.Host
		if d.Publisher == "" {
			d.Publisher = provenance.HostOf(d.Canonical)
		}
		if verdict == research.Verified {
			note += "; saved from " + d.Canonical
		}
	}
	origin, tier := provenance.OriginOf(from)
	s := research.Source{
		ID: research.ID("s", d.Location), Location: d.Location, Title: d.Title, Byline: d.Byline, Publisher: d.Publisher,
		Published: d.Published, Retrieved: r.Request.Now, Lang: d.Lang, MediaType: d.MediaType, SHA256: d.SHA256,
		Voice: provenance.Voice(from), Work: provenance.Work(d.Location), Origin: origin, Tier: tier,
		Angle: c.angle, Adversarial: c.angle.Adversarial(), Verdict: verdict, Note: note, Passages: []research.Passage{}, Named: spans(c.named),
		Hidden: d.Hidden,
	}
	if d.Host != nil {
		s.Note += fmt.Sprintf("; tier %d by the person's own table: %s", tier, d.Host.Why)
	}
	if d.Reused != nil {
		s.Retrieved = d.Reused.At
		s.Note = strings.TrimSuffix(s.Note, ".") + fmt.Sprintf("; its page was kept by run %s on %s and not fetched again", d.Reused.Run, day(d.Reused.At))
	}
	if s.Title == "" {
		s.Title = research.ShownName(research.RealLocation(d.Location[strings.LastIndexByte(d.Location, '/')+1:]))
	}
	if verdict != research.Verified {
		s.Quality = provenance.QualityOf(tier, 0, 0, d.Published, u, r.now)
		return s
	}
	p := r.shelf.page(d)
	have := p.Holds(u.Terms)
	also, plain := byOtherName(u, d.Title, d.Text, have)
	match, window := subjectMatch(p, u, have, about, near, also)
	for _, t := range also {
		have[t] = true
	}
	share := containedShare(u.Terms, have)
	if plain && d.Lang != u.Lang && match < subject.Theta {
		match = subject.Theta // it can hold no other word of the question
	}
	base := share
	said, full := provenance.Filler(d.Text)
	if full < 1 {
		s.Note += "; " + said
	}
	s.Bias = provenance.Bias(d, origin, asked(u))
	if len(s.Bias) > 0 {
		s.Note += "; bias: " + provenance.BiasWords(s.Bias)
	}
	s.Quality = provenance.QualityOf(tier, (1-relevanceSubject)*base+relevanceSubject*match, window*full, d.Published, u, r.now)
	floor := offSubject
	if !web {
		floor = offSubjectLibrary
	}
	if match < floor && !r.without(withoutLock) {
		s.Verdict = research.RejectOffSubject
		s.Note = fmt.Sprintf("speaks of something else: subject match %.2f, at least %.2f is asked", match, floor)
	}
	return s
}

// asked are the names that a question holds, as they are written.
func asked(u research.Understanding) []string {
	var out []string
	for _, e := range u.Entities {
		out = append(out, e.Text)
	}
	return out
}

// spans sorts places and leaves out what stands twice.
func spans(in []research.Span) []research.Span {
	slices.SortFunc(in, func(a, b research.Span) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End)) })
	return slices.Compact(in)
}

func containedShare(terms []string, have map[string]bool) float64 {
	if len(terms) == 0 {
		return 0
	}
	n := 0
	for _, t := range terms {
		if have[t] {
			n++
		}
	}
	return float64(n) / float64(len(terms))
}

// leaveCopies sets aside the same text in another file, and the same document in another format or language; docs are the texts
// of the sources. Of two the one in the question's language is kept, then the HTML, whose words have places. A file that has
// the name of another and not its content is a work of its own.
// What an earlier round kept (earlier, with its texts before) stays, and a copy of it is set aside whatever its language.
func leaveCopies(earlier []research.Source, before []research.Document, sources []research.Source, docs []research.Document, lang string) {
	kept := map[string]int{} // by text and by work: index into both lists, one after the other
	better := func(a, b research.Source) bool {
		if x, y := a.Lang == lang, b.Lang == lang; x != y {
			return x
		}
		return a.MediaType == "text/html" && b.MediaType != "text/html"
	}
	of := func(i int) (*research.Source, research.Document) {
		if i < len(earlier) {
			return &earlier[i], before[i]
		}
		return &sources[i-len(earlier)], docs[i-len(earlier)]
	}
	// Those that would be kept come first, so that each is compared with what stays and not with another translation.
	var order []int
	for i := range len(earlier) + len(sources) {
		order = append(order, i)
	}
	sort.SliceStable(order, func(x, y int) bool {
		a, _ := of(order[x])
		b, _ := of(order[y])
		if ea, eb := order[x] < len(earlier), order[y] < len(earlier); ea != eb {
			return ea
		}
		return better(*a, *b)
	})
	for _, i := range order {
		s, doc := of(i)
		if s.Verdict != research.Verified {
			continue
		}
		for _, key := range []string{"text " + s.SHA256, "work " + s.Work} {
			j, ok := kept[key]
			if !ok {
				kept[key] = i
				continue
			}
			if j == i || i < len(earlier) {
				continue
			}
			winner, other := of(j)
			if !sameDocument(doc, other) {
				s.Work = s.Location
				continue
			}
			loser := s
			if j >= len(earlier) && better(*s, *winner) {
				loser, winner = winner, s
				kept[key] = i
			}
			loser.Verdict, loser.CopyOf = research.RejectDuplicate, winner.ID
			loser.Note = "holds the same document as " + winner.Location
			if loser.Lang != winner.Lang && loser.SHA256 != winner.SHA256 {
				loser.Note = "is the same document in another language as " + winner.Location
			}
			break
		}
	}
}

// shelf keeps the pages of a run taken apart, and which of them are not independent, so that each is worked out once in a
// process. It holds nothing that is not in the record.
type shelf struct {
	mu    sync.Mutex
	pages map[string]*subject.Page // by sha256 and location
	edges map[string][]research.Edge
	// copies is what of the texts was compared already.
	copies evidence.Copies
}

// page returns a document taken apart.
func (s *shelf) page(d research.Document) *subject.Page {
	key := d.SHA256 + " " + d.Location
	s.mu.Lock()
	p, ok := s.pages[key]
	s.mu.Unlock()
	if ok {
		return p
	}
	p = subject.Read(d)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pages == nil {
		s.pages = map[string]*subject.Page{}
	}
	s.pages[key] = p
	return p
}

// dependence returns the edges between the verified sources that are not independent.
func (r *run) dependence(sources []research.Source) ([]research.Edge, error) {
	var ok []research.Source
	key := ""
	for _, s := range sources {
		if s.Verdict == research.Verified {
			ok = append(ok, s)
			key += s.ID + s.SHA256
		}
	}
	if held, known := r.shelf.edges[key]; known {
		return held, nil
	}
	edges, err := r.shelf.copies.Clusters(ok, func(sha string) string {
		t, err := r.record.Blob(sha)
		if err != nil {
			return ""
		}
		return t
	})
	if err != nil {
		return nil, fmt.Errorf("independence: %w", err)
	}
	if r.shelf.edges == nil {
		r.shelf.edges = map[string][]research.Edge{}
	}
	r.shelf.edges[key] = edges
	return edges, nil
}
