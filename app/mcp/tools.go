package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"assay/app/desk"
	"assay/engine/research"
)

// ResearchIn is what a research is asked.
type ResearchIn struct {
	Question     string   `json:"question" jsonschema:"what is to be found out, as one question"`
	Libraries    []string `json:"libraries,omitempty" jsonschema:"folders of the library; none: all"`
	Depth        string   `json:"depth,omitempty" jsonschema:"quick, standard or deep; at most what the role may"`
	Model        string   `json:"model,omitempty" jsonschema:"auto, extractive, ollama:NAME or openai:NAME"`
	Lang         string   `json:"lang,omitempty" jsonschema:"auto, en or zh"`
	Reach        string   `json:"reach,omitempty" jsonschema:"closed (the default: nothing leaves the machine), own or web"`
	AllowPartial bool     `json:"allow_partial,omitempty" jsonschema:"deliver a report that answers only a part"`
	Queue        bool     `json:"queue,omitempty" jsonschema:"put it into the queue, where a worker of this home takes it up, and return at once with the id"`
	Background   bool     `json:"background,omitempty" jsonschema:"return at once with the id; ask status for the rest"`
}

// Outcome is a run as far as it is.
type Outcome struct {
	ID       string    `json:"id"`
	Question string    `json:"question"`
	State    string    `json:"state" jsonschema:"queued, running, paused, interrupted, done, stopped or failed"`
	Detail   string    `json:"detail,omitempty"`
	Summary  string    `json:"summary,omitempty"`
	Findings []Finding `json:"findings,omitempty"`
	Report   string    `json:"report,omitempty" jsonschema:"the address of the report, a resource"`
}

// Finding is one statement of a report.
type Finding struct {
	Text       string   `json:"text"`
	Confidence string   `json:"confidence,omitempty" jsonschema:"an exact fraction"`
	Band       string   `json:"band,omitempty"`
	Sources    []string `json:"sources,omitempty"`
}

// RunIn names a run.
type RunIn struct {
	ID string `json:"id" jsonschema:"the run's id, or enough of its beginning"`
}

// StatusIn names a run, or none.
type StatusIn struct {
	ID string `json:"id,omitempty" jsonschema:"the run's id; none: the latest runs"`
}

// StatusOut is one run or the latest.
type StatusOut struct {
	Runs []Outcome `json:"runs"`
}

// ReportOut is a report as Markdown.
type ReportOut struct {
	ID       string `json:"id"`
	Markdown string `json:"markdown"`
}

// SearchIn are words to look for.
type SearchIn struct {
	Query string `json:"query" jsonschema:"words to look for in the library"`
	Limit int    `json:"limit,omitempty" jsonschema:"at most so many passages, 1 to 50; none: 10"`
}

// SearchOut are passages, best first.
type SearchOut struct {
	Hits []research.Hit `json:"hits"`
}

// VerifyIn is a claim.
type VerifyIn struct {
	Claim     string   `json:"claim" jsonschema:"one sentence that states something"`
	Libraries []string `json:"libraries,omitempty" jsonschema:"folders of the library; none: all"`
}

// VerifyOut is what the documents say of a claim.
type VerifyOut struct {
	Conclusion string  `json:"conclusion" jsonschema:"supported, contradicted, contested or not found"`
	Places     []Place `json:"places"`
}

// Place is a passage and what it does to a claim.
type Place struct {
	Stance   string `json:"stance"`
	Reason   string `json:"reason"`
	Text     string `json:"text"`
	Location string `json:"location"`
	Title    string `json:"title"`
}

// AuditIn names a run to recompute.
type AuditIn struct {
	ID   string `json:"id" jsonschema:"the run's id, or enough of its beginning"`
	Deep bool   `json:"deep,omitempty" jsonschema:"derive quantities, dates, names and stances again too"`
}

// AuditOut is what an audit found.
type AuditOut struct {
	Holds   bool     `json:"holds"`
	Checked int      `json:"checked"`
	Faults  []string `json:"faults"`
}

const (
	latest    = 20 // runs that status lists without an id
	maxHits   = 50
	maxFaults = 100
	// maxAnswer bounds a report in an answer, in bytes: an assistant's window is not a library. The whole is a resource.
	maxAnswer = 256 << 10
)

func (s *Server) addTools() {
	yes, no := true, false
	reads := &sdk.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: &no}
	tool(s, &sdk.Tool{Name: "research", Description: "Research a question and return the findings with their confidence and sources. Tells its progress; cancelling it stops the run.",
		Annotations: &sdk.ToolAnnotations{DestructiveHint: &no, OpenWorldHint: &yes}}, s.research)
	tool(s, &sdk.Tool{Name: "status", Description: "The state of a run, with its findings once it is done; without an id the latest runs.", Annotations: reads}, s.status)
	tool(s, &sdk.Tool{Name: "report", Description: "The report of a finished run as Markdown.", Annotations: reads}, s.report)
	tool(s, &sdk.Tool{Name: "search_library", Description: "The passages of the person's library that match words best.", Annotations: reads}, s.search)
	tool(s, &sdk.Tool{Name: "verify_claim", Description: "Hold a claim against the library: supported, contradicted, contested or not found, with the passages.", Annotations: reads}, s.verify)
	tool(s, &sdk.Tool{Name: "audit", Description: "Recompute every number, verdict and citation of a finished run from its record.", Annotations: reads}, s.audit)
}

// tool adds one tool, whose faults are told without keys. Every role may call all but research, which the desk itself refuses a reader.
func tool[In, Out any](s *Server, t *sdk.Tool, fn func(context.Context, desk.Caller, *sdk.CallToolRequest, In) (Out, error)) {
	sdk.AddTool(s.mcp, t, func(ctx context.Context, req *sdk.CallToolRequest, in In) (*sdk.CallToolResult, Out, error) {
		c := s.caller(req.Extra)
		if !c.Role.May(desk.Reader) {
			var none Out
			return nil, none, errors.New("this needs a token with a role: make one with assay serve token add")
		}
		out, err := fn(ctx, c, req, in)
		if err != nil {
			err = errors.New(desk.Masked(err.Error()))
		}
		return nil, out, err
	})
}

func (s *Server) research(ctx context.Context, c desk.Caller, req *sdk.CallToolRequest, in ResearchIn) (Outcome, error) {
	asked := research.Request{
		Question: in.Question, Libraries: in.Libraries, Depth: research.Depth(in.Depth), Model: in.Model, Lang: in.Lang,
		Egress: research.Egress(in.Reach), AllowPartial: in.AllowPartial,
	}
	if in.Queue {
		id, err := s.desk.EnqueueFor(c, asked, 0)
		if err != nil {
			return Outcome{}, err
		}
		return s.outcome(id)
	}
	j, err := s.desk.StartFor(ctx, c, asked, desk.StartOptions{})
	if err != nil {
		return Outcome{}, err
	}
	if in.Background {
		return s.outcome(j.ID())
	}
	tell := newTeller(req)
	err = j.Follow(ctx, 0, func(events []research.Event) error {
		for _, ev := range events {
			tell.event(ctx, ev)
		}
		return nil
	})
	if ctx.Err() != nil { // the client cancelled, or is gone
		j.Cancel()
		<-j.Done()
		return Outcome{}, fmt.Errorf("the research %s was stopped; what was found is kept and it can be resumed", j.ID())
	}
	if err != nil {
		return Outcome{}, err
	}
	return s.outcome(j.ID())
}

// teller tells a client that asked for it how far a call is. The numbers only grow.
type teller struct {
	req   *sdk.CallToolRequest
	token any
	n     float64
}

func newTeller(req *sdk.CallToolRequest) *teller {
	return &teller{req: req, token: req.Params.GetProgressToken()}
}

func (t *teller) event(ctx context.Context, ev research.Event) {
	var text string
	switch ev.Kind {
	case research.EventBegin:
		var news research.StageNews
		if json.Unmarshal(ev.Payload, &news) != nil {
			return
		}
		text = "Stage " + news.Stage
		if news.Round > 0 {
			text += fmt.Sprintf(", gap round %d", news.Round)
		}
	case research.EventNote:
		var note research.Note
		if json.Unmarshal(ev.Payload, &note) != nil {
			return
		}
		text = note.Text
	default:
		return
	}
	if t.token == nil {
		return
	}
	t.n++
	_ = t.req.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: t.token, Progress: t.n, Message: desk.Masked(text)}) // a client that is gone is told nothing
}

// outcome is a run as it is now, with its findings when there is a report.
func (s *Server) outcome(id string) (Outcome, error) {
	info, err := s.desk.Run(id)
	if err != nil {
		return Outcome{}, err
	}
	out := brief(info)
	if s.desk.Job(id) != nil || info.State == "running" {
		return out, nil
	}
	digest, err := s.desk.Digest(id)
	if err != nil {
		return out, nil // there is no report, which the state says
	}
	out.Summary, out.Report = digest.Summary, reportURI(id)
	for _, sec := range digest.Sections {
		for _, f := range sec.Findings {
			out.Findings = append(out.Findings, finding(digest, f))
		}
	}
	return out, nil
}

func brief(info research.RunInfo) Outcome {
	return Outcome{ID: info.ID, Question: info.Question, State: info.State, Detail: info.Detail}
}

func finding(digest research.Digest, f research.DigestFinding) Finding {
	out := Finding{Text: f.Text, Confidence: string(f.Confidence), Band: string(f.Band)}
	for _, ref := range f.Refs {
		if ref >= 0 && ref < len(digest.Sources) {
			src := digest.Sources[ref]
			out.Sources = append(out.Sources, strings.TrimSpace(src.Title+" ("+src.URL+")"))
		}
	}
	return out
}

func (s *Server) status(_ context.Context, _ desk.Caller, _ *sdk.CallToolRequest, in StatusIn) (StatusOut, error) {
	out := StatusOut{Runs: []Outcome{}}
	if in.ID != "" {
		id, err := s.desk.FindRun(in.ID)
		if err != nil {
			return out, err
		}
		one, err := s.outcome(id)
		out.Runs = append(out.Runs, one)
		return out, err
	}
	all, err := s.desk.Runs()
	if err != nil {
		return out, err
	}
	for _, info := range all[:min(latest, len(all))] {
		out.Runs = append(out.Runs, brief(info))
	}
	return out, nil
}

func (s *Server) report(_ context.Context, _ desk.Caller, _ *sdk.CallToolRequest, in RunIn) (ReportOut, error) {
	id, err := s.desk.FindRun(in.ID)
	if err != nil {
		return ReportOut{}, err
	}
	b, err := s.desk.MarkdownPage(id)
	if err != nil {
		return ReportOut{}, err
	}
	text := string(b)
	if len(text) > maxAnswer {
		text = strings.ToValidUTF8(text[:maxAnswer], "") + "\n\n(The rest is left out: read the resource " + reportURI(id) + ".)\n"
	}
	return ReportOut{ID: id, Markdown: text}, nil
}

func (s *Server) search(ctx context.Context, c desk.Caller, _ *sdk.CallToolRequest, in SearchIn) (SearchOut, error) {
	out := SearchOut{Hits: []research.Hit{}}
	if strings.TrimSpace(in.Query) == "" || len(in.Query) > 4000 || in.Limit < 0 || in.Limit > maxHits {
		return out, fmt.Errorf("the query is empty or too long, or the limit is not from 1 to %d: ask with a few words", maxHits)
	}
	if err := s.desk.SpendLookup(c); err != nil {
		return out, err
	}
	if in.Limit == 0 {
		in.Limit = 10
	}
	hits, err := s.desk.SearchLibrary(ctx, desk.LibrarySearch{Words: in.Query, Limit: in.Limit})
	out.Hits = append(out.Hits, hits...)
	return out, err
}

func (s *Server) verify(ctx context.Context, c desk.Caller, _ *sdk.CallToolRequest, in VerifyIn) (VerifyOut, error) {
	out := VerifyOut{Places: []Place{}}
	got, err := s.desk.VerifyFor(ctx, c, desk.VerifyRequest{Claim: in.Claim, Libraries: in.Libraries})
	if err != nil {
		return out, err
	}
	for _, v := range got.Sentences {
		out.Conclusion = string(v.Conclusion)
		for _, e := range v.Evidence {
			out.Places = append(out.Places, Place{Stance: string(e.Stance), Reason: e.Reason, Text: e.Passage.Text, Location: e.Location, Title: e.Title})
		}
	}
	return out, nil
}

func (s *Server) audit(_ context.Context, c desk.Caller, _ *sdk.CallToolRequest, in AuditIn) (AuditOut, error) {
	out := AuditOut{Faults: []string{}}
	id, err := s.desk.FindRun(in.ID)
	if err != nil {
		return out, err
	}
	if _, err := s.desk.Digest(id); err != nil {
		return out, err
	}
	if err := s.desk.SpendLookup(c); err != nil {
		return out, err
	}
	got, err := s.desk.Audit(id, in.Deep)
	if err != nil {
		return out, err
	}
	out.Checked, out.Holds = got.Checked, len(got.Faults) == 0
	for _, f := range got.Faults[:min(maxFaults, len(got.Faults))] {
		out.Faults = append(out.Faults, f.String())
	}
	return out, nil
}
