package library

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"assay/engine/document"
	"assay/engine/research"
)

const (
	// A batch is committed when it holds so many passages or files, or after commitEvery. Measured: bleve takes 6 ms for a
	// batch of 50 and 9 ms for a single entry, so batches are large; a kill loses at most one.
	batchPassages = 4000
	batchFiles    = 500
	commitEvery   = time.Second
	// listedAhead is how many files are listed before they are read, so that it is known early how many there are.
	listedAhead = 1 << 16
	// partPassages is how many passages of one large file are committed at a time. A commit cannot be cancelled.
	partPassages = 1000
	// freshFile is the age below which a modification time is not trusted: a file system may give a later write the same.
	freshFile = 2 * time.Second
	// maxProblems bounds the list of an ingestion; the rest is counted.
	maxProblems = 1000
)

// Ingest says what an ingestion did.
type Ingest struct {
	Folder    string `json:"folder"`
	Files     int    `json:"files"`     // documents found
	Added     int    `json:"added"`     // read for the first time
	Changed   int    `json:"changed"`   // read again
	Unchanged int    `json:"unchanged"` // not read
	Removed   int    `json:"removed"`   // vanished since the last time
	Unread    int    `json:"unread"`    // of Files: not read, with the reason in Problems
	Skipped   int    `json:"skipped"`   // pictures, style sheets and the like beside the documents; not in Files
	// Kinds counts the Skipped by their endings, such as ".png"; a few dozen endings at most, and "others".
	Kinds    map[string]int `json:"kinds,omitempty"`
	Passages int            `json:"passages"` // indexed now
	Pages    int            `json:"pages"`    // of the documents read now; one for a document without pages
	Bytes    int64          `json:"bytes"`    // of the files read now
	Rebuilt  bool           `json:"rebuilt"`  // the index was damaged or of another version
	// Last is the location that was added, changed or removed last; empty when nothing was.
	Last     string    `json:"last,omitempty"`
	Problems []Problem `json:"problems,omitempty"`
	// MoreProblems counts those that Problems, which holds a thousand, left out.
	MoreProblems int `json:"more_problems,omitempty"`
}

func (g *Ingest) problem(p Problem) {
	if len(g.Problems) >= maxProblems {
		g.MoreProblems++
		return
	}
	g.Problems = append(g.Problems, p)
}

// Add reads the folder into the library: new and changed files are read, unchanged ones are left, vanished ones are taken
// out. A file that cannot be read is listed with the reason and does not end the ingestion. Doing it twice changes nothing.
// When the index is damaged it is built again, with all folders of the library that still exist. It returns [*LockedError]
// when another process holds the index for more than two seconds. What was committed before an error or a cancellation
// stays.
func (l *Library) Add(ctx context.Context, folder string) (Ingest, error) {
	path, err := resolve(folder)
	if err != nil {
		return Ingest{Folder: folder}, err
	}
	var out Ingest
	err = l.update(ctx, func(x *index, f *folders, rebuilt bool) error {
		out, err = l.addIn(ctx, x, f, path, rebuilt)
		return err
	})
	out.Folder = path
	return out, err
}

// addIn is Add with the index open; of one that was built anew all folders are read.
func (l *Library) addIn(ctx context.Context, x *index, f *folders, path string, rebuilt bool) (Ingest, error) {
	entry := f.baseFor(path)
	if err := l.writeFolders(*f); err != nil {
		return Ingest{}, err
	}
	if rebuilt {
		for _, e := range f.Folders {
			if _, err := resolve(e.Path); err == nil && e != entry {
				if _, err := l.ingest(ctx, x, e); err != nil {
					return Ingest{}, err
				}
			}
		}
	}
	out, err := l.ingest(ctx, x, entry)
	out.Rebuilt = rebuilt
	return out, err
}

// Refresh is Add for every folder of the library. A folder that is gone, as an unplugged disk is, keeps its entries.
func (l *Library) Refresh(ctx context.Context) ([]Ingest, error) {
	var out []Ingest
	err := l.update(ctx, func(x *index, f *folders, rebuilt bool) error {
		for _, e := range f.Folders {
			if _, err := resolve(e.Path); err != nil {
				out = append(out, Ingest{Folder: e.Path, Problems: []Problem{{e.Base, err.Error()}}})
				continue
			}
			g, err := l.ingest(ctx, x, e)
			g.Folder, g.Rebuilt = e.Path, rebuilt
			out = append(out, g)
			if err != nil {
				return err
			}
		}
		return nil
	})
	return out, err
}

// Remove takes a folder, named by its path or its base, out of the library. The documents themselves are not touched.
func (l *Library) Remove(ctx context.Context, folder string) error {
	gone, err := l.bases(folder)
	if err != nil {
		return err
	}
	if folder == "" {
		return errors.New("library: no folder named; say which one to remove")
	}
	return l.update(ctx, func(x *index, f *folders, _ bool) error {
		recs, err := x.records(ctx, gone[0].Base, false)
		if err != nil {
			return err
		}
		w := &writer{x: x, batch: x.NewBatch(), base: gone[0].Base, settled: true}
		for _, r := range recs {
			w.drop(r)
			if err := w.commit(false); err != nil {
				return err
			}
		}
		if err := w.commit(true); err != nil {
			return err
		}
		f.Folders = slices.DeleteFunc(f.Folders, func(e Folder) bool { return e.Path == gone[0].Path })
		if err := l.writeFolders(*f); err != nil {
			return err
		}
		return l.sweep(ctx, x, *f)
	})
}

// update runs fn with the index open for writing, built anew when it is damaged or of another version.
func (l *Library) update(ctx context.Context, fn func(x *index, f *folders, rebuilt bool) error) error {
	l.writing.Lock()
	defer l.writing.Unlock()
	f, err := l.readFolders()
	if err != nil {
		return err
	}
	stale := f.Format != formatVersion
	x, done, err := l.ix.open(ctx, stale)
	if errors.Is(err, ErrDamaged) {
		stale = true
		x, done, err = l.ix.open(ctx, true)
	}
	if err != nil {
		return err
	}
	defer func() { done() }()
	f.Format = formatVersion
	err = guarded(func() error { return fn(x, &f, stale) })
	if !errors.Is(err, ErrDamaged) || stale {
		return err
	}
	// The damage showed only in use: once more on an empty index.
	done()
	if x, done, err = l.ix.open(ctx, true); err != nil {
		done = func() {}
		return err
	}
	return guarded(func() error { return fn(x, &f, true) })
}

// read is what became of one file.
type read struct {
	file
	old      *record
	rec      *record // nil when the file is unchanged
	passages []research.Passage
	pages    int
}

// ingest brings the entries of one folder up to date.
func (l *Library) ingest(ctx context.Context, x *index, folder Folder) (Ingest, error) {
	recs, err := x.records(ctx, folder.Base, false)
	if err != nil {
		return Ingest{}, err
	}
	g, err := l.ingestWith(ctx, x, folder, recs, (*walker).walk)
	if err != nil {
		return g, err
	}
	if g.Removed+g.Changed > 0 {
		f, err := l.readFolders()
		if err == nil {
			err = l.sweep(ctx, x, f)
		}
		if err != nil {
			return g, err
		}
	}
	return g, l.settleCopies(ctx, x, folder.Base)
}

// ingestWith brings entries of one folder up to date: recs are those that are known, list finds the files that are there. One
// goroutine lists, Workers read, this one commits.
func (l *Library) ingestWith(ctx context.Context, x *index, folder Folder, recs []*record, list func(*walker) error) (Ingest, error) {
	g := Ingest{}
	old := make(map[string]*record, len(recs))
	for _, r := range recs {
		old[r.Location] = r
	}
	workers := l.opt.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	opt := l.opt.Document
	opt.Archives = &document.Archives{}
	defer opt.Archives.Close() // opened for reading only
	files, results := make(chan file, listedAhead), make(chan read)
	var listed atomic.Int64
	walk := &walker{ctx: ctx, root: folder.Path, base: folder.Base}
	var found []Problem
	walk.problem = func(p Problem) { found = append(found, p) }
	work, wctx := errgroup.WithContext(ctx)
	walk.yield = func(f file) error {
		listed.Add(1)
		select {
		case files <- f:
			return nil
		case <-wctx.Done():
			return wctx.Err()
		}
	}
	work.Go(func() error {
		defer close(files)
		return list(walk)
	})
	readers, rctx := errgroup.WithContext(wctx)
	for range workers {
		readers.Go(func() error {
			for f := range files {
				r, err := l.readInTime(rctx, f, old[f.location], opt)
				if err != nil {
					return err
				}
				select {
				case results <- r:
				case <-rctx.Done():
					return rctx.Err()
				}
			}
			return nil
		})
	}
	work.Go(func() error {
		defer close(results)
		return readers.Wait()
	})
	w := &writer{x: x, batch: x.NewBatch(), base: folder.Base, last: time.Now()}
	seen := make(map[string]bool, len(old))
	tell := func(location string, passages int) {
		if l.opt.Progress != nil {
			l.opt.Progress(Progress{Folder: folder.Path, Location: location, Files: g.Files, Total: int(listed.Load()), Passages: g.Passages + passages})
		}
	}
	err := l.commitAll(ctx, w, results, seen, &g, tell)
	for range results { // after an error, until the readers have noticed
	}
	if werr := work.Wait(); werr != nil && err == nil {
		err = werr
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return g, err
	}
	for _, p := range found {
		g.problem(p)
	}
	g.Skipped, g.Kinds = walk.skipped, walk.kinds
	return g, l.dropVanished(w, recs, seen, walk.unlisted, &g)
}

// commitAll takes what the readers read until they are done or the context ends, and commits it in batches. tell is called
// after every file, and while a large one is indexed.
func (l *Library) commitAll(ctx context.Context, w *writer, results <-chan read, seen map[string]bool, g *Ingest, tell func(location string, passages int)) error {
	var unread []Problem
	for r := range results {
		seen[r.location] = true
		same, err := w.sameFault(r)
		if err != nil {
			return err
		}
		if r.rec != nil && !same {
			if err := w.put(ctx, r, func(n int) { tell(r.location, n) }); err != nil {
				if ctx.Err() != nil { // what was put before is kept
					err = errors.Join(w.commit(true), ctx.Err())
				}
				return err
			}
		}
		g.Files++
		switch {
		case r.rec == nil, same:
			g.Unchanged++
		case r.old == nil:
			g.Added, g.Last = g.Added+1, r.location
		default:
			g.Changed, g.Last = g.Changed+1, r.location
		}
		if r.rec != nil {
			g.Passages += len(r.passages)
			g.Bytes += r.size
			g.Pages += r.pages
			if r.rec.doc.Fault != "" {
				unread = append(unread, Problem{r.location, r.rec.doc.Fault})
			}
			if err := w.commit(false); err != nil {
				return err
			}
		}
		tell(r.location, 0)
	}
	if err := ctx.Err(); err != nil {
		return errors.Join(w.commit(true), err) // what was read is kept
	}
	sort.Slice(unread, func(i, j int) bool { return unread[i].Location < unread[j].Location })
	for _, p := range unread {
		g.problem(p)
	}
	g.Unread = len(unread)
	return w.commit(true)
}

// dropVanished takes out the entries of files that are no longer there. Those below a folder that could not be listed stay.
func (l *Library) dropVanished(w *writer, recs []*record, seen map[string]bool, unlisted []string, g *Ingest) error {
	for _, r := range recs {
		if seen[r.Location] || slices.ContainsFunc(unlisted, func(u string) bool { return r.Location == u || strings.HasPrefix(r.Location, u+"/") }) {
			continue
		}
		w.drop(r)
		g.Removed++
		if g.Added+g.Changed == 0 {
			g.Last = r.Location
		}
		if err := w.commit(false); err != nil {
			return err
		}
	}
	return w.commit(true)
}

// sweep deletes the kept texts that no entry names.
func (l *Library) sweep(ctx context.Context, x *index, f folders) error {
	keep := map[string]bool{}
	for _, e := range f.Folders {
		recs, err := x.records(ctx, e.Base, false)
		if err != nil {
			return err
		}
		for _, r := range recs {
			keep[r.Text] = true
		}
	}
	return l.texts().sweep(keep)
}

// readInTime is readFile that returns as soon as the context ends. What it was doing to a large file then comes to its own end,
// within seconds, and changes nothing.
func (l *Library) readInTime(ctx context.Context, f file, old *record, opt document.Options) (read, error) {
	type result struct {
		read
		err error
	}
	done := make(chan result, 1)
	go func() {
		r, err := l.readFile(ctx, f, old, opt)
		done <- result{r, err}
	}()
	select {
	case r := <-done:
		return r.read, r.err
	case <-ctx.Done():
		return read{}, ctx.Err()
	}
}

// readFile reads a file unless its entry is up to date: same size and time, or same bytes. A fault is kept like a text, so
// that it is listed, but the file is tried again every time: what failed may have been the machine.
func (l *Library) readFile(ctx context.Context, f file, old *record, opt document.Options) (read, error) {
	r := read{file: f, old: old}
	if f.refused != "" {
		r.rec = &record{Location: f.location, state: state{Size: f.size, Mtime: f.mtime}, doc: research.Document{
			Location: f.location, Fault: f.location + " " + f.refused, Verdict: research.Unread}}
		return r, nil
	}
	if old != nil && old.Size == f.size && old.Mtime == f.mtime && f.mtime != 0 && l.kept(old) {
		return r, nil
	}
	limit := opt.MaxBytes
	if limit <= 0 {
		limit = document.MaxBytes
	}
	st := state{Size: f.size, Mtime: f.mtime}
	if time.Since(time.Unix(0, f.mtime)) < freshFile {
		st.Mtime = 0
	}
	if f.size <= limit && !f.page {
		hash, err := hashFile(f.path)
		if err == nil {
			st.Hash = hash
		}
	}
	if old != nil && st.Hash != "" && old.Hash == st.Hash && old.Size == st.Size && l.kept(old) {
		// Only the time differs: the entry is not worth a write, the next ingestion hashes it again.
		return r, nil
	}
	doc, err := document.Read(ctx, f.location, f.path, opt)
	if err != nil {
		return r, err
	}
	r.rec = &record{Location: f.location, doc: doc}
	if !f.page && changedMeanwhile(f, st) {
		st.Mtime, st.Hash = 0, "" // what was read may be of neither state: the next ingestion reads it again
	}
	r.rec.state = st
	if doc.Fault != "" {
		return r, nil
	}
	if err := ctx.Err(); err != nil {
		return r, err
	}
	r.passages = document.Passages(doc, "")
	r.pages = max(1, len(doc.Pages))
	r.rec.Text = doc.SHA256
	for _, p := range r.passages {
		r.rec.Spans = append(r.rec.Spans, research.Span{Start: p.Start, End: p.End})
	}
	if err := ctx.Err(); err != nil {
		return r, err
	}
	return r, l.texts().put(doc.SHA256, doc.Text)
}

// kept reports whether the clean text of an entry is still there, and undamaged: a run would miss the document in silence.
// An entry with a fault has none.
func (l *Library) kept(r *record) bool {
	if r.Text == "" {
		return false
	}
	_, err := l.texts().get(r.Text)
	return err == nil
}
