package serve

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"assay/app/desk"
	"assay/engine/research"
)

// Sources are the sources that a run opened.
type Sources struct {
	Sources []research.Source `json:"sources" nullable:"false" doc:"In the order of the record; their passages are in GET /v1/runs/{id}/passages."`
	Struck  []string          `json:"struck" nullable:"false" doc:"Ids of those that the reader struck."`
}

// Passages are the passages that a report rests on.
type Passages struct {
	Passages []research.Passage `json:"passages" nullable:"false" doc:"By source and place."`
}

// Traces lead each finding back to its passages.
type Traces struct {
	Traces map[string]research.Trace `json:"traces" doc:"By finding id; their form is described in engine/audit."`
}

// Question is a further question.
type Question struct {
	Question string `json:"question" minLength:"1" maxLength:"4000"`
}

// FollowUp is the answer to one.
type FollowUp struct {
	Answered bool     `json:"answered" doc:"False: the answer is not in the research."`
	Summary  string   `json:"summary"`
	Findings []string `json:"findings" nullable:"false"`
}

// AuditBody is what an audit found.
type AuditBody struct {
	desk.Audited
	Holds bool `json:"holds" doc:"Everything that was recomputed is as the record says."`
}

// reportFile is a sort of file of a report.
type reportFile struct {
	op, name, kind, what string
	schema               *huma.Schema
	read                 func(*desk.Desk, string) ([]byte, error)
}

// renderedFile is a form of a report that is made when it is asked for.
func renderedFile(op, form string) reportFile {
	f, ok := desk.FormNamed(form)
	if !ok {
		panic("there is no form " + form) // a word of this file
	}
	return reportFile{op, f.File, f.Media, f.What, anyText, func(d *desk.Desk, id string) ([]byte, error) { return d.Rendered(id, f) }}
}

// reportFiles are the sorts of files of a report.
var reportFiles = []reportFile{
	{"reportHTML", "report.html", "text/html; charset=utf-8", "The report as a page, self-contained", anyText, (*desk.Desk).ReportPage},
	{"reportMarkdown", "report.md", "text/markdown; charset=utf-8", "The report as Markdown", anyText, (*desk.Desk).MarkdownPage},
	renderedFile("reportPandoc", "pandoc"), renderedFile("reportDOCX", "docx"), renderedFile("referencesBibTeX", "bib"), renderedFile("referencesRIS", "ris"),
	renderedFile("referencesCSL", "csl"),
	{"reportDigest", "digest.json", "application/json", "The data behind the report (digest.schema.json)", anyObject, (*desk.Desk).DigestFile},
	{"reportRun", "run.json", "application/json", "The whole record, which assay audit needs and nothing else", anyObject, func(d *desk.Desk, id string) ([]byte, error) {
		var b bytes.Buffer
		err := d.Export(id, &b)
		return b.Bytes(), err
	}},
}

func (s *Server) reportOperations() {
	for _, f := range reportFiles {
		operation(s, desk.Reader, huma.Operation{OperationID: f.op, Method: http.MethodGet, Path: "/runs/{id}/" + f.name, Summary: f.what, Responses: rawAnswer(f.kind, f.what, f.schema)},
			func(_ context.Context, _ desk.Caller, in *RunPath) (*raw, error) {
				id, err := s.find(*in)
				if err != nil {
					return nil, err
				}
				b, err := f.read(s.desk, id)
				return &raw{f.kind, b}, err
			})
	}
	operation(s, desk.Reader, huma.Operation{OperationID: "listSources", Method: http.MethodGet, Path: "/runs/{id}/sources", Summary: "The sources that a run opened"}, s.sources)
	operation(s, desk.Reader, huma.Operation{OperationID: "sourceText", Method: http.MethodGet, Path: "/runs/{id}/texts/{sha256}", Summary: "The kept clean text of a source",
		Responses: rawAnswer("text/plain; charset=utf-8", "The text, to which the offsets of passages refer", anyText)},
		func(_ context.Context, _ desk.Caller, in *struct {
			RunPath
			SHA256 string `path:"sha256" pattern:"^[0-9a-f]{64}$"`
		}) (*raw, error) {
			id, err := s.find(in.RunPath)
			if err != nil {
				return nil, err
			}
			text, err := s.desk.Text(id, in.SHA256)
			if err != nil {
				return nil, notFound("the run keeps no text of this hash: see GET /v1/runs/{id}/sources")
			}
			return &raw{"text/plain; charset=utf-8", []byte(text)}, nil
		})
	operation(s, desk.Reader, huma.Operation{OperationID: "listPassages", Method: http.MethodGet, Path: "/runs/{id}/passages", Summary: "The kept passages that a report rests on"}, s.passages)
	operation(s, desk.Reader, huma.Operation{OperationID: "listTraces", Method: http.MethodGet, Path: "/runs/{id}/traces", Summary: "How each finding leads back to its passages"},
		func(_ context.Context, _ desk.Caller, in *RunPath) (*body[Traces], error) {
			digest, err := s.digest(*in)
			if err != nil {
				return nil, err
			}
			if digest.Traces == nil {
				digest.Traces = map[string]research.Trace{}
			}
			return &body[Traces]{Traces{digest.Traces}}, nil
		})
	s.judgeOperations()
}

// judgeOperations register what is worked out anew about a finished run.
func (s *Server) judgeOperations() {
	operation(s, desk.Reader, huma.Operation{OperationID: "auditRun", Method: http.MethodPost, Path: "/runs/{id}/audit", Summary: "Recompute every number, verdict and citation of a run from its record"},
		func(ctx context.Context, c desk.Caller, in *struct {
			RunPath
			Deep bool `query:"deep" doc:"Derive quantities, dates, names and stances again too."`
		}) (*body[AuditBody], error) {
			id, done, err := s.judge(ctx, c, in.RunPath)
			if err != nil {
				return nil, err
			}
			defer done()
			got, err := s.desk.Audit(id, in.Deep)
			return &body[AuditBody]{AuditBody{got, len(got.Faults) == 0}}, err
		})
	operation(s, desk.Reader, huma.Operation{OperationID: "checkRun", Method: http.MethodPost, Path: "/runs/{id}/check", Summary: "Hold a run against the whole bank of checks"},
		func(ctx context.Context, c desk.Caller, in *RunPath) (*body[desk.CheckedRuns], error) {
			id, done, err := s.judge(ctx, c, *in)
			if err != nil {
				return nil, err
			}
			defer done()
			got, err := s.desk.Check([]string{id}, nil)
			return &body[desk.CheckedRuns]{got}, err
		})
	operation(s, desk.Reader, huma.Operation{OperationID: "askRun", Method: http.MethodPost, Path: "/runs/{id}/ask", Summary: "A further question, answered from what the run has claimed"},
		func(ctx context.Context, c desk.Caller, in *struct {
			RunPath
			Body Question
		}) (*body[FollowUp], error) {
			id, done, err := s.judge(ctx, c, in.RunPath)
			if err != nil {
				return nil, err
			}
			defer done()
			got, err := s.desk.Ask(ctx, id, in.Body.Question)
			if err != nil {
				return nil, err
			}
			out := FollowUp{Answered: got.Answered, Summary: got.Digest.Summary, Findings: []string{}}
			for _, sec := range got.Digest.Sections {
				for _, f := range sec.Findings {
					out.Findings = append(out.Findings, f.Text)
				}
			}
			return &body[FollowUp]{out}, nil
		})
}

// judge finds a run that has a report, counts one lookup and takes a place for the work.
func (s *Server) judge(ctx context.Context, c desk.Caller, in RunPath) (string, func(), error) {
	id, err := s.find(in)
	if err != nil {
		return "", nil, err
	}
	if s.desk.Job(id) != nil {
		return "", nil, conflict("the run is under way: wait until it has ended")
	}
	if _, err := s.desk.Digest(id); err != nil {
		return "", nil, err
	}
	if err := s.desk.SpendLookup(c); err != nil {
		return "", nil, err
	}
	done, err := s.work(ctx)
	return id, done, err
}

func (s *Server) digest(in RunPath) (research.Digest, error) {
	id, err := s.find(in)
	if err != nil {
		return research.Digest{}, err
	}
	return s.desk.Digest(id)
}

func (s *Server) sources(_ context.Context, _ desk.Caller, in *RunPath) (*body[Sources], error) {
	id, err := s.find(*in)
	if err != nil {
		return nil, err
	}
	all, err := s.desk.Sources(id)
	if err != nil {
		return nil, err
	}
	struck, err := s.desk.Struck(id)
	out := Sources{Sources: all, Struck: []string{}}
	for _, src := range struck {
		out.Struck = append(out.Struck, src.ID)
	}
	return &body[Sources]{out}, err
}

func (s *Server) passages(_ context.Context, _ desk.Caller, in *struct {
	RunPath
	Source string `query:"source" maxLength:"40" doc:"Only those of this source."`
}) (*body[Passages], error) {
	digest, err := s.digest(in.RunPath)
	if err != nil {
		return nil, err
	}
	out := Passages{Passages: []research.Passage{}}
	for _, p := range slices.SortedFunc(maps.Values(digest.Passages), func(a, b research.Passage) int {
		return cmp.Or(cmp.Compare(a.Source, b.Source), cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	}) {
		if in.Source == "" || p.Source == in.Source {
			out.Passages = append(out.Passages, p)
		}
	}
	return &body[Passages]{out}, nil
}
