// Package serve is the interface for other programs: REST over an opened home. There is no research logic here; every operation is a
// few lines over a method of package desk, which also says what a role may.
//
// Start at [New] and [Server.Serve]. gate.go is all that a request passes before an operation sees it, in order: the log, the name of the
// host and the origin, the token, the rate, the size and the sort of the body. operations.go registers the operations, from which the
// OpenAPI document is made; runs.go, plan.go, events.go, reports.go, library.go and home.go are they. problem.go is how faults are told,
// mask.go how keys are kept out of answers.
//
// # What protects a home
//
// The server listens on a loopback address unless told otherwise, and then only when there are tokens. A page of the web that a browser
// of this machine shows cannot use it: the Host of a request must be a loopback name or one that was named at the start, a request
// with an Origin, or one that a browser marks as coming from another site, is refused, there are no cookies, and no header allows
// another origin anything. Each answer needs a token; there is no page without one. There is no TLS: beyond this machine it belongs
// behind a proxy that has it.
package serve

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"assay/app/desk"
)

// Options say how a home is served. The zero value serves with its defaults.
type Options struct {
	// Hosts are the names besides the loopback ones by which a request may call this server.
	Hosts []string
	// Log gets a line for each request. If nil, none is written.
	Log *slog.Logger
	// Rate is how many requests a second a token may make on average, and Burst how many at once. If zero, 20 and 60.
	Rate, Burst float64
	// Now is the clock of rates and of the log. If nil, [time.Now].
	Now func() time.Time
	// MCP answers at /mcp, with the caller in the context of its requests. If nil, nothing does.
	MCP http.Handler
}

// Server serves one home.
type Server struct {
	desk    *desk.Desk
	opt     Options
	api     huma.API
	mux     *http.ServeMux
	handler http.Handler
	rates   rates
	secrets secrets
	heavy   chan struct{} // bounds what is worked out at once
	follow  followers

	once    sync.Once
	closing chan struct{} // closed when the server ends
}

// Bounds of what one request may take.
const (
	maxBody     = 1 << 20          // bytes of a body
	maxHeader   = 32 << 10         // bytes of all headers
	headerTime  = 10 * time.Second // to send the headers
	bodyTime    = 20 * time.Second // to send the body
	writeTime   = 5 * time.Minute  // to take an answer that is not a stream
	idleTime    = 2 * time.Minute  // between two requests of a connection
	endTime     = 5 * time.Second  // to end what is under way when the server ends
	maxHeavy    = 2                // audits, verifications and the like at once: each takes a core
	defaultRate = 20
	defaultRoom = 60
)

// New returns a server of d. It listens to nothing until [Server.Serve].
func New(d *desk.Desk, opt Options) *Server {
	if opt.Log == nil {
		opt.Log = slog.New(slog.DiscardHandler)
	}
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.Rate <= 0 {
		opt.Rate = defaultRate
	}
	if opt.Burst <= 0 {
		opt.Burst = defaultRoom
	}
	s := &Server{desk: d, opt: opt, mux: http.NewServeMux(), heavy: make(chan struct{}, maxHeavy), closing: make(chan struct{})}
	s.register()
	if opt.MCP != nil {
		s.mux.Handle("/mcp", opt.MCP)
	}
	s.handler = s.gate()
	return s
}

// Handler answers requests, for servers of others and for tests.
func (s *Server) Handler() http.Handler { return s.handler }

// OpenAPI returns the description of the interface, made from the types: in version 3.1, or in 3.0.3 for generators that know only that.
func (s *Server) OpenAPI(old bool) ([]byte, error) {
	if old {
		return s.api.OpenAPI().Downgrade()
	}
	return s.api.OpenAPI().MarshalJSON()
}

// Serve answers on l until ctx ends. Then streams are told and ended, what is under way gets a few seconds, and nil is returned; runs go
// on until the home is closed, which interrupts them so that they can be resumed. l is closed in any case.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	base, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	srv := &http.Server{
		Handler: s.handler, ReadHeaderTimeout: headerTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHeader,
		BaseContext: func(net.Listener) context.Context { return base },
		ErrorLog:    slog.NewLogLogger(s.opt.Log.Handler(), slog.LevelWarn),
	}
	done := make(chan error, 1)
	go func() { done <- srv.Serve(l) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	s.End()
	late, stop := context.WithTimeout(base, endTime)
	defer stop()
	err := srv.Shutdown(late)
	cancel()
	if errors.Is(err, context.DeadlineExceeded) {
		err = srv.Close()
	}
	if served := <-done; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	return err
}

// End tells every stream that the server ends. It may be called more than once.
func (s *Server) End() { s.once.Do(func() { close(s.closing) }) }

// Listen returns a listener on addr, and refuses an address that others reach while there is no token. The sentence, empty for a
// loopback address, says what a person should know of the others.
func Listen(d *desk.Desk, addr string) (l net.Listener, note string, err error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, "", &desk.UsageError{Err: errors.New("listen " + addr + ": write it as 127.0.0.1:7557")}
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		tokens, err := d.Tokens()
		if err != nil {
			return nil, "", err
		}
		if len(tokens) == 0 {
			return nil, "", &desk.UsageError{Err: errors.New("listen " + addr + ": others reach this address and there is no token: make one first with assay serve token add NAME --role reader")}
		}
		note = "Others reach " + addr + ", and there is no TLS: what is asked and answered, tokens too, can be read on the way. Put it behind a proxy that has TLS, and name the host by which that asks with --host."
	}
	if l, err = net.Listen("tcp", addr); err != nil {
		return nil, "", &desk.UsageError{Err: err}
	}
	return l, note, nil
}

// work holds one of the places for what takes a core, until the returned function is called or ctx ends.
func (s *Server) work(ctx context.Context) (func(), error) {
	select {
	case s.heavy <- struct{}{}:
		return func() { <-s.heavy }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

var _ io.Writer = (*masker)(nil)
