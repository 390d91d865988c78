package desk

import (
	"bufio"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"assay/engine/fetch"
	"assay/engine/research"
)

// TestUnreachable asks that a page that does not come is explained in words, whatever kept it away.
func TestUnreachable(t *testing.T) {
	own := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/round":
			http.Redirect(w, r, "/round", http.StatusFound)
		case "/cut":
			conn, out, err := w.(http.Hijacker).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			cut(conn, out)
		}
	}))
	defer own.Close()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	client, err := fetch.New(fetch.Policy{Egress: research.Closed, Gap: -1, Services: []fetch.Service{
		{Base: own.URL, For: []fetch.Kind{fetch.PageOf}}, {Base: gone.URL, For: []fetch.Kind{fetch.PageOf}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	r := &webReader{client: client, own: map[string]bool{}}
	for at, want := range map[string]string{
		own.URL + "/round": "one address leads to the next, more than 5 redirects",
		own.URL + "/cut":   "its server ended the connection before the page was whole",
		gone.URL + "/x":    "nothing answers at its address",
	} {
		d, err := r.Read(t.Context(), at)
		if err != nil || d.Verdict != research.RejectDead || !strings.Contains(d.Fault, "could not be reached: "+want) {
			t.Errorf("%s is %s, %q, %v; want %q", at, d.Verdict, d.Fault, err, want)
		}
	}
}

// cut promises a page and hangs up within it.
func cut(conn net.Conn, out *bufio.ReadWriter) {
	_, _ = out.WriteString("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 900\r\n\r\n<p>The kiln") // what the client makes of it is tested
	_ = out.Flush()
	_ = conn.Close()
}
