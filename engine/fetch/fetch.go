// Package fetch is the program's only way out. Every dialer, transport and client is made here; all other packages are given
// an *http.Client, which a test of this package enforces over the whole repository.
//
// Start at [New], then [Client.HTTP] for a client of one kind of use, or [Client.Page] to read a page with robots.txt, retries
// and bounds. address.go says which addresses are public, dial.go connects and checks the address that is connected to,
// request.go checks every request and keeps the outbox, page.go and robots.go read pages.
//
// Two ways lead out and they never mix: services that the person named, which may be on this machine, and the public web,
// which never leads to a private address whatever a name resolves to. A closed run has only the first, and of it only what is
// on this machine.
package fetch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"assay/engine/research"
)

// Kind is what a request is for; the word stands in the outbox.
type Kind string

// The kinds. A model request reaches named services only, whatever the run's reach is.
const (
	Search Kind = "search"
	PageOf Kind = "page"
	Model  Kind = "model"
	Update Kind = "update"
	// Deliver hands a result to somebody the person named.
	Deliver Kind = research.OutboxDeliver
)

// Bounds by kind: bytes of an answer after decompression, and the time for all of it. A model's stream is bounded by its
// caller.
var bounds = map[Kind]struct {
	bytes   int64
	timeout time.Duration
}{
	Search: {4 << 20, 20 * time.Second},
	PageOf: {10 << 20, 20 * time.Second},
	Model:  {256 << 20, 0},
	Update: {1 << 20, 20 * time.Second},
	// Of the answer to a delivery only its status counts.
	Deliver: {64 << 10, 30 * time.Second},
}

// maxRedirects is how often an answer may lead elsewhere; each place is checked like the first.
const maxRedirects = 5

// agent is what servers are told: the program, not the person or the machine.
const agent = "Mozilla/5.0 (compatible; Assay/1)"

// Why something was not fetched; errors wrap them.
var (
	// ErrClosed: the run's reach forbids it.
	ErrClosed = errors.New("outside the run's reach")
	// ErrAddress: a URL or an address that is never fetched.
	ErrAddress = errors.New("forbidden address")
	// ErrRedirects: one address leads to the next too often, as in a circle.
	ErrRedirects = errors.New("more than " + strconv.Itoa(maxRedirects) + " redirects")
	// ErrTooLarge: more bytes than the bound.
	ErrTooLarge = errors.New("too large")
	// ErrRobots: the site's robots.txt asks not to.
	ErrRobots = errors.New("forbidden by robots.txt")
	// ErrType: something that is not read as a page.
	ErrType = errors.New("not a readable type")
)

// StatusError is an answer whose status is not 200.
type StatusError struct {
	URL    string // without its query
	Status int
	// After is how long the server asked to wait; 0 when it did not say.
	After time.Duration
}

func (e *StatusError) Error() string { return fmt.Sprintf("get %s: status %d", e.URL, e.Status) }

// Service is one that the person named.
type Service struct {
	Base string // "http://127.0.0.1:11434"
	For  []Kind // what it may be used for
}

// Policy is how far a client reaches.
type Policy struct {
	Egress   research.Egress
	Services []Service
	// Hosts are "host:port" of servers that the person named for another protocol than HTTP; see [Client.Connect].
	Hosts []string
	// Proxy is "http://host:port", "https://..." or "socks5://...", as the person set it; names are then resolved there, and
	// checking addresses is its duty. Empty: none, whatever the environment says. Services and closed runs never use it.
	Proxy string
	// Contact, when set, is added to what servers are told, because some ask for it.
	Contact string
	// Kept, when set, returns a page as it was fetched before, by its address; its server is then asked for it only if it changed.
	// Nothing is told to a server in this way where a Proxy is set.
	Kept func(location string) (Page, bool)
	// Outbox, when set, gets every request and every refusal. It must not block.
	Outbox func(research.Outbound)
	// Dialed, when set, is told every address before it is connected to, after it was found allowed.
	Dialed func(network, address string)
	// Gap is the least time between two page requests to one public host. If zero, 1 second; negative: none.
	Gap time.Duration
}

// Client reaches what its policy allows. It is safe for concurrent use; Close ends its connections.
type Client struct {
	policy   Policy
	agent    string
	services map[string]*service // by host:port
	public   *http.Transport
	sleep    func(context.Context, time.Duration) error
	now      func() time.Time

	mu     sync.Mutex
	robots map[string]robotsOf  // by scheme://host:port
	next   map[string]time.Time // when a host may be asked again
}

// service is a named service with a transport of its own.
type service struct {
	url       *url.URL
	kinds     map[Kind]bool
	transport *http.Transport
}

// New checks a policy and returns its client. In a closed run every service must be on this machine.
func New(p Policy) (*Client, error) {
	switch p.Egress {
	case research.Closed, research.Own, research.Web:
	default:
		return nil, fmt.Errorf("reach %q is not known", p.Egress)
	}
	if p.Gap == 0 {
		p.Gap = time.Second
	}
	c := &Client{
		policy: p, agent: agent, services: map[string]*service{}, sleep: sleep, now: time.Now,
		robots: map[string]robotsOf{}, next: map[string]time.Time{},
	}
	if p.Contact != "" {
		if strings.ContainsAny(p.Contact, "\r\n") || len(p.Contact) > 200 {
			return nil, fmt.Errorf("contact %q is not one short line", p.Contact)
		}
		c.agent = strings.TrimSuffix(agent, ")") + "; " + p.Contact + ")"
	}
	for _, s := range p.Services {
		if err := c.addService(s); err != nil {
			return nil, err
		}
	}
	if p.Egress == research.Web {
		t, err := c.publicTransport()
		if err != nil {
			return nil, err
		}
		c.public = t
	}
	return c, nil
}

func (c *Client) addService(s Service) error {
	u, err := url.Parse(s.Base)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
		return fmt.Errorf("service %q is not a URL such as http://127.0.0.1:11434", redact(s.Base))
	}
	if c.policy.Egress == research.Closed && !namesLoopback(u.Hostname()) {
		return fmt.Errorf("service %s is not on this machine, and the run is closed: %w", u.Host, ErrClosed)
	}
	key := hostPort(u)
	have := c.services[key]
	if have == nil {
		have = &service{url: u, kinds: map[Kind]bool{}, transport: c.serviceTransport(u)}
		c.services[key] = have
	}
	for _, k := range s.For {
		have.kinds[k] = true
	}
	return nil
}

// HTTP returns a client for one kind of use. It keeps no cookies, follows at most five redirects, each of which is checked
// like the first request, and bounds what is read. All clients of a Client share its connections.
func (c *Client) HTTP(kind Kind) *http.Client {
	return &http.Client{
		Transport: &guard{c, kind},
		Timeout:   bounds[kind].timeout,
		CheckRedirect: func(req *http.Request, via []*http.Request) error {
			if len(via) > maxRedirects {
				return ErrRedirects
			}
			// Only a service may lead to itself: the web never leads to one, and a service never elsewhere.
			if from, to := c.services[hostPort(via[0].URL)], c.services[hostPort(req.URL)]; from != to {
				return fmt.Errorf("redirect from %s to %s: %w", via[0].URL.Host, req.URL.Host, ErrAddress)
			}
			return nil
		},
	}
}

// Close ends idle connections. Requests in flight go on.
func (c *Client) Close() {
	for _, s := range c.services {
		s.transport.CloseIdleConnections()
	}
	if c.public != nil {
		c.public.CloseIdleConnections()
	}
}

// hostPort is the key of a URL's host: lower case, with its port.
func hostPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = "80"
		if u.Scheme == "https" {
			port = "443"
		}
	}
	return net.JoinHostPort(strings.ToLower(strings.TrimSuffix(u.Hostname(), ".")), port)
}

type whyKey struct{}

// Because returns a context whose requests say why in the outbox: the query, or the source that is opened.
func Because(ctx context.Context, why string) context.Context {
	return context.WithValue(ctx, whyKey{}, why)
}

func whyOf(ctx context.Context) string {
	s, _ := ctx.Value(whyKey{}).(string)
	return s
}

func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
