package serve_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/app/desk"
	"assay/app/serve"
)

// The names are those of the cases: faults that other programs had, each with what is wanted here.

// Case 96: the settings gave keys to whoever asked, and let whoever asked change where searches go.
func TestCase96KeysAreMasked(t *testing.T) {
	p := newPlace(t, plenty)
	set := p.desk.Settings()
	set.Web.Proxy = "http://me:hunter2hunter2@127.0.0.1:8888"
	if err := p.desk.SetSettings(set); err != nil {
		t.Fatal(err)
	}
	p.want(401, "", "", "GET", "/v1/settings", "")
	p.want(403, "", desk.Researcher, "GET", "/v1/settings", "")
	for _, path := range []string{"/v1/settings", "/v1/doctor", "/v1/models"} {
		if got := p.want(200, "", desk.Admin, "GET", path, ""); strings.Contains(got.body, "hunter2") || strings.Contains(got.body, secretKey) {
			t.Errorf("%s holds a secret: %s", path, got.body)
		}
	}
	for _, method := range []string{"POST", "PUT", "PATCH", "DELETE"} {
		p.want(405, "", desk.Admin, method, "/v1/settings", "")
	}
	// A key that came into a document does not leave by it.
	if err := os.WriteFile(filepath.Join(p.dir, "note.md"), []byte("# Note\n\nThe key for osmium is "+secretKey+" and osmium melts at 3033 degrees Celsius.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p.want(200, "", desk.Admin, "POST", "/v1/library", `{"folder":"`+p.dir+`"}`)
	if got := p.want(200, "[masked]", desk.Reader, "GET", "/v1/library/search?q=osmium+key", ""); strings.Contains(got.body, secretKey) {
		t.Error("a passage holds the key")
	}
	// Of a token only the hash is kept, and a revoked one is refused at once.
	b, err := os.ReadFile(filepath.Join(p.home, "access", "tokens.json"))
	if err != nil {
		t.Fatal(err)
	}
	for role, token := range p.tokens {
		if strings.Contains(string(b), token) {
			t.Errorf("the token of %s is on disk", role)
		}
		if strings.Contains(p.log.String(), token) {
			t.Errorf("the token of %s is in the log", role)
		}
	}
	if err := p.desk.RemoveToken("reader"); err != nil {
		t.Fatal(err)
	}
	p.want(401, "", desk.Reader, "GET", "/v1/health", "")
}

// Case 97: a page of the web used an interface on the loopback address: by a name that it had given to that address, or across origins.
func TestCase97OtherSitesAreRefused(t *testing.T) {
	p := newPlace(t, serve.Options{Rate: 1e6, Burst: 1e6, Hosts: []string{"assay.example"}})
	for _, tc := range []struct {
		name   string
		change func(*http.Request)
		status int
	}{
		{"as it is", func(*http.Request) {}, 200},
		{"another name", func(r *http.Request) { r.Host = "evil.example:8420" }, 403},
		{"a name that begins as a loopback one", func(r *http.Request) { r.Host = "127.0.0.1.evil.example" }, 403},
		{"a name that ends as one", func(r *http.Request) { r.Host = "evil-localhost" }, 403},
		{"an address of this network", func(r *http.Request) { r.Host = "192.0.2.1:7557" }, 403},
		{"no address at all", func(r *http.Request) { r.Host = "0.0.0.0" }, 403},
		{"localhost", func(r *http.Request) { r.Host = "localhost:7557" }, 200},
		{"localhost, written otherwise", func(r *http.Request) { r.Host = "LOCALHOST.:7557" }, 200},
		{"IPv6", func(r *http.Request) { r.Host = "[::1]:7557" }, 200},
		{"a name that was named", func(r *http.Request) { r.Host = "assay.example" }, 200},
		{"an origin", func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }, 403},
		{"its own origin", func(r *http.Request) { r.Header.Set("Origin", p.http.URL) }, 403},
		{"no origin that can be told", func(r *http.Request) { r.Header.Set("Origin", "null") }, 403},
		{"an empty origin", func(r *http.Request) { r.Header["Origin"] = []string{""} }, 403},
		{"a picture of another site", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, 403},
		{"a link of a site beside it", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-site") }, 403},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for _, path := range []string{"/v1/health", "/v1/runs"} {
				if got := p.do(desk.Admin, "GET", path, "", tc.change); got.status != tc.status {
					t.Errorf("%s: %d %s; want %d", path, got.status, got.body, tc.status)
				}
			}
		})
	}
	// A browser asks first whether it may: it may not, and is told so by no header.
	got := p.do("", "OPTIONS", "/v1/runs", "", func(r *http.Request) {
		r.Header.Set("Origin", "https://evil.example")
		r.Header.Set("Access-Control-Request-Method", "POST")
	})
	for name := range got.header {
		if strings.HasPrefix(name, "Access-Control-") {
			t.Errorf("the answer has %s", name)
		}
	}
	if got.status != 403 {
		t.Errorf("asked first: %d", got.status)
	}
	// A form of a page can send no JSON, and a token is taken from no other place.
	form := func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }
	p.want(415, "not JSON", desk.Researcher, "POST", "/v1/runs", startGold, form)
	p.want(401, "", "", "GET", "/v1/health?access_token="+p.tokens[desk.Admin], "")
	p.want(401, "", "", "GET", "/v1/health", "", func(r *http.Request) { r.AddCookie(&http.Cookie{Name: "token", Value: p.tokens[desk.Admin]}) })
	p.want(401, "", "", "GET", "/v1/health", "", func(r *http.Request) { r.SetBasicAuth("admin", p.tokens[desk.Admin]) })
	if strings.Contains(p.log.String(), p.tokens[desk.Admin]) {
		t.Error("the token is in the log")
	}
}

// Case 99: a name of a file led out of its folder. Here no name is taken: ids have a form, and nothing else of a path is looked up.
func TestCase99NoWayOutOfTheHome(t *testing.T) {
	p := newPlace(t, plenty)
	id := p.run()
	for _, path := range []string{
		"/v1/runs/..", "/v1/runs/../settings", "/v1/runs/%2e%2e%2f%2e%2e%2fsettings.json", "/v1/runs/" + id + "/..%2f..%2f..%2fsettings.json",
		"/v1/runs/" + id + "/record.db", "/v1/runs/%2fetc%2fpasswd", "/v1/runs/" + id + "%00/report.html", "/v1//runs", "/v1/runs/" + id[:8],
		"/v1/runs/" + id + "/texts/..%2f..%2f..%2f..%2fetc%2fpasswd", "/v1/runs/C:%5Cx/run.json", "/", "/docs", "/openapi.json", "/schemas/Start", "/mcp", "/debug/pprof/",
	} {
		got := p.do(desk.Admin, "GET", path, "")
		if got.status < 400 || got.status >= 500 || !problemOf(got) {
			t.Errorf("%s: %d %.200s", path, got.status, got.body)
		}
	}
}

// Case 101: an address with a key in it was shown in an error.
func TestCase101KeysInErrors(t *testing.T) {
	p := newPlace(t, plenty)
	for _, text := range []string{"https://u:p4ssw0rd9@host/x", "http://host/?api_key=SECRETSECRET", secretKey} {
		for _, body := range []string{`{"question":"x","model":` + quote(text) + `}`, `{"question":"x","now":` + quote(text[:min(40, len(text))]) + `}`, `{"question":"x","depth":` + quote(text) + `}`} {
			got := p.do(desk.Admin, "POST", "/v1/runs", body)
			if got.status != 422 || strings.Contains(got.body, "p4ssw0rd9") || strings.Contains(got.body, "SECRETSECRET") || strings.Contains(got.body, secretKey) {
				t.Errorf("%s: %d %s", body, got.status, got.body)
			}
		}
		got := p.do(desk.Admin, "POST", "/v1/library", `{"folder":`+quote("/"+text)+`}`)
		if got.status != 422 || strings.Contains(got.body, "p4ssw0rd9") || strings.Contains(got.body, "SECRETSECRET") || strings.Contains(got.body, secretKey) {
			t.Errorf("library: %d %s", got.status, got.body)
		}
	}
	p.do(desk.Admin, "GET", "/v1/"+secretKey+"?api_key=SECRETSECRET", "")
	if log := p.log.String(); strings.Contains(log, secretKey) || strings.Contains(log, "SECRETSECRET") {
		t.Errorf("the log holds a key: %s", log)
	}
}

func quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// Case 89: a question that is a program of a page runs nowhere.
func TestCase89QuestionsAreInert(t *testing.T) {
	p := newPlace(t, plenty)
	evil := "<img src=x onerror=alert(1)> What is the melting point of gold?"
	got := p.want(202, "", desk.Researcher, "POST", "/v1/runs", strings.Replace(startGold, "What is the melting point of gold?", evil, 1))
	var st struct{ ID string }
	if err := json.Unmarshal([]byte(got.body), &st); err != nil {
		t.Fatal(err)
	}
	p.ended(st.ID)
	page := p.want(200, "", desk.Reader, "GET", "/v1/runs/"+st.ID+"/report.html", "")
	if strings.Contains(page.body, "<img src=x") {
		t.Error("the page holds the question as a tag")
	}
	if h := page.header; h.Get("Content-Security-Policy") != "sandbox" || h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Cache-Control") != "no-store" {
		t.Errorf("headers %v", h)
	}
}

// TestSizes holds the bounds of what may be sent.
func TestSizes(t *testing.T) {
	p := newPlace(t, plenty)
	p.want(413, "longer than", desk.Researcher, "POST", "/v1/runs", `{"question":"`+strings.Repeat("x", 1<<20)+`"}`)
	p.want(422, "question", desk.Researcher, "POST", "/v1/runs", `{"question":"`+strings.Repeat("x", 4001)+`"}`)
	p.want(413, "longer than", desk.Reader, "GET", "/v1/health", strings.Repeat(" ", 1<<20+1))
	if got := p.do(desk.Reader, "PUT", "/v1/health", ""); got.status != 405 || !strings.Contains(got.header.Get("Allow"), "GET") || !problemOf(got) {
		t.Errorf("another method: %d %v %s", got.status, got.header, got.body)
	}
}
