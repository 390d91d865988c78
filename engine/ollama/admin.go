package ollama

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ollama/ollama/api"

	"assay/engine/research"
)

// Admin lists, fetches, makes, loads and removes the models of one server. It is safe for concurrent use.
type Admin struct {
	http *http.Client
	base string
	api  *api.Client
	// Look bounds a question that loads nothing. If zero, 15 seconds.
	Look time.Duration
	// Poll is the time between two looks for something to happen. If zero, 200 milliseconds.
	Poll time.Duration
	// Pause is the first wait before a broken pull is tried again; it doubles up to 30 seconds. If zero, 1 second.
	Pause time.Duration
	// Now is the clock that speed is measured with. If nil, [time.Now].
	Now func() time.Time

	mu    sync.Mutex
	pulls map[string]*Pull // that run now, by lower-case name
}

// NewAdmin returns the models of the server at base, such as "http://127.0.0.1:11434". It asks nothing.
func NewAdmin(h *http.Client, base string) (*Admin, error) {
	h = checked(h)
	client, err := dial(h, base)
	if err != nil {
		return nil, err
	}
	return &Admin{http: h, base: strings.TrimRight(base, "/"), api: client, pulls: map[string]*Pull{}}, nil
}

func (a *Admin) look(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, a.lookTime(), hung(a.base, a.lookTime()))
}

func (a *Admin) lookTime() time.Duration {
	if a.Look == 0 {
		return 15 * time.Second
	}
	return a.Look
}

// silence bounds the time between two words of a server that works for long: making the checksum of a large model on a slow disk
// takes minutes, in which it says nothing.
const silence = 30 * time.Minute

// untilSilent ends a context when a server says nothing: for first before its first word, for later after each. Call heard at each
// word and done at the end. The words of the cause take the server's address and the time.
func untilSilent(ctx context.Context, first, later time.Duration, words, base string) (out context.Context, heard, done func()) {
	out, end := context.WithCancelCause(ctx)
	var wait atomic.Int64
	wait.Store(int64(first))
	t := time.AfterFunc(first, func() { end(saying(research.ErrHung, words, base, time.Duration(wait.Load()))) })
	return out, func() { wait.Store(int64(later)); t.Reset(later) }, func() { t.Stop(); end(context.Canceled) }
}

func (a *Admin) poll() time.Duration {
	if a.Poll == 0 {
		return 200 * time.Millisecond
	}
	return a.Poll
}

func (a *Admin) now() time.Time {
	if a.Now == nil {
		return time.Now()
	}
	return a.Now()
}

// Version is what the server calls itself; "0.0.0" is a build that does not say, not an old one.
func (a *Admin) Version(ctx context.Context) (string, error) {
	ctx, cancel := a.look(ctx)
	defer cancel()
	v, err := a.api.Version(ctx)
	if err != nil {
		return "", lookFault(ctx, a.base, err)
	}
	return v, nil
}

// Copy gives a model a second name; the bytes on disk are shared. A name that stands for another model is refused with
// [ErrTaken] unless replace says yes to that, since the server itself would replace it without a word. The server's yes counts
// when it then lists the name.
func (a *Admin) Copy(ctx context.Context, from, to string, replace bool) error {
	source, err := ParseName(from)
	if err != nil {
		return err
	}
	if target, err := ParseName(to); err != nil {
		return err
	} else if source.Same(target) {
		return fmt.Errorf("%s and %s are one name, so there is nothing to copy; give another one", from, to)
	}
	if err := a.free(ctx, to, from, replace); err != nil {
		return err
	}
	ctx, cancel := a.look(ctx)
	defer cancel()
	if err := a.api.Copy(ctx, &api.CopyRequest{Source: from, Destination: to}); err != nil {
		return a.fault(ctx, "copy", from, err)
	}
	listed, err := a.lists(ctx, to)
	if err == nil && !listed {
		err = saying(research.ErrServer, "the server at %s says that %s is now also called %s but does not list that name; look at its log", a.base, from, to)
	}
	return err
}

// lists reports whether the server's list has a model.
func (a *Admin) lists(ctx context.Context, name string) (bool, error) {
	list, err := a.api.List(ctx)
	if err != nil {
		return false, lookFault(ctx, a.base, err)
	}
	for _, l := range list.Models {
		if (Running{Name: l.Name}).is(name) {
			return true, nil
		}
	}
	return false, nil
}

// Delete removes a model, and its bytes when no other name has them. The server's yes counts when it then does not list the model.
func (a *Admin) Delete(ctx context.Context, name string) error {
	if _, err := ParseName(name); err != nil {
		return err
	}
	ctx, cancel := a.look(ctx)
	defer cancel()
	if err := a.api.Delete(ctx, &api.DeleteRequest{Model: name}); err != nil {
		return a.fault(ctx, "delete", name, err)
	}
	listed, err := a.lists(ctx, name)
	if err == nil && listed {
		err = saying(research.ErrServer, "the server at %s says that it deleted %s but still lists it; look at its log", a.base, name)
	}
	return err
}

// LoadOptions are what a model is loaded with. Later calls must send the same, or the server loads it again.
type LoadOptions struct {
	NumCtx   int // tokens; if zero, the server decides
	NumBatch int // if zero, the server decides
	// KeepAlive is how long the model stays after its last use. If zero, the server decides; negative: until it is unloaded.
	KeepAlive time.Duration
}

// loadTime bounds a load: the server itself gives up when a load stalls for five minutes, but a large model that grows all
// the while takes longer.
const loadTime = 30 * time.Minute

// Load loads a model and returns what the server then says about it. It ends within two seconds of ctx; the server may go on
// loading meanwhile.
func (a *Admin) Load(ctx context.Context, name string, opt LoadOptions) (Running, error) {
	info, err := a.Describe(ctx, name)
	if err != nil {
		return Running{}, err
	}
	if info.Remote != "" {
		return Running{}, saying(research.ErrForbidden, "%s runs on %s and not on this machine, so there is nothing to load", name, info.Remote)
	}
	options := map[string]any{}
	if opt.NumCtx > 0 {
		options["num_ctx"] = opt.NumCtx
	}
	if opt.NumBatch > 0 {
		options["num_batch"] = opt.NumBatch
	}
	var keep *api.Duration
	if opt.KeepAlive != 0 {
		keep = &api.Duration{Duration: opt.KeepAlive}
	}
	loadCtx, cancel := context.WithTimeoutCause(ctx, loadTime, fmt.Errorf("%s was not loaded within %s: %w", name, loadTime, research.ErrHung))
	defer cancel()
	if info.Completes {
		no := false
		err = a.api.Generate(loadCtx, &api.GenerateRequest{Model: name, Stream: &no, Options: options, KeepAlive: keep},
			func(api.GenerateResponse) error { return nil })
	} else {
		_, err = a.api.Embed(loadCtx, &api.EmbedRequest{Model: name, Input: []string{}, Options: options, KeepAlive: keep})
	}
	if err := a.fault(loadCtx, "load", name, err); err != nil {
		return Running{}, err
	}
	list, err := a.Running(ctx)
	if err != nil {
		return Running{}, err
	}
	for _, r := range list {
		if r.is(name) {
			return r, nil
		}
	}
	return Running{}, saying(research.ErrServer, "the server at %s says that it loaded %s but does not list it as loaded; look at its log", a.base, name)
}

// unloadTime bounds the wait for an unload; the server finishes a call that is under way first.
const unloadTime = 2 * time.Minute

// Unload asks the server to let a model go and returns when it is no longer listed. The card's free memory may lag behind by a
// second.
func (a *Admin) Unload(ctx context.Context, name string) error {
	if _, err := ParseName(name); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, unloadTime, saying(research.ErrHung, "%s is still loaded after %s; a call may be under way", name, unloadTime))
	defer cancel()
	no := false
	err := a.api.Generate(ctx, &api.GenerateRequest{Model: name, Stream: &no, KeepAlive: &api.Duration{Duration: 0}}, func(api.GenerateResponse) error { return nil })
	if err := a.fault(ctx, "unload", name, err); err != nil {
		return err
	}
	for {
		list, err := a.Running(ctx)
		if err != nil {
			return err
		}
		gone := true
		for _, r := range list {
			gone = gone && !r.is(name)
		}
		if gone {
			return nil
		}
		if sleep(ctx, a.poll()) != nil {
			return a.fault(ctx, "unload", name, ctx.Err())
		}
	}
}

// maxShow bounds the answer about one model: with the vocabulary of a large one it is some tens of megabytes.
const maxShow = 128 << 20

// post sends a question and returns the answer's bytes. Only what the official client cannot give is asked so.
func (a *Admin) post(ctx context.Context, path string, in any) ([]byte, error) {
	body, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, a.base+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := a.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(io.LimitReader(resp.Body, maxShow+1))
	if err != nil {
		return nil, err
	}
	if len(b) > maxShow {
		return nil, fmt.Errorf("an answer of more than %d bytes", maxShow)
	}
	return b, statusFault(resp.StatusCode, b)
}

// statusFault makes the official client's error of an answer, nil when it is none.
func statusFault(code int, body []byte) error {
	if code < http.StatusBadRequest {
		return nil
	}
	fault := api.StatusError{StatusCode: code}
	if json.Unmarshal(body, &fault) != nil || fault.ErrorMessage == "" {
		fault.ErrorMessage = short(string(body[:min(len(body), 1000)]))
	}
	return fault
}

// fault says in one sentence why something about a model failed; nil stays nil.
func (a *Admin) fault(ctx context.Context, what, name string, err error) error {
	if err == nil {
		return nil
	}
	if cause := context.Cause(ctx); cause != nil {
		if errors.Is(cause, research.ErrHung) { // a sentence of ours
			return cause
		}
		return fmt.Errorf("%s %s: %w", what, name, cause)
	}
	say, kind := judge(err)
	switch {
	case errors.Is(kind, research.ErrMissing):
		return saying(research.ErrMissing, "the server at %s has no model %s; `assay models pull %s` gets it", a.base, name, name)
	case kind != nil && !errors.Is(kind, errNotOllama):
		return fmt.Errorf("%s %s: %s: %w", what, name, say, kind)
	}
	return fmt.Errorf("%s %s: %w", what, name, lookFault(ctx, a.base, err))
}
