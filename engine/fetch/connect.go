package fetch

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"assay/engine/research"
)

// Connect opens a connection to a server that the person named for a protocol other than HTTP: address is one of the policy's Hosts. A
// closed run reaches this machine only, and no run an address at which clouds hand out credentials. The connection stands in the outbox
// when it is closed, with the bytes that were sent, and at once when it was refused. The error wraps [ErrAddress] or [ErrClosed] when it
// was.
func (c *Client) Connect(ctx context.Context, kind Kind, address string) (net.Conn, error) {
	out := research.Outbound{AtMs: c.now().UnixMilli(), Host: strings.ToLower(address), Kind: string(kind), Why: whyOf(ctx)}
	fail := func(err error) (net.Conn, error) {
		out.Fault = err.Error()
		c.out(out)
		return nil, err
	}
	host, port, err := net.SplitHostPort(address)
	named := slices.ContainsFunc(c.policy.Hosts, func(h string) bool { return strings.EqualFold(h, address) })
	switch {
	case err != nil || host == "" || !named:
		return fail(fmt.Errorf("%s is not a server that was named: %w", head(address), ErrAddress))
	case c.policy.Egress == research.Closed && !namesLoopback(host):
		return fail(fmt.Errorf("%s is not on this machine, and the run is closed: %w", address, ErrClosed))
	}
	d := c.dialer(func(ap netip.AddrPort) bool {
		if fmt.Sprint(ap.Port()) != port || metadata(ap.Addr()) {
			return false
		}
		return !namesLoopback(host) || ap.Addr().Unmap().IsLoopback()
	})
	conn, err := dialNamed(ctx, d, "tcp", address)
	if err != nil {
		return fail(fmt.Errorf("connect to %s: %w", address, err))
	}
	return &counted{Conn: conn, c: c, out: out}, nil
}

// counted is a connection that puts itself into the outbox when it is closed.
type counted struct {
	net.Conn
	c    *Client
	out  research.Outbound
	sent atomic.Int64
	once sync.Once
}

func (n *counted) Write(b []byte) (int, error) {
	w, err := n.Conn.Write(b)
	n.sent.Add(int64(w))
	return w, err
}

func (n *counted) Close() error {
	n.once.Do(func() {
		n.out.Bytes = n.sent.Load()
		n.c.out(n.out)
	})
	return n.Conn.Close()
}
