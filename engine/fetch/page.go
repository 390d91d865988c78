package fetch

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Retries of a page: what a busy or restarting server answers is asked again, at most this often and after this long.
const (
	maxTries  = 3
	firstWait = time.Second
	maxWait   = 30 * time.Second // a server that wants more is not waited for
)

// Page is what a location holds, as sent. The body's charset is the reader's to find out, with the help of Type.
type Page struct {
	URL      string // where it was found after redirects
	Type     string // the Content-Type header, "text/html; charset=gbk"
	Language string // the Content-Language header
	Modified string // the Last-Modified header
	Tag      string // the ETag header
	Body     []byte
	// Unchanged: the server said that the page is as it was kept, and sent nothing.
	Unchanged bool
}

// maxValidator is the longest ETag or date that is sent back, in bytes.
const maxValidator = 200

// validators are the headers by which a server is asked for a page only if it changed; false when what is kept of it gives none.
func validators(p Page) (tag, since string, ok bool) {
	fine := func(s string) string {
		if len(s) > maxValidator || strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' }) {
			return ""
		}
		return s
	}
	if tag = fine(p.Tag); tag != "" && !strings.HasSuffix(tag, `"`) {
		tag = ""
	}
	if since = fine(p.Modified); since != "" {
		if _, err := http.ParseTime(since); err != nil {
			since = ""
		}
	}
	return tag, since, len(p.Body) > 0 && (tag != "" || since != "")
}

// readable are the media types that a page may have.
func readable(contentType string) bool {
	if contentType == "" {
		return true // found out from the bytes
	}
	t, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		t, _, _ = strings.Cut(contentType, ";")
		t = strings.ToLower(strings.TrimSpace(t))
	}
	switch {
	case strings.HasPrefix(t, "text/"), strings.HasSuffix(t, "+xml"), strings.HasSuffix(t, "+json"):
		return true
	case strings.HasPrefix(t, "application/vnd.oasis.opendocument"), strings.HasPrefix(t, "application/vnd.openxmlformats-officedocument"):
		return true
	}
	switch t {
	case "application/pdf", "application/xml", "application/json", "application/epub+zip", "application/octet-stream", "application/x-pdf", "multipart/related", "message/rfc822":
		return true
	}
	return false
}

// Page reads a page: its URL is checked, its site's robots.txt obeyed, one host asked at most once a gap, and a busy server
// asked again after the time it names. The error wraps [ErrAddress], [ErrRedirects], [ErrClosed], [ErrRobots], [ErrType], [ErrTooLarge]
// or is a [*StatusError], and holds no query.
func (c *Client) Page(ctx context.Context, location string) (Page, error) {
	u, err := parse(location)
	if err != nil {
		return Page{}, err
	}
	s, err := c.allowed(PageOf, u)
	if err != nil {
		c.refused(ctx, u, err)
		return Page{}, err
	}
	if s == nil { // what a person serves to themselves has no robots to keep out
		ok, err := c.robotsAllow(ctx, u)
		if err != nil {
			return Page{}, err
		}
		if !ok {
			err := fmt.Errorf("get %s: %w", redact(u.String()), ErrRobots)
			c.refused(ctx, u, err)
			return Page{}, err
		}
	}
	for try := 0; ; try++ {
		if s == nil {
			if err := c.turn(ctx, u); err != nil {
				return Page{}, err
			}
		}
		p, err := c.once(ctx, u, s == nil)
		wait, again := c.retry(u, try, err)
		if !again || ctx.Err() != nil {
			return p, err
		}
		if err := c.sleep(ctx, wait); err != nil {
			return Page{}, err
		}
	}
}

// kept is what is known of a page from an earlier fetch. Over a proxy nothing is: a validator is as good as a name to tell runs of one
// person by.
func (c *Client) kept(u *url.URL, public bool) (Page, bool) {
	if c.policy.Kept == nil || public && c.policy.Proxy != "" {
		return Page{}, false
	}
	p, ok := c.policy.Kept(u.String())
	return p, ok && p.URL == u.String()
}

// once does one request for a page; public says that it is of no service of the person's own.
func (c *Client) once(ctx context.Context, u *url.URL, public bool) (Page, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return Page{}, fmt.Errorf("get %s: %w", redact(u.String()), err)
	}
	req.Header.Set("Accept", "text/html,application/xhtml+xml,application/pdf;q=0.9,text/plain;q=0.8,*/*;q=0.5")
	old, known := c.kept(u, public)
	if known {
		var tag, since string
		if tag, since, known = validators(old); known {
			for key, v := range map[string]string{"If-None-Match": tag, "If-Modified-Since": since} {
				if v != "" {
					req.Header.Set(key, v)
				}
			}
		}
	}
	resp, err := c.HTTP(PageOf).Do(req)
	if err != nil {
		return Page{}, Redacted(err)
	}
	defer resp.Body.Close()
	at := redact(resp.Request.URL.String())
	if known && resp.StatusCode == http.StatusNotModified && resp.Request.URL.String() == old.URL {
		old.Unchanged = true
		return old, nil
	}
	if resp.StatusCode != http.StatusOK {
		return Page{}, &StatusError{URL: at, Status: resp.StatusCode, After: c.after(resp.Header.Get("Retry-After"))}
	}
	p := Page{
		URL: resp.Request.URL.String(), Type: resp.Header.Get("Content-Type"),
		Language: resp.Header.Get("Content-Language"), Modified: resp.Header.Get("Last-Modified"), Tag: resp.Header.Get("ETag"),
	}
	if !readable(p.Type) {
		return Page{}, fmt.Errorf("get %s: %q: %w", at, head(p.Type), ErrType)
	}
	if e := resp.Header.Get("Content-Encoding"); e != "" && e != "identity" {
		return Page{}, fmt.Errorf("get %s: encoded as %q, which was not asked for: %w", at, head(e), ErrType)
	}
	if p.Body, err = io.ReadAll(resp.Body); err != nil {
		return Page{}, fmt.Errorf("read %s: %w", at, Redacted(err))
	}
	return p, nil
}

// retry says whether a failed request is worth another, and after how long.
func (c *Client) retry(u *url.URL, try int, err error) (time.Duration, bool) {
	if err == nil || try+1 >= maxTries {
		return 0, false
	}
	var status *StatusError
	var netErr net.Error
	switch {
	case errors.As(err, &status):
		switch status.Status {
		case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		default:
			return 0, false
		}
		if status.After > 0 {
			return status.After, status.After <= maxWait
		}
	case errors.Is(err, ErrAddress), errors.Is(err, ErrClosed), errors.Is(err, ErrTooLarge), errors.Is(err, ErrType):
		return 0, false
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
	case errors.As(err, &netErr) && netErr.Timeout():
	default:
		return 0, false // refused, unknown host, a bad certificate: not better in a second
	}
	// Not all at once: the wait differs by address, and is the same each time.
	h := fnv.New32a()
	_, _ = h.Write([]byte(u.String()))
	return firstWait<<try + time.Duration(h.Sum32()%500)*time.Millisecond, true
}

// after reads a Retry-After header in both its forms; 0 when there is none.
func (c *Client) after(h string) time.Duration {
	h = strings.TrimSpace(h)
	if n, err := strconv.ParseUint(h, 10, 31); err == nil {
		return time.Duration(n) * time.Second
	}
	if t, err := http.ParseTime(h); err == nil {
		return max(0, t.Sub(c.now()))
	}
	return 0
}

// turn waits until a public host may be asked again.
func (c *Client) turn(ctx context.Context, u *url.URL) error {
	key := hostPort(u)
	c.mu.Lock()
	gap := max(c.policy.Gap, c.robots[u.Scheme+"://"+key].delay)
	now := c.now()
	at := c.next[key]
	if at.Before(now) {
		at = now
	}
	if gap > 0 {
		c.next[key] = at.Add(gap)
	}
	c.mu.Unlock()
	return c.sleep(ctx, at.Sub(now))
}

// refused puts a page that was not asked for into the outbox.
func (c *Client) refused(ctx context.Context, u *url.URL, err error) {
	o := outbound(c.now(), u, PageOf, whyOf(ctx))
	o.Fault = err.Error()
	c.out(o)
}
