package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Add puts a run into the queue. Its id must be new.
func (s *Shared) Add(ctx context.Context, it Item) error {
	it.State = Queued
	seq, err := s.send(ctx, it, "add/"+it.ID)
	if err != nil {
		return fmt.Errorf("put run %s into the queue: %w", it.ID, err)
	}
	it.Message = seq
	b, err := json.Marshal(it)
	if err == nil {
		_, err = s.items.Create(ctx, it.ID, b)
	}
	if err != nil {
		return fmt.Errorf("put run %s into the queue: %w", it.ID, err)
	}
	return nil
}

// send publishes the message by which a run waits. Sent twice under one name it is there once.
func (s *Shared) send(ctx context.Context, it Item, name string) (uint64, error) {
	ack, err := s.js.Publish(ctx, subject(class(it), it.Priority), []byte(it.ID), jetstream.WithMsgID(name))
	if err != nil {
		return 0, err
	}
	return ack.Sequence, nil
}

// Get returns a run of the queue; the error matches [ErrUnknown] when there is none.
func (s *Shared) Get(ctx context.Context, id string) (Item, error) {
	it, _, err := s.get(ctx, id)
	return it, err
}

func (s *Shared) get(ctx context.Context, id string) (it Item, revision uint64, err error) {
	if id == "" || strings.ContainsFunc(id, func(r rune) bool { return !strings.ContainsRune("0123456789abcdef-", r) }) {
		return it, 0, fmt.Errorf("run %q: %w", id, ErrUnknown) // an id is part of a key
	}
	e, err := s.items.Get(ctx, id)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return it, 0, fmt.Errorf("run %s: %w", id, ErrUnknown)
	}
	if err == nil {
		revision, err = e.Revision(), json.Unmarshal(e.Value(), &it)
	}
	if err != nil {
		return it, 0, fmt.Errorf("run %s of the queue: %w", id, err)
	}
	return it, revision, nil
}

// change applies fn to what is kept of a run, again when another worker was quicker. fn may return errSame to leave it.
func (s *Shared) change(ctx context.Context, id string, fn func(*Item) error) (Item, error) {
	for {
		it, revision, err := s.get(ctx, id)
		if err != nil {
			return it, err
		}
		if err := fn(&it); errors.Is(err, errSame) {
			return it, nil
		} else if err != nil {
			return it, err
		}
		b, err := json.Marshal(it)
		if err != nil {
			return it, err
		}
		_, err = s.items.Update(ctx, id, b, revision)
		if err == nil || !isTaken(err) {
			return it, err
		}
		if ctx.Err() != nil {
			return it, ctx.Err()
		}
	}
}

var errSame = errors.New("nothing changes")

// isTaken reports that a message or a value was refused because another one came before it.
func isTaken(err error) bool {
	var api *jetstream.APIError
	if errors.As(err, &api) {
		return api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence || api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant
	}
	return errors.Is(err, jetstream.ErrKeyExists)
}

// List returns all runs of the queue: those that wait first, in their order, then the others, newest first. A run whose worker
// has not been heard of lately is said to be interrupted: another one will take it.
func (s *Shared) List(ctx context.Context) ([]Item, error) {
	ids, err := keys(ctx, s.items)
	if err != nil {
		return nil, fmt.Errorf("list the queue: %w", err)
	}
	alive, err := s.Workers(ctx)
	if err != nil {
		return nil, err
	}
	var items []Item
	for _, id := range ids {
		it, _, err := s.get(ctx, id)
		if errors.Is(err, ErrUnknown) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if it.State == Running && !slices.ContainsFunc(alive, func(b Beat) bool { return slices.Contains(b.Runs, it.ID) }) {
			it.State, it.Detail = Interrupted, "its worker has not been heard of lately; another one takes it"
		}
		items = append(items, it)
	}
	slices.SortFunc(items, func(a, b Item) int {
		switch wa, wb := a.Waits(), b.Waits(); {
		case wa && wb:
			return Compare(a, b)
		case wa:
			return -1
		case wb:
			return 1
		}
		return strings.Compare(b.ID, a.ID)
	})
	return items, nil
}

func keys(ctx context.Context, kv jetstream.KeyValue) ([]string, error) {
	l, err := kv.ListKeys(ctx)
	if err != nil {
		return nil, err
	}
	var out []string
	for k := range l.Keys() {
		out = append(out, k)
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// Beat is what a worker says of itself while it is there.
type Beat struct {
	Worker string    `json:"worker"`
	Runs   []string  `json:"runs"` // that it works on
	At     time.Time `json:"at"`
}

// Workers returns the workers that were heard of within two leases.
func (s *Shared) Workers(ctx context.Context) ([]Beat, error) {
	names, err := keys(ctx, s.beats)
	if err != nil {
		return nil, fmt.Errorf("list the workers: %w", err)
	}
	var out []Beat
	for _, name := range names {
		e, err := s.beats.Get(ctx, name)
		if err != nil {
			continue // silent since
		}
		var b Beat
		if json.Unmarshal(e.Value(), &b) == nil {
			out = append(out, b)
		}
	}
	return out, nil
}

// SetPriority gives a waiting run another priority, and has it wait behind all of that priority.
func (s *Shared) SetPriority(ctx context.Context, id string, priority int) error {
	it, err := s.Get(ctx, id)
	if err != nil {
		return err
	}
	if !it.Waits() {
		return fmt.Errorf("run %s is %s and does not wait", id, it.State)
	}
	it.Priority = priority
	return s.resend(ctx, it, func(now *Item) error {
		if !now.Waits() {
			return fmt.Errorf("run %s was taken meanwhile", id)
		}
		return nil
	})
}

// resend has a run wait by a new message; the old one means nothing from then on.
func (s *Shared) resend(ctx context.Context, it Item, check func(*Item) error) error {
	seq, err := s.send(ctx, it, fmt.Sprintf("again/%s/%d/%d", it.ID, it.Priority, time.Now().UnixNano()))
	if err != nil {
		return fmt.Errorf("run %s: %w", it.ID, err)
	}
	_, err = s.change(ctx, it.ID, func(now *Item) error {
		if err := check(now); err != nil {
			return err
		}
		now.Message, now.Priority = seq, it.Priority
		return nil
	})
	return err
}

// Remove takes a waiting run out of the queue, or asks the worker that has it to stop.
func (s *Shared) Remove(ctx context.Context, id string) error {
	_, err := s.change(ctx, id, func(it *Item) error {
		switch {
		case it.State == Running:
			it.Want = Stopped
		case it.Waits():
			it.State, it.Detail, it.EndedMs = Stopped, "taken out of the queue", time.Now().UnixMilli()
		default:
			return fmt.Errorf("run %s is %s already", id, it.State)
		}
		return nil
	})
	return err
}

// Retry puts a run that failed or was stopped back; it goes on from what was recorded.
func (s *Shared) Retry(ctx context.Context, id string) error {
	it, err := s.Get(ctx, id)
	if err != nil {
		return err
	}
	return s.resend(ctx, it, func(now *Item) error {
		if now.State != Failed && now.State != Stopped && now.State != Paused {
			return fmt.Errorf("run %s is %s: only one that failed or was stopped can be put back", id, now.State)
		}
		now.State, now.Detail, now.Want, now.Takes, now.EndedMs = Interrupted, "put back into the queue", "", 0, 0
		return nil
	})
}

// File returns a file of a finished run, such as "run.json".
func (s *Shared) File(ctx context.Context, id, name string) (io.ReadCloser, error) {
	o, err := s.objects.Get(ctx, fileObject(id, name))
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return nil, fmt.Errorf("run %s has no %s on the queue's server", id, name)
	}
	if err != nil {
		return nil, fmt.Errorf("%s of run %s: %w", name, id, err)
	}
	return o, nil
}

func fileObject(id, name string) string { return "file/" + id + "/" + name }
