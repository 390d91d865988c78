package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay/engine/research"
)

// Take is a run that this worker works on. While it has it, it says so to the server; when it is silent for a lease, the run is
// given to another worker and Lost is closed.
type Take struct {
	item   Item
	shared *Shared
	events []research.Event
	texts  []string // hashes of the texts that the record holds
	cancel context.CancelFunc
	ctx    context.Context // of the run's traffic
	lost   chan struct{}
	stop   chan struct{} // closed when the person wants it stopped
	done   chan struct{} // closed when the beats have ended

	mu     sync.Mutex
	msg    jetstream.Msg
	last   uint64 // number of the message of the record that was written or seen last
	sent   int64  // number of the event that was written last
	wanted bool
}

// Take gives this worker the run that goes next and that the limits let begin; nil when there is none. It may have been begun
// by another worker: then Events holds what that one recorded.
func (s *Shared) Take(ctx context.Context, limits Limits) (*Take, error) {
	info, err := s.runs.Info(ctx, jetstream.WithSubjectFilter(runSubject+">"))
	if err != nil {
		return nil, fmt.Errorf("look into the queue: %w", err)
	}
	busy := s.busy()
	for p := HighestPriority; p >= LowestPriority; p-- {
		for _, c := range []struct {
			class string
			free  int
		}{{"model", limits.Models - busy["model"]}, {"library", limits.Library - busy["library"]}} {
			subj := subject(c.class, p)
			if c.free <= 0 || info.State.Subjects[subj] == 0 {
				continue
			}
			t, err := s.next(ctx, subj)
			if t != nil || err != nil {
				return t, err
			}
		}
	}
	return nil, nil
}

// busy counts the runs that this worker has by what they need.
func (s *Shared) busy() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := map[string]int{}
	for _, t := range s.takes {
		n[class(t.item)]++
	}
	return n
}

// next takes the first run that waits at a subject.
func (s *Shared) next(ctx context.Context, subj string) (*Take, error) {
	c, err := s.consumer(ctx, subj)
	if err != nil {
		return nil, err
	}
	for ctx.Err() == nil {
		batch, err := c.FetchNoWait(1)
		if err != nil {
			return nil, fmt.Errorf("take a run: %w", err)
		}
		msg, ok := <-batch.Messages()
		if !ok {
			if err := batch.Error(); err != nil && !errors.Is(err, jetstream.ErrNoMessages) {
				return nil, fmt.Errorf("take a run: %w", err)
			}
			return nil, nil
		}
		t, err := s.begin(ctx, msg)
		if t != nil || err != nil {
			return t, err
		}
	}
	return nil, ctx.Err()
}

func (s *Shared) consumer(ctx context.Context, subj string) (jetstream.Consumer, error) {
	s.mu.Lock()
	c := s.consumers[subj]
	s.mu.Unlock()
	if c != nil {
		return c, nil
	}
	c, err := s.runs.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: "worker-" + subj[len(runSubject):len(subj)-4] + subj[len(subj)-3:], FilterSubject: subj,
		AckPolicy: jetstream.AckExplicitPolicy, AckWait: s.lease, MaxDeliver: -1, MaxAckPending: 10_000,
	})
	if err != nil {
		return nil, fmt.Errorf("take a run: %w", err)
	}
	s.mu.Lock()
	s.consumers[subj] = c
	s.mu.Unlock()
	return c, nil
}

// begin makes a message a take; nil when the message means nothing any more, or its turn comes later.
func (s *Shared) begin(ctx context.Context, msg jetstream.Msg) (*Take, error) {
	meta, err := msg.Metadata()
	if err != nil {
		return nil, err
	}
	id := string(msg.Data())
	if s.takenAnew(id, msg) {
		return nil, nil
	}
	it, _, err := s.get(ctx, id)
	switch {
	case errors.Is(err, ErrUnknown) && meta.NumDelivered < 20: // it is being put in just now
		return nil, msg.NakWithDelay(time.Second)
	case errors.Is(err, ErrUnknown):
		return nil, msg.Term()
	case err != nil:
		return nil, err
	case it.Message != meta.Sequence.Stream || it.State != Running && !it.Waits():
		return nil, msg.Ack()
	case it.Code != "" && it.Code != s.code:
		detail := fmt.Sprintf("waits for a worker with version %s of the program, which began it", it.Code)
		_, err := s.change(ctx, id, func(now *Item) error {
			if !now.Waits() || now.Detail == detail {
				return errSame
			}
			now.Detail = detail
			return nil
		})
		return nil, errors.Join(err, msg.NakWithDelay(s.lease/3))
	}
	t := &Take{shared: s, msg: msg, lost: make(chan struct{}), stop: make(chan struct{}), done: make(chan struct{})}
	if err := t.load(ctx, id); err != nil {
		return nil, err
	}
	switch err := t.fence(ctx); {
	case isTaken(err):
		return nil, msg.NakWithDelay(time.Second) // another worker writes to it at this moment
	case err != nil:
		return nil, err
	}
	may := true
	it, err = s.change(ctx, id, func(now *Item) error {
		if now.Message != meta.Sequence.Stream || now.State != Running && !now.Waits() {
			return errStale
		}
		if may = now.Taken(t.sent); !may {
			now.State, now.EndedMs = Failed, time.Now().UnixMilli()
			now.Detail = fmt.Sprintf("the programs that worked on it ended %d times without anything new being found", MaxTakes)
			return nil
		}
		now.State, now.Worker, now.Detail, now.Code = Running, s.worker, "", s.code
		if now.BeganMs == 0 {
			now.BeganMs = time.Now().UnixMilli()
		}
		return nil
	})
	switch {
	case errors.Is(err, errStale), err == nil && !may:
		return nil, msg.Ack()
	case err != nil:
		return nil, err
	}
	t.item = it
	t.ctx, t.cancel = context.WithCancel(context.WithoutCancel(ctx))
	s.mu.Lock()
	s.takes[id] = t
	s.mu.Unlock()
	go t.beat()
	return t, nil
}

var errStale = errors.New("an old message")

// takenAnew reports whether this worker has the run already: it was silent for a lease, nobody else took the run, and the message
// came back to it.
func (s *Shared) takenAnew(id string, msg jetstream.Msg) bool {
	s.mu.Lock()
	t := s.takes[id]
	s.mu.Unlock()
	if t == nil {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.msg = msg
	return true
}

// Item returns the run.
func (t *Take) Item() Item { return t.item }

// Events returns what was recorded before this worker took the run; empty when it begins here.
func (t *Take) Events() []research.Event { return t.events }

// Texts returns the texts of the record, by hash.
func (t *Take) Texts(ctx context.Context) (map[string]string, error) {
	out := make(map[string]string, len(t.texts))
	for _, sha := range t.texts {
		b, err := t.shared.objects.GetBytes(ctx, textObject(sha))
		if err != nil {
			return nil, fmt.Errorf("text %.12s of run %s: %w", sha, t.item.ID, err)
		}
		out[sha] = string(b)
	}
	return out, nil
}

// Lost is closed when another worker has the run.
func (t *Take) Lost() <-chan struct{} { return t.lost }

// Stop is closed when the person wants the run stopped.
func (t *Take) Stop() <-chan struct{} { return t.stop }

// beat says again and again that the run is worked on, and looks whether it still should be.
func (t *Take) beat() {
	defer close(t.done)
	ticker := time.NewTicker(t.shared.lease / 6)
	defer ticker.Stop()
	for {
		t.once()
		select {
		case <-ticker.C:
		case <-t.ctx.Done():
			return
		}
	}
}

// once is one beat. What fails is tried again at the next; a lease that runs out is found when the record is written.
func (t *Take) once() {
	ctx, cancel := context.WithTimeout(t.ctx, answerTime)
	defer cancel()
	t.mu.Lock()
	msg := t.msg
	t.mu.Unlock()
	_ = msg.InProgress()
	t.shared.say(ctx)
	it, err := t.shared.Get(ctx, t.item.ID)
	if err != nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if it.Want == Stopped && !t.wanted {
		t.wanted = true
		close(t.stop)
	}
}

// say tells the others what this worker does.
func (s *Shared) say(ctx context.Context) {
	b := Beat{Worker: s.worker, At: time.Now().UTC(), Runs: []string{}}
	s.mu.Lock()
	for id := range s.takes {
		b.Runs = append(b.Runs, id)
	}
	s.mu.Unlock()
	slices.Sort(b.Runs)
	if v, err := json.Marshal(b); err == nil {
		_, _ = s.beats.Put(ctx, s.worker, v) // the next beat says it again
	}
}

// Finish says how a run ended and keeps its files. It tries until ctx ends; then another worker takes the run, and finishes it
// from its record.
func (t *Take) Finish(ctx context.Context, state, detail string, exit int, files map[string]func() (io.ReadCloser, error)) error {
	if t.isLost() {
		return ErrLost
	}
	err := t.trying(ctx, func(ctx context.Context) error {
		for name, open := range files {
			r, err := open()
			if err != nil {
				return &finalError{err}
			}
			_, err = t.shared.objects.Put(ctx, jetstream.ObjectMeta{Name: fileObject(t.item.ID, name)}, r)
			_ = r.Close() // read only
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	err = t.trying(ctx, func(ctx context.Context) error {
		_, err := t.shared.change(ctx, t.item.ID, func(it *Item) error {
			if it.Worker != t.shared.worker || it.State != Running {
				return &finalError{ErrLost}
			}
			it.State, it.Detail, it.Exit, it.EndedMs, it.Want = state, detail, exit, time.Now().UnixMilli(), ""
			return nil
		})
		return err
	})
	if err != nil {
		return err
	}
	t.mu.Lock()
	msg := t.msg
	t.mu.Unlock()
	err = t.trying(ctx, msg.DoubleAck)
	t.end()
	return err
}

// LetGo gives the run back, for another worker to take after a while, with the reason.
func (t *Take) LetGo(ctx context.Context, reason string, after time.Duration) error {
	_, err := t.shared.change(ctx, t.item.ID, func(it *Item) error {
		if it.Worker != t.shared.worker || it.State != Running {
			return errSame
		}
		it.State, it.Detail = Interrupted, reason
		if t.sent == 0 {
			it.State = Queued
		}
		return nil
	})
	t.mu.Lock()
	msg := t.msg
	t.mu.Unlock()
	t.end()
	return errors.Join(err, msg.NakWithDelay(after))
}

// end ends the beats and forgets the run.
func (t *Take) end() {
	t.cancel()
	<-t.done
	t.shared.mu.Lock()
	delete(t.shared.takes, t.item.ID)
	t.shared.mu.Unlock()
}

// Abandon ends the wait for a server that cannot be reached: what is written from then on fails.
func (t *Take) Abandon() { t.cancel() }

// finalError is one that trying again does not help.
type finalError struct{ err error }

func (e *finalError) Error() string { return e.err.Error() }
func (e *finalError) Unwrap() error { return e.err }

// trying does fn until it succeeds, ctx ends or the error is final.
func (t *Take) trying(ctx context.Context, fn func(context.Context) error) error {
	for {
		one, cancel := context.WithTimeout(ctx, 2*answerTime)
		err := fn(one)
		cancel()
		var final *finalError
		switch {
		case err == nil:
			return nil
		case errors.As(err, &final):
			return final.err
		case ctx.Err() != nil:
			return fmt.Errorf("the queue's server did not answer: %w", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(again):
		}
	}
}

func (t *Take) isLost() bool {
	select {
	case <-t.lost:
		return true
	default:
		return false
	}
}
