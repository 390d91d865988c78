package serve

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"assay/app/desk"
	"assay/engine/research"
)

// Start is what a run is asked. What is left out is as the settings say.
type Start struct {
	Question     string   `json:"question" minLength:"1" maxLength:"4000" doc:"What is to be found out." example:"What is the melting point of gold?"`
	Libraries    []string `json:"libraries,omitempty" maxItems:"50" nullable:"false" doc:"Folders of the library, as GET /v1/library names them; none: all. Only an admin may name others."`
	Attach       []string `json:"attach,omitempty" maxItems:"50" nullable:"false" doc:"Files of the server's machine that become sources. Only an admin may."`
	About        string   `json:"about,omitempty" maxLength:"4000" doc:"The reader's background."`
	Shape        string   `json:"shape,omitempty" enum:"auto,debate,survey"`
	Depth        string   `json:"depth,omitempty" enum:"quick,standard,deep" doc:"At most what the role may."`
	Lang         string   `json:"lang,omitempty" enum:"auto,en,zh"`
	Model        string   `json:"model,omitempty" maxLength:"300" doc:"auto, extractive, ollama:NAME or openai:NAME."`
	Reach        string   `json:"reach,omitempty" enum:"closed,own,web" doc:"closed, the default, leaves nothing out of this machine."`
	MinSources   int      `json:"min_sources,omitempty" minimum:"0" maximum:"200"`
	MaxQueries   int      `json:"max_queries,omitempty" minimum:"0" maximum:"200"`
	AllowPartial bool     `json:"allow_partial,omitempty"`
	Now          string   `json:"now,omitempty" maxLength:"40" doc:"The run's clock, such as 2026-01-31T12:00:00Z; none: now."`
	Seed         int64    `json:"seed,omitempty"`
	Queue        bool     `json:"queue,omitempty" doc:"It waits in the queue for a worker (assay worker, assay serve --work), instead of starting now."`
	Priority     int      `json:"priority,omitempty" minimum:"-9" maximum:"9" doc:"In the queue: 9 goes first; 0 is normal."`
	Review
}

// request is what the engine is asked.
func (b Start) request() research.Request {
	return research.Request{
		Question: b.Question, Libraries: b.Libraries, Attach: b.Attach, About: b.About, Shape: research.Shape(b.Shape), Depth: research.Depth(b.Depth),
		Lang: b.Lang, Model: b.Model, Egress: research.Egress(b.Reach), MinSources: b.MinSources, MaxQueries: b.MaxQueries,
		AllowPartial: b.AllowPartial, Now: b.Now, Seed: b.Seed,
	}
}

// Review has a run wait with the plan of each round.
type Review struct {
	Review          bool `json:"review,omitempty" doc:"Each plan waits for POST /v1/runs/{id}/plan before its search."`
	PatienceSeconds int  `json:"patience_seconds,omitempty" minimum:"0" maximum:"86400" doc:"How long it waits; then it runs as it is. 0: half an hour."`
}

func (r Review) options() desk.StartOptions {
	return desk.StartOptions{Review: r.Review, Patience: time.Duration(r.PatienceSeconds) * time.Second}
}

// RunState is a run as the list has it, and what it does now.
type RunState struct {
	research.RunInfo
	Here    bool `json:"here" doc:"This server works on it."`
	Waiting bool `json:"waiting" doc:"A plan waits: see GET /v1/runs/{id}/plan."`
}

// Runs is a part of the list of runs, newest first.
type Runs struct {
	Runs  []RunState `json:"runs" nullable:"false"`
	Total int        `json:"total" doc:"Of all that match, before limit and offset."`
}

// Change is what of a run may be changed.
type Change struct {
	Title   *string `json:"title,omitempty" minLength:"1" maxLength:"200"`
	Project *string `json:"project,omitempty" maxLength:"200" doc:"Files it under a project; the empty name takes it out."`
}

// Remains says what a deletion leaves elsewhere.
type Remains struct {
	Remains []string `json:"remains" nullable:"false" doc:"One sentence each."`
}

// started is the answer to a run that was started or went on.
type started struct {
	Location string `header:"Location"`
	Body     RunState
}

func (s *Server) runOperations() {
	operation(s, desk.Researcher, huma.Operation{OperationID: "startRun", Method: http.MethodPost, Path: "/runs", Summary: "Start a research", DefaultStatus: http.StatusAccepted},
		func(ctx context.Context, c desk.Caller, in *struct{ Body Start }) (*started, error) {
			b := in.Body
			if b.Queue {
				return s.queued(c, b)
			}
			if b.Priority != 0 {
				return nil, unfit("priority is of the queue: send queue too, or leave it out")
			}
			j, err := s.desk.StartFor(ctx, c, b.request(), b.options())
			if err != nil {
				return nil, err
			}
			return s.started(j.ID())
		})
	operation(s, desk.Reader, huma.Operation{OperationID: "listRuns", Method: http.MethodGet, Path: "/runs", Summary: "The runs, newest first"}, s.list)
	operation(s, desk.Reader, huma.Operation{OperationID: "getRun", Method: http.MethodGet, Path: "/runs/{id}", Summary: "One run"},
		func(_ context.Context, _ desk.Caller, in *RunPath) (*body[RunState], error) {
			id, err := s.find(*in)
			if err != nil {
				return nil, err
			}
			st, err := s.state(id)
			return &body[RunState]{st}, err
		})
	operation(s, desk.Researcher, huma.Operation{OperationID: "changeRun", Method: http.MethodPatch, Path: "/runs/{id}", Summary: "Rename a run, or file it under a project"},
		func(_ context.Context, _ desk.Caller, in *struct {
			RunPath
			Body Change
		}) (*body[RunState], error) {
			id, err := s.find(in.RunPath)
			if err == nil && in.Body.Title != nil {
				err = s.desk.RenameRun(id, *in.Body.Title)
			}
			if err == nil && in.Body.Project != nil {
				err = s.desk.SetProject(id, *in.Body.Project)
			}
			if err != nil {
				return nil, err
			}
			st, err := s.state(id)
			return &body[RunState]{st}, err
		})
	operation(s, desk.Admin, huma.Operation{OperationID: "deleteRun", Method: http.MethodDelete, Path: "/runs/{id}", Summary: "Delete a run"},
		func(_ context.Context, _ desk.Caller, in *RunPath) (*body[Remains], error) {
			id, err := s.find(*in)
			if err != nil {
				return nil, err
			}
			if s.desk.Job(id) != nil {
				return nil, conflict("the run is under way: cancel it first")
			}
			left, err := s.desk.DeleteRun(id)
			if left == nil {
				left = []string{}
			}
			return &body[Remains]{Remains{left}}, err
		})
	s.stopOperation("pauseRun", "/runs/{id}/pause", "Pause a run; it can be resumed", (*desk.Job).Pause)
	s.stopOperation("cancelRun", "/runs/{id}/cancel", "Cancel a run; what was found is kept", (*desk.Job).Cancel)
	operation(s, desk.Researcher, huma.Operation{OperationID: "resumeRun", Method: http.MethodPost, Path: "/runs/{id}/resume",
		Summary: "Go on with a run that was paused, cancelled or interrupted, or that failed", DefaultStatus: http.StatusAccepted},
		func(ctx context.Context, c desk.Caller, in *struct {
			RunPath
			Body *Review `required:"false"`
		}) (*started, error) {
			id, err := s.find(in.RunPath)
			if err != nil {
				return nil, err
			}
			if s.desk.Job(id) != nil {
				return nil, conflict("the run is under way already")
			}
			var how Review
			if in.Body != nil {
				how = *in.Body
			}
			if _, err := s.desk.ResumeFor(ctx, c, id, how.options()); err != nil {
				return nil, err
			}
			return s.started(id)
		})
}

// stopOperation registers an end of a run that this server works on.
func (s *Server) stopOperation(name, path, summary string, stop func(*desk.Job)) {
	operation(s, desk.Researcher, huma.Operation{OperationID: name, Method: http.MethodPost, Path: path, Summary: summary},
		func(ctx context.Context, _ desk.Caller, in *RunPath) (*body[RunState], error) {
			id, err := s.find(*in)
			if err != nil {
				return nil, err
			}
			j := s.desk.Job(id)
			if j == nil {
				return nil, conflict("the run is not under way in this server")
			}
			stop(j)
			if _, err := j.Wait(ctx); err != nil {
				return nil, err
			}
			st, err := s.state(id)
			return &body[RunState]{st}, err
		})
}

func (s *Server) started(id string) (*started, error) {
	st, err := s.state(id)
	return &started{Location: prefix + "/runs/" + id, Body: st}, err
}

// state is a run as it is now.
func (s *Server) state(id string) (RunState, error) {
	info, err := s.desk.Run(id)
	if err != nil {
		return RunState{}, err
	}
	return s.now(info), nil
}

func (s *Server) now(info research.RunInfo) RunState {
	st := RunState{RunInfo: info}
	if j := s.desk.Job(info.ID); j != nil {
		st.Here, st.Waiting = true, j.Asked() != nil
	}
	return st
}

func (s *Server) list(_ context.Context, _ desk.Caller, in *struct {
	Project string `query:"project" maxLength:"200" doc:"Only those of this project."`
	State   string `query:"state" maxLength:"20" doc:"Only those in this state."`
	Limit   int    `query:"limit" minimum:"1" maximum:"500" default:"50"`
	Offset  int    `query:"offset" minimum:"0" maximum:"1000000"`
}) (*body[Runs], error) {
	all, err := s.desk.Runs()
	if err != nil {
		return nil, err
	}
	out := Runs{Runs: []RunState{}}
	for _, info := range all {
		if in.Project != "" && info.Project != in.Project || in.State != "" && info.State != in.State {
			continue
		}
		if out.Total++; out.Total > in.Offset && len(out.Runs) < in.Limit {
			out.Runs = append(out.Runs, s.now(info))
		}
	}
	return &body[Runs]{out}, nil
}
