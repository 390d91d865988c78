package ollama

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/ollama/ollama/api"

	"assay/engine/research"
)

// Why a pull failed; its errors wrap one of these, [ErrForeign], or a fault of package research.
var (
	// ErrNoSpace: the server's disk is full. What was fetched is kept.
	ErrNoSpace = errors.New("no space left")
	// ErrDigest: what was fetched is not what the registry promised. The server throws the part away.
	ErrDigest = errors.New("checksum mismatch")
	// ErrRoute: the server cannot reach the registry. What was fetched is kept.
	ErrRoute = errors.New("registry not reached")
	// ErrBroken: the transfer broke off, also after it was tried again. What was fetched is kept.
	ErrBroken = errors.New("transfer broke off")
	// ErrRefused: the registry does not give this model to this server.
	ErrRefused = errors.New("refused by the registry")
	// ErrRegistry: what answers does not answer as a registry of models does. Nothing is wrong with the model server.
	ErrRegistry = errors.New("no registry of models")
)

// Phases of a pull.
const (
	PullAsking   = "asking"   // for the list of the model's parts
	PullFetching = "fetching" // bytes come
	PullChecking = "checking" // checksums
	PullWaiting  = "waiting"  // before it is tried again
	PullDone     = "done"
	PullFailed   = "failed"
	PullStopped  = "stopped" // what was fetched is kept
)

// PullProgress is how far a pull is.
type PullProgress struct {
	Name  string `json:"name"`
	Phase string `json:"phase"`
	// Done and Total are bytes of the parts that are known so far; the server names them one after the other, the largest
	// usually first. Total is 0 before it named one.
	Done  int64 `json:"done"`
	Total int64 `json:"total"`
	// PerSecond is the speed of the last ten seconds in bytes, and LeftMs what is left of the known parts at that speed; nil
	// until a second was measured.
	PerSecond *int64 `json:"per_second,omitempty"`
	LeftMs    *int64 `json:"left_ms,omitempty"`
	Tries     int    `json:"tries"`           // how often it was tried again
	Error     string `json:"error,omitempty"` // of a failed pull, or why it is tried again
}

// PullOptions are how a model is fetched.
type PullOptions struct {
	// Host is the host that the person said yes to, for a name that is not of [Registry].
	Host string
	// Tries is how often a transfer that broke off is tried again without a byte of progress. If zero, 5.
	Tries int
}

// Pull is a model that is being fetched. The server fetches; this follows it, tries again when the transfer breaks, and stops it.
type Pull struct {
	name   Name
	admin  *Admin
	tries  int
	cancel context.CancelFunc
	// stopped says whether somebody cancelled it, or it has ended.
	stopped func() bool
	done    chan struct{}
	err     error // set before done is closed

	mu      sync.Mutex
	at      PullProgress
	layers  map[string]layer
	speed   speed
	changed chan struct{} // closed and replaced at every change
}

// layer is a part of a model.
type layer struct{ done, total int64 }

// Pull has the server fetch a model. A model that is being fetched already is joined: the second result is then true. Names
// that are not of [Registry] are refused with [ErrForeign] unless opt.Host says yes to their host. The pull goes on when ctx
// ends; use [Pull.Cancel].
func (a *Admin) Pull(ctx context.Context, name string, opt PullOptions) (*Pull, bool, error) {
	n, err := ParseName(name)
	if err != nil {
		return nil, false, err
	}
	if err := n.agreed(opt.Host); err != nil {
		return nil, false, err
	}
	key := strings.ToLower(n.Short())
	a.mu.Lock()
	defer a.mu.Unlock()
	for p := a.pulls[key]; p != nil; p = a.pulls[key] {
		if !p.stopped() {
			return p, true, nil
		}
		// It was stopped and is about to end: who pulls now wants a new one.
		a.mu.Unlock()
		_ = p.Wait(ctx) // how the old one ended is nothing to the new one
		a.mu.Lock()
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	p := &Pull{
		name: n, admin: a, tries: opt.Tries, cancel: cancel, done: make(chan struct{}), changed: make(chan struct{}),
		at: PullProgress{Name: n.Short(), Phase: PullAsking}, layers: map[string]layer{},
	}
	if p.tries == 0 {
		p.tries = 5
	}
	a.pulls[key] = p
	p.stopped = func() bool { return ctx.Err() != nil }
	go func() {
		defer cancel()
		p.err = p.run(ctx)
		a.mu.Lock()
		delete(a.pulls, key)
		a.mu.Unlock()
		close(p.done)
		p.change(func() {})
	}()
	return p, false, nil
}

// Pulls returns how far the pulls that run now are, by name.
func (a *Admin) Pulls() []PullProgress {
	a.mu.Lock()
	running := make([]*Pull, 0, len(a.pulls))
	for _, p := range a.pulls {
		running = append(running, p)
	}
	a.mu.Unlock()
	out := make([]PullProgress, len(running))
	for i, p := range running {
		out[i] = p.Progress()
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

// Pulling returns the pull of a model that runs now, or nil.
func (a *Admin) Pulling(n Name) *Pull {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.pulls[strings.ToLower(n.Short())]
}

// Close stops the pulls that run now and waits until they have stopped.
func (a *Admin) Close() {
	a.mu.Lock()
	running := make([]*Pull, 0, len(a.pulls))
	for _, p := range a.pulls {
		running = append(running, p)
	}
	a.mu.Unlock()
	for _, p := range running {
		p.Cancel()
	}
	for _, p := range running {
		<-p.done
	}
}

// Cancel stops the pull for everybody who follows it. The server keeps what was fetched, and the next pull goes on there.
func (p *Pull) Cancel() { p.cancel() }

// Done is closed when the pull has ended.
func (p *Pull) Done() <-chan struct{} { return p.done }

// Wait returns when the pull has ended: nil when the model is there. It returns ctx's error when that comes first.
func (p *Pull) Wait(ctx context.Context) error {
	select {
	case <-p.done:
		return p.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Progress returns how far the pull is.
func (p *Pull) Progress() PullProgress {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.at
}

// Changed returns a channel that is closed at the next change of [Pull.Progress].
func (p *Pull) Changed() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.changed
}

func (p *Pull) change(fn func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	fn()
	close(p.changed)
	p.changed = make(chan struct{})
}

// run fetches, again and again while that helps.
func (p *Pull) run(ctx context.Context) error {
	pause := p.admin.Pause
	if pause == 0 {
		pause = time.Second
	}
	for failed := 0; ; {
		before := p.Progress().Done
		err := p.once(ctx)
		if err == nil {
			p.change(func() { p.at.Phase, p.at.Done, p.at.Error, p.at.LeftMs = PullDone, p.at.Total, "", nil })
			return nil
		}
		if ctx.Err() != nil {
			p.change(func() { p.at.Phase, p.at.PerSecond, p.at.LeftMs = PullStopped, nil, nil })
			return fmt.Errorf("pull %s: stopped; what was fetched is kept, and the next pull goes on there: %w", p.name.Short(), ctx.Err())
		}
		now := p.Progress()
		if now.Done > before {
			failed = 0
		}
		// Where nothing was fetched yet, a registry or a server that is not there will not be there in a second either.
		again := errors.Is(err, ErrBroken) || now.Done > 0 && (errors.Is(err, ErrRoute) || errors.Is(err, research.ErrUnavailable))
		if failed++; !again || failed > p.tries {
			p.change(func() { p.at.Phase, p.at.Error, p.at.PerSecond, p.at.LeftMs = PullFailed, err.Error(), nil, nil })
			return err
		}
		p.change(func() {
			p.at.Phase, p.at.Error, p.at.Tries, p.at.PerSecond, p.at.LeftMs = PullWaiting, err.Error(), p.at.Tries+1, nil, nil
			p.speed = speed{}
		})
		// A pause that is cut short ends at the next try.
		_ = sleep(ctx, min(pause<<min(failed-1, 10), 30*time.Second))
	}
}

// once follows one transfer to its end.
func (p *Pull) once(ctx context.Context) error {
	yes, success := true, false
	ctx, heard, done := untilSilent(ctx, p.admin.lookTime(), silence, "pull "+p.name.Short()+": the server at %s accepted the request and said nothing for %s; restart it and pull again, what was fetched is kept", p.admin.base)
	defer done()
	req := &api.PullRequest{Model: p.name.Short(), Insecure: p.name.Plain, Stream: &yes}
	err := p.admin.api.Pull(ctx, req, func(r api.ProgressResponse) error {
		heard()
		success = success || r.Status == "success"
		p.change(func() { p.heard(r) })
		if r.Total > maxModel {
			return saying(ErrRegistry, "pull %s: %s announces a part of %s, and no model has that; check that it is a registry of models", p.name.Short(), p.name.Host, BytesText(r.Total))
		}
		return nil
	})
	if errors.Is(err, ErrRegistry) {
		return err
	}
	if err == nil && success {
		return nil
	}
	return p.fault(ctx, err)
}

// heard takes in a line of the server.
func (p *Pull) heard(r api.ProgressResponse) {
	switch {
	case r.Digest != "" && r.Total > 0:
		p.at.Phase, p.at.Error = PullFetching, ""
		const most = 4096 // parts of one model that are told apart
		l, known := p.layers[r.Digest]
		if !known && len(p.layers) >= most {
			return
		}
		total := min(r.Total, maxModel)
		l = layer{done: min(max(r.Completed, 0), total), total: total}
		if !known {
			p.speed.head(l.done) // it was there before
		}
		p.layers[r.Digest] = l
		p.at.Done, p.at.Total = 0, 0
		for _, l := range p.layers {
			p.at.Done += l.done
			p.at.Total += l.total
		}
		p.at.PerSecond, p.at.LeftMs = p.speed.measure(p.admin.now(), p.at.Done, p.at.Total)
	case strings.HasPrefix(r.Status, "verifying"), strings.HasPrefix(r.Status, "writing"), strings.HasPrefix(r.Status, "removing"):
		p.at.Phase, p.at.PerSecond, p.at.LeftMs = PullChecking, nil, nil
	case strings.HasPrefix(r.Status, "pulling manifest"):
		p.at.Phase = PullAsking
	}
}

// fault says in one sentence why the transfer ended, and what to do.
func (p *Pull) fault(ctx context.Context, err error) error {
	at, name := p.Progress(), p.name.Short()
	if cause := context.Cause(ctx); errors.Is(cause, research.ErrHung) {
		return cause
	}
	broken := func(how string) error {
		return saying(ErrBroken, "pull %s: the transfer broke off%s (%s); what was fetched is kept, so pull again to go on", name, percent(at), how)
	}
	var dead *url.Error
	var status api.StatusError
	switch {
	case err == nil:
		return broken("the model server ended the answer without its end")
	case errors.As(err, &dead):
		return fmt.Errorf("pull %s: %w", name, lookFault(ctx, p.admin.base, err))
	case errors.As(err, &status) && status.StatusCode == http.StatusNotFound && !strings.Contains(status.ErrorMessage, "model"):
		return fmt.Errorf("pull %s: %w", name, lookFault(ctx, p.admin.base, err))
	}
	text := err.Error()
	if status.ErrorMessage != "" {
		text = status.ErrorMessage
	}
	low := strings.ToLower(text)
	if page := strings.TrimSpace(low); status.StatusCode == 0 && (strings.HasPrefix(page, "<") || page == "404 page not found") {
		return fmt.Errorf("pull %s: %w", name, notOllama(p.admin.base, "")) // the page of another program
	}
	if fault := p.registryFault(at, text, low); fault != nil {
		return fault
	}
	if contains(low, "eof", "connection reset", "broken pipe", "max retries exceeded", "stalled", "timeout", "context canceled", "use of closed", "stream error") {
		return broken(short(text))
	}
	return saying(research.ErrServer, "pull %s: the model server says: %s; look at its log, and check that %s is a registry of models", name, short(text), p.name.Host)
}

// percent is how far a pull was, for a sentence; "" when it had not begun.
func percent(at PullProgress) string {
	if at.Total <= 0 {
		return ""
	}
	return fmt.Sprintf(" at %d %% of %s", at.Done*100/at.Total, BytesText(at.Total))
}

// BytesText is a number of bytes for a sentence, in decimal units, as registries and disks are sold in.
func BytesText(n int64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.1f GB", float64(n)/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	case n >= 1e3:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%d bytes", n)
}

// speed measures bytes a second over the last ten seconds.
type speed struct {
	base  int64 // bytes that were there before they were looked at
	marks []mark
}

type mark struct {
	at   time.Time
	done int64
}

// head leaves bytes out of the measurement that were there at the first sight of a part.
func (s *speed) head(n int64) { s.base += n }

// measure takes in how much is done and returns bytes a second and the milliseconds that are left; nil before a second has
// passed, and while nothing comes.
func (s *speed) measure(now time.Time, done, total int64) (perSecond, leftMs *int64) {
	const window, least, most = 10 * time.Second, time.Second, 512
	got := done - s.base
	if n := len(s.marks); n > 0 && got < s.marks[n-1].done { // the server took something back
		s.marks = nil
	}
	s.marks = append(s.marks, mark{now, got})
	for len(s.marks) > 2 && (now.Sub(s.marks[1].at) >= window || len(s.marks) > most) {
		s.marks = s.marks[1:]
	}
	first := s.marks[0]
	took := now.Sub(first.at)
	if took < least {
		return nil, nil
	}
	rate := int64(float64(got-first.done) / took.Seconds())
	if rate <= 0 {
		return &rate, nil
	}
	left := int64(float64(total-done) * 1000 / float64(rate))
	return &rate, &left
}
