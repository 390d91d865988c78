package app

import (
	"os"
	"path/filepath"
	"testing"
)

// TestFolderIsWatched: what is written into a folder while the window is open is found, its line says so, and the switch ends it.
func TestFolderIsWatched(t *testing.T) {
	a, f := openAPI(t)
	dir := documents(t)
	if _, err := a.AddFolder(dir); err != nil {
		t.Fatal(err)
	}
	place := func() Place {
		places, err := a.Places()
		if err != nil || len(places) != 1 {
			return Place{}
		}
		return places[0]
	}
	eventually(t, "the folder is watched", func() bool { return place().Watch == "told" && place().State == "ready" })
	if err := os.WriteFile(filepath.Join(dir, "crane.txt"), []byte("The crane of Orran lifts nine tonnes.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the change is told", func() bool { return place().Last == "crane.txt" && place().LastMs > 0 && place().Files == 3 })
	found, err := a.SearchLibrary("crane tonnes", dir)
	if err != nil || len(found.Hits) == 0 || found.Hits[0].Location != "harbour/crane.txt" || found.How == "" {
		t.Errorf("SearchLibrary = %+v, %v", found, err)
	}
	f.mu.Lock()
	told := 0
	for _, n := range f.names {
		if n == eventLibrary {
			told++
		}
	}
	f.mu.Unlock()
	if told == 0 {
		t.Error("the page was not told")
	}
	if err := a.SetLibrary("watch", "off"); err != nil {
		t.Fatal(err)
	}
	if s, err := a.LibrarySettings(); err != nil || s.Watch != "off" {
		t.Errorf("LibrarySettings = %+v, %v", s, err)
	}
	eventually(t, "it is watched no more", func() bool { return place().Watch == "" })
	if found, err := a.SearchLibrary("crane", keptPlace); err != nil || len(found.Hits) != 0 {
		t.Errorf("kept pages of no run = %+v, %v", found, err)
	}
}
