package fetch

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"assay/engine/research"
)

// guard is the transport of every client: it checks the request, clears what would tell on the person, keeps the outbox and
// bounds the answer.
type guard struct {
	c    *Client
	kind Kind
}

// RoundTrip sends a request that the policy allows. Its errors hold no query of a URL.
func (g *guard) RoundTrip(req *http.Request) (*http.Response, error) {
	out := outbound(g.c.now(), req.URL, g.kind, whyOf(req.Context()))
	out.Bytes = sent(req)
	s, err := g.c.allowed(g.kind, req.URL)
	if err != nil {
		if req.Body != nil {
			_ = req.Body.Close()
		}
		out.Fault = err.Error()
		g.c.out(out)
		return nil, err
	}
	t := g.c.public
	if s != nil {
		t = s.transport
	}
	req = req.Clone(req.Context())
	req.Header.Set("User-Agent", g.c.agent)
	for _, h := range []string{"Cookie", "Referer", "Authorization", "From"} {
		if s == nil || h != "Authorization" { // a named service may have a key
			req.Header.Del(h)
		}
	}
	resp, err := t.RoundTrip(req)
	if err != nil {
		err = Redacted(err)
		out.Fault = err.Error()
		g.c.out(out)
		return nil, err
	}
	g.c.out(out)
	resp.Header.Del("Set-Cookie")
	limit := bounds[g.kind].bytes
	if resp.ContentLength > limit {
		_ = resp.Body.Close()
		return nil, fmt.Errorf("get %s: %d bytes where %d are read: %w", redact(req.URL.String()), resp.ContentLength, limit, ErrTooLarge)
	}
	resp.Body = &bounded{body: resp.Body, left: limit}
	return resp, nil
}

func outbound(now time.Time, u *url.URL, kind Kind, why string) research.Outbound {
	return research.Outbound{AtMs: now.UnixMilli(), Host: hostPort(u), Kind: string(kind), Why: why}
}

// sent is what a request tells its server, in bytes: method, target and body.
func sent(req *http.Request) int64 {
	return int64(len(req.Method)+len(req.URL.RequestURI())) + max(0, req.ContentLength)
}

func (c *Client) out(o research.Outbound) {
	if c.policy.Outbox != nil {
		c.policy.Outbox(o)
	}
}

// bounded fails when more is read than the bound, counted after decompression, so that a small bomb is no way around it.
type bounded struct {
	body io.ReadCloser
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, ErrTooLarge
	}
	// One byte more than the bound tells a body that ends there from one that goes on.
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.body.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return n - 1, ErrTooLarge
	}
	return n, err
}

func (b *bounded) Close() error { return b.body.Close() }

// Redacted takes the URL that net/http puts into its errors out of them, because a query may hold a key.
func Redacted(err error) error {
	var ue *url.Error
	if errors.As(err, &ue) {
		return fmt.Errorf("%s %s: %w", ue.Op, redact(ue.URL), ue.Err)
	}
	return err
}
