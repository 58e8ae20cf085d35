// Package wiring puts the product together over one data folder, as the settings say. Every command works with what it
// makes, and none with a part that it made itself.
package wiring

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/kaoju/kaoju/cmd/kaoju/declaration"
	"github.com/kaoju/kaoju/cmd/kaoju/meaning"
	"github.com/kaoju/kaoju/cmd/kaoju/outcome"
	"github.com/kaoju/kaoju/cmd/kaoju/reading"
	"github.com/kaoju/kaoju/cmd/kaoju/reranker"
	"github.com/kaoju/kaoju/cmd/kaoju/setting"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/action"
	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/chunk"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/ingest"
	"github.com/kaoju/kaoju/internal/lexicon"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/rules"
	"github.com/kaoju/kaoju/internal/picture"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/recut"
	"github.com/kaoju/kaoju/internal/retrieval"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/sqlite"
	"github.com/kaoju/kaoju/internal/tool"
	"github.com/kaoju/kaoju/internal/toolkit"
)

// Product is the product wired together over one data folder.
type Product struct {
	DB       *sqlite.DB
	Intake   *ingest.Intake
	Worker   *ingest.Worker
	Workers  int             // files that are read at the same time
	Parser   *reading.Reader // reads files, in processes of their own
	Index    *retrieval.Local
	Searcher *retrieval.Searcher
	Meaning  *meaning.Meaning // search by meaning; nil without a model
	lexicons retrieval.Lexicons
	Recut    *recut.Worker // cuts versions anew that a former chunker cut
	Agent    *agent.Agent
	Loop     agent.Deps // what the agent works with
	Actions  *action.Engine
	Desk     *desk.Desk
	Gate     *auth.Gate
	Issuer   string // of the provider of the settings, "" if none is set
	Model    llm.Info
	Health   func() llm.Health // of the model's endpoint; nil without one
	Verifier llm.Info          // the zero value if the rules alone check
	Log      *slog.Logger
}

// The tenant and user of a fresh data folder.
const (
	FirstTenant access.TenantID = "default"
	FirstUser   access.UserID   = "admin"
)

// Open opens a data folder and wires the product over it. Found makes the first tenant and user of a fresh one.
func Open(ctx context.Context, conf *setting.Config, dir string, options sqlite.Options, log *slog.Logger) (*Product, error) {
	db, err := sqlite.Open(ctx, dir, options)
	if err != nil {
		return nil, err
	}
	s, err := assemble(conf, db, log)
	if err == nil {
		err = s.renew(ctx)
	}
	if err != nil {
		db.Close()
		return nil, err
	}
	return s, nil
}

// renew builds the search segments again that a former version of the analysis made, or that have former
// words of their tenant.
func (s *Product) renew(ctx context.Context) error {
	n, err := retrieval.Renew(ctx, s.DB.Segments(), s.lexicons)
	if n > 0 {
		s.Log.Info("search segments were built again for this version", "versions", n)
	}
	if err != nil {
		return err
	}
	n, err = retrieval.Reword(ctx, s.DB.Segments(), s.DB.Tenancy().Lexicons(), s.lexicons)
	if n > 0 {
		s.Log.Info("search segments were built again for the words of their tenants", "versions", n)
	}
	return err
}

func assemble(conf *setting.Config, db *sqlite.DB, log *slog.Logger) (*Product, error) {
	lexicons := lexicon.NewReader(db.Tenancy().Lexicons()).Of
	local := retrieval.NewLocal(db.Segments())
	local.Lexicons, local.Merged, local.Log = lexicons, db.Merged(), log
	searcher, near, err := meaning.Open(conf.Meaning(), local, db, log)
	if err != nil {
		return nil, err
	}
	if searcher.Reranking, err = reranker.Open(conf.Reranker(), log); err != nil {
		return nil, err
	}
	parser := readerOf(conf, db.Spool(), log)
	history := toolkit.NewHistory(db.Directory(), db.Catalog(), db.Texts(), db.Blobs(), db.Ledger(), toolkit.Parsing(parser))
	executor, err := tool.NewExecutor(db.Directory(), []tool.Tool{
		toolkit.NewSearch(db.Directory(), searcher, db.Texts(), toolkit.Versions(db.Catalog())),
		toolkit.NewRead(db.Directory(), db.Catalog(), db.Texts()),
		history,
	}, tool.Options{})
	if err != nil {
		return nil, err
	}
	actions, err := actionsOf(conf, db, log)
	if err != nil {
		return nil, err
	}
	generator, err := GeneratorOf(conf)
	if err != nil {
		return nil, err
	}
	extractor := llm.Generator(nil)
	if generator.Info().Engine == llm.Model {
		extractor = rules.New()
	}
	verifier, err := VerifierOf(conf)
	if err != nil {
		return nil, err
	}
	s := &Product{
		DB: db, Parser: parser, Actions: actions, Index: local, Searcher: searcher, Meaning: near, lexicons: lexicons,
		Workers: conf.Number("workers"), Model: generator.Info(), Issuer: conf.Get("oidc_issuer"), Log: log,
	}
	if m, ok := generator.(llm.Monitored); ok {
		s.Health = m.Health
	}
	if verifier != nil {
		s.Verifier = verifier.Info()
	}
	s.Intake = &ingest.Intake{
		Directory: db.Directory(), Catalog: db.Catalog(), Blobs: db.Blobs(), MaxBytes: int64(conf.Number("max_file_bytes")),
	}
	s.Worker = &ingest.Worker{Queue: db.Queue(), Publisher: db.Publisher(), Blobs: db.Blobs(), Chunking: chunk.Options{}, Log: log, Lexicons: lexicons,
		Reader: parser, FileTime: conf.Duration("file_time")}
	s.Recut = &recut.Worker{Queue: db.Recuts(), Store: db.Recuts(), Log: log, Lexicons: lexicons}
	s.Loop = agent.Deps{
		Directory: db.Directory(), Journal: db.Journal(), Events: db.Events(), Executor: executor, Memory: db.Memory(),
		Catalog: db.Catalog(), Generator: generator, Rules: extractor, Verifier: verifier, Limits: Limits(conf), Clock: time.Now, Log: log,
		Parallel: conf.Number("runs"),
	}
	s.Agent = agent.New(s.Loop)
	s.Desk = desk.New(desk.Deps{
		Directory: db.Directory(), Catalog: db.Catalog(), Texts: db.Texts(), Blobs: db.Blobs(), Bases: db.Bases(), Jobs: db.Jobs(),
		Journal: db.Journal(), Events: db.Events(), Ledger: db.Ledger(), Trees: db.Proof(), Tapes: db.Proof(), Search: searcher,
		Admin: db.Admin(), Tenancy: db.Tenancy(), Lexicons: db.Tenancy().Lexicons(), Approvals: db.Approvals(), Tasks: db.Tasks(), Actions: actions, Memory: db.Memory(),
		Drafts: db.Drafts(), Feedback: db.Feedback(), Results: db.Results(), History: history,
		Pages: picture.New(picture.Options{Painter: parser.Pages, Folder: picture.Folder{Path: db.Cache()}, Parallel: reading.PageChildren, Log: log}),
	})
	s.Gate = auth.NewGate(auth.GateDeps{Tokens: db.Auth(), Logins: db.Logins(), Identities: db.Identities(), Directory: db.Directory(), Tenants: db.Admin().Tenants})
	return s, nil
}

// actionsOf makes what proposes and carries out calls of the declared tools.
func actionsOf(conf *setting.Config, db *sqlite.DB, log *slog.Logger) (*action.Engine, error) {
	tools, err := declaration.Read(conf.Get("tools_file"), conf.Keys)
	if err != nil {
		return nil, outcome.New(outcome.Usage, err.Error())
	}
	e, err := action.New(action.Deps{
		Directory: db.Directory(), Catalog: db.Catalog(), Journal: db.Journal(), Book: db.Approvals(), Tasks: db.Tasks(),
		Confirm: conf.Get("confirm_sensitive") != "no", Clock: time.Now, Log: log,
	}, tools)
	if path := conf.Get("tools_file"); err != nil && path != "" {
		err = outcome.New(outcome.Usage, fmt.Sprintf("tools file %s: %v", path, err))
	}
	return e, err
}

// Limits are the limits of every run under the settings.
func Limits(conf *setting.Config) run.Limits {
	l := run.DefaultLimits()
	l.Total, l.Request, l.Tokens = conf.Duration("run_time"), conf.Duration("request_time"), conf.Number("run_tokens")
	return l
}

// Close ends the use of the folder, and what works on it.
func (s *Product) Close() {
	s.Actions.Close()
	s.Agent.Close()
	if err := s.Parser.Close(); err != nil {
		s.Log.Error("the folder of the parser processes was not removed", "error", err)
	}
	if err := s.DB.Close(); err != nil {
		s.Log.Error("data folder did not close cleanly", "error", err)
	}
}

// Found prepares a fresh folder: its first tenant and user. It does nothing on any other.
func (s *Product) Found(ctx context.Context) (fresh bool, err error) {
	tenants, err := s.DB.Admin().Tenants(ctx)
	if err != nil || len(tenants) > 0 {
		return false, err
	}
	if err := s.DB.Admin().CreateTenant(ctx, FirstTenant, "Default"); err != nil {
		return false, err
	}
	return true, s.DB.Admin().PutUser(ctx, FirstTenant, FirstUser, access.Identity{
		User: FirstUser, DisplayName: "Administrator",
		Roles: []access.Role{access.Member, access.KnowledgeAdmin, access.TenantAdmin, access.Auditor},
	})
}

// Operator is the actor of a command on a data folder: the user named by --as, in the tenant
// named by --tenant or in the only one there is.
func (s *Product) Operator(ctx context.Context, conf *setting.Config) (access.Actor, error) {
	tenant := access.TenantID(conf.Get("tenant"))
	if tenant == "" {
		tenants, err := s.DB.Admin().Tenants(ctx)
		if err != nil {
			return access.Actor{}, err
		}
		if len(tenants) != 1 {
			return access.Actor{}, outcome.New(outcome.Usage, fmt.Sprintf("this folder has several tenants %v: say which with --tenant", tenants))
		}
		tenant = tenants[0]
	}
	actor := access.Actor{Tenant: tenant, User: access.UserID(conf.Get("as")), Operator: true}
	if _, err := access.Resolve(ctx, s.DB.Directory(), actor, access.Request{}); err != nil {
		if problem.Is(err, problem.NotFound) {
			return access.Actor{}, outcome.New(outcome.Refused, fmt.Sprintf("there is no active user %q in tenant %q: say who with --as", actor.User, tenant))
		}
		return access.Actor{}, err
	}
	return actor, nil
}
