package fetch

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/net/dns/dnsmessage"

	"assay/engine/research"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// spy keeps what a client dials and reports.
type spy struct {
	mu     sync.Mutex
	dialed []string
	outbox []research.Outbound
}

func (s *spy) policy(egress research.Egress, services ...Service) Policy {
	return Policy{
		Egress: egress, Services: services, Gap: -1,
		Outbox: func(o research.Outbound) { s.mu.Lock(); s.outbox = append(s.outbox, o); s.mu.Unlock() },
		Dialed: func(_, a string) { s.mu.Lock(); s.dialed = append(s.dialed, a); s.mu.Unlock() },
	}
}

func newClient(t *testing.T, p Policy) *Client {
	t.Helper()
	c, err := New(p)
	if err != nil {
		t.Fatal(err)
	}
	c.sleep = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	t.Cleanup(c.Close)
	return c
}

func serve(t *testing.T, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

// web makes a client whose public web is one test server: every public name resolves to a public address, and the connection
// that was allowed goes to the server instead.
func web(t *testing.T, s *spy, h http.HandlerFunc) *Client {
	t.Helper()
	srv := serve(t, h)
	c := newClient(t, s.policy(research.Web))
	c.public.DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
		if host, _, _ := net.SplitHostPort(addr); host == "dead.org" {
			return nil, &net.OpError{Op: "dial", Err: errors.New("no route")}
		}
		return (&net.Dialer{}).DialContext(ctx, network, srv.Listener.Addr().String())
	}
	return c
}

func get(c *Client, kind Kind, url string) error {
	req, err := http.NewRequestWithContext(Because(context.Background(), "a test"), http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := c.HTTP(kind).Do(req)
	if err != nil {
		return Redacted(err)
	}
	return resp.Body.Close()
}

func TestPublic(t *testing.T) {
	tests := []struct {
		addr string
		want bool
	}{
		{"93.184.216.34", true}, {"2606:2800:220:1:248:1893:25c8:1946", true}, {"::ffff:93.184.216.34", true},
		{"127.0.0.1", false}, {"127.8.8.8", false}, {"::1", false}, {"::ffff:127.0.0.1", false}, {"0.0.0.0", false}, {"::", false},
		{"10.0.0.1", false}, {"172.16.0.1", false}, {"192.168.1.1", false}, {"169.254.169.254", false}, {"100.64.0.1", false},
		{"fd00:ec2::254", false}, {"fe80::1", false}, {"fe80::1%eth0", false}, {"64:ff9b::a9fe:a9fe", false}, {"64:ff9b:1::1", false},
		{"2002:7f00:1::", false}, {"2001::1", false}, {"fec0::1", false}, {"::127.0.0.1", false}, {"ff02::1", false}, {"224.0.0.1", false},
		{"255.255.255.255", false}, {"240.0.0.1", false}, {"198.18.0.1", false}, {"192.0.2.1", false}, {"2001:db8::1", false},
	}
	for _, tc := range tests {
		if got := public(netip.MustParseAddr(tc.addr)); got != tc.want {
			t.Errorf("public(%s) = %v, want %v", tc.addr, got, tc.want)
		}
	}
}

// hostile are URLs that lead to this machine or to no web page, in every disguise that was reported.
var hostile = []string{
	"http://127.0.0.1/", "http://localhost/", "http://LOCALHOST./", "http://a.localhost/", "http://[::1]/", "http://[::ffff:127.0.0.1]/", "http://0/",
	"http://2130706433/", "http://0x7f.1/", "http://0x7f000001/", "http://0177.0.0.1/", "http://127.1/", "http://169.254.169.254/latest/meta-data/",
	"http://[fd00:ec2::254]/", "http://[64:ff9b::a9fe:a9fe]/", "http://10.0.0.1/", "http://intranet/", "http://printer.local/", "http://db.internal/",
	"http://user:pw@example.com/", "http://example.com:8080/", "http://example.com:22/", "ftp://example.com/", "file:///etc/passwd", "gopher://example.com/",
	"javascript:alert(1)", "http://127.0.0.1:6666\\@1.1.1.1/", "http://example.com/\r\nHost: x", "http://exa mple.com/", "", "example.com", "//example.com/", "http:///x",
	"http://[::1%25lo]/", "http://x.onion/", "http://example.com.:81/",
	"http://0.0.0.0/", "http://[::]/", "http://[0:0:0:0:0:0:0:1]/", "http://[::ffff:7f00:1]/", "http://[0:0:0:0:0:ffff:169.254.169.254]/", "http://127.0.0.1./",
	"http://0x7f.0x0.0x0.0x1/", "http://017700000001/", "http://127.0.1/", "http://0x7f000001.:80/", "http://1.1.1.0x1/", "http://%31%32%37.0.0.1/",
	"http://①②⑦.⓪.⓪.①/", "http://127。0。0。1/", "http://127.0.0.1%00.example.com/", "http://@127.0.0.1/", "http://example.com:443@127.0.0.1/", "http://:@example.com/",
	"http://100.100.100.200/latest/", "http://metadata.google.internal/", "http://192.168.0.1/", "http://172.31.255.255/", "http://100.64.1.1/", "http://198.18.0.1/",
	"http://203.0.113.5/", "http://192.0.0.192/", "http://255.255.255.255/", "http://224.0.0.1/", "http://240.0.0.1/", "http://[ff02::1]/", "http://[fe80::1]/", "http://[fc00::1]/",
	"http://[fec0::1]/", "http://[2002:7f00:1::]/", "http://[2001::1]/", "http://[2001:db8::1]/", "http://[64:ff9b:1::1]/", "http://[::127.0.0.1]/", "http://[100::1]/",
	"http://router.lan/", "http://x.home.arpa/", "http://x.corp/", "http://x.test/", "http://x.invalid/", "http://x.example/", "http://x.home/",
	"data:text/html,x", "ws://example.com/", "HTTP://LOCALHOST/", "http:127.0.0.1/", "http:/127.0.0.1/", "http://example.com:0x50/", "http://example.com:65536/", "http://1.1.1.1 &@127.0.0.1/",
	"http://\t127.0.0.1/", "http://\\127.0.0.1/", "//127.0.0.1/", "https://127.0.0.1:443/", "http://localhost:80/", "http://LocalHost.LocalDomain./", "mailto:a@example.com", "view-source:http://example.com/",
}

// TestPageRefusesHostileURLs is, among others, ACCEPTANCE 92 and 94: metadata addresses in every form, numbers and NAT64 too.
func TestPageRefusesHostileURLs(t *testing.T) {
	var s spy
	c := newClient(t, s.policy(research.Web))
	for _, u := range hostile {
		if _, err := c.Page(context.Background(), u); !errors.Is(err, ErrAddress) {
			t.Errorf("Page(%q) error = %v, want ErrAddress", u, err)
		}
	}
	if len(hostile) < 60 {
		t.Errorf("only %d forms are tried", len(hostile))
	}
	if len(s.dialed) != 0 {
		t.Errorf("dialed %v", s.dialed)
	}
	// The person's own servers on this machine are reached all the same, and for what they were named only.
	searx := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("{}")) })
	p := s.policy(research.Web)
	p.Services = []Service{{Base: searx.URL, For: []Kind{Search}}}
	c = newClient(t, p)
	if err := get(c, Search, searx.URL+"/search?q=x"); err != nil {
		t.Errorf("a search server of one's own: %v", err)
	}
	if _, err := c.Page(context.Background(), searx.URL+"/"); !errors.Is(err, ErrAddress) {
		t.Errorf("a page of it: %v, want ErrAddress", err)
	}
	for _, u := range hostile {
		if _, err := c.Page(context.Background(), u); !errors.Is(err, ErrAddress) {
			t.Errorf("beside a server of one's own: Page(%q) error = %v, want ErrAddress", u, err)
		}
	}
}

// TestSOCKS: names are resolved by the proxy, so that none is asked for here, and nothing but the proxy is connected to.
func TestSOCKS(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	got := make(chan string, 1)
	done := make(chan struct{})
	go func() {
		defer close(done)
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer func() { _ = c.Close() }()
		b := make([]byte, 512)
		if _, err = io.ReadFull(c, b[:2]); err == nil { // version, methods
			_, err = io.ReadFull(c, b[:int(b[1])])
		}
		if err == nil {
			_, err = c.Write([]byte{5, 0})
		}
		if err == nil {
			_, err = io.ReadFull(c, b[:5]) // version, connect, 0, kind of address, its length
		}
		if err != nil || b[3] != 3 {
			got <- fmt.Sprintf("kind %d of address, %v", b[3], err)
			return
		}
		n := int(b[4])
		if _, err = io.ReadFull(c, b[:n+2]); err != nil {
			got <- err.Error()
			return
		}
		got <- string(b[:n])
		_, _ = c.Write([]byte{5, 0, 0, 1, 0, 0, 0, 0, 0, 0})
		if req, err := http.ReadRequest(bufio.NewReader(c)); err == nil {
			_ = req.Body.Close()
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
		}
	}()
	var s spy
	p := s.policy(research.Web)
	p.Proxy = "socks5://" + l.Addr().String()
	c := newClient(t, p)
	err = get(c, Search, "http://kiln.example.com/x")
	if name := <-got; err != nil || name != "kiln.example.com" {
		t.Errorf("get through SOCKS: %v; the proxy was asked for %q", err, name)
	}
	if len(s.dialed) != 1 || s.dialed[0] != l.Addr().String() {
		t.Errorf("dialed %v, want the proxy only", s.dialed)
	}
	c.Close()
	_ = l.Close()
	<-done
}

// TestNameOfAPrivateAddress is ACCEPTANCE 94, rebinding. It asks a resolver that gives a public address first and a private one at the second question: what is
// connected to is what is checked.
func TestNameOfAPrivateAddress(t *testing.T) {
	var s spy
	c := newClient(t, s.policy(research.Web))
	asked := 0
	d := c.dialer(func(ap netip.AddrPort) bool { return public(ap.Addr()) })
	d.Resolver = &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		a, b := net.Pipe()
		go answerDNS(b, func() [4]byte { asked++; return [4]byte{127, 0, 0, 1} })
		return a, nil
	}}
	c.public.DialContext = d.DialContext
	err := get(c, Search, "http://rebind.example.com/")
	if !errors.Is(err, ErrAddress) || len(s.dialed) != 0 || asked == 0 {
		t.Errorf("error = %v after %d questions, dialed %v; want ErrAddress and nothing dialed", err, asked, s.dialed)
	}
}

// answerDNS answers one question over a stream.
func answerDNS(conn net.Conn, addr func() [4]byte) {
	defer conn.Close()
	var size [2]byte
	if _, err := readFull(conn, size[:]); err != nil {
		return
	}
	msg := make([]byte, int(size[0])<<8|int(size[1]))
	if _, err := readFull(conn, msg); err != nil {
		return
	}
	var m dnsmessage.Message
	if m.Unpack(msg) != nil {
		return
	}
	m.Response, m.Additionals = true, nil
	for _, q := range m.Questions {
		if q.Type == dnsmessage.TypeA {
			m.Answers = append(m.Answers, dnsmessage.Resource{Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class}, Body: &dnsmessage.AResource{A: addr()}})
		}
	}
	out, err := m.Pack()
	if err != nil {
		return
	}
	_, _ = conn.Write(append([]byte{byte(len(out) >> 8), byte(len(out))}, out...))
}

func readFull(c net.Conn, p []byte) (int, error) {
	n := 0
	for n < len(p) {
		k, err := c.Read(p[n:])
		if err != nil {
			return n, err
		}
		n += k
	}
	return n, nil
}

func TestClosed(t *testing.T) {
	named := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/away" {
			http.Redirect(w, r, "http://example.com/", http.StatusFound)
		}
	})
	other := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("an unnamed service was asked") })
	var s spy
	c := newClient(t, s.policy(research.Closed, Service{named.URL, []Kind{Model}}))
	tests := []struct {
		name string
		kind Kind
		url  string
		want error
	}{
		{"the named service", Model, named.URL + "/api/version", nil},
		{"the named service for something else", PageOf, named.URL + "/", ErrAddress},
		{"another service of this machine", Model, other.URL, ErrClosed},
		{"the web", Search, "http://example.com/", ErrClosed},
		{"the web for a model", Model, "https://ollama.com/api/chat", ErrClosed},
		{"a redirect away", Model, named.URL + "/away", ErrAddress},
		{"another scheme", Model, strings.Replace(named.URL, "http:", "https:", 1), ErrAddress},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			if err := get(c, tc.kind, tc.url); !errors.Is(err, tc.want) || (err == nil) != (tc.want == nil) {
				t.Errorf("get error = %v, want %v", err, tc.want)
			}
		})
	}
	for _, a := range s.dialed {
		if a != named.Listener.Addr().String() {
			t.Errorf("dialed %s, which was not named", a)
		}
	}
	if _, err := c.Page(context.Background(), "https://example.com/"); !errors.Is(err, ErrClosed) {
		t.Errorf("Page error = %v, want ErrClosed", err)
	}
	sentOut, refused := 0, 0
	for _, o := range s.outbox {
		if o.Fault == "" {
			sentOut++
		} else {
			refused++
		}
	}
	// The redirect that was refused before it became a request is in its request's error, not in the outbox.
	if sentOut != 2 || refused != 6 {
		t.Errorf("outbox has %d sent and %d refused, want 2 and 6: %+v", sentOut, refused, s.outbox)
	}
	if o := s.outbox[0]; o.Host != named.Listener.Addr().String() || o.Kind != "model" || o.Why != "a test" || o.Bytes == 0 || o.AtMs == 0 {
		t.Errorf("outbox begins %+v", o)
	}
}

func TestClosedRefusesServicesElsewhere(t *testing.T) {
	for _, base := range []string{"http://192.168.1.5:11434", "http://gpu-box:11434", "https://ollama.com", "http://[fe80::1]:11434"} {
		if _, err := New(Policy{Egress: research.Closed, Services: []Service{{base, []Kind{Model}}}}); !errors.Is(err, ErrClosed) {
			t.Errorf("New with %s: error = %v, want ErrClosed", base, err)
		}
		c, err := New(Policy{Egress: research.Web, Services: []Service{{base, []Kind{Model}}}})
		if err != nil {
			t.Errorf("New of an open run with %s: %v", base, err)
			continue
		}
		c.Close()
	}
	for _, base := range []string{"", "127.0.0.1:11434", "ftp://127.0.0.1", "http://a:b@127.0.0.1"} {
		if _, err := New(Policy{Egress: research.Closed, Services: []Service{{base, nil}}}); err == nil || strings.Contains(err.Error(), "a:b") {
			t.Errorf("New with service %q: error = %v", base, err)
		}
	}
	if _, err := New(Policy{}); err == nil {
		t.Error("New without a reach: error = nil")
	}
}

// TestLocalhost holds that "localhost" is 127.0.0.1 without a question to anybody.
func TestLocalhost(t *testing.T) {
	named := serve(t, func(http.ResponseWriter, *http.Request) {})
	_, port, _ := net.SplitHostPort(named.Listener.Addr().String())
	base := "http://localhost:" + port
	var s spy
	c := newClient(t, s.policy(research.Closed, Service{base, []Kind{Model}}))
	if err := get(c, Model, base+"/"); err != nil || len(s.dialed) != 1 || s.dialed[0] != "127.0.0.1:"+port {
		t.Errorf("get error = %v, dialed %v; want 127.0.0.1 only", err, s.dialed)
	}
}

func TestWebNeverLeadsToAService(t *testing.T) {
	var s spy
	model := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("a page led to the model server") })
	c := web(t, &s, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/to" {
			http.Redirect(w, r, r.URL.Query().Get("u"), http.StatusFound)
			return
		}
		http.NotFound(w, r)
	})
	if err := c.addService(Service{model.URL, []Kind{Model, PageOf}}); err != nil {
		t.Fatal(err)
	}
	for _, u := range append([]string{model.URL + "/api/tags"}, hostile[:18]...) {
		if _, err := c.Page(context.Background(), "http://example.com/to?u="+url.QueryEscape(u)); !errors.Is(err, ErrAddress) {
			t.Errorf("Page that redirects to %s: error = %v, want ErrAddress", u, err)
		}
	}
}

func TestPage(t *testing.T) {
	var s spy
	tries := map[string]int{}
	var mu sync.Mutex
	c := web(t, &s, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		tries[r.Host+r.URL.Path]++
		n := tries[r.Host+r.URL.Path]
		mu.Unlock()
		if r.Header.Get("Cookie") != "" || r.Header.Get("Referer") != "" || r.UserAgent() != agent {
			t.Errorf("sent %v", r.Header)
		}
		switch r.URL.Path {
		case "/robots.txt":
			switch r.Host {
			case "broken.org":
				w.WriteHeader(http.StatusInternalServerError)
			case "strict.org":
				fmt.Fprint(w, "User-agent: *\nDisallow: /private\n\nUser-agent: assay\nDisallow: /secret\n")
			default:
				http.NotFound(w, r)
			}
		case "/page", "/private", "/secret":
			http.SetCookie(w, &http.Cookie{Name: "a", Value: "b"})
			w.Header().Set("Content-Type", "text/html; charset=gbk")
			fmt.Fprint(w, "<p>\xc4\xe3</p>")
		case "/moved":
			http.Redirect(w, r, "/page", http.StatusMovedPermanently)
		case "/round":
			http.Redirect(w, r, "/round", http.StatusFound)
		case "/busy":
			if n < 3 {
				w.Header().Set("Retry-After", "7")
				w.WriteHeader(http.StatusTooManyRequests)
			}
		case "/busyday":
			w.Header().Set("Retry-After", "86400")
			w.WriteHeader(http.StatusServiceUnavailable)
		case "/wall":
			w.WriteHeader(http.StatusForbidden)
		case "/film":
			w.Header().Set("Content-Type", "video/mp4")
		case "/bomb":
			w.Header().Set("Content-Encoding", "gzip")
			w.Header().Set("Content-Type", "text/html")
			z := gzip.NewWriter(w)
			zeros := make([]byte, 1<<20)
			for range 12 {
				if _, err := z.Write(zeros); err != nil {
					return
				}
			}
			_ = z.Close()
		case "/brotli":
			w.Header().Set("Content-Encoding", "br")
			w.Header().Set("Content-Type", "text/html")
		}
	})
	tests := []struct {
		name, url string
		status    int
		want      error
	}{
		{"a page", "http://a.org/page?q=1#part", 0, nil},
		{"moved", "http://a.org/moved", 0, nil},
		{"in a circle", "http://a.org/round", 0, ErrRedirects},
		{"busy twice", "http://a.org/busy", 0, nil},
		{"busy for a day", "http://a.org/busyday?key=SECRET", 503, nil},
		{"a wall", "http://a.org/wall", 403, nil},
		{"gone", "http://a.org/gone", 200, nil},
		{"a film", "http://a.org/film", 0, ErrType},
		{"a bomb", "http://a.org/bomb", 0, ErrTooLarge},
		{"an encoding nobody asked for", "http://a.org/brotli", 0, ErrType},
		{"robots: for others only", "http://strict.org/private", 0, nil},
		{"robots: for this program", "http://strict.org/secret", 0, ErrRobots},
		{"robots: broken site", "http://broken.org/page", 0, ErrRobots},
		{"robots: dead site", "http://dead.org/page", 0, ErrRobots},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			p, err := c.Page(context.Background(), tc.url)
			var status *StatusError
			switch {
			case tc.status >= 300:
				if !errors.As(err, &status) || status.Status != tc.status || strings.Contains(err.Error(), "SECRET") {
					t.Errorf("Page error = %v, want status %d and no query", err, tc.status)
				}
			case !errors.Is(err, tc.want) || (err == nil) != (tc.want == nil):
				t.Errorf("Page error = %v, want %v", err, tc.want)
			}
			if tc.name == "moved" && (p.URL != "http://a.org/page" || p.Type != "text/html; charset=gbk" || string(p.Body) != "<p>\xc4\xe3</p>") {
				t.Errorf("Page = %+v", p)
			}
		})
	}
	if tries["a.org/robots.txt"] != 1 || tries["a.org/busyday"] != 1 || tries["a.org/busy"] != 3 || tries["a.org/wall"] != 1 {
		t.Errorf("tries = %v", tries)
	}
}

func TestRetryAfter(t *testing.T) {
	c := newClient(t, Policy{Egress: research.Closed})
	c.now = func() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC) }
	for h, want := range map[string]time.Duration{
		"": 0, "soon": 0, "-5": 0, "120": 2 * time.Minute, " 3 ": 3 * time.Second,
		"Mon, 30 Nov 2026 12:00:30 GMT": 30 * time.Second, "Mon, 30 Nov 2026 11:00:00 GMT": 0, "99999999999999999999": 0,
	} {
		if got := c.after(h); got != want {
			t.Errorf("after(%q) = %v, want %v", h, got, want)
		}
	}
}

func TestTurn(t *testing.T) {
	c := newClient(t, Policy{Egress: research.Web, Gap: time.Second})
	c.now = func() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC) }
	var waits []time.Duration
	c.sleep = func(_ context.Context, d time.Duration) error { waits = append(waits, d); return nil }
	a, b := &url.URL{Scheme: "http", Host: "a.org"}, &url.URL{Scheme: "http", Host: "b.org"}
	for _, u := range []*url.URL{a, a, b, a} {
		if err := c.turn(context.Background(), u); err != nil {
			t.Fatal(err)
		}
	}
	if got := fmt.Sprint(waits); got != "[0s 1s 0s 2s]" {
		t.Errorf("waits = %s, want [0s 1s 0s 2s]", got)
	}
}

func TestProxy(t *testing.T) {
	var hosts []string
	proxy := serve(t, func(_ http.ResponseWriter, r *http.Request) { hosts = append(hosts, r.URL.String()) })
	var s spy
	p := s.policy(research.Web)
	p.Proxy = proxy.URL
	c := newClient(t, p)
	if err := get(c, Search, "http://example.com/x"); err != nil || len(hosts) != 1 || hosts[0] != "http://example.com/x" {
		t.Errorf("get through a proxy: %v, it saw %v", err, hosts)
	}
	if err := get(c, Search, "http://127.0.0.1/"); !errors.Is(err, ErrAddress) {
		t.Errorf("get of this machine through a proxy: error = %v, want ErrAddress", err)
	}
	if len(s.dialed) != 1 || s.dialed[0] != proxy.Listener.Addr().String() {
		t.Errorf("dialed %v, want the proxy only", s.dialed)
	}
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	bare := newClient(t, s.policy(research.Web))
	if bare.public.Proxy != nil {
		t.Error("a client without a proxy has one from the environment")
	}
	if _, err := New(Policy{Egress: research.Web, Proxy: "socks4://x"}); err == nil {
		t.Error("New with an unknown proxy: error = nil")
	}
}

// TestRedacted is ACCEPTANCE 101: no key stands in the text of a fault.
func TestRedacted(t *testing.T) {
	err := Redacted(&url.Error{Op: "Get", URL: "https://u:p@api.example.com/s?api_key=SECRET", Err: context.DeadlineExceeded})
	if got, want := err.Error(), "Get https://api.example.com/s: context deadline exceeded"; got != want || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Redacted = %q, want %q", got, want)
	}
}

// FuzzParse holds that no URL that passes leads to an address that is not public, or off the two ports.
func FuzzParse(f *testing.F) {
	for _, u := range hostile {
		f.Add(u)
	}
	f.Add("https://en.wikipedia.org/wiki/Mercury_(planet)")
	f.Fuzz(func(t *testing.T, raw string) {
		u, err := parse(raw)
		if err != nil || checkURL(u) != nil {
			return
		}
		if a, err := netip.ParseAddr(u.Hostname()); err == nil && !public(a) {
			t.Errorf("%q leads to %s", raw, a)
		}
		if p := u.Port(); p != "" && p != "80" && p != "443" || u.User != nil || strings.ContainsAny(raw, "\\\r\n") {
			t.Errorf("%q passed", raw)
		}
	})
}

// FuzzRobots holds that no robots.txt breaks its reader, makes a site wait for more than the bound, or is read in two ways.
func FuzzRobots(f *testing.F) {
	for _, s := range []string{
		"User-agent: *\nDisallow: /private\nAllow: /private/open$\nCrawl-delay: 3\n", "User-agent: assay\nDisallow:\n\nUser-agent: *\nDisallow: /\n",
		"\ufeffuser-agent:assay\rdisallow:/*.pdf$\r\nsitemap: x", "Disallow: /\n", "<html>none</html>", "User-agent: *\nCrawl-delay: 1e308\nDisallow: /%zz%00\n", "User-agent\nDisallow: *****a*****b$\n",
	} {
		f.Add([]byte(s), "/private/open")
	}
	f.Fuzz(func(t *testing.T, body []byte, path string) {
		r, again := readRobots(body), readRobots(body)
		if r.delay < 0 || r.delay > maxDelay {
			t.Errorf("delay %v", r.delay)
		}
		if r.group == nil {
			if !r.all {
				t.Error("a file that gives no rules forbids all")
			}
			return
		}
		if r.group.Test(path) != again.group.Test(path) {
			t.Errorf("two readings of one file disagree on %q", path)
		}
	})
}
