package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/cmd/kaoju/declaration"
	"github.com/kaoju/kaoju/cmd/kaoju/meaning"
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
	"github.com/kaoju/kaoju/internal/outbound"
	"github.com/kaoju/kaoju/internal/picture"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/recut"
	"github.com/kaoju/kaoju/internal/retrieval"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/sqlite"
	"github.com/kaoju/kaoju/internal/tool"
	"github.com/kaoju/kaoju/internal/toolkit"
)

// stack is the product wired together over one data folder.
type stack struct {
	db       *sqlite.DB
	intake   *ingest.Intake
	worker   *ingest.Worker
	workers  int             // files that are read at the same time
	parser   *reading.Reader // reads files, in processes of their own
	index    *retrieval.Local
	searcher *retrieval.Searcher
	meaning  *meaning.Meaning // search by meaning; nil without a model
	lexicons retrieval.Lexicons
	recut    *recut.Worker // cuts versions anew that a former chunker cut
	agent    *agent.Agent
	loop     agent.Deps // what the agent works with
	actions  *action.Engine
	desk     *desk.Desk
	gate     *auth.Gate
	setup    *auth.Setup      // of the first administrator's password; nil if there is none
	provider *auth.Federation // through which people sign in; nil if none is set
	issuer   string           // of the provider of the settings, "" if none is set
	model    llm.Info
	health   func() llm.Health // of the model's endpoint; nil without one
	verifier llm.Info          // the zero value if the rules alone check
	log      *slog.Logger
}

// The tenant and user of a fresh data folder.
const (
	firstTenant access.TenantID = "default"
	firstUser   access.UserID   = "admin"
)

// open opens a data folder and wires the product over it. A fresh folder gets the tenant
// "default" with the user "admin", unless bare is set.
func open(ctx context.Context, conf *setting.Config, dir string, options sqlite.Options, log *slog.Logger) (*stack, error) {
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
func (s *stack) renew(ctx context.Context) error {
	n, err := retrieval.Renew(ctx, s.db.Segments(), s.lexicons)
	if n > 0 {
		s.log.Info("search segments were built again for this version", "versions", n)
	}
	if err != nil {
		return err
	}
	n, err = retrieval.Reword(ctx, s.db.Segments(), s.db.Tenancy().Lexicons(), s.lexicons)
	if n > 0 {
		s.log.Info("search segments were built again for the words of their tenants", "versions", n)
	}
	return err
}

func assemble(conf *setting.Config, db *sqlite.DB, log *slog.Logger) (*stack, error) {
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
	generator, err := generatorOf(conf)
	if err != nil {
		return nil, err
	}
	extractor := llm.Generator(nil)
	if generator.Info().Engine == llm.Model {
		extractor = rules.New()
	}
	verifier, err := verifierOf(conf)
	if err != nil {
		return nil, err
	}
	s := &stack{
		db: db, parser: parser, actions: actions, index: local, searcher: searcher, meaning: near, lexicons: lexicons,
		workers: conf.Number("workers"), model: generator.Info(), issuer: conf.Get("oidc_issuer"), log: log,
	}
	if m, ok := generator.(llm.Monitored); ok {
		s.health = m.Health
	}
	if verifier != nil {
		s.verifier = verifier.Info()
	}
	s.intake = &ingest.Intake{
		Directory: db.Directory(), Catalog: db.Catalog(), Blobs: db.Blobs(), MaxBytes: int64(conf.Number("max_file_bytes")),
	}
	s.worker = &ingest.Worker{Queue: db.Queue(), Publisher: db.Publisher(), Blobs: db.Blobs(), Chunking: chunk.Options{}, Log: log, Lexicons: lexicons,
		Reader: parser, FileTime: conf.Duration("file_time")}
	s.recut = &recut.Worker{Queue: db.Recuts(), Store: db.Recuts(), Log: log, Lexicons: lexicons}
	s.loop = agent.Deps{
		Directory: db.Directory(), Journal: db.Journal(), Events: db.Events(), Executor: executor, Memory: db.Memory(),
		Catalog: db.Catalog(), Generator: generator, Rules: extractor, Verifier: verifier, Limits: limits(conf), Clock: time.Now, Log: log,
		Parallel: conf.Number("runs"),
	}
	s.agent = agent.New(s.loop)
	s.desk = desk.New(desk.Deps{
		Directory: db.Directory(), Catalog: db.Catalog(), Texts: db.Texts(), Blobs: db.Blobs(), Bases: db.Bases(), Jobs: db.Jobs(),
		Journal: db.Journal(), Events: db.Events(), Ledger: db.Ledger(), Trees: db.Proof(), Tapes: db.Proof(), Search: searcher,
		Admin: db.Admin(), Tenancy: db.Tenancy(), Lexicons: db.Tenancy().Lexicons(), Approvals: db.Approvals(), Tasks: db.Tasks(), Actions: actions, Memory: db.Memory(),
		Drafts: db.Drafts(), Feedback: db.Feedback(), Results: db.Results(), History: history,
		Pages: picture.New(picture.Options{Painter: parser.Pages, Folder: picture.Folder{Path: db.Cache()}, Parallel: reading.PageChildren, Log: log}),
	})
	s.gate = auth.NewGate(auth.GateDeps{Tokens: db.Auth(), Logins: db.Logins(), Identities: db.Identities(), Directory: db.Directory(), Tenants: db.Admin().Tenants})
	return s, nil
}

// actionsOf makes what proposes and carries out calls of the declared tools.
func actionsOf(conf *setting.Config, db *sqlite.DB, log *slog.Logger) (*action.Engine, error) {
	tools, err := declaration.Read(conf.Get("tools_file"), conf.Keys)
	if err != nil {
		return nil, exit{exitUsage, err.Error()}
	}
	e, err := action.New(action.Deps{
		Directory: db.Directory(), Catalog: db.Catalog(), Journal: db.Journal(), Book: db.Approvals(), Tasks: db.Tasks(),
		Confirm: conf.Get("confirm_sensitive") != "no", Clock: time.Now, Log: log,
	}, tools)
	if path := conf.Get("tools_file"); err != nil && path != "" {
		err = exit{exitUsage, fmt.Sprintf("tools file %s: %v", path, err)}
	}
	return e, err
}

// client calls the server that --server names.
func (c *cli) client(conf *setting.Config) (*api.Client, error) {
	if conf.Get("token") == "" {
		return nil, exit{exitUsage, "a server needs a token: --token or KAOJU_TOKEN"}
	}
	client, err := outbound.To(conf.Get("server"))
	if err != nil {
		return nil, err
	}
	return api.NewClient(client, conf.Get("server"), conf.Get("token")), nil
}

// limits are the limits of every run under the settings.
func limits(conf *setting.Config) run.Limits {
	l := run.DefaultLimits()
	l.Total, l.Request, l.Tokens = conf.Duration("run_time"), conf.Duration("request_time"), conf.Number("run_tokens")
	return l
}

func (s *stack) close() {
	s.actions.Close()
	s.agent.Close()
	if err := s.parser.Close(); err != nil {
		s.log.Error("the folder of the parser processes was not removed", "error", err)
	}
	if err := s.db.Close(); err != nil {
		s.log.Error("data folder did not close cleanly", "error", err)
	}
}

// found prepares a fresh folder: its first tenant and user. It does nothing on any other.
func (s *stack) found(ctx context.Context) (fresh bool, err error) {
	tenants, err := s.db.Admin().Tenants(ctx)
	if err != nil || len(tenants) > 0 {
		return false, err
	}
	if err := s.db.Admin().CreateTenant(ctx, firstTenant, "Default"); err != nil {
		return false, err
	}
	return true, s.db.Admin().PutUser(ctx, firstTenant, firstUser, access.Identity{
		User: firstUser, DisplayName: "Administrator",
		Roles: []access.Role{access.Member, access.KnowledgeAdmin, access.TenantAdmin, access.Auditor},
	})
}

// operator is the actor of a command on a data folder: the user named by --as, in the tenant
// named by --tenant or in the only one there is.
func (s *stack) operator(ctx context.Context, conf *setting.Config) (access.Actor, error) {
	tenant := access.TenantID(conf.Get("tenant"))
	if tenant == "" {
		tenants, err := s.db.Admin().Tenants(ctx)
		if err != nil {
			return access.Actor{}, err
		}
		if len(tenants) != 1 {
			return access.Actor{}, exit{exitUsage, fmt.Sprintf("this folder has several tenants %v: say which with --tenant", tenants)}
		}
		tenant = tenants[0]
	}
	actor := access.Actor{Tenant: tenant, User: access.UserID(conf.Get("as")), Operator: true}
	if _, err := access.Resolve(ctx, s.db.Directory(), actor, access.Request{}); err != nil {
		if problem.Is(err, problem.NotFound) {
			return access.Actor{}, exit{exitRefused, fmt.Sprintf("there is no active user %q in tenant %q: say who with --as", actor.User, tenant)}
		}
		return access.Actor{}, err
	}
	return actor, nil
}

// onFolderOf runs a command's body on a data folder that is there, whoever is in it.
func (c *cli) onFolderOf(ctx context.Context, conf *setting.Config, body func(*stack) error) error {
	dir := conf.Get("data")
	if _, err := os.Stat(dir); err != nil {
		return exit{exitRefused, fmt.Sprintf("%s: there is no data folder; make one with kaoju kb create or kaoju serve, or name another with --data", dir)}
	}
	s, err := open(ctx, conf, dir, sqlite.Options{}, c.quiet(conf))
	if err != nil {
		return err
	}
	defer s.close()
	return body(s)
}

// onFolder runs a command's body on the data folder. create makes a folder that does not exist.
func (c *cli) onFolder(ctx context.Context, conf *setting.Config, create bool, body func(*stack, access.Actor) error) error {
	act := func(s *stack) error { return c.acting(ctx, conf, s, body) }
	if !create {
		return c.onFolderOf(ctx, conf, act)
	}
	s, err := open(ctx, conf, conf.Get("data"), sqlite.Options{}, c.quiet(conf))
	if err != nil {
		return err
	}
	defer s.close()
	return act(s)
}

// acting runs a command's body as the operator.
func (c *cli) acting(ctx context.Context, conf *setting.Config, s *stack, body func(*stack, access.Actor) error) error {
	if _, err := s.found(ctx); err != nil {
		return err
	}
	actor, err := s.operator(ctx, conf)
	if err != nil {
		return err
	}
	return body(s, actor)
}
