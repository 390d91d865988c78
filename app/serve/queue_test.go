package serve_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"testing"

	"assay/app/desk"
)

// enqueue puts a run into the queue and returns its id.
func (p *place) enqueue(body string) string {
	p.t.Helper()
	var st struct{ ID, State string }
	got := p.want(http.StatusAccepted, "", desk.Researcher, "POST", "/v1/runs", body)
	if err := json.Unmarshal([]byte(got.body), &st); err != nil || st.State != "queued" || got.header.Get("Location") != "/v1/runs/"+st.ID {
		p.t.Fatalf("%s, %v at %q", got.body, err, got.header.Get("Location"))
	}
	return st.ID
}

func (p *place) queued() (ids, states []string) {
	p.t.Helper()
	var q struct {
		Runs []struct{ ID, State string }
	}
	if err := json.Unmarshal([]byte(p.want(http.StatusOK, "", desk.Reader, "GET", "/v1/queue", "").body), &q); err != nil {
		p.t.Fatal(err)
	}
	for _, r := range q.Runs {
		ids, states = append(ids, r.ID), append(states, r.State)
	}
	return ids, states
}

// TestQueue: other programs put runs into the queue, order it and take them out; nothing starts until a worker takes it.
func TestQueue(t *testing.T) {
	p := newPlace(t, plenty)
	ask := func(more string) string {
		return p.enqueue(`{"question":"What is the melting point of gold?","depth":"quick","model":"extractive","queue":true` + more + `}`)
	}
	first, second, third := ask(""), ask(""), ask(`,"priority":5`)
	if ids, states := p.queued(); !slices.Equal(ids, []string{third, first, second}) || !slices.Equal(states, []string{"queued", "queued", "queued"}) {
		t.Fatalf("the queue is %v %v", ids, states)
	}
	if p.desk.Job(first) != nil {
		t.Error("a queued run has started")
	}
	p.want(http.StatusOK, "", desk.Researcher, "PATCH", "/v1/queue/"+second, `{"before":"`+first+`"}`)
	p.want(http.StatusOK, "", desk.Researcher, "PATCH", "/v1/queue/"+third, `{"priority":-3}`)
	if ids, _ := p.queued(); !slices.Equal(ids, []string{second, first, third}) {
		t.Errorf("the queue is %v", ids)
	}
	p.want(http.StatusOK, `"stopped"`, desk.Researcher, "DELETE", "/v1/queue/"+third, "")
	p.want(http.StatusUnprocessableEntity, "does not wait", desk.Researcher, "DELETE", "/v1/queue/"+third, "")
	if err := p.desk.WorkQueue(t.Context(), desk.WorkOptions{UntilEmpty: true}); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{first, second} {
		p.want(http.StatusOK, `"done"`, desk.Reader, "GET", "/v1/runs/"+id, "")
		p.want(http.StatusOK, "1064", desk.Reader, "GET", "/v1/runs/"+id+"/report.md", "")
	}
	p.want(http.StatusUnprocessableEntity, "approves no plan", desk.Researcher, "POST", "/v1/runs", `{"question":"Gold?","queue":true,"review":true}`)
	p.want(http.StatusUnprocessableEntity, "priority is of the queue", desk.Researcher, "POST", "/v1/runs", `{"question":"Gold?","priority":2}`)
	p.want(http.StatusUnprocessableEntity, "priority", desk.Researcher, "POST", "/v1/runs", `{"question":"Gold?","queue":true,"priority":10}`)
}

// TestQueueIsCounted: a run in the queue is one of the day's, and is held to what the role may.
func TestQueueIsCounted(t *testing.T) {
	p := newPlace(t, plenty)
	set := p.desk.Settings()
	one := 1
	set.Access = map[desk.Role]desk.RoleLimits{desk.Researcher: {Runs: &one}}
	if err := p.desk.SetSettings(set); err != nil {
		t.Fatal(err)
	}
	p.want(http.StatusForbidden, "depth", desk.Researcher, "POST", "/v1/runs", `{"question":"What melts?","queue":true,"depth":"deep"}`)
	p.want(http.StatusForbidden, "folder", desk.Researcher, "POST", "/v1/runs", `{"question":"What melts?","queue":true,"libraries":["/etc"]}`)
	p.want(http.StatusForbidden, "", desk.Reader, "POST", "/v1/runs", `{"question":"What melts?","queue":true}`)
	p.enqueue(`{"question":"What is the melting point of gold?","queue":true}`)
	p.want(http.StatusTooManyRequests, "used its 1 run", desk.Researcher, "POST", "/v1/runs", `{"question":"What melts?","queue":true}`)
}
