package render

import (
	"slices"
	"testing"

	"assay/engine/research"
)

// Copies of one document tell a pair once, with the keys of all; values over time are one series in the order of time; pairs that have
// nothing in common stay apart.
func TestDisagreementsAreGathered(t *testing.T) {
	claim := func(id, source, text, asOf, value, facet string) research.Claim {
		c := research.Claim{ID: id, Source: source, Text: text, AsOf: asOf, Facet: facet}
		if value != "" {
			c.Quantities = []research.Quantity{{Text: value, Kind: research.Count}}
		}
		return c
	}
	d := fullDigest()
	d.Sources = []research.DigestSource{{ID: "s1", Title: "One"}, {ID: "s2", Title: "A copy of one"}, {ID: "s3", Title: "Three"}}
	d.Claims = map[string]research.Claim{}
	for _, c := range []research.Claim{
		claim("a1", "s1", "It has 8500 packages.", "2002-07", "8500", "f1"), claim("a2", "s2", "It  has 8500 packages.", "2002-07", "8500", "f1"),
		claim("b1", "s1", "It has 15,400 packages.", "2005-06", "15,400", "f1"), claim("b2", "s2", "It has 15,400 packages.", "2005-06", "15,400", "f1"),
		claim("c1", "s3", "It has 1500 packages.", "1998-07", "1500", "f1"),
		claim("e1", "s1", "Two lamps burn.", "2001", "two", "f2"), claim("e2", "s3", "Three lamps burn.", "2004", "three", "f2"),
		claim("x1", "s1", "It is red.", "", "", "f1"), claim("x2", "s2", "It is red.", "", "", "f1"), claim("y1", "s3", "It is blue.", "", "", "f1"),
	} {
		d.Claims[c.ID] = c
	}
	d.Contradicts = nil
	add := func(a, b, kind, how, kept string) {
		reason := "2002 and 2005: the values are p and q"
		if p, q := d.Claims[a].Quantities, d.Claims[b].Quantities; len(p)+len(q) == 2 {
			reason = "2002 and 2005: the values are " + p[0].Text + " and " + q[0].Text
		}
		d.Contradicts = append(d.Contradicts, research.Contradiction{ID: a + b, A: a, B: b, Kind: kind, Resolution: how, Preferred: kept, Reason: reason})
	}
	for _, x := range [][2]string{{"a1", "b2"}, {"a2", "b1"}, {"a1", "c1"}, {"a2", "c1"}, {"b1", "c1"}, {"b2", "c1"}, {"e1", "e2"}} {
		add(x[0], x[1], "temporal", "evolution", "")
	}
	add("x1", "y1", "direct", "recency", "y1")
	add("x2", "y1", "direct", "recency", "y1")
	p, err := newPage(d)
	if err != nil {
		t.Fatal(err)
	}
	got := p.Disagreements()
	if len(got) != 3 {
		t.Fatalf("%d disagreements, want 3: %+v", len(got), got)
	}
	var texts []string
	for _, s := range got[0].Sides {
		texts = append(texts, s.Text)
	}
	if want := []string{"It has 1500 packages.", "It has 8500 packages.", "It has 15,400 packages."}; !slices.Equal(texts, want) {
		t.Errorf("the series is %q, want %q", texts, want)
	}
	if want := "1998-07: 1500; 2002-07: 8500; 2005-06: 15,400"; got[0].Reason != want {
		t.Errorf("the series is told as %q, want %q", got[0].Reason, want)
	}
	if n := len(got[0].Sides[1].Cites); n != 2 {
		t.Errorf("what two sources say in the same words has %d keys, want 2", n)
	}
	if len(got[1].Sides) != 2 {
		t.Errorf("another thing that changed has %d sides, want 2", len(got[1].Sides))
	}
	if s := got[2].Sides; len(s) != 2 || len(s[0].Cites) != 2 || s[1].State == s[0].State {
		t.Errorf("one pair of copies is told as %+v", s)
	}
}
