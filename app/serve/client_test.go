package serve_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"assay/app/desk"
	"assay/engine/research"
)

// client is the generated client with the token of a role.
func (p *place) client(role desk.Role) *ClientWithResponses {
	p.t.Helper()
	c, err := NewClientWithResponses(p.http.URL, WithHTTPClient(p.http.Client()), WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		r.Header.Set("Authorization", "Bearer "+p.tokens[role])
		return nil
	}))
	if err != nil {
		p.t.Fatal(err)
	}
	return c
}

// sse is one event of a stream.
type sse struct{ id, name, data string }

// read reads events of a stream until it ends or fn returns false.
func read(t *testing.T, r io.Reader, fn func(sse) bool) {
	t.Helper()
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 64<<20)
	var ev sse
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		switch name {
		case "id":
			ev.id = value
		case "event":
			ev.name = value
		case "data":
			ev.data = value
		case "":
			if ev.name != "" && !fn(ev) {
				return
			}
			ev = sse{}
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

func ptr[T any](v T) *T { return &v }

// ok fails unless an answer has the status.
func ok(t *testing.T, want int, got interface {
	StatusCode() int
	Status() string
}, err error) {
	t.Helper()
	if err != nil || got.StatusCode() != want {
		t.Fatalf("%v, %v; want %d", got, err, want)
	}
}

// TestWholeRun drives a run from its question to its audit with the client that was generated from the description.
func TestWholeRun(t *testing.T) {
	p := newPlace(t, plenty)
	ctx := t.Context()
	c := p.client(desk.Researcher)

	lib, err := c.ListLibraryWithResponse(ctx)
	ok(t, 200, lib, err)
	if len(lib.JSON200.Folders) != 1 || lib.JSON200.Folders[0].Files != 2 {
		t.Fatalf("library %+v", lib.JSON200)
	}
	hits, err := c.SearchLibraryWithResponse(ctx, &SearchLibraryParams{Q: "silver"})
	ok(t, 200, hits, err)
	if len(hits.JSON200.Hits) == 0 {
		t.Error("nothing was found in the library")
	}
	models, err := c.ModelsWithResponse(ctx)
	ok(t, 200, models, err)
	if models.JSON200.Fault == nil || *models.JSON200.Fault == "" {
		t.Error("that no model server answers is not said")
	}

	started, err := c.StartRunWithResponse(ctx, Start{
		Question: "What is the melting point of gold?", Libraries: &[]string{p.dir}, Depth: ptr(Quick), Model: ptr("extractive"),
		Now: ptr("2026-01-02T03:04:05Z"), Review: ptr(true), PatienceSeconds: ptr(int64(3600)),
	})
	ok(t, 202, started, err)
	id := started.JSON202.Id
	if at := started.HTTPResponse.Header.Get("Location"); at != "/v1/runs/"+id {
		t.Errorf("Location %q", at)
	}

	// The stream tells when the plan waits; it is shown, changed and approved, and so for each round.
	stream, err := c.FollowRun(ctx, id, &FollowRunParams{})
	if err != nil || stream.StatusCode != 200 || stream.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatal(stream, err)
	}
	defer func() { _ = stream.Body.Close() }()
	var names []string
	var seqs []int64
	approved := 0
	var last sse
	read(t, stream.Body, func(ev sse) bool {
		names, last = append(names, ev.name), ev
		if ev.name == "snapshot" {
			var snap desk.Snapshot
			if err := json.Unmarshal([]byte(ev.data), &snap); err != nil || strconv.FormatInt(snap.Seq, 10) != ev.id {
				t.Errorf("snapshot %v, id %s", err, ev.id)
			}
			seqs = append(seqs, snap.Seq)
		}
		if ev.name == "event" && ev.id != "" {
			n, err := strconv.ParseInt(ev.id, 10, 64)
			if err != nil || n != seqs[len(seqs)-1]+1 {
				t.Errorf("event %s after %d", ev.id, seqs[len(seqs)-1])
			}
			seqs = append(seqs, n)
		}
		if ev.name != "end" {
			approved += p.approve(c, id, approved == 0)
		}
		return ev.name != "end"
	})
	if names[0] != "snapshot" || last.name != "end" || !strings.Contains(last.data, `"state":"done"`) || approved == 0 {
		t.Fatalf("the stream was %v, approved %d, and ended with %+v", names, approved, last)
	}

	// Coming back with the number of an event goes on after it.
	from := seqs[len(seqs)-3]
	again, err := c.FollowRun(ctx, id, &FollowRunParams{LastEventID: ptr(strconv.FormatInt(from, 10))})
	if err != nil {
		t.Fatal(err)
	}
	var back []string
	read(t, again.Body, func(ev sse) bool { back = append(back, ev.id); return ev.name != "end" })
	if err := again.Body.Close(); err != nil || len(back) < 3 || back[0] != strconv.FormatInt(from+1, 10) {
		t.Errorf("after %d came %v, %v", from, back, err)
	}
	p.readRun(c, id)
}

// approve approves the plan that waits, if one does, with a search of its own in the first.
func (p *place) approve(c *ClientWithResponses, id string, change bool) int {
	p.t.Helper()
	plan, err := c.GetPlanWithResponse(p.t.Context(), id)
	if err != nil {
		p.t.Fatal(err)
	}
	if plan.StatusCode() != 200 {
		return 0
	}
	answer := PlanAnswer{Round: plan.JSON200.Plan.Round}
	if change {
		tasks := *plan.JSON200.Plan.Tasks
		*tasks[0].Queries = append(*tasks[0].Queries, Query{Text: "the second search of a person"})
		answer.Tasks, answer.Hypotheses = &tasks, plan.JSON200.Hypotheses
	}
	got, err := c.ApprovePlanWithResponse(p.t.Context(), id, answer)
	if err != nil || got.StatusCode() != 200 && got.StatusCode() != 409 { // answered a moment ago
		p.t.Fatalf("approve: %s %v", got.Body, err)
	}
	if got.StatusCode() != 200 {
		return 0
	}
	return 1
}

// readRun reads all that there is of a finished run.
func (p *place) readRun(c *ClientWithResponses, id string) {
	t, ctx := p.t, p.t.Context()
	t.Helper()
	page, err := c.ReportHTMLWithResponse(ctx, id)
	ok(t, 200, page, err)
	md, err := c.ReportMarkdownWithResponse(ctx, id)
	ok(t, 200, md, err)
	record, err := c.ReportRunWithResponse(ctx, id)
	ok(t, 200, record, err)
	dig, err := c.ReportDigestWithResponse(ctx, id)
	ok(t, 200, dig, err)
	var digest research.Digest
	if err := json.Unmarshal(dig.Body, &digest); err != nil || !strings.Contains(string(page.Body), "1064") || !strings.Contains(string(md.Body), "1064") {
		t.Fatalf("the report does not hold the answer: %v", err)
	}
	if !strings.Contains(string(record.Body), "the second search of a person") {
		t.Error("the changed plan is not in the record")
	}
	sources, err := c.ListSourcesWithResponse(ctx, id)
	ok(t, 200, sources, err)
	passages, err := c.ListPassagesWithResponse(ctx, id, &ListPassagesParams{})
	ok(t, 200, passages, err)
	texts := map[string]string{}
	for _, src := range sources.JSON200.Sources {
		text, err := c.SourceTextWithResponse(ctx, id, src.Sha256)
		ok(t, 200, text, err)
		texts[src.Id] = string(text.Body)
	}
	if len(texts) == 0 || len(passages.JSON200.Passages) == 0 {
		t.Fatalf("%d texts and %d passages", len(texts), len(passages.JSON200.Passages))
	}
	for _, pas := range passages.JSON200.Passages {
		if got := texts[pas.Source]; int(pas.End) > len(got) || got[pas.Start:pas.End] != pas.Text {
			t.Errorf("passage %s does not stand at its place", pas.Id)
		}
	}
	traces, err := c.ListTracesWithResponse(ctx, id)
	ok(t, 200, traces, err)
	if len(traces.JSON200.Traces) != len(digest.Traces) || len(digest.Traces) == 0 {
		t.Errorf("%d traces, the digest has %d", len(traces.JSON200.Traces), len(digest.Traces))
	}
	audit, err := c.AuditRunWithResponse(ctx, id, &AuditRunParams{Deep: ptr(true)})
	ok(t, 200, audit, err)
	if !audit.JSON200.Holds || audit.JSON200.Checked == 0 {
		t.Errorf("audit %s", audit.Body)
	}
	check, err := c.CheckRunWithResponse(ctx, id)
	ok(t, 200, check, err)
	follow, err := c.AskRunWithResponse(ctx, id, Question{Question: "What is the melting point of gold?"})
	ok(t, 200, follow, err)
	verified, err := c.VerifyClaimWithResponse(ctx, Claim{Claim: "Gold melts at 1064 degrees Celsius."})
	ok(t, 200, verified, err)
	if got := *verified.JSON200.Sentences; len(got) != 1 || got[0].Conclusion != string(research.Supported) {
		t.Errorf("verify %s", verified.Body)
	}
	renamed, err := c.ChangeRunWithResponse(ctx, id, Change{Title: ptr("Of gold"), Project: ptr("metals")})
	ok(t, 200, renamed, err)
	list, err := c.ListRunsWithResponse(ctx, &ListRunsParams{Project: ptr("metals")})
	ok(t, 200, list, err)
	if list.JSON200.Total != 1 || list.JSON200.Runs[0].Title != "Of gold" {
		t.Errorf("list %s", list.Body)
	}
	me, err := c.MeWithResponse(ctx)
	ok(t, 200, me, err)
	if me.JSON200.Spent.Runs != 1 || me.JSON200.Spent.Lookups != 5 || me.JSON200.Role != "researcher" {
		t.Errorf("spent %s", me.Body)
	}
	gone, err := p.client(desk.Admin).DeleteRunWithResponse(ctx, id)
	ok(t, 200, gone, err)
	missing, err := c.GetRunWithResponse(ctx, id)
	ok(t, 404, missing, err)
}

// TestStops holds that pause, resume and cancel do what they say to a run that waits, and refuse one that is not under way.
func TestStops(t *testing.T) {
	p := newPlace(t, plenty)
	c, ctx := p.client(desk.Researcher), t.Context()
	started, err := c.StartRunWithResponse(ctx, Start{Question: "What is the melting point of silver?", Depth: ptr(Quick), Model: ptr("extractive"), Review: ptr(true)})
	ok(t, 202, started, err)
	id := started.JSON202.Id
	paused, err := c.PauseRunWithResponse(ctx, id)
	ok(t, 200, paused, err)
	if paused.JSON200.State != "paused" {
		t.Errorf("paused: %s", paused.Body)
	}
	again, err := c.PauseRunWithResponse(ctx, id)
	ok(t, 409, again, err)
	resumed, err := c.ResumeRunWithResponse(ctx, id, Review{Review: ptr(true)})
	ok(t, 202, resumed, err)
	twice, err := c.ResumeRunWithResponse(ctx, id, Review{})
	ok(t, 409, twice, err)
	deleted, err := p.client(desk.Admin).DeleteRunWithResponse(ctx, id)
	ok(t, 409, deleted, err)
	stopped, err := c.CancelRunWithResponse(ctx, id)
	ok(t, 200, stopped, err)
	if stopped.JSON200.State != "stopped" {
		t.Errorf("cancelled: %s", stopped.Body)
	}
	nothing, err := c.AuditRunWithResponse(ctx, id, &AuditRunParams{})
	ok(t, 404, nothing, err)
	last, err := c.ResumeRunWithResponse(ctx, id, Review{})
	ok(t, 202, last, err)
	p.ended(id)
	done, err := c.GetRunWithResponse(ctx, id)
	ok(t, 200, done, err)
	if done.JSON200.State != "done" {
		t.Errorf("went on and ended as %s", done.Body)
	}
}
