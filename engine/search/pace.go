package search

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Clock tells the time and waits.
type Clock interface {
	Now() time.Time
	// Sleep returns the context's error when that ends first.
	Sleep(context.Context, time.Duration) error
}

type systemClock struct{}

// Now implements [Clock].
func (systemClock) Now() time.Time { return time.Now() }

// Sleep implements [Clock].
func (systemClock) Sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

const (
	// maxWait is the longest that a search waits for its turn; what has to wait longer fails at once and says until when.
	maxWait = 20 * time.Second
	// maxAfter bounds what a server may ask for, so that a broken header closes no provider for good.
	maxAfter = 24 * time.Hour
)

// pace is how often a service may be asked.
type pace struct {
	gap     time.Duration // between the starts of two requests
	hourly  int           // most requests an hour; 0: no such limit
	tries   int           // for what may pass by itself: too many requests, unavailable
	backoff time.Duration // after the first of these; doubled each time, unless the server says how long
}

// pacer lets one request through at a time, each when it is due.
type pacer struct {
	clock Clock
	turn  chan struct{} // full while a request is under way
	tries int
	back  time.Duration
	// shared says that several providers use it, whose hosts one operator runs.
	shared bool

	mu     sync.Mutex
	gap    time.Duration
	hourly int
	sent   []time.Time // the starts of the last hour's requests, when hourly is set
	last   time.Time   // the start of the last request
	next   time.Time   // nothing is sent before
	holds  map[string]hold
}

// hold is until when a host is left alone, and why.
type hold struct {
	until time.Time
	why   *Error
}

// everyHost is the key of a hold for all hosts of a pacer that several providers share.
const everyHost = ""

func newPacer(clock Clock, p pace) *pacer {
	if clock == nil {
		clock = systemClock{}
	}
	return &pacer{clock: clock, turn: make(chan struct{}, 1), tries: max(1, p.tries), back: p.backoff, gap: p.gap, hourly: p.hourly, holds: map[string]hold{}}
}

// begin waits until a request to a host may be sent; end follows it. Its error is that of the context, or the reason why nothing may
// be sent for longer than anybody waits.
func (p *pacer) begin(ctx context.Context, host string) error {
	select {
	case p.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	wait, err := p.due(host)
	if err == nil && wait > 0 {
		err = p.clock.Sleep(ctx, wait)
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		<-p.turn
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.clock.Now()
	p.last, p.next = now, now.Add(p.gap)
	if p.hourly > 0 {
		p.sent = append(p.sent, now)
	}
	return nil
}

func (p *pacer) end() { <-p.turn }

// due says how long the next request to a host has to wait.
func (p *pacer) due(host string) (time.Duration, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.clock.Now()
	for len(p.sent) > 0 && now.Sub(p.sent[0]) >= time.Hour {
		p.sent = p.sent[1:]
	}
	if p.hourly > 0 && len(p.sent) >= p.hourly {
		return 0, &Error{Kind: ErrRate, Detail: strconv.Itoa(p.hourly) + " requests were sent within the hour", After: p.sent[0].Add(time.Hour).Sub(now)}
	}
	wait := p.next.Sub(now)
	for _, key := range []string{everyHost, host} {
		h, ok := p.holds[key]
		switch left := h.until.Sub(now); {
		case !ok:
		case left <= 0:
			delete(p.holds, key)
		case left > maxWait:
			e := *h.why
			e.After = left
			return 0, &e
		default:
			wait = max(wait, left)
		}
	}
	return wait, nil
}

// hold lets nothing through to a host for d, for the reason e.
func (p *pacer) hold(host string, e *Error, d time.Duration) {
	if p.shared && (e.Kind == ErrRate || e.Kind == ErrQuota) {
		host = everyHost // limits count for the operator, being down for a host
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if until := p.clock.Now().Add(min(d, maxAfter)); until.After(p.holds[host].until) {
		p.holds[host] = hold{until, e}
	}
}

// learn follows what an answer says of the limits: x-rate-limit-limit with x-rate-limit-interval (Crossref), and
// x-ratelimit-limit, -remaining and -reset, lists with an entry for each window (Brave).
func (p *pacer) learn(host string, h http.Header) {
	if n, err := strconv.Atoi(h.Get("X-Rate-Limit-Limit")); err == nil && n > 0 {
		if every, err := time.ParseDuration(h.Get("X-Rate-Limit-Interval")); err == nil && every > 0 {
			p.mu.Lock()
			p.gap = min(every/time.Duration(n), maxWait)
			if due := p.last.Add(p.gap); due.After(p.next) {
				p.next = due
			}
			p.mu.Unlock()
		}
	}
	limit, left, reset := list(h, "X-Ratelimit-Limit"), list(h, "X-Ratelimit-Remaining"), list(h, "X-Ratelimit-Reset")
	for i := range min(len(limit), len(left), len(reset)) {
		if limit[i] <= 0 || left[i] > 0 || reset[i] <= 0 {
			continue // a limit of 0 is none
		}
		after := time.Duration(min(reset[i], int64(maxAfter/time.Second))) * time.Second
		if reset[i] > 1e9 { // a moment, not a while
			after = time.Unix(reset[i], 0).Sub(p.clock.Now())
		}
		kind := ErrRate
		if after > time.Hour {
			kind = ErrQuota
		}
		p.hold(host, &Error{Kind: kind, Status: http.StatusTooManyRequests, Detail: "no requests are left"}, after)
	}
}

// list reads a header of whole numbers separated by commas.
func list(h http.Header, name string) []int64 {
	var out []int64
	for _, part := range strings.Split(h.Get(name), ",") {
		n, err := strconv.ParseInt(strings.TrimSpace(part), 10, 64)
		if err != nil {
			return nil
		}
		out = append(out, n)
	}
	return out
}

// retryAfter reads a Retry-After header in both its forms; 0 when there is none.
func retryAfter(h http.Header, now time.Time) time.Duration {
	v := strings.TrimSpace(h.Get("Retry-After"))
	if v == "" {
		return 0
	}
	var d time.Duration
	if n, err := strconv.ParseFloat(v, 64); err == nil && n == n {
		d = time.Duration(min(max(n, 0), maxAfter.Seconds()) * float64(time.Second))
	} else if at, err := http.ParseTime(v); err == nil {
		d = at.Sub(now)
	}
	return min(max(d, 0), maxAfter)
}
