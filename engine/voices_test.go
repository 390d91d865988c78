package engine

import (
	"context"
	"strings"
	"testing"

	"assay/engine/research"
)

// signed is a shelf of one folder whose documents say the same in other words, each with its author.
type signed map[string][2]string // location -> author, text

func (signed) Name() string { return "signed" }

func (s signed) Search(context.Context, research.Query) ([]research.Hit, error) {
	var out []research.Hit
	for _, at := range []string{"d/a.txt", "d/b.txt", "d/c.txt"} {
		if x, ok := s[at]; ok {
			out = append(out, research.Hit{Provider: "signed", Location: at, Title: at, Snippet: x[1], End: len(x[1]), Score: "1"})
		}
	}
	return out, nil
}

func (s signed) Read(_ context.Context, location string) (research.Document, error) {
	x := s[location]
	return research.Document{Location: location, Title: location, Byline: x[0], MediaType: "text/plain", Lang: "en", Text: x[1], SHA256: research.SHA256(x[1])}, nil
}

// TestVoicesOfAuthors holds that documents of one folder by authors who differ are independent voices, and that neither a
// missing name nor a copied text makes more of them.
func TestVoicesOfAuthors(t *testing.T) {
	const first = "The harbour tower of Arle was built in 1874. It stands on the western reef, and the keeper lives in the village across the bay with two apprentices and a boat."
	const second = "In 1874 the harbour tower of Arle was built. Visitors reach it on foot at low water, when the sand is dry and the guides of the inn take them over for a small fee."
	for _, tc := range []struct {
		name   string
		shelf  signed
		voices int
		k      int // the most confirming voices of a claim
	}{
		{"two authors", signed{"d/a.txt": {"Agnes Calder", first}, "d/b.txt": {"Tom Reed", second}}, 2, 2},
		{"one author", signed{"d/a.txt": {"Agnes Calder", first}, "d/b.txt": {"A. Calder", second}}, 1, 1},
		{"one unknown", signed{"d/a.txt": {"Agnes Calder", first}, "d/b.txt": {"", second}}, 1, 1},
		{"no author", signed{"d/a.txt": {"", first}, "d/b.txt": {"", second}}, 1, 1},
		{"copies under two names", signed{"d/a.txt": {"Agnes Calder", first}, "d/b.txt": {"Tom Reed", first + " It leans."}}, 2, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := config(t, "When was the harbour tower of Arle built?")
			c.Providers, c.Reader = []Provider{tc.shelf}, tc.shelf
			d, _, _ := digestOf(t, c)
			k := 0
			for _, cl := range d.Claims {
				if cl.Support != nil && strings.Contains(cl.Text, "1874") {
					k = max(k, cl.Support.K)
				}
			}
			if d.SourceStats.Independent != tc.voices || k != tc.k {
				t.Errorf("%d voices, at most %d confirm; want %d and %d", d.SourceStats.Independent, k, tc.voices, tc.k)
			}
		})
	}
}
