package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"assay/app/desk"
	"assay/engine/research"
)

// runsURI lists the runs; the others are of one run.
const runsURI = "assay://runs"

// maxResource bounds a resource, in bytes; the record of a long run has no place in an answer.
const maxResource = 16 << 20

func reportURI(id string) string { return runsURI + "/" + id + "/report.md" }

// address is the form of an address of a thing of a run.
var address = regexp.MustCompile(`^assay://runs/([0-9]{8}-[0-9]{6}-[0-9a-f]{6})/(report\.md|report\.html|digest\.json|sources|texts/([0-9a-f]{64}))$`)

func (s *Server) addResources() {
	s.mcp.AddResource(&sdk.Resource{URI: runsURI, Name: "runs", Title: "Runs", Description: "The list of runs, newest first.", MIMEType: "application/json"}, s.readRuns)
	for _, t := range []*sdk.ResourceTemplate{
		{URITemplate: runsURI + "/{id}/report.md", Name: "report", Title: "Report", Description: "The report of a run as Markdown.", MIMEType: "text/markdown"},
		{URITemplate: runsURI + "/{id}/report.html", Name: "report-page", Title: "Report, as a page", Description: "The report of a run as a self-contained page.", MIMEType: "text/html"},
		{URITemplate: runsURI + "/{id}/digest.json", Name: "digest", Title: "Digest", Description: "The data behind a report.", MIMEType: "application/json"},
		{URITemplate: runsURI + "/{id}/sources", Name: "sources", Title: "Sources", Description: "The sources that a run opened.", MIMEType: "application/json"},
		{URITemplate: runsURI + "/{id}/texts/{sha256}", Name: "source-text", Title: "Text of a source", Description: "The kept clean text of a source, by the hash that the sources name.", MIMEType: "text/plain"},
	} {
		s.mcp.AddResourceTemplate(t, func(ctx context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
			return s.read(req, t.MIMEType)
		})
	}
}

func (s *Server) readRuns(_ context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	if !s.caller(req.Extra).Role.May(desk.Reader) {
		return nil, sdk.ResourceNotFoundError(req.Params.URI)
	}
	all, err := s.desk.Runs()
	if err != nil {
		return nil, fmt.Errorf("list the runs: %s", desk.Masked(err.Error()))
	}
	list := make([]Outcome, 0, len(all))
	for _, info := range all {
		list = append(list, brief(info))
	}
	b, err := json.MarshalIndent(list, "", "  ")
	return contents(req, "application/json", b), err
}

// read returns a thing of a run. What is not there is not told apart from what is no address.
func (s *Server) read(req *sdk.ReadResourceRequest, kind string) (*sdk.ReadResourceResult, error) {
	parts := address.FindStringSubmatch(req.Params.URI)
	if parts == nil || !s.caller(req.Extra).Role.May(desk.Reader) {
		return nil, sdk.ResourceNotFoundError(req.Params.URI)
	}
	b, err := s.thing(parts[1], parts[2], parts[3])
	if err != nil {
		return nil, sdk.ResourceNotFoundError(req.Params.URI)
	}
	if len(b) > maxResource {
		return nil, fmt.Errorf("%s is %d bytes long, and %d may be read here: open it in the folder of the run", req.Params.URI, len(b), maxResource)
	}
	return contents(req, kind, b), nil
}

func (s *Server) thing(id, name, sha string) ([]byte, error) {
	switch name {
	case "report.md":
		return s.desk.MarkdownPage(id)
	case "report.html":
		return s.desk.ReportPage(id)
	case "digest.json":
		digest, err := s.desk.Digest(id)
		if err != nil {
			return nil, err
		}
		return desk.EncodeDigest(digest)
	case "sources":
		var list []research.Source
		list, err := s.desk.Sources(id)
		if err != nil {
			return nil, err
		}
		return json.MarshalIndent(list, "", "  ")
	}
	text, err := s.desk.Text(id, sha)
	return []byte(text), err
}

func contents(req *sdk.ReadResourceRequest, kind string, b []byte) *sdk.ReadResourceResult {
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: req.Params.URI, MIMEType: kind, Text: string(b)}}}
}
