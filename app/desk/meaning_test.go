package desk

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/engine"
	"assay/engine/enginetest"
	"assay/engine/research"
)

func realEngine(ctx context.Context, cfg engine.Config, rec engine.Record) (research.Digest, error) {
	return (&engine.Engine{Config: cfg}).Run(ctx, rec)
}

// setupOf returns what a run says that it works with, and its notes.
func setupOf(t *testing.T, run research.Run) (s research.Setup, notes []string) {
	t.Helper()
	for _, ev := range run.Events {
		var err error
		switch ev.Kind {
		case research.EventSetup:
			err = json.Unmarshal(ev.Payload, &s)
		case research.EventNote:
			var n research.Note
			err = json.Unmarshal(ev.Payload, &n)
			notes = append(notes, n.Text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return s, notes
}

// TestMeaning asks the real server for vectors of a model made by code: at the library, in a run, and in a run after the server
// died. The record holds what was found, so that a replay needs no server.
func TestMeaning(t *testing.T) {
	o := enginetest.StartOllama(t, enginetest.Tiny{Embeds: true, Context: 2048})
	d := testDesk(t, realEngine)
	d.wire.embed = d.embedder
	if err := d.SetSettings(Settings{OllamaURL: o.URL, Offline: true}); err != nil {
		t.Fatal(err)
	}
	dir := folder(t)
	if _, err := d.AddLibrary(t.Context(), dir, nil); err != nil {
		t.Fatal(err)
	}
	m, words, err := d.EmbedLibrary(t.Context(), nil)
	if err != nil || words != "" || m.Have != 1 || m.Passages != 1 || !strings.HasPrefix(m.Model, "ollama:tiny:latest@") {
		t.Fatalf("EmbedLibrary = %+v, %q, %v", m, words, err)
	}
	how := ""
	hits, err := d.SearchLibrary(t.Context(), LibrarySearch{Words: "temperature", Limit: 5, Told: func(s string) { how = s }})
	if err != nil || len(hits) != 1 || !strings.Contains(how, "by meaning") {
		t.Errorf("SearchLibrary = %+v, %v, told %q: no word of it stands in the passage, its vector is near all the same", hits, err, how)
	}
	j := start(t, d, request(dir), StartOptions{})
	res := wait(t, j)
	if res.Exit != ExitDone {
		t.Fatalf("Result = %+v", res)
	}
	run := exported(t, j)
	setup, notes := setupOf(t, run)
	if setup.Meaning != m.Model || !strings.Contains(strings.Join(notes, "\n"), "by words and by meaning: 1 of 1 passages") {
		t.Errorf("setup %+v, notes %q", setup, notes)
	}
	for _, ev := range run.Events {
		if ev.Kind == research.EventOutbox {
			t.Errorf("a closed run sent something: %s", ev.Payload)
		}
	}
	o.Kill()
	replayed, err := d.Replay(t.Context(), run, ReplayOptions{Strict: true})
	if err != nil || toJSON(t, *res.Digest) != toJSON(t, replayed.Digest) {
		t.Errorf("the replay without the server differs: %v", err)
	}
	how = ""
	if hits, err = d.SearchLibrary(t.Context(), LibrarySearch{Words: "gold", Limit: 5, Told: func(s string) { how = s }}); err != nil || len(hits) != 1 || !strings.Contains(how, "words alone, because no model server answers") {
		t.Errorf("SearchLibrary = %+v, %v, told %q", hits, err, how)
	}
	j = start(t, d, request(dir), StartOptions{})
	if res := wait(t, j); res.Exit != ExitDone {
		t.Errorf("without the server: %+v", res)
	}
	if setup, _ := setupOf(t, exported(t, j)); setup.Meaning != "" {
		t.Errorf("without the server: %+v", setup)
	}
}

// TestMeaningChoosesNoOther asks that passages go to no model that chats unless it is named, and to no other machine.
func TestMeaningChoosesNoOther(t *testing.T) {
	o := enginetest.StartOllama(t)
	d := testDesk(t, realEngine)
	d.wire.embed = d.embedder
	if _, err := d.AddLibrary(t.Context(), folder(t), nil); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name, url string
		library   LibrarySettings
		want      string // of why words alone; empty: vectors
	}{
		{"none that embeds", o.URL, LibrarySettings{}, "has no embedding model"},
		{"off", o.URL, LibrarySettings{Meaning: "off"}, "switched off"},
		{"another machine", "http://192.0.2.7:11434", LibrarySettings{}, "on another machine"},
		{"a model that is not there", o.URL, LibrarySettings{Meaning: "absent"}, "has no model absent"},
		{"one that chats, named", o.URL, LibrarySettings{Meaning: "tiny"}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if err := d.SetSettings(Settings{OllamaURL: tc.url, Library: tc.library}); err != nil {
				t.Fatal(err)
			}
			m, words, err := d.EmbedLibrary(t.Context(), nil)
			if err != nil || (tc.want == "") != (words == "") || !strings.Contains(words, tc.want) || tc.want == "" && m.Have != m.Passages {
				t.Errorf("EmbedLibrary = %+v, %q, %v, want %q", m, words, err, tc.want)
			}
		})
	}
}

// TestWatchLibrary keeps a home's folders up to date: one that is added while it watches, and none while it is switched off.
func TestWatchLibrary(t *testing.T) {
	d := testDesk(t, succeed)
	news := make(chan WatchedFolder, 100)
	ctx, stop := context.WithCancel(t.Context())
	var done sync.WaitGroup
	done.Go(func() {
		if err := d.WatchLibrary(ctx, func(f WatchedFolder) { news <- f }); err != nil {
			t.Error(err)
		}
	})
	defer done.Wait()
	defer stop()
	dir := folder(t)
	if _, err := d.AddLibrary(t.Context(), dir, nil); err != nil {
		t.Fatal(err)
	}
	await := func(what string, yes func(WatchedFolder) bool) {
		t.Helper()
		for patience := time.After(time.Minute); ; {
			select {
			case f := <-news:
				if yes(f) {
					return
				}
			case <-patience:
				t.Fatalf("no news: %s", what)
			}
		}
	}
	await("the folder is watched", func(f WatchedFolder) bool { return f.Folder == dir && f.Fault == "" })
	if err := os.WriteFile(filepath.Join(dir, "iron.txt"), []byte("Iron melts at 1538 degrees Celsius.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	await("the file is read", func(f WatchedFolder) bool { return f.Last == "docs/iron.txt" && f.ChangedMs > 0 })
	hits, err := d.SearchLibrary(t.Context(), LibrarySearch{Words: "iron", Limit: 5})
	if err != nil || len(hits) != 1 {
		t.Errorf("SearchLibrary = %+v, %v", hits, err)
	}
	if w := d.Watched()[dir]; w.Last != "docs/iron.txt" {
		t.Errorf("Watched = %+v", w)
	}
	if err := d.SetLibrary("watch", "off"); err != nil {
		t.Fatal(err)
	}
	for range 600 {
		if len(d.Watched()) == 0 {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	if len(d.Watched()) != 0 {
		t.Error("it watches although it is switched off")
	}
	for _, bad := range [][2]string{{"watch", "perhaps"}, {"other", "on"}, {"meaning", "two words"}} {
		if err := d.SetLibrary(bad[0], bad[1]); err == nil {
			t.Errorf("SetLibrary(%q) was kept", bad)
		}
	}
}

// TestSearchKept finds the pages of runs as long as there are runs that have them.
func TestSearchKept(t *testing.T) {
	text := "The Marrow kiln was fired first in 1911.\n\nIts chimney fell in 1954.\n"
	d := testDesk(t, func(_ context.Context, _ engine.Config, rec engine.Record) (research.Digest, error) {
		sha, err := rec.PutBlob(text)
		if err != nil {
			return research.Digest{}, err
		}
		out := testDigest()
		out.Sources = []research.DigestSource{{ID: "s1", Title: "Kilns", URL: "http://kilns.example/a", SHA256: sha, MediaType: "text/html", Verdict: research.Verified},
			{ID: "s2", Title: "Gold", URL: "docs/gold.txt", SHA256: sha}}
		return out, nil
	})
	find := func(want int) []KeptPassage {
		t.Helper()
		hits, err := d.SearchKept(t.Context(), "chimney kiln", 5)
		if err != nil || len(hits) != want {
			t.Fatalf("SearchKept = %+v, %v, want %d", hits, err, want)
		}
		return hits
	}
	find(0)
	dir := folder(t)
	first, second := start(t, d, request(dir), StartOptions{}), (*Job)(nil)
	wait(t, first)
	if h := find(1)[0]; h.Location != "http://kilns.example/a" || h.Run != first.ID() || h.Title != "Kilns" || !strings.Contains(text, h.Snippet) || h.Snippet != text[h.Start:h.End] {
		t.Errorf("found %+v", h)
	}
	second = start(t, d, request(dir), StartOptions{})
	wait(t, second)
	if h := find(1)[0]; h.Run != second.ID() {
		t.Errorf("found %+v, want it of the last run", h)
	}
	for i, j := range []*Job{second, first} {
		if _, err := d.DeleteRun(j.ID()); err != nil {
			t.Fatal(err)
		}
		find(1 - i)
	}
}
