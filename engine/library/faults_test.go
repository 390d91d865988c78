package library

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"assay/engine/research"
)

func TestDamagedIndexIsRebuilt(t *testing.T) {
	for _, tc := range []struct {
		name   string
		damage func(t *testing.T, l *Library)
	}{
		{"root", func(t *testing.T, l *Library) {
			write(t, filepath.Join(l.dir, "index/store/root.bolt"), "not a database")
		}},
		{"meta gone", func(t *testing.T, l *Library) {
			if err := os.Remove(filepath.Join(l.dir, "index/index_meta.json")); err != nil {
				t.Fatal(err)
			}
		}},
		{"segments cut", func(t *testing.T, l *Library) {
			list, err := filepath.Glob(filepath.Join(l.dir, "index/store/*.zap"))
			if err != nil || len(list) == 0 {
				t.Fatalf("no segments: %v", err)
			}
			for _, f := range list {
				if err := os.Truncate(f, 10); err != nil {
					t.Fatal(err)
				}
			}
		}},
		{"segments overwritten", func(t *testing.T, l *Library) { spoil(t, l, func([]byte) []byte { return []byte("x\n") }) }},
		{"segments of noise", func(t *testing.T, l *Library) {
			spoil(t, l, func([]byte) []byte { return []byte(strings.Repeat("noise ", 500)) })
		}},
		{"segments of zeros", func(t *testing.T, l *Library) { spoil(t, l, func(b []byte) []byte { return make([]byte, len(b)) }) }},
		{"segments spoilt but for their ends", func(t *testing.T, l *Library) {
			spoil(t, l, func(b []byte) []byte {
				copy(b[:len(b)-segmentFoot], strings.Repeat("\xff\xf7", len(b)))
				return b
			})
		}},
		{"segments gone", func(t *testing.T, l *Library) {
			list, err := filepath.Glob(filepath.Join(l.dir, "index/store/*.zap"))
			if err != nil || len(list) == 0 {
				t.Fatalf("no segments: %v", err)
			}
			for _, f := range list {
				if err := os.Remove(f); err != nil {
					t.Fatal(err)
				}
			}
		}},
		{"other version", func(t *testing.T, l *Library) {
			f, err := l.readFolders()
			if err != nil {
				t.Fatal(err)
			}
			f.Format = formatVersion + 1
			if err := l.writeFolders(f); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := open(t)
			one, two := tree(t, "one", manual), tree(t, "two", map[string]string{"z.txt": "The windmill was built in 1802.\n"})
			add(t, l, one)
			add(t, l, two)
			tc.damage(t, l)
			if _, err := l.Search(t.Context(), research.Query{Text: "keel"}); err != nil && (!errors.Is(err, ErrDamaged) || strings.Contains(err.Error(), "runtime error")) {
				t.Errorf("Search = %v, want an answer or ErrDamaged", err)
			} else if err == nil && strings.HasPrefix(tc.name, "segments") {
				t.Error("Search answers from a damaged index")
			}
			if g := add(t, l, one); !g.Rebuilt {
				t.Errorf("Add = %+v, want a rebuilt index", g)
			}
			if len(search(t, l, "keel")) == 0 || len(search(t, l, "windmill")) == 0 {
				t.Error("after the rebuild a document is missing")
			}
		})
	}
}

// spoil rewrites every segment of the index.
func spoil(t *testing.T, l *Library, with func([]byte) []byte) {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(l.dir, "index/store/*.zap"))
	if err != nil || len(list) == 0 {
		t.Fatalf("no segments: %v", err)
	}
	for _, f := range list {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		write(t, f, string(with(b)))
	}
}

// TestQuiet asks that what bleve logs about a damaged index does not reach the person, and that other lines do.
func TestQuiet(t *testing.T) {
	var out strings.Builder
	old := log.Writer()
	log.SetOutput(&out)
	defer log.SetOutput(old)
	l := open(t)
	add(t, l, tree(t, "one", manual))
	spoil(t, l, func(b []byte) []byte { return make([]byte, len(b)) })
	add(t, l, tree(t, "two", manual))
	log.Print("a line of the program")
	if got := out.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "a line of the program") {
		t.Errorf("the log holds %q", got)
	}
}

// TestFaultsAreTriedAgain has a reader that fails for a reason of its own, and then one that works.
func TestFaultsAreTriedAgain(t *testing.T) {
	dir := tree(t, "faults", map[string]string{"a.txt": "The ferry leaves at noon.\n", "b.pdf": "%PDF-1.4 nothing more"})
	failing := filepath.Join(t.TempDir(), "worker")
	if err := os.WriteFile(failing, []byte("#!/bin/sh\nkill -9 $$\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	l := open(t)
	for i, tc := range []struct {
		name, worker, why string
		want              [3]int // added, changed, unchanged
	}{
		{"first", failing, "ended from outside", [3]int{2, 0, 0}},
		{"the same", failing, "ended from outside", [3]int{0, 0, 2}},
		{"a working reader", "", "damaged", [3]int{0, 1, 1}},
		{"again", "", "damaged", [3]int{0, 0, 2}},
	} {
		l.opt.Document.Worker = tc.worker
		g := add(t, l, dir)
		if g.Unread != 1 || len(g.Problems) != 1 || !strings.Contains(g.Problems[0].Why, tc.why) || [3]int{g.Added, g.Changed, g.Unchanged} != tc.want {
			t.Errorf("%d, %s: Add = %+v", i, tc.name, g)
		}
	}
}

// TestLargeFile ends the ingestion of a file that is committed in parts, and asks that the next one brings all of it in, once.
func TestLargeFile(t *testing.T) {
	var b strings.Builder
	for i := range 6 * batchPassages / 4 {
		fmt.Fprintf(&b, "Beacon q%dq %s\n\n", i, strings.Repeat("shines over the bay ", 16))
	}
	dir := tree(t, "large", map[string]string{"a.txt": b.String()})
	l := open(t)
	for _, after := range []time.Duration{time.Millisecond, 600 * time.Millisecond, 1200 * time.Millisecond} {
		ctx, cancel := context.WithTimeout(t.Context(), after)
		if _, err := l.Add(ctx, dir); err != nil && !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Add = %v", err)
		}
		cancel()
	}
	add(t, l, dir)
	if g := add(t, l, dir); g.Unchanged != 1 {
		t.Errorf("Add = %+v, want the file unchanged", g)
	}
	s, err := l.Stats(t.Context())
	if err != nil || s.Files != 1 || s.Passages != 6*batchPassages/4 {
		t.Errorf("Stats = %+v, %v", s, err)
	}
	if hits := search(t, l, "q17q"); len(hits) != 1 {
		t.Errorf("one beacon gives %d hits, want 1", len(hits))
	}
}

// TestCancelledInFile asks that a reader's work on a file is not waited for once the context ended.
func TestCancelledInFile(t *testing.T) {
	dir := tree(t, "slow", map[string]string{"b.pdf": "%PDF-1.4 nothing more"})
	l := open(t)
	l.opt.Document.Worker = filepath.Join(t.TempDir(), "worker")
	if err := os.WriteFile(l.opt.Document.Worker, []byte("#!/bin/sh\nexec sleep 60\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := l.Add(ctx, dir); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Add = %v, want the end of the context", err)
	}
}

func TestNamesThatAreNotText(t *testing.T) {
	dir := tree(t, "names", map[string]string{"good.txt": "The ferry leaves at noon.\n"})
	for _, name := range []string{"b\xffd.txt", "d\xe4r/x.txt"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Skipf("this file system has no such names: %v", err)
		}
		if err := os.WriteFile(path, []byte("The orchard has pear trees.\n"), 0o644); err != nil {
			t.Skipf("this file system has no such names: %v", err)
		}
	}
	l := open(t)
	g := add(t, l, dir)
	if g.Files != 1 || len(g.Problems) != 2 {
		t.Fatalf("Add = %+v, want one file and two problems", g)
	}
	for _, p := range g.Problems {
		if !utf8.ValidString(p.Why) || !strings.Contains(p.Why, "rename it") {
			t.Errorf("problem %q", p.Why)
		}
	}
	if _, err := l.Add(t.Context(), filepath.Join(dir, "d\xe4r")); err == nil || !strings.Contains(err.Error(), "not valid UTF-8") {
		t.Errorf("Add of a folder with such a name = %v", err)
	}
}

// TestInterrupted ends the context after some files of a folder: what was read is kept, and no file of it is read again.
func TestInterrupted(t *testing.T) {
	files := map[string]string{}
	for i := range 60 {
		files[fmt.Sprintf("%02d.txt", i)] = fmt.Sprintf("Buoy q%dq rings in the fog.\n", i)
	}
	dir := tree(t, "fog", files)
	l := open(t)
	l.opt.Workers = 1
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	l.opt.Progress = func(p Progress) {
		if p.Total < p.Files || p.Total > len(files) {
			t.Errorf("progress %+v, want at most %d files", p, len(files))
		}
		if p.Files == 20 {
			cancel()
		}
	}
	g, err := l.Add(ctx, dir)
	if !errors.Is(err, context.Canceled) || g.Files < 20 || g.Files == len(files) {
		t.Fatalf("Add = %+v, %v; want it to end in the middle", g, err)
	}
	s, err := l.Stats(t.Context())
	if err != nil || s.Files != g.Files {
		t.Errorf("the library holds %d files, %v; Add said %d", s.Files, err, g.Files)
	}
	l.opt.Progress = nil
	if again := add(t, l, dir); again.Unchanged != g.Files || again.Added != len(files)-g.Files {
		t.Errorf("the second Add = %+v, want %d unchanged", again, g.Files)
	}
}

// TestCommitByTime: a batch that is not full is written when it is old, so that a kill loses little.
func TestCommitByTime(t *testing.T) {
	l := open(t)
	x, done, err := l.ix.open(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	w := &writer{x: x, batch: x.NewBatch(), base: "b", last: time.Now()}
	for i, age := range []time.Duration{0, 2 * commitEvery} {
		w.last = w.last.Add(-age)
		if err := w.entry(&record{Location: fmt.Sprintf("b/%d.txt", i)}); err != nil {
			t.Fatal(err)
		}
		if err := w.commit(false); err != nil {
			t.Fatal(err)
		}
		if written := w.files == 0; written != (age > 0) {
			t.Errorf("a batch of age %v: written %v", age, written)
		}
	}
}
