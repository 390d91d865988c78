package fetch

import (
	"errors"
	"io"
	"net"
	"strings"
	"testing"

	"assay/engine/research"
)

func TestConnect(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = io.Copy(conn, conn)
			_ = conn.Close()
		}
	}()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	tests := []struct {
		name, address string
		egress        research.Egress
		hosts         []string
		want          error
	}{
		{"on this machine, closed", "127.0.0.1:" + port, research.Closed, []string{"127.0.0.1:" + port}, nil},
		{"by name", "LOCALHOST:" + port, research.Closed, []string{"localhost:" + port}, nil},
		{"not named", "127.0.0.1:" + port, research.Own, []string{"127.0.0.1:1"}, ErrAddress},
		{"elsewhere, closed", "192.0.2.7:25", research.Closed, []string{"192.0.2.7:25"}, ErrClosed},
		{"a name elsewhere, closed", "mail.example.org:25", research.Closed, []string{"mail.example.org:25"}, ErrClosed},
		{"where credentials are", "169.254.169.254:80", research.Own, []string{"169.254.169.254:80"}, ErrAddress},
		{"no port", "127.0.0.1", research.Own, []string{"127.0.0.1"}, ErrAddress},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			var out []research.Outbound
			c, err := New(Policy{Egress: tc.egress, Hosts: tc.hosts, Outbox: func(o research.Outbound) { out = append(out, o) }})
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			conn, err := c.Connect(Because(t.Context(), "why"), Deliver, tc.address)
			if !errors.Is(err, tc.want) || (tc.want == nil) != (err == nil) {
				t.Fatalf("Connect = %v, want %v", err, tc.want)
			}
			if err == nil {
				if _, err := io.WriteString(conn, "hello"); err != nil {
					t.Error(err)
				}
				_ = conn.Close()
				_ = conn.Close()
			}
			if len(out) != 1 || (out[0].Fault != "") != (tc.want != nil) || out[0].Kind != "deliver" || out[0].Why != "why" || !strings.EqualFold(out[0].Host, tc.address) {
				t.Errorf("outbox = %+v", out)
			}
			if tc.want == nil && out[0].Bytes != 5 {
				t.Errorf("the outbox tells of %d bytes, 5 were sent", out[0].Bytes)
			}
		})
	}
}
