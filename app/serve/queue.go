package serve

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"assay/app/desk"
)

// Queued is a run of the queue.
type Queued struct {
	ID       string `json:"id"`
	Question string `json:"question"`
	State    string `json:"state" doc:"queued, running, interrupted, completed, failed or stopped."`
	Priority int    `json:"priority"`
	Worker   string `json:"worker,omitempty" doc:"The program that works on it."`
	Detail   string `json:"detail,omitempty"`
}

// Queue is all of it: what is worked on, what waits in the order in which it goes, and what has ended, newest first.
type Queue struct {
	Runs []Queued `json:"runs" nullable:"false"`
}

// Reorder is a place in the queue.
type Reorder struct {
	Priority *int    `json:"priority,omitempty" minimum:"-9" maximum:"9"`
	Before   *string `json:"before,omitempty" maxLength:"60" doc:"The waiting run that comes after it, whose priority it gets; empty: behind all of its own priority."`
}

func (s *Server) queueOperations() {
	operation(s, desk.Reader, huma.Operation{OperationID: "listQueue", Method: http.MethodGet, Path: "/queue", Summary: "The queue in its order"},
		func(context.Context, desk.Caller, *struct{}) (*body[Queue], error) {
			items, err := s.desk.Queue()
			if err != nil {
				return nil, err
			}
			out := Queue{Runs: make([]Queued, len(items))}
			for i, it := range items {
				out.Runs[i] = Queued{it.ID, it.Request.Question, it.State, it.Priority, it.Worker, it.Detail}
			}
			return &body[Queue]{out}, nil
		})
	operation(s, desk.Researcher, huma.Operation{OperationID: "reorderQueue", Method: http.MethodPatch, Path: "/queue/{id}", Summary: "Give a waiting run another priority or place"},
		func(_ context.Context, _ desk.Caller, in *struct {
			RunPath
			Body Reorder
		}) (*body[RunState], error) {
			id, err := s.find(in.RunPath)
			if err == nil && in.Body.Priority != nil {
				err = s.desk.SetPriority(id, *in.Body.Priority)
			}
			if err == nil && in.Body.Before != nil {
				err = s.desk.MoveQueued(id, *in.Body.Before)
			}
			if err != nil {
				return nil, err
			}
			st, err := s.state(id)
			return &body[RunState]{st}, err
		})
	operation(s, desk.Researcher, huma.Operation{OperationID: "leaveQueue", Method: http.MethodDelete, Path: "/queue/{id}", Summary: "Take a waiting run out of the queue; it can be resumed"},
		func(_ context.Context, _ desk.Caller, in *RunPath) (*body[RunState], error) {
			id, err := s.find(*in)
			if err == nil {
				err = s.desk.Unqueue(id)
			}
			if err != nil {
				return nil, err
			}
			st, err := s.state(id)
			return &body[RunState]{st}, err
		})
}

// queued puts a run into the queue and answers as for one that started.
func (s *Server) queued(c desk.Caller, b Start) (*started, error) {
	if b.Review.Review || b.PatienceSeconds > 0 {
		return nil, unfit("a queued run is left to a worker, who approves no plan: leave review and patience_seconds out, or start it without queue")
	}
	id, err := s.desk.EnqueueFor(c, b.request(), b.Priority)
	if err != nil {
		return nil, err
	}
	return s.started(id)
}
