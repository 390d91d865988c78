package desk

import (
	"strings"
	"testing"
	"time"

	"assay/engine/research"
)

// asked waits until a run waits with a plan.
func asked(t *testing.T, j *Job) *PlanAsked {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if p := j.Asked(); p != nil {
			return p
		}
		select {
		case <-j.Done():
			t.Fatal("the run ended without asking")
		default:
		}
	}
	t.Fatal("no plan was asked about")
	return nil
}

func TestReview(t *testing.T) {
	d := newPlace(t).open(t, "terminal")
	j, err := d.Start(t.Context(), request(folder(t)), StartOptions{Review: true, Patience: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	p := asked(t, j)
	if p.Plan.Round != 0 || len(p.Plan.Tasks) == 0 || len(p.Hypotheses) == 0 || p.UntilMs == 0 || p.Question == "" {
		t.Errorf("asked %+v", p)
	}
	if err := d.ApprovePlan(j.ID(), research.Plan{Round: 7}, nil); err == nil || !strings.Contains(err.Error(), "gap round 7") {
		t.Errorf("a plan of another round: %v", err)
	}
	p.Plan.Tasks = append(p.Plan.Tasks[:1:1], research.Task{Queries: []research.Query{{Text: "the second search of a person"}}})
	if err := d.ApprovePlan(j.ID(), p.Plan, p.Hypotheses); err != nil {
		t.Fatal(err)
	}
	for again := true; again; {
		select {
		case <-j.Done():
			again = false
		default:
			if p := j.Asked(); p != nil && p.Plan.Round > 0 {
				_ = d.ApprovePlan(j.ID(), research.Plan{Round: p.Plan.Round}, p.Hypotheses)
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
	events, err := d.Events(j.ID(), 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	searched := ""
	for _, ev := range events {
		searched += string(ev.Payload)
	}
	if !strings.Contains(searched, "the second search of a person") || !strings.Contains(searched, "waits for your approval") {
		t.Error("the person's search is not in the record")
	}
	if err := d.ApprovePlan(j.ID(), p.Plan, nil); err == nil || !strings.Contains(err.Error(), "not under way") {
		t.Errorf("a run that is over: %v", err)
	}
}

// Nobody answers: the plan runs as it is, and that is said. A stop ends the waiting.
func TestReviewAlone(t *testing.T) {
	d := newPlace(t).open(t, "terminal")
	late := make(chan time.Time, 9)
	d.wire.after = func(time.Duration) (<-chan time.Time, func()) { return late, func() {} }
	for range 9 {
		late <- time.Time{}
	}
	j, err := d.Start(t.Context(), request(folder(t)), StartOptions{Review: true, Patience: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	if res, err := j.Wait(t.Context()); err != nil || res.Digest == nil {
		t.Fatalf("Wait = %+v, %v", res, err)
	}
	events, err := d.Events(j.ID(), 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	said := false
	for _, ev := range events {
		said = said || ev.Kind == research.EventNote && strings.Contains(string(ev.Payload), "runs as it is")
	}
	if !said {
		t.Error("it is not said that nobody answered")
	}
	d.wire.after = func(time.Duration) (<-chan time.Time, func()) { return nil, func() {} }
	j, err = d.Start(t.Context(), request(folder(t)), StartOptions{Review: true})
	if err != nil {
		t.Fatal(err)
	}
	asked(t, j)
	j.Pause()
	if res, err := j.Wait(t.Context()); err != nil || res.State.State != "paused" {
		t.Errorf("paused while it waited: %+v, %v", res, err)
	}
}
