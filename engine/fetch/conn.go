package fetch

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"

	"assay/engine/research"
)

// Queue is the kind of what is said to a server that shares a queue of runs.
const Queue Kind = "queue"

// Conn connects to one service that the person named and that does not speak HTTP, under the rules of [Client]'s services: in
// a closed policy it is on this machine, it is never a metadata address, and what is connected to is what was named.
type Conn struct {
	client   *Client
	kind     Kind
	addr     string // host:port, lower case
	loopback bool
	dial     *net.Dialer
}

// NewConn returns the way to one service at host:port.
func NewConn(p Policy, kind Kind, addr string) (*Conn, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil || host == "" || port == "" {
		return nil, fmt.Errorf("server %q is not a host with a port, such as 127.0.0.1:4222", addr)
	}
	p.Services, p.Proxy = nil, ""
	if p.Egress == research.Closed && !namesLoopback(host) {
		return nil, fmt.Errorf("server %s is not on this machine, and nothing may leave it: %w", addr, ErrClosed)
	}
	c, err := New(p)
	if err != nil {
		return nil, err
	}
	s := &Conn{client: c, kind: kind, addr: strings.ToLower(addr), loopback: namesLoopback(host)}
	s.dial = c.dialer(func(ap netip.AddrPort) bool {
		return fmt.Sprint(ap.Port()) == port && !metadata(ap.Addr()) && (!s.loopback || ap.Addr().Unmap().IsLoopback())
	})
	return s, nil
}

// DialContext connects to the service and to nothing else. Each connection stands in the outbox.
func (s *Conn) DialContext(ctx context.Context, network, addr string) (net.Conn, error) {
	out := outbound(s.client.now(), &url.URL{Host: addr}, s.kind, whyOf(ctx))
	var conn net.Conn
	err := fmt.Errorf("connect to %s instead of %s: %w", addr, s.addr, ErrAddress)
	if strings.EqualFold(addr, s.addr) {
		conn, err = dialNamed(ctx, s.dial, network, addr)
	}
	if err != nil {
		out.Fault = err.Error()
	}
	s.client.out(out)
	return conn, err
}

// Dial is [Conn.DialContext] without a context.
func (s *Conn) Dial(network, addr string) (net.Conn, error) {
	return s.DialContext(context.Background(), network, addr)
}
