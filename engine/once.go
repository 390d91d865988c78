package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"assay/engine/research"
)

// Record is the append-only record of one run; it is the only state a run has.
//
// Get returns the payload recorded under key. Append writes an event and has it on disk before it returns; an event whose
// key is already held is dropped without an error. PutBlob keeps text under its [research.SHA256] and Blob gives it back.
// Events returns up to limit events that follow number after, in order. All are safe for concurrent use.
type Record interface {
	Get(key string) (json.RawMessage, bool)
	Append(research.Event) (research.Event, error)
	PutBlob(text string) (sha string, err error)
	Blob(sha string) (string, error)
	Events(after int64, limit int) ([]research.Event, error)
}

// once returns what the record holds under (kind, in); otherwise it does fn and records the result before returning it.
// The value handed on is always the one decoded from the recorded JSON, so that a resumed run cannot differ from an
// undisturbed one. An fn that fails, or whose context ended, leaves nothing in the record.
func once[In, Out any](ctx context.Context, e *run, kind string, in In, fn func(context.Context, In) (Out, error)) (Out, error) {
	var out Out
	key, err := research.EffectKey(kind, in)
	if err != nil {
		return out, err
	}
	payload, ok := e.record.Get(key)
	if !ok {
		began := time.Now()
		v, err := fn(ctx, in)
		if err == nil {
			err = ctx.Err() // a cancelled call is never recorded
		}
		if err != nil {
			return out, err
		}
		if payload, err = json.Marshal(v); err != nil {
			return out, fmt.Errorf("%s: record: %w", kind, err)
		}
		if err := e.append(research.Event{Kind: kind, Key: key, Payload: payload, TookMs: time.Since(began).Milliseconds()}); err != nil {
			return out, err
		}
		// Another goroutine may have recorded the same step first: what the record holds is what counts.
		if held, ok := e.record.Get(key); ok {
			payload = held
		}
	}
	if err := json.Unmarshal(payload, &out); err != nil {
		return out, fmt.Errorf("%s: decode record: %w", kind, err)
	}
	return out, nil
}

// stage runs one of the eight stages through once, after saying that it began. It is the one place for the progress event
// and the error prefix.
func stage[In, Out any](ctx context.Context, e *run, name string, round int, in In, fn func(context.Context, In) (Out, error)) (Out, error) {
	var out Out
	if err := ctx.Err(); err != nil {
		return out, err
	}
	if err := e.news(research.EventBegin, research.StageNews{Stage: name, Round: round}); err != nil {
		return out, err
	}
	out, err := once(ctx, e, research.EventStage+name, in, fn)
	if err != nil {
		return out, fmt.Errorf("%s: %w", name, err)
	}
	return out, nil
}

// news records something for the person to see. It is keyed by its content, so a resumed run does not say it twice.
func (e *run) news(kind string, v any) error {
	key, err := research.EffectKey(kind, v)
	if err != nil {
		return err
	}
	if _, ok := e.record.Get(key); ok {
		return nil
	}
	payload, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("%s: %w", kind, err)
	}
	return e.append(research.Event{Kind: kind, Key: key, Payload: payload})
}

// note is news in one sentence.
func (e *run) note(level, format string, args ...any) error {
	return e.news(research.EventNote, research.Note{Level: level, Text: fmt.Sprintf(format, args...)})
}

func (e *run) append(ev research.Event) error {
	ev, err := e.record.Append(ev)
	if err != nil {
		return fmt.Errorf("record %s: %w", ev.Kind, err)
	}
	if e.watch != nil {
		e.watch(ev)
	}
	return nil
}

// each calls fn with every event of the record so far.
func (e *run) each(fn func(research.Event) error) error {
	for after := int64(0); ; {
		evs, err := e.record.Events(after, 500)
		if err != nil || len(evs) == 0 {
			return err
		}
		for _, ev := range evs {
			after = ev.Seq
			if err := fn(ev); err != nil {
				return fmt.Errorf("event %d: %w", ev.Seq, err)
			}
		}
	}
}
