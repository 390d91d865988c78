package engine

import (
	"context"
	"encoding/json"
	"strings"
	"sync/atomic"
	"testing"

	"assay/checks"
	"assay/engine/research"
	"assay/engine/search"
	"assay/engine/store"
)

// shelfmarks is a catalogue that answers by script and counts.
type shelfmarks struct {
	asked *atomic.Int32
	say   func(research.CitedWork) research.CatalogueAnswer
}

func (shelfmarks) Name() string { return "crossref" }
func (shelfmarks) Host() string { return "api.crossref.org" }
func (s shelfmarks) Lookup(_ context.Context, ref research.CitedWork) research.CatalogueAnswer {
	s.asked.Add(1)
	return s.say(ref)
}

// citing is a page of the web that names a paper by its DOI.
const citing = "# Dredging and oysters\n\nBy Ada Stolz\n\nDredging lowered the oyster catch of Veldt by 40 percent, as the study doi:10.1234/oyster.7 reports of the harbour.\n\n" +
	"The oyster beds lie beside the channel. Growers of Veldt have kept them since the old pier was built, and the catch is landed there in spring and in autumn. The growers sell to the towns along the coast, and count every barrel in a book that the harbour master keeps.\n"

func citingConfig(t *testing.T, asked *atomic.Int32, say func(research.CitedWork) research.CatalogueAnswer) Config {
	c := overPages(t, "By how much did dredging lower the oyster catch of Veldt?", map[string]string{"a.md": citing})
	doc := pageOf(t, "a.md", citing)
	doc.Location, doc.Byline = "https://veldt.example/oysters", "Ada Stolz"
	shelf := shelfOf{doc.Location: doc}
	c.Providers, c.Reader = []Provider{shelf}, shelf
	c.Request.Libraries = nil
	c.Request.Egress, c.Request.AllowPartial = research.Web, true
	c.Catalogues = []search.Catalogue{shelfmarks{asked, say}}
	return c
}

func TestCitedWorks(t *testing.T) {
	none := func(ref research.CitedWork) research.CatalogueAnswer {
		return research.CatalogueAnswer{Catalogue: "crossref", Works: []research.Work{}, IDUnknown: true}
	}
	there := func(ref research.CitedWork) research.CatalogueAnswer {
		w := research.Work{Catalogue: "crossref", Title: "Oysters", DOI: ref.DOI, Authors: []string{}}
		return research.CatalogueAnswer{Catalogue: "crossref", Works: []research.Work{}, ByID: &w}
	}
	down := func(ref research.CitedWork) research.CatalogueAnswer {
		return research.CatalogueAnswer{Catalogue: "crossref", Works: []research.Work{}, Fault: "crossref asks for a pause (status 429)"}
	}
	for _, tc := range []struct {
		name     string
		on       bool
		egress   research.Egress
		say      func(research.CitedWork) research.CatalogueAnswer
		asked    int32
		gate     research.GateState
		note     string
		mismatch int
	}{
		{"off, which is how it is by itself", false, research.Web, there, 0, research.GateUnchecked, worksOff, 0},
		{"on, and the run is closed", true, research.Closed, there, 0, research.GateUnchecked, worksClosed, 0},
		{"on, and it is there", true, research.Web, there, 1, research.GatePass, "", 0},
		{"on, and nobody has it", true, research.Web, none, 1, research.GateFail, "", 1},
		{"on, and the catalogue is down", true, research.Web, down, 1, research.GateUnchecked, "status 429", 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			asked := new(atomic.Int32)
			c := citingConfig(t, asked, tc.say)
			c.Request.LookUp, c.Request.Egress = tc.on, tc.egress
			d, was, rec := digestOf(t, c)
			if asked.Load() != tc.asked {
				t.Errorf("%d requests, want %d", asked.Load(), tc.asked)
			}
			if d.References == nil {
				t.Fatalf("no references: %+v", d.Issues)
			}
			if d.References == nil || d.References.Total != 1 || d.References.Mismatch != tc.mismatch || !strings.Contains(d.References.Note, tc.note) {
				t.Fatalf("references %+v", d.References)
			}
			if g := gateOf(t, d, "cited_works"); g.State != tc.gate {
				t.Errorf("gate %+v, want %s", g, tc.gate)
			}
			if d.Metrics.Findings == 0 {
				t.Errorf("it fails open: the finding stays: %+v", d.Issues)
			}
			// The record answers a replay; nobody is asked again, though the catalogue would now say something else.
			again := citingConfig(t, asked, down)
			again.Request = c.Request
			replayed := store.FromRun(rec.Run(), false)
			d2, err := (&Engine{again}).Run(context.Background(), replayed)
			if err != nil || asJSON(t, d2) != was || asked.Load() != tc.asked {
				t.Errorf("replayed: %v, %d requests, the same: %v", err, asked.Load(), asJSON(t, d2) == was)
			}
			v, err := checks.ViewOf(recordOf(t, rec, d))
			if err != nil || len(v.Lookups) != int(tc.asked) {
				t.Errorf("%v, %d lookups in the stored view", err, len(v.Lookups))
			}
			fires := 0
			for _, f := range checks.Evaluate(v, checks.Options{}) {
				if f.Check == "academicidentitymismatch" {
					fires++
				}
			}
			if fires != tc.mismatch {
				t.Errorf("G29 fires %d times, want %d", fires, tc.mismatch)
			}
		})
	}
}

// recordOf is a record as it is exported.
func recordOf(t *testing.T, rec *store.Memory, d research.Digest) research.Run {
	t.Helper()
	run := rec.Run()
	run.Digest = &d
	return run
}

// TestOwnWorksStayHere: a work that stands in a file of the person's own is told to nobody, even with the switch on.
func TestOwnWorksStayHere(t *testing.T) {
	asked := new(atomic.Int32)
	c := overPages(t, "By how much did dredging lower the oyster catch of Veldt?", map[string]string{"mine/a.md": citing})
	c.Request.Egress, c.Request.LookUp, c.Request.AllowPartial = research.Web, true, true
	c.Catalogues = []search.Catalogue{shelfmarks{asked, func(research.CitedWork) research.CatalogueAnswer { return research.CatalogueAnswer{} }}}
	d, _, _ := digestOf(t, c)
	if asked.Load() != 0 || d.References == nil || d.References.Checked != 0 || !strings.Contains(d.References.Note, "file of your own") {
		t.Errorf("%d requests, %+v", asked.Load(), d.References)
	}
}

func TestPreviewNamesCatalogues(t *testing.T) {
	c := citingConfig(t, new(atomic.Int32), nil)
	c.Request.LookUp = true
	c.Providers = append(c.Providers, outsideStub{})
	r := &run{Config: c}
	b, err := json.Marshal(r.previewOf(gatherInput{}, nil, 0))
	if err != nil || !strings.Contains(string(b), "api.crossref.org") {
		t.Errorf("%v: %s", err, b)
	}
	r.Request.LookUp = false
	if b, _ := json.Marshal(r.previewOf(gatherInput{}, nil, 0)); strings.Contains(string(b), "api.crossref.org") {
		t.Errorf("off, and named: %s", b)
	}
}

// outsideStub asks others and finds nothing.
type outsideStub struct{}

func (outsideStub) Name() string { return "stub" }
func (outsideStub) Host() string { return "stub.example" }
func (outsideStub) Search(context.Context, research.Query) ([]research.Hit, error) {
	return nil, nil
}
func (outsideStub) Ask(context.Context, research.Query) ([]research.Hit, []string, error) {
	return nil, nil, nil
}
