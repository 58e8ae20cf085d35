package hostiletest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/httpapi"
	"github.com/kaoju/kaoju/internal/ingest"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/rules"
	"github.com/kaoju/kaoju/internal/retrieval"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/sqlite"
	"github.com/kaoju/kaoju/internal/tool"
	"github.com/kaoju/kaoju/internal/toolkit"
)

const (
	acme   = access.TenantID("acme")
	globex = access.TenantID("globex")
	alice  = access.UserID("alice")
	carol  = access.UserID("carol") // knowledge administrator, manages every base of acme
	erin   = access.UserID("erin")  // manages the base of globex
	travel = access.KnowledgeBaseID("kb-travel")
)

const question = "上海住宿上限是多少？"

// answered is a good answer to the question.
const answered = "结论：上海住宿上限为每晚 650 元。[S1]\n依据：上海住宿上限为每晚 650 元。[S1]"

const policy = "# 差旅政策\n\n## 住宿标准\n\n上海住宿上限为每晚 650 元。北京住宿上限为每晚 600 元。\n"

// notebook keeps what was logged at every level.
type notebook struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (n *notebook) Write(p []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.b.Write(p)
}

// take returns what was logged since it was last taken.
func (n *notebook) take() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	defer n.b.Reset()
	return n.b.String()
}

// counted is a tool that counts how often it really ran.
type counted struct {
	tool.Tool
	calls *atomic.Int32
}

func (c counted) Call(ctx context.Context, call tool.Call) (tool.Result, error) {
	c.calls.Add(1)
	return c.Tool.Call(ctx, call)
}

// world is the product over one folder, without a model: each run brings its own.
type world struct {
	t        *testing.T
	db       *sqlite.DB
	intake   *ingest.Intake
	worker   *ingest.Worker
	executor *tool.Executor
	desk     *desk.Desk
	door     http.Handler
	ran      atomic.Int32 // tools that really ran
	log      notebook
}

func newWorld(t *testing.T) *world {
	t.Helper()
	db, err := sqlite.Open(t.Context(), t.TempDir(), sqlite.Options{Ephemeral: true})
	check(t, err)
	w := &world{t: t, db: db}
	t.Cleanup(func() { _ = db.Close() })
	searcher := retrieval.NewSearcher(retrieval.NewLocal(db.Segments()), db.Texts())
	history := toolkit.NewHistory(db.Directory(), db.Catalog(), db.Texts(), db.Blobs(), db.Ledger())
	var tools []tool.Tool
	for _, x := range []tool.Tool{toolkit.NewSearch(db.Directory(), searcher, db.Texts(), toolkit.Versions(db.Catalog())), toolkit.NewRead(db.Directory(), db.Catalog(), db.Texts()), history} {
		tools = append(tools, counted{x, &w.ran})
	}
	w.executor, err = tool.NewExecutor(db.Directory(), tools, tool.Options{})
	check(t, err)
	w.intake = &ingest.Intake{Directory: db.Directory(), Catalog: db.Catalog(), Blobs: db.Blobs()}
	w.worker = &ingest.Worker{Queue: db.Queue(), Publisher: db.Publisher(), Blobs: db.Blobs(), Log: w.logger()}
	w.desk = desk.New(desk.Deps{
		Directory: db.Directory(), Catalog: db.Catalog(), Texts: db.Texts(), Blobs: db.Blobs(), Bases: db.Bases(), Jobs: db.Jobs(),
		Journal: db.Journal(), Events: db.Events(), Ledger: db.Ledger(), Trees: db.Proof(), Search: searcher, Admin: db.Admin(), Tenancy: db.Tenancy(),
		Approvals: db.Approvals(), Memory: db.Memory(), History: history,
	})
	gate := auth.NewGate(auth.GateDeps{Tokens: db.Auth(), Logins: db.Logins(), Directory: db.Directory(), Tenants: db.Admin().Tenants})
	w.door = httpapi.New(httpapi.Deps{Gate: gate, Desk: w.desk, Intake: w.intake, Spool: db.Spool(), Log: w.logger(), Version: "hostiletest", Runner: (*agent.Agent)(nil)})
	for _, tenant := range []access.TenantID{acme, globex} {
		check(t, db.Admin().CreateTenant(t.Context(), tenant, string(tenant)))
	}
	for user, tenant := range map[access.UserID]access.TenantID{alice: acme, carol: acme, erin: globex} {
		roles := []access.Role{access.Member}
		if user != alice {
			roles = append(roles, access.KnowledgeAdmin, access.TenantAdmin)
		}
		check(t, db.Admin().PutUser(t.Context(), tenant, "system", access.Identity{User: user, Roles: roles}))
	}
	return w
}

func (w *world) logger() *slog.Logger {
	return slog.New(slog.NewJSONHandler(&w.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// base makes a knowledge base of its manager that publishes directly, for the readers.
func (w *world) base(tenant access.TenantID, manager access.UserID, kb access.KnowledgeBaseID, readers ...access.Principal) {
	w.t.Helper()
	ctx := w.t.Context()
	actor := access.Actor{Tenant: tenant, User: manager}
	_, err := w.desk.CreateBase(ctx, actor, kb, string(kb))
	check(w.t, err)
	direct := access.Directly
	_, err = w.desk.EditBase(ctx, actor, kb, desk.BaseChange{Publishing: &direct})
	check(w.t, err)
	grants := []access.Grant{{Principal: access.User(manager), Level: access.Manager}}
	for _, r := range readers {
		grants = append(grants, access.Grant{Principal: r, Level: access.Reader})
	}
	check(w.t, access.Within(ctx, w.db.Directory(), actor, access.Request{View: access.Catalog}, func(s access.Scope) error {
		return w.db.Bases().SetGrants(ctx, s, kb, grants)
	}))
}

// put takes a document in; publish reads all that were put.
func (w *world) put(tenant access.TenantID, manager access.UserID, up corpus.Upload, text string) {
	w.t.Helper()
	_, err := w.intake.Upload(w.t.Context(), access.Actor{Tenant: tenant, User: manager}, up, strings.NewReader(text))
	check(w.t, err)
}

func (w *world) publish() {
	w.t.Helper()
	check(w.t, w.worker.Drain(w.t.Context()))
}

// agent is the loop with a model.
func (w *world) agent(g llm.Generator, change func(*agent.Deps)) *agent.Agent {
	deps := agent.Deps{
		Directory: w.db.Directory(), Journal: w.db.Journal(), Events: w.db.Events(), Executor: w.executor, Memory: w.db.Memory(), Catalog: w.db.Catalog(),
		Generator: g, Rules: rules.New(), Limits: run.DefaultLimits(), Clock: time.Now, Log: w.logger(),
	}
	if change != nil {
		change(&deps)
	}
	return agent.New(deps)
}

// outcome is a run that has ended, with all that was stored of it.
type outcome struct {
	*run.Run
	evidence []citation.Evidence
	events   []event.Event
	logged   string
	ran      int32 // tools that really ran
}

// ask runs one request of alice to its end.
func (w *world) ask(g llm.Generator, req agent.Request, change func(*agent.Deps)) outcome {
	w.t.Helper()
	w.log.take()
	a := w.agent(g, change)
	defer a.Close()
	before := w.ran.Load()
	actor := access.Actor{Tenant: acme, User: alice}
	id, err := a.Start(w.t.Context(), actor, req)
	check(w.t, err)
	check(w.t, a.Await(w.t.Context(), actor, id))
	out := w.read(id)
	out.ran = w.ran.Load() - before
	return out
}

// read loads a run of alice that has ended and checks what holds of every one.
func (w *world) read(id run.ID) outcome {
	w.t.Helper()
	ctx := w.t.Context()
	r, evidence, err := w.db.Journal().Run(ctx, acme, alice, id)
	check(w.t, err)
	events, err := w.db.Events().After(ctx, string(id), 0, 10000)
	check(w.t, err)
	closing := 0
	for i, e := range events {
		if e.Sequence != int64(i+1) {
			w.t.Errorf("event %d has sequence %d", i+1, e.Sequence)
		}
		if e.Type.Closes() {
			closing++
		}
	}
	if closing != 1 || !events[len(events)-1].Type.Closes() || !r.State.Final() {
		w.t.Errorf("%d closing events in state %s", closing, r.State)
	}
	return outcome{Run: r, evidence: evidence, events: events, logged: w.log.take()}
}

// told is everything of a run that its actor is told, and what was logged: one text to search.
func (o outcome) told() string {
	var b strings.Builder
	for _, e := range o.events {
		b.WriteString(string(e.Type) + " " + string(e.Data) + "\n")
	}
	rest, err := json.Marshal([]any{o.Answer, o.Checks, o.Notices, o.Calls, o.Reason})
	if err != nil {
		panic(err)
	}
	return b.String() + string(rest) + "\n" + o.logged
}

// cause is the cause of the failed model call that the events tell.
func (o outcome) cause() llm.Cause {
	for _, e := range o.events {
		var data struct{ Cause llm.Cause }
		if e.Type == event.ModelFailed && json.Unmarshal(e.Data, &data) == nil {
			return data.Cause
		}
	}
	return ""
}

// entries returns all ledger entries of a tenant.
func (w *world) entries(tenant access.TenantID) []ledger.Entry {
	w.t.Helper()
	all, err := w.db.Ledger().Entries(w.t.Context(), string(tenant), 0, 100000)
	check(w.t, err)
	return all
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// ended is the state and reason in one word.
func (o outcome) ended() string { return string(o.State) + "/" + string(o.Reason) }

var errGone = errors.New("this host is not known")

// failing is a directory that answers once, when a run is made, and then breaks.
type failing struct {
	access.Directory
	asked atomic.Int32
}

func (f *failing) Snapshot(ctx context.Context, tenant access.TenantID, user access.UserID) (access.Snapshot, error) {
	if f.asked.Add(1) > 1 {
		return access.Snapshot{}, errGone
	}
	return f.Directory.Snapshot(ctx, tenant, user)
}
