package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"assay/engine/research"
)

// Headers of the messages of a record.
const (
	headTake    = "Assay-Take"    // who writes
	headSeq     = "Assay-Seq"     // number of the event; absent in the message by which a worker takes the run
	headTexts   = "Assay-Texts"   // hashes of texts that the record holds from here on
	headPayload = "Assay-Payload" // the payload is an object of this name
)

// longPayload is the longest payload that is sent in a message, in bytes; a server takes a message of 1 MiB unless it is told
// otherwise. Longer ones are objects.
const longPayload = 512 << 10

// textsAtOnce bounds the hashes in one message.
const textsAtOnce = 1000

func textObject(sha string) string { return "text/" + sha }

// load reads the record as it is on the server.
func (t *Take) load(ctx context.Context, id string) error {
	t.item.ID = id
	for next := uint64(1); ; {
		raw, err := t.shared.records.GetMsg(ctx, next, jetstream.WithGetMsgSubject(recordPrefix+id))
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read the record of run %s: %w", id, err)
		}
		if err := t.read(ctx, raw); err != nil {
			return fmt.Errorf("read the record of run %s: %w", id, err)
		}
		t.last, next = raw.Sequence, raw.Sequence+1
	}
}

// read takes in one message of the record.
func (t *Take) read(ctx context.Context, raw *jetstream.RawStreamMsg) error {
	if list := raw.Header.Get(headTexts); list != "" {
		t.texts = append(t.texts, strings.Split(list, ",")...)
	}
	if raw.Header.Get(headSeq) == "" {
		return nil
	}
	var ev research.Event
	if err := json.Unmarshal(raw.Data, &ev); err != nil {
		return fmt.Errorf("message %d: %w", raw.Sequence, err)
	}
	if name := raw.Header.Get(headPayload); name != "" {
		b, err := t.shared.objects.GetBytes(ctx, name)
		if err != nil {
			return fmt.Errorf("payload of event %d: %w", ev.Seq, err)
		}
		ev.Payload = b
	}
	if ev.Seq != t.sent+1 {
		return fmt.Errorf("event %d follows event %d", ev.Seq, t.sent)
	}
	t.events, t.sent = append(t.events, ev), ev.Seq
	return nil
}

// fence writes that this worker takes the run. From then on nothing is accepted of one that had it before.
func (t *Take) fence(ctx context.Context) error {
	msg := &nats.Msg{Subject: recordPrefix + t.item.ID, Header: nats.Header{headTake: {t.shared.worker}}}
	ack, err := t.shared.js.PublishMsg(ctx, msg, jetstream.WithExpectLastSequencePerSubject(t.last))
	if err != nil {
		return err
	}
	t.last = ack.Sequence
	return nil
}

// Mirror writes to the server what a write put into the record on this disk: texts by hash, and events in order. It waits while
// the server cannot be reached, so that nothing is done that another worker would do again. The error wraps [ErrLost] when
// another worker has the run.
func (t *Take) Mirror(texts map[string]string, events []research.Event) error {
	if t.isLost() {
		return ErrLost
	}
	shas := make([]string, 0, len(texts))
	for sha := range texts {
		shas = append(shas, sha)
	}
	slices.Sort(shas)
	for _, sha := range shas {
		if err := t.put(textObject(sha), []byte(texts[sha])); err != nil {
			return err
		}
	}
	for part := range slices.Chunk(shas, textsAtOnce) {
		msg := &nats.Msg{Header: nats.Header{headTexts: {strings.Join(part, ",")}}}
		if err := t.write(msg, "texts/"+part[0]); err != nil {
			return err
		}
	}
	for _, ev := range events {
		if ev.Seq <= t.sent { // it was there before
			continue
		}
		msg := &nats.Msg{Header: nats.Header{headSeq: {strconv.FormatInt(ev.Seq, 10)}}}
		if len(ev.Payload) > longPayload {
			name := "payload/" + research.SHA256(string(ev.Payload))
			if err := t.put(name, ev.Payload); err != nil {
				return err
			}
			msg.Header.Set(headPayload, name)
			ev.Payload = nil
		}
		b, err := json.Marshal(ev)
		if err != nil {
			return fmt.Errorf("event %d: %w", ev.Seq, err)
		}
		msg.Data = b
		if err := t.write(msg, "event/"+strconv.FormatInt(ev.Seq, 10)); err != nil {
			return err
		}
		t.sent = ev.Seq
	}
	return nil
}

// put keeps an object under a name that says what it holds, unless it is there.
func (t *Take) put(name string, data []byte) error {
	return t.trying(t.ctx, func(ctx context.Context) error {
		if _, err := t.shared.objects.GetInfo(ctx, name); err == nil {
			return nil
		}
		_, err := t.shared.objects.PutBytes(ctx, name, data)
		return err
	})
}

// write appends a message to the record, once, whatever happens to the answer.
func (t *Take) write(msg *nats.Msg, name string) error {
	msg.Subject = recordPrefix + t.item.ID
	msg.Header.Set(headTake, t.shared.worker)
	id := fmt.Sprintf("%s/%s/%d", t.item.ID, name, t.last)
	err := t.trying(t.ctx, func(ctx context.Context) error {
		ack, err := t.shared.js.PublishMsg(ctx, msg, jetstream.WithMsgID(id), jetstream.WithExpectLastSequencePerSubject(t.last))
		switch {
		case err == nil:
			t.last = ack.Sequence
			return nil
		case !isTaken(err):
			return err
		}
		// Refused: another worker wrote, or the answer to this very message was lost.
		last, err := t.shared.records.GetLastMsgForSubject(ctx, msg.Subject)
		if err != nil {
			return err
		}
		if last.Header.Get(jetstream.MsgIDHeader) == id && last.Header.Get(headTake) == t.shared.worker {
			t.last = last.Sequence
			return nil
		}
		return &finalError{ErrLost}
	})
	if errors.Is(err, ErrLost) && !t.isLost() {
		close(t.lost)
	}
	if err != nil {
		return fmt.Errorf("run %s on the queue's server: %w", t.item.ID, err)
	}
	return nil
}
