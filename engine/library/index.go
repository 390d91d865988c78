package library

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"sort"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/document"
	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/mapping"
	bleveindex "github.com/blevesearch/bleve_index_api"

	"assay/engine/research"
	"assay/engine/text"
)

// lockWait is how long a locked index is waited for. CONTRACT section 2.
const lockWait = 2 * time.Second

// LockedError says that another process holds the index.
type LockedError struct {
	PID     int // of the holder, 0 when it is not known
	Writing bool
}

// Error names the holder.
func (e *LockedError) Error() string {
	who := "another program"
	if e.PID > 0 {
		who = "process " + strconv.Itoa(e.PID)
	}
	if e.Writing {
		return fmt.Sprintf("the library is being updated by %s; wait until it has finished, or stop it, and try again", who)
	}
	return fmt.Sprintf("the library is in use by %s; try again in a moment", who)
}

// ErrDamaged says that the index cannot be read. The next Add or Refresh builds it again from the documents.
var ErrDamaged = errors.New("the library index is damaged or of another version; add the folder again and it is rebuilt from the documents")

// errEmpty says that there is no index yet.
var errEmpty = errors.New("the library is empty")

// Fields of the index.
const (
	fieldText = "text" // words of a passage, its headings and the title
	fieldBase = "base" // base of the folder, of passages
	fieldFile = "file" // base of the folder, of file entries
	fieldInfo = "info" // stored: state of a file
	fieldDoc  = "doc"  // stored: document of a file
)

// shelf holds the bleve index of a library open while somebody uses it. Within a process an ingestion and searches share
// one writable handle; between processes the index's own file lock decides.
type shelf struct {
	path string

	mu    sync.Mutex
	idx   bleve.Index
	users int
	write bool          // idx is writable
	stuck bool          // opening panicked in this process, which holds the lock of the damaged files for ever
	idle  chan struct{} // closed when the last user of a read-only handle left; nil when nobody waits
}

// index is an open index in use.
type index struct{ bleve.Index }

// read runs fn with the index, opened for reading when it is not open. A new library answers fn's absence: errEmpty is
// turned into nil without calling it. A panic of the index on damaged files is [ErrDamaged].
func (s *shelf) read(ctx context.Context, fn func(*index) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	idx, err := s.acquire()
	if errors.Is(err, errEmpty) {
		return nil
	}
	if err != nil {
		return err
	}
	defer s.release()
	return guarded(func() error { return fn(&index{idx}) })
}

// guarded turns a panic of the index into ErrDamaged: bleve maps its files into memory and trusts what they say.
func guarded(fn func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // a page past the end of a cut file
	defer func() {
		if recover() != nil {
			err = ErrDamaged // what the panic says is of no use to a person
		}
	}()
	return fn()
}

// unreadable gives an error of the index in use its sentence: one that is about neither the context nor the disk is damage.
func unreadable(err error) error {
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.Is(err, ErrDamaged):
		return err
	case errors.Is(err, fs.ErrPermission), errors.Is(err, fs.ErrClosed), strings.Contains(err.Error(), "no space left"):
		return diskFault("use the index", err)
	}
	return ErrDamaged
}

func (s *shelf) acquire() (bleve.Index, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.idx == nil {
		idx, err := s.openIndex(true)
		if err != nil {
			return nil, err
		}
		s.idx, s.write = idx, false
	}
	s.users++
	return s.idx, nil
}

func (s *shelf) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.users--
	if s.users == 0 {
		s.closeLocked()
	}
}

func (s *shelf) closeLocked() {
	if s.idx != nil {
		_ = s.idx.Close() // read-only, or everything was committed by batches
		s.idx = nil
	}
	if s.write {
		_ = os.Remove(s.holderFile()) // only a hint for messages
	}
	s.write = false
	if s.idle != nil {
		close(s.idle)
		s.idle = nil
	}
}

// open makes the index writable and returns it; done gives it back. The caller holds Library.writing. create says that the
// old index, if any, is thrown away.
func (s *shelf) open(ctx context.Context, create bool) (x *index, done func(), err error) {
	for {
		s.mu.Lock()
		if s.users == 0 {
			break
		}
		if s.idle == nil {
			s.idle = make(chan struct{})
		}
		idle := s.idle
		s.mu.Unlock()
		select {
		case <-idle:
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		}
	}
	defer s.mu.Unlock()
	var idx bleve.Index
	if create {
		idx, err = s.createIndex()
	} else {
		idx, err = s.openIndex(false)
		if errors.Is(err, errEmpty) {
			idx, err = s.createIndex()
		}
	}
	if err != nil {
		return nil, nil, err
	}
	_ = os.WriteFile(s.holderFile(), []byte(strconv.Itoa(os.Getpid())), 0o600) // only a hint for messages
	s.idx, s.write = idx, true
	s.users++
	return &index{idx}, s.release, nil
}

func (s *shelf) holderFile() string { return holderFile(s.path) }

func holderFile(path string) string { return filepath.Join(filepath.Dir(path), "writer.pid") }

// createIndex throws away what is there and makes an empty index. It first takes the old index's lock, so that nothing is
// pulled from under another process.
func (s *shelf) createIndex() (bleve.Index, error) {
	if err := s.place(); err != nil {
		return nil, err
	}
	if old, err := s.openIndex(false); err == nil {
		_ = old.Close()
	} else if locked := (*LockedError)(nil); errors.As(err, &locked) {
		return nil, err
	}
	if err := os.RemoveAll(s.path); err != nil {
		return nil, diskFault("delete the old index", err)
	}
	s.stuck = false // the new files have a lock of their own
	m := bleve.NewIndexMapping()
	m.ScoringModel = bleveindex.BM25Scoring
	m.DefaultMapping = mapping.NewDocumentDisabledMapping() // documents are built here, not mapped
	idx, err := bleve.NewUsing(s.path, m, scorch.Name, scorch.Name, map[string]any{"bolt_timeout": lockWait.String()})
	if err != nil {
		return nil, diskFault("make the index", err)
	}
	return idx, nil
}

// place is an error when something else lies where the index belongs: that is not ours to throw away.
func (s *shelf) place() error {
	if info, err := os.Stat(s.path); err == nil && !info.IsDir() {
		return diskFault("open the index", &fs.PathError{Op: "open", Path: s.path, Err: syscall.ENOTDIR})
	}
	return nil
}

// openIndex opens the index, waiting lockWait for its lock. The caller holds s.mu.
func (s *shelf) openIndex(readOnly bool) (bleve.Index, error) {
	if err := s.place(); err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(s.path, "index_meta.json")); errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat(s.path); errors.Is(err, fs.ErrNotExist) {
			return nil, errEmpty
		}
		return nil, ErrDamaged
	}
	if s.stuck {
		return nil, ErrDamaged
	}
	segments := filepath.Join(s.path, "store")
	if err := checkSegments(segments); err != nil {
		// A file that another process is writing looks like a damaged one.
		if !unwritten(s.path) {
			return nil, lockedBy(s.path)
		}
		if err := checkSegments(segments); err != nil {
			return nil, err
		}
	}
	var idx bleve.Index
	var err error
	opened := false
	complained := heard(func() {
		err = guarded(func() (err error) {
			idx, err = bleve.OpenUsing(s.path, map[string]any{"read_only": readOnly, "bolt_timeout": lockWait.String()})
			opened = true
			return err
		})
	})
	s.stuck = !opened
	switch {
	case err == nil && complained:
		// bleve left out a segment that it could not read and answers from what remains, which may be nothing.
		_ = idx.Close()
		return nil, ErrDamaged
	case err == nil:
		return idx, nil
	case errors.Is(err, ErrDamaged):
		return nil, err
	case strings.Contains(err.Error(), "timeout"):
		return nil, lockedBy(s.path)
	case errors.Is(err, fs.ErrPermission), strings.Contains(err.Error(), "no space left"):
		return nil, diskFault("open the index", err)
	}
	return nil, ErrDamaged
}

func lockedBy(path string) error {
	e := &LockedError{}
	if b, err := os.ReadFile(holderFile(path)); err == nil {
		e.PID, _ = strconv.Atoi(strings.TrimSpace(string(b)))
		e.Writing = true
	}
	return e
}

// words is the analyser of passages and of queries: the content stems of package text, so that what the engine counts
// (document frequency of a stem) and what the index holds are the same. Latin words are stemmed as English, runs of CJK
// are overlapping pairs.
type words struct{}

// Analyze implements bleve's analyser.
func (words) Analyze(b []byte) analysis.TokenStream {
	terms := text.Terms(string(b), "")
	out := make(analysis.TokenStream, len(terms))
	for i, t := range terms {
		out[i] = &analysis.Token{Term: []byte(t), Position: i + 1, Type: analysis.AlphaNumeric}
	}
	return out
}

// whole is the analyser of identifiers.
type whole struct{}

// Analyze implements bleve's analyser.
func (whole) Analyze(b []byte) analysis.TokenStream {
	return analysis.TokenStream{&analysis.Token{Term: b, Position: 1, End: len(b), Type: analysis.AlphaNumeric}}
}

// bodyOf is what a passage is found by: its words with those of its headings and of the document's title, because a question names
// the chapter as often as the sentence.
func bodyOf(passage, heading, title string) string {
	body := passage + "\n" + heading
	if !strings.Contains(heading, title) {
		body += "\n" + title
	}
	return body
}

// passageDoc is the index entry of a passage.
func passageDoc(base, location, title string, p research.Passage) *document.Document {
	d := document.NewDocument(passageID(location, research.Span{Start: p.Start, End: p.End}))
	d.AddField(document.NewTextFieldCustom(fieldText, nil, []byte(bodyOf(p.Text, p.Heading, title)), bleveindex.IndexField, words{}))
	d.AddField(document.NewTextFieldCustom(fieldBase, nil, []byte(base), bleveindex.IndexField|bleveindex.SkipFreqNorm, whole{}))
	return d
}

// fileDoc is the index entry of a file.
func fileDoc(base string, r *record) (*document.Document, error) {
	info, err := json.Marshal(r.state)
	if err != nil {
		return nil, fmt.Errorf("library: entry of %s: %w", r.Location, err)
	}
	doc, err := json.Marshal(r.doc)
	if err != nil {
		return nil, fmt.Errorf("library: entry of %s: %w", r.Location, err)
	}
	d := document.NewDocument(fileID(r.Location))
	d.AddField(document.NewTextFieldCustom(fieldFile, nil, []byte(base), bleveindex.IndexField|bleveindex.SkipFreqNorm, whole{}))
	d.AddField(document.NewTextFieldCustom(fieldInfo, nil, info, bleveindex.StoreField, nil))
	d.AddField(document.NewTextFieldCustom(fieldDoc, nil, doc, bleveindex.StoreField, nil))
	return d, nil
}

// record returns the entry of a location, or nil.
func (x *index) record(location string) (*record, error) {
	d, err := x.Document(fileID(location))
	if err != nil {
		return nil, unreadable(err)
	}
	if d == nil {
		return nil, nil
	}
	return decodeRecord(location, d)
}

func decodeRecord(location string, d bleveindex.Document) (*record, error) {
	r := &record{Location: location}
	var err error
	d.VisitFields(func(f bleveindex.Field) {
		switch f.Name() {
		case fieldInfo:
			if e := json.Unmarshal(f.Value(), &r.state); e != nil && err == nil {
				err = ErrDamaged
			}
		case fieldDoc:
			r.docJSON = append([]byte(nil), f.Value()...)
		}
	})
	return r, err
}

// records returns the entries of a folder, sorted by location; withDoc keeps the stored documents.
func (x *index) records(ctx context.Context, base string, withDoc bool) ([]*record, error) {
	adv, err := x.Advanced()
	if err != nil {
		return nil, unreadable(err)
	}
	reader, err := adv.Reader()
	if err != nil {
		return nil, unreadable(err)
	}
	defer reader.Close()
	tf, err := reader.TermFieldReader(ctx, []byte(base), fieldFile, false, false, false)
	if err != nil {
		return nil, unreadable(err)
	}
	defer tf.Close()
	var out []*record
	for {
		hit, err := tf.Next(nil)
		if err != nil {
			return nil, unreadable(err)
		}
		if hit == nil {
			break
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		id, err := reader.ExternalID(hit.ID)
		if err != nil {
			return nil, unreadable(err)
		}
		d, err := reader.Document(id)
		if err != nil || d == nil {
			return nil, ErrDamaged
		}
		r, err := decodeRecord(strings.TrimPrefix(id, filePrefix), d)
		if err != nil {
			return nil, err
		}
		if !withDoc {
			r.docJSON = nil
		}
		out = append(out, r)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Location < out[j].Location })
	return out, nil
}

// docFreq returns the number of passages that hold the stem.
func (x *index) docFreq(ctx context.Context, field, term string) (int, error) {
	adv, err := x.Advanced()
	if err != nil {
		return 0, unreadable(err)
	}
	reader, err := adv.Reader()
	if err != nil {
		return 0, unreadable(err)
	}
	defer reader.Close()
	tf, err := reader.TermFieldReader(ctx, []byte(term), field, false, false, false)
	if err != nil {
		return 0, unreadable(err)
	}
	defer tf.Close()
	return int(tf.Count()), nil
}
