package fetch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"

	"assay/engine/research"
)

// Bounds of a connection.
const (
	connectTimeout = 10 * time.Second
	maxHeader      = 256 << 10 // bytes of an answer's header
)

// transport has what all transports have in common. The environment's proxy is never read.
func transport(dial func(ctx context.Context, network, addr string) (net.Conn, error)) *http.Transport {
	return &http.Transport{
		DialContext:            dial,
		Proxy:                  nil,
		ForceAttemptHTTP2:      true,
		MaxIdleConns:           32,
		MaxIdleConnsPerHost:    4,
		IdleConnTimeout:        30 * time.Second,
		TLSHandshakeTimeout:    connectTimeout,
		MaxResponseHeaderBytes: maxHeader,
	}
}

// dialer connects only to addresses that allow accepts. It is asked about the address that is connected to, after the name
// was resolved, so a name that resolves to something else the second time gains nothing.
func (c *Client) dialer(allow func(netip.AddrPort) bool) *net.Dialer {
	return &net.Dialer{
		Timeout: connectTimeout,
		ControlContext: func(_ context.Context, network, address string, _ syscall.RawConn) error {
			ap, err := netip.ParseAddrPort(address)
			if err != nil || network != "tcp4" && network != "tcp6" || !allow(ap) {
				return fmt.Errorf("%s: %w", address, errDial)
			}
			if c.policy.Dialed != nil {
				c.policy.Dialed(network, address)
			}
			return nil
		},
	}
}

// publicTransport reaches public addresses on ports 80 and 443, or the proxy that the person set and nothing else.
func (c *Client) publicTransport() (*http.Transport, error) {
	if c.policy.Proxy == "" {
		d := c.dialer(func(ap netip.AddrPort) bool {
			return public(ap.Addr()) && (ap.Port() == 80 || ap.Port() == 443)
		})
		return transport(d.DialContext), nil
	}
	u, err := url.Parse(c.policy.Proxy)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" && u.Scheme != "socks5" {
		return nil, fmt.Errorf("proxy %q is not a URL such as http://host:port or socks5://host:port", redact(c.policy.Proxy))
	}
	want := u.Host
	if u.Port() == "" {
		want = net.JoinHostPort(u.Hostname(), map[string]string{"http": "80", "https": "443", "socks5": "1080"}[u.Scheme])
	}
	d := c.dialer(func(ap netip.AddrPort) bool { return !metadata(ap.Addr()) })
	t := transport(func(ctx context.Context, network, addr string) (net.Conn, error) {
		if !strings.EqualFold(addr, want) {
			return nil, fmt.Errorf("connect to %s beside the proxy: %w", addr, ErrAddress)
		}
		return dialNamed(ctx, d, network, addr)
	})
	t.Proxy = http.ProxyURL(u)
	t.ProxyConnectHeader = http.Header{"User-Agent": {c.agent}} // a proxy is told no more than a site
	return t, nil
}

// serviceTransport reaches one named service and nothing else.
func (c *Client) serviceTransport(u *url.URL) *http.Transport {
	want := hostPort(u)
	_, port, _ := net.SplitHostPort(want)
	loopback := c.policy.Egress == research.Closed || namesLoopback(u.Hostname())
	d := c.dialer(func(ap netip.AddrPort) bool {
		if fmt.Sprint(ap.Port()) != port || metadata(ap.Addr()) {
			return false
		}
		return !loopback || ap.Addr().Unmap().IsLoopback()
	})
	return transport(func(ctx context.Context, network, addr string) (net.Conn, error) {
		if !strings.EqualFold(addr, want) {
			return nil, fmt.Errorf("connect to %s instead of %s: %w", addr, want, ErrAddress)
		}
		return dialNamed(ctx, d, network, addr)
	})
}

// dialNamed is Dial with "localhost" known without asking anybody: 127.0.0.1 first, because servers listen there, then ::1.
func dialNamed(ctx context.Context, d *net.Dialer, network, addr string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	if _, err := netip.ParseAddr(host); err == nil || !namesLoopback(host) {
		return d.DialContext(ctx, network, addr)
	}
	conn, err := d.DialContext(ctx, network, net.JoinHostPort("127.0.0.1", port))
	if err == nil {
		return conn, nil
	}
	conn, err6 := d.DialContext(ctx, network, net.JoinHostPort("::1", port))
	if err6 != nil {
		return nil, errors.Join(err, err6)
	}
	return conn, nil
}
