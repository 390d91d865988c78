package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"go.etcd.io/bbolt"

	"assay/engine/research"
)

// Enqueue makes the record of a run that waits for a worker, and returns its id. The request may be incomplete: [Home.Begin]
// completes it. out, when set, is where copies of its report will go.
func (h *Home) Enqueue(req research.Request, code string, place research.Place, out string) (string, error) {
	return h.create(req, code, func(hd *header) {
		hd.State.State, hd.Place = "queued", place
		if out != "" {
			hd.Outs = []string{out}
		}
	})
}

// errNotQueued says that a run that was to begin has begun or was taken out meanwhile.
var errNotQueued = errors.New("it is not queued any more")

// ErrBegun says that a run that was to begin has begun: the program that took it ended before the list of runs said so. It is to be
// resumed.
var ErrBegun = errors.New("it has begun already")

// Begin opens the record of a run that waits in the queue, with its request as complete makes it and from this moment on: its
// clock starts now. code is the version of the program that works on it. It fails with a [*LockedError] while another program
// works on the run.
func (h *Home) Begin(id, code string, complete func(research.Request) (research.Request, error)) (*Record, error) {
	r, err := h.openRecord(id)
	if err != nil {
		return nil, err
	}
	if err := r.begin(code, complete); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

func (r *Record) begin(code string, complete func(research.Request) (research.Request, error)) error {
	now := r.header()
	if now.State.State == "running" {
		return fmt.Errorf("begin run %s: %w", r.id, ErrBegun)
	}
	if now.State.State != "queued" {
		return fmt.Errorf("begin run %s: %w", r.id, errNotQueued)
	}
	req, err := complete(now.Request)
	if err != nil {
		return err
	}
	r.commit.Lock()
	defer r.commit.Unlock()
	return r.flush(func(tx *bbolt.Tx, hd *header) error {
		for _, name := range [][]byte{bucketEvents, bucketKeys, bucketSeals} {
			if err := tx.DeleteBucket(name); err != nil {
				return err
			}
			if _, err := tx.CreateBucket(name); err != nil {
				return err
			}
		}
		fresh := newHeader(hd.ID, req, code, time.Now())
		fresh.Title, fresh.Project, fresh.Outs, fresh.Place = hd.Title, hd.Project, hd.Outs, hd.Place
		fresh.State.State = "running"
		*hd = fresh
		return putRequest(tx, fresh)
	})
}

// SetPlace changes a run's place in the queue. It fails with a [*LockedError] while another program works on the run.
func (h *Home) SetPlace(id string, fn func(*research.Place)) error {
	return h.change(id, func(hd *header) { fn(&hd.Place) })
}

// Length returns how many events the record has.
func (r *Record) Length() int64 {
	var n uint64
	// The only errors are a closed record and a damaged page; both come back from the first Append.
	_ = r.db.View(func(tx *bbolt.Tx) error { n = tx.Bucket(bucketEvents).Sequence(); return nil })
	return int64(n)
}

// SetState records a state of a run that nobody works on, such as one that is taken out of the queue.
func (h *Home) SetState(id string, news research.StateNews) error {
	r, err := h.openRecord(id)
	if err != nil {
		return err
	}
	payload, err := json.Marshal(news)
	if err == nil {
		_, err = r.Append(research.Event{Kind: research.EventState, Payload: payload})
	}
	return errors.Join(err, r.Close())
}

// SetPlace changes the run's place in the queue.
func (r *Record) SetPlace(place research.Place) error {
	return r.setHeader(func(hd *header) { hd.Place = place })
}

// Request returns what was asked for a run.
func (h *Home) Request(id string) (req research.Request, err error) {
	err = h.view(id, func(r *Record) error { req = r.Request(); return nil })
	return req, err
}
