package serve

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"assay/app/desk"
	"assay/engine/research"
)

// PlanAnswer is how a plan that waits goes on: as it was shown, or as it is here.
type PlanAnswer struct {
	Round      int                    `json:"round" minimum:"0" maximum:"100" doc:"Of the plan that was shown."`
	Tasks      *[]research.Task       `json:"tasks,omitempty" maxItems:"100" doc:"The tasks in their order, changed, added or dropped; left out: as shown."`
	Hypotheses *[]research.Hypothesis `json:"hypotheses,omitempty" maxItems:"100" doc:"The same for the hypotheses."`
}

func (s *Server) planOperations() {
	operation(s, desk.Reader, huma.Operation{OperationID: "getPlan", Method: http.MethodGet, Path: "/runs/{id}/plan", Summary: "The plan that waits for approval, with every string that would be asked of others"},
		func(_ context.Context, _ desk.Caller, in *RunPath) (*body[desk.PlanAsked], error) {
			asked, _, err := s.waiting(*in)
			if err != nil {
				return nil, err
			}
			return &body[desk.PlanAsked]{*asked}, nil
		})
	operation(s, desk.Researcher, huma.Operation{OperationID: "approvePlan", Method: http.MethodPost, Path: "/runs/{id}/plan", Summary: "Approve the plan that waits, as it is or changed"},
		func(_ context.Context, _ desk.Caller, in *struct {
			RunPath
			Body PlanAnswer
		}) (*body[RunState], error) {
			asked, id, err := s.waiting(in.RunPath)
			if err != nil {
				return nil, err
			}
			if in.Body.Round != asked.Plan.Round {
				return nil, conflict("this answers another plan than the one that waits: see GET /v1/runs/{id}/plan")
			}
			plan, hypotheses := asked.Plan, asked.Hypotheses
			if in.Body.Tasks != nil {
				plan.Tasks = *in.Body.Tasks
			}
			if in.Body.Hypotheses != nil {
				hypotheses = *in.Body.Hypotheses
			}
			if err := s.desk.ApprovePlan(id, plan, hypotheses); err != nil {
				return nil, conflict(err.Error())
			}
			st, err := s.state(id)
			return &body[RunState]{st}, err
		})
}

// waiting returns the plan with which a run waits.
func (s *Server) waiting(in RunPath) (*desk.PlanAsked, string, error) {
	id, err := s.find(in)
	if err != nil {
		return nil, "", err
	}
	if j := s.desk.Job(id); j != nil {
		if asked := j.Asked(); asked != nil {
			return asked, id, nil
		}
	}
	return nil, "", conflict("no plan of this run waits for approval: start it with \"review\": true, and ask when its state says waiting")
}
