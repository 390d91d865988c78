package app

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assay/app/desk"
)

// The library as the page sees it. Reading a folder takes a while, so AddFolder returns when it has begun.

// Bounds of what is sent to the page.
const (
	maxUnread = 2000 // files of one folder that could not be read
	maxHits   = 60
)

// addWait is how long AddFolder waits for a fault that shows at once, such as a folder that is not there.
const addWait = 400 * time.Millisecond

// Places lists the folders of the library, those that are being read included.
func (a *API) Places() (places []Place, err error) {
	defer recovered(&err)
	places = []Place{}
	ctx, d, err := a.open()
	if err != nil {
		return places, err
	}
	list, err := d.Libraries(ctx)
	if err != nil {
		return places, err
	}
	busy, watched := a.readingNow(), d.Watched()
	for _, l := range list {
		p := Place{Name: filepath.Base(l.Folder), Dir: l.Folder, Files: l.Files, State: "ready", Unread: []UnreadFile{}}
		if l.Fault != "" {
			p.State, p.Detail = "faulty", l.Fault
		}
		if w, ok := watched[l.Folder]; ok {
			p.Watch, p.Why = "told", w.Why
			if w.Polled {
				p.Watch = "looks"
			}
			if w.Fault != "" {
				p.Why = w.Fault
			}
			_, p.Last, _ = strings.Cut(w.Last, "/")
			p.LastMs = w.ChangedMs
		}
		if l.Unread > 0 {
			p.Unread = unread(ctx, d, l.Folder)
		}
		if b, ok := busy[l.Folder]; ok {
			p.State, p.Done, p.Total, p.Detail = b.State, b.Done, b.Total, b.Detail
			delete(busy, l.Folder)
		}
		places = append(places, p)
	}
	for _, dir := range sortedKeys(busy) {
		places = append(places, busy[dir])
	}
	return places, nil
}

// LibrarySettings returns how the library is kept up to date and searched.
func (a *API) LibrarySettings() (s desk.LibrarySettings, err error) {
	defer recovered(&err)
	_, d, err := a.open()
	if err != nil {
		return s, err
	}
	return d.Settings().Library, nil
}

// SetLibrary sets one of them: "watch" to "on" or "off", "meaning" to "auto", "off" or the name of a model.
func (a *API) SetLibrary(name, value string) (err error) {
	defer recovered(&err)
	ctx, d, err := a.open()
	if err != nil {
		return err
	}
	if err := d.SetLibrary(name, value); err != nil {
		return err
	}
	a.outside.emit(ctx, eventLibrary, nil)
	return nil
}

// watchLibrary keeps the folders up to date while the window is open. What hinders stands in their lines.
func (a *API) watchLibrary(ctx context.Context, d *desk.Desk) {
	a.work.Go(func() {
		var err error
		defer recovered(&err)
		_ = d.WatchLibrary(ctx, func(desk.WatchedFolder) { a.tellSoon(ctx) }) // without a library nothing is watched; adding a folder says why
	})
}

// readingNow is a copy of what is being read or could not be.
func (a *API) readingNow() map[string]Place {
	a.mu.Lock()
	defer a.mu.Unlock()
	out := map[string]Place{}
	for dir, p := range a.reading {
		out[dir] = *p
	}
	return out
}

// unread lists the files of a folder that have no text, with the reason.
func unread(ctx context.Context, d *desk.Desk, folder string) []UnreadFile {
	out := []UnreadFile{}
	docs, err := d.Documents(ctx, folder)
	if err != nil {
		return out // the folder's line says so
	}
	for _, doc := range docs {
		if doc.Fault != "" && len(out) < maxUnread {
			out = append(out, UnreadFile{Path: strings.TrimPrefix(doc.Location, filepath.Base(folder)+"/"), Why: doc.Fault})
		}
	}
	return out
}

// AddFolder begins to read a folder into the library and returns its line. A fault that shows at once is returned; one that
// comes later stands in the line.
func (a *API) AddFolder(dir string) (p Place, err error) {
	defer recovered(&err)
	ctx, d, err := a.open()
	if err != nil {
		return p, err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return p, err
	}
	p = Place{Name: filepath.Base(dir), Dir: dir, State: "reading", Unread: []UnreadFile{}}
	if !a.beginReading(p) {
		return p, errors.New("this folder is being read already")
	}
	fault := make(chan error, 1)
	a.work.Go(func() {
		var err error
		defer func() {
			a.endReading(ctx, dir, err)
			fault <- err
		}()
		defer recovered(&err)
		_, err = d.AddLibrary(ctx, dir, func(t desk.IngestTick) { a.tellReading(ctx, dir, t) })
	})
	select {
	case err = <-fault:
		a.drop(dir) // it is told at once
		return p, err
	case <-time.After(addWait):
		return p, nil
	}
}

func (a *API) beginReading(p Place) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if was := a.reading[p.Dir]; was != nil && was.State == "reading" {
		return false
	}
	a.reading[p.Dir] = &p
	return true
}

// endReading takes the folder off the list of what is read, or leaves it there with what went wrong.
func (a *API) endReading(ctx context.Context, dir string, err error) {
	a.mu.Lock()
	if p := a.reading[dir]; p != nil && err != nil {
		p.State, p.Detail = "faulty", err.Error()
	} else {
		delete(a.reading, dir)
	}
	a.mu.Unlock()
	if ctx.Err() == nil {
		a.outside.emit(ctx, eventLibrary, nil)
	}
}

// tellReading notes a step and tells the page soon. It does not block.
func (a *API) tellReading(ctx context.Context, dir string, t desk.IngestTick) {
	a.mu.Lock()
	defer a.mu.Unlock()
	p := a.reading[dir]
	if p == nil {
		return
	}
	p.Done, p.Total = t.Done, t.Total
	a.tellLocked(ctx)
}

// tellSoon tells the page soon that the list of folders changed. It does not block.
func (a *API) tellSoon(ctx context.Context) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.tellLocked(ctx)
}

func (a *API) tellLocked(ctx context.Context) {
	if a.news != nil {
		return // a word is due already
	}
	a.news = time.AfterFunc(libraryEvery, func() {
		a.mu.Lock()
		a.news = nil
		a.mu.Unlock()
		if ctx.Err() == nil {
			a.outside.emit(ctx, eventLibrary, nil)
		}
	})
}

// drop forgets a folder that could not be read, and reports whether there was one.
func (a *API) drop(dir string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	p := a.reading[dir]
	if p == nil || p.State != "faulty" {
		return false
	}
	delete(a.reading, dir)
	return true
}

// RemoveFolder takes a folder out of the library and says what remains.
func (a *API) RemoveFolder(dir string) (left string, err error) {
	defer recovered(&err)
	ctx, d, err := a.open()
	if err != nil {
		return "", err
	}
	// A folder that could not be read was never kept.
	if !a.drop(dir) || slices.Contains(d.Settings().Libraries, dir) {
		if err := d.RemoveLibrary(ctx, dir); err != nil {
			return "", err
		}
	}
	a.outside.emit(ctx, eventLibrary, nil)
	return filepath.Base(dir) + " is no longer searched. Its files are where they were, and so are the runs that used them.", nil
}

// keptPlace stands, where a folder is named, for the pages of the web that runs have kept.
const keptPlace = "kept pages"

// keptHits adds the passages of kept pages.
func keptHits(ctx context.Context, d *desk.Desk, words string, f *Found) error {
	hits, err := d.SearchKept(ctx, words, maxHits)
	for _, h := range hits {
		f.Hits = append(f.Hits, FoundPassage{Title: h.Title, Location: h.Location, Place: h.Run, Text: h.Snippet, Start: h.Start, End: h.End})
	}
	return err
}

// SearchLibrary returns the passages that match words, of one folder, of the kept pages for "kept pages", or, for an empty dir, of all
// folders.
func (a *API) SearchLibrary(words, dir string) (f Found, err error) {
	defer recovered(&err)
	f.Hits = []FoundPassage{}
	ctx, d, err := a.open()
	if err != nil {
		return f, err
	}
	began := time.Now()
	if dir == keptPlace {
		err = keptHits(ctx, d, words, &f)
		f.TookMs, f.Places = time.Since(began).Milliseconds(), 1
		return f, err
	}
	hits, err := d.SearchLibrary(ctx, desk.LibrarySearch{Words: words, Limit: maxHits, Folder: dir, Told: func(how string) { f.How = how }})
	if err != nil {
		return f, err
	}
	f.TookMs, f.Places = time.Since(began).Milliseconds(), len(d.Settings().Libraries)
	if dir != "" {
		f.Places = 1
	}
	for _, h := range hits {
		place, _, _ := strings.Cut(h.Location, "/")
		f.Hits = append(f.Hits, FoundPassage{Title: h.Title, Location: h.Location, Place: place, Text: h.Snippet, Start: h.Start, End: h.End})
	}
	return f, nil
}
