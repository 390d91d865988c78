package library

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"assay/engine/research"
)

// TestScoresRestOnTheScopeAlone: one question over one folder is answered alike, whatever else the library holds or held, and however
// often its files changed.
func TestScoresRestOnTheScopeAlone(t *testing.T) {
	files := map[string]string{}
	for i := range 30 {
		files[fmt.Sprintf("%02d.txt", i)] = fmt.Sprintf("The keel of boat %d weighs %d tonnes. Its sail was sewn in %d.\n\nThe rudder of boat %d was replaced; the keel was not.\n", i, i+2, 1950+i, i)
	}
	folder := tree(t, "boats", files)
	ask := func(l *Library) []research.Hit {
		t.Helper()
		s, err := l.Within(folder)
		if err != nil {
			t.Fatal(err)
		}
		var all []research.Hit
		for _, q := range []string{"How heavy is the keel of boat 7?", "rudder replaced", "sail sewn 1960"} {
			hits, err := s.Search(t.Context(), research.Query{Text: q, Limit: 12})
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, hits...)
		}
		return all
	}
	plain := open(t)
	add(t, plain, folder)
	want := ask(plain)
	if len(want) == 0 {
		t.Fatal("nothing was found")
	}

	busy := open(t)
	other := tree(t, "keels", map[string]string{"a.txt": "A keel. A keel and a sail. Rudder, rudder, rudder.\n", "b.txt": "Boat 7 has a keel.\n"})
	add(t, busy, other)
	add(t, busy, folder)
	if got := ask(busy); !reflect.DeepEqual(got, want) {
		t.Errorf("beside another folder the answer differs")
	}
	for range 3 { // what is deleted stays in the index for a while
		for name, text := range files {
			write(t, filepath.Join(folder, name), text+"\nOnce more: the keel, the sail, the rudder.\n")
		}
		add(t, busy, folder)
		for name, text := range files {
			write(t, filepath.Join(folder, name), text)
		}
		add(t, busy, folder)
	}
	if err := busy.Remove(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(other); err != nil {
		t.Fatal(err)
	}
	if got := ask(busy); !reflect.DeepEqual(got, want) {
		t.Errorf("after changes the answer differs")
	}
}

// TestRankIsExact holds what is read in order, looked up and dropped on the way against the sum over all passages.
func TestRankIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	z := rand.NewZipf(r, 1.2, 3, 400)
	files := map[string]string{}
	for i := range 40 {
		var b strings.Builder
		for range 12 {
			for range 5 + r.IntN(60) {
				fmt.Fprintf(&b, "w%dk ", z.Uint64())
			}
			b.WriteString("end.\n\n")
		}
		files[fmt.Sprintf("%02d.txt", i)] = b.String()
	}
	l := open(t)
	add(t, l, tree(t, "words", files))
	s, err := l.Within()
	if err != nil {
		t.Fatal(err)
	}
	err = l.ix.read(t.Context(), func(x *index) error {
		adv, err := x.Advanced()
		if err != nil {
			return err
		}
		reader, err := adv.Reader()
		if err != nil {
			return err
		}
		defer reader.Close()
		ranked := func(words string, whole bool, want int) map[uint64]float64 {
			k := &ranking{ctx: t.Context(), reader: reader, bases: s.bases, whole: whole}
			k.begin()
			defer k.end()
			if err := k.weigh(words); err != nil {
				t.Fatal(err)
			}
			docs, scores, err := k.best(want)
			if err != nil {
				t.Fatal(err)
			}
			out := map[uint64]float64{}
			for i, d := range docs {
				out[d] = scores[i]
			}
			return out
		}
		for n := range 200 {
			words := fmt.Sprintf("w%dk w%dk w%dk w%dk", z.Uint64(), z.Uint64(), z.Uint64(), z.Uint64())
			all := ranked(words, n%2 == 0, 1<<30)
			order := slices.Sorted(maps.Values(all))
			slices.Reverse(order)
			want := 1 + r.IntN(30)
			got := ranked(words, n%4 < 2, want)
			if len(order) == 0 {
				continue
			}
			least := order[min(want, len(order))-1]
			for d, score := range all {
				if g, ok := got[d]; score >= least && (!ok || math.Abs(g-score) > 1e-9) || ok && score < least-1e-6 {
					t.Errorf("%q for %d: passage %d scores %.9f, is given %v with %.9f; the least is %.9f", words, want, d, score, ok, g, least)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
