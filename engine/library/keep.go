package library

import (
	"context"
	"path/filepath"
	"slices"
	"time"

	"assay/engine/document"
	"assay/engine/research"
)

// Page is a document that lies in no folder: its text comes from elsewhere.
type Page struct {
	Location string
	SHA256   string // of its clean text
	// Load gives the document with its text. It is called only for a page that is new or has another text than before. One with a
	// Fault is left out.
	Load func(context.Context) (research.Document, error)
}

// Keep brings pages into the index, under a base of their own, and takes out those that are no longer among them. The location of
// a page is the base, a slash and its Location.
func (l *Library) Keep(ctx context.Context, base string, pages []Page) error {
	return l.update(ctx, func(x *index, f *folders, _ bool) error {
		folder := Folder{Path: filepath.Join(l.dir, "pages", base), Base: base}
		if !slices.Contains(f.Folders, folder) {
			f.Folders = append(f.Folders, folder)
			if err := l.writeFolders(*f); err != nil {
				return err
			}
		}
		recs, err := x.records(ctx, base, false)
		if err != nil {
			return err
		}
		old := make(map[string]*record, len(recs))
		for _, r := range recs {
			old[r.Location] = r
		}
		w := &writer{x: x, batch: x.NewBatch(), base: base, last: time.Now(), settled: true}
		seen := map[string]bool{}
		for _, p := range pages {
			at := base + "/" + p.Location
			if seen[at] {
				continue
			}
			seen[at] = true
			if had := old[at]; had != nil && had.Text == p.SHA256 && l.kept(had) {
				continue
			}
			if err := l.keepPage(ctx, w, old[at], at, p); err != nil {
				return err
			}
		}
		gone := Ingest{}
		if err := l.dropVanished(w, recs, seen, nil, &gone); err != nil || gone.Removed == 0 {
			return err
		}
		return l.sweep(ctx, x, *f)
	})
}

func (l *Library) keepPage(ctx context.Context, w *writer, old *record, at string, p Page) error {
	doc, err := p.Load(ctx)
	if err != nil || doc.Fault != "" {
		return err
	}
	doc.Location = at
	passages := document.Passages(doc, "")
	rec := &record{Location: at, state: state{Size: int64(len(doc.Text)), Text: doc.SHA256}, doc: doc}
	rec.doc.Text = ""
	for _, q := range passages {
		rec.Spans = append(rec.Spans, research.Span{Start: q.Start, End: q.End})
	}
	if err := l.texts().put(doc.SHA256, doc.Text); err != nil {
		return err
	}
	if err := w.put(ctx, read{file: file{location: at}, old: old, rec: rec, passages: passages}, func(int) {}); err != nil {
		return err
	}
	return w.commit(false)
}
