package engine

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"assay/engine/research"
	"assay/engine/search"
)

// The two incidents of the ten that need a catalogue of scholarly works, as whole runs. What the catalogue says is scripted.

// attention is a page of the web that stands at the address of a paper.
const attention = "# %title%\n\nBy %author%\n\nDredging lowered the oyster catch of Veldt by 40 percent, as the growers of the harbour counted it in their book.\n\n" +
	"The oyster beds lie beside the channel. Growers of Veldt have kept them since the old pier was built, and the catch is landed there in spring and in autumn. The growers sell to the towns along the coast, and count every barrel in a book that the harbour master keeps.\n"

// overPaper is a run that cites a page at the address of a paper, whose title and authors the catalogue knows as these.
func overPaper(t *testing.T, author string, title string, known []string, without ...string) research.Digest {
	t.Helper()
	page := strings.NewReplacer("%title%", "Dredging and the oysters of Veldt", "%author%", author).Replace(attention)
	c := overPages(t, "By how much did dredging lower the oyster catch of Veldt?", map[string]string{"a.md": page})
	doc := pageOf(t, "a.md", page)
	doc.Location, doc.Byline = "https://arxiv.org/abs/1706.03762", author
	shelf := shelfOf{doc.Location: doc}
	c.Providers, c.Reader = []Provider{shelf}, shelf
	c.Request.Libraries = nil
	c.Request.Egress, c.Request.AllowPartial, c.Request.LookUp = research.Web, true, true
	c.Without = without
	asked := new(atomic.Int32)
	c.Catalogues = []search.Catalogue{shelfmarks{asked, func(ref research.CitedWork) research.CatalogueAnswer {
		return research.CatalogueAnswer{Catalogue: "crossref", Works: []research.Work{}, ByID: &research.Work{Catalogue: "crossref", Title: title, ArXiv: ref.ArXiv, Authors: known}}
	}}}
	d, _, _ := digestOf(t, c)
	if asked.Load() != 1 || d.References == nil || d.References.Checked != 1 {
		t.Fatalf("%d requests, references %+v", asked.Load(), d.References)
	}
	if d.Metrics.Findings == 0 {
		t.Fatal("the finding is gone: the check only tells")
	}
	return d
}

// mismatchTold says whether the report tells that a cited work is not the one it is given for.
func mismatchTold(d research.Digest) string {
	if slices.ContainsFunc(d.Issues, func(i research.Issue) bool {
		return strings.Contains(i.Text+" "+i.Reason, "academic_citation_unverified")
	}) {
		return "told"
	}
	return "not told"
}

// Incident 7: the address is real and another paper's. Incident 8: a surname that was compared with the whole of a name, so that a right
// citation was called wrong. Before is the run without what answers it: of 7 the check, of 8 the comparison word by word, which has no switch;
// there the catalogue gives the name as the one word that a comparison of whole names sees.
func TestIncidentsOfWorks(t *testing.T) {
	title := "Dredging and the oysters of Veldt"
	for _, tc := range []struct {
		name, before, after string
		wantBefore, want    string
	}{
		{"7 another paper at a real address",
			mismatchTold(overPaper(t, "Ada Stolz", "Attention Is All You Need", []string{"Ashish Vaswani"}, "academicidentitymismatch")),
			mismatchTold(overPaper(t, "Ada Stolz", "Attention Is All You Need", []string{"Ashish Vaswani"})), "not told", "told"},
		{"8 a bare surname against a whole name",
			mismatchTold(overPaper(t, "Vaswani", title, []string{"AshishVaswani"})),
			mismatchTold(overPaper(t, "Vaswani", title, []string{"Ashish Vaswani"})), "told", "not told"},
	} {
		t.Logf("| %s | before: %s | after: %s |", tc.name, tc.before, tc.after)
		if tc.before != tc.wantBefore || tc.after != tc.want {
			t.Errorf("%s: before %s, want %s; after %s, want %s", tc.name, tc.before, tc.wantBefore, tc.after, tc.want)
		}
	}
}
