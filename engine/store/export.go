package store

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"go.etcd.io/bbolt"

	"assay/engine/research"
)

// maxImport bounds a run.json, in bytes: about forty times the largest run seen.
const maxImport = 2 << 30

// Export writes the run as run.json to w: one event a line, texts in the order of their hashes. Nothing but the event or text
// at hand is in memory.
func (h *Home) Export(id string, w io.Writer) error {
	return h.view(id, func(r *Record) error { return r.Export(w) })
}

// Digest returns the kept result of a run. The error matches [ErrNotFound] when the run has none.
func (h *Home) Digest(id string) (research.Digest, error) {
	var d research.Digest
	err := h.view(id, func(r *Record) error {
		return r.db.View(func(tx *bbolt.Tx) error {
			b := tx.Bucket(bucketMeta).Get(keyDigest)
			if b == nil {
				return fmt.Errorf("run %s has no report yet: %w", id, ErrNotFound)
			}
			return json.Unmarshal(b, &d)
		})
	})
	return d, err
}

// Events returns the events of a run that follow number after; see [Record.Events].
func (h *Home) Events(id string, after int64, limit int) ([]research.Event, error) {
	var events []research.Event
	err := h.view(id, func(r *Record) (err error) {
		events, err = r.Events(after, limit)
		return err
	})
	return events, err
}

// Blob returns a text of a run.
func (h *Home) Blob(id, sha string) (string, error) {
	var text string
	err := h.view(id, func(r *Record) (err error) {
		text, err = r.Blob(sha)
		return err
	})
	return text, err
}

// Export writes the record as it is at this moment; see [Home.Export].
func (r *Record) Export(w io.Writer) error {
	if r.lock != nil { // texts that wait belong to it
		r.commit.Lock()
		err := r.flush(nil)
		r.commit.Unlock()
		if err != nil {
			return err
		}
	}
	err := r.db.View(func(tx *bbolt.Tx) error {
		var hd header
		if err := json.Unmarshal(tx.Bucket(bucketMeta).Get(keyHeader), &hd); err != nil {
			return fmt.Errorf("header: %w", err)
		}
		run := research.Run{Schema: hd.Schema, Code: hd.Code, ID: hd.ID, Title: hd.Title, State: hd.State, Request: hd.Request}
		digest := tx.Bucket(bucketMeta).Get(keyDigest)
		var err error
		if run.Seals, err = dbSeals(tx, run, digest); err != nil {
			return err
		}
		return encodeRun(w, run, digest, dbEvents(tx), dbBlobs(tx))
	})
	if err != nil {
		return fmt.Errorf("write run.json of %s: %w", r.id, err)
	}
	return nil
}

func dbEvents(tx *bbolt.Tx) iter.Seq2[research.Event, error] {
	return func(yield func(research.Event, error) bool) {
		err := eachEvent(tx, 0, func(ev research.Event) error {
			if !yield(ev, nil) {
				return errStop
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStop) {
			yield(research.Event{}, err)
		}
	}
}

// dbSeals returns the seals that the events were kept with, and makes those of the head and the digest, which may change as long
// as the record is in this home.
func dbSeals(tx *bbolt.Tx, run research.Run, digest []byte) (*research.Seals, error) {
	head, err := research.SealHead(run)
	if err != nil {
		return nil, err
	}
	s := &research.Seals{Head: head, Events: []string{}}
	c := tx.Bucket(bucketEvents).Cursor()
	for k, _ := c.First(); k != nil; k, _ = c.Next() {
		s.Events = append(s.Events, string(tx.Bucket(bucketSeals).Get(k)))
	}
	if digest == nil {
		return s, nil
	}
	var d research.Digest
	if err := json.Unmarshal(digest, &d); err != nil {
		return nil, fmt.Errorf("digest: %w", err)
	}
	s.Digest, err = research.SealDigest(d)
	return s, err
}

func dbBlobs(tx *bbolt.Tx) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		c := tx.Bucket(bucketBlobs).Cursor()
		for k, v := c.First(); k != nil; k, v = c.Next() {
			if !yield(string(k), string(v)) {
				return
			}
		}
	}
}

// EncodeRun writes run as run.json, in the same form as [Home.Export].
func EncodeRun(w io.Writer, run research.Run) error {
	var digest []byte
	if run.Digest != nil {
		var err error
		if digest, err = json.Marshal(run.Digest); err != nil {
			return fmt.Errorf("write run.json: %w", err)
		}
	}
	shas := make([]string, 0, len(run.Blobs))
	for sha := range run.Blobs {
		shas = append(shas, sha)
	}
	slices.Sort(shas)
	events := func(yield func(research.Event, error) bool) {
		for _, ev := range run.Events {
			if !yield(ev, nil) {
				return
			}
		}
	}
	blobs := func(yield func(string, string) bool) {
		for _, sha := range shas {
			if !yield(sha, run.Blobs[sha]) {
				return
			}
		}
	}
	return encodeRun(w, run, digest, events, blobs)
}

// encodeRun writes the fields of a [research.Run] in the order of the type. Lists that are empty are written as such.
func encodeRun(w io.Writer, run research.Run, digest []byte, events iter.Seq2[research.Event, error], blobs iter.Seq2[string, string]) error {
	e := &encoder{w: bufio.NewWriterSize(w, 1<<16)}
	e.raw("{\n")
	for _, f := range []struct {
		name string
		v    any
	}{{"schema", run.Schema}, {"code", run.Code}, {"id", run.ID}, {"title", run.Title}, {"state", run.State}, {"request", run.Request}} {
		e.value(f.name)
		e.raw(":")
		e.value(f.v)
		e.raw(",\n")
	}
	e.raw(`"events":[`)
	sep := "\n"
	for ev, err := range events {
		if err != nil {
			return fmt.Errorf("write run.json: %w", err)
		}
		e.raw(sep)
		e.value(ev)
		sep = ",\n"
	}
	e.raw("\n],\n\"blobs\":{")
	sep = "\n"
	for sha, text := range blobs {
		e.raw(sep)
		e.value(sha)
		e.raw(":")
		e.value(text)
		sep = ",\n"
	}
	e.raw("\n}")
	if run.Seals != nil {
		e.raw(",\n\"seals\":")
		e.value(run.Seals)
	}
	if digest != nil {
		e.raw(",\n\"digest\":")
		e.raw(string(digest))
	}
	e.raw("\n}\n")
	if e.err == nil {
		e.err = e.w.Flush()
	}
	return e.err
}

// encoder writes JSON and keeps the first error.
type encoder struct {
	w   *bufio.Writer
	err error
}

func (e *encoder) raw(s string) {
	if e.err == nil {
		_, e.err = e.w.WriteString(s)
	}
}

func (e *encoder) value(v any) {
	if e.err != nil {
		return
	}
	b, err := json.Marshal(v)
	if err != nil {
		e.err = err
		return
	}
	_, e.err = e.w.Write(b)
}

// errDigest says that a digest was given for a record.
var errDigest = errors.New("read run.json: it is a digest and not a run record: name the run.json that lies beside it")

// ErrNoRecord says what to name instead of a file that is no record.
var ErrNoRecord = errors.New("name a run.json as a run or assay runs export writes it")

// newerSchema says that a record was made by a newer version.
func newerSchema(schema int, code string) error {
	by, with := "", "the version that made it"
	if code != "" {
		by, with = ", version "+code, "version "+code
	}
	return fmt.Errorf("read run.json: it was made by a newer Assay%s: its record is of form %d and this program knows up to %d: update Assay, or use %s to open it",
		by, schema, research.SchemaVersion, with)
}

// Newer returns an error when what rd holds is a record of a newer schema, wherever in it that stands. It is asked of a file that could
// not be read: what is new in a record may stand before its number.
func Newer(rd io.Reader) error {
	d := json.NewDecoder(bufio.NewReaderSize(io.LimitReader(rd, maxImport), 1<<16))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	schema, code := 0, ""
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil
		}
		switch key {
		case "schema":
			err = d.Decode(&schema)
		case "code":
			err = d.Decode(&code)
		default:
			err = skip(d)
		}
		if err != nil {
			return nil
		}
	}
	if schema > research.SchemaVersion {
		return newerSchema(schema, code)
	}
	return nil
}

// skip passes over one value without keeping it.
func skip(d *json.Decoder) error {
	for depth := 0; ; {
		t, err := d.Token()
		if err != nil {
			return err
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return nil
		}
	}
}

// Import reads a run.json. It checks its form, not its truth: that is the audit's work. It refuses a record of a newer schema,
// and one larger than 2 GiB.
func Import(rd io.Reader) (research.Run, error) {
	var run research.Run
	limited := &io.LimitedReader{R: rd, N: maxImport}
	err := strictly(bufio.NewReaderSize(limited, 1<<16), &run)
	if run.Schema > research.SchemaVersion { // whose other fields need not be what they are here
		return run, newerSchema(run.Schema, run.Code)
	}
	switch {
	case err != nil && limited.N <= 0:
		return run, fmt.Errorf("read run.json: it is larger than %d MiB", maxImport>>20)
	case err != nil && run.Schema >= 1 && run.ID == "" && run.Code == "" && run.Events == nil && strings.Contains(err.Error(), `unknown field "lang"`):
		return run, errDigest
	case errors.Is(err, errFollows):
		return run, fmt.Errorf("read run.json: %w", err)
	case err != nil:
		return run, fmt.Errorf("read run.json: it is not a run record (%s): %w", BadJSON(err), ErrNoRecord)
	}
	switch {
	case run.Schema < 1:
		return run, fmt.Errorf("read run.json: it is not a run record (it names no schema): %w", ErrNoRecord)
	case run.ID == "" && run.Events == nil:
		return run, errDigest
	}
	for i := range run.Events {
		p, err := compact(run.Events[i].Payload)
		if err != nil {
			return run, fmt.Errorf("read run.json: event %d: %w", run.Events[i].Seq, err)
		}
		run.Events[i].Payload = p
	}
	return run, nil
}
