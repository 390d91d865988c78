package library

import (
	"context"
	"fmt"
	"time"

	"github.com/blevesearch/bleve/v2"
)

// writer collects a batch. An entry and its passages are in one batch, unless they are too many: see put.
type writer struct {
	x        *index
	batch    *bleve.Batch
	base     string
	files    int
	passages int
	last     time.Time // of the last commit; zero when batches are not written by time
	// settled says that the batches are those that settle copies: they do not mark the folder as changed.
	settled bool
}

// sameFault reports whether a file still cannot be read, for the reason that its entry gives.
func (w *writer) sameFault(r read) (bool, error) {
	if r.rec == nil || r.old == nil || r.rec.doc.Fault == "" || r.old.Text != "" || r.old.Hash != r.rec.Hash || r.old.Size != r.rec.Size {
		return false, nil
	}
	old, err := w.x.record(r.location)
	if err != nil || old == nil {
		return false, err
	}
	doc, err := old.document()
	return doc.Fault == r.rec.doc.Fault, err
}

// put adds a file. One with more passages than a batch holds is committed in parts, so that a cancellation is seen in
// between: first an entry that names all its passages but is not up to date, then the passages, then the entry itself. After
// a kill the next ingestion reads the file again and takes out what was there. tell hears after each part how many passages are
// in.
func (w *writer) put(ctx context.Context, r read, tell func(passages int)) error {
	if r.old != nil {
		w.drop(r.old)
	}
	parts := len(r.passages) > batchPassages
	if parts {
		part := *r.rec
		part.Mtime, part.Hash = 0, ""
		if err := w.entry(&part); err != nil {
			return err
		}
	}
	for i, p := range r.passages {
		if err := w.batch.IndexAdvanced(passageDoc(w.base, r.location, r.rec.doc.Title, p)); err != nil {
			return fmt.Errorf("library: index %s: %w", r.location, err)
		}
		if w.passages++; !parts || i%partPassages != partPassages-1 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		w.files++
		if err := w.commit(true); err != nil {
			return err
		}
		tell(i + 1)
	}
	return w.entry(r.rec)
}

// entry adds a file's entry to the batch.
func (w *writer) entry(r *record) error {
	d, err := fileDoc(w.base, r)
	if err != nil {
		return err
	}
	if err := w.batch.IndexAdvanced(d); err != nil {
		return fmt.Errorf("library: index %s: %w", r.Location, err)
	}
	w.files++
	return nil
}

// drop takes out an entry and its passages; a later put of the same identifier in the batch wins.
func (w *writer) drop(r *record) {
	for _, s := range r.Spans {
		w.batch.Delete(passageID(r.Location, s))
	}
	w.batch.Delete(fileID(r.Location))
	w.files++
	w.passages += len(r.Spans)
}

// commit writes the batch when it is full or was begun a while ago, or now.
func (w *writer) commit(now bool) error {
	due := now || w.passages >= batchPassages || w.files >= batchFiles || !w.last.IsZero() && time.Since(w.last) >= commitEvery
	if w.files == 0 || !due {
		return nil
	}
	if !w.settled {
		w.batch.SetInternal(dirtyKey(w.base), []byte{1})
	}
	if err := w.x.Batch(w.batch); err != nil {
		return diskFault("write the index", err)
	}
	// Not Reset: a goroutine of the index may still look at the batch that was handed over.
	w.batch = w.x.NewBatch()
	w.files, w.passages, w.last = 0, 0, time.Now()
	return nil
}
