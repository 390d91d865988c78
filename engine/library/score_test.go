package library

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
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
