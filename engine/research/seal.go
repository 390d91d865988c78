package research

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// Seals are the hashes by which a later change of any part of a record is found and named. They are no signature: whoever
// rewrites a record and its seals as well leaves a record that is only as true as what can be recomputed from it.
type Seals struct {
	Head string `json:"head"` // of schema, code, id, title, state and request
	// Events has one seal an event. Each covers the seal before it, so that an event cannot be left out, added or moved either.
	Events []string `json:"events"`
	Digest string   `json:"digest,omitempty"` // absent as long as the run has no digest
}

// SealEvent returns the seal of an event that follows one with the seal before ("" for the first): the SHA-256, in hex, of
// before, a newline, and the event as JSON without white space, its payload in the form of [Canonical].
func SealEvent(before string, ev Event) (string, error) {
	if len(ev.Payload) == 0 {
		ev.Payload = json.RawMessage("null")
	}
	ev.Payload = Canonical(ev.Payload)
	return seal(before+"\n", ev)
}

// SealHead returns the seal of the fields of run that stand before its events.
func SealHead(run Run) (string, error) {
	return seal("", Run{Schema: run.Schema, Code: run.Code, ID: run.ID, Title: run.Title, State: run.State, Request: run.Request})
}

// SealDigest returns the seal of a digest.
func SealDigest(d Digest) (string, error) { return seal("", d) }

func seal(before string, v any) (string, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return "", fmt.Errorf("seal the record: %w", err)
	}
	h := sha256.New()
	h.Write([]byte(before))
	h.Write(b)
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Seal makes the seals of the record as it is.
func (r *Run) Seal() error {
	head, err := SealHead(*r)
	if err != nil {
		return err
	}
	s := Seals{Head: head, Events: make([]string, 0, len(r.Events))}
	before := ""
	for _, ev := range r.Events {
		if before, err = SealEvent(before, ev); err != nil {
			return err
		}
		s.Events = append(s.Events, before)
	}
	if r.Digest != nil {
		if s.Digest, err = SealDigest(*r.Digest); err != nil {
			return err
		}
	}
	r.Seals = &s
	return nil
}
