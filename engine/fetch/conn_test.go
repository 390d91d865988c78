package fetch

import (
	"errors"
	"net"
	"testing"

	"assay/engine/research"
)

func TestConn(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	addr := l.Addr().String()
	var outbox []research.Outbound
	policy := Policy{Egress: research.Closed, Outbox: func(o research.Outbound) { outbox = append(outbox, o) }}
	c, err := NewConn(policy, Queue, addr)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := c.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	_ = conn.Close()
	if _, err := c.Dial("tcp", "127.0.0.1:1"); !errors.Is(err, ErrAddress) {
		t.Errorf("another port: %v", err)
	}
	if _, err := c.Dial("tcp", "192.0.2.1:4222"); !errors.Is(err, ErrAddress) {
		t.Errorf("another host, as a server may name one: %v", err)
	}
	if len(outbox) != 3 || outbox[0].Kind != "queue" || outbox[0].Fault != "" || outbox[1].Fault == "" {
		t.Errorf("outbox = %+v", outbox)
	}
	if _, err := NewConn(policy, Queue, "192.0.2.1:4222"); !errors.Is(err, ErrClosed) {
		t.Errorf("closed, off this machine: %v", err)
	}
	policy.Egress = research.Own
	meta, err := NewConn(policy, Queue, "169.254.169.254:4222")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := meta.Dial("tcp", "169.254.169.254:4222"); err == nil {
		t.Error("a metadata address was connected to")
	}
	for _, bad := range []string{"", "host", ":4222", "host:"} {
		if _, err := NewConn(policy, Queue, bad); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}
