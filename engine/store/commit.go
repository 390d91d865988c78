package store

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"go.etcd.io/bbolt"

	"assay/engine/research"
)

// flush writes everything that waits, texts first, in one transaction, and what extra adds to it. The caller holds
// r.commit. Each waiting append learns its result; texts whose write failed wait on, so that the next write can take them.
func (r *Record) flush(extra func(*bbolt.Tx, *header) error) error {
	r.mu.Lock()
	queue := r.queue
	r.queue = nil
	texts := make(map[string]string, len(r.staged))
	for sha, text := range r.staged {
		texts[sha] = text
	}
	closed := r.closed
	r.mu.Unlock()

	hd, shown := r.hd, r.hd
	var err error
	if closed {
		err = errClosed
	} else {
		err = r.db.Update(func(tx *bbolt.Tx) error {
			hd = r.hd
			if err := putTexts(tx, texts); err != nil {
				return err
			}
			for _, p := range queue {
				if p.ev.AtMs == 0 {
					p.ev.AtMs = time.Now().UnixMilli()
				}
				ev, err := putEvent(tx, p.ev)
				if err != nil {
					return err
				}
				p.ev = ev
				hd.note(ev)
			}
			if extra != nil {
				if err := extra(tx, &hd); err != nil {
					return err
				}
			}
			return putHeader(tx, hd)
		})
		err = Fault("write to run "+r.id, r.home.db(r.id), err)
	}
	if err == nil && r.mirror != nil && len(texts)+len(queue) > 0 {
		err = r.mirror(texts, written(queue))
	}
	for _, p := range queue {
		p.err, p.done = err, true
	}
	if err != nil {
		return err
	}
	r.hd = hd
	r.mu.Lock()
	for sha, text := range texts {
		delete(r.staged, sha)
		r.size -= len(text)
	}
	r.shown = hd
	r.mu.Unlock()
	if !shown.listsAs(hd) {
		// The copy serves the list of other programs; the record is what counts, and the next change writes it again.
		_ = writeHeaderFile(r.Dir(), hd)
	}
	return nil
}

// written returns the events of a write, in the order of their numbers.
func written(queue []*pending) []research.Event {
	events := make([]research.Event, len(queue))
	for i, p := range queue {
		events[i] = p.ev
	}
	slices.SortFunc(events, func(a, b research.Event) int { return cmp.Compare(a.Seq, b.Seq) })
	return events
}

// note takes over what an event says about the run.
func (h *header) note(ev research.Event) {
	h.UpdatedMs = max(h.UpdatedMs, ev.AtMs)
	if ev.Kind != research.EventState {
		return
	}
	var news research.StateNews
	if json.Unmarshal(ev.Payload, &news) == nil && news.State != "" {
		h.State = news
	}
}

// listsAs reports whether both headers give the same list line but for the time of the last event.
func (h header) listsAs(other header) bool {
	a, b := h.info(), other.info()
	a.UpdatedMs, b.UpdatedMs = 0, 0
	return a == b && len(h.Outs) == len(other.Outs)
}

// putTexts stores the texts the record does not hold yet.
func putTexts(tx *bbolt.Tx, texts map[string]string) error {
	b := tx.Bucket(bucketBlobs)
	for sha, text := range texts {
		if b.Get([]byte(sha)) != nil {
			continue
		}
		if err := b.Put([]byte(sha), []byte(text)); err != nil {
			return err
		}
	}
	return nil
}

// putEvent numbers and stores an event, or returns the one that holds its key.
func putEvent(tx *bbolt.Tx, ev research.Event) (research.Event, error) {
	events, keys := tx.Bucket(bucketEvents), tx.Bucket(bucketKeys)
	if ev.Key != "" {
		if seq := keys.Get([]byte(ev.Key)); seq != nil {
			held, err := decodeEvent(events.Get(seq))
			held.Payload = bytes.Clone(held.Payload)
			return held, err
		}
	}
	n, err := events.NextSequence()
	if err != nil {
		return ev, err
	}
	ev.Seq = int64(n)
	v, err := encodeEvent(ev)
	if err != nil {
		return ev, err
	}
	// Numbers only grow, so a page that is full stays as it is.
	events.FillPercent = 0.95
	if err := events.Put(seqKey(ev.Seq), v); err != nil {
		return ev, err
	}
	seals := tx.Bucket(bucketSeals)
	seal, err := research.SealEvent(string(seals.Get(seqKey(ev.Seq-1))), ev)
	if err != nil {
		return ev, err
	}
	seals.FillPercent = 0.95
	if err := seals.Put(seqKey(ev.Seq), []byte(seal)); err != nil {
		return ev, err
	}
	if ev.Key != "" {
		return ev, keys.Put([]byte(ev.Key), seqKey(ev.Seq))
	}
	return ev, nil
}

func encodeEvent(ev research.Event) ([]byte, error) {
	payload := ev.Payload
	ev.Payload = nil
	head, err := json.Marshal(ev)
	if err != nil {
		return nil, err
	}
	return append(append(head, '\n'), payload...), nil
}

func putHeader(tx *bbolt.Tx, hd header) error {
	b, err := json.Marshal(hd)
	if err != nil {
		return err
	}
	return tx.Bucket(bucketMeta).Put(keyHeader, b)
}

// Close writes what still waits and lets the run go. A run that is still called running is from then on an interrupted one.
// A second Close does nothing.
func (r *Record) Close() error {
	r.commit.Lock()
	defer r.commit.Unlock()
	r.mu.Lock()
	closed, waits := r.closed, len(r.staged) > 0
	r.mu.Unlock()
	if closed {
		return nil
	}
	var err error
	if waits {
		err = r.flush(nil)
	}
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	if r.lock != nil {
		// Best effort, as in flush: the copy of the header gets the time of the last event.
		_ = writeHeaderFile(r.Dir(), r.hd)
	}
	err = errors.Join(err, r.db.Close())
	if r.lock != nil {
		r.home.mu.Lock()
		delete(r.home.open, r.id)
		r.home.mu.Unlock()
		r.lock.release()
	}
	return err
}
