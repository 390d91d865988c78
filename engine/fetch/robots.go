package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/temoto/robotstxt"
)

// What RFC 9309 asks of who obeys robots.txt: at least 500 KiB are read, a copy is used for at most a day, a site without
// one (4xx) allows all, and one that cannot be asked (5xx, no answer) forbids all.
const (
	maxRobots = 500 << 10
	robotsFor = 24 * time.Hour
	// robotsName is the product token that rules are looked up by.
	robotsName = "assay"
	// maxDelay is the longest Crawl-delay that is obeyed; it is not in the RFC, and some ask for hours.
	maxDelay = 10 * time.Second
)

// robotsOf is what one site's robots.txt says.
type robotsOf struct {
	group *robotstxt.Group // nil: see all
	all   bool             // allowed, or forbidden, without a file
	delay time.Duration
	until time.Time
}

// robotsAllow reports whether a site allows a URL. An error is the context's.
func (c *Client) robotsAllow(ctx context.Context, u *url.URL) (bool, error) {
	key := u.Scheme + "://" + hostPort(u)
	c.mu.Lock()
	r, ok := c.robots[key]
	c.mu.Unlock()
	if !ok || c.now().After(r.until) {
		r = c.askRobots(ctx, u)
		if err := ctx.Err(); err != nil {
			return false, err
		}
		r.until = c.now().Add(robotsFor)
		c.mu.Lock()
		c.robots[key] = r
		c.mu.Unlock()
	}
	if r.group == nil {
		return r.all, nil
	}
	return r.group.Test(u.RequestURI()), nil
}

// askRobots reads a site's robots.txt.
func (c *Client) askRobots(ctx context.Context, u *url.URL) robotsOf {
	at := url.URL{Scheme: u.Scheme, Host: u.Host, Path: "/robots.txt"}
	ctx = Because(ctx, "robots.txt")
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return robotsOf{}
	}
	resp, err := c.HTTP(PageOf).Do(req)
	if err != nil {
		// A redirect to where nothing is fetched from is a site without the file.
		return robotsOf{all: errors.Is(err, ErrAddress) && !errors.Is(err, errDial)}
	}
	defer resp.Body.Close()
	switch {
	case resp.StatusCode >= 500 || resp.StatusCode == http.StatusTooManyRequests:
		return robotsOf{}
	case resp.StatusCode >= 400:
		return robotsOf{all: true}
	case resp.StatusCode != http.StatusOK:
		return robotsOf{all: true}
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxRobots))
	if err != nil {
		return robotsOf{}
	}
	return readRobots(body)
}

// readRobots reads the file's rules for this program; a file that is none allows all.
func readRobots(body []byte) (r robotsOf) {
	defer func() {
		if recover() != nil { // the parser is given hostile text
			r = robotsOf{all: true}
		}
	}()
	data, err := robotstxt.FromBytes(body)
	if err != nil {
		return robotsOf{all: true}
	}
	g := data.FindGroup(robotsName)
	if g == nil {
		return robotsOf{all: true}
	}
	delay := min(g.CrawlDelay, maxDelay)
	if delay < 0 { // a number of seconds that no duration holds
		delay = maxDelay
	}
	return robotsOf{group: g, delay: delay}
}

// errDial marks a refusal at connect: the name resolves to an address that is not public.
var errDial = fmt.Errorf("at connect: %w", ErrAddress)
