package desk

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"assay/engine/text"
)

// site is one page of a made web. The whole of that web is behind a proxy on this machine, so that everything but the names of the
// hosts is as it is out there: addresses are checked, robots.txt is asked for, redirects are followed.
type site struct {
	url    string // http://
	status int    // 0: 200
	to     string // where it leads instead
	robots string
	body   []byte
	words  string // by which a search finds it
}

// web is a made web: a proxy in front of its sites, a server that speaks as SearXNG does and one that speaks as MediaWiki does.
type web struct {
	sites              []site
	proxy, searx, wiki *httptest.Server

	mu      sync.Mutex
	seen    []string // what the proxy was asked: method, host and path
	queries []string // what SearXNG and MediaWiki were asked
	headers []http.Header
	passed  map[string]bool // hosts that were asked of the proxy
	secure  string          // address of the server that is behind TLS at every name the proxy connects to; empty: nobody is there
	pad     []site          // given, a few with every answer of SearXNG, until all were
}

func newWeb(t *testing.T, sites []site) *web {
	t.Helper()
	w := &web{sites: sites, passed: map[string]bool{}}
	w.proxy = httptest.NewServer(http.HandlerFunc(w.serveProxy))
	w.searx = httptest.NewServer(http.HandlerFunc(w.serveSearx))
	w.wiki = httptest.NewServer(http.HandlerFunc(w.serveWiki))
	t.Cleanup(func() { w.proxy.Close(); w.searx.Close(); w.wiki.Close() })
	return w
}

func (w *web) serveProxy(rw http.ResponseWriter, r *http.Request) {
	host := r.Host
	w.mu.Lock()
	w.seen = append(w.seen, r.Method+" "+host+" "+r.URL.Path)
	w.headers = append(w.headers, r.Header.Clone())
	if r.Method != http.MethodConnect && !strings.Contains(host, ":") {
		host += ":80"
	}
	w.passed[host] = true
	w.mu.Unlock()
	if r.Method == http.MethodConnect && w.secure != "" {
		pipe(rw, w.secure)
		return
	}
	if r.Method == http.MethodConnect { // nobody is behind it
		http.Error(rw, "no way there", http.StatusBadGateway)
		return
	}
	for _, s := range w.sites {
		u, err := url.Parse(s.url)
		if err != nil || u.Host != r.Host {
			continue
		}
		switch {
		case r.URL.Path == "/robots.txt":
			if s.robots == "" {
				http.NotFound(rw, r)
				return
			}
			_, _ = io.WriteString(rw, s.robots)
			return
		case u.EscapedPath() == r.URL.EscapedPath() && u.RawQuery == r.URL.RawQuery:
			if s.to != "" {
				http.Redirect(rw, r, s.to, http.StatusFound)
				return
			}
			rw.Header().Set("Content-Type", "text/html; charset=utf-8")
			if s.status != 0 {
				rw.WriteHeader(s.status)
			}
			_, _ = rw.Write(s.body)
			return
		}
	}
	http.NotFound(rw, r)
}

// pipe joins a client of the proxy to a server on this machine, as a proxy does that was asked to connect.
func pipe(rw http.ResponseWriter, to string) {
	far, err := net.Dial("tcp", to)
	if err != nil {
		http.Error(rw, "no way there", http.StatusBadGateway)
		return
	}
	defer far.Close()
	near, _, err := rw.(http.Hijacker).Hijack()
	if err != nil {
		return
	}
	defer near.Close()
	if _, err := io.WriteString(near, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		return
	}
	go func() {
		_, _ = io.Copy(far, near) // ends when either side is closed
		_ = far.Close()
	}()
	_, _ = io.Copy(near, far)
}

// find returns the sites that share words with a query, the best first.
func (w *web) find(q string, n int) []site {
	want := text.TermSet(q, "en")
	type scored struct {
		site
		share float64
	}
	var all []scored
	for _, s := range w.sites {
		if share := text.Containment(want, text.TermSet(s.words, "en")); share > 0.15 {
			all = append(all, scored{s, share})
		}
	}
	slices.SortStableFunc(all, func(a, b scored) int {
		switch {
		case a.share > b.share:
			return -1
		case a.share < b.share:
			return 1
		}
		return strings.Compare(a.url, b.url)
	})
	var out []site
	for _, s := range all[:min(n, len(all))] {
		out = append(out, s.site)
	}
	return out
}

func (w *web) note(r *http.Request, q string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.queries = append(w.queries, q)
	w.headers = append(w.headers, r.Header.Clone())
}

func (w *web) serveSearx(rw http.ResponseWriter, r *http.Request) {
	q := r.URL.Query().Get("q")
	w.note(r, "searxng: "+q)
	type result struct {
		URL     string `json:"url"`
		Title   string `json:"title"`
		Content string `json:"content"`
	}
	found := []result{}
	sites := w.find(q, 20)
	w.mu.Lock()
	if n := min(7, len(w.pad)); n > 0 {
		sites = append(slices.Clip(sites[:min(3, len(sites))]), w.pad[:n]...)
		w.pad = w.pad[n:]
	}
	w.mu.Unlock()
	for _, s := range sites {
		found = append(found, result{s.url, firstWords(s.words, 8), firstWords(s.words, 40)})
	}
	rw.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(rw).Encode(map[string]any{"query": q, "results": found, "unresponsive_engines": [][]string{{"slow", "timeout"}}})
}

// serveWiki answers as api.php does, and serves the articles under /index.php.
func (w *web) serveWiki(rw http.ResponseWriter, r *http.Request) {
	if strings.HasSuffix(r.URL.Path, "index.php") {
		rw.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprintf(rw, "<html lang=en><title>Marrow kiln</title><body><h1>Marrow kiln</h1>%s</body></html>", strings.Repeat("<p>The Marrow kiln is a wood-fired kiln of the valley. In this wiki its firing, its shelves and its potters are described at some length for those who work with it.</p>", 4))
		return
	}
	q := r.URL.Query().Get("srsearch")
	w.note(r, "wiki: "+q)
	rw.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(rw).Encode(map[string]any{"query": map[string]any{
		"search": []any{map[string]any{"pageid": 7, "title": "Marrow kiln", "snippet": "The <span class=\"searchmatch\">Marrow</span> kiln"}},
		"pages":  []any{map[string]any{"pageid": 7, "title": "Marrow kiln", "index": 1, "fullurl": w.wiki.URL + "/index.php?title=Marrow_kiln"}},
	}})
}

func firstWords(s string, n int) string {
	f := strings.Fields(s)
	return strings.Join(f[:min(n, len(f))], " ")
}

// joined opens a desk that searches this web: SearXNG and MediaWiki on this machine, everything else through the proxy. Of the public
// providers those named in on are asked as well.
func (w *web) joined(t *testing.T, on ...string) *Desk {
	t.Helper()
	d := testDesk(t, nil)
	d.wire.run = realWiring(d).run
	d.wire.keyring = nil
	s := d.Settings()
	s.Web = WebSettings{SearXNG: w.searx.URL, MediaWikis: []string{w.wiki.URL + "/api.php"}, Proxy: w.proxy.URL}
	for _, p := range d.WebProviders() {
		if p.On && !slices.Contains(on, p.Name) {
			s.Web.Off = append(s.Web.Off, p.Name)
		}
	}
	if err := d.SetSettings(s); err != nil {
		t.Fatal(err)
	}
	return d
}

// made are pages of every kind that a run may meet, about one thing.
func made() []site {
	var out []site
	add := func(u, by, more string) *site {
		n := len(out)
		body := fmt.Sprintf(`<html lang="en"><head><title>The Marrow kiln: %[2]s</title><meta name="author" content="%[1]s"></head><body><article><h1>The Marrow kiln: %[2]s</h1>
<p>The Marrow kiln is fired to 1,240 degrees, as report %[3]d of the year says, and the %[2]s of the Marrow kiln is what this page is about.</p>
<p>In the valley number %[3]d people speak of %[2]s when they speak of the Marrow kiln, which holds %[4]d shelves and burns wood for %[5]d hours before it cools.</p>
<p>Its potters say that %[2]s has been on their minds since the kiln was built, and page %[3]d tells what each of the %[4]d families thinks of it.</p></article></body></html>`, by, more, n, 10+n, 30+n)
		out = append(out, site{url: u, body: []byte(body), words: "The Marrow kiln: " + more + ". The Marrow kiln is fired to 1,240 degrees, says report " + fmt.Sprint(n)})
		return &out[len(out)-1]
	}
	add("http://www.nature.com/articles/kiln", "Rowan Ost", "study of heat and its data")
	add("http://www.nist.gov/kiln", "", "standard of firing and its policy")
	add("http://www.reuters.com/kiln", "Jane Hale", "current price and its market")
	add("http://www.theguardian.com/kiln", "Mary Orr", "problems and criticism")
	add("http://pottersagainst.org/kiln", "Tom Quill", "drawbacks, opposition and alternative")
	add("http://potters.example-kilns.com/a", "Anna Reed", "mechanism and how it works")
	add("http://unsigned-kilns.net/a", "", "overview and introduction")
	add("http://ceramics-today.io/kiln", "Paul Stone", "cost and economics")
	add("http://gone-kilns.com/kiln", "Paul Stone", "history and origin").status = http.StatusGone
	add("http://walled-kilns.com/kiln", "Paul Stone", "future plans and outlook").status = http.StatusForbidden
	add("http://private-kilns.com/kiln", "Paul Stone", "overview of problems").robots = "User-agent: *\nDisallow: /\n"
	add("http://www.quora.com/kiln", "Anybody", "overview of firing")
	add("http://inward-kilns.com/kiln", "Paul Stone", "overview and history").to = "http://169.254.169.254/latest/meta-data/"
	ai := add("http://machine-kilns.com/kiln", "Paul Stone", "overview of its history")
	ai.body = []byte(strings.Replace(string(ai.body), "<article>", "<article><p>As an AI language model, I cannot fire a kiln.</p>", 1))
	pay := add("http://paper-kilns.com/kiln", "Paul Stone", "overview for readers")
	pay.body = []byte("<html><title>Kiln</title><body><article><p>The Marrow kiln was lit at dawn.</p><p>Subscribe to continue reading.</p></article></body></html>")
	reprint := out[2]
	reprint.url = "http://mirror-kilns.com/kiln"
	reprint.body = []byte(strings.Replace(string(reprint.body), "</article>", "<p>Printed here with leave of the agency.</p></article>", 1))
	return append(out, reprint)
}

// real are n pages of the extraction data set under their own names; none where the data is absent.
func real(t *testing.T, n int) []site {
	t.Helper()
	data := os.Getenv("ASSAY_DATA")
	if data == "" {
		data = filepath.Join("..", "..", "..", "shared", "data")
	}
	dir := filepath.Join(data, "eval", "a_article_extraction", "dev")
	b, err := os.ReadFile(filepath.Join(dir, "ground-truth.json"))
	if err != nil {
		t.Logf("no pages of the evaluation data: %v", err)
		return nil
	}
	var truth map[string]struct {
		Body string `json:"articleBody"`
		URL  string `json:"url"`
	}
	if err := json.Unmarshal(b, &truth); err != nil {
		t.Fatal(err)
	}
	var ids []string
	for id := range truth {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	var out []site
	for _, id := range ids[:min(n, len(ids))] {
		f, err := os.Open(filepath.Join(dir, "html", id+".html.gz"))
		if err != nil {
			t.Fatal(err)
		}
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(z)
		_ = f.Close()
		if err != nil {
			t.Fatal(err)
		}
		u := strings.Replace(truth[id].URL, "https://", "http://", 1)
		u, _, _ = strings.Cut(u, "#")
		out = append(out, site{url: u, body: body, words: firstWords(truth[id].Body, 60)})
	}
	return out
}
