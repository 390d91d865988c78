package desk

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"assay/engine/research"
)

// defaultReview is how long a plan waits for its reader before it runs as it is.
const defaultReview = 30 * time.Minute

// PlanAsked is the plan of a round that waits until the person has looked at it.
type PlanAsked struct {
	Question   string                `json:"question"`
	Facets     []research.Facet      `json:"facets"`
	Hypotheses []research.Hypothesis `json:"hypotheses"`
	Plan       research.Plan         `json:"plan"`     // its round is 0 before the first search, then one for each gap round
	Preview    *research.Preview     `json:"preview"`  // what it asks of others; null when nobody else is asked
	UntilMs    int64                 `json:"until_ms"` // then it runs as it is
}

// approval holds the plan that waits, and how it is answered.
type approval struct {
	mu     sync.Mutex
	asked  *PlanAsked
	answer chan approved
}

type approved struct {
	plan       research.Plan
	hypotheses []research.Hypothesis
}

// Asked is the plan that waits for the person, or nil.
func (j *Job) Asked() *PlanAsked {
	j.approval.mu.Lock()
	defer j.approval.mu.Unlock()
	return j.approval.asked
}

// review waits for [Desk.ApprovePlan], or until nobody came. It is the engine's Approve.
func (j *Job) review(ctx context.Context, u research.Understanding, hypotheses []research.Hypothesis, plan research.Plan) (research.Plan, []research.Hypothesis, error) {
	patience := j.opt.Patience
	if patience <= 0 {
		patience = defaultReview
	}
	asked := &PlanAsked{Question: u.Question, Facets: slices.Clone(u.Facets), Hypotheses: slices.Clone(hypotheses), Plan: plan, Preview: plan.Preview, UntilMs: time.Now().Add(patience).UnixMilli()}
	answer := make(chan approved, 1)
	j.approval.mu.Lock()
	j.approval.asked, j.approval.answer = asked, answer
	j.approval.mu.Unlock()
	defer func() {
		j.approval.mu.Lock()
		j.approval.asked, j.approval.answer = nil, nil
		j.approval.mu.Unlock()
		j.news.wakeAll()
	}()
	if err := j.note("info", fmt.Sprintf("The plan of %s waits for your approval.", roundWords(plan.Round))); err != nil {
		return plan, hypotheses, err
	}
	late, stop := j.desk.wire.after(patience)
	defer stop()
	select {
	case a := <-answer:
		return a.plan, a.hypotheses, nil
	case <-late:
		return plan, hypotheses, j.note("info", fmt.Sprintf("Nobody answered for %s, so the plan of %s runs as it is.", patience, roundWords(plan.Round)))
	case <-ctx.Done():
		return plan, hypotheses, ctx.Err()
	}
}

// roundWords names the round of a plan.
func roundWords(n int) string {
	if n == 0 {
		return "the first search"
	}
	return fmt.Sprintf("gap round %d", n)
}

// ApprovePlan has a run that waits with a plan go on with it as the person left it: tasks and hypotheses changed, added, dropped or
// in another order. A gap round without a task is not searched. What cannot be meant ends the run in the stage of its plan with a
// sentence, and it can be resumed.
func (d *Desk) ApprovePlan(id string, plan research.Plan, hypotheses []research.Hypothesis) error {
	j := d.Job(id)
	if j == nil {
		return usage("run %s is not under way in this program", short(id))
	}
	j.approval.mu.Lock()
	defer j.approval.mu.Unlock()
	if j.approval.asked == nil {
		return usage("run %s has no plan that waits for approval", id)
	}
	if plan.Round != j.approval.asked.Plan.Round {
		return usage("this is a plan of %s, and run %s waits with that of %s", roundWords(plan.Round), id, roundWords(j.approval.asked.Plan.Round))
	}
	select {
	case j.approval.answer <- approved{plan, hypotheses}:
		return nil
	default:
		return usage("the plan of run %s was answered already", id)
	}
}
