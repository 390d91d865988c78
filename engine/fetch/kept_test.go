package fetch

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"assay/engine/research"
)

// TestConditional: a page that was kept is asked for only if it changed; its server's word for that, the tag or the date, is all that is
// sent, to nobody but the server that gave it, and never over a proxy.
func TestConditional(t *testing.T) {
	tag, modified, body := `"v1"`, "Tue, 01 Dec 2026 10:00:00 GMT", "the kiln"
	var got []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = append(got, r.URL.Path+" "+r.Header.Get("If-None-Match")+" "+r.Header.Get("If-Modified-Since"))
		switch {
		case r.URL.Path == "/moved":
			http.Redirect(w, r, "/page", http.StatusFound)
			return
		case r.Header.Get("If-None-Match") == tag || r.Header.Get("If-None-Match") == "" && r.Header.Get("If-Modified-Since") == modified:
			w.WriteHeader(http.StatusNotModified)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("ETag", tag)
		w.Header().Set("Last-Modified", modified)
		fmt.Fprint(w, body)
	}))
	defer s.Close()
	kept := map[string]Page{}
	client := func() *Client {
		c, err := New(Policy{Egress: research.Own, Services: []Service{{s.URL, []Kind{PageOf}}}, Gap: -1, Kept: func(at string) (Page, bool) { p, ok := kept[at]; return p, ok }})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	read := func(path string) Page {
		t.Helper()
		got = nil
		p, err := client().Page(t.Context(), s.URL+path)
		if err != nil {
			t.Fatalf("%s: %v after %q", path, err, got)
		}
		return p
	}
	first := read("/page")
	if first.Unchanged || first.Tag != tag || first.Modified != modified || string(first.Body) != body || got[0] != "/page  " {
		t.Fatalf("%+v after %q", first, got)
	}
	kept[first.URL] = first
	if p := read("/page"); !p.Unchanged || string(p.Body) != body || p.Type != "text/html" || got[0] != `/page "v1" `+modified {
		t.Errorf("not asked whether it changed: %+v after %q", p, got)
	}
	tag, modified, body = `"v2"`, "Tue, 01 Dec 2026 11:00:00 GMT", "the new kiln"
	if p := read("/page"); p.Unchanged || string(p.Body) != body {
		t.Errorf("a page that changed: %+v after %q", p, got)
	}
	// Only the date, and what is no validator.
	for name, tc := range map[string]struct {
		page Page
		want string
	}{
		"date":          {Page{URL: s.URL + "/page", Modified: modified, Body: []byte("x")}, "/page  " + modified},
		"no date":       {Page{URL: s.URL + "/page", Modified: "yesterday", Body: []byte("x")}, "/page  "},
		"split header":  {Page{URL: s.URL + "/page", Tag: "\"a\"\r\nX: \"y\"", Body: []byte("x")}, "/page  "},
		"no tag":        {Page{URL: s.URL + "/page", Tag: "abc", Body: []byte("x")}, "/page  "},
		"another page":  {Page{URL: s.URL + "/else", Tag: `"v2"`, Body: []byte("x")}, "/page  "},
		"nothing of it": {Page{URL: s.URL + "/page", Tag: `"v2"`}, "/page  "},
	} {
		kept = map[string]Page{s.URL + "/page": tc.page}
		if read("/page"); got[0] != tc.want {
			t.Errorf("%s: asked %q, want %q", name, got, tc.want)
		}
	}
	c := client()
	c.policy.Proxy = "http://127.0.0.1:1"
	kept = map[string]Page{s.URL + "/page": {URL: s.URL + "/page", Tag: tag, Body: []byte("x")}}
	if _, known := c.kept(mustParse(t, s.URL+"/page"), true); known {
		t.Error("over a proxy a server is told what of it is kept")
	}
}

func mustParse(t *testing.T, raw string) *url.URL {
	t.Helper()
	u, err := url.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	return u
}
