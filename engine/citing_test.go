package engine

import (
	"maps"
	"strings"
	"testing"

	"assay/engine/audit"
	"assay/engine/research"
)

// TestCitingChain: a page that has its figure from another one, by name or by link, is no second voice for it; the reason is kept in the
// record, and an audit finds it when it is changed.
func TestCitingChain(t *testing.T) {
	pages := kilns()[:4]
	add := func(location, by, body string, links ...string) {
		d := page(location, "The Marrow kiln and its shelves", by, body)
		for _, l := range links {
			d.Links = append(d.Links, research.Link{Span: research.Span{Start: 0, End: len(body)}, URL: l})
		}
		pages = append(pages, d)
	}
	rest := " The kiln is looked after by its potters all the year, and it is told how they stack the shelves, light the fire and wait for it to burn down again, which takes them days of work and a good part of the wood that they have; what they learn of it in one year they write down for the next, so that the book of the kiln has grown thick."
	add("https://heatmonitor.org/kiln", "A. Lund", "The stack was full. The Marrow kiln burned 5,318 logs in its last firing."+rest+" Two visitors came by boat to see it and went away again before the night fell over the hills and the water.")
	add("https://dailykiln.com/a", "B. Rask", "According to Heat Monitor, the Marrow kiln burned 5,318 logs in its last firing. A neighbour counted nothing himself. The mayor of the village, who was asked about the smoke, did not want to be named and went home early, while his dog stayed at the gate and barked at the trucks. Rain fell on that day, and the road was closed for hours. A bus turned over. Children had no school. The paper asked for patience.")
	add("https://woodnotes.net/b", "C. Imre", "It was a long fire: the Marrow kiln burned 5,318 logs in its last firing. Nobody slept. Wood of beech and of ash was cut in two valleys, split by hand and dried under a roof for three winters, says the forester, whose sons drive the horses. Pine is not burned, for its pitch spoils the glaze. In spring the stumps shoot again, and in twelve years another harvest can be taken out of the same coppice without a single seed.", "https://heatmonitor.org/kiln")
	w := &world{pages: pages}
	c := webConfig(t, w, engineOf{world: w, name: "searxng"})
	c.Request.Question = "How many logs did the Marrow kiln burn in its last firing?"
	d, _, rec := digestOf(t, c)
	run := finishedRun(t, rec, d)
	if rep := audit.Check(run); len(rep.Faults) > 0 {
		t.Errorf("audit: %v", rep.Faults)
	}
	said := map[string]bool{}
	changed := false
	for id, cl := range d.Claims {
		if cl.Support == nil || !strings.Contains(cl.Text, "5,318") {
			continue
		}
		if cl.Support.K != 1 {
			t.Errorf("%q has %d voices of %d", cl.Text, cl.Support.K, cl.Support.N)
		}
		for k, cu := range cl.Support.Clusters {
			for i, e := range cu.Edges {
				if e.Why != "citing" {
					continue
				}
				said[e.Said] = true
				other := run
				dig := d
				dig.Claims = maps.Clone(d.Claims)
				forged := cl
				s := *cl.Support
				s.Clusters = append([]research.Cluster{}, s.Clusters...)
				s.Clusters[k].Edges = append([]research.Edge{}, cu.Edges...)
				s.Clusters[k].Edges[i].Said = "according to the moon"
				forged.Support = &s
				dig.Claims[id], other.Digest = forged, &dig
				found := false
				for _, f := range audit.Check(other).Faults {
					found = found || strings.Contains(f.What, "neither names nor links the other")
				}
				if changed = true; !found {
					t.Error("an audit does not see that the reason was changed")
				}
			}
		}
	}
	if !changed || !said["According to Heat Monitor"] || !said["https://heatmonitor.org/kiln"] {
		t.Errorf("the reasons are %v", said)
	}
}
