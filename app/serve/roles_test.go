package serve_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"assay/app/desk"
	"assay/app/serve"
	"assay/engine/research"
)

const noRun = "/v1/runs/20200101-000000-aaaaaa"

// roleTable says which role is the least that may do what. An operation that is not in it fails the test.
var roleTable = []struct {
	method, path string // {id} is a finished run, {sha256} the hash of a text
	body         string
	least        desk.Role
	status       int // for a role that may
}{
	{"GET", "/v1/health", "", desk.Reader, 200},
	{"GET", "/v1/me", "", desk.Reader, 200},
	{"GET", "/v1/openapi.json", "", desk.Reader, 200},
	{"GET", "/v1/models", "", desk.Reader, 200},
	{"GET", "/v1/doctor", "", desk.Admin, 200},
	{"GET", "/v1/settings", "", desk.Admin, 200},
	{"GET", "/v1/runs", "", desk.Reader, 200},
	{"POST", "/v1/runs", startGold, desk.Researcher, 202},
	{"GET", "/v1/queue", "", desk.Reader, 200},
	{"PATCH", "/v1/queue/{id}", `{"priority":1}`, desk.Researcher, 422}, // it does not wait
	{"DELETE", "/v1/queue/{id}", "", desk.Researcher, 422},
	{"GET", "/v1/runs/{id}", "", desk.Reader, 200},
	{"PATCH", "/v1/runs/{id}", `{"title":"x"}`, desk.Researcher, 200},
	{"DELETE", "/v1/runs/{id}", "", desk.Admin, 404},
	{"POST", "/v1/runs/{id}/pause", "", desk.Researcher, 409},
	{"POST", "/v1/runs/{id}/cancel", "", desk.Researcher, 409},
	{"POST", "/v1/runs/{id}/resume", "", desk.Researcher, 422}, // it is done
	{"GET", "/v1/runs/{id}/plan", "", desk.Reader, 409},
	{"POST", "/v1/runs/{id}/plan", `{"round":0}`, desk.Researcher, 409},
	{"GET", "/v1/runs/{id}/events", "", desk.Reader, 200},
	{"GET", "/v1/runs/{id}/report.html", "", desk.Reader, 200},
	{"GET", "/v1/runs/{id}/report.md", "", desk.Reader, 200},
	{"GET", "/v1/runs/{id}/report.pandoc.md", "", desk.Reader, 200},
	{"GET", "/v1/runs/{id}/report.docx", "", desk.Reader, 200},
	{"GET", "/v1/runs/{id}/references.bib", "", desk.Reader, 200},
	{"GET", "/v1/runs/{id}/references.ris", "", desk.Reader, 200},
	{"GET", "/v1/runs/{id}/references.csl.json", "", desk.Reader, 200},
	{"GET", "/v1/runs/{id}/digest.json", "", desk.Reader, 200},
	{"GET", "/v1/runs/{id}/run.json", "", desk.Reader, 200},
	{"GET", "/v1/runs/{id}/sources", "", desk.Reader, 200},
	{"GET", "/v1/runs/{id}/texts/{sha256}", "", desk.Reader, 200},
	{"GET", "/v1/runs/{id}/passages", "", desk.Reader, 200},
	{"GET", "/v1/runs/{id}/traces", "", desk.Reader, 200},
	{"POST", "/v1/runs/{id}/audit", "", desk.Reader, 200},
	{"POST", "/v1/runs/{id}/check", "", desk.Reader, 200},
	{"POST", "/v1/runs/{id}/ask", `{"question":"What melts?"}`, desk.Reader, 200},
	{"GET", "/v1/library", "", desk.Reader, 200},
	{"POST", "/v1/library", `{"folder":"/none/at/all"}`, desk.Admin, 422},
	{"DELETE", "/v1/library?folder=%2Fnone", "", desk.Admin, 422},
	{"GET", "/v1/library/search?q=gold", "", desk.Reader, 200},
	{"POST", "/v1/verify", `{"claim":"Gold melts at 1064 degrees Celsius."}`, desk.Reader, 200},
}

// TestRoles holds the table of roles and operations: no token, a token that is not known, and each role.
func TestRoles(t *testing.T) {
	p := newPlace(t, plenty)
	id := p.run()
	sources, err := p.desk.Sources(id)
	if err != nil || len(sources) == 0 {
		t.Fatal(err)
	}
	// Described means listed here, and the other way round.
	listed := map[string]desk.Role{}
	for _, tc := range roleTable {
		path, _, _ := strings.Cut(tc.path, "?")
		listed[tc.method+" "+path] = tc.least
	}
	for _, op := range operations(t, p) {
		if least, ok := listed[op.method+" "+op.path]; !ok || string(least) != op.role {
			t.Errorf("%s %s is for %s by the description, and %q by the table", op.method, op.path, op.role, least)
		}
		delete(listed, op.method+" "+op.path)
	}
	if len(listed) > 0 {
		t.Errorf("in the table and not in the description: %v", listed)
	}
	for _, tc := range roleTable {
		path := strings.NewReplacer("{id}", id, "{sha256}", sources[0].SHA256).Replace(tc.path)
		if tc.method == "DELETE" && strings.HasPrefix(path, "/v1/runs") {
			path = noRun
		}
		p.want(http.StatusUnauthorized, "needs a token", "", tc.method, path, tc.body)
		p.want(http.StatusUnauthorized, "needs a token", "", tc.method, path, tc.body, func(r *http.Request) { r.Header.Set("Authorization", "Bearer assay_x") })
		for _, role := range desk.Roles {
			got := p.do(role, tc.method, path, tc.body)
			want := tc.status
			if !role.May(tc.least) {
				want = http.StatusForbidden
			}
			if got.status != want {
				t.Errorf("%s %s as %s: %d %.300s; want %d", tc.method, path, role, got.status, got.body, want)
			}
			if got.status >= 400 && !problemOf(got) {
				t.Errorf("%s %s as %s is no problem of RFC 9457: %v %s", tc.method, path, role, got.header, got.body)
			}
			if tc.path == "/v1/runs" && got.status == 202 {
				var st struct{ ID string }
				if err := json.Unmarshal([]byte(got.body), &st); err != nil {
					t.Fatal(err)
				}
				p.ended(st.ID)
			}
		}
	}
}

// problemOf reports whether an answer is a problem with a sentence.
func problemOf(a asked) bool {
	var pr struct {
		Title, Detail string
		Status        int
	}
	return json.Unmarshal([]byte(a.body), &pr) == nil && a.header.Get("Content-Type") == "application/problem+json" &&
		pr.Status == a.status && pr.Title != "" && len(pr.Detail) > 10
}

// TestQuota holds that the day of a token is counted, on disk, and begins anew at midnight UTC.
func TestQuota(t *testing.T) {
	p := newPlace(t, plenty)
	set := p.desk.Settings()
	two, three := 2, 3
	set.Access = map[desk.Role]desk.RoleLimits{desk.Researcher: {Runs: &two, Lookups: &three}}
	if err := p.desk.SetSettings(set); err != nil {
		t.Fatal(err)
	}
	// What cannot work is not counted.
	p.want(http.StatusUnprocessableEntity, "", desk.Researcher, "POST", "/v1/runs", `{"question":"???"}`)
	p.run()
	p.run()
	full := p.want(http.StatusTooManyRequests, "used its 2 runs", desk.Researcher, "POST", "/v1/runs", startGold)
	if after := full.header.Get("Retry-After"); after != "7200" { // it is 22:00
		t.Errorf("Retry-After %q; want two hours", after)
	}
	for range three {
		p.want(http.StatusOK, "", desk.Researcher, "GET", "/v1/library/search?q=gold", "")
	}
	p.want(http.StatusTooManyRequests, "used its 3 lookups", desk.Researcher, "POST", "/v1/verify", `{"claim":"Gold melts at 1064 degrees."}`)
	p.want(http.StatusOK, "", desk.Reader, "GET", "/v1/library/search?q=gold", "") // another's day is another's
	// Another program of the same home counts on.
	other, err := desk.Open(desk.Options{Program: "server", Version: "1.0", Now: p.now.now, Getenv: func(name string) string {
		return map[string]string{"ASSAY_HOME": p.home}[name]
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close() }()
	if spent, err := other.Spent(desk.Caller{Name: "researcher"}); err != nil || spent != (desk.Spent{Runs: 2, Lookups: 3}) {
		t.Errorf("spent, seen by another program: %+v, %v", spent, err)
	}
	if err := other.SpendLookup(desk.Caller{Name: "researcher", Role: desk.Researcher}); err == nil {
		t.Error("another program gives what is used up")
	}
	p.now.add(2 * time.Hour)
	p.want(http.StatusOK, `"spent":{"runs":0,"lookups":0}`, desk.Researcher, "GET", "/v1/me", "")
	p.run()
}

// TestLimits holds the limits of depth, reach, folders and files of each role, and what the settings change of them.
func TestLimits(t *testing.T) {
	p := newPlace(t, plenty)
	other := library(t)
	file := other + "/gold.md"
	start := func(more string) string {
		return `{"question":"What melts?","model":"extractive","review":true,` + more + `}`
	}
	for _, tc := range []struct {
		name, body string
		role       desk.Role
		status     int
		text       string
	}{
		{"deeper than a researcher may", start(`"depth":"deep"`), desk.Researcher, 403, "which is standard"},
		{"as deep as an admin may", start(`"depth":"deep"`), desk.Admin, 202, `"depth":"deep"`},
		{"no depth named", start(`"lang":"en"`), desk.Researcher, 202, `"depth":"standard"`},
		{"a folder that is not in the library", start(`"libraries":["` + other + `"]`), desk.Researcher, 403, "not in the library"},
		{"a folder that is not there, in the same words", start(`"libraries":["/none"]`), desk.Researcher, 403, "not in the library"},
		{"a way out of a folder of the library", start(`"libraries":["` + p.dir + `/.."]`), desk.Researcher, 403, "not in the library"},
		{"a folder of an admin", start(`"libraries":["` + other + `"]`), desk.Admin, 202, ""},
		{"a file", start(`"attach":["` + file + `"]`), desk.Researcher, 403, "may not name files"},
		{"a file that is not there, in the same words", start(`"attach":["/etc/none"]`), desk.Researcher, 403, "may not name files"},
		{"a record as a model", `{"question":"What melts?","model":"recorded:/etc/passwd"}`, desk.Researcher, 403, "an admin may name"},
		{"no such model", `{"question":"What melts?","model":"x"}`, desk.Researcher, 422, "model"},
		{"no such reach", start(`"reach":"moon"`), desk.Researcher, 422, "body.reach"},
		{"no such field", start(`"out":"/tmp"`), desk.Admin, 422, "out"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := p.do(tc.role, "POST", "/v1/runs", tc.body)
			if got.status != tc.status || !strings.Contains(got.body, tc.text) {
				t.Errorf("%d %s; want %d and %q", got.status, got.body, tc.status, tc.text)
			}
			var st struct{ ID string }
			if got.status == 202 && json.Unmarshal([]byte(got.body), &st) == nil {
				p.want(200, "", desk.Admin, "POST", "/v1/runs/"+st.ID+"/cancel", "")
			}
		})
	}
	p.want(403, "not in the library", desk.Reader, "POST", "/v1/verify", `{"claim":"Gold melts at 1064 degrees.","libraries":["`+other+`"]}`)
	set := p.desk.Settings()
	set.Access = map[desk.Role]desk.RoleLimits{desk.Researcher: {Depth: research.Quick, Reach: research.Closed}}
	if err := p.desk.SetSettings(set); err != nil {
		t.Fatal(err)
	}
	p.want(403, "which is quick", desk.Researcher, "POST", "/v1/runs", start(`"depth":"standard"`))
	p.want(403, "which is closed", desk.Researcher, "POST", "/v1/runs", start(`"reach":"web"`))
	// What an admin began is not gone on with by one who may not begin it.
	got := p.want(202, "", desk.Admin, "POST", "/v1/runs", start(`"depth":"standard"`))
	var st struct{ ID string }
	if err := json.Unmarshal([]byte(got.body), &st); err != nil {
		t.Fatal(err)
	}
	p.want(200, "", desk.Admin, "POST", "/v1/runs/"+st.ID+"/pause", "")
	p.want(403, "which is quick", desk.Researcher, "POST", "/v1/runs/"+st.ID+"/resume", "")
	// As many runs at once as there may be, and no more.
	var ids []string
	for range 5 {
		got := p.do(desk.Admin, "POST", "/v1/runs", start(`"depth":"quick"`))
		if got.status == 429 {
			break
		}
		if err := json.Unmarshal([]byte(got.body), &st); err != nil || got.status != 202 {
			t.Fatal(got, err)
		}
		ids = append(ids, st.ID)
	}
	if len(ids) != 4 {
		t.Errorf("%d runs went on at once", len(ids))
	}
	for _, id := range ids {
		p.want(200, "", desk.Admin, "POST", "/v1/runs/"+id+"/cancel", "")
	}
}

// TestRate holds that each token has a rate of its own, and that guessing tokens slows down nobody else.
func TestRate(t *testing.T) {
	p := newPlace(t, serve.Options{Rate: 1, Burst: 3})
	for range 3 {
		p.want(200, "", desk.Reader, "GET", "/v1/health", "")
	}
	if got := p.want(429, "too many requests", desk.Reader, "GET", "/v1/health", ""); got.header.Get("Retry-After") != "1" {
		t.Errorf("Retry-After %q", got.header.Get("Retry-After"))
	}
	p.want(200, "", desk.Researcher, "GET", "/v1/health", "")
	p.now.add(time.Second)
	p.want(200, "", desk.Reader, "GET", "/v1/health", "")
	for i := range 4 {
		status := map[bool]int{true: 401, false: 429}[i < 3]
		p.want(status, "", "", "GET", "/v1/health", "", func(r *http.Request) { r.Header.Set("Authorization", fmt.Sprintf("Bearer guess%d", i)) })
	}
	p.want(200, "", desk.Admin, "GET", "/v1/health", "")
}
