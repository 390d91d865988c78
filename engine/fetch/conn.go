package fetch

import (
	"context"
	"fmt"
	"net"

	"assay/engine/research"
)

// Queue is the kind of what is said to a server that shares a queue of runs.
const Queue Kind = "queue"

// Conn connects to one service that the person named and that does not speak HTTP, for a library that dials by itself; see
// [Client.Connect].
type Conn struct {
	client *Client
	kind   Kind
}

// NewConn returns the way to one service at host:port.
func NewConn(p Policy, kind Kind, addr string) (*Conn, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil || host == "" || port == "" {
		return nil, fmt.Errorf("server %q is not a host with a port, such as 127.0.0.1:4222", addr)
	}
	if p.Egress == research.Closed && !namesLoopback(host) {
		return nil, fmt.Errorf("server %s is not on this machine, and nothing may leave it: %w", addr, ErrClosed)
	}
	p.Hosts = []string{addr}
	c, err := New(p)
	if err != nil {
		return nil, err
	}
	return &Conn{c, kind}, nil
}

// Dial connects to the service and to nothing else.
func (s *Conn) Dial(_, addr string) (net.Conn, error) {
	return s.client.Connect(context.Background(), s.kind, addr)
}
