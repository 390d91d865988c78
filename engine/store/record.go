package store

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"time"
	"unicode/utf8"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"assay/engine/research"
)

// Buckets of record.db. events: sequence number (8 bytes, big endian) -> event without payload as JSON, a newline, the
// payload; keys: event key -> sequence number; seals: sequence number -> seal in hex; blobs: SHA-256 in hex -> text; meta:
// "header", "digest".
var (
	bucketMeta   = []byte("meta")
	bucketEvents = []byte("events")
	bucketKeys   = []byte("keys")
	bucketSeals  = []byte("seals")
	bucketBlobs  = []byte("blobs")
	keyHeader    = []byte("header")
	keyDigest    = []byte("digest")
)

// Bounds on what one call may write, in bytes. A clean text comes from a file of at most 200 MB or so; a payload holds no
// text of a source, only passages and answers.
const (
	maxBlob    = 512 << 20
	maxPayload = 256 << 20
)

// stageBytes is how much text waits in memory for the next append before it is written by itself.
const stageBytes = 8 << 20

// errClosed is returned by a record that is used after Close.
var errClosed = errors.New("the record is closed")

// Record is one run on disk. It implements the engine's Record: an event is on disk when Append returns. It is safe for
// concurrent use; appends that wait at the same time share one write to the disk.
type Record struct {
	home *Home
	id   string
	db   *bbolt.DB
	lock *fileLock // nil when opened for reading

	commit sync.Mutex // held while writing; guards hd and mirror
	hd     header
	mirror Mirror

	mu     sync.Mutex // guards what follows
	queue  []*pending
	staged map[string]string // texts that the next write takes along
	size   int               // of staged, bytes
	closed bool
	shown  header // copy of hd for readers
}

// pending is one append on its way to the disk. Its result is set with Record.commit held.
type pending struct {
	ev   research.Event
	err  error
	done bool
}

// Create makes the record of a new run and opens it. code is the version of the program. The first event, the request, is
// on disk when it returns; its key is that of [research.EffectKey].
func (h *Home) Create(req research.Request, code string) (*Record, error) {
	id, err := h.create(req, code, func(hd *header) { hd.State.State = "running" })
	if err != nil {
		return nil, err
	}
	return h.openRecord(id)
}

// create makes the record of a new run, with the header as set leaves it.
func (h *Home) create(req research.Request, code string, set func(*header)) (string, error) {
	now := time.Now()
	id, err := NewID(now)
	if err != nil {
		return "", err
	}
	runs := filepath.Join(h.dir, "runs")
	if err := os.MkdirAll(runs, 0o755); err != nil {
		return "", Fault("start a run", runs, err)
	}
	// The folder gets its name when it is whole, so that a kill in between leaves nothing that looks like a run.
	dir := filepath.Join(runs, ".new-"+id)
	if err := os.Mkdir(dir, 0o755); err != nil {
		return "", Fault("start a run", runs, err)
	}
	hd := newHeader(id, req, code, now)
	set(&hd)
	if err := h.fill(dir, hd, putRequest); err != nil {
		return "", errors.Join(Fault("start a run", dir, err), os.RemoveAll(dir))
	}
	if err := os.Rename(dir, h.Dir(id)); err != nil {
		return "", errors.Join(Fault("start a run", dir, err), os.RemoveAll(dir))
	}
	return id, nil
}

// fill writes the database of a new run into dir, with what put adds, and the copy of its header.
func (h *Home) fill(dir string, hd header, put func(*bbolt.Tx, header) error) error {
	db, err := bbolt.Open(filepath.Join(dir, "record.db"), 0o644, &bbolt.Options{Timeout: lockWait})
	if err != nil {
		return err
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		for _, name := range [][]byte{bucketMeta, bucketEvents, bucketKeys, bucketSeals, bucketBlobs} {
			if _, err := tx.CreateBucket(name); err != nil {
				return err
			}
		}
		return put(tx, hd)
	})
	if err = errors.Join(err, db.Close()); err != nil {
		return err
	}
	return writeHeaderFile(dir, hd)
}

// putRequest writes the header and the first event, which is the request.
func putRequest(tx *bbolt.Tx, hd header) error {
	payload, err := json.Marshal(hd.Request)
	if err != nil {
		return err
	}
	key, err := research.EffectKey(research.EventRequest, hd.Request)
	if err != nil {
		return err
	}
	ev := research.Event{Kind: research.EventRequest, Key: key, Payload: payload, AtMs: hd.CreatedMs}
	if _, err := putEvent(tx, ev); err != nil {
		return err
	}
	return putHeader(tx, hd)
}

// Resume opens the record of a run to go on with it. It fails with a [*VersionError] when another version of the program or
// of the record made it, and with a [*LockedError] while another program works on it.
func (h *Home) Resume(id, code string) (*Record, error) {
	r, err := h.openRecord(id)
	if err != nil {
		return nil, err
	}
	if hd := r.header(); hd.Schema != research.SchemaVersion || hd.Code != code {
		err := &VersionError{ID: id, Code: hd.Code, Schema: hd.Schema, Now: code, NowValid: research.SchemaVersion}
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

// openRecord opens a run for writing, of whatever version.
func (h *Home) openRecord(id string) (*Record, error) {
	if err := h.exists(id); err != nil {
		return nil, err
	}
	if h.held(id) != nil {
		return nil, &LockedError{ID: id, Holder: Holder{PID: os.Getpid(), Program: h.program}}
	}
	l, err := lock(h.Dir(id), h.program, lockWait)
	if err != nil {
		return nil, lockFault("open run "+id, id, err)
	}
	r, err := h.openDB(id, false)
	if err != nil {
		l.release()
		return nil, err
	}
	r.lock = l
	h.mu.Lock()
	h.open[id] = r
	h.mu.Unlock()
	return r, nil
}

// view lets fn read a run: the open record when this process has it, otherwise the file, opened for reading.
func (h *Home) view(id string, fn func(*Record) error) error {
	if r := h.held(id); r != nil {
		return fn(r)
	}
	if err := h.exists(id); err != nil {
		return err
	}
	r, err := h.openDB(id, true)
	if err != nil {
		return err
	}
	return errors.Join(h.guarded(id, func() error { return fn(r) }), r.Close())
}

// guarded runs fn, which reads the database of a run, and turns the panic of bbolt on a damaged page into a [*DamagedError].
func (h *Home) guarded(id string, fn func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = &DamagedError{ID: id, Path: h.db(id), Reason: fmt.Sprint(p)}
		}
	}()
	return fn()
}

// openDB opens the database of a run and reads its header. A damaged file gives a [*DamagedError]: bbolt maps the file into
// memory, and a page that lies past the end of a cut file would otherwise end the process.
func (h *Home) openDB(id string, readOnly bool) (r *Record, err error) {
	damaged := func(reason any) error {
		return &DamagedError{ID: id, Path: h.db(id), Reason: fmt.Sprint(reason)}
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			r, err = nil, damaged(p)
		}
	}()
	db, err := bbolt.Open(h.db(id), 0o644, &bbolt.Options{Timeout: lockWait, ReadOnly: true})
	if err == nil {
		err = whole(db)
		if err == nil && !readOnly {
			if err = db.Close(); err == nil {
				db, err = bbolt.Open(h.db(id), 0o644, &bbolt.Options{Timeout: lockWait})
			}
		} else if err != nil {
			err = errors.Join(err, db.Close())
		}
	}
	if errors.Is(err, berrors.ErrTimeout) {
		holder, _ := probe(h.Dir(id))
		return nil, &LockedError{ID: id, Holder: holder}
	}
	if isDamage(err) {
		return nil, damaged(err)
	}
	if err != nil {
		return nil, Fault("open run "+id, h.db(id), err)
	}
	r = &Record{home: h, id: id, db: db, staged: map[string]string{}}
	if err := r.load(); err != nil {
		return nil, errors.Join(damaged(err), db.Close())
	}
	return r, nil
}

// errShort says that a database file ends before its last page.
var errShort = errors.New("the file is shorter than it says")

// whole checks that the file holds every page the database speaks of.
func whole(db *bbolt.DB) error {
	st, err := os.Stat(db.Path())
	if err != nil {
		return err
	}
	return db.View(func(tx *bbolt.Tx) error {
		if st.Size() < tx.Size() {
			return errShort
		}
		return nil
	})
}

func isDamage(err error) bool {
	for _, e := range []error{errShort, berrors.ErrInvalid, berrors.ErrChecksum, berrors.ErrVersionMismatch, berrors.ErrInvalidMapping} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// load reads the header.
func (r *Record) load() error {
	return r.db.View(func(tx *bbolt.Tx) error {
		for _, name := range [][]byte{bucketMeta, bucketEvents, bucketKeys, bucketSeals, bucketBlobs} {
			if tx.Bucket(name) == nil {
				return fmt.Errorf("it has no %s", name)
			}
		}
		if err := json.Unmarshal(tx.Bucket(bucketMeta).Get(keyHeader), &r.hd); err != nil {
			return fmt.Errorf("its header: %w", err)
		}
		r.shown = r.hd
		return nil
	})
}

// ID returns the run's id.
func (r *Record) ID() string { return r.id }

// Dir returns the run's folder.
func (r *Record) Dir() string { return r.home.Dir(r.id) }

// Info returns the run's list line.
func (r *Record) Info() research.RunInfo { return r.header().info() }

// State returns the state that was recorded last, whoever holds the run just now.
func (r *Record) State() research.StateNews { return r.header().State }

// Request returns what was asked.
func (r *Record) Request() research.Request { return r.header().Request }

func (r *Record) header() header {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.shown
}

// Get returns the payload recorded under key.
func (r *Record) Get(key string) (json.RawMessage, bool) {
	var payload json.RawMessage
	// The only errors are a closed record and a damaged page; both come back from the Append that follows a miss.
	_ = r.db.View(func(tx *bbolt.Tx) error {
		if seq := tx.Bucket(bucketKeys).Get([]byte(key)); seq != nil {
			_, p, _ := bytes.Cut(tx.Bucket(bucketEvents).Get(seq), []byte{'\n'})
			payload = bytes.Clone(p)
		}
		return nil
	})
	return payload, payload != nil
}

// Append writes an event, together with the texts put before it, and has it on disk before it returns the event with its
// number and time. An event whose key is held already is dropped; the event that holds the key is returned instead.
func (r *Record) Append(ev research.Event) (research.Event, error) {
	payload, err := compact(ev.Payload)
	if err != nil {
		return ev, fmt.Errorf("append %s: %w", ev.Kind, err)
	}
	ev.Payload = payload
	p := &pending{ev: ev}
	r.mu.Lock()
	if r.closed {
		r.mu.Unlock()
		return ev, errClosed
	}
	r.queue = append(r.queue, p)
	r.mu.Unlock()

	r.commit.Lock() // whoever gets it writes for all who queued meanwhile
	defer r.commit.Unlock()
	if !p.done {
		r.flush(nil)
	}
	return p.ev, p.err
}

// compact returns a payload in the one form in which it is kept: valid JSON without white space, so on one line.
func compact(payload json.RawMessage) (json.RawMessage, error) {
	if len(payload) > maxPayload {
		return nil, fmt.Errorf("payload of %d bytes is larger than %d", len(payload), maxPayload)
	}
	if len(payload) == 0 {
		return json.RawMessage("null"), nil
	}
	var b bytes.Buffer
	b.Grow(len(payload))
	if err := json.Compact(&b, payload); err != nil {
		return nil, fmt.Errorf("payload: %w", err)
	}
	return b.Bytes(), nil
}

// PutBlob keeps text, which is UTF-8, under its hash. The text is on disk no later than the next event.
func (r *Record) PutBlob(text string) (string, error) {
	if len(text) > maxBlob {
		return "", fmt.Errorf("keep text: %d bytes are more than %d", len(text), maxBlob)
	}
	if !utf8.ValidString(text) {
		return "", errors.New("keep text: it is not UTF-8")
	}
	sha := research.SHA256(text)
	r.mu.Lock()
	if r.closed {
		r.mu.Unlock()
		return "", errClosed
	}
	if _, ok := r.staged[sha]; !ok {
		r.staged[sha] = text
		r.size += len(text)
	}
	full := r.size >= stageBytes
	r.mu.Unlock()
	if !full {
		return sha, nil
	}
	r.commit.Lock()
	defer r.commit.Unlock()
	return sha, r.flush(nil)
}

// Blob returns the text kept under sha.
func (r *Record) Blob(sha string) (string, error) {
	r.mu.Lock()
	text, ok := r.staged[sha]
	r.mu.Unlock()
	if ok {
		return text, nil
	}
	err := r.db.View(func(tx *bbolt.Tx) error {
		b := tx.Bucket(bucketBlobs).Get([]byte(sha))
		ok = b != nil
		text = string(b)
		return nil
	})
	if err == nil && !ok {
		err = errors.New("the record does not hold it")
	}
	if err != nil {
		return "", fmt.Errorf("text %.12s: %w", sha, err)
	}
	return text, nil
}

// SetDigest keeps the result of the run beside its events.
func (r *Record) SetDigest(d research.Digest) error {
	b, err := json.Marshal(d)
	if err != nil {
		return fmt.Errorf("keep digest: %w", err)
	}
	r.commit.Lock()
	defer r.commit.Unlock()
	return r.flush(func(tx *bbolt.Tx, hd *header) error {
		hd.take(d)
		return tx.Bucket(bucketMeta).Put(keyDigest, b)
	})
}

// Out returns the folder noted last by [Record.AddOut]; empty when there is none.
func (r *Record) Out() string {
	if hd := r.header(); len(hd.Outs) > 0 {
		return hd.Outs[len(hd.Outs)-1]
	}
	return ""
}

// AddOut notes a folder that holds copies of the report, for what Delete says.
func (r *Record) AddOut(dir string) error {
	return r.setHeader(func(hd *header) {
		for _, d := range hd.Outs {
			if d == dir {
				return
			}
		}
		hd.Outs = append(hd.Outs[:len(hd.Outs):len(hd.Outs)], dir)
	})
}

func (r *Record) setHeader(fn func(*header)) error {
	r.commit.Lock()
	defer r.commit.Unlock()
	return r.flush(func(_ *bbolt.Tx, hd *header) error { fn(hd); return nil })
}

// Events returns at most limit events that follow number after, in order; limit 0 means all.
func (r *Record) Events(after int64, limit int) ([]research.Event, error) {
	var events []research.Event
	err := r.db.View(func(tx *bbolt.Tx) error {
		return eachEvent(tx, after, func(ev research.Event) error {
			ev.Payload = bytes.Clone(ev.Payload)
			events = append(events, ev)
			if limit > 0 && len(events) == limit {
				return errStop
			}
			return nil
		})
	})
	if err != nil && !errors.Is(err, errStop) {
		return nil, fmt.Errorf("read events: %w", err)
	}
	return events, nil
}

// errStop ends an iteration early.
var errStop = errors.New("stop")

// eachEvent calls fn with every event after number after. The payload is valid during the call only.
func eachEvent(tx *bbolt.Tx, after int64, fn func(research.Event) error) error {
	c := tx.Bucket(bucketEvents).Cursor()
	for k, v := c.Seek(seqKey(after + 1)); k != nil; k, v = c.Next() {
		ev, err := decodeEvent(v)
		if err != nil {
			return err
		}
		if err := fn(ev); err != nil {
			return err
		}
	}
	return nil
}

func decodeEvent(v []byte) (research.Event, error) {
	var ev research.Event
	head, payload, _ := bytes.Cut(v, []byte{'\n'})
	if err := json.Unmarshal(head, &ev); err != nil {
		return ev, fmt.Errorf("event: %w", err)
	}
	ev.Payload = payload
	return ev, nil
}

// seqKey orders as the numbers do.
func seqKey(seq int64) []byte { return binary.BigEndian.AppendUint64(nil, uint64(max(seq, 0))) }
