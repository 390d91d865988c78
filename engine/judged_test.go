package engine

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"assay/engine/research"
)

// TestJudgedInRun: what a run opens is judged as it is, and why a source is to be read with care is kept on it and on its claims.
func TestJudgedInRun(t *testing.T) {
	pages := kilns()[:6]
	off := page("https://seahorse.org/kiln", "Seahorses", "A. Lind", strings.Repeat("Seahorses drift in the eelgrass and hold on to it with their tails while the tide goes out over the flats. ", 8)+"A kiln stands on the shore.")
	list := page("https://kilnlist.com/tag/marrow-kiln", "Marrow kiln: overview of all pages", "E. Dahl", strings.Repeat("The Marrow kiln overview of firing and problems, read more. ", 12))
	list.Listing = true
	filler := page("https://kilnworld.com/a", "The Marrow kiln: overview of firing", "F. Holm", strings.Repeat("When it comes to the Marrow kiln, it is important to note that it is fired. In today's fast-paced world the Marrow kiln plays a crucial role. ", 5)+"The Marrow kiln is fired to 1,240 degrees by hand.")
	view := page("https://daily.example.com/opinion/kiln", "Opinion: problems of the Marrow kiln", "G. Voss", strings.Repeat("The Marrow kiln has problems of smoke, and the firing of the Marrow kiln should end before the summer, as its neighbours ask. ", 5)+"In 2024 the Marrow kiln was fired 77 times.")
	w := &world{pages: append(pages, off, list, filler, view)}
	c := webConfig(t, w, engineOf{world: w, name: "searxng"})
	c.Request.Depth = research.Standard
	d, _, rec := digestOf(t, c)
	got := map[string]research.Source{}
	for _, e := range rec.Run().Events {
		if e.Kind != research.EventSource {
			continue
		}
		var s research.Source
		if err := json.Unmarshal(e.Payload, &s); err != nil {
			t.Fatal(err)
		}
		got[s.Location] = s
	}
	for location, want := range map[string]research.Verdict{off.Location: research.RejectOffSubject, list.Location: research.RejectListing, filler.Location: research.Verified, view.Location: research.Verified} {
		if s, ok := got[location]; ok && s.Verdict != want || !ok && want != research.RejectOffSubject {
			t.Errorf("%s is %q (%s), want %s", location, s.Verdict, s.Note, want)
		}
	}
	if s := got[filler.Location]; !strings.Contains(s.Note, "sentences are filler") || s.Quality.Completeness.Float() > 0.6 {
		t.Errorf("the filler: %q, completeness %s", s.Note, s.Quality.Completeness)
	}
	opinion := got[view.Location]
	if !slices.Contains(opinion.Bias, "single perspective") || !strings.Contains(opinion.Note, "opinion") {
		t.Errorf("the opinion: %q, %q", opinion.Bias, opinion.Note)
	}
	kept := 0
	for _, cl := range d.Claims {
		if cl.Source == opinion.ID {
			if kept++; !slices.Equal(cl.Bias, opinion.Bias) {
				t.Errorf("the claim %q has lost why its source is to be read with care: %q", cl.Text, cl.Bias)
			}
		} else if len(cl.Bias) > 0 {
			t.Errorf("the claim %q of another page has %q", cl.Text, cl.Bias)
		}
	}
	if kept == 0 {
		t.Error("no claim of the opinion is in the report")
	}
}
