// Package httpapi is the REST and event-stream door of Kaoju.
//
// Every operation is declared from Go types, which also make the OpenAPI description; the wire
// types are those of package api. One front stands before all of them: it contains panics, sets
// the security headers, authenticates, and answers whatever is not there with the same 404. The
// handlers hold no rules: they turn a request into a call of desk, agent or ingest, and the
// result into wire types.
//
// What a request with an Idempotency-Key made is remembered by the store, for a day and a bounded
// number of requests of each actor; a repetition is answered under the rights of its own moment.
package httpapi

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/httpapi/strict"
	"github.com/kaoju/kaoju/internal/idempotency"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/run"
)

// Runner starts runs; *agent.Agent is the one.
type Runner interface {
	Start(ctx context.Context, actor access.Actor, req agent.Request) (run.ID, error)
	// Await returns when the attempt of a run has ended.
	Await(ctx context.Context, actor access.Actor, id run.ID) error
	// Cancel asks a run to stop; one that has ended stays as it is.
	Cancel(ctx context.Context, actor access.Actor, id run.ID) (*run.Run, error)
	// Resume goes on with an interrupted run; any other but one that waits is a conflict.
	Resume(ctx context.Context, actor access.Actor, id run.ID) (*run.Run, error)
}

// Intake takes uploads in.
type Intake interface {
	Upload(ctx context.Context, actor access.Actor, up corpus.Upload, body io.Reader) (corpus.Reservation, error)
}

// Deps are what the door opens to.
type Deps struct {
	Desk   *desk.Desk
	Gate   *auth.Gate
	Runner Runner
	Intake Intake
	// Requests remembers what requests with an Idempotency-Key made.
	Requests idempotency.Store
	// Setup lets the first administrator choose a password; nil where there is nothing to set up.
	Setup *auth.Setup
	// Federation lets people in through an identity provider; nil where none is set.
	Federation *auth.Federation
	// Ready says whether the server can work; nil means it always can. The error is for the log.
	Ready func(ctx context.Context) error

	Version string
	Model   llm.Info
	// Fallback is what answers the tenants whose text must not go to Model; it is local.
	Fallback llm.Info
	// ModelHealth tells how the model's endpoint last answered; nil without a model.
	ModelHealth func() llm.Health
	// Verifier checks sentences beside the rules; the zero value if nothing does.
	Verifier llm.Info
	// Reranker reorders hits; the zero value if nothing does.
	Reranker llm.Info
	Limits   run.Limits
	// Embedding describes the embedding model, and how many of the versions that the actor may read
	// wait for vectors; nil if there is none.
	Embedding func(ctx context.Context, actor access.Actor) (api.Embedding, error)

	// Chunking tells how many of the versions that the actor may read wait to be cut anew; nil if none ever does.
	Chunking func(ctx context.Context, actor access.Actor) (api.Chunking, error)

	// UploadBytes bounds one uploaded file; 0 means 100 MiB. Spool is the folder for uploads on
	// their way in; "" means the system's.
	UploadBytes int64
	Spool       string
	// Hosts, if not empty, are the only names by which the server answers, without port. A
	// server on the loopback interface sets them, so that a web page cannot reach it under a
	// name of its own.
	Hosts []string
	// PerCredential and PerTenant limit all requests with one token or session, and all of one
	// tenant. Zero ones limit nothing.
	PerCredential, PerTenant auth.Rate
	// Pages are what answers at the addresses of the web interface, by patterns of net/http, to
	// anybody and without credentials. Without any, the first page is a plain text.
	Pages map[string]http.Handler
	// SecureCookie marks the session's cookie as one for TLS alone, where TLS ends at a proxy. A
	// connection with TLS of its own is always marked so; no header of a request is believed.
	SecureCookie bool

	Pace  Pace
	Clock func() time.Time
	Log   *slog.Logger
}

// Pace times event streams and slow clients. Zero fields have defaults.
type Pace struct {
	Recheck   time.Duration // rights of an idle stream are checked anew; 2 s
	Heartbeat time.Duration // a comment on an idle stream; 15 s
	Write     time.Duration // a reader that takes longer for one write is cut off; 10 s
	Body      time.Duration // a client that sends nothing of its body for so long is cut off; 30 s
}

// Loopback are the names of a server that listens on the loopback interface.
func Loopback() []string { return []string{"localhost", "127.0.0.1", "::1"} }

// maxBody bounds the JSON body of a request.
const maxBody = 1 << 20

type server struct {
	deps Deps
	mux  *http.ServeMux
	api  huma.API
	keys *keys
	// origins refuses what a page of another site makes a browser send with its cookie.
	origins                *http.CrossOriginProtection
	perCredential, tenants *auth.Limiter
}

// settings of the HTTP framework are variables of its package, the same for the whole process.
var settings sync.Once

// New returns the handler of everything below /api, the health checks, the OpenAPI description
// and the plain first page.
func New(deps Deps) http.Handler { return newServer(deps).front() }

func newServer(deps Deps) *server {
	settings.Do(func() {
		huma.NewError = newProblem
		huma.ValidateStrictCasing = true
		huma.DefaultArrayNullable = false
	})
	fill(&deps)
	s := &server{
		deps: deps, mux: http.NewServeMux(), keys: newKeys(deps.Requests, deps.Clock), origins: http.NewCrossOriginProtection(),
		perCredential: auth.NewLimiter(deps.PerCredential), tenants: auth.NewLimiter(deps.PerTenant),
	}
	cfg := huma.DefaultConfig("Kaoju 考据", deps.Version)
	cfg.Info.Description = "A knowledge agent whose every answer can be checked. 每个答案都可以查证的知识助手。"
	cfg.DocsPath, cfg.SchemasPath, cfg.OpenAPIPath, cfg.CreateHooks = "", "", "", nil
	format := huma.Format{Marshal: huma.DefaultJSONFormat.Marshal, Unmarshal: strict.Decode}
	cfg.Formats = map[string]huma.Format{"application/json": format, "json": format}
	cfg.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"token": {Type: "http", Scheme: "bearer"}, "session": {Type: "apiKey", In: "cookie", Name: sessionCookie},
	}
	s.api = humago.New(s.mux, cfg)
	s.self()
	s.pages()
	s.bases()
	s.documents()
	s.readers()
	s.uploads()
	s.jobs()
	s.search()
	s.runs()
	s.streams()
	s.ledger()
	s.proofs()
	s.versions()
	s.drafts()
	s.sessions()
	s.tokens()
	s.federation()
	s.identities()
	s.people()
	s.synonyms()
	s.evaluations()
	s.describe()
	s.describeFederation()
	return s
}

func fill(d *Deps) {
	if d.UploadBytes == 0 {
		d.UploadBytes = 100 << 20
	}
	if d.Limits == (run.Limits{}) {
		d.Limits = run.DefaultLimits()
	}
	if d.Clock == nil {
		d.Clock = time.Now
	}
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	if d.Pace.Recheck == 0 {
		d.Pace.Recheck = 2 * time.Second
	}
	if d.Pace.Heartbeat == 0 {
		d.Pace.Heartbeat = 15 * time.Second
	}
	if d.Pace.Write == 0 {
		d.Pace.Write = 10 * time.Second
	}
	if d.Pace.Body == 0 {
		d.Pace.Body = 30 * time.Second
	}
}

// operation declares one operation. A status of 0 is 200.
func operation(id, method, path, summary string, status int) huma.Operation {
	return huma.Operation{
		OperationID: id, Method: method, Path: path, Summary: summary, DefaultStatus: status,
		// The front times the body; a deadline of the framework's would outlast it.
		MaxBodyBytes: maxBody, BodyReadTimeout: -1,
		Security: []map[string][]string{{"token": {}}, {"session": {}}},
	}
}

// handle registers an operation whose errors are mapped in one place.
func handle[I, O any](s *server, op huma.Operation, fn func(ctx context.Context, actor access.Actor, in *I) (*O, error)) {
	huma.Register(s.api, op, func(ctx context.Context, in *I) (*O, error) {
		out, err := fn(ctx, actorOf(ctx), in)
		if err != nil {
			return nil, s.fault(ctx, err)
		}
		return out, nil
	})
}

// answer is a body without headers of its own.
type answer[T any] struct{ Body T }

// object is a body with the entity tag of a row that can be edited.
type object[T any] struct {
	ETag string `header:"ETag"`
	Body T
}

// nothing is the answer to what leaves nothing to say.
type nothing struct{}
