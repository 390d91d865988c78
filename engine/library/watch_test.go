package library

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// contents are a library's entries and passages in lines: all that a search or a reader can see of it but for times.
func contents(t testing.TB, l *Library) []string {
	t.Helper()
	var out []string
	err := l.ix.read(t.Context(), func(x *index) error {
		all, err := l.bases()
		if err != nil {
			return err
		}
		adv, err := x.Advanced()
		if err != nil {
			return err
		}
		reader, err := adv.Reader()
		if err != nil {
			return err
		}
		defer reader.Close()
		for _, b := range all {
			recs, err := x.records(t.Context(), b.Base, true)
			if err != nil {
				return err
			}
			for _, r := range recs {
				d, err := r.document()
				if err != nil {
					return err
				}
				out = append(out, fmt.Sprintln("file", r.Location, r.Size, r.Text, r.Spans, r.Copies, d.Title, d.Fault))
			}
			tf, err := reader.TermFieldReader(t.Context(), []byte(b.Base), fieldBase, false, false, false)
			if err != nil {
				return err
			}
			defer tf.Close()
			for {
				hit, err := tf.Next(nil)
				if err != nil || hit == nil {
					if err != nil {
						return err
					}
					break
				}
				id, err := reader.ExternalID(hit.ID)
				if err != nil {
					return err
				}
				out = append(out, id)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(out)
	return out
}

// sameAsNew asks that the library holds what one that is made now of the same folder does.
func sameAsNew(t testing.TB, l *Library, folder string) {
	t.Helper()
	fresh := open(t)
	add(t, fresh, folder)
	if diff := differ(contents(t, l), contents(t, fresh)); diff != "" {
		t.Errorf("the library differs from a new one:\n%s", diff)
	}
}

func differ(got, want []string) string {
	var b strings.Builder
	for _, g := range got {
		if !slices.Contains(want, g) {
			fmt.Fprintln(&b, "+", g)
		}
	}
	for _, w := range want {
		if !slices.Contains(got, w) {
			fmt.Fprintln(&b, "-", w)
		}
	}
	return b.String()
}

// life changes a folder as people and programs do: step n of it, by the given dice. It returns the paths of what changed.
func life(t testing.TB, folder string, r *rand.Rand, n int) []string {
	t.Helper()
	do := func(err error) {
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	at := func() string {
		return filepath.Join(folder, []string{"", "a", "b", "a/deep"}[r.IntN(4)], fmt.Sprintf("f%d%s", r.IntN(6), []string{".txt", ".md", ".html"}[r.IntN(3)]))
	}
	path := at()
	do(os.MkdirAll(filepath.Dir(path), 0o755))
	text := fmt.Sprintf("Entry %d.\n\n", n) + prose64(r, 40+r.IntN(300))
	switch r.IntN(9) {
	default:
		do(os.WriteFile(path, []byte(text), 0o644))
		return []string{path}
	case 4: // an atomic save
		tmp := filepath.Join(filepath.Dir(path), ".new-save")
		do(os.WriteFile(tmp, []byte(text), 0o644))
		do(os.Rename(tmp, path))
		return []string{tmp, path}
	case 5: // an editor that keeps the older version beside it
		do(os.Rename(path, path+"~"))
		do(os.WriteFile(path, []byte(text), 0o644))
		if r.IntN(2) == 0 {
			do(os.Remove(path + "~"))
		}
		return []string{path, path + "~"}
	case 6:
		do(os.Remove(path))
		return []string{path}
	case 7:
		to := at()
		do(os.MkdirAll(filepath.Dir(to), 0o755))
		do(os.Rename(path, to))
		return []string{path, to}
	case 8: // a whole folder, moved, or deleted
		to := filepath.Join(folder, fmt.Sprintf("moved%d", n%3))
		do(os.RemoveAll(to))
		do(os.Rename(filepath.Join(folder, "a"), to))
		return []string{filepath.Join(folder, "a"), to}
	}
}

func prose64(r *rand.Rand, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "word%d ", r.IntN(900))
		if i%17 == 16 {
			b.WriteString("end.\n\n")
		}
	}
	return b.String()
}

// TestUpdateIsAdd asks that what a folder's changes bring one by one is what reading all of it brings.
func TestUpdateIsAdd(t *testing.T) {
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 1))
		folder := tree(t, "notes", manual)
		l := open(t)
		add(t, l, folder)
		for step := range 12 {
			var paths []string
			for k := range 1 + r.IntN(4) {
				paths = append(paths, life(t, folder, r, 10*step+k)...)
			}
			if _, err := l.Update(t.Context(), folder, paths); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := l.Update(t.Context(), folder, nil); err != nil {
			t.Fatal(err)
		}
		sameAsNew(t, l, folder)
	}
}

// fast are times for tests; every wait is for what happens, so that a slow machine passes too.
var fast = WatchOptions{Quiet: 20 * time.Millisecond, AtMost: 200 * time.Millisecond, Look: 50 * time.Millisecond, Sweep: time.Hour}

// watching starts a watch and returns the news of it.
func watching(t *testing.T, l *Library, folder string, opt WatchOptions) <-chan WatchNews {
	t.Helper()
	news := make(chan WatchNews, 1000)
	opt.Told = func(n WatchNews) {
		select {
		case news <- n:
		default: // a test that does not look
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	var done sync.WaitGroup
	done.Go(func() {
		if err := l.Watch(ctx, []string{folder}, opt); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() { stop(); done.Wait() })
	return news
}

// until waits for news of which yes holds.
func until(t *testing.T, news <-chan WatchNews, what string, yes func(WatchNews) bool) WatchNews {
	t.Helper()
	patience := time.After(time.Minute)
	for {
		select {
		case n := <-news:
			if yes(n) {
				return n
			}
		case <-patience:
			t.Fatalf("no news that %s", what)
		}
	}
}

func found(t *testing.T, l *Library, words string) bool { return len(search(t, l, words)) > 0 }

// TestWatch changes a folder under watch, once told of changes by the system and once looked at.
func TestWatch(t *testing.T) {
	for _, tc := range []struct {
		name string
		poll bool
		most int
	}{{"told", false, 0}, {"polled", true, 0}, {"more folders than may be watched", false, 1}} {
		t.Run(tc.name, func(t *testing.T) {
			folder := tree(t, "notes", map[string]string{"a.txt": "The first anchor.\n", "sub/b.txt": "A second rudder.\n"})
			l := open(t)
			opt := fast
			opt.Poll, opt.MostWatched = tc.poll, tc.most
			news := watching(t, l, folder, opt)
			n := until(t, news, "the folder was read", func(n WatchNews) bool { return n.Did != nil && n.Did.Added == 2 })
			if n.Polled != (tc.poll || tc.most > 0) || n.Polled && n.Why == "" {
				t.Errorf("news = %+v", n)
			}
			for _, step := range []struct {
				name string
				do   func() error
				yes  func() bool
			}{
				{"a new file is found", func() error {
					return os.WriteFile(filepath.Join(folder, "c.md"), []byte("A lighthouse keeper.\n"), 0o644)
				},
					func() bool { return found(t, l, "lighthouse") }},
				{"a changed file is found as it is now", func() error {
					return os.WriteFile(filepath.Join(folder, "a.txt"), []byte("The first windmill stood.\n"), 0o644)
				},
					func() bool { return found(t, l, "windmill") && !found(t, l, "anchor") }},
				{"a saved file is found", func() error {
					tmp := filepath.Join(folder, ".a.txt.swp")
					if err := os.WriteFile(tmp, []byte("The first harbour.\n"), 0o644); err != nil {
						return err
					}
					return os.Rename(tmp, filepath.Join(folder, "a.txt"))
				}, func() bool { return found(t, l, "harbour") && !found(t, l, "windmill") }},
				{"a new folder is found", func() error {
					if err := os.MkdirAll(filepath.Join(folder, "x/y"), 0o755); err != nil {
						return err
					}
					return os.WriteFile(filepath.Join(folder, "x/y/d.txt"), []byte("A deep compass.\n"), 0o644)
				}, func() bool { return found(t, l, "compass") }},
				{"a file of a folder that was new is found as it is now", func() error {
					return os.WriteFile(filepath.Join(folder, "x/y/d.txt"), []byte("A deep sextant, of brass.\n"), 0o644)
				}, func() bool { return found(t, l, "sextant") && !found(t, l, "compass") }},
				{"a moved folder is found where it is", func() error { return os.Rename(filepath.Join(folder, "x"), filepath.Join(folder, "z")) },
					func() bool {
						hits := search(t, l, "sextant")
						return len(hits) == 1 && hits[0].Location == "notes/z/y/d.txt"
					}},
				{"a deleted file is not found", func() error { return os.Remove(filepath.Join(folder, "c.md")) },
					func() bool { return !found(t, l, "lighthouse") }},
				{"a deleted folder is not found", func() error { return os.RemoveAll(filepath.Join(folder, "z")) },
					func() bool { return !found(t, l, "sextant") }},
			} {
				if err := step.do(); err != nil {
					t.Fatal(err)
				}
				until(t, news, step.name, func(n WatchNews) bool { return n.Did != nil && step.yes() })
			}
			sameAsNew(t, l, folder)
		})
	}
}

// TestWatchEditors asks that what programs keep beside a document is never taken for one.
func TestWatchEditors(t *testing.T) {
	folder := tree(t, "notes", map[string]string{"a.txt": "The anchor.\n"})
	for _, name := range []string{"a.txt~", "#a.txt#", ".a.txt.swp", "~$a.docx", "lu12.tmp", "a.txt.part", "b.crdownload", ".#a.txt"} {
		write(t, filepath.Join(folder, name), "A decoy of the anchor.\n")
	}
	l := open(t)
	news := watching(t, l, folder, fast)
	until(t, news, "it was read", func(n WatchNews) bool { return n.Did != nil })
	for _, name := range []string{"c.txt~", "#c.txt#", ".c.txt.swp", "~$c.docx", "lu13.tmp", "c.txt.part"} {
		write(t, filepath.Join(folder, name), "A decoy of the anchor.\n")
	}
	write(t, filepath.Join(folder, "last.txt"), "The rudder.\n")
	until(t, news, "the last one was read", func(n WatchNews) bool { return n.Did != nil && n.Last == "notes/last.txt" })
	list, err := l.List(t.Context(), "")
	if err != nil || len(list) != 2 {
		t.Errorf("List = %+v, %v, want the two documents", list, err)
	}
}

// TestWatchSweeps asks that what no event tells of is found all the same: here what lies behind a link that leads out of the folder.
func TestWatchSweeps(t *testing.T) {
	away := tree(t, "away", map[string]string{"b.txt": "The rudder.\n"})
	folder := tree(t, "notes", map[string]string{"a.txt": "The anchor.\n"})
	if err := os.Symlink(away, filepath.Join(folder, "link")); err != nil {
		t.Fatal(err)
	}
	l := open(t)
	opt := fast
	opt.Sweep = 100 * time.Millisecond
	news := watching(t, l, folder, opt)
	until(t, news, "it was read", func(n WatchNews) bool { return n.Did != nil && n.Did.Added == 2 })
	write(t, filepath.Join(away, "c.txt"), "The sail.\n")
	until(t, news, "it is found", func(n WatchNews) bool { return n.Did != nil && found(t, l, "sail") })
	sameAsNew(t, l, folder)
}

// TestWatchGone takes the folder away and gives it back.
func TestWatchGone(t *testing.T) {
	folder := tree(t, "notes", map[string]string{"a.txt": "The anchor.\n"})
	l := open(t)
	news := watching(t, l, folder, fast)
	until(t, news, "it was read", func(n WatchNews) bool { return n.Did != nil })
	if err := os.Rename(folder, folder+"-away"); err != nil {
		t.Fatal(err)
	}
	n := until(t, news, "it is gone", func(n WatchNews) bool { return n.Fault != "" })
	if !strings.Contains(n.Fault, "does not exist") {
		t.Errorf("fault = %q", n.Fault)
	}
	if !found(t, l, "anchor") {
		t.Error("the entries of a folder that is away are lost")
	}
	write(t, filepath.Join(folder+"-away", "b.txt"), "The rudder.\n")
	if err := os.Rename(folder+"-away", folder); err != nil {
		t.Fatal(err)
	}
	until(t, news, "it is back", func(n WatchNews) bool { return n.Fault == "" && found(t, l, "rudder") })
	write(t, filepath.Join(folder, "c.txt"), "The sail.\n")
	until(t, news, "it is watched again", func(n WatchNews) bool { return found(t, l, "sail") })
}

// TestWatchKilled kills a watching program at random moments while its folder changes. What it leaves is taken up by the next.
func TestWatchKilled(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	folder, dir := tree(t, "notes", manual), t.TempDir()
	rounds := 8
	if testing.Short() {
		rounds = 3
	}
	for n := range rounds {
		cmd := exec.Command(os.Args[0], "watch-folder", dir, folder)
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for k := range 25 {
			life(t, folder, r, 100*n+k)
			time.Sleep(time.Duration(r.IntN(30)) * time.Millisecond)
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // killed
		life(t, folder, r, 100*n+50)
	}
	l, err := Open(dir, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	if g := add(t, l, folder); g.Rebuilt {
		t.Error("the kills damaged the index")
	}
	sameAsNew(t, l, folder)
}

// watchFolder is a program that watches a folder until it is killed.
func watchFolder(dir, folder string) int {
	l, err := Open(dir, testOptions())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if err := l.Watch(context.Background(), []string{folder}, fast); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}
