package library

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Times and bounds of a watch, unless [WatchOptions] says otherwise.
const (
	// quietFor is how long a folder has to be quiet before what changed is read: an editor writes a file in several steps.
	quietFor = time.Second
	// waitAtMost is after what time the changes are read although more go on.
	waitAtMost = 15 * time.Second
	// lookEvery is the time between two looks at a folder of which the system does not tell changes.
	lookEvery = 30 * time.Second
	// sweepEvery is the same of one that it tells of: events can be lost, and a network's folders send none.
	sweepEvery = 10 * time.Minute
	// mostPending is how many changed names are remembered; with more the whole folder is looked through.
	mostPending = 4096
	// mostWatched is how many folders, subfolders included, the system is asked to tell of. Linux allows a user some thousands
	// to a million of them (fs.inotify.max_user_watches), and each takes about a kilobyte of the kernel.
	mostWatched = 20_000
)

// WatchOptions of [Library.Watch]. The zero value is usable.
type WatchOptions struct {
	// Quiet, AtMost, Look and Sweep stand for the times above when they are not zero.
	Quiet, AtMost, Look, Sweep time.Duration
	// Told, when set, hears of every change of a folder's state, from one goroutine at a time. It must not block.
	Told func(WatchNews)
	// Poll has the folders looked at from time to time although the system could tell of changes.
	Poll bool
	// MostWatched stands for the bound above when it is not zero.
	MostWatched int
}

// WatchNews is what a watch says of one folder.
type WatchNews struct {
	Folder string `json:"folder"`
	// Polled says that the folder is looked at from time to time, because the system does not tell of its changes; Why is the
	// reason in one sentence.
	Polled bool   `json:"polled,omitempty"`
	Why    string `json:"why,omitempty"`
	// Did is what the last look brought, nil when there was none yet or it changed nothing.
	Did *Ingest `json:"did,omitempty"`
	// Last is the location that changed last, empty when nothing changed or many did.
	Last string `json:"last,omitempty"`
	// Fault is why the folder cannot be brought up to date now, empty when it can; it is tried again.
	Fault string `json:"fault,omitempty"`
}

// Watch keeps the folders up to date until ctx ends: it reads each through once, and from then on what changes in it. Folders
// that are gone, as an unplugged disk is, keep their entries and are taken up again when they are back. Changes while another
// process holds the index wait. It returns nil when ctx ends.
func (l *Library) Watch(ctx context.Context, folders []string, opt WatchOptions) error {
	set := func(d *time.Duration, to time.Duration) {
		if *d <= 0 {
			*d = to
		}
	}
	set(&opt.Quiet, quietFor)
	set(&opt.AtMost, waitAtMost)
	set(&opt.Look, lookEvery)
	set(&opt.Sweep, sweepEvery)
	if opt.MostWatched <= 0 {
		opt.MostWatched = mostWatched
	}
	var told sync.Mutex
	var all sync.WaitGroup
	for _, folder := range folders {
		abs, err := filepath.Abs(folder)
		if err != nil {
			return fmt.Errorf("library folder %s: %w", folder, err)
		}
		f := &watched{lib: l, folder: abs, opt: opt, most: opt.MostWatched / max(1, len(folders))}
		f.tell = func(n WatchNews) {
			if opt.Told == nil {
				return
			}
			told.Lock()
			defer told.Unlock()
			opt.Told(n)
		}
		all.Go(func() { f.run(ctx) })
	}
	all.Wait()
	return nil
}

// watched is one folder under watch. Only run's goroutine touches it.
type watched struct {
	lib    *Library
	folder string
	opt    WatchOptions
	most   int
	tell   func(WatchNews)

	eyes    *fsnotify.Watcher // nil when the folder is polled
	polled  string            // why
	number  int               // of folders under eyes
	pending map[string]bool   // changed paths
	whole   bool              // too much changed: the whole folder is looked through
	unset   bool              // copies have not been settled since the last change
	since   time.Time         // of the first change that is pending
	sight   uint64            // what the last poll saw; 0 when there was none
	fault   string            // said last
}

// run watches until ctx ends.
func (w *watched) run(ctx context.Context) {
	defer w.blind("")
	w.pending, w.whole = map[string]bool{}, true
	w.open()
	sweep := time.NewTicker(w.opt.Sweep)
	defer sweep.Stop()
	look := time.NewTicker(w.opt.Look)
	defer look.Stop()
	due := time.NewTimer(0)
	defer due.Stop()
	w.since = time.Now()
	for {
		var events chan fsnotify.Event
		var faults chan error
		if w.eyes != nil {
			events, faults = w.eyes.Events, w.eyes.Errors
		}
		select {
		case <-ctx.Done():
			return
		case ev, ok := <-events:
			if !ok {
				w.blind("the system stopped to tell of its changes")
				w.whole = true
			} else if !w.note(ev) {
				continue
			}
			w.delay(due)
		case err := <-faults:
			// Overflow and the like: what was missed is found by looking through all of it.
			if err != nil && !errors.Is(err, fsnotify.ErrEventOverflow) {
				w.blind("the system does not tell of its changes: " + cause(err))
			}
			w.whole = true
			w.delay(due)
		case <-look.C:
			if w.eyes == nil && w.changedToSight(ctx) || w.fault != "" {
				w.whole = true
				w.delay(due)
			}
		case <-sweep.C:
			if w.eyes == nil && !w.opt.Poll {
				was := w.sight
				w.open() // there may be room by now
				w.sight = was
			}
			if w.changedToSight(ctx) { // or what the system told of was read meanwhile
				w.whole = true
				w.delay(due)
			}
		case <-due.C:
			if again := w.update(ctx); again > 0 {
				due.Reset(again)
			}
		}
	}
}

// delay has what is pending read when the folder has been quiet for a while, and at the latest some time after the first change.
func (w *watched) delay(due *time.Timer) {
	now := time.Now()
	if w.since.IsZero() {
		w.since = now
	}
	due.Reset(max(0, min(w.opt.Quiet, w.opt.AtMost-now.Sub(w.since))))
}

// open asks the system to tell of the folder's changes, or says why it is polled.
func (w *watched) open() {
	if w.opt.Poll {
		w.blind("it was asked for")
		return
	}
	eyes, err := fsnotify.NewWatcher()
	if err != nil {
		w.blind("the system has no room for another watch: " + cause(err))
		return
	}
	w.eyes, w.number, w.polled = eyes, 0, ""
	w.under(w.folder, 0)
}

// blind ends the telling of the system; why is empty at the end of the watch.
func (w *watched) blind(why string) {
	if w.eyes != nil {
		_ = w.eyes.Close() // it tells of changes and keeps nothing
		w.eyes = nil
	}
	w.polled, w.sight = why, 0
}

// under has the system tell of a folder and those in it. Links are not followed: what they lead to is looked at by the sweep.
func (w *watched) under(dir string, depth int) {
	if w.eyes == nil || depth > maxDepth {
		return
	}
	if w.number++; w.number > w.most {
		w.blind(fmt.Sprintf("it has more than %d folders", w.most))
		return
	}
	switch err := w.eyes.Add(dir); {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
		return // gone already, or one that is listed with its fault
	case err != nil:
		w.blind("the system has no room for another watch: " + cause(err))
		return
	}
	list, err := os.ReadDir(dir)
	if err != nil {
		return // it is listed with its fault
	}
	for _, e := range list {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			w.under(filepath.Join(dir, e.Name()), depth+1)
		}
	}
}

// note remembers a change and reports whether it is one of a document.
func (w *watched) note(ev fsnotify.Event) bool {
	name := filepath.Base(ev.Name)
	if ev.Name != w.folder && (strings.HasPrefix(name, ".") || passing(name)) || ev.Op == fsnotify.Chmod {
		return false
	}
	if ev.Op.Has(fsnotify.Create) {
		if info, err := os.Lstat(ev.Name); err == nil && info.IsDir() {
			w.under(ev.Name, strings.Count(strings.TrimPrefix(ev.Name, w.folder), string(filepath.Separator)))
		}
	}
	if ev.Name == w.folder {
		w.whole = true
	}
	if len(w.pending) >= mostPending {
		w.whole = true
	}
	if !w.whole {
		w.pending[ev.Name] = true
	}
	return true
}

// changedToSight reports whether names, sizes or times below the folder differ from the last poll.
func (w *watched) changedToSight(ctx context.Context) bool {
	now := w.look(ctx)
	was := w.sight
	w.sight = now
	return was != now
}

// look reduces names, sizes and times below the folder to a number, never 0.
func (w *watched) look(ctx context.Context) uint64 {
	h := fnv.New64a()
	walk := &walker{ctx: ctx, root: w.folder, base: "", problem: func(p Problem) { _, _ = io.WriteString(h, p.Why) }, shallow: true}
	walk.yield = func(f file) error {
		_, _ = fmt.Fprintf(h, "%s\x00%d %d %s\n", f.location, f.size, f.mtime, f.refused) // a hash takes everything
		return nil
	}
	if err := walk.walk(); err != nil {
		_, _ = io.WriteString(h, cause(err))
	}
	return h.Sum64() | 1
}

// update reads what is pending. It returns after what time it wants to be called again, 0 for not before the next change.
func (w *watched) update(ctx context.Context) time.Duration {
	paths := make([]string, 0, len(w.pending))
	for p := range w.pending {
		paths = append(paths, p)
	}
	sort.Strings(paths)
	whole := w.whole
	if !whole && len(paths) == 0 && !w.unset {
		return 0
	}
	if _, err := resolve(w.folder); err != nil {
		w.pending, w.whole, w.since = map[string]bool{}, true, time.Time{}
		w.said(WatchNews{Fault: err.Error()})
		w.blind("it is not there") // and looked for at every poll
		return 0
	}
	if w.eyes == nil && !w.opt.Poll && w.polled == "it is not there" {
		w.open()
	}
	if whole || w.eyes == nil {
		w.sight = w.look(ctx) // before it is read: a change meanwhile is then seen at the next poll
	}
	var did Ingest
	var err error
	if whole {
		did, err = w.lib.Add(ctx, w.folder)
	} else {
		did, err = w.lib.Update(ctx, w.folder, paths)
	}
	if ctx.Err() != nil {
		return 0
	}
	var held *LockedError
	if errors.As(err, &held) {
		return w.opt.Quiet // it stays pending
	}
	for _, p := range paths {
		delete(w.pending, p)
	}
	w.whole, w.since = false, time.Time{}
	if err != nil {
		w.whole = true // at the next poll or change
		w.said(WatchNews{Fault: err.Error()})
		return 0
	}
	n := WatchNews{}
	if did.Added+did.Changed+did.Removed > 0 || did.Rebuilt {
		n.Did, n.Last = &did, did.Last
	}
	w.said(n)
	if whole {
		w.unset = false
		return 0
	}
	settled := !w.unset && n.Did == nil
	w.unset = n.Did != nil
	if settled || len(paths) > 0 && n.Did == nil {
		return 0
	}
	return w.opt.Quiet * 4 // then copies are settled
}

// said tells of the folder.
func (w *watched) said(n WatchNews) {
	w.fault = n.Fault
	n.Folder, n.Polled, n.Why = w.folder, w.eyes == nil, w.polled
	if n.Polled && n.Why != "" {
		n.Why = fmt.Sprintf("%s is looked at every %s, because %s.", filepath.Base(w.folder), w.opt.Look, n.Why)
	}
	w.tell(n)
}
