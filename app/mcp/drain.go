package mcp

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// drainTime is how long the end of the input waits for the answers to what was asked before it. A client that asks and closes its side
// at once, such as a pipe, gets them; one that closes to end this program is not kept waiting by a long research.
const drainTime = 5 * time.Second

// drained is a transport whose input ends once what was asked has been answered.
type drained struct{ sdk.Transport }

// Connect implements [sdk.Transport].
func (t drained) Connect(ctx context.Context) (sdk.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &drainedConn{Connection: c, open: map[any]bool{}, answered: make(chan struct{}, 1), closed: make(chan struct{})}, nil
}

type drainedConn struct {
	sdk.Connection
	mu       sync.Mutex
	open     map[any]bool  // calls without an answer, by their ids
	answered chan struct{} // gets one after an answer
	closed   chan struct{}
	once     sync.Once
}

// Read implements [sdk.Connection].
func (c *drainedConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	msg, err := c.Connection.Read(ctx)
	if req, ok := msg.(*jsonrpc.Request); ok && err == nil && req.IsCall() {
		c.mu.Lock()
		c.open[req.ID.Raw()] = true
		c.mu.Unlock()
	}
	if errors.Is(err, io.EOF) {
		c.drain(ctx)
	}
	return msg, err
}

func (c *drainedConn) drain(ctx context.Context) {
	limit := time.NewTimer(drainTime)
	defer limit.Stop()
	for c.waits() {
		select {
		case <-c.answered:
		case <-limit.C:
			return
		case <-c.closed:
			return
		case <-ctx.Done():
			return
		}
	}
}

func (c *drainedConn) waits() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.open) > 0
}

// Write implements [sdk.Connection].
func (c *drainedConn) Write(ctx context.Context, msg jsonrpc.Message) error {
	err := c.Connection.Write(ctx, msg)
	if res, ok := msg.(*jsonrpc.Response); ok {
		c.mu.Lock()
		delete(c.open, res.ID.Raw())
		c.mu.Unlock()
		select {
		case c.answered <- struct{}{}:
		default: // there is one already
		}
	}
	return err
}

// Close implements [sdk.Connection].
func (c *drainedConn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Connection.Close()
}
