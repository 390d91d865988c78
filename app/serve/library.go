package serve

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"assay/app/desk"
	"assay/engine/research"
)

// Library lists the folders of the library.
type Library struct {
	Folders []desk.LibraryFolder `json:"folders" nullable:"false"`
}

// Folder is a folder of the server's machine.
type Folder struct {
	Folder string `json:"folder" minLength:"1" maxLength:"4096" doc:"Absolute."`
}

// Read says what reading a folder did.
type Read struct {
	Added   int `json:"added"`
	Changed int `json:"changed"`
	Removed int `json:"removed"`
	Unread  int `json:"unread" doc:"Files that could not be read; GET /v1/library says which and why."`
}

// Hits are passages that match words, best first.
type Hits struct {
	Hits []research.Hit `json:"hits" nullable:"false"`
}

// Claim is a sentence to hold against the library.
type Claim struct {
	Claim     string   `json:"claim" minLength:"1" maxLength:"4000"`
	Libraries []string `json:"libraries,omitempty" maxItems:"50" nullable:"false" doc:"Folders of the library; none: all. Only an admin may name others."`
	Lang      string   `json:"lang,omitempty" enum:"auto,en,zh"`
	Now       string   `json:"now,omitempty" maxLength:"40"`
}

func (s *Server) libraryOperations() {
	operation(s, desk.Reader, huma.Operation{OperationID: "listLibrary", Method: http.MethodGet, Path: "/library", Summary: "The folders of the library"},
		func(ctx context.Context, _ desk.Caller, _ *none) (*body[Library], error) {
			list, err := s.desk.Libraries(ctx)
			return &body[Library]{Library{list}}, err
		})
	operation(s, desk.Reader, huma.Operation{OperationID: "searchLibrary", Method: http.MethodGet, Path: "/library/search", Summary: "The passages of the library that match words best"},
		func(ctx context.Context, c desk.Caller, in *struct {
			Q     string `query:"q" required:"true" minLength:"1" maxLength:"1000"`
			Limit int    `query:"limit" minimum:"1" maximum:"100" default:"10"`
		}) (*body[Hits], error) {
			if err := s.desk.SpendLookup(c); err != nil {
				return nil, err
			}
			done, err := s.work(ctx)
			if err != nil {
				return nil, err
			}
			defer done()
			hits, err := s.desk.SearchLibrary(ctx, desk.LibrarySearch{Words: in.Q, Limit: in.Limit})
			if hits == nil {
				hits = []research.Hit{}
			}
			return &body[Hits]{Hits{hits}}, err
		})
	operation(s, desk.Reader, huma.Operation{OperationID: "verifyClaim", Method: http.MethodPost, Path: "/verify", Summary: "Hold a claim against the library: supported, contradicted, contested or not found"},
		func(ctx context.Context, c desk.Caller, in *struct{ Body Claim }) (*body[desk.Verified], error) {
			done, err := s.work(ctx)
			if err != nil {
				return nil, err
			}
			defer done()
			got, err := s.desk.VerifyFor(ctx, c, desk.VerifyRequest{Claim: in.Body.Claim, Libraries: in.Body.Libraries, Lang: in.Body.Lang, Now: in.Body.Now})
			return &body[desk.Verified]{got}, err
		})
	operation(s, desk.Admin, huma.Operation{OperationID: "addLibrary", Method: http.MethodPost, Path: "/library", Summary: "Read a folder of the server's machine into the library"},
		func(ctx context.Context, _ desk.Caller, in *struct{ Body Folder }) (*body[Read], error) {
			done, err := s.work(ctx)
			if err != nil {
				return nil, err
			}
			defer done()
			got, err := s.desk.AddLibrary(ctx, in.Body.Folder, nil)
			return &body[Read]{Read{got.Added, got.Changed, got.Removed, got.Unread}}, err
		})
	operation(s, desk.Admin, huma.Operation{OperationID: "removeLibrary", Method: http.MethodDelete, Path: "/library", Summary: "Take a folder out of the library; its files stay"},
		func(ctx context.Context, _ desk.Caller, in *struct {
			Folder string `query:"folder" required:"true" minLength:"1" maxLength:"4096"`
		}) (*body[Library], error) {
			if err := s.desk.RemoveLibrary(ctx, in.Folder); err != nil {
				return nil, err
			}
			list, err := s.desk.Libraries(ctx)
			return &body[Library]{Library{list}}, err
		})
}
