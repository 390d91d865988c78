package desk

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"assay/engine/document"
	"assay/engine/library"
	"assay/engine/research"
)

// LibraryFolder is a line of the list of libraries.
type LibraryFolder struct {
	Folder string `json:"folder"` // absolute
	Files  int    `json:"files"`
	Unread int    `json:"unread"` // of Files: not read
	Fault  string `json:"fault"`  // why nothing can be said; empty when all is well
	// Problems are the first of the Unread, with the reasons.
	Problems []library.Problem `json:"problems"`
}

// maxListed is how many unread files of a folder are listed.
const maxListed = 1000

// Formats says which formats of files are read, with the endings of their names.
const Formats = document.Formats

// books is the one index of this home, opened when it is first needed, because opening makes its folder.
type books struct {
	mu   sync.Mutex
	lib  *library.Library
	tell map[int]func(IngestTick) // who hears of progress
	next int
}

// library returns the index of this home.
func (d *Desk) library() (*library.Library, error) {
	d.books.mu.Lock()
	defer d.books.mu.Unlock()
	if d.books.lib == nil {
		lib, err := library.Open(filepath.Join(d.dirs.Data, "library"), library.Options{
			Document: d.documentOptions(),
			Progress: d.books.progress,
		})
		if err != nil {
			return nil, err
		}
		d.books.lib = lib
	}
	return d.books.lib, nil
}

func (d *Desk) documentOptions() document.Options {
	return document.Options{Cache: filepath.Join(d.dirs.Cache, "pdf")}
}

// progress passes a step of an ingestion to everyone who waits for its folder.
func (b *books) progress(p library.Progress) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, fn := range b.tell {
		fn(IngestTick{Folder: p.Folder, Done: p.Files, Total: p.Total, Passages: p.Passages, File: p.Location})
	}
}

// listen calls fn with every step until the returned function is called. fn must not block.
func (b *books) listen(fn func(IngestTick)) (stop func()) {
	if fn == nil {
		return func() {}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.tell == nil {
		b.tell = map[int]func(IngestTick){}
	}
	n := b.next
	b.next++
	b.tell[n] = fn
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.tell, n)
	}
}

// ingest brings folders up to date in the index and returns what was done, a folder each; with an error, the last is what was
// done before it.
// While another program updates the index it waits; busy, when not nil, is told once by whom it is held.
func (d *Desk) ingest(ctx context.Context, folders []string, tell func(IngestTick), busy func(string)) (*library.Library, []library.Ingest, error) {
	lib, err := d.library()
	if err != nil {
		return nil, nil, err
	}
	defer d.books.listen(tell)()
	var done []library.Ingest
	for _, folder := range folders {
		var got library.Ingest
		err := patiently(ctx, busy, func() (err error) {
			got, err = lib.Add(ctx, folder)
			return err
		})
		done = append(done, got)
		if err != nil {
			return nil, done, fmt.Errorf("read library %s: %w", folder, err)
		}
	}
	return lib, done, nil
}

// lockPoll is the pause between two tries for an index that another program holds; each try waits for its lock itself.
const lockPoll = 200 * time.Millisecond

// patiently does fn again until no other program holds the index, or ctx ends. busy may be nil and is called at most once.
func patiently(ctx context.Context, busy func(string), fn func() error) error {
	for {
		err := fn()
		var held *library.LockedError
		if !errors.As(err, &held) {
			return err
		}
		if busy != nil {
			who := "another program"
			if held.PID > 0 {
				who = fmt.Sprintf("process %d", held.PID)
			}
			busy("The library is in use by " + who + "; waiting until it has finished.")
			busy = nil
		}
		select {
		case <-time.After(lockPoll):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// patient is the libraries of a run, which other runs may update meanwhile.
type patient struct{ *library.Scope }

// Search implements the engine's Provider.
func (p patient) Search(ctx context.Context, q research.Query) (hits []research.Hit, err error) {
	err = patiently(ctx, nil, func() (err error) {
		hits, err = p.Scope.Search(ctx, q)
		return err
	})
	return hits, err
}

// Read implements the engine's Reader.
func (p patient) Read(ctx context.Context, location string) (doc research.Document, err error) {
	err = patiently(ctx, nil, func() (err error) {
		doc, err = p.Scope.Read(ctx, location)
		return err
	})
	return doc, err
}

// Unread implements the engine's Unreader.
func (p patient) Unread(ctx context.Context, limit int) (docs []research.Document, more int, err error) {
	err = patiently(ctx, nil, func() (err error) {
		docs, more, err = p.Scope.Unread(ctx, limit)
		return err
	})
	return docs, more, err
}

// Libraries lists the folders the person added, in that order.
func (d *Desk) Libraries(ctx context.Context) ([]LibraryFolder, error) {
	folders := d.Settings().Libraries
	list := make([]LibraryFolder, 0, len(folders))
	for _, folder := range folders {
		line := LibraryFolder{Folder: folder, Problems: []library.Problem{}}
		entries, err := d.Documents(ctx, folder)
		if err != nil {
			line.Fault = err.Error()
		}
		line.Files = len(entries)
		for _, e := range entries {
			if e.Fault == "" {
				continue
			}
			if line.Unread++; line.Unread <= maxListed {
				line.Problems = append(line.Problems, library.Problem{Location: e.Location, Why: e.Fault})
			}
		}
		if _, err := checkFolder(folder); err != nil {
			line.Fault = err.Error()
		}
		list = append(list, line)
	}
	return list, nil
}

// Document is a file of a library as the index knows it.
type Document = library.Entry

// Ingest says what reading a folder did.
type Ingest = library.Ingest

// Documents lists the files of a folder of the library.
func (d *Desk) Documents(ctx context.Context, folder string) ([]Document, error) {
	lib, err := d.library()
	if err != nil {
		return nil, err
	}
	return lib.List(ctx, folder)
}

// AddLibrary reads a folder into the index and keeps it as one that research uses by itself. tell may be nil and must not
// block. With an error, the ingestion says what was read before it, which is kept: the next one goes on there.
func (d *Desk) AddLibrary(ctx context.Context, folder string, tell func(IngestTick)) (Ingest, error) {
	abs, err := checkFolder(folder)
	if err != nil {
		return Ingest{}, err
	}
	_, done, err := d.ingest(ctx, []string{abs}, tell, nil)
	if err != nil {
		if len(done) == 0 {
			return Ingest{}, err
		}
		return done[0], err
	}
	err = d.change(func(s *Settings) {
		if !slices.Contains(s.Libraries, abs) {
			s.Libraries = append(s.Libraries, abs)
		}
	})
	return done[0], err
}

// RemoveLibrary takes a folder out of the library. Its documents stay where they are, and so do the runs that used them.
func (d *Desk) RemoveLibrary(ctx context.Context, folder string) error {
	abs, err := filepath.Abs(folder)
	if err != nil {
		return &UsageError{Err: err}
	}
	if !slices.Contains(d.Settings().Libraries, abs) {
		return usage("folder %s: it is not in the library: list what is with assay library list", folder)
	}
	lib, err := d.library()
	if err != nil {
		return err
	}
	return errors.Join(lib.Remove(ctx, abs), d.change(func(s *Settings) {
		s.Libraries = slices.DeleteFunc(s.Libraries, func(f string) bool { return f == abs })
	}))
}

// LibrarySearch is a question to the library.
type LibrarySearch struct {
	Words string
	Limit int
	// Folder narrows it to one; if empty, all are searched.
	Folder string
	// Told, when set, hears how the library was searched: by words alone, and why, or by meaning too.
	Told func(string)
}

// SearchLibrary returns the passages of the added folders that match best, by words and, where there are vectors, by meaning.
func (d *Desk) SearchLibrary(ctx context.Context, q LibrarySearch) ([]research.Hit, error) {
	folders := d.Settings().Libraries
	if len(folders) == 0 {
		return nil, usage("the library is empty: add a folder with assay library add DIR")
	}
	if q.Folder != "" {
		folders = []string{q.Folder}
	}
	lib, err := d.library()
	if err != nil {
		return nil, err
	}
	scope, err := lib.Within(folders...)
	if err != nil {
		return nil, err
	}
	told := func(text string) {
		if q.Told != nil {
			q.Told(text)
		}
	}
	e, err := d.wire.embed(ctx, true)
	var none *wordsAlone
	switch {
	case errors.As(err, &none):
		told("Searched by words alone, because " + none.why + ".")
	case err != nil:
		return nil, err
	default:
		defer e.close()
		alone := false
		scope.Meaning(e, func(why string) { alone = true; told(why) })
		defer func() {
			if !alone {
				told("Searched by words and by meaning, with " + e.Name() + ".")
			}
		}()
	}
	return scope.Search(ctx, research.Query{Text: q.Words, Limit: q.Limit})
}
