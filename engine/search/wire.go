package search

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"
)

// maxBody is the most bytes of an answer that are read, after decompression.
const maxBody = 3 << 20

// form is what a body has to look like.
type form int

const (
	formJSON form = iota
	formXML
	formAny // whatever the service sends: its own code looks
)

// call is one request.
type call struct {
	url    string
	header map[string]string
	body   []byte // when set, the request is a POST
	media  string // of body
	want   form
	// judge, when set, is the service's own way to refuse; nil leaves it to the common rules. It may set kind and words only.
	judge func(reply) *Error
	// also is a status that is no fault, beside 200.
	also int
}

// host is who gets the request.
func (c call) host() string {
	u, err := url.Parse(c.url)
	if err != nil {
		return ""
	}
	return u.Host
}

// reply is one answer, whole.
type reply struct {
	status int
	header http.Header
	body   []byte
	after  time.Duration // as Retry-After says
}

// get sends a GET and returns the body of an answer that may be read.
func (p *provider) get(ctx context.Context, u string, want form, judge func(reply) *Error) ([]byte, error) {
	r, err := p.send(ctx, call{url: u, want: want, judge: judge})
	return r.body, err
}

// send sends a request when its turn has come, and again for what may pass by itself. Its error is a [*Error] or that of the
// context.
func (p *provider) send(ctx context.Context, c call) (reply, error) {
	for try := 1; ; try++ {
		r, err := p.once(ctx, c)
		if err == nil {
			return r, nil
		}
		var fault *Error
		if !errors.As(err, &fault) {
			return r, err
		}
		wait := fault.After
		if wait == 0 && fault.passes() {
			wait = p.pacer.back << (try - 1)
		}
		again := fault.passes() && try < p.pacer.tries && wait <= maxWait
		switch {
		case again:
		case fault.Kind == ErrChallenge:
			wait = max(wait, time.Hour) // whoever asks on is blocked for longer
		case fault.Kind == ErrRate || fault.Kind == ErrUnavailable && fault.rests:
			wait = max(wait, rest) // the other queries of a run need not find out the same
		}
		if wait > 0 {
			p.pacer.hold(c.host(), fault, wait)
		}
		if !again {
			return r, fault
		}
	}
}

// once sends a request once.
func (p *provider) once(ctx context.Context, c call) (reply, error) {
	if err := p.pacer.begin(ctx, c.host()); err != nil {
		var fault *Error
		if errors.As(err, &fault) {
			return reply{}, fault.finish(p.host, p.secrets)
		}
		return reply{}, err
	}
	defer p.pacer.end()
	r, err := p.exchange(ctx, c)
	if err != nil {
		if ctx.Err() != nil {
			return r, ctx.Err()
		}
		var fault *Error
		if !errors.As(err, &fault) {
			fault = &Error{Kind: ErrUnavailable, Detail: err.Error(), cause: err, rests: !broke(err) && tried(err), final: !broke(err)}
		}
		return r, fault.finish(p.host, p.secrets)
	}
	p.pacer.learn(c.host(), r.header)
	if c.also != 0 && r.status == c.also {
		return r, nil
	}
	var fault *Error
	if c.judge != nil {
		if fault = c.judge(r); fault != nil {
			fault.Status = r.status
			if fault.After == 0 {
				fault.After = r.after
			}
		}
	}
	if fault == nil {
		fault = judge(r, c.want)
	}
	if fault != nil {
		fault.rests = true
		return r, fault.finish(p.host, p.secrets)
	}
	return r, nil
}

// rest is how long a service is left alone after it was given up.
const rest = time.Minute

// broke reports whether a connection that stood was lost, which may have been by chance. Nobody answering at all, or not in
// time, is none.
func broke(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET)
}

// tried reports whether the network was at fault, and not whoever made the client, who may refuse to send a request.
func tried(err error) bool {
	var fault net.Error
	return errors.As(err, &fault)
}

// exchange sends the request and reads the answer.
func (p *provider) exchange(ctx context.Context, c call) (reply, error) {
	method, body := http.MethodGet, io.Reader(nil)
	if c.body != nil {
		method, body = http.MethodPost, bytes.NewReader(c.body)
	}
	req, err := http.NewRequestWithContext(ctx, method, c.url, body)
	if err != nil {
		return reply{}, &Error{Kind: ErrBadQuery, Detail: "no address can be made of it"}
	}
	req.Header.Set("Accept", map[form]string{formJSON: "application/json", formXML: "application/xml, application/atom+xml, application/rss+xml, */*;q=0.5", formAny: "*/*"}[c.want])
	req.Header.Set("Accept-Language", "en, zh;q=0.8, *;q=0.5")
	if c.media != "" {
		req.Header.Set("Content-Type", c.media)
	}
	for k, v := range c.header {
		req.Header.Set(k, v)
	}
	resp, err := p.client.Do(req)
	if err != nil {
		var outer *url.Error // it holds the whole address, which may hold a key
		if errors.As(err, &outer) {
			err = outer.Err
		}
		return reply{}, err
	}
	defer resp.Body.Close()
	r := reply{status: resp.StatusCode, header: resp.Header, after: retryAfter(resp.Header, p.pacer.clock.Now())}
	r.body, err = io.ReadAll(io.LimitReader(resp.Body, maxBody+1))
	switch {
	case err != nil:
		return r, fmt.Errorf("the answer broke off: %w", err)
	case len(r.body) > maxBody:
		r.body = nil
		return r, &Error{Kind: ErrFormat, Status: r.status, Detail: fmt.Sprintf("the answer is larger than %d MiB", maxBody>>20)}
	}
	return r, nil
}

// guarded is a client that sends a key nowhere else than to the host it is for: headers other than Authorization are kept
// by net/http when an answer leads to another host.
func guarded(c *http.Client) *http.Client {
	out := *c
	out.CheckRedirect = func(req *http.Request, via []*http.Request) error {
		if req.URL.Host != via[0].URL.Host || req.URL.Scheme != via[0].URL.Scheme {
			return http.ErrUseLastResponse
		}
		if c.CheckRedirect != nil {
			return c.CheckRedirect(req, via)
		}
		if len(via) >= 5 {
			return errors.New("more than 5 redirects")
		}
		return nil
	}
	return &out
}

// values makes the query of an address from pairs of names and values; a pair with an empty value is left out.
func values(pairs ...string) string {
	v := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			v.Set(pairs[i], pairs[i+1])
		}
	}
	return strings.ReplaceAll(v.Encode(), "+", "%20")
}
