package httpapi

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/action"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/tool"
	"github.com/kaoju/kaoju/internal/toolkit"
)

// ticket is a tool whose effect is outside: it opens a ticket, or does what a test asks it to.
type ticket struct {
	mu     sync.Mutex
	calls  []tool.Call
	act    func(tool.Call) (tool.Result, error)
	before string // of the description, to declare it anew
}

func (k *ticket) Spec() tool.Spec {
	return tool.Spec{
		Name: "open_ticket", Description: k.before + "Opens a ticket.", Sensitivity: tool.Write, Role: access.KnowledgeAdmin,
		Schema: json.RawMessage(`{"type":"object","additionalProperties":false,"required":["object_id","version","note"],
"properties":{"object_id":{"type":"string"},"version":{"type":"string"},"note":{"type":"string","maxLength":100}}}`),
	}
}

func (k *ticket) Call(_ context.Context, call tool.Call) (tool.Result, error) {
	k.mu.Lock()
	k.calls = append(k.calls, call)
	act := k.act
	k.mu.Unlock()
	if act != nil {
		return act(call)
	}
	return tool.Result{Content: json.RawMessage(`{"ticket":"T-1"}`)}, nil
}

func (k *ticket) count() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.calls)
}

// look is a read at somebody else's, which needs no decision.
type look struct{}

func (look) Spec() tool.Spec {
	return tool.Spec{
		Name: "look_up", Description: "Looks something up.", Sensitivity: tool.Read,
		Schema: json.RawMessage(`{"type":"object","required":["object_id","version"],"properties":{"object_id":{"type":"string"},"version":{"type":"string"}}}`),
	}
}

func (look) Call(context.Context, tool.Call) (tool.Result, error) {
	return tool.Result{Content: json.RawMessage(`{"found":true}`)}, nil
}

// forwarded lets a test put another engine in place.
type forwarded struct{ w *world }

func (f forwarded) Tools(ctx context.Context, actor access.Actor) ([]action.Listed, error) {
	return f.w.actions.Tools(ctx, actor)
}

func (f forwarded) Propose(ctx context.Context, actor access.Actor, wish action.Wish) (approval.Proposal, error) {
	return f.w.actions.Propose(ctx, actor, wish)
}

func (f forwarded) Carry(ctx context.Context, k approval.Task) (approval.Task, error) {
	return f.w.actions.Carry(ctx, k)
}

// engine makes an engine over the world's store, as a start of the server does.
func (w *world) engine(confirm bool, repeatable ...bool) *action.Engine {
	w.t.Helper()
	e, err := action.New(action.Deps{
		Directory: w.db.Directory(), Catalog: w.db.Catalog(), Journal: w.db.Journal(), Book: w.db.Approvals(), Tasks: w.db.Tasks(), Clock: w.now, Confirm: confirm,
		Pause: func(context.Context, time.Duration) error { return nil },
	}, []action.Declaration{
		{Tool: toolkit.NewCreateTask(), Evidence: true, Effect: approval.Recorded},
		{Tool: toolkit.NewExportDocument(), Effect: approval.Recorded}, {Tool: toolkit.NewExportHistory(), Effect: approval.Recorded},
		{Tool: w.ticket, Level: access.Editor, Evidence: true, Effect: approval.Outside, Host: "tickets.example:443", Repeatable: len(repeatable) > 0},
		{Tool: look{}, Effect: approval.Outside, Host: "look.example:443"},
	})
	must(w.t, err)
	w.t.Cleanup(e.Close)
	return e
}

// study is a world with a published document of two versions in kb-a, which Bob reads, Carol edits
// and Alice manages, and an answer of each that cites the version in force.
func study(t *testing.T) (w *world, id string, runs map[string]string) {
	t.Helper()
	w = newWorld(t)
	w.kb("kb-a")
	w.add("kb-a", "travel.txt|The lodging limit is 500 yuan. CANARY-OLD", "status", "published")
	id = w.add("kb-a", "travel.txt|The lodging limit is 650 yuan. CANARY-NEW", "status", "published").DocumentID
	w.grant("kb-a", "user:alice", "manager", "user:carol", "editor", "user:bob", "reader")
	runs = map[string]string{}
	for _, who := range []string{"alice", "bob", "carol"} {
		runs[who] = w.ask(who, "lodging").RunID
	}
	return w, id, runs
}

// taskBody writes the arguments of create_task with the run among them.
func taskBody(id, version, run string) string {
	return fmt.Sprintf(`{"object_id":%q,"version":%q,"title":"Check the limit","run_id":%q}`, id, version, run)
}

func ticketBody(id, version, run string) string {
	return fmt.Sprintf(`{"object_id":%q,"version":%q,"note":"Check it","run_id":%q}`, id, version, run)
}

const (
	taskPath   = "/api/tools/create_task/proposals"
	ticketPath = "/api/tools/open_ticket/proposals"
)

func (w *world) wish(who, path, body string) api.Proposal {
	w.t.Helper()
	return expect[api.Proposal](w, who, http.MethodPost, path, body, http.StatusCreated)
}

func approvalPath(id string) string { return "/api/approvals/" + id + "/decisions" }

func (w *world) approve(who, id string) api.Decided {
	w.t.Helper()
	return expect[api.Decided](w, who, http.MethodPost, approvalPath(id), `{"approved":true}`, http.StatusOK)
}

func (w *world) task(who, id string) api.Task {
	w.t.Helper()
	return expect[api.Task](w, who, http.MethodGet, "/api/tasks/"+id, "", http.StatusOK)
}
