package search

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// recording is an answer that a service gave, or one in its documented form.
type recording struct {
	status int
	header http.Header
	body   []byte
}

// recordings is the folder of the recorded answers, which are no part of this repository.
func recordings(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("ASSAY_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "data")
	}
	dir = filepath.Join(dir, "providers")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("needs the recorded answers in ../shared/data/providers or $ASSAY_DATA/providers")
	}
	return dir
}

// read unwraps a recording: JSON files hold status and headers beside the body, others are the body.
func readRecording(t *testing.T, dir, name string) recording {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	r := recording{status: 200, header: http.Header{}, body: b}
	if !strings.HasSuffix(name, ".json") {
		return r
	}
	var w struct {
		Status  int             `json:"_status"`
		Headers map[string]any  `json:"_headers"`
		Body    json.RawMessage `json:"body"`
	}
	if err := json.Unmarshal(b, &w); err != nil || len(w.Body) == 0 {
		t.Fatalf("%s: %v", name, err)
	}
	if w.Status != 0 {
		r.status = w.Status
	}
	for k, v := range w.Headers {
		switch v := v.(type) {
		case string:
			r.header.Set(k, v)
		case []any:
			for _, s := range v {
				if s, ok := s.(string); ok {
					r.header.Add(k, s)
				}
			}
		}
	}
	var text string
	if r.body = w.Body; json.Unmarshal(w.Body, &text) == nil {
		r.body = []byte(text)
	}
	return r
}

// TestRecorded serves each recorded answer to its provider.
func TestRecorded(t *testing.T) {
	dir := recordings(t)
	tests := []struct {
		file, peer string
		status     int               // in place of the recorded one
		second     map[string]string // other recorded answers, by the end of the path
		dated      bool              // the query has a range
		n          int
		first      string // location of the first hit
		title      string
		note       string // part of one
		want       error
	}{
		{file: "mediawiki_action_search.json", peer: "mediawiki", n: 2, first: "http://HOST/w/index.php?title=Research_topic_1", title: "Research topic 1"},
		{file: "mediawiki_action_error_http200.json", peer: "mediawiki", want: ErrBadQuery},
		{file: "wikipedia_action_extracts_zh.json", peer: "wikipedia-zh", n: 1, first: "https://zh.wikipedia.org/wiki/%E6%95%B0%E5%AD%A6", title: "数学"},
		{file: "mediawiki_rest_error_400.json", peer: "mediawiki", status: 400, want: ErrBadQuery},
		{file: "wikidata_search.json", peer: "wikidata", n: 1, first: "https://www.wikidata.org/wiki/Q7593", title: "Debian"},
		{file: "crossref_works_search.json", peer: "crossref", n: 2, first: "https://doi.org/10.1093/obo/9780199830060-0238", title: "Communicating Ecology"},
		{file: "crossref_select.json", peer: "crossref", n: 2, first: "https://doi.org/10.1093/obo/9780199830060-0238", title: "Communicating Ecology"},
		{file: "crossref_filter_400.json", peer: "crossref", want: ErrBadQuery},
		{file: "crossref_404.json", peer: "crossref", want: ErrFormat},
		{file: "arxiv_search.xml", peer: "arxiv", n: 2, first: "https://arxiv.org/abs/1202.4527v1", title: "Study Paper on Test Case generation for GUI Based Testing"},
		{file: "arxiv_error_400.xml", peer: "arxiv", status: 400, want: ErrBadQuery},
		{file: "arxiv_error_400.xml", peer: "arxiv", want: ErrBadQuery}, // older servers send it with 200
		{file: "europepmc_search_core.json", peer: "europepmc", n: 2, first: "https://doi.org/10.3390/gels12080715", title: "MSC-Hydrogel Composite Systems for Knee Cartilage Repair: A Systematic Review."},
		{
			file: "pubmed_esearch.json", peer: "pubmed", second: map[string]string{"/esummary.fcgi": "pubmed_esummary.json"}, n: 1,
			first: "https://pubmed.ncbi.nlm.nih.gov/29456894/", title: "The state of OA: a large-scale analysis", note: "no record for 1 of its own results",
		},
		{file: "pubmed_429.json", peer: "pubmed", want: ErrRate},
		{file: "openalex_works_search.json", peer: "openalex", n: 1, first: "https://doi.org/10.7717/peerj.4375", title: "The state of OA: a large-scale analysis of the prevalence and impact of Open Access articles"},
		{file: "semanticscholar_search.json", peer: "semanticscholar", n: 2, first: "https://www.semanticscholar.org/paper/0f34fcab599aabf0ab46d91c21703a9a86b5f048"},
		{file: "semanticscholar_empty.json", peer: "semanticscholar"},
		{file: "semanticscholar_error_400.json", peer: "semanticscholar", want: ErrBadQuery},
		{file: "semanticscholar_429.json", peer: "semanticscholar", want: ErrRate},
		{file: "gdelt_artlist.json", peer: "gdelt", n: 2, first: "https://example.org/first", title: "First report"},
		{file: "gdelt_empty.json", peer: "gdelt"},
		{file: "gdelt_rate_limited.txt", peer: "gdelt", want: ErrRate},
		{file: "gdelt_rate_limited.txt", peer: "gdelt", status: 429, want: ErrRate},
		{file: "wayback_available.json", peer: "wayback", n: 1, first: "https://web.archive.org/web/20190104061944id_/http://example.org/"},
		{file: "wayback_available_none.json", peer: "wayback"},
		{file: "wayback_cdx_json.json", peer: "wayback", dated: true, n: 1, first: "https://web.archive.org/web/20190104061944id_/http://example.org/"},
		{file: "wayback_cdx_basic.json", peer: "wayback", dated: true, n: 1, first: "https://web.archive.org/web/19961231235847id_/http://www.nasa.gov:80/"},
		{file: "wayback_cdx_search.json", peer: "wayback", dated: true, n: 6, first: "https://web.archive.org/web/20220101013952id_/http://www.nasa.gov/"},
		{file: "wayback_cdx_blocked.json", peer: "wayback", dated: true, want: ErrBlocked},
		{file: "searxng_search.json", peer: "searxng", n: 2, first: "https://example.org/report", title: "Storage cost report 2026", note: "google: Suspended: access denied; duckduckgo: CAPTCHA; startpage: timeout"},
		{file: "searx_1_1_0_search.json", peer: "searxng", n: 3, first: "http://127.0.0.1:18182/wiki/Research_topic_1", title: "Research topic 1", note: "deadengine: HTTP error"},
		{file: "searxng_403_json_disabled.html", peer: "searxng", status: 403, want: ErrBlocked},
		{file: "brave_web_search.json", peer: "brave", n: 2, first: "https://example.org/report", title: "Grid battery cost report"},
		{file: "brave_error_422.json", peer: "brave", want: ErrAuth},
		{file: "brave_error_429.json", peer: "brave", want: ErrRate},
		{file: "tavily_search.json", peer: "tavily", n: 2, first: "https://tavily.com", title: "Tavily"},
		{file: "tavily_error_401.json", peer: "tavily", want: ErrAuth},
		{file: "tavily_keyless_limit.json", peer: "tavily", want: ErrRate},
		{file: "mojeek_api.json", peer: "mojeek", n: 1, first: "https://example.org/report", title: "Storage cost report"},
		{file: "google_news_rss.xml", peer: "feeds", n: 1, first: "https://news.google.com/rss/articles/CBMitwFBVV95cUxPWA?oc=5", title: "S&P 500, Nasdaq fall as chip stocks weaken - Reuters"},
		{file: "kiwix_search.xml", peer: "kiwix", second: map[string]string{"/entries": "kiwix_catalog_v2_entries.xml"}, n: 2, first: "http://HOST/raw/debian/content/devref/pkgs.html", title: "5. Managing Packages — developers-reference 12.18 documentation"},
		{file: "kiwix_search_empty.xml", peer: "kiwix", second: map[string]string{"/entries": "kiwix_catalog_v2_entries.xml"}},
		{file: "kiwix_error_400.xml", peer: "kiwix", status: 400, want: ErrBadQuery},
		{file: "duckduckgo_html_results.html", peer: "duckduckgo", n: 1, first: "https://example.org/report?a=1", title: "Storage cost report"},
		{file: "duckduckgo_html_noresults.html", peer: "duckduckgo"},
		{file: "duckduckgo_html_noresults.html", peer: "duckduckgo", status: 202},
		{file: "duckduckgo_html_challenge.html", peer: "duckduckgo", want: ErrChallenge},
		{file: "duckduckgo_html_challenge.html", peer: "duckduckgo", status: 202, want: ErrChallenge},
	}
	for _, tc := range tests {
		t.Run(tc.file, func(t *testing.T) {
			i := slices.IndexFunc(peers(), func(p peer) bool { return p.name == tc.peer })
			p := peers()[i]
			s := serve(t, p, "", func(w http.ResponseWriter, r *http.Request, _ int) bool {
				rec := readRecording(t, dir, tc.file)
				if tc.status != 0 {
					rec.status = tc.status
				}
				for path, name := range tc.second {
					if strings.HasSuffix(r.URL.Path, path) {
						rec = readRecording(t, dir, name)
					}
				}
				for k, v := range rec.header {
					w.Header()[k] = v
				}
				w.WriteHeader(rec.status)
				_, _ = w.Write(rec.body)
				return true
			})
			got := p.provider(t, s, newClock())
			q := p.query()
			if tc.dated {
				q.Range.Start = "1990"
			}
			if tc.peer == "feeds" {
				q.Text = "chip stocks"
			}
			a, err := got.Ask(t.Context(), q)
			if tc.want != nil {
				var e *Error
				if !errors.Is(err, tc.want) || !errors.As(err, &e) {
					t.Fatalf("error %v, want %v", err, tc.want)
				}
				sentence(t, err, e)
				t.Log(err)
				return
			}
			if err != nil || len(a.Hits) != tc.n {
				t.Fatalf("%d hits, want %d: %+v, %v", len(a.Hits), tc.n, a, err)
			}
			sound(t, got, q, a)
			if !strings.Contains(strings.Join(a.Notes, "\n"), tc.note) {
				t.Errorf("notes %q, want %q", a.Notes, tc.note)
			}
			if tc.n == 0 {
				return
			}
			h := a.Hits[0]
			if want := strings.ReplaceAll(tc.first, "HOST", strings.TrimPrefix(s.URL, "http://")); h.Location != want || tc.title != "" && h.Title != tc.title {
				t.Errorf("first hit %+v, want %q %q", h, want, tc.title)
			}
		})
	}
}

// TestOwnFaults holds the ways to fail that only one service has.
func TestOwnFaults(t *testing.T) {
	down := `{"query":"x","results":[],"unresponsive_engines":[["google","timeout"],["bing",null]]}`
	tests := []struct {
		name, peer string
		status     int
		header     http.Header
		body       string
		want       error
		says       string
	}{
		{"every engine down", "searxng", 200, nil, down, ErrUnavailable, "google: timeout"},
		{"no query", "searxng", 400, nil, `{"error":"No query"}`, ErrBadQuery, "No query"},
		{"ACCEPTANCE 17: its page with status 200", "searxng", 200, nil, "<!doctype html><html><title>SearXNG</title></html>", ErrChallenge, "search.formats"},
		{"ACCEPTANCE 16: its 403 to JSON", "searxng", 403, nil, "<!doctype html><title>403 Forbidden</title>", ErrBlocked, "allow json under search.formats"},
		{"its limiter", "searxng", 429, nil, "<!doctype html><title>Too Many Requests</title>", ErrRate, ""},
		{"a wiki's limit", "wikipedia-en", 200, nil, `{"error":{"code":"ratelimited","info":"Wait."}}`, ErrRate, "Wait."},
		{"a wiki behind", "wikipedia-en", 200, http.Header{"Retry-After": {"5"}}, `{"error":{"code":"maxlag","info":"6 seconds lagged"}}`, ErrRate, "lagged"},
		{"a wiki for members", "mediawiki", 200, nil, `{"error":{"code":"readapidenied","info":"You need read permission."}}`, ErrAuth, "members"},
		{"a wiki without search", "mediawiki", 200, nil, `{"error":{"code":"search-text-disabled","info":"off"}}`, ErrFormat, "turned off"},
		{"a wiki out of order", "mediawiki", 200, nil, `{"error":{"code":"internal_api_error_DBQueryError","info":"oops"}}`, ErrUnavailable, "oops"},
		{"the month is over", "brave", 429, nil, `{"type":"ErrorResponse","error":{"code":"QUOTA_LIMITED","detail":"Quota."}}`, ErrQuota, "Quota."},
		{"errors as a list", "brave", 422, nil, `{"type":"ErrorResponse","errors":[{"code":"SUBSCRIPTION_TOKEN_INVALID","detail":"No."}]}`, ErrAuth, "No."},
		{"a bad parameter", "brave", 422, nil, `{"type":"ErrorResponse","error":{"code":"VALIDATION","detail":"Unable to validate request parameter(s)","meta":{"errors":[{"loc":["query","q"]}]}}}`, ErrBadQuery, "Unable"},
		{"no key", "brave", 422, nil, `{"type":"ErrorResponse","error":{"code":"VALIDATION","detail":"Unable to validate","meta":{"errors":[{"loc":["header","x-subscription-token"]}]}}}`, ErrAuth, ""},
		{"the plan's limit", "tavily", 432, nil, `{"detail":{"error":"This request exceeds your plan's set usage limit."}}`, ErrQuota, "usage limit"},
		{"an unknown key", "mojeek", 200, nil, `{"response":{"status":"Invalid API key"}}`, ErrAuth, "Invalid API key"},
		{"another status", "mojeek", 200, nil, `{"response":{"status":"Service down"}}`, ErrUnavailable, "Service down"},
		{"the day is over", "openalex", 429, nil, `{"error":"Rate limit exceeded","message":"Daily budget exceeded"}`, ErrRate, ""},
		{"the day's budget", "openalex", 429, nil, `{"message":"You have used your daily credits"}`, ErrQuota, "daily"},
		{"a search that fails", "pubmed", 200, nil, `{"esearchresult":{"ERROR":"Invalid db name"}}`, ErrBadQuery, "Invalid db"},
		{"a bad key", "pubmed", 400, nil, `{"error":"API key invalid","api-key":"` + secret + `"}`, ErrAuth, "API key invalid"},
		{"results without records", "pubmed", 200, nil, `{"esearchresult":{"idlist":["1"]},"result":{"uids":[]}}`, ErrFormat, ""},
		{"an odd number", "pubmed", 200, nil, `{"esearchresult":{"idlist":["1&db=x"]}}`, ErrFormat, ""},
		{"a count without papers", "semanticscholar", 200, nil, `{"total":5,"offset":0}`, ErrFormat, ""},
		{"a short word", "gdelt", 200, http.Header{"Content-Type": {"text/html"}}, "The specified phrase is too short.\n", ErrBadQuery, "too short"},
		{"a page with no papers", "arxiv", 200, nil, `<feed xmlns="http://www.w3.org/2005/Atom"><opensearch:totalResults xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">7</opensearch:totalResults></feed>`, ErrUnavailable, "counts 7"},
		{"an error in words", "europepmc", 200, nil, `{"errCode":404,"errMsg":"Invalid cursor"}`, ErrBadQuery, "Invalid cursor"},
		{"no web address at all", "mojeek", 200, nil, `{"response":{"status":"OK","results":[{"url":"javascript:alert(1)","title":"x"}]}}`, ErrFormat, "address"},
		{"the page of a feed", "feeds", 200, nil, "<html><body>Subscribe!</body></html>", ErrChallenge, "the address is that of the feed"},
		{"no books", "kiwix", 200, nil, `<feed xmlns="http://www.w3.org/2005/Atom"></feed>`, ErrUnavailable, "no books"},
	}
	for _, tc := range tests {
		t.Run(tc.peer+" "+tc.name, func(t *testing.T) {
			p := peers()[slices.IndexFunc(peers(), func(p peer) bool { return p.name == tc.peer })]
			s := serve(t, p, "", func(w http.ResponseWriter, _ *http.Request, _ int) bool {
				for k, v := range tc.header {
					w.Header()[k] = v
				}
				w.WriteHeader(tc.status)
				_, _ = io.WriteString(w, tc.body)
				return true
			})
			_, err := p.provider(t, s, newClock()).Ask(t.Context(), p.query())
			var e *Error
			if !errors.Is(err, tc.want) || !errors.As(err, &e) || !strings.Contains(err.Error(), tc.says) {
				t.Fatalf("error %v, want %v with %q", err, tc.want, tc.says)
			}
			sentence(t, err, e)
		})
	}
}
