package serve

import (
	"context"
	"encoding/json"
	"net/http"
	"path"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"assay/app/desk"
)

// prefix begins every place but /mcp. It changes when an old program could no longer work.
const prefix = "/v1"

// roleKey is where the OpenAPI document says which role an operation needs.
const roleKey = "x-role"

// register makes the operations and the description of them.
func (s *Server) register() {
	cfg := huma.DefaultConfig("Assay", s.desk.Version())
	cfg.Info.Description = "Deep research that anyone can audit. Every operation needs a token (assay serve token add NAME --role ROLE); " + roleKey +
		" says which role. Faults are problems of RFC 9457 whose detail is one sentence that says what to do: 401 no token that is known; 403 the role " +
		"does not allow it, or a browser asks; 404 no such thing; 409 not in the state that the run is in; 413, 415, 422 what was sent is too long, not JSON, " +
		"or not as described; 424 a model or its server is away; 429 too much at once or today, with Retry-After."
	cfg.OpenAPIPath, cfg.DocsPath, cfg.SchemasPath = "", "", "" // the first is registered below, and pages for browsers load what is elsewhere
	cfg.CreateHooks = nil
	cfg.RejectUnknownQueryParameters = true
	cfg.Transformers = []huma.Transformer{worded}
	cfg.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"token": {Type: "http", Scheme: "bearer", Description: "A token made with assay serve token add."},
	}
	cfg.Components.Schemas = huma.NewMapRegistry("#/components/schemas/", schemaName)
	s.api = humago.New(s.mux, cfg)
	s.homeOperations()
	s.runOperations()
	s.queueOperations()
	s.planOperations()
	s.eventOperations()
	s.reportOperations()
	s.libraryOperations()
}

// schemaName names a type of this package and of research as it is called, and any other with its package before it, so that no two
// have one name.
func schemaName(t reflect.Type, hint string) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	name := huma.DefaultSchemaNamer(t, hint)
	switch pkg := path.Base(t.PkgPath()); pkg {
	case "serve", "research", ".", "v2": // huma is in a folder of that name
		return name
	default:
		return strings.ToUpper(pkg[:1]) + pkg[1:] + name
	}
}

// operation registers one operation. Its role is looked at before anything that was sent is.
func operation[I, O any](s *Server, least desk.Role, op huma.Operation, fn func(context.Context, desk.Caller, *I) (*O, error)) {
	op.Path = prefix + op.Path
	op.BodyReadTimeout, op.MaxBodyBytes = -1, maxBody // see Server.body
	op.Security = []map[string][]string{{"token": {}}}
	op.Extensions = map[string]any{roleKey: string(least)}
	op.Middlewares = huma.Middlewares{func(ctx huma.Context, next func(huma.Context)) {
		if c, ok := desk.CallerOf(ctx.Context()); !ok || !c.Role.May(least) {
			_ = huma.WriteErr(s.api, ctx, http.StatusForbidden, // who asked is gone when this fails
				"the role "+string(c.Role)+" may not do this: it needs the role "+string(least))
			return
		}
		next(ctx)
	}}
	huma.Register(s.api, op, func(ctx context.Context, in *I) (*O, error) {
		c, _ := desk.CallerOf(ctx)
		out, err := fn(ctx, c, in)
		if err != nil {
			return nil, s.fault(ctx, err)
		}
		return out, nil
	})
}

// none is the input of an operation that takes nothing.
type none struct{}

// body is an answer in JSON.
type body[T any] struct{ Body T }

// raw is an answer that is written as it is.
type raw struct {
	ContentType string `header:"Content-Type"`
	Body        []byte
}

// rawAnswer describes an answer of [raw].
func rawAnswer(contentType, what string, schema *huma.Schema) map[string]*huma.Response {
	return map[string]*huma.Response{"200": {Description: what, Content: map[string]*huma.MediaType{contentType: {Schema: schema}}}}
}

var (
	anyText   = &huma.Schema{Type: huma.TypeString}
	anyObject = &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}
)

// RunPath names a run by its whole id.
type RunPath struct {
	ID string `path:"id" pattern:"^[0-9]{8}-[0-9]{6}-[0-9a-f]{6}$" doc:"The run's id." example:"20260102-030405-0a1b2c"`
}

// find returns the run's id when there is such a run.
func (s *Server) find(in RunPath) (string, error) {
	id, err := s.desk.FindRun(in.ID)
	if err == nil && id != in.ID {
		return "", notFound("there is no run of this id: list them with GET /v1/runs")
	}
	return id, err
}

func encode(v any) ([]byte, error) { return json.MarshalIndent(v, "", "  ") }
