package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"assay/engine/audit"
	"assay/engine/extractive"
	"assay/engine/research"
	"assay/engine/store"
	"assay/engine/text"
)

// world is a web of its own: pages by address, and who finds them.
type world struct {
	pages []research.Document
	own   func(string) bool

	mu    sync.Mutex
	asked []string // "provider: query"
	read  []string
}

// engineOf is a provider over the world. It finds pages by the words of a query.
type engineOf struct {
	*world
	name  string
	fault error
	notes []string
}

func (e engineOf) Name() string { return e.name }
func (e engineOf) Host() string { return e.name + ".example.net" }

func (e engineOf) Search(ctx context.Context, q research.Query) ([]research.Hit, error) {
	h, _, err := e.Ask(ctx, q)
	return h, err
}

func (e engineOf) Ask(_ context.Context, q research.Query) ([]research.Hit, []string, error) {
	e.mu.Lock()
	e.asked = append(e.asked, e.name+": "+q.Text)
	e.mu.Unlock()
	if e.fault != nil {
		return nil, nil, e.fault
	}
	want := text.TermSet(q.Text, q.Lang)
	var hits []research.Hit
	for _, d := range e.pages {
		if s := text.Containment(want, text.TermSet(d.Title+" "+d.Text, "en")); s > 0.2 {
			hits = append(hits, research.Hit{Provider: e.name, Location: d.Location, Title: d.Title, Snippet: head(d.Text, 200), Score: research.Thousandths(s)})
		}
	}
	slices.SortStableFunc(hits, func(a, b research.Hit) int { return b.Score.Cmp(a.Score) })
	return hits[:min(len(hits), q.Limit)], e.notes, nil
}

func (w *world) Own(location string) bool { return w.own != nil && w.own(location) }

func (w *world) Read(_ context.Context, location string) (research.Document, error) {
	w.mu.Lock()
	w.read = append(w.read, location)
	w.mu.Unlock()
	for _, d := range w.pages {
		if d.Location == location {
			return d, nil
		}
	}
	return research.Document{Location: location, Verdict: research.RejectDead, Fault: "its server answered with status 404 (Not Found)"}, nil
}

// kiln is what the pages of the world are about.
const kiln = "How hot is the Marrow kiln fired and what are its problems?"

// page is one page; signed unless by is empty.
func page(location, title, by, body string) research.Document {
	return research.Document{Location: location, MediaType: "text/html", Title: title, Byline: by, Published: "2025-05-01", Lang: "en", Text: body, SHA256: research.SHA256(body)}
}

// kilns are pages of many places: papers, an authority, press, an association, one without an author, a copy and a dead link.
func kilns() []research.Document {
	var out []research.Document
	add := func(location, by, more string) {
		n := len(out)
		body := fmt.Sprintf("The Marrow kiln and its %s.\n\nThe Marrow kiln is fired to 1,240 degrees, as report %d of the year says. %s\n\nKilns of this kind hold %d shelves and burn wood for %d hours before they cool down again slowly. The shelves of the Marrow kiln are laid by hand by its potters.", more, n, strings.Repeat(more+" of the Marrow kiln is told here in part "+fmt.Sprint(n)+". ", 2), 10+n, 30+n)
		out = append(out, page(location, "The Marrow kiln: "+more, by, body))
	}
	add("https://www.nature.com/articles/kiln", "R. Ost", "study of heat")
	add("https://arxiv.org/abs/2501.00001", "L. Brant", "measured temperature data")
	add("https://www.nist.gov/kiln", "", "standard of firing")
	add("https://en.wikipedia.org/wiki/Marrow_kiln", "", "history and origin")
	add("https://www.reuters.com/kiln", "J. Hale", "current price")
	add("https://www.theguardian.com/kiln", "M. Orr", "problems and criticism")
	add("https://pottersagainst.org/kiln", "T. Quill", "drawbacks, opposition and criticism")
	add("https://potters.example.com/a", "A. Reed", "mechanism and how it works")
	add("https://unsigned.example.net/a", "", "overview in short")
	add("https://ceramics.io/kiln", "P. Stone", "cost and economics")
	add("https://www.quora.com/kiln", "Anybody", "overview of firing")
	for i := range 6 {
		add(fmt.Sprintf("https://kilnblog.com/%d", i), "K. Moss", "overview and introduction")
	}
	reprint := out[4]
	reprint.Location, reprint.Byline = "https://mirrornews.com/kiln", "J. Hale"
	reprint.Text += "\n\nAll rights reserved by somebody else."
	reprint.SHA256 = research.SHA256(reprint.Text)
	return append(out, reprint)
}

func webConfig(t testing.TB, w *world, providers ...Provider) Config {
	t.Helper()
	return Config{
		Request: research.Request{Question: kiln, Shape: research.ShapeAuto, Depth: research.Quick, Lang: "auto", Model: extractive.Name, Egress: research.Web, Now: testClock, AllowPartial: true},
		Model:   extractive.Model{}, ModelWhy: "The test asked for it.", Providers: providers, Reader: w, Fallback: extractive.Model{}, Code: "test",
	}
}

func TestWebRun(t *testing.T) {
	w := &world{pages: kilns()}
	c := webConfig(t, w, engineOf{world: w, name: "searxng", notes: []string{"one of its engines did not answer"}}, engineOf{world: w, name: "crossref", fault: errors.New("has no requests left")})
	d, first, rec := digestOf(t, c)
	if rep := audit.Check(finishedRun(t, rec, d)); len(rep.Faults) > 0 {
		t.Errorf("audit: %v", rep.Faults)
	}
	st := d.SourceStats
	if st.Independent < st.Floor.Voices || st.OriginTypes < st.Floor.OriginTypes || st.Adversarial < st.Floor.Adversarial || len(st.Shortfall) > 0 || st.ClosedLibrary {
		t.Errorf("stats bar %+v", st)
	}
	joined := fmt.Sprint(d.Issues)
	for _, want := range []string{"crossref: has no requests left", "one of its engines did not answer"} {
		if !strings.Contains(joined, want) {
			t.Errorf("the issues do not say %q: %s", want, joined)
		}
	}
	for _, u := range w.read {
		if strings.Contains(u, "quora") {
			t.Errorf("%s was opened: it never counts", u)
		}
	}
	w2 := &world{pages: kilns()}
	_, second, _ := digestOf(t, webConfig(t, w2, engineOf{world: w2, name: "searxng", notes: []string{"one of its engines did not answer"}}, engineOf{world: w2, name: "crossref", fault: errors.New("has no requests left")}))
	if first != second {
		t.Errorf("two runs with one clock and web differ: %s", firstDiff(first, second))
	}
	if previewed := previews(t, rec); !slices.Equal(asSorted(previewed), asSorted(w.asked)) {
		t.Errorf("the previews name %q, asked was %q", previewed, w.asked)
	}
}

// TestUnsignedAndReprint: a page without an author is rejected, a reprint is set aside, and both stay in the record.
func TestUnsignedAndReprint(t *testing.T) {
	w := &world{pages: kilns()}
	c := webConfig(t, w, engineOf{world: w, name: "searxng"})
	c.Request.Depth, c.Request.Question = research.Standard, "What is told of the Marrow kiln?"
	d, _, _ := digestOf(t, c)
	got := map[string]string{}
	for _, i := range d.Issues {
		if i.Kind == "source" {
			got[i.Source] = i.Reason
		}
	}
	if r := got["https://unsigned.example.net/a"]; !strings.HasPrefix(r, "reject_unauthored") {
		t.Errorf("the unsigned page: %q of %v", r, got)
	}
	if a, b := got["https://mirrornews.com/kiln"], got["https://www.reuters.com/kiln"]; !strings.HasPrefix(a, "reject_duplicate") || b != "" {
		t.Errorf("of the agency's text the copy is to be set aside: %q, %q", a, b)
	}
}

// TestPieceIsSetAside: of an article and the few sentences of it that a better place repeats, the article stays.
func TestPieceIsSetAside(t *testing.T) {
	lead := "The Marrow kiln is fired to 1,240 degrees by the potters of the valley. Its problems are its shelves, which crack in the third winter of their use and are never mended well."
	body := lead
	for i := range 14 {
		body += fmt.Sprintf("\n\nIn chapter %d of its history the Marrow kiln burned %d cords of wood and lost %d of its shelves.", i+1, 30+7*i, 2+i)
	}
	w := &world{pages: append(kilns()[:3], page("https://potters.example.com/article", "The Marrow kiln: its problems", "A. Reed", body), page("https://www.energy.gov/kiln", "The Marrow kiln: its problems", "J. Hale", lead))}
	c := webConfig(t, w, engineOf{world: w, name: "searxng"})
	d, _, _ := digestOf(t, c)
	got := map[string]string{}
	for _, i := range d.Issues {
		if i.Kind == "source" {
			got[i.Source] = i.Reason
		}
	}
	if a, b := got["https://www.energy.gov/kiln"], got["https://potters.example.com/article"]; !strings.HasPrefix(a, "reject_duplicate") || b != "" {
		t.Errorf("the piece: %q; the article: %q", a, b)
	}
}

// TestWebRunIsResumed: wherever the program dies, the run that goes on asks nobody what the record holds, and its digest is that of
// the run that was not disturbed.
func TestWebRunIsResumed(t *testing.T) {
	w := &world{pages: kilns()}
	_, want, rec := digestOf(t, webConfig(t, w, engineOf{world: w, name: "searxng"}))
	all := len(rec.Run().Events)
	for n := 2; n < all; n += max(1, all/9) {
		w := &world{pages: kilns()}
		c := webConfig(t, w, engineOf{world: w, name: "searxng"})
		mem := store.NewMemory(c.Request, c.Code)
		if _, err := (&Engine{c}).Run(context.Background(), &dying{Record: mem, after: n%2 == 0, left: n}); err == nil {
			t.Fatalf("append %d of %d did not end the run", n, all)
		}
		d, err := (&Engine{c}).Run(context.Background(), mem)
		if err != nil {
			t.Fatal(err)
		}
		if got := asJSON(t, d); got != want {
			t.Errorf("after append %d the digest differs: %s", n, firstDiff(want, got))
		}
		if repeated := repeats(w.asked); len(repeated) > 1 { // what was in flight may be sent again
			t.Errorf("after append %d asked twice: %q", n, repeated)
		}
	}
}

// TestWebFloors: a run of the web under its floors ends with the list of what is missing, unless that is allowed.
func TestWebFloors(t *testing.T) {
	w := &world{pages: kilns()[:2]}
	c := webConfig(t, w, engineOf{world: w, name: "searxng"})
	c.Request.AllowPartial = false
	var short *ShortfallError
	d, err := (&Engine{c}).Run(context.Background(), store.NewMemory(c.Request, c.Code))
	if !errors.As(err, &short) || len(short.Missing) == 0 || len(d.Gaps) == 0 {
		t.Errorf("Run = %v, gaps %v", err, d.Gaps)
	}
	found, err := (&Engine{c}).Discover(context.Background(), store.NewMemory(c.Request, c.Code))
	if err != nil || !found.BelowWeb || len(found.Sources) != 2 {
		t.Errorf("Discover = %+v, %v", found.Stats, err)
	}
	c.Request.Egress = research.Own
	if found, err = (&Engine{c}).Discover(context.Background(), store.NewMemory(c.Request, c.Code)); err != nil || found.BelowWeb || len(found.Stats.Shortfall) == 0 {
		t.Errorf("with servers of one's own: Discover = %+v, %v", found.Stats, err)
	}
}

// TestDiscoverPool: nothing is opened, noise and the fourth page of a domain are told and not counted.
func TestDiscoverPool(t *testing.T) {
	w := &world{pages: kilns()}
	c := webConfig(t, w, engineOf{world: w, name: "searxng"})
	found, err := (&Engine{c}).Discover(context.Background(), store.NewMemory(c.Request, c.Code))
	if err != nil || len(w.read) > 0 {
		t.Fatalf("Discover = %v, opened %q", err, w.read)
	}
	blog, notes := 0, ""
	for _, s := range found.Sources {
		if s.Domain == "kilnblog.com" && s.Counted {
			blog++
		}
		notes += s.URL + " " + s.Note + "\n"
	}
	if blog > perDomain || !strings.Contains(notes, "quora.com/kiln answers of anybody") {
		t.Errorf("%d pages of one blog count; notes:\n%s", blog, notes)
	}
	if found.Stats.Adversarial == 0 {
		t.Errorf("no source speaks against: %+v", found.Stats)
	}
}

// finishedRun is a record with its digest, as it is exported.
func finishedRun(t *testing.T, rec *store.Memory, d research.Digest) research.Run {
	t.Helper()
	if err := rec.SetDigest(d); err != nil {
		t.Fatal(err)
	}
	return rec.Run()
}

// previews lists what the record said would be asked.
func previews(t *testing.T, rec *store.Memory) []string {
	t.Helper()
	var out []string
	for _, ev := range rec.Run().Events {
		if ev.Kind != research.EventPreview {
			continue
		}
		var p research.Preview
		if err := json.Unmarshal(ev.Payload, &p); err != nil {
			t.Fatal(err)
		}
		for _, a := range p.Asks {
			out = append(out, a.Name+": "+a.Query)
		}
	}
	return out
}

func asSorted(s []string) []string {
	s = slices.Clone(s)
	slices.Sort(s)
	return s
}

// repeats are what stands in s more than once.
func repeats(s []string) []string {
	var out []string
	s = asSorted(s)
	for i := 1; i < len(s); i++ {
		if s[i] == s[i-1] {
			out = append(out, s[i])
		}
	}
	return out
}

// TestFollowsWorks: a work that an accepted page names by its identifier is opened where the depth allows it, and not where it does not.
func TestFollowsWorks(t *testing.T) {
	for depth, want := range map[research.Depth]bool{research.Quick: false, research.Standard: true} {
		pages := kilns()
		pages[5].Text += "\n\nThe heat of the Marrow kiln and its problems were measured by Ost (doi:10.1234/marrow.7)."
		pages[5].SHA256 = research.SHA256(pages[5].Text)
		w := &world{pages: pages}
		c := webConfig(t, w, engineOf{world: w, name: "searxng"})
		c.Request.Depth = depth
		if _, err := (&Engine{c}).Run(context.Background(), store.NewMemory(c.Request, c.Code)); err != nil {
			t.Fatal(err)
		}
		if got := slices.Contains(w.read, "https://doi.org/10.1234/marrow.7"); got != want {
			t.Errorf("%s: the work was opened: %v, want %v (%q)", depth, got, want, w.read)
		}
	}
}
