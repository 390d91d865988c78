package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"go.etcd.io/bbolt"

	"assay/engine/research"
)

// Mirror is given what each write put on disk: texts by their hashes, and events in order. A write whose mirror fails fails,
// although it is on this disk.
type Mirror func(texts map[string]string, events []research.Event) error

// SetMirror has all later writes mirrored.
func (r *Record) SetMirror(m Mirror) {
	r.commit.Lock()
	defer r.commit.Unlock()
	r.mirror = m
}

// Restore makes the record of a run that was made elsewhere, under its own id, and opens it. A record of that id that is here
// already is replaced, unless a program works on it, which gives a [*LockedError]. What is restored is the run's events, texts
// and digest; whether they are true is for the audit to say.
func (h *Home) Restore(run research.Run) (*Record, error) {
	if !idForm.MatchString(run.ID) {
		return nil, fmt.Errorf("restore run %q: it is no id of a run", run.ID)
	}
	if run.Schema > research.SchemaVersion {
		return nil, &VersionError{ID: run.ID, Code: run.Code, Schema: run.Schema, Now: run.Code, NowValid: research.SchemaVersion}
	}
	runs := filepath.Join(h.dir, "runs")
	if err := os.MkdirAll(runs, 0o755); err != nil {
		return nil, Fault("restore a run", runs, err)
	}
	dir, err := os.MkdirTemp(runs, ".new-")
	if err != nil {
		return nil, Fault("restore a run", runs, err)
	}
	if err := h.refill(dir, run); err != nil {
		return nil, errors.Join(fmt.Errorf("restore run %s: %w", run.ID, err), os.RemoveAll(dir))
	}
	if _, err := h.Delete(run.ID); err != nil && !errors.Is(err, ErrNotFound) {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	err = os.Rename(dir, h.Dir(run.ID))
	if errors.Is(err, fs.ErrExist) {
		err = fmt.Errorf("restore run %s: it was made here meanwhile", run.ID)
	}
	if err != nil {
		return nil, errors.Join(Fault("restore run "+run.ID, h.Dir(run.ID), err), os.RemoveAll(dir))
	}
	return h.openRecord(run.ID)
}

// refill writes a run into a new folder.
func (h *Home) refill(dir string, run research.Run) error {
	if err := os.Chmod(dir, 0o755); err != nil {
		return err
	}
	began := time.Now()
	if len(run.Events) > 0 && run.Events[0].AtMs > 0 {
		began = time.UnixMilli(run.Events[0].AtMs)
	}
	hd := newHeader(run.ID, run.Request, run.Code, began)
	hd.Schema, hd.State = run.Schema, run.State
	if run.Title != "" {
		hd.Title = shorten(run.Title, maxTitle)
	}
	for _, ev := range run.Events {
		hd.note(ev)
	}
	if run.Digest != nil {
		hd.take(*run.Digest)
	}
	return h.fill(dir, hd, func(tx *bbolt.Tx, hd header) error {
		if len(run.Events) == 0 {
			return putRequest(tx, hd)
		}
		return putRun(tx, hd, run)
	})
}

// putRun writes the events, texts and digest of a run that was made elsewhere.
func putRun(tx *bbolt.Tx, hd header, run research.Run) error {
	for _, ev := range run.Events {
		want := ev.Seq
		var err error
		if ev.Payload, err = compact(ev.Payload); err == nil {
			ev, err = putEvent(tx, ev)
		}
		if err != nil {
			return fmt.Errorf("event %d: %w", want, err)
		}
		if ev.Seq != want {
			return fmt.Errorf("event %d stands at the place of %d", want, ev.Seq)
		}
	}
	for sha, text := range run.Blobs {
		if research.SHA256(text) != sha {
			return fmt.Errorf("text %.12s is not what its hash says", sha)
		}
	}
	if err := putTexts(tx, run.Blobs); err != nil {
		return err
	}
	if run.Digest != nil {
		b, err := json.Marshal(run.Digest)
		if err != nil {
			return err
		}
		if err := tx.Bucket(bucketMeta).Put(keyDigest, b); err != nil {
			return err
		}
	}
	return putHeader(tx, hd)
}
