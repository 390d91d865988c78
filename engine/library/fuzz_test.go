package library

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/engine/research"
)

// FuzzPassageID asks that an identifier is read as it was written, whatever a location holds, and that any other is refused or whole.
func FuzzPassageID(f *testing.F) {
	f.Add("notes/a.txt", 3, 70)
	f.Add("notes/a|b|00000001-00000002", 0, 1)
	f.Add("p||", 0, 0)
	f.Fuzz(func(t *testing.T, location string, start, end int) {
		if start >= 0 && end >= start && end < 1<<40 {
			span := research.Span{Start: start, End: end}
			if l, s, ok := parsePassageID(passageID(location, span)); !ok || l != location || s != span {
				t.Errorf("%q %v is read as %q %v %v", location, span, l, s, ok)
			}
		}
		if l, s, ok := parsePassageID(location); ok && !strings.HasPrefix(passageID(l, s), passagePrefix+l) {
			t.Errorf("%q is read as %q %v", location, l, s)
		}
	})
}

// FuzzState reads what an index, which another program may have written, holds of a file.
func FuzzState(f *testing.F) {
	f.Add([]byte(`{"size":3,"mtime":4,"text":"x","spans":[{"start":1,"end":2}]}`), []byte(`{"title":"a"}`))
	f.Add([]byte(`{`), []byte(`[]`))
	f.Fuzz(func(t *testing.T, info, doc []byte) {
		r := &record{Location: "notes/a.txt", docJSON: doc}
		if json.Unmarshal(info, &r.state) != nil {
			return
		}
		e := r.entry("/x")
		if e.Location != r.Location || e.Passages != len(r.Spans)+len(r.Copies) {
			t.Errorf("entry %+v of %+v", e, r)
		}
		_, _ = hashOf(r.Text) // a hash or none
	})
}

// FuzzFolders opens a library whose list of folders is anything.
func FuzzFolders(f *testing.F) {
	f.Add([]byte(`{"format":2,"folders":[{"path":"/a","base":"a"},{"path":"/a","base":"a"}]}`))
	f.Add([]byte("\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "folders.json"), b, 0o600); err != nil {
			t.Fatal(err)
		}
		l, err := Open(dir, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := l.Folders(); err != nil {
			t.Errorf("Folders: %v", err)
		}
		if hits, err := l.Search(t.Context(), research.Query{Text: "anchor"}); err != nil || len(hits) != 0 {
			t.Errorf("an empty library finds %v, %v", hits, err)
		}
	})
}

// FuzzChanged asks that paths that a system tells of lead to nothing outside the folder, and to no path twice.
func FuzzChanged(f *testing.F) {
	f.Add("a/b.txt", "a", "../x")
	f.Add(".git/x", "a-b", "a/c")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		folder := "/none/such"
		got, _ := changedIn(folder, []string{filepath.Join(folder, a), folder + "/" + b, c})
		for i, g := range got {
			if g == "" || strings.HasPrefix(g, "../") || g == ".." || strings.HasPrefix(g, "/") || strings.Contains("/"+g, "/.") {
				t.Errorf("%q of %q %q %q", g, a, b, c)
			}
			for k, h := range got {
				if k != i && (g == h || strings.HasPrefix(h, g+"/")) {
					t.Errorf("%q lies in %q", h, g)
				}
			}
		}
	})
}
