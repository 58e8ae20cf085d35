package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/ingest"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/llmtest"
	"github.com/kaoju/kaoju/internal/llm/rules"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/retrieval"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/sqlite"
	"github.com/kaoju/kaoju/internal/tool"
	"github.com/kaoju/kaoju/internal/toolkit"
)

const (
	tenant = access.TenantID("acme")
	alice  = access.UserID("alice")
	carol  = access.UserID("carol") // knowledge administrator and manager
	base   = access.KnowledgeBaseID("kb-policies")
)

// rig is the real product around a scripted model: SQLite, index, tools, executor and agent.
type rig struct {
	t      *testing.T
	db     *sqlite.DB
	agent  *agent.Agent
	deps   agent.Deps
	script *llmtest.Script
	search *switched
}

// switched lets a test make a tool fail like a broken dependency.
type switched struct {
	tool.Tool
	broken atomic.Bool
	calls  atomic.Int32
	during func() // called in the middle, if set
}

func (s *switched) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	s.calls.Add(1)
	if s.during != nil {
		s.during()
	}
	if s.broken.Load() {
		return tool.Result{}, errors.New("the index is on fire")
	}
	return s.Tool.Call(ctx, c)
}

var documents = map[string]string{
	"travel.md":  "# 差旅政策\n\n## 住宿标准\n\n上海住宿上限为每晚 650 元。北京住宿上限为每晚 600 元。\n\n## 交通\n\n高铁二等座可以报销。\n",
	"expense.md": "# 报销政策\n\n报销需要在 30 天内提交发票。住宿发票必须写明晚数。\n",
	"remote.md":  "# 远程办公政策\n\n每周最多两天远程办公。政策自 2026 年起执行。\n",
	"leave.md":   "# 休假政策\n\n年假为每年 10 天。政策由人事部解释。\n",
	"long.md":    "# 长政策\n\n" + strings.Repeat("这一条政策说明流程中的一个步骤，请按顺序执行并留存记录。\n\n", 400),
}

// template is a data folder with the people and the published documents, made once.
var template = folder(fill)

// folder makes a data folder with what fill puts into it, when it is first asked for.
func folder(fill func(context.Context, *sqlite.DB) error) func() (string, error) {
	return sync.OnceValues(func() (string, error) {
		dir, err := os.MkdirTemp("", "kaoju-agent-test-")
		if err != nil {
			return "", err
		}
		ctx := context.Background()
		db, err := sqlite.Open(ctx, dir, sqlite.Options{Ephemeral: true})
		if err != nil {
			return "", err
		}
		return dir, errors.Join(fill(ctx, db), db.Close())
	})
}

func TestMain(m *testing.M) {
	status := m.Run()
	for _, made := range []func() (string, error){template, demonstration, guarded, quarrel} {
		if dir, err := made(); err == nil {
			os.RemoveAll(dir)
		}
	}
	os.Exit(status)
}

// fill makes the tenant, its people, the knowledge base that alice reads, and its documents.
func fill(ctx context.Context, db *sqlite.DB) error {
	if err := db.Admin().CreateTenant(ctx, tenant, "Acme"); err != nil {
		return err
	}
	for user, roles := range map[access.UserID][]access.Role{
		alice: {access.Member}, carol: {access.Member, access.KnowledgeAdmin}, "mallory": {access.Member},
	} {
		if err := db.Admin().PutUser(ctx, tenant, "system", access.Identity{User: user, DisplayName: string(user), Roles: roles}); err != nil {
			return err
		}
	}
	if err := manage(ctx, db, func(s access.Scope) error {
		_, err := db.Bases().Create(ctx, s, access.KnowledgeBase{ID: base, Name: "Policies", Publishing: access.Directly})
		return err
	}); err != nil {
		return err
	}
	if err := grant(ctx, db, access.User(alice)); err != nil {
		return err
	}
	in := &ingest.Intake{Directory: db.Directory(), Catalog: db.Catalog(), Blobs: db.Blobs()}
	for key, text := range documents {
		if _, err := in.Upload(ctx, access.Actor{Tenant: tenant, User: carol}, corpus.Upload{
			ID: corpus.DocumentID("doc-" + strings.TrimSuffix(key, ".md")), KnowledgeBase: base, FileName: key, Publish: true,
		}, strings.NewReader(text)); err != nil {
			return err
		}
	}
	worker := &ingest.Worker{Queue: db.Queue(), Publisher: db.Publisher(), Blobs: db.Blobs(), Log: silent()}
	return worker.Drain(ctx)
}

// manage does something as the manager of the knowledge base.
func manage(ctx context.Context, db *sqlite.DB, fn func(access.Scope) error) error {
	return access.Within(ctx, db.Directory(), access.Actor{Tenant: tenant, User: carol}, access.Request{View: access.Catalog}, fn)
}

// grant lets principals read the knowledge base, besides its manager.
func grant(ctx context.Context, db *sqlite.DB, readers ...access.Principal) error {
	grants := []access.Grant{{Principal: access.User(carol), Level: access.Manager}}
	for _, p := range readers {
		grants = append(grants, access.Grant{Principal: p, Level: access.Reader})
	}
	return manage(ctx, db, func(s access.Scope) error { return db.Bases().SetGrants(ctx, s, base, grants) })
}

func silent() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

// newRig makes the product on a copy of the template, with a scripted model.
func newRig(t *testing.T, change func(*agent.Deps), turns ...llmtest.Turn) *rig {
	t.Helper()
	return rigOn(t, template, change, turns...)
}

// rigOn makes the product on a copy of a data folder.
func rigOn(t *testing.T, folder func() (string, error), change func(*agent.Deps), turns ...llmtest.Turn) *rig {
	t.Helper()
	source, err := folder()
	check(t, err)
	dir := t.TempDir()
	check(t, os.CopyFS(dir, os.DirFS(source)))
	db, err := sqlite.Open(t.Context(), dir, sqlite.Options{Ephemeral: true})
	check(t, err)
	t.Cleanup(func() { db.Close() })
	r := &rig{t: t, db: db, script: llmtest.New(turns...)}
	searcher := retrieval.NewSearcher(retrieval.NewLocal(db.Segments()), db.Texts())
	r.search = &switched{Tool: toolkit.NewSearch(db.Directory(), searcher, db.Texts(), toolkit.Versions(db.Catalog()))}
	history := toolkit.NewHistory(db.Directory(), db.Catalog(), db.Texts(), db.Blobs(), db.Ledger())
	executor, err := tool.NewExecutor(db.Directory(), []tool.Tool{r.search, toolkit.NewRead(db.Directory(), db.Catalog(), db.Texts()), history},
		tool.Options{Sleep: func(context.Context, time.Duration) error { return nil }})
	check(t, err)
	deps := agent.Deps{
		Directory: db.Directory(), Journal: db.Journal(), Events: db.Events(), Executor: executor, Catalog: db.Catalog(), Generator: r.script, Memory: db.Memory(),
		Rules: rules.New(), Limits: run.DefaultLimits(), Clock: time.Now, Log: silent(),
	}
	if change != nil {
		change(&deps)
	}
	r.agent, r.deps = agent.New(deps), deps
	t.Cleanup(r.agent.Close)
	return r
}

// ended is a run that has ended, with everything that was stored about it.
type ended struct {
	*run.Run
	evidence []citation.Evidence
	events   []event.Event
}

// ask runs a request of a user to its end and checks what holds of every run.
func (r *rig) ask(user access.UserID, req agent.Request) ended {
	r.t.Helper()
	id := r.start(user, req)
	return r.wait(user, id)
}

func (r *rig) start(user access.UserID, req agent.Request) run.ID {
	r.t.Helper()
	id, err := r.agent.Start(context.Background(), access.Actor{Tenant: tenant, User: user}, req)
	check(r.t, err)
	return id
}

func (r *rig) wait(user access.UserID, id run.ID) ended {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	check(r.t, r.agent.Await(ctx, access.Actor{Tenant: tenant, User: user}, id))
	return r.read(user, id)
}

// read loads an ended run and checks the invariants: one closing event at the end, numbers without
// gaps, a ledger entry under a chain that verifies, limits kept, totals that add up.
func (r *rig) read(user access.UserID, id run.ID) ended {
	r.t.Helper()
	ctx := context.Background()
	got, evidence, err := r.db.Journal().Run(ctx, tenant, user, id)
	check(r.t, err)
	events, err := r.db.Events().After(ctx, string(id), 0, 10000)
	check(r.t, err)
	closing := 0
	for i, e := range events {
		if e.Sequence != int64(i+1) {
			r.t.Errorf("event %d has sequence %d", i+1, e.Sequence)
		}
		if e.Type.Closes() {
			closing++
		}
	}
	if closing != 1 || !events[len(events)-1].Type.Closes() {
		r.t.Errorf("%d closing events, the last event is %s", closing, events[len(events)-1].Type)
	}
	if got.Use.Steps > got.Limits.Steps+got.Limits.Repairs || got.Use.ToolCalls > got.Limits.ToolCalls ||
		got.Use.SearchPages > got.Limits.SearchPages || got.Use.Documents > got.Limits.Documents {
		r.t.Errorf("limits %+v were exceeded: %+v", got.Limits, got.Use)
	}
	if got.Usage.CallsWithUsage > got.Usage.Calls {
		r.t.Errorf("usage from %d of %d calls", got.Usage.CallsWithUsage, got.Usage.Calls)
	}
	if _, err := ledger.Check(ctx, r.db.Ledger(), string(tenant)); err != nil {
		r.t.Errorf("ledger: %v", err)
	}
	if n := len(r.entries(ledger.RunEnded, id)); n != 1 {
		r.t.Errorf("%d ledger entries of the run's end, want 1", n)
	}
	r.held(got, evidence)
	r.replay(user, id)
	return ended{got, evidence, events}
}

// replay goes through an ended run again from its recordings: it comes to the same.
func (r *rig) replay(user access.UserID, id run.ID) {
	r.t.Helper()
	past := r.past(user, id)
	d, err := agent.Replay(context.Background(), past)
	erased := slices.ContainsFunc(past.Tape, func(t run.Recorded) bool { return t.Erased })
	if problem.CodeOf(err) == "not_replayable" && (past.Run.Reason == run.InternalFault || erased) {
		return
	}
	if err != nil || d != nil {
		r.t.Errorf("the run that ended %s (%s), replayed: %v, %v", past.Run.State, past.Run.Reason, d, err)
	}
}

// past loads a run with its recordings.
func (r *rig) past(user access.UserID, id run.ID) agent.Past {
	r.t.Helper()
	ctx := context.Background()
	got, evidence, err := r.db.Journal().Run(ctx, tenant, user, id)
	check(r.t, err)
	tape, err := r.db.Proof().Tape(ctx, tenant, user, id)
	check(r.t, err)
	return agent.Past{Run: got, Evidence: evidence, Tape: tape}
}

// entries returns the ledger entries of a kind that belong to a run.
func (r *rig) entries(kind ledger.Kind, id run.ID) []ledger.Entry {
	r.t.Helper()
	all, err := r.db.Ledger().Entries(context.Background(), string(tenant), 0, 10000)
	check(r.t, err)
	var out []ledger.Entry
	for _, e := range all {
		if e.Kind == kind && e.RunID == string(id) {
			out = append(out, e)
		}
	}
	return out
}

func (e ended) has(t event.Type) bool {
	for _, ev := range e.events {
		if ev.Type == t {
			return true
		}
	}
	return false
}

func (e ended) want(t *testing.T, state run.State, reason run.Reason) {
	t.Helper()
	if e.State != state || e.Reason != reason {
		t.Fatalf("run ended %s (%s), want %s (%s)", e.State, e.Reason, state, reason)
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// says is a turn that only writes text.
func says(text string) llmtest.Turn { return llmtest.Turn{Text: text} }

// calls is a turn that only calls tools.
func calls(list ...llm.ToolCall) llmtest.Turn { return llmtest.Turn{Calls: list} }

// readAt is a read of a document from an offset.
func readAt(document string, offset int) llm.ToolCall {
	args, _ := json.Marshal(map[string]any{"document_id": document, "offset": offset})
	return llm.ToolCall{Name: "read_document", Arguments: string(args)}
}

const cited = "结论：上海住宿上限为每晚 650 元。[S1]\n依据：上海住宿上限为每晚 650 元。[S1]"
