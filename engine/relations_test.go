package engine

import (
	"testing"

	"assay/engine/research"
)

func TestRelations(t *testing.T) {
	claims := []research.Claim{}
	for i, s := range []string{
		"The first release was put together by Sven Rudolph, later maintained by Santiago Vila.", // two names of one list
		"Debian 1.0 was never released: InfoMagic shipped it.",
		"In 1996 Bruce Perens succeeded Ian Murdock.",
		"In Europe, Germany and Poland agreed.",
	} {
		claims = append(claims, research.Claim{ID: string(rune('a' + i)), Text: s})
	}
	g := graph(claims)
	if len(g.Edges) != 1 || g.Edges[0].Relation != "succeeded" {
		t.Errorf("graph = %+v", g.Edges)
	}
	for between, want := range map[string]bool{
		" succeeded ": true, ", later maintained by ": false, " and ": false, " 1.0 was never released: ": false, "(1) 是 ": false, "收购了": true,
		"脚本的最好办法是先理解类": false, "": false,
	} {
		if got := relates(between); got != want {
			t.Errorf("relates(%q) = %t", between, got)
		}
	}
	if got := graph([]research.Claim{{ID: "a", Text: "In 1993 Ian Murdock left Purdue University."}}); len(got.Nodes) == 2 && got.Nodes[1].Type != "organisation" {
		t.Errorf("nodes = %+v", got.Nodes)
	}
}
