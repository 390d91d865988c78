package research

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
)

// Why a model channel gave no answer to judge. Every channel wraps one of these in the sentence that the person reads, so
// that the engine can decide what may be done without knowing the channel. The text ends that sentence with what to do next.
var (
	// ErrTooLong: the prompt does not fit the window with room to answer. It was not sent, or the server refused it
	// unread. Smaller evidence may fit; the same prompt never will.
	ErrTooLong = errors.New("prompt too long for the model")
	// ErrTruncated: the server read less than it was sent. What it answered rests on a part of the evidence.
	ErrTruncated = errors.New("prompt was cut by the server")
	// ErrUnavailable: nobody answers at the server's address. Wait until it is back, then send again.
	ErrUnavailable = errors.New("the model server is not there: start it, or choose the model extractive, which needs none")
	// ErrHung: the server accepted the call and then said nothing for too long, or the call's time was up.
	ErrHung = errors.New("the model server hangs: restart it, or choose a smaller model")
	// ErrBusy: the server had too much to do, also after waiting.
	ErrBusy = errors.New("the model server is busy: end what else uses it, or wait and go on later")
	// ErrMissing: the server has no such model.
	ErrMissing = errors.New("the model server has no such model: fetch it with assay models pull, or choose another")
	// ErrForbidden: the run's egress class forbids this model or server.
	ErrForbidden = errors.New("forbidden by the run's reach")
	// ErrServer: the server broke while answering, or did not speak its protocol. Another prompt may work.
	ErrServer = errors.New("the model server failed: look at its log and restart it, or choose another model")
	// ErrUnrecorded: a replayed run asked for an answer that its record does not hold.
	ErrUnrecorded = errors.New("answer not in the record")
)

// ErrRefused is an [ErrServer] that the same call would meet again: the server understood it and will not do it.
var ErrRefused error = refused{}

type refused struct{}

func (refused) Error() string {
	return "the model server refuses the call: look at its log, or choose another model or server"
}
func (refused) Is(target error) bool { return target == ErrServer }

// RefusedFor reports whether a status code of HTTP is a refusal that sending the same again will not change.
func RefusedFor(code int) bool {
	return code >= 400 && code < 500 && code != 408 && code != 425 && code != 429
}

// EffectKey is the identity of a step in the record: its kind, and 24 hex digits of the hash of its input's JSON. It never
// holds an arrival number, so that a resumed or replayed run asks for the same keys in whatever order it gets there.
func EffectKey(kind string, in any) (string, error) {
	b, err := json.Marshal(in)
	if err != nil {
		return "", fmt.Errorf("%s: key: %w", kind, err)
	}
	h := sha256.Sum256(append([]byte(kind+"\x00"), b...))
	return kind + "/" + hex.EncodeToString(h[:12]), nil
}
