package desk

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"mime"
	"mime/multipart"
	"net"
	"net/http"
	"net/http/httptest"
	"net/mail"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/engine/audit"
	"assay/engine/research"
)

// drawer is a keyring of the test's own.
type drawer struct {
	mu   sync.Mutex
	keys map[string]string
}

func (d *drawer) get(name string) (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.keys[name], nil
}

func (d *drawer) set(name, key string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.keys == nil {
		d.keys = map[string]string{}
	}
	d.keys[name] = key
	return nil
}

const hookSecret = "a secret of twenty-four!"

// hookServer takes webhooks and answers with the statuses it is given, one after the other, then 204.
type hookServer struct {
	*httptest.Server
	mu       sync.Mutex
	statuses []int
	bodies   [][]byte
	headers  []http.Header
}

func newHook(t *testing.T, statuses ...int) *hookServer {
	t.Helper()
	h := &hookServer{statuses: statuses}
	h.Server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		h.mu.Lock()
		defer h.mu.Unlock()
		h.bodies, h.headers = append(h.bodies, b), append(h.headers, r.Header.Clone())
		if len(h.statuses) > 0 {
			rw.WriteHeader(h.statuses[0])
			h.statuses = h.statuses[1:]
			return
		}
		rw.WriteHeader(http.StatusNoContent)
	}))
	t.Cleanup(h.Close)
	return h
}

func (h *hookServer) count() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.bodies)
}

// deliveryDesk is a desk with a delivery and a clock that tests turn.
func deliveryDesk(t *testing.T, v Delivery, secret string) (*Desk, *played) {
	t.Helper()
	d := testDesk(t, succeed)
	d.wire.keyring = &drawer{}
	clock := playClock(t, d, "2026-03-01T06:00:00Z")
	if _, err := d.AddDelivery(v); err != nil {
		t.Fatal(err)
	}
	if secret != "" {
		if err := d.SetDeliveryKey(v.Name, secret); err != nil {
			t.Fatal(err)
		}
	}
	return d, clock
}

// settle turns the clock until nothing waits to be delivered.
func settle(t *testing.T, d *Desk, clock *played) {
	t.Helper()
	until(t, func() bool {
		d.courier.mu.Lock()
		done := d.courier.done == nil
		d.courier.mu.Unlock()
		if !done && clock.waiters() > 0 {
			clock.turn(lastWait)
		}
		all, err := d.posts(pendingDir)
		return done && err == nil && len(all) == 0
	})
}

func notesOf(t *testing.T, d *Desk, id string) string {
	t.Helper()
	events, err := d.store.Events(id, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, ev := range events {
		var n research.Note
		if ev.Kind == research.EventNote && json.Unmarshal(ev.Payload, &n) == nil {
			out = append(out, n.Level+": "+n.Text)
		}
	}
	return strings.Join(out, "\n")
}

// TestWebhook: signed, timestamped, tried again after a fault of the server with the same id, and told of in the record; the run is done
// before any of it.
func TestWebhook(t *testing.T) {
	h := newHook(t, http.StatusServiceUnavailable, http.StatusTooManyRequests)
	d, clock := deliveryDesk(t, Delivery{Name: "hook", Kind: DeliverWebhook, URL: h.URL + "/in?team=1", All: true}, hookSecret)
	j := start(t, d, request(folder(t)), StartOptions{})
	if res := wait(t, j); res.Err != nil {
		t.Fatal(res.Err)
	}
	settle(t, d, clock)
	if h.count() != 3 {
		t.Fatalf("the server was asked %d times, want 3", h.count())
	}
	for i, b := range h.bodies {
		at, err := strconv.ParseInt(h.headers[i].Get(HeaderTimestamp), 10, 64)
		if err != nil || h.headers[i].Get(HeaderSignature) != Sign(hookSecret, at, b) {
			t.Errorf("try %d: the signature %q does not hold (%v)", i, h.headers[i].Get(HeaderSignature), err)
		}
		if Sign(hookSecret, at+1, b) == Sign(hookSecret, at, b) || Sign("other secret of some length", at, b) == Sign(hookSecret, at, b) {
			t.Error("the signature does not depend on the time and the secret")
		}
		if h.headers[i].Get(HeaderDelivery) != h.headers[0].Get(HeaderDelivery) {
			t.Error("a repetition has another id")
		}
	}
	var p parcel
	if err := json.Unmarshal(h.bodies[2], &p); err != nil || p.Run != j.ID() || p.Kind != "run" || len(p.Findings) != 1 || !strings.Contains(p.Report, "1064") {
		t.Errorf("body = %s, %v", h.bodies[2], err)
	}
	notes := notesOf(t, d, j.ID())
	for _, want := range []string{"failed and is tried again: " + strings.TrimPrefix(h.URL, "http://") + " answered with status 503", "info: Delivered to hook (webhook, "} {
		if !strings.Contains(notes, want) {
			t.Errorf("the notes lack %q:\n%s", want, notes)
		}
	}
	run := exported(t, j)
	if n := strings.Count(toJSON(t, run.Events), `"kind":"deliver"`); n != 3 {
		t.Errorf("the outbox of run.json has %d deliveries, want 3", n)
	}
	if rep := audit.Check(run); strings.Contains(fmt.Sprint(rep.Faults), "outbox") {
		t.Errorf("audit: %v", rep.Faults)
	}
	if log := d.DeliveryLog(0); len(log) != 3 || log[0].Fault != "" || log[2].Fault == "" || !log[0].Final {
		t.Errorf("log = %+v", log)
	}
}

// TestWebhookGivenUp: what does not arrive is given up after its tries, said in the notes and by the doctor, and handed over when it is
// asked for again; a refusal is not tried twice.
func TestWebhookGivenUp(t *testing.T) {
	refused := newHook(t, http.StatusForbidden)
	d, clock := deliveryDesk(t, Delivery{Name: "hook", Kind: DeliverWebhook, URL: refused.URL}, hookSecret)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := l.Addr().String()
	_ = l.Close()
	if _, err := d.AddDelivery(Delivery{Name: "deaf", Kind: DeliverWebhook, URL: "http://" + nobody}); err != nil {
		t.Fatal(err)
	}
	if err := d.SetDeliveryKey("deaf", hookSecret); err != nil {
		t.Fatal(err)
	}
	if _, err := d.AddDelivery(Delivery{Name: "keyless", Kind: DeliverWebhook, URL: refused.URL}); err != nil {
		t.Fatal(err)
	}
	j := start(t, d, request(folder(t)), StartOptions{Deliver: []string{"hook", "deaf", "keyless"}})
	if res := wait(t, j); res.Err != nil {
		t.Fatal(res.Err)
	}
	settle(t, d, clock)
	if refused.count() != 1 {
		t.Errorf("a refusal was tried %d times", refused.count())
	}
	notes := notesOf(t, d, j.ID())
	for _, want := range []string{"delivery to hook (webhook) failed: ", "delivery to deaf (webhook) was given up after 8 tries", "delivery to keyless (webhook) failed: the secret that signs it is missing"} {
		if !strings.Contains(notes, want) {
			t.Errorf("the notes lack %q:\n%s", want, notes)
		}
	}
	doctor := fmt.Sprint(d.checkDelivering())
	for _, want := range []string{"delivery hook wrong 1 result could not be delivered", "delivery deaf wrong", "the secret that signs it is missing"} {
		if !strings.Contains(doctor, want) {
			t.Errorf("the doctor does not say %q: %s", want, doctor)
		}
	}
	if n, err := d.RetryDeliveries(); err != nil || n != 3 {
		t.Errorf("RetryDeliveries = %d, %v", n, err)
	}
	settle(t, d, clock)
	if refused.count() != 2 {
		t.Errorf("after retry the server was asked %d times, want 2", refused.count())
	}
	if doctor := fmt.Sprint(d.checkDelivering()); strings.Contains(doctor, "delivery hook wrong") {
		t.Errorf("what arrived is still told of: %s", doctor)
	}
	if err := d.RemoveDelivery("deaf"); err != nil {
		t.Fatal(err)
	}
	if all, err := d.posts(failedDir); err != nil || len(all) != 1 {
		t.Errorf("after the removal %d failed deliveries are kept, %v", len(all), err)
	}
}

// TestDeliveryIsRefusedWhenClosed: a closed run sends nothing to another machine, says so, and has it in its outbox; a web run may.
func TestDeliveryIsRefusedWhenClosed(t *testing.T) {
	d, clock := deliveryDesk(t, Delivery{Name: "far", Kind: DeliverWebhook, URL: "https://192.0.2.7/in", All: true}, hookSecret)
	d.wire.dialed = func(network, address string) { t.Errorf("%s was connected to", address) }
	if _, err := d.AddDelivery(Delivery{Name: "mail", Kind: DeliverMail, Server: "192.0.2.8:587", From: "a@example.org", To: []string{"b@example.org"}, All: true}); err != nil {
		t.Fatal(err)
	}
	j := start(t, d, request(folder(t)), StartOptions{})
	if res := wait(t, j); res.Err != nil {
		t.Fatal(res.Err)
	}
	settle(t, d, clock)
	notes, record := notesOf(t, d, j.ID()), toJSON(t, exported(t, j).Events)
	for _, host := range []string{"192.0.2.7:443", "192.0.2.8:587"} {
		if name, _, _ := strings.Cut(host, ":"); !strings.Contains(notes, name) || !strings.Contains(notes, " is not on this machine, and the run is closed") {
			t.Errorf("the notes do not name %s:\n%s", host, notes)
		}
		if !strings.Contains(record, `"host":"`+host+`","kind":"deliver"`) {
			t.Errorf("the outbox does not name %s", host)
		}
	}
}

func TestDeliverToFolderAndCommand(t *testing.T) {
	to, said := t.TempDir(), filepath.Join(t.TempDir(), "said")
	d, clock := deliveryDesk(t, Delivery{Name: "disk", Kind: DeliverFolder, Dir: to, All: true}, "")
	vars := map[string]string{"ASSAY_HOME": d.dirs.Data, "PATH": os.Getenv("PATH"), "ASSAY_BRAVE_KEY": "SECRET-KEY", "MY_TOKEN": "SECRET-TOKEN", "LANG": "C.UTF-8"}
	d.getenv = func(name string) string { return vars[name] }
	for _, v := range []Delivery{
		{Name: "sh", Kind: DeliverCommand, Argv: []string{"sh", "-c", `cat > "$1"; env >> "$1"`, "x", said}},
		{Name: "bad", Kind: DeliverCommand, Argv: []string{"sh", "-c", "echo 'no such table' >&2; exit 3"}},
		{Name: "slow", Kind: DeliverCommand, Argv: []string{"sh", "-c", "sleep 60 & sleep 60"}, Seconds: 1},
		{Name: "loud", Kind: DeliverCommand, Argv: []string{"sh", "-c", "i=0; while [ $i -lt 3000 ]; do echo 0123456789012345678901234567890123456789; i=$((i+1)); done"}},
	} {
		if _, err := d.AddDelivery(v); err != nil {
			t.Fatal(err)
		}
	}
	j := start(t, d, request(folder(t)), StartOptions{Deliver: []string{"sh", "loud"}})
	if res := wait(t, j); res.Err != nil {
		t.Fatal(res.Err)
	}
	settle(t, d, clock)
	for _, name := range []string{FileHTML, FileMarkdown, FileDigest, FileRun} {
		if _, err := os.Stat(filepath.Join(to, j.ID(), name)); err != nil {
			t.Error(err)
		}
	}
	b, err := os.ReadFile(said)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Gold melts at 1064", "ASSAY_RUN=" + j.ID(), "LANG=C.UTF-8"} {
		if !strings.Contains(string(b), want) {
			t.Errorf("the command did not get %q", want)
		}
	}
	if strings.Contains(string(b), "SECRET") || strings.Contains(string(b), "ASSAY_HOME") {
		t.Errorf("the command got a secret of the environment:\n%s", b)
	}
	if notes := notesOf(t, d, j.ID()); strings.Count(notes, "info: Delivered") != 3 {
		t.Errorf("notes:\n%s", notes)
	}
	if err := d.TestDelivery(t.Context(), "bad"); err == nil || !strings.Contains(err.Error(), "exit status 3: no such table") {
		t.Errorf("a command that fails: %v", err)
	}
	if err := d.TestDelivery(t.Context(), "slow"); err == nil || !strings.Contains(err.Error(), "longer than 1 seconds") {
		t.Errorf("a command that hangs: %v", err)
	}
	if err := d.TestDelivery(t.Context(), "disk"); err != nil {
		t.Error(err)
	}
}

// mailServer speaks SMTP (RFC 5321) with STARTTLS and AUTH PLAIN, as far as a client needs.
type mailServer struct {
	l    net.Listener
	cert tls.Certificate
	tls  bool // STARTTLS is offered

	mu   sync.Mutex
	got  []string // messages
	rcpt []string
	user string
	fail []string // answers to DATA before one is taken
	wait sync.WaitGroup
}

func newMailServer(t *testing.T, secure bool) (*mailServer, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	about := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "127.0.0.1"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature}
	der, err := x509.CreateCertificate(rand.Reader, about, about, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(leaf)
	s := &mailServer{tls: secure, cert: tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}}
	if s.l, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	s.wait.Go(func() {
		for {
			conn, err := s.l.Accept()
			if err != nil {
				return
			}
			s.wait.Go(func() { s.serve(conn) })
		}
	})
	t.Cleanup(func() { _ = s.l.Close(); s.wait.Wait() })
	return s, roots
}

func (s *mailServer) serve(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
	in := bufio.NewReader(conn)
	reply := func(lines ...string) { _, _ = io.WriteString(conn, strings.Join(lines, "\r\n")+"\r\n") }
	secure := false
	reply("220 mail ready")
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch strings.ToUpper(word) {
		case "EHLO":
			lines := []string{"250-mail"}
			if s.tls && !secure {
				lines = append(lines, "250-STARTTLS")
			}
			reply(append(lines, "250 AUTH PLAIN")...)
		case "STARTTLS":
			reply("220 go")
			t := tls.Server(conn, &tls.Config{Certificates: []tls.Certificate{s.cert}})
			if t.Handshake() != nil {
				return
			}
			conn, in, secure = t, bufio.NewReader(t), true
		case "AUTH":
			b, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(rest, "PLAIN "))
			parts := strings.Split(string(b), "\x00")
			if len(parts) != 3 || parts[2] != "hunter2 of some length" {
				reply("535 wrong password")
				continue
			}
			s.mu.Lock()
			s.user = fmt.Sprint(parts[1], " secure=", secure)
			s.mu.Unlock()
			reply("235 welcome")
		case "MAIL":
			reply("250 ok")
		case "RCPT":
			s.mu.Lock()
			s.rcpt = append(s.rcpt, rest)
			s.mu.Unlock()
			reply("250 ok")
		case "DATA":
			s.mu.Lock()
			fail := ""
			if len(s.fail) > 0 {
				fail, s.fail = s.fail[0], s.fail[1:]
			}
			s.mu.Unlock()
			if fail != "" {
				reply(fail)
				continue
			}
			reply("354 go")
			var b strings.Builder
			for {
				l, err := in.ReadString('\n')
				if err != nil {
					return
				}
				if l == ".\r\n" {
					break
				}
				b.WriteString(strings.TrimPrefix(l, "."))
			}
			s.mu.Lock()
			s.got = append(s.got, b.String())
			s.mu.Unlock()
			reply("250 taken")
		case "QUIT":
			reply("221 bye")
			return
		default:
			reply("500 what")
		}
	}
}

// TestMail: over TLS with user and password, tried again after a temporary answer, as a mail that a reader opens with the page attached.
func TestMail(t *testing.T) {
	s, roots := newMailServer(t, true)
	s.fail = []string{"451 later"}
	d, clock := deliveryDesk(t, Delivery{Name: "post", Kind: DeliverMail, Server: s.l.Addr().String(), User: "anna", From: "assay@example.org", To: []string{"b@example.org", "c@example.org"}, All: true}, "hunter2 of some length")
	d.wire.roots = roots
	req := request(folder(t))
	req.Question = "When does gold melt?"
	j := start(t, d, req, StartOptions{})
	if res := wait(t, j); res.Err != nil {
		t.Fatal(res.Err)
	}
	settle(t, d, clock)
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.got) != 1 || s.user != "anna secure=true" || len(s.rcpt) != 4 {
		t.Fatalf("%d mails, user %q, recipients %q", len(s.got), s.user, s.rcpt)
	}
	m, err := mail.ReadMessage(strings.NewReader(s.got[0]))
	if err != nil {
		t.Fatal(err)
	}
	if subject, err := new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject")); err != nil || !strings.Contains(subject, "Gold & silver") {
		t.Errorf("subject = %q, %v", subject, err)
	}
	_, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	parts := multipart.NewReader(m.Body, params["boundary"])
	text, err := parts.NextPart()
	if err != nil {
		t.Fatal(err)
	}
	if b, _ := io.ReadAll(text); !strings.Contains(string(b), "Gold melts at 1064") {
		t.Errorf("the text is %q", b)
	}
	page, err := parts.NextPart()
	if err != nil {
		t.Fatal(err)
	}
	raw, _ := io.ReadAll(page)
	html, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(string(raw), "\r\n", ""))
	want, _ := os.ReadFile(filepath.Join(j.Dir(), FileHTML))
	if err != nil || string(html) != string(want) || page.FileName() != FileHTML {
		t.Errorf("the attached page %q differs from the report: %v", page.FileName(), err)
	}
}

// TestMailRefusals: no TLS off this machine, no mail to a server whose certificate does not hold, no second try with a wrong password,
// and no header that an address or a title adds.
func TestMailRefusals(t *testing.T) {
	s, _ := newMailServer(t, true)
	v := Delivery{Name: "post", Kind: DeliverMail, Server: s.l.Addr().String(), User: "anna", From: "assay@example.org", To: []string{"b@example.org"}}
	d, _ := deliveryDesk(t, v, "wrong password, really")
	if err := d.TestDelivery(t.Context(), "post"); err == nil || !strings.Contains(err.Error(), "start TLS") {
		t.Errorf("a server that nobody vouches for: %v", err)
	}
	plain, _ := newMailServer(t, false)
	conn, err := net.Dial("tcp", plain.l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if err := (talk{host: "mail.example.org", config: &tls.Config{}}).send(conn, "a@example.org", []string{"b@example.org"}, nil); !errors.Is(err, errPlain) {
		t.Errorf("without TLS to another machine: %v", err)
	}
	v.Name, v.Server = "plain", plain.l.Addr().String()
	if _, err := d.AddDelivery(v); err != nil {
		t.Fatal(err)
	}
	if err := d.SetDeliveryKey("plain", "wrong password, really"); err != nil {
		t.Fatal(err)
	}
	err = d.TestDelivery(t.Context(), "plain")
	var final permanent
	if !errors.As(err, &final) || !strings.Contains(err.Error(), "log in: 535") {
		t.Errorf("a wrong password: %v", err)
	}
	b, err := d.message(v, parcel{ID: "d1", Title: "x\r\nBcc: evil@example.org", text: []byte("t")})
	if m, perr := mail.ReadMessage(strings.NewReader(string(b))); err != nil || perr != nil || m.Header.Get("Bcc") != "" {
		t.Errorf("a title adds a header: %v, %v\n%s", err, perr, b)
	}
	for _, bad := range []Delivery{
		{Name: "m", Kind: DeliverMail, Server: "mail.example.org", From: "a@example.org", To: []string{"b@example.org"}},
		{Name: "m", Kind: DeliverMail, Server: "mail.example.org:25", From: "a@example.org\r\nBcc: x@y.z", To: []string{"b@example.org"}},
		{Name: "m", Kind: DeliverMail, Server: "mail.example.org:25", From: "a@example.org"},
		{Name: "w", Kind: DeliverWebhook, URL: "http://hooks.example.org/x"},
		{Name: "w", Kind: DeliverWebhook, URL: "https://user:pass@hooks.example.org/x"},
		{Name: "w", Kind: DeliverWebhook, URL: "file:///etc/passwd"},
		{Name: "c", Kind: DeliverCommand, Argv: []string{"/no/such/program"}},
		{Name: "c", Kind: DeliverCommand},
		{Name: "../f", Kind: DeliverFolder, Dir: "/tmp"},
		{Name: "f", Kind: DeliverFolder},
		{Name: "f", Kind: "pigeon"},
	} {
		var usage *UsageError
		if _, err := d.AddDelivery(bad); !errors.As(err, &usage) {
			t.Errorf("AddDelivery(%+v) = %v, want it refused", bad, err)
		}
	}
}

// TestDeliveryOutlivesTheProgram: what was not handed over when the program ended is handed over by the next.
func TestDeliveryOutlivesTheProgram(t *testing.T) {
	h := newHook(t, http.StatusBadGateway)
	home := t.TempDir()
	keys := &drawer{}
	openHome := func() (*Desk, *played) {
		d, err := Open(Options{Program: "terminal", Version: "1.0", Getenv: env(home)})
		if err != nil {
			t.Fatal(err)
		}
		d.wire.run, d.wire.keyring = succeed, keys
		return d, playClock(t, d, "2026-03-01T06:00:00Z")
	}
	d, _ := openHome()
	if _, err := d.AddDelivery(Delivery{Name: "hook", Kind: DeliverWebhook, URL: h.URL, All: true}); err != nil {
		t.Fatal(err)
	}
	if err := d.SetDeliveryKey("hook", hookSecret); err != nil {
		t.Fatal(err)
	}
	j := start(t, d, request(folder(t)), StartOptions{})
	wait(t, j)
	if left := d.AwaitDeliveries(t.Context(), 0); len(left) != 1 || !strings.Contains(left[0], "hook") {
		t.Errorf("AwaitDeliveries = %q", left)
	}
	until(t, func() bool { return h.count() == 1 })
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	d, clock := openHome()
	clock.turn(time.Minute)
	d.StartDelivering()
	settle(t, d, clock)
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	if h.count() != 2 {
		t.Errorf("the server was asked %d times, want 2", h.count())
	}
}
