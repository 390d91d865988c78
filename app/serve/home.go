package serve

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"assay/app/desk"
)

// lookTime bounds how long a model server or a card is waited for.
const lookTime = 20 * time.Second

// Health says that the server answers.
type Health struct {
	Status  string `json:"status" enum:"ok" doc:"Always ok: no answer is the other state."`
	Version string `json:"version"`
}

// Me is who asks, and what of its day is used.
type Me struct {
	desk.Caller
	Allowance desk.Allowance `json:"allowance" doc:"A day of UTC; -1 is no bound."`
	Spent     desk.Spent     `json:"spent"`
}

// ModelsBody lists what answers a run.
type ModelsBody struct {
	desk.ModelList
	Fault string `json:"fault,omitempty" doc:"Why no model server could be asked; runs are extractive then."`
}

// DoctorBody is what is here, reachable and wrong.
type DoctorBody struct {
	Symptoms []desk.Symptom `json:"symptoms"`
}

func (s *Server) homeOperations() {
	operation(s, desk.Reader, huma.Operation{OperationID: "health", Method: http.MethodGet, Path: "/health", Summary: "Whether the server answers"},
		func(context.Context, desk.Caller, *none) (*body[Health], error) {
			return &body[Health]{Health{Status: "ok", Version: s.desk.Version()}}, nil
		})
	operation(s, desk.Reader, huma.Operation{OperationID: "me", Method: http.MethodGet, Path: "/me", Summary: "Whose token this is and what of its day is used"},
		func(_ context.Context, c desk.Caller, _ *none) (*body[Me], error) {
			spent, err := s.desk.Spent(c)
			return &body[Me]{Me{c, s.desk.Allowance(c.Role), spent}}, err
		})
	operation(s, desk.Reader, huma.Operation{OperationID: "openapi", Method: http.MethodGet, Path: "/openapi.json", Summary: "This description",
		Responses: rawAnswer("application/json", "The OpenAPI document, version 3.1", anyObject)},
		func(context.Context, desk.Caller, *none) (*raw, error) {
			b, err := s.OpenAPI(false)
			return &raw{"application/json", b}, err
		})
	operation(s, desk.Reader, huma.Operation{OperationID: "models", Method: http.MethodGet, Path: "/models", Summary: "Models of the server that a run would ask"}, s.models)
	operation(s, desk.Admin, huma.Operation{OperationID: "doctor", Method: http.MethodGet, Path: "/doctor", Summary: "What is installed, reachable and wrong, with the cure"}, s.doctor)
	operation(s, desk.Admin, huma.Operation{OperationID: "settings", Method: http.MethodGet, Path: "/settings", Summary: "The settings, keys masked",
		Responses: rawAnswer("application/json", "The settings", anyObject)}, s.settings)
}

func (s *Server) models(ctx context.Context, _ desk.Caller, _ *none) (*body[ModelsBody], error) {
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	list, err := s.desk.Models(ctx)
	out := ModelsBody{ModelList: list}
	if err != nil {
		out.Fault = maskText(err.Error(), s.secrets.of(s.desk, s.opt.Now()))
	}
	out.BaseURL = desk.Masked(out.BaseURL)
	return &body[ModelsBody]{out}, nil
}

func (s *Server) doctor(ctx context.Context, _ desk.Caller, _ *none) (*body[DoctorBody], error) {
	done, err := s.work(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	known := s.secrets.of(s.desk, s.opt.Now())
	lines := s.desk.Doctor(ctx)
	for i := range lines {
		lines[i].Text, lines[i].Cure = maskText(lines[i].Text, known), maskText(lines[i].Cure, known)
	}
	return &body[DoctorBody]{DoctorBody{lines}}, nil
}

func (s *Server) settings(context.Context, desk.Caller, *none) (*raw, error) {
	b, err := json.Marshal(s.desk.Settings())
	if err != nil {
		return nil, err
	}
	var v any
	if err := json.Unmarshal(b, &v); err != nil {
		return nil, err
	}
	b, err = encode(maskSettings(v))
	return &raw{"application/json", b}, err
}
