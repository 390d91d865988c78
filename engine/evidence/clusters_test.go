package evidence

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"assay/engine/research"
)

// prose returns n words that depend on the seed.
func prose(seed uint64, n int) string {
	r := rand.New(rand.NewPCG(seed, 7))
	words := make([]string, n)
	for i := range words {
		words[i] = fmt.Sprintf("word%d", r.IntN(5000))
	}
	return strings.Join(words, " ")
}

func TestClusters(t *testing.T) {
	long := prose(1, 400)
	source := func(id, location, voice, work, text string) (research.Source, string) {
		return research.Source{ID: id, Location: location, Voice: voice, Work: work, SHA256: research.SHA256(text)}, text
	}
	for _, tc := range []struct {
		name string
		make func() [][2]any
		want string // a b why, joined by semicolons
	}{
		{"nothing in common", func() [][2]any {
			a, at := source("s1", "https://a.example/1", "a", "w1", prose(2, 300))
			b, bt := source("s2", "https://b.example/1", "b", "w2", prose(3, 300))
			return [][2]any{{a, at}, {b, bt}}
		}, ""},
		{"one address", func() [][2]any {
			a, at := source("s1", "https://a.example/1?utm_source=x", "a", "w1", prose(2, 300))
			b, bt := source("s2", "https://a.example/1#top", "b", "w2", prose(3, 300))
			return [][2]any{{a, at}, {b, bt}}
		}, "s1 s2 url 1"},
		{"one voice of three", func() [][2]any {
			a, at := source("s3", "https://a.example/1", "a", "w1", prose(2, 300))
			b, bt := source("s2", "https://a.example/2", "a", "w2", prose(3, 300))
			c, ct := source("s1", "https://a.example/3", "a", "w3", prose(4, 300))
			return [][2]any{{a, at}, {b, bt}, {c, ct}}
		}, "s1 s2 voice 1;s1 s3 voice 1"},
		{"two formats of one work", func() [][2]any {
			a, at := source("s1", "lib/a.html", "a", "w1", prose(2, 300))
			b, bt := source("s2", "lib/a.pdf", "b", "w1", prose(3, 300))
			return [][2]any{{a, at}, {b, bt}}
		}, "s1 s2 work 1"},
		{"equal texts", func() [][2]any {
			a, at := source("s1", "https://a.example/1", "a", "w1", long)
			b, bt := source("s2", "https://b.example/1", "b", "w2", long)
			return [][2]any{{a, at}, {b, bt}}
		}, "s1 s2 duplicate 1"},
		{"an excerpt", func() [][2]any {
			a, at := source("s1", "https://a.example/1", "a", "w1", long)
			b, bt := source("s2", "https://b.example/1", "b", "w2", strings.Join(strings.Fields(long)[:100], " "))
			return [][2]any{{a, at}, {b, bt}}
		}, "s1 s2 duplicate 1"},
		{"copied with a frame", func() [][2]any {
			a, at := source("s1", "https://a.example/1", "a", "w1", long)
			b, bt := source("s2", "https://b.example/1", "b", "w2", prose(8, 100)+" "+long)
			return [][2]any{{a, at}, {b, bt}}
		}, "s1 s2 duplicate 1"},
		{"half copied", func() [][2]any {
			words := strings.Fields(long)
			a, at := source("s1", "https://a.example/1", "a", "w1", long)
			b, bt := source("s2", "https://b.example/1", "b", "w2", strings.Join(words[:200], " ")+" "+prose(9, 200))
			return [][2]any{{a, at}, {b, bt}}
		}, ""},
		{"agency text on two sites", func() [][2]any {
			wire := strings.Join(strings.Fields(long)[:100], " ")
			a, at := source("s1", "https://a.example/1", "a", "w1", "PARIS (Reuters) - "+wire+" "+prose(10, 200))
			b, bt := source("s2", "https://b.example/1", "b", "w2", "By Reuters. "+wire+" "+prose(11, 200))
			return [][2]any{{a, at}, {b, bt}}
		}, "s1 s2 syndication 30/97"},
		{"agency text and no common words", func() [][2]any {
			a, at := source("s1", "https://a.example/1", "a", "w1", "PARIS (Reuters) - "+prose(10, 300))
			b, bt := source("s2", "https://b.example/1", "b", "w2", "ROME (Reuters) - "+prose(11, 300))
			return [][2]any{{a, at}, {b, bt}}
		}, ""},
		{"too short to tell", func() [][2]any {
			a, at := source("s1", "https://a.example/1", "a", "w1", "Thank you for reading this page.")
			b, bt := source("s2", "https://b.example/1", "b", "w2", "Thank you for reading this page. Goodbye.")
			return [][2]any{{a, at}, {b, bt}}
		}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var sources []research.Source
			texts := map[string]string{}
			for _, p := range tc.make() {
				s := p[0].(research.Source)
				sources = append(sources, s)
				texts[s.SHA256] = p[1].(string)
			}
			edges, err := Clusters(sources, func(sha string) string { return texts[sha] })
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, e := range edges {
				got = append(got, fmt.Sprintf("%s %s %s %s", e.A, e.B, e.Why, e.Score))
			}
			if s := strings.Join(got, ";"); s != tc.want {
				t.Errorf("Clusters = %q, want %q", s, tc.want)
			}
			slices.Reverse(sources)
			again, err := Clusters(sources, func(sha string) string { return texts[sha] })
			if err != nil || !reflect.DeepEqual(edges, again) {
				t.Errorf("Clusters of the reversed list = %v, %v; want %v", again, err, edges)
			}
		})
	}
}

func TestClustersErrors(t *testing.T) {
	if _, err := Clusters([]research.Source{{Location: "lib/a"}}, nil); err == nil {
		t.Error("a source without an id gave no error")
	}
	if _, err := Clusters([]research.Source{{ID: "s1"}, {ID: "s1"}}, nil); err == nil {
		t.Error("a source listed twice gave no error")
	}
}

// TestClustersNearLinear counts the pairs that are compared exactly: texts that share nothing are not compared, and many copies
// of one text are compared with the first few only.
func TestClustersNearLinear(t *testing.T) {
	for _, tc := range []struct {
		name string
		text func(i int) string
		most int
	}{
		{"200 different texts", func(i int) string { return prose(uint64(i)+100, 120) }, 100},
		{"200 near copies", func(i int) string { return prose(1, 120) + fmt.Sprintf(" ending%d", i) }, 200 * 2 * widestPosting},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var sources []research.Source
			texts := map[string]string{}
			var list []copyText
			for i := range 200 {
				s := tc.text(i)
				sha := research.SHA256(s)
				texts[sha] = s
				src := research.Source{ID: fmt.Sprintf("s%03d", i), Location: fmt.Sprintf("lib/%d", i), SHA256: sha}
				sources = append(sources, src)
				list = append(list, read(src.ID, s))
			}
			if n := len(candidates(list)); n > tc.most {
				t.Errorf("%d pairs are compared, want at most %d", n, tc.most)
			}
			edges, err := Clusters(sources, func(sha string) string { return texts[sha] })
			if err != nil {
				t.Fatal(err)
			}
			u := newUnion()
			for _, e := range edges {
				u.join(e.A, e.B)
			}
			groups := map[string]bool{}
			for _, s := range sources {
				groups[u.find(s.ID)] = true
			}
			if want := map[bool]int{true: 1, false: 200}[strings.Contains(tc.name, "copies")]; len(groups) != want {
				t.Errorf("%d voices, want %d", len(groups), want)
			}
		})
	}
}

func BenchmarkClusters(b *testing.B) {
	for _, n := range []int{60, 600} {
		b.Run(fmt.Sprintf("sources=%d", n), func(b *testing.B) {
			var sources []research.Source
			texts := map[string]string{}
			for i := range n {
				s := prose(uint64(i), 2000)
				sha := research.SHA256(s)
				texts[sha] = s
				sources = append(sources, research.Source{ID: fmt.Sprintf("s%03d", i), Location: fmt.Sprintf("lib/%d", i), SHA256: sha})
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Clusters(sources, func(sha string) string { return texts[sha] }); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
