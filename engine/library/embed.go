package library

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"time"
	"unicode/utf8"

	"assay/engine/document"
	"assay/engine/research"
)

// Embedder gives vectors.
type Embedder interface {
	// Embed returns one vector a text, in order, all of one length. An error that wraps [research.ErrTooLong] says that a text is
	// longer than the model reads.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
	// Name says whose vectors they are. Those of two names cannot be compared.
	Name() string
}

const (
	// partVectors is how many passages of a text are kept at a time: a kill loses at most so many.
	partVectors = 128
	// leastEmbedded is the length, in bytes, below which a text that is too long for the model is not halved any more.
	leastEmbedded = 64
	// deadShare is the share of vectors without a location above which the file is written anew.
	deadShare = 0.5
	leastDead = 1000
)

// Embed gives the passages of the library that have no vector of e's one, and forgets what is no longer in the library. It can be
// stopped at any moment, and goes on there. Vectors of another model are deleted: they cannot be compared. tell, which may be nil,
// is called after every step. It returns [*LockedError] when another process does the same.
func (l *Library) Embed(ctx context.Context, e Embedder, tell func(Meant)) (Meant, error) {
	m := Meant{Model: e.Name()}
	if len(m.Model) > maxModelName {
		return m, fmt.Errorf("library: the name of the embedding model is %d bytes long", len(m.Model))
	}
	if err := os.MkdirAll(l.vectorsDir(), 0o700); err != nil {
		return m, diskFault("keep vectors", err)
	}
	release, err := l.vectorsTurn(ctx)
	if err != nil {
		return m, err
	}
	defer release()
	live, err := l.live(ctx)
	if err != nil {
		return m, err
	}
	w, err := l.openForVectors(m.Model)
	if err != nil {
		return m, err
	}
	defer func() { w.close() }()
	if err := w.place(live); err != nil {
		return m, err
	}
	if err := l.compact(w); err != nil {
		return m, err
	}
	for _, t := range live {
		m.Passages += t.passages
		m.Have += min(w.s.count[t.sha], t.passages)
	}
	if tell != nil {
		tell(m)
	}
	for _, t := range live {
		if w.s.count[t.sha] >= t.passages {
			continue
		}
		if err := l.embedText(ctx, e, w, t, func(n int) {
			m.Have = min(m.Have+n, m.Passages)
			if tell != nil {
				tell(m)
			}
		}); err != nil {
			return m, errors.Join(err, w.sync())
		}
	}
	m.Bytes = w.s.good
	return m, w.sync()
}

// Meant says how far the vectors of a model go, without asking it.
func (l *Library) Meant(ctx context.Context, model string) (Meant, error) {
	m := Meant{Model: model}
	live, err := l.live(ctx)
	if err != nil {
		return m, err
	}
	s, f, err := l.openVectors(model, nil)
	if err != nil {
		return m, err
	}
	if f != nil {
		_ = f.Close() // read only
	}
	for _, t := range live {
		m.Passages += t.passages
		m.Have += min(s.count[t.sha], t.passages)
	}
	m.Bytes = s.good
	return m, nil
}

// vectorsTurn waits up to lockWait for the right to write vectors.
func (l *Library) vectorsTurn(ctx context.Context) (func(), error) {
	for deadline := time.Now().Add(lockWait); ; {
		release, held, err := takeTurn(filepath.Join(l.vectorsDir(), "lock"))
		if err != nil {
			return nil, diskFault("keep vectors", err)
		}
		if !held {
			return release, nil
		}
		if time.Now().After(deadline) {
			return nil, &LockedError{}
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// liveText is a text of the library.
type liveText struct {
	location string
	sha      textHash
	passages int
}

// live lists the locations that have a text.
func (l *Library) live(ctx context.Context) ([]liveText, error) {
	f, err := l.Folders()
	if err != nil {
		return nil, err
	}
	var out []liveText
	err = l.ix.read(ctx, func(x *index) error {
		for _, b := range f {
			recs, err := x.records(ctx, b.Base, false)
			if err != nil {
				return err
			}
			for _, r := range recs {
				if sha, ok := hashOf(r.Text); ok {
					out = append(out, liveText{r.Location, sha, len(r.Spans) + len(r.Copies)})
				}
			}
		}
		return nil
	})
	sort.Slice(out, func(i, j int) bool { return out[i].location < out[j].location })
	return out, err
}

// vectorsWriter appends blocks.
type vectorsWriter struct {
	f *os.File
	s *shelved
}

// openForVectors opens a model's file for appending: what is torn at its end is cut off, and the files of other models go.
func (l *Library) openForVectors(model string) (*vectorsWriter, error) {
	path := l.vectorsFile(model)
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, diskFault("keep vectors", err)
	}
	w := &vectorsWriter{f: f}
	if w.s, err = readShelved(f, model, nil); err == nil {
		err = f.Truncate(w.s.good)
	}
	if err == nil {
		_, err = f.Seek(w.s.good, 0)
	}
	if err == nil && w.s.good == 0 {
		head := vectorsHead(model)
		_, err = f.Write(head)
		w.s.good = int64(len(head))
	}
	if err != nil {
		w.close()
		return nil, diskFault("keep vectors", err)
	}
	others, err := filepath.Glob(filepath.Join(l.vectorsDir(), "*.vec"))
	if err != nil {
		return nil, err
	}
	for _, o := range others {
		if o != path {
			_ = os.Remove(o) // one that stays is in nobody's way
		}
	}
	return w, nil
}

func (w *vectorsWriter) close() { _ = w.f.Close() } // what was written was synced before

func (w *vectorsWriter) sync() error {
	if err := w.f.Sync(); err != nil {
		return diskFault("keep vectors", err)
	}
	return nil
}

func (w *vectorsWriter) append(block []byte) error {
	if _, err := w.f.Write(block); err != nil {
		return diskFault("keep vectors", err)
	}
	w.s.take(block[0], w.s.good+blockHead, block[blockHead:])
	w.s.good += int64(len(block))
	return nil
}

// place writes which text each location has now.
func (w *vectorsWriter) place(live []liveText) error {
	now := make(map[string]bool, len(live))
	for _, t := range live {
		now[t.location] = true
		if w.s.place[t.location] != t.sha {
			if err := w.append(placeBlock(t.location, t.sha)); err != nil {
				return err
			}
		}
	}
	var gone []string
	for location := range w.s.place {
		if !now[location] {
			gone = append(gone, location)
		}
	}
	slices.Sort(gone)
	for _, location := range gone {
		if err := w.append(placeBlock(location, textHash{})); err != nil {
			return err
		}
	}
	return nil
}

// compact writes the file anew without the vectors that no location has, when they are many.
func (l *Library) compact(w *vectorsWriter) error {
	live := w.s.locate()
	if dead := w.s.all - live; dead < leastDead || float64(dead) < deadShare*float64(w.s.all) {
		return nil
	}
	path := l.vectorsFile(w.s.model)
	tmp, err := os.CreateTemp(l.vectorsDir(), ".new-*")
	if err != nil {
		return diskFault("keep vectors", err)
	}
	defer os.Remove(tmp.Name()) // fails when the rename succeeded
	fresh := &vectorsWriter{f: tmp, s: &shelved{model: w.s.model, parts: map[textHash][]part{}, place: map[string]textHash{}, count: map[textHash]int{}}}
	head := vectorsHead(w.s.model)
	_, err = tmp.Write(head)
	fresh.s.good = int64(len(head))
	for _, location := range sortedKeys(w.s.place) {
		if err == nil {
			err = fresh.append(placeBlock(location, w.s.place[location]))
		}
		sha := w.s.place[location]
		if fresh.s.count[sha] > 0 {
			continue
		}
		for _, p := range w.s.parts[sha] {
			b := make([]byte, p.length)
			if err == nil {
				_, err = w.f.ReadAt(b, p.offset)
			}
			if err == nil {
				err = fresh.append(asBlock(blockVectors, b))
			}
		}
	}
	if err == nil {
		err = tmp.Sync()
	}
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return diskFault("keep vectors", err)
	}
	w.close() // some systems rename over no open file
	if err := os.Rename(tmp.Name(), path); err != nil {
		return diskFault("keep vectors", err)
	}
	again, err := l.openForVectors(w.s.model)
	if err != nil {
		return err
	}
	*w = *again
	return nil
}

func sortedKeys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// embedText gives the passages of a text their vectors, from the first that has none. One whose text is lost is left.
func (l *Library) embedText(ctx context.Context, e Embedder, w *vectorsWriter, t liveText, did func(n int)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	doc, err := l.Read(ctx, t.location)
	if err != nil {
		return err
	}
	if sha, ok := hashOf(doc.SHA256); doc.Fault != "" || !ok || sha != t.sha {
		return nil // it has changed since; the next time
	}
	passages := document.Passages(doc, "")
	for from := w.s.count[t.sha]; from < len(passages); {
		some := passages[from:min(from+partVectors, len(passages))]
		texts := make([]string, len(some))
		for i, p := range some {
			texts[i] = bodyOf(p.Text, p.Heading, doc.Title)
		}
		of, err := embedFitting(ctx, e, texts)
		if err != nil {
			return err
		}
		if len(of) != len(texts) {
			return fmt.Errorf("library: %d vectors for %d passages of %s", len(of), len(texts), t.location)
		}
		list := make([]vector, len(of))
		for i, v := range of {
			if len(v) == 0 || len(v) > maxDim || w.s.dim != 0 && len(v) != w.s.dim || len(v) != len(of[0]) {
				return fmt.Errorf("library: the embedding model %s gave a vector of %d numbers after others of %d; remove the folder %s and embed again", e.Name(), len(v), max(w.s.dim, len(of[0])), l.vectorsDir())
			}
			scale, at := quantise(v)
			list[i] = vector{research.Span{Start: some[i].Start, End: some[i].End}, scale, at}
		}
		if err := w.append(vectorsBlock(t.sha, len(of[0]), list)); err != nil {
			return err
		}
		from += len(some)
		did(len(some))
	}
	return nil
}

// embedFitting embeds texts; of one that is too long for the model its beginning, halved until it fits.
func embedFitting(ctx context.Context, e Embedder, texts []string) ([][]float32, error) {
	of, err := e.Embed(ctx, texts)
	if err == nil || !errors.Is(err, research.ErrTooLong) {
		return of, err
	}
	if len(texts) > 1 {
		half := len(texts) / 2
		a, err := embedFitting(ctx, e, texts[:half])
		if err != nil {
			return nil, err
		}
		b, err := embedFitting(ctx, e, texts[half:])
		return append(a, b...), err
	}
	cut := len(texts[0]) / 2
	for cut > 0 && !utf8.RuneStart(texts[0][cut]) {
		cut--
	}
	if cut < leastEmbedded {
		return nil, err
	}
	return embedFitting(ctx, e, []string{strings.TrimSpace(texts[0][:cut])})
}

// DropVectors deletes all vectors.
func (l *Library) DropVectors() error {
	if err := os.RemoveAll(l.vectorsDir()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return diskFault("delete the vectors", err)
	}
	return nil
}
