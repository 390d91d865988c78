package desk

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	"assay/engine/document"
	"assay/engine/library"
	"assay/engine/research"
)

// LibraryFolder is a line of the list of libraries.
type LibraryFolder struct {
	Folder string `json:"folder"` // absolute
	Files  int    `json:"files"`
	Unread int    `json:"unread"` // of Files: without text
	Fault  string `json:"fault"`  // why nothing can be said; empty when all is well
}

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
		fn(IngestTick{Folder: p.Folder, Done: p.Files, File: p.Location})
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

// ingest brings folders up to date in the index and returns what was done, a folder each.
func (d *Desk) ingest(ctx context.Context, folders []string, tell func(IngestTick)) (*library.Library, []library.Ingest, error) {
	lib, err := d.library()
	if err != nil {
		return nil, nil, err
	}
	defer d.books.listen(tell)()
	var done []library.Ingest
	for _, folder := range folders {
		got, err := lib.Add(ctx, folder)
		if err != nil {
			return nil, done, fmt.Errorf("read library %s: %w", folder, err)
		}
		done = append(done, got)
	}
	return lib, done, nil
}

// Libraries lists the folders the person added, in that order.
func (d *Desk) Libraries(ctx context.Context) ([]LibraryFolder, error) {
	folders := d.Settings().Libraries
	list := make([]LibraryFolder, 0, len(folders))
	for _, folder := range folders {
		line := LibraryFolder{Folder: folder}
		entries, err := d.Documents(ctx, folder)
		if err != nil {
			line.Fault = err.Error()
		}
		line.Files = len(entries)
		for _, e := range entries {
			if e.Fault != "" {
				line.Unread++
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
// block.
func (d *Desk) AddLibrary(ctx context.Context, folder string, tell func(IngestTick)) (Ingest, error) {
	abs, err := checkFolder(folder)
	if err != nil {
		return Ingest{}, err
	}
	_, done, err := d.ingest(ctx, []string{abs}, tell)
	if err != nil {
		return Ingest{}, err
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

// SearchLibrary returns the passages of the added folders that match words best.
func (d *Desk) SearchLibrary(ctx context.Context, words string, limit int) ([]research.Hit, error) {
	folders := d.Settings().Libraries
	if len(folders) == 0 {
		return nil, usage("the library is empty: add a folder with assay library add DIR")
	}
	lib, err := d.library()
	if err != nil {
		return nil, err
	}
	scope, err := lib.Within(folders...)
	if err != nil {
		return nil, err
	}
	return scope.Search(ctx, research.Query{Text: words, Limit: limit})
}
