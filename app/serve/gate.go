package serve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"mime"
	"net"
	"net/http"
	"path"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"assay/app/desk"
	"assay/engine/research"
)

// gate is all that a request passes before an operation sees it.
func (s *Server) gate() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := s.opt.Now()
		a := &answer{ResponseWriter: w, control: http.NewResponseController(w)}
		a.mask = newMasker(&a.out, s.secrets.of(s.desk, began)...)
		a.out.to = w
		var caller desk.Caller
		defer func() {
			if p := recover(); p != nil {
				s.opt.Log.Error("a fault of the program", "fault", fmt.Sprint(p), "stack", string(debug.Stack()))
				if a.status == 0 {
					problem(a, http.StatusInternalServerError, "a fault of the program: please report it; what was found is on disk")
				}
			}
			_ = a.mask.end() // who asked is gone when this fails
			s.opt.Log.LogAttrs(context.WithoutCancel(r.Context()), slog.LevelInfo, "request",
				slog.String("method", r.Method), slog.String("path", s.loggable(r)), slog.Int("status", a.status), slog.Int64("bytes", a.out.n),
				slog.Int64("took_ms", s.opt.Now().Sub(began).Milliseconds()), slog.String("token", caller.Name), slog.String("from", r.RemoteAddr))
		}()
		_ = a.control.SetWriteDeadline(time.Now().Add(writeTime)) // not every writer has one
		h := a.Header()
		h.Set("Cache-Control", "no-store")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Content-Security-Policy", "sandbox")
		if status, text := s.foreign(r); status != 0 {
			problem(a, status, text)
			return
		}
		var ok bool
		if caller, ok = s.enter(a, r); !ok {
			return
		}
		if !s.body(a, r) {
			return
		}
		s.route(a, r.WithContext(desk.WithCaller(r.Context(), caller)))
	})
}

// loggable is the path of a request without what may be secret in it: a query is never logged.
func (s *Server) loggable(r *http.Request) string {
	at := r.URL.EscapedPath()
	if secret := bearer(r); secret != "" {
		at = strings.ReplaceAll(at, secret, masked)
	}
	at = maskText(at, s.secrets.of(s.desk, s.opt.Now()))
	if len(at) > maxLogged {
		at = at[:maxLogged] + "..."
	}
	return at
}

// maxLogged bounds a path in the log, in bytes.
const maxLogged = 200

// foreign says why a request is not from a program of the person, or returns 0: it calls this server by a name that another site may have
// given to this address, or a browser sends it for a page.
func (s *Server) foreign(r *http.Request) (int, string) {
	host := r.Host
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
	if !research.Loopback(host) && !slices.ContainsFunc(s.opt.Hosts, func(h string) bool { return strings.EqualFold(h, host) }) {
		return http.StatusForbidden, "this server does not answer to that name: ask it as 127.0.0.1 or localhost, or start it with --host NAME"
	}
	if len(r.Header.Values("Origin")) > 0 {
		return http.StatusForbidden, "this interface is for programs and not for pages of a browser: send no Origin"
	}
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "none" && site != "same-origin" {
		return http.StatusForbidden, "this interface is for programs and not for pages of a browser: it answers no other site"
	}
	return 0, ""
}

// bearer returns the token of a request, or "".
func bearer(r *http.Request) string {
	kind, secret, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(kind, "Bearer") {
		return ""
	}
	return strings.TrimSpace(secret)
}

// enter finds out who asks and holds it against the rate. It has answered when ok is false.
func (s *Server) enter(a *answer, r *http.Request) (c desk.Caller, ok bool) {
	c, ok, err := s.desk.Identify(bearer(r))
	switch {
	case err != nil:
		s.opt.Log.Error("the tokens cannot be read", "fault", err.Error())
		problem(a, http.StatusUnauthorized, "no token can be accepted now: see assay serve token list on the machine of this server")
		return c, false
	case !ok:
		// Who guesses tokens is slowed down, and nobody else by it.
		if wait := s.rates.take("", s.opt.Now(), s.opt); wait > 0 {
			tooMany(a, wait, "too many requests without a token that is known: wait, then send one as Authorization: Bearer TOKEN")
			return c, false
		}
		a.Header().Set("WWW-Authenticate", "Bearer")
		problem(a, http.StatusUnauthorized, "this needs a token: send one as Authorization: Bearer TOKEN; assay serve token add makes one")
		return c, false
	}
	if wait := s.rates.take(c.Name, s.opt.Now(), s.opt); wait > 0 {
		tooMany(a, wait, "too many requests at once: wait, then ask again")
		return c, false
	}
	return c, true
}

// body reads what was sent, so that no operation waits for it, and refuses what is too long, too slow or not JSON.
func (s *Server) body(a *answer, r *http.Request) bool {
	_ = a.control.SetReadDeadline(time.Now().Add(bodyTime)) // not every writer has one
	b, err := io.ReadAll(http.MaxBytesReader(a.ResponseWriter, r.Body, maxBody))
	_ = a.control.SetReadDeadline(time.Time{})
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		problem(a, http.StatusRequestEntityTooLarge, fmt.Sprintf("the body is longer than %d bytes: send less", maxBody))
		return false
	case err != nil:
		problem(a, http.StatusBadRequest, "the body did not arrive whole: send it again")
		return false
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); len(b) > 0 && (err != nil || kind != "application/json") {
		problem(a, http.StatusUnsupportedMediaType, "the body is not JSON: send Content-Type: application/json")
		return false
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(b)), int64(len(b))
	return true
}

// route hands the request to its operation, or says that there is none.
func (s *Server) route(a *answer, r *http.Request) {
	if at := r.URL.EscapedPath(); path.Clean(at) != at { // else the mux would send who asks elsewhere
		problem(a, http.StatusNotFound, "there is no such place: its path is not clean; see /v1/openapi.json")
		return
	}
	if _, pattern := s.mux.Handler(r); pattern != "" {
		s.mux.ServeHTTP(a, r)
		return
	}
	none := &blank{header: http.Header{}}
	s.mux.ServeHTTP(none, r)
	if none.status == http.StatusMethodNotAllowed {
		a.Header().Set("Allow", none.header.Get("Allow"))
		problem(a, none.status, "this place is not asked that way: use "+none.header.Get("Allow")+"; see /v1/openapi.json")
		return
	}
	problem(a, http.StatusNotFound, "there is no such place: see /v1/openapi.json for those there are")
}

// blank takes an answer that nobody gets.
type blank struct {
	header http.Header
	status int
}

func (b *blank) Header() http.Header         { return b.header }
func (b *blank) Write(p []byte) (int, error) { return len(p), nil }
func (b *blank) WriteHeader(status int)      { b.status = status }

// answer is a response that masks secrets and counts.
type answer struct {
	http.ResponseWriter
	control *http.ResponseController
	mask    *masker
	out     counter
	status  int
}

type counter struct {
	to io.Writer
	n  int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.n += int64(n)
	return n, err
}

// WriteHeader implements [http.ResponseWriter]. The length is not known before secrets are masked.
func (a *answer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
	a.Header().Del("Content-Length")
	a.ResponseWriter.WriteHeader(status)
}

// Write implements [io.Writer].
func (a *answer) Write(p []byte) (int, error) {
	if a.status == 0 {
		a.WriteHeader(http.StatusOK)
	}
	return a.mask.Write(p)
}

// Flush implements [http.Flusher]; what may begin a secret stays back.
func (a *answer) Flush() { _ = a.FlushError() }

// FlushError is what [http.ResponseController] calls.
func (a *answer) FlushError() error { return a.control.Flush() }

// Unwrap lets [http.ResponseController] set deadlines.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// tooMany answers that the same request may be sent later.
func tooMany(a http.ResponseWriter, wait time.Duration, text string) {
	a.Header().Set("Retry-After", strconv.Itoa(max(1, int(math.Ceil(wait.Seconds())))))
	problem(a, http.StatusTooManyRequests, text)
}

// rates holds one bucket for each token, and one for all that have none.
type rates struct {
	mu sync.Mutex
	of map[string]*rate.Limiter
}

// take takes one request from a bucket, or returns how long it has to wait for one. The names are those of tokens, so that there are few.
func (r *rates) take(name string, now time.Time, opt Options) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.of == nil {
		r.of = map[string]*rate.Limiter{}
	}
	l := r.of[name]
	if l == nil {
		l = rate.NewLimiter(rate.Limit(opt.Rate), int(opt.Burst))
		r.of[name] = l
	}
	got := l.ReserveN(now, 1)
	wait := got.DelayFrom(now)
	if wait > 0 {
		got.CancelAt(now)
	}
	return wait
}
