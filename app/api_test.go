package app

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// fakeWindow stands in for the window system and keeps what the page is told.
type fakeWindow struct {
	mu     sync.Mutex
	events []RunEvents
	names  []string
	opened []string
}

func (f *fakeWindow) emit(_ context.Context, name string, data any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.names = append(f.names, name)
	if e, ok := data.(RunEvents); ok {
		f.events = append(f.events, e)
	}
}

func (f *fakeWindow) browse(_ context.Context, url string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.opened = append(f.opened, url)
}

func (f *fakeWindow) folder(context.Context) (string, error)    { return "", nil }
func (f *fakeWindow) files(context.Context) ([]string, error)   { return nil, nil }
func (f *fakeWindow) modelFile(context.Context) (string, error) { return "", nil }

// openAPI returns an API on a home of its own, without a model server, closed when the test ends.
func openAPI(t *testing.T) (*API, *fakeWindow) {
	t.Helper()
	t.Setenv("ASSAY_HOME", t.TempDir())
	t.Setenv("OLLAMA_HOST", "127.0.0.1:1") // nothing answers there
	f := &fakeWindow{}
	a := newAPI()
	a.outside = f
	a.startup(t.Context())
	t.Cleanup(func() { a.shutdown(context.Background()) })
	return a, f
}

// documents is a folder with two small documents, written for this test.
func documents(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "harbour")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"lighthouse.md": "# The lighthouse of Orran\n\nBy Mara Lindqvist, 4 May 2011\n\nThe lighthouse of Orran was built in 1874. It is 31 metres high. Its lamp was changed to electricity in 1932.\n",
		"port.txt":      "The port of Orran\n\nBy Jonas Vey\n\nThe lighthouse of Orran was built in 1874 by the port authority. The port was closed in 1968.\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// eventually waits for a condition; what is awaited takes well under the limit, which only ends a test that hangs.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(90 * time.Second); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not seen", what)
		}
	}
}

func TestMainJob(t *testing.T) {
	a, f := openAPI(t)
	dir := documents(t)
	if _, err := a.AddFolder(dir); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the folder is read", func() bool {
		places, err := a.Places()
		return err == nil && len(places) == 1 && places[0].State == "ready" && places[0].Files == 2
	})
	found, err := a.SearchLibrary("lamp electricity", dir)
	if err != nil || len(found.Hits) == 0 || found.Hits[0].Place != "harbour" || !strings.Contains(found.Hits[0].Text, "1932") {
		t.Fatalf("SearchLibrary = %+v, %v", found, err)
	}

	id, err := a.Ask(Question{Text: "When was the lighthouse of Orran built?", Depth: "quick", Model: "extractive", Offline: true, AllowPartial: true, Libraries: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "the run is done", func() bool {
		e, err := a.Events(id, 0)
		return err == nil && e.Info.State == "done" && !e.Info.Live
	})
	e, err := a.Events(id, 0)
	if err != nil {
		t.Fatal(err)
	}
	stages := 0
	for _, ev := range e.Events {
		if strings.HasPrefix(ev.Kind, "stage ") {
			stages++
		}
	}
	if stages < 8 {
		t.Errorf("%d stages in the record, want at least 8", stages)
	}
	if again, err := a.Events(id, e.Last); err != nil || len(again.Events) != 0 {
		t.Errorf("Events after the last = %+v, %v; want none", again.Events, err)
	}

	d, err := a.Report(id)
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Sections) == 0 || len(d.Sections[0].Findings) == 0 || !strings.Contains(d.Sections[0].Findings[0].Text, "1874") {
		t.Fatalf("the report does not answer: %+v", d.Sections)
	}
	k, err := a.Passage(id, d.Sections[0].Findings[0].Citations[0], 400)
	if err != nil || !strings.Contains(k.Passage, "1874") {
		t.Errorf("Passage = %+v, %v", k, err)
	}
	if r, err := a.Recompute(id); err != nil || len(r.Faults) != 0 || r.Checked == 0 {
		t.Errorf("Recompute = %+v, %v; want no fault", r, err)
	}
	for _, form := range []string{"html", "md", "docx", "pandoc", "bib", "ris", "csl", "digest", "run"} {
		path, err := a.Export(id, form)
		if err != nil {
			t.Fatal(err)
		}
		if st, err := os.Stat(path); err != nil || st.Size() == 0 {
			t.Errorf("Export(%s) = %s, %v", form, path, err)
		}
	}
	if page, err := a.report(t.Context(), id); err != nil || !strings.Contains(string(page), "<!doctype html>") {
		t.Errorf("report = %.60q, %v", page, err)
	}

	f.mu.Lock()
	last := int64(0)
	for _, b := range f.events {
		if b.ID == id && b.After > last {
			t.Errorf("the page was told from %d on and had been told up to %d", b.After, last)
		}
		last = max(last, b.Last)
	}
	if last != e.Last {
		t.Errorf("the page was told up to %d of %d", last, e.Last)
	}
	f.mu.Unlock()

	if err := a.Rename(id, "Orran"); err != nil {
		t.Fatal(err)
	}
	rows, err := a.Runs()
	if err != nil || len(rows) != 1 || rows[0].Title != "Orran" || rows[0].Findings == 0 {
		t.Errorf("Runs = %+v, %v", rows, err)
	}
	if _, err := a.Delete(id); err != nil {
		t.Fatal(err)
	}
	if rows, err := a.Runs(); err != nil || rows == nil || len(rows) != 0 {
		t.Errorf("Runs after Delete = %+v, %v; want an empty list", rows, err)
	}
	if left, err := a.RemoveFolder(dir); err != nil || !strings.Contains(left, "where they were") {
		t.Errorf("RemoveFolder = %q, %v", left, err)
	}
}

func TestFaultsAreSentences(t *testing.T) {
	a, f := openAPI(t)
	missing := filepath.Join(t.TempDir(), "none")
	for _, tc := range []struct {
		name string
		call func() error
		want string
	}{
		{"empty question", func() error { _, err := a.Ask(Question{Text: "  ", Libraries: []string{t.TempDir()}}); return err }, "question is empty"},
		{"nothing to search", func() error { _, err := a.Ask(Question{Text: "Why?"}); return err }, "nothing to search"},
		{"missing folder", func() error { _, err := a.AddFolder(missing); return err }, "does not exist"},
		{"no run of this id", func() error { _, err := a.Events("nope", 0); return err }, "nope"},
		{"no run to pause", func() error { return a.Pause("nope") }, "not at work"},
		{"no report", func() error { _, err := a.Report("nope"); return err }, "nope"},
		{"path as id", func() error { _, err := a.Export("../../etc", "html"); return err }, ""},
		{"script as link", func() error { return a.OpenLink("javascript:alert(1)") }, "not opened"},
		{"file as link", func() error { return a.OpenLink("file:///etc/passwd") }, "not opened"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if err := tc.call(); err == nil || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %v, want one line with %q", err, tc.want)
			}
		})
	}
	if err := a.OpenLink("https://example.org/x"); err != nil || len(f.opened) != 1 {
		t.Errorf("OpenLink = %v, opened %v", err, f.opened)
	}
}

func TestClosedWindow(t *testing.T) {
	a := newAPI()
	a.outside = &fakeWindow{}
	if _, err := a.Runs(); err == nil {
		t.Error("Runs before the window is open gave no error")
	}
	a.shutdown(context.Background()) // of a window that never opened
}

func TestRecovered(t *testing.T) {
	err := func() (err error) {
		defer recovered(&err)
		var rows []RunRow
		_ = rows[7]
		return nil
	}()
	if err == nil || !strings.Contains(err.Error(), "a fault of the program") {
		t.Errorf("recovered = %v", err)
	}
}

// TestLateFault holds that a folder whose reading fails after AddFolder returned stands in the list with the fault, and can
// be taken off it.
func TestLateFault(t *testing.T) {
	a, _ := openAPI(t)
	dir := t.TempDir()
	if !a.beginReading(Place{Name: "x", Dir: dir, State: "reading", Unread: []UnreadFile{}}) {
		t.Fatal("the folder is being read already")
	}
	if a.beginReading(Place{Dir: dir, State: "reading"}) {
		t.Error("a folder is read twice at once")
	}
	a.endReading(t.Context(), dir, errors.New("no space is left"))
	places, err := a.Places()
	if err != nil || len(places) != 1 || places[0].State != "faulty" || places[0].Detail != "no space is left" {
		t.Fatalf("Places = %+v, %v", places, err)
	}
	if _, err := a.RemoveFolder(dir); err != nil {
		t.Error(err)
	}
	if places, err := a.Places(); err != nil || len(places) != 0 {
		t.Errorf("Places = %+v, %v; want none", places, err)
	}
}

// TestShutdownIsBounded holds that work which does not end keeps no closed window's program alive.
func TestShutdownIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, deaf := newAPI(), make(chan struct{})
		a.startup(t.Context())
		a.work.Go(func() { <-deaf })
		a.shutdown(t.Context()) // the bubble's clock runs on when nothing else can
		if a.context() != nil {
			t.Error("the API is open after the shutdown")
		}
		close(deaf)
	})
}
