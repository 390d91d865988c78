package library

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/engine/research"
)

// tree writes files, named by slash paths, into a new folder called name.
func tree(t testing.TB, name string, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for path, content := range files {
		write(t, filepath.Join(dir, filepath.FromSlash(path)), content)
	}
	return dir
}

func write(t testing.TB, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func open(t testing.TB) *Library {
	t.Helper()
	l, err := Open(t.TempDir(), testOptions())
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func add(t testing.TB, l *Library, folder string) Ingest {
	t.Helper()
	g, err := l.Add(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func search(t testing.TB, l *Library, words string) []research.Hit {
	t.Helper()
	hits, err := l.Search(t.Context(), research.Query{Text: words})
	if err != nil {
		t.Fatal(err)
	}
	return hits
}

var manual = map[string]string{
	"a/boats.html": `<html lang="en"><title>On boats</title><h1>Boats</h1><h2>Keels</h2><p>The keel of a yacht weighs four tonnes. It is made of lead.</p><h2>Sails</h2><p>The mainsail was sewn in Lymington in 1998.</p></html>`,
	"b/notes.md":   "# Notes\n\nThe rudder was replaced in 2004.\n",
	"c/readme.txt": "帆船的龙骨重四吨，用铅制成。主帆在一九九八年缝制。\n",
	"d/photo.jpg":  "\xff\xd8\xff",
}

func TestAddAndSearch(t *testing.T) {
	l := open(t)
	g := add(t, l, tree(t, "manual", manual))
	if g.Files != 3 || g.Added != 3 || g.Skipped != 1 || g.Unread != 0 || g.Passages < 3 {
		t.Fatalf("Add = %+v", g)
	}
	for _, tc := range []struct{ name, words, location, in string }{
		{"a stem", "What do keels weigh?", "manual/a/boats.html", "four tonnes"},
		{"a heading", "sails", "manual/a/boats.html", "Lymington"},
		{"markdown", "rudders replaced", "manual/b/notes.md", "2004"},
		{"Chinese", "龙骨多重", "manual/c/readme.txt", "四吨"},
		{"one character", "铅", "manual/c/readme.txt", "铅"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			hits := search(t, l, tc.words)
			if len(hits) == 0 || hits[0].Location != tc.location || !strings.Contains(hits[0].Snippet, tc.in) {
				t.Fatalf("Search(%q) = %+v, want %s with %q", tc.words, hits, tc.location, tc.in)
			}
			doc, err := l.Read(t.Context(), hits[0].Location)
			if err != nil {
				t.Fatal(err)
			}
			if got := doc.Text[hits[0].Start:hits[0].End]; got != hits[0].Snippet {
				t.Errorf("text at the hit's offsets = %q, want %q", got, hits[0].Snippet)
			}
			if hits[0].Score != "1" {
				t.Errorf("score of the best hit = %s, want 1", hits[0].Score)
			}
		})
	}
	if hits := search(t, l, "the of and"); len(hits) != 0 {
		t.Errorf("Search of stop words = %v, want none", hits)
	}
}

func TestAddIsIncremental(t *testing.T) {
	l, dir := open(t), tree(t, "manual", manual)
	add(t, l, dir)
	if g := add(t, l, dir); g.Unchanged != 3 || g.Added+g.Changed+g.Removed+g.Passages != 0 {
		t.Errorf("second Add = %+v, want all unchanged", g)
	}
	write(t, filepath.Join(dir, "b/notes.md"), "# Notes\n\nThe rudder was replaced in 2011.\n")
	if err := os.Remove(filepath.Join(dir, "c/readme.txt")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "e/new.txt"), "The anchor chain is sixty metres long.\n")
	if g := add(t, l, dir); g.Unchanged != 1 || g.Added != 1 || g.Changed != 1 || g.Removed != 1 {
		t.Errorf("third Add = %+v", g)
	}
	if hits := search(t, l, "rudder"); len(hits) != 1 || !strings.Contains(hits[0].Snippet, "2011") {
		t.Errorf("Search(rudder) = %+v, want the new text once", hits)
	}
	if hits := search(t, l, "龙骨"); len(hits) != 0 {
		t.Errorf("a vanished file is still found: %+v", hits)
	}
	texts := 0
	_ = filepath.WalkDir(filepath.Join(l.dir, "texts"), func(_ string, d os.DirEntry, _ error) error {
		if d != nil && !d.IsDir() {
			texts++
		}
		return nil
	})
	if texts != 3 {
		t.Errorf("%d kept texts, want 3: old ones are swept", texts)
	}
}

func TestWithin(t *testing.T) {
	l := open(t)
	one := tree(t, "docs", map[string]string{"x.txt": "The lighthouse stands on the northern cape.\n"})
	two := tree(t, "docs", map[string]string{"y.txt": "The lighthouse keeper retired in 1970.\n"})
	add(t, l, one)
	add(t, l, two)
	if n := len(search(t, l, "lighthouse")); n != 2 {
		t.Fatalf("all folders give %d hits, want 2", n)
	}
	s, err := l.Within(two)
	if err != nil {
		t.Fatal(err)
	}
	hits, err := s.Search(t.Context(), research.Query{Text: "lighthouse"})
	if err != nil || len(hits) != 1 || !strings.HasSuffix(hits[0].Location, "/y.txt") {
		t.Errorf("one folder gives %+v, %v", hits, err)
	}
	if doc, err := s.Read(t.Context(), "docs/x.txt"); err != nil || doc.Fault == "" {
		t.Errorf("Read outside the scope = %+v, %v; want a fault", doc, err)
	}
	if _, err := l.Within(t.TempDir()); err == nil {
		t.Error("Within a folder that was not added gives no error")
	}
	c, err := s.Corpus(t.Context(), []string{"lighthous", "nowhere"})
	if err != nil || c.Passages() != 2 || c.DocFreq("lighthous") != 2 || c.DocFreq("nowhere") != 0 {
		t.Errorf("Corpus = %+v, %v", c, err)
	}
	if err := l.Remove(t.Context(), one); err != nil {
		t.Fatal(err)
	}
	if n := len(search(t, l, "lighthouse")); n != 1 {
		t.Errorf("after Remove %d hits, want 1", n)
	}
}

func TestBadFolders(t *testing.T) {
	l := open(t)
	file := filepath.Join(t.TempDir(), "f.txt")
	write(t, file, "x")
	for _, tc := range []struct{ name, folder, want string }{
		{"missing", filepath.Join(t.TempDir(), "nowhere"), "does not exist"},
		{"a file", file, "is a file, not a folder"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := l.Add(t.Context(), tc.folder)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("Add = %v, want %q", err, tc.want)
			}
		})
	}
	if hits := search(t, l, "anything"); len(hits) != 0 {
		t.Errorf("an empty library finds %v", hits)
	}
}

func TestBadFiles(t *testing.T) {
	dir := tree(t, "bad", map[string]string{
		"good.txt":   "The ferry leaves at noon.\n",
		"empty.html": "",
		"broken.pdf": "%PDF-1.4 nothing more",
		"big.txt":    strings.Repeat("wide words ", 200<<10),
		"letter.rtf": "PK\x03\x04 not opened", "book.mobi": "PK", "old.doc": "x", "README": "", "blank.txt": " \n",
		"tool": "\x7fELF\x00\x00\x00", "a.png": "x", "b.png": "x", "style.css": "x",
	})
	locked := filepath.Join(dir, "locked.txt")
	write(t, locked, "secret")
	if err := os.Chmod(locked, 0); err != nil {
		t.Fatal(err)
	}
	opt := testOptions()
	opt.Document.MaxBytes = 1 << 20
	l, err := Open(t.TempDir(), opt)
	if err != nil {
		t.Fatal(err)
	}
	g := add(t, l, dir)
	want := map[string]string{
		"bad/empty.html": "is empty", "bad/broken.pdf": "damaged", "bad/big.txt": "files over 1 MiB", "bad/README": "is empty", "bad/blank.txt": "is empty",
		"bad/letter.rtf": "save it as HTML, MHTML, PDF", "bad/book.mobi": "save it as HTML, MHTML, PDF", "bad/old.doc": "save it as HTML, MHTML, PDF", "bad/tool": "format that is not read",
	}
	if os.Geteuid() != 0 { // root may read everything
		want["bad/locked.txt"] = "permission denied"
	}
	if g.Unread != len(want) || len(g.Problems) != len(want) {
		t.Errorf("Add = %+v, want %d unread", g, len(want))
	}
	for _, p := range g.Problems {
		if !strings.Contains(p.Why, want[p.Location]) || want[p.Location] == "" {
			t.Errorf("%s: %q, want %q", p.Location, p.Why, want[p.Location])
		}
	}
	if g.Skipped != 3 || g.Kinds[".png"] != 2 || g.Kinds[".css"] != 1 {
		t.Errorf("skipped %d %v, want two pictures and a style sheet", g.Skipped, g.Kinds)
	}
	if again := add(t, l, dir); again.Added+again.Changed+again.Removed != 0 || again.Unread != g.Unread {
		t.Errorf("the second Add = %+v, want nothing new", again)
	}
	s, err := l.Within()
	if err != nil {
		t.Fatal(err)
	}
	docs, more, err := s.Unread(t.Context(), 2)
	if err != nil || len(docs) != 2 || more != len(want)-2 || docs[0].Location != "bad/README" || docs[0].Fault == "" {
		t.Errorf("Unread = %v, %d more, %v", docs, more, err)
	}
	if len(search(t, l, "ferry noon")) == 0 {
		t.Error("the good file is not found")
	}
	entries, err := l.List(t.Context(), "")
	if err != nil || len(entries) != g.Files {
		t.Errorf("List = %d entries, %v; want %d", len(entries), err, g.Files)
	}
}

func TestManyFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "many")
	const n = 1200
	for i := range n {
		write(t, filepath.Join(dir, fmt.Sprint(i%30), fmt.Sprintf("%05d.txt", i)), fmt.Sprintf("Record number %d belongs to drawer x%dx.\n", i, i%100))
	}
	l := open(t)
	seen := 0
	l.opt.Progress = func(p Progress) { seen = p.Files }
	if g := add(t, l, dir); g.Added != n || seen != n {
		t.Errorf("Add = %d added, progress %d; want %d", g.Added, seen, n)
	}
	hits, err := l.Search(t.Context(), research.Query{Text: "drawer x42x", Limit: 40})
	if err != nil || len(hits) != 40 || !strings.Contains(hits[n/100-1].Snippet, "x42x") {
		t.Errorf("%d hits, %v", len(hits), err)
	}
}

// TestSameOrder builds the same library twice, with other batches, and asks for the same answer.
func TestSameOrder(t *testing.T) {
	files := map[string]string{}
	for i := range 60 {
		files[fmt.Sprintf("f%02d.txt", i)] = fmt.Sprintf("Harbour rule %d. Ships wait for the pilot at buoy %d.\n", i%3, i%2)
	}
	dir := tree(t, "same", files)
	ask := func(l *Library) string {
		hits, err := l.Search(t.Context(), research.Query{Text: "pilot harbour buoy 1", Limit: 25})
		if err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(hits)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	a := open(t)
	add(t, a, dir)
	b := open(t)
	b.opt.Workers = 1
	hidden := filepath.Join(dir, "f59.txt")
	if err := os.Rename(hidden, hidden+".gone"); err != nil {
		t.Fatal(err)
	}
	add(t, b, dir)
	if err := os.Rename(hidden+".gone", hidden); err != nil {
		t.Fatal(err)
	}
	add(t, b, dir)
	if x, y := ask(a), ask(b); x != y {
		t.Errorf("answers differ:\n%s\n%s", x, y)
	}
}

func TestDamagedIndexIsSaid(t *testing.T) {
	l := open(t)
	add(t, l, tree(t, "one", manual))
	write(t, filepath.Join(l.dir, "index/store/root.bolt"), "not a database")
	if _, err := l.Search(t.Context(), research.Query{Text: "keel"}); !errors.Is(err, ErrDamaged) {
		t.Errorf("Search = %v, want ErrDamaged", err)
	}
}

func TestLostTextIsReadAgain(t *testing.T) {
	l, dir := open(t), tree(t, "one", manual)
	add(t, l, dir)
	if err := os.RemoveAll(filepath.Join(l.dir, "texts")); err != nil {
		t.Fatal(err)
	}
	doc, err := l.Read(t.Context(), "one/b/notes.md")
	if err != nil || !strings.Contains(doc.Text, "rudder") {
		t.Errorf("Read = %q, %v; want the text from the file", doc.Text, err)
	}
	if g := add(t, l, dir); g.Changed != 3 {
		t.Errorf("Add = %+v, want all read again", g)
	}
	if len(search(t, l, "keel")) == 0 {
		t.Error("nothing found")
	}
}

// TestDamagedTextIsReadAgain changes a byte of every kept text, which keeps its length.
func TestDamagedTextIsReadAgain(t *testing.T) {
	l, dir := open(t), tree(t, "one", manual)
	add(t, l, dir)
	err := filepath.WalkDir(filepath.Join(l.dir, "texts"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		b[0] ^= 1
		return os.WriteFile(path, b, 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
	if g := add(t, l, dir); g.Changed != 3 {
		t.Errorf("Add = %+v, want all read again", g)
	}
	if len(search(t, l, "keel")) == 0 {
		t.Error("nothing found")
	}
}

// TestKilled ends an ingestion at several points and asks that the next one brings everything in, once.
func TestKilled(t *testing.T) {
	files := map[string]string{}
	for i := range 640 {
		files[fmt.Sprintf("%d/f%04d.txt", i%10, i)] = fmt.Sprintf("Beacon q%dq shines at night.\n", i)
	}
	dir := tree(t, "kill", files)
	for _, after := range []int{1, 499, 620} {
		l := open(t)
		ctx, cancel := context.WithCancel(t.Context())
		l.opt.Progress = func(p Progress) {
			if p.Files == after {
				cancel()
			}
		}
		if _, err := l.Add(ctx, dir); !errors.Is(err, context.Canceled) {
			t.Fatalf("Add = %v, want cancelled", err)
		}
		l.opt.Progress = nil
		g := add(t, l, dir)
		if g.Files != 640 || g.Added+g.Unchanged != 640 {
			t.Errorf("after a cancellation at %d: %+v", after, g)
		}
		s, err := l.Stats(t.Context())
		if err != nil || s.Files != 640 || s.Passages != 640 {
			t.Errorf("Stats = %+v, %v", s, err)
		}
		if hits := search(t, l, "q639q"); len(hits) != 1 {
			t.Errorf("the last file gives %d hits, want 1", len(hits))
		}
		cancel()
	}
}

func TestLockedByAnotherProcess(t *testing.T) {
	l, dir := open(t), tree(t, "one", manual)
	add(t, l, dir)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "hold-index", l.dir)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "held\n" {
		t.Fatalf("the other process says %q, %v", line, err)
	}
	_, err = l.Add(t.Context(), dir)
	var locked *LockedError
	if !errors.As(err, &locked) || locked.PID != cmd.Process.Pid {
		t.Errorf("Add = %v, want the holder %d", err, cmd.Process.Pid)
	}
	if _, err := l.Search(t.Context(), research.Query{Text: "keel"}); !errors.As(err, &locked) {
		t.Errorf("Search = %v, want locked", err)
	}
	_ = in.Close()
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if len(search(t, l, "keel")) == 0 {
		t.Error("nothing found after the other process ended")
	}
}

// TestSearchWhileAdding asks while the same process ingests: nobody waits for the whole ingestion and nothing is torn.
func TestSearchWhileAdding(t *testing.T) {
	l := open(t)
	add(t, l, tree(t, "one", manual))
	files := map[string]string{}
	for i := range 300 {
		files[fmt.Sprintf("f%04d.txt", i)] = fmt.Sprintf("Signal %d is green.\n", i)
	}
	dir := tree(t, "two", files)
	done := make(chan error, 1)
	go func() {
		_, err := l.Add(t.Context(), dir)
		done <- err
	}()
	for {
		if hits := search(t, l, "keel yacht"); len(hits) == 0 {
			t.Fatal("a document vanished during an ingestion of another folder")
		}
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			return
		case <-time.After(time.Millisecond):
		}
	}
}

func TestCopies(t *testing.T) {
	body := "The harbour master keeps a ledger of every ship that enters the bay, with its tonnage and its flag. In 1912 the ledger listed 340 ships, most of them from the north."
	dir := tree(t, "dup", map[string]string{
		"guide.html": "<html><title>Guide</title><h1>Harbour</h1><p>" + body + "</p></html>",
		"guide.txt":  body + "\n",
		"other.txt":  strings.Replace(body, "340", "355", 1) + "\n",
	})
	l := open(t)
	add(t, l, dir)
	locations := func() string {
		var out []string
		for _, h := range search(t, l, "ledger ships tonnage") {
			out = append(out, h.Location)
		}
		return strings.Join(out, " ")
	}
	if got := locations(); got != "dup/guide.html dup/other.txt" && got != "dup/other.txt dup/guide.html" {
		t.Errorf("hits %s, want the HTML and the edition that differs in a figure", got)
	}
	if err := os.Remove(filepath.Join(dir, "guide.html")); err != nil {
		t.Fatal(err)
	}
	add(t, l, dir)
	if got := locations(); !strings.Contains(got, "dup/guide.txt") {
		t.Errorf("without the HTML the hits are %s, want the text", got)
	}
}

func TestNeighbours(t *testing.T) {
	ps := []research.Passage{{Start: 0, End: 10}, {Start: 12, End: 20}, {Start: 22, End: 30}}
	for _, tc := range []struct {
		name      string
		offset, n int
		want      int
		first     int
	}{{"first", 3, 1, 2, 0}, {"middle", 12, 1, 3, 0}, {"last alone", 29, 0, 1, 22}, {"beyond", 40, 1, 0, 0}} {
		t.Run(tc.name, func(t *testing.T) {
			got := Neighbours(ps, tc.offset, tc.n)
			if len(got) != tc.want || len(got) > 0 && got[0].Start != tc.first {
				t.Errorf("Neighbours(%d, %d) = %v", tc.offset, tc.n, got)
			}
		})
	}
}
